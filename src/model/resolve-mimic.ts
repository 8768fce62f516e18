/**
 * Resolves <mimic> chains to the independent joint at their end: q = multiplier q(driver) + offset.
 *
 * Drivers may be defined later in the file and may mimic others. A mimic that cannot be honoured (unknown driver, a joint
 * or driver without exactly one coordinate, a cycle) is reported and the joint stays free. A joint that mimics a fixed
 * joint follows a value that is always 0: it is held at its offset.
 * Cost: linear in the joints, however long the chains; no recursion.
 */
import type { JointDescription, JointMimic } from './description.js';
import type { ModelIssue } from './issue.js';
import { findJointType } from './joint-types.js';

export interface ResolvedMimic {
  /** Name of the independent joint; null when the value is the constant `offset`. */
  readonly driver: string | null;
  readonly multiplier: number;
  readonly offset: number;
}

export function resolveMimics(joints: readonly JointDescription[], issues: ModelIssue[]): Map<string, ResolvedMimic> {
  const byName = new Map(joints.map((joint) => [joint.name, joint]));
  const report = (severity: ModelIssue['severity'], code: string, joint: JointDescription, message: string): void => {
    issues.push({ severity, code, element: `joint "${joint.name}"`, message });
  };
  // First pass: which mimic tags can be followed at all.
  const usable = new Set<string>();
  for (const joint of joints) {
    const mimic = joint.mimic;
    if (!mimic) continue;
    const driver = byName.get(mimic.joint);
    if (joint.type === 'fixed') {
      report('info', 'mimic-on-fixed-joint', joint, 'a fixed joint does not move; its mimic tag is ignored');
    } else if (!findJointType(joint.type)?.canMimic) {
      report('warning', 'mimic-type', joint, `a ${joint.type} joint cannot mimic another; it stays free`);
    } else if (!driver) {
      report('error', 'mimic-unknown-joint', joint, `it mimics "${mimic.joint}", which does not exist; it stays free`);
    } else if (driver.type !== 'fixed' && !findJointType(driver.type)?.canMimic) {
      report(
        'warning',
        'mimic-type',
        joint,
        `it mimics "${driver.name}", a ${driver.type} joint without a single coordinate; it stays free`,
      );
    } else {
      usable.add(joint.name);
    }
  }
  for (const name of findCycles(byName, usable)) {
    usable.delete(name);
    const joint = byName.get(name) as JointDescription;
    report('error', 'mimic-cycle', joint, 'its mimic chain leads back to itself; it stays free');
  }

  const resolved = new Map<string, ResolvedMimic & { readonly held: string }>();
  for (const start of usable) {
    // Down to the end of the chain, or to a joint that is resolved already, and back up: each link is taken once.
    const walk: JointDescription[] = [];
    let joint = byName.get(start) as JointDescription;
    while (joint.mimic && usable.has(joint.name) && !resolved.has(joint.name)) {
      walk.push(joint);
      joint = byName.get(joint.mimic.joint) as JointDescription;
    }
    const end = { driver: joint.type === 'fixed' ? null : joint.name, multiplier: 1, offset: 0, held: joint.name };
    let next = resolved.get(joint.name) ?? end;
    for (const follower of walk.reverse()) {
      const { multiplier, offset } = follower.mimic as JointMimic;
      next = {
        driver: next.driver,
        multiplier: next.driver === null ? 0 : multiplier * next.multiplier,
        offset: multiplier * next.offset + offset,
        held: next.held,
      };
      resolved.set(follower.name, next);
    }
  }
  const mimics = new Map<string, ResolvedMimic>();
  for (const name of usable) {
    const { driver, multiplier, offset, held } = resolved.get(name) as ResolvedMimic & { held: string };
    mimics.set(name, { driver, multiplier, offset });
    if (driver !== null) continue;
    const message = `it mimics the fixed joint "${held}"; held at ${offset}`;
    report('warning', 'mimic-of-fixed-joint', byName.get(name) as JointDescription, message);
  }
  return mimics;
}

/** Names of the joints that lie on a mimic cycle. */
function findCycles(byName: ReadonlyMap<string, JointDescription>, usable: ReadonlySet<string>): string[] {
  const onCycle: string[] = [];
  const done = new Set<string>();
  for (const start of usable) {
    const walk: string[] = [];
    const walked = new Set<string>();
    let name = start;
    while (usable.has(name) && !done.has(name) && !walked.has(name)) {
      walk.push(name);
      walked.add(name);
      name = byName.get(name)?.mimic?.joint as string;
    }
    if (walked.has(name)) onCycle.push(...walk.slice(walk.indexOf(name)));
    for (const each of walk) done.add(each);
  }
  return onCycle;
}

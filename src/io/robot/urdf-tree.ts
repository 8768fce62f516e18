/** Whole-robot checks of a URDF: link references, one parent per link, no cycles, mimic drivers. */
import type { JointDescription, LinkDescription } from '../../model/description.js';
import { JOINT_TYPES } from '../../model/joint-types.js';
import type { XmlElement } from '../xml/xml.js';
import { closestName, type XmlIssues } from '../xml/xml-values.js';

const MOST_SUGGESTIONS = 20;

interface ReadJoint {
  readonly joint: JointDescription;
  readonly element: XmlElement;
}

/** The joints that form a forest over the links; each joint left out, and a robot in pieces, is reported. */
export function keepForest(
  links: ReadonlyMap<string, LinkDescription>,
  joints: readonly ReadJoint[],
  root: XmlElement,
  issues: XmlIssues,
): ReadJoint[] {
  const parentJoint = new Map<string, number>();
  for (let i = 0; i < joints.length; i++) {
    const { joint, element } = joints[i];
    const unknown = [joint.parent, joint.child].find((name) => !links.has(name));
    if (unknown !== undefined) {
      const close = suggest(unknown, links.keys(), issues);
      const hint = close === undefined ? `add <link name="${unknown}"/>` : `did you mean "${close}"?`;
      issues.error('unknown-link', element, `link "${unknown}" is not declared, the joint is left out; ${hint}`);
      continue;
    }
    if (joint.parent === joint.child) {
      issues.error(
        'self-joint',
        element,
        `joint connects link "${joint.child}" to itself, left out; correct its links`,
      );
      continue;
    }
    const other = parentJoint.get(joint.child);
    if (other !== undefined) {
      const message = `link "${joint.child}" already hangs on joint "${joints[other].joint.name}" (line ${joints[other].element.line}); this joint is left out, a link has one parent`;
      issues.error('two-parents', element, message);
      continue;
    }
    parentJoint.set(joint.child, i);
  }
  breakCycles(joints, parentJoint, issues);

  const kept = new Set(parentJoint.values());
  const roots = [...links.keys()].filter((name) => !parentJoint.has(name));
  if (links.size === 0) {
    issues.error('no-links', root, 'the robot has no links; is it a macro file that needs expansion?');
  } else if (roots.length > 1) {
    const message = `${roots.length} links have no parent joint: ${quoteSome(roots)}; each starts its own tree, connect them with joints if that is not meant`;
    issues.warn('several-roots', root, message, 'guessed');
  }
  return joints.filter((_, i) => kept.has(i));
}

/** In each cycle the joint last in the file goes. */
function breakCycles(joints: readonly ReadJoint[], parentJoint: Map<string, number>, issues: XmlIssues): void {
  const parentLink = new Map([...parentJoint].map(([child, index]) => [child, joints[index].joint.parent]));
  for (const cycle of findCycles(parentLink)) {
    const last = cycle.reduce((most, link) => Math.max(most, parentJoint.get(link)!), -1);
    parentJoint.delete(joints[last].joint.child);
    const message = `links ${quoteSome(cycle)} form a cycle; this joint is left out, URDF allows only trees`;
    issues.error('joint-cycle', joints[last].element, message);
  }
}

/** Every cycle of a graph in which each node has at most one successor; cost linear. */
function findCycles(next: ReadonlyMap<string, string>): string[][] {
  const cycles: string[][] = [];
  const seenIn = new Map<string, number>();
  let walk = 0;
  for (const start of next.keys()) {
    walk++;
    let node: string | undefined = start;
    while (node !== undefined && !seenIn.has(node)) {
      seenIn.set(node, walk);
      node = next.get(node);
    }
    if (node === undefined || seenIn.get(node) !== walk) continue;
    const cycle = [node];
    for (let at = next.get(node)!; at !== node; at = next.get(at)!) cycle.push(at);
    cycles.push(cycle);
  }
  return cycles;
}

/** Joints with mimics that cannot be followed removed (reported); forward references and chains are fine. */
export function checkMimics(joints: readonly ReadJoint[], issues: XmlIssues): JointDescription[] {
  const byName = new Map(joints.map(({ joint }) => [joint.name, joint]));
  const faults = new Map<string, string>();
  const drivers = new Map<string, string>();
  for (const { joint } of joints) {
    if (!joint.mimic) continue;
    const driver = byName.get(joint.mimic.joint);
    if (!driver) {
      const close = suggest(joint.mimic.joint, byName.keys(), issues);
      const hint = close === undefined ? '' : ` (did you mean "${close}"?)`;
      faults.set(joint.name, `joint "${joint.mimic.joint}" does not exist${hint}`);
    } else if (!JOINT_TYPES[driver.type].canMimic) {
      faults.set(joint.name, `joint "${driver.name}" is ${driver.type} and has no single position`);
    } else {
      drivers.set(joint.name, driver.name);
    }
  }
  const order = new Map(joints.map(({ joint }, i) => [joint.name, i]));
  for (const cycle of findCycles(drivers)) {
    const last = cycle.reduce((a, b) => (order.get(a)! > order.get(b)! ? a : b));
    faults.set(last, `joints ${quoteSome(cycle)} mimic each other`);
  }
  return joints.map(({ joint, element }) => {
    const fault = faults.get(joint.name);
    if (fault === undefined) return joint;
    issues.error(
      'bad-mimic',
      element,
      `<mimic> is ignored, the joint moves freely: ${fault}; correct mimic joint="..."`,
      'altered',
    );
    const { mimic: _, ...free } = joint;
    return free;
  });
}

/** Looks through all names: only for the first faults of a file, so that a file of nothing but faults costs linear time. */
function suggest(name: string, names: Iterable<string>, issues: XmlIssues): string | undefined {
  return issues.issues.length < MOST_SUGGESTIONS ? closestName(name, names) : undefined;
}

function quoteSome(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return (
    names
      .slice(0, 5)
      .map((name) => `"${name}"`)
      .join(', ') + more
  );
}

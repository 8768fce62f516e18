/** Compares an SRDF with the robot it speaks about: names that the robot lacks, chains that do not exist, bad states. */

import type { JointDescription, JointType } from '../../model/description.js';
import { JOINT_TYPES } from '../../model/joint-types.js';
import { MIMIC_TOLERANCE } from '../../model/named-configuration.js';
import { type ResolvedMimic, resolveMimics } from '../../model/resolve-mimic.js';
import type { RobotDescription } from '../../scene/description.js';
import type { SemanticDescription } from '../../semantics/description.js';
import { requireRobotDescription, requireSemantic } from '../../semantics/require-semantic.js';
import { FileIssues } from '../file-issues.js';
import { requireFile } from '../io-door.js';
import type { Issue } from '../issue.js';

/** Numbers that a state lists for a joint. */
function countValues(type: JointType, joint: JointDescription | undefined): number {
  return (
    JOINT_TYPES[type].values ?? (joint?.parts ?? []).reduce((sum, part) => sum + countValues(part.type, undefined), 0)
  );
}

/** Everything in `semantic` that does not fit `description`; the robot stays usable, so these are warnings. */
export function checkSemantics(semantic: SemanticDescription, description: RobotDescription, file?: string): Issue[] {
  requireSemantic('checkSemantics', semantic);
  requireRobotDescription('checkSemantics', description);
  requireFile('checkSemantics', file);
  const issues = new FileIssues(file);
  const warn = (code: string, element: string | undefined, message: string): void => {
    issues.add('warning', code, message, { element });
  };
  const links = new Set(description.model.links.map(({ name }) => name));
  const joints = new Map(description.model.joints.map((joint) => [joint.name, joint]));
  const virtual = new Map(semantic.virtualJoints.map((joint) => [joint.name, joint]));
  const groups = new Map(semantic.groups.map((group) => [group.name, group]));

  if (semantic.name !== description.name) {
    const message = `is for robot "${semantic.name}", the robot is "${description.name}"; check that the files belong together`;
    issues.add('info', 'other-robot', message);
  }
  for (const group of semantic.groups) {
    const element = `group "${group.name}"`;
    for (const name of group.joints) {
      if (!joints.has(name) && !virtual.has(name))
        warn('unknown-joint', element, `the robot has no joint "${name}"; correct it`);
    }
    for (const name of group.links) {
      if (!links.has(name)) warn('unknown-link', element, `the robot has no link "${name}"; correct it`);
    }
    for (const name of group.groups) {
      if (!groups.has(name))
        warn('unknown-group', element, `there is no group "${name}"; define it or delete the reference`);
    }
    for (const { base, tip } of group.chains) {
      const unknown = [base, tip].filter((name) => !links.has(name));
      if (unknown.length > 0)
        warn('unknown-link', element, `the robot has no link "${unknown.join('", "')}"; correct the chain`);
      else if (!isChain(base, tip, description.model.joints)) {
        warn('not-a-chain', element, `link "${tip}" does not hang on link "${base}"; name a base above the tip`);
      }
    }
    if (containsItself(group.name, groups))
      warn('group-cycle', element, 'the group contains itself; remove it from its subgroups');
  }
  const mimics = resolveMimics(description.model.joints, []);
  for (const state of semantic.states) {
    const element = `group_state "${state.name}"`;
    if (!groups.has(state.group)) warn('unknown-group', element, `there is no group "${state.group}"; correct it`);
    for (const [name, values] of state.joints) {
      const type = joints.get(name)?.type ?? virtual.get(name)?.type;
      if (type === undefined) {
        warn('unknown-joint', element, `the robot has no joint "${name}"; correct it`);
        continue;
      }
      const expected = countValues(type, joints.get(name));
      if (values.length !== expected) {
        warn(
          'bad-state',
          element,
          `${type} joint "${name}" takes ${expected} numbers, ${values.length} are given; correct them`,
        );
      } else checkLimits(joints.get(name), values[0], element, warn);
    }
    checkMimics(state, mimics, element, warn);
  }
  for (const { name, group, parentLink, parentGroup } of semantic.endEffectors) {
    const element = `end_effector "${name}"`;
    if (!groups.has(group)) warn('unknown-group', element, `there is no group "${group}"; correct it`);
    if (!links.has(parentLink)) warn('unknown-link', element, `the robot has no link "${parentLink}"; correct it`);
    if (parentGroup !== undefined && !groups.has(parentGroup)) {
      warn('unknown-group', element, `there is no group "${parentGroup}"; correct it`);
    }
  }
  for (const { name, childLink } of semantic.virtualJoints) {
    if (!links.has(childLink))
      warn('unknown-link', `virtual_joint "${name}"`, `the robot has no link "${childLink}"; correct it`);
  }
  for (const name of semantic.passiveJoints) {
    if (!joints.has(name) && !virtual.has(name))
      warn('unknown-joint', 'passive_joint', `the robot has no joint "${name}"; delete it`);
  }
  for (const link of semantic.spheres.keys()) {
    if (!links.has(link))
      warn('unknown-link', 'link_sphere_approximation', `the robot has no link "${link}"; delete it`);
  }
  const strange = new Set<string>();
  let pairs = 0;
  for (const { a, b } of [...semantic.disabledPairs, ...(semantic.enabledPairs ?? [])]) {
    const unknown = [a, b].filter((name) => !links.has(name));
    if (unknown.length > 0) pairs++;
    for (const name of unknown) strange.add(name);
  }
  for (const name of semantic.disabledLinks ?? []) if (!links.has(name)) strange.add(name);
  if (strange.size > 0) {
    const shown = [...strange].slice(0, 5).map((name) => `"${name}"`);
    const more = strange.size > 5 ? ` and ${strange.size - 5} more` : '';
    const message = `${pairs} pairs name links that the robot lacks and are ignored: ${shown.join(', ')}${more}; delete them or generate the file anew`;
    warn('unknown-link', 'disable_collisions', message);
  }
  return issues.list;
}

/**
 * The pairs that stay disabled on this robot: those listed, plus every pair of a link whose checks are off by
 * default, minus those enabled again. Pairs of unknown links are left out.
 */
export function resolveDisabledPairs(
  semantic: SemanticDescription,
  description: RobotDescription,
): SemanticDescription['disabledPairs'] {
  requireSemantic('resolveDisabledPairs', semantic);
  requireRobotDescription('resolveDisabledPairs', description);
  const links = description.model.links.map(({ name }) => name);
  const known = new Set(links);
  const key = (a: string, b: string): string => (a < b ? `${a}\0${b}` : `${b}\0${a}`);
  const enabled = new Set((semantic.enabledPairs ?? []).map(({ a, b }) => key(a, b)));
  const listed = semantic.disabledPairs.filter(({ a, b }) => known.has(a) && known.has(b) && !enabled.has(key(a, b)));
  const seen = new Set(listed.map(({ a, b }) => key(a, b)));
  const added: { a: string; b: string; reason: string }[] = [];
  for (const a of semantic.disabledLinks ?? []) {
    if (!known.has(a)) continue;
    for (const b of links) {
      const pair = key(a, b);
      if (a === b || seen.has(pair) || enabled.has(pair)) continue;
      seen.add(pair);
      added.push({ a, b, reason: 'Default' });
    }
  }
  return [...listed, ...added];
}

function checkLimits(
  joint: JointDescription | undefined,
  value: number,
  element: string,
  warn: (code: string, element: string, message: string) => void,
): void {
  const { lower = -Infinity, upper = Infinity } = joint?.limits ?? {};
  // States are written with a few digits, so a limit rounded up is no fault.
  const slack = 1e-3;
  if (!joint || (value >= lower - slack && value <= upper + slack)) return;
  warn('state-outside-limits', element, `joint "${joint.name}" is ${value}, outside ${lower} .. ${upper}; correct it`);
}

/** Values of joints that mimic others follow from those: what the state says beside them is not what the robot does. */
function checkMimics(
  { joints }: SemanticDescription['states'][number],
  mimics: ReadonlyMap<string, ResolvedMimic>,
  element: string,
  warn: (code: string, element: string, message: string) => void,
): void {
  for (const [name, [value]] of joints) {
    const mimic = mimics.get(name);
    if (!mimic) continue;
    const driving = mimic.driver === null ? 0 : joints.get(mimic.driver)?.[0];
    if (driving === undefined) continue;
    const follows = mimic.multiplier * driving + mimic.offset;
    if (Math.abs(value - follows) <= MIMIC_TOLERANCE) continue;
    const driver = mimic.driver === null ? 'a fixed joint' : `joint "${mimic.driver}"`;
    const message = `joint "${name}" is ${value}, but it mimics ${driver}, which makes it ${follows}; correct it or leave it out`;
    warn('state-contradicts-mimic', element, message);
  }
}

function isChain(base: string, tip: string, joints: readonly JointDescription[]): boolean {
  const parent = new Map(joints.map((joint) => [joint.child, joint.parent]));
  let link: string | undefined = tip;
  for (let steps = 0; link !== undefined && steps <= joints.length; steps++) {
    if (link === base) return true;
    link = parent.get(link);
  }
  return false;
}

function containsItself(name: string, groups: ReadonlyMap<string, { readonly groups: readonly string[] }>): boolean {
  const seen = new Set<string>();
  const open = [...(groups.get(name)?.groups ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === name) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(groups.get(next)?.groups ?? []));
  }
  return false;
}

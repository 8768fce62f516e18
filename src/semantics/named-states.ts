/** Named states of an SRDF as configurations, and which link a group's poses are of. */
import { requireNumbers, requireText } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { suggestionText } from '../math/suggest-name.js';
import { neutralConfiguration } from '../model/configuration.js';
import { findJoint, type Model, requireModel } from '../model/model.js';
import { configurationFromNamed } from '../model/named-configuration.js';
import type { DescribedModel, SemanticDescription } from './description.js';
import { listGroupJoints } from './group-coordinates.js';
import { requireRobotDescription, requireSemantic } from './require-semantic.js';

/** Joint values by name. */
export type NamedValues = Readonly<Record<string, number | readonly number[]>>;

/**
 * Values of every named state, in the order of the file. States of one name are one state of all their groups. Where the base
 * stands is not theirs to say when the model's base is fixed.
 */
export function listNamedStates(model: Model, semantic: SemanticDescription | null): Map<string, NamedValues> {
  requireModel('listNamedStates', model);
  if (semantic === null || semantic === undefined) return new Map();
  requireSemantic('listNamedStates', semantic);
  const bases = new Set(['root_joint', ...semantic.virtualJoints.map(({ name }) => name)]);
  const states = new Map<string, Record<string, number | readonly number[]>>();
  for (const { name, joints } of semantic.states) {
    const values = states.get(name) ?? {};
    for (const [joint, list] of joints) {
      if (bases.has(joint) && findJoint(model, joint) < 0) continue;
      values[joint] = list.length === 1 ? list[0] : list;
    }
    states.set(name, values);
  }
  return states;
}

/** The configuration of a named state; joints that it leaves out keep `rest` (neutral without one). Throws on unknown names. */
export function findNamedState(
  model: Model,
  semantic: SemanticDescription | null,
  name: string,
  rest?: ArrayLike<number>,
): Float64Array {
  requireModel('findNamedState', model);
  requireText('findNamedState', 'name', name);
  if (rest !== undefined) requireNumbers('findNamedState', 'rest', rest, model.nq);
  return readNamedState('findNamedState: name', model, semantic, name, rest);
}

/** As `findNamedState`, for calls that take the name as an argument of their own: `what` is the call and the argument. */
export function readNamedState(
  what: string,
  model: Model,
  semantic: SemanticDescription | null,
  name: string,
  rest?: ArrayLike<number>,
): Float64Array {
  const states = listNamedStates(model, semantic);
  const values = states.get(name);
  if (!values) {
    const known = [...states.keys()];
    const expected = known.length === 0 ? 'an SRDF that defines it' : `one of ${known.join(', ')}`;
    throw new MisuseError(`${what}, got "${name}"${suggestionText(name, known)}, expected ${expected}`);
  }
  const base = rest === undefined ? neutralConfiguration(new Float64Array(model.nq), model) : Float64Array.from(rest);
  return configurationFromNamed(model, values, base);
}

/**
 * The link that a pose of the group means: the one its end effector hangs on, else the tip of its last chain, else the link
 * of its last joint. Null for groups without joints.
 */
export function findGroupTip(
  semantic: SemanticDescription | null,
  description: DescribedModel,
  group?: string,
): string | null {
  if (semantic !== null && semantic !== undefined) requireSemantic('findGroupTip', semantic);
  requireRobotDescription('findGroupTip', description);
  const { joints } = description.model;
  if (group === undefined) return joints.at(-1)?.child ?? null;
  const owned = listGroupJoints(semantic, description, group);
  const effector = semantic?.endEffectors.find(({ parentGroup }) => parentGroup === group);
  if (effector) return effector.parentLink;
  const links = new Set(joints.filter(({ name }) => owned.has(name)).map(({ child }) => child));
  const held = semantic?.endEffectors.find(({ parentLink }) => links.has(parentLink));
  if (held) return held.parentLink;
  const chain = semantic?.groups.find(({ name }) => name === group)?.chains.at(-1);
  return chain?.tip ?? [...joints].reverse().find(({ name }) => owned.has(name))?.child ?? null;
}

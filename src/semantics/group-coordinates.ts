/**
 * The joints and coordinates of an SRDF group, for everything that plans, solves or prints a group alone.
 *
 * A group owns its joints, the joints above its links, those of its chains (from the tip up to the base), and all of its
 * subgroups'. A virtual joint is the root's movable base (`root_joint`), where the model has one. Coordinates come in the
 * model's order; fixed joints and mimic joints have none. Tested by test/contract/group-coordinates.test.ts.
 */

import { requireText } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { suggestionText } from '../math/suggest-name.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import type { DescribedModel, SemanticDescription } from './description.js';
import { requireRobotDescription, requireSemantic } from './require-semantic.js';

const ROOT_JOINT = 'root_joint';

/** Coordinates of some of a robot's joints. */
export interface GroupCoordinates {
  /** Joints that move of their own, in the model's order. */
  readonly joints: readonly string[];
  /** Their coordinates: indices into q, ascending. */
  readonly indices: Int32Array;
  /** Indices into v, ascending. */
  readonly velocities: Int32Array;
}

/** Names of the joints a group owns, as the files write them; those that the robot lacks are left out. */
export function listGroupJoints(
  semantic: SemanticDescription | null,
  description: DescribedModel,
  name: string,
): Set<string> {
  if (semantic !== null && semantic !== undefined) requireSemantic('listGroupJoints', semantic);
  requireRobotDescription('listGroupJoints', description);
  requireText('listGroupJoints', 'name', name);
  const groups = new Map((semantic?.groups ?? []).map((group) => [group.name, group]));
  if (!groups.has(name)) {
    const known = [...groups.keys()];
    const expected = known.length === 0 ? 'an SRDF that defines it' : `one of ${known.join(', ')}`;
    throw new MisuseError(
      `listGroupJoints: name of the group, got "${name}"${suggestionText(name, known)}, expected ${expected}`,
    );
  }
  const { joints } = description.model;
  const above = new Map(joints.map((joint) => [joint.child, joint]));
  const known = new Set(joints.map((joint) => joint.name));
  const virtual = new Set((semantic?.virtualJoints ?? []).map((joint) => joint.name));
  const owned = new Set<string>();
  const seen = new Set<string>();
  const pending = [name];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const group = groups.get(next);
    if (!group || seen.has(next)) continue;
    seen.add(next);
    for (const joint of group.joints) {
      if (known.has(joint)) owned.add(joint);
      else if (virtual.has(joint)) owned.add(ROOT_JOINT);
    }
    for (const link of group.links) {
      const joint = above.get(link);
      if (joint) owned.add(joint.name);
    }
    for (const { base, tip } of group.chains) {
      for (let link = tip, steps = 0; link !== base && steps <= joints.length; steps++) {
        const joint = above.get(link);
        if (!joint)
          throw new MisuseError(`group: chain of "${group.name}", got base "${base}", expected a link above "${tip}"`);
        owned.add(joint.name);
        link = joint.parent;
      }
    }
    pending.push(...group.groups);
  }
  return owned;
}

/** `name` undefined: all joints of the model. The lists are empty where none of the group's joints moves of its own. */
export function findGroupCoordinates(
  model: Model,
  semantic: SemanticDescription | null,
  description: DescribedModel,
  name?: string,
): GroupCoordinates {
  requireModel('findGroupCoordinates', model);
  if (semantic !== null && semantic !== undefined) requireSemantic('findGroupCoordinates', semantic);
  requireRobotDescription('findGroupCoordinates', description);
  if (name !== undefined) requireText('findGroupCoordinates', 'name', name);
  const owned = name === undefined ? null : listGroupJoints(semantic, description, name);
  const joints: string[] = [];
  const indices: number[] = [];
  const velocities: number[] = [];
  for (let j = 1; j < model.jointCount; j++) {
    // The parts of a composite joint are one joint, which the last of them names.
    const joint = model.jointNames[model.wholeJoints[j]];
    if (model.nqs[j] === 0 || (owned && !owned.has(joint))) continue;
    joints.push(model.jointNames[j]);
    for (let k = 0; k < model.nqs[j]; k++) indices.push(model.idxQ[j] + k);
    for (let k = 0; k < model.nvs[j]; k++) velocities.push(model.idxV[j] + k);
  }
  return { joints, indices: Int32Array.from(indices), velocities: Int32Array.from(velocities) };
}

/** Joint values as users give them: an array, an object of joint names, or the name of an SRDF state. */
import { neutralConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { configurationFromNamed, describeProblem, type NamedConfiguration } from '../model/named-configuration.js';
import type { RobotDescription, SemanticDescription } from '../scene/description.js';
import { UsageError } from './exit.js';

export interface ConfigurationContext {
  readonly model: Model;
  readonly semantic: SemanticDescription | null;
  readonly description: RobotDescription;
}

/** The coordinates of q that a group owns, in the model's order; all of them without a group. */
export interface GroupSelection {
  readonly name: string | null;
  readonly joints: readonly string[];
  readonly indices: Int32Array;
}

/** Names of a group's joints (its own, its chains', its links' and its subgroups'). */
export function groupJoints(context: ConfigurationContext, name: string): Set<string> {
  const { semantic, description } = context;
  const groups = new Map((semantic?.groups ?? []).map((group) => [group.name, group]));
  if (!groups.has(name)) {
    const known = [...groups.keys()].join(', ');
    throw new UsageError(
      `group "${name}": not in the SRDF${known ? `, expected one of ${known}` : ' (give one with --srdf)'}`,
    );
  }
  const parentJoint = new Map(description.model.joints.map((joint) => [joint.child, joint]));
  const joints = new Set<string>();
  const seen = new Set<string>();
  const pending = [name];
  while (pending.length > 0) {
    const group = groups.get(pending.pop()!);
    if (!group || seen.has(group.name)) continue;
    seen.add(group.name);
    for (const joint of group.joints) joints.add(joint);
    for (const link of group.links) if (parentJoint.has(link)) joints.add(parentJoint.get(link)!.name);
    for (const { base, tip } of group.chains) {
      for (let link = tip, steps = 0; link !== base && steps <= description.model.links.length; steps++) {
        const joint = parentJoint.get(link);
        if (!joint) throw new UsageError(`group "${name}": link "${base}" is no ancestor of "${tip}"`);
        joints.add(joint.name);
        link = joint.parent;
      }
    }
    pending.push(...group.groups);
  }
  return joints;
}

export function selectGroup(context: ConfigurationContext, name: string | undefined): GroupSelection {
  const { model } = context;
  const wanted = name === undefined ? null : groupJoints(context, name);
  const joints: string[] = [];
  const indices: number[] = [];
  for (let j = 0; j < model.jointNames.length; j++) {
    if (model.nqs[j] === 0 || (wanted && !wanted.has(model.jointNames[j]))) continue;
    joints.push(model.jointNames[j]);
    for (let k = 0; k < model.nqs[j]; k++) indices.push(model.idxQ[j] + k);
  }
  if (indices.length === 0 && name !== undefined) throw new UsageError(`group "${name}": none of its joints can move`);
  return { name: name ?? null, joints, indices: Int32Array.from(indices) };
}

/** For commands that look for joint values. */
export function requireMovable({ indices }: GroupSelection): void {
  if (indices.length === 0) throw new UsageError('the robot has no movable joint');
}

/** Full configuration from what the user gave; joints left out keep `rest` (neutral without one). */
export function parseConfiguration(
  context: ConfigurationContext,
  value: unknown,
  rest: Float64Array | null,
  group?: GroupSelection,
): Float64Array {
  const { model, semantic } = context;
  const base = rest ? Float64Array.from(rest) : neutralConfiguration(new Float64Array(model.nq), model);
  if (typeof value === 'string') {
    const states = (semantic?.states ?? []).filter((state) => state.name === value);
    if (states.length === 0) {
      const known = [...new Set((semantic?.states ?? []).map((state) => state.name))].join(', ');
      throw new UsageError(
        `state "${value}": not in the SRDF${known ? `, expected one of ${known}` : ' (give one with --srdf)'}`,
      );
    }
    const named: Record<string, number | readonly number[]> = {};
    for (const { joints } of states)
      for (const [joint, values] of joints) named[joint] = values.length === 1 ? values[0] : values;
    return configurationFromNamed(model, named, base);
  }
  if (Array.isArray(value)) {
    if (value.some((n) => typeof n !== 'number' || !Number.isFinite(n)))
      throw new UsageError('q: expected finite numbers');
    if (value.length === model.nq) return requireUsable(model, Float64Array.from(value as number[]));
    if (group?.name && value.length === group.indices.length) {
      value.forEach((n: number, k) => {
        base[group.indices[k]] = n;
      });
      return requireUsable(model, base);
    }
    if (value.length === 0 && rest === null) return base;
    const expected = group?.name ? `${group.indices.length} (group "${group.name}") or ${model.nq}` : `${model.nq}`;
    throw new UsageError(
      `q: got ${value.length} numbers, expected ${expected}: ${(group?.name ? group.joints : model.jointNames.filter((_, j) => model.nqs[j] > 0)).join(', ')}`,
    );
  }
  if (value !== null && typeof value === 'object')
    return configurationFromNamed(model, value as NamedConfiguration, base);
  throw new UsageError('q: expected an array of numbers, an object {"joint": value}, or the name of an SRDF state');
}

function requireUsable(model: Model, q: Float64Array): Float64Array {
  const problem = describeProblem(model, q);
  if (problem !== null) throw new UsageError(`q: ${problem}`);
  return q;
}

/** Coordinates of v of the joints a group owns. */
export function groupVelocities(model: Model, group: GroupSelection): number[] {
  const velocities: number[] = [];
  for (const name of group.joints) {
    const j = model.jointIndex.get(name)!;
    for (let k = 0; k < model.nvs[j]; k++) velocities.push(model.idxV[j] + k);
  }
  return velocities;
}

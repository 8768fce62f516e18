/** Joint values as users give them: an array, an object of joint names, or the name of an SRDF state. */
import { quaternionLength, UNIT_ROUNDING } from '../math/unit-quaternion.js';
import { neutralConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { configurationFromNamed, describeProblem, type NamedConfiguration } from '../model/named-configuration.js';
import type { RobotDescription } from '../scene/description.js';
import type { SemanticDescription } from '../semantics/description.js';
import { findGroupCoordinates, type GroupCoordinates } from '../semantics/group-coordinates.js';
import { listNamedStates } from '../semantics/named-states.js';
import { orUsageError, UsageError } from './exit.js';
import { warnOnce } from './messages.js';

export interface ConfigurationContext {
  readonly model: Model;
  readonly semantic: SemanticDescription | null;
  readonly description: RobotDescription;
}

/** The coordinates that a group owns; all of them without a group. */
export interface GroupSelection extends GroupCoordinates {
  readonly name: string | null;
}

export function selectGroup({ model, semantic, description }: ConfigurationContext, name?: string): GroupSelection {
  const found = orUsageError('--group', () => findGroupCoordinates(model, semantic, description, name));
  if (found.indices.length === 0 && name !== undefined)
    throw new UsageError(`--group "${name}": none of its joints can move`);
  return { name: name ?? null, ...found };
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
    const states = listNamedStates(model, semantic);
    const named = states.get(value);
    if (!named) {
      const known = [...states.keys()].join(', ');
      throw new UsageError(
        `state "${value}": not in the SRDF${known ? `, expected one of ${known}` : ' (give one with --srdf)'}`,
      );
    }
    return toUnit(model, configurationFromNamed(model, named, base));
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
    return toUnit(model, configurationFromNamed(model, value as NamedConfiguration, base));
  throw new UsageError('q: expected an array of numbers, an object {"joint": value}, or the name of an SRDF state');
}

/** Numbers of q by the names of their columns; those left out keep `rest`. */
export function parseNumbersByColumn(
  model: Model,
  columns: ReadonlyMap<string, number>,
  names: readonly string[],
  rest: Float64Array,
): Float64Array {
  const q = Float64Array.from(rest);
  for (const [name, value] of columns) {
    const at = names.indexOf(name);
    if (at < 0) throw new UsageError(`column "${name}" is no joint of the robot: ${names.join(', ')}`);
    q[at] = value;
  }
  return requireUsable(model, q);
}

function requireUsable(model: Model, q: Float64Array): Float64Array {
  const problem = describeProblem(model, q);
  if (problem !== null) throw new UsageError(`q: ${problem}`);
  return toUnit(model, q);
}

/** Lengths this near to 1 are left as they are, bit for bit. */
const EXACT = 1e-12;

/** Quaternions and (cos, sin) pairs scaled to length 1; one that is more than rounding off is told of. */
function toUnit(model: Model, q: Float64Array): Float64Array {
  for (let j = 1; j < model.jointCount; j++) {
    const kind = model.jointKinds[j];
    const unit = model.nqs[j] > 0 ? (kind?.unitCoordinates ?? 0) : 0;
    if (unit === 0) continue;
    const at = model.idxQ[j] + model.nqs[j] - unit;
    const values = [0, 1, 2, 3].map((k) => (k < unit ? q[at + k] : 0));
    const length = quaternionLength(values);
    if (Math.abs(length - 1) <= EXACT) continue;
    if (Math.abs(length - 1) > UNIT_ROUNDING) {
      const what = unit === 4 ? 'quaternion' : '(cos, sin) pair';
      const name = model.jointNames[j];
      warnOnce(`length of ${name}`, `joint "${name}": its ${what} has length ${length}, scaled to 1`);
    }
    for (let k = 0; k < unit; k++) q[at + k] /= length;
  }
  return q;
}

/**
 * Configurations by joint name, and the check of configurations that come from outside.
 *
 * A value is a number for joints with one coordinate (the angle, also for a cos/sin joint), or the list of the joint's
 * coordinates in the order of q; a planar joint takes (x, y, angle) too. Quaternions may be given as {x, y, z, w}. A
 * composite joint takes its parts' coordinates one after the other; a part before the last may be named alone (`NAME/1`).
 * Joints left out keep the value of `base`, neutral by default. A mimic joint may be named when its value agrees with its
 * driver's. Errors are thrown with the joint's name, what was got and what was expected.
 */

import { describeCount, requireIndex, requireNumbers, requireObject } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { cos, sin } from '../math/scalar.js';
import { UNIT_TOLERANCE } from '../math/unit-quaternion.js';
import { createNeutralConfiguration } from './configuration.js';
import type { JointKind } from './joints/joint-kind.js';
import { findFirstPart } from './lay-out-parts.js';
import { findFrame, findJoint, type Model, requireModel } from './model.js';
import { requireCoordinates } from './model-door.js';

export type NamedValue =
  | number
  | readonly number[]
  | { readonly x: number; readonly y: number; readonly z: number; readonly w: number };
export type NamedConfiguration = Readonly<Record<string, NamedValue>>;

/** How far a named mimic joint may be from multiplier x driver + offset. */
export const MIMIC_TOLERANCE = 1e-9;

export function configurationFromNamed(model: Model, named: NamedConfiguration, base?: Float64Array): Float64Array {
  requireModel('configurationFromNamed', model);
  requireObject('configurationFromNamed', 'named', named, 'an object of values by joint name');
  if (base !== undefined) requireNumbers('configurationFromNamed', 'base', base, model.nq);
  const q = base ? Float64Array.from(base) : createNeutralConfiguration(model);
  const mimicked: [number, number][] = [];
  for (const [name, value] of Object.entries(named)) {
    const j = findJoint(model, name);
    if (j < 0)
      throw new MisuseError(
        `configurationFromNamed: named, got an unknown name: ${describeUnknown(model, name)}, expected names of joints`,
      );
    const numbers = readNumbers(value);
    if (!numbers.every(Number.isFinite)) {
      throw new MisuseError(`configurationFromNamed: joint "${name}", got ${describe(value)}, expected finite numbers`);
    }
    if (model.mimicDrivers[j] > 0) {
      if (numbers.length !== 1) throw wrongLength(name, numbers.length, '1 number (a mimic joint)');
      mimicked.push([j, numbers[0]]);
    } else {
      writeCoordinates(model, q, j, name, numbers);
    }
  }
  for (const [j, value] of mimicked) {
    const expected = mimicValue(model, q, j);
    if (!(Math.abs(value - expected) <= MIMIC_TOLERANCE)) {
      throw new MisuseError(
        `configurationFromNamed: joint "${model.jointNames[j]}" mimics "${model.jointNames[model.mimicDrivers[j]]}", ` +
          `got ${value}, expected ${expected} (leave it out, or let it agree within ${MIMIC_TOLERANCE})`,
      );
    }
  }
  const problem = describeProblem(model, q);
  if (problem !== null) throw new MisuseError(`configurationFromNamed: ${problem}`);
  return q;
}

/** The value of each independent joint by name: a number for one coordinate, otherwise a list (of all parts of a composite). */
export function configurationToNamed(model: Model, q: ArrayLike<number>): Record<string, number | number[]> {
  requireModel('configurationToNamed', model);
  requireNumbers('configurationToNamed', 'q', q, model.nq);
  const named: Record<string, number | number[]> = {};
  for (let j = 1; j < model.jointCount; j++) {
    const last = model.wholeJoints[j];
    const at = model.idxQ[j];
    const n = model.idxQ[last] + model.nqs[last] - at;
    if (model.nqs[j] > 0)
      named[model.jointNames[last]] = n === 1 ? q[at] : Array.from({ length: n }, (_, i) => q[at + i]);
    j = last;
  }
  return named;
}

/** The coordinate of a mimic joint: multiplier x driver + offset. */
export function mimicValue(model: Model, q: ArrayLike<number>, joint: number): number {
  requireModel('mimicValue', model);
  requireCoordinates('mimicValue', 'q', model, q);
  requireIndex('mimicValue', 'joint', joint, model.jointCount);
  return model.mimicMultipliers[joint] * q[model.idxQ[joint]] + model.mimicOffsets[joint];
}

/**
 * What is wrong with a configuration given from outside, in words; null when it can be used: length nq, finite numbers,
 * quaternions and (cos, sin) pairs of length 1 within 1e-3. Limits are not looked at (see `isWithinLimits`).
 */
export function describeProblem(model: Model, q: ArrayLike<number>): string | null {
  requireModel('describeProblem', model);
  if (typeof q !== 'object' || q?.length !== model.nq) {
    return `q of robot "${model.name}", got ${describeCount(q)}, expected ${model.nq} (${describeLayout(model)})`;
  }
  for (let j = 1; j < model.jointCount; j++) {
    const at = model.idxQ[j];
    const end = at + model.nqs[j];
    for (let i = at; i < end; i++) {
      if (!Number.isFinite(q[i]))
        return `joint "${model.jointNames[j]}", got ${describeValue(q[i])}, expected a finite number`;
    }
    const unit = end > at ? (model.jointKinds[j] as JointKind).unitCoordinates : 0;
    if (unit > 0) {
      let sum = 0;
      for (let i = end - unit; i < end; i++) sum += q[i] * q[i];
      if (Math.abs(Math.sqrt(sum) - 1) > UNIT_TOLERANCE) {
        const what = unit === 4 ? 'quaternion (x, y, z, w)' : 'pair (cos, sin)';
        const got = Array.from({ length: unit }, (_, i) => q[end - unit + i]);
        return `joint "${model.jointNames[j]}", got ${what} [${got}], expected length 1`;
      }
    }
  }
  return null;
}

function readNumbers(value: NamedValue): readonly number[] {
  if (typeof value === 'number') return [value];
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [Number.NaN];
  const { x, y, z, w } = value as { x: number; y: number; z: number; w: number };
  return [x, y, z, w];
}

function writeCoordinates(model: Model, q: Float64Array, j: number, name: string, numbers: readonly number[]): void {
  // The last part stands for the whole joint.
  const first = model.wholeJoints[j] === j ? findFirstPart(model, j) : j;
  const kinds = Array.from({ length: j + 1 - first }, (_, i) => model.jointKinds[first + i] as JointKind);
  const full = kinds.reduce((sum, kind) => sum + kind.nq, 0);
  const short = kinds.reduce((sum, kind) => sum + countShort(kind), 0);
  if (numbers.length !== full && numbers.length !== short) {
    const what = first === j ? kinds[0].name : 'composite';
    throw wrongLength(name, numbers.length, `${full} (a ${what} joint)`);
  }
  let from = 0;
  kinds.forEach((kind, i) => {
    const at = model.idxQ[first + i];
    const count = numbers.length === full ? kind.nq : countShort(kind);
    q.set(numbers.slice(from, from + count), at);
    from += count;
    if (count === kind.nq) return;
    const angle = numbers[from - 1];
    q[at + kind.nq - 2] = cos(angle);
    q[at + kind.nq - 1] = sin(angle);
  });
}

/** Coordinates of a joint with an angle in place of its cosine and sine. */
function countShort(kind: JointKind): number {
  return kind.unitCoordinates === 2 ? kind.nq - 1 : kind.nq;
}

function wrongLength(name: string, got: number, expected: string): RangeError {
  return new RangeError(`configurationFromNamed: joint "${name}", got ${got} numbers, expected ${expected}`);
}

function describe(value: NamedValue): string {
  return typeof value === 'number' ? String(value) : `[${readNumbers(value)}]`;
}

function describeUnknown(model: Model, name: string): string {
  if (findFrame(model, name, 'joint') >= 0) return `joint "${name}" is fixed and takes no value`;
  const known = model.jointNames.slice(1);
  const shown = known.slice(0, 12).join(', ');
  return `joint "${name}" does not exist; joints are ${shown}${known.length > 12 ? `, ... (${known.length})` : ''}`;
}

function describeLayout(model: Model): string {
  const parts: string[] = [];
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] > 0)
      parts.push(model.nqs[j] === 1 ? model.jointNames[j] : `${model.jointNames[j]}:${model.nqs[j]}`);
  }
  return parts.length > 12 ? `${parts.slice(0, 12).join(' ')} ...` : parts.join(' ');
}

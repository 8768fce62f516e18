/**
 * What the joint-by-joint (body-frame) recursions of kinematics and dynamics share: relative placements, spatial velocities
 * and accelerations, and the columns of the joints' motion subspaces.
 *
 *   array                stride  index    content
 *   relativePlacements   12      joint    X_PM: moving joint frame in the parent joint's moving frame
 *   velocities           6       joint    V_WM [linear, angular] in the moving frame M
 *   accelerations        6       joint    spatial acceleration A_WM in M; see `motion.ts` for what the base carries
 *   columnStarts         1       joint    columns of joint j: columnStarts[j] .. columnStarts[j + 1] - 1
 *   columnSubspaces      6       column   [linear, angular] in M; of a mimic joint scaled by its multiplier
 *   columnVelocities     1       column   the entry of v that drives the column
 *   columnParents        1       column   last column of the nearest moving ancestor, or the column before in the same
 *                                         joint; -1 at the base
 *   subtreeMasses        1       joint    kg; at 0 the whole robot without the base's own mass
 *   subtreeMoments       3       joint    scratch of `computeCenterOfMassJacobian`
 *
 * Without mimic joints column c is driven by v[c]. A mimic joint adds a column to its driver's entry, so a quantity per v is
 * the sum over its columns, and a matrix per v the sum over pairs of columns.
 */

import { describeCount, throwMisuse } from '../math/arguments.js';
import { listValues } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';

export interface MotionData {
  readonly relativePlacements: Float64Array;
  readonly velocities: Float64Array;
  readonly accelerations: Float64Array;
  readonly columnStarts: Int32Array;
  readonly columnSubspaces: Float64Array;
  readonly columnVelocities: Int32Array;
  readonly columnParents: Int32Array;
  readonly subtreeMasses: Float64Array;
  readonly subtreeMoments: Float64Array;
  /** Copies of the arguments of the last call, checked. */
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly a: Float64Array;
}

export function createMotionData(model: Model): MotionData {
  requireModel('createMotionData', model);
  const { jointCount, nv } = model;
  const starts = new Int32Array(jointCount + 1);
  for (let j = 1; j < jointCount; j++) starts[j + 1] = starts[j] + (model.mimicDrivers[j] > 0 ? 1 : model.nvs[j]);
  const count = starts[jointCount];
  const columnSubspaces = new Float64Array(6 * count);
  const columnVelocities = new Int32Array(count);
  const columnParents = new Int32Array(count);
  const lastColumns = new Int32Array(jointCount).fill(-1);
  for (let j = 1; j < jointCount; j++) {
    const from = model.mimicDrivers[j] > 0 ? model.mimicSubspaces : model.motionSubspaces;
    const fromAt = model.mimicDrivers[j] > 0 ? 6 * j : 6 * model.idxV[j];
    lastColumns[j] = lastColumns[model.parents[j]];
    for (let c = starts[j]; c < starts[j + 1]; c++) {
      for (let i = 0; i < 6; i++) columnSubspaces[6 * c + i] = from[fromAt + 6 * (c - starts[j]) + i];
      columnVelocities[c] = model.idxV[j] + (c - starts[j]);
      columnParents[c] = lastColumns[j];
      lastColumns[j] = c;
    }
  }
  const subtreeMasses = new Float64Array(jointCount);
  for (let j = jointCount - 1; j > 0; j--) {
    subtreeMasses[j] += model.masses[j];
    subtreeMasses[model.parents[j]] += subtreeMasses[j];
  }
  return {
    relativePlacements: model.placements.slice(),
    velocities: new Float64Array(6 * jointCount),
    accelerations: new Float64Array(6 * jointCount),
    columnStarts: starts,
    columnSubspaces,
    columnVelocities,
    columnParents,
    subtreeMasses,
    subtreeMoments: new Float64Array(3 * jointCount),
    q: new Float64Array(model.nq),
    v: new Float64Array(nv),
    a: new Float64Array(nv),
  };
}

/** Copies an argument into the data; a wrong length or a number that is not finite is misuse and throws. */
export function loadNumbers(target: Float64Array, source: ArrayLike<number>, what: string): void {
  const n = target.length;
  if (typeof source !== 'object' || source?.length !== n)
    throw new MisuseError(`${what}, got ${describeCount(source)}, expected ${n}`);
  let zero = 0;
  for (let i = 0; i < n; i++) {
    const x = source[i];
    target[i] = x;
    zero += x * 0;
  }
  if (zero !== 0) throw new MisuseError(`${what}, got [${listValues(source)}], expected finite numbers`);
}

/** Motion data of this model, or of one of the same size. */
export function requireMotion(call: string, model: Model, motion: unknown, what = 'motion'): void {
  const { velocities, columnStarts, v } = (motion ?? {}) as Partial<MotionData>;
  const { jointCount, nv } = model;
  if (velocities?.length !== 6 * jointCount || columnStarts?.length !== jointCount + 1 || v?.length !== nv)
    throwMisuse(call, what, motion, 'what createMotionData returned for this model');
}

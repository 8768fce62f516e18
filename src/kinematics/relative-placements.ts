/**
 * The placement of every joint in its parent joint's moving frame, X_PM = X_PJ X_JM(q).
 *
 * Method: a turn about a coordinate axis mixes two columns of X_PJ, a shift moves its origin, all else is a product.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 4.4, doi:10.1007/978-1-4899-7560-7.
 * Writes `motion.relativePlacements` from `motion.q`. Cost: linear in joints, no allocation.
 * Tested by motion.test.ts: products along a branch are forward kinematics.
 */
import { sinCos } from '../math/scalar.js';
import { multiplyTransformAt } from '../math/transform.js';
import { type Model, Shortcut } from '../model/model.js';
import type { MotionData } from './motion-data.js';

const trig = new Float64Array(2);

export function updateRelativePlacements(model: Model, motion: MotionData): void {
  const { placements, shortcuts, axes, idxQ, mimicDrivers, mimicMultipliers, mimicOffsets, jointKinds } = model;
  const { relativePlacements: out, q, coordinate, jointTransform } = motion;
  for (let j = 1; j < model.jointCount; j++) {
    const at = 12 * j;
    const shortcut = shortcuts[j];
    if (shortcut === Shortcut.General) {
      jointKinds[j]?.place(jointTransform, 0, axes, 3 * j, q, idxQ[j]);
      multiplyTransformAt(out, at, placements, at, jointTransform, 0);
      continue;
    }
    const own = q[idxQ[j]];
    const value = mimicDrivers[j] === 0 ? own : mimicMultipliers[j] * own + mimicOffsets[j];
    if (shortcut <= Shortcut.TurnZ) {
      sinCos(trig, value);
      mixColumns(out, placements, at, shortcut - Shortcut.TurnX);
    } else if (shortcut === Shortcut.Shift) {
      shiftAlongAxis(out, placements, at, axes, 3 * j, value);
    } else {
      coordinate[0] = value;
      jointKinds[j]?.place(jointTransform, 0, axes, 3 * j, coordinate, 0);
      multiplyTransformAt(out, at, placements, at, jointTransform, 0);
    }
  }
}

function mixColumns(out: Float64Array, X: Float64Array, at: number, k: number): void {
  const s = trig[0];
  const c = trig[1];
  const a = at + (k === 2 ? 0 : k + 1);
  const b = at + (k === 0 ? 2 : k - 1);
  const n = at + k;
  const a0 = X[a];
  const a1 = X[a + 3];
  const a2 = X[a + 6];
  const b0 = X[b];
  const b1 = X[b + 3];
  const b2 = X[b + 6];
  out[a] = c * a0 + s * b0;
  out[a + 3] = c * a1 + s * b1;
  out[a + 6] = c * a2 + s * b2;
  out[b] = c * b0 - s * a0;
  out[b + 3] = c * b1 - s * a1;
  out[b + 6] = c * b2 - s * a2;
  out[n] = X[n];
  out[n + 3] = X[n + 3];
  out[n + 6] = X[n + 6];
  out[at + 9] = X[at + 9];
  out[at + 10] = X[at + 10];
  out[at + 11] = X[at + 11];
}

function shiftAlongAxis(
  out: Float64Array,
  X: Float64Array,
  at: number,
  axes: Float64Array,
  axisAt: number,
  value: number,
): void {
  const x = value * axes[axisAt];
  const y = value * axes[axisAt + 1];
  const z = value * axes[axisAt + 2];
  for (let i = at; i < at + 9; i++) out[i] = X[i];
  out[at + 9] = X[at + 9] + X[at] * x + X[at + 1] * y + X[at + 2] * z;
  out[at + 10] = X[at + 10] + X[at + 3] * x + X[at + 4] * y + X[at + 5] * z;
  out[at + 11] = X[at + 11] + X[at + 6] * x + X[at + 7] * y + X[at + 8] * z;
}

/**
 * The placement of every joint in its parent joint's moving frame, X_PM = X_PJ X_JM(q).
 *
 * Method: a turn about a coordinate axis mixes two columns of X_PJ, a shift moves its origin, all else is a product. What
 * these leave alone, a turn's axis and origin and a shift's rotation, is there since `createMotionData`.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 4.4, doi:10.1007/978-1-4899-7560-7.
 * Writes `motion.relativePlacements` from `motion.q`. Cost: linear in joints, no allocation.
 * Tested by motion.test.ts: products along a branch are forward kinematics.
 */
import { sinCos } from '../math/scalar.js';
import { createTransform, multiplyTransformAt } from '../math/transform.js';
import { type Model, Shortcut } from '../model/model.js';
import type { MotionData } from './motion-data.js';

const trig = new Float64Array(2);
const X_JM = createTransform();
const coordinate = new Float64Array(1);
/** See forward-kinematics.ts. */
const SMALL = 0x3fffffff;
const NEXT_AXIS = Uint8Array.of(1, 2, 0);
const LAST_AXIS = Uint8Array.of(2, 0, 1);

export function updateRelativePlacements(model: Model, motion: MotionData): void {
  const { jointCount, placements, shortcuts, axes, idxQ, mimicDrivers, mimicMultipliers, mimicOffsets } = model;
  const { relativePlacements: out, q } = motion;
  for (let j = 1; j < jointCount; j++) {
    const at = (12 * j) & SMALL;
    const shortcut = shortcuts[j];
    if (shortcut === Shortcut.General) {
      writeRelativePlacement(out, at, model, j, q);
      continue;
    }
    let value = q[idxQ[j]];
    if (mimicDrivers[j] !== 0) value = mimicMultipliers[j] * value + mimicOffsets[j];
    if (shortcut <= Shortcut.TurnZ) {
      sinCos(trig, value);
      const s = trig[0];
      const c = trig[1];
      const a = at + NEXT_AXIS[shortcut - Shortcut.TurnX];
      const b = at + LAST_AXIS[shortcut - Shortcut.TurnX];
      const a0 = placements[a];
      const a1 = placements[a + 3];
      const a2 = placements[a + 6];
      const b0 = placements[b];
      const b1 = placements[b + 3];
      const b2 = placements[b + 6];
      out[a] = c * a0 + s * b0;
      out[a + 3] = c * a1 + s * b1;
      out[a + 6] = c * a2 + s * b2;
      out[b] = c * b0 - s * a0;
      out[b + 3] = c * b1 - s * a1;
      out[b + 6] = c * b2 - s * a2;
    } else if (shortcut === Shortcut.Shift) {
      const x = value * axes[3 * j];
      const y = value * axes[3 * j + 1];
      const z = value * axes[3 * j + 2];
      out[at + 9] = placements[at + 9] + placements[at] * x + placements[at + 1] * y + placements[at + 2] * z;
      out[at + 10] = placements[at + 10] + placements[at + 3] * x + placements[at + 4] * y + placements[at + 5] * z;
      out[at + 11] = placements[at + 11] + placements[at + 6] * x + placements[at + 7] * y + placements[at + 8] * z;
    } else writeRelativePlacement(out, at, model, j, q);
  }
}

/** X_PM of joint j alone, any kind, at `at` of `out`. */
export function writeRelativePlacement(out: Float64Array, at: number, model: Model, j: number, q: Float64Array): void {
  const { jointKinds, axes, idxQ, placements, mimicDrivers, mimicMultipliers, mimicOffsets } = model;
  if (mimicDrivers[j] === 0) jointKinds[j]!.place(X_JM, 0, axes, 3 * j, q, idxQ[j]);
  else {
    coordinate[0] = mimicMultipliers[j] * q[idxQ[j]] + mimicOffsets[j];
    jointKinds[j]!.place(X_JM, 0, axes, 3 * j, coordinate, 0);
  }
  multiplyTransformAt(out, at, placements, 12 * j, X_JM, 0);
}

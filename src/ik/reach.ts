/**
 * An upper bound of how far a frame can get from the first joint above it that moves: targets beyond are unreachable.
 *
 * Method: along the chain, the distance of a joint's fixed frame from the moving frame of the joint before is constant; what moves
 * its own origin (sliding, helical, planar, floating joints) adds its largest shift within the limits (`largestShift` of its kind).
 * The bound is their sum; infinite where no limit bounds a shift.
 * Frames: W. Units: metres. Cost: linear in the chain. Tested by solve-ik.test.ts.
 */
import { hypot } from '../math/scalar.js';
import { createTransform, multiplyTransformAt } from '../math/transform.js';
import type { Model } from '../model/model.js';

export interface Reach {
  /** Where the first joint stands, which no q moves, or the frame itself when nothing moves it: in world. */
  readonly center: Float64Array;
  readonly radius: number;
}

export function boundReach(model: Model, frame: number): Reach {
  const support = model.supports[model.frameJoints[frame]];
  const X = createTransform();
  if (support.length === 0) {
    multiplyTransformAt(X, 0, model.basePlacement, 0, model.framePlacements, 12 * frame);
    return { center: X.slice(9), radius: 0 };
  }
  multiplyTransformAt(X, 0, model.basePlacement, 0, model.placements, 12 * support[0]);
  let radius = norm(model.framePlacements, 12 * frame + 9);
  for (let k = 0; k < support.length; k++) {
    const j = support[k];
    if (k > 0) radius += norm(model.placements, 12 * j + 9);
    radius += largestShift(model, j);
  }
  return { center: X.slice(9), radius };
}

function largestShift(model: Model, j: number): number {
  const kind = model.jointKinds[j]!;
  const i = model.idxQ[j];
  if (model.mimicDrivers[j] === 0) return kind.largestShift(model.lower, model.upper, i);
  const ends = [model.lower[i], model.upper[i]].map((q) => model.mimicMultipliers[j] * q + model.mimicOffsets[j]);
  // Nothing times an absent limit.
  if (ends.some(Number.isNaN)) ends.fill(model.mimicOffsets[j]);
  return kind.largestShift(Float64Array.of(Math.min(...ends)), Float64Array.of(Math.max(...ends)), 0);
}

function norm(values: Float64Array, at: number): number {
  return hypot(values[at], values[at + 1], values[at + 2]);
}

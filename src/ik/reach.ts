/**
 * An upper bound of how far a frame can get from the first joint above it that moves: targets beyond are unreachable.
 *
 * Method: along the chain, the joint origin's distance from the joint before is fixed for turning joints; a sliding
 * joint adds its largest |q| within the limits. The bound is their sum; without limits on a sliding joint, or with a
 * planar or floating joint in the chain, it is infinite.
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
    const kind = model.jointKinds[j]!;
    if (kind.name === 'prismatic') {
      const slide = slideRange(model, j);
      radius += slide;
    } else if (kind.name === 'planar' || kind.name === 'floating') radius = Infinity;
  }
  return { center: X.slice(9), radius };
}

function slideRange(model: Model, j: number): number {
  const i = model.idxQ[j];
  const largest = Math.max(Math.abs(model.lower[i]), Math.abs(model.upper[i]));
  return model.mimicDrivers[j] > 0
    ? Math.abs(model.mimicMultipliers[j]) * largest + Math.abs(model.mimicOffsets[j])
    : largest;
}

function norm(values: Float64Array, at: number): number {
  return hypot(values[at], values[at + 1], values[at + 2]);
}

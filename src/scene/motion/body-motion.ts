/**
 * How far the points of a body can have moved between two placements.
 *
 * Method: a body lies in the sphere (c, r) of its frame. From X to Y the centre moves by |Y c - X c|, and no point within r
 * of it turns by more than 2 sin(angle / 2) r about it, where 2 sin(angle / 2) = |R_Y - R_X| / sqrt(2) (Frobenius norm).
 * Frames: B body, W world. Metres. No trigonometry, no allocation. A half-space (r infinite) that turns moves without bound.
 * Tested by monitor.test.ts.
 */
import { hypot } from '../../math/scalar.js';
import type { Transform } from '../../math/transform.js';
import type { Body } from '../bodies.js';

/** A sphere around everything a body holds, in B. */
export interface BodySphere {
  readonly center: Float64Array;
  /** Infinite for half-spaces. */
  readonly radius: number;
}

/** Rounding of a placement's products, relative to the numbers that enter. */
const MOTION_ROUNDING = 16 * Number.EPSILON;

/** The part's bounding sphere in B: writes the centre, returns the radius. */
function placePartSphere(center: Float64Array, part: Body['parts'][number]): number {
  const X = part.placement;
  const c = part.collider.center;
  for (let i = 0; i < 3; i++) center[i] = X[3 * i] * c[0] + X[3 * i + 1] * c[1] + X[3 * i + 2] * c[2] + X[9 + i];
  return part.collider.boundingRadius;
}

export function boundBody(body: Body): BodySphere {
  const center = new Float64Array(3);
  if (body.parts.length === 1) return { center, radius: placePartSphere(center, body.parts[0]) };
  const lower = [Infinity, Infinity, Infinity];
  const upper = [-Infinity, -Infinity, -Infinity];
  const own = new Float64Array(3);
  for (const part of body.parts) {
    const radius = placePartSphere(own, part);
    if (radius === Infinity) return { center, radius };
    for (let i = 0; i < 3; i++) {
      lower[i] = Math.min(lower[i], own[i] - radius);
      upper[i] = Math.max(upper[i], own[i] + radius);
    }
  }
  for (let i = 0; i < 3; i++) center[i] = 0.5 * (lower[i] + upper[i]);
  let radius = 0;
  for (const part of body.parts) {
    const r = placePartSphere(own, part);
    radius = Math.max(radius, r + hypot(own[0] - center[0], own[1] - center[1], own[2] - center[2]));
  }
  return { center, radius };
}

/** Upper bound of |Y x - X x| over all x in the sphere; X starts at `xAt` of `from`. */
export function boundDisplacement(
  { center, radius }: BodySphere,
  from: Float64Array,
  xAt: number,
  Y: Transform,
): number {
  let turned = 0;
  for (let i = 0; i < 9; i++) {
    const d = Y[i] - from[xAt + i];
    turned += d * d;
  }
  let moved = 0;
  let size = 0;
  for (let i = 0; i < 3; i++) {
    const r = 3 * i;
    const d =
      Y[9 + i] -
      from[xAt + 9 + i] +
      (Y[r] - from[xAt + r]) * center[0] +
      (Y[r + 1] - from[xAt + r + 1]) * center[1] +
      (Y[r + 2] - from[xAt + r + 2]) * center[2];
    moved += d * d;
    size += Math.abs(Y[9 + i]) + Math.abs(center[i]);
  }
  // 0 x Infinity is no number: a half-space that does not turn moves by its shift alone.
  const turn = turned === 0 ? 0 : radius * Math.sqrt(0.5 * turned);
  return Math.sqrt(moved) + turn + MOTION_ROUNDING * size;
}

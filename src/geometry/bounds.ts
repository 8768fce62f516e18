/**
 * Axis-aligned bounds of points and boxes, six numbers [minX minY minZ maxX maxY maxZ].
 *
 * Method: along world axis i a body in pose X reaches as far as its support along row i of R.
 * Source: Ericson 2005, "Real-time collision detection", section 4.2. Cost: O(points). Checked by support.test.ts.
 */
import { requireArray, requireLength } from '../math/arguments.js';
import { hypot } from '../math/scalar.js';
import type { MutableNumericArray, NumericArray } from '../math/vec3.js';

/** Bounds of points, 3 numbers each, as they are. */
export function boundPoints<T extends MutableNumericArray>(out: T, points: NumericArray): T {
  requireLength('boundPoints', 'out', out, 6);
  requireArray('boundPoints', 'points', points);
  for (let k = 0; k < 3; k++) {
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = k; i < points.length; i += 3) {
      const x = points[i];
      if (x < lower) lower = x;
      if (x > upper) upper = x;
    }
    out[k] = lower;
    out[k + 3] = upper;
  }
  return out;
}

/** Bounds in W of points given in the frame at X. */
export function boundTransformedPoints<T extends MutableNumericArray>(
  out: T,
  points: NumericArray,
  X: NumericArray,
): T {
  for (let k = 0; k < 3; k++) {
    const x = X[3 * k];
    const y = X[3 * k + 1];
    const z = X[3 * k + 2];
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const h = x * points[i] + y * points[i + 1] + z * points[i + 2];
      if (h < lower) lower = h;
      if (h > upper) upper = h;
    }
    out[k] = lower + X[9 + k];
    out[k + 3] = upper + X[9 + k];
  }
  return out;
}

/** Bounds in W of a box given in B: conservative for what the box holds. `out` may be `bounds`. */
export function transformBounds<T extends MutableNumericArray>(out: T, bounds: NumericArray, X_WB: NumericArray): T {
  requireLength('transformBounds', 'out', out, 6);
  requireLength('transformBounds', 'bounds', bounds, 6);
  requireLength('transformBounds', 'X_WB', X_WB, 12);
  const cx = 0.5 * (bounds[0] + bounds[3]);
  const cy = 0.5 * (bounds[1] + bounds[4]);
  const cz = 0.5 * (bounds[2] + bounds[5]);
  const hx = 0.5 * (bounds[3] - bounds[0]);
  const hy = 0.5 * (bounds[4] - bounds[1]);
  const hz = 0.5 * (bounds[5] - bounds[2]);
  for (let k = 0; k < 3; k++) {
    const x = X_WB[3 * k];
    const y = X_WB[3 * k + 1];
    const z = X_WB[3 * k + 2];
    const center = X_WB[9 + k] + x * cx + y * cy + z * cz;
    const half = Math.abs(x) * hx + Math.abs(y) * hy + Math.abs(z) * hz;
    out[k] = center - half;
    out[k + 3] = center + half;
  }
  return out;
}

/**
 * `bound` of a shape that is symmetric about its origin, from how far it reaches along (x, y, z) in its own frame; that makes no objects,
 * since queries ask for bounds.
 */
export function boundByReach<S>(
  reach: (shape: S, x: number, y: number, z: number) => number,
): (out: MutableNumericArray, shape: S, X: NumericArray) => void {
  return (out, shape, X) => {
    for (let k = 0; k < 3; k++) {
      const most = reach(shape, X[3 * k], X[3 * k + 1], X[3 * k + 2]);
      out[k] = X[9 + k] - most;
      out[k + 3] = X[9 + k] + most;
    }
  };
}

/** Half the diagonal of the bounds. */
export function halfDiagonal(bounds: Float64Array): number {
  return 0.5 * hypot(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
}

/** Of the point farthest from `center`. */
export function radiusOfPoints(points: ArrayLike<number>, center: Float64Array): number {
  let squared = 0;
  for (let i = 0; i < points.length; i += 3)
    squared = Math.max(
      squared,
      (points[i] - center[0]) ** 2 + (points[i + 1] - center[1]) ** 2 + (points[i + 2] - center[2]) ** 2,
    );
  return Math.sqrt(squared);
}

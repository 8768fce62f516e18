/**
 * Axis-aligned bounds, six numbers [minX minY minZ maxX maxY maxZ]: of any shape at any pose, and their conversions.
 *
 * Method: along world axis i a shape in pose X reaches as far as its support along row i of R; primitives have that in
 * closed form (box: sum |r_j| h_j; cylinder: |r_z| h + r sqrt(r_x^2 + r_y^2); ellipsoid: |(r_x a, r_y b, r_z c)|), so
 * the bounds are tight. Convex and mesh go over their vertices, octree, points and height field over their elements. A
 * half-space is unbounded.
 * Source: Ericson 2005, "Real-time collision detection", section 4.2. Cost: constant, O(elements) for those that have them.
 * Checked by support.test.ts and part-shapes.test.ts.
 */
import { requireArray, requireLength, throwMisuse } from '../math/arguments.js';
import { multiplyTransform, poseToTransform } from '../math/transform.js';
import type { MutableNumericArray, NumericArray } from '../math/vec3.js';
import type { Compound, HeightField, Octree, PointCloud, Shape } from './shapes.js';
import { isShape } from './validate-shape.js';

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

function boundTransformedPoints<T extends MutableNumericArray>(out: T, points: NumericArray, X: NumericArray): T {
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

function boundOctree<T extends MutableNumericArray>(out: T, { resolution, cells }: Octree, X: NumericArray): T {
  for (let k = 0; k < 3; k++) {
    const x = X[3 * k];
    const y = X[3 * k + 1];
    const z = X[3 * k + 2];
    const reach = 0.5 * (Math.abs(x) + Math.abs(y) + Math.abs(z));
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = 0; i < cells.length; i += 4) {
      const edge = cells[i + 3];
      const h = x * (cells[i] + 0.5 * edge) + y * (cells[i + 1] + 0.5 * edge) + z * (cells[i + 2] + 0.5 * edge);
      lower = Math.min(lower, h - reach * edge);
      upper = Math.max(upper, h + reach * edge);
    }
    out[k] = resolution * lower + X[9 + k];
    out[k + 3] = resolution * upper + X[9 + k];
  }
  return out;
}

function boundHeightField<T extends MutableNumericArray>(out: T, shape: HeightField, X: NumericArray): T {
  const { rows, columns, heights, spacing, floor } = shape;
  for (let k = 0; k < 3; k++) {
    const x = X[3 * k] * spacing[0];
    const y = X[3 * k + 1] * spacing[1];
    const z = X[3 * k + 2];
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = 0, at = 0; i < rows; i++)
      for (let j = 0; j < columns; j++, at++) {
        const h = x * (j - 0.5 * (columns - 1)) + y * (i - 0.5 * (rows - 1)) + z * heights[at];
        if (h < lower) lower = h;
        if (h > upper) upper = h;
      }
    if (floor !== undefined) {
      const reach = 0.5 * (Math.abs(x) * (columns - 1) + Math.abs(y) * (rows - 1));
      lower = Math.min(lower, z * floor - reach);
      upper = Math.max(upper, z * floor + reach);
    }
    out[k] = lower + X[9 + k];
    out[k + 3] = upper + X[9 + k];
  }
  return out;
}

function boundPointCloud<T extends MutableNumericArray>(out: T, { points, radius }: PointCloud, X: NumericArray): T {
  boundTransformedPoints(out, points, X);
  for (let k = 0; k < 3; k++) {
    out[k] -= radius;
    out[k + 3] += radius;
  }
  return out;
}

function boundCompound<T extends MutableNumericArray>(out: T, { children }: Compound, X: NumericArray): T {
  const own = new Float64Array(6);
  const placed = new Float64Array(12);
  for (let k = 0; k < 3; k++) {
    out[k] = Infinity;
    out[k + 3] = -Infinity;
  }
  for (const { shape, pose } of children) {
    boundShape(own, shape, pose ? multiplyTransform(placed, X, poseToTransform(placed, pose)) : X);
    for (let k = 0; k < 3; k++) {
      out[k] = Math.min(out[k], own[k]);
      out[k + 3] = Math.max(out[k + 3], own[k + 3]);
    }
  }
  return out;
}

/**
 * World bounds of a shape at pose X_WS, tight. Shapes of many elements cost one pass over them; where that is too
 * slow, transform the local bounds with `transformBounds`.
 */
export function boundShape<T extends MutableNumericArray>(out: T, shape: Shape, X_WS: NumericArray): T {
  requireLength('boundShape', 'out', out, 6);
  requireLength('boundShape', 'X_WS', X_WS, 12);
  if (!isShape(shape)) throwMisuse('boundShape', 'shape', shape, 'a shape');
  if (shape.type === 'convex') return boundTransformedPoints(out, shape.points, X_WS);
  if (shape.type === 'mesh') return boundTransformedPoints(out, shape.mesh.vertices, X_WS);
  if (shape.type === 'octree') return boundOctree(out, shape, X_WS);
  if (shape.type === 'points') return boundPointCloud(out, shape, X_WS);
  if (shape.type === 'heightfield') return boundHeightField(out, shape, X_WS);
  if (shape.type === 'compound') return boundCompound(out, shape, X_WS);
  for (let k = 0; k < 3; k++) {
    const x = X_WS[3 * k];
    const y = X_WS[3 * k + 1];
    const z = X_WS[3 * k + 2];
    let lower = -Infinity;
    let upper = Infinity;
    switch (shape.type) {
      case 'sphere':
        upper = shape.radius;
        lower = -upper;
        break;
      case 'capsule':
        upper = shape.radius + Math.abs(z) * 0.5 * shape.length;
        lower = -upper;
        break;
      case 'box':
        upper = 0.5 * (Math.abs(x) * shape.size[0] + Math.abs(y) * shape.size[1] + Math.abs(z) * shape.size[2]);
        lower = -upper;
        break;
      case 'cylinder':
        upper = shape.radius * Math.sqrt(x * x + y * y) + Math.abs(z) * 0.5 * shape.length;
        lower = -upper;
        break;
      case 'cone': {
        const rim = shape.radius * Math.sqrt(x * x + y * y);
        const apex = z * 0.5 * shape.length;
        upper = Math.max(apex, rim - apex);
        lower = Math.min(apex, -rim - apex);
        break;
      }
      case 'ellipsoid':
        upper = Math.sqrt((x * shape.semiAxes[0]) ** 2 + (y * shape.semiAxes[1]) ** 2 + (z * shape.semiAxes[2]) ** 2);
        lower = -upper;
        break;
    }
    out[k] = lower + X_WS[9 + k];
    out[k + 3] = upper + X_WS[9 + k];
  }
  return out;
}

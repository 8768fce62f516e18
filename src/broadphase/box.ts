/**
 * Predicates on boxes stored one after another in a flat array, six numbers each, addressed by the index of their
 * first number. They are shared by all broad phases, so that brute force and trees agree bit by bit: each is
 * monotone, that is, a box that contains another passes every test the smaller one passes, rounding included.
 */

import { isArrayOf, throwMisuse } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { NumericArray } from '../math/vec3.js';

/** Numbers per box. */
export const BOX_STRIDE = 6;

/** Coordinates at least this large keep a box out of trees: areas of such boxes would overflow. */
export const LARGEST_TREE_COORDINATE = 1e100;

/** Throws unless the box is well formed: no NaN, min <= max; -Infinity and Infinity are welcome as open ends. */
export function requireBox(name: string, box: NumericArray, o = 0): void {
  if (
    typeof box === 'object' &&
    box !== null &&
    box.length >= o + 6 &&
    box[o] <= box[o + 3] &&
    box[o + 1] <= box[o + 4] &&
    box[o + 2] <= box[o + 5] &&
    box[o] < Infinity &&
    box[o + 1] < Infinity &&
    box[o + 2] < Infinity &&
    box[o + 3] > -Infinity &&
    box[o + 4] > -Infinity &&
    box[o + 5] > -Infinity
  )
    return;
  const got = isArrayOf(box)
    ? `[${Array.from(box, describeValue)
        .slice(o, o + 6)
        .join(', ')}]`
    : describeValue(box);
  throw new MisuseError(
    `${name}: box, got ${got}, expected [minX, minY, minZ, maxX, maxY, maxZ] with min <= max and no NaN`,
  );
}

export function requirePoint(name: string, point: NumericArray): void {
  if (point?.length === 3 && !Number.isNaN(point[0]) && !Number.isNaN(point[1]) && !Number.isNaN(point[2])) return;
  throwMisuse(name, 'point', point, '3 numbers');
}

export function requireMargin(name: string, margin: number): void {
  if (typeof margin !== 'number' || Number.isNaN(margin)) throwMisuse(name, 'margin', margin, 'a number');
}

/** True when every coordinate is small enough for a tree. */
export function isBounded(box: NumericArray, o = 0): boolean {
  return (
    box[o] > -LARGEST_TREE_COORDINATE &&
    box[o + 1] > -LARGEST_TREE_COORDINATE &&
    box[o + 2] > -LARGEST_TREE_COORDINATE &&
    box[o + 3] < LARGEST_TREE_COORDINATE &&
    box[o + 4] < LARGEST_TREE_COORDINATE &&
    box[o + 5] < LARGEST_TREE_COORDINATE
  );
}

/** True when the boxes at `i` of `a` and `j` of `b` are at most `margin` apart on every axis; touching counts. */
export function overlapBoxes(a: Float64Array, i: number, b: Float64Array, j: number, margin: number): boolean {
  return (
    a[i] <= b[j + 3] + margin &&
    b[j] <= a[i + 3] + margin &&
    a[i + 1] <= b[j + 4] + margin &&
    b[j + 1] <= a[i + 4] + margin &&
    a[i + 2] <= b[j + 5] + margin &&
    b[j + 2] <= a[i + 5] + margin
  );
}

/** Squared Euclidean gap between two boxes; 0 when they overlap or touch. */
export function squaredGapOfBoxes(a: Float64Array, i: number, b: Float64Array, j: number): number {
  let x = a[i] - b[j + 3];
  if (!(x > 0)) x = Math.max(0, b[j] - a[i + 3]);
  let y = a[i + 1] - b[j + 4];
  if (!(y > 0)) y = Math.max(0, b[j + 1] - a[i + 4]);
  let z = a[i + 2] - b[j + 5];
  if (!(z > 0)) z = Math.max(0, b[j + 2] - a[i + 5]);
  return x * x + y * y + z * z;
}

/** Squared distance from a point to a box; 0 inside. */
export function squaredGapToPoint(boxes: Float64Array, i: number, x: number, y: number, z: number): number {
  const dx = Math.max(0, boxes[i] - x, x - boxes[i + 3]);
  const dy = Math.max(0, boxes[i + 1] - y, y - boxes[i + 4]);
  const dz = Math.max(0, boxes[i + 2] - z, z - boxes[i + 5]);
  return dx * dx + dy * dy + dz * dz;
}

export function containsPoint(boxes: Float64Array, i: number, x: number, y: number, z: number): boolean {
  return (
    boxes[i] <= x &&
    x <= boxes[i + 3] &&
    boxes[i + 1] <= y &&
    y <= boxes[i + 4] &&
    boxes[i + 2] <= z &&
    z <= boxes[i + 5]
  );
}

/** Half the surface area: the measure of how often random queries meet a box. */
export function halfAreaOfBox(boxes: Float64Array, i: number): number {
  const x = boxes[i + 3] - boxes[i];
  const y = boxes[i + 4] - boxes[i + 1];
  const z = boxes[i + 5] - boxes[i + 2];
  return x * (y + z) + y * z;
}

/** Half the surface area of the union of two boxes. */
export function halfAreaOfUnion(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = Math.max(a[i + 3], b[j + 3]) - Math.min(a[i], b[j]);
  const y = Math.max(a[i + 4], b[j + 4]) - Math.min(a[i + 1], b[j + 1]);
  const z = Math.max(a[i + 5], b[j + 5]) - Math.min(a[i + 2], b[j + 2]);
  return x * (y + z) + y * z;
}

export function copyBox(out: Float64Array, o: number, box: NumericArray, i = 0): void {
  for (let k = 0; k < BOX_STRIDE; k++) out[o + k] = box[i + k];
}

/** `box` made larger by `margin` on every side. */
export function copyFatBox(out: Float64Array, o: number, box: Float64Array, i: number, margin: number): void {
  out[o] = box[i] - margin;
  out[o + 1] = box[i + 1] - margin;
  out[o + 2] = box[i + 2] - margin;
  out[o + 3] = box[i + 3] + margin;
  out[o + 4] = box[i + 4] + margin;
  out[o + 5] = box[i + 5] + margin;
}

/** A ray prepared for slab tests: direction scaled to largest component 1, so that tiny directions do not overflow. */
export interface PreparedRay {
  readonly origin: Float64Array;
  /** 1 / direction; 0 marks an axis along which the ray does not move. */
  readonly inverse: Float64Array;
  readonly maxT: number;
}

export function prepareRay(name: string, origin: NumericArray, direction: NumericArray, maxT: number): PreparedRay {
  const scale = Math.max(Math.abs(direction[0]), Math.abs(direction[1]), Math.abs(direction[2]));
  if (!(scale > 0 && scale < Infinity))
    throw new MisuseError(
      `${name}: direction, got [${Array.from(direction).join(', ')}], expected finite and not zero`,
    );
  if (!(maxT >= 0)) throw new MisuseError(`${name}: maxT, got ${maxT}, expected 0 or more`);
  const start = new Float64Array(3);
  const inverse = new Float64Array(3);
  for (let k = 0; k < 3; k++) {
    if (!Number.isFinite(origin[k]))
      throw new MisuseError(`${name}: origin, got ${origin[k]}, expected finite numbers`);
    start[k] = origin[k];
    const component = direction[k] / scale;
    inverse[k] = Math.abs(component) < 1e-290 ? 0 : 1 / component;
  }
  return { origin: start, inverse, maxT: maxT * scale };
}

/**
 * Slab test. The far end is widened by a few ulps (as in Pharr, Jakob, Humphreys 2023, "Physically Based Rendering",
 * section 6.8) so that a ray along a face or an edge is not lost to rounding.
 */
export function rayHitsBox(ray: PreparedRay, boxes: Float64Array, i: number): boolean {
  const { origin, inverse } = ray;
  let near = 0;
  let far = ray.maxT;
  for (let k = 0; k < 3; k++) {
    const o = origin[k];
    const lower = boxes[i + k];
    const upper = boxes[i + 3 + k];
    const inv = inverse[k];
    if (inv === 0) {
      if (o < lower || o > upper) return false;
    } else {
      const t0 = (inv > 0 ? lower - o : upper - o) * inv;
      const t1 = (inv > 0 ? upper - o : lower - o) * inv;
      if (t0 > near) near = t0;
      if (t1 < far) far = t1;
    }
  }
  return near <= far * (1 + 1e-15);
}

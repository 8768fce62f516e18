/**
 * Contact points of a simulation's present step, and the impulses they carried: flat arrays, in the order of pairs and of points.
 *
 *   array     stride  content
 *   pairs     1       geometry a * geometries + geometry b, a < b
 *   features  1       what of a and b touches: the same number in the next step is the same contact; -1 where only places tell
 *   points    3       midway between the surfaces, world
 *   normals   3       from a to b
 *   gaps      1       distance along the normal, negative when penetrating
 *   locals    3       the point in a's frame, by which contacts without a feature are known again
 *   impulses  3       on b, world axes, N s; of the last solve, the start of the next
 *   spreads   3       from the point to where it acts on b, and back to where on a; where `hasSpreads`: contacts of bodies that meet only
 *                     later in the step
 *   materials         friction, restitution; index into the pair's material otherwise
 *   firsts    1       carrier of a, of b (`seconds`)
 */
import type { PairMaterial } from './material.js';

export class ContactSet {
  count = 0;
  pairs: Float64Array = new Float64Array(0);
  features: Float64Array = new Float64Array(0);
  points: Float64Array = new Float64Array(0);
  normals: Float64Array = new Float64Array(0);
  gaps: Float64Array = new Float64Array(0);
  locals: Float64Array = new Float64Array(0);
  impulses: Float64Array = new Float64Array(0);
  firsts: Int32Array = new Int32Array(0);
  seconds: Int32Array = new Int32Array(0);
  spreads: Float64Array = new Float64Array(0);
  hasSpreads = false;
  materials: PairMaterial[] = [];

  constructor() {
    this.reserve(64);
  }

  reserve(capacity: number): void {
    if (capacity <= this.gaps.length) return;
    const size = Math.max(capacity, 2 * this.gaps.length);
    const grow = (old: Float64Array, stride: number): Float64Array => {
      const larger = new Float64Array(stride * size);
      larger.set(old);
      return larger;
    };
    this.pairs = grow(this.pairs, 1);
    this.features = grow(this.features, 1);
    this.points = grow(this.points, 3);
    this.normals = grow(this.normals, 3);
    this.gaps = grow(this.gaps, 1);
    this.locals = grow(this.locals, 3);
    this.impulses = grow(this.impulses, 3);
    if (this.hasSpreads) this.spreads = grow(this.spreads, 3);
    const growWhole = (old: Int32Array): Int32Array => {
      const larger = new Int32Array(size);
      larger.set(old);
      return larger;
    };
    this.firsts = growWhole(this.firsts);
    this.seconds = growWhole(this.seconds);
  }

  /** Appends a contact without impulse and returns its place. */
  append(pair: number, feature: number, gap: number): number {
    this.reserve(this.count + 1);
    const c = this.count++;
    this.pairs[c] = pair;
    this.features[c] = feature;
    this.gaps[c] = gap;
    this.impulses[3 * c] = 0;
    this.impulses[3 * c + 1] = 0;
    this.impulses[3 * c + 2] = 0;
    if (this.hasSpreads) this.spreads.fill(0, 3 * c, 3 * c + 3);
    return c;
  }

  /** Appends a contact at a point; X is the placement of geometry a. */
  add(
    pair: number,
    feature: number,
    gap: number,
    point: ArrayLike<number>,
    normal: ArrayLike<number>,
    X: Float64Array,
  ): void {
    const c = 3 * this.append(pair, feature, gap);
    const { points, normals, locals } = this;
    const px = point[0];
    const py = point[1];
    const pz = point[2];
    points[c] = px;
    points[c + 1] = py;
    points[c + 2] = pz;
    normals[c] = normal[0];
    normals[c + 1] = normal[1];
    normals[c + 2] = normal[2];
    const x = px - X[9];
    const y = py - X[10];
    const z = pz - X[11];
    locals[c] = X[0] * x + X[3] * y + X[6] * z;
    locals[c + 1] = X[1] * x + X[4] * y + X[7] * z;
    locals[c + 2] = X[2] * x + X[5] * y + X[8] * z;
  }

  /** Takes all contacts away. */
  clear(): void {
    this.count = 0;
    this.hasSpreads = false;
  }

  /** Contact c acts at its point + (x, y, z) on b, - (x, y, z) on a. */
  spread(c: number, x: number, y: number, z: number): void {
    if (!this.hasSpreads) {
      this.hasSpreads = true;
      if (this.spreads.length < this.points.length) this.spreads = new Float64Array(this.points.length);
      else this.spreads.fill(0);
    }
    this.spreads[3 * c] = x;
    this.spreads[3 * c + 1] = y;
    this.spreads[3 * c + 2] = z;
  }

  /** Drops the contacts from `first` to `from` - 1: those behind take their places. */
  moveDown(first: number, from: number): void {
    const { count } = this;
    for (const list of [this.pairs, this.features, this.gaps]) list.copyWithin(first, from, count);
    for (const list of [this.points, this.normals, this.locals, this.impulses])
      list.copyWithin(3 * first, 3 * from, 3 * count);
    if (this.hasSpreads) this.spreads.copyWithin(3 * first, 3 * from, 3 * count);
    this.count = first + count - from;
  }

  /** Exchanges what both hold. */
  swap(other: ContactSet): void {
    const { count, pairs, features, points, normals, gaps, locals, impulses, firsts, seconds, materials } = this;
    this.count = other.count;
    this.pairs = other.pairs;
    this.features = other.features;
    this.points = other.points;
    this.normals = other.normals;
    this.gaps = other.gaps;
    this.locals = other.locals;
    this.impulses = other.impulses;
    this.firsts = other.firsts;
    this.seconds = other.seconds;
    this.materials = other.materials;
    other.count = count;
    other.pairs = pairs;
    other.features = features;
    other.points = points;
    other.normals = normals;
    other.gaps = gaps;
    other.locals = locals;
    other.impulses = impulses;
    other.firsts = firsts;
    other.seconds = seconds;
    other.materials = materials;
  }
}

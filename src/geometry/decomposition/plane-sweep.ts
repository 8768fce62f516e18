/**
 * What parallel planes would make of a piece: volumes of the solid on both sides, and of the hulls of both sides, for many offsets at once.
 *
 * Method: 1. corners, edges and polygons are sorted by height once; 2. a whole polygon adds to the volume below as a polynomial of the
 * offset (its volume moment and area vector), one that is cut is clipped; with the origin in the plane the section adds nothing; 3. both
 * hulls grow along the direction (sweep-hull.ts): corners as they are passed, and the hull of the section at each offset, which later hulls
 * hold anyway.
 * Cost: about a microsecond per corner and direction, not per offset. Checked by convex-decomposition.test.ts.
 */
import type { PolygonSoup } from '../polygon-soup.js';
import type { PieceEdges } from './piece-edges.js';
import type { SolidPiece } from './solid-piece.js';
import { SweepHull } from './sweep-hull.js';

export interface SweepSubject {
  readonly piece: SolidPiece;
  readonly edges: PieceEdges;
  /** Corners of the cell inside the solid. */
  readonly inner: Float64Array;
  readonly isInside: (x: number, y: number, z: number) => boolean;
  readonly volume: number;
  readonly extent: number;
}

/** By offset. */
export interface Sweep {
  readonly solidBelow: Float64Array;
  readonly hullBelow: Float64Array;
  readonly hullAbove: Float64Array;
}

/** Of the extent: heights that count as equal. */
const SAME_HEIGHT = 1e-9;

const hull = new SweepHull();

/** `direction` a unit vector, `offsets` ascending. */
export function sweepPlanes(subject: SweepSubject, direction: readonly number[], offsets: Float64Array): Sweep {
  const { piece, edges, inner, extent } = subject;
  const [dx, dy, dz] = direction;
  const tolerance = SAME_HEIGHT * extent;
  const { vertices } = piece;
  const heights = new Float64Array(vertices.length / 3);
  for (let i = 0; i < heights.length; i++)
    heights[i] = dx * vertices[3 * i] + dy * vertices[3 * i + 1] + dz * vertices[3 * i + 2];
  const sections = cutSections(subject, direction, offsets, heights, tolerance);
  const points = new Float64Array(3 * edges.extreme.length + inner.length);
  for (let i = 0; i < edges.extreme.length; i++)
    for (let k = 0; k < 3; k++) points[3 * i + k] = vertices[3 * edges.extreme[i] + k];
  points.set(inner, 3 * edges.extreme.length);
  const order = sortPoints(points, direction, tolerance);
  const hullBelow = new Float64Array(offsets.length);
  const hullAbove = new Float64Array(offsets.length);
  const count = points.length / 3;
  const add = (i: number): void => hull.add(points[3 * i], points[3 * i + 1], points[3 * i + 2], true);
  const heightAt = (i: number): number => dx * points[3 * i] + dy * points[3 * i + 1] + dz * points[3 * i + 2];
  hull.reset(extent);
  for (let at = 0, o = 0; o < offsets.length; o++) {
    while (at < count && heightAt(order[at]) < offsets[o] - tolerance) add(order[at++]);
    for (let i = 0; i < sections[o].length; i += 3)
      hull.add(sections[o][i], sections[o][i + 1], sections[o][i + 2], true);
    hullBelow[o] = hull.volume;
  }
  hull.reset(extent);
  for (let at = count - 1, o = offsets.length - 1; o >= 0; o--) {
    while (at >= 0 && heightAt(order[at]) > offsets[o] + tolerance) add(order[at--]);
    for (let i = sections[o].length - 3; i >= 0; i -= 3)
      hull.add(sections[o][i], sections[o][i + 1], sections[o][i + 2], true);
    hullAbove[o] = hull.volume;
  }
  return { solidBelow: measureBelow(piece, direction, offsets, heights), hullBelow, hullAbove };
}

/** Two directions across. */
function axesAcross([x, y, z]: readonly number[]): [number[], number[]] {
  const axis =
    Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z)
      ? [1, 0, 0]
      : Math.abs(y) <= Math.abs(z)
        ? [0, 1, 0]
        : [0, 0, 1];
  const u = [y * axis[2] - z * axis[1], z * axis[0] - x * axis[2], x * axis[1] - y * axis[0]];
  const size = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const n = u.map((c) => c / size);
  return [n, [y * n[2] - z * n[1], z * n[0] - x * n[2], x * n[1] - y * n[0]]];
}

/** Order along the direction, equal heights along the first axis across: as of a direction turned by a hair. */
function sortPoints(points: Float64Array, [dx, dy, dz]: readonly number[], tolerance: number): Int32Array {
  const count = points.length / 3;
  const [[ux, uy, uz], [vx, vy, vz]] = axesAcross([dx, dy, dz]);
  const h = new Float64Array(count);
  const u = new Float64Array(count);
  const v = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
    h[i] = Math.round((dx * x + dy * y + dz * z) / tolerance);
    u[i] = Math.round((ux * x + uy * y + uz * z) / tolerance);
    v[i] = vx * x + vy * y + vz * z;
  }
  return Int32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => h[a] - h[b] || u[a] - u[b] || v[a] - v[b] || a - b,
  );
}

/** First offset that is at least h. */
function firstAtLeast(offsets: Float64Array, h: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (offsets[mid] < h) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** By offset: corners of the section's hull, in the order that sortPoints has. */
function cutSections(
  { piece, edges: { edges }, isInside }: SweepSubject,
  direction: readonly number[],
  offsets: Float64Array,
  heights: Float64Array,
  tolerance: number,
): number[][] {
  const { vertices, cell } = piece;
  const found: number[][] = Array.from(offsets, () => []);
  for (let e = 0; e < edges.length; e += 2) {
    let [a, b] = [edges[e], edges[e + 1]];
    if (heights[a] > heights[b]) [a, b] = [b, a];
    for (let o = firstAtLeast(offsets, heights[a] + tolerance); o < offsets.length; o++) {
      if (offsets[o] > heights[b] - tolerance) break;
      const t = (offsets[o] - heights[a]) / (heights[b] - heights[a]);
      for (let k = 0; k < 3; k++) found[o].push(vertices[3 * a + k] + t * (vertices[3 * b + k] - vertices[3 * a + k]));
    }
  }
  for (let i = 0; i < heights.length; i++)
    for (let o = firstAtLeast(offsets, heights[i] - tolerance); o < offsets.length; o++) {
      if (offsets[o] > heights[i] + tolerance) break;
      found[o].push(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
    }
  for (let o = 0; o < offsets.length; o++) addCellCorners(found[o], cell, direction, offsets[o], isInside);
  return found.map((points) => hullInPlane(points, direction, tolerance));
}

/** Where edges of the cell cross a plane inside the solid. */
function addCellCorners(
  out: number[],
  { corners, starts }: PolygonSoup,
  [dx, dy, dz]: readonly number[],
  offset: number,
  isInside: SweepSubject['isInside'],
): void {
  for (let p = 0; p + 1 < starts.length; p++)
    for (let i = starts[p]; i < starts[p + 1]; i++) {
      const a = 3 * i;
      const b = 3 * (i + 1 === starts[p + 1] ? starts[p] : i + 1);
      const h = dx * corners[a] + dy * corners[a + 1] + dz * corners[a + 2] - offset;
      const g = dx * corners[b] + dy * corners[b + 1] + dz * corners[b + 2] - offset;
      // Of the two polygons at the edge, the one that climbs.
      if (!(h < 0 && g > 0)) continue;
      const t = h / (h - g);
      const [x, y, z] = [0, 1, 2].map((k) => corners[a + k] + t * (corners[b + k] - corners[a + k]));
      if (isInside(x, y, z)) out.push(x, y, z);
    }
}

/** Corners of the convex hull of points in a plane, sorted along the axes across. */
function hullInPlane(points: readonly number[], direction: readonly number[], tolerance: number): number[] {
  const [u, v] = axesAcross(direction);
  const flat: { at: number; key: number; s: number; t: number }[] = [];
  for (let i = 0; i < points.length; i += 3) {
    const s = u[0] * points[i] + u[1] * points[i + 1] + u[2] * points[i + 2];
    const t = v[0] * points[i] + v[1] * points[i + 1] + v[2] * points[i + 2];
    flat.push({ at: i, key: Math.round(s / tolerance), s, t });
  }
  flat.sort((a, b) => a.key - b.key || a.t - b.t || a.at - b.at);
  const keep = new Set<number>();
  for (const sign of [1, -1]) {
    const chain: number[] = [];
    for (let i = 0; i < flat.length; i++) {
      while (chain.length >= 2) {
        const [a, b] = [flat[chain[chain.length - 2]], flat[chain[chain.length - 1]]];
        const turn = (b.s - a.s) * (flat[i].t - a.t) - (b.t - a.t) * (flat[i].s - a.s);
        if (sign * turn > 0) break;
        chain.pop();
      }
      chain.push(i);
    }
    for (const i of chain) keep.add(i);
  }
  const out: number[] = [];
  for (const i of [...keep].sort((a, b) => a - b))
    out.push(points[flat[i].at], points[flat[i].at + 1], points[flat[i].at + 2]);
  return out;
}

/** Volume of the solid below each offset. */
function measureBelow(
  { vertices, loops, starts, caps }: SolidPiece,
  direction: readonly number[],
  offsets: Float64Array,
  heights: Float64Array,
): Float64Array {
  const below = new BelowVolume(direction, offsets);
  const polygon: number[] = [];
  const levels: number[] = [];
  for (let p = 0; p + 1 < starts.length; p++) {
    polygon.length = 0;
    levels.length = 0;
    for (let i = starts[p]; i < starts[p + 1]; i++) {
      const at = 3 * loops[i];
      polygon.push(vertices[at], vertices[at + 1], vertices[at + 2]);
      levels.push(heights[loops[i]]);
    }
    below.add(polygon, levels);
  }
  for (let t = 0; t < caps.length; t += 9) {
    polygon.length = 0;
    levels.length = 0;
    for (let i = t; i < t + 9; i += 3) {
      polygon.push(caps[i], caps[i + 1], caps[i + 2]);
      levels.push(direction[0] * caps[i] + direction[1] * caps[i + 1] + direction[2] * caps[i + 2]);
    }
    below.add(polygon, levels);
  }
  return below.finish();
}

/** Sums volumes between polygons and a point of each plane, direction x offset. */
class BelowVolume {
  /** Of whole polygons, by the first offset above them: volume about the origin, and area along the direction. */
  private readonly moments: Float64Array;
  private readonly areas: Float64Array;
  private readonly cut: Float64Array;
  private readonly clipped: number[] = [];

  constructor(
    private readonly direction: readonly number[],
    private readonly offsets: Float64Array,
  ) {
    this.moments = new Float64Array(offsets.length + 1);
    this.areas = new Float64Array(offsets.length + 1);
    this.cut = new Float64Array(offsets.length);
  }

  add(polygon: readonly number[], levels: readonly number[]): void {
    const { offsets, direction } = this;
    const count = levels.length;
    let least = Infinity;
    let most = -Infinity;
    for (let i = 0; i < count; i++) {
      if (levels[i] < least) least = levels[i];
      if (levels[i] > most) most = levels[i];
    }
    const whole = firstAtLeast(offsets, most);
    if (whole < offsets.length) {
      this.moments[whole] += momentOf(polygon, count, 0, 0, 0);
      this.areas[whole] += areaAlong(polygon, count, direction);
    }
    for (let o = firstAtLeast(offsets, least); o < whole; o++) {
      const { clipped } = this;
      clipped.length = 0;
      for (let i = 0; i < count; i++) {
        const j = i + 1 === count ? 0 : i + 1;
        const h = levels[i] - offsets[o];
        const g = levels[j] - offsets[o];
        if (h <= 0) clipped.push(polygon[3 * i], polygon[3 * i + 1], polygon[3 * i + 2]);
        if (h * g >= 0) continue;
        const t = h / (h - g);
        for (let k = 0; k < 3; k++) clipped.push(polygon[3 * i + k] + t * (polygon[3 * j + k] - polygon[3 * i + k]));
      }
      const s = offsets[o];
      this.cut[o] += momentOf(clipped, clipped.length / 3, s * direction[0], s * direction[1], s * direction[2]);
    }
  }

  finish(): Float64Array {
    const out = new Float64Array(this.offsets.length);
    let moment = 0;
    let area = 0;
    for (let o = 0; o < out.length; o++) {
      moment += this.moments[o];
      area += this.areas[o];
      // About the point direction x offset: a third of the offset times the area along the direction less.
      out[o] = (moment - this.offsets[o] * area) / 6 + this.cut[o] / 6;
    }
    return out;
  }
}

/** Six times the volume between a polygon and a point. */
function momentOf(p: readonly number[], count: number, ox: number, oy: number, oz: number): number {
  let sum = 0;
  const ax = p[0] - ox;
  const ay = p[1] - oy;
  const az = p[2] - oz;
  for (let i = 3; i + 3 < 3 * count; i += 3) {
    const bx = p[i] - ox;
    const by = p[i + 1] - oy;
    const bz = p[i + 2] - oz;
    const cx = p[i + 3] - ox;
    const cy = p[i + 4] - oy;
    const cz = p[i + 5] - oz;
    sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return sum;
}

/** Twice the area of a polygon seen along a direction. */
function areaAlong(p: readonly number[], count: number, d: readonly number[]): number {
  let sum = 0;
  for (let i = 3; i + 3 < 3 * count; i += 3) {
    const ux = p[i] - p[0];
    const uy = p[i + 1] - p[1];
    const uz = p[i + 2] - p[2];
    const vx = p[i + 3] - p[0];
    const vy = p[i + 4] - p[1];
    const vz = p[i + 5] - p[2];
    sum += d[0] * (uy * vz - uz * vy) + d[1] * (uz * vx - ux * vz) + d[2] * (ux * vy - uy * vx);
  }
  return sum;
}

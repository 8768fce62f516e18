/**
 * What parallel planes would make of a piece: volumes of the solid on both sides, and of the hulls of both sides, for many offsets at once.
 *
 * Method: 1. corners, edges and polygons are sorted by height once; 2. a whole polygon adds to the volume below as a polynomial of the
 * offset (its volume moment and area vector), one that is cut is clipped; with the origin in the plane the section adds nothing; 3. both
 * hulls grow along the direction (sweep-hull.ts): corners as they are passed, and the hull of the section at each offset, which later hulls
 * hold anyway. A corner in the plane belongs to the sides that an edge leaves it to: a face in the plane bounds one side alone.
 * Cost: about a microsecond per corner and direction, not per offset. Checked by convex-decomposition.test.ts.
 */
import type { PolygonSoup } from '../polygon-soup.js';
import type { PieceEdges } from './piece-edges.js';
import type { SolidPiece } from './solid-piece.js';
import { SweepHull } from './sweep-hull.js';

export interface SweepSubject {
  readonly piece: SolidPiece;
  readonly edges: PieceEdges;
  /** Of its polygons (listMoments). */
  readonly moments: Float64Array;
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
    const section = sections.below[o];
    for (let i = 0; i < section.length; i += 3) hull.add(section[i], section[i + 1], section[i + 2], true);
    hullBelow[o] = hull.volume;
  }
  hull.reset(extent);
  for (let at = count - 1, o = offsets.length - 1; o >= 0; o--) {
    while (at >= 0 && heightAt(order[at]) > offsets[o] + tolerance) add(order[at--]);
    const section = sections.above[o];
    for (let i = section.length - 3; i >= 0; i -= 3) hull.add(section[i], section[i + 1], section[i + 2], true);
    hullAbove[o] = hull.volume;
  }
  return { solidBelow: measureBelow(piece, subject.moments, direction, offsets, heights), hullBelow, hullAbove };
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

/** By offset: corners of the hull of what either side has in the plane, in the order that sortPoints has. */
function cutSections(
  { piece, edges: { edges }, isInside }: SweepSubject,
  direction: readonly number[],
  offsets: Float64Array,
  heights: Float64Array,
  tolerance: number,
): { below: number[][]; above: number[][] } {
  const { vertices, cell } = piece;
  const below: number[][] = Array.from(offsets, () => []);
  const above: number[][] = Array.from(offsets, () => []);
  const lowest = Float64Array.from(heights);
  const highest = Float64Array.from(heights);
  for (let e = 0; e < edges.length; e += 2) {
    let [a, b] = [edges[e], edges[e + 1]];
    if (heights[a] > heights[b]) [a, b] = [b, a];
    if (heights[a] < lowest[b]) lowest[b] = heights[a];
    if (heights[b] > highest[a]) highest[a] = heights[b];
    for (let o = firstAtLeast(offsets, heights[a] + tolerance); o < offsets.length; o++) {
      if (offsets[o] > heights[b] - tolerance) break;
      const t = (offsets[o] - heights[a]) / (heights[b] - heights[a]);
      const [x, y, z] = [0, 1, 2].map((k) => vertices[3 * a + k] + t * (vertices[3 * b + k] - vertices[3 * a + k]));
      below[o].push(x, y, z);
      above[o].push(x, y, z);
    }
  }
  for (let i = 0; i < heights.length; i++)
    for (let o = firstAtLeast(offsets, heights[i] - tolerance); o < offsets.length; o++) {
      if (offsets[o] > heights[i] + tolerance) break;
      const [x, y, z] = [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]];
      if (lowest[i] < heights[i] - tolerance) below[o].push(x, y, z);
      if (highest[i] > heights[i] + tolerance) above[o].push(x, y, z);
    }
  for (let o = 0; o < offsets.length; o++) {
    const corners: number[] = [];
    addCellCorners(corners, cell, direction, offsets[o], isInside);
    below[o] = hullInPlane([...below[o], ...corners], direction, tolerance);
    above[o] = hullInPlane([...above[o], ...corners], direction, tolerance);
  }
  return { below, above };
}

/** Where edges of the cell cross a plane inside the solid. The cell's polygons turn either way. */
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
      if (!(h * g < 0)) continue;
      // The same from both polygons at the edge, to the bit.
      const [low, high, t] = h < 0 ? [a, b, h / (h - g)] : [b, a, g / (g - h)];
      const [x, y, z] = [0, 1, 2].map((k) => corners[low + k] + t * (corners[high + k] - corners[low + k]));
      let isKnown = false;
      for (let at = 0; at < out.length && !isKnown; at += 3)
        isKnown = out[at] === x && out[at + 1] === y && out[at + 2] === z;
      if (!isKnown && isInside(x, y, z)) out.push(x, y, z);
    }
}

/** Corners of the convex hull of points in a plane, sorted along the axes across. */
function hullInPlane(points: readonly number[], direction: readonly number[], tolerance: number): number[] {
  const [[ux, uy, uz], [vx, vy, vz]] = axesAcross(direction);
  const count = points.length / 3;
  const s = new Float64Array(count);
  const t = new Float64Array(count);
  const key = new Float64Array(count);
  const order = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
    s[i] = ux * x + uy * y + uz * z;
    t[i] = vx * x + vy * y + vz * z;
    key[i] = Math.round(s[i] / tolerance);
    order[i] = i;
  }
  order.sort((a, b) => key[a] - key[b] || t[a] - t[b] || a - b);
  const isKept = new Uint8Array(count);
  const chain = new Int32Array(count);
  for (const sign of [1, -1]) {
    let length = 0;
    for (let i = 0; i < count; i++) {
      const c = order[i];
      while (length >= 2) {
        const a = order[chain[length - 2]];
        const b = order[chain[length - 1]];
        if (sign * ((s[b] - s[a]) * (t[c] - t[a]) - (t[b] - t[a]) * (s[c] - s[a])) > 0) break;
        length--;
      }
      chain[length++] = i;
    }
    for (let i = 0; i < length; i++) isKept[chain[i]] = 1;
  }
  const out: number[] = [];
  for (let i = 0; i < count; i++)
    if (isKept[i]) out.push(points[3 * order[i]], points[3 * order[i] + 1], points[3 * order[i] + 2]);
  return out;
}

/** Volume of the solid below each offset. */
function measureBelow(
  { vertices, loops, starts, caps, overlaps }: SolidPiece,
  moments: Float64Array,
  direction: readonly number[],
  offsets: Float64Array,
  heights: Float64Array,
): Float64Array {
  const below = new BelowVolume(direction, offsets);
  for (let p = 0; p + 1 < starts.length; p++) {
    const first = starts[p];
    const count = starts[p + 1] - first;
    below.expect(count);
    for (let i = 0; i < count; i++) below.load(i, vertices, 3 * loops[first + i], heights[loops[first + i]]);
    below.add(count, moments, 4 * p);
  }
  const [dx, dy, dz] = direction;
  for (let t = 0, p = starts.length - 1; t < caps.length; t += 9, p++) {
    for (let i = 0; i < 3; i++) {
      const at = t + 3 * i;
      below.load(i, caps, at, dx * caps[at] + dy * caps[at + 1] + dz * caps[at + 2]);
    }
    below.add(3, moments, 4 * p);
  }
  const out = below.finish();
  for (let i = 0; i < overlaps.length; i += 4) {
    const h = dx * overlaps[i] + dy * overlaps[i + 1] + dz * overlaps[i + 2];
    for (let o = firstAtLeast(offsets, h); o < out.length; o++) out[o] -= overlaps[i + 3];
  }
  return out;
}

/** Of each polygon, then of each cap: six times its volume about the origin, and twice its area as a vector. */
export function listMoments({ vertices, loops, starts, caps }: SolidPiece): Float64Array {
  const out = new Float64Array(4 * (starts.length - 1 + caps.length / 9));
  for (let p = 0; p + 1 < starts.length; p++)
    for (let i = starts[p] + 1; i + 1 < starts[p + 1]; i++)
      addMoment(out, 4 * p, vertices, 3 * loops[starts[p]], 3 * loops[i], 3 * loops[i + 1]);
  for (let t = 0, p = starts.length - 1; t < caps.length; t += 9, p++) addMoment(out, 4 * p, caps, t, t + 3, t + 6);
  return out;
}

function addMoment(out: Float64Array, at: number, v: Float64Array, a: number, b: number, c: number): void {
  const ux = v[b] - v[a];
  const uy = v[b + 1] - v[a + 1];
  const uz = v[b + 2] - v[a + 2];
  const wx = v[c] - v[a];
  const wy = v[c + 1] - v[a + 1];
  const wz = v[c + 2] - v[a + 2];
  const nx = uy * wz - uz * wy;
  const ny = uz * wx - ux * wz;
  const nz = ux * wy - uy * wx;
  out[at] += v[a] * nx + v[a + 1] * ny + v[a + 2] * nz;
  out[at + 1] += nx;
  out[at + 2] += ny;
  out[at + 3] += nz;
}

/** Sums volumes between polygons and a point of each plane, direction x offset. */
class BelowVolume {
  /** Of whole polygons, by the first offset above them. */
  private readonly whole: Float64Array;
  private readonly areas: Float64Array;
  private readonly cut: Float64Array;
  private polygon = new Float64Array(3 * 16);
  private levels = new Float64Array(16);
  private clipped = new Float64Array(3 * 32);

  constructor(
    private readonly direction: readonly number[],
    private readonly offsets: Float64Array,
  ) {
    this.whole = new Float64Array(offsets.length + 1);
    this.areas = new Float64Array(offsets.length + 1);
    this.cut = new Float64Array(offsets.length);
  }

  /** Makes room for a polygon of so many corners. */
  expect(count: number): void {
    if (count <= this.levels.length) return;
    this.polygon = new Float64Array(6 * count);
    this.levels = new Float64Array(2 * count);
    this.clipped = new Float64Array(12 * count);
  }

  load(i: number, points: Float64Array, at: number, level: number): void {
    const { polygon } = this;
    polygon[3 * i] = points[at];
    polygon[3 * i + 1] = points[at + 1];
    polygon[3 * i + 2] = points[at + 2];
    this.levels[i] = level;
  }

  add(count: number, moments: Float64Array, at: number): void {
    const { offsets, direction, levels } = this;
    let least = Infinity;
    let most = -Infinity;
    for (let i = 0; i < count; i++) {
      if (levels[i] < least) least = levels[i];
      if (levels[i] > most) most = levels[i];
    }
    const whole = firstAtLeast(offsets, most);
    this.whole[whole] += moments[at];
    this.areas[whole] +=
      direction[0] * moments[at + 1] + direction[1] * moments[at + 2] + direction[2] * moments[at + 3];
    for (let o = firstAtLeast(offsets, least); o < whole; o++) this.cut[o] += this.clip(count, offsets[o]);
  }

  /** Six times the volume between what is below an offset and the plane's point. */
  private clip(count: number, offset: number): number {
    const { polygon, levels, clipped, direction } = this;
    const ox = offset * direction[0];
    const oy = offset * direction[1];
    const oz = offset * direction[2];
    let length = 0;
    for (let i = 0; i < count; i++) {
      const j = i + 1 === count ? 0 : i + 1;
      const h = levels[i] - offset;
      const g = levels[j] - offset;
      if (h <= 0) {
        clipped[length++] = polygon[3 * i] - ox;
        clipped[length++] = polygon[3 * i + 1] - oy;
        clipped[length++] = polygon[3 * i + 2] - oz;
      }
      if (h * g >= 0) continue;
      const t = h / (h - g);
      clipped[length++] = polygon[3 * i] + t * (polygon[3 * j] - polygon[3 * i]) - ox;
      clipped[length++] = polygon[3 * i + 1] + t * (polygon[3 * j + 1] - polygon[3 * i + 1]) - oy;
      clipped[length++] = polygon[3 * i + 2] + t * (polygon[3 * j + 2] - polygon[3 * i + 2]) - oz;
    }
    let sum = 0;
    const [ax, ay, az] = [clipped[0], clipped[1], clipped[2]];
    for (let i = 3; i + 3 < length; i += 3)
      sum +=
        ax * (clipped[i + 1] * clipped[i + 5] - clipped[i + 2] * clipped[i + 4]) +
        ay * (clipped[i + 2] * clipped[i + 3] - clipped[i] * clipped[i + 5]) +
        az * (clipped[i] * clipped[i + 4] - clipped[i + 1] * clipped[i + 3]);
    return sum;
  }

  finish(): Float64Array {
    const out = new Float64Array(this.offsets.length);
    let moment = 0;
    let area = 0;
    for (let o = 0; o < out.length; o++) {
      moment += this.whole[o];
      area += this.areas[o];
      // About another point, the volume is less by a third of the way times the area along it.
      out[o] = (moment - this.offsets[o] * area + this.cut[o]) / 6;
    }
    return out;
  }
}

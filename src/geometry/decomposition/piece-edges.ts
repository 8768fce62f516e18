/**
 * What cuts of a piece need to know of its surface: its edges, the corners that can be corners of hulls, and the planes of faces that
 * end at concave edges.
 *
 * Method: 1. an edge is concave where the normals of its polygons turn towards each other; 2. a corner with fewer than three convex edges
 * lies in the hull of its neighbours, and after any cut in that of the neighbours that are left and of the cut's own corners: it never is a
 * corner of a part's hull; 3. planes of faces at concave edges, weighed by length and bend, so that a face beside a rounded edge, which is
 * many narrow strips, collects what they have together; near planes are one.
 * Cost: linear in the corners. Checked by convex-decomposition.test.ts.
 */
import type { Plane } from '../polygon-soup.js';
import type { SolidPiece } from './solid-piece.js';

export interface PieceEdges {
  /** Two corners each. */
  readonly edges: Int32Array;
  /** Corners of the surface that may be corners of hulls. */
  readonly extreme: Int32Array;
  /** Planes to try first, heaviest first. */
  readonly features: readonly Plane[];
}

/** Sines of bends: below the first an edge is flat, above the second concave. */
const FLAT = 1e-9;
const CONCAVE = 0.015;
/** Steps of normals and of offsets (of the extent) within which planes are one. */
const NORMAL_STEPS = 48;
const OFFSET_STEPS = 160;
const MOST_FEATURES = 24;
/** Of the weight of all: lighter planes are those of a curved surface's small faces. */
const LEAST_WEIGHT = 0.005;

export function findEdges(piece: SolidPiece, extent: number): PieceEdges {
  const { vertices, loops, starts } = piece;
  const count = vertices.length / 3;
  const normals = findNormals(piece);
  const names = new Map<number, number>();
  const ends: number[] = [];
  const firstPolygon: number[] = [];
  const convexEdges = new Uint8Array(count);
  const weights = new Float64Array(starts.length - 1);
  const bend = (p: number, q: number, a: number, b: number): number => {
    const [i, j] = [4 * p, 4 * q];
    const cx = normals[i + 1] * normals[j + 2] - normals[i + 2] * normals[j + 1];
    const cy = normals[i + 2] * normals[j] - normals[i] * normals[j + 2];
    const cz = normals[i] * normals[j + 1] - normals[i + 1] * normals[j];
    const [ex, ey, ez] = [0, 1, 2].map((k) => vertices[3 * b + k] - vertices[3 * a + k]);
    return cx * ex + cy * ey + cz * ez;
  };
  const countConvex = (corner: number): void => {
    if (convexEdges[corner] < 255) convexEdges[corner]++;
  };
  for (let p = 0; p + 1 < starts.length; p++)
    for (let i = starts[p]; i < starts[p + 1]; i++) {
      const a = loops[i];
      const b = loops[i + 1 === starts[p + 1] ? starts[p] : i + 1];
      const key = a < b ? a * count + b : b * count + a;
      const known = names.get(key);
      if (known === undefined) {
        names.set(key, firstPolygon.length);
        firstPolygon.push(p);
        ends.push(a, b);
        continue;
      }
      const q = firstPolygon[known];
      if (q < 0) continue;
      firstPolygon[known] = -1;
      const [from, to] = [ends[2 * known], ends[2 * known + 1]];
      const length = lengthOf(vertices, from, to);
      const value = bend(q, p, from, to);
      const folds = dotOf(normals, p, q) < 0;
      if (value > FLAT * length || (folds && value > -FLAT * length)) {
        countConvex(a);
        countConvex(b);
      } else if (value < -CONCAVE * length) {
        weights[p] -= value;
        weights[q] -= value;
      }
    }
  // Open edges lie in cuts, where the part ends.
  for (let e = 0; e < firstPolygon.length; e++)
    if (firstPolygon[e] >= 0)
      for (const corner of [ends[2 * e], ends[2 * e + 1]]) convexEdges[corner] = Math.max(convexEdges[corner], 3);
  const extreme: number[] = [];
  for (let i = 0; i < count; i++) if (convexEdges[i] >= 3) extreme.push(i);
  return {
    edges: Int32Array.from(ends),
    extreme: Int32Array.from(extreme),
    features: collectPlanes(normals, weights, extent),
  };
}

/** Unit normal and offset of each polygon; zeros where it has no area. */
function findNormals({ vertices, loops, starts }: SolidPiece): Float64Array {
  const out = new Float64Array(4 * (starts.length - 1));
  for (let p = 0; p + 1 < starts.length; p++) {
    const o = 3 * loops[starts[p]];
    let [x, y, z] = [0, 0, 0];
    for (let i = starts[p] + 1; i + 1 < starts[p + 1]; i++) {
      const [a, b] = [3 * loops[i], 3 * loops[i + 1]];
      const ux = vertices[a] - vertices[o];
      const uy = vertices[a + 1] - vertices[o + 1];
      const uz = vertices[a + 2] - vertices[o + 2];
      const vx = vertices[b] - vertices[o];
      const vy = vertices[b + 1] - vertices[o + 1];
      const vz = vertices[b + 2] - vertices[o + 2];
      x += uy * vz - uz * vy;
      y += uz * vx - ux * vz;
      z += ux * vy - uy * vx;
    }
    const size = Math.sqrt(x * x + y * y + z * z);
    if (!(size > 0)) continue;
    const at = 4 * p;
    out[at] = x / size;
    out[at + 1] = y / size;
    out[at + 2] = z / size;
    out[at + 3] = out[at] * vertices[o] + out[at + 1] * vertices[o + 1] + out[at + 2] * vertices[o + 2];
  }
  return out;
}

function lengthOf(v: Float64Array, a: number, b: number): number {
  return Math.sqrt(
    (v[3 * b] - v[3 * a]) ** 2 + (v[3 * b + 1] - v[3 * a + 1]) ** 2 + (v[3 * b + 2] - v[3 * a + 2]) ** 2,
  );
}

function dotOf(normals: Float64Array, p: number, q: number): number {
  return (
    normals[4 * p] * normals[4 * q] + normals[4 * p + 1] * normals[4 * q + 1] + normals[4 * p + 2] * normals[4 * q + 2]
  );
}

interface Bucket {
  weight: number;
  heaviest: number;
  polygon: number;
}

/** The heaviest planes of faces at concave edges, a normal and its opposite being one. */
function collectPlanes(normals: Float64Array, weights: Float64Array, extent: number): Plane[] {
  const buckets = new Map<string, Bucket>();
  for (let p = 0; p < weights.length; p++) {
    if (!(weights[p] > 0)) continue;
    const n = [0, 1, 2].map((k) => Math.round(normals[4 * p + k] * NORMAL_STEPS));
    const sign = n[0] < 0 || (n[0] === 0 && (n[1] < 0 || (n[1] === 0 && n[2] < 0))) ? -1 : 1;
    const offset = Math.round((sign * normals[4 * p + 3] * OFFSET_STEPS) / extent);
    const key = `${sign * n[0]},${sign * n[1]},${sign * n[2]},${offset}`;
    const bucket = buckets.get(key);
    if (!bucket) buckets.set(key, { weight: weights[p], heaviest: weights[p], polygon: p });
    else {
      bucket.weight += weights[p];
      if (weights[p] > bucket.heaviest) {
        bucket.heaviest = weights[p];
        bucket.polygon = p;
      }
    }
  }
  let all = 0;
  for (const { weight } of buckets.values()) all += weight;
  return [...buckets.values()]
    .filter(({ weight }) => weight >= LEAST_WEIGHT * all)
    .sort((a, b) => b.weight - a.weight || a.polygon - b.polygon)
    .slice(0, MOST_FEATURES)
    .map(({ polygon }) => [0, 1, 2, 3].map((k) => normals[4 * polygon + k]) as unknown as Plane);
}

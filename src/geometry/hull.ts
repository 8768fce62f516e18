/**
 * Convex hull of a point set in three dimensions, with flat, straight and single-point sets as ordinary answers.
 *
 * Method: 1. spread of the set: point, line, plane or solid; 2. a first tetrahedron of far-apart points;
 * 3. every face keeps the points outside it, and which is farthest; 4. that point is added: the faces it sees are found by
 * flood fill, removed, and their rim joined to the point; 5. until no point is outside.
 * Visibility is decided exactly (a rounding bound per face, the exact orientation within it), so the surface stays closed
 * and consistent for coplanar, collinear and duplicate points. A facet in whose plane the point lies is not seen, unless
 * the point lies on the line of its edge to a seen face: joining that edge would give a triangle without area.
 * Source: Barber, Dobkin, Huhdanpaa 1996, "The quickhull algorithm for convex hulls", doi:10.1145/235815.235821.
 * Units: those of the points. Cost: O(n log n) on typical sets, 0.1 to 2 microseconds per point. Sets flatter than 1e-13 of
 * their extent become planar hulls.
 * Checked by hull.test.ts.
 */
import { requireArray } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { NumericArray } from '../math/vec3.js';
import { HullFaces } from './hull-faces.js';
import { buildFlatHull, type ConvexHull, compactHull } from './hull-flat.js';
import { orientPoints } from './orientation.js';
import { LONGEST } from './shape-range.js';

export type { ConvexHull } from './hull-flat.js';

const FLATNESS = 1e-13;
/** Sets smaller than this are enlarged by a power of two, which is exact: their products would lose digits, then vanish. */
const TINY = 1e-60;
const ENLARGEMENT = 2 ** 300;

/** Convex hull of `points`, 3 numbers each. Throws on no points, a broken count or a number that is not within +-1e15. */
export function buildConvexHull(points: NumericArray): ConvexHull {
  requireArray('buildConvexHull', 'points', points);
  if (points.length < 3 || points.length % 3 !== 0)
    throw new MisuseError(`buildConvexHull: points, got ${points.length} numbers, expected 3 per point, at least one`);
  const given = Float64Array.from(points);
  const p = given.slice();
  for (let i = 0; i < p.length; i++)
    if (!(Math.abs(p[i]) <= LONGEST))
      throw new MisuseError(
        `buildConvexHull: points[${i}], got ${p[i]}, expected a finite number of at most ${LONGEST}`,
      );

  let range = measureRange(p);
  if (Math.max(...range) === 0) return compactHull(0, given, [0], []);
  while (Math.max(...range) < TINY) {
    for (let i = 0; i < p.length; i++) p[i] *= ENLARGEMENT;
    range = measureRange(p);
  }
  const extent = Math.max(...range);
  const [a, b] = findEnds(p, range.indexOf(extent));
  // In units of the extent, so that no square overflows.
  const ux = (p[b] - p[a]) / extent;
  const uy = (p[b + 1] - p[a + 1]) / extent;
  const uz = (p[b + 2] - p[a + 2]) / extent;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const offLine = (i: number): number => {
    const x = (p[i] - p[a]) / extent;
    const y = (p[i + 1] - p[a + 1]) / extent;
    const z = (p[i + 2] - p[a + 2]) / extent;
    return (uy * z - uz * y) ** 2 + (uz * x - ux * z) ** 2 + (ux * y - uy * x) ** 2;
  };
  const c = findLargest(p, offLine);
  if (Math.sqrt(offLine(c)) <= FLATNESS * length) return compactHull(1, given, findLineEnds(p, a, b), []);
  const vx = (p[c] - p[a]) / extent;
  const vy = (p[c + 1] - p[a + 1]) / extent;
  const vz = (p[c + 2] - p[a + 2]) / extent;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const offPlane = (i: number): number =>
    Math.abs((nx * (p[i] - p[a]) + ny * (p[i + 1] - p[a + 1]) + nz * (p[i + 2] - p[a + 2])) / extent);
  const d = findLargest(p, offPlane);
  const side = orientPoints(p, a, b, c, d);
  if (offPlane(d) <= FLATNESS * Math.sqrt(nx * nx + ny * ny + nz * nz) || side === 0) {
    return buildFlatHull(given, p, [nx, ny, nz]);
  }
  const faces = new HullFaces(p, range);
  if (side > 0) faces.start(a, b, c, d);
  else faces.start(a, c, b, d);
  faces.grow();
  const corners = faces.listCorners();
  return compactHull(3, given, listUsed(corners, p.length / 3), corners);
}

/** Largest minus smallest coordinate along each axis. */
function measureRange(p: Float64Array): number[] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < p.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const x = p[i + k];
      if (x < low[k]) low[k] = x;
      if (x > high[k]) high[k] = x;
    }
  }
  return low.map((x, k) => high[k] - x);
}

/** Offsets of the first points with the smallest and the largest coordinate along an axis. */
function findEnds(p: Float64Array, axis: number): [number, number] {
  let low = 0;
  let high = 0;
  for (let i = 3; i < p.length; i += 3) {
    if (p[i + axis] < p[low + axis]) low = i;
    if (p[i + axis] > p[high + axis]) high = i;
  }
  return [low, high];
}

/** Ends of a set that is straight but for rounding: a and b have equals along their axis only within that. */
function findLineEnds(p: Float64Array, a: number, b: number): [number, number] {
  const at = (i: number): number => {
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += (p[i + k] - p[a + k]) * (p[b + k] - p[a + k]);
    return sum;
  };
  return [findLargest(p, (i) => -at(i)), findLargest(p, at)];
}

function findLargest(p: Float64Array, measure: (at: number) => number): number {
  let at = 0;
  let value = -Infinity;
  for (let i = 0; i < p.length; i += 3) {
    const m = measure(i);
    if (m > value) {
      value = m;
      at = i;
    }
  }
  return at;
}

/** Offsets that occur among the corners, ascending. */
function listUsed(corners: Int32Array, points: number): number[] {
  const isUsed = new Uint8Array(points);
  for (let i = 0; i < corners.length; i++) isUsed[corners[i] / 3] = 1;
  const used: number[] = [];
  for (let i = 0; i < points; i++) if (isUsed[i]) used.push(3 * i);
  return used;
}

/**
 * Polygons with holes as convex parts whose corners are corners of the polygon.
 *
 * 1. A sweep cuts the inside into trapezoids; where the two corners that bound a trapezoid are no neighbours, a diagonal joins
 *    them. Every face is then a chain over one edge.
 * 2. Chains are triangulated by a stack.
 * 3. Diagonals are taken out again, one after another, where both corners stay convex.
 *
 * Every test is exact, so the parts' areas add up to the polygon's and no part leaves it. At most four times as many parts as
 * the least number.
 *
 * Source: A. Fournier, D. Y. Montuno, "Triangulating simple polygons and equivalent problems", ACM Transactions on Graphics 3,
 * 1984, doi:10.1145/357337.357341; S. Hertel, K. Mehlhorn, "Fast triangulation of the plane with respect to simple polygons",
 * Information and Control 64, 1985, doi:10.1016/S0019-9958(85)80044-9.
 *
 * Cost: O(n log n) for the triangles, O(n) unions of parts. Tested by region.test.ts.
 */
import { MisuseError } from '../math/misuse.js';
import { type Arrangement, buildArrangement, sortAround } from './arrangement.js';
import { createExactPoint, type ExactPoint, orientPoints } from './exact-point.js';
import { listSides, normalizeRings, type PlanePoint, type Polygon, validatePolygon } from './polygon.js';
import { SweepStatus } from './sweep-status.js';

/** Corners of a convex polygon, counter-clockwise, no three on a line. */
export type ConvexPart = readonly PlanePoint[];

export interface ConvexParts {
  readonly parts: readonly ConvexPart[];
  /** Diagonals between parts, each with the corners of triangles of the polygon on both sides. */
  readonly seams: readonly Seam[];
}

export interface Seam {
  readonly ends: readonly [PlanePoint, PlanePoint];
  readonly apexes: readonly [PlanePoint, PlanePoint];
}

/** Convex parts that cover a valid polygon and overlap in sides only. */
export function decomposePolygon(polygon: Polygon): ConvexPart[] {
  const [issue] = validatePolygon(polygon);
  if (issue !== undefined)
    throw new MisuseError(`decomposePolygon: polygon, got one where ${issue.message}, expected a valid polygon`);
  return [...findConvexParts(polygon).parts];
}

/** As `decomposePolygon`, of a polygon that is known to be valid, with the seams. */
export function findConvexParts(polygon: Polygon): ConvexParts {
  const normal = normalizeRings(polygon);
  if ((normal.holes?.length ?? 0) === 0 && isStrictlyConvex(normal.outer)) return { parts: [normal.outer], seams: [] };
  const arrangement = buildArrangement(listSides(normal, 0));
  const { points } = arrangement;
  const faces = traceFaces(arrangement, findDiagonals(arrangement));
  const triangles = faces.flatMap((face) => triangulateChain(points, face));
  return mergeTriangles(points, triangles);
}

function isStrictlyConvex(ring: readonly PlanePoint[]): boolean {
  const points = ring.map(([x, y]) => createExactPoint(x, y));
  const n = points.length;
  let descents = 0;
  for (let i = 0; i < n; i++) {
    const a = points[i];
    const b = points[(i + 1) % n];
    if (orientPoints(a, b, points[(i + 2) % n]) <= 0) return false;
    const c = points[(i + 2) % n];
    // A ring that goes once around has one corner that is the first in the order of the sweep.
    if ((b.x < a.x || (b.x === a.x && b.y < a.y)) && (c.x > b.x || (c.x === b.x && c.y > b.y))) descents++;
  }
  return descents === 1;
}

function findDiagonals(arrangement: Arrangement): number[] {
  const { points, edgeEnds, edgeCount, depthAbove, aroundStarts, around, leftCounts, edgeBelow } = arrangement;
  const status = new SweepStatus(edgeCount);
  /** The last vertex of the interval above each edge. */
  const helper = new Int32Array(edgeCount).fill(-1);
  const diagonals: number[] = [];
  const isEdge = (e: number, u: number, v: number) => e >= 0 && edgeEnds[2 * e] === u && edgeEnds[2 * e + 1] === v;
  const close = (lower: number, v: number) => {
    if (lower < 0 || depthAbove[lower] !== 1) return;
    const u = helper[lower];
    if (!isEdge(lower, u, v) && !isEdge(status.next(lower), u, v)) diagonals.push(u, v);
  };
  for (let v = 0; v < points.length; v++) {
    const end = aroundStarts[v + 1];
    const middle = end - leftCounts[v];
    const below = edgeBelow[v];
    close(below, v);
    for (let k = middle; k < end; k++) close(around[k] >> 1, v);
    for (let k = middle; k < end; k++) status.remove(around[k] >> 1);
    let after = below;
    if (below >= 0) helper[below] = v;
    for (let k = aroundStarts[v]; k < middle; k++) {
      const e = around[k] >> 1;
      status.insertAfter(after, e);
      helper[e] = v;
      after = e;
    }
  }
  return diagonals;
}

/** Rings of vertices around the faces inside, counter-clockwise. */
function traceFaces(arrangement: Arrangement, diagonals: readonly number[]): number[][] {
  const { points, edgeCount, depthAbove, depthBelow } = arrangement;
  const ends = new Int32Array(2 * edgeCount + diagonals.length);
  ends.set(arrangement.edgeEnds);
  ends.set(diagonals, 2 * edgeCount);
  const { aroundStarts, around } = sortAround(points, ends);
  const placeOf = new Int32Array(ends.length);
  for (let k = 0; k < around.length; k++) placeOf[around[k]] = k;
  const isInside = (half: number) =>
    half >> 1 >= edgeCount || ((half & 1) === 0 ? depthAbove[half >> 1] : depthBelow[half >> 1]) === 1;
  const isDone = new Uint8Array(ends.length);
  const faces: number[][] = [];
  for (let start = 0; start < ends.length; start++) {
    if (isDone[start] || !isInside(start)) continue;
    const face: number[] = [];
    let half = start;
    do {
      isDone[half] = 1;
      face.push(ends[half]);
      const v = ends[half ^ 1];
      const k = placeOf[half ^ 1];
      half = around[k === aroundStarts[v] ? aroundStarts[v + 1] - 1 : k - 1];
    } while (half !== start);
    faces.push(face);
  }
  return faces;
}

/** A face whose vertices are one chain over the edge from its first to its last in the order of the sweep. */
function triangulateChain(points: readonly ExactPoint[], face: readonly number[]): number[][] {
  if (face.length === 3) return [[...face]];
  const n = face.length;
  let lowest = 0;
  let highest = 0;
  for (let i = 1; i < n; i++) {
    if (face[i] < face[lowest]) lowest = i;
    if (face[i] > face[highest]) highest = i;
  }
  // The base runs from lowest to highest where the chain lies above it, else back.
  const isBaseBelow = (lowest + 1) % n === highest;
  const chain: number[] = [];
  for (let k = 0; k < n; k++) chain.push(face[((isBaseBelow ? highest : lowest) + k) % n]);
  // Counter-clockwise from the end of the base, around the chain.
  const stack: number[] = [];
  const triangles: number[][] = [];
  for (const v of chain) {
    while (
      stack.length >= 2 &&
      orientPoints(points[stack[stack.length - 2]], points[stack[stack.length - 1]], points[v]) > 0
    ) {
      triangles.push([stack[stack.length - 2], stack[stack.length - 1], v]);
      stack.pop();
    }
    stack.push(v);
  }
  return triangles;
}

function mergeTriangles(points: readonly ExactPoint[], triangles: readonly number[][]): ConvexParts {
  const count = points.length;
  const rings: (number[] | null)[] = triangles.map((triangle) => [...triangle]);
  const partOf = triangles.map((_, i) => i);
  const find = (i: number): number => {
    let root = i;
    while (partOf[root] !== root) root = partOf[root];
    for (let k = i; partOf[k] !== root; ) [k, partOf[k]] = [partOf[k], root];
    return root;
  };
  /** Triangle on the left of each half-edge. */
  const leftOf = new Map<number, number>();
  for (const [i, t] of triangles.entries()) for (let k = 0; k < 3; k++) leftOf.set(t[k] * count + t[(k + 1) % 3], i);
  const seams: Seam[] = [];
  const toPair = (v: number): PlanePoint => [points[v].x, points[v].y];
  const apex = (t: readonly number[], u: number, v: number) => t.find((w) => w !== u && w !== v)!;
  for (const [key, i] of leftOf) {
    const u = Math.floor(key / count);
    const v = key % count;
    const j = leftOf.get(v * count + u);
    if (j === undefined || u > v) continue;
    const p = find(i);
    const q = find(j);
    const merged = p === q ? null : joinRings(points, rings[p]!, rings[q]!, u, v);
    if (merged !== null) {
      partOf[q] = p;
      rings[p] = merged;
      rings[q] = null;
    } else if (p !== q) {
      const apexes = [toPair(apex(triangles[i], u, v)), toPair(apex(triangles[j], u, v))] as const;
      seams.push({ ends: [toPair(u), toPair(v)], apexes });
    }
  }
  const parts = rings.filter((ring) => ring !== null).map((ring) => dropStraight(points, ring).map(toPair));
  return { parts, seams };
}

/** The union of two convex rings along their edge u v, null where it is not convex. */
function joinRings(
  points: readonly ExactPoint[],
  a: readonly number[],
  b: readonly number[],
  u: number,
  v: number,
): number[] | null {
  const atA = a.findIndex((w, k) => w === u && a[(k + 1) % a.length] === v);
  const atB = b.findIndex((w, k) => w === v && b[(k + 1) % b.length] === u);
  const ring: number[] = [];
  for (let k = 1; k < a.length; k++) ring.push(a[(atA + k) % a.length]);
  for (let k = 1; k < b.length; k++) ring.push(b[(atB + k) % b.length]);
  const n = ring.length;
  for (const place of [0, a.length - 1]) {
    const turn = orientPoints(points[ring[(place + n - 1) % n]], points[ring[place]], points[ring[(place + 1) % n]]);
    if (turn < 0) return null;
  }
  return ring;
}

function dropStraight(points: readonly ExactPoint[], ring: readonly number[]): number[] {
  const n = ring.length;
  return ring.filter((v, k) => orientPoints(points[ring[(k + n - 1) % n]], points[v], points[ring[(k + 1) % n]]) !== 0);
}

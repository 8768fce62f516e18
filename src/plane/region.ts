/**
 * Boundaries of what a rule keeps of an arrangement, as polygons with holes; booleans of polygons by it.
 *
 * 1. How many polygons of each operand cover either side of each edge is counted from the left to the right.
 * 2. An edge is boundary where one side is kept and the other is not. From its end the walk goes on along the first boundary edge
 *    clockwise, so that parts that touch in a point become rings of their own.
 * 3. Rings that run clockwise are holes of the least ring around them.
 *
 * What is boundary is exact. Only the coordinates that come out are rounded, each to within a unit or two in the last place, where a
 * vertex is a crossing or a sum: `isRounded`. Source: de Berg et al., "Computational Geometry", 2008, sections 2.2 and 2.3.
 *
 * Cost: O((n + k) log n), and rings times corners for the holes. Tested by region.test.ts.
 */
import { requireList, requireOneOf } from '../math/arguments.js';
import { type Arrangement, buildArrangement } from './arrangement.js';
import { createMeanPoint, type ExactPoint, orientPoints } from './exact-point.js';
import { listSides, locateInRings, normalizeRings, type PlanePoint, type Polygon } from './polygon.js';
import { requireValidPolygon } from './problem.js';

export interface PlaneRegion {
  readonly polygons: readonly Polygon[];
  /** Whether a coordinate was rounded. */
  readonly isRounded: boolean;
}

export type BooleanOperation = 'union' | 'intersection' | 'difference' | 'xor';

/** Each operand is the union of its polygons, which must be valid and may overlap. */
export function combinePolygons(
  operation: BooleanOperation,
  a: readonly Polygon[],
  b: readonly Polygon[],
): PlaneRegion {
  requireOneOf('combinePolygons', 'operation', operation, ['union', 'intersection', 'difference', 'xor']);
  for (const [what, polygons] of [
    ['a', a],
    ['b', b],
  ] as const) {
    requireList('combinePolygons', what, polygons);
    for (const [i, polygon] of polygons.entries()) requireValidPolygon('combinePolygons', `${what}[${i}]`, polygon);
  }
  const rules: Record<BooleanOperation, (inA: boolean, inB: boolean) => boolean> = {
    union: (inA, inB) => inA || inB,
    intersection: (inA, inB) => inA && inB,
    difference: (inA, inB) => inA && !inB,
    xor: (inA, inB) => inA !== inB,
  };
  const rule = rules[operation];
  const arrangement = buildArrangement(
    [a, b].flatMap((list, k) => list.flatMap((p) => listSides(normalizeRings(p), k))),
  );
  return traceRegion(arrangement, (owner) => owner === 1, rule);
}

/** Keeps what `rule` says of the counts of the two operands: others, and those that are `second`. */
export function traceRegion(
  arrangement: Arrangement,
  isSecond: (owner: number) => boolean,
  rule: (inFirst: boolean, inSecond: boolean) => boolean,
): PlaneRegion {
  const { points } = arrangement;
  const rings = traceRings(arrangement, markKept(arrangement, isSecond, rule)).map((ring) =>
    dropStraight(points, ring),
  );
  const outers = rings.filter((ring) => isCounterClockwise(points, ring));
  const holes = rings.filter((ring) => !isCounterClockwise(points, ring));
  const exact = outers.map((ring) => ring.map((v) => points[v]));
  const holesOf: number[][][] = outers.map(() => []);
  for (const hole of holes) holesOf[findOuter(points, exact, hole)].push(hole);
  const write = (ring: readonly number[]) => ring.map((v): PlanePoint => [points[v].x, points[v].y]);
  return {
    polygons: outers.map((outer, i) => ({ outer: write(outer), holes: holesOf[i].map(write) })),
    isRounded: rings.some((ring) => ring.some((v) => points[v].error > 0)),
  };
}

/** By half-edge: 1 where the left is kept and the right is not. */
function markKept(
  arrangement: Arrangement,
  isSecond: (owner: number) => boolean,
  rule: (inFirst: boolean, inSecond: boolean) => boolean,
): Uint8Array {
  const { points, edgeCount, edgeStarts, edgeSides, edgeBelow, aroundStarts, around, leftCounts } = arrangement;
  const first = new Int32Array(edgeCount);
  const second = new Int32Array(edgeCount);
  const isBoundary = new Uint8Array(2 * edgeCount);
  for (let v = 0; v < points.length; v++) {
    const below = edgeBelow[v];
    let a = below < 0 ? 0 : first[below];
    let b = below < 0 ? 0 : second[below];
    for (let k = aroundStarts[v]; k < aroundStarts[v + 1] - leftCounts[v]; k++) {
      const e = around[k] >> 1;
      const wasKept = rule(a > 0, b > 0);
      for (let s = edgeStarts[e]; s < edgeStarts[e + 1]; s++) {
        const change = edgeSides[s] & 1 ? -1 : 1;
        if (isSecond(edgeSides[s] >> 1)) b += change;
        else a += change;
      }
      first[e] = a;
      second[e] = b;
      const isKept = rule(a > 0, b > 0);
      if (isKept && !wasKept) isBoundary[2 * e] = 1;
      if (wasKept && !isKept) isBoundary[2 * e + 1] = 1;
    }
  }
  return isBoundary;
}

function traceRings(arrangement: Arrangement, isBoundary: Uint8Array): number[][] {
  const { edgeEnds, aroundStarts, around } = arrangement;
  const placeOf = new Int32Array(around.length);
  for (let k = 0; k < around.length; k++) placeOf[around[k]] = k;
  const isDone = new Uint8Array(isBoundary.length);
  const rings: number[][] = [];
  for (let start = 0; start < isBoundary.length; start++) {
    if (!isBoundary[start] || isDone[start]) continue;
    const ring: number[] = [];
    let half = start;
    do {
      isDone[half] = 1;
      ring.push(edgeEnds[half]);
      const v = edgeEnds[half ^ 1];
      let k = placeOf[half ^ 1];
      do {
        k = k === aroundStarts[v] ? aroundStarts[v + 1] - 1 : k - 1;
        half = around[k];
      } while (!isBoundary[half]);
    } while (half !== start);
    rings.push(ring);
  }
  return rings;
}

function dropStraight(points: readonly ExactPoint[], ring: readonly number[]): number[] {
  const n = ring.length;
  return ring.filter((v, k) => orientPoints(points[ring[(k + n - 1) % n]], points[v], points[ring[(k + 1) % n]]) !== 0);
}

/** Vertices are numbered from left to right, so the least is extreme; a ring here passes it as a corner of its own turn. */
function isCounterClockwise(points: readonly ExactPoint[], ring: readonly number[]): boolean {
  const n = ring.length;
  let lowest = 0;
  for (let k = 1; k < n; k++) if (ring[k] < ring[lowest]) lowest = k;
  return orientPoints(points[ring[(lowest + n - 1) % n]], points[ring[lowest]], points[ring[(lowest + 1) % n]]) > 0;
}

/** The least ring around a hole. */
function findOuter(
  points: readonly ExactPoint[],
  outers: readonly (readonly ExactPoint[])[],
  hole: readonly number[],
): number {
  const inside = outers.flatMap((outer, i) => (isRingInside(points, outer, hole) ? [i] : []));
  const [first] = inside;
  return inside.reduce(
    (least, i) => (outers[i].every((p) => locateInRings([outers[least]], p) !== 'outside') ? i : least),
    first,
  );
}

function isRingInside(points: readonly ExactPoint[], outer: readonly ExactPoint[], hole: readonly number[]): boolean {
  for (const v of hole) {
    const where = locateInRings([outer], points[v]);
    if (where !== 'boundary') return where === 'inside';
  }
  for (const [k, v] of hole.entries()) {
    const where = locateInRings([outer], createMeanPoint([points[v], points[hole[(k + 1) % hole.length]]]));
    if (where !== 'boundary') return where === 'inside';
  }
  return false;
}

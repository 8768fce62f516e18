/**
 * The arrangement of closed polygons in the plane: every vertex, edge and crossing of their sides, each once, with the number
 * of polygons on both sides of every edge. Exact: nothing is moved, snapped or merged by a tolerance.
 *
 * 1. Sides whose boxes overlap are intersected; crossings become points that are known exactly (exact-point.ts), touching and
 *    overlapping sides cut each other at their ends.
 * 2. All points are sorted by x, then y; those that coincide become one vertex.
 * 3. Sides are cut at their vertices; pieces with the same two ends become one edge that remembers the sides on it.
 * 4. Edges are sorted around each vertex; a sweep from left to right finds the edge below each vertex, and with it how many
 *    polygons cover either side of each edge.
 *
 * Source: M. de Berg, O. Cheong, M. van Kreveld, M. Overmars, "Computational Geometry", 3rd edition, 2008, chapter 2,
 * doi:10.1007/978-3-540-77974-2.
 *
 * Half-edge 2e runs from the lower to the higher end of edge e in the order of the sweep, 2e + 1 back. Polygons are wound
 * counter-clockwise around what they cover. Cost: O((n + k) log n) for n sides with k crossings, in the usual case.
 * Tested by region.test.ts and trapezoid-map.test.ts.
 */
import { comparePoints, createLineCrossing, type ExactPoint, isBetween, orientPoints } from './exact-point.js';
import { visitSegmentPairs } from './segment-pairs.js';
import { neverStop, type StopCheck } from './stop-check.js';
import { SweepStatus } from './sweep-status.js';

/** A side of polygon `owner`, which lies on its left; `owner` is -1 for points that only cut. */
export interface Side {
  readonly a: ExactPoint;
  readonly b: ExactPoint;
  readonly owner: number;
}

export interface Arrangement {
  readonly points: readonly ExactPoint[];
  /** Lower and higher end of each edge: 2 vertices each, vertices in the order of the sweep. */
  readonly edgeEnds: Int32Array;
  readonly edgeCount: number;
  /** Sides on edge e: `edgeSides[edgeStarts[e]]` and on: owner * 2, plus 1 where the owner is below (right of the half-edge 2e). */
  readonly edgeStarts: Int32Array;
  readonly edgeSides: Int32Array;
  /** How many polygons cover what is below and above each edge (right and left of half-edge 2e). */
  readonly depthBelow: Int32Array;
  readonly depthAbove: Int32Array;
  /** Half-edges that leave vertex v, counter-clockwise from straight down: `around[aroundStarts[v]]` and on. */
  readonly aroundStarts: Int32Array;
  readonly around: Int32Array;
  /** Number of half-edges of v that lead to lower vertices; they come last in `around`. */
  readonly leftCounts: Int32Array;
  /** The edge straight below the vertex in the order of the sweep, -1 where there is none. */
  readonly edgeBelow: Int32Array;
  /** Vertex of each point that was given alone. */
  readonly placed: readonly number[];
}

/** Vertex at which a half-edge starts. */
export function startOf(arrangement: Arrangement, half: number): number {
  return arrangement.edgeEnds[half];
}

/** Vertex at which a half-edge ends. */
export function endOf(arrangement: Arrangement, half: number): number {
  return arrangement.edgeEnds[half ^ 1];
}

export function buildArrangement(
  sides: readonly Side[],
  alone: readonly ExactPoint[] = [],
  check: StopCheck = neverStop,
): Arrangement {
  const segments = sides.concat(alone.map((point) => ({ a: point, b: point, owner: -1 })));
  const { points, vertexOf, cuts } = findVertices(segments, check);
  const edges = cutSides(segments.slice(0, sides.length), points, vertexOf, cuts);
  const around = sortAround(points, edges.edgeEnds);
  const depths = sweepDepths(points, edges, around, check);
  const placed = alone.map((_, k) => vertexOf[2 * (sides.length + k)]);
  return { points, ...edges, ...around, ...depths, placed };
}

interface Vertices {
  readonly points: ExactPoint[];
  /** By end of segment. */
  readonly vertexOf: Int32Array;
  /** Vertices inside each segment, unordered, or null. */
  readonly cuts: (number[] | null)[];
}

function findVertices(segments: readonly Side[], check: StopCheck): Vertices {
  const count = segments.length;
  const all: ExactPoint[] = [];
  const ends = new Float64Array(4 * count);
  /** Number of each end's point: sides of a ring share them. */
  const pointOf = new Int32Array(2 * count);
  let error = 0;
  for (let i = 0; i < count; i++) {
    const { a, b } = segments[i];
    ends[4 * i] = a.x;
    ends[4 * i + 1] = a.y;
    ends[4 * i + 2] = b.x;
    ends[4 * i + 3] = b.y;
    error = Math.max(error, a.error, b.error);
    const isShared = i > 0 && segments[i - 1].b === a;
    pointOf[2 * i] = isShared ? pointOf[2 * i - 1] : all.push(a) - 1;
    pointOf[2 * i + 1] = all.push(b) - 1;
  }
  const cuts: (number[] | null)[] = new Array(count).fill(null);
  const cut = (segment: number, point: number) => {
    const list = cuts[segment];
    if (list === null) cuts[segment] = [point];
    else list.push(point);
  };
  let pairs = 0;
  visitSegmentPairs({ count, ends, error }, (i, j) => {
    if ((++pairs & 1023) === 0) check();
    intersectSides(segments, i, j, pointOf, all, cut);
  });
  check();
  const order = new Uint32Array(all.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  order.sort((i, j) => comparePoints(all[i], all[j]) || i - j);
  const vertexOfPoint = new Int32Array(all.length);
  const points: ExactPoint[] = [];
  for (const index of order) {
    if (points.length === 0 || comparePoints(points[points.length - 1], all[index]) !== 0) points.push(all[index]);
    vertexOfPoint[index] = points.length - 1;
  }
  for (const list of cuts) if (list !== null) for (let k = 0; k < list.length; k++) list[k] = vertexOfPoint[list[k]];
  return { points, vertexOf: pointOf.map((point) => vertexOfPoint[point]), cuts };
}

function intersectSides(
  segments: readonly Side[],
  i: number,
  j: number,
  pointOf: Int32Array,
  all: ExactPoint[],
  cut: (segment: number, point: number) => void,
): void {
  const { a, b } = segments[i];
  const { a: c, b: d } = segments[j];
  if (a === b && c === d) return;
  // Neighbours of a ring have no other point in common, unless they lie on one line.
  if (b === c && orientPoints(a, b, d) !== 0) return;
  if (a === d && orientPoints(b, a, c) !== 0) return;
  const sideC = orientPoints(a, b, c);
  const sideD = orientPoints(a, b, d);
  if (sideC * sideD > 0) return;
  const sideA = orientPoints(c, d, a);
  const sideB = orientPoints(c, d, b);
  if (sideA * sideB > 0) return;
  if (sideC * sideD < 0 && sideA * sideB < 0) {
    all.push(createLineCrossing(a, b, c, d));
    cut(i, all.length - 1);
    cut(j, all.length - 1);
    return;
  }
  if (sideC === 0 && isBetween(a, b, c)) cut(i, pointOf[2 * j]);
  if (sideD === 0 && isBetween(a, b, d)) cut(i, pointOf[2 * j + 1]);
  if (sideA === 0 && isBetween(c, d, a)) cut(j, pointOf[2 * i]);
  if (sideB === 0 && isBetween(c, d, b)) cut(j, pointOf[2 * i + 1]);
}

type Edges = Pick<Arrangement, 'edgeEnds' | 'edgeCount' | 'edgeStarts' | 'edgeSides'>;

/** Vertices are numbered in the order of the sweep, so along a side they are sorted by number. */
function cutSides(
  sides: readonly Side[],
  points: readonly ExactPoint[],
  vertexOf: Int32Array,
  cuts: readonly (number[] | null)[],
): Edges {
  const low: number[] = [];
  const high: number[] = [];
  const tag: number[] = [];
  for (let i = 0; i < sides.length; i++) {
    const u = vertexOf[2 * i];
    const v = vertexOf[2 * i + 1];
    if (u === v) continue;
    const forward = u < v;
    const label = 2 * sides[i].owner + (forward ? 0 : 1);
    const list = cuts[i];
    let from = Math.min(u, v);
    const to = Math.max(u, v);
    if (list !== null) {
      list.sort((p, q) => p - q);
      for (const w of list) {
        if (w <= from || w >= to) continue;
        low.push(from);
        high.push(w);
        tag.push(label);
        from = w;
      }
    }
    low.push(from);
    high.push(to);
    tag.push(label);
  }
  // By lower end, then higher end: pieces of one edge are neighbours. Two passes of a counting sort.
  const byHigh = countingSort(high, points.length);
  const order = countingSort(low, points.length, byHigh);
  const ends: number[] = [];
  const starts: number[] = [];
  const edgeSides = new Int32Array(tag.length);
  for (let k = 0; k < order.length; k++) {
    const piece = order[k];
    const isNew = k === 0 || low[piece] !== low[order[k - 1]] || high[piece] !== high[order[k - 1]];
    if (isNew) {
      ends.push(low[piece], high[piece]);
      starts.push(k);
    }
    edgeSides[k] = tag[piece];
  }
  starts.push(order.length);
  return {
    edgeEnds: Int32Array.from(ends),
    edgeCount: ends.length / 2,
    edgeStarts: Int32Array.from(starts),
    edgeSides,
  };
}

function countingSort(keys: ArrayLike<number>, range: number, order?: Int32Array): Int32Array {
  const starts = new Int32Array(range + 1);
  for (let i = 0; i < keys.length; i++) starts[keys[i] + 1]++;
  for (let key = 0; key < range; key++) starts[key + 1] += starts[key];
  const sorted = new Int32Array(keys.length);
  for (let k = 0; k < keys.length; k++) {
    const i = order === undefined ? k : order[k];
    sorted[starts[keys[i]]++] = i;
  }
  return sorted;
}

export type Around = Pick<Arrangement, 'aroundStarts' | 'around' | 'leftCounts'>;

/** Right-going half-edges by slope from below, then left-going ones counter-clockwise. */
export function sortAround(points: readonly ExactPoint[], edgeEnds: Int32Array): Around {
  const halves = edgeEnds.length;
  const aroundStarts = new Int32Array(points.length + 1);
  for (let half = 0; half < halves; half++) aroundStarts[edgeEnds[half] + 1]++;
  for (let v = 0; v < points.length; v++) aroundStarts[v + 1] += aroundStarts[v];
  const around = new Int32Array(halves);
  const filled = aroundStarts.slice(0, -1);
  const leftCounts = new Int32Array(points.length);
  for (let half = 0; half < halves; half += 2) around[filled[edgeEnds[half]]++] = half;
  for (let half = 1; half < halves; half += 2) {
    around[filled[edgeEnds[half]]++] = half;
    leftCounts[edgeEnds[half]]++;
  }
  for (let v = 0; v < points.length; v++) {
    const middle = aroundStarts[v + 1] - leftCounts[v];
    const compare = (g: number, h: number) =>
      -orientPoints(points[v], points[edgeEnds[g ^ 1]], points[edgeEnds[h ^ 1]]);
    if (middle - aroundStarts[v] > 1) around.subarray(aroundStarts[v], middle).sort(compare);
    if (leftCounts[v] > 1) around.subarray(middle, aroundStarts[v + 1]).sort(compare);
  }
  return { aroundStarts, around, leftCounts };
}

type Depths = Pick<Arrangement, 'depthBelow' | 'depthAbove' | 'edgeBelow'>;

function sweepDepths(points: readonly ExactPoint[], edges: Edges, sorted: Around, check: StopCheck): Depths {
  const { edgeEnds, edgeCount, edgeStarts, edgeSides } = edges;
  const { aroundStarts, around, leftCounts } = sorted;
  const depthBelow = new Int32Array(edgeCount);
  const depthAbove = new Int32Array(edgeCount);
  const edgeBelow = new Int32Array(points.length);
  const status = new SweepStatus(edgeCount);
  for (let v = 0; v < points.length; v++) {
    if ((v & 1023) === 0) check();
    const first = aroundStarts[v];
    const end = aroundStarts[v + 1];
    const middle = end - leftCounts[v];
    let below: number;
    if (middle < end) {
      // Counter-clockwise on the left goes from the highest to the lowest.
      below = status.previous(around[end - 1] >> 1);
      for (let k = middle; k < end; k++) status.remove(around[k] >> 1);
    } else {
      below = status.findBelow(
        (e) => orientPoints(points[edgeEnds[2 * e]], points[edgeEnds[2 * e + 1]], points[v]) > 0,
      );
    }
    edgeBelow[v] = below;
    let depth = below < 0 ? 0 : depthAbove[below];
    let after = below;
    for (let k = first; k < middle; k++) {
      const e = around[k] >> 1;
      depthBelow[e] = depth;
      for (let s = edgeStarts[e]; s < edgeStarts[e + 1]; s++) depth += edgeSides[s] & 1 ? -1 : 1;
      depthAbove[e] = depth;
      status.insertAfter(after, e);
      after = e;
    }
  }
  return { depthBelow, depthAbove, edgeBelow };
}

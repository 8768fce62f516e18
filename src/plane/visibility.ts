/**
 * What a vertex sees in the free space of a trapezoid map, among open pieces (touching does not hide).
 *
 * From the trapezoids beside the vertex the view goes on through openings, to the right and to the left, as a cone between two vertices that
 * it has passed. An opening's vertices narrow the cone; edges need no look, because a trapezoid's own vertices lie beyond its edges and a
 * line is straight. A vertex on the border of a trapezoid is seen if it lies in the cone. Views never return, so a trapezoid is
 * visited once for each gap through which it is seen.
 *
 * Where obstacles touch each other in a point, or leave a slot of no width, there is no opening, but there is a way: `hasPinches`; views
 * are not complete then. Segments that pass a vertex on their way may be left out: both halves are seen.
 *
 * In place of the rotational sweep, whose cost is that of all edges for each vertex: this is the expansion of J. O'Rourke, "Computational
 * Geometry in C", 1998, section 8, and of F. Bungiu et al., "Efficient computation of visibility polygons", arXiv:1403.3905, over trapezoids
 * in place of triangles. Cost: O(what is seen) for each vertex. Tested by visibility.test.ts.
 */
import { compareX, type ExactPoint, orientPoints } from './exact-point.js';
import type { TrapezoidMap } from './trapezoid-map.js';

export class VisibilityView {
  /** Whether free places are joined by points or lines only somewhere. */
  readonly hasPinches: boolean;
  private readonly openingsRight: Lists;
  private readonly openingsLeft: Lists;
  private readonly verticesOf: Lists;
  private readonly trapezoidsOf: Lists;

  constructor(private readonly map: TrapezoidMap) {
    const { openings, openingCount, trapezoidCount, contacts, arrangement } = map;
    const rights: number[] = [];
    const lefts: number[] = [];
    for (let o = 0; o < openingCount; o++) {
      rights.push(openings[5 * o], o);
      lefts.push(openings[5 * o + 1], o);
    }
    this.openingsRight = new Lists(rights, trapezoidCount);
    this.openingsLeft = new Lists(lefts, trapezoidCount);
    const swapped: number[] = [];
    for (let k = 0; k < contacts.length; k += 2) swapped.push(contacts[k + 1], contacts[k]);
    this.verticesOf = new Lists(swapped, trapezoidCount);
    this.trapezoidsOf = new Lists(Array.from(contacts), arrangement.points.length);
    this.hasPinches = findPinch(map);
  }

  /** Calls `see` for every vertex that vertex v sees, perhaps several times. */
  visit(v: number, see: (vertex: number) => void): void {
    const { points } = this.map.arrangement;
    const p = points[v];
    const { starts, items } = this.trapezoidsOf;
    for (let k = starts[v]; k < starts[v + 1]; k++) {
      const t = items[k];
      const isOnLeft = compareX(points[this.map.trapezoids[4 * t + 2]], p) === 0;
      this.spread(v, p, t, isOnLeft, see);
    }
  }

  private spread(v: number, p: ExactPoint, first: number, isRight: boolean, see: (vertex: number) => void): void {
    const { trapezoids, openings, arrangement } = this.map;
    const { points } = arrangement;
    const { starts, items } = isRight ? this.openingsRight : this.openingsLeft;
    const near = this.verticesOf;
    // To the right a higher point is to the left of a line from p, to the left it is to the right of it.
    const up = isRight ? 1 : -1;
    const stack = [first, NONE, NONE];
    while (stack.length > 0) {
      const high = stack.pop()!;
      const low = stack.pop()!;
      const t = stack.pop()!;
      const far = points[trapezoids[4 * t + (isRight ? 3 : 2)]];
      for (let k = near.starts[t]; k < near.starts[t + 1]; k++) {
        const w = near.items[k];
        if (w === v) continue;
        const isBeside = t === first && compareX(points[w], p) === 0;
        if (!isBeside && compareX(points[w], far) !== 0) continue;
        if (!isBeside && low !== NONE && up * orientPoints(p, points[low], points[w]) < 0) continue;
        if (!isBeside && high !== NONE && up * orientPoints(p, points[high], points[w]) > 0) continue;
        see(w);
      }
      for (let k = starts[t]; k < starts[t + 1]; k++) {
        const o = items[k];
        const bottom = openings[5 * o + 2];
        const top = openings[5 * o + 3];
        let nextLow = low;
        let nextHigh = high;
        if (bottom >= 0 && (low === NONE || up * orientPoints(p, points[low], points[bottom]) > 0)) nextLow = bottom;
        if (top >= 0 && (high === NONE || up * orientPoints(p, points[high], points[top]) < 0)) nextHigh = top;
        if (nextLow !== NONE && nextHigh !== NONE && up * orientPoints(p, points[nextLow], points[nextHigh]) < 0)
          continue;
        stack.push(openings[5 * o + (isRight ? 1 : 0)], nextLow, nextHigh);
      }
    }
  }
}

const NONE = -1;

/** Lists of numbers by key, from pairs key, number. */
class Lists {
  readonly starts: Int32Array;
  readonly items: Int32Array;

  constructor(pairs: readonly number[], count: number) {
    this.starts = new Int32Array(count + 1);
    for (let k = 0; k < pairs.length; k += 2) this.starts[pairs[k] + 1]++;
    for (let i = 0; i < count; i++) this.starts[i + 1] += this.starts[i];
    const filled = this.starts.slice(0, -1);
    this.items = new Int32Array(pairs.length / 2);
    for (let k = 0; k < pairs.length; k += 2) this.items[filled[pairs[k]]++] = pairs[k + 1];
  }
}

/** Coverage of the sector that follows half-edge `half` counter-clockwise. */
const isCoveredLeft = ({ depthAbove, depthBelow }: TrapezoidMap['arrangement'], half: number) =>
  ((half & 1) === 0 ? depthAbove[half >> 1] : depthBelow[half >> 1]) > 0;

function findPinch({ arrangement, isEdgeFree, isVertexFree }: TrapezoidMap): boolean {
  const { edgeCount, depthAbove, depthBelow, points, aroundStarts, around } = arrangement;
  for (let e = 0; e < edgeCount; e++) if (isEdgeFree[e] && depthAbove[e] > 0 && depthBelow[e] > 0) return true;
  for (let v = 0; v < points.length; v++) {
    if (!isVertexFree[v]) continue;
    let changes = 0;
    for (let k = aroundStarts[v]; k < aroundStarts[v + 1]; k++) {
      const before = k === aroundStarts[v] ? aroundStarts[v + 1] - 1 : k - 1;
      if (isCoveredLeft(arrangement, around[k]) !== isCoveredLeft(arrangement, around[before])) changes++;
    }
    if (changes > 2) return true;
  }
  return false;
}

/** A corner at which a shortest path may turn: the ends of the two edges beside what is covered there. */
export interface TurnCorner {
  readonly vertex: number;
  readonly before: ExactPoint;
  readonly after: ExactPoint;
}

/** Free vertices at which one covered sector of less than half a turn lies. */
export function listTurnCorners({ arrangement, isVertexFree }: TrapezoidMap): TurnCorner[] {
  const { points, edgeEnds, aroundStarts, around } = arrangement;
  const corners: TurnCorner[] = [];
  for (let v = 0; v < points.length; v++) {
    if (!isVertexFree[v]) continue;
    const begin = aroundStarts[v];
    const end = aroundStarts[v + 1];
    let first = NONE;
    let last = NONE;
    for (let k = begin; k < end; k++) {
      const isCovered = isCoveredLeft(arrangement, around[k]);
      const wasCovered = isCoveredLeft(arrangement, around[k === begin ? end - 1 : k - 1]);
      if (isCovered && !wasCovered) first = around[k];
      if (!isCovered && wasCovered) last = around[k];
    }
    if (first === NONE || last === NONE) continue;
    const before = points[edgeEnds[first ^ 1]];
    const after = points[edgeEnds[last ^ 1]];
    // Covered counter-clockwise from the first to the last: less than half a turn.
    if (orientPoints(points[v], before, after) > 0) corners.push({ vertex: v, before, after });
  }
  return corners;
}

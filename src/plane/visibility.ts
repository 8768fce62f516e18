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
  /** Vertices on the right and on the left side of each trapezoid. */
  private readonly verticesRight: Lists;
  private readonly verticesLeft: Lists;
  private readonly trapezoidsOf: Lists;
  /** Doubles near the points, in a row each, and by how much these may be off at most. */
  private readonly xs: Float64Array;
  private readonly ys: Float64Array;
  private readonly error: number;
  /** Trapezoid, lower and upper vertex of the cone: of what is still to be looked at. */
  private stack = new Int32Array(3 << 8);

  constructor(private readonly map: TrapezoidMap) {
    const { openings, openingCount, trapezoidCount, trapezoids, contacts, arrangement } = map;
    const { points } = arrangement;
    const rights: number[] = [];
    const lefts: number[] = [];
    for (let o = 0; o < openingCount; o++) {
      rights.push(openings[5 * o], o);
      lefts.push(openings[5 * o + 1], o);
    }
    this.openingsRight = new Lists(rights, trapezoidCount);
    this.openingsLeft = new Lists(lefts, trapezoidCount);
    const onRight: number[] = [];
    const onLeft: number[] = [];
    for (let k = 0; k < contacts.length; k += 2) {
      const [v, t] = [contacts[k], contacts[k + 1]];
      if (compareX(points[v], points[trapezoids[4 * t + 3]]) === 0) onRight.push(t, v);
      if (compareX(points[v], points[trapezoids[4 * t + 2]]) === 0) onLeft.push(t, v);
    }
    this.verticesRight = new Lists(onRight, trapezoidCount);
    this.verticesLeft = new Lists(onLeft, trapezoidCount);
    this.trapezoidsOf = new Lists(Array.from(contacts), points.length);
    this.xs = Float64Array.from(points, ({ x }) => x);
    this.ys = Float64Array.from(points, ({ y }) => y);
    this.error = points.reduce((most, { error }) => Math.max(most, error), 0);
    this.hasPinches = findPinch(map);
  }

  /** Calls `see` for every vertex that vertex v sees, perhaps several times. */
  visit(v: number, see: (vertex: number) => void): void {
    this.look(v, true, see);
  }

  /** The same without what lies to the left: pairs are seen from one end each. */
  visitRight(v: number, see: (vertex: number) => void): void {
    this.look(v, false, see);
  }

  private look(v: number, isAround: boolean, see: (vertex: number) => void): void {
    const { points } = this.map.arrangement;
    const { starts, items } = this.trapezoidsOf;
    for (let k = starts[v]; k < starts[v + 1]; k++) {
      const t = items[k];
      const isRight = compareX(points[this.map.trapezoids[4 * t + 2]], points[v]) === 0;
      const beside = isRight ? this.verticesLeft : this.verticesRight;
      for (let i = beside.starts[t]; i < beside.starts[t + 1]; i++) if (beside.items[i] !== v) see(beside.items[i]);
      if (isRight || isAround) this.spread(v, t, isRight, see);
    }
  }

  /** Side of vertex c from the line of a and b: as `orientPoints`, which is asked where doubles do not tell. */
  private turn(a: number, b: number, c: number): number {
    const { xs, ys, error } = this;
    const ux = xs[b] - xs[a];
    const uy = ys[b] - ys[a];
    const wx = xs[c] - xs[a];
    const wy = ys[c] - ys[a];
    const left = ux * wy;
    const right = uy * wx;
    const det = left - right;
    let bound = TURN_ERROR * (Math.abs(left) + Math.abs(right));
    if (error > 0) bound += 4 * error * (Math.abs(ux) + Math.abs(uy) + Math.abs(wx) + Math.abs(wy) + 4 * error);
    if (det > bound || -det > bound) return det;
    const { points } = this.map.arrangement;
    return orientPoints(points[a], points[b], points[c]);
  }

  private spread(v: number, first: number, isRight: boolean, see: (vertex: number) => void): void {
    const { openings } = this.map;
    const { starts, items } = isRight ? this.openingsRight : this.openingsLeft;
    const near = isRight ? this.verticesRight : this.verticesLeft;
    // To the right a higher point is to the left of a line from v, to the left it is to the right of it.
    const up = isRight ? 1 : -1;
    const beyond = isRight ? 1 : 0;
    let { stack } = this;
    let size = 3;
    stack[0] = first;
    stack[1] = NONE;
    stack[2] = NONE;
    while (size > 0) {
      size -= 3;
      const t = stack[size];
      const low = stack[size + 1];
      const high = stack[size + 2];
      // Where the cone's sides leave a vertex: most trapezoids have one there, which is also the corner of their openings.
      let last = NONE;
      let aboveLow = 1;
      let belowHigh = 1;
      for (let k = near.starts[t]; k < near.starts[t + 1]; k++) {
        const w = near.items[k];
        if (w === v) continue;
        last = w;
        aboveLow = low === NONE ? 1 : w === low ? 0 : up * this.turn(v, low, w);
        belowHigh = high === NONE ? 1 : w === high ? 0 : -up * this.turn(v, high, w);
        if (aboveLow >= 0 && belowHigh >= 0) see(w);
      }
      for (let k = starts[t]; k < starts[t + 1]; k++) {
        const o = 5 * items[k];
        const bottom = openings[o + 2];
        const top = openings[o + 3];
        let nextLow = low;
        let nextHigh = high;
        if (bottom >= 0) {
          const over =
            bottom === last ? aboveLow : low === NONE ? 1 : bottom === low ? 0 : up * this.turn(v, low, bottom);
          if (over > 0 || low === NONE) nextLow = bottom;
        }
        if (top >= 0) {
          const under = top === last ? belowHigh : high === NONE ? 1 : top === high ? 0 : -up * this.turn(v, high, top);
          if (under > 0 || high === NONE) nextHigh = top;
        }
        // A cone that was there is not empty.
        if ((nextLow !== low || nextHigh !== high) && nextLow !== NONE && nextHigh !== NONE) {
          const width =
            nextLow === last && nextHigh === high
              ? belowHigh
              : nextHigh === last && nextLow === low
                ? aboveLow
                : up * this.turn(v, nextLow, nextHigh);
          if (width < 0) continue;
        }
        if (size + 3 > stack.length) {
          this.stack = new Int32Array(2 * stack.length);
          this.stack.set(stack);
          stack = this.stack;
        }
        stack[size] = openings[o + beyond];
        stack[size + 1] = nextLow;
        stack[size + 2] = nextHigh;
        size += 3;
      }
    }
  }
}

/** Per unit of the two products: above what rounding takes from the sign of their difference. */
const TURN_ERROR = 4 * 2 ** -52;
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

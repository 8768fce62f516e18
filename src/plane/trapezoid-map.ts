/**
 * The free part of the plane among convex pieces as trapezoids with vertical sides, and the roadmap through them.
 *
 * 1. The arrangement of all pieces says how many of them cover each side of each edge (arrangement.ts).
 * 2. A sweep from left to right, all vertices of one x at once, cuts what no piece covers at every vertex: trapezoids of
 *    positive width, and on the line at each x the openings between a trapezoid on the left and one on the right.
 * 3. Nodes of the roadmap are trapezoids, openings, and those vertices and edges that are free themselves: all of them where
 *    touching is free, else those of the bounds, start and goal. A trapezoid is joined with its openings and the free
 *    vertices and edges on its border, an edge with its ends.
 *
 * Every free point lies in a trapezoid, an opening, or on a free edge or vertex, and reaches that node by a straight line; two
 * nodes are connected exactly if the points are, since neighbours share border points and nothing else is free. So "no path"
 * is a theorem. Nothing outside of the strips around the bounds is cut.
 *
 * Source: de Berg et al., "Computational Geometry", 3rd edition, 2008, sections 6.1 and 13.2, doi:10.1007/978-3-540-77974-2;
 * J.-P. Laumond's two properties of a roadmap (reachable, connected as the free space is): S. LaValle, "Planning Algorithms",
 * 2006, section 6.1, doi:10.1017/CBO9780511546877.
 *
 * Cost: O((n + k) log n) for n sides with k crossings. Tested by trapezoid-map.test.ts.
 */
import { type Arrangement, buildArrangement, type Side } from './arrangement.js';
import { compareX, type ExactPoint, orientPoints } from './exact-point.js';
import type { Piece } from './pieces.js';
import { neverStop, type StopCheck } from './stop-check.js';
import { SweepStatus } from './sweep-status.js';

export interface TrapezoidMap {
  readonly arrangement: Arrangement;
  readonly pieces: readonly Piece[];
  /** Edges below and above each trapezoid, and the vertices whose x its left and right sides have: 4 numbers each. */
  readonly trapezoids: Int32Array;
  readonly trapezoidCount: number;
  /** Trapezoid on the left and on the right, then what bounds the opening below and above: vertex v as v, edge e as -1 - e,
   *  then a vertex with its x: 5 numbers each. */
  readonly openings: Int32Array;
  readonly openingCount: number;
  readonly isEdgeFree: Uint8Array;
  readonly isVertexFree: Uint8Array;
  /** Trapezoids on whose border each vertex lies, in pairs vertex, trapezoid, of free vertices. */
  readonly contacts: Int32Array;
}

const NONE = -1;

export function buildMap(
  pieces: readonly Piece[],
  alone: readonly ExactPoint[] = [],
  check: StopCheck = neverStop,
): TrapezoidMap {
  const sides: Side[] = [];
  for (let owner = 0; owner < pieces.length; owner++) {
    const { corners } = pieces[owner];
    for (let i = 0; i < corners.length; i++)
      sides.push({ a: corners[i], b: corners[i + 1 === corners.length ? 0 : i + 1], owner });
  }
  const arrangement = buildArrangement(sides, alone, check);
  const isEdgeFree = findFreeEdges(arrangement, pieces);
  const isVertexFree = findFreeVertices(arrangement, pieces);
  return { arrangement, pieces, isEdgeFree, isVertexFree, ...sweepTrapezoids(arrangement, isVertexFree, check) };
}

/** An edge is free where no piece covers its inside and no closed piece has a side on it. */
function findFreeEdges(arrangement: Arrangement, pieces: readonly Piece[]): Uint8Array {
  const { edgeCount, edgeStarts, edgeSides, depthAbove } = arrangement;
  const isFree = new Uint8Array(edgeCount);
  for (let e = 0; e < edgeCount; e++) {
    let covering = depthAbove[e];
    let isClosed = false;
    for (let s = edgeStarts[e]; s < edgeStarts[e + 1]; s++) {
      if ((edgeSides[s] & 1) === 0) covering--;
      if (!pieces[edgeSides[s] >> 1].isOpen) isClosed = true;
    }
    isFree[e] = covering === 0 && !isClosed ? 1 : 0;
  }
  return isFree;
}

function findFreeVertices(arrangement: Arrangement, pieces: readonly Piece[]): Uint8Array {
  const { points, aroundStarts, around, edgeStarts, edgeSides, depthAbove, edgeBelow } = arrangement;
  const isFree = new Uint8Array(points.length);
  /** Of the pieces with sides at the vertex: whether the start of the sector just below the first half-edge is covered. */
  const covers = new Map<number, boolean>();
  for (let v = 0; v < points.length; v++) {
    const below = edgeBelow[v];
    let covering = below < 0 ? 0 : depthAbove[below];
    // The sector straight below the vertex: the pieces that cover it and have no corner or side here cover the vertex.
    covers.clear();
    let isClosed = false;
    for (let k = aroundStarts[v]; k < aroundStarts[v + 1]; k++) {
      const half = around[k];
      for (let s = edgeStarts[half >> 1]; s < edgeStarts[(half >> 1) + 1]; s++) {
        const owner = edgeSides[s] >> 1;
        // Counter-clockwise across the half-edge: the piece begins where it lies on the left of it.
        if (!covers.has(owner)) covers.set(owner, (edgeSides[s] & 1) !== (half & 1));
        if (!pieces[owner].isOpen) isClosed = true;
      }
    }
    for (const coversBelow of covers.values()) if (coversBelow) covering--;
    isFree[v] = covering === 0 && !isClosed ? 1 : 0;
  }
  return isFree;
}

type Sweep = Pick<TrapezoidMap, 'trapezoids' | 'trapezoidCount' | 'openings' | 'openingCount' | 'contacts'>;

function sweepTrapezoids(arrangement: Arrangement, isVertexFree: Uint8Array, check: StopCheck): Sweep {
  const { points } = arrangement;
  const sweep = new TrapezoidSweep(arrangement, isVertexFree);
  for (let first = 0; first < points.length; ) {
    let end = first + 1;
    while (end < points.length && compareX(points[first], points[end]) === 0) end++;
    if ((first & 255) === 0) check();
    sweep.advance(first, end);
    first = end;
  }
  return sweep.finish();
}

/** Neighbouring vertices of one line with no edge between them that goes past: what lies between two edges that do. */
interface Run {
  readonly below: number;
  readonly vertices: number[];
}

class TrapezoidSweep {
  private readonly status: SweepStatus;
  /** The open trapezoid above each edge of the status. */
  private readonly openAbove: Int32Array;
  private readonly trapezoids: number[] = [];
  private readonly openings: number[] = [];
  private readonly contacts: number[] = [];

  constructor(
    private readonly arrangement: Arrangement,
    private readonly isVertexFree: Uint8Array,
  ) {
    this.status = new SweepStatus(arrangement.edgeCount);
    this.openAbove = new Int32Array(arrangement.edgeCount).fill(NONE);
  }

  finish(): Sweep {
    return {
      trapezoids: Int32Array.from(this.trapezoids),
      trapezoidCount: this.trapezoids.length / 4,
      openings: Int32Array.from(this.openings),
      openingCount: this.openings.length / 5,
      contacts: Int32Array.from(this.contacts),
    };
  }

  /** Vertices `first` to `end`, all of one x, from below. */
  advance(first: number, end: number): void {
    let run: Run | null = null;
    for (let v = first; v < end; v++) {
      const below = this.findEdgeBelow(v, run);
      if (run !== null && below === run.below) {
        run.vertices.push(v);
        continue;
      }
      if (run !== null) this.closeRun(run);
      run = { below, vertices: [v] };
    }
    if (run !== null) this.closeRun(run);
  }

  /**
   * The edge of the status below a vertex that goes past the line. One that ends on the line belongs to a vertex of the last
   * run: then the edge below is that run's.
   */
  private findEdgeBelow(v: number, run: Run | null): number {
    const { points, edgeEnds, leftCounts, aroundStarts, around } = this.arrangement;
    let below = NONE;
    let isKnown = false;
    for (let k = aroundStarts[v + 1] - 1; k >= aroundStarts[v + 1] - leftCounts[v] && !isKnown; k--) {
      if (compareX(points[edgeEnds[around[k] ^ 1]], points[v]) === 0) continue;
      below = this.status.previous(around[k] >> 1);
      isKnown = true;
    }
    if (!isKnown)
      below = this.status.findBelow(
        (e) => orientPoints(points[edgeEnds[2 * e]], points[edgeEnds[2 * e + 1]], points[v]) > 0,
      );
    const isEnding = below !== NONE && compareX(points[edgeEnds[2 * below + 1]], points[v]) === 0;
    return isEnding && run !== null ? run.below : below;
  }

  private closeRun({ below, vertices }: Run): void {
    const { points, edgeEnds, leftCounts, aroundStarts, around } = this.arrangement;
    const { status, openAbove } = this;
    const lineVertex = vertices[0];
    const isVertical = (half: number) => compareX(points[edgeEnds[half ^ 1]], points[lineVertex]) === 0;
    /** Trapezoids left of the line, from below, one for each stretch between vertices and the two ends. */
    const leftOf: number[] = [];
    const joined: boolean[] = [];
    const ending: number[] = [];
    let current = below === NONE ? NONE : openAbove[below];
    const lefts: number[][] = [];
    const rights: number[][] = [];
    leftOf.push(current);
    for (const [i, v] of vertices.entries()) {
      const end = aroundStarts[v + 1];
      const middle = end - leftCounts[v];
      const left: number[] = [];
      for (let k = end - 1; k >= middle; k--) if (!isVertical(around[k])) left.push(around[k] >> 1);
      const right: number[] = [];
      let isJoined = false;
      for (let k = aroundStarts[v]; k < middle; k++) {
        if (isVertical(around[k])) isJoined = i + 1 < vertices.length;
        else right.push(around[k] >> 1);
      }
      lefts.push(left);
      rights.push(right);
      ending.push(...left);
      if (left.length > 0) current = openAbove[left[left.length - 1]];
      leftOf.push(current);
      joined.push(isJoined);
    }
    for (const [i, v] of vertices.entries()) {
      this.touch(v, leftOf[i]);
      for (const e of lefts[i]) this.touch(v, openAbove[e]);
    }
    this.closeTrapezoid(leftOf[0], lineVertex);
    for (const e of ending) this.closeTrapezoid(openAbove[e], lineVertex);
    for (const e of ending) status.remove(e);
    let after = below;
    for (const right of rights)
      for (const e of right) {
        status.insertAfter(after, e);
        after = e;
      }
    const above = status.next(after);
    let rightCurrent = this.openTrapezoid(below, status.next(below), lineVertex);
    const rightOf = [rightCurrent];
    for (const right of rights) {
      for (const e of right) rightCurrent = this.openTrapezoid(e, status.next(e), lineVertex);
      rightOf.push(rightCurrent);
    }
    for (const [i, v] of vertices.entries()) {
      this.touch(v, rightOf[i]);
      for (const e of rights[i]) this.touch(v, openAbove[e]);
    }
    for (let i = 0; i <= vertices.length; i++) {
      if (leftOf[i] === NONE || rightOf[i] === NONE) continue;
      if (i > 0 && i < vertices.length && joined[i - 1]) continue;
      const bottom = i === 0 ? -1 - below : vertices[i - 1];
      const top = i === vertices.length ? -1 - above : vertices[i];
      this.openings.push(leftOf[i], rightOf[i], bottom, top, lineVertex);
    }
  }

  private touch(v: number, trapezoid: number): void {
    if (trapezoid === NONE || !this.isVertexFree[v]) return;
    const n = this.contacts.length;
    if (n > 0 && this.contacts[n - 2] === v && this.contacts[n - 1] === trapezoid) return;
    this.contacts.push(v, trapezoid);
  }

  private openTrapezoid(lower: number, upper: number, vertex: number): number {
    if (lower === NONE) return NONE;
    this.openAbove[lower] = NONE;
    if (upper === NONE || this.arrangement.depthAbove[lower] !== 0) return NONE;
    const trapezoid = this.trapezoids.length / 4;
    this.trapezoids.push(lower, upper, vertex, NONE);
    this.openAbove[lower] = trapezoid;
    return trapezoid;
  }

  private closeTrapezoid(trapezoid: number, vertex: number): void {
    if (trapezoid !== NONE) this.trapezoids[4 * trapezoid + 3] = vertex;
  }
}

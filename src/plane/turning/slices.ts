/**
 * The free space of a turning body as slices and slabs, and the way through them.
 *
 * 1. Angles cut the turn. At each cut the free places of the body at just that angle, a slice, are a trapezoid map; between two cuts the
 *    free places of a polygon that contains the body at all angles between, a slab, are another.
 * 2. A place in a slab joins the trapezoids around it in the two slices beside: there the body turns from one cut to the next.
 * 3. The shortest way along slices and over slabs is searched by Dijkstra's algorithm; turning counts as what the body's farthest
 *    point travels.
 *
 * So every way is free at every angle, between the cuts too; what is missed shrinks with the slabs. `complete` it is not: where no way
 * is found slabs may be too wide.
 *
 * Source: T. Lozano-Perez, "Spatial planning: a configuration space approach", IEEE Transactions on Computers C-32, 1983,
 * doi:10.1109/TC.1983.1676196, section on slices; R. A. Brooks, T. Lozano-Perez 1985 (turned-part.ts).
 *
 * Angles in radians within [0, 2 pi). Cost: two maps for each cut. Tested by plan-turning.test.ts.
 */
import { hypot } from '../../math/scalar.js';
import { meetsBounds } from '../configuration-pieces.js';
import { createExactPoint, type ExactPoint } from '../exact-point.js';
import { decomposeFree, type FreeCells } from '../free-space.js';
import {
  createOutside,
  createSumPiece,
  forbidsPoint,
  forbidsSegment,
  type Piece,
  type PlaneBounds,
} from '../pieces.js';
import { NodeQueue } from '../roadmap.js';
import type { StopCheck } from '../stop-check.js';
import { TURN } from './pose-boxes.js';
import { surroundTurned } from './turned-part.js';
import type { PlanePose, TurningParts } from './turning-problem.js';

interface Slab {
  readonly from: number;
  readonly to: number;
  readonly cells: FreeCells;
}

export class Slices {
  /** Angles of the cuts, ascending. */
  cuts: number[];
  /** The narrowest slab and the widest of those that were searched to the end; a whole turn before. */
  searched: readonly [number, number] = [TURN, TURN];
  private readonly slices = new Map<number, FreeCells>();
  private readonly slabs = new Map<string, Slab>();

  constructor(
    private readonly parts: TurningParts,
    private readonly bounds: PlaneBounds,
    private readonly isOpen: boolean,
    cuts: readonly number[],
    private readonly check: StopCheck,
  ) {
    this.cuts = [...new Set(cuts)].sort((a, b) => a - b);
  }

  get mapCount(): number {
    return this.slices.size + this.slabs.size;
  }

  /** Of the slabs as they are cut now. */
  private get range(): readonly [number, number] {
    const widths = this.cuts.map((cut, i) => this.endOf(i) - cut);
    return [Math.min(...widths), Math.max(...widths)];
  }

  /** The slab above a cut ends at the next one, beyond the whole turn for the last. */
  private endOf(i: number): number {
    return i + 1 < this.cuts.length ? this.cuts[i + 1] : this.cuts[0] + TURN;
  }

  /** Cuts slabs that hold an angle of `[from, to]` and are wider than `least` in `pieces`. */
  refine(ranges: readonly (readonly [number, number])[], least: number, pieces = 2): number {
    const added: number[] = [];
    for (const [i, from] of this.cuts.entries()) {
      const to = this.endOf(i);
      if (to - from <= least) continue;
      const isMeant = ranges.some(([a, b]) => [0, TURN].some((turn) => a + turn < to && b + turn > from));
      if (!isMeant) continue;
      for (let k = 1; k < pieces; k++) {
        const cut = from + ((to - from) * k) / pieces;
        added.push(cut >= TURN ? cut - TURN : cut);
      }
    }
    this.cuts = [...new Set([...this.cuts, ...added])].sort((a, b) => a - b);
    return added.length;
  }

  sliceAt(cut: number): FreeCells {
    let cells = this.slices.get(cut);
    if (cells === undefined) {
      cells = this.decompose(cut, cut);
      this.slices.set(cut, cells);
    }
    return cells;
  }

  slabAbove(i: number): Slab {
    const from = this.cuts[i];
    const to = this.endOf(i);
    const key = `${from} ${to}`;
    let slab = this.slabs.get(key);
    if (slab === undefined) {
      slab = { from, to, cells: this.decompose(from, to) };
      this.slabs.set(key, slab);
    }
    return slab;
  }

  private decompose(from: number, to: number): FreeCells {
    return decomposeFree(
      listTurnedPieces(this.parts, this.bounds, this.isOpen, from, to),
      this.isOpen ? 'free' : 'blocked',
      this.parts.width,
      this.check,
    );
  }

  /** Poses from start to goal, whose angles must be cuts; null where slices and slabs have no way. */
  findPath(start: PlanePose, goal: PlanePose): PlanePose[] | null {
    const { cuts } = this;
    const slices = cuts.map((cut) => this.sliceAt(cut));
    // Nodes: of every slice those of its roadmap, then one for each crossing of a slab.
    const firsts: number[] = [];
    let count = 0;
    for (const { freeSpace } of slices) {
      firsts.push(count);
      count += freeSpace.roadmap.firstVertex;
    }
    const crossings = this.findCrossings(slices, firsts);
    this.searched = this.range;
    const from = this.enterSlice(start, slices);
    const to = this.enterSlice(goal, slices);
    if (from === null || to === null) return null;
    const total = count + crossings.length;
    const places = new Float64Array(2 * total);
    for (const [i, { freeSpace }] of slices.entries())
      places.set(freeSpace.roadmap.places.subarray(0, 2 * freeSpace.roadmap.firstVertex), 2 * firsts[i]);
    const links: number[][] = Array.from({ length: total }, () => []);
    for (const [i, { freeSpace }] of slices.entries()) {
      const { starts, neighbours, firstVertex } = freeSpace.roadmap;
      for (let n = 0; n < firstVertex; n++)
        for (let k = starts[n]; k < starts[n + 1]; k++)
          if (neighbours[k] < firstVertex) links[firsts[i] + n].push(firsts[i] + neighbours[k]);
    }
    for (const [c, { place, low, high }] of crossings.entries()) {
      places.set(place, 2 * (count + c));
      for (const node of [low, high]) {
        links[node].push(count + c);
        links[count + c].push(node);
      }
    }
    const sliceOf = (node: number) => {
      let i = firsts.length - 1;
      while (firsts[i] > node) i--;
      return i;
    };
    const way = this.search(
      places,
      links,
      crossings,
      count,
      firsts[from.slice] + from.cell,
      firsts[to.slice] + to.cell,
    );
    if (way === null) return null;
    return this.writePoses(start, goal, way, places, count, crossings, sliceOf);
  }

  private search(
    places: Float64Array,
    links: readonly number[][],
    crossings: readonly Crossing[],
    count: number,
    start: number,
    goal: number,
  ): number[] | null {
    const cost = new Float64Array(links.length).fill(Infinity);
    const came = new Int32Array(links.length).fill(-1);
    const queue = new NodeQueue(cost);
    const isDone = new Uint8Array(links.length);
    cost[start] = 0;
    queue.push(start);
    while (!queue.isEmpty) {
      const n = queue.pop();
      if (isDone[n]) continue;
      isDone[n] = 1;
      if (n === goal) break;
      const half = n >= count ? crossings[n - count].cost / 2 : 0;
      for (const m of links[n]) {
        const turn = m >= count ? crossings[m - count].cost / 2 : half;
        const c = cost[n] + turn + hypot(places[2 * m] - places[2 * n], places[2 * m + 1] - places[2 * n + 1]);
        if (c >= cost[m]) continue;
        cost[m] = c;
        came[m] = n;
        queue.push(m);
      }
    }
    if (cost[goal] === Infinity) return null;
    const way = [goal];
    for (let n = goal; n !== start; n = came[n]) way.push(came[n]);
    return way.reverse();
  }

  private findCrossings(slices: readonly FreeCells[], firsts: readonly number[]): Crossing[] {
    const crossings: Crossing[] = [];
    for (let i = 0; i < this.cuts.length; i++) {
      const next = (i + 1) % this.cuts.length;
      const { cells, from, to } = this.slabAbove(i);
      this.check();
      const cost = (to - from) * this.parts.radius;
      const { places, firstVertex } = cells.freeSpace.roadmap;
      // Middles of trapezoids and of the openings between them.
      for (let n = 0; n < firstVertex; n++) {
        const place = [places[2 * n], places[2 * n + 1]] as const;
        const point = createExactPoint(...place);
        const isCell = n < cells.cells.length;
        if (!isCell && cells.freeSpace.pieces.some((piece) => forbidsPoint(piece, point))) continue;
        if (isCell && cells.locate(place) !== n) continue;
        const low = slices[i].locate(place);
        const high = slices[next].locate(place);
        if (low >= 0 && high >= 0)
          crossings.push({ slab: i, place, low: firsts[i] + low, high: firsts[next] + high, cost });
      }
    }
    return crossings;
  }

  private enterSlice(pose: PlanePose, slices: readonly FreeCells[]): { slice: number; cell: number } | null {
    const slice = this.cuts.indexOf(pose[2]);
    const place = [pose[0], pose[1]] as const;
    const cell = slices[slice].locate(place);
    if (cell >= 0) return { slice, cell };
    // On a border of trapezoids, or a little beside one: any trapezoid that a straight free segment leads into.
    if (cell !== -2) return null;
    const { roadmap, pieces } = slices[slice].freeSpace;
    const point = createExactPoint(...place);
    const order = slices[slice].cells
      .map((_, t) => ({ t, d: hypot(roadmap.places[2 * t] - place[0], roadmap.places[2 * t + 1] - place[1]) }))
      .sort((a, b) => a.d - b.d)
      .slice(0, 64);
    for (const { t } of order) {
      const middle = createExactPoint(roadmap.places[2 * t], roadmap.places[2 * t + 1]);
      if (isSegmentFree(pieces, point, middle)) return { slice, cell: t };
    }
    return null;
  }

  private writePoses(
    start: PlanePose,
    goal: PlanePose,
    way: readonly number[],
    places: Float64Array,
    count: number,
    crossings: readonly Crossing[],
    sliceOf: (node: number) => number,
  ): PlanePose[] {
    const poses: PlanePose[] = [start];
    let turns = 0;
    let angle = start[2];
    for (const [k, node] of way.entries()) {
      const place = [places[2 * node], places[2 * node + 1]] as const;
      if (node < count) {
        poses.push([...place, angle]);
        continue;
      }
      const { slab } = crossings[node - count];
      const before = sliceOf(way[k - 1]);
      const after = sliceOf(way[k + 1]);
      poses.push([...place, angle]);
      if (before === after) continue;
      const isUp = before === slab;
      if (isUp && after === 0) turns++;
      if (!isUp && before === 0) turns--;
      angle = this.cuts[after] + turns * TURN;
      poses.push([...place, angle]);
    }
    poses.push([goal[0], goal[1], angle]);
    return poses;
  }
}

/** Forbidden places of the body at every angle of an interval, with the strips outside of the bounds. */
export function listTurnedPieces(
  parts: TurningParts,
  bounds: PlaneBounds,
  isOpen: boolean,
  from: number,
  to: number,
): Piece[] {
  const body = parts.body.map((part) => surroundTurned(part, from, to));
  const pieces: Piece[] = [];
  for (const { outer, obstacle } of parts.obstacles)
    for (const part of body) {
      const piece = createSumPiece(outer, part, isOpen, obstacle);
      if (meetsBounds(piece, bounds)) pieces.push(piece);
    }
  return [...pieces, ...createOutside(bounds, pieces)];
}

interface Crossing {
  readonly slab: number;
  readonly place: readonly [number, number];
  readonly low: number;
  readonly high: number;
  readonly cost: number;
}

function isSegmentFree(pieces: readonly Piece[], p: ExactPoint, q: ExactPoint): boolean {
  return !pieces.some((piece) => forbidsSegment(piece, p, q));
}

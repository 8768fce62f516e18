/**
 * Exact neighbours, by number or within a radius, among states that keep coming: trees over the older states, to be combined with a
 * scan of the newest.
 *
 * Method: whenever 128 states are new, they and all trees of the same size as the range so far are rebuilt into one tree (the logarithmic
 * method), so that every state is rebuilt O(log n) times. Where states are independent numbers a tree is one of boxes: split at the median
 * of the widest coordinate, the boxes tight, the gap to a box measured the shorter way round where a coordinate wraps. For all other
 * spaces (orientations, rigid motions) it is a vantage-point tree, which asks nothing but the distance: of the states of a node the
 * first is the vantage point, the others are split at the median of their distances to it, and each half is left out when the triangle
 * inequality says that it is farther than what is held.
 * Source: Bentley, Saxe 1980, "Decomposable searching problems I: static-to-dynamic transformation", doi:10.1016/0196-6774(80)90015-2;
 * Friedman, Bentley, Finkel 1977, "An algorithm for finding best matches in logarithmic expected time", doi:10.1145/355744.355745;
 * Yianilos 1993, "Data structures and algorithms for nearest neighbor search in general metric spaces", SODA, pages 311-321; boxes
 * that wrap: Yershova, LaValle 2007, "Improving motion-planning algorithms by efficient nearest-neighbor searching",
 * doi:10.1109/TRO.2006.886840.
 * Cost: a search O(log^2 n) states in low dimensions, all of them at worst; a state O(log^2 n) when it is added.
 * Fails: a distance that is no metric (the triangle inequality does not hold) loses neighbours in vantage-point trees.
 * Tested by state-graph.test.ts.
 */
import { selectNth } from '../math/select-nth.js';
import type { StateSpace } from './types.js';

const BLOCK = 128;
const BUCKET = 12;
/** What rounding may do to a bound, relatively: distances of orientations lose half their digits near zero. */
const SLACK = 1e-7;
const ROUNDING = 2 ** -50;

/** What a search fills. Keys are squared distances in spaces with a Euclidean scale, distances in all others. */
export interface NeighbourSink {
  /** Larger keys are of no use. */
  readonly limit: number;
  offer(node: number, key: number): void;
}

interface Tree {
  readonly first: number;
  readonly end: number;
  search(query: Float64Array, sink: NeighbourSink, isRemoved: Uint8Array): void;
}

export class NeighbourForest {
  /** States held: 0 .. count - 1. */
  count = 0;
  private trees: Tree[] = [];

  constructor(private readonly space: StateSpace) {}

  /** Takes in the first `size` of these states, `dimension` numbers each, as far as whole blocks go. */
  absorb(states: Float64Array, size: number): void {
    while (size - this.count >= BLOCK) {
      let first = this.count;
      const end = first + BLOCK;
      for (let last = this.trees.at(-1); last && last.end - last.first === end - first; last = this.trees.at(-1)) {
        first = last.first;
        this.trees.pop();
      }
      const own = states.slice(first * this.space.dimension, end * this.space.dimension);
      const isPlain = this.space.coordinates !== undefined;
      this.trees.push(
        isPlain ? new BoxTree(this.space, own, first, end) : new VantageTree(this.space, own, first, end),
      );
      this.count = end;
    }
  }

  /** Offers what may be of use; removed ones are not offered. */
  search(query: Float64Array, sink: NeighbourSink, isRemoved: Uint8Array): void {
    for (let i = this.trees.length - 1; i >= 0; i--) this.trees[i].search(query, sink, isRemoved);
  }
}

/** The key of a state: as sums of squares of scaled differences where the space is Euclidean, so that all who measure agree in every bit. */
export function keyOf(space: StateSpace, a: Float64Array, b: Float64Array): number {
  const scale = space.euclideanScale;
  if (!scale) return space.distance(a, b);
  let key = 0;
  for (let c = 0; c < scale.length; c++) {
    const d = a[c] * scale[c] - b[c] * scale[c];
    key += d * d;
  }
  return key;
}

class BoxTree implements Tree {
  private readonly order: Int32Array;
  private readonly states: Float64Array[];
  /** Of each node, numbered as in a heap from 1: least, then greatest coordinates; wrapping ones within one period. */
  private readonly boxes: Float64Array;
  private readonly place: Float64Array;
  private readonly largest: Float64Array;
  /** What folding a coordinate into its period may round off. */
  private readonly lost: Float64Array;

  constructor(
    private readonly space: StateSpace,
    own: Float64Array,
    readonly first: number,
    readonly end: number,
  ) {
    const d = space.dimension;
    const n = end - first;
    this.states = Array.from({ length: n }, (_, i) => own.subarray(i * d, (i + 1) * d));
    this.order = Int32Array.from({ length: n }, (_, i) => i);
    let nodes = 2;
    for (let size = n; size > BUCKET; size = (size + 1) >> 1) nodes *= 2;
    this.boxes = new Float64Array(nodes * 2 * d);
    this.place = new Float64Array(d);
    this.largest = new Float64Array(d);
    this.lost = new Float64Array(d);
    for (const state of this.states)
      for (let k = 0; k < d; k++) this.largest[k] = Math.max(this.largest[k], Math.abs(state[k]));
    const folded = this.states.map((state) => this.fold(new Float64Array(d), state));
    const key = new Float64Array(n);
    const split = (node: number, low: number, high: number): void => {
      let widest = -1;
      let axis = 0;
      for (let k = 0; k < d; k++) {
        let least = Infinity;
        let greatest = -Infinity;
        for (let i = low; i < high; i++) {
          const x = folded[this.order[i]][k];
          least = Math.min(least, x);
          greatest = Math.max(greatest, x);
        }
        this.boxes[node * 2 * d + k] = least;
        this.boxes[node * 2 * d + d + k] = greatest;
        const width = (greatest - least) * space.coordinates!.scale[k];
        if (width > widest) [widest, axis] = [width, k];
      }
      if (high - low <= BUCKET) return;
      const middle = (low + high) >> 1;
      for (let i = low; i < high; i++) key[this.order[i]] = folded[this.order[i]][axis];
      selectNth(this.order, key, low, high - 1, middle);
      split(2 * node, low, middle);
      split(2 * node + 1, middle, high);
    };
    split(1, 0, n);
  }

  search(query: Float64Array, sink: NeighbourSink, isRemoved: Uint8Array): void {
    const { period } = this.space.coordinates!;
    this.fold(this.place, query);
    for (let k = 0; k < query.length; k++)
      this.lost[k] = period[k] > 0 ? ROUNDING * (Math.abs(query[k]) + this.largest[k] + period[k]) : 0;
    this.visit(1, 0, this.end - this.first, this.gapTo(1), { query, sink, isRemoved });
  }

  private visit(node: number, low: number, high: number, gap: number, search: Search): void {
    if (gap > search.sink.limit) return;
    if (high - low <= BUCKET) {
      for (let i = low; i < high; i++) this.look(this.order[i], search);
      return;
    }
    const middle = (low + high) >> 1;
    const left = this.gapTo(2 * node);
    const right = this.gapTo(2 * node + 1);
    if (left <= right) {
      this.visit(2 * node, low, middle, left, search);
      this.visit(2 * node + 1, middle, high, right, search);
    } else {
      this.visit(2 * node + 1, middle, high, right, search);
      this.visit(2 * node, low, middle, left, search);
    }
  }

  private look(i: number, { query, sink, isRemoved }: Search): void {
    const node = this.first + i;
    if (isRemoved[node] === 1) return;
    const key = keyOf(this.space, this.states[i], query);
    if (key <= sink.limit) sink.offer(node, key);
  }

  /** At most the key of everything in the box. */
  private gapTo(node: number): number {
    const { boxes, place, lost, space } = this;
    const { scale, period } = space.coordinates!;
    const d = place.length;
    let sum = 0;
    for (let k = 0, o = node * 2 * d; k < d; k++, o++) {
      const q = place[k];
      let gap = Math.max(boxes[o] - q, q - boxes[o + d], 0);
      if (gap > 0 && period[k] > 0)
        gap = Math.min(gap, Math.max(boxes[o] - q + period[k], 0), Math.max(q + period[k] - boxes[o + d], 0));
      gap = Math.max(0, gap - lost[k]);
      sum += scale[k] * gap * (scale[k] * gap);
    }
    return (space.euclideanScale ? sum : Math.sqrt(sum)) * (1 - SLACK);
  }

  private fold(out: Float64Array, state: Float64Array): Float64Array {
    const { period } = this.space.coordinates!;
    for (let k = 0; k < out.length; k++)
      out[k] = period[k] > 0 ? state[k] - period[k] * Math.floor(state[k] / period[k]) : state[k];
    return out;
  }
}

interface Search {
  readonly query: Float64Array;
  readonly sink: NeighbourSink;
  readonly isRemoved: Uint8Array;
}

class VantageTree implements Tree {
  private readonly order: Int32Array;
  private readonly states: Float64Array[];
  /** Distances of the inner half's farthest, the outer half's nearest and farthest, by the place of the vantage point. */
  private readonly radii: Float64Array;

  constructor(
    private readonly space: StateSpace,
    own: Float64Array,
    readonly first: number,
    readonly end: number,
  ) {
    const d = space.dimension;
    const n = end - first;
    this.states = Array.from({ length: n }, (_, i) => own.subarray(i * d, (i + 1) * d));
    this.order = Int32Array.from({ length: n }, (_, i) => i);
    this.radii = new Float64Array(3 * n);
    const key = new Float64Array(n);
    const split = (low: number, high: number): void => {
      if (high - low <= BUCKET) return;
      const vantage = this.states[this.order[low]];
      for (let i = low + 1; i < high; i++) key[this.order[i]] = space.distance(vantage, this.states[this.order[i]]);
      const middle = (low + 1 + high) >> 1;
      selectNth(this.order, key, low + 1, high - 1, middle);
      let inner = 0;
      let nearest = Infinity;
      let farthest = 0;
      for (let i = low + 1; i < high; i++) {
        const radius = key[this.order[i]];
        if (i < middle) inner = Math.max(inner, radius);
        else {
          nearest = Math.min(nearest, radius);
          farthest = Math.max(farthest, radius);
        }
      }
      this.radii.set([inner, nearest, farthest], 3 * low);
      split(low + 1, middle);
      split(middle, high);
    };
    split(0, n);
  }

  search(query: Float64Array, sink: NeighbourSink, isRemoved: Uint8Array): void {
    this.visit(0, this.end - this.first, { query, sink, isRemoved });
  }

  private visit(low: number, high: number, search: Search): void {
    const { radii, order } = this;
    if (high - low <= BUCKET) {
      for (let i = low; i < high; i++) this.look(order[i], search);
      return;
    }
    const { sink } = search;
    const distance = this.look(order[low], search);
    const middle = (low + 1 + high) >> 1;
    const [inner, nearest, farthest] = [radii[3 * low], radii[3 * low + 1], radii[3 * low + 2]];
    const slack = SLACK * (distance + farthest);
    const toInner = distance - inner - slack;
    const toOuter = Math.max(nearest - distance, distance - farthest) - slack;
    if (toInner <= toOuter) {
      if (toInner <= sink.limit) this.visit(low + 1, middle, search);
      if (toOuter <= sink.limit) this.visit(middle, high, search);
    } else {
      if (toOuter <= sink.limit) this.visit(middle, high, search);
      if (toInner <= sink.limit) this.visit(low + 1, middle, search);
    }
  }

  /** The distance of a state, which is offered where it may be of use. */
  private look(i: number, { query, sink, isRemoved }: Search): number {
    const node = this.first + i;
    const key = this.space.distance(this.states[i], query);
    if (isRemoved[node] === 0 && key <= sink.limit) sink.offer(node, key);
    return key;
  }
}

/**
 * Exact nearest neighbour among points that keep coming: k-d trees of sizes 256, 512, 1024, ... over the older points,
 * to be combined with a scan of the newest.
 *
 * Method: whenever 256 points are new, they and all trees of the same size as the range so far are rebuilt into one tree
 * (logarithmic method), so every point is rebuilt O(log n) times. A tree splits at the median of the widest axis down to
 * buckets of 16 points, which it stores in search order. A search keeps the offset to the cell along each axis, so that
 * the distance to a cell is a true distance, and skips cells farther than the best so far.
 * Source: Bentley, Saxe 1980, "Decomposable searching problems I: static-to-dynamic transformation",
 * doi:10.1016/0196-6774(80)90015-2; Arya, Mount 1993, "Algorithms for fast vector quantization",
 * doi:10.1109/DCC.1993.253111 (incremental distances).
 * Points: `dimension` numbers each; squared Euclidean distances. Ties go to the older point: the answer equals that of a
 * scan from the first point to the last.
 * Cost: search O(log^2 n) in low dimensions, never worse than a scan by more than a constant.
 * Tested by state-tree.test.ts.
 */

import { selectNth } from '../math/select-nth.js';

const BLOCK = 256;
const BUCKET = 16;
/** Cell distances are sums of differences: rounding must not lose a neighbour. */
const SLACK = 1 - 1e-12;

interface KdTree {
  /** Points first .. end - 1. */
  readonly first: number;
  readonly end: number;
  /** Points in search order. */
  readonly ids: Int32Array;
  readonly points: Float64Array;
  /** Split axis and value of each inner node, numbered as in a heap from 1. */
  readonly axes: Uint8Array;
  readonly values: Float64Array;
}

export class NearestForest {
  /** Points held: 0 .. count - 1. */
  count = 0;
  /** Best of the last search: squared distance and index. */
  best = Infinity;
  bestPoint = -1;
  private readonly trees: KdTree[] = [];
  // A search's open cells: heap index and range; squared distance and offset per axis.
  private readonly cells = new Int32Array(3 * 64);
  private readonly offsets: Float64Array;

  constructor(private readonly dimension: number) {
    this.offsets = new Float64Array(64 * (dimension + 1));
  }

  /** Takes in points up to `size` of `points` as far as whole blocks go. */
  absorb(points: Float64Array, size: number): void {
    while (size - this.count >= BLOCK) {
      let first = this.count;
      const end = first + BLOCK;
      while (this.trees.length > 0) {
        const last = this.trees[this.trees.length - 1];
        if (last.end - last.first !== end - first) break;
        first = last.first;
        this.trees.pop();
      }
      this.trees.push(buildKdTree(points, this.dimension, first, end));
      this.count = end;
    }
  }

  /** Writes `best` and `bestPoint` (-1 when all are removed). */
  search(query: Float64Array, removed: Uint8Array): void {
    this.best = Infinity;
    this.bestPoint = -1;
    for (const tree of this.trees) this.searchTree(tree, query, removed);
  }

  private searchTree(tree: KdTree, query: Float64Array, removed: Uint8Array): void {
    const { dimension, cells, offsets } = this;
    const { axes, values } = tree;
    const stride = dimension + 1;
    let top = 1;
    cells[0] = 1;
    cells[1] = 0;
    cells[2] = tree.end - tree.first;
    offsets.fill(0, 0, stride);
    while (top > 0) {
      top--;
      let node = cells[3 * top];
      let low = cells[3 * top + 1];
      let high = cells[3 * top + 2];
      const here = top * stride;
      const cellDistance = offsets[here];
      if (cellDistance * SLACK > this.best) continue;
      // Walk to the bucket on the query's side; the far cells wait on the stack, the nearest ones on top.
      // The first far cell overwrites this entry, so the offsets are shifted up as the walk goes on.
      while (high - low > BUCKET) {
        const middle = (low + high) >> 1;
        const axis = axes[node];
        const offset = query[axis] - values[node];
        const next = (top + 1) * stride;
        const current = top * stride;
        for (let k = 0; k < stride; k++) offsets[next + k] = offsets[current + k];
        const old = offsets[current + 1 + axis];
        offsets[current] = cellDistance - old * old + offset * offset;
        offsets[current + 1 + axis] = offset;
        const left = offset < 0;
        cells[3 * top] = 2 * node + (left ? 1 : 0);
        cells[3 * top + 1] = left ? middle : low;
        cells[3 * top + 2] = left ? high : middle;
        top++;
        node = 2 * node + (left ? 0 : 1);
        if (left) high = middle;
        else low = middle;
      }
      this.scanBucket(tree, low, high, query, removed);
    }
  }

  private scanBucket(tree: KdTree, low: number, high: number, query: Float64Array, removed: Uint8Array): void {
    const { dimension } = this;
    const { points, ids } = tree;
    for (let i = low, o = low * dimension; i < high; i++, o += dimension) {
      let sum = 0;
      for (let k = 0; k < dimension; k++) {
        const d = points[o + k] - query[k];
        sum += d * d;
        if (sum > this.best) break;
      }
      if (sum > this.best || removed[ids[i]] === 1) continue;
      if (sum < this.best || ids[i] < this.bestPoint) {
        this.best = sum;
        this.bestPoint = ids[i];
      }
    }
  }
}

function buildKdTree(points: Float64Array, dimension: number, first: number, end: number): KdTree {
  const n = end - first;
  const range = points.subarray(first * dimension, end * dimension);
  /** Positions in `range`. */
  const order = Int32Array.from({ length: n }, (_, i) => i);
  const key = new Float64Array(n);
  let innerEnd = 1;
  for (let size = n; size > BUCKET; size = (size + 1) >> 1) innerEnd *= 2;
  const axes = new Uint8Array(innerEnd);
  const values = new Float64Array(innerEnd);
  const split = (node: number, low: number, high: number): void => {
    if (high - low <= BUCKET) return;
    const axis = widestAxis(range, dimension, order, low, high);
    const middle = (low + high) >> 1;
    for (let i = low; i < high; i++) key[order[i]] = range[order[i] * dimension + axis];
    selectNth(order, key, low, high - 1, middle);
    axes[node] = axis;
    values[node] = key[order[middle]];
    split(2 * node, low, middle);
    split(2 * node + 1, middle, high);
  };
  split(1, 0, n);
  const ordered = new Float64Array(n * dimension);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < dimension; k++) ordered[i * dimension + k] = range[order[i] * dimension + k];
  return { first, end, ids: order.map((i) => first + i), points: ordered, axes, values };
}

function widestAxis(points: Float64Array, dimension: number, order: Int32Array, low: number, high: number): number {
  let axis = 0;
  let widest = -1;
  for (let k = 0; k < dimension; k++) {
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = low; i < high; i++) {
      const value = points[order[i] * dimension + k];
      if (value < lower) lower = value;
      if (value > upper) upper = value;
    }
    if (upper - lower > widest) {
      widest = upper - lower;
      axis = k;
    }
  }
  return axis;
}

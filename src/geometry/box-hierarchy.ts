/**
 * A compact static hierarchy of axis-aligned boxes over any numbered items: what an octree, a point cloud, a height field,
 * a compound and the probes of a mesh search through.
 *
 * Method: top-down; a range is split at the middle of its centres along their longest axis, at the median where that is
 * lopsided, until LEAF_ITEMS or fewer are left. Nodes lie depth first.
 *
 *   boxes   Float64Array  6 per node   [minX minY minZ maxX maxY maxZ]
 *   right   Int32Array    1 per node   inner: right child (the left one is the next node); leaf: ~first position in order
 *   items   Uint8Array    1 per node   number of items of a leaf, 0 for an inner node
 *   order   Uint32Array   item numbers, leaf after leaf
 *
 * Source: Ericson 2005, "Real-time collision detection", section 6.2.1. Cost: O(n log n), about 0.6 s and 60 bytes an item
 * for a million items. Depth is at most log(n) / log(8/7). Checked by box-hierarchy.test.ts.
 */
export const LEAF_ITEMS = 4;
/** A side with less than this share of a range makes the split fall back to the median. */
const LOPSIDED = 1 / 8;

export interface BoxHierarchy {
  readonly boxes: Float64Array;
  readonly right: Int32Array;
  readonly items: Uint8Array;
  readonly order: Uint32Array;
  readonly nodeCount: number;
  /** Levels of nodes; a single leaf has 1. */
  readonly depth: number;
}

/** Writes the box of an item to out[0 .. 5]. */
export type BoundItem = (out: Float64Array, item: number) => void;

/** Moves the items of order[start .. end - 1] below `value` to the front; returns where the others start. */
function partition(order: Uint32Array, keys: Float64Array, start: number, end: number, value: number): number {
  let i = start;
  let j = end - 1;
  while (i <= j) {
    if (keys[order[i]] < value) i++;
    else {
      const item = order[i];
      order[i] = order[j];
      order[j] = item;
      j--;
    }
  }
  return i;
}

/** Puts the item that belongs at `middle` there, smaller keys before it (Hoare's selection, ties by item number). */
function selectMiddle(order: Uint32Array, keys: Float64Array, start: number, end: number, middle: number): void {
  let low = start;
  let high = end - 1;
  while (low < high) {
    const pivot = order[(low + high) >> 1];
    const key = keys[pivot];
    let i = low;
    let j = high;
    while (i <= j) {
      while (keys[order[i]] < key || (keys[order[i]] === key && order[i] < pivot)) i++;
      while (keys[order[j]] > key || (keys[order[j]] === key && order[j] > pivot)) j--;
      if (i > j) break;
      const item = order[i];
      order[i++] = order[j];
      order[j--] = item;
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}

/** Builds the hierarchy of `count` items; `bound` is called a few times for each. */
export function buildBoxHierarchy(count: number, bound: BoundItem): BoxHierarchy {
  const order = new Uint32Array(count);
  const box = new Float64Array(6);
  const centers = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    order[i] = i;
    bound(box, i);
    for (let k = 0; k < 3; k++) centers[k][i] = 0.5 * (box[k] + box[k + 3]);
  }
  let capacity = Math.max(1, Math.ceil(count / 2) * 2);
  let right = new Int32Array(capacity);
  let items = new Uint8Array(capacity);
  let nodeCount = 0;
  let depth = 0;
  // Waiting ranges: start, end, node whose right child this is (-1: none), level.
  const pending: number[] = count > 0 ? [0, count, -1, 1] : [];
  while (pending.length > 0) {
    const level = pending.pop() as number;
    const above = pending.pop() as number;
    const end = pending.pop() as number;
    const start = pending.pop() as number;
    if (nodeCount === capacity) {
      capacity *= 2;
      const moreRight = new Int32Array(capacity);
      moreRight.set(right);
      right = moreRight;
      const moreItems = new Uint8Array(capacity);
      moreItems.set(items);
      items = moreItems;
    }
    const node = nodeCount++;
    if (above >= 0) right[above] = node;
    depth = Math.max(depth, level);
    if (end - start <= LEAF_ITEMS) {
      right[node] = ~start;
      items[node] = end - start;
      continue;
    }
    const middle = splitRange(order, centers, start, end);
    pending.push(middle, end, node, level + 1, start, middle, -1, level + 1);
  }
  const boxes = new Float64Array(6 * nodeCount);
  // Children come after their parent: a backward sweep fits bottom up.
  for (let node = nodeCount - 1; node >= 0; node--) {
    const at = 6 * node;
    for (let k = 0; k < 3; k++) {
      boxes[at + k] = Infinity;
      boxes[at + k + 3] = -Infinity;
    }
    if (items[node] === 0) {
      includeBox(boxes, at, boxes, at + 6);
      includeBox(boxes, at, boxes, 6 * right[node]);
    } else {
      const first = ~right[node];
      for (let i = first; i < first + items[node]; i++) {
        bound(box, order[i]);
        includeBox(boxes, at, box, 0);
      }
    }
  }
  return { boxes, right: right.slice(0, nodeCount), items: items.slice(0, nodeCount), order, nodeCount, depth };
}

function includeBox(out: Float64Array, at: number, from: Float64Array, fromAt: number): void {
  for (let k = 0; k < 3; k++) {
    if (from[fromAt + k] < out[at + k]) out[at + k] = from[fromAt + k];
    if (from[fromAt + k + 3] > out[at + k + 3]) out[at + k + 3] = from[fromAt + k + 3];
  }
}

function splitRange(order: Uint32Array, centers: readonly Float64Array[], start: number, end: number): number {
  let axis = 0;
  let widest = -1;
  let value = 0;
  for (let k = 0; k < 3; k++) {
    const keys = centers[k];
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = start; i < end; i++) {
      const c = keys[order[i]];
      if (c < lower) lower = c;
      if (c > upper) upper = c;
    }
    if (upper - lower > widest) {
      widest = upper - lower;
      axis = k;
      value = 0.5 * (lower + upper);
    }
  }
  const middle = partition(order, centers[axis], start, end, value);
  const least = LOPSIDED * (end - start);
  if (middle - start >= least && end - middle >= least) return middle;
  const median = (start + end) >> 1;
  selectMiddle(order, centers[axis], start, end, median);
  return median;
}

/**
 * Top-down construction of a box tree.
 *
 * Method: split the range of objects in two, recurse on both halves until one object is left, fit the inner boxes on the
 * way back. Where to split is the caller's choice: split-median.ts or split-area.ts. The nodes come out in depth-first
 * order: the left child follows its parent.
 * Source: the construction of the AABB tree for robot self-collision ("top-down recursive"), made iterative.
 * Cost: O(n log n) time, O(n) memory.
 * Tested by static-tree.test.ts, dynamic-tree.test.ts and test/contract/broad-phases.test.ts.
 */
import { BOX_STRIDE } from './box.js';
import type { BoxTree } from './box-tree.js';

/** What a split sees: `order` holds positions into `boxes` (6 numbers each) and `centres` (per axis). */
export interface BuildItems {
  readonly count: number;
  readonly order: Int32Array;
  readonly boxes: Float64Array;
  readonly centres: readonly [Float64Array, Float64Array, Float64Array];
}

/** Permutes order[start .. end - 1], at least two items, and returns where the right half starts. */
export type SplitRange = (items: BuildItems, start: number, end: number, depth: number) => number;

/**
 * Rebuilds `tree` over the proxies `ids`, whose boxes lie in `proxyBoxes` at 6 x id, each grown by `fatMargin` on every
 * side. Writes each proxy's leaf into `leafOf`.
 */
export function buildTree(
  tree: BoxTree,
  ids: Int32Array,
  proxyBoxes: Float64Array,
  fatMargin: number,
  leafOf: Int32Array,
  split: SplitRange,
): void {
  const n = ids.length;
  tree.reset(2 * n);
  if (n === 0) return;
  const items = gatherItems(ids, proxyBoxes, fatMargin);
  const { boxes, child, parent } = tree;
  // Ranges that wait: start, end, inner node above, depth.
  let stack = new Int32Array(4 * 64);
  let top = 0;
  const push = (start: number, end: number, above: number, depth: number): void => {
    if (4 * top === stack.length) {
      const grown = new Int32Array(2 * stack.length);
      grown.set(stack);
      stack = grown;
    }
    stack[4 * top] = start;
    stack[4 * top + 1] = end;
    stack[4 * top + 2] = above;
    stack[4 * top + 3] = depth;
    top++;
  };
  push(0, n, -1, 0);
  while (top > 0) {
    top--;
    const start = stack[4 * top];
    const end = stack[4 * top + 1];
    const above = stack[4 * top + 2];
    const depth = stack[4 * top + 3];
    const node = tree.allocateNode();
    parent[node] = above;
    if (above < 0) tree.root = node;
    else if (node === above + 1) child[2 * above] = node;
    else child[2 * above + 1] = node;
    if (end - start === 1) {
      const item = items.order[start];
      for (let k = 0; k < BOX_STRIDE; k++) boxes[node * BOX_STRIDE + k] = items.boxes[item * BOX_STRIDE + k];
      child[2 * node] = ~ids[item];
      child[2 * node + 1] = -1;
      leafOf[ids[item]] = node;
      continue;
    }
    const middle = split(items, start, end, depth);
    push(middle, end, node, depth + 1);
    push(start, middle, node, depth + 1);
  }
  // Children come after their parent, so a backward sweep fits bottom up.
  for (let node = 2 * n - 2; node >= 0; node--) if (child[2 * node] >= 0) tree.refitNode(node);
  tree.isOrdered = true;
}

function gatherItems(ids: Int32Array, proxyBoxes: Float64Array, fatMargin: number): BuildItems {
  const count = ids.length;
  const order = new Int32Array(count);
  const boxes = new Float64Array(count * BOX_STRIDE);
  const centres = [new Float64Array(count), new Float64Array(count), new Float64Array(count)] as const;
  for (let i = 0; i < count; i++) {
    order[i] = i;
    const from = ids[i] * BOX_STRIDE;
    const to = i * BOX_STRIDE;
    for (let k = 0; k < 3; k++) {
      boxes[to + k] = proxyBoxes[from + k] - fatMargin;
      boxes[to + 3 + k] = proxyBoxes[from + 3 + k] + fatMargin;
      centres[k][i] = 0.5 * proxyBoxes[from + k] + 0.5 * proxyBoxes[from + 3 + k];
    }
  }
  return { count, order, boxes, centres };
}

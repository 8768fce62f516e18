/**
 * Top-down median-split construction of a box tree.
 *
 * Method: find the axis with the largest spread of box centres; move the lower half of the objects along that axis
 * to the front (quickselect, so linear per level); recurse on both halves until one object is left; fit the inner
 * boxes on the way back. The nodes come out in depth-first order: the left child follows its parent.
 * Source: the construction of the AABB tree for robot self-collision (static tree, "top-down recursive median
 * split"); selection: Hoare 1961, "Algorithm 65: find", doi:10.1145/366622.366647.
 * Cost: O(n log n) time, O(n) memory. Depth ceil(log2 n) whatever the input, coinciding centres included.
 * Tested by static-tree.test.ts and test/contract/broad-phases.test.ts.
 */
import { BOX_STRIDE, copyBox } from './box.js';
import type { BoxTree } from './box-tree.js';

/**
 * Rebuilds `tree` over the proxies `ids` (permuted), whose boxes lie in `proxyBoxes` at 6 x id, each grown by
 * `fatMargin` on every side. Writes each proxy's leaf into `leafOf`.
 */
export function buildMedianTree(
  tree: BoxTree,
  ids: Int32Array,
  proxyBoxes: Float64Array,
  fatMargin: number,
  leafOf: Int32Array,
): void {
  const n = ids.length;
  tree.reset(2 * n);
  if (n === 0) return;
  const centres = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    order[i] = i;
    const o = ids[i] * BOX_STRIDE;
    for (let k = 0; k < 3; k++) centres[k][i] = 0.5 * proxyBoxes[o + k] + 0.5 * proxyBoxes[o + 3 + k];
  }
  // A range waits here with the inner node it hangs under; the depth bounds the stack.
  const stack = new Int32Array(3 * 66);
  let top = 0;
  stack[0] = 0;
  stack[1] = n;
  stack[2] = -1;
  const { boxes, child, parent } = tree;
  while (top >= 0) {
    const start = stack[3 * top];
    const end = stack[3 * top + 1];
    const above = stack[3 * top + 2];
    top--;
    const node = tree.allocateNode();
    parent[node] = above;
    if (above < 0) tree.root = node;
    else if (node === above + 1) child[2 * above] = node;
    else child[2 * above + 1] = node;
    if (end - start === 1) {
      const id = ids[order[start]];
      const o = node * BOX_STRIDE;
      copyBox(boxes, o, proxyBoxes.subarray(id * BOX_STRIDE, id * BOX_STRIDE + BOX_STRIDE));
      for (let k = 0; k < 3; k++) {
        boxes[o + k] -= fatMargin;
        boxes[o + k + 3] += fatMargin;
      }
      child[2 * node] = ~id;
      child[2 * node + 1] = -1;
      leafOf[id] = node;
      continue;
    }
    const axis = axisOfLargestSpread(centres, order, start, end);
    const middle = (start + end) >> 1;
    selectNth(order, centres[axis], start, end - 1, middle);
    top++;
    stack[3 * top] = middle;
    stack[3 * top + 1] = end;
    stack[3 * top + 2] = node;
    top++;
    stack[3 * top] = start;
    stack[3 * top + 1] = middle;
    stack[3 * top + 2] = node;
  }
  // Depth-first order: children come after their parent, so a backward sweep fits bottom up.
  for (let node = 2 * n - 2; node >= 0; node--) if (child[2 * node] >= 0) tree.refitNode(node);
}

function axisOfLargestSpread(centres: Float64Array[], order: Int32Array, start: number, end: number): number {
  let axis = 0;
  let largest = -1;
  for (let k = 0; k < 3; k++) {
    const c = centres[k];
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = start; i < end; i++) {
      const value = c[order[i]];
      if (value < lower) lower = value;
      if (value > upper) upper = value;
    }
    if (upper - lower > largest) {
      largest = upper - lower;
      axis = k;
    }
  }
  return axis;
}

/** Permutes order[left..right] so that position n holds what sorting by key would put there, smaller keys before it. */
function selectNth(order: Int32Array, key: Float64Array, left: number, right: number, n: number): void {
  while (left < right) {
    const a = key[order[left]];
    const b = key[order[(left + right) >> 1]];
    const c = key[order[right]];
    const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    let i = left;
    let j = right;
    while (i <= j) {
      while (key[order[i]] < pivot) i++;
      while (key[order[j]] > pivot) j--;
      if (i <= j) {
        const swap = order[i];
        order[i++] = order[j];
        order[j--] = swap;
      }
    }
    if (n <= j) right = j;
    else if (n >= i) left = i;
    else return;
  }
}

/**
 * Builds a tree of boxes by surface area: of many boxes the kernel says which go together, of few, or where there is no WebAssembly,
 * build.ts with split-area.ts. Both give the same tree, to the bit.
 *
 * Cost: O(n log n); the kernel takes about a quarter of the time, and 100 bytes a box while it works.
 * Tested by kernel-tree.test.ts.
 */
import { getKernel } from '../kernel/kernel.js';
import { BOX_TREE_COUNT, BOX_TREE_FAIR_DEPTH, BOX_TREE_ITEM_BYTES, BOX_TREE_ITEMS } from '../kernel/layout.js';
import type { BoxPairFunctions } from '../kernel/parts/box-pairs.js';
import { BOX_STRIDE, copyFatBox } from './box.js';
import type { BoxTree } from './box-tree.js';
import { buildTree } from './build.js';
import { openBoxPart } from './kernel-boxes.js';
import { isFairDepth, splitByArea } from './split-area.js';

/** Boxes from which on the copy pays, and up to which the kernel's memory, which never shrinks, is asked for it. */
const MANY_BOXES = 256;
const MOST_BOXES = 1 << 20;

/** As `buildTree` with `splitByArea`. */
export function buildTreeByArea(
  tree: BoxTree,
  ids: Int32Array,
  proxyBoxes: Float64Array,
  fatMargin: number,
  leafOf: Int32Array,
): void {
  const part = ids.length >= MANY_BOXES && ids.length <= MOST_BOXES ? openBoxPart() : null;
  if (part === null) buildTree(tree, ids, proxyBoxes, fatMargin, leafOf, splitByArea);
  else buildInKernel(part, tree, ids, proxyBoxes, fatMargin, leafOf);
}

function buildInKernel(
  part: BoxPairFunctions,
  tree: BoxTree,
  ids: Int32Array,
  proxyBoxes: Float64Array,
  fatMargin: number,
  leafOf: Int32Array,
): void {
  const count = ids.length;
  const nodes = 2 * count - 1;
  const nodesAt = BOX_TREE_ITEMS + BOX_TREE_ITEM_BYTES * count;
  const bytes = nodesAt + 12 * nodes;
  const kernel = getKernel();
  const block = kernel.allocate(bytes);
  try {
    const { u32, f64 } = kernel;
    u32[(block + BOX_TREE_COUNT) >> 2] = count;
    let fairDepth = 0;
    while (isFairDepth(fairDepth, count)) fairDepth++;
    u32[(block + BOX_TREE_FAIR_DEPTH) >> 2] = fairDepth;
    for (let i = 0; i < count; i++) {
      const from = ids[i] * BOX_STRIDE;
      const to = (block + BOX_TREE_ITEMS + BOX_TREE_ITEM_BYTES * i) >> 3;
      const x0 = proxyBoxes[from];
      const y0 = proxyBoxes[from + 1];
      const z0 = proxyBoxes[from + 2];
      const x1 = proxyBoxes[from + 3];
      const y1 = proxyBoxes[from + 4];
      const z1 = proxyBoxes[from + 5];
      f64[to] = x0 - fatMargin;
      f64[to + 1] = y0 - fatMargin;
      f64[to + 2] = x1 + fatMargin;
      f64[to + 3] = y1 + fatMargin;
      f64[to + 4] = z0 - fatMargin;
      f64[to + 5] = z1 + fatMargin;
      f64[to + 6] = 0.5 * x0 + 0.5 * x1;
      f64[to + 7] = 0.5 * y0 + 0.5 * y1;
      f64[to + 8] = 0.5 * z0 + 0.5 * z1;
      u32[2 * to + 18] = ids[i];
    }
    part.buildBoxTree(block, bytes);
    tree.reset(nodes + 1);
    tree.allocateNodes(nodes);
    const { buffer } = kernel.u32;
    tree.child.set(new Int32Array(buffer, block + nodesAt, 2 * nodes));
    tree.parent.set(new Int32Array(buffer, block + nodesAt + 8 * nodes, nodes));
  } finally {
    kernel.release(block);
  }
  const { child, boxes } = tree;
  // Children come after their parent, so a backward sweep fits bottom up.
  for (let node = nodes - 1; node >= 0; node--) {
    if (child[2 * node] >= 0) {
      tree.refitNode(node);
      continue;
    }
    const id = ~child[2 * node];
    copyFatBox(boxes, node * BOX_STRIDE, proxyBoxes, id * BOX_STRIDE, fatMargin);
    leafOf[id] = node;
  }
  tree.root = 0;
  tree.isOrdered = true;
}

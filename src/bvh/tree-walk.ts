/** Every box of a tree with the range of triangles below it, parents before children. No recursion. */

import { TREE_HEADER_BYTES, TREE_NODE_COUNT, TREE_NODE_KIND } from '../kernel/layout.js';
import { childWords, isLeafReference, leafFirstTriangle, leafTriangleCount, nodeWords } from './tree-nodes.js';

export interface TreeBoxes {
  /** Word offset of each box from the start of the block: node plus lane. */
  readonly box: Uint32Array;
  /** Index of the enclosing box in these arrays; the root's is its own. */
  readonly parent: Uint32Array;
  /** Triangles [first, first + count) in leaf order. */
  readonly first: Uint32Array;
  readonly count: Uint32Array;
  readonly level: Uint32Array;
  readonly length: number;
}

/**
 * Lists the boxes of a block (u32 view of exactly that block). Throws on references that leave the block, that go
 * backwards (so that a cycle is impossible) or that make more boxes than the nodes have lanes.
 */
export function listBoxes(u32: Uint32Array): TreeBoxes {
  const kind = u32[TREE_NODE_KIND / 4];
  const nodes = u32[TREE_NODE_COUNT / 4];
  const words = nodeWords(kind);
  const child = childWords(kind);
  const base = TREE_HEADER_BYTES / 4;
  const capacity = 4 * nodes;
  const box = new Uint32Array(capacity);
  const parent = new Uint32Array(capacity);
  const first = new Uint32Array(capacity).fill(0xffffffff);
  const count = new Uint32Array(capacity);
  const level = new Uint32Array(capacity);
  let length = 0;
  if (nodes > 0 && u32[base + child] !== 0) {
    box[0] = base;
    length = 1;
  }
  for (let i = 0; i < length; i++) {
    const reference = u32[box[i] + child];
    if (isLeafReference(reference)) {
      first[i] = leafFirstTriangle(reference);
      count[i] = leafTriangleCount(reference);
      continue;
    }
    const node = reference / 4 - base;
    if (node % words !== 0 || node <= box[i] - base || node / words >= nodes) {
      throw new Error(`tree: child of box ${box[i]}, got reference ${reference}, expected a later node of ${nodes}`);
    }
    for (let lane = 0; lane < 4; lane++) {
      const at = base + node + lane;
      if (u32[at + child] === 0) continue;
      if (length === capacity) throw new Error(`tree: boxes, got more than ${capacity}, expected each node used once`);
      box[length] = at;
      parent[length] = i;
      level[length] = level[i] + 1;
      length++;
    }
  }
  for (let i = length - 1; i > 0; i--) {
    const p = parent[i];
    first[p] = Math.min(first[p], first[i]);
    count[p] += count[i];
  }
  return { box, parent, first, count, level, length };
}

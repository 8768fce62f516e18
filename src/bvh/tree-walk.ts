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

/** What is listed so far: boxes below `next` have their children behind them. */
interface Listing {
  readonly u32: Uint32Array;
  readonly boxes: { -readonly [Key in keyof TreeBoxes]: TreeBoxes[Key] };
  next: number;
}

/**
 * Lists the boxes of a block (u32 view of exactly that block). Throws on references that leave the block, that go
 * backwards (so that a cycle is impossible) or that make more boxes than the nodes have lanes.
 */
export function listBoxes(u32: Uint32Array): TreeBoxes {
  const listing = startListing(u32);
  const { boxes } = listing;
  while (listing.next < boxes.length) listOn(listing, boxes.length);
  sumUp(boxes, boxes.length, 1);
  return boxes;
}

/** As `listBoxes`, some `atOnce` boxes between two steps. */
export function* listBoxesInSteps(u32: Uint32Array, atOnce: number): Generator<void, TreeBoxes> {
  const listing = startListing(u32);
  const { boxes } = listing;
  yield;
  while (listing.next < boxes.length) {
    listOn(listing, Math.min(boxes.length, listing.next + atOnce));
    yield;
  }
  for (let end = boxes.length; end > 1; end -= atOnce) {
    sumUp(boxes, end, Math.max(1, end - atOnce));
    yield;
  }
  return boxes;
}

function startListing(u32: Uint32Array): Listing {
  const kind = u32[TREE_NODE_KIND / 4];
  const nodes = u32[TREE_NODE_COUNT / 4];
  const base = TREE_HEADER_BYTES / 4;
  const capacity = 4 * nodes;
  const boxes = {
    box: new Uint32Array(capacity),
    parent: new Uint32Array(capacity),
    first: new Uint32Array(capacity).fill(0xffffffff),
    count: new Uint32Array(capacity),
    level: new Uint32Array(capacity),
    length: 0,
  };
  if (nodes > 0 && u32[base + childWords(kind)] !== 0) {
    boxes.box[0] = base;
    boxes.length = 1;
  }
  return { u32, boxes, next: 0 };
}

/** Looks below the boxes up to `end`, which are listed. */
function listOn(listing: Listing, end: number): void {
  const { u32, boxes } = listing;
  const { box, parent, first, count, level } = boxes;
  const kind = u32[TREE_NODE_KIND / 4];
  const nodes = u32[TREE_NODE_COUNT / 4];
  const words = nodeWords(kind);
  const child = childWords(kind);
  const base = TREE_HEADER_BYTES / 4;
  const capacity = box.length;
  let { length } = boxes;
  for (let i = listing.next; i < end; i++) {
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
  boxes.length = length;
  listing.next = end;
}

/** Adds the triangles of the boxes from `end` - 1 down to `from` to those of their parents. */
function sumUp({ parent, first, count }: TreeBoxes, end: number, from: number): void {
  for (let i = end - 1; i >= from; i--) {
    const p = parent[i];
    first[p] = Math.min(first[p], first[i]);
    count[p] += count[i];
  }
}

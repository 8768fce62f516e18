// Builds the four-wide tree over the triangles of a mesh, and fits the boxes of one anew.
//
// Method:
//   1. top-down, a range of triangles gets its box (fit.ts) and is split in two (split.ts), down to single triangles;
//   2. bottom-up, each binary node learns what it costs to represent what is below it by at most one, two or three wide
//      nodes or leaves: cost of a node = area of its box, of a leaf of up to 4 triangles = area times their number;
//   3. the cheapest choice is written in depth-first order: a node, its first child, that one's children, ...
// Of large meshes, where the time to build is felt, wide.ts makes the wide nodes at once.
// Source: Ylitie, Karras, Laine 2017, "Efficient incoherent ray traversal on GPUs through compressed wide BVHs",
//   section 3.2 (optimal collapse), doi:10.1145/3105762.3105773; Wald, Benthin, Boulos 2008, "Getting rid of packets",
//   section 3 (wide nodes), doi:10.1109/RT.2008.4634620; Gottschalk, Lin, Manocha 1996, section 4,
//   doi:10.1145/237170.237244 (top-down).
// Work area, by offset: corners (9 f64 each, relative to the tree's origin, written by the caller) | records | keys |
//   bounds when the split needs them | order | moved | binary nodes | faces of a hull when the fitter needs them.
// No recursion over the input's depth. Cost: O(n log n). Tests: src/bvh/mesh-bvh.test.ts, src/bvh/split-range.test.ts.
import {
  AABB_CHILD,
  AABB_NODE_BYTES,
  BINARY_COUNT,
  BINARY_FIRST,
  BINARY_LEFT,
  BINARY_NODE_BYTES,
  FIT_RAPID2_HULL,
  KIND_AABB,
  KIND_OBB,
  LEAF_COUNT_SHIFT,
  MAX_LEAF_TRIANGLES,
  OBB_CHILD,
  OBB_NODE_BYTES,
  RSS_NODE_BYTES,
  SPLIT_AREA,
  SPLIT_BINNED,
  SPLIT_BINNED_LONGEST,
  SPLIT_LONGEST,
  STACK_BASE,
  TREE_BLOCK_BYTES,
  TREE_HEADER_BYTES,
  TREE_IDS_OFFSET,
  TRIANGLE_BYTES,
} from '../../src/kernel/layout';
import { BOUNDS_BYTES, boxArea, clearNode, copyToLane, fitBox, openFits, storeBox, storeSweptRectangle } from './fit';
import { closeWork, openWork, readF32, readU32, writeF32, writeU32 } from '../memory';
import { openSplits, splitRange } from './split';
import { cornersAt, fitAxes, openStatistics, RECORD_BYTES, writeRecords } from './statistics';
import { areaOfTriangle } from './triangle-axes';
import { buildWide, LEAST_WIDE, TRIANGLE_COST, wideBytes, wideLevels, wideNodes } from './wide';

// Binary node: centre 3, half extents 3, axes 9 (all f32) | then:
const LEFT: usize = BINARY_LEFT;
const FIRST: usize = BINARY_FIRST;
const COUNT: usize = BINARY_COUNT;
/** While splitting the depth, then the choices of the collapse. */
const DEPTH: usize = 72;
const CHOICES: usize = 72;
const AREA: usize = 76;
/** Cost with at most one, two, three wide children. */
const COST: usize = 80;
const BINARY_BYTES: usize = BINARY_NODE_BYTES;

/** Choices: the node is a leaf; share of the left child in four, three and two places (0 in the last two: use fewer). */
const IS_LEAF: u32 = 1;
const SHARE_FOUR: u32 = 1;
const SHARE_THREE: u32 = 3;
const SHARE_TWO: u32 = 5;

let triangleCount: u32 = 0;
let binaryCount: u32 = 0;
let work: usize = 0;
let workBytes: usize = 0;
let orderAt: usize = 0;
let binary: usize = 0;
let kind: u32 = KIND_OBB;
let levels: u32 = 0;
let nodeCount: u32 = 0;
let isWide: bool = false;
let isLazy: bool = false;

/** Bytes of the work area for a mesh of `count` triangles. */
export function buildWorkBytes(count: u32, fitter: u32, split: u32): u32 {
  return <u32>layOut(0, count, fitter, split);
}

let recordsAt: usize = 0;
let keysAt: usize = 0;
let boundsAt: usize = 0;
let movedAt: usize = 0;
let facesAt: usize = 0;

@inline
function align(address: usize): usize {
  return (address + 15) & ~15;
}

function layOut(start: usize, count: u32, fitter: u32, split: u32): usize {
  recordsAt = align(start + <usize>count * TRIANGLE_BYTES);
  keysAt = recordsAt + (fitter == FIT_RAPID2_HULL ? 0 : <usize>count * RECORD_BYTES);
  boundsAt = align(keysAt + ((<usize>count) << 3));
  orderAt = boundsAt + (isBinned(split) ? <usize>count * BOUNDS_BYTES : 0);
  movedAt = orderAt + ((<usize>count) << 2);
  binary = align(movedAt + ((<usize>count) << 2));
  if (isWideRule(count, fitter, split)) return binary + wideBytes(count, RSS_NODE_BYTES);
  facesAt = binary + 2 * <usize>count * BINARY_BYTES;
  return facesAt + (fitter == FIT_RAPID2_HULL ? 6 * <usize>count * TRIANGLE_BYTES : 0);
}

/** Splits by bounds need the box of a single triangle only where it is kept. */
@inline
function isBinned(split: u32): bool {
  return split == SPLIT_BINNED || split == SPLIT_BINNED_LONGEST;
}

/** Whether four-wide nodes are made at once, see wide.ts: half the time to build, and up to a tenth more per query. */
@inline
function isWideRule(count: u32, fitter: u32, split: u32): bool {
  return count >= LEAST_WIDE && isBinned(split) && fitter != FIT_RAPID2_HULL;
}

function openBuild(start: usize, count: u32, theKind: u32, fitter: u32, split: u32): void {
  work = start;
  workBytes = layOut(start, count, fitter, split) - start;
  triangleCount = count;
  kind = theKind;
  openWork(work, workBytes, 0, 0);
  openStatistics(start, orderAt, recordsAt, facesAt, fitter, isBinned(split));
  openFits(kind, boundsAt == orderAt ? 0 : boundsAt);
  openSplits(split, kind, keysAt, movedAt, count);
}

/**
 * First half of a build: splits and chooses; the corners are in the work area. Returns the number of wide nodes, the
 * root's frame included. count >= 1.
 */
export function planTree(start: usize, count: u32, theKind: u32, fitter: u32, split: u32): u32 {
  openBuild(start, count, theKind, fitter, split);
  for (let i: u32 = 0; i < count; i++) writeU32(orderAt, i << 2, i);
  // Axis-aligned boxes need the split position only, and only where that is what splits.
  if (kind != KIND_AABB || split == SPLIT_LONGEST || split == SPLIT_AREA) writeRecords(count);
  isWide = isWideRule(count, fitter, split);
  isLazy = isBinned(split);
  if (isWide) {
    buildWide(binary, count, kind, bytesPerNode(), childOffset(), TREE_HEADER_BYTES);
    nodeCount = wideNodes;
    levels = wideLevels;
    return nodeCount;
  }
  splitAll();
  chooseAll();
  emit(0);
  return nodeCount;
}

/** Levels of nodes of the tree planned last. */
export function plannedLevels(): u32 {
  return levels;
}

/** Second half: writes the nodes and the ids to the block, whose header is in place. */
export function writeTree(block: usize): void {
  openWork(work, workBytes, block, readBlockBytes(block));
  if (isWide) memory.copy(block + TREE_HEADER_BYTES, binary, <usize>nodeCount * bytesPerNode());
  else emit(block);
  const ids = block + readU32(block, TREE_IDS_OFFSET);
  for (let i: u32 = 0; i < triangleCount; i++) writeU32(ids, i << 2, readU32(orderAt + (i << 2)));
  closeWork();
}

/** The one number that has to be read before the block is known to the checks. */
@inline
function readBlockBytes(block: usize): usize {
  return load<u32>(block, TREE_BLOCK_BYTES);
}

@inline
function nodeAt(index: u32): usize {
  return binary + <usize>index * BINARY_BYTES;
}

function splitAll(): void {
  let stack: usize = STACK_BASE;
  writeU32(nodeAt(0), FIRST, 0);
  writeU32(nodeAt(0), COUNT, triangleCount);
  writeU32(nodeAt(0), DEPTH, 0);
  binaryCount = 1;
  writeU32(stack, 0, 0);
  stack += 4;
  while (stack > <usize>STACK_BASE) {
    stack -= 4;
    const node = nodeAt(readU32(stack));
    const first = readU32(node, FIRST);
    const count = readU32(node, COUNT);
    if (count == 1 && isLazy && kind != KIND_AABB) {
      writeF32(node, AREA, <f32>areaOfTriangle(cornersAt(first)));
      writeU32(node, LEFT, 0);
      continue;
    }
    fitBox(first, count);
    storeBox(node, 4);
    writeF32(node, AREA, <f32>boxArea());
    if (count == 1) {
      writeU32(node, LEFT, 0);
      continue;
    }
    const depth = readU32(node, DEPTH);
    const right = splitRange(first, count, depth);
    const child = binaryCount;
    binaryCount += 2;
    writeU32(node, LEFT, child);
    writeChild(nodeAt(child), first, right - first, depth + 1);
    writeChild(nodeAt(child + 1), right, first + count - right, depth + 1);
    writeU32(stack, 0, child + 1);
    writeU32(stack, 4, child);
    stack += 8;
  }
}

@inline
function writeChild(node: usize, first: u32, count: u32, depth: u32): void {
  writeU32(node, FIRST, first);
  writeU32(node, COUNT, count);
  writeU32(node, DEPTH, depth);
}

@inline
function cost(node: usize, places: u32): f32 {
  return readF32(node + ((places - 1) << 2), COST);
}

/** Children come after their parents, so the order backwards is bottom-up. */
function chooseAll(): void {
  for (let i = <i32>binaryCount - 1; i >= 0; i--) {
    const node = nodeAt(i);
    const area = readF32(node, AREA);
    const count = readU32(node, COUNT);
    if (count == 1) {
      writeU32(node, CHOICES, IS_LEAF);
      for (let k: usize = 0; k < 12; k += 4) writeF32(node, COST + k, area * <f32>TRIANGLE_COST);
      continue;
    }
    const l = nodeAt(readU32(node, LEFT));
    const r = l + BINARY_BYTES;
    let share: u32 = 2;
    let four = cost(l, 2) + cost(r, 2);
    if (cost(l, 1) + cost(r, 3) < four) {
      four = cost(l, 1) + cost(r, 3);
      share = 1;
    }
    if (cost(l, 3) + cost(r, 1) < four) {
      four = cost(l, 3) + cost(r, 1);
      share = 3;
    }
    let choices = share << SHARE_FOUR;
    let one = area + four;
    const leaf = area * <f32>TRIANGLE_COST * <f32>count;
    if (<i32>count <= MAX_LEAF_TRIANGLES && leaf <= one) {
      one = leaf;
      choices |= IS_LEAF;
    }
    let two = cost(l, 1) + cost(r, 1);
    if (two < one) choices |= 1 << SHARE_TWO;
    else two = one;
    let three = two;
    if (cost(l, 1) + cost(r, 2) < three) {
      three = cost(l, 1) + cost(r, 2);
      share = 1;
    } else share = 0;
    if (cost(l, 2) + cost(r, 1) < three) {
      three = cost(l, 2) + cost(r, 1);
      share = 2;
    }
    writeU32(node, CHOICES, choices | (share << SHARE_THREE));
    writeF32(node, COST, one);
    writeF32(node, COST + 4, two);
    writeF32(node, COST + 8, three);
  }
}

let lanes: u32 = 0;
const laneNodes = memory.data(16, 16);

/** Lists the binary nodes that take the places below `node`. Depth of the recursion: at most 3. */
function collect(node: usize, places: u32): void {
  const choices = readU32(node, CHOICES);
  let share: u32 = 0;
  let used = places;
  if (used == 4) share = (choices >> SHARE_FOUR) & 3;
  else {
    if (used == 3) {
      share = (choices >> SHARE_THREE) & 3;
      if (share == 0) used = 2;
    }
    if (used == 2) share = (choices >> SHARE_TWO) & 1;
  }
  if (share == 0) {
    store<u32>(laneNodes + (lanes << 2), <u32>node);
    lanes++;
    return;
  }
  const l = nodeAt(readU32(node, LEFT));
  collect(l, share);
  collect(l + BINARY_BYTES, used - share);
}

@inline
function isLeafNode(node: usize): bool {
  return (readU32(node, CHOICES) & IS_LEAF) != 0;
}

@inline
function bytesPerNode(): u32 {
  return kind == KIND_AABB ? AABB_NODE_BYTES : kind == KIND_OBB ? OBB_NODE_BYTES : RSS_NODE_BYTES;
}

@inline
function childOffset(): usize {
  return kind == KIND_AABB ? AABB_CHILD : OBB_CHILD;
}

/** Writes the chosen nodes to the block, or only counts them and their levels when the block is 0. */
function emit(block: usize): void {
  const bytes = bytesPerNode();
  const child = childOffset();
  let stack: usize = STACK_BASE;
  nodeCount = 1;
  levels = 1;
  const root = nodeAt(0);
  const frame = block + TREE_HEADER_BYTES;
  if (block) {
    clearNode(frame, child);
    writeLane(frame, root);
  }
  if (isLeafNode(root)) return;
  stack = pushPending(stack, root, 2, frame);
  while (stack > <usize>STACK_BASE) {
    stack -= 16;
    const binaryNode: usize = readU32(stack);
    const level = readU32(stack, 4);
    const offset = TREE_HEADER_BYTES + nodeCount * bytes;
    const node = block + offset;
    nodeCount++;
    levels = max(levels, level);
    if (block) {
      writeU32(<usize>readU32(stack, 8), child, offset);
      clearNode(node, child);
    }
    lanes = 0;
    collect(binaryNode, 4);
    for (let lane = <i32>lanes - 1; lane >= 0; lane--) {
      const below: usize = load<u32>(laneNodes + ((<usize>lane) << 2));
      const at = node + ((<usize>lane) << 2);
      if (block) writeLane(at, below);
      if (!isLeafNode(below)) stack = pushPending(stack, below, level + 1, at);
    }
  }
}

@inline
function pushPending(stack: usize, node: usize, level: u32, lane: usize): usize {
  writeU32(stack, 0, <u32>node);
  writeU32(stack, 4, level);
  writeU32(stack, 8, <u32>lane);
  return stack + 16;
}

/** Volumes and, for leaves, the reference. */
function writeLane(lane: usize, node: usize): void {
  const first = readU32(node, FIRST);
  const count = readU32(node, COUNT);
  if (count == 1 && isLazy && kind != KIND_AABB) {
    fitBox(first, 1);
    storeBox(lane, 16);
  } else copyToLane(lane, node);
  if (kind != KIND_AABB && kind != KIND_OBB) storeSweptRectangle(lane, first, count);
  if (isLeafNode(node)) writeU32(lane, childOffset(), 0x80000000 | ((count - 1) << LEAF_COUNT_SHIFT) | first);
}

/**
 * Fits the boxes of a tree anew. The work area holds the corners; behind what a build needs lies the list of boxes: address
 * of the lane, first triangle, their number (u32 each).
 */
export function refitTree(start: usize, count: u32, fitter: u32, block: usize, theKind: u32, boxes: u32): void {
  openBuild(start, count, theKind, fitter, SPLIT_LONGEST);
  const list = start + workBytes;
  openWork(work, workBytes + 12 * <usize>boxes, block, readBlockBytes(block));
  const ids = block + readU32(block, TREE_IDS_OFFSET);
  for (let i: u32 = 0; i < count; i++) writeU32(orderAt, i << 2, readU32(ids + (i << 2)));
  if (kind != KIND_AABB) writeRecords(count);
  for (let i: u32 = 0; i < boxes; i++) {
    const entry = list + 12 * <usize>i;
    const lane: usize = readU32(entry);
    const first = readU32(entry, 4);
    const inside = readU32(entry, 8);
    fitBox(first, inside);
    storeBox(binary, 4);
    copyToLane(lane, binary);
    if (kind != KIND_AABB && kind != KIND_OBB) storeSweptRectangle(lane, first, inside);
  }
  closeWork();
}

/** For tests: split position, axes and moments of the corners in the work area. */
export function fitTriangles(start: usize, count: u32, fitter: u32): void {
  openBuild(start, count, KIND_OBB, fitter, SPLIT_LONGEST);
  for (let i: u32 = 0; i < count; i++) writeU32(orderAt, i << 2, i);
  writeRecords(count);
  fitAxes(0, count);
  closeWork();
}

/** For tests: splits the corners in the work area once; returns how many go left. They come first in the order. */
export function splitTriangles(start: usize, count: u32, theKind: u32, fitter: u32, split: u32): u32 {
  openBuild(start, count, theKind, fitter, split);
  for (let i: u32 = 0; i < count; i++) writeU32(orderAt, i << 2, i);
  writeRecords(count);
  fitBox(0, count);
  const right = splitRange(0, count, 0);
  closeWork();
  return right;
}

/** Where the binary nodes of the tree planned last lie; parents come before their children, the root first. */
export function workNodes(): usize {
  return binary;
}

/** Where the order of the work area lies. */
export function workOrder(): usize {
  return orderAt;
}

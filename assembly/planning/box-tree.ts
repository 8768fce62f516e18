// The nodes of a tree that grows, kept for nearest-neighbour searches (nearest.ts): boxes around points, two below each, buckets of
// points at the ends.
//
// A point goes down to a bucket, whose boxes grow with it; a bucket of LEAF_POINTS that is full is split at the median of its
// widest coordinate. Up to LEAF_POINTS points there is one bucket: a scan.
// Source: Bentley 1975, "Multidimensional binary search trees used for associative searching", doi:10.1145/361002.361007; buckets
// and boxes as in Ichnowski, Alterovitz 2018, "Concurrent nearest-neighbor searching for parallel sampling-based motion planning in
// SO(3), SE(3), and Euclidean spaces", WAFR.
// Cost: an insertion O(depth).
// Tested by test/contract/planner-kernel.test.ts.
import {
  LEAF_POINTS,
  T_BOX_COUNT,
  T_BOX_ROOM,
  T_BOXES,
  T_COUNT,
  T_DEPTH,
  T_NODES,
  T_ROOM,
} from '../../src/planning/kernel/layout';
import { allocate, enlarge, must, release } from './blocks';
import { at, copyState, dimension, padded, scales, stateBytes } from './search';

/** Behind a node's state. */
const NODE_EXTRA: usize = 24;
const BY_NUMBER: i32 = -1;
const FIRST_ROOM: i32 = 64;
const FIRST_BOXES: i32 = 4;

@inline
function nodeBytes(): usize {
  return stateBytes + NODE_EXTRA;
}

/** Address of a node: its state. */
@inline
export function nodeOf(tree: usize, node: i32): usize {
  must(<u32>node < <u32>countOf(tree) && countOf(tree) <= load<i32>(tree, T_ROOM));
  return <usize>load<u32>(tree, T_NODES) + <usize>node * nodeBytes();
}

@inline
export function parentOf(tree: usize, node: i32): i32 {
  return load<i32>(nodeOf(tree, node) + stateBytes, 8);
}

@inline
export function radiusOf(tree: usize, node: i32): f64 {
  return load<f64>(nodeOf(tree, node) + stateBytes);
}

export function setRadius(tree: usize, node: i32, radius: f64): void {
  const tail = nodeOf(tree, node) + stateBytes;
  store<f64>(tail, radius);
  store<f32>(radiiOf(load<u32>(tail, 12)) + ((<usize>load<i32>(tail, 16)) << 2), <f32>radius);
}

@inline
export function countOf(tree: usize): i32 {
  return load<i32>(tree, T_COUNT);
}

// Boxes.

@inline
export function sideBytes(): usize {
  return ((dimension + 3) >> 2) << 4;
}

@inline
function boxBytes(): usize {
  return 2 * sideBytes() + 16;
}

@inline
export function boxOf(tree: usize, box: i32): usize {
  must(<u32>box < load<u32>(tree, T_BOX_COUNT) && load<i32>(tree, T_BOX_COUNT) <= load<i32>(tree, T_BOX_ROOM));
  return <usize>load<u32>(tree, T_BOXES) + <usize>box * boxBytes();
}

@inline
export function tailOf(box: usize): usize {
  return box + 2 * sideBytes();
}

@inline
function leafBytes(): usize {
  return <usize>LEAF_POINTS * (4 * dimension + 8);
}

@inline
export function numbersOf(leaf: usize): usize {
  return leaf + <usize>LEAF_POINTS * 4 * dimension;
}

/** Radii of the points of a leaf, f32. */
@inline
export function radiiOf(leaf: usize): usize {
  return leaf + <usize>LEAF_POINTS * (4 * dimension + 4);
}

/** Address of a coordinate of the place-th point of a leaf. */
@inline
function cell(leaf: usize, place: i32, k: usize): usize {
  must(<u32>place < <u32>LEAF_POINTS && k < dimension && (leaf & 63) === 0);
  return leaf + <usize>(place >> 2) * (16 * dimension) + (k << 4) + ((<usize>(place & 3)) << 2);
}

export function startTree(tree: usize): void {
  store<u32>(tree, <u32>allocate(<usize>FIRST_ROOM * nodeBytes()), T_NODES);
  store<i32>(tree, 0, T_COUNT);
  store<i32>(tree, FIRST_ROOM, T_ROOM);
  store<u32>(tree, <u32>allocate(<usize>FIRST_BOXES * boxBytes()), T_BOXES);
  store<i32>(tree, 1, T_BOX_COUNT);
  store<i32>(tree, FIRST_BOXES, T_BOX_ROOM);
  store<i32>(tree, 0, T_DEPTH);
  makeLeaf(boxOf(tree, 0), 0);
}

export function releaseTree(tree: usize): void {
  for (let i = 0, n = load<i32>(tree, T_BOX_COUNT); i < n; i++) {
    const tail = tailOf(boxOf(tree, i));
    if (load<i32>(tail) < 0) release(load<u32>(tail, 4), leafBytes());
  }
  release(load<u32>(tree, T_BOXES), <usize>load<i32>(tree, T_BOX_ROOM) * boxBytes());
  release(load<u32>(tree, T_NODES), <usize>load<i32>(tree, T_ROOM) * nodeBytes());
}

function makeLeaf(box: usize, depth: i32): void {
  const side = sideBytes();
  for (let o: usize = 0; o < side; o += 16) {
    v128.store(box + o, f32x4.splat(Infinity));
    v128.store(box + side + o, f32x4.splat(-Infinity));
  }
  const tail = tailOf(box);
  store<i32>(tail, -1);
  store<u32>(tail, <u32>allocate(leafBytes()), 4);
  store<i32>(tail, 0, 8);
  store<i32>(tail, depth, 12);
}

/** Adds a node; `parent` -1 makes a root. Returns its number. */
export function addNode(tree: usize, state: usize, parent: i32): i32 {
  const node = countOf(tree);
  const room = load<i32>(tree, T_ROOM);
  if (node === room) {
    const bytes = <usize>room * nodeBytes();
    store<u32>(tree, <u32>enlarge(load<u32>(tree, T_NODES), bytes, 2 * bytes), T_NODES);
    store<i32>(tree, 2 * room, T_ROOM);
  }
  store<i32>(tree, node + 1, T_COUNT);
  const place = nodeOf(tree, node);
  copyState(place, state);
  const tail = place + stateBytes;
  store<f64>(tail, Infinity);
  store<i32>(tail, parent < 0 ? node : parent, 8);
  store<i32>(tail, 0, 20);
  insert(tree, node, place);
  return node;
}

function insert(tree: usize, node: i32, state: usize): void {
  const side = sideBytes();
  for (let k: usize = 0; k < dimension; k++) store<f32>(padded + (k << 2), <f32>(at(state, k) * at(scales, k)));
  let index = 0;
  for (;;) {
    const box = boxOf(tree, index);
    for (let o: usize = 0; o < side; o += 16) {
      const p = v128.load(padded + o);
      v128.store(box + o, f32x4.min(v128.load(box + o), p));
      v128.store(box + side + o, f32x4.max(v128.load(box + side + o), p));
    }
    const tail = tailOf(box);
    const left = load<i32>(tail);
    if (left < 0) {
      if (load<i32>(tail, 8) < LEAF_POINTS) {
        append(box, node, state);
        return;
      }
      split(tree, index);
      continue;
    }
    const axis = load<i32>(tail, 8);
    const goesRight =
      axis === BY_NUMBER ? (node & 1) !== 0 : load<f32>(padded + ((<usize>axis) << 2)) >= load<f32>(tail, 12);
    index = goesRight ? load<i32>(tail, 4) : left;
  }
}

/** Puts a node, whose scaled coordinates are in `padded`, into the leaf of a box. */
function append(box: usize, node: i32, state: usize): void {
  const tail = tailOf(box);
  const leaf = <usize>load<u32>(tail, 4);
  const place = load<i32>(tail, 8);
  if ((place & 3) === 0) {
    const first = cell(leaf, place, 0);
    for (let k: usize = 0; k < dimension; k++) v128.store(first + (k << 4), f32x4.splat(Infinity));
  }
  for (let k: usize = 0; k < dimension; k++) store<f32>(cell(leaf, place, k), load<f32>(padded + (k << 2)));
  store<i32>(numbersOf(leaf) + ((<usize>place) << 2), node);
  store<f32>(radiiOf(leaf) + ((<usize>place) << 2), <f32>load<f64>(state + stateBytes));
  store<i32>(tail, place + 1, 8);
  store<u32>(state + stateBytes, <u32>leaf, 12);
  store<i32>(state + stateBytes, place, 16);
}

/** Makes two leaves of a full one. What is in `padded` stays. */
function split(tree: usize, index: i32): void {
  const count = load<i32>(tree, T_BOX_COUNT);
  const room = load<i32>(tree, T_BOX_ROOM);
  if (count + 2 > room) {
    const bytes = <usize>room * boxBytes();
    store<u32>(tree, <u32>enlarge(load<u32>(tree, T_BOXES), bytes, 2 * bytes), T_BOXES);
    store<i32>(tree, 2 * room, T_BOX_ROOM);
  }
  store<i32>(tree, count + 2, T_BOX_COUNT);
  const box = boxOf(tree, index);
  const tail = tailOf(box);
  const leaf = <usize>load<u32>(tail, 4);
  const depth = load<i32>(tail, 12) + 1;
  if (depth > load<i32>(tree, T_DEPTH)) store<i32>(tree, depth, T_DEPTH);
  makeLeaf(boxOf(tree, count), depth);
  makeLeaf(boxOf(tree, count + 1), depth);
  let axis = widestAxis(leaf);
  const value: f32 = axis < 0 ? 0 : medianOf(leaf, axis);
  // A median that is the least of all would leave one side empty.
  if (axis >= 0 && !(leastOf(leaf, axis) < value)) axis = BY_NUMBER;
  const keep = allocate(sideBytes());
  memory.copy(keep, padded, sideBytes());
  for (let i = 0; i < LEAF_POINTS; i++) {
    const node = load<i32>(numbersOf(leaf) + ((<usize>i) << 2));
    const state = nodeOf(tree, node);
    const isRight = axis < 0 ? (node & 1) !== 0 : load<f32>(cell(leaf, i, axis)) >= value;
    const child = boxOf(tree, isRight ? count + 1 : count);
    const side = sideBytes();
    for (let k: usize = 0; k < dimension; k++) store<f32>(padded + (k << 2), load<f32>(cell(leaf, i, k)));
    // Removed ones (infinite) are dropped: nothing finds them.
    if (load<f32>(padded) === Infinity) continue;
    for (let o: usize = 0; o < side; o += 16) {
      const p = v128.load(padded + o);
      v128.store(child + o, f32x4.min(v128.load(child + o), p));
      v128.store(child + side + o, f32x4.max(v128.load(child + side + o), p));
    }
    append(child, node, state);
  }
  memory.copy(padded, keep, sideBytes());
  release(keep, sideBytes());
  release(leaf, leafBytes());
  store<i32>(tail, count);
  store<i32>(tail, count + 1, 4);
  store<i32>(tail, axis, 8);
  store<f32>(tail, value, 12);
}

/** Coordinate along which the points that are left spread most, -1 when they coincide. */
function widestAxis(leaf: usize): i32 {
  let axis = -1;
  let widest: f32 = 0;
  for (let k: usize = 0; k < dimension; k++) {
    let least: f32 = Infinity;
    let greatest: f32 = -Infinity;
    for (let i = 0; i < LEAF_POINTS; i++) {
      if (load<f32>(cell(leaf, i, 0)) === Infinity) continue;
      const x = load<f32>(cell(leaf, i, k));
      least = min(least, x);
      greatest = max(greatest, x);
    }
    if (greatest - least > widest) {
      widest = greatest - least;
      axis = <i32>k;
    }
  }
  return axis;
}

function leastOf(leaf: usize, axis: usize): f32 {
  let least: f32 = Infinity;
  for (let i = 0; i < LEAF_POINTS; i++) least = min(least, load<f32>(cell(leaf, i, axis)));
  return least;
}

/** Sorts a copy by insertion: few points, seldom. */
function medianOf(leaf: usize, axis: usize): f32 {
  const sorted = allocate(LEAF_POINTS * 4);
  for (let i = 0; i < LEAF_POINTS; i++) {
    const x = load<f32>(cell(leaf, i, axis));
    let j = i;
    for (; j > 0 && load<f32>(sorted + ((<usize>(j - 1)) << 2)) > x; j--)
      store<f32>(sorted + ((<usize>j) << 2), load<f32>(sorted + ((<usize>(j - 1)) << 2)));
    store<f32>(sorted + ((<usize>j) << 2), x);
  }
  const median = load<f32>(sorted + (LEAF_POINTS / 2) * 4);
  release(sorted, LEAF_POINTS * 4);
  return median;
}

/** Takes a node out of what searches find. */
export function removeNode(tree: usize, node: i32): void {
  const tail = nodeOf(tree, node) + stateBytes;
  if (load<i32>(tail, 20) !== 0) return;
  store<i32>(tail, 1, 20);
  const leaf = <usize>load<u32>(tail, 12);
  const place = load<i32>(tail, 16);
  for (let k: usize = 0; k < dimension; k++) store<f32>(cell(leaf, place, k), Infinity);
}

@inline
export function isRemoved(tree: usize, node: i32): bool {
  return load<i32>(nodeOf(tree, node) + stateBytes, 20) !== 0;
}

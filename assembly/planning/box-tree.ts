// Nearest neighbours among the nodes of a tree that grows: boxes around points, two below each, buckets of points at the ends.
//
// 1. A point goes down to a bucket, whose boxes grow with it; a bucket of LEAF_POINTS that is full is split at the median of its
//    widest coordinate. Up to LEAF_POINTS points there is one bucket: a scan.
// 2. A search goes down the nearer box first and leaves out boxes that are farther than the best so far. In a bucket distances to
//    four points at a time are computed in single precision; a point that may be nearer than the best, by what rounding can do
//    (S_SLACK), is measured in double precision, as the scan of src/planning/state-tree.ts does. So the answer, ties included (the
//    older node), is that of a scan over all nodes.
// Wrapping coordinates: differences go the shorter way round, and so does the distance to a box.
// Source: Bentley 1975, "Multidimensional binary search trees used for associative searching", doi:10.1145/361002.361007; buckets
// and boxes as in Ichnowski, Alterovitz 2018, "Concurrent nearest-neighbor searching for parallel sampling-based motion planning in
// SO(3), SE(3), and Euclidean spaces", doi:10.1007/978-3-030-44051-0_14.
// Cost: a search O(log n) boxes and some buckets where dimensions are few, all of them at worst; an insertion O(depth).
// Tested by test/contract/planner-kernel.test.ts.
import {
  COORDINATE_LINE,
  COORDINATE_LOCKED,
  FLAG_WRAPS,
  LEAF_POINTS,
  S_FLAGS,
  S_NEAREST,
  S_SLACK,
  S_STACK,
  S_STACK_ROOM,
  T_BOX_COUNT,
  T_BOX_ROOM,
  T_BOXES,
  T_COUNT,
  T_DEPTH,
  T_NODES,
  T_ROOM,
} from '../../src/planning/kernel/layout';
import { allocate, enlarge, release } from './blocks';
import { at, copyState, dimension, distance, kind, padded, period, scales, search, splats, stateBytes, sums } from './search';

/** Behind a node's state. */
const NODE_EXTRA: usize = 24;
const BY_NUMBER: i32 = -1;
const FIRST_ROOM: i32 = 64;
const FIRST_BOXES: i32 = 4;
/** What may differ in sums of single precision, relatively. */
const SINGLE: f64 = 1.00001;

@inline
function nodeBytes(): usize {
  return stateBytes + NODE_EXTRA;
}

/** Address of a node: its state. */
@inline
export function nodeOf(tree: usize, node: i32): usize {
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

@inline
export function setRadius(tree: usize, node: i32, radius: f64): void {
  store<f64>(nodeOf(tree, node) + stateBytes, radius);
}

@inline
export function countOf(tree: usize): i32 {
  return load<i32>(tree, T_COUNT);
}

// Boxes.

@inline
function sideBytes(): usize {
  return ((dimension + 3) >> 2) << 4;
}

@inline
function boxBytes(): usize {
  return 2 * sideBytes() + 16;
}

@inline
function boxOf(tree: usize, box: i32): usize {
  return <usize>load<u32>(tree, T_BOXES) + <usize>box * boxBytes();
}

@inline
function tailOf(box: usize): usize {
  return box + 2 * sideBytes();
}

@inline
function leafBytes(): usize {
  return <usize>LEAF_POINTS * (4 * dimension + 4);
}

@inline
function numbersOf(leaf: usize): usize {
  return leaf + <usize>LEAF_POINTS * 4 * dimension;
}

/** Address of a coordinate of the place-th point of a leaf. */
@inline
function cell(leaf: usize, place: i32, k: usize): usize {
  return leaf + <usize>(place >> 2) * (16 * dimension) + (k << 4) + (<usize>(place & 3) << 2);
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
      axis === BY_NUMBER ? (node & 1) !== 0 : load<f32>(padded + (<usize>axis << 2)) >= load<f32>(tail, 12);
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
  store<i32>(numbersOf(leaf) + (<usize>place << 2), node);
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
    const node = load<i32>(numbersOf(leaf) + (<usize>i << 2));
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
    for (; j > 0 && load<f32>(sorted + (<usize>(j - 1) << 2)) > x; j--)
      store<f32>(sorted + (<usize>j << 2), load<f32>(sorted + (<usize>(j - 1) << 2)));
    store<f32>(sorted + (<usize>j << 2), x);
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

// The search under way.

/** Squared distance of the best; in other metrics than the plain one its distance. */
let best: f64 = 0;
let bestNode: i32 = -1;
/** Points of this or more, by squares in single precision, are no nearer. */
let limit: f32 = 0;
let slack: f64 = 0;
let wraps: bool = false;
let state: usize = 0;

/** Nearest node that is not removed, -1 if there is none; its distance is written to S_NEAREST. */
export function findNearest(tree: usize, query: usize): i32 {
  state = query;
  best = Infinity;
  bestNode = -1;
  limit = Infinity;
  slack = load<f64>(search, S_SLACK);
  wraps = (load<i32>(search, S_FLAGS) & FLAG_WRAPS) !== 0;
  for (let k: usize = 0; k < dimension; k++) {
    const q = <f32>(at(query, k) * at(scales, k));
    v128.store(splats + (k << 4), f32x4.splat(q));
    store<f32>(padded + (k << 2), q);
  }
  if (load<i32>(tree, T_BOX_COUNT) === 1) {
    const tail = tailOf(boxOf(tree, 0));
    scanLeaf(tree, load<u32>(tail, 4), load<i32>(tail, 8));
  } else walk(tree);
  store<f64>(search, wraps ? best : sqrt(best), S_NEAREST);
  return bestNode;
}

function walk(tree: usize): void {
  const room = load<i32>(tree, T_DEPTH) + 2;
  if (load<i32>(search, S_STACK_ROOM) < room) {
    release(load<u32>(search, S_STACK), <usize>load<i32>(search, S_STACK_ROOM) << 3);
    store<u32>(search, <u32>allocate(<usize>room << 4), S_STACK);
    store<i32>(search, 2 * room, S_STACK_ROOM);
  }
  const stack = <usize>load<u32>(search, S_STACK);
  let top = stack;
  let index = 0;
  for (;;) {
    const tail = tailOf(boxOf(tree, index));
    const left = load<i32>(tail);
    if (left < 0) {
      scanLeaf(tree, load<u32>(tail, 4), load<i32>(tail, 8));
    } else {
      const right = load<i32>(tail, 4);
      const toLeft = boxDistance(boxOf(tree, left));
      const toRight = boxDistance(boxOf(tree, right));
      const near = min(toLeft, toRight);
      const far = max(toLeft, toRight);
      const isLeft = toLeft <= toRight;
      if (far < limit) {
        store<i32>(top, isLeft ? right : left);
        store<f32>(top, far, 4);
        top += 8;
      }
      if (near < limit) {
        index = isLeft ? left : right;
        continue;
      }
    }
    do {
      if (top === stack) return;
      top -= 8;
    } while (!(load<f32>(top, 4) < limit));
    index = load<i32>(top);
  }
}

/** Squared distance of the query to a box, single precision. */
function boxDistance(box: usize): f32 {
  const side = sideBytes();
  let sum = f32x4.splat(0);
  for (let o: usize = 0; o < side; o += 16) {
    const q = v128.load(padded + o);
    const below = f32x4.sub(v128.load(box + o), q);
    const above = f32x4.sub(q, v128.load(box + side + o));
    const gap = f32x4.max(f32x4.max(below, above), f32x4.splat(0));
    sum = f32x4.add(sum, f32x4.mul(gap, gap));
  }
  if (wraps) return wrappedBoxDistance(box);
  const pairs = f32x4.add(sum, v128.shuffle<f32>(sum, sum, 2, 3, 0, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

function wrappedBoxDistance(box: usize): f32 {
  const side = sideBytes();
  let sum: f32 = 0;
  for (let k: usize = 0; k < dimension; k++) {
    const q = load<f32>(padded + (k << 2));
    const low = load<f32>(box + (k << 2));
    const high = load<f32>(box + side + (k << 2));
    // An empty box.
    if (low > high) return Infinity;
    let gap = max(max(low - q, q - high), 0);
    if ((kind(k) & ~COORDINATE_LOCKED) !== COORDINATE_LINE) {
      const turn = <f32>(period(k) * at(scales, k));
      gap = min(gap, min(max(low - (q - turn), 0), max(q + turn - high, 0)));
    }
    sum += gap * gap;
  }
  return sum;
}

/** Distances in single precision first; only points that may be the nearest by what these can be off are measured. */
function scanLeaf(tree: usize, leaf: usize, count: i32): void {
  const stride = dimension << 4;
  let least = f32x4.splat(Infinity);
  let points = leaf;
  const end = <usize>((count + 3) & ~3) << 2;
  if (wraps) {
    for (let o: usize = 0; o < end; o += 16, points += stride) {
      const sum = sumWrapped(points, stride);
      v128.store(sums + o, sum);
      least = f32x4.pmin(least, sum);
    }
  } else {
    // Eight points at a time; behind the last four there is room for four more, whatever is in it.
    for (let o: usize = 0; o < end; o += 32, points += 2 * stride) {
      let first = f32x4.splat(0);
      let second = f32x4.splat(0);
      for (let p = points, q = splats, last = points + stride; p < last; p += 16, q += 16) {
        const x = v128.load(q);
        const d = f32x4.sub(v128.load(p), x);
        const e = f32x4.sub(v128.load(p + stride), x);
        first = f32x4.add(first, f32x4.mul(d, d));
        second = f32x4.add(second, f32x4.mul(e, e));
      }
      v128.store(sums + o, first);
      v128.store(sums + o, second, 16);
      least = f32x4.pmin(least, first);
      if (o + 16 < end) least = f32x4.pmin(least, second);
    }
  }
  const pairs = f32x4.pmin(least, v128.shuffle<f32>(least, least, 2, 3, 0, 1));
  const value = min(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1));
  if (!(value < limit)) return;
  const reach = sqrt(<f64>value) + 2 * slack;
  limit = min(limit, <f32>(reach * reach * SINGLE));
  for (let o: usize = 0; o < end; o += 16) {
    const near = f32x4.lt(v128.load(sums + o), f32x4.splat(limit));
    if (v128.any_true(near)) look(tree, leaf, <i32>(o >> 2), i32x4.bitmask(near));
  }
}

function sumWrapped(points: usize, stride: usize): v128 {
  let sum = f32x4.splat(0);
  for (let o: usize = 0; o < stride; o += 16) {
    const k = o >> 4;
    let d = f32x4.sub(v128.load(points + o), v128.load(splats + o));
    if ((kind(k) & ~COORDINATE_LOCKED) !== COORDINATE_LINE) {
      const turn = f32x4.splat(<f32>(period(k) * at(scales, k)));
      d = f32x4.sub(d, f32x4.mul(turn, f32x4.nearest(f32x4.div(d, turn))));
    }
    sum = f32x4.add(sum, f32x4.mul(d, d));
  }
  return sum;
}

/** Measures the points that may be nearer, in double precision. */
function look(tree: usize, leaf: usize, first: i32, mask: i32): void {
  const nodes = numbersOf(leaf) + (<usize>first << 2);
  for (let lane: usize = 0; lane < 4; lane++) {
    if ((mask & (1 << <i32>lane)) === 0) continue;
    const node = load<i32>(nodes + (lane << 2));
    const value = wraps ? wrapped(nodeOf(tree, node)) : squaredPlain(nodeOf(tree, node));
    if (value < best || (value === best && node < bestNode)) {
      best = value;
      bestNode = node;
      const reach = (wraps ? value : sqrt(value)) + slack;
      limit = min(limit, <f32>(reach * reach * SINGLE));
    }
  }
}

/** As scans of scaled coordinates compute it. */
function squaredPlain(node: usize): f64 {
  let sum: f64 = 0;
  for (let k: usize = 0; k < dimension; k++) {
    const scale = at(scales, k);
    const d = at(node, k) * scale - at(state, k) * scale;
    sum += d * d;
  }
  return sum;
}

function wrapped(node: usize): f64 {
  return distance(node, state);
}

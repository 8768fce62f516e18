// Nearest neighbours among the nodes of a tree (box-tree.ts).
//
// A search goes down the nearer box first and leaves out boxes that are farther than the best so far. In a bucket distances to
// four points at a time are computed in single precision; a point that may be nearer than the best, by what rounding can do
// (S_SLACK), is measured in double precision, as the scan of src/planning/state-tree.ts does. So the answer, ties included (the
// older node), is that of a scan over all nodes.
// Where nodes have radii (dynamic domain) most states are farther from the nearest node than its radius: in a tree of one bucket that
// is seen in single precision, with no node named.
// Wrapping coordinates: differences go the shorter way round, and so does the distance to a box.
// Source: see box-tree.ts. Cost: O(log n) boxes and some buckets where dimensions are few, all of them at worst.
// Tested by test/contract/planner-kernel.test.ts.
import {
  COORDINATE_LINE,
  COORDINATE_LOCKED,
  FLAG_WRAPS,
  S_FLAGS,
  S_NEAREST,
  S_SLACK,
  S_STACK,
  S_STACK_ROOM,
  T_BOX_COUNT,
  T_DEPTH,
} from '../../src/planning/kernel/layout';
import { allocate, release } from './blocks';
import { boxOf, numbersOf, radiiOf, sideBytes, tailOf, nodeOf } from './box-tree';
import { at, dimension, distance, kind, padded, period, scales, search, splats, sums } from './search';

/** What may differ in sums of single precision, relatively. */
const SINGLE: f64 = 1.00001;
/** No node: the nearest is farther than its radius. */
export const OUTSIDE: i32 = -2;

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
  return find(tree, query, false);
}

/** As `findNearest`, or OUTSIDE, without a distance, where the nearest node is seen to be farther than its radius. */
export function findNearestInDomain(tree: usize, query: usize): i32 {
  return find(tree, query, true);
}

@inline
function find(tree: usize, query: usize, leavesOut: bool): i32 {
  state = query;
  best = Infinity;
  bestNode = -1;
  limit = Infinity;
  slack = load<f64>(search, S_SLACK);
  wraps = (load<i32>(search, S_FLAGS) & FLAG_WRAPS) !== 0;
  let k: usize = 0;
  for (; k + 2 <= dimension; k += 2) {
    const two = f32x4.demote_f64x2_zero(f64x2.mul(v128.load(query + (k << 3)), v128.load(scales + (k << 3))));
    v128.store(splats + (k << 4), v128.shuffle<f32>(two, two, 0, 0, 0, 0));
    v128.store(splats + (k << 4), v128.shuffle<f32>(two, two, 1, 1, 1, 1), 16);
    v128.store_lane<u64>(padded + (k << 2), two, 0);
  }
  if (k < dimension) {
    const q = <f32>(at(query, k) * at(scales, k));
    v128.store(splats + (k << 4), f32x4.splat(q));
    store<f32>(padded + (k << 2), q);
  }
  if (load<i32>(tree, T_BOX_COUNT) === 1) {
    const tail = tailOf(boxOf(tree, 0));
    const leaf = <usize>load<u32>(tail, 4);
    const count = load<i32>(tail, 8);
    const value = sumLeaf(leaf, count);
    if (leavesOut && isOutside(leaf, count, value)) return OUTSIDE;
    narrow(value);
    measureLeaf(tree, leaf, count);
  } else walk(tree);
  store<f64>(search, wraps ? best : sqrt(best), S_NEAREST);
  return bestNode;
}

function walk(tree: usize): void {
  const room = load<i32>(tree, T_DEPTH) + 2;
  if (load<i32>(search, S_STACK_ROOM) < room) {
    release(load<u32>(search, S_STACK), (<usize>load<i32>(search, S_STACK_ROOM)) << 3);
    store<u32>(search, <u32>allocate((<usize>room) << 4), S_STACK);
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
  const value = sumLeaf(leaf, count);
  if (!(value < limit)) return;
  narrow(value);
  measureLeaf(tree, leaf, count);
}

/** Writes squared distances to the points of a leaf; returns the least. */
@inline
function sumLeaf(leaf: usize, count: i32): f32 {
  const stride = dimension << 4;
  let least = f32x4.splat(Infinity);
  let points = leaf;
  const end = (<usize>((count + 3) & ~3)) << 2;
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
  return min(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1));
}

/** What is farther than a squared distance in single precision is not the nearest. */
@inline
function narrow(value: f32): void {
  const reach = sqrt(<f64>value) + 2 * slack;
  limit = min(limit, <f32>(reach * reach * SINGLE));
}

/** Whether all points that may be the nearest are farther than their radii; `least` is the least squared distance. */
@inline
function isOutside(leaf: usize, count: i32, least: f32): bool {
  const radii = radiiOf(leaf);
  const loss = <f32>slack;
  // At least the square of the root and twice the loss, without a root.
  const most = f32x4.splat((least + 4 * loss * (max<f32>(least, 1) + loss)) * <f32>SINGLE);
  const spare = f32x4.splat(loss);
  const factor = f32x4.splat(<f32>SINGLE);
  let inside = i32x4.splat(0);
  for (let o: usize = 0, end = (<usize>((count + 3) & ~3)) << 2; o < end; o += 16) {
    const d = v128.load(sums + o);
    const reach = f32x4.add(v128.load(radii + o), spare);
    const isNear = f32x4.le(d, f32x4.mul(f32x4.mul(reach, reach), factor));
    inside = v128.or(inside, v128.and(f32x4.lt(d, most), isNear));
  }
  return !v128.any_true(inside);
}

/** Measures the points of a leaf, whose squared distances are written, that may be nearer than the best. */
@inline
function measureLeaf(tree: usize, leaf: usize, count: i32): void {
  const end = (<usize>((count + 3) & ~3)) << 2;
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
  const nodes = numbersOf(leaf) + ((<usize>first) << 2);
  for (let lane: usize = 0; lane < 4; lane++) {
    if ((mask & (1 << (<i32>lane))) === 0) continue;
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

// Smallest distance between two triangle meshes, with the closest points and triangles.
//
// Method: best-first over pairs of boxes: the pair with the least lower bound is taken from a queue, its larger box is
// opened, the four children get a lower bound of their distance at once, those below the best distance are queued. Thus
// few pairs are opened that the distance found in the end does not demand. When the queue is full, the pair taken is
// searched depth-first, nearest first, on the stack. A tolerance is searched depth-first throughout: there the first
// pair of triangles that is near enough ends the query. The two triangles in the hint area, when given, set the first
// bound.
// Source: Larsen, Gottschalk, Lin, Manocha 1999, "Fast proximity queries with swept sphere volumes", UNC TR99-018,
//   section 5 (order and bound, queue); the four-wide form is ours.
// Ends early once the squared distance is at most `enough2`. From `limit2` on, distances are not looked for. With `share` below 1 only
// what is below that share of the best square is looked for: no pair has a smaller square than share times the result.
import {
  HINT_TRIANGLES,
  KIND_AABB,
  KIND_RSS,
  QUEUE_BASE,
  QUEUE_ENTRIES,
  RESULT_COUNTS,
  RESULT_NUMBERS,
  RESULT_TRIANGLES,
  STACK_BASE,
  TRANSFORM_AB,
  TRANSFORM_BA,
  TREE_NODE_KIND,
  TRIANGLE_BYTES,
} from '../../src/kernel/layout';
import { AabbNode, BothNode, boundFour, ObbNode, SweptNode } from './boxes';
import { openTrees, readF32, readU32, readV128, writeF32, writeF64, writeU32, writeV128 } from '../memory';
import { laneOf } from '../lanes';
import { sweptBoundFour } from '../chain/rectangles';
import { separatedByAxes } from './separation';
import { trianglePairDistance } from './triangles';
import {
  boxSize,
  childOf,
  isLeaf,
  leafCount,
  leafFirst,
  moveTriangle,
  rootBox,
  setUpQuery,
  triangleAt,
  triangleId,
  triangleScale,
  usedLanes,
} from './trees';

let treeA: usize = 0;
let treeB: usize = 0;
let best2: f64 = 0;
// Squares from here on are of no use: the limit, then the share of the best.
let bound2: f64 = 0;
let boundDistance: f64 = 0;
let share2: f64 = 1;
let target2: f64 = 0;
let scale: f64 = 0;
let stackTop: usize = STACK_BASE;
let queued: i32 = 0;
let queueLimit: i32 = 0;
let nodeTests: i32 = 0;
let primitiveTests: i32 = 0;

/** 1 when a pair of triangles below the limit was found (2: the hint was the closest), else 0. */
export function distance(a: usize, b: usize, limit2: f64, enough2: f64, share: f64, useHint: i32): i32 {
  openTrees(a, b);
  treeA = a;
  treeB = b;
  nodeTests = 0;
  primitiveTests = 0;
  best2 = limit2;
  bound2 = limit2;
  share2 = share;
  target2 = enough2;
  const rounding = setUpQuery(a, b);
  const slack = <f32>rounding;
  scale = triangleScale(rounding);
  let found = 0;
  if (useHint) {
    const moved = moveTriangle(HINT_TRIANGLES + TRIANGLE_BYTES);
    primitiveTests++;
    const d2 = trianglePairDistance(HINT_TRIANGLES, moved, best2);
    if (d2 < best2) {
      best2 = d2;
      bound2 = d2 * share;
      found = 2;
    }
  }
  if (found == 0 || best2 > enough2) {
    boundDistance = Math.sqrt(bound2);
    stackTop = STACK_BASE;
    queued = 0;
    // Room for the four children of the pair that is opened.
    queueLimit = enough2 > 0 ? -1 : QUEUE_ENTRIES - 4;
    pushEntry(rootBox(a), rootBox(b), 0);
    if (searchKinds(slack)) found = 1;
  }
  writeF64(RESULT_NUMBERS, 0, best2);
  writeU32(RESULT_COUNTS, 0, nodeTests);
  writeU32(RESULT_COUNTS, 4, primitiveTests);
  return found;
}

/** By the volumes that both trees have. */
function searchKinds(slack: f32): bool {
  const kindA = readU32(treeA, TREE_NODE_KIND);
  const kindB = readU32(treeB, TREE_NODE_KIND);
  if (kindA == KIND_RSS && kindB == KIND_RSS) return search<SweptNode, SweptNode>(slack);
  if (<i32>min(kindA, kindB) >= KIND_RSS) return search<BothNode, BothNode>(slack);
  if (kindA == KIND_AABB) {
    return kindB == KIND_AABB ? search<AabbNode, AabbNode>(slack) : search<AabbNode, ObbNode>(slack);
  }
  return kindB == KIND_AABB ? search<ObbNode, AabbNode>(slack) : search<ObbNode, ObbNode>(slack);
}

@inline
function pushEntry(boxA: usize, boxB: usize, bound: f32): void {
  writeU32(stackTop, 0, <u32>boxA);
  writeU32(stackTop, 4, <u32>boxB);
  writeF32(stackTop, 8, bound);
  stackTop += 16;
}

/** Largest square of use as f32, rounded up. */
@inline
function limitNow(): f32 {
  return min(<f32>(bound2 * 1.000001), f32.MAX_VALUE);
}

function search<A, B>(slackNumber: f32): bool {
  const slack = f32x4.splat(slackNumber);
  let found = false;
  let limit = limitNow();
  while (true) {
    let entry: usize = QUEUE_BASE;
    if (stackTop > <usize>STACK_BASE) {
      stackTop -= 16;
      if (readF32(stackTop, 8) > limit) continue;
      entry = stackTop;
    } else if (queued == 0 || readF32(QUEUE_BASE, 8) > limit) {
      return found;
    }
    const boxA: usize = readU32(entry, 0);
    const boxB: usize = readU32(entry, 4);
    if (entry == <usize>QUEUE_BASE) dropFirst();
    const childA = childOf<A>(boxA);
    const childB = childOf<B>(boxB);
    if (isLeaf(childA) && isLeaf(childB)) {
      if (measureLeaves(childA, childB)) {
        found = true;
        if (best2 <= target2) return true;
        limit = limitNow();
      }
      continue;
    }
    if (isLeaf(childA) || (!isLeaf(childB) && boxSize<B>(boxB) > boxSize<A>(boxA))) {
      const node = treeB + childB;
      const used = usedLanes<B>(node);
      nodeTests += popcnt(used);
      const bounds = boundFour<A, B>(boxA, node, TRANSFORM_AB, slack, f32x4.splat(limit));
      push(bounds, used & within(bounds, limit), node, boxA, true);
    } else {
      const node = treeA + childA;
      const used = usedLanes<A>(node);
      nodeTests += popcnt(used);
      const bounds = boundFour<B, A>(boxB, node, TRANSFORM_BA, slack, f32x4.splat(limit));
      push(bounds, used & within(bounds, limit), node, boxB, false);
    }
  }
}

@inline
function within(bounds: v128, limit: f32): i32 {
  return i32x4.bitmask(f32x4.le(bounds, f32x4.splat(limit)));
}

/** Queues the boxes of a node that `lanes` names, each with the other box of the pair. */
function push(bounds: v128, lanes: i32, node: usize, other: usize, opensB: bool): void {
  if (stackTop > <usize>STACK_BASE || queued > queueLimit) {
    pushSorted(bounds, lanes, node, other, opensB);
    return;
  }
  for (let near = lanes; near; near &= near - 1) {
    const lane = ctz(near);
    const box = node + ((<usize>lane) << 2);
    insert(opensB ? other : box, opensB ? box : other, laneOf(bounds, lane));
  }
}

/** On the stack, the farthest first. */
@inline
function pushSorted(bounds: v128, lanes: i32, node: usize, other: usize, opensB: bool): void {
  const base = stackTop;
  for (let near = lanes; near; near &= near - 1) {
    const lane = ctz(near);
    const bound = laneOf(bounds, lane);
    const box = node + ((<usize>lane) << 2);
    // Insertion keeps the entries above `base` in falling order.
    let at = stackTop;
    while (at > base && readF32(at - 16, 8) < bound) {
      writeV128(at, 0, readV128(at - 16));
      at -= 16;
    }
    writeU32(at, 0, <u32>(opensB ? other : box));
    writeU32(at, 4, <u32>(opensB ? box : other));
    writeF32(at, 8, bound);
    stackTop += 16;
  }
}

// The queue is a heap in which entry i has the children 4 i + 1 to 4 i + 4.

@inline
function queueAt(i: i32): usize {
  return <usize>QUEUE_BASE + ((<usize>i) << 4);
}

function insert(boxA: usize, boxB: usize, bound: f32): void {
  let i = queued++;
  while (i > 0) {
    const parent = (i - 1) >> 2;
    if (readF32(queueAt(parent), 8) <= bound) break;
    writeV128(queueAt(i), 0, readV128(queueAt(parent)));
    i = parent;
  }
  const at = queueAt(i);
  writeU32(at, 0, <u32>boxA);
  writeU32(at, 4, <u32>boxB);
  writeF32(at, 8, bound);
}

/** Removes the first entry: the last one sinks from its place. */
function dropFirst(): void {
  const last = queueAt(--queued);
  const bound = readF32(last, 8);
  let i = 0;
  while (true) {
    let child = (i << 2) + 1;
    if (child >= queued) break;
    const end = min(child + 4, queued);
    let least = readF32(queueAt(child), 8);
    for (let k = child + 1; k < end; k++) {
      const other = readF32(queueAt(k), 8);
      if (other < least) {
        least = other;
        child = k;
      }
    }
    if (least >= bound) break;
    writeV128(queueAt(i), 0, readV128(queueAt(child)));
    i = child;
  }
  writeV128(queueAt(i), 0, readV128(last));
}

function measureLeaves(childA: u32, childB: u32): bool {
  let found = false;
  const firstA = leafFirst(childA);
  const endA = firstA + leafCount(childA);
  const firstB = leafFirst(childB);
  const endB = firstB + leafCount(childB);
  for (let j = firstB; j < endB; j++) {
    const moved = moveTriangle(triangleAt(treeB, j));
    for (let i = firstA; i < endA; i++) {
      primitiveTests++;
      const triangle = triangleAt(treeA, i);
      if (separatedByAxes(triangle, moved, boundDistance, scale)) continue;
      const d2 = trianglePairDistance(triangle, moved, bound2);
      if (d2 < bound2) {
        best2 = d2;
        bound2 = d2 * share2;
        boundDistance = Math.sqrt(bound2);
        found = true;
        writeU32(RESULT_TRIANGLES, 0, triangleId(treeA, i));
        writeU32(RESULT_TRIANGLES, 4, triangleId(treeB, j));
      }
    }
  }
  return found;
}

/** For tests: distance of the rectangles swept by spheres around two whole meshes. */
export function rootSweptDistance(a: usize, b: usize): f32 {
  openTrees(a, b);
  setUpQuery(a, b);
  const bounds = sweptBoundFour(rootBox(a), rootBox(b), TRANSFORM_AB, f32x4.splat(0));
  return f32x4.extract_lane(f32x4.sqrt(bounds), 0);
}

// Smallest distance between two triangle meshes, with the closest points and triangles.
//
// Method: depth-first over pairs of boxes, nearest first: the larger box of a pair is opened, the four children get a
// lower bound of their distance at once, those below the best distance are pushed farthest first. The two triangles
// in the hint area, when given, set the first bound.
// Source: Larsen, Gottschalk, Lin, Manocha 1999, "Fast proximity queries with swept sphere volumes", UNC TR99-018,
//   section 5 (order and bound); the four-wide form is ours.
// Ends early once the squared distance is at most `enough2`. From `limit2` on, distances are not looked for.
import {
  HINT_TRIANGLES,
  KIND_OBB,
  RESULT_COUNTS,
  RESULT_NUMBERS,
  RESULT_TRIANGLES,
  STACK_BASE,
  TRANSFORM_AB,
  TRANSFORM_BA,
  TREE_NODE_KIND,
  TRIANGLE_BYTES,
} from '../src/kernel/layout';
import { AabbNode, boundFour, ObbNode } from './boxes';
import { openTrees, readF32, readU32, writeF32, writeF64, writeU32 } from './memory';
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
  usedLanes,
} from './trees';

let treeA: usize = 0;
let treeB: usize = 0;
let best2: f64 = 0;
let target2: f64 = 0;
let stackTop: usize = STACK_BASE;
let nodeTests: i32 = 0;
let primitiveTests: i32 = 0;

/** 1 when a pair of triangles below the limit was found (2: the hint was the closest), else 0. */
export function distance(a: usize, b: usize, limit2: f64, enough2: f64, useHint: i32): i32 {
  openTrees(a, b);
  treeA = a;
  treeB = b;
  nodeTests = 0;
  primitiveTests = 0;
  best2 = limit2;
  target2 = enough2;
  const slack = <f32>setUpQuery(a, b);
  let found = 0;
  if (useHint) {
    const moved = moveTriangle(HINT_TRIANGLES + TRIANGLE_BYTES);
    primitiveTests++;
    const d2 = trianglePairDistance(HINT_TRIANGLES, moved, best2);
    if (d2 < best2) {
      best2 = d2;
      found = 2;
    }
  }
  if (found == 0 || best2 > enough2) {
    stackTop = STACK_BASE;
    push(rootBox(a), rootBox(b), 0);
    const better =
      readU32(a, TREE_NODE_KIND) == KIND_OBB
        ? readU32(b, TREE_NODE_KIND) == KIND_OBB
          ? search<ObbNode, ObbNode>(slack)
          : search<ObbNode, AabbNode>(slack)
        : readU32(b, TREE_NODE_KIND) == KIND_OBB
          ? search<AabbNode, ObbNode>(slack)
          : search<AabbNode, AabbNode>(slack);
    if (better) found = 1;
  }
  writeF64(RESULT_NUMBERS, 0, best2);
  writeU32(RESULT_COUNTS, 0, nodeTests);
  writeU32(RESULT_COUNTS, 4, primitiveTests);
  return found;
}

@inline
function push(boxA: usize, boxB: usize, bound: f32): void {
  writeU32(stackTop, 0, <u32>boxA);
  writeU32(stackTop, 4, <u32>boxB);
  writeF32(stackTop, 8, bound);
  stackTop += 16;
}

/** Best squared distance as f32, rounded up. */
@inline
function limitNow(): f32 {
  return min(<f32>(best2 * 1.000001), f32.MAX_VALUE);
}

function search<A, B>(slackNumber: f32): bool {
  const slack = f32x4.splat(slackNumber);
  let found = false;
  let limit = limitNow();
  while (stackTop > <usize>STACK_BASE) {
    stackTop -= 16;
    if (readF32(stackTop, 8) > limit) continue;
    const boxA: usize = readU32(stackTop, 0);
    const boxB: usize = readU32(stackTop, 4);
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
      pushSorted(bounds, used & within(bounds, limit), node, boxA, true);
    } else {
      const node = treeA + childA;
      const used = usedLanes<A>(node);
      nodeTests += popcnt(used);
      const bounds = boundFour<B, A>(boxB, node, TRANSFORM_BA, slack, f32x4.splat(limit));
      pushSorted(bounds, used & within(bounds, limit), node, boxB, false);
    }
  }
  return found;
}

@inline
function within(bounds: v128, limit: f32): i32 {
  return i32x4.bitmask(f32x4.le(bounds, f32x4.splat(limit)));
}

/** Pushes the boxes of a node that `lanes` names, the farthest first. */
@inline
function pushSorted(bounds: v128, lanes: i32, node: usize, other: usize, opensB: bool): void {
  let near = lanes;
  const base = stackTop;
  while (near) {
    const lane = ctz(near);
    near &= near - 1;
    const bound =
      lane == 0
        ? f32x4.extract_lane(bounds, 0)
        : lane == 1
          ? f32x4.extract_lane(bounds, 1)
          : lane == 2
            ? f32x4.extract_lane(bounds, 2)
            : f32x4.extract_lane(bounds, 3);
    const box = node + (<usize>lane << 2);
    // Insertion keeps the entries above `base` in falling order.
    let at = stackTop;
    while (at > base && readF32(at - 16, 8) < bound) {
      writeU32(at, 0, readU32(at - 16, 0));
      writeU32(at, 4, readU32(at - 16, 4));
      writeF32(at, 8, readF32(at - 16, 8));
      at -= 16;
    }
    writeU32(at, 0, <u32>(opensB ? other : box));
    writeU32(at, 4, <u32>(opensB ? box : other));
    writeF32(at, 8, bound);
    stackTop += 16;
  }
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
      const d2 = trianglePairDistance(triangleAt(treeA, i), moved, best2);
      if (d2 < best2) {
        best2 = d2;
        found = true;
        writeU32(RESULT_TRIANGLES, 0, triangleId(treeA, i));
        writeU32(RESULT_TRIANGLES, 4, triangleId(treeB, j));
      }
    }
  }
  return found;
}

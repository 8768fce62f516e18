// Do two triangle meshes come within a tolerance of each other? Ends at the first pair of triangles, or lists all.
//
// Method: depth-first over pairs of boxes; the larger box of a pair is opened and its four children are tested at once
// against the other, the one with the nearest centre goes first; at the leaves separating axes reject, and the exact
// distance decides. Since the verdict is "distance <= tolerance" by the same routine that measures distances, the two
// queries never contradict each other.
// When the pair buffer is full the traversal stops and `resumeCollide` goes on from the saved stack.
// Stack: at most 3 entries per level of both trees; the builder bounds their depth.
import {
  GAP_CAPACITY,
  GAP_RESULT_BYTES,
  GAP_RESULTS,
  KIND_AABB,
  KIND_RSS,
  PAIR_BUFFER,
  PAIR_CAPACITY,
  RESULT_COUNTS,
  RESULT_NUMBERS,
  RESULT_TRIANGLES,
  STACK_BASE,
  TRANSFORM_AB,
  TRANSFORM_BA,
  TREE_NODE_KIND,
} from '../../src/kernel/layout';
import { AabbNode, nearestLane, ObbNode, overlapFour, SweptNode } from './boxes';
import { openTrees, readU32, writeF64, writeU32 } from '../memory';
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
let tolerance1: f64 = 0;
let tolerance2: f64 = 0;
let limit2: f64 = 0;
let slack: f32 = 0;
let scale: f64 = 0;
let stackTop: usize = STACK_BASE;
let pairLimit: i32 = 0;
let keepsGaps: bool = false;
let nodeTests: i32 = 0;
let primitiveTests: i32 = 0;

/** Number of pairs found: at most `limit`, at most the buffer's capacity. limit 1 ends at the first. */
export function collide(a: usize, b: usize, tolerance: f64, limit: i32): i32 {
  begin(a, b, tolerance);
  keepsGaps = false;
  return resumeCollide(limit);
}

function begin(a: usize, b: usize, tolerance: f64): void {
  openTrees(a, b);
  treeA = a;
  treeB = b;
  tolerance1 = tolerance;
  tolerance2 = tolerance * tolerance;
  limit2 = tolerance2 * 1.000000000000001 + f64.MIN_NORMAL_VALUE;
  nodeTests = 0;
  primitiveTests = 0;
  const rounding = setUpQuery(a, b);
  slack = <f32>(rounding + tolerance * 1.000001);
  scale = triangleScale(rounding);
  stackTop = STACK_BASE;
  push(rootBox(a), rootBox(b));
}

/** As `collide`, at most GAP_CAPACITY pairs, each with its squared gap and points. */
export function listGaps(a: usize, b: usize, tolerance: f64): i32 {
  begin(a, b, tolerance);
  keepsGaps = true;
  return resumeCollide(GAP_CAPACITY);
}

/** Goes on after the pairs in the buffer were taken, for at most `limit` more; 0 at the end. */
export function resumeCollide(limit: i32): i32 {
  pairLimit = limit;
  const found = traverseKinds();
  writeU32(RESULT_COUNTS, 0, nodeTests);
  writeU32(RESULT_COUNTS, 4, primitiveTests);
  return found;
}

/** By the volumes that both trees have. */
function traverseKinds(): i32 {
  const kindA = readU32(treeA, TREE_NODE_KIND);
  const kindB = readU32(treeB, TREE_NODE_KIND);
  if (kindA == KIND_RSS && kindB == KIND_RSS) return traverse<SweptNode, SweptNode>();
  if (kindA == KIND_AABB) return kindB == KIND_AABB ? traverse<AabbNode, AabbNode>() : traverse<AabbNode, ObbNode>();
  return kindB == KIND_AABB ? traverse<ObbNode, AabbNode>() : traverse<ObbNode, ObbNode>();
}

@inline
function push(boxA: usize, boxB: usize): void {
  writeU32(stackTop, 0, <u32>boxA);
  writeU32(stackTop, 4, <u32>boxB);
  stackTop += 8;
}

function traverse<A, B>(): i32 {
  const wide = f32x4.splat(slack);
  let found = 0;
  while (stackTop > <usize>STACK_BASE) {
    stackTop -= 8;
    const boxA: usize = readU32(stackTop, 0);
    const boxB: usize = readU32(stackTop, 4);
    const childA = childOf<A>(boxA);
    const childB = childOf<B>(boxB);
    if (isLeaf(childA) && isLeaf(childB)) {
      found = testLeaves(childA, childB, found);
      if (found >= pairLimit) return found;
      // Two leaves hold at most 64 pairs.
      if (found > PAIR_CAPACITY - 64) return found;
      continue;
    }
    if (isLeaf(childA) || (!isLeaf(childB) && boxSize<B>(boxB) > boxSize<A>(boxA))) {
      const node = treeB + childB;
      const used = usedLanes<B>(node);
      nodeTests += popcnt(used);
      let near = used & overlapFour<A, B>(boxA, node, TRANSFORM_AB, wide);
      if (near) {
        const first = nearestLane(near);
        for (near ^= 1 << first; near; near &= near - 1) push(boxA, node + (ctz(near) << 2));
        push(boxA, node + (first << 2));
      }
    } else {
      const node = treeA + childA;
      const used = usedLanes<A>(node);
      nodeTests += popcnt(used);
      let near = used & overlapFour<B, A>(boxB, node, TRANSFORM_BA, wide);
      if (near) {
        const first = nearestLane(near);
        for (near ^= 1 << first; near; near &= near - 1) push(node + (ctz(near) << 2), boxB);
        push(node + (first << 2), boxB);
      }
    }
  }
  return found;
}

function testLeaves(childA: u32, childB: u32, count: i32): i32 {
  let found = count;
  const firstA = leafFirst(childA);
  const endA = firstA + leafCount(childA);
  const firstB = leafFirst(childB);
  const endB = firstB + leafCount(childB);
  for (let j = firstB; j < endB; j++) {
    const moved = moveTriangle(triangleAt(treeB, j));
    for (let i = firstA; i < endA; i++) {
      const triangle = triangleAt(treeA, i);
      primitiveTests++;
      if (separatedByAxes(triangle, moved, tolerance1, scale)) continue;
      // The limit is strict, the verdict is not.
      const d2 = trianglePairDistance(triangle, moved, limit2);
      if (d2 <= tolerance2) {
        if (keepsGaps) {
          const gap = GAP_RESULTS + <usize>found * GAP_RESULT_BYTES;
          writeF64(gap, 0, d2);
          memory.copy(gap + 8, RESULT_NUMBERS + 8, GAP_RESULT_BYTES - 8);
        }
        const idA = triangleId(treeA, i);
        const idB = triangleId(treeB, j);
        if (found == 0) {
          writeU32(RESULT_TRIANGLES, 0, idA);
          writeU32(RESULT_TRIANGLES, 4, idB);
        }
        writeU32(PAIR_BUFFER, found << 3, idA);
        writeU32(PAIR_BUFFER, (found << 3) + 4, idB);
        found++;
        if (found >= pairLimit) return found;
      }
    }
  }
  return found;
}

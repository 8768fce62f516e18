// Stack of pending boxes for queries that go to the nearest box first, many such queries taken in turn.
//
// Method: a visit sorts the keys of a node's four boxes in registers and stores all four entries at once; how many of
// them count decides where the stack ends. No branch depends on what was hit: mispredicted ones were half of the time of
// a query. Several queries advance by one visit each in turn: neither their loads nor their chains of arithmetic depend
// on each other, so that the processor overlaps them.
// Entries: key f32 (>= 0), child reference u32 (see src/kernel/layout.ts). The two lowest bits of a key hold its lane:
// keys are off by up to three units in the last place, which LIMIT_MARGIN covers.
// Source: sorting network of four, Knuth 1998, "The art of computer programming", volume 3, section 5.3.4.
// Tests: src/bvh/cast-ray.test.ts, src/bvh/closest-point.test.ts.
import { STACK_BASE } from '../../src/kernel/layout';
import { isObb } from './boxes';
import { readU32, writeF32, writeU32, writeV128 } from '../memory';
import { isLeaf, leafFirst, triangleAt } from './trees';

/** Child reference at the bottom of every stack. */
export const END_OF_STACK: u32 = 0xffffffff;
export const ENTRY_BYTES: usize = 8;
/** Factor for limits that keys are compared with. */
export const LIMIT_MARGIN: f32 = 1.000001;
/** Queries in turn: more do not help, fewer leave the processor waiting for memory. */
export const SLOTS: i32 = 8;
/** Stack of each: a thousand entries, where 2^28 triangles need 280. */
const STACK_BYTES: usize = 8000;

@inline
export function stackOf(index: i32): usize {
  return STACK_BASE + <usize>index * STACK_BYTES;
}

/** Starts a stack whose only pending box is the one with this reference; returns its top. */
@inline
export function startStack(bottom: usize, child: u32): usize {
  writeF32(bottom, 0, -Infinity);
  writeU32(bottom, 4, END_OF_STACK);
  writeF32(bottom, 8, 0);
  writeU32(bottom, 12, child);
  return bottom + 16;
}

/** Pushes the boxes whose lanes are all ones in `hits`, the nearest on top; returns the new top. */
@inline
export function pushNearFirst(top: usize, keys: v128, hits: v128, children: v128): usize {
  // Floats >= 0 order like integers; lanes that do not count become negative and end up beyond the new top.
  let k = v128.or(v128.and(v128.and(keys, hits), i32x4.splat(~3)), i32x4(0, 1, 2, 3));
  k = v128.or(k, v128.andnot(i32x4.splat(i32.MIN_VALUE), hits));
  let other = v128.shuffle<i32>(k, k, 1, 0, 3, 2);
  k = v128.shuffle<i32>(i32x4.max_s(k, other), i32x4.min_s(k, other), 0, 4, 2, 6);
  other = v128.shuffle<i32>(k, k, 2, 3, 0, 1);
  k = v128.shuffle<i32>(i32x4.max_s(k, other), i32x4.min_s(k, other), 0, 1, 4, 5);
  other = v128.shuffle<i32>(k, k, 0, 2, 1, 3);
  k = v128.shuffle<i32>(i32x4.max_s(k, other), i32x4.min_s(k, other), 0, 1, 6, 3);
  const bytes = i32x4.add(i32x4.mul(v128.and(k, i32x4.splat(3)), i32x4.splat(0x04040404)), i32x4.splat(0x03020100));
  const sorted = i8x16.swizzle(children, bytes);
  writeV128(top, 0, v128.shuffle<i32>(k, sorted, 0, 4, 1, 5));
  writeV128(top, 16, v128.shuffle<i32>(k, sorted, 2, 6, 3, 7));
  return top + ((<usize>popcnt(i32x4.bitmask(hits))) << 3);
}

// biome-ignore lint/correctness/noUnusedVariables: what is loaded must go somewhere, or it is not loaded
let touched: u32 = 0;

/** Loads from every cache line that the query needs at its next turn, so that it finds them there. */
@inline
export function touch<K>(tree: usize, child: u32): void {
  if (isLeaf(child)) {
    if (child == END_OF_STACK) return;
    const triangle = triangleAt(tree, leafFirst(child));
    touched ^= readU32(triangle) ^ readU32(triangle, 64);
  } else {
    const node = tree + child;
    touched ^= readU32(node) ^ readU32(node, 64);
    if (isObb<K>()) touched ^= readU32(node, 128) ^ readU32(node, 192);
  }
}

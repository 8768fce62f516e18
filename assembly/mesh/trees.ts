// Reading trees, and setting up a query on two of them.
import {
  AABB_CHILD,
  BOX_HALF,
  INPUT_TRANSFORM,
  LEAF_COUNT_SHIFT,
  LEAF_FIRST_MASK,
  MOVED_TRIANGLE,
  OBB_CHILD,
  TRANSFORM_AB,
  TRANSFORM_BA,
  TREE_IDS_OFFSET,
  TREE_ORIGIN,
  TREE_RADIUS,
  TREE_TRIANGLES_OFFSET,
  TREE_HEADER_BYTES,
  TRIANGLE_BYTES,
} from '../../src/kernel/layout';
import { isObb } from './boxes';
import { readF32, readF64, readU32, readV128, writeF32, writeF64 } from '../memory';

/** Bound of the rounding of f32 box tests, relative to the coordinates involved (see boxes.ts). */
const ROUNDING: f64 = 1.5e-6;

/** Address of the root's box. */
@inline
export function rootBox(tree: usize): usize {
  return tree + TREE_HEADER_BYTES;
}

@inline
export function childOf<K>(box: usize): u32 {
  return isObb<K>() ? readU32(box, OBB_CHILD) : readU32(box, AABB_CHILD);
}

@inline
export function isLeaf(child: u32): bool {
  return <i32>child < 0;
}

@inline
export function leafCount(child: u32): u32 {
  return ((child >> LEAF_COUNT_SHIFT) & 7) + 1;
}

@inline
export function leafFirst(child: u32): u32 {
  return child & LEAF_FIRST_MASK;
}

/** Largest half extent (an OBB has its longest axis first): decides which of two boxes is opened. */
@inline
export function boxSize<K>(box: usize): f32 {
  const first = readF32(box, BOX_HALF);
  return isObb<K>() ? first : max(first, max(readF32(box, BOX_HALF + 16), readF32(box, BOX_HALF + 32)));
}

@inline
export function triangleAt(tree: usize, index: u32): usize {
  return tree + readU32(tree, TREE_TRIANGLES_OFFSET) + index * TRIANGLE_BYTES;
}

@inline
export function triangleId(tree: usize, index: u32): u32 {
  return readU32(tree + readU32(tree, TREE_IDS_OFFSET) + (index << 2));
}

/** Child references of the four boxes of a node, 0 where there is none. */
@inline
export function childrenOf<K>(node: usize): v128 {
  return isObb<K>() ? readV128(node, OBB_CHILD) : readV128(node, AABB_CHILD);
}

/** Bit l is set when box l of a node is in use. */
@inline
export function usedLanes<K>(node: usize): i32 {
  return i32x4.bitmask(i32x4.ne(childrenOf<K>(node), i32x4.splat(0)));
}

/** Writes both f32 transforms between the tree origins; returns the slack that covers the rounding of box tests. */
export function setUpQuery(a: usize, b: usize): f64 {
  let px = readF64(INPUT_TRANSFORM, 72) - readF64(a, TREE_ORIGIN);
  let py = readF64(INPUT_TRANSFORM, 80) - readF64(a, TREE_ORIGIN + 8);
  let pz = readF64(INPUT_TRANSFORM, 88) - readF64(a, TREE_ORIGIN + 16);
  const ox = readF64(b, TREE_ORIGIN);
  const oy = readF64(b, TREE_ORIGIN + 8);
  const oz = readF64(b, TREE_ORIGIN + 16);
  const r0 = readF64(INPUT_TRANSFORM);
  const r1 = readF64(INPUT_TRANSFORM, 8);
  const r2 = readF64(INPUT_TRANSFORM, 16);
  const r3 = readF64(INPUT_TRANSFORM, 24);
  const r4 = readF64(INPUT_TRANSFORM, 32);
  const r5 = readF64(INPUT_TRANSFORM, 40);
  const r6 = readF64(INPUT_TRANSFORM, 48);
  const r7 = readF64(INPUT_TRANSFORM, 56);
  const r8 = readF64(INPUT_TRANSFORM, 64);
  px += r0 * ox + r1 * oy + r2 * oz;
  py += r3 * ox + r4 * oy + r5 * oz;
  pz += r6 * ox + r7 * oy + r8 * oz;
  writeRow(TRANSFORM_AB, r0, r1, r2, px);
  writeRow(TRANSFORM_AB + 16, r3, r4, r5, py);
  writeRow(TRANSFORM_AB + 32, r6, r7, r8, pz);
  writeRow(TRANSFORM_BA, r0, r3, r6, -(r0 * px + r3 * py + r6 * pz));
  writeRow(TRANSFORM_BA + 16, r1, r4, r7, -(r1 * px + r4 * py + r7 * pz));
  writeRow(TRANSFORM_BA + 32, r2, r5, r8, -(r2 * px + r5 * py + r8 * pz));
  return ROUNDING * (readF64(a, TREE_RADIUS) + readF64(b, TREE_RADIUS) + Math.sqrt(px * px + py * py + pz * pz));
}

@inline
function writeRow(at: usize, x: f64, y: f64, z: f64, p: f64): void {
  writeF32(at, 0, <f32>x);
  writeF32(at, 4, <f32>y);
  writeF32(at, 8, <f32>z);
  writeF32(at, 12, <f32>p);
}

/** Factor for `separatedByAxes` under the slack that `setUpQuery` returned. */
@inline
export function triangleScale(slack: f64): f64 {
  return slack > 0 ? (0.5 * ROUNDING) / slack : 0;
}

/** Triangle of B moved into the frame of A; returns where it lies. */
export function moveTriangle(triangle: usize): usize {
  moveCorner(triangle, 0);
  moveCorner(triangle, 24);
  moveCorner(triangle, 48);
  return MOVED_TRIANGLE;
}

@inline
function moveCorner(triangle: usize, corner: usize): void {
  const x = readF64(triangle, corner);
  const y = readF64(triangle, corner + 8);
  const z = readF64(triangle, corner + 16);
  for (let i: usize = 0; i < 3; i++) {
    const row = INPUT_TRANSFORM + 24 * <i32>i;
    writeF64(
      MOVED_TRIANGLE,
      corner + 8 * i,
      readF64(row) * x + readF64(row, 8) * y + readF64(row, 16) * z + readF64(INPUT_TRANSFORM, 72 + 8 * i),
    );
  }
}

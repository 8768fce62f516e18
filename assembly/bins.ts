// Boxes of bins, and the box of bins that are swept over: what builds of trees by binned planes share.
//
// Layout of a box: lower x, y | upper x, y | lower, upper z, f64. A bin: its box, then a count, u32.
// Tests: src/bvh/split-range.test.ts, src/broadphase/kernel-tree.test.ts.
import { readV128, writeU32, writeV128 } from './memory';

export const BIN_BYTES: usize = 64;

let low01: v128 = f64x2.splat(0);
let high01: v128 = f64x2.splat(0);
let range2: v128 = f64x2.splat(0);

/** Minimum in lane 0, maximum in lane 1. */
@inline
export function widen(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(f64x2.pmin(a, b), f64x2.pmax(a, b), 0, 3);
}

@inline
export function clearBin(at: usize): void {
  writeV128(at, 0, f64x2.splat(Infinity));
  writeV128(at, 16, f64x2.splat(-Infinity));
  writeV128(at, 32, f64x2(Infinity, -Infinity));
  writeU32(at, 48, 0);
}

@inline
export function clearSwept(): void {
  low01 = f64x2.splat(Infinity);
  high01 = f64x2.splat(-Infinity);
  range2 = f64x2(Infinity, -Infinity);
}

@inline
export function growSwept(at: usize): void {
  low01 = f64x2.pmin(low01, readV128(at));
  high01 = f64x2.pmax(high01, readV128(at, 16));
  range2 = widen(range2, readV128(at, 32));
}

@inline
export function sweptSize01(): v128 {
  return f64x2.sub(high01, low01);
}

@inline
export function sweptSize2(): f64 {
  return f64x2.extract_lane(range2, 1) - f64x2.extract_lane(range2, 0);
}

// Transforms of 12 f64 (R row by row, then p) of an energy tree. The ranges of a product and its factors do not overlap.
import { readF64, readLanes, writeF64, writeV128 } from '../memory';

@inline
export function pairOf(a: usize, b: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(readF64(a)), 1, readF64(b));
}

/** out = a b. */
export function multiply(out: usize, a: usize, b: usize): void {
  const first = readLanes(b);
  const second = readLanes(b, 24);
  const third = readLanes(b, 48);
  // The last column of R beside p.
  const firstEnd = pairOf(b + 16, b + 72);
  const secondEnd = pairOf(b + 40, b + 80);
  const thirdEnd = pairOf(b + 64, b + 88);
  for (let r: usize = 0; r < 3; r++) {
    const a0 = f64x2.splat(readF64(a + 24 * r));
    const a1 = f64x2.splat(readF64(a + 24 * r, 8));
    const a2 = f64x2.splat(readF64(a + 24 * r, 16));
    const row = f64x2.add(f64x2.add(f64x2.mul(a0, first), f64x2.mul(a1, second)), f64x2.mul(a2, third));
    const end = f64x2.add(f64x2.add(f64x2.mul(a0, firstEnd), f64x2.mul(a1, secondEnd)), f64x2.mul(a2, thirdEnd));
    const shift = readF64(a + 8 * r, 72);
    writeV128(out + 24 * r, 0, row);
    writeF64(out + 24 * r, 16, f64x2.extract_lane(end, 0));
    writeF64(out + 8 * r, 72, f64x2.extract_lane(end, 1) + shift);
  }
}

/** out = a b^-1. */
export function multiplyInverse(out: usize, a: usize, b: usize): void {
  const px = readF64(b, 72);
  const py = readF64(b, 80);
  const pz = readF64(b, 88);
  // Columns of the transpose, two at a time: rows 0 and 1 of b.
  const first = pairOf(b, b + 24);
  const second = pairOf(b + 8, b + 32);
  const third = pairOf(b + 16, b + 40);
  const x = readF64(b, 48);
  const y = readF64(b, 56);
  const z = readF64(b, 64);
  for (let r: usize = 0; r < 3; r++) {
    const a0 = readF64(a + 24 * r);
    const a1 = readF64(a + 24 * r, 8);
    const a2 = readF64(a + 24 * r, 16);
    const row = f64x2.add(
      f64x2.add(f64x2.mul(f64x2.splat(a0), first), f64x2.mul(f64x2.splat(a1), second)),
      f64x2.mul(f64x2.splat(a2), third),
    );
    const r0 = f64x2.extract_lane(row, 0);
    const r1 = f64x2.extract_lane(row, 1);
    const r2 = a0 * x + a1 * y + a2 * z;
    writeV128(out + 24 * r, 0, row);
    writeF64(out + 24 * r, 16, r2);
    writeF64(out + 8 * r, 72, readF64(a + 8 * r, 72) - (r0 * px + r1 * py + r2 * pz));
  }
}

/**
 * Sums and products of doubles kept as pairs of doubles, high and low, 106 bits together; vectors are three such pairs.
 *
 * Method: error-free sum and product, Knuth's and Dekker's. Operands lie at addresses; `out` may be one of them only where that
 * is said. Nothing over- or underflows between 1e-140 and 1e140.
 * Source: Dekker 1971, "A floating-point technique for extending the available precision", doi:10.1007/BF01397083.
 * Checked by refine-gap.test.ts, through refine-gap.ts.
 */
import { F64 } from './convex-state';

const SPLIT: f64 = 134217729;

/** out = a b, of doubles. */
function setProduct(out: F64, a: f64, b: f64): void {
  const p = a * b;
  const s = SPLIT * a;
  const t = SPLIT * b;
  const aHigh = s - (s - a);
  const bHigh = t - (t - b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  out[0] = p;
  out[1] = aLow * bLow - (p - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** out = a - b, of doubles, without error. */
function setDifference(out: F64, a: f64, b: f64): void {
  const s = a - b;
  const t = s - a;
  out[0] = s;
  out[1] = a - (s - t) - (b + t);
}

const product = changetype<F64>(memory.data(16, 16));

/** out += sign a b, of pairs at a and b. */
function addProduct(out: F64, a: F64, b: F64, sign: f64): void {
  setProduct(product, sign * a[0], b[0]);
  const low = product[1] + sign * (a[0] * b[1] + a[1] * b[0]);
  const s = out[0] + product[0];
  const t = s - out[0];
  const error = out[0] - (s - t) + (product[0] - t) + out[1] + low;
  const high = s + error;
  out[1] = error - (high - s);
  out[0] = high;
}

@inline
function at(a: F64, k: i32): F64 {
  return changetype<F64>(changetype<usize>(a) + ((<usize>k) << 4));
}

/** out = p - q, vectors of doubles at p and q. */
export function subtractInto(out: F64, p: F64, q: F64): void {
  for (let k = 0; k < 3; k++) setDifference(at(out, k), p[k], q[k]);
}

/** out = p, of doubles. */
export function widenInto(out: F64, p: F64): void {
  for (let k = 0; k < 3; k++) {
    out[2 * k] = p[k];
    out[2 * k + 1] = 0;
  }
}

/** out = a x b; out is neither. */
export function crossInto(out: F64, a: F64, b: F64): void {
  for (let k = 0; k < 3; k++) {
    const i = k == 2 ? 0 : k + 1;
    const j = k == 0 ? 2 : k - 1;
    const sum = at(out, k);
    sum[0] = 0;
    sum[1] = 0;
    addProduct(sum, at(a, i), at(b, j), 1);
    addProduct(sum, at(a, j), at(b, i), -1);
  }
}

/** out = a . b, a pair; out is part of neither. */
export function dotInto(out: F64, a: F64, b: F64): void {
  out[0] = 0;
  out[1] = 0;
  for (let k = 0; k < 3; k++) addProduct(out, at(a, k), at(b, k), 1);
}

/** out = a b, pairs; out is neither. */
export function multiplyInto(out: F64, a: F64, b: F64): void {
  out[0] = 0;
  out[1] = 0;
  addProduct(out, a, b, 1);
}

/** Whether pair a is below pair b. */
export function isLess(a: F64, b: F64): bool {
  return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

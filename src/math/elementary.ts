/**
 * The other elementary functions, built on `scalar` alone, so that every engine returns the same bits: powers, hyperbolic
 * functions and their inverses, logarithms of other bases. For expressions in files and for what is not hot.
 *
 * Method: identities that cancel nothing (Kahan's quotient for exp(x) - 1 and log(1 + x)); powers by repeated squaring
 * for whole exponents up to 2048, so that powers of small whole numbers are exact, otherwise exp(y log x).
 * Source: Higham 2002, "Accuracy and Stability of Numerical Algorithms", 2nd edition, section 1.14 (Kahan's quotient),
 * doi:10.1137/1.9780898718027.
 *
 * Error: a few units in the last place; of pow, about |y| units of half a last place for whole exponents and
 * |y log x| + 2 for others (elementary.test.ts, against extended precision). Special values follow Math's functions.
 */
import { atan2, exp, log, sinCos } from './scalar.js';

/** Whole exponents up to this size are multiplied out. */
const LARGEST_PRODUCT = 2048;

/** x^y. */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const size = Math.abs(x);
  if (Math.abs(y) === Number.POSITIVE_INFINITY) {
    if (size === 1) return Number.NaN;
    return size > 1 === y > 0 ? Number.POSITIVE_INFINITY : 0;
  }
  const isWhole = Number.isInteger(y);
  if (isWhole && Math.abs(y) <= LARGEST_PRODUCT) return multiplyOut(x, y);
  const negative = x < 0 || Object.is(x, -0);
  const isOdd = isWhole && Math.abs(y % 2) === 1;
  const sign = negative && isOdd ? -1 : 1;
  if (size === 0 || size === Number.POSITIVE_INFINITY)
    return sign * (size > 1 === y > 0 ? Number.POSITIVE_INFINITY : 0);
  if (negative && !isWhole) return Number.NaN;
  if (y === 0.5) return Math.sqrt(x);
  return sign * exp(y * log(size));
}

function multiplyOut(x: number, n: number): number {
  const product = (base: number): number => {
    let out = 1;
    let square = base;
    for (let k = Math.abs(n); ; ) {
      if (k & 1) out *= square;
      k >>= 1;
      if (k === 0) return out;
      square *= square;
    }
  };
  if (n > 0) return product(x);
  const below = product(x);
  // x^-n beyond the range need not mean that x^n is zero.
  return Number.isFinite(below) && below !== 0 ? 1 / below : product(1 / x);
}

const pair = new Float64Array(2);

export function tan(x: number): number {
  sinCos(pair, x);
  return x === 0 ? x : pair[0] / pair[1];
}

export function asin(x: number): number {
  return x === 0 ? x : Math.abs(x) <= 1 ? atan2(x, Math.sqrt((1 - x) * (1 + x))) : Number.NaN;
}

export function acos(x: number): number {
  return Math.abs(x) <= 1 ? atan2(Math.sqrt((1 - x) * (1 + x)), x) : Number.NaN;
}

export function atan(x: number): number {
  return x === 0 ? x : atan2(x, 1);
}

/** exp(x) - 1 without cancellation. */
export function expm1(x: number): number {
  const u = exp(x);
  if (u === 1) return x;
  const v = u - 1;
  return v === -1 || u === Number.POSITIVE_INFINITY ? v : (v * x) / log(u);
}

/** log(1 + x) without cancellation. */
export function log1p(x: number): number {
  const u = 1 + x;
  if (u === 1) return x;
  return u > 0 && u < Number.POSITIVE_INFINITY ? (log(u) * x) / (u - 1) : log(u);
}

export function sinh(x: number): number {
  const a = Math.abs(x);
  if (!(a < 700)) return Math.sign(x) * halfSquare(a);
  const e = expm1(a);
  return x === 0 ? x : Math.sign(x) * 0.5 * (e + e / (e + 1));
}

export function cosh(x: number): number {
  const a = Math.abs(x);
  if (!(a < 700)) return halfSquare(a);
  const e = exp(a);
  return 0.5 * (e + 1 / e);
}

/** exp(a)/2, which may be finite where exp(a) is not. */
function halfSquare(a: number): number {
  const root = exp(0.5 * a);
  return 0.5 * root * root;
}

export function tanh(x: number): number {
  const a = Math.abs(x);
  if (a > 20) return Math.sign(x);
  const e = expm1(2 * a);
  return x === 0 ? x : (Math.sign(x) * e) / (e + 2);
}

export function asinh(x: number): number {
  const a = Math.abs(x);
  if (x === 0) return x;
  if (a > 1e8) return Math.sign(x) * (log(a) + Math.LN2);
  return Math.sign(x) * log1p(a + (a * a) / (1 + Math.sqrt(1 + a * a)));
}

export function acosh(x: number): number {
  if (x > 1e8) return log(x) + Math.LN2;
  const t = x - 1;
  return t >= 0 ? log1p(t + Math.sqrt(2 * t + t * t)) : Number.NaN;
}

export function atanh(x: number): number {
  const a = Math.abs(x);
  if (x === 0) return x;
  return a === 1 ? x * Number.POSITIVE_INFINITY : Math.sign(x) * 0.5 * log1p((2 * a) / (1 - a));
}

/** Exact for powers of two. */
export function log2(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return log(x);
  let k = 0;
  let m = x;
  for (; m >= 2; m *= 0.5) k++;
  for (; m < 1; m *= 2) k--;
  // From 1/sqrt(2) up, so that just below a power of two nothing cancels.
  if (m > Math.SQRT2) {
    m *= 0.5;
    k++;
  }
  return k + log(m) * Math.LOG2E;
}

/** Exact for powers of ten. */
export function log10(x: number): number {
  const value = log(x) * Math.LOG10E;
  const whole = Math.round(value);
  return Math.abs(whole) <= 22 && (whole < 0 ? 1 / pow(10, -whole) : pow(10, whole)) === x ? whole : value;
}

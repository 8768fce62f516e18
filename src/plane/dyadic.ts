/**
 * Doubles as exact fractions, and fractions of big integers as doubles.
 *
 * Every finite double is `n / 2^k` with whole n; a `Fraction` holds numerators over one positive denominator. A fraction comes
 * back as a double with at most one unit in the last place of error. Tested by exact-point.test.ts.
 */
import { powerOfTwo } from '../math/scalar.js';

/** A point `(x / w, y / w)` of whole numbers, w > 0. */
export interface HomogeneousPoint {
  readonly x: bigint;
  readonly y: bigint;
  readonly w: bigint;
}

const bits = new DataView(new ArrayBuffer(8));

/** `numerator / 2^shift`, shift 0 or more. */
interface Dyadic {
  readonly numerator: bigint;
  readonly shift: number;
}

function toDyadic(value: number): Dyadic {
  if (Number.isSafeInteger(value)) return { numerator: BigInt(value), shift: 0 };
  bits.setFloat64(0, value);
  const high = bits.getUint32(0);
  const biased = (high >>> 20) & 0x7ff;
  const isNormal = biased !== 0;
  let mantissa = (BigInt(high & 0xfffff) << 32n) | BigInt(bits.getUint32(4));
  if (isNormal) mantissa |= 1n << 52n;
  let exponent = (isNormal ? biased : 1) - 1075;
  if (mantissa === 0n) return { numerator: 0n, shift: 0 };
  if (exponent < 0) {
    // Trailing zeros off: products stay short.
    while (exponent < 0 && (mantissa & 0xffn) === 0n && exponent <= -8) {
      mantissa >>= 8n;
      exponent += 8;
    }
    while (exponent < 0 && (mantissa & 1n) === 0n) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  if (high >>> 31) mantissa = -mantissa;
  return exponent >= 0
    ? { numerator: mantissa << BigInt(exponent), shift: 0 }
    : { numerator: mantissa, shift: -exponent };
}

/** The exact sum of doubles for each coordinate. */
export function sumsToHomogeneous(xs: readonly number[], ys: readonly number[]): HomogeneousPoint {
  const x = xs.map(toDyadic);
  const y = ys.map(toDyadic);
  let shift = 0;
  for (const part of [...x, ...y]) if (part.shift > shift) shift = part.shift;
  const add = (parts: readonly Dyadic[]) =>
    parts.reduce((sum, part) => sum + (part.numerator << BigInt(shift - part.shift)), 0n);
  return { x: add(x), y: add(y), w: 1n << BigInt(shift) };
}

function bitLength(value: bigint): number {
  return value.toString(16).length * 4;
}

/** The double nearest to `numerator / denominator` up to one unit in the last place; denominator > 0. */
export function ratioToNumber(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  const isNegative = numerator < 0n;
  const n = isNegative ? -numerator : numerator;
  // The quotient has at least 66 bits, so that what is cut off is far below the last place.
  const shift = 70 - (bitLength(n) - bitLength(denominator));
  const quotient = shift >= 0 ? (n << BigInt(shift)) / denominator : n / (denominator << BigInt(-shift));
  let value = Number(quotient);
  let left = -shift;
  for (; left < -1000; left += 1000) value *= powerOfTwo(-1000);
  for (; left > 1000; left -= 1000) value *= powerOfTwo(1000);
  value *= powerOfTwo(left);
  return isNegative ? -value : value;
}

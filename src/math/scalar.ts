/**
 * Sine, cosine, arc tangent, exponential, logarithm and Euclidean length built only from IEEE 754 basic operations, so that every engine
 * returns the same bits (ECMAScript leaves the accuracy of Math.sin and its kin to the engine).
 *
 * Method:
 *   sin, cos  reduce x by a multiple of pi/2 held in three parts (Cody, Waite), keep the remainder as a pair, then a
 *             polynomial on [-pi/4, pi/4] interpolated at Chebyshev nodes (error below 0.06 units in the last place,
 *             coefficients computed with 60 digits for this file); arguments beyond 2^19 pi/2 are reduced exactly with integers.
 *   atan2     q = min/max of |y|, |x|; subtract the arc tangent of k/8 nearest to q through the addition theorem,
 *             then the odd Taylor series on |u| <= 1/16.
 *   exp       x = k ln2 + r, with r as a pair, Chebyshev polynomial of degree 12, scale by 2^k.
 *   log       x = 2^k m with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh(s), s = (m - 1)/(m + 1), arranged so that
 *             m - 1, which is exact, leads.
 * Source: Cody, Waite 1980, "Software manual for the elementary functions"; Muller 2016, "Elementary functions",
 * chapters 3 and 11, doi:10.1007/978-1-4899-7983-4.
 *
 * Error: at most 1 unit in the last place (tested against extended precision in scalar.test.ts).
 * Special values follow Math.sin, Math.cos, Math.atan2, Math.exp and Math.log (NaN for NaN and for sin, cos of infinity).
 */

import { cosineOfReduced, sineOfReduced } from './sine-polynomials.js';

/** 2/pi rounded, and pi/2 in three parts of 33, 33 and 53 bits. */
const TWO_OVER_PI = 0.6366197723675814;
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_2 = 6.077100506303966e-11;
const HALF_PI_3 = 2.0222662487959506e-21;
/** Multiples of pi/2 up to this one keep every product with the 33-bit parts exact. */
const LARGEST_MULTIPLE = 524288;
/** Angles up to this one lose nothing that counts to the third part of pi/2. */
const LARGEST_PLAIN = 1e4;
/** 1.5 x 2^52: added and taken away again, it rounds to the nearest whole number. */
const ROUNDING = 6755399441055744;

/** out[0] = sin x, out[1] = cos x; one reduction serves both. */
export function sinCos(out: Float64Array, x: number): void {
  let k = 0;
  let r = x;
  let low = 0;
  if (x > 0.7853981633974483 || x < -0.7853981633974483) {
    k = Math.round(x * TWO_OVER_PI);
    if (k > LARGEST_MULTIPLE || k < -LARGEST_MULTIPLE || Number.isNaN(k)) {
      sinCosSlow(out, x);
      return;
    }
    const t = x - k * HALF_PI_1;
    const w = k * HALF_PI_2;
    const s = t - w;
    // Exact error of t - w whichever is larger (Knuth), less the third part.
    const v = s - t;
    const e = t - (s - v) - (w + v) - k * HALF_PI_3;
    r = s + e;
    if (r < 1e-14 && r > -1e-14 && Math.abs(r) < Math.abs(k) * 1e-20) {
      sinCosSlow(out, x);
      return;
    }
    low = s - r + e;
  }
  const sine = sineOfReduced(r, low);
  const cosine = cosineOfReduced(r, low);
  switch (k & 3) {
    case 0:
      out[0] = sine;
      out[1] = cosine;
      break;
    case 1:
      out[0] = cosine;
      out[1] = -sine;
      break;
    case 2:
      out[0] = -sine;
      out[1] = -cosine;
      break;
    default:
      out[0] = -cosine;
      out[1] = sine;
  }
}

const pair = new Float64Array(2);

/**
 * Sines and cosines of `count` angles: out[2 i], out[2 i + 1] = sin, cos of angles[i]. One plain reduction without the care for
 * arguments whose sine or cosine nearly vanishes: the absolute error is below 2^-52, which is what rotations need, and one
 * argument's operations overlap with the next one's (half the time of calls of `sinCos`).
 */
export function sinCosEach(out: Float64Array, angles: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const x = angles[i];
    if (!(x < LARGEST_PLAIN && x > -LARGEST_PLAIN)) {
      sinCos(pair, x);
      out[2 * i] = pair[0];
      out[2 * i + 1] = pair[1];
      continue;
    }
    // Rounds to whole numbers; like the choice below, without a branch, which random angles would make guess wrong.
    const k = x * TWO_OVER_PI + ROUNDING - ROUNDING;
    const t = x - k * HALF_PI_1;
    const w = k * HALF_PI_2;
    const r = t - w;
    const low = t - r - w;
    const quarter = k & 3;
    pair[0] = sineOfReduced(r, low);
    pair[1] = cosineOfReduced(r, low);
    out[2 * i] = (1 - (quarter & 2)) * pair[quarter & 1];
    out[2 * i + 1] = (1 - ((quarter + 1) & 2)) * pair[1 - (quarter & 1)];
  }
}

export function sin(x: number): number {
  sinCos(pair, x);
  return x === 0 ? x : pair[0];
}

export function cos(x: number): number {
  sinCos(pair, x);
  return pair[1];
}

/** Bits after the binary point of 2/pi kept for huge arguments: 1024 for the largest exponent, 160 to spare. */
const FRACTION_BITS = 1200;
let twoOverPi: bigint | null = null;
const bits = new DataView(new ArrayBuffer(8));

/** Arguments whose remainder needs more of pi than the three parts hold. */
function sinCosSlow(out: Float64Array, x: number): void {
  if (!Number.isFinite(x)) {
    out[0] = Number.NaN;
    out[1] = Number.NaN;
    return;
  }
  if (twoOverPi === null) twoOverPi = computeTwoOverPi();
  const [mantissa, exponent] = decompose(Math.abs(x));
  // x 2/pi = mantissa 2^exponent twoOverPi 2^-FRACTION_BITS; split into a whole number of quarter turns and a rest.
  const shift = FRACTION_BITS - exponent;
  const product = mantissa * twoOverPi;
  let quarter = product >> BigInt(shift);
  let rest = product - (quarter << BigInt(shift));
  if (rest >> BigInt(shift - 1)) {
    quarter += 1n;
    rest -= 1n << BigInt(shift);
  }
  // The rest is below 1/2 quarter turn in size: 120 of its leading bits, then times pi/2.
  const size = rest < 0n ? -rest : rest;
  const drop = BigInt(Math.max(0, size.toString(2).length - 120));
  const scale = Number(drop) - shift;
  const leading = size >> drop;
  const high = Number(leading >> 60n) * powerOfTwo(60);
  const tail = Number(leading - BigInt(high));
  const sign = rest < 0n ? -1 : 1;
  const turn = sign * (high + tail);
  const turnLow = sign * (high - (high + tail) + tail);
  const unit = powerOfTwo(scale);
  const r = turn * unit * 1.5707963267948966;
  // pi/2 has a low part as well; the product's own rounding error comes from a split product.
  const low =
    productError(turn * unit, 1.5707963267948966, r) +
    turn * unit * 6.123233995736766e-17 +
    turnLow * unit * 1.5707963267948966;
  const quadrant = Number(quarter & 3n);
  const z = r * r;
  // |r| <= pi/4: the fast path reduces no further, and d sin = cos dr puts the low part back.
  sinCos(out, r);
  const sine = out[0] + low * (1 - 0.5 * z);
  const cosine = out[1] - low * r;
  out[0] = quadrant === 0 ? sine : quadrant === 1 ? cosine : quadrant === 2 ? -sine : -cosine;
  out[1] = quadrant === 0 ? cosine : quadrant === 1 ? -sine : quadrant === 2 ? -cosine : sine;
  if (x < 0) out[0] = -out[0];
}

/** Dekker: a b - p exactly, p being the rounded product. */
function productError(a: number, b: number, p: number): number {
  const ca = 134217729 * a;
  const cb = 134217729 * b;
  const ah = ca - (ca - a);
  const bh = cb - (cb - b);
  const al = a - ah;
  const bl = b - bh;
  return ah * bh - p + ah * bl + al * bh + al * bl;
}

/** x = mantissa 2^exponent with an integer mantissa. */
function decompose(x: number): [bigint, number] {
  bits.setFloat64(0, x);
  const raw = bits.getBigUint64(0);
  const field = Number(raw >> 52n) & 2047;
  const fraction = raw & 0xfffffffffffffn;
  return field === 0 ? [fraction, -1074] : [fraction | 0x10000000000000n, field - 1075];
}

/** floor(2/pi 2^FRACTION_BITS) from Machin's formula pi = 16 atan(1/5) - 4 atan(1/239). */
function computeTwoOverPi(): bigint {
  const guard = 64;
  const one = 1n << BigInt(FRACTION_BITS + guard);
  const atanInverse = (n: bigint): bigint => {
    let power = one / n;
    let sum = power;
    for (let k = 1n; power > 0n; k++) {
      power /= n * n;
      const term = power / (2n * k + 1n);
      sum += k & 1n ? -term : term;
    }
    return sum;
  };
  const pi = 16n * atanInverse(5n) - 4n * atanInverse(239n);
  return ((2n * one * one) / pi) >> BigInt(guard);
}

/** atan(k/8) as pairs. */
const ATAN_HIGH = new Float64Array([
  0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.4636476090008061, 0.5585993153435624,
  0.6435011087932844, 0.7188299996216245, 0.7853981633974483,
]);
const ATAN_LOW = new Float64Array([
  0, -3.1253241424539383e-18, 1.0698755618734451e-17, -2.4623815582638635e-17, 2.2698777452961687e-17,
  -5.4556305485916264e-18, 1.5834785051444286e-17, -2.1478388444456983e-17, 3.061616997868383e-17,
]);
const PI = Math.PI;
const PI_LOW = 1.2246467991473532e-16;

export function atan2(y: number, x: number): number {
  if (Number.isNaN(y) || Number.isNaN(x)) return Number.NaN;
  let ax = Math.abs(x);
  let ay = Math.abs(y);
  const steep = ay > ax;
  if (steep) {
    const t = ax;
    ax = ay;
    ay = t;
  }
  // Now 0 <= ay <= ax: the angle of (ax, ay) lies in [0, pi/4].
  let high: number;
  let low: number;
  if (ay === 0) {
    high = 0;
    low = 0;
  } else if (ax === Number.POSITIVE_INFINITY) {
    high = ay === ax ? ATAN_HIGH[8] : 0;
    low = ay === ax ? ATAN_LOW[8] : 0;
  } else {
    if (ax > 1e290 || ax < 1e-290) {
      const scale = powerOfTwo(ax > 1 ? -120 : 120);
      ax *= scale;
      ay *= scale;
    }
    const k = Math.round((8 * ay) / ax);
    let u: number;
    if (k === 0) {
      u = ay / ax;
    } else {
      // ay - k/8 ax without rounding: the 27 leading bits of ax times k/8 are exact.
      const c = 0.125 * k;
      const split = 134217729 * ax;
      const head = split - (split - ax);
      u = (ay - c * head - c * (ax - head)) / (ax + c * ay);
    }
    const z = u * u;
    const series = u * z * (-1 / 3 + z * (1 / 5 + z * (-1 / 7 + z * (1 / 9 + z * (-1 / 11 + z * (1 / 13 - z / 15))))));
    high = ATAN_HIGH[k] + u;
    low = ATAN_HIGH[k] - high + u + (series + ATAN_LOW[k]);
  }
  if (steep) {
    const t = 0.5 * PI - high;
    low = 0.5 * PI - t - high + (0.5 * PI_LOW - low);
    high = t;
  }
  if (x < 0 || (x === 0 && 1 / x < 0)) {
    const t = PI - high;
    low = PI - t - high + (PI_LOW - low);
    high = t;
  }
  const angle = high + low;
  return y < 0 || (y === 0 && 1 / y < 0) ? -angle : angle;
}

/**
 * Square root of the sum of squares of up to four numbers, in that order: where nothing overflows or underflows, exactly
 * `Math.sqrt(x * x + y * y + z * z + w * w)`, otherwise of the numbers times a power of two. Infinite when one is.
 */
export function hypot(x: number, y: number, z = 0, w = 0): number {
  const sum = x * x + y * y + z * z + w * w;
  return sum > 1e-280 && sum < Number.POSITIVE_INFINITY ? Math.sqrt(sum) : hypotScaled(x, y, z, w);
}

/** Where a square is not to be trusted. Apart, so that engines put the usual case where it is called. */
function hypotScaled(x: number, y: number, z: number, w: number): number {
  if (x === 0 && y === 0 && z === 0 && w === 0) return 0;
  if ([x, y, z, w].some((value) => Math.abs(value) === Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
  const shift = x * x + y * y + z * z + w * w > 1 ? -600 : 600;
  const scale = powerOfTwo(shift);
  const [a, b, c, d] = [x * scale, y * scale, z * scale, w * scale];
  return Math.sqrt(a * a + b * b + c * c + d * d) * powerOfTwo(-shift);
}

/** 2^k for whole k in [-1022, 1023], from its bits: the power operator is not exact in every engine. */
export function powerOfTwo(k: number): number {
  bits.setUint32(0, (k + 1023) << 20);
  bits.setUint32(4, 0);
  return bits.getFloat64(0);
}

/** ln 2 in two parts; the first has 33 bits, so multiples of it up to 2^20 are exact. */
const LN2_HIGH = 0.6931471804855391;
const LN2_LOW = 7.440617110012397e-11;

export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
  if (x < -745.1332191019412) return 0;
  const k = Math.round(x * Math.LOG2E);
  const high = x - k * LN2_HIGH;
  const r = high - k * LN2_LOW;
  const low = high - r - k * LN2_LOW;
  // (e^r - 1 - r)/r^2 on |r| <= ln2/2.
  const z = r * r;
  const p =
    0.5 +
    r * 0.1666666666666667 +
    z *
      (0.04166666666666667 +
        r * 0.008333333333326084 +
        z *
          (0.0013888888888883711 +
            r * 0.0001984126987500228 +
            z *
              (2.480158732567746e-5 +
                r * 2.755725517000089e-6 +
                z * (2.755727347871858e-7 + r * 2.5105312729622103e-8 + z * 2.09147553258932e-9))));
  const y = 1 + (r + (low + z * p));
  // Two steps where 2^k itself is no normal number.
  if (k > 1023) return y * powerOfTwo(1023) * powerOfTwo(k - 1023);
  if (k < -1022) return y * powerOfTwo(k + 600) * powerOfTwo(-600);
  return y * powerOfTwo(k);
}

export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  let k = 0;
  let scaled = x;
  if (x < 2.2250738585072014e-308) {
    scaled *= powerOfTwo(54);
    k = -54;
  }
  bits.setFloat64(0, scaled);
  const head = bits.getUint32(0);
  k += (head >>> 20) - 1023;
  bits.setUint32(0, (head & 0xfffff) | 0x3ff00000);
  let m = bits.getFloat64(0);
  if (m > Math.SQRT2) {
    m *= 0.5;
    k += 1;
  }
  // log(1 + f) = 2 atanh(s) with s = f/(2 + f); 2 s = f - s f leaves f itself, exact, as the leading term.
  const f = m - 1;
  const s = f / (2 + f);
  const z = s * s;
  const y = z * z;
  const r =
    z *
    (0.666666666666667 +
      z * 0.3999999999989889 +
      y *
        (0.28571428626253836 +
          z * 0.22222211089379496 +
          y * (0.1818289243253687 + z * 0.15331611722055008 + y * 0.14617807153417325)));
  const h = 0.5 * f * f;
  return k * LN2_HIGH - (h - (s * (h + r) + k * LN2_LOW) - f);
}

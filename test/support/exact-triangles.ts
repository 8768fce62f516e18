/**
 * Distance of two triangles in exact arithmetic: doubles are integers times a power of two, and every feature's squared
 * distance is a fraction of such integers. Only the final square root rounds.
 */
import type { Triangle } from './brute-force-meshes.js';

type Vector = readonly [bigint, bigint, bigint];
/** Numerator and positive denominator. */
type Fraction = readonly [bigint, bigint];

const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const smaller = (a: Fraction, b: Fraction): Fraction => (b[0] * a[1] < a[0] * b[1] ? b : a);

/** x = mantissa 2^exponent exactly. */
function decompose(x: number): [bigint, number] {
  if (x === 0) return [0n, 0];
  let exponent = 0;
  let mantissa = x;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent--;
  }
  return [BigInt(mantissa), exponent];
}

function pointSegment(p: Vector, a: Vector, b: Vector): Fraction {
  const u = subtract(b, a);
  const w = subtract(p, a);
  const e = dot(u, u);
  const f = dot(w, u);
  if (f <= 0n) return [dot(w, w), 1n];
  if (f >= e) return [dot(subtract(p, b), subtract(p, b)), 1n];
  return [dot(w, w) * e - f * f, e];
}

function segmentSegment(a: Vector, b: Vector, c: Vector, d: Vector): Fraction {
  let best = smaller(smaller(pointSegment(a, c, d), pointSegment(b, c, d)), pointSegment(c, a, b));
  best = smaller(best, pointSegment(d, a, b));
  const u = subtract(b, a);
  const v = subtract(d, c);
  const r = subtract(a, c);
  const n = cross(u, v);
  const n2 = dot(n, n);
  const s = -dot(n, cross(r, v));
  const t = -dot(n, cross(r, u));
  if (n2 > 0n && s >= 0n && s <= n2 && t >= 0n && t <= n2) best = smaller(best, [dot(r, n) ** 2n, n2]);
  return best;
}

function pointFace(p: Vector, [a, b, c]: readonly Vector[]): Fraction | null {
  const u = subtract(b, a);
  const v = subtract(c, a);
  const w = subtract(p, a);
  const n = cross(u, v);
  const n2 = dot(n, n);
  const s = dot(n, cross(w, v));
  const t = dot(n, cross(u, w));
  return n2 > 0n && s >= 0n && t >= 0n && s + t <= n2 ? [dot(w, n) ** 2n, n2] : null;
}

/** The closed edge and the closed, not degenerate, triangle have a point in common and are not coplanar. */
function crosses(p: Vector, q: Vector, [a, b, c]: readonly Vector[]): boolean {
  const n = cross(subtract(b, a), subtract(c, a));
  const hp = dot(n, subtract(p, a));
  const hq = dot(n, subtract(q, a));
  if (hp === hq || (hp > 0n && hq > 0n) || (hp < 0n && hq < 0n)) return false;
  // The crossing point times (hp - hq), compared with the corners times the same.
  const k = hp - hq;
  const x = [0, 1, 2].map((i) => hp * q[i] - hq * p[i]) as unknown as Vector;
  const scaled = [a, b, c].map((y) => y.map((z) => z * k) as unknown as Vector);
  return pointFace(x, scaled) !== null;
}

export function exactDistance(a: Triangle, b: Triangle): number {
  const parts = [...a.flat(), ...b.flat()].map(decompose);
  const lowest = Math.min(...parts.map(([, exponent]) => exponent));
  const integers = parts.map(([mantissa, exponent]) => mantissa << BigInt(exponent - lowest));
  const corners = [0, 3, 6, 9, 12, 15].map((i) => integers.slice(i, i + 3) as unknown as Vector);
  const s = corners.slice(0, 3);
  const t = corners.slice(3);
  let best: Fraction | null = null;
  const offer = (f: Fraction | null): void => {
    if (f) best = best ? smaller(best, f) : f;
  };
  for (let i = 0; i < 3; i++) {
    if (crosses(s[i], s[(i + 1) % 3], t) || crosses(t[i], t[(i + 1) % 3], s)) return 0;
    offer(pointFace(s[i], t));
    offer(pointFace(t[i], s));
    for (let j = 0; j < 3; j++) offer(segmentSegment(s[i], s[(i + 1) % 3], t[j], t[(j + 1) % 3]));
  }
  const [numerator, denominator] = best as unknown as Fraction;
  if (numerator === 0n) return 0;
  // Integer square root of the fraction times 2^2k, k such that at least 60 digits remain.
  const k = BigInt(Math.max(0, 64 + Math.ceil((denominator.toString(2).length - numerator.toString(2).length) / 2)));
  const root = integerRoot((numerator << (2n * k)) / denominator);
  const spare = Math.max(0, root.toString(2).length - 64);
  return scaleByPowerOfTwo(Number(root >> BigInt(spare)), lowest - Number(k) + spare);
}

function integerRoot(n: bigint): bigint {
  let x = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const y = (x + n / x) >> 1n;
    if (y >= x) return x;
    x = y;
  }
}

function scaleByPowerOfTwo(x: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return x * 2 ** half * 2 ** (exponent - half);
}

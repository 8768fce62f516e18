/**
 * Sign-exact orientation of four points: on which side of the plane (a, b, c) does d lie? And of three in a projection.
 *
 * Method: 1. plain double evaluation with a forward error bound; 2. when the value is below the bound, the same
 * determinant in expansion arithmetic (sums of doubles without rounding), whose leading component has the exact sign.
 * Source: Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric predicates",
 * sections 2 and 4, doi:10.1007/PL00009321.
 * Cost: about 30 flops, some microseconds when the filter fails. Fails only on overflow or underflow of the products.
 * Checked by orientation.test.ts against integer arithmetic.
 */
import type { NumericArray } from '../math/vec3.js';

/** (7 + 56 eps) eps with eps = 2^-53, Shewchuk's bound for the first stage. */
const ERROR_BOUND = 7.771561172376103e-16;
/** (3 + 16 eps) eps, his bound for three points in the plane. */
const PLANAR_ERROR_BOUND = 3.3306690738754716e-16;
const SPLITTER = 134217729;

/** Exact a - b as an expansion, smallest component first. */
function differenceExpansion(a: number, b: number): number[] {
  const x = a - b;
  const bVirtual = a - x;
  const aVirtual = x + bVirtual;
  const tail = a - aVirtual + (bVirtual - b);
  return tail === 0 ? [x] : [tail, x];
}

/** Grow-expansion: e + b without rounding, zero components dropped. */
function growExpansion(e: readonly number[], b: number): number[] {
  const out: number[] = [];
  let q = b;
  for (const x of e) {
    const sum = q + x;
    const xVirtual = sum - q;
    const tail = q - (sum - xVirtual) + (x - xVirtual);
    if (tail !== 0) out.push(tail);
    q = sum;
  }
  if (q !== 0 || out.length === 0) out.push(q);
  return out;
}

function multiplyExpansions(e: readonly number[], f: readonly number[]): number[] {
  let out: number[] = [0];
  for (const x of e) {
    const cx = SPLITTER * x;
    const xHigh = cx - (cx - x);
    const xLow = x - xHigh;
    for (const y of f) {
      const cy = SPLITTER * y;
      const yHigh = cy - (cy - y);
      const yLow = y - yHigh;
      const product = x * y;
      const tail = xLow * yLow - (product - xHigh * yHigh - xLow * yHigh - xHigh * yLow);
      if (tail !== 0) out = growExpansion(out, tail);
      out = growExpansion(out, product);
    }
  }
  return out;
}

function addExpansions(e: readonly number[], f: readonly number[], sign: number): number[] {
  let out: readonly number[] = e;
  for (const x of f) out = growExpansion(out, sign * x);
  return out as number[];
}

function orientExactly(p: NumericArray, a: number, b: number, c: number, d: number): number {
  const e: number[][] = [];
  for (const i of [a, b, c]) for (let k = 0; k < 3; k++) e.push(differenceExpansion(p[i + k], p[d + k]));
  const minor = (i: number, j: number, k: number, l: number): number[] =>
    addExpansions(multiplyExpansions(e[i], e[j]), multiplyExpansions(e[k], e[l]), -1);
  let det = multiplyExpansions(e[0], minor(4, 8, 5, 7));
  det = addExpansions(det, multiplyExpansions(e[1], minor(5, 6, 3, 8)), 1);
  det = addExpansions(det, multiplyExpansions(e[2], minor(3, 7, 4, 6)), 1);
  return det[det.length - 1];
}

/**
 * Determinant of (a - d, b - d, c - d) for points at offsets a, b, c, d of the flat array p; its sign is exact.
 * Negative when d lies on the side from which a, b, c turn counter-clockwise (outside a face wound outward).
 */
export function orientPoints(p: NumericArray, a: number, b: number, c: number, d: number): number {
  const dx = p[d];
  const dy = p[d + 1];
  const dz = p[d + 2];
  const ax = p[a] - dx;
  const ay = p[a + 1] - dy;
  const az = p[a + 2] - dz;
  const bx = p[b] - dx;
  const by = p[b + 1] - dy;
  const bz = p[b + 2] - dz;
  const cx = p[c] - dx;
  const cy = p[c + 1] - dy;
  const cz = p[c + 2] - dz;
  const bycz = by * cz;
  const bzcy = bz * cy;
  const bzcx = bz * cx;
  const bxcz = bx * cz;
  const bxcy = bx * cy;
  const bycx = by * cx;
  const det = ax * (bycz - bzcy) + ay * (bzcx - bxcz) + az * (bxcy - bycx);
  const permanent =
    Math.abs(ax) * (Math.abs(bycz) + Math.abs(bzcy)) +
    Math.abs(ay) * (Math.abs(bzcx) + Math.abs(bxcz)) +
    Math.abs(az) * (Math.abs(bxcy) + Math.abs(bycx));
  return Math.abs(det) > ERROR_BOUND * permanent ? det : orientExactly(p, a, b, c, d);
}

/**
 * Twice the signed area of (a, b, c) in the coordinates u, v (0, 1 or 2) of the flat array p; its sign is exact. Positive
 * when a, b, c turn from u towards v.
 */
export function orientProjected(
  p: NumericArray,
  [u, v]: readonly [number, number],
  a: number,
  b: number,
  c: number,
): number {
  const left = (p[a + u] - p[c + u]) * (p[b + v] - p[c + v]);
  const right = (p[a + v] - p[c + v]) * (p[b + u] - p[c + u]);
  const det = left - right;
  if (Math.abs(det) > PLANAR_ERROR_BOUND * (Math.abs(left) + Math.abs(right))) return det;
  const exact = addExpansions(
    multiplyExpansions(differenceExpansion(p[a + u], p[c + u]), differenceExpansion(p[b + v], p[c + v])),
    multiplyExpansions(differenceExpansion(p[a + v], p[c + v]), differenceExpansion(p[b + u], p[c + u])),
    -1,
  );
  return exact[exact.length - 1];
}

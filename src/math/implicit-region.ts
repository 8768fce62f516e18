/**
 * Regions of space that polynomial inequalities describe: f <= 0, intersections and unions; and whether a box lies in one, certainly.
 *
 * A polynomial over a box is written about the box's middle: f(m + d) = sum b d^i e^j g^k. Its value is b_000, and every other term is
 * within |b| times the half sides' powers of 0, on one side only where all powers are even. What rounding may have taken is bounded by the
 * sum of all terms' sizes and taken off, so a verdict is never wrong; it is certain soon: the bound is off by the square of the box's size.
 *
 * Source: notes on robotics, 7.2.1 (algebraic obstacle models); R. E. Moore, R. B. Kearfott, M. J. Cloud, "Introduction to Interval Analysis",
 * 2009, chapter 6 (centred forms), doi:10.1137/1.9780898717716.
 *
 * Lengths in metres; a term without a power of z is the same at all z. Cost: products of powers for each term. Tested by
 * implicit-region.test.ts, against dense evaluation.
 */

import { throwMisuse } from './arguments.js';
import { isRecord } from './known-keys.js';

/** `coefficient * x^i * y^j * z^k`; `powers` holds i, j and k, or the first of them. */
export interface PolynomialTerm {
  readonly coefficient: number;
  readonly powers: readonly number[];
}

/** Where a polynomial is at most 0, where all hold, where one holds. */
export type ImplicitRegion =
  | { readonly terms: readonly PolynomialTerm[] }
  | { readonly all: readonly ImplicitRegion[] }
  | { readonly any: readonly ImplicitRegion[] };

/** Checks a region's shape and numbers; `variables` is how many coordinates it may speak of. */
export function requireImplicit(call: string, what: string, value: unknown, variables: number, depth = 0): void {
  if (!isRecord(value) || depth > 50) throwMisuse(call, what, value, '{ terms }, { all } or { any }');
  for (const key of ['all', 'any'] as const) {
    const parts = value[key];
    if (parts === undefined) continue;
    if (!Array.isArray(parts) || parts.length === 0) throwMisuse(call, `${what}.${key}`, parts, 'a list of regions');
    for (const [i, part] of parts.entries()) requireImplicit(call, `${what}.${key}[${i}]`, part, variables, depth + 1);
    return;
  }
  const { terms } = value;
  if (!Array.isArray(terms)) throwMisuse(call, `${what}.terms`, terms, 'a list of terms');
  for (const [i, term] of terms.entries()) {
    const { coefficient, powers } = isRecord(term) ? term : {};
    if (typeof coefficient !== 'number' || !Number.isFinite(coefficient))
      throwMisuse(call, `${what}.terms[${i}].coefficient`, coefficient, 'a finite number');
    const isRight =
      Array.isArray(powers) &&
      powers.length <= 3 &&
      powers.every((n, k) => Number.isInteger(n) && n >= 0 && n <= MOST_POWER && (k < variables || n === 0));
    if (!isRight)
      throwMisuse(call, `${what}.terms[${i}].powers`, powers, `${variables} whole numbers from 0 to ${MOST_POWER}`);
  }
}

/** Powers that a term may have. */
export const MOST_POWER = 24;

/** Per unit of the sum of all terms' sizes: above what rounding takes with powers up to `MOST_POWER`. */
const ROUNDING = 2 ** -42;

const binomials: readonly (readonly number[])[] = Array.from({ length: MOST_POWER + 1 }, (_, n) => {
  const row = [1];
  for (let k = 1; k <= n; k++) row.push((row[k - 1] * (n - k + 1)) / k);
  return row;
});

/** The least and the largest value that a polynomial may have in a box, given by its middle and half sides; never too narrow. */
export function boundPolynomial(
  out: [number, number],
  terms: readonly PolynomialTerm[],
  middle: ArrayLike<number>,
  half: ArrayLike<number>,
): [number, number] {
  const counts = [1, 1, 1];
  for (const { powers } of terms)
    for (let k = 0; k < powers.length; k++) counts[k] = Math.max(counts[k], powers[k] + 1);
  const shifted = new Float64Array(counts[0] * counts[1] * counts[2]);
  let size = 0;
  for (const { coefficient, powers } of terms) {
    const [i = 0, j = 0, k = 0] = powers;
    let most = Math.abs(coefficient);
    for (let c = 0; c < powers.length; c++) most *= power(Math.abs(middle[c]) + half[c], powers[c]);
    size += most;
    for (let a = 0; a <= i; a++) {
      const inX = coefficient * binomials[i][a] * power(middle[0], i - a);
      for (let b = 0; b <= j; b++) {
        const inY = j === 0 ? inX : inX * binomials[j][b] * power(middle[1], j - b);
        for (let c = 0; c <= k; c++)
          shifted[(a * counts[1] + b) * counts[2] + c] +=
            k === 0 ? inY : inY * binomials[k][c] * power(middle[2], k - c);
      }
    }
  }
  let low = 0;
  let high = 0;
  for (let a = 0; a < counts[0]; a++)
    for (let b = 0; b < counts[1]; b++)
      for (let c = 0; c < counts[2]; c++) {
        const value = shifted[(a * counts[1] + b) * counts[2] + c];
        if (value === 0) continue;
        if (a + b + c === 0) {
          low += value;
          high += value;
          continue;
        }
        let reach = Math.abs(value);
        if (a > 0) reach *= power(half[0], a);
        if (b > 0) reach *= power(half[1], b);
        if (c > 0) reach *= power(half[2], c);
        const isEven = a % 2 === 0 && b % 2 === 0 && c % 2 === 0;
        if (!isEven || value < 0) low -= reach;
        if (!isEven || value > 0) high += reach;
      }
  out[0] = low - ROUNDING * size;
  out[1] = high + ROUNDING * size;
  return out;
}

function power(x: number, n: number): number {
  let product = 1;
  for (let k = 0; k < n; k++) product *= x;
  return product;
}

const bounds: [number, number] = [0, 0];

/** 1 where the whole box lies in the region, -1 where no point of it does, 0 where neither is certain. */
export function judgeImplicitBox(region: ImplicitRegion, middle: ArrayLike<number>, half: ArrayLike<number>): number {
  if ('terms' in region) {
    const [low, high] = boundPolynomial(bounds, region.terms, middle, half);
    return high <= 0 ? 1 : low > 0 ? -1 : 0;
  }
  const isAll = 'all' in region;
  let verdict = isAll ? 1 : -1;
  for (const part of isAll ? region.all : region.any) {
    const own = judgeImplicitBox(part, middle, half);
    verdict = isAll ? Math.min(verdict, own) : Math.max(verdict, own);
  }
  return verdict;
}

/**
 * QR factorisation with column pivoting, A P = Q R, and least squares through it.
 *
 * Method: Householder reflections; the remaining column of largest norm comes first, so the diagonal of R falls in size and
 * the rank shows: columns whose diagonal is at or below max(m, n) x 2^-52 x |R00| count as dependent.
 * Source: Businger, Golub 1965, "Linear least squares solutions by Householder transformations",
 * doi:10.1007/BF01436084; Golub, Van Loan 2013, section 5.4.2.
 * Shapes: A is m x n, row-major. Cost: about 2 m n^2 products; nothing is allocated after `createQr`.
 * A dependent column gets the value 0 in the solution (a basic solution; `svd.ts` gives the one of least norm).
 * Tested by dense.test.ts.
 */

import { requireCount, requireFlag, requireFloats, requireLength, throwMisuse } from '../arguments.js';

export interface Qr {
  readonly m: number;
  readonly n: number;
  /** R in the upper triangle, Householder vectors (first entry 1, not stored) below it. */
  readonly factors: Float64Array;
  readonly scales: Float64Array;
  /** Column of A that stands at each place. */
  readonly pivots: Int32Array;
  readonly work: Float64Array;
  rank: number;
}

export function createQr(m: number, n: number): Qr {
  requireCount('createQr', 'm', m);
  requireCount('createQr', 'n', n);
  return {
    m,
    n,
    factors: new Float64Array(m * n),
    scales: new Float64Array(Math.min(m, n)),
    pivots: new Int32Array(n),
    work: new Float64Array(Math.max(m, n)),
    rank: 0,
  };
}

/** Factorises `a` (not changed) and returns the rank. */
export function factorizeQr(qr: Qr, a: ArrayLike<number>): number {
  requireQr('factorizeQr', qr);
  const { m, n, factors, scales, pivots } = qr;
  requireLength('factorizeQr', 'a', a, m * n);
  factors.set(a as Float64Array);
  for (let c = 0; c < n; c++) pivots[c] = c;
  const steps = Math.min(m, n);
  let largest = 0;
  qr.rank = 0;
  for (let k = 0; k < steps; k++) {
    // Norms are formed anew each time: n is small here, and downdated norms lose digits.
    let best = k;
    let bestNorm = -1;
    for (let c = k; c < n; c++) {
      const norm = columnNorm(qr, k, c);
      if (norm > bestNorm) {
        best = c;
        bestNorm = norm;
      }
    }
    if (best !== k) swapColumns(qr, k, best);
    if (k === 0) largest = bestNorm;
    if (!(bestNorm > Math.max(m, n) * Number.EPSILON * largest)) break;
    const head = factors[k * n + k];
    const diagonal = head > 0 ? -bestNorm : bestNorm;
    const divisor = head - diagonal;
    scales[k] = -divisor / diagonal;
    for (let r = k + 1; r < m; r++) factors[r * n + k] /= divisor;
    factors[k * n + k] = diagonal;
    for (let c = k + 1; c < n; c++) {
      let sum = factors[k * n + c];
      for (let r = k + 1; r < m; r++) sum += factors[r * n + k] * factors[r * n + c];
      sum *= scales[k];
      factors[k * n + c] -= sum;
      for (let r = k + 1; r < m; r++) factors[r * n + c] -= sum * factors[r * n + k];
    }
    qr.rank = k + 1;
  }
  return qr.rank;
}

/** out = Q x, or Q^T x when `transposed`; m numbers each, out may be x. Columns of Q beyond the rank span A's complement. */
export function multiplyQ(out: Float64Array, qr: Qr, x: ArrayLike<number>, transposed = false): Float64Array {
  requireQr('multiplyQ', qr);
  requireLength('multiplyQ', 'x', x, qr.m);
  requireFloats('multiplyQ', 'out', out);
  requireFlag('multiplyQ', 'transposed', transposed);
  const { m, n, factors, scales, rank } = qr;
  for (let r = 0; r < m; r++) out[r] = x[r];
  for (let i = 0; i < rank; i++) {
    const k = transposed ? i : rank - 1 - i;
    let sum = out[k];
    for (let r = k + 1; r < m; r++) sum += factors[r * n + k] * out[r];
    sum *= scales[k];
    out[k] -= sum;
    for (let r = k + 1; r < m; r++) out[r] -= sum * factors[r * n + k];
  }
  return out;
}

/** x (n numbers) that minimises |A x - b|; b has m numbers and is not changed unless it is `out`. */
export function solveQr(out: Float64Array, qr: Qr, b: ArrayLike<number>): Float64Array {
  requireQr('solveQr', qr);
  requireLength('solveQr', 'b', b, qr.m);
  requireFloats('solveQr', 'out', out);
  const { n, factors, pivots, rank, work } = qr;
  multiplyQ(work, qr, b, true);
  for (let k = rank - 1; k >= 0; k--) {
    let sum = work[k];
    for (let c = k + 1; c < rank; c++) sum -= factors[k * n + c] * work[c];
    work[k] = sum / factors[k * n + k];
  }
  for (let c = 0; c < n; c++) out[pivots[c]] = c < rank ? work[c] : 0;
  return out;
}

/** Norm of column c from row k on, scaled against overflow. */
function columnNorm(qr: Qr, k: number, c: number): number {
  const { m, n, factors } = qr;
  let scale = 0;
  for (let r = k; r < m; r++) scale = Math.max(scale, Math.abs(factors[r * n + c]));
  if (scale === 0) return 0;
  let sum = 0;
  for (let r = k; r < m; r++) {
    const x = factors[r * n + c] / scale;
    sum += x * x;
  }
  return scale * Math.sqrt(sum);
}

function swapColumns(qr: Qr, a: number, b: number): void {
  const { m, n, factors, pivots } = qr;
  for (let r = 0; r < m; r++) {
    const value = factors[r * n + a];
    factors[r * n + a] = factors[r * n + b];
    factors[r * n + b] = value;
  }
  const pivot = pivots[a];
  pivots[a] = pivots[b];
  pivots[b] = pivot;
}

function requireQr(call: string, qr: Qr): void {
  if (!(qr?.factors instanceof Float64Array && qr.pivots instanceof Int32Array))
    throwMisuse(call, 'qr', qr, 'what createQr returned');
}

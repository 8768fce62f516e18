/**
 * Singular values, A = U diag(s) V^T, and least-norm or damped least squares through them.
 *
 * Method: one-sided Jacobi (Hestenes): pairs of columns of A (of A^T when it is wide) are turned until all are orthogonal;
 * their lengths are the singular values, the accumulated turns the other factor. Small singular values keep their relative
 * accuracy, which bidiagonalisation does not give.
 * Source: Hestenes 1958, doi:10.1137/0106005; Demmel, Veselic 1992, "Jacobi's method is more accurate than QR",
 * doi:10.1137/0613074.
 * Shapes: A is m x n row-major, k = min(m, n). Cost: a handful of sweeps of k^2 max(m, n); nothing is allocated after
 * `createSvd`.
 * Fails: `converged` is false when 60 sweeps did not do (never seen for finite input); the factors are the best so far.
 * Tested by dense.test.ts.
 */

import { requireCount, requireFloats, requireLength, requireNotNegative, throwMisuse } from '../arguments.js';

export interface Svd {
  readonly m: number;
  readonly n: number;
  /** k column vectors of m numbers, one after the other; those of singular value 0 are zero. */
  readonly u: Float64Array;
  /** k singular values, largest first. */
  readonly s: Float64Array;
  /** k column vectors of n numbers, one after the other. */
  readonly v: Float64Array;
  converged: boolean;
}

const MOST_SWEEPS = 60;

export function createSvd(m: number, n: number): Svd {
  requireCount('createSvd', 'm', m);
  requireCount('createSvd', 'n', n);
  const k = Math.min(m, n);
  return { m, n, u: new Float64Array(m * k), s: new Float64Array(k), v: new Float64Array(n * k), converged: false };
}

/** Decomposes `a`, which is not changed; all numbers must be finite. */
export function computeSvd(svd: Svd, a: ArrayLike<number>): Svd {
  requireSvd('computeSvd', svd);
  const { m, n, s } = svd;
  requireLength('computeSvd', 'a', a, m * n);
  const k = Math.min(m, n);
  const long = Math.max(m, n);
  const wide = n > m;
  // `columns` holds the long vectors being made orthogonal, `turns` the accumulated rotation (k x k).
  const columns = wide ? svd.v : svd.u;
  const turns = wide ? svd.u : svd.v;
  let scale = 0;
  for (let i = 0; i < a.length; i++) scale = Math.max(scale, Math.abs(a[i]));
  const inverse = scale > 0 ? 1 / scale : 0;
  for (let c = 0; c < k; c++) {
    for (let r = 0; r < long; r++) columns[c * long + r] = (wide ? a[c * n + r] : a[r * n + c]) * inverse;
    for (let r = 0; r < k; r++) turns[c * k + r] = r === c ? 1 : 0;
  }
  svd.converged = false;
  for (let sweep = 0; sweep < MOST_SWEEPS && !svd.converged; sweep++) {
    svd.converged = true;
    for (let p = 0; p < k - 1; p++) {
      for (let q = p + 1; q < k; q++) {
        if (orthogonalize(columns, turns, p, q, long, k)) svd.converged = false;
      }
    }
  }
  for (let c = 0; c < k; c++) {
    let sum = 0;
    for (let r = 0; r < long; r++) sum += columns[c * long + r] * columns[c * long + r];
    const length = Math.sqrt(sum);
    s[c] = length * scale;
    for (let r = 0; r < long; r++) columns[c * long + r] = length > 0 ? columns[c * long + r] / length : 0;
  }
  sortDescending(svd, k);
  return svd;
}

/**
 * out = sum over s of s/(s^2 + damping^2) v (u . b): the x of least |A x - b|^2 + damping^2 |x|^2. Singular values at or
 * below `cutoff` x the largest are left out (default max(m, n) x 2^-52), which makes it the pseudo-inverse for damping 0.
 */
export function solveSvd(
  out: Float64Array,
  svd: Svd,
  b: ArrayLike<number>,
  damping = 0,
  cutoff = Math.max(svd?.m, svd?.n) * Number.EPSILON,
): Float64Array {
  requireSvd('solveSvd', svd);
  requireLength('solveSvd', 'b', b, svd.m);
  requireFloats('solveSvd', 'out', out);
  requireNotNegative('solveSvd', 'damping', damping);
  requireNotNegative('solveSvd', 'cutoff', cutoff);
  const { m, n, u, s, v } = svd;
  const k = Math.min(m, n);
  const smallest = cutoff * (k > 0 ? s[0] : 0);
  const x = out === b ? Float64Array.from(b) : b;
  for (let c = 0; c < n; c++) out[c] = 0;
  for (let i = 0; i < k; i++) {
    if (!(s[i] > smallest)) continue;
    let dot = 0;
    for (let r = 0; r < m; r++) dot += u[i * m + r] * x[r];
    const weight = (dot * s[i]) / (s[i] * s[i] + damping * damping);
    for (let c = 0; c < n; c++) out[c] += weight * v[i * n + c];
  }
  return out;
}

/** Turns columns p and q until they are orthogonal; false when they already are. */
function orthogonalize(
  columns: Float64Array,
  turns: Float64Array,
  p: number,
  q: number,
  long: number,
  k: number,
): boolean {
  let alpha = 0;
  let beta = 0;
  let gamma = 0;
  for (let r = 0; r < long; r++) {
    const x = columns[p * long + r];
    const y = columns[q * long + r];
    alpha += x * x;
    beta += y * y;
    gamma += x * y;
  }
  if (gamma === 0 || Math.abs(gamma) <= Number.EPSILON * Math.sqrt(alpha * beta)) return false;
  const zeta = (beta - alpha) / (2 * gamma);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const c = 1 / Math.sqrt(1 + t * t);
  turnPair(columns, p * long, q * long, long, c, c * t);
  turnPair(turns, p * k, q * k, k, c, c * t);
  return true;
}

function turnPair(a: Float64Array, p: number, q: number, length: number, c: number, s: number): void {
  for (let i = 0; i < length; i++) {
    const x = a[p + i];
    const y = a[q + i];
    a[p + i] = c * x - s * y;
    a[q + i] = s * x + c * y;
  }
}

function sortDescending(svd: Svd, k: number): void {
  const { m, n, u, s, v } = svd;
  for (let i = 0; i < k - 1; i++) {
    let best = i;
    for (let j = i + 1; j < k; j++) if (s[j] > s[best]) best = j;
    if (best === i) continue;
    [s[i], s[best]] = [s[best], s[i]];
    swapRange(u, i * m, best * m, m);
    swapRange(v, i * n, best * n, n);
  }
}

function swapRange(a: Float64Array, p: number, q: number, length: number): void {
  for (let i = 0; i < length; i++) {
    const x = a[p + i];
    a[p + i] = a[q + i];
    a[q + i] = x;
  }
}

function requireSvd(call: string, svd: Svd): void {
  if (!(svd?.u instanceof Float64Array && svd.s instanceof Float64Array && svd.v instanceof Float64Array))
    throwMisuse(call, 'svd', svd, 'what createSvd returned');
}

/**
 * Eigenvalues and eigenvectors of symmetric matrices by Jacobi rotations.
 *
 * Method: sweeps over all pairs (p, q), each turned so that entry (p, q) vanishes, until no entry matters beside its
 * diagonal; vectors are the accumulated turns.
 * Source: Golub, Van Loan 2013, "Matrix computations", section 8.5, doi:10.56021/9781421407944.
 * Shapes: n x n row-major; eigenvector k is column k of `vectors`; values largest first.
 * Cost: some 5 to 8 sweeps of n^3; nothing is allocated by `eigenSymmetric3`, one scratch matrix by `eigenSymmetric`.
 * Fails: false when 60 sweeps did not do (never seen for finite input); the results are the best so far.
 * Tested by dense.test.ts.
 */

import { MisuseError } from '../misuse.js';

const MOST_SWEEPS = 60;
const scratch = new Float64Array(9);

/** The 3x3 case: vectors are a rotation (determinant +1), so they can serve as the axes of a box. */
export function eigenSymmetric3(values: Float64Array, vectors: Float64Array, a: ArrayLike<number>): boolean {
  const converged = diagonalize(values, vectors, scratch, a, 3);
  const determinant =
    vectors[0] * (vectors[4] * vectors[8] - vectors[5] * vectors[7]) -
    vectors[1] * (vectors[3] * vectors[8] - vectors[5] * vectors[6]) +
    vectors[2] * (vectors[3] * vectors[7] - vectors[4] * vectors[6]);
  if (determinant < 0) {
    for (let r = 0; r < 3; r++) vectors[3 * r + 2] = -vectors[3 * r + 2];
  }
  return converged;
}

/** Any size; returns whether it converged. Only the lower triangle of `a` is read, and not changed. */
export function eigenSymmetric(values: Float64Array, vectors: Float64Array, a: ArrayLike<number>, n: number): boolean {
  if (a.length !== n * n) throw new MisuseError(`eigenSymmetric: a, got ${a.length} numbers, expected ${n} x ${n}`);
  return diagonalize(values, vectors, new Float64Array(n * n), a, n);
}

function diagonalize(
  values: Float64Array,
  vectors: Float64Array,
  work: Float64Array,
  a: ArrayLike<number>,
  n: number,
): boolean {
  for (let r = 0; r < n; r++) {
    for (let c = 0; c < n; c++) {
      work[r * n + c] = r >= c ? a[r * n + c] : a[c * n + r];
      vectors[r * n + c] = r === c ? 1 : 0;
    }
  }
  let converged = false;
  for (let sweep = 0; sweep < MOST_SWEEPS && !converged; sweep++) {
    converged = true;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        if (annihilate(work, vectors, p, q, n)) converged = false;
      }
    }
  }
  for (let i = 0; i < n; i++) values[i] = work[i * n + i];
  for (let i = 0; i < n - 1; i++) {
    let best = i;
    for (let j = i + 1; j < n; j++) if (values[j] > values[best]) best = j;
    if (best === i) continue;
    [values[i], values[best]] = [values[best], values[i]];
    for (let r = 0; r < n; r++) {
      const x = vectors[r * n + i];
      vectors[r * n + i] = vectors[r * n + best];
      vectors[r * n + best] = x;
    }
  }
  return converged;
}

/** Turns the (p, q) plane so that entry (p, q) becomes 0; false when it is negligible already. */
function annihilate(a: Float64Array, vectors: Float64Array, p: number, q: number, n: number): boolean {
  const off = a[p * n + q];
  const app = a[p * n + p];
  const aqq = a[q * n + q];
  if (off === 0 || Math.abs(off) <= 0.25 * Number.EPSILON * Math.sqrt(Math.abs(app * aqq))) return false;
  const largest = Math.max(Math.abs(app), Math.abs(aqq));
  if (Math.abs(off) < 1e-30 * largest) {
    a[p * n + q] = 0;
    a[q * n + p] = 0;
    return false;
  }
  const zeta = (aqq - app) / (2 * off);
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = c * t;
  for (let i = 0; i < n; i++) {
    if (i === p || i === q) continue;
    const x = a[i * n + p];
    const y = a[i * n + q];
    a[i * n + p] = c * x - s * y;
    a[p * n + i] = a[i * n + p];
    a[i * n + q] = s * x + c * y;
    a[q * n + i] = a[i * n + q];
  }
  a[p * n + p] = app - t * off;
  a[q * n + q] = aqq + t * off;
  a[p * n + q] = 0;
  a[q * n + p] = 0;
  for (let i = 0; i < n; i++) {
    const x = vectors[i * n + p];
    const y = vectors[i * n + q];
    vectors[i * n + p] = c * x - s * y;
    vectors[i * n + q] = s * x + c * y;
  }
  return true;
}

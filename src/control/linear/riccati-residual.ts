/**
 * Residuals and gains of Riccati equations, from their definitions.
 *
 *   discrete    Q + A^T P A - P - (A^T P B + S) K = 0,  K = (R + B^T P B)^-1 (B^T P A + S^T)
 *   continuous  Q + A^T P + P A - (P B + S) K = 0,      K = R^-1 (B^T P + S^T)
 *
 * The backward error is the Frobenius norm of the residual beside the sum of the norms of its terms: how much of Q, at least,
 * would have to change for P to be exact, told in units of the terms.
 * Shapes: A, Q, P n x n, B and S n x m, R m x m, K m x n. Cost: some n^3. Tested by riccati.test.ts.
 */

import { factorizeLu, solveLu } from '../../math/dense/lu.js';
import { frobeniusNorm, multiplyMatrices, multiplyTransposedMatrices } from '../../math/dense/products.js';

export type TimeKind = 'discrete' | 'continuous';

/** All matrices of a linear-quadratic problem, sizes checked. */
export interface LinearQuadratic {
  readonly n: number;
  readonly m: number;
  readonly A: Float64Array;
  readonly B: Float64Array;
  readonly Q: Float64Array;
  readonly R: Float64Array;
  readonly S: Float64Array;
}

export interface RiccatiResidual {
  readonly residual: Float64Array;
  readonly K: Float64Array;
  readonly backwardError: number;
}

/** Null when R + B^T P B has no inverse. */
export function measureRiccati(time: TimeKind, problem: LinearQuadratic, P: Float64Array): RiccatiResidual | null {
  const { n, m, A, B, Q, R, S } = problem;
  const PA = multiplyMatrices(new Float64Array(n * n), P, A, [n, n, n]);
  const PB = multiplyMatrices(new Float64Array(n * m), P, B, [n, n, m]);
  const factor = R.slice();
  const cross = S.slice();
  if (time === 'discrete') {
    multiplyTransposedMatrices(factor, B, PB, [m, n, m], 1);
    multiplyTransposedMatrices(cross, A, PB, [n, n, m], 1);
  } else {
    for (let i = 0; i < n * m; i++) cross[i] += PB[i];
  }
  const K = new Float64Array(m * n);
  for (let i = 0; i < n; i++) for (let k = 0; k < m; k++) K[k * n + i] = cross[i * m + k];
  const pivots = new Int32Array(m);
  if (!factorizeLu(factor, m, pivots)) return null;
  solveLu(K, factor, m, pivots, n);
  const taken = multiplyMatrices(new Float64Array(n * n), cross, K, [n, m, n]);
  const moved =
    time === 'discrete'
      ? multiplyTransposedMatrices(new Float64Array(n * n), A, PA, [n, n, n])
      : new Float64Array(n * n);
  const residual = Q.slice();
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const at = i * n + j;
      if (time === 'discrete') residual[at] += moved[at] - P[at] - taken[at];
      else residual[at] += PA[at] + PA[j * n + i] - taken[at];
    }
  }
  const terms =
    frobeniusNorm(Q) +
    frobeniusNorm(taken) +
    (time === 'discrete' ? frobeniusNorm(moved) + frobeniusNorm(P) : 2 * frobeniusNorm(PA));
  return { residual, K, backwardError: terms > 0 ? frobeniusNorm(residual) / terms : 0 };
}

/** A - B K. */
export function closeLoop({ n, m, A, B }: LinearQuadratic, K: Float64Array): Float64Array {
  const closed = multiplyMatrices(new Float64Array(n * n), B, K, [n, m, n]);
  for (let i = 0; i < n * n; i++) closed[i] = A[i] - closed[i];
  return closed;
}

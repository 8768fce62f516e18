/**
 * Linear-quadratic problems over finite time, stage by stage: what shooting methods solve in every iteration.
 *
 *   minimise  sum_k (x^T Q x + 2 x^T S u + u^T R u) / 2 + q^T x + r^T u  +  x_N^T Q_N x_N / 2 + q_N^T x_N
 *   under     x_(k+1) = A x_k + B u_k + c
 *
 * Method: the Riccati recursion from the end,
 *   K = (R + B^T P B)^-1 (B^T P A + S^T),  k = (R + B^T P B)^-1 (r + B^T (p + P c)),  u = -k - K x
 *   P <- Q + A^T P A - (A^T P B + S) K,    p <- q + A^T (p + P c) - K^T (r + B^T (p + P c))
 * Source: Bertsekas 2017, "Dynamic programming and optimal control", volume 1, section 3.1, ISBN 1-886529-43-4.
 * Shapes: A, Q n x n, B, S n x m, R m x m, row-major. Cost: some n^3 a stage. Allocates.
 * Fails: 'not convex' where R + B^T P B is not positive definite, with the stage; gains after it are kept.
 * Tested by linear.test.ts (the whole problem as one dense system) and shooting/solve-shooting.test.ts.
 */

import {
  type Fields,
  requireFields,
  requireList,
  requireObject,
  throwMisuse,
  unchecked,
} from '../../math/arguments.js';
import { factorizeCholesky, solveCholesky } from '../../math/dense/cholesky.js';
import { multiplyMatrices, multiplyTransposedMatrices, symmetrize } from '../../math/dense/products.js';
import { readColumns, readMatrix, readSide, readSymmetric } from './matrix-arguments.js';

export interface LinearStage {
  /** n x n, and n x m, row-major. */
  readonly A: ArrayLike<number>;
  readonly B: ArrayLike<number>;
  /** n numbers; default 0. */
  readonly c?: ArrayLike<number>;
  readonly Q: ArrayLike<number>;
  readonly R: ArrayLike<number>;
  /** n x m; default 0. */
  readonly S?: ArrayLike<number>;
  readonly q?: ArrayLike<number>;
  readonly r?: ArrayLike<number>;
}

export interface TerminalCost {
  readonly Q: ArrayLike<number>;
  readonly q?: ArrayLike<number>;
}

export interface LinearQuadraticSolution {
  readonly status: 'solved' | 'not convex';
  /** Stage that is not convex; -1 when all are. */
  readonly stage: number;
  /** K (m x n) and k (m) of u = -k - K x, per stage. */
  readonly gains: readonly Float64Array[];
  readonly offsets: readonly Float64Array[];
  /** x^T P x / 2 + p^T x, less a constant, is the least cost from x; one more than there are stages. */
  readonly P: readonly Float64Array[];
  readonly p: readonly Float64Array[];
}

const STAGE: Fields = {
  A: unchecked,
  B: unchecked,
  c: unchecked,
  Q: unchecked,
  R: unchecked,
  S: unchecked,
  q: unchecked,
  r: unchecked,
};
const TERMINAL: Fields = { Q: unchecked, q: unchecked };

interface ReadStage {
  readonly A: Float64Array;
  readonly B: Float64Array;
  readonly c: Float64Array;
  readonly Q: Float64Array;
  readonly R: Float64Array;
  readonly S: Float64Array;
  readonly q: Float64Array;
  readonly r: Float64Array;
}

/** Gains and least costs of every stage. */
export function solveLinearQuadratic(stages: readonly LinearStage[], terminal: TerminalCost): LinearQuadraticSolution {
  const call = 'solveLinearQuadratic';
  requireList(call, 'stages', stages, 'a list of stages');
  if (stages.length === 0) throwMisuse(call, 'stages', stages, 'one stage at least');
  requireObject(call, 'terminal', terminal);
  requireFields(call, 'terminal', terminal, TERMINAL);
  requireFields(call, 'stages[0]', stages[0], STAGE);
  const n = readSide(call, 'stages[0].A', stages[0].A);
  const m = readColumns(call, 'stages[0].B', stages[0].B, n);
  const read = stages.map((stage, i) => readStage(call, `stages[${i}]`, stage, n, m));
  const P = readSymmetric(call, 'terminal.Q', terminal.Q, n);
  const p = readMatrix(call, 'terminal.q', terminal.q ?? new Float64Array(n), n, 1);
  const values = [P.slice()];
  const slopes = [p.slice()];
  const gains: Float64Array[] = [];
  const offsets: Float64Array[] = [];
  let stage = -1;
  for (let i = read.length - 1; i >= 0 && stage < 0; i--) {
    const gain = stepBack(read[i], P, p, n, m);
    if (gain === null) {
      stage = i;
      break;
    }
    gains.unshift(gain.K);
    offsets.unshift(gain.k);
    values.unshift(P.slice());
    slopes.unshift(p.slice());
  }
  return { status: stage < 0 ? 'solved' : 'not convex', stage, gains, offsets, P: values, p: slopes };
}

function readStage(call: string, what: string, stage: LinearStage, n: number, m: number): ReadStage {
  requireFields(call, what, stage, STAGE);
  const zero = (count: number) => new Float64Array(count);
  return {
    A: readMatrix(call, `${what}.A`, stage.A, n, n),
    B: readMatrix(call, `${what}.B`, stage.B, n, m),
    c: readMatrix(call, `${what}.c`, stage.c ?? zero(n), n, 1),
    Q: readSymmetric(call, `${what}.Q`, stage.Q, n),
    R: readSymmetric(call, `${what}.R`, stage.R, m),
    S: readMatrix(call, `${what}.S`, stage.S ?? zero(n * m), n, m),
    q: readMatrix(call, `${what}.q`, stage.q ?? zero(n), n, 1),
    r: readMatrix(call, `${what}.r`, stage.r ?? zero(m), m, 1),
  };
}

/** Overwrites P and p by those of one stage earlier. */
function stepBack(
  { A, B, c, Q, R, S, q, r }: ReadStage,
  P: Float64Array,
  p: Float64Array,
  n: number,
  m: number,
): { readonly K: Float64Array; readonly k: Float64Array } | null {
  const PA = multiplyMatrices(new Float64Array(n * n), P, A, [n, n, n]);
  const PB = multiplyMatrices(new Float64Array(n * m), P, B, [n, n, m]);
  const slope = multiplyMatrices(p.slice(), P, c, [n, n, 1], 1);
  const factor = multiplyTransposedMatrices(R.slice(), B, PB, [m, n, m], 1);
  const cross = multiplyTransposedMatrices(S.slice(), A, PB, [n, n, m], 1);
  const pull = multiplyTransposedMatrices(r.slice(), B, slope, [m, n, 1], 1);
  if (!factorizeCholesky(factor, m)) return null;
  const k = solveCholesky(new Float64Array(m), factor, m, pull);
  const K = new Float64Array(m * n);
  const column = new Float64Array(m);
  for (let i = 0; i < n; i++) {
    solveCholesky(column, factor, m, cross.subarray(i * m, i * m + m));
    for (let l = 0; l < m; l++) K[l * n + i] = column[l];
  }
  P.set(Q);
  multiplyTransposedMatrices(P, A, PA, [n, n, n], 1);
  const taken = multiplyMatrices(new Float64Array(n * n), cross, K, [n, m, n]);
  for (let i = 0; i < n * n; i++) P[i] -= taken[i];
  symmetrize(P, n);
  p.set(q);
  multiplyTransposedMatrices(p, A, slope, [n, n, 1], 1);
  const less = multiplyTransposedMatrices(new Float64Array(n), K, pull, [n, m, 1]);
  for (let i = 0; i < n; i++) p[i] -= less[i];
  return { K, k };
}

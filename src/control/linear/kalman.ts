/**
 * The Kalman filter: the estimate of least variance of the state of a linear system from noisy measurements.
 *
 *   x' = A x + B u + w, y = C x + v, w and v without correlation, of covariances W and V
 *
 * Method: predict x <- A x + B u, P <- A P A^T + W; update with L = P C^T (C P C^T + V)^-1: x <- x + L (y - C x),
 * P <- (1 - L C) P (1 - L C)^T + L V L^T (Joseph's form: P stays symmetric and semidefinite). The filter of constant gain is the
 * regulator of the transposed system (solve-riccati.ts).
 * Source: Kalman 1960, doi:10.1115/1.3662552; Bucy, Joseph 1968, "Filtering for stochastic processes with applications to
 * guidance", ISBN 0-8218-3782-6.
 * Shapes: A, W, P n x n, B n x m, C p x n, V p x p, row-major. Cost: some n^3. Predictions and updates allocate scratch.
 * Fails: updates return 'singular' and change nothing when C P C^T + V is not positive definite.
 * Tested by linear.test.ts (least squares over all measurements, the steady filter as limit).
 */

import { type Fields, oneOf, requireFields, requireNumbers, throwMisuse, unchecked } from '../../math/arguments.js';
import { factorizeCholesky, solveCholesky } from '../../math/dense/cholesky.js';
import { multiplyByTransposed, multiplyMatrices, symmetrize, transposeMatrix } from '../../math/dense/products.js';
import { readColumns, readMatrix, readSide, readSymmetric } from './matrix-arguments.js';
import type { TimeKind } from './riccati-residual.js';
import { type RiccatiStatus, solveRiccati } from './solve-riccati.js';

export interface KalmanRequest {
  readonly A: ArrayLike<number>;
  /** n x m; left out: no controls. */
  readonly B?: ArrayLike<number>;
  readonly C: ArrayLike<number>;
  /** Covariance of what disturbs the state, per step. */
  readonly W: ArrayLike<number>;
  /** Covariance of the measurements. */
  readonly V: ArrayLike<number>;
  /** Estimate to begin with; default 0. */
  readonly x?: ArrayLike<number>;
  /** Its covariance; default W. */
  readonly P?: ArrayLike<number>;
}

export interface KalmanFilter {
  readonly n: number;
  readonly m: number;
  /** Numbers of a measurement. */
  readonly p: number;
  readonly A: Float64Array;
  readonly B: Float64Array;
  readonly C: Float64Array;
  readonly W: Float64Array;
  readonly V: Float64Array;
  /** The estimate, and its covariance. */
  readonly x: Float64Array;
  readonly P: Float64Array;
  /** Of the last update: y - C x, and the gain, n x p. */
  readonly innovation: Float64Array;
  readonly L: Float64Array;
}

const FIELDS: Fields = {
  A: unchecked,
  B: unchecked,
  C: unchecked,
  W: unchecked,
  V: unchecked,
  x: unchecked,
  P: unchecked,
};

export function createKalmanFilter(request: KalmanRequest): KalmanFilter {
  const call = 'createKalmanFilter';
  requireFields(call, 'request', request, FIELDS);
  const n = readSide(call, 'request.A', request.A);
  const p = readSide(call, 'request.V', request.V);
  const m = request.B === undefined ? 0 : readColumns(call, 'request.B', request.B, n);
  const W = readSymmetric(call, 'request.W', request.W, n);
  return {
    n,
    m,
    p,
    A: readMatrix(call, 'request.A', request.A, n, n),
    B: readMatrix(call, 'request.B', request.B ?? new Float64Array(0), n, m),
    C: readMatrix(call, 'request.C', request.C, p, n),
    W,
    V: readSymmetric(call, 'request.V', request.V, p),
    x: readMatrix(call, 'request.x', request.x ?? new Float64Array(n), n, 1),
    P: request.P === undefined ? W.slice() : readSymmetric(call, 'request.P', request.P, n),
    innovation: new Float64Array(p),
    L: new Float64Array(n * p),
  };
}

function requireFilter(call: string, filter: unknown): void {
  const { P, innovation, n } = (filter ?? {}) as Partial<KalmanFilter>;
  if (!(innovation instanceof Float64Array) || P?.length !== (n ?? 0) ** 2)
    throwMisuse(call, 'filter', filter, 'what createKalmanFilter returned');
}

/** One step of time. `u` has as many numbers as B has columns. */
export function predictKalman(filter: KalmanFilter, u: ArrayLike<number> = []): void {
  requireFilter('predictKalman', filter);
  const { n, m, A, B, W, x, P } = filter;
  requireNumbers('predictKalman', 'u', u, m);
  const next = multiplyMatrices(new Float64Array(n), A, x, [n, n, 1]);
  x.set(multiplyMatrices(next, B, Float64Array.from(u), [n, m, 1], 1));
  const AP = multiplyMatrices(new Float64Array(n * n), A, P, [n, n, n]);
  multiplyByTransposed(P, AP, A, [n, n, n]);
  for (let i = 0; i < n * n; i++) P[i] += W[i];
  symmetrize(P, n);
}

/** Takes a measurement in. */
export function updateKalman(filter: KalmanFilter, y: ArrayLike<number>): 'ok' | 'singular' {
  requireFilter('updateKalman', filter);
  const { n, p, C, V, x, P, innovation, L } = filter;
  requireNumbers('updateKalman', 'y', y, p);
  const CP = multiplyMatrices(new Float64Array(p * n), C, P, [p, n, n]);
  const spread = multiplyByTransposed(new Float64Array(p * p), CP, C, [p, n, p]);
  for (let i = 0; i < p * p; i++) spread[i] += V[i];
  if (!factorizeCholesky(spread, p)) return 'singular';
  const column = new Float64Array(p);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < p; k++) column[k] = CP[k * n + i];
    solveCholesky(column, spread, p, column);
    for (let k = 0; k < p; k++) L[i * p + k] = column[k];
  }
  const expected = multiplyMatrices(new Float64Array(p), C, x, [p, n, 1]);
  for (let k = 0; k < p; k++) innovation[k] = y[k] - expected[k];
  multiplyMatrices(x, L, innovation, [n, p, 1], 1);
  const keep = multiplyMatrices(new Float64Array(n * n), L, C, [n, p, n]);
  for (let i = 0; i < n * n; i++) keep[i] = -keep[i];
  for (let i = 0; i < n; i++) keep[i * n + i] += 1;
  const kept = multiplyMatrices(new Float64Array(n * n), keep, P, [n, n, n]);
  multiplyByTransposed(P, kept, keep, [n, n, n]);
  const LV = multiplyMatrices(new Float64Array(n * p), L, V, [n, p, p]);
  const added = multiplyByTransposed(new Float64Array(n * n), LV, L, [n, p, n]);
  for (let i = 0; i < n * n; i++) P[i] += added[i];
  symmetrize(P, n);
  return 'ok';
}

export interface SteadyKalman {
  readonly status: RiccatiStatus;
  /** n x p. Discrete: of an update, x <- x + L (y - C x). Continuous: dx/dt = A x + B u + L (y - C x). */
  readonly L: Float64Array;
  /** Covariance before an update; of the continuous filter, at any time. */
  readonly P: Float64Array;
  readonly backwardError: number;
}

const STEADY: Fields = {
  A: unchecked,
  C: unchecked,
  W: unchecked,
  V: unchecked,
  time: oneOf('discrete', 'continuous'),
};

/** The filter after long: constant gain. */
export function solveSteadyKalman(request: {
  readonly A: ArrayLike<number>;
  readonly C: ArrayLike<number>;
  readonly W: ArrayLike<number>;
  readonly V: ArrayLike<number>;
  readonly time: TimeKind;
}): SteadyKalman {
  const call = 'solveSteadyKalman';
  requireFields(call, 'request', request, STEADY);
  const n = readSide(call, 'request.A', request.A);
  const p = readSide(call, 'request.V', request.V);
  const A = readMatrix(call, 'request.A', request.A, n, n);
  const C = readMatrix(call, 'request.C', request.C, p, n);
  const V = readSymmetric(call, 'request.V', request.V, p);
  const { status, P, backwardError } = solveRiccati({
    A: transposeMatrix(new Float64Array(n * n), A, n, n),
    B: transposeMatrix(new Float64Array(n * p), C, p, n),
    Q: readSymmetric(call, 'request.W', request.W, n),
    R: V,
    time: request.time,
  });
  const CP = multiplyMatrices(new Float64Array(p * n), C, P, [p, n, n]);
  const spread = V.slice();
  if (request.time === 'discrete') {
    const moved = multiplyByTransposed(new Float64Array(p * p), CP, C, [p, n, p]);
    for (let i = 0; i < p * p; i++) spread[i] += moved[i];
  }
  const L = new Float64Array(n * p);
  if (factorizeCholesky(spread, p)) {
    const column = new Float64Array(p);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < p; k++) column[k] = CP[k * n + i];
      solveCholesky(column, spread, p, column);
      for (let k = 0; k < p; k++) L[i * p + k] = column[k];
    }
  }
  return { status, L, P, backwardError };
}

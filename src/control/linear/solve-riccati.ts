/**
 * The stabilising solution P of an algebraic Riccati equation, and with it the regulator u = -K x that minimises
 *   discrete    sum of x^T Q x + 2 x^T S u + u^T R u      under x' = A x + B u
 *   continuous  integral of the same                       under dx/dt = A x + B u
 *
 * Method:
 * 1. controls are measured in units that make the diagonal of R about 1; S is taken into A and Q; G = B R^-1 B^T;
 * 2. the equation is balanced (balance-riccati.ts), by powers of two;
 * 3. a continuous one becomes a discrete one by a Cayley transform with g > |A|:
 *      W = A_g^T + Q A_g^-1 G,  A_g = A - g 1,   A0 = 1 + 2 g W^-T,  G0 = 2 g A_g^-1 G W^-1,  H0 = 2 g W^-1 Q A_g^-1;
 * 4. doubling (riccati-doubling.ts);
 * 5. Newton's method on the equation as given: P += X, X of the Stein or Lyapunov equation of the closed loop with the residual
 *    as its right side, as long as the backward error falls.
 * Source: Chu, Fan, Lin 2005, "A structure-preserving doubling algorithm for continuous-time algebraic Riccati equations",
 * Linear Algebra and its Applications 396, doi:10.1016/j.laa.2004.10.010 (3, 4); Kleinman 1968, doi:10.1109/TAC.1968.1098829,
 * and Hewer 1971, doi:10.1109/TAC.1971.1099755 (5).
 * Shapes: A, Q n x n, B and S n x m, R m x m, row-major. Q and R symmetric, R positive definite.
 * Cost: some 100 n^3. Allocates.
 * Ends: 'solved'; 'not stabilisable' when no stabilising solution was reached (a mode that neither the control moves nor the cost
 * sees lies on the border of stability, or an unstable one cannot be moved); 'inaccurate' when the backward error stays above
 * 1e-9 (controls many orders of magnitude too cheap or too dear); 'singular' when R is not positive definite.
 * Tested by riccati.test.ts (backward errors, closed forms, a long recursion).
 */

import { type Fields, oneOf, requireFields, unchecked } from '../../math/arguments.js';
import { factorizeCholesky } from '../../math/dense/cholesky.js';
import { factorizeLu, solveLu } from '../../math/dense/lu.js';
import { frobeniusNorm, multiplyMatrices, multiplyTransposedMatrices, symmetrize } from '../../math/dense/products.js';
import { applyBalance, type Balance, balanceRiccati, unbalance } from './balance-riccati.js';
import { readColumns, readMatrix, readSide, readSymmetric } from './matrix-arguments.js';
import { doubleToLimit, type HamiltonianStep, solveStein } from './riccati-doubling.js';
import {
  closeLoop,
  type LinearQuadratic,
  measureRiccati,
  type RiccatiResidual,
  type TimeKind,
} from './riccati-residual.js';

const FIELDS: Fields = {
  A: unchecked,
  B: unchecked,
  Q: unchecked,
  R: unchecked,
  S: unchecked,
  time: oneOf('discrete', 'continuous'),
};

export interface RiccatiRequest {
  /** n x n, row-major. */
  readonly A: ArrayLike<number>;
  /** n x m. */
  readonly B: ArrayLike<number>;
  /** n x n, symmetric, positive semidefinite. */
  readonly Q: ArrayLike<number>;
  /** m x m, symmetric, positive definite. */
  readonly R: ArrayLike<number>;
  /** n x m, of 2 x^T S u; default 0. */
  readonly S?: ArrayLike<number>;
  readonly time: TimeKind;
}

export type RiccatiStatus = 'solved' | 'inaccurate' | 'not stabilisable' | 'singular';

export interface RiccatiSolution {
  readonly status: RiccatiStatus;
  /** n x n, symmetric: x^T P x is the least cost from x. */
  readonly P: Float64Array;
  /** m x n: u = -K x. */
  readonly K: Float64Array;
  /** A - B K. */
  readonly closedLoop: Float64Array;
  /** Norm of the residual beside those of its terms. */
  readonly backwardError: number;
  readonly doublings: number;
}

/** Backward errors above this are no solution. */
const ACCURATE = 1e-9;
const MOST_DOUBLINGS = 60;
const MOST_CORRECTIONS = 4;

/** The regulator of a linear system over infinite time: LQR. */
export function solveRiccati(request: RiccatiRequest): RiccatiSolution {
  const problem = readProblem('solveRiccati', request);
  return solveRiccatiProblem(request.time, problem);
}

export function readProblem(call: string, request: RiccatiRequest): LinearQuadratic {
  requireFields(call, 'request', request, FIELDS);
  const n = readSide(call, 'request.A', request.A);
  const m = readColumns(call, 'request.B', request.B, n);
  oneOf('discrete', 'continuous')(call, 'request.time', request.time);
  return {
    n,
    m,
    A: readMatrix(call, 'request.A', request.A, n, n),
    B: readMatrix(call, 'request.B', request.B, n, m),
    Q: readSymmetric(call, 'request.Q', request.Q, n),
    R: readSymmetric(call, 'request.R', request.R, m),
    S: request.S === undefined ? new Float64Array(n * m) : readMatrix(call, 'request.S', request.S, n, m),
  };
}

export function solveRiccatiProblem(time: TimeKind, given: LinearQuadratic): RiccatiSolution {
  const { n, m } = given;
  const { problem, units } = scaleInputs(given);
  const failed = (status: RiccatiStatus): RiccatiSolution => ({
    status,
    P: new Float64Array(n * n),
    K: new Float64Array(m * n),
    closedLoop: problem.A.slice(),
    backwardError: 1,
    doublings: 0,
  });
  const step = reduceProblem(problem);
  if (step === null) return failed('singular');
  const balance = balanceRiccati(step.A, step.G, step.H, n);
  if (time === 'continuous' && !transformCayley(step, n)) return failed('not stabilisable');
  const doublings = doubleToLimit(step, n, MOST_DOUBLINGS);
  if (doublings < 0) return failed('not stabilisable');
  const P = unbalance(step.H.slice(), balance, n);
  let best = measureRiccati(time, problem, P);
  if (best === null) return failed('singular');
  for (let k = 0; k < MOST_CORRECTIONS && best.backwardError > 1e-17; k++) {
    const better = correct(time, problem, P, best, balance);
    if (better === null) break;
    const gained = better.backwardError < 0.5 * best.backwardError;
    if (better.backwardError < best.backwardError) best = better;
    if (!gained) break;
  }
  const K = best.K;
  for (let k = 0; k < m; k++) for (let i = 0; i < n; i++) K[k * n + i] *= units[k];
  const closedLoop = closeLoop(given, K);
  const stable = isStable(time, closedLoop, balance, n);
  return {
    status: best.backwardError > ACCURATE ? 'inaccurate' : stable ? 'solved' : 'not stabilisable',
    P,
    K,
    closedLoop,
    backwardError: best.backwardError,
    doublings,
  };
}

/** Controls in units (powers of two) in which the diagonal of R is about 1: u = units w. */
function scaleInputs(given: LinearQuadratic): { readonly problem: LinearQuadratic; readonly units: Float64Array } {
  const { n, m } = given;
  const units = new Float64Array(m).fill(1);
  for (let k = 0; k < m; k++) {
    const cost = given.R[k * m + k];
    if (!(cost > 0)) continue;
    while (cost * units[k] * units[k] > 2) units[k] /= 2;
    while (cost * units[k] * units[k] < 0.5) units[k] *= 2;
  }
  const problem = { ...given, B: given.B.slice(), S: given.S.slice(), R: given.R.slice() };
  for (let k = 0; k < m; k++) {
    for (let i = 0; i < n; i++) {
      problem.B[i * m + k] *= units[k];
      problem.S[i * m + k] *= units[k];
    }
    for (let l = 0; l < m; l++) problem.R[k * m + l] *= units[k] * units[l];
  }
  return { problem, units };
}

/** A - B R^-1 S^T, B R^-1 B^T, Q - S R^-1 S^T. */
export function reduceProblem({ n, m, A, B, Q, R, S }: LinearQuadratic): HamiltonianStep | null {
  if (!factorizeCholesky(R.slice(), m)) return null;
  const factor = R.slice();
  const pivots = new Int32Array(m);
  if (!factorizeLu(factor, m, pivots)) return null;
  const inverseB = new Float64Array(m * n);
  const inverseS = new Float64Array(m * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < m; k++) {
      inverseB[k * n + i] = B[i * m + k];
      inverseS[k * n + i] = S[i * m + k];
    }
  }
  solveLu(inverseB, factor, m, pivots, n);
  solveLu(inverseS, factor, m, pivots, n);
  const reduced = { A: A.slice(), G: multiplyMatrices(new Float64Array(n * n), B, inverseB, [n, m, n]), H: Q.slice() };
  const fromA = multiplyMatrices(new Float64Array(n * n), B, inverseS, [n, m, n]);
  const fromQ = multiplyMatrices(new Float64Array(n * n), S, inverseS, [n, m, n]);
  for (let i = 0; i < n * n; i++) {
    reduced.A[i] -= fromA[i];
    reduced.H[i] -= fromQ[i];
  }
  symmetrize(reduced.G, n);
  symmetrize(reduced.H, n);
  return reduced;
}

/** The discrete step whose limit is the continuous P. */
function transformCayley({ A, G, H }: HamiltonianStep, n: number): boolean {
  let gamma = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += Math.abs(A[i * n + j]);
    gamma = Math.max(gamma, sum);
  }
  gamma = 1.1 * Math.max(gamma, Math.sqrt(frobeniusNorm(G) * frobeniusNorm(H)));
  if (!(gamma > 0)) return false;
  const size = [n, n, n] as const;
  const shifted = A.slice();
  for (let i = 0; i < n; i++) shifted[i * n + i] -= gamma;
  const pivots = new Int32Array(n);
  const factor = shifted.slice();
  if (!factorizeLu(factor, n, pivots)) return false;
  // A_g^-1 G and Q A_g^-1 = (A_g^-T Q)^T
  const inverseG = solveLu(G.slice(), factor, n, pivots, n);
  const identity = new Float64Array(n * n);
  for (let i = 0; i < n; i++) identity[i * n + i] = 1;
  const inverse = solveLu(identity, factor, n, pivots, n);
  const W = multiplyMatrices(new Float64Array(n * n), H, inverseG, size);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) W[i * n + j] += shifted[j * n + i];
  if (!factorizeLu(W, n, pivots)) return false;
  const inverseW = new Float64Array(n * n);
  for (let i = 0; i < n; i++) inverseW[i * n + i] = 1;
  solveLu(inverseW, W, n, pivots, n);
  const product = multiplyMatrices(new Float64Array(n * n), H, inverse, size);
  const H0 = solveLu(product, W, n, pivots, n);
  const G0 = multiplyMatrices(new Float64Array(n * n), inverseG, inverseW, size);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      A[i * n + j] = 2 * gamma * inverseW[j * n + i] + (i === j ? 1 : 0);
      G[i * n + j] = 2 * gamma * G0[i * n + j];
      H[i * n + j] = 2 * gamma * H0[i * n + j];
    }
  }
  symmetrize(G, n);
  symmetrize(H, n);
  return true;
}

/** One step of Newton's method; P is changed only when the error falls. */
function correct(
  time: TimeKind,
  problem: LinearQuadratic,
  P: Float64Array,
  { residual, K }: RiccatiResidual,
  balance: Balance,
): RiccatiResidual | null {
  const { n } = problem;
  const closed = closeLoop(problem, K);
  const change = residual.slice();
  applyBalance(closed, change, balance, n);
  if (time === 'continuous' && !transformLyapunov(closed, change, n)) return null;
  if (!solveStein(change, closed, n)) return null;
  unbalance(change, { ...balance, rho: 1 }, n);
  const before = P.slice();
  const error = measureRiccati(time, problem, P)?.backwardError ?? Infinity;
  for (let i = 0; i < n * n; i++) P[i] += change[i];
  symmetrize(P, n);
  const after = measureRiccati(time, problem, P);
  if (after !== null && after.backwardError < error) return after;
  P.set(before);
  return null;
}

/** A^T X + X A + C = 0 as a Stein equation, by the Cayley transform. */
function transformLyapunov(A: Float64Array, C: Float64Array, n: number): boolean {
  let gamma = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += Math.abs(A[i * n + j]);
    gamma = Math.max(gamma, sum);
  }
  if (!(gamma > 0)) return false;
  const size = [n, n, n] as const;
  const shifted = A.slice();
  const sum = A.slice();
  for (let i = 0; i < n; i++) {
    shifted[i * n + i] -= gamma;
    sum[i * n + i] += gamma;
  }
  const pivots = new Int32Array(n);
  if (!factorizeLu(shifted, n, pivots)) return false;
  const inverse = new Float64Array(n * n);
  for (let i = 0; i < n; i++) inverse[i * n + i] = 1;
  solveLu(inverse, shifted, n, pivots, n);
  const product = multiplyMatrices(new Float64Array(n * n), C, inverse, size);
  multiplyTransposedMatrices(C, inverse, product, size);
  for (let i = 0; i < n * n; i++) C[i] *= 2 * gamma;
  multiplyMatrices(A, inverse, sum, size);
  return true;
}

/** Whether powers of the (transformed) loop vanish: its spectral radius is below 1. */
function isStable(time: TimeKind, loop: Float64Array, balance: Balance, n: number): boolean {
  const power = loop.slice();
  const probe = new Float64Array(n * n);
  applyBalance(power, probe, balance, n);
  for (let i = 0; i < n; i++) probe[i * n + i] = 1;
  if (time === 'continuous' && !transformLyapunov(power, probe, n)) return false;
  return solveStein(probe, power, n);
}

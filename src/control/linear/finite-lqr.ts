/**
 * The regulator over a finite time: gains K(t) of u = -K x that minimise x(T)^T QN x(T) plus the sum or integral of
 * x^T Q x + 2 x^T S u + u^T R u.
 *
 * Method: a discrete system is solved by solveLinearQuadratic. For a continuous one the exact step of its Hamiltonian flow over
 * h = T / steps is formed: the flow over h / 2^s by the series of its exponential, as a step (A, G, H), doubled s times
 * (riccati-doubling.ts). Then P(t) = H + A^T P(t + h) (1 + G P(t + h))^-1 A, which integrates the Riccati differential
 * equation without error but rounding, whatever its stiffness, and K = R^-1 (B^T P + S^T).
 * Source: Davison, Maki 1973, "The numerical solution of the matrix Riccati differential equation",
 * doi:10.1109/TAC.1973.1100210 (exponentials); Anderson 1978, doi:10.1080/00207177808922455 (doubling).
 * Shapes: as in solve-riccati.ts. Cost: some n^3 a step. Fails: 'singular', 'not convex' as there; no gains then.
 * Tested by linear.test.ts (closed forms, the infinite regulator as limit).
 */

import {
  type Fields,
  oneOf,
  requireCount,
  requireFields,
  requirePositiveNumber,
  throwMisuse,
  unchecked,
} from '../../math/arguments.js';
import { factorizeLu, solveLu } from '../../math/dense/lu.js';
import { multiplyMatrices, multiplyTransposedMatrices, symmetrize } from '../../math/dense/products.js';
import { solveLinearQuadratic } from './linear-quadratic.js';
import { readSymmetric } from './matrix-arguments.js';
import { doubleStep, type HamiltonianStep } from './riccati-doubling.js';
import { measureRiccati } from './riccati-residual.js';
import { type RiccatiRequest, readProblem, reduceProblem } from './solve-riccati.js';

export interface FiniteLqrRequest extends RiccatiRequest {
  /** n x n, symmetric: cost of the last state. */
  readonly QN: ArrayLike<number>;
  /** Steps; of a continuous system the times at which gains are wanted. */
  readonly steps: number;
  /** Seconds in all, of a continuous system. */
  readonly duration?: number;
}

export interface FiniteLqr {
  readonly status: 'solved' | 'singular' | 'not convex';
  /** m x n, at the beginning of each step. */
  readonly gains: readonly Float64Array[];
  /** n x n, at the beginning of each step and at the end: x^T P x is the least cost from there on. */
  readonly P: readonly Float64Array[];
}

const EXTRA: Fields = { QN: unchecked, steps: unchecked, duration: unchecked };

/** Gains of a linear system over a finite time. */
export function solveFiniteLqr(request: FiniteLqrRequest): FiniteLqr {
  const call = 'solveFiniteLqr';
  const BASE: Fields = { A: unchecked, B: unchecked, Q: unchecked, R: unchecked, S: unchecked, time: unchecked };
  requireFields(call, 'request', request, { ...BASE, ...EXTRA });
  const { QN, steps, duration, ...rest } = request;
  oneOf('discrete', 'continuous')(call, 'request.time', rest.time);
  const problem = readProblem(call, rest);
  const { n } = problem;
  requireCount(call, 'request.steps', steps, 1);
  const last = readSymmetric(call, 'request.QN', QN, n);
  if (rest.time === 'discrete') {
    if (duration !== undefined) throwMisuse(call, 'request.duration', duration, 'none: a discrete system has steps');
    const stage = { A: problem.A, B: problem.B, Q: problem.Q, R: problem.R, S: problem.S };
    const { status, gains, P } = solveLinearQuadratic(new Array(steps).fill(stage), { Q: last });
    return { status, gains, P };
  }
  requirePositiveNumber(call, 'request.duration', duration);
  const step = reduceProblem(problem);
  if (step === null) return { status: 'singular', gains: [], P: [] };
  const flow = stepFlow(step, n, (duration as number) / steps);
  if (flow === null) return { status: 'not convex', gains: [], P: [] };
  const P: Float64Array[] = [last];
  for (let i = 0; i < steps; i++) {
    const before = stepValue(flow, P[0], n);
    if (before === null) return { status: 'not convex', gains: [], P: [] };
    P.unshift(before);
  }
  const gains = P.slice(0, -1).map((value) => measureRiccati('continuous', problem, value)?.K ?? new Float64Array(0));
  return { status: 'solved', gains, P };
}

/** The step of x' = A x - G l, l' = -H x - A^T l over a time. */
function stepFlow({ A, G, H }: HamiltonianStep, n: number, time: number): HamiltonianStep | null {
  const size = 2 * n;
  const flow = new Float64Array(size * size);
  let largest = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      flow[i * size + j] = A[i * n + j];
      flow[i * size + n + j] = -G[i * n + j];
      flow[(n + i) * size + j] = -H[i * n + j];
      flow[(n + i) * size + n + j] = -A[j * n + i];
    }
  }
  for (let i = 0; i < size; i++) {
    let sum = 0;
    for (let j = 0; j < size; j++) sum += Math.abs(flow[i * size + j]);
    largest = Math.max(largest, sum * time);
  }
  let doublings = 0;
  let short = time;
  for (; largest > 0.25 && doublings < 80; doublings++) {
    largest /= 2;
    short /= 2;
  }
  // Terms of the series below 0.25^14 / 14! are lost in rounding.
  const exponential = new Float64Array(size * size);
  for (let i = 0; i < size; i++) exponential[i * size + i] = 1;
  let term: Float64Array = exponential.slice();
  for (let k = 1; k <= 14; k++) {
    term = multiplyMatrices(new Float64Array(size * size), term, flow, [size, size, size]);
    for (let i = 0; i < term.length; i++) {
      term[i] *= short / k;
      exponential[i] += term[i];
    }
  }
  const block = (r: number, c: number) =>
    Float64Array.from({ length: n * n }, (_, i) => exponential[(r * n + Math.floor(i / n)) * size + c * n + (i % n)]);
  const corner = block(1, 1);
  const pivots = new Int32Array(n);
  if (!factorizeLu(corner, n, pivots)) return null;
  const identity = new Float64Array(n * n);
  for (let i = 0; i < n; i++) identity[i * n + i] = 1;
  const inverse = solveLu(identity, corner, n, pivots, n);
  const step: HamiltonianStep = {
    A: Float64Array.from({ length: n * n }, (_, i) => inverse[(i % n) * n + Math.floor(i / n)]),
    G: multiplyMatrices(new Float64Array(n * n), block(0, 1), inverse, [n, n, n]).map((x) => -x),
    H: solveLu(block(1, 0), corner, n, pivots, n).map((x) => -x),
  };
  symmetrize(step.G, n);
  symmetrize(step.H, n);
  for (let k = 0; k < doublings; k++) if (!doubleStep(step, n)) return null;
  return step;
}

/** H + A^T P (1 + G P)^-1 A. */
function stepValue({ A, G, H }: HamiltonianStep, P: Float64Array, n: number): Float64Array | null {
  const W = multiplyMatrices(new Float64Array(n * n), G, P, [n, n, n]);
  for (let i = 0; i < n; i++) W[i * n + i] += 1;
  const pivots = new Int32Array(n);
  if (!factorizeLu(W, n, pivots)) return null;
  const WA = solveLu(A.slice(), W, n, pivots, n);
  const product = multiplyMatrices(new Float64Array(n * n), P, WA, [n, n, n]);
  return symmetrize(multiplyTransposedMatrices(H.slice(), A, product, [n, n, n], 1), n);
}

/**
 * A controller that follows a given motion of a linear system: u_k = f_k - K_k x_k minimises, over all steps,
 *   (x - xr)^T Q (x - xr) + (u - ur)^T R (u - ur), and (x - xr)^T QN (x - xr) at the end,   x' = A x + B u + c.
 *
 * Method: the linear-quadratic problem with the linear costs -Q xr and -R ur (linear-quadratic.ts), whose offsets look ahead: the
 * reference need not be a motion of the system.
 * Source: Lewis, Vrabie, Syrmos 2012, "Optimal control", section 4.4, doi:10.1002/9781118122631.
 * Shapes: states (steps + 1) x n, controls steps x m. Cost: some n^3 a step. Fails: as solveLinearQuadratic.
 * Tested by linear.test.ts.
 */

import { type Fields, requireFields, requireNumbers, unchecked } from '../../math/arguments.js';
import { multiplyMatrices } from '../../math/dense/products.js';
import { MisuseError } from '../../math/misuse.js';
import { type LinearQuadraticSolution, solveLinearQuadratic } from './linear-quadratic.js';
import { readColumns, readMatrix, readSide, readSymmetric } from './matrix-arguments.js';

export interface TrackingRequest {
  readonly A: ArrayLike<number>;
  readonly B: ArrayLike<number>;
  readonly c?: ArrayLike<number>;
  readonly Q: ArrayLike<number>;
  readonly R: ArrayLike<number>;
  /** Cost of the last state; default Q. */
  readonly QN?: ArrayLike<number>;
  /** (steps + 1) x n. */
  readonly states: ArrayLike<number>;
  /** steps x m; default 0. */
  readonly controls?: ArrayLike<number>;
}

export interface TrackingController extends LinearQuadraticSolution {
  readonly steps: number;
  /** Control of a step at a state; writes `out`, m numbers. */
  readonly control: (out: Float64Array, step: number, x: ArrayLike<number>) => Float64Array;
}

const FIELDS: Fields = {
  A: unchecked,
  B: unchecked,
  c: unchecked,
  Q: unchecked,
  R: unchecked,
  QN: unchecked,
  states: unchecked,
  controls: unchecked,
};

/** Gains and offsets that follow a reference. */
export function trackReference(request: TrackingRequest): TrackingController {
  const call = 'trackReference';
  requireFields(call, 'request', request, FIELDS);
  const n = readSide(call, 'request.A', request.A);
  const m = readColumns(call, 'request.B', request.B, n);
  const Q = readSymmetric(call, 'request.Q', request.Q, n);
  const R = readSymmetric(call, 'request.R', request.R, m);
  const QN = request.QN === undefined ? Q : readSymmetric(call, 'request.QN', request.QN, n);
  requireNumbers(call, 'request.states', request.states);
  const steps = request.states.length / n - 1;
  if (!(Number.isInteger(steps) && steps >= 1))
    throw new MisuseError(
      `${call}: request.states, got ${request.states.length} numbers, expected two states or more of ${n} numbers each`,
    );
  const states = readMatrix(call, 'request.states', request.states, steps + 1, n);
  const controls = readMatrix(call, 'request.controls', request.controls ?? new Float64Array(steps * m), steps, m);
  const pull = (matrix: Float64Array, values: Float64Array, at: number, size: number) =>
    multiplyMatrices(new Float64Array(size), matrix, values.subarray(at * size, (at + 1) * size), [size, size, 1]).map(
      (x) => -x,
    );
  const { A, B, c } = request;
  if (c !== undefined) requireNumbers(call, 'request.c', c, n);
  const stages = Array.from({ length: steps }, (_, i) => ({
    A,
    B,
    ...(c === undefined ? {} : { c }),
    Q,
    R,
    q: pull(Q, states, i, n),
    r: pull(R, controls, i, m),
  }));
  const solution = solveLinearQuadratic(stages, { Q: QN, q: pull(QN, states, steps, n) });
  const { gains, offsets } = solution;
  return {
    ...solution,
    steps,
    control: (out, step, x) => {
      for (let k = 0; k < m; k++) {
        let sum = -offsets[step][k];
        for (let i = 0; i < n; i++) sum -= gains[step][k * n + i] * x[i];
        out[k] = sum;
      }
      return out;
    },
  };
}

/**
 * A small quadratic program within a box: minimise x^T H x / 2 + g^T x, lower <= x <= upper.
 *
 * Method: projected Newton. Entries that stand at a bound which the gradient presses them against are held; the others take the
 * Newton step of their own block of H, projected on the box, with an Armijo search along the projected arc. The set that is held
 * at the end is what feedback must leave alone.
 * Source: Bertsekas 1982, "Projected Newton methods for optimization problems with simple constraints", doi:10.1137/0320018;
 * Tassa, Mansard, Todorov 2014, "Control-limited differential dynamic programming", doi:10.1109/ICRA.2014.6907001.
 * Shapes: H n x n, row-major, symmetric positive definite. `x` holds the start and the result. Cost: n^3/6 per iteration, few of
 * them; nothing is allocated after `createBoxQp`. Ends: number of free entries, or -1 when H is not definite on them.
 * Tested by box-qp.test.ts (conditions of optimality).
 */

import { factorizeCholesky, solveCholesky } from '../../math/dense/cholesky.js';

export interface BoxQp {
  readonly n: number;
  /** Indices of free entries, the first `free` of it. */
  readonly freeIndices: Int32Array;
  /** Factors of H on the free entries, free x free. */
  readonly factors: Float64Array;
  readonly gradient: Float64Array;
  readonly step: Float64Array;
  readonly trial: Float64Array;
  readonly part: Float64Array;
}

const MOST_ITERATIONS = 100;

export function createBoxQp(n: number): BoxQp {
  return {
    n,
    freeIndices: new Int32Array(n),
    factors: new Float64Array(n * n),
    gradient: new Float64Array(n),
    step: new Float64Array(n),
    trial: new Float64Array(n),
    part: new Float64Array(n),
  };
}

export interface BoxProblem {
  readonly H: Float64Array;
  readonly g: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

export function solveBoxQp(qp: BoxQp, x: Float64Array, { H, g, lower, upper }: BoxProblem): number {
  const { n, freeIndices, factors, gradient, step, trial, part } = qp;
  for (let i = 0; i < n; i++) x[i] = Math.min(upper[i], Math.max(lower[i], x[i]));
  let free = 0;
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    let value = 0;
    for (let i = 0; i < n; i++) {
      let sum = g[i];
      for (let k = 0; k < n; k++) sum += H[i * n + k] * x[k];
      gradient[i] = sum;
      value += 0.5 * x[i] * (sum + g[i]);
    }
    free = 0;
    for (let i = 0; i < n; i++) {
      const held = (x[i] <= lower[i] && gradient[i] > 0) || (x[i] >= upper[i] && gradient[i] < 0);
      if (!held) freeIndices[free++] = i;
    }
    for (let r = 0; r < free; r++)
      for (let c = 0; c <= r; c++) factors[r * free + c] = H[freeIndices[r] * n + freeIndices[c]];
    if (!factorizeCholesky(factors, free)) return -1;
    step.fill(0);
    for (let r = 0; r < free; r++) part[r] = -gradient[freeIndices[r]];
    solveCholesky(part, factors, free, part);
    let expected = 0;
    for (let r = 0; r < free; r++) {
      step[freeIndices[r]] = part[r];
      expected += part[r] * gradient[freeIndices[r]];
    }
    // Nothing to be gained beside rounding.
    if (!(expected < -1e-15 * (1e-300 + Math.abs(value)))) return free;
    let moved = false;
    for (let alpha = 1; alpha > 1e-12; alpha *= 0.5) {
      let tried = 0;
      let slope = 0;
      for (let i = 0; i < n; i++) trial[i] = Math.min(upper[i], Math.max(lower[i], x[i] + alpha * step[i]));
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let k = 0; k < n; k++) sum += H[i * n + k] * trial[k];
        tried += trial[i] * (0.5 * sum + g[i]);
        slope += gradient[i] * (trial[i] - x[i]);
      }
      if (tried - value <= 0.1 * slope) {
        for (let i = 0; i < n; i++) {
          if (trial[i] !== x[i]) moved = true;
          x[i] = trial[i];
        }
        break;
      }
    }
    if (!moved) return free;
  }
  return free;
}

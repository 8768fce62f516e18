/**
 * Coulomb's contact problem as a fixed point of convex ones: what is left to do where everything else ends at the limit.
 *
 * Method: with s_c = mu |w_t| of each contact held fixed, the problem with b_n + s is convex and is solved by solve-proximal.ts; then s
 * moves to what the new w says, by a share of the way: all of it, half, a fifth. Source: Acary, Cadoux, Lemarechal, Malick 2011, "A
 * formulation of the linear discrete Coulomb friction problem via convex optimization", doi:10.1002/zamm.201000073.
 * Cost: a convex solve per round, ROUNDS per share at most. Writes `f0` where that is better. Tested by contact-solvers.test.ts.
 */

import { CONTACT } from './constraint-set.js';
import { type ContactProblem, contactResidual, contactVelocities } from './contact-problem.js';
import { coulombCorrection } from './friction-cone.js';
import { solveByBarrier } from './solve-by-barrier.js';
import { type ProximalResult, solveProximal } from './solve-proximal.js';

const SHARES = [1, 0.5, 0.2];
const ROUNDS = 300;
/** A share ends where so many rounds did not bring the residual to a quarter. */
const PATIENCE = 30;
/** Beside the tolerance asked for, of each convex problem. */
const INNER = 1e-3;
const inner: ProximalResult = { status: 'limit', iterations: 0, newtonSteps: 0, factorizations: 0, residual: 0 };

export function solveByConvex(
  f0: Float64Array,
  problem: ContactProblem,
  iterations: number,
  tolerance: number,
  result: ProximalResult,
): void {
  const { n, blockCount, kinds, rows, frictions, pyramidal } = problem;
  const w = new Float64Array(n);
  const room = new Float64Array(n);
  const b = new Float64Array(n);
  const convex: ContactProblem = { ...problem, b, law: 'convex' };
  const s = new Float64Array(blockCount);
  for (const share of SHARES) {
    const f = new Float64Array(n);
    s.fill(0);
    let least = Infinity;
    let last = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
      b.set(problem.b);
      for (let c = 0; c < blockCount; c++) if (kinds[c] === CONTACT) b[rows[c]] += s[c];
      solveProximal(f, convex, iterations, INNER * tolerance, inner);
      if (inner.residual > tolerance) polishBarrier(f, convex, iterations, tolerance, inner);
      result.iterations += inner.iterations;
      result.newtonSteps += inner.newtonSteps;
      const residual = contactResidual(problem, f, room);
      least = Math.min(least, residual);
      if ((round + 1) % PATIENCE === 0) {
        if (least > 0.25 * last) break;
        last = least;
      }
      if (residual < result.residual) {
        result.residual = residual;
        f0.set(f);
        if (residual <= tolerance) return;
      }
      contactVelocities(w, problem, f);
      for (let c = 0; c < blockCount; c++) {
        if (kinds[c] !== CONTACT) continue;
        const wanted = coulombCorrection(w[rows[c] + 1], w[rows[c] + 2], frictions[c], pyramidal);
        s[c] += share * (wanted - s[c]);
      }
    }
  }
}

/** From where the interior-point method gets, the proximal solver: for convex problems, of which it tells more than where Newton's method starts. */
export function polishBarrier(
  f0: Float64Array,
  problem: ContactProblem,
  iterations: number,
  tolerance: number,
  result: ProximalResult,
): void {
  const f = Float64Array.from(f0);
  solveByBarrier(f, problem, Infinity, tolerance);
  const { residual, iterations: done, newtonSteps } = result;
  solveProximal(f, problem, iterations, tolerance, result);
  result.iterations += done;
  result.newtonSteps += newtonSteps;
  if (result.residual < residual) f0.set(f);
  else result.residual = residual;
}

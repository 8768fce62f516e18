/**
 * Coulomb's contact problem by growing friction: from the frictionless problem, which is convex, in small shares to the one asked for.
 *
 * Method: every share is solved from the last one's impulses by solve-proximal.ts and, where that ends at the limit, by smoothed
 * conditions (solve-smoothed.ts) from several beginnings. A branch of solutions that turns back on the way is not followed.
 * Source: Allgower, Georg 1990, "Numerical continuation methods", doi:10.1007/978-3-642-61257-2 (natural parameter).
 * Cost: SHARES solves. Writes `f0` where the last share's residual is below that of `result`. Elliptic cones.
 * Tested by contact-solvers.test.ts.
 */
import type { ContactProblem } from './contact-problem.js';
import { type ProximalResult, solveProximal } from './solve-proximal.js';
import { type SmoothedResult, solveSmoothed } from './solve-smoothed.js';

const SHARES = 60;
const MOST_ITERATIONS = 400;
const BEGINS = [1e-2, 1e-4, 1];
const SMOOTHED_STEPS = 60;
const inner: ProximalResult = { status: 'limit', iterations: 0, newtonSteps: 0, factorizations: 0, residual: 0 };
const smoothed: SmoothedResult = { steps: 0, residual: 0 };

export function solveByFriction(
  f0: Float64Array,
  problem: ContactProblem,
  iterations: number,
  tolerance: number,
  result: ProximalResult,
): void {
  const f = new Float64Array(problem.n);
  const frictions = Float64Array.from(problem.frictions);
  const partial: ContactProblem = { ...problem, frictions };
  let residual = Infinity;
  for (let share = 0; share <= SHARES; share++) {
    for (let i = 0; i < frictions.length; i++) frictions[i] = (problem.frictions[i] * share) / SHARES;
    solveProximal(f, partial, Math.min(iterations, MOST_ITERATIONS), tolerance, inner);
    result.iterations += inner.iterations;
    result.newtonSteps += inner.newtonSteps;
    residual = inner.residual;
    for (const begin of BEGINS) {
      if (residual <= tolerance) break;
      solveSmoothed(f, partial, SMOOTHED_STEPS, tolerance, begin, smoothed);
      result.newtonSteps += smoothed.steps;
      residual = smoothed.residual;
    }
  }
  if (!(residual < result.residual)) return;
  result.residual = residual;
  f0.set(f);
  if (residual <= tolerance) result.status = 'solved';
}

/**
 * Contact problems by themselves: the proximal solver (solve-proximal.ts), and what it leaves at the limit by smoothed conditions
 * (solve-smoothed.ts), from several starts, then by an interior-point method (solve-by-barrier.ts), for Coulomb's law along branches of
 * solutions (`followPath`), by growing friction (solve-by-friction.ts) and a row of convex problems (solve-by-convex.ts). A step of a simulation makes do with the first.
 * Tested by contact-solvers.test.ts.
 */
import { requireCount, requireFloats, requireNotNegative, requireOptions, wholeFrom } from '../math/arguments.js';
import { createRandom } from '../math/random.js';
import { type ContactProblem, requireProblem } from './contact-problem.js';
import { polishBarrier, solveByConvex } from './solve-by-convex.js';
import { solveByFriction } from './solve-by-friction.js';
import { type ProximalResult, solveProximal } from './solve-proximal.js';
import { followPath, type SmoothedResult, solveSmoothed } from './solve-smoothed.js';

export interface ProximalOptions {
  /** Alternations and Newton steps together. Default 200. */
  readonly iterations?: number;
  /** In the units of w. Default 1e-9. */
  readonly tolerance?: number;
}

/** Solves from the impulses in `f0`, which are replaced by the best ones found. */
export function solveContacts(
  f0: Float64Array,
  problem: ContactProblem,
  options: ProximalOptions = {},
): ProximalResult {
  requireProblem('solveContacts', problem);
  requireFloats('solveContacts', 'f0', f0, problem.n);
  requireOptions('solveContacts', options, { iterations: wholeFrom(1), tolerance: requireNotNegative });
  const { iterations = 200, tolerance = 1e-9 } = options;
  requireCount('solveContacts', 'iterations', iterations, 1);
  requireNotNegative('solveContacts', 'tolerance', tolerance);
  const result: ProximalResult = { status: 'limit', iterations: 0, newtonSteps: 0, factorizations: 0, residual: 0 };
  solveProximal(f0, problem, iterations, tolerance, result);
  if (result.status === 'limit' && !problem.pyramidal) smooth(f0, problem, iterations, tolerance, result);
  if (result.status === 'limit' && problem.law === 'convex') polishBarrier(f0, problem, iterations, tolerance, result);
  if (result.status === 'limit' && problem.law === 'coulomb' && !problem.pyramidal)
    follow(f0, problem, tolerance, result);
  if (result.status === 'limit' && problem.law === 'coulomb' && !problem.pyramidal)
    solveByFriction(f0, problem, iterations, tolerance, result);
  if (result.status === 'limit' && problem.law === 'coulomb') {
    solveByConvex(f0, problem, iterations, tolerance, result);
    if (result.residual <= tolerance) result.status = 'solved';
  }
  return result;
}

/** First smoothings of the tries that follow, as part of the largest entry of b. */
const BEGINS = [1, 0.1, 1e-3];
const SMOOTHED_STEPS = 60;
const smoothed: SmoothedResult = { steps: 0, residual: 0 };

/** What is left to do for problems that end at the limit: smoothed conditions (solve-smoothed.ts), from no forces and from those found. */
function smooth(
  f0: Float64Array,
  problem: ContactProblem,
  iterations: number,
  tolerance: number,
  result: ProximalResult,
) {
  const steps = Math.min(iterations, SMOOTHED_STEPS);
  for (let attempt = 0; attempt < 2 * BEGINS.length && result.residual > tolerance; attempt++) {
    const start = attempt < BEGINS.length ? f0.slice() : new Float64Array(f0.length);
    solveSmoothed(start, problem, steps, tolerance, BEGINS[attempt % BEGINS.length], smoothed);
    result.newtonSteps += smoothed.steps;
    if (!(smoothed.residual < result.residual)) continue;
    result.residual = smoothed.residual;
    f0.set(start);
  }
  if (result.residual <= tolerance) result.status = 'solved';
}

/** Branches that are tried, and steps along one. */
const BRANCHES = 8;
const PATH_STEPS = 2000;

/** From the frictionless end, then from others. */
function follow(f0: Float64Array, problem: ContactProblem, tolerance: number, result: ProximalResult): void {
  const random = createRandom(1);
  const ends = new Float64Array(problem.blockCount);
  for (let branch = 0; branch < BRANCHES && result.residual > tolerance; branch++) {
    if (branch > 0) for (let i = 0; i < ends.length; i++) ends[i] = random.uniform(0, 1);
    const f = f0.slice();
    followPath(f, problem, ends, PATH_STEPS, tolerance, smoothed);
    result.newtonSteps += smoothed.steps;
    if (!(smoothed.residual < result.residual)) continue;
    result.residual = smoothed.residual;
    f0.set(f);
  }
  if (result.residual <= tolerance) result.status = 'solved';
}

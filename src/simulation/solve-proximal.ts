/**
 * Contact forces to a stated residual: alternating directions with proximal regularisation, and Newton's method at the end.
 *
 * Method:
 * 1. every block is scaled by the root of its mean diagonal entry of G (one number per contact, so that cones stay cones);
 * 2. alternating directions: x = (G + (eta + rho) 1)^-1 (eta x + rho y + z - b - s), y = P_K(x - z / rho), z += rho (y - x), with s the
 *    correction that turns the convex law into Coulomb's, from the last z; rho follows the ratio of both residuals, and each
 *    change factorises anew;
 * 3. from time to time Newton's method on f = P(f - w'), whose derivative is made regular by eta, with step halving: it
 *    converges quadratically once sliding, sticking and open contacts are told apart;
 * 4. where both stall, proximal points of the problem with the correction held, by Newton's method on a convex function: sure for
 *    the convex law, and for Coulomb's as long as holding the correction converges. Some hard Coulomb problems end at the limit;
 * `solveContacts` then tries smoothed conditions (solve-smoothed.ts), a step of a simulation does not.
 * Redundant contacts (G singular) are no matter to either: some f of the many that solve is found.
 * Source: Carpentier, Le Lidec, Montaut 2024, "From compliant to rigid contact simulation: a unified and efficient approach",
 * Robotics: Science and Systems, doi:10.15607/RSS.2024.XX.108; Acary, Cadoux, Lemarechal, Malick 2011, "A formulation of the linear
 * discrete Coulomb friction problem via convex optimization", doi:10.1002/zamm.201000073; De Saxce, Feng 1998.
 * Cost: n^3 / 6 per factorisation, 2 n^2 per iteration; Newton n^3 / 3 per step. No allocation once room is there.
 * Ends: `solved` at the tolerance, `limit` with the best f of all iterations. Tested by contact-solvers.test.ts.
 */

import { factorizeCholesky, solveCholesky } from '../math/dense/cholesky.js';
import { solveByElimination } from '../math/dense/elimination.js';
import { type ContactProblem, largestResidual, meanDiagonal } from './contact-problem.js';
import { coulombCorrection, differentiateProjection, projectCone } from './friction-cone.js';

export interface ProximalResult {
  status: 'solved' | 'limit';
  iterations: number;
  newtonSteps: number;
  factorizations: number;
  residual: number;
}

const ETA = 1e-7;
/** Alternations between tries of Newton's method. */
const ROUND = 12;

/** Alternations and Newton steps that the present call may make. */
let budget = 0;
let goal = 0;
let room: Float64Array = new Float64Array(0);
let size = 0;
let G = room;
let factors = room;
let jacobian = room;
let b = room;
let scale = room;
let x = room;
let y = room;
let z = room;
let s = room;
let w = room;
let rhs = room;
let f = room;
let best = room;
let trial = room;
let defectNow = room;
let defectNext = room;
let direction = room;
let moved = room;
let inCone = room;
let reachedBest = room;
let center = room;
let kept = room;
const D = new Float64Array(9);

function reserve(n: number): void {
  if (n <= size) return;
  size = Math.max(n, 2 * size, 48);
  room = new Float64Array(3 * size * size + 19 * size);
  let at = 0;
  const take = (count: number): Float64Array => {
    at += count;
    return room.subarray(at - count, at);
  };
  G = take(size * size);
  factors = take(size * size);
  jacobian = take(size * size);
  [b, scale, x, y, z, s, w, rhs, f, best, trial] = Array.from({ length: 11 }, () => take(size));
  [defectNow, defectNext, direction, moved, inCone, reachedBest, center, kept] = Array.from({ length: 8 }, () =>
    take(size),
  );
}

/** Solves from the impulses in `f0`, which are replaced by the best ones found. */
export function solveProximal(
  f0: Float64Array,
  problem: ContactProblem,
  iterations: number,
  tolerance: number,
  result: ProximalResult,
): ProximalResult {
  const { n } = problem;
  result.iterations = 0;
  result.newtonSteps = 0;
  result.factorizations = 0;
  result.status = 'limit';
  budget = iterations;
  goal = tolerance;
  reserve(n);
  scaleProblem(problem);
  for (let i = 0; i < n; i++) f[i] = f0[i] / scale[i];
  project(f, f, problem);
  let least = measure(problem, f, f0);
  best.set(f.subarray(0, n));
  if (least <= tolerance) return finish(f0, problem, result, least);
  // A good guess needs no alternation.
  least = tryNewton(problem, f0, least, tolerance, result);
  if (least <= tolerance) return finish(f0, problem, result, least);
  start(problem);
  let rho = 0.01;
  let rounds = 0;
  factorize(n, rho, result);
  while (!isSpent(result)) {
    let primal = 0;
    let dual = 0;
    for (let i = 0; i < ROUND && !isSpent(result); i++) {
      result.iterations++;
      [primal, dual] = alternate(problem, rho);
    }
    const now = measure(problem, y, f0);
    if (now < least) {
      least = now;
      best.set(y.subarray(0, n));
    }
    if (least <= tolerance) break;
    f.set(y.subarray(0, n));
    least = Math.min(least, tryNewton(problem, f0, least, tolerance, result));
    if (least <= tolerance) break;
    if ((rounds++ & 3) === 0) {
      f.set(y.subarray(0, n));
      least = walkProximalPoints(problem, f0, least, tolerance, result);
      if (least <= tolerance) break;
    }
    const ratio = primal / (dual + 1e-300);
    if (ratio > 10 || ratio < 0.1) {
      rho *= Math.max(0.05, Math.min(20, Math.sqrt(ratio)));
      rho = Math.max(1e-6, Math.min(1e4, rho));
      factorize(n, rho, result);
    }
  }
  return finish(f0, problem, result, least);
}

function isSpent({ iterations, newtonSteps }: ProximalResult): boolean {
  return iterations + newtonSteps >= budget;
}

function finish(f0: Float64Array, { n }: ContactProblem, result: ProximalResult, residual: number): ProximalResult {
  for (let i = 0; i < n; i++) f0[i] = scale[i] * best[i];
  result.residual = residual;
  if (residual <= goal) result.status = 'solved';
  return result;
}

/** G and b with a unit mean diagonal per block. */
function scaleProblem(problem: ContactProblem): void {
  const { n, rows, kinds, blockCount, G: given, b: bias } = problem;
  for (let i = 0; i < blockCount; i++) {
    const g = meanDiagonal(problem, i);
    const own = g > 0 ? 1 / Math.sqrt(g) : 1;
    for (let r = rows[i]; r < rows[i] + (kinds[i] === 1 ? 3 : 1); r++) scale[r] = own;
  }
  for (let i = 0; i < n; i++) {
    b[i] = scale[i] * bias[i];
    for (let k = 0; k < n; k++) G[i * n + k] = scale[i] * scale[k] * given[i * n + k];
  }
}

/** out = the nearest point of all cones and bounds. */
function project(out: Float64Array, a: Float64Array, problem: ContactProblem): void {
  const { rows, kinds, blockCount, frictions, lower, upper, pyramidal } = problem;
  for (let i = 0; i < blockCount; i++) {
    const r = rows[i];
    if (kinds[i] === 1) projectCone(out, r, a[r], a[r + 1], a[r + 2], frictions[i], pyramidal);
    else out[r] = Math.max(lower[r] / scale[r], Math.min(upper[r] / scale[r], a[r]));
  }
}

/** The residual of the unscaled problem at the scaled impulses. */
function measure(problem: ContactProblem, a: Float64Array, scratch: Float64Array): number {
  const { n } = problem;
  for (let i = 0; i < n; i++) scratch[i] = scale[i] * a[i];
  return largestResidual(problem, scratch, w);
}

function start(problem: ContactProblem): void {
  const { n } = problem;
  x.set(f.subarray(0, n));
  y.set(f.subarray(0, n));
  multiply(w, f, n);
  for (let i = 0; i < n; i++) z[i] = w[i];
  correct(problem, z);
  for (let i = 0; i < n; i++) {
    z[i] += s[i];
    rhs[i] = f[i] - z[i];
  }
  // z has to be in the dual cone: P_K(f - z) - (f - z).
  project(trial, rhs, problem);
  for (let i = 0; i < n; i++) z[i] = trial[i] - rhs[i];
}

/** w = G a + b, scaled. */
function multiply(out: Float64Array, a: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    let sum = b[i];
    const row = i * n;
    for (let k = 0; k < n; k++) sum += G[row + k] * a[k];
    out[i] = sum;
  }
}

/** s from the tangential parts of v. */
function correct({ law, kinds, rows, blockCount, frictions, pyramidal, n }: ContactProblem, v: Float64Array): void {
  s.fill(0, 0, n);
  if (law === 'convex') return;
  for (let i = 0; i < blockCount; i++) {
    const r = rows[i];
    if (kinds[i] === 1) s[r] = coulombCorrection(v[r + 1], v[r + 2], frictions[i], pyramidal);
  }
}

function factorize(n: number, rho: number, result: ProximalResult): void {
  result.factorizations++;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k <= i; k++) factors[i * n + k] = G[i * n + k];
    factors[i * n + i] += ETA + rho;
  }
  factorizeCholesky(factors, n);
}

/** One alternation; both residuals. */
function alternate(problem: ContactProblem, rho: number): [number, number] {
  const { n } = problem;
  correct(problem, z);
  for (let i = 0; i < n; i++) rhs[i] = ETA * x[i] + rho * y[i] + z[i] - b[i] - s[i];
  solveCholesky(x, factors, n, rhs);
  for (let i = 0; i < n; i++) rhs[i] = x[i] - z[i] / rho;
  let dual = 0;
  trial.set(y.subarray(0, n));
  project(y, rhs, problem);
  let primal = 0;
  for (let i = 0; i < n; i++) {
    const gap = y[i] - x[i];
    z[i] += rho * gap;
    primal = Math.max(primal, Math.abs(gap));
    dual = Math.max(dual, rho * Math.abs(y[i] - trial[i]));
  }
  return [primal, dual];
}

/** |f - P(f - w')| of the scaled problem; leaves f - w' in rhs, w (uncorrected) in w. */
function defect(out: Float64Array, problem: ContactProblem, a: Float64Array): number {
  const { n } = problem;
  multiply(w, a, n);
  correct(problem, w);
  for (let i = 0; i < n; i++) rhs[i] = a[i] - w[i] - s[i];
  project(out, rhs, problem);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    out[i] = a[i] - out[i];
    sum += out[i] * out[i];
  }
  return Math.sqrt(sum);
}

const NEWTON_STEPS = 12;
/** Of Newton's systems, whose entries are about 1. */
const LEAST_PIVOT = 1e-14;

/** Newton's method from f on the problem itself; what it finds is kept where it is better than `least`. */
function tryNewton(
  problem: ContactProblem,
  scratch: Float64Array,
  least: number,
  tolerance: number,
  result: ProximalResult,
): number {
  const found = newton(problem, scratch, tolerance, result);
  if (found < least) best.set(reachedBest.subarray(0, problem.n));
  return Math.min(found, least);
}

/**
 * Proximal points of the problem with the correction held: f = P(c - (G f + b + s) / eta), c the last one's f, by Newton's method on
 * the convex function whose gradient is G (f - P), with a line search that cannot fail. Few points are needed, since eta shrinks.
 */
function walkProximalPoints(
  problem: ContactProblem,
  scratch: Float64Array,
  least: number,
  tolerance: number,
  result: ProximalResult,
): number {
  const { n } = problem;
  let now = least;
  let eta = 1;
  for (let point = 0; point < POINTS && now > tolerance && !isSpent(result); point++) {
    multiply(w, f, n);
    correct(problem, w);
    for (let i = 0; i < n; i++) center[i] = f[i];
    settle(problem, eta, result);
    const reached = measure(problem, f, scratch);
    if (reached < now) {
      now = reached;
      best.set(f.subarray(0, n));
    }
    if (now <= tolerance) break;
    if (point > 2 && (point & 1) === 1) {
      for (let i = 0; i < n; i++) kept[i] = f[i];
      now = tryNewton(problem, scratch, now, tolerance, result);
      for (let i = 0; i < n; i++) f[i] = kept[i];
    }
    eta = Math.max(1e-6, 0.2 * eta);
  }
  return now;
}

const POINTS = 30;

/** f = P(c - (G f + b + s) / eta) to rounding, s and c as they are. */
function settle(problem: ContactProblem, eta: number, result: ProximalResult): void {
  const { n } = problem;
  const along = (alpha: number): number => {
    for (let i = 0; i < n; i++) rhs[i] = center[i] - (moved[i] + alpha * inCone[i] + s[i]) / eta;
    project(trial, rhs, problem);
    let sum = 0;
    for (let i = 0; i < n; i++) sum += inCone[i] * (f[i] + alpha * direction[i] - trial[i]);
    return sum;
  };
  for (let step = 0; step < 30 && !isSpent(result); step++) {
    multiply(moved, f, n);
    for (let i = 0; i < n; i++) rhs[i] = center[i] - (moved[i] + s[i]) / eta;
    project(trial, rhs, problem);
    let size = 0;
    let scaleOfF = 1;
    for (let i = 0; i < n; i++) {
      direction[i] = trial[i] - f[i];
      size = Math.max(size, Math.abs(direction[i]));
      scaleOfF = Math.max(scaleOfF, Math.abs(f[i]));
    }
    if (size <= 1e-13 * scaleOfF) break;
    result.newtonSteps++;
    writeProximalJacobian(problem, eta);
    if (!solveByElimination(jacobian, direction, n, LEAST_PIVOT)) break;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += G[i * n + k] * direction[k];
      inCone[i] = sum;
    }
    let alpha = 1;
    const slope = along(0);
    if (along(1) > 0.1 * Math.abs(slope)) {
      let low = 0;
      let high = 1;
      for (let halving = 0; halving < 40; halving++) {
        alpha = 0.5 * (low + high);
        const here = along(alpha);
        if (Math.abs(here) <= 0.1 * Math.abs(slope)) break;
        if (here > 0) high = alpha;
        else low = alpha;
      }
    }
    for (let i = 0; i < n; i++) f[i] += alpha * direction[i];
    if (size <= 1e-11 * scaleOfF) break;
  }
  multiply(moved, f, n);
  for (let i = 0; i < n; i++) rhs[i] = center[i] - (moved[i] + s[i]) / eta;
  project(f, rhs, problem);
}

/** 1 + D G / eta with D the derivative of the projection at rhs. */
function writeProximalJacobian(
  { n, rows, kinds, blockCount, frictions, lower, upper, pyramidal }: ContactProblem,
  eta: number,
): void {
  for (let i = 0; i < blockCount; i++) {
    const r = rows[i];
    if (kinds[i] === 0) {
      const isFree = rhs[r] > lower[r] / scale[r] && rhs[r] < upper[r] / scale[r];
      for (let k = 0; k < n; k++) jacobian[r * n + k] = (r === k ? 1 : 0) + (isFree ? G[r * n + k] / eta : 0);
      continue;
    }
    differentiateProjection(D, rhs[r], rhs[r + 1], rhs[r + 2], frictions[i], pyramidal);
    for (let m = 0; m < 3; m++) {
      const d0 = D[3 * m] / eta;
      const d1 = D[3 * m + 1] / eta;
      const d2 = D[3 * m + 2] / eta;
      for (let k = 0; k < n; k++)
        jacobian[(r + m) * n + k] =
          (k === r + m ? 1 : 0) + d0 * G[r * n + k] + d1 * G[(r + 1) * n + k] + d2 * G[(r + 2) * n + k];
    }
  }
}

/** Newton's method from f, which it moves; the least residual of the problem itself on the way, whose f is in `reachedBest`. */
function newton(problem: ContactProblem, scratch: Float64Array, tolerance: number, result: ProximalResult): number {
  const { n } = problem;
  let least = Infinity;
  let size = defect(defectNow, problem, f);
  for (let step = 0; step < NEWTON_STEPS && !isSpent(result); step++) {
    result.newtonSteps++;
    writeJacobian(problem);
    for (let i = 0; i < n; i++) direction[i] = -defectNow[i];
    if (!solveByElimination(jacobian, direction, n, LEAST_PIVOT)) break;
    let factor = 1;
    let next = size;
    for (let halving = 0; halving < 6; halving++) {
      for (let i = 0; i < n; i++) moved[i] = f[i] + factor * direction[i];
      next = defect(defectNext, problem, moved);
      if (next < (1 - 0.1 * factor) * size) break;
      factor *= 0.5;
    }
    if (!(next < size)) break;
    const isSlow = next > 0.9 * size;
    for (let i = 0; i < n; i++) f[i] = moved[i];
    // P(f - w') is in the cone; the step itself may not be.
    for (let i = 0; i < n; i++) inCone[i] = moved[i] - defectNext[i];
    size = next;
    const reached = measure(problem, inCone, scratch);
    if (reached < least) {
      least = reached;
      reachedBest.set(inCone.subarray(0, n));
    }
    if (least <= tolerance || size < 1e-13 || (isSlow && step > 3)) break;
    defect(defectNow, problem, f);
  }
  return least;
}

/** Of f - P(f - w'(f)), with eta on the diagonal of G; uses rhs and w of the last `defect`. */
function writeJacobian(problem: ContactProblem): void {
  const { n, rows, kinds, blockCount, frictions, lower, upper, pyramidal, law } = problem;
  for (let i = 0; i < blockCount; i++) {
    const r = rows[i];
    if (kinds[i] === 0) {
      const isFree = rhs[r] > lower[r] / scale[r] && rhs[r] < upper[r] / scale[r];
      for (let k = 0; k < n; k++) jacobian[r * n + k] = isFree ? G[r * n + k] : r === k ? 1 : 0;
      if (isFree) jacobian[r * n + r] += ETA;
      continue;
    }
    const mu = frictions[i];
    differentiateProjection(D, rhs[r], rhs[r + 1], rhs[r + 2], mu, pyramidal);
    if (law === 'coulomb') setSlope(mu, w[r + 1], w[r + 2], pyramidal);
    else slopes.fill(0);
    const [cx, cy] = slopes;
    for (let k = 0; k < n; k++) {
      const e1 = G[(r + 1) * n + k] + (k === r + 1 ? ETA : 0);
      const e2 = G[(r + 2) * n + k] + (k === r + 2 ? ETA : 0);
      const e0 = G[r * n + k] + (k === r ? ETA : 0) + cx * e1 + cy * e2;
      const a0 = (k === r ? 1 : 0) - e0;
      const a1 = (k === r + 1 ? 1 : 0) - e1;
      const a2 = (k === r + 2 ? 1 : 0) - e2;
      for (let m = 0; m < 3; m++)
        jacobian[(r + m) * n + k] = (k === r + m ? 1 : 0) - (D[3 * m] * a0 + D[3 * m + 1] * a1 + D[3 * m + 2] * a2);
    }
  }
}

const slopes = new Float64Array(2);

/** Derivative of the correction by both tangential velocities. */
function setSlope(mu: number, x: number, y: number, pyramidal: boolean): void {
  const t = Math.sqrt(x * x + y * y);
  slopes[0] = pyramidal ? mu * Math.sign(x) : t > 0 ? (mu * x) / t : 0;
  slopes[1] = pyramidal ? mu * Math.sign(y) : t > 0 ? (mu * y) / t : 0;
}

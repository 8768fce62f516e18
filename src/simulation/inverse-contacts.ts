/**
 * Inverse dynamics with contact: forces at given contacts, inside their friction cones, that make up for a wrench that drives cannot give.
 *
 *   A f = r, f in the cones, |f| least;   A: what the contacts do to the unactuated coordinates, r: what these lack for the motion
 *
 * Method: f = P(A^T y), with y found by Newton's method on the dual of min |f|^2 / 2, whose gradient is A P(A^T y) - r: a concave function
 * of as many numbers as there are equations (six for a robot on a floating base). Where no f does, y grows without bound and
 * what is left is the least-squares residual, met by the regular problem min |A f - r|^2 + eps |f|^2 over the cones.
 * Source: notes, chapter 6; Wensing, Wang, Orin 2013, "Generation of dynamic humanoid behaviors through task-space control with conic
 * optimization", doi:10.1109/ICRA.2013.6631008. The dual method is worked out here (Parikh, Boyd 2014, section 6).
 * Shapes: A m x 3k, row-major: k contacts, normal and two tangents each; r m numbers. Writes f.
 * Cost: m^2 k per Newton step, some 5 to 20 of them. Fails: `infeasible`, with the residual |A f - r| that no force of the cones goes below.
 * Tested by inverse-contacts.test.ts.
 */
import { requireCount, requireFloats, requireLength, requireNumbers, requireObject } from '../math/arguments.js';
import { factorizeCholesky, solveCholesky } from '../math/dense/cholesky.js';
import { differentiateProjection, projectCone } from './friction-cone.js';

export interface InverseContactProblem {
  /** m x 3k, row-major. */
  readonly A: Float64Array;
  /** m numbers. */
  readonly wrench: Float64Array;
  /** k coefficients. */
  readonly frictions: ArrayLike<number>;
  /** Default 1e-9 of the wrench's size. */
  readonly tolerance?: number;
}

export interface InverseContactResult {
  readonly status: 'solved' | 'infeasible';
  /** |A f - wrench|. */
  readonly residual: number;
  readonly iterations: number;
}

/** f: 3k numbers, written: the least forces of the cones that give the wrench, or the nearest that they can. */
export function computeContactForces(f: Float64Array, problem: InverseContactProblem): InverseContactResult {
  requireObject('computeContactForces', 'problem', problem);
  const { A, wrench, frictions } = problem;
  requireNumbers('computeContactForces', 'wrench', wrench);
  requireNumbers('computeContactForces', 'frictions', frictions);
  requireNumbers('computeContactForces', 'A', A);
  const m = wrench.length;
  const k = frictions.length;
  requireCount('computeContactForces', 'wrench.length', m, 1);
  requireFloats('computeContactForces', 'f', f, 3 * k);
  requireLength('computeContactForces', 'A', A, 3 * m * k);
  let size = 0;
  for (let i = 0; i < m; i++) size = Math.max(size, Math.abs(wrench[i]));
  const tolerance = problem.tolerance ?? 1e-9 * Math.max(size, 1e-12);
  const y = new Float64Array(m);
  let iterations = 0;
  let residual = Infinity;
  // The regular problem's y is bounded by |A f - r| / eps; as eps falls, f goes to the least solution or to the nearest point.
  for (let eps = 1e-2 * scaleOf(A, m, k); eps > 1e-13 * scaleOf(A, m, k); eps *= 0.1) {
    iterations += maximise(y, f, problem, m, k, eps);
    residual = measure(f, problem, m, k);
    if (residual <= tolerance) break;
  }
  return { status: residual <= tolerance ? 'solved' : 'infeasible', residual, iterations };
}

function scaleOf(A: Float64Array, m: number, k: number): number {
  let sum = 0;
  for (const a of A) sum += a * a;
  return sum / Math.max(1, m * k);
}

function measure(f: Float64Array, { A, wrench }: InverseContactProblem, m: number, k: number): number {
  let squared = 0;
  for (let i = 0; i < m; i++) {
    let sum = -wrench[i];
    for (let c = 0; c < 3 * k; c++) sum += A[3 * k * i + c] * f[c];
    squared += sum * sum;
  }
  return Math.sqrt(squared);
}

const STEPS = 40;

/** Newton's method on r y - |P(A^T y)|^2 / 2 - eps |y|^2 / 2; f = P(A^T y). */
function maximise(
  y: Float64Array,
  f: Float64Array,
  { A, wrench, frictions }: InverseContactProblem,
  m: number,
  k: number,
  eps: number,
): number {
  const n = 3 * k;
  const x = new Float64Array(n);
  const H = new Float64Array(m * m);
  const g = new Float64Array(m);
  const trial = new Float64Array(m);
  const D = new Float64Array(9);
  const AD = new Float64Array(3);
  const evaluate = (at: Float64Array): number => {
    let value = 0;
    for (let i = 0; i < m; i++) value += wrench[i] * at[i] - 0.5 * eps * at[i] * at[i];
    for (let c = 0; c < n; c++) {
      let sum = 0;
      for (let i = 0; i < m; i++) sum += A[n * i + c] * at[i];
      x[c] = sum;
    }
    for (let c = 0; c < k; c++) projectCone(f, 3 * c, x[3 * c], x[3 * c + 1], x[3 * c + 2], frictions[c], false);
    for (let c = 0; c < n; c++) value -= 0.5 * f[c] * f[c];
    return value;
  };
  let value = evaluate(y);
  for (let step = 0; step < STEPS; step++) {
    let largest = 0;
    for (let i = 0; i < m; i++) {
      let sum = wrench[i] - eps * y[i];
      for (let c = 0; c < n; c++) sum -= A[n * i + c] * f[c];
      g[i] = sum;
      largest = Math.max(largest, Math.abs(sum));
    }
    if (largest < 1e-14 * (1 + Math.abs(value))) return step;
    H.fill(0);
    for (let i = 0; i < m; i++) H[i * m + i] = eps;
    for (let c = 0; c < k; c++) {
      differentiateProjection(D, x[3 * c], x[3 * c + 1], x[3 * c + 2], frictions[c], false);
      for (let i = 0; i < m; i++) {
        for (let q = 0; q < 3; q++) {
          AD[q] = 0;
          for (let p = 0; p < 3; p++) AD[q] += A[n * i + 3 * c + p] * D[3 * p + q];
        }
        for (let j = 0; j <= i; j++) for (let q = 0; q < 3; q++) H[i * m + j] += AD[q] * A[n * j + 3 * c + q];
      }
    }
    if (!factorizeCholesky(H, m)) return step;
    solveCholesky(g, H, m, g);
    let factor = 1;
    let next = value;
    for (; factor > 1e-10; factor *= 0.5) {
      for (let i = 0; i < m; i++) trial[i] = y[i] + factor * g[i];
      next = evaluate(trial);
      if (next > value) break;
    }
    if (!(next > value)) {
      evaluate(y);
      return step;
    }
    y.set(trial);
    value = next;
  }
  return STEPS;
}

/**
 * Convex contact problems by a primal-dual interior-point method: what is left to do where everything else ends at the limit.
 *
 * Method: in x = (mu f_n, f_t), whose cones are second-order cones, and y = A x + c, Newton's method follows x o y = m e to m = 0 with the
 * scaling of Nesterov and Todd: (A + H) dx = s m x^-1 - A x - c, dy = s m x^-1 - y - H dx, H the scaling with H x = y; both go up to 0.99
 * of the way to the border of the cones. Contacts without friction and rows with bounds are lines: each bound is a cone of one.
 * Source: Nesterov, Todd 1997, "Self-scaled barriers and interior-point methods for convex programming", doi:10.1287/moor.22.1.1;
 * Lobo, Vandenberghe, Boyd, Lebret 1998, "Applications of second-order cone programming", doi:10.1016/S0024-3795(98)10032-0.
 * Cost: n^3 / 6 per step, some 20 to 60 steps; allocates. Elliptic cones, no rows with bounds (returns f0 as it is). Writes `f0` where
 * that is better. Tested by contact-solvers.test.ts.
 */
import { solveByElimination } from '../math/dense/elimination.js';
import { CONTACT } from './constraint-set.js';
import { type ContactProblem, largestResidual } from './contact-problem.js';
import { projectCone } from './friction-cone.js';

const MOST_STEPS = 100;
const CENTERING = 0.15;
const BORDER = 0.99;
/** Below this friction tangential rows do nothing. */
const LEAST_FRICTION = 1e-9;

/** The least residual found, from `residual`; what it belongs to is in f0. */
export function solveByBarrier(f0: Float64Array, problem: ContactProblem, residual: number, tolerance: number): number {
  const { n, G, b, rows, kinds, blockCount, frictions, pyramidal } = problem;
  let least = residual;
  if (pyramidal) return least;
  for (let i = 0; i < blockCount; i++) if (kinds[i] !== CONTACT || !(frictions[i] > LEAST_FRICTION)) return least;
  const scale = new Float64Array(n);
  for (let i = 0; i < blockCount; i++) {
    const r = rows[i];
    const mu = frictions[i];
    const mean = (G[r * n + r] / (mu * mu) + G[(r + 1) * n + r + 1] + G[(r + 2) * n + r + 2]) / 3;
    const unit = mean > 0 ? 1 / Math.sqrt(mean) : 1;
    scale[r] = unit / mu;
    scale[r + 1] = unit;
    scale[r + 2] = unit;
  }
  const A = new Float64Array(n * n);
  const c = new Float64Array(n);
  let size = 1e-3;
  for (let r = 0; r < n; r++) {
    c[r] = scale[r] * b[r];
    size = Math.max(size, Math.abs(c[r]));
    for (let k = 0; k < n; k++) A[r * n + k] = scale[r] * scale[k] * G[r * n + k];
  }
  const [x, y, H, dx, dy, rhs, f, room] = Array.from({ length: 8 }, () => new Float64Array(n));
  const blocks = new Float64Array(9 * blockCount);
  const factors = new Float64Array(n * n);
  for (let i = 0; i < blockCount; i++) {
    x[rows[i]] = size;
    y[rows[i]] = size;
  }
  for (let step = 0; step < MOST_STEPS && least > tolerance; step++) {
    let m = 0;
    for (let r = 0; r < n; r++) m += x[r] * y[r];
    m *= CENTERING / blockCount;
    for (let r = 0; r < n; r++) {
      let sum = c[r];
      for (let k = 0; k < n; k++) sum += A[r * n + k] * x[k];
      H[r] = sum;
    }
    for (let k = 0; k < n * n; k++) factors[k] = A[k];
    for (let i = 0; i < blockCount; i++) {
      const r = rows[i];
      const inverse = m / (0.5 * determinant(x, r));
      for (let k = 0; k < 3; k++) rhs[r + k] = 0.5 * inverse * (k === 0 ? x[r] : -x[r + k]) - H[r + k];
      writeScaling(blocks, 9 * i, x, y, r);
      for (let k = 0; k < 9; k++) factors[(r + Math.floor(k / 3)) * n + r + (k % 3)] += blocks[9 * i + k];
    }
    dx.set(rhs);
    if (!solveByElimination(factors, dx, n, Number.MIN_VALUE)) break;
    let reach = 1 / BORDER;
    for (let i = 0; i < blockCount; i++) {
      const r = rows[i];
      for (let k = 0; k < 3; k++) {
        // s m x^-1 = rhs + A x + c.
        let own = rhs[r + k] + H[r + k] - y[r + k];
        for (let t = 0; t < 3; t++) own -= blocks[9 * i + 3 * k + t] * dx[r + t];
        dy[r + k] = own;
      }
      reach = Math.min(reach, distance(x, dx, r), distance(y, dy, r));
    }
    const length = BORDER * reach;
    if (!(length > 1e-10)) break;
    for (let r = 0; r < n; r++) {
      x[r] += length * dx[r];
      y[r] += length * dy[r];
    }
    // x - y on the cones is x to what is left.
    for (let i = 0; i < blockCount; i++) {
      const r = rows[i];
      projectCone(f, r, x[r] - y[r], x[r + 1] - y[r + 1], x[r + 2] - y[r + 2], 1, false);
      for (let k = r; k < r + 3; k++) f[k] *= scale[k];
    }
    const now = largestResidual(problem, f, room);
    if (now < least) {
      least = now;
      f0.set(f);
    }
  }
  return least;
}

function determinant(x: Float64Array, r: number): number {
  const t = Math.sqrt(x[r + 1] * x[r + 1] + x[r + 2] * x[r + 2]);
  return (x[r] - t) * (x[r] + t);
}

/** The symmetric 3 x 3 with H x = y that keeps the cone. */
function writeScaling(out: Float64Array, at: number, x: Float64Array, y: Float64Array, r: number): void {
  const p = Math.sqrt(determinant(x, r));
  const q = Math.sqrt(determinant(y, r));
  let dot = 0;
  for (let k = 0; k < 3; k++) dot += (x[r + k] / p) * (y[r + k] / q);
  const half = 0.5 / Math.sqrt(0.5 * (1 + dot));
  const w0 = half * (x[r] / p + y[r] / q);
  const w1 = -half * (x[r + 1] / p - y[r + 1] / q);
  const w2 = -half * (x[r + 2] / p - y[r + 2] / q);
  const ratio = q / p;
  out[at] = ratio * (2 * w0 * w0 - 1);
  out[at + 1] = ratio * 2 * w0 * w1;
  out[at + 2] = ratio * 2 * w0 * w2;
  out[at + 3] = out[at + 1];
  out[at + 4] = ratio * (2 * w1 * w1 + 1);
  out[at + 5] = ratio * 2 * w1 * w2;
  out[at + 6] = out[at + 2];
  out[at + 7] = out[at + 5];
  out[at + 8] = ratio * (2 * w2 * w2 + 1);
}

/** How far along d the border of the cone is. */
function distance(x: Float64Array, d: Float64Array, r: number): number {
  const a = d[r] * d[r] - d[r + 1] * d[r + 1] - d[r + 2] * d[r + 2];
  const b = x[r] * d[r] - x[r + 1] * d[r + 1] - x[r + 2] * d[r + 2];
  const c = determinant(x, r);
  let far = d[r] < 0 ? -x[r] / d[r] : Infinity;
  const root = b * b - a * c;
  if (root >= 0) {
    const s = Math.sqrt(root);
    // Roots of a t^2 + 2 b t + c without cancellation.
    const t = b < 0 ? c / (-b + s) : -(b + s) / a;
    if (t > 0) far = Math.min(far, t);
    if (b >= 0 && a < 0) far = Math.min(far, -(b + s) / a);
  }
  return far;
}

/**
 * Contact forces by Newton's method on smoothed conditions whose smoothing goes to zero: what the alternating directions and plain
 * Newton steps of solve-proximal.ts cannot solve.
 *
 * Method: 1. every contact's normal is scaled by its friction, so that its cone is the second-order cone, and every block by its
 * diagonal; 2. x = P_t(x - y(x)), y = A x + b + |y_t| on normals (De Saxce), with P_t the projection by the smoothed positive part
 * (s + sqrt(s^2 + 4 t^2)) / 2 of its spectral values and |y_t| smoothed alike: its derivative is regular for every t > 0 and never
 * forgets a contact; 3. Newton steps with halving; t falls with what is left of the defect. `followPath` goes from a convex problem to
 * Coulomb's along a branch of solutions that may turn back. Elliptic cones; pyramids and rows with
 * bounds row by row.
 * Source: Fukushima, Luo, Tseng 2002, "Smoothing functions for second-order-cone complementarity problems",
 * doi:10.1137/S1052623400380365; Chen, Sun, Sun 2003, "Complementarity functions and numerical experiments on some smoothing Newton
 * methods for second-order-cone complementarity problems", doi:10.1023/A:1022996819381; De Saxce, Feng 1998,
 * doi:10.1016/S0895-7177(98)00119-8.
 * Cost: n^3 / 3 per step, some 10 to 40 steps. No allocation once room is there (`followPath` makes four vectors). Ends: the least residual found, which the caller
 * measures. Tested by contact-solvers.test.ts.
 */
import { solveByElimination } from '../math/dense/elimination.js';
import { type ContactProblem, largestResidual, meanDiagonal } from './contact-problem.js';
import { projectCone } from './friction-cone.js';

let size = 0;
let A = new Float64Array(0);
let jacobian = A;
let b = A;
let scale = A;
let x = A;
let w = A;
let y = A;
let h = A;
let next = A;
let direction = A;
let f = A;
let best = A;
let scratch = A;
/** Of `followPath`: with one row and column more. */
let bordered = A;

function reserve(n: number): void {
  if (n <= size) return;
  size = Math.max(n, 2 * size, 48);
  A = new Float64Array(size * size);
  jacobian = new Float64Array(size * size);
  [b, scale, x, w, y, h, next, direction, f, best, scratch] = Array.from({ length: 11 }, () => new Float64Array(size));
}

/** Of the correction on normals, the part that is Coulomb's |y_t|; the rest of it is `aims`, per block: see `followPath`. */
let share = 1;
let aims = A;

/** Friction below which a contact has none: its tangential rows do nothing. */
const NO_FRICTION = 1e-12;
/** Added to the diagonal of A, about 1, in derivatives: redundant contacts make A singular. */
const ETA = 1e-9;
const LEAST_PIVOT = 1e-16;

export interface SmoothedResult {
  steps: number;
  residual: number;
}

/** Replaces f0 by the best found from it; `steps` at most; `begin`: the first smoothing, as part of the largest entry of b. */
export function solveSmoothed(
  f0: Float64Array,
  problem: ContactProblem,
  steps: number,
  tolerance: number,
  begin: number,
  result: SmoothedResult,
): SmoothedResult {
  const { n } = problem;
  reserve(n);
  writeScaled(problem);
  let size = 0;
  for (let i = 0; i < n; i++) {
    x[i] = f0[i] / scale[i];
    best[i] = f0[i];
    size = Math.max(size, Math.abs(b[i]));
  }
  result.steps = 0;
  result.residual = largestResidual(problem, f0, scratch);
  let t = begin * size;
  let defect = measure(problem, x, h, t);
  while (result.steps < steps && result.residual > tolerance) {
    result.steps++;
    writeJacobian(problem, x, t);
    for (let i = 0; i < n; i++) direction[i] = -h[i];
    if (!solveByElimination(jacobian, direction, n, LEAST_PIVOT)) break;
    let factor = 1;
    let reached = 0;
    let isDown = false;
    for (let halving = 0; halving < 20 && !isDown; halving++) {
      for (let i = 0; i < n; i++) next[i] = x[i] + factor * direction[i];
      reached = measure(problem, next, h, t);
      isDown = reached <= (1 - 1e-4 * factor) * defect;
      if (!isDown) factor *= 0.5;
    }
    for (let i = 0; i < n; i++) x[i] = next[i];
    defect = reached;
    if (!isDown || defect < 0.5 * t * Math.sqrt(n)) {
      keepBest(problem, result);
      t *= isDown && factor === 1 ? 0.3 : 0.7;
      if (t < 1e-14 * size) break;
      defect = measure(problem, x, h, t);
    }
  }
  keepBest(problem, result);
  for (let i = 0; i < n; i++) f0[i] = best[i];
  return result;
}

/** Lengths along the path in the largest entry of b: the first step, and the least; most of the way to Coulomb's law in a step. */
const FIRST_STEP = 0.02;
const SHORTEST = 1e-7;
const MOST_SHARE = 0.1;
const CORRECTIONS = 8;
/** Part of the smoothing to which steps come back to the path. */
const CLOSE = 1e-3;
/** Smoothing at both ends of the path, as part of the largest entry of b. */
const WIDE = 0.3;
const NARROW = 1e-5;

/**
 * Follows a branch of solutions round its turns, for Coulomb's law: from the convex problem with `ends` (per block, as parts of the
 * largest entry of b) for |y_t| to Coulomb's own, smoothed by WIDE at first and NARROW at last, then `solveSmoothed`. For almost all
 * `ends` the branch is a smooth curve that goes from the one end to the other, though not always forwards; steps are of its length.
 * Source: Chow, Mallet-Paret, Yorke 1978, "Finding zeroes of maps: homotopy methods that are constructive with probability one",
 * doi:10.1090/S0025-5718-1978-0492046-9; Allgower, Georg 1990, doi:10.1007/978-3-642-61257-2 (pseudo-arclength).
 * Cost: n^3 / 3 per correction, some hundred to thousand of them. Returns whether the end was reached; f0 is the best found.
 */
export function followPath(
  f0: Float64Array,
  problem: ContactProblem,
  ends: ArrayLike<number>,
  steps: number,
  tolerance: number,
  result: SmoothedResult,
): boolean {
  const { n, blockCount } = problem;
  reserve(n);
  writeScaled(problem);
  let size = 0;
  for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(b[i]));
  if (aims.length < blockCount) aims = new Float64Array(2 * blockCount);
  for (let i = 0; i < blockCount; i++) aims[i] = size * ends[i];
  const m = n + 1;
  if (bordered.length < m * m) bordered = new Float64Array(m * m);
  const [z, tangent, guess, last] = Array.from({ length: 4 }, () => new Float64Array(m));
  const smoothing = (s: number): number => size * Math.max(NARROW, WIDE + (NARROW - WIDE) * s);
  const evaluate = (point: Float64Array): number => {
    share = point[n] / size;
    return measure(problem, point, h, smoothing(share));
  };
  /** The derivative at a point, by the share in the last column, with `row` below it. */
  const writeBordered = (point: Float64Array, row: Float64Array): void => {
    const defect = evaluate(point);
    writeJacobian(problem, point, smoothing(share));
    for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) bordered[i * m + k] = jacobian[i * n + k];
    for (let i = 0; i < n; i++) next[i] = h[i];
    const difference = 1e-7 * size;
    const own = point[n];
    point[n] = own + difference;
    evaluate(point);
    point[n] = own;
    for (let i = 0; i < n; i++) {
      bordered[i * m + n] = (h[i] - next[i]) / difference;
      h[i] = next[i];
    }
    for (let k = 0; k < m; k++) bordered[n * m + k] = row[k];
    if (!(defect >= 0)) bordered.fill(0);
  };
  try {
    result.steps = 0;
    result.residual = largestResidual(problem, f0, scratch);
    // The convex end, by Newton's method with halving.
    let defect = evaluate(z);
    for (let i = 0; i < 100 && defect > 1e-9 * size; i++) {
      writeJacobian(problem, z, smoothing(share));
      for (let k = 0; k < n; k++) direction[k] = -h[k];
      if (!solveByElimination(jacobian, direction, n, LEAST_PIVOT)) return false;
      let factor = 1;
      for (let halving = 0; halving < 30; halving++, factor *= 0.5) {
        for (let k = 0; k < n; k++) guess[k] = z[k] + factor * direction[k];
        guess[n] = 0;
        const reached = evaluate(guess);
        if (reached <= (1 - 1e-4 * factor) * defect) break;
      }
      z.set(guess);
      defect = evaluate(z);
      result.steps++;
    }
    tangent[n] = 1;
    let length = FIRST_STEP * size;
    while (result.steps < steps) {
      last.set(tangent);
      writeBordered(z, last);
      tangent.fill(0);
      tangent[n] = 1;
      if (!solveByElimination(bordered, tangent, m, LEAST_PIVOT)) return false;
      let squared = 0;
      for (let k = 0; k < m; k++) squared += tangent[k] * tangent[k];
      for (let k = 0; k < m; k++) tangent[k] /= Math.sqrt(squared);
      let isOn = false;
      length = Math.min(length, (MOST_SHARE * size) / Math.abs(tangent[n]));
      while (!isOn) {
        for (let k = 0; k < m; k++) guess[k] = z[k] + length * tangent[k];
        let i = 0;
        let before = Infinity;
        for (; i < CORRECTIONS && !isOn; i++) {
          writeBordered(guess, tangent);
          result.steps++;
          let now = 0;
          for (let k = 0; k < n; k++) now += h[k] * h[k];
          now = Math.sqrt(now);
          const enough = CLOSE * smoothing(share);
          if (now <= enough) {
            isOn = true;
            break;
          }
          if (!(now < 2 * before)) break;
          before = now;
          for (let k = 0; k < n; k++) last[k] = -h[k];
          last[n] = 0;
          if (!solveByElimination(bordered, last, m, LEAST_PIVOT)) break;
          for (let k = 0; k < m; k++) guess[k] += last[k];
        }
        if (!isOn) {
          length *= 0.4;
          if (length < SHORTEST * size) return false;
        } else if (i <= 2) length *= 2;
        else if (i >= 5) length *= 0.7;
      }
      const from = z[n];
      if (guess[n] >= size) {
        const part = (size - from) / (guess[n] - from);
        for (let k = 0; k < n; k++) x[k] = z[k] + part * (guess[k] - z[k]);
        share = 1;
        const found = new Float64Array(n);
        for (let k = 0; k < n; k++) found[k] = x[k] * scale[k];
        const { steps: done, residual } = result;
        solveSmoothed(found, problem, 200, tolerance, NARROW, result);
        result.steps += done;
        if (result.residual < residual) f0.set(found);
        else result.residual = residual;
        return true;
      }
      if (guess[n] < -1e-3 * size) return false;
      z.set(guess);
    }
    return false;
  } finally {
    share = 1;
  }
}

/** A = S G S and b with S: 1 / friction on normals, and a unit mean diagonal per block. */
function writeScaled(problem: ContactProblem): void {
  const { n, G, b: bias, rows, kinds, blockCount, frictions } = problem;
  for (let i = 0; i < blockCount; i++) {
    const r = rows[i];
    const g = meanDiagonal(problem, i);
    const own = g > 0 ? 1 / Math.sqrt(g) : 1;
    if (kinds[i] === 0) {
      scale[r] = own;
      continue;
    }
    const mu = frictions[i];
    const ratio = mu > NO_FRICTION ? 1 / mu : 1;
    const mean = (ratio * ratio * G[r * n + r] + G[(r + 1) * n + r + 1] + G[(r + 2) * n + r + 2]) / 3;
    const unit = mean > 0 ? 1 / Math.sqrt(mean) : 1;
    scale[r] = ratio * unit;
    scale[r + 1] = unit;
    scale[r + 2] = unit;
  }
  for (let i = 0; i < n; i++) {
    b[i] = scale[i] * bias[i];
    for (let k = 0; k < n; k++) A[i * n + k] = scale[i] * scale[k] * G[i * n + k];
  }
}

/** The smoothed positive part and its slope. */
function positive(s: number, t: number): number {
  const root = Math.sqrt(s * s + 4 * t * t);
  return s > 0 ? 0.5 * (s + root) : root > 0 ? (2 * t * t) / (root - s) : 0;
}

function slope(s: number, t: number): number {
  const root = Math.sqrt(s * s + 4 * t * t);
  return root > 0 ? 0.5 * (1 + s / root) : 0.5;
}

/** out = a - P_t(a - y(a)); its norm. Leaves A a + b in w and y in y. */
function measure(problem: ContactProblem, a: Float64Array, out: Float64Array, t: number): number {
  const { n, kinds, rows, blockCount, frictions, law, lower, upper } = problem;
  for (let i = 0; i < n; i++) {
    let sum = b[i];
    const row = i * n;
    for (let k = 0; k < n; k++) sum += A[row + k] * a[k];
    w[i] = sum;
    y[i] = sum;
  }
  let squared = 0;
  for (let i = 0; i < blockCount; i++) {
    const r = rows[i];
    if (kinds[i] === 0) {
      const z = a[r] - y[r];
      const low = lower[r] / scale[r];
      const high = upper[r] / scale[r];
      let p = z;
      if (low > -Infinity) p = low + positive(z - low, t);
      if (high < Infinity) p -= positive(z - high, t);
      out[r] = a[r] - p;
    } else if (!(frictions[i] > NO_FRICTION)) {
      out[r] = a[r] - positive(a[r] - y[r], t);
      out[r + 1] = a[r + 1];
      out[r + 2] = a[r + 2];
    } else {
      if (law === 'coulomb') {
        const slip = Math.sqrt(w[r + 1] * w[r + 1] + w[r + 2] * w[r + 2] + t * t);
        y[r] += share === 1 ? slip : share * slip + (1 - share) * aims[i];
      }
      const z0 = a[r] - y[r];
      const z1 = a[r + 1] - y[r + 1];
      const z2 = a[r + 2] - y[r + 2];
      const tangential = Math.sqrt(z1 * z1 + z2 * z2);
      const p1 = positive(z0 - tangential, t);
      const p2 = positive(z0 + tangential, t);
      const ratio = tangential > 0 ? (0.5 * (p2 - p1)) / tangential : 0;
      out[r] = a[r] - 0.5 * (p1 + p2);
      out[r + 1] = a[r + 1] - ratio * z1;
      out[r + 2] = a[r + 2] - ratio * z2;
    }
  }
  for (let i = 0; i < n; i++) squared += out[i] * out[i];
  return Math.sqrt(squared);
}

/** Derivative of `measure` at the point it was last called with. */
function writeJacobian(
  { n, kinds, rows, blockCount, frictions, law, lower, upper }: ContactProblem,
  a: Float64Array,
  t: number,
): void {
  for (let i = 0; i < blockCount; i++) {
    const r = rows[i];
    const hasCone = kinds[i] === 1 && frictions[i] > NO_FRICTION;
    if (!hasCone) {
      const z = a[r] - y[r];
      let d = 1;
      if (kinds[i] === 1) d = slope(z, t);
      else {
        const low = lower[r] / scale[r];
        const high = upper[r] / scale[r];
        if (low > -Infinity) d = slope(z - low, t);
        if (high < Infinity) d -= slope(z - high, t);
      }
      for (let k = 0; k < n; k++) jacobian[r * n + k] = d * A[r * n + k];
      jacobian[r * n + r] += 1 - d + d * ETA;
      if (kinds[i] === 1)
        for (let m = r + 1; m < r + 3; m++) {
          for (let k = 0; k < n; k++) jacobian[m * n + k] = 0;
          jacobian[m * n + m] = 1;
        }
      continue;
    }
    const z0 = a[r] - y[r];
    const z1 = a[r + 1] - y[r + 1];
    const z2 = a[r + 2] - y[r + 2];
    const tangential = Math.sqrt(z1 * z1 + z2 * z2);
    const u1 = tangential > 0 ? z1 / tangential : 1;
    const u2 = tangential > 0 ? z2 / tangential : 0;
    const s1 = slope(z0 - tangential, t);
    const s2 = slope(z0 + tangential, t);
    const d00 = 0.5 * (s1 + s2);
    const c = 0.5 * (s2 - s1);
    const across =
      tangential > 0 ? (positive(z0 + tangential, t) - positive(z0 - tangential, t)) / (2 * tangential) : d00;
    const d01 = c * u1;
    const d02 = c * u2;
    const d11 = across + (d00 - across) * u1 * u1;
    const d12 = (d00 - across) * u1 * u2;
    const d22 = across + (d00 - across) * u2 * u2;
    let c1 = 0;
    let c2 = 0;
    if (law === 'coulomb') {
      const root = Math.sqrt(w[r + 1] * w[r + 1] + w[r + 2] * w[r + 2] + t * t);
      c1 = root > 0 ? (share * w[r + 1]) / root : 0;
      c2 = root > 0 ? (share * w[r + 2]) / root : 0;
    }
    const at = r * n;
    for (let k = 0; k < n; k++) {
      const e1 = A[at + n + k];
      const e2 = A[at + 2 * n + k];
      const e0 = A[at + k] + c1 * e1 + c2 * e2;
      jacobian[at + k] = d00 * e0 + d01 * e1 + d02 * e2;
      jacobian[at + n + k] = d01 * e0 + d11 * e1 + d12 * e2;
      jacobian[at + 2 * n + k] = d02 * e0 + d12 * e1 + d22 * e2;
    }
    const more = ETA - 1;
    jacobian[at + r] += 1 + more * d00;
    jacobian[at + r + 1] += more * d01;
    jacobian[at + r + 2] += more * d02;
    jacobian[at + n + r] += more * d01;
    jacobian[at + n + r + 1] += 1 + more * d11;
    jacobian[at + n + r + 2] += more * d12;
    jacobian[at + 2 * n + r] += more * d02;
    jacobian[at + 2 * n + r + 1] += more * d12;
    jacobian[at + 2 * n + r + 2] += 1 + more * d22;
  }
}

/** The projection of what Newton's step gave, where its residual is the least so far. */
function keepBest(problem: ContactProblem, result: SmoothedResult): void {
  const { n, rows, kinds, blockCount, frictions, lower, upper } = problem;
  for (let i = 0; i < blockCount; i++) {
    const r = rows[i];
    if (kinds[i] === 0) f[r] = Math.max(lower[r], Math.min(upper[r], scale[r] * (x[r] - w[r])));
    else {
      const hasCone = frictions[i] > NO_FRICTION;
      projectCone(
        f,
        r,
        x[r] - y[r],
        hasCone ? x[r + 1] - y[r + 1] : 0,
        hasCone ? x[r + 2] - y[r + 2] : 0,
        hasCone ? 1 : 0,
        false,
      );
      for (let k = r; k < r + 3; k++) f[k] *= scale[k];
    }
  }
  const residual = largestResidual(problem, f, scratch);
  if (residual < result.residual) {
    result.residual = residual;
    for (let i = 0; i < n; i++) best[i] = f[i];
  }
}

/**
 * Convex quadratic programs of a few to a few dozen unknowns: minimise x^T H x / 2 + g^T x with lower <= x <= upper and
 * constraintLower <= C x <= constraintUpper.
 *
 * Method:
 * 1. dual active set: from the minimum on a set of held constraints, take the constraint violated most, move until it
 *    holds, and let go of each constraint whose multiplier would turn negative on the way. Every stop is the solution of a
 *    program with fewer constraints, so nothing needs a feasible start, and redundant constraints are simply never taken;
 * 2. where H is only semidefinite, proximal steps x(k+1) = argmin q(x) + rho |x - x(k)|^2 / 2, each a strictly convex
 *    program that starts from the set the last one ended with;
 * 3. at the end x and the multipliers are solved for anew on the final set, which removes the drift of the updates.
 * Equal bounds are an equality; infinite ones are absent. The set of the last call is the start of the next when `warm`.
 * Source: Goldfarb, Idnani 1983, doi:10.1007/BF02591962; Rockafellar 1976, doi:10.1137/0314056 (proximal steps);
 * Arnstrom, Bemporad, Axehill 2022, "A dual active-set solver for embedded quadratic programming using recursive LDL^T
 * updates", doi:10.1109/TAC.2022.3176430 (both together).
 *
 * Shapes: H n x n symmetric (lower triangle read), C m x n, row-major. `multipliers` has n + m numbers, for the bounds and
 * then for C: positive at a lower bound, negative at an upper one, so that H x + g = multipliers + C^T multipliers.
 * Cost: n^3/6 once, then some n^2 + m n per constraint taken or let go; nothing is allocated after `createQp`.
 * Ends: `solved`; `infeasible` (no point satisfies the constraints to tolerance); `unbounded`; `limit` with the best x.
 * Never throws for finite numbers, never writes NaN. Tolerance 1e-9 of the size of each constraint's terms.
 * Tested by solve-qp.test.ts (enumeration of all active sets, optimality conditions of random programs).
 */
import {
  requireCount,
  requireFlag,
  requireLength,
  requireNotNegative,
  requireObject,
  throwMisuse,
} from '../arguments.js';
import {
  type ActiveSet,
  createActiveSet,
  factorizeHessian,
  holdConstraint,
  projectNormal,
  releaseConstraint,
  solveOnActiveSet,
  solveTriangle,
} from './active-set.js';

export type QpStatus = 'solved' | 'infeasible' | 'unbounded' | 'limit';

export interface QpProblem {
  /** n x n, row-major, symmetric positive semidefinite. */
  readonly H: Float64Array;
  readonly g: Float64Array;
  /** Bounds of x; absent = none. */
  readonly lower?: Float64Array;
  readonly upper?: Float64Array;
  /** m x n, row-major; only the first m rows are read. */
  readonly C?: Float64Array;
  readonly constraintLower?: Float64Array;
  readonly constraintUpper?: Float64Array;
}

export interface QpOptions {
  /** Start from the constraints that were active at the last solution. */
  readonly warm?: boolean;
  /** Constraints taken and let go, all proximal steps together; default 20 (n + m) + 100. */
  readonly iterations?: number;
}

export interface Qp {
  readonly n: number;
  readonly m: number;
  readonly x: Float64Array;
  readonly multipliers: Float64Array;
  /** Constraints taken and let go in the last call. */
  iterations: number;
}

/** What `createQp` makes: the result and all scratch. */
interface Workspace extends Qp {
  readonly set: ActiveSet;
  /** Bounds of all n + m rows. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly step: Float64Array;
  readonly ratio: Float64Array;
  readonly gradient: Float64Array;
  /** Of the proximal term. */
  readonly centre: Float64Array;
  readonly noRows: Float64Array;
  readonly rowNorms: Float64Array;
  /** 1 for rows that are held. */
  readonly states: Int8Array;
  /** What the last solution held. */
  readonly savedRows: Int32Array;
  readonly savedSides: Int8Array;
  savedCount: number;
}

const TOLERANCE = 1e-9;
/** A normal whose part outside the held ones is smaller than this beside the whole counts as spanned by them. */
const DEPENDENCE = 1e-11;
/** Pivots of H below this beside its largest diagonal entry ask for proximal steps. */
const SEMIDEFINITE = 1e-9;
const PROXIMAL = 1e-7;
const MOST_PROXIMAL_STEPS = 200;

/** Room for programs of n unknowns and at most m rows of C. */
export function createQp(n: number, m: number): Qp {
  requireCount('createQp', 'n', n);
  requireCount('createQp', 'm', m);
  const rows = n + m;
  const workspace: Workspace = {
    n,
    m,
    x: new Float64Array(n),
    multipliers: new Float64Array(rows),
    iterations: 0,
    set: createActiveSet(n),
    low: new Float64Array(rows),
    high: new Float64Array(rows),
    step: new Float64Array(n),
    ratio: new Float64Array(n),
    gradient: new Float64Array(n),
    centre: new Float64Array(n),
    noRows: new Float64Array(0),
    rowNorms: new Float64Array(rows),
    states: new Int8Array(rows),
    savedRows: new Int32Array(n),
    savedSides: new Int8Array(n),
    savedCount: 0,
  };
  return workspace;
}

export function solveQp(workspace: Qp, problem: QpProblem, options: QpOptions = {}): QpStatus {
  requireProblem(workspace, problem, options);
  const qp = workspace as Workspace;
  const { n, x, set, gradient, centre } = qp;
  const { H, g } = problem;
  loadRows(qp, problem);
  const C = problem.C ?? qp.noRows;
  const limit = options.iterations ?? 20 * qp.low.length + 100;
  qp.iterations = 0;
  set.count = 0;
  x.fill(0);
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(H[i * n + i]));
  for (let i = 0; i < qp.low.length; i++) {
    if (qp.low[i] > qp.high[i] + TOLERANCE * (1 + Math.abs(qp.low[i]))) return finish(qp, 'infeasible');
  }
  const strict = factorizeHessian(set, H, 0) > SEMIDEFINITE * largest;
  let shift = 0;
  if (!strict) {
    let size = 0;
    for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(g[i]));
    shift = largest > 0 ? PROXIMAL * largest : Math.max(1e-3 * size, Math.sqrt(Math.sqrt(Number.MIN_VALUE)));
    factorizeHessian(set, H, shift);
  }
  if (options.warm) holdSaved(qp, C);
  centre.fill(0);
  for (let round = 0; round < MOST_PROXIMAL_STEPS; round++) {
    for (let i = 0; i < n; i++) gradient[i] = g[i] - shift * centre[i];
    const status = iterate(qp, C, limit);
    if (status !== 'solved') return finish(qp, status);
    if (strict) break;
    let change = 0;
    let size = 1;
    for (let i = 0; i < n; i++) {
      change = Math.max(change, Math.abs(x[i] - centre[i]));
      size = Math.max(size, Math.abs(x[i]));
    }
    if (change <= 1e-13 * size) break;
    if (round > 1 && descendsForEver(qp, problem, C)) return finish(qp, 'unbounded');
    if (round === MOST_PROXIMAL_STEPS - 1 && change > 1e-8 * size) return finish(qp, 'limit');
    centre.set(x);
  }
  return finish(qp, 'solved');
}

/** Copies the bounds of all rows and marks equalities. */
function loadRows(qp: Workspace, problem: QpProblem): void {
  const { n, low, high, rowNorms } = qp;
  const C = problem.C;
  const rows = C ? Math.min(qp.m, Math.floor(C.length / n)) : 0;
  for (let i = 0; i < n; i++) {
    low[i] = problem.lower ? problem.lower[i] : Number.NEGATIVE_INFINITY;
    high[i] = problem.upper ? problem.upper[i] : Number.POSITIVE_INFINITY;
    rowNorms[i] = 1;
  }
  for (let r = 0; r < qp.m; r++) {
    let sum = 0;
    if (C && r < rows) for (let i = 0; i < n; i++) sum += C[r * n + i] * C[r * n + i];
    rowNorms[n + r] = Math.sqrt(sum);
    low[n + r] = r < rows && problem.constraintLower ? problem.constraintLower[r] : Number.NEGATIVE_INFINITY;
    high[n + r] = r < rows && problem.constraintUpper ? problem.constraintUpper[r] : Number.POSITIVE_INFINITY;
  }
}

/** Holds what the last solution held, as far as it is independent under the new numbers. */
function holdSaved(qp: Workspace, C: Float64Array): void {
  const { set, savedRows, savedSides, savedCount, low, high } = qp;
  for (let k = 0; k < savedCount; k++) {
    const row = savedRows[k];
    const side = savedSides[k];
    const bound = side > 0 ? low[row] : -high[row];
    if (!Number.isFinite(bound) || set.count >= set.n) continue;
    const whole = projectNormal(set, C, row, side);
    if (freePart(set) > 1e-12 * whole) holdConstraint(set, row, side, bound);
  }
}

/** Squared part of d outside the held normals. */
function freePart(set: ActiveSet): number {
  let sum = 0;
  for (let k = set.count; k < set.n; k++) sum += set.d[k] * set.d[k];
  return sum;
}

const isEquality = (qp: Workspace, row: number): boolean => qp.high[row] - qp.low[row] <= 0;

/** The dual method on the strictly convex program with `qp.gradient`, from the set held now. */
function iterate(qp: Workspace, C: Float64Array, limit: number): QpStatus {
  const { set, x, gradient } = qp;
  solveOnActiveSet(x, set, gradient);
  for (;;) {
    const place = mostNegative(qp);
    if (place < 0) break;
    releaseConstraint(set, place);
    solveOnActiveSet(x, set, gradient);
  }
  let hasDrift = false;
  for (;;) {
    const row = findViolated(qp, C);
    if (row < 0) {
      if (!hasDrift) return 'solved';
      // Anew on the final set; what shows up as violated then is taken like any other.
      solveOnActiveSet(x, set, gradient);
      hasDrift = false;
      continue;
    }
    hasDrift = true;
    const status = takeConstraint(qp, C, row, limit);
    if (status !== 'solved') return status;
  }
}

/** Place of the inequality with the most negative multiplier; -1 when there is none. */
function mostNegative(qp: Workspace): number {
  const { rows, multipliers, count } = qp.set;
  let place = -1;
  let worst = 0;
  for (let k = 0; k < count; k++) {
    if (multipliers[k] < worst && !isEquality(qp, rows[k])) {
      worst = multipliers[k];
      place = k;
    }
  }
  return place;
}

function rowValue(qp: Workspace, C: Float64Array, row: number): number {
  const { n, x } = qp;
  if (row < n) return x[row];
  const at = (row - n) * n;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += C[at + i] * x[i];
  return sum;
}

/** The row violated most beside its norm, equalities first; -1 when all hold. */
function findViolated(qp: Workspace, C: Float64Array): number {
  const { low, high, rowNorms, states, set } = qp;
  states.fill(0);
  for (let k = 0; k < set.count; k++) states[set.rows[k]] = 1;
  let size = 0;
  for (let i = 0; i < qp.n; i++) size = Math.max(size, Math.abs(qp.x[i]));
  let worst = 0;
  let found = -1;
  let equality = false;
  for (let row = 0; row < low.length; row++) {
    if (states[row] === 1 || (low[row] === Number.NEGATIVE_INFINITY && high[row] === Number.POSITIVE_INFINITY))
      continue;
    const value = rowValue(qp, C, row);
    const excess = Math.max(low[row] - value, value - high[row]);
    const bound = low[row] - value > value - high[row] ? low[row] : high[row];
    const norm = rowNorms[row];
    // A row of zeros has nothing to give: it holds, or no x satisfies it.
    const allowed = 1e-3 * TOLERANCE * (Math.abs(bound) + norm * size) + 1e-14 * norm;
    if (excess <= Math.max(allowed, norm === 0 ? TOLERANCE : 0)) continue;
    const equal = isEquality(qp, row);
    const relative = norm > 0 ? excess / norm : Number.MAX_VALUE;
    if ((equal && !equality) || (equal === equality && relative > worst)) {
      worst = relative;
      found = row;
      equality = equal;
    }
  }
  return found;
}

/** Moves until the violated row holds, letting go of what blocks; `infeasible` when nothing can give. */
function takeConstraint(qp: Workspace, C: Float64Array, row: number, limit: number): QpStatus {
  const { n, set, x, low, high, ratio, step } = qp;
  const { J, d, multipliers } = set;
  const side = low[row] - rowValue(qp, C, row) > rowValue(qp, C, row) - high[row] ? 1 : -1;
  const bound = side > 0 ? low[row] : -high[row];
  let multiplier = 0;
  for (;;) {
    if (qp.iterations++ >= limit) return 'limit';
    const whole = projectNormal(set, C, row, side);
    const free = freePart(set);
    const count = set.count;
    for (let k = 0; k < count; k++) ratio[k] = d[k];
    solveTriangle(ratio, set);
    let dualStep = Number.POSITIVE_INFINITY;
    let blocking = -1;
    for (let k = 0; k < count; k++) {
      if (ratio[k] > 0 && !isEquality(qp, set.rows[k]) && multipliers[k] / ratio[k] < dualStep) {
        dualStep = Math.max(0, multipliers[k] / ratio[k]);
        blocking = k;
      }
    }
    const missing = bound - side * rowValue(qp, C, row);
    const independent = count < n && free > DEPENDENCE * DEPENDENCE * whole && free > 0;
    const primalStep = independent ? Math.max(0, missing) / free : Number.POSITIVE_INFINITY;
    const t = Math.min(dualStep, primalStep);
    if (t === Number.POSITIVE_INFINITY) {
      // Nothing can give. What is left may be the rounding of a redundant row.
      return missing <= TOLERANCE * (1 + Math.abs(bound) + qp.rowNorms[row]) ? hold(qp, row) : 'infeasible';
    }
    for (let k = 0; k < count; k++) multipliers[k] -= t * ratio[k];
    multiplier += t;
    if (independent) {
      step.fill(0);
      for (let k = count; k < n; k++) for (let i = 0; i < n; i++) step[i] += d[k] * J[k * n + i];
      for (let i = 0; i < n; i++) x[i] += t * step[i];
    }
    if (independent && primalStep <= dualStep) {
      multipliers[count] = multiplier;
      holdConstraint(set, row, side, bound);
      return 'solved';
    }
    releaseConstraint(set, blocking);
  }
}

/** Accepts a redundant row whose violation is rounding: widens it for the rest of this call. */
function hold(qp: Workspace, row: number): QpStatus {
  qp.low[row] = Number.NEGATIVE_INFINITY;
  qp.high[row] = Number.POSITIVE_INFINITY;
  return 'solved';
}

/** Whether the last proximal step is a direction without curvature that leads down and meets no constraint. */
function descendsForEver(qp: Workspace, { H, g }: QpProblem, C: Float64Array): boolean {
  const { n, x, centre, step, low, high, rowNorms } = qp;
  let length = 0;
  for (let i = 0; i < n; i++) {
    step[i] = x[i] - centre[i];
    length = Math.max(length, Math.abs(step[i]));
  }
  if (!(length > 0)) return false;
  for (let i = 0; i < n; i++) step[i] /= length;
  let slope = 0;
  let size = 0;
  let curvature = 0;
  let largest = 0;
  for (let i = 0; i < n; i++) {
    slope += g[i] * step[i];
    size = Math.max(size, Math.abs(g[i]));
    let sum = 0;
    for (let k = 0; k < n; k++) sum += (k <= i ? H[i * n + k] : H[k * n + i]) * step[k];
    curvature = Math.max(curvature, Math.abs(sum));
    largest = Math.max(largest, H[i * n + i]);
  }
  if (slope > -1e-9 * size || curvature > 1e-12 * largest) return false;
  for (let row = 0; row < low.length; row++) {
    let rate = row < n ? step[row] : 0;
    if (row >= n) for (let i = 0; i < n; i++) rate += C[(row - n) * n + i] * step[i];
    const allowed = 1e-9 * rowNorms[row];
    if (
      (rate > allowed && high[row] < Number.POSITIVE_INFINITY) ||
      (rate < -allowed && low[row] > Number.NEGATIVE_INFINITY)
    )
      return false;
  }
  return true;
}

/** Spreads the multipliers over all rows, keeps the set for a warm start, puts x inside its bounds to the last bit. */
function finish(qp: Workspace, status: QpStatus): QpStatus {
  const { n, x, set, multipliers, low, high, savedRows, savedSides } = qp;
  multipliers.fill(0);
  for (let k = 0; k < set.count; k++) {
    multipliers[set.rows[k]] = set.sides[k] * set.multipliers[k];
    savedRows[k] = set.rows[k];
    savedSides[k] = set.sides[k];
  }
  qp.savedCount = set.count;
  for (let i = 0; i < n; i++) {
    if (x[i] < low[i]) x[i] = low[i];
    else if (x[i] > high[i]) x[i] = high[i];
    if (!Number.isFinite(x[i])) x[i] = 0;
  }
  return status;
}

/** Kinds and lengths; the numbers are the caller's. */
function requireProblem(workspace: Qp, problem: QpProblem, options: QpOptions): void {
  if (!(workspace?.x instanceof Float64Array && workspace.multipliers instanceof Float64Array))
    throwMisuse('solveQp', 'workspace', workspace, 'what createQp returned');
  const { n } = workspace;
  requireObject('solveQp', 'problem', problem, 'an object with H and g');
  requireLength('solveQp', 'problem.H', problem.H, n * n);
  requireLength('solveQp', 'problem.g', problem.g, n);
  requireObject('solveQp', 'options', options);
  if (options.iterations !== undefined) requireNotNegative('solveQp', 'options.iterations', options.iterations);
  if (options.warm !== undefined) requireFlag('solveQp', 'options.warm', options.warm);
}

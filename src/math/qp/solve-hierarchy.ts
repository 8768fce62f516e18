/**
 * Least squares in strict order under hard bounds: x minimises |A1 x - b1|, among those minimisers |A2 x - b2|, and so on,
 * all with lower <= x <= upper and constraintLower <= C x <= constraintUpper.
 *
 * Method: N is an orthonormal basis of the directions that no level so far feels (at first all). Level k:
 * 1. B = Ak N, reduced from the right by Householder reflections with row pivoting, B Q = [L 0]; the rank shows in L, undamped,
 *    so what the level feels is cut from N exactly and no lower level can disturb it;
 * 2. y = argmin |L y - (bk - Ak x)|^2 + mu |y|^2; only this inverse is damped, and only near a singularity: mu rises from 0
 *    to damping^2 as the smallest pivot of L falls from `singularRegion` to 0;
 * 3. when x + N Q [y; 0] breaks a bound, the same minimum under all bounds, as a quadratic program in the basis N Q;
 * 4. N keeps the columns of N Q beyond the rank.
 * Without bounds in play this is the null-space solution x = A1^+ b1 + (A2 P1)^+ (b2 - A2 A1^+ b1) + ...; x starts at
 * `reference` clamped to the bounds and changes as little as the levels ask for.
 * Source: Siciliano, Slotine 1991, "A general framework for managing multiple tasks in highly redundant robotic systems",
 * doi:10.1109/ICAR.1991.240390; Escande, Mansard, Wieber 2014, "Hierarchical quadratic programming",
 * doi:10.1177/0278364914521306; Nakamura, Hanafusa 1986, "Inverse kinematic solutions with singularity robustness for robot
 * manipulator control", doi:10.1115/1.3143764 (damping); Chiaverini 1997, doi:10.1109/70.585902 (algorithmic singularities).
 *
 * Shapes: level matrices rows x n, row-major. Cost: about 2 rows n^2 per level, and a program of n unknowns where a bound is
 * in play; nothing is allocated after `createHierarchy`.
 * Ends: `solved`; `infeasible` when C contradicts the bounds (x is then the clamped reference) or lower > upper; `limit`
 * when a program ran out of iterations. Never throws for finite numbers, never writes NaN; x is inside lower and upper to
 * the last bit unless they contradict each other.
 * Tested by solve-hierarchy.test.ts.
 */
import {
  requireCount,
  requireLength,
  requireList,
  requireNotNegative,
  requireObject,
  throwMisuse,
} from '../arguments.js';
import { factorizeCholesky, solveCholesky } from '../dense/cholesky.js';
import { createQp, type Qp, type QpProblem, solveQp } from './solve-qp.js';

export type HierarchyStatus = 'solved' | 'infeasible' | 'limit';

export interface HierarchyLevel {
  /** rows x n, row-major. */
  readonly A: Float64Array;
  readonly b: Float64Array;
  readonly rows: number;
}

export interface HierarchyBounds {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** m x n, row-major, m at most what the workspace has room for. */
  readonly C?: Float64Array;
  readonly constraintLower?: Float64Array;
  readonly constraintUpper?: Float64Array;
}

export interface HierarchyOptions {
  /** Damping at a singularity, in units of A; default 0.05. 0 turns damping off. */
  readonly damping?: number;
  /** Pivot of A, in its units, below which damping sets in; default 0.02. */
  readonly singularRegion?: number;
}

export interface Hierarchy {
  readonly n: number;
  readonly levelCount: number;
  readonly x: Float64Array;
  /** |Ak x - bk| of each level. */
  readonly residuals: Float64Array;
  /** Rank of each level among the directions the levels above left, and the damping mu it used. */
  readonly ranks: Int32Array;
  readonly dampings: Float64Array;
}

/** What `createHierarchy` makes: the result and all scratch. */
interface Workspace extends Hierarchy {
  readonly rowCounts: Int32Array;
  readonly constraintRows: number;
  /** N, n x n row-major; the columns that are still free start at `first`. */
  readonly basis: Float64Array;
  readonly B: Float64Array;
  readonly pivots: Int32Array;
  readonly reflector: Float64Array;
  /** bk - Ak x, in the order of the rows. */
  readonly difference: Float64Array;
  readonly gram: Float64Array;
  readonly right: Float64Array;
  readonly solution: Float64Array;
  readonly trial: Float64Array;
  readonly programs: readonly Qp[];
  readonly H: Float64Array;
  readonly g: Float64Array;
  readonly C: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Pivots below this beside the largest row of the level count as zero. */
const RANK = 1e-9;

/** Room for `levelCount` levels of at most `rows` rows each and `constraintRows` rows of C. */
export function createHierarchy(n: number, levelCount: number, rows: number, constraintRows = 0): Hierarchy {
  requireCount('createHierarchy', 'n', n);
  requireCount('createHierarchy', 'levelCount', levelCount);
  requireCount('createHierarchy', 'rows', rows);
  requireCount('createHierarchy', 'constraintRows', constraintRows);
  const size = Math.max(n, rows);
  const workspace: Workspace = {
    n,
    levelCount,
    x: new Float64Array(n),
    residuals: new Float64Array(levelCount),
    ranks: new Int32Array(levelCount),
    dampings: new Float64Array(levelCount),
    rowCounts: new Int32Array(levelCount),
    constraintRows,
    basis: new Float64Array(n * n),
    B: new Float64Array(rows * n),
    pivots: new Int32Array(rows),
    reflector: new Float64Array(n),
    difference: new Float64Array(size),
    gram: new Float64Array(n * n),
    right: new Float64Array(n),
    solution: new Float64Array(n),
    trial: new Float64Array(n),
    programs: Array.from({ length: levelCount }, () => createQp(n, n + constraintRows)),
    H: new Float64Array(n * n),
    g: new Float64Array(n),
    C: new Float64Array((n + constraintRows) * n),
    low: new Float64Array(n + constraintRows),
    high: new Float64Array(n + constraintRows),
  };
  return workspace;
}

/** `reference`: where x starts; absent = 0. Result in `hierarchy.x`. */
export function solveHierarchy(
  workspace: Hierarchy,
  levels: readonly HierarchyLevel[],
  bounds: HierarchyBounds,
  options: HierarchyOptions = {},
  reference?: Float64Array,
): HierarchyStatus {
  requireRequest(workspace, levels, bounds, options);
  if (reference !== undefined) requireLength('solveHierarchy', 'reference', reference, workspace.n);
  const hierarchy = workspace as Workspace;
  const { n, x } = hierarchy;
  const { damping = 0.05, singularRegion = 0.02 } = options;
  const { lower, upper } = bounds;
  hierarchy.basis.fill(0);
  let status: HierarchyStatus = 'solved';
  for (let i = 0; i < n; i++) {
    hierarchy.basis[i * n + i] = 1;
    if (lower[i] > upper[i]) status = 'infeasible';
    x[i] = Math.max(lower[i], Math.min(upper[i], reference ? reference[i] : 0));
  }
  let first = 0;
  for (let k = 0; k < levels.length && status !== 'infeasible'; k++) {
    const { rows } = levels[k];
    const scale = projectLevel(hierarchy, levels[k], first);
    const rank = reduceRows(hierarchy, rows, first, RANK * scale);
    let smallest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < rank; i++)
      smallest = Math.min(smallest, Math.abs(hierarchy.B[hierarchy.pivots[i] * n + first + i]));
    const depth = smallest < singularRegion ? smallest / singularRegion : 1;
    const mu = damping * damping * (1 - depth * depth);
    hierarchy.ranks[k] = rank;
    hierarchy.rowCounts[k] = rows;
    hierarchy.dampings[k] = mu;
    solveLevel(hierarchy, rows, first, rank, mu);
    if (!acceptTrial(hierarchy, bounds)) status = solveBounded(hierarchy, bounds, k, first, mu);
    first += rank;
  }
  for (let k = 0; k < levels.length; k++) {
    const { A, b, rows } = levels[k];
    let squared = 0;
    for (let r = 0; r < rows; r++) {
      let sum = -b[r];
      for (let i = 0; i < n; i++) sum += A[r * n + i] * x[i];
      squared += sum * sum;
    }
    hierarchy.residuals[k] = Math.sqrt(squared);
  }
  return status;
}

/** B = Ak N over the free columns, and bk - Ak x; returns the largest norm of a row of Ak. */
function projectLevel(hierarchy: Workspace, { A, b, rows }: HierarchyLevel, first: number): number {
  const { n, x } = hierarchy;
  const { B, basis, difference } = hierarchy;
  let largest = 0;
  for (let r = 0; r < rows; r++) {
    const at = r * n;
    for (let c = first; c < n; c++) B[at + c] = 0;
    let product = 0;
    let squared = 0;
    for (let i = 0; i < n; i++) {
      const a = A[at + i];
      if (a === 0) continue;
      product += a * x[i];
      squared += a * a;
      for (let c = first; c < n; c++) B[at + c] += a * basis[i * n + c];
    }
    difference[r] = b[r] - product;
    largest = Math.max(largest, squared);
  }
  return Math.sqrt(largest);
}

/** B Q = [L 0] with rows taken largest first, N := N Q; returns the rank. Row i of L is row `pivots[i]` of B. */
function reduceRows(hierarchy: Workspace, rows: number, first: number, smallest: number): number {
  const { n } = hierarchy;
  const { B, basis, pivots, reflector: v } = hierarchy;
  for (let r = 0; r < rows; r++) pivots[r] = r;
  const most = Math.min(rows, n - first);
  for (let k = 0; k < most; k++) {
    const head = first + k;
    let best = k;
    let bestSquared = -1;
    for (let i = k; i < rows; i++) {
      const at = pivots[i] * n;
      let squared = 0;
      for (let c = head; c < n; c++) squared += B[at + c] * B[at + c];
      if (squared > bestSquared) {
        best = i;
        bestSquared = squared;
      }
    }
    const norm = Math.sqrt(bestSquared);
    if (!(norm > smallest)) return k;
    const row = pivots[best];
    pivots[best] = pivots[k];
    pivots[k] = row;
    const at = row * n;
    for (let c = head; c < n; c++) v[c] = B[at + c];
    v[head] += v[head] < 0 ? -norm : norm;
    let length = 0;
    for (let c = head; c < n; c++) length += v[c] * v[c];
    const scale = 2 / length;
    for (let i = k; i < rows; i++) reflectRow(B, pivots[i] * n, v, head, n, scale);
    for (let i = 0; i < n; i++) reflectRow(basis, i * n, v, head, n, scale);
  }
  return most;
}

function reflectRow(M: Float64Array, at: number, v: Float64Array, head: number, end: number, scale: number): void {
  let sum = 0;
  for (let c = head; c < end; c++) sum += M[at + c] * v[c];
  sum *= scale;
  for (let c = head; c < end; c++) M[at + c] -= sum * v[c];
}

/** y = argmin |L y - d|^2 + mu |y|^2 into `solution`, and x + N Q [y; 0] into `trial`. */
function solveLevel(hierarchy: Workspace, rows: number, first: number, rank: number, mu: number): void {
  const { n, x } = hierarchy;
  const { B, basis, pivots, difference, solution: y, trial } = hierarchy;
  if (rank === rows && mu === 0) {
    for (let i = 0; i < rank; i++) {
      const at = pivots[i] * n + first;
      let sum = difference[pivots[i]];
      for (let k = 0; k < i; k++) sum -= B[at + k] * y[k];
      y[i] = sum / B[at + i];
    }
  } else solveNormal(hierarchy, rows, first, rank, mu);
  for (let i = 0; i < n; i++) {
    let sum = x[i];
    for (let k = 0; k < rank; k++) sum += basis[i * n + first + k] * y[k];
    trial[i] = sum;
  }
}

/** The same by (L^T L + mu I) y = L^T d, refined once. */
function solveNormal(hierarchy: Workspace, rows: number, first: number, rank: number, mu: number): void {
  const { n, B, difference, gram, right, solution: y, trial: correction } = hierarchy;
  for (let a = 0; a < rank; a++) {
    for (let c = 0; c <= a; c++) {
      let sum = a === c ? mu : 0;
      for (let r = 0; r < rows; r++) sum += B[r * n + first + a] * B[r * n + first + c];
      gram[a * rank + c] = sum;
    }
    y[a] = 0;
  }
  // Pivots above the rank's threshold keep this definite unless their square underflows the rest: damp by rounding then.
  if (!factorizeCholesky(gram, rank)) {
    let trace = 0;
    for (let r = 0; r < rows; r++) for (let a = 0; a < rank; a++) trace += B[r * n + first + a] ** 2;
    if (trace > 0 && mu < Infinity) solveNormal(hierarchy, rows, first, rank, Math.max(10 * mu, 1e-13 * trace));
    return;
  }
  for (let round = 0; round < 2; round++) {
    for (let a = 0; a < rank; a++) right[a] = -mu * y[a];
    for (let r = 0; r < rows; r++) {
      const at = r * n + first;
      let sum = difference[r];
      for (let k = 0; k < rank; k++) sum -= B[at + k] * y[k];
      for (let a = 0; a < rank; a++) right[a] += B[at + a] * sum;
    }
    solveCholesky(correction, gram, rank, right);
    for (let a = 0; a < rank; a++) y[a] += correction[a];
  }
}

/** Takes the trial as x when it keeps all bounds. */
function acceptTrial(hierarchy: Workspace, bounds: HierarchyBounds): boolean {
  const { n, x } = hierarchy;
  const { trial } = hierarchy;
  const { lower, upper, C, constraintLower, constraintUpper } = bounds;
  for (let i = 0; i < n; i++) if (!(trial[i] >= lower[i] && trial[i] <= upper[i])) return false;
  for (let r = 0; C && r < C.length / n; r++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += C[r * n + i] * trial[i];
    if (constraintLower && sum < constraintLower[r]) return false;
    if (constraintUpper && sum > constraintUpper[r]) return false;
  }
  x.set(trial);
  return true;
}

/** The level's minimum under all bounds: unknowns z in the free columns of N Q, the columns before held at 0. */
function solveBounded(
  hierarchy: Workspace,
  bounds: HierarchyBounds,
  level: number,
  first: number,
  mu: number,
): HierarchyStatus {
  const { n, x } = hierarchy;
  const { B, basis, difference, H, g, C, low, high } = hierarchy;
  const { lower, upper } = bounds;
  const rank = hierarchy.ranks[level];
  const rows = hierarchy.rowCounts[level];
  H.fill(0);
  g.fill(0);
  let largest = 0;
  for (let a = first; a < first + rank; a++) {
    for (let c = first; c <= a; c++) {
      let sum = a === c ? mu : 0;
      for (let r = 0; r < rows; r++) sum += B[r * n + a] * B[r * n + c];
      H[a * n + c] = sum;
      H[c * n + a] = sum;
    }
    for (let r = 0; r < rows; r++) g[a] -= B[r * n + a] * difference[r];
    largest = Math.max(largest, H[a * n + a]);
  }
  for (let a = 0; a < first; a++) H[a * n + a] = largest > 0 ? largest : 1;
  C.fill(0);
  for (let i = 0; i < n; i++) {
    for (let c = first; c < n; c++) C[i * n + c] = basis[i * n + c];
    low[i] = lower[i] - x[i];
    high[i] = upper[i] - x[i];
  }
  projectConstraints(hierarchy, bounds, first);
  const problem: QpProblem = { H, g, C, constraintLower: low, constraintUpper: high };
  const program = hierarchy.programs[level];
  const status = solveQp(program, problem, { warm: true });
  if (status === 'infeasible') return 'infeasible';
  for (let i = 0; i < n; i++) {
    let sum = x[i];
    for (let c = first; c < n; c++) sum += basis[i * n + c] * program.x[c];
    x[i] = Math.max(lower[i], Math.min(upper[i], sum));
  }
  return status === 'solved' ? 'solved' : 'limit';
}

/** Rows of C N Q and their bounds less C x, below the n rows of the bounds. */
function projectConstraints(hierarchy: Workspace, bounds: HierarchyBounds, first: number): void {
  const { n, x } = hierarchy;
  const { basis, C, low, high } = hierarchy;
  for (let r = 0; r < hierarchy.constraintRows; r++) {
    const exists = bounds.C !== undefined && r < bounds.C.length / n;
    low[n + r] = Number.NEGATIVE_INFINITY;
    high[n + r] = Number.POSITIVE_INFINITY;
    if (!exists) continue;
    let product = 0;
    for (let i = 0; i < n; i++) {
      const a = (bounds.C as Float64Array)[r * n + i];
      product += a * x[i];
      for (let c = first; c < n; c++) C[(n + r) * n + c] += a * basis[i * n + c];
    }
    if (bounds.constraintLower) low[n + r] = bounds.constraintLower[r] - product;
    if (bounds.constraintUpper) high[n + r] = bounds.constraintUpper[r] - product;
  }
}

/** Kinds and lengths; the numbers are the caller's. */
function requireRequest(
  workspace: Hierarchy,
  levels: readonly HierarchyLevel[],
  bounds: HierarchyBounds,
  options: HierarchyOptions,
): void {
  const call = 'solveHierarchy';
  if (!(workspace?.residuals instanceof Float64Array))
    throwMisuse(call, 'workspace', workspace, 'what createHierarchy returned');
  const { n, levelCount } = workspace;
  requireList(call, 'levels', levels, 'a list of levels');
  if (levels.length > levelCount) throwMisuse(call, 'levels', levels, `at most ${levelCount}`);
  for (let k = 0; k < levels.length; k++) {
    requireObject(call, `levels[${k}]`, levels[k], 'a level with A, b and rows');
    const { A, b, rows } = levels[k];
    if (!(A?.length >= rows * n && b?.length >= rows))
      throwMisuse(call, `levels[${k}]`, levels[k], 'rows x n numbers in A, rows in b');
  }
  requireObject(call, 'bounds', bounds, 'an object with lower and upper');
  requireLength(call, 'bounds.lower', bounds.lower, n);
  requireLength(call, 'bounds.upper', bounds.upper, n);
  requireObject(call, 'options', options);
  if (options.damping !== undefined) requireDamping(options.damping);
  if (options.singularRegion !== undefined) requireNotNegative(call, 'options.singularRegion', options.singularRegion);
}

/** Its square is added to squares of the rows. */
const MOST_DAMPING = 1e15;

function requireDamping(damping: unknown): void {
  if (typeof damping !== 'number' || !(damping >= 0 && damping <= MOST_DAMPING))
    throwMisuse('solveHierarchy', 'options.damping', damping, `0 to ${MOST_DAMPING}`);
}

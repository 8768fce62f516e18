/**
 * The working set of a strictly convex quadratic program: the constraints held as equalities, and the factors that solve
 * the program on them.
 *
 * Method: J = L^-T Q with H = L L^T and J^T N = [R; 0], N the normals of the held constraints. One constraint more or less
 * is a handful of Givens turns of J's columns. On the set,
 *   x = J [R^-T b; -J2^T g],   u = R^-1 (R^-T b + J1^T g).
 * Source: Goldfarb, Idnani 1983, "A numerically stable dual method for solving strictly convex quadratic programs",
 * section 4, doi:10.1007/BF02591962.
 * Shapes: n unknowns; J is stored column by column (n x n), R upper triangular column by column (n x n).
 * Cost: n^2 per constraint added, dropped or solved; nothing is allocated after `createActiveSet`.
 * Tested by solve-qp.test.ts.
 */
import { factorizeCholesky } from '../dense/cholesky.js';

export interface ActiveSet {
  readonly n: number;
  readonly J: Float64Array;
  readonly R: Float64Array;
  /** Signed normals in J's columns: d = J^T normal of the constraint last projected. */
  readonly d: Float64Array;
  readonly work: Float64Array;
  readonly factors: Float64Array;
  /** Row of each held constraint, +1 (held at its lower bound) or -1 (upper), its multiplier and right-hand side. */
  readonly rows: Int32Array;
  readonly sides: Int8Array;
  readonly multipliers: Float64Array;
  readonly rightSides: Float64Array;
  count: number;
}

export function createActiveSet(n: number): ActiveSet {
  return {
    n,
    J: new Float64Array(n * n),
    R: new Float64Array(n * n),
    d: new Float64Array(n),
    work: new Float64Array(n),
    factors: new Float64Array(n * n),
    rows: new Int32Array(n),
    sides: new Int8Array(n),
    multipliers: new Float64Array(n),
    rightSides: new Float64Array(n),
    count: 0,
  };
}

/** Writes J = L^-T of H + shift I; returns the smallest pivot, 0 when the matrix is not positive definite. */
export function factorizeHessian(set: ActiveSet, H: Float64Array, shift: number): number {
  const { n, J, factors } = set;
  factors.set(H);
  for (let i = 0; i < n; i++) factors[i * n + i] += shift;
  set.count = 0;
  if (!factorizeCholesky(factors, n)) return 0;
  let smallest = Number.POSITIVE_INFINITY;
  J.fill(0);
  for (let k = 0; k < n; k++) {
    const pivot = factors[k * n + k];
    smallest = Math.min(smallest, pivot);
    const at = k * n;
    J[at + k] = 1 / Math.sqrt(pivot);
    for (let i = k - 1; i >= 0; i--) {
      let sum = 0;
      for (let r = i + 1; r <= k; r++) sum += factors[r * n + i] * J[at + r];
      J[at + i] = -sum;
    }
  }
  return smallest;
}

/** d = J^T normal, for row `row` of [I; C] (C row-major, n columns). Returns |d|^2. */
export function projectNormal(set: ActiveSet, C: Float64Array, row: number, side: number): number {
  const { n, J, d } = set;
  let squared = 0;
  for (let k = 0; k < n; k++) {
    let sum = 0;
    if (row < n) sum = J[k * n + row];
    else {
      const at = (row - n) * n;
      for (let i = 0; i < n; i++) sum += J[k * n + i] * C[at + i];
    }
    d[k] = side * sum;
    squared += sum * sum;
  }
  return squared;
}

/** Holds the constraint whose normal is in d; the caller has checked that d is not spanned by the held ones. */
export function holdConstraint(set: ActiveSet, row: number, side: number, rightSide: number): void {
  const { n, J, R, d, rows, sides, rightSides, count } = set;
  for (let k = n - 1; k > count; k--) {
    const a = d[k - 1];
    const b = d[k];
    if (b === 0) continue;
    const h = Math.sqrt(a * a + b * b);
    turnColumns(J, n, k - 1, a / h, b / h);
    d[k - 1] = h;
    d[k] = 0;
  }
  for (let i = 0; i <= count; i++) R[count * n + i] = d[i];
  rows[count] = row;
  sides[count] = side;
  rightSides[count] = rightSide;
  set.count = count + 1;
}

/** Lets the constraint at place `place` go. */
export function releaseConstraint(set: ActiveSet, place: number): void {
  const { n, J, R, rows, sides, multipliers, rightSides } = set;
  const last = set.count - 1;
  for (let c = place; c < last; c++) {
    for (let i = 0; i <= c + 1; i++) R[c * n + i] = R[(c + 1) * n + i];
    rows[c] = rows[c + 1];
    sides[c] = sides[c + 1];
    multipliers[c] = multipliers[c + 1];
    rightSides[c] = rightSides[c + 1];
  }
  set.count = last;
  for (let k = place; k < last; k++) {
    const a = R[k * n + k];
    const b = R[k * n + k + 1];
    if (b === 0) continue;
    const h = Math.sqrt(a * a + b * b);
    const c = a / h;
    const s = b / h;
    R[k * n + k] = h;
    R[k * n + k + 1] = 0;
    for (let col = k + 1; col < last; col++) {
      const u = R[col * n + k];
      const v = R[col * n + k + 1];
      R[col * n + k] = c * u + s * v;
      R[col * n + k + 1] = c * v - s * u;
    }
    turnColumns(J, n, k, c, s);
  }
}

/** Columns k and k + 1 of J: (c a + s b, c b - s a). */
function turnColumns(J: Float64Array, n: number, k: number, c: number, s: number): void {
  const a = k * n;
  const b = a + n;
  for (let i = 0; i < n; i++) {
    const u = J[a + i];
    const v = J[b + i];
    J[a + i] = c * u + s * v;
    J[b + i] = c * v - s * u;
  }
}

/** out = R^-1 out over the held constraints. */
export function solveTriangle(out: Float64Array, set: ActiveSet): void {
  const { n, R, count } = set;
  for (let i = count - 1; i >= 0; i--) {
    let sum = out[i];
    for (let c = i + 1; c < count; c++) sum -= R[c * n + i] * out[c];
    out[i] = sum / R[i * n + i];
  }
}

/** Writes x and the multipliers of the program on the held constraints: minimise x^T H x / 2 + g^T x. */
export function solveOnActiveSet(x: Float64Array, set: ActiveSet, g: Float64Array): void {
  const { n, J, R, work, multipliers, rightSides, count } = set;
  // work = J^T x: R^-T b, then -J2^T g.
  for (let i = 0; i < count; i++) {
    let sum = rightSides[i];
    for (let k = 0; k < i; k++) sum -= R[i * n + k] * work[k];
    work[i] = sum / R[i * n + i];
  }
  for (let k = 0; k < n; k++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += J[k * n + i] * g[i];
    if (k < count) multipliers[k] = work[k] + sum;
    else work[k] = -sum;
  }
  solveTriangle(multipliers, set);
  x.fill(0);
  for (let k = 0; k < n; k++) {
    const w = work[k];
    for (let i = 0; i < n; i++) x[i] += w * J[k * n + i];
  }
}

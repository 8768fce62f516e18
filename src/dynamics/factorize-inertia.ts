/**
 * M = L^T D L of a joint space inertia matrix, and its solution of M X = B.
 *
 * Method: L is unit lower triangular; entry (i, k) is zero unless column k supports column i, so only ancestors are visited.
 * Mimic joints couple branches; then every earlier column counts as an ancestor and the same code is the dense one.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 6.5 (LTDL), doi:10.1007/978-1-4899-7560-7;
 * Featherstone 2005, "Efficient factorization of the joint-space inertia matrix for branched kinematic trees",
 * doi:10.1177/0278364905054928.
 * Shapes: nv x nv, row-major; D on the diagonal of the factors, L below it.
 * Cost: nv x depth^2 to factorise, nv x depth per column to solve, no allocation. Fails: returns false for a pivot at or below nv x 2^-52 x the diagonal entry it came
 * from (a body without inertia along its joint); the factors are then of no use.
 * Tested by crba.test.ts.
 */

/** `parents[i]`: the nearest column before i that supports it, -1 for none. `factors` is not M itself. */
export function factorizeInertia(
  factors: Float64Array,
  M: Float64Array,
  n: number,
  parents: ArrayLike<number>,
): boolean {
  factors.set(M);
  const L = factors;
  for (let k = n - 1; k >= 0; k--) {
    const pivot = L[k * n + k];
    if (!(pivot > n * Number.EPSILON * M[k * n + k])) return false;
    for (let i = parents[k]; i >= 0; i = parents[i]) {
      const ratio = L[k * n + i] / pivot;
      for (let j = i; j >= 0; j = parents[j]) L[i * n + j] -= ratio * L[k * n + j];
      L[k * n + i] = ratio;
    }
  }
  return true;
}

/** Overwrites B, n rows of `columns` numbers, with X of M X = B. Whole rows are combined, so many columns cost little each. */
export function solveInertia(
  B: Float64Array,
  columns: number,
  factors: Float64Array,
  n: number,
  parents: ArrayLike<number>,
): Float64Array {
  for (let i = n - 1; i >= 0; i--) {
    for (let j = parents[i]; j >= 0; j = parents[j]) subtractRow(B, columns, j, i, factors[i * n + j]);
  }
  for (let i = 0; i < n; i++) {
    const inverse = 1 / factors[i * n + i];
    for (let k = i * columns; k < (i + 1) * columns; k++) B[k] *= inverse;
    for (let j = parents[i]; j >= 0; j = parents[j]) subtractRow(B, columns, i, j, factors[i * n + j]);
  }
  return B;
}

/** Row r -= factor row s. */
function subtractRow(B: Float64Array, columns: number, r: number, s: number, factor: number): void {
  const to = r * columns;
  const from = s * columns;
  for (let k = 0; k < columns; k++) B[to + k] -= factor * B[from + k];
}

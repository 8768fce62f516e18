/**
 * A x = b where A, symmetric or not, has entries only between a velocity and those that support it (factorize-inertia.ts has the symmetric
 * case): elimination from the leaves to the root fills nothing in.
 *
 * Shapes: A n x n, row-major, overwritten; b n numbers, overwritten with x. No pivots are sought: A is 1 and what is nearly positive.
 * Source: Featherstone 2005, "Efficient factorization of the joint-space inertia matrix for branched kinematic trees",
 * doi:10.1177/0278364905054928. Cost: n x depth^2, no allocation. Fails: false at a pivot near 0.
 * Tested by solve-in-velocities.test.ts.
 */

const LEAST_PIVOT = 1e-12;

/** `parents[k]`: the nearest velocity before k that supports it, -1 for none. */
export function solveAlongTree(A: Float64Array, b: Float64Array, n: number, parents: Int32Array): boolean {
  for (let k = n - 1; k >= 0; k--) {
    const pivot = A[k * n + k];
    if (!(Math.abs(pivot) > LEAST_PIVOT)) return false;
    const inverse = 1 / pivot;
    for (let i = parents[k]; i >= 0; i = parents[i]) {
      const ratio = A[i * n + k] * inverse;
      if (ratio === 0) continue;
      for (let j = parents[k]; j >= 0; j = parents[j]) A[i * n + j] -= ratio * A[k * n + j];
      b[i] -= ratio * b[k];
    }
  }
  for (let k = 0; k < n; k++) {
    let sum = b[k];
    for (let j = parents[k]; j >= 0; j = parents[j]) sum -= A[k * n + j] * b[j];
    b[k] = sum / A[k * n + k];
  }
  return true;
}

/** As `solveAlongTree` where A is symmetric and has its lower triangle: half the cost. */
export function solveSymmetricAlongTree(A: Float64Array, b: Float64Array, n: number, parents: Int32Array): boolean {
  for (let k = n - 1; k >= 0; k--) {
    const row = k * n;
    const pivot = A[row + k];
    if (!(pivot > LEAST_PIVOT)) return false;
    const inverse = 1 / pivot;
    const own = b[k];
    for (let i = parents[k]; i >= 0; i = parents[i]) {
      const ratio = A[row + i] * inverse;
      if (ratio === 0) continue;
      const to = i * n;
      for (let j = i; j >= 0; j = parents[j]) A[to + j] -= ratio * A[row + j];
      b[i] -= ratio * own;
    }
  }
  for (let k = 0; k < n; k++) {
    let sum = b[k];
    for (let j = parents[k]; j >= 0; j = parents[j]) sum -= A[k * n + j] * b[j];
    b[k] = sum / A[k * n + k];
  }
  return true;
}

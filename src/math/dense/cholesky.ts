/**
 * A = L D L^T of a symmetric positive definite matrix, and its solution of A x = b.
 *
 * Source: Golub, Van Loan 2013, "Matrix computations", section 4.1.2, doi:10.56021/9781421407944.
 * Shapes: `a` is n x n, row-major; only its lower triangle is read. Cost: n^3/6 products, nothing is allocated.
 * Fails: a pivot at or below n x 2^-52 x the largest diagonal entry returns false (the matrix is not safely positive
 * definite); what was factorised up to there is left in `a`. Tested by dense.test.ts.
 */

/** Overwrites the lower triangle of `a`: D on the diagonal, L (unit diagonal) below it. */
export function factorizeCholesky(a: Float64Array, n: number): boolean {
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(a[i * n + i]));
  const smallest = n * Number.EPSILON * largest;
  for (let j = 0; j < n; j++) {
    let d = a[j * n + j];
    for (let k = 0; k < j; k++) d -= a[j * n + k] * a[j * n + k] * a[k * n + k];
    if (!(d > smallest)) return false;
    a[j * n + j] = d;
    for (let i = j + 1; i < n; i++) {
      let sum = a[i * n + j];
      for (let k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k] * a[k * n + k];
      a[i * n + j] = sum / d;
    }
  }
  return true;
}

/** x of A x = b from the factors; `out` may be `b`. */
export function solveCholesky(out: Float64Array, factors: Float64Array, n: number, b: Float64Array): Float64Array {
  for (let i = 0; i < n; i++) {
    let sum = b[i];
    for (let k = 0; k < i; k++) sum -= factors[i * n + k] * out[k];
    out[i] = sum;
  }
  for (let i = 0; i < n; i++) out[i] /= factors[i * n + i];
  for (let i = n - 1; i >= 0; i--) {
    let sum = out[i];
    for (let k = i + 1; k < n; k++) sum -= factors[k * n + i] * out[k];
    out[i] = sum;
  }
  return out;
}

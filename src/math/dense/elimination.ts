/**
 * A x = b by Gauss's elimination with row pivots, for square matrices that are neither symmetric nor definite.
 *
 * Source: Golub, Van Loan 2013, "Matrix computations", section 3.4.1, doi:10.56021/9781421407944.
 * Shapes: `A` is n x n, row-major; both are overwritten, `v` = b by x. Cost: n^3/3 products, nothing is allocated.
 * Fails: false where no entry that is left in a column is larger than `leastPivot`. Tested by dense.test.ts.
 */

export function solveByElimination(A: Float64Array, v: Float64Array, n: number, leastPivot: number): boolean {
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(A[r * n + c]) > Math.abs(A[pivot * n + c])) pivot = r;
    const p = A[pivot * n + c];
    if (!(Math.abs(p) > leastPivot)) return false;
    if (pivot !== c) {
      for (let k = c; k < n; k++) {
        const t = A[c * n + k];
        A[c * n + k] = A[pivot * n + k];
        A[pivot * n + k] = t;
      }
      const t = v[c];
      v[c] = v[pivot];
      v[pivot] = t;
    }
    for (let r = c + 1; r < n; r++) {
      const ratio = A[r * n + c] / p;
      if (ratio === 0) continue;
      for (let k = c + 1; k < n; k++) A[r * n + k] -= ratio * A[c * n + k];
      v[r] -= ratio * v[c];
    }
  }
  for (let c = n - 1; c >= 0; c--) {
    let sum = v[c];
    for (let k = c + 1; k < n; k++) sum -= A[c * n + k] * v[k];
    v[c] = sum / A[c * n + c];
  }
  return true;
}

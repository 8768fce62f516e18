/**
 * P A = L U with row pivots, and solutions for many right sides: for matrices that are neither symmetric nor definite.
 *
 * Source: Golub, Van Loan 2013, "Matrix computations", section 3.4, doi:10.56021/9781421407944.
 * Shapes: A is n x n, B n x m, row-major; both are overwritten, B by A^-1 B. Cost: n^3/3 + n^2 m products, no allocation.
 * Fails: false where a column has no entry left that is larger than `leastPivot`; A is then half factorised.
 * Tested by products.test.ts.
 */

export function factorizeLu(A: Float64Array, n: number, pivots: Int32Array, leastPivot = 0): boolean {
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(A[r * n + c]) > Math.abs(A[pivot * n + c])) pivot = r;
    const p = A[pivot * n + c];
    if (!(Math.abs(p) > leastPivot)) return false;
    pivots[c] = pivot;
    if (pivot !== c) swapRows(A, c, pivot, n);
    for (let r = c + 1; r < n; r++) {
      const ratio = A[r * n + c] / p;
      A[r * n + c] = ratio;
      if (ratio === 0) continue;
      for (let k = c + 1; k < n; k++) A[r * n + k] -= ratio * A[c * n + k];
    }
  }
  return true;
}

/** B = A^-1 B, n x m. */
export function solveLu(B: Float64Array, LU: Float64Array, n: number, pivots: Int32Array, m: number): Float64Array {
  for (let r = 0; r < n; r++) if (pivots[r] !== r) swapRows(B, r, pivots[r], m);
  for (let r = 0; r < n; r++) {
    for (let k = 0; k < r; k++) {
      const x = LU[r * n + k];
      if (x !== 0) for (let j = 0; j < m; j++) B[r * m + j] -= x * B[k * m + j];
    }
  }
  for (let r = n - 1; r >= 0; r--) {
    for (let k = r + 1; k < n; k++) {
      const x = LU[r * n + k];
      if (x !== 0) for (let j = 0; j < m; j++) B[r * m + j] -= x * B[k * m + j];
    }
    const p = LU[r * n + r];
    for (let j = 0; j < m; j++) B[r * m + j] /= p;
  }
  return B;
}

function swapRows(a: Float64Array, r: number, s: number, m: number): void {
  for (let j = 0; j < m; j++) {
    const t = a[r * m + j];
    a[r * m + j] = a[s * m + j];
    a[s * m + j] = t;
  }
}

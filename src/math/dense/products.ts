/**
 * Products of dense matrices, row-major. All write `out`, which may not be an input, and return it; nothing is checked.
 *
 * Sizes are those of the result and of what is summed over: m x n, and k. Cost: m n k products, nothing is allocated.
 * Tested by products.test.ts.
 */

/** out (m x n) = a b, with a m x k and b k x n; added to `out` with `add`. */
export function multiplyMatrices(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  [m, k, n]: readonly [number, number, number],
  add = 0,
): Float64Array {
  if (add === 0) out.fill(0, 0, m * n);
  for (let i = 0; i < m; i++) {
    for (let l = 0; l < k; l++) {
      const x = a[i * k + l];
      if (x === 0) continue;
      const row = l * n;
      const at = i * n;
      for (let j = 0; j < n; j++) out[at + j] += x * b[row + j];
    }
  }
  return out;
}

/** out (m x n) = a^T b, with a k x m and b k x n; added to `out` with `add`. */
export function multiplyTransposedMatrices(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  [m, k, n]: readonly [number, number, number],
  add = 0,
): Float64Array {
  if (add === 0) out.fill(0, 0, m * n);
  for (let l = 0; l < k; l++) {
    const row = l * n;
    for (let i = 0; i < m; i++) {
      const x = a[l * m + i];
      if (x === 0) continue;
      const at = i * n;
      for (let j = 0; j < n; j++) out[at + j] += x * b[row + j];
    }
  }
  return out;
}

/** out (m x n) = a b^T, with a m x k and b n x k. */
export function multiplyByTransposed(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  [m, k, n]: readonly [number, number, number],
): Float64Array {
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let l = 0; l < k; l++) sum += a[i * k + l] * b[j * k + l];
      out[i * n + j] = sum;
    }
  }
  return out;
}

/** out (n x m) = a^T, a m x n. */
export function transposeMatrix(out: Float64Array, a: Float64Array, m: number, n: number): Float64Array {
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) out[j * m + i] = a[i * n + j];
  return out;
}

/** a = (a + a^T) / 2, n x n. */
export function symmetrize(a: Float64Array, n: number): Float64Array {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const mean = 0.5 * (a[i * n + j] + a[j * n + i]);
      a[i * n + j] = mean;
      a[j * n + i] = mean;
    }
  }
  return a;
}

/** Root of the sum of squares, of numbers between 1e-150 and 1e150. */
export function frobeniusNorm(a: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * a[i];
  return Math.sqrt(sum);
}

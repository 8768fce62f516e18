/** Matrices of requests: row-major numbers, whose sizes follow from A (n x n) and from each other. */

import { requireNumbers } from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';

/** Side of a square matrix. */
export function readSide(call: string, what: string, matrix: unknown): number {
  requireNumbers(call, what, matrix);
  const { length } = matrix as ArrayLike<number>;
  const n = Math.round(Math.sqrt(length));
  if (n * n !== length || n === 0)
    throw new MisuseError(`${call}: ${what}, got ${length} numbers, expected a square matrix`);
  return n;
}

/** Columns of a matrix of `rows` rows. */
export function readColumns(call: string, what: string, matrix: unknown, rows: number): number {
  requireNumbers(call, what, matrix);
  const { length } = matrix as ArrayLike<number>;
  if (length === 0 || length % rows !== 0)
    throw new MisuseError(`${call}: ${what}, got ${length} numbers, expected ${rows} rows`);
  return length / rows;
}

export function readMatrix(call: string, what: string, matrix: unknown, rows: number, columns: number): Float64Array {
  requireNumbers(call, what, matrix);
  const { length } = matrix as ArrayLike<number>;
  if (length !== rows * columns)
    throw new MisuseError(`${call}: ${what}, got ${length} numbers, expected ${rows} x ${columns}`);
  return Float64Array.from(matrix as ArrayLike<number>);
}

/** A symmetric matrix; its two halves may differ by rounding only. */
export function readSymmetric(call: string, what: string, matrix: unknown, n: number): Float64Array {
  const a = readMatrix(call, what, matrix, n, n);
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const [below, above] = [a[i * n + j], a[j * n + i]];
      const size = Math.sqrt(Math.abs(a[i * n + i] * a[j * n + j]));
      if (Math.abs(below - above) > 1e-8 * Math.max(Math.abs(below), size, 1e-6 * largest))
        throw new MisuseError(`${call}: ${what}, got ${below} and ${above} at ${i}, ${j}, expected a symmetric matrix`);
      a[i * n + j] = 0.5 * (below + above);
      a[j * n + i] = a[i * n + j];
    }
  }
  return a;
}

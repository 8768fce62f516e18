import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.js';
import { factorizeLu, solveLu } from './lu.js';
import {
  frobeniusNorm,
  multiplyByTransposed,
  multiplyMatrices,
  multiplyTransposedMatrices,
  symmetrize,
  transposeMatrix,
} from './products.js';

const random = createRandom(11);
const draw = (count: number) => Float64Array.from({ length: count }, () => random.uniform(-1, 1));

describe('Products of matrices', () => {
  it('agree with the sum of the definition and with each other', () => {
    const [m, k, n] = [4, 3, 5];
    const a = draw(m * k);
    const b = draw(k * n);
    const product = multiplyMatrices(new Float64Array(m * n), a, b, [m, k, n]);
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let l = 0; l < k; l++) sum += a[i * k + l] * b[l * n + j];
        expect(product[i * n + j]).toBeCloseTo(sum, 14);
      }
    }
    const at = transposeMatrix(new Float64Array(m * k), a, m, k);
    const bt = transposeMatrix(new Float64Array(k * n), b, k, n);
    const left = multiplyTransposedMatrices(new Float64Array(m * n), at, b, [m, k, n]);
    const right = multiplyByTransposed(new Float64Array(m * n), a, bt, [m, k, n]);
    for (let i = 0; i < m * n; i++) {
      expect(left[i]).toBeCloseTo(product[i], 14);
      expect(right[i]).toBeCloseTo(product[i], 14);
    }
    const twice = multiplyMatrices(product.slice(), a, b, [m, k, n], 1);
    expect(frobeniusNorm(twice)).toBeCloseTo(2 * frobeniusNorm(product), 12);
    const square = symmetrize(draw(9), 3);
    expect(square).toEqual(transposeMatrix(new Float64Array(9), square, 3, 3));
  });

  it('solves systems with many right sides, and says when there is no pivot', () => {
    for (let n = 1; n < 9; n++) {
      const A = draw(n * n);
      A[0] = 0;
      if (n === 1) A[0] = 3;
      const X = draw(n * 2);
      const B = multiplyMatrices(new Float64Array(n * 2), A, X, [n, n, 2]);
      const pivots = new Int32Array(n);
      expect(factorizeLu(A, n, pivots)).toBe(true);
      solveLu(B, A, n, pivots, 2);
      for (let i = 0; i < 2 * n; i++) expect(B[i]).toBeCloseTo(X[i], 8);
    }
    expect(factorizeLu(Float64Array.of(1, 2, 2, 4), 2, new Int32Array(2))).toBe(false);
  });
});

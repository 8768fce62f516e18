import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.js';
import { factorizeCholesky, solveCholesky } from './cholesky.js';
import { solveDampedSix } from './damped-six.js';
import { eigenSymmetric, eigenSymmetric3 } from './eigen.js';
import { solveByElimination } from './elimination.js';
import { createQr, factorizeQr, multiplyQ, solveQr } from './qr.js';
import { computeSvd, createSvd, solveSvd } from './svd.js';

const random = createRandom(2024);
const draw = (count: number): Float64Array => Float64Array.from({ length: count }, () => random.normal());

/** a (m x k) times b (k x n) */
function multiply(a: ArrayLike<number>, b: ArrayLike<number>, m: number, k: number, n: number): Float64Array {
  const out = new Float64Array(m * n);
  for (let r = 0; r < m; r++) {
    for (let c = 0; c < n; c++) for (let i = 0; i < k; i++) out[r * n + c] += a[r * k + i] * b[i * n + c];
  }
  return out;
}

function transpose(a: ArrayLike<number>, m: number, n: number): Float64Array {
  return Float64Array.from({ length: m * n }, (_, i) => a[(i % m) * n + Math.floor(i / m)]);
}

function worst(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let error = 0;
  for (let i = 0; i < b.length; i++) error = Math.max(error, Math.abs(a[i] - b[i]));
  return error;
}

/** A matrix of rank r. */
const lowRank = (m: number, n: number, r: number): Float64Array => multiply(draw(m * r), draw(r * n), m, r, n);

it('Q of a QR factorisation is orthogonal, Q R the permuted matrix, its last columns the complement', () => {
  for (const [m, n] of [
    [7, 6],
    [9, 6],
    [5, 5],
    [3, 6],
  ]) {
    const a = draw(m * n);
    const qr = createQr(m, n);
    factorizeQr(qr, a);
    for (let c = 0; c < n; c++) {
      const column = Float64Array.from({ length: m }, (_, r) => (r <= c ? qr.factors[r * n + c] : 0));
      multiplyQ(column, qr, column);
      const expected = Float64Array.from({ length: m }, (_, r) => a[r * n + qr.pivots[c]]);
      expect(worst(column, expected)).toBeLessThan(1e-13);
    }
    const x = draw(m);
    const back = multiplyQ(new Float64Array(m), qr, multiplyQ(new Float64Array(m), qr, x), true);
    expect(worst(back, x)).toBeLessThan(1e-13);
    for (let k = n; k < m; k++) {
      const q = multiplyQ(
        new Float64Array(m),
        qr,
        Float64Array.from({ length: m }, (_, r) => (r === k ? 1 : 0)),
      );
      expect(worst(multiply(transpose(a, m, n), q, n, m, 1), new Float64Array(n))).toBeLessThan(1e-13);
    }
  }
});

describe('Cholesky', () => {
  it.each([1, 3, 7, 20])('solves positive definite systems of size %i, in place too', (n) => {
    const g = draw(n * n);
    const a = multiply(g, transpose(g, n, n), n, n, n);
    for (let i = 0; i < n; i++) a[i * n + i] += 0.5;
    const x = draw(n);
    const b = multiply(a, x, n, n, 1);
    const factors = Float64Array.from(a);
    expect(factorizeCholesky(factors, n)).toBe(true);
    const solution = solveCholesky(new Float64Array(n), factors, n, b);
    expect(worst(solution, x)).toBeLessThan(1e-11);
    expect(solveCholesky(b, factors, n, b)).toEqual(solution);
  });

  it('refuses what is not positive definite', () => {
    expect(factorizeCholesky(Float64Array.of(1, 2, 2, 1), 2)).toBe(false);
    expect(factorizeCholesky(Float64Array.of(1, 1, 1, 1), 2)).toBe(false);
    expect(factorizeCholesky(Float64Array.of(0), 1)).toBe(false);
    expect(factorizeCholesky(Float64Array.of(Number.NaN), 1)).toBe(false);
  });
});

describe('damped system of six rows', () => {
  it('gives what Cholesky gives, over any choice of columns; refuses what is singular', () => {
    for (const n of [6, 7, 12]) {
      const A = draw(6 * n);
      const e = draw(6);
      const indices = Int32Array.from({ length: n }, (_, k) => n - 1 - k);
      for (const count of [n, n - 2, 3, 0]) {
        const mu = 0.01;
        const gram = new Float64Array(36);
        for (let r = 0; r < 6; r++) {
          for (let c = 0; c < 6; c++) {
            gram[6 * r + c] = r === c ? mu : 0;
            for (let m = 0; m < count; m++) gram[6 * r + c] += A[6 * indices[m] + r] * A[6 * indices[m] + c];
          }
        }
        expect(factorizeCholesky(gram, 6)).toBe(true);
        const out = new Float64Array(n).fill(7);
        expect(solveDampedSix(out, A, { indices, count }, mu, e)).toBe(true);
        const y = solveCholesky(new Float64Array(6), gram, 6, e);
        const expected = new Float64Array(n).fill(7);
        for (let m = 0; m < count; m++) {
          const at = 6 * indices[m];
          expected[indices[m]] = multiply(A.subarray(at, at + 6), y, 1, 6, 1)[0];
        }
        const scale = Math.max(...expected.map(Math.abs));
        expect(worst(out, expected) / scale).toBeLessThan(1e-11);
        expect(solveDampedSix(out, A, { indices, count: Math.min(count, 3) }, 0, e)).toBe(false);
      }
    }
  });
});

describe('QR with pivoting', () => {
  it.each([
    [6, 6, 6],
    [9, 4, 4],
    [6, 7, 6],
    [8, 6, 3],
    [3, 3, 0],
  ])('%i x %i of rank %i: the rank is found, the residual is orthogonal to the columns', (m, n, r) => {
    const a = r === 0 ? new Float64Array(m * n) : lowRank(m, n, r);
    const qr = createQr(m, n);
    expect(factorizeQr(qr, a)).toBe(r);
    const b = draw(m);
    const x = solveQr(new Float64Array(n), qr, b);
    const residual = multiply(a, x, m, n, 1).map((value, i) => value - b[i]);
    expect(worst(multiply(transpose(a, m, n), residual, n, m, 1), new Float64Array(n))).toBeLessThan(1e-12);
    expect(x.filter((value) => value !== 0).length).toBe(r);
  });

  it('keeps range: entries of 1e200 and 1e-200', () => {
    for (const scale of [1e200, 1e-200]) {
      const qr = createQr(2, 2);
      factorizeQr(qr, [2 * scale, scale, scale, 3 * scale]);
      expect(worst(solveQr(new Float64Array(2), qr, [3 * scale, 4 * scale]), [1, 1])).toBeLessThan(1e-14);
    }
    expect(() => factorizeQr(createQr(2, 2), [1])).toThrow('factorizeQr: a, got 1 numbers, expected 4 numbers');
  });
});

describe('singular values', () => {
  it.each([
    [6, 6],
    [9, 4],
    [6, 7],
    [1, 5],
    [5, 1],
  ])('%i x %i: factors are orthonormal, sorted, and reproduce A', (m, n) => {
    const a = draw(m * n);
    const k = Math.min(m, n);
    const svd = computeSvd(createSvd(m, n), a);
    expect(svd.converged).toBe(true);
    const identity = Float64Array.from({ length: k * k }, (_, i) => (i % (k + 1) === 0 ? 1 : 0));
    expect(worst(multiply(svd.u, transpose(svd.u, k, m), k, m, k), identity)).toBeLessThan(1e-14);
    expect(worst(multiply(svd.v, transpose(svd.v, k, n), k, n, k), identity)).toBeLessThan(1e-14);
    const scaled = svd.v.map((value, i) => value * svd.s[Math.floor(i / n)]);
    expect(worst(multiply(transpose(svd.u, k, m), scaled, m, k, n), a)).toBeLessThan(1e-14);
    expect([...svd.s]).toEqual([...svd.s].sort((x, y) => y - x));
  });

  it('a known spectrum, small values with relative accuracy', () => {
    // diag(1, 1e-8, 1e-15) between two turns about different axes.
    const [c, s] = [0.6, 0.8];
    const left = [c, -s, 0, s, c, 0, 0, 0, 1];
    const right = [1, 0, 0, 0, c, -s, 0, s, c];
    const graded = multiply(multiply(left, [1, 0, 0, 0, 1e-8, 0, 0, 0, 1e-15], 3, 3, 3), right, 3, 3, 3);
    const svd = computeSvd(createSvd(3, 3), graded);
    [1, 1e-8, 1e-15].forEach((value, i) => {
      expect(Math.abs(svd.s[i] / value - 1)).toBeLessThan(1e-8);
    });
  });

  it('solves: least norm for dependent columns, damped when asked, in place', () => {
    const a = lowRank(6, 7, 3);
    const svd = computeSvd(createSvd(6, 7), a);
    const b = draw(6);
    const x = solveSvd(new Float64Array(7), svd, b);
    const residual = multiply(a, x, 6, 7, 1).map((value, i) => value - b[i]);
    expect(worst(multiply(transpose(a, 6, 7), residual, 7, 6, 1), new Float64Array(7))).toBeLessThan(1e-11);
    // Of all solutions the shortest: the basic one of QR is no shorter.
    const qr = createQr(6, 7);
    factorizeQr(qr, a);
    const basic = solveQr(new Float64Array(7), qr, b);
    const norm = (v: Float64Array): number => Math.hypot(...v);
    expect(norm(x)).toBeLessThan(norm(basic));
    // Damped: (A^T A + d^2 I) x = A^T b.
    const damped = solveSvd(new Float64Array(7), svd, b, 0.3);
    const normal = multiply(transpose(a, 6, 7), a, 7, 6, 7);
    for (let i = 0; i < 7; i++) normal[8 * i] += 0.09;
    expect(worst(multiply(normal, damped, 7, 7, 1), multiply(transpose(a, 6, 7), b, 7, 6, 1))).toBeLessThan(1e-12);
    const square = computeSvd(createSvd(2, 2), [2, 1, 1, 3]);
    const inPlace = Float64Array.of(3, 4);
    expect(worst(solveSvd(inPlace, square, inPlace), [1, 1])).toBeLessThan(1e-15 * 10);
    expect([...computeSvd(createSvd(2, 3), new Float64Array(6)).s]).toEqual([0, 0]);
  });
});

describe('symmetric eigenvalues', () => {
  it.each([1, 2, 3, 6, 15])('size %i: A V = V diag, vectors orthonormal, sorted', (n) => {
    const g = draw(n * n);
    const a = g.map((value, i) => value + g[(i % n) * n + Math.floor(i / n)]);
    const values = new Float64Array(n);
    const vectors = new Float64Array(n * n);
    expect(eigenSymmetric(values, vectors, a, n)).toBe(true);
    const scaled = vectors.map((value, i) => value * values[i % n]);
    expect(worst(multiply(a, vectors, n, n, n), scaled)).toBeLessThan(1e-13);
    const gram = multiply(transpose(vectors, n, n), vectors, n, n, n);
    expect(
      worst(
        gram,
        Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0)),
      ),
    ).toBeLessThan(1e-14);
    expect([...values]).toEqual([...values].sort((x, y) => y - x));
  });

  it('3x3: right-handed axes; equal, zero and widely spread values', () => {
    const values = new Float64Array(3);
    const vectors = new Float64Array(9);
    const determinant = (): number =>
      vectors[0] * (vectors[4] * vectors[8] - vectors[5] * vectors[7]) -
      vectors[1] * (vectors[3] * vectors[8] - vectors[5] * vectors[6]) +
      vectors[2] * (vectors[3] * vectors[7] - vectors[4] * vectors[6]);
    const cases = [
      [2, 0, 0, 0, 2, 0, 0, 0, 2],
      [0, 0, 0, 0, 0, 0, 0, 0, 0],
      [1e-8, 1e-9, 0, 1e-9, 1e8, 1e3, 0, 1e3, 1],
      [0, 1, 0, 1, 0, 0, 0, 0, 0],
      [1, 2, 3, 2, 4, 6, 3, 6, 9],
    ];
    for (const a of cases) {
      expect(eigenSymmetric3(values, vectors, a)).toBe(true);
      expect(determinant()).toBeCloseTo(1, 14);
      const size = Math.max(1e-300, ...a.map(Math.abs));
      const scaled = vectors.map((value, i) => value * values[i % 3]);
      expect(worst(multiply(a, vectors, 3, 3, 3), scaled)).toBeLessThanOrEqual(1e-15 * 10 * size);
    }
  });
});

describe('solveByElimination', () => {
  it('solves random systems, also with zeros on the diagonal, and says where there is no pivot', () => {
    for (let n = 1; n <= 12; n++) {
      const A = draw(n * n);
      for (let i = 0; n > 1 && i < n; i++) A[i * n + i] = 0;
      const x = draw(n);
      const v = multiply(A, x, n, n, 1);
      expect(solveByElimination(A.slice(), v, n, 1e-14)).toBe(true);
      expect(worst(v, x)).toBeLessThan(1e-9);
      // A row twice.
      for (let k = 0; n > 1 && k < n; k++) A[k] = A[n + k];
      if (n > 1) expect(solveByElimination(A, multiply(A, x, n, n, 1), n, 1e-12)).toBe(false);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { computeSvd, createSvd, solveSvd } from '../dense/svd.js';
import { createRandom, type Random } from '../random.js';
import { createHierarchy, type HierarchyLevel, solveHierarchy } from './solve-hierarchy.js';
import { createQp, solveQp } from './solve-qp.js';

const draw = (random: Random, count: number): Float64Array =>
  Float64Array.from({ length: count }, () => random.normal());
const level = (random: Random, rows: number, n: number): HierarchyLevel => ({
  A: draw(random, rows * n),
  b: draw(random, rows),
  rows,
});
const free = (n: number) => ({
  lower: new Float64Array(n).fill(Number.NEGATIVE_INFINITY),
  upper: new Float64Array(n).fill(Number.POSITIVE_INFINITY),
});
const box = (n: number, size: number) => ({
  lower: new Float64Array(n).fill(-size),
  upper: new Float64Array(n).fill(size),
});

function apply(A: ArrayLike<number>, x: ArrayLike<number>): number[] {
  const n = x.length;
  return Array.from({ length: A.length / n }, (_, r) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += A[r * n + i] * x[i];
    return sum;
  });
}

/** Least-norm solution of A x = b (rows x n) by singular values. */
function pseudoSolve(A: Float64Array, b: ArrayLike<number>, n: number): Float64Array {
  const rows = A.length / n;
  return solveSvd(new Float64Array(Math.max(n, rows)), computeSvd(createSvd(rows, n), A), b as Float64Array).subarray(
    0,
    n,
  );
}

const undamped = { damping: 0 };

describe('least squares in strict order', () => {
  it('one level: the least-norm solution', () => {
    const random = createRandom(1);
    for (const [rows, n] of [
      [3, 7],
      [6, 7],
      [7, 7],
      [9, 7],
    ]) {
      const one = level(random, rows, n);
      const h = createHierarchy(n, 1, rows);
      expect(solveHierarchy(h, [one], free(n), undamped)).toBe('solved');
      const expected = pseudoSolve(one.A, one.b, n);
      for (let i = 0; i < n; i++) expect(h.x[i]).toBeCloseTo(expected[i], 10);
    }
  });

  it('two levels: the null-space formula of the robotics literature', () => {
    const random = createRandom(2);
    const n = 7;
    for (let round = 0; round < 20; round++) {
      const first = level(random, 4, n);
      const second = level(random, 5, n);
      const h = createHierarchy(n, 2, 5);
      solveHierarchy(h, [first, second], free(n), undamped);
      const x1 = pseudoSolve(first.A, first.b, n);
      // P1 = I - A1^+ A1, column by column.
      const P = new Float64Array(n * n);
      for (let c = 0; c < n; c++) {
        const column = Array.from({ length: 4 }, (_, r) => first.A[r * n + c]);
        pseudoSolve(first.A, column, n).forEach((value, i) => {
          P[i * n + c] = (i === c ? 1 : 0) - value;
        });
      }
      const A2P = new Float64Array(5 * n);
      for (let r = 0; r < 5; r++)
        for (let c = 0; c < n; c++) for (let i = 0; i < n; i++) A2P[r * n + c] += second.A[r * n + i] * P[i * n + c];
      const rest = apply(second.A, x1).map((value, r) => second.b[r] - value);
      // A2 P1 has rank 3 of 5 x 7: solve through its normal equations' singular values with the rank cut off.
      const svd = computeSvd(createSvd(5, n), A2P);
      for (let k = 0; k < svd.s.length; k++) if (svd.s[k] < 1e-9) svd.s[k] = 0;
      const y = solveSvd(new Float64Array(n), svd, Float64Array.from(rest));
      for (let i = 0; i < n; i++) expect(h.x[i]).toBeCloseTo(x1[i] + y[i], 9);
      expect([...h.ranks]).toEqual([4, 3]);
    }
  });

  it('any number of levels: what is above does not change by what is below, also under bounds', () => {
    const random = createRandom(3);
    const n = 12;
    for (let round = 0; round < 100; round++) {
      const levels = [level(random, 3, n), level(random, 4, n), level(random, 2, n), level(random, 6, n)];
      const bounds = round % 2 ? box(n, 0.3) : free(n);
      let above: number[][] = [];
      for (let count = 1; count <= levels.length; count++) {
        const h = createHierarchy(n, levels.length, 6);
        expect(solveHierarchy(h, levels.slice(0, count), bounds)).toBe('solved');
        const now = levels.slice(0, count).map(({ A }) => apply(A, h.x));
        above.forEach((row, k) => {
          row.forEach((value, r) => {
            expect(Math.abs(now[k][r] - value), `round ${round}, level ${k} of ${count}`).toBeLessThan(1e-10);
          });
        });
        above = now;
        for (let i = 0; i < n; i++) {
          expect(h.x[i]).toBeGreaterThanOrEqual(bounds.lower[i]);
          expect(h.x[i]).toBeLessThanOrEqual(bounds.upper[i]);
        }
      }
    }
  });

  it('each level is optimal under bounds and the levels above: a program with those as equalities agrees', () => {
    const random = createRandom(4);
    const n = 8;
    for (let round = 0; round < 60; round++) {
      const levels = [level(random, 3, n), level(random, 3, n)];
      const bounds = {
        ...box(n, 0.25),
        C: draw(random, 2 * n),
        constraintLower: Float64Array.of(-0.1, -0.1),
        constraintUpper: Float64Array.of(0.2, 0.2),
      };
      const h = createHierarchy(n, 2, 3, 2);
      expect(solveHierarchy(h, levels, bounds, undamped)).toBe('solved');
      const residual = (k: number, x: ArrayLike<number>): number =>
        Math.hypot(...apply(levels[k].A, x).map((value, r) => value - levels[k].b[r]));
      const H = (k: number): Float64Array => {
        const out = new Float64Array(n * n);
        for (let a = 0; a < n; a++)
          for (let c = 0; c < n; c++)
            for (let r = 0; r < 3; r++) out[a * n + c] += levels[k].A[r * n + a] * levels[k].A[r * n + c];
        return out;
      };
      const g = (k: number): Float64Array => {
        const out = new Float64Array(n);
        for (let a = 0; a < n; a++) for (let r = 0; r < 3; r++) out[a] -= levels[k].A[r * n + a] * levels[k].b[r];
        return out;
      };
      const first = createQp(n, 2);
      expect(solveQp(first, { H: H(0), g: g(0), ...bounds })).toBe('solved');
      expect(residual(0, h.x)).toBeCloseTo(residual(0, first.x), 8);
      const held = Float64Array.from(apply(levels[0].A, first.x));
      const second = createQp(n, 5);
      const stacked = {
        ...bounds,
        C: Float64Array.of(...bounds.C, ...levels[0].A),
        constraintLower: Float64Array.of(...bounds.constraintLower, ...held),
        constraintUpper: Float64Array.of(...bounds.constraintUpper, ...held),
      };
      expect(solveQp(second, { H: H(1), g: g(1), ...stacked })).toBe('solved');
      expect(residual(1, h.x)).toBeCloseTo(residual(1, second.x), 7);
      expect(h.residuals[1]).toBeCloseTo(residual(1, h.x), 12);
    }
  });

  it('damping sets in at a singularity only, and the second level does not leak into the first', () => {
    const n = 3;
    const one = { A: Float64Array.of(1, 0, 0, 0, 1e-4, 0), b: Float64Array.of(0.2, 0.1), rows: 2 };
    const two = { A: Float64Array.of(1, 1, 1), b: Float64Array.of(-3), rows: 1 };
    const h = createHierarchy(n, 2, 2);
    solveHierarchy(h, [one], free(n));
    const alone = apply(one.A, h.x);
    expect(Math.abs(h.x[1])).toBeLessThan(0.1);
    expect(h.dampings[0]).toBeGreaterThan(0);
    solveHierarchy(h, [one, two], free(n));
    apply(one.A, h.x).forEach((value, r) => {
      expect(value).toBeCloseTo(alone[r], 14);
    });
    expect(h.x[0] + h.x[1] + h.x[2]).toBeCloseTo(-3, 12);
    // Undamped the same would ask for 1000.
    solveHierarchy(h, [one], free(n), undamped);
    expect(h.x[1]).toBeCloseTo(1000, 6);
  });

  it('zero rows, full rank above, contradictions: statuses, finite numbers', () => {
    const n = 2;
    const full = { A: Float64Array.of(1, 0, 0, 1), b: Float64Array.of(1, 2), rows: 2 };
    const zero = { A: new Float64Array(2 * n), b: Float64Array.of(1, 1), rows: 2 };
    const h = createHierarchy(n, 3, 2, 1);
    expect(solveHierarchy(h, [zero, full, zero], free(n))).toBe('solved');
    expect([...h.x]).toEqual([1, 2]);
    expect(solveHierarchy(h, [full], { lower: Float64Array.of(0, 1), upper: Float64Array.of(1, 0) })).toBe(
      'infeasible',
    );
    const contradiction = { ...box(n, 1), C: Float64Array.of(1, 0), constraintLower: Float64Array.of(3) };
    expect(solveHierarchy(h, [full], contradiction)).toBe('infeasible');
    expect([...h.x].every(Number.isFinite)).toBe(true);
    // The reference is kept where nothing asks for a change.
    solveHierarchy(
      h,
      [{ A: Float64Array.of(1, 0), b: Float64Array.of(5), rows: 1 }],
      box(n, 9),
      {},
      Float64Array.of(1, -7),
    );
    expect([...h.x]).toEqual([5, -7]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createQr, factorizeQr, solveQr } from '../dense/qr.js';
import { createRandom, type Random } from '../random.js';
import { createQp, type QpProblem, solveQp } from './solve-qp.js';

interface Case extends QpProblem {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly C: Float64Array;
  readonly constraintLower: Float64Array;
  readonly constraintUpper: Float64Array;
}

/** Rows of [I; C] with their bounds. */
function listRows({ g, lower, upper, C, constraintLower, constraintUpper }: Case) {
  const n = g.length;
  const m = constraintLower.length;
  return Array.from({ length: n + m }, (_, row) => ({
    normal:
      row < n
        ? Array.from({ length: n }, (_unused, i) => (i === row ? 1 : 0))
        : Array.from(C.subarray((row - n) * n, (row - n + 1) * n)),
    low: row < n ? lower[row] : constraintLower[row - n],
    high: row < n ? upper[row] : constraintUpper[row - n],
  }));
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
};

function objective({ H, g }: QpProblem, x: ArrayLike<number>): number {
  const n = g.length;
  let sum = dot(g, x);
  for (let r = 0; r < n; r++) for (let c = 0; c < n; c++) sum += 0.5 * x[r] * H[r * n + c] * x[c];
  return sum;
}

function violation(problem: Case, x: ArrayLike<number>): number {
  let worst = 0;
  for (const { normal, low, high } of listRows(problem)) {
    const value = dot(normal, x);
    worst = Math.max(worst, low - value, value - high);
  }
  return worst;
}

/** Largest breach of feasibility, stationarity, sign and complementarity of the multipliers. */
function optimalityError(problem: Case, x: ArrayLike<number>, multipliers: ArrayLike<number>): number {
  const n = problem.g.length;
  const rows = listRows(problem);
  let worst = violation(problem, x);
  for (let r = 0; r < n; r++) {
    let sum = problem.g[r];
    for (let c = 0; c < n; c++) sum += problem.H[r * n + c] * x[c];
    rows.forEach(({ normal }, k) => {
      sum -= multipliers[k] * normal[r];
    });
    worst = Math.max(worst, Math.abs(sum));
  }
  rows.forEach(({ normal, low, high }, k) => {
    const value = dot(normal, x);
    const u = multipliers[k];
    if (u > 0) worst = Math.max(worst, Number.isFinite(low) ? Math.min(u, Math.abs(value - low)) : u);
    if (u < 0) worst = Math.max(worst, Number.isFinite(high) ? Math.min(-u, Math.abs(value - high)) : -u);
  });
  return worst;
}

/** The least objective over the points of every set of held constraints that satisfy all conditions; null without one. */
function enumerate(problem: Case): number | null {
  const n = problem.g.length;
  const rows = listRows(problem);
  let best: number | null = null;
  const visit = (index: number, held: { normal: number[]; value: number; side: number }[]): void => {
    if (index < rows.length) {
      const { normal, low, high } = rows[index];
      if (low !== high) visit(index + 1, held);
      if (Number.isFinite(low)) visit(index + 1, [...held, { normal, value: low, side: low === high ? 0 : 1 }]);
      if (Number.isFinite(high) && high !== low) visit(index + 1, [...held, { normal, value: high, side: -1 }]);
      return;
    }
    const size = n + held.length;
    const K = new Float64Array(size * size);
    const b = new Float64Array(size);
    for (let r = 0; r < n; r++) {
      for (let c = 0; c < n; c++) K[r * size + c] = problem.H[r * n + c];
      b[r] = -problem.g[r];
    }
    held.forEach(({ normal, value }, k) => {
      for (let i = 0; i < n; i++) {
        K[(n + k) * size + i] = normal[i];
        K[i * size + n + k] = normal[i];
      }
      b[n + k] = value;
    });
    const qr = createQr(size, size);
    factorizeQr(qr, K);
    const x = solveQr(new Float64Array(size), qr, b);
    for (let r = 0; r < size; r++) if (Math.abs(dot(K.subarray(r * size, (r + 1) * size), x) - b[r]) > 1e-8) return;
    const point = x.subarray(0, n);
    if (held.some(({ side }, k) => -x[n + k] * side < -1e-8)) return;
    if (violation(problem, point) > 1e-8) return;
    const value = objective(problem, point);
    if (best === null || value < best) best = value;
  };
  visit(0, []);
  return best;
}

interface Wish {
  readonly n: number;
  readonly m: number;
  readonly rank: number;
  readonly integers?: boolean;
}

/** A random program; with small integers degenerate vertices, parallel rows and ties are common. */
function drawProblem(random: Random, { n, m, rank, integers = false }: Wish): Case {
  const draw = (): number => (integers ? random.integer(5) - 2 : random.normal());
  const factor = Float64Array.from({ length: rank * n }, draw);
  const H = new Float64Array(n * n);
  for (let r = 0; r < n; r++) {
    for (let c = 0; c < n; c++) for (let k = 0; k < rank; k++) H[r * n + c] += factor[k * n + r] * factor[k * n + c];
  }
  const bounds = (count: number): [Float64Array, Float64Array] => {
    const low = new Float64Array(count);
    const high = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const kind = random.integer(5);
      const a = draw();
      const width = integers ? random.integer(3) : random.uniform(0, 2);
      low[i] = kind === 1 ? Number.NEGATIVE_INFINITY : a - width;
      high[i] = kind === 2 ? Number.POSITIVE_INFINITY : kind === 3 ? low[i] : a + width;
      if (kind === 3 && !Number.isFinite(low[i])) low[i] = high[i] = a;
    }
    return [low, high];
  };
  const [lower, upper] = bounds(n);
  const C = Float64Array.from({ length: m * n }, draw);
  if (m > 1 && random.integer(3) === 0) for (let i = 0; i < n; i++) C[n + i] = 2 * C[i];
  const [constraintLower, constraintUpper] = bounds(m);
  return { H, g: Float64Array.from({ length: n }, draw), lower, upper, C, constraintLower, constraintUpper };
}

const createIdentity = (n: number): Float64Array =>
  Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));

const seeds = fc.integer({ min: 0, max: 1_000_000 });

describe('quadratic programs', () => {
  it.each([
    ['strictly convex', { n: 3, m: 2, rank: 3 }],
    ['strictly convex, integers', { n: 2, m: 3, rank: 2, integers: true }],
    ['semidefinite', { n: 3, m: 2, rank: 1 }],
    ['semidefinite, integers', { n: 3, m: 2, rank: 2, integers: true }],
    ['linear', { n: 2, m: 3, rank: 0 }],
    ['linear, integers', { n: 3, m: 2, rank: 0, integers: true }],
  ] as [string, Wish][])('%s: the status and the value that all active sets together give', (_, wish) => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const problem = drawProblem(createRandom(seed), wish);
        const qp = createQp(wish.n, wish.m);
        const status = solveQp(qp, problem);
        const best = enumerate(problem);
        expect(status).not.toBe('limit');
        if (best === null) {
          // No stationary point: nothing is feasible, or the value falls for ever.
          const nearest = { ...problem, H: createIdentity(wish.n), g: new Float64Array(wish.n) };
          expect(status).toBe(enumerate(nearest) === null ? 'infeasible' : 'unbounded');
          return;
        }
        expect(status).toBe('solved');
        const size = 1 + Math.abs(best);
        expect(Math.abs(objective(problem, qp.x) - best)).toBeLessThan(1e-8 * size);
        expect(optimalityError(problem, qp.x, qp.multipliers)).toBeLessThan(1e-8 * size);
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it.each([
    [7, 14, 7],
    [7, 14, 3],
    [20, 40, 20],
    [40, 60, 40],
    [40, 30, 10],
  ])('%i unknowns, %i rows, rank %i: optimality conditions hold', (n, m, rank) => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = createRandom(seed);
      const problem = drawProblem(random, { n, m, rank });
      // Bounds around a known point, so that every program has one; a box, so that none is unbounded.
      const point = Float64Array.from({ length: n }, () => random.normal());
      listRows(problem).forEach(({ normal, low, high }, k) => {
        const value = dot(normal, point);
        const [lower, upper, i] =
          k < n ? [problem.lower, problem.upper, k] : [problem.constraintLower, problem.constraintUpper, k - n];
        const equal = low === high && k % 4 === 0;
        lower[i] = equal ? value : value - random.uniform(0, 1);
        upper[i] = equal ? value : value + random.uniform(0, 1);
      });
      const qp = createQp(n, m);
      expect(solveQp(qp, problem), `seed ${seed}`).toBe('solved');
      expect(optimalityError(problem, qp.x, qp.multipliers), `seed ${seed}`).toBeLessThan(1e-8);
    }
  });

  it('a warm start gives the same answer with less work', () => {
    const random = createRandom(5);
    let cold = 0;
    let warm = 0;
    const problem = drawProblem(random, { n: 12, m: 20, rank: 12 });
    problem.lower.fill(-0.1);
    problem.upper.fill(0.1);
    problem.constraintLower.fill(-0.2);
    problem.constraintUpper.fill(0.2);
    const first = createQp(12, 20);
    const second = createQp(12, 20);
    for (let k = 0; k < 50; k++) {
      for (let i = 0; i < 12; i++) problem.g[i] += 0.02 * random.normal();
      expect(solveQp(first, problem)).toBe('solved');
      expect(solveQp(second, problem, { warm: true })).toBe('solved');
      for (let i = 0; i < 12; i++) expect(second.x[i]).toBeCloseTo(first.x[i], 11);
      if (k > 0) {
        cold += first.iterations;
        warm += second.iterations;
      }
    }
    expect(warm).toBeLessThan(0.3 * cold);
  });

  it('degenerate cones are feasible: many rows through one vertex, and thin ones', () => {
    const n = 3;
    for (const angle of [1, 1e-2, 1e-4, 1e-6]) {
      const m = 24;
      const C = new Float64Array(m * n);
      for (let r = 0; r < m; r++) {
        const t = (2 * Math.PI * r) / m;
        C.set([Math.cos(t), Math.sin(t), angle], r * n);
      }
      const qp = createQp(n, m);
      const problem: Case = {
        H: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
        g: Float64Array.of(-1, -0.3, 1),
        lower: new Float64Array(n).fill(Number.NEGATIVE_INFINITY),
        upper: new Float64Array(n).fill(Number.POSITIVE_INFINITY),
        C,
        constraintLower: new Float64Array(m).fill(Number.NEGATIVE_INFINITY),
        constraintUpper: new Float64Array(m),
      };
      expect(solveQp(qp, problem), `angle ${angle}`).toBe('solved');
      expect(optimalityError(problem, qp.x, qp.multipliers)).toBeLessThan(1e-9);
    }
  });

  it('contradictions are infeasible, redundant equalities are not', () => {
    const qp = createQp(2, 3);
    const H = Float64Array.of(2, 0, 0, 2);
    const g = Float64Array.of(-1, 1);
    const C = Float64Array.of(1, 1, 2, 2, 1, -1);
    const infinite = Number.POSITIVE_INFINITY;
    const redundant = {
      H,
      g,
      C,
      constraintLower: Float64Array.of(1, 2, -infinite),
      constraintUpper: Float64Array.of(1, 2, infinite),
    };
    expect(solveQp(qp, redundant)).toBe('solved');
    expect(qp.x[0] + qp.x[1]).toBeCloseTo(1, 14);
    expect(qp.x[0] - qp.x[1]).toBeCloseTo(1, 14);
    const contradiction = {
      ...redundant,
      constraintLower: Float64Array.of(1, 2.1, -infinite),
      constraintUpper: Float64Array.of(1, 2.1, infinite),
    };
    expect(solveQp(qp, contradiction)).toBe('infeasible');
    expect(solveQp(qp, { H, g, lower: Float64Array.of(1, 0), upper: Float64Array.of(0, 1) })).toBe('infeasible');
    // The same workspace goes on working.
    expect(solveQp(qp, redundant, { warm: true })).toBe('solved');
    expect([...qp.x].every(Number.isFinite)).toBe(true);
  });

  it('says unbounded for a descent that nothing stops, and limit when it may not work', () => {
    const qp = createQp(2, 1);
    const flat = { H: Float64Array.of(1, 0, 0, 0), g: Float64Array.of(0, -1) };
    expect(solveQp(qp, flat)).toBe('unbounded');
    expect(solveQp(qp, { ...flat, upper: Float64Array.of(5, 5) })).toBe('solved');
    expect(qp.x[1]).toBeCloseTo(5, 12);
    expect(solveQp(qp, { ...flat, upper: Float64Array.of(5, 5) }, { iterations: 0 })).toBe('limit');
    expect([...qp.x].every(Number.isFinite)).toBe(true);
  });

  it('scales: units of 1e-6 and 1e6 change nothing but the units', () => {
    const problem = drawProblem(createRandom(77), { n: 6, m: 8, rank: 6 });
    problem.lower.fill(-0.3);
    problem.upper.fill(0.3);
    problem.constraintLower.fill(-0.5);
    problem.constraintUpper.fill(0.5);
    const qp = createQp(6, 8);
    expect(solveQp(qp, problem)).toBe('solved');
    const reference = Float64Array.from(qp.x);
    for (const unit of [1e-6, 1e6]) {
      const scaled = {
        H: problem.H,
        C: problem.C,
        g: problem.g.map((x) => x * unit),
        lower: problem.lower.map((x) => x * unit),
        upper: problem.upper.map((x) => x * unit),
        constraintLower: problem.constraintLower.map((x) => x * unit),
        constraintUpper: problem.constraintUpper.map((x) => x * unit),
      };
      expect(solveQp(qp, scaled)).toBe('solved');
      for (let i = 0; i < 6; i++) expect(qp.x[i] / unit).toBeCloseTo(reference[i], 9);
    }
  });
});

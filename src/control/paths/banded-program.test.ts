/** Random programs of a band against the dense active-set solver, which has a variable for each hinge. */
import { expect, test } from 'vitest';
import { createQp, solveQp } from '../../math/qp/solve-qp.js';
import { createRandom, type Random } from '../../math/random.js';
import { type BandedProgram, BandedSolver, factorizeBand, Hinges, multiplyBand, solveBand } from './banded-program.js';

/** A sum of squares of neighbours, as smoothness is, and more. */
function createProgram(random: Random, size: number, width: number, count: number): BandedProgram {
  const band = width - 1;
  const H = new Float64Array(size * width);
  for (let n = 0; n < 2 * size; n++) {
    const start = random.integer(size);
    const v = Array.from({ length: Math.min(width, size - start) }, () => random.normal());
    v.forEach((a, r) => {
      for (let c = 0; c <= r; c++) H[(start + r) * width + band - r + c] += a * v[c];
    });
  }
  const hinges = new Hinges(width);
  for (let i = 0; i < count; i++) {
    const start = random.integer(size);
    const at = hinges.add(start, random.uniform(-1, 1), random.uniform(0.1, 20));
    for (let k = 0; k < Math.min(width, size - start); k++) hinges.rows[at + k] = random.normal();
  }
  const numbers = (low: number, high: number) => Float64Array.from({ length: size }, () => random.uniform(low, high));
  return { size, band, H, g: numbers(-3, 3), lower: numbers(-1, -0.01), upper: numbers(0, 1), hinges };
}

function costOf({ size, band, H, g, hinges }: BandedProgram, x: ArrayLike<number>): number {
  const vector = Float64Array.from(x).subarray(0, size);
  const Hx = new Float64Array(size);
  multiplyBand(Hx, H, vector, size, band);
  let sum = 0;
  for (let i = 0; i < size; i++) sum += vector[i] * (0.5 * Hx[i] + g[i]);
  for (let i = 0; i < hinges.count; i++) {
    let short = hinges.values[i];
    for (let k = 0; k < Math.min(hinges.width, size - hinges.starts[i]); k++)
      short -= hinges.rows[i * hinges.width + k] * vector[hinges.starts[i] + k];
    sum += hinges.weights[i] * Math.max(0, short);
  }
  return sum;
}

/** The same with an unknown for each hinge. */
function solveDense({ size, band, H, g, lower, upper, hinges }: BandedProgram): Float64Array {
  const n = size + hinges.count;
  const dense = new Float64Array(n * n);
  for (let r = 0; r < size; r++)
    for (let c = Math.max(0, r - band); c <= r; c++) {
      dense[r * n + c] = H[r * (band + 1) + band - r + c];
      dense[c * n + r] = dense[r * n + c];
    }
  const C = new Float64Array(hinges.count * n);
  for (let i = 0; i < hinges.count; i++) {
    for (let k = 0; k < Math.min(hinges.width, size - hinges.starts[i]); k++)
      C[i * n + hinges.starts[i] + k] = hinges.rows[i * hinges.width + k];
    C[i * n + size + i] = 1;
  }
  const extend = (values: Float64Array, rest: (i: number) => number) =>
    Float64Array.from({ length: n }, (_, i) => (i < size ? values[i] : rest(i - size)));
  const qp = createQp(n, hinges.count);
  const status = solveQp(qp, {
    H: dense,
    g: extend(g, (i) => hinges.weights[i]),
    lower: extend(lower, () => 0),
    upper: extend(upper, () => Infinity),
    C,
    constraintLower: hinges.values.slice(0, hinges.count),
    constraintUpper: new Float64Array(hinges.count).fill(Infinity),
  });
  expect(status).toBe('solved');
  return qp.x;
}

test('random programs: the value of the dense solver, within bounds', () => {
  const random = createRandom(3);
  const solver = new BandedSolver(1e-9);
  for (let n = 0; n < 60; n++) {
    const program = createProgram(random, 2 + random.integer(14), 2 + random.integer(5), random.integer(25));
    expect(solver.solve(program)).toBe('solved');
    const { x } = solver;
    program.lower.forEach((low, i) => {
      expect(x[i]).toBeGreaterThanOrEqual(low);
      expect(x[i]).toBeLessThanOrEqual(program.upper[i]);
    });
    const expected = costOf(program, solveDense(program));
    expect(costOf(program, x)).toBeLessThanOrEqual(expected + 1e-6 * (1 + Math.abs(expected)));
    expect(costOf(program, x)).toBeGreaterThanOrEqual(expected - 1e-6 * (1 + Math.abs(expected)));
  }
});

test('without curvature it goes to where hinges and bounds hold it', () => {
  const hinges = new Hinges(2);
  // |x + 0.25| by two hinges, and a pull on y that the bound stops.
  hinges.rows[hinges.add(0, -0.25, 1)] = 1;
  hinges.rows[hinges.add(0, 0.25, 1)] = -1;
  const program: BandedProgram = {
    ...{ size: 2, band: 1, H: new Float64Array(4), g: Float64Array.of(0, 1), hinges },
    ...{ lower: Float64Array.of(-1, -1), upper: Float64Array.of(1, 1) },
  };
  const solver = new BandedSolver(1e-9);
  expect(solver.solve(program)).toBe('solved');
  expect(solver.x[0]).toBeCloseTo(-0.25, 6);
  expect(solver.x[1]).toBeCloseTo(-1, 6);
});

test('unknowns with no room stay', () => {
  const program: BandedProgram = {
    ...{ size: 2, band: 1, H: Float64Array.of(0, 2, 0, 2), g: Float64Array.of(-1, -1), hinges: new Hinges(2) },
    ...{ lower: Float64Array.of(0, -1), upper: Float64Array.of(0, 1) },
  };
  const solver = new BandedSolver();
  expect(solver.solve(program)).toBe('solved');
  expect(Math.abs(solver.x[0])).toBeLessThan(1e-8);
  expect(solver.x[1]).toBeCloseTo(0.5, 5);
});

test('bands: factorised, solved, refused where they are not positive', () => {
  const random = createRandom(8);
  const { size, band, H } = createProgram(random, 12, 4, 0);
  for (let i = 0; i < size; i++) H[i * (band + 1) + band] += 1;
  const x = Float64Array.from({ length: size }, () => random.normal());
  const b = new Float64Array(size);
  multiplyBand(b, H, x, size, band);
  const L = Float64Array.from(H);
  expect(factorizeBand(L, size, band)).toBe(true);
  solveBand(b, L, size, band);
  b.forEach((value, i) => {
    expect(value).toBeCloseTo(x[i], 10);
  });
  expect(factorizeBand(new Float64Array(size * (band + 1)), size, band)).toBe(false);
});

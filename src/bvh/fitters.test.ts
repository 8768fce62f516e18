import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getKernel } from '../kernel/kernel.js';
import {
  FIT_AXES,
  FIT_INERTIA,
  FIT_MOMENTS,
  FIT_POSITION,
  FIT_PQP,
  FIT_RAPID2,
  FIT_RAPID2_HULL,
  SPLIT_LONGEST,
} from '../kernel/layout.js';
import { meshBuild } from '../kernel/parts/mesh-build.js';
import { createRandom, type Random } from '../math/random.js';
import { withWorkArea } from './build-tree.js';
import { fitterCode, writeHull } from './fitters.js';

const all = [FIT_PQP, FIT_RAPID2, FIT_INERTIA, FIT_RAPID2_HULL];

function fitAll(fitter: number, corners: ArrayLike<number>) {
  const count = corners.length / 9;
  const kernel = getKernel();
  kernel.hullWriter = writeHull;
  return withWorkArea(kernel, kernel.part(meshBuild).buildWorkBytes(count, fitter, SPLIT_LONGEST), (work) => {
    kernel.f64.set(corners, work / 8);
    kernel.part(meshBuild).fitTriangles(work, count, fitter);
    const read = (address: number, length: number) => kernel.f64.slice(address / 8, address / 8 + length);
    return { axes: read(FIT_AXES, 9), moments: read(FIT_MOMENTS, 3), position: read(FIT_POSITION, 3) };
  });
}

/** Triangles of mixed sizes in a box of sides 9, 3, 1: the moments are well apart. */
function createMixed(random: Random, count: number): number[] {
  const corners: number[] = [];
  for (let i = 0; i < count; i++) {
    const size = 10 ** random.uniform(-3, 0);
    const centre = [9, 3, 1].map((side) => random.uniform(-side, side));
    for (let k = 0; k < 9; k++) corners.push(centre[k % 3] + size * random.uniform(-1, 1));
  }
  return corners;
}

const column = (m: ArrayLike<number>, i: number): number[] => [m[i], m[3 + i], m[6 + i]];
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function areaOf(c: ArrayLike<number>, at: number): number {
  const u = [0, 1, 2].map((k) => c[at + 3 + k] - c[at + k]);
  const v = [0, 1, 2].map((k) => c[at + 6 + k] - c[at + k]);
  return Math.sqrt(Math.max(0, dot(u, u) * dot(v, v) - dot(u, v) ** 2)) / 2;
}

/** Sum over points of weight x (p - centre)(p - centre)^T. */
function secondMoment(points: number[][], weights: number[], centre: number[]): number[][] {
  return [0, 1, 2].map((j) =>
    [0, 1, 2].map((k) => points.reduce((sum, p, i) => sum + weights[i] * (p[j] - centre[j]) * (p[k] - centre[k]), 0)),
  );
}

function expectEigenvectors(m: number[][], axes: Float64Array, reversed = false): void {
  const trace = m[0][0] + m[1][1] + m[2][2];
  const values: number[] = [];
  for (let i = 0; i < 3; i++) {
    const e = column(axes, i);
    const image = m.map((row) => dot(row, e));
    const value = dot(image, e);
    values.push(value);
    for (let k = 0; k < 3; k++) expect(Math.abs(image[k] - value * e[k])).toBeLessThan(1e-10 * trace);
  }
  const sorted = values.slice().sort((a, b) => (reversed ? a - b : b - a));
  expect(values).toEqual(sorted);
}

const pointsOf = (c: number[]): number[][] => Array.from({ length: c.length / 3 }, (_, i) => c.slice(3 * i, 3 * i + 3));

function meanOf(points: number[][], weights: number[]): number[] {
  const total = weights.reduce((a, b) => a + b, 0);
  return [0, 1, 2].map((k) => points.reduce((sum, p, i) => sum + weights[i] * p[k], 0) / total);
}

describe('fitters', () => {
  it('PQP_FIT: mean (1) and eigenvectors of the covariance (2) of the corners', () => {
    const corners = createMixed(createRandom(1), 40);
    const points = pointsOf(corners);
    const ones = points.map(() => 1);
    const { axes, position } = fitAll(FIT_PQP, corners);
    const mean = meanOf(points, ones);
    for (let k = 0; k < 3; k++) expect(position[k]).toBeCloseTo(mean[k], 12);
    expectEigenvectors(secondMoment(points, ones, mean), axes);
  });

  it('INERTIA_FIT: centroid of algorithm 1 and eigenvectors of (10)', () => {
    const corners = createMixed(createRandom(2), 40);
    const points = pointsOf(corners);
    const weights = points.map((_, i) => areaOf(corners, 9 * Math.floor(i / 3)));
    const { axes, position } = fitAll(FIT_INERTIA, corners);
    const centroid = meanOf(points, weights);
    for (let k = 0; k < 3; k++) expect(position[k]).toBeCloseTo(centroid[k], 12);
    expectEigenvectors(secondMoment(points, weights, centroid), axes);
  });

  it('INERTIA_FIT: the eigenvectors are those of the tensor of inertia, in reverse order', () => {
    const corners = createMixed(createRandom(3), 30);
    const points = pointsOf(corners);
    const masses = points.map((_, i) => areaOf(corners, 9 * Math.floor(i / 3)) / 3);
    const { axes, position } = fitAll(FIT_INERTIA, corners);
    const m = secondMoment(points, masses, Array.from(position));
    const trace = m[0][0] + m[1][1] + m[2][2];
    const inertia = m.map((row, j) => row.map((x, k) => (j === k ? trace : 0) - x));
    expectEigenvectors(inertia, axes, true);
  });

  it('RAPID2_FIT: eigenvectors of (9), and (9) is the moment of the surface: cutting triangles changes nothing', () => {
    const corners = createMixed(createRandom(4), 30);
    const whole = fitAll(FIT_RAPID2, corners);
    const cut: number[] = [];
    for (let at = 0; at < corners.length; at += 9) {
      const [p, q, r] = [0, 3, 6].map((k) => corners.slice(at + k, at + k + 3));
      const middle = q.map((x, k) => 0.3 * x + 0.7 * r[k]);
      cut.push(...p, ...q, ...middle, ...p, ...middle, ...r);
    }
    const parts = fitAll(FIT_RAPID2, cut);
    for (let k = 0; k < 3; k++) {
      expect(parts.position[k]).toBeCloseTo(whole.position[k], 11);
      expect(parts.moments[k] / whole.moments[k]).toBeCloseTo(1, 10);
      expect(Math.abs(dot(column(parts.axes, k), column(whole.axes, k)))).toBeCloseTo(1, 10);
    }
    // (10) is not that integral: it moves under the same cut.
    const [a, b] = [fitAll(FIT_INERTIA, corners), fitAll(FIT_INERTIA, cut)];
    expect(Math.abs(b.moments[0] / b.moments[2] / (a.moments[0] / a.moments[2]) - 1)).toBeGreaterThan(1e-6);
  });

  it('RAPID2_FIT with the hull looks at the outside alone', () => {
    const random = createRandom(5);
    const box: number[] = [];
    const corner = (i: number): number[] => [i & 1 ? 4 : -4, i & 2 ? 2 : -2, i & 4 ? 1 : -1];
    for (const [a, b, c, d] of [
      [0, 1, 3, 2],
      [4, 6, 7, 5],
      [0, 4, 5, 1],
      [2, 3, 7, 6],
      [0, 2, 6, 4],
      [1, 5, 7, 3],
    ]) {
      box.push(...corner(a), ...corner(b), ...corner(c), ...corner(a), ...corner(c), ...corner(d));
    }
    const inside: number[] = [];
    for (let i = 0; i < 600; i++) inside.push(random.uniform(0, 1), random.uniform(0, 1), random.uniform(-0.9, 0.9));
    const hull = fitAll(FIT_RAPID2_HULL, [...box, ...inside]);
    const empty = fitAll(FIT_RAPID2, box);
    for (let k = 0; k < 3; k++) {
      expect(hull.position[k]).toBeCloseTo(0, 12);
      expect(Math.abs(hull.axes[4 * k])).toBeCloseTo(1, 12);
      expect(hull.moments[k]).toBeCloseTo(empty.moments[k], 10);
    }
  });

  it('scaling the mesh by any power changes no axis; position scales with it', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom(...all),
        fc.integer({ min: -30, max: 30 }),
        (seed, fitter, exponent) => {
          const corners = createMixed(createRandom(seed), 12);
          const factor = 2 ** exponent;
          const plain = fitAll(fitter, corners);
          const scaled = fitAll(
            fitter,
            corners.map((x) => x * factor),
          );
          for (let i = 0; i < 9; i++) expect(scaled.axes[i]).toBeCloseTo(plain.axes[i], 9);
          for (let k = 0; k < 3; k++) expect(scaled.position[k] / factor).toBeCloseTo(plain.position[k], 9);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('the factor that the smallest area puts on (10) changes no axis', () => {
    // A triangle 1e-8 wide scales all moments by 1e16 and moves them by as little.
    const corners = createMixed(createRandom(6), 20);
    const speck = [0, 0, 0, 1e-8, 0, 0, 0, 1e-8, 0];
    const [plain, more] = [fitAll(FIT_INERTIA, corners), fitAll(FIT_INERTIA, [...corners, ...speck])];
    for (let i = 0; i < 9; i++) expect(more.axes[i]).toBeCloseTo(plain.axes[i], 9);
    expect(more.moments[0] / plain.moments[0]).toBeGreaterThan(1e6);
  });

  it('zero and nearly zero total area fall back to the mean and covariance of the corners', () => {
    const random = createRandom(7);
    const line: number[] = [];
    const needles: number[] = [];
    for (let i = 0; i < 10; i++) {
      const [s, t] = [random.uniform(-1, 1), random.uniform(-1, 1)];
      line.push(s, 2 * s, 0, t, 2 * t, 0, (s + t) / 2, s + t, 0);
      needles.push(s, t, 0, s + 1, t, 0, s + 0.5, t + 1e-14, 0);
    }
    for (const corners of [line, needles]) {
      const expected = fitAll(FIT_PQP, corners);
      for (const fitter of [FIT_RAPID2, FIT_INERTIA]) {
        const got = fitAll(fitter, corners);
        for (let k = 0; k < 3; k++) expect(got.position[k]).toBeCloseTo(expected.position[k], 12);
        expect(Math.abs(dot(column(got.axes, 0), column(expected.axes, 0)))).toBeCloseTo(1, 9);
      }
    }
    const got = fitAll(FIT_RAPID2_HULL, line);
    expect(Math.abs(dot(column(got.axes, 0), column(fitAll(FIT_PQP, line).axes, 0)))).toBeCloseTo(1, 9);
  });

  it('equal moments and single points give orthonormal axes', () => {
    const octahedron: number[] = [];
    for (const x of [-1, 1])
      for (const y of [-1, 1]) for (const z of [-1, 1]) octahedron.push(x, 0, 0, 0, y, 0, 0, 0, z);
    for (const corners of [octahedron, new Array(18).fill(3)]) {
      for (const fitter of all) {
        const { axes, moments } = fitAll(fitter, corners);
        for (let i = 0; i < 3; i++) {
          expect(moments[i]).toBeCloseTo(moments[0], 12);
          for (let j = 0; j < 3; j++) expect(dot(column(axes, i), column(axes, j))).toBeCloseTo(i === j ? 1 : 0, 12);
        }
      }
    }
  });

  it('keeps its digits far from the origin', () => {
    const corners = createMixed(createRandom(8), 20).map((x) => Math.fround(x));
    const far = corners.map((x) => x + 2 ** 27);
    const exact = far.map((x) => x - 2 ** 27);
    for (const fitter of all) {
      const [near, moved] = [fitAll(fitter, exact), fitAll(fitter, far)];
      for (let i = 0; i < 9; i++) expect(moved.axes[i]).toBeCloseTo(near.axes[i], 9);
    }
  });

  it('has a code for each name', () => {
    expect([fitterCode('RAPID2_FIT', false), fitterCode('PQP_FIT', false), fitterCode('INERTIA_FIT', false)]).toEqual([
      FIT_RAPID2,
      FIT_PQP,
      FIT_INERTIA,
    ]);
    expect(fitterCode('RAPID2_FIT', true)).toBe(FIT_RAPID2_HULL);
  });
});

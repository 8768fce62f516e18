import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ratioToNumber, sumsToHomogeneous } from './dyadic.js';
import {
  comparePoints,
  createDifferencePoint,
  createExactPoint,
  createLineCrossing,
  createMeanPoint,
  type ExactPoint,
  orientPoints,
} from './exact-point.js';

/** The turn by fractions alone. */
function turn(a: ExactPoint, b: ExactPoint, c: ExactPoint): number {
  const [p, q, r] = [a, b, c].map((point) => point.homogeneous);
  const det = p.x * (q.y * r.w - r.y * q.w) - p.y * (q.x * r.w - r.x * q.w) + p.w * (q.x * r.y - r.x * q.y);
  return det > 0n ? 1 : det < 0n ? -1 : 0;
}

/** Coordinates that coincide, are off by their last places, or differ much in size. */
const coordinate = fc.oneof(
  fc.integer({ min: -4, max: 4 }),
  fc.integer({ min: -4, max: 4 }).map((n) => n * 0.1),
  fc.integer({ min: -4, max: 4 }).map((n) => n + n * 2 ** -50),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((x) => (Math.abs(x) < 1e-90 ? 0 : x)),
);
const pair = fc.tuple(coordinate, coordinate);
const point: fc.Arbitrary<ExactPoint> = fc.oneof(
  pair.map(([x, y]) => createExactPoint(x, y)),
  fc.tuple(pair, pair).map(([[ax, ay], [bx, by]]) => createDifferencePoint(ax, ay, bx, by)),
);

describe('exact points', () => {
  it('turn doubles into fractions and back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const { x, w } = sumsToHomogeneous([value], [0]);
        expect(ratioToNumber(x, w)).toBe(value === 0 ? 0 : value);
      }),
      { numRuns: 2000, seed: 1 },
    );
  });

  it('know turns and orders as fractions do', () => {
    fc.assert(
      fc.property(point, point, point, (a, b, c) => {
        expect(orientPoints(a, b, c)).toBe(turn(a, b, c));
        const [p, q] = [a.homogeneous, b.homogeneous];
        const dx = p.x * q.w - q.x * p.w;
        const dy = p.y * q.w - q.y * p.w;
        const order = dx !== 0n ? dx : dy;
        expect(comparePoints(a, b)).toBe(order > 0n ? 1 : order < 0n ? -1 : 0);
      }),
      { numRuns: 5000, seed: 2 },
    );
  });

  it('bound the error of crossings and means, and keep them on their lines', () => {
    fc.assert(
      fc.property(point, point, point, point, (a, b, c, d) => {
        const side = orientPoints(a, b, c) * orientPoints(a, b, d);
        const other = orientPoints(c, d, a) * orientPoints(c, d, b);
        fc.pre(side < 0 && other < 0);
        for (const made of [createLineCrossing(a, b, c, d), createMeanPoint([a, b, c, d], [1n, 2n, 3n, 4n])]) {
          const { x, y, w } = made.homogeneous;
          const off = (value: number, numerator: bigint) => {
            const v = sumsToHomogeneous([value], [0]);
            return Math.abs(ratioToNumber(v.x * w - numerator * v.w, v.w * w));
          };
          expect(off(made.x, x)).toBeLessThanOrEqual(made.error);
          expect(off(made.y, y)).toBeLessThanOrEqual(made.error);
        }
        const crossing = createLineCrossing(a, b, c, d);
        expect([orientPoints(a, b, crossing), orientPoints(c, d, crossing)]).toEqual([0, 0]);
        expect(comparePoints(crossing, createLineCrossing(d, c, b, a))).toBe(0);
      }),
      { numRuns: 1500, seed: 3 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admissibleVelocity, boundVelocities } from './velocity-bounds.js';

const limits = (velocity: number, acceleration: number) => ({
  velocities: Float64Array.of(velocity),
  accelerations: Float64Array.of(acceleration),
  lower: Float64Array.of(-1),
  upper: Float64Array.of(1),
});
const coordinates = Int32Array.of(0);

describe('velocity bounds', () => {
  it('admissible velocity: braking by full steps covers the distance exactly', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 2, noNaN: true }),
        fc.double({ min: 0.1, max: 30, noNaN: true }),
        fc.constantFrom(1e-3, 4e-3, 0.02),
        (distance, acceleration, step) => {
          let v = admissibleVelocity(distance, acceleration, step);
          let covered = 0;
          while (v > 0) {
            covered += v * step;
            v -= acceleration * step;
          }
          expect(Math.abs(covered - distance)).toBeLessThan(1e-9 * distance + 1e-15);
        },
      ),
      { numRuns: 300, seed: 3 },
    );
  });

  it('always as fast as allowed: the limit is reached, no limit is ever broken, the box never empties', () => {
    for (const acceleration of [0.7, 5, 40, Number.POSITIVE_INFINITY]) {
      for (const step of [1e-3, 7e-3]) {
        const bounds = limits(1.5, acceleration);
        const lower = new Float64Array(1);
        const upper = new Float64Array(1);
        const q = Float64Array.of(-0.9);
        const v = Float64Array.of(0);
        let [speed, change, farthest] = [0, 0, 0];
        for (let k = 0; k < 20_000; k++) {
          const isConsistent = boundVelocities(lower, upper, bounds, coordinates, { q, v }, step);
          if (!isConsistent || lower[0] > upper[0]) expect.fail(`step ${k}: ${lower[0]} to ${upper[0]}`);
          // Up until half time, then down.
          const next = k < 10_000 ? upper[0] : lower[0];
          speed = Math.max(speed, Math.abs(next));
          change = Math.max(change, Math.abs(next - v[0]) / (acceleration * step));
          v[0] = next;
          q[0] += step * next;
          farthest = Math.max(farthest, Math.abs(q[0]));
          if (k === 9_999) expect(q[0]).toBeCloseTo(1, 8);
        }
        expect(q[0]).toBeCloseTo(-1, 8);
        expect(speed).toBeLessThanOrEqual(1.5);
        expect(change).toBeLessThanOrEqual(1 + 1e-6);
        expect(farthest).toBeLessThanOrEqual(1 + 1e-12);
      }
    }
  });

  it('a state that cannot stop in time is reported, and position and velocity limits win', () => {
    const bounds = limits(1.5, 1);
    const lower = new Float64Array(1);
    const upper = new Float64Array(1);
    const late = { q: Float64Array.of(0.9995), v: Float64Array.of(1.5) };
    expect(boundVelocities(lower, upper, bounds, coordinates, late, 1e-3)).toBe(false);
    expect(lower[0]).toBeLessThanOrEqual(upper[0]);
    expect(0.9995 + 1e-3 * upper[0]).toBeLessThanOrEqual(1);
    const outside = { q: Float64Array.of(1.5), v: Float64Array.of(0) };
    expect(boundVelocities(lower, upper, bounds, coordinates, outside, 1e-3)).toBe(false);
    expect(upper[0]).toBeLessThanOrEqual(0);
    expect(lower[0]).toBeGreaterThanOrEqual(-1.5);
  });

  it('joints of several coordinates have velocity and acceleration limits only', () => {
    const lower = new Float64Array(1);
    const upper = new Float64Array(1);
    const state = { q: Float64Array.of(5), v: Float64Array.of(0.2) };
    expect(boundVelocities(lower, upper, limits(1, 100), Int32Array.of(-1), state, 1e-3)).toBe(true);
    expect(lower[0]).toBeCloseTo(0.1, 12);
    expect(upper[0]).toBeCloseTo(0.3, 12);
  });
});

import { describe, expect, test } from 'vitest';
import { areMotionsValid, countMotionSteps, createSampledMotion, isMotionValid } from './motion.js';
import { createRealVectorSpace } from './real-vector-space.js';

const f = (...values: number[]): Float64Array => Float64Array.from(values);
const line = createRealVectorSpace({ lower: [-10], upper: [10] });

/** Runs a check of the motion 0 -> length and returns the visited places as multiples of the step. */
function visited(length: number, resolution: number, isValid: (x: number) => boolean = () => true): number[] {
  const places: number[] = [];
  const checker = {
    isValid: (q: Float64Array) => {
      places.push(q[0]);
      return isValid(q[0]);
    },
  };
  isMotionValid(line, checker, f(0), f(length), resolution);
  const n = countMotionSteps(length, resolution);
  return places.map((x) => (x / length) * n);
}

describe('sampled motion check', () => {
  test('end first, then far apart first: halves, quarters, eighths', () => {
    expect(visited(8, 1)).toEqual([8, 4, 2, 6, 1, 3, 5, 7]);
  });

  test('every step is visited exactly once, for any number of steps', () => {
    for (let n = 1; n <= 70; n++) {
      const order = visited(n, 1).map(Math.round);
      expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i + 1));
    }
  });

  test('neighbouring states are never further apart than the resolution', () => {
    const places = [0, ...visited(1, 0.3).map((x) => x / 4)].sort((a, b) => a - b);
    for (let i = 1; i < places.length; i++) expect(places[i] - places[i - 1]).toBeLessThanOrEqual(0.3);
  });

  test('a collision in the middle of a long motion shows at the second check', () => {
    expect(visited(10, 0.01, (x) => Math.abs(x - 5) > 0.5)).toHaveLength(2);
  });

  test('the start is not checked, the end is, also for a motion of length 0', () => {
    const checker = { isValid: (q: Float64Array) => q[0] > 0 };
    expect(isMotionValid(line, checker, f(0), f(1), 0.5)).toBe(true);
    expect(isMotionValid(line, checker, f(1), f(0), 0.5)).toBe(false);
    expect(isMotionValid(line, checker, f(0), f(0), 0.5)).toBe(false);
  });

  test('a resolution that is no length throws', () => {
    for (const bad of [0, -1, Number.NaN, Infinity])
      expect(() => createSampledMotion(line, { isValid: () => true }, bad)).toThrow(/resolution, got/);
  });

  test('many motions: together where the validator can, else one by one', () => {
    const motion = createSampledMotion(line, { isValid: (q) => Math.abs(q[0]) > 1 }, 0.1);
    const starts = [f(-3), f(2), f(2), f(-2)];
    const ends = [f(3), f(4), f(-2), f(-9)];
    expect([...areMotionsValid(motion, starts, ends)]).toEqual([0, 1, 0, 1]);
    const together = {
      ...motion,
      areMotionsValid: (out: Uint8Array) => {
        out.fill(1);
      },
    };
    const out = new Uint8Array(4);
    expect(areMotionsValid(together, starts, ends, out)).toBe(out);
    expect([...out]).toEqual([1, 1, 1, 1]);
    expect(() => areMotionsValid(motion, starts, ends.slice(1))).toThrow('areMotionsValid: ends, got');
    expect(() => areMotionsValid(undefined as never, [], [])).toThrow('areMotionsValid: motion, got undefined');
  });
});

import { describe, expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import { findNearestFree } from './nearest-free.js';
import { createRealVectorSpace } from './real-vector-space.js';

const bounds = { lower: [-1, -1, -1], upper: [1, 1, 1] };
const space = createRealVectorSpace(bounds);
/** Balls: centre and radius. */
const problemOf = (balls: readonly (readonly number[])[]) => {
  const gaps = (q: Float64Array): Map<string, number> =>
    new Map(
      balls.map(([x, y, z, r], i) => [`${i}`, Math.sqrt((q[0] - x) ** 2 + (q[1] - y) ** 2 + (q[2] - z) ** 2) - r]),
    );
  const isValid = (q: Float64Array): boolean =>
    space.satisfiesBounds(q) && [...gaps(q).values()].every((gap) => gap > 0);
  return { space, gaps, isValid, margin: 1e-6, ...bounds };
};

describe('the nearest free state', () => {
  test('of a ball lies on the way out of it', () => {
    const random = createRandom(1);
    for (let i = 0; i < 50; i++) {
      const q = Float64Array.from({ length: 3 }, () => 0.2 * (random.next() - 0.5));
      const from = Math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2);
      const found = findNearestFree(problemOf([[0, 0, 0, 0.3]]), q)!;
      expect(found.distance).toBeGreaterThanOrEqual(0.3 - from - 1e-9);
      expect(found.distance).toBeLessThan(0.3 - from + 1e-4);
    }
  });

  test('of several balls and limits is no farther than the best of many draws', () => {
    const random = createRandom(2);
    for (let i = 0; i < 20; i++) {
      const balls = Array.from({ length: 3 }, () =>
        [0, 1, 2, 3].map((k) => (k < 3 ? 0.3 * (random.next() - 0.5) : 0.25)),
      );
      const problem = problemOf(balls);
      const q = Float64Array.of(0.02, 1.1, 0);
      for (let k = 0; k < 3; k++) q[k] = i % 2 === 0 ? q[k] : 0.1 * (random.next() - 0.5);
      const found = findNearestFree(problem, q)!;
      expect(problem.isValid(found.state)).toBe(true);
      let best = Infinity;
      const drawn = new Float64Array(3);
      for (let n = 0; n < 20000; n++) {
        for (let k = 0; k < 3; k++) drawn[k] = q[k] + Math.min(best, 1) * 2 * (random.next() - 0.5);
        if (problem.isValid(drawn)) best = Math.min(best, space.distance(q, drawn));
      }
      expect(found.distance).toBeLessThan(1.1 * best);
    }
  });
});

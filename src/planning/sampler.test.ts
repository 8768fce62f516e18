import { describe, expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import { createRealVectorSpace } from './real-vector-space.js';
import { createGoalBiasedSampler, createInformedSampler, createUniformSampler } from './sampler.js';

const f = (...values: number[]): Float64Array => Float64Array.from(values);

describe('informed draws', () => {
  test.each([2, 3, 6])('of %i numbers fill the ellipsoid evenly: shares of halves are those of dropping', (d) => {
    const weights = Float64Array.from({ length: d }, (_, k) => 1 + 0.3 * k);
    const space = createRealVectorSpace({ lower: Array(d).fill(-2), upper: Array(d).fill(2), weights });
    const start = Float64Array.from({ length: d }, (_, k) => -0.4 + 0.1 * k);
    const goal = Float64Array.from({ length: d }, (_, k) => 0.5 - 0.05 * k);
    const bound = space.distance(start, goal) * 1.6;
    const sampler = createInformedSampler(space, start, [goal]);
    sampler.bound = bound;
    const isNear = (q: Float64Array): boolean =>
      space.distance(start, q) + space.distance(q, goal) <= bound * (1 + 1e-12);
    const features = [
      (q: Float64Array) => space.distance(start, q) < space.distance(q, goal),
      (q: Float64Array) => q[0] > 0.05,
      (q: Float64Array) => q[d - 1] > 0.3,
      (q: Float64Array) => space.distance(start, q) + space.distance(q, goal) < 0.85 * bound,
    ];
    const count = (draw: (q: Float64Array) => void, n: number): number[] => {
      const q = new Float64Array(d);
      const sums = features.map(() => 0);
      for (let i = 0; i < n; i++) {
        draw(q);
        expect(isNear(q)).toBe(true);
        features.forEach((feature, k) => {
          if (feature(q)) sums[k]++;
        });
      }
      return sums.map((sum) => sum / n);
    };
    const random = createRandom(3);
    const n = 4000;
    const direct = count((q) => expect(sampler.draw(q, random)).toBe(true), n);
    // In many dimensions uniform draws hardly ever hit: draw from the box around.
    const reach = bound / 2;
    const dropped = count((q) => {
      do for (let k = 0; k < d; k++) q[k] = 0.5 * (start[k] + goal[k]) + random.uniform(-reach, reach) / weights[k];
      while (!isNear(q));
    }, n);
    direct.forEach((share, k) => {
      expect(Math.abs(share - dropped[k])).toBeLessThan(0.05);
    });
  });

  test('with a wrapping coordinate, and with several goals, lie inside too; none is said', () => {
    const space = createRealVectorSpace({ lower: [0, 0], upper: [1, 1], wrap: [true, false] });
    const sampler = createInformedSampler(space, f(0.9, 0.5), [f(0.1, 0.5)]);
    sampler.bound = 0.25;
    const random = createRandom(1);
    const q = f(0, 0);
    for (let i = 0; i < 200; i++) {
      if (!sampler.draw(q, random)) continue;
      expect(space.distance(f(0.9, 0.5), q) + space.distance(q, f(0.1, 0.5))).toBeLessThanOrEqual(0.25);
    }
    sampler.bound = 0.01;
    expect(sampler.draw(q, random)).toBe(false);
    const two = createInformedSampler(space, f(0.5, 0.1), [f(0.5, 0.2), f(0.5, 0.9)]);
    two.bound = 0.2;
    for (let i = 0; i < 50; i++) {
      expect(two.draw(q, random)).toBe(true);
      expect(
        Math.min(...[f(0.5, 0.2), f(0.5, 0.9)].map((goal) => space.distance(f(0.5, 0.1), q) + space.distance(q, goal))),
      ).toBeLessThanOrEqual(0.2);
    }
  });
});

test('goals come as often as was said', () => {
  const space = createRealVectorSpace({ lower: [0, 0], upper: [1, 1] });
  const goals = [f(0.25, 0.5), f(0.75, 0.5)];
  const sampler = createGoalBiasedSampler(space, goals, 0.2);
  const random = createRandom(4);
  const q = f(0, 0);
  const counts = [0, 0];
  for (let i = 0; i < 5000; i++) {
    sampler.draw(q, random);
    goals.forEach((goal, k) => {
      if (goal[0] === q[0] && goal[1] === q[1]) counts[k]++;
    });
  }
  for (const count of counts) expect(Math.abs(count / 5000 - 0.1)).toBeLessThan(0.02);
  expect(createUniformSampler(space).draw(q, random)).toBe(true);
  expect(() => createGoalBiasedSampler(space, goals, 2)).toThrow(/share/);
});

import { expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import { createRealVectorSpace } from './real-vector-space.js';
import { findValidState } from './valid-state.js';

test.each([2, 3, 7])('in %i numbers: out of a ball by hardly more than the shortest way', (d) => {
  const space = createRealVectorSpace({ lower: Array(d).fill(-5), upper: Array(d).fill(5) });
  const norm = (q: Float64Array): number => Math.sqrt(q.reduce((sum, x) => sum + x * x, 0));
  const checker = { isValid: (q: Float64Array) => norm(q) > 1 };
  const random = createRandom(d);
  for (let seed = 1; seed <= 10; seed++) {
    const q = space.sample(new Float64Array(d), random);
    const size = norm(q);
    const inside = q.map((x) => (0.95 * x) / size);
    const found = findValidState(space, checker, inside, { seed, attempts: 2000 })!;
    expect(checker.isValid(found.state)).toBe(true);
    expect(found.distance).toBe(space.distance(inside, found.state));
    expect(found.distance).toBeGreaterThan(0.05 - 1e-9);
    expect(found.distance).toBeLessThan(1.5 * 0.05);
    expect(findValidState(space, checker, inside, { seed, attempts: 2000 })).toEqual(found);
    expect(findValidState(space, checker, inside, { seed, radius: 0.04 })).toBeNull();
  }
});

test('a state beyond the bounds comes back into them; a valid one stays', () => {
  const space = createRealVectorSpace({ lower: [0, 0], upper: [1, 1] });
  const checker = { isValid: () => true };
  const found = findValidState(space, checker, Float64Array.of(1.1, 0.5))!;
  expect(space.satisfiesBounds(found.state)).toBe(true);
  expect(found.distance).toBeLessThan(0.15);
  expect(findValidState(space, checker, Float64Array.of(0.3, 0.4))).toEqual({
    state: Float64Array.of(0.3, 0.4),
    distance: 0,
  });
  expect(() => findValidState(space, checker, Float64Array.of(0), {})).toThrow(/q/);
});

import { expect, test } from 'vitest';
import { createRandom } from '../math/random.js';
import { createProductSpace } from './product-space.js';
import { createRealVectorSpace } from './real-vector-space.js';

const f = (...values: number[]): Float64Array => Float64Array.from(values);

test('has the states, the distances and the motions of its parts', () => {
  const line = createRealVectorSpace({ lower: [0], upper: [2] });
  const ring = createRealVectorSpace({ lower: [0, -1], upper: [1, 1], wrap: [true, false], weights: [2, 1] });
  const both = createProductSpace([line, ring]);
  expect(both.dimension).toBe(3);
  const random = createRandom(5);
  const [a, b, middle] = [f(0, 0, 0), f(0, 0, 0), f(0, 0, 0)];
  for (let i = 0; i < 50; i++) {
    both.sample(a, random);
    both.sample(b, random);
    expect(both.satisfiesBounds(a)).toBe(true);
    const parts = [line.distance(a.slice(0, 1), b.slice(0, 1)), ring.distance(a.slice(1), b.slice(1))];
    expect(both.distance(a, b)).toBeCloseTo(Math.sqrt(parts[0] ** 2 + parts[1] ** 2), 14);
    both.interpolate(middle, a, b, 0.25);
    expect([...both.pick(middle, 1)]).toEqual([...ring.interpolate(f(0, 0), a.slice(1), b.slice(1), 0.25)]);
    expect(middle[0]).toBe(line.interpolate(f(0), a.slice(0, 1), b.slice(0, 1), 0.25)[0]);
  }
  expect(both.satisfiesBounds(f(0, 0, 2))).toBe(false);
  expect(both.explainBounds?.(f(0, 0, 2))).toMatch(/part 1: coordinate 1/);
  expect(both.satisfiesBounds(f(0, 0))).toBe(false);
  expect(() => createProductSpace([line, {} as never])).toThrow(/createProductSpace/);
});

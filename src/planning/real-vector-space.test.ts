import { describe, expect, test } from 'vitest';
import { createRealVectorSpace } from './real-vector-space.js';

const f = (...values: number[]): Float64Array => Float64Array.from(values);

describe('real vector space', () => {
  test('weights scale the metric', () => {
    const space = createRealVectorSpace({ lower: [-1, -1], upper: [1, 1], weights: [3, 4] });
    expect(space.distance(f(0, 0), f(1, 1))).toBe(5);
    expect(space.euclideanScale).toEqual(f(3, 4));
  });

  test('a wrapping coordinate takes the shorter way round', () => {
    const space = createRealVectorSpace({ lower: [-Math.PI], upper: [Math.PI], wrap: [true] });
    expect(space.euclideanScale).toBeUndefined();
    expect(space.distance(f(3), f(-3))).toBeCloseTo(2 * Math.PI - 6, 14);
    const middle = space.interpolate(f(0), f(3), f(-3), 0.5);
    expect(Math.abs(middle[0])).toBeCloseTo(Math.PI, 14);
    const beyond = space.interpolate(f(0), f(3), f(-3), 0.75);
    expect(beyond[0]).toBeCloseTo(-3 - 0.25 * (2 * Math.PI - 6), 14);
    expect(space.satisfiesBounds(beyond)).toBe(true);
  });

  test('bounds: closed, finite, and explained', () => {
    const space = createRealVectorSpace({ lower: [0, 0], upper: [1, 2] });
    expect(space.satisfiesBounds(f(1, 2))).toBe(true);
    expect(space.satisfiesBounds(f(1, 2 + 1e-9))).toBe(false);
    expect(space.satisfiesBounds(f(Number.NaN, 0))).toBe(false);
    expect(space.satisfiesBounds(f(0))).toBe(false);
    expect(space.explainBounds(f(0.5, 3))).toBe('coordinate 1 is 3, limits are 0 to 2');
    expect(space.explainBounds(f(0.5))).toBe('has 1 numbers, expected 2');
    expect(space.explainBounds(f(0, 0))).toBe('');
  });

  test('misuse throws', () => {
    expect(() => createRealVectorSpace({ lower: [0], upper: [1, 2] })).toThrow(/upper, got 2/);
    expect(() => createRealVectorSpace({ lower: [1], upper: [0] })).toThrow(/bounds of coordinate 0/);
    expect(() => createRealVectorSpace({ lower: [0], upper: [Infinity] })).toThrow(/upper\[0\], got Infinity/);
    expect(() => createRealVectorSpace({ lower: [0], upper: [1], weights: [0] })).toThrow(/weights\[0\]/);
    expect(() => createRealVectorSpace({ lower: [0], upper: [0], wrap: [true] })).toThrow(/wraps/);
    expect(() => createRealVectorSpace({ lower: [0], upper: [1], wrap: [] })).toThrow(/wrap, got 0/);
  });
});

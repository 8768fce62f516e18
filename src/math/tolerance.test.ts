import { expect, it } from 'vitest';
import { touchingTolerance } from './tolerance.js';

it('the touching tolerance grows with size and place, and outgrows the spacing of doubles there', () => {
  expect(touchingTolerance(2, 3)).toBeCloseTo(5e-10, 24);
  for (const coordinate of [1e-3, 1, 1e6]) {
    const spacing = coordinate * Number.EPSILON;
    expect(touchingTolerance(0, coordinate)).toBeGreaterThan(1e5 * spacing);
  }
});

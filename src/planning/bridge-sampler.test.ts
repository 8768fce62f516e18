import { expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { createBridgeSampler } from './bridge-sampler.js';
import { createRealVectorSpace } from './real-vector-space.js';

const plane = createRealVectorSpace({ lower: [0, 0], upper: [10, 10] });
/** A wall with a slot that is 1 % of the space's height. */
const checker = { isValid: ([x, y]: Float64Array) => x < 4 || x > 6 || (y > 5 && y < 5.1) };
const isInSlot = ([x, y]: Float64Array): boolean => x >= 4 && x <= 6 && y > 5 && y < 5.1;

function countInSlot(share: number, draws: number): number {
  const sampler = createBridgeSampler(plane, checker, { scale: 0.5, share });
  const random = createRandom(3);
  const out = new Float64Array(2);
  let slot = 0;
  for (let i = 0; i < draws; i++) {
    expect(sampler.draw(out, random)).toBe(true);
    expect(plane.satisfiesBounds(out)).toBe(true);
    if (isInSlot(out)) slot++;
  }
  return slot;
}

it('draws in narrow passages many times as often as uniform draws do', () => {
  const uniform = countInSlot(0, 4000);
  const bridges = countInSlot(0.5, 4000);
  // A fifth of a hundredth of the space.
  expect(uniform).toBeLessThan(25);
  expect(bridges).toBeGreaterThan(5 * uniform);
});

it('gives the same draws for the same random numbers, and refuses what is no option', () => {
  const draw = (): number[] => {
    const out = new Float64Array(2);
    const sampler = createBridgeSampler(plane, checker);
    const random = createRandom(9);
    return Array.from({ length: 20 }, () => (sampler.draw(out, random) ? [...out] : [])).flat();
  };
  expect(draw()).toEqual(draw());
  expect(() => createBridgeSampler(plane, checker, { share: 2 })).toThrow(/share/);
  expect(() => createBridgeSampler(plane, checker, { scale: -1 })).toThrow(/scale/);
});

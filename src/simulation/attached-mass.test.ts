import { expect, it } from 'vitest';
import { createTransform } from '../math/transform.js';
import { addLoad } from './attached-mass.js';
import { findPrincipalInertia } from './body-inertia.js';

it('two halves of a bar are the bar', () => {
  const half = (x: number) =>
    findPrincipalInertia({
      name: 'half',
      shapes: [{ shape: { type: 'box', size: [1, 0.2, 0.1] }, pose: [x, 0, 0, 0, 0, 0, 1] }],
      mass: 3,
    });
  const { inertial } = addLoad(addLoad({ name: 'link' }, half(0)), half(1));
  const whole = { mass: 6, y: (6 * (4 + 0.01)) / 12, z: (6 * (4 + 0.04)) / 12, x: (6 * (0.04 + 0.01)) / 12 };
  expect(inertial!.mass).toBe(6);
  expect([...inertial!.origin]).toEqual([...createTransform().map((v, k) => (k === 9 ? 0.5 : v))]);
  const [xx, xy, xz, yy, yz, zz] = inertial!.inertia;
  for (const [got, expected] of [
    [xx, whole.x],
    [yy, whole.y],
    [zz, whole.z],
    [xy, 0],
    [xz, 0],
    [yz, 0],
  ])
    expect(got).toBeCloseTo(expected, 12);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeImpossibleInertia } from './inertia.js';

/** Inertia of point masses about their centre: possible by definition. */
function pointInertia(points: readonly (readonly number[])[]): number[] {
  const mass = points.reduce((sum, point) => sum + point[3], 0);
  const center = [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[3] * point[k], 0) / mass);
  const out = [0, 0, 0, 0, 0, 0];
  for (const point of points) {
    const [x, y, z] = center.map((c, k) => point[k] - c);
    const m = point[3];
    [y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y].forEach((value, k) => {
      out[k] += m * value;
    });
  }
  return out;
}

describe('describeImpossibleInertia', () => {
  it.each([
    [[0.01, 0, 0, 0.001, 0, 0.001], 'triangle inequality'],
    [[0.001, 0, 0, -0.001, 0, 0.001], 'iyy = -0.001 is negative'],
    [[0.01, 0.1, 0, 0.01, 0, 0.01], 'not all positive'],
    [[0, 0, 0, 0, 0, 1], 'triangle inequality'],
    [[1, 0, 0, Number.NaN, 0, 1], 'no finite number'],
  ])('%j: %s', (inertia, reason) => {
    expect(describeImpossibleInertia(1, inertia)).toContain(reason);
  });

  it('mass must not be negative; zeros, points, rods and plates are possible', () => {
    expect(describeImpossibleInertia(-1, [1, 0, 0, 1, 0, 1])).toBe('its mass -1 is negative');
    for (const inertia of [
      [0, 0, 0, 0, 0, 0],
      [1, 0, 0, 1, 0, 0],
      [1, 0, 0, 1, 0, 2],
      [0.0123457, 0, 0, 0.0123457, 0, 0.0246914],
    ])
      expect(describeImpossibleInertia(1, inertia)).toBeNull();
  });

  it('whatever masses at points have is possible; their sum less more than twice the least moment is not', () => {
    const point = fc.tuple(
      fc.double({ min: -5, max: 5, noNaN: true }),
      fc.double({ min: -5, max: 5, noNaN: true }),
      fc.double({ min: -5, max: 5, noNaN: true }),
      fc.double({ min: 0.01, max: 5, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0.1, max: 10 }),
        (points, excess) => {
          const inertia = pointInertia(points);
          expect(describeImpossibleInertia(1, inertia)).toBeNull();
          // Adding to the moment about z alone takes it past the sum of the others, which is its trace less itself.
          const worse = [...inertia];
          worse[5] += inertia[0] + inertia[3] + excess;
          expect(describeImpossibleInertia(1, worse)).not.toBeNull();
        },
      ),
      { numRuns: 300 },
    );
  });
});

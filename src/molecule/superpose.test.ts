import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { createTransform, poseToTransform, transformPoint } from '../math/transform.js';
import { radiusOfGyration, superpose } from './superpose.js';

function points(seed: number, count: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: 3 * count }, () => random.uniform(-10, 10));
}

function moved(positions: Float64Array, pose: readonly number[]): Float64Array {
  const X = poseToTransform(createTransform(), pose as never);
  const out = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) transformPoint(out.subarray(i, i + 3), X, positions.subarray(i, i + 3));
  return out;
}

const pose = fc
  .tuple(...Array.from({ length: 7 }, () => fc.double({ min: -1, max: 1, noNaN: true })))
  .filter(([, , , x, y, z, w]) => Math.hypot(x, y, z, w) > 0.1)
  .map(([a, b, c, x, y, z, w]) => {
    const n = Math.hypot(x, y, z, w);
    return [9 * a, 9 * b, 9 * c, x / n, y / n, z / n, w / n];
  });

describe('superpose', () => {
  it('undoes a rigid motion', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 3, max: 30 }), pose, (seed, count, X) => {
        const fixed = points(seed, count);
        expect(superpose(fixed, moved(fixed, X)).deviation).toBeLessThan(1e-12);
      }),
    );
  });

  it('is best: no small turn or shift of the result fits better, mirror images included', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.boolean(), pose, (seed, mirrored, nudge) => {
        const fixed = points(seed, 8);
        const moving = mirrored ? fixed.map((value, i) => (i % 3 === 0 ? -value : value)) : points(seed + 1, 8);
        const { transform, deviation } = superpose(fixed, moving);
        const best = new Float64Array(moving.length);
        for (let i = 0; i < best.length; i += 3)
          transformPoint(best.subarray(i, i + 3), transform, moving.subarray(i, i + 3));
        const small = [...nudge.slice(0, 3).map((v) => 1e-3 * v), ...nudge.slice(3, 6).map((v) => 1e-2 * v), 1];
        const norm = Math.hypot(...small.slice(3));
        const other = moved(best, [...small.slice(0, 3), ...small.slice(3).map((v) => v / norm)]);
        let sum = 0;
        other.forEach((value, i) => {
          sum += (value - fixed[i]) ** 2;
        });
        expect(Math.sqrt(sum / 8)).toBeGreaterThanOrEqual(deviation - 1e-12);
        const R = transform;
        const determinant =
          R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
        expect(determinant).toBeCloseTo(1, 10);
      }),
    );
  });

  it('counts the given rows only', () => {
    const fixed = points(1, 5);
    const moving = moved(fixed, [1, 2, 3, 0, 0, 0, 1]);
    moving[0] += 50;
    expect(superpose(fixed, moving, [1, 2, 3, 4]).deviation).toBeLessThan(1e-12);
    expect(superpose(fixed, moving).deviation).toBeGreaterThan(1);
  });
});

describe('radiusOfGyration', () => {
  it('is the distance from the middle for two points', () => {
    expect(radiusOfGyration(Float64Array.of(0, 0, 0, 4, 0, 0))).toBe(2);
    expect(radiusOfGyration(new Float64Array(0))).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { orientPoints } from './orientation.js';

/** The determinant in integers: coordinates are multiples of 2^-60 below 2^10. */
function orientInIntegers(p: Float64Array): number {
  const scale = 2 ** 60;
  const big = Array.from(
    p,
    (x) =>
      BigInt(Math.round(x * 1024)) * BigInt(scale / 1024) +
      BigInt(Math.round((x * 1024 - Math.round(x * 1024)) * (scale / 1024))),
  );
  const e = [0, 1, 2].map((i) => [0, 1, 2].map((k) => big[3 * i + k] - big[9 + k]));
  const det =
    e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
    e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
    e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
  return det > 0n ? 1 : det < 0n ? -1 : 0;
}

describe('orientPoints', () => {
  it('is negative outside a face wound outward', () => {
    const p = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 1);
    expect(orientPoints(p, 0, 3, 6, 9)).toBeLessThan(0);
    p[11] = -1;
    expect(orientPoints(p, 0, 3, 6, 9)).toBeGreaterThan(0);
  });

  it('has the exact sign on nearly coplanar points (seed 1)', () => {
    const random = createRandom(1);
    let zeros = 0;
    let signs = 0;
    const wrong: number[] = [];
    for (let i = 0; i < 3000; i++) {
      const grid = (): number => random.integer(16) / 16;
      const p = Float64Array.from({ length: 12 }, grid);
      // The last point on the plane of the others, then nudged by the last bits.
      const [s, t] = [random.integer(5) / 4, random.integer(5) / 4];
      for (let k = 0; k < 3; k++) p[9 + k] = p[k] + s * (p[3 + k] - p[k]) + t * (p[6 + k] - p[k]);
      if (i % 2) p[9 + random.integer(3)] += (random.integer(3) - 1) * 2 ** -50;
      const expected = orientInIntegers(p);
      if (expected === 0) zeros++;
      else signs++;
      if (Math.sign(orientPoints(p, 0, 3, 6, 9)) !== expected) wrong.push(i);
    }
    expect(wrong, 'cases of seed 1').toEqual([]);
    expect(zeros).toBeGreaterThan(500);
    expect(signs).toBeGreaterThan(500);
  });
});

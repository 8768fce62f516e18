import { describe, expect, it } from 'vitest';
import { rotationError } from './mat3.js';
import { createQuat, normalizeQuat, quatToMat3 } from './quat.js';
import { createRandom } from './random.js';

describe('rotationError', () => {
  const random = createRandom(3);
  const rotation = (): Float64Array =>
    quatToMat3(
      new Float64Array(9),
      normalizeQuat(createQuat(), [random.normal(), random.normal(), random.normal(), random.normal()]),
    );

  it('is rounding for rotations, and what a scale adds to the squares of rows', () => {
    for (let i = 0; i < 200; i++) {
      const R = rotation();
      expect(rotationError(R)).toBeLessThan(1e-14);
      const s = random.uniform(0.5, 2);
      expect(rotationError(R.map((x) => s * x))).toBeCloseTo(Math.abs(s * s - 1), 12);
    }
  });

  it('is infinite for mirrors and what is flat, and NaN where an entry is', () => {
    const R = rotation();
    expect(rotationError(R.map((x) => -x))).toBe(Infinity);
    expect(rotationError(new Float64Array(9))).toBe(Infinity);
    for (let k = 0; k < 9; k++) expect(rotationError(R.map((x, i) => (i === k ? NaN : x)))).toBeNaN();
  });
});

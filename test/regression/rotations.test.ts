import { describe, expect, it } from 'vitest';
import { mat3ToEuler } from '../../src/math/euler.js';
import { expSo3, logSo3 } from '../../src/math/so3.js';
import { originToTransform } from '../../src/math/transform.js';

describe('rotations', () => {
  it('U108: rpy with a pitch of -90 degrees', () => {
    const X = originToTransform(new Float64Array(12), [0, 0, 0], [0, -Math.PI / 2, 0]);
    [0, 0, -1, 0, 1, 0, 1, 0, 0].forEach((value, i) => {
      expect(Math.abs(X[i] - value)).toBeLessThan(1e-15);
    });
    const [yaw, pitch, roll] = mat3ToEuler(new Float64Array(3), X, 'zyx');
    expect(pitch).toBeCloseTo(-Math.PI / 2, 12);
    expect([yaw, roll]).toEqual([0, 0]);
  });

  it('U110: the logarithm keeps a turn of 1e-8', () => {
    for (const axis of [0, 1, 2]) {
      const w = new Float64Array(3);
      w[axis] = 1e-8;
      const log = logSo3(new Float64Array(3), expSo3(new Float64Array(9), w));
      expect(Math.abs(Math.hypot(log[0], log[1], log[2]) - 1e-8)).toBeLessThan(1e-15);
      expect(log[axis]).toBeCloseTo(1e-8, 20);
    }
  });
});

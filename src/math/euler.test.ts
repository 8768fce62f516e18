import { describe, expect, it } from 'vitest';
import { type EulerSequence, eulerToMat3, mat3ToEuler } from './euler.js';
import { multiplyMat3 } from './mat3.js';
import { createRandom } from './random.js';
import { originToTransform } from './transform.js';

const SEQUENCES: EulerSequence[] = ['xyz', 'xzy', 'yxz', 'yzx', 'zxy', 'zyx', 'xyx', 'xzx', 'yxy', 'yzy', 'zxz', 'zyz'];

function worst(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let error = 0;
  for (let i = 0; i < b.length; i++) error = Math.max(error, Math.abs(a[i] - b[i]));
  return error;
}

describe.each(SEQUENCES)('%s', (sequence) => {
  const proper = sequence[0] === sequence[2];

  it('angles within their range come back', () => {
    const random = createRandom(1);
    for (let n = 0; n < 200; n++) {
      const middle = proper ? random.uniform(0.01, 3.13) : random.uniform(-1.56, 1.56);
      const angles = [random.uniform(-3.14, 3.14), middle, random.uniform(-3.14, 3.14)];
      const back = mat3ToEuler(new Float64Array(3), eulerToMat3(new Float64Array(9), angles, sequence), sequence);
      expect(worst(back, angles)).toBeLessThan(1e-13);
    }
  });

  it('at and near the singularity the angles still reproduce the rotation', () => {
    const random = createRandom(2);
    for (const middle of proper ? [0, Math.PI] : [-Math.PI / 2, Math.PI / 2]) {
      for (const off of [0, 1e-15, 1e-13, 1e-11, 1e-8, 1e-4]) {
        const angles = [random.uniform(-3, 3), middle + off, random.uniform(-3, 3)];
        const R = eulerToMat3(new Float64Array(9), angles, sequence);
        const back = mat3ToEuler(new Float64Array(3), R, sequence);
        expect(worst(eulerToMat3(new Float64Array(9), back, sequence), R)).toBeLessThan(3e-12);
        if (off === 0) expect(back[2]).toBe(0);
      }
    }
  });

  it('is the product of single turns', () => {
    const single = (letter: string, angle: number): Float64Array => {
      const c = Math.cos(angle);
      const s = Math.sin(angle);
      if (letter === 'x') return Float64Array.of(1, 0, 0, 0, c, -s, 0, s, c);
      if (letter === 'y') return Float64Array.of(c, 0, s, 0, 1, 0, -s, 0, c);
      return Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1);
    };
    const R = single(sequence[0], 0.4);
    multiplyMat3(R, R, single(sequence[1], -1.1));
    multiplyMat3(R, R, single(sequence[2], 2.5));
    expect(worst(eulerToMat3(new Float64Array(9), [0.4, -1.1, 2.5], sequence), R)).toBeLessThan(1e-15);
  });
});

it('roll, pitch, yaw of URDF are zyx with the angles reversed', () => {
  const X = originToTransform(new Float64Array(12), [0, 0, 0], [0.3, -0.7, 2]);
  expect(worst(eulerToMat3(new Float64Array(9), [2, -0.7, 0.3], 'zyx'), X.slice(0, 9))).toBeLessThan(1e-15);
});

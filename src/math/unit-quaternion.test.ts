import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeQuaternion, describeScaling, quaternionLength } from './unit-quaternion.js';

describe('quaternions from outside', () => {
  it('are taken within a thousandth of length 1, told of when that is more than rounding, and refused beyond', () => {
    const scaled = (length: number) => [0.5 * length, -0.5 * length, 0.5 * length, 0.5 * length];
    for (const length of [1, 1 + 5e-7, 1 - 5e-7]) {
      expect(describeQuaternion(scaled(length))).toBeNull();
      expect(describeScaling(scaled(length))).toBeNull();
    }
    expect(describeQuaternion(scaled(1.00005))).toBeNull();
    expect(describeScaling(scaled(1.00005))).toMatch(/quaternion .* has length 1\.0000[45]/);
    for (const length of [0, 0.998, 1.002, 57, 1e200, Number.NaN, Infinity])
      expect(describeQuaternion([0, 0, 0, length])).toMatch(
        /quaternion .* of length .*, expected x, y, z, w of length 1/,
      );
  });

  it('length is that of the numbers, wherever they stand, without overflow', () => {
    const component = fc.double({ min: -2, max: 2, noNaN: true });
    fc.assert(
      fc.property(
        fc.tuple(component, component, component, component),
        fc.integer({ min: -900, max: 900 }),
        (q, power) => {
          const scale = 2 ** power;
          const values = [9, 9, 9, ...q.map((x) => x * scale)];
          // A number that is tiny beside the others may underflow: its share of the length is nothing.
          expect(quaternionLength(values, 3) / scale).toBeCloseTo(Math.hypot(...q), 12);
        },
      ),
      { seed: 7 },
    );
  });
});

import { expect, it } from 'vitest';
import { flattenDisc } from '../../src/plane/disc.js';
import type { PlanePoint } from '../../src/plane/polygon.js';

// Sides of a slice of a round hole are nearly along the sides of a disc's polygon: corners between such lines could not be told apart.
it('directions that nearly agree with each other and with those of the polygon are one', () => {
  for (const off of [1.1e-7, 1e-6, 5e-6, 1.9e-5, 2.1e-5, 1e-4])
    for (const count of [16, 64, 256]) {
      const directions = Array.from({ length: 16 }, (_, k): PlanePoint => {
        const angle = (2 * Math.PI * k) / 16 + off;
        return [Math.cos(angle), Math.sin(angle)];
      });
      const { outer, inner, width } = flattenDisc(0.3, count, directions);
      expect(Math.min(outer.length, inner.length)).toBeGreaterThanOrEqual(16);
      expect(width).toBeLessThan(0.007);
    }
});

import { describe, expect, it } from 'vitest';
import { Kronecker } from './kronecker.js';

describe('Kronecker sequences', () => {
  it('are built on the roots of x^(d+1) = x + 1', () => {
    for (const [d, phi] of [
      [3, 1.2207440846057596],
      [6, 1.1127756842787055],
    ] as const) {
      expect(Math.abs(phi ** (d + 1) - phi - 1)).toBeLessThan(1e-14);
      const [a, b] = [new Float64Array(d), new Float64Array(d)];
      const sequence = new Kronecker(d, 0);
      sequence.next(a);
      sequence.next(b);
      for (let k = 0; k < d; k++) expect((b[k] - a[k] + 1) % 1).toBeCloseTo(phi ** -(k + 1), 12);
    }
  });

  it('fill cells evenly, every other point as well as all', () => {
    for (const every of [1, 2]) {
      const sequence = new Kronecker(3, 7);
      const counts = new Int32Array(64);
      const point = new Float64Array(3);
      for (let i = 0; i < 6400 * every; i++) {
        sequence.next(point);
        if (i % every !== 0) continue;
        const [x, y, z] = point;
        counts[Math.floor(4 * x) + 4 * Math.floor(4 * y) + 16 * Math.floor(4 * z)]++;
      }
      expect(Math.min(...counts)).toBeGreaterThan(80);
      expect(Math.max(...counts)).toBeLessThan(120);
    }
  });
});

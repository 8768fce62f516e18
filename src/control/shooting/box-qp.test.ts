import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { createBoxQp, solveBoxQp } from './box-qp.js';

describe('Quadratic programs in a box', () => {
  it('end where no entry can be moved to the better', () => {
    const random = createRandom(2);
    const draw = (count: number) => Float64Array.from({ length: count }, () => random.uniform(-1, 1));
    for (let trial = 0; trial < 300; trial++) {
      const n = 1 + (trial % 6);
      const L = draw(n * n);
      const H = new Float64Array(n * n);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) for (let k = 0; k < n; k++) H[i * n + j] += L[i * n + k] * L[j * n + k];
        H[i * n + i] += 1e-3;
      }
      const g = draw(n);
      const lower = draw(n).map((x) => x - 0.5);
      const upper = lower.map((x) => x + random.uniform(0, 1.5));
      const x = draw(n);
      const qp = createBoxQp(n);
      const free = solveBoxQp(qp, x, { H, g, lower, upper });
      expect(free).toBeGreaterThanOrEqual(0);
      let held = n;
      for (let i = 0; i < n; i++) {
        let slope = g[i];
        for (let k = 0; k < n; k++) slope += H[i * n + k] * x[k];
        expect(x[i]).toBeGreaterThanOrEqual(lower[i]);
        expect(x[i]).toBeLessThanOrEqual(upper[i]);
        if (slope > 1e-9) expect(x[i]).toBe(lower[i]);
        else if (slope < -1e-9) expect(x[i]).toBe(upper[i]);
        if (x[i] > lower[i] && x[i] < upper[i]) held--;
      }
      expect(n - free).toBeLessThanOrEqual(held);
    }
    expect(
      solveBoxQp(createBoxQp(1), new Float64Array(1), {
        H: Float64Array.of(-1),
        g: Float64Array.of(1),
        lower: Float64Array.of(-1),
        upper: Float64Array.of(1),
      }),
    ).toBe(-1);
  });
});

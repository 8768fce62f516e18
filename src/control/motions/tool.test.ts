import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { createTransform } from '../../math/transform.js';
import { createSevenJointArm } from './arms.test-support.js';

describe('Tool', () => {
  it('has the rates that differences of its places show', () => {
    const { tool, model } = createSevenJointArm();
    const random = createRandom(3);
    const draw = (): Float64Array => Float64Array.from({ length: 7 }, () => random.uniform(-1, 1));
    for (let n = 0; n < 20; n++) {
      const [q, v, a] = [draw(), draw(), draw()];
      const [V, A, J] = [new Float64Array(6), new Float64Array(6), new Float64Array(42)];
      tool.rates(V, A, { q, v, a });
      const h = 1e-4;
      const at = (t: number): Float64Array =>
        tool
          .place(
            createTransform(),
            q.map((x, k) => x + t * v[k] + 0.5 * t * t * a[k]),
          )
          .slice();
      const [before, here, after] = [at(-h), at(0), at(h)];
      for (let i = 0; i < 3; i++) {
        expect(V[i]).toBeCloseTo((after[9 + i] - before[9 + i]) / (2 * h), 6);
        expect(A[i]).toBeCloseTo((after[9 + i] - 2 * here[9 + i] + before[9 + i]) / (h * h), 4);
      }
      tool.place(createTransform(), q);
      tool.jacobian(J);
      for (let r = 0; r < 6; r++) {
        let sum = 0;
        for (let k = 0; k < model.nv; k++) sum += J[r * model.nv + k] * v[k];
        expect(sum).toBeCloseTo(V[r], 12);
      }
    }
  });
});

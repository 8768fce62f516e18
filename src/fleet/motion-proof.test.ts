import { describe, it } from 'vitest';
import { expect } from '../../test/support/quick-expect.js';
import { createRandom } from '../math/random.js';
import { MotionProof } from './motion-proof.js';

describe('discs during a step', () => {
  it('are never proven apart where accelerated motions touch', () => {
    const random = createRandom(4);
    const dt = 0.5;
    const acceleration = 2;
    let proven = 0;
    let refused = 0;
    for (let n = 0; n < 3000; n++) {
      // Straight motions of constant acceleration within the bound.
      const bodies = [0, 1].map(() => ({
        p: [random.uniform(-1, 1), random.uniform(-1, 1)],
        u: random.uniform(0, 2 * Math.PI),
        v: random.uniform(-2, 2),
        a: random.uniform(-acceleration, acceleration),
      }));
      const place = ({ p, u, v, a }: (typeof bodies)[number], t: number) => {
        const s = v * t + (a * t * t) / 2;
        return [p[0] + s * Math.cos(u), p[1] + s * Math.sin(u)];
      };
      const x = Float64Array.from(bodies, ({ p }) => p[0]);
      const y = Float64Array.from(bodies, ({ p }) => p[1]);
      const radius = 0.2;
      const proof = new MotionProof(x, y, radius, acceleration);
      bodies.forEach((body, i) => {
        [x[i], y[i]] = place(body, dt);
      });
      const { unproven, leastGap } = proof.prove(dt);
      let least = Number.POSITIVE_INFINITY;
      for (let k = 0; k <= 200; k++) {
        const [a, b] = bodies.map((body) => place(body, (k * dt) / 200));
        least = Math.min(least, Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) - 2 * radius);
      }
      if (unproven > 0) refused++;
      else {
        proven++;
        expect(least).toBeGreaterThan(0);
        if (leastGap < Number.POSITIVE_INFINITY) expect(least).toBeGreaterThanOrEqual(leastGap - 1e-9);
      }
    }
    expect(Math.min(proven, refused)).toBeGreaterThan(300);
  });

  it('names the two that change places in one step', () => {
    const x = Float64Array.of(0, 1, 9);
    const y = new Float64Array(3);
    const proof = new MotionProof(x, y, 0.3, 1);
    [x[0], x[1]] = [1, 0];
    expect(proof.prove(0.1)).toMatchObject({ unproven: 1, a: 0, b: 1 });
    expect(proof.prove(0.1)).toMatchObject({ pairs: 0, unproven: 0, a: -1 });
  });
});

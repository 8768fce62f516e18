import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { JointCurve } from '../../trajectory/joint-curve.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import { createBlend } from './blend.js';
import { arcPieces, findArc, linePieces, toolCurve, toolModel } from './tool-path.js';

const random = createRandom(11);
const pose = (): Float64Array => {
  const quaternion = [0, 1, 2, 3].map(() => random.uniform(-1, 1));
  const size = Math.hypot(...quaternion);
  return Float64Array.from([...[0, 1, 2].map(() => random.uniform(-0.2, 0.2)), ...quaternion.map((x) => x / size)]);
};

describe('createBlend', () => {
  it('stays within the radius and meets both paths with their derivatives', () => {
    let made = 0;
    for (let n = 0; n < 40; n++) {
      const [a, b, c, via] = [pose(), pose(), pose(), pose()];
      const first = toolCurve(linePieces(a, b), a);
      const arc = findArc(b, c, { via });
      if (typeof arc === 'string') continue;
      const second = n % 2 ? toolCurve(linePieces(b, c), b) : toolCurve(arcPieces(b, arc, c, 'interpolate'), b);
      const radius = random.uniform(0.01, 0.1);
      const request = { earliest: 0.5 * first.duration, latest: 0.5 * second.duration, radius, levers: null };
      const blend = createBlend({ first, second, ...request, position: (q) => q });
      if (!blend) continue;
      made++;
      expect(blend.radius).toBeLessThanOrEqual(radius);
      expect(blend.leave).toBeGreaterThanOrEqual(0.5 * first.duration);
      expect(blend.join).toBeLessThanOrEqual(0.5 * second.duration);
      const curve = new JointCurve(toolModel(), [blend.piece], second.end);
      const [here, there] = [createTrajectoryPoint(toolModel()), createTrajectoryPoint(toolModel())];
      for (let k = 0; k <= 150; k++) {
        curve.evaluatePiece(here, 0, (blend.piece.length * k) / 150);
        const away = Math.hypot(...[0, 1, 2].map((i) => here.q[i] - b[i]));
        expect(away).toBeLessThanOrEqual(blend.radius * (1 + 1e-8));
      }
      for (const [outer, at, offset] of [
        [first, blend.leave, 0],
        [second, blend.join, blend.piece.length],
      ] as const) {
        outer.evaluate(there, at);
        curve.evaluatePiece(here, 0, offset);
        for (let i = 0; i < 6; i++) {
          expect(here.v[i]).toBeCloseTo(there.v[i], 6);
          expect(here.a[i]).toBeCloseTo(there.a[i], 4);
        }
      }
    }
    expect(made).toBeGreaterThan(30);
  });

  it('keeps the corner of paths that turn back', () => {
    const [a, b] = [Float64Array.of(0, 0, 0, 0, 0, 0, 1), Float64Array.of(0.2, 0, 0, 0, 0, 0, 1)];
    const [first, second] = [toolCurve(linePieces(a, b), a), toolCurve(linePieces(b, a), b)];
    const request = { earliest: 0.1, latest: 0.1, radius: 0.05, levers: null };
    expect(createBlend({ first, second, ...request, position: (q) => q })).toBeNull();
  });
});

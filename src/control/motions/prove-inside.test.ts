/** Blends of joint moves: proven within their radius, and so seen at dense places; what leaves the ball or the limits is refused. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../math/random.js';
import { createTransform } from '../../math/transform.js';
import { isWithinLimits } from '../../model/configuration.js';
import { createBlendedPath } from '../../trajectory/blended-path.js';
import { JointCurve } from '../../trajectory/joint-curve.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import { createSixJointArm } from './arms.test-support.js';
import { createBlend } from './blend.js';
import { provesInside } from './prove-inside.js';
import { measureLevers } from './tool-levers.js';

const { tool, model } = createSixJointArm();
const levers = measureLevers(model, tool.frame, tool.X_FT);
const X = createTransform();
const position = (q: Float64Array): Float64Array => tool.place(X, q).subarray(9, 12);

describe('blends of moves of the joints', () => {
  it('stay within the radius and the limits at 20,000 places each', () => {
    const random = createRandom(12);
    const draw = (): Float64Array => Float64Array.from({ length: 6 }, () => random.uniform(-1.5, 1.5));
    let made = 0;
    for (let n = 0; n < 25; n++) {
      const [a, b, c] = [draw(), draw(), draw()];
      const [first, second] = [createBlendedPath(model, [a, b]), createBlendedPath(model, [b, c])];
      const radius = random.uniform(0.02, 0.2);
      const request = { earliest: 0.5 * first.duration, latest: 0.5 * second.duration, radius, position, levers };
      const blend = createBlend({ first, second, ...request });
      if (!blend) continue;
      made++;
      expect(blend.radius).toBeLessThanOrEqual(radius);
      const curve = new JointCurve(model, [blend.piece], second.end);
      const point = createTrajectoryPoint(model);
      for (let k = 0; k <= 20_000; k++) {
        curve.evaluatePiece(point, 0, (blend.piece.length * k) / 20_000);
        const p = position(point.q);
        const away = Math.hypot(p[0] - blend.corner[0], p[1] - blend.corner[1], p[2] - blend.corner[2]);
        expect(away <= blend.radius && isWithinLimits(model, point.q, 1e-9)).toBe(true);
      }
    }
    expect(made).toBeGreaterThan(20);
  });

  it('refuses a way out of the ball that is shorter than any looking would find, and out of the limits', () => {
    const a = Float64Array.of(0.2, 0.3, 1.2, 0, 0.9, 0);
    const path = createBlendedPath(model, [a, a.map((x) => x + 0.2)]);
    const center = Float64Array.from(position(a));
    let farthest = 0;
    const point = createTrajectoryPoint(model);
    for (let k = 0; k <= 1000; k++) {
      const p = position(path.evaluate(point, (path.duration * k) / 1000).q);
      farthest = Math.max(farthest, Math.hypot(p[0] - center[0], p[1] - center[1], p[2] - center[2]));
    }
    const [piece] = path.pieces;
    const request = { model, piece, end: path.end, position, levers, center };
    expect(provesInside({ ...request, radius: 1.01 * farthest })).toBe(true);
    expect(provesInside({ ...request, radius: 0.99999 * farthest })).toBe(false);
    const beyond = createBlendedPath(model, [a, Float64Array.of(0.2, 0.3, 2.95, 0, 0.9, 0)]);
    const out = { ...request, piece: beyond.pieces[0], end: beyond.end, radius: 10 };
    expect(provesInside(out)).toBe(false);
  });
});

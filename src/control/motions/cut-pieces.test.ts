import { describe, expect, it } from 'vitest';
import { JointCurve } from '../../trajectory/joint-curve.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import { cutPieces } from './cut-pieces.js';
import { splinePieces, toolCurve, toolModel } from './tool-path.js';

describe('cutPieces', () => {
  it('is the same curve, place and derivatives', () => {
    const start = Float64Array.of(0, 0, 0, 0, 0, 0, 1);
    const poses = [
      start,
      Float64Array.of(0.2, 0.1, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2),
      Float64Array.of(0.3, 0, 0.1, 0.6, 0, 0, 0.8),
    ];
    const whole = toolCurve(splinePieces(poses, 'interpolate'), start);
    const [from, to] = [0.23 * whole.duration, 0.81 * whole.duration];
    const cut = cutPieces(whole, from, to);
    const part = new JointCurve(
      toolModel(),
      cut.map(({ piece }) => piece),
      whole.end,
    );
    expect(part.duration).toBeCloseTo(to - from, 12);
    const [a, b] = [createTrajectoryPoint(toolModel()), createTrajectoryPoint(toolModel())];
    for (let k = 0; k < 40; k++) {
      const at = ((to - from) * k) / 40;
      whole.evaluate(a, from + at);
      part.evaluate(b, at);
      for (const key of ['q', 'v', 'a'] as const)
        a[key].forEach((x, i) => {
          expect(b[key][i]).toBeCloseTo(x, 9);
        });
    }
    expect(cutPieces(whole, from, from)).toEqual([]);
    expect(cutPieces(whole, 0, whole.duration).map(({ piece }) => piece)).toEqual([...whole.pieces]);
  });
});

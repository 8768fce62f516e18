import { describe, expect, it } from 'vitest';
import { createTransform, transformToPose } from '../../math/transform.js';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import { createSixJointArm, poseAt, programOf, shifted } from './arms.test-support.js';
import { planMotion } from './plan-motion.js';

describe('seams', () => {
  const arm = createSixJointArm();
  const here = poseAt(arm, arm.start);
  // Turned so far about the tool's axis that the last joint is beyond its limit as programmed.
  const [x, y, z, w] = here.slice(3);
  const far = [...here.slice(0, 3), y, -x, w, -z];
  const along = [shifted(far, 0, -0.15, 0), shifted(far, 0, 0.15, 0)];

  it('turn the tool where the arm could not go on otherwise, along the same path', () => {
    const seam = { move: 'seam', along, free: 'z', speed: 0.1, samples: 16 } as const;
    const { status, trajectory, moves, duration } = planMotion(arm.model, programOf(arm, [seam]), {
      limits: arm.limits,
    });
    expect(status).toBe('solved');
    expect(moves[0].kind).toBe('seam');
    // The way to its start takes time of its own, at the speed of the joints; then the tool keeps the seam's speed.
    expect(moves[0].begin).toBeGreaterThan(0.3);
    expect(moves[0].begin).toBeLessThan(3);
    expect(moves[0].length).toBeCloseTo(0.3, 3);
    expect(moves[0].fastest).toBeCloseTo(0.1, 5);
    const point = createTrajectoryPoint(arm.model);
    const X = createTransform();
    let onSeam = 0;
    for (let k = 0; k <= 1000; k++) {
      trajectory?.evaluate(point, (duration * k) / 1000);
      const pose = transformToPose(new Float64Array(7), arm.tool.place(X, point.q));
      const off = Math.hypot(pose[0] - along[0][0], pose[2] - along[0][2]);
      // The axis of the torch is what is programmed, whatever its turn.
      const axis = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
      const tilt = Math.hypot(...[2, 5, 8].map((i, n) => X[i] - axis[n]));
      if (off < 1e-6 && Math.abs(pose[1]) <= 0.15 + 1e-6 && tilt < 1e-6) onSeam++;
    }
    expect(onSeam).toBeGreaterThan(400);
  });

  it('stay within their range, or say how far along there is a way', () => {
    const seam = { move: 'seam', along: [along[0], shifted(far, 0, 2, 0)], free: 'z', samples: 8 } as const;
    const { status, place, reason } = planMotion(arm.model, programOf(arm, [seam]), { limits: arm.limits });
    expect(status).toBe('unreachable');
    expect(reason).toMatch(/no turn of the tool/);
    expect(place?.s).toBeGreaterThan(0.1);
    expect(place?.s).toBeLessThan(2);
  });
});

import { describe, expect, it } from 'vitest';
import { createTrajectoryPoint } from '../../trajectory/trajectory.js';
import { createSixJointArm, poseAt, programOf, shifted } from './arms.test-support.js';
import { planMotion } from './plan-motion.js';

describe('limits of the tool', () => {
  it('are kept along a line and a circle, and used', () => {
    const arm = createSixJointArm();
    const here = poseAt(arm, arm.start);
    const plan = planMotion(
      arm.model,
      programOf(arm, [
        { move: 'lin', to: shifted(here, 0, 0.2, 0), speed: 0.2, acceleration: 0.8, radius: 0.02 },
        { move: 'circ', via: shifted(here, 0, 0.15, 0.1), to: shifted(here, 0, 0, 0.1), speed: 0.3, acceleration: 0.5 },
      ]),
      { limits: arm.limits },
    );
    expect(plan.status).toBe('solved');
    const point = createTrajectoryPoint(arm.model);
    const [V, A] = [new Float64Array(6), new Float64Array(6)];
    const most = plan.moves.map(() => ({ speed: 0, acceleration: 0 }));
    for (let k = 0; k <= 4000; k++) {
      const time = (plan.duration * k) / 4000;
      const move = time <= plan.moves[0].end ? 0 : 1;
      plan.trajectory?.evaluate(point, time);
      arm.tool.rates(V, A, point);
      most[move].speed = Math.max(most[move].speed, Math.hypot(V[0], V[1], V[2]));
      most[move].acceleration = Math.max(most[move].acceleration, Math.hypot(A[0], A[1], A[2]));
    }
    expect(most[0].speed / 0.2).toBeLessThan(1 + 1e-6);
    expect(most[0].speed / 0.2).toBeGreaterThan(0.999);
    expect(most[0].acceleration / 0.8).toBeLessThan(1 + 1e-5);
    expect(most[0].acceleration / 0.8).toBeGreaterThan(0.96);
    expect(most[1].speed / 0.3).toBeLessThan(1 + 1e-6);
    expect(most[1].acceleration / 0.5).toBeLessThan(1 + 1e-5);
  });

  it("hold for turning, and shares of the joints' limits for ptp", () => {
    const arm = createSixJointArm();
    const here = poseAt(arm, arm.start);
    const [x, y, z, w] = here.slice(3);
    const turned = [...here.slice(0, 3), 0.8 * x + 0.6 * y, 0.8 * y - 0.6 * x, 0.8 * z + 0.6 * w, 0.8 * w - 0.6 * z];
    const plan = planMotion(
      arm.model,
      programOf(arm, [
        { move: 'lin', to: turned, turnSpeed: 0.3 },
        { move: 'ptp', to: { joints: [0.5, 0.2, 1, 0.3, 0.8, 0.5] }, jointSpeed: 0.2, jointAcceleration: 0.1 },
      ]),
      { limits: arm.limits },
    );
    expect(plan.status).toBe('solved');
    const point = createTrajectoryPoint(arm.model);
    const [V, A] = [new Float64Array(6), new Float64Array(6)];
    let turn = 0;
    let speed = 0;
    let acceleration = 0;
    for (let k = 0; k <= 2000; k++) {
      const time = (plan.duration * k) / 2000;
      plan.trajectory?.evaluate(point, time);
      arm.tool.rates(V, A, point);
      if (time <= plan.moves[0].end) turn = Math.max(turn, Math.hypot(V[3], V[4], V[5]));
      else {
        speed = Math.max(speed, ...point.v.map(Math.abs));
        acceleration = Math.max(acceleration, ...point.a.map(Math.abs));
      }
    }
    expect(turn).toBeCloseTo(0.3, 5);
    expect(speed).toBeLessThan(0.4 * (1 + 1e-6));
    expect(acceleration / 0.6).toBeCloseTo(1, 5);
  });
});

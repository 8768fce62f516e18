/** Programs whose joints leave their limits, and numbers that fill memory. */
import { expect, it } from 'vitest';
import { createSevenJointArm, poseAt, programOf, shifted } from '../../src/control/motions/arms.test-support.js';
import { planMotion } from '../../src/control/motions/plan-motion.js';
import { sampleTimes } from '../../src/trajectory/trajectory.js';

const arm = createSevenJointArm();
const { model, limits } = arm;

it('a ptp to joint values beyond a limit is refused, with the joint', () => {
  const joints = Array.from(arm.start);
  joints[0] = model.upper[0] + 6;
  const plan = planMotion(model, programOf(arm, [{ move: 'ptp', to: { joints } }]), { limits });
  expect(plan.status).toBe('joint-limit');
  expect(plan.place?.joint).toBe(model.jointNames[1]);
  expect(plan.reason).toContain(`"${model.jointNames[1]}" at ${joints[0]}`);
  expect(plan.trajectory).toBeNull();
});

it('a start beyond a limit names the joint', () => {
  const start = Array.from(arm.start);
  start[1] = model.lower[1] - 1;
  const program = { ...programOf(arm, [{ move: 'wait', seconds: 1 }]), start };
  const plan = planMotion(model, program, { limits });
  expect(plan.status).toBe('joint-limit');
  expect(plan.place?.joint).toBe(model.jointNames[2]);
});

it('a seam with a thousand million turns is refused before they are made', () => {
  const here = poseAt(arm, arm.start);
  const along = [here, shifted(here, 0, 0.1, 0)];
  expect(() =>
    planMotion(model, programOf(arm, [{ move: 'seam', along, free: 'z', samples: 1e9 }]), { limits }),
  ).toThrow(/samples, got 1000000000, expected a whole number from 2 to 10000/);
});

it('samples that no memory holds are refused', () => {
  expect(() => sampleTimes(28_000, 0.001)).toThrow(/expected at most 10000000 samples/);
});

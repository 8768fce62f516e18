import { expect, it } from 'vitest';
import { createArmModel } from '../fleet/arm-model.test-support.js';
import { createFleetArm } from '../fleet/fleet-arm.js';
import { createRandom } from '../math/random.js';
import { createTransform, poseToTransform } from '../math/transform.js';
import { createArmSolver } from './solve-arm.js';

const arm = createFleetArm({ ...createArmModel(), mount: [0.1, 0, 0.2, 0, 0, 0.6, 0.8] });
const random = createRandom(8);
const placeGripper = (x: number, y: number, yaw: number, q: ArrayLike<number>): Float64Array => {
  const base = poseToTransform(createTransform(), [x, y, 0, 0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)]);
  arm.place(base, Float64Array.from(q));
  return arm.gripper.slice(9, 12);
};

it('brings the gripper to points that it can reach, from wherever the base stands', () => {
  for (let k = 0; k < 100; k++) {
    const [x, y, yaw] = [random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-7, 7)];
    const q = [random.uniform(-3, 3), random.uniform(-2, 2), random.uniform(0, 0.3)];
    const target = [...placeGripper(x, y, yaw, q)];
    const answer = createArmSolver(arm, target, 3)(x, y, yaw, [0, 0, 0]);
    expect(answer).not.toBe(null);
    const { joints } = answer as { joints: number[] };
    const reached = placeGripper(x, y, yaw, joints);
    for (let i = 0; i < 3; i++) expect(Math.abs(reached[i] - target[i])).toBeLessThan(2e-6);
  }
});

it('has no answer beyond its reach', () => {
  expect(createArmSolver(arm, [9, 9, 9])(0, 0, 0, [0, 0, 0])).toBe(null);
  expect(() => createArmSolver(arm, [1, 2])).toThrow(/target, got 2 numbers/);
});

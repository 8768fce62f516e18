/**
 * The solver of a fleet's pose actions: joints with which an arm on a standing base brings its gripper to a place of the world.
 *
 * Method: the target is moved into the frame of the arm's base, then solved by ik/solve-ik.ts from the present joints. Three numbers are a point,
 * which the gripper's frame takes in any rotation; seven a pose. The base stays. Null (the action fails) where no joints within the limits were
 * found. Frames: target in the world, base on the floor at z = 0. Units: metres, radians. Same call, same bits.
 * Cost: one inverse kinematics per action. Tested by solve-arm.test.ts by forward kinematics of the answer.
 */
import { FleetArm } from '../fleet/fleet-arm.js';
import type { PoseSolver } from '../fleet/robot-actions.js';
import { createIkSolver } from '../ik/solve-ik.js';
import { requireFinite, requireInstance, requireNumbers, requireSeed } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { cos, sin } from '../math/scalar.js';
import { createTransform, multiplyTransform, poseToTransform, relativeTransform } from '../math/transform.js';

/** @param target x, y, z of the gripper's frame, or its pose, in the world */
export function createArmSolver(arm: FleetArm, target: readonly number[], seed = 1): PoseSolver {
  const call = 'createArmSolver';
  requireInstance(call, 'arm', arm, FleetArm, 'one of createFleetArm');
  requireNumbers(call, 'target', target);
  if (target.length !== 3 && target.length !== 7)
    throw new MisuseError(`${call}: target, got ${target.length} numbers, expected 3 of a point or 7 of a pose`);
  requireSeed(call, seed);
  const isPoint = target.length === 3;
  const wanted = poseToTransform(createTransform(), isPoint ? [...target, 0, 0, 0, 1] : target);
  const solver = createIkSolver(arm.model, arm.gripperFrame);
  const base = createTransform();
  const root = createTransform();
  const local = createTransform();
  return (x, y, yaw, joints) => {
    requireFinite('solve', 'yaw', yaw);
    const [c, s] = [cos(yaw), sin(yaw)];
    base.set([c, -s, 0, s, c, 0, 0, 0, 1, x, y, 0]);
    relativeTransform(local, multiplyTransform(root, base, arm.mount), wanted);
    const { status, q } = solver.solve({
      target: local,
      task: isPoint ? 'position' : 'pose',
      start: Float64Array.from(joints),
      seed,
    });
    return status === 'solved' ? { joints: [...q] } : null;
  };
}

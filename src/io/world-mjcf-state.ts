/**
 * Positions and velocities of a simulation as MuJoCo counts them: qpos and qvel of the joints that world-mjcf.ts writes, in its order.
 *
 * A free joint has the place of its body in the world, quaternion w x y z, and the velocity of its origin in world axes, the angular one
 * in its own; hinges and slides have their coordinate, those that mimic their own one too. Tested by world-mjcf.test.ts.
 */
import { mat3ToQuat } from '../math/quat.js';
import type { Simulation } from '../simulation/simulation.js';

export function listMujocoState({ world, bodyPlacements, robots, state }: Simulation): {
  readonly qpos: readonly number[];
  readonly qvel: readonly number[];
} {
  const qpos: number[] = [];
  const qvel: number[] = [];
  const quaternion = new Float64Array(4);
  const addPlace = (X: Float64Array): void => {
    const [x, y, z, w] = mat3ToQuat(quaternion, X);
    qpos.push(X[9], X[10], X[11], w, x, y, z);
  };
  let at = 2;
  for (let i = 0; i < world.bodies.length; i++, at += 14) {
    const X = bodyPlacements.subarray(12 * i, 12 * i + 12);
    addPlace(X);
    const [vx, vy, vz, wx, wy, wz] = state.subarray(at + 7, at + 13);
    qvel.push(vx, vy, vz);
    for (let k = 0; k < 3; k++) qvel.push(X[k] * wx + X[3 + k] * wy + X[6 + k] * wz);
  }
  for (const { model, q, v, data } of robots)
    for (let j = 1; j < model.jointCount; j++) {
      const kind = model.jointKinds[j];
      if (kind?.name === 'floating') {
        const X = data.kinematics.jointPlacements.subarray(12 * j, 12 * j + 12);
        addPlace(X);
        const [a, b, c, ...turn] = v.subarray(model.idxV[j], model.idxV[j] + 6);
        for (let k = 0; k < 3; k++) qvel.push(X[3 * k] * a + X[3 * k + 1] * b + X[3 * k + 2] * c);
        qvel.push(...turn);
      } else if (kind?.nv === 1 && (kind.motion === 'rotation' || kind.motion === 'translation')) {
        const driver = model.mimicDrivers[j];
        const rate = driver > 0 ? model.mimicMultipliers[j] : 1;
        const own = driver > 0 ? driver : j;
        qpos.push(rate * q[model.idxQ[own]] + (driver > 0 ? model.mimicOffsets[j] : 0));
        qvel.push(rate * v[model.idxV[own]]);
      }
    }
  return { qpos, qvel };
}

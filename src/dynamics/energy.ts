/**
 * Kinetic and potential energy, J.
 *
 * Method: kinetic 1/2 sum V^T I V over the bodies plus 1/2 sum armature v^2 = 1/2 v^T M v; potential -m g . c with c the
 * centre of mass, so zero at the world's origin.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 2.13, doi:10.1007/978-1-4899-7560-7.
 * Cost: linear in joints, no allocation. Tested by centroidal.test.ts, identities.test.ts and test/oracle/dynamics.test.ts.
 */

import { computeCenterOfMass } from '../kinematics/center-of-mass.js';
import { forwardKinematics } from '../kinematics/forward-kinematics.js';
import { computeVelocities } from '../kinematics/motion.js';
import type { Model } from '../model/model.js';
import type { DynamicsData } from './dynamics-data.js';
import { requireDynamics } from './dynamics-data.js';

export function computeKineticEnergy(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
): number {
  requireDynamics('computeKineticEnergy', model, data);
  const { bodyInertias: I, armature } = data;
  const V = computeVelocities(model, data, q, v);
  let twice = 0;
  for (let k = 0; k < model.nv; k++) twice += armature[k] * v[k] * v[k];
  for (let j = 1; j < model.jointCount; j++) {
    const i = 10 * j;
    const x = V[6 * j];
    const y = V[6 * j + 1];
    const z = V[6 * j + 2];
    const wx = V[6 * j + 3];
    const wy = V[6 * j + 4];
    const wz = V[6 * j + 5];
    twice +=
      I[i] * (x * x + y * y + z * z) +
      2 * (I[i + 1] * (wz * y - wy * z) + I[i + 2] * (wx * z - wz * x) + I[i + 3] * (wy * x - wx * y)) +
      wx * (I[i + 4] * wx + 2 * (I[i + 5] * wy + I[i + 6] * wz)) +
      wy * (I[i + 7] * wy + 2 * I[i + 8] * wz) +
      I[i + 9] * wz * wz;
  }
  return 0.5 * twice;
}

const center = new Float64Array(3);

export function computePotentialEnergy(model: Model, data: DynamicsData, q: ArrayLike<number>): number {
  requireDynamics('computePotentialEnergy', model, data);
  forwardKinematics(model, data.kinematics, q);
  const mass = computeCenterOfMass(center, model, data.kinematics);
  const g = data.gravity;
  return -mass * (g[0] * center[0] + g[1] * center[1] + g[2] * center[2]);
}

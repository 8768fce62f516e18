/**
 * The joint torque regressor Y(q, v, a): inverse dynamics is linear in the bodies' inertial parameters, tau = Y p (armature
 * apart), which is what parameter identification fits.
 *
 * Method: the force of each unit parameter of a body at its motion, f = I_k A + V x* (I_k V), projected on every column
 * between the body and the base.
 * Source: Atkeson, An, Hollerbach 1986, "Estimation of inertial parameters of manipulator loads and links",
 * doi:10.1177/027836498600500306.
 * Shapes: `out` is nv x 10 (jointCount - 1), row-major; ten parameters per body from joint 1 on, those of math/inertia.ts:
 * mass, first moment (3), inertia about the joint frame's origin (xx, xy, xz, yy, yz, zz), joint axes; `data.bodyInertias`
 * from index 10 holds the robot's own. Cost: joints x depth, no allocation. Tested by regressor.test.ts.
 */

import { computeMotion } from '../kinematics/motion.js';
import { throwMisuse } from '../math/arguments.js';
import { multiplySpatialInertia } from '../math/inertia.js';
import { crossForce, transformForce } from '../math/spatial.js';
import type { Model } from '../model/model.js';
import { alignJoints, dotAt, readAlignedPlacement } from './aligned.js';
import type { DynamicsData } from './dynamics-data.js';
import { requireDynamics } from './dynamics-data.js';

const velocity = new Float64Array(6);
const acceleration = new Float64Array(6);
const parameter = new Float64Array(10);
const momentum = new Float64Array(6);
const force = new Float64Array(6);
const placement = new Float64Array(12);

export function computeRegressor(
  out: Float64Array,
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  a: ArrayLike<number>,
): Float64Array {
  requireDynamics('computeRegressor', model, data);
  const { alignedSubspaces: S, columnStarts, columnParents, columnVelocities, gravity } = data;
  const width = 10 * (model.jointCount - 1);
  if (!(out instanceof Float64Array) || out.length !== model.nv * width)
    throwMisuse('computeRegressor', 'out', out, `a Float64Array of ${model.nv} x ${width}`);
  computeMotion(model, data, q, v, a);
  alignJoints(model, data);
  out.fill(0);
  for (let j = 1; j < model.jointCount; j++) {
    readAlignedPlacement(placement, data, j);
    for (let i = 0; i < 6; i++) {
      velocity[i] = data.velocities[6 * j + i];
      acceleration[i] = data.accelerations[6 * j + i];
    }
    // Gravity as an acceleration upward, in the joint's axes.
    for (let i = 0; i < 3; i++) {
      acceleration[i] -= placement[i] * gravity[0] + placement[3 + i] * gravity[1] + placement[6 + i] * gravity[2];
    }
    // Every joint, one that mimics too, has a column to start from.
    const last = columnStarts[j + 1] - 1;
    for (let k = 0; k < 10; k++) {
      parameter.fill(0);
      parameter[k] = 1;
      crossForce(momentum, velocity, multiplySpatialInertia(momentum, parameter, velocity));
      multiplySpatialInertia(force, parameter, acceleration);
      for (let i = 0; i < 6; i++) force[i] += momentum[i];
      transformForce(force, placement, force);
      for (let d = last; d >= 0; d = columnParents[d]) {
        out[columnVelocities[d] * width + 10 * (j - 1) + k] += dotAt(S, 6 * d, force, 0);
      }
    }
  }
  return out;
}

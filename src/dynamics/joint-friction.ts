/**
 * Friction of the joints: damping v + friction sign(v), a torque against the motion.
 *
 * Source: the URDF specification, element `joint/dynamics`. Dry friction at rest is not modelled: sign(0) = 0.
 * Cost: linear in nv, no allocation but by `readJointFriction`. Tested by joint-friction.test.ts.
 */

import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import type { DynamicsData } from './dynamics-data.js';

/**
 * What the joints' descriptions say, one number per v, for the options of `createDynamicsData` and `compileModel`. Joints that
 * mimic have no velocity of their own; theirs is left out. Joints of several velocities have the same numbers in each.
 */
export function readJointFriction(model: Model): { readonly damping: Float64Array; readonly friction: Float64Array } {
  requireModel('readJointFriction', model);
  const damping = new Float64Array(model.nv);
  const friction = new Float64Array(model.nv);
  for (let j = 1; j < model.jointCount; j++) {
    const { dynamics } = model.jointDescriptions[j] ?? {};
    if (!dynamics || model.mimicDrivers[j] > 0) continue;
    damping.fill(dynamics.damping, model.idxV[j], model.idxV[j] + model.nvs[j]);
    friction.fill(dynamics.friction, model.idxV[j], model.idxV[j] + model.nvs[j]);
  }
  return { damping, friction };
}

/** out += sign (damping v + friction sign(v)) */
export function addJointFriction(out: Float64Array, data: DynamicsData, sign: 1 | -1): void {
  const { damping, friction, v } = data;
  for (let k = 0; k < out.length; k++) out[k] += sign * (damping[k] * v[k] + friction[k] * Math.sign(v[k]));
}

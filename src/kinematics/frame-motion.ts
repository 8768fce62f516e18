/**
 * Spatial velocity, spatial acceleration and classical acceleration of a frame, in the references of `computeFrameJacobian`.
 *
 * `local`: frame axes, at the frame's origin. `world`: world axes, at the world's origin. `local-world-aligned`: world axes,
 * at the frame's origin. The spatial acceleration is the derivative of the velocity field seen at the reference point and
 * follows the rules of motions; the classical one, of the body point there, adds w x v to the linear part.
 * J a + (dJ/dt) v is the spatial acceleration in `local` and `world`, the classical one in `local-world-aligned`.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 2.11, doi:10.1007/978-1-4899-7560-7.
 * Needs: `forwardKinematics` and `computeMotion` (velocities alone: `computeVelocities`) for the same q.
 * Writes 6 numbers [linear, angular]. Cost: constant, no allocation.
 * Tested by motion.test.ts and test/oracle/dynamics.test.ts.
 */

import { requireIndex, requireLength, requireOneOf } from '../math/arguments.js';
import { inverseTransformMotion, transformMotion } from '../math/spatial.js';
import { multiplyTransformAt } from '../math/transform.js';
import type { Data, Model } from '../model/model.js';
import { requireModelData } from '../model/model-door.js';
import type { JacobianReference } from './frame-jacobian.js';
import { REFERENCES } from './frame-jacobian.js';
import type { MotionData } from './motion-data.js';
import { requireMotion } from './motion-data.js';

export function computeFrameVelocity(
  out: Float64Array,
  model: Model,
  data: Data,
  motion: MotionData,
  frame: number,
  reference: JacobianReference,
): Float64Array {
  requireModelData('computeFrameVelocity', model, data);
  requireMotion('computeFrameVelocity', model, motion);
  requireIndex('computeFrameVelocity', 'frame', frame, model.frameCount);
  requireOneOf('computeFrameVelocity', 'reference', reference, REFERENCES);
  requireLength('computeFrameVelocity', 'out', out, 6);
  return expressMotion(out, model, data, motion.velocities, frame, reference);
}

/** The spatial acceleration. */
export function computeFrameAcceleration(
  out: Float64Array,
  model: Model,
  data: Data,
  motion: MotionData,
  frame: number,
  reference: JacobianReference,
): Float64Array {
  requireModelData('computeFrameAcceleration', model, data);
  requireMotion('computeFrameAcceleration', model, motion);
  requireIndex('computeFrameAcceleration', 'frame', frame, model.frameCount);
  requireOneOf('computeFrameAcceleration', 'reference', reference, REFERENCES);
  requireLength('computeFrameAcceleration', 'out', out, 6);
  return expressMotion(out, model, data, motion.accelerations, frame, reference);
}

const velocity = new Float64Array(6);

/** The acceleration of the body point at the reference point, and the angular acceleration. */
export function computeFrameClassicalAcceleration(
  out: Float64Array,
  model: Model,
  data: Data,
  motion: MotionData,
  frame: number,
  reference: JacobianReference,
): Float64Array {
  requireModelData('computeFrameClassicalAcceleration', model, data);
  requireMotion('computeFrameClassicalAcceleration', model, motion);
  requireIndex('computeFrameClassicalAcceleration', 'frame', frame, model.frameCount);
  requireOneOf('computeFrameClassicalAcceleration', 'reference', reference, REFERENCES);
  requireLength('computeFrameClassicalAcceleration', 'out', out, 6);
  computeFrameVelocity(velocity, model, data, motion, frame, reference);
  expressMotion(out, model, data, motion.accelerations, frame, reference);
  const vx = velocity[0];
  const vy = velocity[1];
  const vz = velocity[2];
  out[0] += velocity[4] * vz - velocity[5] * vy;
  out[1] += velocity[5] * vx - velocity[3] * vz;
  out[2] += velocity[3] * vy - velocity[4] * vx;
  return out;
}

const placement = new Float64Array(12);

/** The motion of the frame's joint (6 numbers per joint, joint axes) as seen in the reference. */
function expressMotion(
  out: Float64Array,
  model: Model,
  data: Data,
  motions: Float64Array,
  frame: number,
  reference: JacobianReference,
): Float64Array {
  const joint = model.frameJoints[frame];
  for (let i = 0; i < 6; i++) out[i] = motions[6 * joint + i];
  if (reference === 'world') {
    for (let i = 0; i < 12; i++) placement[i] = data.jointPlacements[12 * joint + i];
    return transformMotion(out, placement, out);
  }
  for (let i = 0; i < 12; i++) placement[i] = model.framePlacements[12 * frame + i];
  inverseTransformMotion(out, placement, out);
  if (reference === 'local') return out;
  multiplyTransformAt(placement, 0, data.jointPlacements, 12 * joint, model.framePlacements, 12 * frame);
  placement.fill(0, 9, 12);
  return transformMotion(out, placement, out);
}

/**
 * The time derivative dJ/dt of a frame's Jacobian, in the references of `computeFrameJacobian`.
 *
 * Method: in world axes at the world's origin a column is S, fixed in its joint's body, so dS/dt = V_body x S. In the frame
 * (`local`) the column also loses what the frame's own motion does to it: Ad(X_WF)^-1 (dS - V_F x S). At the frame's origin p
 * (`local-world-aligned`) the linear part is dS_v + dS_w x p + S_w x dp/dt.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 2.10, doi:10.1007/978-1-4899-7560-7.
 * Shapes: `out` is 6 x nv, row-major, like the Jacobian. Needs `forwardKinematics` and `computeVelocities` for the same q.
 * Cost: linear in the columns, no allocation. Tested by motion.test.ts and test/oracle/dynamics.test.ts.
 */

import { requireFloats, requireIndex, requireOneOf } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { crossMotion, inverseTransformMotion, transformMotion } from '../math/spatial.js';
import { multiplyTransformAt } from '../math/transform.js';
import type { Data, Model } from '../model/model.js';
import { requireModelData } from '../model/model-door.js';
import type { JacobianReference } from './frame-jacobian.js';
import { REFERENCES } from './frame-jacobian.js';
import { computeFrameVelocity } from './frame-motion.js';
import type { MotionData } from './motion-data.js';
import { requireMotion } from './motion-data.js';

const X_WF = new Float64Array(12);
const X_WJ = new Float64Array(12);
const frameVelocity = new Float64Array(6);
const bodyVelocity = new Float64Array(6);
const column = new Float64Array(6);
const rate = new Float64Array(6);

export function computeFrameJacobianRate(
  out: Float64Array,
  model: Model,
  data: Data,
  motion: MotionData,
  frame: number,
  reference: JacobianReference,
): Float64Array {
  requireModelData('computeFrameJacobianRate', model, data);
  requireMotion('computeFrameJacobianRate', model, motion);
  requireFloats('computeFrameJacobianRate', 'out', out);
  requireIndex('computeFrameJacobianRate', 'frame', frame, model.frameCount);
  requireOneOf('computeFrameJacobianRate', 'reference', reference, REFERENCES);
  const { columnStarts, columnSubspaces: S, columnVelocities, velocities: V } = motion;
  const { nv } = model;
  if (out.length !== 6 * nv) {
    throw new MisuseError(`computeFrameJacobianRate: out, got ${out.length} numbers, expected 6 x ${nv}`);
  }
  computeFrameVelocity(frameVelocity, model, data, motion, frame, 'world');
  const joint = model.frameJoints[frame];
  multiplyTransformAt(X_WF, 0, data.jointPlacements, 12 * joint, model.framePlacements, 12 * frame);
  out.fill(0);
  const support = model.supports[joint];
  for (let s = 0; s < support.length; s++) {
    const j = support[s];
    for (let i = 0; i < 12; i++) X_WJ[i] = data.jointPlacements[12 * j + i];
    for (let i = 0; i < 6; i++) bodyVelocity[i] = V[6 * j + i];
    transformMotion(bodyVelocity, X_WJ, bodyVelocity);
    for (let c = columnStarts[j]; c < columnStarts[j + 1]; c++) {
      for (let i = 0; i < 6; i++) column[i] = S[6 * c + i];
      transformMotion(column, X_WJ, column);
      crossMotion(rate, bodyVelocity, column);
      if (reference === 'local') {
        crossMotion(column, frameVelocity, column);
        for (let i = 0; i < 6; i++) rate[i] -= column[i];
        inverseTransformMotion(rate, X_WF, rate);
      } else if (reference === 'local-world-aligned') {
        shiftRate();
      }
      for (let r = 0; r < 6; r++) out[r * nv + columnVelocities[c]] += rate[r];
    }
  }
  return out;
}

/** rate_v += rate_w x p + column_w x dp/dt, p the frame's origin. */
function shiftRate(): void {
  const x = X_WF[9];
  const y = X_WF[10];
  const z = X_WF[11];
  const u = frameVelocity[0] + frameVelocity[4] * z - frameVelocity[5] * y;
  const v = frameVelocity[1] + frameVelocity[5] * x - frameVelocity[3] * z;
  const w = frameVelocity[2] + frameVelocity[3] * y - frameVelocity[4] * x;
  rate[0] += rate[4] * z - rate[5] * y + column[4] * w - column[5] * v;
  rate[1] += rate[5] * x - rate[3] * z + column[5] * u - column[3] * w;
  rate[2] += rate[3] * y - rate[4] * x + column[3] * v - column[4] * u;
}

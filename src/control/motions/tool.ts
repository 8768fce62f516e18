/**
 * The tool of a robot: a frame of its own on one of the robot's frames, with its rates from those of the joints.
 *
 * X_WT = X_WF X_FT. Rates are of the tool's origin, in world axes: V [linear, angular] = J v, and the classical acceleration
 * A = J a + (dJ/dt) v, so that the linear parts are the first and second derivative of the origin's place.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 2.11, doi:10.1007/978-1-4899-7560-7.
 * Cost: a forward kinematics per place; nothing is allocated. Tested by tool.test.ts (finite differences).
 */
import { computeFramePlacement, forwardKinematics } from '../../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../../kinematics/frame-jacobian.js';
import { computeFrameClassicalAcceleration, computeFrameVelocity } from '../../kinematics/frame-motion.js';
import { computeMotion } from '../../kinematics/motion.js';
import { createMotionData, type MotionData } from '../../kinematics/motion-data.js';
import {
  createTransform,
  invertTransform,
  multiplyTransform,
  relativeTransform,
  type Transform,
} from '../../math/transform.js';
import { createData, type Data, type Model, setBasePlacement } from '../../model/model.js';
import type { TrajectoryPoint } from '../../trajectory/trajectory.js';

export class Tool {
  readonly data: Data;
  /** Velocity coordinates that move the tool. */
  readonly moving: Int32Array;
  private readonly motion: MotionData;
  private readonly X_WF = createTransform();
  private readonly offset = new Float64Array(3);

  constructor(
    readonly model: Model,
    readonly frame: number,
    readonly X_FT: Transform,
    X_WB: ArrayLike<number> | null,
  ) {
    this.data = createData(model);
    if (X_WB) setBasePlacement(this.data, X_WB);
    this.motion = createMotionData(model);
    this.moving = listMoving(model, frame);
  }

  /** X_WT at q. */
  place(out: Transform, q: Float64Array): Transform {
    const { model, data, frame, X_FT, X_WF, offset } = this;
    forwardKinematics(model, data, q);
    computeFramePlacement(X_WF, model, data, frame);
    for (let r = 0; r < 3; r++)
      offset[r] = X_WF[3 * r] * X_FT[9] + X_WF[3 * r + 1] * X_FT[10] + X_WF[3 * r + 2] * X_FT[11];
    return multiplyTransform(out, X_WF, X_FT);
  }

  /** J of the tool's origin, world axes, 6 x nv, at the q of the last `place`. */
  jacobian(out: Float64Array): Float64Array {
    const { model, data, frame, offset } = this;
    computeFrameJacobian(out, model, data, frame, 'local-world-aligned');
    const { nv } = model;
    for (let k = 0; k < nv; k++) {
      const [x, y, z] = [out[3 * nv + k], out[4 * nv + k], out[5 * nv + k]];
      out[k] += y * offset[2] - z * offset[1];
      out[nv + k] += z * offset[0] - x * offset[2];
      out[2 * nv + k] += x * offset[1] - y * offset[0];
    }
    return out;
  }

  /** X_WF for a solver of inverse kinematics, which has the robot where its model stands, that brings the tool to X_WT. */
  solverTarget(X_WT: Transform): Transform {
    const { model, data, X_FT } = this;
    const X_BT = relativeTransform(createTransform(), data.jointPlacements.subarray(0, 12), X_WT);
    const X = multiplyTransform(createTransform(), Float64Array.from(model.basePlacement), X_BT);
    return multiplyTransform(X, X, invertTransform(createTransform(), X_FT));
  }

  /** V and A, 6 numbers each, of a motion of the joints. */
  rates(V: Float64Array, A: Float64Array, { q, v, a }: TrajectoryPoint): void {
    const { model, data, motion, frame, offset, X_WF, X_FT } = this;
    forwardKinematics(model, data, q);
    computeFramePlacement(X_WF, model, data, frame);
    for (let r = 0; r < 3; r++)
      offset[r] = X_WF[3 * r] * X_FT[9] + X_WF[3 * r + 1] * X_FT[10] + X_WF[3 * r + 2] * X_FT[11];
    computeMotion(model, motion, q, v, a);
    computeFrameVelocity(V, model, data, motion, frame, 'local-world-aligned');
    computeFrameClassicalAcceleration(A, model, data, motion, frame, 'local-world-aligned');
    const [x, y, z] = [V[3], V[4], V[5]];
    const [p, r, s] = offset;
    const cross = [y * s - z * r, z * p - x * s, x * r - y * p];
    A[0] += A[4] * s - A[5] * r + y * cross[2] - z * cross[1];
    A[1] += A[5] * p - A[3] * s + z * cross[0] - x * cross[2];
    A[2] += A[3] * r - A[4] * p + x * cross[1] - y * cross[0];
    for (let i = 0; i < 3; i++) V[i] += cross[i];
  }
}

function listMoving(model: Model, frame: number): Int32Array {
  const moving = new Set<number>();
  for (const j of model.supports[model.frameJoints[frame]]) {
    const driver = model.mimicDrivers[j] || j;
    for (let k = 0; k < model.nvs[driver]; k++) moving.add(model.idxV[driver] + k);
  }
  return Int32Array.from([...moving].sort((a, b) => a - b));
}

/**
 * Rows of `pose` and `relative-pose`: e = log(X_BT) for the target T seen from the frame B, in B's axes.
 *
 * Method: moving B by the velocity V (its own axes) changes X_BT from the left, so de/dt = -Jl^-1(e) V: A = Jl^-1(e) J_B, with
 * J_B the frame's local Jacobian, less Ad(X_BA) J_A for a target that stands in the robot's frame A. The exact derivative, so
 * steps converge quadratically also for large rotations.
 * Source: Sola, Deray, Atchuthan 2018, arXiv:1812.01537, section II; Lynch, Park 2017, "Modern robotics", section 6.2.
 * Tested by tasks.test.ts (finite differences).
 */
import { computeFramePlacement } from '../../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../../kinematics/frame-jacobian.js';
import { multiplyMat3 } from '../../math/mat3.js';
import { leftJacobianInverseSe3, logSe3 } from '../../math/se3.js';
import { expSo3 } from '../../math/so3.js';
import { writeAdjoint } from '../../math/spatial.js';
import { createTransform, multiplyTransform, relativeTransform } from '../../math/transform.js';
import type { Data, Model } from '../../model/model.js';
import { measureRows, readNumbers } from './read-numbers.js';
import type { PoseTask, RelativePoseTask, TaskRows } from './task.js';

const turn = new Float64Array(9);
const rotation = new Float64Array(3);

/** R := exp(time w) R for the first nine numbers of X. */
export function turnTarget(X: Float64Array, w: Float64Array, at: number, time: number): void {
  for (let i = 0; i < 3; i++) rotation[i] = time * w[at + i];
  multiplyMat3(X, expSo3(turn, rotation), X);
}

export class PoseRows implements TaskRows {
  readonly rows = 6;
  positionError = 0;
  rotationError = 0;
  private readonly target = createTransform();
  private readonly velocity = new Float64Array(6);
  private readonly X_WB = createTransform();
  private readonly X_WA = createTransform();
  private readonly X_WT = createTransform();
  private readonly X_BT = createTransform();
  private readonly error = new Float64Array(6);
  private readonly inverse = new Float64Array(36);
  private readonly jacobian: Float64Array;
  private readonly baseJacobian: Float64Array;
  private readonly adjoint = new Float64Array(36);
  private readonly base: number;

  constructor(
    private readonly model: Model,
    private readonly task: PoseTask | RelativePoseTask,
  ) {
    this.base = task.kind === 'pose' ? -1 : task.base;
    this.jacobian = new Float64Array(6 * model.nv);
    this.baseJacobian = new Float64Array(this.base < 0 ? 0 : 6 * model.nv);
  }

  place(time: number): void {
    const { target, velocity, task } = this;
    readNumbers(target, task.target, 12, `${task.kind}: target`);
    if (time === 0 || !task.velocity) return;
    readNumbers(velocity, task.velocity, 6, `${task.kind}: velocity`);
    for (let i = 0; i < 3; i++) target[9 + i] += time * velocity[i];
    turnTarget(target, velocity, 3, time);
  }

  evaluate(error: Float64Array, at: number, data: Data): void {
    const { X_WB, X_WA, X_WT, X_BT } = this;
    computeFramePlacement(X_WB, this.model, data, this.task.frame);
    if (this.base < 0) relativeTransform(X_BT, X_WB, this.target);
    else {
      computeFramePlacement(X_WA, this.model, data, this.base);
      relativeTransform(X_BT, X_WB, multiplyTransform(X_WT, X_WA, this.target));
    }
    logSe3(this.error, X_BT);
    for (let r = 0; r < 6; r++) error[at + r] = this.error[r];
    const { weights } = this.task;
    this.positionError = weights
      ? measureRows(error, at, weights, 0, 3)
      : Math.sqrt(X_BT[9] * X_BT[9] + X_BT[10] * X_BT[10] + X_BT[11] * X_BT[11]);
    this.rotationError = measureRows(error, at, weights, 3, 6);
  }

  linearize(A: Float64Array, row: number, data: Data): void {
    const { model, jacobian: J, inverse } = this;
    const { nv } = model;
    computeFrameJacobian(J, model, data, this.task.frame, 'local');
    if (this.base >= 0) this.subtractBase(data);
    leftJacobianInverseSe3(inverse, this.error);
    // The lower left block of the inverse is zero.
    for (let r = 0; r < 6; r++) {
      const out = (row + r) * nv;
      for (let k = 0; k < nv; k++) {
        let sum = 0;
        for (let c = r < 3 ? 0 : 3; c < 6; c++) sum += inverse[6 * r + c] * J[c * nv + k];
        A[out + k] = sum;
      }
    }
  }

  /** J := J_B - Ad(X_BA) J_A */
  private subtractBase(data: Data): void {
    const { model, jacobian: J, baseJacobian: J_A, adjoint, X_BT } = this;
    const { nv } = model;
    computeFrameJacobian(J_A, model, data, this.base, 'local');
    writeAdjoint(adjoint, relativeTransform(X_BT, this.X_WB, this.X_WA));
    for (let r = 0; r < 6; r++) {
      for (let k = 0; k < nv; k++) {
        let sum = 0;
        for (let c = 0; c < 6; c++) sum += adjoint[6 * r + c] * J_A[c * nv + k];
        J[r * nv + k] -= sum;
      }
    }
  }
}

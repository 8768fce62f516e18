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
import { measureRows, readNumbers, readTransform } from './read-numbers.js';
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
    readTransform(target, task.target, `${task.kind}: target`);
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
    computeFrameJacobian(J, model, data, this.task.frame, 'local');
    if (this.base >= 0) this.subtractBase(data);
    leftJacobianInverseSe3(inverse, this.error);
    this.multiplyRows(A, row);
  }

  /** Rows of Jl^-1 J, of which the lower left block of Jl^-1 is zero and the two diagonal ones are equal. */
  private multiplyRows(A: Float64Array, row: number): void {
    const { jacobian: J, inverse: I } = this;
    const { nv } = this.model;
    const at = row * nv;
    for (let k = 0; k < nv; k++) {
      const x = J[k];
      const y = J[nv + k];
      const z = J[2 * nv + k];
      const u = J[3 * nv + k];
      const v = J[4 * nv + k];
      const w = J[5 * nv + k];
      A[at + k] = I[0] * x + I[1] * y + I[2] * z + I[3] * u + I[4] * v + I[5] * w;
      A[at + nv + k] = I[6] * x + I[7] * y + I[8] * z + I[9] * u + I[10] * v + I[11] * w;
      A[at + 2 * nv + k] = I[12] * x + I[13] * y + I[14] * z + I[15] * u + I[16] * v + I[17] * w;
      A[at + 3 * nv + k] = I[0] * u + I[1] * v + I[2] * w;
      A[at + 4 * nv + k] = I[6] * u + I[7] * v + I[8] * w;
      A[at + 5 * nv + k] = I[12] * u + I[13] * v + I[14] * w;
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

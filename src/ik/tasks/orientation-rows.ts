/**
 * Rows of `orientation`: e = log(R_FT), the rotation vector from the frame to the target, in the frame's axes.
 *
 * Method: de/dt = -Jl^-1(e) w with w the frame's angular velocity in its own axes. Source: Sola, Deray, Atchuthan 2018,
 * arXiv:1812.01537, section II. Tested by tasks.test.ts (finite differences).
 */

import { computeFramePlacement } from '../../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../../kinematics/frame-jacobian.js';
import { requireRotation } from '../../math/require-transform.js';
import { leftJacobianInverseSo3, logSo3 } from '../../math/so3.js';
import { createTransform, relativeTransform } from '../../math/transform.js';
import type { Data, Model } from '../../model/model.js';
import { turnTarget } from './pose-rows.js';
import { measureRows, ROTATION, readNumbers } from './read-numbers.js';
import type { OrientationTask, TaskRows } from './task.js';

export class OrientationRows implements TaskRows {
  readonly rows = 3;
  readonly positionError = 0;
  rotationError = 0;
  private readonly target = createTransform();
  private readonly given = new Float64Array(12);
  private readonly velocity = new Float64Array(3);
  private readonly X_WF = createTransform();
  private readonly X_FT = createTransform();
  private readonly error = new Float64Array(3);
  private readonly inverse = new Float64Array(9);
  private readonly jacobian: Float64Array;

  constructor(
    private readonly model: Model,
    private readonly task: OrientationTask,
  ) {
    this.jacobian = new Float64Array(6 * model.nv);
  }

  place(time: number): void {
    const { task, given, target, velocity } = this;
    readNumbers(given, task.target, task.target?.length === 12 ? 12 : 9, 'orientation: target');
    requireRotation('orientation: target', given, ROTATION);
    for (let i = 0; i < 9; i++) target[i] = given[i];
    if (time === 0 || !task.velocity) return;
    readNumbers(velocity, task.velocity, 3, 'orientation: velocity');
    turnTarget(target, velocity, 0, time);
  }

  evaluate(error: Float64Array, at: number, data: Data): void {
    computeFramePlacement(this.X_WF, this.model, data, this.task.frame);
    logSo3(this.error, relativeTransform(this.X_FT, this.X_WF, this.target));
    for (let r = 0; r < 3; r++) error[at + r] = this.error[r];
    this.rotationError = measureRows(error, at, this.task.weights, 0, 3);
  }

  linearize(A: Float64Array, row: number, data: Data): void {
    const { model, jacobian: J, inverse } = this;
    const { nv } = model;
    computeFrameJacobian(J, model, data, this.task.frame, 'local');
    leftJacobianInverseSo3(inverse, this.error);
    for (let r = 0; r < 3; r++) {
      for (let k = 0; k < nv; k++) {
        let sum = 0;
        for (let c = 0; c < 3; c++) sum += inverse[3 * r + c] * J[(3 + c) * nv + k];
        A[(row + r) * nv + k] = sum;
      }
    }
  }
}

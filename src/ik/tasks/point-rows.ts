/**
 * Rows of `position` and `center-of-mass`: e = p_WT - p, world axes, for a point p of a frame or the centre of mass.
 *
 * Method: A is the Jacobian of the point's velocity: the frame's, shifted by w x r for a point away from its origin.
 * Tested by tasks.test.ts (finite differences).
 */
import { computeCenterOfMass, computeCenterOfMassJacobian } from '../../kinematics/center-of-mass.js';
import { computeFramePlacement } from '../../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../../kinematics/frame-jacobian.js';
import { createMotionData, type MotionData } from '../../kinematics/motion-data.js';
import { createTransform } from '../../math/transform.js';
import type { Data, Model } from '../../model/model.js';
import { measureRows, readNumbers } from './read-numbers.js';
import type { CenterOfMassTask, PositionTask, TaskRows } from './task.js';

abstract class PointRows implements TaskRows {
  readonly rows = 3;
  positionError = 0;
  readonly rotationError = 0;
  protected readonly target = new Float64Array(3);
  private readonly velocity = new Float64Array(3);

  constructor(
    protected readonly model: Model,
    private readonly common: PositionTask | CenterOfMassTask,
  ) {}

  place(time: number): void {
    const { kind, target, velocity } = this.common;
    readNumbers(this.target, target, 3, `${kind}: target`);
    if (time === 0 || !velocity) return;
    readNumbers(this.velocity, velocity, 3, `${kind}: velocity`);
    for (let i = 0; i < 3; i++) this.target[i] += time * this.velocity[i];
  }

  protected compare(error: Float64Array, at: number, point: Float64Array): void {
    for (let i = 0; i < 3; i++) error[at + i] = this.target[i] - point[i];
    this.positionError = measureRows(error, at, this.common.weights, 0, 3);
  }

  abstract evaluate(error: Float64Array, at: number, data: Data): void;
  abstract linearize(A: Float64Array, row: number, data: Data): void;
}

export class PositionRows extends PointRows {
  private readonly X_WF = createTransform();
  /** The point in the frame, and from the frame's origin in world axes. */
  private readonly point = new Float64Array(3);
  private readonly arm = new Float64Array(3);
  private readonly place3 = new Float64Array(3);
  private readonly jacobian: Float64Array;

  constructor(
    model: Model,
    private readonly task: PositionTask,
  ) {
    super(model, task);
    this.jacobian = new Float64Array(6 * model.nv);
  }

  override place(time: number): void {
    super.place(time);
    if (this.task.point) readNumbers(this.point, this.task.point, 3, 'position: point');
  }

  evaluate(error: Float64Array, at: number, data: Data): void {
    const { X_WF: X, point, arm, place3 } = this;
    computeFramePlacement(X, this.model, data, this.task.frame);
    for (let r = 0; r < 3; r++) {
      arm[r] = X[3 * r] * point[0] + X[3 * r + 1] * point[1] + X[3 * r + 2] * point[2];
      place3[r] = X[9 + r] + arm[r];
    }
    this.compare(error, at, place3);
  }

  linearize(A: Float64Array, row: number, data: Data): void {
    const { jacobian: J, arm } = this;
    const { nv } = this.model;
    computeFrameJacobian(J, this.model, data, this.task.frame, 'local-world-aligned');
    const out = row * nv;
    for (let k = 0; k < nv; k++) {
      const x = J[3 * nv + k];
      const y = J[4 * nv + k];
      const z = J[5 * nv + k];
      A[out + k] = J[k] + y * arm[2] - z * arm[1];
      A[out + nv + k] = J[nv + k] + z * arm[0] - x * arm[2];
      A[out + 2 * nv + k] = J[2 * nv + k] + x * arm[1] - y * arm[0];
    }
  }
}

export class CenterOfMassRows extends PointRows {
  private readonly motion: MotionData;
  private readonly center = new Float64Array(3);
  private readonly jacobian: Float64Array;

  constructor(model: Model, task: CenterOfMassTask) {
    super(model, task);
    this.motion = createMotionData(model);
    this.jacobian = new Float64Array(3 * model.nv);
  }

  evaluate(error: Float64Array, at: number, data: Data): void {
    computeCenterOfMass(this.center, this.model, data);
    this.compare(error, at, this.center);
  }

  linearize(A: Float64Array, row: number, data: Data): void {
    computeCenterOfMassJacobian(this.jacobian, this.model, data, this.motion);
    A.set(this.jacobian, row * this.model.nv);
  }
}

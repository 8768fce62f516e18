/**
 * Rows of `axis` and `look-at`: how far an axis a of the frame is from the direction d, as the two components of the
 * shortest turn's angle towards d in the plane across a.
 *
 * Method: d in the frame's axes, d = R^T d_W or d = y/|y| with y = R^T (p_WT - p_WF). With u, w orthonormal across a,
 *   s = |(d.u, d.w)|,  c = d.a,  theta = atan2(s, c),  e = (theta/s) (d.u, d.w),
 * and dd/dt = d x w_F - (I - d d^T) v_F/|y| (the last term for `look-at` only) through the chain rule. The angle itself is the
 * error, so it does not fade near half a turn. Exactly there (s = 0, c < 0) the turn goes about w. A point to look at that
 * coincides with the frame's origin gives an error of pi and no derivative.
 * Source: own derivation. Tested by tasks.test.ts (finite differences).
 */

import { computeFramePlacement } from '../../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../../kinematics/frame-jacobian.js';
import { MisuseError } from '../../math/misuse.js';
import { atan2, hypot } from '../../math/scalar.js';
import { createTransform } from '../../math/transform.js';
import type { Data, Model } from '../../model/model.js';
import { writeAxesAround } from './axes-around.js';
import { measureRows, readNumbers } from './read-numbers.js';
import type { AxisTask, LookAtTask, TaskRows } from './task.js';

/** Below this sine the axis counts as aligned or opposite. */
const SMALL = 1e-9;

const axis = new Float64Array(3);

export class AxisRows implements TaskRows {
  readonly rows = 2;
  readonly positionError = 0;
  rotationError = 0;
  private readonly target = new Float64Array(3);
  private readonly velocity = new Float64Array(3);
  private readonly axes = new Float64Array(9);
  private readonly X_WF = createTransform();
  /** d in the frame, its components along u, w, a, and 1/|y|. */
  private readonly d = new Float64Array(3);
  private readonly parts = new Float64Array(3);
  private inverseDistance = 0;
  private isDegenerate = false;
  private readonly jacobian: Float64Array;

  constructor(
    private readonly model: Model,
    private readonly task: AxisTask | LookAtTask,
  ) {
    this.jacobian = new Float64Array(6 * model.nv);
  }

  place(time: number): void {
    const { target, velocity, task } = this;
    readNumbers(target, task.target, 3, `${task.kind}: target`);
    if (time !== 0 && task.velocity) {
      readNumbers(velocity, task.velocity, 3, `${task.kind}: velocity`);
      for (let i = 0; i < 3; i++) target[i] += time * velocity[i];
    }
    if (task.kind === 'axis') normalize(target, 'axis: target');
    this.readAxis();
  }

  /** Rows of `axes`: u, w, a. */
  private readAxis(): void {
    const { axes, task } = this;
    const a = normalize(readNumbers(axis, task.axis, 3, `${task.kind}: axis`), `${task.kind}: axis`);
    writeAxesAround(axes, a);
  }

  evaluate(error: Float64Array, at: number, data: Data): void {
    const { X_WF: X, target, d, parts, axes, task } = this;
    computeFramePlacement(X, this.model, data, task.frame);
    const isPoint = task.kind === 'look-at';
    let squared = 0;
    for (let c = 0; c < 3; c++) {
      d[c] = 0;
      for (let r = 0; r < 3; r++) d[c] += X[3 * r + c] * (isPoint ? target[r] - X[9 + r] : target[r]);
      squared += d[c] * d[c];
    }
    this.isDegenerate = squared < 1e-24;
    this.inverseDistance = 0;
    if (isPoint && !this.isDegenerate) {
      this.inverseDistance = 1 / Math.sqrt(squared);
      for (let c = 0; c < 3; c++) d[c] *= this.inverseDistance;
    }
    for (let r = 0; r < 3; r++) parts[r] = axes[3 * r] * d[0] + axes[3 * r + 1] * d[1] + axes[3 * r + 2] * d[2];
    let s = hypot(parts[0], parts[1]);
    if (s < SMALL && parts[2] < 0) {
      parts[0] = SMALL;
      parts[1] = 0;
      s = SMALL;
    }
    const theta = this.isDegenerate ? Math.PI : atan2(s, parts[2]);
    const ratio = s < SMALL ? 1 : theta / s;
    error[at] = this.isDegenerate ? theta : ratio * parts[0];
    error[at + 1] = this.isDegenerate ? 0 : ratio * parts[1];
    this.rotationError = measureRows(error, at, task.weights, 0, 2);
  }

  linearize(A: Float64Array, row: number, data: Data): void {
    const { model, jacobian: J, d, parts, axes, inverseDistance: scale } = this;
    const { nv } = model;
    const out = row * nv;
    if (this.isDegenerate) {
      A.fill(0, out, out + 2 * nv);
      return;
    }
    computeFrameJacobian(J, model, data, this.task.frame, 'local');
    const s = hypot(parts[0], parts[1]);
    const c = parts[2];
    const isSmall = s < SMALL;
    const ratio = isSmall ? 1 : atan2(s, c) / s;
    for (let k = 0; k < nv; k++) {
      const wx = J[3 * nv + k];
      const wy = J[4 * nv + k];
      const wz = J[5 * nv + k];
      const along = scale * (d[0] * J[k] + d[1] * J[nv + k] + d[2] * J[2 * nv + k]);
      const x = d[1] * wz - d[2] * wy - scale * J[k] + along * d[0];
      const y = d[2] * wx - d[0] * wz - scale * J[nv + k] + along * d[1];
      const z = d[0] * wy - d[1] * wx - scale * J[2 * nv + k] + along * d[2];
      const du = axes[0] * x + axes[1] * y + axes[2] * z;
      const dw = axes[3] * x + axes[4] * y + axes[5] * z;
      const dc = axes[6] * x + axes[7] * y + axes[8] * z;
      const ds = isSmall ? 0 : (parts[0] * du + parts[1] * dw) / s;
      const dRatio = isSmall ? 0 : (c * ds - s * dc - ratio * ds) / s;
      A[out + k] = -(ratio * du + dRatio * parts[0]);
      A[out + nv + k] = -(ratio * dw + dRatio * parts[1]);
    }
  }
}

function normalize(v: Float64Array, what: string): Float64Array {
  const length = hypot(v[0], v[1], v[2]);
  if (!(length > 1e-12)) throw new MisuseError(`${what}, got [${v}], expected a vector that is not zero`);
  for (let i = 0; i < 3; i++) v[i] /= length;
  return v;
}

/**
 * How the joints must move for the tool to follow its path: q'(s) = J^+ V(s) + N g(q), and corrections onto the path.
 *
 * J is scaled: rows of turning times LEVER, so that its singular values are metres per radian. J^+ is the pseudo-inverse by
 * singular values; g, for arms with joints to spare, leads away from joint limits (the gradient of sum ((q - middle) / half)^2),
 * in the null space N of J. Joints that do not move the tool stand still.
 * Source: Siciliano, Sciavicco, Villani, Oriolo 2009, "Robotics: modelling, planning and control", sections 3.5.1 (redundancy),
 * 3.7 (orientation error), doi:10.1007/978-1-84628-642-1. Frames: W. Cost: a forward kinematics and a decomposition per call.
 * Tested by follow-tool-path.test.ts.
 */
import { computeSvd, createSvd, type Svd } from '../../math/dense/svd.js';
import { logSo3 } from '../../math/so3.js';
import { createTransform, poseToTransform } from '../../math/transform.js';
import { integrateConfiguration } from '../../model/configuration.js';
import type { JointCurve } from '../../trajectory/joint-curve.js';
import { createTrajectoryPoint, type TrajectoryPoint } from '../../trajectory/trajectory.js';
import type { Tool } from './tool.js';
import { LEVER } from './tool-path.js';

/** Singular values below this share of the largest are taken as 0. */
const CUTOFF = 1e-9;
/** Radians per metre that joints leave their limits by, at a limit. */
const GAIN = 0.5;
const CORRECTIONS = 12;
/** Metres, and LEVER radians: how well corrections meet the path. */
const MET = 1e-11;
const WELL_ENOUGH = 1e-9;

export class ToolField {
  readonly svd: Svd;
  private readonly jacobian: Float64Array;
  private readonly reduced: Float64Array;
  private readonly X = createTransform();
  private readonly target = createTransform();
  private readonly point: TrajectoryPoint;
  private readonly rhs = new Float64Array(6);
  private readonly step: Float64Array;
  private readonly error = new Float64Array(6);
  private readonly turn = createTransform();

  constructor(
    readonly tool: Tool,
    readonly curve: JointCurve,
  ) {
    const { nv } = tool.model;
    const m = tool.moving.length;
    this.svd = createSvd(6, m);
    this.jacobian = new Float64Array(6 * nv);
    this.reduced = new Float64Array(6 * m);
    this.point = createTrajectoryPoint(curve.model);
    this.step = new Float64Array(nv);
  }

  /** The least singular value where the field was asked last. */
  get least(): number {
    return this.svd.s[this.svd.s.length - 1];
  }

  /** Decomposes J at q. */
  decompose(q: Float64Array): Svd {
    this.tool.place(this.X, q);
    return this.decomposePlaced();
  }

  private decomposePlaced(): Svd {
    const { tool, jacobian, reduced, svd } = this;
    const { nv } = tool.model;
    const { moving } = tool;
    const m = moving.length;
    tool.jacobian(jacobian);
    for (let r = 0; r < 6; r++)
      for (let c = 0; c < m; c++) reduced[r * m + c] = jacobian[r * nv + moving[c]] * (r < 3 ? 1 : LEVER);
    return computeSvd(svd, reduced);
  }

  /** q'(s) at a place of the path, nv numbers. */
  rate(out: Float64Array, q: Float64Array, piece: number, offset: number): Float64Array {
    const { point, rhs, target } = this;
    this.decompose(q);
    this.curve.evaluatePiece(point, piece, offset);
    poseToTransform(target, point.q);
    for (let r = 0; r < 3; r++) {
      rhs[r] = point.v[r];
      rhs[3 + r] =
        LEVER * (target[3 * r] * point.v[3] + target[3 * r + 1] * point.v[4] + target[3 * r + 2] * point.v[5]);
    }
    this.solve(out);
    if (this.tool.moving.length > 6) this.leaveLimits(out, q);
    return out;
  }

  /** out = J^+ rhs, on the joints that move the tool. */
  private solve(out: Float64Array): void {
    const { svd, rhs, tool } = this;
    const { u, s, v, n } = svd;
    out.fill(0);
    for (let i = 0; i < s.length; i++) {
      if (!(s[i] > CUTOFF * s[0])) continue;
      let dot = 0;
      for (let r = 0; r < 6; r++) dot += u[6 * i + r] * rhs[r];
      for (let c = 0; c < n; c++) out[tool.moving[c]] += (dot / s[i]) * v[n * i + c];
    }
  }

  private leaveLimits(out: Float64Array, q: Float64Array): void {
    const { svd, tool } = this;
    const { v, n, s } = svd;
    const { model, moving } = tool;
    const wish = new Float64Array(n);
    for (let j = 1; j < model.jointCount; j++) {
      if (model.nqs[j] !== 1 || model.nvs[j] !== 1) continue;
      const at = moving.indexOf(model.idxV[j]);
      const [low, high] = [model.lower[model.idxQ[j]], model.upper[model.idxQ[j]]];
      if (at < 0 || !(high - low < Infinity)) continue;
      wish[at] = (-GAIN * (2 * q[model.idxQ[j]] - high - low)) / (high - low);
    }
    for (let i = 0; i < s.length; i++) {
      let dot = 0;
      for (let c = 0; c < n; c++) dot += v[n * i + c] * wish[c];
      for (let c = 0; c < n; c++) wish[c] -= dot * v[n * i + c];
    }
    for (let c = 0; c < n; c++) out[moving[c]] += wish[c];
  }

  /** Turns q until the tool is on the path; whether it is. `q` is written. */
  correct(q: Float64Array, piece: number, offset: number): boolean {
    const { step, rhs, error, tool } = this;
    let before = Infinity;
    for (let k = 0; k < CORRECTIONS; k++) {
      const size = this.measure(q, piece, offset);
      if (size <= MET) return true;
      // Rounding is reached, or nothing is.
      if (!(size < 0.5 * before)) return size <= WELL_ENOUGH;
      before = size;
      this.decomposePlaced();
      rhs.set(error);
      this.solve(step);
      integrateConfiguration(q, tool.model, q, step);
    }
    return false;
  }

  /** Metres, and LEVER times radians, by which the tool at q is off the path. */
  measure(q: Float64Array, piece: number, offset: number): number {
    const { tool, curve, point, target, X, error, turn } = this;
    tool.place(X, q);
    curve.evaluatePiece(point, piece, offset);
    poseToTransform(target, point.q);
    // R_WT R_WC^T: the turn from where the tool is to where it should be, in the world's axes.
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++)
        turn[3 * r + c] =
          target[3 * r] * X[3 * c] + target[3 * r + 1] * X[3 * c + 1] + target[3 * r + 2] * X[3 * c + 2];
    logSo3(this.vector, turn);
    let way = 0;
    let angle = 0;
    for (let r = 0; r < 3; r++) {
      error[r] = target[9 + r] - X[9 + r];
      error[3 + r] = LEVER * this.vector[r];
      way += error[r] * error[r];
      angle += error[3 + r] * error[3 + r];
    }
    return Math.sqrt(Math.max(way, angle));
  }

  private readonly vector = new Float64Array(3);
}

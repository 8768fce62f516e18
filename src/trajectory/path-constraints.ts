/**
 * The limits of a robot along a path, as bounds on the path's own motion s(t).
 *
 * With v = q'(s) ds/dt and a = q'(s) u + q''(s) x, x = (ds/dt)^2 and u = d2s/dt2, every limit is a row of numbers
 *   -1 <= A u + B x + C <= 1,
 * acceleration: A = q'/a_max, B = q''/a_max, C = 0; torque: A = M q', B = M q'' + C(q, q') q', C = g, all over tau_max,
 * from three calls of RNEA; and the velocity limits are x <= X, the square of the largest ds/dt.
 * Source: Pham, Pham 2018, "A new approach to time-optimal path parameterization based on reachability analysis", section
 * II, doi:10.1109/TRO.2018.2819195.
 * Limits of another kind, as those of a tool (`PathLimit`), add rows of their own and lower X.
 * Arrays: sample k holds rows k R .. k R + R - 1 of A, B, C, and X[k]. Cost: nv numbers per sample, with torques also three
 * RNEA. Tested by time-optimal.test.ts.
 */
import type { DynamicsData } from '../dynamics/dynamics-data.js';
import { rnea } from '../dynamics/rnea.js';
import type { JointCurve } from './joint-curve.js';
import { coordinateName, type MotionLimits } from './limits.js';
import type { PathLimit } from './path-limit.js';
import { createTrajectoryPoint, type TrajectoryPoint } from './trajectory.js';

export class PathConstraints {
  /** Rows per sample, R. */
  readonly rows: number;
  /** Velocity coordinates with an acceleration limit, and with a torque limit. */
  private readonly accelerated: number[] = [];
  private readonly driven: number[] = [];
  private readonly point: TrajectoryPoint;
  private readonly zeros: Float64Array;
  private readonly gravity: Float64Array;
  A: Float64Array = new Float64Array(0);
  B: Float64Array = new Float64Array(0);
  C: Float64Array = new Float64Array(0);
  X: Float64Array = new Float64Array(0);
  size = 0;

  constructor(
    readonly curve: JointCurve,
    readonly limits: MotionLimits,
    readonly dynamics: DynamicsData | null,
    readonly further: PathLimit | null = null,
  ) {
    const { nv } = curve.model;
    for (let k = 0; k < nv; k++) {
      if (limits.acceleration[k] < Infinity) this.accelerated.push(k);
      if (dynamics && limits.torque[k] < Infinity) this.driven.push(k);
    }
    this.rows = this.accelerated.length + this.driven.length + (further?.rowNames.length ?? 0);
    this.point = createTrajectoryPoint(curve.model);
    this.zeros = new Float64Array(nv);
    this.gravity = new Float64Array(nv);
  }

  get hasTorque(): boolean {
    return this.driven.length > 0;
  }

  /** What a row bounds, for messages. */
  nameRow(row: number): string {
    const { accelerated, driven } = this;
    const { model } = this.curve;
    const other = row - accelerated.length - driven.length;
    if (other >= 0) return (this.further as PathLimit).rowNames[other];
    return row < accelerated.length
      ? `the acceleration of "${coordinateName(model, accelerated[row])}"`
      : `the torque of "${coordinateName(model, driven[row - accelerated.length])}"`;
  }

  reserve(samples: number): void {
    if (samples <= this.X.length) return;
    const capacity = Math.max(samples, Math.ceil(1.5 * this.X.length));
    for (const name of ['A', 'B', 'C'] as const) this[name] = widen(this[name], capacity * this.rows);
    this.X = widen(this.X, capacity);
  }

  /** Adds the sample at `offset` along a piece of the curve; returns its number. */
  add(piece: number, offset: number): number {
    this.reserve(this.size + 1);
    this.write(this.size, piece, offset);
    return this.size++;
  }

  /** Adds a copy of a sample. */
  addCopy(sample: number): number {
    const { rows, size } = this;
    this.reserve(size + 1);
    for (const array of [this.A, this.B, this.C]) array.copyWithin(rows * size, rows * sample, rows * sample + rows);
    this.X[size] = this.X[sample];
    return this.size++;
  }

  /**
   * Shares of the limits that a sample uses, signed, R + 1 numbers from `at`: A u + B x + C of each row, then ds/dt over the
   * largest one. Returns the largest magnitude.
   */
  writeUsage(out: Float64Array, at: number, sample: number, u: number, x: number): number {
    const { rows, A, B, C, X } = this;
    const speed = Math.sqrt(Math.max(x, 0) / X[sample]);
    out[at + rows] = speed;
    let most = speed;
    for (let k = 0, row = rows * sample; k < rows; k++, row++) {
      const share = A[row] * u + B[row] * x + C[row];
      out[at + k] = share;
      most = Math.max(most, Math.abs(share));
    }
    return most;
  }

  /** Divides every limit of a sample by `factor`. */
  tighten(sample: number, factor: number): void {
    const { rows, A, B, C, X } = this;
    for (let k = rows * sample; k < rows * (sample + 1); k++) {
      A[k] *= factor;
      B[k] *= factor;
      C[k] *= factor;
    }
    X[sample] /= factor * factor;
  }

  /** Overwrites a sample. */
  write(sample: number, piece: number, offset: number): void {
    const { curve, limits, accelerated, driven, point, rows } = this;
    curve.evaluatePiece(point, piece, offset);
    const { v, a } = point;
    let most = Infinity;
    for (let k = 0; k < v.length; k++) {
      const speed = Math.abs(v[k]);
      if (speed > 0) most = Math.min(most, limits.velocity[k] / speed);
    }
    this.X[sample] = most * most;
    let at = rows * sample;
    for (let i = 0; i < accelerated.length; i++, at++) {
      const k = accelerated[i];
      this.A[at] = v[k] / limits.acceleration[k];
      this.B[at] = a[k] / limits.acceleration[k];
      this.C[at] = 0;
    }
    if (driven.length > 0) this.writeTorques(at);
    if (!this.further) return;
    const speed = this.further.write(this, at + driven.length, { piece, offset, point });
    this.X[sample] = Math.min(this.X[sample], speed * speed);
  }

  /** Rows of the torques, from `at`, at the point that was evaluated last. */
  private writeTorques(at: number): void {
    const { curve, limits, driven } = this;
    const { q, v, a } = this.point;
    const { model } = curve;
    const data = this.dynamics!;
    this.gravity.set(rnea(model, data, q, this.zeros, this.zeros));
    const inertial = rnea(model, data, q, this.zeros, v);
    for (let i = 0; i < driven.length; i++) {
      const k = driven[i];
      this.A[at + i] = (inertial[k] - this.gravity[k]) / limits.torque[k];
      this.C[at + i] = this.gravity[k] / limits.torque[k];
    }
    const centripetal = rnea(model, data, q, v, a);
    for (let i = 0; i < driven.length; i++) {
      const k = driven[i];
      this.B[at + i] = (centripetal[k] - this.gravity[k]) / limits.torque[k];
    }
  }
}

function widen(array: Float64Array, length: number): Float64Array {
  const out = new Float64Array(length);
  out.set(array);
  return out;
}

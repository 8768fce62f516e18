/**
 * Constraints of a robot's frames as data, and as equations of its joint values: a tool that stays upright, on a plane or a line, at a point, at
 * an orientation; or a pose seen from another frame, which closes a chain of two arms.
 *
 * Method: X_AB, frame B (`frame`) seen from A (`relativeTo`, or the world), gives p = X_AB q of a point q of B, and R_AB. Equations are linear in p
 * and in an axis of R_AB, or the rotation vector of R_AB against what it shall be. With a `tolerance` they become inequalities: what is beyond it.
 * Jacobians follow from the frames' (computeFrameJacobian), of the rotation vector by the inverse right Jacobian of SO(3).
 * Between states whose joints go straight, the joints between A and B form one chain of exponentials; a point of it has an m-th derivative of at
 * most m U W^(m-1), W the sum of |w_k| and U that of |l_k| + |w_k| r_k, r_k a bound of its distance from joint k; an axis W^m. A function that
 * is 0 at both ends and f in the middle is at most |f| + 0.00802 max |f'''| between (interpolation in three places).
 * Source: Stilman 2010, "Global manipulation planning in robot joint space with task constraints", doi:10.1109/TRO.2010.2044949; Berenson,
 * Srinivasa, Kuffner 2011, "Task space regions", doi:10.1177/0278364910396389 (inequalities); the bound between states is ours.
 * Frames: A, B, W as in docs/notation.md. Metres, radians. Cost: a forward kinematics and two frame Jacobians. Nothing is allocated.
 * Fails: joints of more than one coordinate are refused. Tested by robot-constraint.test.ts against finite differences and dense samples.
 */

import { computeFramePlacement } from '../../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../../kinematics/frame-jacobian.js';
import { type Fields, numbers, requireFields, requireNumbers, throwMisuse } from '../../math/arguments.js';
import { atan2, hypot } from '../../math/scalar.js';
import { logSo3, rightJacobianInverseSo3 } from '../../math/so3.js';
import { createTransform, type Transform } from '../../math/transform.js';
import { createData, type Model, requireModel, setBasePlacement } from '../../model/model.js';
import { type ChainBounds, createChainBounds } from './chain-bounds.js';
import { type Constraint, joinConstraints } from './constraint.js';
import { type FrameConstraint, type ResolvedConstraint, readFrameConstraint } from './frame-constraint.js';
import { FrameKinematics, IDENTITY } from './frame-kinematics.js';

export interface RobotConstraintOptions {
  /** Places in q of the numbers of a state; default all. */
  readonly indices?: ArrayLike<number>;
  /** The other coordinates, and what constraints that name no place hold; nq numbers. */
  readonly rest: ArrayLike<number>;
  /** X_WR: where the robot stands; default at the world's origin. */
  readonly placement?: Transform;
}

const CALL = 'createRobotConstraint';
const OPTIONS: Fields = {
  indices: numbers,
  rest: numbers,
  placement: (call, what, value) => requireNumbers(call, what, value, 12),
};
/** max |t (t - 1/2) (t - 1)| / 6 on [0, 1]. */
const CUBIC = 0.008019;

/** All of the constraints, for states of the given coordinates. */
export function createRobotConstraint(
  model: Model,
  constraints: readonly FrameConstraint[] | FrameConstraint,
  options: RobotConstraintOptions,
): Constraint {
  requireModel(CALL, model);
  const list = Array.isArray(constraints)
    ? (constraints as readonly FrameConstraint[])
    : [constraints as FrameConstraint];
  if (list.length === 0) throwMisuse(CALL, 'constraints', list, 'at least one');
  requireFields(CALL, 'options', options, OPTIONS);
  const { rest } = options;
  if (rest?.length !== model.nq) throwMisuse(CALL, 'options.rest', rest, `${model.nq} numbers`);
  const indices = Int32Array.from(options.indices ?? Array.from({ length: model.nq }, (_, i) => i));
  const isPlace = (i: number): boolean => Number.isInteger(i) && i >= 0 && i < model.nq;
  const given = Array.from(options.indices ?? []);
  if (indices.length === 0 || !given.every(isPlace) || new Set(given).size < given.length)
    throwMisuse(CALL, 'options.indices', options.indices, `different whole numbers below ${model.nq}`);
  const data = createData(model);
  if (options.placement) setBasePlacement(data, options.placement);
  const kinematics = new FrameKinematics(model, data, indices, Float64Array.from(rest));
  return joinConstraints(
    list.map(
      (constraint, i) =>
        new PlacedConstraint(kinematics, readFrameConstraint(`${CALL}: constraints[${i}]`, kinematics, constraint)),
    ),
  );
}

class PlacedConstraint implements Constraint {
  readonly dimension: number;
  readonly equations: number;
  readonly about: string;
  private readonly X_WA = createTransform();
  private readonly X_WB = createTransform();
  /** Of X_AB: the point and the rotation. */
  private readonly p = new Float64Array(3);
  private readonly R = new Float64Array(9);
  private readonly J_A: Float64Array;
  private readonly J_B: Float64Array;
  private readonly error = new Float64Array(3);
  private readonly turned = new Float64Array(9);
  private readonly inverse = new Float64Array(9);
  private readonly axis = new Float64Array(3);
  /** One row: coefficients of the relative velocity in A, linear and angular. */
  private readonly row = new Float64Array(6);
  private readonly bounds: ChainBounds;
  private readonly value: Float64Array;
  private readonly middle: Float64Array;

  constructor(
    private readonly kinematics: FrameKinematics,
    private readonly given: ResolvedConstraint,
  ) {
    this.dimension = kinematics.indices.length;
    const { normals, kind, tolerance } = given;
    const isTurned = kind === 'pose' || kind === 'orientation';
    this.equations = kind === 'axis' && tolerance > 0 ? 1 : normals.length / 3 + (isTurned ? 3 : 0);
    this.about = given.about;
    const { nv } = kinematics.model;
    this.J_A = new Float64Array(6 * nv);
    this.J_B = new Float64Array(6 * nv);
    this.bounds = createChainBounds(kinematics, given.frame, given.relativeTo);
    this.value = new Float64Array(this.equations);
    this.middle = new Float64Array(this.dimension);
  }

  evaluate(out: Float64Array, state: Float64Array): void {
    this.kinematics.place(state);
    this.relate();
    const { given } = this;
    const { tolerance } = given;
    if (given.kind === 'axis') {
      this.evaluateAxis(out);
      return;
    }
    const size = this.measure(out);
    if (tolerance === 0) return;
    // What is beyond the tolerance, in the same direction.
    const share = size > tolerance ? 1 - tolerance / size : 0;
    for (let i = 0; i < out.length; i++) out[i] *= share;
  }

  jacobian(out: Float64Array, state: Float64Array): void {
    this.kinematics.place(state);
    this.relate();
    this.readJacobians();
    out.fill(0);
    const { given, error, row, inverse, value, R } = this;
    const { kind, tolerance, normals } = given;
    if (kind === 'axis') {
      this.axisRows(out);
      return;
    }
    const size = this.measure(value);
    if (tolerance > 0 && !(size > tolerance)) return;
    let at = 0;
    for (let i = 0; i < normals.length; i += 3) {
      row.fill(0);
      for (let c = 0; c < 3; c++) row[c] = normals[i + c];
      this.addRow(out, at++, 1);
    }
    if (kind === 'pose' || kind === 'orientation') {
      rightJacobianInverseSo3(inverse, error);
      // The rotation vector's rate is Jr^-1 times the angular velocity in B.
      for (let i = 0; i < 3; i++) {
        row.fill(0);
        for (let c = 0; c < 3; c++) for (let b = 0; b < 3; b++) row[3 + c] += inverse[3 * i + b] * R[3 * c + b];
        this.addRow(out, at++, 1);
      }
    }
    if (tolerance > 0) this.shrinkRows(out, size);
  }

  /** Of e (1 - tolerance / |e|): (1 - tolerance / |e|) J + tolerance / |e|^3 e e' J. */
  private shrinkRows(out: Float64Array, size: number): void {
    const { value, dimension, equations } = this;
    const { tolerance } = this.given;
    const share = 1 - tolerance / size;
    const factor = tolerance / (size * size * size);
    for (let k = 0; k < dimension; k++) {
      let sum = 0;
      for (let i = 0; i < equations; i++) sum += value[i] * out[i * dimension + k];
      for (let i = 0; i < equations; i++)
        out[i * dimension + k] = share * out[i * dimension + k] + factor * value[i] * sum;
    }
  }

  /** Writes the components that shall be 0; returns the length of all together. */
  private measure(out: Float64Array): number {
    const { given, p, error } = this;
    const { kind, normals, target } = given;
    let at = 0;
    let square = 0;
    for (let i = 0; i < normals.length; i += 3) {
      const d =
        normals[i] * (p[0] - target[9]) + normals[i + 1] * (p[1] - target[10]) + normals[i + 2] * (p[2] - target[11]);
      square += d * d;
      out[at++] = d;
    }
    if (kind === 'pose' || kind === 'orientation') {
      this.measureRotation();
      for (let i = 0; i < 3; i++) {
        square += error[i] * error[i];
        out[at++] = error[i];
      }
    }
    return Math.sqrt(square);
  }

  deviationBound(a: Float64Array, b: Float64Array): number {
    const { kinematics, given, middle, value, bounds } = this;
    const { kind, tolerance } = given;
    kinematics.middle(middle, a, b);
    kinematics.place(middle);
    this.relate();
    const { W, U } = bounds.bound(a, b, given.point);
    if (tolerance > 0) {
      // Of second order: both ends are inside, and inside is convex.
      if (kind === 'axis') return rotationOf(0.125 * W * W);
      const shift = kind === 'orientation' ? 0 : 0.25 * U * W;
      const turn = kind === 'pose' || kind === 'orientation' ? rotationOf(Math.sqrt(3) * 0.125 * W * W) : 0;
      return shift + turn;
    }
    let worst = 0;
    this.evaluate(value, middle);
    if (kind === 'axis') {
      // Of the axis' components; what is made of them is at most the tangent.
      for (let i = 0; i < 2; i++) worst = Math.max(worst, Math.abs(value[i]) + CUBIC * W * W * W);
      return worst < 0.5 ? worst / Math.sqrt(1 - 2 * worst * worst) : Number.POSITIVE_INFINITY;
    }
    const linear = given.normals.length / 3;
    for (let i = 0; i < linear; i++) worst = Math.max(worst, Math.abs(value[i]) + CUBIC * 3 * U * W * W);
    if (kind !== 'pose' && kind !== 'orientation') return worst;
    // Columns of the rotation against what they shall be.
    const angle = hypot(value[linear], value[linear + 1], value[linear + 2]);
    return Math.max(worst, rotationOf(Math.sqrt(3) * (angle + CUBIC * W * W * W)));
  }

  private relate(): void {
    const { kinematics, given, X_WA, X_WB, p, R } = this;
    const { model, data } = kinematics;
    if (given.frame < 0) X_WB.set(IDENTITY);
    else computeFramePlacement(X_WB, model, data, given.frame);
    if (given.relativeTo < 0) X_WA.set(IDENTITY);
    else computeFramePlacement(X_WA, model, data, given.relativeTo);
    const { point } = given;
    for (let i = 0; i < 3; i++) {
      let sum = 0;
      for (let c = 0; c < 3; c++) {
        const w =
          X_WB[9 + c] - X_WA[9 + c] + X_WB[3 * c] * point[0] + X_WB[3 * c + 1] * point[1] + X_WB[3 * c + 2] * point[2];
        sum += X_WA[3 * c + i] * w;
      }
      p[i] = sum;
      for (let k = 0; k < 3; k++)
        R[3 * i + k] = X_WA[i] * X_WB[k] + X_WA[3 + i] * X_WB[3 + k] + X_WA[6 + i] * X_WB[6 + k];
    }
  }

  /** log of what turns what it shall be into what it is, in B. */
  private measureRotation(): void {
    const { R, turned, error, given } = this;
    const { target } = given;
    for (let i = 0; i < 3; i++)
      for (let k = 0; k < 3; k++)
        turned[3 * i + k] = target[i] * R[k] + target[3 + i] * R[3 + k] + target[6 + i] * R[6 + k];
    logSo3(error, turned);
  }

  /** The axis in A, and its angle against the direction. */
  private measureAxis(): { readonly across: number; readonly axis: Float64Array } {
    const { R, axis, given } = this;
    const { axis: u, direction: d } = given;
    for (let i = 0; i < 3; i++) axis[i] = R[3 * i] * u[0] + R[3 * i + 1] * u[1] + R[3 * i + 2] * u[2];
    const x = axis[1] * d[2] - axis[2] * d[1];
    const y = axis[2] * d[0] - axis[0] * d[2];
    const z = axis[0] * d[1] - axis[1] * d[0];
    return { across: atan2(hypot(x, y, z), dot(axis, 0, d, 0)), axis };
  }

  private evaluateAxis(out: Float64Array): void {
    const { tolerance, normals, direction } = this.given;
    const { across, axis } = this.measureAxis();
    if (tolerance > 0) {
      out[0] = Math.max(0, across - tolerance);
      return;
    }
    // Twice the tangent of half the angle, which is 0 for no other axis.
    const share = 2 / (1 + dot(axis, 0, direction, 0));
    for (let i = 0; i < 2; i++) out[i] = share * dot(normals, 3 * i, axis, 0);
  }

  private axisRows(out: Float64Array): void {
    const { row, given } = this;
    const { normals, direction: d, tolerance } = given;
    const { across, axis } = this.measureAxis();
    if (tolerance === 0) {
      // n . (w x a) = w . (a x n)
      const share = 1 / (1 + dot(axis, 0, d, 0));
      for (let i = 0; i < 2; i++) {
        row.fill(0);
        cross(row, 3, axis, 0, normals, 3 * i);
        this.addRow(out, i, 2 * share);
        cross(row, 3, axis, 0, d, 0);
        this.addRow(out, i, -2 * share * share * dot(normals, 3 * i, axis, 0));
      }
      return;
    }
    if (!(across > tolerance)) return;
    row.fill(0);
    cross(row, 3, d, 0, axis, 0);
    const length = hypot(row[3], row[4], row[5]);
    if (length > 0) this.addRow(out, 0, 1 / length);
  }

  private readJacobians(): void {
    const { kinematics, given, J_A, J_B } = this;
    const { model, data } = kinematics;
    if (given.frame >= 0) computeFrameJacobian(J_B, model, data, given.frame, 'local-world-aligned');
    if (given.relativeTo >= 0) computeFrameJacobian(J_A, model, data, given.relativeTo, 'local-world-aligned');
  }

  /** Adds `factor` times the row, whose coefficients are of the relative velocity of the point and of B, in A. */
  private addRow(out: Float64Array, at: number, factor: number): void {
    const { kinematics, given, J_A, J_B, X_WA, X_WB, row, dimension } = this;
    const { columns, model } = kinematics;
    const { nv } = model;
    const { point, relativeTo } = given;
    // In world axes: coefficients l of the point's velocity and w of the angular velocity.
    const l = [0, 0, 0];
    const w = [0, 0, 0];
    for (let i = 0; i < 3; i++)
      for (let c = 0; c < 3; c++) {
        l[i] += X_WA[3 * i + c] * row[c];
        w[i] += X_WA[3 * i + c] * row[3 + c];
      }
    const r = [0, 0, 0];
    for (let i = 0; i < 3; i++) r[i] = X_WB[3 * i] * point[0] + X_WB[3 * i + 1] * point[1] + X_WB[3 * i + 2] * point[2];
    // l . (v + w_B x r) = l . v + w_B . (r x l)
    const m = [w[0] + r[1] * l[2] - r[2] * l[1], w[1] + r[2] * l[0] - r[0] * l[2], w[2] + r[0] * l[1] - r[1] * l[0]];
    const s = [0, 0, 0];
    for (let i = 0; i < 3; i++) s[i] = r[i] + X_WB[9 + i] - X_WA[9 + i];
    const n = [w[0] + s[1] * l[2] - s[2] * l[1], w[1] + s[2] * l[0] - s[0] * l[2], w[2] + s[0] * l[1] - s[1] * l[0]];
    for (let k = 0; k < dimension; k++) {
      const c = columns[k];
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += l[i] * J_B[i * nv + c] + m[i] * J_B[(3 + i) * nv + c];
      if (relativeTo >= 0) for (let i = 0; i < 3; i++) sum -= l[i] * J_A[i * nv + c] + n[i] * J_A[(3 + i) * nv + c];
      out[at * dimension + k] += factor * sum;
    }
  }
}

/** The angle of a rotation whose matrix is so far from the identity (Frobenius norm), at most. */
function rotationOf(norm: number): number {
  const half = norm / (2 * Math.SQRT2);
  // asin x <= x / sqrt(1 - x^2)
  return half < 1 ? (2 * half) / Math.sqrt(1 - half * half) : Math.PI;
}

function dot(a: ArrayLike<number>, i: number, b: ArrayLike<number>, k: number): number {
  return a[i] * b[k] + a[i + 1] * b[k + 1] + a[i + 2] * b[k + 2];
}

function cross(out: Float64Array, at: number, a: ArrayLike<number>, i: number, b: ArrayLike<number>, k: number): void {
  out[at] = a[i + 1] * b[k + 2] - a[i + 2] * b[k + 1];
  out[at + 1] = a[i + 2] * b[k] - a[i] * b[k + 2];
  out[at + 2] = a[i] * b[k + 1] - a[i + 1] * b[k];
}

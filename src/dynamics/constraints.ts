/**
 * Bilateral constraints between frames of one robot, or a frame and the world: what constrained dynamics and impulses share.
 *
 * A constraint of kind `point` keeps the origins of two frames together (3 rows), one of kind `frame` their orientations as well
 * (6 rows: linear, then angular). Without a second frame the first is held where it is in the world: a contact. Between two
 * frames of the robot a constraint closes a loop. Rows are in world axes; for constraint velocity c = J v
 *   J = J_A - J_B (local-world-aligned), and dc/dt = J a + gamma, gamma = the frames' classical accelerations at a = 0.
 * Forces act on A and with the opposite sign on B, [force, moment] in world axes at the frames' origins.
 * Shapes: J is rows x nv, row-major. Cost: rows x nv, no allocation but by `createConstraints`.
 * Tested by constrained-dynamics.test.ts.
 */

import { computeFramePlacement, forwardKinematics } from '../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../kinematics/frame-jacobian.js';
import { computeFrameClassicalAcceleration } from '../kinematics/frame-motion.js';
import { computeMotion } from '../kinematics/motion.js';
import {
  type Fields,
  requireFields,
  requireFinite,
  requireList,
  requireOptions,
  throwMisuse,
  unchecked,
} from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { logSo3 } from '../math/so3.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import type { DynamicsData } from './dynamics-data.js';

const OPTIONS: Fields = { stiffness: requireFinite, damping: requireFinite };
const CONSTRAINT: Fields = { kind: unchecked, frame: unchecked, other: unchecked };

export interface RigidConstraint {
  readonly kind: 'point' | 'frame';
  /** Index of a frame; its other side is `other` or the world. */
  readonly frame: number;
  readonly other?: number;
}

export interface ConstraintOptions {
  /** Rates (1/s^2, 1/s) that pull a loop's position error and any constraint's velocity error to zero. Default 0. */
  readonly stiffness?: number;
  readonly damping?: number;
}

export interface Constraints {
  readonly list: readonly RigidConstraint[];
  /** Number of rows. */
  readonly size: number;
  readonly stiffness: number;
  readonly damping: number;
  readonly J: Float64Array;
  /** dc/dt at a = 0, less what stiffness and damping ask for. */
  readonly gamma: Float64Array;
  /** Result: forces per row, N and N m; of `computeConstraintImpulse` impulses, N s and N m s. */
  readonly forces: Float64Array;
  /** Result of `computeConstraintImpulse`. */
  readonly velocity: Float64Array;
  /** M^-1 J^T, nv x rows. */
  readonly inverseTimesTransposed: Float64Array;
  /** J M^-1 J^T and its regularised factor, rows x rows. */
  readonly delassus: Float64Array;
  readonly factor: Float64Array;
  readonly rightSide: Float64Array;
  readonly step: Float64Array;
  readonly jacobian: Float64Array;
}

export function createConstraints(
  model: Model,
  list: readonly RigidConstraint[],
  options: ConstraintOptions = {},
): Constraints {
  requireModel('createConstraints', model);
  requireList('createConstraints', 'list', list, 'a list of constraints');
  requireOptions('createConstraints', options, OPTIONS);
  for (const [i, constraint] of list.entries()) {
    requireFields('createConstraints', `list[${i}]`, constraint, CONSTRAINT);
    const { kind, frame, other } = constraint;
    for (const index of [frame, other ?? frame]) {
      if (!(Number.isInteger(index) && index >= 0 && index < model.frameCount)) {
        throw new MisuseError(
          `createConstraints: list[${i}].frame, got ${describeValue(index)}, expected 0 to ${model.frameCount - 1}`,
        );
      }
    }
    if (kind !== 'point' && kind !== 'frame') {
      throw new MisuseError(`createConstraints: list[${i}].kind, got ${describeValue(kind)}, expected point or frame`);
    }
  }
  const { stiffness = 0, damping = 0 } = options;
  if (!(stiffness >= 0 && damping >= 0 && Number.isFinite(stiffness + damping))) {
    throw new MisuseError(
      `createConstraints: stiffness and damping, got ${stiffness} and ${damping}, expected finite numbers, at least 0`,
    );
  }
  const size = list.reduce((rows, { kind }) => rows + (kind === 'point' ? 3 : 6), 0);
  return {
    list,
    size,
    stiffness,
    damping,
    J: new Float64Array(size * model.nv),
    gamma: new Float64Array(size),
    forces: new Float64Array(size),
    velocity: new Float64Array(model.nv),
    inverseTimesTransposed: new Float64Array(model.nv * size),
    delassus: new Float64Array(size * size),
    factor: new Float64Array(size * size),
    rightSide: new Float64Array(size),
    step: new Float64Array(size),
    jacobian: new Float64Array(6 * model.nv),
  };
}

const acceleration = new Float64Array(6);
const X_WA = new Float64Array(12);
const X_WB = new Float64Array(12);
const difference = new Float64Array(9);
const turn = new Float64Array(3);

/** J alone, for velocities and impulses. */
export function updateConstraintJacobian(
  model: Model,
  data: DynamicsData,
  constraints: Constraints,
  q: ArrayLike<number>,
): void {
  const { J, jacobian } = constraints;
  forwardKinematics(model, data.kinematics, q);
  J.fill(0);
  let row = 0;
  for (const { kind, frame, other } of constraints.list) {
    const rows = kind === 'point' ? 3 : 6;
    addJacobian(frame, 1);
    if (other !== undefined) addJacobian(other, -1);
    row += rows;

    function addJacobian(index: number, sign: number): void {
      computeFrameJacobian(jacobian, model, data.kinematics, index, 'local-world-aligned');
      for (let i = 0; i < rows * model.nv; i++) J[row * model.nv + i] += sign * jacobian[i];
    }
  }
}

/** J and gamma at (q, v). */
export function updateConstraints(
  model: Model,
  data: DynamicsData,
  constraints: Constraints,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
): void {
  const { J, gamma, stiffness, damping } = constraints;
  updateConstraintJacobian(model, data, constraints, q);
  data.a.fill(0);
  computeMotion(model, data, q, v, data.a);
  let row = 0;
  for (const { kind, frame, other } of constraints.list) {
    const rows = kind === 'point' ? 3 : 6;
    computeFrameClassicalAcceleration(acceleration, model, data.kinematics, data, frame, 'local-world-aligned');
    for (let i = 0; i < rows; i++) gamma[row + i] = acceleration[i];
    if (other !== undefined) {
      computeFrameClassicalAcceleration(acceleration, model, data.kinematics, data, other, 'local-world-aligned');
      for (let i = 0; i < rows; i++) gamma[row + i] -= acceleration[i];
      if (stiffness > 0) addPositionError(model, data, constraints, row, frame, other, rows);
    }
    row += rows;
  }
  if (damping === 0) return;
  for (let r = 0; r < constraints.size; r++) {
    for (let k = 0; k < model.nv; k++) gamma[r] += damping * J[r * model.nv + k] * v[k];
  }
}

/** gamma += stiffness times the distance of the origins and the turn from B to A, in world axes. */
function addPositionError(
  model: Model,
  data: DynamicsData,
  { gamma, stiffness }: Constraints,
  row: number,
  frame: number,
  other: number,
  rows: number,
): void {
  computeFramePlacement(X_WA, model, data.kinematics, frame);
  computeFramePlacement(X_WB, model, data.kinematics, other);
  for (let i = 0; i < 3; i++) gamma[row + i] += stiffness * (X_WA[9 + i] - X_WB[9 + i]);
  if (rows === 3) return;
  // R_A R_B^T
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      difference[3 * r + c] =
        X_WA[3 * r] * X_WB[3 * c] + X_WA[3 * r + 1] * X_WB[3 * c + 1] + X_WA[3 * r + 2] * X_WB[3 * c + 2];
    }
  }
  logSo3(turn, difference);
  for (let i = 0; i < 3; i++) gamma[row + 3 + i] += stiffness * turn[i];
}

export function requireConstraints(call: string, model: Model, constraints: unknown): void {
  const { J, size, velocity } = (constraints ?? {}) as Partial<Constraints>;
  if (J === undefined || velocity?.length !== model.nv || J.length !== model.nv * (size ?? -1))
    throwMisuse(call, 'constraints', constraints, 'what createConstraints returned for this model');
}

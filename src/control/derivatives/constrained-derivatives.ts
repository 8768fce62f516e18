/**
 * Derivatives of forward dynamics under contacts and closed loops, and of impulses, by state and torque.
 *
 * Method: of M a - J^T f = tau - h and J a + gamma = 0 at the solution,
 *   M da - J^T df = d tau - d(ID(q, v, a) - J^T f)     J da = -d(J a + gamma)
 * with a and f held in the d of the right sides: inverse dynamics by rnea-derivatives.ts, constraint accelerations and J^T f by
 * frame-motion-derivatives.ts. The same Delassus matrix and factor as of the dynamics; solutions are refined until the constraints
 * hold, as there. Impulses: M (v+ - v) = J^T L, J v+ = -restitution J v likewise.
 * Source: Budhiraja, Carpentier, Mastalli, Mansard 2018, "Differential dynamic programming for multi-phase rigid contact dynamics",
 * doi:10.1109/HUMANOIDS.2018.8624925; Carpentier, Mansard 2018, doi:10.15607/RSS.2018.XIV.038.
 * Shapes: nv x nv and rows x nv, row-major; by q along the tangent (right-plus). Cost: rows nv^2 + nv^3. No allocation after
 * `createConstrainedDerivatives`. Fails: as the dynamics themselves; derivatives are then zero. Where rows are redundant the forces
 * are not unique and their derivatives are those of least norm; accelerations are right all the same.
 * Tested by constrained-derivatives.test.ts (differences).
 */

import {
  type ConstrainedOptions,
  type ConstrainedStatus,
  computeConstrainedDynamics,
  computeConstraintImpulse,
} from '../../dynamics/constrained-dynamics.js';
import type { Constraints } from '../../dynamics/constraints.js';
import { requireConstraints } from '../../dynamics/constraints.js';
import type { DynamicsData } from '../../dynamics/dynamics-data.js';
import { requireDynamics } from '../../dynamics/dynamics-data.js';
import { solveInertia } from '../../dynamics/factorize-inertia.js';
import { computeRneaDerivatives } from '../../dynamics/rnea-derivatives.js';
import { computeFramePlacement } from '../../kinematics/forward-kinematics.js';
import { computeMotion } from '../../kinematics/motion.js';
import { requireObject, throwMisuse } from '../../math/arguments.js';
import { solveCholesky } from '../../math/dense/cholesky.js';
import { leftJacobianInverseSo3, logSo3 } from '../../math/so3.js';
import type { Model } from '../../model/model.js';
import {
  addForceDerivative,
  createFrameDerivatives,
  type FrameDerivatives,
  updateFrameDerivatives,
} from './frame-motion-derivatives.js';

export interface ConstrainedDerivatives {
  /** Of accelerations (velocities after an impulse), nv x nv. By tau; of impulses unused. */
  readonly dq: Float64Array;
  readonly dv: Float64Array;
  readonly dtau: Float64Array;
  /** Of the constraints' forces (impulses), rows x nv. */
  readonly forcesDq: Float64Array;
  readonly forcesDv: Float64Array;
  readonly forcesDtau: Float64Array;
  /** Derivatives of what the constraints ask for, rows x nv. */
  readonly rowsDq: Float64Array;
  readonly rowsDv: Float64Array;
  readonly frame: FrameDerivatives;
  readonly acceleration: Float64Array;
  readonly zero: Float64Array;
  readonly scratch: Float64Array;
}

export function createConstrainedDerivatives(
  model: Model,
  data: DynamicsData,
  constraints: Constraints,
): ConstrainedDerivatives {
  requireDynamics('createConstrainedDerivatives', model, data);
  requireConstraints('createConstrainedDerivatives', model, constraints);
  const { nv } = model;
  const square = () => new Float64Array(nv * nv);
  const rows = () => new Float64Array(constraints.size * nv);
  return {
    dq: square(),
    dv: square(),
    dtau: square(),
    forcesDq: rows(),
    forcesDv: rows(),
    forcesDtau: rows(),
    rowsDq: rows(),
    rowsDv: rows(),
    frame: createFrameDerivatives(model, data),
    acceleration: new Float64Array(nv),
    zero: new Float64Array(nv),
    scratch: square(),
  };
}

/** Runs `computeConstrainedDynamics` and writes its derivatives. */
export function computeConstrainedDerivatives(
  out: ConstrainedDerivatives,
  model: Model,
  data: DynamicsData,
  constraints: Constraints,
  state: { readonly q: Float64Array; readonly v: Float64Array; readonly tau: ArrayLike<number> },
  options: ConstrainedOptions = {},
): ConstrainedStatus {
  const call = 'computeConstrainedDerivatives';
  requireDynamics(call, model, data);
  requireDerivatives(call, model, constraints, out);
  const status = computeConstrainedDynamics(model, data, constraints, state, options);
  clear(out);
  if (status === 'singular') return status;
  const { nv } = model;
  const { dq, dv, dtau, acceleration } = out;
  acceleration.set(data.ddq);
  computeMotion(model, data, state.q, state.v, acceleration);
  writeRows(out, model, data, constraints, 'acceleration');
  computeRneaDerivatives(model, data, state.q, state.v, acceleration, options.externalForces ?? null);
  for (let i = 0; i < nv * nv; i++) {
    dq[i] -= data.dtauDq[i];
    dv[i] = -data.dtauDv[i];
  }
  for (let i = 0; i < nv; i++) dtau[i * nv + i] = 1;
  data.ddq.set(acceleration);
  solveRows(dq, out.forcesDq, out.rowsDq, model, data, constraints);
  solveRows(dv, out.forcesDv, out.rowsDv, model, data, constraints);
  solveRows(dtau, out.forcesDtau, null, model, data, constraints);
  return status;
}

/** Runs `computeConstraintImpulse` and writes derivatives of the velocity after it and of the impulses. */
export function computeImpulseDerivatives(
  out: ConstrainedDerivatives,
  model: Model,
  data: DynamicsData,
  constraints: Constraints,
  state: { readonly q: Float64Array; readonly v: Float64Array },
  options: ConstrainedOptions & { readonly restitution?: number } = {},
): ConstrainedStatus {
  const call = 'computeImpulseDerivatives';
  requireDynamics(call, model, data);
  requireDerivatives(call, model, constraints, out);
  requireObject(call, 'state', state, 'an object with q and v');
  const { q, v } = state;
  const status = computeConstraintImpulse(model, data, constraints, q, v, options);
  clear(out);
  if (status === 'singular') return status;
  const { nv } = model;
  const { restitution = 0 } = options;
  const { dq, dv, acceleration, zero, scratch } = out;
  const { velocity, J, size } = constraints;
  for (let i = 0; i < nv; i++) acceleration[i] = velocity[i] + restitution * v[i];
  computeMotion(model, data, q, acceleration, zero);
  writeRows(out, model, data, constraints, 'velocity');
  for (let i = 0; i < nv; i++) acceleration[i] = velocity[i] - v[i];
  // d (M w) / d q is that of inverse dynamics at rest, less the part of gravity.
  computeRneaDerivatives(model, data, q, zero, zero);
  scratch.set(data.dtauDq);
  computeRneaDerivatives(model, data, q, zero, acceleration);
  for (let i = 0; i < nv * nv; i++) dq[i] -= data.dtauDq[i] - scratch[i];
  for (let r = 0; r < size * nv; r++) out.rowsDv[r] = (1 + restitution) * J[r];
  solveRows(dq, out.forcesDq, out.rowsDq, model, data, constraints);
  // v+ = v + M^-1 J^T L, so that only the constraints' rows depend on v.
  solveRows(dv, out.forcesDv, out.rowsDv, model, data, constraints);
  for (let i = 0; i < nv; i++) dv[i * nv + i] += 1;
  return status;
}

function clear(out: ConstrainedDerivatives): void {
  const { dq, dv, dtau, forcesDq, forcesDv, forcesDtau, rowsDq, rowsDv } = out;
  for (const matrix of [dq, dv, dtau, forcesDq, forcesDv, forcesDtau, rowsDq, rowsDv]) matrix.fill(0);
}

/** d (J a + gamma), or d (J v) at the velocity loaded, and adds d (J^T f) / d q to `dq`. */
function writeRows(
  out: ConstrainedDerivatives,
  model: Model,
  data: DynamicsData,
  constraints: Constraints,
  what: 'acceleration' | 'velocity',
): void {
  const { rowsDq, rowsDv, frame, dq } = out;
  const { nv } = model;
  let row = 0;
  for (const { kind, frame: first, other } of constraints.list) {
    const rows = kind === 'point' ? 3 : 6;
    const force = constraints.forces.subarray(row, row + rows);
    for (const [index, sign] of [
      [first, 1],
      [other ?? -1, -1],
    ] as const) {
      if (index < 0) continue;
      updateFrameDerivatives(frame, model, data, index);
      addForceDerivative(dq, frame, model, data, { frame: index, force, scale: sign });
      const { damping } = constraints;
      for (let i = 0; i < rows * nv; i++) {
        const at = row * nv + i;
        if (what === 'velocity') {
          rowsDq[at] += sign * frame.velocityDq[i];
          continue;
        }
        rowsDq[at] += sign * (frame.accelerationDq[i] + damping * frame.velocityDq[i]);
        rowsDv[at] += sign * (frame.accelerationDv[i] + damping * frame.velocityDv[i]);
      }
      if (what === 'acceleration' && other !== undefined && constraints.stiffness > 0)
        addStiffness(out, model, data, constraints, { row, rows, index, sign, first, other });
    }
    row += rows;
  }
}

const X_WA = new Float64Array(12);
const X_WB = new Float64Array(12);
const R_AB = new Float64Array(9);
const turn = new Float64Array(3);
const inverse = new Float64Array(9);

/** Of the pull that closes a loop: stiffness times the distance of its frames. */
function addStiffness(
  { rowsDq, frame }: ConstrainedDerivatives,
  model: Model,
  data: DynamicsData,
  { stiffness }: Constraints,
  part: {
    readonly row: number;
    readonly rows: number;
    readonly index: number;
    readonly sign: number;
    readonly first: number;
    readonly other: number;
  },
): void {
  const { nv } = model;
  const { row, rows, sign, first, other, index } = part;
  const J = frame.velocityDv;
  for (let i = 0; i < 3 * nv; i++) rowsDq[row * nv + i] += sign * stiffness * J[i];
  if (rows === 3) return;
  computeFramePlacement(X_WA, model, data.kinematics, first);
  computeFramePlacement(X_WB, model, data.kinematics, other);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      R_AB[3 * r + c] =
        X_WA[3 * r] * X_WB[3 * c] + X_WA[3 * r + 1] * X_WB[3 * c + 1] + X_WA[3 * r + 2] * X_WB[3 * c + 2];
    }
  }
  // R_A R_B^T turns by w_A - R_A R_B^T w_B, from the left.
  leftJacobianInverseSo3(inverse, logSo3(turn, R_AB));
  for (let k = 0; k < nv; k++) {
    const w = [J[3 * nv + k], J[4 * nv + k], J[5 * nv + k]];
    const seen =
      index === first ? w : [0, 1, 2].map((r) => R_AB[3 * r] * w[0] + R_AB[3 * r + 1] * w[1] + R_AB[3 * r + 2] * w[2]);
    for (let r = 0; r < 3; r++) {
      rowsDq[(row + 3 + r) * nv + k] +=
        sign * stiffness * (inverse[3 * r] * seen[0] + inverse[3 * r + 1] * seen[1] + inverse[3 * r + 2] * seen[2]);
    }
  }
}

const MOST_REFINEMENTS = 20;

/** x = M^-1 (x + J^T df) with J x = -rows; nv columns each. */
function solveRows(
  x: Float64Array,
  forces: Float64Array,
  rows: Float64Array | null,
  model: Model,
  data: DynamicsData,
  constraints: Constraints,
): void {
  const { nv } = model;
  const { J, size, delassus: G, factor, inverseTimesTransposed: Y, rightSide, step } = constraints;
  solveInertia(x, nv, data.factors, nv, data.factorParents);
  if (size === 0) return;
  for (let c = 0; c < nv; c++) {
    let scale = 0;
    for (let r = 0; r < size; r++) {
      let sum = rows === null ? 0 : rows[r * nv + c];
      for (let k = 0; k < nv; k++) sum += J[r * nv + k] * x[k * nv + c];
      rightSide[r] = -sum;
      scale = Math.max(scale, Math.abs(sum));
    }
    for (let n = 0; n < MOST_REFINEMENTS; n++) {
      let largest = 0;
      for (let r = 0; r < size; r++) {
        let sum = rightSide[r];
        for (let k = 0; k < size; k++) sum -= G[r * size + k] * forces[k * nv + c];
        step[r] = sum;
        largest = Math.max(largest, Math.abs(sum));
      }
      if (largest <= 1e-14 * scale) break;
      solveCholesky(step, factor, size, step);
      for (let r = 0; r < size; r++) forces[r * nv + c] += step[r];
    }
    for (let k = 0; k < nv; k++) for (let r = 0; r < size; r++) x[k * nv + c] += Y[k * size + r] * forces[r * nv + c];
  }
}

function requireDerivatives(call: string, model: Model, constraints: Constraints, out: unknown): void {
  requireConstraints(call, model, constraints);
  const { dq, rowsDq } = (out ?? {}) as Partial<ConstrainedDerivatives>;
  if (dq?.length !== model.nv ** 2 || rowsDq?.length !== constraints.size * model.nv)
    throwMisuse(call, 'out', out, 'what createConstrainedDerivatives returned for these constraints');
}

/**
 * Forward dynamics and impulses of a robot under bilateral constraints: contacts held in the world and closed loops.
 *
 *   M a - J^T f = tau - C v - g + sum J_e^T f_e,   J a + gamma = 0        (accelerations a, constraint forces f)
 *   M v+ - J^T L = M v,   J v+ = -restitution J v                          (velocities after an impulse L)
 *
 * Method: M = L^T D L; the Delassus matrix G = J M^-1 J^T; f from G f = -(gamma + J a_free) by proximal iterations
 *   (G + mu 1) f_new = -(gamma + J a_free) + mu f,
 * each with the same Cholesky factor, until f moves by less than the tolerance. With independent rows that takes two or
 * three; with redundant but compatible ones G is singular and the iteration converges to forces that satisfy the equations; with
 * incompatible ones it ends at the limit, the equations met in the least-squares sense.
 * Source: Carpentier, Budhiraja, Mansard 2021, "Proximal and sparse resolution of constrained dynamic equations", Robotics:
 * Science and Systems (proximal iterations); Featherstone 2008, "Rigid body dynamics algorithms", sections 8.2, 8.5 and 11.4,
 * doi:10.1007/978-1-4899-7560-7 (constraint equations, impulses).
 * Frames: rows as in constraints.ts. External forces as in `rnea`.
 * Writes `data.ddq` and `constraints.forces`; impulses write `constraints.velocity` and `constraints.forces`.
 * Cost: factorising M, rows^2 nv and rows^3 / 6; no allocation.
 * Fails: 'singular' when M is; 'iteration limit' when the forces still move (incompatible constraints): values are kept.
 * Tested by constrained-dynamics.test.ts: dense solution of the equations, closed forms, energy of a four-bar.
 */

import { loadNumbers } from '../kinematics/motion-data.js';
import {
  type Fields,
  requireFinite,
  requireNotNegative,
  requireNumbers,
  requireObject,
  requireOptions,
  unchecked,
  wholeFrom,
} from '../math/arguments.js';
import { factorizeCholesky, solveCholesky } from '../math/dense/cholesky.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import { type Constraints, requireConstraints, updateConstraintJacobian, updateConstraints } from './constraints.js';
import { crba } from './crba.js';
import type { DynamicsData } from './dynamics-data.js';
import { requireDynamics } from './dynamics-data.js';
import { factorizeInertia, solveInertia } from './factorize-inertia.js';
import { checkExternalForces, rnea } from './rnea.js';

const OPTIONS: Fields = {
  externalForces: unchecked,
  proximal: requireNotNegative,
  tolerance: requireNotNegative,
  iterations: wholeFrom(0),
};
const IMPULSE_OPTIONS: Fields = { ...OPTIONS, restitution: requireFinite };

export type ConstrainedStatus = 'ok' | 'singular' | 'iteration limit';

export interface ConstrainedOptions {
  /** As in `rnea`. */
  readonly externalForces?: ArrayLike<number> | null;
  /** mu relative to the mean diagonal entry of G. Default 1e-8; 0 solves independent rows only. */
  readonly proximal?: number;
  /** Largest change of the constraint's velocity or acceleration, relative to what it must cancel. Default 1e-12. */
  readonly tolerance?: number;
  /** Default 50. */
  readonly iterations?: number;
}

/** Accelerations under torques and constraints: `data.ddq`, with the constraints' forces in `constraints.forces`. */
export function computeConstrainedDynamics(
  model: Model,
  data: DynamicsData,
  constraints: Constraints,
  state: {
    readonly q: ArrayLike<number>;
    readonly v: ArrayLike<number>;
    readonly tau: ArrayLike<number>;
  },
  options: ConstrainedOptions = {},
): ConstrainedStatus {
  requireDynamics('computeConstrainedDynamics', model, data);
  requireConstraints('computeConstrainedDynamics', model, constraints);
  requireOptions('computeConstrainedDynamics', options, OPTIONS);
  requireObject('computeConstrainedDynamics', 'state', state, 'an object with q, v and tau');
  const { q, v, tau } = state;
  const { ddq } = data;
  requireNumbers('computeConstrainedDynamics', 'state.tau', tau, model.nv);
  if (options.externalForces !== undefined && options.externalForces !== null)
    checkExternalForces(model, options.externalForces);
  updateConstraints(model, data, constraints, q, v);
  if (!prepare(model, data, constraints, q)) return 'singular';
  const bias = rnea(model, data, q, v, data.a.fill(0), options.externalForces ?? null);
  for (let i = 0; i < model.nv; i++) ddq[i] = -bias[i];
  loadNumbers(data.tau, tau, 'computeConstrainedDynamics: tau');
  for (let i = 0; i < model.nv; i++) ddq[i] += data.tau[i];
  solveInertia(ddq, 1, data.factors, model.nv, data.factorParents);
  return constrain(model, constraints, ddq, constraints.gamma, options);
}

/**
 * Velocities right after the constraints start to hold: `constraints.velocity`, with the impulses in `constraints.forces`.
 * `restitution` 0 makes the constraints' velocity zero, 1 turns it round.
 */
export function computeConstraintImpulse(
  model: Model,
  data: DynamicsData,
  constraints: Constraints,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  options: ConstrainedOptions & { readonly restitution?: number } = {},
): ConstrainedStatus {
  requireDynamics('computeConstraintImpulse', model, data);
  requireConstraints('computeConstraintImpulse', model, constraints);
  requireOptions('computeConstraintImpulse', options, IMPULSE_OPTIONS);
  const { velocity, gamma, J, size } = constraints;
  const { restitution = 0 } = options;
  if (!(restitution >= 0 && restitution <= 1)) {
    throw new MisuseError(`computeConstraintImpulse: restitution, got ${restitution}, expected 0 to 1`);
  }
  loadNumbers(velocity, v, 'computeConstraintImpulse: v');
  updateConstraintJacobian(model, data, constraints, q);
  if (!prepare(model, data, constraints, q)) return 'singular';
  for (let r = 0; r < size; r++) {
    let speed = 0;
    for (let k = 0; k < model.nv; k++) speed += J[r * model.nv + k] * velocity[k];
    gamma[r] = restitution * speed;
  }
  return constrain(model, constraints, velocity, gamma, options);
}

/** Factors of M, M^-1 J^T and G. False when M is singular. */
function prepare(model: Model, data: DynamicsData, constraints: Constraints, q: ArrayLike<number>): boolean {
  const { J, inverseTimesTransposed: Y, delassus: G, size } = constraints;
  const { nv } = model;
  if (!factorizeInertia(data.factors, crba(model, data, q), nv, data.factorParents)) return false;
  for (let r = 0; r < size; r++) for (let k = 0; k < nv; k++) Y[k * size + r] = J[r * nv + k];
  solveInertia(Y, size, data.factors, nv, data.factorParents);
  for (let r = 0; r < size; r++) {
    for (let c = 0; c <= r; c++) {
      let sum = 0;
      for (let k = 0; k < nv; k++) sum += J[r * nv + k] * Y[k * size + c];
      G[r * size + c] = sum;
      G[c * size + r] = sum;
    }
  }
  return true;
}

/** x += M^-1 J^T f with J x + offset = 0; f in `constraints.forces`. */
function constrain(
  model: Model,
  constraints: Constraints,
  x: Float64Array,
  offset: Float64Array,
  options: ConstrainedOptions,
): ConstrainedStatus {
  const { proximal = 1e-8, tolerance = 1e-12, iterations = 50 } = options;
  const { J, delassus: G, factor, forces, rightSide, step, size, inverseTimesTransposed: Y } = constraints;
  const { nv } = model;
  forces.fill(0);
  if (size === 0) return 'ok';
  let trace = 0;
  let scale = 0;
  for (let r = 0; r < size; r++) {
    trace += G[r * size + r];
    let sum = offset[r];
    let terms = Math.abs(sum);
    for (let k = 0; k < nv; k++) {
      sum += J[r * nv + k] * x[k];
      terms += Math.abs(J[r * nv + k] * x[k]);
    }
    rightSide[r] = -sum;
    scale = Math.max(scale, terms);
  }
  // No row can move: nothing to hold, or nothing to hold with.
  const mu = (proximal * trace) / size;
  let status: ConstrainedStatus = 'iteration limit';
  factor.set(G);
  for (let r = 0; r < size; r++) factor[r * size + r] += mu;
  if (trace > 0 && factorizeCholesky(factor, size)) {
    for (let n = 0; n < iterations; n++) {
      let largest = 0;
      for (let r = 0; r < size; r++) {
        let sum = rightSide[r];
        for (let c = 0; c < size; c++) sum -= G[r * size + c] * forces[c];
        step[r] = sum;
        largest = Math.max(largest, Math.abs(sum));
      }
      if (largest <= tolerance * scale) {
        status = 'ok';
        break;
      }
      // (G + mu) (f_new - f) = rightSide - G f
      solveCholesky(step, factor, size, step);
      for (let r = 0; r < size; r++) forces[r] += step[r];
    }
  } else if (rightSide.every((value) => Math.abs(value) <= tolerance * scale)) {
    status = 'ok';
  }
  for (let k = 0; k < nv; k++) for (let r = 0; r < size; r++) x[k] += Y[k * size + r] * forces[r];
  return status;
}

/**
 * Derivatives of inverse dynamics: d tau / d q and d tau / d v; d tau / d a is M (`crba`). The derivative by q is along the
 * tangent, q (+) dq (right-plus), which for joints with one number is the plain one.
 *
 * Method: subtree sums of inertia, B and force in one common frame (`aligned.ts`). For a column c of joint j, a column d of an
 * ancestor, P = V_parent x S, R = A_parent x S + V_parent x P, T = V x S:
 *   d tau_c / d q_d = S_c^T (2B P_d + I R_d)          d tau_c / d v_d = S_c^T (2B S_d + I (P_d + T_d))
 *   d tau_d / d q_c = S_d^T (2B P_c + I R_c + S_c x* f)   d tau_d / d v_c = S_d^T (2B S_c + I (P_c + T_c))
 * and within one joint the first row. External forces stay fixed in their joints' frames.
 * Source: Singh, Russell, Wensing 2022, "Efficient analytical derivatives of rigid-body dynamics using spatial vector
 * algebra", arXiv:2105.05102; Carpentier, Mansard 2018, "Analytical derivatives of rigid body
 * dynamics algorithms", doi:10.15607/RSS.2018.XIV.038.
 * Writes `data.dtauDq`, `data.dtauDv` (nv x nv, row = torque) and `data.tau`. Cost: joints x depth, no allocation.
 * Tested by derivatives.test.ts (finite differences) and test/oracle/dynamics.test.ts.
 */

import { propagateMotion } from '../kinematics/motion.js';
import { crossForce, transformForce } from '../math/spatial.js';
import type { Model } from '../model/model.js';
import {
  addCoriolisTimes,
  addCoriolisTransposeTimes,
  alignBodies,
  crossMotionAt,
  dotAt,
  multiplyAligned,
  readAlignedPlacement,
  sumAlignedInertias,
  transformMotionAt,
} from './aligned.js';
import type { DynamicsData } from './dynamics-data.js';
import { requireDynamics } from './dynamics-data.js';
import { rnea } from './rnea.js';

const byConfiguration = new Float64Array(6);
const byVelocity = new Float64Array(6);
const turned = new Float64Array(6);
const inertial = new Float64Array(6);
const transposed = new Float64Array(6);

export function computeRneaDerivatives(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  a: ArrayLike<number>,
  externalForces: ArrayLike<number> | null = null,
): void {
  requireDynamics('computeRneaDerivatives', model, data);
  rnea(model, data, q, v, a, externalForces);
  propagateMotion(model, data);
  alignBodies(model, data);
  sumAlignedInertias(model, data);
  writeParentTerms(model, data);
  const { dtauDq, dtauDv, alignedSubspaces: S, columnStarts, columnVelocities } = data;
  const { parentRates: P, parentAccelerations: R, rateSums: Q } = data;
  const { nv, parents } = model;
  dtauDq.fill(0);
  dtauDv.fill(0);
  for (let i = 0; i < nv; i++) dtauDv[i * nv + i] = data.damping[i];
  for (let j = 1; j < model.jointCount; j++) {
    for (let c = columnStarts[j]; c < columnStarts[j + 1]; c++) {
      const at = 6 * c;
      const row = columnVelocities[c];
      multiplyAligned(byConfiguration, 0, data, j, R, at);
      addCoriolisTimes(byConfiguration, data, j, P, at, 2);
      multiplyAligned(byVelocity, 0, data, j, Q, at);
      addCoriolisTimes(byVelocity, data, j, S, at, 2);
      for (let d = columnStarts[j]; d < columnStarts[j + 1]; d++) {
        const entry = columnVelocities[d] * nv + row;
        dtauDq[entry] += dotAt(S, 6 * d, byConfiguration, 0);
        dtauDv[entry] += dotAt(S, 6 * d, byVelocity, 0);
      }
      if (parents[j] === 0) continue;
      turnForce(turned, data, j, S, at);
      for (let i = 0; i < 6; i++) byConfiguration[i] += turned[i];
      multiplyAligned(inertial, 0, data, j, S, at);
      transposed.fill(0);
      addCoriolisTransposeTimes(transposed, data, j, S, at, 2);
      for (let k = parents[j]; k > 0; k = parents[k]) {
        for (let d = columnStarts[k]; d < columnStarts[k + 1]; d++) {
          const column = columnVelocities[d];
          dtauDq[column * nv + row] += dotAt(S, 6 * d, byConfiguration, 0);
          dtauDv[column * nv + row] += dotAt(S, 6 * d, byVelocity, 0);
          dtauDq[row * nv + column] += dotAt(P, 6 * d, transposed, 0) + dotAt(R, 6 * d, inertial, 0);
          dtauDv[row * nv + column] += dotAt(S, 6 * d, transposed, 0) + dotAt(Q, 6 * d, inertial, 0);
        }
      }
    }
  }
}

/** P, R and P + T of every column. */
function writeParentTerms(model: Model, data: DynamicsData): void {
  const { alignedAccelerations: A, alignedVelocities: V, alignedSubspaces: S, alignedRates: T } = data;
  const { parentRates: P, parentAccelerations: R, rateSums: Q, columnStarts } = data;
  const g = data.gravity;
  for (let i = 0; i < 3; i++) A[i] = -g[i];
  for (let j = 1; j < model.jointCount; j++) {
    readAlignedPlacement(placement, data, j);
    transformMotionAt(A, 6 * j, placement, 0, data.accelerations, 6 * j);
    const p = 6 * model.parents[j];
    for (let c = columnStarts[j]; c < columnStarts[j + 1]; c++) {
      const at = 6 * c;
      crossMotionAt(P, at, V, p, S, at);
      crossMotionAt(turned, 0, A, p, S, at);
      crossMotionAt(R, at, V, p, P, at);
      for (let i = 0; i < 6; i++) {
        R[at + i] += turned[i];
        Q[at + i] = P[at + i] + T[at + i];
      }
    }
  }
}

const placement = new Float64Array(12);
const transmitted = new Float64Array(6);
const motion = new Float64Array(6);

/** out = S x* f, f the force that joint j transmits, in A. */
function turnForce(out: Float64Array, data: DynamicsData, j: number, S: Float64Array, s: number): void {
  readAlignedPlacement(placement, data, j);
  for (let i = 0; i < 6; i++) {
    transmitted[i] = data.forces[6 * j + i];
    motion[i] = S[s + i];
  }
  transformForce(transmitted, placement, transmitted);
  crossForce(out, motion, transmitted);
}

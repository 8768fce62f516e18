/**
 * Derivatives of inverse dynamics: d tau / d q and d tau / d v; d tau / d a is M (`crba`). The derivative by q is along the
 * tangent, q (+) dq (right-plus), which for joints with one number is the plain one.
 *
 * Method: with the motions and forces of every column from derivative-terms.ts, for a column c and a column d of an ancestor
 *   d tau_d / d q_c = S_d . D_q(c)    d tau_c / d q_d = P_d . B_t(c) + R_d . D_a(c)
 *   d tau_d / d v_c = S_d . D_v(c)    d tau_c / d v_d = S_d . B_t(c) + Q_d . D_a(c)
 * and within one joint the left ones, D_q without S x* f. External forces stay fixed in their joints' frames.
 * Source: Singh, Russell, Wensing 2022, "Efficient analytical derivatives of rigid-body dynamics using spatial vector
 * algebra", doi:10.1109/LRA.2022.3141194; Carpentier, Mansard 2018, "Analytical derivatives of rigid body
 * dynamics algorithms", doi:10.15607/RSS.2018.XIV.038.
 * Writes `data.dtauDq`, `data.dtauDv` (nv x nv, row = torque) and `data.tau`. Cost: joints x depth, no allocation.
 * Tested by readable-derivatives.test.ts (the formulas with vectors), derivatives.test.ts (finite differences) and
 * test/oracle/dynamics.test.ts.
 */

import { loadNumbers } from '../kinematics/motion-data.js';
import type { Model } from '../model/model.js';
import { alignJoints } from './aligned.js';
import type { DerivativeBlock } from './derivative-block.js';
import { addPairsByKernel, openDerivativeBlock } from './derivative-kernel.js';
import { RATES, writeDerivativeTerms } from './derivative-terms.js';
import type { DynamicsData } from './dynamics-data.js';
import { requireDynamics } from './dynamics-data.js';
import { addJointFriction } from './joint-friction.js';
import { openRecursions, runRneaDerivativesByKernel } from './recursions.js';

/** See kinematics/forward-kinematics.ts. */
const SMALL = 0x3fffffff;

export function computeRneaDerivatives(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  a: ArrayLike<number>,
  externalForces: ArrayLike<number> | null = null,
): void {
  requireDynamics('computeRneaDerivatives', model, data);
  loadNumbers(data.q, q, 'computeRneaDerivatives: q');
  loadNumbers(data.v, v, 'computeRneaDerivatives: v');
  loadNumbers(data.a, a, 'computeRneaDerivatives: a');
  const block = openDerivativeBlock(data);
  const recursions = block === null || externalForces !== null ? null : openRecursions(model, data);
  if (block !== null && recursions !== null && runRneaDerivativesByKernel(recursions, block, model, data)) return;
  alignJoints(model, data);
  runRneaDerivatives(model, data, externalForces, block);
}

/** The same from `data.v` and `data.a` after `alignJoints`; without a block the pairs are added here. */
export function runRneaDerivatives(
  model: Model,
  data: DynamicsData,
  externalForces: ArrayLike<number> | null,
  block: DerivativeBlock | null,
): void {
  const { dtauDq, dtauDv, damping } = data;
  const { nv } = model;
  dtauDq.fill(0);
  dtauDv.fill(0);
  for (let i = 0; i < nv; i++) dtauDv[i * nv + i] = damping[i];
  writeDerivativeTerms(model, data, externalForces);
  writeTorques(model, data);
  if (block?.addsPairs) addPairsByKernel(block, data);
  else addPairs(model, data);
}

/** tau = S^T f, armature and friction. */
function writeTorques(model: Model, data: DynamicsData): void {
  const { alignedSubspaces: S, alignedForces: F, columnStarts, columnVelocities, tau, armature, a } = data;
  for (let i = 0; i < tau.length; i++) tau[i] = armature[i] * a[i];
  addJointFriction(tau, data, 1);
  for (let j = 1; j < model.jointCount; j++) {
    const f = (6 * j) & SMALL;
    const end = columnStarts[j + 1];
    for (let c = columnStarts[j]; c < end; c++) {
      const s = (6 * c) & SMALL;
      tau[columnVelocities[c]] +=
        S[s] * F[f] +
        S[s + 1] * F[f + 1] +
        S[s + 2] * F[f + 2] +
        S[s + 3] * F[f + 3] +
        S[s + 4] * F[f + 4] +
        S[s + 5] * F[f + 5];
    }
  }
}

/** The entries of every column with the columns of its joint's ancestors. */
function addPairs(model: Model, data: DynamicsData): void {
  const { dtauDq, dtauDv, forceRates: D, columnStarts, columnParents, columnVelocities } = data;
  const { alignedSubspaces: S, parentRates: P, parentAccelerations: R, rateSums: Q } = data;
  const { nv, jointCount } = model;
  for (let j = 1; j < jointCount; j++) {
    const last = columnParents[columnStarts[j]];
    const end = columnStarts[j + 1];
    for (let c = columnStarts[j]; c < end; c++) {
      const o = (RATES * c) & SMALL;
      const q0 = D[o];
      const q1 = D[o + 1];
      const q2 = D[o + 2];
      const q3 = D[o + 3];
      const q4 = D[o + 4];
      const q5 = D[o + 5];
      const v0 = D[o + 6];
      const v1 = D[o + 7];
      const v2 = D[o + 8];
      const v3 = D[o + 9];
      const v4 = D[o + 10];
      const v5 = D[o + 11];
      const a0 = D[o + 12];
      const a1 = D[o + 13];
      const a2 = D[o + 14];
      const a3 = D[o + 15];
      const a4 = D[o + 16];
      const a5 = D[o + 17];
      const b3 = D[o + 18];
      const b4 = D[o + 19];
      const b5 = D[o + 20];
      const row = columnVelocities[c];
      const rowStart = (row * nv) & SMALL;
      for (let d = last; d >= 0; d = columnParents[d]) {
        const s = (6 * d) & SMALL;
        const column = columnVelocities[d];
        const above = (column * nv + row) & SMALL;
        const below = (rowStart + column) & SMALL;
        const s0 = S[s];
        const s1 = S[s + 1];
        const s2 = S[s + 2];
        const s3 = S[s + 3];
        const s4 = S[s + 4];
        const s5 = S[s + 5];
        dtauDq[above] += s0 * q0 + s1 * q1 + s2 * q2 + s3 * q3 + s4 * q4 + s5 * q5;
        dtauDv[above] += s0 * v0 + s1 * v1 + s2 * v2 + s3 * v3 + s4 * v4 + s5 * v5;
        dtauDv[below] +=
          s3 * b3 +
          s4 * b4 +
          s5 * b5 +
          (Q[s] * a0 + Q[s + 1] * a1 + Q[s + 2] * a2 + Q[s + 3] * a3 + Q[s + 4] * a4 + Q[s + 5] * a5);
        dtauDq[below] +=
          P[s + 3] * b3 +
          P[s + 4] * b4 +
          P[s + 5] * b5 +
          (R[s] * a0 + R[s + 1] * a1 + R[s + 2] * a2 + R[s + 3] * a3 + R[s + 4] * a4 + R[s + 5] * a5);
      }
    }
  }
}

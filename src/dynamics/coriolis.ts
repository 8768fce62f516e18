/**
 * The Coriolis matrix C(q, v): C v + g = nonlinear effects, and dM/dt = C + C^T, so dM/dt - 2C is skew-symmetric.
 *
 * Method: C = sum J^T (I dJ/dt + B J) over the bodies, with subtree sums of I and B in one common frame (`aligned.ts`):
 * C_dc = S_d^T (I dS_c + B S_c) and C_cd = dS_d^T I S_c + S_d^T B^T S_c for d at or above the joint of c.
 * Of the many C with these properties this is the one of the Christoffel symbols for one-coordinate joints.
 * Source: Echeandia, Wensing 2021, "Numerical methods to compute the Coriolis matrix and Christoffel symbols for
 * rigid-body systems", doi:10.1115/1.4051169.
 * Writes `data.C`, row-major. Cost: joints x depth, no allocation.
 * Tested by identities.test.ts and test/oracle/dynamics.test.ts.
 */

import { loadNumbers } from '../kinematics/motion-data.js';
import type { Model } from '../model/model.js';
import {
  addCoriolisTimes,
  addCoriolisTransposeTimes,
  alignBodies,
  dotAt,
  multiplyAligned,
  sumAlignedInertias,
} from './aligned.js';
import type { DynamicsData } from './dynamics-data.js';
import { requireDynamics } from './dynamics-data.js';

/** I dS + B S, I S, and B^T S of one column. */
const forward = new Float64Array(6);
const inertial = new Float64Array(6);
const transposed = new Float64Array(6);

export function computeCoriolis(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
): Float64Array {
  requireDynamics('computeCoriolis', model, data);
  const { C, alignedSubspaces: S, alignedRates: T, columnStarts, columnVelocities } = data;
  const { nv, parents } = model;
  loadNumbers(data.q, q, 'computeCoriolis: q');
  loadNumbers(data.v, v, 'computeCoriolis: v');
  alignBodies(model, data);
  sumAlignedInertias(model, data);
  C.fill(0);
  for (let j = 1; j < model.jointCount; j++) {
    for (let c = columnStarts[j]; c < columnStarts[j + 1]; c++) {
      const at = 6 * c;
      const row = columnVelocities[c];
      multiplyAligned(forward, 0, data, j, T, at);
      addCoriolisTimes(forward, data, j, S, at, 1);
      multiplyAligned(inertial, 0, data, j, S, at);
      transposed.fill(0);
      addCoriolisTransposeTimes(transposed, data, j, S, at, 1);
      for (let d = columnStarts[j]; d < columnStarts[j + 1]; d++) {
        C[columnVelocities[d] * nv + row] += dotAt(S, 6 * d, forward, 0);
      }
      for (let k = parents[j]; k > 0; k = parents[k]) {
        for (let d = columnStarts[k]; d < columnStarts[k + 1]; d++) {
          const column = columnVelocities[d];
          C[column * nv + row] += dotAt(S, 6 * d, forward, 0);
          C[row * nv + column] += dotAt(T, 6 * d, inertial, 0) + dotAt(S, 6 * d, transposed, 0);
        }
      }
    }
  }
  return C;
}

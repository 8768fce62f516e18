/**
 * Centroidal momentum [linear, angular] about the centre of mass, world axes; its matrix A_G (h = A_G v), that matrix' time
 * derivative, the momentum's rate, and the centroidal inertia.
 *
 * Method: columns I S and d/dt (I S) = I dS + (dI/dt) S of the subtrees in one common frame (`aligned.ts`), moved to the centre
 * of mass c: angular -= c x linear, and in the derivative also -= dc/dt x linear.
 * Source: Orin, Goswami, Lee 2013, "Centroidal dynamics of a humanoid robot", doi:10.1007/s10514-013-9341-4; Wensing, Orin
 * 2016, "Improved computation of the humanoid centroidal dynamics and application for whole-body control",
 * doi:10.1142/S0219843615500395.
 * Writes `data.centroidalMatrix`, `data.centroidalMatrixRate` (6 x nv, row-major), `data.momentum`, `data.momentumRate` (6),
 * `data.centroidalInertia` (10, math/inertia.ts), `data.centerOfMass` (3). kg m/s, kg m^2/s, N, N m.
 * Cost: linear in joints and columns, no allocation. A robot without mass has its centre at its first joint.
 * Tested by centroidal.test.ts and test/oracle/dynamics.test.ts.
 */

import { loadNumbers } from '../kinematics/motion-data.js';
import { requireNumbers } from '../math/arguments.js';
import type { Model } from '../model/model.js';
import {
  addCoriolisTimes,
  addCoriolisTransposeTimes,
  alignBodies,
  multiplyAligned,
  sumAlignedInertias,
} from './aligned.js';
import type { DynamicsData } from './dynamics-data.js';
import { requireDynamics } from './dynamics-data.js';

const momentum = new Float64Array(6);
const rate = new Float64Array(6);
const offset = new Float64Array(3);
const velocity = new Float64Array(3);

/** Everything at (q, v) and accelerations a, which only `momentumRate` depends on. */
export function computeCentroidal(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  a: ArrayLike<number>,
): void {
  requireDynamics('computeCentroidal', model, data);
  const { alignedSubspaces: S, alignedRates: T, columnStarts, columnVelocities, origin } = data;
  const { centroidalMatrix: A, centroidalMatrixRate: dA, momentum: h, momentumRate: dh } = data;
  const { nv } = model;
  requireNumbers('computeCentroidal', 'a', a, nv);
  loadNumbers(data.q, q, 'computeCentroidal: q');
  loadNumbers(data.v, v, 'computeCentroidal: v');
  alignBodies(model, data);
  sumAlignedInertias(model, data);
  centerInertia(data);
  for (let i = 0; i < 3; i++) data.centerOfMass[i] = origin[i] + offset[i];
  A.fill(0);
  dA.fill(0);
  for (let j = 1; j < model.jointCount; j++) {
    for (let c = columnStarts[j]; c < columnStarts[j + 1]; c++) {
      const column = columnVelocities[c];
      multiplyAligned(momentum, 0, data, j, S, 6 * c);
      multiplyAligned(rate, 0, data, j, T, 6 * c);
      addCoriolisTimes(rate, data, j, S, 6 * c, 1);
      addCoriolisTransposeTimes(rate, data, j, S, 6 * c, 1);
      subtractMoment(rate, offset, rate);
      subtractMoment(rate, velocity, momentum);
      subtractMoment(momentum, offset, momentum);
      for (let r = 0; r < 6; r++) {
        A[r * nv + column] += momentum[r];
        dA[r * nv + column] += rate[r];
      }
    }
  }
  for (let r = 0; r < 6; r++) {
    let sum = 0;
    let slope = 0;
    for (let k = 0; k < nv; k++) {
      sum += A[r * nv + k] * v[k];
      slope += A[r * nv + k] * a[k] + dA[r * nv + k] * v[k];
    }
    h[r] = sum;
    dh[r] = slope;
  }
}

/** Centre of mass relative to the origin of A, its velocity, and the inertia about it. */
function centerInertia(data: DynamicsData): void {
  const { alignedInertias: I, alignedMomenta: P, centroidalInertia: G } = data;
  const mass = I[0];
  for (let i = 0; i < 3; i++) {
    offset[i] = mass > 0 ? I[1 + i] / mass : 0;
    velocity[i] = mass > 0 ? P[i] / mass : 0;
    G[1 + i] = 0;
  }
  const x = offset[0];
  const y = offset[1];
  const z = offset[2];
  G[0] = mass;
  G[4] = I[4] - mass * (y * y + z * z);
  G[5] = I[5] + mass * x * y;
  G[6] = I[6] + mass * x * z;
  G[7] = I[7] - mass * (x * x + z * z);
  G[8] = I[8] + mass * y * z;
  G[9] = I[9] - mass * (x * x + y * y);
}

/** out_angular -= r x f_linear */
function subtractMoment(out: Float64Array, r: Float64Array, f: Float64Array): void {
  out[3] -= r[1] * f[2] - r[2] * f[1];
  out[4] -= r[2] * f[0] - r[0] * f[2];
  out[5] -= r[0] * f[1] - r[1] * f[0];
}

/**
 * The inverse of the joint space inertia matrix, M(q)^-1: accelerations per torque.
 *
 * Method: M by CRBA, its sparse factors, their inverses (inverse-factors.ts).
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", sections 6.2 and 6.5, doi:10.1007/978-1-4899-7560-7.
 * Writes `data.inverseM`, row-major, symmetric. Cost: nv^2 x depth, no allocation.
 * Fails: 'singular' as in factorize-inertia.ts; `data.inverseM` is then zero.
 * Tested by crba.test.ts and test/oracle/dynamics.test.ts.
 */

import type { Model } from '../model/model.js';
import type { ForwardDynamicsStatus } from './aba.js';
import { crba } from './crba.js';
import type { DynamicsData } from './dynamics-data.js';
import { requireDynamics } from './dynamics-data.js';
import { factorizeInertia } from './factorize-inertia.js';
import { invertFactors, writeInverse } from './inverse-factors.js';

export function computeInverseInertia(model: Model, data: DynamicsData, q: ArrayLike<number>): ForwardDynamicsStatus {
  requireDynamics('computeInverseInertia', model, data);
  const { factors, factorParents, inverseM } = data;
  if (!factorizeInertia(factors, crba(model, data, q), model.nv, factorParents)) {
    inverseM.fill(0);
    return 'singular';
  }
  invertFactors(data);
  writeInverse(inverseM, data);
  return 'ok';
}

/**
 * Derivatives of forward dynamics: d a / d q, d a / d v and d a / d tau = M^-1, the one by q along the tangent as in
 * rnea-derivatives.ts.
 *
 * Method: from M(q) a + ... = tau, d a / dx = -M^-1 (d tau / dx) at the accelerations ABA gives.
 * Source: Carpentier, Mansard 2018, "Analytical derivatives of rigid body dynamics algorithms",
 * doi:10.15607/RSS.2018.XIV.038.
 * Writes `data.ddqDq`, `data.ddqDv` (nv x nv, row = acceleration), `data.inverseM`, `data.ddq` and what RNEA's derivatives
 * write. Cost: nv^2 x depth, no allocation. Fails: 'singular' as in aba.ts; the derivatives are then zero.
 * Tested by test/oracle/dynamics.test.ts and derivatives.test.ts (finite differences).
 */

import type { Model } from '../model/model.js';
import { aba, type ForwardDynamicsStatus } from './aba.js';
import type { DynamicsData } from './dynamics-data.js';
import { requireDynamics } from './dynamics-data.js';
import { solveInertia } from './factorize-inertia.js';
import { computeInverseInertia } from './inverse-inertia.js';
import { computeRneaDerivatives } from './rnea-derivatives.js';

export function computeAbaDerivatives(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  tau: ArrayLike<number>,
  externalForces: ArrayLike<number> | null = null,
): ForwardDynamicsStatus {
  requireDynamics('computeAbaDerivatives', model, data);
  const { ddqDq, ddqDv } = data;
  const regular = aba(model, data, q, v, tau, externalForces);
  const factored = computeInverseInertia(model, data, q);
  ddqDq.fill(0);
  ddqDv.fill(0);
  if (regular !== 'ok' || factored !== 'ok') return 'singular';
  computeRneaDerivatives(model, data, q, v, data.ddq, externalForces);
  const { dtauDq, dtauDv, factors, factorParents } = data;
  for (let i = 0; i < ddqDq.length; i++) {
    ddqDq[i] = -dtauDq[i];
    ddqDv[i] = -dtauDv[i];
  }
  solveInertia(ddqDq, model.nv, factors, model.nv, factorParents);
  solveInertia(ddqDv, model.nv, factors, model.nv, factorParents);
  return 'ok';
}

/**
 * Derivatives of forward dynamics: d a / d q, d a / d v and d a / d tau = M^-1, the one by q along the tangent as in
 * rnea-derivatives.ts.
 *
 * Method: from M(q) a + ... = tau, d a / dx = -M^-1 (d tau / dx) at the accelerations ABA gives. ABA's columns are the factors of
 * M^-1 (inverse-factors.ts), its placements and inertias those of the derivatives.
 * Source: Carpentier, Mansard 2018, "Analytical derivatives of rigid body dynamics algorithms",
 * doi:10.15607/RSS.2018.XIV.038.
 * Writes `data.ddqDq`, `data.ddqDv` (nv x nv, row = acceleration), `data.inverseM`, `data.ddq` and what RNEA's derivatives
 * write. Cost: nv^2 x depth at most, no allocation. Fails: 'singular' as in aba.ts; the matrices are then zero.
 * Tested by test/oracle/dynamics.test.ts and derivatives.test.ts (finite differences).
 */

import type { Model } from '../model/model.js';
import { type ForwardDynamicsStatus, loadTorques, openAba, runAba } from './aba.js';
import { alignJoints } from './aligned.js';
import { multiplyByKernel, openDerivativeBlock } from './derivative-kernel.js';
import type { DynamicsData } from './dynamics-data.js';
import { requireDynamics } from './dynamics-data.js';
import { invertArticulated, invertFactors, writeInverse, writeNegatedProducts } from './inverse-factors.js';
import { runAbaByKernel, runAbaDerivativesByKernel } from './recursions.js';
import { runRneaDerivatives } from './rnea-derivatives.js';

export function computeAbaDerivatives(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  tau: ArrayLike<number>,
  externalForces: ArrayLike<number> | null = null,
): ForwardDynamicsStatus {
  requireDynamics('computeAbaDerivatives', model, data);
  const { ddqDq, ddqDv, inverseM } = data;
  loadTorques(data, q, v, tau);
  const block = openDerivativeBlock(data);
  const recursions = block === null ? null : openAba(model, data, externalForces);
  let result = 0;
  if (block !== null && recursions !== null) {
    result = runAbaByKernel(recursions, model, data);
    if (result === 1) {
      runAbaDerivativesByKernel(recursions, block, data);
      return 'ok';
    }
  }
  if (result === 2 || runAba(model, data, externalForces) !== 'ok') {
    for (const matrix of [ddqDq, ddqDv, inverseM]) matrix.fill(0);
    return 'singular';
  }
  if (data.hasMimic) {
    invertFactors(data);
    alignJoints(model, data);
  } else {
    invertArticulated(data);
  }
  data.a.set(data.ddq);
  runRneaDerivatives(model, data, externalForces, block);
  if (block !== null) {
    multiplyByKernel(block, data);
  } else {
    writeInverse(inverseM, data);
    writeNegatedProducts(data);
  }
  return 'ok';
}

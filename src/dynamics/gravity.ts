/**
 * The torques that hold a robot still against gravity, g(q), and the static torques under external forces,
 * g(q) - sum J^T f.
 *
 * Method: RNEA at v = 0 and a = 0. Source: Featherstone 2008, section 5.3, doi:10.1007/978-1-4899-7560-7.
 * Cost: linear in joints, no allocation. Tested by crba.test.ts and test/oracle/dynamics.test.ts.
 */
import { loadNumbers } from '../kinematics/motion-data.js';
import type { Model } from '../model/model.js';
import { type DynamicsData, requireDynamics } from './dynamics-data.js';
import { computeTorques } from './rnea.js';

/** g(q), or the static torques when external forces (as in `rnea`) act: `data.gravityTorques`. */
export function computeGravity(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  externalForces: ArrayLike<number> | null = null,
): Float64Array {
  requireDynamics('computeGravity', model, data);
  loadNumbers(data.q, q, 'computeGravity: q');
  data.v.fill(0);
  data.a.fill(0);
  computeTorques(model, data, data.gravityTorques, externalForces);
  return data.gravityTorques;
}

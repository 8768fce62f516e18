/**
 * Jacobians of the operations on whole configurations, in tangents (right-plus, as everywhere): block diagonal, nv x nv,
 * row-major. Each kind's blocks are in its own file; see `joints/group-jacobians.ts` for those of turns and placements.
 * Both write `out` first and return it. Cost: nv^2 zeros and linear in joints, nothing is allocated. Lengths are checked.
 * Tested by test/contract/joints.test.ts and test/oracle/forward-kinematics.test.ts.
 */

import { requireFloats, requireLength, requireOneOf } from '../math/arguments.js';
import type { JointKind } from './joints/joint-kind.js';
import type { Model } from './model.js';
import { requireModel } from './model.js';

/**
 * By how much q (+) v changes, in the tangent there, with a right-plus change of q (`by` = 'q') or with v ('v').
 * It does not depend on q. Poles at whole turns of v.
 */
export function computeIntegrateJacobian(
  out: Float64Array,
  model: Model,
  v: Float64Array,
  by: 'q' | 'v',
): Float64Array {
  requireModel('computeIntegrateJacobian', model);
  requireFloats('computeIntegrateJacobian', 'out', out);
  requireOneOf('computeIntegrateJacobian', 'by', by, ['q', 'v']);
  requireLength('computeIntegrateJacobian', 'out', out, model.nv * model.nv);
  requireLength('computeIntegrateJacobian', 'v', v, model.nv);
  const { nv, nqs, idxV } = model;
  out.fill(0);
  for (let j = 1; j < model.jointCount; j++) {
    const at = idxV[j];
    if (nqs[j] > 0) (model.jointKinds[j] as JointKind).writeIntegrateJacobian(out, at * (nv + 1), nv, v, at, by);
  }
  return out;
}

/** The tangent between two configurations of one joint. */
const tangent = new Float64Array(6);

/**
 * By how much b (-) a changes with right-plus changes of `a` or of `b`. Discontinuous where the short way between two
 * orientations is half a turn: there it is the derivative on the side that `differenceConfiguration` takes.
 */
export function computeDifferenceJacobian(
  out: Float64Array,
  model: Model,
  a: Float64Array,
  b: Float64Array,
  by: 'a' | 'b',
): Float64Array {
  requireModel('computeDifferenceJacobian', model);
  requireFloats('computeDifferenceJacobian', 'out', out);
  requireOneOf('computeDifferenceJacobian', 'by', by, ['a', 'b']);
  requireLength('computeDifferenceJacobian', 'out', out, model.nv * model.nv);
  requireLength('computeDifferenceJacobian', 'a', a, model.nq);
  requireLength('computeDifferenceJacobian', 'b', b, model.nq);
  const { nv, nqs, idxQ, idxV } = model;
  out.fill(0);
  for (let j = 1; j < model.jointCount; j++) {
    if (nqs[j] === 0) continue;
    const kind = model.jointKinds[j] as JointKind;
    kind.difference(tangent, a, b, idxQ[j], 0);
    kind.writeDifferenceJacobian(out, idxV[j] * (nv + 1), nv, tangent, 0, by);
  }
  return out;
}

/** Compiled algorithms against the generic ones at one state: the largest errors, relative to the largest entry. */
import { aba } from '../dynamics/aba.js';
import { crba } from '../dynamics/crba.js';
import type { DynamicsData } from '../dynamics/dynamics-data.js';
import { rnea } from '../dynamics/rnea.js';
import { forwardKinematics } from '../kinematics/forward-kinematics.js';
import { computeJointJacobians } from '../kinematics/joint-jacobians.js';
import { multiply, relativeError, type State } from '../model/random-tree.test-support.js';
import type { CompiledData, CompiledModel } from './compiled-model.js';

export interface Errors {
  forwardKinematics: number;
  jointJacobians: number;
  rnea: number;
  crba: number;
  /**
   * Of M ddq against the torques, relative to what the sum is made of, for the compiled accelerations: forward dynamics of
   * light bodies is ill-conditioned, and two right answers may differ by more than rounding.
   */
  abaResidual: number;
  /** The same of the generic accelerations, for comparison. */
  genericAbaResidual: number;
}

export function compareCompiled(
  compiled: CompiledModel,
  data: CompiledData,
  generic: DynamicsData,
  state: State,
  externalForces: Float64Array | null = null,
): Errors {
  const { model } = compiled;
  const { q, v, a } = state;
  compiled.forwardKinematics(data, q);
  forwardKinematics(model, generic.kinematics, q);
  const placements = relativeError(data.kinematics.jointPlacements, generic.kinematics.jointPlacements);
  const jacobians = computeJointJacobians(new Float64Array(6 * model.nv), model, generic.kinematics);
  const M = crba(model, generic, q);
  const residual = (ddq: Float64Array): number => {
    const rest = Float64Array.from(rnea(model, generic, q, v, new Float64Array(model.nv), externalForces));
    const product = multiply(M, ddq);
    let error = 0;
    for (let r = 0; r < model.nv; r++) {
      let terms = Math.max(1, Math.abs(rest[r]), Math.abs(a[r]));
      for (let c = 0; c < model.nv; c++) terms = Math.max(terms, Math.abs(M[r * model.nv + c] * ddq[c]));
      error = Math.max(error, Math.abs(product[r] + rest[r] - a[r]) / terms);
    }
    return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
  };
  const status = compiled.aba(data, q, v, a, externalForces);
  const expectedStatus = aba(model, generic, q, v, a, externalForces);
  if (status !== expectedStatus) throw new Error(`aba: ${status}, the generic function says ${expectedStatus}`);
  return {
    forwardKinematics: placements,
    jointJacobians: relativeError(compiled.jointJacobians(data, q), jacobians),
    crba: relativeError(compiled.crba(data, q), M),
    abaResidual: residual(Float64Array.from(data.ddq)),
    genericAbaResidual: residual(Float64Array.from(generic.ddq)),
    rnea: relativeError(compiled.rnea(data, q, v, a, externalForces), rnea(model, generic, q, v, a, externalForces)),
  };
}

export function keepWorst(worst: Errors | null, errors: Errors): Errors {
  if (worst === null) return errors;
  const out = { ...worst };
  for (const key of Object.keys(out) as (keyof Errors)[]) out[key] = Math.max(out[key], errors[key]);
  return out;
}

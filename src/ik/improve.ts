/**
 * Uses the redundancy that is left at a solution of inverse kinematics: walks along the solutions towards a goal.
 *
 * Method: with g the goal's gradient, d is the motion closest to -g that no task feels and that leaves no limit (least squares
 * in strict order: A d = 0, then d = -g); steps s d, brought back onto the tasks by a short descent; a step that lowers the goal and stays valid is kept and s doubled,
 * else s is quartered. Goals, all to be made small:
 *   `posture`         |target (-) q|^2 / 2, weighed per joint
 *   `limits`          sum of ((q - middle)/(half range))^2 / 2 over joints with limits
 *   `manipulability`  -ln w, w = sqrt(det(J J^T)) of a frame's Jacobian; its slope along v_k is tr((J J^T)^-1 (dJ/dq_k) J^T)
 * Source: Liegeois 1977, "Automatic supervisory control of the configuration and behavior of multibody mechanisms",
 * doi:10.1109/TSMC.1977.4309644 (projected gradients); Yoshikawa 1985, doi:10.1177/027836498500400201.
 * Cost: a descent of one to three iterations per step; for `manipulability` nv Jacobian rates of O(nv) each.
 * Ends when the projected gradient vanishes, s is used up, or after `iterations` steps (default 60): a local optimum.
 * Tested by improve.test.ts.
 */
import { updateKinematics } from '../kinematics/forward-kinematics.js';
import { computeFrameJacobian } from '../kinematics/frame-jacobian.js';
import { computeFrameJacobianRate } from '../kinematics/frame-jacobian-rate.js';
import { computeVelocities } from '../kinematics/motion.js';
import { createMotionData } from '../kinematics/motion-data.js';
import { factorizeCholesky, solveCholesky } from '../math/dense/cholesky.js';
import { createHierarchy, solveHierarchy } from '../math/qp/solve-hierarchy.js';
import { log } from '../math/scalar.js';
import { differenceConfiguration, integrateConfiguration } from '../model/configuration.js';
import { createData, type Model } from '../model/model.js';
import type { Descent, DescentLimits } from './descent.js';
import type { StepRows } from './tasks/task.js';

export type IkGoal = (
  | {
      readonly kind: 'posture';
      /** nq numbers */
      readonly target: Float64Array;
      /** nv numbers; default 1 each. */
      readonly weights?: ArrayLike<number>;
    }
  | { readonly kind: 'limits' }
  | { readonly kind: 'manipulability'; readonly frame: number }
) & {
  /** Steps at most; default 60. */
  readonly iterations?: number;
};

const SMALLEST_STEP = 1e-6;

/** Improves `descent.q`, which solves the stack; leaves the stack's errors at the q it ends with. */
export function improveSolution(
  descent: Descent,
  stack: StepRows,
  limits: DescentLimits,
  goal: IkGoal,
  { isValid, mayMove }: { readonly isValid?: (q: Float64Array) => boolean; readonly mayMove: boolean },
): { readonly value: number; readonly iterations: number } {
  const { model, q } = descent;
  const { nv } = model;
  const measure = createMeasure(model, goal);
  const gradient = new Float64Array(nv);
  const direction = new Float64Array(nv);
  const step = new Float64Array(nv);
  const kept = Float64Array.from(q);
  let value = measure(q, gradient);
  let iterations = 0;
  const project = mayMove ? createProjector(descent, stack) : null;
  let size = 1;
  for (let round = 0; project && round < (goal.iterations ?? 60) && size > SMALLEST_STEP; round++) {
    const slope = project(direction, gradient);
    if (slope <= 1e-10) break;
    let longest = 0;
    for (let k = 0; k < nv; k++) longest = Math.max(longest, Math.abs(direction[k]));
    // Half a radian at most, so that the descent finds the way back.
    const scale = Math.min(size, 0.5 / longest);
    for (let k = 0; k < nv; k++) step[k] = scale * direction[k];
    kept.set(q);
    integrateConfiguration(q, model, q, step);
    descent.enforceLimits(q);
    iterations += descent.run(stack, limits);
    const isKept = descent.isMet(stack, limits) && (isValid?.(q) ?? true);
    const next = isKept ? measure(q, step) : Number.POSITIVE_INFINITY;
    if (next < value) {
      value = next;
      gradient.set(step);
      size = 2 * scale;
    } else {
      q.set(kept);
      size = 0.25 * scale;
    }
  }
  stack.evaluate(q);
  return { value, iterations };
}

/** Writes the motion closest to -gradient along the solutions, inside the limits; returns how fast the gradient falls along it. */
function createProjector(descent: Descent, stack: StepRows): (out: Float64Array, gradient: Float64Array) => number {
  const { model, q, free, coordinates } = descent;
  const { nv } = model;
  const hierarchy = createHierarchy(nv, 2, Math.max(nv, stack.rows));
  const still = { A: new Float64Array(stack.rows * nv), b: new Float64Array(stack.rows), rows: stack.rows };
  const fall = { A: new Float64Array(nv * nv), b: new Float64Array(nv), rows: nv };
  for (let k = 0; k < nv; k++) fall.A[k * nv + k] = 1;
  const bounds = { lower: new Float64Array(nv), upper: new Float64Array(nv) };
  return (out, gradient) => {
    stack.evaluate(q);
    stack.linearize();
    for (let k = 0; k < nv; k++)
      for (let r = 0; r < stack.rows; r++) still.A[r * nv + k] = stack.columns[k * stack.rows + r];
    bounds.lower.fill(0);
    bounds.upper.fill(0);
    for (let m = 0; m < free.length; m++) {
      const k = free[m];
      const i = descent.honoursLimits ? coordinates[k] : -1;
      bounds.lower[k] = i >= 0 && q[i] <= model.lower[i] ? 0 : Number.NEGATIVE_INFINITY;
      bounds.upper[k] = i >= 0 && q[i] >= model.upper[i] ? 0 : Number.POSITIVE_INFINITY;
    }
    for (let k = 0; k < nv; k++) fall.b[k] = -gradient[k];
    solveHierarchy(hierarchy, [still, fall], bounds, { damping: 0 });
    let slope = 0;
    for (let k = 0; k < nv; k++) {
      out[k] = hierarchy.x[k];
      slope -= out[k] * gradient[k];
    }
    return slope;
  };
}

type Measure = (q: Float64Array, gradient: Float64Array) => number;

function createMeasure(model: Model, goal: IkGoal): Measure {
  switch (goal.kind) {
    case 'posture':
      return createPostureMeasure(model, goal.target, goal.weights);
    case 'limits':
      return createLimitsMeasure(model);
    case 'manipulability':
      return createManipulabilityMeasure(model, goal.frame);
  }
}

function createPostureMeasure(model: Model, target: Float64Array, weights?: ArrayLike<number>): Measure {
  return (q, gradient) => {
    differenceConfiguration(gradient, model, target, q);
    let sum = 0;
    for (let k = 0; k < gradient.length; k++) {
      const weight = weights ? weights[k] : 1;
      sum += 0.5 * weight * gradient[k] * gradient[k];
      gradient[k] *= weight;
    }
    return sum;
  };
}

function createLimitsMeasure(model: Model): Measure {
  const { lower, upper } = model;
  return (q, gradient) => {
    let sum = 0;
    gradient.fill(0);
    for (let j = 1; j < model.jointCount; j++) {
      if (model.nqs[j] !== 1 || model.nvs[j] !== 1) continue;
      const i = model.idxQ[j];
      const half = 0.5 * (upper[i] - lower[i]);
      if (!(half > 0 && half < Number.POSITIVE_INFINITY)) continue;
      const x = (q[i] - 0.5 * (upper[i] + lower[i])) / half;
      sum += 0.5 * x * x;
      gradient[model.idxV[j]] = x / half;
    }
    return sum;
  };
}

function createManipulabilityMeasure(model: Model, frame: number): Measure {
  const { nv } = model;
  const motion = createMotionData(model);
  const data = createData(model);
  const J = new Float64Array(6 * nv);
  const rate = new Float64Array(6 * nv);
  const gram = new Float64Array(36);
  const solved = new Float64Array(6 * nv);
  const column = new Float64Array(6);
  const v = new Float64Array(nv);
  return (q, gradient) => {
    updateKinematics(model, data, q);
    computeFrameJacobian(J, model, data, frame, 'local');
    let size = 0;
    for (let r = 0; r < 6; r++) {
      for (let c = 0; c < 6; c++) {
        let sum = 0;
        for (let k = 0; k < nv; k++) sum += J[r * nv + k] * J[c * nv + k];
        gram[6 * r + c] = sum;
        if (r === c) size += sum;
      }
    }
    // Kept definite at a singularity, where ln w has no value.
    for (let r = 0; r < 6; r++) gram[7 * r] += 1e-12 * size + Number.MIN_VALUE;
    gradient.fill(0);
    if (!factorizeCholesky(gram, 6)) return Number.MAX_VALUE;
    let logarithm = 0;
    for (let r = 0; r < 6; r++) logarithm += log(gram[7 * r]);
    for (let k = 0; k < nv; k++) {
      for (let r = 0; r < 6; r++) column[r] = J[r * nv + k];
      solveCholesky(column, gram, 6, column);
      for (let r = 0; r < 6; r++) solved[r * nv + k] = column[r];
    }
    for (let k = 0; k < nv; k++) {
      v.fill(0);
      v[k] = 1;
      computeVelocities(model, motion, q, v);
      computeFrameJacobianRate(rate, model, data, motion, frame, 'local');
      let sum = 0;
      for (let i = 0; i < rate.length; i++) sum += solved[i] * rate[i];
      gradient[k] = -sum;
    }
    return -0.5 * logarithm;
  };
}

/**
 * Operations on whole configurations: q has `model.nq` numbers, v (tangent, right-plus) has `model.nv`.
 * All write `out` first and return it; `out` may be any of the inputs. Lengths are checked, a wrong one throws.
 * Cost: linear in joints, nothing is allocated (except by `createNeutralConfiguration`).
 * Tested by configuration.test.ts, test/contract/joints.test.ts and test/oracle/forward-kinematics.test.ts.
 */

import { requireFinite, requireNumber, throwMisuse } from '../math/arguments.js';
import type { Random } from '../math/random.js';
import type { JointKind } from './joints/joint-kind.js';
import type { Model } from './model.js';
import { requireModel } from './model.js';
import { requireCoordinates, requireVelocities } from './model-door.js';

/** Every joint at its zero: angles and shifts 0, quaternions identity, (cos, sin) = (1, 0). Limits are not looked at. */
export function neutralConfiguration(out: Float64Array, model: Model): Float64Array {
  requireModel('neutralConfiguration', model);
  requireCoordinates('neutralConfiguration', 'out', model, out);
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] > 0) (model.jointKinds[j] as JointKind).setNeutral(out, model.idxQ[j]);
  }
  return out;
}

export function createNeutralConfiguration(model: Model): Float64Array {
  requireModel('createNeutralConfiguration', model);
  return neutralConfiguration(new Float64Array(model.nq), model);
}

/**
 * Uniform within the limits, joint by joint in order. Where a limit is absent: revolute and continuous [-pi, pi],
 * prismatic and the positions of planar and floating joints [-1, 1] m, orientations uniform. Always finite.
 */
export function randomConfiguration(out: Float64Array, model: Model, random: Random): Float64Array {
  requireModel('randomConfiguration', model);
  if (typeof random?.uniform !== 'function')
    throwMisuse('randomConfiguration', 'random', random, 'what createRandom returned');
  requireCoordinates('randomConfiguration', 'out', model, out);
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] > 0) {
      (model.jointKinds[j] as JointKind).setRandom(out, model.lower, model.upper, random, model.idxQ[j]);
    }
  }
  return out;
}

/** out = q (+) v: moves for unit time with the constant velocity v, each joint in its own moving frame. */
export function integrateConfiguration(
  out: Float64Array,
  model: Model,
  q: Float64Array,
  v: Float64Array,
): Float64Array {
  requireModel('integrateConfiguration', model);
  requireCoordinates('integrateConfiguration', 'out', model, out);
  requireCoordinates('integrateConfiguration', 'q', model, q);
  requireVelocities('integrateConfiguration', 'v', model, v);
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] > 0) (model.jointKinds[j] as JointKind).integrate(out, q, v, model.idxQ[j], model.idxV[j]);
  }
  return out;
}

/** out = b (-) a, the shortest v with a (+) v = b. */
export function differenceConfiguration(
  out: Float64Array,
  model: Model,
  a: Float64Array,
  b: Float64Array,
): Float64Array {
  requireModel('differenceConfiguration', model);
  requireVelocities('differenceConfiguration', 'out', model, out);
  requireCoordinates('differenceConfiguration', 'a', model, a);
  requireCoordinates('differenceConfiguration', 'b', model, b);
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] > 0) (model.jointKinds[j] as JointKind).difference(out, a, b, model.idxQ[j], model.idxV[j]);
  }
  return out;
}

/** out = a (+) t (b (-) a), t in [0, 1]. */
export function interpolateConfiguration(
  out: Float64Array,
  model: Model,
  a: Float64Array,
  b: Float64Array,
  t: number,
): Float64Array {
  requireModel('interpolateConfiguration', model);
  requireFinite('interpolateConfiguration', 't', t);
  requireCoordinates('interpolateConfiguration', 'out', model, out);
  requireCoordinates('interpolateConfiguration', 'a', model, a);
  requireCoordinates('interpolateConfiguration', 'b', model, b);
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] > 0) (model.jointKinds[j] as JointKind).interpolate(out, a, b, t, model.idxQ[j]);
  }
  return out;
}

/** |b (-) a|: Euclidean norm of the difference, metres and radians weighed alike. */
export function distanceConfiguration(model: Model, a: Float64Array, b: Float64Array): number {
  requireModel('distanceConfiguration', model);
  requireCoordinates('distanceConfiguration', 'a', model, a);
  requireCoordinates('distanceConfiguration', 'b', model, b);
  let sum = 0;
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] > 0) sum += (model.jointKinds[j] as JointKind).squaredDistance(a, b, model.idxQ[j]);
  }
  return Math.sqrt(sum);
}

/** Each coordinate moved to the nearest value within its limits; quaternions and (cos, sin) are normalised. */
export function clampConfiguration(out: Float64Array, model: Model, q: Float64Array): Float64Array {
  requireModel('clampConfiguration', model);
  requireCoordinates('clampConfiguration', 'out', model, out);
  requireCoordinates('clampConfiguration', 'q', model, q);
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] > 0) {
      (model.jointKinds[j] as JointKind).clamp(out, q, model.lower, model.upper, model.idxQ[j]);
    }
  }
  return out;
}

/** Canonical coordinates of the same placement: unit quaternions and (cos, sin), continuous angles in [-pi, pi]. */
export function normalizeConfiguration(out: Float64Array, model: Model, q: Float64Array): Float64Array {
  requireModel('normalizeConfiguration', model);
  requireCoordinates('normalizeConfiguration', 'out', model, out);
  requireCoordinates('normalizeConfiguration', 'q', model, q);
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] > 0) (model.jointKinds[j] as JointKind).normalize(out, q, model.idxQ[j]);
  }
  return out;
}

/** Whether every coordinate lies within its limits widened by `tolerance`. */
export function isWithinLimits(model: Model, q: Float64Array, tolerance = 0): boolean {
  requireModel('isWithinLimits', model);
  requireNumber('isWithinLimits', 'tolerance', tolerance);
  requireCoordinates('isWithinLimits', 'q', model, q);
  for (let i = 0; i < q.length; i++) {
    if (!(q[i] >= model.lower[i] - tolerance && q[i] <= model.upper[i] + tolerance)) return false;
  }
  return true;
}

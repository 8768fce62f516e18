/**
 * A trajectory from samples, for example read from a file: quintic between two of them when accelerations are known, cubic
 * when only velocities are, straight motions otherwise. Positions, velocities and accelerations at the samples are met.
 * Tested by sampled-trajectory.test.ts.
 */

import { type Fields, numbers, requireFields, unchecked } from '../math/arguments.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import { type CurvePiece, JointCurve } from './joint-curve.js';
import { createCubicTrajectory, createQuinticTrajectory } from './joint-splines.js';
import { requireWaypoints } from './trajectory-door.js';

const SAMPLES: Fields = {
  times: numbers,
  positions: unchecked,
  velocities: unchecked,
  accelerations: unchecked,
};

/** Rows are samples; `times` start at 0 and increase. */
export interface SampledTrajectory {
  readonly times: ArrayLike<number>;
  readonly positions: readonly ArrayLike<number>[];
  readonly velocities?: readonly ArrayLike<number>[];
  readonly accelerations?: readonly ArrayLike<number>[];
}

export function createSampledTrajectory(model: Model, samples: SampledTrajectory): JointCurve {
  requireModel('createSampledTrajectory', model);
  requireFields('createSampledTrajectory', 'samples', samples, SAMPLES);
  requireWaypoints('createSampledTrajectory', 'samples.positions', samples.positions);
  const { times, positions, velocities, accelerations } = samples;
  if (velocities !== undefined) requireWaypoints('createSampledTrajectory', 'samples.velocities', velocities);
  if (accelerations !== undefined) requireWaypoints('createSampledTrajectory', 'samples.accelerations', accelerations);
  if (velocities && accelerations)
    return createQuinticTrajectory(model, positions, times, { velocities, accelerations });
  if (velocities) return createCubicTrajectory(model, positions, times, { velocities });
  return createLinearTrajectory(model, positions, times);
}

function createLinearTrajectory(
  model: Model,
  positions: readonly ArrayLike<number>[],
  times: ArrayLike<number>,
): JointCurve {
  // The cubic through the same states checks times and positions; its pieces carry the steps.
  const rest = positions.map(() => new Float64Array(model.nv));
  const checked = createCubicTrajectory(model, positions, times, { velocities: rest });
  const pieces = checked.pieces.map(({ length, base, terms }): CurvePiece => {
    // At rest at both ends the step is the middle increment alone.
    return { length, base, terms: [{ increment: terms[1].increment, polynomial: [0, 1] }] };
  });
  return new JointCurve(model, pieces, checked.end);
}

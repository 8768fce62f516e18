/**
 * A sampled trajectory as a table with named columns, as files hold it: one row per time; columns of q, v, a and torque.
 * The formats are in io/. Tested by sampled-trajectory.test.ts and io/trajectory/trajectory-file.test.ts.
 */

import { createDynamicsData, type DynamicsOptions } from '../dynamics/dynamics-data.js';
import { rnea } from '../dynamics/rnea.js';
import { type Fields, requireFields, requireFloats, requireNumbers, unchecked } from '../math/arguments.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import { coordinateName } from './limits.js';
import type { TrajectorySamples } from './trajectory.js';
import { requireDynamicsOf } from './trajectory-door.js';

const SAMPLES: Fields = {
  times: unchecked,
  positions: unchecked,
  velocities: unchecked,
  accelerations: unchecked,
};

export interface TrajectoryTable {
  /** Names of the numbers of q: the joint's, `joint[k]` where it has several. */
  readonly positionNames: readonly string[];
  /** Names of the numbers of v, a and torque. */
  readonly velocityNames: readonly string[];
  /** Seconds, from 0. */
  readonly times: readonly number[];
  readonly positions: readonly (readonly number[])[];
  readonly velocities?: readonly (readonly number[])[];
  readonly accelerations?: readonly (readonly number[])[];
  readonly torques?: readonly (readonly number[])[];
}

export function positionNames(model: Model): string[] {
  const names: string[] = [];
  for (let j = 1; j < model.jointCount; j++)
    for (let k = 0; k < model.nqs[j]; k++)
      names.push(model.nqs[j] === 1 ? model.jointNames[j] : `${model.jointNames[j]}[${k}]`);
  return names;
}

export function velocityNames(model: Model): string[] {
  return Array.from({ length: model.nv }, (_, k) => coordinateName(model, k));
}

/** `dynamics`: torques too, by inverse dynamics under these conditions. */
export function toTrajectoryTable(
  model: Model,
  samples: TrajectorySamples,
  dynamics?: DynamicsOptions,
): TrajectoryTable {
  requireModel('toTrajectoryTable', model);
  requireFields('toTrajectoryTable', 'samples', samples, SAMPLES);
  const count = samples.times?.length;
  requireNumbers('toTrajectoryTable', 'samples.times', samples.times);
  requireFloats('toTrajectoryTable', 'samples.positions', samples.positions, model.nq * count);
  requireFloats('toTrajectoryTable', 'samples.velocities', samples.velocities, model.nv * count);
  requireFloats('toTrajectoryTable', 'samples.accelerations', samples.accelerations, model.nv * count);
  requireDynamicsOf('toTrajectoryTable', model, dynamics);
  const { times, positions, velocities, accelerations } = samples;
  const { nq, nv } = model;
  const rows = (values: Float64Array, width: number): number[][] =>
    Array.from(times, (_, i) => Array.from(values.subarray(width * i, width * (i + 1))));
  const q = rows(positions, nq);
  const v = rows(velocities, nv);
  const a = rows(accelerations, nv);
  const data = dynamics ? createDynamicsData(model, dynamics) : null;
  return {
    positionNames: positionNames(model),
    velocityNames: velocityNames(model),
    times: Array.from(times),
    positions: q,
    velocities: v,
    accelerations: a,
    ...(data && { torques: q.map((row, i) => Array.from(rnea(model, data, row, v[i], a[i]))) }),
  };
}

/**
 * What a trajectory is: a configuration with velocity and acceleration for every time from 0 to its duration; and its samples.
 *
 * Sampling: times 0, dt, 2 dt, ... and the duration itself, so that the last sample is exactly the end; a last step shorter
 * than a millionth of dt is left out in favour of the end. Tested by sampled-trajectory.test.ts.
 */

import { requireNumberThat, requirePositiveNumber, throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';

export interface TrajectoryPoint {
  /** nq numbers. */
  readonly q: Float64Array;
  /** nv numbers, as the model's v: in the moving frames of planar, spherical and floating joints. */
  readonly v: Float64Array;
  readonly a: Float64Array;
}

export interface Trajectory {
  readonly model: Model;
  /** Seconds. */
  readonly duration: number;
  /** Writes the point at a time, clamped to [0, duration], and returns it. Allocates nothing; throws on NaN. */
  evaluate(out: TrajectoryPoint, time: number): TrajectoryPoint;
}

/** Samples as flat arrays, one row per time. */
export interface TrajectorySamples {
  readonly times: Float64Array;
  /** nq numbers per time. */
  readonly positions: Float64Array;
  /** nv numbers per time. */
  readonly velocities: Float64Array;
  readonly accelerations: Float64Array;
}

/** Nearly three hours every millisecond; what is written of them fits into memory. */
const MOST_SAMPLES = 10_000_000;

export function createTrajectoryPoint(model: Model): TrajectoryPoint {
  requireModel('createTrajectoryPoint', model);
  return { q: new Float64Array(model.nq), v: new Float64Array(model.nv), a: new Float64Array(model.nv) };
}

/** 0, dt, 2 dt, ... and the duration, exactly. */
export function sampleTimes(duration: number, dt: number): Float64Array {
  requirePositiveNumber('sampleTimes', 'dt', dt);
  requireNumberThat('sampleTimes', 'duration', duration, (x) => x >= 0 && x < Infinity, '0 or more');
  if (duration / dt > MOST_SAMPLES)
    throw new MisuseError(`sampleTimes: dt, got ${dt} for ${duration} s, expected at most ${MOST_SAMPLES} samples`);
  const steps = duration > 0 ? Math.max(1, Math.ceil(duration / dt - 1e-6)) : 0;
  const times = new Float64Array(steps + 1);
  for (let i = 0; i < steps; i++) times[i] = i * dt;
  times[steps] = duration;
  return times;
}

/** Positions, velocities and accelerations every `dt` seconds, and at the end. */
export function sampleTrajectory(trajectory: Trajectory, dt: number): TrajectorySamples {
  requireTrajectory('sampleTrajectory', 'trajectory', trajectory);
  const { model, duration } = trajectory;
  const { nq, nv } = model;
  const times = sampleTimes(duration, dt);
  const positions = new Float64Array(nq * times.length);
  const velocities = new Float64Array(nv * times.length);
  const accelerations = new Float64Array(nv * times.length);
  const point = createTrajectoryPoint(model);
  for (let i = 0; i < times.length; i++) {
    trajectory.evaluate(point, times[i]);
    positions.set(point.q, nq * i);
    velocities.set(point.v, nv * i);
    accelerations.set(point.a, nv * i);
  }
  return { times, positions, velocities, accelerations };
}

export function requireTrajectory(call: string, what: string, trajectory: Trajectory): void {
  if (typeof trajectory?.evaluate !== 'function' || typeof trajectory.duration !== 'number' || !trajectory.model)
    throwMisuse(call, what, trajectory, 'a trajectory: an object with model, duration and evaluate');
}

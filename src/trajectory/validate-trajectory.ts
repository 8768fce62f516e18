/**
 * Whether a trajectory keeps its limits: positions, velocities, accelerations, jerks, torques and continuity on a fine grid.
 *
 * Method: at even times, or at given ones, each quantity is compared with its limit;
 * jerk is the change of acceleration over a step; a jump is a configuration that differs from where the step's mean velocity
 * leads by more than the step allows. Torques come from RNEA, independent of how the trajectory was made.
 * Positions are compared with the model's limits, which those of joints that mimic have narrowed already.
 * Cost: points x (nv + RNEA where torques are limited). Tested by validate-trajectory.test.ts.
 */

import { createDynamicsData, type DynamicsOptions } from '../dynamics/dynamics-data.js';
import { rnea } from '../dynamics/rnea.js';
import {
  type Fields,
  numbers,
  requireFields,
  requireNotNegative,
  requirePositive,
  unchecked,
} from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { differenceConfiguration, integrateConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { coordinateName, type MotionLimits } from './limits.js';
import { requireMasses } from './moved-masses.js';
import { createTrajectoryPoint, requireTrajectory, type Trajectory, type TrajectoryPoint } from './trajectory.js';
import { requireDynamicsOf, requireLimits } from './trajectory-door.js';

const OPTIONS: Fields = {
  limits: unchecked,
  dt: requirePositive,
  times: numbers,
  tolerance: requireNotNegative,
  dynamics: unchecked,
};

export type ViolationKind = 'position' | 'velocity' | 'acceleration' | 'jerk' | 'torque' | 'jump';

export interface Violation {
  readonly kind: ViolationKind;
  readonly joint: string;
  /** Seconds. */
  readonly time: number;
  readonly value: number;
  readonly limit: number;
}

export interface ValidateOptions {
  readonly limits: MotionLimits;
  /** Seconds between points; default: the duration over 10,000. */
  readonly dt?: number;
  /** Increasing times to look at instead, for example those of the samples that the trajectory was made from. */
  readonly times?: ArrayLike<number>;
  /** Relative excess that is let pass; default 1e-6. */
  readonly tolerance?: number;
  /** Gravity and armature, where torques are limited. */
  readonly dynamics?: DynamicsOptions;
}

export interface TrajectoryReport {
  readonly valid: boolean;
  /** In time; null when valid. */
  readonly first: Violation | null;
  /** Largest share of a limit per kind; 0 where nothing is limited. A jump counts in shares of what is allowed. */
  readonly usage: Readonly<Record<ViolationKind, number>>;
  readonly points: number;
}

const MOST_POINTS = 20_000_000;

export function validateTrajectory(trajectory: Trajectory, options: ValidateOptions): TrajectoryReport {
  requireTrajectory('validateTrajectory', 'trajectory', trajectory);
  requireFields('validateTrajectory', 'options', options, OPTIONS);
  requireLimits('validateTrajectory', trajectory.model, options.limits);
  requireDynamicsOf('validateTrajectory', trajectory.model, options.dynamics);
  const { model, duration } = trajectory;
  const { limits, tolerance = 1e-6 } = options;
  const times = options.times ?? evenTimes(duration, options.dt ?? Math.max(duration / 10_000, 1e-9));
  const usage: Record<ViolationKind, number> = {
    position: 0,
    velocity: 0,
    acceleration: 0,
    jerk: 0,
    torque: 0,
    jump: 0,
  };
  let first: Violation | null = null;
  const judge = (kind: ViolationKind, name: () => string, time: number, value: number, limit: number): void => {
    const share = Math.abs(value) / limit;
    // NaN is no share of anything: it is a violation too.
    if (share <= usage[kind]) return;
    usage[kind] = share;
    if (!(share <= 1 + tolerance) && first === null) first = { kind, joint: name(), time, value, limit };
  };
  requireMasses('validateTrajectory', model, limits, options.dynamics);
  const data = limits.torque.some((limit) => limit < Infinity) ? createDynamicsData(model, options.dynamics) : null;
  let before = createTrajectoryPoint(model);
  let here = createTrajectoryPoint(model);
  const continuity = createContinuityCheck(model, limits);
  for (let i = 0; i < times.length; i++) {
    const time = times[i];
    const step = i > 0 ? time - times[i - 1] : 0;
    trajectory.evaluate(here, time);
    judgePositions(model, here.q, (name, value, limit, share) => {
      if (share <= usage.position) return;
      usage.position = share;
      if (!(share <= 1 + tolerance) && first === null) first = { kind: 'position', joint: name, time, value, limit };
    });
    for (let k = 0; k < model.nv; k++) {
      const name = (): string => coordinateName(model, k);
      judge('velocity', name, time, here.v[k], limits.velocity[k]);
      judge('acceleration', name, time, here.a[k], limits.acceleration[k]);
      if (step > 0) judge('jerk', name, time, (here.a[k] - before.a[k]) / step, limits.jerk[k]);
    }
    if (data) {
      const tau = rnea(model, data, here.q, here.v, here.a);
      for (let k = 0; k < model.nv; k++)
        judge('torque', () => coordinateName(model, k), time, tau[k], limits.torque[k]);
    }
    if (step > 0) {
      const jump = continuity(before, here, step);
      judge('jump', () => coordinateName(model, jump.coordinate), time, jump.distance, jump.allowed);
    }
    [before, here] = [here, before];
    // Only the first violation and the largest shares are kept, so the run goes on to the end.
  }
  return { valid: first === null, first, usage, points: times.length };
}

function evenTimes(duration: number, dt: number): Float64Array {
  if (!(dt > 0 && duration / dt <= MOST_POINTS))
    throw new MisuseError(
      `validateTrajectory: dt, got ${dt}, expected a positive number, at least ${duration / MOST_POINTS}`,
    );
  const steps = Math.max(1, Math.ceil(duration / dt));
  return Float64Array.from({ length: steps + 1 }, (_, i) => (i === steps ? duration : (i * duration) / steps));
}

/** Share of a position limit that is used: 1 at either limit, measured from their middle. */
function judgePositions(
  model: Model,
  q: Float64Array,
  report: (name: string, value: number, limit: number, share: number) => void,
): void {
  for (let j = 1; j < model.jointCount; j++) {
    const name = model.jointNames[j];
    for (let k = model.idxQ[j]; k < model.idxQ[j] + model.nqs[j]; k++)
      judgePosition(
        model.nqs[j] > 1 ? `${name}[${k - model.idxQ[j]}]` : name,
        q[k],
        model.lower[k],
        model.upper[k],
        report,
      );
  }
}

function judgePosition(
  name: string,
  value: number,
  lower: number,
  upper: number,
  report: (name: string, value: number, limit: number, share: number) => void,
): void {
  if (Number.isNaN(value)) report(name, value, upper, Number.NaN);
  if (lower === -Infinity && upper === Infinity) return;
  const limit = value - lower < upper - value ? lower : upper;
  const middle = 0.5 * (lower + upper);
  const half = 0.5 * (upper - lower);
  const share =
    half > 0 && half < Infinity ? Math.abs(value - middle) / half : value < lower || value > upper ? Infinity : 0;
  report(name, value, limit, share);
}

interface Jump {
  coordinate: number;
  distance: number;
  allowed: number;
}

/** How far a step leads from where its mean velocity points, against what accelerations could explain. */
function createContinuityCheck(
  model: Model,
  limits: MotionLimits,
): (before: TrajectoryPoint, after: TrajectoryPoint, step: number) => Jump {
  const { nq, nv } = model;
  const moved = new Float64Array(nq);
  const motion = new Float64Array(nv);
  const rest = new Float64Array(nv);
  const jump: Jump = { coordinate: 0, distance: 0, allowed: Infinity };
  return (before, after, step) => {
    let scale = 1;
    let fastest = 0;
    for (let k = 0; k < nq; k++) scale = Math.max(scale, Math.abs(after.q[k]));
    for (let k = 0; k < nv; k++) {
      motion[k] = 0.5 * step * (before.v[k] + after.v[k]);
      fastest = Math.max(fastest, Math.abs(motion[k]));
    }
    integrateConfiguration(moved, model, before.q, motion);
    differenceConfiguration(rest, model, moved, after.q);
    jump.distance = 0;
    jump.allowed = Infinity;
    jump.coordinate = 0;
    let worst = -1;
    for (let k = 0; k < nv; k++) {
      // What turns within a step couples coordinates: the square of the motion is let pass, too.
      const allowed =
        Math.min(limits.acceleration[k], Math.abs(before.a[k]) + Math.abs(after.a[k])) * step * step +
        fastest * fastest +
        1e-9 * scale;
      if (Math.abs(rest[k]) / allowed <= worst) continue;
      worst = Math.abs(rest[k]) / allowed;
      jump.coordinate = k;
      jump.distance = rest[k];
      jump.allowed = allowed;
    }
    return jump;
  };
}

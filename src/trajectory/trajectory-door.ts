/** Checks that the calls of this folder share. */

import { DYNAMICS_OPTIONS, type DynamicsOptions } from '../dynamics/dynamics-data.js';
import {
  type Fields,
  numbers,
  requireBounds,
  requireFields,
  requireList,
  requireNumbers,
  requireObject,
  throwMisuse,
} from '../math/arguments.js';
import type { Model } from '../model/model.js';
import type { MotionLimits } from './limits.js';
import type { TrajectoryPoint } from './trajectory.js';

export function requireEvaluation(call: string, model: Model, out: TrajectoryPoint, time: number): void {
  if (typeof time !== 'number' || Number.isNaN(time)) throwMisuse(call, 'time', time, 'a number');
  if (out?.q?.length !== model.nq || out.v?.length !== model.nv || out.a?.length !== model.nv)
    throwMisuse(call, 'out', out, 'what createTrajectoryPoint returned for this model');
}

export function requireWaypoints(call: string, what: string, waypoints: unknown): void {
  requireList(call, what, waypoints, 'a list of configurations');
  waypoints.forEach((q, i) => {
    requireNumbers(call, `${what}[${i}]`, q);
  });
}

const LIMITS: Fields = { velocity: numbers, acceleration: numbers, jerk: numbers, torque: numbers };

export function requireLimits(call: string, model: Model, limits: MotionLimits): void {
  requireObject(call, 'options.limits', limits, 'what createLimits returned');
  for (const key of Object.keys(LIMITS) as (keyof MotionLimits)[])
    requireBounds(call, `options.limits.${key}`, limits[key], model.nv);
}

/** With the lengths that the model asks for, whether or not torques are computed. */
export function requireDynamicsOf(call: string, model: Model, dynamics: DynamicsOptions | undefined): void {
  if (dynamics === undefined) return;
  requireFields(call, 'dynamics', dynamics, DYNAMICS_OPTIONS);
  const { gravity, armature, damping, friction } = dynamics;
  if (gravity !== undefined) requireNumbers(call, 'dynamics.gravity', gravity, 3);
  for (const [key, values] of Object.entries({ armature, damping, friction }))
    if (values !== undefined) requireNumbers(call, `dynamics.${key}`, values, model.nv);
}

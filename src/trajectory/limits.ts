/**
 * Bounds on motion, one number per velocity coordinate of the model: |v|, |a|, |jerk| and |torque| stay at or below them.
 * Only independent joints have coordinates; a joint that mimics is bounded through its driver when asked for.
 * Tested by limits.test.ts.
 */

import {
  type Fields,
  isArrayOf,
  requireBounds,
  requireFlag,
  requireOptions,
  throwMisuse,
  unchecked,
} from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';

const OPTIONS: Fields = {
  velocity: unchecked,
  acceleration: unchecked,
  jerk: unchecked,
  torque: unchecked,
  followers: requireFlag,
};

/** nv numbers each, above 0; Infinity where there is no limit. */
export interface MotionLimits {
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  readonly jerk: Float64Array;
  /** N m, or N for prismatic joints. */
  readonly torque: Float64Array;
}

/** One number for all coordinates, nv numbers, or what the robot's file says. */
export type LimitValues = number | ArrayLike<number> | 'model';

export interface LimitOptions {
  /** Default `model`. */
  readonly velocity?: LimitValues;
  /** Robot files name none: default Infinity. */
  readonly acceleration?: Exclude<LimitValues, 'model'>;
  /** Default Infinity. */
  readonly jerk?: Exclude<LimitValues, 'model'>;
  /** Default Infinity; `model` takes the efforts of the robot's file. */
  readonly torque?: LimitValues;
  /** Also keep the joints that mimic within their own velocity limits of the robot's file; default false. */
  readonly followers?: boolean;
}

export function createLimits(model: Model, options: LimitOptions = {}): MotionLimits {
  requireModel('createLimits', model);
  requireOptions('createLimits', options, OPTIONS);
  const { velocity = 'model', acceleration = Infinity, jerk = Infinity, torque = Infinity } = options;
  const limits: MotionLimits = {
    velocity: readValues(model, 'velocity', velocity, model.velocityLimits),
    acceleration: readValues(model, 'acceleration', acceleration, null),
    jerk: readValues(model, 'jerk', jerk, null),
    torque: readValues(model, 'torque', torque, model.effortLimits),
  };
  if (options.followers) boundFollowers(limits.velocity, model);
  return limits;
}

function readValues(model: Model, name: string, values: LimitValues, fromModel: Float64Array | null): Float64Array {
  const { nv } = model;
  let out: Float64Array;
  if (typeof values === 'number') out = new Float64Array(nv).fill(values);
  else if (values === 'model') {
    if (!fromModel) throw new MisuseError(`createLimits: ${name}, got "model", expected numbers`);
    out = Float64Array.from(fromModel);
  } else {
    if (!isArrayOf(values) || values.length !== nv)
      throwMisuse(
        'createLimits',
        `${name} of robot "${model.name}"`,
        values,
        `nv = ${nv} numbers (independent joints only)`,
      );
    requireBounds('createLimits', name, values, nv);
    out = Float64Array.from(values);
  }
  for (let k = 0; k < nv; k++) {
    if (!(out[k] > 0))
      throw new MisuseError(
        `createLimits: ${name} of joint "${coordinateName(model, k)}", got ${out[k]}, expected a number above 0`,
      );
  }
  return out;
}

/** |multiplier| |v of the driver| stays within the follower's own limit. */
function boundFollowers(velocity: Float64Array, model: Model): void {
  for (let j = 1; j < model.jointCount; j++) {
    const own = model.jointDescriptions[j]?.limits?.velocity;
    const multiplier = Math.abs(model.mimicMultipliers[j]);
    if (model.mimicDrivers[j] === 0 || own === undefined || !(own > 0) || multiplier === 0) continue;
    const driver = model.idxV[model.mimicDrivers[j]];
    velocity[driver] = Math.min(velocity[driver], own / multiplier);
  }
}

/** The joint that owns a velocity coordinate. */
export function coordinateJoint(model: Model, coordinate: number): number {
  for (let j = 1; j < model.jointCount; j++) {
    const at = coordinate - model.idxV[j];
    if (model.nqs[j] > 0 && at >= 0 && at < model.nvs[j]) return j;
  }
  return 0;
}

/** Name of a velocity coordinate: the joint's, with an index when the joint has several. */
export function coordinateName(model: Model, coordinate: number): string {
  const j = coordinateJoint(model, coordinate);
  const name = model.jointNames[j];
  return model.nvs[j] > 1 ? `${name}[${coordinate - model.idxV[j]}]` : name;
}

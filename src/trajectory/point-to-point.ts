/**
 * From one configuration to another, joints on profiles of their own: trapezoidal or jerk-limited, arriving together.
 *
 * Method: every joint gets its fastest profile (motion-profile.ts); the slowest sets the time, the others are stretched to
 * it; where a joint in motion cannot take just that long, the time grows to the next one that all can take.
 * `straight` instead moves all joints by one profile along the straight motion between the configurations. Spherical, planar
 * and floating joints always follow their geodesic, by one profile each.
 * Jerk limits of Infinity give trapezoids. Velocities and accelerations at the ends: any, within their limits (for joints that
 * follow a geodesic, along it); with trapezoids, whose accelerations jump, those at the ends are of no account.
 * Source: as in motion-profile.ts. Cost: microseconds per joint; more where end velocities are not 0.
 * Ends: `infeasible` when a velocity at the ends exceeds its limit. Tested by point-to-point.test.ts.
 */

import { type Fields, numbers, oneOf, requireFields, requireNumbers, unchecked } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { integrateConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import { coordinateJoint, coordinateName, type MotionLimits } from './limits.js';
import { HALF_TURN, type MotionCurve, readInterval, turnsAlong } from './motion-curve.js';
import {
  findDuration,
  type MotionProfile,
  type ProfileEnds,
  type ProfileLimits,
  planProfile,
  planTimedProfile,
} from './motion-profile.js';
import { findTangentGroup } from './tangent-groups.js';
import type { TrajectoryPoint } from './trajectory.js';
import { requireEvaluation, requireLimits } from './trajectory-door.js';
import { prepareWaypoints } from './waypoints.js';

const OPTIONS: Fields = {
  limits: unchecked,
  startVelocity: numbers,
  endVelocity: numbers,
  startAcceleration: numbers,
  endAcceleration: numbers,
  synchronize: oneOf('time', 'straight', 'none'),
};

export interface PointToPointOptions {
  readonly limits: MotionLimits;
  /** nv numbers; default 0. */
  readonly startVelocity?: ArrayLike<number>;
  readonly endVelocity?: ArrayLike<number>;
  /** nv numbers; default 0. */
  readonly startAcceleration?: ArrayLike<number>;
  readonly endAcceleration?: ArrayLike<number>;
  /** `time` (default): all arrive together. `straight`: along the straight motion. `none`: each as fast as it can. */
  readonly synchronize?: 'time' | 'straight' | 'none';
}

export interface PointToPointResult {
  readonly status: 'solved' | 'infeasible';
  /** Empty when solved. */
  readonly reason: string;
  readonly trajectory: PointToPointTrajectory | null;
}

/** Coordinates that one profile moves: v[k] changes by direction[k] per unit of the profile. */
interface Unit {
  readonly coordinates: readonly number[];
  readonly direction: readonly number[];
  readonly ends: ProfileEnds;
  readonly limits: ProfileLimits;
}

const MOST_ROUNDS = 50;
const END_STATES = ['startVelocity', 'endVelocity', 'startAcceleration', 'endAcceleration'] as const;

/** Of positions and velocities, relative to 1 and the way. */
const ROUNDING = 1e-12;

export class PointToPointTrajectory implements MotionCurve {
  readonly duration: number;
  private readonly shift: Float64Array;
  private readonly state = new Float64Array(4);
  /** 1 for entries of v that turn, and the joint of each. */
  private readonly turns: Uint8Array;
  private readonly joints: Int32Array;

  /** @internal */
  constructor(
    readonly model: Model,
    private readonly start: Float64Array,
    private readonly end: Float64Array,
    private readonly parts: readonly { readonly unit: Unit; readonly profile: MotionProfile }[],
  ) {
    this.duration = parts.reduce((most, { profile }) => Math.max(most, profile.duration), 0);
    this.shift = new Float64Array(model.nv);
    this.turns = turnsAlong(model);
    this.joints = Int32Array.from({ length: model.nv }, (_, k) => coordinateJoint(model, k));
  }

  evaluate(out: TrajectoryPoint, time: number): TrajectoryPoint {
    requireEvaluation('evaluate', this.model, out, time);
    const { model, start, end, parts, shift, state, duration } = this;
    const at = Math.min(Math.max(time, 0), duration);
    shift.fill(0);
    out.v.fill(0);
    out.a.fill(0);
    for (let i = 0; i < parts.length; i++) {
      const { coordinates, direction } = parts[i].unit;
      const { profile } = parts[i];
      profile.evaluate(state, at);
      // One that has arrived before the others rests; one that ends accelerating does so with them, but for rounding.
      if (at > profile.duration && !profile.ends.endAcceleration) state[2] = 0;
      for (let n = 0; n < coordinates.length; n++) {
        const k = coordinates[n];
        shift[k] = direction[n] * state[0];
        out.v[k] = direction[n] * state[1];
        out.a[k] = direction[n] * state[2];
      }
    }
    if (at === duration) out.q.set(end);
    else integrateConfiguration(out.q, model, start, shift);
    return out;
  }

  speedBound(out: Float64Array, from: number, to: number): Float64Array {
    const [first, last] = readInterval('speedBound', this, out, from, to);
    out.fill(0);
    for (const { unit, profile } of this.parts) {
      profile.bound(this.state, first, last);
      this.addUnit(out, unit, this.state[0] * (1 + ROUNDING));
    }
    return out;
  }

  chordBound(out: Float64Array, from: number, to: number): Float64Array {
    const [first, last] = readInterval('chordBound', this, out, from, to);
    out.fill(0);
    const { parts, state } = this;
    for (const { unit, profile } of parts) {
      profile.bound(state, first, last);
      // One profile alone goes straight, however fast; of several each may run ahead of the chord by width^2/8 sup |a|.
      const ahead = parts.length > 1 ? 0.125 * (last - first) ** 2 * state[1] : 0;
      this.addUnit(out, unit, ahead);
      const way = (last - first) * state[0];
      for (const [n, k] of unit.coordinates.entries()) {
        // Half a turn may be gone: the chord may go the other way round.
        if (this.turns[k] === 0 || !this.model.jointKinds[this.joints[k]]!.isWrapped) continue;
        if (unit.coordinates.length * Math.abs(unit.direction[n]) * way >= HALF_TURN) out[k] = Infinity;
      }
    }
    let scale = 1;
    for (const x of this.start) scale = Math.max(scale, Math.abs(x));
    for (const x of this.end) scale = Math.max(scale, Math.abs(x));
    for (let k = 0; k < out.length; k++) out[k] += ROUNDING * scale;
    return out;
  }

  /** out += amount x the unit's direction; in joints of several coordinates the lengths of its linear and angular parts. */
  private addUnit(out: Float64Array, { coordinates, direction }: Unit, amount: number): void {
    const { model, turns } = this;
    for (const [n, k] of coordinates.entries()) {
      const joint = this.joints[k];
      if (findTangentGroup(model.jointKinds[joint]!) === null) {
        out[k] += Math.abs(direction[n]) * amount;
        continue;
      }
      let squared = 0;
      for (const [other, at] of coordinates.entries())
        if (this.joints[at] === joint && turns[at] === turns[k]) squared += direction[other] ** 2;
      out[k] += Math.sqrt(squared) * amount;
    }
  }
}

export function planPointToPoint(
  model: Model,
  start: ArrayLike<number>,
  end: ArrayLike<number>,
  options: PointToPointOptions,
): PointToPointResult {
  requireModel('planPointToPoint', model);
  requireNumbers('planPointToPoint', 'start', start, model.nq);
  requireNumbers('planPointToPoint', 'end', end, model.nq);
  requireFields('planPointToPoint', 'options', options, OPTIONS);
  requireLimits('planPointToPoint', model, options.limits);
  const { synchronize = 'time' } = options;
  const { points, steps } = prepareWaypoints('planPointToPoint', model, [start, end], true);
  const units = createUnits(model, steps[0], options);
  const fastest = units.map(({ ends, limits }) => planProfile(ends, limits));
  const refused = fastest.indexOf(null);
  if (refused >= 0) {
    const name = coordinateName(model, units[refused].coordinates[0]);
    return {
      status: 'infeasible',
      reason: `the velocity or acceleration of "${name}" at an end exceeds its limit, or leads beyond it`,
      trajectory: null,
    };
  }
  let duration = fastest.reduce((most, profile) => Math.max(most, profile!.duration), 0);
  let profiles = fastest;
  if (synchronize === 'time') {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const next = units.reduce((most, { ends, limits }) => Math.max(most, findDuration(ends, limits, duration)), 0);
      if (next <= duration) break;
      duration = next;
    }
    profiles = units.map(({ ends, limits }, i) =>
      fastest[i]!.duration === duration ? fastest[i] : planTimedProfile(ends, limits, duration),
    );
    if (profiles.includes(null))
      return { status: 'infeasible', reason: 'no common duration was found', trajectory: null };
  } else if (synchronize === 'none') requireRest(units);
  const parts = units.map((unit, i) => ({ unit, profile: profiles[i]! }));
  return { status: 'solved', reason: '', trajectory: new PointToPointTrajectory(model, points[0], points[1], parts) };
}

/** A joint that arrives early must stay. */
function requireRest(units: readonly Unit[]): void {
  if (units.some(({ ends }) => ends.endVelocity !== 0 || (ends.endAcceleration ?? 0) !== 0))
    throw new MisuseError(
      'planPointToPoint: endVelocity and endAcceleration with synchronize "none", got a motion, expected 0',
    );
}

function createUnits(model: Model, step: Float64Array, options: PointToPointOptions): Unit[] {
  const { limits, synchronize } = options;
  const states = END_STATES.map((name) => readState(model, name, options[name]));
  const [start, end, startAcceleration, endAcceleration] = states;
  const everything = Array.from({ length: model.nv }, (_, k) => k);
  const along = (coordinates: readonly number[]): Unit => createGeodesicUnit(model, coordinates, step, states, limits);
  if (synchronize === 'straight') return isResting(everything, step, ...states) ? [] : [along(everything)];
  const units: Unit[] = [];
  for (let k = 0; k < model.nv; k++) {
    const joint = coordinateJoint(model, k);
    const coordinates = findTangentGroup(model.jointKinds[joint]!)
      ? everything.slice(model.idxV[joint], model.idxV[joint] + model.nvs[joint])
      : [k];
    k += coordinates.length - 1;
    if (isResting(coordinates, step, ...states)) continue;
    if (coordinates.length > 1) {
      units.push(along(coordinates));
      continue;
    }
    requireBounded(model, k, limits);
    const { velocity, acceleration, jerk } = limits;
    const ends = boundEnds(
      {
        distance: step[k],
        startVelocity: start[k],
        endVelocity: end[k],
        startAcceleration: startAcceleration[k],
        endAcceleration: endAcceleration[k],
      },
      velocity[k],
    );
    const own = { velocity: velocity[k], acceleration: acceleration[k], jerk: jerk[k] };
    units.push({ coordinates, direction: [1], ends, limits: own });
  }
  return units;
}

function isResting(coordinates: readonly number[], ...rows: readonly Float64Array[]): boolean {
  return coordinates.every((k) => rows.every((row) => row[k] === 0));
}

/** One profile over the length of the step in these coordinates. */
function createGeodesicUnit(
  model: Model,
  coordinates: readonly number[],
  step: Float64Array,
  states: readonly Float64Array[],
  limits: MotionLimits,
): Unit {
  const length = Math.sqrt(coordinates.reduce((sum, k) => sum + step[k] * step[k], 0));
  const direction = coordinates.map((k) => (length > 0 ? step[k] / length : 0));
  const [startVelocity, endVelocity, startAcceleration, endAcceleration] = states.map((v, which) => {
    const along = coordinates.reduce((sum, k, n) => sum + v[k] * direction[n], 0);
    const size = coordinates.reduce((most, k) => Math.max(most, Math.abs(v[k])), 0);
    if (coordinates.some((k, n) => Math.abs(v[k] - along * direction[n]) > 1e-9 * size))
      throw new MisuseError(
        `planPointToPoint: ${END_STATES[which]} of joint "${coordinateName(model, coordinates[0])}", got one across the motion, expected one along it`,
      );
    return along;
  });
  const least = (values: Float64Array): number =>
    coordinates.reduce(
      (most, k, n) => (direction[n] === 0 ? most : Math.min(most, values[k] / Math.abs(direction[n]))),
      Infinity,
    );
  for (const [n, k] of coordinates.entries()) if (direction[n] !== 0) requireBounded(model, k, limits);
  const velocity = least(limits.velocity);
  return {
    coordinates,
    direction,
    ends: boundEnds({ distance: length, startVelocity, endVelocity, startAcceleration, endAcceleration }, velocity),
    limits: { velocity, acceleration: least(limits.acceleration), jerk: least(limits.jerk) },
  };
}

/** A velocity at its limit may have been rounded to one beyond it. */
function boundEnds(ends: ProfileEnds, limit: number): ProfileEnds {
  const bound = (v: number): number => (Math.abs(v) > limit * (1 + 1e-9) ? v : Math.max(-limit, Math.min(limit, v)));
  return { ...ends, startVelocity: bound(ends.startVelocity), endVelocity: bound(ends.endVelocity) };
}

function requireBounded(model: Model, k: number, limits: MotionLimits): void {
  if (!(limits.acceleration[k] < Infinity))
    throw new MisuseError(
      `planPointToPoint: acceleration of joint "${coordinateName(model, k)}", got no limit, expected one, as the joint moves`,
    );
}

function readState(model: Model, name: string, values?: ArrayLike<number>): Float64Array {
  if (values === undefined) return new Float64Array(model.nv);
  const out = Float64Array.from(values);
  if (out.length !== model.nv || !out.every(Number.isFinite))
    throw new MisuseError(`planPointToPoint: ${name}, got [${out}], expected nv = ${model.nv} finite numbers`);
  return out;
}

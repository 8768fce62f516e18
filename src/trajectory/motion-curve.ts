/**
 * What the verification of a motion asks of a trajectory: bounds that hold over whole intervals of time, not at samples.
 *
 * Both bounds write nv numbers, entry k for velocity coordinate k of the model. For joints of one velocity they bound that
 * coordinate. For joints of several (planar, spherical, floating) all entries that shift hold a bound of the length of the linear
 * part, all that turn a bound of the length of the angular part; `turnsAlong` tells which are which.
 * Every trajectory of this folder is a motion curve: blended, splined and sampled curves (`JointCurve`), time-optimal ones
 * (`RetimedTrajectory`), profiles (`PointToPointTrajectory`) and joined ones.
 * Tested by motion-curve.test.ts (dense sampling).
 */
import { requireLength, requireObject } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import type { Trajectory } from './trajectory.js';

export interface MotionCurve extends Trajectory {
  /**
   * Writes bounds of |v| over [from, to]: |v_k(t)| <= out[k] for every t in it. The times are clamped to [0, duration].
   *
   * @param out nv numbers
   */
  speedBound(out: Float64Array, from: number, to: number): Float64Array;
  /**
   * Writes how far the motion over [from, to] may be from the chord, the straight motion (`interpolateConfiguration`) between its
   * ends: for every t in it some configuration c of the chord, the same for all joints, has |q_k(t) - c_k| <= out[k]. Of joints of several coordinates:
   * metres between the origins of the moving frames, and the angle between their axes.
   * Infinity where a joint whose angle wraps (continuous, planar, spherical, floating) may go half a turn within the interval: the
   * chord could go the other way round.
   * On straight paths it is a rounding error however the time law goes; on vector joints otherwise it falls with the square of the
   * interval.
   *
   * @param out nv numbers
   */
  chordBound(out: Float64Array, from: number, to: number): Float64Array;
}

/** A geodesic's shift is at most this much longer than the straight way: (x/2)/sin(x/2) for turns x up to pi. */
export const LONGEST_ARC = Math.PI / 2;

/** Half a turn, less a rounding. */
export const HALF_TURN = Math.PI * (1 - 1e-9);

/** Whether a trajectory gives bounds. */
export function isMotionCurve(trajectory: Trajectory): trajectory is MotionCurve {
  requireObject('isMotionCurve', 'trajectory', trajectory, 'a trajectory');
  const { speedBound, chordBound } = trajectory as Partial<MotionCurve>;
  return typeof speedBound === 'function' && typeof chordBound === 'function';
}

/** 1 for velocity coordinates that turn a body, 0 for those that only shift it: nv numbers. */
export function turnsAlong(model: Model): Uint8Array {
  const S = model.motionSubspaces;
  return Uint8Array.from({ length: model.nv }, (_, k) =>
    S[6 * k + 3] !== 0 || S[6 * k + 4] !== 0 || S[6 * k + 5] !== 0 ? 1 : 0,
  );
}

/** Clamps an interval of time; refuses what is none. */
export function readInterval(
  name: string,
  trajectory: Trajectory,
  out: Float64Array,
  from: number,
  to: number,
): [number, number] {
  const { model, duration } = trajectory;
  requireLength(name, 'out', out, model.nv);
  if (typeof from !== 'number' || typeof to !== 'number' || !(from <= to))
    throw new MisuseError(
      `${name}: interval, got from ${describeValue(from)} to ${describeValue(to)}, expected from <= to`,
    );
  return [Math.min(Math.max(from, 0), duration), Math.min(Math.max(to, 0), duration)];
}

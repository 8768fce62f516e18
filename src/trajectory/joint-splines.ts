/**
 * Trajectories that are polynomials of time: cubic and quintic splines through waypoints at given times, and B-splines.
 *
 * cubic: velocities at the waypoints given (C1), or chosen so that accelerations are continuous (C2; at rest at both ends
 * unless said otherwise). quintic: velocities and accelerations given, or those of the cubic spline through the same points,
 * the accelerations at both ends 0 (C2). B-spline: inside the hull of its control points, with degree - 1 continuous
 * derivatives, begins and ends at the first and last control point; the others are not met.
 * None looks at limits: see `validateTrajectory`, or slow them down by scaling the times.
 * Source: Farin 2002, "Curves and surfaces for CAGD", chapters 8 and 9; de Boor 1972, "On calculating with B-splines",
 * doi:10.1016/0021-9045(72)90080-9 (recursion); cumulative form as in joint-curve.ts.
 * Tested by joint-splines.test.ts.
 */

import {
  type Fields,
  numbers,
  requireFields,
  requireFinite,
  requireNumbers,
  requireOptions,
} from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import { solveCubicSpline } from './cubic-spline.js';
import { createCubicPiece, createQuinticPiece, cubicAccelerations } from './hermite-pieces.js';
import { type CurvePiece, JointCurve } from './joint-curve.js';
import { requireWaypoints } from './trajectory-door.js';
import { prepareWaypoints, type Waypoints } from './waypoints.js';

const states = (call: string, what: string, value: unknown): void => {
  requireWaypoints(call, what, value);
};
const CUBIC: Fields = { velocities: states, startVelocity: numbers, endVelocity: numbers };
const QUINTIC: Fields = { ...CUBIC, accelerations: states };
const SPLINE: Fields = { degree: requireFinite, duration: requireFinite };

export interface CubicTrajectoryOptions {
  /** nv numbers per waypoint. Without them accelerations are continuous. */
  readonly velocities?: readonly ArrayLike<number>[];
  /** Where `velocities` is absent; default 0. */
  readonly startVelocity?: ArrayLike<number>;
  readonly endVelocity?: ArrayLike<number>;
}

export interface QuinticTrajectoryOptions extends CubicTrajectoryOptions {
  /** nv numbers per waypoint. */
  readonly accelerations?: readonly ArrayLike<number>[];
}

export interface BSplineOptions {
  /** 1 to 5; default 3. */
  readonly degree?: number;
  /** Seconds. */
  readonly duration: number;
}

/** `times`: one per waypoint, from 0, increasing. Waypoints may repeat. */
export function createCubicTrajectory(
  model: Model,
  waypoints: readonly ArrayLike<number>[],
  times: ArrayLike<number>,
  options: CubicTrajectoryOptions = {},
): JointCurve {
  requireModel('createCubicTrajectory', model);
  requireWaypoints('createCubicTrajectory', 'waypoints', waypoints);
  requireNumbers('createCubicTrajectory', 'times', times);
  requireOptions('createCubicTrajectory', options, CUBIC);
  const timed = readTimed('createCubicTrajectory', model, waypoints, times);
  const { pieces } = solveCubic('createCubicTrajectory', model, timed, options);
  return new JointCurve(model, pieces, timed.points[timed.points.length - 1]);
}

export function createQuinticTrajectory(
  model: Model,
  waypoints: readonly ArrayLike<number>[],
  times: ArrayLike<number>,
  options: QuinticTrajectoryOptions = {},
): JointCurve {
  requireModel('createQuinticTrajectory', model);
  requireWaypoints('createQuinticTrajectory', 'waypoints', waypoints);
  requireNumbers('createQuinticTrajectory', 'times', times);
  requireOptions('createQuinticTrajectory', options, QUINTIC);
  const name = 'createQuinticTrajectory';
  const timed = readTimed(name, model, waypoints, times);
  const { points, steps, spans } = timed;
  const cubic = solveCubic(name, model, timed, options);
  const { velocities } = cubic;
  const last = points.length - 1;
  const accelerations =
    readStates(name, 'accelerations', model, options.accelerations, points.length) ??
    points.map((_, k) =>
      k === 0 || k === last ? new Float64Array(model.nv) : cubicAccelerations(model, cubic.pieces[k])[0],
    );
  const pieces = steps.map((step, k) => {
    const ends = { q0: points[k], q1: points[k + 1], step, v0: velocities[k], v1: velocities[k + 1] };
    return createQuinticPiece(model, ends, accelerations[k], accelerations[k + 1], spans[k]);
  });
  return new JointCurve(model, pieces, points[last]);
}

/** Uniform knots, repeated at the ends. */
export function createBSplineTrajectory(
  model: Model,
  controlPoints: readonly ArrayLike<number>[],
  options: BSplineOptions,
): JointCurve {
  requireModel('createBSplineTrajectory', model);
  requireWaypoints('createBSplineTrajectory', 'controlPoints', controlPoints);
  requireFields('createBSplineTrajectory', 'options', options, SPLINE);
  requireFinite('createBSplineTrajectory', 'options.duration', options.duration);
  const { degree = 3, duration } = options;
  const name = 'createBSplineTrajectory';
  if (!(Number.isInteger(degree) && degree >= 1 && degree <= 5))
    throw new MisuseError(`${name}: degree, got ${degree}, expected 1 to 5`);
  if (!(duration > 0 && duration < Infinity))
    throw new MisuseError(`${name}: duration, got ${duration}, expected a positive number`);
  if (controlPoints.length <= degree)
    throw new MisuseError(`${name}: controlPoints, got ${controlPoints.length}, expected at least ${degree + 1}`);
  const { points, steps } = prepareWaypoints(name, model, controlPoints, true);
  const spanCount = points.length - degree;
  const knot = (i: number): number => (duration * Math.min(Math.max(i - degree, 0), spanCount)) / spanCount;
  const pieces: CurvePiece[] = [];
  for (let s = degree; s < points.length; s++) {
    const basis = cumulativeBasis(knot, degree, s);
    const terms = basis.map((polynomial, i) => ({ increment: steps[s - degree + i], polynomial }));
    pieces.push({ length: knot(s + 1) - knot(s), base: points[s - degree], terms });
  }
  return new JointCurve(model, pieces, points[points.length - 1]);
}

/** On the span from knot s: for each i in 1 .. degree the sum of the basis functions s - degree + i .. s, in powers of w. */
function cumulativeBasis(knot: (i: number) => number, degree: number, s: number): number[][] {
  const start = knot(s);
  const width = knot(s + 1) - start;
  /** basis[i] belongs to function s - d + i. */
  let basis: number[][] = [[1]];
  for (let d = 1; d <= degree; d++) {
    const next = Array.from({ length: d + 1 }, () => new Array<number>(d + 1).fill(0));
    for (let i = 0; i < d; i++) {
      const function_ = s - d + 1 + i;
      const from = knot(function_);
      const to = knot(function_ + d);
      // (to - t)/(to - from) goes to the function before, (t - from)/(to - from) stays; t = start + width w.
      for (let k = 0; k < d; k++) {
        const c = basis[i][k] / (to - from);
        next[i][k] += c * (to - start);
        next[i][k + 1] -= c * width;
        next[i + 1][k] += c * (start - from);
        next[i + 1][k + 1] += c * width;
      }
    }
    basis = next;
  }
  for (let i = degree - 1; i > 0; i--) basis[i] = basis[i].map((c, k) => c + basis[i + 1][k]);
  return basis.slice(1);
}

interface TimedWaypoints extends Waypoints {
  readonly spans: readonly number[];
}

function readTimed(
  name: string,
  model: Model,
  waypoints: readonly ArrayLike<number>[],
  times: ArrayLike<number>,
): TimedWaypoints {
  if (times.length !== waypoints.length)
    throw new MisuseError(`${name}: times, got ${times.length}, expected one per waypoint, ${waypoints.length}`);
  if (times[0] !== 0) throw new MisuseError(`${name}: times, got ${times[0]} first, expected 0`);
  const spans: number[] = [];
  for (let k = 1; k < times.length; k++) {
    const span = times[k] - times[k - 1];
    if (!(span > 0 && span < Infinity))
      throw new MisuseError(`${name}: times, got ${times[k]} after ${times[k - 1]}, expected increasing numbers`);
    spans.push(span);
  }
  return { ...prepareWaypoints(name, model, waypoints, true), spans };
}

function solveCubic(name: string, model: Model, timed: TimedWaypoints, options: CubicTrajectoryOptions) {
  const { points, steps, spans } = timed;
  const given = readStates(name, 'velocities', model, options.velocities, points.length);
  if (!given) {
    const [start] = readStates(name, 'startVelocity', model, wrap(options.startVelocity), 1) ?? [];
    const [end] = readStates(name, 'endVelocity', model, wrap(options.endVelocity), 1) ?? [];
    const rest = new Float64Array(model.nv);
    return solveCubicSpline(model, timed, spans, start ?? rest, end ?? rest);
  }
  const pieces = steps.map((step, k) => {
    const ends = { q0: points[k], q1: points[k + 1], step, v0: given[k], v1: given[k + 1] };
    return createCubicPiece(model, ends, spans[k]);
  });
  return { pieces, velocities: given };
}

const wrap = (values?: ArrayLike<number>): [ArrayLike<number>] | undefined => (values ? [values] : undefined);

function readStates(
  name: string,
  what: string,
  model: Model,
  values: readonly ArrayLike<number>[] | undefined,
  count: number,
): Float64Array[] | null {
  if (!values) return null;
  if (values.length !== count) throw new MisuseError(`${name}: ${what}, got ${values.length}, expected ${count}`);
  return values.map((row) => {
    const out = Float64Array.from(row);
    if (out.length !== model.nv || !out.every(Number.isFinite))
      throw new MisuseError(`${name}: ${what}, got [${out}], expected nv = ${model.nv} finite numbers`);
    return out;
  });
}

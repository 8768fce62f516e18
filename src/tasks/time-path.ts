/**
 * The fastest motion through waypoints under limits, free at every time where a scene is given.
 *
 * Method: `time-optimal` takes corners as blends or splines, which shrink until they are free (trajectory/path-in-scene.ts), and
 * drives the path as fast as the limits allow (trajectory/time-optimal.ts); `stops` rests at every waypoint, with limited jerk
 * (trajectory/point-to-point.ts), and compares the motion with the scene.
 * Units: seconds; radians and metres; newton metres. Ends: see `TimedMotion.status`. Tested by plan-group.test.ts.
 */
import {
  type Fields,
  oneOf,
  requireFields,
  requireList,
  requireNotNegative,
  requireNumbers,
  unchecked,
} from '../math/arguments.js';
import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { createBlendedPath } from '../trajectory/blended-path.js';
import { joinTrajectories } from '../trajectory/joined-trajectory.js';
import type { JointCurve } from '../trajectory/joint-curve.js';
import type { MotionLimits } from '../trajectory/limits.js';
import { checkTrajectory, createPathInScene, type MotionCheck } from '../trajectory/path-in-scene.js';
import { planPointToPoint } from '../trajectory/point-to-point.js';
import { createSplinePath } from '../trajectory/spline-path.js';
import { parameterizeTimeOptimal } from '../trajectory/time-optimal.js';
import type { Trajectory } from '../trajectory/trajectory.js';

/** Whom the motion must not meet: the robot's scene, itself included. */
export interface Surroundings {
  readonly scene: Scene;
  readonly robot: SceneRobot;
}

export interface Timing {
  readonly limits: MotionLimits;
  /** Default `time-optimal`. */
  readonly method?: 'time-optimal' | 'stops';
  /** How corners are taken; default `blend`. */
  readonly corners?: 'stop' | 'blend' | 'smooth' | 'spline';
  /** Of blends: largest distance from the waypoint at first; default 0.01. */
  readonly deviation?: number;
  /** Intervals of the time-optimal law; default its own. */
  readonly intervals?: number;
  /** Default 0, 0, -9.81. */
  readonly gravity?: readonly number[];
}

export interface TimedMotion {
  /** `limit`: limits are not held everywhere, or the scene could not be decided; `blocked`: no such motion is free. */
  readonly status: 'solved' | 'infeasible' | 'limit' | 'blocked';
  /** Empty when solved. */
  readonly reason: string;
  readonly trajectory: Trajectory | null;
  readonly checked: MotionCheck;
  /** Corners that were tightened, or waypoints that were added, to keep free; 0 where nothing had to change. */
  readonly changes: number;
  /** What its freedom in the scene rests on. */
  readonly assumed?: readonly string[];
}

const TIMING: Fields = {
  limits: unchecked,
  method: oneOf('time-optimal', 'stops'),
  corners: oneOf('stop', 'blend', 'smooth', 'spline'),
  deviation: requireNotNegative,
  intervals: unchecked,
  gravity: (call, what, value) => requireNumbers(call, what, value as ArrayLike<number>, 3),
};

/** All but the limits, which are looked at where they are made. */
export function requireTiming(call: string, what: string, timing: unknown): void {
  requireFields(call, what, timing, TIMING);
}

/** The fastest motion through the waypoints; with surroundings one that is free at every time, or none. */
export function timePath(
  model: Model,
  waypoints: readonly Float64Array[],
  timing: Timing,
  around: Surroundings | null = null,
): TimedMotion {
  requireModel('timePath', model);
  requireList('timePath', 'waypoints', waypoints);
  requireTiming('timePath', 'timing', timing);
  if (timing.method === 'stops') return timeWithStops(model, waypoints, timing.limits, around);
  const drawn = drawPath(model, waypoints, timing, around);
  if ('status' in drawn) return drawn;
  const { path, checked, changes, assumed } = drawn;
  const { limits, intervals, gravity } = timing;
  const dynamics = gravity === undefined ? undefined : { gravity };
  const { status, trajectory, reason } = parameterizeTimeOptimal(path, { limits, intervals, dynamics });
  return { status, reason, trajectory, checked, changes, assumed };
}

interface DrawnPath {
  readonly path: JointCurve;
  readonly checked: MotionCheck;
  readonly changes: number;
  readonly assumed?: readonly string[];
}

function drawPath(
  model: Model,
  waypoints: readonly Float64Array[],
  { corners = 'blend', deviation }: Timing,
  around: Surroundings | null,
): DrawnPath | TimedMotion {
  if (around) {
    const { status, reason, path, changes, assumed } = createPathInScene(around.scene, around.robot, waypoints, {
      corners,
      deviation,
    });
    return status === 'free' ? { path, checked: 'certified', changes, assumed } : refuse(status, reason);
  }
  const path =
    corners === 'spline'
      ? createSplinePath(model, waypoints)
      : createBlendedPath(model, waypoints, {
          deviation: corners === 'stop' ? 0 : deviation,
          blend: corners === 'smooth' ? 'smooth' : 'parabolic',
        });
  return { path, checked: 'unchecked', changes: 0 };
}

const refuse = (status: 'blocked' | 'undecided', reason: string): TimedMotion => ({
  status: status === 'blocked' ? 'blocked' : 'limit',
  reason,
  trajectory: null,
  checked: 'certified',
  changes: 0,
});

function timeWithStops(
  model: Model,
  waypoints: readonly Float64Array[],
  limits: MotionLimits,
  around: Surroundings | null,
): TimedMotion {
  const parts: Trajectory[] = [];
  for (let k = 1; k < Math.max(waypoints.length, 2); k++) {
    const end = waypoints[Math.min(k, waypoints.length - 1)];
    const { trajectory, reason } = planPointToPoint(model, waypoints[k - 1], end, { limits, synchronize: 'straight' });
    if (!trajectory) return { status: 'infeasible', reason, trajectory, checked: 'unchecked', changes: 0 };
    parts.push(trajectory);
  }
  const trajectory = joinTrajectories(parts);
  if (!around) return { status: 'solved', reason: '', trajectory, checked: 'unchecked', changes: 0 };
  const { status, reason, checked, assumed } = checkTrajectory(around.scene, around.robot, trajectory);
  if (status !== 'free') return refuse(status, reason);
  return { status: 'solved', reason: '', trajectory, checked, changes: 0, assumed };
}

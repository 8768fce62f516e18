/**
 * One robot from its start to its goal among robots whose motions are known, so that it touches none of them at any time.
 *
 * Method: a tree in space and time (planning/coordination/space-time-search.ts). A motion is free where the exact checker says so of what stands, and of every other
 * robot, by halves of its time, the parts that both go along meanwhile are proven apart by motion bounds and exact distances (scene/motion/robot-cells.ts).
 * Units: seconds, radians, metres. Joints go at most at their velocity limits, 1 where there is none. Tested by plan-robots.test.ts.
 */
import { createConfigurationSpace } from '../planning/configuration-space.js';
import { searchSpaceTime } from '../planning/coordination/space-time-search.js';
import { findMotionBounds } from '../scene/motion/motion-bounds.js';
import { RobotCells } from '../scene/motion/robot-cells.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import type { CoordinatedMotion } from './coordinate-paths.js';
import { findChecker } from './kept-checker.js';
import { leastDuration, placeAt } from './timed-places.js';

/** A robot of the scene on its way; it stays where that ends. */
export interface RobotInTime {
  readonly robot: SceneRobot;
  readonly times: readonly number[];
  readonly path: readonly Float64Array[];
}

export interface TimeRequest {
  readonly indices: ArrayLike<number>;
  /** From the start to the goal, the others aside: full configurations. */
  readonly path: readonly Float64Array[];
  readonly seed: number;
  readonly maxIterations: number;
}

/** Shorter stretches of time are not halved again. */
const LEAST_TIME = 2e-3;

/** `context`: the scene, the others out of the way. Null where no way was found. */
export function planInTime(
  scene: Scene,
  context: Scene,
  robot: SceneRobot,
  own: SceneRobot,
  others: readonly RobotInTime[],
  { indices, path, seed, maxIterations }: TimeRequest,
): { readonly motion: CoordinatedMotion; readonly distances: number } | null {
  const { model } = robot;
  const start = path[0];
  const rest = start;
  const checker = findChecker(context, own, indices, start, undefined);
  const bounds = findMotionBounds(context, own, [path[0], path[path.length - 1]]);
  const space = createConfigurationSpace(model, { indices, bounds });
  const pick = (q: Float64Array): Float64Array => Float64Array.from(indices, (i) => q[i]);
  const widen = (state: Float64Array): Float64Array => {
    const q = rest.slice();
    for (let k = 0; k < indices.length; k++) q[indices[k]] = state[k];
    return q;
  };
  const cells = new RobotCells(scene, [{ robot, path: [start, start] }, ...others]);
  try {
    const ends = others.map(({ times }) => times[times.length - 1]);
    const areApart = (other: number, u0: number, t0: number, u1: number, t1: number): boolean => {
      const { times } = others[other];
      if (cells.isFree(0, u0, u1, other + 1, placeAt(times, t0), placeAt(times, t1), 0)) return true;
      if (t1 - t0 < LEAST_TIME) return false;
      const [u, t] = [0.5 * (u0 + u1), 0.5 * (t0 + t1)];
      return areApart(other, u0, t0, u, t) && areApart(other, u, t, u1, t1);
    };
    const isFreeOf = (other: number, from: number, to: number): boolean => areApart(other, 0, from, 1, to);
    const isFree = (a: Float64Array, from: number, b: Float64Array, to: number): boolean => {
      cells.setPath(0, [widen(a), widen(b)]);
      if (!others.every((_, i) => isFreeOf(i, from, to))) return false;
      return a === b ? checker.isValid(a) : checker.motion.isMotionValid(a, b);
    };
    const way = searchSpaceTime({
      ...{ space, start: pick(start), goal: pick(path[path.length - 1]), path: path.map(pick), seed, maxIterations },
      horizon: Math.max(0, ...ends),
      duration: (a, b) => leastDuration(model, widen(a), widen(b)),
      isFree,
      canStay(q, from) {
        cells.setPath(0, [widen(q), widen(q)]);
        return others.every((_, i) => isFreeOf(i, from, Math.max(from, ends[i])));
      },
    });
    if (!way) return null;
    let waits = 0;
    for (let k = 1; k < way.path.length; k++)
      if (way.path[k].every((x, i) => x === way.path[k - 1][i])) waits += way.times[k] - way.times[k - 1];
    return { motion: { times: way.times, path: way.path.map(widen), waits }, distances: cells.distances };
  } finally {
    cells.dispose();
  }
}

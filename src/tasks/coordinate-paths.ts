/**
 * Several robots of one scene go along paths that are given: who waits where, so that none touches another, proven at every time.
 *
 * Method: 1. each path by itself must be free of its own robot and of what stands still; 2. every path is cut into intervals that take a tick at
 * full speed; 3. which intervals of which two may be passed at once is proven by motion bounds and exact distances (scene/motion/robot-cells.ts), as the search
 * asks, large parts first; 4. priorities in all orders, and jointly where that can be better (planning/coordination). Robots go at full speed or stand.
 * Units: seconds, radians, metres. Ends: `solved`; `blocked` by a contact of a path itself; `impossible` at this tick, and `limit`. The robots of the
 * scene stay where they are; those that are not named stand where they are. Tested by coordinate-paths.test.ts.
 */
import {
  type Fields,
  requireFields,
  requireList,
  requireObject,
  requirePositive,
  throwMisuse,
  unchecked,
} from '../math/arguments.js';
import { interpolateConfiguration } from '../model/configuration.js';
import type { CoordinationProblem } from '../planning/coordination/coordination-problem.js';
import { type CoordinationOptions, schedulePaths } from '../planning/coordination/schedule-paths.js';
import { sceneAssumptions } from '../scene/assumptions.js';
import { requirePath } from '../scene/motion/certify-path.js';
import { RobotCells } from '../scene/motion/robot-cells.js';
import { requireOpen, requireRobot } from '../scene/scene-door.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { leastDuration, placeAt } from './timed-places.js';

export interface CoordinatedPath {
  readonly robot: SceneRobot;
  /** Full configurations; joints go straight between. */
  readonly path: readonly ArrayLike<number>[];
  /** When each waypoint would be passed if nobody waited: ascending from 0. Default: every joint at most at its velocity limit, 1 where there is none. */
  readonly times?: readonly number[];
}

export interface CoordinatePathsOptions extends CoordinationOptions {
  /** Seconds that a tick takes; default a fiftieth of the longest path. */
  readonly tick?: number;
}

export interface CoordinatedMotion {
  /** Seconds, ascending; joints go straight from one to the next. */
  readonly times: readonly number[];
  readonly path: readonly Float64Array[];
  /** Seconds that it stands still before it arrives. */
  readonly waits: number;
}

export interface CoordinatedPaths {
  readonly status: 'solved' | 'blocked' | 'impossible' | 'limit';
  readonly reason: string;
  /** Of each robot, in the order given; empty unless solved. */
  readonly motions: readonly CoordinatedMotion[];
  /** When the last one has arrived; Infinity without a schedule. */
  readonly makespan: number;
  /** No schedule at this tick is shorter. */
  readonly isShortest: boolean;
  /** Of every order of priorities that was tried, its makespan. */
  readonly orders: readonly { readonly order: readonly number[]; readonly makespan: number }[];
  /** Exact distances measured. */
  readonly distances: number;
  readonly complete: boolean;
  readonly assumed: readonly string[];
}

const CALL = 'coordinatePaths';
const OPTIONS: Fields = { orders: unchecked, seed: unchecked, expansions: unchecked, tick: requirePositive };
const TICKS = 50;
/** Intervals of the largest parts that are proven at once, as powers of two. */
const LEVELS = 5;

interface TimedPath {
  readonly path: readonly Float64Array[];
  readonly times: readonly number[];
  readonly duration: number;
}

export function coordinatePaths(
  scene: Scene,
  paths: readonly CoordinatedPath[],
  options: CoordinatePathsOptions = {},
): CoordinatedPaths {
  requireOpen(scene, CALL);
  requireList(CALL, 'paths', paths, 'a list of paths');
  if (paths.length === 0) throwMisuse(CALL, 'paths', paths, 'one path or more');
  requireFields(CALL, 'options', options, OPTIONS);
  const timed = paths.map((given, i) => readPath(i, given));
  if (new Set(paths.map(({ robot }) => robot)).size < paths.length)
    throwMisuse(CALL, 'paths', 'one robot twice', 'one path per robot');
  const longest = Math.max(0, ...timed.map(({ duration }) => duration));
  const { tick = longest > 0 ? longest / TICKS : 1, ...rest } = options;
  const cells = new RobotCells(
    scene,
    paths.map(({ robot }, i) => ({ robot, path: timed[i].path })),
  );
  try {
    const grounds = sceneAssumptions(scene);
    const fixed = { motions: [], makespan: Number.POSITIVE_INFINITY, isShortest: false, orders: [], ...grounds };
    for (let i = 0; i < paths.length; i++) {
      const found = cells.findOwnContact(i);
      if (found === null) continue;
      const verb = found.status === 'collides' ? 'touch' : 'come closer than can be told';
      const reason = `the path of "${paths[i].robot.name}" by itself: ${found.a} and ${found.b} ${verb} at waypoint ${found.at.toFixed(3)}`;
      return { status: 'blocked', reason, ...fixed, distances: cells.distances };
    }
    const counts = timed.map(({ duration }) => Math.ceil(duration / tick - 1e-9));
    const problem = createProblem(cells, timed, counts);
    const { schedule, isComplete, tried } = schedulePaths(problem, rest);
    const orders = tried.map(({ order, ticks }) => ({ order, makespan: ticks * tick }));
    const { distances } = cells;
    if (!schedule) {
      const reason = isComplete
        ? `no schedule of ticks of ${tick} s is free: shorter ones may have one`
        : 'no schedule was found within the limits, which does not prove that there is none';
      return { status: isComplete ? 'impossible' : 'limit', reason, ...fixed, orders, distances };
    }
    const motions = schedule.places.map((places, i) =>
      describeMotion(paths[i].robot, timed[i], counts[i], places, tick),
    );
    const makespan = schedule.ticks * tick;
    return { status: 'solved', reason: '', motions, makespan, isShortest: isComplete, orders, distances, ...grounds };
  } finally {
    cells.dispose();
  }
}

function readPath(i: number, given: CoordinatedPath): TimedPath {
  requireObject(CALL, `paths[${i}]`, given, '{ robot, path }');
  const { robot } = given;
  requireRobot(`${CALL}: paths[${i}]`, robot);
  const { model } = robot;
  const path = requirePath(`${CALL}: paths[${i}]`, model, given.path);
  const { times } = given;
  if (times !== undefined) {
    const isAscending =
      times.length === path.length &&
      times.every((t, k) => Number.isFinite(t) && (k === 0 ? t === 0 : t >= times[k - 1]));
    if (!isAscending) throwMisuse(CALL, `paths[${i}].times`, times, `${path.length} times, ascending from 0`);
    return { path, times: [...times], duration: times[times.length - 1] };
  }
  const made = [0];
  for (let k = 1; k < path.length; k++) made.push(made[k - 1] + leastDuration(model, path[k - 1], path[k]));
  return { path, times: made, duration: made[made.length - 1] };
}

function createProblem(cells: RobotCells, timed: readonly TimedPath[], counts: readonly number[]): CoordinationProblem {
  /** Where every interval begins, and the end. */
  const marks = timed.map((path, i) =>
    Array.from({ length: counts[i] + 1 }, (_, n) =>
      placeAt(path.times, counts[i] === 0 ? 0 : (path.duration * n) / counts[i]),
    ),
  );
  const known = new Map<string, boolean>();
  const isBlockFree = (i: number, a: number, j: number, b: number, level: number): boolean => {
    const key = `${level} ${i} ${j} ${a} ${b}`;
    let isFree = known.get(key);
    if (isFree === undefined) {
      const width = 1 << level;
      const range = (robot: number, block: number): [number, number] => [
        marks[robot][Math.min(block * width, counts[robot])],
        marks[robot][Math.min((block + 1) * width, counts[robot])],
      ];
      isFree = cells.isFree(i, ...range(i, a), j, ...range(j, b), 0);
      known.set(key, isFree);
    }
    return isFree;
  };
  return {
    counts,
    isFree(i, a, j, b) {
      // Large parts first: where robots are far from each other, that is all.
      for (let level = LEVELS; level > 0; level--)
        if (isBlockFree(i, a >> (level + 1), j, b >> (level + 1), level)) return true;
      const range = (robot: number, element: number): [number, number] => [
        marks[robot][element >> 1],
        marks[robot][(element + 1) >> 1],
      ];
      return cells.isFree(i, ...range(i, a), j, ...range(j, b));
    },
  };
}

function describeMotion(
  { model }: SceneRobot,
  timed: TimedPath,
  count: number,
  places: Int32Array,
  tick: number,
): CoordinatedMotion {
  const times: number[] = [];
  const path: Float64Array[] = [];
  let waits = 0;
  const add = (time: number, s: number): void => {
    const k = Math.min(Math.floor(s), Math.max(timed.path.length - 2, 0));
    const to = timed.path[Math.min(k + 1, timed.path.length - 1)];
    const q = new Float64Array(model.nq);
    path.push(interpolateConfiguration(q, model, timed.path[k], to, Math.min(s - k, 1)));
    times.push(time);
  };
  const mark = (n: number): number => (count === 0 ? 0 : (timed.duration * n) / count);
  add(0, 0);
  for (let t = 0; t + 1 < places.length; t++) {
    if (places[t + 1] === places[t]) {
      if (places[t] < count) waits += tick;
      // Only the end of a wait is told.
      const isLast = t + 2 === places.length || places[t + 2] !== places[t + 1];
      if (isLast) add((t + 1) * tick, placeAt(timed.times, mark(places[t])));
      continue;
    }
    const [from, to] = [mark(places[t]), mark(places[t + 1])];
    for (const time of timed.times)
      if (time > from && time < to) add(t * tick + (tick * (time - from)) / (to - from), placeAt(timed.times, time));
    add((t + 1) * tick, placeAt(timed.times, to));
  }
  return { times, path, waits };
}

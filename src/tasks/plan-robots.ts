/**
 * Several robots of a scene, each from its start to its goal, none touching another at any time: paths one by one, then who waits where.
 *
 * Method: 1. every robot is planned by itself among what stands, the other robots out of the way; 2. the paths are coordinated in continuous time
 * (coordinate-paths.ts); 3. where no schedule is found the paths are planned anew with other draws, by turns with the other robots standing at
 * their goals, at their starts, and out of the way, until one is found or `attempts` are over. Robots that are not named stand where they are.
 * With `method: 'prioritised'` robots are planned one after the other in space and time, each among the motions of those before it (plan-in-time.ts): so one can
 * step aside for another, which no order of waits on given paths allows; further attempts take other orders and draws. With `method: 'together'` they are
 * one robot: a search in the space of all their joints (plan-together.ts).
 * Source: Erdmann, Lozano-Perez 1987, "On multiple moving objects", doi:10.1007/BF01840371 (one by one); O'Donnell, Lozano-Perez 1989,
 * "Deadlock-free and collision-free coordination of two robot manipulators", doi:10.1109/ROBOT.1989.100033 (paths first, times after).
 * Not complete: there may be motions that no order of paths and waits gives.
 * Units: seconds, radians, metres. Ends: `solved`; `no-path` of one robot by itself, with its reason; else the status of the last coordination.
 * The scene stays as it is. Tested by plan-robots.test.ts.
 */
import {
  type Fields,
  oneOf,
  requireCount,
  requireFields,
  requireList,
  requireObject,
  requirePositive,
  requireSeed,
  throwMisuse,
  unchecked,
} from '../math/arguments.js';
import { createRandom } from '../math/random.js';
import { sceneAssumptions } from '../scene/assumptions.js';
import { setConfiguration } from '../scene/robot.js';
import { createContext, disposeScene, robotIn } from '../scene/scene.js';
import { requireOpen, requireRobot } from '../scene/scene-door.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { findGroupCoordinates } from '../semantics/group-coordinates.js';
import { type CoordinatedMotion, type CoordinatedPaths, coordinatePaths } from './coordinate-paths.js';
import type { GroupGoal, GroupState } from './group-states.js';
import { planGroup } from './plan-group.js';
import { planInTime, type RobotInTime } from './plan-in-time.js';
import { planTogether } from './plan-together.js';
import { putAway } from './put-away.js';

export interface RobotGoal {
  readonly robot: SceneRobot;
  /** Default: every joint. */
  readonly group?: string;
  /** Default: where it is. */
  readonly start?: GroupState;
  readonly goal: GroupGoal;
}

export interface PlanRobotsOptions {
  /** Default 1. */
  readonly seed?: number;
  /** Sets of paths that are tried; default 6. */
  readonly attempts?: number;
  /** Seconds that robots go or wait at once; see `coordinatePaths`. */
  readonly tick?: number;
  /** Of each path. */
  readonly maxIterations?: number;
  /**
   * `coordinated` (default): paths, then who waits where. `prioritised`: one after the other in space and time. `together`: one search in the space of
   * all their joints.
   */
  readonly method?: 'coordinated' | 'prioritised' | 'together';
}

export interface RobotsPlan extends Omit<CoordinatedPaths, 'status'> {
  readonly status: CoordinatedPaths['status'] | 'no-path';
  /** The path of each robot, in full configurations; empty with `no-path`. */
  readonly paths: readonly (readonly Float64Array[])[];
  /** Sets of paths that were made. */
  readonly attempts: number;
}

const CALL = 'planRobots';
const GOAL: Fields = { robot: unchecked, group: unchecked, start: unchecked, goal: unchecked };
const OPTIONS: Fields = {
  seed: unchecked,
  attempts: (call, what, value) => requireCount(call, what, value, 1),
  tick: requirePositive,
  maxIterations: unchecked,
  method: oneOf('coordinated', 'prioritised', 'together'),
};
/** In space and time. */
const TIMED_ITERATIONS = 400;
const DEFAULT_ATTEMPTS = 6;
const SEED_STEP = 101;
/** Where the other robots are while one is planned. */
const OTHERS = ['away', 'goals', 'starts'] as const;

export function planRobots(scene: Scene, goals: readonly RobotGoal[], options: PlanRobotsOptions = {}): RobotsPlan {
  requireOpen(scene, CALL);
  requireList(CALL, 'goals', goals, 'a list of robots and their goals');
  if (goals.length === 0) throwMisuse(CALL, 'goals', goals, 'one goal or more');
  requireFields(CALL, 'options', options, OPTIONS);
  goals.forEach((goal, i) => {
    requireObject(CALL, `goals[${i}]`, goal, '{ robot, goal }');
    requireFields(CALL, `goals[${i}]`, goal, GOAL);
    requireRobot(`${CALL}: goals[${i}]`, goal.robot);
  });
  if (new Set(goals.map(({ robot }) => robot)).size < goals.length)
    throwMisuse(CALL, 'goals', 'one robot twice', 'one goal per robot');
  const { seed = 1, attempts = DEFAULT_ATTEMPTS, tick, maxIterations } = options;
  requireSeed(CALL, seed);
  const none = { motions: [], makespan: Infinity, isShortest: false, orders: [], distances: 0 };
  if (options.method === 'prioritised') return planByPriority(scene, goals, { seed, attempts, maxIterations });
  if (options.method === 'together') return planAsOne(scene, goals, { seed, attempts, maxIterations });
  let last: RobotsPlan | null = null;
  let before: (readonly Float64Array[])[] = [];
  for (let attempt = 0; attempt < attempts; attempt++) {
    const others = OTHERS[attempt % OTHERS.length];
    const paths: (readonly Float64Array[])[] = [];
    for (const [i, goal] of goals.entries()) {
      const own = { seed: seed + SEED_STEP * attempt, maxIterations };
      const plan = planAlone(scene, goals, i, others, before, own);
      if (plan.status === 'solved') {
        paths.push(plan.path);
        continue;
      }
      // With the others in its way the path of before will do.
      if (others !== 'away' && before[i]) {
        paths.push(before[i]);
        continue;
      }
      const reason = `"${goal.robot.name}" by itself: ${plan.status}, ${plan.reason}`;
      const { complete, assumed } = plan;
      return { ...none, status: 'no-path', reason, paths: [], attempts: attempt + 1, complete, assumed };
    }
    before = paths;
    const timed = goals.map(({ robot }, i) => ({ robot, path: paths[i] }));
    const found = coordinatePaths(scene, timed, { tick, seed });
    last = { ...found, paths, attempts: attempt + 1 };
    if (found.status === 'solved') return last;
  }
  return last!;
}

/** One after the other, in the order given and then in others. */
function planByPriority(
  scene: Scene,
  goals: readonly RobotGoal[],
  { seed, attempts, maxIterations }: { seed: number; attempts: number; maxIterations: number | undefined },
): RobotsPlan {
  const random = createRandom(seed);
  const none = { motions: [], makespan: Infinity, isShortest: false, orders: [] };
  const grounds = sceneAssumptions(scene);
  let distances = 0;
  let reason = '';
  for (let attempt = 0; attempt < attempts; attempt++) {
    const order = goals.map((_, i) => i);
    for (let k = attempt === 0 ? 0 : order.length - 1; k > 0; k--) {
      const other = random.integer(k + 1);
      [order[k], order[other]] = [order[other], order[k]];
    }
    const motions: CoordinatedMotion[] = [];
    const done: RobotInTime[] = [];
    for (const i of order) {
      const { robot, group } = goals[i];
      const own = { seed: seed + SEED_STEP * attempt, maxIterations };
      const context = createContext(scene);
      try {
        goals.forEach((goal, k) => {
          if (k !== i) putAway(robotIn(context, goal.robot), k);
        });
        const mover = robotIn(context, robot);
        const { start, goal } = goals[i];
        const alone = planGroup(context, mover, { group, start, goal, ...own });
        if (alone.status !== 'solved') {
          reason = `"${robot.name}" by itself: ${alone.status}, ${alone.reason}`;
          const { complete, assumed } = alone;
          return { ...none, status: 'no-path', reason, paths: [], attempts: attempt + 1, distances, complete, assumed };
        }
        const { indices } = findGroupCoordinates(robot.model, robot.semantic, robot.description, group);
        const asked = { indices, path: alone.path, seed: own.seed, maxIterations: maxIterations ?? TIMED_ITERATIONS };
        const found = planInTime(scene, context, robot, mover, done, asked);
        if (!found) {
          reason = `"${robot.name}" found no way among the motions of those before it, which does not prove that there is none`;
          break;
        }
        distances += found.distances;
        motions[i] = found.motion;
        done.push({ robot, ...found.motion });
      } finally {
        disposeScene(context);
      }
    }
    if (done.length < goals.length) continue;
    const makespan = Math.max(0, ...motions.map(({ times }) => times[times.length - 1]));
    const orders = [{ order, makespan }];
    const paths = motions.map(({ path }) => path);
    const fixed = { isShortest: false, orders, distances, attempts: attempt + 1, ...grounds };
    return { status: 'solved', reason: '', motions, makespan, paths, ...fixed };
  }
  return { ...none, status: 'limit', reason, paths: [], attempts, distances, ...grounds };
}

/** Other draws with every attempt. */
function planAsOne(
  scene: Scene,
  goals: readonly RobotGoal[],
  { seed, attempts, maxIterations }: { seed: number; attempts: number; maxIterations: number | undefined },
): RobotsPlan {
  let distances = 0;
  for (let attempt = 1; ; attempt++) {
    const plan = planTogether(scene, goals, { seed: seed + SEED_STEP * (attempt - 1), maxIterations });
    distances += plan.distances;
    const paths = plan.motions.map(({ path }) => path);
    const fixed = { ...plan, isShortest: false, orders: [], distances, paths, attempts: attempt };
    if (plan.status === 'solved') return { ...fixed, status: 'solved' };
    const isInvalid = plan.status === 'invalid-start' || plan.status === 'invalid-goal';
    if (isInvalid) return { ...fixed, status: 'no-path', reason: `${plan.status}: ${plan.reason}` };
    if (attempt >= attempts) return { ...fixed, status: 'limit' };
  }
}

function planAlone(
  scene: Scene,
  goals: readonly RobotGoal[],
  index: number,
  others: (typeof OTHERS)[number],
  paths: readonly (readonly Float64Array[])[],
  options: { readonly seed: number; readonly maxIterations: number | undefined },
) {
  const context = createContext(scene);
  try {
    goals.forEach(({ robot }, i) => {
      if (i === index) return;
      const other = robotIn(context, robot);
      const path = paths[i];
      if (others === 'away' || !path) putAway(other, i);
      else setConfiguration(other, path[others === 'goals' ? path.length - 1 : 0]);
    });
    const { robot, group, start, goal } = goals[index];
    return planGroup(context, robotIn(context, robot), { group, start, goal, ...options });
  } finally {
    disposeScene(context);
  }
}

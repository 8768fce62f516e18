/**
 * Several robots of a scene, each from its start to its goal, none touching another at any time: paths one by one, then who waits where.
 *
 * Method: 1. every robot is planned by itself among what stands, the other robots out of the way; 2. the paths are coordinated in continuous time
 * (coordinate-paths.ts); 3. where no schedule is found the paths are planned anew with other draws, by turns with the other robots standing at
 * their goals, at their starts, and out of the way, until one is found or `attempts` are over. Robots that are not named stand where they are.
 * Source: Erdmann, Lozano-Perez 1987, "On multiple moving objects", doi:10.1007/BF01840371 (one by one); O'Donnell, Lozano-Perez 1989,
 * "Deadlock-free and collision-free coordination of two robot manipulators", doi:10.1109/ROBOT.1989.100033 (paths first, times after).
 * Not complete: there may be motions that no order of paths and waits gives.
 * Units: seconds, radians, metres. Ends: `solved`; `no-path` of one robot by itself, with its reason; else the status of the last coordination.
 * The scene stays as it is. Tested by plan-robots.test.ts.
 */
import {
  type Fields,
  requireCount,
  requireFields,
  requireList,
  requireObject,
  requirePositive,
  requireSeed,
  throwMisuse,
  unchecked,
} from '../math/arguments.js';
import { setConfiguration } from '../scene/robot.js';
import { createContext, disposeScene, robotIn } from '../scene/scene.js';
import { requireOpen, requireRobot } from '../scene/scene-door.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { type CoordinatedPaths, coordinatePaths } from './coordinate-paths.js';
import type { GroupGoal, GroupState } from './group-states.js';
import { planGroup } from './plan-group.js';
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
};
const DEFAULT_ATTEMPTS = 6;
const SEED_STEP = 101;
/** Where the other robots are while one is planned. */
const OTHERS = ['away', 'goals', 'starts'] as const;

export function planRobots(scene: Scene, goals: readonly RobotGoal[], options: PlanRobotsOptions = {}): RobotsPlan {
  requireOpen(scene, CALL);
  requireList(CALL, 'goals', goals, 'a list of robots and their goals');
  requireFields(CALL, 'options', options, OPTIONS);
  goals.forEach((goal, i) => {
    requireObject(CALL, `goals[${i}]`, goal, '{ robot, goal }');
    requireFields(CALL, `goals[${i}]`, goal, GOAL);
    requireRobot(CALL, goal.robot);
  });
  if (new Set(goals.map(({ robot }) => robot)).size < goals.length)
    throwMisuse(CALL, 'goals', 'one robot twice', 'one goal per robot');
  const { seed = 1, attempts = DEFAULT_ATTEMPTS, tick, maxIterations } = options;
  requireSeed(CALL, seed);
  const none = { motions: [], makespan: Infinity, isShortest: false, orders: [], distances: 0 };
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

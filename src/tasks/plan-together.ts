/**
 * Several robots of a scene as one: a search in the space of all their joints, in which they move at the same time.
 *
 * Method: states are those of the robots one after the other (planning/product-space.ts). A motion is free where each robot's own, with the others out of the
 * way, is by its exact checker, and where every two robots, by halves of the motion's time, are proven apart by motion bounds and exact distances
 * (scene/motion/robot-cells.ts). RRT-Connect finds a path of such motions, which is shortened by more of them.
 * Source: composite planning: Svestka, Overmars 1998, "Coordinated path planning for multiple robots", doi:10.1016/S0921-8890(97)00033-X; trees as
 * rrt-connect.ts, proofs as robot-cells.ts.
 * So it finds what no order of robots does, where two have to give way to each other at once; and costs more with every robot.
 * Units: seconds, radians, metres; each motion takes as long as its slowest joint at its velocity limit, 1 where there is none.
 * Ends: the planner's statuses. The scene stays as it is. Tested by plan-robots.test.ts.
 */
import { createConfigurationSpace } from '../planning/configuration-space.js';
import { planPath } from '../planning/plan-path.js';
import { createProductSpace } from '../planning/product-space.js';
import type { PlanStatus } from '../planning/types.js';
import { sceneAssumptions } from '../scene/assumptions.js';
import { findMotionBounds } from '../scene/motion/motion-bounds.js';
import { RobotCells } from '../scene/motion/robot-cells.js';
import { createContext, disposeScene, robotIn } from '../scene/scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { findGroupCoordinates } from '../semantics/group-coordinates.js';
import type { CoordinatedMotion } from './coordinate-paths.js';
import { clampState, type GroupGoal, type GroupState, readGoals, readGroupState } from './group-states.js';
import { findChecker } from './kept-checker.js';
import { putAway } from './put-away.js';
import { leastDuration } from './timed-places.js';

export interface TogetherGoal {
  readonly robot: SceneRobot;
  readonly group?: string;
  readonly start?: GroupState;
  readonly goal: GroupGoal;
}

export interface TogetherPlan {
  readonly status: PlanStatus;
  readonly reason: string;
  readonly motions: readonly CoordinatedMotion[];
  readonly makespan: number;
  readonly distances: number;
  readonly complete: boolean;
  readonly assumed: readonly string[];
}

/** Goals of all robots together that are looked at. */
const MOST_GOALS = 64;
/** Parts of a motion this short, of 1, are not halved again. */
const LEAST_PART = 1 / 1024;
const DEFAULT_ITERATIONS = 20_000;

export function planTogether(
  scene: Scene,
  goals: readonly TogetherGoal[],
  { seed, maxIterations = DEFAULT_ITERATIONS }: { readonly seed: number; readonly maxIterations?: number },
): TogetherPlan {
  const contexts: Scene[] = [];
  const said: string[] = [];
  let cells: RobotCells | null = null;
  try {
    const movers = goals.map((entry, i) => {
      const context = createContext(scene);
      contexts.push(context);
      goals.forEach(({ robot }, k) => {
        if (k !== i) putAway(robotIn(context, robot), k);
      });
      return readMover(context, robotIn(context, entry.robot), entry, seed, said);
    });
    const space = createProductSpace(movers.map((mover) => mover.space));
    const proofs = new RobotCells(
      scene,
      movers.map(({ start }, i) => ({ robot: goals[i].robot, path: [start, start] })),
    );
    cells = proofs;
    const areApart = (i: number, j: number, from: number, to: number): boolean => {
      if (proofs.isFree(i, from, to, j, from, to, 0)) return true;
      if (to - from < LEAST_PART) return false;
      const middle = 0.5 * (from + to);
      return areApart(i, j, from, middle) && areApart(i, j, middle, to);
    };
    const areAllApart = (a: Float64Array, b: Float64Array, from: number, to: number): boolean => {
      movers.forEach((mover, i) => {
        proofs.setPath(i, [mover.widen(space.pick(a, i)), mover.widen(space.pick(b, i))]);
      });
      for (let i = 0; i < movers.length; i++)
        for (let j = i + 1; j < movers.length; j++) if (!areApart(i, j, from, to)) return false;
      return true;
    };
    const isValid = (q: Float64Array): boolean =>
      movers.every(({ checker }, i) => checker.isValid(space.pick(q, i))) && areAllApart(q, q, 0, 0);
    const isMotionValid = (a: Float64Array, b: Float64Array): boolean =>
      areAllApart(a, b, 0, 1) &&
      movers.every(({ checker }, i) => checker.motion.isMotionValid(space.pick(a, i), space.pick(b, i)));
    const explain = (q: Float64Array): string => {
      for (const [i, { checker }] of movers.entries())
        if (!checker.isValid(space.pick(q, i))) return `"${goals[i].robot.name}": ${checker.explain(space.pick(q, i))}`;
      return 'two of the robots touch each other';
    };
    const faults = movers.flatMap(({ fault }, i) => (fault === null ? [] : [`"${goals[i].robot.name}": ${fault}`]));
    const grounds = sceneAssumptions(scene);
    const none = { motions: [], makespan: Infinity, ...grounds };
    if (faults.length > 0) return { ...none, status: 'invalid-goal', reason: faults[0], distances: 0 };
    const found = planPath({
      ...{ space, checker: { isValid, explain }, motion: { isMotionValid, isExact: true }, seed, maxIterations },
      start: join(movers.map(({ start, pick }) => pick(start))),
      goals: combine(movers.map((mover) => mover.goals.map(mover.pick))),
      simplify: true,
    });
    const { status, reason } = found;
    const assumed = [...new Set([...said, ...found.assumed, ...grounds.assumed])];
    const fixed = { complete: found.complete && grounds.complete, assumed, distances: proofs.distances };
    if (status !== 'solved') return { ...none, ...fixed, status, reason };
    const paths = movers.map((mover, i) => found.path.map((q) => mover.widen(space.pick(q, i))));
    const times = [0];
    for (let k = 1; k < found.path.length; k++) {
      const slowest = Math.max(...paths.map((path, i) => leastDuration(goals[i].robot.model, path[k - 1], path[k])));
      times.push(times[k - 1] + slowest);
    }
    const motions = paths.map((path) => ({ times, path, waits: 0 }));
    return { ...fixed, status, reason: '', motions, makespan: times[times.length - 1] };
  } finally {
    cells?.dispose();
    for (const context of contexts) disposeScene(context);
  }
}

/** A robot by itself, in a scene where the others are out of the way. */
function readMover(
  context: Scene,
  robot: SceneRobot,
  { group, start: given, goal }: TogetherGoal,
  seed: number,
  said: string[],
) {
  const { model, semantic, description } = robot;
  const coordinates = findGroupCoordinates(model, semantic, description, group);
  const { indices } = coordinates;
  const read = given === undefined ? robot.q : readGroupState(robot, coordinates, given, robot.q, 'start');
  const start = clampState(robot, 'start', read, said);
  const checker = findChecker(context, robot, indices, start, undefined);
  const isFree = (state: Float64Array): boolean => checker.isValid(state);
  const { goals, fault } = readGoals(robot, coordinates, goal, { group, seed, start, isFree }, said);
  const bounds = findMotionBounds(context, robot, [start, ...goals]);
  const space = createConfigurationSpace(model, { indices, bounds });
  const pick = (q: Float64Array): Float64Array => Float64Array.from(indices, (i) => q[i]);
  const widen = (state: Float64Array): Float64Array => {
    const q = start.slice();
    for (let k = 0; k < indices.length; k++) q[indices[k]] = state[k];
    return q;
  };
  return { space, checker, start, goals, fault: goals.length === 0 ? fault : null, pick, widen };
}

function join(states: readonly Float64Array[]): Float64Array {
  return Float64Array.from(states.flatMap((state) => [...state]));
}

/** One goal of each, in all ways, the first ones first. */
function combine(lists: readonly (readonly Float64Array[])[]): Float64Array[] {
  let rows: Float64Array[] = [new Float64Array(0)];
  for (const list of lists) rows = rows.flatMap((row) => list.map((state) => join([row, state]))).slice(0, MOST_GOALS);
  return rows;
}

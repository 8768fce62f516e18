/**
 * Goals of a planned group: states, poses of a frame, regions around poses; any of them will do.
 *
 * A pose stands for all configurations that bring the frame there, an unending stream: `draw` takes one of the poses at random, a target within
 * its tolerances, and solves for it from a random configuration. Planners take one before they begin, and further ones as they go on, so that no
 * single posture decides. The first is the one nearest to the start.
 * Tolerances: `position` p is a box of half widths p along the target's axes, `rotation` a box of rotation vectors about them, in radians: [0, 0, pi]
 * leaves the turn about z free, `any` all of them. A drawn target is X_RT exp(r), moved by R p. Goals that look at a point: look-at.ts.
 * Frames: W world, in which poses are given, R the robot's base, T the target, F the frame. Units: metres, radians.
 * Ends: no goals and a fault, where no configuration free of collisions was found, or a pose is beyond the arm's length.
 * Tested by plan-goals.test.ts.
 */
import { createIkSolver, type IkSolver } from '../ik/solve-ik.js';
import { computeFramePlacement, updateKinematics } from '../kinematics/forward-kinematics.js';
import { type Fields, requireFields, requireNumbers, requireText, throwMisuse, unchecked } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createRandom, type Random } from '../math/random.js';
import { expSo3, logSo3 } from '../math/so3.js';
import {
  copyTransform,
  createTransform,
  invertTransform,
  multiplyTransform,
  type Pose,
  relativeTransform,
  type Transform,
  transformPoint,
} from '../math/transform.js';
import { randomConfiguration } from '../model/configuration.js';
import { createData, findFrame } from '../model/model.js';
import type { GoalRegion } from '../planning/goal-region.js';
import { readPlacement } from '../scene/scene-door.js';
import type { SceneRobot } from '../scene/types.js';
import type { GroupCoordinates } from '../semantics/group-coordinates.js';
import { findGroupTip } from '../semantics/named-states.js';
import { drawLook, isLookGoal, type LookGoal, looksAt, readLook } from './look-at.js';

/** A frame (default: the group's tip, see `findGroupTip`) at a pose in the world, or near it. */
export interface PoseGoal {
  readonly frame?: string;
  readonly pose: Pose | Transform;
  /** Metres along the target's axes, each way: one number or three; default 0. */
  readonly position?: number | readonly number[];
  /** Radians about the target's axes, each way: one number or three, or `any`; default 0. */
  readonly rotation?: number | readonly number[] | 'any';
  /**
   * The last part of the path is a straight line of the frame, its orientation held: so far, from before the pose to it, along the pose's axes,
   * metres. Default: it comes from anywhere.
   */
  readonly approach?: readonly number[];
}

const POSE_GOAL: Fields = {
  ...{ frame: requireText, pose: unchecked, position: unchecked, rotation: unchecked },
  approach: (call, what, value) => requireNumbers(call, what, value as ArrayLike<number>, 3),
};
const LOOK_GOAL: Fields = {
  frame: requireText,
  lookAt: (call, what, value) => requireNumbers(call, what, value as ArrayLike<number>, 3),
  ...{ distance: unchecked, axis: unchecked, within: unchecked },
};

export const isPoseGoal = (goal: unknown): goal is PoseGoal =>
  typeof goal === 'object' && goal !== null && 'pose' in goal;

/** What an inverse kinematics may be off by, and no test of a region minds. */
const SOLVED = 1e-5;
const RESTARTS = 1;

interface PoseRegion {
  readonly link: string;
  readonly frame: number;
  readonly solver: IkSolver;
  /** Any orientation will do. */
  readonly positionSolver: boolean;
  /** One placement, and no other. */
  readonly isExact: boolean;
  /** Writes a target, in the robot's base; the middle without draws. */
  draw(out: Transform, random: Random | null): void;
  contains(X_RF: Transform): boolean;
}

export interface PoseGoals {
  /** Full configurations, the one nearest to the start first; empty with a fault. */
  readonly first: Float64Array[];
  /** Over the coordinates of the group. */
  readonly region: GoalRegion;
  readonly fault: string | null;
  /** With a fault: configurations that reach a pose, and touch something. */
  readonly touching: readonly Float64Array[];
}

export interface PoseRequest {
  readonly group: string | undefined;
  readonly seed: number;
  readonly start: Float64Array;
  /** Of the group's coordinates. */
  readonly isFree: (state: Float64Array) => boolean;
}

/** Region of all configurations that reach one of the poses, with a first one. */
export function createPoseGoals(
  robot: SceneRobot,
  group: GroupCoordinates,
  goals: readonly (PoseGoal | LookGoal)[],
  request: PoseRequest,
): PoseGoals {
  const regions = goals.map((goal) => readRegion(robot, group, goal, request));
  const { model } = robot;
  const { indices } = group;
  const { start, seed, isFree } = request;
  const state = new Float64Array(indices.length);
  const isValid = (q: Float64Array): boolean => {
    for (let i = 0; i < indices.length; i++) state[i] = q[indices[i]];
    return isFree(state);
  };
  const target = createTransform();
  const random = createRandom(seed);
  const first: Float64Array[] = [];
  const beyond: string[] = [];
  for (const region of regions) {
    region.draw(target, null);
    const { status, q } = solve(region, target, { start, seed, isValid });
    if (status === 'solved') first.push(q);
    else if (status === 'unreachable' && region.isExact) beyond.push(region.link);
  }
  const open = regions.filter(({ link }) => !beyond.includes(link));
  const data = createData(model);
  const X_RF = createTransform();
  const drawn = new Float64Array(model.nq);
  const full = Float64Array.from(start);
  const region: GoalRegion = {
    about: `${goals.length === 1 ? (isLookGoal(goals[0]) ? 'a view' : 'a pose') : `any of ${goals.length} poses`} of ${[...new Set(regions.map(({ link }) => `"${link}"`))].join(', ')}`,
    draw(out, draws) {
      if (open.length === 0) return false;
      const one = open[draws.integer(open.length)];
      one.draw(target, draws);
      randomConfiguration(drawn, model, draws);
      for (const i of indices) full[i] = drawn[i];
      const found = solve(one, target, { start: full, seed: draws.integer(2 ** 32), restarts: RESTARTS });
      if (found.status !== 'solved') return false;
      for (let i = 0; i < indices.length; i++) out[i] = found.q[indices[i]];
      return true;
    },
    contains(q) {
      for (let i = 0; i < indices.length; i++) full[indices[i]] = q[i];
      updateKinematics(model, data, full);
      return regions.some(({ frame, contains }) => contains(computeFramePlacement(X_RF, model, data, frame)));
    },
  };
  let fault: string | null = null;
  if (first.length === 0 && open.length === 0)
    fault = `"${beyond[0]}" cannot reach the pose: it is beyond the arm's length`;
  // Where the middle of a region is not reached, something else in it may be.
  for (let i = 0; first.length === 0 && fault === null && i < FIRST_DRAWS; i++) {
    const out = new Float64Array(indices.length);
    if (!region.draw(out, random) || !isFree(out)) continue;
    const q = Float64Array.from(start);
    for (let k = 0; k < indices.length; k++) q[indices[k]] = out[k];
    first.push(q);
  }
  if (first.length === 0) fault ??= 'no configuration free of collisions was found that reaches the pose';
  const touching: Float64Array[] = [];
  for (const one of first.length === 0 ? open : []) {
    one.draw(target, null);
    const { status, q } = solve(one, target, { start, seed });
    if (status === 'solved') touching.push(q);
  }
  return { first: nearestFirst(first, start), region, fault, touching };
}

const FIRST_DRAWS = 100;

function nearestFirst(states: Float64Array[], start: Float64Array): Float64Array[] {
  const apart = (q: Float64Array): number => q.reduce((sum, x, i) => sum + (x - start[i]) * (x - start[i]), 0);
  return states.sort((a, b) => apart(a) - apart(b));
}

function readRegion(
  robot: SceneRobot,
  { velocities }: GroupCoordinates,
  goal: PoseGoal | LookGoal,
  { group, start }: PoseRequest,
): PoseRegion {
  const { model, name } = robot;
  const link = findGoalFrame(robot, goal, group);
  const frame = link === null ? -1 : findFrame(model, link);
  if (link === null || frame < 0)
    throw new MisuseError(
      `planGroup: goal.frame, got ${describeValue(link)}, expected a link or joint of robot "${name}"`,
    );
  const solver = createIkSolver(model, frame, { velocities });
  const X_RW = invertTransform(createTransform(), robot.placement);
  const fixed = { link, frame, solver };
  if (isLookGoal(goal)) {
    requireFields('planGroup', 'goal', goal, LOOK_GOAL);
    const data = createData(model);
    updateKinematics(model, data, start);
    const now = computeFramePlacement(createTransform(), model, data, frame);
    const look = readLook('planGroup', goal, transformPoint(new Float64Array(3), X_RW, goal.lookAt), now);
    return {
      ...{ ...fixed, positionSolver: false, isExact: false },
      draw: (out, random) => drawLook(out, look, random),
      contains: (X_RF) => looksAt(look, X_RF, SOLVED),
    };
  }
  requireFields('planGroup', 'goal', goal, POSE_GOAL);
  const target = createTransform();
  readPlacement(target, 'planGroup', goal.pose);
  multiplyTransform(target, X_RW, target);
  const position = readTolerance('goal.position', goal.position ?? 0);
  const rotation = goal.rotation === 'any' ? null : readTolerance('goal.rotation', goal.rotation ?? 0);
  return {
    ...{ ...fixed, positionSolver: rotation === null },
    isExact: rotation !== null && [...position, ...rotation].every((x) => x === 0),
    draw: (out, random) => drawTarget(out, target, position, rotation, random),
    contains: (X_RF) => isWithin(target, position, rotation, X_RF),
  };
}

/** The link that a goal is about: its own, or the group's tip. */
export const findGoalFrame = (
  { semantic, description }: SceneRobot,
  goal: { readonly frame?: string },
  group: string | undefined,
): string | null => goal.frame ?? findGroupTip(semantic, description, group);

function readTolerance(what: string, value: number | readonly number[]): Float64Array {
  const numbers = typeof value === 'number' ? [value, value, value] : Array.from(value ?? []);
  if (numbers.length !== 3 || !numbers.every((x) => typeof x === 'number' && x >= 0 && x < Infinity))
    throwMisuse('planGroup', what, value, 'a number that is not negative, or three, one for each axis of the target');
  return Float64Array.from(numbers);
}

/** The target itself without draws. */
function drawTarget(
  out: Transform,
  target: Transform,
  position: Float64Array,
  rotation: Float64Array | null,
  random: Random | null,
): void {
  copyTransform(out, target);
  if (random === null) return;
  const offset = createTransform();
  const turn = new Float64Array(3);
  do for (let k = 0; k < 3; k++) turn[k] = rotation === null ? 0 : rotation[k] * (2 * random.next() - 1);
  while (turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] > Math.PI * Math.PI);
  offset.set(expSo3(new Float64Array(9), turn));
  for (let k = 0; k < 3; k++) offset[9 + k] = position[k] * (2 * random.next() - 1);
  multiplyTransform(out, target, offset);
}

function solve(
  { solver, positionSolver }: PoseRegion,
  target: Transform,
  options: { start: Float64Array; seed: number; restarts?: number; isValid?: (q: Float64Array) => boolean },
) {
  return solver.solve({ target, task: positionSolver ? 'position' : 'pose', ...options });
}

function isWithin(target: Transform, position: Float64Array, rotation: Float64Array | null, X_RF: Transform): boolean {
  const X_TF = relativeTransform(createTransform(), target, X_RF);
  for (let k = 0; k < 3; k++) if (Math.abs(X_TF[9 + k]) > position[k] + SOLVED) return false;
  if (rotation === null) return true;
  const turn = logSo3(new Float64Array(3), X_TF.subarray(0, 9));
  // A full turn about an axis comes back as its rest.
  return turn.every((angle, k) => Math.abs(angle) <= rotation[k] + SOLVED);
}

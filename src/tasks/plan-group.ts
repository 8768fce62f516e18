/**
 * A group of a robot planned from a state to a state or a pose in its scene, shortened and timed: what a user of MoveIt writes
 * thirty statements for.
 *
 * Method: 1. start and goals are read: named states of the SRDF, values of the whole robot, of the group, or by joint; poses
 * by inverse kinematics, free of collisions, once from the start and POSTURES - 1 times from anywhere, so that the planner has
 * a choice; 2. coordinates beside the group stand as at the start; bases without limits go as far as the scene asks for
 * (findMotionBounds); 3. a planner by its name, over spheres around the links and, where these cannot tell, the exact shapes, so that
 * verdicts are the scene's (exact-plan.ts); 4. with `timed` the fastest motion along the path that is free at every time.
 * What is returned is certified: free at every time, not at samples, by the exact shapes; unless `edges` says `sampled`.
 * The first plan of a robot covers its links and compiles its checks (`prepareMs`), further ones find that done.
 * Units: radians, metres, seconds. Ends: the planner's statuses; `invalid-goal` where no configuration reaches a pose.
 * The robot stays where it is. Tested by plan-group.test.ts.
 */
import type { SphereModel } from '../geometry/sphere-model.js';
import { createIkSolver } from '../ik/solve-ik.js';
import {
  type Fields,
  oneOf,
  requireFields,
  requireFlag,
  requireFunction,
  requireNumber,
  requireObject,
  requireText,
  throwMisuse,
  unchecked,
} from '../math/arguments.js';
import { describeValue, requireKnownKeys } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createRandom } from '../math/random.js';
import { createTransform, type Pose, type Transform } from '../math/transform.js';
import { randomConfiguration } from '../model/configuration.js';
import { clampToLimits } from '../model/limit-tolerance.js';
import { findFrame } from '../model/model.js';
import { configurationFromNamed, describeProblem } from '../model/named-configuration.js';
import { createConfigurationSpace } from '../planning/configuration-space.js';
import { createPlanSearch, type PathPlan, planPath } from '../planning/plan-path.js';
import { findPlanner } from '../planning/registry.js';
import type { PlanResult } from '../planning/types.js';
import { sceneAssumptions } from '../scene/assumptions.js';
import { findMotionBounds } from '../scene/motion/motion-bounds.js';
import { readPlacement, requireOpen, requireRobot } from '../scene/scene-door.js';
import { createSphereChecker, type SphereChecker } from '../scene/spheres/sphere-checker.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { findGroupCoordinates, type GroupCoordinates } from '../semantics/group-coordinates.js';
import { findGroupTip, type NamedValues, readNamedState } from '../semantics/named-states.js';
import { createLimits, type LimitOptions } from '../trajectory/limits.js';
import { type ExactProblem, PlanFinisher, toPlanRequest } from './exact-plan.js';
import { requireTiming, type TimedMotion, type Timing, timePath } from './time-path.js';

/** Name of an SRDF state; nq values, or as many as the group has coordinates; or values by joint. What is left out stands as at the start. */
export type GroupState = string | ArrayLike<number> | NamedValues;

/** A frame (default: the group's tip, see `findGroupTip`) at a pose in the world. */
export interface PoseGoal {
  readonly frame?: string;
  readonly pose: Pose | Transform;
}

export interface GroupRequest {
  /** Default: every joint of the robot. */
  readonly group?: string;
  /** Default: the robot's configuration now. */
  readonly start?: GroupState;
  /** A state, a pose, or a list of which any will do. */
  readonly goal: GroupState | PoseGoal | readonly (GroupState | PoseGoal)[];
  /** Default 1. */
  readonly seed?: number;
  /** The deterministic limit; default the planner's. */
  readonly maxIterations?: number;
  /** Needs `clock`. */
  readonly timeoutMs?: number;
  readonly clock?: () => number;
  /** Shorten the path; default true. */
  readonly simplify?: boolean;
  /** A name of `listPlanners`, or `auto` (default): the planner that finds a first path soonest. */
  readonly planner?: string;
  /** Spheres that are proven to contain the links' shapes, e.g. of `fitRobotSpheres`. Default: a quick cover of the links. */
  readonly spheres?: SphereModel;
  /**
   * How the path that is returned is checked: as a whole, free at every time by the exact shapes (default), or by states at most
   * `resolution` apart.
   */
  readonly edges?: 'certified' | 'sampled';
  /** Largest step between checked states, radians (metres for prismatic joints); default 0.02, while trees grow 1/32. */
  readonly resolution?: number;
  /** The fastest motion along the path, too: limits as `createLimits` takes them, and how the corners are taken. */
  readonly timed?: Omit<Timing, 'limits'> & LimitOptions;
  readonly onProgress?: (progress: { readonly iterations: number; readonly nodes: number }) => void;
}

export interface GroupPlan extends PlanResult {
  /** In full configurations; empty unless solved. */
  readonly path: readonly Float64Array[];
  /** Full configuration the path begins with. */
  readonly start: Float64Array;
  /** With `timed`, where a path was found. */
  readonly motion: TimedMotion | null;
  /** Every motion is free at every time, by the exact shapes. */
  readonly certified: boolean;
  /** Name of the planner. */
  readonly planner: string;
  /** What the planner keeps small: the path's length. */
  readonly cost: number;
  /** Motions of the path that failed its check and were led round what is there. */
  readonly repairs: number;
  /** Covering the links and compiling their checks; by `clock`, 0 without one. */
  readonly prepareMs: number;
  readonly planMs: number;
  readonly simplifyMs: number;
}

/** A search that its caller drives, between frames of a page say. */
export interface GroupSearch {
  readonly done: boolean;
  readonly progress: { readonly iterations: number; readonly nodes: number };
  /** Goes on for so many iterations; true when nothing is left to do. */
  step(iterations: number): boolean;
  /** The plan so far; when done shortened and timed as asked for. */
  result(): GroupPlan;
}

const POSTURES = 4;
const SAMPLED_RESOLUTION = 0.02;
/** While trees grow; the path is certified after it. */
const GROWTH_RESOLUTION = 1 / 32;
const PROGRESS_INTERVAL = 200;

const REQUEST: Fields = {
  group: requireText,
  start: unchecked,
  goal: unchecked,
  seed: unchecked,
  maxIterations: unchecked,
  timeoutMs: requireNumber,
  clock: requireFunction,
  simplify: requireFlag,
  planner: unchecked,
  spheres: requireObject,
  edges: oneOf('certified', 'sampled'),
  resolution: unchecked,
  timed: requireObject,
  onProgress: requireFunction,
};

/** Of limits and of the way. */
const TIMED_KEYS = [
  ...['velocity', 'acceleration', 'jerk', 'torque', 'followers'],
  ...['method', 'corners', 'deviation', 'intervals', 'gravity'],
];

/** Plans to the end. */
export function planGroup(scene: Scene, robot: SceneRobot, request: GroupRequest): GroupPlan {
  const task = prepare('planGroup', scene, robot, request);
  const { timeoutMs, clock, onProgress } = request;
  const found = planPath({
    ...task.request,
    ...(timeoutMs !== undefined && { timeoutMs: Math.max(task.deadline - (clock?.() ?? 0), 0) }),
    clock,
    onProgress:
      onProgress &&
      (({ iterations, startNodes, goalNodes }) => onProgress({ iterations, nodes: startNodes + goalNodes })),
    progressInterval: PROGRESS_INTERVAL,
  });
  return task.finish(found);
}

/** The same a little at a time; time limits are the caller's, who stops when he likes. */
export function createGroupSearch(
  scene: Scene,
  robot: SceneRobot,
  request: Omit<GroupRequest, 'timeoutMs' | 'onProgress'>,
): GroupSearch {
  const task = prepare('createGroupSearch', scene, robot, request);
  const search = createPlanSearch(task.request);
  const named = (): PathPlan => ({ ...search.result(), planner: task.planner, foundLength: 0 });
  let finished: GroupPlan | null = null;
  return {
    get done() {
      return search.done;
    },
    get progress() {
      const { iterations, startNodes, goalNodes } = search.progress;
      return { iterations, nodes: startNodes + goalNodes };
    },
    step: (iterations) => search.step(iterations),
    result() {
      if (!search.done) return task.describe(named());
      finished ??= task.finish(named());
      return finished;
    },
  };
}

interface GroupTask {
  readonly request: ReturnType<typeof toPlanRequest>;
  readonly planner: string;
  /** By the clock. */
  readonly deadline: number;
  /** What is not a path yet. */
  describe(found: PathPlan): GroupPlan;
  /** Shortens, checks and times. */
  finish(found: PathPlan): GroupPlan;
}

function prepare(call: string, scene: Scene, robot: SceneRobot, request: GroupRequest): GroupTask {
  requireOpen(scene, call);
  requireRobot(call, robot);
  requireFields(call, 'request', request, REQUEST);
  const { model, semantic, description } = robot;
  const {
    seed = 1,
    maxIterations,
    timeoutMs,
    clock,
    simplify = true,
    edges = 'certified',
    resolution = edges === 'sampled' ? SAMPLED_RESOLUTION : GROWTH_RESOLUTION,
    spheres,
  } = request;
  const planner = findPlanner(call, request.planner).name;
  const timing = request.timed && readTiming(robot, request.timed);
  const group = findGroupCoordinates(model, semantic, description, request.group);
  const { indices } = group;
  if (indices.length === 0)
    throw new MisuseError(`${call}: group, got ${describeValue(request.group)}, expected one with joints that move`);
  const clamped: string[] = [];
  const start = clamp(
    robot,
    'start',
    request.start === undefined ? robot.q : readState(robot, group, request.start, robot.q, 'start'),
    clamped,
  );
  const now = (): number => clock?.() ?? 0;
  const begin = now();
  const checker = findChecker(scene, robot, indices, start, spheres);
  // Covers and compiles, or finds what was.
  void checker.kernel;
  const prepared = now();
  const { goals, fault } = readGoals(robot, group, request, start, checker, clamped);
  // A base without limits goes as far as the scene, the start and the goals ask for.
  const bounds = findMotionBounds(scene, robot, [start, ...goals]);
  const space = createConfigurationSpace(model, { indices, bounds });
  const pick = (q: Float64Array): Float64Array => Float64Array.from(indices, (i) => q[i]);
  const problem: ExactProblem = {
    ...{ space, checker, start: pick(start), goals: goals.map(pick) },
    ...{ planner, seed, maxIterations, edges, resolution },
  };
  const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : prepared + timeoutMs;
  const widen = (state: Float64Array): Float64Array => {
    const q = Float64Array.from(start);
    for (let k = 0; k < indices.length; k++) q[indices[k]] = state[k];
    return q;
  };
  const reasonOf = ({ status, reason }: PlanResult): string =>
    status === 'invalid-goal' && fault !== null ? fault : reason;
  const fixed = { start, motion: null, prepareMs: prepared - begin, simplifyMs: 0, repairs: 0, certified: false };

  function describe(found: PathPlan): GroupPlan {
    const { status, iterations, checks, complete } = found;
    const assumed = [...clamped, ...found.assumed];
    const counts = { iterations, checks, complete, assumed, planMs: now() - prepared };
    return { ...fixed, ...counts, status, reason: reasonOf(found), planner, path: [], length: 0, cost: 0 };
  }

  function finish(found: PathPlan): GroupPlan {
    const planMs = now() - prepared;
    const finisher = new PlanFinisher(problem, { clock, deadline });
    const plan = finisher.finish(found, simplify);
    const simplifyMs = now() - prepared - planMs;
    const path = plan.path.map(widen);
    const motion = timing && plan.status === 'solved' ? timePath(model, path, timing, { scene, robot }) : null;
    const assumed = [...new Set([...clamped, ...plan.assumed, ...(motion?.assumed ?? [])])];
    const times = { planMs, simplifyMs };
    return { ...fixed, ...plan, reason: reasonOf(plan), path, cost: plan.length, motion, assumed, ...times };
  }
  return { request: toPlanRequest(problem), planner, deadline, describe, finish };
}

interface KeptChecker {
  readonly scene: Scene;
  readonly key: string;
  readonly spheres: SphereModel | undefined;
  readonly checker: SphereChecker;
}

const checkers = new WeakMap<SceneRobot, KeptChecker>();

/** The checker of the robot's last plan, where it is for the same and has nothing to say of its own. */
export function findChecker(
  scene: Scene,
  robot: SceneRobot,
  indices: ArrayLike<number>,
  start: Float64Array,
  spheres: SphereModel | undefined,
): SphereChecker {
  const still = Float64Array.from(start);
  for (let k = 0; k < indices.length; k++) still[indices[k]] = 0;
  const key = `${Array.from(indices).join()} ${still.join()}`;
  const known = checkers.get(robot);
  const isSame = known?.scene === scene && known.key === key && known.spheres === spheres;
  if (isSame && known.checker.assumed.length === sceneAssumptions(scene).assumed.length) return known.checker;
  const checker = createSphereChecker(scene, robot, { indices, rest: start, spheres, prove: false });
  checkers.set(robot, { scene, key, spheres, checker });
  return checker;
}

/** What is beyond a limit by a rounding stands on it, and that is said. */
export function clamp({ model }: SceneRobot, what: string, q: Float64Array, said: string[]): Float64Array {
  const out = new Float64Array(model.nq);
  const { rounded, looksLikeDegrees } = clampToLimits(out, model, q);
  for (const { joint, value, coordinate } of rounded)
    said.push(`altered: ${what}: joint "${joint}" is ${value}, taken as its limit ${out[coordinate]}`);
  if (looksLikeDegrees) said.push(`guessed: ${what}: the angles look like degrees; they are taken as radians`);
  return out;
}

function readTiming({ model }: SceneRobot, timed: NonNullable<GroupRequest['timed']>): Timing {
  requireKnownKeys('planGroup', 'timed', timed, TIMED_KEYS);
  const { method, corners, deviation, intervals, gravity, ...limits } = timed;
  requireTiming('planGroup', 'timed', { method, corners, deviation, intervals, gravity });
  return { limits: createLimits(model, limits), method, corners, deviation, intervals, gravity };
}

export function readState(
  { model, semantic }: SceneRobot,
  { indices }: GroupCoordinates,
  state: GroupState,
  rest: Float64Array,
  what: string,
): Float64Array {
  if (typeof state === 'string') return readNamedState(`planGroup: ${what}`, model, semantic, state, rest);
  if (typeof state !== 'object' || state === null)
    throwMisuse('planGroup', what, state, 'the name of a state, values, or values by joint');
  if (typeof state.length !== 'number')
    return configurationFromNamed(model, state as NamedValues, Float64Array.from(rest));
  const values = state as ArrayLike<number>;
  const q = Float64Array.from(rest);
  if (values.length === model.nq) q.set(values);
  else if (values.length === indices.length) for (let k = 0; k < indices.length; k++) q[indices[k]] = values[k];
  else throwMisuse('planGroup', what, state, `${model.nq} numbers, or ${indices.length} of the group`);
  const problem = describeProblem(model, q);
  if (problem !== null) throw new MisuseError(`planGroup: ${what}, ${problem}`);
  return q;
}

const isPoseGoal = (goal: unknown): goal is PoseGoal => typeof goal === 'object' && goal !== null && 'pose' in goal;

interface Goals {
  readonly goals: Float64Array[];
  /** Why there are none. */
  readonly fault: string | null;
}

function readGoals(
  robot: SceneRobot,
  group: GroupCoordinates,
  request: GroupRequest,
  start: Float64Array,
  free: SphereChecker,
  clamped: string[],
): Goals {
  const { goal } = request;
  const isList = Array.isArray(goal) && goal.some((entry) => typeof entry !== 'number');
  const goals: Float64Array[] = [];
  let fault: string | null = null;
  for (const entry of (isList ? goal : [goal]) as readonly (GroupState | PoseGoal)[]) {
    if (isPoseGoal(entry)) {
      const found = solvePose(robot, group, request, entry, start, free);
      goals.push(...found.goals);
      fault ??= found.fault;
    } else {
      goals.push(clamp(robot, 'goal', readState(robot, group, entry, start, 'goal'), clamped));
    }
  }
  return { goals, fault };
}

/** Free configurations that bring the frame to the pose: the first is the one nearest to the start, the others come from anywhere. */
function solvePose(
  { model, semantic, description, name }: SceneRobot,
  { indices, velocities }: GroupCoordinates,
  { group, seed = 1 }: GroupRequest,
  { frame: wanted, pose }: PoseGoal,
  start: Float64Array,
  free: SphereChecker,
): Goals {
  const link = wanted ?? findGroupTip(semantic, description, group);
  const frame = link === null ? -1 : findFrame(model, link);
  if (frame < 0)
    throw new MisuseError(
      `planGroup: goal.frame, got ${describeValue(link)}, expected a link or joint of robot "${name}"`,
    );
  const target = createTransform();
  readPlacement(target, 'planGroup', pose);
  const solver = createIkSolver(model, frame, { velocities });
  const random = createRandom(seed);
  const drawn = new Float64Array(model.nq);
  const state = new Float64Array(indices.length);
  const goals: Float64Array[] = [];
  for (let k = 0; k < POSTURES; k++) {
    const from = Float64Array.from(start);
    if (k > 0) {
      randomConfiguration(drawn, model, random);
      for (const i of indices) from[i] = drawn[i];
    }
    const { status, q } = solver.solve({
      target,
      start: from,
      seed: seed + k,
      isValid: (candidate) => {
        for (let i = 0; i < indices.length; i++) state[i] = candidate[indices[i]];
        return free.isValid(state);
      },
    });
    if (status === 'unreachable')
      return { goals: [], fault: `"${link}" cannot reach the pose: it is beyond the arm's length` };
    if (status === 'solved') goals.push(q);
  }
  const fault = goals.length > 0 ? null : 'no configuration free of collisions was found that reaches the pose';
  return { goals, fault };
}

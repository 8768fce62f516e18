/**
 * A group of a robot planned from a state to a state while constraints hold: a glass that stays upright, a bar that two arms carry.
 *
 * Method: 1. the constraints become equations of the group's joint values (planning/constraints); 2. RRT-Connect on their manifold, states by spheres
 * first; 3. the path is shortened by walks on the manifold; 4. states are put between neighbours until the straight lines between them
 * leave the manifold by no more than `deviation`, by a bound; 5. each of these straight motions is judged as a whole with the exact shapes, and where one
 * fails, all is planned anew with motions judged like that.
 * So what is returned is a path of straight motions of the joints, as any other: free at every time, and off the constraints by at most `deviation`.
 * Units: radians, metres, seconds. Ends: the planner's statuses; a start or goal off the constraints is `invalid-start`, `invalid-goal`, unless
 * `projectEnds` moves them; `limit` where the path could not be certified. The robot stays where it is.
 * Tested by constrained-plan.test.ts.
 */
import {
  type Fields,
  requireFields,
  requireFlag,
  requireFunction,
  requireNumber,
  requirePositive,
  requirePositiveNumber,
  requireText,
  requireTexts,
  unchecked,
} from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createConfigurationSpace } from '../planning/configuration-space.js';
import { type ConstrainedSpace, createConstrainedSpace } from '../planning/constraints/constrained-space.js';
import type { FrameConstraint } from '../planning/constraints/frame-constraint.js';
import { createRobotConstraint } from '../planning/constraints/robot-constraint.js';
import { refineWalk, shortenWalk } from '../planning/constraints/shorten-walk.js';
import { createSampledMotion } from '../planning/motion.js';
import { pathLength } from '../planning/path.js';
import { createPlanSearch } from '../planning/plan-path.js';
import type { PlanSearch } from '../planning/search.js';
import { joinAssumptions, type MotionValidator, type PlanResult } from '../planning/types.js';
import { findMotionBounds } from '../scene/motion/motion-bounds.js';
import { requireOpen, requireRobot } from '../scene/scene-door.js';
import type { SphereChecker } from '../scene/spheres/sphere-checker.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { findGroupCoordinates, type GroupCoordinates } from '../semantics/group-coordinates.js';
import { clampState, type GroupState, readGroupState } from './group-states.js';
import { findChecker } from './kept-checker.js';

export interface ConstrainedRequest {
  /** A group, or several whose joints move together; default: every joint of the robot. */
  readonly group?: string | readonly string[];
  /** Default: the robot's configuration now. */
  readonly start?: GroupState;
  /** A state, or a list of which any will do. */
  readonly goal: GroupState | readonly GroupState[];
  /** What holds on the whole way. What they do not say stands as at the start. */
  readonly constraints: readonly FrameConstraint[];
  /**
   * Goals off the constraints, and a start that is by no more than 0.01 (a rounding of its values), are moved onto them, which is said; default
   * false.
   */
  readonly projectEnds?: boolean;
  /** Most that straight motions of the path leave the constraints by, metres and radians; default 1e-4. */
  readonly deviation?: number;
  /** Length of the steps on the manifold, in joint space; default 0.1. */
  readonly step?: number;
  /** Default 1. */
  readonly seed?: number;
  /** The deterministic limit; default 20,000. */
  readonly maxIterations?: number;
  /** Needs `clock`. */
  readonly timeoutMs?: number;
  readonly clock?: () => number;
  /** Shorten the path; default true. */
  readonly simplify?: boolean;
  readonly onProgress?: (progress: { readonly iterations: number; readonly nodes: number }) => void;
}

export interface ConstrainedPlan extends PlanResult {
  /** In full configurations; empty unless solved. */
  readonly path: readonly Float64Array[];
  /** Every motion is free at every time, by the exact shapes. */
  readonly certified: boolean;
  /** The straight motions of the path leave the constraints by at most this; Infinity without a path. */
  readonly deviation: number;
  readonly planner: string;
  readonly planMs: number;
  readonly simplifyMs: number;
}

const CALL = 'planConstrained';
const REQUEST: Fields = {
  group: requireGroup,
  start: unchecked,
  goal: unchecked,
  constraints: unchecked,
  projectEnds: requireFlag,
  deviation: requirePositive,
  step: requirePositiveNumber,
  seed: unchecked,
  maxIterations: unchecked,
  timeoutMs: requireNumber,
  clock: requireFunction,
  simplify: requireFlag,
  onProgress: requireFunction,
};
const DEFAULT_STEP = 0.1;
const DEFAULT_DEVIATION = 1e-4;
/** A start that is farther off is none. */
const START_ROUNDING = 0.01;
const DEFAULT_ITERATIONS = 20_000;
const PROGRESS_INTERVAL = 50;

export function planConstrained(scene: Scene, robot: SceneRobot, request: ConstrainedRequest): ConstrainedPlan {
  requireOpen(scene, CALL);
  requireRobot(CALL, robot);
  requireFields(CALL, 'request', request, REQUEST);
  const search = new ConstrainedTask(scene, robot, request);
  const { onProgress } = request;
  while (!search.isLate()) {
    if (search.step(PROGRESS_INTERVAL)) break;
    onProgress?.(search.progress);
  }
  return search.result();
}

/** The same a little at a time. */
export interface ConstrainedSearch {
  readonly done: boolean;
  readonly progress: { readonly iterations: number; readonly nodes: number };
  /** Goes on for so many iterations; true when nothing is left to do. The step that finds a path also shortens and certifies it. */
  step(iterations: number): boolean;
  /** What there is so far; final when done. */
  result(): ConstrainedPlan;
}

/** A request that is looked at already. */
export function createConstrainedSearch(
  scene: Scene,
  robot: SceneRobot,
  request: Omit<ConstrainedRequest, 'timeoutMs' | 'onProgress'>,
): ConstrainedSearch {
  return new ConstrainedTask(scene, robot, request);
}

function requireGroup(call: string, what: string, group: unknown): void {
  if (Array.isArray(group) && group.length > 0) requireTexts(call, what, group);
  else requireText(call, what, group);
}

function joinGroups(groups: readonly GroupCoordinates[]): GroupCoordinates {
  const union = (lists: readonly Int32Array[]): Int32Array =>
    Int32Array.from(new Set(lists.flatMap((list) => [...list]))).sort();
  return {
    joints: [...new Set(groups.flatMap(({ joints }) => joints))],
    indices: union(groups.map(({ indices }) => indices)),
    velocities: union(groups.map(({ velocities }) => velocities)),
  };
}

class ConstrainedTask implements ConstrainedSearch {
  private readonly space: ConstrainedSpace;
  private readonly checker: SphereChecker;
  private readonly start: Float64Array;
  private readonly goals: Float64Array[] = [];
  private readonly indices: ArrayLike<number>;
  private readonly said: string[] = [];
  private readonly deadline: number;
  private readonly begin: number;
  private readonly sampled: MotionValidator;
  private search: PlanSearch;
  /** The search judges motions with the exact shapes. */
  private isExact = false;
  private planned: number | null = null;
  private plan: ConstrainedPlan | null = null;
  private checks = 0;

  constructor(
    scene: Scene,
    robot: SceneRobot,
    private readonly request: ConstrainedRequest,
  ) {
    const { model, semantic, description } = robot;
    const names = typeof request.group === 'object' ? request.group : [request.group];
    const group = joinGroups(names.map((name) => findGroupCoordinates(model, semantic, description, name)));
    const { indices } = group;
    if (indices.length === 0)
      throw new MisuseError(`${CALL}: group, got ${describeValue(request.group)}, expected one with joints that move`);
    this.indices = indices;
    const read = (state: GroupState, rest: Float64Array, what: string): Float64Array =>
      clampState(robot, what, readGroupState(robot, group, state, rest, what), this.said);
    this.start = request.start === undefined ? robot.q.slice() : read(request.start, robot.q, 'start');
    const { goal } = request;
    const isList = Array.isArray(goal) && goal.some((entry) => typeof entry !== 'number');
    const states = (isList ? goal : [goal]) as readonly GroupState[];
    const goals = states.map((state) => read(state, this.start, 'goal'));
    this.checker = findChecker(scene, robot, indices, this.start, undefined);
    const bounds = findMotionBounds(scene, robot, [this.start, ...goals]);
    const { placement } = robot;
    const constraint = createRobotConstraint(model, request.constraints, { indices, rest: this.start, placement });
    const { step = DEFAULT_STEP } = request;
    this.space = createConstrainedSpace(createConfigurationSpace(model, { indices, bounds }), constraint, { step });
    for (const [i, q] of [this.start, ...goals].entries()) {
      const state = Float64Array.from(indices, (k) => q[k]);
      const before = this.space.residual(state);
      const what = i === 0 ? 'the start' : goals.length === 1 ? 'the goal' : `goal ${i - 1}`;
      const isNear = i > 0 || before <= START_ROUNDING;
      if (request.projectEnds && isNear && before > this.space.tolerance && this.space.project(state))
        this.said.push(`altered: ${what} was off the constraints by ${before}, and is moved onto them`);
      if (i > 0) this.goals.push(state);
      else for (let k = 0; k < indices.length; k++) this.start[indices[k]] = state[k];
    }
    const { timeoutMs, clock } = request;
    this.deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : (clock?.() ?? 0) + timeoutMs;
    this.begin = this.now();
    this.sampled = createSampledMotion(this.space, this.view(), step);
    this.search = this.createSearch(this.sampled);
  }

  get done(): boolean {
    return this.plan !== null;
  }

  get progress(): { readonly iterations: number; readonly nodes: number } {
    const { iterations, startNodes, goalNodes } = this.search.progress;
    return { iterations, nodes: startNodes + goalNodes };
  }

  step(iterations: number): boolean {
    if (this.plan) return true;
    if (!this.search.step(iterations)) return false;
    const found = this.search.result();
    this.planned = this.now();
    if (found.status !== 'solved') {
      this.plan = this.describe(found, null);
      return true;
    }
    const { checker, request } = this;
    const done = this.finish(found.path, this.isExact ? checker.motion : this.sampled);
    if (!done && !this.isExact && !this.isLate()) {
      // Now every step that is walked is judged with the exact shapes.
      this.isExact = true;
      this.search = this.createSearch(checker.motion);
      return false;
    }
    const status = this.isLate() ? 'timeout' : 'limit';
    const deviation = request.deviation ?? DEFAULT_DEVIATION;
    const reason = `a path was found, but not one that is free and within ${deviation} of the constraints at every time`;
    this.plan = this.describe(done ? found : { ...found, status, reason }, done);
    return true;
  }

  result(): ConstrainedPlan {
    return this.plan ?? this.describe(this.search.result(), null);
  }

  private view() {
    const { checker } = this;
    return { isValid: (q: Float64Array) => checker.isValid(q), explain: (q: Float64Array) => checker.explain(q) };
  }

  private createSearch(motion: MotionValidator): PlanSearch {
    const { request, space, goals, indices } = this;
    const { seed, maxIterations = DEFAULT_ITERATIONS } = request;
    const isMotionValid: MotionValidator['isMotionValid'] = (a, b) =>
      !this.isLate() && motion.isMotionValid(a, b, this.isLate);
    return createPlanSearch({
      ...{
        space,
        checker: this.view(),
        motion: { isMotionValid, isExact: motion.isExact },
        goals,
        seed,
        maxIterations,
      },
      start: Float64Array.from(indices, (k) => this.start[k]),
      verifyResolution: Number.POSITIVE_INFINITY,
    });
  }

  /** Shortened, with states between and judged; null where that fails. */
  private finish(path: readonly Float64Array[], motion: MotionValidator) {
    const { request, space, checker } = this;
    const { simplify = true, seed, deviation = DEFAULT_DEVIATION } = request;
    const short = simplify ? shortenWalk(space, motion, path, { seed, shouldStop: this.isLate }) : path;
    for (const states of simplify ? [short, path] : [path]) {
      const fine = refineWalk(space, states, deviation);
      if (!fine) continue;
      let isFree = true;
      for (let i = 1; i < fine.path.length && isFree; i++) {
        this.checks++;
        isFree = checker.motion.isMotionValid(fine.path[i - 1], fine.path[i], this.isLate);
      }
      if (isFree) return fine;
    }
    return null;
  }

  private describe(
    found: PlanResult,
    done: { readonly path: readonly Float64Array[]; readonly deviation: number } | null,
  ): ConstrainedPlan {
    const { space, checker, indices, start, begin } = this;
    const planned = this.planned ?? this.now();
    const { status, iterations } = found;
    const path = (done?.path ?? []).map((state) => {
      const q = Float64Array.from(start);
      for (let k = 0; k < indices.length; k++) q[indices[k]] = state[k];
      return q;
    });
    const grounds = joinAssumptions(found, checker, checker.motion, { assumed: this.said });
    return {
      ...{ status, reason: found.reason, iterations, checks: found.checks + this.checks, path },
      length: done ? pathLength(space, done.path) : 0,
      certified: done !== null,
      deviation: done?.deviation ?? Number.POSITIVE_INFINITY,
      planner: 'rrt-connect',
      planMs: planned - begin,
      simplifyMs: this.now() - planned,
      ...grounds,
    };
  }

  private now(): number {
    return this.request.clock?.() ?? 0;
  }

  readonly isLate = (): boolean => this.now() >= this.deadline;
}

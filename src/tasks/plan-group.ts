import {
  type Fields,
  oneOf,
  requireFields,
  requireFlag,
  requireFunction,
  requireList,
  requireNotNegative,
  requireNumber,
  requireNumbers,
  requireObject,
  requirePositive,
  requireText,
  requireTexts,
  unchecked,
} from '../math/arguments.js';
import { describeValue, requireKnownKeys } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { type Objective, pathCost } from '../planning/objective.js';
import { createPlanSearch, type PathPlan, planPath } from '../planning/plan-path.js';
import type { Planner } from '../planning/planner.js';
import { anytimeRrtConnect, type Improvement } from '../planning/planners/anytime-rrt-connect.js';
import { experience } from '../planning/planners/experience.js';
import { findPlanner } from '../planning/registry.js';
import type { PlanResult } from '../planning/types.js';
import { findMotionBounds } from '../scene/motion/motion-bounds.js';
import { requireOpen, requireRobot } from '../scene/scene-door.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { createLimits } from '../trajectory/limits.js';
import { createApproachedSearch, hasStraightEnd, planApproached } from './approached-plan.js';
import { type ExactProblem, PlanFinisher, toPlanRequest } from './exact-plan.js';
import { explainPlan, type PlanReasons } from './explain-plan.js';
import type { CostStep, GroupPlan, GroupRequest, GroupSearch } from './group-plan.js';
import { clampState, readGoals, readGroupState } from './group-states.js';
import { createHeldSearch, planHeld } from './held-plan.js';
import { findChecker } from './kept-checker.js';
import { findGroup, findSpace } from './kept-space.js';
import { createGroupObjective } from './plan-objective.js';
import { createLayers, requireMoving } from './roadmap-layers.js';
import { repairStart } from './start-repair.js';
import { StateProbe } from './state-probe.js';
import { requireTiming, type Timing, timePath } from './time-path.js';

export type { CostStep, GroupPlan, GroupRequest, GroupSearch, OptimiseOptions } from './group-plan.js';

const SAMPLED_RESOLUTION = 0.02;
/** While trees grow; the path is certified after it. */
const GROWTH_RESOLUTION = 1 / 32;
const PROGRESS_INTERVAL = 200;
/** Metres of contact that are repaired where no number is given. */
const REPAIRED_DEPTH = 0.005;
const EXPLAIN_RESOLUTION = 0.05;
/** Of planning again without a body. */
const EXPLAIN_ITERATIONS = 20_000;
const EXPLAIN_MS = 2000;

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
  optimise: requireObject,
  repairStart: unchecked,
  explain: requireFlag,
  roadmap: requireObject,
  moving: requireTexts,
  edges: oneOf('certified', 'sampled'),
  resolution: unchecked,
  timed: requireObject,
  constraints: requireList,
  deviation: requirePositive,
  retreat: requireRetreat,
  onProgress: requireFunction,
};

const OPTIMISE: Fields = { ms: requireNotNegative, rounds: requireNotNegative, objective: unchecked };

/** Of limits and of the way. */
const TIMED_KEYS = [
  ...['velocity', 'acceleration', 'jerk', 'torque', 'followers'],
  ...['method', 'corners', 'deviation', 'intervals', 'gravity'],
];

function requireRetreat(call: string, what: string, retreat: unknown): void {
  requireFields(call, what, retreat, {
    frame: requireText,
    by: (inner, name, value) => requireNumbers(inner, name, value as ArrayLike<number>, 3),
  });
  requireNumbers(call, `${what}.by`, (retreat as { by?: ArrayLike<number> }).by, 3);
}

/** Plans to the end. */
export function planGroup(scene: Scene, robot: SceneRobot, request: GroupRequest): GroupPlan {
  const call = 'planGroup';
  requireOpen(scene, call);
  requireRobot(call, robot);
  requireFields(call, 'request', request, REQUEST);
  const timing = request.timed && readTiming(robot, request.timed);
  if (request.constraints !== undefined) return planHeld(scene, robot, request, timing, planFreely);
  if (hasStraightEnd(request)) return planApproached(scene, robot, request, timing, planFreely);
  return planFreely(scene, robot, request);
}

function planFreely(scene: Scene, robot: SceneRobot, request: GroupRequest): GroupPlan {
  const task = prepare('planGroup', scene, robot, request);
  const { clock, onProgress } = request;
  const found = planPath({
    ...task.request,
    ...(task.searchEnd < Number.POSITIVE_INFINITY && { timeoutMs: Math.max(task.searchEnd - (clock?.() ?? 0), 0) }),
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
  const call = 'createGroupSearch';
  requireOpen(scene, call);
  requireRobot(call, robot);
  requireFields(call, 'request', request, REQUEST);
  const timing = request.timed && readTiming(robot, request.timed);
  if (request.constraints !== undefined) return createHeldSearch(scene, robot, request, timing, planFreely);
  if (hasStraightEnd(request)) return createApproachedSearch(scene, robot, request, timing, searchFreely);
  return searchFreely(scene, robot, request);
}

function searchFreely(scene: Scene, robot: SceneRobot, request: GroupRequest): GroupSearch {
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
  /** Of the search alone. */
  readonly searchEnd: number;
  /** What is not a path yet. */
  describe(found: PathPlan): GroupPlan;
  /** Shortens, checks and times. */
  finish(found: PathPlan): GroupPlan;
}

function prepare(call: string, scene: Scene, robot: SceneRobot, request: GroupRequest): GroupTask {
  requireOpen(scene, call);
  requireRobot(call, robot);
  requireFields(call, 'request', request, REQUEST);
  const { model } = robot;
  const { seed = 1, clock, edges = 'certified', spheres } = request;
  const { maxIterations, resolution = edges === 'sampled' ? SAMPLED_RESOLUTION : GROWTH_RESOLUTION } = request;
  const { name, why } = choosePlanner(request);
  const planner = findPlanner(call, name);
  const timing = request.timed && readTiming(robot, request.timed);
  const group = findGroup(robot, request.group);
  const { indices } = group;
  if (indices.length === 0)
    throw new MisuseError(`${call}: group, got ${describeValue(request.group)}, expected one with joints that move`);
  if (request.moving) requireMoving(call, scene, request.moving);
  const said: string[] = [];
  const read = request.start === undefined ? robot.q : readGroupState(robot, group, request.start, robot.q, 'start');
  let start = clampState(robot, 'start', read, said);
  const now = (): number => clock?.() ?? 0;
  const begin = now();
  const checker = findChecker(scene, robot, indices, start, spheres);
  // Covers and compiles, or finds what was; a roadmap among what moves may do without.
  if (!request.roadmap || !request.moving) void checker.kernel;
  const prepared = now();
  const isFree = (state: Float64Array): boolean => checker.isValid(state);
  const context = { group: request.group, seed, start, isFree };
  const { goals, region, fault, touching } = readGoals(robot, group, request.goal, context, said);
  // A base without limits goes as far as the scene, the start and the goals ask for.
  const bounds = findMotionBounds(scene, robot, [start, ...goals]);
  const space = findSpace(robot, indices, bounds);
  const probe = new StateProbe(scene, robot, space, indices, start, isFree);
  const repaired = readRepair(call, probe, start, request);
  const given = start;
  if (repaired.repair) start = repaired.repair.leg[1];
  const placed = { indices, space, rest: start, group: request.group };
  const objective = createGroupObjective(scene, robot, placed, request.optimise?.objective);
  const costs: CostStep[] = [];
  const note = ({ iterations, cost }: Improvement): void => {
    costs.push({ ms: now() - prepared, iterations, cost });
  };
  let isRecalled = false;
  const onRecall = (): void => {
    isRecalled = true;
  };
  const settings = readSettings(request, planner, objective, note, onRecall);
  const layers = settings.roadmap ? createLayers(scene, robot, start, indices, space, checker, request) : undefined;
  const problem: ExactProblem = {
    ...{ space, checker, start: probe.pick(start), goals: goals.map((q) => probe.pick(q)), goalRegion: region },
    ...{ planner: planner.name, settings, seed, maxIterations, edges, resolution, layers },
  };
  const deadline = request.timeoutMs === undefined ? Number.POSITIVE_INFINITY : prepared + request.timeoutMs;
  const { ms } = request.optimise ?? {};
  const searchEnd = ms === undefined ? deadline : Math.min(deadline, prepared + ms);
  const reasonOf = ({ status, reason }: PlanResult): string => {
    if (status === 'invalid-start' && repaired.fault !== '') return `${reason}; not repaired: ${repaired.fault}`;
    return status === 'invalid-goal' && fault !== null ? fault : reason;
  };
  const { repair } = repaired;
  const fixed = {
    ...{ start: given, motion: null, prepareMs: prepared - begin, simplifyMs: 0, repairs: 0, certified: false },
    ...{ costs, repair, reasons: null, plannerReason: why, deviation: 0 },
  };
  const explain = (): PlanReasons =>
    explainPlan({
      ...{
        scene,
        robot,
        probe,
        start: problem.start,
        goals: [...problem.goals, ...touching.map((q) => probe.pick(q))],
      },
      ...{ seed, resolution: EXPLAIN_RESOLUTION },
      planIn: (other, own) => planGroup(other, own, withoutExtras(request, start, goals)),
    });

  function describe(found: PathPlan): GroupPlan {
    const { status, iterations, checks, complete } = found;
    const assumed = [...said, ...found.assumed];
    const counts = { iterations, checks, complete, assumed, planMs: now() - prepared };
    return {
      ...fixed,
      ...counts,
      status,
      reason: reasonOf(found),
      planner: planner.name,
      path: [],
      length: 0,
      cost: 0,
    };
  }

  function finish(found: PathPlan): GroupPlan {
    const planMs = now() - prepared;
    const finisher = new PlanFinisher(problem, { clock, deadline });
    // What was drawn tight for a while is not shortened once more; ways of earlier paths consist of shortened ones.
    const isShort = isRecalled || request.optimise !== undefined;
    const simplify = (request.simplify ?? true) && !isShort;
    const plan = finisher.finish(found, simplify, layers !== undefined && (isRecalled || planner !== experience));
    if (planner === experience && plan.certified && !isRecalled)
      request.roadmap?.addPath(plan.path, (a, b) => checker.provesMotion(a, b));
    const simplifyMs = now() - prepared - planMs;
    const path = plan.path.map((state) => probe.widen(state));
    const isSolved = plan.status === 'solved';
    const motion = timing && isSolved ? timePath(model, path, timing, { scene, robot }) : null;
    const assumed = [...new Set([...said, ...plan.assumed, ...(motion?.assumed ?? [])])];
    const cost = isSolved && objective ? pathCost(space, objective, plan.path) : plan.length;
    const reasons = request.explain && !isSolved ? explain() : null;
    const { status, length, iterations, checks, complete, certified, planner: name, repairs } = plan;
    const { prepareMs } = fixed;
    // By name: spreading three objects costs as much as a short search.
    return {
      start: given,
      motion,
      prepareMs,
      simplifyMs,
      repairs,
      certified,
      costs,
      repair,
      reasons,
      plannerReason: why,
      deviation: 0,
      status,
      reason: reasonOf(plan),
      path,
      length,
      planner: name,
      iterations,
      checks,
      complete,
      assumed,
      cost,
      planMs,
    };
  }
  return { request: toPlanRequest(problem), planner: planner.name, deadline, searchEnd, describe, finish };
}

/** Anytime where the path is to be optimised, a roadmap where one is given; else what was named; and why. */
function choosePlanner({ planner, optimise, roadmap }: GroupRequest): { name: string | undefined; why: string } {
  if (planner !== undefined && planner !== 'auto') return { name: planner, why: 'it was asked for' };
  if (optimise !== undefined)
    return { name: anytimeRrtConnect.name, why: 'the path is to become cheaper while there is time' };
  if (roadmap !== undefined) return { name: experience.name, why: 'there is a roadmap to use and to extend' };
  return { name: planner, why: 'a first path is wanted soonest' };
}

/** What the planner is told besides the problem, as far as it has such settings. */
function readSettings(
  { optimise, roadmap }: GroupRequest,
  { settings }: Planner,
  objective: Objective | undefined,
  onImprovement: (improvement: Improvement) => void,
  onRecall: () => void,
): Record<string, unknown> {
  if (optimise !== undefined) requireFields('planGroup', 'optimise', optimise, OPTIMISE);
  const limit = optimise?.rounds ?? (optimise?.ms === undefined ? undefined : Number.POSITIVE_INFINITY);
  // A path comes into the roadmap when it has been judged.
  const all = { onImprovement, objective, rounds: limit, batches: limit, roadmap, onRecall, remember: false };
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => value !== undefined && settings.includes(name)),
  );
}

function readRepair(
  call: string,
  probe: StateProbe,
  start: Float64Array,
  { repairStart: wanted, seed = 1 }: GroupRequest,
) {
  if (wanted === undefined || wanted === false) return { repair: null, fault: '' };
  if (wanted !== true) requireNotNegative(call, 'repairStart', wanted);
  return repairStart(probe, start, { depth: wanted === true ? REPAIRED_DEPTH : wanted, seed });
}

/** The request for planning again where something is gone. */
function withoutExtras(request: GroupRequest, start: Float64Array, goals: readonly Float64Array[]): GroupRequest {
  const { group, spheres, edges, clock, seed } = request;
  const limits = { maxIterations: EXPLAIN_ITERATIONS, ...(clock && { clock, timeoutMs: EXPLAIN_MS }) };
  return { group, spheres, edges, seed, ...limits, start, goal: goals };
}

function readTiming({ model }: SceneRobot, timed: NonNullable<GroupRequest['timed']>): Timing {
  requireKnownKeys('planGroup', 'timed', timed, TIMED_KEYS);
  const { method, corners, deviation, intervals, gravity, ...limits } = timed;
  requireTiming('planGroup', 'timed', { method, corners, deviation, intervals, gravity });
  return { limits: createLimits(model, limits), method, corners, deviation, intervals, gravity };
}

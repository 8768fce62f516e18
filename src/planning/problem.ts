/**
 * What planners are given: a space, what is valid in it, a start, goals; and what becomes of these before a search begins.
 *
 * Start and goals that are off by a rounding are moved into the bounds, coordinates without limits get a range to draw from, and
 * each of these is said in `assumed`.
 */
import { requireFlag, requireSeed, throwMisuse } from '../math/arguments.js';
import { FIRST_DRAWS, type GoalRegion, GoalStream } from './goal-region.js';
import { requireResolution } from './motion.js';
import {
  requireChecker,
  requireCount,
  requireMotion,
  requirePositive,
  requireSpace,
  requireState,
  requireStates,
} from './requests.js';
import type { MotionValidator, StateSpace, ValidityChecker } from './types.js';

/** The problem and the limits that every planner takes; planners add settings of their own. */
export interface PlanningProblem {
  readonly space: StateSpace;
  readonly checker: ValidityChecker;
  readonly start: Float64Array;
  /** Any of them will do. */
  readonly goals: readonly Float64Array[];
  /** Further goals, drawn before and while the search goes on; `goals` may then be empty. */
  readonly goalRegion?: GoalRegion;
  /** Default 1. */
  readonly seed?: number;
  /** The deterministic limit; default 400,000. */
  readonly maxIterations?: number;
  /** Distance between checked states during the search, where nothing decides whole motions; default 1/32. */
  readonly resolution?: number;
  /**
   * Distance between checked states on the final path, where no exact validator decides whole motions; default resolution / 4;
   * Infinity leaves the check out.
   */
  readonly verifyResolution?: number;
  /**
   * Decides motions during the search. Default: the checker's own (`checker.motion`), else states `resolution` apart. The
   * checker's own, where it has one, decides about the path that is returned in any case.
   */
  readonly motion?: MotionValidator;
  /** On failure return the path to the state nearest a goal; default false. */
  readonly allowPartial?: boolean;
}

export const DEFAULT_RESOLUTION = 1 / 32;
export const DEFAULT_ITERATIONS = 400_000;

export const PROBLEM_KEYS: readonly string[] = [
  ...['space', 'checker', 'start', 'goals', 'goalRegion', 'seed', 'maxIterations', 'resolution', 'verifyResolution'],
  ...['motion', 'allowPartial'],
];

/** Everything but the coordinates of start and goals, which a search judges. */
export function requireProblem(call: string, problem: PlanningProblem): void {
  const { space, checker, start, goals, seed, maxIterations, motion } = problem;
  requireSpace(call, space);
  requireChecker(call, checker);
  requireMotion(call, motion);
  requireState(call, 'start', start);
  requireStates(call, 'goals', goals);
  requireSeed(call, seed);
  if (problem.goalRegion !== undefined) requireRegion(call, problem.goalRegion);
  requireCount(call, 'maxIterations', maxIterations);
  if (problem.resolution !== undefined) requireResolution(call, problem.resolution);
  if (problem.verifyResolution !== Infinity) requirePositive(call, 'verifyResolution', problem.verifyResolution);
  if (problem.allowPartial !== undefined) requireFlag(call, 'allowPartial', problem.allowPartial);
}

function requireRegion(call: string, region: GoalRegion): void {
  if (typeof region?.draw !== 'function' || typeof region.contains !== 'function')
    throwMisuse(call, 'goalRegion', region, 'an object with draw(out, random) and contains(q)');
}

/** The problem with start and goals within the bounds, a space that can be drawn from, and what was done to get there. */
export function admitProblem<P extends PlanningProblem>(given: P): { problem: P; assumed: string[] } {
  const assumed: string[] = [];
  const admit = (state: Float64Array, what: string): Float64Array => {
    const admitted = given.space.admit?.(state);
    for (const sentence of admitted?.altered ?? []) assumed.push(`altered: ${what}: ${sentence}`);
    return admitted?.state ?? state;
  };
  const start = admit(given.start, 'the start');
  const goals = given.goals.map((goal, i) => admit(goal, given.goals.length === 1 ? 'the goal' : `goal ${i}`));
  const covered = given.space.coverStates?.([start, ...goals]);
  for (const sentence of covered?.guessed ?? []) assumed.push(`guessed: ${sentence}`);
  return { problem: { ...given, space: covered?.space ?? given.space, start, goals }, assumed };
}

/** Which ends can be joined, or why none can. */
export interface ProblemEnds {
  readonly status: 'ready' | 'invalid-start' | 'invalid-goal';
  readonly reason: string;
  readonly goals: readonly Float64Array[];
  /** Where further goals come from, null where there is no region. */
  readonly stream: GoalStream | null;
}

/** `isValid` counts what it is asked. */
export function judgeEnds(problem: PlanningProblem, isValid: (q: Float64Array) => boolean): ProblemEnds {
  const { space, checker, start, goals, goalRegion: region } = problem;
  const stream = region ? new GoalStream(space, region, problem.seed ?? 1, isValid) : null;
  const faultOf = (q: Float64Array): string => {
    if (q.length !== space.dimension || !space.satisfiesBounds(q))
      return `is out of bounds: ${space.explainBounds?.(q) || 'outside the state space'}`;
    return isValid(q) ? '' : `is in collision: ${checker.explain?.(q) || 'the checker rejects it'}`;
  };
  const startFault = faultOf(start);
  if (startFault !== '') return { status: 'invalid-start', reason: `the start ${startFault}`, goals: [], stream };
  const faults: string[] = [];
  const valid: Float64Array[] = [];
  goals.forEach((goal, i) => {
    const fault = faultOf(goal);
    if (fault === '') valid.push(goal);
    else faults.push(goals.length === 1 ? `the goal ${fault}` : `goal ${i} ${fault}`);
  });
  const drawn = stream?.first();
  if (drawn) valid.push(drawn);
  if (valid.length > 0) return { status: 'ready', reason: '', goals: valid, stream };
  if (region)
    faults.push(
      `no valid state came of ${FIRST_DRAWS} draws of the goal region${region.about ? `, ${region.about}` : ''}`,
    );
  return { status: 'invalid-goal', reason: faults.join('; ') || 'no goal was given', goals: [], stream };
}

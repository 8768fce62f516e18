/**
 * Plans with any planner: a problem in, a path out, shortened where that is asked for.
 *
 * Method: 1. the planner's search runs under one loop for limits (search.ts); 2. with `simplify` the path is shortened
 * (simplify.ts) and the finest check is made once, of the result; where it fails, the search is made anew with that check on its own
 * path, which is returned where shortening it fails again.
 * Ends: the planner's statuses. The same seed gives the same path, bit by bit, on every engine.
 * Tested by test/contract/planners.test.ts.
 */
import { requireFlag, requireFunction } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { Planner } from './planner.js';
import { type PlanningProblem, PROBLEM_KEYS } from './problem.js';
import { findPlanner } from './registry.js';
import { requireObject, requirePositive, STOP_KEYS } from './requests.js';
import { type PlanProgress, type PlanSearch, runSearch, type Search } from './search.js';
import { simplifyPath } from './simplify.js';
import { createStopWatch, StopWatch } from './stopping.js';
import { type Assuming, joinAssumptions, type PlanResult, type StopOptions } from './types.js';

/** A problem, a planner's name and its settings. */
export interface PlanRequest extends PlanningProblem {
  /** A name of `listPlanners`, or `auto` (default): the planner that finds a first path soonest. */
  readonly planner?: string;
  /** Settings of the planner. */
  readonly [setting: string]: unknown;
}

export interface PlanPathRequest extends PlanRequest, StopOptions {
  /** Shorten the path and round its corners; default false. */
  readonly simplify?: boolean;
  readonly onProgress?: (progress: PlanProgress) => void;
  /** Iterations between reports; default 1000. */
  readonly progressInterval?: number;
}

export interface PathPlan extends PlanResult {
  /** Name of the planner. */
  readonly planner: string;
  /** Length before simplification. */
  readonly foundLength: number;
}

/** A search to be stepped by the caller; it may be done already. */
export function createPlanSearch(request: PlanRequest): PlanSearch {
  const planner = findPlanner('createPlanSearch', request?.planner);
  requireObject('createPlanSearch', request, ['planner', ...PROBLEM_KEYS, ...planner.settings]);
  return planner.create('createPlanSearch', request, new StopWatch(null, null)).keep();
}

/** Plans in one go. */
export function planPath(request: PlanPathRequest): PathPlan {
  const call = 'planPath';
  const planner = findPlanner(call, request?.planner);
  const own = ['planner', 'simplify', 'onProgress', 'progressInterval'];
  requireObject(call, request, [...own, ...PROBLEM_KEYS, ...STOP_KEYS, ...planner.settings]);
  const { simplify = false, onProgress, progressInterval: interval = 1000 } = request;
  requireFlag(call, 'simplify', simplify);
  if (onProgress !== undefined) requireFunction(call, 'onProgress', onProgress);
  requirePositive(call, 'progressInterval', interval);
  if (!(interval >= 1))
    throw new MisuseError(`${call}: progressInterval, got ${describeValue(interval)}, expected 1 or more`);
  const watch = createStopWatch(call, request);
  const run = (problem: PlanRequest): PlanResult => runPlanner(call, planner, problem, watch, { onProgress, interval });
  if (!simplify) {
    const found = run(request);
    return { ...found, planner: planner.name, foundLength: found.length };
  }
  const first = run({ ...request, verifyResolution: Infinity });
  const plan = shorten(request, first, watch);
  const isUnchecked = plan.found.status === 'solved' && !plan.isChecked && request.verifyResolution !== Infinity;
  if (!isUnchecked || watch.wasOver) return describe(planner, plan, first.checks);
  const again = shorten(request, run(request), watch);
  return describe(planner, { ...again, isChecked: true }, first.checks + plan.checks + again.found.checks);
}

interface Shortened {
  readonly found: PlanResult;
  readonly path: readonly Float64Array[];
  readonly length: number;
  readonly checks: number;
  /** The path has passed the finest check. */
  readonly isChecked: boolean;
  readonly assumptions: Required<Assuming>;
}

/** What did not pass the finest check stays as it was found. */
function shorten(request: PlanPathRequest, found: PlanResult, watch: StopWatch): Shortened {
  const { space, checker, motion, resolution, verifyResolution } = request;
  const { path, length } = found;
  const assumptions = joinAssumptions(found);
  if (found.status !== 'solved') return { found, path, length, checks: 0, isChecked: true, assumptions };
  const limits = watch.isNeverOver ? {} : { shouldStop: watch.isOver };
  const short = simplifyPath({ space, checker, motion, resolution, path, verifyResolution, ...limits });
  const isChecked = short.verified || verifyResolution === Infinity;
  const kept = isChecked ? short : found;
  return {
    found,
    path: kept.path,
    length: kept.length,
    checks: short.checks,
    isChecked,
    assumptions: joinAssumptions(found, short),
  };
}

function describe(planner: Planner, plan: Shortened, checks: number): PathPlan {
  const { found, path, length, isChecked, assumptions } = plan;
  const named = { planner: planner.name, foundLength: found.length, checks: checks + plan.checks, ...assumptions };
  if (isChecked) return { ...found, ...named, path, length };
  const reason = 'time was up before the path had passed the last check';
  return { ...found, ...named, status: 'timeout', reason, path: [], length: 0 };
}

function runPlanner(
  call: string,
  planner: Planner,
  request: PlanRequest,
  watch: StopWatch,
  options: { readonly onProgress?: (progress: PlanProgress) => void; readonly interval: number },
): PlanResult {
  const search: Search = planner.create(call, request, watch);
  try {
    runSearch(search, watch, options);
    return search.result();
  } finally {
    search.dispose();
  }
}

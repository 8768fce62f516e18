/**
 * RRT-Connect: one tree grows from the start, one from the goals, until a motion joins them.
 *
 * Method: see script-trees.ts, which has the loop. Where states are independent numbers (`space.coordinates`) the loop runs in
 * the kernel, with nearest neighbours from trees of boxes; linked with a checker's compiled checks (`checker.kernel`) no JavaScript
 * runs in it. The path is the same, bit by bit, in either.
 * Source: Kuffner, LaValle 2000, "RRT-Connect: an efficient approach to single-query path planning",
 * doi:10.1109/ROBOT.2000.844730; Yershova, Jaillet, Simeon, LaValle 2005, "Dynamic-domain RRTs",
 * doi:10.1109/ROBOT.2005.1570709, radius adapted as in Jaillet, Yershova, LaValle, Simeon 2005, "Adaptive tuning of the
 * sampling domain for dynamic-domain RRTs", doi:10.1109/IROS.2005.1545607.
 * Units: all lengths in the metric of the space.
 * Cost: per iteration two nearest neighbours plus the checks along the motions.
 * The path's ends are the start and a goal bit for bit, unless these had to be moved by a rounding to be within the bounds
 * (`space.admit`), which `assumed` says.
 * Ends: `solved`; `invalid-start`, `invalid-goal` before the first iteration; `limit` at `maxIterations` (or
 * `approximate` when `allowPartial` and some progress was made); `timeout` when stopped from outside, within one check (of compiled
 * checks: within some iterations). Not finding a path proves nothing.
 * Tested by test/contract/planners.test.ts, test/contract/planner-kernel.test.ts, test/oracle/planning-panda.test.ts.
 */
import { requireFlag } from '../../math/arguments.js';
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { DRAW_INTERVAL, type GoalStream } from '../goal-region.js';
import { pathLength } from '../path.js';
import type { Planner } from '../planner.js';
import {
  admitProblem,
  DEFAULT_ITERATIONS,
  DEFAULT_RESOLUTION,
  judgeEnds,
  type PlanningProblem,
  requireProblem,
} from '../problem.js';
import { requireObject, requirePositive } from '../requests.js';
import type { Sampler } from '../sampler.js';
import type { PlanProgress, Search } from '../search.js';
import { type StopWatch, WatchedChecks } from '../stopping.js';
import { joinAssumptions, type PlanResult, type PlanStatus, type StateCoordinates, type StateSpace } from '../types.js';
import { KernelTrees } from './kernel-trees.js';
import { requireSampler } from './require-sampler.js';
import { ScriptTrees } from './script-trees.js';
import { type DynamicDomain, GOAL, hasOwnTrees, START, type TreeSettings, type Trees } from './trees.js';

export interface RrtConnectSettings {
  /** Longest single extension; default 1. Longer where the states are so far apart that more than 100,000 would lie between them. */
  readonly range?: number;
  /** `random` (default) or `halton` points, seed 0 giving the plain Halton sequence; or a sampler, which the loop in TypeScript asks. */
  readonly sampler?: 'random' | 'halton' | Sampler;
  /** Keep the trees of similar size; default true. */
  readonly balance?: boolean;
  /** Default: off. */
  readonly dynamicDomain?: DynamicDomain;
  /** Where the loop runs: `auto` (default), or `script`, the slower twin in TypeScript with the same answers. */
  readonly engine?: 'auto' | 'script';
}

export interface RrtConnectRequest extends PlanningProblem, RrtConnectSettings {}

export const RRT_CONNECT_KEYS: readonly string[] = ['range', 'sampler', 'balance', 'dynamicDomain', 'engine'];

const KERNEL_SLICE = 16;

/** Extensions across the space at most: a motion between the trees is cut into no more nodes than memory holds. */
const MOST_EXTENSIONS = 1e5;

/** Samples of one motion at most that are asked of compiled checks, between which no clock is read: some tenths of a second. */
const MOST_LINKED_SAMPLES = 1e6;

/** Scaled coordinates whose squared differences are numbers in single precision, in which the kernel looks for neighbours. */
const LARGEST_SCALED = 1e15;

export function requireRrtConnect(call: string, request: RrtConnectRequest): void {
  requireProblem(call, request);
  const { range, sampler, dynamicDomain, engine } = request;
  requirePositive(call, 'range', range);
  requireSampler(call, sampler);
  if (engine !== undefined && engine !== 'auto' && engine !== 'script')
    throw new MisuseError(`${call}: engine, got ${describeValue(engine)}, expected 'auto' or 'script'`);
  if (request.balance !== undefined) requireFlag(call, 'balance', request.balance);
  if (dynamicDomain === undefined) return;
  requireObject(`${call}: dynamicDomain`, dynamicDomain, ['radius', 'minRadius', 'alpha']);
  for (const key of ['radius', 'minRadius', 'alpha'] as const)
    if (typeof dynamicDomain[key] !== 'number' || !(dynamicDomain[key] > 0))
      throw new MisuseError(
        `${call}: dynamicDomain.${key}, got ${describeValue(dynamicDomain[key])}, expected a positive number`,
      );
}

/** Its row in the registry. */
export const rrtConnect: Planner = {
  name: 'rrt-connect',
  about: 'two trees that grow towards each other: a first path soonest',
  settings: RRT_CONNECT_KEYS,
  isAnytime: false,
  create: createRrtConnectSearch,
};

export function createRrtConnectSearch(call: string, given: RrtConnectRequest, watch: StopWatch): RrtConnectSearch {
  requireRrtConnect(call, given);
  return new RrtConnectSearch(given, watch);
}

export class RrtConnectSearch implements Search {
  done = false;
  private status: PlanStatus = 'timeout';
  private reason = '';
  private path: Float64Array[] = [];
  private readonly trees: Trees | null = null;
  private readonly checks: WatchedChecks;
  private readonly problem: RrtConnectRequest;
  /** What was done to the start and the goals, and where coordinates without limits are drawn from. */
  private readonly assumed: string[];
  private readonly maxIterations: number;
  private readonly stream: GoalStream | null = null;
  /** How far apart states may be. */
  private readonly reach: number = 0;

  constructor(
    given: RrtConnectRequest,
    private readonly watch: StopWatch,
  ) {
    const { problem, assumed } = admitProblem(given);
    this.problem = problem;
    this.assumed = assumed;
    this.maxIterations = problem.maxIterations ?? DEFAULT_ITERATIONS;
    this.checks = new WatchedChecks(problem.checker, watch);
    const ends = judgeEnds(problem, (q) => {
      this.checks.count++;
      return problem.checker.isValid(q);
    });
    if (ends.status !== 'ready') {
      this.finish(ends.status, ends.reason, []);
      return;
    }
    this.stream = ends.stream;
    this.reach = findReach(problem.space, problem.start, ends.goals);
    this.trees = this.createTrees();
    this.trees.addRoot(START, problem.start);
    for (const goal of ends.goals) this.trees.addRoot(GOAL, goal);
    const straight = this.trees.tryStraight();
    if (straight >= 0) this.finish('solved', 'straight line', [problem.start.slice(), ends.goals[straight].slice()]);
  }

  get slice(): number {
    return this.isLinked ? KERNEL_SLICE : 1;
  }

  get progress(): PlanProgress {
    const { trees, checkCount, done } = this;
    return {
      iterations: trees?.iterations ?? 0,
      checks: checkCount,
      startNodes: trees?.startNodes ?? 0,
      goalNodes: trees?.goalNodes ?? 0,
      best: done && this.status === 'solved' ? pathLength(this.problem.space, this.path) : Infinity,
    };
  }

  step(iterations: number): boolean {
    const { trees } = this;
    if (this.done || trees === null || this.watch.wasOver) return this.done;
    const { stream } = this;
    let state: ReturnType<Trees['grow']> = 'running';
    for (let left = iterations; left > 0 && state === 'running' && !this.watch.wasOver; ) {
      // Goals come between iterations of fixed numbers.
      const before = trees.iterations;
      const count = stream ? Math.min(left, DRAW_INTERVAL - (before % DRAW_INTERVAL)) : left;
      state = trees.grow(count);
      left -= count;
      if (!stream || state !== 'running' || trees.iterations === before || trees.iterations % DRAW_INTERVAL !== 0)
        continue;
      const goal = stream.next();
      if (goal) trees.addRoot(GOAL, goal);
    }
    if (state === 'joined') this.finish('solved', 'trees joined', trees.joinedPath());
    else if (state === 'limit') this.giveUp(trees);
    return this.done;
  }

  result(): PlanResult {
    let { status, reason, path } = this;
    const iterations = this.trees?.iterations ?? 0;
    if (!this.done) {
      reason = `stopped after ${iterations} iterations without a path`;
      status = 'timeout';
      if (this.problem.allowPartial) path = this.trees?.partialPath() ?? [];
    }
    const length = pathLength(this.problem.space, path);
    const { checker, motion } = this.problem;
    const assumptions = joinAssumptions(checker, motion, { assumed: this.assumed });
    return { status, reason, path, length, iterations, checks: this.checkCount, ...assumptions };
  }

  dispose(): void {
    this.trees?.dispose();
  }

  /** For a caller who may never say that he is done with it. */
  keep(): this {
    if (!this.done && this.trees instanceof KernelTrees) this.trees.keep();
    return this;
  }

  private get isScript(): boolean {
    const { engine, sampler } = this.problem;
    return engine === 'script' || (typeof sampler === 'object' && !sampler.isAhead);
  }

  private get isLinked(): boolean {
    const { checker, motion, space } = this.problem;
    const isWhole = motion !== undefined || checker.motion !== undefined;
    return (
      !this.isScript &&
      !isWhole &&
      checker.kernel !== undefined &&
      space.coordinates !== undefined &&
      this.reach <= MOST_LINKED_SAMPLES * this.finestStep
    );
  }

  /** Of what samples of motions are apart by. */
  private get finestStep(): number {
    const resolution = this.problem.resolution ?? DEFAULT_RESOLUTION;
    return Math.min(resolution, this.problem.verifyResolution ?? resolution / 4);
  }

  private get checkCount(): number {
    return this.checks.count + (this.isLinked && this.trees instanceof KernelTrees ? this.trees.motions : 0);
  }

  private createTrees(): Trees {
    const { problem, checks, watch } = this;
    const { space, checker } = problem;
    const resolution = problem.resolution ?? DEFAULT_RESOLUTION;
    const verifyResolution = problem.verifyResolution ?? resolution / 4;
    const settings: TreeSettings = {
      space,
      seed: problem.seed ?? 1,
      sampler: problem.sampler ?? 'random',
      maxIterations: this.maxIterations,
      range: Math.max(problem.range ?? 1, this.reach / MOST_EXTENSIONS),
      balance: problem.balance ?? true,
      dynamicDomain: problem.dynamicDomain ?? null,
    };
    if (this.isLinked) {
      const lastStep = verifyResolution === Infinity ? null : verifyResolution;
      const source = { checks: checker.kernel!, step: resolution, lastStep };
      return new KernelTrees(settings, space.coordinates!, source, lastStep !== null);
    }
    const whole = problem.motion ?? checker.motion;
    const grow = whole ? checks.whole(whole, space) : checks.sampled(space, resolution);
    let last = null;
    if (!whole?.isExact && checker.motion) last = checks.whole(checker.motion, space);
    else if (!whole?.isExact && verifyResolution !== Infinity) last = checks.sampled(space, verifyResolution);
    if (hasOwnTrees(space)) return space.createTrees(settings, grow, last, watch);
    if (this.isScript || space.coordinates === undefined || isBeyondSingle(space.coordinates))
      return new ScriptTrees(settings, grow, last, watch);
    const isOver = (): boolean => watch.wasOver;
    return new KernelTrees(settings, space.coordinates, { grow, last, isOver }, last !== null);
  }

  private giveUp(trees: Trees): void {
    const reason = `no path within ${this.maxIterations} iterations, which does not prove that there is none`;
    const path = this.problem.allowPartial ? trees.partialPath() : [];
    if (path.length > 1) this.finish('approximate', `${reason}; the path ends where a goal was nearest`, path);
    else this.finish('limit', reason, []);
  }

  private finish(status: PlanStatus, reason: string, path: Float64Array[]): void {
    this.done = true;
    this.status = status;
    this.reason = reason;
    this.path = path;
    this.trees?.dispose();
  }
}

function findReach(space: StateSpace, start: Float64Array, goals: readonly Float64Array[]): number {
  let reach = 0;
  for (const goal of goals) reach = Math.max(reach, space.distance(start, goal));
  if (!space.coordinates) return reach;
  const { lower, upper, scale } = space.coordinates;
  let sum = 0;
  for (let k = 0; k < lower.length; k++) sum += (scale[k] * (upper[k] - lower[k])) ** 2;
  return Math.max(reach, Math.sqrt(sum));
}

function isBeyondSingle({ lower, upper, scale }: StateCoordinates): boolean {
  return scale.some((factor, k) => factor * Math.max(Math.abs(lower[k]), Math.abs(upper[k])) > LARGEST_SCALED);
}

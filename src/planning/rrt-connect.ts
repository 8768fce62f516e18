/**
 * RRT-Connect: one tree grows from the start, one from the goals, until a motion joins them.
 *
 * Method, per iteration:
 * 1. choose the tree to grow (alternately; with `balance`, the smaller one while they differ by more than its size);
 * 2. draw a state, find the nearest node, go at most `range` towards the state;
 * 3. if that motion is valid, add its end and go on from there, step by step, towards the nearest node of the other tree;
 * 4. when that is reached, check the joined path again, exactly where the checker decides whole motions (`checker.motion`), else
 *    at `verifyResolution`: a motion that fails is cut out of its tree together with everything behind it, and the search goes on.
 * With `dynamicDomain` a node whose extension failed only accepts draws within a radius, which grows slowly with success
 * and shrinks with failure.
 * Source: Kuffner, LaValle 2000, "RRT-Connect: an efficient approach to single-query path planning",
 * doi:10.1109/ROBOT.2000.844730; Yershova, Jaillet, Simeon, LaValle 2005, "Dynamic-domain RRTs",
 * doi:10.1109/ROBOT.2005.1570709, radius adapted as in Jaillet, Yershova, LaValle, Simeon 2005, "Adaptive tuning of the
 * sampling domain for dynamic-domain RRTs", doi:10.1109/IROS.2005.1545607.
 * Units: all lengths in the metric of the space.
 * Cost: per iteration O(nodes) for the nearest neighbours plus the checks along the motions.
 * The path's ends are the start and a goal bit for bit, unless these had to be moved by a rounding to be within the bounds
 * (`space.admit`), which `assumed` says.
 * Ends: `solved`; `invalid-start`, `invalid-goal` before the first iteration; `limit` at `maxIterations` (or
 * `approximate` when `allowPartial` and some progress was made); `timeout` when stopped from outside, within one check. Not
 * finding a path proves nothing.
 * Tested by rrt-connect.test.ts, test/contract/planners.test.ts, test/oracle/planning-panda.test.ts.
 */
import { requireFlag, requireFunction, requireSeed } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { createRandom, type Random } from '../math/random.js';
import { createHalton } from './halton.js';
import { requireResolution } from './motion.js';
import { pathLength } from './path.js';
import {
  requireChecker,
  requireCount,
  requireMotion,
  requireObject,
  requirePositive,
  requireSpace,
  requireState,
  requireStates,
  STOP_KEYS,
} from './requests.js';
import { StateTree } from './state-tree.js';
import { createStopWatch, StopWatch, WatchedChecks } from './stopping.js';
import {
  joinAssumptions,
  type MotionValidator,
  type PlanResult,
  type PlanStatus,
  type StateSpace,
  type StopOptions,
  type ValidityChecker,
} from './types.js';

export interface DynamicDomain {
  /** Radius given to a node at its first failure. */
  readonly radius: number;
  readonly minRadius: number;
  /** Relative change per success or failure. */
  readonly alpha: number;
}

export interface RrtConnectRequest {
  readonly space: StateSpace;
  readonly checker: ValidityChecker;
  readonly start: Float64Array;
  /** Any of them will do. */
  readonly goals: readonly Float64Array[];
  /** Default 1. */
  readonly seed?: number;
  /** The deterministic limit; default 400,000. */
  readonly maxIterations?: number;
  /** Longest single extension; default 1. */
  readonly range?: number;
  /** Distance between checked states while the trees grow, where nothing decides whole motions; default 1/32. */
  readonly resolution?: number;
  /**
   * Distance between checked states on the final path, where no exact validator decides whole motions; default resolution / 4;
   * Infinity leaves the check out.
   */
  readonly verifyResolution?: number;
  /** `random` (default) or `halton` points; seed 0 gives the plain Halton sequence. */
  readonly sampler?: 'random' | 'halton';
  /** Keep the trees of similar size; default true. */
  readonly balance?: boolean;
  /** Default: off. */
  readonly dynamicDomain?: DynamicDomain;
  /**
   * Decides motions while the trees grow. Default: the checker's own (`checker.motion`), else states `resolution` apart. The
   * checker's own, where it has one, decides about the path that is returned in any case.
   */
  readonly motion?: MotionValidator;
  /** On failure return the path to the state nearest a goal; default false. */
  readonly allowPartial?: boolean;
}

export interface PlanProgress {
  readonly iterations: number;
  readonly checks: number;
  readonly startNodes: number;
  readonly goalNodes: number;
}

/** A search that can be run in slices: in a worker between messages, in a page between frames. */
export interface PlanSearch {
  readonly done: boolean;
  readonly progress: PlanProgress;
  /** Runs at most `iterations` more; returns `done`. Slicing never changes the result. */
  step(iterations: number): boolean;
  /** The answer so far: final when `done`, otherwise with status `timeout`. */
  result(): PlanResult;
}

const UNLIMITED = Number.MAX_VALUE;
const KEYS = [
  ...[
    'space',
    'checker',
    'start',
    'goals',
    'seed',
    'maxIterations',
    'range',
    'resolution',
    'verifyResolution',
    'sampler',
  ],
  ...['balance', 'dynamicDomain', 'motion', 'allowPartial'],
];

function requireRequest(request: RrtConnectRequest): void {
  const call = 'planRrtConnect';
  const { space, checker, start, goals, seed, maxIterations, range, sampler, dynamicDomain, motion } = request;
  requireSpace(call, space);
  requireChecker(call, checker);
  requireMotion(call, motion);
  requireState(call, 'start', start);
  requireStates(call, 'goals', goals);
  requireSeed(call, seed);
  requireCount(call, 'maxIterations', maxIterations);
  requirePositive(call, 'range', range);
  if (request.resolution !== undefined) requireResolution(call, request.resolution);
  if (request.verifyResolution !== Infinity) requirePositive(call, 'verifyResolution', request.verifyResolution);
  if (sampler !== undefined && sampler !== 'random' && sampler !== 'halton')
    throw new MisuseError(`${call}: sampler, got ${describeValue(sampler)}, expected 'random' or 'halton'`);
  for (const key of ['balance', 'allowPartial'] as const)
    if (request[key] !== undefined) requireFlag(call, key, request[key]);
  if (dynamicDomain === undefined) return;
  requireObject(`${call}: dynamicDomain`, dynamicDomain, ['radius', 'minRadius', 'alpha']);
  for (const key of ['radius', 'minRadius', 'alpha'] as const)
    if (typeof dynamicDomain[key] !== 'number' || !(dynamicDomain[key] > 0))
      throw new MisuseError(
        `${call}: dynamicDomain.${key}, got ${describeValue(dynamicDomain[key])}, expected a positive number`,
      );
}
class RrtConnectSearch implements PlanSearch {
  done = false;
  private status: PlanStatus = 'timeout';
  private reason = '';
  private path: Float64Array[] = [];
  private iterations = 0;
  private growStart = false;
  private readonly startTree: StateTree;
  private readonly goalTree: StateTree;
  private readonly startRadii: number[] = [];
  private readonly goalRadii: number[] = [];
  private readonly checks: WatchedChecks;
  private readonly motion: MotionValidator;
  private readonly verify: MotionValidator | null;
  private readonly random: Random;
  private readonly maxIterations: number;
  private readonly range: number;
  private readonly balance: boolean;
  private readonly domain: DynamicDomain | null;
  private readonly sample: Float64Array;
  private readonly near: Float64Array;
  private readonly reached: Float64Array;
  private readonly target: Float64Array;

  private readonly request: RrtConnectRequest;
  /** What was done to the start and the goals, and where coordinates without limits are drawn from. */
  private readonly assumed: string[];

  constructor(
    given: RrtConnectRequest,
    private readonly watch: StopWatch,
  ) {
    requireRequest(given);
    const { request, assumed } = admitStates(given);
    this.request = request;
    this.assumed = assumed;
    const { space, checker } = request;
    const resolution = request.resolution ?? 1 / 32;
    const verifyResolution = request.verifyResolution ?? resolution / 4;
    this.maxIterations = request.maxIterations ?? 400_000;
    this.range = request.range ?? 1;
    this.balance = request.balance ?? true;
    this.domain = request.dynamicDomain ?? null;
    this.checks = new WatchedChecks(checker, watch);
    const whole = request.motion ?? checker.motion;
    this.motion = whole ? this.checks.whole(whole) : this.checks.sampled(space, resolution);
    if (whole?.isExact) this.verify = null;
    else if (checker.motion) this.verify = this.checks.whole(checker.motion);
    else this.verify = verifyResolution === Infinity ? null : this.checks.sampled(space, verifyResolution);
    const seed = request.seed ?? 1;
    this.random = request.sampler === 'halton' ? createHalton(space.dimension, seed) : createRandom(seed);
    this.startTree = new StateTree(space);
    this.goalTree = new StateTree(space);
    this.sample = new Float64Array(space.dimension);
    this.near = new Float64Array(space.dimension);
    this.reached = new Float64Array(space.dimension);
    this.target = new Float64Array(space.dimension);
    this.begin();
  }

  get progress(): PlanProgress {
    return {
      iterations: this.iterations,
      checks: this.checks.count,
      startNodes: this.startTree.size,
      goalNodes: this.goalTree.size,
    };
  }

  step(iterations: number): boolean {
    for (let i = 0; i < iterations && !this.done && !this.watch.wasOver; i++) {
      if (this.iterations >= this.maxIterations) this.giveUp();
      else this.iterate();
    }
    return this.done;
  }

  result(): PlanResult {
    let { status, reason, path } = this;
    if (!this.done) {
      reason = `stopped after ${this.iterations} iterations without a path`;
      status = 'timeout';
      if (this.request.allowPartial) path = this.partialPath();
    }
    const length = pathLength(this.request.space, path);
    const { checker, motion } = this.request;
    const { iterations, checks } = this;
    const assumptions = joinAssumptions(checker, motion, { assumed: this.assumed });
    return { status, reason, path, length, iterations, checks: checks.count, ...assumptions };
  }

  /** Start and goals: bounds, validity, the straight line. */
  private begin(): void {
    const { space, checker, start, goals } = this.request;
    const faultOf = (q: Float64Array): string => {
      if (q.length !== space.dimension || !space.satisfiesBounds(q))
        return `is out of bounds: ${space.explainBounds?.(q) || 'outside the state space'}`;
      this.checks.count++;
      if (!checker.isValid(q)) return `is in collision: ${checker.explain?.(q) || 'the checker rejects it'}`;
      return '';
    };
    const startFault = faultOf(start);
    if (startFault !== '') {
      this.finish('invalid-start', `the start ${startFault}`, []);
      return;
    }
    const faults: string[] = [];
    for (let i = 0; i < goals.length; i++) {
      const fault = faultOf(goals[i]);
      if (fault === '') this.addNode(this.goalTree, this.goalRadii, goals[i], -1);
      else faults.push(goals.length === 1 ? `the goal ${fault}` : `goal ${i} ${fault}`);
    }
    if (this.goalTree.size === 0) {
      this.finish('invalid-goal', faults.join('; ') || 'no goal was given', []);
      return;
    }
    this.addNode(this.startTree, this.startRadii, start, -1);
    this.tryStraightLines();
  }

  private tryStraightLines(): void {
    const { space, start } = this.request;
    for (let node = 0; node < this.goalTree.size; node++) {
      const goal = this.goalTree.read(new Float64Array(space.dimension), node);
      if (this.motion.isMotionValid(start, goal) && (this.verify?.isMotionValid(start, goal) ?? true)) {
        this.finish('solved', 'straight line', [start.slice(), goal]);
        return;
      }
    }
  }

  private iterate(): void {
    const { space } = this.request;
    const { sample, near, reached, target, random, range, domain } = this;
    this.iterations++;
    this.chooseTree();
    const tree = this.growStart ? this.startTree : this.goalTree;
    const other = this.growStart ? this.goalTree : this.startTree;
    const radii = this.growStart ? this.startRadii : this.goalRadii;
    space.sample(sample, random);
    const from = tree.nearest(sample);
    const distance = tree.nearestDistance;
    if (domain && radii[from] < distance) return;
    tree.read(near, from);
    if (distance < range) reached.set(sample);
    else space.interpolate(reached, near, sample, range / distance);
    if (!this.motion.isMotionValid(near, reached)) {
      if (domain && !this.watch.wasOver)
        radii[from] =
          radii[from] === UNLIMITED ? domain.radius : Math.max(radii[from] * (1 - domain.alpha), domain.minRadius);
      return;
    }
    let last = this.addNode(tree, radii, reached, from);
    if (domain && radii[from] !== UNLIMITED) radii[from] *= 1 + domain.alpha;

    const to = other.nearest(reached);
    other.read(target, to);
    const steps = Math.max(1, Math.ceil(other.nearestDistance / range));
    near.set(reached);
    // Even steps from one fixed state: no rounding piles up and the last one lands exactly on the target.
    for (let i = 1; i <= steps; i++) {
      const previous = tree.read(this.sample, last);
      space.interpolate(reached, near, target, i / steps);
      if (!this.motion.isMotionValid(previous, reached)) return;
      if (i < steps) last = this.addNode(tree, radii, reached, last);
    }
    this.join(this.growStart ? last : to, this.growStart ? to : last);
  }

  private chooseTree(): void {
    const tree = this.growStart ? this.startTree : this.goalTree;
    const other = this.growStart ? this.goalTree : this.startTree;
    if (!this.balance || Math.abs(tree.size - other.size) < tree.size) this.growStart = !this.growStart;
  }

  /** The trees meet between these nodes: done, unless the finer check finds a fault. */
  private join(startNode: number, goalNode: number): void {
    const startSide = this.startTree.pathTo(startNode);
    const goalSide = this.goalTree.pathTo(goalNode).reverse();
    if (this.verify) {
      const startFree = this.pruneBlocked(this.startTree, startNode);
      const goalFree = this.pruneBlocked(this.goalTree, goalNode);
      const joint = this.verify.isMotionValid(startSide[startSide.length - 1], goalSide[0]);
      if (!startFree || !goalFree || !joint) return;
    }
    // Both sides may end in the same state when the trees met exactly.
    const { space } = this.request;
    const meet = space.distance(startSide[startSide.length - 1], goalSide[0]) === 0 && goalSide.length > 1 ? 1 : 0;
    this.finish('solved', 'trees joined', [...startSide, ...goalSide.slice(meet)]);
  }

  /** Checks the motions between `node` and its root finely; cuts off what hangs behind the blocked ones. */
  private pruneBlocked(tree: StateTree, node: number): boolean {
    const { near, target } = this;
    let blocked = -1;
    for (let child = node; tree.parent[child] !== child; child = tree.parent[child]) {
      tree.read(near, tree.parent[child]);
      tree.read(target, child);
      if (!this.verify!.isMotionValid(near, target)) {
        if (this.watch.wasOver) return false;
        blocked = child;
      }
    }
    if (blocked < 0) return true;
    tree.remove(blocked);
    return false;
  }

  private addNode(tree: StateTree, radii: number[], state: Float64Array, parent: number): number {
    radii.push(UNLIMITED);
    return tree.add(state, parent);
  }

  private giveUp(): void {
    const reason = `no path within ${this.maxIterations} iterations, which does not prove that there is none`;
    const path = this.request.allowPartial ? this.partialPath() : [];
    if (path.length > 1) this.finish('approximate', `${reason}; the path ends where a goal was nearest`, path);
    else this.finish('limit', reason, []);
  }

  /** From the start to the node of its tree that is nearest a goal. */
  private partialPath(): Float64Array[] {
    const { space } = this.request;
    let best = Infinity;
    let bestNode = -1;
    const goal = new Float64Array(space.dimension);
    for (let g = 0; g < this.goalTree.size && this.goalTree.parent[g] === g; g++) {
      this.goalTree.read(goal, g);
      const node = this.startTree.nearest(goal);
      if (node >= 0 && this.startTree.nearestDistance < best) {
        best = this.startTree.nearestDistance;
        bestNode = node;
      }
    }
    return bestNode < 0 ? [] : this.startTree.pathTo(bestNode);
  }

  private finish(status: PlanStatus, reason: string, path: Float64Array[]): void {
    this.done = true;
    this.status = status;
    this.reason = reason;
    this.path = path;
  }
}

/** Start and goals that are off by a rounding are moved into the bounds; coordinates without limits get a range. */
function admitStates(given: RrtConnectRequest): { request: RrtConnectRequest; assumed: string[] } {
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
  return { request: { ...given, space: covered?.space ?? given.space, start, goals }, assumed };
}

/** A search to be stepped by the caller. Start and goals are checked at once: it may be done already. */
export function createRrtConnect(request: RrtConnectRequest): PlanSearch {
  requireObject('createRrtConnect', request, KEYS);
  return new RrtConnectSearch(request, new StopWatch(null, null));
}

/** Plans in one go. `onProgress` is called about every `progressInterval` iterations (default 1000). */
export function planRrtConnect(
  request: RrtConnectRequest &
    StopOptions & { readonly onProgress?: (progress: PlanProgress) => void; readonly progressInterval?: number },
): PlanResult {
  requireObject('planRrtConnect', request, [...KEYS, ...STOP_KEYS, 'onProgress', 'progressInterval']);
  if (request.onProgress !== undefined) requireFunction('planRrtConnect', 'onProgress', request.onProgress);
  requirePositive('planRrtConnect', 'progressInterval', request.progressInterval);
  const { onProgress, progressInterval: interval = 1000 } = request;
  if (!(interval >= 1))
    throw new MisuseError(`planRrtConnect: progressInterval, got ${describeValue(interval)}, expected 1 or more`);
  const watch = createStopWatch('planRrtConnect', request);
  const search = new RrtConnectSearch(request, watch);
  for (let steps = 1; !search.step(1); steps++) {
    if (onProgress && steps % interval === 0) onProgress(search.progress);
    if (watch.isOver()) break;
  }
  return search.result();
}

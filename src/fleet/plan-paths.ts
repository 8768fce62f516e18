/**
 * Plans for many robots on one graph: found quickly, improved while there is time, refused with a proof.
 *
 * Method: cheap proofs that there is no plan (unsolvable.ts); complete search over configurations (configuration-search.ts) for a first plan; then
 * improvement by neighbourhoods (improve-paths.ts). For few robots the search goes on between rounds, so that it can prove the best.
 * Time ends a search and decides nothing else: the same seed and the same numbers of steps give the same plan.
 * Statuses: `solved`; `impossible`, proven, with the reason; `timeout`, `limit` (iterations, or memory for nodes) without a plan.
 * Every plan was checked by verify-paths.ts before it is returned. Tested by plan-paths.test.ts, test/oracle/fleet-maps.test.ts.
 */
import { requireFunction, requireOptions, requireSeed, unchecked, wholeFrom } from '../math/arguments.js';
import { createRandom, type SeededRandom } from '../math/random.js';
import { createStopWatch } from '../planning/stopping.js';
import { ConfigurationSearch } from './configuration-search.js';
import { GoalDistances } from './goal-distances.js';
import { PathImprover } from './improve-paths.js';
import { measurePaths, type PathProblem, pathCost, type RobotPath, requirePathProblem } from './path-problem.js';
import { PathSpreader } from './spread-paths.js';
import { proveUnsolvable } from './unsolvable.js';
import { verifyPaths } from './verify-paths.js';

export interface PathOptions {
  /** Default 1. */
  readonly seed?: number;
  /** Ends the search; needs `clock`. */
  readonly timeoutMs?: number;
  /** Milliseconds that only grow, as performance.now. */
  readonly clock?: () => number;
  /** Asked between steps. */
  readonly shouldStop?: () => boolean;
  /** Successors made before the search for a first plan is given up. Default: no limit. */
  readonly iterations?: number;
  /** Rounds of improvement. Default: until time is up, none without a time limit. */
  readonly rounds?: number;
  /** Trials per successor. Default 4; 1 for more than 400 robots. */
  readonly candidates?: number;
  /** Called with each cheaper plan's sum of costs. */
  readonly onImproved?: (sumOfCosts: number) => void;
}

export type PathStatus = 'solved' | 'impossible' | 'timeout' | 'limit';

export interface PathPlan {
  readonly status: PathStatus;
  readonly reason: string;
  /** A path per robot; empty without a plan. */
  readonly paths: readonly RobotPath[];
  readonly makespan: number;
  readonly sumOfCosts: number;
  /** No plan costs less: the sum of what each needs alone, or what the search has proven. */
  readonly lowerBound: number;
  /** Sum of costs of the first plan. */
  readonly firstCost: number;
  readonly iterations: number;
  readonly rounds: number;
  /** States searched in rounds. */
  readonly expansions: number;
}

const OPTIONS = {
  seed: unchecked,
  timeoutMs: unchecked,
  clock: unchecked,
  shouldStop: unchecked,
  iterations: wholeFrom(1),
  rounds: wholeFrom(0),
  candidates: wholeFrom(1),
  onImproved: requireFunction,
};

/** Memory for the nodes of the search, and for a plan that is improved. */
const MOST_BYTES = 3e9;
/** A first plan that costs so many times the bound shows crowds: a second one with more trials pays, up to twice as many successors. */
const CROWDED = 3;
const CROWDED_TRIALS = 6;
/** With no more robots than this the search goes on after the first plan. */
const FEW_ROBOTS = 24;

export function requirePathOptions(call: string, options: unknown): asserts options is PathOptions {
  requireOptions(call, options, OPTIONS);
  requireSeed(call, (options as PathOptions).seed);
  createStopWatch(call, options as PathOptions);
}

export function planPaths(problem: PathProblem, options: PathOptions = {}): PathPlan {
  requirePathProblem('planPaths', problem);
  requirePathOptions('planPaths', options);
  const { seed = 1, iterations = Number.POSITIVE_INFINITY } = options;
  const watch = createStopWatch('planPaths', options);
  const { graph, rotations = true } = problem;
  const starts = Int32Array.from(problem.starts);
  const goals = Int32Array.from(problem.goals);
  const robots = starts.length;
  const none = { paths: [], makespan: 0, sumOfCosts: 0, firstCost: 0, rounds: 0, expansions: 0 };
  const proof = proveUnsolvable(graph, starts, goals, rotations);
  if (proof !== null) return { status: 'impossible', reason: proof, ...none, lowerBound: 0, iterations: 0 };
  const distances = new GoalDistances(graph, goals);
  let lowerBound = 0;
  for (let i = 0; i < robots; i++) {
    if (watch.isOver()) return { status: 'timeout', reason: 'time ran out', ...none, lowerBound, iterations: 0 };
    lowerBound += distances.row(i)[starts[i]];
  }
  const random = createRandom(seed);
  const ways = spreadWays(graph, starts, goals, distances, random, watch.isOver);
  const createSearch = (candidates: number) =>
    new ConfigurationSearch(
      graph,
      starts,
      goals,
      distances,
      random,
      rotations,
      candidates,
      Math.max(1000, Math.floor(MOST_BYTES / (8 * robots + 400))),
      ways,
    );
  const search = createSearch(options.candidates ?? (robots > 400 ? 1 : 4));
  let state = search.step();
  while (state === 'searching' && search.iterations < iterations && !watch.isOver()) state = search.step();
  if (state === 'exhausted')
    return {
      status: 'impossible',
      reason: `all ${search.nodeCount} configurations that can be reached were searched`,
      ...none,
      lowerBound,
      iterations: search.iterations,
    };
  if (state !== 'solved') {
    const isLimit = state === 'full' || search.iterations >= iterations;
    return {
      status: isLimit ? 'limit' : 'timeout',
      reason: state === 'full' ? 'no memory for more configurations' : isLimit ? 'iterations ran out' : 'time ran out',
      ...none,
      lowerBound,
      iterations: search.iterations,
    };
  }

  const rounds = options.rounds ?? (options.timeoutMs === undefined ? 0 : Number.POSITIVE_INFINITY);
  let paths = toPaths(search.trace());
  const first = measurePaths(paths);
  if (rounds > 0 && options.candidates === undefined && first.sumOfCosts > CROWDED * lowerBound) {
    const again = createSearch(CROWDED_TRIALS);
    const most = 2 * search.iterations;
    while (again.step() === 'searching' && again.iterations < most && !watch.isOver());
    const other = again.isSolved ? toPaths(again.trace()) : paths;
    if (measurePaths(other).sumOfCosts < first.sumOfCosts) paths = other;
  }
  const { makespan, sumOfCosts: firstCost } = measurePaths(paths);
  let improver: PathImprover | null = null;
  if (rounds > 0 && firstCost > lowerBound && PathImprover.bytesFor(graph, makespan) < MOST_BYTES)
    improver = new PathImprover(graph, goals, distances, paths, random, rotations);
  if (improver !== null) {
    options.onImproved?.(firstCost);
    while (improver.rounds < rounds && improver.sumOfCosts > lowerBound && !watch.isOver()) {
      if (improver.round() > 0) options.onImproved?.(improver.sumOfCosts);
      if (robots > FEW_ROBOTS || state === 'exhausted' || state === 'full') continue;
      for (let k = 0; k < 8 && state !== 'exhausted' && state !== 'full'; k++) state = search.step();
      // Steps outside the goal are a part of arrival times: their least sum bounds these.
      if (state === 'exhausted') lowerBound = Math.max(lowerBound, search.cost);
    }
  }
  const [fault] = verifyPaths(problem, paths, 1);
  if (fault !== undefined) throw new Error(`planPaths: made a plan with a ${fault.kind} conflict at ${fault.time}`);
  return {
    status: 'solved',
    reason: improver !== null && improver.sumOfCosts === lowerBound ? 'no plan costs less' : 'a plan was found',
    paths,
    ...measurePaths(paths),
    lowerBound,
    firstCost,
    iterations: search.iterations,
    rounds: improver?.rounds ?? 0,
    expansions: improver?.expansions ?? 0,
  };
}

/** States searched for guidance: some seconds on one core. */
const MOST_SPREAD = 2e6;

function spreadWays(
  graph: PathProblem['graph'],
  starts: Int32Array,
  goals: Int32Array,
  distances: GoalDistances,
  random: SeededRandom,
  isOver: () => boolean,
): readonly Int32Array[] | null {
  let longest = 0;
  for (let i = 0; i < starts.length; i++) longest = Math.max(longest, distances.row(i)[starts[i]]);
  if (!PathSpreader.fits(graph, longest)) return null;
  return new PathSpreader(graph, starts, goals, distances, random).spread(MOST_SPREAD, isOver).ways;
}

/** A path per robot, each without its rest at the end. */
function toPaths(configurations: readonly Int32Array[]): RobotPath[] {
  const robots = configurations[0].length;
  const paths: RobotPath[] = [];
  // A block of robots at a time: all of one line of memory is used when it is read.
  for (let begin = 0; begin < robots; begin += 16) {
    const end = Math.min(begin + 16, robots);
    for (let i = begin; i < end; i++) paths.push(new Int32Array(configurations.length));
    for (let t = 0; t < configurations.length; t++) {
      const configuration = configurations[t];
      for (let i = begin; i < end; i++) paths[i][t] = configuration[i];
    }
    for (let i = begin; i < end; i++) paths[i] = paths[i].slice(0, pathCost(paths[i]) + 1);
  }
  return paths;
}

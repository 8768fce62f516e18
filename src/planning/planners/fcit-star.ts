/**
 * FCIT*: batches of states in which every state is a neighbour of every other, searched edge by edge in the order of the cost that they promise.
 *
 * Method: 1. RRT-Connect's path, shortened, is the first (first-path-search.ts); 2. a batch of valid states is drawn from where a cheaper path can pass;
 * 3. edges are taken in the order of f = g(p) + c(p, x) + h(x), cost from the start, of the edge, at least left to a goal; one that would
 * lower g(x) has its motion asked, and where that is valid x hangs at p; until no edge promises less than the best path costs. Every state
 * keeps a heap of its own edges by c + h, made when its turn comes and only of edges that promise enough; in the queue stands only its
 * next one. What is known of motions is kept. Steps 2 and 3 go on for `rounds` batches. No neighbours are searched for, and long motions come first.
 * Source: Wilson, Thomason, Kingston, Kavraki, Gammell 2024, "Nearest-neighbourless asymptotically optimal motion planning with fully connected
 * informed trees (FCIT*)", sections III and IV, doi:10.48550/arXiv.2411.17902; batches and the order of edges: Gammell, Barfoot, Srinivasa
 * 2020, "Batch Informed Trees (BIT*)", doi:10.1177/0278364919890396.
 * Cost: a batch O(n) per state that is expanded, O(log n) per edge that is looked at, and the motions of edges that promise to lower a cost.
 * Ends: as RRT-Connect until there is a path; then always `solved`.
 * Tested by test/contract/planners.test.ts and test/contract/optimal-planners.test.ts.
 */
import { requireFunction } from '../../math/arguments.js';
import { createRandom, type Random } from '../../math/random.js';
import { DRAW_INTERVAL } from '../goal-region.js';
import { type Objective, requireObjective } from '../objective.js';
import type { Planner } from '../planner.js';
import { type PlanningProblem, requireProblem } from '../problem.js';
import { requireCount, requirePositive } from '../requests.js';
import { createInformedSampler, type InformedSampler } from '../sampler.js';
import type { StopWatch } from '../stopping.js';
import type { Improvement } from './anytime-rrt-connect.js';
import { EdgeQueue } from './edge-queue.js';
import { FirstPathSearch } from './first-path-search.js';

export interface FcitStarSettings {
  /** Batches after the first path; default 8. Infinity: until iterations or time are out. */
  readonly rounds?: number;
  /** States per batch; default 64. */
  readonly batchSize?: number;
  /** What is made small; default: length in the metric of the space. */
  readonly objective?: Objective;
  /** Longest extension of the first search; default 1. */
  readonly range?: number;
  /** Told of every better path. */
  readonly onImprovement?: (improvement: Improvement) => void;
}

export interface FcitStarRequest extends PlanningProblem, FcitStarSettings {}

const DEFAULT_ROUNDS = 8;
const DEFAULT_SIZE = 64;
const SEED_STEP = 0x2545f491;
/** Ways that would gain less are not asked about, relatively. */
const LEAST_GAIN = 1e-6;
/** More states than this are begun anew with the best path alone: memory and time per batch grow with them. */
const MOST_STATES = 3000;

/** Its row in the registry. */
export const fcitStar: Planner = {
  name: 'fcit-star',
  about:
    'batches of states all joined with all, from which the cheapest way is taken: best paths where motions may be long',
  settings: ['rounds', 'batchSize', 'objective', 'range', 'onImprovement'],
  isAnytime: true,
  create(call, request: FcitStarRequest, watch) {
    requireProblem(call, request);
    const { rounds, batchSize, objective, range, onImprovement } = request;
    requireCount(call, 'rounds', rounds);
    requireCount(call, 'batchSize', batchSize, 1);
    requireObjective(call, objective);
    requirePositive(call, 'range', range);
    if (onImprovement !== undefined) requireFunction(call, 'onImprovement', onImprovement);
    return new FcitStarSearch(call, request, watch);
  },
};

interface Node {
  readonly state: Float64Array;
  readonly isGoal: boolean;
  /** At least left to a goal. */
  left: number;
  cost: number;
  parent: number;
}

class FcitStarSearch extends FirstPathSearch<FcitStarRequest> {
  private readonly states: Node[] = [];
  private readonly queue = new EdgeQueue();
  /** Edges whose motion is known, by the number of their pair. */
  private readonly known = new Map<number, boolean>();
  private readonly random: Random;
  private readonly sample: Float64Array;
  private sampler: InformedSampler;
  private batches = 0;
  private drawn = 0;
  /** Edges are being looked at. */
  private searches = false;

  constructor(call: string, given: FcitStarRequest, watch: StopWatch) {
    super(call, given, watch);
    const { space, problem } = this;
    this.random = createRandom(((problem.seed ?? 1) + SEED_STEP) >>> 0);
    this.sample = new Float64Array(space.dimension);
    this.sampler = createInformedSampler(space, problem.start, this.goals);
    this.begin();
  }

  protected get nodes(): number {
    return this.states.length;
  }

  /** One state drawn, or one motion asked. */
  protected improve(): void {
    if (this.searches) {
      this.takeEdge();
      return;
    }
    const { problem, sample } = this;
    if (this.stream && this.iterations % DRAW_INTERVAL === 0) this.addGoal();
    this.drawn++;
    if (this.sampler.draw(sample, this.random) && this.checks.checker.isValid(sample)) this.addState(sample, false);
    if (this.drawn % (problem.batchSize ?? DEFAULT_SIZE) !== 0) return;
    this.searches = true;
    this.expand(0);
  }

  protected takePath(path: readonly Float64Array[]): void {
    this.setBound();
    // Once, of the first path and of what comes of shortening it.
    if (!this.searches) this.beginWith(path);
  }

  private setBound(): void {
    this.sampler.bound = this.problem.objective === undefined ? this.cost : Infinity;
  }

  /** The start, the goals, and the states of a path, which hang one behind the other. */
  private beginWith(path: readonly Float64Array[]): void {
    const { states, objective } = this;
    states.length = 0;
    this.known.clear();
    this.addState(this.problem.start, false);
    states[0].cost = 0;
    for (const goal of this.goals) this.addState(goal, true);
    let parent = 0;
    for (let i = 1; i < path.length; i++) {
      const goal = i < path.length - 1 ? -1 : this.goals.findIndex((state) => state.every((x, k) => x === path[i][k]));
      const node = goal >= 0 ? 1 + goal : this.addState(path[i], false);
      states[node].parent = parent;
      states[node].cost = states[parent].cost + objective.motionCost(path[i - 1], path[i]);
      this.known.set(this.pairOf(parent, node), true);
      parent = node;
    }
  }

  private addState(state: Float64Array, isGoal: boolean): number {
    const { states } = this;
    states.push({ state: state.slice(), isGoal, left: this.leftFrom(state, isGoal), cost: Infinity, parent: -1 });
    return states.length - 1;
  }

  private leftFrom(state: Float64Array, isGoal: boolean): number {
    if (isGoal) return 0;
    let least = Infinity;
    for (const goal of this.goals) least = Math.min(least, this.objective.lowerBound(state, goal));
    return least;
  }

  private addGoal(): void {
    const goal = this.stream?.next();
    if (!goal) return;
    this.goals.push(goal);
    this.sampler = createInformedSampler(this.space, this.problem.start, this.goals);
    this.setBound();
    // Goals stand behind the start.
    this.beginWith(this.path);
  }

  /** Puts a state's edges that promise a better path, and those that hang at it, into the queue. */
  private expand(from: number): void {
    const { states, objective, queue } = this;
    const { state, cost: reached } = states[from];
    const most = this.cost * (1 - LEAST_GAIN) - reached;
    queue.open(from, reached);
    for (let to = 1; to < states.length; to++) {
      const other = states[to];
      if (to === from || !(other.left < most)) continue;
      const bound = objective.lowerBound(state, other.state);
      if (bound + other.left < most && (other.parent === from || reached + bound < other.cost))
        queue.add(from, to, bound + other.left);
    }
    queue.close(from);
  }

  /** Goes along the queue until a motion has been asked, or to the end of the batch. */
  private takeEdge(): void {
    const { states, queue, objective, known } = this;
    for (;;) {
      const edge = queue.take();
      const most = this.cost * (1 - LEAST_GAIN);
      if (!edge || !(edge.key < most)) {
        this.endBatch();
        return;
      }
      const { from, to } = edge;
      const [a, b] = [states[from], states[to]];
      if (b.parent === from) {
        // What hangs there has its turn once per batch, and again when the way to it has become cheaper.
        const total = a.cost + objective.motionCost(a.state, b.state);
        if (total < b.cost || !queue.has(to)) this.hang(from, to, Math.min(total, b.cost));
        continue;
      }
      if (!(a.cost + objective.lowerBound(a.state, b.state) < b.cost)) continue;
      const total = a.cost + objective.motionCost(a.state, b.state);
      if (!(total < b.cost && total + b.left < most)) continue;
      const pair = this.pairOf(from, to);
      const free = known.get(pair) ?? this.isFreeFinely(a.state, b.state);
      const wasKnown = known.has(pair);
      if (this.watch.wasOver && !wasKnown) return;
      known.set(pair, free);
      if (free) this.hang(from, to, total);
      if (!wasKnown) return;
    }
  }

  private hang(from: number, to: number, total: number): void {
    const { states } = this;
    states[to].parent = from;
    states[to].cost = total;
    if (!states[to].isGoal) {
      this.expand(to);
      return;
    }
    const path: Float64Array[] = [];
    for (let at = to; at >= 0; at = states[at].parent) path.push(states[at].state);
    this.offer(path.reverse());
  }

  private endBatch(): void {
    const { problem } = this;
    this.queue.clear();
    this.searches = false;
    this.batches++;
    if (this.batches >= (problem.rounds ?? DEFAULT_ROUNDS))
      this.finish(
        'solved',
        `the best of ${this.batches} batches of ${problem.batchSize ?? DEFAULT_SIZE} states`,
        this.path,
      );
    else if (this.states.length > MOST_STATES) this.beginWith(this.path);
  }

  private pairOf(a: number, b: number): number {
    return a < b ? b * 67108864 + a : a * 67108864 + b;
  }
}

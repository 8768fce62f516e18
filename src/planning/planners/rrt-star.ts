/**
 * RRT*: one tree from the start in which every node comes to hang where the way to it costs least, so that its paths tend to the best.
 *
 * Method, per iteration: 1. a state is drawn, a goal now and then; once there is a path, from where cheaper ones can pass (sampler.ts);
 * 2. the nearest node goes at most `range` towards it; 3. among the nearest e (1 + 1/d) log n nodes the one through which the way costs
 * least, with a valid motion, is the parent; 4. those of them to which the way through the new node costs less are hung there (rewiring).
 * Goals are nodes as soon as they are reached. A better path is the answer once it has passed the last check; a motion that fails it is taken
 * away, what hung behind it is taken up again by what comes near, and further motions must pass both checks. After the first path the search goes on for `rounds` times 64 iterations.
 * Source: Karaman, Frazzoli 2011, "Sampling-based algorithms for optimal motion planning", sections 3.3.2 and 3.3.3 (k nearest),
 * doi:10.1177/0278364911406761; draws after the first path: Gammell, Srinivasa, Barfoot 2014, "Informed RRT*", doi:10.1109/IROS.2014.6942976.
 * Units: lengths in the metric of the space, costs of the objective. Cost: per iteration a search for neighbours, and the checks along
 * motions that promise to lower a cost.
 * Ends: `limit`, `approximate`, `timeout` as GraphSearch until there is a path; then always `solved`.
 * Tested by test/contract/planners.test.ts and test/contract/optimal-planners.test.ts.
 */
import { requireFunction } from '../../math/arguments.js';
import { createRandom, type Random } from '../../math/random.js';
import { log } from '../../math/scalar.js';
import { DRAW_INTERVAL } from '../goal-region.js';
import { createLengthObjective, type Objective, requireObjective } from '../objective.js';
import type { Planner } from '../planner.js';
import { type PlanningProblem, requireProblem } from '../problem.js';
import { requireCount } from '../requests.js';
import { createInformedSampler, type InformedSampler } from '../sampler.js';
import { StateGraph } from '../state-graph.js';
import type { StopWatch } from '../stopping.js';
import type { Improvement } from './anytime-rrt-connect.js';
import { GraphSearch } from './graph-search.js';
import { type RrtSettings, requireGrowth } from './rrt.js';

export interface RrtStarSettings extends RrtSettings {
  /** Times 64 iterations after the first path; default 32. Infinity: until iterations or time are out. */
  readonly rounds?: number;
  /** What is made small; default: length in the metric of the space. */
  readonly objective?: Objective;
  /** Told of every better path. */
  readonly onImprovement?: (improvement: Improvement) => void;
}

export interface RrtStarRequest extends PlanningProblem, RrtStarSettings {}

const DEFAULT_BIAS = 0.05;
const DEFAULT_ROUNDS = 32;
const ROUND = 64;
const MOST_NEIGHBOURS = 64;
/** Gains below this are rounding, relatively. */
const LEAST_GAIN = 1e-9;

/** Its row in the registry. */
export const rrtStar: Planner = {
  name: 'rrt-star',
  about: 'one tree that is rewired: paths that tend to the cheapest, for any objective',
  settings: ['range', 'goalBias', 'rounds', 'objective', 'onImprovement'],
  isAnytime: true,
  create(call, request: RrtStarRequest, watch) {
    requireProblem(call, request);
    requireGrowth(call, request);
    requireCount(call, 'rounds', request.rounds);
    requireObjective(call, request.objective);
    if (request.onImprovement !== undefined) requireFunction(call, 'onImprovement', request.onImprovement);
    return new RrtStarSearch(request, watch);
  },
};

class RrtStarSearch extends GraphSearch<RrtStarRequest> {
  private readonly graph: StateGraph;
  private readonly random: Random;
  private readonly range: number;
  private readonly bias: number;
  private readonly objective: Objective;
  private readonly isLength: boolean;
  private sampler: InformedSampler;
  private readonly sample: Float64Array;
  private readonly near: Float64Array;
  private readonly other: Float64Array;
  private readonly neighbours = new Int32Array(MOST_NEIGHBOURS);
  private readonly distances = new Float64Array(MOST_NEIGHBOURS);
  /** Nodes of goals that were reached, by number of the goal. */
  private readonly goalNodes = new Map<number, number>();
  private cost = Infinity;
  private since = 0;
  /** What decides about motions of the tree: also the last check, once that has found a fault. */
  private ask = this.isFree;

  constructor(given: RrtStarRequest, watch: StopWatch) {
    super(given, watch);
    const { space, problem } = this;
    this.graph = new StateGraph(space);
    this.random = createRandom(problem.seed ?? 1);
    this.range = problem.range ?? 1;
    this.bias = problem.goalBias ?? DEFAULT_BIAS;
    this.isLength = problem.objective === undefined;
    this.objective = problem.objective ?? createLengthObjective(space);
    this.sampler = createInformedSampler(space, problem.start, this.goals);
    this.sample = new Float64Array(space.dimension);
    this.near = new Float64Array(space.dimension);
    this.other = new Float64Array(space.dimension);
    if (this.done) return;
    this.graph.setRoot(this.graph.add(problem.start));
    const straight = this.tryStraight();
    if (straight && this.isLength && this.goals.length === 1 && !this.stream)
      this.finish('solved', 'straight line', [problem.start.slice(), straight.slice()]);
    else if (straight) {
      // The cheapest may be another one.
      this.add(straight, 0, this.objective.motionCost(problem.start, straight));
      this.goalNodes.set(this.goals.indexOf(straight), this.graph.size - 1);
      this.takeBest();
      if (problem.start.every((x, k) => x === straight[k])) this.finish('solved', 'straight line', this.path);
    }
  }

  protected get nodes(): number {
    return this.graph.size;
  }

  protected iterate(): void {
    const { sample, near, graph, space, goals, random, range, neighbours, distances } = this;
    if (this.stream && this.iterations % DRAW_INTERVAL === 0) this.addGoal();
    if (this.path.length > 0 && ++this.since > ROUND * (this.problem.rounds ?? DEFAULT_ROUNDS)) {
      this.finish('solved', `the best of ${this.since - 1} iterations after the first path`, this.path);
      return;
    }
    let goal = -1;
    if (random.next() < this.bias) {
      goal = random.integer(goals.length);
      if (this.goalNodes.has(goal)) return;
      sample.set(goals[goal]);
    } else if (!this.sampler.draw(sample, random)) return;
    const count = graph.nearest(neighbours, distances, sample, this.neighbourCount);
    const from = this.firstReached(count);
    if (from < 0 || distances[from] === 0) return;
    let found = count;
    if (distances[from] > range) {
      graph.read(near, neighbours[from]);
      space.interpolate(sample, near, sample, range / distances[from]);
      found = graph.nearest(neighbours, distances, sample, this.neighbourCount);
      goal = -1;
    }
    if (!space.satisfiesBounds(sample) || (found > 0 && distances[0] === 0)) return;
    const node = this.hang(sample, found);
    if (node < 0) return;
    if (goal >= 0) this.goalNodes.set(goal, node);
    this.rewire(node, found);
    this.joinGoals(node);
    this.takeBest();
  }

  protected partialPath(): Float64Array[] {
    const { graph, neighbours, distances } = this;
    let least = Infinity;
    let best: Float64Array[] = [];
    for (const goal of this.goals) {
      const at = this.firstReached(graph.nearest(neighbours, distances, goal, MOST_NEIGHBOURS));
      if (at < 0 || distances[at] >= least) continue;
      least = distances[at];
      best = graph.wayTo(neighbours[at]);
    }
    return best;
  }

  private get neighbourCount(): number {
    const count = Math.ceil(Math.E * (1 + 1 / this.space.dimension) * log(this.graph.size + 1));
    return Math.max(4, Math.min(MOST_NEIGHBOURS, count));
  }

  /** The first of the neighbours that has a way from the start. */
  private firstReached(count: number): number {
    for (let i = 0; i < count; i++) if (this.graph.costs[this.neighbours[i]] < Infinity) return i;
    return -1;
  }

  /** Adds a state with the parent through which the way costs least; -1 where no motion to it is valid. */
  private hang(state: Float64Array, count: number): number {
    const { graph, neighbours, objective, near } = this;
    const ways = [];
    for (let i = 0; i < count; i++) {
      const cost = graph.costs[neighbours[i]];
      if (cost === Infinity || this.distances[i] > 2 * this.range) continue;
      ways.push({ parent: neighbours[i], bound: cost + objective.lowerBound(graph.read(near, neighbours[i]), state) });
    }
    ways.sort((a, b) => a.bound - b.bound || a.parent - b.parent);
    let best = -1;
    let least = Infinity;
    let edge = 0;
    for (const { parent, bound } of ways) {
      if (bound >= least) break;
      graph.read(near, parent);
      const motion = objective.motionCost(near, state);
      const total = graph.costs[parent] + motion;
      if (total >= least || !this.ask(near, state)) continue;
      [best, least, edge] = [parent, total, motion];
    }
    return best < 0 ? -1 : this.add(state, best, edge);
  }

  private add(state: Float64Array, parent: number, cost: number): number {
    const node = this.graph.add(state);
    this.graph.connect(node, parent, cost);
    this.graph.rewire(node, parent);
    return node;
  }

  private rewire(node: number, count: number): void {
    const { graph, neighbours, objective, other, sample } = this;
    for (let i = 0; i < count; i++) {
      const child = neighbours[i];
      if (child === graph.parents[node] || this.distances[i] > 2 * this.range) continue;
      graph.read(other, child);
      const bound = graph.costs[child] * (1 - LEAST_GAIN);
      if (!(graph.costs[node] + objective.lowerBound(sample, other) < bound)) continue;
      const motion = objective.motionCost(sample, other);
      if (!(graph.costs[node] + motion < bound) || !this.ask(sample, other)) continue;
      const before = graph.parents[child];
      graph.connect(child, node, motion);
      graph.rewire(child, node);
      if (before >= 0) graph.disconnect(child, before);
    }
  }

  /** Goals within range of a new node are tried. */
  private joinGoals(node: number): void {
    const { goals, goalNodes, graph, space, objective, sample, range } = this;
    goals.forEach((goal, i) => {
      if (goalNodes.has(i) || space.distance(sample, goal) > range) return;
      if (!(graph.costs[node] + objective.lowerBound(sample, goal) < this.cost)) return;
      if (this.ask(sample, goal)) goalNodes.set(i, this.add(goal, node, objective.motionCost(sample, goal)));
    });
  }

  private addGoal(): void {
    const goal = this.stream?.next();
    if (!goal) return;
    const { bound } = this.sampler;
    this.goals.push(goal);
    this.sampler = createInformedSampler(this.space, this.problem.start, this.goals);
    this.sampler.bound = bound;
  }

  /** The cheapest way to a goal, where it is cheaper than before and passes the last check. */
  private takeBest(): void {
    const { graph, last } = this;
    for (;;) {
      let best = -1;
      for (const node of this.goalNodes.values()) if (best < 0 || graph.costs[node] < graph.costs[best]) best = node;
      const cost = best < 0 ? Infinity : graph.costs[best];
      if (!(cost < this.cost * (1 - LEAST_GAIN))) return;
      const nodes: number[] = [];
      for (let at = best; at >= 0; at = graph.parents[at]) nodes.push(at);
      nodes.reverse();
      const path = graph.wayTo(best);
      const bad = last ? nodes.findIndex((_, i) => i > 0 && !last.isMotionValid(path[i - 1], path[i])) : -1;
      if (this.watch.wasOver) return;
      if (bad > 0) {
        graph.disconnect(nodes[bad], nodes[bad - 1]);
        this.ask = this.isFreeFinely;
        continue;
      }
      this.path = this.withoutRepeats(path);
      this.cost = cost;
      if (this.isLength) this.sampler.bound = cost;
      this.problem.onImprovement?.({ cost, iterations: this.iterations });
      return;
    }
  }
}

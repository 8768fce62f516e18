/**
 * RRT: one tree from the start that grows into the free space until a goal is reached.
 *
 * Method, per iteration: 1. a state is drawn, a goal now and then (`goalBias`); 2. the nearest node goes at most `range` towards it; 3. where
 * that motion is valid its end is a node, and a goal within `range` of it is tried; 4. a way to a goal is checked once more by the last
 * check, and what hangs behind a motion that fails it is cut off.
 * Source: LaValle, Kuffner 2001, "Randomized kinodynamic planning", section 3.1, doi:10.1177/02783640122067453.
 * Units: lengths in the metric of the space. Cost: per iteration one nearest neighbour and the checks along a motion or two.
 * Ends: as GraphSearch: `solved`, `limit`, `approximate`, `timeout`. Not finding a path proves nothing.
 * Tested by test/contract/planners.test.ts.
 */
import { requireNumberThat } from '../../math/arguments.js';
import { createRandom, type Random } from '../../math/random.js';
import { DRAW_INTERVAL } from '../goal-region.js';
import type { Planner } from '../planner.js';
import { type PlanningProblem, requireProblem } from '../problem.js';
import { requirePositive } from '../requests.js';
import { StateTree } from '../state-tree.js';
import type { StopWatch } from '../stopping.js';
import { GraphSearch } from './graph-search.js';

export interface RrtSettings {
  /** Longest single extension; default 1. */
  readonly range?: number;
  /** Share of the draws that are goals, 0 to 1; default 0.05. */
  readonly goalBias?: number;
}

export interface RrtRequest extends PlanningProblem, RrtSettings {}

const DEFAULT_BIAS = 0.05;

/** Its row in the registry. */
export const rrt: Planner = {
  name: 'rrt',
  about: 'one tree from the start: where only the way there can be judged, and to compare with',
  settings: ['range', 'goalBias'],
  isAnytime: false,
  create(call, request: RrtRequest, watch) {
    requireProblem(call, request);
    requireGrowth(call, request);
    return new RrtSearch(request, watch);
  },
};

/** Settings of planners that grow one tree. */
export function requireGrowth(call: string, { range, goalBias }: RrtSettings): void {
  requirePositive(call, 'range', range);
  if (goalBias !== undefined)
    requireNumberThat(call, 'goalBias', goalBias, (x) => x >= 0 && x <= 1, 'a number from 0 to 1');
}

class RrtSearch extends GraphSearch<RrtRequest> {
  private readonly tree: StateTree;
  private readonly random: Random;
  private readonly range: number;
  private readonly bias: number;
  private readonly sample: Float64Array;
  private readonly near: Float64Array;

  constructor(given: RrtRequest, watch: StopWatch) {
    super(given, watch);
    const { space, problem } = this;
    this.tree = new StateTree(space);
    this.random = createRandom(problem.seed ?? 1);
    this.range = problem.range ?? 1;
    this.bias = problem.goalBias ?? DEFAULT_BIAS;
    this.sample = new Float64Array(space.dimension);
    this.near = new Float64Array(space.dimension);
    if (this.done) return;
    this.tree.add(problem.start, -1);
    const straight = this.tryStraight();
    if (straight) this.finish('solved', 'straight line', [problem.start.slice(), straight.slice()]);
  }

  protected get nodes(): number {
    return this.tree.size;
  }

  protected iterate(): void {
    const { sample, near, tree, space, goals, random, range } = this;
    if (this.stream && this.iterations % DRAW_INTERVAL === 0) {
      const goal = this.stream.next();
      if (goal) goals.push(goal);
    }
    if (random.next() < this.bias) sample.set(goals[random.integer(goals.length)]);
    else space.sample(sample, random);
    const from = tree.nearest(sample);
    const distance = tree.nearestDistance;
    if (from < 0 || distance === 0) return;
    tree.read(near, from);
    if (distance > range) space.interpolate(sample, near, sample, range / distance);
    if (!this.isFree(near, sample)) return;
    const node = tree.add(sample, from);
    for (const goal of goals) {
      const left = space.distance(sample, goal);
      if (left > range || (left > 0 && !this.isFree(sample, goal))) continue;
      const path = tree.pathTo(node);
      if (left > 0) path.push(goal.slice());
      if (!this.passes(path, node)) return;
      this.finish('solved', 'a goal was reached', path);
      return;
    }
  }

  protected partialPath(): Float64Array[] {
    let least = Infinity;
    let best: Float64Array[] = [];
    for (const goal of this.goals) {
      const node = this.tree.nearest(goal);
      if (node < 0 || this.tree.nearestDistance >= least) continue;
      least = this.tree.nearestDistance;
      best = this.tree.pathTo(node);
    }
    return best;
  }

  /** The last check of a path to the node, or beyond it; what is behind a motion that fails is cut off. */
  private passes(path: readonly Float64Array[], node: number): boolean {
    const { last, tree } = this;
    if (!last) return true;
    const up: number[] = [];
    for (let at = node; ; at = tree.parent[at]) {
      up.push(at);
      if (tree.parent[at] === at) break;
    }
    up.reverse();
    for (let i = 1; i < path.length; i++) {
      if (last.isMotionValid(path[i - 1], path[i])) continue;
      if (i < up.length && !this.watch.wasOver) tree.remove(up[i]);
      return false;
    }
    return true;
  }
}

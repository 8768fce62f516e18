/**
 * A way through space and time for one that moves among others whose motions are known: a tree whose nodes are states at times.
 *
 * Method: 1. a path that ignores the others is gone along at full speed, as far as that is free, and its states are the first nodes; 2. per iteration a state and a time are
 * drawn, and of the nodes not later than that the nearest goes towards the state, at once or after a wait; 3. from every new node the goal is tried, at once and after waits;
 * it counts where it can be stayed at for ever; 4. in what is found states are left out where the straight motion past them, at a steady speed, is free.
 * Source: Sintov, Shapiro 2014, "Time-based RRT algorithm for rendezvous planning of two dynamic systems", doi:10.1109/ICRA.2014.6907855 (trees in space
 * and time); Erdmann, Lozano-Perez 1987, "On multiple moving objects", doi:10.1007/BF01840371 (configuration space-time).
 * Units: seconds; states as of the space. Free is what `isFree` says, of a whole motion at every time. Not the soonest, and no proof where there is none.
 * Cost: per iteration a scan of the nodes and a few questions. Tested by space-time-search.test.ts.
 */
import { createRandom } from '../../math/random.js';
import type { StateSpace } from '../types.js';

export interface SpaceTimeProblem {
  readonly space: StateSpace;
  readonly start: Float64Array;
  readonly goal: Float64Array;
  /** From the start to the goal, the others aside; empty without one. */
  readonly path: readonly Float64Array[];
  /** When the others have come to rest. */
  readonly horizon: number;
  /** Seconds from a to b at full speed. */
  duration(a: Float64Array, b: Float64Array): number;
  /** Whether it may go straight, at a steady speed, from a at one time to b at another; a may be b. */
  isFree(a: Float64Array, from: number, b: Float64Array, to: number): boolean;
  /** Whether it may stand at a state from a time on. */
  canStay(q: Float64Array, from: number): boolean;
  readonly seed: number;
  readonly maxIterations: number;
}

export interface SpaceTimeWay {
  /** Ascending from 0. */
  readonly times: readonly number[];
  readonly path: readonly Float64Array[];
}

/** Shares of draws. */
const GOAL_BIAS = 0.1;
const WAIT_SHARE = 0.3;
/** Waits before the goal is tried, as a part of the horizon. */
const WAITS = 12;
/** Steps are at most this part of the space's diameter. */
const RANGE = 0.2;

/** Null where none was found. */
export function searchSpaceTime(problem: SpaceTimeProblem): SpaceTimeWay | null {
  return new SpaceTimeTree(problem).run();
}

class SpaceTimeTree {
  private readonly states: Float64Array[] = [];
  private readonly times: number[] = [];
  private readonly parents: number[] = [];
  private readonly random;
  private readonly slack: number;

  constructor(private readonly problem: SpaceTimeProblem) {
    this.random = createRandom(problem.seed);
    // Time enough to come after the others.
    this.slack = problem.duration(problem.start, problem.goal) + 1e-3;
  }

  run(): SpaceTimeWay | null {
    const { problem, random } = this;
    const { start, goal, path, space, maxIterations } = problem;
    if (!problem.isFree(start, 0, start, 0)) return null;
    this.add(start, 0, -1);
    if (this.tryGoal(0, WAITS)) return this.describe();
    let last = 0;
    for (const state of path.slice(1)) {
      const next = this.go(last, state, 0);
      if (next < 0) break;
      last = next;
      if (this.tryGoal(last, WAITS)) return this.describe();
    }
    const sample = new Float64Array(space.dimension);
    const step = new Float64Array(space.dimension);
    const range = RANGE * space.distance(space.sample(step, random), space.sample(sample, random)) + 1e-3;
    for (let i = 0; i < maxIterations; i++) {
      if (random.next() < GOAL_BIAS) sample.set(goal);
      else space.sample(sample, random);
      const node = this.nearest(sample, random.next() * (problem.horizon + this.slack));
      const from = this.states[node];
      const distance = space.distance(from, sample);
      if (!(distance > 0)) continue;
      space.interpolate(step, from, sample, Math.min(1, range / distance));
      const wait = random.next() < WAIT_SHARE ? (random.next() * problem.horizon) / 4 : 0;
      const next = this.go(node, step.slice(), wait);
      if (next >= 0 && this.tryGoal(next, i % 4 === 0 ? WAITS : 1)) return this.describe();
    }
    return null;
  }

  private add(state: Float64Array, time: number, parent: number): number {
    this.states.push(state.slice());
    this.times.push(time);
    this.parents.push(parent);
    return this.states.length - 1;
  }

  /** Number of the node that is reached, -1 where something is in the way. */
  private go(node: number, to: Float64Array, wait: number): number {
    const { problem } = this;
    let at = node;
    let time = this.times[node];
    const from = this.states[node];
    if (wait > 0) {
      if (!problem.isFree(from, time, from, time + wait)) return -1;
      time += wait;
    }
    const arrival = time + problem.duration(from, to);
    if (!problem.isFree(from, time, to, arrival)) return -1;
    if (wait > 0) at = this.add(from, time, at);
    return this.add(to, arrival, at);
  }

  private tryGoal(node: number, waits: number): boolean {
    const { problem } = this;
    const { goal, horizon } = problem;
    const from = this.states[node];
    const begin = this.times[node];
    const step = Math.max(horizon - begin, 0) / (WAITS - 1);
    for (let n = 0; n < waits; n++) {
      const time = begin + n * step;
      if (n > 0 && (step === 0 || !problem.isFree(from, time - step, from, time))) return false;
      const arrival = time + problem.duration(from, goal);
      if (!problem.canStay(goal, arrival) || !problem.isFree(from, time, goal, arrival)) continue;
      this.add(goal, arrival, n > 0 ? this.add(from, time, node) : node);
      return true;
    }
    return false;
  }

  private nearest(sample: Float64Array, latest: number): number {
    const { space } = this.problem;
    let best = 0;
    let least = Infinity;
    for (let node = 0; node < this.states.length; node++) {
      if (this.times[node] > latest) continue;
      const distance = space.distance(this.states[node], sample);
      if (distance < least) {
        least = distance;
        best = node;
      }
    }
    return best;
  }

  /** The way to the last node, states left out where they can be. */
  private describe(): SpaceTimeWay {
    const { problem } = this;
    const nodes: number[] = [];
    for (let node = this.states.length - 1; node >= 0; node = this.parents[node]) nodes.push(node);
    nodes.reverse();
    const kept = [nodes[0]];
    for (let i = 0; i < nodes.length - 1; ) {
      let next = nodes.length - 1;
      const [a, from] = [this.states[nodes[i]], this.times[nodes[i]]];
      while (next > i + 1 && !problem.isFree(a, from, this.states[nodes[next]], this.times[nodes[next]])) next--;
      kept.push(nodes[next]);
      i = next;
    }
    return { times: kept.map((node) => this.times[node]), path: kept.map((node) => this.states[node].slice()) };
  }
}

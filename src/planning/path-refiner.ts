/**
 * Draws a path tight, one attempt at a time: what anytime planners do with a path that is worth it.
 *
 * Method, by turns at random: 1. a straight motion between two points of the path, anywhere on its motions, in place of what is between; or
 * 2. an inner state moved towards the point of the chord between its neighbours, and by a random part of the distance to it sideways.
 * An attempt is kept where the path costs less by it and its motions are free. Costs are looked at first: most attempts ask nothing.
 * Source: shortcuts between random points: Geraerts, Overmars 2007, "Creating high-quality paths for motion planning", section 3,
 * doi:10.1177/0278364907079280; states moved at random as in Thomason, Kingston, Kavraki 2024, doi:10.1109/ICRA57147.2024.10611190.
 * Cost: at most two motions asked per attempt. The ends stay bit for bit; the cost never grows. Tested by path-refiner.test.ts.
 */
import type { Random } from '../math/random.js';
import type { Objective } from './objective.js';
import type { StateSpace } from './types.js';

/** Gains below this are rounding, relatively. */
const LEAST_GAIN = 1e-7;
const SHORTCUTS = 0.5;
/** How far a state goes sideways, as a part of its distance to the chord. */
const SIDEWAYS = 0.4;

export class PathRefiner {
  private states: Float64Array[] = [];
  /** Cost of the motion that ends at a state. */
  private costs: number[] = [];
  private readonly first: Float64Array;
  private readonly second: Float64Array;

  constructor(
    private readonly space: StateSpace,
    private readonly objective: Objective,
    private readonly isFree: (a: Float64Array, b: Float64Array) => boolean,
    private readonly random: Random,
  ) {
    this.first = new Float64Array(space.dimension);
    this.second = new Float64Array(space.dimension);
  }

  get path(): Float64Array[] {
    return this.states;
  }

  get cost(): number {
    let cost = 0;
    for (const part of this.costs) cost += part;
    return cost;
  }

  /** Begins with another path, which is not changed. */
  open(path: readonly Float64Array[]): void {
    this.states = [...path];
    this.costs = path.map((state, i) => (i === 0 ? 0 : this.objective.motionCost(path[i - 1], state)));
  }

  /** One attempt; whether the path costs less by it. */
  attempt(): boolean {
    if (this.states.length < 3) return false;
    return this.random.next() < SHORTCUTS ? this.shortcut() : this.move();
  }

  private shortcut(): boolean {
    const { states, costs, random, space, objective, first, second } = this;
    const i = random.integer(states.length - 1);
    const j = random.integer(states.length - 1);
    if (i === j) return false;
    const from = Math.min(i, j);
    const to = Math.max(i, j);
    const s = random.next();
    const t = random.next();
    space.interpolate(first, states[from], states[from + 1], s);
    space.interpolate(second, states[to], states[to + 1], t);
    let old = costs[to + 1] + costs[from + 1];
    for (let k = from + 2; k <= to; k++) old += costs[k];
    const before = objective.motionCost(states[from], first);
    const after = objective.motionCost(second, states[to + 1]);
    // A lower bound needs no motion to be looked at.
    const bound = old * (1 - LEAST_GAIN) - before - after;
    if (!(objective.lowerBound(first, second) < bound) || !this.isFree(first, second)) return false;
    const middle = objective.motionCost(first, second);
    if (!(middle < bound)) return false;
    states.splice(from + 1, to - from, first.slice(), second.slice());
    costs.splice(from + 1, to - from + 1, before, middle, after);
    this.dropRepeats(from);
    return true;
  }

  private move(): boolean {
    const { states, costs, random, space, objective, first, second } = this;
    const i = 1 + random.integer(states.length - 2);
    const [a, state, b] = [states[i - 1], states[i], states[i + 1]];
    const toA = space.distance(a, state);
    const toB = space.distance(state, b);
    if (toA + toB === 0) return false;
    space.interpolate(first, a, b, toA / (toA + toB));
    const away = space.distance(state, first);
    space.interpolate(first, state, first, random.next());
    space.sample(second, random);
    const far = space.distance(first, second);
    if (far > 0) space.interpolate(first, first, second, Math.min(1, (SIDEWAYS * away * random.next()) / far));
    const bound = (costs[i] + costs[i + 1]) * (1 - LEAST_GAIN);
    if (!(objective.lowerBound(a, first) + objective.lowerBound(first, b) < bound)) return false;
    if (!space.satisfiesBounds(first) || !this.isFree(a, first) || !this.isFree(first, b)) return false;
    const before = objective.motionCost(a, first);
    const after = objective.motionCost(first, b);
    if (!(before + after < bound)) return false;
    states[i] = first.slice();
    costs[i] = before;
    costs[i + 1] = after;
    return true;
  }

  /** A shortcut may begin or end in a state of the path: it then stands twice. */
  private dropRepeats(from: number): void {
    const { states, costs } = this;
    for (let i = Math.min(from + 3, states.length - 1); i > from; i--) {
      if (!states[i].every((x, k) => x === states[i - 1][k])) continue;
      states.splice(i === states.length - 1 ? i - 1 : i, 1);
      costs.splice(i, 1);
    }
  }
}

/**
 * Goals that are more than a list: a region that can be drawn from and tells whether a state is in it, such as the joint values that put a
 * tool on a pose.
 *
 * A search draws states of the region at fixed numbers of iterations, from a sequence of its own, until it has MOST_GOALS valid ones;
 * so one seed gives one path, however the search is sliced.
 * Tested by test/contract/planners.test.ts.
 */
import { createRandom, type Random } from '../math/random.js';
import type { StateSpace } from './types.js';

export interface GoalRegion {
  /** Writes a state of the region; false where none came of this draw (an inverse kinematics that did not converge). */
  draw(out: Float64Array, random: Random): boolean;
  /** Whether q is in it: states that are drawn are asked, too. */
  contains(q: Float64Array): boolean;
  /** What it is, for messages. */
  readonly about?: string;
}

/** Draws before a search begins, until one is valid. */
export const FIRST_DRAWS = 200;
/** Iterations between draws while a search goes on. */
export const DRAW_INTERVAL = 64;
const MOST_GOALS = 64;
/** Keeps the draws of goals apart from those of the search. */
const SEED_STEP = 0x9e3779b9;

/** The valid goals of a region, as they come. */
export class GoalStream {
  private readonly random: Random;
  private found = 0;

  constructor(
    private readonly space: StateSpace,
    private readonly region: GoalRegion,
    seed: number,
    private readonly isValid: (q: Float64Array) => boolean,
  ) {
    this.random = createRandom((seed + SEED_STEP) >>> 0);
  }

  /** One draw: a valid state of the region, or null. */
  next(): Float64Array | null {
    if (this.found >= MOST_GOALS) return null;
    const q = new Float64Array(this.space.dimension);
    if (!this.region.draw(q, this.random)) return null;
    if (!this.space.satisfiesBounds(q) || !this.region.contains(q) || !this.isValid(q)) return null;
    this.found++;
    return q;
  }

  /** The first valid state of at most FIRST_DRAWS draws. */
  first(): Float64Array | null {
    for (let i = 0; i < FIRST_DRAWS; i++) {
      const goal = this.next();
      if (goal) return goal;
    }
    return null;
  }
}

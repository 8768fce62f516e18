/** Searches of one rigid-body problem with independent start offsets, as a job that can be sent. */
import { type Fields, requireCount, requireOptions } from '../math/arguments.js';
import { type RigidProblem, requireRigidProblem } from '../rigid/problem.js';
import { createOrder, type JobOrder } from './job-order.js';
import { type RigidSearchesOutput, rigidSearches } from './kinds/rigid-searches.js';

export interface RigidSearchesOptions {
  /** How many searches; default 8. Their seeds are `seed`, `seed` + 1, and so on. */
  readonly searches?: number;
  /** Default 0. */
  readonly seed?: number;
  /** Queries of each search of the first round; default 30,000. Every round has four times as many. */
  readonly firstQueries?: number;
  /** Queries of a search of the last round; default 20 million. */
  readonly maxQueries?: number;
}

const count = (call: string, what: string, value: unknown): void => requireCount(call, what, value, 1);
const OPTIONS: Fields = {
  searches: count,
  seed: (call, what, value) => requireCount(call, what, value, 0),
  firstQueries: count,
  maxQueries: count,
};

/**
 * The job's output is the plan of the search that needed the fewest queries, with its place among the searches; the same however many
 * workers there are. Where none has a path it is the first search's `limit`. Throws MisuseError on what is no problem.
 */
export function orderRigidSearches(
  problem: RigidProblem,
  options: RigidSearchesOptions = {},
): JobOrder<RigidSearchesOutput> {
  requireRigidProblem('orderRigidSearches', problem);
  requireOptions('orderRigidSearches', options, OPTIONS);
  const { searches = 8, seed = 0, firstQueries = 30_000, maxQueries = 20_000_000 } = options;
  const { group, body, obstacles, start, goal, lower, upper } = problem;
  const input = {
    problem: {
      group,
      body: { vertices: Float64Array.from(body.vertices), triangles: Uint32Array.from(body.triangles) },
      obstacles: { vertices: Float64Array.from(obstacles.vertices), triangles: Uint32Array.from(obstacles.triangles) },
      ...{ start: start.slice(), goal: goal.slice(), lower: lower.slice(), upper: upper.slice() },
    },
    seeds: Array.from({ length: searches }, (_, i) => seed + i),
    ...{ firstQueries, maxQueries },
  };
  return createOrder('orderRigidSearches', rigidSearches, 0, input);
}

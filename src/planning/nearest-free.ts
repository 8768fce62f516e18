/**
 * The nearest state that is within the limits and apart from everything, of one that is a little beyond a limit or in contact.
 *
 * Method: sequential quadratic programs. Gaps (signed distances of pairs, as a function of the state) are linearised at the state by central
 * differences; the program asks for the least motion from the given state that opens all of them to `margin`, within the limits, and within
 * STEP of where the last one ended. From the given state, and from STARTS - 1 states drawn near it, as depths are not smooth; the nearest
 * valid result wins, moved back towards the given state by bisection as long as it stays valid.
 * Source: Nocedal, Wright 2006, "Numerical optimization", chapter 18; the programs by math/qp.
 * Shapes: states of the space, which is one of independent numbers. Units: those of the gaps for `margin`.
 * Cost: STARTS x at most ITERATIONS x (2 d + 1) calls of `gaps`. Fails: null where none of the starts ends in a valid state.
 * Tested by nearest-free.test.ts (closed forms, and the best of many draws).
 */
import { createQp, solveQp } from '../math/qp/solve-qp.js';
import { createRandom } from '../math/random.js';
import type { StateSpace } from './types.js';
import { retreatTowards } from './valid-state.js';

export interface NearestFreeProblem {
  readonly space: StateSpace;
  /** Signed distances of the pairs that are near, by name. */
  readonly gaps: (q: Float64Array) => ReadonlyMap<string, number>;
  readonly isValid: (q: Float64Array) => boolean;
  /** What gaps are opened to. */
  readonly margin: number;
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  readonly seed?: number;
}

export interface NearestFree {
  readonly state: Float64Array;
  /** In the metric of the space. */
  readonly distance: number;
}

const STARTS = 4;
const ITERATIONS = 20;
const STEP = 0.2;
const DIFFERENCE = 1e-4;
const SPREAD = 0.05;
const STILL = 1e-7;

export function findNearestFree(problem: NearestFreeProblem, q: Float64Array): NearestFree | null {
  const { space, isValid, lower, upper, seed = 1 } = problem;
  const random = createRandom(seed);
  const clamp = (x: number, k: number): number => Math.min(upper[k], Math.max(lower[k], x));
  const inside = q.map(clamp);
  let best: NearestFree | null = null;
  for (let i = 0; i < STARTS; i++) {
    const from = i === 0 ? inside : inside.map((x, k) => clamp(x + SPREAD * random.normal(), k));
    const end = descend(problem, q, from);
    if (!end || !isValid(end)) continue;
    const state = retreatTowards(space, isValid, isValid(inside) ? q : inside, end);
    const distance = space.distance(q, state);
    if (!best || distance < best.distance) best = { state, distance };
  }
  return best;
}

function descend(
  { space, gaps, isValid, margin, lower, upper }: NearestFreeProblem,
  q: Float64Array,
  from: Float64Array,
): Float64Array | null {
  const n = space.dimension;
  const weight = space.coordinates?.scale;
  const x = from.slice();
  let valid: Float64Array | null = null;
  const H = new Float64Array(n * n);
  for (let k = 0; k < n; k++) H[k * n + k] = weight ? weight[k] * weight[k] : 1;
  for (let i = 0; i < ITERATIONS; i++) {
    const { names, values, rows } = linearize(gaps, x, lower, upper);
    const m = names.length;
    const low = new Float64Array(n);
    const high = new Float64Array(n);
    const g = new Float64Array(n);
    for (let k = 0; k < n; k++) {
      low[k] = Math.max(-STEP, lower[k] - x[k]);
      high[k] = Math.min(STEP, upper[k] - x[k]);
      g[k] = H[k * n + k] * (x[k] - q[k]);
    }
    const qp = createQp(n, m);
    let isSolved = false;
    // What cannot be opened in one step is opened in part.
    for (let share = 1; share > 0.05 && !isSolved; share *= 0.5) {
      const constraintLower = Float64Array.from(values, (gap) => (gap < margin ? share : 1) * (margin - gap));
      const problem = { H, g, lower: low, upper: high, C: rows, constraintLower };
      isSolved = solveQp(qp, { ...problem, constraintUpper: new Float64Array(m).fill(Infinity) }) === 'solved';
    }
    if (!isSolved) return valid;
    let moved = 0;
    for (let k = 0; k < n; k++) {
      x[k] = Math.min(upper[k], Math.max(lower[k], x[k] + qp.x[k]));
      moved = Math.max(moved, Math.abs(qp.x[k]));
    }
    if (isValid(x) && (!valid || space.distance(q, x) < space.distance(q, valid))) valid = x.slice();
    if (moved < STILL) break;
  }
  return valid;
}

/** Gaps and their derivatives, a row each. */
function linearize(
  gaps: (q: Float64Array) => ReadonlyMap<string, number>,
  x: Float64Array,
  lower: ArrayLike<number>,
  upper: ArrayLike<number>,
) {
  const n = x.length;
  const here = gaps(x);
  const names = [...here.keys()];
  const values = [...here.values()];
  const rows = new Float64Array(names.length * n);
  const beside = x.slice();
  for (let k = 0; k < n; k++) {
    const up = Math.min(upper[k], x[k] + DIFFERENCE);
    const down = Math.max(lower[k], x[k] - DIFFERENCE);
    if (!(up > down)) continue;
    beside[k] = up;
    const above = gaps(beside);
    beside[k] = down;
    const below = gaps(beside);
    beside[k] = x[k];
    names.forEach((name, i) => {
      const a = above.get(name) ?? values[i];
      const b = below.get(name) ?? values[i];
      rows[i * n + k] = (a - b) / (up - down);
    });
  }
  return { names, values, rows };
}

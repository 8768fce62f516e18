/**
 * Whether a state is shut in: balls of states that are free for sure, from a state outwards, until nothing is left to go on from.
 *
 * Method: a clearance and a bound on how fast it can fall give every state a ball that is free. From the frontier, the state nearest to the
 * first is taken; points on the rim of its ball, drawn at random, that are valid and in no ball so far get balls of their own, if these are
 * larger than LEAST of the first. When the frontier is empty nothing that was tried leads on.
 * "Closed" is no proof: a way may be narrower than the smallest ball, or not have been drawn.
 * Source: Bialkowski, Karaman, Otte, Frazzoli 2013, "Efficient collision checking in sampling-based motion planning",
 * doi:10.1007/978-3-642-36279-8_22, whose balls these are. Cost: MOST balls x DRAWS clearances. Tested by reasons.test.ts.
 */
import { createRandom } from '../../math/random.js';
import type { StateSpace } from '../types.js';

export interface FloodProblem {
  readonly space: StateSpace;
  /** Radius of a ball around q in which all states are valid, 0 where q is not: in the metric of the space. */
  readonly ballAt: (q: Float64Array) => number;
  readonly seed: number;
  readonly most?: number;
  readonly shouldStop?: () => boolean;
}

export interface Flood {
  /** Nothing leads on from the balls. */
  readonly closed: boolean;
  readonly balls: number;
  /** Farthest state in a ball, from the first. */
  readonly radius: number;
}

const MOST = 400;
const DRAWS = 24;
const LEAST = 0.02;
/** Smaller first balls say nothing. */
const TINY = 1e-7;

export function floodFrom(problem: FloodProblem, from: Float64Array): Flood {
  const { space, ballAt, seed, most = MOST, shouldStop } = problem;
  const random = createRandom(seed);
  const balls: { readonly centre: Float64Array; readonly radius: number }[] = [];
  const frontier: { readonly state: Float64Array; readonly radius: number; readonly away: number }[] = [];
  const target = new Float64Array(space.dimension);
  const rim = new Float64Array(space.dimension);
  const least = Math.max(TINY, LEAST * ballAt(from));
  const offer = (state: Float64Array): void => {
    if (!space.satisfiesBounds(state)) return;
    if (balls.some(({ centre, radius }) => space.distance(centre, state) < radius * (1 - 1e-9))) return;
    const radius = ballAt(state);
    if (radius > least) frontier.push({ state: state.slice(), radius, away: space.distance(from, state) });
  };
  offer(from);
  let radius = 0;
  while (frontier.length > 0 && balls.length < most && !shouldStop?.()) {
    let next = 0;
    for (let i = 1; i < frontier.length; i++) if (frontier[i].away < frontier[next].away) next = i;
    const [{ state, radius: own, away }] = frontier.splice(next, 1);
    if (balls.some((ball) => space.distance(ball.centre, state) < ball.radius * (1 - 1e-9))) continue;
    balls.push({ centre: state, radius: own });
    radius = Math.max(radius, away + own);
    for (let i = 0; i < DRAWS; i++) {
      space.sample(target, random);
      const far = space.distance(state, target);
      if (far <= own) continue;
      space.interpolate(rim, state, target, (own * 1.0001) / far);
      offer(rim);
    }
  }
  return { closed: frontier.length === 0, balls: balls.length, radius };
}

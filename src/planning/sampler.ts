/**
 * Samplers: where the states of a search come from. Anything with `draw` is one.
 *
 *   uniform      the space's own draws
 *   goal-biased  every so often a goal
 *   informed     only states that a path shorter than a bound can pass through: with start and goal as foci, the ellipsoid in which the sum of
 *                the distances is at most the bound. In spaces of scaled numbers it is drawn from directly, uniformly: a ball is
 *                stretched along the axis and reflected onto it, with several goals that of one at random; elsewhere uniform draws outside
 *                are dropped.
 * Source: Gammell, Srinivasa, Barfoot 2014, "Informed RRT*: optimal sampling-based path planning focused via direct sampling of an
 * admissible ellipsoidal heuristic", sections III and IV, doi:10.1109/IROS.2014.6942976. A reflection (Householder) takes the place of
 * the rotation there, which changes nothing as the ball is symmetric.
 * Cost: O(dimension) per draw and, elsewhere, per draw that is dropped.
 * Tested by sampler.test.ts.
 */
import { requireNumberThat } from '../math/arguments.js';
import type { Random } from '../math/random.js';
import { requireSpace, requireState, requireStates } from './requests.js';
import type { StateSpace } from './types.js';

export interface Sampler {
  /** Writes a state; false where none came of this draw. */
  draw(out: Float64Array, random: Random): boolean;
  /** Draws do not depend on what the search finds: some may be made ahead, so that its loop can run in the kernel. */
  readonly isAhead?: boolean;
}

export interface InformedSampler extends Sampler {
  /** Length that paths of interest stay below; Infinity at first. */
  bound: number;
}

export function createUniformSampler(space: StateSpace): Sampler {
  requireSpace('createUniformSampler', space);
  return {
    draw(out, random) {
      space.sample(out, random);
      return true;
    },
  };
}

/** `share`: how many of the draws are goals, 0 to 1; default 0.05. */
export function createGoalBiasedSampler(space: StateSpace, goals: readonly Float64Array[], share = 0.05): Sampler {
  const call = 'createGoalBiasedSampler';
  requireSpace(call, space);
  requireStates(call, 'goals', goals);
  requireNumberThat(call, 'share', share, (x) => x >= 0 && x <= 1, 'a number from 0 to 1');
  return {
    draw(out, random) {
      if (goals.length > 0 && random.next() < share) out.set(goals[random.integer(goals.length)]);
      else space.sample(out, random);
      return true;
    },
  };
}

/** Draws that are dropped before one is said to have failed. */
const MOST_DROPPED = 200;

export function createInformedSampler(
  space: StateSpace,
  start: Float64Array,
  goals: readonly Float64Array[],
): InformedSampler {
  const call = 'createInformedSampler';
  requireSpace(call, space);
  requireState(call, 'start', start);
  requireStates(call, 'goals', goals);
  const scale = space.euclideanScale;
  const ellipsoids = scale ? goals.map((goal) => createEllipsoid(scale, start, goal)) : [];
  const lengths = goals.map((goal) => space.distance(start, goal));
  const isNear = (q: Float64Array, bound: number): boolean =>
    goals.some((goal) => space.distance(start, q) + space.distance(q, goal) <= bound);
  return {
    isAhead: true,
    bound: Infinity,
    draw(out, random) {
      const { bound } = this;
      const open = ellipsoids.filter((_, i) => bound < Infinity && lengths[i] < bound);
      for (let i = 0; i < MOST_DROPPED; i++) {
        if (open.length > 0) {
          const draw = open.length === 1 ? open[0] : open[random.integer(open.length)];
          draw(out, random, bound);
          if (space.satisfiesBounds(out)) return true;
        } else {
          space.sample(out, random);
          if (bound === Infinity || isNear(out, bound)) return true;
        }
      }
      return false;
    },
  };
}

type DrawEllipsoid = (out: Float64Array, random: Random, bound: number) => void;

function createEllipsoid(scale: Float64Array, start: Float64Array, goal: Float64Array): DrawEllipsoid {
  const d = scale.length;
  const centre = Float64Array.from(scale, (s, k) => 0.5 * s * (start[k] + goal[k]));
  const axis = Float64Array.from(scale, (s, k) => s * (goal[k] - start[k]));
  let focal = 0;
  for (const x of axis) focal += x * x;
  focal = Math.sqrt(focal);
  // Reflects the first coordinate's direction onto the axis.
  const mirror = Float64Array.from(axis, (x, k) => (focal > 0 ? (k === 0 ? 1 : 0) - x / focal : 0));
  let mirrorSquare = 0;
  for (const x of mirror) mirrorSquare += x * x;
  return (out, random, bound) => {
    // Uniform in the unit ball: a direction, and a radius whose power of the dimension is uniform, as the greatest of d draws.
    let square = 0;
    let radius = 0;
    for (let k = 0; k < d; k++) {
      out[k] = random.normal();
      square += out[k] * out[k];
      radius = Math.max(radius, random.next());
    }
    const factor = square > 0 ? radius / Math.sqrt(square) : 0;
    const long = 0.5 * Math.max(bound, focal);
    const short = 0.5 * Math.sqrt(Math.max(0, bound * bound - focal * focal));
    let along = 0;
    for (let k = 0; k < d; k++) {
      out[k] *= factor * (k === 0 ? long : short);
      along += out[k] * mirror[k];
    }
    const turn = mirrorSquare > 0 ? (2 * along) / mirrorSquare : 0;
    for (let k = 0; k < d; k++) out[k] = (out[k] - turn * mirror[k] + centre[k]) / scale[k];
  };
}

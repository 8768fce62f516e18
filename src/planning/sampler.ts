/**
 * Samplers: where the states of a search come from. Anything with `draw` is one.
 *
 *   uniform      the space's own draws
 *   goal-biased  every so often a goal
 *   informed     only states that a path shorter than a bound can pass through: with start and goal as foci, the ellipsoid in which the sum of
 *                the distances is at most the bound. In spaces of scaled numbers it is drawn from directly, uniformly: a ball is
 *                stretched along the axis and reflected onto it, with several goals that of one at random; where the ellipsoid is larger than
 *                the space, and elsewhere, uniform draws outside are dropped.
 * Source: Gammell, Srinivasa, Barfoot 2014, "Informed RRT*: optimal sampling-based path planning focused via direct sampling of an
 * admissible ellipsoidal heuristic", sections III and IV, doi:10.1109/IROS.2014.6942976. A reflection (Householder) takes the place of
 * the rotation there, which changes nothing as the ball is symmetric. A point of the ball is one of a sphere of two more dimensions without
 * two of its coordinates; of a sphere of even dimension the squared radii of pairs are gaps between sorted uniform numbers: no logarithms.
 * Voelker, Gosmann, Stewart 2017, "Efficiently sampling vectors and coordinates from the n-sphere and n-ball",
 * doi:10.13140/RG.2.2.15829.01767/1 (two coordinates left out).
 * Cost: O(dimension) per draw and, elsewhere, per draw that is dropped.
 * Tested by sampler.test.ts.
 */
import { requireNumberThat } from '../math/arguments.js';
import type { Random } from '../math/random.js';
import { requireSpace, requireState, requireStates } from './requests.js';
import type { StateCoordinates, StateSpace } from './types.js';

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
  const room = scale && space.coordinates ? roomOf(scale, space.coordinates) : Infinity;
  const lengths = goals.map((goal) => space.distance(start, goal));
  const isNear = (q: Float64Array, bound: number): boolean =>
    goals.some((goal) => space.distance(start, q) + space.distance(q, goal) <= bound);
  let bound = Infinity;
  let open: DrawEllipsoid[] = [];
  return {
    isAhead: true,
    get bound() {
      return bound;
    },
    set bound(length) {
      bound = length;
      const reached = goals.map((_, i) => i).filter((i) => length < Infinity && lengths[i] < length);
      const isSmall = reached.every((i) => ellipsoidVolume(start.length, length, lengths[i]) < room);
      open = isSmall ? reached.flatMap((i) => ellipsoids[i] ?? []) : [];
    },
    draw(out, random) {
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
  const pairs = Math.ceil((d + 2) / 2);
  const cuts = new Float64Array(pairs);
  cuts[pairs - 1] = 1;
  const ball = new Float64Array(2 * pairs);
  return (out, random, bound) => {
    drawBall(ball, cuts, random, d);
    const long = 0.5 * Math.max(bound, focal);
    const short = 0.5 * Math.sqrt(Math.max(0, bound * bound - focal * focal));
    let along = 0;
    for (let k = 0; k < d; k++) {
      out[k] = ball[k] * (k === 0 ? long : short);
      along += out[k] * mirror[k];
    }
    const turn = mirrorSquare > 0 ? (2 * along) / mirrorSquare : 0;
    for (let k = 0; k < d; k++) out[k] = (out[k] - turn * mirror[k] + centre[k]) / scale[k];
  };
}

/** Uniform in the unit ball of d dimensions: the first d numbers of `out`. `cuts`: room for one number per pair, the last one 1. */
function drawBall(out: Float64Array, cuts: Float64Array, random: Random, d: number): void {
  const last = cuts.length - 1;
  for (let i = 0; i < last; i++) {
    const cut = random.next();
    let at = i;
    for (; at > 0 && cuts[at - 1] > cut; at--) cuts[at] = cuts[at - 1];
    cuts[at] = cut;
  }
  for (let i = 0, before = 0; i <= last; i++) {
    let u = 0;
    let v = 0;
    let square = 0;
    do {
      u = 2 * random.next() - 1;
      v = 2 * random.next() - 1;
      square = u * u + v * v;
    } while (!(square > 0 && square < 1));
    const factor = Math.sqrt((cuts[i] - before) / square);
    out[2 * i] = u * factor;
    out[2 * i + 1] = v * factor;
    before = cuts[i];
  }
  if (d % 2 === 0) return;
  const left = out[d + 2];
  const rest = 1 - left * left;
  const factor = rest > 0 ? 1 / Math.sqrt(rest) : 0;
  for (let k = 0; k < d; k++) out[k] *= factor;
}

function ellipsoidVolume(d: number, bound: number, focal: number): number {
  const short = 0.5 * Math.sqrt(bound * bound - focal * focal);
  // Of the unit ball: V_d = 2 pi / d V_(d-2).
  let volume = d % 2 === 0 ? 1 : 2;
  for (let k = d; k > 1; k -= 2) volume *= (2 * Math.PI) / k;
  volume *= 0.5 * bound;
  for (let k = 1; k < d; k++) volume *= short;
  return volume;
}

/** Volume of the space, in its metric; 0 where a coordinate is locked. */
function roomOf(scale: Float64Array, { lower, upper }: StateCoordinates): number {
  let volume = 1;
  for (let k = 0; k < scale.length; k++) volume *= scale[k] * (upper[k] - lower[k]);
  return volume;
}

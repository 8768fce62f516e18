/**
 * What a path costs: the sum over its motions. Optimal planners make it small; all others take the length.
 *
 * `motionCost` is asked of motions that are known to be free, `lowerBound` of any two states: what it says must never be more than the cost of
 * any way between them, and 0 always is right. The closer it is, the less is searched.
 * Tested by objective.test.ts.
 */
import {
  type Fields,
  requireFunction,
  requireNumbers,
  requireOptions,
  requirePositiveNumber,
  throwMisuse,
} from '../math/arguments.js';
import { countMotionSteps } from './motion.js';
import { requirePath, requireSpace } from './requests.js';
import type { StateSpace } from './types.js';

export interface Objective {
  motionCost(a: Float64Array, b: Float64Array): number;
  lowerBound(a: Float64Array, b: Float64Array): number;
}

/** Undefined passes: there is a default. */
export function requireObjective(call: string, objective: Objective | undefined): void {
  if (objective === undefined) return;
  if (![objective?.motionCost, objective?.lowerBound].every((f) => typeof f === 'function'))
    throwMisuse(call, 'objective', objective, 'an object with motionCost(a, b) and lowerBound(a, b)');
}

/** Length in the metric of the space. */
export function createLengthObjective(space: StateSpace): Objective {
  requireSpace('createLengthObjective', space);
  const distance = (a: Float64Array, b: Float64Array): number => space.distance(a, b);
  return { motionCost: distance, lowerBound: distance };
}

/** Length with a factor for each coordinate, on top of the metric's own; the space is one of independent numbers. */
export function createWeightedLengthObjective(space: StateSpace, weights: ArrayLike<number>): Objective {
  const call = 'createWeightedLengthObjective';
  requireSpace(call, space);
  requireNumbers(call, 'weights', weights);
  const { coordinates, dimension } = space;
  if (coordinates === undefined) throwMisuse(call, 'space', space, 'a space of independent numbers');
  if (weights.length !== dimension || !Array.from(weights).every((weight) => weight > 0))
    throwMisuse(call, 'weights', weights, `${dimension} positive numbers`);
  const { period, scale } = coordinates!;
  const length = (a: Float64Array, b: Float64Array): number => {
    let sum = 0;
    for (let k = 0; k < dimension; k++) {
      let d = b[k] - a[k];
      if (period[k] > 0) d -= period[k] * Math.round(d / period[k]);
      d *= scale[k] * weights[k];
      sum += d * d;
    }
    return Math.sqrt(sum);
  };
  return { motionCost: length, lowerBound: length };
}

export interface ClearanceObjectiveOptions {
  /** Distance from what is in the way, metres (or any unit, as `margin`); negative counts as 0. */
  readonly clearance: (q: Float64Array) => number;
  /** From this clearance on a path costs its length. */
  readonly margin: number;
  /** A path in contact costs so many times its length more; default 10. */
  readonly factor?: number;
  /** Distance between states at which the clearance is asked; default 1/16. */
  readonly resolution?: number;
}

/** Length, and the more the nearer things are: the integral of 1 + factor (1 - clearance / margin), by the trapezoidal rule. */
export function createClearanceObjective(space: StateSpace, options: ClearanceObjectiveOptions): Objective {
  const call = 'createClearanceObjective';
  requireSpace(call, space);
  const { clearance, margin, factor = 10, resolution = 1 / 16 } = options ?? {};
  requireFunction(call, 'options.clearance', clearance);
  requirePositiveNumber(call, 'options.margin', margin);
  requirePositiveNumber(call, 'options.factor', factor);
  requirePositiveNumber(call, 'options.resolution', resolution);
  const q = new Float64Array(space.dimension);
  const rate = (state: Float64Array): number => 1 + factor * Math.max(0, 1 - Math.max(0, clearance(state)) / margin);
  return {
    lowerBound: (a, b) => space.distance(a, b),
    motionCost(a, b) {
      const length = space.distance(a, b);
      const n = countMotionSteps(length, resolution);
      let sum = 0.5 * (rate(a) + rate(b));
      for (let i = 1; i < n; i++) sum += rate(space.interpolate(q, a, b, i / n));
      return (length * sum) / n;
    },
  };
}

export interface PointPathOptions {
  /** Distance between states at which the point is placed; default 1/16. */
  readonly resolution?: number;
  /** How much of the length in the space is added, so that motions that leave the point where it is cost something; default 0.01. */
  readonly share?: number;
}

const POINT_PATH_OPTIONS: Fields = { resolution: requirePositiveNumber, share: requirePositiveNumber };

/** The way of a point that moves with the states, a tool's say: `place` writes its three coordinates. */
export function createPointPathObjective(
  space: StateSpace,
  place: (out: Float64Array, q: Float64Array) => void,
  options: PointPathOptions = {},
): Objective {
  const call = 'createPointPathObjective';
  requireSpace(call, space);
  requireFunction(call, 'place', place);
  requireOptions(call, options, POINT_PATH_OPTIONS);
  const { resolution = 1 / 16, share = 0.01 } = options;
  const q = new Float64Array(space.dimension);
  const from = new Float64Array(3);
  const to = new Float64Array(3);
  const apart = (): number => {
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += (to[k] - from[k]) * (to[k] - from[k]);
    return Math.sqrt(sum);
  };
  return {
    lowerBound(a, b) {
      place(from, a);
      place(to, b);
      return apart() + share * space.distance(a, b);
    },
    motionCost(a, b) {
      const length = space.distance(a, b);
      const n = countMotionSteps(length, resolution);
      let sum = 0;
      place(from, a);
      for (let i = 1; i <= n; i++) {
        place(to, space.interpolate(q, a, b, i / n));
        sum += apart();
        from.set(to);
      }
      return sum + share * length;
    },
  };
}

/** What a path costs. */
export function pathCost(space: StateSpace, objective: Objective, path: readonly Float64Array[]): number {
  requireSpace('pathCost', space);
  requireObjective('pathCost', objective);
  requirePath('pathCost', space, path);
  let cost = 0;
  for (let i = 1; i < path.length; i++) cost += objective.motionCost(path[i - 1], path[i]);
  return cost;
}

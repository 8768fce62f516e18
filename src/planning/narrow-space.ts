/**
 * A space drawn from where paths shorter than a bound can pass: the box around the ellipsoids with the start and a goal as foci.
 *
 * In direction k, with u the part of the axis along it, the ellipsoid reaches sqrt((a u)^2 + b^2 (1 - u^2)) from its centre, a and b its
 * half axes. Coordinates that wrap keep their range. The planners' kernel draws from boxes, so that it need not know of bounds on length.
 * Source: Gammell, Srinivasa, Barfoot 2014, "Informed RRT*", section III, doi:10.1109/IROS.2014.6942976. Tested by path-refiner.test.ts.
 */
import type { Random } from '../math/random.js';
import type { StateCoordinates, StateSpace } from './types.js';

const LINE = 0;
const LOCKED = 16;

/** The space itself where its states are not independent numbers. Goals beyond the bound count for nothing. */
export function narrowSpace(
  space: StateSpace,
  start: Float64Array,
  goals: readonly Float64Array[],
  bound: number,
): StateSpace {
  const { coordinates, dimension } = space;
  if (coordinates === undefined || !(bound < Infinity)) return space;
  const lower = new Float64Array(dimension).fill(Infinity);
  const upper = new Float64Array(dimension).fill(-Infinity);
  for (const goal of goals) {
    const apart = space.distance(start, goal);
    if (!(apart < bound)) continue;
    const short = 0.5 * Math.sqrt(bound * bound - apart * apart);
    for (let k = 0; k < dimension; k++) {
      const along = apart > 0 ? (coordinates.scale[k] * (goal[k] - start[k])) / apart : 0;
      const long = 0.5 * bound * along;
      const reach = Math.sqrt(long * long + short * short * Math.max(0, 1 - along * along)) / coordinates.scale[k];
      const centre = 0.5 * (start[k] + goal[k]);
      lower[k] = Math.min(lower[k], centre - reach);
      upper[k] = Math.max(upper[k], centre + reach);
    }
  }
  for (let k = 0; k < dimension; k++) {
    const isNarrowed = coordinates.kinds[k] === LINE && coordinates.scale[k] > 0 && lower[k] <= upper[k];
    lower[k] = isNarrowed ? Math.max(lower[k], coordinates.lower[k]) : coordinates.lower[k];
    upper[k] = isNarrowed ? Math.min(upper[k], coordinates.upper[k]) : coordinates.upper[k];
  }
  return createDrawnSpace(space, { ...coordinates, lower, upper });
}

/** The same space, drawn from other ranges. */
function createDrawnSpace(space: StateSpace, coordinates: StateCoordinates): StateSpace {
  const { lower, upper, kinds } = coordinates;
  return {
    dimension: space.dimension,
    euclideanScale: space.euclideanScale,
    coordinates,
    sample(out: Float64Array, random: Random) {
      for (let k = 0; k < out.length; k++)
        out[k] =
          (kinds[k] & LOCKED) !== 0 ? lower[k] : Math.min(upper[k], lower[k] + (upper[k] - lower[k]) * random.next());
      return out;
    },
    distance: (a, b) => space.distance(a, b),
    interpolate: (out, a, b, t) => space.interpolate(out, a, b, t),
    satisfiesBounds: (q) => space.satisfiesBounds(q),
    explainBounds: space.explainBounds && ((q) => space.explainBounds!(q)),
  };
}

/**
 * Shortens a path on a manifold, whose neighbours are steps of walks: between two of its states it walks straight, and what is shorter and valid
 * takes the place of what was there.
 *
 * Method: pairs of states, the ends first, then drawn; ones that are not farther apart than a few steps are left alone. Every step of a walk is asked
 * of `motion`. Source: Geraerts, Overmars 2007, "Creating high-quality paths for motion planning", section 3, doi:10.1177/0278364907079280.
 * Cost: `attempts` walks. Tested by constrained-space.test.ts.
 */
import { createRandom } from '../../math/random.js';
import type { MotionValidator } from '../types.js';
import type { ConstrainedSpace } from './constrained-space.js';

export interface ShortenWalkOptions {
  readonly seed?: number;
  /** Default 150. */
  readonly attempts?: number;
  readonly shouldStop?: () => boolean;
}

const DEFAULT_ATTEMPTS = 150;
/** Ways that would be shorter by less are not taken. */
const LEAST_GAIN = 1e-3;

/** A new path with the same ends. */
export function shortenWalk(
  space: ConstrainedSpace,
  motion: MotionValidator,
  path: readonly Float64Array[],
  { seed = 1, attempts = DEFAULT_ATTEMPTS, shouldStop }: ShortenWalkOptions = {},
): Float64Array[] {
  let states: Float64Array[] = path.map((state) => state.slice());
  const random = createRandom(seed);
  const follow = space.followMotion(motion);
  for (let i = 0; i < attempts && states.length > 3; i++) {
    if (shouldStop?.()) break;
    const first = i === 0 ? 0 : random.integer(states.length);
    const second = i === 0 ? states.length - 1 : random.integer(states.length);
    const [from, to] = first < second ? [first, second] : [second, first];
    if (to - from < 3) continue;
    const [a, b] = [states[from], states[to]];
    const length = lengthOf(space, states.slice(from, to + 1));
    if (!(space.distance(a, b) < length * (1 - LEAST_GAIN))) continue;
    const walk = space.walkStates(a, b);
    if (walk.length === 0 || !(lengthOf(space, walk) < length * (1 - LEAST_GAIN))) continue;
    if (!follow.isMotionValid(a, b)) continue;
    states = [...states.slice(0, from), ...walk, ...states.slice(to + 1)];
  }
  return states;
}

function lengthOf(space: ConstrainedSpace, states: readonly Float64Array[]): number {
  let length = 0;
  for (let i = 1; i < states.length; i++) length += space.distance(states[i - 1], states[i]);
  return length;
}

/**
 * The path with so many states between that straight lines between neighbours leave the manifold by at most `deviation`; and the largest bound
 * of that. Null where a state between cannot be projected, or where nothing is known of the constraint's deviation.
 */
export function refineWalk(
  space: ConstrainedSpace,
  path: readonly Float64Array[],
  deviation: number,
): { readonly path: Float64Array[]; readonly deviation: number } | null {
  const { constraint, dimension } = space;
  if (!constraint.deviationBound || path.length === 0) return null;
  const out: Float64Array[] = [path[0].slice()];
  let worst = 0;
  for (let i = 1; i < path.length; i++) {
    const pending = [path[i]];
    let from = out[out.length - 1];
    while (pending.length > 0) {
      const to = pending[pending.length - 1];
      const bound = constraint.deviationBound(from, to);
      if (bound <= deviation) {
        worst = Math.max(worst, bound);
        from = to.slice();
        out.push(from);
        pending.pop();
        continue;
      }
      if (pending.length > MOST_HALVINGS) return null;
      const middle = space.ambient.interpolate(new Float64Array(dimension), from, to, 0.5);
      if (!space.project(middle) || space.distance(from, middle) > space.distance(from, to)) return null;
      pending.push(middle);
    }
  }
  return { path: out, deviation: worst };
}

const MOST_HALVINGS = 40;

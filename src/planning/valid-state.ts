/**
 * The nearest valid state that can be found: for starts that are slightly in contact or beyond a limit, and for what pushes a
 * state out of an obstacle.
 *
 * Method: 1. states on the way from q towards draws of the space, at distances that grow from a thousandth of the largest until one is valid;
 * 2. from then on only nearer ones are looked at, half of them towards draws, half of them around the best; each that is valid is moved
 * back towards q by bisection as far as it stays valid.
 * Cost: at most `attempts` draws, and BISECTIONS checks for each that is better.
 * Fails: null when no valid state was found; nothing says that there is none. The motion from q to the state is not looked at: what is in
 * contact at its beginning is not free.
 * Tested by valid-state.test.ts.
 */
import { type Fields, requireFields, requireLength, requirePositive, requireSeed } from '../math/arguments.js';
import { createRandom } from '../math/random.js';
import { requireChecker, requireSpace } from './requests.js';
import type { StateSpace, ValidityChecker } from './types.js';

export interface ValidStateOptions {
  /** Default 1. */
  readonly seed?: number;
  /** Default 1000. */
  readonly attempts?: number;
  /** Farther states are not wanted, in the metric of the space; default: no limit. */
  readonly radius?: number;
}

export interface ValidState {
  readonly state: Float64Array;
  /** From q, in the metric of the space. */
  readonly distance: number;
}

const CALL = 'findValidState';
const OPTIONS: Fields = {
  seed: (call, _, seed) => requireSeed(call, seed),
  attempts: requirePositive,
  radius: requirePositive,
};
const BISECTIONS = 20;
/** Share of the attempts in which the distance grows to its largest. */
const GROWTH = 0.5;

export function findValidState(
  space: StateSpace,
  checker: ValidityChecker,
  q: Float64Array,
  options: ValidStateOptions = {},
): ValidState | null {
  requireSpace(CALL, space);
  requireChecker(CALL, checker);
  requireLength(CALL, 'q', q, space.dimension);
  requireFields(CALL, 'options', options, OPTIONS);
  const { seed = 1, attempts = 1000, radius = Infinity } = options;
  const isValid = (state: Float64Array): boolean => space.satisfiesBounds(state) && checker.isValid(state);
  if (isValid(q)) return { state: q.slice(), distance: 0 };
  const random = createRandom(seed);
  const target = new Float64Array(space.dimension);
  const candidate = new Float64Array(space.dimension);
  let best: Float64Array | null = null;
  let least = radius;
  for (let i = 0; i < attempts; i++) {
    space.sample(target, random);
    if (best && i % 2 === 0) space.interpolate(target, best, target, 0.1 * random.next());
    const distance = space.distance(q, target);
    if (distance === 0) continue;
    const reach = best ? least * random.next() : distance * Math.min(1, 1e-3 + i / (GROWTH * attempts));
    space.interpolate(candidate, q, target, Math.min(1, reach / distance));
    if (!(space.distance(q, candidate) < least) || !isValid(candidate)) continue;
    best = retreatTowards(space, isValid, q, candidate);
    least = space.distance(q, best);
  }
  return best ? { state: best, distance: least } : null;
}

/** The state on the way to q that is nearest to it, among those that bisection finds valid. */
export function retreatTowards(
  space: StateSpace,
  isValid: (state: Float64Array) => boolean,
  q: Float64Array,
  from: Float64Array,
): Float64Array {
  const best = from.slice();
  const middle = new Float64Array(space.dimension);
  let blocked = 0;
  let free = 1;
  for (let i = 0; i < BISECTIONS; i++) {
    const t = 0.5 * (blocked + free);
    if (isValid(space.interpolate(middle, q, from, t))) {
      free = t;
      best.set(middle);
    } else blocked = t;
  }
  return best;
}

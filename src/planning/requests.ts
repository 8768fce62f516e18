/** Checks of requests where they enter: what the planners behind may rely on. */
import { describeValue, requireKnownKeys } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { MotionValidator, StateSpace, ValidityChecker } from './types.js';

/** Keys of `StopOptions`. */
export const STOP_KEYS = ['timeoutMs', 'clock', 'shouldStop'];

export function requireObject(call: string, value: unknown, keys: readonly string[]): void {
  requireKnownKeys(call, 'request', value, keys);
}

export function requireSpace(call: string, space: StateSpace): void {
  const isSpace =
    typeof space === 'object' &&
    Number.isInteger(space?.dimension) &&
    [space.sample, space.distance, space.interpolate, space.satisfiesBounds].every((f) => typeof f === 'function');
  if (!isSpace)
    throw new MisuseError(
      `${call}: space, got ${describeValue(space)}, expected a state space, e.g. createConfigurationSpace(model)`,
    );
}

export function requireChecker(call: string, checker: ValidityChecker): void {
  if (typeof checker?.isValid !== 'function')
    throw new MisuseError(
      `${call}: checker, got ${describeValue(checker)}, expected an object with isValid(q), e.g. createSceneChecker(scene, robot)`,
    );
}

export function requireMotion(call: string, motion: MotionValidator | undefined): void {
  if (motion !== undefined && typeof motion?.isMotionValid !== 'function')
    throw new MisuseError(`${call}: motion, got ${describeValue(motion)}, expected an object with isMotionValid(a, b)`);
}

/** A list of states; what is in them is the planner's to judge. */
export function requireStates(call: string, what: string, states: unknown): void {
  if (!Array.isArray(states))
    throw new MisuseError(`${call}: ${what}, got ${describeValue(states)}, expected a list of states`);
  states.forEach((state, i) => {
    requireState(call, `${what}[${i}]`, state);
  });
}

export function requireState(call: string, what: string, state: unknown): void {
  if (!(state instanceof Float64Array))
    throw new MisuseError(`${call}: ${what}, got ${describeValue(state)}, expected a Float64Array of coordinates`);
}

/** A path to be changed: states of the space's dimension, finite. */
export function requirePath(call: string, space: StateSpace, path: unknown): void {
  requireStates(call, 'path', path);
  (path as Float64Array[]).forEach((state, i) => {
    if (state.length !== space.dimension)
      throw new MisuseError(`${call}: path[${i}], got ${state.length} numbers, expected ${space.dimension}`);
    const bad = state.findIndex((x) => !Number.isFinite(x));
    if (bad >= 0) throw new MisuseError(`${call}: path[${i}][${bad}], got ${state[bad]}, expected a finite number`);
  });
}

/** Undefined passes: there is a default. */
export function requireCount(call: string, what: string, value: number | undefined, least = 0): void {
  if (value !== undefined && !(typeof value === 'number' && value >= least))
    throw new MisuseError(`${call}: ${what}, got ${describeValue(value)}, expected ${least} or more`);
}

export function requirePositive(call: string, what: string, value: number | undefined): void {
  if (value !== undefined && !(typeof value === 'number' && value > 0))
    throw new MisuseError(`${call}: ${what}, got ${describeValue(value)}, expected a positive number`);
}

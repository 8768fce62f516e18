/**
 * Sampled motion check: a straight line of the space is valid when evenly spaced states on it are.
 *
 * Method: n = ceil(distance / resolution) steps; the end first, then the middle, the quarters, the eighths, ... so that a
 * collision in any stretch longer than a few steps shows after few checks. The start is taken as known to be valid.
 * Source: the bisection order of LaValle 2006, "Planning Algorithms", section 5.3.4 (van der Corput), level by level.
 * Cost: at most n checks. Contacts between neighbouring states are not seen: `resolution` is the promise.
 * Tested by motion.test.ts.
 */

import {
  requireFloats,
  requireFunction,
  requireInstance,
  requireLength,
  requireList,
  requirePositiveNumber,
  throwMisuse,
} from '../math/arguments.js';
import { requireChecker, requireMotion, requireSpace } from './requests.js';
import type { MotionValidator, StateSpace, ValidityChecker } from './types.js';

/** Number of steps into which a motion of this length is cut: at least 1. */
export function countMotionSteps(distance: number, resolution: number): number {
  return Math.max(1, Math.ceil(distance / resolution));
}

/**
 * `resolution`: largest distance between neighbouring checked states, in the space's metric.
 * `scratch`: one state, to avoid the allocation.
 */
export function isMotionValid(
  space: StateSpace,
  checker: ValidityChecker,
  a: Float64Array,
  b: Float64Array,
  resolution: number,
  scratch: Float64Array = new Float64Array(space?.dimension ?? 0),
): boolean {
  requireSpace('isMotionValid', space);
  requireChecker('isMotionValid', checker);
  requireResolution('isMotionValid', resolution);
  requireLength('isMotionValid', 'a', a, space.dimension);
  requireLength('isMotionValid', 'b', b, space.dimension);
  requireFloats('isMotionValid', 'scratch', scratch, space.dimension);
  return areSamplesValid(space, checker, a, b, resolution, scratch);
}

function areSamplesValid(
  space: StateSpace,
  checker: ValidityChecker,
  a: Float64Array,
  b: Float64Array,
  resolution: number,
  scratch: Float64Array,
): boolean {
  if (!checker.isValid(b) || space.joins?.(a, b) === false) return false;
  const n = countMotionSteps(space.distance(a, b), resolution);
  let stride = 1;
  while (stride < n) stride *= 2;
  for (stride /= 2; stride >= 1; stride /= 2) {
    for (let i = stride; i < n; i += 2 * stride) {
      if (!checker.isValid(space.interpolate(scratch, a, b, i / n))) return false;
    }
  }
  return true;
}

/**
 * Which of the motions from `starts[i]` to `ends[i]` are valid, 1 or 0 each: asked together where the validator can, as compiled checks do.
 * Returns `out`, a new one by default.
 */
export function areMotionsValid(
  motion: MotionValidator,
  starts: readonly Float64Array[],
  ends: readonly Float64Array[],
  out: Uint8Array = new Uint8Array(starts?.length ?? 0),
  shouldStop?: () => boolean,
): Uint8Array {
  const call = 'areMotionsValid';
  if (motion === undefined) throwMisuse(call, 'motion', motion, 'an object with isMotionValid(a, b)');
  requireMotion(call, motion);
  requireList(call, 'starts', starts);
  requireList(call, 'ends', ends);
  requireLength(call, 'ends', ends, starts.length);
  requireInstance(call, 'out', out, Uint8Array, 'a Uint8Array');
  requireLength(call, 'out', out, starts.length);
  if (shouldStop !== undefined) requireFunction(call, 'shouldStop', shouldStop);
  if (motion.areMotionsValid) motion.areMotionsValid(out, starts, ends, shouldStop);
  else for (let i = 0; i < starts.length; i++) out[i] = motion.isMotionValid(starts[i], ends[i], shouldStop) ? 1 : 0;
  return out;
}

export function createSampledMotion(space: StateSpace, checker: ValidityChecker, resolution: number): MotionValidator {
  requireSpace('createSampledMotion', space);
  requireChecker('createSampledMotion', checker);
  requireResolution('createSampledMotion', resolution);
  const scratch = new Float64Array(space.dimension);
  const { dimension } = space;
  return {
    isMotionValid: (a, b) => {
      if (a?.length !== dimension || b?.length !== dimension)
        return isMotionValid(space, checker, a, b, resolution, scratch);
      return areSamplesValid(space, checker, a, b, resolution, scratch);
    },
  };
}

export function requireResolution(name: string, resolution: number): void {
  requirePositiveNumber(name, 'resolution', resolution);
}

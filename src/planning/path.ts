/** Paths: lists of states joined by the straight lines of the space. */
import { requirePositiveNumber } from '../math/arguments.js';
import { countMotionSteps } from './motion.js';
import { requirePath, requireSpace } from './requests.js';
import type { StateSpace } from './types.js';

/** Sum of the distances between neighbours. */
export function pathLength(space: StateSpace, path: readonly Float64Array[]): number {
  requireSpace('pathLength', space);
  requirePath('pathLength', space, path);
  let length = 0;
  for (let i = 1; i < path.length; i++) length += space.distance(path[i - 1], path[i]);
  return length;
}

/** The same path with states at most `step` apart; the given states are kept exactly. */
export function densifyPath(space: StateSpace, path: readonly Float64Array[], step: number): Float64Array[] {
  requireSpace('densifyPath', space);
  requirePath('densifyPath', space, path);
  requirePositiveNumber('densifyPath', 'step', step);
  const out: Float64Array[] = path.length > 0 ? [path[0].slice()] : [];
  for (let i = 1; i < path.length; i++) {
    const n = countMotionSteps(space.distance(path[i - 1], path[i]), step);
    for (let k = 1; k < n; k++)
      out.push(space.interpolate(new Float64Array(space.dimension), path[i - 1], path[i], k / n));
    out.push(path[i].slice());
  }
  return out;
}

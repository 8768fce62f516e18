/** Which coordinates of a robot a planner moves, and where the others stand. */
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { requireNumbers, requireRobot } from './scene-door.js';
import type { SceneRobot } from './types.js';

export interface CoordinateOptions {
  /** Coordinates of q that the planner moves, in its order; default: all. */
  readonly indices?: ArrayLike<number>;
  /** The other coordinates; default: the robot's configuration now. */
  readonly rest?: ArrayLike<number>;
}

export interface Coordinates {
  /** A copy of `rest`. */
  readonly full: Float64Array;
  readonly indices: Int32Array;
}

export function readCoordinates(call: string, robot: SceneRobot, options: CoordinateOptions): Coordinates {
  requireRobot(call, robot);
  const { nq } = robot.model;
  const full = Float64Array.from(requireNumbers(call, 'rest', options.rest === undefined ? robot.q : options.rest, nq));
  const given = options.indices === undefined ? full.map((_, i) => i) : options.indices;
  if (typeof given !== 'object' || given === null || !Number.isInteger(given.length))
    throw new MisuseError(`${call}: indices, got ${describeValue(given)}, expected a list of places in q`);
  const seen = new Set<number>();
  for (let k = 0; k < given.length; k++) {
    const index = given[k];
    if (!Number.isInteger(index) || index < 0 || index >= nq || seen.has(index))
      throw new MisuseError(
        `${call}: indices[${k}], got ${describeValue(index)}, expected each at most once, whole numbers from 0 to ${nq - 1}`,
      );
    seen.add(index);
  }
  return { full, indices: Int32Array.from(given) };
}

/** Writes a planner's state into a configuration. */
export function writeCoordinates(call: string, full: Float64Array, indices: Int32Array, state: Float64Array): void {
  if (state?.length !== indices.length)
    throw new MisuseError(
      `${call}: state, got ${state?.length === undefined ? describeValue(state) : `${state.length} numbers`}, expected ${indices.length}`,
    );
  for (let k = 0; k < indices.length; k++) full[indices[k]] = state[k];
}

/** What a compiled check is made for. */
import { type Fields, numbers, requireFinite, requireList, requireObject } from '../../math/arguments.js';

import type { ImpossiblePairs } from './impossible-pairs.js';
import type { CarriedSpheres } from './sphere-robot.js';

export interface SphereCheckOptions {
  /** Pairs of links, by name, whose spheres are compared. Links without spheres are left out. */
  readonly pairs: readonly (readonly [string, string])[];
  /** The coordinates that vary; the others stand as `rest` says and are constants of the code. Default all. */
  readonly indices?: ArrayLike<number>;
  /** nq numbers. Default the neutral configuration. */
  readonly rest?: ArrayLike<number>;
  /** Spheres of two links nearer than this count as touching. Metres, default 0. */
  readonly margin?: number;
  /** Pairs of spheres to leave out, proven for the same coordinates, rest and at least this margin: see `proveImpossiblePairs`. */
  readonly never?: ImpossiblePairs;
  /** What the robot holds; `pairs` may name it. Default nothing. */
  readonly carried?: readonly CarriedSpheres[];
  /** Room for obstacles. Default 1 MiB. */
  readonly environmentBytes?: number;
}

export const OPTIONS: Fields = {
  pairs: requireList,
  indices: numbers,
  rest: numbers,
  margin: requireFinite,
  never: requireObject,
  carried: requireList,
  environmentBytes: requireFinite,
};

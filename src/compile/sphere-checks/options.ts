/** What a compiled check is made for. */
import { type Fields, numbers, requireFinite, requireList } from '../../math/arguments.js';

export interface SphereCheckOptions {
  /** Pairs of links, by name, whose spheres are compared. Links without spheres are left out. */
  readonly pairs: readonly (readonly [string, string])[];
  /** The coordinates that vary; the others stand as `rest` says and are constants of the code. Default all. */
  readonly indices?: ArrayLike<number>;
  /** nq numbers. Default the neutral configuration. */
  readonly rest?: ArrayLike<number>;
  /** Spheres of two links nearer than this count as touching. Metres, default 0. */
  readonly margin?: number;
  /** Room for obstacles. Default 1 MiB. */
  readonly environmentBytes?: number;
}

export const OPTIONS: Fields = {
  pairs: requireList,
  indices: numbers,
  rest: numbers,
  margin: requireFinite,
  environmentBytes: requireFinite,
};

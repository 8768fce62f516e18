/**
 * What every kind of shape provides. One file per kind; the table of them is in index.ts, and lacks no kind: the compiler says so.
 *
 * Shapes whose data are numbers and triples only also say what these mean (`fields`): their checks, their schema in scene files, and
 * their argument on the command line follow from it.
 * Frames: the shape's own, but for `bound`. Checked by support.test.ts, mass-properties.test.ts and test/contract/shape-pairs.test.ts.
 */
import type { MutableNumericArray, NumericArray } from '../../math/vec3.js';
import type { Shape, Triple } from '../shapes.js';
import type { SupportCore } from '../support.js';
import type { MassProperties } from './moments.js';

/** `size`: above 0; `length`: 0 or above; `number`: any; `sizes` and `vector`: three of the first or last. */
export type FieldKind = 'size' | 'length' | 'number' | 'sizes' | 'vector';

export interface ShapeField<Kind extends FieldKind = FieldKind> {
  readonly kind: Kind;
  /** Its numbers in an argument of the command line, between commas. */
  readonly letters: string;
}

type DataKey<S> = Exclude<keyof S, 'type'>;

/** The shapes whose data are numbers and triples. */
export type NumericShape = Shape extends infer S
  ? S extends Shape
    ? S[DataKey<S>] extends number | Triple
      ? S
      : never
    : never
  : never;

/** In the order of arguments. */
export type ShapeFields<S> = {
  readonly [Key in DataKey<S>]: S[Key] extends Triple
    ? ShapeField<'sizes' | 'vector'>
    : ShapeField<Exclude<FieldKind, 'sizes' | 'vector'>>;
};

export interface ShapeOperations<S extends Shape> {
  readonly fields: S extends NumericShape ? ShapeFields<S> : null;
  /** Throws a `validateShape: ...` where queries could not rely on the shape. `fields` have been checked. `nesting`: compounds around it. */
  validate(shape: S, nesting: number): void;
  /** Tight bounds in W at X_WS: [minX minY minZ maxX maxY maxZ]. */
  bound(out: MutableNumericArray, shape: S, X_WS: NumericArray): void;
  /** Largest distance of a point from the middle of the bounds. */
  boundingRadius(shape: S, center: Float64Array, bounds: Float64Array): number;
  /** The core of a bounded convex shape, for GJK; null for all others, which the narrow phase knows by name. */
  readonly core: ((shape: S) => SupportCore) | null;
  /** Of uniform density. Throws where there is no volume. */
  massProperties(shape: S, density: number): MassProperties;
  /** Whether it is data through and through, which can be stored and sent. */
  isData(shape: S): boolean;
}

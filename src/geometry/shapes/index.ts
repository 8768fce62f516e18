/**
 * The one table of shapes. A kind that is missing here, or lacks an operation, does not compile; what the narrow phase, files, the
 * command line and pictures know of each kind stands in tables of theirs, which do not compile either.
 */
import { describeValue } from '../../math/known-keys.js';
import type { Shape, ShapeType } from '../shapes.js';
import { box } from './box.js';
import { capsule } from './capsule.js';
import { refuse, requireFields } from './checks.js';
import { createCompound } from './compound.js';
import { cone } from './cone.js';
import { convex } from './convex.js';
import { cylinder } from './cylinder.js';
import { ellipsoid } from './ellipsoid.js';
import { halfspace } from './halfspace.js';
import { heightfield } from './heightfield.js';
import { mesh } from './mesh.js';
import { octree } from './octree.js';
import type { NumericShape, ShapeFields, ShapeOperations } from './operations.js';
import { points } from './points.js';
import { roundedBox } from './rounded-box.js';
import { roundedCylinder } from './rounded-cylinder.js';
import { sphere } from './sphere.js';
import { support } from './support.js';

export type ShapeTable = { readonly [Type in ShapeType]: ShapeOperations<Extract<Shape, { type: Type }>> };

export const SHAPES: ShapeTable = {
  sphere,
  box,
  capsule,
  cylinder,
  cone,
  ellipsoid,
  halfspace,
  'rounded-box': roundedBox,
  'rounded-cylinder': roundedCylinder,
  support,
  convex,
  mesh,
  octree,
  points,
  heightfield,
  compound: createCompound(operationsOf, validateNested),
};

export const SHAPE_TYPES = Object.keys(SHAPES) as readonly ShapeType[];
const BY_TYPE: ReadonlyMap<unknown, ShapeOperations<Shape>> = new Map<unknown, ShapeOperations<Shape>>(
  Object.entries(SHAPES) as [ShapeType, ShapeOperations<Shape>][],
);

type Numeric = NumericShape['type'];
/** The types whose data are numbers and triples, with what these mean. */
export const NUMERIC_SHAPES = Object.fromEntries(
  Object.entries(SHAPES).flatMap(([type, { fields }]) => (fields === null ? [] : [[type, fields]])),
) as { readonly [Type in Numeric]: ShapeFields<Extract<NumericShape, { type: Type }>> };

/** The operations of anything that says of which type it is, or undefined. */
export function findOperations(shape: unknown): ShapeOperations<Shape> | undefined {
  return BY_TYPE.get((shape as Shape | null | undefined)?.type);
}

/** The operations of a valid shape. */
export function operationsOf(shape: Shape): ShapeOperations<Shape> {
  return BY_TYPE.get(shape.type)!;
}

/** `sphere, box or cone` */
function listTypes(): string {
  return `${SHAPE_TYPES.slice(0, -1).join(', ')} or ${SHAPE_TYPES.at(-1)}`;
}

/** Throws where the shape cannot be queried; `nesting`: compounds around it. */
export function validateNested(shape: Shape, nesting: number): void {
  if (shape === null || typeof shape !== 'object')
    refuse('shape', describeValue(shape), `an object with a type: ${listTypes()}`);
  const operations = findOperations(shape);
  if (operations === undefined) refuse('type', describeValue((shape as { type?: unknown }).type), listTypes());
  if (operations.fields !== null) requireFields(shape.type, shape, operations.fields);
  operations.validate(shape, nesting);
}

/**
 * Axis-aligned bounds of any shape at any pose, tight, six numbers [minX minY minZ maxX maxY maxZ].
 *
 * Method: the shape's own (shapes/): closed forms for primitives, a pass over the elements for what has some; infinite for a half-space.
 * Cost: constant, O(elements) for those that have them. Checked by support.test.ts and part-shapes.test.ts.
 */
import { requireLength, throwMisuse } from '../math/arguments.js';
import type { MutableNumericArray, NumericArray } from '../math/vec3.js';
import { findOperations } from './shapes/index.js';
import type { Shape } from './shapes.js';

/**
 * World bounds of a shape at pose X_WS, tight. Shapes of many elements cost one pass over them; where that is too
 * slow, transform the local bounds with `transformBounds`.
 */
export function boundShape<T extends MutableNumericArray>(out: T, shape: Shape, X_WS: NumericArray): T {
  requireLength('boundShape', 'out', out, 6);
  requireLength('boundShape', 'X_WS', X_WS, 12);
  const operations = findOperations(shape);
  if (operations === undefined) throwMisuse('boundShape', 'shape', shape, 'a shape');
  operations.bound(out, shape, X_WS);
  return out;
}

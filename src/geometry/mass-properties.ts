/**
 * Volume, mass, centre of mass and inertia of shapes of uniform density.
 *
 * Method: closed forms for primitives; hulls and closed meshes as sums of tetrahedra (shapes/moments.ts).
 * Frames: the shape's frame; inertia about the centre of mass, row-major 3x3. Units: density times those of the shape.
 * Parts (cubes of an octree, children of a compound) are summed with the parallel-axis rule, so what lies in two of them
 * counts twice. Cost: constant, O(triangles) for meshes. A mesh must be closed and wound outward to mean anything; an inside-out one
 * has negative volume. Checked by mass-properties.test.ts.
 */
import { requireFinite, requireNotNegative } from '../math/arguments.js';
import { operationsOf } from './shapes/index.js';
import type { MassProperties } from './shapes/moments.js';
import type { Shape } from './shapes.js';
import { validateShape } from './validate-shape.js';

/**
 * Mass properties of a shape of uniform density. Throws for shapes without a volume: a half-space, points (whose balls
 * overlap), a height field without a floor.
 */
export function computeMassProperties(shape: Shape, density: number): MassProperties {
  requireFinite('computeMassProperties', 'density', density);
  requireNotNegative('computeMassProperties', 'density', density);
  validateShape(shape);
  return operationsOf(shape).massProperties(shape, density);
}

/** Misuse checks of shapes at the door: what the geometry code behind it may rely on. Each kind's own are in shapes/. */
import { findOperations, validateNested } from './shapes/index.js';
import type { Shape } from './shapes.js';

/** Whether it says of which type it is; `validateShape` looks at the rest. */
export function isShape(shape: unknown): boolean {
  return findOperations(shape) !== undefined;
}

/**
 * Throws when a shape cannot be queried: sizes that are not from 1e-15 to 1e15 (a capsule's length may be 0, a hull
 * or mesh a point), a half-space normal that is not a unit vector to 1e-6, coordinates that are not finite or above 1e15, indices out of
 * range, grids whose
 * numbers do not fit together, a half-space in a compound.
 */
export function validateShape(shape: Shape): void {
  validateNested(shape, 0);
}

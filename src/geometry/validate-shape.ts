/** Misuse checks of shapes at the door: what the geometry code behind it may rely on. */
import type { Shape } from './shapes.js';

function requirePositive(type: string, name: string, value: number): void {
  if (!(Number.isFinite(value) && value > 0))
    throw new RangeError(`validateShape: ${type} ${name}, got ${value}, expected a positive finite number`);
}

function requireTriple(type: string, name: string, value: ArrayLike<number>): void {
  if (value?.length !== 3)
    throw new RangeError(`validateShape: ${type} ${name}, got ${value?.length ?? value} numbers, expected 3`);
}

function requireFinite(type: string, name: string, values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i]))
      throw new RangeError(`validateShape: ${type} ${name}[${i}], got ${values[i]}, expected a finite number`);
}

/**
 * Throws when a shape cannot be queried: sizes that are not positive and finite (a capsule's length may be 0), a
 * half-space normal that is not a unit vector to 1e-6, coordinates that are not finite, indices out of range.
 */
export function validateShape(shape: Shape): void {
  switch (shape.type) {
    case 'sphere':
      requirePositive('sphere', 'radius', shape.radius);
      return;
    case 'capsule':
      if (!(Number.isFinite(shape.length) && shape.length >= 0))
        throw new RangeError(`validateShape: capsule length, got ${shape.length}, expected a finite number >= 0`);
      requirePositive('capsule', 'radius', shape.radius);
      return;
    case 'cylinder':
    case 'cone':
      requirePositive(shape.type, 'radius', shape.radius);
      requirePositive(shape.type, 'length', shape.length);
      return;
    case 'box':
      requireTriple('box', 'size', shape.size);
      for (let i = 0; i < 3; i++) requirePositive('box', `size[${i}]`, shape.size[i]);
      return;
    case 'ellipsoid':
      requireTriple('ellipsoid', 'semiAxes', shape.semiAxes);
      for (let i = 0; i < 3; i++) requirePositive('ellipsoid', `semiAxes[${i}]`, shape.semiAxes[i]);
      return;
    case 'halfspace': {
      requireTriple('halfspace', 'normal', shape.normal);
      requireFinite('halfspace', 'normal', shape.normal);
      requireFinite('halfspace', 'offset', [shape.offset]);
      const norm = Math.hypot(...shape.normal);
      if (Math.abs(norm - 1) > 1e-6)
        throw new RangeError(`validateShape: halfspace normal, got length ${norm}, expected a unit vector`);
      return;
    }
    case 'convex':
      if (!(shape.points?.length >= 3) || shape.points.length % 3 !== 0)
        throw new RangeError(
          `validateShape: convex points, got ${shape.points?.length} numbers, expected 3 per point and at least one point`,
        );
      requireFinite('convex', 'points', shape.points);
      return;
    case 'mesh': {
      const { vertices, triangles } = shape.mesh;
      if (triangles.length === 0 || triangles.length % 3 !== 0 || vertices.length % 3 !== 0)
        throw new RangeError(
          `validateShape: mesh, got ${vertices.length} coordinates and ${triangles.length} indices, expected multiples of 3 and at least one triangle`,
        );
      const count = vertices.length / 3;
      for (let i = 0; i < triangles.length; i++)
        if (triangles[i] >= count)
          throw new RangeError(`validateShape: mesh triangles[${i}], got ${triangles[i]}, expected less than ${count}`);
      requireFinite('mesh', 'vertices', vertices);
      return;
    }
    default:
      throw new RangeError(
        `validateShape: type, got ${(shape as { type?: unknown })?.type}, expected sphere, box, capsule, cylinder, cone, ellipsoid, halfspace, convex or mesh`,
      );
  }
}

/** Misuse checks of shapes at the door: what the geometry code behind it may rely on. */

import { isArrayOf, throwMisuse } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { hypot } from '../math/scalar.js';
import { describeQuaternion } from '../math/unit-quaternion.js';
import type { Compound, HeightField, Octree, Shape } from './shapes.js';

/**
 * Sizes from here to there, and coordinates up to there: the range in which every query keeps its digits. Kernels form fifth and
 * sixth powers of lengths in doubles and squares in single precision; beyond, answers would be wrong before they overflowed.
 */
export const SHORTEST = 1e-15;
export const LONGEST = 1e15;

function requirePositive(type: string, name: string, value: number): void {
  if (typeof value !== 'number' || !(Number.isFinite(value) && value > 0))
    throw new MisuseError(
      `validateShape: ${type} ${name}, got ${describeValue(value)}, expected a positive finite number`,
    );
  if (value < SHORTEST || value > LONGEST)
    throw new MisuseError(
      `validateShape: ${type} ${name}, got ${describeValue(value)}, expected a number from ${SHORTEST} to ${LONGEST}`,
    );
}

function requireTriple(type: string, name: string, value: ArrayLike<number>): void {
  if (typeof value !== 'object' || value?.length !== 3)
    throw new MisuseError(
      `validateShape: ${type} ${name}, got ${describeValue(value?.length ?? value)} numbers, expected 3`,
    );
}

function requireFinite(type: string, name: string, values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i]))
      throw new MisuseError(
        `validateShape: ${type} ${name}[${i}], got ${describeValue(values[i])}, expected a finite number`,
      );
    else if (Math.abs(values[i]) > LONGEST)
      throw new MisuseError(
        `validateShape: ${type} ${name}[${i}], got ${describeValue(values[i])}, expected a number of at most ${LONGEST}`,
      );
}

/** Points closer together than the shortest size, but not one: their differences have no digits left in a product. */
function requireExtent(type: string, points: ArrayLike<number>): void {
  let extent = 0;
  for (let k = 0; k < 3; k++) {
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = k; i < points.length; i += 3) {
      if (points[i] < lower) lower = points[i];
      if (points[i] > upper) upper = points[i];
    }
    extent = Math.max(extent, upper - lower);
  }
  if (extent > 0 && extent < SHORTEST)
    throw new MisuseError(`validateShape: ${type} extent, got ${extent}, expected 0 or at least ${SHORTEST}`);
}

const KNOWN =
  'sphere, box, capsule, cylinder, cone, ellipsoid, halfspace, convex, mesh, octree, points, heightfield or compound';
const TYPES: ReadonlySet<unknown> = new Set(KNOWN.split(/, | or /));

/** Whether it says of which type it is; `validateShape` looks at the rest. */
export function isShape(shape: unknown): boolean {
  return TYPES.has((shape as Shape | null | undefined)?.type);
}

/** Compounds in compounds. */
const MAX_NESTING = 64;

function validateOctree(shape: Octree): void {
  requirePositive('octree', 'resolution', shape.resolution);
  const { cells } = shape;
  if (!(cells instanceof Int32Array) || cells.length === 0 || cells.length % 4 !== 0)
    throw new MisuseError(
      `validateShape: octree cells, got ${cells?.length} numbers, expected an Int32Array of 4 per cube and at least one cube`,
    );
  let farthest = 0;
  for (let i = 0; i < cells.length; i += 4) {
    if (!(cells[i + 3] > 0))
      throw new MisuseError(`validateShape: octree cells[${i + 3}], got edge ${cells[i + 3]}, expected 1 cell or more`);
    for (let k = 0; k < 3; k++)
      farthest = Math.max(farthest, Math.abs(cells[i + k]), Math.abs(cells[i + k] + cells[i + 3]));
  }
  if (farthest * shape.resolution > LONGEST)
    throw new MisuseError(
      `validateShape: octree cells, got one at ${farthest * shape.resolution}, expected coordinates of at most ${LONGEST}`,
    );
}

function validateHeightField(shape: HeightField): void {
  const { rows, columns, heights, spacing, floor } = shape;
  for (const [name, value] of [['rows', rows] as const, ['columns', columns] as const])
    if (!(Number.isInteger(value) && value >= 2))
      throw new MisuseError(
        `validateShape: heightfield ${name}, got ${describeValue(value)}, expected an integer of at least 2`,
      );
  if (typeof heights !== 'object' || heights?.length !== rows * columns)
    throw new MisuseError(
      `validateShape: heightfield heights, got ${heights?.length} numbers, expected ${rows} rows of ${columns}`,
    );
  requireFinite('heightfield', 'heights', heights);
  if (typeof spacing !== 'object' || spacing?.length !== 2)
    throw new MisuseError(
      `validateShape: heightfield spacing, got ${describeValue(spacing?.length ?? spacing)} numbers, expected 2`,
    );
  for (let i = 0; i < 2; i++) requirePositive('heightfield', `spacing[${i}]`, spacing[i]);
  if (floor === undefined) return;
  requireFinite('heightfield', 'floor', [floor]);
  for (let i = 0; i < heights.length; i++)
    if (heights[i] < floor)
      throw new MisuseError(
        `validateShape: heightfield floor, got ${floor} above heights[${i}] = ${heights[i]}, expected no height below it`,
      );
}

function validateCompound(shape: Compound, nesting: number): void {
  if (!Array.isArray(shape.children) || shape.children.length === 0)
    throw new MisuseError(
      `validateShape: compound children, got ${describeValue(shape.children?.length ?? shape.children)}, expected one or more`,
    );
  if (nesting > MAX_NESTING)
    throw new MisuseError(
      `validateShape: compound, got more than ${MAX_NESTING} compounds in each other, expected fewer`,
    );
  shape.children.forEach((child, i) => {
    if (child?.shape?.type === 'halfspace')
      throw new MisuseError(
        `validateShape: compound children[${i}], got a halfspace, expected a bounded shape: put it beside the compound`,
      );
    validate(child?.shape, nesting + 1);
    if (child.pose === undefined) return;
    if (typeof child.pose !== 'object' || child.pose?.length !== 7)
      throw new MisuseError(
        `validateShape: compound children[${i}] pose, got ${describeValue(child.pose)}, expected x y z and a quaternion`,
      );
    requireFinite('compound', `children[${i}] pose`, child.pose);
    const problem = describeQuaternion(child.pose, 3);
    if (problem !== null) throw new MisuseError(`validateShape: compound children[${i}] pose, ${problem}`);
  });
}

/**
 * Throws when a shape cannot be queried: sizes that are not from 1e-15 to 1e15 (a capsule's length may be 0, a hull
 * or mesh a point), a half-space normal that is not a unit vector to 1e-6, coordinates that are not finite or above 1e15, indices out of
 * range, grids whose
 * numbers do not fit together, a half-space in a compound.
 */
export function validateShape(shape: Shape): void {
  validate(shape, 0);
}

/** A valid shape of one type. */
export function requireShape(call: string, what: string, shape: Shape, type: Shape['type']): void {
  if (shape?.type !== type) throwMisuse(call, what, shape, `a shape of type '${type}'`);
  validateShape(shape);
}

function validate(shape: Shape, nesting: number): void {
  if (shape === null || typeof shape !== 'object')
    throw new MisuseError(
      `validateShape: shape, got ${describeValue(shape)}, expected an object with a type: ${KNOWN}`,
    );
  switch (shape.type) {
    case 'sphere':
      requirePositive('sphere', 'radius', shape.radius);
      return;
    case 'capsule':
      if (!(Number.isFinite(shape.length) && shape.length >= 0))
        throw new MisuseError(
          `validateShape: capsule length, got ${describeValue(shape.length)}, expected a finite number >= 0`,
        );
      if (shape.length !== 0) requirePositive('capsule', 'length', shape.length);
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
      const norm = hypot(shape.normal[0], shape.normal[1], shape.normal[2]);
      if (Math.abs(norm - 1) > 1e-6)
        throw new MisuseError(`validateShape: halfspace normal, got length ${norm}, expected a unit vector`);
      return;
    }
    case 'convex':
      if (!isArrayOf(shape.points) || shape.points.length < 3 || shape.points.length % 3 !== 0)
        throw new MisuseError(
          `validateShape: convex points, got ${describeValue(shape.points)}, expected 3 per point and at least one point`,
        );
      requireFinite('convex', 'points', shape.points);
      requireExtent('convex', shape.points);
      return;
    case 'mesh': {
      const { vertices, triangles } = shape.mesh ?? {};
      if (!isArrayOf(vertices) || !isArrayOf(triangles))
        throw new MisuseError(
          `validateShape: mesh, got ${describeValue(shape.mesh)}, expected an object with arrays vertices and triangles`,
        );
      if (triangles.length === 0 || triangles.length % 3 !== 0 || vertices.length % 3 !== 0)
        throw new MisuseError(
          `validateShape: mesh, got ${vertices.length} coordinates and ${triangles.length} indices, expected multiples of 3 and at least one triangle`,
        );
      const count = vertices.length / 3;
      for (let i = 0; i < triangles.length; i++)
        if (!(triangles[i] >= 0 && triangles[i] < count))
          throw new MisuseError(
            `validateShape: mesh triangles[${i}], got ${describeValue(triangles[i])}, expected less than ${count}`,
          );
      requireFinite('mesh', 'vertices', vertices);
      requireExtent('mesh', vertices);
      return;
    }
    case 'octree':
      validateOctree(shape);
      return;
    case 'points':
      requirePositive('points', 'radius', shape.radius);
      if (!isArrayOf(shape.points) || shape.points.length < 3 || shape.points.length % 3 !== 0)
        throw new MisuseError(
          `validateShape: points, got ${describeValue(shape.points)}, expected 3 per point and at least one point`,
        );
      requireFinite('points', 'points', shape.points);
      return;
    case 'heightfield':
      validateHeightField(shape);
      return;
    case 'compound':
      validateCompound(shape, nesting);
      return;
    default:
      throw new MisuseError(
        `validateShape: type, got ${describeValue((shape as { type?: unknown }).type)}, expected ${KNOWN}`,
      );
  }
}

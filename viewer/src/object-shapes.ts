/** Shapes that the user can add and resize: their sizes by name, and scaling by factors along their axes. Metres. */
import type { Shape } from 'clearance/geometry';

export const ADDED_KINDS = ['box', 'sphere', 'cylinder', 'capsule'] as const;
export type AddedKind = (typeof ADDED_KINDS)[number];
type Sized = Extract<Shape, { type: AddedKind }>;

/** Nothing is made smaller. */
const LEAST = 1e-3;

export function isSized(shape: Shape): shape is Sized {
  return (ADDED_KINDS as readonly string[]).includes(shape.type);
}

/** About `size` from side to side. */
export function createAddedShape(kind: AddedKind, size: number): Sized {
  if (kind === 'box') return { type: kind, size: [size, size, size] };
  if (kind === 'sphere') return { type: kind, radius: size / 2 };
  return { type: kind, radius: 0.35 * size, length: 1.2 * size };
}

export function listSizes(shape: Shape): readonly { readonly name: string; readonly value: number }[] {
  if (!isSized(shape)) return [];
  if (shape.type === 'box') return ['width x', 'width y', 'width z'].map((name, i) => ({ name, value: shape.size[i] }));
  const radius = { name: 'radius', value: shape.radius };
  return shape.type === 'sphere' ? [radius] : [radius, { name: 'length', value: shape.length }];
}

/** The shape with the sizes in the order of `listSizes`. */
export function withSizes(shape: Sized, sizes: readonly number[]): Sized {
  const [a, b, c] = sizes.map((size) => Math.max(size, LEAST));
  if (shape.type === 'box') return { type: 'box', size: [a, b, c] };
  return shape.type === 'sphere' ? { type: 'sphere', radius: a } : { type: shape.type, radius: a, length: b };
}

/** Round shapes take the factor that differs most from 1 of the axes that share a size. */
export function scaleShape(shape: Sized, factors: readonly [number, number, number]): Sized {
  const [x, y, z] = factors.map(Math.abs);
  const most = (...of: readonly number[]): number =>
    of.reduce((best, factor) => (Math.max(factor, 1 / factor) > Math.max(best, 1 / best) ? factor : best), 1);
  if (shape.type === 'box') return withSizes(shape, [x * shape.size[0], y * shape.size[1], z * shape.size[2]]);
  if (shape.type === 'sphere') return withSizes(shape, [most(x, y, z) * shape.radius]);
  return withSizes(shape, [most(x, y) * shape.radius, z * shape.length]);
}

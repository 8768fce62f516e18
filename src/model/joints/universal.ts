/**
 * Universal joint: two turns, q = (angle about the first axis, angle about the second), the second axis carried by the first
 * turn. Angles are in radians, not wrapped. Axes need not be perpendicular nor distinct; parallel ones leave M singular.
 */
import { createTransform } from '../../math/transform.js';
import { createComposite } from './composite.js';
import type { JointKind } from './joint-kind.js';
import { revolute } from './revolute.js';

export function createUniversal(firstAxis: Float64Array, secondAxis: Float64Array): JointKind {
  const turn = (axis: Float64Array) => ({ kind: revolute, axis, placement: createTransform() });
  return { ...createComposite([turn(firstAxis), turn(secondAxis)]), name: 'universal' };
}

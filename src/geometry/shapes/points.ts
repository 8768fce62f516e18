/** Balls of one radius about points. Their mass would count overlaps twice. */
import { isArrayOf } from '../../math/arguments.js';
import { describeValue } from '../../math/known-keys.js';
import type { MutableNumericArray, NumericArray } from '../../math/vec3.js';
import { boundTransformedPoints, halfDiagonal } from '../bounds.js';
import type { PointCloud } from '../shapes.js';
import { refuse, requireFinite, requirePositive } from './checks.js';
import { refuseMass } from './moments.js';
import type { ShapeOperations } from './operations.js';

function boundPointCloud(out: MutableNumericArray, { points, radius }: PointCloud, X: NumericArray): void {
  boundTransformedPoints(out, points, X);
  for (let k = 0; k < 3; k++) {
    out[k] -= radius;
    out[k + 3] += radius;
  }
}

export const points: ShapeOperations<PointCloud> = {
  fields: null,
  validate(shape) {
    requirePositive('points', 'radius', shape.radius);
    if (!isArrayOf(shape.points) || shape.points.length < 3 || shape.points.length % 3 !== 0)
      refuse('points', describeValue(shape.points), '3 per point and at least one point');
    requireFinite('points', 'points', shape.points);
  },
  bound: boundPointCloud,
  boundingRadius: (_, __, bounds) => halfDiagonal(bounds),
  core: null,
  massProperties: refuseMass,
  isData: () => true,
};

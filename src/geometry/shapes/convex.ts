/** The convex hull of points. */
import { isArrayOf } from '../../math/arguments.js';
import { describeValue } from '../../math/known-keys.js';
import { boundTransformedPoints, radiusOfPoints } from '../bounds.js';
import { buildConvexHull } from '../hull.js';
import type { Convex } from '../shapes.js';
import { createHullCore } from '../support.js';
import { refuse, requireExtent, requireFinite } from './checks.js';
import { integrateTetrahedra } from './moments.js';
import type { ShapeOperations } from './operations.js';

export const convex: ShapeOperations<Convex> = {
  fields: null,
  validate({ points }) {
    if (!isArrayOf(points) || points.length < 3 || points.length % 3 !== 0)
      refuse('convex points', describeValue(points), '3 per point and at least one point');
    requireFinite('convex', 'points', points);
    requireExtent('convex', points);
  },
  bound: (out, { points }, X_WS) => boundTransformedPoints(out, points, X_WS),
  boundingRadius: ({ points }, center) => radiusOfPoints(points, center),
  core: ({ points }) => createHullCore(buildConvexHull(points)),
  massProperties: ({ points }, density) => integrateTetrahedra(buildConvexHull(points), density),
  isData: () => true,
};

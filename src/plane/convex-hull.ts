/**
 * Convex hull of points of the plane, with exact turns.
 *
 * Points sorted by x, then y; lower and upper chain keep left turns only. Source: A. M. Andrew, "Another efficient algorithm for
 * convex hulls in two dimensions", Information Processing Letters 9, 1979, doi:10.1016/0020-0190(79)90072-3. Cost: O(n log n).
 * Tested by disc.test.ts.
 */
import { requireList } from '../math/arguments.js';
import type { ConvexPart } from './convex-parts.js';
import { createExactPoint, orientPoints } from './exact-point.js';
import { type PlanePoint, requirePlanePoint } from './polygon.js';

/** Corners counter-clockwise, no three on a line; fewer than three where all points lie on one. */
export function findConvexHull(points: readonly PlanePoint[]): ConvexPart {
  requireList('findConvexHull', 'points', points);
  for (const [i, point] of points.entries()) requirePlanePoint('findConvexHull', `points[${i}]`, point);
  const sorted = points
    .map(([x, y]) => createExactPoint(x, y))
    .sort((a, b) => a.x - b.x || a.y - b.y)
    .filter((p, i, all) => i === 0 || p.x !== all[i - 1].x || p.y !== all[i - 1].y);
  const walk = (list: typeof sorted) => {
    const chain: typeof sorted = [];
    for (const p of list) {
      while (chain.length > 1 && orientPoints(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain;
  };
  if (sorted.length < 3) return sorted.map(({ x, y }) => [x, y]);
  const lower = walk(sorted);
  const upper = walk(sorted.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)].map(({ x, y }) => [x, y]);
}

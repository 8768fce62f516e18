/**
 * The Minkowski sum of a convex part and a mirrored convex part, A + (-B): where the reference point of B may not be while B
 * touches A. Its corners are differences of corners, known exactly.
 *
 * The sides of both are merged by direction; parallel sides become one. Source: de Berg et al., "Computational Geometry",
 * 3rd edition, 2008, section 13.3, doi:10.1007/978-3-540-77974-2. Cost: O(m + n). Tested by region.test.ts.
 */
import type { ConvexPart } from './convex-parts.js';
import { createDifferencePoint, type ExactPoint, orientPoints } from './exact-point.js';

function findFirst(part: ConvexPart, way: number): number {
  let first = 0;
  for (let i = 1; i < part.length; i++) {
    const dx = way * (part[i][0] - part[first][0]);
    if (dx < 0 || (dx === 0 && way * (part[i][1] - part[first][1]) < 0)) first = i;
  }
  return first;
}

/** Corners counter-clockwise. Either part may be a single point, not both. */
export function sumConvexParts(a: ConvexPart, b: ConvexPart): ExactPoint[] {
  const startA = findFirst(a, 1);
  const startB = findFirst(b, -1);
  const corner = (i: number, j: number) => {
    const [ax, ay] = a[(startA + i) % a.length];
    const [bx, by] = b[(startB + j) % b.length];
    return createDifferencePoint(ax, ay, bx, by);
  };
  if (a.length === 1) return b.map((_, j) => corner(0, j));
  if (b.length === 1) return a.map((_, i) => corner(i, 0));
  const corners: ExactPoint[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const here = corner(i, j);
    corners.push(here);
    // The side that turns less from the one before comes first.
    let turn: number;
    if (i === a.length) turn = -1;
    else if (j === b.length) turn = 1;
    else turn = orientPoints(here, corner(i + 1, j), corner(i, j + 1));
    if (turn >= 0) i++;
    if (turn <= 0) j++;
  }
  return corners;
}

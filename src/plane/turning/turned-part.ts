/**
 * A convex part of a body at every angle of an interval: a convex polygon that contains it at all of them.
 *
 * A corner runs along an arc about the reference point. The arc lies in the triangle of its two ends and the point where its
 * tangents there meet; the hull of the triangles of all corners contains the part at every angle between. It is moved outward by
 * sixteen units in the last place of the body's radius, which is more than sines, cosines and products are off by.
 *
 * The method of slices with bodies that hold for a whole interval: R. A. Brooks, T. Lozano-Perez, "A subdivision algorithm in configuration
 * space for findpath with rotation", IEEE Transactions on Systems, Man, and Cybernetics SMC-15(2), 1985.
 *
 * Angles in radians, to - from at most pi / 2; points in metres. Cost: O(n log n). Tested by turned-part.test.ts.
 */
import { cos, hypot, sin } from '../../math/scalar.js';
import { findConvexHull } from '../convex-hull.js';
import type { ConvexPart } from '../convex-parts.js';
import type { PlanePoint } from '../polygon.js';

/** Units in the last place of the body's radius by which turned polygons are larger. */
export const TURN_ROUNDING = 2 ** -48;

/** Contains the part turned by every angle from `from` to `to`; at `from` = `to` = 0 it is the part. */
export function surroundTurned(part: ConvexPart, from: number, to: number): ConvexPart {
  if (from === 0 && to === 0) return part;
  const points: PlanePoint[] = [];
  turnInto(points, part, from, 1);
  if (from !== to) {
    turnInto(points, part, to, 1);
    turnInto(points, part, from + (to - from) / 2, 1 / cos((to - from) / 2));
  }
  let radius = 0;
  for (const [x, y] of part) radius = Math.max(radius, hypot(x, y));
  return growHull(findConvexHull(points), TURN_ROUNDING * radius);
}

function turnInto(out: PlanePoint[], part: ConvexPart, angle: number, scale: number): void {
  const c = cos(angle) * scale;
  const s = sin(angle) * scale;
  for (const [x, y] of part) out.push([c * x - s * y, s * x + c * y]);
}

/** A convex polygon with its sides moved outward by `margin` or more. */
export function growHull(hull: ConvexPart, margin: number): ConvexPart {
  if (margin === 0) return hull;
  let x = 0;
  let y = 0;
  for (const corner of hull) {
    x += corner[0] / hull.length;
    y += corner[1] / hull.length;
  }
  let least = Infinity;
  let reach = 0;
  for (const [i, a] of hull.entries()) {
    const b = hull[(i + 1) % hull.length];
    const along = hypot(b[0] - a[0], b[1] - a[1]);
    least = Math.min(least, ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / along);
    reach = Math.max(reach, hypot(a[0] - x, a[1] - y));
  }
  // Slivers: a square about every corner is safer than a large factor.
  if (hull.length < 3 || !(least > 1e-6 * reach))
    return findConvexHull(
      hull.flatMap(([px, py]): PlanePoint[] => [
        [px - margin, py - margin],
        [px + margin, py - margin],
        [px + margin, py + margin],
        [px - margin, py + margin],
      ]),
    );
  const scale = margin / least;
  return findConvexHull(hull.map(([px, py]): PlanePoint => [px + (px - x) * scale, py + (py - y) * scale]));
}

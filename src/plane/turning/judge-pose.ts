/**
 * Whether a turned body certainly overlaps obstacles, certainly keeps off them, or neither can be said in doubles.
 *
 * Two convex polygons are apart where the line along a side of either lies between them; a side that is not between them by a margin
 * above all rounding says that they overlap there. Source: S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree", 1996,
 * doi:10.1145/237170.237244 (the separating axis theorem). Cost: O(sides x corners) for each pair. Tested by box-verdict.test.ts.
 */
import { cos, sin } from '../../math/scalar.js';
import type { ConvexPart } from '../convex-parts.js';
import type { PlanePoint } from '../polygon.js';
import type { ObstaclePart, PlanePose } from './turning-problem.js';

export type PoseVerdict = 'overlaps' | 'apart' | 'unknown';

/** Times the size of all coordinates: above the rounding of every product here. */
const ROUNDING = 2 ** -46;

export function judgePose(
  body: readonly ConvexPart[],
  obstacles: readonly ObstaclePart[],
  [x, y, theta]: PlanePose,
): PoseVerdict {
  const c = cos(theta);
  const s = sin(theta);
  const placed = body.map((part) => part.map(([px, py]): PlanePoint => [x + c * px - s * py, y + s * px + c * py]));
  let verdict: PoseVerdict = 'apart';
  for (const { inner, outer } of obstacles)
    for (const part of placed) {
      if (inner !== null && gapBetween(part, inner) < 0) return 'overlaps';
      if (gapBetween(part, outer) <= 0) verdict = 'unknown';
    }
  return verdict;
}

/** 1 where certainly apart, -1 where certainly overlapping, 0 otherwise. */
function gapBetween(a: ConvexPart, b: ConvexPart): number {
  let isClose = false;
  for (const [p, q] of [
    [a, b],
    [b, a],
  ])
    for (const [i, u] of p.entries()) {
      const v = p[(i + 1) % p.length];
      const dx = v[0] - u[0];
      const dy = v[1] - u[1];
      let least = Infinity;
      let size = 0;
      for (const [wx, wy] of q) {
        least = Math.min(least, dy * (wx - u[0]) - dx * (wy - u[1]));
        size = Math.max(size, Math.abs(wx) + Math.abs(wy));
      }
      const off = ROUNDING * (Math.abs(dx) + Math.abs(dy)) * (size + Math.abs(u[0]) + Math.abs(u[1]));
      if (least > off) return 1;
      if (least >= -off) isClose = true;
    }
  return isClose ? 0 : -1;
}

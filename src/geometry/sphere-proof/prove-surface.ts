/**
 * Whether balls contain a surface, and where and by how much they do not.
 *
 * The gap at a point p is g(p) = min over i of |p - c_i| - r_i: how far it lies outside all balls.
 * Method: branch and bound over patches. A patch whose farthest point from some c_i lies within r_i is contained; so its gap is at
 * most max_patch |p - c_i| - r_i for every i, and the least of these is its upper bound. Lower bounds are the gaps of its points.
 * Patches are split until every bound is below what is asked, or below the rounding of the numbers. The ball that a patch was bound by
 * is tried first on its pieces.
 * Frames: each surface's own; the balls' centres are taken there. Cost: one bound per patch, ball and level; near a point where two balls' spheres
 * meet the surface the pieces shrink with their distance from it, so each such curve costs its length over the overlap.
 * Checked by verify-spheres.test.ts.
 */

import { inverseTransformPoint, type Transform, transformPoint } from '../../math/transform.js';
import { createVec3 } from '../../math/vec3.js';
import type { ProofPart, SurfacePart } from './parts.js';
import type { Patch } from './patch.js';

/** Balls in the frame of a surface: x, y, z, radius each. */
export type Balls = Float64Array;

/** Pieces are never split further than this: each level halves them. */
const DEEPEST = 100;

export function placeBalls(balls: Balls, X_LP: Transform): Balls {
  const out = balls.slice();
  const p = createVec3();
  for (let i = 0; i < balls.length; i += 4) {
    inverseTransformPoint(p, X_LP, [balls[i], balls[i + 1], balls[i + 2]]);
    out.set(p, i);
  }
  return out;
}

/** How far a point lies outside all balls. */
export function gapAt(balls: Balls, x: number, y: number, z: number): number {
  let least = Infinity;
  for (let i = 0; i < balls.length; i += 4) {
    const [dx, dy, dz] = [x - balls[i], y - balls[i + 1], z - balls[i + 2]];
    least = Math.min(least, Math.sqrt(dx * dx + dy * dy + dz * dz) - balls[i + 3]);
  }
  return least;
}

/** Whether one ball contains the whole part, `slack` to spare; none is needed between balls about one point. */
export function isInOneBall({ surfaces, radius }: ProofPart, balls: Balls, slack: number): boolean {
  const placed = surfaces.map(({ X_LP }) => placeBalls(balls, X_LP));
  for (let i = 0; i < balls.length; i += 4) {
    const [x, y, z] = placed[0].subarray(i, i + 3);
    if (radius !== null && x === 0 && y === 0 && z === 0 && radius <= balls[i + 3]) return true;
    const most = balls[i + 3] - slack;
    if (surfaces.every(({ patches }, k) => isWithin(patches, placed[k], i, most))) return true;
  }
  return false;
}

function isWithin(patches: readonly Patch[], balls: Balls, i: number, most: number): boolean {
  for (const patch of patches) if (patch.farthest(balls[i], balls[i + 1], balls[i + 2]) > most) return false;
  return true;
}

export interface SurfaceGap {
  /** No point of the surface lies farther outside all balls. */
  upper: number;
  /** Gap of the worst point that was looked at, and where it is, in the link's frame. -Infinity where nothing came above `enough`. */
  lower: number;
  readonly point: Float64Array;
  patches: number;
}

export interface GapRequest {
  /** A surface whose gap is at most this is not looked into further. */
  readonly enough: number;
  /** Once a point lies above `enough`, the bounds of the largest gap need not be closer than this, relatively and absolutely. */
  readonly relative: number;
  readonly absolute: number;
  /** Of patches; beyond it the bounds are what they are. */
  readonly limit: number;
}

/** Bounds of the largest gap; `out` goes on from what is in it. */
export function boundGap(out: SurfaceGap, { X_LP, patches }: SurfacePart, balls: Balls, request: GapRequest): void {
  const { enough, relative, absolute, limit } = request;
  const own = placeBalls(balls, X_LP);
  const look = ({ points }: Patch): void => {
    for (let k = 0; k < points.length; k += 3) {
      const gap = gapAt(own, points[k], points[k + 1], points[k + 2]);
      if (gap <= out.lower) continue;
      out.lower = gap;
      transformPoint(out.point, X_LP, [points[k], points[k + 1], points[k + 2]]);
    }
  };
  const done = (): number =>
    out.lower > enough ? out.lower + Math.max(relative * Math.abs(out.lower), absolute) : enough;
  // A good lower bound first: it spares most of the search.
  for (const patch of patches) if (leastBound(patch, own, done()) > done()) look(patch);
  const stack: Patch[] = [];
  const hints: number[] = [];
  const levels: number[] = [];
  for (const patch of patches) {
    stack.push(patch);
    hints.push(0);
    levels.push(0);
    while (stack.length > 0) {
      const piece = stack.pop()!;
      const hint = hints.pop()!;
      const level = levels.pop()!;
      out.patches++;
      const most = done();
      let best = hint;
      let upper = boundBy(piece, own, hint);
      for (let i = 0; i < own.length && upper > most; i += 4) {
        if (i === hint) continue;
        const bound = boundBy(piece, own, i);
        if (bound < upper) {
          upper = bound;
          best = i;
        }
      }
      if (upper > most) {
        look(piece);
        if (upper > done() && level < DEEPEST && out.patches < limit) {
          for (const half of piece.split()) {
            stack.push(half);
            hints.push(best);
            levels.push(level + 1);
          }
          continue;
        }
      }
      if (upper > out.upper) out.upper = upper;
    }
  }
}

/** The least bound by any ball, or one that is at most `most`. */
function leastBound(patch: Patch, balls: Balls, most: number): number {
  let least = Infinity;
  for (let i = 0; i < balls.length && least > most; i += 4) least = Math.min(least, boundBy(patch, balls, i));
  return least;
}

function boundBy(patch: Patch, balls: Balls, i: number): number {
  return patch.farthest(balls[i], balls[i + 1], balls[i + 2]) - balls[i + 3];
}

/**
 * Points that lie outside all balls, about one per piece of the surface of at most `resolution` that has one; 3 numbers each in
 * the link's frame. Adds at most `most` of them to `out`.
 */
export function listGaps(
  out: number[],
  { X_LP, patches }: SurfacePart,
  balls: Balls,
  resolution: number,
  { most, finest, slack }: { most: number; finest: number; slack: number },
): void {
  const own = placeBalls(balls, X_LP);
  const placed = createVec3();
  const stack: Patch[] = [];
  const hints: number[] = [];
  for (const patch of patches) {
    stack.push(patch);
    hints.push(0);
    while (stack.length > 0 && out.length < 3 * most) {
      const piece = stack.pop()!;
      const hint = hints.pop()!;
      let best = hint;
      let upper = boundBy(piece, own, hint);
      for (let i = 0; i < own.length && upper > -slack; i += 4) {
        const bound = i === hint ? upper : boundBy(piece, own, i);
        if (bound < upper) {
          upper = bound;
          best = i;
        }
      }
      if (upper <= -slack) continue;
      if (piece.extent <= resolution) {
        const { points } = piece;
        let worst = -slack;
        let at = -1;
        for (let k = 0; k < points.length; k += 3) {
          const gap = gapAt(own, points[k], points[k + 1], points[k + 2]);
          if (gap > worst) {
            worst = gap;
            at = k;
          }
        }
        if (at >= 0) {
          transformPoint(placed, X_LP, points.slice(at, at + 3));
          out.push(placed[0], placed[1], placed[2]);
          continue;
        }
        if (piece.extent <= finest) continue;
      }
      for (const half of piece.split()) {
        stack.push(half);
        hints.push(best);
      }
    }
    stack.length = 0;
    hints.length = 0;
  }
}

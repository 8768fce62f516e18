/**
 * Gap between two links, each a segment of half-length h along z of its own frame, rounded by a radius.
 *
 * Frames: X_AB = R[0..8], p[9..11] from index x on, the second shape frame in the first. Negative when the surfaces cross.
 */
import { closestSegmentSegment } from '../geometry/closest-points.js';

const segments = new Float64Array(12);
const closest = new Float64Array(6);

export function linkGap(X: Float64Array, x: number, halfA: number, halfB: number, radii: number): number {
  const px = X[x + 9];
  const py = X[x + 10];
  const pz = X[x + 11];
  if (halfA === 0 && halfB === 0) return Math.sqrt(px * px + py * py + pz * pz) - radii;
  const ux = X[x + 2] * halfB;
  const uy = X[x + 5] * halfB;
  const uz = X[x + 8] * halfB;
  segments[2] = -halfA;
  segments[5] = halfA;
  segments[6] = px - ux;
  segments[7] = py - uy;
  segments[8] = pz - uz;
  segments[9] = px + ux;
  segments[10] = py + uy;
  segments[11] = pz + uz;
  return Math.sqrt(closestSegmentSegment(closest, segments, 0, segments, 6)) - radii;
}

/**
 * Two capsules in closed form: the closest points of their axes, minus the radii.
 *
 * Where the axes cross or nearly do, the difference of their closest points is noise: of the common perpendicular, that
 * difference made perpendicular, and any perpendicular where the axes lie on one line, the one along which they overlap
 * least is the normal. The axes' difference is flat, so the depth is the sum of the radii minus the axes' distance.
 * Source: Ericson 2005, section 5.1.9. Frames: A's frame, X_AB. Cost: about 60 ns.
 * Checked by test/contract/shape-pairs.test.ts.
 */
import { closestSegmentSegment } from '../geometry/closest-points.js';
import type { Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { setBeyond, setNormal } from './pair-result.js';
import type { DistanceResult } from './query.js';

const axisA = new Float64Array(6);
const axisB = new Float64Array(6);
const closest = new Float64Array(6);
const direction = new Float64Array(3);
let most = 0;
/** Part of the pair's extent below which the difference of two interior points has no reliable direction. */
const NOISY_GAP = 1e-6;
/** Sine below which axes count as parallel. */
const PARALLEL = 1e-8;

function isEnd(axis: Float64Array, at: number): boolean {
  const x = closest[at];
  const y = closest[at + 1];
  const z = closest[at + 2];
  return (x === axis[0] && y === axis[1] && z === axis[2]) || (x === axis[3] && y === axis[4] && z === axis[5]);
}

/**
 * Gap of the axes along n less what they stick out past their closest points along it: the most is the distance of the axes,
 * and right for axes that touch, where 0 is.
 */
function valueAlong(x: number, y: number, z: number): number {
  const p = closest[0] * x + closest[1] * y + closest[2] * z;
  const q = closest[3] * x + closest[4] * y + closest[5] * z;
  let mostA = p;
  let leastB = q;
  for (let end = 0; end < 6; end += 3) {
    mostA = Math.max(mostA, axisA[end] * x + axisA[end + 1] * y + axisA[end + 2] * z);
    leastB = Math.min(leastB, axisB[end] * x + axisB[end + 1] * y + axisB[end + 2] * z);
  }
  return leastB - mostA;
}

function offer(x: number, y: number, z: number): void {
  const norm = Math.sqrt(x * x + y * y + z * z);
  if (norm === 0) return;
  const value = valueAlong(x / norm, y / norm, z / norm);
  if (value <= most) return;
  most = value;
  direction[0] = x / norm;
  direction[1] = y / norm;
  direction[2] = z / norm;
}

/** The normal of axes that touch or cross, to `direction`: the best of those that their closest points can have. */
function setDirection(lengthA: number, lengthB: number, X_AB: Transform): void {
  most = -Infinity;
  const [bx, by, bz] = [X_AB[2], X_AB[5], X_AB[8]];
  const [dx, dy, dz] = [closest[3] - closest[0], closest[4] - closest[1], closest[5] - closest[2]];
  // Across both axes.
  if (lengthA > 0 && lengthB > 0 && Math.sqrt(bx * bx + by * by) > PARALLEL) {
    const sign = by * dx - bx * dy < 0 ? -1 : 1;
    offer(sign * by, -sign * bx, 0);
  }
  // The difference, across the axis whose inside it starts or ends at, so that its noise along that does not count.
  if (isEnd(axisA, 0) && isEnd(axisB, 3)) offer(dx, dy, dz);
  offer(dx, dy, 0);
  const along = dx * bx + dy * by + dz * bz;
  offer(dx - along * bx, dy - along * by, dz - along * bz);
  // Axes on one line, or of no length: anything across the longer one.
  if (lengthA >= lengthB) offer(1, 0, 0);
  else if (Math.abs(bx) < 0.6) offer(1 - bx * bx, -bx * by, -bx * bz);
  else offer(-by * bx, 1 - by * by, -by * bz);
}

export function measureCapsuleCapsule(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
): void {
  const lengthA = a.core.z;
  const lengthB = b.core.z;
  axisA[2] = -lengthA;
  axisA[5] = lengthA;
  for (let k = 0; k < 3; k++) {
    const along = X_AB[3 * k + 2] * lengthB;
    axisB[k] = X_AB[9 + k] - along;
    axisB[k + 3] = X_AB[9 + k] + along;
  }
  let gap = Math.sqrt(closestSegmentSegment(closest, axisA, 0, axisB, 0));
  const radiusA = a.core.radius;
  const radiusB = b.core.radius;
  out.featureA = -1;
  out.featureB = -1;
  if (gap - radiusA - radiusB > bound) {
    setBeyond(out, gap - radiusA - radiusB);
    return;
  }
  let nx = closest[3] - closest[0];
  let ny = closest[4] - closest[1];
  let nz = closest[5] - closest[2];
  if (gap > NOISY_GAP * (lengthA + lengthB)) {
    nx /= gap;
    ny /= gap;
    nz /= gap;
  } else {
    setDirection(lengthA, lengthB, X_AB);
    nx = direction[0];
    ny = direction[1];
    nz = direction[2];
    gap = nx * (closest[3] - closest[0]) + ny * (closest[4] - closest[1]) + nz * (closest[5] - closest[2]);
  }
  const distance = gap - radiusA - radiusB;
  out.status = 'ok';
  out.distance = distance;
  setNormal(out, nx, ny, nz);
  out.pointA[0] = closest[0] + radiusA * nx;
  out.pointA[1] = closest[1] + radiusA * ny;
  out.pointA[2] = closest[2] + radiusA * nz;
  for (let k = 0; k < 3; k++) out.pointB[k] = out.pointA[k] + distance * out.normal[k];
}

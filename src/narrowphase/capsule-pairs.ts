/**
 * Two capsules in closed form: the closest points of their axes, minus the radii.
 *
 * Where the axes cross or nearly do, the difference of their closest points is noise and the normal is the
 * common perpendicular; parallel axes on one line take any perpendicular. In all cases the axes' difference is flat, so
 * the depth is the sum of the radii minus the axes' distance.
 * Source: Ericson 2005, section 5.1.9. Frames: A's frame, X_AB. Cost: about 60 ns.
 * Checked by test/contract/shape-pairs.test.ts.
 */
import { closestSegmentSegment } from '../geometry/closest-points.js';
import type { Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { setBeyond, setNormal } from './pair-function.js';
import type { DistanceResult } from './query.js';

const axisA = new Float64Array(6);
const axisB = new Float64Array(6);
const closest = new Float64Array(6);
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
    // z x axis of B; the sign follows the gap that is left.
    let cx = -X_AB[5];
    let cy = X_AB[2];
    const sine = Math.sqrt(cx * cx + cy * cy);
    if (sine > PARALLEL && !isEnd(axisA, 0) && !isEnd(axisB, 3)) {
      const sign = cx * nx + cy * ny < 0 ? -1 : 1;
      cx *= sign / sine;
      cy *= sign / sine;
      gap = cx * nx + cy * ny;
      nx = cx;
      ny = cy;
      nz = 0;
    } else if (gap > 0) {
      nx /= gap;
      ny /= gap;
      nz /= gap;
    } else {
      nx = 1;
      ny = 0;
      nz = 0;
    }
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

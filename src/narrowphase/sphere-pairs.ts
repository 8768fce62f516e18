/**
 * A sphere against every primitive, in closed form: the signed distance of its centre to the other surface, minus its
 * radius. Exact for both signs, because the other shape is convex and solid.
 * Points and axes need no turning into the other shape's frame: their differences are taken in world.
 * Frames: W world, S the sphere, O the other shape. Write the answer; false when the verdict is in doubt. Cost: 10-60 ns, ellipsoids 150 ns.
 * Checked by test/contract/shape-pairs.test.ts.
 */
import { measurePointToCore } from '../geometry/point-core.js';
import type { Transform } from '../math/transform.js';
import { clampToHalf, decideTouching } from './closed-answer.js';
import type { Collider } from './collider.js';
import type { DistanceResult } from './query.js';

const center = new Float64Array(16);
const surface = new Float64Array(16);

/**
 * Against a sphere or a capsule: a point or a segment along O's z. `sign`: -1 where the sphere is A, from which
 * the normal is inward, else 1.
 */
export function measureSphereAxisPair(
  out: DistanceResult,
  sphere: Collider,
  X_WS: Transform,
  other: Collider,
  X_WO: Transform,
  sign: number,
): boolean {
  const sizes = sphere.sizes;
  const otherSizes = other.sizes;
  const half = otherSizes[2];
  const ax = X_WO[2];
  const ay = X_WO[5];
  const az = X_WO[8];
  const px = X_WS[9];
  const py = X_WS[10];
  const pz = X_WS[11];
  const ox = X_WO[9];
  const oy = X_WO[10];
  const oz = X_WO[11];
  const dx = px - ox;
  const dy = py - oy;
  const dz = pz - oz;
  const along = ax * dx + ay * dy + az * dz;
  const t = clampToHalf(along, half);
  let x = dx - t * ax;
  let y = dy - t * ay;
  let z = dz - t * az;
  const length = Math.sqrt(x * x + y * y + z * z);
  const radius = sizes[3];
  const distance = length - radius - otherSizes[3];
  // Numbers that the answer does not depend on count where they are not finite.
  const rest =
    X_WS[0] * X_WS[1] +
    X_WS[2] * X_WS[3] +
    X_WS[4] * X_WS[5] +
    (X_WS[6] * X_WS[7] + X_WS[8] * X_WO[0] + X_WO[1] * X_WO[3]) +
    (X_WO[4] * X_WO[6] + X_WO[7] * ax);
  const extent = sizes[4] + otherSizes[4];
  const size =
    4 * extent * extent + (px * px + py * py + pz * pz) + (ox * ox + oy * oy + oz * oz) + 0 * (rest + distance);
  if (length > 0) {
    const scale = sign / length;
    x *= scale;
    y *= scale;
    z *= scale;
  } else {
    // On the axis itself: any normal of a point, one across a segment.
    x = sign * (half > 0 ? X_WO[0] : ax);
    y = sign * (half > 0 ? X_WO[3] : ay);
    z = sign * (half > 0 ? X_WO[6] : az);
  }
  const reach = sign < 0 ? radius : -(radius + distance);
  const ux = px + reach * x;
  const uy = py + reach * y;
  const uz = pz + reach * z;
  const { pointA, pointB, normal } = out;
  out.status = 'ok';
  out.distance = distance;
  out.featureA = -1;
  out.featureB = -1;
  out.childA = -1;
  out.childB = -1;
  normal[0] = x;
  normal[1] = y;
  normal[2] = z;
  pointA[0] = ux;
  pointA[1] = uy;
  pointA[2] = uz;
  pointB[0] = ux + distance * x;
  pointB[1] = uy + distance * y;
  pointB[2] = uz + distance * z;
  return decideTouching(out, distance, size);
}

/** Against any other shape that a point has a closed form for. */
export function measureSpherePair(
  out: DistanceResult,
  sphere: Collider,
  X_WS: Transform,
  other: Collider,
  X_WO: Transform,
  sign: number,
): boolean {
  const px = X_WS[9];
  const py = X_WS[10];
  const pz = X_WS[11];
  const ox = X_WO[9];
  const oy = X_WO[10];
  const oz = X_WO[11];
  const dx = px - ox;
  const dy = py - oy;
  const dz = pz - oz;
  center[0] = X_WO[0] * dx + X_WO[3] * dy + X_WO[6] * dz;
  center[1] = X_WO[1] * dx + X_WO[4] * dy + X_WO[7] * dz;
  center[2] = X_WO[2] * dx + X_WO[5] * dy + X_WO[8] * dz;
  const sizes = sphere.sizes;
  const otherSizes = other.sizes;
  const radius = sizes[3];
  const distance = measurePointToCore(surface, other.core, center) - radius - otherSizes[3];
  const rest =
    X_WS[0] * X_WS[1] +
    X_WS[2] * X_WS[3] +
    X_WS[4] * X_WS[5] +
    (X_WS[6] * X_WS[7] + X_WS[8] * X_WO[0] + X_WO[1] * X_WO[2]) +
    (X_WO[3] * X_WO[4] + X_WO[5] * X_WO[6] + X_WO[7] * X_WO[8]);
  const extent = sizes[4] + otherSizes[4];
  const size =
    4 * extent * extent + (px * px + py * py + pz * pz) + (ox * ox + oy * oy + oz * oz) + 0 * (rest + distance);
  const mx = surface[3];
  const my = surface[4];
  const mz = surface[5];
  const x = sign * (X_WO[0] * mx + X_WO[1] * my + X_WO[2] * mz);
  const y = sign * (X_WO[3] * mx + X_WO[4] * my + X_WO[5] * mz);
  const z = sign * (X_WO[6] * mx + X_WO[7] * my + X_WO[8] * mz);
  const reach = sign < 0 ? radius : -(radius + distance);
  const ux = px + reach * x;
  const uy = py + reach * y;
  const uz = pz + reach * z;
  const { pointA, pointB, normal } = out;
  out.status = 'ok';
  out.distance = distance;
  out.featureA = -1;
  out.featureB = -1;
  out.childA = -1;
  out.childB = -1;
  normal[0] = x;
  normal[1] = y;
  normal[2] = z;
  pointA[0] = ux;
  pointA[1] = uy;
  pointA[2] = uz;
  pointB[0] = ux + distance * x;
  pointB[1] = uy + distance * y;
  pointB[2] = uz + distance * z;
  return decideTouching(out, distance, size);
}

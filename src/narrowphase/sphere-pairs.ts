/**
 * A sphere against every primitive, in closed form: the signed distance of its centre to the other surface, minus its
 * radius. Exact for both signs, because the other shape is convex and solid.
 * Points and axes need no turning into the other shape's frame: their differences are taken in world.
 * Frames: W world, S the sphere, O the other shape. Writes `found`. Cost: 10-60 ns, ellipsoids 150 ns.
 * Checked by test/contract/shape-pairs.test.ts.
 */
import { measurePointToCore } from '../geometry/point-core.js';
import type { Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { found } from './found-pair.js';

const center = new Float64Array(16);
const surface = new Float64Array(16);

/**
 * Against a sphere or a capsule: a point or a segment along O's z. `sphereIsA`: which of the two the answer's normal and point
 * begin at.
 */
export function findSphereAxisPair(
  sphere: Collider,
  X_WS: Transform,
  other: Collider,
  X_WO: Transform,
  sphereIsA: boolean,
): void {
  const half = other.sizes[2];
  const ax = X_WO[2];
  const ay = X_WO[5];
  const az = X_WO[8];
  const px = X_WS[9];
  const py = X_WS[10];
  const pz = X_WS[11];
  const dx = px - X_WO[9];
  const dy = py - X_WO[10];
  const dz = pz - X_WO[11];
  const along = ax * dx + ay * dy + az * dz;
  const t = Math.min(half, Math.max(-half, along));
  let x = dx - t * ax;
  let y = dy - t * ay;
  let z = dz - t * az;
  const length = Math.sqrt(x * x + y * y + z * z);
  const radius = sphere.sizes[3];
  const distance = length - radius - other.sizes[3];
  found[0] = distance;
  if (length > 0) {
    x /= length;
    y /= length;
    z /= length;
  } else {
    // On the axis itself: any normal of a point, one across a segment.
    x = half > 0 ? X_WO[0] : ax;
    y = half > 0 ? X_WO[3] : ay;
    z = half > 0 ? X_WO[6] : az;
  }
  // From the sphere to the other the normal is inward.
  const sign = sphereIsA ? -1 : 1;
  const reach = sphereIsA ? radius : radius + distance;
  found[1] = sign * x;
  found[2] = sign * y;
  found[3] = sign * z;
  found[4] = px - reach * x;
  found[5] = py - reach * y;
  found[6] = pz - reach * z;
}

/** Against any other shape that a point has a closed form for. */
export function findSpherePair(
  sphere: Collider,
  X_WS: Transform,
  other: Collider,
  X_WO: Transform,
  sphereIsA: boolean,
): void {
  const dx = X_WS[9] - X_WO[9];
  const dy = X_WS[10] - X_WO[10];
  const dz = X_WS[11] - X_WO[11];
  center[0] = X_WO[0] * dx + X_WO[3] * dy + X_WO[6] * dz;
  center[1] = X_WO[1] * dx + X_WO[4] * dy + X_WO[7] * dz;
  center[2] = X_WO[2] * dx + X_WO[5] * dy + X_WO[8] * dz;
  const radius = sphere.sizes[3];
  const distance = measurePointToCore(surface, other.core, center) - radius - other.sizes[3];
  found[0] = distance;
  const mx = surface[3];
  const my = surface[4];
  const mz = surface[5];
  const x = X_WO[0] * mx + X_WO[1] * my + X_WO[2] * mz;
  const y = X_WO[3] * mx + X_WO[4] * my + X_WO[5] * mz;
  const z = X_WO[6] * mx + X_WO[7] * my + X_WO[8] * mz;
  const px = X_WS[9];
  const py = X_WS[10];
  const pz = X_WS[11];
  const sign = sphereIsA ? -1 : 1;
  const reach = sphereIsA ? radius : radius + distance;
  found[1] = sign * x;
  found[2] = sign * y;
  found[3] = sign * z;
  found[4] = px - reach * x;
  found[5] = py - reach * y;
  found[6] = pz - reach * z;
}

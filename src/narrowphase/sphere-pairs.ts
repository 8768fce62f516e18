/**
 * A sphere against every primitive, in closed form: the signed distance of its centre to the other surface, minus its
 * radius. Exact for both signs, because the other shape is convex and solid.
 * Frames: A (the sphere) frame, X_AB. Cost: 50-150 ns. Checked by test/contract/shape-pairs.test.ts.
 */
import { measurePointToCore } from '../geometry/point-core.js';
import type { Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { setBeyond, setNormal } from './pair-result.js';
import type { DistanceResult } from './query.js';

const center = new Float64Array(3);
const surface = new Float64Array(6);

export function measureSpherePrimitive(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
): void {
  const x = X_AB[9];
  const y = X_AB[10];
  const z = X_AB[11];
  center[0] = -(X_AB[0] * x + X_AB[3] * y + X_AB[6] * z);
  center[1] = -(X_AB[1] * x + X_AB[4] * y + X_AB[7] * z);
  center[2] = -(X_AB[2] * x + X_AB[5] * y + X_AB[8] * z);
  const radiusA = a.core.radius;
  const distance = measurePointToCore(surface, b.core, center) - radiusA - b.core.radius;
  out.featureA = -1;
  out.featureB = -1;
  if (distance > bound) {
    setBeyond(out, distance);
    return;
  }
  out.status = 'ok';
  out.distance = distance;
  const mx = surface[3];
  const my = surface[4];
  const mz = surface[5];
  // B's outward normal, turned to A's frame and reversed: from A to B.
  const nx = -(X_AB[0] * mx + X_AB[1] * my + X_AB[2] * mz);
  const ny = -(X_AB[3] * mx + X_AB[4] * my + X_AB[5] * mz);
  const nz = -(X_AB[6] * mx + X_AB[7] * my + X_AB[8] * mz);
  setNormal(out, nx, ny, nz);
  const reach = radiusA + distance;
  out.pointA[0] = radiusA * nx;
  out.pointA[1] = radiusA * ny;
  out.pointA[2] = radiusA * nz;
  out.pointB[0] = reach * nx;
  out.pointB[1] = reach * ny;
  out.pointB[2] = reach * nz;
}

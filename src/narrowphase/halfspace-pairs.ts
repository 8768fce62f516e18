/**
 * Half-space against everything: the support of the other shape against the plane, exact for both signs.
 *
 * Two half-spaces are apart only when their normals are opposite (to 1e-12); otherwise they overlap without bound and
 * the status is 'collides' with distance 0. Meshes go over the vertices their triangles use, in both modes, since the
 * half-space is solid.
 * Frames: A's frame, X_AB. Cost: 30 ns; O(triangles) for meshes whose bounds do not decide.
 * Checked by test/contract/shape-pairs.test.ts.
 */

import type { Mesh } from '../geometry/shapes.js';
import { supportCore } from '../geometry/support.js';
import { hypot } from '../math/scalar.js';
import type { Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { completePointB, setBeyond, setNormal } from './pair-result.js';
import type { DistanceResult } from './query.js';

const support = new Float64Array(3);
const OPPOSITE = 1e-12;

/** a: bounded convex shape, b: half-space. */
export function measureConvexHalfSpace(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
): void {
  const { plane } = b;
  const nx = X_AB[0] * plane[0] + X_AB[1] * plane[1] + X_AB[2] * plane[2];
  const ny = X_AB[3] * plane[0] + X_AB[4] * plane[1] + X_AB[5] * plane[2];
  const nz = X_AB[6] * plane[0] + X_AB[7] * plane[1] + X_AB[8] * plane[2];
  const offset = plane[3] + nx * X_AB[9] + ny * X_AB[10] + nz * X_AB[11];
  const { core } = a;
  supportCore(support, core, -nx, -ny, -nz);
  const distance = nx * support[0] + ny * support[1] + nz * support[2] - core.radius - offset;
  out.featureA = -1;
  out.featureB = -1;
  if (distance > bound) {
    setBeyond(out, distance);
    return;
  }
  out.status = 'ok';
  out.distance = distance;
  setNormal(out, -nx, -ny, -nz);
  out.pointA[0] = support[0] - core.radius * nx;
  out.pointA[1] = support[1] - core.radius * ny;
  out.pointA[2] = support[2] - core.radius * nz;
  completePointB(out);
}

export function measureHalfSpaceHalfSpace(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
): void {
  const p = a.plane;
  const q = b.plane;
  const nx = X_AB[0] * q[0] + X_AB[1] * q[1] + X_AB[2] * q[2];
  const ny = X_AB[3] * q[0] + X_AB[4] * q[1] + X_AB[5] * q[2];
  const nz = X_AB[6] * q[0] + X_AB[7] * q[1] + X_AB[8] * q[2];
  out.featureA = -1;
  out.featureB = -1;
  setNormal(out, p[0], p[1], p[2]);
  for (let k = 0; k < 3; k++) out.pointA[k] = p[3] * p[k];
  if (hypot(nx + p[0], ny + p[1], nz + p[2]) > OPPOSITE) {
    out.status = 'collides';
    out.distance = 0;
    completePointB(out);
    return;
  }
  // A is { p.x <= p3 }, B is { -p.x <= q3' }: the gap along p is -q3' - p3.
  const offset = q[3] + nx * X_AB[9] + ny * X_AB[10] + nz * X_AB[11];
  const distance = -offset - p[3];
  if (distance > bound) {
    setBeyond(out, distance);
    return;
  }
  out.status = 'ok';
  out.distance = distance;
  completePointB(out);
}

/** a: half-space, b: mesh. */
export function measureHalfSpaceMesh(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
): void {
  const { plane } = a;
  const { localBounds } = b;
  // Plane in the mesh's frame.
  const nx = X_AB[0] * plane[0] + X_AB[3] * plane[1] + X_AB[6] * plane[2];
  const ny = X_AB[1] * plane[0] + X_AB[4] * plane[1] + X_AB[7] * plane[2];
  const nz = X_AB[2] * plane[0] + X_AB[5] * plane[1] + X_AB[8] * plane[2];
  const shift = plane[0] * X_AB[9] + plane[1] * X_AB[10] + plane[2] * X_AB[11] - plane[3];
  const lower =
    shift + nx * localBounds[nx < 0 ? 3 : 0] + ny * localBounds[ny < 0 ? 4 : 1] + nz * localBounds[nz < 0 ? 5 : 2];
  out.featureA = -1;
  out.featureB = -1;
  if (lower > bound) {
    setBeyond(out, lower);
    return;
  }
  const { vertices, triangles } = (b.shape as Mesh).mesh;
  let best = Infinity;
  let at = 0;
  for (let i = 0; i < triangles.length; i++) {
    const v = 3 * triangles[i];
    const h = nx * vertices[v] + ny * vertices[v + 1] + nz * vertices[v + 2];
    if (h < best) {
      best = h;
      at = i;
    }
  }
  const distance = best + shift;
  if (distance > bound) {
    setBeyond(out, distance);
    return;
  }
  const v = 3 * triangles[at];
  const x = vertices[v];
  const y = vertices[v + 1];
  const z = vertices[v + 2];
  out.status = 'ok';
  out.distance = distance;
  out.featureB = Math.floor(at / 3);
  setNormal(out, plane[0], plane[1], plane[2]);
  for (let k = 0; k < 3; k++) {
    out.pointB[k] = X_AB[3 * k] * x + X_AB[3 * k + 1] * y + X_AB[3 * k + 2] * z + X_AB[9 + k];
    out.pointA[k] = out.pointB[k] - distance * plane[k];
  }
}

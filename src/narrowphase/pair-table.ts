/**
 * The one table of shape pairs, and the way every query enters it.
 *
 * Entry [code A][code B] with code A <= code B; the other half is the same function with the operands exchanged and the
 * answer turned around. Dispatch is by small integer codes; nothing here allocates.
 */
import { touchingTolerance } from '../math/tolerance.js';
import { relativeTransform, type Transform } from '../math/transform.js';
import { measureBoxBox } from './box-box.js';
import { measureCapsuleCapsule } from './capsule-pairs.js';
import {
  BOX,
  CAPSULE,
  CONE,
  CONVEX,
  type Collider,
  CYLINDER,
  ELLIPSOID,
  HALFSPACE,
  MESH,
  SPHERE,
  TYPE_COUNT,
} from './collider.js';
import { measureConvexConvex } from './convex-pairs.js';
import { measureConvexHalfSpace, measureHalfSpaceHalfSpace, measureHalfSpaceMesh } from './halfspace-pairs.js';
import { measureConvexMesh } from './mesh-convex.js';
import { measureMeshMesh } from './mesh-mesh.js';
import { type PairFunction, setBeyond, swapResult } from './pair-function.js';
import type { DistanceResult, PairOptions } from './query.js';
import { measureSpherePrimitive } from './sphere-pairs.js';

const table: PairFunction[] = [];
for (let i = 0; i < TYPE_COUNT * TYPE_COUNT; i++) table.push(measureConvexConvex);
const setPair = (a: number, b: number, f: PairFunction): void => {
  table[a * TYPE_COUNT + b] = f;
};
for (const b of [SPHERE, CAPSULE, BOX, CYLINDER, CONE, ELLIPSOID]) setPair(SPHERE, b, measureSpherePrimitive);
setPair(CAPSULE, CAPSULE, measureCapsuleCapsule);
setPair(BOX, BOX, measureBoxBox);
for (let a = SPHERE; a <= CONVEX; a++) {
  setPair(a, HALFSPACE, measureConvexHalfSpace);
  setPair(a, MESH, measureConvexMesh);
}
setPair(HALFSPACE, HALFSPACE, measureHalfSpaceHalfSpace);
setPair(HALFSPACE, MESH, measureHalfSpaceMesh);
setPair(MESH, MESH, measureMeshMesh);

const X = new Float64Array(12);

/** The pair's touching tolerance: the caller's, or the default of query.ts. */
export function resolveTolerance(
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  options: PairOptions | undefined,
): number {
  const given = options?.tolerance;
  if (given !== undefined) return given;
  const extent = Math.max(a.extent, b.extent);
  const coordinate = Math.max(
    Math.abs(X_WA[9]),
    Math.abs(X_WA[10]),
    Math.abs(X_WA[11]),
    Math.abs(X_WB[9]),
    Math.abs(X_WB[10]),
    Math.abs(X_WB[11]),
  );
  return touchingTolerance(2 * extent, coordinate);
}

/** The bounding spheres' gap: a lower bound of the distance, -Infinity with a half-space. */
export function boundGap(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform): number {
  const p = a.center;
  const q = b.center;
  const x =
    X_WA[0] * p[0] +
    X_WA[1] * p[1] +
    X_WA[2] * p[2] +
    X_WA[9] -
    (X_WB[0] * q[0] + X_WB[1] * q[1] + X_WB[2] * q[2] + X_WB[9]);
  const y =
    X_WA[3] * p[0] +
    X_WA[4] * p[1] +
    X_WA[5] * p[2] +
    X_WA[10] -
    (X_WB[3] * q[0] + X_WB[4] * q[1] + X_WB[5] * q[2] + X_WB[10]);
  const z =
    X_WA[6] * p[0] +
    X_WA[7] * p[1] +
    X_WA[8] * p[2] +
    X_WA[11] -
    (X_WB[6] * q[0] + X_WB[7] * q[1] + X_WB[8] * q[2] + X_WB[11]);
  return Math.sqrt(x * x + y * y + z * z) - a.boundingRadius - b.boundingRadius;
}

/** Pair query in world frames; points and normal come back in world unless the status is 'beyond-bound' or mode WITHIN. */
export function measurePair(
  out: DistanceResult,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  limit: Readonly<{ bound: number; mode: number }>,
): void {
  const gap = boundGap(a, X_WA, b, X_WB);
  // Rounding of the spheres must not decide near the bound.
  if (gap > limit.bound + 1e-12 * (a.boundingRadius + b.boundingRadius + Math.abs(gap))) {
    out.featureA = -1;
    out.featureB = -1;
    setBeyond(out, gap);
    return;
  }
  if (a.type <= b.type) {
    relativeTransform(X, X_WA, X_WB);
    table[a.type * TYPE_COUNT + b.type](out, a, b, X, limit.bound, limit.mode);
    if (limit.mode === 0) turnToWorld(out, X_WA);
  } else {
    relativeTransform(X, X_WB, X_WA);
    table[b.type * TYPE_COUNT + a.type](out, b, a, X, limit.bound, limit.mode);
    swapResult(out);
    if (limit.mode === 0) turnToWorld(out, X_WB);
  }
}

function turnToWorld(out: DistanceResult, X_WF: Transform): void {
  turnPoint(out.pointA, X_WF, 1);
  turnPoint(out.pointB, X_WF, 1);
  turnPoint(out.normal, X_WF, 0);
}

function turnPoint(p: Float64Array, X_WF: Transform, w: number): void {
  const x = p[0];
  const y = p[1];
  const z = p[2];
  p[0] = X_WF[0] * x + X_WF[1] * y + X_WF[2] * z + w * X_WF[9];
  p[1] = X_WF[3] * x + X_WF[4] * y + X_WF[5] * z + w * X_WF[10];
  p[2] = X_WF[6] * x + X_WF[7] * y + X_WF[8] * z + w * X_WF[11];
}

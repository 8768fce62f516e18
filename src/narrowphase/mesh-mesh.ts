/**
 * Two meshes: the BVH kernels for the surfaces, containment and hull depth where a mesh is solid.
 *
 * Method: 1. surface distance, or only the verdict, from the kernels; 2. surfaces apart and a mesh solid: one vertex of
 * every part of the other decides containment; 3. overlapping: distance 0 when either mesh is in surface mode; else the
 * depth of the two hulls when both meshes fill theirs, otherwise a push-out (push-out.ts), which separates when applied;
 * 4. gaps too small for a direction, and surfaces that touch, get the normal of their triangles (touch-normal.ts).
 * Frames: A's frame. Status: 'depth-bound' when overlapping unless both meshes are convex.
 * Cost: the kernels'. Checked by test/contract/shape-pairs.test.ts.
 */
import { collideMeshMesh, createMeshCollision } from '../bvh/collide-mesh.js';
import { createMeshDistance, distanceMeshMesh } from '../bvh/distance-mesh.js';
import type { MeshBvh } from '../bvh/mesh-bvh.js';
import { invertTransform, type Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { isInsideMesh } from './containment.js';
import { measureCores } from './convex-pairs.js';
import { completePointB, SIGNED, setBeyond, WITHIN } from './pair-result.js';
import { writePushOut } from './push-out.js';
import type { DistanceResult } from './query.js';
import { CLOSE, writeTouchNormal } from './touch-normal.js';

const collision = createMeshCollision();
const measured = createMeshDistance();
const kernelStats = { nodeTests: 0, primitiveTests: 0 };
const collideOptions = { tolerance: 0, out: collision, stats: kernelStats };
const distanceOptions = { upperBound: Infinity, stats: kernelStats };
const X_BA = new Float64Array(12);

/** Kernel work since the module was loaded; queries report differences. */
export function kernelCounts(): Readonly<{ nodeTests: number; primitiveTests: number }> {
  return kernelStats;
}

/** Some part of `inner` lies inside solid `outer`; their surfaces do not cross. */
function holdsPart(outer: Collider, inner: Collider, X_OuterInner: Transform): boolean {
  const bvh = outer.bvh as MeshBvh;
  const p = inner.representatives;
  for (let i = 0; i < p.length; i += 3) {
    const x = X_OuterInner[0] * p[i] + X_OuterInner[1] * p[i + 1] + X_OuterInner[2] * p[i + 2] + X_OuterInner[9];
    const y = X_OuterInner[3] * p[i] + X_OuterInner[4] * p[i + 1] + X_OuterInner[5] * p[i + 2] + X_OuterInner[10];
    const z = X_OuterInner[6] * p[i] + X_OuterInner[7] * p[i + 1] + X_OuterInner[8] * p[i + 2] + X_OuterInner[11];
    if (isInsideMesh(bvh, outer.isOriented, x, y, z)) return true;
  }
  return false;
}

function isContained(a: Collider, b: Collider, X_AB: Transform): boolean {
  if (a.isSolid && holdsPart(a, b, X_AB)) return true;
  if (!b.isSolid) return false;
  invertTransform(X_BA, X_AB);
  return holdsPart(b, a, X_BA);
}

/** Sizes of both and their offset: what rounding is relative to. */
function scaleOf(a: Collider, b: Collider, X_AB: Transform): number {
  return a.extent + b.extent + Math.abs(X_AB[9]) + Math.abs(X_AB[10]) + Math.abs(X_AB[11]);
}

/** No depth: a common point, and where B has to go: off A, or out of the one that holds the other. */
function writeCommonPoint(out: DistanceResult, a: Collider, b: Collider, X_AB: Transform): void {
  const { distance, pointA, pointB } = measured;
  const { normal } = out;
  const scale = scaleOf(a, b, X_AB);
  writeTouchNormal(normal, a.bvh as MeshBvh, b.bvh as MeshBvh, X_AB, measured, scale);
  const isHeld = distance > CLOSE * scale;
  // The nearest point of the inner one lies in the other, the middle of the gap only there.
  const share = !isHeld ? 0.5 : a.isSolid && holdsPart(a, b, X_AB) ? 1 : 0;
  for (let k = 0; k < 3; k++) {
    if (isHeld) normal[k] = -normal[k];
    out.pointA[k] = (1 - share) * pointA[k] + share * pointB[k];
    out.pointB[k] = out.pointA[k];
  }
  out.status = 'depth-bound';
  out.distance = 0;
}

function writeOverlap(out: DistanceResult, a: Collider, b: Collider, X_AB: Transform): void {
  if (a.isSolid && b.isSolid) {
    const hullA = a.meshHull;
    const hullB = b.meshHull;
    if (!hullA.isConvex || !hullB.isConvex) {
      writePushOut(out, a, b, X_AB);
      return;
    }
    measureCores(out, hullA.core, hullB.core, X_AB, Infinity, SIGNED);
  } else writeCommonPoint(out, a, b, X_AB);
  out.featureA = measured.triangleA;
  out.featureB = measured.triangleB;
}

export function measureMeshMesh(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
  mode: number,
): void {
  const treeA = a.bvh as MeshBvh;
  const treeB = b.bvh as MeshBvh;
  out.featureA = -1;
  out.featureB = -1;
  if (mode === WITHIN) {
    collideOptions.tolerance = Math.max(bound, 0);
    collideMeshMesh(treeA, treeB, X_AB, collideOptions);
    out.featureA = collision.triangleA;
    out.featureB = collision.triangleB;
    if (collision.collides || isContained(a, b, X_AB)) {
      out.status = 'collides';
      out.distance = 0;
    } else setBeyond(out, Infinity);
    return;
  }
  distanceOptions.upperBound = Math.max(bound, 0);
  distanceMeshMesh(measured, treeA, treeB, X_AB, distanceOptions);
  const { distance } = measured;
  if (distance === 0 || isContained(a, b, X_AB)) {
    if (mode !== SIGNED) {
      out.status = 'collides';
      out.distance = 0;
      return;
    }
    if (distance === Infinity) {
      // Containment without a witness within the bound: look for it without one.
      distanceOptions.upperBound = Infinity;
      distanceMeshMesh(measured, treeA, treeB, X_AB, distanceOptions);
    }
    writeOverlap(out, a, b, X_AB);
    return;
  }
  if (distance === Infinity) {
    setBeyond(out, bound);
    return;
  }
  out.status = 'ok';
  out.distance = distance;
  out.featureA = measured.triangleA;
  out.featureB = measured.triangleB;
  for (let k = 0; k < 3; k++) {
    out.pointA[k] = measured.pointA[k];
    out.pointB[k] = measured.pointB[k];
    out.normal[k] = (measured.pointB[k] - measured.pointA[k]) / distance;
  }
  const scale = scaleOf(a, b, X_AB);
  if (distance <= CLOSE * scale && writeTouchNormal(out.normal, treeA, treeB, X_AB, measured, scale))
    completePointB(out);
}

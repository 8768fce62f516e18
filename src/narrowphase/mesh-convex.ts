/**
 * A bounded convex shape against a mesh.
 *
 * Method: 1. the nearest triangle, or the first within the bound, from the kernel (assembly/mesh/shape.ts): closed forms for
 * spheres and capsules, GJK on the cores otherwise (exact on boxes and hulls); 2. solid mesh and nothing crossed: one point of the shape decides whether it lies inside;
 * 3. overlapping: a surface-mode mesh gives distance 0 and a point of both; a solid one the depth against its hull when it fills that, else
 * a push-out (push-out.ts), an upper bound that separates when applied.
 * Frames: A (the convex shape) frame; closed forms work in the mesh's frame. Status: 'depth-bound' when overlapping, unless
 * the mesh is convex. Cost: the kernel's, 0.5-10 us on a robot's link. Checked by test/contract/mesh-convex.test.ts and
 * test/contract/shape-pairs.test.ts.
 */

import { writeTriangle } from '../bvh/build-tree.js';
import type { MeshBvh } from '../bvh/mesh-bvh.js';
import { boundShape } from '../geometry/aabb.js';
import type { Shape } from '../geometry/shapes.js';
import { CORE_POINT, CORE_POINTS, CORE_SEGMENT, CORE_SUPPORT, SupportCore } from '../geometry/support.js';
import { CONVEX_POINTS_B, SHAPE_RESULT, SHAPE_TRIANGLE } from '../kernel/layout.js';
import { MisuseError } from '../math/misuse.js';
import { hypot } from '../math/scalar.js';
import { TOUCHING } from '../math/tolerance.js';
import { invertTransform, type Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { isInsideMesh } from './containment.js';
import { CONVEX_LIMIT, shared } from './convex-kernel.js';
import { currentPairCache, findCommonPoint, measureCores } from './convex-pairs.js';
import { loadTriangleCore } from './core-pairs.js';
import { searchByWalk } from './mesh-convex-walk.js';
import { countShapeWork, isKnownToKernel, openCollider } from './near-triangles.js';
import { SIGNED, setBeyond, setNormal, WITHIN } from './pair-result.js';
import { writePushOut } from './push-out.js';
import type { DistanceResult } from './query.js';

const triangleCore = new SupportCore(CORE_POINTS, 0, 0, 0, 0, new Float64Array(9));
const X_BA = new Float64Array(12);
const box = new Float64Array(6);
const common = new Float64Array(3);
const limits = { bound: 0, enough: 0 };

/** The triangle nearer than limits.bound, -1 without one; distance, and where that is above 0 points, normal and status, to out. */
function searchNearest(out: DistanceResult, a: Collider, bvh: MeshBvh, X_AB: Transform): number {
  const { core } = a;
  if (!isKnownToKernel(core, bvh)) return searchByWalk(out, core, bvh, X_AB, box, limits);
  openCollider(a, X_AB);
  const { f64, u32 } = shared;
  const middle = core.kind === CORE_POINTS ? a.center : core.center;
  const cache = currentPairCache();
  const hint = cache === null ? -1 : cache.recallTriangle(bvh);
  if (hint >= 0) writeTriangle(f64, CONVEX_POINTS_B / 8, bvh.mesh.vertices, bvh.mesh.triangles, hint);
  const isFound = shared.functions.measureShape(
    bvh.address,
    limits.bound,
    limits.enough,
    middle[0],
    middle[1],
    middle[2],
    hint,
  );
  countShapeWork();
  if (isFound === 0) return -1;
  const at = SHAPE_RESULT / 8;
  const distance = f64[at];
  out.distance = distance;
  if (distance > 0) {
    if (core.kind === CORE_POINT || core.kind === CORE_SEGMENT) writeRound(out, f64, at + 1, X_AB);
    else {
      out.status = u32[SHAPE_TRIANGLE / 4 + 1] === CONVEX_LIMIT ? 'iteration-limit' : 'ok';
      for (let k = 0; k < 3; k++) {
        out.normal[k] = f64[at + 1 + k];
        out.pointA[k] = f64[at + 4 + k];
        out.pointB[k] = f64[at + 7 + k];
      }
    }
  }
  const triangle = u32[SHAPE_TRIANGLE / 4];
  cache?.rememberTriangle(bvh, triangle);
  return triangle;
}

/** Points and normal of the nearest points pair[at .. at + 5] of core and triangle, from the mesh's frame to A's. */
function writeRound(out: DistanceResult, pair: Float64Array, at: number, X_AB: Transform): void {
  const gap = hypot(pair[at + 3] - pair[at], pair[at + 4] - pair[at + 1], pair[at + 5] - pair[at + 2]);
  const { normal, pointA, pointB } = out;
  out.status = 'ok';
  for (let k = 0; k < 3; k++) {
    normal[k] = 0;
    pointB[k] = X_AB[9 + k];
    for (let m = 0; m < 3; m++) {
      normal[k] += (X_AB[3 * k + m] * (pair[at + 3 + m] - pair[at + m])) / gap;
      pointB[k] += X_AB[3 * k + m] * pair[at + 3 + m];
    }
  }
  for (let k = 0; k < 3; k++) pointA[k] = pointB[k] - out.distance * normal[k];
}

/** A triangle is touched or crossed: a point that it and A hold, and the normal along which that triangle is least deep. */
function writeCrossing(out: DistanceResult, a: Collider, b: Collider, X_AB: Transform, triangle: number): void {
  loadTriangleCore(triangleCore, b, triangle);
  measureCores(out, a.core, triangleCore, X_AB, Infinity, SIGNED);
  const { normal, pointA, pointB } = out;
  // Touching to rounding has no common point, but witnesses that are as good.
  if (findCommonPoint(common, a.core, triangleCore, X_AB, TOUCHING * a.extent)) pointA.set(common);
  pointB.set(pointA);
  if (normal[0] === 0 && normal[1] === 0 && normal[2] === 0) setNormal(out, 0, 0, 1);
  out.distance = 0;
  out.status = 'depth-bound';
}

function isInsideSolid(a: Collider, b: Collider): boolean {
  const { bvh } = b;
  if (!b.isSolid || !bvh) return false;
  // What reaches beyond the mesh's bounds has a point outside.
  const { bounds } = bvh;
  for (let k = 0; k < 3; k++) if (box[k] < bounds[k] || box[k + 3] > bounds[k + 3]) return false;
  // Any one point of the shape will do.
  let x = X_BA[9];
  let y = X_BA[10];
  let z = X_BA[11];
  const { kind, points, center } = a.core;
  if (kind === CORE_POINTS || kind === CORE_SUPPORT) {
    const p = kind === CORE_POINTS ? points : center;
    x += X_BA[0] * p[0] + X_BA[1] * p[1] + X_BA[2] * p[2];
    y += X_BA[3] * p[0] + X_BA[4] * p[1] + X_BA[5] * p[2];
    z += X_BA[6] * p[0] + X_BA[7] * p[1] + X_BA[8] * p[2];
  }
  return isInsideMesh(bvh, b.isOriented, x, y, z);
}

/** Depth of a shape against a solid mesh it overlaps; out's features are set by the push-out, or left. */
function writeSolidDepth(out: DistanceResult, a: Collider, b: Collider, X_AB: Transform): void {
  const hull = b.meshHull;
  const feature = out.featureB;
  if (hull.isConvex) measureCores(out, a.core, hull.core, X_AB, Infinity, SIGNED);
  else writePushOut(out, a, b, X_AB);
  out.featureB = feature;
}

export function measureConvexMesh(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
  mode: number,
): void {
  const bvh = b.bvh;
  if (!bvh) throw new MisuseError('measureConvexMesh: collider b, got no mesh, expected one with a BVH');
  // A triangle exactly at the bound counts, so the first comparison is against the next number up.
  limits.bound = nextUp(Math.max(bound, 0));
  limits.enough = mode === WITHIN ? Math.max(bound, 0) : 0;
  invertTransform(X_BA, X_AB);
  boundShape(box, a.shape as Exclude<Shape, { type: 'mesh' }>, X_BA);
  const triangle = searchNearest(out, a, bvh, X_AB);
  out.featureA = -1;
  out.featureB = triangle;
  if (triangle < 0) {
    setBeyond(out, bound);
    if (!isInsideSolid(a, b)) return;
  } else if (out.distance > 0 && !isInsideSolid(a, b)) return;
  if (mode !== SIGNED) {
    out.status = 'collides';
    out.distance = 0;
    return;
  }
  if (b.isSolid) writeSolidDepth(out, a, b, X_AB);
  else writeCrossing(out, a, b, X_AB, triangle);
}

function nextUp(x: number): number {
  return x === Infinity ? x : x * (1 + Number.EPSILON) + Number.MIN_VALUE;
}

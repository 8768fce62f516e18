/**
 * A bounded convex shape against a mesh.
 *
 * Method: 1. walk the mesh's BVH around the shape's bounds, nearest triangles first, shrinking the radius to the best
 * distance so far; 2. triangle distance in closed form for spheres and capsules, by GJK on the cores otherwise (exact on
 * boxes and hulls); 3. solid mesh and nothing crossed: one point of the shape decides whether it lies inside;
 * 4. overlapping: a surface-mode mesh gives distance 0 and a point of both; a solid one the depth against its hull when it fills that, else
 * a push-out (push-out.ts), an upper bound that separates when applied.
 * Frames: A (the convex shape) frame; closed forms work in the mesh's frame. Status: 'depth-bound' when overlapping, unless
 * the mesh is convex. Cost: the walk plus 20-400 ns per triangle visited. Checked by test/contract/shape-pairs.test.ts.
 */

import { walkTriangles } from '../bvh/walk-triangles.js';
import { boundShape } from '../geometry/aabb.js';
import { closestPointTriangle, closestSegmentTriangle } from '../geometry/closest-points.js';
import type { Shape } from '../geometry/shapes.js';
import { CORE_POINT, CORE_POINTS, CORE_SEGMENT, CORE_SUPPORT, SupportCore } from '../geometry/support.js';
import { MisuseError } from '../math/misuse.js';
import { hypot } from '../math/scalar.js';
import { TOUCHING } from '../math/tolerance.js';
import { invertTransform, type Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { isInsideMesh } from './containment.js';
import { findCommonPoint, measureCores } from './convex-pairs.js';
import { SIGNED, setBeyond, setNormal, WITHIN } from './pair-result.js';
import { writePushOut } from './push-out.js';
import { createDistanceResult, type DistanceResult } from './query.js';

/** Scratch of one walk; walks of one kind never nest. */
const triangleCore = new SupportCore(CORE_POINTS, 0, 0, 0, 0, new Float64Array(9));
const corners = triangleCore.points;
const trial = createDistanceResult();
const axis = new Float64Array(6);
const found = new Float64Array(6);
const bestPair = new Float64Array(6);
const X_BA = new Float64Array(12);
const box = new Float64Array(6);
const common = new Float64Array(3);
let vertices = new Float64Array(0);
let triangles = new Uint32Array(0);
let shapeCore: SupportCore = triangleCore;
let relative: Transform = X_BA;
let target: DistanceResult = trial;
/** Distance of the best triangle so far; the walk goes on below it. */
let best = Infinity;
/** The walk ends at or below this. */
let enough = 0;
let bestTriangle = -1;
let visited = 0;

/** Triangles measured since the module was loaded; queries report differences. */
export function countTriangleTests(): number {
  return visited;
}

function loadTriangle(triangle: number): void {
  visited++;
  for (let c = 0; c < 3; c++) {
    const v = 3 * triangles[3 * triangle + c];
    corners[3 * c] = vertices[v];
    corners[3 * c + 1] = vertices[v + 1];
    corners[3 * c + 2] = vertices[v + 2];
  }
}

function keepBest(triangle: number, distance: number): number {
  best = distance;
  bestTriangle = triangle;
  return distance <= enough ? -1 : distance;
}

/** Sphere and capsule: the core is the segment `axis` in the mesh's frame (both ends equal for a sphere). */
function visitRound(triangle: number): number {
  loadTriangle(triangle);
  let squared: number;
  if (shapeCore.kind === CORE_POINT) {
    squared = closestPointTriangle(found, 3, axis, 0, corners);
    found[0] = axis[0];
    found[1] = axis[1];
    found[2] = axis[2];
  } else squared = closestSegmentTriangle(found, axis, corners);
  const reach = best + shapeCore.radius;
  if (squared >= reach * reach) return best;
  for (let k = 0; k < 6; k++) bestPair[k] = found[k];
  return keepBest(triangle, Math.max(Math.sqrt(squared) - shapeCore.radius, 0));
}

function visitByGjk(triangle: number): number {
  loadTriangle(triangle);
  measureCores(trial, shapeCore, triangleCore, relative, best, WITHIN);
  if (trial.distance >= best || trial.status === 'beyond-bound') return best;
  if (trial.distance > 0) {
    for (let k = 0; k < 3; k++) {
      target.pointA[k] = trial.pointA[k];
      target.pointB[k] = trial.pointB[k];
      target.normal[k] = trial.normal[k];
    }
    target.status = trial.status;
  }
  return keepBest(triangle, Math.max(trial.distance, 0));
}

/** Points and normal of the best triangle, from the mesh's frame to A's. */
function writeRound(out: DistanceResult, X_AB: Transform): void {
  const gap = hypot(bestPair[3] - bestPair[0], bestPair[4] - bestPair[1], bestPair[5] - bestPair[2]);
  const { normal, pointA, pointB } = out;
  out.status = 'ok';
  for (let k = 0; k < 3; k++) {
    normal[k] = 0;
    pointB[k] = X_AB[9 + k];
    for (let m = 0; m < 3; m++) {
      normal[k] += (X_AB[3 * k + m] * (bestPair[3 + m] - bestPair[m])) / gap;
      pointB[k] += X_AB[3 * k + m] * bestPair[3 + m];
    }
  }
  for (let k = 0; k < 3; k++) pointA[k] = pointB[k] - best * normal[k];
}

/** A triangle is touched or crossed: a point that it and A hold, and the normal along which that triangle is least deep. */
function writeCrossing(out: DistanceResult, a: Collider, X_AB: Transform): void {
  loadTriangle(bestTriangle);
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
  if (!b.isSolid || !b.bvh) return false;
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
  return isInsideMesh(b.bvh, b.isOriented, x, y, z);
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
  const { mesh } = bvh;
  vertices = mesh.vertices as Float64Array<ArrayBuffer>;
  triangles = mesh.triangles as Uint32Array<ArrayBuffer>;
  shapeCore = a.core;
  relative = X_AB;
  target = out;
  best = Math.max(bound, 0);
  enough = mode === WITHIN ? best : 0;
  bestTriangle = -1;
  out.featureA = -1;
  out.featureB = -1;
  invertTransform(X_BA, X_AB);
  boundShape(box, a.shape as Exclude<Shape, { type: 'mesh' }>, X_BA);
  if (shapeCore.kind <= CORE_SEGMENT) {
    const along = shapeCore.z;
    for (let k = 0; k < 3; k++) {
      axis[k] = X_BA[9 + k] - along * X_BA[3 * k + 2];
      axis[k + 3] = X_BA[9 + k] + along * X_BA[3 * k + 2];
    }
    // A triangle exactly at the bound counts, so the first comparison is against the next number up.
    best = nextUp(best);
    walkTriangles(bvh, box, best, visitRound);
    if (bestTriangle >= 0 && best > 0) writeRound(out, X_AB);
  } else {
    best = nextUp(best);
    walkTriangles(bvh, box, best, visitByGjk);
  }
  out.distance = best;
  out.featureB = bestTriangle;
  if (bestTriangle < 0) {
    setBeyond(out, bound);
    if (!isInsideSolid(a, b)) return;
  } else if (best > 0 && !isInsideSolid(a, b)) return;
  if (mode !== SIGNED) {
    out.status = 'collides';
    out.distance = 0;
    return;
  }
  if (b.isSolid) writeSolidDepth(out, a, b, X_AB);
  else writeCrossing(out, a, X_AB);
}

function nextUp(x: number): number {
  return x === Infinity ? x : x * (1 + Number.EPSILON) + Number.MIN_VALUE;
}

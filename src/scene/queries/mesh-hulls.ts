/**
 * Distances of meshes by their convex hulls: a lower bound for the price of one GJK query, and often the answer itself.
 *
 * Method: 1. GJK between the hulls (a convex shape is its own): nothing that a mesh holds is outside its hull, so the
 * distance is a lower bound; 2. where both witness points lie on a triangle of their mesh it is an upper bound as well.
 * Most contacts of machine parts are on convex features, so the walk over two trees is seldom needed.
 * Source: Gilbert, Johnson, Keerthi 1988, doi:10.1109/56.2083; the test of the witness points is ours.
 *
 * Frames: W. Cost: about 1 microsecond and 0.5 per mesh for step 2, against 20 to 100 for a distance by trees. The hull
 * of a mesh is built at its first query, or by `prepareHulls`. Fails (returns false): hulls that overlap, half-spaces, groups, iteration limit.
 * Tested by mesh-hulls.test.ts against the distances by trees.
 */
import type { MeshBvh } from '../../bvh/mesh-bvh.js';
import { walkTriangles } from '../../bvh/walk-triangles.js';
import { closestPointTriangle } from '../../geometry/closest-points.js';
import { relativeTransform, type Transform } from '../../math/transform.js';
import { type Collider, HALFSPACE, MESH } from '../../narrowphase/collider.js';
import { measureCores } from '../../narrowphase/convex-pairs.js';
import { GAP, SIGNED } from '../../narrowphase/pair-result.js';
import type { DistanceResult } from '../../narrowphase/query.js';
import type { Body, BodyPart } from '../bodies.js';

/** Smaller meshes are measured as fast by their trees. */
const FEW_TRIANGLES = 16;
/** A witness point this close to a triangle, per unit of the mesh's extent, lies on it. */
const ON_MESH = 1e-11;

/** A mesh that a hull can stand for against the other shape. */
export function hasHulls(a: Collider, b: Collider): boolean {
  return (isWorthwhile(a) && hasOuterCore(b)) || (isWorthwhile(b) && hasOuterCore(a));
}

function isWorthwhile(collider: Collider): boolean {
  return collider.type === MESH && collider.bvh!.triangleCount >= FEW_TRIANGLES;
}

function hasOuterCore({ hasCore, type, bvh }: Collider): boolean {
  return hasCore || (type === MESH && bvh!.triangleCount > 0);
}

/** Builds the hulls that queries of these bodies may need, so that none of them waits for one. */
export function prepareHulls(bodies: Iterable<Body>): void {
  for (const { parts } of bodies) for (const { collider } of parts) if (hasOuterCore(collider)) void collider.outerCore;
}

const X_AB = new Float64Array(12);

/**
 * Distance of the hulls, with points and normal in W; beyond the bound a lower bound, as `distance` gives it. False when
 * they overlap or the search did not end: then nothing is known.
 */
export function measureHulls(out: DistanceResult, a: BodyPart, b: BodyPart, bound: number): boolean {
  relativeTransform(X_AB, a.worldPlacement, b.worldPlacement);
  measureCores(out, a.collider.outerCore, b.collider.outerCore, X_AB, bound, GAP);
  if (out.status === 'beyond-bound') return true;
  if (out.status !== 'ok' || !(out.distance > 0)) return false;
  turn(out.pointA, a.worldPlacement, 1);
  turn(out.pointB, a.worldPlacement, 1);
  turn(out.normal, a.worldPlacement, 0);
  return true;
}

/** True when the depth of an overlap would have to be searched for: both are solid and one need not be convex. */
export function needsPushOut(a: Collider, b: Collider): boolean {
  return a.isSolid && b.isSolid && a.type !== HALFSPACE && b.type !== HALFSPACE && !(a.hasCore && b.hasCore);
}

function isConvex(collider: Collider): boolean {
  return collider.hasCore || (collider.type === MESH && collider.meshHull.isConvex);
}

/**
 * Penetration of the convex outer shapes of two solids that overlap (a mesh's hull, the box of an octree, a point cloud, a
 * height field or a compound): an upper bound of the solids', and a move that does separate them. Exact where both are convex.
 */
export function measureHullDepth(out: DistanceResult, a: BodyPart, b: BodyPart): void {
  relativeTransform(X_AB, a.worldPlacement, b.worldPlacement);
  measureCores(out, a.collider.outerCore, b.collider.outerCore, X_AB, Infinity, SIGNED);
  if (out.status === 'ok' && !(isConvex(a.collider) && isConvex(b.collider))) out.status = 'depth-bound';
  turn(out.pointA, a.worldPlacement, 1);
  turn(out.pointB, a.worldPlacement, 1);
  turn(out.normal, a.worldPlacement, 0);
}

function turn(p: Float64Array, X: Transform, w: number): void {
  const x = p[0];
  const y = p[1];
  const z = p[2];
  p[0] = X[0] * x + X[1] * y + X[2] * z + w * X[9];
  p[1] = X[3] * x + X[4] * y + X[5] * z + w * X[10];
  p[2] = X[6] * x + X[7] * y + X[8] * z + w * X[11];
}

/** True when the hulls' witness points lie on the meshes: then the distance is the meshes'. Writes the features. */
export function lieOnMeshes(out: DistanceResult, a: BodyPart, b: BodyPart): boolean {
  out.featureA = -1;
  out.featureB = -1;
  if (a.collider.type === MESH) {
    out.featureA = findTriangle(a, out.pointA);
    if (out.featureA < 0) return false;
  }
  if (b.collider.type !== MESH) return true;
  out.featureB = findTriangle(b, out.pointB);
  return out.featureB >= 0;
}

const box = new Float64Array(6);
const local = new Float64Array(3);
const corners = new Float64Array(9);
const nearest = new Float64Array(3);
const search = { triangle: -1, radius: 0 };
let vertices: Float64Array = corners;
let triangles: Uint32Array = new Uint32Array(0);

function visitTriangle(triangle: number): number {
  for (let c = 0; c < 3; c++) {
    const v = 3 * triangles[3 * triangle + c];
    for (let k = 0; k < 3; k++) corners[3 * c + k] = vertices[v + k];
  }
  if (closestPointTriangle(nearest, 0, local, 0, corners) > search.radius * search.radius) return search.radius;
  search.triangle = triangle;
  return -1;
}

/** A triangle of the part's mesh that holds the point (in W), -1 when there is none. */
function findTriangle({ collider, worldPlacement: X }: BodyPart, p: Float64Array): number {
  const bvh = collider.bvh as MeshBvh;
  const x = p[0] - X[9];
  const y = p[1] - X[10];
  const z = p[2] - X[11];
  for (let k = 0; k < 3; k++) {
    local[k] = X[k] * x + X[k + 3] * y + X[k + 6] * z;
    box[k] = local[k];
    box[k + 3] = local[k];
  }
  vertices = bvh.mesh.vertices;
  triangles = bvh.mesh.triangles;
  search.triangle = -1;
  // The placement rounds with its own size, too.
  search.radius = ON_MESH * (collider.extent + Math.abs(X[9]) + Math.abs(X[10]) + Math.abs(X[11]));
  walkTriangles(bvh, box, search.radius, visitTriangle);
  return search.triangle;
}

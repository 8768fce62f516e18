/**
 * Signed distance of a point to a shape of any kind, with the closest point of its surface: negative inside.
 *
 * Method: a point is a hull of one vertex, for which the pair functions have closed forms; of a mesh the closest point of its surface,
 * with a ray for the side. Of a compound the least over its children: inside where they overlap, no more than the depth.
 * Frames: W. Cost: 0.1 to 3 microseconds. Checked by region.test.ts.
 */
import { closestPointMesh, createClosestPoint } from '../bvh/closest-point.js';
import {
  createTransform,
  inverseTransformPoint,
  multiplyTransform,
  type Transform,
  transformPoint,
} from '../math/transform.js';
import { Collider, MESH } from './collider.js';
import { isInsideMesh } from './containment.js';
import { distance } from './distance.js';
import { Part } from './part-group.js';
import { createDistanceResult } from './query.js';
import { faceNormal } from './ray-spans.js';

export interface PointDistance {
  distance: number;
  /** Of the surface. */
  readonly point: Float64Array;
  /** Unit outward normal there. */
  readonly normal: Float64Array;
}

export function createPointDistance(): PointDistance {
  return { distance: Infinity, point: new Float64Array(3), normal: new Float64Array(3) };
}

let pointCollider: Collider | null = null;

/** A point as a shape, at the origin of its frame. */
export function pointShape(): Collider {
  pointCollider ??= new Collider({ type: 'convex', points: new Float64Array(3) });
  return pointCollider;
}

const result = createDistanceResult();
const options = { upperBound: Infinity };
const X_WP = createTransform();
const closest = createClosestPoint();
const local = new Float64Array(3);
const toward = new Float64Array(3);

/** Writes what is nearer than out.distance; returns whether anything was. Looks at no argument. */
export function measurePoint(
  out: PointDistance,
  collider: Collider,
  X_WS: Transform,
  point: ArrayLike<number>,
): boolean {
  if (collider.type === MESH) return measureMeshPoint(out, collider, X_WS, point);
  if (collider.group?.isCompound) {
    // Children may be meshes.
    const part = new Part<Collider>(0);
    const X = createTransform();
    let isNearer = false;
    for (let i = 0; i < collider.group.hierarchy.order.length; i++) {
      collider.group.load(part, i);
      multiplyTransform(X, X_WS, part.X);
      if (measurePoint(out, part.collider!, X, point)) isNearer = true;
    }
    return isNearer;
  }
  for (let k = 0; k < 3; k++) X_WP[9 + k] = point[k];
  options.upperBound = out.distance;
  distance(result, collider, X_WS, pointShape(), X_WP, options);
  if (result.status === 'beyond-bound' || !(result.distance < out.distance)) return false;
  out.distance = result.distance;
  out.point.set(result.pointA);
  out.normal.set(result.normal);
  return true;
}

function measureMeshPoint(out: PointDistance, collider: Collider, X_WS: Transform, point: ArrayLike<number>): boolean {
  const { bvh } = collider;
  inverseTransformPoint(local, X_WS, point as Float64Array);
  closestPointMesh(closest, bvh!, local);
  if (closest.distance === Infinity) return false;
  const isInside =
    closest.distance > 0 && collider.isSolid && isInsideMesh(bvh!, collider.isOriented, local[0], local[1], local[2]);
  const signed = isInside ? -closest.distance : closest.distance;
  if (!(signed < out.distance)) return false;
  out.distance = signed;
  for (let k = 0; k < 3; k++) toward[k] = (isInside ? -1 : 1) * (local[k] - closest.point[k]);
  const size = Math.sqrt(toward[0] * toward[0] + toward[1] * toward[1] + toward[2] * toward[2]);
  const { vertices, triangles } = bvh!.mesh;
  const at = 3 * closest.triangle;
  if (size > 0) for (let k = 0; k < 3; k++) toward[k] /= size;
  else faceNormal(toward, vertices, 3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2]);
  transformPoint(out.point, X_WS, closest.point);
  for (let k = 0; k < 3; k++)
    out.normal[k] = X_WS[3 * k] * toward[0] + X_WS[3 * k + 1] * toward[1] + X_WS[3 * k + 2] * toward[2];
  return true;
}

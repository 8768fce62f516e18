/**
 * The pairs of convex cores that come within a tolerance, for any two bounded colliders: convex parts as they are, meshes
 * triangle by triangle. What contacts, push-out and its refinement have in common.
 *
 * Frames: the pair has X_AB, core b in the frame of core a, and X_WholeA, core a's frame in A.
 * Some pairs that are farther apart may be visited. The visitor returns false to end. It may measure cores, but not walk.
 * Cost: the walk over parts plus the mesh queries. Checked by test/contract/part-shapes.test.ts and push-out.test.ts.
 */
import { collideMeshMesh, createMeshCollision } from '../bvh/collide-mesh.js';
import { CORE_POINTS, SupportCore } from '../geometry/support.js';
import { createTransform, invertTransform, type Transform } from '../math/transform.js';
import { type Collider, MESH } from './collider.js';
import { visitNearTriangles } from './near-triangles.js';
import { type PartPair, traverseParts } from './traverse-parts.js';

export interface CorePair {
  coreA: SupportCore;
  coreB: SupportCore;
  X_AB: Transform;
  X_WholeA: Transform;
  featureA: number;
  featureB: number;
  childA: number;
  childB: number;
}

export type CoreVisitor = (pair: CorePair) => boolean;

const triangleA = new SupportCore(CORE_POINTS, 0, 0, 0, 0, new Float64Array(9));
const triangleB = new SupportCore(CORE_POINTS, 0, 0, 0, 0, new Float64Array(9));
const X_Inverse = createTransform();
const outPairs: number[] = [];
const collision = createMeshCollision();
const options = { tolerance: 0, maxPairs: 0, outPairs, out: collision };
const cores: CorePair = {
  coreA: triangleA,
  coreB: triangleB,
  X_AB: X_Inverse,
  X_WholeA: X_Inverse,
  featureA: -1,
  featureB: -1,
  childA: -1,
  childB: -1,
};

/** Corners of a mesh collider's triangle into a core of three points. */
export function loadTriangleCore(core: SupportCore, collider: Collider, triangle: number): void {
  const mesh = collider.bvh?.mesh;
  if (!mesh) return;
  const { points } = core;
  for (let c = 0; c < 3; c++) {
    const v = 3 * mesh.triangles[3 * triangle + c];
    points[3 * c] = mesh.vertices[v];
    points[3 * c + 1] = mesh.vertices[v + 1];
    points[3 * c + 2] = mesh.vertices[v + 2];
  }
}

/** Cores of one pair of parts; `maxPairs` bounds the triangle pairs of two meshes. Returns false when the visitor ended. */
export function visitPartCores(part: PartPair, tolerance: number, maxPairs: number, visit: CoreVisitor): boolean {
  const { a, b, X_AB } = part;
  cores.X_AB = X_AB;
  cores.X_WholeA = part.X_WholeA;
  cores.featureA = part.featureA;
  cores.featureB = part.featureB;
  cores.childA = part.childA;
  cores.childB = part.childB;
  if (a.type === MESH && b.type === MESH) return visitMeshPair(a, b, tolerance, maxPairs, visit);
  if (a.type === MESH) return visitMeshTriangles(b, a, true, tolerance, visit);
  if (b.type === MESH) return visitMeshTriangles(a, b, false, tolerance, visit);
  cores.coreA = a.core;
  cores.coreB = b.core;
  return visit(cores);
}

function visitMeshPair(a: Collider, b: Collider, tolerance: number, maxPairs: number, visit: CoreVisitor): boolean {
  if (!a.bvh || !b.bvh) return true;
  options.tolerance = tolerance;
  options.maxPairs = maxPairs;
  collideMeshMesh(a.bvh, b.bvh, cores.X_AB, options);
  cores.coreA = triangleA;
  cores.coreB = triangleB;
  for (let i = 0; i < outPairs.length; i += 2) {
    cores.featureA = outPairs[i];
    cores.featureB = outPairs[i + 1];
    loadTriangleCore(triangleA, a, cores.featureA);
    loadTriangleCore(triangleB, b, cores.featureB);
    if (!visit(cores)) return false;
  }
  return true;
}

/** `meshIsA`: cores.X_AB is the shape in the mesh; else the mesh in the shape. */
function visitMeshTriangles(
  shape: Collider,
  mesh: Collider,
  meshIsA: boolean,
  tolerance: number,
  visit: CoreVisitor,
): boolean {
  const X_ShapeMesh = meshIsA ? invertTransform(X_Inverse, cores.X_AB) : cores.X_AB;
  const triangleCore = meshIsA ? triangleA : triangleB;
  cores.coreA = meshIsA ? triangleA : shape.core;
  cores.coreB = meshIsA ? shape.core : triangleB;
  let goOn = true;
  visitNearTriangles(shape, mesh, X_ShapeMesh, tolerance, (triangle) => {
    loadTriangleCore(triangleCore, mesh, triangle);
    if (meshIsA) cores.featureA = triangle;
    else cores.featureB = triangle;
    goOn = visit(cores);
    return goOn;
  });
  return goOn;
}

/** Core pairs of two bounded colliders. */
export function visitCorePairs(
  a: Collider,
  b: Collider,
  X_AB: Transform,
  limit: Readonly<{ tolerance: number; maxPairs: number }>,
  visit: CoreVisitor,
): void {
  const { tolerance, maxPairs } = limit;
  traverseParts(a, b, X_AB, tolerance, (part) =>
    visitPartCores(part, tolerance, maxPairs, visit) ? tolerance : -Infinity,
  );
}

/** Rotates v from A's frame into the frame of core a. */
export function toCoreFrame(out: Float64Array, X_WholeA: Transform, v: ArrayLike<number>): Float64Array {
  const [x, y, z] = [v[0], v[1], v[2]];
  for (let k = 0; k < 3; k++) out[k] = X_WholeA[k] * x + X_WholeA[3 + k] * y + X_WholeA[6 + k] * z;
  return out;
}

/** Meshes of problems: placed, joined, and where in a joined one a triangle came from. */

import { requireIndexedMesh } from '../geometry/require-mesh.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireList } from '../math/arguments.js';
import { createTransform, poseToTransform, transformPoint } from '../math/transform.js';
import type { RigidPose } from './pose.js';
import { requirePose } from './requests.js';

/** The mesh with its vertices where the pose puts them. */
export function placeMesh(mesh: TriangleMesh, pose: RigidPose): TriangleMesh {
  requireIndexedMesh('placeMesh', 'mesh', mesh);
  requirePose('placeMesh', 'pose', pose);
  const X = poseToTransform(createTransform(), pose);
  const vertices = new Float64Array(mesh.vertices.length);
  const point = new Float64Array(3);
  for (let i = 0; i < vertices.length; i += 3) {
    point[0] = mesh.vertices[i];
    point[1] = mesh.vertices[i + 1];
    point[2] = mesh.vertices[i + 2];
    vertices.set(transformPoint(point, X, point), i);
  }
  return { vertices, triangles: mesh.triangles };
}

export function joinMeshes(meshes: readonly TriangleMesh[]): TriangleMesh {
  requireList('joinMeshes', 'meshes', meshes);
  meshes.forEach((mesh, i) => {
    requireIndexedMesh('joinMeshes', `meshes[${i}]`, mesh);
  });
  const vertices = new Float64Array(meshes.reduce((sum, mesh) => sum + mesh.vertices.length, 0));
  const triangles = new Uint32Array(meshes.reduce((sum, mesh) => sum + mesh.triangles.length, 0));
  let v = 0;
  let t = 0;
  for (const mesh of meshes) {
    vertices.set(mesh.vertices, v);
    for (let i = 0; i < mesh.triangles.length; i++) triangles[t + i] = mesh.triangles[i] + v / 3;
    v += mesh.vertices.length;
    t += mesh.triangles.length;
  }
  return { vertices, triangles };
}

/** Which of the joined meshes a triangle belongs to. */
export function ownerOf(meshes: readonly TriangleMesh[], triangle: number): number {
  let first = 0;
  for (let i = 0; i < meshes.length; i++) {
    first += meshes[i].triangles.length / 3;
    if (triangle < first) return i;
  }
  return -1;
}

/** min, max of the vertices that triangles use; NaN-free, infinite and reversed of none. */
export function boundsOf(mesh: TriangleMesh): Float64Array {
  const out = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const v of mesh.triangles)
    for (let k = 0; k < 3; k++) {
      const x = mesh.vertices[3 * v + k];
      if (x < out[k]) out[k] = x;
      if (x > out[3 + k]) out[3 + k] = x;
    }
  return out;
}

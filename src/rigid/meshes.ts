/** Meshes of problems: placed, and where in a joined one a triangle came from. */

import { requireIndexedMesh } from '../geometry/require-mesh.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { rowsOf, transformMesh } from '../geometry/triangle-mesh-transform.js';
import { createTransform, poseToTransform } from '../math/transform.js';
import type { RigidPose } from './pose.js';
import { requirePose } from './requests.js';

/** The mesh with its vertices where the pose puts them. */
export function placeMesh(mesh: TriangleMesh, pose: RigidPose): TriangleMesh {
  requireIndexedMesh('placeMesh', 'mesh', mesh);
  requirePose('placeMesh', 'pose', pose);
  const X = poseToTransform(createTransform(), pose);
  return transformMesh(mesh, rowsOf(X));
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

/** Several meshes as one. Tested by join-meshes.test.ts. */
import { requireList } from '../math/arguments.js';
import { requireIndexedMesh } from './require-mesh.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Vertices and triangles one after the other, in the order of the list; where meshes overlap, nothing is cut. */
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

/** The first look at a triangle mesh: its arrays, not what is in them. */
import { requireObject, throwMisuse } from '../math/arguments.js';
import type { TriangleMesh } from './triangle-mesh.js';

export function requireMesh(call: string, what: string, mesh: TriangleMesh): void {
  requireObject(call, what, mesh, 'an object with vertices and triangles');
  const { vertices, triangles } = mesh;
  if (!(vertices instanceof Float64Array) || vertices.length % 3 !== 0)
    throwMisuse(call, `${what}.vertices`, vertices, 'a Float64Array with 3 numbers per vertex');
  if (!(triangles instanceof Uint32Array) || triangles.length % 3 !== 0)
    throwMisuse(call, `${what}.triangles`, triangles, 'a Uint32Array with 3 indices per triangle');
}

/** The indices too: a pass over the triangles. */
export function requireIndexedMesh(call: string, what: string, mesh: TriangleMesh): void {
  requireMesh(call, what, mesh);
  const count = mesh.vertices.length / 3;
  for (let i = 0; i < mesh.triangles.length; i++)
    if (mesh.triangles[i] >= count)
      throwMisuse(call, `${what}.triangles[${i}]`, mesh.triangles[i], `an index below ${count}`);
}

/**
 * Triangle meshes to and from three.js buffer geometry.
 *
 * Towards three: one vertex per corner, with the normals of mesh-corners.ts.
 * From three: vertices with the same coordinates are joined (three splits them at seams of normals and texture
 * coordinates, which would make every closed mesh look open); groups and draw range are ignored.
 */

import { BufferAttribute, BufferGeometry, type Matrix4, Vector3 } from 'three';
import { requireIndexedMesh } from '../geometry/require-mesh.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { weldVertices } from '../geometry/triangle-mesh-weld.js';
import { requireOptions } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { drawCorners, type MeshGeometryOptions } from './mesh-corners.js';
import { MESH_OPTIONS, requireKind } from './three-door.js';

export function toBufferGeometry(mesh: TriangleMesh, options: MeshGeometryOptions = {}): BufferGeometry {
  requireIndexedMesh('toBufferGeometry', 'mesh', mesh);
  requireOptions('toBufferGeometry', options, MESH_OPTIONS);
  return meshToGeometry(mesh, options.creaseAngle);
}

/** @internal Of a mesh that is one. */
export function meshToGeometry(mesh: TriangleMesh, creaseAngle?: number): BufferGeometry {
  const { positions, normals } = drawCorners(mesh, creaseAngle);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  if (mesh.name) geometry.name = mesh.name;
  return geometry;
}

/**
 * `matrix` (for instance an object's matrixWorld, scale included) is applied to every vertex; a mirroring matrix turns
 * the triangles so that they still face outward. Throws when the geometry has no positions or is not made of triangles.
 */
export function toTriangleMesh(geometry: BufferGeometry, matrix?: Matrix4): TriangleMesh {
  requireKind('toTriangleMesh', 'geometry', geometry, 'isBufferGeometry');
  if (matrix !== undefined) requireKind('toTriangleMesh', 'matrix', matrix, 'isMatrix4');
  const positions = geometry.getAttribute('position');
  if (!positions)
    throw new MisuseError('toTriangleMesh: geometry, got one without positions, expected a "position" attribute');
  const index = geometry.getIndex();
  const corners = index ? index.count : positions.count;
  if (corners % 3 !== 0)
    throw new MisuseError(`toTriangleMesh: geometry, got ${corners} corners, expected a multiple of 3`);
  const vertices = new Float64Array(3 * positions.count);
  const point = new Vector3();
  for (let v = 0; v < positions.count; v++) {
    point.fromBufferAttribute(positions, v);
    if (matrix) point.applyMatrix4(matrix);
    point.toArray(vertices, 3 * v);
  }
  const triangles = new Uint32Array(corners);
  for (let corner = 0; corner < corners; corner++) triangles[corner] = index ? index.getX(corner) : corner;
  if (matrix && matrix.determinant() < 0) {
    for (let t = 0; t < corners; t += 3) [triangles[t + 1], triangles[t + 2]] = [triangles[t + 2], triangles[t + 1]];
  }
  return weldVertices(geometry.name ? { vertices, triangles, name: geometry.name } : { vertices, triangles });
}

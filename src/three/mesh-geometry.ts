/**
 * Triangle meshes to and from three.js buffer geometry.
 *
 * Towards three: one vertex per corner, with normals averaged over the faces around a vertex that lie within the crease
 * angle, weighted by area, so that machined edges stay sharp and round walls look round.
 * From three: vertices with the same coordinates are joined (three splits them at seams of normals and texture
 * coordinates, which would make every closed mesh look open); groups and draw range are ignored.
 */

import { BufferAttribute, BufferGeometry, type Matrix4, Vector3 } from 'three';
import { requireIndexedMesh } from '../geometry/require-mesh.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { mapEqualVertices, weldVertices } from '../geometry/triangle-mesh-weld.js';
import { requireOptions } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { cos, hypot } from '../math/scalar.js';
import { MESH_OPTIONS, requireKind } from './three-door.js';

export interface MeshGeometryOptions {
  /** Radians; faces that meet at a larger angle keep a sharp edge. 0 = flat shading. Default 0.6 (34 degrees). */
  readonly creaseAngle?: number;
}

export function toBufferGeometry(mesh: TriangleMesh, options: MeshGeometryOptions = {}): BufferGeometry {
  requireIndexedMesh('toBufferGeometry', 'mesh', mesh);
  requireOptions('toBufferGeometry', options, MESH_OPTIONS);
  return meshToGeometry(mesh, options.creaseAngle);
}

/** @internal Of a mesh that is one. */
export function meshToGeometry(mesh: TriangleMesh, creaseAngle = 0.6): BufferGeometry {
  const { vertices, triangles } = mesh;
  const positions = new Float32Array(3 * triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) {
    const v = 3 * triangles[corner];
    for (let i = 0; i < 3; i++) positions[3 * corner + i] = vertices[v + i];
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(cornerNormals(mesh, creaseAngle), 3));
  if (mesh.name) geometry.name = mesh.name;
  return geometry;
}

function cornerNormals(mesh: TriangleMesh, creaseAngle: number): Float32Array {
  const { vertices, triangles } = mesh;
  const count = triangles.length / 3;
  // Twice the area times the unit normal: the sum over faces is then weighted by area.
  const areaNormals = new Float64Array(3 * count);
  const lengths = new Float64Array(count);
  for (let t = 0; t < count; t++) {
    const a = 3 * triangles[3 * t];
    const b = 3 * triangles[3 * t + 1];
    const c = 3 * triangles[3 * t + 2];
    const ux = vertices[b] - vertices[a];
    const uy = vertices[b + 1] - vertices[a + 1];
    const uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[a];
    const vy = vertices[c + 1] - vertices[a + 1];
    const vz = vertices[c + 2] - vertices[a + 2];
    areaNormals[3 * t] = uy * vz - uz * vy;
    areaNormals[3 * t + 1] = uz * vx - ux * vz;
    areaNormals[3 * t + 2] = ux * vy - uy * vx;
    lengths[t] = hypot(areaNormals[3 * t], areaNormals[3 * t + 1], areaNormals[3 * t + 2]);
  }
  const { positionOf, firstVertex } = mapEqualVertices(vertices);
  const { starts, corners } = cornersByPosition(triangles, positionOf, firstVertex.length);
  const normals = new Float32Array(3 * triangles.length);
  const minimumCosine = cos(creaseAngle);
  for (let corner = 0; corner < triangles.length; corner++) {
    const t = (corner / 3) | 0;
    let x = 0;
    let y = 0;
    let z = 0;
    const position = positionOf[triangles[corner]];
    for (let k = starts[position]; k < starts[position + 1]; k++) {
      const s = (corners[k] / 3) | 0;
      const cosine =
        areaNormals[3 * t] * areaNormals[3 * s] +
        areaNormals[3 * t + 1] * areaNormals[3 * s + 1] +
        areaNormals[3 * t + 2] * areaNormals[3 * s + 2];
      if (s !== t && cosine < minimumCosine * lengths[t] * lengths[s]) continue;
      x += areaNormals[3 * s];
      y += areaNormals[3 * s + 1];
      z += areaNormals[3 * s + 2];
    }
    const length = hypot(x, y, z) || 1;
    normals[3 * corner] = x / length;
    normals[3 * corner + 1] = y / length;
    normals[3 * corner + 2] = z / length;
  }
  return normals;
}

/** Corners grouped by position: those at position p are corners[starts[p] .. starts[p + 1]). */
function cornersByPosition(
  triangles: Uint32Array,
  positionOf: Uint32Array,
  positions: number,
): { starts: Uint32Array; corners: Uint32Array } {
  const starts = new Uint32Array(positions + 1);
  for (const vertex of triangles) starts[positionOf[vertex] + 1]++;
  for (let p = 0; p < positions; p++) starts[p + 1] += starts[p];
  const next = starts.slice();
  const corners = new Uint32Array(triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) corners[next[positionOf[triangles[corner]]]++] = corner;
  return { starts, corners };
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

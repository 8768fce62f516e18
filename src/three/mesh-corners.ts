/**
 * The corners of a mesh's triangles as they are drawn: one vertex per corner, with normals averaged over the faces around a vertex that
 * lie within the crease angle, weighted by area, so that machined edges stay sharp and round walls look round. Of the mesh alone,
 * without three.js: a worker can list them.
 */

import { requireIndexedMesh } from '../geometry/require-mesh.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { mapEqualVertices } from '../geometry/triangle-mesh-weld.js';
import { requireOptions } from '../math/arguments.js';
import { cos, hypot } from '../math/scalar.js';
import { MESH_OPTIONS } from './three-door.js';

export interface MeshGeometryOptions {
  /** Radians; faces that meet at a larger angle keep a sharp edge. 0 = flat shading. Default 0.6 (34 degrees). */
  readonly creaseAngle?: number;
}

/** 9 numbers a triangle each, in the triangles' order. */
export interface MeshCorners {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly normals: Float32Array<ArrayBuffer>;
}

/** What `toBufferGeometry` makes its attributes of. */
export function listCorners(mesh: TriangleMesh, options: MeshGeometryOptions = {}): MeshCorners {
  requireIndexedMesh('listCorners', 'mesh', mesh);
  requireOptions('listCorners', options, MESH_OPTIONS);
  return drawCorners(mesh, options.creaseAngle);
}

/** @internal Of a mesh that is one. */
export function drawCorners(mesh: TriangleMesh, creaseAngle = 0.6): MeshCorners {
  const { vertices, triangles } = mesh;
  const positions = new Float32Array(3 * triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) {
    const v = 3 * triangles[corner];
    for (let i = 0; i < 3; i++) positions[3 * corner + i] = vertices[v + i];
  }
  return { positions, normals: cornerNormals(mesh, creaseAngle) };
}

function cornerNormals(mesh: TriangleMesh, creaseAngle: number): Float32Array<ArrayBuffer> {
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

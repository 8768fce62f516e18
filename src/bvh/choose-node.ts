/**
 * Chooses the node kind from the mesh alone: axis-aligned boxes are as tight as oriented ones, and cheaper to test, when
 * most of the surface is parallel to the coordinate planes.
 * Cost: linear. Zero-area meshes get oriented boxes.
 */
import type { TriangleMesh } from '../geometry/triangle-mesh.js';

/** Share of the area that has to face along an axis. */
const ALIGNED_SHARE = 0.7;
const ALIGNED_COSINE = 0.9999;

export function chooseNodeKind(mesh: TriangleMesh): 'obb' | 'aabb' {
  const { vertices, triangles } = mesh;
  let total = 0;
  let aligned = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const p = triangles[i] * 3;
    const q = triangles[i + 1] * 3;
    const r = triangles[i + 2] * 3;
    const ux = vertices[q] - vertices[p];
    const uy = vertices[q + 1] - vertices[p + 1];
    const uz = vertices[q + 2] - vertices[p + 2];
    const vx = vertices[r] - vertices[p];
    const vy = vertices[r + 1] - vertices[p + 1];
    const vz = vertices[r + 2] - vertices[p + 2];
    const nx = Math.abs(uy * vz - uz * vy);
    const ny = Math.abs(uz * vx - ux * vz);
    const nz = Math.abs(ux * vy - uy * vx);
    const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
    total += area;
    if (Math.max(nx, ny, nz) > ALIGNED_COSINE * area) aligned += area;
  }
  return total > 0 && aligned >= ALIGNED_SHARE * total ? 'aabb' : 'obb';
}

/**
 * Chooses the node kind from the mesh alone: axis-aligned boxes are as tight as oriented ones, and cheaper to test and
 * half the size, when most triangles are parallel to the coordinate planes. Triangles are counted, not their area: in a
 * room with furniture the walls have the area, and the queries end in the furniture (reference set a: 99 % of the area
 * and 11 % of the triangles are aligned, and oriented boxes need half of the triangle tests).
 * Cost: linear. Meshes without area get oriented boxes.
 */
import type { TriangleMesh } from '../geometry/triangle-mesh.js';

/** Share of the triangles that have to face along an axis. */
const ALIGNED_SHARE = 0.8;
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
    if (area === 0) continue;
    total++;
    if (Math.max(nx, ny, nz) > ALIGNED_COSINE * area) aligned++;
  }
  return total > 0 && aligned >= ALIGNED_SHARE * total ? 'aabb' : 'obb';
}

/**
 * Affine images of triangle meshes. A matrix that mirrors (negative determinant) also turns every triangle around, so
 * that what was outside stays outside.
 */

import { requireNumbers } from '../math/arguments.js';
import type { Transform } from '../math/transform.js';
import { requireMesh } from './require-mesh.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Image under the 3x4 matrix given by its rows (12 numbers): x' = M x + t. A mesh of the same layout comes back. */
export function transformMesh(mesh: TriangleMesh, matrix: ArrayLike<number>): TriangleMesh {
  requireMesh('transformMesh', 'mesh', mesh);
  requireNumbers('transformMesh', 'matrix', matrix, 12);
  const vertices = new Float64Array(mesh.vertices.length);
  transformVertices(vertices, 0, mesh.vertices, matrix);
  const mirrored = isMirroring(matrix);
  return { ...mesh, vertices, triangles: mirrored ? reverseTriangles(mesh.triangles) : mesh.triangles };
}

/** The 3x4 matrix of a rigid transform. */
export function rowsOf(X: Transform): number[] {
  return [X[0], X[1], X[2], X[9], X[3], X[4], X[5], X[10], X[6], X[7], X[8], X[11]];
}

/** Whether the 3x4 matrix turns left hands into right hands. */
export function isMirroring(m: ArrayLike<number>): boolean {
  const determinant =
    m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
  return determinant < 0;
}

/** Writes the images of all vertices to out from index `at` on. */
export function transformVertices(
  out: Float64Array,
  at: number,
  vertices: Float64Array,
  m: ArrayLike<number>,
): Float64Array {
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = Array.from(m);
  for (let i = 0; i < vertices.length; i += 3, at += 3) {
    const x = vertices[i];
    const y = vertices[i + 1];
    const z = vertices[i + 2];
    out[at] = m0 * x + m1 * y + m2 * z + m3;
    out[at + 1] = m4 * x + m5 * y + m6 * z + m7;
    out[at + 2] = m8 * x + m9 * y + m10 * z + m11;
  }
  return out;
}

function reverseTriangles(triangles: Uint32Array): Uint32Array {
  const reversed = new Uint32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    reversed[t] = triangles[t];
    reversed[t + 1] = triangles[t + 2];
    reversed[t + 2] = triangles[t + 1];
  }
  return reversed;
}

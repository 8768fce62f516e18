/**
 * Scaling of triangle meshes along their own axes, mirrors included: a negative determinant turns every triangle
 * inside out, so winding is reversed then, normals stay outward and a closed mesh keeps a positive volume.
 * Cost: linear, one copy of the vertices. Test: test/regression/mirroring.test.ts.
 */

import { requireNumbers } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { requireMesh } from './require-mesh.js';
import type { Triple } from './shapes.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { transformMesh } from './triangle-mesh-transform.js';

/** The mesh with each vertex multiplied by `scale` (x, y, z); the mesh itself without scale or when all are 1. */
export function applyScale(mesh: TriangleMesh, scale: Triple | undefined): TriangleMesh {
  requireMesh('applyScale', 'mesh', mesh);
  if (scale === undefined) return mesh;
  requireNumbers('applyScale', 'scale', scale, 3);
  const [x, y, z] = scale;
  if (scale.some((factor) => factor === 0 || !Number.isFinite(factor))) {
    throw new MisuseError(`applyScale: scale, got [${scale.join(', ')}], expected three finite numbers other than 0`);
  }
  if (x === 1 && y === 1 && z === 1) return mesh;
  return transformMesh(mesh, [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0]);
}

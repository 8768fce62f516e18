import { expect, it } from 'vitest';
import { createBoxMesh } from '../../test/sample-shapes.js';
import { joinMeshes } from './join-meshes.js';
import { computeMassProperties } from './mass-properties.js';

it('joinMeshes keeps every triangle where it was', () => {
  const meshes = [createBoxMesh([1, 1, 1]), createBoxMesh([1, 2, 1], [3, 0, 0]), createBoxMesh([2, 2, 2], [0, 5, 0])];
  const joined = joinMeshes(meshes);
  expect(joined.triangles.length).toBe(108);
  expect(computeMassProperties({ type: 'mesh', mesh: joined }, 1).volume).toBeCloseTo(11, 12);
  let corner = 0;
  for (const { vertices, triangles } of meshes)
    for (const v of triangles) {
      const at = 3 * joined.triangles[corner++];
      expect([...joined.vertices.subarray(at, at + 3)]).toEqual([...vertices.subarray(3 * v, 3 * v + 3)]);
    }
  expect(joinMeshes([])).toEqual({ vertices: new Float64Array(0), triangles: new Uint32Array(0) });
});

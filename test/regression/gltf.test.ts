/** Faults of other glTF readers. */
import { expect, it } from 'vitest';
import { reportMesh } from '../../src/geometry/mesh-report.js';
import { applyScale } from '../../src/geometry/scale-mesh.js';
import { parseMesh } from '../../src/io/mesh/mesh.js';
import { cubeGltf } from './mesh-samples.js';

it('U169: glTF: a node translation and the scale of the file that refers to it are both applied', async () => {
  const bytes = cubeGltf((json) => {
    json.nodes = [{ mesh: 0, translation: [1, 0, 0] }];
  });
  const { value } = await parseMesh(bytes, { format: 'gltf', upAxis: 'ignore' });
  const { bounds, volume } = reportMesh(applyScale(value!.mesh, [0.5, 0.5, 0.5]));
  expect(bounds).toEqual([0, -0.5, -0.5, 1, 0.5, 0.5]);
  expect(volume).toBe(1);
});

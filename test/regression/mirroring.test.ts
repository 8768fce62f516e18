/** Negative scales turn no mesh inside out. */
import { describe, expect, it } from 'vitest';
import { reportMesh } from '../../src/geometry/mesh-report.js';
import { applyScale } from '../../src/geometry/scale-mesh.js';
import { parseMesh } from '../../src/io/mesh/mesh.js';
import { createTransform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { CUBE, cubeCollada, cubeGltf } from './mesh-samples.js';

describe('negative scale / mirroring', () => {
  it('U057: a cube scaled by 1 -1 1 keeps its normals outward, its volume positive and its centre inside', () => {
    const mirrored = applyScale(CUBE, [1, -1, 1]);
    expect(reportMesh(mirrored)).toMatchObject({ volume: 8, watertight: true, consistentlyOriented: true });
    using cube = createCollider({ type: 'mesh', mesh: mirrored });
    using point = createCollider({ type: 'sphere', radius: 0.001 });
    expect(collide(cube, createTransform(), point, createTransform())).toBe(true);
  });

  it('U057: the same for mirrors in the nodes of COLLADA and glTF files', async () => {
    const dae = cubeCollada('', '<node><scale>1 -1 1</scale><instance_geometry url="#cube"/></node>');
    const gltf = cubeGltf((json) => {
      json.nodes = [{ mesh: 0, scale: [1, -1, 1] }];
    });
    for (const [format, bytes] of [
      ['dae', dae],
      ['gltf', gltf],
    ] as const) {
      const { value } = await parseMesh(bytes, { format });
      expect(reportMesh(value!.mesh)).toMatchObject({ volume: 8, consistentlyOriented: true });
    }
  });
});

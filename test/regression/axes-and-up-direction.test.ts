/** Shapes and files that other programs turned the wrong way. */
import { describe, expect, it } from 'vitest';
import { boundShape } from '../../src/geometry/aabb.js';
import { reportMesh } from '../../src/geometry/mesh-report.js';
import { parseMesh } from '../../src/io/mesh/mesh.js';
import { createTransform } from '../../src/math/transform.js';
import { collide } from '../../src/narrowphase/collide.js';
import { createCollider } from '../../src/narrowphase/collider.js';
import { cubeCollada, cubeGltf } from './mesh-samples.js';

describe('axes and up direction', () => {
  it('U081: a cylinder stands along z', () => {
    const bounds = boundShape(new Float64Array(6), { type: 'cylinder', radius: 0.1, length: 1 }, createTransform());
    expect(Array.from(bounds)).toEqual([-0.1, -0.1, -0.5, 0.1, 0.1, 0.5]);
  });

  it('U083: one rule for <up_axis>: turned to Z up when read alone, ignored on demand, overridden on demand', async () => {
    const bytes = cubeCollada(
      '<up_axis>Y_UP</up_axis>',
      '<node><translate>0 5 0</translate><instance_geometry url="#cube"/></node>',
    );
    const boundsOf = async (upAxis?: 'file' | 'ignore' | 'x' | 'y' | 'z') => {
      const { value } = await parseMesh(bytes, { format: 'dae', upAxis });
      return reportMesh(value!.mesh).bounds;
    };
    // y of the file is up
    expect(await boundsOf()).toEqual([-1, -1, 4, 1, 1, 6]);
    expect(await boundsOf('file')).toEqual(await boundsOf());
    expect(await boundsOf('y')).toEqual(await boundsOf());
    // as RViz and MoveIt treat meshes of a URDF
    expect(await boundsOf('ignore')).toEqual([-1, 4, -1, 1, 6, 1]);
    expect(await boundsOf('z')).toEqual(await boundsOf('ignore'));
    // X up: y of the file points to the left
    expect(await boundsOf('x')).toEqual([-6, -1, -1, -4, 1, 1]);
  });

  it('U083: the same rule for glTF, which is always Y up', async () => {
    const bytes = cubeGltf((json) => {
      json.nodes = [{ mesh: 0, translation: [0, 5, 0] }];
    });
    const boundsOf = async (upAxis?: 'ignore') =>
      reportMesh((await parseMesh(bytes, { format: 'gltf', upAxis })).value!.mesh).bounds;
    expect(await boundsOf()).toEqual([-1, -1, 4, 1, 1, 6]);
    expect(await boundsOf('ignore')).toEqual([-1, 4, -1, 1, 6, 1]);
  });

  it('U085: a COLLADA file with two cubes gives both', async () => {
    const cube = (x: number) => `<node><translate>${x} 0 0</translate><instance_geometry url="#cube"/></node>`;
    const { value } = await parseMesh(cubeCollada('<up_axis>Z_UP</up_axis>', cube(0) + cube(3), 0.5), {
      format: 'dae',
    });
    const report = reportMesh(value!.mesh);
    expect(report.bounds).toEqual([-0.5, -0.5, -0.5, 3.5, 0.5, 0.5]);
    expect(report).toMatchObject({ components: 2, volume: 2, watertight: true });
    expect(value!.parts).toHaveLength(2);
    using mesh = createCollider({ type: 'mesh', mesh: value!.mesh });
    using ball = createCollider({ type: 'sphere', radius: 0.4 });
    const X_WB = createTransform();
    for (const [x, expected] of [
      [0, true],
      [1.5, false],
      [3, true],
    ] as const) {
      X_WB[9] = x;
      expect(collide(mesh, createTransform(), ball, X_WB), `ball at x = ${x}`).toBe(expected);
    }
  });
});

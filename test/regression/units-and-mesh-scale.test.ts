/** Units and scales that other programs lost, applied twice or applied to one of visual and collision. */
import { describe, expect, it } from 'vitest';
import { reportMesh } from '../../src/geometry/mesh-report.js';
import { applyScale } from '../../src/geometry/scale-mesh.js';
import { parseMesh } from '../../src/io/mesh/mesh.js';
import { writeStl } from '../../src/io/mesh/stl.js';
import { CUBE, cubeCollada } from './mesh-samples.js';

const CENTIMETRE = '<unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis>';
const extentsOf = (bounds: readonly number[]) => [0, 1, 2].map((k) => bounds[k + 3] - bounds[k]);

describe('units and mesh scale', () => {
  it('U075: a scale of 0.001 makes 0.1 of an STL cube of 100 units, whoever asks for it', async () => {
    const bytes = writeStl(applyScale(CUBE, [50, 50, 50]));
    const { value } = await parseMesh(bytes, { format: 'stl', upAxis: 'ignore' });
    for (const extent of extentsOf(reportMesh(applyScale(value!.mesh, [0.001, 0.001, 0.001])).bounds!)) {
      expect(extent).toBeCloseTo(0.1, 15);
    }
    const { value: millimetres } = await parseMesh(bytes, { format: 'stl', unit: 'millimetre' });
    expect(reportMesh(millimetres!.mesh).bounds).toEqual([-0.05, -0.05, -0.05, 0.05, 0.05, 0.05]);
  });

  it('U077: the unit of a COLLADA file always applies', async () => {
    for (const upAxis of ['file', 'ignore'] as const) {
      const { value } = await parseMesh(cubeCollada(CENTIMETRE), { format: 'dae', upAxis });
      expect(reportMesh(value!.mesh).bounds).toEqual([-0.01, -0.01, -0.01, 0.01, 0.01, 0.01]);
      expect(value!.unit).toBe(0.01);
    }
  });

  it('U079: the scale of the file that refers to the mesh multiplies the unit of the mesh', async () => {
    const { value } = await parseMesh(cubeCollada(CENTIMETRE), { format: 'dae', upAxis: 'ignore' });
    expect(reportMesh(applyScale(value!.mesh, [2, 2, 2])).bounds).toEqual([-0.02, -0.02, -0.02, 0.02, 0.02, 0.02]);
  });
});

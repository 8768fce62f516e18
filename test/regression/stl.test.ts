/** Faults of other STL readers. */
import { describe, expect, it } from 'vitest';
import { parseStl, writeStl } from '../../src/io/mesh/stl.js';
import { CUBE, gridMesh } from './mesh-samples.js';

describe('STL', () => {
  it('U161: a binary file whose header begins with "solid" is read as binary', () => {
    const bytes = writeStl(CUBE);
    bytes.set(new TextEncoder().encode('solid abc'));
    const { value, issues } = parseStl(bytes);
    expect(issues).toEqual([]);
    expect(value!.mesh.triangles.length).toBe(3 * 12);
    expect(value!.mesh.vertices.subarray(0, 3)).toEqual(
      CUBE.vertices.subarray(3 * CUBE.triangles[0], 3 * CUBE.triangles[0] + 3),
    );
  });

  it('U163: a text shorter than a binary header holds no triangles and raises nothing', () => {
    const { value, issues } = parseStl(new TextEncoder().encode('solid s\nendsolid s\n'));
    expect(value!.mesh.triangles.length).toBe(0);
    expect(issues).toMatchObject([{ severity: 'error', code: 'no-triangles', assumes: 'dropped' }]);
  });

  it('U165: what is written is read back equal, at 6,700 triangles and around it', () => {
    for (const count of [6699, 6700, 6701]) {
      const mesh = gridMesh(count);
      const { value, issues } = parseStl(writeStl(mesh));
      expect(issues).toEqual([]);
      expect(value!.mesh.triangles.length).toBe(3 * count);
      for (let i = 0; i < 3 * count; i++) {
        for (let k = 0; k < 3; k++) {
          const written = Math.fround(mesh.vertices[3 * mesh.triangles[i] + k]);
          if (value!.mesh.vertices[3 * i + k] !== written) expect.fail(`corner ${i} of ${count} triangles`);
        }
      }
    }
  });
});

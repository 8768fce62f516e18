/** Mesh files made to exhaust memory or to reach other files. */
import { describe, expect, it } from 'vitest';
import { parseMesh } from '../../src/io/mesh/mesh.js';
import { inspectBinaryStl, parseStl, writeStl } from '../../src/io/mesh/stl.js';
import { cubeGltf, gridMesh } from './mesh-samples.js';

function stlHeader(count: number): Uint8Array {
  const header = new Uint8Array(84);
  new DataView(header.buffer).setUint32(80, count, true);
  return header;
}

describe('hostile mesh files', () => {
  it('U213: a count of four billion in an 84-byte STL is refused before anything is allocated', () => {
    const { value, issues } = parseStl(stlHeader(0xffffffff), { file: 'bomb.stl' });
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code: 'stl-truncated', file: 'bomb.stl' }]);
    expect(issues[0].message).toContain('4294967295 triangles');
    expect(issues[0].message).toContain('84 bytes');
  });

  it('U049: 60 million triangles, all there, are refused as too large with the limit and the need', () => {
    const count = 60_000_000;
    const issue = inspectBinaryStl(stlHeader(count), 84 + 50 * count);
    expect(issue).toMatchObject({ severity: 'error', code: 'too-large' });
    expect(issue!.message).toContain(`${count * (3 * 24 + 12)} bytes`);
    expect(issue!.message).toContain(`limit is ${2 ** 30}`);
    expect(issue!.message).toContain('maximumBytes');
  });

  it('U049: the reader itself holds the limit that the caller sets', async () => {
    const bytes = writeStl(gridMesh(1000));
    const { value, issues } = await parseMesh(bytes, { format: 'stl', maximumBytes: 83_999 });
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ code: 'too-large' }]);
    expect((await parseMesh(bytes, { format: 'stl', maximumBytes: 84_000 })).value).not.toBeNull();
  });

  it('U209: a glTF whose image or buffer climbs out of its folder is refused, the URI named, nothing asked for', async () => {
    const asked: string[] = [];
    const resources = (uri: string) => {
      asked.push(uri);
      return null;
    };
    for (const uri of ['../../../../etc/passwd', '%2e%2e/%2e%2e/etc/passwd', '/etc/passwd', 'file:///etc/passwd']) {
      for (const key of ['images', 'buffers']) {
        const bytes = cubeGltf((json) => {
          json[key] = [{ uri, byteLength: 168 }];
        });
        const { value, issues } = await parseMesh(bytes, { format: 'gltf', resources });
        expect(value).toBeNull();
        expect(issues).toMatchObject([{ severity: 'error', code: 'unsafe-uri' }]);
        expect(issues[0].message).toContain(uri);
      }
    }
    expect(asked).toEqual([]);
  });
});

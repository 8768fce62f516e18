import { describe, expect, it } from 'vitest';
import { meshFormatOf, parseMesh } from './mesh.js';

const encode = (source: string) => new TextEncoder().encode(source);
const OBJ = encode('v 0 0 0\nv 1 0 0\nv 1 2 3\nf 1 2 3\n');
const pointOf = async (options: Parameters<typeof parseMesh>[1]) => {
  const { value } = await parseMesh(OBJ, { file: 'a.obj', ...options });
  return Array.from(value!.mesh.vertices.subarray(6), (x) => x + 0);
};

describe('meshFormatOf', () => {
  it('goes by the extension, in any case, before queries', () => {
    expect(['a.STL', 'x/y.b.Dae', 'package://p/m.obj?v=1', 'a.GLB#x'].map(meshFormatOf)).toEqual([
      'stl',
      'dae',
      'obj',
      'glb',
    ]);
    expect(['a', 'a.png', 'stl', 'a.constructor', ''].map(meshFormatOf)).toEqual([null, null, null, null, null]);
  });
});

describe('parseMesh', () => {
  it('refuses a format it does not know', async () => {
    const { value, issues } = await parseMesh(OBJ, { file: 'a.step' });
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ code: 'unknown-mesh-format', file: 'a.step' }]);
  });

  it('refuses sizes that no query keeps its digits at, and says why', async () => {
    for (const [x, unit] of [
      ['1e120', 'file'],
      ['1e16', 'file'],
      ['3e17', 'decimetre'],
      ['1e-16', 'file'],
    ] as const) {
      const source = `v 0 0 0\nv ${x} 0 0\nv 0 ${x} 0\nf 1 2 3\n`;
      const { value, issues } = await parseMesh(encode(source), { file: 'a.obj', unit: unit as 'file' });
      expect(value, x).toBeNull();
      expect(issues.at(-1), x).toMatchObject({ severity: 'error', code: 'size-out-of-range', assumes: 'dropped' });
    }
    const kept = await parseMesh(encode('v 0 0 0\nv 1e16 0 0\nv 0 1e16 0\nf 1 2 3\n'), {
      file: 'a.obj',
      unit: 'millimetre',
    });
    expect(kept.value).not.toBeNull();
  });

  it('leaves files that declare nothing as they are, and lets the caller declare', async () => {
    expect(await pointOf({})).toEqual([1, 2, 3]);
    expect(await pointOf({ format: 'obj', file: 'noextension' })).toEqual([1, 2, 3]);
    expect(await pointOf({ unit: 'millimetre' })).toEqual([0.001, 0.002, 0.003]);
    expect(await pointOf({ upAxis: 'z' })).toEqual([1, 2, 3]);
    expect(await pointOf({ upAxis: 'y' })).toEqual([1, -3, 2]);
    expect(await pointOf({ upAxis: 'x' })).toEqual([-2, -3, 1]);
  });

  it('throws for a unit or an up axis that does not exist', async () => {
    await expect(parseMesh(OBJ, { file: 'a.obj', unit: 'parsec' as never })).rejects.toThrow(/unit, got "parsec"/);
    await expect(parseMesh(OBJ, { file: 'a.obj', upAxis: 'up' as never })).rejects.toThrow(/upAxis, got "up"/);
  });

  it('keeps the declared unit and axis in the content', async () => {
    const gltf = encode(JSON.stringify({ asset: { version: '2.0' } }));
    const { value } = await parseMesh(gltf, { file: 'a.gltf' });
    expect(value).toMatchObject({ unit: 1, upAxis: 'y' });
  });
});

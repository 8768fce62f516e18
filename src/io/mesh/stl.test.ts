import { describe, expect, it } from 'vitest';
import { reportMesh } from '../../geometry/mesh-report.js';
import { inspectBinaryStl, parseStl, writeStl } from './stl.js';

const text = (source: string) => new TextEncoder().encode(source);
const FACET = `facet normal 0 0 1
  outer loop
    vertex 0 0 0
    vertex 1 0 0
    vertex 0 1.5e-3 0
  endloop
endfacet
`;
const tetrahedron = {
  vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
};

describe('parseStl', () => {
  it('reads what writeStl wrote, three vertices per triangle', () => {
    const { value, issues } = parseStl(writeStl(tetrahedron), { file: 'a.stl' });
    expect(issues).toEqual([]);
    expect(value!.mesh.vertices.length).toBe(36);
    const report = reportMesh(value!.mesh);
    expect(report.watertight).toBe(true);
    expect(report.distinctVertices).toBe(4);
    expect(report.volume).toBeCloseTo(1 / 6, 15);
  });

  it('widens float32 coordinates exactly', () => {
    const mesh = { vertices: Float64Array.of(0.1, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) };
    expect(parseStl(writeStl(mesh)).value!.mesh.vertices[0]).toBe(Math.fround(0.1));
  });

  it('reads text with several solids as parts, whatever the case and the line ends', () => {
    const source = `SOLID first thing\r\n${FACET.toUpperCase()}${FACET}ENDSOLID\r\nsolid\n${FACET}endsolid\nsolid empty\nendsolid`;
    const { value, issues } = parseStl(text(source));
    expect(issues).toEqual([]);
    expect(value!.parts).toEqual([
      { name: 'first thing', firstTriangle: 0, triangleCount: 2 },
      { name: '', firstTriangle: 2, triangleCount: 1 },
    ]);
    expect(Array.from(value!.mesh.vertices.slice(0, 9))).toEqual([0, 0, 0, 1, 0, 0, 0, 0.0015, 0]);
  });

  it('reads a whole solid in one line and normals that are no numbers', () => {
    const line = `solid x\n${FACET.replace('0 0 1', 'nan -nan 1').replaceAll('\n', ' ')}endsolid x`;
    expect(parseStl(text(line)).value!.mesh.triangles.length).toBe(3);
  });

  it('ignores bytes after the last triangle, with a warning', () => {
    const bytes = writeStl(tetrahedron);
    const longer = new Uint8Array(bytes.length + 7);
    longer.set(bytes);
    const { value, issues } = parseStl(longer);
    expect(value!.mesh.triangles.length).toBe(12);
    expect(issues.map(({ code }) => code)).toEqual(['surplus-bytes']);
  });

  it.each([
    ['', 'empty-file'],
    ['solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop', 'stl-facet'],
    ['solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0', 'stl-truncated'],
    ['solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0', 'bad-number'],
    ['solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e999', 'bad-number'],
    ['solid x\nfacet normal 0 0 1\nouter loop\nvertex 0,5 0 0', 'bad-number'],
    ['solid x\n<html>', 'stl-syntax'],
    ['<html>not found</html>', 'stl-truncated'],
  ])('refuses %j with one error', (source, code) => {
    const { value, issues } = parseStl(text(source), { file: 'bad.stl' });
    expect(value).toBeNull();
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ severity: 'error', code, file: 'bad.stl' });
  });

  it('names the line of a bad number', () => {
    const source = `solid x\n${FACET}${FACET.replace('1 0 0', '1 zero 0')}endsolid`;
    expect(parseStl(text(source)).issues[0]).toMatchObject({ code: 'bad-number', line: 12 });
    expect(parseStl(text(source)).issues[0].message).toContain('"zero"');
  });

  it('refuses binary coordinates that are not finite', () => {
    const bytes = writeStl(tetrahedron);
    new DataView(bytes.buffer).setFloat32(84 + 12, Number.NaN, true);
    expect(parseStl(bytes).issues[0].code).toBe('bad-number');
  });
});

describe('inspectBinaryStl', () => {
  it('lets a sound header pass', () => {
    const bytes = writeStl(tetrahedron);
    expect(inspectBinaryStl(bytes.subarray(0, 84), bytes.length)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { parsePly, writePly } from './ply.js';

const encode = (source: string) => new TextEncoder().encode(source);

/** Binary PLY of a header and scalars, each [type, value]. */
function binary(header: string, littleEndian: boolean, scalars: readonly (readonly [string, number])[]): Uint8Array {
  const head = encode(header);
  const body = new DataView(new ArrayBuffer(8 * scalars.length));
  let at = 0;
  for (const [type, value] of scalars) {
    if (type === 'u8') body.setUint8(at, value);
    else if (type === 'i16') body.setInt16(at, value, littleEndian);
    else if (type === 'i32') body.setInt32(at, value, littleEndian);
    else if (type === 'f32') body.setFloat32(at, value, littleEndian);
    else body.setFloat64(at, value, littleEndian);
    at += { u8: 1, i16: 2, i32: 4, f32: 4, f64: 8 }[type]!;
  }
  const bytes = new Uint8Array(head.length + at);
  bytes.set(head);
  bytes.set(new Uint8Array(body.buffer, 0, at), head.length);
  return bytes;
}

const POINTS = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
const TEXT = `ply
format ascii 1.0
comment made by hand
element vertex 4
property double z
property float x
property float y
property uchar red
element face 2
property uchar flags
property list uchar int vertex_indices
end_header
0 0 0 9
0 1 0 9
0 1 1 9
0 0 1 9
7 3 0 1 2
7 4 0 1 2 3
`;

describe('parsePly', () => {
  it('reads text with properties in any order', () => {
    const { value, issues } = parsePly(encode(TEXT));
    expect(issues).toEqual([]);
    expect(Array.from(value!.mesh.vertices)).toEqual(POINTS);
    expect(value!.mesh.triangles.length).toBe(9);
  });

  it.each([true, false])('reads binary of both byte orders (little: %s)', (littleEndian) => {
    const name = littleEndian ? 'binary_little_endian' : 'binary_big_endian';
    const header =
      `ply\r\nformat ${name} 1.0\r\nelement material 1\r\nproperty list ushort short tags\r\nelement vertex 4\r\n` +
      'property double x\r\nproperty float32 y\r\nproperty short z\r\nproperty uchar red\r\n' +
      'element face 1\r\nproperty list int16 uint8 vertex_index\r\nproperty list uint8 float uv\r\nend_header\r\n';
    const scalars: [string, number][] = [
      ['i16', 2],
      ['i16', -1],
      ['i16', -2],
    ];
    for (let i = 0; i < 12; i += 3) {
      scalars.push(['f64', POINTS[i]], ['f32', POINTS[i + 1]], ['i16', POINTS[i + 2]], ['u8', 255]);
    }
    scalars.push(['i16', 4], ['u8', 0], ['u8', 1], ['u8', 2], ['u8', 3], ['u8', 1], ['f32', 0.5]);
    const { value, issues } = parsePly(binary(header, littleEndian, scalars));
    expect(issues).toEqual([]);
    expect(Array.from(value!.mesh.vertices)).toEqual(POINTS);
    expect(Array.from(value!.mesh.triangles)).toEqual([0, 1, 2, 0, 2, 3]);
  });

  it('turns every other triangle of a strip and starts again at -1', () => {
    const source = TEXT.replace(
      /element face[\s\S]*end_header/,
      'element tristrips 1\nproperty list int int vertex_indices\nend_header',
    ).replace(/7 3 0 1 2\n.*\n/, '9 0 1 3 2 -1 3 2 1 1\n');
    const { value } = parsePly(encode(source));
    expect(Array.from(value!.mesh.triangles)).toEqual([0, 1, 3, 3, 1, 2, 3, 2, 1]);
  });

  it('takes a line for an entry: what is beyond the header is skipped with a warning', () => {
    const { value, issues } = parsePly(encode(TEXT.replace('7 3 0 1 2\n', '7 3 0 1 2 9 9 9\n')));
    expect(value!.mesh.triangles.length).toBe(9);
    expect(issues).toMatchObject([{ severity: 'warning', code: 'surplus-values', line: 17 }]);
  });

  it('reads what writePly wrote, bit for bit', () => {
    const mesh = {
      vertices: Float64Array.of(0.1, 1 / 3, -1e-300, 1, 0, 0, 0, 1e300, 0),
      triangles: Uint32Array.of(0, 1, 2),
    };
    const { value } = parsePly(writePly(mesh));
    expect(value!.mesh.vertices).toEqual(mesh.vertices);
    expect(value!.mesh.triangles).toEqual(mesh.triangles);
  });

  it.each([
    ['plx\n', 'ply-header'],
    ['ply\nformat ascii 1.0\n', 'ply-header'],
    [TEXT.replace('ascii', 'binary'), 'ply-header'],
    [TEXT.replace('vertex 4', 'vertex four'), 'ply-header'],
    [TEXT.replace('property float x', 'property half x'), 'ply-header'],
    [TEXT.replace('property float x', 'property float u'), 'ply-header'],
    [TEXT.replace('list uchar int', 'list float int'), 'ply-header'],
    [TEXT.replace('vertex 4', 'vertex 4000000000'), 'ply-truncated'],
    [TEXT.replace('face 2', 'face 12'), 'ply-truncated'],
    [TEXT.replace('face 2', 'face 3'), 'ply-truncated'],
    [TEXT.replace('3 0 1 2', '3 0 1 4'), 'bad-vertex-index'],
    [TEXT.replace('3 0 1 2', '3 0 1 1.5'), 'bad-vertex-index'],
    [TEXT.replace('3 0 1 2', '3 0 1 -1'), 'bad-vertex-index'],
    [TEXT.replace('3 0 1 2', '3 0 1 x'), 'bad-number'],
    [TEXT.replace('4 0 1 2 3', '400000 0 1 2 3'), 'ply-truncated'],
  ])('refuses a broken file (%#)', (source, code) => {
    const { value, issues } = parsePly(encode(source), { file: 'a.ply' });
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code, file: 'a.ply' }]);
  });
});

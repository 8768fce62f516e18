/** Damaged files of every format: never an exception, never a mesh that points nowhere, never memory beyond the cap. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Parsed } from '../issue.js';
import { parseMesh } from './mesh.js';
import type { MeshFileContent, MeshFormat } from './mesh-content.js';
import { writeStl } from './stl.js';

const encode = (source: string) => new TextEncoder().encode(source);
const LIMIT = 100_000;
const mesh = {
  vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
};

function binaryPly(): Uint8Array {
  const head = encode(
    'ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n' +
      'element face 1\nproperty list uchar int vertex_indices\nelement tristrips 1\nproperty list int int vertex_indices\n' +
      'end_header\n',
  );
  const body = new DataView(new ArrayBuffer(36 + 13 + 4 + 16));
  body.setFloat32(12, 1, true);
  body.setFloat32(28, 1, true);
  body.setUint8(36, 3);
  [0, 1, 2].forEach((v, i) => {
    body.setInt32(37 + 4 * i, v, true);
  });
  [4, 0, 1, 2, 0].forEach((v, i) => {
    body.setInt32(49 + 4 * i, v, true);
  });
  const bytes = new Uint8Array(head.length + body.byteLength);
  bytes.set(head);
  bytes.set(new Uint8Array(body.buffer), head.length);
  return bytes;
}

const DAE =
  '<COLLADA version="1.4.1"><asset><unit meter="0.1"/><up_axis>Y_UP</up_axis></asset><library_geometries>' +
  '<geometry id="g"><mesh><source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array>' +
  '<technique_common><accessor source="#a" count="3" stride="3"/></technique_common></source><vertices id="v">' +
  '<input semantic="POSITION" source="#p"/></vertices><polylist count="1"><input semantic="VERTEX" source="#v" ' +
  'offset="0"/><vcount>3</vcount><p>0 1 2</p></polylist></mesh></geometry></library_geometries>' +
  '<library_visual_scenes><visual_scene id="s"><node id="n"><rotate>0 0 1 30</rotate><instance_geometry url="#g"/>' +
  '</node><node><instance_node url="#n"/></node></visual_scene></library_visual_scenes><scene>' +
  '<instance_visual_scene url="#s"/></scene></COLLADA>';

function glb(): Uint8Array {
  const json = JSON.stringify({
    asset: { version: '2.0' },
    nodes: [
      { mesh: 0, children: [1], scale: [1, 2, 3] },
      { mesh: 0, rotation: [0, 0, 0, 1] },
    ],
    scenes: [{ nodes: [0] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, mode: 5 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' },
      { bufferView: 1, componentType: 5121, count: 3, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 36 },
      { buffer: 0, byteOffset: 36, byteLength: 3 },
    ],
    buffers: [{ byteLength: 39 }],
  });
  const text = encode(json.padEnd(Math.ceil(json.length / 4) * 4));
  const bytes = new Uint8Array(28 + text.length + 40);
  const view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, text.length, 0x4e4f534a].forEach((x, i) => {
    view.setUint32(4 * i, x, true);
  });
  bytes.set(text, 20);
  view.setUint32(20 + text.length, 40, true);
  view.setUint32(24 + text.length, 0x004e4942, true);
  view.setFloat32(28 + text.length + 12, 1, true);
  view.setFloat32(28 + text.length + 28, 1, true);
  bytes.set([0, 1, 2], 28 + text.length + 36);
  return bytes;
}

const SAMPLES: readonly (readonly [string, MeshFormat, Uint8Array])[] = [
  ['binary STL', 'stl', writeStl(mesh)],
  [
    'text STL',
    'stl',
    encode(
      'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid',
    ),
  ],
  ['OBJ', 'obj', encode('# c\nv 0 0 0\nv 1 0 0\nv 1 1 \\\n0\nv 0 1 0\ng a\nf 1/2/3 -3//1 3 4\nl 1 2\nf 1 2 3\n')],
  ['binary PLY', 'ply', binaryPly()],
  [
    'text PLY',
    'ply',
    encode(
      'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n' +
        'property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n',
    ),
  ],
  ['OFF', 'off', encode('OFF\n4 2 0\n0 0 0\n1 0 0 # c\n1 1 0\n0 1 0\n3 0 1 2 9 9\n4 0 1 2 3 9 9\n')],
  ['tris', 'tris', encode('1\n0 0 0\n1 0 0\n0 1 0\n')],
  ['COLLADA', 'dae', encode(DAE)],
  ['GLB', 'glb', glb()],
];

function checkSound({ value, issues }: Parsed<MeshFileContent>): void {
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (!value) {
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0].message.length).toBeGreaterThan(10);
    return;
  }
  // What is left out of a mesh that is read is said to be.
  expect(errors.every(({ assumes }) => assumes === 'dropped')).toBe(true);
  const { vertices, triangles } = value.mesh;
  expect(vertices.length % 3).toBe(0);
  expect(triangles.length % 3).toBe(0);
  expect(vertices.byteLength + triangles.byteLength).toBeLessThanOrEqual(LIMIT);
  expect(vertices.every(Number.isFinite)).toBe(true);
  expect(triangles.every((vertex) => vertex < vertices.length / 3)).toBe(true);
  expect(value.parts.reduce((sum, part) => sum + part.triangleCount, 0)).toBe(triangles.length / 3);
}

describe.each(SAMPLES)('damaged %s', (_, format, sample) => {
  const read = async (bytes: Uint8Array) => checkSound(await parseMesh(bytes, { format, maximumBytes: LIMIT }));

  it('is whole before it is damaged', async () => {
    const { value, issues } = await parseMesh(sample, { format, maximumBytes: LIMIT });
    expect(issues).toEqual([]);
    expect(value!.mesh.triangles.length).toBeGreaterThan(0);
  });

  it('survives being cut off anywhere', async () => {
    for (let length = 0; length < sample.length; length++) await read(sample.subarray(0, length));
  });

  it('survives changed, inserted and deleted bytes', async () => {
    const change = fc.record({
      at: fc.nat(sample.length - 1),
      byte: fc.oneof(
        fc.nat(255),
        fc.constantFrom(...'0123456789-.eE#/\\ \n\r"<>,[]{}'.split('').map((c) => c.charCodeAt(0))),
      ),
      kind: fc.constantFrom('change', 'insert', 'delete'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const bytes = Array.from(sample);
        for (const { at, byte, kind } of changes) {
          if (kind === 'change') bytes[at] = byte;
          else if (kind === 'insert') bytes.splice(at, 0, byte);
          else bytes.splice(at, 1);
        }
        await read(Uint8Array.from(bytes));
      }),
      { numRuns: 400 },
    );
  });

  it('survives random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (noise, behindStart) => {
        const start = behindStart ? sample.subarray(0, 16) : new Uint8Array(0);
        await read(Uint8Array.from([...start, ...noise]));
      }),
      { numRuns: 200 },
    );
  });
});

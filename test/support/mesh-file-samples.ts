/** One small mesh in every file format, as their writers lay it out: a box with a square lid of two triangles beside it. */
import type { MeshFormat } from '../../src/io/mesh/mesh-content.js';

export interface MeshFileSample {
  readonly name: string;
  readonly format: MeshFormat;
  readonly isText: boolean;
  readonly bytes: Uint8Array;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const lines = (...parts: readonly (string | readonly string[])[]): Uint8Array => encode(`${parts.flat().join('\n')}\n`);

/** Twelve corners: of the box, and of a sheet above it. */
const POINTS: readonly (readonly number[])[] = [
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? 1.25 : -1.5, i & 2 ? 0.75 : -0.5, i & 4 ? 2.125 : 0.25]),
  ...[0, 1, 2, 3].map((i) => [i & 1 ? 3.5 : 2.25, i & 2 ? 1.5 : -1.75, 4 + 0.5 * i]),
];
const BOX_QUADS = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];
const SHEET = [
  [8, 9, 11],
  [8, 11, 10],
];
const BOX = BOX_QUADS.flatMap(([a, b, c, d]) => [
  [a, b, c],
  [a, c, d],
]);
const TRIANGLES = [...BOX, ...SHEET];

const facet = (corners: readonly number[]): string[] => [
  'facet normal 0 0 1',
  'outer loop',
  ...corners.map((v) => `vertex ${POINTS[v].join(' ')}`),
  'endloop',
  'endfacet',
];

function stl(): Uint8Array {
  const bytes = new Uint8Array(84 + 50 * TRIANGLES.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, TRIANGLES.length, true);
  for (const [t, corners] of TRIANGLES.entries()) {
    const numbers = corners.flatMap((v) => POINTS[v]);
    for (const [k, x] of numbers.entries()) view.setFloat32(84 + 50 * t + 12 + 4 * k, x, true);
  }
  return bytes;
}

const PLY_BODY = {
  faces: [...BOX_QUADS, SHEET[0]],
  strip: [8, 11, 10],
};
const plyHeader = (format: string): string[] => [
  'ply',
  `format ${format} 1.0`,
  'comment a box and a sheet',
  `element vertex ${POINTS.length}`,
  'property float x',
  'property float y',
  'property float z',
  'property uchar quality',
  `element face ${PLY_BODY.faces.length}`,
  'property list uchar int vertex_indices',
  'element tristrips 1',
  'property list int int vertex_indices',
  'end_header',
];

function plyText(): Uint8Array {
  return lines(
    plyHeader('ascii'),
    POINTS.map((point) => [...point, 7].join(' ')),
    PLY_BODY.faces.map((corners) => [corners.length, ...corners].join(' ')),
    [PLY_BODY.strip.length, ...PLY_BODY.strip].join(' '),
  );
}

function plyBinary(format: 'binary_little_endian' | 'binary_big_endian'): Uint8Array {
  const little = format === 'binary_little_endian';
  const body: number[] = [];
  const push = (size: number, write: (view: DataView) => void): void => {
    const view = new DataView(new ArrayBuffer(size));
    write(view);
    body.push(...new Uint8Array(view.buffer));
  };
  const int = (x: number): void => push(4, (view) => view.setInt32(0, x, little));
  for (const point of POINTS) {
    for (const x of point) push(4, (view) => view.setFloat32(0, x, little));
    body.push(7);
  }
  for (const corners of PLY_BODY.faces) {
    body.push(corners.length);
    for (const v of corners) int(v);
  }
  for (const x of [PLY_BODY.strip.length, ...PLY_BODY.strip]) int(x);
  return Uint8Array.from([...lines(plyHeader(format)), ...body]);
}

const geometry = (id: string, first: number, count: number, primitive: readonly string[]): string[] => [
  `<geometry id="${id}"><mesh>`,
  `<source id="${id}-points">`,
  `<float_array id="${id}-array" count="${3 * count}">`,
  ...POINTS.slice(first, first + count).map((point) => point.join(' ')),
  '</float_array>',
  '<technique_common>',
  `<accessor source="#${id}-array" count="${count}" stride="3">`,
  '<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>',
  '</accessor>',
  '</technique_common>',
  '</source>',
  `<vertices id="${id}-vertices">`,
  `<input semantic="POSITION" source="#${id}-points"/>`,
  '</vertices>',
  ...primitive,
  '</mesh></geometry>',
];

function collada(): Uint8Array {
  return lines(
    '<?xml version="1.0" encoding="utf-8"?>',
    '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">',
    '<asset>',
    '<unit name="centimeter" meter="0.01"/>',
    '<up_axis>Y_UP</up_axis>',
    '</asset>',
    '<library_geometries>',
    geometry('box', 0, 8, [
      '<polylist count="6">',
      '<input semantic="VERTEX" source="#box-vertices" offset="0"/>',
      '<vcount>4 4 4 4 4 4</vcount>',
      '<p>',
      ...BOX_QUADS.map((corners) => corners.join(' ')),
      '</p>',
      '</polylist>',
    ]),
    geometry('sheet', 8, 4, [
      '<triangles count="2">',
      '<input semantic="VERTEX" source="#sheet-vertices" offset="0"/>',
      '<p>',
      ...SHEET.map((corners) => corners.map((v) => v - 8).join(' ')),
      '</p>',
      '</triangles>',
    ]),
    '</library_geometries>',
    '<library_visual_scenes>',
    '<visual_scene id="scene">',
    '<node id="a">',
    '<translate>1 2 3</translate>',
    '<rotate>0 0 1 30</rotate>',
    '<instance_geometry url="#box"/>',
    '<node id="b">',
    '<matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix>',
    '<instance_geometry url="#sheet"/>',
    '</node>',
    '</node>',
    '<node>',
    '<scale>2 2 2</scale>',
    '<instance_node url="#b"/>',
    '</node>',
    '</visual_scene>',
    '</library_visual_scenes>',
    '<scene>',
    '<instance_visual_scene url="#scene"/>',
    '</scene>',
    '</COLLADA>',
  );
}

function gltfParts(): { json: Record<string, unknown>; body: Uint8Array } {
  const positions = Float32Array.from(POINTS.flat());
  const box = Uint16Array.from(BOX.flat());
  const sheet = Uint16Array.from(SHEET.flat());
  const arrays = [positions, box, sheet].map(({ buffer }) => new Uint8Array(buffer as ArrayBuffer));
  const bufferViews: unknown[] = [];
  let at = 0;
  for (const { length } of arrays) {
    bufferViews.push({ buffer: 0, byteOffset: at, byteLength: length });
    at += length;
  }
  const body = new Uint8Array(at);
  at = 0;
  for (const array of arrays) {
    body.set(array, at);
    at += array.length;
  }
  const accessor = (bufferView: number, componentType: number, count: number, type: string): unknown => ({
    bufferView,
    componentType,
    count,
    type,
  });
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, 2] }],
    nodes: [
      { mesh: 0, children: [1], translation: [1, 2, 3] },
      { mesh: 1, rotation: [0, 0, 0.5, 0.5], scale: [1, 2, 1] },
      { mesh: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 9, 0, 0, 1] },
    ],
    meshes: [
      { primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] },
      { primitives: [{ attributes: { POSITION: 0 }, indices: 2, mode: 4 }] },
    ],
    accessors: [
      accessor(0, 5126, POINTS.length, 'VEC3'),
      accessor(1, 5123, box.length, 'SCALAR'),
      accessor(2, 5123, sheet.length, 'SCALAR'),
    ],
    bufferViews,
  };
  return { json, body };
}

function gltf(): Uint8Array {
  const { json, body } = gltfParts();
  const uri = `data:application/octet-stream;base64,${btoa(String.fromCharCode(...body))}`;
  const buffers = [{ byteLength: body.length, uri }];
  return encode(`${JSON.stringify({ ...json, buffers }, null, 1)}\n`);
}

function glb(): Uint8Array {
  const { json, body } = gltfParts();
  const text = JSON.stringify({ ...json, buffers: [{ byteLength: body.length }] });
  const document = encode(text.padEnd(4 * Math.ceil(text.length / 4)));
  const bytes = new Uint8Array(28 + document.length + body.length);
  const view = new DataView(bytes.buffer);
  for (const [i, x] of [0x46546c67, 2, bytes.length, document.length, 0x4e4f534a].entries())
    view.setUint32(4 * i, x, true);
  bytes.set(document, 20);
  view.setUint32(20 + document.length, body.length, true);
  view.setUint32(24 + document.length, 0x004e4942, true);
  bytes.set(body, 28 + document.length);
  return bytes;
}

export const MESH_FILE_SAMPLES: readonly MeshFileSample[] = [
  { name: 'binary STL', format: 'stl', isText: false, bytes: stl() },
  {
    name: 'text STL',
    format: 'stl',
    isText: true,
    bytes: lines(
      'solid box',
      BOX.flatMap(facet),
      'endsolid box',
      'solid sheet',
      SHEET.flatMap(facet),
      'endsolid sheet',
    ),
  },
  {
    name: 'OBJ',
    format: 'obj',
    isText: true,
    bytes: lines(
      '# a box and a sheet',
      'mtllib box.mtl',
      'o box',
      POINTS.slice(0, 8).map((point) => `v ${point.join(' ')}`),
      'vn 0 0 1',
      'usemtl grey',
      's off',
      BOX_QUADS.map((corners) => `f ${corners.map((v) => `${v + 1}//1`).join(' ')}`),
      'o sheet',
      POINTS.slice(8).map((point) => `v ${point.join(' ')}`),
      SHEET.map((corners) => `f ${corners.map((v) => v - 12).join(' ')}`),
    ),
  },
  { name: 'text PLY', format: 'ply', isText: true, bytes: plyText() },
  { name: 'little-endian PLY', format: 'ply', isText: false, bytes: plyBinary('binary_little_endian') },
  { name: 'big-endian PLY', format: 'ply', isText: false, bytes: plyBinary('binary_big_endian') },
  {
    name: 'OFF',
    format: 'off',
    isText: true,
    bytes: lines(
      'OFF',
      `${POINTS.length} ${BOX_QUADS.length + SHEET.length} 0`,
      '# a box and a sheet',
      POINTS.map((point) => point.join(' ')),
      [...BOX_QUADS, ...SHEET].map((corners) => [corners.length, ...corners, 200, 30, 30].join(' ')),
    ),
  },
  {
    name: 'triangle text',
    format: 'tris',
    isText: true,
    bytes: lines(
      String(TRIANGLES.length),
      TRIANGLES.flatMap((corners) => corners.map((v) => POINTS[v].join(' '))),
    ),
  },
  { name: 'COLLADA', format: 'dae', isText: true, bytes: collada() },
  { name: 'glTF', format: 'gltf', isText: true, bytes: gltf() },
  { name: 'GLB', format: 'glb', isText: false, bytes: glb() },
];

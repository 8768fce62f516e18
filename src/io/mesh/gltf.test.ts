import { describe, expect, it } from 'vitest';
import { parseGltf } from './gltf.js';
import { pathInsideFolder } from './gltf-structure.js';
import { parseMesh } from './mesh.js';
import { writeGlb } from './write-glb.js';

const encode = (json: unknown) => new TextEncoder().encode(JSON.stringify(json));
const POSITIONS = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];

/** Four positions as float32, then the indices 0 1 2 0 2 3 as uint16. */
function squareBuffer(): Uint8Array {
  const bytes = new Uint8Array(48 + 12);
  const view = new DataView(bytes.buffer);
  POSITIONS.forEach((x, i) => {
    view.setFloat32(4 * i, x, true);
  });
  [0, 1, 2, 0, 2, 3].forEach((x, i) => {
    view.setUint16(48 + 2 * i, x, true);
  });
  return bytes;
}
const dataUri = (bytes: Uint8Array) => `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}`;

// biome-ignore lint/suspicious/noExplicitAny: documents are changed freely by the tests
function square(change: (json: any) => void = () => {}): any {
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, name: 'n' }],
    meshes: [{ name: 'm', primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' },
      { bufferView: 1, componentType: 5123, count: 6, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 12 },
    ],
    buffers: [{ byteLength: 60, uri: dataUri(squareBuffer()) }],
  };
  change(json);
  return json;
}

function glb(json: unknown, binary: Uint8Array): Uint8Array {
  const text = encode(json);
  const padded = Math.ceil(text.length / 4) * 4;
  const bytes = new Uint8Array(12 + 8 + padded + 8 + binary.length).fill(0x20);
  const view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, padded, 0x4e4f534a].forEach((x, i) => {
    view.setUint32(4 * i, x, true);
  });
  bytes.set(text, 20);
  view.setUint32(20 + padded, binary.length, true);
  view.setUint32(24 + padded, 0x004e4942, true);
  bytes.set(binary, 28 + padded);
  return bytes;
}

const read = (json: unknown, options = {}) => parseGltf(encode(json), { file: 'a.gltf', ...options });

describe('parseGltf', () => {
  it('reads an embedded buffer', async () => {
    const { value, issues } = await read(square());
    expect(issues).toEqual([]);
    expect(Array.from(value!.mesh.vertices)).toEqual(POSITIONS);
    expect(Array.from(value!.mesh.triangles)).toEqual([0, 1, 2, 0, 2, 3]);
    expect(value).toMatchObject({ format: 'gltf', unit: 1, upAxis: 'y' });
    expect(value!.parts).toEqual([{ name: 'n', firstTriangle: 0, triangleCount: 2 }]);
  });

  it('reads a GLB at any alignment', async () => {
    const bytes = glb(
      square((json) => {
        json.buffers = [{ byteLength: 60 }];
      }),
      squareBuffer(),
    );
    for (const shift of [0, 1, 3]) {
      const shifted = new Uint8Array(bytes.length + shift);
      shifted.set(bytes, shift);
      const { value, issues } = await parseGltf(shifted.subarray(shift));
      expect(issues).toEqual([]);
      expect(value!.format).toBe('glb');
      expect(Array.from(value!.mesh.vertices)).toEqual(POSITIONS);
    }
  });

  it('asks for external buffers by their decoded path', async () => {
    const asked: string[] = [];
    const json = square((j) => {
      j.buffers[0].uri = 'my%20data/../mesh.bin';
    });
    const { value } = await read(json, {
      resources: (path: string) => {
        asked.push(path);
        return squareBuffer();
      },
    });
    expect(asked).toEqual(['my data/../mesh.bin']);
    expect(value!.mesh.triangles.length).toBe(6);
  });

  it('applies node transforms down the tree, matrices by columns', async () => {
    const json = square((j) => {
      j.nodes = [
        { children: [1], matrix: [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1] },
        { mesh: 0, translation: [1, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], scale: [2, 3, 4] },
      ];
    });
    const { value } = await read(json);
    // (1, 1, 0) -> scale (2, 3, 0) -> turn (-3, 2, 0) -> shift (-2, 2, 0) -> turn (-2, -2, 0) -> shift (8, -2, 0)
    const [x, y, z] = value!.mesh.vertices.subarray(6, 9);
    expect(x).toBeCloseTo(8, 14);
    expect(y).toBeCloseTo(-2, 14);
    expect(z).toBe(0);
  });

  it('keeps the outside outside under a mirror and places every instance', async () => {
    const json = square((j) => {
      j.scenes[0].nodes = [0, 1];
      j.nodes.push({ mesh: 0, scale: [-1, 1, 1] });
    });
    const { value } = await read(json);
    expect(Array.from(value!.mesh.triangles)).toEqual([0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6]);
    expect(value!.parts.map(({ name }) => name)).toEqual(['n', 'm']);
  });

  it('reads strips, fans and lists without indices; leaves points and lines out', async () => {
    const withMode = async (mode: number) => {
      const json = square((j) => {
        j.meshes[0].primitives = [{ attributes: { POSITION: 0 }, mode }];
      });
      return Array.from((await read(json)).value!.mesh.triangles);
    };
    expect(await withMode(4)).toEqual([0, 1, 2]);
    expect(await withMode(5)).toEqual([0, 1, 2, 2, 1, 3]);
    expect(await withMode(6)).toEqual([0, 1, 2, 0, 2, 3]);
    expect(await withMode(0)).toEqual([]);
    expect(await withMode(1)).toEqual([]);
  });

  it('says what it leaves out', async () => {
    const codes = async (change: Parameters<typeof square>[0]) =>
      (await read(square(change))).issues.map(({ severity, code }) => `${severity} ${code}`);
    expect(await codes((j) => (j.meshes[0].primitives[0].mode = 1))).toEqual([
      'warning gltf-primitive',
      'error no-triangles',
    ]);
    expect(await codes((j) => j.meshes.push({ primitives: [] }))).toEqual(['warning gltf-unused-mesh']);
    expect(await codes((j) => (j.nodes[0].tranlation = [1, 0, 0]))).toEqual(['warning gltf-unknown-key']);
    expect(await codes((j) => (j.meshes[0].primitives = [{ attributes: { POSITION: 0 }, mode: 4 }]))).toEqual([
      'error gltf-indices',
    ]);
  });

  it('reads sparse and quantised positions', async () => {
    const bytes = new Uint8Array(68);
    bytes.set(squareBuffer());
    // vertex 2 becomes (32767, 0, -32767) as normalised int16
    new DataView(bytes.buffer).setInt16(60, 32767, true);
    new DataView(bytes.buffer).setInt16(64, -32767, true);
    bytes[66] = 2;
    const json = square((j) => {
      j.extensionsRequired = ['KHR_mesh_quantization'];
      j.buffers[0] = { byteLength: 68, uri: dataUri(bytes) };
      j.bufferViews.push({ buffer: 0, byteOffset: 60, byteLength: 6 }, { buffer: 0, byteOffset: 66, byteLength: 1 });
      j.accessors[0] = {
        componentType: 5122,
        normalized: true,
        count: 4,
        type: 'VEC3',
        sparse: { count: 1, indices: { bufferView: 3, componentType: 5121 }, values: { bufferView: 2 } },
      };
    });
    const { value, issues } = await read(json);
    expect(issues).toEqual([]);
    expect(Array.from(value!.mesh.vertices)).toEqual([0, 0, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0]);
  });

  it('reads interleaved positions', async () => {
    const bytes = new Uint8Array(4 * 16);
    const view = new DataView(bytes.buffer);
    POSITIONS.forEach((x, i) => {
      view.setFloat32(16 * Math.floor(i / 3) + 4 + 4 * (i % 3), x, true);
    });
    const json = square((j) => {
      j.buffers = [{ byteLength: 64, uri: dataUri(bytes) }];
      j.bufferViews = [{ buffer: 0, byteLength: 64, byteStride: 16 }];
      j.accessors = [{ bufferView: 0, byteOffset: 4, componentType: 5126, count: 4, type: 'VEC3' }];
      j.meshes[0].primitives = [{ attributes: { POSITION: 0 }, mode: 6 }];
    });
    expect(Array.from((await read(json)).value!.mesh.vertices)).toEqual(POSITIONS);
  });

  it('is not disturbed by broken parts that shape no mesh', async () => {
    const json = square((j) => {
      j.accessors.push({ bufferView: 99, componentType: 1, count: 1e9, type: 'MAT4' });
      j.bufferViews.push({ buffer: 7, byteLength: 1e12 });
      j.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 99 } } }];
      j.animations = [{ channels: [{ sampler: 3, target: {} }] }];
      j.images = [{ uri: 'wood.png' }, { uri: 'https://example.org/a.png' }];
      j.meshes[0].primitives[0].material = 44;
      j.extensionsUsed = ['VENDOR_anything'];
    });
    const { value, issues } = await read(json);
    expect(issues).toEqual([]);
    expect(value!.mesh.triangles.length).toBe(6);
  });

  // biome-ignore lint/suspicious/noExplicitAny: documents are changed freely by the tests
  it.each<[string, (j: any) => void, string]>([
    ['glTF 1.0', (j) => (j.asset.version = '1.0'), 'gltf-version'],
    ['a required compression', (j) => (j.extensionsRequired = ['KHR_draco_mesh_compression']), 'gltf-extension'],
    ['meshes that are no array', (j) => (j.meshes = 5), 'gltf-malformed'],
    ['a count that is no number', (j) => (j.accessors[0].count = 'many'), 'gltf-malformed'],
    ['an accessor beyond its view', (j) => (j.accessors[0].count = 5), 'gltf-accessor'],
    ['an accessor of a billion', (j) => (j.accessors[1].count = 1e9), 'gltf-accessor'],
    ['a view beyond its buffer', (j) => (j.bufferViews[0].byteLength = 4800), 'gltf-accessor'],
    ['a view of no buffer', (j) => (j.bufferViews[0].buffer = 3), 'gltf-accessor'],
    ['a stride below the element', (j) => (j.bufferViews[0].byteStride = 8), 'gltf-accessor'],
    ['positions that are no VEC3', (j) => (j.accessors[0].type = 'SCALAR'), 'gltf-accessor'],
    ['an unknown component type', (j) => (j.accessors[1].componentType = 5124), 'gltf-accessor'],
    ['a missing accessor', (j) => (j.meshes[0].primitives[0].indices = 9), 'gltf-accessor'],
    ['a missing mesh', (j) => (j.nodes[0].mesh = 9), 'gltf-nodes'],
    ['a missing node', (j) => (j.scenes[0].nodes = [9]), 'gltf-nodes'],
    ['a missing scene', (j) => (j.scene = 9), 'gltf-nodes'],
    ['a node below itself', (j) => (j.nodes[0].children = [0]), 'gltf-nodes'],
    ['a rotation of zero', (j) => (j.nodes[0].rotation = [0, 0, 0, 0]), 'gltf-nodes'],
    [
      'a projective matrix',
      (j) => (j.nodes[0].matrix = [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
      'gltf-nodes',
    ],
    ['a short buffer', (j) => (j.buffers[0].byteLength = 61), 'gltf-buffer'],
    ['a data URI that is no base64', (j) => (j.buffers[0].uri = 'data:;base64,%%%'), 'gltf-buffer'],
    ['a buffer file nobody has', (j) => (j.buffers[0].uri = 'mesh.bin'), 'gltf-buffer'],
    ['a buffer on the network', (j) => (j.buffers[0].uri = 'https://example.org/mesh.bin'), 'unsafe-uri'],
    [
      'zero-filled positions without end',
      (j) => (j.accessors[0] = { componentType: 5126, count: 3e7, type: 'VEC3' }),
      'gltf-accessor',
    ],
  ])('refuses %s', async (_, change, code) => {
    const { value, issues } = await read(square(change));
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', code, file: 'a.gltf' }]);
  });

  it('refuses indices that point nowhere and positions that are no numbers', async () => {
    const index = squareBuffer();
    index[48] = 4;
    const position = squareBuffer();
    new DataView(position.buffer).setFloat32(0, Number.NaN, true);
    const codes: string[] = [];
    for (const bytes of [index, position]) {
      const json = square((j) => {
        j.buffers[0].uri = dataUri(bytes);
      });
      codes.push((await read(json)).issues[0].code);
    }
    expect(codes).toEqual(['bad-vertex-index', 'bad-number']);
  });

  it('refuses a document of millions of empty values before it is decoded', async () => {
    const text = `{"asset":{"version":"2.0"},"nodes":[${'{},'.repeat(3_000_000)}{}]}`;
    expect((await parseGltf(new TextEncoder().encode(text))).issues[0].code).toBe('too-large');
  });

  it('refuses files that are cut off or no glTF', async () => {
    const whole = glb(square(), squareBuffer());
    expect((await parseGltf(whole.subarray(0, whole.length - 1))).issues[0].code).toBe('gltf-truncated');
    expect((await parseGltf(new TextEncoder().encode('solid x'))).issues[0].code).toBe('gltf-malformed');
    expect((await parseGltf(new Uint8Array(0))).issues[0].code).toBe('gltf-malformed');
  });
});

describe('pathInsideFolder', () => {
  it.each(['mesh.bin', './a/b.bin', 'a/../b.bin', 'a%20b.bin', '..a/b', 'a:b/c'.replace(':', '')])(
    'allows %s',
    (uri) => {
      expect(pathInsideFolder(uri)).toBe(decodeURIComponent(uri));
    },
  );

  it.each([
    '../mesh.bin',
    'a/../../b.bin',
    '%2e%2e/b.bin',
    '..%2Fb.bin',
    '..\\b.bin',
    '/etc/passwd',
    '\\\\host\\share',
    'C:/a.bin',
    'file:///etc/passwd',
    'http://host/a.bin',
    'a%00b',
    '%zz',
    '',
  ])('refuses %s', (uri) => {
    expect(pathInsideFolder(uri)).toBeNull();
  });
});

describe('writeGlb', () => {
  const mesh = {
    vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 2),
    triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
  };
  const read = (bytes: Uint8Array) => {
    const view = new DataView(bytes.buffer);
    const length = view.getUint32(12, true);
    return { json: JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))), binary: 28 + length, view };
  };

  it('writes what reads back as it was, z up', async () => {
    const bytes = writeGlb([{ name: 'a', mesh, color: [1, 0, 0, 0.5] }]);
    const { value, issues } = await parseMesh(bytes, { format: 'glb' });
    expect(issues).toEqual([]);
    expect([...value!.mesh.triangles]).toEqual([...mesh.triangles]);
    value!.mesh.vertices.forEach((x, i) => {
      expect(x).toBeCloseTo(mesh.vertices[i], 12);
    });
    expect((await parseMesh(writeGlb([]), { format: 'glb' })).value?.mesh.triangles.length ?? 0).toBe(0);
  });

  it('writes motions as the shorter turns', () => {
    const poses = [
      [0, 0, 0, 0, 0, 0, 1],
      [1, 2, 3, 0, 0, -Math.SQRT1_2, -Math.SQRT1_2],
    ];
    const { json, binary, view } = read(writeGlb([{ name: 'a', mesh, motion: { times: [0, 2], poses } }]));
    const [{ channels, samplers }] = json.animations;
    expect(channels.map((c: { target: object }) => c.target)).toEqual([
      { node: 0, path: 'translation' },
      { node: 0, path: 'rotation' },
    ]);
    const numbers = (accessor: number, count: number): number[] => {
      const at = binary + json.bufferViews[json.accessors[accessor].bufferView].byteOffset;
      return Array.from({ length: count }, (_, i) => view.getFloat32(at + 4 * i, true) + 0);
    };
    expect(numbers(samplers[0].input, 2)).toEqual([0, 2]);
    expect(numbers(samplers[0].output, 6)).toEqual([0, 0, 0, 1, 2, 3]);
    expect(numbers(samplers[1].output, 8).slice(4)).toEqual([
      0,
      0,
      Math.fround(Math.SQRT1_2),
      Math.fround(Math.SQRT1_2),
    ]);
  });

  it('throws on what is no motion', () => {
    const motion = { times: [0, 0], poses: [new Float64Array(7), new Float64Array(7)] };
    expect(() => writeGlb([{ name: 'a', mesh, motion }])).toThrow(/times, got .*, expected numbers that rise/);
    expect(() => writeGlb([{ name: 'a', mesh, motion: { times: [0], poses: [] } }])).toThrow(/one for each of 1 times/);
  });
});

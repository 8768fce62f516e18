/**
 * The part of a glTF 2.0 document that shapes a mesh, checked before anything is decoded: containers, references,
 * byte ranges, resources. What does not shape a mesh (materials, images, animations) is dropped unread.
 */
import * as z from 'zod';
import type { FileIssues } from '../file-issues.js';

const index = z.int().min(0).max(0x7fffffff);
const size = z.int().min(0);
const bufferView = z.object({
  buffer: index,
  byteOffset: size.default(0),
  byteLength: size,
  byteStride: z.int().min(1).max(252).optional(),
});
const accessor = z.object({
  bufferView: index.optional(),
  byteOffset: size.default(0),
  componentType: z.int(),
  count: size,
  type: z.string(),
  normalized: z.boolean().default(false),
  sparse: z
    .object({
      count: size,
      indices: z.object({ bufferView: index, byteOffset: size.default(0), componentType: z.int() }),
      values: z.object({ bufferView: index, byteOffset: size.default(0) }),
    })
    .optional(),
});
const primitive = z.object({
  attributes: z.object({ POSITION: index.optional() }),
  indices: index.optional(),
  mode: z.int().default(4),
});
const numbers = (length: number) => z.array(z.number()).length(length).optional();
const node = z.object({
  name: z.string().default(''),
  children: z.array(index).default([]),
  mesh: index.optional(),
  skin: index.optional(),
  matrix: numbers(16),
  translation: numbers(3),
  rotation: numbers(4),
  scale: numbers(3),
});
const documentSchema = z.object({
  asset: z.object({ version: z.string() }),
  extensionsRequired: z.array(z.string()).default([]),
  extensionsUsed: z.array(z.string()).default([]),
  buffers: z.array(z.object({ byteLength: size, uri: z.string().optional() })).default([]),
  bufferViews: z.array(bufferView).default([]),
  accessors: z.array(accessor).default([]),
  images: z.array(z.object({ uri: z.string().optional() })).default([]),
  meshes: z.array(z.object({ name: z.string().default(''), primitives: z.array(primitive) })).default([]),
  nodes: z.array(node).default([]),
  scenes: z.array(z.object({ nodes: z.array(index).default([]) })).default([]),
  scene: index.optional(),
});

export type GltfDocument = z.infer<typeof documentSchema>;
export type GltfAccessor = z.infer<typeof accessor>;
export type GltfPrimitive = z.infer<typeof primitive>;
export type GltfNode = z.infer<typeof node>;

export interface GltfContainer {
  readonly gltf: GltfDocument;
  /** The binary chunk of a GLB. */
  readonly binary: Uint8Array | null;
}

const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const MAXIMUM_JSON_VALUES = 5_000_000;
const MAXIMUM_JSON_DEPTH = 1000;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
/** Required extensions that change how things look or are named, not where they are. */
const HARMLESS_EXTENSIONS = /^(KHR_mesh_quantization$|KHR_materials_|KHR_texture_|EXT_texture_|KHR_lights_|KHR_xmp)/;

/** Decodes a .gltf or .glb; null when refused. */
export function readGltfContainer(bytes: Uint8Array, issues: FileIssues): GltfContainer | null {
  const refuse = (code: string, message: string): null => {
    issues.refuse(code, message);
    return null;
  };
  let json = bytes;
  let binary: Uint8Array | null = null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 12 && view.getUint32(0, true) === GLB_MAGIC) {
    const version = view.getUint32(4, true);
    if (version !== 2) return refuse('gltf-version', `binary glTF version ${version}: only 2 is read`);
    const announced = view.getUint32(8, true);
    if (announced > bytes.length) {
      return refuse('gltf-truncated', `the header announces ${announced} bytes, the file has ${bytes.length}: cut off`);
    }
    const chunks = new Map<number, Uint8Array>();
    for (let at = 12; at + 8 <= announced; ) {
      const length = view.getUint32(at, true);
      const type = view.getUint32(at + 4, true);
      if (at + 8 + length > announced) return refuse('gltf-truncated', 'a chunk runs over the end of the file');
      // of each kind the first counts
      if (!chunks.has(type)) chunks.set(type, bytes.subarray(at + 8, at + 8 + length));
      at += 8 + length;
    }
    const chunk = chunks.get(JSON_CHUNK);
    if (!chunk) return refuse('gltf-malformed', 'the file has no JSON chunk');
    json = chunk;
    binary = chunks.get(BINARY_CHUNK) ?? null;
  }
  if (!isModestJson(json)) {
    return refuse(
      'too-large',
      `the document has more than ${MAXIMUM_JSON_VALUES} values or is nested deeper than ${MAXIMUM_JSON_DEPTH}: it is no mesh`,
    );
  }
  let raw: unknown;
  try {
    raw = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch (error) {
    return refuse('gltf-malformed', `no valid JSON: ${(error as Error).message.slice(0, 160)}`);
  }
  const parsed = documentSchema.safeParse(raw);
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    return refuse('gltf-malformed', `${first.path.map(String).join('.') || 'gltf'}: ${first.message}`);
  }
  reportUnknownKeys(raw as Record<string, unknown>, issues);
  const gltf = parsed.data;
  if (!gltf.asset.version.startsWith('2.')) {
    return refuse('gltf-version', `glTF ${gltf.asset.version} is not read: export glTF 2.0`);
  }
  for (const name of gltf.extensionsRequired) {
    if (!HARMLESS_EXTENSIONS.test(name)) {
      return refuse('gltf-extension', `the file needs the extension ${name}: export without it (no compression)`);
    }
  }
  if (gltf.extensionsUsed.includes('EXT_mesh_gpu_instancing')) {
    issues.error('gltf-extension', 'instances of EXT_mesh_gpu_instancing are read once, without their placements', {
      assumes: 'dropped',
    });
  }
  return { gltf, binary };
}

/** Keys of the objects that shape a mesh; what else stands there is a misspelt key, and a default in its place. */
const KEYS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    document:
      'asset scene scenes nodes meshes accessors bufferViews buffers images samplers textures materials animations skins cameras extensionsUsed extensionsRequired',
    scenes: 'nodes',
    nodes: 'children mesh skin camera weights matrix translation rotation scale',
    meshes: 'primitives weights',
    primitives: 'attributes indices mode material targets',
    accessors: 'bufferView byteOffset componentType normalized count type max min sparse',
    bufferViews: 'buffer byteOffset byteLength byteStride target',
    buffers: 'uri byteLength',
  }).map(([kind, names]) => [kind, new Set(`name extensions extras ${names}`.split(' '))]),
);

function reportUnknownKeys(document: Readonly<Record<string, unknown>>, issues: FileIssues): void {
  const check = (kind: string, where: string, value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const key of Object.keys(value)) {
      if (KEYS[kind].has(key)) continue;
      issues.warn(
        'gltf-unknown-key',
        `${where}: "${key.slice(0, 40)}" is not known and is ignored; check its spelling`,
        {
          assumes: 'guessed',
        },
      );
    }
  };
  check('document', 'the document', document);
  for (const kind of ['scenes', 'nodes', 'meshes', 'accessors', 'bufferViews', 'buffers']) {
    const list = document[kind];
    if (!Array.isArray(list)) continue;
    for (const [i, item] of list.entries()) {
      check(kind, `${kind}[${i}]`, item);
      const { primitives } = (item ?? {}) as { primitives?: unknown };
      if (kind !== 'meshes' || !Array.isArray(primitives)) continue;
      for (const primitive of primitives) check('primitives', `a primitive of mesh ${i}`, primitive);
    }
  }
}

/** Whether the text holds few enough values to be decoded: each takes far more memory than its text. */
function isModestJson(json: Uint8Array): boolean {
  let values = 0;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const c = json[i];
    if (c === QUOTE) quoted = !quoted;
    else if (quoted) {
      if (c === BACKSLASH) i++;
    } else if (c === COMMA) {
      if (++values > MAXIMUM_JSON_VALUES) return false;
    } else if (c === OPEN_BRACKET || c === OPEN_BRACE) {
      if (++values > MAXIMUM_JSON_VALUES || ++depth > MAXIMUM_JSON_DEPTH) return false;
    } else if (c === CLOSE_BRACKET || c === CLOSE_BRACE) depth--;
  }
  return true;
}

/**
 * Bytes of all buffers; null when one is missing, too short, or lies outside the document's folder. URIs of images are
 * checked too, though images are not read: whoever draws the file would follow them.
 */
export function resolveBuffers(
  { gltf, binary }: GltfContainer,
  decodeDataUri: (uri: string) => Uint8Array,
  resources: ((uri: string) => Uint8Array | null) | undefined,
  issues: FileIssues,
): Uint8Array[] | null {
  for (const { uri } of gltf.images) {
    if (uri !== undefined && !/^(data|https?):/i.test(uri) && pathInsideFolder(uri) === null) {
      return refuseUri(uri, issues);
    }
  }
  const buffers: Uint8Array[] = [];
  for (const [i, { uri, byteLength }] of gltf.buffers.entries()) {
    let bytes: Uint8Array | null = null;
    if (uri === undefined) bytes = i === 0 ? binary : null;
    else if (/^data:/i.test(uri)) {
      try {
        bytes = decodeDataUri(uri);
      } catch {
        // not base64: refused below as too short
      }
    } else {
      const path = pathInsideFolder(uri);
      if (path === null) return refuseUri(uri, issues);
      bytes = resources?.(path) ?? null;
    }
    if (!bytes || bytes.length < byteLength) {
      const name = uri === undefined ? 'the binary chunk' : `"${uri.slice(0, 80)}"`;
      const found = bytes ? `has ${bytes.length} bytes, ${byteLength} are announced` : 'is missing';
      issues.refuse('gltf-buffer', `buffer ${i}: ${name} ${found}`);
      return null;
    }
    buffers.push(bytes.subarray(0, byteLength));
  }
  return buffers;
}

/**
 * The decoded relative path of a URI reference when it stays in the folder it is relative to, otherwise null: absolute
 * paths, drive letters, URLs and anything that climbs out by "..".
 */
export function pathInsideFolder(uri: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(uri);
  } catch {
    return null;
  }
  if (path === '' || path.includes('\0') || /^[/\\]|^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) return null;
  let depth = 0;
  for (const segment of path.split(/[/\\]/)) {
    if (segment === '..') depth--;
    else if (segment !== '.' && segment !== '') depth++;
    if (depth < 0) return null;
  }
  return path;
}

function refuseUri(uri: string, issues: FileIssues): null {
  issues.refuse(
    'unsafe-uri',
    `"${uri.slice(0, 200)}" leaves the folder of the file: refused; put the resource beside the file or embed it`,
  );
  return null;
}

const COMPONENT_BYTES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

const COMPONENTS: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/**
 * Tells of buffer views whose end no accessor reaches: a count may be smaller than it was. Views are padded to four bytes,
 * and to their stride.
 */
export function reportUnreadBytes(gltf: GltfDocument, used: Iterable<GltfAccessor>, issues: FileIssues): void {
  const views = new Set<number>();
  for (const { bufferView: view } of used) if (view !== undefined) views.add(view);
  const ends = new Map<number, number>();
  for (const { bufferView: view, byteOffset, componentType, type, count } of gltf.accessors) {
    if (view === undefined || !views.has(view)) continue;
    const size = (COMPONENTS[type] ?? 0) * (COMPONENT_BYTES[componentType] ?? 0);
    const stride = gltf.bufferViews[view]?.byteStride ?? size;
    const end = count === 0 ? 0 : byteOffset + (count - 1) * stride + Math.max(size, stride);
    ends.set(view, Math.max(ends.get(view) ?? 0, end));
  }
  for (const [view, end] of ends) {
    const left = gltf.bufferViews[view].byteLength - end;
    if (left < 4) continue;
    const message = `no accessor reads the last ${left} bytes of buffer view ${view}: a count may be too small`;
    issues.warn('gltf-unread-bytes', message, { assumes: 'guessed' });
  }
}

/** What is wrong with an accessor, or null: its bytes lie in its views and its views in their buffers. */
export function checkAccessor(gltf: GltfDocument, item: GltfAccessor, buffers: readonly Uint8Array[]): string | null {
  const width = item.type === 'VEC3' ? 3 : 1;
  const bytes = COMPONENT_BYTES[item.componentType];
  if (!bytes) return `component type ${item.componentType} is unknown`;
  const checkRange = (viewIndex: number, offset: number, count: number, elementBytes: number): string | null => {
    const view = gltf.bufferViews[viewIndex];
    if (!view || !buffers[view.buffer]) return `buffer view ${viewIndex} does not exist`;
    if (view.byteOffset + view.byteLength > buffers[view.buffer].length) {
      return `buffer view ${viewIndex} runs over its buffer`;
    }
    const stride = view.byteStride ?? elementBytes;
    if (stride < elementBytes) return `buffer view ${viewIndex} has a stride of ${stride} bytes`;
    if (count > 0 && offset + (count - 1) * stride + elementBytes > view.byteLength) {
      return `${count} elements do not fit into buffer view ${viewIndex}`;
    }
    return null;
  };
  if (item.bufferView !== undefined) {
    const wrong = checkRange(item.bufferView, item.byteOffset, item.count, width * bytes);
    if (wrong) return wrong;
  }
  const { sparse } = item;
  if (item.bufferView === undefined && !sparse) return 'has no data: nothing but zeros are announced';
  if (!sparse) return null;
  const indexBytes = COMPONENT_BYTES[sparse.indices.componentType];
  if (!indexBytes || sparse.count > item.count) return 'its sparse part is malformed';
  return (
    checkRange(sparse.indices.bufferView, sparse.indices.byteOffset, sparse.count, indexBytes) ??
    checkRange(sparse.values.bufferView, sparse.values.byteOffset, sparse.count, width * bytes)
  );
}

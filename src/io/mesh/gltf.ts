/**
 * glTF 2.0 and GLB: the triangles of the default scene, each mesh placed by its nodes.
 *
 * Method: 1. the document is checked and cut down to what shapes a mesh (gltf-structure); 2. @gltf-transform/core
 * decodes the accessors (strides, sparse, quantised); 3. triangles, strips and fans, indexed or not, become triangle
 * lists; 4. the node tree is walked with a stack, matrices exactly as written; 5. the instances are copied into one
 * mesh. Points and lines are left out, skins and morph targets do not move vertices. Buffers come from the file, from
 * data URIs, or from the caller's `resources`; nothing is fetched. Unit metre, Y up; parseMesh turns it.
 *
 * Source: Khronos Group, glTF 2.0 specification, 2021. Checked by gltf.test.ts and test/oracle/mesh-files.
 */

import type { Primitive } from '@gltf-transform/core';
import { FileIssues } from '../file-issues.js';
import { GLTF_OPTIONS, requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
import {
  checkAccessor,
  type GltfContainer,
  type GltfDocument,
  type GltfNode,
  readGltfContainer,
  reportUnreadBytes,
  resolveBuffers,
} from './gltf-structure.js';
import { type Affine, IDENTITY_AFFINE, multiplyAffine, scaling, translation } from './mesh-affine.js';
import { assembleInstances, type MeshInstance } from './mesh-assembly.js';
import { Int32Buffer } from './mesh-buffers.js';
import {
  amplificationLimit,
  DEFAULT_MAXIMUM_MESH_BYTES,
  type MeshFileContent,
  type MeshReadOptions,
  meshBytes,
  tooLargeMessage,
} from './mesh-content.js';
import { forEachFanTriangle, forEachStripTriangle } from './mesh-strip.js';

export interface GltfReadOptions extends MeshReadOptions {
  /** Bytes of a buffer file by its relative path (decoded, inside the document's folder); null when there is none. */
  readonly resources?: (path: string) => Uint8Array | null;
  /** Default: GLB when the file begins with its magic number. */
  readonly format?: string;
}

const TRIANGLES = 4;
const TRIANGLE_STRIP = 5;
const TRIANGLE_FAN = 6;

type MeshData = Pick<MeshInstance, 'name' | 'vertices' | 'triangles'>;

/**
 * Reads the default scene of a glTF or GLB. Content is never a reason to throw: `value` is null, with one error among
 * the issues, when the file cannot be trusted. Coordinates are Y up as written; `parseMesh` turns them.
 */
export async function parseGltf(bytes: Uint8Array, options: GltfReadOptions = {}): Promise<Parsed<MeshFileContent>> {
  requireContent('parseGltf', bytes, options, GLTF_OPTIONS);
  const issues = new FileIssues(options.file);
  const limit = options.maximumBytes ?? DEFAULT_MAXIMUM_MESH_BYTES;
  if (bytes.length > limit) return issues.refuse('too-large', tooLargeMessage('the file', bytes.length, limit));
  const container = readGltfContainer(bytes, issues);
  if (!container) return { value: null, issues: issues.list };
  const placements = walkNodes(container.gltf, issues);
  if (!placements) return { value: null, issues: issues.list };
  const used = new Set(placements.map(({ mesh }) => mesh));
  if (used.size < container.gltf.meshes.length) {
    const count = container.gltf.meshes.length - used.size;
    issues.warn('gltf-unused-mesh', `${count} meshes stand in no node of the scene`, { assumes: 'guessed' });
  }
  const meshes = await decodeMeshes(container, used, limit, options, issues);
  if (!meshes) return { value: null, issues: issues.list };
  const instances: MeshInstance[] = [];
  for (const { mesh, name, placement } of placements) {
    const data = meshes.get(mesh)!;
    if (data.triangles.length > 0) instances.push({ ...data, name: name || data.name, placement });
  }
  const format = bytes[0] === 0x67 ? 'glb' : 'gltf';
  const maximumBytes = amplificationLimit(inputBytes(bytes, container), limit);
  return assembleInstances(instances, { format, unit: 1, upAxis: 'y' }, { ...options, maximumBytes }, issues);
}

/** Of the document and of the files beside it. */
function inputBytes(bytes: Uint8Array, { gltf }: GltfContainer): number {
  return gltf.buffers.reduce((sum, { uri, byteLength }) => sum + (uri === undefined ? 0 : byteLength), bytes.length);
}

/** Meshes of the scene with their placements, in document order; null when refused. */
function walkNodes(gltf: GltfDocument, issues: FileIssues): { mesh: number; name: string; placement: Affine }[] | null {
  const { nodes, scenes, meshes } = gltf;
  const refuse = (message: string): null => {
    issues.refuse('gltf-nodes', message);
    return null;
  };
  if (gltf.scene !== undefined && !scenes[gltf.scene]) return refuse(`scene ${gltf.scene} does not exist`);
  const children = new Set(nodes.flatMap((node) => node.children));
  const roots = scenes[gltf.scene ?? 0]?.nodes ?? [...nodes.keys()].filter((i) => !children.has(i));
  const found: { mesh: number; name: string; placement: Affine }[] = [];
  const visited = new Set<number>();
  const stack = roots.map((node) => ({ node, parent: IDENTITY_AFFINE })).reverse();
  while (stack.length > 0) {
    const { node: i, parent } = stack.pop()!;
    const node = nodes[i];
    if (!node) return refuse(`node ${i} does not exist`);
    if (visited.has(i)) return refuse(`node ${i} has two parents or is its own ancestor: nodes must form a tree`);
    visited.add(i);
    const local = nodeTransform(node);
    if (!local) return refuse(`node ${i}: its matrix is not affine, or its rotation is no quaternion`);
    const placement = multiplyAffine(parent, local);
    if (node.mesh !== undefined) {
      if (!meshes[node.mesh]) return refuse(`node ${i} names mesh ${node.mesh}, which does not exist`);
      if (node.skin !== undefined) {
        issues.warn('gltf-skin', `node ${i}: skins do not move vertices`, { assumes: 'guessed' });
      }
      found.push({ mesh: node.mesh, name: node.name, placement });
    }
    for (let k = node.children.length - 1; k >= 0; k--) stack.push({ node: node.children[k], parent: placement });
  }
  return found;
}

function nodeTransform(node: GltfNode): Affine | null {
  const { matrix: m } = node;
  if (m) {
    if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1) return null;
    return [m[0], m[4], m[8], m[12], m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14]];
  }
  let affine: Affine = IDENTITY_AFFINE;
  if (node.translation) affine = translation(node.translation[0], node.translation[1], node.translation[2]);
  if (node.rotation) {
    const turn = rotationOf(node.rotation);
    if (!turn) return null;
    affine = multiplyAffine(affine, turn);
  }
  if (node.scale) affine = multiplyAffine(affine, scaling(node.scale[0], node.scale[1], node.scale[2]));
  return affine;
}

/** Of a quaternion x y z w of any length but 0. */
function rotationOf([x, y, z, w]: readonly number[]): Affine | null {
  const s = 2 / (x * x + y * y + z * z + w * w);
  if (!(s > 0 && s < Number.POSITIVE_INFINITY)) return null;
  return [
    1 - s * (y * y + z * z),
    s * (x * y - z * w),
    s * (x * z + y * w),
    0,
    s * (x * y + z * w),
    1 - s * (x * x + z * z),
    s * (y * z - x * w),
    0,
    s * (x * z - y * w),
    s * (y * z + x * w),
    1 - s * (x * x + y * y),
    0,
  ];
}

/** Vertices and triangles of the wanted meshes; null when refused. */
async function decodeMeshes(
  container: GltfContainer,
  wanted: ReadonlySet<number>,
  limit: number,
  options: GltfReadOptions,
  issues: FileIssues,
): Promise<Map<number, MeshData> | null> {
  // loaded on first use: only those who read glTF pay for its decoder
  const { BufferUtils, Logger, WebIO } = await import('@gltf-transform/core');
  const { gltf } = container;
  const decodeDataUri = (uri: string): Uint8Array => BufferUtils.createBufferFromDataURI(uri);
  const buffers = resolveBuffers(container, decodeDataUri, options.resources, issues);
  if (!buffers) return null;
  const most = amplificationLimit(
    buffers.reduce((sum, { length }) => sum + length, 0),
    limit,
  );
  const reduced = reduceDocument(gltf, wanted, buffers, most, issues);
  if (!reduced) return null;
  const resources = Object.fromEntries(buffers.map((bytes, i) => [`buffer${i}`, new Uint8Array(bytes)]));
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
  let primitives: Primitive[][];
  try {
    const decoded = await io.readJSON({ json: reduced.json, resources });
    primitives = decoded
      .getRoot()
      .listMeshes()
      .map((mesh) => mesh.listPrimitives());
  } catch (error) {
    issues.refuse('gltf-malformed', `cannot be decoded: ${(error as Error).message.slice(0, 160)}`);
    return null;
  }
  const meshes = new Map<number, MeshData>();
  for (const [position, mesh] of reduced.meshes.entries()) {
    const data = joinPrimitives(gltf.meshes[mesh].name, primitives[position], issues);
    if (!data) return null;
    meshes.set(mesh, data);
  }
  return meshes;
}

type GltfJson = Parameters<InstanceType<typeof import('@gltf-transform/core').WebIO>['readJSON']>[0]['json'];

/** A document of only the accessors that the wanted meshes use, all of them checked; null when refused. */
function reduceDocument(
  gltf: GltfDocument,
  wanted: ReadonlySet<number>,
  buffers: readonly Uint8Array[],
  limit: number,
  issues: FileIssues,
): { json: GltfJson; meshes: number[] } | null {
  const meshes = [...wanted].sort((a, b) => a - b);
  const accessors: GltfDocument['accessors'] = [];
  const renumbered = new Map<number, number>();
  let bytes = 0;
  const use = (index: number, type: string): number | null => {
    const known = renumbered.get(index);
    const accessor = gltf.accessors[index];
    let wrong = accessor ? null : 'does not exist';
    if (accessor && accessor.type !== type) wrong = `is ${accessor.type}, expected ${type}`;
    wrong ??= known === undefined ? checkAccessor(gltf, accessor, buffers) : null;
    if (wrong) {
      issues.refuse('gltf-accessor', `accessor ${index}: ${wrong}`);
      return null;
    }
    // Each primitive gets its own copy.
    bytes += type === 'VEC3' ? meshBytes(accessor.count, 0) : 4 * accessor.count;
    if (bytes > limit) {
      issues.refuse('too-large', tooLargeMessage('the mesh', bytes, limit));
      return null;
    }
    if (known !== undefined) return known;
    renumbered.set(index, accessors.length);
    accessors.push(accessor);
    return accessors.length - 1;
  };
  const reduced = [];
  for (const mesh of meshes) {
    const primitives = [];
    for (const { attributes, indices, mode } of gltf.meshes[mesh].primitives) {
      if (attributes.POSITION === undefined || mode < TRIANGLES || mode > TRIANGLE_FAN) {
        if (mode < TRIANGLES) issues.warn('gltf-primitive', `mesh ${mesh}: a primitive of points or lines is left out`);
        else {
          const what = mode > TRIANGLE_FAN ? `of the unknown mode ${mode}` : 'without "POSITION"';
          issues.error('gltf-primitive', `mesh ${mesh}: a primitive ${what} is left out`, { assumes: 'dropped' });
        }
        continue;
      }
      const position = use(attributes.POSITION, 'VEC3');
      if (position === null) return null;
      const list = indices === undefined ? undefined : use(indices, 'SCALAR');
      if (list === null) return null;
      primitives.push({ attributes: { POSITION: position }, mode, ...(list !== undefined && { indices: list }) });
    }
    reduced.push({ primitives });
  }
  reportUnreadBytes(gltf, accessors, issues);
  const json = {
    asset: { version: '2.0' },
    buffers: gltf.buffers.map(({ byteLength }, i) => ({ byteLength, uri: `buffer${i}` })),
    bufferViews: gltf.bufferViews.map((view) =>
      // a view nothing uses may be broken: it must not be decoded
      view.buffer < buffers.length && view.byteOffset + view.byteLength <= buffers[view.buffer].length
        ? view
        : { buffer: 0, byteLength: 0 },
    ),
    accessors,
    meshes: reduced,
  };
  return { json: json as GltfJson, meshes };
}

/** One vertex and triangle list of a mesh's primitives; null when refused. */
function joinPrimitives(name: string, primitives: readonly Primitive[], issues: FileIssues): MeshData | null {
  let vertexCount = 0;
  for (const primitive of primitives) vertexCount += primitive.getAttribute('POSITION')!.getCount();
  const vertices = new Float64Array(3 * vertexCount);
  const corners = new Int32Buffer();
  let base = 0;
  const emit = (a: number, b: number, c: number): void => {
    corners.push(base + a);
    corners.push(base + b);
    corners.push(base + c);
  };
  const point = [0, 0, 0];
  for (const primitive of primitives) {
    const positions = primitive.getAttribute('POSITION')!;
    const count = positions.getCount();
    for (let i = 0; i < count; i++) {
      positions.getElement(i, point);
      if (point[0] - point[0] + (point[1] - point[1]) + (point[2] - point[2]) !== 0) {
        issues.refuse('bad-number', `mesh "${name}": vertex ${i} is infinite or not a number`);
        return null;
      }
      vertices.set(point, 3 * (base + i));
    }
    const indices: ArrayLike<number> =
      primitive.getIndices()?.getArray() ?? Uint32Array.from({ length: count }, (_, i) => i);
    for (let i = 0; i < indices.length; i++) {
      if (indices[i] >= count) {
        issues.refuse('bad-vertex-index', `mesh "${name}" names vertex ${indices[i]}, it has ${count} (from 0 on)`);
        return null;
      }
    }
    if (primitive.getMode() === TRIANGLE_STRIP) forEachStripTriangle(indices, emit);
    else if (primitive.getMode() === TRIANGLE_FAN) forEachFanTriangle(indices, emit);
    else for (let i = 0; i + 3 <= indices.length; i += 3) emit(indices[i], indices[i + 1], indices[i + 2]);
    if (primitive.getMode() === TRIANGLES && indices.length % 3 !== 0) {
      const message = `mesh "${name}": ${indices.length} corners are no whole number of triangles, the last are left out`;
      issues.error('gltf-indices', message, { assumes: 'dropped' });
    }
    base += count;
  }
  return { name, vertices, triangles: Uint32Array.from(corners.data.subarray(0, corners.length)) };
}

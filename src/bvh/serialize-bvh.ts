/**
 * A mesh and its tree as one ArrayBuffer, for caches, workers and other machines.
 *
 *   0 magic 'CMSH' u32 | 4 version u32 | 8 vertex count u32 | 12 triangle count u32 | 16 bytes of the tree block u32
 *   20 name length u32 (UTF-16 units) | 24 reserved 8 bytes | 32 vertices f64 | tree block | triangles u32 | name u16
 *
 * Little-endian, as WebAssembly memory is. Loading copies; it checks counts against the length before it allocates, and
 * the tree's references, so that a damaged file is refused and never read out of bounds.
 * Test: serialize-bvh.test.ts.
 */

import {
  KIND_OBB_RSS,
  TREE_BLOCK_BYTES,
  TREE_BOUNDS,
  TREE_DEPTH,
  TREE_HEADER_BYTES,
  TREE_IDS_OFFSET,
  TREE_MAGIC,
  TREE_NODE_COUNT,
  TREE_NODE_KIND,
  TREE_TRIANGLE_COUNT,
  TREE_TRIANGLES_OFFSET,
  TREE_VERSION,
  TRIANGLE_BYTES,
} from '../kernel/layout.js';
import { throwMisuse } from '../math/arguments.js';
import { finishSteps } from '../math/finish-steps.js';
import { MisuseError } from '../math/misuse.js';
import { boundTriangles } from './build-tree.js';
import { requireBvh } from './bvh-door.js';
import { checkCoordinates, checkIndices, type MeshBvh, placeTree } from './mesh-bvh.js';
import { nodeWords } from './tree-nodes.js';
import { listBoxesInSteps } from './tree-walk.js';

const MAGIC = 0x48534d43;
const VERSION = 1;
const HEADER_BYTES = 32;
/** Deeper trees than any builder makes could overflow the queries' stack. */
const MAX_DEPTH = 256;

export function serializeBvh(bvh: MeshBvh): ArrayBuffer {
  requireBvh('serializeBvh', 'bvh', bvh);
  const { vertices, triangles, name = '' } = bvh.mesh;
  const blockBytes = bvh.byteLength;
  const blockAt = HEADER_BYTES + vertices.byteLength;
  const trianglesAt = blockAt + blockBytes;
  const nameAt = trianglesAt + triangles.byteLength;
  const buffer = new ArrayBuffer(nameAt + 2 * name.length);
  const header = new Uint32Array(buffer, 0, HEADER_BYTES / 4);
  header[0] = MAGIC;
  header[1] = VERSION;
  header[2] = vertices.length / 3;
  header[3] = triangles.length / 3;
  header[4] = blockBytes;
  header[5] = name.length;
  new Float64Array(buffer, HEADER_BYTES, vertices.length).set(vertices);
  const start = bvh.address / 4;
  new Uint32Array(buffer, blockAt, blockBytes / 4).set(bvh.kernel.u32.subarray(start, start + blockBytes / 4));
  new Uint32Array(buffer, trianglesAt, triangles.length).set(triangles);
  const text = new Uint16Array(buffer, nameAt, name.length);
  for (let i = 0; i < name.length; i++) text[i] = name.charCodeAt(i);
  return buffer;
}

/** Of any realm, shared ones too. */
function requireBuffer(call: string, buffer: unknown): void {
  if (!/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(buffer)))
    throwMisuse(call, 'buffer', buffer, 'an ArrayBuffer that serializeBvh wrote');
}

/** Throws a RangeError that says what differs when the buffer is not a whole, sound serialisation. */
export function loadBvh(buffer: ArrayBuffer): MeshBvh {
  requireBuffer('loadBvh', buffer);
  return finishSteps(startLoading('loadBvh', buffer, Number.POSITIVE_INFINITY));
}

/** Of a million triangles, a step takes some milliseconds. */
const NUMBERS_AT_ONCE = 500_000;

/** A box costs as much as so many numbers. */
const BOX_NUMBERS = 4;

/**
 * As `loadBvh`, a step of some milliseconds at each call of `next`, so that a page draws and hears between them; the last one gives the
 * tree. `return` gives up, and frees what was taken.
 */
export function loadBvhInSteps(buffer: ArrayBuffer): Generator<void, MeshBvh> {
  requireBuffer('loadBvhInSteps', buffer);
  return startLoading('loadBvhInSteps', buffer, NUMBERS_AT_ONCE);
}

/** `atOnce`: numbers between two steps. */
function* startLoading(call: string, buffer: ArrayBuffer, atOnce: number): Generator<void, MeshBvh> {
  const expect = (what: string, got: number, expected: number | string, holds: boolean): void => {
    if (!holds) throw new MisuseError(`${call}: ${what}, got ${got}, expected ${expected}`);
  };
  expect('buffer length', buffer.byteLength, `at least ${HEADER_BYTES}`, buffer.byteLength >= HEADER_BYTES);
  const [magic, version, vertexCount, triangleCount, blockBytes, nameLength] = new Uint32Array(buffer, 0, 8);
  expect('magic', magic, MAGIC, magic === MAGIC);
  expect('version', version, VERSION, version === VERSION);
  const blockAt = HEADER_BYTES + 24 * vertexCount;
  const trianglesAt = blockAt + blockBytes;
  const nameAt = trianglesAt + 12 * triangleCount;
  const total = nameAt + 2 * nameLength;
  expect('buffer length', buffer.byteLength, total, buffer.byteLength === total);
  expect('tree bytes', blockBytes, 'a multiple of 16', blockBytes % 16 === 0 && blockBytes >= TREE_HEADER_BYTES);

  const vertices = new Float64Array(buffer.slice(HEADER_BYTES, blockAt));
  yield;
  const triangles = new Uint32Array(buffer.slice(trianglesAt, nameAt));
  yield;
  for (let i = 0; i < triangles.length; i += atOnce) {
    checkIndices(call, vertexCount, triangles, i, Math.min(i + atOnce, triangles.length));
    yield;
  }
  for (let i = 0; i < vertices.length; i += atOnce) {
    checkCoordinates(call, vertices, i, Math.min(i + atOnce, vertices.length));
    yield;
  }
  const u32 = new Uint32Array(buffer, blockAt, blockBytes / 4);
  const kind = u32[TREE_NODE_KIND / 4];
  const nodes = u32[TREE_NODE_COUNT / 4];
  expect('tree magic', u32[0], TREE_MAGIC, u32[0] === TREE_MAGIC);
  expect('tree version', u32[1], TREE_VERSION, u32[1] === TREE_VERSION);
  expect('node kind', kind, `0 to ${KIND_OBB_RSS}`, kind <= KIND_OBB_RSS);
  expect('tree bytes', u32[TREE_BLOCK_BYTES / 4], blockBytes, u32[TREE_BLOCK_BYTES / 4] === blockBytes);
  const counted = u32[TREE_TRIANGLE_COUNT / 4];
  expect('tree triangles', counted, triangleCount, counted === triangleCount);
  const cornersAt = TREE_HEADER_BYTES + nodes * nodeWords(kind) * 4;
  const idsAt = cornersAt + triangleCount * TRIANGLE_BYTES;
  expect('triangle offset', u32[TREE_TRIANGLES_OFFSET / 4], cornersAt, u32[TREE_TRIANGLES_OFFSET / 4] === cornersAt);
  expect('id offset', u32[TREE_IDS_OFFSET / 4], idsAt, u32[TREE_IDS_OFFSET / 4] === idsAt);
  expect('tree bytes', blockBytes, `at least ${idsAt + 4 * triangleCount}`, blockBytes >= idsAt + 4 * triangleCount);

  const stored = new Float64Array(buffer, blockAt + TREE_BOUNDS, 6);
  const bounds = boundTriangles(vertices, triangles.subarray(0, 0));
  for (let i = 0; i < triangles.length; i += atOnce) {
    const part = boundTriangles(vertices, triangles.subarray(i, i + atOnce));
    for (let k = 0; k < 3; k++) {
      bounds[k] = Math.min(bounds[k], part[k]);
      bounds[k + 3] = Math.max(bounds[k + 3], part[k + 3]);
    }
    yield;
  }
  for (let i = 0; i < 6; i++) expect('tree bounds', stored[i], bounds[i], stored[i] === bounds[i]);

  const boxes = yield* listBoxesInSteps(u32, atOnce / BOX_NUMBERS);
  for (let i = 0; i < boxes.length; i++) {
    const end = boxes.first[i] + boxes.count[i];
    if (end > triangleCount) expect('end of a leaf', end, `at most ${triangleCount}`, false);
  }
  const depth = boxes.length > 0 ? boxes.level[boxes.length - 1] + 1 : 0;
  expect('tree depth', depth, `at most ${MAX_DEPTH}`, depth <= MAX_DEPTH);
  expect(
    'tree depth',
    u32[TREE_DEPTH / 4],
    `at least ${depth}`,
    u32[TREE_DEPTH / 4] >= depth && u32[TREE_DEPTH / 4] <= MAX_DEPTH,
  );
  for (let i = 0; i < triangleCount; i++) {
    const id = u32[idsAt / 4 + i];
    if (id >= triangleCount) expect('triangle id', id, `less than ${triangleCount}`, false);
  }
  yield;
  const name = String.fromCharCode(...new Uint16Array(buffer.slice(nameAt)));
  const mesh = nameLength > 0 ? { vertices, triangles, name } : { vertices, triangles };
  return yield* placeTree(mesh, u32, 4 * atOnce);
}

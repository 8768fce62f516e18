/**
 * Builds the four-wide tree over the triangles of a mesh, as one relocatable block (layout in kernel/layout.ts).
 *
 * Method: top-down; a range of triangles is split in two across the longest axis of its box at the mean of the
 * centroids, the larger half again, and once more, which gives the four children of a node. A split that leaves a side
 * empty, or any split below a depth no ordinary mesh reaches, halves the range by rank instead: this bounds the depth
 * (and with it the stack of the queries) for every input, such as thousands of identical triangles.
 *
 * Source: Gottschalk, Lin, Manocha 1996, section 4 (axis and mean), doi:10.1145/237170.237244; Wald, Benthin, Boulos
 *   2008, "Getting rid of packets", section 3 (collapse to wide nodes), doi:10.1109/RT.2008.4634620.
 * No recursion. Cost: O(n log n). Tests: mesh-bvh.test.ts.
 */
import {
  LEAF_FIRST_MASK,
  TREE_BLOCK_BYTES,
  TREE_BOUNDS,
  TREE_DEPTH,
  TREE_HEADER_BYTES,
  TREE_IDS_OFFSET,
  TREE_MAGIC,
  TREE_NODE_COUNT,
  TREE_NODE_KIND,
  TREE_ORIGIN,
  TREE_RADIUS,
  TREE_TRIANGLE_COUNT,
  TREE_TRIANGLES_OFFSET,
  TREE_VERSION,
  TRIANGLE_BYTES,
} from '../kernel/layout.js';
import { copyBox, createFittedBox, type FittedBox, fitBox } from './fit-box.js';
import { childWords, clearNode, leafReference, nodeWords, writeBox } from './tree-nodes.js';

/** Triangles per leaf. */
export const LEAF_TRIANGLES = 1;

interface Part {
  start: number;
  count: number;
  depth: number;
  readonly box: FittedBox;
}

interface NodeStore {
  buffer: ArrayBuffer;
  f32: Float32Array;
  u32: Uint32Array;
  count: number;
}

/** Corner coordinates of every triangle relative to `origin`, 9 numbers each. */
export function gatherCorners(vertices: Float64Array, triangles: Uint32Array, origin: Float64Array): Float64Array {
  const corners = new Float64Array(triangles.length * 3);
  const [x, y, z] = origin;
  for (let i = 0, at = 0; i < triangles.length; i++, at += 3) {
    const v = triangles[i] * 3;
    corners[at] = vertices[v] - x;
    corners[at + 1] = vertices[v + 1] - y;
    corners[at + 2] = vertices[v + 2] - z;
  }
  return corners;
}

/** Bounds [min, max] of the vertices that triangles use; +-Infinity reversed when there is none. */
export function boundTriangles(vertices: Float64Array, triangles: Uint32Array): Float64Array {
  const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let i = 0; i < triangles.length; i++) {
    const v = triangles[i] * 3;
    for (let k = 0; k < 3; k++) {
      const x = vertices[v + k];
      if (x < bounds[k]) bounds[k] = x;
      if (x > bounds[k + 3]) bounds[k + 3] = x;
    }
  }
  return bounds;
}

export function buildTree(vertices: Float64Array, triangles: Uint32Array, kind: number): ArrayBuffer {
  const count = triangles.length / 3;
  const bounds = boundTriangles(vertices, triangles);
  const origin = new Float64Array(3);
  if (count > 0) for (let k = 0; k < 3; k++) origin[k] = (bounds[k] + bounds[k + 3]) / 2;
  const corners = gatherCorners(vertices, triangles, origin);
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;

  const store = createNodeStore(kind, count);
  const depth = count > 0 ? splitAll(store, kind, corners, order) : 0;
  return assembleBlock(store, kind, { vertices, triangles, bounds, origin, corners, order, depth });
}

function createNodeStore(kind: number, triangleCount: number): NodeStore {
  const words = nodeWords(kind) * (Math.ceil(triangleCount / 2) + 2);
  const buffer = new ArrayBuffer(words * 4);
  const store = { buffer, f32: new Float32Array(buffer), u32: new Uint32Array(buffer), count: 0 };
  addNode(store, kind);
  return store;
}

/** Index of a new node with empty lanes. */
function addNode(store: NodeStore, kind: number): number {
  const words = nodeWords(kind);
  if ((store.count + 1) * words > store.f32.length) {
    const buffer = new ArrayBuffer(store.buffer.byteLength * 2);
    const f32 = new Float32Array(buffer);
    f32.set(store.f32);
    store.buffer = buffer;
    store.f32 = f32;
    store.u32 = new Uint32Array(buffer);
  }
  clearNode(store.f32, store.u32, store.count * words, kind);
  return store.count++;
}

/** Returns the number of node levels. */
function splitAll(store: NodeStore, kind: number, corners: Float64Array, order: Uint32Array): number {
  const words = nodeWords(kind);
  const child = childWords(kind);
  const fairDepth = 2 * Math.ceil(Math.log2(order.length + 1)) + 8;
  const parts: Part[] = [0, 1, 2, 3].map(() => ({ start: 0, count: 0, depth: 0, box: createFittedBox() }));
  const keys = new Float64Array(order.length);
  // Pending ranges: start, count, binary depth, node level, node to fill; and their boxes.
  const pending: number[] = [];
  const boxes: FittedBox[] = [];
  let levels = 1;

  const place = (part: Part, level: number, box: number): void => {
    writeBox(store.f32, box, kind, part.box);
    if (part.count <= LEAF_TRIANGLES) {
      store.u32[box + child] = leafReference(part.start, part.count);
    } else {
      const node = addNode(store, kind);
      store.u32[box + child] = TREE_HEADER_BYTES + node * words * 4;
      const at = pending.length / 5;
      if (at === boxes.length) boxes.push(createFittedBox());
      copyBox(boxes[at], part.box);
      pending.push(part.start, part.count, part.depth, level + 1, node);
    }
  };

  parts[0].count = order.length;
  fitBox(parts[0].box, kind, corners, order, 0, order.length);
  place(parts[0], 0, 0);
  while (pending.length > 0) {
    const node = pending.pop() as number;
    const level = pending.pop() as number;
    parts[0].depth = pending.pop() as number;
    parts[0].count = pending.pop() as number;
    parts[0].start = pending.pop() as number;
    levels = Math.max(levels, level + 1);
    copyBox(parts[0].box, boxes[pending.length / 5]);
    let used = 1;
    while (used < 4) {
      let largest = -1;
      for (let i = 0; i < used; i++) {
        if (parts[i].count > LEAF_TRIANGLES && (largest < 0 || parts[i].count > parts[largest].count)) largest = i;
      }
      if (largest < 0) break;
      splitPart(parts[largest], parts[used], { kind, corners, order, keys, fairDepth });
      used++;
    }
    for (let lane = 0; lane < used; lane++) place(parts[lane], level, node * words + lane);
  }
  return levels;
}

interface SplitContext {
  readonly kind: number;
  readonly corners: Float64Array;
  readonly order: Uint32Array;
  readonly keys: Float64Array;
  readonly fairDepth: number;
}

/** Moves the upper part of `part` to `rest` and fits both. */
function splitPart(part: Part, rest: Part, context: SplitContext): void {
  const { kind, corners, order, keys, fairDepth } = context;
  const { start, count } = part;
  const half = part.box.half;
  const axis = half[0] >= half[1] && half[0] >= half[2] ? 0 : half[1] >= half[2] ? 1 : 2;
  const rotation = part.box.rotation;
  const mean = projectCentroids(keys, corners, order, start, count, [
    rotation[axis],
    rotation[3 + axis],
    rotation[6 + axis],
  ]);
  let middle = part.depth < fairDepth ? partition(order, keys, start, count, mean) : start;
  if (middle === start || middle === start + count) {
    middle = start + (count >> 1);
    selectRank(order, keys, start, start + count - 1, middle);
  }
  part.depth++;
  rest.depth = part.depth;
  rest.start = middle;
  rest.count = start + count - middle;
  part.count = middle - start;
  fitBox(part.box, kind, corners, order, part.start, part.count);
  fitBox(rest.box, kind, corners, order, rest.start, rest.count);
}

/** Writes three times the centroid's coordinate along `axis` for each triangle of the range; returns the mean. */
function projectCentroids(
  keys: Float64Array,
  corners: Float64Array,
  order: Uint32Array,
  start: number,
  count: number,
  axis: readonly number[],
): number {
  const [x, y, z] = axis;
  let sum = 0;
  for (let i = start; i < start + count; i++) {
    const t = order[i] * 9;
    const key =
      x * (corners[t] + corners[t + 3] + corners[t + 6]) +
      y * (corners[t + 1] + corners[t + 4] + corners[t + 7]) +
      z * (corners[t + 2] + corners[t + 5] + corners[t + 8]);
    keys[i] = key;
    sum += key;
  }
  return sum / count;
}

function swap(order: Uint32Array, keys: Float64Array, i: number, j: number): void {
  const triangle = order[i];
  order[i] = order[j];
  order[j] = triangle;
  const key = keys[i];
  keys[i] = keys[j];
  keys[j] = key;
}

/** Keys below the pivot first; returns where the others begin. */
function partition(order: Uint32Array, keys: Float64Array, start: number, count: number, pivot: number): number {
  let i = start;
  let j = start + count - 1;
  while (i <= j) {
    if (keys[i] < pivot) i++;
    else swap(order, keys, i, j--);
  }
  return i;
}

/** Quickselect (Hoare): the keys before `rank` are not above it, those after not below. Linear for equal keys too. */
function selectRank(order: Uint32Array, keys: Float64Array, low: number, high: number, rank: number): void {
  while (low < high) {
    const pivot = keys[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (keys[i] < pivot) i++;
      while (keys[j] > pivot) j--;
      if (i <= j) swap(order, keys, i++, j--);
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else return;
  }
}

interface BlockParts {
  readonly vertices: Float64Array;
  readonly triangles: Uint32Array;
  readonly bounds: Float64Array;
  readonly origin: Float64Array;
  readonly corners: Float64Array;
  readonly order: Uint32Array;
  readonly depth: number;
}

function assembleBlock(store: NodeStore, kind: number, parts: BlockParts): ArrayBuffer {
  const { vertices, triangles, bounds, origin, corners, order } = parts;
  const nodeBytes = store.count * nodeWords(kind) * 4;
  const trianglesOffset = TREE_HEADER_BYTES + nodeBytes;
  const idsOffset = trianglesOffset + order.length * TRIANGLE_BYTES;
  const bytes = Math.ceil((idsOffset + order.length * 4) / 16) * 16;
  if (order.length > LEAF_FIRST_MASK || trianglesOffset > 0x7fffffff) {
    throw new RangeError(
      `buildMeshBvh: mesh, got ${order.length} triangles (${bytes} bytes), expected nodes below 2147483647 bytes`,
    );
  }
  const block = new ArrayBuffer(bytes);
  const u32 = new Uint32Array(block);
  const f64 = new Float64Array(block);
  u32[0] = TREE_MAGIC;
  u32[1] = TREE_VERSION;
  u32[TREE_NODE_KIND / 4] = kind;
  u32[TREE_NODE_COUNT / 4] = store.count;
  u32[TREE_TRIANGLE_COUNT / 4] = order.length;
  u32[TREE_BLOCK_BYTES / 4] = bytes;
  u32[TREE_TRIANGLES_OFFSET / 4] = trianglesOffset;
  u32[TREE_IDS_OFFSET / 4] = idsOffset;
  u32[TREE_DEPTH / 4] = parts.depth;
  f64.set(origin, TREE_ORIGIN / 8);
  f64.set(bounds, TREE_BOUNDS / 8);
  f64[TREE_RADIUS / 8] = measureRadius(corners);
  u32.set(store.u32.subarray(0, nodeBytes / 4), TREE_HEADER_BYTES / 4);
  writeTriangles(f64, trianglesOffset / 8, vertices, triangles, order);
  u32.set(order, idsOffset / 4);
  return block;
}

/** Largest distance of a corner from the tree's origin. */
export function measureRadius(corners: Float64Array): number {
  let square = 0;
  for (let i = 0; i < corners.length; i += 3) {
    const d = corners[i] * corners[i] + corners[i + 1] * corners[i + 1] + corners[i + 2] * corners[i + 2];
    if (d > square) square = d;
  }
  return Math.sqrt(square);
}

/**
 * Which of a triangle's corners is stored first: the one between the two shorter edges, since their cross product is the
 * most accurate normal.
 */
export function firstCorner(vertices: Float64Array, triangles: Uint32Array, triangle: number): number {
  let longest = -1;
  let corner = 0;
  for (let c = 0; c < 3; c++) {
    const p = triangles[3 * triangle + ((c + 1) % 3)] * 3;
    const q = triangles[3 * triangle + ((c + 2) % 3)] * 3;
    const x = vertices[p] - vertices[q];
    const y = vertices[p + 1] - vertices[q + 1];
    const z = vertices[p + 2] - vertices[q + 2];
    const square = x * x + y * y + z * z;
    if (square > longest) {
      longest = square;
      corner = c;
    }
  }
  return corner;
}

/** Copies the exact coordinates of a triangle to f64[at .. at + 9), the best corner first, the winding kept. */
export function writeTriangle(
  f64: Float64Array,
  at: number,
  vertices: Float64Array,
  triangles: Uint32Array,
  triangle: number,
): void {
  const first = firstCorner(vertices, triangles, triangle);
  for (let c = 0; c < 3; c++) {
    const v = triangles[3 * triangle + ((first + c) % 3)] * 3;
    f64[at + 3 * c] = vertices[v];
    f64[at + 3 * c + 1] = vertices[v + 1];
    f64[at + 3 * c + 2] = vertices[v + 2];
  }
}

/** Writes the triangles of `order` to f64[at ..]. */
export function writeTriangles(
  f64: Float64Array,
  at: number,
  vertices: Float64Array,
  triangles: Uint32Array,
  order: ArrayLike<number>,
): void {
  for (let i = 0; i < order.length; i++) writeTriangle(f64, at + 9 * i, vertices, triangles, order[i]);
}

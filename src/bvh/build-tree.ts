/**
 * Builds the four-wide tree over the triangles of a mesh, as one relocatable block (layout in kernel/layout.ts).
 *
 * Method: top-down; a range of triangles is split in two (split-range.ts), the larger half again, and once more, which
 * gives the four children of a node.
 *
 * Source: Wald, Benthin, Boulos 2008, "Getting rid of packets", section 3 (collapse to wide nodes),
 *   doi:10.1109/RT.2008.4634620.
 * No recursion. Cost: O(n log n). Tests: mesh-bvh.test.ts.
 */
import {
  LEAF_FIRST_MASK,
  TREE_BLOCK_BYTES,
  TREE_BOUNDS,
  TREE_DEPTH,
  TREE_FITTER,
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
import { copyBox, createFittedBox, createTriangleSet, type FitRule, type FittedBox, fitBox } from './fit-box.js';
import {
  createSplitContext,
  type Part,
  type SplitContext,
  splitPart,
  type TreeRule,
  usesBounds,
} from './split-range.js';
import { childWords, clearNode, leafReference, nodeWords, writeBox } from './tree-nodes.js';

/** Triangles per leaf. */
export const LEAF_TRIANGLES = 1;

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

export function buildTree(vertices: Float64Array, triangles: Uint32Array, options: TreeRule): ArrayBuffer {
  const count = triangles.length / 3;
  const bounds = boundTriangles(vertices, triangles);
  const origin = new Float64Array(3);
  if (count > 0) for (let k = 0; k < 3; k++) origin[k] = (bounds[k] + bounds[k + 3]) / 2;
  const corners = gatherCorners(vertices, triangles, origin);
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;

  const { rule } = options;
  const store = createNodeStore(rule.kind, count);
  const depth =
    count > 0
      ? splitAll(
          store,
          createSplitContext(options, createTriangleSet(corners, order, rule.kind, usesBounds(options.split))),
        )
      : 0;
  return assembleBlock(store, rule, { vertices, triangles, bounds, origin, corners, order, depth });
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
function splitAll(store: NodeStore, context: SplitContext): number {
  const { rule, set } = context;
  const { kind } = rule;
  const words = nodeWords(kind);
  const child = childWords(kind);
  const parts: Part[] = [0, 1, 2, 3].map(() => ({ start: 0, count: 0, depth: 0, box: createFittedBox() }));
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

  parts[0].count = set.order.length;
  fitBox(parts[0].box, rule, set, 0, set.order.length);
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
      splitPart(parts[largest], parts[used], context);
      used++;
    }
    for (let lane = 0; lane < used; lane++) place(parts[lane], level, node * words + lane);
  }
  return levels;
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

function assembleBlock(store: NodeStore, { kind, fitter }: FitRule, parts: BlockParts): ArrayBuffer {
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
  u32[TREE_FITTER / 4] = fitter;
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

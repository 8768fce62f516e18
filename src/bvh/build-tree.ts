/**
 * Builds the four-wide tree over the triangles of a mesh, as one relocatable block (layout in kernel/layout.ts).
 *
 * The kernel splits, fits and writes the nodes (assembly/mesh/build.ts); here the block is placed and everything else in it is
 * written: header, exact triangles. The work area, about 210 to 400 bytes per triangle, is given back to the kernel's
 * heap. Cost: O(n log n). Tests: mesh-bvh.test.ts.
 */

import type { Kernel } from '../kernel/kernel.js';
import {
  FIT_RAPID2_HULL,
  LEAF_FIRST_MASK,
  SPLIT_AREA,
  SPLIT_BINNED,
  SPLIT_BINNED_LONGEST,
  SPLIT_LONGEST,
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
import { meshBuild } from '../kernel/parts/mesh-build.js';
import { MisuseError } from '../math/misuse.js';
import { writeHull } from './fitters.js';
import { nodeWords } from './tree-nodes.js';

/** How a range of triangles is split, see assembly/mesh/split.ts. */
export type SplitRule = 'longest' | 'area' | 'binned' | 'binned-longest';

/** How a tree is built. */
export interface TreeRule {
  /** One of the node kinds of kernel/layout.ts. */
  readonly kind: number;
  /** Code of the fitter, see fitters.ts. */
  readonly fitter: number;
  readonly split: SplitRule;
}

const SPLIT_CODES: Readonly<Record<SplitRule, number>> = {
  longest: SPLIT_LONGEST,
  area: SPLIT_AREA,
  binned: SPLIT_BINNED,
  'binned-longest': SPLIT_BINNED_LONGEST,
};

export function splitCode(split: SplitRule): number {
  return SPLIT_CODES[split];
}

/** Writes the corners of every triangle relative to `origin`, 9 numbers each. */
export function gatherCorners(
  corners: Float64Array,
  vertices: Float64Array,
  triangles: Uint32Array,
  origin: Float64Array,
): void {
  const [x, y, z] = origin;
  for (let i = 0, at = 0; i < triangles.length; i++, at += 3) {
    const v = triangles[i] * 3;
    corners[at] = vertices[v] - x;
    corners[at + 1] = vertices[v + 1] - y;
    corners[at + 2] = vertices[v + 2] - z;
  }
}

/** Bounds [min, max] of the vertices that triangles use; +-Infinity reversed when there is none. */
export function boundTriangles(vertices: Float64Array, triangles: Uint32Array): Float64Array {
  let [lowX, lowY, lowZ, highX, highY, highZ] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < triangles.length; i++) {
    const v = triangles[i] * 3;
    const x = vertices[v];
    const y = vertices[v + 1];
    const z = vertices[v + 2];
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
    if (z < lowZ) lowZ = z;
    if (z > highZ) highZ = z;
  }
  return Float64Array.of(lowX, lowY, lowZ, highX, highY, highZ);
}

/** Middle of bounds [min, max]. */
export function middleOf(bounds: Float64Array): Float64Array {
  return Float64Array.from({ length: 3 }, (_, k) => (bounds[k] + bounds[k + 3]) / 2);
}

/** Calls `use` with the address of a work area of the kernel, and gives the area back. */
export function withWorkArea<T>(kernel: Kernel, bytes: number, use: (work: number) => T): T {
  const work = kernel.allocate(bytes);
  try {
    return use(work);
  } finally {
    kernel.release(work);
  }
}

/** Builds the tree in the kernel; returns the address of its block. */
export function buildTree(kernel: Kernel, vertices: Float64Array, triangles: Uint32Array, rule: TreeRule): number {
  const count = triangles.length / 3;
  const bounds = boundTriangles(vertices, triangles);
  if (count === 0) {
    const block = allocateBlock(kernel, rule, 0, 1);
    kernel.f64.set(bounds, (block + TREE_BOUNDS) / 8);
    return block;
  }
  const { kind, fitter } = rule;
  const split = splitCode(rule.split);
  if (fitter === FIT_RAPID2_HULL) kernel.hullWriter = writeHull;
  return withWorkArea(kernel, kernel.part(meshBuild).buildWorkBytes(count, fitter, split) >>> 0, (work) => {
    const corners = kernel.f64.subarray(work / 8, work / 8 + 9 * count);
    const origin = middleOf(bounds);
    gatherCorners(corners, vertices, triangles, origin);
    const radius = measureRadius(corners);
    const nodes = kernel.part(meshBuild).planTree(work, count, kind, fitter, split);
    const block = allocateBlock(kernel, rule, count, nodes);
    kernel.part(meshBuild).writeTree(block);
    writeFrame(kernel, block, origin, bounds, radius);
    const { u32, f64 } = kernel;
    u32[(block + TREE_DEPTH) / 4] = kernel.part(meshBuild).plannedLevels();
    const ids = (block + u32[(block + TREE_IDS_OFFSET) / 4]) / 4;
    const to = (block + u32[(block + TREE_TRIANGLES_OFFSET) / 4]) / 8;
    writeTriangles(f64, to, vertices, triangles, u32.subarray(ids, ids + count));
    return block;
  });
}

/** Allocates and clears a block, and writes the header's counts and offsets. */
function allocateBlock(kernel: Kernel, { kind, fitter }: TreeRule, count: number, nodes: number): number {
  const trianglesOffset = TREE_HEADER_BYTES + nodes * nodeWords(kind) * 4;
  const idsOffset = trianglesOffset + count * TRIANGLE_BYTES;
  const bytes = Math.ceil((idsOffset + count * 4) / 16) * 16;
  if (count > LEAF_FIRST_MASK || trianglesOffset > 0x7fffffff) {
    throw new MisuseError(
      `buildMeshBvh: mesh, got ${count} triangles (${bytes} bytes), expected nodes below 2147483647 bytes`,
    );
  }
  const block = kernel.allocate(bytes);
  const u32 = kernel.u32;
  const at = block / 4;
  u32.fill(0, at, at + (TREE_HEADER_BYTES + nodeWords(kind) * 4) / 4);
  u32.fill(0, (block + idsOffset) / 4, (block + bytes) / 4);
  u32[at] = TREE_MAGIC;
  u32[at + 1] = TREE_VERSION;
  u32[at + TREE_NODE_KIND / 4] = kind;
  u32[at + TREE_NODE_COUNT / 4] = nodes;
  u32[at + TREE_TRIANGLE_COUNT / 4] = count;
  u32[at + TREE_BLOCK_BYTES / 4] = bytes;
  u32[at + TREE_TRIANGLES_OFFSET / 4] = trianglesOffset;
  u32[at + TREE_IDS_OFFSET / 4] = idsOffset;
  u32[at + TREE_FITTER / 4] = fitter;
  return block;
}

/** Writes what the header says about the tree's frame. */
export function writeFrame(
  kernel: Kernel,
  block: number,
  origin: Float64Array,
  bounds: Float64Array,
  radius: number,
): void {
  const { f64 } = kernel;
  f64.set(origin, (block + TREE_ORIGIN) / 8);
  f64.set(bounds, (block + TREE_BOUNDS) / 8);
  f64[(block + TREE_RADIUS) / 8] = radius;
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
  const p = triangles[3 * triangle] * 3;
  const q = triangles[3 * triangle + 1] * 3;
  const r = triangles[3 * triangle + 2] * 3;
  const across = squaredLength(vertices, q, r);
  const second = squaredLength(vertices, r, p);
  const third = squaredLength(vertices, p, q);
  if (second > across) return third > second ? 2 : 1;
  return third > across ? 2 : 0;
}

function squaredLength(vertices: Float64Array, p: number, q: number): number {
  const x = vertices[p] - vertices[q];
  const y = vertices[p + 1] - vertices[q + 1];
  const z = vertices[p + 2] - vertices[q + 2];
  return x * x + y * y + z * z;
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
  const from = 3 * triangle;
  const p = triangles[from + first] * 3;
  const q = triangles[from + (first === 2 ? 0 : first + 1)] * 3;
  const r = triangles[from + (first === 0 ? 2 : first - 1)] * 3;
  f64[at] = vertices[p];
  f64[at + 1] = vertices[p + 1];
  f64[at + 2] = vertices[p + 2];
  f64[at + 3] = vertices[q];
  f64[at + 4] = vertices[q + 1];
  f64[at + 5] = vertices[q + 2];
  f64[at + 6] = vertices[r];
  f64[at + 7] = vertices[r + 1];
  f64[at + 8] = vertices[r + 2];
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

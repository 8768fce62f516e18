/**
 * Shapes that consist of many parts, as blocks of bytes that records point to: trees of triangles, cubes or points, and for solids what
 * tells whether a point is inside.
 *
 * A hull has the planes of its faces (16 bytes each: unit normal, offset), a closed mesh and a height field with a floor a grid of cells
 * (inside-grid.ts), a cloud the lists of affordance-tree.ts where they are worth their bytes. Coordinates are those of the shape, seen from
 * the middle of its box. Blocks are kept as long as their shape. Tested by obstacle-kinds.test.ts.
 */
import { meshHeightField } from '../../geometry/height-field.js';
import { buildConvexHull } from '../../geometry/hull.js';
import { reportMesh } from '../../geometry/mesh-report.js';
import type { Convex, HeightField, Mesh, Octree, PointCloud, Shape } from '../../geometry/shapes.js';
import { insideMesh } from '../../geometry/sphere-proof/inside-mesh.js';
import type { AffordanceTree } from './affordance-tree.js';
import { buildAffordanceTree } from './affordance-tree.js';
import { buildInsideGrid } from './inside-grid.js';
import { InsideKind } from './obstacle-records.js';
import {
  buildCubeTree,
  buildPointTree,
  buildTriangleTree,
  NODE_BYTES,
  PRIMITIVE_BYTES,
  type PrimitiveName,
  type PrimitiveTree,
} from './primitive-tree.js';

export type TreeShape = Convex | Mesh | HeightField | Octree | PointCloud;

export function isTreeShape(shape: Shape): shape is TreeShape {
  return ['convex', 'mesh', 'heightfield', 'octree', 'points'].includes(shape.type);
}

export interface TreeBlock {
  readonly primitive: PrimitiveName;
  readonly bytes: Uint8Array;
  readonly nodesEnd: number;
  /** Of the box, in the shape's frame. */
  readonly center: readonly number[];
  readonly half: readonly number[];
  readonly inside: { readonly kind: number; readonly place: number; readonly count: number };
  /** Edge of the grid's cells; 0 without one. */
  readonly cell: number;
  /** The same without lists; null where there are none. */
  readonly bare: TreeBlock | null;
  readonly lists: {
    readonly place: number;
    readonly entries: number;
    readonly levels: number;
    readonly largest: number;
  } | null;
}

/** Radii of the spheres that are compared, with the errors of their places. */
export interface RadiusRange {
  readonly smallest: number;
  readonly largest: number;
  readonly slack: number;
}

/** Clouds of fewer points are left to their boxes. */
const LEAST_LISTED = 64;
/** Of a cloud, for ranges of radii. */
const MOST_KEPT = 4;
const blocks = new WeakMap<object, TreeBlock>();
/** Of meshes whose inside does not count. */
const surfaces = new WeakMap<object, TreeBlock>();
const listed = new WeakMap<object, { readonly range: RadiusRange; readonly block: TreeBlock }[]>();

/** `range`: null where no lists are wanted. */
export function blockOf(shape: TreeShape, range: RadiusRange | null): TreeBlock {
  const data = shape.type === 'mesh' ? shape.mesh : shape;
  const known = shape.type === 'mesh' && shape.mode === 'surface' ? surfaces : blocks;
  let block = known.get(data);
  if (!block) {
    block = buildBlock(shape);
    known.set(data, block);
  }
  if (shape.type !== 'points' || range === null || shape.points.length < 3 * LEAST_LISTED) return block;
  const made = listed.get(shape) ?? [];
  listed.set(shape, made);
  const fitting = made.find(
    ({ range: { smallest, largest } }) => smallest === range.smallest && largest === range.largest,
  );
  if (fitting) return fitting.block;
  const withLists = addLists(shape, block, range);
  if (made.push({ range, block: withLists }) > MOST_KEPT) made.shift();
  return withLists;
}

/** Bytes at most, before anything is built. */
export function boundBlockBytes(shape: TreeShape): number {
  const tree = (count: number, name: PrimitiveName): number => count * (PRIMITIVE_BYTES[name] + 2 * NODE_BYTES) + 1024;
  switch (shape.type) {
    case 'points':
      // Lists hold at most forty times the points.
      return tree(shape.points.length / 3, 'point') + (shape.points.length / 3) * 16 * 44;
    case 'octree':
      return tree(shape.cells.length / 4, 'cube');
    case 'convex':
      return tree((2 * shape.points.length) / 3, 'triangle') + 16 * shape.points.length;
    case 'heightfield':
      return tree(4 * shape.rows * shape.columns + 8 * (shape.rows + shape.columns), 'triangle') + 2 ** 17;
    case 'mesh':
      return tree(shape.mesh.triangles.length / 3, 'triangle') + 2 ** 17;
  }
}

function buildBlock(shape: TreeShape): TreeBlock {
  switch (shape.type) {
    case 'points': {
      const center = middleOf(shape.points);
      return finish('point', buildPointTree(shift(shape.points, center)), center, null);
    }
    case 'octree':
      return buildCubes(shape);
    case 'convex':
      return buildHull(shape);
    case 'heightfield': {
      const mesh = meshHeightField(shape);
      return buildMesh(mesh.vertices, mesh.triangles, shape.floor === undefined ? null : true);
    }
    case 'mesh': {
      const { vertices, triangles } = shape.mesh;
      const { watertight, consistentlyOriented } = reportMesh(shape.mesh);
      return buildMesh(vertices, triangles, watertight && shape.mode !== 'surface' ? consistentlyOriented : null);
    }
  }
}

function buildCubes({ resolution, cells }: Octree): TreeBlock {
  const boxes = new Float64Array((6 * cells.length) / 4);
  for (let i = 0, at = 0; i < cells.length; i += 4, at += 6)
    for (let k = 0; k < 3; k++) {
      boxes[at + k] = resolution * cells[i + k];
      boxes[at + 3 + k] = resolution * (cells[i + k] + cells[i + 3]);
    }
  const center = middleOf(boxes);
  return finish('cube', buildCubeTree(shift(boxes, center)), center, null);
}

/** A hull without volume is its triangles; one without area a segment. */
function buildHull({ points }: Convex): TreeBlock {
  const { dimension, vertices, triangles } = buildConvexHull(points);
  const center = middleOf(vertices);
  const moved = shift(vertices, center);
  const sides = dimension >= 2 ? triangles : [0, moved.length / 3 - 1, moved.length / 3 - 1];
  const tree = buildTriangleTree(moved, sides);
  if (dimension < 3) return finish('triangle', tree, center, null);
  const planes: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((n) => [0, 1, 2].map((k) => moved[3 * triangles[t + n] + k]));
    const [u, v] = [b, c].map((p) => p.map((x, k) => x - a[k]));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2);
    // Left out, a plane only makes more places count as inside.
    if (!(length > 1e-9 * Math.max(...u.map(Math.abs), ...v.map(Math.abs)) ** 2)) continue;
    const unit = n.map((x) => x / length);
    let offset = -Infinity;
    for (let i = 0; i < moved.length; i += 3)
      offset = Math.max(offset, unit[0] * moved[i] + unit[1] * moved[i + 1] + unit[2] * moved[i + 2]);
    planes.push(...unit, offset);
  }
  return finish('triangle', tree, center, {
    kind: InsideKind.planes,
    bytes: new Uint8Array(Float32Array.from(planes).buffer),
    count: planes.length / 4,
  });
}

/** `isOriented`: null where only the surface counts. */
function buildMesh(vertices: Float64Array, triangles: ArrayLike<number>, isOriented: boolean | null): TreeBlock {
  const used = new Float64Array(3 * triangles.length);
  for (let i = 0; i < triangles.length; i++) used.set(vertices.subarray(3 * triangles[i], 3 * triangles[i] + 3), 3 * i);
  const center = middleOf(used);
  const moved = shift(vertices, center);
  const tree = buildTriangleTree(moved, triangles);
  if (isOriented === null) return finish('triangle', tree, center, null);
  const rule = insideMesh({ vertices: moved, triangles: Uint32Array.from(triangles) }, isOriented);
  const bytes = buildInsideGrid(moved, triangles, tree.box, rule);
  return finish('triangle', tree, center, { kind: InsideKind.grid, bytes, count: 0 });
}

function finish(
  primitive: PrimitiveName,
  { bytes, nodesEnd, box }: PrimitiveTree,
  center: readonly number[],
  inside: { readonly kind: number; readonly bytes: Uint8Array; readonly count: number } | null,
): TreeBlock {
  const place = 16 * Math.ceil(bytes.length / 16);
  const all = new Uint8Array(place + (inside?.bytes.length ?? 0));
  all.set(bytes);
  if (inside) all.set(inside.bytes, place);
  const isGrid = inside?.kind === InsideKind.grid;
  return {
    primitive,
    bytes: all,
    nodesEnd,
    center,
    half: [0, 1, 2].map((k) => Math.max(-box[k], box[3 + k])),
    inside: inside ? { kind: inside.kind, place, count: inside.count } : { kind: InsideKind.none, place: 0, count: 0 },
    cell: isGrid ? 1 / new Float32Array(inside.bytes.buffer, 16, 1)[0] : 0,
    bare: null,
    lists: null,
  };
}

function addLists(shape: PointCloud, block: TreeBlock, range: RadiusRange): TreeBlock {
  const grown = (r: number): number => r + shape.radius;
  const tree: AffordanceTree | null = buildAffordanceTree(shift(shape.points, block.center), {
    smallest: grown(range.smallest),
    largest: grown(range.largest),
    slack: range.slack,
  });
  if (tree === null) return block;
  const place = 16 * Math.ceil(block.bytes.length / 16);
  const bytes = new Uint8Array(place + tree.bytes.length);
  bytes.set(block.bytes);
  bytes.set(tree.bytes, place);
  return {
    ...block,
    bytes,
    bare: block,
    lists: { place, entries: tree.entries, levels: tree.levels, largest: grown(range.largest) },
  };
}

function middleOf(points: ArrayLike<number>): number[] {
  return [0, 1, 2].map((k) => {
    let low = Infinity;
    let high = -Infinity;
    for (let i = k; i < points.length; i += 3) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    return 0.5 * (low + high);
  });
}

function shift(points: ArrayLike<number>, center: readonly number[]): Float64Array {
  return Float64Array.from(points as Float64Array, (x, i) => x - center[i % 3]);
}

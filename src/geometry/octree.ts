/**
 * Occupied cubes: points sorted into cells, eight full siblings merged into their parent, and the outside as a mesh.
 *
 * Cells lie on the grid through the origin: cell i spans [i, i + 1) resolution on each axis. A cube of edge 2^n begins at
 * multiples of 2^n, as in an octree, so merging is the octree's pruning: union and outside stay the same.
 * Source: Hornung, Wurm, Bennewitz, Stachniss, Burgard 2013, "OctoMap: an efficient probabilistic 3D mapping framework based
 * on octrees", section 3.5, doi:10.1007/s10514-012-9321-0.
 * Cost: linear, by hashing; about a microsecond a cell. Checked by octree.test.ts and test/contract/large-octree.test.ts.
 */
import { requireArray, requireFinite, throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { NumericArray } from '../math/vec3.js';
import { LONGEST } from './shape-range.js';
import { requirePositive } from './shapes/checks.js';
import type { Octree } from './shapes.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Largest coordinate of a cell: differences of two still fit a 32-bit integer. */
const MAX_CELL = 2 ** 30 - 1;
/** Largest cube that merging makes, in cells. */
const MAX_EDGE = 2 ** 16;

/** Throws a `validateShape: ...` where the cells are no cubes of a grid in range. */
export function validateOctree(shape: Octree): void {
  requirePositive('octree', 'resolution', shape.resolution);
  const { cells } = shape;
  if (!(cells instanceof Int32Array) || cells.length === 0 || cells.length % 4 !== 0)
    throw new MisuseError(
      `validateShape: octree cells, got ${cells?.length} numbers, expected an Int32Array of 4 per cube and at least one cube`,
    );
  let farthest = 0;
  for (let i = 0; i < cells.length; i += 4) {
    if (!(cells[i + 3] > 0))
      throw new MisuseError(`validateShape: octree cells[${i + 3}], got edge ${cells[i + 3]}, expected 1 cell or more`);
    for (let k = 0; k < 3; k++)
      farthest = Math.max(farthest, Math.abs(cells[i + k]), Math.abs(cells[i + k] + cells[i + 3]));
  }
  if (farthest * shape.resolution > LONGEST)
    throw new MisuseError(
      `validateShape: octree cells, got one at ${farthest * shape.resolution}, expected coordinates of at most ${LONGEST}`,
    );
}

/** Set of cubes by lowest corner and edge; keeps the order of insertion. */
class CubeTable {
  /** x y z edge per cube. */
  cubes: Int32Array;
  size = 0;
  private slots: Int32Array;
  private mask: number;

  constructor(expected: number) {
    let capacity = 16;
    while (capacity < 2 * expected) capacity *= 2;
    this.slots = new Int32Array(capacity);
    this.mask = capacity - 1;
    this.cubes = new Int32Array(4 * Math.max(4, expected));
  }

  /** Index of the cube, or -1. */
  find(x: number, y: number, z: number, edge: number): number {
    const { slots, mask, cubes } = this;
    for (let slot = hashCube(x, y, z, edge) & mask; ; slot = (slot + 1) & mask) {
      const i = slots[slot] - 1;
      if (i < 0) return -1;
      const at = 4 * i;
      if (cubes[at] === x && cubes[at + 1] === y && cubes[at + 2] === z && cubes[at + 3] === edge) return i;
    }
  }

  /** Index of the cube, added if it is new. */
  add(x: number, y: number, z: number, edge: number): number {
    const known = this.find(x, y, z, edge);
    if (known >= 0) return known;
    if (2 * (this.size + 1) > this.slots.length) this.grow();
    const i = this.size++;
    if (4 * this.size > this.cubes.length) {
      const more = new Int32Array(2 * this.cubes.length);
      more.set(this.cubes);
      this.cubes = more;
    }
    const { cubes } = this;
    cubes[4 * i] = x;
    cubes[4 * i + 1] = y;
    cubes[4 * i + 2] = z;
    cubes[4 * i + 3] = edge;
    this.insert(i);
    return i;
  }

  private insert(i: number): void {
    const { slots, mask, cubes } = this;
    let slot = hashCube(cubes[4 * i], cubes[4 * i + 1], cubes[4 * i + 2], cubes[4 * i + 3]) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = i + 1;
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length);
    this.mask = this.slots.length - 1;
    for (let i = 0; i < this.size; i++) this.insert(i);
  }
}

function hashCube(x: number, y: number, z: number, edge: number): number {
  let hash =
    Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^ Math.imul(z, 0xc2b2ae35) ^ Math.imul(edge, 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/**
 * Merges eight full siblings of equal size into their parent until none are left; cubes come back in order of size, then
 * as given. Cubes that are no octree cubes (edge no power of two, or begun elsewhere) stay as they are.
 */
export function mergeCells(cells: Int32Array): Int32Array {
  if (!(cells instanceof Int32Array) || cells.length % 4 !== 0)
    throwMisuse('mergeCells', 'cells', cells, 'an Int32Array of 4 per cube');
  const byEdge = new Map<number, CubeTable>();
  const odd: number[] = [];
  for (let i = 0; i < cells.length; i += 4) {
    const [x, y, z, edge] = [cells[i], cells[i + 1], cells[i + 2], cells[i + 3]];
    const mask = edge - 1;
    if ((edge & mask) !== 0 || ((x | y | z) & mask) !== 0) odd.push(x, y, z, edge);
    else tableOf(byEdge, edge, cells.length / 4).add(x, y, z, edge);
  }
  const out: Int32Array[] = [];
  for (let edge = 1; edge <= 2 ** 30; edge *= 2) {
    const table = byEdge.get(edge);
    if (!table) continue;
    const { cubes, size } = table;
    byEdge.delete(edge);
    if (edge >= MAX_EDGE) {
      out.push(cubes.slice(0, 4 * size));
      continue;
    }
    const parents = new CubeTable(size >> 2);
    const counts = new Uint8Array(size);
    const parent = new Int32Array(size);
    const mask = ~(2 * edge - 1);
    for (let i = 0; i < size; i++) {
      const p = parents.add(cubes[4 * i] & mask, cubes[4 * i + 1] & mask, cubes[4 * i + 2] & mask, 2 * edge);
      counts[p]++;
      parent[i] = p;
    }
    let kept = 0;
    for (let i = 0; i < size; i++) if (counts[parent[i]] < 8) cubes.copyWithin(4 * kept++, 4 * i, 4 * i + 4);
    out.push(cubes.slice(0, 4 * kept));
    const q = parents.cubes;
    for (let p = 0; p < parents.size; p++)
      if (counts[p] === 8) tableOf(byEdge, 2 * edge, parents.size).add(q[4 * p], q[4 * p + 1], q[4 * p + 2], 2 * edge);
  }
  out.push(Int32Array.from(odd));
  const merged = new Int32Array(out.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of out) {
    merged.set(list, at);
    at += list.length;
  }
  return merged;
}

function tableOf(byEdge: Map<number, CubeTable>, edge: number, expected: number): CubeTable {
  let table = byEdge.get(edge);
  if (!table) {
    table = new CubeTable(Math.min(expected, 2 ** 20));
    byEdge.set(edge, table);
  }
  return table;
}

/**
 * The cells that points (3 numbers each) lie in, as an octree shape, merged. Every point lies in a cube of the result.
 * Throws on no points, on coordinates that are not finite and on those more than 2^30 cells from the origin.
 */
export function voxelizePoints(points: NumericArray, resolution: number): Octree {
  requireFinite('voxelizePoints', 'resolution', resolution);
  requireArray('voxelizePoints', 'points', points);
  if (!(Number.isFinite(resolution) && resolution > 0))
    throw new MisuseError(`voxelizePoints: resolution, got ${resolution}, expected a positive finite number`);
  if (points.length < 3 || points.length % 3 !== 0)
    throw new MisuseError(`voxelizePoints: points, got ${points.length} numbers, expected 3 per point, at least one`);
  const table = new CubeTable(Math.min(points.length / 3, 2 ** 20));
  const cell = [0, 0, 0];
  for (let i = 0; i < points.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const c = Math.floor(points[i + k] / resolution);
      if (!(Math.abs(c) <= MAX_CELL))
        throw new MisuseError(
          `voxelizePoints: points[${i + k}], got ${points[i + k]}, expected a number within ${MAX_CELL} cells of ${resolution}`,
        );
      cell[k] = c;
    }
    table.add(cell[0], cell[1], cell[2], 1);
  }
  return { type: 'octree', resolution, cells: mergeCells(table.cubes.subarray(0, 4 * table.size)) };
}

/** Corners of a square face, in the two axes across it. */
const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;

/**
 * The outside of an octree as triangles, wound outward; faces between cubes of equal size are left out, those between
 * cubes of different sizes stay. For pictures: it need not be watertight.
 */
export function meshOctree(octree: Octree): TriangleMesh {
  if (octree?.type !== 'octree') throwMisuse('meshOctree', 'octree', octree, "a shape of type 'octree'");
  validateOctree(octree);
  const { resolution, cells } = octree;
  const table = new CubeTable(cells.length / 4);
  for (let i = 0; i < cells.length; i += 4) table.add(cells[i], cells[i + 1], cells[i + 2], cells[i + 3]);
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < cells.length; i += 4) {
    const low = [cells[i], cells[i + 1], cells[i + 2]];
    const edge = cells[i + 3];
    for (let side = 0; side < 6; side++) {
      const axis = side >> 1;
      const isUpper = side % 2 === 1;
      const beyond = low.slice();
      beyond[axis] += isUpper ? edge : -edge;
      if (table.find(beyond[0], beyond[1], beyond[2], edge) >= 0) continue;
      const first = vertices.length / 3;
      for (const [u, v] of CORNERS) {
        const corner = low.slice();
        if (isUpper) corner[axis] += edge;
        corner[(axis + 1) % 3] += u * edge;
        corner[(axis + 2) % 3] += v * edge;
        vertices.push(...corner.map((c) => c * resolution));
      }
      if (isUpper) triangles.push(first, first + 1, first + 2, first, first + 2, first + 3);
      else triangles.push(first, first + 2, first + 1, first, first + 3, first + 2);
    }
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/**
 * Which vertices of a hull can be farthest along a direction: a map of directions whose cells list their candidates.
 *
 * Method: 1. directions are laid on a square by the octahedral map: the octahedron |x| + |y| + |z| = 1 seen from above, its
 * lower faces folded out to the corners; within half a cell (the diagonals of the folds cut cells in two) a
 * direction is linear in the square's coordinates, so a vertex's height along it is too, and a vertex that another one tops
 * at a cell's four corners is topped in the whole cell; 2. the vertices that are farthest somewhere in a cell hang
 * together along hull edges, so they are collected from the one that is farthest at the cell's middle, leaving out what
 * a neighbour tops; 3. the middle's farthest vertex comes by climbing along hull edges from that of the cell before: a linear
 * function has no local maximum on a convex surface.
 * Source: the octahedral map, Meyer and others 2010, "On floating-point normal vectors", section 3.3,
 * doi:10.1111/j.1467-8659.2010.01737.x; the climb, van den Bergen 2003, "Collision detection in interactive 3D environments",
 * section 4.3.4; lists of candidates are ours.
 * Frames: the hull's. Cost: some ten microseconds per vertex to build, up to MAX_CELLS^2 cells; no branches to look up.
 * Checked by support.test.ts.
 */
import type { ConvexHull } from './hull-flat.js';

/** Most and least cells along a side of the square; even, so that the octahedron's edges run between cells. */
const MAX_CELLS = 64;
const MIN_CELLS = 8;
/** Cells for each vertex: most cells then have one candidate or two. */
const CELLS_PER_VERTEX = 12;

export class SupportMap {
  constructor(
    /** Cells along a side of the square. */
    readonly cells: number,
    /** Candidates of cell c are vertices[start[c] .. start[c + 1]], as offsets in the points, an even number of them. */
    readonly start: Int32Array,
    readonly vertices: Int32Array,
  ) {}
}

/** Neighbours in compressed rows: those of vertex i are edges[start[i] .. start[i + 1]]. */
interface HullEdges {
  readonly points: Float64Array;
  readonly start: Int32Array;
  readonly edges: Int32Array;
}

function collectEdges({ vertices, triangles }: ConvexHull): HullEdges {
  const count = vertices.length / 3;
  const neighbours: Set<number>[] = Array.from({ length: count }, () => new Set());
  for (let i = 0; i < triangles.length; i += 3)
    for (let k = 0; k < 3; k++) {
      const [p, q] = [triangles[i + k], triangles[i + ((k + 1) % 3)]];
      neighbours[p].add(q);
      neighbours[q].add(p);
    }
  const start = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) start[i + 1] = start[i] + neighbours[i].size;
  return {
    points: vertices,
    start,
    edges: Int32Array.from(neighbours.flatMap((row) => [...row].sort((i, j) => i - j))),
  };
}

function findCell(cells: number, x: number, y: number, z: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const scale = 1 / (ax + ay + Math.abs(z));
  const fx = z < 0 ? 1 - ay * scale : ax * scale;
  const fy = z < 0 ? 1 - ax * scale : ay * scale;
  const half = 0.5 * cells;
  const i = Math.min(half + (x < 0 ? -fx : fx) * half, cells - 1) | 0;
  const j = Math.min(half + (y < 0 ? -fy : fy) * half, cells - 1) | 0;
  return i * cells + j;
}

/** Offset in `points` of the vertex farthest along (x, y, z), which is not zero. */
export function findMappedVertex(points: Float64Array, map: SupportMap, x: number, y: number, z: number): number {
  const { start, vertices } = map;
  const cell = findCell(map.cells, x, y, z);
  const end = start[cell + 1];
  let best = vertices[start[cell]];
  let value = points[best] * x + points[best + 1] * y + points[best + 2] * z;
  for (let at = start[cell] + 1; at < end; at++) {
    const i = vertices[at];
    const h = points[i] * x + points[i + 1] * y + points[i + 2] * z;
    if (h > value) {
      value = h;
      best = i;
    }
  }
  return best;
}

const direction = new Float64Array(3);
/** Directions at the corners of a cell. */
const corners = new Float64Array(12);

/** Direction of the square's point (u, v), both from -1 to 1. */
function setDirection(out: Float64Array, at: number, u: number, v: number): void {
  const [au, av] = [Math.abs(u), Math.abs(v)];
  const isFolded = au + av > 1;
  out[at] = isFolded ? (u < 0 ? av - 1 : 1 - av) : u;
  out[at + 1] = isFolded ? (v < 0 ? au - 1 : 1 - au) : v;
  out[at + 2] = 1 - au - av;
}

function heightOf(points: Float64Array, i: number, d: Float64Array, at: number): number {
  return points[3 * i] * d[at] + points[3 * i + 1] * d[at + 1] + points[3 * i + 2] * d[at + 2];
}

/** The vertex farthest along `direction`, uphill from vertex `from`. */
function climb({ points, start, edges }: HullEdges, from: number): number {
  let value = heightOf(points, from, direction, 0);
  for (let next = from; ; from = next) {
    for (let e = start[from]; e < start[from + 1]; e++) {
      const h = heightOf(points, edges[e], direction, 0);
      if (h > value) {
        value = h;
        next = edges[e];
      }
    }
    if (next === from) return from;
  }
}

/** Whether vertex j is at least as high as vertex i in the whole cell. */
function tops(points: Float64Array, j: number, i: number): boolean {
  for (let c = 0; c < 12; c += 3) if (heightOf(points, j, corners, c) < heightOf(points, i, corners, c)) return false;
  return true;
}

export function buildSupportMap(hull: ConvexHull): SupportMap {
  const graph = collectEdges(hull);
  const { points, start: first, edges } = graph;
  const count = points.length / 3;
  const wished = 2 * Math.ceil(0.5 * Math.sqrt(CELLS_PER_VERTEX * count));
  const cells = Math.max(MIN_CELLS, Math.min(MAX_CELLS, wished));
  const start = new Int32Array(cells * cells + 1);
  const vertices: number[] = [];
  const seen = new Int32Array(count).fill(-1);
  let farthest = 0;
  for (let cell = 0; cell < cells * cells; cell++) {
    const i = Math.floor(cell / cells);
    const j = cell % cells;
    setDirection(direction, 0, (2 * i + 1) / cells - 1, (2 * j + 1) / cells - 1);
    for (let c = 0; c < 4; c++)
      setDirection(corners, 3 * c, (2 * (i + (c & 1))) / cells - 1, (2 * (j + (c >> 1))) / cells - 1);
    farthest = climb(graph, farthest);
    const from = vertices.length;
    vertices.push(3 * farthest);
    seen[farthest] = cell;
    for (let at = from; at < vertices.length; at++) {
      const v = vertices[at] / 3;
      for (let e = first[v]; e < first[v + 1]; e++) {
        const w = edges[e];
        if (seen[w] === cell) continue;
        seen[w] = cell;
        let isTopped = false;
        for (let g = first[w]; g < first[w + 1] && !isTopped; g++) isTopped = tops(points, edges[g], w);
        if (!isTopped) vertices.push(3 * w);
      }
    }
    if ((vertices.length - from) % 2 === 1) vertices.push(vertices[from]);
    start[cell + 1] = vertices.length;
  }
  return new SupportMap(cells, start, Int32Array.from(vertices));
}

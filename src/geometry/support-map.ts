/**
 * Which vertices of a hull can be farthest along a direction: a cube map of directions whose cells list their candidates.
 *
 * Method: 1. in a cell of one side of the cube, directions are (1, u, v) with u and v in a rectangle, so a vertex's
 * height along them is linear in (u, v), and a vertex that another one tops at the four corners is topped in the whole
 * cell; 2. the vertices that are farthest somewhere in a cell hang together along hull edges, so they are collected from
 * the one that is farthest at the cell's middle, leaving out what a neighbour tops; 3. the middle's farthest
 * vertex comes by climbing along hull edges from that of the cell before: a linear function has no local maximum on a convex surface.
 * Source: the climb, van den Bergen 2003, "Collision detection in interactive 3D environments", section 4.3.4; the map is ours.
 * Frames: the hull's. Cost: a few microseconds per vertex to build, up to MAX_CELLS^2 cells a side.
 * Checked by support.test.ts.
 */
import type { ConvexHull } from './hull-flat.js';

/** Most and least cells along an edge of the cube. */
const MAX_CELLS = 40;
const MIN_CELLS = 4;
/** Vertices a cell of one side should see on average. */
const CELL_SHARE = 1;

export class SupportMap {
  constructor(
    /** Cells along an edge of the cube. */
    readonly cells: number,
    /** Candidates of cell c are vertices[start[c] .. start[c + 1]], as offsets in the points. */
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

/** Side of the cube by the largest coordinate and its sign, row and column by the other two over it. */
function findCell(cells: number, x: number, y: number, z: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  const half = 0.5 * cells;
  let side: number;
  let scale: number;
  let u: number;
  let v: number;
  if (ax >= ay && ax >= az) {
    side = x < 0 ? 1 : 0;
    scale = half / ax;
    u = y;
    v = z;
  } else if (ay >= az) {
    side = y < 0 ? 3 : 2;
    scale = half / ay;
    u = z;
    v = x;
  } else {
    side = z < 0 ? 5 : 4;
    scale = half / az;
    u = x;
    v = y;
  }
  const i = Math.min(u * scale + half, cells - 1) | 0;
  const j = Math.min(v * scale + half, cells - 1) | 0;
  return (side * cells + i) * cells + j;
}

/** Offset in `points` of the vertex farthest along (x, y, z), which is not zero. */
export function findMappedVertex(points: Float64Array, map: SupportMap, x: number, y: number, z: number): number {
  const { start, vertices } = map;
  const cell = findCell(map.cells, x, y, z);
  const end = start[cell + 1];
  let at = start[cell];
  let best = vertices[at];
  if (end - at === 1) return best;
  let value = points[best] * x + points[best + 1] * y + points[best + 2] * z;
  while (++at < end) {
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

/** Direction of a side of the cube: its axis by `side`, then u and v. */
function setDirection(out: Float64Array, at: number, side: number, u: number, v: number): void {
  const axis = side >> 1;
  out[at + axis] = side & 1 ? -1 : 1;
  out[at + ((axis + 1) % 3)] = u;
  out[at + ((axis + 2) % 3)] = v;
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
  // About one cell a vertex: two or three candidates each.
  const cells = Math.max(MIN_CELLS, Math.min(MAX_CELLS, Math.ceil(Math.sqrt(count / CELL_SHARE))));
  const start = new Int32Array(6 * cells * cells + 1);
  const vertices: number[] = [];
  const seen = new Int32Array(count).fill(-1);
  let farthest = 0;
  let cell = 0;
  for (let side = 0; side < 6; side++)
    for (let i = 0; i < cells; i++)
      for (let j = 0; j < cells; j++, cell++) {
        setDirection(direction, 0, side, (2 * i + 1) / cells - 1, (2 * j + 1) / cells - 1);
        for (let c = 0; c < 4; c++)
          setDirection(corners, 3 * c, side, (2 * (i + (c & 1))) / cells - 1, (2 * (j + (c >> 1))) / cells - 1);
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
        start[cell + 1] = vertices.length;
      }
  return new SupportMap(cells, start, Int32Array.from(vertices));
}

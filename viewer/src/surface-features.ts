/**
 * The flat face and the edge of a mesh at a place of its surface.
 *
 * Method: triangles whose corners lie in the plane of the one that was met, and that are turned the same way, are listed; the face is what
 * hangs together with that one by edges of equal positions. Its edges are those that one of its triangles has alone; an edge goes on
 * where the next one lies on the same line. Frame and metres of the mesh; O(triangles). A face of a curved surface is a triangle or a strip of
 * them. Test: surface-features.test.ts.
 */
import type { Shape, TriangleMesh } from 'clearance/geometry';
import { hypot } from 'clearance/math';

export type Point = readonly [number, number, number];
export type Segment = readonly [Point, Point];

export interface SurfaceFace {
  readonly normal: Point;
  readonly area: number;
  /** Edges around it and around its holes. */
  readonly edges: readonly Segment[];
}

/** Corners out of the plane by less than this share of the mesh's size lie in it, and lines are straight. */
const FLAT = 1e-6;
/** Cosine between normals of one face. */
const SAME_WAY = 1 - 1e-6;

/** Triangles of shapes with flat faces; null for those that have none. */
export function facetShape(shape: Shape): TriangleMesh | null {
  if (shape.type === 'mesh') return shape.mesh;
  if (shape.type !== 'box') return null;
  const [x, y, z] = shape.size.map((length) => 0.5 * length);
  const vertices = Float64Array.from(
    Array.from({ length: 8 }, (_, i) => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]).flat(),
  );
  const quads = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
  const triangles = new Uint32Array(36);
  for (let k = 0; k < 6; k++) {
    const [a, b, c, d] = quads.slice(4 * k, 4 * k + 4);
    triangles.set([a, b, c, a, c, d], 6 * k);
  }
  return { vertices, triangles };
}

const corner = ({ vertices, triangles }: TriangleMesh, at: number): Point => {
  const v = 3 * triangles[at];
  return [vertices[v], vertices[v + 1], vertices[v + 2]];
};
const subtract = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const length = (a: Point): number => hypot(a[0], a[1], a[2]);
const scale = (a: Point, by: number): Point => [by * a[0], by * a[1], by * a[2]];

/** Twice its area, along its normal. */
function spanned(mesh: TriangleMesh, triangle: number): Point {
  const [a, b, c] = [0, 1, 2].map((k) => corner(mesh, 3 * triangle + k));
  return cross(subtract(b, a), subtract(c, a));
}

/** The triangle that a point of the surface lies in: the one whose plane it is nearest to among those that it is inside of. */
export function triangleAt(mesh: TriangleMesh, point: Point): number {
  let best = -1;
  let nearest = Infinity;
  for (let t = 0; t < mesh.triangles.length / 3; t++) {
    const [a, b, c] = [0, 1, 2].map((k) => corner(mesh, 3 * t + k));
    const n = cross(subtract(b, a), subtract(c, a));
    const size = length(n);
    if (size === 0) continue;
    const slack = -1e-9 * size;
    const isInside = [
      [a, b],
      [b, c],
      [c, a],
    ].every(([from, to]) => dot(cross(subtract(to, from), subtract(point, from)), n) / size >= slack);
    const away = Math.abs(dot(subtract(point, a), n)) / size;
    if (isInside && away < nearest) [best, nearest] = [t, away];
  }
  return best;
}

/** Null for a triangle without area. */
export function findFace(mesh: TriangleMesh, triangle: number): SurfaceFace | null {
  const span = spanned(mesh, triangle);
  if (length(span) === 0) return null;
  const normal = scale(span, 1 / length(span));
  const offset = dot(normal, corner(mesh, 3 * triangle));
  const { vertices, triangles } = mesh;
  let most = 0;
  for (const value of vertices) most = Math.max(most, Math.abs(value));
  const flat = FLAT * most;
  const [nx, ny, nz] = normal;
  const isIn = (vertex: number): boolean => {
    const v = 3 * vertex;
    return Math.abs(nx * vertices[v] + ny * vertices[v + 1] + nz * vertices[v + 2] - offset) <= flat;
  };
  const candidates: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    if (!isIn(triangles[t]) || !isIn(triangles[t + 1]) || !isIn(triangles[t + 2])) continue;
    const own = spanned(mesh, t / 3);
    if (dot(own, normal) >= SAME_WAY * length(own) && length(own) > 0) candidates.push(t / 3);
  }
  const byEdge = new Map<string, number[]>();
  const edgesOf = (t: number): { readonly key: string; readonly edge: Segment }[] =>
    [0, 1, 2].map((k) => {
      const edge = [corner(mesh, 3 * t + k), corner(mesh, 3 * t + ((k + 1) % 3))] as const;
      const [a, b] = edge.map((point) => point.join());
      return { key: a < b ? `${a} ${b}` : `${b} ${a}`, edge };
    });
  for (const t of candidates)
    for (const { key } of edgesOf(t)) {
      const list = byEdge.get(key);
      if (list) list.push(t);
      else byEdge.set(key, [t]);
    }
  const face = new Set([triangle]);
  let area = 0;
  const edges: Segment[] = [];
  for (const t of face) {
    area += 0.5 * length(spanned(mesh, t));
    for (const { key, edge } of edgesOf(t)) {
      const users = byEdge.get(key) ?? [];
      if (users.length < 2) edges.push(edge);
      for (const other of users) face.add(other);
    }
  }
  return { normal, area, edges };
}

/** The one of the face's edges that is nearest to a point, as far as it goes on straight; null without edges. */
export function findEdge({ edges }: SurfaceFace, point: Point): Segment | null {
  let best: Segment | null = null;
  let nearest = Infinity;
  for (const edge of edges) {
    const away = distanceToSegment(edge, point);
    if (away < nearest) [best, nearest] = [edge, away];
  }
  if (!best) return null;
  let [from, to] = best;
  const along = scale(subtract(to, from), 1 / length(subtract(to, from)));
  const left = new Set(edges.filter((edge) => edge !== best));
  for (let isLonger = true; isLonger; ) {
    isLonger = false;
    for (const edge of left) {
      const way = subtract(edge[1], edge[0]);
      if (length(cross(way, along)) > FLAT * length(way)) continue;
      if (edge[0].join() === to.join()) to = edge[1];
      else if (edge[1].join() === from.join()) from = edge[0];
      else continue;
      left.delete(edge);
      isLonger = true;
    }
  }
  return [from, to];
}

function distanceToSegment([a, b]: Segment, point: Point): number {
  const way = subtract(b, a);
  const square = dot(way, way);
  const t = square > 0 ? Math.min(Math.max(dot(subtract(point, a), way) / square, 0), 1) : 0;
  return length(subtract(point, [a[0] + t * way[0], a[1] + t * way[1], a[2] + t * way[2]]));
}

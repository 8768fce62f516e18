/**
 * Plain reference for triangle meshes: every pair of triangles, every pair of features, formulas other than the kernel's.
 * Slow and simple on purpose.
 */
import type { TriangleMesh } from '../../src/geometry/triangle-mesh.js';
import type { Random } from '../../src/math/random.js';
import { createTransform, poseToTransform, type Transform, transformPoint } from '../../src/math/transform.js';

export type Point = [number, number, number];
export type Triangle = [Point, Point, Point];

const subtract = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const along = (a: Point, b: Point, t: number): Point => [
  a[0] + t * (b[0] - a[0]),
  a[1] + t * (b[1] - a[1]),
  a[2] + t * (b[2] - a[2]),
];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const gapBetween = (a: Point, b: Point): number => Math.sqrt(dot(subtract(a, b), subtract(a, b)));

function distancePointSegment(p: Point, a: Point, b: Point): number {
  const u = subtract(b, a);
  const square = dot(u, u);
  const t = square > 0 ? Math.min(1, Math.max(0, dot(subtract(p, a), u) / square)) : 0;
  return gapBetween(p, along(a, b, t));
}

function distanceSegmentSegment(a: Point, b: Point, c: Point, d: Point): number {
  let best = Math.min(
    distancePointSegment(a, c, d),
    distancePointSegment(b, c, d),
    distancePointSegment(c, a, b),
    distancePointSegment(d, a, b),
  );
  // Both parameters inside: Cramer's rule on the normal equations.
  const u = subtract(b, a);
  const v = subtract(d, c);
  const r = subtract(a, c);
  const uv = dot(u, v);
  const det = dot(u, u) * dot(v, v) - uv * uv;
  if (det > 0) {
    const s = (uv * dot(v, r) - dot(v, v) * dot(u, r)) / det;
    const t = (dot(u, u) * dot(v, r) - uv * dot(u, r)) / det;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = Math.min(best, gapBetween(along(a, b, s), along(c, d, t)));
  }
  return best;
}

export function distancePointTriangle(p: Point, [a, b, c]: Triangle): number {
  let best = Math.min(distancePointSegment(p, a, b), distancePointSegment(p, b, c), distancePointSegment(p, c, a));
  const u = subtract(b, a);
  const v = subtract(c, a);
  const w = subtract(p, a);
  const det = dot(u, u) * dot(v, v) - dot(u, v) ** 2;
  if (det > 1e-12 * dot(u, u) * dot(v, v)) {
    const s = (dot(v, v) * dot(w, u) - dot(u, v) * dot(w, v)) / det;
    const t = (dot(u, u) * dot(w, v) - dot(u, v) * dot(w, u)) / det;
    if (s >= 0 && t >= 0 && s + t <= 1) {
      best = Math.min(best, gapBetween(p, [0, 1, 2].map((k) => a[k] + s * u[k] + t * v[k]) as Point));
    }
  }
  return best;
}

/** The edge passes through the inside of the triangle: signs of five volumes. */
function pierces(p: Point, q: Point, [a, b, c]: Triangle): boolean {
  const volume = (x: Point, y: Point, z: Point, w: Point): number =>
    dot(subtract(x, w), cross(subtract(y, w), subtract(z, w)));
  const above = volume(a, b, c, p);
  const below = volume(a, b, c, q);
  if (!((above > 0 && below < 0) || (above < 0 && below > 0))) return false;
  const s = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
  return s.every((x) => x > 0) || s.every((x) => x < 0);
}

export function distanceTriangles(a: Triangle, b: Triangle): number {
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const [p, q] = [a[i], a[(i + 1) % 3]];
    const [r, s] = [b[i], b[(i + 1) % 3]];
    if (pierces(p, q, b) || pierces(r, s, a)) return 0;
    best = Math.min(best, distancePointTriangle(p, b), distancePointTriangle(r, a));
    for (let j = 0; j < 3; j++) best = Math.min(best, distanceSegmentSegment(p, q, b[j], b[(j + 1) % 3]));
  }
  return best;
}

export function triangleOf(mesh: TriangleMesh, index: number, X?: Transform): Triangle {
  return [0, 1, 2].map((c) => {
    const v = mesh.triangles[3 * index + c] * 3;
    const p: Point = [mesh.vertices[v], mesh.vertices[v + 1], mesh.vertices[v + 2]];
    return X ? transformPoint<Point>([0, 0, 0], X, p) : p;
  }) as Triangle;
}

export function listTriangles(mesh: TriangleMesh, X?: Transform): Triangle[] {
  return Array.from({ length: mesh.triangles.length / 3 }, (_, i) => triangleOf(mesh, i, X));
}

/** Distance of every pair of triangles, row by row. */
export function distanceMatrix(a: TriangleMesh, b: TriangleMesh, X_AB: Transform): number[] {
  const listB = listTriangles(b, X_AB);
  return listTriangles(a).flatMap((s) => listB.map((t) => distanceTriangles(s, t)));
}

/** Triangles of about `size` scattered in a cube of side 2; some share vertices, some are degenerate or doubled. */
export function createSoup(random: Random, count: number, size: number, degenerateShare = 0.1): TriangleMesh {
  const vertices: number[] = [];
  const triangles: number[] = [];
  const point = (x: number, y: number, z: number): number => vertices.push(x, y, z) / 3 - 1;
  for (let i = 0; i < count; i++) {
    if (i > 0 && random.next() < degenerateShare / 2) {
      triangles.push(...triangles.slice(-3));
      continue;
    }
    const centre = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)];
    const near = (): number =>
      point(...(centre.map((x) => x + random.uniform(-size, size)) as [number, number, number]));
    const a = near();
    if (random.next() < degenerateShare) {
      // A point, a segment with a doubled end, or three points on a line.
      const kind = random.integer(3);
      const b = kind === 0 ? a : near();
      const middle = (k: number): number => (vertices[3 * a + k] + vertices[3 * b + k]) / 2;
      triangles.push(a, b, kind === 2 ? point(middle(0), middle(1), middle(2)) : a);
    } else triangles.push(a, near(), near());
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

export function randomTransform(random: Random, distance: number): Transform {
  const q = [random.normal(), random.normal(), random.normal(), random.normal()];
  const d = [random.normal(), random.normal(), random.normal()];
  const scale = distance / Math.hypot(...d);
  return poseToTransform(createTransform(), [d[0] * scale, d[1] * scale, d[2] * scale, ...q]);
}

/** The mesh with its vertices moved. */
export function moveMesh(mesh: TriangleMesh, X: Transform, scale = 1): TriangleMesh {
  const vertices = new Float64Array(mesh.vertices.length);
  for (let i = 0; i < vertices.length; i += 3) {
    vertices.set(
      transformPoint(
        [0, 0, 0],
        X,
        Array.from(mesh.vertices.subarray(i, i + 3), (x) => x * scale),
      ),
      i,
    );
  }
  return { vertices, triangles: mesh.triangles };
}

/** Closed sphere-like mesh with 2 n (n - 1) triangles around local z, radius 1. */
export function createSphereMesh(n: number, bump = 0): TriangleMesh {
  const vertices: number[] = [0, 0, 1];
  for (let i = 1; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const theta = (Math.PI * i) / n;
      const phi = (2 * Math.PI * j) / n;
      const r = 1 + bump * Math.sin(5 * theta) * Math.cos(4 * phi);
      vertices.push(r * Math.sin(theta) * Math.cos(phi), r * Math.sin(theta) * Math.sin(phi), r * Math.cos(theta));
    }
  }
  vertices.push(0, 0, -1);
  const last = vertices.length / 3 - 1;
  const at = (i: number, j: number): number => 1 + (i - 1) * n + (j % n);
  const triangles: number[] = [];
  for (let j = 0; j < n; j++) {
    triangles.push(0, at(1, j), at(1, j + 1), last, at(n - 1, j + 1), at(n - 1, j));
    for (let i = 1; i < n - 1; i++) {
      triangles.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** Box with 12 triangles, outward. */
export function createBoxMesh(x: number, y: number, z: number): TriangleMesh {
  const vertices: number[] = [];
  for (let i = 0; i < 8; i++) vertices.push((i & 1 ? x : -x) / 2, (i & 2 ? y : -y) / 2, (i & 4 ? z : -z) / 2);
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  const triangles = quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

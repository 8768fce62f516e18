/**
 * What a hit says beyond its t, triangle and side: weights of the corners, normal, point.
 *
 * Method: the point of the ray at t, rounded once, is written in the edges and the direction by Cramer's rule, which keeps
 * its accuracy for origins far away; the hit's point comes from the weights, so that it lies in the triangle.
 * Source: Moller, Trumbore 1997, "Fast, minimum storage ray/triangle intersection", doi:10.1080/10867651.1997.10487468;
 *   Dekker 1971, doi:10.1007/BF01397083 (exact products). Cost: about 100 flops. Test: cast-ray.test.ts.
 */
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import type { Vec3 } from '../math/vec3.js';

export interface RayHit {
  /** Origin + t direction is the hit; Infinity for a miss. */
  t: number;
  /** Index in the mesh; -1 for a miss, and nothing below is written then. */
  triangle: number;
  /** Whether the ray came from the front of the triangle. */
  isFront: boolean;
  /** Weights of the triangle's corners in the mesh's order, >= 0 with sum 1: they interpolate what vertices carry. */
  readonly barycentric: Vec3;
  /** Unit normal of the triangle, towards its front. */
  readonly normal: Vec3;
  readonly point: Vec3;
}

export function createRayHit(): RayHit {
  return {
    t: Infinity,
    triangle: -1,
    isFront: false,
    barycentric: new Float64Array(3),
    normal: new Float64Array(3),
    point: new Float64Array(3),
  };
}

const SPLITTER = 134217729;

/** Fills `hit` from its t and triangle. */
export function describeRayHit(
  hit: RayHit,
  mesh: TriangleMesh,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
): void {
  const { vertices, triangles } = mesh;
  const { barycentric, normal, point } = hit;
  const p = 3 * triangles[3 * hit.triangle];
  const q = 3 * triangles[3 * hit.triangle + 1];
  const r = 3 * triangles[3 * hit.triangle + 2];
  // Products with a tiny direction leave the number range.
  const speed = Math.max(Math.abs(direction[0]), Math.abs(direction[1]), Math.abs(direction[2]));
  const dx = direction[0] / speed;
  const dy = direction[1] / speed;
  const dz = direction[2] / speed;
  const px = vertices[p];
  const py = vertices[p + 1];
  const pz = vertices[p + 2];
  const ux = vertices[q] - px;
  const uy = vertices[q + 1] - py;
  const uz = vertices[q + 2] - pz;
  const vx = vertices[r] - px;
  const vy = vertices[r + 1] - py;
  const vz = vertices[r + 2] - pz;
  const sx = pointAt(origin[0], hit.t, direction[0]) - px;
  const sy = pointAt(origin[1], hit.t, direction[1]) - py;
  const sz = pointAt(origin[2], hit.t, direction[2]) - pz;
  const ex = vy * dz - vz * dy;
  const ey = vz * dx - vx * dz;
  const ez = vx * dy - vy * dx;
  const fx = dy * uz - dz * uy;
  const fy = dz * ux - dx * uz;
  const fz = dx * uy - dy * ux;
  const det = ux * ex + uy * ey + uz * ez;
  const b = clamp((sx * ex + sy * ey + sz * ez) / det, 1);
  const c = clamp((sx * fx + sy * fy + sz * fz) / det, 1 - b);
  barycentric[0] = 1 - b - c;
  barycentric[1] = b;
  barycentric[2] = c;
  point[0] = px + b * ux + c * vx;
  point[1] = py + b * uy + c * vy;
  point[2] = pz + b * uz + c * vz;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const size = Math.max(Math.abs(nx), Math.abs(ny), Math.abs(nz));
  const length = size * Math.sqrt((nx / size) ** 2 + (ny / size) ** 2 + (nz / size) ** 2);
  normal[0] = nx / length;
  normal[1] = ny / length;
  normal[2] = nz / length;
}

/** Also takes NaN, of a triangle seen edge-on, to 0. */
function clamp(x: number, most: number): number {
  return x > 0 ? Math.min(x, most) : 0;
}

/** o + t d, rounded once. */
function pointAt(o: number, t: number, d: number): number {
  const p = t * d;
  const s = o + p;
  const b = s - o;
  return s + (o - (s - b) + (p - b) + tailOf(t, d, p));
}

/** What rounding cut off the product p = fl(a b). */
function tailOf(a: number, b: number, p: number): number {
  const c = SPLITTER * a;
  const aHigh = c - (c - a);
  const aLow = a - aHigh;
  const d = SPLITTER * b;
  const bHigh = d - (d - b);
  const bLow = b - bHigh;
  const tail = aLow * bLow - (p - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
  // Splitting t overflows beyond 1e300.
  return tail - tail === 0 ? tail : 0;
}

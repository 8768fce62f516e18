/**
 * The three fitters of the text: where to split a set of triangles, and along which axes.
 *
 * Method:
 *   PQP_FIT      mean and covariance of the corners, equations (1) and (2);
 *   RAPID2_FIT   centroid (7) and exact second moment (9) of the surface; with `hull`, of the convex hull of the corners
 *                instead of the triangles themselves, equations (5) to (9);
 *   INERTIA_FIT  centroid of the surface by algorithm 1, second moment (10) of the corners about it, each weighted with
 *                its triangle's area over the smallest one that counts.
 * Then the eigenvectors, the largest moment first. (10) is a second moment, not the mechanical tensor of inertia: the
 * eigenvectors of the two are the same and in reverse order. Factors such as 1/(3n) do not change them either.
 * Sums are taken about a corner of the set itself, so that a small set far from the origin loses no digits.
 *
 * Source: Li, Shellshear, Bohlin, Carlson 2020, "Construction of bounding volume hierarchies for triangle meshes with
 *   mixed face sizes", sections II to IV; Gottschalk, Lin, Manocha 1996, section 4, doi:10.1145/237170.237244.
 *   Eigenvectors: cyclic Jacobi rotations, Golub, Van Loan 2013, "Matrix computations", section 8.5.
 * Degenerate input: an area that rounding explains (1e-12 of the squared edges) falls back to PQP_FIT, as does a hull
 *   without faces; equal moments give some orthonormal axes, zero ones the coordinate axes.
 * Cost: linear in the triangles of the range; with `hull` O(n log n). Tests: fitters.test.ts.
 */
import { buildConvexHull } from '../geometry/hull.js';

export type Fitter = 'PQP_FIT' | 'RAPID2_FIT' | 'INERTIA_FIT';

/** Codes as trees store them. */
export const FIT_RAPID2 = 0;
export const FIT_PQP = 1;
export const FIT_INERTIA = 2;
export const FIT_RAPID2_HULL = 3;

export function fitterCode(fitter: Fitter, hull: boolean): number {
  if (fitter === 'RAPID2_FIT') return hull ? FIT_RAPID2_HULL : FIT_RAPID2;
  return fitter === 'PQP_FIT' ? FIT_PQP : FIT_INERTIA;
}

export interface AxisFit {
  /** Orthonormal columns, row-major, the largest moment first. */
  readonly axes: Float64Array;
  /** Second moments along the axes, up to a common factor. */
  readonly moments: Float64Array;
  /** Split position. */
  readonly position: Float64Array;
}

export function createAxisFit(): AxisFit {
  return { axes: new Float64Array(9), moments: new Float64Array(3), position: new Float64Array(3) };
}

/** Area over squared edges below which a triangle, or a set, counts as degenerate. */
const DEGENERATE = 1e-12;

const moment = new Float64Array(9);
const vectors = new Float64Array(9);

/** Fits triangles order[start .. start + count); `corners` holds 9 numbers per triangle. count >= 1. */
export function fitAxes(
  out: AxisFit,
  fitter: number,
  corners: Float64Array,
  order: Uint32Array,
  start: number,
  count: number,
): AxisFit {
  fitPosition(out.position, fitter, corners, order, start, count);
  setEigenvectors(vectors, moment);
  sortEigenvectors(out);
  return out;
}

/** The split position alone; leaves the second moment in `moment`. */
export function fitPosition(
  position: Float64Array,
  fitter: number,
  corners: Float64Array,
  order: Uint32Array,
  start: number,
  count: number,
): void {
  const isFitted =
    fitter === FIT_RAPID2
      ? sumSurface(position, corners, order, start, count)
      : fitter === FIT_INERTIA
        ? sumWeightedCorners(position, corners, order, start, count)
        : fitter === FIT_RAPID2_HULL
          ? sumHull(position, corners, order, start, count)
          : false;
  if (!isFitted) sumCorners(position, corners, order, start, count);
}

/** Equations (1) and (2). */
function sumCorners(
  position: Float64Array,
  corners: Float64Array,
  order: Uint32Array,
  start: number,
  count: number,
): void {
  const base = order[start] * 9;
  const x0 = corners[base];
  const y0 = corners[base + 1];
  const z0 = corners[base + 2];
  let sx = 0;
  let sy = 0;
  let sz = 0;
  let xx = 0;
  let xy = 0;
  let xz = 0;
  let yy = 0;
  let yz = 0;
  let zz = 0;
  for (let i = start; i < start + count; i++) {
    const at = order[i] * 9;
    for (let k = at; k < at + 9; k += 3) {
      const x = corners[k] - x0;
      const y = corners[k + 1] - y0;
      const z = corners[k + 2] - z0;
      sx += x;
      sy += y;
      sz += z;
      xx += x * x;
      xy += x * y;
      xz += x * z;
      yy += y * y;
      yz += y * z;
      zz += z * z;
    }
  }
  const n = 1 / (3 * count);
  sx *= n;
  sy *= n;
  sz *= n;
  setMoment(xx * n - sx * sx, xy * n - sx * sy, xz * n - sx * sz, yy * n - sy * sy, yz * n - sy * sz, zz * n - sz * sz);
  setPosition(position, x0 + sx, y0 + sy, z0 + sz);
}

/** Equations (5) to (9); false when the total area is rounding. */
function sumSurface(
  position: Float64Array,
  corners: Float64Array,
  order: Uint32Array,
  start: number,
  count: number,
): boolean {
  const base = order[start] * 9;
  const x0 = corners[base];
  const y0 = corners[base + 1];
  const z0 = corners[base + 2];
  let edges = 0;
  let total = 0;
  let mx = 0;
  let my = 0;
  let mz = 0;
  let xx = 0;
  let xy = 0;
  let xz = 0;
  let yy = 0;
  let yz = 0;
  let zz = 0;
  for (let i = start; i < start + count; i++) {
    const at = order[i] * 9;
    const px = corners[at] - x0;
    const py = corners[at + 1] - y0;
    const pz = corners[at + 2] - z0;
    const qx = corners[at + 3] - x0;
    const qy = corners[at + 4] - y0;
    const qz = corners[at + 5] - z0;
    const rx = corners[at + 6] - x0;
    const ry = corners[at + 7] - y0;
    const rz = corners[at + 8] - z0;
    const ux = qx - px;
    const uy = qy - py;
    const uz = qz - pz;
    const vx = rx - px;
    const vy = ry - py;
    const vz = rz - pz;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const w = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const sx = px + qx + rx;
    const sy = py + qy + ry;
    const sz = pz + qz + rz;
    edges += ux * ux + uy * uy + uz * uz + vx * vx + vy * vy + vz * vz;
    total += w;
    mx += w * sx;
    my += w * sy;
    mz += w * sz;
    // 9 m m^T of the text is s s^T, s the sum of the corners.
    xx += w * (sx * sx + px * px + qx * qx + rx * rx);
    xy += w * (sx * sy + px * py + qx * qy + rx * ry);
    xz += w * (sx * sz + px * pz + qx * qz + rx * rz);
    yy += w * (sy * sy + py * py + qy * qy + ry * ry);
    yz += w * (sy * sz + py * pz + qy * qz + ry * rz);
    zz += w * (sz * sz + pz * pz + qz * qz + rz * rz);
  }
  if (!(total > DEGENERATE * edges)) return false;
  const x = mx / (3 * total);
  const y = my / (3 * total);
  const z = mz / (3 * total);
  const v = 1 / (12 * total);
  setMoment(xx * v - x * x, xy * v - x * y, xz * v - x * z, yy * v - y * y, yz * v - y * z, zz * v - z * z);
  setPosition(position, x0 + x, y0 + y, z0 + z);
  return true;
}

/** Algorithm 1, then equation (10) with areas over the smallest; false when the total area is rounding. */
function sumWeightedCorners(
  position: Float64Array,
  corners: Float64Array,
  order: Uint32Array,
  start: number,
  count: number,
): boolean {
  const base = order[start] * 9;
  const x0 = corners[base];
  const y0 = corners[base + 1];
  const z0 = corners[base + 2];
  let edges = 0;
  let total = 0;
  let smallest = Infinity;
  let mx = 0;
  let my = 0;
  let mz = 0;
  for (let i = start; i < start + count; i++) {
    const at = order[i] * 9;
    const area = triangleArea(corners, at);
    const square = squaredEdges(corners, at);
    if (area < smallest && area > DEGENERATE * square) smallest = area;
    edges += square;
    total += area;
    mx += area * (corners[at] + corners[at + 3] + corners[at + 6] - 3 * x0);
    my += area * (corners[at + 1] + corners[at + 4] + corners[at + 7] - 3 * y0);
    mz += area * (corners[at + 2] + corners[at + 5] + corners[at + 8] - 3 * z0);
  }
  if (!(total > DEGENERATE * edges && smallest < Infinity)) return false;
  const x = x0 + mx / (3 * total);
  const y = y0 + my / (3 * total);
  const z = z0 + mz / (3 * total);
  let xx = 0;
  let xy = 0;
  let xz = 0;
  let yy = 0;
  let yz = 0;
  let zz = 0;
  for (let i = start; i < start + count; i++) {
    const at = order[i] * 9;
    const w = triangleArea(corners, at) / smallest;
    for (let k = at; k < at + 9; k += 3) {
      const dx = corners[k] - x;
      const dy = corners[k + 1] - y;
      const dz = corners[k + 2] - z;
      xx += w * dx * dx;
      xy += w * dx * dy;
      xz += w * dx * dz;
      yy += w * dy * dy;
      yz += w * dy * dz;
      zz += w * dz * dz;
    }
  }
  const n = 1 / (3 * count);
  setMoment(xx * n, xy * n, xz * n, yy * n, yz * n, zz * n);
  setPosition(position, x, y, z);
  return true;
}

/** RAPID2_FIT of the hull's faces; false when the corners span no face. */
function sumHull(
  position: Float64Array,
  corners: Float64Array,
  order: Uint32Array,
  start: number,
  count: number,
): boolean {
  const points = new Float64Array(9 * count);
  for (let i = 0; i < count; i++) {
    const at = order[start + i] * 9;
    for (let k = 0; k < 9; k++) points[9 * i + k] = corners[at + k];
  }
  const { vertices, triangles } = buildConvexHull(points);
  if (triangles.length === 0) return false;
  const faces = new Float64Array(3 * triangles.length);
  for (let i = 0; i < triangles.length; i++) {
    for (let k = 0; k < 3; k++) faces[3 * i + k] = vertices[3 * triangles[i] + k];
  }
  const every = Uint32Array.from({ length: triangles.length / 3 }, (_, i) => i);
  return sumSurface(position, faces, every, 0, every.length);
}

/** Equation (6). */
function triangleArea(corners: Float64Array, at: number): number {
  const ux = corners[at + 3] - corners[at];
  const uy = corners[at + 4] - corners[at + 1];
  const uz = corners[at + 5] - corners[at + 2];
  const vx = corners[at + 6] - corners[at];
  const vy = corners[at + 7] - corners[at + 1];
  const vz = corners[at + 8] - corners[at + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  return Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
}

/** Sum of the squares of the two edges at the first corner. */
function squaredEdges(corners: Float64Array, at: number): number {
  const ux = corners[at + 3] - corners[at];
  const uy = corners[at + 4] - corners[at + 1];
  const uz = corners[at + 5] - corners[at + 2];
  const vx = corners[at + 6] - corners[at];
  const vy = corners[at + 7] - corners[at + 1];
  const vz = corners[at + 8] - corners[at + 2];
  return ux * ux + uy * uy + uz * uz + vx * vx + vy * vy + vz * vz;
}

function setMoment(xx: number, xy: number, xz: number, yy: number, yz: number, zz: number): void {
  moment[0] = xx;
  moment[1] = moment[3] = xy;
  moment[2] = moment[6] = xz;
  moment[4] = yy;
  moment[5] = moment[7] = yz;
  moment[8] = zz;
}

function setPosition(position: Float64Array, x: number, y: number, z: number): void {
  position[0] = x;
  position[1] = y;
  position[2] = z;
}

/** Columns of `m`: orthonormal eigenvectors of the symmetric matrix `s`, which becomes diagonal. */
function setEigenvectors(m: Float64Array, s: Float64Array): void {
  m.fill(0);
  m[0] = 1;
  m[4] = 1;
  m[8] = 1;
  for (let sweep = 0; sweep < 12; sweep++) {
    const off = s[1] * s[1] + s[2] * s[2] + s[5] * s[5];
    const diagonal = s[0] * s[0] + s[4] * s[4] + s[8] * s[8];
    if (!(off > 1e-24 * diagonal)) break;
    rotate(m, s, 0, 1);
    rotate(m, s, 0, 2);
    rotate(m, s, 1, 2);
  }
}

function rotate(m: Float64Array, s: Float64Array, p: number, q: number): void {
  const spq = s[3 * p + q];
  if (spq === 0) return;
  const theta = (s[4 * q] - s[4 * p]) / (2 * spq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const sine = t * c;
  const r = 3 - p - q;
  const srp = s[3 * r + p];
  const srq = s[3 * r + q];
  s[4 * p] -= t * spq;
  s[4 * q] += t * spq;
  s[3 * p + q] = s[3 * q + p] = 0;
  s[3 * r + p] = s[3 * p + r] = c * srp - sine * srq;
  s[3 * r + q] = s[3 * q + r] = sine * srp + c * srq;
  for (let i = 0; i < 3; i++) {
    const a = m[3 * i + p];
    const b = m[3 * i + q];
    m[3 * i + p] = c * a - sine * b;
    m[3 * i + q] = sine * a + c * b;
  }
}

/** Copies the eigenvectors to `out`, the largest moment first; equal moments keep their order. */
function sortEigenvectors(out: AxisFit): void {
  const larger = moment[0] < moment[4] ? 1 : 0;
  const smaller = 1 - larger;
  const a = moment[8] > moment[4 * larger] ? 2 : larger;
  const c = moment[8] > moment[4 * smaller] ? smaller : 2;
  const b = 3 - a - c;
  const { axes, moments } = out;
  moments[0] = moment[4 * a];
  moments[1] = moment[4 * b];
  moments[2] = moment[4 * c];
  for (let row = 0; row < 9; row += 3) {
    axes[row] = vectors[row + a];
    axes[row + 1] = vectors[row + b];
    axes[row + 2] = vectors[row + c];
  }
}

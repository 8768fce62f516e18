// A point or a segment against a triangle, in f64: squared distance and the closest points.
//
// Method: a segment that crosses the face ends with 0; else the ends over the face, and the segment against the three edges.
// A point: its projection when it falls inside, else the edges. Every candidate is a pair of points of both, so that a distance is
// never too small; on slivers, whose faces decide nothing, the edges remain.
// Source: Ericson 2005, "Real-time collision detection", sections 5.1.5, 5.1.9, 5.1.10; edge parameters as in triangles.ts.
// Frames: the mesh's. Accuracy: about 1e-15 of the coordinates' spread. Tests: test/contract/mesh-convex.test.ts.
import { readF64 } from '../memory';

/** Squared distance, and the closest points of the last candidate kept. */
export let pairSquare: f64 = 0;
export let nearX: f64 = 0;
export let nearY: f64 = 0;
export let nearZ: f64 = 0;
export let farX: f64 = 0;
export let farY: f64 = 0;
export let farZ: f64 = 0;

@inline
function keep(x: f64, y: f64, z: f64, u: f64, v: f64, w: f64): void {
  const dx = u - x;
  const dy = v - y;
  const dz = w - z;
  const d = dx * dx + dy * dy + dz * dz;
  if (d < pairSquare) {
    pairSquare = d;
    nearX = x;
    nearY = y;
    nearZ = z;
    farX = u;
    farY = v;
    farZ = w;
  }
}

@inline
function clamp01(x: f64): f64 {
  return x > 0 ? (x < 1 ? x : 1) : 0;
}

/** Candidate: (x, y, z) against the face a + i u + j v, where it projects into it. True when it does. */
@inline
function overFace(
  x: f64,
  y: f64,
  z: f64,
  ax: f64,
  ay: f64,
  az: f64,
  ux: f64,
  uy: f64,
  uz: f64,
  vx: f64,
  vy: f64,
  vz: f64,
  nx: f64,
  ny: f64,
  nz: f64,
  nn: f64,
): bool {
  const wx = x - ax;
  const wy = y - ay;
  const wz = z - az;
  const b = nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx);
  if (!(b >= 0)) return false;
  const c = nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx);
  if (!(c >= 0) || !(b + c <= nn)) return false;
  const i = b / nn;
  const j = c / nn;
  keep(x, y, z, ax + i * ux + j * vx, ay + i * uy + j * vy, az + i * uz + j * vz);
  return true;
}

/** Candidate: point (x, y, z) against the edge from p to q. */
@inline
function pointEdge(x: f64, y: f64, z: f64, px: f64, py: f64, pz: f64, qx: f64, qy: f64, qz: f64): void {
  const ex = qx - px;
  const ey = qy - py;
  const ez = qz - pz;
  const ee = ex * ex + ey * ey + ez * ez;
  const along = (x - px) * ex + (y - py) * ey + (z - pz) * ez;
  if (along <= 0 || ee == 0) keep(x, y, z, px, py, pz);
  else if (along >= ee) keep(x, y, z, qx, qy, qz);
  else {
    const t = along / ee;
    keep(x, y, z, px + t * ex, py + t * ey, pz + t * ez);
  }
}

/** Point (x, y, z) against a triangle; the pair is kept where it is nearer than the root of `limit`. */
export function measurePointTriangle(triangle: usize, x: f64, y: f64, z: f64, limit: f64): f64 {
  pairSquare = limit;
  const ax = readF64(triangle);
  const ay = readF64(triangle, 8);
  const az = readF64(triangle, 16);
  const bx = readF64(triangle, 24);
  const by = readF64(triangle, 32);
  const bz = readF64(triangle, 40);
  const cx = readF64(triangle, 48);
  const cy = readF64(triangle, 56);
  const cz = readF64(triangle, 64);
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const height = (x - ax) * nx + (y - ay) * ny + (z - az) * nz;
  const isPlain = nn > 1e-4 * uu * vv;
  if (isPlain && height * height > limit * nn * 1.0000001) return limit;
  if (nn > 0 && overFace(x, y, z, ax, ay, az, ux, uy, uz, vx, vy, vz, nx, ny, nz, nn) && isPlain) return pairSquare;
  pointEdge(x, y, z, ax, ay, az, bx, by, bz);
  pointEdge(x, y, z, bx, by, bz, cx, cy, cz);
  pointEdge(x, y, z, cx, cy, cz, ax, ay, az);
  return pairSquare;
}

/** Candidate: the segment from s, along d, against the edge from p to q. */
function segmentEdge(
  sx: f64,
  sy: f64,
  sz: f64,
  dx: f64,
  dy: f64,
  dz: f64,
  px: f64,
  py: f64,
  pz: f64,
  qx: f64,
  qy: f64,
  qz: f64,
): void {
  const ex = qx - px;
  const ey = qy - py;
  const ez = qz - pz;
  const rx = sx - px;
  const ry = sy - py;
  const rz = sz - pz;
  const nx = dy * ez - dz * ey;
  const ny = dz * ex - dx * ez;
  const nz = dx * ey - dy * ex;
  const nn = nx * nx + ny * ny + nz * nz;
  const e = ex * ex + ey * ey + ez * ez;
  const a = dx * dx + dy * dy + dz * dz;
  const f = ex * rx + ey * ry + ez * rz;
  const b = dx * ex + dy * ey + dz * ez;
  let s: f64 = 0;
  if (nn > 0) {
    const m = nx * (ry * ez - rz * ey) + ny * (rz * ex - rx * ez) + nz * (rx * ey - ry * ex);
    s = clamp01(-m / nn);
  }
  let t: f64 = e > 0 ? (f + s * b) / e : 0;
  if (t < 0 || t > 1 || e == 0) {
    t = t > 1 ? 1 : 0;
    s = a > 0 ? clamp01((t * b - (dx * rx + dy * ry + dz * rz)) / a) : 0;
  }
  keep(sx + s * dx, sy + s * dy, sz + s * dz, px + t * ex, py + t * ey, pz + t * ez);
}

/** The segment from s to s + d against a triangle; the pair is kept where it is nearer than the root of `limit`. */
export function measureSegmentTriangle(
  triangle: usize,
  sx: f64,
  sy: f64,
  sz: f64,
  dx: f64,
  dy: f64,
  dz: f64,
  limit: f64,
): f64 {
  pairSquare = limit;
  const ax = readF64(triangle);
  const ay = readF64(triangle, 8);
  const az = readF64(triangle, 16);
  const bx = readF64(triangle, 24);
  const by = readF64(triangle, 32);
  const bz = readF64(triangle, 40);
  const cx = readF64(triangle, 48);
  const cy = readF64(triangle, 56);
  const cz = readF64(triangle, 64);
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const tx = sx + dx;
  const ty = sy + dy;
  const tz = sz + dz;
  const below = (sx - ax) * nx + (sy - ay) * ny + (sz - az) * nz;
  const above = (tx - ax) * nx + (ty - ay) * ny + (tz - az) * nz;
  if ((below < 0 && above > 0) || (below > 0 && above < 0)) {
    const r = below / (below - above);
    const x = sx + r * dx;
    const y = sy + r * dy;
    const z = sz + r * dz;
    const wx = x - ax;
    const wy = y - ay;
    const wz = z - az;
    const b = nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx);
    const c = nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx);
    if (b >= 0 && c >= 0 && b + c <= nn) {
      if (limit > 0) keep(x, y, z, x, y, z);
      return pairSquare;
    }
  } else {
    const height = min(Math.abs(below), Math.abs(above));
    const uu = ux * ux + uy * uy + uz * uz;
    const vv = vx * vx + vy * vy + vz * vz;
    if (height * height > limit * nn * 1.0000001 && nn > 1e-4 * uu * vv) return limit;
  }
  if (nn > 0) {
    overFace(sx, sy, sz, ax, ay, az, ux, uy, uz, vx, vy, vz, nx, ny, nz, nn);
    overFace(tx, ty, tz, ax, ay, az, ux, uy, uz, vx, vy, vz, nx, ny, nz, nn);
  }
  segmentEdge(sx, sy, sz, dx, dy, dz, ax, ay, az, bx, by, bz);
  segmentEdge(sx, sy, sz, dx, dy, dz, bx, by, bz, cx, cy, cz);
  segmentEdge(sx, sy, sz, dx, dy, dz, cx, cy, cz, ax, ay, az);
  return pairSquare;
}

// Distance between two triangles in f64, with the closest points; 0 and a common point when they intersect.
//
// Method:
//   1. signed heights of each triangle's corners over the other's plane;
//   2. both planes straddled: test each edge against the other triangle; a crossing ends with 0;
//   3. one triangle wholly on one side: if its lowest corner projects into the face, that height is the distance (it
//      is attained, and the plane separates), else corners that lie in the plane are candidates (coplanar pairs);
//   4. nine edge pairs; done when the slab between the closest points of a pair separates the triangles.
// Every candidate is the distance between two actual points of the triangles, so a poorly conditioned normal can cost
// time but never gives too small a distance; the edges cover what a degenerate face leaves out. A zero-area triangle
// is thus a segment or a point, as it should be.
// Sources: Larsen, Gottschalk, Lin, Manocha 1999, "Fast proximity queries with swept sphere volumes", UNC TR99-018,
//   section 4 (early end by slab); Ericson 2005, "Real-time collision detection", section 5.1.9 (clamping).
//   The edge parameters use cross products where the source uses a e - b^2, which loses half of the digits when edges
//   are nearly parallel.
// Accuracy: about 1e-15 of the coordinates' spread. Test: src/bvh/triangle-pairs.test.ts.
import { RESULT_NUMBERS } from '../src/kernel/layout';
import { readF64, writeF64 } from './memory';

/** Squares of sines below this belong to triangles too thin for their normal to decide anything. */
const THIN: f64 = 1e-16;
/** Relative height up to which a corner counts as lying in a plane. */
const FLAT: f64 = 1e-18;

let best: f64 = 0;
let ax: f64 = 0;
let ay: f64 = 0;
let az: f64 = 0;
let bx: f64 = 0;
let by: f64 = 0;
let bz: f64 = 0;

@inline
function keep(x: f64, y: f64, z: f64, u: f64, v: f64, w: f64): f64 {
  const dx = u - x;
  const dy = v - y;
  const dz = w - z;
  const d = dx * dx + dy * dy + dz * dz;
  if (d < best) {
    best = d;
    ax = x;
    ay = y;
    az = z;
    bx = u;
    by = v;
    bz = w;
  }
  return d;
}

@inline
function clamp01(x: f64): f64 {
  return x > 0 ? (x < 1 ? x : 1) : 0;
}

/** Index 0..2 in cyclic order after `i`. */
@inline
function after(i: i32): i32 {
  return i == 2 ? 0 : i + 1;
}

/**
 * Candidate: corner `c` of one triangle against the face of the other. True when the projection falls inside.
 * `swap`: the face belongs to B.
 */
function cornerFace(corner: usize, face: usize, nx: f64, ny: f64, nz: f64, n2: f64, swap: bool): bool {
  const px = readF64(face);
  const py = readF64(face, 8);
  const pz = readF64(face, 16);
  const ux = readF64(face, 24) - px;
  const uy = readF64(face, 32) - py;
  const uz = readF64(face, 40) - pz;
  const vx = readF64(face, 48) - px;
  const vy = readF64(face, 56) - py;
  const vz = readF64(face, 64) - pz;
  const cx = readF64(corner);
  const cy = readF64(corner, 8);
  const cz = readF64(corner, 16);
  const wx = cx - px;
  const wy = cy - py;
  const wz = cz - pz;
  // Barycentric weights: s = n . (w x v) / n2, t = n . (u x w) / n2.
  const s = nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx);
  if (!(s >= 0)) return false;
  const t = nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx);
  if (!(t >= 0) || !(s + t <= n2)) return false;
  const f = s / n2;
  const g = t / n2;
  const qx = px + f * ux + g * vx;
  const qy = py + f * uy + g * vy;
  const qz = pz + f * uz + g * vz;
  if (swap) keep(cx, cy, cz, qx, qy, qz);
  else keep(qx, qy, qz, cx, cy, cz);
  return true;
}

/** True, with a common point, when the edge from `p` (height hp) to `q` (height hq) crosses the face. */
function edgeCrossesFace(
  p: usize,
  q: usize,
  hp: f64,
  hq: f64,
  face: usize,
  nx: f64,
  ny: f64,
  nz: f64,
  n2: f64,
  allowed: f64,
): bool {
  if ((hp > 0 && hq > 0) || (hp < 0 && hq < 0) || hp == hq) return false;
  const r = hp / (hp - hq);
  const x = readF64(p) + r * (readF64(q) - readF64(p));
  const y = readF64(p, 8) + r * (readF64(q, 8) - readF64(p, 8));
  const z = readF64(p, 16) + r * (readF64(q, 16) - readF64(p, 16));
  const px = readF64(face);
  const py = readF64(face, 8);
  const pz = readF64(face, 16);
  const ux = readF64(face, 24) - px;
  const uy = readF64(face, 32) - py;
  const uz = readF64(face, 40) - pz;
  const vx = readF64(face, 48) - px;
  const vy = readF64(face, 56) - py;
  const vz = readF64(face, 64) - pz;
  const wx = x - px;
  const wy = y - py;
  const wz = z - pz;
  const s = nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx);
  if (!(s >= 0)) return false;
  const t = nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx);
  if (!(t >= 0) || !(s + t <= n2)) return false;
  // The point must lie in the face as computed, or a poor normal would invent a crossing.
  const f = s / n2;
  const g = t / n2;
  const ex = f * ux + g * vx - wx;
  const ey = f * uy + g * vy - wy;
  const ez = f * uz + g * vz - wz;
  if (ex * ex + ey * ey + ez * ez > allowed) return false;
  ax = x;
  ay = y;
  az = z;
  bx = x;
  by = y;
  bz = z;
  best = 0;
  return true;
}

/**
 * Candidate: edge p0 p1 of A against edge q0 q1 of B; c and d are the triangles' third corners. True when the slab
 * between the closest points separates the triangles, so that nothing can be closer.
 */
function edgeEdge(p0: usize, p1: usize, c: usize, q0: usize, q1: usize, d: usize): bool {
  const px = readF64(p0);
  const py = readF64(p0, 8);
  const pz = readF64(p0, 16);
  const ux = readF64(p1) - px;
  const uy = readF64(p1, 8) - py;
  const uz = readF64(p1, 16) - pz;
  const qx = readF64(q0);
  const qy = readF64(q0, 8);
  const qz = readF64(q0, 16);
  const vx = readF64(q1) - qx;
  const vy = readF64(q1, 8) - qy;
  const vz = readF64(q1, 16) - qz;
  const rx = px - qx;
  const ry = py - qy;
  const rz = pz - qz;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const n2 = nx * nx + ny * ny + nz * nz;
  const e = vx * vx + vy * vy + vz * vz;
  const f = vx * rx + vy * ry + vz * rz;
  let s: f64 = 0;
  if (n2 > 0) {
    const m = nx * (ry * vz - rz * vy) + ny * (rz * vx - rx * vz) + nz * (rx * vy - ry * vx);
    s = clamp01(-m / n2);
  }
  const b = ux * vx + uy * vy + uz * vz;
  let t: f64 = e > 0 ? (f + s * b) / e : 0;
  if (t < 0 || t > 1 || e == 0) {
    t = t > 1 ? 1 : 0;
    const a = ux * ux + uy * uy + uz * uz;
    s = a > 0 ? clamp01((t * b - (ux * rx + uy * ry + uz * rz)) / a) : 0;
  }
  const x = px + s * ux;
  const y = py + s * uy;
  const z = pz + s * uz;
  const h = qx + t * vx;
  const i = qy + t * vy;
  const j = qz + t * vz;
  const d2 = keep(x, y, z, h, i, j);
  if (d2 > best) return false;
  const wx = h - x;
  const wy = i - y;
  const wz = j - z;
  if ((readF64(c) - x) * wx + (readF64(c, 8) - y) * wy + (readF64(c, 16) - z) * wz > 0) return false;
  return (readF64(d) - h) * wx + (readF64(d, 8) - i) * wy + (readF64(d, 16) - j) * wz >= 0 && d2 > 0;
}

/**
 * Squared distance of two triangles (9 f64 each, one frame) when it is below `limit`, else a value >= limit.
 * The closest points go to the result area when the distance is below the limit.
 */
export function trianglePairDistance(a: usize, b: usize, limit: f64): f64 {
  best = limit;
  searchPair(a, b);
  if (best < limit) {
    writeF64(RESULT_NUMBERS, 8, ax);
    writeF64(RESULT_NUMBERS, 16, ay);
    writeF64(RESULT_NUMBERS, 24, az);
    writeF64(RESULT_NUMBERS, 32, bx);
    writeF64(RESULT_NUMBERS, 40, by);
    writeF64(RESULT_NUMBERS, 48, bz);
  }
  return best;
}

function searchPair(a: usize, b: usize): void {
  const a0x = readF64(a);
  const a0y = readF64(a, 8);
  const a0z = readF64(a, 16);
  const ux = readF64(a, 24) - a0x;
  const uy = readF64(a, 32) - a0y;
  const uz = readF64(a, 40) - a0z;
  const vx = readF64(a, 48) - a0x;
  const vy = readF64(a, 56) - a0y;
  const vz = readF64(a, 64) - a0z;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const n2 = nx * nx + ny * ny + nz * nz;

  const b0x = readF64(b);
  const b0y = readF64(b, 8);
  const b0z = readF64(b, 16);
  const sx = readF64(b, 24) - b0x;
  const sy = readF64(b, 32) - b0y;
  const sz = readF64(b, 40) - b0z;
  const tx = readF64(b, 48) - b0x;
  const ty = readF64(b, 56) - b0y;
  const tz = readF64(b, 64) - b0z;
  const mx = sy * tz - sz * ty;
  const my = sz * tx - sx * tz;
  const mz = sx * ty - sy * tx;
  const m2 = mx * mx + my * my + mz * mz;

  const dx = b0x - a0x;
  const dy = b0y - a0y;
  const dz = b0z - a0z;
  // Heights, times the normal's length.
  const hb0 = nx * dx + ny * dy + nz * dz;
  const hb1 = nx * (dx + sx) + ny * (dy + sy) + nz * (dz + sz);
  const hb2 = nx * (dx + tx) + ny * (dy + ty) + nz * (dz + tz);
  const ha0 = -(mx * dx + my * dy + mz * dz);
  const ha1 = mx * (ux - dx) + my * (uy - dy) + mz * (uz - dz);
  const ha2 = mx * (vx - dx) + my * (vy - dy) + mz * (vz - dz);

  const longA = max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz);
  const longB = max(sx * sx + sy * sy + sz * sz, tx * tx + ty * ty + tz * tz);
  const spread = max(longA, longB);
  const asideB = (hb0 > 0 && hb1 > 0 && hb2 > 0) || (hb0 < 0 && hb1 < 0 && hb2 < 0);
  const asideA = (ha0 > 0 && ha1 > 0 && ha2 > 0) || (ha0 < 0 && ha1 < 0 && ha2 < 0);

  if (!asideA && !asideB) {
    const allowed = spread * 1e-26;
    if (n2 > 0) {
      if (edgeCrossesFace(b, b + 24, hb0, hb1, a, nx, ny, nz, n2, allowed)) return;
      if (edgeCrossesFace(b + 24, b + 48, hb1, hb2, a, nx, ny, nz, n2, allowed)) return;
      if (edgeCrossesFace(b + 48, b, hb2, hb0, a, nx, ny, nz, n2, allowed)) return;
    }
    if (m2 > 0) {
      if (edgeCrossesFace(a, a + 24, ha0, ha1, b, mx, my, mz, m2, allowed)) return;
      if (edgeCrossesFace(a + 24, a + 48, ha1, ha2, b, mx, my, mz, m2, allowed)) return;
      if (edgeCrossesFace(a + 48, a, ha2, ha0, b, mx, my, mz, m2, allowed)) return;
    }
  }

  if (n2 > 0) {
    if (cornersOverFace(b, hb0, hb1, hb2, asideB, a, nx, ny, nz, n2, spread, false)) {
      if (n2 > THIN * longA * longA) return;
    }
  }
  if (m2 > 0) {
    if (cornersOverFace(a, ha0, ha1, ha2, asideA, b, mx, my, mz, m2, spread, true)) {
      if (m2 > THIN * longB * longB) return;
    }
  }

  for (let i = 0; i < 3; i++) {
    const j = after(i);
    const p0 = a + <usize>(24 * i);
    const p1 = a + <usize>(24 * j);
    const c = a + <usize>(24 * after(j));
    if (edgeEdge(p0, p1, c, b, b + 24, b + 48)) return;
    if (edgeEdge(p0, p1, c, b + 24, b + 48, b)) return;
    if (edgeEdge(p0, p1, c, b + 48, b, b + 24)) return;
  }
}

/** True when the nearest corner, of a triangle wholly on one side of the face, projects into it. */
function cornersOverFace(
  corners: usize,
  h0: f64,
  h1: f64,
  h2: f64,
  aside: bool,
  face: usize,
  nx: f64,
  ny: f64,
  nz: f64,
  n2: f64,
  spread: f64,
  swap: bool,
): bool {
  const k0 = h0 * h0;
  const k1 = h1 * h1;
  const k2 = h2 * h2;
  if (aside) {
    const lowest = k0 <= k1 && k0 <= k2 ? 0 : k1 <= k2 ? 24 : 48;
    return cornerFace(corners + <usize>lowest, face, nx, ny, nz, n2, swap);
  }
  const flat = FLAT * n2 * spread;
  if (k0 <= flat) cornerFace(corners, face, nx, ny, nz, n2, swap);
  if (k1 <= flat) cornerFace(corners + 24, face, nx, ny, nz, n2, swap);
  if (k2 <= flat) cornerFace(corners + 48, face, nx, ny, nz, n2, swap);
  return false;
}

/**
 * True when a plane of one of the triangles separates them by more than `tolerance` (squared in `tolerance2`).
 * Sound for every input: planes of thin triangles are not used.
 */
export function separatedByPlane(a: usize, b: usize, tolerance2: f64): bool {
  return planeSeparates(a, b, tolerance2) || planeSeparates(b, a, tolerance2);
}

@inline
function planeSeparates(a: usize, b: usize, tolerance2: f64): bool {
  const x = readF64(a);
  const y = readF64(a, 8);
  const z = readF64(a, 16);
  const ux = readF64(a, 24) - x;
  const uy = readF64(a, 32) - y;
  const uz = readF64(a, 40) - z;
  const vx = readF64(a, 48) - x;
  const vy = readF64(a, 56) - y;
  const vz = readF64(a, 64) - z;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const h0 = nx * (readF64(b) - x) + ny * (readF64(b, 8) - y) + nz * (readF64(b, 16) - z);
  const h1 = nx * (readF64(b, 24) - x) + ny * (readF64(b, 32) - y) + nz * (readF64(b, 40) - z);
  const h2 = nx * (readF64(b, 48) - x) + ny * (readF64(b, 56) - y) + nz * (readF64(b, 64) - z);
  let gap: f64 = 0;
  if (h0 > 0 && h1 > 0 && h2 > 0) gap = min(h0, min(h1, h2));
  else if (h0 < 0 && h1 < 0 && h2 < 0) gap = max(h0, max(h1, h2));
  else return false;
  const n2 = nx * nx + ny * ny + nz * nz;
  const long = max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz);
  return gap * gap > tolerance2 * n2 && n2 > 1e-10 * long * long;
}

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
// The tree stores triangles with the corner between the two shorter edges first, which gives the best normal.
// Accuracy: about 1e-15 of the coordinates' spread; less when triangles thinner than 1e-6 cross. Test: src/bvh/triangle-pairs.test.ts.
import { LOCAL_A, LOCAL_B, RESULT_NUMBERS } from '../../src/kernel/layout';
import { readF64, writeF64 } from '../memory';

/** Squares of sines below this belong to triangles too thin for their normal to decide anything. */
const THIN: f64 = 1e-16;
/** Relative height up to which a corner counts as lying in a plane. */
const FLAT: f64 = 1e-18;
/** Of a product of two differences, relative to their squares. */
const ROUNDING: f64 = 2e-15;

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
 * Candidate: the corner of one triangle against the face of the other (of B when `swap`). True when the projection falls
 * inside. The weights are refined once: for a thin face the first ones are only good to a few digits.
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
  // Barycentric weights times n2: s = n . (w x v), t = n . (u x w).
  const s = nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx);
  if (!(s >= 0)) return false;
  const t = nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx);
  if (!(t >= 0) || !(s + t <= n2)) return false;
  let f = s / n2;
  let g = t / n2;
  const rx = wx - f * ux - g * vx;
  const ry = wy - f * uy - g * vy;
  const rz = wz - f * uz - g * vz;
  f += (nx * (ry * vz - rz * vy) + ny * (rz * vx - rx * vz) + nz * (rx * vy - ry * vx)) / n2;
  g += (nx * (uy * rz - uz * ry) + ny * (uz * rx - ux * rz) + nz * (ux * ry - uy * rx)) / n2;
  const inside = f >= 0 && g >= 0 && f + g <= 1;
  if (!inside) {
    f = clamp01(f);
    g = min(max(g, 0), 1 - f);
  }
  const qx = px + f * ux + g * vx;
  const qy = py + f * uy + g * vy;
  const qz = pz + f * uz + g * vz;
  if (swap) keep(cx, cy, cz, qx, qy, qz);
  else keep(qx, qy, qz, cx, cy, cz);
  return inside;
}

/**
 * True, with a common point, when the edge from `p` (height hp) to `q` (height hq) crosses the face (of B when `swap`).
 * Parameter and weights are refined, see cornerFace; when they still do not meet, the two points are a candidate.
 */
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
  swap: bool,
): bool {
  if ((hp > 0 && hq > 0) || (hp < 0 && hq < 0) || hp == hq) return false;
  let r = hp / (hp - hq);
  const bx = readF64(p);
  const by = readF64(p, 8);
  const bz = readF64(p, 16);
  const ex = readF64(q) - bx;
  const ey = readF64(q, 8) - by;
  const ez = readF64(q, 16) - bz;
  const px = readF64(face);
  const py = readF64(face, 8);
  const pz = readF64(face, 16);
  const ux = readF64(face, 24) - px;
  const uy = readF64(face, 32) - py;
  const uz = readF64(face, 40) - pz;
  const vx = readF64(face, 48) - px;
  const vy = readF64(face, 56) - py;
  const vz = readF64(face, 64) - pz;
  let wx = bx + r * ex - px;
  let wy = by + r * ey - py;
  let wz = bz + r * ez - pz;
  let f = (nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx)) / n2;
  if (!(f >= -1e-3)) return false;
  let g = (nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx)) / n2;
  if (!(g >= -1e-3) || !(f + g <= 1.001)) return false;
  let error: f64 = 0;
  for (let round = 0; round < 3; round++) {
    let x = wx - f * ux - g * vx;
    let y = wy - f * uy - g * vy;
    let z = wz - f * uz - g * vz;
    error = x * x + y * y + z * z;
    if (error <= allowed) break;
    const step = (nx * x + ny * y + nz * z) / (hp - hq);
    r = clamp01(r + step);
    wx = bx + r * ex - px;
    wy = by + r * ey - py;
    wz = bz + r * ez - pz;
    x += step * ex;
    y += step * ey;
    z += step * ez;
    f += (nx * (y * vz - z * vy) + ny * (z * vx - x * vz) + nz * (x * vy - y * vx)) / n2;
    g += (nx * (uy * z - uz * y) + ny * (uz * x - ux * z) + nz * (ux * y - uy * x)) / n2;
  }
  if (!(f >= 0) || !(g >= 0) || !(f + g <= 1)) return false;
  const x = px + wx;
  const y = py + wy;
  const z = pz + wz;
  if (error <= allowed) {
    keep(x, y, z, x, y, z);
    return true;
  }
  if (swap) keep(x, y, z, px + f * ux + g * vx, py + f * uy + g * vy, pz + f * uz + g * vz);
  else keep(px + f * ux + g * vx, py + f * uy + g * vy, pz + f * uz + g * vz, x, y, z);
  return false;
}

/**
 * Candidate: edge p0 p1 of A against edge q0 q1 of B; c and d are the triangles' third corners. True when nothing can be
 * closer than `best`: the ends of the edges lie beyond the planes through the closest points, at right angles to the
 * line between them; the third corners are beyond them too, or reach over by so little that the gap stays above `best`.
 */
function edgeEdge(p0: usize, p1: usize, c: usize, q0: usize, q1: usize, d: usize, spread: f64): bool {
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
  const wx = h - x;
  const wy = i - y;
  const wz = j - z;
  const overA = (readF64(c) - x) * wx + (readF64(c, 8) - y) * wy + (readF64(c, 16) - z) * wz;
  const overB = (h - readF64(d)) * wx + (i - readF64(d, 8)) * wy + (j - readF64(d, 16)) * wz;
  const rounding = ROUNDING * (spread + d2);
  if (overA < -rounding && overB < -rounding) return true;
  const gap = d2 - max(overA, 0) - max(overB, 0) - 2 * rounding;
  return gap > 0 && gap * gap > best * d2;
}

/** Squared distance of the two triangles in the local area when it is below `limit`, else a value >= limit. */
function measureLocal(limit: f64): f64 {
  best = limit;
  searchPair(LOCAL_A, LOCAL_B);
  return best;
}

/** Copies both triangles to the local area, relative to the first corner of A: differences lose the fewest digits. */
@inline
function copyLocal(a: usize, b: usize): void {
  const x = readF64(a);
  const y = readF64(a, 8);
  const z = readF64(a, 16);
  for (let corner: usize = 0; corner < 72; corner += 24) {
    writeF64(LOCAL_A + corner, 0, readF64(a + corner) - x);
    writeF64(LOCAL_A + corner, 8, readF64(a + corner, 8) - y);
    writeF64(LOCAL_A + corner, 16, readF64(a + corner, 16) - z);
    writeF64(LOCAL_B + corner, 0, readF64(b + corner) - x);
    writeF64(LOCAL_B + corner, 8, readF64(b + corner, 8) - y);
    writeF64(LOCAL_B + corner, 16, readF64(b + corner, 16) - z);
  }
}

/**
 * Squared distance of two triangles (9 f64 each, one frame) when it is below `limit`, else a value >= limit.
 * The closest points go to the result area when the distance is below the limit.
 */
export function trianglePairDistance(a: usize, b: usize, limit: f64): f64 {
  copyLocal(a, b);
  const d2 = measureLocal(limit);
  if (d2 < limit) {
    const x = readF64(a);
    const y = readF64(a, 8);
    const z = readF64(a, 16);
    writeF64(RESULT_NUMBERS, 8, ax + x);
    writeF64(RESULT_NUMBERS, 16, ay + y);
    writeF64(RESULT_NUMBERS, 24, az + z);
    writeF64(RESULT_NUMBERS, 32, bx + x);
    writeF64(RESULT_NUMBERS, 40, by + y);
    writeF64(RESULT_NUMBERS, 48, bz + z);
  }
  return d2;
}

/** Heights over a triangle's plane, times the normal's length, are right to this times long edge squared times reach. */
const HEIGHT_ROUNDING: f64 = 1e-15;

function searchPair(a: usize, b: usize): void {
  const ux = readF64(a, 24);
  const uy = readF64(a, 32);
  const uz = readF64(a, 40);
  const vx = readF64(a, 48);
  const vy = readF64(a, 56);
  const vz = readF64(a, 64);
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const n2 = nx * nx + ny * ny + nz * nz;
  const longA = max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz);
  const dx = readF64(b);
  const dy = readF64(b, 8);
  const dz = readF64(b, 16);
  const sx = readF64(b, 24) - dx;
  const sy = readF64(b, 32) - dy;
  const sz = readF64(b, 40) - dz;
  const tx = readF64(b, 48) - dx;
  const ty = readF64(b, 56) - dy;
  const tz = readF64(b, 64) - dz;
  // Heights, times the normal's length.
  const hb0 = nx * dx + ny * dy + nz * dz;
  const hb1 = hb0 + (nx * sx + ny * sy + nz * sz);
  const hb2 = hb0 + (nx * tx + ny * ty + nz * tz);
  // Heights this small may be rounding: the normal of a needle is nothing else, and its own corners are not at height 0.
  const offset = abs(dx) + abs(dy) + abs(dz);
  const reachB = abs(sx) + abs(sy) + abs(sz) + abs(tx) + abs(ty) + abs(tz);
  const roundB = HEIGHT_ROUNDING * longA * (offset + reachB);
  const asideB = (hb0 > roundB && hb1 > roundB && hb2 > roundB) || (hb0 < -roundB && hb1 < -roundB && hb2 < -roundB);
  if (asideB && planeBeyondBest(hb0, hb1, hb2, n2, longA)) return;

  const mx = sy * tz - sz * ty;
  const my = sz * tx - sx * tz;
  const mz = sx * ty - sy * tx;
  const m2 = mx * mx + my * my + mz * mz;
  const longB = max(sx * sx + sy * sy + sz * sz, tx * tx + ty * ty + tz * tz);
  const ha0 = -(mx * dx + my * dy + mz * dz);
  const ha1 = ha0 + (mx * ux + my * uy + mz * uz);
  const ha2 = ha0 + (mx * vx + my * vy + mz * vz);
  const reachA = abs(ux) + abs(uy) + abs(uz) + abs(vx) + abs(vy) + abs(vz);
  const roundA = HEIGHT_ROUNDING * longB * (offset + reachA);
  const asideA = (ha0 > roundA && ha1 > roundA && ha2 > roundA) || (ha0 < -roundA && ha1 < -roundA && ha2 < -roundA);
  if (asideA && planeBeyondBest(ha0, ha1, ha2, m2, longB)) return;

  const spread = max(longA, longB);
  if (!asideA && !asideB) {
    const allowed = spread * 1e-30;
    if (n2 > 0) {
      if (edgeCrossesFace(b, b + 24, hb0, hb1, a, nx, ny, nz, n2, allowed, false)) return;
      if (edgeCrossesFace(b + 24, b + 48, hb1, hb2, a, nx, ny, nz, n2, allowed, false)) return;
      if (edgeCrossesFace(b + 48, b, hb2, hb0, a, nx, ny, nz, n2, allowed, false)) return;
    }
    if (m2 > 0) {
      if (edgeCrossesFace(a, a + 24, ha0, ha1, b, mx, my, mz, m2, allowed, true)) return;
      if (edgeCrossesFace(a + 24, a + 48, ha1, ha2, b, mx, my, mz, m2, allowed, true)) return;
      if (edgeCrossesFace(a + 48, a, ha2, ha0, b, mx, my, mz, m2, allowed, true)) return;
    }
  }

  if (n2 > 0) {
    const flat = max(FLAT * n2 * spread, roundB * roundB);
    if (cornersOverFace(b, hb0, hb1, hb2, asideB, a, nx, ny, nz, n2, flat, false)) {
      if (n2 > THIN * longA * longA) return;
    }
  }
  if (m2 > 0) {
    const flat = max(FLAT * m2 * spread, roundA * roundA);
    if (cornersOverFace(a, ha0, ha1, ha2, asideA, b, mx, my, mz, m2, flat, true)) {
      if (m2 > THIN * longB * longB) return;
    }
  }

  for (let i = 0; i < 3; i++) {
    const j = after(i);
    const p0 = a + <usize>(24 * i);
    const p1 = a + <usize>(24 * j);
    const c = a + <usize>(24 * after(j));
    if (edgeEdge(p0, p1, c, b, b + 24, b + 48, spread)) return;
    if (edgeEdge(p0, p1, c, b + 24, b + 48, b, spread)) return;
    if (edgeEdge(p0, p1, c, b + 48, b, b + 24, spread)) return;
  }
}

/** The plane of a well-shaped triangle, all of the other on one side of it, is farther than the best distance. */
@inline
function planeBeyondBest(h0: f64, h1: f64, h2: f64, n2: f64, long: f64): bool {
  const gap = min(abs(h0), min(abs(h1), abs(h2)));
  return gap * gap > best * n2 * 1.0000001 && n2 > 1e-4 * long * long;
}

/**
 * True when the nearest corner, of a triangle wholly on one side of the face, projects into it. Of other triangles every corner
 * whose squared height, times the normal's squared length, is at most `flat` is measured.
 */
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
  flat: f64,
  swap: bool,
): bool {
  const k0 = h0 * h0;
  const k1 = h1 * h1;
  const k2 = h2 * h2;
  if (aside) {
    const lowest = k0 <= k1 && k0 <= k2 ? 0 : k1 <= k2 ? 24 : 48;
    return cornerFace(corners + <usize>lowest, face, nx, ny, nz, n2, swap);
  }
  if (k0 <= flat) cornerFace(corners, face, nx, ny, nz, n2, swap);
  if (k1 <= flat) cornerFace(corners + 24, face, nx, ny, nz, n2, swap);
  if (k2 <= flat) cornerFace(corners + 48, face, nx, ny, nz, n2, swap);
  return false;
}

// Quick proof that two triangles are apart, in f32 SIMD: four axes at a time.
//
// Method: both triangles, less the first corner of A and scaled down to the unit cube, go to f32; the corners are
// projected on the two normals and the line between the centroids, then on the nine cross products of edges, four axes
// per step. An axis that shows a gap above the tolerance and the rounding settles it.
// Source: Gottschalk, Lin, Manocha 1996, section 5, doi:10.1145/237170.237244 (the axes).
// Any axis is a valid proof, so its own rounding does not matter; that of corners and projections is below 4.5e-7 of the
// axis' length, since coordinates are at most 1. Pairs closer than that are left to the exact routine.
// Test: src/bvh/triangle-pairs.test.ts.
import { readF64 } from '../memory';

const ROUNDING: f64 = 1e-6;
/** Squares of gaps below this may have lost their digits. */
const UNDERFLOW: f32 = 1e-36;

@inline
function dot(x: v128, y: v128, z: v128, a: v128, b: v128, c: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(x, a), f32x4.mul(y, b)), f32x4.mul(z, c));
}

/** (a0, b0, c0, d0) of four splats. */
@inline
function gather(a: v128, b: v128, c: v128, d: v128): v128 {
  return v128.shuffle<u64>(v128.shuffle<f32>(a, b, 0, 4, 0, 4), v128.shuffle<f32>(c, d, 0, 4, 0, 4), 0, 2);
}

@inline
function load(triangle: usize, offset: usize, origin: f64, scale: f64): v128 {
  return f32x4.splat(<f32>((readF64(triangle, offset) - origin) * scale));
}

/**
 * True when the triangles (9 f64 each, one frame) are farther apart than `tolerance`; false decides nothing. `scale` times
 * any difference of their corners is at most 1.
 */
export function separatedByAxes(a: usize, b: usize, tolerance: f64, scale: f64): bool {
  const x = readF64(a);
  const y = readF64(a, 8);
  const z = readF64(a, 16);
  const reach = <f32>(tolerance * scale + ROUNDING);
  const s2 = f32x4.splat(reach * reach * <f32>1.000002);
  const ux = load(a, 24, x, scale);
  const uy = load(a, 32, y, scale);
  const uz = load(a, 40, z, scale);
  const vx = load(a, 48, x, scale);
  const vy = load(a, 56, y, scale);
  const vz = load(a, 64, z, scale);
  const px = load(b, 0, x, scale);
  const py = load(b, 8, y, scale);
  const pz = load(b, 16, z, scale);
  const qx = load(b, 24, x, scale);
  const qy = load(b, 32, y, scale);
  const qz = load(b, 40, z, scale);
  const rx = load(b, 48, x, scale);
  const ry = load(b, 56, y, scale);
  const rz = load(b, 64, z, scale);

  // Edges of B in lanes 0 to 2 (p q, q r, r p), and p r again.
  const ex = f32x4.sub(gather(qx, rx, px, rx), gather(px, qx, rx, px));
  const ey = f32x4.sub(gather(qy, ry, py, ry), gather(py, qy, ry, py));
  const ez = f32x4.sub(gather(qz, rz, pz, rz), gather(pz, qz, rz, pz));
  // First step: lane 0 u x v, lane 1 (q - p) x (r - p), lanes 2 and 3 differences of corners.
  const fx = gather(ux, v128.shuffle<f32>(ex, ex, 0, 0, 0, 0), ux, ux);
  const fy = gather(uy, v128.shuffle<f32>(ey, ey, 0, 0, 0, 0), uy, uy);
  const fz = gather(uz, v128.shuffle<f32>(ez, ez, 0, 0, 0, 0), uz, uz);
  const gx = gather(vx, v128.shuffle<f32>(ex, ex, 3, 3, 3, 3), vx, vx);
  const gy = gather(vy, v128.shuffle<f32>(ey, ey, 3, 3, 3, 3), vy, vy);
  const gz = gather(vz, v128.shuffle<f32>(ez, ez, 3, 3, 3, 3), vz, vz);
  let nx = f32x4.sub(f32x4.mul(fy, gz), f32x4.mul(fz, gy));
  let ny = f32x4.sub(f32x4.mul(fz, gx), f32x4.mul(fx, gz));
  let nz = f32x4.sub(f32x4.mul(fx, gy), f32x4.mul(fy, gx));
  const third = f32x4.splat(<f32>(1.0 / 3.0));
  const cx = f32x4.mul(third, f32x4.sub(f32x4.add(f32x4.add(px, qx), rx), f32x4.add(ux, vx)));
  const cy = f32x4.mul(third, f32x4.sub(f32x4.add(f32x4.add(py, qy), ry), f32x4.add(uy, vy)));
  const cz = f32x4.mul(third, f32x4.sub(f32x4.add(f32x4.add(pz, qz), rz), f32x4.add(uz, vz)));
  nx = v128.shuffle<f32>(nx, cx, 0, 1, 4, 4);
  ny = v128.shuffle<f32>(ny, cy, 0, 1, 4, 4);
  nz = v128.shuffle<f32>(nz, cz, 0, 1, 4, 4);
  if (apart(nx, ny, nz, ux, uy, uz, vx, vy, vz, px, py, pz, qx, qy, qz, rx, ry, rz, s2)) return true;
  nx = f32x4.sub(f32x4.mul(uy, ez), f32x4.mul(uz, ey));
  ny = f32x4.sub(f32x4.mul(uz, ex), f32x4.mul(ux, ez));
  nz = f32x4.sub(f32x4.mul(ux, ey), f32x4.mul(uy, ex));
  if (apart(nx, ny, nz, ux, uy, uz, vx, vy, vz, px, py, pz, qx, qy, qz, rx, ry, rz, s2)) return true;
  nx = f32x4.sub(f32x4.mul(vy, ez), f32x4.mul(vz, ey));
  ny = f32x4.sub(f32x4.mul(vz, ex), f32x4.mul(vx, ez));
  nz = f32x4.sub(f32x4.mul(vx, ey), f32x4.mul(vy, ex));
  if (apart(nx, ny, nz, ux, uy, uz, vx, vy, vz, px, py, pz, qx, qy, qz, rx, ry, rz, s2)) return true;
  const wx = f32x4.sub(vx, ux);
  const wy = f32x4.sub(vy, uy);
  const wz = f32x4.sub(vz, uz);
  nx = f32x4.sub(f32x4.mul(wy, ez), f32x4.mul(wz, ey));
  ny = f32x4.sub(f32x4.mul(wz, ex), f32x4.mul(wx, ez));
  nz = f32x4.sub(f32x4.mul(wx, ey), f32x4.mul(wy, ex));
  return apart(nx, ny, nz, ux, uy, uz, vx, vy, vz, px, py, pz, qx, qy, qz, rx, ry, rz, s2);
}

/** One of four axes separates the triangle (0, u, v) from (p, q, r). */
@inline
function apart(
  nx: v128,
  ny: v128,
  nz: v128,
  ux: v128,
  uy: v128,
  uz: v128,
  vx: v128,
  vy: v128,
  vz: v128,
  px: v128,
  py: v128,
  pz: v128,
  qx: v128,
  qy: v128,
  qz: v128,
  rx: v128,
  ry: v128,
  rz: v128,
  s2: v128,
): bool {
  const zero = f32x4.splat(0);
  const u = dot(nx, ny, nz, ux, uy, uz);
  const v = dot(nx, ny, nz, vx, vy, vz);
  const p = dot(nx, ny, nz, px, py, pz);
  const q = dot(nx, ny, nz, qx, qy, qz);
  const r = dot(nx, ny, nz, rx, ry, rz);
  const lowA = f32x4.pmin(f32x4.pmin(u, v), zero);
  const highA = f32x4.pmax(f32x4.pmax(u, v), zero);
  const lowB = f32x4.pmin(f32x4.pmin(p, q), r);
  const highB = f32x4.pmax(f32x4.pmax(p, q), r);
  const gap = f32x4.pmax(f32x4.pmax(f32x4.sub(lowB, highA), f32x4.sub(lowA, highB)), zero);
  const n2 = dot(nx, ny, nz, nx, ny, nz);
  return v128.any_true(f32x4.gt(f32x4.mul(gap, gap), f32x4.add(f32x4.mul(s2, n2), f32x4.splat(UNDERFLOW))));
}

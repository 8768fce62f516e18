// The core of a convex shape against up to four triangles at once, in f32 SIMD: squared lower bounds of the distances, and which
// triangles certainly have a point in the core.
//
// Method: corners in the core's frame; the bound is the largest of: the gaps to the core's box along its axes, as the legs of a right
// triangle; the gap along the triangle's normal; that along a direction given, the one that the last exact test ended with; of a box,
// which then is decided, the gaps along the nine cross products of edges. Any direction is a proof, so its rounding does not matter.
// Source: Gottschalk, Lin, Manocha 1996, section 5, doi:10.1145/237170.237244 (the axes).
// Rounding: that of core-bounds.ts. Cost: 30 ns, 60 with cross products. Tests: test/contract/mesh-convex.test.ts.
import { TREE_ORIGIN } from '../../src/kernel/layout';
import { CORE_BOX, CORE_CONE, CORE_CYLINDER, CORE_ELLIPSOID, CORE_POINTS } from '../convex/convex-state';
import { add, dot3, mul, sub } from '../lanes';
import { readF64 } from '../memory';
import {
  a0,
  a1,
  a2,
  alongLeg,
  lanesOf,
  leg,
  lengthOf,
  p0,
  p1,
  p2,
  r00,
  r01,
  r02,
  r10,
  r11,
  r12,
  r20,
  r21,
  r22,
  reachAlong,
  slackOf,
  unit,
} from './core-bounds';

/** Squared lengths of normals below which the squares of supports underflow: they are left out. */
const NOTHING: f32 = 1e-24;

/** Direction from the core to the triangle of the last exact test, its length and how far the core reaches along it. */
let lastX: v128 = f32x4.splat(0);
let lastY: v128 = f32x4.splat(0);
let lastZ: v128 = f32x4.splat(0);
let lastReach: v128 = f32x4.splat(0);
let hasLast: bool = false;
/** Bit l is set when triangle l has a point in the core. */
export let insideLanes: i32 = 0;

/** Corners of four triangles in the core's frame. */
let ux: v128 = f32x4.splat(0);
let uy: v128 = f32x4.splat(0);
let uz: v128 = f32x4.splat(0);
let vx: v128 = f32x4.splat(0);
let vy: v128 = f32x4.splat(0);
let vz: v128 = f32x4.splat(0);
let wx: v128 = f32x4.splat(0);
let wy: v128 = f32x4.splat(0);
let wz: v128 = f32x4.splat(0);

export function forgetDirection(): void {
  hasLast = false;
}

/** Any length; `reach`: how far the core reaches along it, from the middle of its box. */
export function setDirection(x: f64, y: f64, z: f64, reach: f64): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  hasLast = length > 0;
  if (!hasLast) return;
  lastX = lanesOf(x / length);
  lastY = lanesOf(y / length);
  lastZ = lanesOf(z / length);
  lastReach = lanesOf((unit * reach) / length);
}

/** One coordinate of one corner of four triangles, less the tree's origin. */
@inline
function gather(t0: usize, t1: usize, t2: usize, t3: usize, offset: usize, origin: v128): v128 {
  const low = f64x2.replace_lane(f64x2.splat(readF64(t0, offset)), 1, readF64(t1, offset));
  const high = f64x2.replace_lane(f64x2.splat(readF64(t2, offset)), 1, readF64(t3, offset));
  return v128.shuffle<f32>(
    f32x4.demote_f64x2_zero(f64x2.mul(f64x2.sub(low, origin), f64x2.splat(unit))),
    f32x4.demote_f64x2_zero(f64x2.mul(f64x2.sub(high, origin), f64x2.splat(unit))),
    0,
    1,
    4,
    5,
  );
}

@inline
function abs(a: v128): v128 {
  return f32x4.abs(a);
}

@inline
function least(a: v128, b: v128, c: v128): v128 {
  return f32x4.pmin(f32x4.pmin(a, b), c);
}

@inline
function most(a: v128, b: v128, c: v128): v128 {
  return f32x4.pmax(f32x4.pmax(a, b), c);
}

/** Squared lower bounds of the distances of the core to four triangles (9 f64 each); `limit`: as far as they matter. */
export function boundTriangles(tree: usize, t0: usize, t1: usize, t2: usize, t3: usize, kind: i32, limit: v128): v128 {
  const ox = f64x2.splat(readF64(tree, TREE_ORIGIN));
  const oy = f64x2.splat(readF64(tree, TREE_ORIGIN + 8));
  const oz = f64x2.splat(readF64(tree, TREE_ORIGIN + 16));
  let x = gather(t0, t1, t2, t3, 0, ox);
  let y = gather(t0, t1, t2, t3, 8, oy);
  let z = gather(t0, t1, t2, t3, 16, oz);
  ux = add(p0, dot3(r00, x, r01, y, r02, z));
  uy = add(p1, dot3(r10, x, r11, y, r12, z));
  uz = add(p2, dot3(r20, x, r21, y, r22, z));
  x = gather(t0, t1, t2, t3, 24, ox);
  y = gather(t0, t1, t2, t3, 32, oy);
  z = gather(t0, t1, t2, t3, 40, oz);
  vx = add(p0, dot3(r00, x, r01, y, r02, z));
  vy = add(p1, dot3(r10, x, r11, y, r12, z));
  vz = add(p2, dot3(r20, x, r21, y, r22, z));
  x = gather(t0, t1, t2, t3, 48, ox);
  y = gather(t0, t1, t2, t3, 56, oy);
  z = gather(t0, t1, t2, t3, 64, oz);
  wx = add(p0, dot3(r00, x, r01, y, r02, z));
  wy = add(p1, dot3(r10, x, r11, y, r12, z));
  wz = add(p2, dot3(r20, x, r21, y, r22, z));
  insideLanes = 0;
  if (kind >= CORE_BOX && kind != CORE_POINTS) {
    const third = f32x4.splat(<f32>(1.0 / 3.0));
    const mx = mul(third, add(add(ux, vx), wx));
    const my = mul(third, add(add(uy, vy), wy));
    const mz = mul(third, add(add(uz, vz), wz));
    insideLanes = i32x4.bitmask(
      v128.or(
        v128.or(holds(ux, uy, uz, kind), holds(vx, vy, vz, kind)),
        v128.or(holds(wx, wy, wz, kind), holds(mx, my, mz, kind)),
      ),
    );
    if (insideLanes) return f32x4.splat(0);
  }

  let bound = add(
    add(
      leg(sub(f32x4.pmax(least(ux, vx, wx), f32x4.neg(most(ux, vx, wx))), a0)),
      leg(sub(f32x4.pmax(least(uy, vy, wy), f32x4.neg(most(uy, vy, wy))), a1)),
    ),
    leg(sub(f32x4.pmax(least(uz, vz, wz), f32x4.neg(most(uz, vz, wz))), a2)),
  );
  if (i32x4.all_true(f32x4.gt(bound, limit))) return bound;
  if (hasLast) {
    const gap = sub(
      least(
        dot3(lastX, ux, lastY, uy, lastZ, uz),
        dot3(lastX, vx, lastY, vy, lastZ, vz),
        dot3(lastX, wx, lastY, wy, lastZ, wz),
      ),
      lastReach,
    );
    bound = f32x4.pmax(bound, mul(leg(gap), f32x4.splat(<f32>(1 / 1.000002))));
    if (i32x4.all_true(f32x4.gt(bound, limit))) return bound;
  }
  const ex = sub(vx, ux);
  const ey = sub(vy, uy);
  const ez = sub(vz, uz);
  const fx = sub(wx, ux);
  const fy = sub(wy, uy);
  const fz = sub(wz, uz);
  bound = f32x4.pmax(
    bound,
    gapAlong(sub(mul(ey, fz), mul(ez, fy)), sub(mul(ez, fx), mul(ex, fz)), sub(mul(ex, fy), mul(ey, fx))),
  );
  if (kind != CORE_BOX || i32x4.all_true(f32x4.gt(bound, limit))) return bound;
  bound = f32x4.pmax(bound, acrossEdges(ex, ey, ez));
  if (i32x4.all_true(f32x4.gt(bound, limit))) return bound;
  bound = f32x4.pmax(bound, acrossEdges(fx, fy, fz));
  return f32x4.pmax(bound, acrossEdges(sub(wx, vx), sub(wy, vy), sub(wz, vz)));
}

/** All ones where (x, y, z) lies in the core, rounding included. */
@inline
function holds(x: v128, y: v128, z: v128, kind: i32): v128 {
  const slack = slackOf();
  if (kind == CORE_CONE) {
    const below = sub(a2, add(z, slack));
    const isAbove = f32x4.lt(sub(slack, z), a2);
    return v128.and(isAbove, f32x4.lt(mul(add(lengthOf(x, y), slack), add(a2, a2)), mul(a0, below)));
  }
  const ox = add(abs(x), slack);
  const oy = add(abs(y), slack);
  const oz = add(abs(z), slack);
  if (kind == CORE_ELLIPSOID) {
    const u = f32x4.div(ox, a0);
    const v = f32x4.div(oy, a1);
    const w = f32x4.div(oz, a2);
    return f32x4.lt(dot3(u, u, v, v, w, w), f32x4.splat(0.999999));
  }
  const inHeight = f32x4.lt(oz, a2);
  if (kind == CORE_CYLINDER) return v128.and(inHeight, f32x4.lt(add(lengthOf(x, y), slack), a0));
  return v128.and(inHeight, v128.and(f32x4.lt(ox, a0), f32x4.lt(oy, a1)));
}

/** Squared gap along (x, y, z), to either side. */
@inline
function gapAlong(nx: v128, ny: v128, nz: v128): v128 {
  const squared = dot3(nx, nx, ny, ny, nz, nz);
  const isLong = f32x4.gt(squared, f32x4.splat(NOTHING));
  const x = v128.and(nx, isLong);
  const y = v128.and(ny, isLong);
  const z = v128.and(nz, isLong);
  const length = f32x4.sqrt(f32x4.pmax(squared, f32x4.splat(NOTHING)));
  const u = dot3(x, ux, y, uy, z, uz);
  const v = dot3(x, vx, y, vy, z, vz);
  const w = dot3(x, wx, y, wy, z, wz);
  const ahead = sub(least(u, v, w), reachAlong(x, y, z, length));
  const behind = sub(f32x4.neg(most(u, v, w)), reachAlong(f32x4.neg(x), f32x4.neg(y), f32x4.neg(z), length));
  return alongLeg(f32x4.pmax(ahead, behind), length);
}

/** Along the cross products of an edge with the axes of a box. */
function acrossEdges(x: v128, y: v128, z: v128): v128 {
  return most(
    planeGap(z, y, uy, uz, vy, vz, wy, wz, a1, a2),
    planeGap(x, z, uz, ux, vz, vx, wz, wx, a2, a0),
    planeGap(y, x, ux, uy, vx, vy, wx, wy, a0, a1),
  );
}

/** Along (p, -q) in the plane of two axes. */
@inline
function planeGap(p: v128, q: v128, u: v128, uu: v128, v: v128, vv: v128, w: v128, ww: v128, a: v128, aa: v128): v128 {
  const i = sub(mul(p, u), mul(q, uu));
  const j = sub(mul(p, v), mul(q, vv));
  const k = sub(mul(p, w), mul(q, ww));
  const reach = add(mul(a, abs(p)), mul(aa, abs(q)));
  const length = f32x4.sqrt(f32x4.pmax(add(mul(p, p), mul(q, q)), f32x4.splat(1e-30)));
  return alongLeg(sub(f32x4.pmax(least(i, j, k), f32x4.neg(most(i, j, k))), reach), length);
}

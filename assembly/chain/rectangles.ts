// Distance of one rectangle swept by a sphere to the four of a node, in f32 SIMD: exact up to rounding.
//
// Method: bring the four rectangles into the frame of the single one. The distance of two rectangles is the least of: corner
//   to rectangle (8), edge to edge (16); and 0 where an edge of one passes through the other. Each candidate is the
//   distance of two actual points, and together they cover every way in which two convex polygons can be closest. The
//   radii are taken off.
// Source: Larsen, Gottschalk, Lin, Manocha 1999, "Fast proximity queries with swept sphere volumes", UNC TR99-018,
//   section 3 (volume); Ericson 2005, "Real-time collision detection", section 5.1.9
//   (segments); the four-wide form without branches is ours.
// Rounding: as for boxes (boxes.ts), covered by the slack. Test: src/bvh/rss.test.ts.
import { BOX_ROTATION, SPHERE_CENTRE, SPHERE_HALF } from '../../src/kernel/layout';
import { add, dot3, mul, row, shifted, splat, sub } from '../lanes';
import { readSplat, readV128 } from '../memory';

@inline
function clamp(x: v128, half: v128): v128 {
  return f32x4.pmax(f32x4.pmin(x, half), f32x4.neg(half));
}
let best: v128 = f32x4.splat(0);
/** Half sides of the single rectangle, which lies in the plane z = 0. */
let a0: v128 = f32x4.splat(0);
let a1: v128 = f32x4.splat(0);
/** Those of the others, their centres, and their first two axes. */
let b0: v128 = f32x4.splat(0);
let b1: v128 = f32x4.splat(0);
let t0: v128 = f32x4.splat(0);
let t1: v128 = f32x4.splat(0);
let t2: v128 = f32x4.splat(0);
let r00: v128 = f32x4.splat(0);
let r10: v128 = f32x4.splat(0);
let r20: v128 = f32x4.splat(0);
let r01: v128 = f32x4.splat(0);
let r11: v128 = f32x4.splat(0);
let r21: v128 = f32x4.splat(0);

@inline
function keep(x: v128, y: v128, z: v128): void {
  best = f32x4.pmin(best, dot3(x, x, y, y, z, z));
}

/** Corner of the others at `u`, `v` along their axes, against the single rectangle. */
@inline
function cornerOfOthers(u: v128, v: v128): void {
  const x = add(t0, add(mul(r00, u), mul(r01, v)));
  const y = add(t1, add(mul(r10, u), mul(r11, v)));
  const z = add(t2, add(mul(r20, u), mul(r21, v)));
  keep(sub(x, clamp(x, a0)), sub(y, clamp(y, a1)), z);
}

/** Corner of the single rectangle against the others. */
@inline
function cornerOfSingle(x: v128, y: v128): void {
  const dx = sub(x, t0);
  const dy = sub(y, t1);
  const dz = f32x4.neg(t2);
  const u = clamp(dot3(r00, dx, r10, dy, r20, dz), b0);
  const v = clamp(dot3(r01, dx, r11, dy, r21, dz), b1);
  keep(
    sub(dx, add(mul(r00, u), mul(r01, v))),
    sub(dy, add(mul(r10, u), mul(r11, v))),
    sub(dz, add(mul(r20, u), mul(r21, v))),
  );
}

/**
 * Edge of the single rectangle, through (cx, cy, 0) along its axis `isFirst ? 0 : 1` with half length ha, against an edge of
 * the others through (mx, my, mz) along (ex, ey, ez) with half length hb. The parameter on the others' edge is clamped, then
 * the one on the single edge, then the first again: for segments that ends at the closest points.
 */
@inline
function edges(
  isFirst: bool,
  c: v128,
  ha: v128,
  mx: v128,
  my: v128,
  mz: v128,
  ex: v128,
  ey: v128,
  ez: v128,
  hb: v128,
  inverse: v128,
): void {
  const dx = isFirst ? mx : sub(mx, c);
  const dy = isFirst ? sub(my, c) : my;
  const along = isFirst ? ex : ey;
  const da = isFirst ? dx : dy;
  const db = dot3(dx, ex, dy, ey, mz, ez);
  // Minimise |d + t e - s a|: s = da + along t, t = along s - db.
  let s = clamp(mul(sub(da, mul(along, db)), inverse), ha);
  const t = clamp(sub(mul(along, s), db), hb);
  s = clamp(add(da, mul(along, t)), ha);
  const x = add(dx, mul(ex, t));
  const y = add(dy, mul(ey, t));
  keep(isFirst ? sub(x, s) : x, isFirst ? y : sub(y, s), add(mz, mul(ez, t)));
}

/** Zero where an edge of the others passes through the single rectangle. */
@inline
function passesSingle(mx: v128, my: v128, mz: v128, ex: v128, ey: v128, ez: v128, hb: v128): void {
  const t = clamp(f32x4.neg(f32x4.div(mz, nonZero(ez))), hb);
  const x = add(mx, mul(ex, t));
  const y = add(my, mul(ey, t));
  keep(sub(x, clamp(x, a0)), sub(y, clamp(y, a1)), add(mz, mul(ez, t)));
}

/** Zero where an edge of the single rectangle passes through the others. */
@inline
function passesOthers(isFirst: bool, c: v128, ha: v128): void {
  const nx = sub(mul(r10, r21), mul(r20, r11));
  const ny = sub(mul(r20, r01), mul(r00, r21));
  const nz = sub(mul(r00, r11), mul(r10, r01));
  const slope = isFirst ? nx : ny;
  const cx = isFirst ? f32x4.splat(0) : c;
  const cy = isFirst ? c : f32x4.splat(0);
  const height = dot3(nx, sub(t0, cx), ny, sub(t1, cy), nz, t2);
  const s = clamp(f32x4.div(height, nonZero(slope)), ha);
  cornerOfSingle(isFirst ? s : c, isFirst ? c : s);
}

/** Away from zero, so that the quotient is finite; where it is that small, any point of the edge will do. */
@inline
function nonZero(x: v128): v128 {
  const tiny = f32x4.splat(1e-20);
  return v128.bitselect(tiny, x, f32x4.lt(f32x4.abs(x), tiny));
}

/** Squared distances of the centres in the last test. */
export function sweptCentreDistances(): v128 {
  return dot3(t0, t0, t1, t1, t2, t2);
}

/** Squared lower bounds of the distances from the single swept rectangle to the four of the node, less the slack. */
export function sweptBoundFour(single: usize, node: usize, transform: usize, slack: v128): v128 {
  const s0 = shifted(transform, 0, single, SPHERE_CENTRE);
  const s1 = shifted(transform, 1, single, SPHERE_CENTRE);
  const s2 = shifted(transform, 2, single, SPHERE_CENTRE);
  const m0 = row(single, 0, s0, s1, s2);
  const m1 = row(single, 1, s0, s1, s2);
  const m2 = row(single, 2, s0, s1, s2);
  const cx = readV128(node, SPHERE_CENTRE);
  const cy = readV128(node, SPHERE_CENTRE + 16);
  const cz = readV128(node, SPHERE_CENTRE + 32);
  t0 = add(splat(m0, 3), dot3(splat(m0, 0), cx, splat(m0, 1), cy, splat(m0, 2), cz));
  t1 = add(splat(m1, 3), dot3(splat(m1, 0), cx, splat(m1, 1), cy, splat(m1, 2), cz));
  t2 = add(splat(m2, 3), dot3(splat(m2, 0), cx, splat(m2, 1), cy, splat(m2, 2), cz));
  const x0 = readV128(node, BOX_ROTATION);
  const y0 = readV128(node, BOX_ROTATION + 48);
  const z0 = readV128(node, BOX_ROTATION + 96);
  const x1 = readV128(node, BOX_ROTATION + 16);
  const y1 = readV128(node, BOX_ROTATION + 64);
  const z1 = readV128(node, BOX_ROTATION + 112);
  r00 = dot3(splat(m0, 0), x0, splat(m0, 1), y0, splat(m0, 2), z0);
  r10 = dot3(splat(m1, 0), x0, splat(m1, 1), y0, splat(m1, 2), z0);
  r20 = dot3(splat(m2, 0), x0, splat(m2, 1), y0, splat(m2, 2), z0);
  r01 = dot3(splat(m0, 0), x1, splat(m0, 1), y1, splat(m0, 2), z1);
  r11 = dot3(splat(m1, 0), x1, splat(m1, 1), y1, splat(m1, 2), z1);
  r21 = dot3(splat(m2, 0), x1, splat(m2, 1), y1, splat(m2, 2), z1);
  a0 = readSplat(single, SPHERE_HALF);
  a1 = readSplat(single, SPHERE_HALF + 16);
  b0 = readV128(node, SPHERE_HALF);
  b1 = readV128(node, SPHERE_HALF + 16);
  best = f32x4.splat(f32.MAX_VALUE);

  const one = f32x4.splat(1);
  const least = f32x4.splat(1e-6);
  const i00 = f32x4.div(one, f32x4.pmax(sub(one, mul(r00, r00)), least));
  const i01 = f32x4.div(one, f32x4.pmax(sub(one, mul(r01, r01)), least));
  const i10 = f32x4.div(one, f32x4.pmax(sub(one, mul(r10, r10)), least));
  const i11 = f32x4.div(one, f32x4.pmax(sub(one, mul(r11, r11)), least));
  for (let side = 0; side < 2; side++) {
    const k0 = side == 0 ? b0 : f32x4.neg(b0);
    const k1 = side == 0 ? b1 : f32x4.neg(b1);
    const c0 = side == 0 ? a0 : f32x4.neg(a0);
    const c1 = side == 0 ? a1 : f32x4.neg(a1);
    cornerOfOthers(k0, k1);
    cornerOfOthers(k0, f32x4.neg(k1));
    cornerOfSingle(c0, c1);
    cornerOfSingle(c0, f32x4.neg(c1));
    // Edges along the others' first axis at +-b1, then along their second at +-b0.
    const ux = add(t0, mul(r01, k1));
    const uy = add(t1, mul(r11, k1));
    const uz = add(t2, mul(r21, k1));
    const vx = add(t0, mul(r00, k0));
    const vy = add(t1, mul(r10, k0));
    const vz = add(t2, mul(r20, k0));
    edges(true, a1, a0, ux, uy, uz, r00, r10, r20, b0, i00);
    edges(true, f32x4.neg(a1), a0, ux, uy, uz, r00, r10, r20, b0, i00);
    edges(false, a0, a1, ux, uy, uz, r00, r10, r20, b0, i10);
    edges(false, f32x4.neg(a0), a1, ux, uy, uz, r00, r10, r20, b0, i10);
    edges(true, a1, a0, vx, vy, vz, r01, r11, r21, b1, i01);
    edges(true, f32x4.neg(a1), a0, vx, vy, vz, r01, r11, r21, b1, i01);
    edges(false, a0, a1, vx, vy, vz, r01, r11, r21, b1, i11);
    edges(false, f32x4.neg(a0), a1, vx, vy, vz, r01, r11, r21, b1, i11);
    passesSingle(ux, uy, uz, r00, r10, r20, b0);
    passesSingle(vx, vy, vz, r01, r11, r21, b1);
    passesOthers(true, c1, a0);
    passesOthers(false, c0, a1);
  }
  // Where edges are parallel to a thousandth, the parameters are off, and the squared distance with them, by up to this.
  const longA = f32x4.pmax(a0, a1);
  const longB = f32x4.pmax(b0, b1);
  const short = f32x4.pmin(longA, longB);
  best = f32x4.pmax(sub(best, mul(f32x4.splat(4.4e-6), mul(short, short))), f32x4.splat(0));
  const radii = add(add(readSplat(single, SPHERE_HALF + 32), readV128(node, SPHERE_HALF + 32)), slack);
  const gap = f32x4.pmax(sub(f32x4.sqrt(best), radii), f32x4.splat(0));
  return mul(gap, gap);
}

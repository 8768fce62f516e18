// The core of a convex shape against the four boxes of a node, in f32 SIMD: squared lower bounds of the four distances.
//
// Method: everything in the core's frame, about the middle of its box. The bound is the largest of: the gaps to the core's box
// along its axes, taken as the legs of a right triangle; the same along the axes of each node box, with the core's support there;
// the gap along the line between two nearly closest points. Of a point the second is the distance itself.
// Source: as boxes.ts; the supports are those of src/geometry/support.ts.
// Lengths are in units of radius of the core + radius of the mesh + their offset, so that no square underflows that matters: every gap
// is off by less than 2e-6, which is subtracted.
// Cost: 20 to 40 ns per node. Tests: test/contract/mesh-convex.test.ts.
import {
  BOX_CENTRE,
  BOX_HALF,
  BOX_ROTATION,
  CONVEX_CORE_A,
  CONVEX_POSE,
  SHAPE_BOX,
  TREE_ORIGIN,
  TREE_RADIUS,
} from '../../src/kernel/layout';
import {
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_POINT,
  CORE_POINTS,
  CORE_SEGMENT,
  F64,
  supportAlong,
  SupportCore,
} from '../convex/convex-state';
import { add, dot3, mul, sub } from '../lanes';
import { readF64, readV128 } from '../memory';

const SLACK: f32 = 2e-6;
/** Squared lengths of directions that say nothing: what lies between such points is less than the slack. */
const NOTHING: f32 = 1e-14;

let kind: i32 = 0;
/** Half sizes of the core's box; radius of a ball about its middle that holds a hull. */
export let a0: v128 = f32x4.splat(0);
export let a1: v128 = f32x4.splat(0);
export let a2: v128 = f32x4.splat(0);
let ball: v128 = f32x4.splat(0);
/** From the tree's origin to the middle of the core. */
export let r00: v128 = f32x4.splat(0);
export let r01: v128 = f32x4.splat(0);
export let r02: v128 = f32x4.splat(0);
export let r10: v128 = f32x4.splat(0);
export let r11: v128 = f32x4.splat(0);
export let r12: v128 = f32x4.splat(0);
export let r20: v128 = f32x4.splat(0);
export let r21: v128 = f32x4.splat(0);
export let r22: v128 = f32x4.splat(0);
export let p0: v128 = f32x4.splat(0);
export let p1: v128 = f32x4.splat(0);
export let p2: v128 = f32x4.splat(0);
/** One over the unit of length. */
export let unit: f64 = 0;
let unit4: v128 = f32x4.splat(0);
/** Of a hull, f64, and its support point. */
let middleX: f64 = 0;
let middleY: f64 = 0;
let middleZ: f64 = 0;
const tip = changetype<F64>(memory.data(24, 16));
/** Squared distances of the middles of the last four boxes to the core's box. */
export let middleSquares: v128 = f32x4.splat(0);
/** What `project` found. */
export let nearX: v128 = f32x4.splat(0);
export let nearY: v128 = f32x4.splat(0);
export let nearZ: v128 = f32x4.splat(0);

@inline
export function lanesOf(x: f64): v128 {
  return f32x4.splat(<f32>x);
}

/** One coordinate of the tree's origin in the core's frame, less the middle of the core. */
@inline
function offsetOf(tree: usize, i: usize, middle: f64): f64 {
  const at = CONVEX_POSE + 24 * <i32>i;
  return (
    readF64(at) * readF64(tree, TREE_ORIGIN) +
    readF64(at, 8) * readF64(tree, TREE_ORIGIN + 8) +
    readF64(at, 16) * readF64(tree, TREE_ORIGIN + 16) +
    readF64(CONVEX_POSE, 72 + 8 * i) -
    middle
  );
}

/** Takes the core and pose in the area of convex queries, and of a hull its box. */
export function openCore(tree: usize): void {
  const core = changetype<SupportCore>(CONVEX_CORE_A);
  kind = core.kind;
  let x: f64 = 0;
  let y: f64 = 0;
  let z: f64 = 0;
  let hx = core.x;
  let hy = core.y;
  let hz = core.z;
  if (kind == CORE_POINTS) {
    x = readF64(SHAPE_BOX);
    y = readF64(SHAPE_BOX, 8);
    z = readF64(SHAPE_BOX, 16);
    hx = readF64(SHAPE_BOX, 24);
    hy = readF64(SHAPE_BOX, 32);
    hz = readF64(SHAPE_BOX, 40);
    middleX = x;
    middleY = y;
    middleZ = z;
  } else if (kind <= CORE_SEGMENT) {
    hx = 0;
    hy = 0;
    if (kind == CORE_POINT) hz = 0;
  } else if (kind == CORE_CYLINDER || kind == CORE_CONE) {
    hy = hx;
  }
  const px = offsetOf(tree, 0, x);
  const py = offsetOf(tree, 1, y);
  const pz = offsetOf(tree, 2, z);
  const reach = Math.sqrt(hx * hx + hy * hy + hz * hz);
  unit = 1 / max<f64>(reach + readF64(tree, TREE_RADIUS) + Math.sqrt(px * px + py * py + pz * pz), 1e-30);
  unit4 = lanesOf(unit);
  a0 = lanesOf(unit * hx);
  a1 = lanesOf(unit * hy);
  a2 = lanesOf(unit * hz);
  ball = lanesOf(unit * readF64(SHAPE_BOX, 48));
  p0 = lanesOf(unit * px);
  p1 = lanesOf(unit * py);
  p2 = lanesOf(unit * pz);
  r00 = lanesOf(readF64(CONVEX_POSE));
  r01 = lanesOf(readF64(CONVEX_POSE, 8));
  r02 = lanesOf(readF64(CONVEX_POSE, 16));
  r10 = lanesOf(readF64(CONVEX_POSE, 24));
  r11 = lanesOf(readF64(CONVEX_POSE, 32));
  r12 = lanesOf(readF64(CONVEX_POSE, 40));
  r20 = lanesOf(readF64(CONVEX_POSE, 48));
  r21 = lanesOf(readF64(CONVEX_POSE, 56));
  r22 = lanesOf(readF64(CONVEX_POSE, 64));
}

@inline
function abs(a: v128): v128 {
  return f32x4.abs(a);
}

/** Rounding of a length, in its unit. */
@inline
export function slackOf(): v128 {
  return f32x4.splat(SLACK);
}

/** Gap less the slack, squared; 0 when not positive. */
@inline
export function leg(gap: v128): v128 {
  const g = f32x4.pmax(sub(gap, f32x4.splat(SLACK)), f32x4.splat(0));
  return mul(g, g);
}

@inline
function clampTo(x: v128, half: v128): v128 {
  return f32x4.pmax(f32x4.pmin(x, half), f32x4.neg(half));
}

@inline
export function lengthOf(x: v128, y: v128): v128 {
  return f32x4.sqrt(add(mul(x, x), mul(y, y)));
}

/** How far the core reaches along (x, y, z), whose length is `length`. */
export function reachAlong(x: v128, y: v128, z: v128, length: v128): v128 {
  if (kind < CORE_CYLINDER) return dot3(a0, abs(x), a1, abs(y), a2, abs(z));
  if (kind == CORE_CYLINDER) return add(mul(a0, lengthOf(x, y)), mul(a2, abs(z)));
  if (kind == CORE_ELLIPSOID) {
    const u = mul(a0, x);
    const v = mul(a1, y);
    const w = mul(a2, z);
    return f32x4.sqrt(dot3(u, u, v, v, w, w));
  }
  if (kind == CORE_CONE) {
    const height = mul(a2, z);
    return f32x4.pmax(height, sub(mul(a0, lengthOf(x, y)), height));
  }
  return f32x4.pmin(dot3(a0, abs(x), a1, abs(y), a2, abs(z)), mul(ball, length));
}

/** Gap along one axis (x, y, z) of the node boxes, on which the core and they are `along` apart and the boxes reach `half`. */
function nodeLeg(x: v128, y: v128, z: v128, along: v128, half: v128): v128 {
  if (kind != CORE_CONE) return leg(sub(abs(along), add(half, reachAlong(x, y, z, f32x4.splat(1)))));
  // Towards the boxes: a cone does not reach as far to either side.
  const sign = v128.and(along, f32x4.splat(-0.0));
  return leg(
    sub(abs(along), add(half, reachAlong(v128.xor(x, sign), v128.xor(y, sign), v128.xor(z, sign), f32x4.splat(1)))),
  );
}

/** Squared lower bounds of the distances of the core to the four boxes of a node; not refined once all exceed `limit`. */
export function coreBoundFour(node: usize, isOriented: bool, limit: v128): v128 {
  const cx = mul(readV128(node, BOX_CENTRE), unit4);
  const cy = mul(readV128(node, BOX_CENTRE + 16), unit4);
  const cz = mul(readV128(node, BOX_CENTRE + 32), unit4);
  const b0 = mul(readV128(node, BOX_HALF), unit4);
  const b1 = mul(readV128(node, BOX_HALF + 16), unit4);
  const b2 = mul(readV128(node, BOX_HALF + 32), unit4);
  const t0 = add(p0, dot3(r00, cx, r01, cy, r02, cz));
  const t1 = add(p1, dot3(r10, cx, r11, cy, r12, cz));
  const t2 = add(p2, dot3(r20, cx, r21, cy, r22, cz));
  const o0 = f32x4.pmax(sub(abs(t0), a0), f32x4.splat(0));
  const o1 = f32x4.pmax(sub(abs(t1), a1), f32x4.splat(0));
  const o2 = f32x4.pmax(sub(abs(t2), a2), f32x4.splat(0));
  middleSquares = dot3(o0, o0, o1, o1, o2, o2);
  let m00 = r00;
  let m01 = r01;
  let m02 = r02;
  let m10 = r10;
  let m11 = r11;
  let m12 = r12;
  let m20 = r20;
  let m21 = r21;
  let m22 = r22;
  if (isOriented) {
    const n00 = readV128(node, BOX_ROTATION);
    const n01 = readV128(node, BOX_ROTATION + 16);
    const n02 = readV128(node, BOX_ROTATION + 32);
    const n10 = readV128(node, BOX_ROTATION + 48);
    const n11 = readV128(node, BOX_ROTATION + 64);
    const n12 = readV128(node, BOX_ROTATION + 80);
    const n20 = readV128(node, BOX_ROTATION + 96);
    const n21 = readV128(node, BOX_ROTATION + 112);
    const n22 = readV128(node, BOX_ROTATION + 128);
    m00 = dot3(r00, n00, r01, n10, r02, n20);
    m01 = dot3(r00, n01, r01, n11, r02, n21);
    m02 = dot3(r00, n02, r01, n12, r02, n22);
    m10 = dot3(r10, n00, r11, n10, r12, n20);
    m11 = dot3(r10, n01, r11, n11, r12, n21);
    m12 = dot3(r10, n02, r11, n12, r12, n22);
    m20 = dot3(r20, n00, r21, n10, r22, n20);
    m21 = dot3(r20, n01, r21, n11, r22, n21);
    m22 = dot3(r20, n02, r21, n12, r22, n22);
  }
  const u0 = dot3(t0, m00, t1, m10, t2, m20);
  const u1 = dot3(t0, m01, t1, m11, t2, m21);
  const u2 = dot3(t0, m02, t1, m12, t2, m22);
  if (kind == CORE_POINT) return add(add(leg(sub(abs(u0), b0)), leg(sub(abs(u1), b1))), leg(sub(abs(u2), b2)));

  let bound = add(
    add(
      leg(sub(abs(t0), add(a0, dot3(b0, abs(m00), b1, abs(m01), b2, abs(m02))))),
      leg(sub(abs(t1), add(a1, dot3(b0, abs(m10), b1, abs(m11), b2, abs(m12))))),
    ),
    leg(sub(abs(t2), add(a2, dot3(b0, abs(m20), b1, abs(m21), b2, abs(m22))))),
  );
  if (i32x4.all_true(f32x4.gt(bound, limit))) return bound;

  bound = f32x4.pmax(
    bound,
    add(add(nodeLeg(m00, m10, m20, u0, b0), nodeLeg(m01, m11, m21, u1, b1)), nodeLeg(m02, m12, m22, u2, b2)),
  );
  if (i32x4.all_true(f32x4.gt(bound, limit))) return bound;

  // One round of alternating projection: middle of the boxes onto the core, that onto the boxes, that onto the core. The
  // difference of the last two is close to the line between the closest points, and the gap along any direction is a lower bound.
  project(t0, t1, t2);
  const d0 = sub(nearX, t0);
  const d1 = sub(nearY, t1);
  const d2 = sub(nearZ, t2);
  const y0 = clampTo(dot3(d0, m00, d1, m10, d2, m20), b0);
  const y1 = clampTo(dot3(d0, m01, d1, m11, d2, m21), b1);
  const y2 = clampTo(dot3(d0, m02, d1, m12, d2, m22), b2);
  const q0 = add(t0, dot3(m00, y0, m01, y1, m02, y2));
  const q1 = add(t1, dot3(m10, y0, m11, y1, m12, y2));
  const q2 = add(t2, dot3(m20, y0, m21, y1, m22, y2));
  project(q0, q1, q2);
  let n0 = sub(q0, nearX);
  let n1 = sub(q1, nearY);
  let n2 = sub(q2, nearZ);
  let length = f32x4.sqrt(f32x4.pmax(dot3(n0, n0, n1, n1, n2, n2), f32x4.splat(NOTHING)));
  let rest = sub(
    dot3(n0, t0, n1, t1, n2, t2),
    boxReach(n0, n1, n2, m00, m01, m02, m10, m11, m12, m20, m21, m22, b0, b1, b2),
  );
  bound = f32x4.pmax(bound, alongLeg(sub(rest, reachAlong(n0, n1, n2, length)), length));
  if (kind != CORE_POINTS) return bound;

  // A hull is seldom its box: its own support along that direction, and along the one from its middle.
  let near = i32x4.bitmask(f32x4.le(bound, limit));
  if (near == 0) return bound;
  bound = f32x4.pmax(bound, alongLeg(sub(rest, hullReach(n0, n1, n2, near)), length));
  near = i32x4.bitmask(f32x4.le(bound, limit));
  if (near == 0) return bound;
  const z0 = clampTo(f32x4.neg(u0), b0);
  const z1 = clampTo(f32x4.neg(u1), b1);
  const z2 = clampTo(f32x4.neg(u2), b2);
  n0 = add(t0, dot3(m00, z0, m01, z1, m02, z2));
  n1 = add(t1, dot3(m10, z0, m11, z1, m12, z2));
  n2 = add(t2, dot3(m20, z0, m21, z1, m22, z2));
  length = f32x4.sqrt(f32x4.pmax(dot3(n0, n0, n1, n1, n2, n2), f32x4.splat(NOTHING)));
  rest = sub(
    dot3(n0, t0, n1, t1, n2, t2),
    boxReach(n0, n1, n2, m00, m01, m02, m10, m11, m12, m20, m21, m22, b0, b1, b2),
  );
  return f32x4.pmax(bound, alongLeg(sub(rest, hullReach(n0, n1, n2, near)), length));
}

/** How far the node boxes reach along (x, y, z). */
function boxReach(
  x: v128,
  y: v128,
  z: v128,
  m00: v128,
  m01: v128,
  m02: v128,
  m10: v128,
  m11: v128,
  m12: v128,
  m20: v128,
  m21: v128,
  m22: v128,
  b0: v128,
  b1: v128,
  b2: v128,
): v128 {
  return dot3(
    b0,
    abs(dot3(x, m00, y, m10, z, m20)),
    b1,
    abs(dot3(x, m01, y, m11, z, m21)),
    b2,
    abs(dot3(x, m02, y, m12, z, m22)),
  );
}

/** Of a gap along a line of that length. Divided before it is squared: the fourth power of a length overflows from 4e9 on. */
@inline
export function alongLeg(gap: v128, length: v128): v128 {
  return mul(leg(f32x4.div(gap, length)), f32x4.splat(<f32>(1 / 1.000002)));
}

/** How far the hull reaches from its middle along one direction. */
function reachOfHull(x: f32, y: f32, z: f32): f32 {
  const dx = <f64>x;
  const dy = <f64>y;
  const dz = <f64>z;
  if (dx == 0 && dy == 0 && dz == 0) return 0;
  supportAlong(tip, 0, changetype<SupportCore>(CONVEX_CORE_A), dx, dy, dz);
  return <f32>(unit * ((tip[0] - middleX) * dx + (tip[1] - middleY) * dy + (tip[2] - middleZ) * dz));
}

/** The same of the lanes in `lanes`; the others get 0. */
function hullReach(x: v128, y: v128, z: v128, lanes: i32): v128 {
  let out = f32x4.splat(0);
  if (lanes & 1)
    out = f32x4.replace_lane(
      out,
      0,
      reachOfHull(f32x4.extract_lane(x, 0), f32x4.extract_lane(y, 0), f32x4.extract_lane(z, 0)),
    );
  if (lanes & 2)
    out = f32x4.replace_lane(
      out,
      1,
      reachOfHull(f32x4.extract_lane(x, 1), f32x4.extract_lane(y, 1), f32x4.extract_lane(z, 1)),
    );
  if (lanes & 4)
    out = f32x4.replace_lane(
      out,
      2,
      reachOfHull(f32x4.extract_lane(x, 2), f32x4.extract_lane(y, 2), f32x4.extract_lane(z, 2)),
    );
  if (lanes & 8)
    out = f32x4.replace_lane(
      out,
      3,
      reachOfHull(f32x4.extract_lane(x, 3), f32x4.extract_lane(y, 3), f32x4.extract_lane(z, 3)),
    );
  return out;
}

/** About the point of the core nearest (x, y, z), to nearX .. nearZ: exact on boxes, cylinders and cones, of a hull's box. */
export function project(x: v128, y: v128, z: v128): void {
  const one = f32x4.splat(1);
  if (kind == CORE_CYLINDER) {
    const share = f32x4.pmin(one, f32x4.div(a0, f32x4.pmax(lengthOf(x, y), f32x4.splat(1e-30))));
    nearX = mul(x, share);
    nearY = mul(y, share);
    nearZ = clampTo(z, a2);
  } else if (kind == CORE_CONE) {
    const across = f32x4.pmax(lengthOf(x, y), f32x4.splat(1e-30));
    const below = sub(a2, z);
    const height = add(a2, a2);
    // Outside of the side's line: the nearest point of that side; else the base, or the point itself.
    const beyond = f32x4.gt(mul(across, height), mul(below, a0));
    const along = f32x4.div(add(mul(across, a0), mul(below, height)), add(mul(a0, a0), mul(height, height)));
    const share = f32x4.pmax(f32x4.pmin(along, one), f32x4.splat(0));
    const scale = f32x4.div(v128.bitselect(mul(share, a0), f32x4.pmin(across, a0), beyond), across);
    nearX = mul(x, scale);
    nearY = mul(y, scale);
    nearZ = v128.bitselect(sub(a2, mul(share, height)), f32x4.pmax(z, f32x4.neg(a2)), beyond);
  } else if (kind == CORE_ELLIPSOID) {
    // Towards the middle onto the surface, from there along the tangent plane to below the point, and onto the surface again.
    const share = toSurface(x, y, z);
    const sx = mul(x, share);
    const sy = mul(y, share);
    const sz = mul(z, share);
    const gx = f32x4.div(sx, mul(a0, a0));
    const gy = f32x4.div(sy, mul(a1, a1));
    const gz = f32x4.div(sz, mul(a2, a2));
    const gg = f32x4.pmax(dot3(gx, gx, gy, gy, gz, gz), f32x4.splat(1e-30));
    const height = f32x4.div(dot3(gx, sub(x, sx), gy, sub(y, sy), gz, sub(z, sz)), gg);
    const px = sub(x, mul(height, gx));
    const py = sub(y, mul(height, gy));
    const pz = sub(z, mul(height, gz));
    const again = toSurface(px, py, pz);
    nearX = mul(px, again);
    nearY = mul(py, again);
    nearZ = mul(pz, again);
  } else {
    nearX = clampTo(x, a0);
    nearY = clampTo(y, a1);
    nearZ = clampTo(z, a2);
  }
}

/** Factor that brings a point outside of the ellipsoid to its surface; 1 inside. */
@inline
function toSurface(x: v128, y: v128, z: v128): v128 {
  const u = f32x4.div(x, a0);
  const v = f32x4.div(y, a1);
  const w = f32x4.div(z, a2);
  return f32x4.div(f32x4.splat(1), f32x4.pmax(f32x4.splat(1), f32x4.sqrt(dot3(u, u, v, v, w, w))));
}

// The core of a convex shape against the four boxes of a node, in f32 SIMD: squared lower bounds of the four distances.
//
// Method: everything in the core's frame, about the middle of its box. The bound is the largest of: the gaps to the core's box
// along its axes, taken as the legs of a right triangle; the same along the axes of each node box, with the core's support there;
// the gap along the line between two nearly closest points. Of a point the second is the distance itself.
// Source: as boxes.ts; the supports are those of src/geometry/support.ts.
// Rounding: every gap is off by less than 1.5e-6 (radius of the core + radius of the mesh + their offset), which is subtracted.
// Cost: 20 to 40 ns per node. Tests: src/narrowphase/mesh-convex.test.ts.
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
  SupportCore,
} from '../convex/convex-state';
import { add, dot3, mul, sub } from '../lanes';
import { readF64, readV128 } from '../memory';
import { isObb } from './boxes';

const ROUNDING: f64 = 1.5e-6;

let kind: i32 = 0;
/** Half sizes of the core's box; radius of a ball about its middle that holds a hull. */
let a0: v128 = f32x4.splat(0);
let a1: v128 = f32x4.splat(0);
let a2: v128 = f32x4.splat(0);
let ball: v128 = f32x4.splat(0);
/** From the tree's origin to the middle of the core. */
let r00: v128 = f32x4.splat(0);
let r01: v128 = f32x4.splat(0);
let r02: v128 = f32x4.splat(0);
let r10: v128 = f32x4.splat(0);
let r11: v128 = f32x4.splat(0);
let r12: v128 = f32x4.splat(0);
let r20: v128 = f32x4.splat(0);
let r21: v128 = f32x4.splat(0);
let r22: v128 = f32x4.splat(0);
let p0: v128 = f32x4.splat(0);
let p1: v128 = f32x4.splat(0);
let p2: v128 = f32x4.splat(0);
let slack: v128 = f32x4.splat(0);

@inline
function lanesOf(x: f64): v128 {
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
    ball = lanesOf(readF64(SHAPE_BOX, 48));
  } else if (kind <= CORE_SEGMENT) {
    hx = 0;
    hy = 0;
    if (kind == CORE_POINT) hz = 0;
  }
  a0 = lanesOf(hx);
  a1 = lanesOf(hy);
  a2 = lanesOf(hz);
  const px = offsetOf(tree, 0, x);
  const py = offsetOf(tree, 1, y);
  const pz = offsetOf(tree, 2, z);
  p0 = lanesOf(px);
  p1 = lanesOf(py);
  p2 = lanesOf(pz);
  r00 = lanesOf(readF64(CONVEX_POSE));
  r01 = lanesOf(readF64(CONVEX_POSE, 8));
  r02 = lanesOf(readF64(CONVEX_POSE, 16));
  r10 = lanesOf(readF64(CONVEX_POSE, 24));
  r11 = lanesOf(readF64(CONVEX_POSE, 32));
  r12 = lanesOf(readF64(CONVEX_POSE, 40));
  r20 = lanesOf(readF64(CONVEX_POSE, 48));
  r21 = lanesOf(readF64(CONVEX_POSE, 56));
  r22 = lanesOf(readF64(CONVEX_POSE, 64));
  const reach = Math.sqrt(hx * hx + hy * hy + hz * hz);
  slack = lanesOf(ROUNDING * (reach + readF64(tree, TREE_RADIUS) + Math.sqrt(px * px + py * py + pz * pz)));
}

@inline
function abs(a: v128): v128 {
  return f32x4.abs(a);
}

/** Gap less the slack, squared; 0 when not positive. */
@inline
function leg(gap: v128): v128 {
  const g = f32x4.pmax(sub(gap, slack), f32x4.splat(0));
  return mul(g, g);
}

@inline
function clampTo(x: v128, half: v128): v128 {
  return f32x4.pmax(f32x4.pmin(x, half), f32x4.neg(half));
}

@inline
function lengthOf(x: v128, y: v128): v128 {
  return f32x4.sqrt(add(mul(x, x), mul(y, y)));
}

/** How far the core reaches along (x, y, z), whose length is `length`. */
@inline
function reachAlong(x: v128, y: v128, z: v128, length: v128): v128 {
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
@inline
function nodeLeg(x: v128, y: v128, z: v128, along: v128, half: v128): v128 {
  if (kind != CORE_CONE) return leg(sub(abs(along), add(half, reachAlong(x, y, z, f32x4.splat(1)))));
  // Towards the boxes: a cone does not reach as far to either side.
  const sign = v128.and(along, f32x4.splat(-0.0));
  return leg(
    sub(abs(along), add(half, reachAlong(v128.xor(x, sign), v128.xor(y, sign), v128.xor(z, sign), f32x4.splat(1)))),
  );
}

/** Squared lower bounds of the distances of the core to the four boxes of a node; not refined once all exceed `limit`. */
export function coreBoundFour<K>(node: usize, limit: v128): v128 {
  const cx = readV128(node, BOX_CENTRE);
  const cy = readV128(node, BOX_CENTRE + 16);
  const cz = readV128(node, BOX_CENTRE + 32);
  const b0 = readV128(node, BOX_HALF);
  const b1 = readV128(node, BOX_HALF + 16);
  const b2 = readV128(node, BOX_HALF + 32);
  const t0 = add(p0, dot3(r00, cx, r01, cy, r02, cz));
  const t1 = add(p1, dot3(r10, cx, r11, cy, r12, cz));
  const t2 = add(p2, dot3(r20, cx, r21, cy, r22, cz));
  let m00 = r00;
  let m01 = r01;
  let m02 = r02;
  let m10 = r10;
  let m11 = r11;
  let m12 = r12;
  let m20 = r20;
  let m21 = r21;
  let m22 = r22;
  if (isObb<K>()) {
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
    add(
      add(nodeLeg(m00, m10, m20, u0, b0), nodeLeg(m01, m11, m21, u1, b1)),
      nodeLeg(m02, m12, m22, u2, b2),
    ),
  );
  if (i32x4.all_true(f32x4.gt(bound, limit))) return bound;

  // One round of alternating projection: middle of the boxes onto the core, that onto the boxes, that onto the core. The
  // difference of the last two is close to the line between the closest points, and the gap along any direction is a lower bound.
  const d0 = sub(coreX(t0, t1, t2), t0);
  const d1 = sub(coreY(t0, t1, t2), t1);
  const d2 = sub(coreZ(t0, t1, t2), t2);
  const y0 = clampTo(dot3(d0, m00, d1, m10, d2, m20), b0);
  const y1 = clampTo(dot3(d0, m01, d1, m11, d2, m21), b1);
  const y2 = clampTo(dot3(d0, m02, d1, m12, d2, m22), b2);
  const q0 = add(t0, dot3(m00, y0, m01, y1, m02, y2));
  const q1 = add(t1, dot3(m10, y0, m11, y1, m12, y2));
  const q2 = add(t2, dot3(m20, y0, m21, y1, m22, y2));
  const n0 = sub(q0, coreX(q0, q1, q2));
  const n1 = sub(q1, coreY(q0, q1, q2));
  const n2 = sub(q2, coreZ(q0, q1, q2));
  const length = f32x4.sqrt(f32x4.pmax(dot3(n0, n0, n1, n1, n2, n2), f32x4.splat(1e-30)));
  const reachOfBoxes = dot3(
    b0,
    abs(dot3(n0, m00, n1, m10, n2, m20)),
    b1,
    abs(dot3(n0, m01, n1, m11, n2, m21)),
    b2,
    abs(dot3(n0, m02, n1, m12, n2, m22)),
  );
  const gap = sub(sub(dot3(n0, t0, n1, t1, n2, t2), reachAlong(n0, n1, n2, length)), reachOfBoxes);
  // Divided before it is squared: the fourth power of a length overflows from 4e9 on.
  const along = leg(f32x4.div(gap, length));
  return f32x4.pmax(bound, mul(along, f32x4.splat(<f32>(1 / 1.000002))));
}

/** About the point of the core nearest (x, y, z), by its box; round ones along the line to their middle or axis. */
@inline
function shrink(x: v128, y: v128, z: v128): v128 {
  const one = f32x4.splat(1);
  if (kind == CORE_ELLIPSOID) {
    const u = f32x4.div(x, a0);
    const v = f32x4.div(y, a1);
    const w = f32x4.div(z, a2);
    return f32x4.div(one, f32x4.pmax(one, f32x4.sqrt(dot3(u, u, v, v, w, w))));
  }
  return f32x4.pmin(one, f32x4.div(a0, f32x4.pmax(lengthOf(x, y), f32x4.splat(1e-30))));
}

@inline
function coreX(x: v128, y: v128, z: v128): v128 {
  if (kind < CORE_CYLINDER || kind == CORE_POINTS) return clampTo(x, a0);
  return mul(x, shrink(x, y, z));
}

@inline
function coreY(x: v128, y: v128, z: v128): v128 {
  if (kind < CORE_CYLINDER || kind == CORE_POINTS) return clampTo(y, a1);
  return mul(y, shrink(x, y, z));
}

@inline
function coreZ(x: v128, y: v128, z: v128): v128 {
  if (kind == CORE_ELLIPSOID) return mul(z, shrink(x, y, z));
  return clampTo(z, a2);
}

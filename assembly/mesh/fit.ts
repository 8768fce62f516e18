// Fits a volume to a range of triangles and stores it.
//
// Method:
//   1. oriented box: the axes are those of the tree's fitter, a single triangle gets its longest edge and its normal;
//      axis-aligned box: fixed;
//   2. the corners projected on the axes give centre and half extents; the longest axis comes first;
//   3. rectangle swept by a sphere, along the same axes: the radius is half the thickness; each side of the rectangle is
//      drawn in until the rounded rim just holds the corners beyond it; where corners stick out of the round corners, the
//      sides there move out again; the radius is then set to the largest distance of a corner from the rectangle;
//   4. everything goes to f32: centre and axes to nearest, the extents increased by what that rounding can cost.
// Source: Gottschalk, Lin, Manocha 1996, section 4, doi:10.1145/237170.237244; Larsen, Gottschalk, Lin, Manocha 1999,
//   "Fast proximity queries with swept sphere volumes", UNC TR99-018, section 3 (rectangle swept spheres).
// Cost: linear in the triangles of the range. Tests: src/bvh/mesh-bvh.test.ts, src/bvh/rss.test.ts, validate-bvh.ts.
import {
  BOX_CENTRE,
  BOX_HALF,
  BOX_ROTATION,
  FIT_AXES,
  FIT_BOX,
  KIND_AABB,
  KIND_OBB,
  SPHERE_CENTRE,
  SPHERE_HALF,
} from '../../src/kernel/layout';
import { readF32, readF64, readU32, writeF32, writeF64, writeV128 } from '../memory';
import { cornersAt, fitAxes, order } from './statistics';
import { setIdentity, setTriangleAxes } from './triangle-axes';

/** Unit roundoff of f32, with a margin for the f64 arithmetic that measured the box. */
const ROUNDOFF: f64 = 6.1e-8;
const EMPTY_HALF: f32 = -1e30;
/** Bytes per triangle of `bounds`: minima along axes 0 and 1, maxima of the same, minimum and maximum along axis 2. */
export const BOUNDS_BYTES: usize = 48;

export let bounds: usize = 0;
let kind: u32 = KIND_OBB;

/** Bounds of the triangle at a position of the order, along the axes of the last box that was fitted about it and two others. */
@inline
export function boundsAt(position: u32): usize {
  return bounds + <usize>readU32(order + (position << 2)) * BOUNDS_BYTES;
}

/** `theBounds` may be 0: then nobody reads the bounds of the single triangles. */
export function openFits(theKind: u32, theBounds: usize): void {
  kind = theKind;
  bounds = theBounds;
}

/** Fits the box: axes to FIT_AXES, centre and half extents to FIT_BOX, split position to FIT_POSITION. */
export function fitBox(first: u32, count: u32): void {
  if (kind == KIND_AABB) {
    setIdentity();
    measureBox(first, count);
    return;
  }
  if (count == 1) setTriangleAxes(cornersAt(first));
  else fitAxes(first, count);
  measureBox(first, count);
  sortAxes();
}

/** Centre and half extents along the axes; the bounds of each triangle when they are kept. */
function measureBox(first: u32, count: u32): void {
  const r0 = readF64(FIT_AXES);
  const r1 = readF64(FIT_AXES, 8);
  const r2 = readF64(FIT_AXES, 16);
  const r3 = readF64(FIT_AXES, 24);
  const r4 = readF64(FIT_AXES, 32);
  const r5 = readF64(FIT_AXES, 40);
  const r6 = readF64(FIT_AXES, 48);
  const r7 = readF64(FIT_AXES, 56);
  const r8 = readF64(FIT_AXES, 64);
  const x01 = f64x2(r0, r1);
  const y01 = f64x2(r3, r4);
  const z01 = f64x2(r6, r7);
  let low01 = f64x2.splat(Infinity);
  let high01 = f64x2.splat(-Infinity);
  let low2: f64 = Infinity;
  let high2: f64 = -Infinity;
  // A split of two looks at none.
  const keeps = bounds != 0 && count > 2;
  for (let i = first; i < first + count; i++) {
    const t = cornersAt(i);
    let x = readF64(t);
    let y = readF64(t, 8);
    let z = readF64(t, 16);
    let p = along(x01, y01, z01, x, y, z);
    let q = r2 * x + r5 * y + r8 * z;
    let min01 = p;
    let max01 = p;
    let min2 = q;
    let max2 = q;
    x = readF64(t, 24);
    y = readF64(t, 32);
    z = readF64(t, 40);
    p = along(x01, y01, z01, x, y, z);
    q = r2 * x + r5 * y + r8 * z;
    min01 = f64x2.pmin(min01, p);
    max01 = f64x2.pmax(max01, p);
    min2 = q < min2 ? q : min2;
    max2 = q > max2 ? q : max2;
    x = readF64(t, 48);
    y = readF64(t, 56);
    z = readF64(t, 64);
    p = along(x01, y01, z01, x, y, z);
    q = r2 * x + r5 * y + r8 * z;
    min01 = f64x2.pmin(min01, p);
    max01 = f64x2.pmax(max01, p);
    min2 = q < min2 ? q : min2;
    max2 = q > max2 ? q : max2;
    if (keeps) {
      const at = boundsAt(i);
      writeV128(at, 0, min01);
      writeV128(at, 16, max01);
      writeV128(at, 32, f64x2(min2, max2));
    }
    low01 = f64x2.pmin(low01, min01);
    high01 = f64x2.pmax(high01, max01);
    low2 = min2 < low2 ? min2 : low2;
    high2 = max2 > high2 ? max2 : high2;
  }
  const low0 = f64x2.extract_lane(low01, 0);
  const low1 = f64x2.extract_lane(low01, 1);
  const high0 = f64x2.extract_lane(high01, 0);
  const high1 = f64x2.extract_lane(high01, 1);
  const a = (low0 + high0) / 2;
  const b = (low1 + high1) / 2;
  const c = (low2 + high2) / 2;
  writeF64(FIT_BOX, 0, r0 * a + r1 * b + r2 * c);
  writeF64(FIT_BOX, 8, r3 * a + r4 * b + r5 * c);
  writeF64(FIT_BOX, 16, r6 * a + r7 * b + r8 * c);
  writeF64(FIT_BOX, 24, (high0 - low0) / 2);
  writeF64(FIT_BOX, 32, (high1 - low1) / 2);
  writeF64(FIT_BOX, 40, (high2 - low2) / 2);
}

@inline
function along(a: v128, b: v128, c: v128, x: f64, y: f64, z: f64): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(a, f64x2.splat(x)), f64x2.mul(b, f64x2.splat(y))), f64x2.mul(c, f64x2.splat(z)));
}

/** Longest axis first: the traversal reads the first extent as the box's size. */
function sortAxes(): void {
  if (readF64(FIT_BOX, 24) < readF64(FIT_BOX, 32)) exchangeAxes(0, 1);
  if (readF64(FIT_BOX, 32) < readF64(FIT_BOX, 40)) exchangeAxes(1, 2);
  if (readF64(FIT_BOX, 24) < readF64(FIT_BOX, 32)) exchangeAxes(0, 1);
}

function exchangeAxes(i: usize, j: usize): void {
  exchange(FIT_BOX + 24 + 8 * <i32>i, FIT_BOX + 24 + 8 * <i32>j);
  for (let row: usize = 0; row < 72; row += 24) {
    exchange(<usize>FIT_AXES + row + 8 * i, <usize>FIT_AXES + row + 8 * j);
  }
}

@inline
function exchange(a: usize, b: usize): void {
  const t = readF64(a);
  writeF64(a, 0, readF64(b));
  writeF64(b, 0, t);
}

/** Half extent that still holds everything once centre and axes are rounded to f32. */
@inline
function widen(half: f64, reach: f64): f32 {
  return <f32>((half + ROUNDOFF * reach) * (1 + 2 * ROUNDOFF));
}

/** Stores the fitted box at `box`, its numbers `stride` bytes apart; KIND_AABB without axes. */
export function storeBox(box: usize, stride: usize): void {
  let reach: f64 = 0;
  for (let i: usize = 0; i < 48; i += 8) reach += abs(readF64(FIT_BOX, i));
  for (let i: usize = 0; i < 3; i++) {
    writeF32(box + i * stride, 0, <f32>readF64(FIT_BOX, i << 3));
    writeF32(box + (3 + i) * stride, 0, widen(readF64(FIT_BOX, 24 + (i << 3)), reach));
  }
  if (kind == KIND_AABB) return;
  for (let i: usize = 0; i < 9; i++) writeF32(box + (6 + i) * stride, 0, <f32>readF64(FIT_AXES, i << 3));
}

/** Copies a box that `storeBox` wrote with stride 4 to a lane of a node. */
export function copyToLane(lane: usize, box: usize): void {
  for (let i: usize = 0; i < 3; i++) {
    writeF32(lane + (i << 4), BOX_CENTRE, readF32(box, i << 2));
    writeF32(lane + (i << 4), BOX_HALF, readF32(box, 12 + (i << 2)));
  }
  if (kind == KIND_AABB) return;
  for (let i: usize = 0; i < 9; i++) writeF32(lane + (i << 4), BOX_ROTATION, readF32(box, 24 + (i << 2)));
}

/** Marks the four lanes of a node empty. */
export function clearNode(node: usize, child: usize): void {
  const zero = f32x4.splat(0);
  for (let i: usize = 0; i < 48; i += 16) {
    writeV128(node + i, BOX_CENTRE, zero);
    writeV128(node + i, BOX_HALF, f32x4.splat(EMPTY_HALF));
  }
  if (kind != KIND_AABB) {
    for (let i: usize = 0; i < 9; i++) writeV128(node + (i << 4), BOX_ROTATION, f32x4.splat((i & 3) == 0 ? 1 : 0));
    if (kind != KIND_OBB) {
      for (let i: usize = 0; i < 48; i += 16) {
        writeV128(node + i, SPHERE_CENTRE, zero);
        writeV128(node + i, SPHERE_HALF, f32x4.splat(EMPTY_HALF));
      }
    }
  }
  writeV128(node, child, zero);
}

let left: f64 = 0;
let right: f64 = 0;
let low: f64 = 0;
let high: f64 = 0;
let middle: f64 = 0;
let radius: f64 = 0;

/**
 * Fits the rectangle swept by a sphere to a range, along the axes stored in f32 at `lane`, and stores it there: centre,
 * half sides and radius. All of it is measured along the rounded axes, whose deviation from orthonormal the radius covers.
 */
export function storeSweptRectangle(lane: usize, first: u32, count: u32): void {
  const r0: f64 = readF32(lane, BOX_ROTATION);
  const r1: f64 = readF32(lane, BOX_ROTATION + 16);
  const r2: f64 = readF32(lane, BOX_ROTATION + 32);
  const r3: f64 = readF32(lane, BOX_ROTATION + 48);
  const r4: f64 = readF32(lane, BOX_ROTATION + 64);
  const r5: f64 = readF32(lane, BOX_ROTATION + 80);
  const r6: f64 = readF32(lane, BOX_ROTATION + 96);
  const r7: f64 = readF32(lane, BOX_ROTATION + 112);
  const r8: f64 = readF32(lane, BOX_ROTATION + 128);
  const cx: f64 = readF32(lane, BOX_CENTRE);
  const cy: f64 = readF32(lane, BOX_CENTRE + 16);
  const cz: f64 = readF32(lane, BOX_CENTRE + 32);
  // Thickness and its middle.
  let bottom: f64 = Infinity;
  let top: f64 = -Infinity;
  for (let i = first; i < first + count; i++) {
    const t = cornersAt(i);
    for (let k: usize = 0; k < 72; k += 24) {
      const w = r2 * (readF64(t, k) - cx) + r5 * (readF64(t, k + 8) - cy) + r8 * (readF64(t, k + 16) - cz);
      bottom = min(bottom, w);
      top = max(top, w);
    }
  }
  middle = (bottom + top) / 2;
  radius = (top - bottom) / 2;
  const r = radius;
  left = low = Infinity;
  right = high = -Infinity;
  // Each side: the least rectangle whose rounded rim holds every corner, were the other side long enough.
  for (let i = first; i < first + count; i++) {
    const t = cornersAt(i);
    for (let k: usize = 0; k < 72; k += 24) {
      const x = readF64(t, k) - cx;
      const y = readF64(t, k + 8) - cy;
      const z = readF64(t, k + 16) - cz;
      const u = r0 * x + r3 * y + r6 * z;
      const v = r1 * x + r4 * y + r7 * z;
      const w = r2 * x + r5 * y + r8 * z - middle;
      const s = Math.sqrt(max(r * r - w * w, 0));
      left = min(left, u + s);
      right = max(right, u - s);
      low = min(low, v + s);
      high = max(high, v - s);
    }
  }
  if (left > right) left = right = (left + right) / 2;
  if (low > high) low = high = (low + high) / 2;
  // Corners beyond two sides at once: both move out along the diagonal until the round corner holds them.
  let far2: f64 = 0;
  for (let pass = 0; pass < 2; pass++) {
    for (let i = first; i < first + count; i++) {
      const t = cornersAt(i);
      for (let k: usize = 0; k < 72; k += 24) {
        const x = readF64(t, k) - cx;
        const y = readF64(t, k + 8) - cy;
        const z = readF64(t, k + 16) - cz;
        const u = r0 * x + r3 * y + r6 * z;
        const v = r1 * x + r4 * y + r7 * z;
        const w = r2 * x + r5 * y + r8 * z - middle;
        const du = u > right ? u - right : u < left ? left - u : 0;
        const dv = v > high ? v - high : v < low ? low - v : 0;
        const square = du * du + dv * dv + w * w;
        if (pass == 1) far2 = max(far2, square);
        else if (square > r * r && du > 0 && dv > 0) {
          // (du - m)^2 + (dv - m)^2 = r^2 - w^2, the smaller root.
          const mean = (du + dv) / 2;
          const half = (du - dv) / 2;
          const m = min(mean - Math.sqrt(max((r * r - w * w) / 2 - half * half, 0)), min(du, dv));
          if (m > 0) {
            if (u > right) right += m;
            else left -= m;
            if (v > high) high += m;
            else low -= m;
          }
        }
      }
    }
  }
  const reach = abs(cx) + abs(cy) + abs(cz) + abs(left) + abs(right) + abs(low) + abs(high) + abs(middle) + 4 * radius;
  const a = (left + right) / 2;
  const b = (low + high) / 2;
  writeF32(lane, SPHERE_CENTRE, <f32>(cx + r0 * a + r1 * b + r2 * middle));
  writeF32(lane, SPHERE_CENTRE + 16, <f32>(cy + r3 * a + r4 * b + r5 * middle));
  writeF32(lane, SPHERE_CENTRE + 32, <f32>(cz + r6 * a + r7 * b + r8 * middle));
  writeF32(lane, SPHERE_HALF, <f32>((right - left) / 2));
  writeF32(lane, SPHERE_HALF + 16, <f32>((high - low) / 2));
  // Rounded centre, half sides and axes move the rectangle by at most three roundings of the reach.
  writeF32(lane, SPHERE_HALF + 32, <f32>((Math.sqrt(far2) + 6 * ROUNDOFF * reach) * (1 + 2 * ROUNDOFF)));
}

/** Half of half the surface area of the fitted box. */
export function boxArea(): f64 {
  const x = readF64(FIT_BOX, 24);
  const y = readF64(FIT_BOX, 32);
  const z = readF64(FIT_BOX, 40);
  return x * y + y * z + z * x;
}

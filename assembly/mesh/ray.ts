// Triangles hit by rays: the first, any, all, or how often a ray crosses the surface in which direction.
//
// Method:
//   1. the ray is clipped to the mesh's bounds, and starts anew where it enters them, in twice the precision: from there
//      f32 boxes and f64 triangles see it without the rounding of a far origin;
//   2. near-first walk (near-first.ts), four boxes at once against the slabs of each, in f32, widened by what rounding
//      can do; a direction almost parallel to a slab is tilted by 1e-8, which the slack covers;
//   3. triangles in f64: corners are sheared so that the ray becomes an axis; the signs of three products of corners
//      decide. The signs are exact for the sheared corners, and two triangles shear a common corner to the same bits:
//      a ray through a common edge or corner hits one of them at least. Counting crossings must take exactly one: there
//      the ray is moved by (epsilon, epsilon^2) in thought.
// Sources: Woop, Benthin, Wald 2013, "Watertight ray/triangle intersection", JCGT 2(1) (shear and edge functions);
//   Ize 2013, "Robust BVH ray traversal", JCGT 2(2) (slabs widened by rounding); Dekker 1971, doi:10.1007/BF01397083
//   (exact products); Edelsbrunner, Mucke 1990, "Simulation of simplicity", doi:10.1145/77635.77639.
// A ray within a triangle's plane, and a zero-area triangle, are never hit. Equal t: the lower index.
// Frames: rays in the mesh frame; t in units of the direction's length. Input and results: src/kernel/layout.ts.
// Cost: per box test 4 ns, plus what the memory takes. Fails when products of sheared corners underflow (meshes smaller
// than 1e-150): an edge may then be hit twice. Test: src/bvh/cast-ray.test.ts.
import {
  BOX_CENTRE,
  BOX_HALF,
  BOX_ROTATION,
  KIND_AABB,
  QUERY_INPUTS,
  QUERY_RESULTS,
  QUERY_SLOTS,
  RAY_ALL,
  RAY_ANY,
  RAY_BACK,
  RAY_COUNT,
  RAY_FRONT,
  RAY_HIT_CAPACITY,
  RAY_INPUT_BYTES,
  RAY_RESULT_BYTES,
  RESULT_COUNTS,
  TREE_BOUNDS,
  TREE_NODE_KIND,
  TREE_ORIGIN,
  TREE_RADIUS,
} from '../../src/kernel/layout';
import { AabbNode, isObb, ObbNode } from './boxes';
import { openTrees, readF32, readF64, readSplat, readU32, readV128, writeF32, writeF64, writeU32 } from '../memory';
import {
  ENTRY_BYTES,
  END_OF_STACK,
  LIMIT_MARGIN,
  pushNearFirst,
  SLOTS,
  stackOf,
  startStack,
  touch,
} from './near-first';
import { childOf, childrenOf, isLeaf, leafCount, leafFirst, rootBox, triangleAt, triangleId } from './trees';

/** Rounding of the slab tests, relative to the mesh's radius; oriented boxes add that of their axes. */
const SLACK: f64 = 3e-6;
/** Relative rounding of where a ray enters the bounds, with a margin. */
const CLIP_ROUNDING: f64 = 1e-14;
/** Smallest component of a direction in f32. */
const LEAST_COMPONENT: f32 = 1e-8;

// A ray under way, 256 bytes. OBB: start and unit direction; AABB: reciprocal direction, start over direction +- slack.
const SLOT_BYTES: i32 = 256;
const SLOT_F32: usize = 0;
const SLOT_SLACK: usize = 36;
const SLOT_LIMIT: usize = 40;
const SLOT_MAIN: usize = 44;
const SLOT_FIRST: usize = 48;
const SLOT_SECOND: usize = 52;
/** Start and direction along the main axis and the two others, the latter over the former. */
const SLOT_START: usize = 56;
const SLOT_DIRECTION: usize = 80;
const SLOT_BEST: usize = 104;
/** Parameter of the start; length of the scaled direction; what scaled it; range. */
const SLOT_ENTRY: usize = 112;
const SLOT_LENGTH: usize = 120;
const SLOT_SCALE: usize = 128;
const SLOT_MIN: usize = 136;
const SLOT_MAX: usize = 144;
const SLOT_TRIANGLE: usize = 152;
const SLOT_INDEX: usize = 156;
const SLOT_TOP: usize = 160;
const SLOT_BOTTOM: usize = 164;
/** Directed crossings, and all of them. */
const SLOT_WINDING: usize = 168;
const SLOT_CROSSINGS: usize = 172;
const SLOT_IS_FRONT: usize = 176;

const NONE: u32 = 0xffffffff;

let tree: usize = 0;
let flags: i32 = 0;
let rayCount: i32 = 0;
let nextRay: i32 = 0;
let hitCount: i32 = 0;
let nodeTests: i32 = 0;
let primitiveTests: i32 = 0;

@inline
function writeCounts(): void {
  writeU32(RESULT_COUNTS, 0, nodeTests);
  writeU32(RESULT_COUNTS, 4, primitiveTests);
}

/**
 * Casts the rays of the input area; results in order. With RAY_ALL there is one ray, and the returned number of hits is in
 * the result area; while it reaches RAY_HIT_CAPACITY - 8, more may follow by `resumeRays`.
 */
export function castRays(address: usize, count: i32, mode: i32): i32 {
  openTrees(address, address);
  tree = address;
  flags = mode;
  rayCount = count;
  nextRay = 0;
  nodeTests = 0;
  primitiveTests = 0;
  let active = 0;
  const isOriented = readU32(tree, TREE_NODE_KIND) != KIND_AABB;
  const slots = mode & RAY_ALL ? 1 : SLOTS;
  while (active < slots) {
    const loaded = isOriented
      ? loadNext<ObbNode>(QUERY_SLOTS + active * SLOT_BYTES, stackOf(active))
      : loadNext<AabbNode>(QUERY_SLOTS + active * SLOT_BYTES, stackOf(active));
    if (!loaded) break;
    active++;
  }
  hitCount = 0;
  if (active > 0) isOriented ? advance<ObbNode>(active) : advance<AabbNode>(active);
  writeCounts();
  return hitCount;
}

/** Goes on with RAY_ALL after the result area was emptied. */
export function resumeRays(): i32 {
  hitCount = 0;
  readU32(tree, TREE_NODE_KIND) == KIND_AABB ? advance<AabbNode>(1) : advance<ObbNode>(1);
  writeCounts();
  return hitCount;
}

/** Rounds of one visit per ray until all are done. */
function advance<K>(rays: i32): void {
  let active = rays;
  while (active > 0) {
    let i = 0;
    while (i < active) {
      const slot = QUERY_SLOTS + i * SLOT_BYTES;
      const limit = readF32(slot, SLOT_LIMIT);
      let top: usize = readU32(slot, SLOT_TOP) - ENTRY_BYTES;
      while (readF32(top, 0) > limit) top -= ENTRY_BYTES;
      const child = readU32(top, 4);
      if (!isLeaf(child)) {
        nodeTests += 4;
        top = visit<K>(slot, tree + child, top);
        writeU32(slot, SLOT_TOP, <u32>top);
        touch<K>(tree, readU32(top - 4));
        i++;
        continue;
      }
      if (child != END_OF_STACK) {
        writeU32(slot, SLOT_TOP, <u32>top);
        testLeaf(slot, child);
        if (hitCount > RAY_HIT_CAPACITY - 8) return;
        i++;
        continue;
      }
      if (!(flags & RAY_ALL)) finish(slot);
      if (loadNext<K>(slot, readU32(slot, SLOT_BOTTOM))) {
        i++;
        continue;
      }
      active--;
      if (i < active) memory.copy(slot, QUERY_SLOTS + active * SLOT_BYTES, SLOT_BYTES);
    }
  }
}

/** Four boxes against the ray; pushes those it meets before the limit. */
@inline
function visit<K>(slot: usize, node: usize, top: usize): usize {
  const h0 = readV128(node, BOX_HALF);
  const h1 = readV128(node, BOX_HALF + 16);
  const h2 = readV128(node, BOX_HALF + 32);
  const limit = readSplat(slot, SLOT_LIMIT);
  let near: v128;
  let far: v128;
  if (isObb<K>()) {
    const slack = readSplat(slot, SLOT_SLACK);
    const cx = f32x4.sub(readV128(node, BOX_CENTRE), readSplat(slot, SLOT_F32));
    const cy = f32x4.sub(readV128(node, BOX_CENTRE + 16), readSplat(slot, SLOT_F32 + 4));
    const cz = f32x4.sub(readV128(node, BOX_CENTRE + 32), readSplat(slot, SLOT_F32 + 8));
    const ux = readSplat(slot, SLOT_F32 + 12);
    const uy = readSplat(slot, SLOT_F32 + 16);
    const uz = readSplat(slot, SLOT_F32 + 20);
    const u0 = along(node, 0, ux, uy, uz);
    const u1 = along(node, 16, ux, uy, uz);
    const u2 = along(node, 32, ux, uy, uz);
    // The sign of the direction goes to the centre: then the near side is always the lower one.
    const c0 = v128.xor(along(node, 0, cx, cy, cz), signOf(u0));
    const c1 = v128.xor(along(node, 16, cx, cy, cz), signOf(u1));
    const c2 = v128.xor(along(node, 32, cx, cy, cz), signOf(u2));
    const i0 = reciprocal(u0);
    const i1 = reciprocal(u1);
    const i2 = reciprocal(u2);
    const g0 = f32x4.add(h0, slack);
    const g1 = f32x4.add(h1, slack);
    const g2 = f32x4.add(h2, slack);
    near = f32x4.pmax(
      f32x4.pmax(f32x4.mul(f32x4.sub(c0, g0), i0), f32x4.mul(f32x4.sub(c1, g1), i1)),
      f32x4.pmax(f32x4.mul(f32x4.sub(c2, g2), i2), f32x4.splat(0)),
    );
    far = f32x4.pmin(
      f32x4.pmin(f32x4.mul(f32x4.add(c0, g0), i0), f32x4.mul(f32x4.add(c1, g1), i1)),
      f32x4.pmin(f32x4.mul(f32x4.add(c2, g2), i2), limit),
    );
  } else {
    const ix = readSplat(slot, SLOT_F32);
    const iy = readSplat(slot, SLOT_F32 + 4);
    const iz = readSplat(slot, SLOT_F32 + 8);
    const cx = f32x4.mul(readV128(node, BOX_CENTRE), ix);
    const cy = f32x4.mul(readV128(node, BOX_CENTRE + 16), iy);
    const cz = f32x4.mul(readV128(node, BOX_CENTRE + 32), iz);
    const gx = f32x4.mul(h0, f32x4.abs(ix));
    const gy = f32x4.mul(h1, f32x4.abs(iy));
    const gz = f32x4.mul(h2, f32x4.abs(iz));
    near = f32x4.pmax(
      f32x4.pmax(
        f32x4.sub(f32x4.sub(cx, readSplat(slot, SLOT_F32 + 12)), gx),
        f32x4.sub(f32x4.sub(cy, readSplat(slot, SLOT_F32 + 16)), gy),
      ),
      f32x4.pmax(f32x4.sub(f32x4.sub(cz, readSplat(slot, SLOT_F32 + 20)), gz), f32x4.splat(0)),
    );
    far = f32x4.pmin(
      f32x4.pmin(
        f32x4.add(f32x4.sub(cx, readSplat(slot, SLOT_F32 + 24)), gx),
        f32x4.add(f32x4.sub(cy, readSplat(slot, SLOT_F32 + 28)), gy),
      ),
      f32x4.pmin(f32x4.add(f32x4.sub(cz, readSplat(slot, SLOT_F32 + 32)), gz), limit),
    );
  }
  // The half extents of empty lanes are hugely negative, which puts their near side behind their far side.
  return pushNearFirst(top, near, f32x4.le(near, far), childrenOf<K>(node));
}

/** Component of (x, y, z) along one axis of each of the four boxes. */
@inline
function along(node: usize, axis: usize, x: v128, y: v128, z: v128): v128 {
  return f32x4.add(
    f32x4.add(
      f32x4.mul(readV128(node, BOX_ROTATION + axis), x),
      f32x4.mul(readV128(node, BOX_ROTATION + 48 + axis), y),
    ),
    f32x4.mul(readV128(node, BOX_ROTATION + 96 + axis), z),
  );
}

@inline
function signOf(u: v128): v128 {
  return v128.and(u, i32x4.splat(i32.MIN_VALUE));
}

@inline
function reciprocal(u: v128): v128 {
  return f32x4.div(f32x4.splat(1), f32x4.pmax(f32x4.abs(u), f32x4.splat(LEAST_COMPONENT)));
}

function testLeaf(slot: usize, child: u32): void {
  const main: usize = readU32(slot, SLOT_MAIN);
  const first: usize = readU32(slot, SLOT_FIRST);
  const second: usize = readU32(slot, SLOT_SECOND);
  const oa = readF64(slot, SLOT_START);
  const ob = readF64(slot, SLOT_START + 8);
  const oc = readF64(slot, SLOT_START + 16);
  const da = readF64(slot, SLOT_DIRECTION);
  const sb = readF64(slot, SLOT_DIRECTION + 8);
  const sc = readF64(slot, SLOT_DIRECTION + 16);
  const begin = leafFirst(child);
  const end = begin + leafCount(child);
  primitiveTests += end - begin;
  for (let i = begin; i < end; i++) {
    const p = triangleAt(tree, i);
    const pa = readF64(p, main) - oa;
    const qa = readF64(p, 24 + main) - oa;
    const ra = readF64(p, 48 + main) - oa;
    const pb = readF64(p, first) - ob - sb * pa;
    const pc = readF64(p, second) - oc - sc * pa;
    const qb = readF64(p, 24 + first) - ob - sb * qa;
    const qc = readF64(p, 24 + second) - oc - sc * qa;
    const rb = readF64(p, 48 + first) - ob - sb * ra;
    const rc = readF64(p, 48 + second) - oc - sc * ra;
    const u = cross(rb, rc, qb, qc);
    const v = cross(pb, pc, rb, rc);
    const w = cross(qb, qc, pb, pc);
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) continue;
    const area = u + v + w;
    if (area == 0) continue;
    const isFront = area > 0 == da > 0;
    const local = (u * pa + v * qa + w * ra) / area / da;
    if (flags & RAY_COUNT) {
      if (local > 0 && takesBorder(area > 0, u, v, w, pb, pc, qb, qc, rb, rc)) {
        writeU32(slot, SLOT_WINDING, readU32(slot, SLOT_WINDING) + (isFront ? -1 : 1));
        writeU32(slot, SLOT_CROSSINGS, readU32(slot, SLOT_CROSSINGS) + 1);
      }
      continue;
    }
    if (!(flags & (isFront ? RAY_FRONT : RAY_BACK))) continue;
    const t = readF64(slot, SLOT_ENTRY) + local;
    if (!(t >= readF64(slot, SLOT_MIN) && t <= readF64(slot, SLOT_MAX))) continue;
    if (flags & RAY_ALL) {
      const at = QUERY_RESULTS + hitCount * RAY_RESULT_BYTES;
      writeF64(at, 0, t * readF64(slot, SLOT_SCALE));
      writeU32(at, 8, triangleId(tree, i));
      writeU32(at, 12, isFront ? 1 : 0);
      hitCount++;
    } else if (local <= readF64(slot, SLOT_BEST)) {
      const id = triangleId(tree, i);
      if (local == readF64(slot, SLOT_BEST) && id >= readU32(slot, SLOT_TRIANGLE)) continue;
      writeF64(slot, SLOT_BEST, local);
      writeU32(slot, SLOT_TRIANGLE, id);
      writeU32(slot, SLOT_IS_FRONT, isFront ? 1 : 0);
      if (flags & RAY_ANY) {
        writeU32(slot, SLOT_TOP, readU32(slot, SLOT_BOTTOM) + <u32>ENTRY_BYTES);
        return;
      }
      writeF32(slot, SLOT_LIMIT, limitAt(local * readF64(slot, SLOT_LENGTH), readF32(slot, SLOT_SLACK)));
    }
  }
}

@inline
function limitAt(distance: f64, slack: f32): f32 {
  const limit = (<f32>distance + slack) * LIMIT_MARGIN;
  return limit < f32.MAX_VALUE ? limit : f32.MAX_VALUE;
}

/** Sign-exact ax by - ay bx. */
@inline
function cross(ax: f64, ay: f64, bx: f64, by: f64): f64 {
  const p = ax * by;
  const q = ay * bx;
  // Rounding is monotonic: products that differ after it differ the same way before it.
  return p != q ? p - q : tailOf(ax, by, p) - tailOf(ay, bx, q);
}

/** What rounding cut off the product p = fl(a b). */
function tailOf(a: f64, b: f64, p: f64): f64 {
  const c = 134217729 * a;
  const aHigh = c - (c - a);
  const aLow = a - aHigh;
  const d = 134217729 * b;
  const bHigh = d - (d - b);
  const bLow = b - bHigh;
  return aLow * bLow - (p - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** Whether a triangle hit on its border still covers the ray after its move in thought. */
@inline
function takesBorder(
  isPositive: bool,
  u: f64,
  v: f64,
  w: f64,
  pb: f64,
  pc: f64,
  qb: f64,
  qc: f64,
  rb: f64,
  rc: f64,
): bool {
  if (u == 0 && moved(rb, rc, qb, qc) != isPositive) return false;
  if (v == 0 && moved(pb, pc, rb, rc) != isPositive) return false;
  return w != 0 || moved(qb, qc, pb, pc) == isPositive;
}

/** Whether cross(a - s, b - s) is positive for s = (epsilon, epsilon^2), when cross(a, b) = 0. */
@inline
function moved(ax: f64, ay: f64, bx: f64, by: f64): bool {
  return ay != by ? ay > by : bx > ax;
}

function finish(slot: usize): void {
  const at = QUERY_RESULTS + readU32(slot, SLOT_INDEX) * RAY_RESULT_BYTES;
  if (flags & RAY_COUNT) {
    writeU32(at, 8, readU32(slot, SLOT_WINDING));
    writeU32(at, 12, readU32(slot, SLOT_CROSSINGS));
    return;
  }
  const triangle = readU32(slot, SLOT_TRIANGLE);
  writeF64(
    at,
    0,
    triangle == NONE ? Infinity : (readF64(slot, SLOT_ENTRY) + readF64(slot, SLOT_BEST)) * readF64(slot, SLOT_SCALE),
  );
  writeU32(at, 8, triangle);
  writeU32(at, 12, readU32(slot, SLOT_IS_FRONT));
}

/** Takes the next ray that meets the mesh's bounds; answers those before it that do not. False when none is left. */
function loadNext<K>(slot: usize, bottom: usize): bool {
  while (nextRay < rayCount) {
    const index = nextRay++;
    writeF64(slot, SLOT_BEST, Infinity);
    writeU32(slot, SLOT_TRIANGLE, NONE);
    writeU32(slot, SLOT_WINDING, 0);
    writeU32(slot, SLOT_CROSSINGS, 0);
    writeU32(slot, SLOT_IS_FRONT, 0);
    writeU32(slot, SLOT_INDEX, index);
    if (prepare<K>(slot, QUERY_INPUTS + index * RAY_INPUT_BYTES)) {
      writeU32(slot, SLOT_BOTTOM, <u32>bottom);
      writeU32(slot, SLOT_TOP, <u32>startStack(bottom, childOf<K>(rootBox(tree))));
      return true;
    }
    if (!(flags & RAY_ALL)) finish(slot);
  }
  return false;
}

let enter: f64 = 0;
let leave: f64 = 0;
/** Largest widening of the bounds. */
let widening: f64 = 0;

/** Fills a slot; false when the ray misses the bounds. */
function prepare<K>(slot: usize, ray: usize): bool {
  let dx = readF64(ray, 24);
  let dy = readF64(ray, 32);
  let dz = readF64(ray, 40);
  const scale = scaleOf(maxOf(abs(dx), abs(dy), abs(dz)));
  dx *= scale;
  dy *= scale;
  dz *= scale;
  const lower = readF64(ray, 48) / scale;
  // What exceeds this has no number in units of the direction's length.
  const most = scale > 1 ? f64.MAX_VALUE / scale : f64.MAX_VALUE;
  let upper = readF64(ray, 56) / scale;
  if (!(upper < most)) upper = most;
  enter = lower;
  leave = upper;
  widening = 0;
  const ox = readF64(ray);
  const oy = readF64(ray, 8);
  const oz = readF64(ray, 16);
  if (!clip(0, ox, dx) || !clip(8, oy, dy) || !clip(16, oz, dz)) return false;
  const px = pointAt(ox, dx);
  const py = pointAt(oy, dy);
  const pz = pointAt(oz, dz);
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const slack = <f32>(SLACK * (readF64(tree, TREE_RADIUS) + widening));
  const mx = <f32>(px - readF64(tree, TREE_ORIGIN));
  const my = <f32>(py - readF64(tree, TREE_ORIGIN + 8));
  const mz = <f32>(pz - readF64(tree, TREE_ORIGIN + 16));
  const ux = component(dx / length);
  const uy = component(dy / length);
  const uz = component(dz / length);
  if (isObb<K>()) {
    writeF32(slot, SLOT_F32, mx);
    writeF32(slot, SLOT_F32 + 4, my);
    writeF32(slot, SLOT_F32 + 8, mz);
    writeF32(slot, SLOT_F32 + 12, ux);
    writeF32(slot, SLOT_F32 + 16, uy);
    writeF32(slot, SLOT_F32 + 20, uz);
  } else {
    writeSlab(slot, mx, ux, slack);
    writeSlab(slot + 4, my, uy, slack);
    writeSlab(slot + 8, mz, uz, slack);
  }
  writeF32(slot, SLOT_SLACK, slack);
  writeF32(slot, SLOT_LIMIT, limitAt((leave - enter) * length, slack));
  writeF64(slot, SLOT_ENTRY, enter);
  writeF64(slot, SLOT_LENGTH, length);
  writeF64(slot, SLOT_SCALE, scale);
  writeF64(slot, SLOT_MIN, lower);
  writeF64(slot, SLOT_MAX, upper);
  if (abs(dx) >= abs(dy) && abs(dx) >= abs(dz)) writeShear(slot, 0, px, dx, 8, py, dy, 16, pz, dz);
  else if (abs(dy) >= abs(dz)) writeShear(slot, 8, py, dy, 16, pz, dz, 0, px, dx);
  else writeShear(slot, 16, pz, dz, 0, px, dx, 8, py, dy);
  return true;
}

@inline
function maxOf(a: f64, b: f64, c: f64): f64 {
  const m = a > b ? a : b;
  return m > c ? m : c;
}

/** Power of two that brings m into [1, 2), or a denormal as near to it as a factor can. */
@inline
function scaleOf(m: f64): f64 {
  return reinterpret<f64>((2046 - ((reinterpret<u64>(m) >> 52) & 2047)) << 52);
}

/** Narrows [enter, leave] to the bounds along one coordinate, a little widened; false when nothing is left. */
@inline
function clip(coordinate: usize, o: f64, d: f64): bool {
  const margin = CLIP_ROUNDING * (readF64(tree, TREE_RADIUS) + abs(readF64(tree, TREE_ORIGIN + coordinate) - o));
  widening += margin;
  const low = readF64(tree, TREE_BOUNDS + coordinate) - margin - o;
  const high = readF64(tree, TREE_BOUNDS + 24 + coordinate) + margin - o;
  if (d == 0) return low <= 0 && high >= 0;
  const s = low / d;
  const t = high / d;
  const near = s < t ? s : t;
  const far = s < t ? t : s;
  if (near > enter) enter = near;
  if (far < leave) leave = far;
  return enter <= leave;
}

/** o + enter d, rounded once. */
@inline
function pointAt(o: f64, d: f64): f64 {
  const p = enter * d;
  const s = o + p;
  const b = s - o;
  return s + (o - (s - b) + (p - b) + tailOf(enter, d, p));
}

@inline
function component(u: f64): f32 {
  const rounded = <f32>u;
  if (abs(rounded) >= LEAST_COMPONENT) return rounded;
  return rounded < 0 ? -LEAST_COMPONENT : LEAST_COMPONENT;
}

@inline
function writeSlab(slot: usize, m: f32, u: f32, slack: f32): void {
  const reciprocal = <f32>1 / u;
  writeF32(slot, SLOT_F32, reciprocal);
  writeF32(slot, SLOT_F32 + 12, m * reciprocal + slack * abs(reciprocal));
  writeF32(slot, SLOT_F32 + 24, m * reciprocal - slack * abs(reciprocal));
}

/** Coordinates (byte offsets in a corner), start and direction: the main axis, then the two others in cyclic order. */
@inline
function writeShear(slot: usize, a: u32, pa: f64, da: f64, b: u32, pb: f64, db: f64, c: u32, pc: f64, dc: f64): void {
  writeU32(slot, SLOT_MAIN, a);
  writeU32(slot, SLOT_FIRST, b);
  writeU32(slot, SLOT_SECOND, c);
  writeF64(slot, SLOT_START, pa);
  writeF64(slot, SLOT_START + 8, pb);
  writeF64(slot, SLOT_START + 16, pc);
  writeF64(slot, SLOT_DIRECTION, da);
  writeF64(slot, SLOT_DIRECTION + 8, db / da);
  writeF64(slot, SLOT_DIRECTION + 16, dc / da);
}

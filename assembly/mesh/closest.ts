// Closest point of a mesh to each of many points.
//
// Method: near-first walk (near-first.ts) by squared distance to the boxes, in f32, shortened by what rounding can do;
// triangles in f64: the projection when it falls inside, else the best of the edges it lies beyond. Where a triangle is so
// thin that its normal decides nothing, all edges are tried as well.
// Every candidate is a point of the triangle, so a distance is never too small; a corner gives the same distance whichever
// triangle it is reached through. Equal distances: the lower index.
// Source: Roussopoulos, Kelley, Vincent 1995, "Nearest neighbor queries", doi:10.1145/223784.223794 (order and pruning);
//   Ericson 2005, "Real-time collision detection", section 5.1.5 (regions of a triangle).
// Frames: the mesh frame. Input and results: src/kernel/layout.ts. Cost: per box test 3 ns, plus what the memory takes; a
// point farther away than 10^5 times the mesh's size sees boxes that f32 cannot tell apart, and tries most triangles.
// Accuracy: about 1e-15 of the coordinates' spread. Test: src/bvh/closest-point.test.ts.
import {
  BOX_CENTRE,
  BOX_HALF,
  BOX_ROTATION,
  KIND_AABB,
  POINT_INPUT_BYTES,
  POINT_RESULT_BYTES,
  QUERY_INPUTS,
  QUERY_RESULTS,
  QUERY_SLOTS,
  RESULT_COUNTS,
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

/** Rounding of box distances, relative to the coordinates involved. */
const SLACK: f64 = 2e-6;
/** Squares of sines below this belong to triangles too thin for their normal to decide anything. */
const THIN: f64 = 1e-16;

// A query under way, 128 bytes.
const SLOT_BYTES: i32 = 128;
const SLOT_POINT32: usize = 0;
const SLOT_SLACK: usize = 12;
const SLOT_LIMIT: usize = 16;
const SLOT_POINT: usize = 24;
const SLOT_BEST: usize = 48;
const SLOT_CLOSEST: usize = 56;
const SLOT_TRIANGLE: usize = 80;
const SLOT_INDEX: usize = 84;
const SLOT_TOP: usize = 88;
const SLOT_BOTTOM: usize = 92;

const NONE: u32 = 0xffffffff;

let tree: usize = 0;
let pointCount: i32 = 0;
let nextPoint: i32 = 0;
let nodeTests: i32 = 0;
let primitiveTests: i32 = 0;

/** Answers the points of the input area; results in order. */
export function closestPoints(address: usize, count: i32): void {
  openTrees(address, address);
  tree = address;
  pointCount = count;
  nextPoint = 0;
  nodeTests = 0;
  primitiveTests = 0;
  if (readU32(tree, TREE_NODE_KIND) == KIND_AABB) search<AabbNode>();
  else search<ObbNode>();
  writeU32(RESULT_COUNTS, 0, nodeTests);
  writeU32(RESULT_COUNTS, 4, primitiveTests);
}

/** Rounds of one visit per point until all are done. */
function search<K>(): void {
  let active = 0;
  while (active < SLOTS && loadNext<K>(QUERY_SLOTS + active * SLOT_BYTES, stackOf(active))) active++;
  while (active > 0) {
    let i = 0;
    while (i < active) {
      const slot = QUERY_SLOTS + i * SLOT_BYTES;
      const limit = readF32(slot, SLOT_LIMIT);
      let top: usize = readU32(slot, SLOT_TOP) - <u32>ENTRY_BYTES;
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
        i++;
        continue;
      }
      finish(slot);
      if (loadNext<K>(slot, readU32(slot, SLOT_BOTTOM))) {
        i++;
        continue;
      }
      active--;
      if (i < active) memory.copy(slot, QUERY_SLOTS + active * SLOT_BYTES, SLOT_BYTES);
    }
  }
}

/** Squared distances of the point to four boxes; pushes those within the limit. */
@inline
function visit<K>(slot: usize, node: usize, top: usize): usize {
  const slack = readSplat(slot, SLOT_SLACK);
  let x = f32x4.sub(readV128(node, BOX_CENTRE), readSplat(slot, SLOT_POINT32));
  let y = f32x4.sub(readV128(node, BOX_CENTRE + 16), readSplat(slot, SLOT_POINT32 + 4));
  let z = f32x4.sub(readV128(node, BOX_CENTRE + 32), readSplat(slot, SLOT_POINT32 + 8));
  if (isObb<K>()) {
    const u = along(node, 0, x, y, z);
    const v = along(node, 16, x, y, z);
    z = along(node, 32, x, y, z);
    x = u;
    y = v;
  }
  x = beyond(x, f32x4.add(readV128(node, BOX_HALF), slack));
  y = beyond(y, f32x4.add(readV128(node, BOX_HALF + 16), slack));
  z = beyond(z, f32x4.add(readV128(node, BOX_HALF + 32), slack));
  const keys = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
  // The half extents of empty lanes are hugely negative, and their distance overflows.
  return pushNearFirst(top, keys, f32x4.le(keys, readSplat(slot, SLOT_LIMIT)), childrenOf<K>(node));
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
function beyond(x: v128, half: v128): v128 {
  return f32x4.pmax(f32x4.sub(f32x4.abs(x), half), f32x4.splat(0));
}

function testLeaf(slot: usize, child: u32): void {
  const begin = leafFirst(child);
  const end = begin + leafCount(child);
  primitiveTests += end - begin;
  for (let i = begin; i < end; i++) {
    const d2 = measureTriangle(triangleAt(tree, i), slot);
    const best = readF64(slot, SLOT_BEST);
    if (!(d2 <= best)) continue;
    const id = triangleId(tree, i);
    if (d2 == best && id >= readU32(slot, SLOT_TRIANGLE)) continue;
    writeF64(slot, SLOT_BEST, d2);
    writeF64(slot, SLOT_CLOSEST, closestX);
    writeF64(slot, SLOT_CLOSEST + 8, closestY);
    writeF64(slot, SLOT_CLOSEST + 16, closestZ);
    writeU32(slot, SLOT_TRIANGLE, id);
    writeF32(slot, SLOT_LIMIT, limitAt(d2));
  }
}

/** Best squared distance as f32, rounded up; positive, since small squares underflow. */
@inline
function limitAt(d2: f64): f32 {
  const limit = <f32>d2 * LIMIT_MARGIN + f32.MIN_NORMAL_VALUE;
  return limit < f32.MAX_VALUE ? limit : f32.MAX_VALUE;
}

let closestX: f64 = 0;
let closestY: f64 = 0;
let closestZ: f64 = 0;
let closest2: f64 = 0;

@inline
function keep(x: f64, y: f64, z: f64, d2: f64): void {
  if (d2 < closest2) {
    closest2 = d2;
    closestX = x;
    closestY = y;
    closestZ = z;
  }
}

/** Squared distance of the slot's point to a triangle; the closest point goes to closestX .. Z. */
@inline
function measureTriangle(triangle: usize, slot: usize): f64 {
  const ax = readF64(triangle);
  const ay = readF64(triangle, 8);
  const az = readF64(triangle, 16);
  const bx = readF64(triangle, 24);
  const by = readF64(triangle, 32);
  const bz = readF64(triangle, 40);
  const cx = readF64(triangle, 48);
  const cy = readF64(triangle, 56);
  const cz = readF64(triangle, 64);
  const px = readF64(slot, SLOT_POINT);
  const py = readF64(slot, SLOT_POINT + 8);
  const pz = readF64(slot, SLOT_POINT + 16);
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const wx = px - ax;
  const wy = py - ay;
  const wz = pz - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const n2 = nx * nx + ny * ny + nz * nz;
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  // Weights of b and c times n2.
  const s = nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx);
  const t = nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx);
  const r = n2 - s - t;
  closest2 = Infinity;
  const isThin = !(n2 > THIN * uu * vv);
  if (s >= 0 && t >= 0 && r >= 0 && n2 > 0) {
    const f = s / n2;
    const g = t / n2;
    const ex = f * ux + g * vx;
    const ey = f * uy + g * vy;
    const ez = f * uz + g * vz;
    keep(ax + ex, ay + ey, az + ez, (wx - ex) * (wx - ex) + (wy - ey) * (wy - ey) + (wz - ez) * (wz - ez));
    if (!isThin) return closest2;
  }
  if (t < 0 || isThin) measureEdge(ax, ay, az, ux, uy, uz, uu, bx, by, bz, px, py, pz);
  if (s < 0 || isThin) measureEdge(ax, ay, az, vx, vy, vz, vv, cx, cy, cz, px, py, pz);
  if (r < 0 || isThin) {
    const x = cx - bx;
    const y = cy - by;
    const z = cz - bz;
    measureEdge(bx, by, bz, x, y, z, x * x + y * y + z * z, cx, cy, cz, px, py, pz);
  }
  return closest2;
}

/** The edge from a, along e, to b. */
function measureEdge(
  ax: f64,
  ay: f64,
  az: f64,
  ex: f64,
  ey: f64,
  ez: f64,
  ee: f64,
  bx: f64,
  by: f64,
  bz: f64,
  px: f64,
  py: f64,
  pz: f64,
): void {
  const along = (px - ax) * ex + (py - ay) * ey + (pz - az) * ez;
  let x = ax;
  let y = ay;
  let z = az;
  if (along >= ee) {
    x = bx;
    y = by;
    z = bz;
  } else if (along > 0) {
    const k = along / ee;
    // The differences to a are formed first: they carry the fewest rounding errors.
    x = px - ax - k * ex;
    y = py - ay - k * ey;
    z = pz - az - k * ez;
    keep(ax + k * ex, ay + k * ey, az + k * ez, x * x + y * y + z * z);
    return;
  }
  keep(x, y, z, (px - x) * (px - x) + (py - y) * (py - y) + (pz - z) * (pz - z));
}

function finish(slot: usize): void {
  const at = QUERY_RESULTS + readU32(slot, SLOT_INDEX) * POINT_RESULT_BYTES;
  writeF64(at, 0, readF64(slot, SLOT_BEST));
  writeF64(at, 8, readF64(slot, SLOT_CLOSEST));
  writeF64(at, 16, readF64(slot, SLOT_CLOSEST + 8));
  writeF64(at, 24, readF64(slot, SLOT_CLOSEST + 16));
  writeU32(at, 32, readU32(slot, SLOT_TRIANGLE));
}

/** Takes the next point; false when none is left. */
function loadNext<K>(slot: usize, bottom: usize): bool {
  if (nextPoint == pointCount) return false;
  const index = nextPoint++;
  const point = QUERY_INPUTS + index * POINT_INPUT_BYTES;
  let reach = readF64(tree, TREE_RADIUS);
  for (let k: i32 = 0; k < 3; k++) {
    const x = readF64(point + 8 * k);
    const local = x - readF64(tree + 8 * k, TREE_ORIGIN);
    reach += abs(local);
    writeF64(slot + 8 * k, SLOT_POINT, x);
    writeF32(slot + 4 * k, SLOT_POINT32, <f32>local);
  }
  const bound = readF64(point, 24);
  const bound2 = bound * bound;
  writeF32(slot, SLOT_SLACK, <f32>(SLACK * reach));
  writeF64(slot, SLOT_BEST, bound2);
  writeF32(slot, SLOT_LIMIT, limitAt(bound2));
  writeU32(slot, SLOT_TRIANGLE, NONE);
  writeU32(slot, SLOT_INDEX, index);
  writeU32(slot, SLOT_BOTTOM, <u32>bottom);
  writeU32(slot, SLOT_TOP, <u32>startStack(bottom, childOf<K>(rootBox(tree))));
  return true;
}

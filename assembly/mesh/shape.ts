// One mesh against one convex shape: the nearest triangle, or the first that is near enough.
//
// Method: near-first walk of the tree (near-first.ts) by lower bounds of the distance from the core to four boxes at once
// (core-bounds.ts), those beyond the best distance left out; triangles against points and segments in closed form
// (round-triangle.ts), against other cores by GJK (../convex), which starts each triangle along the direction that it ended the last
// one with: where that separates by more than the best distance, one support point is all it takes.
// Source: Larsen, Gottschalk, Lin, Manocha 1999, "Fast proximity queries with swept sphere volumes", UNC TR99-018,
//   section 5 (order and bound); the four-wide form is ours.
// Frames: of the shape, X_AB is the mesh in it. Closed forms: of the mesh.
// Input: core A and X_AB in the area of convex queries, a hull's box at SHAPE_BOX. Output at SHAPE_RESULT: distance, points of shape
// and mesh, of other cores than points and segments normal in front of them; then triangle, number of triangles tried, status u32.
// Tests: test/contract/mesh-convex.test.ts, test/contract/shape-pairs.test.ts.
import {
  AABB_CHILD,
  CONVEX_CORE_A,
  CONVEX_CORE_B,
  CONVEX_POINTS_B,
  CONVEX_POSE,
  CONVEX_RESULT,
  KIND_AABB,
  OBB_CHILD,
  PAIR_BUFFER,
  PAIR_CAPACITY,
  RESULT_COUNTS,
  SHAPE_BOX,
  SHAPE_RESULT,
  SHAPE_TRIANGLE,
  STACK_BASE,
  TREE_NODE_KIND,
} from '../../src/kernel/layout';
import { convexAnswer, convexGjk } from '../convex/convex';
import { CORE_POINT, CORE_POINTS, CORE_SEGMENT, F64, s, SupportCore, supportAlong } from '../convex/convex-state';
import { openTrees, readF32, readF64, readU32, readV128, writeF64, writeU32 } from '../memory';
import { laneOf } from '../lanes';
import { coreBoundFour, middleSquares, openCore, unit } from './core-bounds';
import { boundTriangles, forgetDirection, insideLanes, setDirection } from './core-triangles';
import { END_OF_STACK, ENTRY_BYTES, LIMIT_MARGIN, pushNearFirst, startStack } from './near-first';
import { farX, farY, farZ, measurePointTriangle, measureSegmentTriangle, nearX, nearY, nearZ } from './round-triangle';
import { isLeaf, leafCount, leafFirst, rootBox, triangleAt, triangleId } from './trees';

/** Above 1 by more than the bound of a verdict is above what ends it. */
const NEXT: f64 = 1.0000000000000004;
/** Of a distance, so much that a nearer triangle has to be nearer: triangles about one corner are all at the same distance. */
const GAIN: f64 = 1e-13;
/** What `convexAnswer` says of cores that are farther apart than the bound. */
const BEYOND = 1;

/** Numbers of triangles that fit into the pair buffer, but for those of a last leaf. */
const LIST_CAPACITY: i32 = 2 * PAIR_CAPACITY - 4;

let tree: usize = 0;
/** What its nodes are. */
let isOriented: bool = false;
let childOffset: usize = 0;
/** Where a list that is not complete goes on, 0: nowhere; its length so far, and most. */
let listTop: usize = 0;
let listed: i32 = 0;
let listLimit: i32 = 0;
let kind: i32 = 0;
let radius: f64 = 0;
/** Distance of the best triangle so far, and where the search ends. */
let best: f64 = 0;
let enough: f64 = 0;
let found: bool = false;
/** The first triangle found ends the search. */
let isVerdict: bool = false;
/** Direction from the core to the best triangle, in the mesh's frame, and the core's support plane along it. */
let bestX: f64 = 0;
let bestY: f64 = 0;
let bestZ: f64 = 0;
let bestPlane: f64 = 0;
let nodeTests: i32 = 0;
let primitiveTests: i32 = 0;
/** Squared distance of the core from which on boxes are left out, in the unit of core-bounds.ts. */
let limit: f32 = 0;
/** A segment or point in the mesh's frame: one end, and the way to the other. */
let startX: f64 = 0;
let startY: f64 = 0;
let startZ: f64 = 0;
let alongX: f64 = 0;
let alongY: f64 = 0;
let alongZ: f64 = 0;
/** A point inside the core, in its frame. */
let middleX: f64 = 0;
let middleY: f64 = 0;
let middleZ: f64 = 0;
/** Middle of a hull's box, 0 of other cores; a support point. */
let boxX: f64 = 0;
let boxY: f64 = 0;
let boxZ: f64 = 0;
const tip = changetype<F64>(memory.data(24, 16));

/**
 * 1 when a triangle nearer than `bound` was found, whose distance, 0 at least, is then the least, or at most `atMost`. `x`, `y`, `z`: a point
 * inside the core. `hint`: number of the triangle at CONVEX_POINTS_B (9 f64), which is tried first; -1: none is there.
 */
export function measureShape(address: usize, bound: f64, atMost: f64, x: f64, y: f64, z: f64, hint: i32): i32 {
  openQuery(address, bound);
  enough = atMost;
  isVerdict = bound <= atMost * NEXT + f64.MIN_VALUE;
  middleX = x;
  middleY = y;
  middleZ = z;
  if (kind <= CORE_SEGMENT) openSegment(kind == CORE_POINT ? 0 : changetype<SupportCore>(CONVEX_CORE_A).z);
  else openTriangles();
  if (hint < 0 || !testTriangle(CONVEX_POINTS_B, hint)) search(startSearch(), false);
  writeF64(SHAPE_RESULT, 0, best);
  writeCounts();
  return found ? 1 : 0;
}

/**
 * Triangles whose bounds come within `bound` of the shape, which are all that do and some more, nearest boxes first: their numbers in
 * the pair buffer. At most `limit` and three more, or what the buffer holds; `resumeList` goes on then, 0 at the end.
 */
export function listTriangles(address: usize, bound: f64, limit: i32): i32 {
  openQuery(address, bound);
  isVerdict = false;
  listTop = startSearch();
  return resumeList(limit);
}

export function resumeList(limit: i32): i32 {
  listed = 0;
  listLimit = min(limit, LIST_CAPACITY);
  if (listTop != 0) listTop = search(listTop, true);
  writeCounts();
  return listed;
}

/** The core, and the distance from which on nothing is looked for. */
function openQuery(address: usize, bound: f64): void {
  openTrees(address, address);
  tree = address;
  const core = changetype<SupportCore>(CONVEX_CORE_A);
  kind = core.kind;
  radius = core.radius;
  best = bound;
  found = false;
  nodeTests = 0;
  primitiveTests = 0;
  openCore(address);
  forgetDirection();
  setLimit();
}

function writeCounts(): void {
  writeU32(RESULT_COUNTS, 0, nodeTests);
  writeU32(RESULT_COUNTS, 4, primitiveTests);
}

/** One end of the segment in the mesh's frame, and the way to the other. */
function openSegment(half: f64): void {
  const px = readF64(CONVEX_POSE, 72);
  const py = readF64(CONVEX_POSE, 80);
  const pz = readF64(CONVEX_POSE, 88);
  alongX = readF64(CONVEX_POSE, 48);
  alongY = readF64(CONVEX_POSE, 56);
  alongZ = readF64(CONVEX_POSE, 64);
  startX = -(readF64(CONVEX_POSE) * px + readF64(CONVEX_POSE, 24) * py + alongX * pz) - half * alongX;
  startY = -(readF64(CONVEX_POSE, 8) * px + readF64(CONVEX_POSE, 32) * py + alongY * pz) - half * alongY;
  startZ = -(readF64(CONVEX_POSE, 16) * px + readF64(CONVEX_POSE, 40) * py + alongZ * pz) - half * alongZ;
  alongX *= 2 * half;
  alongY *= 2 * half;
  alongZ *= 2 * half;
}

function openTriangles(): void {
  const core = changetype<SupportCore>(CONVEX_CORE_B);
  core.kind = CORE_POINTS;
  core.count = 3;
  core.map = 0;
  core.radius = 0;
  for (let k = 0; k < 3; k++) s.v[k] = 0;
  const isHull = kind == CORE_POINTS;
  boxX = isHull ? readF64(SHAPE_BOX) : 0;
  boxY = isHull ? readF64(SHAPE_BOX, 8) : 0;
  boxZ = isHull ? readF64(SHAPE_BOX, 16) : 0;
}

@inline
function setLimit(): void {
  const reach = unit * (best + radius);
  const squared = <f32>(reach * reach) * LIMIT_MARGIN + f32.MIN_NORMAL_VALUE;
  limit = squared < f32.MAX_VALUE ? squared : f32.MAX_VALUE;
}

@inline
function visit(node: usize, top: usize): usize {
  const children = readV128(node, childOffset);
  nodeTests += popcnt(i32x4.bitmask(i32x4.ne(children, i32x4.splat(0))));
  const most = f32x4.splat(limit);
  const keys = coreBoundFour(node, isOriented, most);
  // Of a verdict all boxes that are left may hold the answer: the one whose middle is nearest first.
  return pushNearFirst(top, isVerdict ? middleSquares : keys, f32x4.le(keys, most), children);
}

/** The stack with the root on it; returns its top. */
function startSearch(): usize {
  const root = rootBox(tree);
  isOriented = readU32(tree, TREE_NODE_KIND) != KIND_AABB;
  childOffset = isOriented ? OBB_CHILD : AABB_CHILD;
  return visit(root, startStack(STACK_BASE, readU32(root, childOffset)) - ENTRY_BYTES);
}

/** Returns the top of the stack where leaves ended the search, 0 when nothing is left. */
function search(start: usize, isList: bool): usize {
  let top = start;
  while (true) {
    top -= ENTRY_BYTES;
    if (!isVerdict) while (readF32(top, 0) > limit) top -= ENTRY_BYTES;
    const child = readU32(top, 4);
    if (!isLeaf(child)) top = visit(tree + child, top);
    else if (child == END_OF_STACK) return 0;
    else if (isList ? listLeaf(child) : testLeaf(child)) return top;
  }
}

/** Bounds of the triangles of a leaf; lanes beyond its count hold the last one again. */
function boundLeaf(first: u32, last: u32): v128 {
  return boundTriangles(
    tree,
    triangleAt(tree, first),
    triangleAt(tree, first + min<u32>(1, last)),
    triangleAt(tree, first + min<u32>(2, last)),
    triangleAt(tree, first + last),
    kind,
    f32x4.splat(limit),
  );
}

/** True when enough are listed. */
function listLeaf(child: u32): bool {
  const first = leafFirst(child);
  const count = leafCount(child);
  const bounds = boundLeaf(first, count - 1);
  primitiveTests += count;
  for (let near = ((1 << count) - 1) & i32x4.bitmask(f32x4.le(bounds, f32x4.splat(limit))); near; near &= near - 1)
    writeU32(PAIR_BUFFER, listed++ << 2, triangleId(tree, first + ctz(near)));
  return listed >= listLimit;
}

/** True when the search is over. */
function testLeaf(child: u32): bool {
  const first = leafFirst(child);
  const count = leafCount(child);
  if (kind == CORE_POINT) {
    for (let i = first; i < first + count; i++) if (testTriangle(triangleAt(tree, i), triangleId(tree, i))) return true;
    return false;
  }
  const last = count - 1;
  const bounds = boundLeaf(first, last);
  if (insideLanes) {
    primitiveTests++;
    best = 0;
    found = true;
    writeU32(SHAPE_TRIANGLE, 0, triangleId(tree, first + min<u32>(ctz(insideLanes), last)));
    return true;
  }
  // Nearest first. Lanes beyond the count hold the last triangle again.
  let left = ((1 << count) - 1) & i32x4.bitmask(f32x4.le(bounds, f32x4.splat(limit)));
  while (left) {
    let lane = ctz(left);
    let least = laneOf(bounds, lane);
    for (let others = left & (left - 1); others; others &= others - 1) {
      const bound = laneOf(bounds, ctz(others));
      if (bound >= least) continue;
      least = bound;
      lane = ctz(others);
    }
    if (least > limit) return false;
    left &= ~(1 << lane);
    if (testTriangle(triangleAt(tree, first + lane), triangleId(tree, first + lane))) return true;
  }
  return false;
}

/** The plane that keeps the best triangle away from the core keeps this one as far away. */
@inline
function isBehind(triangle: usize): bool {
  const u = bestX * readF64(triangle) + bestY * readF64(triangle, 8) + bestZ * readF64(triangle, 16);
  const v = bestX * readF64(triangle, 24) + bestY * readF64(triangle, 32) + bestZ * readF64(triangle, 40);
  const w = bestX * readF64(triangle, 48) + bestY * readF64(triangle, 56) + bestZ * readF64(triangle, 64);
  return min<f64>(min<f64>(u, v), w) >= bestPlane;
}

/** Takes a direction from the core to the best triangle, in the mesh's frame, with the core's support along it. */
@inline
function setBest(x: f64, y: f64, z: f64, support: f64): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  bestX = x / length;
  bestY = y / length;
  bestZ = z / length;
  bestPlane = support / length + (best + radius) * (1 - GAIN);
}

/** True when the search is over. */
function testTriangle(triangle: usize, id: u32): bool {
  primitiveTests++;
  if (found && isBehind(triangle)) return false;
  if (kind <= CORE_SEGMENT ? !testRound(triangle) : !testConvex(triangle)) return false;
  found = true;
  writeU32(SHAPE_TRIANGLE, 0, id);
  if (best <= enough) return true;
  setLimit();
  return false;
}

/** True when the triangle is nearer than the best one. */
function testRound(triangle: usize): bool {
  const reach = best + radius;
  const most = reach * reach;
  const squared =
    kind == CORE_POINT
      ? measurePointTriangle(triangle, startX, startY, startZ, most)
      : measureSegmentTriangle(triangle, startX, startY, startZ, alongX, alongY, alongZ, most);
  if (!(squared < most)) return false;
  best = max<f64>(Math.sqrt(squared) - radius, 0);
  const x = farX - nearX;
  const y = farY - nearY;
  const z = farZ - nearZ;
  const start = startX * x + startY * y + startZ * z;
  setBest(x, y, z, start + max<f64>(alongX * x + alongY * y + alongZ * z, 0));
  if (kind == CORE_SEGMENT) aimAlong(x, y, z);
  writeF64(SHAPE_RESULT, 8, nearX);
  writeF64(SHAPE_RESULT, 16, nearY);
  writeF64(SHAPE_RESULT, 24, nearZ);
  writeF64(SHAPE_RESULT, 32, farX);
  writeF64(SHAPE_RESULT, 40, farY);
  writeF64(SHAPE_RESULT, 48, farZ);
  return true;
}

/** Turns a direction of the mesh's frame, from the segment to a triangle, into the core's. */
function aimAlong(dx: f64, dy: f64, dz: f64): void {
  const X = s.X;
  const z = X[6] * dx + X[7] * dy + X[8] * dz;
  setDirection(X[0] * dx + X[1] * dy + X[2] * dz, X[3] * dx + X[4] * dy + X[5] * dz, z, Math.abs(z) * s.a.z);
}

/** From the triangle's middle to the core's. */
function aimAtMiddle(triangle: usize): void {
  const x = (readF64(triangle) + readF64(triangle, 24) + readF64(triangle, 48)) / 3;
  const y = (readF64(triangle, 8) + readF64(triangle, 32) + readF64(triangle, 56)) / 3;
  const z = (readF64(triangle, 16) + readF64(triangle, 40) + readF64(triangle, 64)) / 3;
  const X = s.X;
  const v = s.v;
  v[0] = middleX - (X[0] * x + X[1] * y + X[2] * z + X[9]);
  v[1] = middleY - (X[3] * x + X[4] * y + X[5] * z + X[10]);
  v[2] = middleZ - (X[6] * x + X[7] * y + X[8] * z + X[11]);
  if (v[0] == 0 && v[1] == 0 && v[2] == 0) v[0] = 1;
}

function testConvex(triangle: usize): bool {
  const v = s.v;
  s.b.points = <u32>triangle;
  // Nothing that an overlap or rounding left is a direction.
  if (!(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > 0)) aimAtMiddle(triangle);
  const code = convexAnswer(convexGjk(best + radius, 0), false);
  supportAlong(tip, 0, s.a, -v[0], -v[1], -v[2]);
  const reach = (boxX - tip[0]) * v[0] + (boxY - tip[1]) * v[1] + (boxZ - tip[2]) * v[2];
  setDirection(-v[0], -v[1], -v[2], reach);
  if (code == BEYOND) return false;
  const distance = readF64(CONVEX_RESULT);
  if (!(distance < best)) return false;
  if (distance > 0) {
    for (let k: i32 = 8; k < 80; k += 8) writeF64(SHAPE_RESULT + k, 0, readF64(CONVEX_RESULT + k));
    writeU32(SHAPE_TRIANGLE, 4, code);
  }
  best = max<f64>(distance, 0);
  const X = s.X;
  setBest(
    -(X[0] * v[0] + X[3] * v[1] + X[6] * v[2]),
    -(X[1] * v[0] + X[4] * v[1] + X[7] * v[2]),
    -(X[2] * v[0] + X[5] * v[1] + X[8] * v[2]),
    (X[9] - tip[0]) * v[0] + (X[10] - tip[1]) * v[1] + (X[11] - tip[2]) * v[2],
  );
  return true;
}

// Which links of a chain may touch across its changed joints: the walk over pairs of nodes of a ChainTree, in f32 SIMD.
//
// Method: as src/chain/pair-search.ts, which is the same walk in f64 for distances. A stack of pairs (A before B along the
// chain) with X_AB; a pair is dropped when all its links are within the exclusion range, when no changed joint lies between
// its first and last link, or when its volumes are apart: balls about the centres, then the six axes of the faces as legs
// of a right triangle, then the nine along cross products of edges. The larger volume is opened. A pair of links that is
// left is a candidate: the search stops there, the caller measures it exactly in f64, and resumes.
// Starts: every node that spans a changed joint, with its two children, low levels first.
// Source: Lotan, Schwarzer, Halperin, Latombe 2002, section 2.3, ACM Symposium on Computational Geometry; Gottschalk, Lin,
//   Manocha 1996, section 5, doi:10.1145/237170.237244 (the fifteen axes).
// Rounding: every entry carries a bound of its rotation's error (1e-6 per product; three products of f32 numbers lose
//   less than 3.1e-7 an entry) and of its translation's, which inherits the rotation's times the lever. Both widen the
//   test, so a pair is dropped only when it is apart in exact arithmetic; halves and radii come rounded outward.
// Block: kernel/layout.ts, CHAIN_... Cost: some 25 ns per pair. Tests: test/contract/chain.test.ts, on the checked build too.
import {
  CHAIN_BYTES,
  CHAIN_CHANGED_OFFSET,
  CHAIN_COUNTS,
  CHAIN_EXCLUSION,
  CHAIN_HEIGHT,
  CHAIN_LINK_COUNT,
  CHAIN_NODE_BYTES,
  CHAIN_NODES,
  CHAIN_STACK_OFFSET,
  CHAIN_STARTS,
  RESULT_COUNTS,
  RESULT_TRIANGLES,
} from '../src/kernel/layout';
import { add, mul, splat, sub } from './lanes';
import { closeWork, openWork, readF32, readU32, readV128, writeF32, writeU32, writeV128 } from './memory';

// Stack entry: rows of X_AB (48 bytes), then
const TRANSLATION_ERROR: usize = 48;
const ROTATION_ERROR: usize = 52;
const LEVEL_A: usize = 56;
const INDEX_A: usize = 60;
const LEVEL_B: usize = 64;
const INDEX_B: usize = 68;
const ENTRY_BYTES: usize = 80;

/** More than one product of rounded rotations adds. */
const PRODUCT_ERROR: f32 = 1e-6;
/** Of a node: half extents and radius. */
const EXTENTS: usize = 48;

let block: usize = 0;
let nodes: usize = 0;
let changed: usize = 0;
let changedCount: u32 = 0;
let linkCount: u32 = 0;
let height: u32 = 0;
let exclusion: u32 = 0;
let margin: f32 = 0;
/** Next start: level and place in the list of changed joints; the node looked at last. */
let level: u32 = 1;
let place: u32 = 0;
let previous: u32 = 0xffffffff;
/** In the block: whatever measures a candidate may use the kernel's own. */
let stack: usize = 0;
let top: usize = 0;
let volumeTests: u32 = 0;
let pairTests: u32 = 0;

/**
 * Starts a search across the `count` changed joints listed in the block. 1: links RESULT_TRIANGLES + 0 and + 4 may be
 * within the margin; 0: no more pairs. Counts of tests at RESULT_COUNTS, for the whole search so far.
 */
export function searchChain(theBlock: usize, count: u32, theMargin: f32): u32 {
  block = theBlock;
  openWork(block, load<u32>(block, CHAIN_BYTES), 0, 0);
  nodes = block + CHAIN_NODES;
  changed = block + readU32(block, CHAIN_CHANGED_OFFSET);
  changedCount = count;
  linkCount = readU32(block, CHAIN_LINK_COUNT);
  height = readU32(block, CHAIN_HEIGHT);
  exclusion = readU32(block, CHAIN_EXCLUSION);
  margin = theMargin;
  level = 1;
  place = 0;
  previous = 0xffffffff;
  stack = block + readU32(block, CHAIN_STACK_OFFSET);
  top = stack;
  volumeTests = 0;
  pairTests = 0;
  return resumeChain();
}

/** Goes on behind the last candidate. */
export function resumeChain(): u32 {
  openWork(block, load<u32>(block, CHAIN_BYTES), 0, 0);
  let found: u32 = 0;
  while (true) {
    if (top > stack) {
      if (openTop()) {
        found = 1;
        break;
      }
    } else if (!pushStart()) break;
  }
  writeU32(RESULT_COUNTS, 0, volumeTests);
  writeU32(RESULT_COUNTS, 4, pairTests);
  closeWork();
  return found;
}

@inline
function startOf(atLevel: u32): u32 {
  return readU32(block + (atLevel << 2), CHAIN_STARTS);
}

@inline
function countOf(atLevel: u32): u32 {
  return readU32(block + (atLevel << 2), CHAIN_COUNTS);
}

@inline
function nodeAt(atLevel: u32, index: u32): usize {
  return nodes + <usize>(startOf(atLevel) + index) * CHAIN_NODE_BYTES;
}

@inline
function changedAt(index: u32): u32 {
  return readU32(changed + (index << 2));
}

/** Whether a joint in [from, to) changed. */
@inline
function isCut(from: u32, to: u32): bool {
  if (changedCount == 1) {
    const joint = changedAt(0);
    return joint >= from && joint < to;
  }
  return isCutByAny(from, to);
}

function isCutByAny(from: u32, to: u32): bool {
  let low: u32 = 0;
  let high = changedCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changedAt(middle) < from) low = middle + 1;
    else high = middle;
  }
  return low < changedCount && changedAt(low) < to;
}

/** Offers the children of the next node that spans a changed joint; false when there is none left. */
function pushStart(): bool {
  for (; level <= height; level++) {
    for (; place < changedCount; place++) {
      const joint = changedAt(place);
      const node = joint >> level;
      if (node == previous || (joint + 1) >> level != node) continue;
      previous = node;
      const first = node << 1;
      if (first + 1 >= countOf(level - 1)) continue;
      place++;
      const left = nodeAt(level - 1, first);
      const right = left + CHAIN_NODE_BYTES;
      // Both lie in their parent's ball.
      const parent = readF32(nodeAt(level, node), EXTENTS + 12);
      enterSecond(left, readV128(right), readV128(right, 16), readV128(right, 32));
      offer(level - 1, first, level - 1, first + 1, 4 * PRODUCT_ERROR * parent, 2 * PRODUCT_ERROR);
      return true;
    }
    place = 0;
    previous = 0xffffffff;
  }
  return false;
}

/** The pose being offered. */
let x0: v128 = f32x4.splat(0);
let x1: v128 = f32x4.splat(0);
let x2: v128 = f32x4.splat(0);

@inline
function translation(row: v128): v128 {
  return v128.and(row, i32x4(0, 0, 0, -1));
}

/** T^-1 X, T the pose of node `child` in the volume that X is given in. */
@inline
function enterSecond(child: usize, r0: v128, r1: v128, r2: v128): void {
  const t0 = readV128(child);
  const t1 = readV128(child, 16);
  const t2 = readV128(child, 32);
  const y0 = sub(r0, translation(t0));
  const y1 = sub(r1, translation(t1));
  const y2 = sub(r2, translation(t2));
  x0 = add(add(mul(splat(t0, 0), y0), mul(splat(t1, 0), y1)), mul(splat(t2, 0), y2));
  x1 = add(add(mul(splat(t0, 1), y0), mul(splat(t1, 1), y1)), mul(splat(t2, 1), y2));
  x2 = add(add(mul(splat(t0, 2), y0), mul(splat(t1, 2), y1)), mul(splat(t2, 2), y2));
}

/** X T. */
@inline
function enterFirst(child: usize, r0: v128, r1: v128, r2: v128): void {
  const t0 = readV128(child);
  const t1 = readV128(child, 16);
  const t2 = readV128(child, 32);
  x0 = add(add(mul(splat(r0, 0), t0), mul(splat(r0, 1), t1)), add(mul(splat(r0, 2), t2), translation(r0)));
  x1 = add(add(mul(splat(r1, 0), t0), mul(splat(r1, 1), t1)), add(mul(splat(r1, 2), t2), translation(r1)));
  x2 = add(add(mul(splat(r2, 0), t0), mul(splat(r2, 1), t1)), add(mul(splat(r2, 2), t2), translation(r2)));
}

/** Takes the top pair off. True: it is two links, and they are the result. */
function openTop(): bool {
  top -= ENTRY_BYTES;
  const levelA = readU32(top, LEVEL_A);
  const a = readU32(top, INDEX_A);
  const levelB = readU32(top, LEVEL_B);
  const b = readU32(top, INDEX_B);
  if ((levelA | levelB) == 0) {
    writeU32(RESULT_TRIANGLES, 0, a);
    writeU32(RESULT_TRIANGLES, 4, b);
    return true;
  }
  const r0 = readV128(top);
  const r1 = readV128(top, 16);
  const r2 = readV128(top, 32);
  const radiusA = readF32(nodeAt(levelA, a), EXTENTS + 12);
  const radiusB = readF32(nodeAt(levelB, b), EXTENTS + 12);
  const rotationError = readF32(top, ROTATION_ERROR) + PRODUCT_ERROR;
  // The lever of the rotation is a centre in the opened ball; the translation is at most the sum of the radii.
  const error = readF32(top, TRANSLATION_ERROR) + 2 * rotationError * (radiusA + radiusB + margin);
  if (levelB == 0 || (levelA > 0 && radiusA > radiusB)) {
    const below = levelA - 1;
    const first = a << 1;
    const child = nodeAt(below, first);
    enterSecond(child, r0, r1, r2);
    offer(below, first, levelB, b, error, rotationError);
    if (first + 1 < countOf(below)) {
      enterSecond(child + CHAIN_NODE_BYTES, r0, r1, r2);
      offer(below, first + 1, levelB, b, error, rotationError);
    }
  } else {
    const below = levelB - 1;
    const first = b << 1;
    const child = nodeAt(below, first);
    enterFirst(child, r0, r1, r2);
    offer(levelA, a, below, first, error, rotationError);
    if (first + 1 < countOf(below)) {
      enterFirst(child + CHAIN_NODE_BYTES, r0, r1, r2);
      offer(levelA, a, below, first + 1, error, rotationError);
    }
  }
  return false;
}

/** Pushes the pair (A, B) with the pose in x0, x1, x2 unless it can be dropped. */
@inline
function offer(levelA: u32, a: u32, levelB: u32, b: u32, error: f32, rotationError: f32): void {
  const firstA = a << levelA;
  const endB = (b + 1) << levelB;
  const lastB = (endB < linkCount ? endB : linkCount) - 1;
  if (lastB - firstA <= exclusion || !isCut(firstA, lastB)) return;
  if ((levelA | levelB) == 0) pairTests++;
  else volumeTests++;
  if (isApart(nodeAt(levelA, a), nodeAt(levelB, b), error, rotationError)) return;
  writeV128(top, 0, x0);
  writeV128(top, 16, x1);
  writeV128(top, 32, x2);
  writeF32(top, TRANSLATION_ERROR, error);
  writeF32(top, ROTATION_ERROR, rotationError);
  writeU32(top, LEVEL_A, levelA);
  writeU32(top, INDEX_A, a);
  writeU32(top, LEVEL_B, levelB);
  writeU32(top, INDEX_B, b);
  top += ENTRY_BYTES;
}

@inline
function square3(v: v128): f32 {
  const s = mul(v, v);
  return f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2);
}

@inline
function positive(v: v128): v128 {
  return f32x4.pmax(v, f32x4.splat(0));
}

@inline
function turnLeft(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 1, 2, 0, 3);
}

@inline
function turnRight(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 2, 0, 1, 3);
}

/** Whether the gap along A_i x B_j exceeds the slack for some j; rows i + 1, i + 2 of R and |R|, and row i of |R|. */
@inline
function isEdgeApart(
  t1: v128,
  t2: v128,
  r1: v128,
  r2: v128,
  q1: v128,
  q2: v128,
  h1: v128,
  h2: v128,
  q0: v128,
  hb: v128,
  slack: v128,
): bool {
  const gap = f32x4.abs(sub(mul(t2, r1), mul(t1, r2)));
  const reachA = add(mul(h1, q2), mul(h2, q1));
  const reachB = add(mul(turnLeft(hb), turnRight(q0)), mul(turnRight(hb), turnLeft(q0)));
  return (i32x4.bitmask(f32x4.gt(gap, add(add(reachA, reachB), slack))) & 7) != 0;
}

function isApart(nodeA: usize, nodeB: usize, error: f32, rotationError: f32): bool {
  const ha = readV128(nodeA, EXTENTS);
  const hb = readV128(nodeB, EXTENTS);
  const radiusA = f32x4.extract_lane(ha, 3);
  const radiusB = f32x4.extract_lane(hb, 3);
  const sum = radiusA + radiusB;
  const low = v128.shuffle<f32>(x0, x1, 0, 4, 1, 5);
  const high = v128.shuffle<f32>(x0, x1, 2, 6, 3, 7);
  const t = v128.shuffle<f32>(high, x2, 2, 3, 7, 7);
  // Sums of three products in the tests below round by less than PRODUCT_ERROR of their terms as well.
  const slack = error + 4 * (rotationError + PRODUCT_ERROR) * (sum + margin);
  const reach = sum + margin + slack;
  if (square3(t) > reach * reach) return true;
  const isBallA = f32x4.extract_lane(ha, 0) == radiusA;
  const isBallB = f32x4.extract_lane(hb, 0) == radiusB;
  if (isBallA && isBallB) return false;
  const loss = f32x4.splat(slack);
  if (isBallB) {
    const far = radiusB + margin;
    return square3(positive(sub(sub(f32x4.abs(t), ha), loss))) > far * far;
  }
  const t0 = splat(t, 0);
  const t1 = splat(t, 1);
  const t2 = splat(t, 2);
  const s = add(add(mul(t0, x0), mul(t1, x1)), mul(t2, x2));
  if (isBallA) {
    const far = radiusA + margin;
    return square3(positive(sub(sub(f32x4.abs(s), hb), loss))) > far * far;
  }
  const limit = margin * margin;
  const c0 = f32x4.abs(v128.shuffle<f32>(low, x2, 0, 1, 4, 4));
  const c1 = f32x4.abs(v128.shuffle<f32>(low, x2, 2, 3, 5, 5));
  const c2 = f32x4.abs(v128.shuffle<f32>(high, x2, 0, 1, 6, 6));
  const reachB = add(add(mul(splat(hb, 0), c0), mul(splat(hb, 1), c1)), mul(splat(hb, 2), c2));
  if (square3(positive(sub(sub(sub(f32x4.abs(t), ha), reachB), loss))) > limit) return true;
  const a0 = splat(ha, 0);
  const a1 = splat(ha, 1);
  const a2 = splat(ha, 2);
  const q0 = f32x4.abs(x0);
  const q1 = f32x4.abs(x1);
  const q2 = f32x4.abs(x2);
  const reachA = add(add(mul(a0, q0), mul(a1, q1)), mul(a2, q2));
  if (square3(positive(sub(sub(sub(f32x4.abs(s), hb), reachA), loss))) > limit) return true;
  const edge = f32x4.splat(slack + margin);
  return (
    isEdgeApart(t1, t2, x1, x2, q1, q2, a1, a2, q0, hb, edge) ||
    isEdgeApart(t2, t0, x2, x0, q2, q0, a2, a0, q1, hb, edge) ||
    isEdgeApart(t0, t1, x0, x1, q0, q1, a0, a1, q2, hb, edge)
  );
}

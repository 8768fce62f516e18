// Which links of a chain may touch across its changed joints: the walk over pairs of nodes of a ChainTree, four pairs at a
// time in the lanes of f32 SIMD.
//
// Method: pairs (A, B) of nodes of one level, A before B along the chain, with X_AB. Opening a pair offers the four pairs of
// their children, lanes (A0, B0) (A0, B1) (A1, B0) (A1, B1); a lane is dropped when all its links are within the exclusion
// range, when no changed joint lies between its first and last link, or when its volumes are apart: balls about the
// centres, the six axes of the faces, the nine along cross products of edges. What is left of the four stays together on a
// stack, with a mask of the lanes still to be opened. A pair of links that is left is a candidate: the search stops there,
// the caller measures it exactly in f64, and resumes.
// Starts: every node that spans a changed joint, with its two children, low levels first. These lie beside each other along
// the chain, so they are opened untested.
// Source: Lotan, Schwarzer, Halperin, Latombe 2002, section 2.3, ACM Symposium on Computational Geometry; Gottschalk, Lin,
//   Manocha 1996, section 5, doi:10.1145/237170.237244 (the fifteen axes).
// Rounding: every group of four carries a bound of its rotations' errors (1e-6 per product; three products of f32 numbers
//   lose less than 3.1e-7 an entry) and of its translations', which inherits the rotation's times the lever. Both widen
//   the test, so a pair is dropped only when it is apart in exact arithmetic; halves and radii come rounded outward.
// Block: kernel/layout.ts, CHAIN_... Cost: some 15 ns per pair. Tests: test/contract/chain.test.ts, on the checked build too.
import {
  CHAIN_BYTES,
  CHAIN_CHANGED_OFFSET,
  CHAIN_EXCLUSION,
  CHAIN_HEIGHT,
  CHAIN_LINK_COUNT,
  CHAIN_PAIR_BYTES,
  CHAIN_PAIRS,
  CHAIN_STACK_BYTES,
  CHAIN_STACK_OFFSET,
  RESULT_COUNTS,
  RESULT_TRIANGLES,
} from '../../src/kernel/layout';
import { countOf, openLevels, startOf } from './chain-block';
import { needTight, openTight, tightenings } from './chain-tight';
import { add, dot3, mul, sub } from '../lanes';
import {
  closeWork,
  openWork,
  readF32,
  readSplat,
  readSplat64,
  readU32,
  writeF32,
  writeU32,
  writeV128,
} from '../memory';

// Stack entry: the twelve numbers of X_AB, R row by row and then p, in four lanes each (192 bytes); then
const RADII: usize = 192;
const TRANSLATION_ERROR: usize = 208;
const ROTATION_ERROR: usize = 212;
/** Lanes still to be opened, bit 2 i + j for children i of A and j of B. */
const LANES: usize = 216;
const LEVEL: usize = 220;
/** The nodes above, one level up. */
const INDEX_A: usize = 224;
const INDEX_B: usize = 228;

/** More than one product of rounded rotations adds. */
const PRODUCT_ERROR: f32 = 1e-6;
/** Of a pair of children: half extents and radius. */
const EXTENTS: usize = 96;
const RADIUS: usize = 120;

let block: usize = 0;
let pairs: usize = 0;
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
/** In the block: whatever measures a candidate may use the kernel's own. `top`: behind the last entry. */
let stack: usize = 0;
let top: usize = 0;
let volumeTests: u32 = 0;
let pairTests: u32 = 0;
/** Whether boxes are tightened before they are tested: chain-tight.ts. */
let isTight = false;

/**
 * Starts a search across the `count` changed joints listed in the block. 1: links RESULT_TRIANGLES + 0 and + 4 may be
 * within the margin; 0: no more pairs. Counts of tests at RESULT_COUNTS, for the whole search so far.
 */
export function searchChain(theBlock: usize, count: u32, theMargin: f32): u32 {
  block = theBlock;
  openWork(block, load<u32>(block, CHAIN_BYTES), 0, 0);
  pairs = block + CHAIN_PAIRS;
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
  isTight = openTight(block);
  return resumeChain();
}

/** Goes on behind the last candidate. */
export function resumeChain(): u32 {
  openWork(block, load<u32>(block, CHAIN_BYTES), 0, 0);
  openLevels(block);
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
  writeU32(RESULT_COUNTS, 12, tightenings);
  closeWork();
  return found;
}

/** The children of node (level, index). */
@inline
function childrenOf(atLevel: u32, index: u32): usize {
  return pairs + <usize>(startOf(atLevel) + index - linkCount) * CHAIN_PAIR_BYTES;
}

@inline
function changedAt(index: u32): u32 {
  return readU32(changed + (index << 2));
}

/** Whether a joint in [from, to) changed. */
function isCut(from: u32, to: u32): bool {
  let low: u32 = 0;
  let high = changedCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changedAt(middle) < from) low = middle + 1;
    else high = middle;
  }
  return low < changedCount && changedAt(low) < to;
}

/** Pushes the children of the next node that spans a changed joint; false when there is none left. */
function pushStart(): bool {
  for (; level <= height; level++) {
    for (; place < changedCount; place++) {
      const joint = changedAt(place);
      const node = joint >> level;
      if (node == previous || (joint + 1) >> level != node) continue;
      previous = node;
      const first = node << 1;
      if (first + 1 >= countOf(level - 1)) continue;
      const end = (node + 1) << level;
      if ((end < linkCount ? end : linkCount) - 1 - (node << level) <= exclusion) continue;
      place++;
      pushChildren(level, node);
      return true;
    }
    place = 0;
    previous = 0xffffffff;
  }
  return false;
}

/** The two children of a node as a pair, X_AB = T_A^-1 T_B from their poses in it. */
function pushChildren(atLevel: u32, node: u32): void {
  const at = childrenOf(atLevel, node);
  const a0 = readSplat(at);
  const a1 = readSplat(at, 8);
  const a2 = readSplat(at, 16);
  const a3 = readSplat(at, 24);
  const a4 = readSplat(at, 32);
  const a5 = readSplat(at, 40);
  const a6 = readSplat(at, 48);
  const a7 = readSplat(at, 56);
  const a8 = readSplat(at, 64);
  for (let k: usize = 0; k < 3; k++) {
    const x = readSplat(at + (k << 3), 4);
    const y = readSplat(at + (k << 3), 28);
    const z = readSplat(at + (k << 3), 52);
    writeV128(top + (k << 4), 0, dot3(a0, x, a3, y, a6, z));
    writeV128(top + (k << 4), 48, dot3(a1, x, a4, y, a7, z));
    writeV128(top + (k << 4), 96, dot3(a2, x, a5, y, a8, z));
  }
  const x = sub(readSplat(at, 76), readSplat(at, 72));
  const y = sub(readSplat(at, 84), readSplat(at, 80));
  const z = sub(readSplat(at, 92), readSplat(at, 88));
  writeV128(top, 144, dot3(a0, x, a3, y, a6, z));
  writeV128(top, 160, dot3(a1, x, a4, y, a7, z));
  writeV128(top, 176, dot3(a2, x, a5, y, a8, z));
  // Not more than this lies between the centres, and between each and the parent's.
  const t0 = square3(x, y, z);
  const p = readSplat(at, 72);
  const q = readSplat(at, 80);
  const r = readSplat(at, 88);
  const lever = f32x4.sqrt(t0);
  const radii = add(add(readSplat(at, RADIUS), readSplat(at, RADIUS + 4)), lever);
  writeV128(top, RADII, radii);
  const reach = f32x4.extract_lane(add(radii, f32x4.sqrt(square3(p, q, r))), 0);
  writeF32(top, TRANSLATION_ERROR, 4 * PRODUCT_ERROR * reach);
  writeF32(top, ROTATION_ERROR, 2 * PRODUCT_ERROR);
  // The left child of one and the right child of the other.
  writeU32(top, LANES, 2);
  writeU32(top, LEVEL, atLevel - 1);
  writeU32(top, INDEX_A, node);
  writeU32(top, INDEX_B, node);
  top += CHAIN_STACK_BYTES;
}

@inline
function square3(x: v128, y: v128, z: v128): v128 {
  return dot3(x, x, y, y, z, z);
}

/** Which of the four pairs of children of a and b, nodes of the level above, are to be tested. */
function chooseLanes(atLevel: u32, a: u32, b: u32): u32 {
  const half = (<u32>1) << atLevel;
  const firstA = (a << 1) << atLevel;
  const firstB = (b << 1) << atLevel;
  const middleB = firstB + half;
  const hasRight = middleB < linkCount;
  const lastLeft = (hasRight ? middleB : linkCount) - 1;
  const endB = middleB + half;
  const lastRight = (endB < linkCount ? endB : linkCount) - 1;
  let lanes: u32 = hasRight ? 15 : 5;
  if (changedCount == 1) {
    const joint = changedAt(0);
    // A holds or precedes the joint and B holds or follows it; so do the first child of A and the last of B.
    if (firstA + half > joint) lanes &= 3;
    if (lastLeft <= joint) lanes &= 10;
  } else {
    if (!isCut(firstA, lastLeft)) lanes &= ~1;
    if (hasRight && !isCut(firstA, lastRight)) lanes &= ~2;
    if (!isCut(firstA + half, lastLeft)) lanes &= ~4;
    if (hasRight && !isCut(firstA + half, lastRight)) lanes &= ~8;
  }
  if (lastLeft - firstA - half <= exclusion) {
    lanes &= ~4;
    if (lastLeft - firstA <= exclusion) lanes &= ~1;
    if (lastRight - firstA - half <= exclusion) lanes &= ~8;
    if (lastRight - firstA <= exclusion) lanes &= ~2;
  }
  return lanes;
}

/** Takes the next pair of the top entry. True: it is two links, and they are the result. */
function openTop(): bool {
  const entry = top - CHAIN_STACK_BYTES;
  const lanes = readU32(entry, LANES);
  const lane = ctz(lanes);
  const rest = lanes & (lanes - 1);
  if (rest == 0) top = entry;
  else writeU32(entry, LANES, rest);
  const atLevel = readU32(entry, LEVEL);
  const aboveA = readU32(entry, INDEX_A);
  const aboveB = readU32(entry, INDEX_B);
  const a = (aboveA << 1) + (lane >> 1);
  const b = (aboveB << 1) + (lane & 1);
  if (atLevel == 0) {
    writeU32(RESULT_TRIANGLES, 0, a);
    writeU32(RESULT_TRIANGLES, 4, b);
    return true;
  }
  const below = atLevel - 1;
  const chosen = chooseLanes(below, a, b);
  if (chosen == 0) return false;
  if (below == 0) pairTests += popcnt(chosen);
  else volumeTests += popcnt(chosen);
  const from = entry + (lane << 2);
  const radii = readF32(from, RADII);
  const rotationError = readF32(entry, ROTATION_ERROR) + 2 * PRODUCT_ERROR;
  // The lever of the rotation is a centre in the opened balls; the translation is at most the sum of the radii.
  const error = readF32(entry, TRANSLATION_ERROR) + 4 * rotationError * (radii + margin);
  if (isTight) tightenLanes(below, a, b, chosen);
  const left = testLanes(from, childrenOf(atLevel, a), childrenOf(atLevel, b), chosen, below, error, rotationError);
  if (left == 0) return false;
  writeF32(top, TRANSLATION_ERROR, error);
  writeF32(top, ROTATION_ERROR, rotationError);
  writeU32(top, LANES, left);
  writeU32(top, LEVEL, below);
  writeU32(top, INDEX_A, a);
  writeU32(top, INDEX_B, b);
  top += CHAIN_STACK_BYTES;
  if (below > 0) fetchChildren(below, a, b);
  return false;
}

/** The children of a and b that the chosen lanes test. */
function tightenLanes(atLevel: u32, a: u32, b: u32, chosen: u32): void {
  if ((chosen & 3) != 0) needTight(atLevel, a << 1);
  if ((chosen & 12) != 0) needTight(atLevel, (a << 1) + 1);
  if ((chosen & 5) != 0) needTight(atLevel, b << 1);
  if ((chosen & 10) != 0) needTight(atLevel, (b << 1) + 1);
}

/** Reads of every cache line that opening the pairs of children of a and b will read. */
@inline
function fetchChildren(atLevel: u32, a: u32, b: u32): void {
  const nextA = childrenOf(atLevel, a << 1);
  const nextB = childrenOf(atLevel, b << 1);
  const sum =
    readU32(nextA) +
    readU32(nextA, 64) +
    readU32(nextA, 128) +
    readU32(nextA, 192) +
    readU32(nextB) +
    readU32(nextB, 64) +
    readU32(nextB, 128) +
    readU32(nextB, 192);
  writeU32(RESULT_COUNTS, 8, sum);
}

/** a, a, b, b of two numbers. */
@inline
function readTwice(pointer: usize, offset: usize = 0): v128 {
  const both = readSplat64(pointer, offset);
  return v128.shuffle<f32>(both, both, 0, 0, 1, 1);
}

/** |t| - reach. */
@inline
function gapOf(t: v128, reach: v128): v128 {
  return sub(f32x4.abs(t), reach);
}

/** The lanes of four pairs of children that are not apart; their poses and radii to the top entry. */
function testLanes(
  from: usize,
  childrenA: usize,
  childrenB: usize,
  chosen: u32,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: goes with the next change of this kernel: its bytes change with it
  atLevel: u32,
  error: f32,
  rotationError: f32,
): u32 {
  const x0 = readSplat(from);
  const x1 = readSplat(from, 16);
  const x2 = readSplat(from, 32);
  const x3 = readSplat(from, 48);
  const x4 = readSplat(from, 64);
  const x5 = readSplat(from, 80);
  const x6 = readSplat(from, 96);
  const x7 = readSplat(from, 112);
  const x8 = readSplat(from, 128);
  // From the centre of A's child to that of B's, in A.
  let px = readSplat64(childrenB, 72);
  let py = readSplat64(childrenB, 80);
  let pz = readSplat64(childrenB, 88);
  const dx = sub(add(dot3(x0, px, x1, py, x2, pz), readSplat(from, 144)), readTwice(childrenA, 72));
  const dy = sub(add(dot3(x3, px, x4, py, x5, pz), readSplat(from, 160)), readTwice(childrenA, 80));
  const dz = sub(add(dot3(x6, px, x7, py, x8, pz), readSplat(from, 176)), readTwice(childrenA, 88));
  const ballA = readTwice(childrenA, RADIUS);
  const ballB = readSplat64(childrenB, RADIUS);
  const radii = add(ballA, ballB);
  const far = add(radii, f32x4.splat(margin));
  // Sums of three products in the tests below round by less than PRODUCT_ERROR of their terms as well.
  const slack = add(f32x4.splat(error), mul(f32x4.splat(4 * (rotationError + PRODUCT_ERROR)), far));
  const reach = add(far, slack);
  let apart = f32x4.gt(square3(dx, dy, dz), mul(reach, reach));
  let left = chosen & ~i32x4.bitmask(apart);
  if (left == 0) return 0;
  px = readSplat64(childrenB);
  py = readSplat64(childrenB, 24);
  pz = readSplat64(childrenB, 48);
  const y0 = dot3(x0, px, x1, py, x2, pz);
  const y3 = dot3(x3, px, x4, py, x5, pz);
  const y6 = dot3(x6, px, x7, py, x8, pz);
  px = readSplat64(childrenB, 8);
  py = readSplat64(childrenB, 32);
  pz = readSplat64(childrenB, 56);
  const y1 = dot3(x0, px, x1, py, x2, pz);
  const y4 = dot3(x3, px, x4, py, x5, pz);
  const y7 = dot3(x6, px, x7, py, x8, pz);
  px = readSplat64(childrenB, 16);
  py = readSplat64(childrenB, 40);
  pz = readSplat64(childrenB, 64);
  const y2 = dot3(x0, px, x1, py, x2, pz);
  const y5 = dot3(x3, px, x4, py, x5, pz);
  const y8 = dot3(x6, px, x7, py, x8, pz);
  px = readTwice(childrenA);
  py = readTwice(childrenA, 24);
  pz = readTwice(childrenA, 48);
  const r0 = dot3(px, y0, py, y3, pz, y6);
  const r1 = dot3(px, y1, py, y4, pz, y7);
  const r2 = dot3(px, y2, py, y5, pz, y8);
  const t0 = dot3(px, dx, py, dy, pz, dz);
  px = readTwice(childrenA, 8);
  py = readTwice(childrenA, 32);
  pz = readTwice(childrenA, 56);
  const r3 = dot3(px, y0, py, y3, pz, y6);
  const r4 = dot3(px, y1, py, y4, pz, y7);
  const r5 = dot3(px, y2, py, y5, pz, y8);
  const t1 = dot3(px, dx, py, dy, pz, dz);
  px = readTwice(childrenA, 16);
  py = readTwice(childrenA, 40);
  pz = readTwice(childrenA, 64);
  const r6 = dot3(px, y0, py, y3, pz, y6);
  const r7 = dot3(px, y1, py, y4, pz, y7);
  const r8 = dot3(px, y2, py, y5, pz, y8);
  const t2 = dot3(px, dx, py, dy, pz, dz);
  let a0 = readTwice(childrenA, EXTENTS);
  let a1 = readTwice(childrenA, EXTENTS + 8);
  let a2 = readTwice(childrenA, EXTENTS + 16);
  let b0 = readSplat64(childrenB, EXTENTS);
  let b1 = readSplat64(childrenB, EXTENTS + 8);
  let b2 = readSplat64(childrenB, EXTENTS + 16);
  // A ball is a point rounded by its radius.
  let loss = add(slack, f32x4.splat(margin));
  const isBallA = f32x4.eq(a0, ballA);
  const isBallB = f32x4.eq(b0, ballB);
  if (v128.any_true(v128.or(isBallA, isBallB))) {
    loss = add(loss, add(v128.and(isBallA, ballA), v128.and(isBallB, ballB)));
    a0 = v128.andnot(a0, isBallA);
    a1 = v128.andnot(a1, isBallA);
    a2 = v128.andnot(a2, isBallA);
    b0 = v128.andnot(b0, isBallB);
    b1 = v128.andnot(b1, isBallB);
    b2 = v128.andnot(b2, isBallB);
  }
  const q0 = f32x4.abs(r0);
  const q1 = f32x4.abs(r1);
  const q2 = f32x4.abs(r2);
  const q3 = f32x4.abs(r3);
  const q4 = f32x4.abs(r4);
  const q5 = f32x4.abs(r5);
  const q6 = f32x4.abs(r6);
  const q7 = f32x4.abs(r7);
  const q8 = f32x4.abs(r8);
  let gap = gapOf(t0, add(a0, dot3(q0, b0, q1, b1, q2, b2)));
  gap = f32x4.pmax(gap, gapOf(t1, add(a1, dot3(q3, b0, q4, b1, q5, b2))));
  gap = f32x4.pmax(gap, gapOf(t2, add(a2, dot3(q6, b0, q7, b1, q8, b2))));
  gap = f32x4.pmax(gap, gapOf(dot3(r0, t0, r3, t1, r6, t2), add(b0, dot3(q0, a0, q3, a1, q6, a2))));
  gap = f32x4.pmax(gap, gapOf(dot3(r1, t0, r4, t1, r7, t2), add(b1, dot3(q1, a0, q4, a1, q7, a2))));
  gap = f32x4.pmax(gap, gapOf(dot3(r2, t0, r5, t1, r8, t2), add(b2, dot3(q2, a0, q5, a1, q8, a2))));
  left &= ~i32x4.bitmask(f32x4.gt(gap, loss));
  if (left == 0) return 0;
  // A_i x B_j: the gap of the centres against what both reach along it.
  gap = gapOf(sub(mul(t2, r3), mul(t1, r6)), add(add(mul(a1, q6), mul(a2, q3)), add(mul(b1, q2), mul(b2, q1))));
  gap = f32x4.pmax(
    gap,
    gapOf(sub(mul(t2, r4), mul(t1, r7)), add(add(mul(a1, q7), mul(a2, q4)), add(mul(b0, q2), mul(b2, q0)))),
  );
  gap = f32x4.pmax(
    gap,
    gapOf(sub(mul(t2, r5), mul(t1, r8)), add(add(mul(a1, q8), mul(a2, q5)), add(mul(b0, q1), mul(b1, q0)))),
  );
  gap = f32x4.pmax(
    gap,
    gapOf(sub(mul(t0, r6), mul(t2, r0)), add(add(mul(a0, q6), mul(a2, q0)), add(mul(b1, q5), mul(b2, q4)))),
  );
  gap = f32x4.pmax(
    gap,
    gapOf(sub(mul(t0, r7), mul(t2, r1)), add(add(mul(a0, q7), mul(a2, q1)), add(mul(b0, q5), mul(b2, q3)))),
  );
  gap = f32x4.pmax(
    gap,
    gapOf(sub(mul(t0, r8), mul(t2, r2)), add(add(mul(a0, q8), mul(a2, q2)), add(mul(b0, q4), mul(b1, q3)))),
  );
  gap = f32x4.pmax(
    gap,
    gapOf(sub(mul(t1, r0), mul(t0, r3)), add(add(mul(a0, q3), mul(a1, q0)), add(mul(b1, q8), mul(b2, q7)))),
  );
  gap = f32x4.pmax(
    gap,
    gapOf(sub(mul(t1, r1), mul(t0, r4)), add(add(mul(a0, q4), mul(a1, q1)), add(mul(b0, q8), mul(b2, q6)))),
  );
  gap = f32x4.pmax(
    gap,
    gapOf(sub(mul(t1, r2), mul(t0, r5)), add(add(mul(a0, q5), mul(a1, q2)), add(mul(b0, q7), mul(b1, q6)))),
  );
  left &= ~i32x4.bitmask(f32x4.gt(gap, loss));
  if (left == 0) return 0;
  writeV128(top, 0, r0);
  writeV128(top, 16, r1);
  writeV128(top, 32, r2);
  writeV128(top, 48, r3);
  writeV128(top, 64, r4);
  writeV128(top, 80, r5);
  writeV128(top, 96, r6);
  writeV128(top, 112, r7);
  writeV128(top, 128, r8);
  writeV128(top, 144, t0);
  writeV128(top, 160, t1);
  writeV128(top, 176, t2);
  writeV128(top, RADII, radii);
  return left;
}

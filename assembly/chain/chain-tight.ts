// Tight boxes of a ChainTree for the search of contacts: faces pushed in until they all but touch a link. A box around the
// boxes below it also holds their empty corners, which pile up from level to level.
//
// Method: an update makes the records of the nodes it computes anew those of their plain boxes; the search tightens a node
// when it first comes to test it, so that nodes no search reaches are never tightened. Along each of the six directions of
// the node's axes the farthest point of any link is searched from the node down; a direction goes down by one product with
// the child's rotation. A child whose own volume ends less than SLACK of the half extent beyond the farthest point so far
// is taken at its bound instead of opened, the one that reaches farther is opened first.
//   Tight boxes live in records beside the hierarchy and in the f32 copies that the search walks: frames, boxes and
// everything measured with them are those of a tree of plain boxes, to the bit, whatever was asked before.
// Record, CHAIN_TIGHT_BYTES: shift of the centre (3) in the node's volume, half extents (3), radius, f64; at 56 whether it is
//   tight, at 60 where the f32 copy of the node's numbers begins, u32. Of a link: no shift, half extents of what is rounded,
//   and the radius by which it is.
//   The radius is that of a ball about the tight centre that holds the content and the children's tight centres, whose
//   distance is the lever in the error bounds of chain.ts.
// Source: Lotan, Schwarzer, Halperin, Latombe 2002, section 6.1, ACM Symposium on Computational Geometry; the laziness and
//   the slack are ours.
// Cost: O(N) at worst per box; 0.5 to 4 us as a rule. Rounding: extents grow by 1e-14 of their size.
// Tests: test/contract/chain.test.ts, chain-checked.test.ts (the checked build); src/chain/validate-chain-tree.ts.
import {
  CHAIN_BOX_BYTES,
  CHAIN_BOXES_OFFSET,
  CHAIN_HEIGHT,
  CHAIN_LINK_COUNT,
  CHAIN_PAIR_BYTES,
  CHAIN_PAIRS,
  CHAIN_TIGHT_BYTES,
  CHAIN_TIGHT_OFFSET,
} from '../../src/kernel/layout';
import { countOf, HALF, OUTWARD, RADIUS, ROUNDING, startOf } from './chain-block';
import { readF64, readU32, writeF32, writeF64, writeU32 } from '../memory';

// Of a record.
const TIGHT_HALF: usize = 24;
const TIGHT_RADIUS: usize = 48;
const IS_TIGHT: usize = 56;
const COPY: usize = 60;
/** A face may stay this share of the half extent away from the links: 1 % more box tests for half the time. */
const SLACK: f64 = 0.05;
/** Boxes around two links are tight as they are. */
const LOWEST: u32 = 2;

let boxes: usize = 0;
let tights: usize = 0;
let pairs: usize = 0;
let linkCount: u32 = 0;
let height: u32 = 0;
/** Boxes tightened since openTight. */
export let tightenings: u32 = 0;
/** Of the direction looked along: the farthest point of a link, the farthest bound of what was not opened, the slack. */
let farthest: f64 = 0;
let bound: f64 = 0;
let slack: f64 = 0;

/** Whether the tree of a block has tight boxes. */
export function openTight(block: usize): bool {
  tightenings = 0;
  const offset = readU32(block, CHAIN_TIGHT_OFFSET);
  if (offset == 0) return false;
  tights = block + offset;
  boxes = block + readU32(block, CHAIN_BOXES_OFFSET);
  pairs = block + CHAIN_PAIRS;
  linkCount = readU32(block, CHAIN_LINK_COUNT);
  height = readU32(block, CHAIN_HEIGHT);
  return true;
}

@inline
export function tightOf(node: u32): usize {
  return tights + <usize>node * CHAIN_TIGHT_BYTES;
}

/** The node's record becomes that of its plain box. */
export function resetTight(node: u32): void {
  const record = tightOf(node);
  const box = boxes + <usize>node * CHAIN_BOX_BYTES + HALF;
  for (let i: usize = 0; i < TIGHT_HALF; i += 8) {
    writeF64(record + i, 0, 0);
    writeF64(record + i, TIGHT_HALF, readF64(box + i));
  }
  writeF64(record, TIGHT_RADIUS, readF64(box, 24));
  writeU32(record, IS_TIGHT, 0);
}

/** Where a child's tight centre lies in its parent's tight volume, to the copy; how far from its centre. */
function place(node: u32, parent: u32, copy: usize): f64 {
  const box = boxes + <usize>node * CHAIN_BOX_BYTES;
  const own = tightOf(node);
  const outer = tightOf(parent);
  const sx = readF64(own);
  const sy = readF64(own, 8);
  const sz = readF64(own, 16);
  const x = readF64(box, 72) + readF64(box) * sx + readF64(box, 8) * sy + readF64(box, 16) * sz - readF64(outer);
  const y =
    readF64(box, 80) + readF64(box, 24) * sx + readF64(box, 32) * sy + readF64(box, 40) * sz - readF64(outer, 8);
  const z =
    readF64(box, 88) + readF64(box, 48) * sx + readF64(box, 56) * sy + readF64(box, 64) * sz - readF64(outer, 16);
  writeF32(copy, 72, <f32>x);
  writeF32(copy, 80, <f32>y);
  writeF32(copy, 88, <f32>z);
  return sqrt(x * x + y * y + z * z);
}

/** The f32 copies of a node's extents, at `copy`, and of its children's places in it. */
export function roundTight(node: u32, left: u32, copy: u32, hasRight: bool): void {
  const poses = pairs + <usize>(node - linkCount) * CHAIN_PAIR_BYTES;
  let reach = place(left, node, poses);
  if (hasRight) reach = max(reach, place(left + 1, node, poses + 4));
  // What is tightened later, and what an undo brings back, is measured anew here.
  const record = tightOf(node);
  const extents = pairs + copy + HALF;
  for (let i: usize = 0; i < 3; i++)
    writeF32(extents + (i << 3), 0, <f32>(readF64(record + (i << 3), TIGHT_HALF) * OUTWARD));
  const radius = max(readF64(record, TIGHT_RADIUS), reach * (1 + ROUNDING));
  writeF64(record, TIGHT_RADIUS, radius);
  writeF32(extents, 24, <f32>(radius * OUTWARD));
  writeU32(record, COPY, copy);
}

/** Before a test of node (level, index). */
export function needTight(level: u32, index: u32): void {
  if (level >= LOWEST && readU32(tightOf(startOf(level) + index), IS_TIGHT) == 0) tighten(level, index);
}

/** From the centre of a node's plain volume along x, y, z to the farthest point of a link, or at most the slack beyond. */
function reachAlong(level: u32, index: u32, x: f64, y: f64, z: f64): f64 {
  farthest = -Infinity;
  bound = -Infinity;
  visit(level, index, x, y, z, 0);
  return max(farthest, bound);
}

/** Looks at the children of a node; the direction is in its volume, `centre` how far along it the node's centre lies. */
function visit(level: u32, index: u32, x: f64, y: f64, z: f64, centre: f64): void {
  const below = level - 1;
  const first = index << 1;
  const left = startOf(below) + first;
  const hasRight = first + 1 < countOf(below);
  let box = boxes + <usize>left * CHAIN_BOX_BYTES;
  let record = tightOf(left);
  const lx = x * readF64(box) + y * readF64(box, 24) + z * readF64(box, 48);
  const ly = x * readF64(box, 8) + y * readF64(box, 32) + z * readF64(box, 56);
  const lz = x * readF64(box, 16) + y * readF64(box, 40) + z * readF64(box, 64);
  const lc = centre + x * readF64(box, 72) + y * readF64(box, 80) + z * readF64(box, 88);
  const leftReach = lc + reachOf(record, lx, ly, lz) + (below == 0 ? readF64(record, TIGHT_RADIUS) : 0);
  if (!hasRight) {
    enter(below, first, lx, ly, lz, lc, leftReach);
    return;
  }
  box += CHAIN_BOX_BYTES;
  record += CHAIN_TIGHT_BYTES;
  const rx = x * readF64(box) + y * readF64(box, 24) + z * readF64(box, 48);
  const ry = x * readF64(box, 8) + y * readF64(box, 32) + z * readF64(box, 56);
  const rz = x * readF64(box, 16) + y * readF64(box, 40) + z * readF64(box, 64);
  const rc = centre + x * readF64(box, 72) + y * readF64(box, 80) + z * readF64(box, 88);
  const rightReach = rc + reachOf(record, rx, ry, rz) + (below == 0 ? readF64(record, TIGHT_RADIUS) : 0);
  if (leftReach >= rightReach) {
    enter(below, first, lx, ly, lz, lc, leftReach);
    enter(below, first + 1, rx, ry, rz, rc, rightReach);
  } else {
    enter(below, first + 1, rx, ry, rz, rc, rightReach);
    enter(below, first, lx, ly, lz, lc, leftReach);
  }
}

@inline
function enter(level: u32, index: u32, x: f64, y: f64, z: f64, centre: f64, reach: f64): void {
  if (level == 0) farthest = max(farthest, reach);
  else if (reach > farthest + slack) visit(level, index, x, y, z, centre);
  else bound = max(bound, reach);
}

/** How far a volume reaches beyond the centre of its plain box. */
@inline
function reachOf(record: usize, x: f64, y: f64, z: f64): f64 {
  return (
    x * readF64(record) +
    y * readF64(record, 8) +
    z * readF64(record, 16) +
    abs(x) * readF64(record, TIGHT_HALF) +
    abs(y) * readF64(record, TIGHT_HALF + 8) +
    abs(z) * readF64(record, TIGHT_HALF + 16)
  );
}

/** Six directions; the record, the copies of the node, and its place in its parent's. */
function tighten(level: u32, index: u32): void {
  tightenings++;
  const node = startOf(level) + index;
  const record = tightOf(node);
  const plain = boxes + <usize>node * CHAIN_BOX_BYTES + HALF;
  slack = SLACK * readF64(plain);
  const upperX = reachAlong(level, index, 1, 0, 0);
  const lowerX = -reachAlong(level, index, -1, 0, 0);
  slack = SLACK * readF64(plain, 8);
  const upperY = reachAlong(level, index, 0, 1, 0);
  const lowerY = -reachAlong(level, index, 0, -1, 0);
  slack = SLACK * readF64(plain, 16);
  const upperZ = reachAlong(level, index, 0, 0, 1);
  const lowerZ = -reachAlong(level, index, 0, 0, -1);
  const x = 0.5 * (upperX + lowerX);
  const y = 0.5 * (upperY + lowerY);
  const z = 0.5 * (upperZ + lowerZ);
  const rounding = ROUNDING * (abs(x) + abs(y) + abs(z) + 2 * readF64(plain, 24));
  const hx = 0.5 * (upperX - lowerX) + rounding;
  const hy = 0.5 * (upperY - lowerY) + rounding;
  const hz = 0.5 * (upperZ - lowerZ) + rounding;
  writeF64(record, 0, x);
  writeF64(record, 8, y);
  writeF64(record, 16, z);
  writeF64(record, TIGHT_HALF, hx);
  writeF64(record, TIGHT_HALF + 8, hy);
  writeF64(record, TIGHT_HALF + 16, hz);
  const diagonal = sqrt(hx * hx + hy * hy + hz * hz);
  // The ball around the children's balls may be the smaller one.
  const left = startOf(level - 1) + (index << 1);
  const hasRight = (index << 1) + 1 < countOf(level - 1);
  const poses = pairs + <usize>(node - linkCount) * CHAIN_PAIR_BYTES;
  let around = place(left, node, poses) + readF64(tightOf(left), TIGHT_RADIUS);
  if (hasRight) around = max(around, place(left + 1, node, poses + 4) + readF64(tightOf(left + 1), TIGHT_RADIUS));
  writeF64(record, TIGHT_RADIUS, min(diagonal, around) * (1 + ROUNDING));
  writeU32(record, IS_TIGHT, 1);
  const copy = readU32(record, COPY);
  roundTight(node, left, copy, hasRight);
  if (level == height) return;
  const parent = startOf(level + 1) + (index >> 1);
  const off = place(node, parent, pairs + copy) * (1 + ROUNDING);
  const above = tightOf(parent);
  if (off <= readF64(above, TIGHT_RADIUS)) return;
  writeF64(above, TIGHT_RADIUS, off);
  writeF32(pairs + readU32(above, COPY), RADIUS, <f32>(off * OUTWARD));
}

// Energy of a moving chain of atoms by partial sums over pairs of nodes of a balanced tree.
//
// Leaves are runs of some dozens of atoms; every pair of nodes of one level that is within the cutoff has a record with its
// two sums and the group of the four records of its children's pairs. A change is a set of leaves whose atoms moved within
// their own frame, and of leaves whose shortcut (the pose of the next leaf) changed.
// Method: 1. shortcuts and spheres above the changes are renewed, level by level. 2. From the pair (root, root) down, a pair
// with no change inside or between keeps its sums; so does everything below it. 3. Pairs farther apart than the cutoff count
// as zero and give up what is below; a pair that comes within it starts with zeros below, which is what its unchanged parts
// have. 4. Two leaves are computed atom by atom; sums add up in fixed order on the way back.
// Where a node is split into its halves, poses are taken relative to the first link of the second half: what lies before it
// is placed by the shortcuts up to there, what lies behind by those from there on. So a pair's sums depend on the joints
// between its atoms alone, bit by bit, and a conformation has one energy, whatever steps led there.
// Volumes: spheres of nodes, four pairs of children tested at once, then the boxes of a pair of leaves. Atoms are placed in
// f32 where their leaf is looked at, in f64 where a pair of theirs is listed.
// Undo puts back what the last update replaced.
// Source: Lotan, Schwarzer, Halperin, Latombe 2004, "Algorithm and data structures for efficient energy maintenance during
//   Monte Carlo simulation of proteins", sections 4 and 5, doi:10.1089/cmb.2004.11.902.
// Block and pool: kernel/layout.ts, ENERGY_... Tests: src/molecule/energy/energy-tree.test.ts, on the checked build too.
import {
  ENERGY_BEHIND,
  ENERGY_BYTES,
  ENERGY_CENTRES,
  ENERGY_CONSTANTS,
  ENERGY_COUNTS,
  ENERGY_EPOCH,
  ENERGY_EXACT_STAMPS,
  ENERGY_FLOATS,
  ENERGY_FLOAT_BYTES,
  ENERGY_FRAMES,
  ENERGY_IDENTITY,
  ENERGY_LIST,
  ENERGY_NEAR,
  ENERGY_POOL,
  ENERGY_POOL_BYTES,
  ENERGY_POSES,
  ENERGY_RECORDS,
  ENERGY_RESULT,
  ENERGY_SPECIALS,
  ENERGY_SPECIAL_STARTS,
  ENERGY_STAMPS,
} from '../../src/kernel/layout';
import {
  areBoxesApart,
  boxOf,
  firstSlotOf,
  openLeaves,
  OUTWARD,
  partOf,
  placeExactly,
  placeLeaf,
  slotCountOf,
} from './energy-leaves';
import {
  countOf,
  heightOf,
  isLeafChanged,
  isShortcutChanged,
  lastLeaf,
  openNodes,
  renewLeaves,
  renewNodes,
  restoreNodes,
  shortcutOf,
  sphereOf,
  startOf,
} from './energy-nodes';
import {
  addListed,
  addPairs,
  clearSums,
  electrostaticSum,
  lennardJonesSum,
  listBetween,
  listedCount,
  openPairs,
  RECORD_BYTES,
  takeOut,
} from './energy-pairs';
import {
  belowOf,
  clearRecord,
  commitRecords,
  isPoolExhausted,
  openPool,
  restoreRecords,
  setRecord,
  sumGroup,
  takeGroup,
  touchedOf,
} from './energy-pool';
import { multiply, multiplyInverse } from './energy-transforms';
import { closeWork, openWork, readF64, readU32, readV128, writeF32, writeF64, writeU32 } from '../memory';

let block: usize = 0;
let pool: usize = 0;
let near: usize = 0;
let records: usize = 0;
let nothing: u32 = 0;
let poses: usize = 0;
let stamps: usize = 0;
let exactStamps: usize = 0;
let centres: usize = 0;
let frames: usize = 0;
let behind: usize = 0;
let specialStarts: usize = 0;
let specials: usize = 0;
/** The cutoff, enough farther that rounding of centres cannot get below it. */
let reach: v128 = f32x4.splat(0);
let epoch: u32 = 0;
let leafPairs: u32 = 0;
let atomPairs: u32 = 0;
let computedPairs: u32 = 0;

function open(theBlock: usize, leaves: u32, joints: u32): void {
  block = theBlock;
  pool = <usize>load<u32>(block, ENERGY_POOL);
  openWork(block, load<u32>(block, ENERGY_BYTES), pool, load<u32>(block, ENERGY_POOL_BYTES));
  openPool(block, pool);
  openLeaves(block);
  openNodes(block, leaves, joints);
  near = partOf(block, ENERGY_NEAR);
  records = partOf(block, ENERGY_RECORDS);
  poses = partOf(block, ENERGY_POSES);
  stamps = partOf(block, ENERGY_STAMPS);
  exactStamps = partOf(block, ENERGY_EXACT_STAMPS);
  centres = partOf(block, ENERGY_CENTRES);
  frames = partOf(block, ENERGY_FRAMES);
  behind = partOf(block, ENERGY_BEHIND);
  specialStarts = partOf(block, ENERGY_SPECIAL_STARTS);
  specials = partOf(block, ENERGY_SPECIALS);
  nothing = firstSlotOf(countOf(0));
  reach = f32x4.splat(<f32>(Math.sqrt(readF64(block, ENERGY_CONSTANTS + 24)) * OUTWARD));
  epoch = readU32(block, ENERGY_EPOCH);
}

/**
 * Follows a change: `leaves` and `joints` ascending numbers are in the block. 0: the sums are at ENERGY_RESULT; 1: the pool
 * is too small, nothing has changed but what the caller wrote.
 */
export function updateEnergy(theBlock: usize, leaves: u32, joints: u32): u32 {
  open(theBlock, leaves, joints);
  commitRecords();
  leafPairs = 0;
  atomPairs = 0;
  computedPairs = 0;
  const floatBytes = readU32(block, ENERGY_FLOAT_BYTES);
  openPairs(block + ENERGY_CONSTANTS, partOf(block, ENERGY_FLOATS), floatBytes, partOf(block, ENERGY_LIST));
  renewNodes();
  visitSelf(heightOf(), 0, 0);
  writeU32(block, ENERGY_EPOCH, epoch);
  const failed = isPoolExhausted();
  if (failed) {
    restoreRecords();
    restoreNodes();
  }
  writeResult();
  closeWork();
  return failed ? 1 : 0;
}

/** Takes back the last update; the caller has put back what it wrote, `leaves` of it into leaves. */
export function undoEnergy(theBlock: usize, leaves: u32): void {
  open(theBlock, leaves, 0);
  restoreRecords();
  restoreNodes();
  renewLeaves();
  writeResult();
  closeWork();
}

function writeResult(): void {
  writeF64(block, ENERGY_RESULT, readF64(pool));
  writeF64(block, ENERGY_RESULT + 8, readF64(pool, 8));
  writeU32(block, ENERGY_COUNTS, leafPairs);
  writeU32(block, ENERGY_COUNTS + 4, atomPairs);
  writeU32(block, ENERGY_COUNTS + 8, computedPairs);
}

// Where nodes are.

function nextEpoch(): void {
  epoch++;
  if (epoch != 0) return;
  const leaves = countOf(0);
  const nodes = startOf(heightOf()) + 1;
  for (let node: u32 = 0; node < nodes; node++) writeU32(stamps + ((<usize>node) << 2), 0, 0);
  for (let leaf: u32 = 0; leaf < leaves; leaf++) writeU32(exactStamps + ((<usize>leaf) << 2), 0, 0);
  epoch = 1;
}

@inline
function poseOf(node: u32): usize {
  return poses + 96 * <usize>node;
}

@inline
function setFrame(node: u32, pose: usize): void {
  writeU32(frames + ((<usize>node) << 2), 0, <u32>(pose - block));
}

@inline
function frameOf(node: u32): usize {
  return block + <usize>readU32(frames + ((<usize>node) << 2));
}

@inline
function setBehind(node: u32, pose: usize): void {
  writeU32(behind + ((<usize>node) << 2), 0, <u32>(pose - block));
}

@inline
function behindOf(node: u32): usize {
  return block + <usize>readU32(behind + ((<usize>node) << 2));
}

@inline
function isStamped(list: usize, node: u32): bool {
  return readU32(list + ((<usize>node) << 2)) == epoch;
}

@inline
function stamp(list: usize, node: u32): void {
  writeU32(list + ((<usize>node) << 2), 0, epoch);
}

/**
 * Places a node's children: the poses of their first links in the middle and where their spheres are. What lies before the
 * middle is placed from behind, by the pose of the link behind the node.
 */
function openNode(level: u32, index: u32, isFirstHalf: bool): void {
  const node = startOf(level) + index;
  stamp(stamps, node);
  const left = startOf(level - 1) + (index << 1);
  const hasRight = (index << 1) + 1 < countOf(level - 1);
  const pose = frameOf(node);
  const middle = poseOf(left + 1);
  setFrame(left, pose);
  placeSphere(left, pose);
  // A node of the first half has another behind it, so both its children exist.
  if (!hasRight) return;
  if (isFirstHalf) {
    const end = behindOf(node);
    multiplyInverse(middle, end, shortcutOf(left + 1));
    setBehind(left, middle);
    setBehind(left + 1, end);
  } else multiply(middle, pose, shortcutOf(left));
  setFrame(left + 1, middle);
  placeSphere(left + 1, middle);
}

function placeSphere(node: u32, pose: usize): void {
  const sphere = sphereOf(node);
  const out = centres + 16 * <usize>node;
  const x = readF64(sphere);
  const y = readF64(sphere, 8);
  const z = readF64(sphere, 16);
  for (let r: usize = 0; r < 3; r++) {
    const row = pose + 24 * r;
    const value = readF64(row) * x + readF64(row, 8) * y + readF64(row, 16) * z + readF64(pose + 8 * r, 72);
    writeF32(out + 4 * r, 0, <f32>value);
  }
  writeF32(out, 12, <f32>readF64(sphere, 24));
}

// The walk.

/** Pairs inside a node. */
function visitSelf(level: u32, index: u32, record: u32): void {
  const first = index << level;
  const last = lastLeaf(level, index);
  const isMoved = isLeafChanged(first, last) || (last > first && isShortcutChanged(first, last - 1));
  if (!isMoved || isPoolExhausted()) return;
  if (level == 0) {
    nextEpoch();
    setFrame(index, block + ENERGY_IDENTITY);
    placeAtoms(index);
    addLeaves(index, index, record);
    return;
  }
  let group = readU32(belowOf(record));
  if (group == 0) {
    group = takeGroup();
    if (group == 0) return;
  }
  const below = level - 1;
  const left = index << 1;
  visitSelf(below, left, group << 2);
  if (left + 1 < countOf(below)) {
    visitHalves(below, left, (group << 2) + 1);
    visitSelf(below, left + 1, (group << 2) + 2);
  }
  sumGroup(record, group);
}

/** Pairs between the halves of a node, placed relative to the first link of the second one. */
function visitHalves(level: u32, left: u32, record: u32): void {
  nextEpoch();
  const a = startOf(level) + left;
  const middle = block + ENERGY_IDENTITY;
  multiplyInverse(poseOf(a), middle, shortcutOf(a));
  setFrame(a, poseOf(a));
  setBehind(a, middle);
  setFrame(a + 1, middle);
  if (level == 0) visitLeaves(left, left + 1, record);
  else visitNear(level, left, left + 1, record, false);
}

function placeAtoms(leaf: u32): void {
  stamp(stamps, leaf);
  placeLeaf(leaf, frameOf(leaf));
}

function placeAtomsExactly(leaf: u32): void {
  if (isStamped(exactStamps, leaf)) return;
  stamp(exactStamps, leaf);
  placeExactly(leaf, frameOf(leaf));
}

/** Pairs of atoms of two leaves a < b whose spheres are not apart. */
function visitLeaves(a: u32, b: u32, record: u32): void {
  if (!isStamped(stamps, a)) placeAtoms(a);
  if (!isStamped(stamps, b)) placeAtoms(b);
  if (areBoxesApart(a, b)) clearRecord(record);
  else addLeaves(a, b, record);
}

/** Pairs of atoms of two leaves, or inside one. */
function addLeaves(a: u32, b: u32, record: u32): void {
  const firstA = firstSlotOf(a);
  const firstB = firstSlotOf(b);
  leafPairs++;
  atomPairs += listBetween(firstA, slotCountOf(a), firstB, slotCountOf(b), boxOf(b));
  if (listedCount() == 0) {
    clearRecord(record);
    return;
  }
  const special = findSpecial(a, b);
  clearSums();
  placeAtomsExactly(a);
  placeAtomsExactly(b);
  if (special != 0) {
    const pairs = block + <usize>readU32(special, 4);
    const bonded = readU32(special, 8);
    const close = readU32(special, 12);
    takeOut(pairs, bonded, a == b);
    addPairs(pairs + (((<usize>bonded + 3) >> 2) << 4), close, records, RECORD_BYTES, near, 24);
    computedPairs += close << 1;
  } else if (a == b) takeOut(0, 0, true);
  computedPairs += listedCount();
  addListed(records + <usize>firstA * RECORD_BYTES, records + <usize>firstB * RECORD_BYTES, nothing - firstB);
  setRecord(record, lennardJonesSum(), electrostaticSum(), 0);
}

/** What bonds make special of two leaves a <= b; 0: nothing. */
function findSpecial(a: u32, b: u32): usize {
  const end = specials + ((<usize>readU32(specialStarts + ((<usize>a) << 2), 4)) << 4);
  for (let at = specials + ((<usize>readU32(specialStarts + ((<usize>a) << 2))) << 4); at < end; at += 16) {
    if (readU32(at) == b) return at;
  }
  return 0;
}

/** Pairs between nodes a < b of a level above the leaves that are not apart; their poses are known. `isMoved`: all of them. */
function visitNear(level: u32, a: u32, b: u32, record: u32, isMoved: bool): void {
  if (isPoolExhausted()) return;
  let group = readU32(belowOf(record));
  if (group == 0) {
    group = takeGroup();
    if (group == 0) return;
  }
  if (!isStamped(stamps, startOf(level) + a)) openNode(level, a, true);
  if (!isStamped(stamps, startOf(level) + b)) openNode(level, b, false);
  const under = level - 1;
  const count = countOf(under);
  const firstA = a << 1;
  const firstB = b << 1;
  const centresA = centres + 16 * <usize>(startOf(under) + firstA);
  const centresB = centres + 16 * <usize>(startOf(under) + firstB);
  const a0 = readV128(centresA);
  const a1 = readV128(centresA, 16);
  const b0 = readV128(centresB);
  const b1 = readV128(centresB, 16);
  const dx = f32x4.sub(v128.shuffle<f32>(a0, a1, 0, 0, 4, 4), v128.shuffle<f32>(b0, b1, 0, 4, 0, 4));
  const dy = f32x4.sub(v128.shuffle<f32>(a0, a1, 1, 1, 5, 5), v128.shuffle<f32>(b0, b1, 1, 5, 1, 5));
  const dz = f32x4.sub(v128.shuffle<f32>(a0, a1, 2, 2, 6, 6), v128.shuffle<f32>(b0, b1, 2, 6, 2, 6));
  const radii = f32x4.add(v128.shuffle<f32>(a0, a1, 3, 3, 7, 7), v128.shuffle<f32>(b0, b1, 3, 7, 3, 7));
  const far = f32x4.add(radii, reach);
  const squares = f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
  const close = <u32>i32x4.bitmask(f32x4.le(squares, f32x4.mul(far, far)));
  // A change between the two moves everything.
  const isAllMoved = isMoved || isShortcutChanged(lastLeaf(level, a), (b << level) - 1);
  let moved: u32 = firstB + 1 < count ? 15 : 5;
  if (!isAllMoved) {
    for (let i: u32 = 0; i < 4; i++) {
      if ((moved >> i) & 1 && !isPairMoved(under, firstA + (i >> 1), firstB + (i & 1))) moved &= ~(1 << i);
    }
  }
  const touchedAt = touchedOf(group);
  const touched = readU32(touchedAt);
  const first = group << 2;
  // What was within the cutoff once may count still.
  for (let gone = touched & moved & ~close; gone != 0; gone &= gone - 1) clearRecord(first + ctz(gone));
  const wanted = close & moved;
  writeU32(touchedAt, 0, touched | wanted);
  for (let left = wanted; left != 0; left &= left - 1) {
    const i = ctz(left);
    const childA = firstA + (i >> 1);
    const childB = firstB + (i & 1);
    if (under == 0) visitLeaves(childA, childB, first + i);
    else visitNear(under, childA, childB, first + i, isAllMoved);
  }
  sumGroup(record, group);
}

function isPairMoved(level: u32, a: u32, b: u32): bool {
  const firstA = a << level;
  const lastA = lastLeaf(level, a);
  const firstB = b << level;
  const lastB = lastLeaf(level, b);
  return isShortcutChanged(firstA, lastB - 1) || isLeafChanged(firstA, lastA) || isLeafChanged(firstB, lastB);
}

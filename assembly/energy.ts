// Energy of a moving chain of atoms by partial sums over pairs of nodes of a balanced tree.
//
// Leaves are short runs of atoms; every pair of nodes of one level that is within the cutoff has a record with its two sums
// and the group of the records below it: of the four pairs of children, or, two levels above the leaves, of the 16 pairs of
// leaves. A change is a set of leaves whose atoms moved within their own frame, and of leaves whose shortcut (the pose of
// the next leaf) changed.
// Method: 1. shortcuts and spheres above the changes are renewed, level by level. 2. From the pair (root, root) down, a pair
// with no change inside or between keeps its sums; so does everything below it. 3. Pairs farther apart than the cutoff count
// as zero and give up what is below; a pair that comes within it starts with zeros below, which is what its unchanged parts
// have. 4. Two leaves are computed atom by atom; sums add up in fixed order on the way back.
// Where a node is split into its halves, poses are taken relative to the first link of the second half: what lies before it
// is placed by the shortcuts up to there, what lies behind by those from there on. So a pair's sums depend on the joints
// between its atoms alone, bit by bit, and a conformation has one energy, whatever steps led there.
// Volumes: spheres above MATERIAL levels; from there down all atoms of the node are placed, with exact boxes.
// Undo puts back what the last update replaced.
// Source: Lotan, Schwarzer, Halperin, Latombe 2004, "Algorithm and data structures for efficient energy maintenance during
//   Monte Carlo simulation of proteins", sections 4 and 5, doi:10.1089/cmb.2004.11.902.
// Block and pool: kernel/layout.ts, ENERGY_... Tests: src/molecule/energy/energy-tree.test.ts, on the checked build too.
import {
  ENERGY_BOXES,
  ENERGY_BYTES,
  ENERGY_CENTRES,
  ENERGY_CHANGED_LEAVES,
  ENERGY_CHANGED_SHORTCUTS,
  ENERGY_CONSTANTS,
  ENERGY_COUNTS,
  ENERGY_EPOCH,
  ENERGY_FLOAT_BYTES,
  ENERGY_FLOATS,
  ENERGY_HEIGHT,
  ENERGY_LEAF_BOXES,
  ENERGY_LEVEL_COUNTS,
  ENERGY_LEVEL_STARTS,
  ENERGY_LIST,
  ENERGY_NEAR,
  ENERGY_NODE_LOG,
  ENERGY_NODE_LOG_BYTES,
  ENERGY_NODES_LOGGED,
  ENERGY_OWN,
  ENERGY_POOL,
  ENERGY_POOL_BYTES,
  ENERGY_POSES,
  ENERGY_RECORDS,
  ENERGY_RESULT,
  ENERGY_SCRATCH,
  ENERGY_SHORTCUTS,
  ENERGY_SLOT_COUNTS,
  ENERGY_SLOT_STARTS,
  ENERGY_SPECIAL_STARTS,
  ENERGY_SPECIALS,
  ENERGY_SPHERES,
  ENERGY_STAMPS,
  ENERGY_TOUCHED,
} from '../src/kernel/layout';
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
  sumsOf,
  takeGroup,
} from './energy-pool';
import {
  closeWork,
  openWork,
  readF64,
  readLanes,
  readSplat,
  readU32,
  readV128,
  writeF32,
  writeF64,
  writeU32,
  writeV128,
} from './memory';

/** Nodes of this level and below have all their atoms placed at once. */
const MATERIAL: u32 = 3;
/** Pairs of nodes of this level have one group for all pairs of leaves below. */
const BLOCK: u32 = 2;
const OUTWARD: f64 = 1 + 1e-12;

let block: usize = 0;
let pool: usize = 0;
let own: usize = 0;
let near: usize = 0;
let records: usize = 0;
let floats: usize = 0;
let floatBytes: usize = 0;
let nothing: u32 = 0;
let slotStarts: usize = 0;
let slotCounts: usize = 0;
let shortcuts: usize = 0;
let spheres: usize = 0;
let poses: usize = 0;
let stamps: usize = 0;
let centres: usize = 0;
let boxes: usize = 0;
let leafBoxes: usize = 0;
let specialStarts: usize = 0;
let specials: usize = 0;
let changedLeaves: usize = 0;
let changedShortcuts: usize = 0;
let changedLeafCount: u32 = 0;
let changedShortcutCount: u32 = 0;
let cutoff: f64 = 0;
let boxLimit: f32 = 0;
let epoch: u32 = 0;
let leafPairs: u32 = 0;
let atomPairs: u32 = 0;
let computedPairs: u32 = 0;

@inline
function at(offset: usize): usize {
  return block + <usize>readU32(block + offset);
}

function open(theBlock: usize): void {
  block = theBlock;
  pool = <usize>load<u32>(block, ENERGY_POOL);
  openWork(block, load<u32>(block, ENERGY_BYTES), pool, load<u32>(block, ENERGY_POOL_BYTES));
  openPool(block, pool);
  own = at(ENERGY_OWN);
  near = at(ENERGY_NEAR);
  records = at(ENERGY_RECORDS);
  floats = at(ENERGY_FLOATS);
  floatBytes = readU32(block, ENERGY_FLOAT_BYTES);
  slotStarts = at(ENERGY_SLOT_STARTS);
  slotCounts = at(ENERGY_SLOT_COUNTS);
  shortcuts = at(ENERGY_SHORTCUTS);
  spheres = at(ENERGY_SPHERES);
  poses = at(ENERGY_POSES);
  stamps = at(ENERGY_STAMPS);
  centres = at(ENERGY_CENTRES);
  boxes = at(ENERGY_BOXES);
  leafBoxes = at(ENERGY_LEAF_BOXES);
  specialStarts = at(ENERGY_SPECIAL_STARTS);
  specials = at(ENERGY_SPECIALS);
  changedLeaves = at(ENERGY_CHANGED_LEAVES);
  changedShortcuts = at(ENERGY_CHANGED_SHORTCUTS);
  nothing = readU32(slotStarts + (<usize>countOf(0) << 2));
  cutoff = Math.sqrt(readF64(block, ENERGY_CONSTANTS));
  boxLimit = <f32>readF64(block, ENERGY_CONSTANTS + 24);
  epoch = readU32(block, ENERGY_EPOCH);
}

@inline
function startOf(level: u32): u32 {
  return readU32(block + ENERGY_LEVEL_STARTS + (level << 2));
}

@inline
function countOf(level: u32): u32 {
  return readU32(block + ENERGY_LEVEL_COUNTS + (level << 2));
}

/**
 * Follows a change: `leaves` and `joints` ascending numbers are in the block. 0: the sums are at ENERGY_RESULT; 1: the pool
 * is too small, nothing has changed but what the caller wrote.
 */
export function updateEnergy(theBlock: usize, leaves: u32, joints: u32): u32 {
  open(theBlock);
  commitRecords();
  writeU32(block, ENERGY_NODES_LOGGED, 0);
  changedLeafCount = leaves;
  changedShortcutCount = joints;
  leafPairs = 0;
  atomPairs = 0;
  computedPairs = 0;
  openPairs(block + ENERGY_CONSTANTS, floats, floatBytes, at(ENERGY_LIST));
  renewNodes();
  visitSelf(readU32(block, ENERGY_HEIGHT), 0, 0);
  writeU32(block, ENERGY_EPOCH, epoch);
  const failed = isPoolExhausted();
  if (failed) restore();
  writeResult();
  closeWork();
  return failed ? 1 : 0;
}

/** Takes back the last update but for what the caller wrote. */
export function undoEnergy(theBlock: usize): void {
  open(theBlock);
  restore();
  writeResult();
  closeWork();
}

function restore(): void {
  restoreRecords();
  const nodes = at(ENERGY_NODE_LOG);
  for (let i = <i32>readU32(block, ENERGY_NODES_LOGGED) - 1; i >= 0; i--) {
    const entry = nodes + <usize>i * ENERGY_NODE_LOG_BYTES;
    const node = <usize>readU32(entry);
    for (let k: usize = 0; k < 96; k += 8) writeF64(shortcuts + 96 * node + k, 0, readF64(entry + 8 + k));
    for (let k: usize = 0; k < 32; k += 8) writeF64(spheres + 32 * node + k, 0, readF64(entry + 104 + k));
  }
  writeU32(block, ENERGY_NODES_LOGGED, 0);
}

function writeResult(): void {
  writeF64(block, ENERGY_RESULT, readF64(pool));
  writeF64(block, ENERGY_RESULT + 8, readF64(pool, 8));
  writeU32(block, ENERGY_COUNTS, leafPairs);
  writeU32(block, ENERGY_COUNTS + 4, atomPairs);
  writeU32(block, ENERGY_COUNTS + 8, computedPairs);
}

// Changes.

/** Whether an ascending list holds a number from `low` to `high`. */
function holds(list: usize, count: u32, low: u32, high: u32): bool {
  let first: u32 = 0;
  let last = count;
  while (first < last) {
    const middle = (first + last) >> 1;
    if (readU32(list + (<usize>middle << 2)) < low) first = middle + 1;
    else last = middle;
  }
  return first < count && readU32(list + (<usize>first << 2)) <= high;
}

@inline
function lastLeaf(level: u32, index: u32): u32 {
  const end = (index + 1) << level;
  const leaves = countOf(0);
  return (end < leaves ? end : leaves) - 1;
}

// Transforms of 12 f64: R row by row, then p.

@inline
function pairOf(a: usize, b: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(readF64(a)), 1, readF64(b));
}

function multiply(out: usize, a: usize, b: usize): void {
  const first = readLanes(b);
  const second = readLanes(b, 24);
  const third = readLanes(b, 48);
  // The last column of R beside p.
  const firstEnd = pairOf(b + 16, b + 72);
  const secondEnd = pairOf(b + 40, b + 80);
  const thirdEnd = pairOf(b + 64, b + 88);
  for (let r: usize = 0; r < 3; r++) {
    const a0 = f64x2.splat(readF64(a + 24 * r));
    const a1 = f64x2.splat(readF64(a + 24 * r, 8));
    const a2 = f64x2.splat(readF64(a + 24 * r, 16));
    const row = f64x2.add(f64x2.add(f64x2.mul(a0, first), f64x2.mul(a1, second)), f64x2.mul(a2, third));
    const end = f64x2.add(f64x2.add(f64x2.mul(a0, firstEnd), f64x2.mul(a1, secondEnd)), f64x2.mul(a2, thirdEnd));
    const shift = readF64(a + 8 * r, 72);
    writeV128(out + 24 * r, 0, row);
    writeF64(out + 24 * r, 16, f64x2.extract_lane(end, 0));
    writeF64(out + 8 * r, 72, f64x2.extract_lane(end, 1) + shift);
  }
}

function copy(out: usize, a: usize): void {
  for (let k: usize = 0; k < 96; k += 8) writeF64(out + k, 0, readF64(a + k));
}

function setIdentity(out: usize): void {
  for (let k: usize = 0; k < 12; k++) writeF64(out + 8 * k, 0, k == 0 || k == 4 || k == 8 ? 1 : 0);
}

/** Saves a node's shortcut and sphere. */
function logNode(node: u32): void {
  const count = readU32(block, ENERGY_NODES_LOGGED);
  const entry = at(ENERGY_NODE_LOG) + <usize>count * ENERGY_NODE_LOG_BYTES;
  writeU32(entry, 0, node);
  for (let k: usize = 0; k < 96; k += 8) writeF64(entry + 8 + k, 0, readF64(shortcuts + 96 * <usize>node + k));
  for (let k: usize = 0; k < 32; k += 8) writeF64(entry + 104 + k, 0, readF64(spheres + 32 * <usize>node + k));
  writeU32(block, ENERGY_NODES_LOGGED, count + 1);
}

/** Spheres of changed leaves; then, level by level, shortcuts and spheres of the nodes above any change. */
function renewNodes(): void {
  const touched = at(ENERGY_TOUCHED);
  let count: u32 = 0;
  let i: u32 = 0;
  let j: u32 = 0;
  while (i < changedLeafCount || j < changedShortcutCount) {
    const a = i < changedLeafCount ? readU32(changedLeaves + (<usize>i << 2)) : u32.MAX_VALUE;
    const b = j < changedShortcutCount ? readU32(changedShortcuts + (<usize>j << 2)) : u32.MAX_VALUE;
    const leaf = a < b ? a : b;
    if (a == leaf) {
      i++;
      logNode(leaf);
      fitLeaf(leaf);
    }
    if (b == leaf) j++;
    writeU32(touched + (<usize>count << 2), 0, leaf);
    count++;
  }
  const height = readU32(block, ENERGY_HEIGHT);
  for (let level: u32 = 1; level <= height; level++) {
    let size: u32 = 0;
    let previous: u32 = u32.MAX_VALUE;
    for (let k: u32 = 0; k < count; k++) {
      const index = readU32(touched + (<usize>k << 2)) >> 1;
      if (index == previous) continue;
      previous = index;
      renewNode(level, index);
      writeU32(touched + (<usize>size << 2), 0, index);
      size++;
    }
    count = size;
  }
}

function renewNode(level: u32, index: u32): void {
  const node = startOf(level) + index;
  const left = startOf(level - 1) + (index << 1);
  logNode(node);
  const own = shortcuts + 96 * <usize>node;
  const first = shortcuts + 96 * <usize>left;
  const out = spheres + 32 * <usize>node;
  const a = spheres + 32 * <usize>left;
  if ((index << 1) + 1 >= countOf(level - 1)) {
    for (let k: usize = 0; k < 32; k += 8) writeF64(out + k, 0, readF64(a + k));
    return;
  }
  if (index + 1 < countOf(level)) multiply(own, first, first + 96);
  const b = a + 32;
  const bx = readF64(b);
  const by = readF64(b, 8);
  const bz = readF64(b, 16);
  const ax = readF64(a);
  const ay = readF64(a, 8);
  const az = readF64(a, 16);
  const dx = readF64(first) * bx + readF64(first, 8) * by + readF64(first, 16) * bz + readF64(first, 72) - ax;
  const dy = readF64(first, 24) * bx + readF64(first, 32) * by + readF64(first, 40) * bz + readF64(first, 80) - ay;
  const dz = readF64(first, 48) * bx + readF64(first, 56) * by + readF64(first, 64) * bz + readF64(first, 88) - az;
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const ra = readF64(a, 24);
  const rb = readF64(b, 24);
  let part: f64 = 0;
  let radius = ra;
  if (distance + ra <= rb) {
    part = 1;
    radius = rb;
  } else if (distance + rb > ra) {
    radius = 0.5 * (distance + ra + rb);
    part = (radius - ra) / distance;
  }
  writeF64(out, 0, ax + part * dx);
  writeF64(out, 8, ay + part * dy);
  writeF64(out, 16, az + part * dz);
  writeF64(out, 24, radius * OUTWARD);
}

/** A sphere about the middle of the leaf's box, in its own frame. */
function fitLeaf(leaf: u32): void {
  const first = own + <usize>readU32(slotStarts + (<usize>leaf << 2)) * 24;
  const end = first + <usize>readU32(slotCounts + (<usize>leaf << 2)) * 24;
  const out = spheres + 32 * <usize>leaf;
  for (let k: usize = 0; k < 24; k += 8) {
    let low = Infinity;
    let high = -Infinity;
    for (let slot = first; slot < end; slot += 24) {
      const value = readF64(slot + k);
      low = min(low, value);
      high = max(high, value);
    }
    writeF64(out + k, 0, 0.5 * (low + high));
  }
  const x = readF64(out);
  const y = readF64(out, 8);
  const z = readF64(out, 16);
  let radius2: f64 = 0;
  for (let slot = first; slot < end; slot += 24) {
    const dx = readF64(slot) - x;
    const dy = readF64(slot, 8) - y;
    const dz = readF64(slot, 16) - z;
    radius2 = max(radius2, dx * dx + dy * dy + dz * dz);
  }
  writeF64(out, 24, Math.sqrt(radius2) * OUTWARD);
}

// The walk.

/** Pairs inside a node. */
function visitSelf(level: u32, index: u32, record: u32): void {
  const first = index << level;
  const last = lastLeaf(level, index);
  const isMoved =
    holds(changedLeaves, changedLeafCount, first, last) ||
    (last > first && holds(changedShortcuts, changedShortcutCount, first, last - 1));
  if (!isMoved || isPoolExhausted()) return;
  if (level == 0) {
    clearSums();
    addSpecial(index, index, true);
    leafPairs++;
    setRecord(record, lennardJonesSum(), electrostaticSum(), 0);
    return;
  }
  let group = readU32(belowOf(record));
  if (group == 0) {
    group = takeGroup();
    if (group == 0) return;
  }
  const below = level - 1;
  const left = index << 1;
  visitSelf(below, left, group << 4);
  if (left + 1 < countOf(below)) {
    visitHalves(below, left, (group << 4) + 1);
    visitSelf(below, left + 1, (group << 4) + 2);
  }
  sumGroup(record, group, 4);
}

/** Pairs between the halves of a node, placed relative to the first link of the second one. */
function visitHalves(level: u32, left: u32, record: u32): void {
  epoch++;
  if (epoch == 0) {
    const count = startOf(readU32(block, ENERGY_HEIGHT)) + 1;
    for (let node: u32 = 0; node < count; node++) writeU32(stamps + (<usize>node << 2), 0, 0);
    epoch = 1;
  }
  const a = startOf(level) + left;
  setIdentity(poses + 96 * <usize>a);
  setIdentity(poses + 96 * <usize>(a + 1));
  place(level, left, true);
  place(level, left + 1, false);
  visitPair(level, left, left + 1, record, false);
}

/**
 * The pose of a node is known: for the first half, of the middle in the link behind the node; for the second, of the
 * node's first link in the middle. Finds where the node's sphere is, or places all its atoms.
 */
function place(level: u32, index: u32, isFirstHalf: bool): void {
  const node = startOf(level) + index;
  writeU32(stamps + (<usize>node << 2), 0, epoch);
  if (level <= MATERIAL) {
    placeAtoms(level, index, isFirstHalf);
    return;
  }
  const sphere = spheres + 32 * <usize>node;
  const out = centres + 32 * <usize>node;
  const pose = poses + 96 * <usize>node;
  const x = readF64(sphere);
  const y = readF64(sphere, 8);
  const z = readF64(sphere, 16);
  if (!isFirstHalf) {
    for (let r: usize = 0; r < 3; r++) {
      const row = pose + 24 * r;
      writeF64(
        out + 8 * r,
        0,
        readF64(row) * x + readF64(row, 8) * y + readF64(row, 16) * z + readF64(pose + 8 * r, 72),
      );
    }
    return;
  }
  // Through the link behind the node: with S the shortcut and T the pose, R_T^T (R_S^T (c - p_S) - p_T).
  const shortcut = shortcuts + 96 * <usize>node;
  const dx = x - readF64(shortcut, 72);
  const dy = y - readF64(shortcut, 80);
  const dz = z - readF64(shortcut, 88);
  const ex = readF64(shortcut) * dx + readF64(shortcut, 24) * dy + readF64(shortcut, 48) * dz - readF64(pose, 72);
  const ey = readF64(shortcut, 8) * dx + readF64(shortcut, 32) * dy + readF64(shortcut, 56) * dz - readF64(pose, 80);
  const ez = readF64(shortcut, 16) * dx + readF64(shortcut, 40) * dy + readF64(shortcut, 64) * dz - readF64(pose, 88);
  for (let r: usize = 0; r < 3; r++) {
    const column = pose + 8 * r;
    writeF64(out + 8 * r, 0, readF64(column) * ex + readF64(column, 24) * ey + readF64(column, 48) * ez);
  }
}

/** Poses of a node's children from its own. */
function passDown(level: u32, index: u32, isFirstHalf: bool): void {
  const pose = poses + 96 * <usize>(startOf(level) + index);
  const left = startOf(level - 1) + (index << 1);
  const first = poses + 96 * <usize>left;
  const hasRight = (index << 1) + 1 < countOf(level - 1);
  if (isFirstHalf) {
    // A node of a first half has another behind it, so both its children exist.
    copy(first + 96, pose);
    multiply(first, shortcuts + 96 * <usize>(left + 1), pose);
  } else {
    copy(first, pose);
    if (hasRight) multiply(first + 96, pose, shortcuts + 96 * <usize>left);
  }
}

function placeAtoms(level: u32, index: u32, isFirstHalf: bool): void {
  const box = boxes + 32 * <usize>(startOf(level) + index);
  if (level == 0) {
    placeLeaf(index, isFirstHalf, box);
    return;
  }
  passDown(level, index, isFirstHalf);
  const below = level - 1;
  const left = index << 1;
  const first = boxes + 32 * <usize>(startOf(below) + left);
  placeAtoms(below, left, isFirstHalf);
  let low = readV128(first);
  let high = readV128(first, 16);
  if (left + 1 < countOf(below)) {
    placeAtoms(below, left + 1, isFirstHalf);
    low = f32x4.pmin(low, readV128(first, 32));
    high = f32x4.pmax(high, readV128(first, 48));
  }
  writeV128(box, 0, low);
  writeV128(box, 16, high);
}

/** Places a leaf's atoms, in f64 and f32; the box is that of the f32 positions. */
function placeLeaf(leaf: u32, isFirstHalf: bool, box: usize): void {
  const firstSlot = <usize>readU32(slotStarts + (<usize>leaf << 2));
  const count = <usize>readU32(slotCounts + (<usize>leaf << 2));
  const X = poses + 96 * <usize>leaf;
  // From the pose of the middle in the leaf's first link to that of the leaf in the middle.
  if (isFirstHalf) invertProduct(X, shortcuts + 96 * <usize>leaf);
  const stride = floatBytes;
  const columnX = pairOf(X, X + 24);
  const columnY = pairOf(X + 8, X + 32);
  const columnZ = pairOf(X + 16, X + 40);
  const shift = pairOf(X + 72, X + 80);
  const rowX = readF64(X, 48);
  const rowY = readF64(X, 56);
  const rowZ = readF64(X, 64);
  const shiftZ = readF64(X, 88);
  let low = f32x4.splat(Infinity);
  let high = f32x4.splat(-Infinity);
  let from = own + 24 * firstSlot;
  let record = records + RECORD_BYTES * firstSlot;
  let float = floats + 4 * firstSlot;
  for (let i: usize = 0; i < count; i++) {
    const x = readF64(from);
    const y = readF64(from, 8);
    const z = readF64(from, 16);
    const xy = f64x2.add(
      f64x2.add(f64x2.mul(columnX, f64x2.splat(x)), f64x2.mul(columnY, f64x2.splat(y))),
      f64x2.add(f64x2.mul(columnZ, f64x2.splat(z)), shift),
    );
    const z0 = rowX * x + rowY * y + (rowZ * z + shiftZ);
    writeV128(record, 0, xy);
    writeF64(record, 16, z0);
    const single = f32x4.replace_lane(f32x4.demote_f64x2_zero(xy), 2, <f32>z0);
    writeF32(float, 0, f32x4.extract_lane(single, 0));
    writeF32(float, stride, f32x4.extract_lane(single, 1));
    writeF32(float, 2 * stride, f32x4.extract_lane(single, 2));
    low = f32x4.pmin(low, single);
    high = f32x4.pmax(high, single);
    from += 24;
    record += RECORD_BYTES;
    float += 4;
  }
  writeV128(box, 0, low);
  writeV128(box, 16, high);
  const across = ((<usize>countOf(0) + 3) & ~3) << 2;
  const corner = leafBoxes + (<usize>leaf << 2);
  writeF32(corner, 0, f32x4.extract_lane(low, 0));
  writeF32(corner, across, f32x4.extract_lane(low, 1));
  writeF32(corner, 2 * across, f32x4.extract_lane(low, 2));
  writeF32(corner, 3 * across, f32x4.extract_lane(high, 0));
  writeF32(corner, 4 * across, f32x4.extract_lane(high, 1));
  writeF32(corner, 5 * across, f32x4.extract_lane(high, 2));
}

/** X becomes (S X)^-1. */
function invertProduct(X: usize, S: usize): void {
  const product = block + ENERGY_SCRATCH;
  multiply(product, S, X);
  for (let r: usize = 0; r < 3; r++) {
    let shift: f64 = 0;
    for (let c: usize = 0; c < 3; c++) {
      const entry = readF64(product + 24 * c + 8 * r);
      writeF64(X + 24 * r + 8 * c, 0, entry);
      shift += entry * readF64(product + 72 + 8 * c);
    }
    writeF64(X + 72 + 8 * r, 0, -shift);
  }
}

/** Whether two placed nodes of one level are farther apart than the cutoff. */
@inline
function isApart(level: u32, nodeA: u32, nodeB: u32): bool {
  if (level <= MATERIAL) {
    const a = boxes + 32 * <usize>nodeA;
    const b = boxes + 32 * <usize>nodeB;
    const gaps = f32x4.pmax(
      f32x4.splat(0),
      f32x4.pmax(f32x4.sub(readV128(a), readV128(b, 16)), f32x4.sub(readV128(b), readV128(a, 16))),
    );
    const squares = f32x4.mul(gaps, gaps);
    return f32x4.extract_lane(squares, 0) + f32x4.extract_lane(squares, 1) + f32x4.extract_lane(squares, 2) > boxLimit;
  }
  const a = centres + 32 * <usize>nodeA;
  const b = centres + 32 * <usize>nodeB;
  const dx = readF64(a) - readF64(b);
  const dy = readF64(a, 8) - readF64(b, 8);
  const dz = readF64(a, 16) - readF64(b, 16);
  const reach = (readF64(spheres + 32 * <usize>nodeA, 24) + readF64(spheres + 32 * <usize>nodeB, 24) + cutoff) * (1 + 1e-9);
  return dx * dx + dy * dy + dz * dz > reach * reach;
}

/** Pairs between nodes a < b of one level, placed. `isMoved`: all of them. */
function visitPair(level: u32, a: u32, b: u32, record: u32, isMoved: bool): void {
  if (isApart(level, startOf(level) + a, startOf(level) + b)) clearRecord(record);
  else if (level == 0) visitLeaves(a, b, record);
  else if (!isPoolExhausted()) visitNear(level, a, b, record, isMoved);
}

function visitLeaves(a: u32, b: u32, record: u32): void {
  clearSums();
  leafPairs++;
  if (!addSpecial(a, b, false)) {
    const firstA = readU32(slotStarts + (<usize>a << 2));
    const countA = readU32(slotCounts + (<usize>a << 2));
    const firstB = readU32(slotStarts + (<usize>b << 2));
    const countB = readU32(slotCounts + (<usize>b << 2));
    atomPairs += listBetween(firstA, countA, firstB, countB, boxes + 32 * <usize>b);
    computedPairs += listedCount();
    addListed(records + <usize>firstA * RECORD_BYTES, records + <usize>firstB * RECORD_BYTES, nothing - firstB);
  }
  setRecord(record, lennardJonesSum(), electrostaticSum(), 0);
}

/** The 16 pairs of leaves below two nodes of level BLOCK that are not apart: four boxes against one at a time. */
function visitBlock(a: u32, b: u32, record: u32, isAllMoved: bool): void {
  let group = readU32(belowOf(record));
  if (group == 0) {
    group = takeGroup();
    if (group == 0) return;
  }
  const touchedAt = sumsOf(group << 4) + 272;
  let touched = readU32(touchedAt);
  const leaves = countOf(0);
  const firstA = a << BLOCK;
  const firstB = b << BLOCK;
  const endA = min(leaves, firstA + 4);
  const stride = (<usize>leaves + 3) & ~3;
  const bx = leafBoxes + (<usize>firstB << 2);
  const lowX = readV128(bx);
  const lowY = readV128(bx + (stride << 2));
  const lowZ = readV128(bx + (stride << 3));
  const highX = readV128(bx + 12 * stride);
  const highY = readV128(bx + (stride << 4));
  const highZ = readV128(bx + 20 * stride);
  const zero = f32x4.splat(0);
  const limit = f32x4.splat(boxLimit);
  let first = group << 4;
  for (let leaf = firstA; leaf < endA; leaf++) {
    const box = boxes + 32 * <usize>leaf;
    const gapX = f32x4.pmax(zero, f32x4.pmax(f32x4.sub(lowX, readSplat(box, 16)), f32x4.sub(readSplat(box), highX)));
    const gapY = f32x4.pmax(zero, f32x4.pmax(f32x4.sub(lowY, readSplat(box, 20)), f32x4.sub(readSplat(box, 4), highY)));
    const gapZ = f32x4.pmax(zero, f32x4.pmax(f32x4.sub(lowZ, readSplat(box, 24)), f32x4.sub(readSplat(box, 8), highZ)));
    const s = f32x4.add(f32x4.add(f32x4.mul(gapX, gapX), f32x4.mul(gapY, gapY)), f32x4.mul(gapZ, gapZ));
    const close = <u32>i32x4.bitmask(f32x4.le(s, limit));
    let moved: u32 = 15;
    if (!isAllMoved) {
      moved = 0;
      for (let k: u32 = 0; k < 4; k++) if (firstB + k < leaves && isPairMoved(0, leaf, firstB + k)) moved |= 1 << k;
    }
    const shift = (leaf - firstA) << 2;
    // What was within the cutoff once may count still.
    for (let gone = (touched >> shift) & moved & ~close; gone != 0; gone &= gone - 1) clearRecord(first + ctz(gone));
    touched |= (close & moved) << shift;
    for (let left = close & moved; left != 0; left &= left - 1) {
      visitLeaves(leaf, firstB + ctz(left), first + ctz(left));
    }
    first += 4;
  }
  writeU32(touchedAt, 0, touched);
  sumGroup(record, group, 16);
}

/** Pairs between nodes that are not apart, above the leaves. */
function visitNear(level: u32, a: u32, b: u32, record: u32, isMoved: bool): void {
  // A change between the two moves everything.
  const isAllMoved =
    isMoved || holds(changedShortcuts, changedShortcutCount, lastLeaf(level, a), (b << level) - 1);
  if (level == BLOCK) {
    visitBlock(a, b, record, isAllMoved);
    return;
  }
  let group = readU32(belowOf(record));
  if (group == 0) {
    group = takeGroup();
    if (group == 0) return;
  }
  const under = level - 1;
  const count = countOf(under);
  let isPassedA = level <= MATERIAL;
  let isPassedB = isPassedA;
  for (let i: u32 = 0; i < 4; i++) {
    const childA = (a << 1) + (i >> 1);
    const childB = (b << 1) + (i & 1);
    if (childA >= count || childB >= count) continue;
    if (!isAllMoved && !isPairMoved(under, childA, childB)) continue;
    if (level > MATERIAL) {
      if (readU32(stamps + (<usize>(startOf(under) + childA) << 2)) != epoch) {
        if (!isPassedA) passDown(level, a, true);
        isPassedA = true;
        place(under, childA, true);
      }
      if (readU32(stamps + (<usize>(startOf(under) + childB) << 2)) != epoch) {
        if (!isPassedB) passDown(level, b, false);
        isPassedB = true;
        place(under, childB, false);
      }
    }
    visitPair(under, childA, childB, (group << 4) + i, isAllMoved);
  }
  sumGroup(record, group, 4);
}

function isPairMoved(level: u32, a: u32, b: u32): bool {
  const firstA = a << level;
  const lastA = lastLeaf(level, a);
  const firstB = b << level;
  const lastB = lastLeaf(level, b);
  return (
    holds(changedShortcuts, changedShortcutCount, firstA, lastB - 1) ||
    holds(changedLeaves, changedLeafCount, firstA, lastA) ||
    holds(changedLeaves, changedLeafCount, firstB, lastB)
  );
}

/** Pairs of leaves that bonds join, by their lists; false when no bonds do. `isInside`: by the positions in their frame. */
function addSpecial(a: u32, b: u32, isInside: bool): bool {
  const end = readU32(specialStarts + (<usize>a << 2), 4);
  for (let i = readU32(specialStarts + (<usize>a << 2)); i < end; i++) {
    const entry = specials + (<usize>i << 4);
    if (readU32(entry) != b) continue;
    const list = block + <usize>readU32(entry, 4);
    const plain = readU32(entry, 8);
    const close = readU32(entry, 12);
    const positions = isInside ? own : records;
    const bytes: usize = isInside ? 24 : RECORD_BYTES;
    addPairs(list, plain, positions, bytes, records + 24, RECORD_BYTES);
    addPairs(list + (<usize>plain << 4), close, positions, bytes, near, 24);
    const pairs = (plain + close) << 1;
    atomPairs += pairs;
    computedPairs += pairs;
    return true;
  }
  return false;
}

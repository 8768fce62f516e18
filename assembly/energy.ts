// Energy of a moving chain of atoms by partial sums over pairs of nodes of a balanced tree.
//
// Leaves are short runs of atoms; every pair of nodes of one level that is within the cutoff has a record with its two sums
// and the group of the four records below it. A change is a set of leaves whose atoms moved within their own frame, and of
// leaves whose shortcut (the pose of the next leaf) changed.
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
  ENERGY_FREE,
  ENERGY_GIVEN_UP,
  ENERGY_GROUP_BYTES,
  ENERGY_GROUPS,
  ENERGY_HEIGHT,
  ENERGY_LEVEL_COUNTS,
  ENERGY_LEVEL_STARTS,
  ENERGY_LOG_BYTES,
  ENERGY_LOGGED,
  ENERGY_NODE_LOG,
  ENERGY_NODE_LOG_BYTES,
  ENERGY_NODES_LOGGED,
  ENERGY_POOL,
  ENERGY_POOL_BYTES,
  ENERGY_POSES,
  ENERGY_RESULT,
  ENERGY_SCRATCH,
  ENERGY_SHORTCUTS,
  ENERGY_SLOT_BYTES,
  ENERGY_SLOT_COUNTS,
  ENERGY_SLOT_STARTS,
  ENERGY_SLOTS,
  ENERGY_SPECIAL_STARTS,
  ENERGY_SPECIALS,
  ENERGY_SPHERES,
  ENERGY_STAMPS,
  ENERGY_TOUCHED,
} from '../src/kernel/layout';
import { addDense, addListed, clearSums, electrostaticSum, lennardJonesSum, openPairs } from './energy-pairs';
import { closeWork, openWork, readF64, readU32, writeF64, writeU32 } from './memory';

/** Nodes of this level and below have all their atoms placed at once. */
const MATERIAL: u32 = 3;
const OUTWARD: f64 = 1 + 1e-12;

let block: usize = 0;
let pool: usize = 0;
let groups: u32 = 0;
let slots: usize = 0;
let slotBytes: usize = 0;
let slotStarts: usize = 0;
let slotCounts: usize = 0;
let shortcuts: usize = 0;
let spheres: usize = 0;
let poses: usize = 0;
let stamps: usize = 0;
let centres: usize = 0;
let boxes: usize = 0;
let specialStarts: usize = 0;
let specials: usize = 0;
let changedLeaves: usize = 0;
let changedShortcuts: usize = 0;
let changedLeafCount: u32 = 0;
let changedShortcutCount: u32 = 0;
let cutoff: f64 = 0;
let cutoff2: f64 = 0;
let epoch: u32 = 0;
let isExhausted: bool = false;
let leafPairs: u32 = 0;
let atomPairs: u32 = 0;

@inline
function at(offset: usize): usize {
  return block + <usize>readU32(block + offset);
}

function open(theBlock: usize): void {
  block = theBlock;
  pool = <usize>load<u32>(block, ENERGY_POOL);
  openWork(block, load<u32>(block, ENERGY_BYTES), pool, load<u32>(block, ENERGY_POOL_BYTES));
  groups = readU32(block, ENERGY_GROUPS);
  slots = at(ENERGY_SLOTS);
  slotBytes = readU32(block, ENERGY_SLOT_BYTES);
  slotStarts = at(ENERGY_SLOT_STARTS);
  slotCounts = at(ENERGY_SLOT_COUNTS);
  shortcuts = at(ENERGY_SHORTCUTS);
  spheres = at(ENERGY_SPHERES);
  poses = at(ENERGY_POSES);
  stamps = at(ENERGY_STAMPS);
  centres = at(ENERGY_CENTRES);
  boxes = at(ENERGY_BOXES);
  specialStarts = at(ENERGY_SPECIAL_STARTS);
  specials = at(ENERGY_SPECIALS);
  changedLeaves = at(ENERGY_CHANGED_LEAVES);
  changedShortcuts = at(ENERGY_CHANGED_SHORTCUTS);
  cutoff2 = readF64(block, ENERGY_CONSTANTS);
  cutoff = Math.sqrt(cutoff2);
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
  commit();
  changedLeafCount = leaves;
  changedShortcutCount = joints;
  isExhausted = false;
  leafPairs = 0;
  atomPairs = 0;
  openPairs(slots, slotBytes, block + ENERGY_CONSTANTS);
  renewNodes();
  visitSelf(readU32(block, ENERGY_HEIGHT), 0, 0);
  writeU32(block, ENERGY_EPOCH, epoch);
  const failed = isExhausted;
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

function writeResult(): void {
  writeF64(block, ENERGY_RESULT, readF64(pool));
  writeF64(block, ENERGY_RESULT + 8, readF64(pool, 8));
  writeU32(block, ENERGY_COUNTS, leafPairs);
  writeU32(block, ENERGY_COUNTS + 4, atomPairs);
}

// Groups and records. A record is 4 group + place.

@inline
function sumsOf(record: u32): usize {
  return pool + <usize>(record >> 2) * ENERGY_GROUP_BYTES + (<usize>(record & 3) << 4);
}

@inline
function belowOf(record: u32): usize {
  return pool + <usize>(record >> 2) * ENERGY_GROUP_BYTES + 64 + (<usize>(record & 3) << 2);
}

@inline
function freeList(): usize {
  return pool + <usize>groups * ENERGY_GROUP_BYTES;
}

@inline
function givenUpList(): usize {
  return freeList() + (<usize>groups << 2);
}

@inline
function recordLog(): usize {
  return givenUpList() + (<usize>groups << 2);
}

function pushFree(group: u32): void {
  const count = readU32(block, ENERGY_FREE);
  writeU32(freeList() + (<usize>count << 2), 0, group);
  writeU32(block, ENERGY_FREE, count + 1);
}

function freeBelow(group: u32): void {
  for (let place: u32 = 0; place < 4; place++) {
    const below = readU32(belowOf((group << 2) + place));
    if (below != 0) freeBelow(below);
  }
  pushFree(group);
}

/** Group of four empty records, 0 when there is none left. */
function takeGroup(): u32 {
  const count = readU32(block, ENERGY_FREE);
  if (count == 0) {
    isExhausted = true;
    return 0;
  }
  writeU32(block, ENERGY_FREE, count - 1);
  const group = readU32(freeList() + (<usize>(count - 1) << 2));
  for (let place: u32 = 0; place < 4; place++) {
    const sums = sumsOf((group << 2) + place);
    writeF64(sums, 0, 0);
    writeF64(sums, 8, 0);
    writeU32(belowOf((group << 2) + place), 0, 0);
  }
  return group;
}

/** The last update is there to stay: what it gave up is free. */
function commit(): void {
  const count = readU32(block, ENERGY_GIVEN_UP);
  for (let i: u32 = 0; i < count; i++) freeBelow(readU32(givenUpList() + (<usize>i << 2)));
  writeU32(block, ENERGY_GIVEN_UP, 0);
  writeU32(block, ENERGY_LOGGED, 0);
  writeU32(block, ENERGY_NODES_LOGGED, 0);
}

function restore(): void {
  const list = recordLog();
  for (let i = <i32>readU32(block, ENERGY_LOGGED) - 1; i >= 0; i--) {
    const entry = list + <usize>i * ENERGY_LOG_BYTES;
    const record = readU32(entry);
    const before = readU32(entry, 4);
    const below = belowOf(record);
    const now = readU32(below);
    if (before == 0 && now != 0) pushFree(now);
    writeU32(below, 0, before);
    writeF64(sumsOf(record), 0, readF64(entry, 8));
    writeF64(sumsOf(record), 8, readF64(entry, 16));
  }
  const nodes = at(ENERGY_NODE_LOG);
  for (let i = <i32>readU32(block, ENERGY_NODES_LOGGED) - 1; i >= 0; i--) {
    const entry = nodes + <usize>i * ENERGY_NODE_LOG_BYTES;
    const node = <usize>readU32(entry);
    for (let k: usize = 0; k < 96; k += 8) writeF64(shortcuts + 96 * node + k, 0, readF64(entry + 8 + k));
    for (let k: usize = 0; k < 32; k += 8) writeF64(spheres + 32 * node + k, 0, readF64(entry + 104 + k));
  }
  writeU32(block, ENERGY_GIVEN_UP, 0);
  writeU32(block, ENERGY_LOGGED, 0);
  writeU32(block, ENERGY_NODES_LOGGED, 0);
}

/** Saves a record and gives it new sums and what is below. */
function setRecord(record: u32, lennardJones: f64, electrostatic: f64, below: u32): void {
  const sums = sumsOf(record);
  const link = belowOf(record);
  const count = readU32(block, ENERGY_LOGGED);
  const entry = recordLog() + <usize>count * ENERGY_LOG_BYTES;
  writeU32(entry, 0, record);
  writeU32(entry, 4, readU32(link));
  writeF64(entry, 8, readF64(sums));
  writeF64(entry, 16, readF64(sums, 8));
  writeU32(block, ENERGY_LOGGED, count + 1);
  writeF64(sums, 0, lennardJones);
  writeF64(sums, 8, electrostatic);
  writeU32(link, 0, below);
}

/** Adds up the records of the group below and sets the record to the sum. */
function sumGroup(record: u32, group: u32): void {
  const first = group << 2;
  const a = sumsOf(first);
  setRecord(
    record,
    readF64(a) + readF64(a, 16) + (readF64(a, 32) + readF64(a, 48)),
    readF64(a, 8) + readF64(a, 24) + (readF64(a, 40) + readF64(a, 56)),
    group,
  );
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

function multiply(out: usize, a: usize, b: usize): void {
  for (let r: usize = 0; r < 3; r++) {
    const a0 = readF64(a + 24 * r);
    const a1 = readF64(a + 24 * r, 8);
    const a2 = readF64(a + 24 * r, 16);
    for (let c: usize = 0; c < 3; c++) {
      writeF64(out + 24 * r + 8 * c, 0, a0 * readF64(b + 8 * c) + a1 * readF64(b + 8 * c, 24) + a2 * readF64(b + 8 * c, 48));
    }
    writeF64(
      out + 8 * r,
      72,
      a0 * readF64(b, 72) + a1 * readF64(b, 80) + a2 * readF64(b, 88) + readF64(a + 8 * r, 72),
    );
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
  const first = slots + (<usize>readU32(slotStarts + (<usize>leaf << 2)) << 3);
  const end = first + (<usize>readU32(slotCounts + (<usize>leaf << 2)) << 3);
  const out = spheres + 32 * <usize>leaf;
  let radius2: f64 = 0;
  for (let k: usize = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (let slot = first; slot < end; slot += 8) {
      const value = readF64(slot + k * slotBytes);
      low = min(low, value);
      high = max(high, value);
    }
    writeF64(out + 8 * k, 0, 0.5 * (low + high));
  }
  const x = readF64(out);
  const y = readF64(out, 8);
  const z = readF64(out, 16);
  for (let slot = first; slot < end; slot += 8) {
    const dx = readF64(slot) - x;
    const dy = readF64(slot + slotBytes) - y;
    const dz = readF64(slot + 2 * slotBytes) - z;
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
  if (!isMoved || isExhausted) return;
  if (level == 0) {
    clearSums();
    addSpecial(index, index, 0);
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
  visitSelf(below, left, group << 2);
  if (left + 1 < countOf(below)) {
    visitHalves(below, left, (group << 2) + 1);
    visitSelf(below, left + 1, (group << 2) + 2);
  }
  sumGroup(record, group);
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
  visitPair(level, left, left + 1, record);
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
  const box = boxes + 48 * <usize>(startOf(level) + index);
  if (level == 0) {
    placeLeaf(index, isFirstHalf, box);
    return;
  }
  passDown(level, index, isFirstHalf);
  const below = level - 1;
  const left = index << 1;
  const first = boxes + 48 * <usize>(startOf(below) + left);
  placeAtoms(below, left, isFirstHalf);
  const hasRight = left + 1 < countOf(below);
  if (hasRight) placeAtoms(below, left + 1, isFirstHalf);
  for (let k: usize = 0; k < 24; k += 8) {
    const low = readF64(first + k);
    const high = readF64(first + k, 24);
    writeF64(box + k, 0, hasRight ? min(low, readF64(first + k, 48)) : low);
    writeF64(box + k, 24, hasRight ? max(high, readF64(first + k, 72)) : high);
  }
}

function placeLeaf(leaf: u32, isFirstHalf: bool, box: usize): void {
  const firstSlot = readU32(slotStarts + (<usize>leaf << 2));
  const from = slots + (<usize>firstSlot << 3);
  const end = slots + (<usize>readU32(slotStarts + (<usize>leaf << 2), 4) << 3);
  let X = poses + 96 * <usize>leaf;
  if (isFirstHalf) {
    // From the pose of the middle in the leaf's first link to that of the leaf in the middle.
    const S = shortcuts + 96 * <usize>leaf;
    invertProduct(X, S);
  }
  const stride = slotBytes;
  for (let k: usize = 0; k < 3; k++) {
    const r0 = readF64(X + 24 * k);
    const r1 = readF64(X + 24 * k, 8);
    const r2 = readF64(X + 24 * k, 16);
    const p = readF64(X + 8 * k, 72);
    let low = Infinity;
    let high = -Infinity;
    for (let slot = from; slot < end; slot += 8) {
      const value = r0 * readF64(slot) + r1 * readF64(slot + stride) + r2 * readF64(slot + 2 * stride) + p;
      writeF64(slot + (3 + k) * stride, 0, value);
      low = min(low, value);
      high = max(high, value);
    }
    writeF64(box + 8 * k, 0, low);
    writeF64(box + 8 * k, 24, high);
  }
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
function isApart(level: u32, nodeA: u32, nodeB: u32): bool {
  if (level <= MATERIAL) {
    const a = boxes + 48 * <usize>nodeA;
    const b = boxes + 48 * <usize>nodeB;
    let squared: f64 = 0;
    for (let k: usize = 0; k < 24; k += 8) {
      const gap = max(0, max(readF64(a + k) - readF64(b + k, 24), readF64(b + k) - readF64(a + k, 24)));
      squared += gap * gap;
    }
    return squared > cutoff2;
  }
  const a = centres + 32 * <usize>nodeA;
  const b = centres + 32 * <usize>nodeB;
  const dx = readF64(a) - readF64(b);
  const dy = readF64(a, 8) - readF64(b, 8);
  const dz = readF64(a, 16) - readF64(b, 16);
  const reach = (readF64(spheres + 32 * <usize>nodeA, 24) + readF64(spheres + 32 * <usize>nodeB, 24) + cutoff) * (1 + 1e-9);
  return dx * dx + dy * dy + dz * dz > reach * reach;
}

/** Pairs between nodes a < b of one level, placed. */
function visitPair(level: u32, a: u32, b: u32, record: u32): void {
  if (isExhausted) return;
  const nodeA = startOf(level) + a;
  const nodeB = startOf(level) + b;
  const below = readU32(belowOf(record));
  if (isApart(level, nodeA, nodeB)) {
    // Most pairs were apart before as well.
    const sums = sumsOf(record);
    if (below == 0 && readF64(sums) == 0 && readF64(sums, 8) == 0) return;
    if (below != 0) giveUp(below);
    setRecord(record, 0, 0, 0);
    return;
  }
  if (level == 0) {
    clearSums();
    leafPairs++;
    if (!addSpecial(a, b, 3)) {
      const firstA = readU32(slotStarts + (<usize>a << 2));
      const countA = readU32(slotCounts + (<usize>a << 2));
      const firstB = readU32(slotStarts + (<usize>b << 2));
      const endB = readU32(slotStarts + (<usize>b << 2), 4);
      atomPairs += addDense(firstA, countA, firstB, endB, boxes + 48 * <usize>nodeB);
    }
    setRecord(record, lennardJonesSum(), electrostaticSum(), 0);
    return;
  }
  let group = below;
  if (group == 0) {
    group = takeGroup();
    if (group == 0) return;
  }
  const under = level - 1;
  let isPassedA = level <= MATERIAL;
  let isPassedB = isPassedA;
  for (let i: u32 = 0; i < 4; i++) {
    const childA = (a << 1) + (i >> 1);
    const childB = (b << 1) + (i & 1);
    if (childA >= countOf(under) || childB >= countOf(under)) continue;
    if (!isPairMoved(under, childA, childB)) continue;
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
    visitPair(under, childA, childB, (group << 2) + i);
  }
  sumGroup(record, group);
}

function giveUp(group: u32): void {
  const count = readU32(block, ENERGY_GIVEN_UP);
  writeU32(givenUpList() + (<usize>count << 2), 0, group);
  writeU32(block, ENERGY_GIVEN_UP, count + 1);
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

/** Pairs of leaves that bonds join, by their lists; false when no bonds do. `array`: where positions are. */
function addSpecial(a: u32, b: u32, array: usize): bool {
  const end = readU32(specialStarts + (<usize>a << 2), 4);
  for (let i = readU32(specialStarts + (<usize>a << 2)); i < end; i++) {
    const entry = specials + (<usize>i << 4);
    if (readU32(entry) != b) continue;
    const list = block + <usize>readU32(entry, 4);
    const plain = readU32(entry, 8);
    const near = readU32(entry, 12);
    addListed(list, plain, array, 6);
    addListed(list + (<usize>plain << 4), near, array, 9);
    atomPairs += (plain + near) << 1;
    return true;
  }
  return false;
}

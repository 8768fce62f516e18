// The nodes of an energy tree: shortcuts and spheres, and what a change makes of them.
//
// A node's shortcut is the product of its children's; its sphere bounds their spheres, in the frame of its first link. Above a
// change both are renewed, level by level, none twice; what was there before is logged.
// Block: kernel/layout.ts, ENERGY_... Cost: a product of transforms per node above a change.
import {
  ENERGY_CHANGED_LEAVES,
  ENERGY_CHANGED_SHORTCUTS,
  ENERGY_HEIGHT,
  ENERGY_LEVEL_COUNTS,
  ENERGY_LEVEL_STARTS,
  ENERGY_NODES_LOGGED,
  ENERGY_NODE_LOG,
  ENERGY_NODE_LOG_BYTES,
  ENERGY_SHORTCUTS,
  ENERGY_SPHERES,
  ENERGY_TOUCHED,
} from '../../src/kernel/layout';
import { demoteLeaf, fitLeaf, OUTWARD, partOf } from './energy-leaves';
import { multiply } from './energy-transforms';
import { readF64, readU32, readV128, writeF64, writeU32, writeV128 } from '../memory';

let block: usize = 0;
let shortcuts: usize = 0;
let spheres: usize = 0;
let changedLeaves: usize = 0;
let changedShortcuts: usize = 0;
let changedLeafCount: u32 = 0;
let changedShortcutCount: u32 = 0;

/** So many leaves and shortcuts have changed; their numbers, ascending, are in the block. */
export function openNodes(theBlock: usize, leaves: u32, joints: u32): void {
  block = theBlock;
  shortcuts = partOf(block, ENERGY_SHORTCUTS);
  spheres = partOf(block, ENERGY_SPHERES);
  changedLeaves = partOf(block, ENERGY_CHANGED_LEAVES);
  changedShortcuts = partOf(block, ENERGY_CHANGED_SHORTCUTS);
  changedLeafCount = leaves;
  changedShortcutCount = joints;
}

@inline
export function startOf(level: u32): u32 {
  return readU32(block + ENERGY_LEVEL_STARTS + (level << 2));
}

@inline
export function countOf(level: u32): u32 {
  return readU32(block + ENERGY_LEVEL_COUNTS + (level << 2));
}

@inline
export function heightOf(): u32 {
  return readU32(block, ENERGY_HEIGHT);
}

@inline
export function shortcutOf(node: u32): usize {
  return shortcuts + 96 * <usize>node;
}

@inline
export function sphereOf(node: u32): usize {
  return spheres + 32 * <usize>node;
}

@inline
export function lastLeaf(level: u32, index: u32): u32 {
  const end = (index + 1) << level;
  const leaves = countOf(0);
  return (end < leaves ? end : leaves) - 1;
}

/** Whether an ascending list holds a number from `low` to `high`. */
function holds(list: usize, count: u32, low: u32, high: u32): bool {
  let first: u32 = 0;
  let last = count;
  while (first < last) {
    const middle = (first + last) >> 1;
    if (readU32(list + ((<usize>middle) << 2)) < low) first = middle + 1;
    else last = middle;
  }
  return first < count && readU32(list + ((<usize>first) << 2)) <= high;
}

/** Whether a leaf from `first` to `last` changed. */
export function isLeafChanged(first: u32, last: u32): bool {
  return holds(changedLeaves, changedLeafCount, first, last);
}

/** Whether a shortcut of a leaf from `first` to `last` changed. */
export function isShortcutChanged(first: u32, last: u32): bool {
  return holds(changedShortcuts, changedShortcutCount, first, last);
}

/** Saves a node's shortcut and sphere. */
function logNode(node: u32): void {
  const count = readU32(block, ENERGY_NODES_LOGGED);
  const entry = partOf(block, ENERGY_NODE_LOG) + <usize>count * ENERGY_NODE_LOG_BYTES;
  writeU32(entry, 0, node);
  for (let k: usize = 0; k < 96; k += 16) writeV128(entry + 16 + k, 0, readV128(shortcutOf(node) + k));
  for (let k: usize = 0; k < 32; k += 16) writeV128(entry + 112 + k, 0, readV128(sphereOf(node) + k));
  writeU32(block, ENERGY_NODES_LOGGED, count + 1);
}

/** Spheres of changed leaves; then, level by level, shortcuts and spheres of the nodes above any change. */
export function renewNodes(): void {
  writeU32(block, ENERGY_NODES_LOGGED, 0);
  const touched = partOf(block, ENERGY_TOUCHED);
  let count: u32 = 0;
  let i: u32 = 0;
  let j: u32 = 0;
  while (i < changedLeafCount || j < changedShortcutCount) {
    const a = i < changedLeafCount ? readU32(changedLeaves + ((<usize>i) << 2)) : u32.MAX_VALUE;
    const b = j < changedShortcutCount ? readU32(changedShortcuts + ((<usize>j) << 2)) : u32.MAX_VALUE;
    const leaf = a < b ? a : b;
    if (a == leaf) {
      i++;
      logNode(leaf);
      demoteLeaf(leaf);
      fitLeaf(leaf, sphereOf(leaf));
    }
    if (b == leaf) j++;
    writeU32(touched + ((<usize>count) << 2), 0, leaf);
    count++;
  }
  const height = heightOf();
  for (let level: u32 = 1; level <= height; level++) {
    let size: u32 = 0;
    let previous: u32 = u32.MAX_VALUE;
    for (let k: u32 = 0; k < count; k++) {
      const index = readU32(touched + ((<usize>k) << 2)) >> 1;
      if (index == previous) continue;
      previous = index;
      renewNode(level, index);
      writeU32(touched + ((<usize>size) << 2), 0, index);
      size++;
    }
    count = size;
  }
}

function renewNode(level: u32, index: u32): void {
  const node = startOf(level) + index;
  const left = startOf(level - 1) + (index << 1);
  logNode(node);
  const own = shortcutOf(node);
  const first = shortcutOf(left);
  const out = sphereOf(node);
  const a = sphereOf(left);
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

/** Puts back what renewNodes replaced. */
export function restoreNodes(): void {
  const nodes = partOf(block, ENERGY_NODE_LOG);
  for (let i = <i32>readU32(block, ENERGY_NODES_LOGGED) - 1; i >= 0; i--) {
    const entry = nodes + <usize>i * ENERGY_NODE_LOG_BYTES;
    const node = readU32(entry);
    // Those of leaves are the caller's.
    if (node >= countOf(0)) {
      for (let k: usize = 0; k < 96; k += 16) writeV128(shortcuts + 96 * node + k, 0, readV128(entry + 16 + k));
    }
    for (let k: usize = 0; k < 32; k += 16) writeV128(spheres + 32 * node + k, 0, readV128(entry + 112 + k));
  }
  writeU32(block, ENERGY_NODES_LOGGED, 0);
}

/** Derives anew what kernels keep of the own positions of the changed leaves. */
export function renewLeaves(): void {
  for (let i: u32 = 0; i < changedLeafCount; i++) demoteLeaf(readU32(changedLeaves + ((<usize>i) << 2)));
}

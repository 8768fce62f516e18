// The leaves of an energy tree: positions of their atoms in their own frame, and where a pose puts them, in f32 for finding
// pairs and in f64 for computing them.
//
// A leaf starts at a slot whose number is a multiple of four. In f32 the slots that fill it up repeat its last atom in its own
// frame and lie far away when placed; its box is that of the f32 positions.
// Block: kernel/layout.ts, ENERGY_... Cost: linear in the leaf's atoms.
import {
  ENERGY_BOXES,
  ENERGY_CONSTANTS,
  ENERGY_FLOATS,
  ENERGY_FLOAT_BYTES,
  ENERGY_OWN,
  ENERGY_OWN_FLOATS,
  ENERGY_RECORDS,
  ENERGY_SLOT_COUNTS,
  ENERGY_SLOT_STARTS,
} from '../../src/kernel/layout';
import { FAR_AWAY, RECORD_BYTES } from './energy-pairs';
import { pairOf } from './energy-transforms';
import { readF64, readU32, readV128, writeF32, writeF64, writeV128 } from '../memory';

let own: usize = 0;
let ownFloats: usize = 0;
let records: usize = 0;
let floats: usize = 0;
let floatBytes: usize = 0;
let slotStarts: usize = 0;
let slotCounts: usize = 0;
let boxes: usize = 0;
let boxLimit: f32 = 0;

/** Address of what the block's header has an offset of. */
@inline
export function partOf(block: usize, offset: usize): usize {
  return block + <usize>readU32(block + offset);
}

export function openLeaves(block: usize): void {
  own = partOf(block, ENERGY_OWN);
  ownFloats = partOf(block, ENERGY_OWN_FLOATS);
  records = partOf(block, ENERGY_RECORDS);
  floats = partOf(block, ENERGY_FLOATS);
  floatBytes = readU32(block, ENERGY_FLOAT_BYTES);
  slotStarts = partOf(block, ENERGY_SLOT_STARTS);
  slotCounts = partOf(block, ENERGY_SLOT_COUNTS);
  boxes = partOf(block, ENERGY_BOXES);
  boxLimit = <f32>readF64(block, ENERGY_CONSTANTS + 24);
}

@inline
export function firstSlotOf(leaf: u32): u32 {
  return readU32(slotStarts + ((<usize>leaf) << 2));
}

@inline
export function slotCountOf(leaf: u32): u32 {
  return readU32(slotCounts + ((<usize>leaf) << 2));
}

@inline
export function boxOf(leaf: u32): usize {
  return boxes + 32 * <usize>leaf;
}

/** Whether the boxes of two leaves, placed in f32, are farther apart than the cutoff. */
@inline
export function areBoxesApart(a: u32, b: u32): bool {
  const boxA = boxOf(a);
  const boxB = boxOf(b);
  const gaps = f32x4.pmax(
    f32x4.splat(0),
    f32x4.pmax(f32x4.sub(readV128(boxA), readV128(boxB, 16)), f32x4.sub(readV128(boxB), readV128(boxA, 16))),
  );
  const squares = f32x4.mul(gaps, gaps);
  return f32x4.extract_lane(squares, 0) + f32x4.extract_lane(squares, 1) + f32x4.extract_lane(squares, 2) > boxLimit;
}

/** Radii and distances in f32 are this much larger. */
export const OUTWARD: f64 = 1 + 2e-6;

/** A sphere about the middle of the leaf's box, in its own frame: centre and radius, 4 f64. */
export function fitLeaf(leaf: u32, out: usize): void {
  const first = own + <usize>firstSlotOf(leaf) * 24;
  const end = first + <usize>slotCountOf(leaf) * 24;
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

/** A leaf's own positions in f32; slots that fill it up repeat the last atom. */
export function demoteLeaf(leaf: u32): void {
  const start = firstSlotOf(leaf);
  const count = slotCountOf(leaf);
  const out = ownFloats + ((<usize>start) << 2);
  for (let i: u32 = 0; i < ((count + 3) & ~3); i++) {
    const from = own + 24 * <usize>(start + min(i, count - 1));
    writeF32(out + ((<usize>i) << 2), 0, <f32>readF64(from));
    writeF32(out + ((<usize>i) << 2), floatBytes, <f32>readF64(from, 8));
    writeF32(out + ((<usize>i) << 2), 2 * floatBytes, <f32>readF64(from, 16));
  }
}

@inline
function entry(pose: usize, offset: usize): v128 {
  return f32x4.splat(<f32>readF64(pose, offset));
}

@inline
function rotate(x: v128, y: v128, z: v128, a: v128, b: v128, c: v128, shift: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(a, x), f32x4.mul(b, y)), f32x4.add(f32x4.mul(c, z), shift));
}

/** Across four lanes of x, y and z: the least (or, `isMost`, the greatest) of each. */
@inline
function acrossOf(x: v128, y: v128, z: v128, isMost: bool): v128 {
  const xy0 = v128.shuffle<f32>(x, y, 0, 1, 4, 5);
  const xy1 = v128.shuffle<f32>(x, y, 2, 3, 6, 7);
  const zz0 = v128.shuffle<f32>(z, z, 0, 1, 0, 1);
  const zz1 = v128.shuffle<f32>(z, z, 2, 3, 2, 3);
  const xy = isMost ? f32x4.pmax(xy0, xy1) : f32x4.pmin(xy0, xy1);
  const zz = isMost ? f32x4.pmax(zz0, zz1) : f32x4.pmin(zz0, zz1);
  const even = v128.shuffle<f32>(xy, zz, 0, 2, 4, 6);
  const odd = v128.shuffle<f32>(xy, zz, 1, 3, 5, 7);
  return isMost ? f32x4.pmax(even, odd) : f32x4.pmin(even, odd);
}

/** Places a leaf's atoms in f32, four at a time, and their box. */
export function placeLeaf(leaf: u32, pose: usize): void {
  const stride = floatBytes;
  const start = firstSlotOf(leaf);
  const count = slotCountOf(leaf);
  const first = (<usize>start) << 2;
  const end = ((<usize>start + count) << 2) + ownFloats;
  const xx = entry(pose, 0);
  const xy = entry(pose, 8);
  const xz = entry(pose, 16);
  const yx = entry(pose, 24);
  const yy = entry(pose, 32);
  const yz = entry(pose, 40);
  const zx = entry(pose, 48);
  const zy = entry(pose, 56);
  const zz = entry(pose, 64);
  const shiftX = entry(pose, 72);
  const shiftY = entry(pose, 80);
  const shiftZ = entry(pose, 88);
  let lowX = f32x4.splat(Infinity);
  let lowY = lowX;
  let lowZ = lowX;
  let highX = f32x4.neg(lowX);
  let highY = highX;
  let highZ = highX;
  let out = floats + first;
  for (let from = ownFloats + first; from < end; from += 16) {
    const x = readV128(from);
    const y = readV128(from + stride);
    const z = readV128(from + 2 * stride);
    const px = rotate(x, y, z, xx, xy, xz, shiftX);
    const py = rotate(x, y, z, yx, yy, yz, shiftY);
    const pz = rotate(x, y, z, zx, zy, zz, shiftZ);
    writeV128(out, 0, px);
    writeV128(out + stride, 0, py);
    writeV128(out + 2 * stride, 0, pz);
    lowX = f32x4.pmin(lowX, px);
    lowY = f32x4.pmin(lowY, py);
    lowZ = f32x4.pmin(lowZ, pz);
    highX = f32x4.pmax(highX, px);
    highY = f32x4.pmax(highY, py);
    highZ = f32x4.pmax(highZ, pz);
    out += 16;
  }
  // Slots that fill up.
  for (let slot = floats + ((<usize>start + count) << 2); slot < out; slot += 4) writeF32(slot, 0, FAR_AWAY);
  const box = boxes + 32 * <usize>leaf;
  writeV128(box, 0, acrossOf(lowX, lowY, lowZ, false));
  writeV128(box, 16, acrossOf(highX, highY, highZ, true));
}

/** Places a leaf's atoms in f64. */
export function placeExactly(leaf: u32, X: usize): void {
  const firstSlot = <usize>firstSlotOf(leaf);
  const columnX = pairOf(X, X + 24);
  const columnY = pairOf(X + 8, X + 32);
  const columnZ = pairOf(X + 16, X + 40);
  const shift = pairOf(X + 72, X + 80);
  const rowX = readF64(X, 48);
  const rowY = readF64(X, 56);
  const rowZ = readF64(X, 64);
  const shiftZ = readF64(X, 88);
  let record = records + RECORD_BYTES * firstSlot;
  const end = own + 24 * (firstSlot + <usize>slotCountOf(leaf));
  for (let from = own + 24 * firstSlot; from < end; from += 24) {
    const x = readF64(from);
    const y = readF64(from, 8);
    const z = readF64(from, 16);
    const xy = f64x2.add(
      f64x2.add(f64x2.mul(columnX, f64x2.splat(x)), f64x2.mul(columnY, f64x2.splat(y))),
      f64x2.add(f64x2.mul(columnZ, f64x2.splat(z)), shift),
    );
    writeV128(record, 0, xy);
    writeF64(record, 16, rowX * x + rowY * y + (rowZ * z + shiftZ));
    record += RECORD_BYTES;
  }
}

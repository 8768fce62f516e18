// Brings the hierarchy of a ChainTree up to date above changed joints, level by level, and puts back what that overwrote.
//
// Method: as src/chain/chain-tree.ts says. The list of touched nodes of a level becomes that of the next: a node whose
// shortcut or whose volume is out of date has both computed anew once, however many of its joints changed. Before a node is
// overwritten its numbers go to the log; undoing copies them back, last entry first, to the same bits.
//   Shortcut: the product of the children's. Volume: the box of two boxes along the axes of one of them, of two links that
//   are balls also along the line through their centres; other fits are asked from TypeScript (env.fitChainNode).
//   One changed joint, the usual case: its whole path is read ahead, so that cache misses overlap.
// Source: Lotan, Schwarzer, Halperin, Latombe 2002, sections 2.1 and 2.2, ACM Symposium on Computational Geometry.
// Block and log: kernel/layout.ts, CHAIN_... Cost: some 200 ns per node. Tests: test/contract/chain.test.ts and
//   chain-checked.test.ts (the checked build); src/chain/validate-chain-tree.ts.
import {
  CHAIN_BOX_BYTES,
  CHAIN_BOXES_OFFSET,
  CHAIN_BYTES,
  CHAIN_FITS_PAIRS,
  CHAIN_FRAMES_OFFSET,
  CHAIN_HEIGHT,
  CHAIN_LINK_COUNT,
  CHAIN_LOG_BYTES,
  CHAIN_LOG_HEADER_BYTES,
  CHAIN_PAIR_BYTES,
  CHAIN_PAIRS,
  CHAIN_SHORTCUTS_OFFSET,
  CHAIN_TIGHT_BYTES,
  CHAIN_TOUCHED_OFFSET,
  RESULT_COUNTS,
} from '../../src/kernel/layout';
import { countOf, HALF, openLevels, OUTWARD, RADIUS, ROUNDING, startOf } from './chain-block';
import { openTight, resetTight, roundTight, tightOf } from './chain-tight';
import { closeWork, openWork, readF64, readU32, readV128, writeF32, writeF64, writeU32, writeV128 } from '../memory';

const TRANSFORM_BYTES: usize = 96;

// Log entry, after the header: node, flags, left child, offset of its f32 copy (u32 each); shortcut; frame; extents; poses of
// the children; the record of the tight box.
const LOG_FLAGS: usize = 4;
const LOG_LEFT: usize = 8;
const LOG_COPY: usize = 12;
const LOG_SHORTCUT: usize = 16;
const LOG_FRAME: usize = 112;
const LOG_EXTENTS: usize = 208;
const LOG_LEFT_POSE: usize = 240;
const LOG_RIGHT_POSE: usize = 336;
const LOG_TIGHT: usize = 432;
const HAS_SHORTCUT: u32 = 1;
const HAS_VOLUME: u32 = 2;
const HAS_RIGHT: u32 = 4;

let block: usize = 0;
let log: usize = 0;
let shortcuts: usize = 0;
let frames: usize = 0;
let boxes: usize = 0;
let pairs: usize = 0;
let linkCount: u32 = 0;
let height: u32 = 0;
let touched: usize = 0;
/** Whether there are tight boxes to keep, see chain-tight.ts. */
let isTight = false;

/** Fits the volume of node (level, index) in TypeScript. */
@external('env', 'fitChainNode')
declare function fitChainNode(level: u32, index: u32): void;

function open(theBlock: usize, theLog: usize, logBytes: usize): void {
  block = theBlock;
  log = theLog;
  openWork(block, load<u32>(block, CHAIN_BYTES), log, logBytes);
  shortcuts = block + readU32(block, CHAIN_SHORTCUTS_OFFSET);
  frames = block + readU32(block, CHAIN_FRAMES_OFFSET);
  boxes = block + readU32(block, CHAIN_BOXES_OFFSET);
  touched = block + readU32(block, CHAIN_TOUCHED_OFFSET);
  pairs = block + CHAIN_PAIRS;
  linkCount = readU32(block, CHAIN_LINK_COUNT);
  height = readU32(block, CHAIN_HEIGHT);
  openLevels(block);
  isTight = openTight(block);
}

/** Where the f32 copy of a node's numbers begins, among its parent's pair of children. */
@inline
function copyOf(level: u32, index: u32): u32 {
  // The root's lies behind the others.
  const parent = level == height ? startOf(level) + 1 : startOf(level + 1) + (index >> 1);
  return (parent - linkCount) * CHAIN_PAIR_BYTES + ((index & 1) << 2);
}

@inline
function copyBytes(to: usize, from: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) writeV128(to + i, 0, readV128(from + i));
}

@inline
function logEntry(index: u32): usize {
  return log + CHAIN_LOG_HEADER_BYTES + <usize>index * CHAIN_LOG_BYTES;
}

/** Opens the next entry of the log. */
@inline
function addEntry(node: u32, flags: u32, left: u32): usize {
  const count = readU32(log);
  const entry = logEntry(count);
  writeU32(log, 0, count + 1);
  writeU32(entry, 0, node);
  writeU32(entry, LOG_FLAGS, flags);
  writeU32(entry, LOG_LEFT, left);
  return entry;
}

/**
 * Updates everything above `count` joints, whose new shortcuts are in place and which `keepJoint` has listed, ascending.
 * Counts of shortcuts and volumes computed at RESULT_COUNTS.
 */
export function updateChain(theBlock: usize, theLog: usize, logBytes: usize, count: u32): void {
  open(theBlock, theLog, logBytes);
  let transformUpdates: u32 = 0;
  let volumeUpdates: u32 = 0;
  let remaining = count;
  if (count == 1) fetchPath(readU32(touched) >> 1);
  for (let level: u32 = 1; level <= height && remaining > 0; level++) {
    const below = startOf(level - 1);
    const here = startOf(level);
    const belowCount = countOf(level - 1);
    const hereCount = countOf(level);
    let size: u32 = 0;
    // Entries: index within the level times 2, plus 1 where the node's own volume changed.
    for (let i: u32 = 0; i < remaining; ) {
      const index = readU32(touched + (i << 2)) >> 2;
      let isChanged = false;
      while (i < remaining) {
        const item = readU32(touched + (i << 2));
        const child = item >> 1;
        if (child >> 1 != index) break;
        // A shortcut that leaves the left child is the joint between the children.
        if ((item & 1) != 0 || ((child & 1) == 0 && child + 1 < belowCount)) isChanged = true;
        i++;
      }
      const hasShortcut = index + 1 < hereCount;
      if (!isChanged && !hasShortcut) continue;
      const node = here + index;
      const left = below + (index << 1);
      const entry = addEntry(
        node,
        (hasShortcut ? HAS_SHORTCUT : 0) | (isChanged ? HAS_VOLUME : 0) | (left + 1 < here ? HAS_RIGHT : 0),
        left,
      );
      if (hasShortcut) {
        const at = shortcuts + <usize>node * TRANSFORM_BYTES;
        const first = shortcuts + <usize>left * TRANSFORM_BYTES;
        copyBytes(entry + LOG_SHORTCUT, at, TRANSFORM_BYTES);
        multiply(at, first, first + TRANSFORM_BYTES);
        transformUpdates++;
      }
      if (isChanged) {
        copyBytes(entry + LOG_FRAME, frames + <usize>node * TRANSFORM_BYTES, TRANSFORM_BYTES);
        copyBytes(entry + LOG_EXTENTS, boxes + <usize>node * CHAIN_BOX_BYTES + HALF, 32);
        // The node after an only child is the first of the next level: its pose is put back unchanged.
        copyBytes(entry + LOG_LEFT_POSE, boxes + <usize>left * CHAIN_BOX_BYTES, TRANSFORM_BYTES);
        copyBytes(entry + LOG_RIGHT_POSE, boxes + <usize>(left + 1) * CHAIN_BOX_BYTES, TRANSFORM_BYTES);
        writeU32(entry, LOG_COPY, copyOf(level, index));
        if (isTight) copyBytes(entry + LOG_TIGHT, tightOf(node), CHAIN_TIGHT_BYTES);
        fitNode(level, index);
        volumeUpdates++;
      }
      writeU32(touched, size << 2, (index << 1) | <u32>isChanged);
      size++;
    }
    remaining = size;
  }
  writeU32(RESULT_COUNTS, 0, transformUpdates);
  writeU32(RESULT_COUNTS, 4, volumeUpdates);
  closeWork();
}

/**
 * Reads a number of every cache line that an update above a joint reads, all at once: one after the other, as the levels
 * need them, they would be waited for one after the other.
 */
function fetchPath(joint: u32): void {
  let sum: u32 = 0;
  for (let level: u32 = 1; level <= height; level++) {
    const index = joint >> level;
    const left = startOf(level - 1) + (index << 1);
    const shortcut = shortcuts + <usize>left * TRANSFORM_BYTES;
    const frame = frames + <usize>left * TRANSFORM_BYTES;
    const box = boxes + <usize>left * CHAIN_BOX_BYTES;
    const copy = pairs + <usize>(startOf(level) + index - linkCount) * CHAIN_PAIR_BYTES;
    sum += readU32(shortcut) + readU32(shortcut, 64) + readU32(shortcut, 128) + readU32(shortcut, 188);
    sum += readU32(frame) + readU32(frame, 64) + readU32(frame, 128) + readU32(frame, 188);
    sum += readU32(box) + readU32(box, 64) + readU32(box, 128) + readU32(box, 192) + readU32(copy) + readU32(copy, 64);
  }
  writeU32(RESULT_COUNTS, 8, sum);
}

/** Keeps the joint's shortcut in the log before it is overwritten, and lists the joint as touched number `place`. */
export function keepJoint(theBlock: usize, theLog: usize, logBytes: usize, joint: u32, place: u32): void {
  open(theBlock, theLog, logBytes);
  const entry = addEntry(joint, HAS_SHORTCUT, 0);
  copyBytes(entry + LOG_SHORTCUT, shortcuts + <usize>joint * TRANSFORM_BYTES, TRANSFORM_BYTES);
  writeU32(touched, place << 2, joint << 1);
  closeWork();
}

/** Node (level, index) anew, outside of an update. */
export function fitChain(theBlock: usize, level: u32, index: u32): void {
  open(theBlock, 0, 0);
  fitNode(level, index);
  closeWork();
}

/** The volume of a node; a tight box is out of date. */
function fitNode(level: u32, index: u32): void {
  fitVolume(level, index);
  if (!isTight) return;
  const node = startOf(level) + index;
  const left = startOf(level - 1) + (index << 1);
  resetTight(node);
  roundTight(node, left, copyOf(level, index), left + 1 < startOf(level));
}

/** Boxes of two boxes and of two balls here, anything else in TypeScript. */
function fitVolume(level: u32, index: u32): void {
  const first = index << 1;
  if (readU32(block, CHAIN_FITS_PAIRS) != 0 && first + 1 < countOf(level - 1)) {
    const left = startOf(level - 1) + first;
    const box = boxes + <usize>left * CHAIN_BOX_BYTES;
    if (level > 1) {
      fitPair(startOf(level) + index, left, copyOf(level, index));
      return;
    }
    if (isBall(box) && isBall(box + CHAIN_BOX_BYTES)) {
      fitBalls(startOf(level) + index, left, copyOf(level, index));
      return;
    }
  }
  fitChainNode(level, index);
}

@inline
function isBall(box: usize): bool {
  return readF64(box, HALF) == readF64(box, RADIUS);
}

/** Puts back what the log holds, and empties it. */
export function revertChain(theBlock: usize, theLog: usize, logBytes: usize): void {
  open(theBlock, theLog, logBytes);
  for (let i = <i32>readU32(log) - 1; i >= 0; i--) {
    const entry = logEntry(i);
    const node = readU32(entry);
    const flags = readU32(entry, LOG_FLAGS);
    if ((flags & HAS_VOLUME) != 0) {
      const left = readU32(entry, LOG_LEFT);
      copyBytes(frames + <usize>node * TRANSFORM_BYTES, entry + LOG_FRAME, TRANSFORM_BYTES);
      copyBytes(boxes + <usize>node * CHAIN_BOX_BYTES + HALF, entry + LOG_EXTENTS, 32);
      copyBytes(boxes + <usize>left * CHAIN_BOX_BYTES, entry + LOG_LEFT_POSE, TRANSFORM_BYTES);
      copyBytes(boxes + <usize>(left + 1) * CHAIN_BOX_BYTES, entry + LOG_RIGHT_POSE, TRANSFORM_BYTES);
      if (isTight) copyBytes(tightOf(node), entry + LOG_TIGHT, CHAIN_TIGHT_BYTES);
      roundNode(node, left, readU32(entry, LOG_COPY));
    }
    if ((flags & HAS_SHORTCUT) != 0) {
      copyBytes(shortcuts + <usize>node * TRANSFORM_BYTES, entry + LOG_SHORTCUT, TRANSFORM_BYTES);
    }
  }
  if (isTight) roundLogged();
  writeU32(log, 0, 0);
  closeWork();
}

/** Once every record is back: a node's place in its parent hangs on both. */
function roundLogged(): void {
  for (let i = <i32>readU32(log) - 1; i >= 0; i--) {
    const entry = logEntry(i);
    const flags = readU32(entry, LOG_FLAGS);
    if ((flags & HAS_VOLUME) == 0) continue;
    roundTight(readU32(entry), readU32(entry, LOG_LEFT), readU32(entry, LOG_COPY), (flags & HAS_RIGHT) != 0);
  }
}

/** The f32 copies of a node's extents, at `copy`, and of its children's poses, as searchChain reads them. */
@inline
function roundNode(node: u32, left: u32, copy: u32): void {
  const from = boxes + <usize>node * CHAIN_BOX_BYTES + HALF;
  const extents = pairs + copy + HALF;
  for (let i: usize = 0; i < 4; i++) writeF32(extents + (i << 3), 0, <f32>(readF64(from + (i << 3)) * OUTWARD));
  const poses = pairs + <usize>(node - linkCount) * CHAIN_PAIR_BYTES;
  const leftPose = boxes + <usize>left * CHAIN_BOX_BYTES;
  for (let i: usize = 0; i < HALF; i += 8) {
    writeF32(poses + i, 0, <f32>readF64(leftPose + i));
    writeF32(poses + i, 4, <f32>readF64(leftPose + i, CHAIN_BOX_BYTES));
  }
}

// The product of two transforms, R row-major then p; also what fitPair reads of the second box.
let m0: f64 = 0;
let m1: f64 = 0;
let m2: f64 = 0;
let m3: f64 = 0;
let m4: f64 = 0;
let m5: f64 = 0;
let m6: f64 = 0;
let m7: f64 = 0;
let m8: f64 = 0;
let mx: f64 = 0;
let my: f64 = 0;
let mz: f64 = 0;

@inline
function product(a: usize, b: usize): void {
  const b0 = readF64(b);
  const b1 = readF64(b, 8);
  const b2 = readF64(b, 16);
  const b3 = readF64(b, 24);
  const b4 = readF64(b, 32);
  const b5 = readF64(b, 40);
  const b6 = readF64(b, 48);
  const b7 = readF64(b, 56);
  const b8 = readF64(b, 64);
  const x = readF64(b, 72);
  const y = readF64(b, 80);
  const z = readF64(b, 88);
  let p = readF64(a);
  let q = readF64(a, 8);
  let r = readF64(a, 16);
  m0 = p * b0 + q * b3 + r * b6;
  m1 = p * b1 + q * b4 + r * b7;
  m2 = p * b2 + q * b5 + r * b8;
  mx = p * x + q * y + r * z + readF64(a, 72);
  p = readF64(a, 24);
  q = readF64(a, 32);
  r = readF64(a, 40);
  m3 = p * b0 + q * b3 + r * b6;
  m4 = p * b1 + q * b4 + r * b7;
  m5 = p * b2 + q * b5 + r * b8;
  my = p * x + q * y + r * z + readF64(a, 80);
  p = readF64(a, 48);
  q = readF64(a, 56);
  r = readF64(a, 64);
  m6 = p * b0 + q * b3 + r * b6;
  m7 = p * b1 + q * b4 + r * b7;
  m8 = p * b2 + q * b5 + r * b8;
  mz = p * x + q * y + r * z + readF64(a, 88);
}

@inline
function multiply(out: usize, a: usize, b: usize): void {
  product(a, b);
  writeTransform(out, m0, m1, m2, m3, m4, m5, m6, m7, m8, mx, my, mz);
}

@inline
function writeTransform(
  out: usize,
  r0: f64,
  r1: f64,
  r2: f64,
  r3: f64,
  r4: f64,
  r5: f64,
  r6: f64,
  r7: f64,
  r8: f64,
  x: f64,
  y: f64,
  z: f64,
): void {
  writeF64(out, 0, r0);
  writeF64(out, 8, r1);
  writeF64(out, 16, r2);
  writeF64(out, 24, r3);
  writeF64(out, 32, r4);
  writeF64(out, 40, r5);
  writeF64(out, 48, r6);
  writeF64(out, 56, r7);
  writeF64(out, 64, r8);
  writeF64(out, 72, x);
  writeF64(out, 80, y);
  writeF64(out, 88, z);
}

/** The line through two balls must give a surface this much smaller than a link's axes: src/chain/fit-volume.ts. */
const LINE_HANDICAP: f64 = 1.3;

/** Surface of the box around balls of radii a and b, the second at x, y, z from the first. */
@inline
function surfaceOf(a: f64, b: f64, x: f64, y: f64, z: f64): f64 {
  const sx = max(a, abs(x) + b) + max(a, b - abs(x));
  const sy = max(a, abs(y) + b) + max(a, b - abs(y));
  const sz = max(a, abs(z) + b) + max(a, b - abs(z));
  return sx * sy + sy * sz + sz * sx;
}

/** As fitPair around two links that are balls: along the axes of one of them, or along the line through their centres. */
function fitBalls(node: u32, left: u32, copy: u32): void {
  const frameA = frames + <usize>left * TRANSFORM_BYTES;
  product(shortcuts + <usize>left * TRANSFORM_BYTES, frameA + TRANSFORM_BYTES);
  const boxA = boxes + <usize>left * CHAIN_BOX_BYTES;
  const boxB = boxA + CHAIN_BOX_BYTES;
  const radiusA = readF64(boxA, RADIUS);
  const radiusB = readF64(boxB, RADIUS);
  const a0 = readF64(frameA);
  const a1 = readF64(frameA, 8);
  const a2 = readF64(frameA, 16);
  const a3 = readF64(frameA, 24);
  const a4 = readF64(frameA, 32);
  const a5 = readF64(frameA, 40);
  const a6 = readF64(frameA, 48);
  const a7 = readF64(frameA, 56);
  const a8 = readF64(frameA, 64);
  const ax = readF64(frameA, 72);
  const ay = readF64(frameA, 80);
  const az = readF64(frameA, 88);
  const b0 = m0;
  const b1 = m1;
  const b2 = m2;
  const b3 = m3;
  const b4 = m4;
  const b5 = m5;
  const b6 = m6;
  const b7 = m7;
  const b8 = m8;
  const px = mx - ax;
  const py = my - ay;
  const pz = mz - az;
  // The node's axes, u v w, and from the first ball to the second along them.
  let ux = a0;
  let uy = a3;
  let uz = a6;
  let vx = a1;
  let vy = a4;
  let vz = a7;
  let wx = a2;
  let wy = a5;
  let wz = a8;
  let dx = ux * px + uy * py + uz * pz;
  let dy = vx * px + vy * py + vz * pz;
  let dz = wx * px + wy * py + wz * pz;
  let smallest = surfaceOf(radiusA, radiusB, dx, dy, dz);
  const ex = b0 * px + b3 * py + b6 * pz;
  const ey = b1 * px + b4 * py + b7 * pz;
  const ez = b2 * px + b5 * py + b8 * pz;
  const surfaceB = surfaceOf(radiusA, radiusB, ex, ey, ez);
  if (surfaceB < smallest) {
    smallest = surfaceB;
    ux = b0;
    uy = b3;
    uz = b6;
    vx = b1;
    vy = b4;
    vz = b7;
    wx = b2;
    wy = b5;
    wz = b8;
    dx = ex;
    dy = ey;
    dz = ez;
  }
  const length = sqrt(px * px + py * py + pz * pz);
  if (length > 0 && LINE_HANDICAP * surfaceOf(radiusA, radiusB, length, 0, 0) < smallest) {
    dx = length;
    dy = 0;
    dz = 0;
    ux = px / length;
    uy = py / length;
    uz = pz / length;
    vx = 0;
    vy = 0;
    vz = 0;
    // v: across u and the coordinate axis farthest from it.
    if (abs(ux) <= abs(uy) && abs(ux) <= abs(uz)) {
      const scale = 1 / sqrt(uy * uy + uz * uz);
      vy = uz * scale;
      vz = -uy * scale;
    } else if (abs(uy) <= abs(uz)) {
      const scale = 1 / sqrt(ux * ux + uz * uz);
      vx = -uz * scale;
      vz = ux * scale;
    } else {
      const scale = 1 / sqrt(ux * ux + uy * uy);
      vx = uy * scale;
      vy = -ux * scale;
    }
    wx = uy * vz - uz * vy;
    wy = uz * vx - ux * vz;
    wz = ux * vy - uy * vx;
  }
  const lowX = min(-radiusA, dx - radiusB);
  const lowY = min(-radiusA, dy - radiusB);
  const lowZ = min(-radiusA, dz - radiusB);
  const sx = 0.5 * (max(radiusA, dx + radiusB) - lowX);
  const sy = 0.5 * (max(radiusA, dy + radiusB) - lowY);
  const sz = 0.5 * (max(radiusA, dz + radiusB) - lowZ);
  const cx = lowX + sx;
  const cy = lowY + sy;
  const cz = lowZ + sz;
  writeTransform(
    frames + <usize>node * TRANSFORM_BYTES,
    ux,
    vx,
    wx,
    uy,
    vy,
    wy,
    uz,
    vz,
    wz,
    ax + ux * cx + vx * cy + wx * cz,
    ay + uy * cx + vy * cy + wy * cz,
    az + uz * cx + vz * cy + wz * cz,
  );
  writeTransform(
    boxA,
    ux * a0 + uy * a3 + uz * a6,
    ux * a1 + uy * a4 + uz * a7,
    ux * a2 + uy * a5 + uz * a8,
    vx * a0 + vy * a3 + vz * a6,
    vx * a1 + vy * a4 + vz * a7,
    vx * a2 + vy * a5 + vz * a8,
    wx * a0 + wy * a3 + wz * a6,
    wx * a1 + wy * a4 + wz * a7,
    wx * a2 + wy * a5 + wz * a8,
    -cx,
    -cy,
    -cz,
  );
  writeTransform(
    boxB,
    ux * b0 + uy * b3 + uz * b6,
    ux * b1 + uy * b4 + uz * b7,
    ux * b2 + uy * b5 + uz * b8,
    vx * b0 + vy * b3 + vz * b6,
    vx * b1 + vy * b4 + vz * b7,
    vx * b2 + vy * b5 + vz * b8,
    wx * b0 + wy * b3 + wz * b6,
    wx * b1 + wy * b4 + wz * b7,
    wx * b2 + wy * b5 + wz * b8,
    dx - cx,
    dy - cy,
    dz - cz,
  );
  const box = boxes + <usize>node * CHAIN_BOX_BYTES;
  writeF64(box, HALF, sx + ROUNDING * (sx + abs(cx)));
  writeF64(box, HALF + 8, sy + ROUNDING * (sy + abs(cy)));
  writeF64(box, HALF + 16, sz + ROUNDING * (sz + abs(cz)));
  writeF64(box, RADIUS, max(reachOf(boxA), reachOf(boxB)) * (1 + ROUNDING));
  roundNode(node, left, copy);
}

/** Frame and extents of a node from its two children's boxes, and the children's poses in it; its copy. */
function fitPair(node: u32, left: u32, copy: u32): void {
  const frameA = frames + <usize>left * TRANSFORM_BYTES;
  product(shortcuts + <usize>left * TRANSFORM_BYTES, frameA + TRANSFORM_BYTES);
  const boxA = boxes + <usize>left * CHAIN_BOX_BYTES;
  const boxB = boxA + CHAIN_BOX_BYTES;
  const a0 = readF64(frameA);
  const a1 = readF64(frameA, 8);
  const a2 = readF64(frameA, 16);
  const a3 = readF64(frameA, 24);
  const a4 = readF64(frameA, 32);
  const a5 = readF64(frameA, 40);
  const a6 = readF64(frameA, 48);
  const a7 = readF64(frameA, 56);
  const a8 = readF64(frameA, 64);
  const b0 = m0;
  const b1 = m1;
  const b2 = m2;
  const b3 = m3;
  const b4 = m4;
  const b5 = m5;
  const b6 = m6;
  const b7 = m7;
  const b8 = m8;
  const px = mx - readF64(frameA, 72);
  const py = my - readF64(frameA, 80);
  const pz = mz - readF64(frameA, 88);
  const r00 = a0 * b0 + a3 * b3 + a6 * b6;
  const r01 = a0 * b1 + a3 * b4 + a6 * b7;
  const r02 = a0 * b2 + a3 * b5 + a6 * b8;
  const r10 = a1 * b0 + a4 * b3 + a7 * b6;
  const r11 = a1 * b1 + a4 * b4 + a7 * b7;
  const r12 = a1 * b2 + a4 * b5 + a7 * b8;
  const r20 = a2 * b0 + a5 * b3 + a8 * b6;
  const r21 = a2 * b1 + a5 * b4 + a8 * b7;
  const r22 = a2 * b2 + a5 * b5 + a8 * b8;
  const ax = readF64(boxA, HALF);
  const ay = readF64(boxA, HALF + 8);
  const az = readF64(boxA, HALF + 16);
  const bx = readF64(boxB, HALF);
  const by = readF64(boxB, HALF + 8);
  const bz = readF64(boxB, HALF + 16);
  // The second box along the first one's axes: centre d, reach g; the first along the second one's: centre -e, reach h.
  const dx = a0 * px + a3 * py + a6 * pz;
  const dy = a1 * px + a4 * py + a7 * pz;
  const dz = a2 * px + a5 * py + a8 * pz;
  const gx = abs(r00) * bx + abs(r01) * by + abs(r02) * bz;
  const gy = abs(r10) * bx + abs(r11) * by + abs(r12) * bz;
  const gz = abs(r20) * bx + abs(r21) * by + abs(r22) * bz;
  const ex = b0 * px + b3 * py + b6 * pz;
  const ey = b1 * px + b4 * py + b7 * pz;
  const ez = b2 * px + b5 * py + b8 * pz;
  const hx = abs(r00) * ax + abs(r10) * ay + abs(r20) * az;
  const hy = abs(r01) * ax + abs(r11) * ay + abs(r21) * az;
  const hz = abs(r02) * ax + abs(r12) * ay + abs(r22) * az;
  const lowAx = min(-ax, dx - gx);
  const lowAy = min(-ay, dy - gy);
  const lowAz = min(-az, dz - gz);
  const sizeAx = max(ax, dx + gx) - lowAx;
  const sizeAy = max(ay, dy + gy) - lowAy;
  const sizeAz = max(az, dz + gz) - lowAz;
  const lowBx = min(-bx, -ex - hx);
  const lowBy = min(-by, -ey - hy);
  const lowBz = min(-bz, -ez - hz);
  const sizeBx = max(bx, hx - ex) - lowBx;
  const sizeBy = max(by, hy - ey) - lowBy;
  const sizeBz = max(bz, hz - ez) - lowBz;
  const frame = frames + <usize>node * TRANSFORM_BYTES;
  const box = boxes + <usize>node * CHAIN_BOX_BYTES;
  let sx: f64;
  let sy: f64;
  let sz: f64;
  let cx: f64;
  let cy: f64;
  let cz: f64;
  if (sizeAx * sizeAy + sizeAy * sizeAz + sizeAz * sizeAx <= sizeBx * sizeBy + sizeBy * sizeBz + sizeBz * sizeBx) {
    sx = 0.5 * sizeAx;
    sy = 0.5 * sizeAy;
    sz = 0.5 * sizeAz;
    cx = lowAx + sx;
    cy = lowAy + sy;
    cz = lowAz + sz;
    copyBytes(frame, frameA, 64);
    writeF64(frame, 64, a8);
    writeF64(frame, 72, readF64(frameA, 72) + a0 * cx + a1 * cy + a2 * cz);
    writeF64(frame, 80, readF64(frameA, 80) + a3 * cx + a4 * cy + a5 * cz);
    writeF64(frame, 88, readF64(frameA, 88) + a6 * cx + a7 * cy + a8 * cz);
    writeTransform(boxA, 1, 0, 0, 0, 1, 0, 0, 0, 1, -cx, -cy, -cz);
    writeTransform(boxB, r00, r01, r02, r10, r11, r12, r20, r21, r22, dx - cx, dy - cy, dz - cz);
  } else {
    sx = 0.5 * sizeBx;
    sy = 0.5 * sizeBy;
    sz = 0.5 * sizeBz;
    cx = lowBx + sx;
    cy = lowBy + sy;
    cz = lowBz + sz;
    // One Newton step of the polar decomposition, src/chain/orthonormalize.ts: these axes are products.
    const d0 = 1.5 - 0.5 * (b0 * b0 + b3 * b3 + b6 * b6);
    const d1 = 1.5 - 0.5 * (b1 * b1 + b4 * b4 + b7 * b7);
    const d2 = 1.5 - 0.5 * (b2 * b2 + b5 * b5 + b8 * b8);
    const e01 = -0.5 * (b0 * b1 + b3 * b4 + b6 * b7);
    const e02 = -0.5 * (b0 * b2 + b3 * b5 + b6 * b8);
    const e12 = -0.5 * (b1 * b2 + b4 * b5 + b7 * b8);
    writeTransform(
      frame,
      b0 * d0 + b1 * e01 + b2 * e02,
      b0 * e01 + b1 * d1 + b2 * e12,
      b0 * e02 + b1 * e12 + b2 * d2,
      b3 * d0 + b4 * e01 + b5 * e02,
      b3 * e01 + b4 * d1 + b5 * e12,
      b3 * e02 + b4 * e12 + b5 * d2,
      b6 * d0 + b7 * e01 + b8 * e02,
      b6 * e01 + b7 * d1 + b8 * e12,
      b6 * e02 + b7 * e12 + b8 * d2,
      mx + b0 * cx + b1 * cy + b2 * cz,
      my + b3 * cx + b4 * cy + b5 * cz,
      mz + b6 * cx + b7 * cy + b8 * cz,
    );
    writeTransform(boxA, r00, r10, r20, r01, r11, r21, r02, r12, r22, -ex - cx, -ey - cy, -ez - cz);
    writeTransform(boxB, 1, 0, 0, 0, 1, 0, 0, 0, 1, -cx, -cy, -cz);
  }
  sx += ROUNDING * (sx + abs(cx));
  sy += ROUNDING * (sy + abs(cy));
  sz += ROUNDING * (sz + abs(cz));
  writeF64(box, HALF, sx);
  writeF64(box, HALF + 8, sy);
  writeF64(box, HALF + 16, sz);
  // A ball about the centre: around the box, or around the balls of the children.
  const around = max(reachOf(boxA), reachOf(boxB));
  writeF64(box, RADIUS, min(sqrt(sx * sx + sy * sy + sz * sz), around) * (1 + ROUNDING));
  roundNode(node, left, copy);
}

/** From the parent's centre to the far side of a child's ball. */
@inline
function reachOf(box: usize): f64 {
  const x = readF64(box, 72);
  const y = readF64(box, 80);
  const z = readF64(box, 88);
  return sqrt(x * x + y * y + z * z) + readF64(box, RADIUS);
}

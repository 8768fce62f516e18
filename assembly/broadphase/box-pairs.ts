// Pairs of leaves of one tree of boxes that may overlap: a walk that its caller resumes after every bufferful.
//
// Method: at an inner node visit (left, left), (right, right) and, when their boxes meet, (left, right); of two nodes all
// combinations of their children, four pairs of boxes in one go. The stack grows down, its top being next in order; its first eight
// entries are replaced by what they become in one go, so that none waits for the one before. A node has its children's boxes in one cache line, rounded to f32:
// rounding keeps the order of numbers, so boxes that overlap meet here too, and those that meet with room to spare overlap. The caller
// looks at the others once more, in f64.
// Order of pairs and number of tests are those of src/broadphase/traverse.ts, but for boxes that f32 cannot tell apart.
// Layout: src/kernel/layout.ts, BOX_PAIRS_... Cost: 1-2 ns a test. Test: src/broadphase/kernel-pairs.test.ts.
import {
  BOX_PAIRS_BYTES,
  BOX_PAIRS_CHILD,
  BOX_PAIRS_DOUBT,
  BOX_PAIRS_FOUND,
  BOX_PAIRS_FULL,
  BOX_PAIRS_LIMIT,
  BOX_PAIRS_RECORD_BYTES,
  BOX_PAIRS_RECORDS,
  BOX_PAIRS_STACK,
  BOX_PAIRS_TESTS,
  BOX_PAIRS_TOP,
} from '../../src/kernel/layout';
import { closeWork, openWork, readF32, readF64, readSplat, readSplat64, readU32, writeF64, writeU32 } from '../memory';

/** From the lower ends of boxes to the upper ones. */
const HIGH: usize = 24;
/** Entries of the stack that are taken at once. */
const BATCH: usize = 8;

/** Left, left, right, right of two numbers. */
@inline
function readTwice(pointer: usize, offset: usize): v128 {
  const both = readSplat64(pointer, offset);
  return v128.shuffle<f32>(both, both, 0, 0, 1, 1);
}

/** Right, left, right, left. */
@inline
function readCrossed(pointer: usize, offset: usize): v128 {
  const both = readSplat64(pointer, offset);
  return v128.shuffle<f32>(both, both, 1, 0, 1, 0);
}

/** Four bits: left with left, left with right, right with left, right with right child. */
@inline
function meetBoth(a: usize, b: usize): u32 {
  const x = v128.and(f32x4.le(readTwice(a, 0), readSplat64(b, HIGH)), f32x4.le(readSplat64(b, 0), readTwice(a, HIGH)));
  const y = v128.and(
    f32x4.le(readTwice(a, 8), readSplat64(b, HIGH + 8)),
    f32x4.le(readSplat64(b, 8), readTwice(a, HIGH + 8)),
  );
  const z = v128.and(
    f32x4.le(readTwice(a, 16), readSplat64(b, HIGH + 16)),
    f32x4.le(readSplat64(b, 16), readTwice(a, HIGH + 16)),
  );
  return i32x4.bitmask(v128.and(v128.and(x, y), z));
}

/** Two bits: the one child at `a` with left, with right child of record b. */
@inline
function meetOne(a: usize, b: usize): u32 {
  const x = v128.and(f32x4.le(readSplat(a, 0), readSplat64(b, HIGH)), f32x4.le(readSplat64(b, 0), readSplat(a, HIGH)));
  const y = v128.and(
    f32x4.le(readSplat(a, 8), readSplat64(b, HIGH + 8)),
    f32x4.le(readSplat64(b, 8), readSplat(a, HIGH + 8)),
  );
  const z = v128.and(
    f32x4.le(readSplat(a, 16), readSplat64(b, HIGH + 16)),
    f32x4.le(readSplat64(b, 16), readSplat(a, HIGH + 16)),
  );
  return i32x4.bitmask(v128.and(v128.and(x, y), z)) & 3;
}

/** 1 when the two children of a record meet. */
@inline
function meetOwn(a: usize): u32 {
  const x = f32x4.le(readSplat64(a, 0), readCrossed(a, HIGH));
  const y = f32x4.le(readSplat64(a, 8), readCrossed(a, HIGH + 8));
  const z = f32x4.le(readSplat64(a, 16), readCrossed(a, HIGH + 16));
  return u32(i32x4.bitmask(v128.and(v128.and(x, y), z)) == 15);
}

/** 1 when the boxes of two children overlap along an axis however they were rounded. */
@inline
function isSureAlong(a: usize, b: usize, axis: usize): i32 {
  const low = 8 * axis;
  const high = HIGH + low;
  return i32(readF32(a, low) < readF32(b, high)) & i32(readF32(b, low) < readF32(a, high));
}

@inline
function isSure(a: usize, b: usize): i32 {
  return isSureAlong(a, b, 0) & isSureAlong(a, b, 1) & isSureAlong(a, b, 2);
}

/** Writes an entry below the top; the stack grows by it when `met` is 1: a branch would go either way by chance. */
@inline
function push(top: usize, a: usize, b: usize, met: u32): usize {
  writeU32(top - 8, 0, <u32>a);
  writeU32(top - 8, 4, <u32>b);
  return top - 8 * <usize>met;
}

/** Number of pairs written; 0 when there are no more, or when the stack is full, which the block then says. */
export function nextBoxPairs(block: usize): i32 {
  if (!ASC_NO_ASSERT) {
    openWork(block, 16, block, 0);
    openWork(block, readU32(block, BOX_PAIRS_BYTES), block, 0);
  }
  const records = block + BOX_PAIRS_RECORDS;
  const bottom = records;
  const batch = block + BOX_PAIRS_STACK;
  // A batch takes eight entries and leaves at most 32.
  const full = batch + 8 * BATCH + 32 * BATCH;
  let top = block + readU32(block, BOX_PAIRS_TOP);
  let found = block + BOX_PAIRS_FOUND;
  const end = found + 8 * BOX_PAIRS_LIMIT;
  let tests = readU32(block, BOX_PAIRS_TESTS);
  while (top < bottom) {
    // Pairs of leaves whose turn it is.
    while (top < bottom) {
      const a: usize = readU32(top);
      const b: usize = readU32(top, 4);
      const childA = <i32>readU32(a, BOX_PAIRS_CHILD);
      const childB = <i32>readU32(b, BOX_PAIRS_CHILD);
      if ((childA & childB) >= 0 || found >= end) break;
      writeU32(found, 0, isSure(a, b) ? ~childA : ~childA | BOX_PAIRS_DOUBT);
      writeU32(found, 4, ~childB);
      found += 8;
      top += 8;
    }
    if (found >= end) break;
    if (top < full) {
      writeU32(block, BOX_PAIRS_FULL, 1);
      break;
    }
    const count = min<usize>(8 * BATCH, bottom - top);
    for (let i: usize = 0; i < count; i += 8) writeF64(batch, i, readF64(top, i));
    top += count;
    for (let at = batch + count; at > batch; ) {
      at -= 8;
      const a: usize = readU32(at);
      const b: usize = readU32(at, 4);
      const childA = <i32>readU32(a, BOX_PAIRS_CHILD);
      const childB = <i32>readU32(b, BOX_PAIRS_CHILD);
      const recordA = records + BOX_PAIRS_RECORD_BYTES * childA;
      const recordB = records + BOX_PAIRS_RECORD_BYTES * childB;
      if (a === b) {
        tests++;
        top = push(top, recordA, recordA + 4, meetOwn(recordA));
        top = push(top, recordA + 4, recordA + 4, ~readU32(recordA, BOX_PAIRS_CHILD + 4) >> 31);
        top = push(top, recordA, recordA, ~readU32(recordA, BOX_PAIRS_CHILD) >> 31);
      } else if ((childA & childB) < 0) {
        top = push(top, a, b, 1);
      } else if (childA < 0) {
        tests += 2;
        const met = meetOne(a, recordB);
        top = push(top, a, recordB + 4, met >> 1);
        top = push(top, a, recordB, met & 1);
      } else if (childB < 0) {
        tests += 2;
        const met = meetOne(b, recordA);
        top = push(top, recordA + 4, b, met >> 1);
        top = push(top, recordA, b, met & 1);
      } else {
        tests += 4;
        const met = meetBoth(recordA, recordB);
        top = push(top, recordA + 4, recordB + 4, met >> 3);
        top = push(top, recordA + 4, recordB, (met >> 2) & 1);
        top = push(top, recordA, recordB + 4, (met >> 1) & 1);
        top = push(top, recordA, recordB, met & 1);
      }
    }
  }
  writeU32(block, BOX_PAIRS_TOP, <u32>(top - block));
  writeU32(block, BOX_PAIRS_TESTS, tests);
  closeWork();
  return <i32>((found - block - BOX_PAIRS_FOUND) >> 3);
}

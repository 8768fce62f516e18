// Pairs of leaves of one tree of boxes that overlap: a walk that its caller resumes after every bufferful.
//
// Method: at an inner node visit (left, left), (right, right) and, when their boxes overlap, (left, right); of two nodes all
// combinations of their children. Boxes are compared in f64, two axes at once and with one branch. Order of pairs and number of
// tests are those of src/broadphase/traverse.ts.
// Layout: src/kernel/layout.ts, BOX_PAIRS_... Cost: 2-3 ns a test. Test: test/contract/broad-phases.test.ts.
import {
  BOX_PAIRS_BYTES,
  BOX_PAIRS_CHILDREN,
  BOX_PAIRS_FOUND,
  BOX_PAIRS_FULL,
  BOX_PAIRS_LIMIT,
  BOX_PAIRS_STACK,
  BOX_PAIRS_STACK_BYTES,
  BOX_PAIRS_TESTS,
  BOX_PAIRS_TOP,
} from '../../src/kernel/layout';
import { closeWork, openWork, readF64, readLanes, readU32, writeU32 } from '../memory';

const BOX_BYTES: usize = 48;

/** 8 when the boxes are at most the margin apart, else 0. */
@inline
function overlap(a: usize, b: usize, margin: f64): usize {
  const m = f64x2.splat(margin);
  const low = f64x2.le(readLanes(a), f64x2.add(readLanes(b, 24), m));
  const high = f64x2.le(readLanes(b), f64x2.add(readLanes(a, 24), m));
  const z = i32(readF64(a, 16) <= readF64(b, 40) + margin) & i32(readF64(b, 16) <= readF64(a, 40) + margin);
  // 3 of the two lanes and 1 of z make 4.
  return ((i64x2.bitmask(v128.and(low, high)) + z) & 4) << 1;
}

/** Writes an entry; the stack grows by it when the boxes overlap: a branch would go either way by chance. */
@inline
function push(top: usize, a: u32, b: u32, met: usize): usize {
  writeU32(top, 0, a);
  writeU32(top, 4, b);
  return top + met;
}

/** Number of pairs written; 0 when there are no more, or when the stack is full, which the block then says. */
export function nextBoxPairs(block: usize, boxes: usize, margin: f64): i32 {
  if (!ASC_NO_ASSERT) {
    openWork(block, 16, block, 0);
    openWork(block, readU32(block, BOX_PAIRS_BYTES), block, 0);
  }
  const children = block + BOX_PAIRS_CHILDREN;
  const bottom = block + BOX_PAIRS_STACK;
  // A step takes one entry and adds at most four.
  const full = bottom + BOX_PAIRS_STACK_BYTES - 32;
  let top = bottom + readU32(block, BOX_PAIRS_TOP);
  let found = block + BOX_PAIRS_FOUND;
  const end = found + 8 * BOX_PAIRS_LIMIT;
  let tests = readU32(block, BOX_PAIRS_TESTS);
  while (top > bottom && found < end) {
    if (top > full) {
      writeU32(block, BOX_PAIRS_FULL, 1);
      break;
    }
    top -= 8;
    const a = readU32(top);
    const b = readU32(top, 4);
    const leftA = <i32>readU32(children + 8 * a);
    const rightA = <i32>readU32(children + 8 * a, 4);
    if (a === b) {
      if (leftA < 0) continue;
      tests++;
      top = push(top, leftA, rightA, overlap(boxes + BOX_BYTES * leftA, boxes + BOX_BYTES * rightA, margin));
      if (<i32>readU32(children + 8 * rightA) >= 0) top = push(top, rightA, rightA, 8);
      if (<i32>readU32(children + 8 * leftA) >= 0) top = push(top, leftA, leftA, 8);
      continue;
    }
    const leftB = <i32>readU32(children + 8 * b);
    const rightB = <i32>readU32(children + 8 * b, 4);
    if (leftA < 0 && leftB < 0) {
      writeU32(found, 0, ~leftA);
      writeU32(found, 4, ~leftB);
      found += 8;
    } else if (leftA < 0) {
      const o = boxes + BOX_BYTES * a;
      tests += 2;
      top = push(top, a, rightB, overlap(o, boxes + BOX_BYTES * rightB, margin));
      top = push(top, a, leftB, overlap(o, boxes + BOX_BYTES * leftB, margin));
    } else if (leftB < 0) {
      const o = boxes + BOX_BYTES * b;
      tests += 2;
      top = push(top, rightA, b, overlap(boxes + BOX_BYTES * rightA, o, margin));
      top = push(top, leftA, b, overlap(boxes + BOX_BYTES * leftA, o, margin));
    } else {
      const la = boxes + BOX_BYTES * leftA;
      const ra = boxes + BOX_BYTES * rightA;
      const lb = boxes + BOX_BYTES * leftB;
      const rb = boxes + BOX_BYTES * rightB;
      tests += 4;
      top = push(top, rightA, rightB, overlap(ra, rb, margin));
      top = push(top, rightA, leftB, overlap(ra, lb, margin));
      top = push(top, leftA, rightB, overlap(la, rb, margin));
      top = push(top, leftA, leftB, overlap(la, lb, margin));
    }
  }
  writeU32(block, BOX_PAIRS_TOP, <u32>(top - bottom));
  writeU32(block, BOX_PAIRS_TESTS, tests);
  closeWork();
  return <i32>((found - block - BOX_PAIRS_FOUND) >> 3);
}

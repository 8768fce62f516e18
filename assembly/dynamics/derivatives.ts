// The pairs and products of the derivatives of RNEA and ABA, for robots without mimic joints: what src/dynamics/rnea-derivatives.ts
// and inverse-factors.ts do in JavaScript, to the same bits.
//
// Method: as there; of two numbers that take the same steps, each has a lane: of a pair the entries of both matrices, of a row two
// columns. Sums have the order of the twin.
// Source: Singh, Russell, Wensing 2022, doi:10.1109/LRA.2022.3141194; Featherstone 2005, doi:10.1177/0278364905054928.
// Block: src/dynamics/derivative-kernel.ts writes it; addresses of its arrays stand in its head (DYNAMICS_* of layout.ts).
//   columns  i32: the nearest column of another joint above, and the nearest column above, -1 for none
//   rates    21 f64 a column: D_q (6), D_v (6), D_a (6), angular part of B_t (3)
//   subspaces  S, P, R, Q, 6 f64 a column each
//   motions  24 f64 a column, written here: S (6); S and P by turns, angular (6); Q and R by turns (12)
// Cost: nv^2 x depth at most. Tests: src/dynamics/derivative-kernel.test.ts.
import {
  DYNAMICS_BYTES,
  DYNAMICS_CHAINS,
  DYNAMICS_CHAIN_STARTS,
  DYNAMICS_COLUMNS,
  DYNAMICS_DDQ_DQ,
  DYNAMICS_DDQ_DV,
  DYNAMICS_DTAU_DQ,
  DYNAMICS_DTAU_DV,
  DYNAMICS_FACTORS,
  DYNAMICS_INVERSE,
  DYNAMICS_MOTIONS,
  DYNAMICS_NV,
  DYNAMICS_PIVOTS,
  DYNAMICS_RATES,
  DYNAMICS_RUN_STARTS,
  DYNAMICS_RUNS,
  DYNAMICS_SHARED,
  DYNAMICS_SUBSPACES,
} from '../../src/kernel/layout';
import { closeWork, openWork, readF64, readLanes, readU32, writeF64, writeV128 } from '../memory';

const RATE_BYTES: usize = 168;
const MOTION_BYTES: usize = 192;

@inline
function readTwice(pointer: usize, offset: usize = 0): v128 {
  return f64x2.splat(readF64(pointer, offset));
}

/** The numbers at two places. */
@inline
function readPair(a: usize, b: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(readF64(a)), 1, readF64(b));
}

@inline
function mul(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}

@inline
function add(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}

@inline
function addAt(pointer: usize, value: f64): void {
  writeF64(pointer, 0, readF64(pointer) + value);
}

/** What pairs of columns read of the one above, side by side. */
function writeMotions(motions: usize, S: usize, n: u32): void {
  const bytes: usize = 48 * <usize>n;
  let to = motions;
  for (const end = S + bytes; S < end; S += 48, to += MOTION_BYTES) {
    const P = S + bytes;
    const R = P + bytes;
    const Q = R + bytes;
    for (let k: usize = 0; k < 48; k += 16) {
      const q = readLanes(Q, k);
      const r = readLanes(R, k);
      writeV128(to, k, readLanes(S, k));
      writeV128(to, 96 + 2 * k, v128.shuffle<f64>(q, r, 0, 2));
      writeV128(to, 112 + 2 * k, v128.shuffle<f64>(q, r, 1, 3));
    }
    for (let k: usize = 24; k < 48; k += 8) writeV128(to, 2 * k, readPair(S + k, P + k));
  }
}

/** The entries of every column with the columns of its joint's ancestors, added to d tau / d q and d tau / d v. */
export function addDerivativePairs(block: usize): void {
  openWork(block, load<u32>(block, DYNAMICS_BYTES), 0, 0);
  addPairs(block);
  closeWork();
}

export function addPairs(block: usize): void {
  const n = readU32(block, DYNAMICS_NV);
  const columns: usize = readU32(block, DYNAMICS_COLUMNS);
  const motions: usize = readU32(block, DYNAMICS_MOTIONS);
  const byQ: usize = readU32(block, DYNAMICS_DTAU_DQ);
  const byV: usize = readU32(block, DYNAMICS_DTAU_DV);
  const row: usize = (<usize>n) << 3;
  writeMotions(motions, readU32(block, DYNAMICS_SUBSPACES), n);
  let o: usize = readU32(block, DYNAMICS_RATES);
  for (let c: u32 = 0; c < n; c++, o += RATE_BYTES) {
    let d = <i32>readU32(columns + (c << 3));
    if (d < 0) continue;
    const q0 = readPair(o, o + 48);
    const q1 = readPair(o + 8, o + 56);
    const q2 = readPair(o + 16, o + 64);
    const q3 = readPair(o + 24, o + 72);
    const q4 = readPair(o + 32, o + 80);
    const q5 = readPair(o + 40, o + 88);
    const a0 = readTwice(o, 96);
    const a1 = readTwice(o, 104);
    const a2 = readTwice(o, 112);
    const a3 = readTwice(o, 120);
    const a4 = readTwice(o, 128);
    const a5 = readTwice(o, 136);
    const b3 = readTwice(o, 144);
    const b4 = readTwice(o, 152);
    const b5 = readTwice(o, 160);
    const own = row * c;
    while (d >= 0) {
      const s = motions + MOTION_BYTES * d;
      const above = add(
        add(
          add(
            add(add(mul(readTwice(s), q0), mul(readTwice(s, 8), q1)), mul(readTwice(s, 16), q2)),
            mul(readTwice(s, 24), q3),
          ),
          mul(readTwice(s, 32), q4),
        ),
        mul(readTwice(s, 40), q5),
      );
      const turned = add(add(mul(readLanes(s, 48), b3), mul(readLanes(s, 64), b4)), mul(readLanes(s, 80), b5));
      const below = add(
        turned,
        add(
          add(
            add(
              add(add(mul(readLanes(s, 96), a0), mul(readLanes(s, 112), a1)), mul(readLanes(s, 128), a2)),
              mul(readLanes(s, 144), a3),
            ),
            mul(readLanes(s, 160), a4),
          ),
          mul(readLanes(s, 176), a5),
        ),
      );
      const up = row * d + ((<usize>c) << 3);
      const down = own + ((<usize>d) << 3);
      addAt(byQ + up, f64x2.extract_lane(above, 0));
      addAt(byV + up, f64x2.extract_lane(above, 1));
      addAt(byV + down, f64x2.extract_lane(below, 0));
      addAt(byQ + down, f64x2.extract_lane(below, 1));
      d = <i32>readU32(columns + ((<usize>d) << 3), 4);
    }
  }
}

let n: u32 = 0;
let row: usize = 0;
let chainStarts: usize = 0;
let chains: usize = 0;
let runStarts: usize = 0;
let runs: usize = 0;
let shared: usize = 0;
let factors: usize = 0;
let pivots: usize = 0;

/** M^-1 from Y and D^-1, and the products -M^-1 times d tau / d q and d tau / d v. */
export function multiplyByInverse(block: usize): void {
  openWork(block, load<u32>(block, DYNAMICS_BYTES), 0, 0);
  multiply(block);
  closeWork();
}

export function multiply(block: usize): void {
  n = readU32(block, DYNAMICS_NV);
  row = (<usize>n) << 3;
  chainStarts = readU32(block, DYNAMICS_CHAIN_STARTS);
  chains = readU32(block, DYNAMICS_CHAINS);
  runStarts = readU32(block, DYNAMICS_RUN_STARTS);
  runs = readU32(block, DYNAMICS_RUNS);
  shared = readU32(block, DYNAMICS_SHARED);
  factors = readU32(block, DYNAMICS_FACTORS);
  pivots = readU32(block, DYNAMICS_PIVOTS);
  writeInverse(readU32(block, DYNAMICS_INVERSE));
  const dtauDq: usize = readU32(block, DYNAMICS_DTAU_DQ);
  const dtauDv: usize = readU32(block, DYNAMICS_DTAU_DV);
  const ddqDq: usize = readU32(block, DYNAMICS_DDQ_DQ);
  const ddqDv: usize = readU32(block, DYNAMICS_DDQ_DV);
  memory.copy(ddqDq, dtauDq, row * n);
  memory.copy(ddqDv, dtauDv, row * n);
  spreadRows(dtauDq, dtauDv, ddqDq, ddqDv);
  scaleRows(ddqDq, ddqDv);
  for (let i = <i32>n - 1; i >= 0; i--) combineBoth(ddqDq, ddqDv, i);
}

@inline
function chainStart(i: u32): u32 {
  return readU32(chainStarts + ((<usize>i) << 2));
}

/** Bytes of the row of what stands at a place of the chains. */
@inline
function rowOf(at: u32): usize {
  return row * readU32(chains + ((<usize>at) << 2));
}

@inline
function factorAt(at: u32): usize {
  return factors + ((<usize>at) << 3);
}

/** Terms of four columns of a row. */
@inline
function termsOf(i: u32, c: u32): u32 {
  return readU32(shared + ((<usize>(i * ((n + 3) >> 2) + (c >> 2))) << 2));
}

function writeInverse(out: usize): void {
  memory.fill(out, 0, row * n);
  for (let i: u32 = 0; i < n; i++) {
    const end = chainStart(i + 1);
    for (let at = chainStart(i); at < end; at++) {
      const pivot = pivots + ((<usize>readU32(chains + ((<usize>at) << 2))) << 3);
      writeF64(out + rowOf(at) + ((<usize>i) << 3), 0, readF64(factorAt(at)) * readF64(pivot));
    }
  }
  for (let i = <i32>n - 1; i >= 0; i--) combineLower(out, i);
  for (let i: usize = 0; i < n; i++) {
    for (let k: usize = 0; k < i; k++) writeF64(out + row * k + (i << 3), 0, readF64(out + row * i + (k << 3)));
  }
}

/** Row i of Z becomes row i of Y Z, columns 0 .. i and up to three more. */
function combineLower(Z: usize, i: u32): void {
  const start = chainStart(i);
  const own = Z + row * i;
  let c: u32 = 0;
  for (; c <= i && c + 4 <= n; c += 4) {
    const stop = start + termsOf(i, c);
    const from = Z + ((<usize>c) << 3);
    let low = f64x2.splat(0);
    let high = f64x2.splat(0);
    for (let at = start; at < stop; at++) {
      const y = readTwice(factorAt(at));
      const z = from + rowOf(at);
      low = add(low, mul(y, readLanes(z)));
      high = add(high, mul(y, readLanes(z, 16)));
    }
    const to = own + ((<usize>c) << 3);
    writeV128(to, 0, low);
    writeV128(to, 16, high);
  }
  for (; c <= i; c++) combineEntry(Z, i, c, start);
}

function combineEntry(Z: usize, i: u32, c: u32, start: u32): void {
  const stop = start + termsOf(i, c);
  const from = Z + ((<usize>c) << 3);
  let sum: f64 = 0;
  for (let at = start; at < stop; at++) sum += readF64(factorAt(at)) * readF64(from + rowOf(at));
  writeF64(from + row * i, 0, sum);
}

/** to += y a + z b, columns first .. end - 1. */
@inline
function addTwo(to: usize, y: f64, a: usize, z: f64, b: usize, first: u32, end: u32): void {
  const twice = f64x2.splat(y);
  const other = f64x2.splat(z);
  let c: usize = (<usize>first) << 3;
  const last: usize = (<usize>end) << 3;
  for (; c + 16 <= last; c += 16) {
    writeV128(to + c, 0, add(readLanes(to + c), add(mul(twice, readLanes(a + c)), mul(other, readLanes(b + c)))));
  }
  if (c < last) writeF64(to + c, 0, readF64(to + c) + (y * readF64(a + c) + z * readF64(b + c)));
}

/** to += y a, columns first .. end - 1. */
@inline
function addOne(to: usize, y: f64, a: usize, first: u32, end: u32): void {
  const twice = f64x2.splat(y);
  let c: usize = (<usize>first) << 3;
  const last: usize = (<usize>end) << 3;
  for (; c + 16 <= last; c += 16) writeV128(to + c, 0, add(readLanes(to + c), mul(twice, readLanes(a + c))));
  if (c < last) writeF64(to + c, 0, readF64(to + c) + y * readF64(a + c));
}

/** Y^T B: rows of B go to the rows of what supports them, two at a time where one follows the other on a branch. */
function spreadRows(dtauDq: usize, dtauDv: usize, ddqDq: usize, ddqDv: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    const start = chainStart(i);
    const next = chainStart(i + 1);
    const length = next - 1 - start;
    const from = row * i;
    const firstRun = readU32(runStarts + ((<usize>i) << 2));
    const lastRun = readU32(runStarts + ((<usize>i) << 2), 4);
    const isPair = i + 1 < n && chainStart(i + 2) - next == length + 2;
    const follows = from + row;
    for (let r = firstRun; r < lastRun; r += 2) {
      const first = readU32(runs + ((<usize>r) << 2));
      const end = readU32(runs + ((<usize>r) << 2), 4);
      for (let t: u32 = 0; t < length; t++) {
        const to = rowOf(start + t);
        const y = readF64(factorAt(start + t));
        if (isPair) {
          const z = readF64(factorAt(next + t));
          addTwo(ddqDq + to, y, dtauDq + from, z, dtauDq + follows, first, end);
          addTwo(ddqDv + to, y, dtauDv + from, z, dtauDv + follows, first, end);
        } else {
          addOne(ddqDq + to, y, dtauDq + from, first, end);
          addOne(ddqDv + to, y, dtauDv + from, first, end);
        }
      }
      if (isPair) {
        // The second row goes to the first one too.
        const z = readF64(factorAt(next + length));
        addOne(ddqDq + from, z, dtauDq + follows, first, end);
        addOne(ddqDv + from, z, dtauDv + follows, first, end);
      }
    }
    if (isPair) i++;
  }
}

/** Rows times -D^-1: what is zero in them stays zero. */
function scaleRows(ddqDq: usize, ddqDv: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    const factor = -readF64(pivots + ((<usize>i) << 3));
    const firstRun = readU32(runStarts + ((<usize>i) << 2));
    const lastRun = readU32(runStarts + ((<usize>i) << 2), 4);
    for (let r = firstRun; r < lastRun; r += 2) {
      const end = row * i + ((<usize>readU32(runs + ((<usize>r) << 2), 4)) << 3);
      for (let k = row * i + ((<usize>readU32(runs + ((<usize>r) << 2))) << 3); k < end; k += 8) {
        writeF64(ddqDq + k, 0, readF64(ddqDq + k) * factor);
        writeF64(ddqDv + k, 0, readF64(ddqDv + k) * factor);
      }
    }
  }
}

/** Row i of A and of B becomes row i of Y A and Y B. */
function combineBoth(A: usize, B: usize, i: u32): void {
  const start = chainStart(i);
  let c: u32 = 0;
  for (; c + 8 <= n; c += 8) combineEight(A, B, i, start, c);
  if (c + 4 <= n) {
    combineFour(A, B, i, start, c);
    c += 4;
  }
  for (; c < n; c++) {
    combineEntry(A, i, c, start);
    combineEntry(B, i, c, start);
  }
}

function combineFour(A: usize, B: usize, i: u32, start: u32, c: u32): void {
  const stop = start + termsOf(i, c);
  const column = (<usize>c) << 3;
  let a0 = f64x2.splat(0);
  let a1 = f64x2.splat(0);
  let b0 = f64x2.splat(0);
  let b1 = f64x2.splat(0);
  for (let at = start; at < stop; at++) {
    const y = readTwice(factorAt(at));
    const z = rowOf(at) + column;
    a0 = add(a0, mul(y, readLanes(A + z)));
    a1 = add(a1, mul(y, readLanes(A + z, 16)));
    b0 = add(b0, mul(y, readLanes(B + z)));
    b1 = add(b1, mul(y, readLanes(B + z, 16)));
  }
  const to = row * i + column;
  writeV128(A + to, 0, a0);
  writeV128(A + to, 16, a1);
  writeV128(B + to, 0, b0);
  writeV128(B + to, 16, b1);
}

/** Two times four columns: what both share in one go, then what one has more. */
function combineEight(A: usize, B: usize, i: u32, start: u32, c: u32): void {
  const first = start + termsOf(i, c);
  const second = start + termsOf(i, c + 4);
  const both = min(first, second);
  const column = (<usize>c) << 3;
  let a0 = f64x2.splat(0);
  let a1 = f64x2.splat(0);
  let a2 = f64x2.splat(0);
  let a3 = f64x2.splat(0);
  let b0 = f64x2.splat(0);
  let b1 = f64x2.splat(0);
  let b2 = f64x2.splat(0);
  let b3 = f64x2.splat(0);
  let at = start;
  for (; at < both; at++) {
    const y = readTwice(factorAt(at));
    const z = rowOf(at) + column;
    a0 = add(a0, mul(y, readLanes(A + z)));
    a1 = add(a1, mul(y, readLanes(A + z, 16)));
    a2 = add(a2, mul(y, readLanes(A + z, 32)));
    a3 = add(a3, mul(y, readLanes(A + z, 48)));
    b0 = add(b0, mul(y, readLanes(B + z)));
    b1 = add(b1, mul(y, readLanes(B + z, 16)));
    b2 = add(b2, mul(y, readLanes(B + z, 32)));
    b3 = add(b3, mul(y, readLanes(B + z, 48)));
  }
  for (; at < first; at++) {
    const y = readTwice(factorAt(at));
    const z = rowOf(at) + column;
    a0 = add(a0, mul(y, readLanes(A + z)));
    a1 = add(a1, mul(y, readLanes(A + z, 16)));
    b0 = add(b0, mul(y, readLanes(B + z)));
    b1 = add(b1, mul(y, readLanes(B + z, 16)));
  }
  for (; at < second; at++) {
    const y = readTwice(factorAt(at));
    const z = rowOf(at) + column;
    a2 = add(a2, mul(y, readLanes(A + z, 32)));
    a3 = add(a3, mul(y, readLanes(A + z, 48)));
    b2 = add(b2, mul(y, readLanes(B + z, 32)));
    b3 = add(b3, mul(y, readLanes(B + z, 48)));
  }
  const to = row * i + column;
  writeV128(A + to, 0, a0);
  writeV128(A + to, 16, a1);
  writeV128(A + to, 32, a2);
  writeV128(A + to, 48, a3);
  writeV128(B + to, 0, b0);
  writeV128(B + to, 16, b1);
  writeV128(B + to, 32, b2);
  writeV128(B + to, 48, b3);
}

// The block of a robot's contacts, for robot-newton.ts, robot-linear.ts and robot-sweeps.ts: where its arrays are, and rows of Jacobians
// with velocities.
//
// A row has numbers for the velocities of its branch alone, which are a few runs of velocities that follow each other: [first, count].
// Block: src/simulation/robot-kernel.ts makes it.
import {
  BLOCK_BYTES,
  BLOCK_JACOBIAN,
  BLOCK_KIND,
  BLOCK_ROW,
  BLOCK_RUNS,
  BLOCK_RUNS_END,
  BLOCK_VELOCITIES,
  ISLAND_BIASES,
  ISLAND_BYTES,
  ISLAND_COUNT,
  ISLAND_DIAGONALS,
  ISLAND_FRICTIONS,
  ISLAND_IMPULSES,
  ISLAND_LOWER,
  ISLAND_MATRIX,
  ISLAND_N,
  ISLAND_PYRAMIDAL,
  ISLAND_REGIMES,
  ISLAND_ROBOT,
  ISLAND_ROW_COUNT,
  ISLAND_ROW_ROOM,
  ISLAND_ROW_WORK,
  ISLAND_SUPPORTS,
  ISLAND_TABLE,
  ISLAND_UPPER,
  ISLAND_VELOCITIES,
  ISLAND_VELOCITY_ROOM,
  STEPPED_BYTES,
} from '../../src/kernel/contact-layout';
import { openWork, readF64, readLanes, readU32, writeF64, writeV128 } from '../memory';

export let table: usize = 0;
export let tableEnd: usize = 0;
export let frictions: usize = 0;
export let diagonals: usize = 0;
export let lower: usize = 0;
export let upper: usize = 0;
export let biases: usize = 0;
export let impulses: usize = 0;
export let matrix: usize = 0;
export let supports: usize = 0;
export let regimes: usize = 0;
/** Velocities without impulses, of the solve, and two for work. */
export let start: usize = 0;
export let u: usize = 0;
export let change: usize = 0;
export let reached: usize = 0;
/** Per row, for work; `B` has three times as many. */
export let best: usize = 0;
export let w: usize = 0;
export let wp: usize = 0;
export let p: usize = 0;
export let fixed: usize = 0;
export let between: usize = 0;
export let next: usize = 0;
export let B: usize = 0;
export let n: u32 = 0;
export let rowCount: u32 = 0;
export let isPyramidal: bool = false;
/** The block of the robot, or 0. */
export let robot: usize = 0;

export function openIsland(block: usize): void {
  const bytes = <usize>load<u32>(block, ISLAND_BYTES);
  robot = <usize>load<u32>(block, ISLAND_ROBOT);
  if (robot == 0) openWork(block, bytes, block, bytes);
  else openWork(block, bytes, robot, <usize>load<u32>(robot, STEPPED_BYTES));
  table = <usize>readU32(block, ISLAND_TABLE);
  tableEnd = table + <usize>readU32(block, ISLAND_COUNT) * BLOCK_BYTES;
  frictions = <usize>readU32(block, ISLAND_FRICTIONS);
  diagonals = <usize>readU32(block, ISLAND_DIAGONALS);
  lower = <usize>readU32(block, ISLAND_LOWER);
  upper = <usize>readU32(block, ISLAND_UPPER);
  biases = <usize>readU32(block, ISLAND_BIASES);
  impulses = <usize>readU32(block, ISLAND_IMPULSES);
  matrix = <usize>readU32(block, ISLAND_MATRIX);
  supports = <usize>readU32(block, ISLAND_SUPPORTS);
  regimes = <usize>readU32(block, ISLAND_REGIMES);
  n = readU32(block, ISLAND_N);
  rowCount = readU32(block, ISLAND_ROW_COUNT);
  isPyramidal = readU32(block, ISLAND_PYRAMIDAL) != 0;
  const velocityBytes = (<usize>readU32(block, ISLAND_VELOCITY_ROOM)) << 3;
  start = <usize>readU32(block, ISLAND_VELOCITIES);
  u = start + velocityBytes;
  change = u + velocityBytes;
  reached = change + velocityBytes;
  const rowBytes = (<usize>readU32(block, ISLAND_ROW_ROOM)) << 3;
  best = <usize>readU32(block, ISLAND_ROW_WORK);
  w = best + rowBytes;
  wp = w + rowBytes;
  p = wp + rowBytes;
  fixed = p + rowBytes;
  between = fixed + rowBytes;
  next = between + rowBytes;
  B = next + rowBytes;
}

@inline
export function kindOf(t: usize): u32 {
  return readU32(t, BLOCK_KIND);
}

@inline
export function rowOf(t: usize): usize {
  return <usize>readU32(t, BLOCK_ROW);
}

@inline
export function jacobianOf(t: usize): usize {
  return <usize>readU32(t, BLOCK_JACOBIAN);
}

@inline
export function countOf(t: usize): usize {
  return <usize>readU32(t, BLOCK_VELOCITIES);
}

@inline
export function runsOf(t: usize): usize {
  return <usize>readU32(t, BLOCK_RUNS);
}

@inline
export function runsEndOf(t: usize): usize {
  return <usize>readU32(t, BLOCK_RUNS_END);
}

@inline
export function mul(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}

@inline
export function add(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}

@inline
export function sub(a: v128, b: v128): v128 {
  return f64x2.sub(a, b);
}

@inline
export function splat(a: f64): v128 {
  return f64x2.splat(a);
}

export function copyNumbers(to: usize, from: usize, count: u32): void {
  for (let k: usize = 0; k < (<usize>count) << 3; k += 8) writeF64(to + k, 0, readF64(from + k));
}

/** v += a row at j, times a. */
@inline
export function addRow(v: usize, t: usize, j: usize, a: f64): void {
  const scale = splat(a);
  const end = runsEndOf(t);
  for (let run = runsOf(t); run < end; run += 8) {
    let at = v + ((<usize>readU32(run)) << 3);
    const stop = at + ((<usize>readU32(run, 4)) << 3);
    for (; at + 8 < stop; at += 16, j += 16) writeV128(at, 0, add(readLanes(at), mul(readLanes(j), scale)));
    if (at < stop) {
      writeF64(at, 0, readF64(at) + readF64(j) * a);
      j += 8;
    }
  }
}

/** v += (x, y, z) times three rows, all three products summed first. */
@inline
export function addRows(v: usize, t: usize, x: f64, y: f64, z: f64): void {
  const bytes = countOf(t) << 3;
  const a = splat(x);
  const b = splat(y);
  const c = splat(z);
  let j = jacobianOf(t);
  const end = runsEndOf(t);
  for (let run = runsOf(t); run < end; run += 8) {
    let at = v + ((<usize>readU32(run)) << 3);
    const stop = at + ((<usize>readU32(run, 4)) << 3);
    for (; at + 8 < stop; at += 16, j += 16)
      writeV128(
        at,
        0,
        add(
          readLanes(at),
          add(add(mul(readLanes(j), a), mul(readLanes(j + bytes), b)), mul(readLanes(j + 2 * bytes), c)),
        ),
      );
    if (at < stop) {
      writeF64(at, 0, readF64(at) + (readF64(j) * x + readF64(j + bytes) * y + readF64(j + 2 * bytes) * z));
      j += 8;
    }
  }
}

/** v += (x, y, z) times three rows, one product after the other. */
@inline
export function addRowsInTurn(v: usize, t: usize, x: f64, y: f64, z: f64): void {
  const bytes = countOf(t) << 3;
  const a = splat(x);
  const b = splat(y);
  const c = splat(z);
  let j = jacobianOf(t);
  const end = runsEndOf(t);
  for (let run = runsOf(t); run < end; run += 8) {
    let at = v + ((<usize>readU32(run)) << 3);
    const stop = at + ((<usize>readU32(run, 4)) << 3);
    for (; at + 8 < stop; at += 16, j += 16)
      writeV128(
        at,
        0,
        add(
          add(add(readLanes(at), mul(readLanes(j), a)), mul(readLanes(j + bytes), b)),
          mul(readLanes(j + 2 * bytes), c),
        ),
      );
    if (at < stop) {
      writeF64(at, 0, readF64(at) + readF64(j) * x + readF64(j + bytes) * y + readF64(j + 2 * bytes) * z);
      j += 8;
    }
  }
}

/** What measureContact and measureRow found. */
export let first: f64 = 0;
export let second: f64 = 0;
export let third: f64 = 0;

/** The three rows of t times v, summed from the given numbers on, to `first`, `second`, `third`. */
@inline
export function measureContact(v: usize, t: usize, x: f64, y: f64, z: f64): void {
  const bytes = countOf(t) << 3;
  let j = jacobianOf(t);
  const end = runsEndOf(t);
  let both = f64x2.replace_lane(splat(x), 1, y);
  let last = z;
  for (let run = runsOf(t); run < end; run += 8) {
    let at = v + ((<usize>readU32(run)) << 3);
    const stop = at + ((<usize>readU32(run, 4)) << 3);
    for (; at < stop; at += 8, j += 8) {
      const value = readF64(at);
      both = add(both, mul(f64x2.replace_lane(splat(readF64(j)), 1, readF64(j + bytes)), splat(value)));
      last += readF64(j + 2 * bytes) * value;
    }
  }
  first = f64x2.extract_lane(both, 0);
  second = f64x2.extract_lane(both, 1);
  third = last;
}

/** The one row of t times v, summed from x on. */
@inline
export function measureRow(v: usize, t: usize, x: f64): f64 {
  let j = jacobianOf(t);
  const end = runsEndOf(t);
  for (let run = runsOf(t); run < end; run += 8) {
    let at = v + ((<usize>readU32(run)) << 3);
    const stop = at + ((<usize>readU32(run, 4)) << 3);
    for (; at < stop; at += 8, j += 8) x += readF64(j) * readF64(at);
  }
  return x;
}

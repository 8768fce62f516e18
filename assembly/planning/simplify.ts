// Shortens a path in the kernel: the rounds of src/planning/simplify.ts (its comment says how and where from), on states in one
// array. Both give the same path, bit by bit, where they are given the same verdicts.
//
// A vertex has a number of its own, by which pairs whose motion failed are remembered, and says whether it lies between its
// neighbours on a motion that is known to be free, and to which vertices the motion from it has passed samples or is proven. Tested by
// test/contract/planner-kernel.test.ts and test/oracle/planning-spheres.test.ts.
import {
  LATER_REACH,
  MEMO_VERTICES,
  S_FAILED,
  S_NEXT_VERTEX,
  S_PATH,
  S_PATH_COUNT,
  S_PATH_ROOM,
  S_ROUND,
  S_STOPPED,
  S_VERTICES,
} from '../../src/planning/kernel/layout';
import { allocate, enlarge, must, release } from './blocks';
import { isMotionFree, isMotionProven } from './checks';
import { copyState, distance, interpolate, lastState, search, stateBytes } from './search';

const MEMO_BYTES: usize = (MEMO_VERTICES * MEMO_VERTICES) / 8;

@inline
function stateAt(i: i32): usize {
  must(<u32>i < load<u32>(search, S_PATH_ROOM));
  return <usize>load<u32>(search, S_PATH) + <usize>i * stateBytes;
}

@inline
function vertexAt(i: i32): usize {
  must(<u32>i < load<u32>(search, S_PATH_ROOM));
  return <usize>load<u32>(search, S_VERTICES) + ((<usize>i) << 4);
}

@inline
function isBetween(i: i32): bool {
  return load<i32>(vertexAt(i), 4) !== 0;
}

function number(i: i32, between: bool): void {
  const next = load<i32>(search, S_NEXT_VERTEX);
  store<i32>(search, next + 1, S_NEXT_VERTEX);
  store<i32>(vertexAt(i), next);
  store<i32>(vertexAt(i), between ? 1 : 0, 4);
  store<i32>(vertexAt(i), -1, 8);
  store<i32>(vertexAt(i), -1, 12);
}

/** Remembers that the motion from i to j passed samples, or is proven. */
@inline
function pass(i: i32, j: i32, proves: bool): void {
  store<i32>(vertexAt(i) + (proves ? 12 : 8), load<i32>(vertexAt(j)));
}

@inline
function isProven(i: i32, j: i32): bool {
  return load<i32>(vertexAt(i), 12) === load<i32>(vertexAt(j));
}

@inline
function isFree(a: usize, b: usize, step: f64, proves: bool): bool {
  return proves ? isMotionProven(a, b) : isMotionFree(a, b, step);
}

/** Room for a path of `count` states; returns the address of the first. */
export function openPath(count: i32): usize {
  const room = load<i32>(search, S_PATH_ROOM);
  if (room < count) {
    if (room > 0) closePath();
    store<u32>(search, <u32>allocate(<usize>(2 * count) * stateBytes), S_PATH);
    store<u32>(search, <u32>allocate((<usize>(2 * count)) << 4), S_VERTICES);
    store<u32>(search, <u32>allocate(MEMO_BYTES), S_FAILED);
    store<i32>(search, 2 * count, S_PATH_ROOM);
  }
  store<i32>(search, count, S_PATH_COUNT);
  forgetFailures();
  return load<u32>(search, S_PATH);
}

/** Forgets which motions failed: they are asked at another step from now on. */
export function forgetFailures(): void {
  memory.fill(load<u32>(search, S_FAILED), 0, MEMO_BYTES);
  store<i32>(search, 0, S_NEXT_VERTEX);
  store<i32>(search, 0, S_ROUND);
  for (let i = 0, count = load<i32>(search, S_PATH_COUNT); i < count; i++) number(i, false);
}

export function closePath(): void {
  const room = load<i32>(search, S_PATH_ROOM);
  if (room === 0) return;
  release(load<u32>(search, S_PATH), <usize>room * stateBytes);
  release(load<u32>(search, S_VERTICES), (<usize>room) << 4);
  release(load<u32>(search, S_FAILED), MEMO_BYTES);
  store<i32>(search, 0, S_PATH_ROOM);
}

/** Address of the byte that remembers a pair, and its bit; 0 beyond what is remembered. */
@inline
function memoOf(i: i32, j: i32): usize {
  const a = load<u32>(vertexAt(i));
  const b = load<u32>(vertexAt(j));
  if (a >= <u32>MEMO_VERTICES || b >= <u32>MEMO_VERTICES) return 0;
  return <usize>load<u32>(search, S_FAILED) + ((<usize>a * MEMO_VERTICES + b) >> 3);
}

function canSkip(i: i32, j: i32, step: f64, proves: bool): bool {
  if (j === i + 2 && isBetween(i + 1)) {
    if (isProven(i, i + 1) && isProven(i + 1, j)) pass(i, j, true);
    return true;
  }
  const memo = memoOf(i, j);
  const bit = 1 << (load<u32>(vertexAt(j)) & 7);
  if (memo !== 0 && (load<u8>(memo) & bit) !== 0) return false;
  if (isFree(stateAt(i), stateAt(j), step, proves)) {
    pass(i, j, proves);
    return true;
  }
  if (memo !== 0 && load<i32>(search, S_STOPPED) === 0) store<u8>(memo, load<u8>(memo) | bit);
  return false;
}

/** Removes the vertices between i and j. */
function cut(i: i32, j: i32): void {
  const count = load<i32>(search, S_PATH_COUNT);
  memory.copy(stateAt(i + 1), stateAt(j), <usize>(count - j) * stateBytes);
  memory.copy(vertexAt(i + 1), vertexAt(j), (<usize>(count - j)) << 4);
  store<i32>(search, count - (j - i - 1), S_PATH_COUNT);
}

/** How many vertices ahead shortcuts go: all in the first round; after it those that failed would, but for near ones, fail again. */
@inline
function reach(): i32 {
  return load<i32>(search, S_ROUND) === 0 ? i32.MAX_VALUE : LATER_REACH;
}

/** From each vertex straight to the farthest later one that can be reached. */
function skip(step: f64, proves: bool): bool {
  let changed = false;
  for (let i = 0; i < load<i32>(search, S_PATH_COUNT) - 2; i++) {
    for (let j = min(load<i32>(search, S_PATH_COUNT) - 1 - i, reach()) + i; j > i + 1; j--) {
      if (load<i32>(search, S_STOPPED) !== 0) return changed;
      if (!canSkip(i, j, step, proves)) continue;
      if (j !== i + 2 || !isBetween(i + 1)) {
        changed = true;
        // Its neighbours changed: what lay between them may no longer.
        store<i32>(vertexAt(i), 0, 4);
        store<i32>(vertexAt(j), 0, 4);
      }
      cut(i, j);
      break;
    }
  }
  return changed;
}

/** Halves every motion; cuts the old corners off, or pulls them inwards. */
function pull(leastChange: f64, step: f64, proves: bool): bool {
  const count = load<i32>(search, S_PATH_COUNT);
  if (count < 3) return false;
  const room = load<i32>(search, S_PATH_ROOM);
  if (2 * count > room) {
    store<u32>(
      search,
      <u32>enlarge(load<u32>(search, S_PATH), <usize>room * stateBytes, <usize>(2 * room) * stateBytes),
      S_PATH,
    );
    store<u32>(search, <u32>enlarge(load<u32>(search, S_VERTICES), (<usize>room) << 4, (<usize>room) << 5), S_VERTICES);
    store<i32>(search, 2 * room, S_PATH_ROOM);
  }
  for (let i = count - 1; i >= 0; i--) {
    if (i > 0) {
      memory.copy(stateAt(2 * i), stateAt(i), stateBytes);
      v128.store(vertexAt(2 * i), v128.load(vertexAt(i)));
    }
  }
  for (let i = 1; i < 2 * count - 1; i += 2) {
    interpolate(stateAt(i), stateAt(i - 1), stateAt(i + 1), 0.5);
    number(i, true);
    if (!isProven(i - 1, i + 1)) continue;
    pass(i - 1, i, true);
    pass(i, i + 1, true);
  }
  let last = 2 * count - 1;
  store<i32>(search, last, S_PATH_COUNT);
  const before = lastState(0);
  const after = lastState(1);
  const middle = lastState(2);
  let changed = false;
  for (let i = 2; i < last - 1; i += 2) {
    if (load<i32>(search, S_STOPPED) !== 0) return changed;
    interpolate(before, stateAt(i), stateAt(i - 1), 0.5);
    interpolate(after, stateAt(i), stateAt(i + 1), 0.5);
    interpolate(middle, before, after, 0.5);
    if (!(distance(stateAt(i), middle) > leastChange)) continue;
    if (isFree(stateAt(i - 1), stateAt(i + 1), step, proves)) {
      pass(i - 1, i + 1, proves);
      store<i32>(vertexAt(i - 1), 0, 4);
      store<i32>(vertexAt(i + 1), 0, 4);
      cut(i - 1, i + 1);
      last--;
      i--;
      changed = true;
      continue;
    }
    if (!isFree(stateAt(i - 1), middle, step, proves) || !isFree(middle, stateAt(i + 1), step, proves)) continue;
    copyState(stateAt(i), middle);
    number(i, false);
    pass(i - 1, i, proves);
    pass(i, i + 1, proves);
    store<i32>(vertexAt(i - 1), 0, 4);
    store<i32>(vertexAt(i + 1), 0, 4);
    changed = true;
  }
  return changed;
}

/** One round, by samples or by proofs: 1 when it changed the path. */
export function simplifyRound(leastChange: f64, step: f64, proves: bool): i32 {
  const round = load<i32>(search, S_ROUND);
  // Most shortcuts of the first round fail, which samples see sooner, and what comes of the others is pulled.
  const skipped = skip(step, proves && round > 0);
  const pulled = pull(leastChange, step, proves);
  store<i32>(search, round + 1, S_ROUND);
  return skipped || pulled ? 1 : 0;
}

/** Length of the path. */
export function measurePath(): f64 {
  let length: f64 = 0;
  for (let i = 1, count = load<i32>(search, S_PATH_COUNT); i < count; i++)
    length += distance(stateAt(i - 1), stateAt(i));
  return length;
}

/** Takes out the vertices that lie between their neighbours; returns how many states are left. */
export function tidyPath(): i32 {
  for (let i = load<i32>(search, S_PATH_COUNT) - 2; i > 0; i--) {
    if (!isBetween(i)) continue;
    if (isProven(i - 1, i) && isProven(i, i + 1)) pass(i - 1, i + 1, true);
    cut(i - 1, i + 1);
  }
  return load<i32>(search, S_PATH_COUNT);
}

/**
 * First motion of the path that is not free, -1 for none. What is proven, or can be where proofs are to be had, is. `coarse`: step at
 * which motions were checked before, 0 where that may not be used: then a motion that passed is asked only for the states between
 * those it passed at.
 */
export function findBlocked(step: f64, coarse: f64, proves: bool): i32 {
  for (let i = 1, count = load<i32>(search, S_PATH_COUNT); i < count; i++) {
    if (proves && (isProven(i - 1, i) || isMotionProven(stateAt(i - 1), stateAt(i)))) continue;
    const hasPassed = load<i32>(vertexAt(i - 1), 8) === load<i32>(vertexAt(i));
    if (coarse > 0 && hasPassed && isFreeBetween(stateAt(i - 1), stateAt(i), step, coarse)) continue;
    if (!isMotionFree(stateAt(i - 1), stateAt(i), step)) return i - 1;
  }
  return -1;
}

/**
 * Whether the states between the samples of a motion are free. Checks take samples k / n, n the least multiple of four with a spacing of
 * at most the step; a motion that is shifted by a part of the spacing has its samples between them. False also where that
 * cannot be said: where rounding may make n another, or the shifted motion begins beyond a limit.
 */
function isFreeBetween(a: usize, b: usize, step: f64, coarse: f64): bool {
  const parts = coarse / step;
  const quarters = distance(a, b) / (4 * coarse);
  const n = 4 * ceil(quarters);
  if (parts !== floor(parts) || !(n > 0) || abs(quarters - nearest(quarters)) < 1e-6) return false;
  const from = lastState(0);
  const to = lastState(1);
  for (let part: f64 = 1; part < parts; part++) {
    const shift = (part / parts - 1) / n;
    interpolate(from, a, b, shift);
    interpolate(to, a, b, 1 + shift);
    if (!isMotionFree(from, to, coarse)) return false;
  }
  return true;
}

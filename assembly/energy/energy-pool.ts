// The pool of an energy tree: records of pairs of nodes in groups, free groups, and a log of what an update replaces.
//
// A record is 4 group + place. Groups that an update gives up are kept until the next one, so that it can be taken back.
// Layout: kernel/layout.ts, ENERGY_... Cost: constant per record; giving up a group costs what is below it, once.
import {
  ENERGY_FREE,
  ENERGY_GIVEN_UP,
  ENERGY_GROUP_BYTES,
  ENERGY_GROUPS,
  ENERGY_LOG_BYTES,
  ENERGY_LOGGED,
} from '../../src/kernel/layout';
import { readF64, readU32, readV128, writeF64, writeU32, writeV128 } from '../memory';

let block: usize = 0;
let pool: usize = 0;
let groups: u32 = 0;
let isExhausted: bool = false;

export function openPool(theBlock: usize, thePool: usize): void {
  block = theBlock;
  pool = thePool;
  groups = readU32(block, ENERGY_GROUPS);
  isExhausted = false;
}

/** Whether a group was asked for that there was not. */
@inline
export function isPoolExhausted(): bool {
  return isExhausted;
}

@inline
export function sumsOf(record: u32): usize {
  return pool + <usize>(record >> 2) * ENERGY_GROUP_BYTES + ((<usize>(record & 3)) << 4);
}

/** Group below a record, 0: none. */
@inline
export function belowOf(record: u32): usize {
  return pool + <usize>(record >> 2) * ENERGY_GROUP_BYTES + 64 + ((<usize>(record & 3)) << 2);
}

@inline
function freeList(): usize {
  return pool + <usize>groups * ENERGY_GROUP_BYTES;
}

@inline
function givenUpList(): usize {
  return freeList() + ((<usize>groups) << 2);
}

@inline
function recordLog(): usize {
  return givenUpList() + ((<usize>groups) << 2);
}

function pushFree(group: u32): void {
  const count = readU32(block, ENERGY_FREE);
  writeU32(freeList() + ((<usize>count) << 2), 0, group);
  writeU32(block, ENERGY_FREE, count + 1);
}

function freeBelow(group: u32): void {
  for (let place: u32 = 0; place < 4; place++) {
    const below = readU32(belowOf((group << 2) + place));
    if (below != 0) freeBelow(below);
  }
  pushFree(group);
}

/** Group of empty records, 0 when there is none left. */
export function takeGroup(): u32 {
  const count = readU32(block, ENERGY_FREE);
  if (count == 0) {
    isExhausted = true;
    return 0;
  }
  writeU32(block, ENERGY_FREE, count - 1);
  const group = readU32(freeList() + ((<usize>(count - 1)) << 2));
  const start = sumsOf(group << 2);
  const zero = f64x2.splat(0);
  for (let k: usize = 0; k < <usize>ENERGY_GROUP_BYTES; k += 16) writeV128(start, k, zero);
  return group;
}

/** The last update is there to stay: what it gave up is free. */
export function commitRecords(): void {
  const count = readU32(block, ENERGY_GIVEN_UP);
  for (let i: u32 = 0; i < count; i++) freeBelow(readU32(givenUpList() + ((<usize>i) << 2)));
  writeU32(block, ENERGY_GIVEN_UP, 0);
  writeU32(block, ENERGY_LOGGED, 0);
}

/** Puts back what the last update replaced. */
export function restoreRecords(): void {
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
  writeU32(block, ENERGY_GIVEN_UP, 0);
  writeU32(block, ENERGY_LOGGED, 0);
}

/** Saves a record and gives it new sums and what is below. */
export function setRecord(record: u32, lennardJones: f64, electrostatic: f64, below: u32): void {
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

/** Which records of a group have ever been set, a bit each. */
@inline
export function touchedOf(group: u32): usize {
  return pool + <usize>group * ENERGY_GROUP_BYTES + 80;
}

/** Adds up the records of the group below and sets the record to the sum. */
export function sumGroup(record: u32, group: u32): void {
  const at = sumsOf(group << 2);
  const sum = f64x2.add(f64x2.add(readV128(at), readV128(at, 16)), f64x2.add(readV128(at, 32), readV128(at, 48)));
  setRecord(record, f64x2.extract_lane(sum, 0), f64x2.extract_lane(sum, 1), group);
}

/** Most pairs that are apart were so before as well. */
@inline
export function clearRecord(record: u32): void {
  const sums = sumsOf(record);
  const below = readU32(belowOf(record));
  if (below == 0 && readF64(sums) == 0 && readF64(sums, 8) == 0) return;
  if (below != 0) giveUp(below);
  setRecord(record, 0, 0, 0);
}

function giveUp(group: u32): void {
  const count = readU32(block, ENERGY_GIVEN_UP);
  writeU32(givenUpList() + ((<usize>count) << 2), 0, group);
  writeU32(block, ENERGY_GIVEN_UP, count + 1);
}

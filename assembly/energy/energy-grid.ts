// Pairs of atoms within a cutoff by a grid of cells: the atoms of some pieces of a molecule are sorted into cells, those of
// another piece ask for the ones near them.
//
// Method: 1. A counting sort by cells, rows of cells along x. Positions and parameters are copied in that order, so that a
// row's cells are one stretch of memory. 2. An atom looks at the rows within the cutoff, each from the first to the last cell
// that its sphere reaches, and lists what is near (energy-pairs.ts). 3. An atom that bonds may join to one of the others
// takes those out of its list; pairs three bonds apart are added with their own parameters. 4. The list is added up.
// With `isInside` the asking atoms are those of the grid, and each looks only at the places behind its own: half of all pairs.
// Block: kernel/layout.ts, GRID_... Tests: src/molecule/energy/energy-tree.test.ts, on the checked build too.
import {
  GRID_ADDED,
  GRID_ADDED_COUNT,
  GRID_ATOM_COUNT,
  GRID_ATOMS,
  GRID_BYTES,
  GRID_CELLS,
  GRID_CONSTANTS,
  GRID_COUNTS,
  GRID_EXTENT,
  GRID_FINENESS,
  GRID_FLOAT_BYTES,
  GRID_FLOATS,
  GRID_LIST,
  GRID_MOST_CELLS,
  GRID_NEAR,
  GRID_NEAR_LIST,
  GRID_ORIGIN,
  GRID_PLACES,
  GRID_PLAIN,
  GRID_POSITIONS,
  GRID_RECORDS,
  GRID_SHAPE,
  GRID_SPANS,
  GRID_SPECIAL_STARTS,
  GRID_SPECIALS,
  GRID_STARTS,
  GRID_SUMS,
} from '../../src/kernel/layout';
import {
  addListed,
  addPairs,
  clearList,
  clearSums,
  electrostaticSum,
  lennardJonesSum,
  listedCount,
  listStart,
  listStretch,
  openPairs,
  RECORD_BYTES,
  setListed,
} from './energy-pairs';
import { closeWork, openWork, readF64, readU32, writeF32, writeF64, writeU32 } from '../memory';

let block: usize = 0;
let atomCount: u32 = 0;
let positions: usize = 0;
let plain: usize = 0;
let added: usize = 0;
let places: usize = 0;
let atoms: usize = 0;
let records: usize = 0;
let floats: usize = 0;
let floatBytes: usize = 0;
let starts: usize = 0;

@inline
function at(offset: usize): usize {
  return block + <usize>readU32(block + offset);
}

function open(theBlock: usize): void {
  block = theBlock;
  openWork(block, load<u32>(block, GRID_BYTES), 0, 0);
  atomCount = readU32(block, GRID_ATOM_COUNT);
  positions = at(GRID_POSITIONS);
  plain = at(GRID_PLAIN);
  added = at(GRID_ADDED);
  places = at(GRID_PLACES);
  atoms = at(GRID_ATOMS);
  records = at(GRID_RECORDS);
  floats = at(GRID_FLOATS);
  floatBytes = readU32(block, GRID_FLOAT_BYTES);
  starts = at(GRID_STARTS);
}

/** Adds atoms first .. last - 1 to those that the next sort takes. */
export function addToGrid(theBlock: usize, first: u32, last: u32): void {
  open(theBlock);
  let count = readU32(block, GRID_ADDED_COUNT);
  for (let atom = first; atom < last; atom++) {
    writeU32(added + ((<usize>count) << 2), 0, atom);
    count++;
  }
  writeU32(block, GRID_ADDED_COUNT, count);
  closeWork();
}

/** Sorts what was added, at least one atom, where it is now. */
export function sortGrid(theBlock: usize): void {
  open(theBlock);
  shapeGrid();
  const count = readU32(block, GRID_ADDED_COUNT);
  const columns = readU32(block, GRID_SHAPE);
  const lines = readU32(block, GRID_SHAPE + 4);
  const cellCount = columns * lines * readU32(block, GRID_SHAPE + 8);
  const x0 = readF64(block, GRID_ORIGIN);
  const y0 = readF64(block, GRID_ORIGIN + 8);
  const z0 = readF64(block, GRID_ORIGIN + 16);
  const inverse = readF64(block, GRID_ORIGIN + 24);
  const cells = at(GRID_CELLS);
  memory.fill(starts, 0, (<usize>cellCount + 2) << 2);
  // Counts go two entries ahead: summed up, entry c + 1 is where cell c begins, and filling moves it to its end.
  for (let i: u32 = 0; i < count; i++) {
    const p = positions + <usize>readU32(added + ((<usize>i) << 2)) * 24;
    const line = <u32>((readF64(p, 16) - z0) * inverse) * lines + <u32>((readF64(p, 8) - y0) * inverse);
    const cell = line * columns + <u32>((readF64(p) - x0) * inverse);
    writeU32(cells + ((<usize>i) << 2), 0, cell);
    const start = starts + ((<usize>(cell + 2)) << 2);
    writeU32(start, 0, readU32(start) + 1);
  }
  let sum: u32 = 0;
  for (let cell: u32 = 0; cell < cellCount + 2; cell++) {
    const start = starts + ((<usize>cell) << 2);
    sum += readU32(start);
    writeU32(start, 0, sum);
  }
  for (let i: u32 = 0; i < count; i++) {
    const start = starts + ((<usize>(readU32(cells + ((<usize>i) << 2)) + 1)) << 2);
    const place = readU32(start);
    writeU32(start, 0, place + 1);
    const atom = readU32(added + ((<usize>i) << 2));
    writeU32(atoms + ((<usize>place) << 2), 0, atom);
    writeU32(places + ((<usize>atom) << 2), 0, place);
    writeRecord(records + <usize>place * RECORD_BYTES, atom);
    const p = positions + <usize>atom * 24;
    const float = floats + ((<usize>place) << 2);
    writeF32(float, 0, <f32>readF64(p));
    writeF32(float, floatBytes, <f32>readF64(p, 8));
    writeF32(float, 2 * floatBytes, <f32>readF64(p, 16));
  }
  closeWork();
}

/** Where the grid begins, cells per angstrom and along each axis. Wider cells when the atoms lie far apart. */
function shapeGrid(): void {
  const count = readU32(block, GRID_ADDED_COUNT);
  const most = <f64>readU32(block, GRID_MOST_CELLS);
  let inverse = readF64(block, GRID_FINENESS) / Math.sqrt(readF64(block, GRID_CONSTANTS));
  for (let k: usize = 0; k < 24; k += 8) {
    let low = Infinity;
    let high = -Infinity;
    for (let i: u32 = 0; i < count; i++) {
      const value = readF64(positions + <usize>readU32(added + ((<usize>i) << 2)) * 24 + k);
      low = min(low, value);
      high = max(high, value);
    }
    writeF64(block + k, GRID_ORIGIN, low);
    writeF64(block + k, GRID_EXTENT, high - low);
  }
  let columns = countCells(0, inverse);
  let lines = countCells(8, inverse);
  let planes = countCells(16, inverse);
  while (columns * lines * planes > most) {
    inverse *= 0.8;
    columns = countCells(0, inverse);
    lines = countCells(8, inverse);
    planes = countCells(16, inverse);
  }
  writeU32(block, GRID_SHAPE, <u32>columns);
  writeU32(block, GRID_SHAPE + 4, <u32>lines);
  writeU32(block, GRID_SHAPE + 8, <u32>planes);
  writeF64(block, GRID_ORIGIN + 24, inverse);
}

@inline
function countCells(axis: usize, inverse: f64): f64 {
  return Math.floor(readF64(block + axis, GRID_EXTENT) * inverse) + 1;
}

function writeRecord(record: usize, atom: u32): void {
  const p = positions + <usize>atom * 24;
  const s = plain + <usize>atom * 24;
  for (let k: usize = 0; k < 24; k += 8) {
    writeF64(record + k, 0, readF64(p + k));
    writeF64(record + k, 24, readF64(s + k));
  }
}

/** Adds the pairs of atoms first .. last - 1 with those sorted to the sums; `isInside`: they are all of those sorted. */
export function askGrid(theBlock: usize, first: u32, last: u32, isInside: bool): void {
  open(theBlock);
  openPairs(block + GRID_CONSTANTS, floats, floatBytes, at(GRID_LIST));
  clearSums();
  const x0 = readF64(block, GRID_ORIGIN);
  const y0 = readF64(block, GRID_ORIGIN + 8);
  const z0 = readF64(block, GRID_ORIGIN + 16);
  const inverse = readF64(block, GRID_ORIGIN + 24);
  const columns = <i32>readU32(block, GRID_SHAPE);
  const lines = <i32>readU32(block, GRID_SHAPE + 4);
  const planes = <i32>readU32(block, GRID_SHAPE + 8);
  const radius = Math.sqrt(readF64(block, GRID_CONSTANTS)) * inverse * (1 + 1e-9);
  const radius2 = radius * radius;
  const spans = at(GRID_SPANS);
  let looked: u32 = 0;
  let computed: u32 = 0;
  for (let atom = first; atom < last; atom++) {
    const p = positions + <usize>atom * 24;
    const cx = (readF64(p) - x0) * inverse;
    const cy = (readF64(p, 8) - y0) * inverse;
    const cz = (readF64(p, 16) - z0) * inverse;
    const outX = max(0, max(-cx, cx - <f64>columns));
    const outY = max(0, max(-cy, cy - <f64>lines));
    const outZ = max(0, max(-cz, cz - <f64>planes));
    if (outX * outX + outY * outY + outZ * outZ > radius2) continue;
    clearList();
    const x = f32x4.splat(<f32>readF64(p));
    const y = f32x4.splat(<f32>readF64(p, 8));
    const z = f32x4.splat(<f32>readF64(p, 16));
    const ownLine = <i32>Math.floor(cy);
    const ownPlane = <i32>Math.floor(cz);
    const firstLine = max(0, <i32>Math.floor(cy - radius));
    const lastLine = min(lines - 1, <i32>Math.floor(cy + radius));
    const firstPlane = isInside ? ownPlane : max(0, <i32>Math.floor(cz - radius));
    const lastPlane = min(planes - 1, <i32>Math.floor(cz + radius));
    for (let plane = firstPlane; plane <= lastPlane; plane++) {
      const gapZ = max(0, max(<f64>plane - cz, cz - <f64>plane - 1));
      const isOwnPlane = isInside && plane == ownPlane;
      for (let line = isOwnPlane ? ownLine : firstLine; line <= lastLine; line++) {
        const gapY = max(0, max(<f64>line - cy, cy - <f64>line - 1));
        const left2 = radius2 - gapZ * gapZ - gapY * gapY;
        if (left2 < 0) continue;
        const reach = Math.sqrt(left2);
        const from = max(0, <i32>Math.floor(cx - reach));
        const to = min(columns - 1, <i32>Math.floor(cx + reach));
        if (from > to) continue;
        const row = starts + ((<usize>((plane * lines + line) * columns)) << 2);
        const start =
          isOwnPlane && line == ownLine
            ? readU32(places + ((<usize>atom) << 2)) + 1
            : readU32(row + ((<usize>from) << 2));
        const end = readU32(row + ((<usize>(to + 1)) << 2));
        if (start >= end) continue;
        looked += end - start;
        listStretch(0, x, y, z, start, end);
      }
    }
    const lowest = readU32(spans + ((<usize>atom) << 3));
    const highest = readU32(spans + ((<usize>atom) << 3), 4);
    if (isInside || lowest < first || highest >= last) computed += takeOutBonded(atom, lowest, highest);
    computed += listedCount();
    // Behind the sorted atoms: one without strength, then a place for the one that asks.
    const record = records + <usize>(atomCount + 1) * RECORD_BYTES;
    writeRecord(record, atom);
    addListed(record, records, atomCount);
  }
  writeF64(block, GRID_SUMS, readF64(block, GRID_SUMS) + lennardJonesSum());
  writeF64(block, GRID_SUMS + 8, readF64(block, GRID_SUMS + 8) + electrostaticSum());
  writeU32(block, GRID_COUNTS, readU32(block, GRID_COUNTS) + looked);
  writeU32(block, GRID_COUNTS + 4, readU32(block, GRID_COUNTS + 4) + computed);
  closeWork();
}

/** Takes the atoms at most three bonds away out of the list and adds those three bonds away; returns their number. */
function takeOutBonded(atom: u32, lowest: u32, highest: u32): u32 {
  const specials = at(GRID_SPECIALS);
  const from = readU32(at(GRID_SPECIAL_STARTS) + ((<usize>atom) << 2));
  const to = readU32(at(GRID_SPECIAL_STARTS) + ((<usize>atom) << 2), 4);
  const nearList = at(GRID_NEAR_LIST);
  const list = listStart();
  const count = listedCount();
  let kept: u32 = 0;
  let pairs: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const place = readU32(list + ((<usize>i) << 2));
    const other = readU32(atoms + ((<usize>place) << 2));
    let found: u32 = u32.MAX_VALUE;
    if (other >= lowest && other <= highest) {
      for (let k = from; k < to; k++) {
        const special = readU32(specials + ((<usize>k) << 2));
        if (special >> 1 == other) found = special & 1;
      }
    }
    if (found == u32.MAX_VALUE) {
      writeU32(list + ((<usize>kept) << 2), 0, place);
      kept++;
    } else if (found == 1) {
      writeU32(nearList + ((<usize>pairs) << 3), 0, atom);
      writeU32(nearList + ((<usize>pairs) << 3), 4, other);
      pairs++;
    }
  }
  setListed(kept);
  if (pairs & 1) {
    writeU32(nearList + ((<usize>pairs) << 3), 0, atomCount);
    writeU32(nearList + ((<usize>pairs) << 3), 4, atomCount);
  }
  addPairs(nearList, (pairs + 1) >> 1, positions, 24, at(GRID_NEAR), 24);
  return pairs;
}

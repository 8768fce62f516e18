// Which boxes go together in a tree that is built top down: children and parents of all nodes, in depth-first order.
//
// Method: that of src/broadphase/split-area.ts, to the same tree: of up to 16 bins an axis the plane with the least sum of count x area;
// the median where centres coincide or the tree gets deep. Boxes are moved with their ranges, so that every pass reads memory in order.
// Source: Wald 2007, "On fast construction of SAH-based bounding volume hierarchies", sections 3.1 and 3.2,
//   doi:10.1109/RT.2007.4342588; ranks: Hoare 1961, doi:10.1145/366622.366647.
// Layout: src/kernel/layout.ts, BOX_TREE_... Cost: linear per level. Test: src/broadphase/kernel-tree.test.ts.
import {
  BOX_TREE_ABOVE,
  BOX_TREE_BINS,
  BOX_TREE_COUNT,
  BOX_TREE_FAIR_DEPTH,
  BOX_TREE_ITEM_BYTES,
  BOX_TREE_ITEMS,
  BOX_TREE_STACK,
} from '../../src/kernel/layout';
import { BIN_BYTES, clearBin, clearSwept, growSwept, sweptSize01, sweptSize2, widen } from '../bins';
import { closeWork, openWork, readF64, readU32, readV128, writeF64, writeU32, writeV128 } from '../memory';

const MOST_BINS: u32 = 16;
const AXIS_BYTES: usize = <usize>MOST_BINS * BIN_BYTES;
/** Of an item: as a bin, then its centre, and the proxy. */
const CENTRE: usize = 48;
const PROXY: usize = 72;

let items: usize = 0;
let binsAt: usize = 0;
let aboveAt: usize = 0;
/** Of each axis: the lowest centre, and bins per length, 0 where all are in one place. */
let low01: v128 = f64x2.splat(0);
let low2: f64 = 0;
let scale01: v128 = f64x2.splat(0);
let scale2: f64 = 0;
let largestAxis: u32 = 0;

@inline
function itemAt(i: u32): usize {
  return items + <usize>i * <usize>BOX_TREE_ITEM_BYTES;
}

@inline
function binAt(axis: u32, bin: u32): usize {
  return binsAt + <usize>axis * AXIS_BYTES + <usize>bin * BIN_BYTES;
}

@inline
function centreOf(i: u32, axis: u32): f64 {
  return readF64(itemAt(i), CENTRE + ((<usize>axis) << 3));
}

@inline
function swapItems(i: u32, j: u32): void {
  const a = itemAt(i);
  const b = itemAt(j);
  for (let o: usize = 0; o < <usize>BOX_TREE_ITEM_BYTES; o += 16) {
    const kept = readV128(a, o);
    writeV128(a, o, readV128(b, o));
    writeV128(b, o, kept);
  }
}

@inline
function growBin(bin: usize, item: usize): void {
  writeV128(bin, 0, f64x2.pmin(readV128(bin), readV128(item)));
  writeV128(bin, 16, f64x2.pmax(readV128(bin, 16), readV128(item, 16)));
  writeV128(bin, 32, widen(readV128(bin, 32), readV128(item, 32)));
  writeU32(bin, 48, readU32(bin, 48) + 1);
}

@inline
function scaleOf(bins: u32, length: f64): f64 {
  const scale = <f64>bins / length;
  return scale < Infinity ? scale : 0;
}

/** Lowest and highest centres of a range: where bins begin, how wide they are, along which axis centres spread most. */
function measureCentres(start: u32, end: u32, bins: u32): void {
  let low = f64x2.splat(Infinity);
  let high = f64x2.splat(-Infinity);
  let lowZ = Infinity;
  let highZ = -Infinity;
  for (let i = start; i < end; i++) {
    const at = itemAt(i) + CENTRE;
    const c = readV128(at);
    const z = readF64(at, 16);
    low = f64x2.pmin(low, c);
    high = f64x2.pmax(high, c);
    lowZ = z < lowZ ? z : lowZ;
    highZ = z > highZ ? z : highZ;
  }
  const size = f64x2.sub(high, low);
  const x = f64x2.extract_lane(size, 0);
  const y = f64x2.extract_lane(size, 1);
  const z = highZ - lowZ;
  largestAxis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  low01 = low;
  low2 = lowZ;
  scale01 = f64x2(scaleOf(bins, x), scaleOf(bins, y));
  scale2 = scaleOf(bins, z);
}

function fillBins(start: u32, end: u32, bins: u32): void {
  for (let axis: u32 = 0; axis < 3; axis++) for (let bin: u32 = 0; bin < bins; bin++) clearBin(binAt(axis, bin));
  const last = i32x4.splat(<i32>bins - 1);
  for (let i = start; i < end; i++) {
    const at = itemAt(i);
    const c = f64x2.mul(f64x2.sub(readV128(at, CENTRE), low01), scale01);
    const xy = i32x4.min_s(i32x4.trunc_sat_f64x2_s_zero(c), last);
    const z = min<u32>(<u32>((readF64(at, CENTRE + 16) - low2) * scale2), bins - 1);
    growBin(binAt(0, i32x4.extract_lane(xy, 0)), at);
    growBin(binAt(1, i32x4.extract_lane(xy, 1)), at);
    growBin(binAt(2, z), at);
  }
}

@inline
function sweptArea(): f64 {
  const size = sweptSize01();
  const x = f64x2.extract_lane(size, 0);
  const y = f64x2.extract_lane(size, 1);
  const z = sweptSize2();
  return x * (y + z) + y * z;
}

/** Count x area of the bins from each on. */
function sweepDown(axis: u32, bins: u32): void {
  clearSwept();
  let above: u32 = 0;
  for (let bin = bins - 1; bin > 0; bin--) {
    const at = binAt(axis, bin);
    const inside = readU32(at, 48);
    if (inside > 0) {
      growSwept(at);
      above += inside;
    }
    writeF64(aboveAt, (<usize>bin) << 3, above == 0 ? 0 : <f64>above * sweptArea());
  }
}

@inline
function scaleAlong(axis: u32): f64 {
  return axis == 0 ? f64x2.extract_lane(scale01, 0) : axis == 1 ? f64x2.extract_lane(scale01, 1) : scale2;
}

@inline
function lowAlong(axis: u32): f64 {
  return axis == 0 ? f64x2.extract_lane(low01, 0) : axis == 1 ? f64x2.extract_lane(low01, 1) : low2;
}

/** Where the right half begins; `start` when no plane splits. */
function splitBinned(start: u32, end: u32): u32 {
  const n = end - start;
  const bins = min<u32>(MOST_BINS, max<u32>(4, n));
  measureCentres(start, end, bins);
  fillBins(start, end, bins);
  let bestCost = Infinity;
  let bestAxis = -1;
  let bestBin: u32 = 0;
  for (let axis: u32 = 0; axis < 3; axis++) {
    if (scaleAlong(axis) == 0) continue;
    sweepDown(axis, bins);
    clearSwept();
    let below: u32 = 0;
    for (let bin: u32 = 0; bin + 1 < bins; bin++) {
      const at = binAt(axis, bin);
      const inside = readU32(at, 48);
      if (inside > 0) {
        growSwept(at);
        below += inside;
      }
      if (below == 0 || below == n) continue;
      const cost = <f64>below * sweptArea() + readF64(aboveAt, (<usize>(bin + 1)) << 3);
      if (cost < bestCost) {
        bestCost = cost;
        bestAxis = <i32>axis;
        bestBin = bin;
      }
    }
  }
  if (bestAxis < 0) return start;
  const low = lowAlong(bestAxis);
  const scale = scaleAlong(bestAxis);
  let left = start;
  let right = end - 1;
  while (left <= right) {
    const bin = min<u32>(<u32>((centreOf(left, bestAxis) - low) * scale), bins - 1);
    if (bin <= bestBin) left++;
    else swapItems(left, right--);
  }
  return left;
}

function splitAtMedian(start: u32, end: u32): u32 {
  measureCentres(start, end, 1);
  const axis = largestAxis;
  const middle = <i32>((start + end) >> 1);
  let low = <i32>start;
  let high = <i32>end - 1;
  while (low < high) {
    const a = centreOf(low, axis);
    const b = centreOf((low + high) >> 1, axis);
    const c = centreOf(high, axis);
    const pivot = max(min(a, b), min(max(a, b), c));
    let i = low;
    let j = high;
    while (i <= j) {
      while (centreOf(i, axis) < pivot) i++;
      while (centreOf(j, axis) > pivot) j--;
      if (i <= j) swapItems(i++, j--);
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else break;
  }
  return middle;
}

/** Writes children, 2 i32 a node, and parents of the 2 n - 1 nodes over the n >= 1 items of the block; the root is node 0. */
export function buildBoxTree(block: usize, bytes: usize): void {
  openWork(block, bytes, block, 0);
  const count = readU32(block, BOX_TREE_COUNT);
  const fairDepth = readU32(block, BOX_TREE_FAIR_DEPTH);
  items = block + BOX_TREE_ITEMS;
  binsAt = block + BOX_TREE_BINS;
  aboveAt = block + BOX_TREE_ABOVE;
  const child = itemAt(count);
  const parent = child + ((<usize>(2 * count - 1)) << 3);
  const bottom = block + BOX_TREE_STACK;
  // Ranges that wait: start, end, node above, depth.
  let top = push(bottom, 0, count, -1, 0);
  let node: u32 = 0;
  while (top > bottom) {
    top -= 16;
    const start = readU32(top);
    const end = readU32(top, 4);
    const above = <i32>readU32(top, 8);
    const depth = readU32(top, 12);
    writeU32(parent, (<usize>node) << 2, <u32>above);
    if (above >= 0) writeU32(child, (<usize>(2 * above + i32(<i32>node != above + 1))) << 2, node);
    if (end - start == 1) {
      writeU32(child, (<usize>node) << 3, ~readU32(itemAt(start), PROXY));
      writeU32(child, ((<usize>node) << 3) + 4, <u32>-1);
    } else {
      let middle = start + 1;
      if (end - start > 2) {
        middle = depth < fairDepth ? splitBinned(start, end) : start;
        if (middle == start) middle = splitAtMedian(start, end);
      }
      top = push(top, middle, end, <i32>node, depth + 1);
      top = push(top, start, middle, <i32>node, depth + 1);
    }
    node++;
  }
  closeWork();
}

@inline
function push(top: usize, start: u32, end: u32, above: i32, depth: u32): usize {
  writeU32(top, 0, start);
  writeU32(top, 4, end);
  writeU32(top, 8, <u32>above);
  writeU32(top, 12, depth);
  return top + 16;
}

// Splits a range of triangles in two.
//
// Method, by rule:
//   longest  across the longest axis of the box, at the split position: triangles whose centroid projects below it go
//            left, the others right; when a side stays empty, the next axis;
//   area     the same plane for each of the three axes; the one with the least SA(left) + SA(right) of the fitted boxes;
//   binned   the plane between two of 16 bins per axis of the box with the least SA(left) n(left) + SA(right) n(right),
//            where the areas are those of boxes along the same axes, and triangles go by the middles of their bounds;
//   binned-longest  the same for the axis along which those middles spread most.
// When none splits, and below a depth that no ordinary mesh reaches, the range is halved by rank: this bounds the depth
// for every input, such as thousands of identical triangles. Partitions keep the order within either side, so that
// ranges read the triangles in the order of memory.
//
// Source: Li, Shellshear, Bohlin, Carlson 2020, "Construction of bounding volume hierarchies for triangle meshes with
//   mixed face sizes", section II, left rule and equation (4); Wald 2007, "On fast construction of SAH-based bounding
//   volume hierarchies", section 3, doi:10.1109/RT.2007.4342588; ranks: Hoare 1961, doi:10.1145/366622.366647.
// Cost: linear in the range; `area` fits six boxes. Tests: src/bvh/split-range.test.ts.
import {
  BINS,
  FIT_AXES,
  FIT_BOX,
  FIT_POSITION,
  KIND_AABB,
  SAVED_AXES,
  SAVED_POSITION,
  SPLIT_AREA,
  SPLIT_BINNED_LONGEST,
  SPLIT_LONGEST,
} from '../../src/kernel/layout';
import { BIN_BYTES, clearBin, clearSwept, growSwept, sweptSize01, sweptSize2, widen } from '../bins';
import { BOUNDS_BYTES, bounds, boundsAt, boxArea, fitBox } from './fit';
import { readF64, readU32, readV128, writeF64, writeU32, writeV128 } from '../memory';
import { cornersAt, fitPosition, order } from './statistics';

const BIN_COUNT: u32 = 16;
/** Of a range, at least as many are looked at for a plane between bins. */
const MOST_BINNED: u32 = 2048;
/** Per bin: half of the area, and the count, of it and the bins above. */
const ABOVE: usize = <usize>BINS + <usize>BIN_COUNT * BIN_BYTES;

/** One f64 per position; one u32 per position. */
let keys: usize = 0;
let moved: usize = 0;
/** Of the sides of the last binned split: half of the surface area of boxes along the axes that the bounds were measured in. */
export let leftArea: f64 = 0;
export let rightArea: f64 = 0;
let rule: u32 = SPLIT_LONGEST;
let kind: u32 = 0;
let fairDepth: u32 = 0;

export function openSplits(theRule: u32, theKind: u32, theKeys: usize, theMoved: usize, count: u32): void {
  rule = theRule;
  kind = theKind;
  keys = theKeys;
  moved = theMoved;
  fairDepth = 2 * (32 - <u32>clz(count)) + 8;
}

/** Reorders a range whose box was fitted last; returns where its right side begins. count >= 2. */
export function splitRange(first: u32, count: u32, depth: u32): u32 {
  let right = first;
  if (count == 2) return first + 1;
  if (depth < fairDepth) {
    if (rule == SPLIT_LONGEST) right = splitLongest(first, count);
    else if (rule == SPLIT_AREA) right = splitByArea(first, count);
    else right = splitBinned(first, count);
  }
  return right == first ? splitByRank(first, count) : right;
}

@inline
function half(axis: u32): f64 {
  return readF64(FIT_BOX + 24, axis << 3);
}

@inline
function longestOf(x: f64, y: f64, z: f64): u32 {
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

function splitByRank(first: u32, count: u32): u32 {
  const middle = first + (count >> 1);
  projectCentroids(first, count, longestOf(half(0), half(1), half(2)));
  selectRank(first, first + count - 1, middle);
  return middle;
}

/** Where the right side begins; `first` when no plane splits. */
function splitLongest(first: u32, count: u32): u32 {
  if (kind == KIND_AABB) fitPosition(first, count);
  const end = first + count;
  const longest = longestOf(half(0), half(1), half(2));
  let right = splitAlong(first, count, longest);
  if (right > first && right < end) return right;
  const next: u32 = longest == 0 ? 1 : 0;
  const last: u32 = longest == 2 ? 1 : 2;
  const second = half(next) >= half(last) ? next : last;
  right = splitAlong(first, count, second);
  if (right > first && right < end) return right;
  right = splitAlong(first, count, next + last - second);
  return right < end ? right : first;
}

function splitByArea(first: u32, count: u32): u32 {
  if (kind == KIND_AABB) fitPosition(first, count);
  const end = first + count;
  for (let i: usize = 0; i < 72; i += 8) writeF64(SAVED_AXES, i, readF64(FIT_AXES, i));
  for (let i: usize = 0; i < 24; i += 8) writeF64(SAVED_POSITION, i, readF64(FIT_POSITION, i));
  let best = Infinity;
  let bestAxis = -1;
  for (let axis = 0; axis < 3; axis++) {
    restoreFit();
    const right = splitAlong(first, count, axis);
    if (right == first || right == end) continue;
    fitBox(first, right - first);
    let cost = boxArea();
    fitBox(right, end - right);
    cost += boxArea();
    if (cost < best) {
      best = cost;
      bestAxis = axis;
    }
  }
  restoreFit();
  return bestAxis < 0 ? first : splitAlong(first, count, bestAxis);
}

function restoreFit(): void {
  for (let i: usize = 0; i < 72; i += 8) writeF64(FIT_AXES, i, readF64(SAVED_AXES, i));
  for (let i: usize = 0; i < 24; i += 8) writeF64(FIT_POSITION, i, readF64(SAVED_POSITION, i));
}

/** Centroids below the split position first. */
function splitAlong(first: u32, count: u32, axis: u32): u32 {
  const column = FIT_AXES + (axis << 3);
  projectCentroids(first, count, axis);
  const pivot =
    3 *
    (readF64(column) * readF64(FIT_POSITION) +
      readF64(column, 24) * readF64(FIT_POSITION, 8) +
      readF64(column, 48) * readF64(FIT_POSITION, 16));
  return partition(first, count, pivot);
}

/** Writes three times the centroid's coordinate along an axis of the box for each triangle. */
function projectCentroids(first: u32, count: u32, axis: u32): void {
  const column = FIT_AXES + (axis << 3);
  const x = readF64(column);
  const y = readF64(column, 24);
  const z = readF64(column, 48);
  for (let i = first; i < first + count; i++) {
    const t = cornersAt(i);
    writeF64(
      keys,
      i << 3,
      x * (readF64(t) + readF64(t, 24) + readF64(t, 48)) +
        y * (readF64(t, 8) + readF64(t, 32) + readF64(t, 56)) +
        z * (readF64(t, 16) + readF64(t, 40) + readF64(t, 64)),
    );
  }
}

@inline
function runningArea(): f64 {
  const size = sweptSize01();
  const x = f64x2.extract_lane(size, 0);
  const y = f64x2.extract_lane(size, 1);
  const z = sweptSize2();
  return x * y + y * z + z * x;
}

/** Twice the middle of the bounds of the triangle at a position. */
@inline
function centre(at: usize, axis: u32): f64 {
  return axis == 2 ? readF64(at, 32) + readF64(at, 40) : readF64(at + (axis << 3)) + readF64(at + (axis << 3), 16);
}

/** Twice the middles of the bounds of a range, every `step`th: least and largest. */
let min01: v128 = f64x2.splat(0);
let max01: v128 = f64x2.splat(0);
let min2: f64 = 0;
let max2: f64 = 0;
let widest: u32 = 0;

function measureMiddles(first: u32, end: u32, step: u32): void {
  let low = f64x2.splat(Infinity);
  let high = f64x2.splat(-Infinity);
  let low2 = Infinity;
  let high2 = -Infinity;
  for (let i = first; i < end; i += step) {
    const at = boundsAt(i);
    const c = f64x2.add(readV128(at), readV128(at, 16));
    low = f64x2.pmin(low, c);
    high = f64x2.pmax(high, c);
    const d = readF64(at, 32) + readF64(at, 40);
    low2 = d < low2 ? d : low2;
    high2 = d > high2 ? d : high2;
  }
  min01 = low;
  max01 = high;
  min2 = low2;
  max2 = high2;
  const size = f64x2.sub(high, low);
  widest = longestOf(f64x2.extract_lane(size, 0), f64x2.extract_lane(size, 1), high2 - low2);
}

/** Of large ranges a part is looked at, evenly: a plane through two thousand is as good. */
@inline
function stepOf(count: u32): u32 {
  return count >= 2 * MOST_BINNED ? count / MOST_BINNED : 1;
}

/** Halves a range by rank along the axis on which the middles of the bounds spread most; returns where the right half begins. */
export function splitMiddles(first: u32, count: u32): u32 {
  const end = first + count;
  measureMiddles(first, end, 1);
  for (let i = first; i < end; i++) writeF64(keys, i << 3, centre(boundsAt(i), widest));
  const middle = first + (count >> 1);
  selectRank(first, end - 1, middle);
  return middle;
}

/** Splits a range by the bounds of its triangles, of which it fits no box; returns where its right side begins. count >= 2. */
export function splitBounds(first: u32, count: u32, depth: u32): u32 {
  leftArea = rightArea = 0;
  if (count == 2) return first + 1;
  const right = depth < fairDepth ? splitBinned(first, count) : first;
  return right == first ? splitMiddles(first, count) : right;
}

function splitBinned(first: u32, count: u32): u32 {
  const end = first + count;
  const step = stepOf(count);
  measureMiddles(first, end, step);
  const bins: u32 = count < 12 ? 4 : count < 64 ? 8 : BIN_COUNT;
  let best = Infinity;
  let bestAxis = -1;
  let bestBin: u32 = 0;
  let bestLow: f64 = 0;
  let bestFactor: f64 = 0;
  const isLongest = rule == SPLIT_BINNED_LONGEST;
  const lastAxis: u32 = isLongest ? widest : 2;
  for (let axis: u32 = isLongest ? widest : 0; axis <= lastAxis; axis++) {
    const low = axis == 0 ? f64x2.extract_lane(min01, 0) : axis == 1 ? f64x2.extract_lane(min01, 1) : min2;
    const high = axis == 0 ? f64x2.extract_lane(max01, 0) : axis == 1 ? f64x2.extract_lane(max01, 1) : max2;
    const length = high - low;
    // Just under the exact value, so that the last centre falls in the last bin; 0 where all centres coincide.
    const factor = length > 0 ? min((<f64>bins * (1 - 1e-12)) / length, f64.MAX_VALUE) : 0;
    fillBins(first, end, step, axis, bins, low, factor);
    sweepDown(bins);
    clearSwept();
    let below: u32 = 0;
    for (let bin: u32 = 0; bin + 1 < bins; bin++) {
      const at = <usize>BINS + bin * BIN_BYTES;
      const inside = readU32(at, 48);
      if (inside == 0) continue;
      below += inside;
      growSwept(at);
      const above = ABOVE + ((bin + 1) << 4);
      if (readF64(above, 8) == 0) break;
      const area = runningArea();
      const cost = area * <f64>below + readF64(above) * readF64(above, 8);
      if (cost < best) {
        best = cost;
        bestAxis = axis;
        bestBin = bin;
        bestLow = low;
        bestFactor = factor;
        leftArea = area;
        rightArea = readF64(above);
      }
    }
  }
  if (bestAxis < 0) return first;
  return partitionBins(first, end, bestAxis, bestLow, bestFactor, bestBin + 1);
}

function fillBins(first: u32, end: u32, step: u32, axis: u32, bins: u32, low: f64, factor: f64): void {
  for (let bin: u32 = 0; bin < bins; bin++) clearBin(<usize>BINS + bin * BIN_BYTES);
  for (let i = first; i < end; i += step) {
    const from = boundsAt(i);
    const bin = <u32>((centre(from, axis) - low) * factor);
    const at = <usize>BINS + bin * BIN_BYTES;
    writeV128(at, 0, f64x2.pmin(readV128(at), readV128(from)));
    writeV128(at, 16, f64x2.pmax(readV128(at, 16), readV128(from, 16)));
    writeV128(at, 32, widen(readV128(at, 32), readV128(from, 32)));
    writeU32(at, 48, readU32(at, 48) + 1);
  }
}

/** Writes a triangle behind those that stay left and behind the others alike; returns how many others that makes more. */
@inline
function placeTriangle(triangle: u32, left: u32, others: u32, isLeft: bool): u32 {
  writeU32(order, left << 2, triangle);
  writeU32(moved, others << 2, triangle);
  return <u32>!isLeft;
}

/** The others behind those on the left, in their order; returns where they begin. */
function bringBack(left: u32, others: u32): u32 {
  for (let k: u32 = 0; k < others; k++) writeU32(order, (left + k) << 2, readU32(moved + (k << 2)));
  return left;
}

/** Triangles in bins before `bin` first, the order kept on both sides; returns where the others begin. */
function partitionBins(first: u32, end: u32, axis: u32, low: f64, factor: f64, bin: f64): u32 {
  let left = first;
  let others: u32 = 0;
  for (let i = first; i < end; i++) {
    const triangle = readU32(order + (i << 2));
    const isLeft = Math.floor((centre(bounds + <usize>triangle * BOUNDS_BYTES, axis) - low) * factor) < bin;
    others += placeTriangle(triangle, left, others, isLeft);
    left += <u32>isLeft;
  }
  return bringBack(left, others);
}

/** Area and count of the bins from each on. */
function sweepDown(bins: u32): void {
  clearSwept();
  let count: u32 = 0;
  for (let bin = bins - 1; bin > 0; bin--) {
    const at = <usize>BINS + bin * BIN_BYTES;
    const inside = readU32(at, 48);
    if (inside > 0) {
      count += inside;
      growSwept(at);
    }
    writeF64(ABOVE, bin << 4, count > 0 ? runningArea() : 0);
    writeF64(ABOVE, (bin << 4) + 8, count);
  }
}

@inline
function readKey(i: u32): f64 {
  return readF64(keys + (i << 3));
}

/** Keys below the pivot first, the order kept on both sides; returns where the others begin. */
function partition(first: u32, count: u32, pivot: f64): u32 {
  let left = first;
  let others: u32 = 0;
  for (let i = first; i < first + count; i++) {
    const triangle = readU32(order + (i << 2));
    const isLeft = readKey(i) < pivot;
    others += placeTriangle(triangle, left, others, isLeft);
    left += <u32>isLeft;
  }
  return bringBack(left, others);
}

function swap(i: u32, j: u32): void {
  const triangle = readU32(order + (i << 2));
  writeU32(order, i << 2, readU32(order + (j << 2)));
  writeU32(order, j << 2, triangle);
  const key = readKey(i);
  writeF64(keys, i << 3, readKey(j));
  writeF64(keys, j << 3, key);
}

/** Quickselect (Hoare): the keys before `rank` are not above it, those after not below. Linear for equal keys too. */
function selectRank(first: u32, last: u32, rank: u32): void {
  let low = <i32>first;
  let high = <i32>last;
  while (low < high) {
    const pivot = readKey((low + high) >> 1);
    let i = low;
    let j = high;
    while (i <= j) {
      while (readKey(i) < pivot) i++;
      while (readKey(j) > pivot) j--;
      if (i <= j) swap(i++, j--);
    }
    if (<i32>rank <= j) high = j;
    else if (<i32>rank >= i) low = i;
    else return;
  }
}

/**
 * Splits a range of triangles in two.
 *
 * Method, by rule:
 *   longest  across the longest axis of the box, at the split position: triangles whose centroid projects below it go
 *            left, the others right; when a side stays empty, the next axis;
 *   area     the same plane for each of the three axes; the one with the least SA(left) + SA(right) of the fitted boxes;
 *   binned   the plane between two of 16 bins per axis of the box with the least SA(left) n(left) + SA(right) n(right),
 *            where the areas are those of boxes along the same axes, and triangles go by the middles of their bounds;
 *   binned-longest  the same for the axis along which those middles spread most.
 * When none splits, and below a depth that no ordinary mesh reaches, the range is halved by rank: this bounds the depth
 * for every input, such as thousands of identical triangles.
 *
 * Source: Li, Shellshear, Bohlin, Carlson 2020, "Construction of bounding volume hierarchies for triangle meshes with
 *   mixed face sizes", section II, left rule and equation (4); Wald 2007, "On fast construction of SAH-based bounding
 *   volume hierarchies", section 3, doi:10.1109/RT.2007.4342588; ranks: Hoare 1961, doi:10.1145/366622.366647.
 * Cost: linear in the range; `area` fits six boxes. Tests: split-range.test.ts.
 */
import { KIND_OBB } from '../kernel/layout.js';
import { createFittedBox, type FitRule, type FittedBox, fitBox, type TriangleSet } from './fit-box.js';
import { fitPosition } from './fitters.js';

export type SplitRule = 'longest' | 'area' | 'binned' | 'binned-longest';

/** How a tree is built. */
export interface TreeRule {
  readonly rule: FitRule;
  readonly split: SplitRule;
}

export interface Part {
  start: number;
  count: number;
  depth: number;
  readonly box: FittedBox;
}

export interface SplitContext extends TreeRule {
  readonly set: TriangleSet;
  /** Scratch, one number per position of `order`. */
  readonly keys: Float64Array;
  readonly fairDepth: number;
}

const BINS = 16;
const binCount = new Uint32Array(BINS);
const binBounds = new Float64Array(6 * BINS);
/** Area right of each plane. */
const areaAbove = new Float64Array(BINS);
const countAbove = new Uint32Array(BINS);
const running = new Float64Array(6);
const centres = new Float64Array(6);
const splitAt = new Float64Array(3);

export function usesBounds(split: SplitRule): boolean {
  return split === 'binned' || split === 'binned-longest';
}

export function createSplitContext({ rule, split }: TreeRule, set: TriangleSet): SplitContext {
  const count = set.order.length;
  return { rule, split, set, keys: new Float64Array(count), fairDepth: 2 * Math.ceil(Math.log2(count + 1)) + 8 };
}

/** Moves the upper part of `part` to `rest` and fits both. */
export function splitPart(part: Part, rest: Part, context: SplitContext): void {
  const { rule, split, set } = context;
  const { start, count } = part;
  let middle = start;
  if (count === 2) {
    middle = start + 1;
  } else if (part.depth < context.fairDepth) {
    if (usesBounds(split)) middle = splitBinned(part, context);
    else if (split === 'area') middle = splitByArea(part, context);
    else middle = splitLongest(part, context);
  }
  if (middle === start) middle = splitByRank(part, context);
  part.depth++;
  rest.depth = part.depth;
  rest.start = middle;
  rest.count = start + count - middle;
  part.count = middle - start;
  fitBox(part.box, rule, set, part.start, part.count);
  fitBox(rest.box, rule, set, rest.start, rest.count);
}

function longestAxis({ half }: FittedBox): number {
  return longestExtent(half[0], half[1], half[2]);
}

function longestExtent(x: number, y: number, z: number): number {
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

function splitByRank({ start, count, box }: Part, context: SplitContext): number {
  const middle = start + (count >> 1);
  projectCentroids(context, box, longestAxis(box), start, count);
  selectRank(context.set.order, context.keys, start, start + count - 1, middle);
  return middle;
}

/** All three return where the right side begins; `start` when no plane splits. */
function splitLongest(part: Part, context: SplitContext): number {
  const { start, count, box } = part;
  const longest = longestAxis(box);
  findPosition(part, context);
  let middle = splitAlong(part, context, longest);
  if (middle > start && middle < start + count) return middle;
  const [next, last] = longest === 0 ? [1, 2] : longest === 1 ? [0, 2] : [0, 1];
  const second = box.half[next] >= box.half[last] ? next : last;
  middle = splitAlong(part, context, second);
  if (middle > start && middle < start + count) return middle;
  middle = splitAlong(part, context, next + last - second);
  return middle < start + count ? middle : start;
}

const left = createFittedBox();
const right = createFittedBox();

function splitByArea(part: Part, context: SplitContext): number {
  const { rule, set } = context;
  const { start, count } = part;
  findPosition(part, context);
  let best = Infinity;
  let bestAxis = -1;
  for (let i = 0; i < 3; i++) {
    const middle = splitAlong(part, context, i);
    if (middle === start || middle === start + count) continue;
    fitBox(left, rule, set, start, middle - start);
    fitBox(right, rule, set, middle, start + count - middle);
    const cost = measureArea(left.half) + measureArea(right.half);
    if (cost < best) {
      best = cost;
      bestAxis = i;
    }
  }
  return bestAxis < 0 ? start : splitAlong(part, context, bestAxis);
}

/** A quarter of half the surface area of a box. */
function measureArea(half: ArrayLike<number>): number {
  return half[0] * half[1] + half[1] * half[2] + half[2] * half[0];
}

/** Writes the split position of the part to `splitAt`. */
function findPosition({ start, count, box }: Part, { rule, set }: SplitContext): void {
  if (rule.kind === KIND_OBB) splitAt.set(box.position);
  else fitPosition(splitAt, rule.fitter, set.corners, set.order, start, count);
}

/** Centroids below the split position first. */
function splitAlong({ start, count, box }: Part, context: SplitContext, i: number): number {
  const { rotation } = box;
  projectCentroids(context, box, i, start, count);
  const pivot = 3 * (rotation[i] * splitAt[0] + rotation[3 + i] * splitAt[1] + rotation[6 + i] * splitAt[2]);
  return partition(context.set.order, context.keys, start, count, pivot);
}

/** Writes three times the centroid's coordinate along an axis of the box for each triangle. */
function projectCentroids(
  { keys, set }: SplitContext,
  { rotation }: FittedBox,
  i: number,
  start: number,
  count: number,
): void {
  const { corners, order } = set;
  const x = rotation[i];
  const y = rotation[3 + i];
  const z = rotation[6 + i];
  for (let k = start; k < start + count; k++) {
    const t = order[k] * 9;
    keys[k] =
      x * (corners[t] + corners[t + 3] + corners[t + 6]) +
      y * (corners[t + 1] + corners[t + 4] + corners[t + 7]) +
      z * (corners[t + 2] + corners[t + 5] + corners[t + 8]);
  }
}

function splitBinned({ start, count }: Part, { set, split, keys }: SplitContext): number {
  const { order, bounds } = set;
  boundCentres(set, start, count);
  const bins = count < 12 ? 4 : count < 64 ? 8 : BINS;
  const widest = longestExtent(centres[3] - centres[0], centres[4] - centres[1], centres[5] - centres[2]);
  let best = Infinity;
  let bestAxis = -1;
  let bestBin = 0;
  for (let axis = 0; axis < 3; axis++) {
    if (split === 'binned-longest' && axis !== widest) continue;
    fillBins(set, start, count, axis, bins);
    sweepDown(bins);
    clearRunning();
    let below = 0;
    for (let bin = 0; bin + 1 < bins; bin++) {
      if (binCount[bin] === 0) continue;
      below += binCount[bin];
      growRunning(bin);
      if (countAbove[bin + 1] === 0) break;
      const cost = runningArea() * below + areaAbove[bin + 1] * countAbove[bin + 1];
      if (cost < best) {
        best = cost;
        bestAxis = axis;
        bestBin = bin;
      }
    }
  }
  if (bestAxis < 0) return start;
  const lowest = centres[bestAxis];
  const factor = binsPerLength(bestAxis, bins);
  for (let i = start; i < start + count; i++) {
    const at = order[i] * 6 + bestAxis;
    keys[i] = Math.floor((bounds[at] + bounds[at + 3] - lowest) * factor);
  }
  return partition(order, keys, start, count, bestBin + 1);
}

/** Just under the exact value, so that the last centre falls in the last bin; 0 where all centres coincide. */
function binsPerLength(axis: number, bins: number): number {
  const length = centres[3 + axis] - centres[axis];
  return length > 0 ? Math.min((bins * (1 - 1e-12)) / length, Number.MAX_VALUE) : 0;
}

function fillBins({ order, bounds }: TriangleSet, start: number, count: number, axis: number, bins: number): void {
  clearBins(bins);
  const lowest = centres[axis];
  const factor = binsPerLength(axis, bins);
  for (let i = start; i < start + count; i++) {
    const at = order[i] * 6;
    const bin = Math.floor((bounds[at + axis] + bounds[at + axis + 3] - lowest) * factor);
    binCount[bin]++;
    grow(binBounds, bin * 6, bounds, at);
  }
}

/** Bounds of twice the middles of the triangles' bounds. */
function boundCentres({ order, bounds }: TriangleSet, start: number, count: number): void {
  let x0 = Infinity;
  let y0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  let z1 = -Infinity;
  for (let i = start; i < start + count; i++) {
    const at = order[i] * 6;
    const x = bounds[at] + bounds[at + 3];
    const y = bounds[at + 1] + bounds[at + 4];
    const z = bounds[at + 2] + bounds[at + 5];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  centres[0] = x0;
  centres[1] = y0;
  centres[2] = z0;
  centres[3] = x1;
  centres[4] = y1;
  centres[5] = z1;
}

function clearBins(bins: number): void {
  binCount.fill(0, 0, bins);
  for (let i = 0; i < 6 * bins; i += 6) {
    binBounds[i] = binBounds[i + 1] = binBounds[i + 2] = Infinity;
    binBounds[i + 3] = binBounds[i + 4] = binBounds[i + 5] = -Infinity;
  }
}

function grow(box: Float64Array, to: number, other: Float64Array, at: number): void {
  if (other[at] < box[to]) box[to] = other[at];
  if (other[at + 1] < box[to + 1]) box[to + 1] = other[at + 1];
  if (other[at + 2] < box[to + 2]) box[to + 2] = other[at + 2];
  if (other[at + 3] > box[to + 3]) box[to + 3] = other[at + 3];
  if (other[at + 4] > box[to + 4]) box[to + 4] = other[at + 4];
  if (other[at + 5] > box[to + 5]) box[to + 5] = other[at + 5];
}

/** Area and count of the bins from each on. */
function sweepDown(bins: number): void {
  clearRunning();
  let count = 0;
  for (let bin = bins - 1; bin > 0; bin--) {
    if (binCount[bin] > 0) {
      count += binCount[bin];
      growRunning(bin);
    }
    countAbove[bin] = count;
    areaAbove[bin] = count > 0 ? runningArea() : 0;
  }
}

function clearRunning(): void {
  running[0] = running[1] = running[2] = Infinity;
  running[3] = running[4] = running[5] = -Infinity;
}

function growRunning(bin: number): void {
  grow(running, 0, binBounds, bin * 6);
}

function runningArea(): number {
  const x = running[3] - running[0];
  const y = running[4] - running[1];
  const z = running[5] - running[2];
  return x * y + y * z + z * x;
}

function swap(order: Uint32Array, keys: Float64Array, i: number, j: number): void {
  const triangle = order[i];
  order[i] = order[j];
  order[j] = triangle;
  const key = keys[i];
  keys[i] = keys[j];
  keys[j] = key;
}

/** Keys below the pivot first; returns where the others begin. */
function partition(order: Uint32Array, keys: Float64Array, start: number, count: number, pivot: number): number {
  let i = start;
  let j = start + count - 1;
  while (i <= j) {
    if (keys[i] < pivot) i++;
    else swap(order, keys, i, j--);
  }
  return i;
}

/** Quickselect (Hoare): the keys before `rank` are not above it, those after not below. Linear for equal keys too. */
function selectRank(order: Uint32Array, keys: Float64Array, low: number, high: number, rank: number): void {
  while (low < high) {
    const pivot = keys[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (keys[i] < pivot) i++;
      while (keys[j] > pivot) j--;
      if (i <= j) swap(order, keys, i++, j--);
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else return;
  }
}

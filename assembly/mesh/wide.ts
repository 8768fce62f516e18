// Builds the four-wide tree of a large mesh top-down without a binary one: for the splits between bins, which need no boxes but those
// that are kept.
//
// Method: a range of triangles has a box along axes of its own, and its triangles have bounds along these. Within those bounds it is
//   split, the part with most to gain first, until there are four parts; each gets a box of its own fit, and goes on so or is a leaf.
//   What is to gain: the area of a part of more than four triangles, area times number of the tests of triangles of a smaller one.
//   A part of up to four triangles is a leaf where testing them costs no more than testing a node and single triangles.
// Source: Wald, Benthin, Boulos 2008, "Getting rid of packets", section 3 (wide nodes), doi:10.1109/RT.2008.4634620; Wald 2007, "On
//   fast construction of SAH-based bounding volume hierarchies", section 3, doi:10.1109/RT.2007.4342588.
// Nodes are written in depth-first order to an area of their own, as they will lie in the block. Each has three lanes at least, so
// that there are fewer than half as many as triangles.
// Cost: O(n log n), one fit per box that is kept. Tests: src/bvh/mesh-bvh.test.ts, src/bvh/split-range.test.ts.
import { KIND_AABB, KIND_OBB, LEAF_COUNT_SHIFT, MAX_LEAF_TRIANGLES, STACK_BASE } from '../../src/kernel/layout';
import { readF64, readU32, writeU32 } from '../memory';
import { boundsAt, boxArea, clearNode, fitBox, storeBox, storeSweptRectangle } from './fit';
import { leftArea, rightArea, splitBounds } from './split';
import { areaOfTriangle } from './triangle-axes';
import { cornersAt } from './statistics';

/** Cost of testing a pair of triangles over that of testing four boxes. */
export const TRIANGLE_COST: f64 = 0.4;
/** Fewest triangles of a mesh whose tree is built so. */
export const LEAST_WIDE: u32 = 65536;
/** Of a lane: first triangle, their number, how often it was split off (u32), and the area, f64. */
const PARTS = memory.data(4 * 24, 16);
const PART_BYTES: usize = 24;

let nodes: usize = 0;
let nodeBytes: u32 = 0;
let childAt: usize = 0;
let kind: u32 = KIND_OBB;
export let wideNodes: u32 = 0;
export let wideLevels: u32 = 0;

/** Of nodes of `bytes` each, what their area may take. */
@inline
export function wideBytes(count: u32, bytes: u32): usize {
  return (<usize>(count >> 1) + 2) * bytes;
}

/** Plans the tree of all triangles; nodes go to `start` on, child references are those of a block with `header` bytes in front. */
export function buildWide(start: usize, count: u32, theKind: u32, bytes: u32, child: usize, header: u32): void {
  nodes = start;
  kind = theKind;
  nodeBytes = bytes;
  childAt = child;
  wideNodes = 1;
  wideLevels = 1;
  clearNode(nodes, child);
  if (writeLane(nodes, 0, count)) return;
  let stack = push(STACK_BASE, 0, count, 0, 2, nodes);
  while (stack > <usize>STACK_BASE) {
    stack -= 24;
    const level = readU32(stack, 12);
    const parts = splitParts(readU32(stack), readU32(stack, 4), readU32(stack, 8));
    const node = nodes + wideNodes * nodeBytes;
    writeU32(<usize>readU32(stack, 16), childAt, header + wideNodes * nodeBytes);
    wideNodes++;
    wideLevels = max(wideLevels, level);
    clearNode(node, childAt);
    for (let k = <i32>parts - 1; k >= 0; k--) {
      const part = PARTS + <usize>k * PART_BYTES;
      const lane = node + ((<usize>k) << 2);
      const first = readPart(part);
      const inside = readPart(part, 4);
      if (!writeLane(lane, first, inside)) stack = push(stack, first, inside, readPart(part, 8), level + 1, lane);
    }
  }
}

@inline
function readPart(part: usize, offset: usize = 0): u32 {
  return load<u32>(part + offset);
}

@inline
function push(stack: usize, first: u32, count: u32, depth: u32, level: u32, lane: usize): usize {
  writeU32(stack, 0, first);
  writeU32(stack, 4, count);
  writeU32(stack, 8, depth);
  writeU32(stack, 12, level);
  writeU32(stack, 16, <u32>lane);
  return stack + 24;
}

@inline
function setPart(index: u32, first: u32, count: u32, depth: u32, area: f64): void {
  const part = PARTS + index * PART_BYTES;
  store<u32>(part, first);
  store<u32>(part + 4, count);
  store<u32>(part + 8, depth);
  store<f64>(part + 16, area);
}

/** Splits a range into up to four parts, as many as there are triangles; returns their number. */
function splitParts(first: u32, count: u32, depth: u32): u32 {
  setPart(0, first, count, depth, 1);
  let parts: u32 = 1;
  while (parts < 4) {
    let most: f64 = -1;
    let chosen: u32 = 0;
    for (let k: u32 = 0; k < parts; k++) {
      const part = PARTS + k * PART_BYTES;
      const inside = readPart(part, 4);
      if (inside == 1) continue;
      const area = load<f64>(part + 16);
      const gain = <i32>inside > MAX_LEAF_TRIANGLES ? area : area * 0.5 * TRIANGLE_COST * <f64>inside;
      if (gain > most) {
        most = gain;
        chosen = k;
      }
    }
    if (most < 0) break;
    const part = PARTS + chosen * PART_BYTES;
    const from = readPart(part);
    const inside = readPart(part, 4);
    const deeper = readPart(part, 8) + 1;
    const right = splitBounds(from, inside, deeper - 1);
    for (let k = parts; k > chosen + 1; k--)
      memory.copy(PARTS + k * PART_BYTES, PARTS + (k - 1) * PART_BYTES, PART_BYTES);
    setPart(chosen, from, right - from, deeper, leftArea);
    setPart(chosen + 1, right, from + inside - right, deeper, rightArea);
    parts++;
  }
  return parts;
}

/** Fits and writes the volumes of a lane; true for a leaf, whose reference it writes. */
function writeLane(lane: usize, first: u32, count: u32): bool {
  fitBox(first, count);
  storeBox(lane, 16);
  if (kind != KIND_AABB && kind != KIND_OBB) storeSweptRectangle(lane, first, count);
  if (<i32>count > MAX_LEAF_TRIANGLES) return false;
  if (count > 2) {
    let single: f64 = 0;
    for (let i = first; i < first + count; i++)
      single += kind == KIND_AABB ? areaOfBounds(boundsAt(i)) : areaOfTriangle(cornersAt(i));
    const area = boxArea();
    if (TRIANGLE_COST * <f64>count * area > area + TRIANGLE_COST * single) return false;
  }
  writeU32(lane, childAt, 0x80000000 | ((count - 1) << LEAF_COUNT_SHIFT) | first);
  return true;
}

/** Half of half the surface area of bounds. */
@inline
function areaOfBounds(at: usize): f64 {
  const x = (readF64(at, 16) - readF64(at)) / 2;
  const y = (readF64(at, 24) - readF64(at, 8)) / 2;
  const z = (readF64(at, 40) - readF64(at, 32)) / 2;
  return x * y + y * z + z * x;
}

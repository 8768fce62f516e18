/**
 * OctoMap's binary occupancy maps (.bt): which space is occupied, which is free, and which was never seen.
 *
 * Read: the header ("# Octomap OcTree binary file", comments, id, size, res, data) and the tree: an inner node is two bytes,
 * two bits a child (01 free leaf, 10 occupied leaf, 11 inner node, 00 unknown; lowest bits first), its inner children
 * follow in order; child i lies at the upper half of x, y, z where bit 0, 1, 2 of i is set. The root spans 2^16 cells about
 * the origin. Leaves of any level come back as one cube each; eight occupied (or free) siblings as their parent. With
 * `maximumDepth` the tree ends there: a node is occupied when anything below it is, else free when anything below is.
 * Refused: other headers (full .ot trees, the format of 2009), data that ends early, trees deeper than 16 levels.
 *
 * Source: Hornung, Wurm, Bennewitz, Stachniss, Burgard 2013, "OctoMap: an efficient probabilistic 3D mapping framework based
 * on octrees", section 3.5 and the file format, doi:10.1007/s10514-012-9321-0. Units: metres.
 * Cost: linear in the bytes. Checked by octomap.test.ts.
 */

import { mergeCells } from '../../geometry/octree.js';
import type { Octree } from '../../geometry/shapes.js';
import {
  type Fields,
  requireNumber,
  requireObject,
  requireOneOf,
  throwMisuse,
  unchecked,
} from '../../math/arguments.js';
import { powerOfTwo } from '../../math/scalar.js';
import { FileIssues } from '../file-issues.js';
import { FILE_OPTIONS, requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
import { Int32Buffer } from '../mesh/mesh-buffers.js';
import { decodeAscii } from '../mesh/mesh-text.js';

/** Levels of cells below the root. */
const DEPTH = 16;
const MAXIMUM_HEADER_BYTES = 65536;
const FIRST_LINE = '# Octomap OcTree binary file';
const OPTIONS: Fields = { ...FILE_OPTIONS, maximumDepth: unchecked };

export interface OctomapOptions {
  /** Named in issues. */
  readonly file?: string;
  /** Levels below the root that are told apart, 1 to 16. Default 16: all. */
  readonly maximumDepth?: number;
}

/** Cubes as in the octree shape: x y z of the lowest corner and the edge, in cells of the resolution. */
export interface OctomapContent {
  readonly resolution: number;
  readonly occupied: Int32Array;
  readonly free: Int32Array;
  /** Gaps beside known space, as large as the tree leaves them; what no cube holds is unknown too. */
  readonly unknown: Int32Array;
  /** Leaves as the file has them, before merging. */
  readonly leafCount: number;
}

interface Header {
  readonly resolution: number;
  readonly size: number;
  readonly bodyStart: number;
}

/** Reads a .bt file. Content never throws: `value` is null, with one error among the issues, when it cannot be trusted. */
export function parseOctomap(bytes: Uint8Array, options: OctomapOptions = {}): Parsed<OctomapContent> {
  requireContent('parseOctomap', bytes, options, OPTIONS);
  const { maximumDepth = DEPTH } = options;
  if (!(Number.isInteger(maximumDepth) && maximumDepth >= 1 && maximumDepth <= DEPTH))
    throwMisuse('parseOctomap', 'options.maximumDepth', maximumDepth, `an integer from 1 to ${DEPTH}`);
  const issues = new FileIssues(options.file);
  const header = readHeader(bytes);
  if (typeof header === 'string') return issues.refuse('octomap-header', header);
  const { resolution, size, bodyStart } = header;
  const tree = readTree(bytes, bodyStart, maximumDepth);
  if (typeof tree === 'string') return issues.refuse('octomap-truncated', tree);
  if (tree.nodeCount !== size && size > 0)
    issues.warn('octomap-size', `the header announces ${size} nodes, the data holds ${tree.nodeCount}`, {
      assumes: 'guessed',
    });
  if (tree.end < bytes.length)
    issues.warn('surplus-bytes', `${bytes.length - tree.end} bytes after the tree are not read`, {
      assumes: 'guessed',
    });
  return issues.finish({
    resolution,
    occupied: mergeCells(tree.occupied),
    free: mergeCells(tree.free),
    unknown: mergeCells(tree.unknown),
    leafCount: tree.leafCount,
  });
}

/** The occupied space as a shape, or with `unknown: 'occupied'` what was not seen to be free as well; null when empty. */
export function octomapShape(map: OctomapContent, unknown: 'free' | 'occupied' = 'free'): Octree | null {
  requireMap(map);
  requireOneOf('octomapShape', 'unknown', unknown, ['free', 'occupied']);
  const cells = unknown === 'free' ? map.occupied : joinCells(map.occupied, map.unknown);
  return cells.length === 0 ? null : { type: 'octree', resolution: map.resolution, cells };
}

function requireMap(map: OctomapContent): void {
  requireObject('octomapShape', 'map', map, 'what parseOctomap returned as value');
  requireNumber('octomapShape', 'map.resolution', map.resolution);
  for (const key of ['occupied', 'unknown'] as const)
    if (!(map[key] instanceof Int32Array)) throwMisuse('octomapShape', `map.${key}`, map[key], 'an Int32Array');
}

function joinCells(a: Int32Array, b: Int32Array): Int32Array {
  const out = new Int32Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return mergeCells(out);
}

/** The header, or what is wrong with it. */
function readHeader(bytes: Uint8Array): Header | string {
  let at = 0;
  let id = '';
  let size = -1;
  let resolution = Number.NaN;
  for (let line = 1; at < bytes.length && at < MAXIMUM_HEADER_BYTES; line++) {
    let end = at;
    while (end < bytes.length && bytes[end] !== 10 && end - at < 4096) end++;
    const text = decodeAscii(bytes, at, end).trim();
    at = end + 1;
    if (line === 1) {
      if (!text.startsWith(FIRST_LINE))
        return `the file does not begin with "${FIRST_LINE}"; write it with writeBinary`;
      continue;
    }
    const [keyword, value = ''] = text.split(/\s+/);
    if (keyword === 'id') id = value;
    else if (keyword === 'size') size = Number(value);
    else if (keyword === 'res') resolution = Number(value);
    else if (keyword === 'data') {
      if (!/OcTree/.test(id)) return `the tree is of type "${id}"; occupancy trees are read`;
      if (!(resolution > 0 && Number.isFinite(resolution))) return 'the header names no positive resolution';
      return { resolution, size: Number.isInteger(size) ? size : -1, bodyStart: at };
    }
  }
  return 'the header has no "data" line: not an OctoMap file, or cut off';
}

interface Tree {
  readonly occupied: Int32Array;
  readonly free: Int32Array;
  readonly unknown: Int32Array;
  readonly leafCount: number;
  readonly nodeCount: number;
  readonly end: number;
}

/** Bits of a child; 1 is a free leaf, 2 an occupied one. */
const UNKNOWN = 0;
const INNER = 3;

/** The tree, or what is wrong with it. No recursion: a stack of open nodes, at most one a level. */
function readTree(bytes: Uint8Array, start: number, maximumDepth: number): Tree | string {
  const lists = [new Int32Buffer(), new Int32Buffer(), new Int32Buffer()];
  const push = (state: number, x: number, y: number, z: number, edge: number): void => {
    const list = lists[state];
    list.push(x);
    list.push(y);
    list.push(z);
    list.push(edge);
  };
  // Open nodes: bits of the children, next child, corner, state of what lies below (beyond the last level told apart).
  const bits = new Int32Array(DEPTH + 1);
  const next = new Int32Array(DEPTH + 1);
  const corner = new Int32Array(3 * (DEPTH + 1));
  let at = start;
  let leafCount = 0;
  let nodeCount = 0;
  if (at === bytes.length)
    return {
      occupied: new Int32Array(0),
      free: new Int32Array(0),
      unknown: new Int32Array(0),
      leafCount,
      nodeCount,
      end: at,
    };
  let below = UNKNOWN;
  const open = (depth: number, x: number, y: number, z: number): boolean => {
    if (at + 2 > bytes.length) return false;
    bits[depth] = bytes[at] | (bytes[at + 1] << 8);
    at += 2;
    next[depth] = 0;
    corner.set([x, y, z], 3 * depth);
    nodeCount++;
    if (depth === maximumDepth) below = UNKNOWN;
    return true;
  };
  const half = powerOfTwo(DEPTH - 1);
  if (!open(0, -half, -half, -half)) return 'the data ends within the root: the file is cut off';
  let depth = 0;
  while (depth >= 0) {
    if (next[depth] === 8) {
      // A node that is not told apart ends here: what lies below it decides for all of it.
      if (depth === maximumDepth)
        push(below, corner[3 * depth], corner[3 * depth + 1], corner[3 * depth + 2], powerOfTwo(DEPTH - depth));
      depth--;
      continue;
    }
    const child = next[depth]++;
    const state = (bits[depth] >> (2 * child)) & 3;
    const edge = powerOfTwo(DEPTH - depth - 1);
    const x = corner[3 * depth] + (child & 1 ? edge : 0);
    const y = corner[3 * depth + 1] + (child & 2 ? edge : 0);
    const z = corner[3 * depth + 2] + (child & 4 ? edge : 0);
    if (state === INNER) {
      if (depth + 1 >= DEPTH) return `a node at level ${depth + 1} has children: deeper than ${DEPTH} levels`;
      if (!open(depth + 1, x, y, z)) return `the data ends within a node of level ${depth + 1}: the file is cut off`;
      depth++;
      continue;
    }
    if (state !== UNKNOWN) {
      leafCount++;
      nodeCount++;
    }
    if (depth >= maximumDepth) below = Math.max(below, state);
    else push(state, x, y, z, edge);
  }
  const [unknown, free, occupied] = lists.map((list) => list.data.slice(0, list.length));
  return { occupied, free, unknown, leafCount, nodeCount, end: at };
}

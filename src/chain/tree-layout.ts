/**
 * How a ChainTree lies in memory.
 *
 * Level 0 holds the N links; node j of level l covers links j 2^l .. min((j + 1) 2^l, N) - 1, so the last node of a level
 * may have one child only. Nodes are numbered level by level, node (l, j) is starts[l] + j, and its children are the
 * neighbours (l - 1, 2 j) and (l - 1, 2 j + 1).
 *
 *   shortcuts   12 per node   X_{i,i+2^l}, pose of the next node's first link in this node's first link, i = j 2^l;
 *                             only where the next node exists. At level 0 these are the joints.
 *   frames      12 per node   pose of the node's volume in the node's first link
 *   boxes       16 per node   what a traversal reads, 128 bytes:
 *
 *     index   0..8      9..11     12..14         15
 *             R         p         half extents   radius
 *             pose of the volume  of the box     of a ball about the centre that holds the content as well;
 *             in its parent's                    first half extent = radius marks a ball (a sphere link or a
 *             volume                             node of a sphere hierarchy)
 *
 * In a tree of rectangles swept by spheres the box is the one around the volume: its smallest half extent is the sphere's
 * radius, and the other two less the radius are the half sides of the rectangle.
 */
import type { Chain } from './chain.js';

export const BOX_STRIDE = 16;
export const HALF = 12;
export const RADIUS = 15;

export interface TreeLayout {
  readonly linkCount: number;
  /** Number of levels above the links: 0 for one link. */
  readonly height: number;
  readonly starts: Int32Array;
  readonly counts: Int32Array;
  readonly nodeCount: number;
}

export function layOutTree({ linkCount }: Chain): TreeLayout {
  const starts: number[] = [];
  const counts: number[] = [];
  let nodeCount = 0;
  for (let count = linkCount; ; count = (count + 1) >> 1) {
    starts.push(nodeCount);
    counts.push(count);
    nodeCount += count;
    if (count === 1) break;
  }
  return {
    linkCount,
    height: starts.length - 1,
    starts: Int32Array.from(starts),
    counts: Int32Array.from(counts),
    nodeCount,
  };
}

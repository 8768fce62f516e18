/**
 * Pushes the faces of a node's box in until they touch a link: a box around the boxes below also holds their empty corners,
 * which pile up from level to level.
 *
 * Method: along each of the six directions the farthest point of any link is searched from the node down. A child whose own
 * box ends before the farthest point so far is left out; the child that reaches farther is opened first. A direction goes
 * down by one product with the child's rotation.
 * Source: Lotan, Schwarzer, Halperin, Latombe 2002, section 6.1, ACM Symposium on Computational Geometry.
 * Frames: directions in the volume being looked at. Cost: O(N) at worst, some 6 log N visits of a node as a rule.
 * Writes the node's frame, extents and radius and its children's poses. Rounding: extents grow by 1e-14 of their size.
 * Checked by the shipped validation in test/contract/chain.test.ts.
 */
import type { Chain } from './chain.js';
import type { ChainTreeData } from './chain-block.js';
import { SEGMENT } from './link-shapes.js';
import { BOX_STRIDE, HALF, RADIUS } from './tree-layout.js';

const ROUNDING = 1e-14;
const shift = new Float64Array(3);
/** Direction and, along it, the centre of the volume looked at, by level: 4 numbers each. */
const MOST_LEVELS = 32;
const directions = new Float64Array(4 * MOST_LEVELS);
/** How far any link reaches along the direction, as far as known. */
let farthest = 0;

/** Children of node (level, j), their poses in its volume up to date. */
export function shrinkBox(chain: Chain, data: ChainTreeData, level: number, j: number): void {
  const { layout, frames, boxes } = data;
  const node = layout.starts[level] + j;
  const box = BOX_STRIDE * node;
  const frame = 12 * node;
  const left = BOX_STRIDE * (layout.starts[level - 1] + 2 * j);
  const end = 2 * j + 1 < layout.counts[level - 1] ? left + 2 * BOX_STRIDE : left + BOX_STRIDE;
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    const upper = reachAlong(chain, data, level, j, k, 1);
    const lower = -reachAlong(chain, data, level, j, k, -1);
    shift[k] = 0.5 * (upper + lower);
    const half = 0.5 * (upper - lower);
    boxes[box + HALF + k] = half + ROUNDING * (half + Math.abs(shift[k]) + boxes[box + RADIUS]);
    squared += boxes[box + HALF + k] ** 2;
  }
  for (let r = 0; r < 3; r++) {
    const at = frame + 3 * r;
    frames[frame + 9 + r] += frames[at] * shift[0] + frames[at + 1] * shift[1] + frames[at + 2] * shift[2];
  }
  let around = 0;
  for (let child = left; child < end; child += BOX_STRIDE) {
    for (let k = 0; k < 3; k++) boxes[child + 9 + k] -= shift[k];
    const distance = Math.hypot(boxes[child + 9], boxes[child + 10], boxes[child + 11]);
    around = Math.max(around, distance + boxes[child + RADIUS]);
  }
  boxes[box + RADIUS] = Math.min(Math.sqrt(squared), around) * (1 + ROUNDING);
}

/** From the volume's centre along axis k, times `sign`, to the farthest point of a link. */
function reachAlong(chain: Chain, data: ChainTreeData, level: number, j: number, k: number, sign: number): number {
  const at = 4 * level;
  directions.fill(0, at, at + 4);
  directions[at + k] = sign;
  farthest = -Infinity;
  visitChildren(chain, data, level, j);
  return farthest;
}

/** Goes into the children of node (level, j) that may reach beyond the farthest point so far. */
function visitChildren(chain: Chain, data: ChainTreeData, level: number, j: number): void {
  const { layout, boxes } = data;
  const first = 2 * j;
  const left = BOX_STRIDE * (layout.starts[level - 1] + first);
  const isPair = first + 1 < layout.counts[level - 1];
  const leftReach = enter(boxes, left, level);
  const rightReach = isPair ? enter(boxes, left + BOX_STRIDE, level) : -Infinity;
  for (let turn = 0; turn < 2; turn++) {
    const isRight = rightReach > leftReach === (turn === 0);
    if ((isRight ? rightReach : leftReach) <= farthest) continue;
    enter(boxes, isRight ? left + BOX_STRIDE : left, level);
    if (level > 1) visitChildren(chain, data, level - 1, isRight ? first + 1 : first);
    else farthest = Math.max(farthest, reachOfLink(chain, isRight ? first + 1 : first));
  }
}

/** The direction in a child's volume, one level down; how far the child's box reaches along it. */
function enter(boxes: Float64Array, child: number, level: number): number {
  const at = 4 * level;
  const x = directions[at];
  const y = directions[at + 1];
  const z = directions[at + 2];
  const below = at - 4;
  let reach = directions[at + 3] + x * boxes[child + 9] + y * boxes[child + 10] + z * boxes[child + 11];
  directions[below + 3] = reach;
  for (let k = 0; k < 3; k++) {
    const along = x * boxes[child + k] + y * boxes[child + 3 + k] + z * boxes[child + 6 + k];
    directions[below + k] = along;
    reach += Math.abs(along) * boxes[child + HALF + k];
  }
  return reach;
}

/** As `enter`, exact for links that are segments, the box for others; the direction is in the link's shape frame. */
function reachOfLink({ links }: Chain, link: number): number {
  const { kinds, halfLengths, radii, halfExtents } = links;
  const [x, y, z, centre] = directions;
  if (kinds[link] === SEGMENT) return centre + Math.abs(z) * halfLengths[link] + radii[link];
  const at = 3 * link;
  return centre + Math.abs(x) * halfExtents[at] + Math.abs(y) * halfExtents[at + 1] + Math.abs(z) * halfExtents[at + 2];
}

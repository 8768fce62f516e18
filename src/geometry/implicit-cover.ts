/**
 * A region of polynomial inequalities in a box of space as cubes: those that lie in it, and those that may meet it.
 *
 * Cubes of a grid through the origin are halved, as in an octree, where they are neither certainly in the region nor certainly outside
 * (math/implicit-region.ts), down to the grid's cells. `outer` holds the region: what keeps off it keeps off the region, and a distance from it
 * is a lower bound. `inner` lies in the region: what meets it meets the region, and a distance from it is an upper bound.
 *
 * Source: notes on robotics, 7.2.1; H. Samet, "Foundations of Multidimensional and Metric Data Structures", 2006, section 1.4 (octrees).
 * Lengths in metres. Cost: O(surface / cell^2). A region of more cubes than `MOST_CUBES` is refused. Tested by implicit-cover.test.ts.
 */
import { requireNumbers, requirePositiveNumber, throwMisuse } from '../math/arguments.js';
import { type ImplicitRegion, judgeImplicitBox, requireImplicit } from '../math/implicit-region.js';
import { mergeCells } from './octree.js';
import type { Octree, Triple } from './shapes.js';

export interface ImplicitCover {
  /** Null where the region has no point in the box. */
  readonly outer: Octree | null;
  /** Null where no cube is certain. */
  readonly inner: Octree | null;
  /** Edge of the cubes that are in `outer` alone, metres; 0 where there is none. */
  readonly width: number;
}

const MOST_CUBES = 1 << 21;
/** Cells that the box may be from the origin, and long. */
const MOST_CELLS = 1 << 24;

/** What counts is the region within the whole cells from `low` to `high`; a cell's edge is `resolution`. */
export function coverImplicitSolid(
  region: ImplicitRegion,
  low: Triple,
  high: Triple,
  resolution: number,
): ImplicitCover {
  requireImplicit('coverImplicitSolid', 'region', region, 3);
  requireNumbers('coverImplicitSolid', 'low', low, 3);
  requireNumbers('coverImplicitSolid', 'high', high, 3);
  requirePositiveNumber('coverImplicitSolid', 'resolution', resolution);
  for (let k = 0; k < 3; k++)
    if (!(low[k] < high[k])) throwMisuse('coverImplicitSolid', `high[${k}]`, high[k], `more than ${low[k]}`);
  const from = low.map((x) => Math.floor(x / resolution));
  const to = high.map((x) => Math.ceil(x / resolution));
  const sizes = from.map((first, k) => to[k] - first);
  if (Math.max(...sizes, ...from.map(Math.abs), ...to.map(Math.abs)) > MOST_CELLS)
    throwMisuse('coverImplicitSolid', 'resolution', resolution, 'cells that are not much smaller than the box');
  let edge = 1;
  while (edge < Math.max(...sizes)) edge *= 2;
  const stack: number[] = [];
  for (let i = Math.floor(from[0] / edge) * edge; i < to[0]; i += edge)
    for (let j = Math.floor(from[1] / edge) * edge; j < to[1]; j += edge)
      for (let k = Math.floor(from[2] / edge) * edge; k < to[2]; k += edge) stack.push(i, j, k, edge);
  const inside: number[] = [];
  const open: number[] = [];
  const middle = [0, 0, 0];
  const half = [0, 0, 0];
  while (stack.length > 0) {
    const [i, j, k, e] = stack.splice(-4);
    const corner = [i, j, k];
    if (corner.some((c, a) => c >= to[a] || c + e <= from[a])) continue;
    for (let a = 0; a < 3; a++) {
      const [first, last] = [Math.max(corner[a], from[a]) * resolution, Math.min(corner[a] + e, to[a]) * resolution];
      middle[a] = (first + last) / 2;
      // Whatever products and sums lost.
      half[a] = (last - first) / 2 + 2 ** -50 * (Math.abs(first) + Math.abs(last));
    }
    const verdict = judgeImplicitBox(region, middle, half);
    if (verdict < 0) continue;
    if (verdict > 0 && corner.every((c, a) => c >= from[a] && c + e <= to[a])) inside.push(i, j, k, e);
    else if (e === 1) open.push(i, j, k, 1);
    else {
      const h = e / 2;
      for (let child = 0; child < 8; child++)
        stack.push(i + (child & 1) * h, j + ((child >> 1) & 1) * h, k + (child >> 2) * h, h);
    }
    if (inside.length + open.length > 4 * MOST_CUBES)
      throwMisuse('coverImplicitSolid', 'resolution', resolution, `one that gives ${MOST_CUBES} cubes at most`);
  }
  const toShape = (cells: number[]): Octree | null =>
    cells.length === 0 ? null : { type: 'octree', resolution, cells: mergeCells(Int32Array.from(cells)) };
  return {
    outer: toShape([...inside, ...open]),
    inner: toShape(inside),
    width: open.length > 0 ? resolution : 0,
  };
}

/**
 * A region of polynomial inequalities in a rectangle as boxes: those that lie in it, and those that may meet it.
 *
 * The rectangle is quartered where a box is neither certainly in the region nor certainly outside (math/implicit-region.ts), until sides are
 * at most `width`. Boxes side by side become one. What is no box is free; what lies between the two kinds is undecided, in a band of
 * boxes of that size. Cost: O(length of the boundary / width). Tested by implicit-cells.test.ts.
 */
import { requirePositiveNumber } from '../math/arguments.js';
import { type ImplicitRegion, judgeImplicitBox, requireImplicit } from '../math/implicit-region.js';
import type { ConvexPart } from './convex-parts.js';
import type { PlaneBounds } from './pieces.js';
import { requirePlaneBounds } from './problem.js';

export interface ImplicitCells {
  /** Lie in the region. */
  readonly inside: readonly ConvexPart[];
  /** Neither in it nor outside for certain. */
  readonly undecided: readonly ConvexPart[];
  /** Longest side of an undecided box, m. */
  readonly width: number;
}

type Cell = readonly [number, number, number, number];

export function coverImplicit(region: ImplicitRegion, bounds: PlaneBounds, width: number): ImplicitCells {
  requireImplicit('coverImplicit', 'region', region, 2);
  requirePlaneBounds('coverImplicit', 'bounds', bounds);
  requirePositiveNumber('coverImplicit', 'width', width);
  const [x0, y0, x1, y1] = bounds;
  const inside: Cell[] = [];
  const undecided: Cell[] = [];
  const stack: Cell[] = [[x0, y0, x1, y1]];
  while (stack.length > 0) {
    const cell = stack.pop()!;
    const verdict = judgeCell(region, cell);
    if (verdict < 0) continue;
    const [a, b, c, d] = cell;
    if (verdict > 0) inside.push(cell);
    else if (c - a <= width && d - b <= width) undecided.push(cell);
    else {
      const x = (a + c) / 2;
      const y = (b + d) / 2;
      stack.push([a, b, x, y], [x, b, c, y], [a, y, x, d], [x, y, c, d]);
    }
  }
  const widest = undecided.reduce((most, [a, b, c, d]) => Math.max(most, c - a, d - b), 0);
  return { inside: joinRows(inside), undecided: joinRows(undecided), width: widest };
}

function judgeCell(region: ImplicitRegion, [a, b, c, d]: Cell): number {
  const x = (a + c) / 2;
  const y = (b + d) / 2;
  return judgeImplicitBox(region, [x, y, 0], [Math.max(c - x, x - a), Math.max(d - y, y - b), 0]);
}

/** Boxes of the same height beside each other as one. */
function joinRows(cells: readonly Cell[]): ConvexPart[] {
  const sorted = [...cells].sort((p, q) => p[1] - q[1] || p[3] - q[3] || p[0] - q[0]);
  const rows: [number, number, number, number][] = [];
  for (const [a, b, c, d] of sorted) {
    const last = rows[rows.length - 1];
    if (last !== undefined && last[1] === b && last[3] === d && last[2] === a) last[2] = c;
    else rows.push([a, b, c, d]);
  }
  return rows.map(([a, b, c, d]) => [
    [a, b],
    [c, b],
    [c, d],
    [a, d],
  ]);
}

/** Halvings of a box that is looked at. */
const DEPTH = 40;
const MOST_CELLS = 10_000;

/** Whether a box lies in a region for certain: halved until all of it does. */
export function isBoxInImplicit(region: ImplicitRegion, box: PlaneBounds): boolean {
  const stack: [Cell, number][] = [[box, 0]];
  for (let count = 0; stack.length > 0; count++) {
    const [cell, depth] = stack.pop()!;
    const verdict = judgeCell(region, cell);
    if (verdict > 0) continue;
    if (verdict < 0 || depth === DEPTH || count === MOST_CELLS) return false;
    const [a, b, c, d] = cell;
    const [x, y] = [(a + c) / 2, (b + d) / 2];
    if (c - a >= d - b) stack.push([[a, b, x, d], depth + 1], [[x, b, c, d], depth + 1]);
    else stack.push([[a, b, c, y], depth + 1], [[a, y, c, d], depth + 1]);
  }
  return true;
}

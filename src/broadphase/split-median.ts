/**
 * Median split: half of the objects to each side along the axis on which their centres spread most.
 *
 * Method: the middle of the order of centres by quickselect, so linear per level.
 * Source: the AABB tree for robot self-collision ("median split").
 * Depth of the tree: ceil(log2 n) whatever the input, coinciding centres included.
 * Tested by static-tree.test.ts.
 */
import { selectNth } from '../math/select-nth.js';
import type { BuildItems } from './build.js';

export function splitAtMedian(items: BuildItems, start: number, end: number): number {
  const middle = (start + end) >> 1;
  selectNth(items.order, items.centres[axisOfLargestSpread(items, start, end)], start, end - 1, middle);
  return middle;
}

function axisOfLargestSpread({ centres, order }: BuildItems, start: number, end: number): number {
  let axis = 0;
  let largest = -1;
  for (let k = 0; k < 3; k++) {
    const c = centres[k];
    let lower = Infinity;
    let upper = -Infinity;
    for (let i = start; i < end; i++) {
      const value = c[order[i]];
      if (value < lower) lower = value;
      if (value > upper) upper = value;
    }
    if (upper - lower > largest) {
      largest = upper - lower;
      axis = k;
    }
  }
  return axis;
}

/**
 * Median split: half of the objects to each side along the axis on which their centres spread most.
 *
 * Method: the middle of the order of centres by quickselect, so linear per level.
 * Source: the AABB tree for robot self-collision ("median split"); selection: Hoare 1961, "Algorithm 65: find",
 * doi:10.1145/366622.366647.
 * Depth of the tree: ceil(log2 n) whatever the input, coinciding centres included.
 * Tested by static-tree.test.ts.
 */
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

/** Permutes order[left..right] so that position n holds what sorting by key would put there, smaller keys before it. */
function selectNth(order: Int32Array, key: Float64Array, left: number, right: number, n: number): void {
  while (left < right) {
    const a = key[order[left]];
    const b = key[order[(left + right) >> 1]];
    const c = key[order[right]];
    const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    let i = left;
    let j = right;
    while (i <= j) {
      while (key[order[i]] < pivot) i++;
      while (key[order[j]] > pivot) j--;
      if (i <= j) {
        const swap = order[i];
        order[i++] = order[j];
        order[j--] = swap;
      }
    }
    if (n <= j) right = j;
    else if (n >= i) left = i;
    else return;
  }
}

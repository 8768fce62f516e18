/**
 * How wide the cells of a spatial hash grid are.
 *
 *   AUTO_INITIAL   from the boxes present at the first query, then fixed
 *   CONSTANT       the width given
 *   AUTO_ADAPTIVE  again at the first query after boxes were added or removed, however many they were
 *
 * Automatic width = max(scaleFactor x median extent, minimumCellSize), a box's extent being its largest side (x and y alone in
 * two dimensions). The median is the upper one of an even count, so one box counts for itself; without boxes the width is
 * minimumCellSize. Median, not mean: a few walls do not widen the cells of many parts.
 * Cost: O(n).
 * Tested by hash-grid.test.ts.
 */
import { selectNth } from '../math/select-nth.js';
import { BOX_STRIDE } from './box.js';

export type CellSizeMode = 'AUTO_INITIAL' | 'CONSTANT' | 'AUTO_ADAPTIVE';

/** Narrower cells could not be inverted and multiplied by any coordinate without overflow. */
export const NARROWEST_CELL = 1e-100;

export function computeCellSize(
  boxes: Float64Array,
  ids: Int32Array,
  count: number,
  dimensions: 2 | 3,
  scaleFactor: number,
  minimumCellSize: number,
): number {
  if (count === 0) return minimumCellSize;
  const order = new Int32Array(count);
  const extents = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    order[i] = i;
    const o = ids[i] * BOX_STRIDE;
    for (let k = 0; k < dimensions; k++) extents[i] = Math.max(extents[i], boxes[o + 3 + k] - boxes[o + k]);
  }
  const middle = count >> 1;
  selectNth(order, extents, 0, count - 1, middle);
  return Math.max(scaleFactor * extents[order[middle]], minimumCellSize);
}

/**
 * Pairs of segments whose boxes overlap, each once.
 *
 * 1. A grid of about as many cells as segments is laid over all of them.
 * 2. A segment is entered, column by column, into the cells between its lowest and highest point there, widened by a thousandth
 *    of a cell: rounding loses no cell.
 * 3. Segments are taken in order and meet those of a higher number in their cells; a stamp holds back what was met before.
 *
 * Input: x0, y0, x1, y1 of each segment, which may be off by the `error` that is given. Cost: O(n + cells crossed + pairs
 * sharing a cell). Tested by region.test.ts and trapezoid-map.test.ts.
 */

export interface SegmentBoxes {
  readonly count: number;
  /** x0, y0, x1, y1 each. */
  readonly ends: Float64Array;
  /** No number is off by more. */
  readonly error: number;
}

interface Grid {
  readonly x0: number;
  readonly y0: number;
  readonly columns: number;
  readonly rows: number;
  readonly scaleX: number;
  readonly scaleY: number;
}

export function visitSegmentPairs(segments: SegmentBoxes, visit: (i: number, j: number) => void): void {
  const { count, ends, error } = segments;
  if (count < 2) return;
  const grid = layGrid(segments);
  const starts = new Int32Array(grid.columns * grid.rows + 1);
  for (let i = 0; i < count; i++) visitCells(grid, ends, i, (cell) => starts[cell + 1]++);
  for (let cell = 0; cell < grid.columns * grid.rows; cell++) starts[cell + 1] += starts[cell];
  const members = new Int32Array(starts[starts.length - 1]);
  const filled = starts.slice(0, -1);
  for (let i = 0; i < count; i++) {
    visitCells(grid, ends, i, (cell) => {
      members[filled[cell]++] = i;
    });
  }
  const stamp = new Int32Array(count).fill(-1);
  const slack = 2 * error;
  for (let i = 0; i < count; i++) {
    const lowX = Math.min(ends[4 * i], ends[4 * i + 2]) - slack;
    const highX = Math.max(ends[4 * i], ends[4 * i + 2]) + slack;
    const lowY = Math.min(ends[4 * i + 1], ends[4 * i + 3]) - slack;
    const highY = Math.max(ends[4 * i + 1], ends[4 * i + 3]) + slack;
    visitCells(grid, ends, i, (cell) => {
      for (let k = starts[cell + 1] - 1; k >= starts[cell]; k--) {
        const j = members[k];
        if (j <= i) break;
        if (stamp[j] === i) continue;
        stamp[j] = i;
        const at = 4 * j;
        if (Math.min(ends[at], ends[at + 2]) > highX || Math.max(ends[at], ends[at + 2]) < lowX) continue;
        if (Math.min(ends[at + 1], ends[at + 3]) > highY || Math.max(ends[at + 1], ends[at + 3]) < lowY) continue;
        visit(i, j);
      }
    });
  }
}

function layGrid({ count, ends }: SegmentBoxes): Grid {
  let x0 = Infinity;
  let y0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  for (let k = 0; k < 4 * count; k += 2) {
    if (ends[k] < x0) x0 = ends[k];
    if (ends[k] > x1) x1 = ends[k];
    if (ends[k + 1] < y0) y0 = ends[k + 1];
    if (ends[k + 1] > y1) y1 = ends[k + 1];
  }
  const width = Math.max(x1 - x0, 1e-300);
  const height = Math.max(y1 - y0, 1e-300);
  const perUnit = Math.sqrt(count / 2);
  const ratio = Math.min(Math.max(Math.sqrt(width / height), 1 / 64), 64);
  const columns = Math.min(Math.max(1, Math.ceil(perUnit * ratio)), 4096);
  const rows = Math.min(Math.max(1, Math.ceil(perUnit / ratio)), 4096);
  return { x0, y0, columns, rows, scaleX: columns / width, scaleY: rows / height };
}

function clampCell(value: number, count: number): number {
  const cell = Math.floor(value);
  return cell < 0 ? 0 : cell >= count ? count - 1 : cell;
}

/** Part of a cell by which a segment is widened, far above what rounding moves it. */
const WIDER = 1e-3;

function visitCells(grid: Grid, ends: Float64Array, i: number, visit: (cell: number) => void): void {
  const { columns, rows } = grid;
  let ax = (ends[4 * i] - grid.x0) * grid.scaleX;
  let ay = (ends[4 * i + 1] - grid.y0) * grid.scaleY;
  let bx = (ends[4 * i + 2] - grid.x0) * grid.scaleX;
  let by = (ends[4 * i + 3] - grid.y0) * grid.scaleY;
  if (bx < ax) {
    [ax, bx] = [bx, ax];
    [ay, by] = [by, ay];
  }
  const first = clampCell(ax - WIDER, columns);
  const last = clampCell(bx + WIDER, columns);
  const slope = bx - ax > WIDER ? (by - ay) / (bx - ax) : 0;
  const lowest = Math.min(ay, by);
  const highest = Math.max(ay, by);
  for (let column = first; column <= last; column++) {
    let low = lowest;
    let high = highest;
    if (first !== last && slope !== 0) {
      const left = ay + slope * (Math.max(column - WIDER, ax) - ax);
      const right = ay + slope * (Math.min(column + 1 + WIDER, bx) - ax);
      low = Math.max(lowest, Math.min(left, right));
      high = Math.min(highest, Math.max(left, right));
    }
    const bottom = clampCell(low - WIDER, rows);
    const top = clampCell(high + WIDER, rows);
    for (let row = bottom; row <= top; row++) visit(row * columns + column);
  }
}

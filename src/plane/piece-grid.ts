/**
 * Which pieces may be near a segment: their boxes in a grid.
 *
 * Answers visit every piece whose box the segment's box overlaps within the columns of the grid that it crosses, each once.
 * Tested by shortest-path.test.ts.
 */
import type { Piece } from './pieces.js';

/** Cells are entered this far beyond a box, in cells: rounding loses none. */
const WIDER = 1e-3;

export class PieceGrid {
  private readonly x0: number;
  private readonly y0: number;
  private readonly columns: number;
  private readonly rows: number;
  private readonly scaleX: number;
  private readonly scaleY: number;
  private readonly starts: Int32Array;
  private readonly members: Int32Array;
  private readonly stamp: Int32Array;
  private asked = 0;

  constructor(
    readonly pieces: readonly Piece[],
    [x0, y0, x1, y1]: readonly [number, number, number, number],
  ) {
    const side = Math.min(512, Math.max(1, Math.ceil(Math.sqrt(pieces.length))));
    this.x0 = x0;
    this.y0 = y0;
    this.columns = side;
    this.rows = side;
    this.scaleX = side / (x1 - x0);
    this.scaleY = side / (y1 - y0);
    this.starts = new Int32Array(side * side + 1);
    this.stamp = new Int32Array(pieces.length);
    this.visitBoxes((cell) => this.starts[cell + 1]++);
    for (let cell = 0; cell < side * side; cell++) this.starts[cell + 1] += this.starts[cell];
    this.members = new Int32Array(this.starts[side * side]);
    const filled = this.starts.slice(0, -1);
    this.visitBoxes((cell, i) => {
      this.members[filled[cell]++] = i;
    });
  }

  private visitBoxes(visit: (cell: number, piece: number) => void): void {
    for (const [i, { low, high }] of this.pieces.entries()) {
      const c1 = this.column(high[0], WIDER);
      const r1 = this.row(high[1], WIDER);
      for (let c = this.column(low[0], -WIDER); c <= c1; c++)
        for (let r = this.row(low[1], -WIDER); r <= r1; r++) visit(c * this.rows + r, i);
    }
  }

  private column(x: number, wider: number): number {
    const c = Math.floor((x - this.x0) * this.scaleX + wider);
    return c < 0 ? 0 : c >= this.columns ? this.columns - 1 : c;
  }

  private row(y: number, wider: number): number {
    const r = Math.floor((y - this.y0) * this.scaleY + wider);
    return r < 0 ? 0 : r >= this.rows ? this.rows - 1 : r;
  }

  /** Whether `test` holds for a piece near the segment. */
  some(ax: number, ay: number, bx: number, by: number, test: (piece: Piece) => boolean): boolean {
    const { rows, starts, members, stamp, pieces } = this;
    const asked = ++this.asked;
    const [px, py, qx, qy] = ax <= bx ? [ax, ay, bx, by] : [bx, by, ax, ay];
    const slope = qx > px ? (qy - py) / (qx - px) : 0;
    const lowY = Math.min(py, qy);
    const highY = Math.max(py, qy);
    const first = this.column(px, -WIDER);
    const last = this.column(qx, WIDER);
    for (let c = first; c <= last; c++) {
      let low = lowY;
      let high = highY;
      if (first !== last) {
        const left = py + slope * (Math.max(px, this.x0 + (c - WIDER) / this.scaleX) - px);
        const right = py + slope * (Math.min(qx, this.x0 + (c + 1 + WIDER) / this.scaleX) - px);
        low = Math.max(lowY, Math.min(left, right));
        high = Math.min(highY, Math.max(left, right));
        // The outer columns hold all that is beyond them.
        if (c === first) {
          low = Math.min(low, py);
          high = Math.max(high, py);
        }
        if (c === last) {
          low = Math.min(low, qy);
          high = Math.max(high, qy);
        }
      }
      const r1 = this.row(high, 2 * WIDER);
      for (let r = this.row(low, -2 * WIDER); r <= r1; r++) {
        const cell = c * rows + r;
        for (let k = starts[cell]; k < starts[cell + 1]; k++) {
          const i = members[k];
          if (stamp[i] === asked) continue;
          stamp[i] = asked;
          if (test(pieces[i])) return true;
        }
      }
    }
    return false;
  }
}

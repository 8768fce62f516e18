/**
 * Cells of a spatial hash grid, in levels: level 0 has cells of the width asked for, each next one cells four times as
 * wide. A box belongs to the first level at which it is at most `threshold` cells wide, so that it touches few cells, and
 * at which its cell numbers stay small integers.
 *
 * A coordinate x lies in cell floor(x / width); floor and the multiplication by 1 / width are monotone, rounding included.
 * Cells of all levels are hashed into one table by three large primes.
 * Source: Teschner, Heidelberger, Mueller, Pomerantes, Gross 2003, "Optimized spatial hashing for collision detection of
 * deformable objects", Vision, Modeling, and Visualization, section 4.1 (the hash function).
 */
import { BOX_STRIDE } from './box.js';

/** Cell numbers stay below this, so that they and their sums are exact 32-bit integers. */
export const CELL_LIMIT = 2 ** 30;
const LEVEL_FACTOR = 4;

export class GridCells {
  /** 1 / width per level; made as far as needed. */
  private readonly inverses: number[] = [];

  constructor(
    readonly cellSize: number,
    readonly threshold: number,
    readonly dimensions: 2 | 3,
  ) {
    this.inverses.push(1 / cellSize);
  }

  inverseAt(level: number): number {
    while (this.inverses.length <= level) this.inverses.push(this.inverses[this.inverses.length - 1] / LEVEL_FACTOR);
    return this.inverses[level];
  }

  /** Level of a box grown by `margin`. */
  levelOf(boxes: Float64Array, o: number, margin: number): number {
    const x0 = boxes[o];
    const y0 = boxes[o + 1];
    const x1 = boxes[o + 3] + margin;
    const y1 = boxes[o + 4] + margin;
    let extent = Math.max(x1 - x0, y1 - y0);
    let farthest = Math.max(-x0, x1, -y0, y1);
    if (this.dimensions === 3) {
      const z0 = boxes[o + 2];
      const z1 = boxes[o + 5] + margin;
      extent = Math.max(extent, z1 - z0);
      farthest = Math.max(farthest, -z0, z1);
    }
    let level = 0;
    let inverse = this.inverses[0];
    while (extent * inverse > this.threshold || farthest * inverse >= CELL_LIMIT) inverse = this.inverseAt(++level);
    return level;
  }

  /** Writes the first cell (x, y, z) and the last one that the box, its upper end grown by `margin`, touches. */
  writeRange(out: Int32Array, o: number, boxes: Float64Array, b: number, margin: number, level: number): void {
    const inverse = this.inverses[level];
    out[o] = Math.floor(boxes[b] * inverse);
    out[o + 1] = Math.floor(boxes[b + 1] * inverse);
    out[o + 3] = Math.floor((boxes[b + 3] + margin) * inverse);
    out[o + 4] = Math.floor((boxes[b + 4] + margin) * inverse);
    if (this.dimensions === 2) {
      out[o + 2] = 0;
      out[o + 5] = 0;
      return;
    }
    out[o + 2] = Math.floor(boxes[b + 2] * inverse);
    out[o + 5] = Math.floor((boxes[b + 5] + margin) * inverse);
  }
}

/** Numbers per cell range. */
export const RANGE_STRIDE = BOX_STRIDE;

/** The hash of a cell; the caller masks it to the size of the table. */
export function hashCell(x: number, y: number, z: number, level: number): number {
  const h = Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791) ^ Math.imul(level, 2654435761);
  // The low bits of a product depend on the low bits of the factor alone: mix the high ones in.
  return h ^ (h >>> 15);
}

/**
 * Maps of square cells: what a `.map` file holds, and which cells a robot may stand on.
 *
 * Cells are numbered row by row, cell = y * width + x, y counted from the file's first row. `free` holds 1 for a cell that robots may
 * enter. Source: Sturtevant 2012, "Benchmarks for grid-based pathfinding", doi:10.1109/TCIAIG.2012.2197681.
 */
import { requireCount, requireObject, throwMisuse } from '../math/arguments.js';

export interface GridMap {
  readonly width: number;
  readonly height: number;
  /** One entry per cell, 1 where robots may be. */
  readonly free: Uint8Array;
}

/** Cells beyond this are refused: vertex numbers and times must fit one another's tables. */
export const MOST_CELLS = 1 << 24;

export function requireGridMap(call: string, what: string, map: unknown): asserts map is GridMap {
  requireObject(call, what, map);
  const { width, height, free } = map as GridMap;
  requireCount(call, `${what}.width`, width, 1);
  requireCount(call, `${what}.height`, height, 1);
  if (width * height > MOST_CELLS) throwMisuse(call, `${what}`, width * height, `at most ${MOST_CELLS} cells`);
  if (!(free instanceof Uint8Array) || free.length !== width * height)
    throwMisuse(call, `${what}.free`, free, `${width * height} numbers in a Uint8Array`);
}

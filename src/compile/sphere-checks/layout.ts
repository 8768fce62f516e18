/**
 * Where things are in the memory of a compiled check, in bytes:
 *
 *   stamp | start delta (f64 per coordinate) | weights | scratch of states | q pairs | q | sines cosines | cells of kinematics |
 *   centres of each link's spheres | radii | rows of obstacle lists | scratch and constants of the code | environment | heapBase
 *
 * A cell is 16 bytes: a number for each of four configurations. Tested by compile-sphere-checks.test.ts.
 */
import type { Model } from '../../model/model.js';
import { type CellLayout, type CellRange, layOutCells } from '../layout.js';

export const CELL = 16;

/** Gives out addresses that are multiples of 16. */
export class AddressSpace {
  end = 0;

  take(bytes: number): number {
    const start = this.end;
    this.end = start + CELL * Math.ceil(bytes / CELL);
    return start;
  }

  cells(count: number): CellRange {
    return { start: this.take(CELL * count) / CELL, count };
  }
}

/** The cells that the trace reads: coordinates, sines and cosines. The trace's other ranges are empty. */
export function layOutTrace(space: AddressSpace, model: Model): CellLayout {
  const { turns, angles, sines } = layOutCells(model, []);
  const none: CellRange = { start: 0, count: 0 };
  return {
    status: none,
    q: space.cells(model.nq),
    v: none,
    a: none,
    tau: none,
    placements: none,
    jacobians: none,
    M: none,
    ddq: none,
    forces: none,
    gravity: none,
    angles: { start: 0, count: angles.count },
    sines: space.cells(sines.count),
    cosines: space.cells(sines.count),
    turns,
    derivatives: null,
    end: space.end / CELL,
  };
}

/** How a fleet's world is checked: cell sizes by their modes, which bodies are looked at, a clock for the profile. */

import { computeCellSize } from '../broadphase/cell-size.js';
import { type Fields, oneOf, requireFields, requireFunction, requirePositiveNumber } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';

export type FleetCellMode = 'AUTO_INITIAL' | 'CONSTANT' | 'AUTO_ADAPTIVE';

export interface FleetWorldOptions {
  /** AUTO_INITIAL, the default: from the bodies of the first step. AUTO_ADAPTIVE: again in a step after bodies came or went. */
  readonly cellSizeMode?: FleetCellMode;
  /** Width of a cell in metres, for CONSTANT and only there. */
  readonly cellSize?: number;
  /** Automatic width in median extents. Default 2. */
  readonly scaleFactor?: number;
  /** Lower bound of the automatic width. Default 0.5. */
  readonly minimumCellSize?: number;
  /** Bodies wider than this many cells are listed in every cell they touch. Default 1.5. */
  readonly multiCellThreshold?: number;
  /** Which pairs a step looks at: those with a body that moved, the default, or all. The contacts are the same. */
  readonly checks?: 'moved' | 'all';
  /** Milliseconds, for the phases of the profile. */
  readonly clock?: () => number;
}

const FIELDS: Fields = {
  cellSizeMode: oneOf('AUTO_INITIAL', 'CONSTANT', 'AUTO_ADAPTIVE'),
  cellSize: requirePositiveNumber,
  scaleFactor: requirePositiveNumber,
  minimumCellSize: requirePositiveNumber,
  multiCellThreshold: requirePositiveNumber,
  checks: oneOf('moved', 'all'),
  clock: requireFunction,
};

export function requireWorldOptions(call: string, options: FleetWorldOptions): void {
  requireFields(call, 'options', options, FIELDS);
  if ((options.cellSizeMode === 'CONSTANT') !== (options.cellSize !== undefined))
    throw new MisuseError(
      `${call}: options.cellSize, got ${options.cellSize}, expected a width with CONSTANT and only with it`,
    );
}

export function chooseCellSize(
  options: FleetWorldOptions,
  boxes: Float64Array,
  counts: (id: number) => boolean,
  bodies: number,
): number {
  if (options.cellSize !== undefined) return options.cellSize;
  const ids = new Int32Array(bodies);
  let n = 0;
  for (let id = 0; id < bodies; id++) if (counts(id)) ids[n++] = id;
  return computeCellSize(boxes, ids, n, 2, options.scaleFactor ?? 2, options.minimumCellSize ?? 0.5);
}

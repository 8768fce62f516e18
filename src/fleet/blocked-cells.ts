/**
 * Cells that the objects of a scene leave free: one is blocked when its square touches the object's box in x and y.
 *
 * Robots of at most half a cell stay, on an edge between two free cells, within these two squares; so they never touch what was blocked.
 * Cells are squares about their centres, `cellSize` wide; cell (0, 0) is centred at the origin. Objects of files are refused: their
 * boxes are not known here. Tested by fleet-run.test.ts.
 */
import { NUMERIC_SHAPES } from '../geometry/shapes/index.js';
import { MisuseError } from '../math/misuse.js';
import type { ObjectDescription } from '../scene/description.js';
import type { GridMap } from './grid-map.js';

export function fleetBlocks(map: GridMap, cellSize: number, objects: readonly ObjectDescription[] = []): GridMap {
  if (objects.length === 0) return map;
  const free = map.free.slice();
  for (const { name, shape, pose } of objects) {
    if (!(shape.type in NUMERIC_SHAPES))
      throw new MisuseError(
        `createFleetSetup: object "${name}", got a ${shape.type}, expected a shape of numbers only`,
      );
    // A ball about the object's place holds its box however it is turned; boxes that stand upright are taken as they are.
    const [x, y, , , , qz, qw] = pose;
    const [hx, hy] = halfExtents(shape as never, pose[3] === 0 && pose[4] === 0 ? 2 * qw * qw - 1 : null, 2 * qz * qw);
    const low = (v: number) => Math.ceil(v / cellSize - 0.5);
    const high = (v: number) => Math.floor(v / cellSize + 0.5);
    for (let i = Math.max(0, low(y - hy)); i <= Math.min(map.height - 1, high(y + hy)); i++)
      for (let j = Math.max(0, low(x - hx)); j <= Math.min(map.width - 1, high(x + hx)); j++)
        free[i * map.width + j] = 0;
  }
  return { ...map, free };
}

/** Half extents in x and y; `c`, `s`: cosine and sine of the yaw, `c` null where the object is tilted. */
function halfExtents(
  shape: { type: string; size?: readonly number[]; radius?: number; length?: number; semiAxes?: readonly number[] },
  c: number | null,
  s: number,
): [number, number] {
  const { type, size, radius = 0, length = 0, semiAxes } = shape;
  const box = size !== undefined ? size.map((side) => side / 2) : (semiAxes ?? [radius, radius, length / 2 + radius]);
  if (type === 'halfspace') return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (c === null) {
    const all = Math.sqrt(box[0] * box[0] + box[1] * box[1] + box[2] * box[2]);
    return [all, all];
  }
  return [Math.abs(c) * box[0] + Math.abs(s) * box[1], Math.abs(s) * box[0] + Math.abs(c) * box[1]];
}

/** Where robots begin: in rows, or at random with room between them. */
import { requireCount, requireNumbers, requirePositiveNumber, requireSeed } from '../math/arguments.js';
import { createRandom } from '../math/random.js';

/** x and y of `count` places in rows of `columns`, from the first at `origin`, `spacing` metres apart. */
export function spawnGrid(
  count: number,
  columns: number,
  spacing: number,
  origin: readonly [number, number] = [0, 0],
): Float64Array {
  requireCount('spawnGrid', 'count', count);
  requireCount('spawnGrid', 'columns', columns, 1);
  requirePositiveNumber('spawnGrid', 'spacing', spacing);
  requireNumbers('spawnGrid', 'origin', origin, 2);
  const places = new Float64Array(2 * count);
  for (let k = 0; k < count; k++) {
    const column = k % columns;
    places[2 * k] = origin[0] + column * spacing;
    places[2 * k + 1] = origin[1] + ((k - column) / columns) * spacing;
  }
  return places;
}

/**
 * x and y of places within bounds [x0, y0, x1, y1], each at least `apart` metres from the others: as many as were found in 100 tries each, at
 * most `count`. Cost: O(tries).
 */
export function spawnRandom(
  count: number,
  bounds: readonly [number, number, number, number],
  apart: number,
  seed = 1,
): Float64Array {
  requireCount('spawnRandom', 'count', count);
  requireNumbers('spawnRandom', 'bounds', bounds, 4);
  requirePositiveNumber('spawnRandom', 'apart', apart);
  requireSeed('spawnRandom', seed);
  const random = createRandom(seed);
  const cells = new Map<string, number[]>();
  const places: number[] = [];
  const cellOf = (x: number, y: number) => [Math.floor(x / apart), Math.floor(y / apart)] as const;
  for (let tries = 0; places.length < 2 * count && tries < 100 * count; tries++) {
    const x = random.uniform(bounds[0], bounds[2]);
    const y = random.uniform(bounds[1], bounds[3]);
    const [cx, cy] = cellOf(x, y);
    let isFree = true;
    for (let i = cx - 1; i <= cx + 1 && isFree; i++)
      for (let j = cy - 1; j <= cy + 1 && isFree; j++)
        for (const k of cells.get(`${i} ${j}`) ?? []) {
          const dx = places[2 * k] - x;
          const dy = places[2 * k + 1] - y;
          if (dx * dx + dy * dy < apart * apart) isFree = false;
        }
    if (!isFree) continue;
    const key = `${cx} ${cy}`;
    cells.set(key, [...(cells.get(key) ?? []), places.length / 2]);
    places.push(x, y);
  }
  return Float64Array.from(places);
}

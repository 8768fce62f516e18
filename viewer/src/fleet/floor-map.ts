/** The warehouse that the page shows first: shelves of ten cells in rows, aisles of two, wide ways around them. */
import type { FleetDescription } from 'clearance/fleet';

const SHELF = 10;
const AISLE = 2;
const BORDER = 8;
/** Cells that a robot has to itself, in the mean: fewer, and they stand in each other's way. */
const ROOM = 5.2;

/** A world with so many robots at random places, which carry loads between shelves and stations at the borders. */
export function createFloor(robots: number): FleetDescription {
  const side = Math.ceil(Math.sqrt(robots * ROOM * 1.35)) + 2 * BORDER;
  const rows: string[] = [];
  const pickups: [number, number][] = [];
  const isShelf = (x: number, y: number): boolean => {
    const [u, v] = [x - BORDER, y - BORDER];
    if (u < 0 || v < 0 || x >= side - BORDER || y >= side - BORDER) return false;
    return u % (SHELF + AISLE) < SHELF && v % (2 + AISLE) < 2;
  };
  for (let y = 0; y < side; y++) {
    let row = '';
    for (let x = 0; x < side; x++) row += isShelf(x, y) ? '@' : '.';
    rows.push(row);
  }
  // Before the shelves, in the aisles; every goal costs a row of distances, so not every cell is one.
  for (let y = BORDER + 2; y < side - BORDER; y += 2 + AISLE)
    for (let x = BORDER + 1; x < side - BORDER; x += 4) if (!isShelf(x, y)) pickups.push([x, y]);
  const most = 900;
  const every = Math.max(1, Math.ceil(pickups.length / most));
  const used = pickups.filter((_, k) => k % every === 0);
  const deliveries: [number, number][] = [];
  for (let k = 4; k < side - 4; k += 6) deliveries.push([k, 2], [k, side - 3], [2, k], [side - 3, k]);
  return {
    version: 1,
    objects: [],
    fleet: {
      map: rows,
      robots,
      radius: 0.4,
      speed: 1.5,
      acceleration: 1,
      tasks: { pickups: used, deliveries },
      stops: { share: 0.005, seconds: 10 },
      seed: 1,
    },
  };
}

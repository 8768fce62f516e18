/**
 * Pairs of points closer than a distance, by cells: every point asks the cells around its own.
 *
 * Method: cells as wide as the distance, points sorted by cell with a counting sort, each cell against itself and half of
 * its 26 neighbours, so a pair comes once. The table of cells is hashed, so that far-flung points cost no memory; two
 * cells in one bucket are told apart by their numbers.
 * Source: Allen, Tildesley 2017, Computer Simulation of Liquids, 2nd edition, section 5.3.
 * Cost: linear in points and pairs for bounded density.
 * Checked by cell-list.test.ts against all pairs.
 */

import { requireCount, requireFunction, requireNumber, requireNumbers, throwLength } from '../math/arguments.js';

/**
 * Limits are met to this much, angstrom: coordinates are decimals, whose differences carry rounding (3.000 apart may come out as
 * 3.0000000000000004).
 */
export const LIMIT_TOLERANCE = 1e-10;

const FORWARD: readonly (readonly [number, number, number])[] = [
  [1, 0, 0],
  [-1, 1, 0],
  [0, 1, 0],
  [1, 1, 0],
  [-1, -1, 1],
  [0, -1, 1],
  [1, -1, 1],
  [-1, 0, 1],
  [0, 0, 1],
  [1, 0, 1],
  [-1, 1, 1],
  [0, 1, 1],
  [1, 1, 1],
];

/**
 * Visits every pair of points at most `reach` apart once (inclusive, to LIMIT_TOLERANCE), with the square of their distance. The order depends on the
 * points alone. `positions` holds 3 count finite numbers.
 */
export function findContacts(
  positions: Float64Array,
  count: number,
  reach: number,
  visit: (i: number, j: number, squaredDistance: number) => void,
): void {
  requireNumbers('findContacts', 'positions', positions);
  requireCount('findContacts', 'count', count);
  if (positions.length < 3 * count)
    throwLength('findContacts', 'positions', positions, `3 for each of ${count} points`);
  requireNumber('findContacts', 'reach', reach);
  requireFunction('findContacts', 'visit', visit);
  if (count < 2 || reach < 0) return;
  const cutoff = reach + LIMIT_TOLERANCE;
  const inverse = 1 / Math.max(cutoff, 1e-9);
  const cells = new Int32Array(3 * count);
  for (let i = 0; i < 3 * count; i++) cells[i] = Math.floor(positions[i] * inverse);
  let size = 8;
  while (size < 2 * count) size *= 2;
  const mask = size - 1;
  const bucketOf = (x: number, y: number, z: number) =>
    (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & mask;
  const starts = new Int32Array(size + 1);
  for (let i = 0; i < count; i++) starts[bucketOf(cells[3 * i], cells[3 * i + 1], cells[3 * i + 2]) + 1]++;
  for (let b = 0; b < size; b++) starts[b + 1] += starts[b];
  const order = new Int32Array(count);
  const fill = starts.slice(0, size);
  for (let i = 0; i < count; i++) order[fill[bucketOf(cells[3 * i], cells[3 * i + 1], cells[3 * i + 2])]++] = i;

  const limit = cutoff * cutoff;
  const test = (i: number, j: number) => {
    const dx = positions[3 * i] - positions[3 * j];
    const dy = positions[3 * i + 1] - positions[3 * j + 1];
    const dz = positions[3 * i + 2] - positions[3 * j + 2];
    const squared = dx * dx + dy * dy + dz * dz;
    if (squared <= limit) visit(i, j, squared);
  };
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [cells[3 * i], cells[3 * i + 1], cells[3 * i + 2]];
    const own = bucketOf(x, y, z);
    for (let k = starts[own]; k < starts[own + 1]; k++) {
      const j = order[k];
      if (j > i && cells[3 * j] === x && cells[3 * j + 1] === y && cells[3 * j + 2] === z) test(i, j);
    }
    for (const [dx, dy, dz] of FORWARD) {
      const bucket = bucketOf(x + dx, y + dy, z + dz);
      for (let k = starts[bucket]; k < starts[bucket + 1]; k++) {
        const j = order[k];
        if (cells[3 * j] === x + dx && cells[3 * j + 1] === y + dy && cells[3 * j + 2] === z + dz) test(i, j);
      }
    }
  }
}

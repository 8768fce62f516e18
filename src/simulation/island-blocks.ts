/**
 * What an island is made of, which says how it is solved (solve-islands.ts): blocks[from .. end - 1] of the simulation's constraints.
 * Tested by physics.test.ts.
 */
import { CONTACT, type ConstraintSet, SIDE } from './constraint-set.js';
import type { Simulation } from './simulation.js';

/** Rows of an island up to which `auto` takes the proximal solver: beyond, its n^3 costs more than its few steps save. */
const MOST_PROXIMAL = 120;

export function sleeps({ constraints: { sides } }: Simulation, asleep: Uint8Array, block: number): boolean {
  const m = Math.max(sides[2 * SIDE * block + 3], sides[2 * SIDE * block + SIDE + 3]);
  return asleep[m] === 1;
}

export function isOfBodies(
  { constraints: { kinds, sides }, world }: Simulation,
  blocks: Int32Array,
  from: number,
  end: number,
): boolean {
  const count = world.bodies.length;
  for (let k = from; k < end; k++) {
    const s = 2 * SIDE * blocks[k];
    if (kinds[blocks[k]] !== CONTACT || sides[s + 3] >= count || sides[s + SIDE + 3] >= count) return false;
  }
  return true;
}

/** The robot that is all that moves in an island of rows without softness, in any step but those that ask for Gauss-Seidel; or -1. */
export function onlyRobot(
  { constraints: { kinds, sides, rows, softness }, world }: Simulation,
  blocks: Int32Array,
  from: number,
  end: number,
): number {
  const { bodies, step } = world;
  if (step.solver === 'gauss-seidel') return -1;
  let mover = -1;
  for (let k = from; k < end; k++) {
    const b = blocks[k];
    const count = kinds[b] === CONTACT ? 3 : 1;
    for (let r = rows[b]; r < rows[b] + count; r++) if (softness[r] > 0) return -1;
    for (let s = 2 * SIDE * b; s < 2 * SIDE * (b + 1); s += SIDE) {
      if (sides[s + 3] < 0) continue;
      if (mover < 0) mover = sides[s + 3];
      if (sides[s + 3] !== mover) return -1;
    }
  }
  return mover - bodies.length;
}

export function usesProximal(simulation: Simulation, blocks: Int32Array, from: number, end: number): boolean {
  const { solver } = simulation.world.step;
  if (solver !== 'auto') return solver === 'proximal';
  return countRows(simulation, blocks, from, end) <= MOST_PROXIMAL;
}

/** Contacts that an island begins with: what acts on joints comes behind. */
export function countContacts({ kinds }: ConstraintSet, blocks: Int32Array, from: number, end: number): number {
  let count = 0;
  while (from + count < end && kinds[blocks[from + count]] === CONTACT) count++;
  return count;
}

export function countRows(
  { constraints: { kinds } }: Simulation,
  blocks: Int32Array,
  from: number,
  end: number,
): number {
  let rows = 0;
  for (let k = from; k < end; k++) rows += kinds[blocks[k]] === CONTACT ? 3 : 1;
  return rows;
}

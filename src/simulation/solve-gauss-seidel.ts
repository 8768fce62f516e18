/**
 * Contact impulses by projected Gauss-Seidel on the blocks of one island: linear in contacts, as close as its iterations allow.
 *
 * Method: block by block in a fixed order, and back, from the impulses of the step before; the velocities V hold J^T f at every moment.
 * A contact: its normal impulse to w_n = 0 or 0, then both tangential ones, exactly where they stick, else by a step of the
 * projection on the disc (elliptic) or square (pyramidal) of the new normal impulse. Ends when no block's velocity changed by more
 * than the tolerance.
 * Source: Jourdan, Alart, Jean 1998, "A Gauss-Seidel like algorithm to solve frictional contact problems",
 * doi:10.1016/S0045-7825(97)00137-0; Erleben 2007, "Velocity-based shock propagation for multibody dynamics animation",
 * doi:10.1145/1243980.1243986.
 * Cost: some 150 operations per contact of two bodies and iteration; no allocation. Ends: `solved`, or `limit` with what it has.
 * Tested by contact-solvers.test.ts and physics.test.ts.
 */

import { CONTACT, type ConstraintSet } from './constraint-set.js';
import { blockResidual, type ContactProblem } from './contact-problem.js';

/**
 * Per block: diagonal of its rows 3, softness included; of the tangential 2 x 2 block the off-diagonal, the largest eigenvalue and the
 * determinant; normal by tangents 2.
 */
const STRIDE = 8;
/** Determinant of tangential rows, as part of the squared largest eigenvalue, below which they count as one row or none. */
const SINGULAR = 1e-12;
let diagonals = new Float64Array(0);

export interface GaussSeidelOptions {
  readonly iterations: number;
  readonly tolerance: number;
  readonly pyramidal: boolean;
}

export interface GaussSeidelResult {
  iterations: number;
  residual: number;
  status: 'solved' | 'limit';
}

/** Writes what the iterations need of blocks[from .. end - 1]. */
export function prepareGaussSeidel(set: ConstraintSet, blocks: Int32Array, from: number, end: number): void {
  if (diagonals.length < STRIDE * set.blockCount) diagonals = grow(diagonals, 2 * STRIDE * set.blockCount);
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const row = set.rows[b];
    const at = STRIDE * b;
    if (set.kinds[b] !== CONTACT) {
      diagonals[at] = set.measureOwn(b, 0, 0) + set.softness[row];
      continue;
    }
    for (let r = 0; r < 3; r++) diagonals[at + r] = set.measureOwn(b, r, r) + set.softness[row + r];
    const off = set.measureOwn(b, 1, 2);
    diagonals[at + 3] = off;
    const mean = 0.5 * (diagonals[at + 1] + diagonals[at + 2]);
    const half = 0.5 * (diagonals[at + 1] - diagonals[at + 2]);
    diagonals[at + 4] = mean + Math.sqrt(half * half + off * off);
    diagonals[at + 6] = set.measureOwn(b, 1, 0);
    diagonals[at + 7] = set.measureOwn(b, 2, 0);
    diagonals[at + 5] = diagonals[at + 1] * diagonals[at + 2] - off * off;
  }
}

/** V += Y f of all blocks of an island: the impulses that they start with. */
export function applyImpulses(
  set: ConstraintSet,
  V: Float64Array,
  blocks: Int32Array,
  from: number,
  end: number,
): void {
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const row = set.rows[b];
    const count = set.kinds[b] === CONTACT ? 3 : 1;
    for (let r = 0; r < count; r++) if (set.impulses[row + r] !== 0) set.pushRow(b, r, V, set.impulses[row + r]);
  }
}

/** Iterates over blocks[from .. end - 1]; V holds the velocities with the impulses that are in `set`. */
export function solveGaussSeidel(
  set: ConstraintSet,
  V: Float64Array,
  blocks: Int32Array,
  from: number,
  end: number,
  { iterations, tolerance, pyramidal }: GaussSeidelOptions,
  result: GaussSeidelResult,
): void {
  result.status = 'limit';
  let i = 0;
  while (i < iterations && result.status === 'limit') {
    const forward = (i & 1) === 0;
    i++;
    let largest = 0;
    for (let k = from; k < end; k++) {
      const b = blocks[forward ? k : from + end - 1 - k];
      const change = set.kinds[b] === CONTACT ? relaxContact(set, b, V, pyramidal) : relaxRow(set, b, V);
      if (change > largest) largest = change;
    }
    if (largest <= tolerance) result.status = 'solved';
  }
  result.iterations = i;
}

function relaxRow(set: ConstraintSet, b: number, V: Float64Array): number {
  const row = set.rows[b];
  const g = diagonals[STRIDE * b];
  if (!(g > 0)) return 0;
  const { impulses, softness, biases, lower, upper } = set;
  const old = impulses[row];
  const w = set.measureRow(b, 0, V) + softness[row] * old + biases[row];
  const wanted = old - w / g;
  const next = wanted < lower[row] ? lower[row] : Math.min(wanted, upper[row]);
  const change = next - old;
  if (change !== 0) {
    impulses[row] = next;
    set.pushRow(b, 0, V, change);
  }
  return Math.abs(change) * g;
}

const w = new Float64Array(3);

function relaxContact(set: ConstraintSet, b: number, V: Float64Array, pyramidal: boolean): number {
  const { rows, impulses, softness, biases, frictions } = set;
  const row = rows[b];
  const at = STRIDE * b;
  const g = diagonals[at];
  if (!(g > 0)) return 0;
  const isBodies = set.measureBodies(w, b, V);
  if (!isBodies) for (let r = 0; r < 3; r++) w[r] = set.measureRow(b, r, V);
  const old = impulses[row];
  const x = impulses[row + 1];
  const y = impulses[row + 2];
  let normal = old - (w[0] + softness[row] * old + biases[row]) / g;
  if (!(normal > 0)) normal = 0;
  const dn = normal - old;
  const limit = frictions[b] * normal;
  let nx = 0;
  let ny = 0;
  if (limit > 0) {
    const wx = w[1] + diagonals[at + 6] * dn + softness[row + 1] * x + biases[row + 1];
    const wy = w[2] + diagonals[at + 7] * dn + softness[row + 2] * y + biases[row + 2];
    const gx = diagonals[at + 1];
    const gy = diagonals[at + 2];
    const off = diagonals[at + 3];
    const step = diagonals[at + 4];
    const determinant = diagonals[at + 5];
    if (determinant > SINGULAR * step * step) {
      nx = x - (gy * wx - off * wy) / determinant;
      ny = y - (gx * wy - off * wx) / determinant;
    } else {
      // One direction or none can move: that of the eigenvalue.
      nx = step > 0 ? x - wx / step : x;
      ny = step > 0 ? y - wy / step : y;
    }
    if (pyramidal) {
      if (Math.abs(nx) > limit || Math.abs(ny) > limit) {
        nx = Math.max(-limit, Math.min(limit, step > 0 ? x - wx / step : x));
        ny = Math.max(-limit, Math.min(limit, step > 0 ? y - wy / step : y));
      }
    } else if (nx * nx + ny * ny > limit * limit) {
      nx = step > 0 ? x - wx / step : x;
      ny = step > 0 ? y - wy / step : y;
      const norm = Math.sqrt(nx * nx + ny * ny);
      if (norm > limit) {
        nx *= limit / norm;
        ny *= limit / norm;
      }
    }
  }
  const dx = nx - x;
  const dy = ny - y;
  if (dn === 0 && dx === 0 && dy === 0) return 0;
  impulses[row] = normal;
  impulses[row + 1] = nx;
  impulses[row + 2] = ny;
  if (isBodies) set.pushBodies(b, V, dn, dx, dy);
  else {
    set.pushRow(b, 0, V, dn);
    set.pushRow(b, 1, V, dx);
    set.pushRow(b, 2, V, dy);
  }
  return Math.max(Math.abs(dn) * g, Math.max(Math.abs(dx), Math.abs(dy)) * diagonals[at + 4]);
}

function grow(old: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size);
  larger.set(old);
  return larger;
}

/** J M^-1 J^T + R of a block's first row, after `prepareGaussSeidel`. */
export function firstDiagonal(block: number): number {
  return diagonals[STRIDE * block];
}

/** Mean diagonal entry of a block's rows, after `prepareGaussSeidel`. */
export function meanDiagonalOf({ kinds }: ConstraintSet, block: number): number {
  const at = STRIDE * block;
  return kinds[block] === CONTACT ? (diagonals[at] + diagonals[at + 1] + diagonals[at + 2]) / 3 : diagonals[at];
}

/** The numbers of a block, from from[at ..]. */
export function setDiagonals(block: number, from: Float64Array, at: number): void {
  if (diagonals.length < STRIDE * (block + 1)) diagonals = grow(diagonals, 2 * STRIDE * (block + 1));
  for (let k = 0; k < STRIDE; k++) diagonals[STRIDE * block + k] = from[at + k];
}

/** out[at ..] = the numbers of a block, after `prepareGaussSeidel`. */
export function copyDiagonals(out: Float64Array, at: number, block: number): void {
  for (let k = 0; k < STRIDE; k++) out[at + k] = diagonals[STRIDE * block + k];
}

let velocities = new Float64Array(0);

/** The residual of contact-problem.ts at V, for blocks[from .. end - 1]. */
export function measureResidual(
  set: ConstraintSet,
  V: Float64Array,
  blocks: Int32Array,
  from: number,
  end: number,
  law: ContactProblem['law'],
  pyramidal: boolean,
): number {
  if (velocities.length < set.rowCount) velocities = new Float64Array(2 * set.rowCount);
  const { kinds, rows, frictions, lower, upper, impulses, softness, biases } = set;
  const problem = { kinds, rows, frictions, lower, upper, law, pyramidal };
  let largest = 0;
  for (let i = from; i < end; i++) {
    const b = blocks[i];
    const row = rows[b];
    const count = kinds[b] === CONTACT ? 3 : 1;
    for (let r = 0; r < count; r++)
      velocities[row + r] = set.measureRow(b, r, V) + softness[row + r] * impulses[row + r] + biases[row + r];
    const g = meanDiagonalOf(set, b);
    if (g > 0) largest = Math.max(largest, blockResidual(problem, b, impulses, velocities, g));
  }
  return largest;
}

// Rounds of Newton's method on the contacts of a robot, with sweeps of Gauss-Seidel between: what src/simulation/solve-islands.ts
// (tryVelocities) does in JavaScript with solve-gauss-seidel.ts, to the same bits.
//
// Rows are those in which the mass matrix is 1, so an impulse acts by the row itself. Tests: src/simulation/robot-kernel.test.ts.
import { closeWork, readF64, writeF64, writeU32 } from '../memory';
import {
  addRow,
  addRowsInTurn,
  best,
  biases,
  copyNumbers,
  countOf,
  diagonals,
  first,
  frictions,
  impulses,
  isPyramidal,
  jacobianOf,
  kindOf,
  lower,
  measureContact,
  measureRow,
  n,
  openIsland,
  rowCount,
  rowOf,
  second,
  start,
  table,
  tableEnd,
  third,
  u,
  upper,
  w,
} from './island';
import { measureLargest, residual, runNewton, steps } from './robot-newton';
import { BLOCK_BYTES, ISLAND_ITERATIONS, ISLAND_RESIDUAL } from '../../src/kernel/contact-layout';

const SINGULAR: f64 = 1e-12;

function relaxRow(t: usize, d: usize): f64 {
  const g = readF64(d);
  if (!(g > 0)) return 0;
  const r = rowOf(t);
  const old = readF64(impulses + r);
  const wanted = old - (measureRow(u, t, 0) + readF64(biases + r)) / g;
  const low = readF64(lower + r);
  const value = wanted < low ? low : min(wanted, readF64(upper + r));
  const step = value - old;
  if (step != 0) {
    writeF64(impulses + r, 0, value);
    addRow(u, t, jacobianOf(t), step);
  }
  return abs(step) * g;
}

function relaxContact(t: usize, d: usize, friction: f64): f64 {
  const g = readF64(d);
  if (!(g > 0)) return 0;
  const r = rowOf(t);
  const f = impulses + r;
  measureContact(u, t, 0, 0, 0);
  const old = readF64(f);
  const x = readF64(f, 8);
  const y = readF64(f, 16);
  let normal = old - (first + readF64(biases + r)) / g;
  if (!(normal > 0)) normal = 0;
  const dn = normal - old;
  const limit = friction * normal;
  let nx: f64 = 0;
  let ny: f64 = 0;
  const step = readF64(d, 32);
  if (limit > 0) {
    const wx = second + readF64(d, 48) * dn + readF64(biases + r, 8);
    const wy = third + readF64(d, 56) * dn + readF64(biases + r, 16);
    const off = readF64(d, 24);
    const determinant = readF64(d, 40);
    if (determinant > SINGULAR * step * step) {
      nx = x - (readF64(d, 16) * wx - off * wy) / determinant;
      ny = y - (readF64(d, 8) * wy - off * wx) / determinant;
    } else {
      nx = step > 0 ? x - wx / step : x;
      ny = step > 0 ? y - wy / step : y;
    }
    if (isPyramidal) {
      if (abs(nx) > limit || abs(ny) > limit) {
        nx = max(-limit, min(limit, step > 0 ? x - wx / step : x));
        ny = max(-limit, min(limit, step > 0 ? y - wy / step : y));
      }
    } else if (nx * nx + ny * ny > limit * limit) {
      nx = step > 0 ? x - wx / step : x;
      ny = step > 0 ? y - wy / step : y;
      const norm = sqrt(nx * nx + ny * ny);
      if (norm > limit) {
        nx *= limit / norm;
        ny *= limit / norm;
      }
    }
  }
  const dx = nx - x;
  const dy = ny - y;
  if (dn == 0 && dx == 0 && dy == 0) return 0;
  writeF64(f, 0, normal);
  writeF64(f, 8, nx);
  writeF64(f, 16, ny);
  addRowsInTurn(u, t, dn, dx, dy);
  return max(abs(dn) * g, max(abs(dx), abs(dy)) * step);
}

@inline
function relax(t: usize): f64 {
  const i = (t - table) / BLOCK_BYTES;
  const d = diagonals + 64 * i;
  return kindOf(t) == 1 ? relaxContact(t, d, readF64(frictions + 8 * i)) : relaxRow(t, d);
}

/** One sweep, and one back unless it changed nothing. */
function sweepTwice(): void {
  let largest: f64 = 0;
  for (let t = table; t < tableEnd; t += BLOCK_BYTES) {
    const step = relax(t);
    if (step > largest) largest = step;
  }
  if (largest <= 0) return;
  for (let t = tableEnd; t > table; ) {
    t -= BLOCK_BYTES;
    relax(t);
  }
}

/** u += what the impulses do. */
function applyImpulses(): void {
  for (let t = table; t < tableEnd; t += BLOCK_BYTES) {
    const r = impulses + rowOf(t);
    const bytes = countOf(t) << 3;
    const rows: usize = kindOf(t) == 1 ? 3 : 1;
    for (let k: usize = 0; k < rows; k++) {
      const f = readF64(r + 8 * k);
      if (f != 0) addRow(u, t, jacobianOf(t) + bytes * k, f);
    }
  }
}

/** The residual at u. */
function measureResidual(): f64 {
  for (let t = table; t < tableEnd; t += BLOCK_BYTES) {
    const r = rowOf(t);
    if (kindOf(t) == 1) {
      measureContact(u, t, 0, 0, 0);
      writeF64(w + r, 0, first + readF64(biases + r));
      writeF64(w + r, 8, second + readF64(biases + r, 8));
      writeF64(w + r, 16, third + readF64(biases + r, 16));
    } else writeF64(w + r, 0, measureRow(u, t, 0) + readF64(biases + r));
  }
  return measureLargest(impulses, w);
}

/**
 * Rounds of at most `iterations` steps each, whole ones in every other, with `sweeps` of them between, until the residual is within `goal`
 * (`enough` ends a round); 1 where it is, with the velocities in u. Impulses are those of the end either way; the residual and the
 * iterations are in the block.
 */
export function solveRobot(
  block: usize,
  rounds: u32,
  iterations: u32,
  sweeps: u32,
  gain: f64,
  goal: f64,
  enough: f64,
): u32 {
  openIsland(block);
  let left: f64 = Infinity;
  let count: u32 = 0;
  let isSolved = false;
  for (let round: u32 = 0; round < rounds; round++) {
    isSolved = runNewton((round & 1) == 1, iterations, goal, enough);
    count += steps;
    copyNumbers(impulses, best, rowCount);
    if (isSolved) {
      left = residual;
      break;
    }
    copyNumbers(u, start, n);
    applyImpulses();
    for (let i: u32 = 0; i < sweeps; i += 2) sweepTwice();
    count += sweeps;
    const last = left;
    left = measureResidual();
    isSolved = left <= goal;
    if (isSolved || (round > 0 && left > gain * last)) break;
  }
  writeF64(block, ISLAND_RESIDUAL, left);
  writeU32(block, ISLAND_ITERATIONS, count);
  closeWork();
  return isSolved ? 1 : 0;
}

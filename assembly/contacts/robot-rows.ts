// Rows of the contacts of a robot with what does not move: what src/simulation/build-constraints.ts (addContactRows),
// robot-branches.ts (scaleRows) and solve-gauss-seidel.ts (prepareGaussSeidel) do in JavaScript, to the same bits.
//
// Method, sources: as there. The columns of the Jacobian are those of the velocities, one each. Tests: src/simulation/robot-kernel.test.ts.
import {
  BLOCK_BYTES,
  BLOCK_SIDE,
  ISLAND_CONTACTS,
  STEPPED_COLUMNS,
  STEPPED_FACTORS,
  STEPPED_ROOTS,
} from '../../src/kernel/contact-layout';
import { closeWork, readF64, readLanes, readU32, writeF64, writeV128 } from '../memory';
import { writeBasis } from './body-contacts';
import {
  countOf,
  diagonals,
  impulses,
  jacobianOf,
  kindOf,
  mul,
  n,
  openIsland,
  robot,
  rowOf,
  runsEndOf,
  runsOf,
  splat,
  sub,
  table,
  tableEnd,
} from './island';

/** Normal, point, impulse and basis of a contact: 3, 3, 3, 9 numbers. */
const CONTACT_BYTES: usize = 144;

/** Sum of products of two rows. */
@inline
function product(a: usize, b: usize, bytes: usize): f64 {
  let sum: f64 = 0;
  for (let k: usize = 0; k < bytes; k += 8) sum += readF64(a + k) * readF64(b + k);
  return sum;
}

/** As prepareGaussSeidel, of the block at t. */
function writeDiagonals(t: usize, d: usize): void {
  const bytes = countOf(t) << 3;
  const j = jacobianOf(t);
  if (kindOf(t) == 0) {
    writeF64(d, 0, product(j, j, bytes));
    return;
  }
  const x = j + bytes;
  const y = x + bytes;
  let nn: f64 = 0;
  let xx: f64 = 0;
  let yy: f64 = 0;
  let off: f64 = 0;
  let nx: f64 = 0;
  let ny: f64 = 0;
  for (let k: usize = 0; k < bytes; k += 8) {
    const a = readF64(j + k);
    const b = readF64(x + k);
    const c = readF64(y + k);
    nn += a * a;
    xx += b * b;
    yy += c * c;
    off += b * c;
    nx += b * a;
    ny += c * a;
  }
  const mean = 0.5 * (xx + yy);
  const half = 0.5 * (xx - yy);
  writeF64(d, 0, nn);
  writeF64(d, 8, xx);
  writeF64(d, 16, yy);
  writeF64(d, 24, off);
  writeF64(d, 32, mean + sqrt(half * half + off * off));
  writeF64(d, 40, xx * yy - off * off);
  writeF64(d, 48, nx);
  writeF64(d, 56, ny);
}

/** The motion of the contact at c along its basis, per velocity. */
function writeColumns(t: usize, c: usize, columns: usize, sign: f64): void {
  const bytes = countOf(t) << 3;
  const x = readF64(c, 24);
  const y = readF64(c, 32);
  const z = readF64(c, 40);
  const n0 = readF64(c, 72);
  const n1 = readF64(c, 80);
  const n2 = readF64(c, 88);
  const t0 = readF64(c, 96);
  const t1 = readF64(c, 104);
  const t2 = readF64(c, 112);
  const s0 = readF64(c, 120);
  const s1 = readF64(c, 128);
  const s2 = readF64(c, 136);
  let j = jacobianOf(t);
  const end = runsEndOf(t);
  for (let run = runsOf(t); run < end; run += 8) {
    let g = columns + <usize>readU32(run) * 48;
    const stop = g + <usize>readU32(run, 4) * 48;
    for (; g < stop; g += 48, j += 8) {
      const wx = readF64(g, 24);
      const wy = readF64(g, 32);
      const wz = readF64(g, 40);
      const lx = readF64(g) + wy * z - wz * y;
      const ly = readF64(g, 8) + wz * x - wx * z;
      const lz = readF64(g, 16) + wx * y - wy * x;
      // Sums begin at 0, so that none is -0.
      writeF64(j, 0, 0 + sign * (n0 * lx + n1 * ly + n2 * lz));
      writeF64(j + bytes, 0, 0 + sign * (t0 * lx + t1 * ly + t2 * lz));
      writeF64(j + 2 * bytes, 0, 0 + sign * (s0 * lx + s1 * ly + s2 * lz));
    }
  }
}

/** Three rows in the velocities in which the mass matrix is 1. */
function scaleRows(t: usize, factors: usize, inverses: usize): void {
  const rowBytes = (<usize>n) << 3;
  const bytes = countOf(t) << 3;
  const begin = jacobianOf(t);
  const firstRun = runsOf(t);
  let i = bytes;
  for (let run = runsEndOf(t); run > firstRun; ) {
    run -= 8;
    const velocity = <usize>readU32(run);
    for (let k = <usize>readU32(run, 4); k-- > 0; ) {
      i -= 8;
      const a = readF64(begin + i);
      const b = readF64(begin + bytes + i);
      const c = readF64(begin + 2 * bytes + i);
      if (a == 0 && b == 0 && c == 0) continue;
      const x = splat(a);
      const y = splat(b);
      const z = splat(c);
      const row = factors + rowBytes * (velocity + k);
      let j = begin;
      let left = i;
      for (let from = firstRun; left > 0; from += 8) {
        let l = row + ((<usize>readU32(from)) << 3);
        const length = min(left, (<usize>readU32(from, 4)) << 3);
        const stop = l + length;
        left -= length;
        for (; l + 8 < stop; l += 16, j += 16) {
          const factor = readLanes(l);
          writeV128(j, 0, sub(readLanes(j), mul(factor, x)));
          writeV128(j + bytes, 0, sub(readLanes(j + bytes), mul(factor, y)));
          writeV128(j + 2 * bytes, 0, sub(readLanes(j + 2 * bytes), mul(factor, z)));
        }
        if (l < stop) {
          const factor = readF64(l);
          writeF64(j, 0, readF64(j) - factor * a);
          writeF64(j + bytes, 0, readF64(j + bytes) - factor * b);
          writeF64(j + 2 * bytes, 0, readF64(j + 2 * bytes) - factor * c);
          j += 8;
        }
      }
    }
  }
  const end = runsEndOf(t);
  let j = begin;
  for (let run = firstRun; run < end; run += 8) {
    let at = inverses + ((<usize>readU32(run)) << 3);
    const stop = at + ((<usize>readU32(run, 4)) << 3);
    for (; at < stop; at += 8, j += 8) {
      const inverse = readF64(at);
      writeF64(j, 0, readF64(j) * inverse);
      writeF64(j + bytes, 0, readF64(j + bytes) * inverse);
      writeF64(j + 2 * bytes, 0, readF64(j + 2 * bytes) * inverse);
    }
  }
}

/** The impulse of the step before along the basis, nothing where it would pull. */
@inline
function writeImpulse(t: usize, c: usize): void {
  const f = impulses + rowOf(t);
  const x = readF64(c, 48);
  const y = readF64(c, 56);
  const z = readF64(c, 64);
  const normal = 0 + readF64(c, 72) * x + readF64(c, 80) * y + readF64(c, 88) * z;
  const isPushing = normal > 0;
  writeF64(f, 0, isPushing ? normal : 0);
  writeF64(f, 8, isPushing ? 0 + readF64(c, 96) * x + readF64(c, 104) * y + readF64(c, 112) * z : 0);
  writeF64(f, 16, isPushing ? 0 + readF64(c, 120) * x + readF64(c, 128) * y + readF64(c, 136) * z : 0);
}

/** Rows, basis and first impulse of the contacts that have none, and the diagonals of all blocks. */
export function writeRobotRows(block: usize): void {
  openIsland(block);
  const contacts = <usize>readU32(block, ISLAND_CONTACTS);
  const columns = <usize>readU32(robot, STEPPED_COLUMNS);
  const factors = <usize>readU32(robot, STEPPED_FACTORS);
  const inverses = <usize>readU32(robot, STEPPED_ROOTS) + ((<usize>n) << 3);
  let d = diagonals;
  let c = contacts;
  for (let t = table; t < tableEnd; t += BLOCK_BYTES, d += 64, c += CONTACT_BYTES) {
    const side = readU32(t, BLOCK_SIDE);
    if (side != 0) {
      for (let k: usize = 0; k < 24; k += 8) writeF64(c + k, 72, readF64(c + k));
      writeBasis(c + 72);
      writeColumns(t, c, columns, side == 1 ? 1 : -1);
      scaleRows(t, factors, inverses);
      writeImpulse(t, c);
    }
    writeDiagonals(t, d);
  }
  closeWork();
}

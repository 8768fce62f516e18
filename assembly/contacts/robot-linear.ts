// The linear equation of a Newton's step in a robot's velocities: what src/simulation/solve-in-velocities.ts (solveLinear) and
// solve-along-tree.ts do in JavaScript, to the same bits, two numbers at a time.
//
// Source: Featherstone 2005, doi:10.1177/0278364905054928, as there. Tests: src/simulation/robot-kernel.test.ts.
import { readF64, readLanes, readU32, writeF64, writeV128 } from '../memory';
import {
  add,
  B,
  change,
  countOf,
  jacobianOf,
  kindOf,
  matrix,
  mul,
  n,
  rowOf,
  runsEndOf,
  runsOf,
  splat,
  sub,
  supports,
  table,
  tableEnd,
} from './island';
import { BLOCK_BYTES } from '../../src/kernel/contact-layout';

const LEAST_PIVOT: f64 = 1e-12;

/** matrix row at m += a, b, c times the rows of t, numbers 0 .. `numbers` - 1. */
@inline
function addToRow(m: usize, t: usize, j: usize, bytes: usize, numbers: usize, a: f64, b: f64, c: f64): void {
  const x = splat(a);
  const y = splat(b);
  const z = splat(c);
  let left = numbers << 3;
  for (let run = runsOf(t); left > 0; run += 8) {
    let at = m + ((<usize>readU32(run)) << 3);
    const length = min(left, (<usize>readU32(run, 4)) << 3);
    const stop = at + length;
    left -= length;
    for (; at + 8 < stop; at += 16, j += 16)
      writeV128(
        at,
        0,
        add(
          readLanes(at),
          add(add(mul(x, readLanes(j)), mul(y, readLanes(j + bytes))), mul(z, readLanes(j + 2 * bytes))),
        ),
      );
    if (at < stop) {
      writeF64(at, 0, readF64(at) + (a * readF64(j) + b * readF64(j + bytes) + c * readF64(j + 2 * bytes)));
      j += 8;
    }
  }
}

@inline
function addRowToRow(m: usize, t: usize, j: usize, numbers: usize, a: f64): void {
  const x = splat(a);
  let left = numbers << 3;
  for (let run = runsOf(t); left > 0; run += 8) {
    let at = m + ((<usize>readU32(run)) << 3);
    const length = min(left, (<usize>readU32(run, 4)) << 3);
    const stop = at + length;
    left -= length;
    for (; at + 8 < stop; at += 16, j += 16) writeV128(at, 0, add(readLanes(at), mul(x, readLanes(j))));
    if (at < stop) {
      writeF64(at, 0, readF64(at) + a * readF64(j));
      j += 8;
    }
  }
}

function addBlocks(isSymmetric: bool): void {
  const rowBytes = (<usize>n) << 3;
  for (let t = table; t < tableEnd; t += BLOCK_BYTES) {
    const o = B + 3 * rowOf(t);
    const b0 = readF64(o);
    if (b0 == 0) continue;
    const count = countOf(t);
    const bytes = count << 3;
    const j = jacobianOf(t);
    const isContact = kindOf(t) == 1;
    const end = runsEndOf(t);
    let k: usize = 0;
    for (let run = runsOf(t); run < end; run += 8) {
      let m = matrix + rowBytes * <usize>readU32(run);
      const stop = k + <usize>readU32(run, 4);
      for (; k < stop; k++, m += rowBytes) {
        const numbers = isSymmetric ? k + 1 : count;
        const x = readF64(j + 8 * k);
        if (!isContact) {
          const d = b0 * x;
          if (d != 0 || !isSymmetric) addRowToRow(m, t, j, numbers, d);
          continue;
        }
        const y = readF64(j + bytes + 8 * k);
        const z = readF64(j + 2 * bytes + 8 * k);
        if (isSymmetric) addToRow(m, t, j, bytes, numbers, b0 * x, b0 * y, b0 * z);
        else
          addToRow(
            m,
            t,
            j,
            bytes,
            numbers,
            b0 * x + readF64(o, 24) * y + readF64(o, 48) * z,
            readF64(o, 8) * x + readF64(o, 32) * y + readF64(o, 56) * z,
            readF64(o, 16) * x + readF64(o, 40) * y + readF64(o, 64) * z,
          );
      }
    }
  }
}

/** Row at `to` -= ratio times row at `from`, in the runs of `support`. */
@inline
function subtractRow(to: usize, from: usize, support: usize, ratio: f64): void {
  const scale = splat(ratio);
  const end = <usize>readU32(support, 4);
  for (let run = <usize>readU32(support); run < end; run += 8) {
    const offset = (<usize>readU32(run)) << 3;
    let at = to + offset;
    let source = from + offset;
    const stop = at + ((<usize>readU32(run, 4)) << 3);
    for (; at + 8 < stop; at += 16, source += 16) writeV128(at, 0, sub(readLanes(at), mul(scale, readLanes(source))));
    if (at < stop) writeF64(at, 0, readF64(at) - ratio * readF64(source));
  }
}

/** SUPPORTS: per velocity what supports it and itself (runs: address, end), and what supports it alone. */
@inline
function supportOf(k: usize): usize {
  return supports + 16 * k;
}

/** Eliminates from the leaves to the root. */
function eliminate(isSymmetric: bool): bool {
  const rowBytes = (<usize>n) << 3;
  for (let k = <usize>n; k-- > 0; ) {
    const row = matrix + rowBytes * k;
    const pivot = readF64(row + 8 * k);
    if (!(isSymmetric ? pivot > LEAST_PIVOT : abs(pivot) > LEAST_PIVOT)) return false;
    const inverse = 1 / pivot;
    const own = readF64(change + 8 * k);
    const above = supportOf(k) + 8;
    const end = <usize>readU32(above, 4);
    for (let run = <usize>readU32(above); run < end; run += 8) {
      let i = <usize>readU32(run);
      const stop = i + <usize>readU32(run, 4);
      for (; i < stop; i++) {
        const to = matrix + rowBytes * i;
        const ratio = (isSymmetric ? readF64(row + 8 * i) : readF64(to + 8 * k)) * inverse;
        if (ratio == 0) continue;
        subtractRow(to, row, isSymmetric ? supportOf(i) : above, ratio);
        writeF64(change + 8 * i, 0, readF64(change + 8 * i) - ratio * own);
      }
    }
  }
  return true;
}

/** (1 + Z^T B Z) x = change, in place; false where it has no solution. */
export function solveLinear(isSymmetric: bool): bool {
  const rowBytes = (<usize>n) << 3;
  memory.fill(matrix, 0, rowBytes * n);
  for (let k: usize = 0; k < <usize>n; k++) writeF64(matrix + (rowBytes + 8) * k, 0, 1);
  addBlocks(isSymmetric);
  if (!eliminate(isSymmetric)) return false;
  for (let k: usize = 0; k < <usize>n; k++) {
    const row = matrix + rowBytes * k;
    let sum = readF64(change + 8 * k);
    const above = supportOf(k) + 8;
    const first = <usize>readU32(above);
    for (let run = <usize>readU32(above, 4); run > first; ) {
      run -= 8;
      const begin = <usize>readU32(run);
      for (let i = begin + <usize>readU32(run, 4); i-- > begin; ) sum -= readF64(row + 8 * i) * readF64(change + 8 * i);
    }
    writeF64(change + 8 * k, 0, sum / readF64(row + 8 * k));
  }
  return true;
}

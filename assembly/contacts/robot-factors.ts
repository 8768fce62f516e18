// M = L^T D L of a robot that is stepped, and its solution for one right side: what src/dynamics/factorize-inertia.ts does in JavaScript, to
// the same bits, along runs of velocities that follow each other.
//
// Source: Featherstone 2008, section 6.5, doi:10.1007/978-1-4899-7560-7. Block: src/simulation/robot-factors.ts makes it; the lower triangle
// of M is where the factors will be. Tests: src/simulation/robot-kernel.test.ts.
import {
  STEPPED_BYTES,
  STEPPED_FACTORS,
  STEPPED_N,
  STEPPED_ROOTS,
  STEPPED_SUPPORTS,
} from '../../src/kernel/contact-layout';
import { closeWork, openWork, readF64, readLanes, readU32, writeF64, writeV128 } from '../memory';
import { mul, splat, sub } from './island';

const EPSILON: f64 = f64.EPSILON;

/** Numbers at `to` -= factor times those at `from`, in the runs from `run` to `end`. */
@inline
function subtract(to: usize, from: usize, run: usize, end: usize, factor: f64): void {
  const scale = splat(factor);
  for (; run < end; run += 8) {
    const offset = (<usize>readU32(run)) << 3;
    let at = to + offset;
    let source = from + offset;
    const stop = at + ((<usize>readU32(run, 4)) << 3);
    for (; at + 8 < stop; at += 16, source += 16) writeV128(at, 0, sub(readLanes(at), mul(scale, readLanes(source))));
    if (at < stop) writeF64(at, 0, readF64(at) - factor * readF64(source));
  }
}

/** M at `factors` becomes its factors; false at a pivot that is none. */
@inline
function factorize(factors: usize, diagonal: usize, supports: usize, n: usize): bool {
  const rowBytes = n << 3;
  for (let k: usize = 0; k < n; k++) writeF64(diagonal + (k << 3), 0, readF64(factors + (rowBytes + 8) * k));
  for (let k = n; k-- > 0; ) {
    const row = factors + rowBytes * k;
    const pivot = readF64(row + (k << 3));
    if (!(pivot > <f64>n * EPSILON * readF64(diagonal + (k << 3)))) return false;
    const above = supports + (k << 4) + 8;
    const first = <usize>readU32(above);
    for (let run = <usize>readU32(above, 4); run > first; ) {
      run -= 8;
      const begin = <usize>readU32(run);
      for (let i = begin + <usize>readU32(run, 4); i-- > begin; ) {
        const at = row + (i << 3);
        const ratio = readF64(at) / pivot;
        const own = supports + (i << 4);
        subtract(factors + rowBytes * i, row, <usize>readU32(own), <usize>readU32(own, 4), ratio);
        writeF64(at, 0, ratio);
      }
    }
  }
  return true;
}

/** b becomes the solution. */
@inline
function solve(b: usize, factors: usize, supports: usize, n: usize): void {
  const rowBytes = n << 3;
  for (let i = n; i-- > 0; ) {
    const above = supports + (i << 4) + 8;
    subtract(b, factors + rowBytes * i, <usize>readU32(above), <usize>readU32(above, 4), readF64(b + (i << 3)));
  }
  for (let i: usize = 0; i < n; i++) {
    const row = factors + rowBytes * i;
    let x = readF64(b + (i << 3)) * (1 / readF64(row + (i << 3)));
    const above = supports + (i << 4) + 8;
    const first = <usize>readU32(above);
    for (let run = <usize>readU32(above, 4); run > first; ) {
      run -= 8;
      const begin = <usize>readU32(run);
      for (let j = begin + <usize>readU32(run, 4); j-- > begin; ) x -= readF64(row + (j << 3)) * readF64(b + (j << 3));
    }
    writeF64(b + (i << 3), 0, x);
  }
}

/** Factors, roots of their diagonal with inverses, and the solution; 0 where M is singular. */
export function factorizeRobot(robot: usize): u32 {
  const bytes = <usize>load<u32>(robot, STEPPED_BYTES);
  openWork(robot, bytes, robot, bytes);
  const n = <usize>readU32(robot, STEPPED_N);
  const factors = <usize>readU32(robot, STEPPED_FACTORS);
  const supports = <usize>readU32(robot, STEPPED_SUPPORTS);
  const roots = <usize>readU32(robot, STEPPED_ROOTS);
  const numbers = n << 3;
  const isRegular = factorize(factors, roots + 2 * numbers, supports, n);
  if (isRegular) {
    solve(roots + 3 * numbers, factors, supports, n);
    for (let k: usize = 0; k < n; k++) {
      const root = sqrt(readF64(factors + (numbers + 8) * k));
      writeF64(roots + (k << 3), 0, root);
      writeF64(roots + numbers + (k << 3), 0, 1 / root);
    }
  }
  closeWork();
  return isRegular ? 1 : 0;
}

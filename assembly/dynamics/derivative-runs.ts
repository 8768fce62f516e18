// Derivatives of RNEA and ABA from the arguments on, without external forces: src/dynamics/derivative-terms.ts and what goes before
// and after it, to the same bits, in the blocks of both.
//
// Method, sources: as there. The motions and forces of columns go to the block of derivatives.ts as they are made.
// Cost: linear in joints, beside the pairs and products. Tests: src/dynamics/derivative-kernel.test.ts.
import {
  DYNAMICS_BYTES,
  DYNAMICS_CHAINS,
  DYNAMICS_CHAIN_STARTS,
  DYNAMICS_FACTORS,
  DYNAMICS_NV,
  DYNAMICS_PIVOTS,
  RECURSION_A,
  RECURSION_ALIGNED_SUBSPACES,
  RECURSION_BYTES,
  RECURSION_COLUMN_FORCES,
  RECURSION_DDQ,
  RECURSION_INVERSES,
  RECURSION_NV,
} from '../../src/kernel/layout';
import { alignBodies } from './align-bodies';
import { writeTerms } from './derivative-terms';
import { addPairs, multiply } from './derivatives';
import { closeWork, openWork, readF64, readU32, writeF64 } from '../memory';

/**
 * Derivatives of RNEA from q, v, a of the first block into the matrices of the second, in which stands what is added to them, and
 * S^T f into its torques; 0 when an angle needs the slow path of `sinCos`.
 */
export function runRneaDerivatives(recursions: usize, block: usize): i32 {
  openBoth(recursions, block);
  const isDone = alignBodies(recursions);
  if (isDone) {
    writeTerms(recursions, block);
    addPairs(block);
  }
  closeWork();
  return isDone ? 1 : 0;
}

/** The same of ABA, after `runAba`: with its accelerations, and the products with the inverse of M. */
export function runAbaDerivatives(recursions: usize, block: usize): void {
  openBoth(recursions, block);
  memory.copy(
    readU32(recursions, RECURSION_A),
    readU32(recursions, RECURSION_DDQ),
    (<usize>readU32(recursions, RECURSION_NV)) << 3,
  );
  invertArticulated(recursions, block);
  writeTerms(recursions, block);
  addPairs(block);
  multiply(block);
  closeWork();
}

function openBoth(recursions: usize, block: usize): void {
  openWork(recursions, load<u32>(recursions, RECURSION_BYTES), block, load<u32>(block, DYNAMICS_BYTES));
}

/** Y and D^-1 from what ABA left of its columns: src/dynamics/inverse-factors.ts. */
function invertArticulated(recursions: usize, block: usize): void {
  const U: usize = readU32(recursions, RECURSION_COLUMN_FORCES);
  const inverses: usize = readU32(recursions, RECURSION_INVERSES);
  const S: usize = readU32(recursions, RECURSION_ALIGNED_SUBSPACES);
  const starts: usize = readU32(block, DYNAMICS_CHAIN_STARTS);
  const chains: usize = readU32(block, DYNAMICS_CHAINS);
  const Y: usize = readU32(block, DYNAMICS_FACTORS);
  const D: usize = readU32(block, DYNAMICS_PIVOTS);
  const n: usize = readU32(block, DYNAMICS_NV);
  for (let i: usize = 0; i < n; i++) {
    const u = U + 48 * i;
    const inverse = readF64(inverses + (i << 3));
    writeF64(D + (i << 3), 0, inverse);
    let g0 = readF64(u) * inverse;
    let g1 = readF64(u, 8) * inverse;
    let g2 = readF64(u, 16) * inverse;
    let g3 = readF64(u, 24) * inverse;
    let g4 = readF64(u, 32) * inverse;
    let g5 = readF64(u, 40) * inverse;
    const start = <i32>readU32(starts + (i << 2));
    let at = <i32>readU32(starts + (i << 2), 4) - 1;
    writeF64(Y + ((<usize>at) << 3), 0, 1);
    for (at--; at >= start; at--) {
      const d: usize = readU32(chains + ((<usize>at) << 2));
      const s = S + 48 * d;
      const k = U + 48 * d;
      const y = -(
        readF64(s) * g0 +
        readF64(s, 8) * g1 +
        readF64(s, 16) * g2 +
        readF64(s, 24) * g3 +
        readF64(s, 32) * g4 +
        readF64(s, 40) * g5
      );
      writeF64(Y + ((<usize>at) << 3), 0, y);
      const z = y * readF64(inverses + (d << 3));
      g0 += readF64(k) * z;
      g1 += readF64(k, 8) * z;
      g2 += readF64(k, 16) * z;
      g3 += readF64(k, 24) * z;
      g4 += readF64(k, 32) * z;
      g5 += readF64(k, 40) * z;
    }
  }
}

/**
 * Contacts of a ChainTree across its changed joints: the walk runs in the kernel (assembly/chain/chain.ts) on the 32-bit copy of
 * the volumes; what it cannot tell apart is a candidate, measured exactly by the caller.
 *
 * Cost: some 20 ns per pair of volumes, a fifth of the same walk in 64-bit TypeScript; a handful of candidates.
 * Checked by test/contract/chain.test.ts.
 */
import { RESULT_COUNTS, RESULT_TRIANGLES } from '../kernel/layout.js';
import { chains } from '../kernel/parts/chain.js';
import { type ChainBlock, OUTWARD } from './chain-block.js';
import type { ChainStats } from './chain-state.js';
import type { ContactMemory } from './contact-memory.js';

/** Calls `visit` with pairs of links that may touch until it returns true; whether it did. */
export function searchContacts(
  block: ChainBlock,
  memory: ContactMemory,
  tolerance: number,
  stats: ChainStats,
  visit: (a: number, b: number) => boolean,
): boolean {
  const { kernel, address, changedAt } = block;
  const { changed, changedCount } = memory;
  const { u32 } = kernel;
  for (let i = 0; i < changedCount; i++) u32[changedAt + i] = changed[i];
  let found = kernel.part(chains).searchChain(address, changedCount, tolerance * OUTWARD);
  let isDone = false;
  let volumeTests = 0;
  let pairTests = 0;
  let tightenings = 0;
  for (;;) {
    const words = kernel.u32;
    volumeTests = words[RESULT_COUNTS / 4];
    pairTests = words[RESULT_COUNTS / 4 + 1];
    tightenings = words[RESULT_COUNTS / 4 + 3];
    if (found === 0) break;
    isDone = visit(words[RESULT_TRIANGLES / 4], words[RESULT_TRIANGLES / 4 + 1]);
    if (isDone) break;
    found = kernel.part(chains).resumeChain();
  }
  stats.volumeTests += volumeTests;
  stats.pairTests += pairTests;
  // Boxes tightened on the way.
  stats.volumeUpdates += tightenings;
  return isDone;
}

/**
 * The kernels of a ChainTree built with bounds and alignment assertions: the same verdicts as brute force over random steps,
 * and no access outside the tree's block.
 */
import { describe, it } from 'vitest';
import { createBruteForceChain } from '../../src/chain/brute-force-chain.js';
import { createChainTree } from '../../src/chain/chain-tree.js';
import { LinkPairs } from '../../src/chain/link-pairs.js';
import { useCheckedKernel } from '../../src/kernel/checked-kernel.js';
import { createRandom } from '../../src/math/random.js';
import { expect } from '../support/quick-expect.js';
import { pairNames, randomChain, stageChange } from './random-chains.js';

useCheckedKernel();

/** Brute force over the longest is dear. */
function stepsOf(linkCount: number): number {
  if (linkCount <= 200) return 60;
  return linkCount <= 1000 || process.env.ORACLE_FULL ? 10 : 4;
}

describe('chain kernels with assertions', () => {
  it.each([1, 2, 3, 5, 17, 64, 100, 601, 2000])('agree with brute force, %i links', (linkCount) => {
    for (const spacing of [0.7, 3]) {
      const random = createRandom(Math.round(100 * linkCount + 10 * spacing));
      const chain = randomChain(random, linkCount, spacing);
      const tree = createChainTree(chain);
      const tight = createChainTree(chain, { tight: true });
      const reference = createBruteForceChain(chain);
      const [found, expected] = [new LinkPairs(), new LinkPairs()];
      for (let step = 0; step < stepsOf(linkCount) && linkCount > 1; step++) {
        const changes = random.next() < 0.7 ? 1 : 1 + random.integer(linkCount - 1);
        for (let i = 0; i < changes; i++) stageChange(random, [tree, tight, reference], random.integer(linkCount - 1));
        for (const state of [tree, tight, reference]) state.apply();
        expect(tree.collectContacts(found)).toBe(reference.collectContacts(expected));
        expect(pairNames(found)).toEqual(pairNames(expected));
        expect(tight.collectContacts(found)).toBe(expected.count);
        expect(pairNames(found)).toEqual(pairNames(expected));
        tree.validate();
        tight.validate();
        if (random.next() < 0.4) {
          const isUndone = reference.undo();
          expect(tree.undo()).toBe(isUndone);
          expect(tight.undo()).toBe(isUndone);
        }
      }
      tight.dispose();
      tree.dispose();
      tree.dispose();
      if (linkCount > 1) expect(() => tree.collectPairs(found, 1)).toThrow('disposed');
    }
  });
});

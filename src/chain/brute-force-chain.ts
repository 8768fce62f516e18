/**
 * Self-contacts by testing every pair of links that a changed joint separates, each measured exactly. O(N^2).
 * The reference for the other representations, and the quickest to keep for a handful of links.
 */
import type { Chain } from './chain.js';
import { ExplicitChain } from './explicit-chain.js';
import type { LinkPairs } from './link-pairs.js';

export class BruteForceChain extends ExplicitChain {
  constructor(chain: Chain) {
    super(chain);
  }

  protected search(out: LinkPairs | null): boolean {
    const { linkCount, exclusion } = this.chain;
    const { memory } = this;
    let isFound = false;
    for (let a = 0; a < linkCount; a++) {
      const cut = memory.firstChangedFrom(a);
      if (cut === memory.changedCount) break;
      for (let b = Math.max(a + exclusion, memory.changed[cut]) + 1; b < linkCount; b++) {
        if (!this.touches(a, b)) continue;
        isFound = true;
        if (this.keepContact(out, a, b)) return true;
      }
    }
    return isFound;
  }
}

export function createBruteForceChain(chain: Chain): BruteForceChain {
  return new BruteForceChain(chain);
}

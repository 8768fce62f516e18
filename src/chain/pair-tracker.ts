/**
 * Pairs of links closer than a cutoff, kept from step to step: what appeared and what vanished since the last step that
 * was accepted.
 *
 * Method: two links keep their gap while no joint between them changes. So of the pairs of the accepted state those that no
 * changed joint separates are still there, and only pairs across changed joints are searched. A step that is taken back
 * leaves the accepted state as it was; `accept` makes the present state the one to compare with.
 * Source: Lotan, Schwarzer, Halperin, Latombe 2002, section 6.3 (pairs under a cutoff), ACM Symposium on Computational
 *   Geometry. Cost: a search across the changed joints, and the number of pairs kept.
 * Checked by test/contract/chain-queries.test.ts against all pairs.
 */

import { MisuseError } from '../math/misuse.js';
import type { ChainTree } from './chain-tree.js';
import { requireChainTree, requireCutoff } from './chain-tree.js';
import type { ContactMemory } from './contact-memory.js';
import { LinkPairs } from './link-pairs.js';

export class PairTracker {
  /** Pairs under the cutoff now that were not in the accepted state, sorted; filled by `compare`. */
  readonly appeared = new LinkPairs();
  /** Pairs of the accepted state that are beyond the cutoff now, sorted; filled by `compare`. */
  readonly vanished = new LinkPairs();
  private readonly memory: ContactMemory;
  private readonly found = new LinkPairs();
  private readonly next = new LinkPairs();
  private isDisposed = false;

  /** Takes the tree's present state as accepted. */
  constructor(
    private readonly tree: ChainTree,
    readonly cutoff: number,
  ) {
    requireChainTree('createPairTracker', 'tree', tree);
    requireCutoff('createPairTracker', cutoff);
    this.memory = tree.followChanges();
    this.accept();
  }

  /** Pairs of the accepted state, sorted. */
  get accepted(): LinkPairs {
    return this.memory.known;
  }

  /** Compares the present state with the accepted one: fills `appeared` and `vanished`. */
  compare(): void {
    const { memory, found, appeared, vanished } = this;
    const { known } = memory;
    appeared.clear();
    vanished.clear();
    this.findChanged();
    for (let i = 0, j = 0; i < known.count || j < found.count; ) {
      const order = i === known.count ? 1 : j === found.count ? -1 : known.compare(i, found, j);
      if (order > 0) appeared.add(found.linkA(j), found.linkB(j));
      else if (order < 0 && memory.isCut(known.linkA(i), known.linkB(i))) vanished.add(known.linkA(i), known.linkB(i));
      if (order <= 0) i++;
      if (order >= 0) j++;
    }
  }

  /** The present state becomes the accepted one. */
  accept(): void {
    const { memory, found, next } = this;
    const { known } = memory;
    this.findChanged();
    next.clear();
    for (let i = 0, j = 0; i < known.count || j < found.count; ) {
      const order = i === known.count ? 1 : j === found.count ? -1 : known.compare(i, found, j);
      if (order >= 0) next.add(found.linkA(j), found.linkB(j));
      else if (!memory.isCut(known.linkA(i), known.linkB(i))) next.add(known.linkA(i), known.linkB(i));
      if (order <= 0) i++;
      if (order >= 0) j++;
    }
    memory.renew(next);
  }

  /** Stops following the tree. */
  dispose(): void {
    this.isDisposed = true;
    this.tree.unfollowChanges(this.memory);
  }

  private findChanged(): void {
    if (this.isDisposed) {
      throw new MisuseError('PairTracker: tracker, got one that was disposed, expected a live one');
    }
    this.found.clear();
    this.tree.collectChangedPairs(this.found, this.cutoff, this.memory);
    this.found.sort();
  }
}

export function createPairTracker(tree: ChainTree, cutoff: number): PairTracker {
  return new PairTracker(tree, cutoff);
}

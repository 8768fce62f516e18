/**
 * Contacts and distance between two chains, each with its own tree, from the pose of one in the other.
 *
 * The walk over pairs of nodes of pair-search.ts, from the two roots. A link counts as within the larger of the two chains'
 * tolerances. Source: Lotan, Schwarzer, Halperin, Latombe 2002, section 6.3, ACM Symposium on Computational Geometry.
 * Cost: O(N^(4/3)) for well-behaved chains of N links each, far less as a rule.
 * Checked by test/contract/chain-queries.test.ts against all pairs.
 */
import { requireNumber, requireNumbers } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Transform } from '../math/transform.js';
import type { ChainTree } from './chain-tree.js';
import { requireChainTree, requireCutoff } from './chain-tree.js';
import type { LinkPairs } from './link-pairs.js';
import { requireLinkPairs } from './link-pairs.js';
import { PairSearch } from './pair-search.js';

export class ChainPair {
  /** The pair that `hasContact` or `distance` found, one link of each chain; -1 when there is none. */
  linkA = -1;
  linkB = -1;
  private readonly search: PairSearch;
  private readonly tolerance: number;

  /** Work is counted in the stats of `a`. */
  constructor(a: ChainTree, b: ChainTree) {
    requireChainTree('createChainPair', 'a', a);
    requireChainTree('createChainPair', 'b', b);
    if (a === b) throw new MisuseError('createChainPair: chains, got one twice, expected two; hasContact of the chain');
    this.search = new PairSearch(a, b, a.stats);
    this.tolerance = Math.max(a.chain.tolerance, b.chain.tolerance);
  }

  /** X_AB: pose of B's link 0 in A's link 0. Stops at the first contact. */
  hasContact(X_AB: Transform): boolean {
    requireNumbers('hasContact', 'X_AB', X_AB, 12);
    const isFound = this.search.hasPairBetween(X_AB, this.tolerance);
    this.keepFound();
    return isFound;
  }

  /** All pairs of a link of A and a link of B with a gap of at most `cutoff` (touching by default), sorted, into `out`. */
  collectPairs(out: LinkPairs, X_AB: Transform, cutoff = this.tolerance): number {
    requireNumbers('collectPairs', 'X_AB', X_AB, 12);
    requireLinkPairs('collectPairs', out);
    requireCutoff('collectPairs', cutoff);
    out.clear();
    this.search.collectBetween(out, X_AB, cutoff);
    out.sort();
    return out.count;
  }

  /** The smallest gap, negative when links cross, the pair in linkA, linkB; `upperBound`, and -1, when none is below it. */
  distance(X_AB: Transform, upperBound = Infinity): number {
    requireNumber('distance', 'upperBound', upperBound);
    requireNumbers('distance', 'X_AB', X_AB, 12);
    const gap = this.search.findNearestBetween(X_AB, upperBound);
    this.keepFound();
    return gap;
  }

  private keepFound(): void {
    this.linkA = this.search.foundA;
    this.linkB = this.search.foundB;
  }
}

export function createChainPair(a: ChainTree, b: ChainTree): ChainPair {
  return new ChainPair(a, b);
}

/**
 * Self-contacts by a dynamic tree of axis-aligned boxes over the links of an explicit chain: moved links move their boxes,
 * and the links of all rigid pieces but the longest ask the tree.
 *
 * The tree is that of the broad phase; it refits, and reinserts or rebuilds when its cost has grown.
 * Cost: O(N) per change for the poses, O(m log N) for m moved links in the tree, O(m log N) per search as a rule.
 * Checked by test/contract/chain.test.ts.
 */
import { createDynamicTree, type DynamicTree } from '../broadphase/dynamic-tree.js';
import type { Chain } from './chain.js';
import { ExplicitChain } from './explicit-chain.js';
import type { LinkPairs } from './link-pairs.js';

export class DynamicTreeChain extends ExplicitChain {
  private readonly tree: DynamicTree = createDynamicTree();
  private readonly box = new Float64Array(6);
  private asking = -1;
  private pieceStart = 0;
  private longestStart = 0;
  private longestEnd = 0;
  private out: LinkPairs | null = null;
  private isFound = false;

  constructor(chain: Chain) {
    super(chain);
    for (let i = 0; i < chain.linkCount; i++) this.tree.add(this.boundLink(i));
  }

  protected override update(): void {
    super.update();
    this.moveBoxes();
  }

  protected override revert(): void {
    super.revert();
    this.moveBoxes();
  }

  protected search(out: LinkPairs | null): boolean {
    const { memory, tree } = this;
    const before = tree.boxTests;
    this.out = out;
    this.isFound = false;
    const longest = memory.longestPiece();
    this.longestStart = memory.pieceStart(longest);
    this.longestEnd = memory.pieceStart(longest + 1);
    for (let piece = 0; piece < memory.pieceCount && !(this.isFound && !out); piece++) {
      if (piece === longest) continue;
      this.pieceStart = memory.pieceStart(piece);
      const end = memory.pieceStart(piece + 1);
      for (let link = this.pieceStart; link < end && !(this.isFound && !out); link++) {
        this.asking = link;
        tree.queryBox(this.boundLink(link), this.visit);
      }
    }
    this.stats.volumeTests += tree.boxTests - before;
    return this.isFound;
  }

  /** Pairs within a piece keep their pose; of two asking pieces the later one asks the earlier. */
  private readonly visit = (other: number): boolean => {
    const { asking } = this;
    const isAsked = other < this.pieceStart || (other >= this.longestStart && other < this.longestEnd);
    if (!isAsked) return true;
    const a = Math.min(asking, other);
    const b = Math.max(asking, other);
    const { exclusion } = this.chain;
    if (b - a <= exclusion || !this.touches(a, b)) return true;
    this.isFound = true;
    return !this.keepContact(this.out, a, b);
  };

  private moveBoxes(): void {
    for (let i = this.firstMoved; i < this.chain.linkCount; i++) this.tree.update(i, this.boundLink(i));
    this.stats.volumeUpdates += this.chain.linkCount - this.firstMoved;
  }

  /** The box about a link's ball of reach, grown so that touching links' boxes overlap. */
  private boundLink(link: number): Float64Array {
    const { box, shapes, chain } = this;
    const reach = chain.links.reaches[link] + chain.tolerance;
    for (let k = 0; k < 3; k++) {
      box[k] = shapes[12 * link + 9 + k] - reach;
      box[k + 3] = shapes[12 * link + 9 + k] + reach;
    }
    return box;
  }
}

export function createDynamicTreeChain(chain: Chain): DynamicTreeChain {
  return new DynamicTreeChain(chain);
}

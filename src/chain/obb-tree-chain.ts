/**
 * The two baselines that build trees of oriented boxes anew after every change: one over the whole chain, tested against
 * itself (1-OBBTree), or one over every rigid piece, each tested against each (K-OBBTree).
 *
 * A stack of node pairs; a pair whose boxes are apart is dropped, the larger box is opened, two links are measured. One tree
 * over everything meets the links that keep their relative pose as well: it visits all of them, which costs O(N) whatever
 * changed. Trees over pieces meet pairs that changed joints separate only.
 * Source: Lotan, Schwarzer, Halperin, Latombe 2002, section 5, ACM Symposium on Computational Geometry. Trees: obb-forest.ts.
 * Cost: O(N log N) per change, O(N) per search. Checked by test/contract/chain.test.ts.
 */
import { requireFlag } from '../math/arguments.js';
import { TRANSFORM_STRIDE } from '../math/transform.js';
import type { Chain } from './chain.js';
import { ExplicitChain } from './explicit-chain.js';
import type { LinkPairs } from './link-pairs.js';
import { ObbForest } from './obb-forest.js';
import { writeRelativePose } from './relative-pose.js';
import { BOX_STRIDE, RADIUS } from './tree-layout.js';
import { isApart } from './volume-gap.js';

export class ObbTreeChain extends ExplicitChain {
  private readonly forest: ObbForest;
  private readonly roots: number[] = [];
  private isCurrent = false;
  private stack = new Int32Array(1024);
  private depth = 0;
  private out: LinkPairs | null = null;
  private readonly X_AB = new Float64Array(TRANSFORM_STRIDE);

  constructor(
    chain: Chain,
    private readonly perPiece: boolean,
  ) {
    super(chain);
    requireFlag('ObbTreeChain', 'perPiece', perPiece);
    this.forest = new ObbForest(chain);
  }

  /** Builds the trees for the present pose, which `hasContact` and `collectContacts` do when they need them. */
  rebuild(): void {
    if (this.isCurrent) return;
    const { memory, forest, roots, shapes } = this;
    forest.clear();
    roots.length = 0;
    if (this.perPiece) {
      for (let piece = 0; piece < memory.pieceCount; piece++) {
        roots.push(forest.add(shapes, memory.pieceStart(piece), memory.pieceStart(piece + 1)));
      }
    } else roots.push(forest.add(shapes, 0, this.chain.linkCount));
    this.stats.volumeUpdates += 2 * this.chain.linkCount - roots.length;
    this.isCurrent = true;
  }

  protected override update(): void {
    super.update();
    this.isCurrent = false;
  }

  protected override revert(): void {
    super.revert();
    this.isCurrent = false;
  }

  protected search(out: LinkPairs | null): boolean {
    // The pieces depend on what is known as well as on the pose.
    if (this.perPiece) this.isCurrent = false;
    this.rebuild();
    const { roots } = this;
    const before = out ? out.count : 0;
    this.out = out;
    this.depth = 0;
    if (!this.perPiece) return this.searchWithin(roots[0]) || (out !== null && out.count > before);
    for (let a = 0; a < roots.length; a++) {
      for (let b = a + 1; b < roots.length; b++) {
        if (this.offer(roots[a], roots[b]) || this.drain()) return true;
      }
    }
    return out !== null && out.count > before;
  }

  /** A tree against itself: every node's two children against each other. */
  private searchWithin(root: number): boolean {
    const { children } = this.forest;
    for (let node = root; node < root + 2 * this.chain.linkCount - 1; node++) {
      const child = children[node];
      if (child >= 0 && (this.offer(child, child + 1) || this.drain())) return true;
    }
    return false;
  }

  private drain(): boolean {
    const { children, records } = this.forest;
    while (this.depth > 0) {
      const b = this.stack[--this.depth];
      const a = this.stack[--this.depth];
      const isLeafA = children[a] < 0;
      const opensA =
        children[b] < 0 || (!isLeafA && records[BOX_STRIDE * a + RADIUS] > records[BOX_STRIDE * b + RADIUS]);
      const child = children[opensA ? a : b];
      if (
        opensA ? this.offer(child, b) || this.offer(child + 1, b) : this.offer(a, child) || this.offer(a, child + 1)
      ) {
        return true;
      }
    }
    return false;
  }

  /** True when the search may stop. */
  private offer(a: number, b: number): boolean {
    const { records, children } = this.forest;
    if (children[a] < 0 && children[b] < 0) return this.measureLinks(-1 - children[a], -1 - children[b]);
    this.stats.volumeTests++;
    writeRelativePose(this.X_AB, 0, records, BOX_STRIDE * a, records, BOX_STRIDE * b);
    if (isApart(records, BOX_STRIDE * a, records, BOX_STRIDE * b, this.X_AB, 0, this.chain.tolerance)) return false;
    if (this.depth + 2 > this.stack.length) {
      const stack = new Int32Array(2 * this.stack.length);
      stack.set(this.stack);
      this.stack = stack;
    }
    this.stack[this.depth++] = a;
    this.stack[this.depth++] = b;
    return false;
  }

  private measureLinks(first: number, second: number): boolean {
    const a = Math.min(first, second);
    const b = Math.max(first, second);
    if (b - a <= this.chain.exclusion || !this.memory.isCut(a, b)) return false;
    if (!this.touches(a, b)) return false;
    return this.keepContact(this.out, a, b);
  }
}

/** 1-OBBTree: one tree over the whole chain. */
export function createObbTreeChain(chain: Chain): ObbTreeChain {
  return new ObbTreeChain(chain, false);
}

/** K-OBBTree: one tree over every rigid piece. */
export function createPieceObbTreeChain(chain: Chain): ObbTreeChain {
  return new ObbTreeChain(chain, true);
}

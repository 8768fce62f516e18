/** What the static and the dynamic tree have in common: the index of a `ProxySet` is a `BoxTree`. */
import { BOX_STRIDE, copyFatBox, type PreparedRay, requireMargin, squaredGapOfBoxes } from './box.js';
import { BoxTree } from './box-tree.js';
import type { NearPairVisitor, NearVisitor, PairVisitor, PersistentPairOptions, ProxyVisitor } from './broad-phase.js';
import { KernelPairs } from './kernel-pairs.js';
import { ProxySet } from './proxy-set.js';
import {
  type Traversal,
  visitBox,
  visitCrossPairs,
  visitNearest,
  visitNearPairs,
  visitPoint,
  visitRay,
} from './traverse.js';

/** Value of `leafOf` for proxies without a leaf. */
export const NO_LEAF = -1;

export abstract class ProxyTree extends ProxySet {
  readonly tree = new BoxTree();
  /** Leaf node of each proxy id, or NO_LEAF. */
  leafOf = new Int32Array(0);
  private readonly kernelPairs = new KernelPairs();

  protected constructor(
    name: string,
    protected readonly fatMargin: number,
    options?: PersistentPairOptions,
  ) {
    super(name, options);
  }

  /** Sum of the half areas of all inner boxes: grows as links move apart and the tree gets worse. */
  get cost(): number {
    this.refresh();
    return this.tree.root < 0 ? 0 : this.tree.cost[this.tree.root];
  }

  /** Pairs (own proxy, proxy of `other`) of boxes at most `margin` apart; both trees are in the same frame. */
  pairsBetween(other: ProxyTree, visit: PairVisitor, margin = 0): void {
    requireMargin('pairsBetween', margin);
    const traversal = this.begin();
    const otherTraversal = other.begin();
    try {
      if (!visitCrossPairs(this.tree, this.exact, other.tree, other.exact, margin, traversal, visit)) return;
      for (const id of this.unbounded) {
        const own: ProxyVisitor = (theirs) => visit(id, theirs);
        if (!other.visitEverywhere(this.boxOf(id), margin, otherTraversal, own)) return;
      }
      for (const theirs of other.unbounded) {
        const box = other.boxOf(theirs);
        if (!this.visitRegion(box, margin, traversal, (id) => visit(id, theirs))) return;
      }
    } finally {
      other.end(otherTraversal);
      this.end(traversal);
    }
  }

  override validate(): void {
    super.validate();
    const { tree, exact, leafOf } = this;
    const { boxes, child, parent } = tree;
    let leaves = 0;
    const open = tree.root < 0 ? [] : [tree.root];
    if (tree.root >= 0 && parent[tree.root] !== -1) this.fail('the root has a parent');
    while (open.length > 0) {
      const node = open.pop()!;
      const o = node * BOX_STRIDE;
      if (tree.dirty[node] !== 0) this.fail(`node ${node} is still marked after a refit`);
      if (tree.isLeaf(node)) {
        const id = ~child[2 * node];
        leaves++;
        if (leafOf[id] !== node) this.fail(`proxy ${id} does not point back to its leaf ${node}`);
        for (let k = 0; k < 3; k++) {
          if (!(boxes[o + k] <= exact[id * BOX_STRIDE + k] && exact[id * BOX_STRIDE + k + 3] <= boxes[o + k + 3]))
            this.fail(`leaf ${node} does not contain proxy ${id}`);
        }
        continue;
      }
      for (let side = 0; side < 2; side++) {
        const below = child[2 * node + side];
        if (parent[below] !== node) this.fail(`node ${below} does not point back to its parent ${node}`);
        open.push(below);
      }
      for (let k = 0; k < 3; k++) {
        const l = child[2 * node] * BOX_STRIDE + k;
        const r = child[2 * node + 1] * BOX_STRIDE + k;
        if (boxes[o + k] !== Math.min(boxes[l], boxes[r]) || boxes[o + k + 3] !== Math.max(boxes[l + 3], boxes[r + 3]))
          this.fail(`node ${node} is not the union of its children`);
      }
    }
    if (leaves + this.unbounded.length !== this.proxyCount)
      this.fail(`${leaves} leaves and ${this.unbounded.length} unbounded boxes for ${this.proxyCount} proxies`);
  }

  protected visitSelf(margin: number, traversal: Traversal, visit: PairVisitor): boolean {
    return this.kernelPairs.visit(this.tree, this.exact, this.fatMargin > 0, margin, traversal, visit);
  }

  protected visitRegion(box: Float64Array, margin: number, traversal: Traversal, visit: ProxyVisitor): boolean {
    return visitBox(this.tree, this.exactOrNull(), box, margin, traversal, visit);
  }

  protected visitAt(x: number, y: number, z: number, traversal: Traversal, visit: ProxyVisitor): boolean {
    return visitPoint(this.tree, this.exactOrNull(), x, y, z, traversal, visit);
  }

  protected visitAlong(ray: PreparedRay, traversal: Traversal, visit: ProxyVisitor): boolean {
    return visitRay(this.tree, this.exactOrNull(), ray, traversal, visit);
  }

  protected firstRadius(): number {
    return Infinity;
  }

  protected override searchNearPairs(radius: number, traversal: Traversal, visit: NearPairVisitor): number {
    const { unbounded, exact } = this;
    let reach = radius;
    // Boxes outside the tree first: they have gap 0 to nearly everything and shrink the radius early.
    for (let i = 0; i < unbounded.length; i++) {
      const id = unbounded[i];
      const near = (other: number): boolean => {
        const squaredGap = squaredGapOfBoxes(exact, id * BOX_STRIDE, exact, other * BOX_STRIDE);
        if (squaredGap > reach * reach) return true;
        const next = visit(Math.min(id, other), Math.max(id, other), Math.sqrt(squaredGap));
        if (next !== undefined) reach = next as number;
        return reach >= 0;
      };
      if (!visitBox(this.tree, null, this.boxOf(id), reach, traversal, near)) return reach;
      for (let j = 0; j < i; j++) {
        traversal.boxTests++;
        if (!near(unbounded[j])) return reach;
      }
    }
    return visitNearPairs(this.tree, exact, reach, traversal, visit);
  }

  protected override searchNearest(
    box: Float64Array,
    radius: number,
    traversal: Traversal,
    visit: NearVisitor,
  ): number {
    return visitNearest(this.tree, this.exact, box, radius, traversal, visit);
  }

  protected reserveIndex(capacity: number): void {
    const leafOf = new Int32Array(capacity).fill(NO_LEAF);
    leafOf.set(this.leafOf);
    this.leafOf = leafOf;
  }

  /** Writes the box of a leaf that stays in the tree and marks its ancestors. Returns false when it fits as it is. */
  protected moveLeaf(id: number, leaf: number): boolean {
    const { tree, exact, fatMargin } = this;
    const { boxes } = tree;
    const o = leaf * BOX_STRIDE;
    const e = id * BOX_STRIDE;
    if (
      fatMargin > 0 &&
      boxes[o] <= exact[e] &&
      boxes[o + 1] <= exact[e + 1] &&
      boxes[o + 2] <= exact[e + 2] &&
      exact[e + 3] <= boxes[o + 3] &&
      exact[e + 4] <= boxes[o + 4] &&
      exact[e + 5] <= boxes[o + 5]
    )
      return false;
    this.writeLeafBox(id, leaf);
    tree.markAncestors(leaf);
    return true;
  }

  protected writeLeafBox(id: number, leaf: number): void {
    copyFatBox(this.tree.boxes, leaf * BOX_STRIDE, this.exact, id * BOX_STRIDE, this.fatMargin);
  }

  private exactOrNull(): Float64Array | null {
    return this.fatMargin > 0 ? this.exact : null;
  }
}

/**
 * Dynamic AABB tree: objects come, go and move; the tree watches its own cost and mends itself.
 *
 * Method: changes are recorded at once and take effect together at the next query.
 * 1. Moved leaves: refit, ancestors bottom up, topology untouched. Where many move at once, all leaves take their boxes then.
 * 2. New leaves: inserted one by one where they add the least area, with rotations; if many came, all are rebuilt
 *    top down, which is faster and better than many insertions.
 * 3. If the surface-area cost has grown past `REINSERT_GROWTH` times that of the last good tree, the leaves moved
 *    since then are taken out, all of them, and inserted again; if it is still past `REBUILD_GROWTH`, or too many moved, all is rebuilt.
 * Source: Catto 2019, "Dynamic bounding volume hierarchies", Game Developers Conference (fat boxes, insertion by area);
 * see insert.ts and box-tree.ts for the parts.
 * Cost: k moves O(k log n); rebuilds O(n log n), amortised over the moves that made them necessary.
 * Nothing depends on time or hash order: the same calls give the same pairs in the same order.
 * Tested by dynamic-tree.test.ts, test/contract/broad-phases.test.ts, test/oracle/broad-phase.test.ts.
 */
import { type Fields, requireFlag, requireNotNegative, requireNumber, requireOptions } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { NumericArray } from '../math/vec3.js';
import type { BroadPhase, PersistentPairOptions } from './broad-phase.js';
import { insertLeaf, removeLeaf } from './insert.js';
import { buildTreeByArea } from './kernel-tree.js';
import { ProxyList } from './proxy-list.js';
import { NO_LEAF, ProxyTree } from './proxy-tree.js';

const OPTIONS: Fields = {
  fatMargin: requireNotNegative,
  persistentPairs: requireFlag,
  pairMargin: requireNumber,
};

export interface DynamicTreeOptions extends PersistentPairOptions {
  /** Leaves are this much larger on every side, so that small moves leave the tree alone. Pairs stay exact. Default 0. */
  readonly fatMargin?: number;
}

/** Cost growth that starts reinsertion, and the one that starts a rebuild. */
const REINSERT_GROWTH = 1.15;
const REBUILD_GROWTH = 1.3;
/** Up to this share of the leaves is inserted one by one. */
const INSERT_SHARE = 1 / 8;
/** From this share on all leaves are swept over when some move. */
const SWEEP_SHARE = 1 / 4;

export class DynamicTree extends ProxyTree implements BroadPhase {
  /** Ids waiting for their first leaf; entries may be stale (removed or already placed). */
  private readonly pending = new ProxyList();
  /** Proxies moved since the tree was last known to be good; entries may be stale. */
  private readonly moved = new ProxyList();
  private goodCost = 0;
  private goodLeaves = 0;
  /** Insertions and removals since the last rebuild. */
  private changes = 0;
  private leaves = 0;
  private movedSinceRefresh = false;
  /** A batch of many moves is under way: leaves take their boxes later, in the order of the tree. */
  private isSweeping = false;
  /** Boxes of leaves are older than those of the proxies. */
  private isSwept = true;

  constructor(options: DynamicTreeOptions = {}) {
    const fatMargin = options.fatMargin ?? 0;
    super('DynamicTree', fatMargin, options);
    if (!(fatMargin >= 0 && fatMargin < Infinity))
      throw new MisuseError(`createDynamicTree: fatMargin, got ${fatMargin}, expected a finite number, 0 or more`);
  }

  add(box: NumericArray): number {
    return this.addProxy(box);
  }

  remove(id: number): void {
    this.removeProxy(id);
  }

  protected place(id: number): void {
    this.pending.add(id);
  }

  protected displace(id: number): void {
    const leaf = this.leafOf[id];
    if (leaf === NO_LEAF) return;
    removeLeaf(this.tree, leaf);
    this.tree.freeNode(leaf);
    this.leafOf[id] = NO_LEAF;
    this.leaves--;
    this.changes++;
  }

  protected shift(id: number): void {
    const leaf = this.leafOf[id];
    if (leaf === NO_LEAF) return;
    if (this.isSweeping) this.isSwept = false;
    else if (!this.moveLeaf(id, leaf)) return;
    this.movedSinceRefresh = true;
    this.moved.add(id);
  }

  /** Leaves of fat trees often stay as they are, so they are looked at one by one. */
  protected override expectMoves(count: number): void {
    this.isSweeping = this.fatMargin === 0 && count > SWEEP_SHARE * this.leaves;
  }

  /** All leaves take the boxes of their proxies, and what lies above them is fitted. */
  private sweep(): void {
    const { tree } = this;
    this.isSwept = true;
    if (tree.isOrdered) tree.refitAll(this.exact);
    else for (let id = 0; id < this.idCount; id++) if (this.leafOf[id] !== NO_LEAF) this.moveLeaf(id, this.leafOf[id]);
  }

  protected override reserveIndex(capacity: number): void {
    super.reserveIndex(capacity);
    this.pending.reserve(capacity);
    this.moved.reserve(capacity);
  }

  protected refresh(): void {
    const { tree, pending } = this;
    this.changes += pending.count;
    if (pending.count > INSERT_SHARE * this.leaves || this.changes > 32 + this.leaves) {
      if (pending.count > 0 || this.leaves > 0) this.rebuild();
      return;
    }
    if (!this.isSwept) this.sweep();
    tree.refitDirty();
    if (pending.count > 0) {
      for (let i = 0; i < pending.count; i++) this.attach(pending.ids[i]);
      pending.clear();
    }
    if (this.movedSinceRefresh) {
      this.movedSinceRefresh = false;
      this.mend();
    }
  }

  private mend(): void {
    const { tree, moved } = this;
    const allowed = this.goodCost * Math.max(1, this.leaves / this.goodLeaves);
    if (tree.root < 0 || tree.cost[tree.root] <= REINSERT_GROWTH * allowed) return;
    if (moved.count <= INSERT_SHARE * this.leaves) {
      this.reinsertMoved();
      moved.clear();
    }
    if (tree.cost[tree.root] > REBUILD_GROWTH * allowed) this.rebuild();
  }

  /** All are taken out first: boxes that still reach to where a leaf has gone would draw the others in. */
  private reinsertMoved(): void {
    const { tree, moved, leafOf } = this;
    for (let i = 0; i < moved.count; i++) {
      const leaf = leafOf[moved.ids[i]];
      if (leaf !== NO_LEAF) removeLeaf(tree, leaf);
    }
    tree.refitDirty();
    for (let i = 0; i < moved.count; i++) {
      const leaf = leafOf[moved.ids[i]];
      if (leaf !== NO_LEAF) insertLeaf(tree, leaf);
    }
  }

  private rebuild(): void {
    const ids: number[] = [];
    for (let id = 0; id < this.idCount; id++) if (this.isIndexed(id)) ids.push(id);
    buildTreeByArea(this.tree, Int32Array.from(ids), this.exact, this.fatMargin, this.leafOf);
    this.moved.clear();
    this.pending.clear();
    this.changes = 0;
    this.movedSinceRefresh = false;
    this.isSwept = true;
    this.leaves = ids.length;
    this.goodLeaves = Math.max(1, ids.length);
    this.goodCost = this.tree.root < 0 ? 0 : this.tree.cost[this.tree.root];
  }

  private attach(id: number): void {
    if (!this.isIndexed(id) || this.leafOf[id] !== NO_LEAF) return;
    const leaf = this.tree.allocateNode();
    this.tree.child[2 * leaf] = ~id;
    this.tree.child[2 * leaf + 1] = -1;
    this.leafOf[id] = leaf;
    this.writeLeafBox(id, leaf);
    insertLeaf(this.tree, leaf);
    this.leaves++;
  }
}

export function createDynamicTree(options?: DynamicTreeOptions): DynamicTree {
  requireOptions('createDynamicTree', options, OPTIONS);
  return new DynamicTree(options);
}

/**
 * Dynamic AABB tree: objects come, go and move; the tree watches its own cost and mends itself.
 *
 * Method: changes are recorded at once and take effect together at the next query.
 * 1. Moved leaves: refit, ancestors bottom up, topology untouched.
 * 2. New leaves: inserted one by one where they add the least area, with rotations; if many came, all are rebuilt
 *    top down, which is faster and better than many insertions.
 * 3. If the surface-area cost has grown past `REINSERT_GROWTH` times that of the last good tree, the leaves moved
 *    since then are taken out and reinserted; if it is still past `REBUILD_GROWTH`, or too many moved, all is rebuilt.
 * Source: Catto 2019, "Dynamic bounding volume hierarchies", Game Developers Conference (fat boxes, insertion by area);
 * see insert.ts and box-tree.ts for the parts.
 * Cost: k moves O(k log n); rebuilds O(n log n), amortised over the moves that made them necessary.
 * Nothing depends on time or hash order: the same calls give the same pairs in the same order.
 * Tested by dynamic-tree.test.ts, test/contract/broad-phases.test.ts, test/oracle/broad-phase.test.ts.
 */
import type { NumericArray } from '../math/vec3.js';
import { BOX_STRIDE, copyBox, isBounded, requireBox } from './box.js';
import type { BroadPhase } from './broad-phase.js';
import { buildTree } from './build.js';
import { insertLeaf, removeLeaf } from './insert.js';
import { NOT_A_PROXY, PENDING, ProxyTree, UNBOUNDED } from './proxy-tree.js';
import { splitByArea } from './split-area.js';

export interface DynamicTreeOptions {
  /** Leaves are this much larger on every side, so that small moves leave the tree alone. Pairs stay exact. Default 0. */
  readonly fatMargin?: number;
}

/** Cost growth that starts reinsertion, and the one that starts a rebuild. */
const REINSERT_GROWTH = 1.15;
const REBUILD_GROWTH = 1.3;
/** Up to this share of the leaves is inserted one by one. */
const INSERT_SHARE = 1 / 8;

export class DynamicTree extends ProxyTree implements BroadPhase {
  /** Ids waiting for their first leaf; entries may be stale (removed or already placed). */
  private pending: number[] = [];
  private freeIds: number[] = [];
  private idCount = 0;
  /** Proxies moved since the tree was last known to be good, each once. */
  private moved: number[] = [];
  private isMoved = new Uint8Array(0);
  private goodCost = 0;
  private goodLeaves = 0;
  /** Insertions and removals since the last rebuild. */
  private changes = 0;
  private leaves = 0;
  private movedSinceRefresh = false;

  constructor(options: DynamicTreeOptions = {}) {
    const fatMargin = options.fatMargin ?? 0;
    super('DynamicTree', fatMargin);
    if (!(fatMargin >= 0 && fatMargin < Infinity))
      throw new RangeError(`createDynamicTree: fatMargin, got ${fatMargin}, expected a finite number, 0 or more`);
  }

  add(box: NumericArray): number {
    this.requireIdle('add');
    requireBox('DynamicTree.add', box);
    const id = this.freeIds.pop() ?? this.idCount++;
    if (id >= this.leafOf.length) this.reserveProxies(Math.max(16, 2 * this.leafOf.length));
    copyBox(this.exact, id * BOX_STRIDE, box);
    this.proxyCount++;
    if (isBounded(box)) {
      this.leafOf[id] = PENDING;
      this.pending.push(id);
    } else {
      this.leafOf[id] = UNBOUNDED;
      this.unbounded.push(id);
    }
    return id;
  }

  remove(id: number): void {
    const leaf = this.requireProxy('remove', id);
    this.requireIdle('remove');
    if (leaf === UNBOUNDED) this.unbounded.splice(this.unbounded.indexOf(id), 1);
    else if (leaf === PENDING) this.pending.splice(this.pending.indexOf(id), 1);
    else this.detach(leaf);
    this.leafOf[id] = NOT_A_PROXY;
    this.freeIds.push(id);
    this.proxyCount--;
  }

  protected override moveLeaf(id: number, leaf: number): void {
    super.moveLeaf(id, leaf);
    this.movedSinceRefresh = true;
    if (this.isMoved[id] === 0) {
      this.isMoved[id] = 1;
      this.moved.push(id);
    }
  }

  protected changeResidence(id: number, bounded: boolean): void {
    if (bounded) {
      this.unbounded.splice(this.unbounded.indexOf(id), 1);
      this.leafOf[id] = PENDING;
      this.pending.push(id);
    } else {
      this.detach(this.leafOf[id]);
      this.leafOf[id] = UNBOUNDED;
      this.unbounded.push(id);
    }
  }

  protected refresh(): void {
    const { tree } = this;
    this.changes += this.pending.length;
    if (this.pending.length > INSERT_SHARE * this.leaves || this.changes > 32 + this.leaves) {
      if (this.pending.length > 0 || this.leaves > 0) this.rebuild();
      return;
    }
    tree.refitDirty();
    if (this.pending.length > 0) {
      for (const id of this.pending) this.attach(id);
      this.pending.length = 0;
    }
    if (this.movedSinceRefresh) {
      this.movedSinceRefresh = false;
      this.mend();
    }
  }

  private mend(): void {
    const { tree } = this;
    const allowed = this.goodCost * Math.max(1, this.leaves / this.goodLeaves);
    if (tree.root < 0 || tree.cost[tree.root] <= REINSERT_GROWTH * allowed) return;
    if (this.moved.length <= INSERT_SHARE * this.leaves) {
      for (const id of this.moved) {
        const leaf = this.leafOf[id];
        this.isMoved[id] = 0;
        if (leaf < 0) continue;
        removeLeaf(tree, leaf);
        tree.refitDirty();
        insertLeaf(tree, leaf);
      }
      this.moved.length = 0;
      if (tree.cost[tree.root] <= REBUILD_GROWTH * allowed) return;
    } else if (tree.cost[tree.root] <= REBUILD_GROWTH * allowed) return;
    this.rebuild();
  }

  private rebuild(): void {
    const ids: number[] = [];
    for (let id = 0; id < this.idCount; id++) {
      this.isMoved[id] = 0;
      const leaf = this.leafOf[id];
      if (leaf >= 0 || leaf === PENDING) ids.push(id);
    }
    buildTree(this.tree, Int32Array.from(ids), this.exact, this.fatMargin, this.leafOf, splitByArea);
    this.moved.length = 0;
    this.pending.length = 0;
    this.changes = 0;
    this.movedSinceRefresh = false;
    this.leaves = ids.length;
    this.goodLeaves = Math.max(1, ids.length);
    this.goodCost = this.tree.root < 0 ? 0 : this.tree.cost[this.tree.root];
  }

  private attach(id: number): void {
    const leaf = this.tree.allocateNode();
    this.tree.child[2 * leaf] = ~id;
    this.tree.child[2 * leaf + 1] = -1;
    this.leafOf[id] = leaf;
    this.writeLeafBox(id, leaf);
    insertLeaf(this.tree, leaf);
    this.leaves++;
  }

  private detach(leaf: number): void {
    removeLeaf(this.tree, leaf);
    this.tree.freeNode(leaf);
    this.leaves--;
    this.changes++;
  }

  private reserveProxies(capacity: number): void {
    const exact = new Float64Array(capacity * BOX_STRIDE);
    exact.set(this.exact);
    const leafOf = new Int32Array(capacity).fill(NOT_A_PROXY);
    leafOf.set(this.leafOf);
    const isMoved = new Uint8Array(capacity);
    isMoved.set(this.isMoved);
    this.exact = exact;
    this.leafOf = leafOf;
    this.isMoved = isMoved;
  }
}

export function createDynamicTree(options?: DynamicTreeOptions): DynamicTree {
  return new DynamicTree(options);
}

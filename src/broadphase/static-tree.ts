/**
 * Static AABB tree: built once by median split, then only refitted. The topology never changes, so a robot's links keep
 * their places whatever the joints do; boxes stay valid but overlap more as links move apart (`cost` tells how much).
 * Use the dynamic tree when objects come and go or travel far.
 *
 * Cost: build O(n log n), k moved boxes O(k log n) at the next query. Tested by static-tree.test.ts,
 * which holds the four-link robot of its source, and test/contract/broad-phases.test.ts.
 */
import { type Fields, requireBounds, requireFlag, requireNumber, requireOptions } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { NumericArray } from '../math/vec3.js';
import { BOX_STRIDE, requireBox } from './box.js';
import type { PersistentPairOptions } from './broad-phase.js';
import { buildTree } from './build.js';
import { NO_LEAF, ProxyTree } from './proxy-tree.js';
import { splitAtMedian } from './split-median.js';

const OPTIONS: Fields = {
  persistentPairs: requireFlag,
  pairMargin: requireNumber,
};

export class StaticTree extends ProxyTree {
  /** A proxy has come into the tree or gone out of it: only open boxes that close, or the reverse, do so. */
  private mustBuild = true;

  constructor(boxes: NumericArray, options?: PersistentPairOptions) {
    super('StaticTree', 0, options);
    if (boxes.length % BOX_STRIDE !== 0)
      throw new MisuseError(
        `createStaticTree: boxes, got ${boxes.length} numbers, expected a multiple of ${BOX_STRIDE}`,
      );
    this.proxyCount = boxes.length / BOX_STRIDE;
    this.idCount = this.proxyCount;
    this.reserveProxies(this.proxyCount);
    this.exact.set(boxes);
    for (let id = 0; id < this.proxyCount; id++) {
      requireBox('createStaticTree', this.exact, id * BOX_STRIDE);
      this.settle(id);
    }
    this.refresh();
  }

  protected refresh(): void {
    if (this.mustBuild) this.build();
    else this.tree.refitDirty();
  }

  protected place(): void {
    this.mustBuild = true;
  }

  protected displace(id: number): void {
    this.leafOf[id] = NO_LEAF;
    this.mustBuild = true;
  }

  protected shift(id: number): void {
    if (!this.mustBuild) this.moveLeaf(id, this.leafOf[id]);
  }

  private build(): void {
    const bounded: number[] = [];
    for (let id = 0; id < this.proxyCount; id++) if (this.isIndexed(id)) bounded.push(id);
    buildTree(this.tree, Int32Array.from(bounded), this.exact, 0, this.leafOf, splitAtMedian);
    this.mustBuild = false;
  }
}

/** `boxes`: 6 numbers per object; the ids are 0, 1, 2, ... in that order. */
export function createStaticTree(boxes: NumericArray, options?: PersistentPairOptions): StaticTree {
  requireOptions('createStaticTree', options, OPTIONS);
  requireBounds('createStaticTree', 'boxes', boxes);
  return new StaticTree(boxes, options);
}

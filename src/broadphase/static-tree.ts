/**
 * Static AABB tree: built once by median split, then only refitted. The topology never changes, so a robot's links keep
 * their places whatever the joints do; boxes stay valid but overlap more as links move apart (`cost` tells how much).
 * Use the dynamic tree when objects come and go or travel far.
 *
 * Cost: build O(n log n), k moved boxes O(k log n) at the next query. Tested by static-tree.test.ts,
 * which holds the four-link robot of its source, and test/contract/broad-phases.test.ts.
 */
import type { NumericArray } from '../math/vec3.js';
import { BOX_STRIDE, isBounded, requireBox } from './box.js';
import { buildTree } from './build.js';
import { ProxyTree, UNBOUNDED } from './proxy-tree.js';
import { splitAtMedian } from './split-median.js';

export class StaticTree extends ProxyTree {
  constructor(boxes: NumericArray) {
    super('StaticTree', 0);
    if (boxes.length % BOX_STRIDE !== 0)
      throw new RangeError(
        `createStaticTree: boxes, got ${boxes.length} numbers, expected a multiple of ${BOX_STRIDE}`,
      );
    this.proxyCount = boxes.length / BOX_STRIDE;
    this.exact = Float64Array.from(boxes);
    this.leafOf = new Int32Array(this.proxyCount);
    for (let id = 0; id < this.proxyCount; id++)
      requireBox('createStaticTree', this.exact.subarray(id * BOX_STRIDE, (id + 1) * BOX_STRIDE));
    this.build();
  }

  protected refresh(): void {
    this.tree.refitDirty();
  }

  /** Only this case rebuilds: a tree cannot hold an open box. */
  protected changeResidence(): void {
    this.build();
  }

  private build(): void {
    const { exact } = this;
    const bounded: number[] = [];
    this.unbounded.length = 0;
    for (let id = 0; id < this.proxyCount; id++) {
      if (isBounded(exact.subarray(id * BOX_STRIDE, (id + 1) * BOX_STRIDE))) bounded.push(id);
      else {
        this.unbounded.push(id);
        this.leafOf[id] = UNBOUNDED;
      }
    }
    buildTree(this.tree, Int32Array.from(bounded), exact, 0, this.leafOf, splitAtMedian);
  }
}

/** `boxes`: 6 numbers per object; the ids are 0, 1, 2, ... in that order. */
export function createStaticTree(boxes: NumericArray): StaticTree {
  return new StaticTree(boxes);
}

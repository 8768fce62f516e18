/**
 * Blocks that share a mover, directly or through others, are one island: what is solved, and sleeps, together.
 *
 * Method: union by the smaller index with path halving; islands are numbered by their first mover, blocks keep their order.
 * Cost: linear. Tested by physics.test.ts.
 */
import { type ConstraintSet, SIDE } from './constraint-set.js';

export class Islands {
  count = 0;
  /** Island of each mover; -1 for those that no block touches. */
  islandOf = new Int32Array(0);
  /** Blocks of island i: blocks[starts[i] .. starts[i + 1] - 1]. */
  starts = new Int32Array(1);
  blocks = new Int32Array(0);
  private parents = new Int32Array(0);

  find(set: ConstraintSet, movers: number): void {
    if (this.parents.length < movers) {
      this.parents = new Int32Array(movers);
      this.islandOf = new Int32Array(movers);
    }
    const { parents, islandOf } = this;
    for (let m = 0; m < movers; m++) {
      parents[m] = m;
      islandOf[m] = -1;
    }
    const { sides, blockCount } = set;
    for (let b = 0; b < blockCount; b++) {
      const p = sides[2 * SIDE * b + 3];
      const q = sides[2 * SIDE * b + SIDE + 3];
      if (p >= 0 && q >= 0) this.join(p, q);
    }
    for (let b = 0; b < blockCount; b++) {
      const m = Math.max(sides[2 * SIDE * b + 3], sides[2 * SIDE * b + SIDE + 3]);
      if (m >= 0) islandOf[this.root(m)] = 0;
    }
    this.count = 0;
    for (let m = 0; m < movers; m++) {
      const r = this.root(m);
      if (r === m) islandOf[m] = islandOf[m] < 0 ? -1 : this.count++;
      else islandOf[m] = islandOf[r];
    }
    if (this.starts.length < this.count + 2) this.starts = new Int32Array(2 * (this.count + 2));
    if (this.blocks.length < blockCount) this.blocks = new Int32Array(2 * blockCount);
    const { starts, blocks } = this;
    starts.fill(0);
    for (let b = 0; b < blockCount; b++) {
      const i = this.islandOfBlock(set, b);
      if (i >= 0) starts[i + 2]++;
    }
    for (let i = 2; i < this.count + 2; i++) starts[i] += starts[i - 1];
    for (let b = 0; b < blockCount; b++) {
      const i = this.islandOfBlock(set, b);
      if (i >= 0) blocks[starts[i + 1]++] = b;
    }
  }

  islandOfBlock({ sides }: ConstraintSet, b: number): number {
    const m = Math.max(sides[2 * SIDE * b + 3], sides[2 * SIDE * b + SIDE + 3]);
    return m < 0 ? -1 : this.islandOf[m];
  }

  private root(m: number): number {
    const { parents } = this;
    let at = m;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]];
      at = parents[at];
    }
    return at;
  }

  private join(a: number, b: number): void {
    const p = this.root(a);
    const q = this.root(b);
    if (p < q) this.parents[q] = p;
    else this.parents[p] = q;
  }
}

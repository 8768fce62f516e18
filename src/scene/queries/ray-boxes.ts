/**
 * A tree of boxes as the kernel walks it with rays (assembly/mesh/ray-boxes.ts): the boxes of both children of a node side by side.
 *
 * Frames: those of the tree. Memory: 128 bytes a box. Tested by ray.test.ts.
 */
import type { BoxTree } from '../../broadphase/box-tree.js';
import { getKernel, type Kernel } from '../../kernel/kernel.js';
import {
  RAY_BOXES_BYTES,
  RAY_BOXES_FAR,
  RAY_BOXES_INVERSE,
  RAY_BOXES_NEAR,
  RAY_BOXES_NODES,
  RAY_BOXES_SIDE,
  RAY_BOXES_STACK,
  RAY_BOXES_TOP,
  RAY_ENTRY_BYTES,
  RAY_PAIR_BYTES,
  RAY_PAIR_CHILD,
} from '../../kernel/layout.js';
import { boxRays } from '../../kernel/parts/box-rays.js';

const forgotten = new FinalizationRegistry<{ kernel: Kernel; address: number }>(({ kernel, address }) =>
  kernel.release(address),
);

/** Byte of the upper bounds within a node. */
const UPPER = 48;

export class RayBoxes {
  private readonly kernel: Kernel = getKernel();
  private readonly address: number;
  /** Of each inner node of the tree, its byte from the first node of the block; -1 of a leaf. */
  private readonly place: Int32Array;
  private readonly stack: number;

  /** Of a tree whose nodes are 0 .. `nodeCount` - 1, at least one. */
  constructor(
    private readonly tree: BoxTree,
    nodeCount: number,
  ) {
    this.place = new Int32Array(nodeCount).fill(-1);
    let pairs = 0;
    for (let node = 0; node < nodeCount; node++)
      if (tree.child[2 * node] >= 0) this.place[node] = RAY_PAIR_BYTES * pairs++;
    // A single leaf is the left child of a node whose right one is empty.
    if (pairs === 0) pairs = 1;
    this.stack = RAY_BOXES_NODES + RAY_PAIR_BYTES * pairs;
    const bytes = this.stack + RAY_ENTRY_BYTES * (pairs + 2);
    this.address = this.kernel.allocate(bytes);
    forgotten.register(this, { kernel: this.kernel, address: this.address });
    const u32 = this.kernel.u32;
    u32[(this.address + RAY_BOXES_STACK) / 4] = this.stack;
    u32[(this.address + RAY_BOXES_BYTES) / 4] = bytes;
    this.follow();
  }

  /** After the tree's boxes have changed. */
  follow(): void {
    const { tree, place, address } = this;
    const { f64, u32 } = this.kernel;
    const first = address + RAY_BOXES_NODES;
    if (place.length <= 1) {
      this.writeChild(f64, u32, first, 0, tree.root);
      for (let k = 0; k < 3; k++) {
        f64[(first + 16 * k + 8) / 8] = Infinity;
        f64[(first + UPPER + 16 * k + 8) / 8] = -Infinity;
      }
      u32[(first + RAY_PAIR_CHILD + 4) / 4] = 1;
      return;
    }
    for (let node = 0; node < place.length; node++) {
      if (place[node] < 0) continue;
      for (const lane of [0, 1]) this.writeChild(f64, u32, first + place[node], lane, tree.child[2 * node + lane]);
    }
  }

  private writeChild(f64: Float64Array, u32: Uint32Array, at: number, lane: number, node: number): void {
    const { boxes, child } = this.tree;
    for (let k = 0; k < 3; k++) {
      f64[(at + 16 * k) / 8 + lane] = boxes[6 * node + k];
      f64[(at + UPPER + 16 * k) / 8 + lane] = boxes[6 * node + k + 3];
    }
    const item = ~child[2 * node];
    u32[(at + RAY_PAIR_CHILD) / 4 + lane] = item >= 0 ? 2 * item + 1 : this.place[node];
  }

  /** Begins with a ray: origin, unit direction; its `invertDirection`; boxes are larger by `pad`. */
  start(ray: Float64Array, inverse: Float64Array, pad: number): void {
    const { f64, u32 } = this.kernel;
    const at = this.address / 8;
    for (let k = 0; k < 3; k++) {
      const toNear = inverse[k] < 0 ? pad : -pad;
      f64[at + RAY_BOXES_INVERSE / 8 + k] = inverse[k];
      f64[at + RAY_BOXES_NEAR / 8 + k] = (toNear - ray[k]) * inverse[k];
      f64[at + RAY_BOXES_FAR / 8 + k] = (-toNear - ray[k]) * inverse[k];
      u32[2 * at + RAY_BOXES_SIDE / 4 + k] = inverse[k] < 0 ? UPPER : 0;
    }
    const bottom = (this.address + this.stack) / 8;
    f64[bottom] = 0;
    u32[2 * bottom + 2] = Math.max(0, this.place[this.tree.root]);
    u32[2 * at + RAY_BOXES_TOP / 4] = this.stack + RAY_ENTRY_BYTES;
  }

  /** The next item whose box the ray meets at most at `limit`; -1 when there is none. */
  next(limit: number): number {
    return this.kernel.part(boxRays).nextRayBox(this.address, limit);
  }
}

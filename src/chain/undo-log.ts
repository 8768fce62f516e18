/**
 * What the last change of a ChainTree overwrote, so that undo puts the same bits back.
 *
 * Entry: node number, kind, and the numbers saved: a shortcut (12), or a volume with its children's poses in it: frame 12,
 * half extents and radius 4, left child's pose 12, right child's pose 12. Restored from last to first. Grows by doubling.
 */
import { copyTransformAt, TRANSFORM_STRIDE } from '../math/transform.js';
import type { ChainTreeData } from './chain-tree.js';
import type { ContactSearch } from './contact-search.js';
import { BOX_STRIDE, HALF } from './tree-layout.js';

const VOLUME_SIZE = 40;

export class UndoLog {
  /** Node of entry i, and its first child for a volume, -1 for a shortcut. */
  private nodes = new Int32Array(128);
  private numbers = new Float64Array(4096);
  private entryCount = 0;
  private numberCount = 0;

  clear(): void {
    this.entryCount = 0;
    this.numberCount = 0;
  }

  saveShortcut(data: ChainTreeData, node: number): void {
    const at = this.open(node, -1, TRANSFORM_STRIDE);
    copyTransformAt(this.numbers, at, data.shortcuts, TRANSFORM_STRIDE * node);
  }

  saveVolume(data: ChainTreeData, node: number, firstChild: number): void {
    const at = this.open(node, firstChild, VOLUME_SIZE);
    const { numbers } = this;
    copyTransformAt(numbers, at, data.frames, TRANSFORM_STRIDE * node);
    for (let k = 0; k < 4; k++) numbers[at + 12 + k] = data.boxes[BOX_STRIDE * node + HALF + k];
    // The node after an only child is the first of the next level: its pose is put back unchanged.
    copyTransformAt(numbers, at + 16, data.boxes, BOX_STRIDE * firstChild);
    copyTransformAt(numbers, at + 28, data.boxes, BOX_STRIDE * (firstChild + 1));
  }

  /** Puts everything back, in the copy of the contact search as well. */
  restore(data: ChainTreeData, contacts: ContactSearch): void {
    const { nodes, numbers } = this;
    let at = this.numberCount;
    for (let i = this.entryCount - 1; i >= 0; i--) {
      const node = nodes[2 * i];
      const firstChild = nodes[2 * i + 1];
      if (firstChild < 0) {
        at -= TRANSFORM_STRIDE;
        copyTransformAt(data.shortcuts, TRANSFORM_STRIDE * node, numbers, at);
        continue;
      }
      at -= VOLUME_SIZE;
      copyTransformAt(data.frames, TRANSFORM_STRIDE * node, numbers, at);
      for (let k = 0; k < 4; k++) data.boxes[BOX_STRIDE * node + HALF + k] = numbers[at + 12 + k];
      copyTransformAt(data.boxes, BOX_STRIDE * firstChild, numbers, at + 16);
      copyTransformAt(data.boxes, BOX_STRIDE * (firstChild + 1), numbers, at + 28);
      contacts.writeExtents(node);
      contacts.writePose(firstChild);
      contacts.writePose(firstChild + 1);
    }
    this.clear();
  }

  private open(node: number, firstChild: number, size: number): number {
    if (2 * this.entryCount === this.nodes.length) {
      const nodes = new Int32Array(2 * this.nodes.length);
      nodes.set(this.nodes);
      this.nodes = nodes;
    }
    if (this.numberCount + size > this.numbers.length) {
      const numbers = new Float64Array(2 * this.numbers.length);
      numbers.set(this.numbers);
      this.numbers = numbers;
    }
    this.nodes[2 * this.entryCount] = node;
    this.nodes[2 * this.entryCount + 1] = firstChild;
    this.entryCount++;
    const at = this.numberCount;
    this.numberCount += size;
    return at;
  }
}

/**
 * Self pairs of a large tree by the kernel: boxes and children are copied there, pairs come back by the bufferful, in the order of
 * `visitSelfPairs`.
 *
 * The kernel compares boxes in single precision, from the middle of the tree, and may find pairs that merely nearly touch: what
 * is in doubt is compared once more here. The count of tests is that of `visitSelfPairs`, but for such boxes. Where they are many, as among boxes that
 * are tiny beside the whole, the walk goes on in JavaScript.
 * Cost: the copy, 64 bytes an inner node that has changed since the last walk, and 1-2 ns a test, about a quarter of the walk in
 * JavaScript. Memory: that copy and 64 KiB, kept for as long as the tree. Tested by test/contract/broad-phases.test.ts and kernel-pairs.test.ts.
 */
import { getKernel, type Kernel } from '../kernel/kernel.js';
import {
  BOX_PAIRS_BYTES,
  BOX_PAIRS_CHILD,
  BOX_PAIRS_DOUBT,
  BOX_PAIRS_FOUND,
  BOX_PAIRS_FULL,
  BOX_PAIRS_LIMIT,
  BOX_PAIRS_RECORD_BYTES,
  BOX_PAIRS_RECORDS,
  BOX_PAIRS_TESTS,
  BOX_PAIRS_TOP,
} from '../kernel/layout.js';
import type { BoxPairFunctions } from '../kernel/parts/box-pairs.js';
import { BOX_STRIDE, overlapBoxes } from './box.js';
import type { BoxTree } from './box-tree.js';
import type { PairVisitor } from './broad-phase.js';
import { openBoxPart } from './kernel-boxes.js';
import { type Traversal, visitSelfPairs } from './traverse.js';

/** Nodes from which on the copy pays. */
const MANY_NODES = 512;
/** Pairs found apart, more than those that overlap, from which on single precision is no use. */
const MANY_APART = 1024;
/** Of the nodes that changed since the last copy, up to one in so many are copied by themselves. */
const FEW_CHANGED = 8;
/** By how much of the root's size its middle may have moved since. */
const NEAR_MIDDLE = 1 / 8;
const RECORD_WORDS = BOX_PAIRS_RECORD_BYTES / 4;
const CHILD_WORD = BOX_PAIRS_CHILD / 4;

interface Block {
  kernel: Kernel;
  address: number;
}

const forgotten = new FinalizationRegistry<Block>(({ kernel, address }) => kernel.release(address));

export class KernelPairs {
  private block: Block | null = null;
  private capacity = 0;
  private isWalking = false;
  private readonly found = new Uint32Array(2 * BOX_PAIRS_LIMIT);
  /** Record of each inner node. */
  private records = new Int32Array(0);
  /** Of the tree that was copied last; its records are measured from where the root's middle was then. */
  private topology = -1;
  private margin = 0;
  private readonly middle = new Float64Array(3);

  /**
   * As `visitSelfPairs`; `exact`: boxes of the proxies, which those of the leaves are but in a fat tree. Walks from within a visitor,
   * and those of small trees, are left to it.
   */
  visit(
    tree: BoxTree,
    exact: Float64Array,
    isFat: boolean,
    margin: number,
    counter: Traversal,
    visit: PairVisitor,
  ): boolean {
    const isLarge = !this.isWalking && tree.nodeCount >= MANY_NODES && tree.root >= 0 && !tree.isLeaf(tree.root);
    const part = isLarge ? openBoxPart() : null;
    if (part === null) return visitSelfPairs(tree, isFat ? exact : null, margin, counter, visit);
    this.isWalking = true;
    try {
      return this.walk(part, tree, exact, isFat, margin, counter, visit);
    } finally {
      this.isWalking = false;
    }
  }

  private walk(
    part: BoxPairFunctions,
    tree: BoxTree,
    exact: Float64Array,
    isFat: boolean,
    margin: number,
    counter: Traversal,
    visit: PairVisitor,
  ): boolean {
    const { kernel, address } = this.load(tree, margin);
    const { found } = this;
    const start = counter.boxTests;
    let visited = 0;
    let apart = 0;
    for (;;) {
      const count = part.nextBoxPairs(address);
      const { u32 } = kernel;
      const first = (address + BOX_PAIRS_FOUND) >> 2;
      for (let i = 0; i < 2 * count; i++) found[i] = u32[first + i];
      const isFull = u32[(address + BOX_PAIRS_FULL) >> 2] !== 0;
      const tests = u32[(address + BOX_PAIRS_TESTS) >> 2];
      u32[(address + BOX_PAIRS_TESTS) >> 2] = 0;
      counter.boxTests += tests;
      for (let i = 0; i < 2 * count; i += 2) {
        const p = found[i] & ~BOX_PAIRS_DOUBT;
        const q = found[i + 1];
        const isInDoubt = found[i] >= BOX_PAIRS_DOUBT;
        if ((isInDoubt || isFat) && !overlapBoxes(exact, p * BOX_STRIDE, exact, q * BOX_STRIDE, margin)) {
          if (isInDoubt) apart++;
          continue;
        }
        visited++;
        if ((p < q ? visit(p, q) : visit(q, p)) === false) return false;
      }
      if (isFull || apart > MANY_APART + visited) {
        // The order is the same, so what has been visited is skipped; it counts once.
        counter.boxTests = start;
        let left = visited;
        const rest: PairVisitor = (a, b) => (left-- > 0 ? true : visit(a, b));
        return visitSelfPairs(tree, exact, margin, counter, rest);
      }
      if (count < BOX_PAIRS_LIMIT) return true;
    }
  }

  /** Copies the tree, and starts at its root. */
  private load(tree: BoxTree, margin: number): Block {
    const nodes = tree.nodeCount;
    if (this.block?.kernel !== getKernel() || nodes > this.capacity) this.reserve(nodes);
    const block = this.block!;
    const { kernel, address } = block;
    const { u32 } = kernel;
    this.writeRecords(tree, kernel, (address + BOX_PAIRS_RECORDS) >> 2, margin);
    const at = address >> 2;
    u32[at + BOX_PAIRS_TESTS / 4] = 0;
    u32[at + BOX_PAIRS_FULL / 4] = 0;
    u32[at + BOX_PAIRS_TOP / 4] = BOX_PAIRS_RECORDS - 8;
    u32[at + BOX_PAIRS_RECORDS / 4 - 2] = address + BOX_PAIRS_RECORDS;
    u32[at + BOX_PAIRS_RECORDS / 4 - 1] = address + BOX_PAIRS_RECORDS;
    return block;
  }

  /** Inner nodes in the order of the tree, as the kernel reads them, from word `at` on; upper ends grown by the margin. */
  private writeRecords(tree: BoxTree, kernel: Kernel, at: number, margin: number): void {
    const { child, root, nodeCount } = tree;
    const { records } = this;
    if (this.isKnown(tree, margin)) {
      for (let i = 0; i < tree.refittedCount; i++) {
        const node = tree.refitted[i];
        this.writeRecord(tree, kernel, node, at + RECORD_WORDS * records[node]);
      }
      tree.refittedCount = 0;
      return;
    }
    let count = 1;
    for (let node = 0; node < nodeCount; node++) if (child[2 * node] >= 0) records[node] = count++;
    this.topology = tree.topology;
    this.margin = margin;
    for (let k = 0; k < 3; k++) this.middle[k] = middleOf(tree, k);
    kernel.u32[at + CHILD_WORD] = records[root];
    let o = at;
    for (let node = 0; node < nodeCount; node++) {
      if (child[2 * node] < 0) continue;
      o += RECORD_WORDS;
      this.writeRecord(tree, kernel, node, o);
    }
    tree.reader = this;
    if (tree.refitted.length < nodeCount / FEW_CHANGED) tree.refitted = new Int32Array(nodeCount / FEW_CHANGED);
    tree.refittedCount = 0;
  }

  /** Whether the copy is good but for the nodes that the tree has noted. */
  private isKnown(tree: BoxTree, margin: number): boolean {
    if (tree.reader !== this || tree.refittedCount < 0 || tree.topology !== this.topology || margin !== this.margin)
      return false;
    const { boxes, root } = tree;
    for (let k = 0; k < 3; k++) {
      const size = boxes[root * BOX_STRIDE + k + 3] - boxes[root * BOX_STRIDE + k];
      if (!(Math.abs(middleOf(tree, k) - this.middle[k]) <= NEAR_MIDDLE * size)) return false;
    }
    return true;
  }

  private writeRecord(tree: BoxTree, { f32, u32 }: Kernel, node: number, o: number): void {
    const { boxes, child } = tree;
    const { records, middle, margin } = this;
    const x = middle[0];
    const y = middle[1];
    const z = middle[2];
    const left = child[2 * node];
    const right = child[2 * node + 1];
    const l = left * BOX_STRIDE;
    const r = right * BOX_STRIDE;
    f32[o] = boxes[l] - x;
    f32[o + 1] = boxes[r] - x;
    f32[o + 2] = boxes[l + 1] - y;
    f32[o + 3] = boxes[r + 1] - y;
    f32[o + 4] = boxes[l + 2] - z;
    f32[o + 5] = boxes[r + 2] - z;
    f32[o + 6] = boxes[l + 3] + margin - x;
    f32[o + 7] = boxes[r + 3] + margin - x;
    f32[o + 8] = boxes[l + 4] + margin - y;
    f32[o + 9] = boxes[r + 4] + margin - y;
    f32[o + 10] = boxes[l + 5] + margin - z;
    f32[o + 11] = boxes[r + 5] + margin - z;
    const first = child[2 * left];
    const second = child[2 * right];
    u32[o + CHILD_WORD] = first < 0 ? first : records[left];
    u32[o + CHILD_WORD + 1] = second < 0 ? second : records[right];
  }

  private reserve(nodes: number): void {
    const capacity = Math.ceil(nodes * 1.25);
    // Of n nodes fewer than n / 2 are inner ones, but freed ones may look like them.
    const bytes = BOX_PAIRS_RECORDS + BOX_PAIRS_RECORD_BYTES * (capacity + 1);
    const kernel = getKernel();
    if (this.block !== null) {
      forgotten.unregister(this);
      this.block.kernel.release(this.block.address);
    }
    this.block = { kernel, address: kernel.allocate(bytes) };
    this.capacity = capacity;
    this.records = new Int32Array(capacity);
    this.topology = -1;
    kernel.u32[(this.block.address + BOX_PAIRS_BYTES) >> 2] = bytes;
    forgotten.register(this, this.block, this);
  }
}

/** Of the root, along an axis. */
function middleOf({ boxes, root }: BoxTree, axis: number): number {
  return 0.5 * boxes[root * BOX_STRIDE + axis] + 0.5 * boxes[root * BOX_STRIDE + axis + 3];
}

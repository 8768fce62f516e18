/**
 * Self pairs of a large tree by the kernel: boxes and children are copied there, pairs come back by the bufferful, in the order and
 * with the tests of `visitSelfPairs`.
 *
 * Cost: the copy, 56 bytes a node, and 2-3 ns a test, about a third of the walk in JavaScript. Memory: that copy and 64 KiB, kept
 * for as long as the tree. Tested by test/contract/broad-phases.test.ts and kernel-pairs.test.ts.
 */
import { getKernel, type Kernel } from '../kernel/kernel.js';
import {
  BOX_PAIRS_BYTES,
  BOX_PAIRS_CHILDREN,
  BOX_PAIRS_FOUND,
  BOX_PAIRS_FULL,
  BOX_PAIRS_LIMIT,
  BOX_PAIRS_STACK,
  BOX_PAIRS_TESTS,
  BOX_PAIRS_TOP,
} from '../kernel/layout.js';
import { type BoxPairFunctions, boxPairs } from '../kernel/parts/box-pairs.js';
import { BOX_STRIDE, overlapBoxes } from './box.js';
import type { BoxTree } from './box-tree.js';
import type { PairVisitor } from './broad-phase.js';
import { type ExactBoxes, type Traversal, visitSelfPairs } from './traverse.js';

/** Nodes from which on the copy pays. */
const MANY_NODES = 512;

interface Block {
  kernel: Kernel;
  address: number;
}

let isKernelRefused = false;

/** The kernel's part; null where WebAssembly may not be compiled, which trees do not need. */
function openPart(): BoxPairFunctions | null {
  if (isKernelRefused) return null;
  try {
    return getKernel().part(boxPairs);
  } catch {
    isKernelRefused = true;
    return null;
  }
}

const forgotten = new FinalizationRegistry<Block>(({ kernel, address }) => kernel.release(address));

export class KernelPairs {
  private block: Block | null = null;
  private capacity = 0;
  private isWalking = false;
  private readonly found = new Uint32Array(2 * BOX_PAIRS_LIMIT);

  /** As `visitSelfPairs`. Walks from within a visitor, and those of small trees, are left to it. */
  visit(tree: BoxTree, exact: ExactBoxes, margin: number, counter: Traversal, visit: PairVisitor): boolean {
    const isLarge = !this.isWalking && tree.nodeCount >= MANY_NODES;
    const part = isLarge ? openPart() : null;
    if (part === null) return visitSelfPairs(tree, exact, margin, counter, visit);
    this.isWalking = true;
    try {
      return this.walk(part, tree, exact, margin, counter, visit);
    } finally {
      this.isWalking = false;
    }
  }

  private walk(
    part: BoxPairFunctions,
    tree: BoxTree,
    exact: ExactBoxes,
    margin: number,
    counter: Traversal,
    visit: PairVisitor,
  ): boolean {
    const { kernel, address } = this.load(tree);
    const { found } = this;
    const boxes = boxesOf(address, this.capacity);
    const start = counter.boxTests;
    let visited = 0;
    for (;;) {
      const count = part.nextBoxPairs(address, boxes, margin);
      const { u32 } = kernel;
      const first = (address + BOX_PAIRS_FOUND) >> 2;
      for (let i = 0; i < 2 * count; i++) found[i] = u32[first + i];
      const isFull = u32[(address + BOX_PAIRS_FULL) >> 2] !== 0;
      const tests = u32[(address + BOX_PAIRS_TESTS) >> 2];
      u32[(address + BOX_PAIRS_TESTS) >> 2] = 0;
      counter.boxTests += tests;
      for (let i = 0; i < 2 * count; i += 2) {
        const p = found[i];
        const q = found[i + 1];
        if (exact !== null && !overlapBoxes(exact, p * BOX_STRIDE, exact, q * BOX_STRIDE, margin)) continue;
        visited++;
        if ((p < q ? visit(p, q) : visit(q, p)) === false) return false;
      }
      if (isFull) {
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
  private load(tree: BoxTree): Block {
    const nodes = tree.nodeCount;
    if (this.block?.kernel !== getKernel() || nodes > this.capacity) this.reserve(nodes);
    const block = this.block!;
    const { kernel, address } = block;
    const { f64, u32 } = kernel;
    copyNodes(f64, boxesOf(address, this.capacity) >> 3, tree.boxes, nodes * BOX_STRIDE);
    copyNodes(u32, (address + BOX_PAIRS_CHILDREN) >> 2, tree.child, nodes * 2);
    const at = address >> 2;
    u32[at + BOX_PAIRS_TESTS / 4] = 0;
    u32[at + BOX_PAIRS_FULL / 4] = 0;
    u32[at + BOX_PAIRS_TOP / 4] = 8;
    u32[at + BOX_PAIRS_STACK / 4] = tree.root;
    u32[at + BOX_PAIRS_STACK / 4 + 1] = tree.root;
    return block;
  }

  private reserve(nodes: number): void {
    const capacity = Math.ceil(nodes * 1.25);
    const bytes = boxesOf(0, capacity) + 8 * BOX_STRIDE * capacity;
    const kernel = getKernel();
    if (this.block !== null) {
      forgotten.unregister(this);
      this.block.kernel.release(this.block.address);
    }
    this.block = { kernel, address: kernel.allocate(bytes) };
    this.capacity = capacity;
    kernel.u32[(this.block.address + BOX_PAIRS_BYTES) >> 2] = bytes;
    forgotten.register(this, this.block, this);
  }
}

/** Address of the boxes behind the children of so many nodes. */
function boxesOf(address: number, capacity: number): number {
  return address + BOX_PAIRS_CHILDREN + 16 * Math.ceil(capacity / 2);
}

function copyNodes(to: Float64Array | Uint32Array, at: number, from: Float64Array | Int32Array, count: number): void {
  to.set(from.length === count ? from : from.subarray(0, count), at);
}

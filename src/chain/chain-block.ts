/**
 * The memory of a ChainTree: one block in the kernel's memory, laid out as kernel/layout.ts says, and the log of its last
 * update.
 *
 * The hierarchy is kept twice: in 64 bits (shortcuts, frames, boxes: tree-layout.ts), which every distance is measured
 * with, and in 32 bits, rounded outward, one cache line per node, which the search of contacts walks.
 * The arrays are views: the kernel's memory may grow whenever something is built, and then they are renewed, so they are
 * read through `data` anew in every function.
 */

import { getKernel, type Kernel } from '../kernel/kernel.js';
import {
  CHAIN_BOXES_OFFSET,
  CHAIN_BYTES,
  CHAIN_CHANGED_OFFSET,
  CHAIN_COUNTS,
  CHAIN_EXCLUSION,
  CHAIN_FITS_PAIRS,
  CHAIN_FRAMES_OFFSET,
  CHAIN_HEIGHT,
  CHAIN_LINK_COUNT,
  CHAIN_LOG_BYTES,
  CHAIN_LOG_HEADER_BYTES,
  CHAIN_PAIR_BYTES,
  CHAIN_PAIRS,
  CHAIN_SHORTCUTS_OFFSET,
  CHAIN_STACK_BYTES,
  CHAIN_STACK_OFFSET,
  CHAIN_STARTS,
  CHAIN_TIGHT_BYTES,
  CHAIN_TIGHT_OFFSET,
  CHAIN_TOUCHED_OFFSET,
} from '../kernel/layout.js';
import { MisuseError } from '../math/misuse.js';
import { TRANSFORM_STRIDE } from '../math/transform.js';
import type { Chain } from './chain.js';
import { SEGMENT } from './link-shapes.js';
import { BOX_STRIDE, HALF, layOutTree, type TreeLayout } from './tree-layout.js';

/** Rounding to 32 bits loses less. */
export const OUTWARD = 1 + 2e-7;
/** Numbers per node in `tights`. */
export const TIGHT_STRIDE = CHAIN_TIGHT_BYTES / 8;
const PAIR_FLOATS = CHAIN_PAIR_BYTES / 4;

/** The arrays behind a ChainTree, laid out as tree-layout.ts says. Do not keep them: read them anew after every call. */
export interface ChainTreeData {
  readonly layout: TreeLayout;
  /** Whether a box stands for the rectangle swept by a sphere that it is the bounds of. */
  readonly isSwept: boolean;
  readonly shortcuts: Float64Array;
  readonly frames: Float64Array;
  readonly boxes: Float64Array;
  /**
   * Tight boxes, where the tree has them: 8 per node, the centre's shift in the node's volume, half extents, radius, and a
   * word that the search of contacts sets once it tightened the box (assembly/chain/chain-tight.ts).
   */
  readonly tights: Float64Array | null;
}

const forgotten = new FinalizationRegistry<{ kernel: Kernel; addresses: readonly number[] }>(
  ({ kernel, addresses }) => {
    for (const address of addresses) kernel.release(address);
  },
);

export class ChainBlock implements ChainTreeData {
  readonly kernel = getKernel();
  readonly layout: TreeLayout;
  /** Words of the list of changed joints that a search reads. */
  readonly changedAt: number;
  private block: number;
  private logAddress = -1;
  private logCapacity = 0;
  private shortcutsView: Float64Array = new Float64Array(0);
  private framesView: Float64Array = new Float64Array(0);
  private boxesView: Float64Array = new Float64Array(0);
  private tightsView: Float64Array = new Float64Array(0);

  constructor(
    chain: Chain,
    fitsPairs: boolean,
    readonly isSwept: boolean,
    private readonly isTight: boolean,
  ) {
    const layout = layOutTree(chain);
    this.layout = layout;
    const { nodeCount } = layout;
    const { linkCount } = chain;
    let bytes = CHAIN_PAIRS;
    const reserve = (size: number): number => {
      const at = bytes;
      bytes += 16 * Math.ceil(size / 16);
      return at;
    };
    reserve(CHAIN_PAIR_BYTES * (nodeCount - linkCount + 1));
    const stack = reserve(CHAIN_STACK_BYTES * (layout.height + 2));
    const changed = reserve(4 * linkCount);
    const touched = reserve(4 * linkCount);
    const shortcuts = reserve(8 * TRANSFORM_STRIDE * nodeCount);
    const frames = reserve(8 * TRANSFORM_STRIDE * nodeCount);
    // An only child's neighbour is read and written back, so the last node has one too.
    const boxes = reserve(8 * BOX_STRIDE * (nodeCount + 1));
    const tights = isTight ? reserve(CHAIN_TIGHT_BYTES * (nodeCount + 1)) : 0;
    this.block = this.kernel.allocate(bytes);
    this.register();
    this.changedAt = (this.block + changed) / 4;
    const { u32 } = this.kernel;
    const at = this.block / 4;
    u32.fill(0, at, (this.block + bytes) / 4);
    u32[at + CHAIN_LINK_COUNT / 4] = linkCount;
    u32[at + CHAIN_HEIGHT / 4] = layout.height;
    u32[at + CHAIN_EXCLUSION / 4] = Math.min(chain.exclusion, linkCount);
    u32[at + CHAIN_BYTES / 4] = bytes;
    u32[at + CHAIN_CHANGED_OFFSET / 4] = changed;
    u32[at + CHAIN_STACK_OFFSET / 4] = stack;
    u32[at + CHAIN_FITS_PAIRS / 4] = fitsPairs ? 1 : 0;
    u32[at + CHAIN_SHORTCUTS_OFFSET / 4] = shortcuts;
    u32[at + CHAIN_FRAMES_OFFSET / 4] = frames;
    u32[at + CHAIN_BOXES_OFFSET / 4] = boxes;
    u32[at + CHAIN_TOUCHED_OFFSET / 4] = touched;
    u32[at + CHAIN_TIGHT_OFFSET / 4] = tights;
    u32.set(layout.starts, at + CHAIN_STARTS / 4);
    u32.set(layout.counts, at + CHAIN_COUNTS / 4);
    if (isTight) this.writeTightLinks(chain);
  }

  /** Address of the block; throws once disposed. */
  get address(): number {
    this.requireLive();
    return this.block;
  }

  requireLive(): void {
    if (this.block < 0) throw new MisuseError('ChainTree: tree, got one that was disposed, expected a live one');
  }

  get shortcuts(): Float64Array {
    if (this.shortcutsView.length === 0) this.renewViews();
    return this.shortcutsView;
  }

  get frames(): Float64Array {
    if (this.framesView.length === 0) this.renewViews();
    return this.framesView;
  }

  get boxes(): Float64Array {
    if (this.boxesView.length === 0) this.renewViews();
    return this.boxesView;
  }

  get tights(): Float64Array | null {
    if (!this.isTight) return null;
    if (this.tightsView.length === 0) this.renewViews();
    return this.tightsView;
  }

  /** Address of the log, -1 before the first update. */
  get log(): number {
    return this.logAddress;
  }

  get logBytes(): number {
    return CHAIN_LOG_HEADER_BYTES + CHAIN_LOG_BYTES * this.logCapacity;
  }

  /** Empties the log and makes room for an update of `joints` joints. */
  openLog(joints: number): void {
    const { layout, kernel } = this;
    const needed = Math.min(layout.nodeCount, joints * (layout.height + 1));
    if (needed > this.logCapacity) {
      forgotten.unregister(this);
      if (this.logAddress >= 0) kernel.release(this.logAddress);
      this.logAddress = -1;
      this.logCapacity = Math.min(layout.nodeCount, 2 * needed);
      this.logAddress = kernel.allocate(this.logBytes);
      this.register();
    }
    kernel.u32[this.logAddress / 4] = 0;
  }

  /** Takes over a node's pose in its parent's volume for the search. */
  roundPose(level: number, index: number): void {
    const { boxes } = this;
    const { f32 } = this.kernel;
    const from = BOX_STRIDE * (this.layout.starts[level] + index);
    const to = this.wordOf(level, index);
    for (let k = 0; k < HALF; k++) f32[to + 2 * k] = boxes[from + k];
  }

  /** Takes over a node's half extents and radius for the search. */
  roundExtents(level: number, index: number): void {
    const { boxes } = this;
    const { f32 } = this.kernel;
    const from = BOX_STRIDE * (this.layout.starts[level] + index);
    const to = this.wordOf(level, index);
    for (let k = HALF; k < BOX_STRIDE; k++) f32[to + 2 * k] = boxes[from + k] * OUTWARD;
  }

  dispose(): void {
    if (this.block < 0) return;
    forgotten.unregister(this);
    this.kernel.release(this.block);
    if (this.logAddress >= 0) this.kernel.release(this.logAddress);
    this.block = -1;
    this.logAddress = -1;
    this.shortcutsView = new Float64Array(0);
    this.framesView = new Float64Array(0);
    this.boxesView = new Float64Array(0);
    this.tightsView = new Float64Array(0);
  }

  private register(): void {
    const addresses = this.logAddress < 0 ? [this.block] : [this.block, this.logAddress];
    forgotten.register(this, { kernel: this.kernel, addresses }, this);
  }

  private renewViews(): void {
    const { kernel, address } = this;
    const { nodeCount } = this.layout;
    const view = (offset: number, length: number): Float64Array => {
      const at = address + kernel.u32[(address + offset) / 4];
      return new Float64Array(kernel.memory.buffer, at, length);
    };
    this.shortcutsView = view(CHAIN_SHORTCUTS_OFFSET, TRANSFORM_STRIDE * nodeCount);
    this.framesView = view(CHAIN_FRAMES_OFFSET, TRANSFORM_STRIDE * nodeCount);
    this.boxesView = view(CHAIN_BOXES_OFFSET, BOX_STRIDE * nodeCount);
    if (this.isTight) this.tightsView = view(CHAIN_TIGHT_OFFSET, TIGHT_STRIDE * nodeCount);
  }

  /** Links as boxes rounded by a radius, which faces are pushed in against. */
  private writeTightLinks({ links }: Chain): void {
    const tights = this.tights!;
    const { kinds, halfLengths, radii, halfExtents } = links;
    for (let i = 0; i < kinds.length; i++) {
      const at = TIGHT_STRIDE * i;
      const isSegment = kinds[i] === SEGMENT;
      for (let k = 0; k < 3; k++) tights[at + 3 + k] = isSegment ? 0 : halfExtents[3 * i + k];
      if (!isSegment) continue;
      tights[at + 5] = halfLengths[i];
      tights[at + 6] = radii[i];
    }
  }

  /** Of the first number of a node in the block of its parent's pair of children. */
  private wordOf(level: number, index: number): number {
    const { linkCount, starts } = this.layout;
    const pair = level === this.layout.height ? this.layout.nodeCount : starts[level + 1] + (index >> 1);
    return (this.address + CHAIN_PAIRS) / 4 + PAIR_FLOATS * (pair - linkCount) + (index & 1);
  }
}

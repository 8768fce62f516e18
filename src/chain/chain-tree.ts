/**
 * ChainTree: a long kinematic chain under repeated changes at a few joints, with self-contacts found each time.
 *
 * Method: a balanced binary hierarchy over the links in chain order. Each node caches the transform that skips its links
 * (a shortcut) and a volume that bounds its children's volumes. A change at k joints recomputes the shortcuts and volumes
 * above them, level by level from the links up, so that paths that meet are walked once. The search for contacts tests
 * only pairs of links that a changed joint separates: it starts at every node that a change cuts, with its two children,
 * and goes down pairs of volumes that are not apart; a pair of nodes with no changed joint between is left at once. The
 * paper skips unchanged boxes; asking about the joints between two boxes skips more and gives the same answer.
 * Volumes carry their pose in the parent's volume, so one product leads from a pair to the next.
 *
 * Source: Lotan, Schwarzer, Halperin, Latombe 2002, "Efficient maintenance and self-collision testing for kinematic
 *   chains", sections 2.1 to 2.3, ACM Symposium on Computational Geometry.
 * Frames: see tree-layout.ts. Cost: O(k log(N/k)) per change, O(N^(4/3)) worst case per search of a well-behaved chain,
 *   far less as a rule; O(log N) per relative pose; undo costs what the change cost. Memory: 80 numbers per link.
 * Rounding: a shortcut is always a fresh product of at most log2 N factors, never a product onto itself, so errors do not
 *   pile up over changes. Nothing is allocated once the lists have grown to their size.
 * Checked by chain.test.ts against brute force, and by `validate`.
 */

import { RESULT_COUNTS } from '../kernel/layout.js';
import { chains } from '../kernel/parts/chain.js';
import {
  type Fields,
  requireFlag,
  requireFloats,
  requireInstance,
  requireLength,
  requireOptions,
  throwMisuse,
  unchecked,
} from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import {
  copyTransformAt,
  invertTransform,
  multiplyTransformAt,
  relativeTransform,
  setIdentityTransform,
  TRANSFORM_STRIDE,
  type Transform,
} from '../math/transform.js';
import type { Chain } from './chain.js';
import { ChainBlock, type ChainTreeData } from './chain-block.js';
import { ChainState } from './chain-state.js';
import type { ContactMemory } from './contact-memory.js';
import { searchContacts } from './contact-search.js';
import { fitRectangle } from './fit-rectangle.js';
import { fitBall, fitBox } from './fit-volume.js';
import type { LinkPairs } from './link-pairs.js';
import { requireLinkPairs } from './link-pairs.js';
import { SEGMENT } from './link-shapes.js';
import { PairSearch } from './pair-search.js';
import { sweepBox } from './rectangle-gap.js';
import { writeRelativePose } from './relative-pose.js';
import { BOX_STRIDE, HALF, RADIUS } from './tree-layout.js';
import { validateChainTree } from './validate-chain-tree.js';

export interface ChainTreeOptions {
  /**
   * Oriented boxes, balls (cheaper to keep and to test, looser), or rectangles swept by a sphere (`rss`; dearer, contacts
   * are searched in 64 bits outside the kernel: for comparison). `box` by default.
   */
  readonly volume?: 'box' | 'ball' | 'rss';
  /**
   * How many levels below a node its box looks when it is fitted: 1 bounds the two children's boxes as in the paper, d
   * bounds the 2^d boxes d levels down: tighter, and dearer to update. 1 to 3. Not for balls.
   */
  readonly fitDepth?: number;
  /**
   * Whether the search of contacts pushes the faces of a box in until they all but touch a link when it first comes to test
   * the box after a change below it: fewer pairs of boxes to test, searches that take longer. False by default. Boxes only;
   * distances and pairs under a cutoff look at the plain boxes.
   */
  readonly tight?: boolean;
}

const MOST_FIT_DEPTH = 3;
const OPTIONS: Fields = { volume: unchecked, fitDepth: unchecked, tight: requireFlag };

export class ChainTree extends ChainState {
  readonly data: ChainTreeData;
  private readonly block: ChainBlock;
  private readonly fitsBalls: boolean;
  private readonly fitsRectangles: boolean;
  private readonly fitDepth: number;
  private readonly pairs: PairSearch;
  private readonly items = new Float64Array(BOX_STRIDE << MOST_FIT_DEPTH);
  /** Pose of a volume on the way down, by depth; 12 numbers each. */
  private readonly poses = new Float64Array(TRANSFORM_STRIDE * (MOST_FIT_DEPTH + 1));
  private readonly X: Transform = new Float64Array(TRANSFORM_STRIDE);
  private readonly scratch: Transform = new Float64Array(TRANSFORM_STRIDE);
  private itemCount = 0;
  private out: LinkPairs | null = null;

  constructor(chain: Chain, options: ChainTreeOptions = {}) {
    requireOptions('createChainTree', options, OPTIONS);
    super(chain);
    const { volume = 'box', fitDepth = 1, tight = false } = options;
    if (volume !== 'box' && volume !== 'ball' && volume !== 'rss') {
      throw new MisuseError(`createChainTree: volume, got ${describeValue(volume)}, expected 'box', 'ball' or 'rss'`);
    }
    if (!(Number.isInteger(fitDepth) && fitDepth >= 1 && fitDepth <= MOST_FIT_DEPTH)) {
      throw new MisuseError(
        `createChainTree: fitDepth, got ${describeValue(fitDepth)}, expected 1 to ${MOST_FIT_DEPTH}`,
      );
    }
    this.fitsBalls = volume === 'ball';
    this.fitsRectangles = volume === 'rss';
    this.fitDepth = this.fitsBalls ? 1 : fitDepth;
    const isBox = volume === 'box';
    this.block = new ChainBlock(chain, isBox && this.fitDepth === 1, this.fitsRectangles, isBox && tight);
    this.data = this.block;
    this.pairs = new PairSearch(this, this, this.stats);
    this.build();
  }

  jointTransform(out: Transform, joint: number): Transform {
    this.requireJoint('jointTransform', joint);
    requireLength('jointTransform', 'out', out, 12);
    copyTransformAt(out, 0, this.data.shortcuts, TRANSFORM_STRIDE * joint);
    return out;
  }

  protected writeRelativePose(out: Transform, i: number, j: number): Transform {
    const { layout, shortcuts } = this.data;
    const to = Math.max(i, j);
    setIdentityTransform(out);
    let at = Math.min(i, j);
    while (at < to) {
      let level = 0;
      while (((at >> level) & 1) === 0 && at + (2 << level) <= to) level++;
      multiplyTransformAt(out, 0, out, 0, shortcuts, TRANSFORM_STRIDE * (layout.starts[level] + (at >> level)));
      at += 1 << level;
    }
    return j < i ? invertTransform(out, out) : out;
  }

  writeLinkPoses(out: Float64Array): Float64Array {
    requireFloats('writeLinkPoses', 'out', out, 12 * this.chain.linkCount);
    this.requireLive();
    const n = this.chain.linkCount;
    for (let k = 0; k < TRANSFORM_STRIDE; k++) out[k] = k === 0 || k === 4 || k === 8 ? 1 : 0;
    for (let i = 0; i < n - 1; i++) multiplyTransformAt(out, 12 * (i + 1), out, 12 * i, this.data.shortcuts, 12 * i);
    return out;
  }

  /** All pairs of links beyond the exclusion range with a gap of at most `cutoff`, sorted, into `out`. */
  collectPairs(out: LinkPairs, cutoff: number): number {
    requireLinkPairs('collectPairs', out);
    this.requireLive();
    requireCutoff('collectPairs', cutoff);
    out.clear();
    this.pairs.collectAll(out, cutoff);
    out.sort();
    return out.count;
  }

  /** @internal As `collectPairs`, only pairs that a changed joint of `memory` separates, unsorted, added to `out`. */
  collectChangedPairs(out: LinkPairs, cutoff: number, memory: ContactMemory): void {
    this.requireLive();
    this.pairs.collectChanged(out, cutoff, memory);
  }

  /**
   * The smallest gap between two links beyond the exclusion range (negative: they cross), the pair in contactA, contactB.
   * Infinity, and -1, when no pair is beyond it.
   */
  nearestDistance(): number {
    this.requireLive();
    const distance = this.pairs.findNearest();
    this.contactA = this.pairs.foundA;
    this.contactB = this.pairs.foundB;
    return distance;
  }

  /** Throws an error that names the first broken promise of the structure; O(N). */
  validate(): void {
    validateChainTree(this.chain, this.data);
  }

  protected search(out: LinkPairs | null): boolean {
    const before = out ? out.count : 0;
    if (this.fitsRectangles) return this.searchOutsideKernel(out, before);
    this.out = out;
    const { block, memory, reach, stats } = this;
    const isDone = searchContacts(block, memory, reach, stats, this.visitCandidate);
    return isDone || (out !== null && out.count > before);
  }

  /** The same answers from the walk in 64 bits, which knows rectangles swept by spheres. */
  private searchOutsideKernel(out: LinkPairs | null, before: number): boolean {
    const { pairs, memory, chain } = this;
    if (out) {
      pairs.collectChanged(out, chain.tolerance, memory);
      return out.count > before;
    }
    const isFound = pairs.hasChanged(chain.tolerance, memory);
    return isFound && this.keepContact(null, pairs.foundA, pairs.foundB);
  }

  private readonly visitCandidate = (a: number, b: number): boolean => {
    if (!this.touches(a, b)) return false;
    return this.keepContact(this.out, a, b);
  };

  /** @internal Gap up to which `search` asks whether two links touch. */
  protected get reach(): number {
    return this.chain.tolerance;
  }

  /** @internal Whether links a < b, which `search` cannot tell apart, are in contact. */
  protected touches(a: number, b: number): boolean {
    const { X, scratch } = this;
    const { shapes, links, tolerance } = this.chain;
    this.writeRelativePose(X, a, b);
    multiplyTransformAt(X, 0, X, 0, shapes, TRANSFORM_STRIDE * b);
    writeRelativePose(scratch, 0, shapes, TRANSFORM_STRIDE * a, X, 0);
    return links.isWithin(a, b, scratch, 0, tolerance);
  }

  protected update(): void {
    const { block, stats } = this;
    const { kernel, address } = block;
    const { keepJoint, updateChain } = kernel.part(chains);
    const count = this.stagedCount;
    block.openLog(count);
    const { shortcuts } = block;
    for (let i = 0; i < count; i++) {
      const joint = this.stagedJoints[i];
      keepJoint(address, block.log, block.logBytes, joint, i);
      copyTransformAt(
        shortcuts,
        TRANSFORM_STRIDE * joint,
        this.stagedTransforms,
        TRANSFORM_STRIDE * this.slotOf[joint],
      );
    }
    kernel.chainFitter = this.fitNode;
    updateChain(address, block.log, block.logBytes, count);
    kernel.chainFitter = undefined;
    stats.transformUpdates += count + kernel.u32[RESULT_COUNTS / 4];
    stats.volumeUpdates += kernel.u32[RESULT_COUNTS / 4 + 1];
  }

  protected revert(): void {
    const { kernel, address, log, logBytes } = this.block;
    kernel.part(chains).revertChain(address, log, logBytes);
  }

  override requireLive(): void {
    this.block.requireLive();
  }

  override dispose(): void {
    this.block.dispose();
  }

  /** Volume of node (level, j), and its children's poses in it, where the kernel does not do that itself. */
  private readonly fitNode = (level: number, j: number): void => {
    const { layout, shortcuts, frames, boxes } = this.data;
    const { poses, items } = this;
    const node = layout.starts[level] + j;
    const left = layout.starts[level - 1] + 2 * j;
    const hasRight = 2 * j + 1 < layout.counts[level - 1];
    this.itemCount = 0;
    copyTransformAt(poses, 12, frames, TRANSFORM_STRIDE * left);
    this.addItems(level - 1, 2 * j, 1);
    if (hasRight) {
      multiplyTransformAt(poses, 12, shortcuts, TRANSFORM_STRIDE * left, frames, TRANSFORM_STRIDE * (left + 1));
      this.addItems(level - 1, 2 * j + 1, 1);
    }
    const fitVolume = this.fitsBalls ? fitBall : this.fitsRectangles ? fitRectangle : fitBox;
    fitVolume(frames, TRANSFORM_STRIDE * node, boxes, BOX_STRIDE * node, items, this.itemCount);
    this.placeChild(left, node, -1);
    if (hasRight) this.placeChild(left + 1, node, left);
    this.block.roundExtents(level, j);
    this.block.roundPose(level - 1, 2 * j);
    if (hasRight) this.block.roundPose(level - 1, 2 * j + 1);
  };

  /** Adds the items below a node whose volume has pose `poses[depth]` in the first link of the node being fitted. */
  private addItems(level: number, j: number, depth: number): void {
    const { layout, boxes } = this.data;
    const { poses, items } = this;
    const at = BOX_STRIDE * (layout.starts[level] + j);
    if (level === 0 || depth === this.fitDepth) {
      const item = BOX_STRIDE * this.itemCount++;
      copyTransformAt(items, item, poses, 12 * depth);
      const { kinds, halfLengths, radii, halfExtents } = this.chain.links;
      const isSegment = level === 0 && kinds[j] === SEGMENT;
      // A link's own box, which is smaller than the one in its record where rectangles are swept.
      const sweep = this.fitsRectangles && level > 0 ? boxes[at + HALF + 2] : 0;
      for (let k = 0; k < 3; k++) {
        const half = level === 0 ? halfExtents[3 * j + k] : boxes[at + HALF + k] - sweep;
        items[item + HALF + k] = isSegment || this.fitsBalls ? 0 : half;
      }
      if (isSegment) items[item + HALF + 2] = halfLengths[j];
      items[item + RADIUS] = isSegment ? radii[j] : this.fitsBalls ? boxes[at + RADIUS] : sweep;
      return;
    }
    const first = layout.starts[level - 1] + 2 * j;
    for (let child = 0; child < 2 && 2 * j + child < layout.counts[level - 1]; child++) {
      multiplyTransformAt(poses, 12 * (depth + 1), poses, 12 * depth, boxes, BOX_STRIDE * (first + child));
      this.addItems(level - 1, 2 * j + child, depth + 1);
    }
  }

  /** Pose of a child's volume in its parent's, the child's first link reached through the shortcut of `before`, if any. */
  private placeChild(child: number, parent: number, before: number): void {
    const { shortcuts, frames, boxes } = this.data;
    const { X, scratch } = this;
    copyTransformAt(X, 0, frames, TRANSFORM_STRIDE * child);
    if (before >= 0) multiplyTransformAt(X, 0, shortcuts, TRANSFORM_STRIDE * before, X, 0);
    copyTransformAt(scratch, 0, frames, TRANSFORM_STRIDE * parent);
    relativeTransform(X, scratch, X);
    copyTransformAt(boxes, BOX_STRIDE * child, X, 0);
  }

  /** The links' own volumes, joints at value zero, and everything above. */
  private build(): void {
    const { chain } = this;
    const { address, kernel } = this.block;
    const functions = kernel.part(chains);
    const { layout, shortcuts, frames, boxes } = this.data;
    for (let i = 0; i < chain.linkCount; i++) {
      copyTransformAt(frames, 12 * i, chain.shapes, 12 * i);
      const at = BOX_STRIDE * i;
      setIdentityTransform(this.X);
      copyTransformAt(boxes, at, this.X, 0);
      const { kinds, halfExtents, reaches } = chain.links;
      for (let k = 0; k < 3; k++) boxes[at + HALF + k] = this.fitsBalls ? reaches[i] : halfExtents[3 * i + k];
      boxes[at + RADIUS] = reaches[i];
      if (this.fitsRectangles && kinds[i] !== SEGMENT) sweepBox(boxes, at);
      this.block.roundExtents(0, i);
    }
    shortcuts.set(chain.origins);
    kernel.chainFitter = this.fitNode;
    for (let level = 1; level <= layout.height; level++) {
      for (let j = 0; j < layout.counts[level]; j++) {
        const left = TRANSFORM_STRIDE * (layout.starts[level - 1] + 2 * j);
        const at = TRANSFORM_STRIDE * (layout.starts[level] + j);
        if (j + 1 < layout.counts[level]) {
          multiplyTransformAt(shortcuts, at, shortcuts, left, shortcuts, left + TRANSFORM_STRIDE);
        }
        functions.fitChain(address, level, j);
      }
    }
    kernel.chainFitter = undefined;
  }
}

export function createChainTree(chain: Chain, options?: ChainTreeOptions): ChainTree {
  return new ChainTree(chain, options);
}

/** Throws on what is no ChainTree, or one that was disposed. */
export function requireChainTree(call: string, what: string, tree: unknown): void {
  requireInstance(call, what, tree, ChainTree, 'a ChainTree');
  (tree as ChainTree).requireLive();
}

/** A gap up to which pairs are collected. */
export function requireCutoff(call: string, cutoff: unknown): void {
  if (typeof cutoff !== 'number' || !(cutoff >= 0 && cutoff < Infinity))
    throwMisuse(call, 'cutoff', cutoff, 'a finite number >= 0');
}

/**
 * The walk over pairs of nodes of ChainTrees in 64 bits: distances and pairs under a cutoff, within one chain or between two.
 *
 * Method: an explicit stack of node pairs with X_AB, the pose of B's volume in A's; within a chain A comes before B. A pair
 * is dropped when all its links are within the exclusion range, when no joint between its first and last link changed (for
 * pairs across changed joints), or when its volumes are farther apart than the margin. What is left opens its larger
 * volume; two links are measured exactly. The margin is a cutoff, or the smallest gap so far.
 * Starts: within a chain every node, or every node that spans a changed joint, with its two children; between chains the
 * two roots.
 * Frames: X_AB of child pairs is T_A^-1 X_AB or X_AB T_B with the child's pose T in its parent, one product each.
 * Cost: one product and one volume test per pair looked at; the stack holds two entries per level at most.
 * Contacts within a chain, the query of every step, have a kernel of their own: contact-search.ts; trees of rectangles swept
 * by spheres find them here.
 * Checked by test/contract/chain.test.ts and test/contract/chain-queries.test.ts against brute force.
 */
import { multiplyTransformAt, TRANSFORM_STRIDE, type Transform } from '../math/transform.js';
import type { Chain } from './chain.js';
import type { ChainTreeData } from './chain-block.js';
import type { ChainStats } from './chain-state.js';
import type { ContactMemory } from './contact-memory.js';
import type { LinkPairs } from './link-pairs.js';
import { areRectanglesApart } from './rectangle-gap.js';
import { writeRelativePose } from './relative-pose.js';
import { BOX_STRIDE, RADIUS } from './tree-layout.js';
import { isApart } from './volume-gap.js';

/** A chain and the hierarchy over it. */
export interface SearchSide {
  readonly chain: Chain;
  readonly data: ChainTreeData;
}

const FIRST = 0;
const ALL = 1;
const NEAREST = 2;

export class PairSearch {
  foundA = -1;
  foundB = -1;

  /** Level and index of A and of B, per entry. */
  private readonly pairs: Int32Array;
  /** X_AB per entry, and room above the top for the pair being tested. */
  private readonly poses: Float64Array;
  private depth = 0;

  private mode = ALL;
  private margin = 0;
  private out: LinkPairs | null = null;
  /** Only pairs that a joint in it separates, when there is one. */
  private memory: ContactMemory | null = null;
  private isDone = false;
  private readonly isSelf: boolean;
  private readonly areApart: typeof isApart;
  private volumeTests = 0;
  private pairTests = 0;

  constructor(
    private readonly a: SearchSide,
    private readonly b: SearchSide,
    private readonly stats: ChainStats,
  ) {
    this.isSelf = a === b;
    this.areApart = a.data.isSwept && b.data.isSwept ? areRectanglesApart : isApart;
    const entries = 2 * (a.data.layout.height + b.data.layout.height + 4);
    this.pairs = new Int32Array(4 * entries);
    this.poses = new Float64Array(TRANSFORM_STRIDE * entries);
  }

  /** All pairs with a gap of at most `cutoff`. */
  collectAll(out: LinkPairs, cutoff: number): void {
    this.begin(ALL, cutoff, out);
    this.searchEverywhere();
    this.end();
  }

  /** Those of `collectAll` that a changed joint of `memory` separates. */
  collectChanged(out: LinkPairs, cutoff: number, memory: ContactMemory): void {
    this.begin(ALL, cutoff, out);
    this.searchChanged(memory);
    this.end();
  }

  /** Whether there is one of them; it is in foundA, foundB. */
  hasChanged(cutoff: number, memory: ContactMemory): boolean {
    this.begin(FIRST, cutoff, null);
    this.searchChanged(memory);
    this.end();
    return this.isDone;
  }

  private searchChanged(memory: ContactMemory): void {
    this.memory = memory;
    const { changed, changedCount } = memory;
    const { height } = this.a.data.layout;
    for (let level = 1; level <= height && !this.isDone; level++) {
      let previous = -1;
      for (let i = 0; i < changedCount && !this.isDone; i++) {
        const node = changed[i] >> level;
        if (node === previous || (changed[i] + 1) >> level !== node) continue;
        previous = node;
        this.searchWithin(level, node);
      }
    }
  }

  /** The smallest gap; Infinity when every pair is excluded. Low nodes come first and give a small margin early. */
  findNearest(): number {
    this.begin(NEAREST, Infinity, null);
    this.searchEverywhere();
    this.end();
    return this.margin;
  }

  /** Whether a link of A and one of B are within `margin`; X: pose of B's link 0 in A's. */
  hasPairBetween(X: Transform, margin: number): boolean {
    this.begin(FIRST, margin, null);
    this.searchBetween(X);
    return this.isDone;
  }

  /** All pairs of a link of A and one of B within `margin`. */
  collectBetween(out: LinkPairs, X: Transform, margin: number): void {
    this.begin(ALL, margin, out);
    this.searchBetween(X);
  }

  /** The smallest gap between A and B below `upperBound`; `upperBound` when there is none. */
  findNearestBetween(X: Transform, upperBound: number): number {
    this.begin(NEAREST, upperBound, null);
    this.searchBetween(X);
    return this.margin;
  }

  private begin(mode: number, margin: number, out: LinkPairs | null): void {
    this.mode = mode;
    this.margin = margin;
    this.out = out;
    this.memory = null;
    this.isDone = false;
    this.foundA = -1;
    this.foundB = -1;
    this.volumeTests = 0;
    this.pairTests = 0;
  }

  private end(): void {
    this.out = null;
    this.memory = null;
    this.stats.volumeTests += this.volumeTests;
    this.stats.pairTests += this.pairTests;
  }

  private searchEverywhere(): void {
    const { layout } = this.a.data;
    for (let level = 1; level <= layout.height; level++) {
      for (let node = 0; node < layout.counts[level]; node++) this.searchWithin(level, node);
    }
  }

  /** Pairs with one link in each child of a node. */
  private searchWithin(level: number, node: number): void {
    const { layout, boxes } = this.a.data;
    const left = layout.starts[level - 1] + 2 * node;
    if (2 * node + 1 >= layout.counts[level - 1]) return;
    // X_AB = T_A^-1 T_B, from the children's poses in their parent.
    writeRelativePose(this.poses, 0, boxes, BOX_STRIDE * left, boxes, BOX_STRIDE * (left + 1));
    this.depth = 0;
    this.offer(0, level - 1, 2 * node, level - 1, 2 * node + 1);
    while (this.depth > 0 && !this.isDone) this.openTop();
  }

  private searchBetween(X: Transform): void {
    const { a, b, poses } = this;
    const rootA = a.data.layout.nodeCount - 1;
    const rootB = b.data.layout.nodeCount - 1;
    multiplyTransformAt(poses, 0, X, 0, b.data.frames, TRANSFORM_STRIDE * rootB);
    writeRelativePose(poses, 0, a.data.frames, TRANSFORM_STRIDE * rootA, poses, 0);
    this.depth = 0;
    this.offer(0, a.data.layout.height, 0, b.data.layout.height, 0);
    while (this.depth > 0 && !this.isDone) this.openTop();
    this.end();
  }

  /**
   * Takes the top pair off and offers the two pairs that opening its larger volume gives. The second pair's pose is
   * written above the top, the first one's over the top: most of the time both stay where they are.
   */
  private openTop(): void {
    const { pairs, poses } = this;
    const { layout: layoutA, boxes: boxesA } = this.a.data;
    const { layout: layoutB, boxes: boxesB } = this.b.data;
    this.depth--;
    const entry = 4 * this.depth;
    const levelA = pairs[entry];
    const a = pairs[entry + 1];
    const levelB = pairs[entry + 2];
    const b = pairs[entry + 3];
    const pose = TRANSFORM_STRIDE * this.depth;
    const above = pose + TRANSFORM_STRIDE;
    const radiusA = boxesA[BOX_STRIDE * (layoutA.starts[levelA] + a) + RADIUS];
    const radiusB = boxesB[BOX_STRIDE * (layoutB.starts[levelB] + b) + RADIUS];
    if (levelB === 0 || (levelA > 0 && radiusA > radiusB)) {
      const level = levelA - 1;
      const first = BOX_STRIDE * (layoutA.starts[level] + 2 * a);
      const isPair = 2 * a + 1 < layoutA.counts[level];
      if (isPair) writeRelativePose(poses, above, boxesA, first + BOX_STRIDE, poses, pose);
      writeRelativePose(poses, pose, boxesA, first, poses, pose);
      this.offer(pose, level, 2 * a, levelB, b);
      if (isPair && !this.isDone) this.offer(above, level, 2 * a + 1, levelB, b);
    } else {
      const level = levelB - 1;
      const first = BOX_STRIDE * (layoutB.starts[level] + 2 * b);
      const isPair = 2 * b + 1 < layoutB.counts[level];
      if (isPair) multiplyTransformAt(poses, above, poses, pose, boxesB, first + BOX_STRIDE);
      multiplyTransformAt(poses, pose, poses, pose, boxesB, first);
      this.offer(pose, levelA, a, level, 2 * b);
      if (isPair && !this.isDone) this.offer(above, levelA, a, level, 2 * b + 1);
    }
  }

  /** Pair (A, B), X_AB at `at` in `poses`: measured when both are links, pushed when its volumes are not apart. */
  private offer(at: number, levelA: number, a: number, levelB: number, b: number): void {
    const { poses } = this;
    const dataA = this.a.data;
    const dataB = this.b.data;
    if (this.isSelf) {
      const firstA = a << levelA;
      const lastB = Math.min((b + 1) << levelB, dataB.layout.linkCount) - 1;
      if (lastB - firstA <= this.a.chain.exclusion) return;
      if (this.memory && !this.memory.isCut(firstA, lastB)) return;
    }
    if (levelA === 0 && levelB === 0) {
      this.measure(at, a, b);
      return;
    }
    this.volumeTests++;
    const atA = BOX_STRIDE * (dataA.layout.starts[levelA] + a);
    const atB = BOX_STRIDE * (dataB.layout.starts[levelB] + b);
    if (this.areApart(dataA.boxes, atA, dataB.boxes, atB, poses, at, Math.max(0, this.margin))) return;
    const entry = 4 * this.depth;
    this.pairs[entry] = levelA;
    this.pairs[entry + 1] = a;
    this.pairs[entry + 2] = levelB;
    this.pairs[entry + 3] = b;
    const pose = TRANSFORM_STRIDE * this.depth;
    if (pose !== at) for (let k = 0; k < TRANSFORM_STRIDE; k++) poses[pose + k] = poses[at + k];
    this.depth++;
  }

  private measure(at: number, a: number, b: number): void {
    this.pairTests++;
    const { links } = this.a.chain;
    if (this.mode === NEAREST) {
      const gap = links.measure(a, b, this.poses, at, this.margin, this.b.chain.links);
      if (!(gap < this.margin || (gap === this.margin && this.foundA < 0))) return;
      this.margin = gap;
    } else if (!links.isWithin(a, b, this.poses, at, this.margin, this.b.chain.links)) {
      return;
    } else if (this.mode === ALL) {
      this.out!.add(a, b);
      return;
    } else this.isDone = true;
    this.foundA = a;
    this.foundB = b;
  }
}

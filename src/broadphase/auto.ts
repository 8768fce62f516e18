/**
 * A broad phase that chooses its method from what it holds and how that moves, and says why (`choice`).
 *
 *   few boxes                                        brute force
 *   many jump farther than their size, sizes alike   spatial hash grid: a tree would be rebuilt every step
 *   otherwise                                        dynamic tree with kept pairs
 *
 * The choice is looked at again at each query of pairs before which something changed, and changed only past a second
 * threshold, so that it does not swing. Ids survive a change, and so does what `pairsOfMoved` has yet to report. A step is one query of pairs.
 * Cost: a comparison per update; a change of method costs one bulk build. The thresholds are measured by the bench suite
 * `broadphase`.
 * Tested by auto.test.ts, test/contract/broad-phases.test.ts.
 */
import { type Fields, requireNumber, requireOptions } from '../math/arguments.js';
import type { NumericArray } from '../math/vec3.js';
import { BOX_STRIDE } from './box.js';
import type { BroadPhase, NearPairVisitor, NearVisitor, PairVisitor, ProxyVisitor } from './broad-phase.js';
import { createBruteForce } from './brute-force.js';
import { createDynamicTree } from './dynamic-tree.js';
import { createHashGrid } from './hash-grid.js';
import type { ProxySet } from './proxy-set.js';

const OPTIONS: Fields = {
  pairMargin: requireNumber,
};

export type BroadPhaseMethod = 'brute force' | 'dynamic tree' | 'hash grid';

export interface BroadPhaseChoice {
  readonly method: BroadPhaseMethod;
  readonly reason: string;
}

export interface AutoBroadPhaseOptions {
  /** The margin for which pairs are kept. Default 0. */
  readonly pairMargin?: number;
}

/** Brute force up to the first, another method past the second. */
const FEW = 24;
const NOT_FEW = 48;
/** Share of boxes jumping per step at which the grid is taken, and below which it is left. */
const MANY_JUMP = 0.25;
const FEW_JUMP = 0.1;
/** Sizes are alike when the largest of a sample is at most this many medians. */
const ALIKE = 8;
const SAMPLE = 256;
/** Weight of the newest step in the share of jumps. */
const NEWEST = 0.5;

type Inner = ProxySet & BroadPhase;

export class AutoBroadPhase implements BroadPhase {
  private inner: Inner;
  private current: BroadPhaseChoice = { method: 'brute force', reason: 'no boxes yet' };
  /** Nothing has changed since the method was last looked at. */
  private isSettled = true;
  private jumps = 0;
  private jumpShare = 0;
  private testsBefore = 0;
  private depth = 0;

  constructor(private readonly options: AutoBroadPhaseOptions = {}) {
    this.inner = createBruteForce();
    // Refuses a bad margin now, not when the first tree is made.
    createDynamicTree({ ...options, persistentPairs: true });
  }

  /** The method in use and why. */
  get choice(): BroadPhaseChoice {
    return this.current;
  }

  get size(): number {
    return this.inner.size;
  }

  get boxTests(): number {
    return this.testsBefore + this.inner.boxTests;
  }

  resetCounts(): void {
    this.testsBefore = 0;
    this.inner.resetCounts();
  }

  add(box: NumericArray): number {
    const id = this.inner.add(box);
    this.isSettled = false;
    return id;
  }

  remove(id: number): void {
    this.inner.remove(id);
    this.isSettled = false;
  }

  update(id: number, box: NumericArray): void {
    const { inner } = this;
    const { moves, jumps } = inner;
    inner.update(id, box);
    this.noteMoves(moves, jumps);
  }

  updateMany(ids: ArrayLike<number>, boxes: NumericArray): void {
    const { inner } = this;
    const { moves, jumps } = inner;
    inner.updateMany(ids, boxes);
    this.noteMoves(moves, jumps);
  }

  /** After an update, by the counts before it. */
  private noteMoves(moves: number, jumps: number): void {
    if (this.inner.moves > moves) this.isSettled = false;
    this.jumps += this.inner.jumps - jumps;
  }

  pairs(visit: PairVisitor, margin?: number): void {
    this.nextStep();
    this.guarded(() => this.inner.pairs(visit, margin));
  }

  pairsOfMoved(visit: PairVisitor, margin?: number): void {
    this.nextStep();
    this.guarded(() => this.inner.pairsOfMoved(visit, margin));
  }

  nearPairs(radius: number, visit: NearPairVisitor): void {
    this.guarded(() => this.inner.nearPairs(radius, visit));
  }

  queryBox(box: NumericArray, visit: ProxyVisitor): void {
    this.guarded(() => this.inner.queryBox(box, visit));
  }

  queryPoint(point: NumericArray, visit: ProxyVisitor): void {
    this.guarded(() => this.inner.queryPoint(point, visit));
  }

  castRay(origin: NumericArray, direction: NumericArray, maxT: number, visit: ProxyVisitor): void {
    this.guarded(() => this.inner.castRay(origin, direction, maxT, visit));
  }

  queryNearest(point: NumericArray, radius: number, visit: NearVisitor): void {
    this.guarded(() => this.inner.queryNearest(point, radius, visit));
  }

  nearBox(box: NumericArray, radius: number, visit: NearVisitor): void {
    this.guarded(() => this.inner.nearBox(box, radius, visit));
  }

  validate(): void {
    this.inner.validate();
  }

  /** Queries may nest, changes of method may not happen below one. */
  private guarded(query: () => void): void {
    this.depth++;
    try {
      query();
    } finally {
      this.depth--;
    }
  }

  private nextStep(): void {
    // Where nothing changed, another method would report the same pairs in another order.
    if (this.depth > 0 || this.size === 0 || this.isSettled) return;
    this.isSettled = true;
    this.jumpShare += NEWEST * (this.jumps / this.size - this.jumpShare);
    this.jumps = 0;
    const next = this.choose();
    if (next.method === this.current.method) {
      if (this.current.reason === 'no boxes yet') this.current = next;
      return;
    }
    const { pairMargin } = this.options;
    let inner: Inner;
    if (next.method === 'brute force') inner = createBruteForce();
    else if (next.method === 'hash grid') inner = createHashGrid({ pairMargin });
    else inner = createDynamicTree({ persistentPairs: true, pairMargin });
    inner.adopt(this.inner);
    this.testsBefore += this.inner.boxTests;
    this.inner = inner;
    this.current = next;
  }

  private choose(): BroadPhaseChoice {
    const { size, jumpShare } = this;
    const { method } = this.current;
    const few = method === 'brute force' ? NOT_FEW : FEW;
    if (size <= few)
      return { method: 'brute force', reason: `${size} boxes: testing every pair costs less than any index` };
    const percent = `${Math.round(100 * jumpShare)} % of the boxes jump farther than their size per step`;
    if (jumpShare <= (method === 'hash grid' ? FEW_JUMP : MANY_JUMP))
      return {
        method: 'dynamic tree',
        reason: `${size} boxes, ${percent}: a tree with kept pairs looks at movers only`,
      };
    const ratio = this.sizeRatio();
    if (ratio > ALIKE)
      return {
        method: 'dynamic tree',
        reason: `${percent}, but the largest is ${Math.round(ratio)} times the median size: cells would fit neither`,
      };
    return { method: 'hash grid', reason: `${percent}, sizes within ${ALIKE} medians: cells need no rebuilding` };
  }

  /** Largest extent in units of the median, over a sample spread evenly over the ids. */
  private sizeRatio(): number {
    const { exact } = this.inner;
    const extents: number[] = [];
    const slots = exact.length / BOX_STRIDE;
    const stride = Math.max(1, Math.floor(slots / SAMPLE));
    for (let id = 0; id < slots; id += stride) {
      const o = id * BOX_STRIDE;
      const extent = Math.max(exact[o + 3] - exact[o], exact[o + 4] - exact[o + 1], exact[o + 5] - exact[o + 2]);
      if (extent > 0) extents.push(extent);
    }
    if (extents.length === 0) return 1;
    extents.sort((a, b) => a - b);
    return extents[extents.length - 1] / extents[extents.length >> 1];
  }
}

export function createAutoBroadPhase(options?: AutoBroadPhaseOptions): AutoBroadPhase {
  requireOptions('createAutoBroadPhase', options, OPTIONS);
  return new AutoBroadPhase(options);
}

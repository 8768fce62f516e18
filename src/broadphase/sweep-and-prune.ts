/**
 * Sweep and prune with persistent pairs, for boxes that move a little from step to step.
 *
 * axes: 1  Boxes sorted along the axis on which they vary most (sorted-axis.ts). Of boxes that moved, the kept pairs are
 *          tested again and the neighbours on the axis are asked for new ones; much motion starts a new sweep.
 * axes: 3  The ends of all boxes stay sorted along each axis (endpoint-axis.ts). A pair can only begin where a lower end
 *          passes an upper one, so even when everything moves only what changes is looked at. Jumps cost a swap per box
 *          jumped over: past SWAPS_PER_BOX swaps per box the ends are sorted and the pairs collected anew.
 * Source: Cohen, Lin, Manocha, Ponamgi 1995, "I-COLLIDE: an interactive and exact collision detection system for
 * large-scale environments", section 4, doi:10.1145/199404.199437; Baraff 1992, "Dynamic simulation of non-penetrating
 * rigid bodies", PhD thesis, Cornell, section 8 (insertion sort on coherent lists).
 * Cost: per step O(n + swaps + pairs); a region query O(log n + boxes that overlap it on the sorted axis), linear at worst.
 * Tested by test/contract/broad-phases.test.ts, test/oracle/broad-phase.test.ts.
 */
import { type Fields, oneOf, requireNumber, requireOptions } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { NumericArray } from '../math/vec3.js';
import { BOX_STRIDE, overlapBoxes, type PreparedRay } from './box.js';
import type { BroadPhase, PairVisitor, ProxyVisitor } from './broad-phase.js';
import { EndpointAxis } from './endpoint-axis.js';
import type { PairSet } from './pair-set.js';
import { ProxyList } from './proxy-list.js';
import { ProxySet } from './proxy-set.js';
import { SortedAxis } from './sorted-axis.js';
import type { Traversal } from './traverse.js';

const OPTIONS: Fields = {
  axes: oneOf(3, 1),
  pairMargin: requireNumber,
};

export interface SweepAndPruneOptions {
  /** Axes along which ends are kept in order. Default 1. */
  readonly axes?: 1 | 3;
  /** The margin for which pairs are kept. Default 0. */
  readonly pairMargin?: number;
}

const SWAPS_PER_BOX = 64;
const PENDING_PER_BOX = 32;

export class SweepAndPrune extends ProxySet implements BroadPhase {
  protected override readonly fullShare: number;
  private readonly sorted = new SortedAxis();
  private sortedIsFresh = false;
  private sortedIsListed = false;
  private readonly endpoints: EndpointAxis[];
  private endpointsAreListed = false;
  private populationChanged = true;
  private readonly shifted = new ProxyList();
  private ids = new Int32Array(0);
  /** Pairs that began to overlap since the kept pairs were last mended; 2 per pair, some more than once. */
  private begun = new Int32Array(64);
  private begunCount = 0;
  private readonly onBegin = (a: number, b: number): void => {
    if (a === b || !overlapBoxes(this.exact, a * BOX_STRIDE, this.exact, b * BOX_STRIDE, this.keptMargin)) return;
    if (2 * this.begunCount === this.begun.length) {
      const begun = new Int32Array(2 * this.begun.length);
      begun.set(this.begun);
      this.begun = begun;
    }
    this.begun[2 * this.begunCount] = a;
    this.begun[2 * this.begunCount + 1] = b;
    this.begunCount++;
  };

  constructor(options: SweepAndPruneOptions = {}) {
    super('SweepAndPrune', { ...options, persistentPairs: true });
    const { axes = 1 } = options;
    if (axes !== 1 && axes !== 3)
      throw new MisuseError(`createSweepAndPrune: axes, got ${String(axes)}, expected 1 or 3`);
    this.endpoints = axes === 1 ? [] : [0, 1, 2].map((axis) => new EndpointAxis(axis, this.keptMargin));
    this.fullShare = axes === 1 ? 1 / 8 : Infinity;
  }

  add(box: NumericArray): number {
    return this.addProxy(box);
  }

  remove(id: number): void {
    this.removeProxy(id);
  }

  protected refresh(): void {
    if (this.populationChanged) {
      this.populationChanged = false;
      this.listIds();
      this.sortedIsListed = false;
      this.endpointsAreListed = false;
    }
    if (this.endpoints.length === 0) return;
    if (!this.endpointsAreListed) this.rebuildEndpoints();
    else if (this.shifted.count > 0) this.sortEndpoints();
  }

  protected place(): void {
    this.populationChanged = true;
  }

  protected displace(): void {
    this.populationChanged = true;
  }

  protected shift(id: number): void {
    this.sortedIsFresh = false;
    if (this.endpoints.length > 0) this.shifted.add(id);
  }

  protected reserveIndex(capacity: number): void {
    this.shifted.reserve(capacity);
  }

  protected firstRadius(): number {
    this.refreshSorted();
    return this.sorted.spacing > 0 ? 8 * this.sorted.spacing : Infinity;
  }

  protected visitSelf(margin: number, traversal: Traversal, visit: PairVisitor): boolean {
    this.refreshSorted();
    return this.sorted.visitSelf(margin, traversal, visit);
  }

  protected visitRegion(box: Float64Array, margin: number, traversal: Traversal, visit: ProxyVisitor): boolean {
    this.refreshSorted();
    return this.sorted.visitRegion(box, margin, traversal, visit);
  }

  protected visitAt(x: number, y: number, z: number, traversal: Traversal, visit: ProxyVisitor): boolean {
    const { region } = traversal;
    region[0] = region[3] = x;
    region[1] = region[4] = y;
    region[2] = region[5] = z;
    return this.visitRegion(region, 0, traversal, visit);
  }

  protected visitAlong(ray: PreparedRay, traversal: Traversal, visit: ProxyVisitor): boolean {
    this.refreshSorted();
    return this.sorted.visitRay(ray, traversal, visit);
  }

  protected override mendPairs(kept: PairSet, waiting: ProxyList, traversal: Traversal): void {
    if (this.endpoints.length === 0) {
      super.mendPairs(kept, waiting, traversal);
      return;
    }
    const { exact, begun, keptMargin } = this;
    for (let i = 0; i < waiting.count; i++) {
      const id = waiting.ids[i];
      if (this.isPresent(id)) this.mendProxy(id, kept, traversal, !this.isIndexed(id));
    }
    for (let p = 0; p < this.begunCount; p++) {
      const a = begun[2 * p];
      const b = begun[2 * p + 1];
      // It may have ended again before anybody asked.
      if (!overlapBoxes(exact, a * BOX_STRIDE, exact, b * BOX_STRIDE, keptMargin)) continue;
      if (!kept.has(a, b)) kept.add(a, b);
    }
    this.begunCount = 0;
  }

  private refreshSorted(): void {
    if (!this.sortedIsListed) this.sorted.rebuild(this.ids, this.exact);
    else if (!this.sortedIsFresh) this.sorted.refresh(this.exact);
    this.sortedIsListed = true;
    this.sortedIsFresh = true;
  }

  private sortEndpoints(): void {
    const { shifted, exact } = this;
    let allowance = SWAPS_PER_BOX * this.ids.length;
    for (const axis of this.endpoints) {
      for (let i = 0; i < shifted.count; i++) axis.move(shifted.ids[i], exact);
      allowance = axis.sort(allowance, this.onBegin);
      if (allowance < 0) break;
    }
    // Too many swaps, or nobody asks for the pairs: then they would pile up.
    if (allowance < 0 || this.begunCount > PENDING_PER_BOX * this.ids.length) this.rebuildEndpoints();
    shifted.clear();
  }

  private rebuildEndpoints(): void {
    for (const axis of this.endpoints) axis.rebuild(this.ids, this.exact, this.idCount);
    this.endpointsAreListed = true;
    this.shifted.clear();
    this.begunCount = 0;
    this.forgetPairs();
  }

  private listIds(): void {
    const ids: number[] = [];
    for (let id = 0; id < this.idCount; id++) if (this.isIndexed(id)) ids.push(id);
    this.ids = Int32Array.from(ids);
  }
}

export function createSweepAndPrune(options?: SweepAndPruneOptions): SweepAndPrune {
  requireOptions('createSweepAndPrune', options, OPTIONS);
  return new SweepAndPrune(options);
}

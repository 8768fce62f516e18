/**
 * What all broad phases have in common: proxies with exact boxes, the record of what moved, the persistent pairs, and the
 * shape of every query. A subclass is an index: it says which proxies may meet a box, a point or a ray.
 * Boxes that are open (half-spaces) or larger than any index can weigh are kept aside in a list and tested one by one.
 *
 * Persistent pairs: the set of pairs at most `pairMargin` apart is kept. At the next query of pairs, the kept pairs of each
 * moved proxy are tested again and the index is asked for its new ones; when more than `fullShare` of all moved, the set is
 * refilled from one traversal. Pairs of proxies that did not move persist, those of a removed proxy go at once.
 * Cost of a step in which k proxies move: O(k (index query + pairs of one proxy)) + O(pairs reported). No allocation.
 *
 * Adding, removing or updating from inside a visitor throws and changes nothing.
 * Tested by test/contract/broad-phases.test.ts, test/oracle/broad-phase.test.ts.
 */
import { isArrayOf, throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { NumericArray } from '../math/vec3.js';
import {
  BOX_STRIDE,
  containsPoint,
  copyBox,
  isBounded,
  overlapBoxes,
  type PreparedRay,
  prepareRay,
  rayHitsBox,
  requireBox,
  requireMargin,
  requirePoint,
  squaredGapOfBoxes,
} from './box.js';
import type {
  FixedBroadPhase,
  NearPairQuery,
  NearPairVisitor,
  NearVisitor,
  PairVisitor,
  PersistentPairOptions,
  ProxyVisitor,
} from './broad-phase.js';
import { PairSet } from './pair-set.js';
import { ProxyList } from './proxy-list.js';
import { Traversal } from './traverse.js';

/** Where a proxy is. */
const ABSENT = 0;
const INDEXED = 1;
const ASIDE = 2;

/** A gap of g or less, rounded, means that overlapBoxes with this margin holds, rounded. */
const marginOfGap = (gap: number): number => gap * (1 + 1e-15);

export abstract class ProxySet implements FixedBroadPhase, NearPairQuery {
  /** Exact boxes, 6 per proxy id. */
  exact = new Float64Array(0);
  /** Ids of proxies kept outside the index, in the order they came. */
  readonly unbounded: number[] = [];
  protected proxyCount = 0;
  protected idCount = 0;
  /** Index queries for moved proxies pay off up to this share of all proxies. */
  protected readonly fullShare: number = 1 / 8;
  private residence = new Uint8Array(0);
  private freeIds: number[] = [];
  private tests = 0;
  private readonly traversals: Traversal[] = [];
  private running = 0;
  /** Boxes that have changed since the set was made, and of these those that were moved clear of where they had been. */
  moves = 0;
  jumps = 0;

  private readonly kept: PairSet | null;
  protected readonly keptMargin: number;
  private keptIsComplete = false;
  /** Moved since the kept pairs were last brought up to date. */
  private readonly waiting = new ProxyList();
  /** Moved since the last `pairsOfMoved`. */
  private readonly movers = new ProxyList();
  private asking = 0;
  private readonly appendPair: PairVisitor = (a, b) => this.kept!.append(a, b);
  private readonly addNewPair: ProxyVisitor = (other) => {
    if (!this.kept!.isPartner(other)) this.kept!.add(this.asking, other);
  };

  protected constructor(
    protected readonly name: string,
    options: PersistentPairOptions = {},
  ) {
    const { persistentPairs = false, pairMargin = 0 } = options;
    requireMargin(name, pairMargin);
    this.kept = persistentPairs ? new PairSet() : null;
    this.keptMargin = pairMargin;
  }

  get size(): number {
    return this.proxyCount;
  }

  get boxTests(): number {
    return this.tests;
  }

  resetCounts(): void {
    this.tests = 0;
  }

  /** Brings the index up to date before a query. */
  protected abstract refresh(): void;
  /** The proxy is new in the index; its box is set. */
  protected abstract place(id: number): void;
  protected abstract displace(id: number): void;
  /** The box of a proxy in the index has changed. */
  protected abstract shift(id: number): void;
  /** So many boxes are about to change; 0: that is over. */
  protected expectMoves(_count: number): void {}
  /** Makes room for ids below `capacity`. */
  protected abstract reserveIndex(capacity: number): void;
  protected abstract visitSelf(margin: number, traversal: Traversal, visit: PairVisitor): boolean;
  protected abstract visitRegion(box: Float64Array, margin: number, traversal: Traversal, visit: ProxyVisitor): boolean;
  protected abstract visitAt(x: number, y: number, z: number, traversal: Traversal, visit: ProxyVisitor): boolean;
  protected abstract visitAlong(ray: PreparedRay, traversal: Traversal, visit: ProxyVisitor): boolean;
  /** Radius with which to begin a search for near boxes; Infinity searches everything at once. */
  protected abstract firstRadius(): number;

  /** False for boxes that must be kept aside. */
  protected accepts(box: NumericArray, o: number): boolean {
    return isBounded(box, o);
  }

  protected isIndexed(id: number): boolean {
    return this.residence[id] === INDEXED;
  }

  protected isPresent(id: number): boolean {
    return this.residence[id] !== ABSENT;
  }

  protected addProxy(box: NumericArray): number {
    this.requireIdle('add');
    requireBox(`${this.name}.add`, box);
    const id = this.freeIds.pop() ?? this.idCount++;
    if (id >= this.residence.length) this.reserveProxies(Math.max(16, 2 * this.residence.length));
    copyBox(this.exact, id * BOX_STRIDE, box);
    this.proxyCount++;
    this.settle(id);
    return id;
  }

  protected removeProxy(id: number): void {
    this.requireProxy('remove', id);
    this.requireIdle('remove');
    if (this.residence[id] === ASIDE) this.unbounded.splice(this.unbounded.indexOf(id), 1);
    else this.displace(id);
    this.residence[id] = ABSENT;
    this.kept?.removeAllOf(id);
    this.freeIds.push(id);
    this.proxyCount--;
  }

  /** Takes over all proxies of `source`, their ids and what is known of their motion. This set must be empty. */
  adopt(source: ProxySet): void {
    this.idCount = source.idCount;
    this.freeIds = source.freeIds.slice();
    this.proxyCount = source.proxyCount;
    this.reserveProxies(Math.max(16, source.residence.length));
    this.exact.set(source.exact);
    for (let id = 0; id < source.idCount; id++) if (source.isPresent(id)) this.settle(id);
    this.movers.clear();
    for (let i = 0; i < source.movers.count; i++) this.movers.add(source.movers.ids[i]);
  }

  update(id: number, box: NumericArray): void {
    this.requireProxy('update', id);
    if (this.isUnchanged(id, box, 0)) return;
    this.requireIdle('update');
    requireBox(`${this.name}.update`, box);
    this.move(id, box, 0);
  }

  updateMany(ids: ArrayLike<number>, boxes: NumericArray): void {
    if (!isArrayOf(ids)) throwMisuse(`${this.name}.updateMany`, 'ids', ids, 'numbers of proxies');
    if (!isArrayOf(boxes)) throwMisuse(`${this.name}.updateMany`, 'boxes', boxes, 'six numbers for each id');
    const n = ids.length;
    if (boxes.length !== n * BOX_STRIDE)
      throw new MisuseError(
        `${this.name}.updateMany: boxes, got ${boxes.length} numbers, expected ${BOX_STRIDE} for each of ${n} ids`,
      );
    this.requireIdle('updateMany');
    for (let i = 0; i < n; i++) {
      this.requireProxy('updateMany', ids[i]);
      requireBox(`${this.name}.updateMany`, boxes, i * BOX_STRIDE);
    }
    this.expectMoves(n);
    for (let i = 0; i < n; i++)
      if (!this.isUnchanged(ids[i], boxes, i * BOX_STRIDE)) this.move(ids[i], boxes, i * BOX_STRIDE);
    this.expectMoves(0);
  }

  pairs(visit: PairVisitor, margin = 0): void {
    if (typeof visit !== 'function') throwMisuse(`${this.name}.pairs`, 'visit', visit, 'a function');
    requireMargin(`${this.name}.pairs`, margin);
    const traversal = this.begin();
    try {
      if (this.kept && margin === this.keptMargin) {
        this.refreshPairs(traversal);
        this.kept.visit(visit);
      } else this.visitAllPairs(margin, traversal, visit);
    } finally {
      this.end(traversal);
    }
  }

  pairsOfMoved(visit: PairVisitor, margin = 0): void {
    if (typeof visit !== 'function') throwMisuse(`${this.name}.pairsOfMoved`, 'visit', visit, 'a function');
    requireMargin(`${this.name}.pairsOfMoved`, margin);
    this.requireIdle('pairsOfMoved');
    const { movers } = this;
    const traversal = this.begin();
    try {
      if (this.kept && margin === this.keptMargin) {
        this.refreshPairs(traversal);
        for (let i = 0; i < movers.count; i++) if (!this.kept.visitOf(movers.ids[i], movers, visit)) return;
      } else if (movers.count > this.fullShare * this.proxyCount)
        this.visitAllPairs(margin, traversal, (a, b) => (movers.has(a) || movers.has(b) ? visit(a, b) : undefined));
      else this.visitPairsOfMovers(margin, traversal, visit);
    } finally {
      this.end(traversal);
      movers.clear();
    }
  }

  nearPairs(radius: number, visit: NearPairVisitor): void {
    if (typeof visit !== 'function') throwMisuse(`${this.name}.nearPairs`, 'visit', visit, 'a function');
    requireMargin(`${this.name}.nearPairs`, radius);
    if (radius < 0) return;
    const traversal = this.begin();
    try {
      this.searchNearPairs(radius, traversal, visit);
    } finally {
      this.end(traversal);
    }
  }

  queryBox(box: NumericArray, visit: ProxyVisitor): void {
    if (typeof visit !== 'function') throwMisuse(`${this.name}.queryBox`, 'visit', visit, 'a function');
    requireBox(`${this.name}.queryBox`, box);
    const traversal = this.begin();
    try {
      copyBox(traversal.region, 0, box);
      this.visitEverywhere(traversal.region, 0, traversal, visit);
    } finally {
      this.end(traversal);
    }
  }

  queryPoint(point: NumericArray, visit: ProxyVisitor): void {
    if (typeof visit !== 'function') throwMisuse(`${this.name}.queryPoint`, 'visit', visit, 'a function');
    requirePoint(`${this.name}.queryPoint`, point);
    const [x, y, z] = [point[0], point[1], point[2]];
    const traversal = this.begin();
    try {
      if (!this.visitAt(x, y, z, traversal, visit)) return;
      for (const id of this.unbounded) {
        traversal.boxTests++;
        if (containsPoint(this.exact, id * BOX_STRIDE, x, y, z) && visit(id) === false) return;
      }
    } finally {
      this.end(traversal);
    }
  }

  castRay(origin: NumericArray, direction: NumericArray, maxT: number, visit: ProxyVisitor): void {
    if (typeof visit !== 'function') throwMisuse(`${this.name}.castRay`, 'visit', visit, 'a function');
    const ray = prepareRay(`${this.name}.castRay`, origin, direction, maxT);
    const traversal = this.begin();
    try {
      if (!this.visitAlong(ray, traversal, visit)) return;
      for (const id of this.unbounded) {
        traversal.boxTests++;
        if (rayHitsBox(ray, this.exact, id * BOX_STRIDE) && visit(id) === false) return;
      }
    } finally {
      this.end(traversal);
    }
  }

  queryNearest(point: NumericArray, radius: number, visit: NearVisitor): void {
    if (typeof visit !== 'function') throwMisuse(`${this.name}.queryNearest`, 'visit', visit, 'a function');
    requirePoint(`${this.name}.queryNearest`, point);
    requireMargin(`${this.name}.queryNearest`, radius);
    if (radius < 0) return;
    const traversal = this.begin();
    try {
      for (let k = 0; k < 3; k++) traversal.region[k] = traversal.region[k + 3] = point[k];
      this.visitNear(radius, traversal, visit);
    } finally {
      this.end(traversal);
    }
  }

  nearBox(box: NumericArray, radius: number, visit: NearVisitor): void {
    if (typeof visit !== 'function') throwMisuse(`${this.name}.nearBox`, 'visit', visit, 'a function');
    requireBox(`${this.name}.nearBox`, box);
    requireMargin(`${this.name}.nearBox`, radius);
    if (radius < 0) return;
    const traversal = this.begin();
    try {
      copyBox(traversal.region, 0, box);
      this.visitNear(radius, traversal, visit);
    } finally {
      this.end(traversal);
    }
  }

  /** What is near the traversal's region. */
  private visitNear(radius: number, traversal: Traversal, visit: NearVisitor): void {
    const { exact } = this;
    const { region } = traversal;
    let reach = radius;
    for (const id of this.unbounded) {
      traversal.boxTests++;
      const squaredGap = squaredGapOfBoxes(exact, id * BOX_STRIDE, region, 0);
      if (squaredGap > reach * reach) continue;
      const next = visit(id, Math.sqrt(squaredGap));
      if (next !== undefined) reach = next as number;
      if (reach < 0) return;
    }
    this.searchNearest(region, reach, traversal, visit);
  }

  /** Throws when the index breaks one of its promises. Meant for tests and debugging. */
  validate(): void {
    this.refresh();
    let present = 0;
    for (let id = 0; id < this.idCount; id++) if (this.isPresent(id)) present++;
    if (present !== this.proxyCount) this.fail(`${present} proxies present, ${this.proxyCount} counted`);
    if (this.idCount - this.freeIds.length !== present) this.fail(`${this.freeIds.length} free ids do not fit`);
    for (const id of this.unbounded) if (this.residence[id] !== ASIDE) this.fail(`proxy ${id} is listed as unbounded`);
    if (!this.kept || !this.keptIsComplete) return;
    const seen = new Set<string>();
    this.kept.visit((a, b) => {
      if (a >= b || seen.has(`${a},${b}`)) this.fail(`kept pair ${a}, ${b} is out of order or kept twice`);
      if (!this.isPresent(a) || !this.isPresent(b)) this.fail(`kept pair ${a}, ${b} of the gone`);
      seen.add(`${a},${b}`);
    });
  }

  protected fail(what: string): never {
    throw new Error(`${this.name}.validate: ${what}`);
  }

  /** Proxies of the index and of the list whose boxes are at most `margin` from `box`. */
  visitEverywhere(box: Float64Array, margin: number, traversal: Traversal, visit: ProxyVisitor): boolean {
    return this.visitRegion(box, margin, traversal, visit) && this.visitAside(box, margin, traversal, visit);
  }

  private visitAside(box: Float64Array, margin: number, traversal: Traversal, visit: ProxyVisitor): boolean {
    for (let i = 0; i < this.unbounded.length; i++) {
      const id = this.unbounded[i];
      traversal.boxTests++;
      if (overlapBoxes(this.exact, id * BOX_STRIDE, box, 0, margin) && visit(id) === false) return false;
    }
    return true;
  }

  /** Searches wider and wider; each round reports what lies beyond the round before. Returns the last radius. */
  protected searchNearPairs(radius: number, traversal: Traversal, visit: NearPairVisitor): number {
    const { exact } = this;
    const total = (this.proxyCount * (this.proxyCount - 1)) / 2;
    let reach = radius;
    let seen = 0;
    let inner = -1;
    let outer = this.firstRadius();
    while (reach >= 0 && inner < reach && seen < total) {
      const limit = Math.min(outer, reach);
      const squaredInner = inner < 0 ? -1 : inner * inner;
      this.visitAllPairs(marginOfGap(limit), traversal, (a, b) => {
        const squaredGap = squaredGapOfBoxes(exact, a * BOX_STRIDE, exact, b * BOX_STRIDE);
        if (squaredGap <= squaredInner || squaredGap > limit * limit || squaredGap > reach * reach) return undefined;
        seen++;
        const next = visit(a, b, Math.sqrt(squaredGap));
        if (next !== undefined) reach = next as number;
        return reach >= 0;
      });
      inner = limit;
      outer = 4 * limit;
    }
    return reach;
  }

  protected searchNearest(box: Float64Array, radius: number, traversal: Traversal, visit: NearVisitor): number {
    const { exact } = this;
    const total = this.proxyCount - this.unbounded.length;
    let reach = radius;
    let seen = 0;
    let inner = -1;
    let outer = this.firstRadius();
    while (reach >= 0 && inner < reach && seen < total) {
      const limit = Math.min(outer, reach);
      const squaredInner = inner < 0 ? -1 : inner * inner;
      this.visitRegion(box, marginOfGap(limit), traversal, (id) => {
        const squaredGap = squaredGapOfBoxes(exact, id * BOX_STRIDE, box, 0);
        if (squaredGap <= squaredInner || squaredGap > limit * limit || squaredGap > reach * reach) return undefined;
        seen++;
        const next = visit(id, Math.sqrt(squaredGap));
        if (next !== undefined) reach = next as number;
        return reach >= 0;
      });
      inner = limit;
      outer = 4 * limit;
    }
    return reach;
  }

  protected reserveProxies(capacity: number): void {
    const exact = new Float64Array(capacity * BOX_STRIDE);
    exact.set(this.exact);
    const residence = new Uint8Array(capacity);
    residence.set(this.residence);
    this.exact = exact;
    this.residence = residence;
    this.movers.reserve(capacity);
    this.reserveIndex(capacity);
    if (!this.kept) return;
    this.waiting.reserve(capacity);
    this.kept.reserveProxies(capacity);
  }

  /** Finds the place of a proxy whose box is set. */
  protected settle(id: number): void {
    if (this.accepts(this.exact, id * BOX_STRIDE)) {
      this.residence[id] = INDEXED;
      this.place(id);
    } else {
      this.residence[id] = ASIDE;
      this.unbounded.push(id);
    }
    this.noteMove(id);
  }

  protected requireProxy(operation: string, id: number): void {
    if (id >= 0 && id < this.residence.length && this.residence[id] > ABSENT) return;
    throw new MisuseError(`${this.name}.${operation}: id, got ${id}, expected the id of a proxy that is present`);
  }

  /** A visitor that changes the index it is walking would corrupt the walk. */
  protected requireIdle(operation: string): void {
    if (this.running > 0)
      throw new MisuseError(`${this.name}.${operation}: called from inside a visitor, expected no query to be running`);
  }

  protected boxOf(id: number): Float64Array {
    return this.exact.subarray(id * BOX_STRIDE, (id + 1) * BOX_STRIDE);
  }

  /** Starts a query: brings the index up to date and hands out scratch of its own. Must be followed by `end`. */
  begin(): Traversal {
    if (this.running === 0) this.refresh();
    if (this.running === this.traversals.length) this.traversals.push(new Traversal());
    const traversal = this.traversals[this.running++];
    traversal.boxTests = 0;
    return traversal;
  }

  end(traversal: Traversal): void {
    this.running--;
    this.tests += traversal.boxTests;
  }

  private isUnchanged(id: number, box: NumericArray, b: number): boolean {
    const { exact } = this;
    const o = id * BOX_STRIDE;
    return (
      exact[o] === box[b] &&
      exact[o + 1] === box[b + 1] &&
      exact[o + 2] === box[b + 2] &&
      exact[o + 3] === box[b + 3] &&
      exact[o + 4] === box[b + 4] &&
      exact[o + 5] === box[b + 5]
    );
  }

  private move(id: number, boxes: NumericArray, b: number): void {
    const { exact } = this;
    const o = id * BOX_STRIDE;
    const indexed = this.residence[id] === INDEXED;
    const x0 = boxes[b];
    const y0 = boxes[b + 1];
    const z0 = boxes[b + 2];
    const x1 = boxes[b + 3];
    const y1 = boxes[b + 4];
    const z1 = boxes[b + 5];
    this.moves++;
    const meets =
      x0 <= exact[o + 3] &&
      exact[o] <= x1 &&
      y0 <= exact[o + 4] &&
      exact[o + 1] <= y1 &&
      z0 <= exact[o + 5] &&
      exact[o + 2] <= z1;
    if (!meets) this.jumps++;
    exact[o] = x0;
    exact[o + 1] = y0;
    exact[o + 2] = z0;
    exact[o + 3] = x1;
    exact[o + 4] = y1;
    exact[o + 5] = z1;
    const accepted = this.accepts(exact, o);
    if (indexed && accepted) this.shift(id);
    else if (indexed) this.displace(id);
    else this.unbounded.splice(this.unbounded.indexOf(id), 1);
    if (indexed && accepted) this.noteMove(id);
    else this.settle(id);
  }

  private noteMove(id: number): void {
    this.movers.add(id);
    if (this.keptIsComplete) this.waiting.add(id);
  }

  private refreshPairs(traversal: Traversal): void {
    const kept = this.kept!;
    const { waiting } = this;
    if (!this.keptIsComplete || waiting.count > this.fullShare * this.proxyCount) {
      kept.clear();
      this.visitAllPairs(this.keptMargin, traversal, this.appendPair);
      this.keptIsComplete = true;
    } else this.mendPairs(kept, waiting, traversal);
    waiting.clear();
  }

  /** Brings the pairs of the proxies in `waiting` up to date; some of them may be gone. */
  protected mendPairs(kept: PairSet, waiting: ProxyList, traversal: Traversal): void {
    for (let i = 0; i < waiting.count; i++)
      if (this.isPresent(waiting.ids[i])) this.mendProxy(waiting.ids[i], kept, traversal, true);
  }

  /** Drops the pairs of `id` that ended and adds new ones, those with proxies in the index only if `searchIndex`. */
  protected mendProxy(id: number, kept: PairSet, traversal: Traversal, searchIndex: boolean): void {
    this.asking = id;
    kept.keepOverlapping(id, this.exact, this.keptMargin);
    copyBox(traversal.region, 0, this.exact, id * BOX_STRIDE);
    if (searchIndex) this.visitRegion(traversal.region, this.keptMargin, traversal, this.addNewPair);
    this.visitAside(traversal.region, this.keptMargin, traversal, this.addNewPair);
  }

  /** The kept pairs can no longer be mended: the next query of pairs collects them all. */
  protected forgetPairs(): void {
    this.keptIsComplete = false;
  }

  private visitAllPairs(margin: number, traversal: Traversal, visit: PairVisitor): boolean {
    if (!this.visitSelf(margin, traversal, visit)) return false;
    const { unbounded, exact } = this;
    for (let i = 0; i < unbounded.length; i++) {
      const id = unbounded[i];
      const box = this.boxOf(id);
      const ordered: ProxyVisitor = (other) => (id < other ? visit(id, other) : visit(other, id));
      if (!this.visitRegion(box, margin, traversal, ordered)) return false;
      for (let j = 0; j < i; j++) {
        traversal.boxTests++;
        const other = unbounded[j];
        if (overlapBoxes(exact, other * BOX_STRIDE, box, 0, margin) && ordered(other) === false) return false;
      }
    }
    return true;
  }

  private visitPairsOfMovers(margin: number, traversal: Traversal, visit: PairVisitor): boolean {
    const { movers, exact } = this;
    let mover = 0;
    const onPartner: ProxyVisitor = (other) => {
      // A pair of two movers is reported by the smaller one.
      if (other === mover || (other < mover && movers.has(other))) return undefined;
      return visit(Math.min(mover, other), Math.max(mover, other));
    };
    for (let i = 0; i < movers.count; i++) {
      mover = movers.ids[i];
      if (!this.isPresent(mover)) continue;
      copyBox(traversal.region, 0, exact, mover * BOX_STRIDE);
      if (!this.visitEverywhere(traversal.region, margin, traversal, onPartner)) return false;
    }
    return true;
  }
}

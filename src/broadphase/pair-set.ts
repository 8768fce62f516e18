/**
 * A set of proxy pairs that lasts from step to step, in flat arrays.
 *
 *   ids       Int32Array   2 per pair    smaller id, larger id; pairs lie densely, in no order
 *   next      Int32Array   2 per pair    next place in `ids` that holds the same proxy, -1 at the end
 *   previous  Int32Array   2 per pair
 *   head      Int32Array   1 per proxy   first place in `ids` that holds the proxy
 *
 * Place h of `ids` belongs to pair h >> 1 and its partner is at h ^ 1, so a proxy's pairs are found without hashing.
 * The links are made when the first single pair is added or removed: whoever refills the whole set each step
 * never pays for them.
 * Cost: append, add, remove O(1); pairs of a proxy O(their number). Order depends on the calls alone.
 * Tested by pair-set.test.ts.
 */
import { BOX_STRIDE, overlapBoxes } from './box.js';
import type { PairVisitor } from './broad-phase.js';

export class PairSet {
  count = 0;
  ids = new Int32Array(256);
  private next = new Int32Array(256);
  private previous = new Int32Array(256);
  private head = new Int32Array(0);
  private linked = false;
  /** Proxies whose pair with the last `keepOverlapping` one is kept bear its stamp. */
  private marks = new Int32Array(0);
  private stamp = 0;

  reserveProxies(capacity: number): void {
    const head = new Int32Array(capacity).fill(-1);
    head.set(this.head);
    this.head = head;
    const marks = new Int32Array(capacity);
    marks.set(this.marks);
    this.marks = marks;
  }

  clear(): void {
    this.count = 0;
    this.linked = false;
  }

  /** Adds a pair that is not in the set, a < b, to a set without links; for refilling it whole. */
  append(a: number, b: number): void {
    const h = 2 * this.count;
    if (h === this.ids.length) this.grow();
    this.ids[h] = a;
    this.ids[h + 1] = b;
    this.count++;
  }

  /** Adds a pair that is not in the set. */
  add(a: number, b: number): void {
    this.link();
    this.append(Math.min(a, b), Math.max(a, b));
    this.linkPlace(2 * this.count - 2);
    this.linkPlace(2 * this.count - 1);
  }

  removeAllOf(id: number): void {
    if (this.count === 0) return;
    this.link();
    while (this.head[id] >= 0) this.removePair(this.head[id] >> 1);
  }

  /** Drops the pairs of `id` that are more than `margin` apart now; `isPartner` knows the others. */
  keepOverlapping(id: number, exact: Float64Array, margin: number): void {
    this.link();
    this.stamp = (this.stamp + 1) | 0;
    this.marks[id] = this.stamp;
    let h = this.head[id];
    while (h >= 0) {
      const other = this.ids[h ^ 1];
      let after = this.next[h];
      if (overlapBoxes(exact, id * BOX_STRIDE, exact, other * BOX_STRIDE, margin)) this.marks[other] = this.stamp;
      else {
        this.removePair(h >> 1);
        // The last pair has taken the freed place.
        if (after >> 1 === this.count) after = (h & ~1) | (after & 1);
      }
      h = after;
    }
  }

  /** True for the proxy last given to `keepOverlapping` and those with which it was left in a pair. */
  isPartner(other: number): boolean {
    return this.marks[other] === this.stamp;
  }

  /** True when the pair is in the set. Cost: the number of pairs of `a`. */
  has(a: number, b: number): boolean {
    this.link();
    for (let h = this.head[a]; h >= 0; h = this.next[h]) if (this.ids[h ^ 1] === b) return true;
    return false;
  }

  /** Returns false when the visitor stopped. */
  visit(visit: PairVisitor): boolean {
    for (let p = 0; p < this.count; p++) if (visit(this.ids[2 * p], this.ids[2 * p + 1]) === false) return false;
    return true;
  }

  /** The pairs of `id`, except those whose partner is smaller and in `once`: it reports them itself. */
  visitOf(id: number, once: { has(id: number): boolean }, visit: PairVisitor): boolean {
    this.link();
    for (let h = this.head[id]; h >= 0; h = this.next[h]) {
      const other = this.ids[h ^ 1];
      if (other < id && once.has(other)) continue;
      if (visit(Math.min(id, other), Math.max(id, other)) === false) return false;
    }
    return true;
  }

  private link(): void {
    if (this.linked) return;
    this.linked = true;
    this.head.fill(-1);
    for (let h = 0; h < 2 * this.count; h++) this.linkPlace(h);
  }

  private linkPlace(h: number): void {
    const { ids, next, previous, head } = this;
    const first = head[ids[h]];
    next[h] = first;
    previous[h] = -1;
    if (first >= 0) previous[first] = h;
    head[ids[h]] = h;
  }

  private unlinkPlace(h: number): void {
    const { next, previous } = this;
    if (previous[h] >= 0) next[previous[h]] = next[h];
    else this.head[this.ids[h]] = next[h];
    if (next[h] >= 0) previous[next[h]] = previous[h];
  }

  private removePair(p: number): void {
    this.unlinkPlace(2 * p);
    this.unlinkPlace(2 * p + 1);
    const last = --this.count;
    if (p === last) return;
    for (let k = 0; k < 2; k++) this.movePlace(2 * last + k, 2 * p + k);
  }

  private movePlace(from: number, to: number): void {
    const { ids, next, previous } = this;
    ids[to] = ids[from];
    next[to] = next[from];
    previous[to] = previous[from];
    if (previous[to] >= 0) next[previous[to]] = to;
    else this.head[ids[to]] = to;
    if (next[to] >= 0) previous[next[to]] = to;
  }

  private grow(): void {
    const size = 2 * this.ids.length;
    for (const name of ['ids', 'next', 'previous'] as const) {
      const grown = new Int32Array(size);
      grown.set(this[name]);
      this[name] = grown;
    }
  }
}

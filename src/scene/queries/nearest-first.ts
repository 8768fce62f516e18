/**
 * The pairs of a scene in the order of the distance of their boxes, then of their bodies' ids: what a search for the nearest pair
 * goes through until the boxes are farther apart than the best that it has.
 *
 * Method: in rounds. Each asks the sources of pairs (pair-source.ts) for the first so many pairs that come after those of the round
 * before: what a source offers is kept, and once it is twice the room, all but the first ones are dropped and what lies beyond the
 * last of them is no longer asked for. So trees are descended with a radius that shrinks (broadphase/traverse.ts), and no pair is
 * remembered that has no part in the search. The first round is small and finds a bound for the next.
 * Cost: O((n + k) log n), k: pairs whose boxes are no farther apart than the nearest bodies. Memory: at most LARGEST_ROOM pairs,
 * where more come in question a descent per round. Tested by test/contract/nearest-pairs.test.ts.
 */
import { boxesOverlap } from '../bodies.js';
import type { Scene, SceneBody } from '../types.js';
import { listNearSources } from './candidates.js';
import { marginOfPair, mayTouch } from './pair-rules.js';
import type { PairSource } from './pair-source.js';

export interface PairInOrder {
  readonly a: SceneBody;
  readonly b: SceneBody;
  /** Between the boxes: the bodies are no nearer. */
  readonly gap: number;
}

const FIRST_ROOM = 64;
const ROOM_GROWTH = 16;
const LARGEST_ROOM = 1 << 17;

/** Trees compare squares: what is exactly as far away is not to be lost to their rounding. */
const widen = (radius: number): number => radius * (1 + 1e-14);

/** Negative when the pair of `a` and `b` comes before `other`. */
function compareTo(other: PairInOrder, a: SceneBody, b: SceneBody, gap: number): number {
  return gap === other.gap ? a.id - other.a.id || b.id - other.b.id : gap - other.gap;
}

export class NearestFirst {
  private readonly sources: readonly PairSource[];
  /** What the boxes of a pair come within, its margin added. */
  private readonly reach: number;
  private pairs: PairInOrder[] = [];
  /** Of the next pair in `pairs`. */
  private place = 0;
  private room = FIRST_ROOM;
  /** How many pairs are kept before some are dropped. */
  private most = 0;
  /** `pairs` ends with the last one whose boxes are no farther apart. */
  private complete = -1;
  /** The last pair of the round before. */
  private before: PairInOrder | null = null;
  /** The last pair that there is room for. */
  private after: PairInOrder | null = null;
  private limit = 0;
  /** The source that is being asked does. */
  private showsAllowed = true;
  private radius = 0;

  constructor(
    private readonly scene: Scene,
    private readonly maxDistance: number,
    objectPairs: boolean,
  ) {
    this.reach = Math.min(maxDistance, Number.MAX_VALUE);
    this.sources = listNearSources(scene, { margin: this.reach, objectPairs });
  }

  /** The next pair, null when there is none whose boxes come within `bound`, which does not grow. Overlapping boxes come in any case. */
  next(bound: number): PairInOrder | null {
    const limit = Math.min(Math.max(bound, 0), this.maxDistance);
    if (this.place === this.pairs.length) {
      if (limit <= this.complete || limit < 0) return null;
      this.fill(limit);
      if (this.pairs.length === 0) return null;
    }
    const pair = this.pairs[this.place];
    if (pair.gap > limit) return null;
    this.place++;
    return pair;
  }

  private fill(limit: number): void {
    const { pairs } = this;
    if (pairs.length > 0) {
      this.before = pairs[pairs.length - 1];
      this.room = Math.min(this.room * ROOM_GROWTH, LARGEST_ROOM);
    }
    pairs.length = this.place = 0;
    this.after = null;
    this.most = 2 * this.room;
    this.limit = limit;
    this.radius = widen(limit);
    for (const source of this.sources) {
      this.showsAllowed = source.showsAllowed;
      source.visitNear(this.reach, this.radius, this.offer);
    }
    this.sort();
    this.complete = this.after === null ? this.limit : -1;
  }

  private readonly offer = (a: SceneBody, b: SceneBody, gap: number): number => {
    const { scene, before, after, pairs, reach } = this;
    if (gap > this.limit) return this.radius;
    if (before !== null && compareTo(before, a, b, gap) <= 0) return this.radius;
    if (after !== null && compareTo(after, a, b, gap) > 0) return this.radius;
    if (this.showsAllowed && mayTouch(scene, a, b)) return this.radius;
    if (reach < Number.MAX_VALUE && !boxesOverlap(a.box, b.box, marginOfPair(scene, a, b) + reach)) return this.radius;
    pairs.push({ a, b, gap });
    if (pairs.length >= this.most) this.sort();
    return this.radius;
  };

  /** Drops what there is no room for. Boxes that overlap are asked for in any case: dropping them would only cost a round. */
  private sort(): void {
    const { pairs, room } = this;
    pairs.sort((x, y) => compareTo(y, x.a, x.b, x.gap));
    if (pairs.length <= room) return;
    let kept = room;
    if (pairs[room - 1].gap === 0) while (kept < pairs.length && kept < LARGEST_ROOM && pairs[kept].gap === 0) kept++;
    pairs.length = kept;
    const last = pairs[kept - 1];
    this.after = last.gap > 0 || kept === LARGEST_ROOM ? last : null;
    if (this.after === null) this.limit = 0;
    this.most = 2 * kept;
    this.radius = widen(last.gap);
  }
}

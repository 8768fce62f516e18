/**
 * The one interface of all broad phases. Boxes are six numbers [minX minY minZ maxX maxY maxZ].
 * The contract: never a pair fewer than brute force; touching boxes overlap; each pair once, a < b.
 */
import type { NumericArray } from '../math/vec3.js';

/** Return false to stop. */
export type PairVisitor = (a: number, b: number) => boolean | void;
export type ProxyVisitor = (id: number) => boolean | void;

export interface BroadPhase extends NearPairQuery {
  readonly size: number;
  /** Volume tests since `resetCounts`. */
  readonly boxTests: number;
  resetCounts(): void;
  /** Returns the proxy's id; ids of removed proxies are reused. */
  add(box: NumericArray): number;
  remove(id: number): void;
  update(id: number, box: NumericArray): void;
  /** `boxes`: six numbers per entry of `ids`. Nothing changes when any of them is refused. */
  updateMany(ids: ArrayLike<number>, boxes: NumericArray): void;
  /** All overlapping pairs after inflating every box by margin / 2. */
  pairs(visit: PairVisitor, margin?: number): void;
  /**
   * The pairs of `pairs` with at least one proxy that was added, or whose box changed, since the previous
   * `pairsOfMoved`. May not be called from inside a visitor.
   */
  pairsOfMoved(visit: PairVisitor, margin?: number): void;
  queryBox(box: NumericArray, visit: ProxyVisitor): void;
  queryPoint(point: NumericArray, visit: ProxyVisitor): void;
  /** Boxes hit by origin + t direction, 0 <= t <= maxT, in no particular order. */
  castRay(origin: NumericArray, direction: NumericArray, maxT: number, visit: ProxyVisitor): void;
  /** Every box at most `radius` away from the point, roughly nearest first; the visitor may shrink the radius. */
  queryNearest(point: NumericArray, radius: number, visit: NearVisitor): void;
}

/** Called with a box that is `gap` away (0 when the point lies in it). A returned number replaces the radius; negative stops. */
export type NearVisitor = (id: number, gap: number) => number | void;

export interface PersistentPairOptions {
  /** Keep the set of pairs from step to step, so that only what moved is looked at again. */
  readonly persistentPairs?: boolean;
  /** The margin for which pairs are kept; `pairs` with another margin searches afresh. Default 0. */
  readonly pairMargin?: number;
}

/** A broad phase whose set of boxes is fixed: boxes move, none is added or removed. Ids are 0 .. size - 1. */
export type FixedBroadPhase = Omit<BroadPhase, 'add' | 'remove'>;

/** Called with a pair whose boxes are `gap` apart (0 when they overlap). A returned number replaces the radius; negative stops. */
export type NearPairVisitor = (a: number, b: number, gap: number) => number | void;

export interface NearPairQuery {
  /**
   * Every pair whose boxes are at most `radius` apart, roughly nearest first. The visitor may shrink the radius,
   * for example to the exact distance it found, so that the nearest pair costs few visits.
   */
  nearPairs(radius: number, visit: NearPairVisitor): void;
  /** Every box at most `radius` away from `box`, roughly nearest first; the visitor may shrink the radius. */
  nearBox(box: NumericArray, radius: number, visit: NearVisitor): void;
}

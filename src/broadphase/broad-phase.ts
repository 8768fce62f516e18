/**
 * The one interface of all broad phases. Boxes are six numbers [minX minY minZ maxX maxY maxZ].
 * The contract: never a pair fewer than brute force; touching boxes overlap; each pair once, a < b.
 */
import type { NumericArray } from '../math/vec3.js';

/** Return false to stop. */
export type PairVisitor = (a: number, b: number) => boolean | void;
export type ProxyVisitor = (id: number) => boolean | void;

export interface BroadPhase {
  readonly size: number;
  /** Volume tests since `resetCounts`. */
  readonly boxTests: number;
  resetCounts(): void;
  /** Returns the proxy's id; ids of removed proxies are reused. */
  add(box: NumericArray): number;
  remove(id: number): void;
  update(id: number, box: NumericArray): void;
  /** All overlapping pairs after inflating every box by margin / 2. */
  pairs(visit: PairVisitor, margin?: number): void;
  queryBox(box: NumericArray, visit: ProxyVisitor): void;
  queryPoint(point: NumericArray, visit: ProxyVisitor): void;
  /** Boxes hit by origin + t direction, 0 <= t <= maxT, in no particular order. */
  castRay(origin: NumericArray, direction: NumericArray, maxT: number, visit: ProxyVisitor): void;
}

/**
 * Where pairs of bodies come from: a list, a tree, the row of a robot of many links, the tree of free objects. A query asks one after
 * the other (candidates.ts) and hands each the narrow phase to call for what it finds; none knows of the others or of the query.
 */
import type { SceneBody } from '../types.js';

/** Return false to stop. The pair touches when it is at most `bound` apart: its margin and the query's own. */
export type PairVisitor = (a: SceneBody, b: SceneBody, bound: number) => boolean;

/** `gap`: between the boxes. Returns how far apart boxes may be from here on. */
export type NearVisitor = (a: SceneBody, b: SceneBody, gap: number) => number;

export interface PairSource {
  /** It finds nothing, wherever things stand. */
  readonly isEmpty: boolean;
  /**
   * Visits every pair of its own that is not allowed and whose boxes come within its margin + `margin`; no margin of the scene with
   * `margin` is larger than `reach`. Expects bodies where they stand now. Returns false when the visitor stopped it.
   */
  visit(margin: number, reach: number, visit: PairVisitor): boolean;
  /**
   * Visits every pair of its own whose boxes are at most `radius` apart, nearer ones rather first.
   * Margins do not count, and pairs farther apart than `reach` may be left out. Expects bodies where they stand now.
   * Returns the radius in force at the end.
   */
  visitNear(reach: number, radius: number, visit: NearVisitor): number;
  /** Whether allowed pairs come to the visitor of `visitNear` too. */
  readonly showsAllowed: boolean;
}

/** Pairs among bodies that move, of which a scene has one of two. */
export interface MovingPairs extends PairSource {
  /** Pairs that are looked at, and that a matrix skips. */
  count(): { readonly checked: number; readonly allowed: number };
}

/**
 * Are two colliders within a tolerance of each other? Cheaper than the distance, and consistent with it: the same
 * algorithms with an early end.
 * Checked by test/contract/shape-pairs.test.ts.
 */
import { requireNotNegative } from '../math/arguments.js';
import type { Transform } from '../math/transform.js';
import { measureClosedForm, NO_FORM } from './closed-forms.js';
import type { Collider } from './collider.js';
import { isConvexWithin, setPairCache } from './convex-pairs.js';
import { compareSpheres, resolveTolerance, searchPair } from './measure-pair.js';
import {
  addCounts,
  limitBound,
  requireColliders,
  requireOptions,
  requirePoses,
  startCounts,
} from './pair-arguments.js';
import type { PairCache } from './pair-cache.js';
import { isConvexPair, isExchanged } from './pair-matrix.js';
import { WITHIN } from './pair-result.js';
import { createDistanceResult, type PairOptions } from './query.js';

const limit = { bound: 0, mode: WITHIN, cache: null as PairCache | null };
const result = createDistanceResult();

/** The verdict distance <= bound, without checks: for callers inside the engine. */
export function isWithinBound(
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  bound: number,
  cache: PairCache | null = null,
): boolean {
  limit.bound = bound;
  limit.cache = cache;
  a.requireReady();
  b.requireReady();
  if (measureClosedForm(result, a, X_WA, b, X_WB) !== NO_FORM) return result.distance <= bound;
  const side = compareSpheres(a, X_WA, b, X_WB, limit);
  if (side !== 0) return side < 0;
  if (isConvexPair(a, b)) {
    setPairCache(cache);
    return isExchanged(a, b) ? isConvexWithin(b, X_WB, a, X_WA, limit) : isConvexWithin(a, X_WA, b, X_WB, limit);
  }
  searchPair(result, a, X_WA, b, X_WB, limit);
  return result.status !== 'beyond-bound' && result.distance <= bound;
}

/**
 * True when the signed distance is at most `tolerance` (plus margin and touching tolerance of the options). Throws on
 * poses that are not finite.
 */
export function isWithin(
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  tolerance: number,
  options?: PairOptions,
): boolean {
  requireColliders('isWithin', a, b);
  requireNotNegative('isWithin', 'tolerance', tolerance);
  requirePoses('isWithin', X_WA, X_WB);
  requireOptions('isWithin', options);
  const bound = limitBound(tolerance + resolveTolerance(a, X_WA, b, X_WB, options) + (options?.margin ?? 0));
  const stats = options?.stats;
  if (stats) startCounts();
  const within = isWithinBound(a, X_WA, b, X_WB, bound, options?.cache);
  if (stats) addCounts(stats);
  return within;
}

/**
 * Are two colliders within a tolerance of each other? Cheaper than the distance, and consistent with it: the same
 * algorithms with an early end.
 * Checked by test/contract/shape-pairs.test.ts.
 */
import { requireNotNegative } from '../math/arguments.js';
import type { Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { measurePair, resolveTolerance } from './measure-pair.js';
import {
  addCounts,
  limitBound,
  requireColliders,
  requireOptions,
  requirePoses,
  startCounts,
} from './pair-arguments.js';
import type { PairCache } from './pair-cache.js';
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
  measurePair(result, a, X_WA, b, X_WB, limit);
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

/**
 * Signed distance of two colliders, with closest points and normal in world: see query.ts for the contract.
 *
 * A pair beyond `upperBound` may answer with a lower bound and status 'beyond-bound'; its points and normal are then left
 * as they were. Overlapping meshes answer as mesh-mesh.ts and mesh-convex.ts say.
 * Checked by test/contract/shape-pairs.test.ts and test/oracle/shape-pairs.test.ts.
 */

import { supportState } from '../geometry/support.js';
import { throwMisuse } from '../math/arguments.js';
import type { Transform } from '../math/transform.js';
import { DECIDED, measureClosedForm, NO_FORM } from './closed-forms.js';
import type { Collider } from './collider.js';
import {
  findTolerance,
  isTouching,
  measurePair,
  measureReady,
  measureWithoutDepth,
  resolveTolerance,
} from './measure-pair.js';
import { addCounts, requireColliders, requireOptions, requirePoses, startCounts } from './pair-arguments.js';
import type { PairCache } from './pair-cache.js';
import { SIGNED } from './pair-result.js';
import type { DistanceResult, PairOptions } from './query.js';
import { isWithinBound } from './tolerance.js';

const unlimited = { bound: Infinity, mode: SIGNED, cache: null as PairCache | null };
const limit = { bound: Infinity, mode: SIGNED, cache: null as PairCache | null };

/** The last result that was looked at. Its arrays are its own for good. */
let knownResult: DistanceResult | null = null;

function requireResult(result: DistanceResult): void {
  if (result?.pointA?.length !== 3 || result.pointB?.length !== 3 || result.normal?.length !== 3)
    throwMisuse('distance', 'result', result, 'what createDistanceResult returned');
  knownResult = result;
}

/** Writes and returns `result`. Throws on poses that are not finite. */
export function distance(
  result: DistanceResult,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  options?: PairOptions,
): DistanceResult {
  requireColliders('distance', a, b);
  if (result !== knownResult) requireResult(result);
  // Closed forms look at poses themselves, in passing; what they find odd goes the long way.
  if (options === undefined && X_WA?.length === 12 && X_WB?.length === 12 && !supportState.isAsking)
    if (measureClosedForm(result, a, X_WA, b, X_WB) === DECIDED) return result;
  requirePoses('distance', X_WA, X_WB);
  a.requireReady();
  b.requireReady();
  if (options === undefined) return measureFully(result, a, X_WA, b, X_WB);
  return distanceWithin(result, a, X_WA, b, X_WB, options);
}

/** The distance without options, for poses that have been looked at and colliders that are ready. */
export function measureFully(
  result: DistanceResult,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
): DistanceResult {
  const form = measureClosedForm(result, a, X_WA, b, X_WB);
  if (form === DECIDED) return result;
  if (form === NO_FORM) measureReady(result, a, X_WA, b, X_WB, unlimited);
  result.collides = isTouching(result, a, X_WA, b, X_WB);
  if (result.status === 'iteration-limit' && result.collides)
    result.collides = isWithinBound(a, X_WA, b, X_WB, findTolerance(a, X_WA, b, X_WB));
  return result;
}

function distanceWithin(
  result: DistanceResult,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  options: PairOptions,
): DistanceResult {
  requireOptions('distance', options);
  const touching = resolveTolerance(a, X_WA, b, X_WB, options) + (options.margin ?? 0);
  limit.bound = Math.max(options.upperBound ?? Infinity, touching);
  limit.cache = options.cache ?? null;
  const { stats } = options;
  if (stats) startCounts();
  if (options.depth === false) measureWithoutDepth(result, a, X_WA, b, X_WB, limit);
  else measurePair(result, a, X_WA, b, X_WB, limit);
  result.collides = result.status === 'collides' || (result.status !== 'beyond-bound' && result.distance <= touching);
  // What is only a bound here may be decided there.
  if (result.status === 'iteration-limit' && result.collides)
    result.collides = isWithinBound(a, X_WA, b, X_WB, touching, limit.cache);
  if (stats) addCounts(stats);
  return result;
}

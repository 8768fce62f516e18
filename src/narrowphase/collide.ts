/**
 * Do two colliders touch? The verdict "signed distance <= margin + touching tolerance", by the distance algorithms
 * ended as soon as it is certain.
 * Checked by test/contract/shape-pairs.test.ts.
 */
import { supportState } from '../geometry/support.js';
import type { Transform } from '../math/transform.js';
import { DECIDED, measureClosedForm, NO_FORM } from './closed-forms.js';
import type { Collider } from './collider.js';
import { findTolerance, isTouching, resolveTolerance } from './measure-pair.js';
import {
  addCounts,
  limitBound,
  requireColliders,
  requireOptions,
  requirePoses,
  startCounts,
} from './pair-arguments.js';
import { createDistanceResult, type PairOptions } from './query.js';
import { isWithinBound } from './tolerance.js';

const answer = createDistanceResult();

/** Throws on poses that are not finite. */
export function collide(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform, options?: PairOptions): boolean {
  requireColliders('collide', a, b);
  // Closed forms look at poses themselves, in passing; what they find odd goes the long way.
  if (options === undefined && X_WA?.length === 12 && X_WB?.length === 12 && !supportState.isAsking)
    if (measureClosedForm(answer, a, X_WA, b, X_WB) === DECIDED) return answer.collides;
  requirePoses('collide', X_WA, X_WB);
  if (options === undefined) {
    a.requireReady();
    b.requireReady();
    return collideFully(a, X_WA, b, X_WB);
  }
  requireOptions('collide', options);
  const bound = limitBound(resolveTolerance(a, X_WA, b, X_WB, options) + (options.margin ?? 0));
  const { stats } = options;
  if (stats) startCounts();
  const touching = isWithinBound(a, X_WA, b, X_WB, bound, options.cache);
  if (stats) addCounts(stats);
  return touching;
}

/** The verdict without options, for poses that have been looked at and colliders that are ready. */
export function collideFully(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform): boolean {
  const form = measureClosedForm(answer, a, X_WA, b, X_WB);
  if (form === DECIDED) return answer.collides;
  if (form !== NO_FORM) return isTouching(answer, a, X_WA, b, X_WB);
  return isWithinBound(a, X_WA, b, X_WB, findTolerance(a, X_WA, b, X_WB));
}

/**
 * Pairs that need neither a relative transform nor a search: two capsules, and a sphere against every shape that a point has a
 * closed form for. Straight from poses in world, and the same as entries of the pair table.
 */
import type { Transform } from '../math/transform.js';
import { measureCapsulePair } from './capsule-pairs.js';
import { copyAnswer } from './closed-answer.js';
import { CAPSULE, type Collider, SPHERE } from './collider.js';
import { WITHIN } from './pair-result.js';
import { createDistanceResult, type DistanceResult } from './query.js';
import { measureSphereAxisPair, measureSpherePair } from './sphere-pairs.js';

const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

/** What `measureClosedForm` says: the pair has none and nothing is written, all is written, or all but the verdict. */
export const NO_FORM = 0;
export const DECIDED = 1;
export const DOUBTFUL = 2;

/** Writes the answer of such a pair. Poses need not have been looked at: where they are not finite, the answer is DOUBTFUL. */
export function measureClosedForm(
  out: DistanceResult,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
): number {
  if (!(a.isPlain && b.isPlain)) return NO_FORM;
  let isDecided = false;
  if (a.type === SPHERE) {
    if (b.type === CAPSULE || b.type === SPHERE) isDecided = measureSphereAxisPair(out, a, X_WA, b, X_WB, -1);
    else isDecided = measureSpherePair(out, a, X_WA, b, X_WB, -1);
  } else if (b.type === SPHERE) {
    if (a.type === CAPSULE) isDecided = measureSphereAxisPair(out, b, X_WB, a, X_WA, 1);
    else isDecided = measureSpherePair(out, b, X_WB, a, X_WA, 1);
  } else if (a.type === CAPSULE && b.type === CAPSULE) isDecided = measureCapsulePair(out, a, X_WA, b, X_WB);
  else return NO_FORM;
  return isDecided ? DECIDED : DOUBTFUL;
}

const trial = createDistanceResult();

/** The answer for this bound and mode, see pair-result.ts; false where there is no closed form. */
export function measureClosedFormWithin(
  out: DistanceResult,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  { bound, mode }: Readonly<{ bound: number; mode: number }>,
): boolean {
  if (measureClosedForm(trial, a, X_WA, b, X_WB) === NO_FORM) return false;
  if (mode !== WITHIN && trial.distance <= bound) {
    copyAnswer(out, trial);
    return true;
  }
  out.status = trial.distance > bound ? 'beyond-bound' : 'ok';
  out.distance = trial.distance;
  out.featureA = -1;
  out.featureB = -1;
  return true;
}

const local = { bound: Infinity, mode: WITHIN };

/** The pair table's entry for them. */
export function measureFormPair(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
  mode: number,
): void {
  local.bound = bound;
  local.mode = mode;
  measureClosedFormWithin(out, a, IDENTITY, b, X_AB, local);
}

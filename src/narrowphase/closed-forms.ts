/**
 * Pairs that need neither a relative transform nor a search: two capsules, and a sphere against every shape that a point has a
 * closed form for. Straight from poses in world, and the same as entries of the pair table.
 */
import type { Transform } from '../math/transform.js';
import { findCapsulePair } from './capsule-pairs.js';
import { CAPSULE, type Collider, SPHERE } from './collider.js';
import { found, writeFound } from './found-pair.js';
import { WITHIN } from './pair-result.js';
import type { DistanceResult } from './query.js';
import { findSphereAxisPair, findSpherePair } from './sphere-pairs.js';

const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

/** Writes `found` for such a pair; false for any other. */
export function findClosedForm(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform): boolean {
  if (a.type === SPHERE) {
    if (!b.isPlain) return false;
    if (b.type === CAPSULE || b.type === SPHERE) findSphereAxisPair(a, X_WA, b, X_WB, true);
    else findSpherePair(a, X_WA, b, X_WB, true);
    return true;
  }
  if (b.type === SPHERE) {
    if (!a.isPlain) return false;
    if (a.type === CAPSULE) findSphereAxisPair(b, X_WB, a, X_WA, false);
    else findSpherePair(b, X_WB, a, X_WA, false);
    return true;
  }
  if (a.type !== CAPSULE || b.type !== CAPSULE) return false;
  findCapsulePair(a, X_WA, b, X_WB);
  return true;
}

/** `found` as the answer for this bound and mode: see pair-result.ts. */
export function takeFound(out: DistanceResult, { bound, mode }: Readonly<{ bound: number; mode: number }>): void {
  if (mode !== WITHIN && found[0] <= bound) {
    writeFound(out);
    return;
  }
  out.status = found[0] > bound ? 'beyond-bound' : 'ok';
  out.distance = found[0];
  out.featureA = -1;
  out.featureB = -1;
}

const local = { bound: Infinity, mode: WITHIN };

/** The pair table's entry for them. */
export function measureClosedForm(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
  mode: number,
): void {
  findClosedForm(a, IDENTITY, b, X_AB);
  local.bound = bound;
  local.mode = mode;
  takeFound(out, local);
}

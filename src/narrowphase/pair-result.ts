/**
 * What every entry of the pair table does, and the small steps they share.
 *
 * A pair function answers for colliders a, b at relative pose X_AB, in A's frame, with the contract of query.ts:
 * it writes status, distance, points, normal (A to B) and features. Three modes:
 *   SIGNED  the signed distance; above `bound` only a lower bound with status 'beyond-bound' is owed.
 *   GAP     the distance where it is positive, with points and normal; of an overlap only that it is one (0 or less).
 *   WITHIN  only whether distance <= bound is asked: any value on the right side of the bound will do, and points and
 *           normal may be left unset.
 */
import type { Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import type { DistanceResult } from './query.js';

export const SIGNED = 0;
export const WITHIN = 1;
export const GAP = 2;

export type PairFunction = (
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
  mode: number,
) => void;

export function setBeyond(out: DistanceResult, lowerBound: number): void {
  out.status = 'beyond-bound';
  out.distance = lowerBound;
}

export function setNormal(out: DistanceResult, x: number, y: number, z: number): void {
  const { normal } = out;
  normal[0] = x;
  normal[1] = y;
  normal[2] = z;
}

/** pointB = pointA + distance * normal. */
export function completePointB(out: DistanceResult): void {
  const { pointA, pointB, normal, distance } = out;
  for (let k = 0; k < 3; k++) pointB[k] = pointA[k] + distance * normal[k];
}

/** Turns an answer for (B, A) in B's frame into one for (A, B), still in B's frame. */
export function swapResult(out: DistanceResult): void {
  const { pointA, pointB, normal } = out;
  for (let k = 0; k < 3; k++) {
    const x = pointA[k];
    pointA[k] = pointB[k];
    pointB[k] = x;
    normal[k] = -normal[k];
  }
  const feature = out.featureA;
  out.featureA = out.featureB;
  out.featureB = feature;
  const child = out.childA;
  out.childA = out.childB;
  out.childB = child;
}

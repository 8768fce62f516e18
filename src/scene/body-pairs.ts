/** Narrow phase of one body pair: part against part, boxes first. Expects `updateBody` on both. */
import { collide } from '../narrowphase/collide.js';
import { distance } from '../narrowphase/distance.js';
import { resolveTolerance } from '../narrowphase/pair-table.js';
import { createDistanceResult, type DistanceResult } from '../narrowphase/query.js';
import { isWithin, isWithinBound } from '../narrowphase/tolerance.js';
import { type Body, type BodyPart, boxDistance, boxesOverlap } from './bodies.js';
import { hasHulls, lieOnMeshes, measureHullDepth, measureHulls } from './mesh-hulls.js';

/** True when some parts come within `margin` (touching counts). A negative margin allows that much penetration. */
export function bodiesTouch(a: Body, b: Body, margin: number): boolean {
  const single = a.parts.length === 1 && b.parts.length === 1;
  for (const partA of a.parts) {
    if (!single && !boxesOverlap(partA.box, b.box, margin)) continue;
    for (const partB of b.parts) {
      if (!single && !boxesOverlap(partA.box, partB.box, margin)) continue;
      if (partsTouch(partA, partB, margin)) return true;
    }
  }
  return false;
}

const trial = createDistanceResult();
const request = { upperBound: Infinity, margin: 0 };

function partsTouch(a: BodyPart, b: BodyPart, margin: number): boolean {
  if (margin === 0) return collide(a.collider, a.worldPlacement, b.collider, b.worldPlacement);
  if (margin > 0) return isWithin(a.collider, a.worldPlacement, b.collider, b.worldPlacement, margin);
  request.upperBound = 0;
  request.margin = 0;
  distance(trial, a.collider, a.worldPlacement, b.collider, b.worldPlacement, request);
  return isTouching(trial, margin);
}

/** A contact of unknown depth counts as deeper than any allowance. */
function isAtMost(result: DistanceResult, bound: number): boolean {
  return result.status === 'collides' || (result.status !== 'beyond-bound' && result.distance <= bound);
}

/** The verdict of `bodiesTouch`, from a distance that was measured with this margin (or 0 when it is negative). */
export function isTouching(result: DistanceResult, margin: number): boolean {
  return margin < 0 ? isAtMost(result, margin) : result.collides;
}

export function copyDistanceResult(out: DistanceResult, from: DistanceResult): void {
  out.status = from.status;
  out.collides = from.collides;
  out.distance = from.distance;
  out.pointA.set(from.pointA);
  out.pointB.set(from.pointB);
  out.normal.set(from.normal);
  out.featureA = from.featureA;
  out.featureB = from.featureB;
  out.childA = from.childA;
  out.childB = from.childB;
}

/** Smallest signed distance between two bodies not above `upperBound`; false when there is none. */
export function bodyDistance(out: DistanceResult, a: Body, b: Body, upperBound: number): boolean {
  measureBodies(out, a, b, upperBound, 0);
  return out.status !== 'beyond-bound';
}

/**
 * Smallest signed distance between two bodies; when it is above `upperBound`, status 'beyond-bound' and a lower bound of
 * the distance (points and normal are then left as they were). `out.collides` counts a margin of `margin`.
 * Overlapping solid meshes: with `hulls`, the depth of their hulls instead of a search for the shortest way out, which
 * takes milliseconds.
 */
export function measureBodies(
  out: DistanceResult,
  a: Body,
  b: Body,
  upperBound: number,
  margin: number,
  depth: 'exact' | 'hulls' = 'exact',
): void {
  request.margin = Math.max(margin, 0);
  let bound = upperBound;
  let found = false;
  let lower = Infinity;
  for (const partA of a.parts) {
    for (const partB of b.parts) {
      // A negative bound (already penetrating) prunes nothing: overlapping boxes may hide a deeper pair.
      request.upperBound = Math.max(bound, 0);
      const gap = boxDistance(partA.box, partB.box);
      if (gap > request.upperBound) {
        lower = Math.min(lower, gap);
        continue;
      }
      measureParts(partA, partB, depth === 'hulls');
      lower = Math.min(lower, trial.distance);
      if (trial.status === 'beyond-bound' || !(trial.distance < bound || (!found && isAtMost(trial, bound)))) continue;
      copyDistanceResult(out, trial);
      bound = trial.distance;
      found = true;
    }
  }
  if (found) return;
  out.status = 'beyond-bound';
  out.distance = lower;
  out.collides = false;
}

/** `distance` with the present request, by hulls where they decide. */
function measureParts(a: BodyPart, b: BodyPart, quickDepth: boolean): void {
  const { collider: colliderA, worldPlacement: X_WA } = a;
  const { collider: colliderB, worldPlacement: X_WB } = b;
  if (hasHulls(colliderA, colliderB)) {
    const touching = resolveTolerance(colliderA, X_WA, colliderB, X_WB, undefined);
    if (measureHulls(trial, a, b, request.upperBound)) {
      const isBeyond = trial.status === 'beyond-bound';
      if (isBeyond || lieOnMeshes(trial, a, b)) {
        trial.collides = !isBeyond && trial.distance <= touching + request.margin;
        return;
      }
    } else if (quickDepth && colliderA.isSolid && colliderB.isSolid) {
      if (isWithinBound(colliderA, X_WA, colliderB, X_WB, touching)) {
        measureHullDepth(trial, a, b);
        trial.collides = true;
        return;
      }
    }
  }
  distance(trial, colliderA, X_WA, colliderB, X_WB, request);
}

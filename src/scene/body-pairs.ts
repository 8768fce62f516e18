/** Narrow phase of one body pair: part against part, boxes first. Expects `updateBody` on both. */
import { collide } from '../narrowphase/collide.js';
import { distance } from '../narrowphase/distance.js';
import { createDistanceResult, type DistanceResult } from '../narrowphase/query.js';
import { isWithin } from '../narrowphase/tolerance.js';
import { type Body, boxDistance, boxesOverlap } from './bodies.js';

/** True when some parts come within `margin` (touching counts). */
export function bodiesTouch(a: Body, b: Body, margin: number): boolean {
  const single = a.parts.length === 1 && b.parts.length === 1;
  for (const partA of a.parts) {
    if (!single && !boxesOverlap(partA.box, b.box, margin)) continue;
    for (const partB of b.parts) {
      if (!single && !boxesOverlap(partA.box, partB.box, margin)) continue;
      const touch =
        margin === 0
          ? collide(partA.collider, partA.worldPlacement, partB.collider, partB.worldPlacement)
          : isWithin(partA.collider, partA.worldPlacement, partB.collider, partB.worldPlacement, margin);
      if (touch) return true;
    }
  }
  return false;
}

const trial = createDistanceResult();
const request = { upperBound: Infinity };

export function copyDistanceResult(out: DistanceResult, from: DistanceResult): void {
  out.status = from.status;
  out.collides = from.collides;
  out.distance = from.distance;
  out.pointA.set(from.pointA);
  out.pointB.set(from.pointB);
  out.normal.set(from.normal);
  out.featureA = from.featureA;
  out.featureB = from.featureB;
}

/** Smallest signed distance between two bodies not above `upperBound`; false when there is none. */
export function bodyDistance(out: DistanceResult, a: Body, b: Body, upperBound: number): boolean {
  let bound = upperBound;
  let found = false;
  for (const partA of a.parts) {
    for (const partB of b.parts) {
      // A negative bound (already penetrating) prunes nothing: overlapping boxes may hide a deeper pair.
      request.upperBound = Math.max(bound, 0);
      if (boxDistance(partA.box, partB.box) > request.upperBound) continue;
      distance(trial, partA.collider, partA.worldPlacement, partB.collider, partB.worldPlacement, request);
      if (trial.status === 'beyond-bound' || !(trial.distance < bound || (!found && trial.distance <= bound))) continue;
      copyDistanceResult(out, trial);
      bound = trial.distance;
      found = true;
    }
  }
  return found;
}

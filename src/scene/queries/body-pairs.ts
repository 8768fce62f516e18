/** Narrow phase of one body pair: part against part, boxes first. Expects `updateBody` on both. */
import { describeValue } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { collide } from '../../narrowphase/collide.js';
import { distance } from '../../narrowphase/distance.js';
import { measurePair, resolveTolerance } from '../../narrowphase/measure-pair.js';
import { GAP } from '../../narrowphase/pair-result.js';
import { createDistanceResult, type DistanceResult } from '../../narrowphase/query.js';
import { isWithin } from '../../narrowphase/tolerance.js';
import { type Body, type BodyPart, boxDistance, boxesOverlap } from '../bodies.js';
import { hasHulls, lieOnMeshes, measureHullDepth, measureHulls, needsPushOut } from './mesh-hulls.js';

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

/** What a query that only asks whether anything touches does with each pair. */
export function areApart(a: Body, b: Body, margin: number): boolean {
  return !bodiesTouch(a, b, margin);
}

const trial = createDistanceResult();
const request = { upperBound: Infinity, margin: 0 };
const gap = { bound: Infinity, mode: GAP };

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

/**
 * How the depth of an overlap is found where a shape is not convex:
 *   'hull'   that of the convex outer shapes (a mesh's hull, the box of an octree, a point cloud, a height field or a compound),
 *            in microseconds: an upper bound that separates when applied, and far above the least one in a cavity;
 *   'exact'  a search for the shortest way out (`distance` of a pair), which takes milliseconds.
 * Depths of convex shapes are exact either way, so is every distance of bodies that are apart, and where a negative margin
 * makes depths decide about a contact, they are exact whatever is asked for.
 */
export type OverlapDepth = 'hull' | 'exact';

const DEFAULT_DEPTH: OverlapDepth = 'hull';

/** The door's choice of a depth, or the default. `others`: what it takes besides. */
export function requireDepth(name: string, depth: OverlapDepth | undefined, others = ''): OverlapDepth {
  if (depth === undefined) return DEFAULT_DEPTH;
  if (depth !== 'hull' && depth !== 'exact')
    throw new MisuseError(`${name}: depth, got ${describeValue(depth)}, expected ${others}'hull' or 'exact'`);
  return depth;
}

/** The depth to ask for where distances are compared with `bound`. */
export function depthFor(bound: number, depth: OverlapDepth): OverlapDepth {
  return bound < 0 ? 'exact' : depth;
}

/** Smallest signed distance between two bodies not above `upperBound`; false when there is none. */
export function bodyDistance(out: DistanceResult, a: Body, b: Body, upperBound: number, depth: OverlapDepth): boolean {
  measureBodies(out, a, b, upperBound, 0, depth);
  return out.status !== 'beyond-bound';
}

/**
 * Smallest signed distance between two bodies; when it is above `upperBound`, status 'beyond-bound' and a lower bound of
 * the distance (points and normal are then left as they were). `out.collides` counts a margin of `margin`.
 */
export function measureBodies(
  out: DistanceResult,
  a: Body,
  b: Body,
  upperBound: number,
  margin: number,
  depth: OverlapDepth,
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
      measureParts(partA, partB, depth);
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
function measureParts(a: BodyPart, b: BodyPart, depth: OverlapDepth): void {
  const { collider: colliderA, worldPlacement: X_WA } = a;
  const { collider: colliderB, worldPlacement: X_WB } = b;
  const touching = resolveTolerance(colliderA, X_WA, colliderB, X_WB, undefined) + request.margin;
  if (hasHulls(colliderA, colliderB) && measureHulls(trial, a, b, request.upperBound)) {
    const isBeyond = trial.status === 'beyond-bound';
    if (isBeyond || lieOnMeshes(trial, a, b)) {
      trial.collides = !isBeyond && trial.distance <= touching;
      return;
    }
  }
  if (depth === 'exact' || !needsPushOut(colliderA, colliderB)) {
    distance(trial, colliderA, X_WA, colliderB, X_WB, request);
    return;
  }
  gap.bound = Math.max(request.upperBound, touching);
  measurePair(trial, colliderA, X_WA, colliderB, X_WB, gap);
  if (trial.status === 'collides' || trial.distance <= 0) measureHullDepth(trial, a, b);
  trial.collides = trial.status !== 'beyond-bound' && trial.distance <= touching;
}

/**
 * Requests and results of pair queries.
 *
 * The contract: distance is signed (positive: separation, negative: minus the penetration depth);
 * `normal` is a unit vector from A to B in world; pointB - pointA = distance * normal for both signs; moving B by
 * (-distance + eps) * normal separates a penetrating pair. Touching counts as contact: |distance| <= tolerance.
 */
import type { Vec3 } from '../math/vec3.js';
import type { PairCache } from './pair-cache.js';

export type QueryStatus =
  /** The answer is exact to the stated tolerance. */
  | 'ok'
  /** The pair collides; its depth is only an upper bound (or unknown: distance 0) because a shape is not convex. */
  | 'depth-bound'
  /** Collision is certain, no depth is computed for this pair. */
  | 'collides'
  /** Stopped early: `distance` is a lower bound that exceeds the request's upper bound. */
  | 'beyond-bound'
  /** Rounding or a limit ended the search: `distance` is a lower bound of the true one, and a verdict still open is "collides". */
  | 'iteration-limit';

/** Work counts, comparable across machines. */
export interface QueryStats {
  /** Bounding-volume pair tests. */
  nodeTests: number;
  /** Triangle-triangle or triangle-primitive tests. */
  primitiveTests: number;
  /** GJK + EPA iterations. */
  iterations: number;
}

export interface PairOptions {
  /** Added to the shapes: a pair closer than this collides (distance is reported without it). Default 0. */
  readonly margin?: number;
  /** Distances above this need not be exact. Default Infinity. */
  readonly upperBound?: number;
  /**
   * `distance` only. False: where a depth would have to be searched for, as of meshes and shapes of parts that overlap, it is left
   * out, which takes some hundred times less: status 'collides', distance 0, a point of both shapes. Default true.
   */
  readonly depth?: boolean;
  /** Touching tolerance; default 1e-10 x (largest extent + largest |coordinate| of the pair). */
  readonly tolerance?: number;
  /** Warm start from this pair's last query, and for its next: see `createPairCache`. The answer is the same. */
  readonly cache?: PairCache;
  readonly stats?: QueryStats;
}

export interface DistanceResult {
  status: QueryStatus;
  collides: boolean;
  distance: number;
  readonly pointA: Vec3;
  readonly pointB: Vec3;
  readonly normal: Vec3;
  /** What the witness lies on: triangle of a mesh or height field, cube of an octree, point of a cloud; else -1. */
  featureA: number;
  featureB: number;
  /** Child of a compound that the witness lies on (the feature is the child's own then), else -1. */
  childA: number;
  childB: number;
}

export interface Contact {
  readonly point: Vec3;
  /** From A to B. */
  readonly normal: Vec3;
  /** -distance: positive when penetrating. */
  depth: number;
  /** Triangle, cube or point that touches, else -1: the feature of a distance result. */
  triangleA: number;
  triangleB: number;
  /** Child of a compound, else -1. */
  childA: number;
  childB: number;
}

export function createDistanceResult(): DistanceResult {
  return {
    status: 'ok',
    collides: false,
    distance: Infinity,
    pointA: new Float64Array(3),
    pointB: new Float64Array(3),
    normal: new Float64Array(3),
    featureA: -1,
    featureB: -1,
    childA: -1,
    childB: -1,
  };
}

export function createQueryStats(): QueryStats {
  return { nodeTests: 0, primitiveTests: 0, iterations: 0 };
}

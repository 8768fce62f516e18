/**
 * Signed distance of any two convex shapes: GJK on the cores, EPA and the width descent where they overlap, radii
 * subtracted at the end.
 *
 * Method: 1. GJK with bound + radii; 2. apart: the closest points, moved out by the radii; 3. cores overlapping or
 * touching: the penetration of the cores plus the radii, which is the exact depth because the difference of inflated
 * shapes is the inflated difference of the cores.
 * Frames: A's frame, X_AB. Status: 'iteration-limit' when GJK or the depth search ended on a limit; the distance
 * is then a lower bound, and so is a verdict WITHIN: what is undecided counts as within (assembly/convex/convex-decide.ts).
 * Cost: 0.3-1 us apart, a few microseconds in penetration. Checked by test/contract/shape-pairs.test.ts.
 */
import type { SupportCore } from '../geometry/support.js';
import type { Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { CONVEX_BEYOND, CONVEX_COLLIDES, CONVEX_LIMIT, openPair, RESULT, shared, V } from './convex-kernel.js';
import type { PairCache } from './pair-cache.js';
import { SIGNED, setBeyond } from './pair-result.js';
import type { DistanceResult } from './query.js';

/** The cache of the query under way, if its caller gave one. */
let pairCache: PairCache | null = null;

/** Sets the warm start of the query that follows, or takes it away. */
export function setPairCache(cache: PairCache | null): void {
  pairCache = cache;
}

/** The cache of the query under way. */
export function currentPairCache(): PairCache | null {
  return pairCache;
}

/** A first search direction: from B's middle to A's. */
function setFirstDirection(a: SupportCore, b: SupportCore, X: Transform): void {
  const p = a.center;
  const q = b.center;
  const x = p[0] - (X[0] * q[0] + X[1] * q[1] + X[2] * q[2] + X[9]);
  const y = p[1] - (X[3] * q[0] + X[4] * q[1] + X[5] * q[2] + X[10]);
  const z = p[2] - (X[6] * q[0] + X[7] * q[1] + X[8] * q[2] + X[11]);
  const { f64 } = shared;
  f64[V] = x === 0 && y === 0 && z === 0 ? 1 : x;
  f64[V + 1] = y;
  f64[V + 2] = z;
}

function readAnswer(out: DistanceResult, code: number): void {
  const { f64 } = shared;
  const distance = f64[RESULT];
  out.featureA = -1;
  out.featureB = -1;
  if (code === CONVEX_BEYOND) {
    setBeyond(out, distance);
    return;
  }
  out.distance = distance;
  if (code === CONVEX_COLLIDES) {
    out.status = 'collides';
    return;
  }
  out.status = code === CONVEX_LIMIT ? 'iteration-limit' : 'ok';
  const { normal, pointA, pointB } = out;
  for (let k = 0; k < 3; k++) {
    normal[k] = f64[RESULT + 1 + k];
    pointA[k] = f64[RESULT + 4 + k];
    pointB[k] = f64[RESULT + 7 + k];
  }
}

/** Pair function on bare cores. Leaves the features at -1. */
export function measureCores(
  out: DistanceResult,
  a: SupportCore,
  b: SupportCore,
  X_AB: Transform,
  bound: number,
  mode: number,
): void {
  openPair(a, b, X_AB);
  setFirstDirection(a, b, X_AB);
  readAnswer(out, shared.functions.convexMeasure(bound, mode === SIGNED ? 1 : 0));
}

/**
 * A point that both shapes hold, into out[0 .. 2], when they come within `touching` of each other; else false. It lies on a flat
 * one, too, which the middle of a depth's witnesses need not.
 */
export function findCommonPoint(
  out: Float64Array,
  a: SupportCore,
  b: SupportCore,
  X_AB: Transform,
  touching: number,
): boolean {
  openPair(a, b, X_AB);
  setFirstDirection(a, b, X_AB);
  const isFound = shared.functions.convexCommon(touching) !== 0;
  for (let k = 0; k < 3; k++) out[k] = shared.f64[RESULT + 4 + k];
  return isFound;
}

/** As `measureCores`, signed, with a known first direction from B to A, such as a separating axis. */
export function measureCoresAlong(
  out: DistanceResult,
  a: SupportCore,
  b: SupportCore,
  X_AB: Transform,
  direction: Float64Array,
  bound: number,
): void {
  openPair(a, b, X_AB);
  for (let k = 0; k < 3; k++) shared.f64[V + k] = direction[k];
  readAnswer(out, shared.functions.convexMeasure(bound, 1));
}

/** Any two bounded convex shapes. */
export function measureConvexConvex(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  bound: number,
  mode: number,
): void {
  if (pairCache === null) {
    measureCores(out, a.core, b.core, X_AB, bound, mode);
    return;
  }
  openPair(a.core, b.core, X_AB);
  setFirstDirection(a.core, b.core, X_AB);
  const { functions } = shared;
  const code = functions.convexGjk(bound + a.core.radius + b.core.radius, pairCache.recall(a.core, b.core));
  pairCache.remember(a.core, b.core);
  readAnswer(out, functions.convexAnswer(code, mode === SIGNED ? 1 : 0));
}

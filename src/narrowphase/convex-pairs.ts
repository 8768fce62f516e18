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
import { ORIGIN, type SupportCore } from '../geometry/support.js';
import { relativeTransformAt, type Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import {
  CONVEX_BEYOND,
  CONVEX_COLLIDES,
  CONVEX_LIMIT,
  openCores,
  openPair,
  openSizes,
  POSE,
  RESULT,
  shared,
  V,
} from './convex-kernel.js';
import type { PairCache } from './pair-cache.js';
import { SIGNED, setBeyond, WITHIN } from './pair-result.js';
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

/** A first search direction, from B's middle to A's, by the pose that the kernel has. */
function setFirstDirection(a: SupportCore, b: SupportCore): void {
  const { f64 } = shared;
  let x = -f64[POSE + 9];
  let y = -f64[POSE + 10];
  let z = -f64[POSE + 11];
  const p = a.center;
  const q = b.center;
  if (q !== ORIGIN) {
    x -= f64[POSE] * q[0] + f64[POSE + 1] * q[1] + f64[POSE + 2] * q[2];
    y -= f64[POSE + 3] * q[0] + f64[POSE + 4] * q[1] + f64[POSE + 5] * q[2];
    z -= f64[POSE + 6] * q[0] + f64[POSE + 7] * q[1] + f64[POSE + 8] * q[2];
  }
  if (p !== ORIGIN) {
    x += p[0];
    y += p[1];
    z += p[2];
  }
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
  setFirstDirection(a, b);
  readAnswer(out, shared.functions.convexMeasure(bound, mode));
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
  setFirstDirection(a, b);
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
  readAnswer(out, shared.functions.convexMeasure(bound, SIGNED));
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
  openPair(a.core, b.core, X_AB);
  setFirstDirection(a.core, b.core);
  readAnswer(out, ask(a, b, bound, mode));
}

/** The kernel's answer for the pair in the shared area. */
function ask(a: Collider, b: Collider, bound: number, mode: number): number {
  const { functions } = shared;
  if (pairCache === null) return functions.convexMeasure(bound, mode);
  const code = functions.convexGjk(bound + a.core.radius + b.core.radius, pairCache.recall(a.core, b.core));
  pairCache.remember(a.core, b.core);
  return functions.convexAnswer(code, mode === SIGNED ? 1 : 0);
}

function writeTurned(out: Float64Array, X: Transform, isReversed: boolean): void {
  const { f64 } = shared;
  const sign = isReversed ? -1 : 1;
  const x = sign * f64[RESULT + 1];
  const y = sign * f64[RESULT + 2];
  const z = sign * f64[RESULT + 3];
  out[0] = X[0] * x + X[1] * y + X[2] * z;
  out[1] = X[3] * x + X[4] * y + X[5] * z;
  out[2] = X[6] * x + X[7] * y + X[8] * z;
}

function writeMoved(out: Float64Array, X: Transform, at: number): void {
  const { f64 } = shared;
  const x = f64[at];
  const y = f64[at + 1];
  const z = f64[at + 2];
  out[0] = X[0] * x + X[1] * y + X[2] * z + X[9];
  out[1] = X[3] * x + X[4] * y + X[5] * z + X[10];
  out[2] = X[6] * x + X[7] * y + X[8] * z + X[11];
}

/** Hands a pair over as it stands in world. */
function openPlaced(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform): void {
  if (a.isPlain && b.isPlain) {
    openSizes(a.coreKind, a.sizes, b.coreKind, b.sizes);
    const { f64 } = shared;
    relativeTransformAt(f64, POSE, X_WA, X_WB);
    // These cores are about their frames' origins.
    const x = f64[POSE + 9];
    const y = f64[POSE + 10];
    const z = f64[POSE + 11];
    f64[V] = x === 0 && y === 0 && z === 0 ? 1 : -x;
    f64[V + 1] = -y;
    f64[V + 2] = -z;
    return;
  }
  openCores(a.core, b.core);
  relativeTransformAt(shared.f64, POSE, X_WA, X_WB);
  setFirstDirection(a.core, b.core);
}

/** Whether two convex shapes come within the bound, in this order. */
export function isConvexWithin(
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  limit: Readonly<{ bound: number }>,
): boolean {
  openPlaced(a, X_WA, b, X_WB);
  const code = ask(a, b, limit.bound, WITHIN);
  return code !== CONVEX_BEYOND && (code === CONVEX_COLLIDES || shared.f64[RESULT] <= limit.bound);
}

/**
 * The same from poses in world, with the answer in world, for (b, a) if `exchanged`. What is in between goes from the poses to the
 * kernel and from there to the result, each number once.
 */
export function measureConvexPlaced(
  out: DistanceResult,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  limit: Readonly<{ bound: number; mode: number; exchanged: boolean }>,
): void {
  openPlaced(a, X_WA, b, X_WB);
  const { mode, exchanged } = limit;
  const code = ask(a, b, limit.bound, mode);
  const { f64 } = shared;
  const distance = f64[RESULT];
  out.featureA = -1;
  out.featureB = -1;
  out.distance = distance;
  if (code === CONVEX_BEYOND) out.status = 'beyond-bound';
  else if (code === CONVEX_COLLIDES) out.status = 'collides';
  else {
    out.status = code === CONVEX_LIMIT ? 'iteration-limit' : 'ok';
    if (mode === WITHIN) return;
    writeTurned(out.normal, X_WA, exchanged);
    writeMoved(exchanged ? out.pointB : out.pointA, X_WA, RESULT + 4);
    writeMoved(exchanged ? out.pointA : out.pointB, X_WA, RESULT + 7);
  }
}

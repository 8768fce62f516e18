/**
 * The one table of shape pairs, and the way every query enters it.
 *
 * Dispatch is by small integer codes (pair-matrix.ts); nothing here allocates.
 */
import { TOUCHING, touchingTolerance } from '../math/tolerance.js';
import { relativeTransform, type Transform } from '../math/transform.js';
import { measureBoxBox } from './box-box.js';
import { measureClosedFormWithin, measureFormPair } from './closed-forms.js';
import {
  BOX,
  CAPSULE,
  CONE,
  CONVEX_CODES,
  type Collider,
  CYLINDER,
  ELLIPSOID,
  GROUP,
  HALFSPACE,
  MESH,
  ROUNDED,
  SPHERE,
} from './collider.js';
import { writeCommonPoint } from './common-point.js';
import { measureConvexPlaced, setPairCache } from './convex-pairs.js';
import { measureGroup } from './group-pairs.js';
import { measureConvexHalfSpace, measureHalfSpaceHalfSpace, measureHalfSpaceMesh } from './halfspace-pairs.js';
import { measureConvexMesh } from './mesh-convex.js';
import { measureMeshMesh } from './mesh-mesh.js';
import type { PairCache } from './pair-cache.js';
import { isConvexPair, isExchanged, pairFunction, setPair, turnResult } from './pair-matrix.js';
import { GAP, SIGNED, setBeyond, swapResult, WITHIN } from './pair-result.js';
import type { DistanceResult, PairOptions } from './query.js';

for (const b of [SPHERE, CAPSULE, BOX, CYLINDER, CONE, ELLIPSOID, ROUNDED]) setPair(SPHERE, b, measureFormPair);
setPair(CAPSULE, CAPSULE, measureFormPair);
setPair(BOX, BOX, measureBoxBox);
for (const a of CONVEX_CODES) {
  setPair(a, HALFSPACE, measureConvexHalfSpace);
  setPair(a, MESH, measureConvexMesh);
}
for (const a of [...CONVEX_CODES, HALFSPACE, MESH, GROUP]) setPair(a, GROUP, measureGroup);
setPair(HALFSPACE, HALFSPACE, measureHalfSpaceHalfSpace);
setPair(HALFSPACE, MESH, measureHalfSpaceMesh);
setPair(MESH, MESH, measureMeshMesh);

const X = new Float64Array(12);

/** What is asked: modes as in pair-result.ts. */
export type PairLimit = Readonly<{ bound: number; mode: number; cache?: PairCache | null }>;

/** The pair's touching tolerance: the caller's, or the default of query.ts. */
export function resolveTolerance(
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  options: PairOptions | undefined,
): number {
  a.requireReady();
  b.requireReady();
  return options?.tolerance ?? findTolerance(a, X_WA, b, X_WB);
}

/** The default tolerance of two colliders that are ready. */
export function findTolerance(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform): number {
  const coordinate = Math.max(
    Math.max(Math.abs(X_WA[9]), Math.abs(X_WB[9])),
    Math.max(Math.abs(X_WA[10]), Math.abs(X_WB[10])),
    Math.max(Math.abs(X_WA[11]), Math.abs(X_WB[11])),
  );
  return touchingTolerance(2 * Math.max(a.sizes[4], b.sizes[4]), coordinate);
}

/** Room for the rounding of a few squares. */
const SURELY = 1 + 1e-12;

/** Whether a distance counts as contact by the default tolerance: `result.distance`, since a number handed over goes to the heap. */
export function isTouching(
  result: Readonly<{ distance: number }>,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
): boolean {
  const { distance } = result;
  if (distance <= 0) return true;
  // (x + y)^2 <= 2 (x^2 + y^2), and the largest of squares is no more than their sum.
  const extent = a.sizes[4] + b.sizes[4];
  const squares =
    4 * extent * extent +
    (X_WA[9] * X_WA[9] + X_WA[10] * X_WA[10] + X_WA[11] * X_WA[11]) +
    (X_WB[9] * X_WB[9] + X_WB[10] * X_WB[10] + X_WB[11] * X_WB[11]);
  if (distance * distance > 2 * SURELY * TOUCHING * TOUCHING * squares) return false;
  return distance <= findTolerance(a, X_WA, b, X_WB);
}

/** Square of the distance between the centres of the colliders' balls. */
function squareOfCenters(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform): number {
  let x = X_WA[9] - X_WB[9];
  let y = X_WA[10] - X_WB[10];
  let z = X_WA[11] - X_WB[11];
  if (!a.isCentered) {
    const p = a.center;
    x += X_WA[0] * p[0] + X_WA[1] * p[1] + X_WA[2] * p[2];
    y += X_WA[3] * p[0] + X_WA[4] * p[1] + X_WA[5] * p[2];
    z += X_WA[6] * p[0] + X_WA[7] * p[1] + X_WA[8] * p[2];
  }
  if (!b.isCentered) {
    const q = b.center;
    x -= X_WB[0] * q[0] + X_WB[1] * q[1] + X_WB[2] * q[2];
    y -= X_WB[3] * q[0] + X_WB[4] * q[1] + X_WB[5] * q[2];
    z -= X_WB[6] * q[0] + X_WB[7] * q[1] + X_WB[8] * q[2];
  }
  return x * x + y * y + z * z;
}

/** The bounding spheres' gap: a lower bound of the distance, -Infinity with a half-space. */
export function boundGap(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform): number {
  return Math.sqrt(squareOfCenters(a, X_WA, b, X_WB)) - a.sizes[5] - b.sizes[5];
}

const placed = { bound: Infinity, mode: SIGNED, exchanged: false };

/** Room for rounding in squares of spheres' distances. */
const OUTSIDE = 1 + 4e-12;
const INSIDE = 1 - 1e-9;

/** By spheres alone: 1 when the colliders are farther apart than the bound, -1 when they overlap, 0 when neither is certain. */
export function compareSpheres(a: Collider, X_WA: Transform, b: Collider, X_WB: Transform, limit: PairLimit): number {
  const squared = squareOfCenters(a, X_WA, b, X_WB);
  const { bound } = limit;
  const outer = a.sizes[5] + b.sizes[5] + bound;
  if (squared > OUTSIDE * outer * outer && outer > 0) return 1;
  // Without a ball the middle need not be in the shape.
  const innerA = a.sizes[6];
  const innerB = b.sizes[6];
  const inner = innerA + innerB;
  return bound >= 0 && innerA > 0 && innerB > 0 && squared <= INSIDE * inner * inner ? -1 : 0;
}

/** Pair query in world frames; points and normal come back in world unless the status is 'beyond-bound' or mode WITHIN. */
export function measurePair(
  out: DistanceResult,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  limit: PairLimit,
): void {
  a.requireReady();
  b.requireReady();
  measureReady(out, a, X_WA, b, X_WB, limit);
}

/** The same for colliders that are ready. */
export function measureReady(
  out: DistanceResult,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  limit: PairLimit,
): void {
  out.childA = -1;
  out.childB = -1;
  if (measureClosedFormWithin(out, a, X_WA, b, X_WB, limit)) return;
  // A search without a bound has no use for spheres.
  if (limit.bound !== Infinity) {
    const gap = boundGap(a, X_WA, b, X_WB);
    // Rounding of the spheres must not decide near the bound.
    if (gap > limit.bound + 1e-12 * (a.sizes[5] + b.sizes[5] + Math.abs(gap))) {
      out.featureA = -1;
      out.featureB = -1;
      setBeyond(out, gap);
      return;
    }
  }
  searchPair(out, a, X_WA, b, X_WB, limit);
}

/** The same by the pair table, without a look at spheres. */
export function searchPair(
  out: DistanceResult,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  limit: PairLimit,
): void {
  setPairCache(limit.cache ?? null);
  const isSwapped = isExchanged(a, b);
  if (isConvexPair(a, b)) {
    placed.bound = limit.bound;
    placed.mode = limit.mode;
    placed.exchanged = isSwapped;
    if (isSwapped) measureConvexPlaced(out, b, X_WB, a, X_WA, placed);
    else measureConvexPlaced(out, a, X_WA, b, X_WB, placed);
    return;
  }
  if (!isSwapped) {
    relativeTransform(X, X_WA, X_WB);
    pairFunction(a, b)(out, a, b, X, limit.bound, limit.mode);
    if (limit.mode !== WITHIN) turnResult(out, X_WA);
  } else {
    relativeTransform(X, X_WB, X_WA);
    pairFunction(b, a)(out, b, a, X, limit.bound, limit.mode);
    swapResult(out);
    if (limit.mode !== WITHIN) turnResult(out, X_WB);
  }
}

const shallow = { bound: Infinity, mode: SIGNED, cache: null as PairCache | null };

/**
 * As `measurePair` SIGNED, but a depth that would have to be searched for is left out: the overlap has status 'collides', distance
 * 0, a point that both shapes hold, and the normal of the parts that meet there.
 */
export function measureWithoutDepth(
  out: DistanceResult,
  a: Collider,
  X_WA: Transform,
  b: Collider,
  X_WB: Transform,
  limit: Readonly<{ bound: number; cache?: PairCache | null }>,
): void {
  const isSearched = !(a.hasCore && b.hasCore) && a.type !== HALFSPACE && b.type !== HALFSPACE;
  shallow.bound = limit.bound;
  shallow.cache = limit.cache ?? null;
  shallow.mode = isSearched ? GAP : SIGNED;
  measurePair(out, a, X_WA, b, X_WB, shallow);
  if (!isSearched || out.status !== 'collides') return;
  relativeTransform(X, X_WA, X_WB);
  if (writeCommonPoint(out, a, b, X)) {
    out.distance = 0;
    turnResult(out, X_WA);
    return;
  }
  // Touching to rounding: there is no depth to search for.
  shallow.mode = SIGNED;
  measurePair(out, a, X_WA, b, X_WB, shallow);
}

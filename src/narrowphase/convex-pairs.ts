/**
 * Signed distance of any two convex shapes: GJK on the cores, EPA and the width descent where they overlap, radii
 * subtracted at the end.
 *
 * Method: 1. GJK with bound + radii; 2. apart: the closest points, moved out by the radii; 3. cores overlapping or
 * touching: the penetration of the cores plus the radii, which is the exact depth because the difference of inflated
 * shapes is the inflated difference of the cores.
 * Frames: A's frame, X_AB. Status: 'iteration-limit' when GJK or the depth search ended on a limit.
 * Cost: 0.3-1 us apart, a few microseconds in penetration. Checked by test/contract/shape-pairs.test.ts.
 */
import { CORE_POINTS, type SupportCore } from '../geometry/support.js';
import type { Transform } from '../math/transform.js';
import type { Collider } from './collider.js';
import { EpaState } from './epa.js';
import { GJK_BEYOND, GJK_LIMIT, GJK_OVERLAP, GJK_SEPARATED, runGjk } from './gjk.js';
import { GjkState } from './gjk-state.js';
import type { PairCache } from './pair-cache.js';
import { SIGNED, setBeyond, setNormal } from './pair-function.js';
import { computePenetration } from './penetration.js';
import type { DistanceResult } from './query.js';
import { combineWitness } from './simplex.js';

const state = new GjkState();
const penetration = new EpaState();
/** Gap of inflated cores, per unit of scale, below which the direction of v is rounding noise. */
const NOISY_GAP = 1e-11;

/** The cache of the query under way, if its caller gave one. */
let pairCache: PairCache | null = null;

/** Sets the warm start of the query that follows, or takes it away. */
export function setPairCache(cache: PairCache | null): void {
  pairCache = cache;
}

/** GJK and EPA rounds since the module was loaded; queries report differences. */
export function countRounds(): number {
  return state.rounds;
}

/** A first search direction: from B's middle to A's. */
function setFirstDirection(a: SupportCore, b: SupportCore, X: Transform): void {
  const { v } = state;
  v[0] = -X[9];
  v[1] = -X[10];
  v[2] = -X[11];
  if (b.kind === CORE_POINTS) {
    const { points: p } = b;
    v[0] -= X[0] * p[0] + X[1] * p[1] + X[2] * p[2];
    v[1] -= X[3] * p[0] + X[4] * p[1] + X[5] * p[2];
    v[2] -= X[6] * p[0] + X[7] * p[1] + X[8] * p[2];
  }
  if (a.kind === CORE_POINTS) for (let k = 0; k < 3; k++) v[k] += a.points[k];
  if (v[0] === 0 && v[1] === 0 && v[2] === 0) v[0] = 1;
}

function writePenetration(out: DistanceResult, radiusA: number, radiusB: number): void {
  const exact = computePenetration(penetration, state);
  const { normal, pointA, pointB, depth } = penetration;
  out.status = exact ? 'ok' : 'iteration-limit';
  out.distance = -depth - radiusA - radiusB;
  for (let k = 0; k < 3; k++) {
    out.normal[k] = normal[k];
    out.pointA[k] = pointA[k] + radiusA * normal[k];
    out.pointB[k] = pointB[k] - radiusB * normal[k];
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
  state.a = a;
  state.b = b;
  for (let k = 0; k < 12; k++) state.X[k] = X_AB[k];
  setFirstDirection(a, b, X_AB);
  measurePrepared(out, bound, mode, null);
}

/** The same with a known first direction from B to A, such as a separating axis. */
export function measureCoresAlong(
  out: DistanceResult,
  a: SupportCore,
  b: SupportCore,
  X_AB: Transform,
  direction: Float64Array,
  bound: number,
): void {
  state.a = a;
  state.b = b;
  for (let k = 0; k < 12; k++) state.X[k] = X_AB[k];
  for (let k = 0; k < 3; k++) state.v[k] = direction[k];
  measurePrepared(out, bound, SIGNED, null);
}

function measurePrepared(out: DistanceResult, bound: number, mode: number, cache: PairCache | null): void {
  const radiusA = state.a.radius;
  const radiusB = state.b.radius;
  const radius = radiusA + radiusB;
  out.featureA = -1;
  out.featureB = -1;
  const code = runGjk(state, bound + radius, cache ? cache.recall(state) : 0);
  cache?.remember(state);
  if (code === GJK_BEYOND) {
    setBeyond(out, state.lowerBound - radius);
    return;
  }
  const { v } = state;
  const gap = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (code === GJK_OVERLAP || (radius > 0 && gap <= NOISY_GAP * state.scale)) {
    if (mode === SIGNED) {
      writePenetration(out, radiusA, radiusB);
      return;
    }
    out.status = 'collides';
    out.distance = -radius;
    return;
  }
  out.status = code === GJK_LIMIT ? 'iteration-limit' : 'ok';
  out.distance = gap - radius;
  const x = -v[0] / gap;
  const y = -v[1] / gap;
  const z = -v[2] / gap;
  setNormal(out, x, y, z);
  const { pointA, pointB } = out;
  combineWitness(pointA, pointB, state);
  pointA[0] += radiusA * x;
  pointA[1] += radiusA * y;
  pointA[2] += radiusA * z;
  pointB[0] -= radiusB * x;
  pointB[1] -= radiusB * y;
  pointB[2] -= radiusB * z;
}

/**
 * A plane between two convex shapes that is nearly as far from both as can be: writes its normal, A to B in A's frame, and
 * their gap along it as the distance, at least (1 - `part`) of the true one. False when there is none, or hardly one.
 */
export function separateConvex(
  out: DistanceResult,
  a: Collider,
  b: Collider,
  X_AB: Transform,
  cache: PairCache,
  part: number,
): boolean {
  state.a = a.core;
  state.b = b.core;
  for (let k = 0; k < 12; k++) state.X[k] = X_AB[k];
  setFirstDirection(a.core, b.core, X_AB);
  // Newton's method makes curved cores exact for less than a rough answer costs without it.
  const isCurved = a.core.isCurved || b.core.isCurved;
  const code = runGjk(state, Infinity, cache.recall(state), isCurved ? 0 : part);
  cache.remember(state);
  if (code !== GJK_SEPARATED) return false;
  const { v } = state;
  const norm = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const gap = Math.min(state.lowerBound, norm) - a.core.radius - b.core.radius;
  if (!(gap > 0)) return false;
  out.distance = gap;
  setNormal(out, -v[0] / norm, -v[1] / norm, -v[2] / norm);
  return true;
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
  state.a = a.core;
  state.b = b.core;
  for (let k = 0; k < 12; k++) state.X[k] = X_AB[k];
  setFirstDirection(a.core, b.core, X_AB);
  measurePrepared(out, bound, mode, pairCache);
}

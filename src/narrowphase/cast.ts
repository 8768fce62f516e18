/**
 * Continuous collision of two moving colliders by conservative advancement: when do they first touch?
 *
 * Method, with both shapes moving over t in [0, 1] (mover.ts: straight translation with slerp, or screws):
 * 1. while the bounding spheres are apart, their gap over the bound of their closing speed is a step;
 * 2. distance d and normal n (A to B) at t; d <= tolerance is a hit; while convex shapes are clearly apart, any plane
 *    between them will do, with d the gap along its normal n;
 * 3. bound the closing speed. Convex shapes: n separates them, so only motion along n closes the gap,
 *    mu = n . (v_A - v_B) + sum of the turning parts along n; mu <= 0 means this gap never closes again. Meshes: the nearest
 *    points may change sides, so mu = |v_A - v_B| + sum of the turning parts;
 * 4. no contact can happen before t + (d - tolerance / 2) / mu; convex shapes step farther where the motion of the
 *    points that reach farthest along n, to second order, allows it: go there and repeat from 2, each query started from
 *    the last (pair-cache.ts).
 * Source: Mirtich 1996, "Impulse-based dynamic simulation of rigid body systems", section 2.3; Tang, Kim, Manocha 2009,
 * "C2A: controlled conservative advancement for continuous collision detection", doi:10.1109/ROBOT.2009.5152234.
 *
 * Frames: W. `time` is a fraction of the motion; a hit is never missed: advancement stops short of the first contact by
 * at most the tolerance. Ends: `ok`; `iteration-limit` counts as a hit at the time reached (grazing motions).
 * Cost: one distance query per iteration, 3 to 20 of them; nothing is allocated. Half-spaces must not turn.
 * Tested by cast.test.ts and test/oracle/casts.test.ts.
 */
import { relativeTransform, type Transform } from '../math/transform.js';
import type { Vec3 } from '../math/vec3.js';
import { CAPSULE, CONVEX, type Collider, HALFSPACE, MESH } from './collider.js';
import { separateConvex } from './convex-pairs.js';
import { Mover } from './mover.js';
import { createPairCache } from './pair-cache.js';
import { SIGNED } from './pair-function.js';
import { boundGap, measurePair, resolveTolerance } from './pair-table.js';
import { createDistanceResult, type QueryStats, type QueryStatus } from './query.js';
import { addCounts, requireOption, requirePoses, startCounts } from './query-door.js';

export interface CastMotion {
  /** X_WA at t = 0 and t = 1. */
  readonly a0: Transform;
  readonly a1: Transform;
  readonly b0: Transform;
  readonly b1: Transform;
  /**
   * How both bodies get from start to end. 'slerp' (default): the frame's origin on a straight line, the rotation about a fixed
   * axis. 'screw': one rotation about a fixed line with translation along it. Both turn the shorter way, evenly.
   */
  readonly path?: 'slerp' | 'screw';
}

export interface CastOptions {
  /** Closer than this is a hit. Default 1e-7 x the sum of both shapes' extents. */
  readonly tolerance?: number;
  /** Default 1000. */
  readonly maxIterations?: number;
  /** Report pairs that overlap at t = 0 only if they are approaching. Default false: they hit at time 0. */
  readonly ignoreInitialOverlap?: boolean;
  readonly stats?: QueryStats;
}

export interface CastResult {
  status: QueryStatus;
  hit: boolean;
  /** Of first contact, in [0, 1]; 1 without a hit. */
  time: number;
  /** Midpoint of the witness points at `time`, in W. */
  readonly point: Vec3;
  /** From A to B at `time`, in W. */
  readonly normal: Vec3;
  /** Minus the signed distance at t = 0. */
  depthAtStart: number;
  iterations: number;
}

export function createCastResult(): CastResult {
  return {
    status: 'ok',
    hit: false,
    time: 1,
    point: new Float64Array(3),
    normal: new Float64Array(3),
    depthAtStart: 0,
    iterations: 0,
  };
}

const moverA = new Mover();
const moverB = new Mover();
const near = createDistanceResult();
const limit = { bound: Infinity, mode: SIGNED, cache: createPairCache() };
const X_AB = new Float64Array(12);
/** A plane is good enough to step by when the gap along it is within this part of the distance. */
const NEARLY = 0.02;
/** Spheres apart by this part of their radii are worth a step of their own. */
const SPHERES_APART = 0.05;
const DEFAULT_TOLERANCE = 1e-7;
const DEFAULT_ITERATIONS = 1000;

/** Writes and returns `result`. Throws on motions that are not finite, and on a half-space that turns. */
export function castPair(
  result: CastResult,
  a: Collider,
  b: Collider,
  motion: CastMotion,
  options: CastOptions = {},
): CastResult {
  requirePoses('castPair', motion.a0, motion.a1);
  requirePoses('castPair', motion.b0, motion.b1);
  requireOption('castPair', 'tolerance', options.tolerance);
  requireOption('castPair', 'maxIterations', options.maxIterations);
  const isScrew = motion.path === 'screw';
  // The pair table holds every pair in one order; asked in that order, one cache serves all queries of the cast.
  const isTurned = a.type > b.type;
  const first = isTurned ? b : a;
  const second = isTurned ? a : b;
  moverA.prepare(first, isTurned ? motion.b0 : motion.a0, isTurned ? motion.b1 : motion.a1, isScrew);
  moverB.prepare(second, isTurned ? motion.a0 : motion.b0, isTurned ? motion.a1 : motion.b1, isScrew);
  if ((first.type === HALFSPACE && moverA.angle > 0) || (second.type === HALFSPACE && moverB.angle > 0))
    throw new Error('castPair: a half-space turns, expected it to move without rotation');
  const extent = finiteExtent(a) + finiteExtent(b);
  const tolerance = options.tolerance ?? DEFAULT_TOLERANCE * extent;
  const maxIterations = options.maxIterations ?? DEFAULT_ITERATIONS;
  // A separating plane of two convex shapes stays one; half-spaces are convex, meshes and groups are not.
  const directed = a.type < MESH && b.type < MESH;
  const { stats } = options;
  if (stats) startCounts();
  limit.cache.reset();
  result.status = 'ok';
  result.hit = false;
  result.time = 1;
  const t = advance(result, first, second, {
    tolerance,
    maxIterations,
    directed,
    ignoreOverlap: options.ignoreInitialOverlap === true,
  });
  if (stats) addCounts(stats);
  if (t >= 0) reportHit(result, t, isTurned ? -1 : 1);
  return result;
}

interface Advance {
  readonly tolerance: number;
  readonly maxIterations: number;
  readonly directed: boolean;
  readonly ignoreOverlap: boolean;
}

/** Time of the first contact, -1 without one. */
function advance(result: CastResult, a: Collider, b: Collider, request: Advance): number {
  const { tolerance, directed } = request;
  const spheres = SPHERES_APART * (a.boundingRadius + b.boundingRadius);
  const fastest = meshSpeed();
  // Spheres and pairs of capsules have closed forms that cost less.
  const byPlane = isConvex(a) && isConvex(b) && a.type + b.type > 2 * CAPSULE;
  const bounded = directed && a.type <= CONVEX && b.type <= CONVEX;
  let t = 0;
  let leaving = false;
  for (result.iterations = 0; result.iterations < request.maxIterations; result.iterations++) {
    moverA.moveTo(t);
    moverB.moveTo(t);
    // The first query is a real one: the depth at the start is part of the answer.
    if (t > 0 && !leaving) {
      const gap = boundGap(a, moverA.X, b, moverB.X);
      if (gap > spheres) {
        if (fastest === 0) return -1;
        t += (gap - 0.5 * tolerance) / fastest;
        if (!(t <= 1)) return -1;
        continue;
      }
    }
    if (byPlane && t > 0 && !leaving && findPlane(a, b) && near.distance > 4 * tolerance) {
      const closing = closingSpeed();
      if (closing <= 0) return -1;
      t += findStep(a, b, closing, tolerance, 1 - t);
      if (!(t <= 1)) return -1;
      continue;
    }
    measurePair(near, a, moverA.X, b, moverB.X, limit);
    if (t === 0) result.depthAtStart = near.distance === 0 ? 0 : -near.distance;
    const speed = directed ? closingSpeed() : fastest;
    const touching = resolveTolerance(a, moverA.X, b, moverB.X, undefined);
    if (near.status === 'collides' || near.distance <= Math.max(tolerance, touching)) {
      leaving = request.ignoreOverlap && (t === 0 || leaving) && closingSpeed() <= 0;
      if (!leaving) return t;
      // Apart again no sooner than the depth takes; step on by the tolerance while still inside.
      if (speed === 0) return -1;
      t += Math.max(tolerance, Math.abs(near.distance)) / Math.max(fastest, Number.MIN_VALUE);
    } else {
      leaving = false;
      if (speed <= 0) return -1;
      t += bounded ? findStep(a, b, speed, tolerance, 1 - t) : (near.distance - 0.5 * tolerance) / speed;
    }
    if (!(t <= 1)) return -1;
  }
  result.status = 'iteration-limit';
  return t;
}

const isConvex = (c: Collider): boolean => c.type >= CAPSULE && c.type <= CONVEX;

/** A separating plane at the movers' poses, into `near`. */
function findPlane(a: Collider, b: Collider): boolean {
  relativeTransform(X_AB, moverA.X, moverB.X);
  if (!separateConvex(near, a, b, X_AB, limit.cache, NEARLY)) return false;
  const { X } = moverA;
  const { normal: n } = near;
  const x = n[0];
  const y = n[1];
  const z = n[2];
  for (let k = 0; k < 3; k++) n[k] = X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z;
  return true;
}

/**
 * A step that keeps convex shapes half the tolerance apart along the current normal; more than `rest` when they stay apart.
 * `speed` bounds the closing speed at any time and gives one step. The other follows the shapes to second order: the
 * gap is at least a concave function of the step, so a chord from its start meets the tolerance too early, never too late.
 */
function findStep(a: Collider, b: Collider, speed: number, tolerance: number, rest: number): number {
  const room = near.distance - 0.5 * tolerance;
  const plain = room / speed;
  if (plain > rest || moverA.angle + moverB.angle === 0) return plain;
  moverA.measureReach(a.core, near.normal, 1);
  moverB.measureReach(b.core, near.normal, -1);
  const closing = moverA.speed + moverB.speed;
  const step = closing > 0 ? Math.min(rest, room / closing) : rest;
  const grown = moverA.growth(a.core, step) + moverB.growth(b.core, step);
  if (grown > room) return Math.max(plain, (step * room) / grown);
  return step === rest ? 2 * rest : Math.max(plain, step);
}

function reportHit(result: CastResult, t: number, sign: number): void {
  result.hit = true;
  result.time = t;
  for (let i = 0; i < 3; i++) result.normal[i] = sign * near.normal[i];
  for (let i = 0; i < 3; i++) result.point[i] = 0.5 * (near.pointA[i] + near.pointB[i]);
}

function finiteExtent(collider: Collider): number {
  return collider.type === HALFSPACE ? 0 : collider.extent;
}

/** Bound of how fast the gap along the current normal closes. */
function closingSpeed(): number {
  const n = near.normal;
  let along = 0;
  for (let i = 0; i < 3; i++) along += n[i] * (moverA.velocityAt(i) - moverB.velocityAt(i));
  return along + moverA.spinAlong(n) + moverB.spinAlong(n);
}

/** Bound of how fast any two points approach. */
function meshSpeed(): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) sum += (moverA.velocityAt(i) - moverB.velocityAt(i)) ** 2;
  return Math.sqrt(sum) + moverA.spin() + moverB.spin();
}

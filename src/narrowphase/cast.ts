/**
 * Continuous collision of two moving colliders by conservative advancement: when do they first touch?
 *
 * Method, with both shapes moving over t in [0, 1] (rigid-motion.ts: straight translation with slerp, or screws):
 * convex shapes, when apart: assembly/convex/cast-convex.ts, from a plane between them: across the line of the bounding spheres' centres, or
 * across the nearest points. Against a half-space the plane is its own, and assembly/mesh/cast-axis.ts
 * follows the gap.
 * Meshes and groups: 1. while the bounding spheres are apart, their gap over the bound of their closing speed is a step;
 * 2. distance d at t; d <= tolerance is a hit; 3. the nearest points may change sides, so the closing speed is bounded by
 * mu = |v_A - v_B| + sum of the turning parts: no contact can happen before t + (d - tolerance / 2) / mu; go there and repeat
 * from 2.
 * Source: Mirtich 1996, "Impulse-based dynamic simulation of rigid body systems", section 2.3; Tang, Kim, Manocha 2009,
 * "C2A: controlled conservative advancement for continuous collision detection", doi:10.1109/ROBOT.2009.5152234.
 *
 * Frames: W. `time` is a fraction of the motion; a hit is never missed: advancement stops short of the first contact by
 * at most the tolerance. Ends: `ok`; `iteration-limit` counts as a hit at the time reached (grazing motions).
 * Cost: convex shapes 1 to 6 us; else one distance query per iteration, 3 to 20 of them; nothing is allocated. Half-spaces
 * must not turn. Tested by cast.test.ts and test/oracle/casts.test.ts.
 */
import { requireFlag, requireObject, requireOneOf, throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Transform } from '../math/transform.js';
import type { Vec3 } from '../math/vec3.js';
import { type ApproachRequest, castConvex, castPlane } from './cast-kernel.js';
import { type Collider, HALFSPACE } from './collider.js';
import { boundGap, measurePair, measureWithoutDepth, resolveTolerance } from './measure-pair.js';
import {
  addCounts,
  requireColliders,
  requireOption,
  requirePoses,
  requireStats,
  startCounts,
} from './pair-arguments.js';
import { isExchanged } from './pair-matrix.js';
import { SIGNED } from './pair-result.js';
import { createDistanceResult, type QueryStats, type QueryStatus } from './query.js';
import { RigidMotion } from './rigid-motion.js';

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
  /**
   * Search for the depth of an overlap at t = 0 also where that takes some hundred times longer than the verdict: meshes and shapes
   * of parts. Default false. What is ignored at the start is always searched.
   */
  readonly depth?: boolean;
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
  /** Depth of the overlap at t = 0; 0 when the shapes are apart there, and where it would have to be searched for: see `depth`. */
  depthAtStart: number;
  /** Distance queries, or directions tried. */
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

const motionA = new RigidMotion();
const motionB = new RigidMotion();
const near = createDistanceResult();
const limit = { bound: Infinity, mode: SIGNED };
const approach: ApproachRequest = { tolerance: 0.5, fastest: 0.5, maxRounds: 0, rounds: 0 };
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
  requireColliders('castPair', a, b);
  if (result?.point?.length !== 3 || result.normal?.length !== 3)
    throwMisuse('castPair', 'result', result, 'what createCastResult returned');
  requireObject('castPair', 'motion', motion, 'an object with a0, a1, b0 and b1');
  if (motion.path !== undefined) requireOneOf('castPair', 'motion.path', motion.path, ['slerp', 'screw']);
  requireObject('castPair', 'options', options);
  if (options.stats !== undefined) requireStats('castPair', options.stats);
  if (options.ignoreInitialOverlap !== undefined)
    requireFlag('castPair', 'options.ignoreInitialOverlap', options.ignoreInitialOverlap);
  requirePoses('castPair', motion.a0, motion.a1);
  requirePoses('castPair', motion.b0, motion.b1);
  requireOption('castPair', 'tolerance', options.tolerance);
  requireOption('castPair', 'maxIterations', options.maxIterations);
  a.requireReady();
  b.requireReady();
  const isScrew = motion.path === 'screw';
  // The pair table holds every pair in one order.
  const isTurned = isExchanged(a, b);
  const first = isTurned ? b : a;
  const second = isTurned ? a : b;
  motionA.prepare(first, isTurned ? motion.b0 : motion.a0, isTurned ? motion.b1 : motion.a1, isScrew);
  motionB.prepare(second, isTurned ? motion.a0 : motion.b0, isTurned ? motion.a1 : motion.b1, isScrew);
  if ((first.type === HALFSPACE && motionA.angle > 0) || (second.type === HALFSPACE && motionB.angle > 0))
    throw new MisuseError('castPair: a half-space turns, expected it to move without rotation');
  const extent = finiteExtent(a) + finiteExtent(b);
  const tolerance = options.tolerance ?? DEFAULT_TOLERANCE * extent;
  const maxIterations = options.maxIterations ?? DEFAULT_ITERATIONS;
  const { stats } = options;
  if (stats) startCounts();
  result.status = 'ok';
  result.hit = false;
  result.time = 1;
  result.depthAtStart = 0;
  result.iterations = 0;
  const t = advance(result, first, second, {
    tolerance,
    maxIterations,
    ignoreOverlap: options.ignoreInitialOverlap === true,
    depth: options.depth === true || options.ignoreInitialOverlap === true,
  });
  if (stats) addCounts(stats);
  if (t >= 0) reportHit(result, t, isTurned ? -1 : 1);
  return result;
}

interface Advance {
  readonly tolerance: number;
  readonly maxIterations: number;
  readonly ignoreOverlap: boolean;
  readonly depth: boolean;
}

/** Time of the first contact, -1 without one. */
function advance(result: CastResult, a: Collider, b: Collider, request: Advance): number {
  const { tolerance, maxIterations } = request;
  // A plane between two convex shapes bounds all of both; nothing between meshes or groups does.
  const areBounded = a.hasCore && b.hasCore;
  const areConvex = areBounded || isPlaneAndConvex(a, b);
  const spheres = SPHERES_APART * (a.boundingRadius + b.boundingRadius);
  const fastest = boundSpeed();
  let t = 0;
  let leaving = false;
  while (result.iterations < maxIterations) {
    if (t > 0) {
      motionA.moveTo(t);
      motionB.moveTo(t);
    }
    const touching = Math.max(tolerance, resolveTolerance(a, motionA.X, b, motionB.X, undefined));
    const gap = leaving || (areConvex && t > 0) ? 0 : boundGap(a, motionA.X, b, motionB.X);
    const byCentres = areConvex && areBounded && gap > touching;
    if (byCentres) setCentreLine(a, b);
    else if (!areConvex && gap > Math.max(spheres, touching)) {
      result.iterations++;
      if (fastest === 0) return -1;
      t += (gap - 0.5 * tolerance) / fastest;
      if (!(t <= 1)) return -1;
      continue;
    } else {
      result.iterations++;
      if (request.depth) measurePair(near, a, motionA.X, b, motionB.X, limit);
      else measureWithoutDepth(near, a, motionA.X, b, motionB.X, limit);
      if (t === 0) result.depthAtStart = Math.max(0, -near.distance);
      if (near.status === 'collides' || near.distance <= touching) {
        leaving = request.ignoreOverlap && (t === 0 || leaving) && closingSpeed() <= 0;
        if (!leaving) return t;
        // Apart again no sooner than the depth takes; step on by the tolerance while still inside.
        if (fastest === 0) return -1;
        t += Math.max(tolerance, Math.abs(near.distance)) / fastest;
        if (!(t <= 1)) return -1;
        continue;
      }
      leaving = false;
    }
    if (!areConvex) {
      if (fastest === 0) return -1;
      t += (near.distance - 0.5 * tolerance) / fastest;
    } else {
      approach.tolerance = touching;
      approach.fastest = fastest;
      approach.maxRounds = maxIterations - result.iterations;
      if (!areBounded) t = castPlane(near, motionA, motionB, t, approach);
      else {
        t = castConvex(near, motionA, motionB, t, approach);
        result.iterations += approach.rounds;
        if (t <= 1 && near.status === 'ok') return t;
      }
    }
    if (!(t <= 1)) return -1;
  }
  result.status = 'iteration-limit';
  motionA.moveTo(t);
  motionB.moveTo(t);
  measureWithoutDepth(near, a, motionA.X, b, motionB.X, limit);
  return t;
}

/** The normal of `near` from A's bounding sphere to B's. */
function setCentreLine(a: Collider, b: Collider): void {
  const { X: A } = motionA;
  const { X: B } = motionB;
  const { center: p } = a;
  const { center: q } = b;
  const n = near.normal;
  for (let k = 0; k < 3; k++)
    n[k] =
      B[9 + k] -
      A[9 + k] +
      (B[3 * k] * q[0] + B[3 * k + 1] * q[1] + B[3 * k + 2] * q[2]) -
      (A[3 * k] * p[0] + A[3 * k + 1] * p[1] + A[3 * k + 2] * p[2]);
  const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (let k = 0; k < 3; k++) n[k] /= length;
}

function reportHit(result: CastResult, t: number, sign: number): void {
  result.hit = true;
  result.time = t;
  for (let i = 0; i < 3; i++) result.normal[i] = sign * near.normal[i];
  for (let i = 0; i < 3; i++) result.point[i] = 0.5 * (near.pointA[i] + near.pointB[i]);
}

/** Half-spaces are second. */
function isPlaneAndConvex(a: Collider, b: Collider): boolean {
  return b.type === HALFSPACE && (a.hasCore || a.type === HALFSPACE);
}

function finiteExtent(collider: Collider): number {
  return collider.type === HALFSPACE ? 0 : collider.extent;
}

/** Bound of how fast the gap along the current normal closes. */
function closingSpeed(): number {
  const n = near.normal;
  let along = 0;
  for (let i = 0; i < 3; i++) along += n[i] * (motionA.velocityAt(i) - motionB.velocityAt(i));
  return along + motionA.spinAlong(n) + motionB.spinAlong(n);
}

/** Bound of how fast any two points approach. */
function boundSpeed(): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) sum += (motionA.velocityAt(i) - motionB.velocityAt(i)) ** 2;
  return Math.sqrt(sum) + motionA.spin() + motionB.spin();
}

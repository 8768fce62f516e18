/**
 * Continuous collision of two moving colliders by conservative advancement: when do they first touch?
 *
 * Method, with both shapes moving over t in [0, 1] (straight translation of the frame origin, slerp of the rotation):
 * 1. distance d and normal n (A to B) at t; d <= tolerance is a hit;
 * 2. bound the closing speed. Convex shapes: n separates them, so only motion along n closes the gap,
 *    mu = n . (v_A - v_B) + sum of omega |n x axis| rho; mu <= 0 means this gap never closes again. Meshes: the nearest
 *    points may change sides, so mu = |v_A - v_B| + sum of omega rho. rho bounds how far a shape's points are from its
 *    frame's origin, in the plane across the axis;
 * 3. no contact can happen before t + (d - tolerance / 2) / mu: go there and repeat.
 * Source: Mirtich 1996, "Impulse-based dynamic simulation of rigid body systems", section 2.3; Tang, Kim, Manocha 2009,
 * "C2A: controlled conservative advancement for continuous collision detection", doi:10.1109/ROBOT.2009.5152234.
 *
 * Frames: W. `time` is a fraction of the motion; a hit is never missed: advancement stops short of the first contact by
 * at most the tolerance. Ends: `ok`; `iteration-limit` counts as a hit at the time reached (grazing motions).
 * Cost: one distance query per iteration, 5 to 50 of them; nothing is allocated. Half-spaces must not turn.
 * Tested by cast.test.ts and test/oracle/casts.test.ts.
 */
import { mat3ToQuat, quatToMat3, slerpQuat } from '../math/quat.js';
import { atan2 } from '../math/scalar.js';
import type { Transform } from '../math/transform.js';
import { normVec3, type Vec3 } from '../math/vec3.js';
import { type Collider, HALFSPACE, MESH } from './collider.js';
import { distance } from './distance.js';
import { createDistanceResult, type QueryStats, type QueryStatus } from './query.js';

export interface CastMotion {
  /** X_WA at t = 0 and t = 1. */
  readonly a0: Transform;
  readonly a1: Transform;
  readonly b0: Transform;
  readonly b1: Transform;
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

/** One body's motion, prepared for evaluation at any t. */
class Mover {
  readonly X = new Float64Array(12);
  private readonly from = new Float64Array(3);
  private readonly velocity = new Float64Array(3);
  private readonly q0 = new Float64Array(4);
  private readonly q1 = new Float64Array(4);
  private readonly q = new Float64Array(4);
  /** Axis of the relative rotation in W, angle per unit t. */
  private readonly axis = new Float64Array(3);
  angle = 0;
  /** Largest distance of a point of the shape from its frame's origin. */
  private radius = 0;

  prepare(collider: Collider, X0: Transform, X1: Transform): void {
    mat3ToQuat(this.q0, X0);
    mat3ToQuat(this.q1, X1);
    for (let i = 0; i < 3; i++) {
      this.from[i] = X0[9 + i];
      this.velocity[i] = X1[9 + i] - X0[9 + i];
    }
    this.measureRotation();
    this.radius = this.angle === 0 ? 0 : originRadius(collider);
    this.X.set(X0);
  }

  /** Rotation vector of q1 q0^-1, the shorter way round. */
  private measureRotation(): void {
    const [x0, y0, z0, w0] = this.q0;
    const [x1, y1, z1, w1] = this.q1;
    const w = w1 * w0 + x1 * x0 + y1 * y0 + z1 * z0;
    const sign = w < 0 ? -1 : 1;
    const { axis } = this;
    axis[0] = sign * (-w1 * x0 + x1 * w0 - y1 * z0 + z1 * y0);
    axis[1] = sign * (-w1 * y0 + y1 * w0 - z1 * x0 + x1 * z0);
    axis[2] = sign * (-w1 * z0 + z1 * w0 - x1 * y0 + y1 * x0);
    const sine = normVec3(axis);
    this.angle = sine < 1e-15 ? 0 : 2 * atan2(sine, Math.abs(w));
    for (let i = 0; i < 3; i++) axis[i] = this.angle === 0 ? 0 : axis[i] / sine;
  }

  moveTo(t: number): void {
    const { X, from, velocity } = this;
    if (this.angle > 0) quatToMat3(X, slerpQuat(this.q, this.q0, this.q1, t));
    for (let i = 0; i < 3; i++) X[9 + i] = from[i] + t * velocity[i];
  }

  velocityAt(i: number): number {
    return this.velocity[i];
  }

  /** Bound of any point's speed from rotation alone. */
  spin(): number {
    return this.angle === 0 ? 0 : this.angle * this.radius;
  }

  /** Bound of the speed from rotation along n: |n . (omega x r)| <= omega |n x axis| |r|. */
  spinAlong(n: Vec3): number {
    if (this.angle === 0) return 0;
    const { axis } = this;
    const x = n[1] * axis[2] - n[2] * axis[1];
    const y = n[2] * axis[0] - n[0] * axis[2];
    const z = n[0] * axis[1] - n[1] * axis[0];
    return this.angle * this.radius * Math.sqrt(x * x + y * y + z * z);
  }
}

function originRadius(collider: Collider): number {
  return normVec3(collider.center) + collider.boundingRadius;
}

const moverA = new Mover();
const moverB = new Mover();
const near = createDistanceResult();
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
  moverA.prepare(a, motion.a0, motion.a1);
  moverB.prepare(b, motion.b0, motion.b1);
  if ((a.type === HALFSPACE && moverA.angle > 0) || (b.type === HALFSPACE && moverB.angle > 0))
    throw new Error('castPair: a half-space turns, expected it to move without rotation');
  const extent = finiteExtent(a) + finiteExtent(b);
  const tolerance = options.tolerance ?? DEFAULT_TOLERANCE * extent;
  const limit = options.maxIterations ?? DEFAULT_ITERATIONS;
  // A separating plane of two convex shapes stays one; half-spaces are convex, meshes and groups are not.
  const directed = a.type < MESH && b.type < MESH;
  const request = { stats: options.stats };
  result.status = 'ok';
  result.hit = false;
  result.time = 1;
  let t = 0;
  let leaving = false;
  for (result.iterations = 0; result.iterations < limit; result.iterations++) {
    moverA.moveTo(t);
    moverB.moveTo(t);
    distance(near, a, moverA.X, b, moverB.X, request);
    if (t === 0) result.depthAtStart = near.distance === 0 ? 0 : -near.distance;
    const speed = directed ? closingSpeed() : meshSpeed();
    if (near.collides || near.distance <= tolerance) {
      leaving = options.ignoreInitialOverlap === true && (t === 0 || leaving) && closingSpeed() <= 0;
      if (!leaving) return reportHit(result, t);
      // Apart again no sooner than the depth takes; step on by the tolerance while still inside.
      if (speed === 0) return result;
      t += Math.max(tolerance, Math.abs(near.distance)) / Math.max(meshSpeed(), Number.MIN_VALUE);
    } else {
      leaving = false;
      if (speed <= 0) return result;
      t += (near.distance - 0.5 * tolerance) / speed;
    }
    if (!(t <= 1)) return result;
  }
  result.status = 'iteration-limit';
  return reportHit(result, t);
}

function reportHit(result: CastResult, t: number): CastResult {
  result.hit = true;
  result.time = t;
  result.normal.set(near.normal);
  for (let i = 0; i < 3; i++) result.point[i] = 0.5 * (near.pointA[i] + near.pointB[i]);
  return result;
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

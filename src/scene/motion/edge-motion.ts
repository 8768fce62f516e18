/**
 * How fast the bodies of a robot approach anything while its joints go straight from one configuration to another, and
 * for how long a gap cannot close.
 *
 * Method. Along an edge every joint k moves at a constant rate: a twist (l_k, w_k) in its moving frame. A point of body b,
 * seen from the frame of a joint c above it, is carried by the joints k between them, each with a speed of at most
 * u_k = |l_k| + |w_k| R_kb, where R_kb bounds its distance from joint k (sums of link lengths at the start, what sliding
 * joints add over the edge, and the body's own radius). Differentiating the product of their motions twice bounds the
 * acceleration: a <= sum over k of u_k (|w_k| + 2 sum over j above k of |w_j|). So with the velocity v known at time t,
 * the gap d to another body closes no sooner than after the s that solves v s + a s^2 / 2 = d, forwards and backwards.
 *  - The frame c is the last joint that both bodies hang on: what moves both alike closes no gap.
 *  - Bounding spheres: v is the speed of the centres along the line between them; turning a sphere changes nothing.
 *  - Convex shapes: n separates them, so v = n . (v_A - v_B) at the centres + sum of |n x w| r.
 *  - Meshes: as convex shapes by their hulls while those are apart (mesh-hulls.ts).
 *  - Other shapes: v = |v_A - v_B| + sum of |w| r.
 * The bound sum of u_k, which needs no configuration, counts where it is better.
 * Source: Schwarzer, Saha, Latombe 2005, "Adaptive dynamic collision checking for single and multiple articulated robots in
 * complex environments", IEEE Transactions on Robotics 21, section IV, doi:10.1109/TRO.2004.838012 (motion bounds by joint);
 * Zhang, Redon, Lee, Kim 2007, "Continuous collision detection for articulated models using Taylor models and temporal
 * culling", doi:10.1145/1276377.1276396 (order higher than first); the second-order bound is ours.
 *
 * Frames: W, M moving joint frame. t in [0, 1], speeds in metres per unit of t. Cost: O(bodies x depth) per edge, then one
 * forward kinematics per time looked at. Allocates only when the scene's bodies change or more pairs come up than ever.
 * Positions at a time are as coarse as the joint values there: where a rounding of those moves a body by more than the
 * pair's tolerance, as on edges of 10^9 rad, the times between say nothing. Such a pair counts as touching, unresolved; so
 * does a half-space that turns, which has no bound.
 * Tested by cast-robot.test.ts (bounds against dense stepping).
 */
import { createMotionData, type MotionData } from '../../kinematics/motion-data.js';
import { differenceConfiguration, interpolateConfiguration } from '../../model/configuration.js';
import type { Model } from '../../model/model.js';
import { type Collider, HALFSPACE } from '../../narrowphase/collider.js';
import { distance } from '../../narrowphase/distance.js';
import { createDistanceResult, type DistanceResult } from '../../narrowphase/query.js';
import { isWithinBound } from '../../narrowphase/tolerance.js';
import type { BodyPart } from '../bodies.js';
import { hasHulls, measureHulls } from '../queries/mesh-hulls.js';
import { setConfiguration } from '../robot.js';
import type { SceneBody, SceneRobot } from '../types.js';
import { updateRobot } from '../update.js';
import { boundBody } from './body-motion.js';

/** A body that hangs on a joint of the robot. */
export interface EdgeBody {
  readonly body: SceneBody;
  readonly joint: number;
  /** |X_JB c| + r: no point of the body is farther from its joint's moving frame. */
  readonly reach: number;
  /** Place of the body's sums in `speeds` and `bends`. */
  readonly at: number;
}

/** One part against another, with what bounds their approach over the whole edge. */
export class EdgePair {
  a: SceneBody | null = null;
  b: SceneBody | null = null;
  partA: BodyPart | null = null;
  partB: BodyPart | null = null;
  /** Joints that carry the parts; 0 for what stands still. */
  jointA = 0;
  jointB = 0;
  /** Last joint that both hang on. */
  common = 0;
  margin = 0;
  tolerance = 0;
  /** Bounds of the relative speed and of the relative acceleration. */
  fastest = 0;
  bend = 0;
  /** How far a rounding of the joint values moves one part against the other. */
  blur = 0;
  /** Until then the pair is known to be apart. */
  time = 0;
  /** Place among the edge's pairs. */
  order = 0;
}

/** Hulls farther apart than this share of the parts' radii need not be looked into. */
const HULL_SHARE = 1e-3;
/** Twist of one joint over the edge: six numbers [linear, angular] in M. */
const TWIST = 6;

function norm3(v: Float64Array, at: number): number {
  return Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
}

/** The first s at which v s + a s^2 / 2 reaches the gap, but never sooner than the top speed allows. */
function timeToClose(gap: number, v: number, a: number, fastest: number): number {
  let s = Infinity;
  if (a > 0) {
    const root = Math.sqrt(v * v + 2 * a * gap);
    s = v >= 0 ? (2 * gap) / (v + root) : (root - v) / a;
  } else if (v > 0) s = gap / v;
  return fastest > 0 ? Math.max(s, gap / fastest) : Infinity;
}

export class EdgeMotion {
  readonly robot: SceneRobot;
  readonly model: Model;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly q: Float64Array;
  /** Answers of `advance`: the gap stays open for so long, forwards and backwards; or it is closed. */
  forward = 0;
  backward = 0;
  touching = false;
  /** Touching only for want of a bound. */
  unresolved = false;
  /** Of the last `advance` that measured; its distance is a lower bound where the status says so. */
  readonly nearest: DistanceResult = createDistanceResult();
  /** Exact distances measured since the motion was made. */
  distances = 0;
  private readonly motion: MotionData;
  private readonly velocity: Float64Array;
  private readonly twists: Float64Array;
  private readonly linear: Float64Array;
  private readonly angular: Float64Array;
  /** Sum of |w| from the base to each joint. */
  private readonly turning: Float64Array;
  /** What one rounding of each joint's values does: its twist's linear and angular size. */
  private readonly linearStep: Float64Array;
  private readonly angularStep: Float64Array;
  private readonly depths: Int32Array;
  private readonly stride: number;
  /** Per body and depth: sums over the joints deeper than that. */
  private speeds = new Float64Array(0);
  private bends = new Float64Array(0);
  private blurs = new Float64Array(0);
  /** In W at the time moved to, 3 numbers per joint: velocity of the moving frame's origin, angular velocity. */
  private readonly originVelocities: Float64Array;
  private readonly turns: Float64Array;
  private readonly request = { upperBound: Infinity };
  private readonly centerA = new Float64Array(3);
  private readonly centerB = new Float64Array(3);
  /** Velocity of A's centre minus B's, seen from the common frame; relative angular velocities. */
  private readonly approach = new Float64Array(3);
  private readonly turnA = new Float64Array(3);
  private readonly turnB = new Float64Array(3);
  private readonly pointVelocity = new Float64Array(3);

  /** `isApart`: true only where two bodies are farther apart than a bound, as they stand; asked before distances are measured. */
  constructor(
    robot: SceneRobot,
    private readonly isApart: ((a: SceneBody, b: SceneBody, bound: number) => boolean) | null = null,
  ) {
    const { model } = robot;
    this.robot = robot;
    this.model = model;
    this.start = new Float64Array(model.nq);
    this.end = new Float64Array(model.nq);
    this.q = new Float64Array(model.nq);
    this.motion = createMotionData(model);
    this.velocity = new Float64Array(model.nv);
    this.twists = new Float64Array(TWIST * model.jointCount);
    this.linear = new Float64Array(model.jointCount);
    this.angular = new Float64Array(model.jointCount);
    this.turning = new Float64Array(model.jointCount);
    this.linearStep = new Float64Array(model.jointCount);
    this.angularStep = new Float64Array(model.jointCount);
    this.depths = Int32Array.from(model.supports, (chain) => chain.length);
    this.stride = Math.max(...this.depths) + 1;
    this.originVelocities = new Float64Array(3 * model.jointCount);
    this.turns = new Float64Array(3 * model.jointCount);
  }

  /** Bodies of links and attached objects, in the order of `bodies`. */
  listBodies(): EdgeBody[] {
    const { robot, model, stride } = this;
    const bodies: EdgeBody[] = [];
    const add = (body: SceneBody, frame: number, X_FB: Float64Array | null): void => {
      const sphere = boundBody(body);
      let c = sphere.center;
      for (const X of [X_FB, model.framePlacements.subarray(12 * frame, 12 * frame + 12)]) {
        if (!X) continue;
        const p = c;
        c = Float64Array.from([0, 1, 2], (i) => X[3 * i] * p[0] + X[3 * i + 1] * p[1] + X[3 * i + 2] * p[2] + X[9 + i]);
      }
      const reach = norm3(c, 0) + sphere.radius;
      bodies.push({ body, joint: model.frameJoints[frame], reach, at: bodies.length * stride });
    };
    for (const { body, frame } of robot.links) add(body, frame, null);
    for (const { body, attachment } of robot.attached) add(body, attachment!.frame, attachment!.placement);
    this.speeds = new Float64Array(bodies.length * stride);
    this.bends = new Float64Array(bodies.length * stride);
    this.blurs = new Float64Array(bodies.length * stride);
    return bodies;
  }

  findCommonJoint(a: number, b: number): number {
    const [chainA, chainB] = [this.model.supports[a], this.model.supports[b]];
    let common = 0;
    for (let i = 0; i < chainA.length && chainA[i] === chainB[i]; i++) common = chainA[i];
    return common;
  }

  /** Sets the edge and bounds the motion of the bodies over it. Leaves the robot at `from`. */
  prepare(bodies: readonly EdgeBody[], from: Float64Array, to: Float64Array): void {
    const { model, robot, twists, linear, angular, turning, velocity, motion } = this;
    this.start.set(from);
    this.end.set(to);
    differenceConfiguration(velocity, model, this.start, this.end);
    twists.fill(0);
    for (let j = 1; j < model.jointCount; j++) {
      for (let c = motion.columnStarts[j]; c < motion.columnStarts[j + 1]; c++) {
        const rate = velocity[motion.columnVelocities[c]];
        for (let i = 0; i < TWIST; i++) twists[TWIST * j + i] += rate * motion.columnSubspaces[TWIST * c + i];
      }
      linear[j] = norm3(twists, TWIST * j);
      angular[j] = norm3(twists, TWIST * j + 3);
      turning[j] = turning[model.parents[j]] + angular[j];
      this.measureRounding(j);
    }
    setConfiguration(robot, this.start);
    updateRobot(robot);
    for (const body of bodies) this.boundMotion(body);
  }

  /** Of a joint that moves; one that stands still is where it is, however large its value. */
  private measureRounding(j: number): void {
    const { model, motion, start, end, linearStep, angularStep } = this;
    linearStep[j] = 0;
    angularStep[j] = 0;
    if (this.linear[j] === 0 && this.angular[j] === 0) return;
    let size = 0;
    for (let k = model.idxQ[j]; k < model.idxQ[j] + model.nqs[j]; k++)
      size = Math.max(size, Math.abs(start[k]), Math.abs(end[k]));
    for (let c = motion.columnStarts[j]; c < motion.columnStarts[j + 1]; c++) {
      linearStep[j] += Number.EPSILON * size * norm3(motion.columnSubspaces, TWIST * c);
      angularStep[j] += Number.EPSILON * size * norm3(motion.columnSubspaces, TWIST * c + 3);
    }
  }

  private boundMotion({ joint, reach, at }: EdgeBody): void {
    const { model, linear, angular, turning, speeds, bends, blurs } = this;
    const X = this.robot.data.jointPlacements;
    let r = reach;
    let i = at + this.depths[joint];
    speeds[i] = 0;
    bends[i] = 0;
    blurs[i] = 0;
    for (let j = joint; j > 0; j = model.parents[j]) {
      const parent = model.parents[j];
      const u = linear[j] + (angular[j] === 0 ? 0 : angular[j] * r);
      speeds[i - 1] = speeds[i] + u;
      bends[i - 1] = bends[i] + u * (angular[j] + 2 * turning[parent]);
      blurs[i - 1] = blurs[i] + this.linearStep[j] + this.angularStep[j] * r;
      i--;
      const x = X[12 * j + 9] - X[12 * parent + 9];
      const y = X[12 * j + 10] - X[12 * parent + 10];
      const z = X[12 * j + 11] - X[12 * parent + 11];
      r += Math.sqrt(x * x + y * y + z * z) + linear[j];
    }
  }

  /** Bound of the speed of the body's points, seen from the frame of a joint above it. */
  speedOf({ at }: EdgeBody, common: number): number {
    return this.speeds[at + this.depths[common]];
  }

  /** Bound of the acceleration, likewise. */
  bendOf({ at }: EdgeBody, common: number): number {
    const i = at + this.depths[common];
    return this.bends[i] - 2 * this.turning[common] * this.speeds[i];
  }

  /** How far a rounding of the joint values moves the body, likewise. */
  blurOf({ at }: EdgeBody, common: number): number {
    return this.blurs[at + this.depths[common]];
  }

  /** Takes the robot to time t, with the velocities of its joints. */
  moveTo(t: number): void {
    const { model, robot, q, twists, originVelocities: v, turns: w } = this;
    if (t === 1) q.set(this.end);
    else interpolateConfiguration(q, model, this.start, this.end, t);
    setConfiguration(robot, q);
    updateRobot(robot);
    const X = robot.data.jointPlacements;
    for (let j = 1; j < model.jointCount; j++) {
      const p = 3 * model.parents[j];
      const o = 12 * j + 9;
      const m = 4 * p + 9;
      const x = X[o] - X[m];
      const y = X[o + 1] - X[m + 1];
      const z = X[o + 2] - X[m + 2];
      const at = 3 * j;
      v[at] = v[p] + w[p + 1] * z - w[p + 2] * y;
      v[at + 1] = v[p + 1] + w[p + 2] * x - w[p] * z;
      v[at + 2] = v[p + 2] + w[p] * y - w[p + 1] * x;
      const s = TWIST * j;
      for (let i = 0; i < 3; i++) {
        const r = 12 * j + 3 * i;
        v[at + i] += X[r] * twists[s] + X[r + 1] * twists[s + 1] + X[r + 2] * twists[s + 2];
        w[at + i] = w[p + i] + X[r] * twists[s + 3] + X[r + 1] * twists[s + 4] + X[r + 2] * twists[s + 5];
      }
    }
  }

  /** Velocity of the point x that moves with joint j. */
  private velocityAt(out: Float64Array, j: number, x: Float64Array): void {
    const { originVelocities: v, turns: w } = this;
    const X = this.robot.data.jointPlacements;
    const at = 3 * j;
    const dx = x[0] - X[12 * j + 9];
    const dy = x[1] - X[12 * j + 10];
    const dz = x[2] - X[12 * j + 11];
    out[0] = v[at] + w[at + 1] * dz - w[at + 2] * dy;
    out[1] = v[at + 1] + w[at + 2] * dx - w[at] * dz;
    out[2] = v[at + 2] + w[at] * dy - w[at + 1] * dx;
  }

  /** Centres, approach and turns of a pair at the time moved to. */
  private relate({ partA, partB, jointA, jointB, common }: EdgePair): void {
    const { centerA, centerB, approach, turnA, turnB, pointVelocity: u, turns } = this;
    placeCenter(centerA, partA!);
    placeCenter(centerB, partB!);
    this.velocityAt(approach, jointA, centerA);
    this.velocityAt(u, common, centerA);
    for (let i = 0; i < 3; i++) approach[i] -= u[i];
    this.velocityAt(u, jointB, centerB);
    for (let i = 0; i < 3; i++) approach[i] -= u[i];
    this.velocityAt(u, common, centerB);
    for (let i = 0; i < 3; i++) {
      approach[i] += u[i];
      turnA[i] = jointA === common ? 0 : turns[3 * jointA + i] - turns[3 * common + i];
      turnB[i] = jointB === common ? 0 : turns[3 * jointB + i] - turns[3 * common + i];
    }
  }

  /**
   * For how long after and before the time moved to the pair's gap stays open; looks no farther than `ahead` and
   * `behind`. Bounding spheres first, then the exact distance.
   */
  advance(pair: EdgePair, ahead: number, behind: number): void {
    this.forward = 0;
    this.backward = 0;
    this.unresolved = !(pair.blur <= pair.tolerance);
    this.touching = this.unresolved;
    if (this.unresolved) return;
    this.relate(pair);
    const { centerA, centerB, approach, nearest } = this;
    const { margin, tolerance, bend, fastest } = pair;
    const partA = pair.partA!;
    const partB = pair.partB!;
    const radii = partA.collider.boundingRadius + partB.collider.boundingRadius;
    if (radii < Infinity) {
      const x = centerB[0] - centerA[0];
      const y = centerB[1] - centerA[1];
      const z = centerB[2] - centerA[2];
      const length = Math.sqrt(x * x + y * y + z * z);
      const gap = length - radii - margin - tolerance;
      if (gap > 0) {
        const v = (x * approach[0] + y * approach[1] + z * approach[2]) / length;
        this.forward = timeToClose(gap, v, bend, fastest);
        this.backward = timeToClose(gap, -v, bend, fastest);
        if (this.forward >= ahead && this.backward >= behind) return;
      }
    }
    const top = this.relativeSpeed(partA.collider, partB.collider);
    if (top === Infinity) {
      this.touching = true;
      this.unresolved = true;
      return;
    }
    // Beyond this distance nothing can come within the look-ahead, whatever the direction.
    const most = Math.max(ahead, behind);
    const needed = Math.min(most * (top + 0.5 * bend * most), most * fastest) + tolerance;
    const bound = Math.max(needed + margin, 0);
    if (this.isApart?.(pair.a!, pair.b!, bound)) {
      const left = bound - margin - 0.5 * tolerance;
      this.forward = Math.max(this.forward, timeToClose(left, top, bend, fastest));
      this.backward = Math.max(this.backward, timeToClose(left, top, bend, fastest));
      if (this.forward >= ahead && this.backward >= behind) return;
    }
    this.distances++;
    if (hasHulls(partA.collider, partB.collider) && measureHulls(nearest, partA, partB, bound)) {
      const gap = nearest.distance - margin;
      if (gap > tolerance) {
        this.open(pair, gap, top, true);
        // Hulls that are well apart are enough to go on with; the meshes themselves decide about the last stretch.
        if ((this.forward >= ahead && this.backward >= behind) || gap > HULL_SHARE * radii) return;
      }
    }
    const { worldPlacement: X_WA } = partA;
    const { worldPlacement: X_WB } = partB;
    // Depths are of no interest, and can be dear: the verdict comes first.
    if (margin >= 0 && isWithinBound(partA.collider, X_WA, partB.collider, X_WB, margin + tolerance)) {
      this.touching = true;
      return;
    }
    this.request.upperBound = bound;
    distance(nearest, partA.collider, X_WA, partB.collider, X_WB, this.request);
    const gap = nearest.distance - margin;
    if (nearest.status === 'collides' || !(gap > tolerance)) {
      this.touching = true;
      return;
    }
    this.open(pair, gap, top, isDirected(partA.collider, partB.collider));
  }

  /** Notes for how long a gap stays open; `directed`: the normal of the last distance separates the shapes. */
  private open(
    { tolerance, bend, fastest, partA, partB }: EdgePair,
    gap: number,
    top: number,
    directed: boolean,
  ): void {
    const left = gap - 0.5 * tolerance;
    let v = 0;
    let spin = top;
    if (directed && this.nearest.status !== 'beyond-bound') {
      const { approach } = this;
      const n = this.nearest.normal;
      v = n[0] * approach[0] + n[1] * approach[1] + n[2] * approach[2];
      spin = this.spinAlong(n, partA!.collider.boundingRadius, partB!.collider.boundingRadius);
    }
    this.forward = Math.max(this.forward, timeToClose(left, spin + v, bend, fastest));
    this.backward = Math.max(this.backward, timeToClose(left, spin - v, bend, fastest));
  }

  /** Bound of how fast any two points of the parts approach now. */
  private relativeSpeed(a: Collider, b: Collider): number {
    const w = norm3(this.turnA, 0);
    const u = norm3(this.turnB, 0);
    return norm3(this.approach, 0) + (w === 0 ? 0 : w * a.boundingRadius) + (u === 0 ? 0 : u * b.boundingRadius);
  }

  /** |n . (w x r)| <= |n x w| |r| for both parts about their centres. */
  private spinAlong(n: Float64Array, radiusA: number, radiusB: number): number {
    const w = crossLength(n, this.turnA);
    const u = crossLength(n, this.turnB);
    return (w === 0 ? 0 : w * radiusA) + (u === 0 ? 0 : u * radiusB);
  }
}

function placeCenter(out: Float64Array, { collider, worldPlacement: X }: BodyPart): void {
  const c = collider.center;
  for (let i = 0; i < 3; i++) out[i] = X[3 * i] * c[0] + X[3 * i + 1] * c[1] + X[3 * i + 2] * c[2] + X[9 + i];
}

function crossLength(a: Float64Array, b: Float64Array): number {
  const x = a[1] * b[2] - a[2] * b[1];
  const y = a[2] * b[0] - a[0] * b[2];
  const z = a[0] * b[1] - a[1] * b[0];
  return Math.sqrt(x * x + y * y + z * z);
}

/** The plane across the normal keeps the shapes apart: both are convex, or one is a half-space. */
function isDirected(a: Collider, b: Collider): boolean {
  return (a.hasCore && b.hasCore) || a.type === HALFSPACE || b.type === HALFSPACE;
}

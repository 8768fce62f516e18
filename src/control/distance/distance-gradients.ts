/**
 * Signed distances of a robot's pairs with their derivatives by its velocity coordinates: what optimisers of motions descend along.
 *
 * Method: with witness points p_A, p_B and the unit normal n from A to B, d = n . (p_B - p_A). A small motion turns points and normal, but
 * to first order only the motion of the bodies along n counts: grad d = n . (J_B(p_B) - J_A(p_A)), a row of the frames' Jacobians at the
 * witness points. Both points lie on one line along n, so that one moment p x n serves both. The same holds of depths.
 * Where several pairs of points are closest (parallel faces, the middle of a box), d has a kink: it is a minimum (apart) or a maximum (of
 * minus depths) of several smooth functions, and what is written is the derivative of one of them. `examine` finds such places
 * by steps to both sides, `derivativeAlong` answers one-sided for a direction.
 * Source: Danskin 1966, "The theory of max-min, with applications", doi:10.1137/0114053 (derivatives of minima); Schulman et al. 2014,
 * "Motion planning with sequential convex optimization and convex collision checking", IJRR 33(9), section IV, doi:10.1177/0278364914528132.
 *
 * Frames: W. Metres, and metres per unit of the velocity coordinate; coordinates in the order of v, nv numbers. The robot stays where it is:
 * configurations are its copy's. Cost: a forward kinematics, a box test per pair of bodies, and per near pair of geometries a distance and
 * 6 nv products; nothing is allocated once the largest number of near pairs was seen.
 * Statuses are those of distances. `depth-bound`: of an overlap of shapes that are not convex, depth and derivative are those of their
 * hulls (or of the search with depth 'exact'). `iteration-limit`: a bound. Where no direction is known the derivative is zero.
 * Tested by distance-gradients.test.ts: closed forms in extended precision, all other pairs against differences.
 */
import { computeFrameJacobian } from '../../kinematics/frame-jacobian.js';
import {
  type Fields,
  oneOf,
  requireFlag,
  requireFloats,
  requireIndex,
  requireNumberThat,
  requireOptions,
} from '../../math/arguments.js';
import { integrateConfiguration } from '../../model/configuration.js';
import type { QueryStatus } from '../../narrowphase/query.js';
import { createDistanceResult } from '../../narrowphase/query.js';
import { type SceneAssumptions, sceneAssumptions } from '../../scene/assumptions.js';
import { boxDistance } from '../../scene/bodies.js';
import { bodyName } from '../../scene/body-names.js';
import { type Variation, varyRobot } from '../../scene/context.js';
import { measureBodies, type OverlapDepth } from '../../scene/queries/body-pairs.js';
import { setConfiguration } from '../../scene/robot.js';
import { requireNumbers, requireOpen, requireRobot } from '../../scene/scene-door.js';
import type { Scene, SceneRobot } from '../../scene/types.js';
import { updateScene } from '../../scene/update.js';
import { listPartPairs, type PartPair, type PartPairs } from './part-pairs.js';

export interface DistanceGradientOptions {
  /** Pairs farther apart than this (without margins) are left out. Metres, default Infinity. */
  readonly reach?: number;
  /** How depths of shapes that are not convex are found; default 'hull'. */
  readonly depth?: OverlapDepth;
  /** One row for the nearest geometries of two bodies (true), or one for every pair of geometries (default). */
  readonly nearestOnly?: boolean;
}

/** One pair at the configuration of the last `update`; a copy. */
export interface PairGradient {
  /** Names as `bodyName` gives them. `a` is the robot's. */
  readonly a: string;
  readonly b: string;
  /** Which of the body's geometries. */
  readonly partA: number;
  readonly partB: number;
  readonly status: QueryStatus;
  /** Signed, without the margin. Metres. */
  readonly distance: number;
  readonly margin: number;
  readonly pointA: Float64Array;
  readonly pointB: Float64Array;
  readonly normal: Float64Array;
  /** By the robot's v; nv numbers. */
  readonly gradient: Float64Array;
  /** Another robot that carries b, and the derivative by its v; null where b stands still or is the robot's own. */
  readonly other: { readonly robot: SceneRobot; readonly gradient: Float64Array } | null;
}

export interface DistanceGradients extends SceneAssumptions {
  /** Velocity coordinates of the robot. */
  readonly nv: number;
  /** Pairs of geometries that no matrix allows. */
  readonly pairCount: number;
  /** Rows of the last update. */
  readonly count: number;
  /**
   * Of row i: signed distances without margins; unit normals from a to b at 3 i; derivatives at nv i; which pair, from 0 to pairCount - 1; the
   * pair's margin.
   */
  readonly distances: Float64Array;
  readonly normals: Float64Array;
  readonly gradients: Float64Array;
  readonly pairs: Int32Array;
  readonly margins: Float64Array;
  /** Measures at q (nq numbers) and returns the number of rows. Other robots and objects are taken where they are. */
  update(q: ArrayLike<number>): number;
  /**
   * How the point of b that is closest moves against that of a in row i, both fixed to their bodies: 3 x nv, row-major, axes of W. The row's
   * gradient is the normal times it.
   */
  relativeJacobian(out: Float64Array, i: number): Float64Array;
  /** Row i in full. */
  pair(i: number): PairGradient;
  /**
   * Whether the distance of row i has one derivative by the robot's coordinates: false where the closest points jump within a step of 1e-6 of
   * some coordinate, so that the gradient is that of one side. Sides that differ by less than 1 % are not told apart. Two
   * configurations per coordinate.
   */
  examine(i: number): boolean;
  /** One-sided derivative of row i along v (nv numbers), measured with a step of 1e-6. */
  derivativeAlong(i: number, v: ArrayLike<number>): number;
}

const OPTIONS: Fields = {
  reach: (call, what, value) => requireNumberThat(call, what, value, (x) => x >= 0, 'a number >= 0'),
  depth: oneOf('hull', 'exact'),
  nearestOnly: requireFlag,
};

const STEP = 1e-6;
/** Derivatives of both sides that differ by more are a kink's. */
const KINK = 0.01;
const measured = createDistanceResult();

/** Throws on a robot that is not in the scene. */
export function createDistanceGradients(
  scene: Scene,
  robot: SceneRobot,
  options: DistanceGradientOptions = {},
): DistanceGradients {
  const call = 'createDistanceGradients';
  requireOpen(scene, call);
  requireRobot(call, robot);
  requireOptions(call, options, OPTIONS);
  return new GradientTable(scene, robot, options);
}

class GradientTable implements DistanceGradients {
  readonly nv: number;
  count = 0;
  distances = new Float64Array(0);
  gradients = new Float64Array(0);
  margins = new Float64Array(0);
  pairs = new Int32Array(0);
  normals = new Float64Array(0);
  private points = new Float64Array(0);
  private statuses: QueryStatus[] = [];
  private table: PartPairs;
  private jacobians: (Float64Array | null)[] = [];
  private readonly spare: (Float64Array | undefined)[] = [];
  private revision: number;
  private readonly reach: number;
  private readonly depth: OverlapDepth;
  private readonly nearestOnly: boolean;
  private readonly own: Variation;
  private readonly q: Float64Array;
  private readonly shifted: Float64Array;
  private readonly step: Float64Array;
  private readonly wrench = new Float64Array(6);

  constructor(
    private readonly scene: Scene,
    private readonly robot: SceneRobot,
    { reach = Infinity, depth = 'hull', nearestOnly = false }: DistanceGradientOptions,
  ) {
    this.own = varyRobot(scene, robot, 'createDistanceGradients');
    this.nv = robot.model.nv;
    this.q = Float64Array.from(robot.q);
    this.shifted = Float64Array.from(robot.q);
    this.step = new Float64Array(robot.model.nv);
    this.reach = reach;
    this.depth = depth;
    this.nearestOnly = nearestOnly;
    this.table = listPartPairs(this.own);
    this.revision = this.own.revision;
  }

  get complete(): boolean {
    return sceneAssumptions(this.own).complete;
  }

  get assumed(): readonly string[] {
    return sceneAssumptions(this.own).assumed;
  }

  get pairCount(): number {
    return this.table.parts.length;
  }

  update(q: ArrayLike<number>): number {
    requireOpen(this.scene, 'DistanceGradients.update');
    requireNumbers('DistanceGradients.update', 'q', q, this.q.length);
    this.q.set(q);
    this.place(this.q);
    if (this.revision !== this.own.revision) {
      this.table = listPartPairs(this.own);
      this.revision = this.own.revision;
    }
    this.jacobians = this.table.carriers.map(() => null);
    this.count = 0;
    const { reach, nearestOnly } = this;
    for (const { a, b, from, to } of this.table.bodies) {
      if (boxDistance(a.box, b.box) > reach) continue;
      if (nearestOnly) this.measureNearest(from, to);
      else for (let k = from; k < to; k++) if (this.measure(k, reach)) this.write(k);
    }
    return this.count;
  }

  private place(q: Float64Array): void {
    const { own } = this;
    own.takePlacement();
    setConfiguration(own.robot, q);
    updateScene(own);
  }

  private measure(k: number, bound: number): boolean {
    const { partA, partB, margin } = this.table.parts[k];
    if (boxDistance(partA.box, partB.box) > bound) return false;
    measureBodies(measured, partA, partB, bound, margin, this.depth);
    return measured.status !== 'beyond-bound' && measured.distance <= bound;
  }

  private measureNearest(from: number, to: number): void {
    let best = Infinity;
    let nearest = -1;
    for (let k = from; k < to; k++) {
      // Overlaps hide deeper ones behind boxes that overlap alike.
      if (!this.measure(k, Math.min(this.reach, Math.max(best, 0))) || !(measured.distance < best)) continue;
      best = measured.distance;
      nearest = k;
    }
    if (nearest >= 0 && this.measure(nearest, Infinity)) this.write(nearest);
  }

  private write(k: number): void {
    if (this.count === this.pairs.length) this.grow();
    const i = this.count++;
    const { nv, gradients } = this;
    const pair = this.table.parts[k];
    this.pairs[i] = k;
    this.distances[i] = measured.distance;
    this.margins[i] = pair.margin;
    this.statuses[i] = measured.status;
    this.points.set(measured.pointA, 6 * i);
    this.points.set(measured.pointB, 6 * i + 3);
    this.normals.set(measured.normal, 3 * i);
    gradients.fill(0, nv * i, nv * (i + 1));
    if (!this.readWrench(i)) return;
    const { robot } = this.own;
    this.addRow(gradients, nv * i, pair.carrierA, -1, robot);
    this.addRow(gradients, nv * i, pair.carrierB, 1, robot);
  }

  /** [n, p x n] of row i; false without a direction. */
  private readWrench(i: number): boolean {
    const { points, normals, wrench } = this;
    const [px, py, pz] = [points[6 * i], points[6 * i + 1], points[6 * i + 2]];
    const [nx, ny, nz] = [normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]];
    const square = nx * nx + ny * ny + nz * nz;
    if (!(Math.abs(square - 1) < 1e-6)) return false;
    wrench[0] = nx;
    wrench[1] = ny;
    wrench[2] = nz;
    wrench[3] = py * nz - pz * ny;
    wrench[4] = pz * nx - px * nz;
    wrench[5] = px * ny - py * nx;
    return true;
  }

  /** Adds sign [n, m] J of a carrier where it hangs on the robot. */
  private addRow(out: Float64Array, at: number, carrier: number, sign: number, robot: SceneRobot): void {
    if (carrier < 0 || this.table.carriers[carrier].robot !== robot) return;
    const J = this.jacobianOf(carrier);
    const { wrench } = this;
    const { nv } = robot.model;
    for (let k = 0; k < nv; k++) {
      let sum = 0;
      for (let r = 0; r < 6; r++) sum += wrench[r] * J[r * nv + k];
      out[at + k] += sign * sum;
    }
  }

  relativeJacobian(out: Float64Array, i: number): Float64Array {
    const { carrierA, carrierB } = this.requireRow('DistanceGradients.relativeJacobian', i);
    requireFloats('DistanceGradients.relativeJacobian', 'out', out, 3 * this.nv);
    out.fill(0);
    this.addPoint(out, carrierA, 6 * i, -1);
    this.addPoint(out, carrierB, 6 * i + 3, 1);
    return out;
  }

  /** Adds sign (J_v + J_w x p) of the point at `at`, where its carrier is the robot's. */
  private addPoint(out: Float64Array, carrier: number, at: number, sign: number): void {
    if (carrier < 0 || this.table.carriers[carrier].robot !== this.own.robot) return;
    const J = this.jacobianOf(carrier);
    const { nv, points } = this;
    for (let r = 0; r < 3; r++) {
      const [u, w] = [(r + 1) % 3, (r + 2) % 3];
      for (let k = 0; k < nv; k++)
        out[r * nv + k] +=
          sign * (J[r * nv + k] + J[(3 + u) * nv + k] * points[at + w] - J[(3 + w) * nv + k] * points[at + u]);
    }
  }

  private jacobianOf(carrier: number): Float64Array {
    const known = this.jacobians[carrier];
    if (known) return known;
    const { robot, frame } = this.table.carriers[carrier];
    const { model, data } = robot;
    let J = this.spare[carrier];
    if (J?.length !== 6 * model.nv) {
      J = new Float64Array(6 * model.nv);
      this.spare[carrier] = J;
    }
    computeFrameJacobian(J, model, data, frame, 'world');
    this.jacobians[carrier] = J;
    return J;
  }

  private grow(): void {
    const size = Math.max(64, 2 * this.pairs.length);
    const enlarge = (old: Float64Array<ArrayBuffer>, stride: number): Float64Array<ArrayBuffer> => {
      const made = new Float64Array(stride * size);
      made.set(old);
      return made;
    };
    this.distances = enlarge(this.distances, 1);
    this.margins = enlarge(this.margins, 1);
    this.gradients = enlarge(this.gradients, this.nv);
    this.points = enlarge(this.points, 6);
    this.normals = enlarge(this.normals, 3);
    const pairs = new Int32Array(size);
    pairs.set(this.pairs);
    this.pairs = pairs;
  }

  pair(i: number): PairGradient {
    const { a, b, partA, partB, carrierB } = this.requireRow('DistanceGradients.pair', i);
    const { points, own, nv } = this;
    const carrier = carrierB < 0 ? null : this.table.carriers[carrierB];
    let other: PairGradient['other'] = null;
    if (carrier && carrier.robot !== own.robot) {
      const gradient = new Float64Array(carrier.robot.model.nv);
      if (this.readWrench(i)) this.addRow(gradient, 0, carrierB, 1, carrier.robot);
      other = { robot: carrier.robot, gradient };
    }
    return {
      a: bodyName(own, a),
      b: bodyName(own, b),
      partA: a.parts.indexOf(partA.parts[0]),
      partB: b.parts.indexOf(partB.parts[0]),
      status: this.statuses[i],
      distance: this.distances[i],
      margin: this.margins[i],
      pointA: points.slice(6 * i, 6 * i + 3),
      pointB: points.slice(6 * i + 3, 6 * i + 6),
      normal: this.normals.slice(3 * i, 3 * i + 3),
      gradient: this.gradients.slice(nv * i, nv * (i + 1)),
      other,
    };
  }

  examine(i: number): boolean {
    const pair = this.requireRow('DistanceGradients.examine', i);
    const { nv } = this;
    const v = new Float64Array(nv);
    let isSmooth = this.readWrench(i);
    for (let k = 0; k < nv && isSmooth; k++) {
      const slope = this.gradients[nv * i + k];
      for (const sign of [1, -1]) {
        v[k] = sign;
        const rate = sign * this.measureRate(i, pair, v);
        if (!(Math.abs(rate - slope) <= KINK * Math.max(1, Math.abs(slope)))) isSmooth = false;
      }
      v[k] = 0;
    }
    this.place(this.q);
    return isSmooth;
  }

  derivativeAlong(i: number, v: ArrayLike<number>): number {
    const call = 'DistanceGradients.derivativeAlong';
    const pair = this.requireRow(call, i);
    requireNumbers(call, 'v', v, this.nv);
    const rate = this.measureRate(i, pair, Float64Array.from(v));
    this.place(this.q);
    return rate;
  }

  /** (d(q + step v) - d(q)) / step; leaves the robot there. */
  private measureRate(i: number, { partA, partB }: PartPair, v: Float64Array): number {
    for (let k = 0; k < v.length; k++) this.step[k] = STEP * v[k];
    integrateConfiguration(this.shifted, this.robot.model, this.q, this.step);
    this.place(this.shifted);
    measureBodies(measured, partA, partB, Infinity, 0, this.depth);
    return (measured.distance - this.distances[i]) / STEP;
  }

  private requireRow(call: string, i: number): PartPair {
    requireIndex(call, 'i', i, this.count);
    return this.table.parts[this.pairs[i]];
  }
}

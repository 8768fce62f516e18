/**
 * Every pair of bodies that one robot's motion can bring together, and how fast they can approach.
 *
 * Method: 1. pairs that no matrix allows, among the robot's own bodies (links and attached objects) and of those with
 * everything else; 2. given bounds of the speeds of its velocity coordinates, joint k moves what hangs on it with a twist of at
 * most (l_k, w_k), sums over its columns; a point of body b, seen from the frame of a joint c above it, is carried by the joints
 * between them, each with a speed of at most l_k + w_k R_kb, where R_kb bounds its distance from joint k: link lengths as they
 * are now, what sliding joints add within the time looked at, and the body's own radius. What moves both bodies of a pair alike
 * (joints above the last common one) closes no gap.
 * Source: Schwarzer, Saha, Latombe 2005, "Adaptive dynamic collision checking for single and multiple articulated robots in
 * complex environments", IEEE Transactions on Robotics 21, section IV, doi:10.1109/TRO.2004.838012.
 * Frames: W. Cost: O(bodies x depth) for the bounds. Tested by certify-curve.test.ts.
 */
import { createMotionData, type MotionData } from '../../kinematics/motion-data.js';
import { MisuseError } from '../../math/misuse.js';
import { listOwnPairs } from '../queries/own-pairs.js';
import { listOtherBodies } from '../queries/pair-rules.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { type BodySphere, boundBody } from './body-motion.js';

interface RobotBody {
  readonly body: SceneBody;
  readonly joint: number;
  /** No point of the body is farther from its joint's moving frame. */
  readonly reach: number;
  /** Place of its sums in `speeds`. */
  readonly at: number;
}

export interface RobotPair {
  readonly a: SceneBody;
  readonly b: SceneBody;
  /** Among the robot's bodies; -1: the second stands still. */
  readonly first: number;
  readonly second: number;
  /** Last joint that both hang on. */
  readonly common: number;
  /** Of the pair, without a query's own. */
  readonly margin: number;
  readonly sphereA: BodySphere;
  readonly sphereB: BodySphere;
}

export class RobotPairs {
  readonly pairs: readonly RobotPair[];
  private readonly robot: SceneRobot;
  private readonly bodies: RobotBody[] = [];
  private readonly motion: MotionData;
  private readonly depths: Int32Array;
  private readonly speeds: Float64Array;
  private readonly linear: Float64Array;
  private readonly angular: Float64Array;

  constructor(scene: Scene, robot: SceneRobot, call: string) {
    if (!scene.robots.includes(robot))
      throw new MisuseError(`${call}: robot, got "${robot?.name}", expected one of this scene`);
    const { model } = robot;
    this.robot = robot;
    this.motion = createMotionData(model);
    this.depths = Int32Array.from(model.supports, (chain) => chain.length);
    this.linear = new Float64Array(model.jointCount);
    this.angular = new Float64Array(model.jointCount);
    const stride = Math.max(...this.depths) + 1;
    const spheres = new Map<SceneBody, BodySphere>();
    const add = (body: SceneBody, frame: number, X_FB: Float64Array | null): void => {
      const sphere = boundBody(body);
      spheres.set(body, sphere);
      let c = sphere.center;
      for (const X of [X_FB, model.framePlacements.subarray(12 * frame, 12 * frame + 12)]) {
        if (!X) continue;
        const p = c;
        c = Float64Array.from([0, 1, 2], (i) => X[3 * i] * p[0] + X[3 * i + 1] * p[1] + X[3 * i + 2] * p[2] + X[9 + i]);
      }
      const reach = Math.sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) + sphere.radius;
      this.bodies.push({ body, joint: model.frameJoints[frame], reach, at: this.bodies.length * stride });
    };
    for (const { body, frame } of robot.links) add(body, frame, null);
    for (const { body, attachment } of robot.attached) add(body, attachment!.frame, attachment!.placement);
    this.speeds = new Float64Array(this.bodies.length * stride);
    const own = this.bodies.map(({ body }) => body);
    const others = listOtherBodies(scene, new Set(own));
    for (const body of others) spheres.set(body, boundBody(body));
    this.pairs = listOwnPairs(scene, own, others).map(({ first, second, other: b, margin }) => {
      const { body: a, joint } = this.bodies[first];
      const common = second < 0 ? 0 : this.findCommonJoint(joint, this.bodies[second].joint);
      return { a, b, first, second, common, margin, sphereA: spheres.get(a)!, sphereB: spheres.get(b)! };
    });
  }

  private findCommonJoint(a: number, b: number): number {
    const [chainA, chainB] = [this.robot.model.supports[a], this.robot.model.supports[b]];
    let common = 0;
    for (let i = 0; i < chainA.length && chainA[i] === chainB[i]; i++) common = chainA[i];
    return common;
  }

  /**
   * Bounds the speeds of all bodies where no velocity coordinate is faster than `rates` (nv numbers, 0 or more) for a time of
   * `duration` before and after the robot is where it is now.
   */
  boundSpeeds(rates: Float64Array, duration: number): void {
    const { linear, angular, speeds, motion, robot } = this;
    const { model } = robot;
    for (let j = 1; j < model.jointCount; j++) {
      linear[j] = 0;
      angular[j] = 0;
      for (let c = motion.columnStarts[j]; c < motion.columnStarts[j + 1]; c++) {
        const rate = rates[motion.columnVelocities[c]];
        if (rate === 0) continue;
        linear[j] += rate * norm3(motion.columnSubspaces, 6 * c);
        angular[j] += rate * norm3(motion.columnSubspaces, 6 * c + 3);
      }
    }
    const X = robot.data.jointPlacements;
    for (const { joint, reach, at } of this.bodies) {
      let r = reach;
      let i = at + this.depths[joint];
      speeds[i] = 0;
      for (let j = joint; j > 0; j = model.parents[j], i--) {
        speeds[i - 1] = speeds[i] + linear[j] + (angular[j] === 0 ? 0 : angular[j] * r);
        const o = 12 * j + 9;
        const p = 12 * model.parents[j] + 9;
        const x = X[o] - X[p];
        const y = X[o + 1] - X[p + 1];
        const z = X[o + 2] - X[p + 2];
        r += Math.sqrt(x * x + y * y + z * z) + linear[j] * duration;
      }
    }
  }

  /** No two points of the pair approach faster. */
  speedOf({ first, second, common }: RobotPair): number {
    const depth = this.depths[common];
    const own = this.speeds[this.bodies[first].at + depth];
    return second < 0 ? own : own + this.speeds[this.bodies[second].at + depth];
  }
}

function norm3(v: Float64Array, at: number): number {
  return Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
}

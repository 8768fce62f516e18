/**
 * Re-checks the certificate of a path (certify-path.ts) with nothing but kinematics and distances.
 *
 * Method: the segments must be those of the path, and the intervals of each must cover [0, 1]. In the middle of an interval of half width h
 * every pair of bodies must be farther apart than it can approach within h. The bound is one of its own: joint k, which turns and shifts
 * evenly by (w_k, l_k) over the segment, moves a body's points by at most h (|l_k| + |w_k| r_k), r_k the largest distance of its bounding
 * sphere from the joint in the middle of the interval and what the joints between the two add to that. Joints that carry both bodies of a
 * pair count for neither. An interval that this bound finds too wide is halved, at most eight times.
 * Source: Schwarzer, Saha, Latombe 2005, "Adaptive dynamic collision checking for single and multiple articulated robots in complex
 * environments", IEEE Transactions on Robotics 21, section IV, doi:10.1109/TRO.2004.838012.
 *
 * Frames: W. The robot stays where it is. Fails: names the first place that is not proven; nothing a certificate holds can make it say
 * otherwise of a path that touches something. Cost: a forward kinematics per interval, and a distance per pair whose bounding spheres do not
 * settle it. Tested by certify-path.test.ts: dense sampling, altered certificates.
 */
import { createMotionData, type MotionData } from '../../kinematics/motion-data.js';
import { requireObject } from '../../math/arguments.js';
import { differenceConfiguration, interpolateConfiguration } from '../../model/configuration.js';
import type { Model } from '../../model/model.js';
import { createDistanceResult } from '../../narrowphase/query.js';
import { type SceneAssumptions, sceneAssumptions } from '../assumptions.js';
import { bodyName } from '../body-names.js';
import { type Variation, varyRobot } from '../context.js';
import { isTouching, measureBodies } from '../queries/body-pairs.js';
import { isSceneFree } from '../queries/check.js';
import { listOwnPairs, type OwnPair } from '../queries/own-pairs.js';
import { listOtherBodies } from '../queries/pair-rules.js';
import { setConfiguration } from '../robot.js';
import { requireOpen, requireRobot } from '../scene-door.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { updateScene } from '../update.js';
import { type BodySphere, boundBody } from './body-motion.js';
import { listSegments, type PathCertificate, requirePath } from './certify-path.js';

export interface PathProof extends SceneAssumptions {
  readonly isProven: boolean;
  /** Empty when proven. */
  readonly reason: string;
  /** Where it is not; null when it is, or where that is no place of the path. */
  readonly segment: number | null;
  readonly t: number | null;
  readonly a: string | null;
  readonly b: string | null;
  /** No pair comes closer than this beyond its margin; Infinity without pairs. 0 when not proven. */
  readonly clearance: number;
  readonly distances: number;
}

const MOST_HALVINGS = 8;
/** Gaps between intervals that rounding of their ends explains. */
const SEAM = 1e-12;
/** Rounding of placements and bounds, relative to the robot's and the pair's size. */
const ROUNDING = 1e-12;

interface CarriedBody {
  readonly body: SceneBody;
  readonly joint: number;
}

interface Straight {
  readonly segment: number;
  readonly from: Float64Array;
  readonly to: Float64Array;
}

interface Place {
  readonly reason: string;
  readonly segment: number | null;
  readonly t?: number;
  readonly a?: SceneBody;
  readonly b?: SceneBody;
}

export function verifyPathCertificate(
  scene: Scene,
  robot: SceneRobot,
  path: readonly ArrayLike<number>[],
  certificate: PathCertificate,
): PathProof {
  const call = 'verifyPathCertificate';
  requireOpen(scene, call);
  requireRobot(call, robot);
  requireObject(call, 'certificate', certificate, 'what certifyPath returned');
  const waypoints = requirePath(call, robot.model, path);
  return new PathWalk(varyRobot(scene, robot, call), certificate).run(waypoints);
}

class PathWalk {
  private readonly model: Model;
  private readonly motion: MotionData;
  private readonly bodies: CarriedBody[] = [];
  private readonly pairs: readonly OwnPair[];
  private readonly spheres = new Map<SceneBody, BodySphere>();
  private readonly q: Float64Array;
  private readonly linear: Float64Array;
  private readonly angular: Float64Array;
  private readonly measured = createDistanceResult();
  private readonly center = new Float64Array(3);
  private readonly other = new Float64Array(3);
  private clearance = Infinity;
  private distances = 0;

  constructor(
    private readonly own: Variation,
    private readonly certificate: PathCertificate,
  ) {
    const { robot } = own;
    const { model } = robot;
    this.model = model;
    this.motion = createMotionData(model);
    this.q = new Float64Array(model.nq);
    this.linear = new Float64Array(model.jointCount);
    this.angular = new Float64Array(model.jointCount);
    own.takePlacement();
    for (const { body, frame } of robot.links) this.bodies.push({ body, joint: model.frameJoints[frame] });
    for (const { body, attachment } of robot.attached)
      this.bodies.push({ body, joint: model.frameJoints[attachment!.frame] });
    const carried = this.bodies.map(({ body }) => body);
    const others = listOtherBodies(own, new Set(carried));
    this.pairs = listOwnPairs(own, carried, others);
    for (const body of [...carried, ...others]) this.spheres.set(body, boundBody(body));
  }

  run(waypoints: readonly Float64Array[]): PathProof {
    const { own } = this;
    const fault = this.findFault(waypoints);
    const grounds = sceneAssumptions(own);
    if (fault === null) {
      const none = { reason: '', segment: null, t: null, a: null, b: null };
      return { isProven: true, ...none, clearance: this.clearance, distances: this.distances, ...grounds };
    }
    const { reason, segment, t = null } = fault;
    const [a, b] = [fault.a, fault.b].map((body) => (body ? bodyName(own, body) : null));
    return {
      isProven: false,
      reason,
      segment,
      t,
      a,
      b,
      clearance: 0,
      distances: this.distances,
      ...grounds,
    };
  }

  private findFault(waypoints: readonly Float64Array[]): Place | null {
    const { version, margin, segments } = this.certificate;
    if (version !== 1 || !Array.isArray(segments) || !(Number.isFinite(margin) && margin >= 0))
      return { reason: 'no certificate of version 1 with a margin of 0 or more', segment: null };
    const motions = listSegments(waypoints);
    if (segments.length !== motions.length)
      return { reason: `${segments.length} segments are certified, the path has ${motions.length}`, segment: null };
    updateScene(this.own);
    for (const [segment, [from, to]] of motions.entries()) {
      const fault = this.examineSegment(segment, from, to);
      if (fault !== null) return fault;
    }
    return null;
  }

  private examineSegment(segment: number, from: Float64Array, to: Float64Array): Place | null {
    const given = this.certificate.segments[segment];
    const isSame = (state: unknown, q: Float64Array): boolean =>
      Array.isArray(state) && state.length === q.length && state.every((x, i) => x === q[i]);
    if (!isSame(given?.from, from) || !isSame(given.to, to) || !Array.isArray(given.intervals))
      return { reason: 'another motion is certified than the path has', segment };
    this.readTwists(from, to);
    let covered = 0;
    for (const interval of given.intervals) {
      const [middle, half] = Array.isArray(interval) ? interval : [];
      const isNext =
        half >= 0 && middle - half <= covered + SEAM && middle + half >= covered && middle >= 0 && middle <= 1;
      if (!isNext) return { reason: `no interval covers what follows t = ${covered}`, segment, t: covered };
      covered = middle + half;
      const fault = this.examine({ segment, from, to }, middle, half, MOST_HALVINGS);
      if (fault !== null) return fault;
    }
    if (!(covered >= 1 - SEAM))
      return { reason: `no interval covers what follows t = ${covered}`, segment, t: covered };
    return null;
  }

  /** |l| and |w| of every joint's twist over the whole segment, in its moving frame. */
  private readTwists(from: Float64Array, to: Float64Array): void {
    const { model, motion, linear, angular } = this;
    const change = differenceConfiguration(new Float64Array(model.nv), model, from, to);
    for (let j = 1; j < model.jointCount; j++) {
      const twist = [0, 0, 0, 0, 0, 0];
      for (let c = motion.columnStarts[j]; c < motion.columnStarts[j + 1]; c++)
        for (let i = 0; i < 6; i++) twist[i] += motion.columnSubspaces[6 * c + i] * change[motion.columnVelocities[c]];
      linear[j] = Math.sqrt(twist[0] ** 2 + twist[1] ** 2 + twist[2] ** 2);
      angular[j] = Math.sqrt(twist[3] ** 2 + twist[4] ** 2 + twist[5] ** 2);
    }
  }

  private examine(straight: Straight, middle: number, half: number, halvings: number): Place | null {
    const { segment, from, to } = straight;
    const { own, certificate, pairs, bodies, measured } = this;
    setConfiguration(own.robot, interpolateConfiguration(this.q, this.model, from, to, middle));
    // What the robot does not move touches at every time, if it does.
    if (!isSceneFree(own, certificate.margin)) return { reason: 'something touches there', segment, t: middle };
    for (const { first, second, other: b, margin: pairMargin } of pairs) {
      const margin = pairMargin + certificate.margin;
      const a = bodies[first].body;
      const common = second < 0 ? 0 : this.findCommonJoint(bodies[first].joint, bodies[second].joint);
      let travel = this.boundTravel(bodies[first], common, half);
      if (second >= 0) travel += this.boundTravel(bodies[second], common, half);
      const size = this.boundSize(a, b);
      const needed = travel * (1 + 1e-9) + ROUNDING * size.scale;
      if (size.gap - margin > needed) {
        this.clearance = Math.min(this.clearance, size.gap - margin - needed);
        continue;
      }
      this.distances++;
      measureBodies(measured, a, b, Math.max(2 * needed + margin, 0), margin, margin < 0 ? 'exact' : 'hull');
      const isKnown = measured.status === 'ok' || measured.status === 'beyond-bound';
      const gap = measured.distance - margin;
      if (isKnown && gap > needed && (measured.status === 'beyond-bound' || !isTouching(measured, margin))) {
        this.clearance = Math.min(this.clearance, gap - needed);
        continue;
      }
      if (isKnown && gap > 0 && halvings > 0) {
        const quarter = 0.5 * half;
        return (
          this.examine(straight, middle - quarter, quarter, halvings - 1) ??
          this.examine(straight, middle + quarter, quarter, halvings - 1)
        );
      }
      const reason = `the gap of ${Math.max(gap, 0)} m at t = ${middle} does not outlast ${half} of the motion`;
      return { reason, segment, t: middle, a, b };
    }
    return null;
  }

  private findCommonJoint(a: number, b: number): number {
    const { parents } = this.model;
    // Parents have lower numbers.
    let [i, k] = [a, b];
    while (i !== k) {
      if (i > k) i = parents[i];
      else k = parents[k];
    }
    return i;
  }

  /** How far points of the body can move, seen from the joint `common`, within `half` of the middle. Metres. */
  private boundTravel({ body, joint }: CarriedBody, common: number, half: number): number {
    const { model, own, linear, angular, center } = this;
    const X = own.robot.data.jointPlacements;
    const radius = this.placeSphere(center, body);
    let travel = 0;
    for (let j = joint; j !== common; j = model.parents[j]) {
      const x = center[0] - X[12 * j + 9];
      const y = center[1] - X[12 * j + 10];
      const z = center[2] - X[12 * j + 11];
      if (angular[j] > 0) travel += half * angular[j] * (Math.sqrt(x * x + y * y + z * z) + radius + travel);
      travel += half * linear[j];
    }
    return travel;
  }

  /** Centre of a body's bounding sphere in W; returns its radius. */
  private placeSphere(out: Float64Array, body: SceneBody): number {
    const { center, radius } = this.spheres.get(body)!;
    const X = body.worldPlacement;
    for (let i = 0; i < 3; i++)
      out[i] = X[3 * i] * center[0] + X[3 * i + 1] * center[1] + X[3 * i + 2] * center[2] + X[9 + i];
    return radius;
  }

  /** A lower bound of the gap, and the size of the numbers that enter it. */
  private boundSize(a: SceneBody, b: SceneBody): { readonly gap: number; readonly scale: number } {
    const { center, other } = this;
    const radii = this.placeSphere(center, a) + this.placeSphere(other, b);
    let [sum, scale] = [0, 0];
    for (let i = 0; i < 3; i++) {
      sum += (center[i] - other[i]) ** 2;
      scale += Math.abs(center[i]) + Math.abs(other[i]);
    }
    if (radii === Infinity) return { gap: -Infinity, scale };
    return { gap: Math.sqrt(sum) - radii, scale: scale + radii };
  }
}

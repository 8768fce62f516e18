/**
 * Is a robot free at every time of a motion that is no straight line of its joints: a blend, a spline, a timed trajectory?
 *
 * Method: the time is halved again and again, all pairs at the same times. In the middle t of an interval of half width h a
 * pair with gap d cannot meet within it where its bodies approach no faster than d / h; the speed is bounded by the motion of
 * the joints between them (robot-pairs.ts) from bounds of each coordinate's speed over the interval. What that leaves open goes
 * on to both halves, level by level, so that a contact of any length shows after few configurations.
 * Source: Schwarzer, Saha, Latombe 2005, "Adaptive dynamic collision checking for single and multiple articulated robots in
 * complex environments", IEEE Transactions on Robotics 21, section III, doi:10.1109/TRO.2004.838012.
 *
 * Frames: W. Seconds, or whatever the curve's parameter is. Cost: a forward kinematics per time, a distance per open pair and
 * time; about (length of the motion) / (smallest gap) times. Ends: `free` at every time (proven, exact distances); `blocked` with
 * a time at which the pair does touch (not necessarily the first); `undecided`: nowhere known to touch, but closer than the
 * tolerance at `time`, or at the limit of configurations, or stopped. The robot stays where it is.
 * Tested by certify-curve.test.ts against dense stepping.
 */

import { requireFinite, requireNumberThat, requirePositiveNumber } from '../../math/arguments.js';
import { describeValue, requireKnownKeys } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { createDistanceResult } from '../../narrowphase/query.js';
import type { SceneAssumptions } from '../assumptions.js';
import { bodyName } from '../body-names.js';
import { varyRobot } from '../context.js';
import { bodiesTouch, isTouching, measureBodies } from '../queries/body-pairs.js';
import { visitCandidates } from '../queries/candidates.js';
import { AssumptionCollector } from '../queries/enclosed.js';
import { compareBodyPairs } from '../queries/pair-rules.js';
import { setConfiguration } from '../robot.js';
import { requireOpen } from '../scene-door.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { updateRobot, updateScene } from '../update.js';
import { type RobotPair, RobotPairs } from './robot-pairs.js';

/** A motion of a robot's joints over time (or over a path's length): structurally a `MotionCurve` of the trajectory door. */
export interface ConfigurationCurve {
  /** The parameter runs from 0 to it; finite, 0 or more. */
  readonly duration: number;
  /** Writes at least q (nq numbers) at a time; v and a (nv numbers each) are there for the writing. */
  evaluate(out: CurvePoint, time: number): unknown;
  /** Writes for each velocity coordinate (nv numbers) an upper bound of its absolute value over [from, to]. */
  speedBound(out: Float64Array, from: number, to: number): unknown;
}

export interface CurvePoint {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly a: Float64Array;
}

export interface CertifyCurveOptions {
  /** Added to every pair's margin: closer counts as blocked. Metres, default 0. */
  readonly margin?: number;
  /** Gaps below this (beyond margins) stay undecided. Metres, default 1e-6. */
  readonly tolerance?: number;
  /** Part of the curve to look at; default all of it. */
  readonly from?: number;
  readonly to?: number;
  /** The deterministic limit: configurations looked at, default 100,000. */
  readonly maxConfigurations?: number;
  /** Asked before every configuration; true ends the search. */
  readonly shouldStop?: () => boolean;
}

export interface CurveVerdict extends SceneAssumptions {
  readonly status: 'free' | 'blocked' | 'undecided';
  /** Empty when free. */
  readonly reason: string;
  /** Where it is blocked or undecided; null when free. */
  readonly time: number | null;
  /** Names of the bodies there, as `bodyName` gives them. */
  readonly a: string | null;
  readonly b: string | null;
  /** `free`: no pair comes closer than this beyond its margin, Infinity without pairs. Else the gap at `time`, 0 in contact or unknown. */
  readonly clearance: number;
  readonly configurations: number;
  readonly distances: number;
}

/** What a certifier says: with what a proof rests on. */
export interface CurveProof extends CurveVerdict {
  /**
   * Middle and half width of the intervals that a proof rests on, in the order of time: in none can a pair that is as far apart as in
   * its middle meet. Empty unless free.
   */
  readonly intervals: Float64Array;
}

export interface CurveCertifier {
  certify(curve: ConfigurationCurve, options?: CertifyCurveOptions): CurveProof;
}

const DEFAULT_TOLERANCE = 1e-6;
const DEFAULT_CONFIGURATIONS = 100_000;
/** Share of a gap that the motion may use up: the rest is the clearance that is known to stay. */
const USABLE = 0.9;
/** Halvings after which an interval is a point. */
const MAX_LEVEL = 60;
/** Keys of `CertifyCurveOptions`. */
export const CERTIFY_OPTIONS = ['margin', 'tolerance', 'from', 'to', 'maxConfigurations', 'shouldStop'];

interface Interval {
  readonly middle: number;
  readonly half: number;
  readonly level: number;
  readonly open: readonly RobotPair[];
}

interface Finding {
  readonly time: number;
  readonly a: SceneBody;
  readonly b: SceneBody;
  readonly gap: number;
  readonly reason: string;
}

const measured = createDistanceResult();

/** Keeps the tables that depend on the scene alone, for many curves. */
export function createCurveCertifier(scene: Scene, robot: SceneRobot): CurveCertifier {
  requireOpen(scene, 'createCurveCertifier');
  const own = varyRobot(scene, robot, 'createCurveCertifier');
  let pairs = new RobotPairs(own, own.robot, 'createCurveCertifier');
  let { revision } = own;
  return {
    certify(curve, options = {}) {
      requireOpen(scene, 'CurveCertifier.certify');
      own.takePlacement();
      if (revision !== own.revision) {
        pairs = new RobotPairs(own, own.robot, 'CurveCertifier.certify');
        ({ revision } = own);
      }
      const request = readRequest(curve, options);
      return new CurveSearch(own, own.robot, pairs, curve, request).run();
    },
  };
}

/** One curve; for many, `createCurveCertifier` keeps its tables. */
export function certifyCurve(
  scene: Scene,
  robot: SceneRobot,
  curve: ConfigurationCurve,
  options?: CertifyCurveOptions,
): CurveProof {
  return createCurveCertifier(scene, robot).certify(curve, options);
}

type Request = Required<Omit<CertifyCurveOptions, 'shouldStop'>> & Pick<CertifyCurveOptions, 'shouldStop'>;

function readRequest(curve: ConfigurationCurve, options: CertifyCurveOptions): Request {
  const call = 'certifyCurve';
  requireKnownKeys(call, 'options', options, CERTIFY_OPTIONS);
  if (typeof curve?.evaluate !== 'function' || typeof curve.speedBound !== 'function')
    throw new MisuseError(`${call}: curve, got ${describeValue(curve)}, expected one with evaluate and speedBound`);
  const { duration } = curve;
  requireNumberThat(call, 'curve.duration', duration, (x) => x >= 0 && x < Infinity, 'a finite number, 0 or more');
  const { margin = 0, tolerance = DEFAULT_TOLERANCE, from = 0, to = duration, shouldStop } = options;
  const { maxConfigurations = DEFAULT_CONFIGURATIONS } = options;
  requireFinite(call, 'margin', margin);
  requirePositiveNumber(call, 'tolerance', tolerance);
  requireNumberThat(call, 'to', to, (x) => x >= 0 && x <= duration, `a time from 0 to ${duration}`);
  requireNumberThat(call, 'from', from, (x) => x >= 0 && x <= to, `a time from 0 to ${to}`);
  requireNumberThat(call, 'maxConfigurations', maxConfigurations, (x) => x >= 1, '1 or more');
  if (shouldStop !== undefined && typeof shouldStop !== 'function')
    throw new MisuseError(`${call}: shouldStop, got ${describeValue(shouldStop)}, expected a function`);
  return { margin, tolerance, from, to, maxConfigurations, shouldStop };
}

class CurveSearch {
  private readonly point: CurvePoint;
  private readonly rates: Float64Array;
  private configurations = 0;
  private distances = 0;
  private clearance = Infinity;
  private readonly closed: Interval[] = [];
  private undecided: Finding | null = null;
  private readonly grounds: AssumptionCollector;

  constructor(
    private readonly scene: Scene,
    private readonly robot: SceneRobot,
    private readonly pairs: RobotPairs,
    private readonly curve: ConfigurationCurve,
    private readonly request: Request,
  ) {
    const { nq, nv } = robot.model;
    this.point = { q: new Float64Array(nq), v: new Float64Array(nv), a: new Float64Array(nv) };
    this.rates = new Float64Array(nv);
    this.grounds = new AssumptionCollector(scene);
  }

  run(): CurveProof {
    const { scene, request } = this;
    updateScene(scene);
    const still = this.findStillContact();
    if (still) return this.answer('blocked', still);
    const half = 0.5 * (request.to - request.from);
    const whole: Interval = { middle: request.from + half, half, level: 0, open: this.pairs.pairs };
    if (whole.open.length === 0) {
      this.closed.push(whole);
      return this.answer('free', null);
    }
    let level: Interval[] = [whole];
    while (level.length > 0) {
      const next: Interval[] = [];
      for (const interval of level) {
        if (this.configurations >= request.maxConfigurations)
          return this.answer(
            'undecided',
            this.describeStop(interval, `no verdict within ${request.maxConfigurations} configurations`),
          );
        if (request.shouldStop?.()) return this.answer('undecided', this.describeStop(interval, 'stopped'));
        const blocked = this.examine(interval, next);
        if (blocked) return this.answer('blocked', blocked);
      }
      level = next;
    }
    return this.undecided ? this.answer('undecided', this.undecided) : this.answer('free', null);
  }

  /** Looks at the middle of an interval; what stays open goes to `next`. Returns a contact. */
  private examine(interval: Interval, next: Interval[]): Finding | null {
    const { middle, half, level, open } = interval;
    const { robot, pairs, rates, curve } = this;
    this.configurations++;
    curve.evaluate(this.point, middle);
    setConfiguration(robot, this.point.q);
    updateRobot(robot);
    this.grounds.look();
    curve.speedBound(rates, middle - half, middle + half);
    for (let i = 0; i < rates.length; i++)
      if (!(rates[i] >= 0))
        throw new MisuseError(
          `certifyCurve: curve.speedBound, got ${rates[i]} for coordinate ${i}, expected 0 or more`,
        );
    pairs.boundSpeeds(rates, half);
    const left: RobotPair[] = [];
    for (const pair of open) {
      const travel = half === 0 ? 0 : half * pairs.speedOf(pair);
      const blocked = this.examinePair(pair, travel, middle, left, level);
      if (blocked) return blocked;
    }
    if (left.length === 0) this.closed.push(interval);
    else {
      const quarter = 0.5 * half;
      next.push({ middle: middle - quarter, half: quarter, level: level + 1, open: left });
      next.push({ middle: middle + quarter, half: quarter, level: level + 1, open: left });
    }
    return null;
  }

  private examinePair(pair: RobotPair, travel: number, time: number, left: RobotPair[], level: number): Finding | null {
    const { request } = this;
    const { a, b } = pair;
    const margin = pair.margin + request.margin;
    const apart = sphereGap(pair) - margin;
    // Farther apart than ten times what both can move is enough, and keeps the clearance meaningful.
    if (apart > request.tolerance && travel <= USABLE * apart) {
      this.clearance = Math.min(this.clearance, apart - travel);
      return null;
    }
    // No gap beyond this one needs to be known.
    const needed = Math.max(travel / USABLE, request.tolerance);
    this.distances++;
    measureBodies(measured, a, b, Math.max(needed + margin, 0), margin, margin < 0 ? 'exact' : 'hull');
    const { status } = measured;
    const gap = measured.distance - margin;
    if (status !== 'beyond-bound' && isTouching(measured, margin)) return { time, a, b, gap: 0, reason: 'touches' };
    const isKnown = status === 'ok' || status === 'beyond-bound';
    if (isKnown && gap > request.tolerance && travel <= USABLE * gap) {
      this.clearance = Math.min(this.clearance, gap - travel);
      return null;
    }
    if (isKnown && gap > request.tolerance && level < MAX_LEVEL) left.push(pair);
    else
      this.undecided ??= {
        time,
        a,
        b,
        gap,
        reason: isKnown ? 'comes closer than the tolerance' : 'has a distance that could not be found',
      };
    return null;
  }

  /** Bodies that this motion does not move against each other, but that touch: other robots and what they hold. */
  private findStillContact(): Finding | null {
    const { scene, robot, request } = this;
    if (scene.robots.length < 2) return null;
    const isOwn = (body: SceneBody): boolean => body.robot === robot || body.object?.attachment?.robot === robot;
    let found: Finding | null = null;
    visitCandidates(scene, { margin: request.margin, objectPairs: false }, (a, b, bound) => {
      const isCandidate = !isOwn(a) && !isOwn(b) && (!found || compareBodyPairs([a, b], [found.a, found.b]) < 0);
      if (isCandidate && bodiesTouch(a, b, bound)) found = { time: request.from, a, b, gap: 0, reason: 'touches' };
      return true;
    });
    return found;
  }

  private describeStop({ middle, open }: Interval, reason: string): Finding {
    const [{ a, b }] = open;
    return { time: middle, a, b, gap: 0, reason };
  }

  private answer(status: CurveVerdict['status'], finding: Finding | null): CurveProof {
    const { scene, configurations, distances } = this;
    if (status === 'free' && this.grounds.isNeeded)
      for (const time of [this.request.from, this.request.to]) {
        this.curve.evaluate(this.point, time);
        setConfiguration(this.robot, this.point.q);
        this.grounds.look();
      }
    const a = finding && bodyName(scene, finding.a);
    const b = finding && bodyName(scene, finding.b);
    return {
      status,
      reason: finding ? `${a} and ${b} at ${finding.time}: ${finding.reason}` : '',
      time: finding ? finding.time : null,
      a,
      b,
      clearance: finding ? finding.gap : this.clearance,
      configurations,
      distances,
      intervals: status === 'free' ? listIntervals(this.closed) : new Float64Array(0),
      complete: this.grounds.complete,
      assumed: this.grounds.assumed,
    };
  }
}

/** They lie side by side, so that their middles order them. */
function listIntervals(closed: readonly Interval[]): Float64Array {
  const sorted = [...closed].sort((a, b) => a.middle - b.middle);
  return Float64Array.from(sorted.flatMap(({ middle, half }) => [middle, half]));
}

/** Gap of the bounding spheres, a lower bound; -Infinity where there are none. */
function sphereGap({ a, b, sphereA, sphereB }: RobotPair): number {
  const X = a.worldPlacement;
  const Y = b.worldPlacement;
  const p = sphereA.center;
  const q = sphereB.center;
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    const d =
      X[3 * i] * p[0] +
      X[3 * i + 1] * p[1] +
      X[3 * i + 2] * p[2] +
      X[9 + i] -
      (Y[3 * i] * q[0] + Y[3 * i + 1] * q[1] + Y[3 * i + 2] * q[2] + Y[9 + i]);
    sum += d * d;
  }
  return Math.sqrt(sum) - sphereA.radius - sphereB.radius;
}

/**
 * A path with rounded corners that is free of collisions at every time, not only where it was planned.
 *
 * Method: 1. the straight motions between the waypoints are certified (certify-curve.ts); 2. blends: every corner's blend is
 * certified by itself, and one that is not free gets half its deviation, until it is free or the corner stays a corner, at which a
 * trajectory stops; splines: where a piece is not free, waypoints are set in the middle of it and of its neighbours, which draws
 * the spline to the straight motions. Only what changed is looked at again.
 * A time law along the path (`parameterizeTimeOptimal`) changes no place of it, so that the trajectory is as free as the path.
 * Source: Kunz, Stilman 2012, doi:10.15607/RSS.2012.VIII.027 (blends); the proof is that of certify-curve.ts.
 *
 * Frames: W. Units: metres, radians; `deviation` in the model's metric. Cost: a certificate per straight motion and per corner and
 * halving. Ends: `free`; `blocked` or `undecided` with the place on `path`, which is then not to be driven: where the straight
 * motions themselves touch (`segment`), or where a spline still does after MOST_ROUNDS. The robot stays where it is.
 * Tested by test/contract/paths-in-scenes.test.ts.
 */

import { requireNumberThat, requirePositive } from '../math/arguments.js';
import { describeValue, requireKnownKeys } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { interpolateConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import type { SceneAssumptions } from '../scene/assumptions.js';
import { varyRobot } from '../scene/context.js';
import {
  CERTIFY_OPTIONS,
  type CertifyCurveOptions,
  type ConfigurationCurve,
  type CurveCertifier,
  type CurveVerdict,
  createCurveCertifier,
} from '../scene/motion/certify-curve.js';
import { checkScene } from '../scene/queries/check.js';
import { AssumptionCollector } from '../scene/queries/enclosed.js';
import { setConfiguration } from '../scene/robot.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { createBlendedPath } from './blended-path.js';
import type { JointCurve } from './joint-curve.js';
import { isMotionCurve } from './motion-curve.js';
import { createSplinePath } from './spline-path.js';
import { createTrajectoryPoint, sampleTimes, type Trajectory } from './trajectory.js';
import { requireWaypoints } from './trajectory-door.js';
import { prepareWaypoints } from './waypoints.js';

/** How a motion was compared with its scene: at every time, at times some distance apart, or not at all. */
export type MotionCheck = 'certified' | 'sampled' | 'unchecked';

export interface PathInSceneOptions
  extends Pick<CertifyCurveOptions, 'margin' | 'tolerance' | 'maxConfigurations' | 'shouldStop'> {
  /** `stop`: corners stay, and a trajectory stops there; parabolic or smooth blends; a spline through all waypoints. Default `blend`. */
  readonly corners?: 'stop' | 'blend' | 'smooth' | 'spline';
  /** Of blends: largest distance from the waypoint at first; default 0.01. */
  readonly deviation?: number;
}

export interface PathInScene extends SceneAssumptions {
  readonly status: CurveVerdict['status'];
  /** Empty when free. */
  readonly reason: string;
  readonly checked: 'certified';
  readonly path: JointCurve;
  /** Of each waypoint's corner, as it was made: 0 where it stays a corner. */
  readonly deviations: Float64Array;
  /** Corners whose deviation had to shrink, or waypoints that were set between the given ones. */
  readonly changes: number;
  /** Where on the path it is blocked or undecided, and by which bodies; null when free. */
  readonly place: number | null;
  readonly a: string | null;
  readonly b: string | null;
  /** The waypoint where the straight motion begins that is not free itself; null otherwise. */
  readonly segment: number | null;
  /** No pair comes closer than this beyond its margin; the gap at `place` unless free. */
  readonly clearance: number;
  readonly configurations: number;
}

const CALL = 'createPathInScene';
const KEYS = ['corners', 'deviation', 'margin', 'tolerance', 'maxConfigurations', 'shouldStop'];
const CORNERS = ['stop', 'blend', 'smooth', 'spline'];
/** Deviations below this are no use to a robot: the corner stays. */
const LEAST_DEVIATION = 1e-6;
const MOST_ROUNDS = 12;

interface Finding {
  readonly verdict: CurveVerdict;
  readonly segment: number | null;
}

class SceneCurves {
  clearance = Infinity;
  configurations = 0;

  constructor(
    readonly grounds: AssumptionCollector,
    private readonly certifier: CurveCertifier,
    private readonly options: Pick<CertifyCurveOptions, 'margin' | 'tolerance' | 'maxConfigurations' | 'shouldStop'>,
  ) {}

  /** Of one piece of a path. */
  certify(path: JointCurve, piece: number): CurveVerdict {
    const { margin, tolerance, maxConfigurations, shouldStop } = this.options;
    // A lone waypoint has no piece.
    const [from, to] = [path.breaks[piece], path.breaks[piece + 1] ?? 0];
    const verdict = this.certifier.certify(path, { margin, tolerance, maxConfigurations, shouldStop, from, to });
    this.configurations += verdict.configurations;
    this.grounds.add(verdict);
    return verdict;
  }

  keep({ clearance }: CurveVerdict): void {
    this.clearance = Math.min(this.clearance, clearance);
  }
}

/** `waypoints`: full configurations, nq numbers each, joined by straight motions that should be free. */
export function createPathInScene(
  scene: Scene,
  robot: SceneRobot,
  waypoints: readonly ArrayLike<number>[],
  options: PathInSceneOptions = {},
): PathInScene {
  requireKnownKeys(CALL, 'options', options, KEYS);
  const { corners = 'blend', deviation = 0.01, ...rest } = options;
  if (!CORNERS.includes(corners))
    throw new MisuseError(`${CALL}: corners, got ${describeValue(corners)}, expected ${CORNERS.join(', ')}`);
  requireNumberThat(CALL, 'deviation', deviation, (x) => x >= 0 && x < Infinity, '0 or more');
  requireWaypoints(CALL, 'waypoints', waypoints);
  const curves = new SceneCurves(new AssumptionCollector(scene), createCurveCertifier(scene, robot), rest);
  const { model } = robot;
  const deviations = new Float64Array(waypoints.length);
  const finish = (path: JointCurve, changes: number, finding: Finding | null): PathInScene => ({
    status: finding ? finding.verdict.status : 'free',
    reason: finding ? describe(finding) : '',
    checked: 'certified',
    path,
    deviations,
    changes,
    place: finding ? finding.verdict.time : null,
    a: finding ? finding.verdict.a : null,
    b: finding ? finding.verdict.b : null,
    segment: finding ? finding.segment : null,
    clearance: finding ? finding.verdict.clearance : curves.clearance,
    configurations: curves.configurations,
    complete: curves.grounds.complete,
    assumed: curves.grounds.assumed,
  });
  const straight = createBlendedPath(model, waypoints);
  const blocked = checkStraight(curves, straight, prepareWaypoints(CALL, model, waypoints).sources);
  if (blocked || corners === 'stop') return finish(straight, 0, blocked);
  if (corners === 'spline') {
    const { path, changes, finding } = drawSpline(curves, model, waypoints);
    return finish(path, changes, finding);
  }
  const { path, changes } = roundCorners(curves, model, waypoints, {
    deviations: deviations.fill(deviation),
    blend: corners === 'smooth' ? 'smooth' : 'parabolic',
  });
  return finish(path, changes, null);
}

function describe({ verdict, segment }: Finding): string {
  return segment === null ? verdict.reason : `the straight motion from waypoint ${segment}: ${verdict.reason}`;
}

/** The motions between waypoints, and a lone waypoint; null when all are free. */
function checkStraight(curves: SceneCurves, path: JointCurve, sources: readonly number[]): Finding | null {
  for (let piece = 0; piece < Math.max(path.pieces.length, 1); piece++) {
    const verdict = curves.certify(path, piece);
    if (verdict.status !== 'free') return { verdict, segment: sources[piece] };
    curves.keep(verdict);
  }
  return null;
}

/** Halves the deviations of corners until their blends are free; writes what they become. */
function roundCorners(
  curves: SceneCurves,
  model: Model,
  waypoints: readonly ArrayLike<number>[],
  { deviations, blend }: { readonly deviations: Float64Array; readonly blend: 'parabolic' | 'smooth' },
): { path: JointCurve; changes: number } {
  const isFree = new Uint8Array(waypoints.length);
  const isChanged = new Uint8Array(waypoints.length);
  for (;;) {
    const path = createBlendedPath(model, waypoints, { deviations, blend });
    let again = false;
    path.pieces.forEach(({ corner }, piece) => {
      if (corner === undefined || isFree[corner] === 1) return;
      const verdict = curves.certify(path, piece);
      if (verdict.status === 'free') {
        isFree[corner] = 1;
        curves.keep(verdict);
        return;
      }
      deviations[corner] = deviations[corner] > 2 * LEAST_DEVIATION ? 0.5 * deviations[corner] : 0;
      isChanged[corner] = 1;
      again = true;
    });
    if (!again) return { path, changes: isChanged.reduce((sum, x) => sum + x, 0) };
  }
}

/** Sets waypoints where the spline is not free. */
function drawSpline(
  curves: SceneCurves,
  model: Model,
  waypoints: readonly ArrayLike<number>[],
): { path: JointCurve; changes: number; finding: Finding | null } {
  let points: readonly ArrayLike<number>[] = waypoints;
  for (let round = 0; ; round++) {
    const path = createSplinePath(model, points);
    const open = new Set<number>();
    let finding: Finding | null = null;
    let clearance = Infinity;
    for (let piece = 0; piece < path.pieces.length; piece++) {
      const verdict = curves.certify(path, piece);
      if (verdict.status === 'free') {
        clearance = Math.min(clearance, verdict.clearance);
        continue;
      }
      finding ??= { verdict, segment: null };
      for (const k of [piece - 1, piece, piece + 1]) open.add(k);
    }
    curves.clearance = Math.min(curves.clearance, clearance);
    if (!finding || round === MOST_ROUNDS) return { path, changes: points.length - waypoints.length, finding };
    points = subdivide(model, path, points, open);
  }
}

/** A point in the middle of each of these straight motions. */
function subdivide(
  model: Model,
  path: JointCurve,
  points: readonly ArrayLike<number>[],
  open: ReadonlySet<number>,
): Float64Array[] {
  // Repeated waypoints make no piece: those that stand at the pieces' starts count.
  const starts = path.pieces.map(({ base }) => base);
  const ends = [...starts.slice(1), Float64Array.from(points[points.length - 1])];
  return [
    ...starts.flatMap((start, k) => {
      if (!open.has(k)) return [start];
      return [start, interpolateConfiguration(new Float64Array(model.nq), model, start, ends[k], 0.5)];
    }),
    ends[ends.length - 1],
  ];
}

export interface CheckTrajectoryOptions extends CertifyCurveOptions {
  /** Seconds between the times looked at where a trajectory gives no bounds; default 0.005. */
  readonly dt?: number;
}

export interface CheckedTrajectory extends CurveVerdict {
  readonly checked: 'certified' | 'sampled';
}

/**
 * A trajectory of the robot against its scene: at every time where it bounds itself (`isMotionCurve`, as all of this door do), else
 * at times `dt` apart, which is no proof.
 */
export function checkTrajectory(
  scene: Scene,
  robot: SceneRobot,
  trajectory: Trajectory,
  given: CheckTrajectoryOptions = {},
): CheckedTrajectory {
  requireKnownKeys('checkTrajectory', 'options', given, ['dt', ...CERTIFY_OPTIONS]);
  const { dt = 0.005, ...options } = given;
  if (given.dt !== undefined) requirePositive('checkTrajectory', 'options.dt', dt);
  if (typeof trajectory?.evaluate !== 'function')
    throw new MisuseError(`checkTrajectory: trajectory, got ${describeValue(trajectory)}, expected one with evaluate`);
  if (isMotionCurve(trajectory)) {
    const verdict = createCurveCertifier(scene, robot).certify(trajectory as ConfigurationCurve, options);
    return { ...verdict, checked: 'certified' };
  }
  return { ...sampleVerdict(scene, robot, trajectory, options, dt), checked: 'sampled' };
}

function sampleVerdict(
  scene: Scene,
  robot: SceneRobot,
  trajectory: Trajectory,
  { margin = 0, from = 0, to = trajectory.duration }: CertifyCurveOptions,
  dt: number,
): CurveVerdict {
  const point = createTrajectoryPoint(robot.model);
  const own = varyRobot(scene, robot, 'checkTrajectory');
  const grounds = new AssumptionCollector(own);
  let configurations = 0;
  for (const offset of sampleTimes(to - from, dt)) {
    const time = from + offset;
    trajectory.evaluate(point, time);
    setConfiguration(own.robot, point.q);
    configurations++;
    const { free, contacts, complete, assumed } = checkScene(own, { margin, depth: 'none' });
    grounds.add({ complete, assumed });
    if (free) continue;
    const [{ a, b }] = contacts;
    const reason = `${a} and ${b} at ${time}: touches`;
    return { status: 'blocked', reason, time, a, b, clearance: 0, configurations, distances: 0, complete, assumed };
  }
  return {
    status: 'free',
    reason: '',
    time: null,
    a: null,
    b: null,
    clearance: 0,
    configurations,
    distances: 0,
    complete: grounds.complete,
    assumed: grounds.assumed,
  };
}

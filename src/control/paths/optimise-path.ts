/**
 * A short path of a robot in its scene, from a state to a state, by TrajOpt or CHOMP from several first paths, and proven free at every
 * time; or not proven, with the place.
 *
 * Method: 1. ends in contact or beyond limits end it; 2. from the straight path, then from bent ones (initial-paths.ts), a descent
 * (trajopt.ts, chomp.ts); 3. the path it ends with is certified (scene/motion/certify-path.ts): the exact shapes, every pair, every time, not
 * looks along the way. A path that fails is descended once more with looks twice as dense, and one that does not keep the limits asked for
 * (limit-excess.ts) is not certified either; 4. the first certified path ends the search, or with
 * `all` the shortest one of all seeds is taken. Of paths that are not certified the one that misses least is returned, as `not-certified`.
 * Local descent proves nothing about what it did not find: `not-certified` never says that there is no way.
 *
 * Units: joint space, metres. The robot stays where it is. Same request, same bits; `shouldStop` only ends it.
 * Tested by optimise-path.test.ts and test/oracle/path-optimisation.test.ts.
 */
import { LONGEST } from '../../geometry/shape-range.js';
import {
  type Fields,
  oneOf,
  requireCount,
  requireFields,
  requireFlag,
  requireFunction,
  requireList,
  requireNumberThat,
  requireObject,
  requirePositiveNumber,
  requireSeed,
  throwMisuse,
  unchecked,
} from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { isWithinLimits } from '../../model/configuration.js';
import { type SceneAssumptions, sceneAssumptions } from '../../scene/assumptions.js';
import { certifyPath, type PathCertificate, type PathVerdict } from '../../scene/motion/certify-path.js';
import { createSceneChecker } from '../../scene/motion/validity.js';
import { readCoordinates } from '../../scene/robot-coordinates.js';
import { requireNumbers, requireOpen, requireRobot } from '../../scene/scene-door.js';
import type { Scene, SceneRobot } from '../../scene/types.js';
import { createLimits } from '../../trajectory/limits.js';
import { createDistanceGradients } from '../distance/distance-gradients.js';
import { Chomp } from './chomp.js';
import type { Descent, DescentLog, DescentResult } from './descent.js';
import { createInitialPath, spreadPoints } from './initial-paths.js';
import { findLimitExcess } from './limit-excess.js';
import { askClearances, listMoving, measurePath, type PathLimits, type PathProblem } from './path-problem.js';
import { Trajopt } from './trajopt.js';

export type PathMethod = 'trajopt' | 'chomp';

export interface PathLimitOptions {
  /** Seconds from waypoint to waypoint. */
  readonly step: number;
  /** One number, nv numbers, or `model` (default). */
  readonly velocity?: number | ArrayLike<number> | 'model';
  readonly acceleration?: number | ArrayLike<number>;
}

export interface PathOptimisationRequest {
  /** Default `trajopt`. */
  readonly method?: PathMethod;
  /** Full configurations, nq numbers. */
  readonly start: ArrayLike<number>;
  readonly goal: ArrayLike<number>;
  /** Coordinates of q that move, whole joints; default all. The others must be alike at both ends. */
  readonly indices?: ArrayLike<number>;
  /** First paths in place of the straight one, each of two or more full configurations from start to goal. */
  readonly initial?: readonly (readonly ArrayLike<number>[])[];
  /** Straight motions of the path; default 16. */
  readonly segments?: number;
  /** What every pair is to keep beyond its margin, less near ends that are nearer. Metres, default 0.02. */
  readonly clearance?: number;
  /** Largest step of a coordinate between looks along the path. Radians or metres, default 0.05. */
  readonly resolution?: number;
  /** First paths in all, given ones among them; default 8. */
  readonly seeds?: number;
  /** Of what is drawn; default 1. */
  readonly seed?: number;
  /** Of one descent; default 100 of TrajOpt, 300 of CHOMP. */
  readonly maxIterations?: number;
  /** TrajOpt: keep these along the path, at rest at both ends. */
  readonly limits?: PathLimitOptions;
  /** Go on after the first certified path for a shorter one; default false. */
  readonly all?: boolean;
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (progress: DescentLog & { readonly seed: number }) => void;
}

/** One first path, and what became of it. */
export interface PathAttempt extends Omit<DescentResult, 'status'> {
  readonly status: DescentResult['status'];
  readonly certified: boolean;
  readonly length: number;
  /** Merit of the descent at each iteration: cost, and what was missed. */
  readonly costs: readonly { readonly cost: number; readonly violation: number }[];
  /** Of the certificate that failed; null when certified. */
  readonly place: PathPlace | null;
}

export interface PathPlace {
  readonly segment: number;
  readonly t: number;
  readonly a: string | null;
  readonly b: string | null;
  readonly reason: string;
}

export interface PathOptimisation extends SceneAssumptions {
  readonly status: 'solved' | 'not-certified' | 'invalid-start' | 'invalid-goal' | 'timeout';
  /** Empty when solved. */
  readonly reason: string;
  /** Every motion of the path is free at every time, and it keeps the limits asked for. */
  readonly certified: boolean;
  /** Full configurations; empty for bad ends. Not to be driven unless certified. */
  readonly path: readonly Float64Array[];
  readonly certificate: PathCertificate | null;
  /** Smoothness of the path: sum of squared steps over that of the straight one. */
  readonly cost: number;
  /** Sum of the lengths of its motions. */
  readonly length: number;
  /** No pair comes nearer beyond its margin; 0 when not certified. Metres. */
  readonly clearance: number;
  /** Of all descents. */
  readonly iterations: number;
  /** Where the certificate of the returned path failed. */
  readonly place: PathPlace | null;
  /** In the order of the seeds; the last one is of the path, or with `all` that at `chosen`. */
  readonly attempts: readonly PathAttempt[];
  readonly chosen: number;
}

/** Each has a state, derivatives and rows of its own in every program. */
const MOST_SEGMENTS = 10_000;
const SEGMENTS = `a whole number from 2 to ${MOST_SEGMENTS}`;
const isSegmentCount = (n: number): boolean => Number.isInteger(n) && n >= 2 && n <= MOST_SEGMENTS;

const REQUEST: Fields = {
  method: oneOf('trajopt', 'chomp'),
  start: unchecked,
  goal: unchecked,
  indices: unchecked,
  initial: requireList,
  segments: (call, what, value) => requireNumberThat(call, what, value, isSegmentCount, SEGMENTS),
  clearance: requirePositiveNumber,
  resolution: requirePositiveNumber,
  seeds: (call, what, value) => requireCount(call, what, value, 1),
  seed: (call, _what, value) => requireSeed(call, value),
  maxIterations: (call, what, value) => requireCount(call, what, value, 1),
  limits: requireObject,
  all: requireFlag,
  shouldStop: requireFunction,
  onProgress: requireFunction,
};
const LIMITS: Fields = { step: requirePositiveNumber, velocity: unchecked, acceleration: unchecked };
/** Beyond the clearance, of what is looked at: what a step could bring near. Metres. */
const AHEAD = 0.06;
const CALL = 'optimisePath';

export function optimisePath(scene: Scene, robot: SceneRobot, request: PathOptimisationRequest): PathOptimisation {
  const { seeds, refusal, attempt } = createPathTrials(scene, robot, request);
  if (refusal) return refusal;
  const { all = false, shouldStop } = request;
  const tried: TriedPath[] = [];
  for (let n = 0; n < seeds && !shouldStop?.(); n++) {
    const made = attempt(n);
    tried.push(made);
    if (made.attempt.certified && !all) break;
  }
  if (tried.length === 0) return answerStopped(scene);
  return answerTried(tried, shouldStop?.() ?? false);
}

function requireSameRest(indices: Int32Array, start: Float64Array, goal: Float64Array): void {
  const moving = new Set(indices);
  for (let i = 0; i < start.length; i++)
    if (!moving.has(i) && start[i] !== goal[i])
      throw new MisuseError(
        `${CALL}: goal[${i}], got ${goal[i]}, expected ${start[i]} of the start: the coordinate does not move`,
      );
}

function readInitial(
  { model }: SceneRobot,
  initial: readonly (readonly ArrayLike<number>[])[],
  start: Float64Array,
  goal: Float64Array,
): Float64Array[][] {
  return initial.map((path, n) => {
    requireList(CALL, `initial[${n}]`, path, 'a list of configurations');
    if (path.length < 2)
      throw new MisuseError(`${CALL}: initial[${n}], got ${path.length} configurations, expected 2 or more`);
    const read = path.map((q, i) => Float64Array.from(requireNumbers(CALL, `initial[${n}][${i}]`, q, model.nq)));
    for (const [i, end, name] of [
      [0, start, 'start'],
      [read.length - 1, goal, 'goal'],
    ] as const)
      if (read[i].some((x, k) => Math.abs(x - end[k]) > 1e-9))
        throw new MisuseError(`${CALL}: initial[${n}][${i}], got another state than the ${name}, expected the ${name}`);
    return read;
  });
}

interface Refusal {
  readonly status: 'invalid-start' | 'invalid-goal';
  readonly reason: string;
}

function judgeEnds(scene: Scene, robot: SceneRobot, start: Float64Array, goal: Float64Array): Refusal | null {
  const checker = createSceneChecker(scene, robot);
  for (const [q, name] of [
    [start, 'start'],
    [goal, 'goal'],
  ] as const) {
    const status = `invalid-${name}` as const;
    const farthest = q.findIndex((x) => Math.abs(x) > LONGEST);
    if (farthest >= 0) return { status, reason: `the ${name} has ${q[farthest]}, expected within +-${LONGEST}` };
    if (!isWithinLimits(robot.model, q, 1e-9)) return { status, reason: `the ${name} is beyond the joint limits` };
    if (!checker.isValid(q)) return { status, reason: `the ${name} is in collision: ${checker.explain(q)}` };
  }
  return null;
}

function createProblem(
  scene: Scene,
  robot: SceneRobot,
  request: PathOptimisationRequest,
  ends: { readonly start: Float64Array; readonly goal: Float64Array; readonly indices: Int32Array },
): PathProblem {
  const { model } = robot;
  const { segments = 16, clearance = 0.02, resolution = 0.05 } = request;
  const { start, goal, indices } = ends;
  const reach = clearance + AHEAD;
  const distances = createDistanceGradients(scene, robot, { reach });
  const asked = askClearances(distances, clearance, [start, goal]);
  const { moving, places } = listMoving(CALL, robot, indices);
  const limits = request.limits ? readLimits(robot, request.limits) : null;
  return { model, moving, places, start, goal, segments, resolution, clearance, reach, limits, distances, asked };
}

function readLimits({ model }: SceneRobot, options: PathLimitOptions): PathLimits {
  requireFields(CALL, 'limits', options, LIMITS);
  const { step, velocity, acceleration } = options;
  return { step, ...createLimits(model, { velocity, acceleration }) };
}

function answerRefused({ distances }: PathProblem, refusal: Refusal): PathOptimisation {
  const { complete, assumed } = distances;
  return { ...refusal, ...NOTHING, complete, assumed };
}

function answerStopped(scene: Scene): PathOptimisation {
  const { complete, assumed } = sceneAssumptions(scene);
  return { status: 'timeout', reason: 'stopped', ...NOTHING, complete, assumed };
}

const NOTHING = {
  certified: false,
  path: [],
  certificate: null,
  cost: 0,
  length: 0,
  clearance: 0,
  iterations: 0,
  place: null,
  attempts: [],
  chosen: -1,
} as const;

/** @internal What became of one first path: plain data. */
export interface TriedPath {
  readonly path: readonly Float64Array[];
  readonly verdict: Pick<PathVerdict, 'reason' | 'clearance' | 'certificate'>;
  readonly attempt: PathAttempt;
  readonly grounds: SceneAssumptions;
}

/** @internal A request taken apart into its first paths, which do not depend on each other: threads may share them. */
export interface PathTrials {
  readonly seeds: number;
  /** The answer where an end is not free. */
  readonly refusal: PathOptimisation | null;
  attempt(seed: number): TriedPath;
}

/** @internal */
export function createPathTrials(scene: Scene, robot: SceneRobot, request: PathOptimisationRequest): PathTrials {
  requireOpen(scene, CALL);
  requireRobot(CALL, robot);
  requireFields(CALL, 'request', request, REQUEST);
  if (request.limits && request.method === 'chomp')
    throwMisuse(CALL, 'limits', request.limits, "none with method 'chomp', which does not keep them");
  const { nq } = robot.model;
  const start = Float64Array.from(requireNumbers(CALL, 'start', request.start, nq));
  const goal = Float64Array.from(requireNumbers(CALL, 'goal', request.goal, nq));
  const { indices } = readCoordinates(CALL, robot, { indices: request.indices, rest: start });
  requireSameRest(indices, start, goal);
  const given = readInitial(robot, request.initial ?? [], start, goal);
  const refused = judgeEnds(scene, robot, start, goal);
  const problem = createProblem(scene, robot, request, { start, goal, indices });
  const { seeds = 8, seed = 1 } = request;
  return {
    seeds,
    refusal: refused && answerRefused(problem, refused),
    attempt: (n) => {
      const path =
        n < given.length
          ? spreadPoints(problem, given[n])
          : createInitialPath(problem, seed, given.length === 0 ? n : n - given.length + 1);
      return tryPath(scene, robot, problem, request, path, n);
    },
  };
}

/** A descent, and the certificate; once more with denser looks where that fails. */
function tryPath(
  scene: Scene,
  robot: SceneRobot,
  problem: PathProblem,
  request: PathOptimisationRequest,
  path: Float64Array[],
  seed: number,
): TriedPath {
  const { method = 'trajopt', shouldStop, onProgress } = request;
  const costs: PathAttempt['costs'][number][] = [];
  const settings = {
    maxIterations: request.maxIterations ?? (method === 'chomp' ? 300 : 100),
    shouldStop,
    onIteration: (log: DescentLog) => {
      costs.push({ cost: log.cost, violation: log.violation });
      onProgress?.({ ...log, seed });
    },
  };
  let found = createDescent(method, problem).run(path, settings);
  let iterations = found.iterations;
  let verdict = certifyPath(scene, robot, path, { shouldStop });
  if (verdict.status !== 'free' && found.status === 'clear' && !shouldStop?.()) {
    found = createDescent(method, { ...problem, resolution: 0.5 * problem.resolution }).run(path, settings);
    iterations += found.iterations;
    verdict = certifyPath(scene, robot, path, { shouldStop });
  }
  const isFree = verdict.status === 'free';
  const excess = isFree ? findLimitExcess(problem, path) : null;
  const certified = isFree && excess === null;
  const reason = excess?.reason ?? verdict.reason;
  let place: PathPlace | null = null;
  if (excess) place = { segment: excess.segment, t: 0, a: null, b: null, reason };
  else if (!isFree) place = { segment: verdict.segment!, t: verdict.t!, a: verdict.a, b: verdict.b, reason };
  const length = measurePath(problem.model, path);
  const { distances } = problem;
  const { clearance, certificate } = verdict;
  return {
    path,
    verdict: { reason, clearance, certificate: certified ? certificate : null },
    attempt: { ...found, iterations, certified, length, costs, place },
    grounds: {
      complete: distances.complete && verdict.complete,
      assumed: [...new Set([...distances.assumed, ...verdict.assumed])],
    },
  };
}

/** @internal The answer of first paths that were tried, in the order of the seeds, at least one. */
export function answerTried(tried: readonly TriedPath[], isStopped: boolean): PathOptimisation {
  const best = tried.reduce((kept, made) => (isBetter(made, kept) ? made : kept));
  const attempts = tried.map(({ attempt }) => attempt);
  const { path, verdict, attempt, grounds } = best;
  const { certified, place, cost, length } = attempt;
  const { certificate } = verdict;
  return {
    status: certified ? 'solved' : isStopped ? 'timeout' : 'not-certified',
    reason: certified ? '' : `not certified: ${verdict.reason}`,
    certified,
    path,
    certificate,
    cost,
    length,
    clearance: certified ? verdict.clearance : 0,
    iterations: attempts.reduce((sum, { iterations }) => sum + iterations, 0),
    place,
    attempts,
    chosen: tried.indexOf(best),
    ...grounds,
  };
}

function createDescent(method: PathMethod, problem: PathProblem): Descent {
  return method === 'chomp' ? new Chomp(problem) : new Trajopt(problem);
}

function isBetter({ attempt: a }: TriedPath, { attempt: b }: TriedPath): boolean {
  if (a.certified !== b.certified) return a.certified;
  return a.certified ? a.length < b.length : a.violation < b.violation;
}

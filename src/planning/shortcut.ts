/**
 * Shortens and smooths a valid path.
 *
 * Method:
 * 1. vertices: from each state try to go straight to the farthest later one;
 * 2. shortcuts: draw two points along the path, uniform in length, and replace what lies between by the straight motion
 *    if that is valid and shorter; give up after `patience` failures in a row;
 * 3. vertices again, as shortcuts leave new states;
 * 4. smoothing, if asked for: cut each corner towards the mean of its neighbours' midpoints, as one step of cubic
 *    B-spline subdivision does, where the new motions are valid.
 * Motions are decided exactly where the checker decides whole motions (`checker.motion`, as a scene's does): the result is then
 * free at every time. Otherwise all this is done at `resolution`; then every motion of the result, pieces of old motions
 * included, is checked as a whole at `verifyResolution`, and if one fails (a thin contact between two states), all is done
 * again at that finer resolution. A path that passes the obstacles closer needs more than the planner's own resolution.
 * The ends stay bit for bit. The length never grows beyond rounding.
 * Source: Geraerts, Overmars 2007, "Creating high-quality paths for motion planning", section 3,
 * doi:10.1177/0278364907079280 (shortcuts); Lane, Riesenfeld 1980, "A theoretical development for the computer generation
 * and display of piecewise polynomial surfaces", doi:10.1109/TPAMI.1980.4766968 (subdivision).
 * Cost: O(states^2 + maxIterations) motion checks. Stopping from outside ends within one check, with the best path that has
 * passed the same checks as a whole result, or the path given.
 * Tested by shortcut.test.ts and test/oracle/planning-panda.test.ts.
 */
import { requireSeed } from '../math/arguments.js';
import { createRandom } from '../math/random.js';
import { requireResolution } from './motion.js';
import { pathLength } from './path.js';
import {
  requireChecker,
  requireCount,
  requireMotion,
  requireObject,
  requirePath,
  requireSpace,
  STOP_KEYS,
} from './requests.js';
import { createStopWatch, type StopWatch, WatchedChecks } from './stopping.js';
import {
  joinAssumptions,
  type MotionValidator,
  type StateSpace,
  type StopOptions,
  type ValidityChecker,
} from './types.js';

export interface ShortcutRequest extends StopOptions {
  readonly space: StateSpace;
  readonly checker: ValidityChecker;
  /** Valid; not changed. */
  readonly path: readonly Float64Array[];
  /** Default 1. */
  readonly seed?: number;
  /** Shortcuts tried at most; default 200. */
  readonly maxIterations?: number;
  /** Failures in a row that end the shortcuts; default 20. */
  readonly patience?: number;
  /** Rounds of corner cutting; default 0. */
  readonly smoothingRounds?: number;
  /** As in the planner's request; default 1/32. */
  readonly resolution?: number;
  /** Distance between checked states on the result; default resolution / 16. */
  readonly verifyResolution?: number;
  /** Decides motions. Default: the checker's own, else states `resolution` and then `verifyResolution` apart. */
  readonly motion?: MotionValidator;
}

export interface ShortcutResult {
  readonly path: readonly Float64Array[];
  readonly length: number;
  /** Shortcuts tried. */
  readonly iterations: number;
  readonly checks: number;
  /** Stopped from outside before the end. */
  readonly stopped: boolean;
  /** Whether every motion of the path passed the finest check; false also where the path given does not, or time ran out. */
  readonly verified: boolean;
  /** What the checkers say: see `Assuming`. */
  readonly complete: boolean;
  readonly assumed: readonly string[];
}

/** Gains below this share of the length are not worth a change; it also keeps rounding from counting as gain. */
const LEAST_GAIN = 1e-6;
const FINER = 16;
const KEYS = [
  ...[
    'space',
    'checker',
    'path',
    'seed',
    'maxIterations',
    'patience',
    'smoothingRounds',
    'resolution',
    'verifyResolution',
  ],
  ...['motion', ...STOP_KEYS],
];

function requireRequest(request: ShortcutRequest): void {
  const call = 'shortcutPath';
  requireObject(call, request, KEYS);
  requireSpace(call, request.space);
  requireChecker(call, request.checker);
  requireMotion(call, request.motion);
  requirePath(call, request.space, request.path);
  requireSeed(call, request.seed);
  for (const key of ['maxIterations', 'patience', 'smoothingRounds'] as const) requireCount(call, key, request[key]);
  for (const key of ['resolution', 'verifyResolution'] as const)
    if (request[key] !== undefined) requireResolution(call, request[key]);
}

export function shortcutPath(request: ShortcutRequest): ShortcutResult {
  requireRequest(request);
  const { space, checker } = request;
  const resolution = request.resolution ?? 1 / 32;
  const watch = createStopWatch('shortcutPath', request);
  const checks = new WatchedChecks(checker, watch);
  const whole = request.motion ?? checker.motion;
  const finest = whole?.isExact ? whole : (checker.motion ?? whole);
  const coarse = whole ? checks.whole(whole, space) : checks.sampled(space, resolution);
  const fine =
    finest === undefined
      ? checks.sampled(space, request.verifyResolution ?? resolution / FINER)
      : finest === whole
        ? coarse
        : checks.whole(finest, space);
  const shortened = shorten(request, coarse, watch, coarse.isExact === true);
  let { path, iterations } = shortened;
  let verified = isPathValid(path, fine);
  if (!verified && !watch.wasOver) {
    const again = shorten(request, fine, watch, false);
    iterations += again.iterations;
    path = again.path;
    verified = isPathValid(path, fine);
  }
  // An exact validator has decided about every motion of a path that is cut short.
  if (watch.wasOver && !verified && !(coarse === fine && coarse.isExact)) path = request.path.map((q) => q.slice());
  return {
    path,
    length: pathLength(space, path),
    iterations,
    checks: checks.count,
    stopped: watch.wasOver,
    verified,
    ...joinAssumptions(checker, request.motion),
  };
}

function isPathValid(path: readonly Float64Array[], motion: MotionValidator): boolean {
  for (let i = 1; i < path.length; i++) if (!motion.isMotionValid(path[i - 1], path[i])) return false;
  return true;
}

/** `trustParts`: pieces of valid motions are valid. */
function shorten(
  request: ShortcutRequest,
  motion: MotionValidator,
  watch: StopWatch,
  trustParts: boolean,
): { path: Float64Array[]; iterations: number } {
  const { space } = request;
  let path: Float64Array[] = request.path.map((state) => state.slice());
  path = skipVertices(path, motion, watch);
  const iterations = cutRandomly(path, motion, watch, request, trustParts);
  path = skipVertices(path, motion, watch);
  for (let round = 0; round < (request.smoothingRounds ?? 0) && !watch.isOver(); round++)
    if (!cutCorners(path, space, motion, watch)) break;
  path = path.filter((state, i) => i === 0 || i === path.length - 1 || space.distance(path[i - 1], state) > 0);
  return { path, iterations };
}

/** From each state straight to the farthest later one that can be reached. */
function skipVertices(path: Float64Array[], motion: MotionValidator, watch: StopWatch): Float64Array[] {
  if (path.length < 3) return path;
  const kept = [path[0]];
  let i = 0;
  while (i < path.length - 1) {
    let j = path.length - 1;
    while (j > i + 1 && (watch.isOver() || !motion.isMotionValid(path[i], path[j]))) j--;
    kept.push(path[j]);
    i = j;
  }
  return kept;
}

/** Changes `path` in place; returns how many shortcuts were tried. */
function cutRandomly(
  path: Float64Array[],
  motion: MotionValidator,
  watch: StopWatch,
  { space, ...options }: Pick<ShortcutRequest, 'space' | 'seed' | 'maxIterations' | 'patience'>,
  trustParts: boolean,
): number {
  const random = createRandom(options.seed ?? 1);
  const maxIterations = options.maxIterations ?? 200;
  const patience = options.patience ?? 20;
  let iterations = 0;
  for (let failures = 0; iterations < maxIterations && failures < patience && path.length > 2; ) {
    if (watch.isOver()) break;
    iterations++;
    const total = pathLength(space, path);
    const first = random.next() * total;
    const second = random.next() * total;
    const a = locate(space, path, Math.min(first, second));
    const b = locate(space, path, Math.max(first, second));
    const cut = { space, motion, trustParts, leastGain: LEAST_GAIN * total };
    if (tryShortcut(path, a, b, cut)) failures = 0;
    else failures++;
  }
  return iterations;
}

interface PathPoint {
  /** Index of the motion, from path[segment] to path[segment + 1]. */
  segment: number;
  state: Float64Array;
  /** Length from path[segment] to the state. */
  before: number;
}

function locate(space: StateSpace, path: Float64Array[], at: number): PathPoint {
  let rest = at;
  for (let segment = 0; ; segment++) {
    const length = space.distance(path[segment], path[segment + 1]);
    if (rest < length || segment === path.length - 2) {
      const t = length > 0 ? Math.min(rest / length, 1) : 0;
      const state = space.interpolate(new Float64Array(space.dimension), path[segment], path[segment + 1], t);
      return { segment, state, before: t * length };
    }
    rest -= length;
  }
}

interface Cut {
  readonly space: StateSpace;
  readonly motion: MotionValidator;
  readonly trustParts: boolean;
  readonly leastGain: number;
}

function tryShortcut(
  path: Float64Array[],
  a: PathPoint,
  b: PathPoint,
  { space, motion, trustParts, leastGain }: Cut,
): boolean {
  if (a.segment === b.segment) return false;
  let old = b.before - a.before;
  for (let i = a.segment; i < b.segment; i++) old += space.distance(path[i], path[i + 1]);
  if (old - space.distance(a.state, b.state) <= leastGain) return false;
  const head = path[a.segment];
  const tail = path[b.segment + 1];
  if (!motion.isMotionValid(a.state, b.state)) return false;
  if (!trustParts && (!motion.isMotionValid(head, a.state) || !motion.isMotionValid(b.state, tail))) return false;
  path.splice(a.segment + 1, b.segment - a.segment, a.state, b.state);
  return true;
}

/** One round of subdivision: doubles the states, pulls every old corner inwards. Returns false when nothing moved. */
function cutCorners(path: Float64Array[], space: StateSpace, motion: MotionValidator, watch: StopWatch): boolean {
  if (path.length < 3) return false;
  let changed = false;
  const middle = (a: Float64Array, b: Float64Array): Float64Array =>
    space.interpolate(new Float64Array(space.dimension), a, b, 0.5);
  for (let i = 1; i < path.length - 1 && !watch.isOver(); i++) {
    const before = middle(path[i - 1], path[i]);
    const after = middle(path[i], path[i + 1]);
    const pulled = middle(middle(before, path[i]), middle(path[i], after));
    if (
      motion.isMotionValid(path[i - 1], before) &&
      motion.isMotionValid(before, pulled) &&
      motion.isMotionValid(pulled, after) &&
      motion.isMotionValid(after, path[i + 1])
    ) {
      path.splice(i, 1, before, pulled, after);
      changed = true;
      // The new neighbours are on straight pieces; the next corner is the old path[i + 1].
      i += 2;
    }
  }
  return changed;
}

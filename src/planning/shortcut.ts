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
 * All this at `resolution`; then every motion of the result, pieces of old motions included, is checked as a whole at
 * `verifyResolution`. If one fails (a thin contact between two states), all is done again at that finer resolution.
 * The ends stay bit for bit. The length never grows beyond rounding.
 * Source: Geraerts, Overmars 2007, "Creating high-quality paths for motion planning", section 3,
 * doi:10.1177/0278364907079280 (shortcuts); Lane, Riesenfeld 1980, "A theoretical development for the computer generation
 * and display of piecewise polynomial surfaces", doi:10.1109/TPAMI.1980.4766968 (subdivision).
 * Cost: O(states^2 + maxIterations) motion checks. Stopping from outside returns the best path so far.
 * Tested by shortcut.test.ts and test/oracle/planning-panda.test.ts.
 */
import { MisuseError } from '../math/misuse.js';
import { createRandom } from '../math/random.js';
import { createSampledMotion, requireResolution } from './motion.js';
import { pathLength } from './path.js';
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
  /** Distance between checked states on the result; default resolution / 4. */
  readonly verifyResolution?: number;
  /** Replaces the sampled check of motions at both resolutions. */
  readonly motion?: MotionValidator;
}

export interface ShortcutResult {
  readonly path: readonly Float64Array[];
  readonly length: number;
  /** Shortcuts tried. */
  readonly iterations: number;
  readonly checks: number;
  /** What the checkers say: see `Assuming`. */
  readonly complete: boolean;
  readonly assumed: readonly string[];
}

/** Gains below this share of the length are not worth a change; it also keeps rounding from counting as gain. */
const LEAST_GAIN = 1e-6;

export function shortcutPath(request: ShortcutRequest): ShortcutResult {
  const { space, checker, timeoutMs, clock } = request;
  const resolution = request.resolution ?? 1 / 32;
  const verifyResolution = request.verifyResolution ?? resolution / 4;
  requireResolution('shortcutPath', resolution);
  requireResolution('shortcutPath', verifyResolution);
  if (timeoutMs !== undefined && !clock)
    throw new MisuseError('shortcutPath: clock, got none, expected one beside timeoutMs, e.g. () => performance.now()');
  const deadline = timeoutMs === undefined ? Infinity : clock!() + timeoutMs;
  const shouldStop = (): boolean => request.shouldStop?.() || (deadline < Infinity && clock!() >= deadline);
  let checks = 0;
  const counted: ValidityChecker = {
    isValid: (q) => {
      checks++;
      return checker.isValid(q);
    },
  };
  const coarse = request.motion ?? createSampledMotion(space, counted, resolution);
  const fine = request.motion ?? createSampledMotion(space, counted, verifyResolution);
  let { path, iterations } = shorten(request, coarse, shouldStop);
  if (coarse !== fine && !isPathValid(path, fine)) {
    const again = shorten(request, fine, shouldStop);
    path = again.path;
    iterations += again.iterations;
  }
  const assumptions = joinAssumptions(checker, request.motion);
  return { path, length: pathLength(space, path), iterations, checks, ...assumptions };
}

function isPathValid(path: readonly Float64Array[], motion: MotionValidator): boolean {
  for (let i = 1; i < path.length; i++) if (!motion.isMotionValid(path[i - 1], path[i])) return false;
  return true;
}

function shorten(
  request: ShortcutRequest,
  motion: MotionValidator,
  shouldStop: () => boolean,
): { path: Float64Array[]; iterations: number } {
  const { space } = request;
  let path: Float64Array[] = request.path.map((state) => state.slice());
  path = skipVertices(path, motion, shouldStop);
  const iterations = cutRandomly(path, space, motion, request, shouldStop);
  path = skipVertices(path, motion, shouldStop);
  for (let round = 0; round < (request.smoothingRounds ?? 0) && !shouldStop(); round++)
    if (!cutCorners(path, space, motion, shouldStop)) break;
  path = path.filter((state, i) => i === 0 || i === path.length - 1 || space.distance(path[i - 1], state) > 0);
  return { path, iterations };
}

/** From each state straight to the farthest later one that can be reached. */
function skipVertices(path: Float64Array[], motion: MotionValidator, shouldStop: () => boolean): Float64Array[] {
  if (path.length < 3) return path;
  const kept = [path[0]];
  let i = 0;
  while (i < path.length - 1) {
    let j = path.length - 1;
    while (j > i + 1 && (shouldStop() || !motion.isMotionValid(path[i], path[j]))) j--;
    kept.push(path[j]);
    i = j;
  }
  return kept;
}

/** Changes `path` in place; returns how many shortcuts were tried. */
function cutRandomly(
  path: Float64Array[],
  space: StateSpace,
  motion: MotionValidator,
  options: Pick<ShortcutRequest, 'seed' | 'maxIterations' | 'patience'>,
  shouldStop: () => boolean,
): number {
  const random = createRandom(options.seed ?? 1);
  const maxIterations = options.maxIterations ?? 200;
  const patience = options.patience ?? 20;
  let iterations = 0;
  for (let failures = 0; iterations < maxIterations && failures < patience && path.length > 2; ) {
    if (shouldStop()) break;
    iterations++;
    const total = pathLength(space, path);
    const first = random.next() * total;
    const second = random.next() * total;
    const a = locate(space, path, Math.min(first, second));
    const b = locate(space, path, Math.max(first, second));
    if (tryShortcut(path, space, motion, a, b, LEAST_GAIN * total)) failures = 0;
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

function tryShortcut(
  path: Float64Array[],
  space: StateSpace,
  motion: MotionValidator,
  a: PathPoint,
  b: PathPoint,
  leastGain: number,
): boolean {
  if (a.segment === b.segment) return false;
  let old = b.before - a.before;
  for (let i = a.segment; i < b.segment; i++) old += space.distance(path[i], path[i + 1]);
  if (old - space.distance(a.state, b.state) <= leastGain) return false;
  const head = path[a.segment];
  const tail = path[b.segment + 1];
  if (!motion.isMotionValid(a.state, b.state)) return false;
  if (!motion.isMotionValid(head, a.state) || !motion.isMotionValid(b.state, tail)) return false;
  path.splice(a.segment + 1, b.segment - a.segment, a.state, b.state);
  return true;
}

/** One round of subdivision: doubles the states, pulls every old corner inwards. Returns false when nothing moved. */
function cutCorners(
  path: Float64Array[],
  space: StateSpace,
  motion: MotionValidator,
  shouldStop: () => boolean,
): boolean {
  if (path.length < 3) return false;
  let changed = false;
  const middle = (a: Float64Array, b: Float64Array): Float64Array =>
    space.interpolate(new Float64Array(space.dimension), a, b, 0.5);
  for (let i = 1; i < path.length - 1 && !shouldStop(); i++) {
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

/**
 * Shortens a path and rounds its corners, inside what is valid.
 *
 * Method, in rounds until one shortens the path by less than three percent, at most `rounds`:
 * 1. vertices: from each state straight to the farthest later one that can be reached, after the first round of the next three;
 * 2. corners: every motion is halved, and an old state between two halves that the middle between the middles towards its neighbours (a
 *    quadratic B-spline's subdivision) lies farther from than `leastChange` is cut off, where the motion between the halves is valid, or else
 *    pulled to that middle, where the two new motions are. The halves stay until the end, so that later shortcuts may begin and end
 *    inside motions.
 * Motions that failed are remembered and not asked again; halves of valid motions are not asked at all.
 * Motions are checked at `resolution` and the result at `verifyResolution`: where that finds a fault, all is done again at that
 * finer resolution. A checker that decides whole motions (`checker.motion`) decides in its own way. Compiled checks prove motions free at
 * every time (`certify`), which costs about as much as samples: where there is a last check, motions are proven after the first shortcuts,
 * those that cannot be are left as they were, and the last check samples only what nothing has proven.
 * The ends stay bit for bit. The length never grows beyond rounding.
 * Source: the order of VAMP's simplification (Thomason, Kingston, Kavraki 2024, doi:10.1109/ICRA57147.2024.10611190), of which
 * shortcuts follow Geraerts, Overmars 2007, "Creating high-quality paths for motion planning", section 3,
 * doi:10.1177/0278364907079280, and corners Pan, Zhang, Manocha 2012, "Collision-free and smooth trajectory computation in cluttered
 * environments", section IV, doi:10.1177/0278364912453186.
 * The loop for spaces of independent numbers is in the kernel (assembly/planning/simplify.ts), with the same bits.
 * Cost: O(states^2) motion checks a round. Stopping from outside ends within one check, with the best path that has
 * passed the same checks as a whole result, or the path given.
 * Tested by simplify.test.ts, test/contract/planner-kernel.test.ts and test/oracle/planning-panda.test.ts.
 */
import { throwMisuse } from '../math/arguments.js';
import type { EditedPath } from './edited-path.js';
import { KernelPath } from './kernel/kernel-path.js';
import { requireResolution } from './motion.js';
import { pathLength } from './path.js';
import { DEFAULT_RESOLUTION } from './problem.js';
import {
  requireChecker,
  requireCount,
  requireMotion,
  requireObject,
  requirePath,
  requirePositive,
  requireSpace,
  STOP_KEYS,
} from './requests.js';
import { ScriptPath } from './script-path.js';
import { createStopWatch, type StopWatch, WatchedChecks } from './stopping.js';
import {
  joinAssumptions,
  type MotionValidator,
  type StateSpace,
  type StopOptions,
  type ValidityChecker,
} from './types.js';

export interface SimplifyRequest extends StopOptions {
  readonly space: StateSpace;
  readonly checker: ValidityChecker;
  /** Valid; not changed. */
  readonly path: readonly Float64Array[];
  /** The most, default 4. */
  readonly rounds?: number;
  /** Corners that would move less stay; default 0.1. */
  readonly leastChange?: number;
  /** As in the planner's request; default 1/32. */
  readonly resolution?: number;
  /** Distance between checked states on the result; default resolution / 4; Infinity leaves the check out. */
  readonly verifyResolution?: number;
  /** Decides motions. Default: the checker's own, else states `resolution` and then `verifyResolution` apart. */
  readonly motion?: MotionValidator;
  /** Where the loop runs: `auto` (default), or `script`, the slower twin in TypeScript with the same answers. */
  readonly engine?: 'auto' | 'script';
}

export interface SimplifyResult {
  readonly path: readonly Float64Array[];
  readonly length: number;
  /** Rounds done. */
  readonly rounds: number;
  readonly checks: number;
  /** Stopped from outside before the end. */
  readonly stopped: boolean;
  /** Whether every motion of the path passed the finest check; false also where the path given does not, or time ran out. */
  readonly verified: boolean;
  /** What the checkers say: see `Assuming`. */
  readonly complete: boolean;
  readonly assumed: readonly string[];
}

const DEFAULT_ROUNDS = 4;
const DEFAULT_CHANGE = 0.1;
/** A round costs a fifth of all before: where one shortens the path by less than this, the next is not made. */
const LEAST_GAIN = 0.03;

const KEYS = [
  ...['space', 'checker', 'path', 'rounds', 'leastChange', 'resolution', 'verifyResolution', 'motion', 'engine'],
  ...STOP_KEYS,
];

function requireRequest(request: SimplifyRequest): void {
  const call = 'simplifyPath';
  requireObject(call, request, KEYS);
  requireSpace(call, request.space);
  requireChecker(call, request.checker);
  requireMotion(call, request.motion);
  requirePath(call, request.space, request.path);
  requireCount(call, 'rounds', request.rounds);
  requirePositive(call, 'leastChange', request.leastChange);
  if (request.resolution !== undefined) requireResolution(call, request.resolution);
  if (request.verifyResolution !== Infinity) requirePositive(call, 'verifyResolution', request.verifyResolution);
  if (request.engine !== undefined && request.engine !== 'auto' && request.engine !== 'script')
    throwMisuse(call, 'engine', request.engine, "'auto' or 'script'");
}

export function simplifyPath(request: SimplifyRequest): SimplifyResult {
  requireRequest(request);
  const watch = createStopWatch('simplifyPath', request);
  const { space, checker, rounds: most = DEFAULT_ROUNDS, leastChange = DEFAULT_CHANGE } = request;
  const edited = createEditedPath(request, watch);
  let rounds = 0;
  let verified = false;
  let path: Float64Array[] = request.path.map((state) => state.slice());
  try {
    for (const isFine of [false, true]) {
      if (watch.isOver()) break;
      if (isFine) edited.restart(request.path);
      let length = Infinity;
      for (let i = 0; i < most; i++) {
        rounds++;
        if (!edited.round(leastChange, isFine) || watch.isOver()) break;
        const next = edited.measure();
        if (next > length * (1 - LEAST_GAIN)) break;
        length = next;
      }
      const found = edited.read();
      if (watch.wasOver) break;
      verified = edited.isChecked && edited.isValid();
      if (watch.wasOver) verified = false;
      else path = found;
      if (verified || !edited.isChecked || watch.wasOver) break;
    }
    return {
      path,
      length: pathLength(space, path),
      rounds,
      checks: edited.checks,
      stopped: watch.wasOver,
      verified,
      ...joinAssumptions(checker, request.motion),
    };
  } finally {
    edited.dispose();
  }
}

function createEditedPath(request: SimplifyRequest, watch: StopWatch): EditedPath {
  const { space, checker, path, engine } = request;
  const resolution = request.resolution ?? DEFAULT_RESOLUTION;
  const verifyResolution = request.verifyResolution ?? resolution / 4;
  const { coordinates } = space;
  const whole = request.motion ?? checker.motion;
  if (engine !== 'script' && whole === undefined && checker.kernel !== undefined && coordinates !== undefined) {
    const lastStep = verifyResolution === Infinity ? null : verifyResolution;
    return new KernelPath(space, coordinates, path, { checks: checker.kernel, step: resolution, lastStep }, null);
  }
  const checks = new WatchedChecks(checker, watch);
  const grow = whole ? checks.whole(whole, space) : checks.sampled(space, resolution);
  let last: MotionValidator | null = null;
  if (whole?.isExact) last = grow;
  else if (checker.motion) last = checks.whole(checker.motion, space);
  else if (verifyResolution !== Infinity) last = checks.sampled(space, verifyResolution);
  if (engine === 'script' || coordinates === undefined) return new ScriptPath(space, path, grow, last, checks, watch);
  const isOver = (): boolean => watch.wasOver;
  return new KernelPath(space, coordinates, path, { grow, last, isOver }, checks);
}

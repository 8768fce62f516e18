/**
 * Is a whole straight motion of a robot's joints free? Exactly, not by samples: for planners, which see an interface.
 *
 * Method: the edge is halved again and again, all pairs at the same times, so that they share the forward kinematics. In
 * the middle of its interval a pair is either too close, which ends the check, or its gap stays open for some time before
 * and after (edge-motion.ts); what that leaves uncovered goes on to the halves. Level by level: a collision in any long
 * stretch shows after few configurations.
 * Source: Schwarzer, Saha, Latombe 2005, "Adaptive dynamic collision checking for single and multiple articulated robots in
 * complex environments", IEEE Transactions on Robotics 21, section III, doi:10.1109/TRO.2004.838012.
 *
 * A motion that is called valid is free at every time. One that comes closer than the tolerance (beyond margins) anywhere
 * is called invalid; so is one that would take more distances than the limit (grazing motions). Where an end itself is closer
 * than the default tolerance to something and still free (a part that lies in its fixture), a hundredth of it is tried.
 * The robot stays where it is.
 * Cost: a few configurations for motions far from everything, more the closer they pass. Allocates only when the scene's
 * bodies change or more pairs come up than ever. Tested by cast-robot.test.ts against dense stepping.
 */

import { requireFinite, requireNumberThat, requirePositiveNumber } from '../../math/arguments.js';
import { requireKnownKeys } from '../../math/known-keys.js';
import { powerOfTwo } from '../../math/scalar.js';
import type { SceneAssumptions } from '../assumptions.js';
import { varyRobot } from '../context.js';
import { isSceneFree } from '../queries/check.js';
import { AssumptionCollector } from '../queries/enclosed.js';
import { setConfiguration } from '../robot.js';
import { type CoordinateOptions, readCoordinates, writeCoordinates } from '../robot-coordinates.js';
import { requireOpen } from '../scene-door.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { type EdgeOptions, EdgePairs } from './edge-pairs.js';

export interface SceneMotionCheckerOptions extends CoordinateOptions {
  /** Added to every pair's margin. */
  readonly margin?: number;
  /** Motions that come closer than this (beyond margins) are invalid. Metres, default 1e-4, or 1e-6 at ends closer than that. */
  readonly tolerance?: number;
  /** Distances measured for one motion before it counts as invalid. Default 20,000. */
  readonly maxDistances?: number;
}

/** Structurally a `MotionValidator` of the planning door. `complete` and `assumed` are those of the scene now. */
export interface SceneMotionChecker extends SceneAssumptions {
  /** Parts of a valid motion are valid. */
  readonly isExact: true;
  /** States hold the coordinates of `indices`. `shouldStop` is asked before every configuration; true ends with false. */
  isMotionValid(a: Float64Array, b: Float64Array, shouldStop?: () => boolean): boolean;
  /** Motions checked, configurations placed and distances measured so far. */
  readonly counts: { readonly motions: number; readonly configurations: number; readonly distances: number };
}

const DEFAULT_TOLERANCE = 1e-4;
/** Of motions from or to a state that is nearer than the default to something. */
const NEAR_TOLERANCE = 1e-6;
const MOTION_KEYS = ['indices', 'rest', 'margin', 'tolerance', 'maxDistances'];
const DEFAULT_DISTANCES = 20_000;
/** Halvings after which an interval is a point. */
const MAX_LEVEL = 40;

/** Pieces of the edge that are still open, sorted by cell: cell k of level L is [k, k + 1] / 2^L. */
class Pieces {
  count = 0;
  pair = new Int32Array(256);
  cell = new Float64Array(256);
  from = new Float64Array(256);
  to = new Float64Array(256);

  add(pair: number, cell: number, from: number, to: number): void {
    if (this.count === this.pair.length) this.grow();
    const n = this.count++;
    this.pair[n] = pair;
    this.cell[n] = cell;
    this.from[n] = from;
    this.to[n] = to;
  }

  private grow(): void {
    const { pair, cell, from, to } = this;
    this.pair = new Int32Array(2 * pair.length);
    this.pair.set(pair);
    for (const [name, old] of [
      ['cell', cell],
      ['from', from],
      ['to', to],
    ] as const) {
      this[name] = new Float64Array(2 * old.length);
      this[name].set(old);
    }
  }
}

export function createSceneMotionChecker(
  scene: Scene,
  robot: SceneRobot,
  options: SceneMotionCheckerOptions = {},
): SceneMotionChecker {
  return createPairMotionChecker(scene, robot, options, null);
}

/**
 * With `only`, of these pairs among the robot's own bodies (in `varyRobot`) and those of other robots, and no others; with `objects`, of these
 * free objects. `isApart` tells of bodies as they stand whether they are farther apart than a bound: false where it does not know.
 */
export function createPairMotionChecker(
  scene: Scene,
  robot: SceneRobot,
  options: SceneMotionCheckerOptions,
  only: ((a: SceneBody, b: SceneBody) => boolean) | null,
  objects: ((body: SceneBody) => boolean) | null = null,
  isApart: ((a: SceneBody, b: SceneBody, bound: number) => boolean) | null = null,
): SceneMotionChecker {
  requireOpen(scene, 'createSceneMotionChecker');
  requireKnownKeys('createSceneMotionChecker', 'options', options, MOTION_KEYS);
  const { margin = 0, tolerance = DEFAULT_TOLERANCE, maxDistances = DEFAULT_DISTANCES } = options;
  requireFinite('createSceneMotionChecker', 'margin', margin);
  requireNumberThat('createSceneMotionChecker', 'maxDistances', maxDistances, (x) => x >= 1, '1 or more');
  requirePositiveNumber('createSceneMotionChecker', 'tolerance', tolerance);
  const { full: from, indices } = readCoordinates('createSceneMotionChecker', robot, options);
  const to = Float64Array.from(from);
  const own = varyRobot(scene, robot, 'createSceneMotionChecker');
  const edge = new EdgePairs(own, own.robot, only, objects, isApart);
  const { motion } = edge;
  const settings = { margin, tolerance };
  const nearSettings = { margin, tolerance: NEAR_TOLERANCE };
  const grounds = new AssumptionCollector(own);
  const counts = { motions: 0, configurations: 0, distances: 0 };
  let level = new Pieces();
  let next = new Pieces();
  const right = new Pieces();

  /** Looks at the pieces of one cell in its middle; false when a pair touches. */
  const checkCell = (first: number, end: number, width: number, shouldStop?: () => boolean): boolean => {
    const cell = level.cell[first];
    const middle = (cell + 0.5) * width;
    let placed = false;
    right.count = 0;
    for (let n = first; n < end; n++) {
      const pair = level.pair[n];
      const lower = level.from[n];
      const upper = level.to[n];
      if (upper < middle) next.add(pair, 2 * cell, lower, upper);
      else if (lower > middle) right.add(pair, 2 * cell + 1, lower, upper);
      else {
        if (!placed) {
          if (shouldStop?.()) return false;
          motion.moveTo(middle);
          counts.configurations++;
          placed = true;
        }
        motion.advance(edge.pairs[pair], upper - middle, middle - lower);
        if (motion.touching) return false;
        const before = middle - motion.backward;
        const after = middle + motion.forward;
        if (before >= lower) next.add(pair, 2 * cell, lower, before);
        if (after <= upper) right.add(pair, 2 * cell + 1, after, upper);
      }
    }
    for (let n = 0; n < right.count; n++) next.add(right.pair[n], right.cell[n], right.from[n], right.to[n]);
    return true;
  };

  const check = (options: EdgeOptions, shouldStop?: () => boolean): boolean => {
    edge.prepare(from, to, options);
    if (edge.still) return false;
    const most = motion.distances + maxDistances;
    level.count = 0;
    for (let n = 0; n < edge.count; n++) level.add(n, 0, 0, 1);
    for (let depth = 0; level.count > 0; depth++) {
      if (depth > MAX_LEVEL) return false;
      const width = powerOfTwo(-depth);
      next.count = 0;
      for (let n = 0; n < level.count; ) {
        let end = n + 1;
        while (end < level.count && level.cell[end] === level.cell[n]) end++;
        if (!checkCell(n, end, width, shouldStop) || motion.distances > most) return false;
        n = end;
      }
      [level, next] = [next, level];
    }
    return true;
  };

  /** Free, and nearer to something than the tolerance. */
  const isNear = (q: Float64Array): boolean => {
    setConfiguration(own.robot, q);
    return !isSceneFree(own, margin + tolerance, false) && isSceneFree(own, margin, false);
  };

  return {
    counts,
    isExact: true,
    get complete() {
      return grounds.complete;
    },
    get assumed() {
      return grounds.assumed;
    },
    isMotionValid(a, b, shouldStop) {
      requireOpen(scene, 'SceneMotionChecker.isMotionValid');
      writeCoordinates('SceneMotionChecker.isMotionValid', from, indices, a);
      writeCoordinates('SceneMotionChecker.isMotionValid', to, indices, b);
      const before = motion.distances;
      own.takePlacement();
      try {
        let valid = check(settings, shouldStop);
        if (!valid && options.tolerance === undefined && !shouldStop?.() && (isNear(from) || isNear(to)))
          valid = check(nearSettings, shouldStop);
        if (valid && grounds.isNeeded) {
          for (const q of [from, to]) {
            setConfiguration(own.robot, q);
            grounds.look();
          }
        }
        return valid;
      } finally {
        counts.motions++;
        counts.distances += motion.distances - before;
      }
    },
  };
}

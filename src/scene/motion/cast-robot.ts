/**
 * Continuous collision of a robot that moves in joint space: when does it first touch anything, itself included?
 *
 * Method: conservative advancement of all pairs of parts at once. A heap holds for each pair the time until which its gap
 * is known to be open (edge-motion.ts); the pair with the earliest time is looked at there, and either touches, which is
 * the first contact of all, or moves on. Pairs that are open until the end leave the heap.
 * Source: Zhang, Redon, Lee, Kim 2007, "Continuous collision detection for articulated models using Taylor models and
 * temporal culling", doi:10.1145/1276377.1276396; Mirtich 1996, section 2.3 (see edge-motion.ts for the bounds).
 *
 * Frames: W. `time` is a fraction of the edge, at which `interpolateConfiguration` gives the configuration. A contact is
 * never missed: a hit is told when the gap is at most the tolerance, so up to tolerance / closing speed early.
 * Ends: `ok`; `iteration-limit` counts as a hit at the time reached, also where times or joint values are too coarse for so
 * long a motion: at once where a rounding of the joint values moves a pair by more than its tolerance.
 * Cost: a forward kinematics per time and a distance per pair looked at, some tens to some hundreds per edge.
 * Tested by cast-robot.test.ts against dense stepping.
 */

import { requireFinite, requireNumberThat, requirePositiveNumber } from '../../math/arguments.js';
import { requireKnownKeys } from '../../math/known-keys.js';
import { createDistanceResult } from '../../narrowphase/query.js';
import type { SceneAssumptions } from '../assumptions.js';
import { bodyName } from '../body-names.js';
import { type Variation, varyRobot } from '../context.js';
import { bodyDistance } from '../queries/body-pairs.js';
import { AssumptionCollector, stateAssumptions } from '../queries/enclosed.js';
import { requireNumbers, requireOpen } from '../scene-door.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import type { EdgePair } from './edge-motion.js';
import { EdgePairs } from './edge-pairs.js';

export interface RobotCastOptions {
  /** Added to every pair's margin: closer than the sum is contact. Metres, default 0. */
  readonly margin?: number;
  /** Gap at which the advancement ends. Metres; default 1e-7 x the sum of both parts' extents. */
  readonly tolerance?: number;
  /** Distances that may be measured. Default 100,000. */
  readonly maxIterations?: number;
}

export interface RobotCast extends SceneAssumptions {
  readonly status: 'ok' | 'iteration-limit';
  readonly hit: boolean;
  /** Of first contact, in [0, 1]; 1 without a hit. */
  readonly time: number;
  /** The configuration at `time`. */
  readonly q: Float64Array;
  /** Names of the touching bodies as `bodyName` gives them; null without a hit, as all that follows. */
  readonly a: string | null;
  readonly b: string | null;
  /** Signed distance at `time`, without margins; the depth of an overlap at the start is that of `OverlapDepth` 'hull'. */
  readonly distance: number | null;
  /** Midpoint of the witness points at `time`, in W. */
  readonly point: readonly [number, number, number] | null;
  /** Unit vector from a to b. */
  readonly normal: readonly [number, number, number] | null;
  /** Distances measured. */
  readonly iterations: number;
}

export interface RobotCaster {
  /** Along the straight line in joint space from one configuration (nq numbers) to the other. The robot stays where it is. */
  cast(from: ArrayLike<number>, to: ArrayLike<number>): RobotCast;
}

const DEFAULT_ITERATIONS = 100_000;
const nearest = createDistanceResult();

/** Keeps the tables that depend on the scene alone, for many edges. Throws on a robot that is not in the scene. */
export function createRobotCaster(scene: Scene, robot: SceneRobot, options: RobotCastOptions = {}): RobotCaster {
  requireOpen(scene, 'createRobotCaster');
  requireKnownKeys('createRobotCaster', 'options', options, ['margin', 'tolerance', 'maxIterations']);
  const { margin = 0, tolerance, maxIterations = DEFAULT_ITERATIONS } = options;
  requireFinite('createRobotCaster', 'margin', margin);
  requireNumberThat('createRobotCaster', 'maxIterations', maxIterations, (x) => x >= 1, '1 or more');
  if (tolerance !== undefined) requirePositiveNumber('createRobotCaster', 'tolerance', tolerance);
  const own = varyRobot(scene, robot, 'createRobotCaster');
  const edge = new EdgePairs(own, own.robot);
  const { motion } = edge;
  const heap: EdgePair[] = [];
  const grounds = new AssumptionCollector(own);
  return {
    cast(from, to) {
      requireOpen(scene, 'RobotCaster.cast');
      const { nq } = robot.model;
      requireNumbers('RobotCaster.cast', 'from', from, nq);
      requireNumbers('RobotCaster.cast', 'to', to, nq);
      own.takePlacement();
      return follow(Float64Array.from(from), Float64Array.from(to));
    },
  };

  function follow(from: Float64Array, to: Float64Array): RobotCast {
    edge.prepare(from, to, { margin, tolerance });
    grounds.clear();
    if (grounds.isNeeded) {
      motion.moveTo(0);
      grounds.look();
    }
    const before = motion.distances;
    if (edge.still) {
      motion.moveTo(0);
      return describeHit(own, edge.still, { status: 'ok', time: 0, iterations: 0 });
    }
    heap.length = 0;
    for (let n = 0; n < edge.count; n++) heap.push(edge.pairs[n]);
    let reached = Number.NaN;
    while (heap.length > 0) {
      const pair = heap[0];
      const { time } = pair;
      if (time !== reached) motion.moveTo(time);
      reached = time;
      motion.advance(pair, 1 - time, 0);
      const iterations = motion.distances - before;
      const next = time + motion.forward;
      if (motion.touching) {
        const status = motion.unresolved ? 'iteration-limit' : 'ok';
        return describeHit(own, [pair.a!, pair.b!], { status, time, iterations });
      }
      // The motion is so long that a step is nothing beside the time: no number says when the gap closes.
      if (next === time || iterations >= maxIterations)
        return describeHit(own, [pair.a!, pair.b!], { status: 'iteration-limit', time, iterations });
      if (next > 1) {
        const last = heap.pop()!;
        if (last !== pair) heap[0] = last;
      } else pair.time = next;
      sink(heap);
    }
    motion.moveTo(1);
    grounds.look();
    return {
      status: 'ok',
      hit: false,
      time: 1,
      a: null,
      b: null,
      distance: null,
      point: null,
      normal: null,
      iterations: motion.distances - before,
      q: Float64Array.from(own.robot.q),
      complete: grounds.complete,
      assumed: grounds.assumed,
    };
  }
}

/** One edge; for many, `createRobotCaster` keeps its tables. */
export function castRobot(
  scene: Scene,
  robot: SceneRobot,
  from: ArrayLike<number>,
  to: ArrayLike<number>,
  options?: RobotCastOptions,
): RobotCast {
  return createRobotCaster(scene, robot, options).cast(from, to);
}

function isEarlier(a: EdgePair, b: EdgePair): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}

/** Moves the first entry of the heap down to its place. */
function sink(heap: EdgePair[]): void {
  const n = heap.length;
  if (n === 0) return;
  const moved = heap[0];
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= n) break;
    if (child + 1 < n && isEarlier(heap[child + 1], heap[child])) child++;
    if (!isEarlier(heap[child], moved)) break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = moved;
}

function describeHit(
  scene: Variation,
  [a, b]: readonly [SceneBody, SceneBody],
  outcome: Pick<RobotCast, 'status' | 'time' | 'iterations'>,
): RobotCast {
  const q = Float64Array.from(scene.robot.q);
  bodyDistance(nearest, a, b, Infinity, 'hull');
  const { pointA, pointB, normal } = nearest;
  return {
    ...outcome,
    q,
    hit: true,
    a: bodyName(scene, a),
    b: bodyName(scene, b),
    distance: nearest.distance,
    point: [0.5 * (pointA[0] + pointB[0]), 0.5 * (pointA[1] + pointB[1]), 0.5 * (pointA[2] + pointB[2])],
    normal: [normal[0], normal[1], normal[2]],
    ...stateAssumptions(scene),
  };
}

/**
 * Scene queries: is it free, what touches, what is nearest, what is closer than a margin.
 *
 * Method: candidate pairs by boxes or chains (candidates.ts), then the narrow phase part by part.
 * A pair counts as a contact when its distance is at most its margin (scene + bodies, or the pair's own) plus the
 * query's margin. Distances are reported without margins. How deep overlaps of shapes that are not convex are is asked for
 * with `depth`; verdicts and the names of what touches do not depend on it.
 * Frames: W. Cost: narrow phase of the candidate pairs.
 * Checked by scene.test.ts (brute force over all pairs) and test/oracle/robot-files.test.ts.
 */
import { requireFlag, requireNumber } from '../../math/arguments.js';
import { requireKnownKeys } from '../../math/known-keys.js';
import { createDistanceResult, type DistanceResult, type QueryStatus } from '../../narrowphase/query.js';
import type { SceneAssumptions } from '../assumptions.js';
import { bodyName } from '../body-names.js';
import { requireOpen } from '../scene-door.js';
import type { Scene, SceneBody } from '../types.js';
import {
  areApart,
  bodiesTouch,
  bodyDistance,
  copyDistanceResult,
  depthFor,
  type OverlapDepth,
  requireDepth,
} from './body-pairs.js';
import { pairSources, visitCandidates } from './candidates.js';
import { stateAssumptions } from './enclosed.js';
import { NearestFirst } from './nearest-first.js';
import { compareBodyPairs } from './pair-rules.js';

export interface SceneContact {
  /** Link or object names, as `bodyName` gives them. */
  readonly a: string;
  readonly b: string;
  /** Minus the signed distance: positive when penetrating, negative for a pair inside its margin. Metres. */
  readonly depth: number;
  /** Midpoint of the witness points, in W. */
  readonly point: readonly [number, number, number];
  /** Unit vector from a to b, in W. */
  readonly normal: readonly [number, number, number];
  readonly status: QueryStatus;
}

export interface CheckOptions {
  /** Report every touching body pair (its deepest part pair); default: stop at the first. */
  readonly all?: boolean;
  /** Added to every pair's margin. Metres, default 0. */
  readonly margin?: number;
  /** Check free objects against each other too; default: only in a scene without robots. */
  readonly objectPairs?: boolean;
  /** `none`: names only. Otherwise see `OverlapDepth`; default 'hull', microseconds a contact where 'exact' takes milliseconds. */
  readonly depth?: 'none' | OverlapDepth;
}

/** `complete` false: something was left out of the scene, so that "free" is not known to be true; see `sceneAssumptions`. */
export interface SceneCheck extends SceneAssumptions {
  readonly free: boolean;
  readonly contacts: readonly SceneContact[];
}

/** Two bodies that touch. */
export type TouchingPair = Pick<SceneContact, 'a' | 'b'>;

/** A check that asks for no depths. */
export interface SceneVerdict extends SceneAssumptions {
  readonly free: boolean;
  readonly contacts: readonly TouchingPair[];
}

export interface ScenePair {
  readonly a: string;
  readonly b: string;
  readonly distance: number;
  readonly pointA: readonly [number, number, number];
  readonly pointB: readonly [number, number, number];
  readonly normal: readonly [number, number, number];
  readonly status: QueryStatus;
}

/** The nearest pair, with what that rests on: a part that was left out could be nearer. */
export interface NearestPair extends ScenePair, SceneAssumptions {}

/**
 * True when no checked pair touches, as far as the scene is known: `sceneAssumptions` says whether it is complete, and
 * `stateAssumptions` also what is inside an open mesh. The fastest query; allocates nothing for robots. Placements of bodies
 * are brought up to date where the answer needs them (see candidates.ts); `updateScene` always does.
 */
export function isSceneFree(scene: Scene, margin = 0, objectPairs = scene?.robots?.length === 0): boolean {
  return visitCandidates(scene, { margin, objectPairs }, areApart);
}

/**
 * What touches, with names, depths and contact points; with `depth: 'none'` names only. All contacts come in the order the
 * bodies were added; the first one alone is whichever the traversal meets first.
 */
export function checkScene(scene: Scene, options: CheckOptions & { readonly depth: 'none' }): SceneVerdict;
export function checkScene(scene: Scene, options?: CheckOptions & { readonly depth?: OverlapDepth }): SceneCheck;
export function checkScene(scene: Scene, options?: CheckOptions): SceneCheck | SceneVerdict;
export function checkScene(scene: Scene, options: CheckOptions = {}): SceneCheck | SceneVerdict {
  requireOpen(scene, 'checkScene');
  requireKnownKeys('checkScene', 'options', options, ['all', 'margin', 'objectPairs', 'depth']);
  const { all = false, margin = 0, objectPairs = scene.robots.length === 0 } = options;
  requireFlag('checkScene', 'options.all', all);
  const depth = options.depth === 'none' ? 'none' : requireDepth('checkScene', options.depth, "'none', ");
  const touching = findTouching(scene, margin, objectPairs, all);
  const contacts = touching.map(([a, b]) =>
    depth === 'none' ? namePair(scene, a, b) : describeContact(scene, [a, b], depth),
  );
  return { free: touching.length === 0, contacts, ...stateAssumptions(scene, objectPairs) };
}

function findTouching(scene: Scene, margin: number, objectPairs: boolean, all: boolean): [SceneBody, SceneBody][] {
  const touching: [SceneBody, SceneBody][] = [];
  visitCandidates(scene, { margin, objectPairs }, (a, b, bound) => {
    if (bodiesTouch(a, b, bound)) touching.push([a, b]);
    return all || touching.length === 0;
  });
  return touching.sort(compareBodyPairs);
}

/**
 * The names of all pairs that touch, in the order of `checkScene`, and nothing else: for what must answer at every move of a
 * slider. What that rests on, `checkScene` and `sceneAssumptions` with `findEnclosedBodies` say.
 */
export function touchingPairs(
  scene: Scene,
  options: Pick<CheckOptions, 'margin' | 'objectPairs'> = {},
): TouchingPair[] {
  requireOpen(scene, 'touchingPairs');
  requireKnownKeys('touchingPairs', 'options', options, ['margin', 'objectPairs']);
  const { margin = 0, objectPairs = scene.robots.length === 0 } = options;
  requireNumber('touchingPairs', 'margin', margin);
  requireFlag('touchingPairs', 'options.objectPairs', objectPairs);
  return findTouching(scene, margin, objectPairs, true).map(([a, b]) => namePair(scene, a, b));
}

const best = createDistanceResult();

function triple(v: ArrayLike<number>): [number, number, number] {
  return [v[0], v[1], v[2]];
}

function namePair(scene: Scene, a: SceneBody, b: SceneBody): TouchingPair {
  return { a: bodyName(scene, a), b: bodyName(scene, b) };
}

function describeContact(scene: Scene, [a, b]: readonly [SceneBody, SceneBody], depth: OverlapDepth): SceneContact {
  bodyDistance(best, a, b, Infinity, depth);
  const { pointA, pointB } = best;
  return {
    ...namePair(scene, a, b),
    depth: best.distance === 0 ? 0 : -best.distance,
    point: [0.5 * (pointA[0] + pointB[0]), 0.5 * (pointA[1] + pointB[1]), 0.5 * (pointA[2] + pointB[2])],
    normal: triple(best.normal),
    status: best.status,
  };
}

function describePair(scene: Scene, a: SceneBody, b: SceneBody, result: DistanceResult): ScenePair {
  return {
    ...namePair(scene, a, b),
    distance: result.distance,
    pointA: triple(result.pointA),
    pointB: triple(result.pointB),
    normal: triple(result.normal),
    status: result.status,
  };
}

export interface NearestOptions {
  /** Ignore pairs farther than this. Default Infinity. */
  readonly maxDistance?: number;
  readonly objectPairs?: boolean;
  /** See `OverlapDepth`; default 'hull'. Decides between pairs only where several overlap. */
  readonly depth?: OverlapDepth;
}

/**
 * The nearest pair that is not allowed, null when there is none (see `sceneAssumptions` for what that rests on). Of pairs that are
 * equally near, the one whose boxes are nearer, then the one that was added first. Pairs are tried in that order (nearest-first.ts),
 * so the search ends where boxes are farther apart than the best pair. Cost: O((n + k) log n), k: pairs that are tried.
 */
export function nearestPair(scene: Scene, options: NearestOptions = {}): NearestPair | null {
  requireOpen(scene, 'nearestPair');
  requireKnownKeys('nearestPair', 'options', options, ['maxDistance', 'objectPairs', 'depth']);
  const { maxDistance = Infinity, objectPairs = scene.robots.length === 0 } = options;
  requireNumber('nearestPair', 'maxDistance', maxDistance);
  const depth = requireDepth('nearestPair', options.depth);
  const order = new NearestFirst(scene, maxDistance, objectPairs);
  let bound = maxDistance;
  let winner: { a: SceneBody; b: SceneBody } | null = null;
  const result = createDistanceResult();
  for (let pair = order.next(bound); pair !== null; pair = order.next(bound)) {
    const { a, b } = pair;
    if (!bodyDistance(best, a, b, bound, depth)) continue;
    if (winner && best.distance >= bound) continue;
    copyDistanceResult(result, best);
    winner = { a, b };
    bound = best.distance;
  }
  return winner && { ...describePair(scene, winner.a, winner.b, result), ...stateAssumptions(scene, objectPairs) };
}

export interface PairsWithinOptions {
  /** Metres. */
  readonly margin: number;
  readonly objectPairs?: boolean;
  /** See `OverlapDepth`; default 'hull'. */
  readonly depth?: OverlapDepth;
}

/** Every pair closer than the margin (plus the pair's own), nearest first. `sceneAssumptions` says whether parts were left out. */
export function pairsWithin(scene: Scene, options: PairsWithinOptions): ScenePair[] {
  requireOpen(scene, 'pairsWithin');
  requireKnownKeys('pairsWithin', 'options', options, ['margin', 'objectPairs', 'depth']);
  const { margin, objectPairs = scene.robots.length === 0 } = options;
  requireNumber('pairsWithin', 'margin', margin);
  const depth = requireDepth('pairsWithin', options.depth);
  const found: { readonly bodies: readonly [SceneBody, SceneBody]; readonly pair: ScenePair }[] = [];
  visitCandidates(scene, { margin, objectPairs }, (a, b, bound) => {
    if (bodyDistance(best, a, b, bound, depthFor(bound, depth)))
      found.push({ bodies: [a, b], pair: describePair(scene, a, b, best) });
    return true;
  });
  found.sort((x, y) => x.pair.distance - y.pair.distance || compareBodyPairs(x.bodies, y.bodies));
  return found.map(({ pair }) => pair);
}

/** Number of body pairs that a check looks at among moving bodies, and how many a matrix skips. */
export function countCheckedPairs(scene: Scene): { readonly checked: number; readonly allowed: number } {
  return pairSources(scene).moving.count();
}

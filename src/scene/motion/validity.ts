/**
 * A robot in its scene as a validity checker, for planners: they see joint values and a verdict, never a scene.
 * Any number of checkers, searches and monitors may share one scene: each asks at joint values of its own, and the robot stays where it is.
 *
 * Whole motions are decided exactly (motion-checker.ts), after a look at their end and their middle, which most motions that are
 * blocked fail. Planners take that by themselves: what they return is free at every time, not at samples.
 */

import { requireFinite } from '../../math/arguments.js';
import { requireKnownKeys } from '../../math/known-keys.js';
import { interpolateConfiguration } from '../../model/configuration.js';
import type { SceneAssumptions } from '../assumptions.js';
import { boxesOverlap } from '../bodies.js';
import { type Variation, varyRobot } from '../context.js';
import { bodiesTouch } from '../queries/body-pairs.js';
import { visitCandidates } from '../queries/candidates.js';
import { checkScene } from '../queries/check.js';
import { AssumptionCollector } from '../queries/enclosed.js';
import { setConfiguration } from '../robot.js';
import { type CoordinateOptions, readCoordinates, writeCoordinates } from '../robot-coordinates.js';
import { requireOpen } from '../scene-door.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { updateScene } from '../update.js';
import { createPairMotionChecker, type SceneMotionChecker } from './motion-checker.js';

export interface SceneCheckerOptions extends CoordinateOptions {
  /** Added to every pair's margin. */
  readonly margin?: number;
}

/** `complete` and `assumed`: what was left out of the scene now, and what was inside open meshes in a state that was found free. */
export interface SceneChecker extends SceneAssumptions {
  isValid(q: Float64Array): boolean;
  /** Names of the touching bodies, empty when free. */
  explain(q: Float64Array): string;
  /** Decides whole motions: the straight line in joint space, at every time. See `createSceneMotionChecker`. */
  readonly motion: SceneMotionChecker;
}

/** Structurally a `ValidityChecker` of the planning door. Throws on states of another length, NaN and infinities. */
export function createSceneChecker(scene: Scene, robot: SceneRobot, options: SceneCheckerOptions = {}): SceneChecker {
  return createFilteredChecker(scene, robot, options, null).checker;
}

/**
 * Pairs of bodies that `isApart` tells to be apart by more than their bound, of the state that is looked at, are not looked at any closer.
 * `plainMotion`: for motions whose ends are free, without a look at their end and their middle.
 */
export function createFilteredChecker(
  scene: Scene,
  robot: SceneRobot,
  options: SceneCheckerOptions,
  isApart: ((a: SceneBody, b: SceneBody, bound: number) => boolean) | null,
): { readonly checker: SceneChecker; readonly plainMotion: SceneMotionChecker } {
  requireOpen(scene, 'createSceneChecker');
  requireKnownKeys('createSceneChecker', 'options', options, ['indices', 'rest', 'margin']);
  const { margin = 0 } = options;
  requireFinite('createSceneChecker', 'margin', margin);
  const { full, indices } = readCoordinates('createSceneChecker', robot, options);
  const own = varyRobot(scene, robot, 'createSceneChecker');
  const place = (q: Float64Array): void => {
    writeCoordinates('SceneChecker', full, indices, q);
    requireOpen(scene, 'SceneChecker');
    own.takePlacement();
    setConfiguration(own.robot, full);
  };
  const grounds = new AssumptionCollector(own);
  const last = new LastContact(isApart);
  const isFreeAt = (q: Float64Array): boolean => {
    setConfiguration(own.robot, q);
    if (last.isThere(own) || !visitCandidates(own, { margin, objectPairs: false }, last.visit)) {
      last.revision = own.revision;
      return false;
    }
    grounds.look();
    return true;
  };
  const plainMotion = createPairMotionChecker(scene, robot, { ...options, rest: full }, null, null, isApart);
  const checker: SceneChecker = {
    get complete() {
      return grounds.complete;
    },
    get assumed() {
      return grounds.assumed;
    },
    isValid(q) {
      place(q);
      return isFreeAt(full);
    },
    explain(q) {
      place(q);
      const { contacts } = checkScene(own, { all: true, margin, depth: 'none' });
      return contacts.map(({ a, b }) => `${a} touches ${b}`).join(', ');
    },
    motion: createQuickMotion(scene, robot, { ...options, rest: full }, isFreeAt, plainMotion),
  };
  return { checker, plainMotion };
}

/** The pair that touched last is looked at first: states near each other touch in one place. */
class LastContact {
  revision = -1;
  private a: SceneBody | null = null;
  private b: SceneBody | null = null;
  private bound = 0;

  constructor(private readonly isApart: ((a: SceneBody, b: SceneBody, bound: number) => boolean) | null) {}

  readonly visit = (a: SceneBody, b: SceneBody, bound: number): boolean => {
    if (this.isApart?.(a, b, bound) || !bodiesTouch(a, b, bound)) return true;
    this.a = a;
    this.b = b;
    this.bound = bound;
    return false;
  };

  isThere(scene: Variation): boolean {
    const { a, b, bound } = this;
    if (a === null || b === null || this.revision !== scene.revision) return false;
    updateScene(scene);
    return boxesOverlap(a.box, b.box, bound) && bodiesTouch(a, b, bound);
  }
}

/** A motion checker that asks for the end and the middle first. */
function createQuickMotion(
  scene: Scene,
  robot: SceneRobot,
  options: SceneCheckerOptions,
  isFreeAt: (q: Float64Array) => boolean,
  exact: SceneMotionChecker,
): SceneMotionChecker {
  const { full: from, indices } = readCoordinates('SceneChecker', robot, options);
  const to = Float64Array.from(from);
  const middle = Float64Array.from(from);
  const looksFree = (a: Float64Array, b: Float64Array): boolean => {
    writeCoordinates('SceneChecker', from, indices, a);
    writeCoordinates('SceneChecker', to, indices, b);
    requireOpen(scene, 'SceneChecker.motion');
    varyRobot(scene, robot, 'createSceneChecker');
    return isFreeAt(to) && isFreeAt(interpolateConfiguration(middle, robot.model, from, to, 0.5));
  };
  return {
    counts: exact.counts,
    isExact: true,
    get complete() {
      return exact.complete;
    },
    get assumed() {
      return exact.assumed;
    },
    isMotionValid: (a, b, shouldStop) => looksFree(a, b) && exact.isMotionValid(a, b, shouldStop),
  };
}

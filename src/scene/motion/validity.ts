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
import { varyRobot } from '../context.js';
import { checkScene, isSceneFree } from '../queries/check.js';
import { AssumptionCollector } from '../queries/enclosed.js';
import { setConfiguration } from '../robot.js';
import { type CoordinateOptions, readCoordinates, writeCoordinates } from '../robot-coordinates.js';
import { requireOpen } from '../scene-door.js';
import type { Scene, SceneRobot } from '../types.js';
import { createSceneMotionChecker, type SceneMotionChecker } from './motion-checker.js';

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
  const isFreeAt = (q: Float64Array): boolean => {
    setConfiguration(own.robot, q);
    if (!isSceneFree(own, margin)) return false;
    grounds.look();
    return true;
  };
  return {
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
    motion: createQuickMotion(scene, robot, { ...options, rest: full }, isFreeAt),
  };
}

/** A motion checker that asks for the end and the middle first. */
function createQuickMotion(
  scene: Scene,
  robot: SceneRobot,
  options: SceneCheckerOptions,
  isFreeAt: (q: Float64Array) => boolean,
): SceneMotionChecker {
  const exact = createSceneMotionChecker(scene, robot, options);
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

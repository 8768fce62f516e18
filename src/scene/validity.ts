/**
 * A robot in its scene as a validity checker, for planners: they see joint values and a verdict, never a scene.
 * Several checkers may share one scene as long as they are used one after the other.
 */
import { type SceneAssumptions, sceneAssumptions } from './assumptions.js';
import { checkScene, isSceneFree } from './check.js';
import { type SceneRobot, setConfiguration } from './robot.js';
import type { Scene } from './scene.js';

export interface SceneCheckerOptions {
  /** Coordinates of q that the planner moves, in its order; default: all. */
  readonly indices?: ArrayLike<number>;
  /** The other coordinates; default: the robot's configuration now. */
  readonly rest?: Float64Array;
  /** Added to every pair's margin. */
  readonly margin?: number;
}

/** `complete` and `assumed` are those of the scene now: what was left out of it is not checked. */
export interface SceneChecker extends SceneAssumptions {
  isValid(q: Float64Array): boolean;
  /** Names of the touching bodies, empty when free. */
  explain(q: Float64Array): string;
}

/** Structurally a `ValidityChecker` of the planning door. Queries leave the robot at the last q asked for. */
export function createSceneChecker(scene: Scene, robot: SceneRobot, options: SceneCheckerOptions = {}): SceneChecker {
  const { margin = 0 } = options;
  const full = Float64Array.from(options.rest ?? robot.q);
  const indices = options.indices ? Int32Array.from(options.indices) : Int32Array.from(full.keys());
  const apply = (q: Float64Array): void => {
    for (let k = 0; k < indices.length; k++) full[indices[k]] = q[k];
    setConfiguration(robot, full);
  };
  return {
    get complete() {
      return sceneAssumptions(scene).complete;
    },
    get assumed() {
      return sceneAssumptions(scene).assumed;
    },
    isValid(q) {
      apply(q);
      return isSceneFree(scene, margin);
    },
    explain(q) {
      apply(q);
      const { contacts } = checkScene(scene, { all: true, margin, depth: 'none' });
      return contacts.map(({ a, b }) => `${a} touches ${b}`).join(', ');
    },
  };
}

/**
 * A robot in its scene as a validity checker with the verdicts of the scene and mostly the cost of spheres.
 *
 * Method: compiled sphere checks first (scene-spheres.ts): free by spheres is free. What they leave undecided is asked of the scene,
 * states by `isSceneFree`, motions by the exact motion checker, after a look at their end and their middle. So verdicts are those of
 * `createSceneChecker`, whatever the spheres; how many are asked depends on how tight they are.
 * Motions that spheres decide are proven free at every time; the others are decided as `createSceneMotionChecker` says.
 * Cost: a fraction of a microsecond per state that is free by spheres, else that of the scene. The first call compiles.
 * Fails: a robot of which a part of a rotation's coordinates varies, or a slide without limits, is asked of the scene alone, and so are
 * motions where joints turn by several coordinates (floating, planar, spherical); `counts` tell. Tested by sphere-checker.test.ts and test/oracle/sphere-checker.test.ts.
 */

import { canVaryTogether } from '../../compile/sphere-checks/sphere-robot.js';
import type { SphereModel } from '../../geometry/sphere-model.js';
import { requireFinite, requireFlag, requireOneOf } from '../../math/arguments.js';
import { requireKnownKeys } from '../../math/known-keys.js';
import { varyRobot } from '../context.js';
import { createSceneChecker, type SceneChecker, type SceneCheckerOptions } from '../motion/validity.js';
import { bodiesTouch } from '../queries/body-pairs.js';
import { setConfiguration } from '../robot.js';
import { readCoordinates, writeCoordinates } from '../robot-coordinates.js';
import { requireOpen } from '../scene-door.js';
import type { Scene, SceneRobot } from '../types.js';
import { updateRobot } from '../update.js';
import { requireProven, SceneSpheres, type SphereTier } from './scene-spheres.js';

export interface SphereCheckerOptions extends SceneCheckerOptions {
  /** Proven to contain the links' shapes; links without are covered by their boxes. Default all are. */
  readonly spheres?: SphereModel;
  /** Whether pairs of spheres that can never touch are looked for and left out, about a second once. Default true. */
  readonly prove?: boolean;
  /** `generic` compiles nothing: ready at once, each state some three to ten times slower, the same verdicts. Default `compiled`. */
  readonly tier?: SphereTier;
}

export interface SphereChecker extends SceneChecker {
  /** States and motions asked, and how many of them spheres decided. */
  readonly counts: {
    readonly states: number;
    readonly statesBySpheres: number;
    readonly motions: number;
    readonly motionsBySpheres: number;
  };
}

/** Verdicts are those of `createSceneChecker` with the same options. Throws on spheres that are not proven. */
export function createSphereChecker(
  scene: Scene,
  robot: SceneRobot,
  options: SphereCheckerOptions = {},
): SphereChecker {
  const call = 'createSphereChecker';
  requireOpen(scene, call);
  requireKnownKeys(call, 'options', options, ['indices', 'rest', 'margin', 'spheres', 'prove', 'tier']);
  const { spheres, prove = true, margin = 0, tier = 'compiled', ...coordinates } = options;
  requireFinite(call, 'margin', margin);
  requireFlag(call, 'prove', prove);
  requireOneOf(call, 'options.tier', tier, ['compiled', 'generic']);
  requireProven(call, spheres);
  const { full, indices } = readCoordinates(call, robot, options);
  const exact = createSceneChecker(scene, robot, { ...coordinates, rest: full, margin });
  const own = varyRobot(scene, robot, call);
  const request = { spheres, indices: [...indices], margin, prove, tier };
  const sceneSpheres = new SceneSpheres(own, Float64Array.from(full), request);
  const counts = { states: 0, statesBySpheres: 0, motions: 0, motionsBySpheres: 0 };
  const isCompilable = canVaryTogether(robot.model, indices);

  /** Null where every state is asked of the scene. */
  const refresh = () => {
    requireOpen(scene, 'SphereChecker');
    own.takePlacement();
    return isCompilable ? sceneSpheres.refresh() : null;
  };
  /** Pairs that spheres are too coarse for, at a configuration. */
  const areExactPairsApart = (state: Float64Array): boolean => {
    if (sceneSpheres.exactPairs.length === 0) return true;
    writeCoordinates('SphereChecker', full, indices, state);
    setConfiguration(own.robot, full);
    updateRobot(own.robot);
    return sceneSpheres.exactPairs.every(({ a, b, margin: least }) => !bodiesTouch(a, b, least));
  };

  return {
    counts,
    get complete() {
      return exact.complete;
    },
    get assumed() {
      return exact.assumed;
    },
    isValid(q) {
      counts.states++;
      const checks = refresh();
      if (checks !== null && !sceneSpheres.isBlocked && checks.isFree(q) && areExactPairsApart(q)) {
        counts.statesBySpheres++;
        return true;
      }
      return exact.isValid(q);
    },
    explain: (q) => exact.explain(q),
    motion: {
      isExact: true,
      counts: exact.motion.counts,
      get complete() {
        return exact.motion.complete;
      },
      get assumed() {
        return exact.motion.assumed;
      },
      isMotionValid(a, b, shouldStop) {
        counts.motions++;
        const checks = refresh();
        const isDecided = checks !== null && !sceneSpheres.isBlocked && sceneSpheres.exactPairs.length === 0;
        if (isDecided && checks.certifyMotion(a, b).status === 'free') {
          counts.motionsBySpheres++;
          return true;
        }
        return exact.motion.isMotionValid(a, b, shouldStop);
      },
    },
  };
}

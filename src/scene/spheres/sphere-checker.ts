/**
 * A robot in its scene as a validity checker with the verdicts of the scene and mostly the cost of spheres.
 *
 * Method: compiled sphere checks first (scene-spheres.ts): free by spheres is free. What they leave undecided is asked of the scene,
 * states by the tests of `isSceneFree`, but for pairs whose spheres are apart (sphere-filter.ts), motions by the exact motion checker in the
 * stretches that spheres do not prove (sphere-motion.ts). Samples of motions, for planners, see sphere-samples.ts. So verdicts are those of
 * `createSceneChecker`, whatever the spheres; how many are asked depends on how tight they are.
 * Motions that spheres decide are proven free at every time; the others are decided as `createSceneMotionChecker` says.
 * Cost: a fraction of a microsecond per state that is free by spheres, else that of the scene. The first call compiles.
 * Fails: a robot of which a part of a rotation's coordinates varies, or a slide without limits, is asked of the scene alone, and so are
 * motions where joints turn by several coordinates (floating, planar, spherical); `counts` tell. Tested by sphere-checker.test.ts and test/oracle/sphere-checker.test.ts.
 */

import type { SphereChecks } from '../../compile/sphere-checks/sphere-checks.js';
import { canVaryTogether } from '../../compile/sphere-checks/sphere-robot.js';
import type { SphereModel } from '../../geometry/sphere-model.js';
import { requireFinite, requireFlag, requireOneOf } from '../../math/arguments.js';
import { requireKnownKeys } from '../../math/known-keys.js';
import { type Variation, varyRobot } from '../context.js';
import { createPairMotionChecker } from '../motion/motion-checker.js';
import { createFilteredChecker, type SceneChecker, type SceneCheckerOptions } from '../motion/validity.js';
import { bodiesTouch } from '../queries/body-pairs.js';
import { AssumptionCollector } from '../queries/enclosed.js';
import { setConfiguration } from '../robot.js';
import { readCoordinates, writeCoordinates } from '../robot-coordinates.js';
import { requireOpen } from '../scene-door.js';
import type { Scene, SceneBody, SceneRobot } from '../types.js';
import { updateRobot, updateScene } from '../update.js';
import { OwnPairTests } from './own-pair-tests.js';
import { requireProven, SceneSpheres, type SceneSpheresOptions, type SphereTier } from './scene-spheres.js';
import { SphereFilter } from './sphere-filter.js';
import { QUICK, SphereMotion } from './sphere-motion.js';
import { createSampledChecks, type SampleCounts, type SampledChecks } from './sphere-samples.js';

export interface SphereCheckerOptions extends SceneCheckerOptions {
  /** Proven to contain the links' shapes; links without are covered quickly, by cells of a lattice. Default all are. */
  readonly spheres?: SphereModel;
  /** Whether pairs of spheres that can never touch are looked for and left out, about a second once. Default true. */
  readonly prove?: boolean;
  /** `generic` compiles nothing: ready at once, each state some three to ten times slower, the same verdicts. Default `compiled`. */
  readonly tier?: SphereTier;
}

/** What spheres alone can tell of a scene, see `SphereChecker.spheres`. */
export interface SceneSphereChecks {
  readonly checks: SphereChecks;
  /** Pairs of the robot that spheres are too coarse for: what the checks call free may touch in these and in nothing else. */
  readonly undecidedPairs: number;
}

export interface SphereChecker extends SceneChecker {
  /**
   * The compiled checks with everything where it stands now, for `createCompiledChecker` and searches in the kernel; null where spheres
   * find nothing free. The next call of this checker, or of another one of the robot, may move their obstacles.
   */
  spheres(): SceneSphereChecks | null;
  /**
   * Whether spheres alone prove that a motion is free at every time, pairs that they are too coarse for by distances: a small part of what
   * `motion` costs. False proves nothing.
   */
  provesMotion(a: Float64Array, b: Float64Array): boolean;
  /**
   * States and motions asked, and how many of them spheres decided; of `kernel`, and the samples that it asked of the scene, by all
   * checkers that share it.
   */
  readonly counts: {
    readonly states: number;
    readonly statesBySpheres: number;
    readonly motions: number;
    readonly motionsBySpheres: number;
    readonly sampled: number;
    readonly sampledBySpheres: number;
    readonly asked: number;
  };
  /**
   * Samples of motions, spheres first, for the planners' kernel (structurally `KernelChecks` of the planning door): where whole motions are
   * decided by `motion` at the end. Absent where spheres tell nothing. It is that of the scene now: an edit makes another one.
   */
  readonly kernel: SampledChecks | undefined;
  /** Whether spheres were given, which are tighter than a quick cover. */
  readonly hasModel: boolean;
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
  const own = varyRobot(scene, robot, call);
  const shared = shareSpheres(own, Float64Array.from(full), { spheres, indices: [...indices], margin, prove, tier });
  const sceneSpheres = shared.spheres;
  const filter = new SphereFilter(() => sceneSpheres.own);
  const request = { ...coordinates, rest: full, margin };
  const { checker: exact, plainMotion } = createFilteredChecker(scene, robot, request, filter.isApart);
  const grounds = new AssumptionCollector(own);
  const counts = {
    ...{ states: 0, statesBySpheres: 0, motions: 0, motionsBySpheres: 0 },
    get sampled() {
      return shared.counts.sampled;
    },
    get sampledBySpheres() {
      return shared.counts.sampledBySpheres;
    },
    get asked() {
      return shared.counts.asked;
    },
  };
  const isCompilable = canVaryTogether(robot.model, indices);
  const isCoarse = (a: SceneBody, b: SceneBody): boolean =>
    sceneSpheres.exactPairs.some((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a));
  const coarseMotion = createPairMotionChecker(scene, robot, { ...coordinates, rest: full, margin }, isCoarse);
  const sphereMotion = new SphereMotion(robot.model, indices, full, {
    quick: exact.motion,
    plain: plainMotion,
  });

  /** Null where every state is asked of the scene. */
  const refresh = () => {
    requireOpen(scene, 'SphereChecker');
    own.takePlacement();
    return isCompilable ? sceneSpheres.refresh() : null;
  };
  /** Pairs that spheres are too coarse for, at a configuration. */
  const areCoarseApart = (state: Float64Array): boolean => {
    if (sceneSpheres.exactPairs.length === 0) return true;
    writeCoordinates('SphereChecker', full, indices, state);
    setConfiguration(own.robot, full);
    updateRobot(own.robot);
    return sceneSpheres.exactPairs.every(({ a, b, margin: least }) => !bodiesTouch(a, b, least));
  };
  const tests = new OwnPairTests(filter.isApart, margin);
  /** What spheres leave undecided. */
  const isFree = (state: Float64Array): boolean => {
    const { pairs, own: bodies, isBlocked, isCurrent } = sceneSpheres;
    if (!isCurrent || isBlocked || grounds.isNeeded || !tests.take(pairs, bodies)) return exact.isValid(state);
    writeCoordinates('SceneChecker', full, indices, state);
    setConfiguration(own.robot, full);
    updateScene(own);
    return tests.isFree();
  };
  const oracle = { asks: isFree, areCoarseApart };
  return {
    counts,
    get complete() {
      return exact.complete;
    },
    get assumed() {
      return exact.assumed;
    },
    hasModel: spheres !== undefined,
    get kernel() {
      const checks = refresh();
      if (checks?.isStraight && checks !== shared.kernelOf) {
        shared.kernel = createSampledChecks(sceneSpheres, checks, robot.model, indices, full, oracle, shared.counts);
        shared.kernelOf = checks;
      }
      return checks?.isStraight ? shared.kernel : undefined;
    },
    isValid(q) {
      counts.states++;
      const checks = refresh();
      if (checks !== null && !sceneSpheres.isBlocked && checks.isFree(q) && areCoarseApart(q)) {
        counts.statesBySpheres++;
        // What lies inside an open mesh is nothing that spheres see, and is said of what is free.
        if (grounds.isNeeded) exact.isValid(q);
        return true;
      }
      return isFree(q);
    },
    explain: (q) => exact.explain(q),
    spheres() {
      const checks = refresh();
      if (checks === null || sceneSpheres.isBlocked) return null;
      return { checks, undecidedPairs: sceneSpheres.exactPairs.length };
    },
    provesMotion(a, b) {
      const checks = refresh();
      if (!checks?.isStraight || sceneSpheres.isBlocked) return false;
      if (grounds.isNeeded || checks.certifyMotion(a, b, QUICK).status !== 'free') return false;
      return sceneSpheres.exactPairs.length === 0 || coarseMotion.isMotionValid(a, b);
    },
    motion: {
      isExact: true,
      counts: exact.motion.counts,
      get complete() {
        return exact.motion.complete;
      },
      get assumed() {
        return [...new Set([...exact.motion.assumed, ...exact.assumed])];
      },
      isMotionValid(a, b, shouldStop) {
        counts.motions++;
        const checks = refresh();
        if (!checks?.isStraight || sceneSpheres.isBlocked) return exact.motion.isMotionValid(a, b, shouldStop);
        if (sceneSpheres.exactPairs.length > 0 && !coarseMotion.isMotionValid(a, b, shouldStop)) return false;
        if (!sphereMotion.isValid(checks, a, b, shouldStop, () => counts.motionsBySpheres++)) return false;
        if (grounds.isNeeded) for (const q of [a, b]) exact.isValid(q);
        return true;
      },
    },
  };
}

/** What checkers of one robot, its coordinates and its spheres have in common. */
interface SharedSpheres {
  readonly key: string;
  readonly model: SphereModel | undefined;
  readonly spheres: SceneSpheres;
  /** The planners' module is linked once with a memory and the function that it calls there, which asks the checker that was first. */
  kernel: SampledChecks | undefined;
  kernelOf: SphereChecks | null;
  readonly counts: SampleCounts;
}

/** A planner that is called again finds what was compiled. */
const kept = new WeakMap<Variation, SharedSpheres[]>();
const MOST_KEPT = 4;

function shareSpheres(own: Variation, rest: Float64Array, options: SceneSpheresOptions): SharedSpheres {
  const { spheres: model, indices, margin, prove, tier } = options;
  const still = Array.from(rest, (x, i) => (indices.includes(i) ? 0 : x));
  const key = JSON.stringify([indices, still, margin, prove, tier]);
  const list = kept.get(own) ?? [];
  kept.set(own, list);
  const found = list.find((entry) => entry.key === key && entry.model === model);
  if (found) return found;
  const spheres = new SceneSpheres(own, rest, options);
  const counts = { sampled: 0, sampledBySpheres: 0, asked: 0 };
  const made: SharedSpheres = { key, model, spheres, kernel: undefined, kernelOf: null, counts };
  list.unshift(made);
  list.length = Math.min(list.length, MOST_KEPT);
  return made;
}

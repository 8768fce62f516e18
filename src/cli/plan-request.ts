/** Planning a robot in its scene, as the commands `plan` and `demo` do it. */
import { createConfigurationSpace } from '../planning/configuration-space.js';
import { createSampledMotion } from '../planning/motion.js';
import { planRrtConnect } from '../planning/rrt-connect.js';
import { shortcutPath } from '../planning/shortcut.js';
import type { PlanResult } from '../planning/types.js';
import { findMotionBounds } from '../scene/motion/motion-bounds.js';
import { createSceneChecker } from '../scene/motion/validity.js';
import type { LoadedScene } from './scene-arguments.js';

export interface PlanSettings {
  readonly seed: number;
  /** Default: the planner's. */
  readonly iterations?: number;
  /** Seconds. */
  readonly timeout: number;
  readonly simplify: boolean;
  /** Largest step between checked states, radians (metres for prismatic joints). */
  readonly resolution: number;
  /**
   * How motions are checked while the trees grow: as a whole (default), or by states at most `resolution` apart. The path that
   * is returned is checked as a whole in any case.
   */
  readonly edges?: 'sampled' | 'certified';
  readonly onProgress?: (text: string) => void;
}

export interface PlannedPath extends PlanResult {
  readonly planMs: number;
  readonly simplifyMs: number;
}

/** `start` and `goals` are full configurations; the path is in full configurations too. */
export function planInScene(
  loaded: LoadedScene,
  start: Float64Array,
  goals: readonly Float64Array[],
  settings: PlanSettings,
): PlannedPath {
  const { scene, robot, model, group } = loaded;
  const { indices } = group;
  const pick = (q: Float64Array): Float64Array => Float64Array.from(indices, (i) => q[i]);
  // A base without limits goes as far as the scene, the start and the goals ask for.
  const bounds = findMotionBounds(scene, robot, [start, ...goals]);
  const space = createConfigurationSpace(model, { indices, bounds });
  const checker = createSceneChecker(scene, robot, { indices, rest: start });
  const { resolution } = settings;
  const motion = settings.edges === 'sampled' ? createSampledMotion(space, checker, resolution) : undefined;
  const clock = (): number => performance.now();
  const begin = clock();
  const found = planRrtConnect({
    space,
    checker,
    start: pick(start),
    goals: goals.map(pick),
    seed: settings.seed,
    maxIterations: settings.iterations,
    resolution,
    motion,
    timeoutMs: 1000 * settings.timeout,
    clock,
    onProgress: ({ iterations, startNodes, goalNodes }) =>
      settings.onProgress?.(`${iterations} iterations, ${startNodes + goalNodes} nodes`),
    progressInterval: 200,
  });
  const planned = clock();
  let { path, length, assumed } = found;
  if (settings.simplify && found.status === 'solved') {
    const shortened = shortcutPath({
      space,
      checker,
      path,
      seed: settings.seed,
      resolution,
      timeoutMs: Math.max(begin + 1000 * settings.timeout - planned, 0),
      clock,
    });
    ({ path, length } = shortened);
    assumed = [...new Set([...assumed, ...shortened.assumed])];
  }
  const full = path.map((q) => {
    const out = Float64Array.from(start);
    for (let k = 0; k < indices.length; k++) out[indices[k]] = q[k];
    return out;
  });
  return { ...found, assumed, path: full, length, planMs: planned - begin, simplifyMs: clock() - planned };
}

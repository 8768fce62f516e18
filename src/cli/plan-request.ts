/** Planning a robot in its scene, as the commands `plan` and `demo` do it. */
import type { LinkSpheres, SphereModel } from '../geometry/sphere-model.js';
import type { FrameConstraint } from '../planning/constraints/frame-constraint.js';
import type { Roadmap } from '../planning/roadmap.js';
import { type SphereRobotOptions, verifyRobotSpheres } from '../scene/robot-spheres.js';
import { type GroupPlan, type GroupRequest, planGroup } from '../tasks/plan-group.js';
import type { PathObjective } from '../tasks/plan-objective.js';
import { defaultCacheFolder, fitAutoSpheres } from './auto-spheres.js';
import { warnOnce } from './messages.js';
import { formatLength } from './number-arguments.js';
import type { LoadedScene } from './scene-arguments.js';
import { readSphereFile } from './sphere-files.js';

export interface PlanSettings {
  readonly seed: number;
  /** Default: the planner's. */
  readonly iterations?: number;
  /** Seconds. */
  readonly timeout: number;
  readonly simplify: boolean;
  /** Largest step between checked states of sampled edges, radians (metres for prismatic joints). */
  readonly resolution?: number;
  readonly edges?: 'sampled' | 'certified';
  readonly planner?: string;
  readonly spheres?: SphereModel;
  readonly onProgress?: (text: string) => void;
  /** Seconds to go on for a better path. */
  readonly optimise?: number;
  readonly objective?: PathObjective['kind'];
  readonly explain?: boolean;
  /** Millimetres of contact. */
  readonly repairStart?: number;
  readonly roadmap?: Roadmap;
  /** Names of objects. */
  readonly moving?: readonly string[];
  /** Of the tip, in the world, metres. */
  readonly retreat?: readonly number[];
  /** What holds on the whole way. */
  readonly constraints?: readonly FrameConstraint[];
  /** Most that the path leaves them by. */
  readonly within?: number;
}

/** `start` is a full configuration. */
export function planInScene(
  { scene, robot, group }: LoadedScene,
  start: Float64Array,
  goal: GroupRequest['goal'],
  settings: PlanSettings,
): GroupPlan {
  const { seed, iterations, timeout, simplify, resolution, edges, planner, spheres, onProgress } = settings;
  const { optimise, objective, explain, repairStart, roadmap, moving, retreat, constraints, within } = settings;
  const isHeld = constraints !== undefined;
  return planGroup(scene, robot, {
    group: group.name ?? undefined,
    start,
    goal,
    seed,
    maxIterations: iterations,
    timeoutMs: 1000 * timeout,
    clock: () => performance.now(),
    simplify,
    ...(isHeld
      ? { constraints, deviation: within }
      : { resolution: edges === 'sampled' ? resolution : undefined, edges, planner, spheres, roadmap, moving }),
    explain,
    ...(retreat !== undefined && { retreat: { by: retreat } }),
    ...(repairStart !== undefined && { repairStart: repairStart / 1000 }),
    ...(optimise !== undefined && {
      optimise: { ms: 1000 * optimise, ...(objective && { objective: { kind: objective } }) },
    }),
    onProgress: ({ iterations: done, nodes }) => onProgress?.(`${done} iterations, ${nodes} nodes`),
  });
}

/**
 * The spheres that `--spheres` names for planning, for the shapes that collide: those of links whose shapes they are proven to contain. The other links are covered by what
 * planning makes itself, and that is said. `auto` fits them, kept in the folder `cache` (false: nowhere); undefined without the option.
 */
export function readPlanSpheres(
  option: string | undefined,
  robot: SphereRobotOptions,
  cache: string | boolean | undefined,
): SphereModel | undefined {
  if (option === undefined) return undefined;
  if (option === 'auto')
    return fitAutoSpheres(robot, cache === false ? null : typeof cache === 'string' ? cache : defaultCacheFolder());
  const lists = readSphereFile('--spheres', option);
  const links: LinkSpheres[] = [];
  for (const { link, proven, gap } of verifyRobotSpheres(robot, lists)) {
    const spheres = lists.get(link);
    if (proven && spheres) {
      const numbers = Float64Array.from(spheres.flatMap(({ center, radius }) => [...center, radius]));
      links.push({ link, bound: new Float64Array(4), levels: [numbers] });
      continue;
    }
    const message = spheres ? `do not contain it, by ${formatLength(gap)}` : 'are none';
    warnOnce(`spheres of ${link}`, `--spheres ${option}: the spheres of link "${link}" ${message}; it is covered anew`);
  }
  return { links, proven: true, assumed: [] };
}

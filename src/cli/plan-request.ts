/** Planning a robot in its scene, as the commands `plan` and `demo` do it. */
import { type GroupPlan, type GroupRequest, planGroup } from '../tasks/plan-group.js';
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
  readonly edges?: 'sampled' | 'certified';
  readonly onProgress?: (text: string) => void;
}

/** `start` is a full configuration. */
export function planInScene(
  { scene, robot, group }: LoadedScene,
  start: Float64Array,
  goal: GroupRequest['goal'],
  { seed, iterations, timeout, simplify, resolution, edges, onProgress }: PlanSettings,
): GroupPlan {
  return planGroup(scene, robot, {
    group: group.name ?? undefined,
    start,
    goal,
    seed,
    maxIterations: iterations,
    timeoutMs: 1000 * timeout,
    clock: () => performance.now(),
    simplify,
    resolution,
    edges,
    onProgress: ({ iterations: done, nodes }) => onProgress?.(`${done} iterations, ${nodes} nodes`),
  });
}

/** Planning under constraints as the command `plan --constraint` does it. */
import { readFileSync } from 'node:fs';
import type { FrameConstraint } from '../planning/constraints/frame-constraint.js';
import { planConstrained } from '../tasks/constrained-plan.js';
import type { GroupState } from '../tasks/group-states.js';
import type { GroupPlan } from '../tasks/plan-group.js';
import { UsageError } from './exit.js';
import type { PlanSettings } from './plan-request.js';
import type { LoadedScene } from './scene-arguments.js';

/** The list of a file: {"constraints": [...]} or the list alone. What is in it is read where it is used. */
export function readConstraintFile(option: string, file: string): readonly FrameConstraint[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${option} "${file}": ${(error as Error).message}`);
  }
  const list = Array.isArray(value) ? value : (value as { constraints?: unknown } | null)?.constraints;
  if (!Array.isArray(list) || list.length === 0)
    throw new UsageError(`${option} "${file}": expected {"constraints": [...]} with at least one`);
  return list as readonly FrameConstraint[];
}

export interface ConstrainedSettings extends PlanSettings {
  readonly constraints: readonly FrameConstraint[];
  /** Most that the path leaves them by. */
  readonly within?: number;
}

/** `start` is a full configuration. */
export function planConstrainedInScene(
  { scene, robot, group }: LoadedScene,
  start: Float64Array,
  goal: GroupState,
  settings: ConstrainedSettings,
): GroupPlan & { readonly deviation: number } {
  const { seed, iterations, timeout, simplify, constraints, within, onProgress } = settings;
  const plan = planConstrained(scene, robot, {
    ...{
      group: group.name ?? undefined,
      start,
      goal,
      constraints,
      deviation: within,
      seed,
      simplify,
      projectEnds: true,
    },
    ...{ maxIterations: iterations, timeoutMs: 1000 * timeout, clock: () => performance.now() },
    onProgress: ({ iterations: done, nodes }) => onProgress?.(`${done} iterations, ${nodes} nodes`),
  });
  const plannerReason = 'its trees walk along constraints';
  const none = { motion: null, costs: [], repair: null, reasons: null, plannerReason };
  return { ...plan, ...none, start, cost: plan.length, repairs: 0, prepareMs: 0 };
}

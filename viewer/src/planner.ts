/** Plans in the page, a slice between frames, so that the page stays alive and the search can be cancelled. */
import type { PlanStatus } from 'clearance/planning';
import type { Scene } from 'clearance/scene';
import { findGroupCoordinates } from 'clearance/semantics';
import { createGroupSearch } from 'clearance/tasks';
import type { WorkspaceRobot } from './workspace.js';

export interface PlanOutcome {
  readonly status: PlanStatus | 'cancelled';
  readonly reason: string;
  readonly path: readonly Float64Array[];
  readonly length: number;
  readonly milliseconds: number;
  readonly checks: number;
}

export interface PlanTask {
  readonly scene: Scene;
  readonly robot: WorkspaceRobot;
  readonly start: Float64Array;
  readonly goal: Float64Array;
  /** Looked at between slices. */
  readonly isCancelled: () => boolean;
  readonly onProgress: (iterations: number) => void;
}

/** Largest step between checked states, radians or metres. */
const RESOLUTION = 0.02;
const MAX_ITERATIONS = 50_000;
const SLICE_MILLISECONDS = 12;

export async function planInPage(task: PlanTask): Promise<PlanOutcome> {
  const { scene, robot, start, goal } = task;
  const group = chooseGroup(robot, start, goal);
  let milliseconds = 0;
  const timed = <T>(work: () => T): T => {
    const begin = performance.now();
    try {
      return work();
    } finally {
      milliseconds += performance.now() - begin;
    }
  };
  const request = { group, start, goal, resolution: RESOLUTION, maxIterations: MAX_ITERATIONS };
  const search = timed(() => createGroupSearch(scene, robot.scene, request));
  while (!search.done) {
    if (task.isCancelled()) return { ...search.result(), status: 'cancelled', milliseconds };
    timed(() => {
      const end = performance.now() + SLICE_MILLISECONDS;
      while (!search.step(1) && performance.now() < end);
    });
    task.onProgress(search.progress.iterations);
    await nextFrame();
  }
  const found = timed(() => search.result());
  return { ...found, path: found.status === 'solved' ? found.path : [], milliseconds };
}

/** The group that was asked for, else the SRDF's largest, when start and goal agree beside it; else every joint. */
function chooseGroup(
  { model, scene, group }: WorkspaceRobot,
  start: Float64Array,
  goal: Float64Array,
): string | undefined {
  const { semantic, description } = scene;
  const names = group === null ? (semantic?.groups ?? []).map(({ name }) => name) : [group];
  const [largest] = names
    .map((name) => ({ name, indices: [...findGroupCoordinates(model, semantic, description, name).indices] }))
    .sort((a, b) => b.indices.length - a.indices.length);
  if (!largest || largest.indices.length === 0) return undefined;
  return start.every((value, i) => largest.indices.includes(i) || value === goal[i]) ? largest.name : undefined;
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}

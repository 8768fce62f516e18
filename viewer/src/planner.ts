/** Plans in the page, a slice between frames, so that the page stays alive and the search can be cancelled. */
import { createConfigurationSpace, createRrtConnect, type PlanStatus, shortcutPath } from 'clearance/planning';
import { createSceneChecker, type Scene, setConfiguration } from 'clearance/scene';
import { listGroupCoordinates } from './groups.js';
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
  const indices = chooseIndices(robot, start, goal);
  const pick = (q: Float64Array): Float64Array => Float64Array.from(indices, (i) => q[i]);
  const space = createConfigurationSpace(robot.model, { indices });
  const checker = createSceneChecker(scene, robot.scene, { indices, rest: start });
  const shown = robot.scene.q.slice();
  let milliseconds = 0;
  /** The checker moves the robot; put it back before anything is drawn. */
  const timed = <T>(work: () => T): T => {
    shown.set(robot.scene.q);
    const begin = performance.now();
    try {
      return work();
    } finally {
      milliseconds += performance.now() - begin;
      setConfiguration(robot.scene, shown);
    }
  };
  const search = timed(() =>
    createRrtConnect({
      space,
      checker,
      start: pick(start),
      goals: [pick(goal)],
      resolution: RESOLUTION,
      maxIterations: MAX_ITERATIONS,
    }),
  );
  while (!search.done) {
    if (task.isCancelled()) return { ...search.result(), status: 'cancelled', milliseconds };
    timed(() => {
      const end = performance.now() + SLICE_MILLISECONDS;
      while (!search.step(1) && performance.now() < end);
    });
    task.onProgress(search.progress.iterations);
    await nextFrame();
  }
  const found = search.result();
  if (found.status !== 'solved') return { ...found, path: [], milliseconds };
  const short = timed(() => shortcutPath({ space, checker, path: found.path, resolution: RESOLUTION }));
  const path = short.path.map((q) => {
    const full = start.slice();
    for (let k = 0; k < indices.length; k++) full[indices[k]] = q[k];
    return full;
  });
  return { ...found, path, length: short.length, checks: found.checks + short.checks, milliseconds };
}

/**
 * The coordinates of the group that was asked for, else of the SRDF's largest, when start and goal agree in all others; else
 * every coordinate.
 */
function chooseIndices({ model, scene, group }: WorkspaceRobot, start: Float64Array, goal: Float64Array): number[] {
  const { semantic, description } = scene;
  const all = Array.from({ length: model.nq }, (_, i) => i);
  const names = group === null ? (semantic?.groups ?? []).map(({ name }) => name) : [group];
  const [largest] = names
    .map((name) => listGroupCoordinates(model, semantic, description, name))
    .sort((a, b) => b.length - a.length);
  if (!largest || largest.length === 0) return all;
  return all.every((i) => largest.includes(i) || start[i] === goal[i]) ? largest : all;
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}

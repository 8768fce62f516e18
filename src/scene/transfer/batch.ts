/**
 * Many queries of one robot in one scene as a job: what a worker runs, and what the same thread runs without one.
 *
 * Answers come in the order of the configurations and do not depend on how a batch is cut. Tested by pack-scene.test.ts.
 */
import { varyRobot } from '../context.js';
import { createSceneMotionChecker } from '../motion/motion-checker.js';
import type { OverlapDepth } from '../queries/body-pairs.js';
import {
  checkScene,
  isSceneFree,
  type NearestPair,
  nearestPair,
  type SceneCheck,
  type SceneVerdict,
} from '../queries/check.js';
import { setConfiguration } from '../robot.js';
import type { Scene, SceneRobot } from '../types.js';

export type SceneJob =
  /** 1 where the configuration is free, else 0. */
  | { readonly kind: 'free'; readonly margin: number }
  /** What touches. */
  | { readonly kind: 'check'; readonly margin: number; readonly all: boolean; readonly depth: 'none' | OverlapDepth }
  /** The nearest pair, null when there is none within `maxDistance`. */
  | { readonly kind: 'nearest'; readonly maxDistance: number; readonly depth: OverlapDepth }
  /** 1 where the straight motion to the next configuration is free, exactly; one configuration more than answers. */
  | { readonly kind: 'motion'; readonly margin: number; readonly tolerance: number };

export type SceneAnswers = Uint8Array | (SceneCheck | SceneVerdict | NearestPair | null)[];

/** A query of a batch failed; `index` counts from the start of the batch. */
export class SceneJobError extends Error {
  override name = 'SceneJobError';
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.index = index;
  }
}

/** `configurations`: nq numbers each. The robot stays where it is. */
export function runSceneJob(
  scene: Scene,
  robot: SceneRobot,
  job: SceneJob,
  configurations: Float64Array,
): SceneAnswers {
  const own = varyRobot(scene, robot, 'runSceneJob');
  return answerJob(own, own.robot, job, configurations);
}

function answerJob(scene: Scene, robot: SceneRobot, job: SceneJob, configurations: Float64Array): SceneAnswers {
  const { nq } = robot.model;
  const count = nq === 0 ? 0 : configurations.length / nq;
  const at = (i: number): Float64Array => configurations.subarray(i * nq, (i + 1) * nq);
  const place = (i: number): void => setConfiguration(robot, at(i));
  if (job.kind === 'free') {
    const free = new Uint8Array(count);
    visitQueries(count, (i) => {
      place(i);
      free[i] = isSceneFree(scene, job.margin) ? 1 : 0;
    });
    return free;
  }
  if (job.kind === 'motion') {
    const motions = new Uint8Array(Math.max(count - 1, 0));
    const checker = createSceneMotionChecker(scene, robot, { margin: job.margin, tolerance: job.tolerance });
    visitQueries(motions.length, (i) => {
      motions[i] = checker.isMotionValid(at(i), at(i + 1)) ? 1 : 0;
    });
    return motions;
  }
  const ask = (): SceneCheck | SceneVerdict | NearestPair | null => {
    const { depth } = job;
    if (job.kind === 'check') return checkScene(scene, { margin: job.margin, all: job.all, depth });
    return nearestPair(scene, { maxDistance: job.maxDistance, depth: job.depth });
  };
  const answers: (SceneCheck | SceneVerdict | NearestPair | null)[] = [];
  visitQueries(count, (i) => {
    place(i);
    answers.push(ask());
  });
  return answers;
}

function visitQueries(count: number, visit: (i: number) => void): void {
  for (let i = 0; i < count; i++) {
    try {
      visit(i);
    } catch (error) {
      throw new SceneJobError(i, error);
    }
  }
}

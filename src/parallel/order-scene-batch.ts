/** Many queries of one robot in one scene as a job that can be sent. */
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import type { NearestPair, SceneCheck, SceneVerdict } from '../scene/queries/check.js';
import { requireOpen } from '../scene/scene-door.js';
import { packScene } from '../scene/transfer/pack-scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { type Configurations, flattenConfigurations } from './configurations.js';
import { createOrder, type JobOrder } from './job-order.js';
import { sceneBatch } from './kinds/scene-batch.js';
import { completeQuery, type SceneQuery } from './scene-query.js';

/** What a batch gives, by the kind of its query. */
export interface SceneBatchOutputs {
  readonly free: Uint8Array;
  readonly check: readonly (SceneCheck | SceneVerdict)[];
  readonly nearest: readonly (NearestPair | null)[];
  readonly motion: Uint8Array;
}

/** @internal The robot's number in the scene. */
export function numberOfRobot(call: string, scene: Scene, robot: SceneRobot): number {
  requireOpen(scene, call);
  const index = scene.robots.indexOf(robot);
  if (index < 0) throw new MisuseError(`${call}: robot, got ${describeValue(robot?.name)}, expected one of this scene`);
  return index;
}

/**
 * The scene as it is now: later changes are not seen. The job's output are the answers in the order of the configurations: bytes
 * for `free` (1 where free) and `motion` (1 where the motion to the next configuration is free; one answer less), else the
 * results of `checkScene` or `nearestPair`. Throws MisuseError, or a ParallelError with the index of the first wrong configuration.
 */
export function orderSceneBatch<Query extends SceneQuery>(
  scene: Scene,
  robot: SceneRobot,
  query: Query,
  configurations: Configurations,
): JobOrder<SceneBatchOutputs[Query['kind']]> {
  const index = numberOfRobot('orderSceneBatch', scene, robot);
  const complete = completeQuery('orderSceneBatch', 'query', query);
  const flat = flattenConfigurations('orderSceneBatch', configurations, robot.model.nq);
  // Which world of this program it was, and how often it was edited, is no part of what is asked.
  const packed = { ...packScene(scene), world: 0, revision: 0 };
  const input = { scene: packed, robot: index, query: complete, configurations: flat };
  return createOrder('orderSceneBatch', sceneBatch, 0, input) as JobOrder<SceneBatchOutputs[Query['kind']]>;
}

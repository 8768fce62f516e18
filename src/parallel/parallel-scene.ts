/**
 * Scene queries of many configurations on several processors.
 *
 * Every worker holds a copy of the scene as it was when the pool was made, with the same hierarchies bit for bit, so that
 * answers are those of one thread, in order. Meshes travel in shared memory where the host allows it, by copy elsewhere.
 * A batch is a job (kinds/scene-batch.ts) that nobody asks for its hash. Cost: starting a worker takes some hundred milliseconds
 * and a copy of the scene; a message about 0.1 ms. Batches below some hundred queries are faster on one thread. Nothing here
 * uses eval or blobs: a policy needs `worker-src 'self'`.
 * Tested by test/regression/workers.test.ts.
 */
import { type Fields, requireFlag, requireOptions } from '../math/arguments.js';
import { type SceneAssumptions, sceneAssumptions } from '../scene/assumptions.js';
import type { OverlapDepth } from '../scene/queries/body-pairs.js';
import type { CheckOptions, NearestPair, SceneCheck, SceneVerdict } from '../scene/queries/check.js';
import type { SceneAnswers } from '../scene/transfer/batch.js';
import { packScene } from '../scene/transfer/pack-scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { type Configurations, flattenConfigurations } from './configurations.js';
import { canShareMemory } from './host.js';
import { RUN_OPTIONS } from './job.js';
import { createWorkerPool, type JobPoolOptions, POOL_OPTIONS } from './job-pool.js';
import { sceneBatch } from './kinds/scene-batch.js';
import { numberOfRobot } from './order-scene-batch.js';
import { completeQuery, QUERY_OPTIONS, type SceneQuery } from './scene-query.js';
import type { RunOptions } from './worker-pool.js';

export interface ParallelOptions extends JobPoolOptions {
  /** Meshes in shared memory. Default: where the host allows it. */
  readonly shared?: boolean;
}

/** As `checkScene` takes them. */
export interface CheckManyOptions extends Pick<CheckOptions, 'margin' | 'all' | 'depth'>, RunOptions {}

/** `complete` and `assumed` are those of the scene when the pool was made. */
export interface ParallelScene extends SceneAssumptions {
  readonly workers: number;
  /** 1 for each configuration that is free. */
  isFreeMany(configurations: Configurations, options?: RunOptions & { readonly margin?: number }): Promise<Uint8Array>;
  /** What `checkScene` gives for each configuration. */
  checkMany(
    configurations: Configurations,
    options: CheckManyOptions & { readonly depth: 'none' },
  ): Promise<SceneVerdict[]>;
  checkMany(
    configurations: Configurations,
    options?: CheckManyOptions & { readonly depth?: OverlapDepth },
  ): Promise<SceneCheck[]>;
  checkMany(configurations: Configurations, options?: CheckManyOptions): Promise<(SceneCheck | SceneVerdict)[]>;
  /** What `nearestPair` gives for each configuration. */
  nearestMany(
    configurations: Configurations,
    options?: RunOptions & { readonly maxDistance?: number; readonly depth?: OverlapDepth },
  ): Promise<(NearestPair | null)[]>;
  /** 1 for each straight motion between neighbours that is free at every time; see `createSceneMotionChecker`. */
  areMotionsFree(
    configurations: Configurations,
    options?: RunOptions & { readonly margin?: number; readonly tolerance?: number },
  ): Promise<Uint8Array>;
  /** Ends the workers; batches under way are rejected. */
  dispose(): void;
}

const OPTIONS: Fields = { shared: requireFlag, ...POOL_OPTIONS };

/**
 * Later changes of the scene are not seen. Rejects when a worker does not start, or does not answer in time, with its URL and
 * the cause; batches reject with a `ParallelError` that has the index of the first query that fails.
 */
export async function createParallelScene(
  scene: Scene,
  robot: SceneRobot,
  options: ParallelOptions = {},
): Promise<ParallelScene> {
  requireOptions('createParallelScene', options, OPTIONS);
  const index = numberOfRobot('createParallelScene', scene, robot);
  const { nq } = robot.model;
  const assumptions = sceneAssumptions(scene);
  const packed = packScene(scene, options.shared ?? canShareMemory());
  const pool = await createWorkerPool('createParallelScene', options);
  await pool.start('scene-batch', packed);

  const run = async (
    call: string,
    kind: SceneQuery['kind'],
    configurations: Configurations,
    options: (RunOptions & Omit<SceneQuery, 'kind'>) | undefined = {},
  ): Promise<SceneAnswers> => {
    requireOptions(call, options, { ...RUN_OPTIONS, ...QUERY_OPTIONS[kind] });
    const { signal, onProgress, ...rest } = options;
    const query = completeQuery(call, 'options', { kind, ...rest } as SceneQuery);
    const flat = flattenConfigurations(call, configurations, nq);
    const plan = sceneBatch.plan({ scene: packed, robot: index, query, configurations: flat }, 0, null);
    await pool.run({ kind: 'scene-batch', plan, shared: packed }, { signal, onProgress });
    return plan.output();
  };
  return {
    workers: pool.workers,
    ...assumptions,
    isFreeMany: (configurations, options) => run('isFreeMany', 'free', configurations, options) as Promise<Uint8Array>,
    checkMany: ((configurations, options) =>
      run('checkMany', 'check', configurations, options)) as ParallelScene['checkMany'],
    nearestMany: (configurations, options) =>
      run('nearestMany', 'nearest', configurations, options) as Promise<(NearestPair | null)[]>,
    areMotionsFree: (configurations, options) =>
      run('areMotionsFree', 'motion', configurations, options) as Promise<Uint8Array>,
    dispose: () => pool.dispose(),
  };
}

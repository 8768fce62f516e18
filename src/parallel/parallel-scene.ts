/**
 * Scene queries of many configurations on several processors.
 *
 * Every worker holds a copy of the scene as it was when the pool was made, with the same hierarchies bit for bit, so that
 * answers are those of one thread, in order. Meshes travel in shared memory where the host allows it, by copy elsewhere.
 * Cost: starting a worker takes tens of milliseconds and a copy of the scene; a message about 0.1 ms. Batches below some
 * hundred queries are faster on one thread. Nothing here uses eval or blobs: a policy needs `worker-src 'self'`.
 * Tested by test/regression/workers.test.ts.
 */
import {
  type Fields,
  requireFinite,
  requireFlag,
  requireNumber,
  requireOptions,
  requirePositiveNumber,
  unchecked,
  wholeFrom,
} from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { type SceneAssumptions, sceneAssumptions } from '../scene/assumptions.js';
import { type OverlapDepth, requireDepth } from '../scene/queries/body-pairs.js';
import type { CheckOptions, NearestPair, SceneCheck, SceneVerdict } from '../scene/queries/check.js';
import { requireOpen } from '../scene/scene-door.js';
import type { SceneAnswers, SceneJob } from '../scene/transfer/batch.js';
import { packScene } from '../scene/transfer/pack-scene.js';
import type { Scene, SceneRobot } from '../scene/types.js';
import { canShareMemory, countProcessors } from './host.js';
import { readLimits, WORKER_OPTIONS, type WorkerTimeLimits } from './time-limit.js';
import { ParallelError, WorkerPool } from './worker-pool.js';

/** `answerTimeoutMs`: for some thousand queries at most, default ten minutes. */
export interface ParallelOptions extends WorkerTimeLimits {
  /** Default: one less than the processors, at least 1, at most 8. */
  readonly workers?: number;
  /** Meshes in shared memory. Default: where the host allows it. */
  readonly shared?: boolean;
  /** The worker's script where it does not lie beside this module: a copy of `scene-worker.js` with what it imports. */
  readonly script?: string | URL;
}

/** Configurations: arrays of nq numbers, or one array of nq numbers each. */
export type Configurations = readonly ArrayLike<number>[] | Float64Array;

/** As `checkScene` takes them. */
export type CheckManyOptions = Pick<CheckOptions, 'margin' | 'all' | 'depth'>;

/** `complete` and `assumed` are those of the scene when the pool was made. */
export interface ParallelScene extends SceneAssumptions {
  readonly workers: number;
  /** 1 for each configuration that is free. */
  isFreeMany(configurations: Configurations, options?: { readonly margin?: number }): Promise<Uint8Array>;
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
    options?: { readonly maxDistance?: number; readonly depth?: OverlapDepth },
  ): Promise<(NearestPair | null)[]>;
  /** 1 for each straight motion between neighbours that is free at every time; see `createSceneMotionChecker`. */
  areMotionsFree(
    configurations: Configurations,
    options?: { readonly margin?: number; readonly tolerance?: number },
  ): Promise<Uint8Array>;
  /** Ends the workers; batches under way are rejected. */
  dispose(): void;
}

const OPTIONS: Fields = { workers: wholeFrom(1), shared: requireFlag, ...WORKER_OPTIONS };
const FREE: Fields = { margin: requireFinite };
const CHECK: Fields = { margin: requireFinite, all: requireFlag, depth: unchecked };
const NEAREST: Fields = { maxDistance: requireNumber, depth: unchecked };
const MOTION: Fields = { margin: requireFinite, tolerance: requirePositiveNumber };

/** Fewest queries in a message. */
const SMALLEST_PIECE = 100;
/** Most queries in a message, so that the time limit of an answer is one of few queries. */
const LARGEST_PIECE = 5_000;
const ANSWER_TIMEOUT = 600_000;
/** Pieces per worker, so that slow ones do not hold up the rest. */
const PIECES_PER_WORKER = 4;
const MOST_WORKERS = 8;

/**
 * Later changes of the scene are not seen. Rejects when a worker does not start, or does not answer in time, with its URL and
 * the cause; batches reject with a `ParallelError` that has the index of the first query that fails.
 */
export async function createParallelScene(
  scene: Scene,
  robot: SceneRobot,
  options: ParallelOptions = {},
): Promise<ParallelScene> {
  requireOpen(scene, 'createParallelScene');
  requireOptions('createParallelScene', options, OPTIONS);
  const index = scene.robots.indexOf(robot);
  if (index < 0)
    throw new MisuseError(`createParallelScene: robot, got ${describeValue(robot?.name)}, expected one of this scene`);
  const limits = readLimits(options, ANSWER_TIMEOUT);
  const workers = options.workers ?? Math.min(Math.max((await countProcessors()) - 1, 1), MOST_WORKERS);
  const { nq } = robot.model;
  const assumptions = sceneAssumptions(scene);
  const pool = new WorkerPool(workers);
  const packed = packScene(scene, options.shared ?? canShareMemory());
  await pool.start({ workers, script: options.script, scene: packed, robot: index, limits });

  /** `overlap`: configurations that a piece shares with the next one. */
  const run = async (
    call: string,
    job: SceneJob,
    configurations: Configurations,
    overlap = 0,
  ): Promise<SceneAnswers[]> => {
    const flat = flatten(call, configurations, nq);
    const count = Math.max(flat.length / Math.max(nq, 1) - overlap, 0);
    const even = Math.ceil(count / (PIECES_PER_WORKER * workers));
    const size = Math.min(Math.max(SMALLEST_PIECE, even), LARGEST_PIECE);
    const pieces: { first: number; configurations: Float64Array }[] = [];
    for (let first = 0; first < count; first += size) {
      const end = Math.min(first + size, count) + overlap;
      pieces.push({ first, configurations: flat.slice(first * nq, end * nq) });
    }
    return pieces.length === 0 ? [] : pool.run(job, pieces);
  };
  const runBytes = async (
    call: string,
    job: SceneJob,
    configurations: Configurations,
    overlap = 0,
  ): Promise<Uint8Array> => {
    const parts = (await run(call, job, configurations, overlap)) as Uint8Array[];
    const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  };
  return {
    workers,
    ...assumptions,
    isFreeMany: async (configurations, options = {}) => {
      requireOptions('isFreeMany', options, FREE);
      const { margin = 0 } = options;
      return runBytes('isFreeMany', { kind: 'free', margin }, configurations);
    },
    checkMany: (async (configurations, options: CheckManyOptions = {}) => {
      requireOptions('checkMany', options, CHECK);
      const { margin = 0, all = false, depth } = options;
      const wanted = depth === 'none' ? depth : requireDepth('checkMany', depth, "'none', ");
      return (await run('checkMany', { kind: 'check', margin, all, depth: wanted }, configurations)).flat();
    }) as ParallelScene['checkMany'],
    nearestMany: async (configurations, options = {}) => {
      requireOptions('nearestMany', options, NEAREST);
      const { maxDistance = Infinity, depth } = options;
      const job = { kind: 'nearest', maxDistance, depth: requireDepth('nearestMany', depth) } as const;
      return ((await run('nearestMany', job, configurations)) as (NearestPair | null)[][]).flat();
    },
    areMotionsFree: async (configurations, options = {}) => {
      requireOptions('areMotionsFree', options, MOTION);
      const { margin = 0, tolerance = 1e-4 } = options;
      return runBytes('areMotionsFree', { kind: 'motion', margin, tolerance }, configurations, 1);
    },
    dispose: () => pool.dispose(),
  };
}

/** A copy of the numbers, checked here so that a wrong one is told with its index before any worker is asked. */
function flatten(call: string, configurations: Configurations, nq: number): Float64Array {
  const isFlat = configurations instanceof Float64Array;
  if (!isFlat && !Array.isArray(configurations))
    throw new MisuseError(
      `${call}: configurations, got ${describeValue(configurations)}, expected a list of configurations or a Float64Array`,
    );
  if (isFlat && configurations.length % Math.max(nq, 1) !== 0)
    throw new MisuseError(
      `${call}: configurations, got ${configurations.length} numbers, expected a multiple of ${nq}`,
    );
  const count = isFlat ? configurations.length / Math.max(nq, 1) : configurations.length;
  const flat = new Float64Array(count * nq);
  for (let i = 0; i < count; i++) {
    const q = isFlat ? configurations.subarray(i * nq, (i + 1) * nq) : configurations[i];
    if (q?.length !== nq)
      throw new ParallelError(`query ${i}: q, got ${q?.length ?? describeValue(q)} numbers, expected ${nq}`, i);
    for (let k = 0; k < nq; k++) {
      if (!Number.isFinite(q[k]))
        throw new ParallelError(`query ${i}: q[${k}], got ${q[k]}, expected a finite number`, i);
      flat[i * nq + k] = q[k];
    }
  }
  return flat;
}

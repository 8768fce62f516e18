/** A pool of workers for jobs of any kind. */
import { type Fields, requireOptions, wholeFrom } from '../math/arguments.js';
import { countProcessors } from './host.js';
import { readLimits, WORKER_OPTIONS, type WorkerTimeLimits } from './time-limit.js';
import { WorkerPool } from './worker-pool.js';

/** `answerTimeoutMs`: for one task, some tens of milliseconds of work where nothing is wrong; default ten minutes. */
export interface JobPoolOptions extends WorkerTimeLimits {
  /** Default: one less than the processors, at least 1, at most 8. */
  readonly workers?: number;
  /** The worker's script where it does not lie beside this module: a copy of `job-worker.js` with what it imports. */
  readonly script?: string | URL;
}

/** `run` of a job takes it as its option `pool`; several jobs may run on it at once. */
export interface JobPool {
  /** Most workers at once. */
  readonly workers: number;
  /** Ends the workers; jobs that run are rejected. */
  dispose(): void;
}

/** @internal */
export const POOL_OPTIONS: Fields = { workers: wholeFrom(1), ...WORKER_OPTIONS };

const ANSWER_TIMEOUT = 600_000;
const MOST_WORKERS = 8;

/** @internal */
export async function createWorkerPool(
  name: string,
  options: JobPoolOptions,
  most = MOST_WORKERS,
): Promise<WorkerPool> {
  const workers = options.workers ?? Math.min(Math.max((await countProcessors()) - 1, 1), MOST_WORKERS, most);
  return new WorkerPool({ name, workers, script: options.script, limits: readLimits(options, ANSWER_TIMEOUT) });
}

/** Its workers start when there is work for them, and stay for the next jobs; they keep no process alive while they rest. */
export async function createJobPool(options: JobPoolOptions = {}): Promise<JobPool> {
  requireOptions('createJobPool', options, POOL_OPTIONS);
  return createWorkerPool('createJobPool', options);
}

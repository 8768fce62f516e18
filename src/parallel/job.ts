/**
 * A job that is open here: it may be done step by step in this thread, run with pauses, or run on a pool of workers, stopped at any
 * time and gone on with elsewhere. However it is done, its output is the same, bit for bit.
 * Tested by test/contract/jobs.test.ts.
 */
import {
  type Fields,
  requireCount,
  requireFunction,
  requireInstance,
  requireOptions,
  throwMisuse,
} from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { toFault } from './answer-jobs.js';
import { createCheckpoint, type JobCheckpoint, requireCheckpoint } from './job-checkpoint.js';
import { type JobOrder, requireOrder } from './job-order.js';
import type { JobPool } from './job-pool.js';
import type { JobKind, JobPerformer, JobPlan } from './kinds/job-kind.js';
import { ParallelError } from './parallel-error.js';
import { type RunOptions, WorkerPool } from './worker-pool.js';

export interface JobRunOptions extends RunOptions {
  /** Where its tasks are done. Default: in this thread, with pauses in which others get their turn. */
  readonly pool?: JobPool;
}

export interface Job<Output = unknown> {
  readonly kind: string;
  /** Of kind, version, seed and input: 64 hexadecimal digits. */
  readonly hash: string;
  readonly seed: number;
  readonly input: unknown;
  /** 0 to 1; never goes back. */
  readonly progress: number;
  /** null until all is done. */
  readonly output: Output | null;
  /**
   * Does so many units of work in this thread (queries of a batch, steps of a replica), or what is left; true when all is
   * done. Throws a ParallelError that names the part that fails.
   */
  step(units?: number): boolean;
  /** Resolves with the output. Rejects with the signal's reason, or a ParallelError; what was done until then stays done. */
  run(options?: JobRunOptions): Promise<Output>;
  /** Ends a run that is under way; `run` and `step` go on from there. */
  cancel(): void;
  /** Where it stands; while it runs, too. */
  save(): JobCheckpoint;
}

/** @internal Of the options of a run. */
export const RUN_OPTIONS: Fields = { signal: requireSignal, onProgress: requireFunction };

const OPTIONS: Fields = {
  ...RUN_OPTIONS,
  pool: (call, what, pool) => requireInstance(call, what, pool, WorkerPool, 'what createJobPool returned'),
};

/** Milliseconds between pauses. */
const SLICE_TIME = 20;

function requireSignal(call: string, what: string, signal: unknown): void {
  const { aborted, addEventListener } = (signal ?? {}) as Partial<AbortSignal>;
  if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function')
    throwMisuse(call, what, signal, 'an AbortSignal');
}

class OpenedJob<Output> implements Job<Output> {
  private plan: JobPlan;
  private performer: JobPerformer | null = null;
  private canceller: AbortController | null = null;

  constructor(
    private readonly order: JobOrder<Output>,
    private readonly definition: JobKind,
    state: unknown,
  ) {
    this.plan = definition.plan(order.input, order.seed, state);
  }

  get kind(): string {
    return this.order.kind;
  }

  get hash(): string {
    return this.order.hash;
  }

  get seed(): number {
    return this.order.seed;
  }

  get input(): unknown {
    return this.order.input;
  }

  get progress(): number {
    const { done, total } = this.plan;
    return total > 0 ? done / total : 1;
  }

  get output(): Output | null {
    return this.canceller === null && this.plan.width === 0 ? (this.plan.output() as Output) : null;
  }

  step(units = 1): boolean {
    requireCount('step', 'units', units, 1);
    if (this.canceller)
      throw new MisuseError('step: job, got one that runs, expected one at rest: wait for run, or cancel it');
    return this.advance(units);
  }

  async run(options: JobRunOptions = {}): Promise<Output> {
    requireOptions('run', options, OPTIONS);
    if (this.canceller)
      throw new MisuseError('run: job, got one that runs, expected one at rest: wait for it, or cancel it');
    const { pool, signal, onProgress } = options;
    const canceller = new AbortController();
    this.canceller = canceller;
    const forward = (): void => canceller.abort(signal!.reason);
    if (signal?.aborted) forward();
    signal?.addEventListener('abort', forward);
    try {
      canceller.signal.throwIfAborted();
      if (pool) await this.runOn(pool as WorkerPool, { signal: canceller.signal, onProgress });
      else await this.runHere({ signal: canceller.signal, onProgress });
    } catch (error) {
      this.renew();
      throw error;
    } finally {
      signal?.removeEventListener('abort', forward);
      this.canceller = null;
    }
    return this.plan.output() as Output;
  }

  cancel(): void {
    this.canceller?.abort();
    this.release();
  }

  save(): JobCheckpoint {
    return createCheckpoint(this.order, this.progress, this.plan.save());
  }

  private runOn(pool: WorkerPool, options: RunOptions): Promise<void> {
    const shared = this.definition.share(this.order.input) as object;
    return pool.run({ kind: this.kind, plan: this.plan, shared }, options);
  }

  private async runHere({ signal, onProgress }: RunOptions): Promise<void> {
    let units = 1;
    for (let isDone = false; !isDone; ) {
      const since = performance.now();
      isDone = this.advance(units);
      onProgress?.(this.progress);
      if (performance.now() - since < SLICE_TIME) units *= 2;
      else units = Math.max(Math.floor(units / 2), 1);
      await new Promise((resolve) => setTimeout(resolve));
      signal!.throwIfAborted();
    }
  }

  private advance(units: number): boolean {
    const { plan, definition, order } = this;
    for (let left = units; left > 0; ) {
      const task = plan.take(left, 0);
      if (task === null) break;
      try {
        this.performer ??= definition.prepare(definition.share(order.input));
        // What is kept must not change when the task's answers are made by the same objects again.
        plan.merge(task, this.performer.perform(task));
      } catch (error) {
        const { index, message } = toFault(error);
        const place = plan.nameOf(task, index);
        this.renew();
        throw new ParallelError(`${place.name}: ${message}`, place.index, error);
      }
      left -= plan.unitsOf(task);
    }
    if (plan.width > 0) return false;
    this.release();
    return true;
  }

  /** Tasks that were under way are open again. */
  private renew(): void {
    this.plan = this.definition.plan(this.order.input, this.order.seed, this.plan.save());
    this.release();
  }

  private release(): void {
    this.performer?.dispose();
    this.performer = null;
  }
}

/** From its start. Rejects with a MisuseError for what is no order, is one of another release, or was altered. */
export async function openJob<Output>(order: JobOrder<Output>): Promise<Job<Output>> {
  return new OpenedJob(order, await requireOrder('openJob', order), null);
}

/**
 * From where `save` was called, in any thread, process or engine: the rest has the bits of a run without a stop. Rejects with
 * a MisuseError that says what is wrong when the checkpoint was altered, or is of another order.
 */
export async function resumeJob<Output>(order: JobOrder<Output>, checkpoint: JobCheckpoint): Promise<Job<Output>> {
  const kind = await requireOrder('resumeJob', order);
  requireCheckpoint('resumeJob', checkpoint, order);
  return new OpenedJob(order, kind, checkpoint.state);
}

/**
 * Workers, and jobs that they share.
 *
 * Method: idle workers take the next task of the open jobs in turn; results are taken in as they come, in any order (see
 * kinds/job-kind.ts). Workers start when there is work for them and stay; what tasks are answered from is sent to each once,
 * and the last few of these are kept. Tasks are sized so that each takes some tens of milliseconds, and smaller towards the
 * end, by what tasks of the job took so far: that is the one use of a clock, and no result depends on it.
 *
 * A part of a task that fails, fails its job: no further task is taken, those under way are waited for, and the first part by
 * index, not by time, is the one that is told. A worker that dies, or does not answer within its time, fails the job it works
 * for; other jobs go on, with another worker in its place.
 * Tested by worker-pool.test.ts, test/contract/jobs.test.ts, test/regression/workers.test.ts and silent-workers.test.ts.
 */
import type { JobPlan } from './kinds/job-kind.js';
import type { FromWorker, ToWorker } from './messages.js';
import { ParallelError } from './parallel-error.js';
import { startWorker, type WorkerHandle } from './start-worker.js';
import { describeSilence, startTimer, type WorkerTimeLimits } from './time-limit.js';

export interface PoolOptions {
  /** For messages: the call that made it. */
  readonly name: string;
  readonly workers: number;
  readonly script: string | URL | undefined;
  readonly limits: Required<WorkerTimeLimits>;
}

/** How to be told of a job that runs, and how to end it. */
export interface RunOptions {
  /** Ends the run, which rejects with the signal's reason; what is done until then stays done. */
  readonly signal?: AbortSignal;
  /** Called as work gets done; `progress` grows from 0 to 1. */
  readonly onProgress?: (progress: number) => void;
}

/** What the pool needs to know of a job. */
export interface PooledJob {
  readonly kind: string;
  readonly plan: JobPlan;
  readonly shared: object;
}

interface OpenJob extends PooledJob {
  /** Tasks under way. */
  underWay: number;
  /** Milliseconds for a unit, 0 while it is not known. */
  unitTime: number;
  /** The failure that will be told when nothing is under way any more. */
  error: ParallelError | null;
  isClosed: boolean;
  onProgress(): void;
  resolve(): void;
  reject(cause: unknown): void;
}

interface Seat {
  readonly number: number;
  handle: WorkerHandle<ToWorker> | null;
  /** What it has been sent, last used last. */
  readonly shares: number[];
  /** Waits for `ready`. */
  starting: { resolve(): void; reject(cause: Error): void } | null;
  task: { readonly job: OpenJob; readonly task: unknown; readonly since: number } | null;
  isGone: boolean;
  /** Ends the limit of what it is waited for. */
  cancelTimer(): void;
}

/** Milliseconds that a task should take: fewer are lost to messages, more make a cancelled job hold its workers. */
const TASK_TIME = 40;
const LEAST_TASK_TIME = 2;
/** Of a job whose units nobody has timed. */
const FIRST_UNITS = 32;
const MOST_SHARES = 4;

/** What tasks are answered from, by identity: the number that workers know it by. */
const shareNumbers = new WeakMap<object, number>();
let shareCount = 0;

function numberOf(shared: object): number {
  let number = shareNumbers.get(shared);
  if (number === undefined) {
    number = ++shareCount;
    shareNumbers.set(shared, number);
  }
  return number;
}

export class WorkerPool {
  private seats: Seat[] = [];
  private jobs: OpenJob[] = [];
  private fault: ParallelError | null = null;
  private seatCount = 0;
  private taskCount = 0;

  constructor(private readonly options: PoolOptions) {}

  /** Most workers at once. */
  get workers(): number {
    return this.options.workers;
  }

  /** Starts all workers and sends them this; rejects with the script's URL and the cause, and ends the pool, when one fails. */
  async start(kind: string, shared: object): Promise<void> {
    const starting: Promise<void>[] = [];
    while (this.seats.length < this.workers) starting.push(this.open(kind, shared));
    try {
      await Promise.all(starting);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Resolves when the plan has nothing left to do; its results are in the plan. */
  run(job: PooledJob, { signal, onProgress }: RunOptions = {}): Promise<void> {
    if (this.fault) return Promise.reject(this.fault);
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const abort = (): void => this.close(open, () => reject(signal!.reason));
      const end = (settle: () => void) => () => {
        signal?.removeEventListener('abort', abort);
        settle();
      };
      const open: OpenJob = {
        ...{ kind: job.kind, plan: job.plan, shared: job.shared },
        ...{ underWay: 0, unitTime: 0, error: null, isClosed: false },
        onProgress: () => onProgress?.(job.plan.total > 0 ? job.plan.done / job.plan.total : 1),
        resolve: end(resolve),
        reject: (cause) => end(() => reject(cause))(),
      };
      signal?.addEventListener('abort', abort);
      this.jobs.push(open);
      if (open.plan.width === 0) open.onProgress();
      this.settle(open);
      this.assign();
    });
  }

  dispose(): void {
    if (this.fault) return;
    this.fault = new ParallelError(`${this.options.name}: disposed, expected a live one`, -1);
    for (const seat of this.seats) this.retire(seat);
    const { seats } = this;
    this.seats = [];
    for (const job of [...this.jobs]) this.close(job, () => job.reject(this.fault));
    for (const { starting } of seats) starting?.reject(this.fault);
  }

  /** A further worker, which has this when the promise resolves. */
  private async open(kind: string, shared: object): Promise<void> {
    const seat: Seat = {
      ...{ number: this.seatCount++, handle: null, shares: [], starting: null, task: null, isGone: false },
      cancelTimer: () => undefined,
    };
    this.seats.push(seat);
    const ready = this.expect(seat);
    startWorker<ToWorker, FromWorker>(this.options.script, {
      onMessage: (message) => this.receive(seat, message),
      onFailure: (cause) => this.lose(seat, cause),
    }).then(
      (handle) => {
        seat.handle = handle;
        if (seat.isGone) handle.terminate();
        else this.send(seat, kind, shared);
      },
      (cause: Error) => this.lose(seat, cause),
    );
    return ready;
  }

  /** Resolves when the worker says that it is ready. */
  private expect(seat: Seat): Promise<void> {
    const ready = new Promise<void>((resolve, reject) => {
      seat.starting = { resolve, reject };
    });
    // Failures may come before anyone waits.
    ready.catch(() => undefined);
    return ready;
  }

  private send(seat: Seat, kind: string, shared: object): void {
    const share = numberOf(shared);
    while (seat.shares.length >= MOST_SHARES) seat.handle!.post({ type: 'drop', share: seat.shares.shift()! });
    seat.shares.push(share);
    this.post(seat, { type: 'start', share, kind, shared }, this.options.limits.startTimeoutMs);
  }

  private post(seat: Seat, message: ToWorker, milliseconds: number): void {
    seat.handle!.hold(true);
    seat.cancelTimer = startTimer(milliseconds, () => this.lose(seat, new Error(describeSilence(milliseconds))));
    try {
      seat.handle!.post(message);
    } catch (error) {
      this.lose(seat, error as Error);
    }
  }

  /** Gives idle workers something to do, and starts workers while there is more. */
  private assign(): void {
    if (this.fault) return;
    for (const seat of [...this.seats])
      if (seat.handle && !seat.starting && !seat.task && !seat.isGone) this.give(seat);
    for (const job of this.jobs) {
      const waiting = this.seats.filter(({ starting }) => starting).length;
      const wanted = Math.ceil(this.widthOf(job) / this.unitsFor(job)) - waiting;
      for (let i = 0; i < wanted && this.seats.length < this.workers; i++)
        this.prepare(job, this.open(job.kind, job.shared));
    }
  }

  private widthOf({ plan, error }: OpenJob): number {
    return error ? 0 : plan.width;
  }

  private prepare(job: OpenJob, ready: Promise<void>): void {
    ready.then(
      () => this.assign(),
      (error) => {
        this.close(job, () => job.reject(error));
        this.assign();
      },
    );
  }

  private give(seat: Seat): void {
    for (const job of [...this.jobs]) {
      if (this.widthOf(job) === 0) continue;
      const share = numberOf(job.shared);
      const at = seat.shares.indexOf(share);
      if (at < 0) {
        const ready = this.expect(seat);
        this.send(seat, job.kind, job.shared);
        this.prepare(job, ready);
        return;
      }
      const task = job.plan.take(this.unitsFor(job), seat.number);
      if (task === null) continue;
      seat.shares.push(...seat.shares.splice(at, 1));
      // Behind the others: jobs take turns.
      this.jobs.push(...this.jobs.splice(this.jobs.indexOf(job), 1));
      job.underWay++;
      seat.task = { job, task, since: performance.now() };
      this.post(seat, { type: 'run', id: this.taskCount++, share, task }, this.options.limits.answerTimeoutMs);
      return;
    }
  }

  private unitsFor({ plan, unitTime }: OpenJob): number {
    const even = Math.ceil((plan.total - plan.done) / (2 * this.workers));
    const [least, most] = unitTime > 0 ? [LEAST_TASK_TIME / unitTime, TASK_TIME / unitTime] : [1, FIRST_UNITS];
    return Math.max(Math.floor(Math.min(Math.max(even, least), most)), 1);
  }

  private receive(seat: Seat, message: FromWorker): void {
    if (seat.isGone) return;
    seat.cancelTimer();
    seat.handle!.hold(false);
    const { starting, task: work } = seat;
    seat.starting = null;
    seat.task = null;
    if (message.type === 'ready') starting?.resolve();
    else if (message.type === 'failed') {
      seat.shares.pop();
      starting?.reject(
        new ParallelError(`${this.options.name}: a worker could not take the job: ${message.message}`, -1),
      );
      return;
    } else if (work) this.takeIn(work, message);
    this.assign();
  }

  private takeIn(
    { job, task, since }: NonNullable<Seat['task']>,
    message: Extract<FromWorker, { type: 'done' | 'error' }>,
  ): void {
    if (job.isClosed) return;
    const { plan } = job;
    job.underWay--;
    try {
      if (message.type === 'error') {
        const { name, index } = plan.nameOf(task, message.index);
        const error = new ParallelError(`${name}: ${message.message}`, index);
        if (!job.error || index < job.error.index) job.error = error;
      } else {
        const { milliseconds = performance.now() - since } = message;
        const time = milliseconds / plan.unitsOf(task);
        job.unitTime = job.unitTime > 0 ? 0.5 * (job.unitTime + time) : time;
        plan.merge(task, message.result);
        job.onProgress();
      }
      this.settle(job);
    } catch (error) {
      this.close(job, () => job.reject(error));
    }
  }

  /** Ends a job that has nothing under way and nothing left. */
  private settle(job: OpenJob): void {
    if (job.isClosed || job.underWay > 0 || this.widthOf(job) > 0) return;
    this.close(job, () => (job.error ? job.reject(job.error) : job.resolve()));
  }

  private close(job: OpenJob, tell: () => void): void {
    if (job.isClosed) return;
    job.isClosed = true;
    this.jobs = this.jobs.filter((other) => other !== job);
    tell();
  }

  private retire(seat: Seat): void {
    seat.isGone = true;
    seat.cancelTimer();
    seat.handle?.terminate();
  }

  private lose(seat: Seat, cause: Error): void {
    if (seat.isGone) return;
    const { starting, task: work } = seat;
    this.retire(seat);
    this.seats = this.seats.filter((other) => other !== seat);
    const where = seat.handle ? `worker ${seat.handle.url}` : 'worker';
    const during = work ? ` while it ${work.job.plan.describe(work.task)}` : '';
    const error = new ParallelError(`${this.options.name}: ${where} failed${during}: ${cause.message}`, -1, cause);
    starting?.reject(error);
    if (work) this.close(work.job, () => work.job.reject(error));
    // Who waited for it goes on when the failure has reached its job.
    if (!starting) this.assign();
  }
}

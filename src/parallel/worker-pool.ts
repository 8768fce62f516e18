/**
 * A pool of workers that hold copies of one scene, and a queue of jobs for them.
 *
 * Method: a batch is cut into pieces, idle workers take the next one, answers are put in place by their index. The first
 * failing query by index, not by time, is the one that is told: pieces behind a failure are not begun, pieces before it are
 * waited for. A worker that dies, or does not answer within its time, fails the batches it works on and the pool.
 */
import type { SceneAnswers, SceneJob } from '../scene/transfer/batch.js';
import type { PackedScene } from '../scene/transfer/pack-scene.js';
import type { FromWorker, ToWorker } from './messages.js';
import { startWorker, type WorkerHandle, type WorkerKind } from './start-worker.js';
import { describeSilence, startTimer, type WorkerTimeLimits } from './time-limit.js';

/** A query, or a worker, failed. */
export class ParallelError extends Error {
  override name = 'ParallelError';
  /** Index of the query in its batch; -1 when no single query is to blame. */
  readonly index: number;

  constructor(message: string, index: number, cause?: unknown) {
    super(message, { cause });
    this.index = index;
  }
}

const SCENE_WORKER: WorkerKind = {
  file: './scene-worker.js',
  createWebWorker: () => new Worker(new URL('./scene-worker.js', import.meta.url), { type: 'module' }),
};

interface Piece {
  readonly job: SceneJob;
  /** Index of its first query in the batch. */
  readonly first: number;
  readonly configurations: Float64Array;
  readonly batch: Batch;
}

interface Batch {
  readonly answers: (SceneAnswers | undefined)[];
  readonly starts: number[];
  pending: number;
  error: ParallelError | null;
  settle(): void;
}

interface Seat {
  handle: WorkerHandle<ToWorker> | null;
  piece: Piece | null;
  ready(): void;
  refuse(cause: Error): void;
  /** Ends the limit of what it is waited for. */
  cancelTimer(): void;
}

export interface PoolOptions {
  readonly workers: number;
  readonly script: string | URL | undefined;
  readonly scene: PackedScene;
  readonly robot: number;
  readonly limits: Required<WorkerTimeLimits>;
}

export class WorkerPool {
  readonly size: number;
  private readonly seats: Seat[] = [];
  private queue: Piece[] = [];
  private fault: ParallelError | null = null;
  private answerTimeoutMs = Infinity;

  constructor(size: number) {
    this.size = size;
  }

  /** Resolves when every worker has its copy of the scene; rejects with the script's URL and the cause. */
  async start({ script, scene, robot, limits }: PoolOptions): Promise<void> {
    this.answerTimeoutMs = limits.answerTimeoutMs;
    const starting = Array.from({ length: this.size }, async () => {
      const seat: Seat = {
        handle: null,
        piece: null,
        ready: () => undefined,
        refuse: () => undefined,
        cancelTimer: () => undefined,
      };
      this.seats.push(seat);
      const started = new Promise<void>((resolve, reject) => {
        seat.ready = resolve;
        seat.refuse = reject;
      });
      // Failures may come before anyone waits.
      started.catch(() => undefined);
      const starting = startWorker<ToWorker, FromWorker>(SCENE_WORKER, script, {
        onMessage: (message) => this.receive(seat, message),
        onFailure: (cause) => this.lose(seat, cause),
      });
      const handle = await starting.catch((cause: Error) => {
        throw new ParallelError(`createParallelScene: a worker did not start: ${cause.message}`, -1, cause);
      });
      seat.handle = handle;
      if (this.fault) {
        handle.terminate();
        throw this.fault;
      }
      this.limit(seat, limits.startTimeoutMs);
      handle.post({ type: 'start', scene, robot });
      await started;
      handle.hold(false);
    });
    try {
      await Promise.all(starting);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Answers in the order of the pieces; `starts` are their first indices. */
  run(
    job: SceneJob,
    pieces: readonly { readonly first: number; readonly configurations: Float64Array }[],
  ): Promise<SceneAnswers[]> {
    if (this.fault) return Promise.reject(this.fault);
    return new Promise((resolve, reject) => {
      const batch: Batch = {
        answers: new Array(pieces.length),
        starts: pieces.map(({ first }) => first),
        pending: pieces.length,
        error: null,
        settle: () => (batch.error ? reject(batch.error) : resolve(batch.answers as SceneAnswers[])),
      };
      for (const piece of pieces) this.queue.push({ ...piece, job, batch });
      this.assign();
    });
  }

  private limit(seat: Seat, milliseconds: number): void {
    seat.cancelTimer = startTimer(milliseconds, () => this.lose(seat, new Error(describeSilence(milliseconds))));
  }

  private assign(): void {
    for (const seat of this.seats) {
      if (this.queue.length === 0) return;
      if (seat.piece || !seat.handle) continue;
      const piece = this.queue.shift()!;
      seat.piece = piece;
      seat.handle.hold(true);
      this.limit(seat, this.answerTimeoutMs);
      const { job, configurations, first } = piece;
      seat.handle.post({ type: 'run', id: first, job, configurations }, [configurations.buffer as ArrayBuffer]);
    }
  }

  private receive(seat: Seat, message: FromWorker): void {
    seat.cancelTimer();
    if (message.type === 'ready' || message.type === 'failed') {
      if (message.type === 'ready') seat.ready();
      else seat.refuse(new Error(`createParallelScene: a worker could not take the scene: ${message.message}`));
      return;
    }
    const piece = seat.piece!;
    const { batch } = piece;
    seat.piece = null;
    seat.handle?.hold(false);
    batch.pending--;
    if (message.type === 'done') batch.answers[batch.starts.indexOf(piece.first)] = message.answers;
    else
      this.fail(
        batch,
        new ParallelError(`query ${piece.first + message.index}: ${message.message}`, piece.first + message.index),
      );
    if (batch.pending === 0) batch.settle();
    this.assign();
  }

  /** Notes the failure with the lowest index; pieces behind it need not be begun. */
  private fail(batch: Batch, error: ParallelError): void {
    if (!batch.error || error.index < batch.error.index) batch.error = error;
    this.queue = this.queue.filter((piece) => {
      const keep = piece.batch !== batch || piece.first < batch.error!.index;
      if (!keep) batch.pending--;
      return keep;
    });
  }

  private lose(seat: Seat, cause: Error): void {
    const where = seat.handle ? `worker ${seat.handle.url}` : 'worker';
    const during = seat.piece ? ` while it answered queries ${seat.piece.first} and following` : '';
    const error = new ParallelError(`createParallelScene: ${where} failed${during}: ${cause.message}`, -1, cause);
    seat.refuse(error);
    this.end(error);
  }

  private end(error: ParallelError): void {
    if (this.fault) return;
    this.fault = error;
    const batches = new Set<Batch>();
    for (const { piece } of this.seats) if (piece) batches.add(piece.batch);
    for (const { batch } of this.queue) batches.add(batch);
    this.queue = [];
    for (const seat of this.seats) {
      seat.piece = null;
      seat.cancelTimer();
      seat.handle?.terminate();
    }
    for (const batch of batches) {
      batch.error = error;
      batch.settle();
    }
  }

  dispose(): void {
    this.end(new ParallelError('parallel scene: disposed, expected a live one', -1));
  }
}

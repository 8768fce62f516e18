/**
 * Replica exchange on several processors: one worker for each replica, the temperature ladder here.
 *
 * A round is one message to every worker; it answers with its state, some kilobytes, and its energy. Runs, swaps and states
 * are those of `ReplicaExchange` in one thread, bit for bit, so that a state may go on in either.
 * Method and source: molecule/monte-carlo/replica-exchange.ts. Cost: a worker's start takes tens of milliseconds, a message
 * about 0.1 ms; rounds of some hundred steps hide it. Policy: as the scene pool, `worker-src 'self'`.
 * Checked by test/contract/parallel-replicas.test.ts against one thread.
 */
import { type Fields, requireFields, unchecked } from '../math/arguments.js';
import type { MonteCarloState } from '../molecule/monte-carlo/monte-carlo.js';
import {
  type ReplicaExchangeState,
  requireReplicas,
  requireRounds,
  splitRounds,
  type TemperatureLadder,
} from '../molecule/monte-carlo/replica-exchange.js';
import { requireSetup, type SimulationSetup } from '../molecule/monte-carlo/simulation-setup.js';
import type { FromReplica, ToReplica } from './replica-worker.js';
import { startWorker, type WorkerHandle, type WorkerKind } from './start-worker.js';
import { describeSilence, readLimits, startTimer, WORKER_OPTIONS, type WorkerTimeLimits } from './time-limit.js';
import { ParallelError } from './worker-pool.js';

export interface ParallelReplicas {
  /** Steps done by each replica. */
  readonly step: number;
  /** State of the replica that has the lowest temperature now. */
  readonly coldest: MonteCarloState;
  /** Every replica does so many steps, with the swaps that fall between them. Rejects with a ParallelError. */
  run(steps: number): Promise<void>;
  save(): ReplicaExchangeState;
  restore(state: ReplicaExchangeState): Promise<void>;
  /** Ends the workers; a run under way is rejected. */
  dispose(): void;
}

/** `answerTimeoutMs`: for one round, default an hour. */
export interface ParallelReplicasOptions extends WorkerTimeLimits {
  /** Steps between exchanges. */
  readonly roundSteps: number;
  /** The worker's script where it does not lie beside this module. */
  readonly script?: string | URL;
}

const OPTIONS: Fields = { roundSteps: unchecked, ...WORKER_OPTIONS };

const ANSWER_TIMEOUT = 3_600_000;

const REPLICA_WORKER: WorkerKind = {
  file: './replica-worker.js',
  createWebWorker: () => new Worker(new URL('./replica-worker.js', import.meta.url), { type: 'module' }),
};

/** A replica in its worker, and where it stands. */
class Seat {
  state: MonteCarloState | null = null;
  energy = 0;
  private handle: WorkerHandle<ToReplica> | null = null;
  private fault: Error | null = null;
  private resolve: () => void = () => undefined;
  private reject: (cause: Error) => void = () => undefined;

  private cancelTimer: () => void = () => undefined;

  constructor(
    private readonly index: number,
    private readonly limits: Required<WorkerTimeLimits>,
  ) {}

  async start(script: string | URL | undefined, setup: SimulationSetup): Promise<void> {
    const starting = startWorker<ToReplica, FromReplica>(REPLICA_WORKER, script, {
      onMessage: (message) => {
        this.cancelTimer();
        if (message.type === 'failed')
          return this.reject(new ParallelError(`replica ${this.index}: ${message.message}`, this.index));
        this.state = message.state;
        this.energy = message.energy;
        this.handle!.hold(false);
        this.resolve();
      },
      onFailure: (cause) =>
        this.fail(new ParallelError(`replica ${this.index}: its worker failed: ${cause.message}`, this.index, cause)),
    });
    this.handle = await starting.catch((cause: Error) => {
      throw new ParallelError(`replica ${this.index}: its worker did not start: ${cause.message}`, this.index, cause);
    });
    if (this.fault) this.handle.terminate();
    await this.ask({ type: 'start', setup }, this.limits.startTimeoutMs);
  }

  /** Resolves when the worker has answered. */
  ask(message: ToReplica, timeoutMs = this.limits.answerTimeoutMs): Promise<void> {
    if (this.fault) return Promise.reject(this.fault);
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.handle!.hold(true);
      this.cancelTimer = startTimer(timeoutMs, () => {
        const { url } = this.handle!;
        const text = `replica ${this.index}: its worker ${url} failed: ${describeSilence(timeoutMs)}`;
        this.fail(new ParallelError(text, this.index));
      });
      this.handle!.post(message);
    });
  }

  fail(cause: Error): void {
    this.fault ??= cause;
    this.cancelTimer();
    this.handle?.terminate();
    this.reject(this.fault);
  }
}

/**
 * One setup per rung of the ladder; their temperatures give way to the ladder's. Rejects with a ParallelError when a worker
 * or its simulation does not start; throws RangeError for setups or steps that do not fit.
 */
export async function createParallelReplicas(
  setups: readonly SimulationSetup[],
  ladder: TemperatureLadder,
  options: ParallelReplicasOptions,
): Promise<ParallelReplicas> {
  requireFields('createParallelReplicas', 'options', options, OPTIONS);
  const { roundSteps, script } = options;
  const limits = readLimits(options, ANSWER_TIMEOUT);
  requireRounds('createParallelReplicas', 'setups', setups, ladder, roundSteps);
  setups.forEach((setup, i) => {
    requireSetup('createParallelReplicas', `setups[${i}]`, setup);
  });
  const seats = setups.map((_, i) => new Seat(i, limits));
  const dispose = (): void => {
    for (const seat of seats) seat.fail(new ParallelError('parallel replicas: disposed, expected live ones', -1));
  };
  try {
    await Promise.all(seats.map((seat, i) => seat.start(script, setups[i])));
  } catch (error) {
    dispose();
    throw error;
  }
  const temperatureOf = (replica: number): number =>
    ladder.temperatures[ladder.temperatures.findIndex((_, rung) => ladder.replicaAt(rung) === replica)];
  const stateOf = (replica: number): MonteCarloState => seats[replica].state!;
  return {
    get step() {
      return stateOf(0).step;
    },
    get coldest() {
      return stateOf(ladder.replicaAt(0));
    },
    run: async (steps) => {
      for (const { count, swaps } of splitRounds(stateOf(0).step, steps, roundSteps)) {
        await Promise.all(
          seats.map((seat, i) => seat.ask({ type: 'run', steps: count, temperature: temperatureOf(i) })),
        );
        if (swaps) ladder.exchange(seats.map(({ energy }) => energy));
      }
    },
    save: () => ({ ladder: ladder.save(), replicas: seats.map((_, i) => stateOf(i)) }),
    restore: async (state) => {
      requireReplicas(state, seats.length);
      ladder.restore(state.ladder);
      await Promise.all(
        seats.map((seat, i) => seat.ask({ type: 'restore', state: state.replicas[i], temperature: temperatureOf(i) })),
      );
    },
    dispose,
  };
}

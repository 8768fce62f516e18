/**
 * Replica exchange on several processors: replicas in workers, the temperature ladder here.
 *
 * Runs are jobs (kinds/replicas.ts) that nobody asks for their hash: a message takes a replica's state, some kilobytes, there
 * and back. Runs, swaps and states are those of `ReplicaExchange` in one thread, bit for bit, so that a state may go on in either.
 * Method and source: molecule/monte-carlo/replica-exchange.ts. Cost: a worker's start takes some hundred milliseconds, a message
 * about 0.1 ms; rounds of some hundred steps hide it. Policy: as the scene pool, `worker-src 'self'`.
 * Checked by test/contract/parallel-replicas.test.ts against one thread.
 */
import { type Fields, requireCount, requireFields, requireOptions, unchecked } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { MonteCarloState } from '../molecule/monte-carlo/monte-carlo.js';
import {
  type ReplicaExchangeState,
  requireReplicas,
  requireRounds,
  type TemperatureLadder,
} from '../molecule/monte-carlo/replica-exchange.js';
import { requireSetup, type SimulationSetup } from '../molecule/monte-carlo/simulation-setup.js';
import { RUN_OPTIONS } from './job.js';
import { createWorkerPool, type JobPoolOptions, POOL_OPTIONS } from './job-pool.js';
import { ReplicasPlan, type ReplicasState, shareSetups } from './kinds/replicas.js';
import type { RunOptions } from './worker-pool.js';

export interface ParallelReplicas {
  /** Steps done by each replica. */
  readonly step: number;
  /** State of the replica that has the lowest temperature now. */
  readonly coldest: MonteCarloState;
  /** Every replica does so many steps, with the swaps that fall between them. Rejects with a ParallelError. */
  run(steps: number, options?: RunOptions): Promise<void>;
  save(): ReplicaExchangeState;
  restore(state: ReplicaExchangeState): Promise<void>;
  /** Ends the workers; a run under way is rejected. */
  dispose(): void;
}

/** `workers`: default one for each replica, but one less than the processors, at most 8. */
export interface ParallelReplicasOptions extends JobPoolOptions {
  /** Steps between exchanges. */
  readonly roundSteps: number;
}

const OPTIONS: Fields = { roundSteps: unchecked, ...POOL_OPTIONS };

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
  const { roundSteps } = options;
  requireRounds('createParallelReplicas', 'setups', setups, ladder, roundSteps);
  setups.forEach((setup, i) => {
    requireSetup('createParallelReplicas', `setups[${i}]`, setup);
  });
  const shared = shareSetups(setups);
  const { temperatures } = ladder;
  const none = temperatures.map(() => null);
  let state: ReplicasState = { ladder: ladder.save(), replicas: none, energies: none };
  let isRunning = false;
  const pool = await createWorkerPool('createParallelReplicas', options, setups.length);

  const work = async (
    call: string,
    from: ReplicasState,
    steps: number,
    isNew: boolean,
    how?: RunOptions,
  ): Promise<void> => {
    if (isRunning)
      throw new MisuseError(`${call}: replicas, got ones that run, expected ones at rest: wait for the run`);
    const plan = new ReplicasPlan({ shared, temperatures, roundSteps, steps }, 0, from);
    if (isNew) plan.reopen();
    isRunning = true;
    try {
      await pool.run({ kind: 'replicas', plan, shared }, how);
    } finally {
      isRunning = false;
      // What is done stays done, whatever ended the run, unless it is a state that nobody has taken.
      if (!isNew || plan.width === 0) state = plan.save();
      ladder.restore(state.ladder);
    }
  };
  try {
    await pool.start('replicas', shared);
    await work('createParallelReplicas', state, 0, true);
  } catch (error) {
    pool.dispose();
    throw error;
  }
  const stepOf = (): number => Math.min(...state.replicas.map((replica) => replica!.step));
  return {
    get step() {
      return stepOf();
    },
    get coldest() {
      return state.replicas[ladder.replicaAt(0)]!;
    },
    run: async (steps, how) => {
      requireCount('run', 'steps', steps);
      requireOptions('run', how, RUN_OPTIONS);
      await work('run', state, stepOf() + steps, false, how);
    },
    save: () => ({ ladder: state.ladder, replicas: state.replicas as MonteCarloState[] }),
    restore: async (given) => {
      requireReplicas(given, setups.length);
      const steps = Math.max(...given.replicas.map(({ step }) => step));
      await work('restore', { ...given, energies: none }, steps, true);
    },
    dispose: () => pool.dispose(),
  };
}

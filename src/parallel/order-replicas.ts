/** Replica exchange as a job that can be sent. */
import { type Fields, requireCount, requireFields, requireList } from '../math/arguments.js';
import { requireRandomSeed } from '../molecule/monte-carlo/monte-carlo.js';
import { requireRounds, TemperatureLadder } from '../molecule/monte-carlo/replica-exchange.js';
import { requireSetup, type SimulationSetup } from '../molecule/monte-carlo/simulation-setup.js';
import { createOrder, type JobOrder } from './job-order.js';
import { type ReplicasOutput, replicas, shareSetups } from './kinds/replicas.js';

export interface ReplicaOrderOptions {
  /** Steps between exchanges. */
  readonly roundSteps: number;
  /** Steps of each replica. */
  readonly steps: number;
  /** Of the exchanges; every setup has its own. */
  readonly seed: number;
}

const OPTIONS: Fields = {
  roundSteps: (call, what, value) => requireCount(call, what, value, 1),
  steps: requireCount,
  seed: requireRandomSeed,
};

/**
 * One setup per temperature, in kelvin, which gives way to the ladder's. The job's output is where every replica stands after
 * the last step: what `createReplicaExchange` would save. Throws MisuseError for setups or temperatures that do not fit.
 */
export function orderReplicas(
  setups: readonly SimulationSetup[],
  temperatures: readonly number[],
  options: ReplicaOrderOptions,
): JobOrder<ReplicasOutput> {
  requireFields('orderReplicas', 'options', options, OPTIONS);
  for (const key of ['roundSteps', 'steps', 'seed'] as const)
    OPTIONS[key]('orderReplicas', `options.${key}`, options[key]);
  const { roundSteps, steps, seed } = options;
  requireList('orderReplicas', 'temperatures', temperatures);
  requireRounds('orderReplicas', 'setups', setups, new TemperatureLadder(temperatures, seed), roundSteps);
  setups.forEach((setup, i) => {
    requireSetup('orderReplicas', `setups[${i}]`, setup);
  });
  const input = { shared: shareSetups(setups), temperatures: [...temperatures], roundSteps, steps };
  return createOrder('orderReplicas', replicas, seed, input);
}

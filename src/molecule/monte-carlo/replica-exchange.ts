/**
 * Replica exchange: simulations of one protein at several temperatures that now and then swap temperatures.
 *
 * Method: every replica runs a round of steps; then neighbours on the ladder, from its first or second rung in turn,
 * swap temperatures with probability min(1, exp((1/kT_a - 1/kT_b) (E_a - E_b))), which keeps the product of the Boltzmann
 * distributions. Temperatures move and conformations stay, so a swap costs nothing, wherever the replicas run.
 * Source: Swendsen, Wang 1986, "Replica Monte Carlo simulation of spin-glasses", doi:10.1103/PhysRevLett.57.2607; Sugita,
 * Okamoto 1999, "Replica-exchange molecular dynamics method for protein folding", doi:10.1016/S0009-2614(99)01123-9.
 * The ladder and its generator are the whole state beside the replicas'. Kelvin, kcal/mol.
 * Checked by replica-exchange.test.ts: two levels, exchange rates, resumption.
 */
import {
  requireArray,
  requireCount,
  requireIndex,
  requireInstance,
  requireList,
  requireNumbers,
  requirePositiveNumber,
  throwMisuse,
} from '../../math/arguments.js';
import { listValues } from '../../math/known-keys.js';
import { MisuseError } from '../../math/misuse.js';
import { createRandom, type SeededRandom } from '../../math/random.js';
import { exp, log } from '../../math/scalar.js';
import { MonteCarlo, type MonteCarloState, requireRandomSeed, requireState } from './monte-carlo.js';
import { BOLTZMANN } from './temperature.js';

export interface LadderState {
  readonly rounds: number;
  /** Replica on each rung. */
  readonly replicaOf: readonly number[];
  readonly random: readonly number[];
  /** Swaps tried and done between each rung and the next. */
  readonly tried: readonly number[];
  readonly done: readonly number[];
}

/** Which replica has which temperature. It sees energies only, so the replicas may run anywhere. */
export class TemperatureLadder {
  /** Rounds of exchanges so far. */
  rounds = 0;
  private readonly replicaOf: number[];
  private readonly random: SeededRandom;
  private tried: number[];
  private done: number[];

  /** `temperatures`: by rung, kelvin. Throws RangeError unless there are two or more, all positive. */
  constructor(
    readonly temperatures: readonly number[],
    seed: number,
  ) {
    requireList('createTemperatureLadder', 'temperatures', temperatures, 'a list of temperatures, kelvin');
    if (temperatures.length < 2 || !temperatures.every((kelvin) => Number.isFinite(kelvin) && kelvin > 0))
      throw new MisuseError(
        `createTemperatureLadder: temperatures, got ${listValues(temperatures) || 'none'}, expected two or more above 0`,
      );
    requireRandomSeed('createTemperatureLadder', 'seed', seed);
    this.replicaOf = temperatures.map((_, rung) => rung);
    this.random = createRandom(seed);
    this.tried = temperatures.slice(1).map(() => 0);
    this.done = temperatures.slice(1).map(() => 0);
  }

  /** Replica at a temperature, by rung. */
  replicaAt(rung: number): number {
    requireIndex('replicaAt', 'rung', rung, this.replicaOf.length);
    return this.replicaOf[rung];
  }

  /** One round of swaps; `energies` by replica, kcal/mol. */
  exchange(energies: ArrayLike<number>): void {
    requireNumbers('exchange', 'energies', energies, this.temperatures.length);
    for (let rung = this.rounds % 2; rung + 1 < this.temperatures.length; rung += 2) {
      const [a, b] = [this.replicaOf[rung], this.replicaOf[rung + 1]];
      const inverse = 1 / this.temperatures[rung] - 1 / this.temperatures[rung + 1];
      const exponent = (inverse * (energies[a] - energies[b])) / BOLTZMANN;
      this.tried[rung]++;
      if (!(exponent >= 0 || this.random.next() < exp(exponent))) continue;
      this.done[rung]++;
      this.replicaOf[rung] = b;
      this.replicaOf[rung + 1] = a;
    }
    this.rounds++;
  }

  /** Share of the swaps between a rung and the next that were done; null before the first. */
  exchangeRates(): (number | null)[] {
    return this.tried.map((tried, rung) => (tried > 0 ? this.done[rung] / tried : null));
  }

  save(): LadderState {
    const { rounds, replicaOf, tried, done } = this;
    return { rounds, replicaOf: [...replicaOf], random: this.random.saveState(), tried: [...tried], done: [...done] };
  }

  /** Throws RangeError for the state of another ladder. */
  restore(state: LadderState): void {
    const { rounds, replicaOf, random, tried, done } = (state ?? {}) as LadderState;
    const count = this.replicaOf.length;
    if (!Number.isSafeInteger(rounds)) throwMisuse('restore', 'state', state, 'what save() returned');
    requireNumbers('restore', 'replicaOf', replicaOf);
    requireArray('restore', 'random', random);
    requireNumbers('restore', 'tried', tried, count - 1);
    requireNumbers('restore', 'done', done, count - 1);
    const sorted = [...replicaOf].sort((a, b) => a - b);
    if (sorted.length !== count || sorted.some((replica, i) => replica !== i)) {
      throw new MisuseError(`restore: replicaOf, got ${replicaOf}, expected 0 to ${count - 1} in any order`);
    }
    this.rounds = rounds;
    this.replicaOf.splice(0, count, ...replicaOf);
    this.random.restoreState(random);
    this.tried = [...tried];
    this.done = [...done];
  }
}

/** `count` temperatures from the lowest to the highest, each the same factor above the one before. */
export function spaceTemperatures(lowest: number, highest: number, count: number): number[] {
  requirePositiveNumber('spaceTemperatures', 'lowest', lowest);
  requirePositiveNumber('spaceTemperatures', 'highest', highest);
  requireCount('spaceTemperatures', 'count', count);
  return Array.from({ length: count }, (_, i) =>
    i === count - 1 ? highest : lowest * exp((i / Math.max(1, count - 1)) * log(highest / lowest)),
  );
}

export interface ReplicaExchangeState {
  readonly ladder: LadderState;
  readonly replicas: readonly MonteCarloState[];
}

/** Throws RangeError unless there is one of `what` for each rung, and steps between swaps. */
export function requireRounds(
  call: string,
  what: string,
  list: unknown,
  ladder: TemperatureLadder,
  roundSteps: unknown,
): void {
  requireList(call, what, list, `a list of ${what}`);
  requireInstance(call, 'ladder', ladder, TemperatureLadder, 'a TemperatureLadder');
  const rungs = ladder.temperatures.length;
  if (list.length !== rungs)
    throw new MisuseError(`${call}: ${what}, got ${list.length}, expected one for each of ${rungs} rungs`);
  if (!(Number.isSafeInteger(roundSteps) && (roundSteps as number) > 0))
    throwMisuse(call, 'roundSteps', roundSteps, 'a positive integer');
}

/** Throws RangeError for the state of another number of replicas. */
export function requireReplicas(state: ReplicaExchangeState, count: number): void {
  const { replicas } = (state ?? {}) as ReplicaExchangeState;
  requireList('restore', 'replicas', replicas, 'what save() returned');
  if (replicas.length !== count) throw new MisuseError(`restore: replicas, got ${replicas.length}, expected ${count}`);
  replicas.forEach((replica, i) => {
    requireState('restore', `replicas[${i}]`, replica);
  });
}

/** A run from `step` on in stretches, and after which of them swaps fall due: any split of a run gives the same swaps. */
export function* splitRounds(
  step: number,
  steps: number,
  roundSteps: number,
): Generator<{ readonly count: number; readonly swaps: boolean }> {
  for (let at = step; at < step + steps; ) {
    const count = Math.min(step + steps - at, roundSteps - (at % roundSteps));
    at += count;
    yield { count, swaps: at % roundSteps === 0 };
  }
}

/** Replicas in this thread, by number; they are given the ladder's temperatures. */
export class ReplicaExchange {
  private readonly energies: Float64Array;

  /** Neighbours may swap after every `roundSteps` steps. Throws RangeError unless there is a replica for each rung. */
  constructor(
    readonly replicas: readonly MonteCarlo[],
    readonly ladder: TemperatureLadder,
    readonly roundSteps: number,
  ) {
    requireRounds('createReplicaExchange', 'replicas', replicas, ladder, roundSteps);
    replicas.forEach((replica, i) => {
      requireInstance('createReplicaExchange', `replicas[${i}]`, replica, MonteCarlo, 'a MonteCarlo');
    });
    this.energies = new Float64Array(replicas.length);
    this.setTemperatures();
  }

  /** Steps done by each replica. */
  get step(): number {
    return this.replicas[0].step;
  }

  /** The replica that has the lowest temperature now. */
  get coldest(): MonteCarlo {
    return this.replicas[this.ladder.replicaAt(0)];
  }

  /** Every replica does so many steps, with the swaps that fall between them; any split of a run gives the same. */
  run(steps: number): void {
    requireCount('run', 'steps', steps);
    for (const { count, swaps } of splitRounds(this.step, steps, this.roundSteps)) {
      for (const replica of this.replicas) replica.run(count);
      if (!swaps) continue;
      this.replicas.forEach((replica, i) => {
        this.energies[i] = replica.energy.total;
      });
      this.ladder.exchange(this.energies);
      this.setTemperatures();
    }
  }

  save(): ReplicaExchangeState {
    return { ladder: this.ladder.save(), replicas: this.replicas.map((replica) => replica.save()) };
  }

  /** Throws RangeError for the state of other replicas. */
  restore(state: ReplicaExchangeState): void {
    requireReplicas(state, this.replicas.length);
    this.ladder.restore(state.ladder);
    state.replicas.forEach((replica, i) => {
      this.replicas[i].restore(replica);
    });
    this.setTemperatures();
  }

  private setTemperatures(): void {
    this.ladder.temperatures.forEach((kelvin, rung) => {
      this.replicas[this.ladder.replicaAt(rung)].setTemperature(kelvin);
    });
  }
}

export function createReplicaExchange(
  replicas: readonly MonteCarlo[],
  ladder: TemperatureLadder,
  roundSteps: number,
): ReplicaExchange {
  return new ReplicaExchange(replicas, ladder, roundSteps);
}

/** Which replica is at which temperature, in kelvin; swaps are drawn from the seed. */
export function createTemperatureLadder(temperatures: readonly number[], seed: number): TemperatureLadder {
  return new TemperatureLadder(temperatures, seed);
}

/**
 * Replica exchange as a job: a unit is a step of one replica, a task some steps of one replica at one temperature.
 *
 * Replicas run apart from each other up to the next exchange; when the last one is there, neighbours on the ladder swap.
 * Method and source: molecule/monte-carlo/replica-exchange.ts, whose runs, swaps and states these are, bit for bit: a state
 * may go on in either. The seed is that of the ladder; every replica has its own. A performer keeps the simulations that it
 * made and takes a state in only where it holds another one. Tested by test/contract/jobs.test.ts and
 * test/contract/parallel-replicas.test.ts against one thread.
 */
import {
  requireCount,
  requireIndex,
  requireList,
  requireNumbers,
  requireObject,
  throwMisuse,
} from '../../math/arguments.js';
import type { Molecule } from '../../molecule/molecule.js';
import { type MonteCarlo, type MonteCarloState, requireState } from '../../molecule/monte-carlo/monte-carlo.js';
import { type LadderState, TemperatureLadder } from '../../molecule/monte-carlo/replica-exchange.js';
import { createSimulation, requireSetup, type SimulationSetup } from '../../molecule/monte-carlo/simulation-setup.js';
import type { JobKind, JobPerformer, JobPlan } from './job-kind.js';

/** A setup whose molecule stands in a list, so that replicas of one protein carry it once. */
export interface ReplicaSetup extends Omit<SimulationSetup, 'molecule'> {
  readonly molecule: number;
}

interface ReplicaShare {
  readonly molecules: readonly Molecule[];
  readonly setups: readonly ReplicaSetup[];
}

export interface ReplicasInput {
  readonly shared: ReplicaShare;
  /** By rung, kelvin; as many as setups. */
  readonly temperatures: readonly number[];
  /** Steps between exchanges. */
  readonly roundSteps: number;
  /** Of each replica, from the start. */
  readonly steps: number;
}

interface ReplicaTask {
  readonly replica: number;
  /** null: as it is made. */
  readonly state: MonteCarloState | null;
  readonly temperature: number;
  readonly steps: number;
}

interface ReplicaResult {
  readonly state: MonteCarloState;
  readonly energy: number;
}

/** What replicas stand at; `energies` in kcal/mol, by replica. */
export interface ReplicasOutput {
  readonly ladder: LadderState;
  readonly replicas: readonly MonteCarloState[];
  readonly energies: readonly number[];
}

/** As the output, with null for replicas that have not begun. */
export interface ReplicasState {
  readonly ladder: LadderState;
  readonly replicas: readonly (MonteCarloState | null)[];
  readonly energies: readonly (number | null)[];
}

export class ReplicasPlan implements JobPlan<ReplicaTask, ReplicaResult, ReplicasOutput> {
  private readonly ladder: TemperatureLadder;
  private readonly replicas: (MonteCarloState | null)[];
  private readonly energies: (number | null)[];
  private readonly isTaken: boolean[];
  /** Replicas that somebody must hold once, even for no step. */
  private readonly isNew: boolean[];
  /** Who had each replica last, -1 for nobody. */
  private readonly seats: number[];

  constructor(
    private readonly input: ReplicasInput,
    seed: number,
    state: unknown,
  ) {
    const count = input.temperatures.length;
    this.ladder = new TemperatureLadder(input.temperatures, seed);
    this.replicas = new Array(count).fill(null);
    this.energies = new Array(count).fill(null);
    this.isTaken = new Array(count).fill(false);
    this.isNew = new Array(count).fill(false);
    this.seats = new Array(count).fill(-1);
    if (state !== null) this.restore(state);
  }

  /** Every replica's state is to be taken by a simulation, which refuses what is none of its own. */
  reopen(): void {
    this.isNew.fill(true);
  }

  /** Making a replica counts as one step more, so that a job of no steps makes them. */
  get total(): number {
    return this.replicas.length * (this.input.steps + 1);
  }

  get done(): number {
    return this.replicas.reduce((sum, state) => sum + (state ? Math.min(state.step, this.input.steps) + 1 : 0), 0);
  }

  get width(): number {
    return this.replicas.filter((_, i) => this.isOpen(i)).length;
  }

  take(units: number, seat: number): ReplicaTask | null {
    const open = [...this.replicas.keys()].filter((i) => this.isOpen(i));
    if (open.length === 0) return null;
    const mine = open.find((i) => this.seats[i] === seat);
    const replica = mine ?? open.find((i) => this.seats[i] < 0) ?? open[0];
    this.isTaken[replica] = true;
    this.seats[replica] = seat;
    const state = this.replicas[replica];
    const rung = this.ladder.temperatures.findIndex((_, i) => this.ladder.replicaAt(i) === replica);
    const steps = Math.max(Math.min(units, this.roundEnd() - (state?.step ?? 0)), 0);
    return { replica, state, temperature: this.ladder.temperatures[rung], steps };
  }

  unitsOf({ steps }: ReplicaTask): number {
    return Math.max(steps, 1);
  }

  merge({ replica }: ReplicaTask, { state, energy }: ReplicaResult): void {
    const end = this.roundEnd();
    const isFurther = state.step > (this.replicas[replica]?.step ?? 0);
    this.isTaken[replica] = false;
    this.isNew[replica] = false;
    this.replicas[replica] = state;
    this.energies[replica] = energy;
    const isRoundOver = end % this.input.roundSteps === 0 && this.replicas.every((each) => each?.step === end);
    // Once for each round: a state that is taken in at its end has swapped.
    if (isFurther && isRoundOver) this.ladder.exchange(this.energies as number[]);
  }

  save(): ReplicasState {
    return { ladder: this.ladder.save(), replicas: [...this.replicas], energies: [...this.energies] };
  }

  output(): ReplicasOutput {
    return this.save() as ReplicasOutput;
  }

  describe({ replica }: ReplicaTask): string {
    return `ran replica ${replica}`;
  }

  nameOf({ replica }: ReplicaTask) {
    return { name: `replica ${replica}`, index: replica };
  }

  /** Steps at which replicas wait for each other: the next exchange, or the end. */
  private roundEnd(): number {
    const { steps, roundSteps } = this.input;
    const least = this.replicas.reduce((step, state) => Math.min(step, state?.step ?? 0), Infinity);
    return Math.min(steps, (Math.floor(least / roundSteps) + 1) * roundSteps);
  }

  private isOpen(replica: number): boolean {
    const state = this.replicas[replica];
    return !this.isTaken[replica] && (state === null || this.isNew[replica] || state.step < this.roundEnd());
  }

  private restore(given: unknown): void {
    const count = this.replicas.length;
    requireObject('resumeJob', 'checkpoint.state', given);
    const { ladder, replicas, energies } = given as ReplicasState;
    for (const [name, list] of Object.entries({ replicas, energies })) {
      requireList('resumeJob', `checkpoint.state.${name}`, list);
      if (list.length !== count)
        throwMisuse('resumeJob', `checkpoint.state.${name}`, list, `one for each of ${count} replicas`);
    }
    this.ladder.restore(ladder);
    replicas.forEach((state, i) => {
      if (state === null) return;
      requireState('resumeJob', `checkpoint.state.replicas[${i}]`, state);
      this.replicas[i] = state;
      this.energies[i] = energies[i];
    });
    requireNumbers(
      'resumeJob',
      'checkpoint.state.energies',
      energies.filter((energy) => energy !== null),
    );
  }
}

class ReplicaPerformer implements JobPerformer<ReplicaTask, ReplicaResult> {
  private readonly simulations = new Map<number, MonteCarlo>();

  constructor(private readonly shared: ReplicaShare) {}

  perform({ replica, state, temperature, steps }: ReplicaTask): ReplicaResult {
    let simulation = this.simulations.get(replica);
    if (!simulation || (state === null && simulation.step > 0))
      simulation = createSimulation(toSetup(this.shared, replica));
    // One that fails half way is no longer what its state says.
    this.simulations.delete(replica);
    if (state !== null && !isSame(simulation.save(), state)) simulation.restore(state);
    simulation.setTemperature(temperature);
    simulation.run(steps);
    this.simulations.set(replica, simulation);
    return { state: simulation.save(), energy: simulation.energy.total };
  }

  dispose(): void {
    this.simulations.clear();
  }
}

function toSetup({ molecules, setups }: ReplicaShare, replica: number): SimulationSetup {
  return { ...setups[replica], molecule: molecules[setups[replica].molecule] };
}

function isSame(a: MonteCarloState, b: MonteCarloState): boolean {
  const are = (x: readonly number[], y: readonly number[]) =>
    x.length === y.length && x.every((value, i) => value === y[i]);
  return a.step === b.step && are(a.random, b.random) && are(a.torsions, b.torsions) && are(a.counts, b.counts);
}

/** The setups as they travel. */
export function shareSetups(setups: readonly SimulationSetup[]): ReplicaShare {
  const molecules = [...new Set(setups.map(({ molecule }) => molecule))];
  return { molecules, setups: setups.map((setup) => ({ ...setup, molecule: molecules.indexOf(setup.molecule) })) };
}

export const replicas: JobKind<ReplicasInput, ReplicaShare, ReplicaTask, ReplicaResult, ReplicasOutput> = {
  name: 'replicas',
  version: 1,
  requireInput: (call, what, input) => {
    requireObject(call, what, input);
    const { shared, temperatures, roundSteps, steps } = input as ReplicasInput;
    requireObject(call, `${what}.shared`, shared);
    requireList(call, `${what}.shared.molecules`, shared.molecules);
    requireList(call, `${what}.shared.setups`, shared.setups);
    shared.setups.forEach((setup, i) => {
      requireObject(call, `${what}.shared.setups[${i}]`, setup);
      requireIndex(call, `${what}.shared.setups[${i}].molecule`, setup.molecule, shared.molecules.length);
      requireSetup(call, `${what}.shared.setups[${i}]`, toSetup(shared, i));
    });
    requireNumbers(call, `${what}.temperatures`, temperatures, shared.setups.length);
    requireCount(call, `${what}.roundSteps`, roundSteps, 1);
    requireCount(call, `${what}.steps`, steps);
  },
  share: ({ shared }) => shared,
  prepare: (shared) => new ReplicaPerformer(shared),
  plan: (input, seed, state) => new ReplicasPlan(input, seed, state),
};

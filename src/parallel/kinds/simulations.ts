/**
 * Independent simulations as a job: a unit is a step of one of them, a task some steps of one.
 *
 * A snapshot is all that a simulation's later steps depend on, so that it goes on anywhere, after any step, to the same bits. Worlds
 * travel as what `createWorld` was asked; those that several simulations share travel once. A performer keeps the simulations that
 * it made and takes a state in only where it holds another one. Controllers are functions and stay behind.
 * Tested by test/contract/jobs.test.ts, against simulations stepped one by one.
 */
import {
  requireCount,
  requireFloats,
  requireIndex,
  requireList,
  requireObject,
  throwMisuse,
} from '../../math/arguments.js';
import { type PackedModel, unpackModel } from '../../model/pack-model.js';
import type { RobotOptions, WorldOptions } from '../../simulation/definition.js';
import { createSimulation, type Simulation } from '../../simulation/simulation.js';
import { restoreSnapshot, takeSnapshot } from '../../simulation/snapshot.js';
import { stepSimulation } from '../../simulation/step.js';
import { createWorld, type World } from '../../simulation/world.js';
import type { JobKind, JobPerformer, JobPlan } from './job-kind.js';

/** A world as it travels. */
export interface PackedWorld extends Omit<WorldOptions, 'robots'> {
  readonly robots: readonly (Omit<RobotOptions, 'model'> & { readonly model: PackedModel })[];
}

interface SimulationShare {
  readonly worlds: readonly PackedWorld[];
}

export interface SimulationsInput {
  readonly shared: SimulationShare;
  /** By simulation: its world, and where it begins; null: at the world's start. */
  readonly worlds: readonly number[];
  readonly starts: readonly (Float64Array | null)[];
  /** Of each. */
  readonly steps: number;
}

interface SimulationTask {
  readonly simulation: number;
  readonly world: number;
  /** null: the world's start. */
  readonly state: Float64Array | null;
  readonly steps: number;
}

interface SimulationsState {
  readonly done: readonly number[];
  readonly states: readonly (Float64Array | null)[];
}

class SimulationsPlan implements JobPlan<SimulationTask, Float64Array, readonly Float64Array[]> {
  private readonly states: (Float64Array | null)[];
  private readonly counts: number[];
  private readonly isTaken: boolean[];
  /** Who had each simulation last, -1 for nobody. */
  private readonly seats: number[];

  constructor(
    private readonly input: SimulationsInput,
    state: unknown,
  ) {
    const count = input.worlds.length;
    this.states = [...input.starts];
    this.counts = new Array(count).fill(0);
    this.isTaken = new Array(count).fill(false);
    this.seats = new Array(count).fill(-1);
    if (state !== null) this.restore(state);
  }

  get total(): number {
    return this.counts.length * this.input.steps;
  }

  get done(): number {
    return this.counts.reduce((sum, steps) => sum + steps, 0);
  }

  get width(): number {
    return this.counts.reduce((sum, _, i) => sum + (this.isOpen(i) ? 1 : 0), 0);
  }

  take(units: number, seat: number): SimulationTask | null {
    let chosen = -1;
    for (let i = 0; i < this.counts.length; i++) {
      if (!this.isOpen(i)) continue;
      if (this.seats[i] === seat) {
        chosen = i;
        break;
      }
      if (chosen < 0 || (this.seats[chosen] >= 0 && this.seats[i] < 0)) chosen = i;
    }
    if (chosen < 0) return null;
    this.isTaken[chosen] = true;
    this.seats[chosen] = seat;
    const steps = Math.min(units, this.input.steps - this.counts[chosen]);
    return { simulation: chosen, world: this.input.worlds[chosen], state: this.states[chosen], steps };
  }

  unitsOf({ steps }: SimulationTask): number {
    return steps;
  }

  merge({ simulation, steps }: SimulationTask, state: Float64Array): void {
    this.isTaken[simulation] = false;
    this.states[simulation] = state;
    this.counts[simulation] += steps;
  }

  save(): SimulationsState {
    return { done: [...this.counts], states: [...this.states] };
  }

  output(): readonly Float64Array[] {
    return this.states as Float64Array[];
  }

  describe({ simulation }: SimulationTask): string {
    return `stepped simulation ${simulation}`;
  }

  nameOf({ simulation }: SimulationTask) {
    return { name: `simulation ${simulation}`, index: simulation };
  }

  private isOpen(i: number): boolean {
    return !this.isTaken[i] && this.counts[i] < this.input.steps;
  }

  private restore(given: unknown): void {
    requireObject('resumeJob', 'checkpoint.state', given);
    const { done, states } = given as SimulationsState;
    for (const [name, list] of Object.entries({ done, states })) {
      requireList('resumeJob', `checkpoint.state.${name}`, list);
      if (list.length !== this.counts.length)
        throwMisuse('resumeJob', `checkpoint.state.${name}`, list, `one for each of ${this.counts.length} simulations`);
    }
    states.forEach((state, i) => {
      requireIndex('resumeJob', `checkpoint.state.done[${i}]`, done[i], this.input.steps + 1);
      if (state !== null) requireFloats('resumeJob', `checkpoint.state.states[${i}]`, state);
      this.states[i] = state;
      this.counts[i] = done[i];
    });
  }
}

class SimulationPerformer implements JobPerformer<SimulationTask, Float64Array> {
  private readonly worlds = new Map<number, World>();
  private readonly simulations = new Map<number, { readonly simulation: Simulation; readonly state: Float64Array }>();

  constructor(private readonly shared: SimulationShare) {}

  perform({ simulation: index, world, state, steps }: SimulationTask): Float64Array {
    const kept = this.simulations.get(index);
    // One that fails half way is no longer what its state says.
    this.simulations.delete(index);
    let simulation = kept?.simulation;
    if (!simulation || state === null || !isSame(kept!.state, state)) {
      simulation = createSimulation(this.worldOf(world));
      if (state !== null) restoreSnapshot(simulation, state);
    }
    stepSimulation(simulation, steps);
    const reached = takeSnapshot(simulation);
    this.simulations.set(index, { simulation, state: reached });
    return reached.slice();
  }

  dispose(): void {
    for (const world of this.worlds.values()) world.dispose();
    this.worlds.clear();
    this.simulations.clear();
  }

  private worldOf(index: number): World {
    const found = this.worlds.get(index) ?? createWorld(unpackWorld(this.shared.worlds[index]));
    this.worlds.set(index, found);
    return found;
  }
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((x, i) => Object.is(x, b[i]));
}

function unpackWorld({ robots, ...rest }: PackedWorld): WorldOptions {
  return {
    ...rest,
    robots: robots.map(({ model, ...robot }) => ({ ...robot, model: unpackModel('createWorld', robot.name, model) })),
  };
}

export const simulations: JobKind<
  SimulationsInput,
  SimulationShare,
  SimulationTask,
  Float64Array,
  readonly Float64Array[]
> = {
  name: 'simulations',
  version: 1,
  requireInput: (call, what, input) => {
    requireObject(call, what, input);
    const { shared, worlds, starts, steps } = input as SimulationsInput;
    requireObject(call, `${what}.shared`, shared);
    requireList(call, `${what}.shared.worlds`, shared.worlds);
    requireList(call, `${what}.worlds`, worlds);
    requireList(call, `${what}.starts`, starts);
    requireCount(call, `${what}.steps`, steps, 1);
    if (starts.length !== worlds.length)
      throwMisuse(call, `${what}.starts`, starts, `one for each of ${worlds.length} simulations`);
    shared.worlds.forEach((world, i) => {
      requireObject(call, `${what}.shared.worlds[${i}]`, world);
      requireList(call, `${what}.shared.worlds[${i}].robots`, world.robots);
      const made = createWorld(unpackWorld(world));
      const simulation = createSimulation(made);
      worlds.forEach((own, k) => {
        requireIndex(call, `${what}.worlds[${k}]`, own, shared.worlds.length);
        const start = starts[k];
        if (own === i && start !== null) restoreSnapshot(simulation, start);
      });
      made.dispose();
    });
  },
  share: ({ shared }) => shared,
  prepare: (shared) => new SimulationPerformer(shared),
  plan: (input, _seed, state) => new SimulationsPlan(input, state),
};

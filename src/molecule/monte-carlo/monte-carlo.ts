/**
 * Metropolis Monte Carlo over the torsions of a protein.
 *
 * Each step: a move drawn by weight stages new torsions; they are applied; where links touch (hard core) the step is
 * rejected before any energy is asked for; otherwise it is accepted with probability
 * min(1, exp(-(E' - E) / kT) x the move's own factor), or taken back exactly. The states follow the Boltzmann distribution
 * of the energy over the torsions' uniform measure, links that touch excluded.
 * Source: Metropolis, Rosenbluth, Rosenbluth, Teller, Teller 1953, doi:10.1063/1.1699114; Hastings 1970, "Monte Carlo
 * sampling methods using Markov chains and their applications", doi:10.1093/biomet/57.1.97; annealing: Kirkpatrick,
 * Gelatt, Vecchi 1983, "Optimization by simulated annealing", doi:10.1126/science.220.4598.671.
 *
 * The torsions, the step number, the counts and the generator are the whole state: `save` and `restore` go on with the
 * same bits, whenever it was saved. Units: kcal/mol, kelvin, radians.
 * Cost per step: the move, the chain's update and contact search, the energy's update; nothing is allocated.
 * Checked by monte-carlo.test.ts: uniform and Boltzmann distributions, resumption.
 */
import { MisuseError } from '../../math/misuse.js';
import { createRandom, type SeededRandom } from '../../math/random.js';
import { exp } from '../../math/scalar.js';
import type { ProteinState } from '../protein-state.js';
import type { ConformationEnergy } from './conformation-energy.js';
import { IMPOSSIBLE, type Move } from './move.js';
import {
  BOLTZMANN,
  constantTemperature,
  requireSchedule,
  type TemperatureSchedule,
  temperatureAt,
} from './temperature.js';

export interface WeightedMove {
  readonly move: Move;
  /** Positive; how often it is drawn, against the others. */
  readonly weight: number;
}

export interface MonteCarloOptions {
  readonly moves: readonly WeightedMove[];
  /** Kelvin, or how it changes. */
  readonly temperature: number | TemperatureSchedule;
  readonly seed: number;
  /** Links that touch reject a step; default true. Of no effect when links touch at the start. */
  readonly hardCore?: boolean;
}

export interface MoveCount {
  readonly name: string;
  readonly proposed: number;
  readonly accepted: number;
  /** Rejected because the move could not be made. */
  readonly impossible: number;
  /** Rejected because links touched. */
  readonly blocked: number;
}

/** Plain data; numbers survive JSON exactly. */
export interface MonteCarloState {
  readonly step: number;
  readonly torsions: readonly number[];
  readonly random: readonly number[];
  /** proposed, accepted, impossible, blocked of each move in turn. */
  readonly counts: readonly number[];
}

const COUNTS = 4;

/** Counts as a state has them, by the moves' names. */
export function toMoveCounts(names: readonly string[], counts: ArrayLike<number>): MoveCount[] {
  return names.map((name, i) => {
    const [proposed, accepted, impossible, blocked] = [0, 1, 2, 3].map((k) => counts[COUNTS * i + k]);
    return { name, proposed, accepted, impossible, blocked };
  });
}

export class MonteCarlo {
  /** Steps done. */
  step = 0;
  /** Whether links that touch reject a step. */
  readonly isHardCore: boolean;
  private readonly moves: readonly WeightedMove[];
  private readonly random: SeededRandom;
  private readonly counts: Float64Array;
  private readonly totalWeight: number;
  private schedule: TemperatureSchedule;

  /** `conformation` and `energy` belong to the simulation from now on. */
  constructor(
    readonly conformation: ProteinState,
    readonly energy: ConformationEnergy,
    { moves, temperature, seed, hardCore = true }: MonteCarloOptions,
  ) {
    if (moves.length === 0) throw new MisuseError('MonteCarlo: moves, got none, expected at least one');
    for (const { move, weight } of moves) {
      if (!(weight > 0 && weight < Infinity)) {
        throw new MisuseError(`MonteCarlo: weight of ${move.name}, got ${weight}, expected a positive number`);
      }
    }
    this.moves = moves;
    this.totalWeight = moves.reduce((sum, { weight }) => sum + weight, 0);
    this.counts = new Float64Array(COUNTS * moves.length);
    this.random = createRandom(seed);
    this.schedule = this.toSchedule(temperature);
    this.isHardCore = hardCore && !conformation.state.hasContact();
    energy.update();
  }

  /** Of the next step, kelvin. */
  get temperature(): number {
    return temperatureAt(this.schedule, this.step);
  }

  /** From the next step on; kelvin. */
  setTemperature(temperature: number | TemperatureSchedule): void {
    this.schedule = this.toSchedule(temperature);
  }

  /** Does so many steps. */
  run(steps: number): void {
    for (let i = 0; i < steps; i++) this.advance();
  }

  listMoves(): MoveCount[] {
    return toMoveCounts(
      this.moves.map(({ move }) => move.name),
      this.counts,
    );
  }

  save(): MonteCarloState {
    return {
      step: this.step,
      torsions: Array.from(this.conformation.torsions),
      random: this.random.saveState(),
      counts: Array.from(this.counts),
    };
  }

  /** Goes on from a saved state of a simulation with the same protein and moves. Throws RangeError when they differ. */
  restore({ step, torsions, random, counts }: MonteCarloState): void {
    const { conformation } = this;
    if (torsions.length !== conformation.torsions.length || counts.length !== this.counts.length) {
      throw new MisuseError(
        `restore: state, got ${torsions.length} torsions and ${counts.length} counts, expected ` +
          `${conformation.torsions.length} and ${this.counts.length}`,
      );
    }
    this.step = step;
    this.counts.set(counts);
    this.random.restoreState(random);
    torsions.forEach((value, i) => {
      if (value !== conformation.torsions[i]) conformation.stage(i, value);
    });
    conformation.apply();
    this.energy.update();
    if (this.isHardCore && conformation.state.hasContact()) {
      throw new MisuseError('restore: state, got links that touch, expected a state of this simulation');
    }
  }

  private advance(): void {
    const { conformation, energy, random, counts } = this;
    const index = this.drawMove();
    const at = COUNTS * index;
    counts[at]++;
    const bias = this.moves[index].move.propose(conformation, random);
    const temperature = this.temperature;
    this.step++;
    if (bias === IMPOSSIBLE) {
      counts[at + 2]++;
      return;
    }
    const before = energy.total;
    conformation.apply();
    if (this.isHardCore && conformation.state.hasContact()) {
      counts[at + 3]++;
      conformation.undo();
      return;
    }
    const after = energy.update();
    const exponent = bias - (after - before) / (BOLTZMANN * temperature);
    if (exponent >= 0 || random.next() < exp(exponent)) {
      counts[at + 1]++;
      return;
    }
    conformation.undo();
    energy.undo();
  }

  private drawMove(): number {
    const { moves } = this;
    let rest = this.random.next() * this.totalWeight;
    for (let i = 0; i < moves.length - 1; i++) {
      rest -= moves[i].weight;
      if (rest < 0) return i;
    }
    return moves.length - 1;
  }

  private toSchedule(temperature: number | TemperatureSchedule): TemperatureSchedule {
    const schedule = typeof temperature === 'number' ? constantTemperature(temperature) : temperature;
    requireSchedule('MonteCarlo', schedule);
    return schedule;
  }
}

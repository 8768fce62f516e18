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
import {
  type Fields,
  requireArray,
  requireCount,
  requireFields,
  requireFlag,
  requireList,
  requireNumbers,
  requirePositiveNumber,
  requireText,
  throwMisuse,
  unchecked,
} from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { createRandom, type SeededRandom } from '../../math/random.js';
import { exp } from '../../math/scalar.js';
import { type ProteinState, requireConformation } from '../protein-state.js';
import type { ConformationEnergy } from './conformation-energy.js';
import { IMPOSSIBLE, type Move } from './move.js';
import {
  BOLTZMANN,
  constantTemperature,
  requireTemperature,
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

const OPTIONS: Fields = { moves: unchecked, temperature: requireTemperature, seed: unchecked, hardCore: requireFlag };

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
    options: MonteCarloOptions,
  ) {
    requireConformation('createMonteCarlo', conformation);
    requireEnergy('createMonteCarlo', energy);
    requireFields('createMonteCarlo', 'options', options, OPTIONS);
    const { moves, temperature, seed, hardCore = true } = options;
    requireMoves('createMonteCarlo', moves);
    requireRandomSeed('createMonteCarlo', 'options.seed', seed);
    this.moves = moves;
    this.totalWeight = moves.reduce((sum, { weight }) => sum + weight, 0);
    this.counts = new Float64Array(COUNTS * moves.length);
    this.random = createRandom(seed);
    this.schedule = toSchedule('createMonteCarlo', 'options.temperature', temperature);
    this.isHardCore = hardCore && !conformation.state.hasContact();
    energy.update();
  }

  /** Of the next step, kelvin. */
  get temperature(): number {
    return temperatureAt(this.schedule, this.step);
  }

  /** From the next step on; kelvin. */
  setTemperature(temperature: number | TemperatureSchedule): void {
    this.schedule = toSchedule('setTemperature', 'temperature', temperature);
  }

  /** Does so many steps. */
  run(steps: number): void {
    requireCount('run', 'steps', steps);
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
  restore(state: MonteCarloState): void {
    requireState('restore', 'state', state);
    const { step, torsions, random, counts } = state;
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
}

function toSchedule(call: string, what: string, temperature: number | TemperatureSchedule): TemperatureSchedule {
  requireTemperature(call, what, temperature);
  return typeof temperature === 'number' ? constantTemperature(temperature) : temperature;
}

function requireEnergy(call: string, energy: unknown): void {
  const { update, undo, listTerms } = (energy ?? {}) as Partial<ConformationEnergy>;
  if (![update, undo, listTerms].every((method) => typeof method === 'function'))
    throwMisuse(
      call,
      'energy',
      energy,
      'an energy with total, listTerms, update and undo, as createEnergyTree returns',
    );
}

function requireMoves(call: string, moves: unknown): void {
  requireList(call, 'options.moves', moves, 'a list of moves, as createMoves returns');
  if (moves.length === 0) throw new MisuseError(`${call}: options.moves, got none, expected at least one`);
  moves.forEach((each, i) => {
    const { move, weight } = (each ?? {}) as Partial<WeightedMove>;
    if (typeof move?.propose !== 'function')
      throwMisuse(call, `options.moves[${i}]`, each, 'an object with a move and its weight');
    requireText(call, `options.moves[${i}].move.name`, move.name);
    requirePositiveNumber(call, `options.moves[${i}].weight`, weight);
  });
}

/** @internal */
export function requireRandomSeed(call: string, what: string, seed: unknown): void {
  if (!Number.isSafeInteger(seed)) throwMisuse(call, what, seed, 'a whole number');
}

/** @internal Its numbers, not whether they are those of this simulation. */
export function requireState(call: string, what: string, state: unknown): void {
  const { step, torsions, random, counts } = (state ?? {}) as Partial<MonteCarloState>;
  if (!Number.isSafeInteger(step) || !Array.isArray(torsions)) throwMisuse(call, what, state, 'what save() returned');
  requireNumbers(call, `${what}.torsions`, torsions);
  requireArray(call, `${what}.random`, random);
  requireNumbers(call, `${what}.counts`, counts);
}

export function createMonteCarlo(
  conformation: ProteinState,
  energy: ConformationEnergy,
  options: MonteCarloOptions,
): MonteCarlo {
  return new MonteCarlo(conformation, energy, options);
}

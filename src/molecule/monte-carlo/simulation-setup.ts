/** A simulation as plain data, so that it can be made anew from a checkpoint, or in a worker. */
import { createChainTree } from '../../chain/chain-tree.js';
import { type Fields, requireFields, requireFlag } from '../../math/arguments.js';
import { createEnergyTree } from '../energy/energy-tree.js';
import { createForceField, FIELD_OPTIONS, type ForceFieldOptions } from '../energy/force-field.js';
import type { Molecule } from '../molecule.js';
import { requireMolecule } from '../molecule.js';
import { createProteinChain, PROTEIN_OPTIONS, type ProteinChainOptions } from '../protein-chain.js';
import { ProteinState } from '../protein-state.js';
import type { ConformationEnergy } from './conformation-energy.js';
import { MonteCarlo, requireRandomSeed } from './monte-carlo.js';
import { createMoves, requireWeights } from './move-set.js';
import { requireTemperature, type TemperatureSchedule } from './temperature.js';

export interface SimulationSetup {
  readonly molecule: Molecule;
  readonly chain?: ProteinChainOptions;
  /** Of the energy; null: nothing but the hard core counts. */
  readonly field?: ForceFieldOptions | null;
  /** Weight by name of a move, undefined for its usual one; all moves when left out. */
  readonly moves?: Readonly<Record<string, number | undefined>>;
  /** Kelvin. */
  readonly temperature: number | TemperatureSchedule;
  readonly seed: number;
  readonly hardCore?: boolean;
}

const SETUP: Fields = {
  molecule: requireMolecule,
  chain: (call, what, options) => {
    requireFields(call, what, options, PROTEIN_OPTIONS);
  },
  field: (call, what, options) => {
    if (options !== null) requireFields(call, what, options, FIELD_OPTIONS);
  },
  moves: requireWeights,
  temperature: requireTemperature,
  seed: requireRandomSeed,
  hardCore: requireFlag,
};

/** @internal The kinds of its fields; what is out of range is told where it is used. */
export function requireSetup(call: string, what: string, setup: SimulationSetup): void {
  requireFields(call, what, setup, SETUP);
  for (const key of ['molecule', 'temperature', 'seed'] as const) SETUP[key](call, `${what}.${key}`, setup[key]);
}

/** Throws what createProteinChain, createForceField, createMoves and createMonteCarlo throw. Equal setups give equal runs. */
export function createSimulation(setup: SimulationSetup): MonteCarlo {
  requireSetup('createSimulation', 'setup', setup);
  const { molecule, field, temperature, seed, hardCore } = setup;
  const protein = createProteinChain(molecule, setup.chain);
  const conformation = new ProteinState(protein, createChainTree(protein.chain));
  const energy =
    field === null ? new NoEnergy() : createEnergyTree(conformation, createForceField(molecule, field ?? {}));
  return new MonteCarlo(conformation, energy, {
    moves: createMoves(protein, setup.moves),
    temperature,
    seed,
    hardCore,
  });
}

class NoEnergy implements ConformationEnergy {
  readonly total = 0;

  listTerms(): Readonly<Record<string, number>> {
    return {};
  }

  update(): number {
    return 0;
  }

  undo(): void {}
}

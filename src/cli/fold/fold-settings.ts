/** What a `chain fold` run is made of, as its checkpoint keeps it, and the simulation built from it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { EnergyTree } from '../../molecule/energy/energy-tree.js';
import type { Molecule } from '../../molecule/molecule.js';
import {
  type MonteCarlo,
  type MonteCarloState,
  type MoveCount,
  toMoveCounts,
} from '../../molecule/monte-carlo/monte-carlo.js';
import {
  type ReplicaExchangeState,
  spaceTemperatures,
  TemperatureLadder,
} from '../../molecule/monte-carlo/replica-exchange.js';
import { createSimulation, type SimulationSetup } from '../../molecule/monte-carlo/simulation-setup.js';
import { buildPeptide } from '../../molecule/peptide.js';
import type { ProteinChain } from '../../molecule/protein-chain.js';
import type { AtomColumns } from '../../molecule/structure.js';
import { createParallelReplicas } from '../../parallel/parallel-replicas.js';
import { orUsageError, UsageError } from '../exit.js';
import { chooseMolecule, type MoleculeChoice, readStructure } from '../molecule-input.js';

export interface FoldSettings {
  /** A structure file with the hash of its bytes, or one-letter codes. */
  readonly input: { readonly file: string; readonly sha256: string } | { readonly sequence: string };
  readonly model: number;
  readonly altloc: string;
  readonly chains: readonly string[] | null;
  readonly sideChains: 'chi' | 'rigid';
  readonly omega: boolean;
  readonly disulfides: 'keep' | 'open';
  readonly seed: number;
  /** Kelvin. */
  readonly temperature: number;
  /** Last temperature of annealing over `annealSteps`; null without. */
  readonly anneal: number | null;
  readonly annealSteps: number;
  /** Weight by move, null for the usual one; null: all moves. */
  readonly moves: Readonly<Record<string, number | null>> | null;
  readonly energy: 'charmm19' | 'none';
  /** Angstrom. */
  readonly cutoff: number;
  readonly dielectric: number;
  /** Overlap beyond which atoms of different links block a step, angstrom. */
  readonly hardCore: number;
  readonly replicas: number;
  /** Of the hottest replica. */
  readonly highest: number;
  readonly exchangeEvery: number;
}

/** One simulation, or replicas in workers of which the coldest counts. */
export interface Sampler {
  /** Steps done. */
  readonly step: number;
  /** The simulation that is sampled, as of the last `settle`. */
  readonly current: MonteCarlo;
  /** null without replicas. */
  readonly ladder: TemperatureLadder | null;
  run(steps: number): Promise<void>;
  /** Brings `current` up to date. */
  settle(): void;
  /** Over all replicas. */
  countMoves(): MoveCount[];
  save(): MonteCarloState | ReplicaExchangeState;
  restore(state: MonteCarloState | ReplicaExchangeState): Promise<void>;
  dispose(): void;
}

export interface FoldSimulation {
  readonly protein: ProteinChain;
  readonly source: AtomColumns;
  readonly sampler: Sampler;
  readonly remarks: readonly string[];
}

export async function hashFile(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/** Throws UsageError for what cannot be simulated. */
export async function startSimulation(settings: FoldSettings): Promise<FoldSimulation> {
  const { input, model, altloc, chains } = settings;
  const [name, structure] =
    'sequence' in input
      ? ['sequence', buildPeptide(input.sequence)]
      : ([input.file, await readStructure(input.file)] as const);
  const choice: MoleculeChoice = { model, altloc, hetero: false };
  const molecule = chooseMolecule(name, structure, chains ? { ...choice, chains } : choice);
  if (!molecule.residues.some(({ kind }) => kind === 'amino-acid')) {
    throw new UsageError(`${name}: no amino acids${chains ? ' in these chains' : ''}, nothing folds`);
  }
  const setup = toSetup(settings, molecule);
  const first = orUsageError(name, () => createSimulation(setup));
  const { protein } = first.conformation;
  const remarks = [...protein.remarks];
  if (first.energy instanceof EnergyTree) remarks.push(...first.energy.field.remarks);
  if (!first.isHardCore) remarks.push('atoms overlap in the given conformation: the energy alone keeps them apart');
  const sampler = settings.replicas > 1 ? await startReplicas(settings, setup, first) : toSampler(first);
  return { protein, source: structure.models[model - 1].atoms, sampler, remarks };
}

function toSetup(settings: FoldSettings, molecule: Molecule): SimulationSetup {
  const { sideChains, omega, disulfides, hardCore, energy, cutoff, dielectric, moves } = settings;
  const { temperature, anneal, annealSteps, seed } = settings;
  return {
    molecule,
    chain: { sideChains, omega, disulfides, overlap: hardCore },
    field: energy === 'none' ? null : { cutoff, dielectric },
    ...(moves && {
      moves: Object.fromEntries(Object.entries(moves).map(([name, weight]) => [name, weight ?? undefined])),
    }),
    temperature: anneal === null ? temperature : { from: temperature, to: anneal, steps: annealSteps },
    seed,
  };
}

function toSampler(simulation: MonteCarlo): Sampler {
  return {
    get step() {
      return simulation.step;
    },
    current: simulation,
    ladder: null,
    run: async (steps) => simulation.run(steps),
    settle: () => undefined,
    countMoves: () => simulation.listMoves(),
    save: () => simulation.save(),
    restore: async (state) => simulation.restore(state as MonteCarloState),
    dispose: () => undefined,
  };
}

/** `mirror`: a simulation in this thread that takes over the coldest replica's state when it is looked at. */
async function startReplicas(settings: FoldSettings, setup: SimulationSetup, mirror: MonteCarlo): Promise<Sampler> {
  const temperatures = spaceTemperatures(settings.temperature, settings.highest, settings.replicas);
  const ladder = new TemperatureLadder(temperatures, settings.seed);
  const setups = temperatures.map((temperature, i) => ({ ...setup, temperature, seed: settings.seed + 1 + i }));
  const replicas = await createParallelReplicas(setups, ladder, { roundSteps: settings.exchangeEvery });
  mirror.setTemperature(temperatures[0]);
  return {
    get step() {
      return replicas.step;
    },
    current: mirror,
    ladder,
    run: (steps) => replicas.run(steps),
    settle: () => mirror.restore(replicas.coldest),
    countMoves: () => {
      const [first, ...others] = replicas.save().replicas.map(({ counts }) => counts);
      const sums = first.map((count, k) => others.reduce((sum, counts) => sum + counts[k], count));
      return toMoveCounts(
        mirror.listMoves().map(({ name }) => name),
        sums,
      );
    },
    save: () => replicas.save(),
    restore: (state) => replicas.restore(state as ReplicaExchangeState),
    dispose: () => replicas.dispose(),
  };
}

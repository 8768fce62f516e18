/** What a `chain fold` run is made of, as its checkpoint keeps it, and the simulation built from it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createChainTree } from '../chain/chain-tree.js';
import { formatIssue } from '../io/issue.js';
import { buildMolecule } from '../molecule/build-molecule.js';
import { EnergyTree } from '../molecule/energy/energy-tree.js';
import { createForceField } from '../molecule/energy/force-field.js';
import type { ConformationEnergy } from '../molecule/monte-carlo/conformation-energy.js';
import { MonteCarlo, type MonteCarloState } from '../molecule/monte-carlo/monte-carlo.js';
import { createMoves } from '../molecule/monte-carlo/move-set.js';
import {
  ReplicaExchange,
  type ReplicaExchangeState,
  spaceTemperatures,
  TemperatureLadder,
} from '../molecule/monte-carlo/replica-exchange.js';
import { buildPeptide } from '../molecule/peptide.js';
import { createProteinChain, type ProteinChain } from '../molecule/protein-chain.js';
import { ProteinState } from '../molecule/protein-state.js';
import type { AtomColumns, Structure } from '../molecule/structure.js';
import { loadStructure } from '../node/load-structure.js';
import { UsageError } from './exit.js';
import { report } from './messages.js';

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

/** One simulation, or replicas of which the coldest counts. */
export interface Sampler {
  readonly step: number;
  readonly current: MonteCarlo;
  readonly exchange: ReplicaExchange | null;
  run(steps: number): void;
  save(): MonteCarloState | ReplicaExchangeState;
  restore(state: MonteCarloState | ReplicaExchangeState): void;
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

async function readInput({ input }: FoldSettings): Promise<Structure> {
  if ('sequence' in input) return buildPeptide(input.sequence);
  const { value, issues } = await loadStructure(input.file);
  if (!value) throw new UsageError(issues.map(formatIssue).join('\n') || `${input.file}: unreadable`);
  for (const issue of issues) report(issue);
  return value;
}

/** Throws UsageError, or RangeError from the engine, for what cannot be simulated. */
export async function createSimulation(settings: FoldSettings): Promise<FoldSimulation> {
  const structure = await readInput(settings);
  const source = structure.models[settings.model - 1]?.atoms;
  if (!source) throw new UsageError(`--model ${settings.model}: the file has ${structure.models.length}`);
  const molecule = buildMolecule(structure, {
    model: settings.model - 1,
    alternate: settings.altloc,
    chains: settings.chains ?? undefined,
    hetero: false,
  });
  if (!molecule.residues.some(({ kind }) => kind === 'amino-acid')) {
    throw new UsageError(
      `${describeInput(settings)}: no amino acids${settings.chains ? ' in these chains' : ''}, nothing folds`,
    );
  }
  const protein = createProteinChain(molecule, {
    sideChains: settings.sideChains,
    omega: settings.omega,
    disulfides: settings.disulfides,
    overlap: settings.hardCore,
  });
  if (protein.torsions.length === 0) throw new UsageError(`${describeInput(settings)}: nothing turns`);
  const field =
    settings.energy === 'none'
      ? null
      : createForceField(molecule, { cutoff: settings.cutoff, dielectric: settings.dielectric });
  const createReplica = (temperature: number, seed: number): MonteCarlo => {
    const conformation = new ProteinState(protein, createChainTree(protein.chain));
    const energy = field ? new EnergyTree(conformation, field) : new NoEnergy();
    return new MonteCarlo(conformation, energy, { moves: listMoves(protein, settings), temperature, seed });
  };
  const sampler =
    settings.replicas > 1 ? createReplicas(settings, createReplica) : createSingle(settings, createReplica);
  const remarks = [...protein.remarks, ...(field?.remarks ?? [])];
  if (!sampler.current.isHardCore)
    remarks.push('atoms overlap in the given conformation: the energy alone keeps them apart');
  return { protein, source, sampler, remarks };
}

function describeInput({ input }: FoldSettings): string {
  return 'sequence' in input ? 'sequence' : input.file;
}

/** Moves keep scratch of their own, so every replica has its set. */
function listMoves(protein: ProteinChain, { moves }: FoldSettings) {
  if (!moves) return createMoves(protein);
  return createMoves(
    protein,
    Object.fromEntries(Object.entries(moves).map(([name, weight]) => [name, weight ?? undefined])),
  );
}

function createSingle(
  settings: FoldSettings,
  createReplica: (temperature: number, seed: number) => MonteCarlo,
): Sampler {
  const simulation = createReplica(settings.temperature, settings.seed);
  if (settings.anneal !== null) {
    simulation.setTemperature({ from: settings.temperature, to: settings.anneal, steps: settings.annealSteps });
  }
  return {
    get step() {
      return simulation.step;
    },
    current: simulation,
    exchange: null,
    run: (steps) => simulation.run(steps),
    save: () => simulation.save(),
    restore: (state) => simulation.restore(state as MonteCarloState),
  };
}

function createReplicas(
  settings: FoldSettings,
  createReplica: (temperature: number, seed: number) => MonteCarlo,
): Sampler {
  const temperatures = spaceTemperatures(settings.temperature, settings.highest, settings.replicas);
  const replicas = temperatures.map((temperature, i) => createReplica(temperature, settings.seed + 1 + i));
  const exchange = new ReplicaExchange(
    replicas,
    new TemperatureLadder(temperatures, settings.seed),
    settings.exchangeEvery,
  );
  return {
    get step() {
      return exchange.step;
    },
    get current() {
      return exchange.coldest;
    },
    exchange,
    run: (steps) => exchange.run(steps),
    save: () => exchange.save(),
    restore: (state) => exchange.restore(state as ReplicaExchangeState),
  };
}

/** Nothing but the hard core counts. */
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

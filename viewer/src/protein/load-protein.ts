/** A protein file as the page shows it: its atoms, its clashes as the file has them, and the chain that can be moved. */
import type { Issue } from 'clearance/io';
import {
  type AtomColumns,
  addHydrogens,
  buildMolecule,
  type ClashReport,
  findClashes,
  type Molecule,
  removeHydrogens,
  type Structure,
} from 'clearance/molecule';
import { Conformation } from './conformation.js';

/** What of a file is shown: which of its models, from 0, and which hydrogens. `add`: those that it lacks are placed by geometry. */
export interface ProteinChoice {
  readonly model: number;
  readonly hydrogens: 'as-given' | 'add' | 'none';
}

export const FIRST_CHOICE: ProteinChoice = { model: 0, hydrogens: 'as-given' };

/** As read. */
export interface GivenProtein {
  readonly file: string;
  readonly structure: Structure;
  readonly choice?: ProteinChoice;
}

export interface LoadedProtein {
  readonly name: string;
  readonly molecule: Molecule;
  /** The same without waters and ligands, which is what a simulation moves. */
  readonly polymer: Molecule;
  /** Columns of the model that both were made from. */
  readonly source: AtomColumns;
  readonly report: ClashReport;
  readonly choice: ProteinChoice;
  readonly modelCount: number;
  /** Null without amino acids: nothing can be turned then. */
  readonly conformation: Conformation | null;
}

/** What a worker makes of a protein: plain data. */
export interface ReadProtein extends Omit<LoadedProtein, 'conformation'> {
  readonly hasAminoAcids: boolean;
}

/** Null when there are no atoms; `issues` says so. */
export function readProtein(
  { file, structure, choice = FIRST_CHOICE }: GivenProtein,
  issues: Issue[],
): ReadProtein | null {
  if (structure.models.length > 1) {
    const which = choice.model === 0 ? 'the first' : `number ${choice.model + 1}`;
    const message = `holds ${structure.models.length} models; ${which} is shown`;
    issues.push({ severity: 'info', code: 'several-models', file, message });
  }
  const model = structure.models[choice.model];
  const given = model ? buildMolecule(structure, { model: choice.model }) : null;
  const molecule = given && given.atomCount > 0 ? withHydrogens(given, choice.hydrogens) : given;
  if (!molecule || molecule.atomCount === 0) {
    issues.push({ severity: 'error', code: 'no-atoms', file, message: 'holds no atoms' });
    return null;
  }
  const hasAminoAcids = molecule.residues.some(({ kind, count }) => kind === 'amino-acid' && count > 0);
  return {
    name: structure.name || file.slice(file.lastIndexOf('/') + 1),
    molecule,
    polymer: buildMolecule(structure, { hetero: false, model: choice.model }),
    source: model.atoms,
    report: findClashes(molecule),
    choice,
    modelCount: structure.models.length,
    hasAminoAcids,
  };
}

function withHydrogens(molecule: Molecule, how: ProteinChoice['hydrogens']): Molecule {
  if (how === 'add') return addHydrogens(molecule).molecule;
  return how === 'none' ? removeHydrogens(molecule) : molecule;
}

/** All of it on this thread. */
export function toProtein(given: GivenProtein, issues: Issue[]): LoadedProtein | null {
  const read = readProtein(given, issues);
  return read && { ...read, conformation: read.hasAminoAcids ? new Conformation(read.molecule) : null };
}

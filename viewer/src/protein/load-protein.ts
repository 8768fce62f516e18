/** A protein file as the page shows it: its atoms, its clashes as the file has them, and the chain that can be moved. */
import type { Issue } from 'clearance/io';
import {
  type AtomColumns,
  buildMolecule,
  type ClashReport,
  findClashes,
  type Molecule,
  type Structure,
} from 'clearance/molecule';
import { Conformation } from './conformation.js';

/** As read. */
export interface GivenProtein {
  readonly file: string;
  readonly structure: Structure;
}

export interface LoadedProtein {
  readonly name: string;
  readonly molecule: Molecule;
  /** The same without waters and ligands, which is what a simulation moves. */
  readonly polymer: Molecule;
  /** Columns of the model that both were made from. */
  readonly source: AtomColumns;
  readonly report: ClashReport;
  /** Null without amino acids: nothing can be turned then. */
  readonly conformation: Conformation | null;
}

/** What a worker makes of a protein: plain data. */
export interface ReadProtein extends Omit<LoadedProtein, 'conformation'> {
  readonly hasAminoAcids: boolean;
}

/** Null when there are no atoms; `issues` says so. The first model is shown. */
export function readProtein({ file, structure }: GivenProtein, issues: Issue[]): ReadProtein | null {
  if (structure.models.length > 1) {
    const message = `holds ${structure.models.length} models; the first is shown`;
    issues.push({ severity: 'info', code: 'several-models', file, message });
  }
  const molecule = structure.models.length > 0 ? buildMolecule(structure) : null;
  if (!molecule || molecule.atomCount === 0) {
    issues.push({ severity: 'error', code: 'no-atoms', file, message: 'holds no atoms' });
    return null;
  }
  const hasAminoAcids = molecule.residues.some(({ kind, count }) => kind === 'amino-acid' && count > 0);
  return {
    name: structure.name || file.slice(file.lastIndexOf('/') + 1),
    molecule,
    polymer: buildMolecule(structure, { hetero: false }),
    source: structure.models[0].atoms,
    report: findClashes(molecule),
    hasAminoAcids,
  };
}

/** All of it on this thread. */
export function toProtein(given: GivenProtein, issues: Issue[]): LoadedProtein | null {
  const read = readProtein(given, issues);
  return read && { ...read, conformation: read.hasAminoAcids ? new Conformation(read.molecule) : null };
}

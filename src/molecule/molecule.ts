/**
 * A molecule ready for questions: one model of a structure, one conformation of every residue, atoms grouped by residue,
 * with its covalent bonds. buildMolecule makes it.
 */

import { requireIndex, requireText, throwMisuse } from '../math/arguments.js';
import type { Assumption } from '../model/issue.js';
import { isColumn, isFloats, isIntegers } from './molecule-door.js';
import type { ResidueName } from './structure.js';

export type ResidueKind = 'amino-acid' | 'nucleotide' | 'water' | 'other';

export interface Residue extends ResidueName {
  readonly kind: ResidueKind;
  /** Its atoms are first, ..., first + count - 1. */
  readonly first: number;
  readonly count: number;
  /** The polymer ends here (TER). */
  readonly terminal: boolean;
}

/** Two residues that follow one another in a chain and are not bonded. */
export interface ChainGap {
  /** Residue numbers. */
  readonly before: number;
  readonly after: number;
  /** Residues between them that the file lists as not observed. */
  readonly missing: number;
  /** From C to N, or from O3' to P, in angstrom; null when one of the atoms is absent. */
  readonly distance: number | null;
}

export interface Molecule {
  readonly atomCount: number;
  /** 3 atomCount, angstrom. */
  readonly positions: Float64Array;
  readonly atomNames: readonly string[];
  readonly elements: readonly string[];
  /** Residue of each atom. */
  readonly residueOf: Int32Array;
  /** Row of each atom in the model's columns. */
  readonly sourceRows: Int32Array;
  readonly residues: readonly Residue[];
  /** Pairs of atoms, the smaller number first, sorted. */
  readonly bonds: Int32Array;
  /** Pairs of residues. */
  readonly disulfides: readonly (readonly [number, number])[];
  readonly gaps: readonly ChainGap[];
  /** Atoms that come twice; stated bonds that name no atom of this molecule, or atoms too far apart. One sentence each. */
  readonly warnings: readonly string[];
  /** What was left out, changed or guessed between the file and this molecule; absent where nothing was. */
  readonly assumed?: readonly Assumption[];
}

/** Atom of that name in a residue, -1 when there is none. */
export function findAtom(molecule: Pick<Molecule, 'atomNames' | 'residues'>, residue: number, name: string): number {
  requireResidue('findAtom', molecule, residue, name);
  const { first, count } = molecule.residues[residue];
  for (let i = first; i < first + count; i++) if (molecule.atomNames[i] === name) return i;
  return -1;
}

/** `A/SER 100A/CB` */
export function describeAtom(molecule: Molecule, atom: number): string {
  requireMolecule('describeAtom', 'molecule', molecule);
  requireIndex('describeAtom', 'atom', atom, molecule.atomCount);
  return `${describeResidue(molecule.residues[molecule.residueOf[atom]])}/${molecule.atomNames[atom]}`;
}

/** `A/SER 100A` */
export function describeResidue(residue: ResidueName): string {
  const { chain, name, sequence, insertion } = (residue ?? {}) as ResidueName;
  if (![chain, name, insertion].every((text) => typeof text === 'string') || typeof sequence !== 'number')
    throwMisuse('describeResidue', 'residue', residue, 'an object with chain, name, sequence and insertion');
  return `${chain === '' ? '' : `${chain}/`}${name} ${sequence}${insertion}`;
}

export function requireMolecule(call: string, what: string, molecule: unknown): void {
  const { atomCount, positions, atomNames, elements, residueOf, sourceRows, residues, bonds, disulfides, gaps } =
    (molecule ?? {}) as Partial<Molecule>;
  if (
    typeof atomCount !== 'number' ||
    !isFloats(positions, 3 * atomCount) ||
    !isColumn(atomNames, atomCount) ||
    !isColumn(elements, atomCount) ||
    !isIntegers(residueOf, atomCount) ||
    !isIntegers(sourceRows, atomCount) ||
    !(bonds instanceof Int32Array) ||
    ![residues, disulfides, gaps].every(Array.isArray)
  )
    throwMisuse(call, what, molecule, 'the molecule that buildMolecule returned');
}

/** For calls that read nothing else. */
export function requireBonds(call: string, molecule: Pick<Molecule, 'atomCount' | 'bonds'>): void {
  if (!Number.isInteger(molecule?.atomCount) || !(molecule.bonds instanceof Int32Array))
    throwMisuse(call, 'molecule', molecule, 'an object with atomCount and bonds');
}

/** A residue of a molecule; `name` is an atom's. Cheap. */
function requireResidue(
  call: string,
  molecule: Pick<Molecule, 'atomNames' | 'residues'>,
  residue: unknown,
  name: unknown,
): void {
  if (!Array.isArray(molecule?.residues) || !Array.isArray(molecule.atomNames))
    throwMisuse(call, 'molecule', molecule, 'an object with residues and atomNames');
  requireIndex(call, 'residue', residue, molecule.residues.length);
  requireText(call, 'name', name);
}

/**
 * Checks that the calls of this folder share. Molecules, proteins and force fields are plain data, so they are told by their
 * arrays and how long these are: a few comparisons, whatever their size. What the arrays hold is not read again.
 */
import {
  isArrayOf,
  requireIndex,
  requireList,
  requireNumbers,
  requireObject,
  requireText,
  throwLength,
  throwMisuse,
} from '../math/arguments.js';
import type { ForceField } from './energy/force-field.js';
import type { Molecule } from './molecule.js';
import type { ProteinChain } from './protein-chain.js';
import type { AtomColumns, Structure } from './structure.js';

const isFloats = (value: unknown, count: number): boolean => value instanceof Float64Array && value.length === count;
const isIntegers = (value: unknown, count: number): boolean => value instanceof Int32Array && value.length === count;
const isColumn = (value: unknown, count: number): boolean => isArrayOf(value) && value.length === count;

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
export function requireResidue(
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

/** Numbers of atoms. */
export function requireAtoms(call: string, what: string, atoms: unknown, atomCount: number): void {
  if (!isArrayOf(atoms)) throwMisuse(call, what, atoms, 'a list of atoms, by number');
  for (let i = 0; i < atoms.length; i++)
    if (!Number.isInteger(atoms[i]) || (atoms[i] as number) < 0 || (atoms[i] as number) >= atomCount)
      requireIndex(call, `${what}[${i}]`, atoms[i], atomCount);
}

/** Points in a row: 3 finite numbers each, as many as there are or as `count` says. */
export function requirePoints(call: string, what: string, positions: unknown, count?: number): void {
  requireNumbers(call, what, positions, count === undefined ? undefined : 3 * count);
  if ((positions as ArrayLike<number>).length % 3 !== 0) throwLength(call, what, positions, '3 numbers per point');
}

export function requireProtein(call: string, protein: unknown): void {
  const { molecule, chain, torsions, linkCount, atoms, atomStarts, positions, parents } = (protein ??
    {}) as Partial<ProteinChain>;
  if (
    typeof linkCount !== 'number' ||
    !isIntegers(atomStarts, linkCount + 1) ||
    !isIntegers(parents, linkCount) ||
    !(atoms instanceof Int32Array) ||
    !isFloats(positions, 3 * atoms.length) ||
    !Array.isArray(torsions) ||
    chain?.linkCount !== linkCount ||
    molecule === undefined
  )
    throwMisuse(call, 'protein', protein, 'the protein that createProteinChain returned');
}

export function requireField(call: string, field: unknown): void {
  const { molecule, atoms, charges, excluded, pairs14, torsions, cutoff } = (field ?? {}) as Partial<ForceField>;
  const count = molecule?.atomCount;
  if (
    typeof count !== 'number' ||
    typeof cutoff !== 'number' ||
    !(atoms instanceof Int32Array) ||
    !isFloats(charges, count) ||
    !isColumn(excluded, count) ||
    !isColumn(pairs14, count) ||
    !Array.isArray(torsions)
  )
    throwMisuse(call, 'field', field, 'the field that createForceField returned');
}

const TEXT_COLUMNS = ['names', 'elements', 'alternates', 'residueNames', 'chains', 'insertions'] as const;
const NUMBER_COLUMNS = ['serials', 'sequences', 'occupancies', 'temperatures', 'hetero', 'terminal'] as const;

export function requireColumns(call: string, what: string, columns: unknown): asserts columns is AtomColumns {
  requireObject(call, what, columns, 'the atoms of a model of a structure');
  const { count, positions } = columns as Partial<AtomColumns>;
  if (!Number.isInteger(count)) throwMisuse(call, `${what}.count`, count, 'the number of atoms');
  if (!isFloats(positions, 3 * (count as number)))
    throwLength(call, `${what}.positions`, positions, '3 numbers per atom in a Float64Array');
  for (const key of [...TEXT_COLUMNS, ...NUMBER_COLUMNS]) {
    const column = (columns as AtomColumns)[key];
    if (!isColumn(column, count as number)) throwMisuse(call, `${what}.${key}`, column, `an array of ${count}`);
  }
}

/** The columns of its models are looked at by what reads them. */
export function requireStructure(call: string, structure: unknown): asserts structure is Structure {
  requireObject(call, 'structure', structure, 'a structure, as parseStructure gives it');
  const { models, bonds, modified, missing } = structure as Partial<Structure>;
  requireList(call, 'structure.models', models, 'a list of models');
  requireList(call, 'structure.bonds', bonds, 'a list of bonds');
  requireList(call, 'structure.missing', missing, 'a list of residues');
  if (typeof modified?.get !== 'function') throwMisuse(call, 'structure.modified', modified, 'a Map');
}

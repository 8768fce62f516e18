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
  throwLength,
  throwMisuse,
} from '../math/arguments.js';
import type { AtomColumns, Structure } from './structure.js';

export const isFloats = (value: unknown, count: number): boolean =>
  value instanceof Float64Array && value.length === count;
export const isIntegers = (value: unknown, count: number): boolean =>
  value instanceof Int32Array && value.length === count;
export const isColumn = (value: unknown, count: number): boolean => isArrayOf(value) && value.length === count;

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

/** Macromolecular structure files by format: PDB, mmCIF, BinaryCIF. */
import { requireOneOf, requireText } from '../../math/arguments.js';
import type { Structure } from '../../molecule/structure.js';
import { FILE_OPTIONS, requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
import { parseBinaryCif } from './bcif.js';
import { parseCif } from './cif.js';
import { parsePdb, type StructureReadOptions } from './pdb.js';

export type StructureFormat = Structure['format'];

const EXTENSIONS: Readonly<Record<string, StructureFormat>> = {
  pdb: 'pdb',
  ent: 'pdb',
  cif: 'cif',
  mmcif: 'cif',
  pdbx: 'cif',
  bcif: 'bcif',
};

/** Extensions of structure files, without `.gz`. */
export const STRUCTURE_EXTENSIONS: readonly string[] = Object.keys(EXTENSIONS);

/** The format that a file's name announces, `.gz` at its end left aside; null for any other name. */
export function structureFormatOf(file: string): StructureFormat | null {
  requireText('structureFormatOf', 'file', file);
  const extension = /\.([^./\\]+?)(?:\.gz)?$/i.exec(file)?.[1].toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : null;
}

/** Reads a structure file's bytes (uncompressed). Content is never a reason to throw; issues say what is wrong. */
export function parseStructure(
  bytes: Uint8Array,
  format: StructureFormat,
  options: StructureReadOptions = {},
): Parsed<Structure> {
  requireContent('parseStructure', bytes, options, FILE_OPTIONS);
  requireOneOf('parseStructure', 'format', format, ['pdb', 'cif', 'bcif']);
  if (format === 'pdb') return parsePdb(bytes, options);
  return format === 'cif' ? parseCif(bytes, options) : parseBinaryCif(bytes, options);
}

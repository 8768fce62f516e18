/** Structures as files, in the format that the name announces. */
import { writeCif } from '../io/molecule/cif-write.js';
import { writePdb } from '../io/molecule/pdb-write.js';
import { structureFormatOf } from '../io/molecule/structure.js';
import type { Structure } from '../molecule/structure.js';
import { UsageError } from './exit.js';
import { writeWhole } from './fold/fold-files.js';
import { requireWritable } from './json-lines.js';

/** Before the work: can a structure be written there? */
export function requireStructureName(option: string, file: string): void {
  if (file.endsWith('.gz') || !['pdb', 'cif'].includes(structureFormatOf(file) ?? '')) {
    throw new UsageError(`${option} ${file}: expected a name that ends in .pdb, .ent, .cif or .mmcif`);
  }
  requireWritable(option, file);
}

export function writeStructure(file: string, structure: Structure): void {
  writeWhole(file, structureFormatOf(file) === 'cif' ? writeCif(structure, { decimals: 3 }) : writePdb(structure));
}

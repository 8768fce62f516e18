/**
 * mmCIF (PDBx), text. Reads the first data block: atom_site, struct_conn, pdbx_unobs_or_zero_occ_residues and
 * pdbx_struct_mod_residue, all but atom_site optional.
 *
 * Checked by cif.test.ts and test/oracle/protein-files.
 */

import type { Structure } from '../../molecule/structure.js';
import { FileIssues } from '../file-issues.js';
import { FILE_OPTIONS, requireContent } from '../io-door.js';
import type { Parsed } from '../issue.js';
import { readCifStructure, STRUCTURE_CATEGORIES } from './cif-structure.js';
import { parseCifBlock } from './cif-text.js';
import type { StructureReadOptions } from './pdb.js';

/** Reads an mmCIF text. `value` is null when it holds no atom_site rows. */
export function parseCif(bytes: Uint8Array, options: StructureReadOptions = {}): Parsed<Structure> {
  requireContent('parseCif', bytes, options, FILE_OPTIONS);
  const issues = new FileIssues(options.file);
  if (bytes.includes(0)) return issues.refuse('not-text', 'the file holds zero bytes: it is no text, or damaged');
  const block = parseCifBlock(new TextDecoder().decode(bytes), STRUCTURE_CATEGORIES, issues);
  if (!block) return issues.refuse('no-data-block', 'no data block (a line "data_..."): this is no CIF file');
  return readCifStructure(block, 'cif', issues);
}

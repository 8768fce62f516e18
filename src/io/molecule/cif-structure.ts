/**
 * A structure from the categories of an mmCIF data block, written as text or as BinaryCIF.
 *
 * Names are the author's (auth_asym_id, auth_seq_id), as in PDB files and papers; where the author gives none, the
 * dictionary's own (label_*). A letter behind an author's number (12A) is its insertion code, as old files have it. Source: PDBx/mmCIF dictionary, https://mmcif.wwpdb.org.
 */
import { elementFromName, elementOf } from '../../molecule/elements.js';
import {
  AtomColumnsBuilder,
  type AtomName,
  type ResidueName,
  residueKey,
  type StatedBond,
  type Structure,
} from '../../molecule/structure.js';
import type { FileIssues } from '../file-issues.js';
import type { Parsed } from '../issue.js';
import { ABSENT_COLUMN, type CifBlock, type CifCategory, type CifColumn } from './cif-text.js';
import { noteAssumptions } from './structure-assumptions.js';

export const STRUCTURE_CATEGORIES: ReadonlySet<string> = new Set([
  '_entry',
  '_atom_site',
  '_pdbx_unobs_or_zero_occ_residues',
  '_pdbx_struct_mod_residue',
  '_struct_conn',
]);

/** The first of several items that the category has. */
function pick(category: CifCategory, ...items: readonly string[]): CifColumn {
  const columns = items.map((item) => category.column(item)).filter((column) => column !== undefined);
  if (columns.length === 0) return ABSENT_COLUMN;
  return {
    text: (row) => columns.map((column) => column.text(row)).find((text) => text !== null) ?? null,
    // The first that has a value decides, so that a number and a text are the same item's.
    number: (row) => columns.find((column) => column.text(row) !== null)?.number(row) ?? null,
  };
}

const COORDINATES = ['cartn_x', 'cartn_y', 'cartn_z'] as const;

export function readCifStructure(block: CifBlock, format: 'cif' | 'bcif', issues: FileIssues): Parsed<Structure> {
  const sites = block.category('_atom_site');
  if (!sites || sites.rowCount === 0) {
    return issues.refuse('no-atoms', 'no atom_site category: the file holds no coordinates');
  }
  const missingColumns = COORDINATES.filter((item) => !sites.column(item));
  if (missingColumns.length > 0) {
    const message = `atom_site has no ${missingColumns.join(', ')}: residues are listed, without their atoms`;
    issues.error('no-coordinates', message, { element: 'atom_site', assumes: 'dropped' });
  }
  const group = pick(sites, 'group_pdb');
  const serial = pick(sites, 'id');
  const atomName = pick(sites, 'label_atom_id', 'auth_atom_id');
  const component = pick(sites, 'auth_comp_id', 'label_comp_id');
  const chain = pick(sites, 'auth_asym_id', 'label_asym_id');
  const sequence = pick(sites, 'auth_seq_id', 'label_seq_id');
  const insertion = pick(sites, 'pdbx_pdb_ins_code');
  const alternate = pick(sites, 'label_alt_id');
  const symbol = pick(sites, 'type_symbol');
  const occupancy = pick(sites, 'occupancy');
  const temperature = pick(sites, 'b_iso_or_equiv');
  const model = pick(sites, 'pdbx_pdb_model_num');
  const xyz = COORDINATES.map((item) => pick(sites, item));

  const numberResidue = createNumbering();
  const models = new Map<number, AtomColumnsBuilder>();
  const unplaced = new Map<string, ResidueName>();
  for (let row = 0; row < sites.rowCount; row++) {
    const name = atomName.text(row) ?? '';
    const stated = readNumber(sequence, row);
    const own: ResidueName = {
      name: component.text(row) ?? '',
      chain: chain.text(row) ?? '',
      sequence: stated?.sequence ?? 0,
      insertion: insertion.text(row) ?? stated?.insertion ?? '',
    };
    const residue = numberResidue(own, stated !== null, name + (alternate.text(row) ?? ''));
    if (stated === null && sequence.text(row) !== null) {
      const where = { element: `atom_site ${serial.text(row) ?? row + 1} ${name} ${own.name}` };
      const message = `residue number "${sequence.text(row)}" is no whole number; ${residue.sequence} is used`;
      issues.warn('bad-residue-number', message, { ...where, assumes: 'guessed' });
    }
    const position = xyz.map((column) => column.number(row));
    if (position.some((value) => value === null)) {
      unplaced.set(residueKey(residue.chain, residue.sequence, residue.insertion), residue);
      if (missingColumns.length === 0) {
        const where = { element: `atom_site ${serial.text(row) ?? row + 1} ${name} ${residue.name}` };
        const message = 'Cartn_x, Cartn_y, Cartn_z are no three numbers; the atom is left out';
        issues.error('bad-coordinate', message, { ...where, assumes: 'dropped' });
      }
      continue;
    }
    const number = model.number(row) ?? 1;
    if (!Number.isInteger(number) || (model.number(row) === null && model.text(row) !== null)) {
      const where = { element: `atom_site ${serial.text(row) ?? row + 1} ${name}` };
      const message = `model "${model.text(row)}" is no whole number; the atom counts as one of model ${number}`;
      issues.warn('bad-model', message, { ...where, assumes: 'guessed' });
    }
    let atoms = models.get(number);
    if (!atoms) {
      atoms = new AtomColumnsBuilder();
      models.set(number, atoms);
    }
    const column = name.length < 4 ? ` ${name.padEnd(3)}` : name;
    const element = elementOf(symbol.text(row) ?? '') || elementFromName(column, residue.name);
    if (element === '') {
      const where = { element: `atom_site ${serial.text(row) ?? row + 1} ${name} ${residue.name}` };
      const message = `no element is called "${symbol.text(row) ?? name}"; its radius is guessed`;
      issues.warn('unknown-element', message, { ...where, assumes: 'guessed' });
    }
    const id = serial.number(row);
    atoms.add({
      position: position as [number, number, number],
      serial: Number.isInteger(id) ? id! : -1,
      name,
      element,
      alternate: alternate.text(row) ?? '',
      residue,
      occupancy: occupancy.number(row) ?? 1,
      temperature: temperature.number(row) ?? 0,
      hetero: group.text(row)?.toUpperCase() === 'HETATM',
    });
  }
  const parsed = issues.finish<Structure>({
    format,
    name: block.category('_entry')?.column('id')?.text(0) ?? block.name,
    models: [...models].map(([number, atoms]) => ({ number, atoms: atoms.build() })),
    missing: readMissing(block.category('_pdbx_unobs_or_zero_occ_residues')),
    unplaced: [...unplaced.values()],
    modified: readModified(block.category('_pdbx_struct_mod_residue')),
    bonds: readBonds(block.category('_struct_conn')),
  });
  return noteAssumptions(parsed);
}

/** A residue's number, with the insertion code where it stands behind it; null for anything but whole numbers. */
function readNumber(column: CifColumn, row: number): { sequence: number; insertion?: string } | null {
  const value = column.number(row);
  if (value !== null) return Number.isInteger(value) && Math.abs(value) < 2147483648 ? { sequence: value } : null;
  const match = /^([-+]?[0-9]{1,9})([A-Za-z])$/.exec(column.text(row) ?? '');
  return match ? { sequence: Number(match[1]), insertion: match[2] } : null;
}

/**
 * Numbers for residues that have none, as waters have no place in a sequence (label_seq_id "."): counted on from the last
 * number of their chain, a new one where the component changes or an atom comes again.
 */
function createNumbering(): (residue: ResidueName, isNumbered: boolean, atom: string) => ResidueName {
  const last = new Map<string, number>();
  let current: ResidueName | null = null;
  let atoms = new Set<string>();
  return (residue, isNumbered, atom) => {
    const { chain, name } = residue;
    if (isNumbered) {
      last.set(chain, Math.max(residue.sequence, last.get(chain) ?? residue.sequence));
      current = null;
      return residue;
    }
    if (current?.chain !== chain || current.name !== name || atoms.has(atom)) {
      const sequence = (last.get(chain) ?? 0) + 1;
      last.set(chain, sequence);
      current = { ...residue, sequence };
      atoms = new Set();
    }
    atoms.add(atom);
    return current;
  };
}

function readMissing(category: CifCategory | undefined): ResidueName[] {
  if (!category) return [];
  const occupied = pick(category, 'occupancy_flag');
  const rows: ResidueName[] = [];
  const seen = new Set<string>();
  for (let row = 0; row < category.rowCount; row++) {
    // Flag 1: not observed; flag 0: present with occupancy zero.
    if ((occupied.number(row) ?? 1) === 0) continue;
    const residue = readResidue(category, row, '');
    const key = residueKey(residue.chain, residue.sequence, residue.insertion);
    if (seen.has(key)) continue;
    seen.add(key);
    rows.push(residue);
  }
  return rows;
}

function readResidue(category: CifCategory, row: number, prefix: string): ResidueName {
  const item = (name: string) => `${prefix}${name}`;
  const number = readNumber(pick(category, item('auth_seq_id'), item('label_seq_id')), row);
  return {
    name: pick(category, item('auth_comp_id'), item('label_comp_id')).text(row) ?? '',
    chain: pick(category, item('auth_asym_id'), item('label_asym_id')).text(row) ?? '',
    sequence: number?.sequence ?? 0,
    insertion: pick(category, item('pdb_ins_code'), `pdbx_${prefix}pdb_ins_code`).text(row) ?? number?.insertion ?? '',
  };
}

function readModified(category: CifCategory | undefined): Map<string, string> {
  const modified = new Map<string, string>();
  for (let row = 0; row < (category?.rowCount ?? 0); row++) {
    const name = pick(category!, 'auth_comp_id', 'label_comp_id').text(row);
    const parent = pick(category!, 'parent_comp_id').text(row);
    if (name !== null && parent !== null) modified.set(name, parent);
  }
  return modified;
}

/** Covalent bonds and disulfides within the asymmetric unit; hydrogen bonds and metal coordination are no bonds here. */
function readBonds(category: CifCategory | undefined): StatedBond[] {
  if (!category) return [];
  const type = pick(category, 'conn_type_id');
  const symmetry = ['ptnr1_symmetry', 'ptnr2_symmetry'].map((item) => pick(category, item));
  const bonds: StatedBond[] = [];
  for (let row = 0; row < category.rowCount; row++) {
    if (!/^(?:covale|disulf)/i.test(type.text(row) ?? '')) continue;
    if (symmetry[0].text(row) !== symmetry[1].text(row)) continue;
    const [a, b] = ['ptnr1_', 'ptnr2_'].map(
      (prefix): AtomName => ({
        ...readResidue(category, row, prefix),
        atom: pick(category, `${prefix}label_atom_id`).text(row) ?? '',
        alternate: pick(category, `pdbx_${prefix}label_alt_id`).text(row) ?? '',
      }),
    );
    bonds.push({ kind: 'names', atoms: [a, b] });
  }
  return bonds;
}

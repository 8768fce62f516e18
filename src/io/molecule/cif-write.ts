/**
 * Writes a structure as mmCIF text: entry, atom_site, stated bonds, residues not observed, modified residues.
 *
 * Names are the author's; label_ items repeat them, with one label_asym_id per chain. Coordinates, occupancies and
 * temperature factors are written with all their digits, or with as many decimals as asked for. What mmCIF says otherwise
 * than PDB is not kept: the ends of chains (TER), and serial numbers of bonds, which become names.
 * Source: PDBx/mmCIF dictionary, https://mmcif.wwpdb.org; CIF 1.1 syntax, see cif-text.ts.
 * Checked by cif-write.test.ts: what is written reads back.
 */
import { requireNotNegative, requireOptions, throwMisuse } from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import type { AtomColumns, AtomName, ResidueName, Structure } from '../../molecule/structure.js';
import { requireWritable } from '../io-door.js';

export interface CifWriteOptions {
  /** Decimals of coordinates, occupancies and temperature factors, 0 to 15; all digits when left out. */
  readonly decimals?: number;
}

type Value = string | number;

export function writeCif(structure: Structure, options: CifWriteOptions = {}): string {
  requireWritable('writeCif', structure);
  requireOptions('writeCif', options, { decimals: requireNotNegative });
  const { decimals } = options;
  if (decimals !== undefined && !(Number.isInteger(decimals) && decimals >= 0 && decimals <= 15)) {
    throwMisuse('writeCif', 'options.decimals', decimals, 'an integer from 0 to 15');
  }
  const real = (value: number): string => (decimals === undefined ? String(value) : value.toFixed(decimals));
  const name = /^[!-~]+$/.test(structure.name) ? structure.name : 'structure';
  const parts = [`data_${name}\n#\n_entry.id ${structure.name === '' ? "''" : quote(structure.name)}\n#\n`];
  parts.push(writeLoop('atom_site', ATOM_ITEMS, listAtoms(structure, real)));
  const { missing, modified } = structure;
  if (structure.bonds.length > 0) parts.push(writeLoop('struct_conn', BOND_ITEMS, listBonds(structure)));
  if (missing.length > 0) {
    const rows = missing.map((residue, i): Value[] => [i + 1, 1, 'Y', 1, ...residueValues(residue)]);
    parts.push(writeLoop('pdbx_unobs_or_zero_occ_residues', MISSING_ITEMS, rows));
  }
  if (modified.size > 0) {
    const rows = [...modified].map(([component, parent], i): Value[] => [i + 1, component, component, parent]);
    parts.push(writeLoop('pdbx_struct_mod_residue', MODIFIED_ITEMS, rows));
  }
  return parts.join('');
}

const ATOM_ITEMS =
  'group_PDB id type_symbol label_atom_id label_alt_id label_comp_id label_asym_id label_entity_id label_seq_id ' +
  'pdbx_PDB_ins_code Cartn_x Cartn_y Cartn_z occupancy B_iso_or_equiv auth_seq_id auth_comp_id auth_asym_id ' +
  'auth_atom_id pdbx_PDB_model_num';
const MISSING_ITEMS = 'id PDB_model_num polymer_flag occupancy_flag auth_comp_id auth_asym_id auth_seq_id PDB_ins_code';
const MODIFIED_ITEMS = 'id auth_comp_id label_comp_id parent_comp_id';
const BOND_ITEMS = ['ptnr1', 'ptnr2']
  .map(
    (side) =>
      `${side}_label_atom_id pdbx_${side}_label_alt_id ${side}_auth_comp_id ${side}_auth_asym_id ` +
      `${side}_auth_seq_id pdbx_${side}_PDB_ins_code`,
  )
  .reduce((items, side) => `${items} ${side}`, 'id conn_type_id');

function* listAtoms(structure: Structure, real: (value: number) => string): Generator<Value[]> {
  let id = 0;
  for (const { number, atoms } of structure.models) {
    for (let i = 0; i < atoms.count; i++) {
      const [chain, component] = [atoms.chains[i], atoms.residueNames[i]];
      for (let k = 0; k < 3; k++) requireFinite(atoms, i, atoms.positions[3 * i + k]);
      yield [
        atoms.hetero[i] ? 'HETATM' : 'ATOM',
        ++id,
        atoms.elements[i],
        atoms.names[i],
        atoms.alternates[i],
        component,
        chain,
        1,
        atoms.hetero[i] ? '' : atoms.sequences[i],
        atoms.insertions[i],
        real(atoms.positions[3 * i]),
        real(atoms.positions[3 * i + 1]),
        real(atoms.positions[3 * i + 2]),
        real(atoms.occupancies[i]),
        real(atoms.temperatures[i]),
        atoms.sequences[i],
        component,
        chain,
        atoms.names[i],
        number,
      ];
    }
  }
}

function requireFinite(atoms: AtomColumns, i: number, value: number): void {
  if (Number.isFinite(value)) return;
  throw new MisuseError(
    `writeCif: atom ${i} ${atoms.names[i]} ${atoms.residueNames[i]} ${atoms.sequences[i]}: coordinate, got ${value}, expected a finite number`,
  );
}

function residueValues({ name, chain, sequence, insertion }: ResidueName): Value[] {
  return [name, chain, sequence, insertion];
}

/** Bonds by serial numbers are told by the names of their atoms; those whose numbers no atom has are left out. */
function listBonds(structure: Structure): Value[][] {
  const atoms = structure.models[0]?.atoms;
  const rowOf = new Map<number, number>();
  for (let row = (atoms?.count ?? 0) - 1; row >= 0; row--) rowOf.set(atoms!.serials[row], row);
  const nameOf = (serial: number): AtomName | null => {
    const row = rowOf.get(serial);
    if (row === undefined || serial < 0) return null;
    return {
      name: atoms!.residueNames[row],
      chain: atoms!.chains[row],
      sequence: atoms!.sequences[row],
      insertion: atoms!.insertions[row],
      atom: atoms!.names[row],
      alternate: atoms!.alternates[row],
    };
  };
  const rows: Value[][] = [];
  for (const bond of structure.bonds) {
    const [a, b] = bond.kind === 'names' ? bond.atoms : bond.serials.map(nameOf);
    if (!a || !b) continue;
    const isDisulfide = a.atom === 'SG' && b.atom === 'SG';
    rows.push([
      `bond${rows.length + 1}`,
      isDisulfide ? 'disulf' : 'covale',
      ...[a, b].flatMap((atom): Value[] => [atom.atom, atom.alternate, ...residueValues(atom)]),
    ]);
  }
  return rows;
}

function writeLoop(category: string, items: string, rows: Iterable<readonly Value[]>): string {
  const lines = ['loop_', ...items.split(' ').map((item) => `_${category}.${item}`)];
  for (const row of rows) lines.push(row.map((value) => (typeof value === 'number' ? value : quote(value))).join(' '));
  return `${lines.join('\n')}\n#\n`;
}

/** A value as CIF reads it back: `.` for none, quoted where a bare word would mean something else. */
function quote(text: string): string {
  if (text === '') return '.';
  if (/^[^\s_#$'"[\];?.][^\s]*$|^[?.][^\s]+$/.test(text) && !/^(?:data_|save_|loop_$|stop_$|global_$)/i.test(text))
    return text;
  if (!/[\r\n]/.test(text)) {
    for (const mark of ["'", '"']) if (!new RegExp(`${mark}(?:\\s|$)`).test(text)) return `${mark}${text}${mark}`;
  }
  if (/[\r\n];/.test(text)) throw new MisuseError(`writeCif: text, got "${text}", expected no line that begins with ;`);
  return `\n;${text}\n;\n`;
}

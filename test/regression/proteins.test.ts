/** Public bug reports about protein files as small inputs: records, alternates, numbering, gaps, clashes. */
import { describe, expect, it } from 'vitest';
import { parseCif } from '../../src/io/molecule/cif.js';
import { parsePdb } from '../../src/io/molecule/pdb.js';
import { buildMolecule, type MoleculeOptions } from '../../src/molecule/build-molecule.js';
import { findClashes } from '../../src/molecule/clashes.js';
import { describeAtom, type Molecule } from '../../src/molecule/molecule.js';
import type { Structure } from '../../src/molecule/structure.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Row {
  readonly name: string;
  readonly residue: string;
  readonly number: number | string;
  readonly at: readonly [number, number, number];
  readonly element?: string;
  readonly chain?: string;
  readonly insertion?: string;
  readonly alternate?: string;
  readonly occupancy?: number;
  readonly hetero?: boolean;
  readonly serial?: number | string;
}

function atomLine(row: Row, index: number): string {
  const { name, residue, number, at, chain = 'A', insertion = ' ', alternate = ' ', occupancy = 1 } = row;
  const element = row.element ?? name.replace(/[0-9]/g, '')[0];
  return [
    row.hetero ? 'HETATM' : 'ATOM  ',
    String(row.serial ?? index + 1).padStart(5),
    ' ',
    (name.length < 4 ? ` ${name}` : name).padEnd(4),
    alternate,
    residue.padStart(3),
    ' ',
    chain,
    String(number).padStart(4),
    insertion,
    '   ',
    ...at.map((value) => value.toFixed(3).padStart(8)),
    occupancy.toFixed(2).padStart(6),
    '  0.00',
    ' '.repeat(10),
    element.padStart(2),
  ].join('');
}

function read(rows: readonly Row[], others: readonly string[] = []): Structure {
  const text = [...rows.map(atomLine), ...others, 'END'].join('\n');
  const { value, issues } = parsePdb(bytes(text), { file: 'small.pdb' });
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  return value!;
}

const build = (rows: readonly Row[], others: readonly string[] = [], options: MoleculeOptions = {}): Molecule =>
  buildMolecule(read(rows, others), options);

/** Backbone of one residue along x, its N 1.33 from where the one before has its C. */
function backbone(residue: string, number: number, x: number, more: Partial<Row> = {}): Row[] {
  return [
    { name: 'N', residue, number, at: [x, 0, 0], ...more },
    { name: 'CA', residue, number, at: [x + 1.2, 0.8, 0], ...more },
    { name: 'C', residue, number, at: [x + 2.4, 0, 0], ...more },
    { name: 'O', residue, number, at: [x + 2.4, -1.23, 0], ...more },
  ];
}

function bondNames(molecule: Molecule): string[] {
  const names: string[] = [];
  for (let k = 0; k < molecule.bonds.length; k += 2) {
    names.push(`${describeAtom(molecule, molecule.bonds[k])} - ${describeAtom(molecule, molecule.bonds[k + 1])}`);
  }
  return names;
}

describe('PDB alternate locations', () => {
  const rows: Row[] = [
    { name: 'CA', residue: 'CYS', number: 5, at: [0, 0, 0], alternate: 'A', occupancy: 0.8 },
    { name: 'CA', residue: 'CYS', number: 5, at: [0.5, 0, 0], alternate: 'B', occupancy: 0.2 },
    { name: 'SG', residue: 'CYS', number: 5, at: [2, 0, 0], alternate: 'B', occupancy: 0.2 },
  ];

  it('U171: atoms of one residue come from one conformation', () => {
    expect(build(rows).atomNames).toEqual(['CA']);
    expect(build(rows).positions[0]).toBe(0);
    expect(build(rows, [], { alternate: 'B' }).atomNames).toEqual(['CA', 'SG']);
    expect(build(rows, [], { alternate: 'B' }).positions[0]).toBe(0.5);
  });

  it('an atom without a letter is the copy of the conformations that have none', () => {
    // As in an entry whose first copy of CZ has lost its letter.
    const arginine: Row[] = [
      { name: 'NE', residue: 'ARG', number: 27, at: [0, 0, 0] },
      { name: 'CZ', residue: 'ARG', number: 27, at: [0, 1.3, 0], occupancy: 0.5 },
      { name: 'CZ', residue: 'ARG', number: 27, at: [1.3, 0, 0], occupancy: 0.5, alternate: 'B' },
      { name: 'NH1', residue: 'ARG', number: 27, at: [0, 2.6, 0], occupancy: 0.5, alternate: 'A' },
      { name: 'NH1', residue: 'ARG', number: 27, at: [2.6, 0, 0], occupancy: 0.5, alternate: 'B' },
    ];
    for (const [alternate, axis] of [
      ['highest', 1],
      ['A', 1],
      ['B', 0],
    ] as const) {
      const { atomNames, positions } = build(arginine, [], { alternate });
      expect(atomNames).toEqual(['NE', 'CZ', 'NH1']);
      expect([positions[3 + axis], positions[6 + axis]]).toEqual([1.3, 2.6]);
    }
  });

  it('U173: PDB and mmCIF give the same atoms and clashes', () => {
    const crowded: Row[] = [...rows, { name: 'O', residue: 'HOH', number: 9, at: [0, 2.2, 0], hetero: true }];
    const columns = 'group_PDB id type_symbol label_atom_id label_alt_id label_comp_id auth_asym_id auth_seq_id';
    const cif = [
      'data_small',
      'loop_',
      ...`${columns} Cartn_x Cartn_y Cartn_z occupancy`.split(' ').map((item) => `_atom_site.${item}`),
      ...crowded.map(({ name, residue, number, at, alternate = '.', occupancy = 1, hetero }, i) =>
        [hetero ? 'HETATM' : 'ATOM', i + 1, name[0], name, alternate, residue, 'A', number, ...at, occupancy].join(' '),
      ),
    ].join('\n');
    const a = build(crowded);
    const b = buildMolecule(parseCif(bytes(cif)).value!);
    expect([...b.atomNames]).toEqual([...a.atomNames]);
    expect(b.positions).toEqual(a.positions);
    expect(findClashes(a).clashes.length).toBe(1);
    expect(findClashes(b)).toEqual(findClashes(a));
  });
});

describe('insertion codes and numbering', () => {
  it('U175: residues 100 and 100A are two', () => {
    const { residues } = build([
      { name: 'CA', residue: 'SER', number: 100, at: [0, 0, 0] },
      { name: 'CA', residue: 'SER', number: 100, insertion: 'A', at: [3.8, 0, 0] },
    ]);
    expect(residues.map(({ sequence, insertion }) => `${sequence}${insertion}`)).toEqual(['100', '100A']);
  });

  it('U177: hybrid-36 numbers are read', () => {
    const { models } = read([{ name: 'CA', residue: 'ALA', number: 'A000', serial: 'A0000', at: [0, 0, 0] }]);
    expect(models[0].atoms.sequences[0]).toBe(10000);
    expect(models[0].atoms.serials[0]).toBe(100000);
  });
});

describe('PDB records', () => {
  it('U179: the element comes from the name where columns 73 to 80 hold a line number', () => {
    const line = 'ATOM      1  O   LEU A   1      10.000  20.000  30.000  1.00 20.00      1TSR 778';
    expect(parsePdb(bytes(line)).value!.models[0].atoms.elements).toEqual(['O']);
  });

  it('U181: a modified residue in HETATM records does not cut the chain', () => {
    const molecule = build(
      [...backbone('TYR', 1, 0), ...backbone('PTR', 2, 3.73, { hetero: true }), ...backbone('GLY', 3, 7.46)],
      ['MODRES 1ABC PTR A    2  TYR  O-PHOSPHOTYROSINE'],
    );
    expect(molecule.residues.map(({ kind }) => kind)).toEqual(['amino-acid', 'amino-acid', 'amino-acid']);
    expect(molecule.gaps).toEqual([]);
    const peptide = bondNames(molecule).filter((bond) => /\/C - .*\/N$/.test(bond));
    expect(peptide).toEqual(['A/TYR 1/C - A/PTR 2/N', 'A/PTR 2/C - A/GLY 3/N']);
  });

  it('U183: CONECT fields that run together, and fields separated by blanks', () => {
    const rows: Row[] = [
      { name: 'S1', residue: 'LIG', number: 1, serial: 5801, at: [0, 0, 0], hetero: true },
      { name: 'S2', residue: 'LIG', number: 2, serial: 10293, at: [2, 0, 0], hetero: true },
      { name: 'C9', residue: 'LIG', number: 3, serial: 1029, at: [9, 0, 0], hetero: true },
    ];
    for (const record of ['CONECT 580110293', 'CONECT 5801 10293']) {
      expect(bondNames(build(rows, [record]))).toEqual(['A/LIG 1/S1 - A/LIG 2/S2']);
    }
  });
});

describe('mmCIF', () => {
  it('U184: the chain is the author\'s where label_asym_id is "."', () => {
    const cif = `data_md
loop_
_atom_site.id
_atom_site.label_atom_id
_atom_site.label_comp_id
_atom_site.label_asym_id
_atom_site.auth_asym_id
_atom_site.auth_seq_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
1 CA ALA . A 7 1.0 2.0 3.0
`;
    const { residues } = buildMolecule(parseCif(bytes(cif)).value!);
    expect(residues).toMatchObject([{ chain: 'A', sequence: 7, name: 'ALA' }]);
  });

  it('U186: atom_site alone is enough', () => {
    const cif = `data_x
loop_
_atom_site.label_atom_id
_atom_site.label_comp_id
_atom_site.label_asym_id
_atom_site.label_seq_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
N ALA B 1 0 0 0
CA ALA B 1 1.46 0 0
`;
    const { value, issues } = parseCif(bytes(cif));
    expect(issues).toEqual([]);
    expect(bondNames(buildMolecule(value!))).toEqual(['B/ALA 1/N - B/ALA 1/CA']);
  });
});

describe('missing residues and clashes', () => {
  it('U187: the sulfurs of a disulfide are bonded, not clashing', () => {
    const molecule = build([
      { name: 'SG', residue: 'CYS', number: 3, at: [0, 0, 0] },
      { name: 'SG', residue: 'CYS', number: 40, at: [2.05, 0, 0] },
    ]);
    expect(findClashes(molecule).clashes).toEqual([]);
    expect(molecule.disulfides).toEqual([[0, 1]]);
    expect(bondNames(molecule)).toEqual(['A/CYS 3/SG - A/CYS 40/SG']);
  });

  it('U189: a chain has the same clashes with and without the other chains', () => {
    const rows: Row[] = [
      ...backbone('ALA', 1, 0, { chain: 'H' }),
      { name: 'C1', residue: 'LIG', number: 9, chain: 'H', at: [0, 2.2, 0], hetero: true },
      ...backbone('ALA', 1, 0.4, { chain: 'L' }),
    ];
    const within = (molecule: Molecule) =>
      findClashes(molecule)
        .clashes.map(({ a, b, overlap }) => ({ pair: [describeAtom(molecule, a), describeAtom(molecule, b)], overlap }))
        .filter(({ pair }) => pair.every((name) => name.startsWith('H/')));
    const both = within(build(rows));
    expect(both.length).toBeGreaterThan(0);
    expect(within(build(rows, [], { chains: ['H'] }))).toEqual(both);
  });

  it('U191: no bond across a missing residue, and the pair across it counts as not bonded', () => {
    const molecule = build(
      [...backbone('ALA', 58, 0), ...backbone('ALA', 60, 2.4 + 3.8)],
      ['REMARK 465     GLY A    59'],
    );
    expect(bondNames(molecule).filter((bond) => bond.includes('58') && bond.includes('60'))).toEqual([]);
    expect(molecule.gaps).toMatchObject([{ before: 0, after: 1, missing: 1 }]);
    expect(molecule.gaps[0].distance).toBeCloseTo(3.8, 9);
    // Pushed together the pair would be a clash, as it is joined by nothing.
    const close = build([...backbone('ALA', 58, 0), ...backbone('ALA', 60, 2.4 + 2.2)]);
    const names = findClashes(close).clashes.map(({ a, b }) => `${describeAtom(close, a)} - ${describeAtom(close, b)}`);
    expect(names).toContain('A/ALA 58/C - A/ALA 60/N');
  });
});

/** Atoms that were lost, clashes at the limit, numbers that are none, files that become far more than they are. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { encode } from '@msgpack/msgpack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseBinaryCif } from '../../src/io/molecule/bcif.js';
import { parseCif } from '../../src/io/molecule/cif.js';
import { parsePdb } from '../../src/io/molecule/pdb.js';
import { structureFormatOf } from '../../src/io/molecule/structure.js';
import { createRandom } from '../../src/math/random.js';
import { buildMolecule } from '../../src/molecule/build-molecule.js';
import { findContacts } from '../../src/molecule/cell-list.js';
import { findClashes } from '../../src/molecule/clashes.js';
import { describeAtom, type Molecule } from '../../src/molecule/molecule.js';
import { loadStructure } from '../../src/node/load-structure.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One atom record; `serial`, `number` as they stand in the file. */
function atom(record: string, serial: string, name: string, residue: string, number: string, x: number, y = 0): string {
  const place = `${serial.padStart(5)}${serial.length > 5 ? '' : ' '}`;
  const columns = `${record.padEnd(6)}${place}${(name.length < 4 ? ` ${name}` : name).padEnd(4)} ${residue.padStart(3)} A`;
  const xyz = [x, y, 0].map((value) => value.toFixed(3).padStart(8)).join('');
  return `${columns}${number.padStart(4)}    ${xyz}  1.00  0.00          ${name[0].padStart(2)}`;
}

function read(lines: readonly string[]): { molecule: Molecule; codes: string[] } {
  const { value, issues } = parsePdb(bytes([...lines, 'END'].join('\n')));
  return { molecule: buildMolecule(value!), codes: issues.map(({ code }) => code) };
}

const names = (molecule: Molecule) => Array.from(molecule.atomNames.keys(), (i) => describeAtom(molecule, i));

describe('every atom record is kept, or named', () => {
  it('two atoms of a ligand with the same name', () => {
    const { molecule, codes } = read([
      'HETATM   30  C   LIG A   9      10.000   0.000   0.000  1.00  0.00           C',
      'HETATM   31  C   LIG A   9      11.500   0.000   0.000  1.00  0.00           C',
    ]);
    expect(names(molecule)).toEqual(['A/LIG 9/C', 'A/LIG 9/C']);
    expect([codes, molecule.warnings]).toEqual([[], []]);
    expect(Array.from(molecule.bonds)).toEqual([0, 1]);
  });

  it('several waters and several ions under one number', () => {
    const { molecule } = read([
      atom('HETATM', '1', 'O', 'HOH', '1', 0),
      atom('HETATM', '2', 'O', 'HOH', '1', 5),
      atom('HETATM', '3', 'O', 'HOH', '1', 10),
      atom('HETATM', '4', 'K', 'K', '2', 20),
      atom('HETATM', '5', 'K', 'K', '2', 25),
    ]);
    expect(molecule.atomCount).toBe(5);
    expect(molecule.residues.length).toBe(5);
    expect(molecule.residues.map(({ kind }) => kind)).toEqual(['water', 'water', 'water', 'other', 'other']);
  });

  it('an atom that an amino acid has twice is named, and the molecule is not complete', () => {
    const { molecule } = read([
      atom('ATOM', '1', 'N', 'ALA', '1', 0),
      atom('ATOM', '2', 'CB', 'ALA', '1', 2),
      atom('ATOM', '3', 'CB', 'ALA', '1', 3),
    ]);
    expect(molecule.atomCount).toBe(2);
    expect(molecule.assumed).toMatchObject([{ kind: 'dropped', element: 'atom 3 A/ALA 1/CB' }]);
  });

  it('numbers beyond 9999 are counted on', () => {
    const { molecule, codes } = read([
      atom('ATOM', '1', 'N', 'GLY', '9999', 0),
      atom('ATOM', '2', 'CA', 'GLY', '9999', 1.5),
      atom('ATOM', '3', 'N', 'GLY', '****', 3),
      atom('ATOM', '4', 'CA', 'GLY', '****', 4.5),
      atom('ATOM', '5', 'N', 'GLY', '****', 6),
      atom('HETATM', '6', 'O', 'HOH', '****', 20),
      atom('HETATM', '7', 'O', 'HOH', '****', 25),
    ]);
    expect(names(molecule)).toEqual([
      'A/GLY 9999/N',
      'A/GLY 9999/CA',
      'A/GLY 10000/N',
      'A/GLY 10000/CA',
      'A/GLY 10001/N',
      'A/HOH 10002/O',
      'A/HOH 10003/O',
    ]);
    expect(codes).toContain('residue-number-overflow');
    expect(molecule.assumed).toMatchObject([{ kind: 'guessed' }]);
  });

  it.each([
    ['with blanks', 'CONECT 100000 100001'],
    ['in fields of six columns', 'CONECT100000100001'],
  ])('serials of six digits keep their bonds, %s', (_, conect) => {
    const { molecule, codes } = read([
      atom('HETATM', '100000', 'C1', 'LIG', '1', 0),
      atom('HETATM', '100001', 'C2', 'LIG', '2', 1.5),
      conect,
    ]);
    expect(codes).toEqual([]);
    expect(Array.from(molecule.bonds)).toEqual([0, 1]);
  });

  it('a line that a serial of six digits has shifted by a column', () => {
    const shifted = (line: string) => `${line.slice(0, 12)} ${line.slice(12)}`;
    const { value, issues } = parsePdb(
      bytes(`${shifted(atom('ATOM', '100000', 'CA', 'GLY', '17', 12.345, -6.5))}\nEND`),
    );
    expect(issues).toEqual([]);
    const { atoms } = value!.models[0];
    expect([atoms.serials[0], atoms.names[0], atoms.sequences[0], ...atoms.positions]).toEqual([
      100000,
      'CA',
      17,
      12.345,
      -6.5,
      0,
    ]);
  });

  it.each([1, 2, 3])('whatever names and numbers come in whatever order (seed %i)', (seed) => {
    const random = createRandom(seed);
    for (let round = 0; round < 60; round++) {
      const lines = Array.from({ length: 2 + random.integer(12) }, (_, i) => {
        const pick = <T>(...choices: T[]): T => choices[random.integer(choices.length)];
        const residue = pick('ALA', 'GLY', 'LIG', 'HOH', 'NA', 'A', 'SEP');
        const number = pick('1', '1', '2', '9999', '****', '-3');
        const serial = pick(String(i + 1), String(100000 + i), '*****');
        const line = atom(pick('ATOM', 'HETATM'), serial, pick('C', 'CA', 'N', 'O', 'NA'), residue, number, 4 * i);
        return random.next() < 0.2 ? `${line.slice(0, 16)}${pick('A', 'B')}${line.slice(17)}` : line;
      });
      const { value, issues } = parsePdb(bytes([...lines, 'END'].join('\n')));
      expect(value!.models[0].atoms.count).toBe(lines.length);
      const molecule = buildMolecule(value!);
      const left = lines.length - molecule.atomCount;
      const named = (molecule.assumed ?? []).filter(({ kind }) => kind === 'dropped').length;
      const others = (molecule.assumed ?? []).find(({ element }) => element === 'alternate locations');
      const inOthers = Number(/([0-9]+) atoms of others/.exec(others?.message ?? '0 atoms of others')![1]);
      expect(named + inOthers, `seed ${seed}\n${lines.join('\n')}\n${issues.length}`).toBe(left);
    }
  });
});

describe('a limit is met, though decimals carry rounding', () => {
  it('carbons 3.000 apart overlap by 0.4, which is a clash', () => {
    const { molecule } = read([
      atom('HETATM', '1', 'C1', 'LIG', '1', 0),
      atom('HETATM', '2', 'C2', 'LIG', '2', 3),
      atom('HETATM', '3', 'C3', 'LIG', '3', 10),
      atom('HETATM', '4', 'C4', 'LIG', '4', 13.001),
    ]);
    const { clashes } = findClashes(molecule);
    expect(clashes.map(({ a, b }) => [a, b])).toEqual([[0, 1]]);
    expect(clashes[0].overlap).toBeCloseTo(0.4, 12);
  });

  it('pairs at a distance of so many thousandths, wherever they are (seed 4)', () => {
    const random = createRandom(4);
    for (let i = 0; i < 2000; i++) {
      // Pythagorean: 3, 4, 12 and 13 are exact, and stay so in thousandths.
      const [x, y, z] = [0, 1, 2].map(() => (random.integer(200_001) - 100_000) / 1000);
      const [dx, dy, dz] = [3, 4, 12].map((part) => (part * (1 + (i % 7))) / 1000);
      const far = (13 * (1 + (i % 7))) / 1000;
      let found = 0;
      const points = Float64Array.of(
        x,
        y,
        z,
        Number((x + dx).toFixed(3)),
        Number((y + dy).toFixed(3)),
        Number((z + dz).toFixed(3)),
      );
      findContacts(points, 2, far, () => found++);
      expect(found, `${points}`).toBe(1);
    }
  });
});

describe('mmCIF residue numbers', () => {
  const site = (numbers: readonly string[]) =>
    `data_x\nloop_\n_atom_site.id\n_atom_site.label_atom_id\n_atom_site.auth_comp_id\n_atom_site.auth_asym_id\n_atom_site.auth_seq_id\n` +
    `_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n${numbers
      .map((number, i) => `${i + 1} CA GLY A ${number} ${4 * i} 0 0`)
      .join('\n')}\n`;

  it('12A is 12 with insertion code A; 12.5 is no number, and said to be none', () => {
    const { value, issues } = parseCif(bytes(site(['12', '12A', '12.5', '13'])));
    const { atoms } = value!.models[0];
    expect(Array.from(atoms.sequences)).toEqual([12, 12, 13, 13]);
    expect(atoms.insertions).toEqual(['', 'A', '', '']);
    expect(issues.map(({ code, message }) => [code, message])).toEqual([
      ['bad-residue-number', 'residue number "12.5" is no whole number; 13 is used'],
    ]);
    expect(value!.assumed).toMatchObject([{ kind: 'guessed' }]);
  });
});

describe('what counts as an amino acid', () => {
  const cofactor = (record: string, x: number) => [
    atom(record, '11', 'N', 'SAH', '9', x),
    atom(record, '12', 'CA', 'SAH', '9', x + 1.2, 0.8),
    atom(record, '13', 'C', 'SAH', '9', x + 2.4),
  ];
  const before = [
    atom('ATOM', '1', 'N', 'ALA', '8', 0),
    atom('ATOM', '2', 'CA', 'ALA', '8', 1.2, 0.8),
    atom('ATOM', '3', 'C', 'ALA', '8', 2.4),
  ];

  it('a cofactor that contains one is none, a residue in the chain is', () => {
    const kinds = (lines: readonly string[]) => read(lines).molecule.residues.map(({ kind }) => kind);
    expect(kinds([...before, ...cofactor('HETATM', 30)])).toEqual(['amino-acid', 'other']);
    expect(kinds([...before, ...cofactor('HETATM', 3.73)])).toEqual(['amino-acid', 'amino-acid']);
    expect(kinds([...before, ...cofactor('ATOM', 30)])).toEqual(['amino-acid', 'amino-acid']);
    const modres = 'MODRES 1ABC SAH A    9  CYS  MODIFIED';
    expect(kinds([modres, ...before, ...cofactor('HETATM', 30)])).toEqual(['amino-acid', 'amino-acid']);
  });

  it('a trace of C alphas has gaps where it is broken, not at every residue', () => {
    const trace = [0, 3.8, 7.6, 20, 23.8].map((x, i) => atom('ATOM', String(i + 1), 'CA', 'GLY', String(i + 1), x));
    expect(read(trace).molecule.gaps).toMatchObject([{ before: 2, after: 3, distance: null }]);
  });
});

describe('files that would become far more than they are', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'clearance-bombs-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([1e6, 1e7, 6e7])('a BinaryCIF of few bytes and %d rows is refused', (rowCount) => {
    const run = (value: number) => ({
      data: new Uint8Array(Int32Array.of(value, rowCount).buffer),
      encoding: [
        { kind: 'RunLength', srcType: 3, srcSize: rowCount },
        { kind: 'ByteArray', type: 3 },
      ],
    });
    const items = [
      'id',
      'auth_seq_id',
      'Cartn_x',
      'Cartn_y',
      'Cartn_z',
      'occupancy',
      'B_iso_or_equiv',
      'pdbx_PDB_model_num',
    ];
    const columns = items.map((name) => ({ name, data: run(1), mask: null }));
    const file = encode({
      version: '0.3',
      encoder: 'test',
      dataBlocks: [{ header: 'T', categories: [{ name: '_atom_site', rowCount, columns }] }],
    });
    expect(file.length).toBeLessThan(4000);
    const { value, issues } = parseBinaryCif(file);
    expect(value).toBe(null);
    expect(issues).toMatchObject([{ severity: 'error', code: 'bad-column' }]);
  });

  it.each([
    ['zeros', new Uint8Array(2 ** 27)],
    ['one ATOM line', bytes(`${atom('ATOM', '1', 'CA', 'GLY', '1', 0)}\n`.repeat(1_500_000))],
  ])('a .pdb.gz that unpacks to 100 MB of %s is refused', async (name, content) => {
    const file = join(folder, `${name.replace(/ /g, '-')}.pdb.gz`);
    writeFileSync(file, gzipSync(content, { level: 9 }));
    const { value, issues } = await loadStructure(file);
    expect(value).toBe(null);
    expect(issues).toMatchObject([{ severity: 'error', code: 'file-too-large' }]);
  });

  it('a PDB file of zeros is no text', () => {
    expect(parsePdb(new Uint8Array(1000)).issues).toMatchObject([{ code: 'not-text' }]);
  });
});

it('.pdbx is mmCIF', () => {
  expect(['a.pdbx', 'b.PDBX.gz', 'c.cif', 'd.pdbxx'].map(structureFormatOf)).toEqual(['cif', 'cif', 'cif', null]);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePdb } from './pdb.js';
import { readConectSerials, readHybrid36 } from './pdb-columns.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string) => parsePdb(bytes(`${text}\nEND`), { file: 'x.pdb' });
const CALCIUM = 'HETATM    1 CA    CA A 301      11.639   6.071  -5.147  1.00 23.44          CA';
const ALPHA = 'ATOM      2  CA  ALA A   2      11.639   6.071  -5.147  0.50 23.44           C';

describe('PDB files', () => {
  it('tell a C alpha from calcium, with and without the element columns', () => {
    for (const cut of [80, 66]) {
      const { value } = read([CALCIUM.slice(0, cut), ALPHA.slice(0, cut)].join('\n'));
      expect(value!.models[0].atoms.elements).toEqual(['Ca', 'C']);
    }
  });

  it('give columns as they are', () => {
    const { atoms } = read(`MODEL        3\n${ALPHA}\nTER\nENDMDL\n`).value!.models[0];
    expect(Array.from(atoms.positions)).toEqual([11.639, 6.071, -5.147]);
    expect(atoms).toMatchObject({ names: ['CA'], chains: ['A'], residueNames: ['ALA'], insertions: [''] });
    expect([atoms.occupancies[0], atoms.temperatures[0], atoms.terminal[0], atoms.hetero[0]]).toEqual([
      0.5, 23.44, 1, 0,
    ]);
  });

  it('leave out an atom whose coordinates cannot be read, and say where', () => {
    const { value, issues } = read(`${ALPHA}\n${ALPHA.replace('   6.071', '  ABCDE ')}\n${ALPHA.slice(0, 40)}`);
    expect(value!.models[0].atoms.count).toBe(1);
    expect(value!.unplaced).toEqual([{ chain: 'A', sequence: 2, insertion: '', name: 'ALA' }]);
    expect(issues[0]).toMatchObject({ severity: 'error', code: 'bad-coordinate', file: 'x.pdb', line: 2 });
    expect(issues[0].message).toContain('ABCDE');
  });

  it('read past a byte order mark', () => {
    expect(read(`\ufeff${ALPHA}`).value!.models[0].atoms.count).toBe(1);
  });

  it('say which model is empty', () => {
    const { value, issues } = read(`MODEL        1\nENDMDL\nMODEL        2\n${ALPHA}\nENDMDL\n`);
    expect(value!.models.map(({ atoms }) => atoms.count)).toEqual([0, 1]);
    expect(issues).toMatchObject([
      { severity: 'warning', code: 'empty-model', line: 2, message: 'model 1 holds no atoms' },
    ]);
  });

  it('refuse CIF text, and say what to do', () => {
    const { value, issues } = read('data_1ABC\nloop_\n_atom_site.id\nATOM 1\n');
    expect(value).toBeNull();
    expect(issues).toMatchObject([{ code: 'not-pdb', message: expect.stringContaining('name it .cif') }]);
  });

  it('refuse a file without atoms', () => {
    expect(read('hello').value).toBeNull();
    expect(read('').issues[0].code).toBe('no-atoms');
  });

  it('list residues that were not observed, with negative numbers and insertion codes', () => {
    const table = ['REMARK 465   M RES C SSSEQI', 'REMARK 465     MET A    -1', 'REMARK 465   1 GLY B   100A'];
    const { value } = read([...table, ALPHA].join('\n'));
    expect(value!.missing).toEqual([
      { name: 'MET', chain: 'A', sequence: -1, insertion: '' },
      { name: 'GLY', chain: 'B', sequence: 100, insertion: 'A' },
    ]);
  });

  it('read disulfides and links, those to symmetry copies excepted', () => {
    const bond = 'SSBOND   1 CYS A    3    CYS A   40                          1555   1555  2.03';
    const copy = 'SSBOND   2 CYS A    4    CYS A    4                          1555   2555  2.03';
    const link = 'LINK         C   GLY A   1                 N   NH2 A   2     1555   1555  1.33';
    const { value, issues } = read([bond, copy, link, ALPHA].join('\n'));
    expect(issues).toEqual([]);
    const ends = value!.bonds.map((stated) =>
      stated.kind === 'names' ? stated.atoms.map(({ atom, sequence }) => `${atom}${sequence}`) : [],
    );
    expect(ends).toEqual([['SG3', 'SG40'], ['C1', 'N2']]); // biome-ignore format: two bonds
  });

  it('never throw, whatever the bytes', () => {
    const line = fc.tuple(
      fc.constantFrom('ATOM  ', 'HETATM', 'MODEL ', 'CONECT', 'SSBOND', 'LINK  ', 'REMARK 465', 'TER'),
      fc.string({ maxLength: 90 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const { value } = read(lines.map((parts) => parts.join('')).join('\n'));
        for (const { atoms } of value?.models ?? []) expect(atoms.positions.every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('hybrid-36 numbers', () => {
  it.each([
    ['9999', 4, 9999],
    ['A000', 4, 10000],
    ['ZZZZ', 4, 1223055],
    ['a000', 4, 1223056],
    ['zzzz', 4, 2436111],
    ['A0000', 5, 100000],
    ['-999', 4, -999],
    ['****', 4, null],
    ['A00', 4, null],
    ['Ab00', 4, null],
  ])('%s in %i columns is %s', (text, width, value) => {
    expect(readHybrid36(text, width)).toBe(value);
  });
});

describe('CONECT', () => {
  it.each([
    ['CONECT 1179  746 1184 1195 1203', [1179, 746, 1184, 1195, 1203]],
    ['CONECT1029310294', [10293, 10294]],
    ['CONECT 580110293', [5801, 10293]],
    ['CONECT 5801 10293', [5801, 10293]],
    ['CONECT  12x', null],
  ])('%s', (line, serials) => {
    expect(readConectSerials(line)).toEqual(serials);
  });
});

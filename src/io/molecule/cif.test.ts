import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileIssues } from '../file-issues.js';
import { parseBinaryCif } from './bcif.js';
import { parseCif } from './cif.js';
import { parseCifBlock } from './cif-text.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('CIF text', () => {
  const block = (text: string) => {
    const issues = new FileIssues('x.cif');
    return { block: parseCifBlock(text, new Set(['_a']), issues), issues: issues.list };
  };
  const values = (text: string, item = 'x') => {
    const category = block(text).block!.category('_a')!;
    return Array.from({ length: category.rowCount }, (_, row) => category.column(item)!.text(row));
  };

  it('reads words, quotations, text fields and comments', () => {
    expect(values("data_t\nloop_\n_a.x\n_a.y\none 'two words' # note\n\"it's\" .\n;line 1\nline 2\n;\n?\n")).toEqual([
      'one',
      "it's",
      'line 1\nline 2',
    ]);
    expect(values("data_t\nloop_\n_a.x\n_a.y\no'clock 'a'b' . 5", 'y')).toEqual(["a'b", '5']);
    expect(values('data_t\n_a.x single\n_b.x other')).toEqual(['single']);
  });

  it('keeps what is quoted apart from what is unknown', () => {
    expect(values("data_t\nloop_\n_a.x\n. ? '.' '?' \"loop_\"")).toEqual([null, null, '.', '?', 'loop_']);
  });

  it('reads numbers with their uncertainty', () => {
    const column = block('data_t\nloop_\n_a.x\n1.25(3) -2e1 abc ?').block!.category('_a')!.column('x')!;
    expect([0, 1, 2, 3].map((row) => column.number(row))).toEqual([1.25, -20, null, null]);
  });

  it('names a loop whose values do not fill its rows', () => {
    const { issues } = block('data_t\nloop_\n_a.x\n_a.y\n1 2 3\n');
    expect(issues).toMatchObject([{ severity: 'error', code: 'ragged-loop', line: 2 }]);
  });

  it('never throws, and ends, whatever the text', () => {
    const word = fc.constantFrom('data_x', 'loop_', '_a.x', '_b.y', "'q", '"', ';', '\n;', '\n', '.', '?', 'v', '#');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        block(words.join(' '));
        parseCif(bytes(words.join(' ')));
      }),
      { numRuns: 500 },
    );
  });
});

describe('mmCIF', () => {
  it('refuses other files, and files without atoms, with a reason', () => {
    expect(parseCif(bytes('hello'))).toMatchObject({
      value: null,
      issues: [{ code: 'stray-value' }, { code: 'no-data-block' }],
    });
    expect(parseCif(bytes('data_x\n_entry.id X')).issues[0].code).toBe('no-atoms');
  });

  it('reads models, bonds and residues that were not observed', () => {
    const text = `data_x
_entry.id 1ABC
loop_
_atom_site.label_atom_id
_atom_site.label_comp_id
_atom_site.auth_asym_id
_atom_site.auth_seq_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
_atom_site.pdbx_PDB_model_num
SG CYS A 3 0 0 0 1
SG CYS A 9 2.05 0 0 1
SG CYS A 3 0 0 1 2
_struct_conn.conn_type_id disulf
_struct_conn.ptnr1_auth_asym_id A
_struct_conn.ptnr1_auth_seq_id 3
_struct_conn.ptnr1_label_atom_id SG
_struct_conn.ptnr2_auth_asym_id A
_struct_conn.ptnr2_auth_seq_id 9
_struct_conn.ptnr2_label_atom_id SG
loop_
_pdbx_unobs_or_zero_occ_residues.auth_asym_id
_pdbx_unobs_or_zero_occ_residues.auth_comp_id
_pdbx_unobs_or_zero_occ_residues.auth_seq_id
_pdbx_unobs_or_zero_occ_residues.occupancy_flag
A GLY 5 1
A GLY 6 0
`;
    const { value, issues } = parseCif(bytes(text));
    expect(issues).toEqual([]);
    expect(value).toMatchObject({ name: '1ABC', missing: [{ name: 'GLY', chain: 'A', sequence: 5 }] });
    expect(value!.models.map(({ number, atoms }) => [number, atoms.count])).toEqual([[1, 2], [2, 1]]); // biome-ignore format: pairs
    expect(value!.bonds).toMatchObject([{ kind: 'names', atoms: [{ sequence: 3 }, { sequence: 9, atom: 'SG' }] }]);
  });
});

describe('mmCIF without author numbers', () => {
  const read = (rows: string) =>
    parseCif(
      bytes(
        `data_x\nloop_\n${'label_atom_id label_comp_id label_asym_id label_seq_id Cartn_x Cartn_y Cartn_z'
          .split(' ')
          .map((item) => `_atom_site.${item}\n`)
          .join('')}${rows}`,
      ),
      { file: 'x.cif' },
    );

  it('numbers residues that have no place in a sequence, each of them apart', () => {
    const rows =
      'CA ALA A 7 0 0 0\nO HOH A . 9 0 0\nO HOH A . 19 0 0\nC1 LIG B . 1 1 1\nC2 LIG B . 2 1 1\nNA NA B . 5 5 5\n';
    const { value, issues } = read(rows);
    expect(issues).toEqual([]);
    const { chains, sequences } = value!.models[0].atoms;
    expect(Array.from(sequences, (number, i) => `${chains[i]}${number}`)).toEqual(['A7', 'A8', 'A9', 'B1', 'B1', 'B2']);
  });

  it('says so where a number is none', () => {
    const { issues } = read('CA ALA A x7 0 0 0\n');
    expect(issues).toMatchObject([{ severity: 'warning', code: 'bad-residue-number', element: 'atom_site 1 CA ALA' }]);
  });
});

/** Little-endian bytes of 32-bit integers, 16-bit integers and so on. */
const raw = (array: ArrayBufferView): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

describe('BinaryCIF', () => {
  const strings = (list: string[], indices: number[]) => ({
    data: raw(Int32Array.from(indices)),
    encoding: [
      {
        kind: 'StringArray',
        dataEncoding: [{ kind: 'ByteArray', type: 3 }],
        stringData: list.join(''),
        offsetEncoding: [{ kind: 'ByteArray', type: 3 }],
        offsets: raw(Int32Array.from([0, ...list.map((_, i) => list.slice(0, i + 1).join('').length)])),
      },
    ],
  });
  const file = (columns: unknown[], rowCount = 3) =>
    encode({
      version: '0.3',
      encoder: 'test',
      dataBlocks: [{ header: 'T', categories: [{ name: '_atom_site', rowCount, columns }] }],
    });
  const names = { name: 'label_atom_id', data: strings(['N', 'CA'], [0, 1, 1]) };
  const x = {
    name: 'Cartn_x',
    data: {
      data: raw(Int16Array.of(100, 50, -25)),
      encoding: [
        { kind: 'FixedPoint', factor: 100, srcType: 33 },
        { kind: 'Delta', origin: 0, srcType: 3 },
        { kind: 'IntegerPacking', byteCount: 2, isUnsigned: false, srcSize: 3 },
        { kind: 'ByteArray', type: 2 },
      ],
    },
  };
  const y = {
    name: 'Cartn_y',
    data: {
      data: raw(Int32Array.of(7, 3)),
      encoding: [
        { kind: 'RunLength', srcType: 3, srcSize: 3 },
        { kind: 'ByteArray', type: 3 },
      ],
    },
  };
  const z = {
    name: 'Cartn_z',
    data: { data: raw(Float64Array.of(0.5, -1, 2)), encoding: [{ kind: 'ByteArray', type: 33 }] },
  };

  it('undoes its encodings', () => {
    const { value, issues } = parseBinaryCif(file([names, x, y, z]));
    expect(issues).toEqual([]);
    const { atoms } = value!.models[0];
    expect(atoms.names).toEqual(['N', 'CA', 'CA']);
    expect(Array.from(atoms.positions)).toEqual([1, 7, 0.5, 1.5, 7, -1, 1.25, 7, 2]);
  });

  it('unpacks integers that need several places, and intervals', () => {
    const packed = {
      name: 'Cartn_x',
      data: {
        data: Uint8Array.of(127, 127, 1, 128, 128, 252, 5),
        encoding: [
          { kind: 'IntegerPacking', byteCount: 1, isUnsigned: false, srcSize: 3 },
          { kind: 'ByteArray', type: 1 },
        ],
      },
    };
    const interval = {
      name: 'Cartn_y',
      data: {
        data: Uint8Array.of(0, 5, 10),
        encoding: [
          { kind: 'IntervalQuantization', min: -1, max: 1, numSteps: 11, srcType: 32 },
          { kind: 'ByteArray', type: 4 },
        ],
      },
    };
    const { positions } = parseBinaryCif(file([packed, interval, z])).value!.models[0].atoms;
    expect([positions[0], positions[3], positions[6]]).toEqual([255, -260, 5]);
    expect([positions[1], positions[4], positions[7]]).toEqual([-1, 0, 1]);
  });

  it('refuses damaged files with a reason, and announces no memory it has no bytes for', () => {
    expect(parseBinaryCif(bytes('data_x')).issues[0].code).toBe('bad-messagepack');
    expect(parseBinaryCif(encode({ a: 1 })).issues[0].code).toBe('bad-bcif');
    expect(parseBinaryCif(file([names, x, y, z], 4)).issues[0].code).toBe('bad-column');
    const endless = { ...y, data: { ...y.data, data: raw(Int32Array.of(7, 2 ** 31 - 1)) } };
    expect(parseBinaryCif(file([names, x, endless, z])).issues[0].message).toContain('runs of 2147483647');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(), (noise, at) => {
        const damaged = file([names, x, y, z]).slice();
        damaged.set(noise, Math.min(at % damaged.length, damaged.length - noise.length));
        parseBinaryCif(damaged);
      }),
      { numRuns: 500 },
    );
  });
});

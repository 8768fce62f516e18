/**
 * Structure and trajectory files cut at every line and at a thousand bytes, with lines swapped, joined and split, and with bytes
 * changed: refused or told, never fewer atoms or frames in silence. What a format cannot reveal is listed in docs/formats.md.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { encode } from '@msgpack/msgpack';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Parsed } from '../../src/io/issue.js';
import { parseBinaryCif } from '../../src/io/molecule/bcif.js';
import { parseCif } from '../../src/io/molecule/cif.js';
import { writeCif } from '../../src/io/molecule/cif-write.js';
import { encodeDcdFrame, encodeDcdHeader, parseDcd } from '../../src/io/molecule/dcd.js';
import { parsePdb } from '../../src/io/molecule/pdb.js';
import { writePdb } from '../../src/io/molecule/pdb-write.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { buildMolecule } from '../../src/molecule/build-molecule.js';
import { buildPeptide } from '../../src/molecule/peptide.js';
import { type AtomColumns, AtomColumnsBuilder, type Structure } from '../../src/molecule/structure.js';
import { loadStructure } from '../../src/node/load-structure.js';
import { corrupt } from '../support/corruptions.js';
import { expect } from '../support/quick-expect.js';

const POSITIONS = 1000;
/** One of two seeds without ORACLE_FULL. */
const seeds = (...both: [number, number]): number[] => (process.env.ORACLE_FULL ? both : both.slice(0, 1));

/** A peptide, waters, ions and a ligand whose atoms share a name, some atoms in two conformations. */
function createSample(models: number): Structure {
  const peptide = buildPeptide('GAVLSK');
  const { atoms } = peptide.models[0];
  const build = (shift: number): AtomColumns => {
    const out = new AtomColumnsBuilder();
    let serial = 0;
    const add = (name: string, element: string, residue: [string, string, number], x: number, letter = ''): void => {
      const [component, chain, sequence] = residue;
      const hetero = chain !== 'A';
      const position: [number, number, number] = [x + shift, 8.125, -3.5];
      const place = { chain, sequence, insertion: '', name: component };
      const rest = { occupancy: letter === '' ? 1 : 0.5, temperature: 10, hetero };
      out.add({ position, serial: ++serial, name, element, alternate: letter, residue: place, ...rest });
    };
    for (let i = 0; i < atoms.count; i++) {
      const [x, y, z] = atoms.positions.subarray(3 * i, 3 * i + 3);
      const residue = { chain: 'A', sequence: atoms.sequences[i], insertion: '', name: atoms.residueNames[i] };
      const rest = { occupancy: 1, temperature: 5, hetero: false, alternate: '', serial: ++serial };
      out.add({ position: [x + shift, y, z], name: atoms.names[i], element: atoms.elements[i], residue, ...rest });
    }
    out.terminate();
    for (let i = 0; i < 3; i++) add('C', 'C', ['LIG', 'L', 1], 20 + 1.5 * i);
    for (let i = 0; i < 4; i++) add('O', 'O', ['HOH', 'W', i + 1], 30 + 3 * i);
    add('NA', 'Na', ['NA', 'I', 1], 50);
    return out.build();
  };
  const list = Array.from({ length: models }, (_, i) => ({ number: i + 1, atoms: build(i) }));
  return { ...peptide, name: '1ABC', models: list };
}

function encodeBinaryCif({ models }: Structure): Uint8Array {
  const rows = models.flatMap(({ number, atoms }) =>
    Array.from({ length: atoms.count }, (_, i) => ({ number, atoms, i })),
  );
  const bytesOf = (values: Float64Array | Int32Array) => new Uint8Array(values.buffer);
  const integers = (values: number[]) => ({
    data: bytesOf(Int32Array.from(values)),
    encoding: [{ kind: 'ByteArray', type: 3 }],
  });
  const numbers = (values: number[]) => ({
    data: bytesOf(Float64Array.from(values)),
    encoding: [{ kind: 'ByteArray', type: 33 }],
  });
  const texts = (values: string[]) => {
    const known = [...new Set(values)];
    const offsets = [0];
    for (const text of known) offsets.push(offsets[offsets.length - 1] + text.length);
    return {
      data: bytesOf(Int32Array.from(values, (text) => known.indexOf(text))),
      encoding: [
        {
          kind: 'StringArray',
          dataEncoding: [{ kind: 'ByteArray', type: 3 }],
          stringData: known.join(''),
          offsetEncoding: [{ kind: 'ByteArray', type: 3 }],
          offsets: bytesOf(Int32Array.from(offsets)),
        },
      ],
    };
  };
  const column = (name: string, data: unknown) => ({ name, data, mask: null });
  const columns = [
    column('group_PDB', texts(rows.map(({ atoms, i }) => (atoms.hetero[i] ? 'HETATM' : 'ATOM')))),
    column('id', integers(rows.map((_, row) => row + 1))),
    column('type_symbol', texts(rows.map(({ atoms, i }) => atoms.elements[i]))),
    column('label_atom_id', texts(rows.map(({ atoms, i }) => atoms.names[i]))),
    column('auth_comp_id', texts(rows.map(({ atoms, i }) => atoms.residueNames[i]))),
    column('auth_asym_id', texts(rows.map(({ atoms, i }) => atoms.chains[i]))),
    column('auth_seq_id', integers(rows.map(({ atoms, i }) => atoms.sequences[i]))),
    column('Cartn_x', numbers(rows.map(({ atoms, i }) => atoms.positions[3 * i]))),
    column('Cartn_y', numbers(rows.map(({ atoms, i }) => atoms.positions[3 * i + 1]))),
    column('Cartn_z', numbers(rows.map(({ atoms, i }) => atoms.positions[3 * i + 2]))),
    column('pdbx_PDB_model_num', integers(rows.map(({ number }) => number))),
  ];
  const categories = [{ name: '_atom_site', rowCount: rows.length, columns }];
  return encode({ version: '0.3', encoder: 'test', dataBlocks: [{ header: 'T', categories }] });
}

interface Census {
  /** Atoms of all models, and of the molecule of each; 0 when refused. */
  readonly atoms: number;
  readonly molecules: number;
  /** Warnings, errors and assumptions, of the file and of what was built from it. */
  readonly told: ReadonlySet<string>;
}

function count({ value, issues }: Parsed<Structure>): Census {
  const told = new Set(issues.filter(({ severity }) => severity !== 'info').map(({ message }) => message));
  let [atoms, molecules] = [0, 0];
  value?.models.forEach((model, i) => {
    atoms += model.atoms.count;
    if (model.atoms.count === 0) return;
    const molecule = buildMolecule(value, { model: i });
    molecules += molecule.atomCount;
    for (const message of molecule.warnings) told.add(message);
    for (const { message } of molecule.assumed ?? []) told.add(message);
  });
  return { atoms, molecules, told };
}

type Mutation = readonly [title: string, bytes: Uint8Array];

function* cut(bytes: Uint8Array): Generator<Mutation> {
  const step = Math.max(1, Math.floor(bytes.length / POSITIONS));
  for (let at = 0; at < bytes.length; at += step) yield [`cut at byte ${at}`, bytes.slice(0, at)];
}

function* change(bytes: Uint8Array, random: Random, isText: boolean): Generator<Mutation> {
  for (let n = 0; n < POSITIONS; n++) {
    const out = bytes.slice();
    const at = random.integer(bytes.length);
    out[at] = isText && random.next() < 0.9 ? 32 + random.integer(95) : random.integer(256);
    yield [`byte ${at} from ${bytes[at]} to ${out[at]}`, out];
  }
}

function* rearrange(text: string, random: Random): Generator<Mutation> {
  const lines = text.split('\n');
  const encoder = new TextEncoder();
  const titled = (title: string, changed: readonly string[]): Mutation => [title, encoder.encode(changed.join('\n'))];
  for (let i = 0; i < lines.length; i++) {
    yield titled(`cut before line ${i + 1}`, [...lines.slice(0, i), '']);
    const j = random.integer(lines.length);
    const swapped = lines.slice();
    [swapped[i], swapped[j]] = [swapped[j], swapped[i]];
    yield titled(`lines ${i + 1} and ${j + 1} swapped`, swapped);
    yield titled(`line ${i + 1} joined to the next`, [
      ...lines.slice(0, i),
      lines.slice(i, i + 2).join(''),
      ...lines.slice(i + 2),
    ]);
    const at = random.integer(lines[i].length + 1);
    yield titled(`line ${i + 1} split at ${at}`, [
      ...lines.slice(0, i),
      lines[i].slice(0, at),
      lines[i].slice(at),
      ...lines.slice(i + 1),
    ]);
  }
}

function expectNothingLost(
  read: (bytes: Uint8Array) => Parsed<Structure>,
  bytes: Uint8Array,
  mutations: Iterable<Mutation>,
  seed: number,
): void {
  const whole = count(read(bytes));
  expect(whole.atoms).toBeGreaterThan(40);
  let seen = 0;
  for (const [title, mutated] of mutations) {
    seen++;
    const found = count(read(mutated));
    const isLess = found.atoms < whole.atoms || found.molecules < whole.molecules;
    if (isLess && [...found.told].every((message) => whole.told.has(message))) {
      expect.fail(`seed ${seed}, ${title}: ${found.molecules} of ${whole.molecules} atoms, and not a word`);
    }
  }
  expect(seen).toBeGreaterThan(20);
}

const readers = { pdb: parsePdb, cif: parseCif } as const;

describe.each([
  ['pdb', 1],
  ['pdb', 2],
  ['cif', 1],
  ['cif', 2],
] as const)('%s of %i models', (format, models) => {
  const text = format === 'pdb' ? writePdb(createSample(models)) : writeCif(createSample(models));
  const bytes = new TextEncoder().encode(text);
  const read = (content: Uint8Array) => readers[format](content, { file: `x.${format}` });

  it('is told when it is cut', () => expectNothingLost(read, bytes, cut(bytes), 0));

  it.each(seeds(1, 2))('is told when lines are swapped, joined or split (seed %i)', (seed) => {
    expectNothingLost(read, bytes, rearrange(text, createRandom(seed)), seed);
  });

  it.each(seeds(3, 4))('is told when a byte changes (seed %i)', (seed) => {
    expectNothingLost(read, bytes, change(bytes, createRandom(seed), true), seed);
  });

  it('is told when a byte is zero or a number is none (seed 11)', () => {
    function* damage(): Generator<Mutation> {
      for (const { kind, title, bytes: damaged } of corrupt(bytes, { isText: true, seed: 11 }))
        if (['byte zeroed', 'digit to letter', 'number replaced'].includes(kind)) yield [title, damaged];
    }
    expectNothingLost(read, bytes, damage(), 11);
  });
});

describe('BinaryCIF', () => {
  const bytes = encodeBinaryCif(createSample(2));
  const read = (content: Uint8Array) => parseBinaryCif(content, { file: 'x.bcif' });

  it('is told when it is cut', () => expectNothingLost(read, bytes, cut(bytes), 0));

  it.each(seeds(5, 6))('is told when a byte changes (seed %i)', (seed) => {
    expectNothingLost(read, bytes, change(bytes, createRandom(seed), false), seed);
  });
});

describe('gzip-compressed PDB', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'clearance-structures-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is refused when it is cut or a byte changes', async () => {
    const packed = gzipSync(writePdb(createSample(1)));
    const file = join(folder, 'x.pdb.gz');
    const whole = join(folder, 'whole.pdb.gz');
    const random = createRandom(7);
    let refused = 0;
    for (const path of [file, whole]) writeFileSync(path, packed);
    expect((await loadStructure(file)).issues).toEqual([]);
    // The first ten bytes are the header: what it says of time and system is of no account.
    for (let n = 0; n < 300; n++) {
      const at = 10 + random.integer(packed.length - 10);
      const changed = Uint8Array.from(packed);
      changed[at] ^= 1 + random.integer(255);
      writeFileSync(file, n % 2 ? packed.subarray(0, at) : changed);
      const { value, issues } = await loadStructure(file);
      // Bits that pad the last byte may change nothing.
      if (value) expect(count({ value, issues }), `seed 7, byte ${at}`).toEqual(count(await loadStructure(whole)));
      else expect(issues[0].severity).toBe('error');
      if (!value) refused++;
    }
    expect(refused).toBeGreaterThan(290);
  });
});

describe('DCD', () => {
  const [atomCount, frameCount] = [12, 6];
  const random = createRandom(8);
  const frames = Array.from({ length: frameCount }, () =>
    encodeDcdFrame(Float64Array.from({ length: 3 * atomCount }, () => random.uniform(-9, 9))),
  );
  const bytes = Uint8Array.from(
    [encodeDcdHeader({ atomCount, frameCount, stepInterval: 10 }), ...frames].flatMap((part) => [...part]),
  );

  it.each([
    ['cut', 0],
    ['changed', 9],
    ['changed', 10],
  ])('is refused or told when it is %s (seed %i)', (how, seed) => {
    const mutations = how === 'cut' ? cut(bytes) : change(bytes, createRandom(seed), false);
    expect(parseDcd(bytes).issues).toEqual([]);
    for (const [title, mutated] of mutations) {
      const { value, issues } = parseDcd(mutated);
      if (value === null) expect(issues[0].severity).toBe('error');
      else if (value.frameCount < frameCount || value.atomCount < atomCount) {
        expect(issues.filter(({ severity }) => severity !== 'info').length, `seed ${seed}, ${title}`).toBeGreaterThan(
          0,
        );
      }
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPeptide } from '../../molecule/peptide.js';
import { AtomColumnsBuilder, type Structure } from '../../molecule/structure.js';
import { parseCif } from './cif.js';
import { writeCif } from './cif-write.js';
import { parsePdb } from './pdb.js';

function read(text: string): Structure {
  const { value, issues } = parseCif(new TextEncoder().encode(text));
  expect(issues).toEqual([]);
  return value!;
}

const word = fc.oneof(
  fc.constantFrom(
    'CA',
    "O5'",
    '"q"',
    "a'b",
    '.x',
    '?',
    '.',
    '_x',
    '#1',
    'data_1',
    'loop_',
    ';',
    '$',
    '[1]',
    'it\'s a "x"',
  ),
  fc.string({ minLength: 1, maxLength: 6 }).filter((text) => /^[!-~]+( [!-~]+)*$/.test(text)),
);

const residue = fc.record({
  chain: fc.oneof(fc.constant(''), word),
  sequence: fc.integer({ min: -999, max: 1_200_000 }),
  insertion: fc.constantFrom('', 'A', '?'),
  name: word,
});

const atom = fc.record({
  position: fc.tuple(
    ...[0, 1, 2].map(() => fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)),
  ) as fc.Arbitrary<[number, number, number]>,
  name: word,
  element: fc.constantFrom('C', 'Fe', 'H'),
  alternate: fc.constantFrom('', 'A', 'B'),
  residue,
  occupancy: fc.double({ min: 0, max: 1, noNaN: true }).map((x) => x + 0),
  temperature: fc.double({ min: 0, max: 100, noNaN: true }).map((x) => x + 0),
  hetero: fc.boolean(),
});

const atomName = fc
  .tuple(residue, word, fc.constantFrom('', 'A'))
  .map(([own, name, alternate]) => ({ ...own, atom: name, alternate }));

describe('writeCif', () => {
  it('writes what reads back the same', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(atom, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
        fc.array(residue, { maxLength: 3 }),
        fc.array(fc.tuple(atomName, atomName), { maxLength: 3 }),
        fc.oneof(fc.constant(''), word),
        (models, missing, bonds, name) => {
          let serial = 0;
          const structure: Structure = {
            format: 'cif',
            name,
            models: models.map((atoms, number) => {
              const builder = new AtomColumnsBuilder();
              for (const own of atoms) builder.add({ ...own, serial: ++serial });
              return { number: number + 1, atoms: builder.build() };
            }),
            missing: missing.filter(
              (a, i) =>
                missing.findIndex(
                  (b) => a.chain === b.chain && a.sequence === b.sequence && a.insertion === b.insertion,
                ) === i,
            ),
            unplaced: [],
            modified: new Map([
              ['PTR', 'TYR'],
              ["M'E", 'MET'],
            ]),
            bonds: bonds.map((pair) => ({ kind: 'names' as const, atoms: pair })),
          };
          expect(read(writeCif(structure))).toEqual(structure);
        },
      ),
    );
  });

  it('tells bonds by serial numbers by the names of their atoms', () => {
    const pdb = [
      'HETATM    7  S1  LIG A   1       0.000   0.000   0.000  1.00  0.00           S',
      'HETATM    9  S2  LIG A   2       2.000   0.000   0.000  1.00  0.00           S',
      'CONECT    7    9',
      'CONECT    7   11',
    ].join('\n');
    const structure = parsePdb(new TextEncoder().encode(pdb)).value!;
    const { bonds } = read(writeCif(structure));
    const of = (atom: string, sequence: number) => ({
      name: 'LIG',
      chain: 'A',
      sequence,
      insertion: '',
      atom,
      alternate: '',
    });
    expect(bonds).toEqual([{ kind: 'names', atoms: [of('S1', 1), of('S2', 2)] }]);
  });

  it('rounds to the decimals asked for', () => {
    const structure = buildPeptide('AG');
    const text = writeCif(structure, { decimals: 3 });
    expect(text).toMatch(/ATOM 2 C CA \. ALA A 1 1 \. 1\.458 0\.000 0\.000 1\.000 0\.000 1 ALA A CA 1\n/);
    const { positions } = read(text).models[0].atoms;
    structure.models[0].atoms.positions.forEach((x, i) => {
      expect(Math.abs(positions[i] - x)).toBeLessThan(5.1e-4);
    });
    expect(() => writeCif(structure, { decimals: 1.5 })).toThrow(/decimals, got 1.5/);
  });

  it('refuses coordinates that are no numbers', () => {
    const structure = buildPeptide('A');
    structure.models[0].atoms.positions[4] = Number.NaN;
    expect(() => writeCif(structure)).toThrow(/atom 1 CA ALA 1: coordinate, got NaN/);
  });
});

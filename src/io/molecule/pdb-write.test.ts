import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPeptide } from '../../molecule/peptide.js';
import { AtomColumnsBuilder, type Structure } from '../../molecule/structure.js';
import { parsePdb } from './pdb.js';
import { readHybrid36, writeHybrid36 } from './pdb-columns.js';
import { writePdb } from './pdb-write.js';

const read = (text: string): Structure => parsePdb(new TextEncoder().encode(text)).value!;

const atom = fc.record({
  position: fc.tuple(
    ...[0, 1, 2].map(() => fc.integer({ min: -999_999, max: 9_999_999 }).map((n) => n / 1000)),
  ) as fc.Arbitrary<[number, number, number]>,
  name: fc.constantFrom('CA', 'HG21', 'N', "O5'", 'FE', 'H'),
  alternate: fc.constantFrom('', 'A', 'B'),
  chain: fc.constantFrom('', 'A', 'z', '1'),
  sequence: fc.integer({ min: -999, max: 1_200_000 }),
  insertion: fc.constantFrom('', 'A'),
  component: fc.constantFrom('ALA', 'HEM', 'U'),
  occupancy: fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
  hetero: fc.boolean(),
  end: fc.boolean(),
});

describe('writePdb', () => {
  it('writes what reads back the same', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(atom, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
        (models) => {
          const structure: Structure = {
            ...buildPeptide('A'),
            models: models.map((atoms, number) => {
              const builder = new AtomColumnsBuilder();
              for (const { chain, sequence, insertion, component, end, ...own } of atoms) {
                const element = own.name === 'FE' ? 'Fe' : own.name[0];
                builder.add({
                  ...own,
                  element,
                  serial: 0,
                  temperature: 0,
                  residue: { chain, sequence, insertion, name: component },
                });
                if (end) builder.terminate();
              }
              return { number: number + 1, atoms: builder.build() };
            }),
          };
          const again = read(writePdb(structure));
          expect(again.models.length).toBe(structure.models.length);
          again.models.forEach(({ atoms }, i) => {
            const { serials: _, ...columns } = atoms;
            const { serials: __, ...expected } = structure.models[i].atoms;
            expect(columns).toEqual(expected);
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('refuses what the columns cannot hold', () => {
    const far = buildPeptide('A');
    far.models[0].atoms.positions[0] = 1e5;
    expect(() => writePdb(far)).toThrow('writePdb: atom 0 N ALA 1: coordinate, got 100000');
  });
});

describe('hybrid-36', () => {
  it('reads back what is written, in four and five columns', () => {
    fc.assert(
      fc.property(fc.constantFrom(4, 5), fc.nat(87_440_031), (width, value) => {
        const fits = value < 10 ** width + 2 * 26 * 36 ** (width - 1);
        if (fits) expect(readHybrid36(writeHybrid36(value, width), width)).toBe(value);
        else expect(() => writeHybrid36(value, width)).toThrow(RangeError);
      }),
    );
  });
});

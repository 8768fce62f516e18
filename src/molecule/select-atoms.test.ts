import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { buildMolecule } from './build-molecule.js';
import { describeAtom, type Molecule } from './molecule.js';
import { buildPeptide } from './peptide.js';
import { selectAtoms } from './select-atoms.js';
import { AtomColumnsBuilder } from './structure.js';

/** A peptide, chain A residues 1 to 6, a water and an iron in chain "B c", an insertion code, a hydrogen. */
function build(): Molecule {
  const peptide = buildPeptide('AGSKWA');
  const { atoms } = peptide.models[0];
  const builder = new AtomColumnsBuilder();
  const add = (
    residue: [string, number, string, string],
    name: string,
    element: string,
    position: [number, number, number],
  ) => {
    const [chain, sequence, insertion, component] = residue;
    builder.add({
      position,
      serial: builder.count + 1,
      name,
      element,
      alternate: '',
      residue: { chain, sequence, insertion, name: component },
      occupancy: 1,
      temperature: 0,
      hetero: false,
    });
  };
  for (let i = 0; i < atoms.count; i++) {
    const [x, y, z] = atoms.positions.subarray(3 * i, 3 * i + 3);
    const insertion = atoms.sequences[i] === 3 ? 'A' : '';
    const sequence = atoms.sequences[i] === 3 ? 2 : atoms.sequences[i];
    add(['A', sequence, insertion, atoms.residueNames[i]], atoms.names[i], atoms.elements[i], [x, y, z]);
    if (i === 0) add(['A', sequence, insertion, atoms.residueNames[i]], 'H1', 'H', [x - 0.6, y + 0.8, z]);
  }
  add(['B c', -5, '', 'HOH'], 'O', 'O', [50, 0, 0]);
  add(['B c', -3, '', 'FE'], 'FE', 'Fe', [52, 0, 0]);
  return buildMolecule({ ...peptide, models: [{ number: 1, atoms: builder.build() }] });
}

const molecule = build();
const names = (selection: string) =>
  Array.from(selectAtoms(molecule, selection), (atom) => describeAtom(molecule, atom));

describe('selectAtoms', () => {
  it('takes conditions by name', () => {
    expect(selectAtoms(molecule, 'all').length).toBe(molecule.atomCount);
    expect(names('none')).toEqual([]);
    expect(names('water')).toEqual(['B c/HOH -5/O']);
    expect(names('hetero')).toEqual(['B c/FE -3/FE']);
    expect(names('hydrogen')).toEqual(['A/ALA 1/H1']);
    expect(names('name CA')).toEqual(
      ['1', '2', '2A', '4', '5', '6'].map((n, i) => `A/${['ALA', 'GLY', 'SER', 'LYS', 'TRP', 'ALA'][i]} ${n}/CA`),
    );
    expect(names('element fe,o and chain "B c"')).toEqual(['B c/HOH -5/O', 'B c/FE -3/FE']);
    expect(names('resname SER, HOH and name OG , O and not backbone')).toEqual(['A/SER 2A/OG', 'B c/HOH -5/O']);
  });

  it('takes residues by number, insertion code and range', () => {
    const residues = (selection: string) => [...new Set(names(selection).map((name) => name.split('/')[1]))];
    expect(residues('residue 2')).toEqual(['GLY 2']);
    expect(residues('residue 2A')).toEqual(['SER 2A']);
    expect(residues('residue 2-4')).toEqual(['GLY 2', 'SER 2A', 'LYS 4']);
    expect(residues('residue 2A-2A,6')).toEqual(['SER 2A', 'ALA 6']);
    expect(residues('residue -5--3')).toEqual(['HOH -5', 'FE -3']);
    expect(residues('residue -5-1')).toEqual(['ALA 1', 'HOH -5', 'FE -3']);
  });

  it('parts residues into backbone, with its hydrogens, and side chain', () => {
    expect(names('residue 1 and backbone')).toEqual(['N', 'H1', 'CA', 'C', 'O'].map((name) => `A/ALA 1/${name}`));
    expect(names('residue 1 and sidechain')).toEqual(['A/ALA 1/CB']);
    expect(names('sidechain and water')).toEqual([]);
    const together = selectAtoms(molecule, 'backbone or sidechain');
    expect([...together]).toEqual([...selectAtoms(molecule, 'protein or nucleic')]);
  });

  it('binds not and within first, then and, then or', () => {
    expect(names('water or protein and name OG')).toEqual(['A/SER 2A/OG', 'B c/HOH -5/O']);
    expect(names('(water or protein) and name OG')).toEqual(['A/SER 2A/OG']);
    expect(names('not protein and not water')).toEqual(['B c/FE -3/FE']);
    expect(names('!(protein | water)')).toEqual(['B c/FE -3/FE']);
    expect(names('WITHIN 2.5 of hetero AND not hetero')).toEqual(['B c/HOH -5/O']);
    expect(names('not within 3 of within 1 of water and not protein')).toEqual([]);
  });

  it('finds what is within a distance as all pairs do', () => {
    const center = new Set(selectAtoms(molecule, 'resname TRP and sidechain'));
    const { positions, atomCount } = molecule;
    for (const distance of [0, 1.6, 4.2, 60]) {
      const expected = Array.from({ length: atomCount }, (_, i) => i).filter((i) =>
        [...center].some(
          (j) => Math.hypot(...[0, 1, 2].map((k) => positions[3 * i + k] - positions[3 * j + k])) <= distance,
        ),
      );
      expect([...selectAtoms(molecule, `within ${distance} of (resname TRP and sidechain)`)]).toEqual(expected);
    }
  });

  it.each([
    ['', /got the end at column 1, expected a condition/],
    ['chain', /got the end at column 6, expected a value/],
    ['chain A and', /got the end at column 12, expected a condition/],
    ['chain A name CA', /got "name CA" at column 9, expected and, or or \)/],
    ['nome CA', /got "nome CA" at column 1, expected a condition such as chain/],
    ['(chain A', /got "\(chain A" at column 1, expected a \) for this \(/],
    ['chain A)', /got "\)" at column 8, expected no \) without a \(/],
    ['residue 5-2', /column 9, expected a range that rises, not "5-2"/],
    ['residue x', /column 9, expected residue numbers or ranges such as 10-20, not "x"/],
    ['within of all', /got "of all" at column 8, expected a distance/],
    ['within 5 all', /got "all" at column 10, expected "of"/],
    ["name 'CA", /at column 6, expected/],
    ['and all', /got "and all" at column 1, expected a condition/],
    ['name CA,', /got the end at column 9, expected a value/],
  ])('refuses "%s" and says where', (selection, message) => {
    expect(() => selectAtoms(molecule, selection)).toThrow(RangeError);
    expect(() => selectAtoms(molecule, selection)).toThrow(message);
  });

  it('reads or refuses whatever is written, at any depth', () => {
    const random = createRandom(1);
    const words = [
      'all',
      'not',
      'and',
      'or',
      '(',
      ')',
      'name',
      'CA',
      ',',
      'within',
      '3',
      'of',
      'residue',
      '1-5',
      "'",
      '&',
    ];
    let read = 0;
    for (let run = 0; run < 3000; run++) {
      const text = Array.from({ length: 1 + random.integer(8) }, () => words[random.integer(words.length)]).join(' ');
      try {
        selectAtoms(molecule, text);
        read++;
      } catch (error) {
        expect((error as Error).message).toMatch(/^selectAtoms: selection, got .* at column \d+, expected /);
      }
    }
    expect(read).toBeGreaterThan(40);
    const depth = 3000;
    expect(selectAtoms(molecule, `${'('.repeat(depth)}all${')'.repeat(depth)}`).length).toBe(molecule.atomCount);
    expect(() => selectAtoms(molecule, 'not '.repeat(20_000))).toThrow(/at most 10000 words/);
  });
});

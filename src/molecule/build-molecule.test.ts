import { describe, expect, it } from 'vitest';
import { buildMolecule } from './build-molecule.js';
import { describeAtom, type Molecule } from './molecule.js';
import { buildPeptide } from './peptide.js';
import { AtomColumnsBuilder, type Structure } from './structure.js';

interface Row {
  readonly residue: string;
  readonly atom: string;
  readonly number: number;
  readonly alternate?: string;
  readonly x?: number;
  readonly end?: boolean;
}

function build(rows: readonly Row[], bonds: Structure['bonds'] = []): Molecule {
  const atoms = new AtomColumnsBuilder();
  rows.forEach(({ residue, atom, number, alternate = '', x = 0, end }, i) => {
    atoms.add({
      position: [x, 10 * i, 0],
      serial: i + 1,
      name: atom,
      element: atom[0],
      alternate,
      residue: { chain: 'A', sequence: number, insertion: '', name: residue },
      occupancy: 1,
      temperature: 0,
      hetero: false,
    });
    if (end) atoms.terminate();
  });
  return buildMolecule({ ...buildPeptide('A'), models: [{ number: 1, atoms: atoms.build() }], bonds });
}

const names = (molecule: Molecule) => Array.from({ length: molecule.atomCount }, (_, i) => describeAtom(molecule, i));

describe('residues of a molecule', () => {
  it('numbers that come again, as those of waters beyond 9999, are new residues', () => {
    const molecule = build([
      { residue: 'CYS', atom: 'SG', number: 1 },
      { residue: 'HOH', atom: 'O', number: 2 },
      { residue: 'NA', atom: 'NA', number: 3 },
      { residue: 'HOH', atom: 'O', number: 1 },
      { residue: 'HOH', atom: 'O', number: 2 },
      { residue: 'HOH', atom: 'O', number: 3 },
    ]);
    expect(names(molecule)).toEqual(['A/CYS 1/SG', 'A/HOH 2/O', 'A/NA 3/NA', 'A/HOH 1/O', 'A/HOH 2/O', 'A/HOH 3/O']);
    expect(molecule.residues.map(({ kind }) => kind)).toEqual([
      'amino-acid',
      'water',
      'other',
      'water',
      'water',
      'water',
    ]);
    expect(molecule.warnings).toEqual([]);
  });

  it('alternate locations listed at the end of a chain go to their residue, other components among them', () => {
    const molecule = build([
      { residue: 'SER', atom: 'CA', number: 1, alternate: 'A' },
      { residue: 'GLY', atom: 'CA', number: 2 },
      { residue: 'THR', atom: 'CA', number: 1, alternate: 'B' },
    ]);
    expect(names(molecule)).toEqual(['A/SER 1/CA', 'A/GLY 2/CA']);
  });

  it('an atom that comes twice is kept once, and named', () => {
    const molecule = build([
      { residue: 'ALA', atom: 'CA', number: 1, x: 1 },
      { residue: 'ALA', atom: 'CA', number: 1, x: 2 },
      { residue: 'ALA', atom: 'CB', number: 1 },
      { residue: 'ALA', atom: 'CB', number: 1 },
    ]);
    expect(names(molecule)).toEqual(['A/ALA 1/CA', 'A/ALA 1/CB']);
    expect(molecule.positions[0]).toBe(1);
    expect(molecule.warnings).toEqual([
      '2 atoms come twice in the same residue, as A/ALA 1/CA; the first of each is kept',
    ]);
  });

  it('behind a TER the same number begins a new residue', () => {
    const molecule = build([
      { residue: 'ALA', atom: 'CA', number: 1, end: true },
      { residue: 'ALA', atom: 'CA', number: 1 },
    ]);
    expect(molecule.residues.length).toBe(2);
  });

  it('a stated bond means the residue that had its number first', () => {
    const end = (sequence: number) => ({
      ...{ chain: 'A', sequence, insertion: '', name: 'CYS' },
      ...{ atom: 'SG', alternate: '' },
    });
    const molecule = build(
      [
        { residue: 'CYS', atom: 'SG', number: 1, x: 0 },
        { residue: 'HOH', atom: 'O', number: 9 },
        { residue: 'CYS', atom: 'SG', number: 1, x: 50 },
      ],
      [{ kind: 'names', atoms: [end(1), end(1)] }],
    );
    expect(molecule.bonds.length).toBe(0);
    expect(molecule.residues.length).toBe(3);
  });
});

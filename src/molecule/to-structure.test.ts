import { describe, expect, it } from 'vitest';
import { buildMolecule } from './build-molecule.js';
import { buildPeptide } from './peptide.js';
import { toAtomColumns, toStructure } from './to-structure.js';

describe('toStructure', () => {
  const structure = buildPeptide('AGW');
  const molecule = buildMolecule(structure);

  it('gives the molecule back, its ends and its bonds too', () => {
    const again = buildMolecule(toStructure(molecule));
    expect(again.positions).toEqual(molecule.positions);
    expect(again.residues).toEqual(molecule.residues);
    expect(again.bonds).toEqual(molecule.bonds);
  });

  it('takes positions by model, atoms by choice, and weights from the source', () => {
    const source = { ...structure.models[0].atoms, occupancies: structure.models[0].atoms.occupancies.map(() => 0.5) };
    const shifted = molecule.positions.map((x) => x + 1);
    const atoms = molecule.atomNames.flatMap((name, i) => (name === 'CA' ? [i] : []));
    const { models } = toStructure(molecule, { models: [molecule.positions, shifted], atoms, source });
    expect(models.map(({ number, atoms: { count, names } }) => [number, count, [...new Set(names)]])).toEqual([
      [1, 3, ['CA']],
      [2, 3, ['CA']],
    ]);
    expect(models[1].atoms.positions[0]).toBe(models[0].atoms.positions[0] + 1);
    expect([...models[0].atoms.occupancies]).toEqual([0.5, 0.5, 0.5]);
    expect([...models[0].atoms.terminal]).toEqual([0, 0, 1]);
    expect(() => toAtomColumns(molecule, new Float64Array(3))).toThrow(/positions, got 3/);
  });
});

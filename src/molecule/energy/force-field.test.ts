import { describe, expect, it } from 'vitest';
import { buildMolecule } from '../build-molecule.js';
import { findAtom, type Molecule } from '../molecule.js';
import { buildPeptide } from '../peptide.js';
import { contactRadius, covalentRadius, vanDerWaalsRadius } from '../radii.js';
import { COULOMB, residueTemplate } from './charmm19.js';
import { computeEnergy } from './compute-energy.js';
import { createForceField, type ForceField } from './force-field.js';

const peptide = (sequence: string) => buildMolecule(buildPeptide(sequence));

/** Charge of every residue. */
function residueCharges({ molecule, charges }: ForceField): number[] {
  return molecule.residues.map(({ first, count }) =>
    charges.subarray(first, first + count).reduce((sum, charge) => sum + charge, 0),
  );
}

const none = { isFirst: false, isLast: false };

describe('CHARMM19', () => {
  it('gives every residue its whole charge, hydrogens or not', () => {
    const field = createForceField(peptide('GACDEFGHIKLMNPQRSTVWYG'));
    const expected = [...'GACDEFGHIKLMNPQRSTVWYG'].map((code) => ({ D: -1, E: -1, K: 1, R: 1 })[code] ?? 0);
    expected[0] += 1;
    expected[expected.length - 1] -= 1;
    residueCharges(field).forEach((charge, i) => {
      expect(charge).toBeCloseTo(expected[i], 12);
    });
    expect(field.remarks.join()).toMatch(/^\d+ polar hydrogens are missing/);
    expect(field.atoms.length).toBe(field.molecule.atomCount);
    const first = createForceField(peptide('PA'));
    expect(residueCharges(first)[0]).toBeCloseTo(1, 12);
    const charged = [...residueTemplate('HSC', none)!.values()];
    expect(charged.reduce((sum, { charge, hydrogens, hydrogenCharge }) => sum + charge + hydrogens * hydrogenCharge, 0))
      .toBeCloseTo(1, 12); // biome-ignore format: one sum
  });

  it('has the torsions of the topology', () => {
    const field = createForceField(peptide('AKP'));
    const { molecule } = field;
    const list = field.torsions.map(({ atoms, height, periodicity }) =>
      [...atoms.map((atom) => `${molecule.residueOf[atom] + 1}${molecule.atomNames[atom]}`), height, periodicity].join(
        ' ',
      ),
    );
    expect(list).toEqual([
      '1C 2N 2CA 2C 0.3 3',
      '1CA 1C 2N 2CA 8.2 2',
      '2N 2CA 2CB 2CG 1.6 3',
      '2CA 2CB 2CG 2CD 1.6 3',
      '2CB 2CG 2CD 2CE 1.6 3',
      '2CG 2CD 2CE 2NZ 1.6 3',
      '2C 3N 3CA 3C 0.3 3',
      '2CA 2C 3N 3CA 10 2',
      '3N 3CA 3CB 3CG 1.6 3',
      '3CA 3CB 3CG 3CD 1.6 3',
    ]);
  });

  it('takes names that every object has for ones that the set and the radii lack', () => {
    const structure = buildPeptide('AAA');
    const [model] = structure.models;
    const remarksWith = (name: string): string[] => {
      const residueNames = model.atoms.residueNames.map((each, i) => (model.atoms.sequences[i] === 2 ? name : each));
      const elements = model.atoms.elements.map((each, i) => (model.atoms.names[i] === 'CB' ? name : each));
      const atoms = { ...model.atoms, residueNames, elements };
      const molecule = buildMolecule({ ...structure, models: [{ ...model, atoms }] });
      return createForceField(molecule).remarks.map((remark) => remark.replaceAll(name, 'UNK'));
    };
    const expected = remarksWith('UNK');
    expect(expected).toContain('A/UNK 2/CB takes no part: the set has no UNK');
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(remarksWith(name)).toEqual(expected);
      for (const radius of [vanDerWaalsRadius, contactRadius]) expect(radius(name)).toBe(2);
      expect(covalentRadius(name)).toBe(1.5);
    }
  });

  it('refuses what it cannot use', () => {
    const molecule = peptide('AA');
    for (const cutoff of [0, Number.NaN, 1e9])
      expect(() => createForceField(molecule, { cutoff })).toThrow(/cutoff, got/);
    expect(() => createForceField(molecule, { cutoff: 9, switchOn: 9 })).toThrow(/switchOn, got 9/);
    expect(() => createForceField(molecule, { dielectric: 0 })).toThrow(/dielectric, got 0/);
  });
});

/** Two carbons or nitrogens by themselves, `distance` apart, without bonds between. */
function pairOf(field: ForceField, i: number, j: number, distance: number): ReturnType<typeof computeEnergy> {
  const positions = new Float64Array(3 * field.molecule.atomCount);
  positions[3 * j] = distance;
  return computeEnergy({ ...field, atoms: Int32Array.of(i, j), torsions: [] }, positions);
}

describe('computeEnergy', () => {
  const molecule: Molecule = peptide('GAAAAKD');
  const field = createForceField(molecule);
  const at = (residue: number, name: string) => findAtom(molecule, residue, name);

  it('has its minimum where the parameters say, and Coulomb with a growing dielectric', () => {
    const [a, b] = [at(1, 'CB'), at(4, 'CB')];
    const { lennardJones, electrostatic } = pairOf(field, a, b, 2 * 2.165);
    expect(lennardJones).toBeCloseTo(-0.1811, 12);
    expect(electrostatic).toBe(0);
    const [nz, od] = [at(5, 'NZ'), at(6, 'OD1')];
    // The amine bears its three missing hydrogens.
    expect(pairOf(field, nz, od, 3).electrostatic).toBeCloseTo((COULOMB * 0.75 * -0.6) / 9, 10);
    const weak = createForceField(molecule, { dielectric: 4 });
    expect(pairOf(weak, nz, od, 3).electrostatic).toBeCloseTo((COULOMB * 0.75 * -0.6) / 36, 10);
    expect(pairOf(field, at(1, 'O'), at(4, 'N'), 3.2).lennardJones).toBeCloseTo(-Math.sqrt(0.1591 * 0.2384), 12);
  });

  it('leaves out what two bonds join and weakens what three do', () => {
    const [n, ca, c, cb] = ['N', 'CA', 'C', 'CB'].map((name) => at(2, name));
    for (const [i, j] of [[n, ca], [n, c], [cb, c]]) expect(pairOf(field, i, j, 1.5).total).toBe(0); // biome-ignore format: pairs
    const before = at(1, 'C');
    const { lennardJones, electrostatic } = pairOf(field, before, c, 3.8);
    expect(lennardJones).toBeCloseTo(-0.1, 12);
    expect(electrostatic).toBeCloseTo((0.4 * COULOMB * 0.55 * 0.55) / 3.8 ** 2, 12);
  });

  it('is switched off smoothly between 7 and 9 angstrom', () => {
    const [i, j] = [at(5, 'NZ'), at(1, 'O')];
    const energy = (distance: number) => pairOf(field, i, j, distance).electrostatic;
    const plain = (distance: number) => (COULOMB * 0.75 * -0.55) / distance ** 2;
    expect(energy(7)).toBeCloseTo(plain(7), 12);
    expect(energy(9)).toBe(0);
    const s = 64;
    const weight = ((81 - s) ** 2 * (81 + 2 * s - 3 * 49)) / (81 - 49) ** 3;
    expect(energy(8)).toBeCloseTo(weight * plain(8), 12);
    for (const border of [7, 9]) {
      const h = 1e-4;
      const [left, right] = [(energy(border) - energy(border - h)) / h, (energy(border + h) - energy(border)) / h];
      expect(Math.abs(left - right)).toBeLessThan(3e-3);
    }
    const touching = pairOf(field, i, j, 0).total;
    expect(touching).toBe(pairOf(field, i, j, 0.05).total);
    expect(Number.isFinite(touching)).toBe(true);
  });

  it('sums the torsion terms', () => {
    // All trans but phi: each of three chi of lysine is at 180 and the first at -60, where its term vanishes.
    const single = createForceField(peptide('GKG'));
    const { torsion } = computeEnergy(single);
    const phi = (-120 * Math.PI) / 180;
    expect(torsion).toBeCloseTo(2 * 0.3 * (1 + Math.cos(3 * phi)) + 4 * 1.6 * 0, 9);
  });
});

import { describe, expect, it } from 'vitest';
import { atomDistance } from './bonds.js';
import { buildMolecule } from './build-molecule.js';
import { findClashes } from './clashes.js';
import { listBonded } from './contacts.js';
import { addHydrogens, removeHydrogens } from './hydrogens.js';
import { findAtom } from './molecule.js';
import { buildPeptide } from './peptide.js';
import { measureAngle, measureTorsion } from './torsions.js';

const DEGREE = Math.PI / 180;
const SEQUENCE = 'ACDEFGHIKLMNPQRSTVWY';
/** Hydrogens of the residues inside a chain, side chains charged as usual, histidine with one. */
const COUNTS = [5, 5, 4, 6, 9, 3, 7, 11, 13, 11, 9, 6, 7, 8, 13, 5, 7, 9, 10, 9];

const strand = buildMolecule(buildPeptide(SEQUENCE));
const { molecule, added, remarks } = addHydrogens(strand);
const { positions, elements, atomNames, residues } = molecule;

describe('addHydrogens', () => {
  it('gives each of the twenty its hydrogens, two more to the first residue', () => {
    const counts = residues.map(({ first, count }) => elements.slice(first, first + count).filter((e) => e === 'H'));
    expect(counts.map(({ length }) => length)).toEqual(COUNTS.map((count, i) => (i === 0 ? count + 2 : count)));
    expect(added).toBe(COUNTS.reduce((sum, count) => sum + count, 2));
    expect(remarks).toEqual([]);
    const names = residues.map(({ first, count }) => new Set(atomNames.slice(first, first + count)).size);
    expect(names).toEqual(residues.map(({ count }) => count));
  });

  it('places them at the published lengths, at angles of sp3 and sp2 atoms', () => {
    const lengths: Record<string, number[]> = { C: [0.93, 0.97], N: [0.86, 0.89], O: [0.84], S: [1.2] };
    const bonded = listBonded(molecule);
    elements.forEach((element, hydrogen) => {
      if (element !== 'H') return;
      const [parent] = bonded[hydrogen];
      const length = atomDistance(positions, hydrogen, parent);
      const nearest = Math.min(...lengths[elements[parent]].map((known) => Math.abs(known - length)));
      expect(nearest).toBeLessThan(1e-9);
      for (const other of bonded[parent]) {
        if (other === hydrogen) continue;
        const angle = measureAngle(positions, hydrogen, parent, other) / DEGREE;
        expect(angle).toBeGreaterThan(98);
        expect(angle).toBeLessThan(132);
      }
    });
  });

  it('HA and HB2 lie on the sides that L-amino acids have, methyl groups are staggered', () => {
    const lysine = SEQUENCE.indexOf('K');
    const at = (name: string) => findAtom(molecule, lysine, name);
    // Seen along the bond from C alpha: CG, HB2, HB3 follow one another by thirds of a turn.
    const turn = (name: string) =>
      (measureTorsion(positions, at('N'), at('CA'), at('CB'), at(name)) -
        measureTorsion(positions, at('N'), at('CA'), at('CB'), at('CG'))) /
      DEGREE;
    expect((turn('HB2') + 720) % 360).toBeCloseTo(120, -1);
    expect((turn('HB3') + 720) % 360).toBeCloseTo(240, -1);
    const alanine = (name: string) => findAtom(molecule, 0, name);
    for (const name of ['HB1', 'HB2', 'HB3']) {
      const torsion = measureTorsion(positions, alanine('N'), alanine('CA'), alanine('CB'), alanine(name)) / DEGREE;
      expect(Math.abs(((torsion + 360) % 120) - 60)).toBeLessThan(1e-6);
    }
  });

  it('leaves the others where they are, has nothing to add the second time, and takes away what it added', () => {
    expect(addHydrogens(molecule).added).toBe(0);
    const back = removeHydrogens(molecule);
    expect(back.atomNames).toEqual(strand.atomNames);
    expect(back.positions).toEqual(strand.positions);
    expect(back.bonds).toEqual(strand.bonds);
  });

  it('places none by neighbours that lie in one line or in one place, and says so', () => {
    const strandOf = (change: (positions: Float64Array, at: (name: string) => number) => void) => {
      const structure = buildPeptide('GSG');
      const { atoms } = structure.models[0];
      const positions = atoms.positions.slice();
      change(positions, (name) => 3 * atoms.names.findIndex((own, i) => own === name && atoms.sequences[i] === 2));
      return addHydrogens(buildMolecule({ ...structure, models: [{ number: 1, atoms: { ...atoms, positions } }] }));
    };
    const given = strandOf(() => undefined);
    expect(given.remarks).toEqual([]);
    for (const share of [0, 2]) {
      // The serine's OG where its CB is, or in line with CA and CB.
      const bent = strandOf((positions, at) => {
        for (let k = 0; k < 3; k++) {
          const [ca, cb] = [positions[at('CA') + k], positions[at('CB') + k]];
          positions[at('OG') + k] = share === 0 ? cb : ca + share * (cb - ca);
        }
      });
      expect(bent.added).toBe(given.added - 1);
      expect(bent.molecule.positions.every(Number.isFinite)).toBe(true);
      expect(bent.remarks).toEqual([expect.stringContaining('1 atoms lack a neighbor, or have those in one line')]);
    }
  });

  it('makes the score comparable', () => {
    expect(findClashes(strand).comparable).toBe(false);
    const report = findClashes(molecule);
    expect(report.comparable).toBe(true);
    expect(report.atomCount).toBe(molecule.atomCount);
  });

  it('a disulfide has no hydrogens on its sulfurs', () => {
    const pair = buildMolecule(buildPeptide('CC'));
    const [a, b] = [0, 1].map((residue) => findAtom(pair, residue, 'SG'));
    const moved = pair.positions.slice();
    for (let k = 0; k < 3; k++) moved[3 * b + k] = moved[3 * a + k] + (k === 0 ? 2.05 : 0);
    const bonds = Int32Array.from([...pair.bonds, a, b]);
    const joined = addHydrogens({ ...pair, positions: moved, bonds, disulfides: [[0, 1]] });
    expect(joined.molecule.atomNames).not.toContain('HG');
  });
});

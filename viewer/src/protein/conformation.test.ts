import { createRandom } from 'clearance/math';
import { buildMolecule, buildPeptide, findClashes, measureTorsion } from 'clearance/molecule';
import { describe, expect, it } from 'vitest';
import { BOX_HALF_EXTENTS, BOX_NUMBERS, Conformation } from './conformation.js';

const molecule = buildMolecule(buildPeptide('GSAEWLKKCAELRKPG'));

/** Of a random walk: turns of one torsion, of many, and back. */
function walk(visit: (conformation: Conformation) => void): Conformation {
  const conformation = new Conformation(molecule);
  const random = createRandom(7);
  const { torsions } = conformation.protein;
  visit(conformation);
  for (let step = 0; step < 40; step++) {
    const before = conformation.torsions.slice();
    if (step % 5 === 4) conformation.turnAll(before.map((value) => value + random.uniform(-0.5, 0.5)));
    else conformation.turn(random.integer(torsions.length), random.uniform(-3, 3));
    visit(conformation);
    if (step % 3 > 0) continue;
    conformation.turnAll(before);
    visit(conformation);
  }
  return conformation;
}

describe('Conformation', () => {
  it('has the clashes that the report finds for its positions, and the torsions that they measure', () => {
    let clashing = 0;
    walk((conformation) => {
      const { positions } = conformation;
      const expected = findClashes({ ...molecule, positions }).clashes;
      const found = conformation.listClashes();
      expect(found.map(({ a, b }) => [a, b])).toEqual(expected.map(({ a, b }) => [a, b]));
      found.forEach(({ overlap, distance }, i) => {
        expect(overlap).toBeCloseTo(expected[i].overlap, 9);
        expect(distance).toBeCloseTo(expected[i].distance, 9);
      });
      expect(conformation.clashCount).toBe(expected.length);
      if (expected.length > 0) clashing++;
      conformation.protein.torsions.forEach(({ atoms }, i) => {
        const off = measureTorsion(positions, ...atoms) - conformation.torsions[i];
        expect(Math.abs(Math.sin(off / 2))).toBeLessThan(1e-9);
      });
    });
    expect(clashing).toBeGreaterThan(10);
  });

  it('names every atom that a turn moves', () => {
    let before = molecule.positions.slice();
    walk((conformation) => {
      const moved = new Set(conformation.moved);
      for (let atom = 0; atom < molecule.atomCount; atom++) {
        if (moved.has(atom)) continue;
        for (let k = 0; k < 3; k++)
          expect(Math.abs(conformation.positions[3 * atom + k] - before[3 * atom + k])).toBeLessThan(1e-9);
      }
      before = conformation.positions.slice();
    });
  });

  it('goes back to what was read, to the last bit', () => {
    const conformation = walk(() => undefined);
    expect(conformation.isAsRead).toBe(false);
    conformation.reset();
    expect(conformation.isAsRead).toBe(true);
    expect(conformation.positions).toEqual(molecule.positions);
    expect(conformation.clashCount).toBe(findClashes(molecule).clashes.length);
  });

  it('places boxes so that each holds the atoms of the links below it, at every level', () => {
    walk((conformation) => {
      const { levelCount, positions, protein } = conformation;
      for (let level = 0; level < levelCount; level++) {
        const boxes = conformation.writeBoxes(level);
        const height = levelCount - 1 - level;
        expect(boxes.length).toBe(BOX_NUMBERS * Math.ceil(protein.linkCount / 2 ** height));
        expect(conformation.boxCount(level)).toBe(boxes.length / BOX_NUMBERS);
        protein.linkOf.forEach((link, atom) => {
          const box = BOX_NUMBERS * (link >> height);
          for (let k = 0; k < 3; k++) {
            let along = 0;
            for (let row = 0; row < 3; row++)
              along += boxes[box + 3 * row + k] * (positions[3 * atom + row] - boxes[box + 9 + row]);
            expect(Math.abs(along)).toBeLessThanOrEqual(boxes[box + BOX_HALF_EXTENTS + k] + 1e-9);
          }
        });
      }
    });
  });

  it('marks as computed anew by a turn as many boxes as the tree computes', () => {
    const conformation = new Conformation(molecule);
    conformation.protein.torsions.forEach((_, torsion) => {
      conformation.turn(torsion, 0.3 + conformation.torsions[torsion]);
      let marked = 0;
      for (let level = 0; level < conformation.levelCount; level++)
        marked += conformation.listRenewed(level, torsion).size;
      expect(marked).toBe(conformation.work!.boxes);
    });
  });
});

import { buildMolecule, buildPeptide, findClashes } from 'clearance/molecule';
import { describe, expect, it } from 'vitest';
import { Conformation } from './conformation.js';
import { findTurnAway } from './turn-away.js';

const DEGREE = Math.PI / 180;

describe('findTurnAway', () => {
  it('takes the clash away by the least turn, and leaves fewer; the conformation stands as it stood', () => {
    const molecule = buildMolecule(
      buildPeptide(
        'GSAEALKKAAELLKKGG',
        Array.from({ length: 17 }, () => ({ phi: -40 * DEGREE, psi: -20 * DEGREE })),
      ),
    );
    let freed = 0;
    const { clashes } = findClashes(molecule);
    expect(clashes.length).toBeGreaterThan(3);
    for (const clash of clashes) {
      const conformation = new Conformation(molecule);
      const [torsions, positions] = [conformation.torsions.slice(), conformation.positions.slice()];
      const found = findTurnAway(conformation, clash);
      expect(conformation.torsions).toEqual(torsions);
      expect(conformation.clashCount).toBe(clashes.length);
      for (const [i, x] of conformation.positions.entries()) expect(Math.abs(x - positions[i])).toBeLessThan(1e-9);
      if (!found) continue;
      freed++;
      conformation.turn(found.torsion, found.value);
      const left = findClashes({ ...molecule, positions: conformation.positions }).clashes;
      expect(left.length).toBe(found.clashes);
      expect(left.length).toBeLessThan(clashes.length);
      expect(left.some(({ a, b }) => a === clash.a && b === clash.b)).toBe(false);
      conformation.dispose();
    }
    expect(freed).toBeGreaterThan(0);
  });
});

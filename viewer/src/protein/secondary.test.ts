import { buildMolecule, buildPeptide, findAtom } from 'clearance/molecule';
import { describe, expect, it } from 'vitest';
import { findSecondary } from './secondary.js';

const degree = Math.PI / 180;

function trace(angles: readonly (readonly [number, number])[]): number[] {
  const molecule = buildMolecule(
    buildPeptide(
      'A'.repeat(angles.length),
      angles.map(([phi, psi]) => ({ phi: phi * degree, psi: psi * degree })),
    ),
  );
  return Array.from(angles, (_, residue) => {
    const atom = findAtom(molecule, residue, 'CA');
    return [...molecule.positions.subarray(3 * atom, 3 * atom + 3)];
  }).flat();
}

describe('findSecondary', () => {
  it('knows the helix and the strand of their ideal angles', () => {
    expect(new Set(findSecondary(trace(new Array(12).fill([-57, -47]))))).toEqual(new Set(['helix']));
    expect(new Set(findSecondary(trace(new Array(12).fill([-120, 130]))))).toEqual(new Set(['strand']));
    expect(new Set(findSecondary(trace(new Array(12).fill([60, -120]))))).toEqual(new Set(['coil']));
  });

  it('tells two helices from the turn between them, and takes short rows as coil', () => {
    const angles = [
      ...new Array(10).fill([-60, -45]),
      [60, 40],
      [-80, 120],
      [-100, -20],
      ...new Array(10).fill([-60, -45]),
    ];
    const found = findSecondary(trace(angles));
    expect(found.slice(0, 9)).toEqual(new Array(9).fill('helix'));
    expect(found.slice(14)).toEqual(new Array(9).fill('helix'));
    expect(found.slice(10, 14)).toContain('coil');
    expect(findSecondary(trace(new Array(4).fill([-57, -47])))).toEqual(new Array(4).fill('coil'));
    expect(findSecondary([])).toEqual([]);
  });
});

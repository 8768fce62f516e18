import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeAtoms, toInternalCoordinates } from './internal-coordinates.js';
import { measureTorsion } from './torsions.js';

/** A random tree of atoms about 1.5 apart, with a few loose atoms. */
const molecule = fc
  .array(
    fc.tuple(
      fc.nat(),
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 9 }),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((rows) => {
    const positions = new Float64Array(3 * rows.length);
    const bonds: number[] = [];
    rows.forEach(([pick, x, y, z, loose], i) => {
      const parent = i === 0 || loose === 0 ? -1 : pick % i;
      const length = Math.hypot(x, y, z) || 1;
      [x, y, z].forEach((value, k) => {
        positions[3 * i + k] = (parent < 0 ? 20 * i : positions[3 * parent + k]) + (1.5 * value) / length;
      });
      if (parent >= 0) bonds.push(parent, i);
    });
    return { atomCount: rows.length, positions, bonds: Int32Array.from(bonds) };
  });

describe('internal coordinates', () => {
  it('give the atoms back', () => {
    fc.assert(
      fc.property(molecule, (input) => {
        const placed = placeAtoms(new Float64Array(input.positions.length), toInternalCoordinates(input));
        placed.forEach((value, i) => {
          expect(Math.abs(value - input.positions[i])).toBeLessThan(1e-7);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('turn a bond, with everything beyond it, when one torsion changes', () => {
    // Butane's carbons with two hydrogens on the third one.
    const positions = Float64Array.of(0, 1.4, 0, 0, 0, 0, 1.5, 0, 0, 1.5, -1.4, 0, 1.9, 0.4, 0.9, 1.9, 0.4, -0.9);
    const bonds = Int32Array.of(0, 1, 1, 2, 2, 3, 2, 4, 2, 5);
    const internal = toInternalCoordinates({ atomCount: 6, positions, bonds });
    const turned = internal.torsions.findIndex((_, atom) => internal.references[3 * atom] === 2);
    expect(turned).toBeGreaterThan(2);
    internal.torsions[turned] += 0.7;
    const placed = placeAtoms(new Float64Array(18), internal);
    const wrap = (angle: number) => Math.atan2(Math.sin(angle), Math.cos(angle));
    for (const atom of [3, 4, 5]) {
      const before = measureTorsion(positions, 0, 1, 2, atom);
      const moved = wrap(measureTorsion(placed, 0, 1, 2, atom) - before);
      // The seeds keep their place: if atom 3 is one, everything on atom 2 but it stays, and the first atom turns.
      if (internal.references[3 * atom] >= 0) expect(Math.abs(moved)).toBeCloseTo(0.7, 9);
    }
  });

  it('measure torsions with the sign of IUPAC', () => {
    const quarter = Float64Array.of(0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1);
    expect(measureTorsion(quarter, 0, 1, 2, 3)).toBeCloseTo(Math.PI / 2, 15);
  });
});

import { describe, expect, it } from 'vitest';
import { createBruteForceChain } from '../chain/brute-force-chain.js';
import { createTransform } from '../math/transform.js';
import { createBackboneChain } from './backbone-chain.js';
import { buildMolecule } from './build-molecule.js';
import { findAtom } from './molecule.js';
import { buildPeptide } from './peptide.js';

const sequence = 'GSEEAAKLPEELKKWCDEF';
const molecule = buildMolecule(
  buildPeptide(
    sequence,
    Array.from(sequence, () => ({ phi: -1.0, psi: -0.82 })),
  ),
);

describe('createBackboneChain', () => {
  it('has a link at N, CA and C of every residue, where the molecule has them, and starts free', () => {
    const { chain, residueCount, radius, chainName } = createBackboneChain(molecule)!;
    expect([chain.linkCount, residueCount, chain.exclusion]).toEqual([3 * sequence.length, sequence.length, 3]);
    expect(chainName).toBe(molecule.residues[0].chain);
    expect(radius).toBeGreaterThan(0.5);
    expect(radius).toBeLessThanOrEqual(1);
    const state = createBruteForceChain(chain);
    expect(state.hasContact()).toBe(false);
    const poses = state.writeLinkPoses(new Float64Array(12 * chain.linkCount));
    const first = findAtom(molecule, 0, 'N');
    molecule.residues.forEach((_, i) => {
      ['N', 'CA', 'C'].forEach((name, k) => {
        const atom = findAtom(molecule, i, name);
        for (let r = 0; r < 3; r++) {
          const offset = molecule.positions[3 * atom + r] - molecule.positions[3 * first + r];
          expect(poses[12 * (3 * i + k) + 9 + r]).toBeCloseTo(offset, 9);
        }
      });
    });
  });

  it('turns about its bonds: the next link stays where it is', () => {
    const { chain } = createBackboneChain(molecule)!;
    const state = createBruteForceChain(chain);
    const before = state.relativePose(createTransform(), 10, 11).slice(9);
    state.stageTurn(10, 1);
    state.apply();
    expect(state.relativePose(createTransform(), 10, 11).slice(9)).toEqual(before);
  });

  it('names two atoms in the same place', () => {
    for (const [residue, name] of [
      [1, 'N'],
      [4, 'C'],
    ] as const) {
      const positions = molecule.positions.slice();
      const [from, to] = [findAtom(molecule, 1, 'CA'), findAtom(molecule, residue, name)];
      positions.copyWithin(3 * to, 3 * from, 3 * from + 3);
      expect(() => createBackboneChain({ ...molecule, positions })).toThrow(/got A\/.* and A\/.* in the same place/);
    }
  });

  it('is null for a chain that is not there or too short', () => {
    expect(createBackboneChain(molecule, 'Z')).toBeNull();
    expect(createBackboneChain(buildMolecule(buildPeptide('G', [{}])))).toBeNull();
  });
});

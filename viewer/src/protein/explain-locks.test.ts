import { buildMolecule, buildPeptide, createProteinChain } from 'clearance/molecule';
import { describe, expect, it } from 'vitest';
import { findAtomOnRay } from './atom-hover.js';
import { explainLocks } from './explain-locks.js';

const degree = Math.PI / 180;
const helix = (sequence: string) =>
  createProteinChain(
    buildMolecule(
      buildPeptide(
        sequence,
        Array.from(sequence, () => ({ phi: -60 * degree, psi: -45 * degree })),
      ),
    ),
  );

describe('explainLocks', () => {
  it('names proline, the ends of the chain, and nothing where both bonds turn', () => {
    const chain = helix('GAPAG');
    expect(explainLocks(chain, 1)).toEqual([]);
    expect(explainLocks(chain, 2)).toEqual(["φ locked: its bond is in proline's ring"]);
    expect(explainLocks(chain, 0)[0]).toBe('no φ: the chain ends here');
    // The last oxygen turns about psi; without it nothing would.
    expect(explainLocks(chain, 4)).toEqual([]);
    const torsions = chain.torsions.filter(({ residue, name }) => residue !== 4 || name !== 'psi');
    expect(explainLocks({ ...chain, torsions }, 4)).toEqual(['no ψ: the chain ends here']);
  });

  it('names the bridge that would tear', () => {
    const { molecule, ...rest } = helix('GACAACAG');
    const bridged = { ...molecule, disulfides: [[2, 5] as const] };
    const torsions = rest.torsions.filter(({ residue }) => residue < 2 || residue > 5);
    const locks = explainLocks({ ...rest, molecule: bridged, torsions }, 3);
    expect(locks).toHaveLength(2);
    for (const lock of locks) expect(lock).toMatch(/locked: the bridge between A?\/?CYS 3 and A?\/?CYS 6 would tear/);
  });
});

describe('findAtomOnRay', () => {
  it('finds the first atom near the ray, before it and not behind it', () => {
    const positions = [5, 0.3, 0, 3, 0, 0.6, 2, 0.9, 0, -1, 0, 0];
    expect(findAtomOnRay(positions, [0, 0, 0], [2, 0, 0])).toBe(1);
    expect(findAtomOnRay(positions, [4, 0, 0], [1, 0, 0])).toBe(0);
    expect(findAtomOnRay(positions, [6, 0, 0], [1, 0, 0])).toBe(-1);
  });
});

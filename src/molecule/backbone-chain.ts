/**
 * The backbone of a protein as a chain of equal spheres at N, CA and C that turns about its bonds: what Lotan et al. 2002
 * measure their second benchmark on (section 5, ACM Symposium on Computational Geometry).
 *
 * One radius for all: 1 angstrom, less where the structure itself brings two atoms more than three bonds apart closer, so
 * that every structure starts free. Atoms up to three bonds apart never count as touching. Residues without all three atoms
 * are left out, and the bond leads over the gap. For a protein that keeps its side chains see protein-chain.ts.
 * Angstrom. Cost: O(n^2) for the radius, once.
 */

import { type Chain, createChain } from '../chain/chain.js';
import { requireText } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { hypot } from '../math/scalar.js';
import { describeAtom, findAtom, type Molecule, requireMolecule } from './molecule.js';

const ATOMS = ['N', 'CA', 'C'] as const;
const EXCLUSION = 3;
const LARGEST_RADIUS = 1;
/** Of half the smallest distance, so that the nearest two do not touch. */
const CLEARANCE = 0.999;

export interface BackboneChain {
  readonly chain: Chain;
  /** Name of the molecule's chain it was made from. */
  readonly chainName: string;
  readonly residueCount: number;
  readonly radius: number;
}

/**
 * @param chainName which chain; the first one with amino acids when left out
 * @returns null when it has fewer than two residues with all three atoms
 * @throws RangeError when two of the atoms are in the same place: no bond leads from one to the other
 */
export function createBackboneChain(molecule: Molecule, chainName?: string): BackboneChain | null {
  requireMolecule('createBackboneChain', 'molecule', molecule);
  if (chainName !== undefined) requireText('createBackboneChain', 'chainName', chainName);
  let chosen = chainName;
  const points: Float64Array[] = [];
  const used: number[] = [];
  molecule.residues.forEach(({ kind, chain }, i) => {
    if (kind !== 'amino-acid' || (chosen !== undefined && chain !== chosen)) return;
    const atoms = ATOMS.map((name) => findAtom(molecule, i, name));
    if (atoms.includes(-1)) return;
    chosen ??= chain;
    for (const atom of atoms) points.push(molecule.positions.slice(3 * atom, 3 * atom + 3));
    used.push(...atoms);
  });
  if (chosen === undefined || points.length < 2 * ATOMS.length) return null;
  const { radius, a, b } = chooseRadius(points);
  if (radius === 0) {
    const names = `${describeAtom(molecule, used[a])} and ${describeAtom(molecule, used[b])}`;
    throw new MisuseError(`createBackboneChain: molecule, got ${names} in the same place, expected them apart`);
  }
  const chain = createChain({
    links: points.map(() => ({ shape: { type: 'sphere', radius } })),
    joints: points.slice(1).map((point, i) => {
      const bond: [number, number, number] = [
        point[0] - points[i][0],
        point[1] - points[i][1],
        point[2] - points[i][2],
      ];
      return { type: 'revolute', origin: [...bond, 0, 0, 0, 1], axis: bond };
    }),
    exclusion: EXCLUSION,
  });
  return { chain, chainName: chosen, residueCount: points.length / ATOMS.length, radius };
}

/** Half the smallest distance of points that may touch, and which; 0 also for neighbours in the same place. */
function chooseRadius(points: readonly Float64Array[]): { radius: number; a: number; b: number } {
  let [nearest, a, b] = [2 * LARGEST_RADIUS, 0, 0];
  for (let i = 0; i < points.length; i++) {
    const [x, y, z] = points[i];
    for (let j = i + 1; j < points.length; j++) {
      const [u, v, w] = points[j];
      const distance = CLEARANCE * hypot(u - x, v - y, w - z);
      if (distance < nearest && (distance === 0 || j - i > EXCLUSION)) [nearest, a, b] = [distance, i, j];
    }
  }
  return { radius: nearest / 2, a, b };
}

/**
 * Torsion angles of a molecule.
 *
 * Sign and names: IUPAC-IUB 1970, doi:10.1021/bi00820a001; looking along the middle bond, clockwise from the near bond to
 * the far one is positive; phi C-N-CA-C, psi N-CA-C-N, omega CA-C-N-CA. Angles in radians, (-pi, pi].
 */
import { requireIndex, throwMisuse } from '../math/arguments.js';
import { atan2 } from '../math/scalar.js';
import { aminoAcidOf } from './amino-acids.js';
import { findAtom, type Molecule, requireMolecule } from './molecule.js';

/** Atoms that the positions have. Cheap. */
function requireFour(call: string, positions: Float64Array, a: number, b: number, c: number, d: number): void {
  const count = (positions as Float64Array | null | undefined)?.length;
  if (typeof count !== 'number' || typeof positions !== 'object')
    throwMisuse(call, 'positions', positions, '3 numbers per atom');
  const atoms = count / 3;
  if (isBelow(a, atoms) && isBelow(b, atoms) && isBelow(c, atoms) && isBelow(d, atoms)) return;
  for (const [name, atom] of Object.entries({ a, b, c, d })) requireIndex(call, name, atom, Math.floor(atoms));
}

const isBelow = (atom: number, atoms: number): boolean => Number.isInteger(atom) && atom >= 0 && atom + 1 <= atoms;

/** No angle comes out where a coordinate is no number. */
function finite(call: string, positions: Float64Array, angle: number): number {
  if (Number.isNaN(angle)) throwMisuse(call, 'positions', positions, 'finite numbers, less than 1e100 apart');
  return angle;
}

/** Angle between the planes of atoms a, b, c and b, c, d; 0 when three of them lie on a line. */
export function measureTorsion(positions: Float64Array, a: number, b: number, c: number, d: number): number {
  requireFour('measureTorsion', positions, a, b, c, d);
  const ux = positions[3 * b] - positions[3 * a];
  const uy = positions[3 * b + 1] - positions[3 * a + 1];
  const uz = positions[3 * b + 2] - positions[3 * a + 2];
  const vx = positions[3 * c] - positions[3 * b];
  const vy = positions[3 * c + 1] - positions[3 * b + 1];
  const vz = positions[3 * c + 2] - positions[3 * b + 2];
  const wx = positions[3 * d] - positions[3 * c];
  const wy = positions[3 * d + 1] - positions[3 * c + 1];
  const wz = positions[3 * d + 2] - positions[3 * c + 2];
  const mx = uy * vz - uz * vy;
  const my = uz * vx - ux * vz;
  const mz = ux * vy - uy * vx;
  const nx = vy * wz - vz * wy;
  const ny = vz * wx - vx * wz;
  const nz = vx * wy - vy * wx;
  const length = Math.sqrt(vx * vx + vy * vy + vz * vz);
  return finite(
    'measureTorsion',
    positions,
    atan2(length * (ux * nx + uy * ny + uz * nz), mx * nx + my * ny + mz * nz),
  );
}

/** Angle at b between a and c, [0, pi]. */
export function measureAngle(positions: Float64Array, a: number, b: number, c: number): number {
  requireFour('measureAngle', positions, a, b, c, c);
  const ux = positions[3 * a] - positions[3 * b];
  const uy = positions[3 * a + 1] - positions[3 * b + 1];
  const uz = positions[3 * a + 2] - positions[3 * b + 2];
  const vx = positions[3 * c] - positions[3 * b];
  const vy = positions[3 * c + 1] - positions[3 * b + 1];
  const vz = positions[3 * c + 2] - positions[3 * b + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return finite('measureAngle', positions, atan2(Math.sqrt(x * x + y * y + z * z), ux * vx + uy * vy + uz * vz));
}

export interface ResidueTorsions {
  /** null where an atom is absent or the neighbour is not bonded. */
  readonly phi: number | null;
  readonly psi: number | null;
  /** Of the peptide bond to the residue before. */
  readonly omega: number | null;
  readonly chi: readonly (number | null)[];
}

/** Backbone and side-chain torsions of every residue; residues that are no amino acids have none (null). */
export function computeTorsions(molecule: Molecule): (ResidueTorsions | null)[] {
  requireMolecule('computeTorsions', 'molecule', molecule);
  const { positions, residues, bonds } = molecule;
  const before = new Int32Array(residues.length).fill(-1);
  const after = new Int32Array(residues.length).fill(-1);
  for (let k = 0; k < bonds.length; k += 2) {
    for (const [i, j] of [
      [bonds[k], bonds[k + 1]],
      [bonds[k + 1], bonds[k]],
    ]) {
      const [a, b] = [molecule.residueOf[i], molecule.residueOf[j]];
      if (a === b || molecule.atomNames[i] !== 'C' || molecule.atomNames[j] !== 'N') continue;
      after[a] = b;
      before[b] = a;
    }
  }
  const torsion = (atoms: readonly (readonly [number, string])[]): number | null => {
    const found = atoms.map(([residue, name]) => (residue < 0 ? -1 : findAtom(molecule, residue, name)));
    return found.includes(-1) ? null : measureTorsion(positions, found[0], found[1], found[2], found[3]);
  };
  return residues.map(({ kind, name }, i) => {
    if (kind !== 'amino-acid') return null;
    const [p, n] = [before[i], after[i]];
    return {
      phi: torsion([[p, 'C'], [i, 'N'], [i, 'CA'], [i, 'C']]), // biome-ignore format: one torsion, one line
      psi: torsion([[i, 'N'], [i, 'CA'], [i, 'C'], [n, 'N']]), // biome-ignore format: one torsion, one line
      omega: torsion([[p, 'CA'], [p, 'C'], [i, 'N'], [i, 'CA']]), // biome-ignore format: one torsion, one line
      chi: (aminoAcidOf(name)?.chi ?? []).map((atoms) => torsion(atoms.map((atom) => [i, atom] as const))),
    };
  });
}

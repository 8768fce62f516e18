/**
 * A molecule as internal coordinates: every atom by the length of its bond, one angle and one torsion, so that turning a
 * bond is changing one number.
 *
 * Method: a spanning tree of the bonds, breadth first, of each bonded fragment. The first child of an atom p takes the
 * torsion about the bond from p's parent g, counted from an atom before g; p's further children take theirs from that first
 * child, so they go along when it turns. Three seed atoms of each fragment keep their coordinates and fix its pose.
 * Rebuilding is the natural extension of a reference frame.
 * Source: Parsons, Holmes, Rojas, Tsai, Strauss 2005, "Practical conversion from torsion space to Cartesian space for in
 * silico protein synthesis", doi:10.1002/jcc.20237.
 *
 * Lengths in angstrom, angles in radians. Rings are cut where the tree does not go: a turn inside a ring tears its cut
 * bond. Cost: linear. Error of rebuilding: a few rounding errors per atom along the tree; 1e-10 angstrom after a thousand
 * residues. An atom whose candidates for reference all lie on a line is kept as a further seed.
 * Checked by internal-coordinates.test.ts and test/oracle/protein-files.
 */
import { requireFloats, throwMisuse } from '../math/arguments.js';
import { cos, sin } from '../math/scalar.js';
import { atomDistance } from './bonds.js';
import type { Molecule } from './molecule.js';
import { requireBonds } from './molecule.js';
import { measureAngle, measureTorsion } from './torsions.js';

export interface InternalCoordinates {
  readonly atomCount: number;
  /** Atoms in the order in which they are placed. */
  readonly order: Int32Array;
  /** By atom: the atoms that its length, angle and torsion refer to; -1, -1, -1 for seeds. */
  readonly references: Int32Array;
  readonly lengths: Float64Array;
  readonly angles: Float64Array;
  /** Writable: turning a bond is changing one entry. */
  readonly torsions: Float64Array;
  /** Coordinates of the seeds, 3 per atom; those of other atoms are of no account. */
  readonly seeds: Float64Array;
}

/**
 * Least sines of the angle of three reference atoms. Rounding grows by the inverse of the sine from atom to atom, so bent
 * references are looked for first; below the second one a torsion means nothing.
 */
const BENT = 0.1;
const STRAIGHT = 1e-3;
/** Reference atoms nearer than this give no direction, angstrom. */
const CLOSE = 0.01;

export function toInternalCoordinates(
  molecule: Pick<Molecule, 'atomCount' | 'positions' | 'bonds'>,
): InternalCoordinates {
  requireBonds('toInternalCoordinates', molecule);
  const { atomCount, positions, bonds } = molecule;
  requireFloats('toInternalCoordinates', 'molecule.positions', positions, 3 * atomCount);
  const neighbors: number[][] = Array.from({ length: atomCount }, () => []);
  for (let k = 0; k < bonds.length; k += 2) {
    neighbors[bonds[k]].push(bonds[k + 1]);
    neighbors[bonds[k + 1]].push(bonds[k]);
  }
  const order = new Int32Array(atomCount);
  const references = new Int32Array(3 * atomCount).fill(-1);
  const parents = new Int32Array(atomCount).fill(-1);
  const firstChildren = new Int32Array(atomCount).fill(-1);
  const placed = new Uint8Array(atomCount);
  let count = 0;

  for (let root = 0; root < atomCount; root++) {
    if (placed[root]) continue;
    const start = count;
    placed[root] = 1;
    order[count++] = root;
    for (let head = start; head < count; head++) {
      const parent = order[head];
      for (const atom of neighbors[parent]) {
        if (placed[atom]) continue;
        placed[atom] = 1;
        parents[atom] = parent;
        order[count++] = atom;
        if (count - start > 3) refer(atom, parent, start);
        if (firstChildren[parent] < 0) firstChildren[parent] = atom;
      }
    }
  }

  /** Chooses the atoms that an atom's angle and torsion refer to; leaves a seed when none will do. */
  function refer(atom: number, parent: number, start: number): void {
    const seeds = [order[start], order[start + 1], order[start + 2]];
    for (const least of [BENT, STRAIGHT]) {
      for (const angle of [parents[parent], firstChildren[parent], ...seeds]) {
        if (angle < 0 || angle === parent || angle === atom || atomDistance(positions, angle, parent) < CLOSE) continue;
        for (const torsion of [firstChildren[parent], parents[angle], firstChildren[angle], ...seeds]) {
          if (torsion < 0 || torsion === atom || torsion === parent || torsion === angle) continue;
          if (atomDistance(positions, torsion, angle) < CLOSE) continue;
          if (Math.abs(sin(measureAngle(positions, torsion, angle, parent))) < least) continue;
          references.set([parent, angle, torsion], 3 * atom);
          return;
        }
      }
    }
  }

  const lengths = new Float64Array(atomCount);
  const angles = new Float64Array(atomCount);
  const torsions = new Float64Array(atomCount);
  for (let atom = 0; atom < atomCount; atom++) {
    const [bond, angle, torsion] = references.subarray(3 * atom, 3 * atom + 3);
    if (bond < 0) continue;
    lengths[atom] = atomDistance(positions, atom, bond);
    angles[atom] = measureAngle(positions, atom, bond, angle);
    torsions[atom] = measureTorsion(positions, torsion, angle, bond, atom);
  }
  return { atomCount, order, references, lengths, angles, torsions, seeds: positions.slice() };
}

function requireInternal(call: string, internal: InternalCoordinates): void {
  const { atomCount, order, references, lengths, angles, torsions, seeds } = (internal ??
    {}) as Partial<InternalCoordinates>;
  const count = atomCount ?? Number.NaN;
  const columns = [lengths, angles, torsions];
  if (
    !(order instanceof Int32Array && order.length === count) ||
    !(references instanceof Int32Array && references.length === 3 * count) ||
    !columns.every((column) => column instanceof Float64Array && column.length === count) ||
    !(seeds instanceof Float64Array && seeds.length === 3 * count)
  )
    throwMisuse(call, 'internal', internal, 'what toInternalCoordinates returned');
}

/** Writes the coordinates of all atoms (3 atomCount) to `out`. */
export function placeAtoms(out: Float64Array, internal: InternalCoordinates): Float64Array {
  requireInternal('placeAtoms', internal);
  requireFloats('placeAtoms', 'out', out, 3 * internal.atomCount);
  const { order, references, lengths, angles, torsions, seeds } = internal;
  for (const atom of order) {
    const bond = references[3 * atom];
    if (bond < 0) {
      for (let k = 0; k < 3; k++) out[3 * atom + k] = seeds[3 * atom + k];
      continue;
    }
    placeAtom(out, atom, references.subarray(3 * atom, 3 * atom + 3), lengths[atom], angles[atom], torsions[atom]);
  }
  return out;
}

/**
 * Writes an atom bonded to references[0] at `length`, with the angle `bend` to references[1] and the torsion `turn` from
 * references[2].
 */
export function placeAtom(
  out: Float64Array,
  atom: number,
  references: ArrayLike<number>,
  length: number,
  bend: number,
  turn: number,
): void {
  const [bond, angle, torsion] = [references[0], references[1], references[2]];
  // Frame at the bonded atom: x along the bond from the angle's atom, z across the references' plane.
  let xx = out[3 * bond] - out[3 * angle];
  let xy = out[3 * bond + 1] - out[3 * angle + 1];
  let xz = out[3 * bond + 2] - out[3 * angle + 2];
  const ux = out[3 * angle] - out[3 * torsion];
  const uy = out[3 * angle + 1] - out[3 * torsion + 1];
  const uz = out[3 * angle + 2] - out[3 * torsion + 2];
  const inverse = 1 / Math.sqrt(xx * xx + xy * xy + xz * xz);
  xx *= inverse;
  xy *= inverse;
  xz *= inverse;
  let zx = uy * xz - uz * xy;
  let zy = uz * xx - ux * xz;
  let zz = ux * xy - uy * xx;
  const scale = 1 / Math.sqrt(zx * zx + zy * zy + zz * zz);
  zx *= scale;
  zy *= scale;
  zz *= scale;
  const yx = zy * xz - zz * xy;
  const yy = zz * xx - zx * xz;
  const yz = zx * xy - zy * xx;
  const across = length * sin(bend);
  const a = -length * cos(bend);
  const b = across * cos(turn);
  const c = across * sin(turn);
  out[3 * atom] = out[3 * bond] + a * xx + b * yx + c * zx;
  out[3 * atom + 1] = out[3 * bond + 1] + a * xy + b * yy + c * zy;
  out[3 * atom + 2] = out[3 * bond + 2] + a * xz + b * yz + c * zz;
}

/**
 * Steric clashes: atoms that overlap though no covalent structure holds them together.
 *
 * Overlap is the sum of the van der Waals radii less the distance; a clash has at least 0.4 angstrom of it. Pairs joined by
 * up to three bonds are left out, so are pairs of which one may donate a hydrogen to the other and that overlap by
 * less than the hydrogen bond's allowance more, and so is a metal with a ligand no nearer than its covalent radii less 0.4
 * angstrom: that is coordination. The clash score is the number of clashes per 1000 atoms.
 * Source: Word, Lovell, LaBean, Taylor, Zalis, Presley, Richardson, Richardson 1999, "Visualizing and quantifying
 * molecular goodness-of-fit: small-probe contact dots with explicit hydrogen atoms", doi:10.1006/jmbi.1998.2400 (0.4
 * angstrom, per 1000 atoms, hydrogen bonds set apart). Radii: radii.ts.
 *
 * Without hydrogens most contacts that MolProbity counts do not exist, so the score says so (`comparable` false).
 * Checked by clashes.test.ts against all pairs.
 */
import { findContacts } from './cell-list.js';
import { isMetal } from './elements.js';
import type { Molecule } from './molecule.js';
import { covalentRadius, vanDerWaalsRadius } from './radii.js';

export interface ClashOptions {
  /** Least overlap in angstrom; 0.4 when left out. */
  readonly overlap?: number;
  /** Further overlap that hydrogen bonds are allowed, in angstrom; 0.6 when left out. */
  readonly hydrogenBond?: number;
  /** Pairs joined by at most this many bonds are no clashes; 3 when left out. */
  readonly bonds?: number;
}

export interface Clash {
  /** Atoms, the smaller number first. */
  readonly a: number;
  readonly b: number;
  /** Angstrom. */
  readonly distance: number;
  readonly overlap: number;
}

export interface ClashReport {
  /** Sorted by atom numbers. */
  readonly clashes: readonly Clash[];
  readonly atomCount: number;
  /** Clashes per 1000 atoms; 0 without atoms. */
  readonly score: number;
  /** Whether the molecule has its hydrogens; without them the score compares with no published one. */
  readonly comparable: boolean;
}

/** Atoms of a molecule joined by at most `depth` bonds, as sorted lists. */
export function findBondedNeighbors(molecule: Pick<Molecule, 'atomCount' | 'bonds'>, depth: number): Int32Array[] {
  const { atomCount, bonds } = molecule;
  const direct: number[][] = Array.from({ length: atomCount }, () => []);
  for (let k = 0; k < bonds.length; k += 2) {
    direct[bonds[k]].push(bonds[k + 1]);
    direct[bonds[k + 1]].push(bonds[k]);
  }
  return direct.map((_, atom) => {
    const found = new Set([atom]);
    let ring = [atom];
    for (let step = 0; step < depth; step++) {
      const next: number[] = [];
      for (const i of ring) {
        for (const j of direct[i]) {
          if (found.has(j)) continue;
          found.add(j);
          next.push(j);
        }
      }
      ring = next;
    }
    found.delete(atom);
    return Int32Array.from(found).sort();
  });
}

export function includesSorted(sorted: Int32Array, value: number): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === value) return true;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

/** Nitrogens, oxygens and sulfurs take part in hydrogen bonds, and hydrogens bonded to them. */
function findPolar(molecule: Molecule): Uint8Array {
  const polar = new Uint8Array(molecule.atomCount);
  molecule.elements.forEach((element, i) => {
    if (element === 'N' || element === 'O' || element === 'S') polar[i] = 1;
  });
  for (let k = 0; k < molecule.bonds.length; k += 2) {
    const [a, b] = [molecule.bonds[k], molecule.bonds[k + 1]];
    if (molecule.elements[a] === 'H' && polar[b] === 1) polar[a] = 2;
    if (molecule.elements[b] === 'H' && polar[a] === 1) polar[b] = 2;
  }
  return polar;
}

function isCoordinated(a: string, b: string, distance: number): boolean {
  return isMetal(a) !== isMetal(b) && distance > covalentRadius(a) + covalentRadius(b) - 0.4;
}

/** Which pairs of a molecule's atoms clash, by their distance. */
export interface ClashRule {
  /** Overlap in angstrom when the pair clashes at this squared distance, null when it does not. Either order. */
  readonly overlapOf: (i: number, j: number, squaredDistance: number) => number | null;
  /** Whether few enough bonds join two atoms that they never clash. */
  readonly isExcluded: (i: number, j: number) => boolean;
  /** By atom, angstrom. */
  readonly radii: Float64Array;
  /** Least overlap, angstrom. */
  readonly overlap: number;
  /** Whether the molecule has its hydrogens. */
  readonly explicit: boolean;
}

export function createClashRule(molecule: Molecule, options: ClashOptions = {}): ClashRule {
  const { overlap: least = 0.4, hydrogenBond = 0.6, bonds = 3 } = options;
  if (!(least > -1 && least < 10))
    throw new RangeError(`findClashes: overlap, got ${least}, expected -1 to 10 angstrom`);
  const { elements } = molecule;
  const radii = Float64Array.from(elements, vanDerWaalsRadius);
  const neighbors = findBondedNeighbors(molecule, bonds);
  const polar = findPolar(molecule);
  const hydrogens = elements.filter((element) => element === 'H').length;
  const explicit = hydrogens > 0.3 * molecule.atomCount;
  const isExcluded = (i: number, j: number): boolean => includesSorted(neighbors[i], j);
  const overlapOf = (i: number, j: number, squared: number): number | null => {
    const reach = radii[i] + radii[j] - least;
    if (squared > reach * reach || isExcluded(i, j)) return null;
    const distance = Math.sqrt(squared);
    const overlap = radii[i] + radii[j] - distance;
    // With hydrogens the bond is from H to an acceptor, without them between the heavy atoms that share it.
    const donates = explicit ? polar[i] + polar[j] === 3 : polar[i] === 1 && polar[j] === 1;
    if (isCoordinated(elements[i], elements[j], distance)) return null;
    return donates && overlap < least + hydrogenBond ? null : overlap;
  };
  return { overlapOf, isExcluded, radii, overlap: least, explicit };
}

export function findClashes(molecule: Molecule, options: ClashOptions = {}): ClashReport {
  const { overlapOf, radii, overlap: least, explicit } = createClashRule(molecule, options);
  let widest = 0;
  for (const radius of radii) widest = Math.max(widest, radius);
  const clashes: Clash[] = [];
  findContacts(molecule.positions, molecule.atomCount, Math.max(2 * widest - least, 0), (i, j, squared) => {
    const overlap = overlapOf(i, j, squared);
    if (overlap !== null) clashes.push({ a: Math.min(i, j), b: Math.max(i, j), distance: Math.sqrt(squared), overlap });
  });
  clashes.sort((x, y) => x.a - y.a || x.b - y.b);
  const { atomCount } = molecule;
  return { clashes, atomCount, score: atomCount > 0 ? (1000 * clashes.length) / atomCount : 0, comparable: explicit };
}

/**
 * Steric clashes: atoms that overlap though no covalent structure holds them together.
 *
 * Overlap is the sum of the radii less the distance; a clash has at least 0.4 angstrom of it, to 1e-10. Left out: pairs joined by
 * up to three bonds, or four when one of them is a hydrogen; pairs that make a hydrogen bond and overlap by less than 0.4
 * more than it is allowed (contacts.ts); a metal with a ligand no nearer than its covalent radii less 0.4 angstrom, which
 * is coordination; and waters among themselves. The clash score is the number of clashes per 1000 atoms, waters not
 * counted.
 * Source: Word, Lovell, LaBean, Taylor, Zalis, Presley, Richardson, Richardson 1999, "Visualizing and quantifying
 * molecular goodness-of-fit: small-probe contact dots with explicit hydrogen atoms", doi:10.1006/jmbi.1998.2400 (0.4
 * angstrom, per 1000 atoms, hydrogen bonds set apart); waters as in the score of Chen et al. 2010, "MolProbity:
 * all-atom structure validation for macromolecular crystallography", doi:10.1107/S0907444909042073.
 *
 * Without hydrogens most contacts that MolProbity counts do not exist, so the score says so (`comparable` false):
 * addHydrogens places them. A molecule with some of them, polar ones as a rule, is measured by its heavy atoms alone, as
 * one without: hydrogen bonds and neighbours would be weighed by halves. Checked by clashes.test.ts against all pairs.
 */
import { type Fields, requireCount, requireNumber, requireOptions, wholeFrom } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Assumption } from '../model/issue.js';
import { HYDROGENS, type MoleculeAssumptions, moleculeAssumptions } from './assumptions.js';
import { findContacts, LIMIT_TOLERANCE } from './cell-list.js';
import { createContactModel, listBonded } from './contacts.js';
import { isMetal } from './elements.js';
import type { Molecule } from './molecule.js';
import { requireBonds, requireMolecule } from './molecule.js';
import { covalentRadius } from './radii.js';

export interface ClashOptions {
  /** Least overlap in angstrom; 0.4 when left out. */
  readonly overlap?: number;
  /** Pairs joined by at most this many bonds are no clashes, one more when one is a hydrogen; 3 when left out. */
  readonly bonds?: number;
}

const OPTIONS: Fields = { overlap: requireNumber, bonds: wholeFrom(0) };

export interface Clash {
  /** Atoms, the smaller number first. */
  readonly a: number;
  readonly b: number;
  /** Angstrom. */
  readonly distance: number;
  readonly overlap: number;
}

/** `complete` and `assumed`: whether atoms of the file are missing here, and what was chosen or guessed. */
export interface ClashReport extends MoleculeAssumptions {
  /** Sorted by atom numbers. */
  readonly clashes: readonly Clash[];
  /** Atoms that the score counts: all but waters, and hydrogens of a molecule that has only some of them. */
  readonly atomCount: number;
  /** Clashes per 1000 atoms; 0 without atoms. */
  readonly score: number;
  /** Whether the molecule has its hydrogens; otherwise heavy atoms alone count, and no published score compares. */
  readonly comparable: boolean;
}

/** Atoms of a molecule joined by at most `depth` bonds, as sorted lists. */
export function findBondedNeighbors(molecule: Pick<Molecule, 'atomCount' | 'bonds'>, depth: number): Int32Array[] {
  requireBonds('findBondedNeighbors', molecule);
  requireCount('findBondedNeighbors', 'depth', depth);
  const search = new BondSearch(molecule);
  return Array.from({ length: molecule.atomCount }, (_, atom) => {
    const near = new Int32Array(search.find(atom, depth) - 1);
    for (let k = 0; k < near.length; k++) near[k] = search.found[k + 1];
    return near.sort();
  });
}

/** What few bonds join with an atom, one atom after the other. */
export class BondSearch {
  /** Of the last search: the atom, then the others by their number of bonds. Later entries are left over. */
  readonly found: number[] = [];
  private readonly direct: readonly (readonly number[])[];
  /** The atom that an atom was last found from. */
  private readonly seenFrom: Int32Array;

  constructor(molecule: Pick<Molecule, 'atomCount' | 'bonds'>) {
    this.direct = listBonded(molecule);
    this.seenFrom = new Int32Array(molecule.atomCount).fill(-1);
  }

  /** How many atoms at most `depth` bonds join with this one, itself among them. */
  find(atom: number, depth: number): number {
    const { found, direct, seenFrom } = this;
    seenFrom[atom] = atom;
    found[0] = atom;
    let count = 1;
    for (let step = 0, next = 0; step < depth && next < count; step++) {
      const end = count;
      for (; next < end; next++) {
        for (const other of direct[found[next]]) {
          if (seenFrom[other] === atom) continue;
          seenFrom[other] = atom;
          found[count++] = other;
        }
      }
    }
    return count;
  }
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
  /** 1 for atoms that the score counts: not of waters, and no hydrogens where there are only some. */
  readonly isCounted: Uint8Array;
}

/** `call`: whose options they are. */
export function createClashRule(call: string, molecule: Molecule, options: ClashOptions = {}): ClashRule {
  requireOptions(call, options, OPTIONS);
  const { overlap: least = 0.4, bonds = 3 } = options;
  if (!(least > -1 && least < 10))
    throw new MisuseError(`${call}: options.overlap, got ${least}, expected between -1 and 10 angstrom`);
  const { elements } = molecule;
  const { explicit, radii, allowanceOf, isWater } = createContactModel(molecule);
  const near = findBondedNeighbors(molecule, bonds);
  const farther = elements.includes('H') ? findBondedNeighbors(molecule, bonds + 1) : near;
  const isExcluded = (i: number, j: number): boolean =>
    includesSorted((elements[i] === 'H' || elements[j] === 'H' ? farther : near)[i], j);
  const isLeftOut = Uint8Array.from(elements, (element) => (!explicit && element === 'H' ? 1 : 0));
  const overlapOf = (i: number, j: number, squared: number): number | null => {
    const reach = radii[i] + radii[j] - least + LIMIT_TOLERANCE;
    if (squared > reach * reach || isLeftOut[i] || isLeftOut[j]) return null;
    if ((isWater[i] && isWater[j]) || isExcluded(i, j)) return null;
    const distance = Math.sqrt(squared);
    const overlap = radii[i] + radii[j] - distance;
    if (isCoordinated(elements[i], elements[j], distance)) return null;
    return overlap < least + allowanceOf(i, j) - LIMIT_TOLERANCE ? null : overlap;
  };
  const isCounted = isWater.map((water, i) => (water || isLeftOut[i] ? 0 : 1));
  return { overlapOf, isExcluded, radii, overlap: least, explicit, isCounted };
}

export function findClashes(molecule: Molecule, options: ClashOptions = {}): ClashReport {
  requireMolecule('findClashes', 'molecule', molecule);
  const { overlapOf, radii, overlap: least, explicit, isCounted } = createClashRule('findClashes', molecule, options);
  let widest = 0;
  for (const radius of radii) widest = Math.max(widest, radius);
  const clashes: Clash[] = [];
  findContacts(molecule.positions, molecule.atomCount, Math.max(2 * widest - least, 0), (i, j, squared) => {
    const overlap = overlapOf(i, j, squared);
    if (overlap !== null) clashes.push({ a: Math.min(i, j), b: Math.max(i, j), distance: Math.sqrt(squared), overlap });
  });
  clashes.sort((x, y) => x.a - y.a || x.b - y.b);
  const atomCount = isCounted.reduce((count, counted) => count + counted, 0);
  const score = atomCount > 0 ? (1000 * clashes.length) / atomCount : 0;
  const assumptions = moleculeAssumptions(molecule, explicit ? [] : assumeHeavyAtoms(molecule));
  return { clashes, atomCount, score, comparable: explicit, ...assumptions };
}

function assumeHeavyAtoms({ elements, atomCount }: Molecule): Assumption[] {
  if (atomCount === 0) return [];
  const left = elements.reduce((count, element) => count + (element === 'H' ? 1 : 0), 0);
  const message =
    left === 0
      ? 'there are none: heavy atoms alone are measured, with larger radii'
      : `there are only some: the ${left} are left out, and heavy atoms alone measured`;
  return [{ kind: left === 0 ? 'guessed' : 'altered', element: HYDROGENS, message }];
}

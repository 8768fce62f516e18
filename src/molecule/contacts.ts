/**
 * What of a molecule decides whether two of its atoms clash: radii, hydrogen bonds, and how many bonds join them.
 *
 * A molecule with its hydrogens takes the radii of all-atom contact analysis, in which hydrogens on N, O and S and on
 * planar carbons are smaller, carbonyl carbons too, and hydrogens are where their C-H bonds say: at the centre of the
 * electron cloud (about 0.97 angstrom) or at the nucleus (1.09). One without takes Bondi's. A hydrogen bond joins a
 * hydrogen on N, O or S to an oxygen, sulfur, halogen or a nitrogen that bears none and has a lone pair; it may overlap by
 * 0.6 angstrom, and by 0.8 when it joins opposite charges. Like charges make none. Without hydrogens it joins any two of
 * N, O, S.
 * Source: Word et al. 1999, doi:10.1006/jmbi.1998.2400, and as in radii.ts.
 * Checked by clashes.test.ts and test/oracle/hydrogens.test.ts.
 */
import { atomDistance } from './bonds.js';
import type { Molecule } from './molecule.js';
import { CARBONYL_CARBON, contactRadius, HYDROGEN_RADII, PLANAR_CARBON, vanDerWaalsRadius } from './radii.js';

export interface ContactModel {
  /** Whether the molecule has its hydrogens. */
  readonly explicit: boolean;
  /** By atom, angstrom. */
  readonly radii: Float64Array;
  /** Overlap that a hydrogen bond between two atoms is allowed; 0 when they make none. */
  readonly allowanceOf: (i: number, j: number) => number;
  /** 1 for atoms of waters. */
  readonly isWater: Uint8Array;
}

/** Between the centre of the cloud (0.93 to 0.98) and the nucleus (1.08 to 1.09). */
const CLOUD_TO_NUCLEUS = 1.03;
const HYDROGEN_BOND = 0.6;
const SALT_BRIDGE = 0.8;

const DONOR = 1;
const ACCEPTOR = 2;

/** Atoms directly bonded to each atom. */
export function listBonded({ atomCount, bonds }: Pick<Molecule, 'atomCount' | 'bonds'>): number[][] {
  const bonded: number[][] = Array.from({ length: atomCount }, () => []);
  for (let k = 0; k < bonds.length; k += 2) {
    bonded[bonds[k]].push(bonds[k + 1]);
    bonded[bonds[k + 1]].push(bonds[k]);
  }
  return bonded;
}

export function createContactModel(molecule: Molecule): ContactModel {
  const { elements, residues, residueOf, atomCount } = molecule;
  const isWater = Uint8Array.from(residueOf, (residue) => (residues[residue].kind === 'water' ? 1 : 0));
  let heavy = 0;
  let hydrogens = 0;
  for (let i = 0; i < atomCount; i++) {
    if (isWater[i]) continue;
    if (elements[i] === 'H') hydrogens++;
    else heavy++;
  }
  // Proteins have about as many hydrogens as other atoms; files with polar ones only a fifth of them.
  const explicit = hydrogens > 0.45 * heavy;
  const bonded = listBonded(molecule);
  const radii = explicit ? contactRadii(molecule, bonded) : Float64Array.from(elements, vanDerWaalsRadius);
  const roles = explicit ? explicitRoles(molecule, bonded) : Uint8Array.from(elements, implicitRole);
  const charges = explicit ? findCharges(molecule, bonded) : new Int8Array(atomCount);
  const allowanceOf = (i: number, j: number): number => {
    const isBond = (roles[i] & DONOR && roles[j] & ACCEPTOR) || (roles[i] & ACCEPTOR && roles[j] & DONOR);
    if (!isBond) return 0;
    const product = charges[i] * charges[j];
    return product > 0 ? 0 : product < 0 ? SALT_BRIDGE : HYDROGEN_BOND;
  };
  return { explicit, radii, allowanceOf, isWater };
}

function implicitRole(element: string): number {
  return element === 'N' || element === 'O' || element === 'S' ? DONOR | ACCEPTOR : 0;
}

function isPolar(element: string): boolean {
  return element === 'N' || element === 'O' || element === 'S';
}

function isPlanarCarbon(molecule: Molecule, bonded: readonly number[][], atom: number): boolean {
  return molecule.elements[atom] === 'C' && bonded[atom].length === 3;
}

function contactRadii(molecule: Molecule, bonded: readonly number[][]): Float64Array {
  const { elements, positions } = molecule;
  const lengths: number[] = [];
  elements.forEach((element, i) => {
    const [parent] = bonded[i];
    if (element === 'H' && parent !== undefined && elements[parent] === 'C') {
      lengths.push(atomDistance(positions, i, parent));
    }
  });
  lengths.sort((a, b) => a - b);
  const isNuclear = lengths[lengths.length >> 1] > CLOUD_TO_NUCLEUS;
  const { plain, polarOrPlanar } = HYDROGEN_RADII[isNuclear ? 'nucleus' : 'electronCloud'];
  return Float64Array.from(elements, (element, i) => {
    if (element === 'H') {
      const [parent] = bonded[i];
      if (parent === undefined) return plain;
      return isPolar(elements[parent]) || isPlanarCarbon(molecule, bonded, parent) ? polarOrPlanar : plain;
    }
    if (!isPlanarCarbon(molecule, bonded, i)) return contactRadius(element);
    if (bonded[i].some((other) => elements[other] === 'O' && bonded[other].length === 1)) return CARBONYL_CARBON;
    return bonded[i].some((other) => elements[other] === 'C') ? PLANAR_CARBON : contactRadius(element);
  });
}

const HALOGENS = new Set(['F', 'Cl', 'Br', 'I']);

function explicitRoles(molecule: Molecule, bonded: readonly number[][]): Uint8Array {
  const { elements } = molecule;
  return Uint8Array.from(elements, (element, i) => {
    if (element === 'H') return bonded[i].some((parent) => isPolar(elements[parent])) ? DONOR : 0;
    if (element === 'O' || element === 'S' || HALOGENS.has(element)) return ACCEPTOR;
    const hasLonePair = element === 'N' && bonded[i].length <= 2 && bonded[i].every((j) => elements[j] !== 'H');
    return hasLonePair ? ACCEPTOR : 0;
  });
}

/**
 * +1 for the hydrogens of ammonium, guanidinium and doubly protonated imidazole groups, -1 for the oxygens of
 * carboxylates, phosphates and sulfates, halide ions.
 */
function findCharges(molecule: Molecule, bonded: readonly number[][]): Int8Array {
  const { elements, atomCount } = molecule;
  const charges = new Int8Array(atomCount);
  const hydrogensOf = (atom: number) => bonded[atom].filter((j) => elements[j] === 'H');
  for (let i = 0; i < atomCount; i++) {
    if (elements[i] === 'N' && bonded[i].length === 4) for (const h of hydrogensOf(i)) charges[h] = 1;
    if (HALOGENS.has(elements[i]) && bonded[i].length === 0) charges[i] = -1;
    if (elements[i] === 'C') {
      const terminal = bonded[i].filter((j) => elements[j] === 'O' && bonded[j].length === 1);
      if (terminal.length === 2) for (const oxygen of terminal) charges[oxygen] = -1;
      const nitrogens = bonded[i].filter((j) => elements[j] === 'N' && hydrogensOf(j).length > 0);
      // Guanidinium, or the carbon between both nitrogens of an imidazole ring.
      const isImidazolium = nitrogens.length === 2 && nitrogens.every((j) => bonded[j].length === 3 && isRing(j));
      if (nitrogens.length === 3 || isImidazolium) {
        for (const nitrogen of nitrogens) for (const h of hydrogensOf(nitrogen)) charges[h] = 1;
      }
    }
    if (elements[i] === 'P' || elements[i] === 'S') {
      const terminal = bonded[i].filter((j) => elements[j] === 'O' && bonded[j].length === 1);
      if (terminal.length >= 2) for (const oxygen of terminal) charges[oxygen] = -1;
    }
  }
  return charges;

  function isRing(nitrogen: number): boolean {
    return bonded[nitrogen].filter((j) => elements[j] === 'C').length === 2;
  }
}

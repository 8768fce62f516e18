/**
 * Radii of atoms in angstrom.
 *
 * Van der Waals: Bondi 1964, "Van der Waals volumes and radii", doi:10.1021/j100785a001, table I, with hydrogen 1.09 from
 * Rowland, Taylor 1996, doi:10.1021/jp953141+, as Bondi's 1.20 is too large in short contacts; elements that Bondi does not
 * give from Mantina, Chamberlin, Valero, Cramer, Truhlar 2009, doi:10.1021/jp8111556.
 * All-atom contacts: the radii of small-probe contact analysis, Word, Lovell, LaBean, Taylor, Zalis, Presley, Richardson,
 * Richardson 1999, doi:10.1006/jmbi.1998.2400, with hydrogens at the centres of their electron clouds or at their nuclei
 * as revised by Williams et al. 2018, doi:10.1002/pro.3330; metals by their ionic radii (Pauling).
 * Covalent: Cordero et al. 2008, "Covalent radii revisited", doi:10.1039/b801115j (sp3 carbon; high-spin metals).
 */

import { requireText } from '../math/arguments.js';

const VAN_DER_WAALS: Readonly<Record<string, number>> = {
  H: 1.09,
  He: 1.4,
  Li: 1.81,
  Be: 1.53,
  B: 1.92,
  C: 1.7,
  N: 1.55,
  O: 1.52,
  F: 1.47,
  Ne: 1.54,
  Na: 2.27,
  Mg: 1.73,
  Al: 1.84,
  Si: 2.1,
  P: 1.8,
  S: 1.8,
  Cl: 1.75,
  Ar: 1.88,
  K: 2.75,
  Ca: 2.31,
  Ni: 1.63,
  Cu: 1.4,
  Zn: 1.39,
  As: 1.85,
  Se: 1.9,
  Br: 1.83,
  Kr: 2.02,
  Cd: 1.58,
  I: 1.98,
  Xe: 2.16,
  Pt: 1.72,
  Au: 1.66,
  Hg: 1.55,
  Pb: 2.02,
};

const COVALENT: Readonly<Record<string, number>> = {
  H: 0.31,
  B: 0.84,
  C: 0.76,
  N: 0.71,
  O: 0.66,
  F: 0.57,
  Na: 1.66,
  Mg: 1.41,
  Al: 1.21,
  Si: 1.11,
  P: 1.07,
  S: 1.05,
  Cl: 1.02,
  K: 2.03,
  Ca: 1.76,
  Mn: 1.61,
  Fe: 1.52,
  Co: 1.5,
  Ni: 1.24,
  Cu: 1.32,
  Zn: 1.22,
  As: 1.19,
  Se: 1.2,
  Br: 1.2,
  Mo: 1.54,
  Cd: 1.44,
  I: 1.39,
  Pt: 1.36,
  Au: 1.36,
  Hg: 1.32,
};

/** A name that every object has is no element. */
function radiusIn(radii: Readonly<Record<string, number>>, element: string): number | undefined {
  return Object.hasOwn(radii, element) ? radii[element] : undefined;
}

/** Elements without a published radius count as 2. */
export function vanDerWaalsRadius(element: string): number {
  requireText('vanDerWaalsRadius', 'element', element);
  return radiusIn(VAN_DER_WAALS, element) ?? 2;
}

/** Elements not listed count as 1.5, about the radius of a transition metal. */
export function covalentRadius(element: string): number {
  requireText('covalentRadius', 'element', element);
  return radiusIn(COVALENT, element) ?? 1.5;
}

const CONTACT: Readonly<Record<string, number>> = {
  C: 1.7,
  N: 1.55,
  O: 1.4,
  P: 1.8,
  S: 1.8,
  As: 2,
  Se: 1.9,
  F: 1.3,
  Cl: 1.77,
  Br: 1.95,
  I: 2.1,
  Li: 0.6,
  Na: 0.95,
  Mg: 0.65,
  K: 1.33,
  Ca: 0.99,
  Mn: 0.8,
  Fe: 0.74,
  Co: 0.7,
  Ni: 0.66,
  Cu: 0.72,
  Zn: 0.71,
  Cd: 0.91,
  Hg: 1,
};

/** Radii of atoms whose surroundings tell them apart: carbon of C=O, other planar carbon; hydrogens by their positions. */
export const CARBONYL_CARBON = 1.65;
export const PLANAR_CARBON = 1.75;
export const HYDROGEN_RADII = {
  electronCloud: { plain: 1.22, polarOrPlanar: 1.05 },
  nucleus: { plain: 1.17, polarOrPlanar: 1 },
} as const;

/** Radius for contacts of molecules that have their hydrogens; elements without one take their van der Waals radius. */
export function contactRadius(element: string): number {
  return radiusIn(CONTACT, element) ?? vanDerWaalsRadius(element);
}

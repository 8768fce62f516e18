/**
 * Radii of atoms in angstrom.
 *
 * Van der Waals: Bondi 1964, "Van der Waals volumes and radii", doi:10.1021/j100785a001, table I, with hydrogen 1.09 from
 * Rowland, Taylor 1996, doi:10.1021/jp953141+, as Bondi's 1.20 is too large in short contacts; elements that Bondi does not
 * give from Mantina, Chamberlin, Valero, Cramer, Truhlar 2009, doi:10.1021/jp8111556.
 * Covalent: Cordero et al. 2008, "Covalent radii revisited", doi:10.1039/b801115j (sp3 carbon; high-spin metals).
 */

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

/** Elements without a published radius count as 2. */
export function vanDerWaalsRadius(element: string): number {
  return VAN_DER_WAALS[element] ?? 2;
}

/** Elements not listed count as 1.5, about the radius of a transition metal. */
export function covalentRadius(element: string): number {
  return COVALENT[element] ?? 1.5;
}

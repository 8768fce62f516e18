/**
 * Where amino acids and nucleotides bear hydrogens: which atoms, how many, of which geometry, by which names.
 *
 * Names: wwPDB chemical component dictionary. Bond lengths are those to the centre of the electron cloud, which is what
 * X-ray structures show, as in Deis et al. 2013, "Update on hydrogen parameters", Computational Crystallography
 * Newsletter 4, 9-10, and Williams et al. 2018, "MolProbity: More and better reference data for improved all-atom structure
 * validation", doi:10.1002/pro.3330, namely 0.97 angstrom C-H, 0.93 on planar carbon, 0.86 N-H, 0.89 in ammonium groups, 0.84 O-H,
 * 1.2 S-H. (Nuclei are about 0.1 angstrom farther out.)
 * States of protonation: carboxylates and phosphates bear none, lysine, arginine and first residues are charged,
 * cysteines in disulfides or at a metal bear none. A bond that the table does not expect (glycans, crosslinks) takes a
 * hydrogen's place.
 */
import { aminoAcidOf } from './amino-acids.js';

/**
 * `tetrahedral`: away from the heavy neighbours of an sp3 atom, however many there are; `planar`: in the plane of its
 * two neighbours; `amine`: two hydrogens in the plane of a conjugated group; `rotor`: turns about its bond.
 */
export type SiteKind = 'tetrahedral' | 'planar' | 'amine' | 'rotor';

export interface HydrogenSite {
  readonly parent: string;
  readonly kind: SiteKind;
  /** Bonds to heavy atoms that the table expects. */
  readonly degree: number;
  /**
   * For a methylene the inner and the outer neighbour, which tell its two hydrogens apart; for groups at the end of one bond
   * the neighbour and the atom behind it that torsions count from; an amine's first hydrogen is cis to that atom.
   */
  readonly references: readonly string[];
  readonly hydrogens: readonly string[];
  /** Angstrom. */
  readonly length: number;
  /** Between torsions that a rotor tries, degrees; 0 for groups that are staggered and stay. */
  readonly turn: number;
}

/** Class of site -> kind, degree, length, turn. */
const CLASSES: Readonly<Record<string, readonly [SiteKind, number, number, number]>> = {
  CH: ['tetrahedral', 3, 0.97, 0],
  CH2: ['tetrahedral', 2, 0.97, 0],
  CH3: ['rotor', 1, 0.97, 0],
  SCH3: ['rotor', 1, 0.97, 10],
  ring: ['planar', 2, 0.93, 0],
  NH: ['planar', 2, 0.86, 0],
  NH2: ['amine', 1, 0.86, 0],
  NH2plus: ['tetrahedral', 2, 0.89, 0],
  NH3: ['rotor', 1, 0.89, 10],
  openNH: ['rotor', 1, 0.86, 10],
  OH: ['rotor', 1, 0.84, 10],
  ringOH: ['rotor', 1, 0.84, 180],
  SH: ['rotor', 1, 1.2, 10],
};

/** `atom class references hydrogens`. */
function parse(text: string): HydrogenSite[] {
  return text
    .split(';')
    .filter((part) => part !== '')
    .map((part) => {
      const [parent, name, references, hydrogens] = part.trim().split(' ');
      const [kind, degree, length, turn] = CLASSES[name];
      return {
        parent,
        kind,
        degree,
        length,
        turn,
        references: references === '-' ? [] : references.split(','),
        hydrogens: hydrogens.split(','),
      };
    });
}

const BETA = (outer: string) => `CB CH2 CA,${outer} HB2,HB3`;
const BETA_GAMMA = (outer: string) => `${BETA('CG')};CG CH2 CB,${outer} HG2,HG3`;
const METHYL = (atom: string, bonded: string, behind: string, stem: string) =>
  `${atom} CH3 ${bonded},${behind} ${stem}1,${stem}2,${stem}3`;

const SIDE_CHAINS: Readonly<Record<string, string>> = {
  ALA: METHYL('CB', 'CA', 'N', 'HB'),
  ARG: `${BETA_GAMMA('CD')};CD CH2 CG,NE HD2,HD3;NE NH - HE;NH1 NH2 CZ,NE HH11,HH12;NH2 NH2 CZ,NE HH21,HH22`,
  ASN: `${BETA('CG')};ND2 NH2 CG,CB HD21,HD22`,
  ASP: BETA('CG'),
  CYS: `${BETA('SG')};SG SH CB,CA HG`,
  GLN: `${BETA_GAMMA('CD')};NE2 NH2 CD,CG HE21,HE22`,
  GLU: BETA_GAMMA('CD'),
  GLY: '',
  HIS: `${BETA('CG')};ND1 NH - HD1;CD2 ring - HD2;CE1 ring - HE1;NE2 NH - HE2`,
  ILE: `CB CH - HB;CG1 CH2 CB,CD1 HG12,HG13;${METHYL('CG2', 'CB', 'CA', 'HG2')};${METHYL('CD1', 'CG1', 'CB', 'HD1')}`,
  LEU: `${BETA('CG')};CG CH - HG;${METHYL('CD1', 'CG', 'CB', 'HD1')};${METHYL('CD2', 'CG', 'CB', 'HD2')}`,
  LYS: `${BETA_GAMMA('CD')};CD CH2 CG,CE HD2,HD3;CE CH2 CD,NZ HE2,HE3;NZ NH3 CE,CD HZ1,HZ2,HZ3`,
  MET: `${BETA_GAMMA('SD')};CE SCH3 SD,CG HE1,HE2,HE3`,
  MSE: `${BETA_GAMMA('SE')};CE SCH3 SE,CG HE1,HE2,HE3`,
  PHE: `${BETA('CG')};CD1 ring - HD1;CD2 ring - HD2;CE1 ring - HE1;CE2 ring - HE2;CZ ring - HZ`,
  PRO: `${BETA_GAMMA('CD')};CD CH2 CG,N HD2,HD3`,
  SER: `${BETA('OG')};OG OH CB,CA HG`,
  THR: `CB CH - HB;OG1 OH CB,CA HG1;${METHYL('CG2', 'CB', 'CA', 'HG2')}`,
  TRP: `${BETA('CG')};CD1 ring - HD1;NE1 NH - HE1;CE3 ring - HE3;CZ2 ring - HZ2;CZ3 ring - HZ3;CH2 ring - HH2`,
  TYR: `${BETA('CG')};CD1 ring - HD1;CD2 ring - HD2;CE1 ring - HE1;CE2 ring - HE2;OH ringOH CZ,CE1 HH`,
  VAL: `CB CH - HB;${METHYL('CG1', 'CB', 'CA', 'HG1')};${METHYL('CG2', 'CB', 'CA', 'HG2')}`,
};

const SUGAR = "C5' CH2 C4',O5' H5',H5'';C4' CH - H4';C3' CH - H3';C1' CH - H1';O5' OH C5',C4' HO5';O3' OH C3',C4' HO3'";
const RIBOSE = `${SUGAR};C2' CH - H2';O2' OH C2',C1' HO2'`;
const DEOXYRIBOSE = `${SUGAR};C2' CH2 C3',C1' H2',H2''`;
const ADENINE = 'C8 ring - H8;C2 ring - H2;N6 NH2 C6,N1 H61,H62';
const CYTOSINE = 'C5 ring - H5;C6 ring - H6;N4 NH2 C4,N3 H41,H42';
const GUANINE = 'C8 ring - H8;N1 NH - H1;N2 NH2 C2,N1 H21,H22';

const NUCLEOTIDES: Readonly<Record<string, string>> = {
  A: `${RIBOSE};${ADENINE}`,
  C: `${RIBOSE};${CYTOSINE}`,
  G: `${RIBOSE};${GUANINE}`,
  U: `${RIBOSE};N3 NH - H3;C5 ring - H5;C6 ring - H6`,
  DA: `${DEOXYRIBOSE};${ADENINE}`,
  DC: `${DEOXYRIBOSE};${CYTOSINE}`,
  DG: `${DEOXYRIBOSE};${GUANINE}`,
  DT: `${DEOXYRIBOSE};N3 NH - H3;C6 ring - H6;${METHYL('C7', 'C5', 'C4', 'H7')}`,
};

const sideChains = new Map(Object.entries(SIDE_CHAINS).map(([name, text]) => [name, parse(text)] as const));
const nucleotides = new Map(Object.entries(NUCLEOTIDES).map(([name, text]) => [name, parse(text)] as const));
const alpha = parse('CA CH - HA');
const alphaGlycine = parse('CA CH2 N,C HA2,HA3');
const nitrogens = {
  joined: parse('N NH - H'),
  first: parse('N NH3 CA,C H1,H2,H3'),
  /** The residue before is not in the model: its place is not known. */
  open: parse('N openNH CA,C H'),
};
const firstProline = parse('N NH2plus CA,CD H2,H3');

/** What a residue's nitrogen is joined to. */
export type NitrogenState = keyof typeof nitrogens;

/** Sites of an amino acid; of components that are none of the twenty (or MSE) those of the backbone. */
export function aminoAcidSites(component: string, nitrogen: NitrogenState): readonly HydrogenSite[] {
  const backbone =
    component === 'PRO' ? (nitrogen === 'first' ? firstProline : []) : (nitrogens[nitrogen] as readonly HydrogenSite[]);
  return [...backbone, ...(component === 'GLY' ? alphaGlycine : alpha), ...(sideChains.get(component) ?? [])];
}

/** undefined when the component is not one of the eight. */
export function nucleotideSites(component: string): readonly HydrogenSite[] | undefined {
  return nucleotides.get(component);
}

/** Whether all hydrogens of a component are known. */
export function hasSites(component: string): boolean {
  return aminoAcidOf(component) !== undefined || nucleotides.has(component);
}

/**
 * CHARMM19: parameters of proteins with carbons that hold their hydrogens (united atoms) and explicit polar hydrogens.
 *
 * Source: parameter set PARAM19 with topology TOPH19, as distributed with CHARMM and X-PLOR; Brooks, Bruccoleri, Olafson,
 * States, Swaminathan, Karplus 1983, "CHARMM: a program for macromolecular energy, minimization, and dynamics
 * calculations", doi:10.1002/jcc.540040211; Neria, Fischer, Karplus 1996, "Simulation of activation free energies in
 * molecular systems", doi:10.1063/1.472061.
 * Charges, those of both neutral histidines and of the charged one included, were compared with copies of TOPH19; the
 * factor 0.4 of pairs three bonds apart is E14FAC of PARAM19's nonbonded line.
 * Units: kcal/mol, angstrom, elementary charges. Checked by force-field.test.ts: every residue has its whole charge.
 */

/** Depth of the minimum and half the distance at it; the same for atoms three bonds apart. */
export interface AtomClass {
  readonly name: string;
  readonly depth: number;
  readonly halfMinimum: number;
  readonly depth14: number;
  readonly halfMinimum14: number;
}

const CARBON_14 = [0.1, 1.9] as const;

function classOf(name: string, depth: number, halfMinimum: number, near?: readonly [number, number]): AtomClass {
  const [depth14, halfMinimum14] = near ?? [depth, halfMinimum];
  return { name, depth, halfMinimum, depth14, halfMinimum14 };
}

/** C without hydrogens, CH1E .. CH3E with one to three, CR1E with one in an aromatic ring. */
export const atomClasses: ReadonlyMap<string, AtomClass> = new Map(
  [
    classOf('C', 0.12, 2.1, CARBON_14),
    classOf('CH1E', 0.0486, 2.365, CARBON_14),
    classOf('CH2E', 0.1142, 2.235, CARBON_14),
    classOf('CH3E', 0.1811, 2.165, CARBON_14),
    classOf('CR1E', 0.12, 2.1, CARBON_14),
    ...['N', 'NR', 'NH1', 'NH2', 'NH3', 'NC2'].map((name) => classOf(name, 0.2384, 1.6)),
    classOf('O', 0.1591, 1.6),
    classOf('OH1', 0.1591, 1.6),
    classOf('OC', 0.6469, 1.6),
    classOf('S', 0.043, 1.89),
    classOf('SH1E', 0.043, 1.89),
    classOf('H', 0.0498, 0.8),
  ].map((entry) => [entry.name, entry] as const),
);

/** One heavy atom, and the polar hydrogens on it. */
export interface AtomTemplate {
  readonly name: string;
  readonly class: string;
  readonly charge: number;
  readonly hydrogens: number;
  /** Of each hydrogen. */
  readonly hydrogenCharge: number;
}

/** `name class charge` or `name class charge hydrogens charge-of-each`. */
function parse(text: string): AtomTemplate[] {
  return text
    .split(';')
    .filter((part) => part !== '')
    .map((part) => {
      const [name, kind, charge, hydrogens = '0', hydrogenCharge = '0'] = part.split(' ');
      return {
        name,
        class: kind,
        charge: Number(charge),
        hydrogens: Number(hydrogens),
        hydrogenCharge: Number(hydrogenCharge),
      };
    });
}

const BACKBONE = 'N NH1 -0.35 1 0.25;CA CH1E 0.1;C C 0.55;O O -0.55';
const METHIONINE = 'CB CH2E 0;CG CH2E 0.06;SD S -0.12;CE CH3E 0.06';

/** Side chains; histidine by where its hydrogens are: at ND1 (HSD), at NE2 (HSE), at both (HSC). */
const SIDE_CHAINS: Readonly<Record<string, string>> = {
  ALA: 'CB CH3E 0',
  ARG: 'CB CH2E 0;CG CH2E 0;CD CH2E 0.1;NE NH1 -0.4 1 0.3;CZ C 0.5;NH1 NC2 -0.45 2 0.35;NH2 NC2 -0.45 2 0.35',
  ASN: 'CB CH2E 0;CG C 0.55;OD1 O -0.55;ND2 NH2 -0.6 2 0.3',
  ASP: 'CB CH2E -0.16;CG C 0.36;OD1 OC -0.6;OD2 OC -0.6',
  CYS: 'CB CH2E 0.19;SG SH1E -0.19',
  CYX: 'CB CH2E 0.19;SG S -0.19',
  GLN: 'CB CH2E 0;CG CH2E 0;CD C 0.55;OE1 O -0.55;NE2 NH2 -0.6 2 0.3',
  GLU: 'CB CH2E 0;CG CH2E -0.16;CD C 0.36;OE1 OC -0.6;OE2 OC -0.6',
  GLY: '',
  HSD: 'CB CH2E 0;CG C 0.1;ND1 NH1 -0.4 1 0.3;CD2 CR1E 0.1;CE1 CR1E 0.3;NE2 NR -0.4',
  HSE: 'CB CH2E 0;CG C 0.1;ND1 NR -0.4;CD2 CR1E 0.1;CE1 CR1E 0.3;NE2 NH1 -0.4 1 0.3',
  HSC: 'CB CH2E 0.1;CG C 0.15;CD2 CR1E 0.2;ND1 NH1 -0.3 1 0.35;CE1 CR1E 0.45;NE2 NH1 -0.3 1 0.35',
  ILE: 'CB CH1E 0;CG1 CH2E 0;CG2 CH3E 0;CD1 CH3E 0;CD CH3E 0',
  LEU: 'CB CH2E 0;CG CH1E 0;CD1 CH3E 0;CD2 CH3E 0',
  LYS: 'CB CH2E 0;CG CH2E 0;CD CH2E 0;CE CH2E 0.25;NZ NH3 -0.3 3 0.35',
  MET: METHIONINE,
  MSE: METHIONINE.replace('SD', 'SE'),
  PHE: 'CB CH2E 0;CG C 0;CD1 CR1E 0;CD2 CR1E 0;CE1 CR1E 0;CE2 CR1E 0;CZ CR1E 0',
  PRO: 'CB CH2E 0;CG CH2E 0;CD CH2E 0.1',
  SER: 'CB CH2E 0.25;OG OH1 -0.65 1 0.4',
  THR: 'CB CH1E 0.25;OG1 OH1 -0.65 1 0.4;CG2 CH3E 0',
  TRP: 'CB CH2E 0;CG C -0.03;CD2 C 0.1;CE2 C -0.04;CE3 CR1E -0.03;CD1 CR1E 0.06;NE1 NH1 -0.36 1 0.3;CZ2 CR1E 0;CZ3 CR1E 0;CH2 CR1E 0',
  TYR: 'CB CH2E 0;CG C 0;CD1 CR1E 0;CD2 CR1E 0;CE1 CR1E 0;CE2 CR1E 0;CZ C 0.25;OH OH1 -0.65 1 0.4',
  VAL: 'CB CH1E 0;CG1 CH3E 0;CG2 CH3E 0',
}; // biome-ignore format: one side chain, one line

const SPECIAL_BACKBONES: Readonly<Record<string, string>> = {
  GLY: 'CA CH2E 0.1',
  PRO: 'N N -0.2',
};
const FIRST = 'N NH3 -0.3 3 0.35;CA CH1E 0.25';
const SPECIAL_FIRSTS: Readonly<Record<string, string>> = {
  GLY: 'N NH3 -0.3 3 0.35;CA CH2E 0.25',
  PRO: 'N NH3 -0.2 2 0.35;CA CH1E 0.25;CD CH2E 0.25',
};
const LAST = 'C C 0.14;O OC -0.57;OXT OC -0.57';

/** Whether a residue begins or ends its chain, charged. */
export interface ResidueEnds {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Heavy atoms by name. `kind`: a component name, histidine and bonded cysteine as above. null: not in the set. */
export function residueTemplate(kind: string, { isFirst, isLast }: ResidueEnds): Map<string, AtomTemplate> | null {
  if (!Object.hasOwn(SIDE_CHAINS, kind)) return null;
  const parts = [
    BACKBONE,
    SPECIAL_BACKBONES[kind] ?? '',
    SIDE_CHAINS[kind],
    isFirst ? (SPECIAL_FIRSTS[kind] ?? FIRST) : '',
    isLast ? LAST : '',
  ];
  // What is named again replaces what was there.
  return new Map(parts.flatMap(parse).map((atom) => [atom.name, atom] as const));
}

/** Backbone of residues that the set lacks. */
export const backboneTemplate: ReadonlyMap<string, AtomTemplate> = new Map(
  parse(BACKBONE).map((atom) => [atom.name, atom] as const),
);

/** height (1 + cos(periodicity angle + phase)). */
export interface TorsionTerm {
  readonly height: number;
  readonly periodicity: number;
  /** 0 or pi. */
  readonly phase: number;
}

/** By the classes of the middle atoms, whatever the outer ones; bonds not listed have no term. */
const TORSIONS: Readonly<Record<string, readonly [number, number, number]>> = {
  'C-N': [8.2, 2, Math.PI],
  'C-NH1': [8.2, 2, Math.PI],
  'C-NH2': [8.2, 2, Math.PI],
  'C-NC2': [8.2, 2, Math.PI],
  'C-OH1': [1.8, 2, Math.PI],
  'CH1E-CH1E': [1.6, 3, 0],
  'CH1E-CH2E': [1.6, 3, 0],
  'CH1E-N': [0.3, 3, 0],
  'CH1E-NH1': [0.3, 3, 0],
  'CH1E-NH3': [0.6, 3, 0],
  'CH1E-OH1': [0.5, 3, 0],
  'CH2E-CH2E': [1.6, 3, 0],
  'CH2E-N': [0.3, 3, 0],
  'CH2E-NH1': [0.3, 3, 0],
  'CH2E-NH3': [0.6, 3, 0],
  'CH2E-OH1': [0.5, 3, 0],
  'CH2E-S': [1.2, 2, 0],
  'S-S': [4, 2, 0],
};

/** Carbons around C-N before proline. */
const PROLINE_TERM: TorsionTerm = { height: 10, periodicity: 2, phase: Math.PI };

/** Term of a torsion whose atoms have these classes, null when there is none. */
export function torsionTerm(a: string, b: string, c: string, d: string): TorsionTerm | null {
  const isSorted = b <= c;
  const [first, last] = isSorted ? [a, d] : [d, a];
  const key = isSorted ? `${b}-${c}` : `${c}-${b}`;
  if (key === 'C-N' && (first === 'CH1E' || first === 'CH2E') && last === 'CH1E') return PROLINE_TERM;
  const row = TORSIONS[key];
  return row ? { height: row[0], periodicity: row[1], phase: row[2] } : null;
}

/** Electrostatics of atoms three bonds apart count by this factor. */
export const ELECTROSTATIC_14 = 0.4;

/** Coulomb's constant, kcal angstrom / (mol e^2), as CHARMM has it. */
export const COULOMB = 332.0716;

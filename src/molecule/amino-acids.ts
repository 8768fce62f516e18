/**
 * The covalent structure of the amino acids: which heavy atoms are bonded, which torsions are called chi.
 * Names: wwPDB chemical component dictionary. Chi: IUPAC-IUB 1970, "Abbreviations and symbols for the description of the
 * conformation of polypeptide chains", doi:10.1021/bi00820a001.
 */

import { requireText } from '../math/arguments.js';

export interface AminoAcid {
  readonly code: string;
  /** Bonds among heavy atoms, backbone included. */
  readonly bonds: readonly (readonly [string, string])[];
  /** Atoms of chi 1, chi 2, ... */
  readonly chi: readonly (readonly [string, string, string, string])[];
}

const BACKBONE = 'N-CA CA-C C-O C-OXT';
const RING_SIX = 'CB-CG CG-CD1 CG-CD2 CD1-CE1 CD2-CE2 CE1-CZ CE2-CZ';

/** One-letter code, side chain's bonds, and the path that chi angles follow from N and CA outward. */
const TABLE: Readonly<Record<string, readonly [string, string, string]>> = {
  ALA: ['A', '', ''],
  ARG: ['R', 'CB-CG CG-CD CD-NE NE-CZ CZ-NH1 CZ-NH2', 'CB CG CD NE CZ NH1'],
  ASN: ['N', 'CB-CG CG-OD1 CG-ND2', 'CB CG OD1'],
  ASP: ['D', 'CB-CG CG-OD1 CG-OD2', 'CB CG OD1'],
  CYS: ['C', 'CB-SG', 'CB SG'],
  GLN: ['Q', 'CB-CG CG-CD CD-OE1 CD-NE2', 'CB CG CD OE1'],
  GLU: ['E', 'CB-CG CG-CD CD-OE1 CD-OE2', 'CB CG CD OE1'],
  GLY: ['G', '', ''],
  HIS: ['H', 'CB-CG CG-ND1 CG-CD2 ND1-CE1 CD2-NE2 CE1-NE2', 'CB CG ND1'],
  ILE: ['I', 'CB-CG1 CB-CG2 CG1-CD1', 'CB CG1 CD1'],
  LEU: ['L', 'CB-CG CG-CD1 CG-CD2', 'CB CG CD1'],
  LYS: ['K', 'CB-CG CG-CD CD-CE CE-NZ', 'CB CG CD CE NZ'],
  MET: ['M', 'CB-CG CG-SD SD-CE', 'CB CG SD CE'],
  MSE: ['M', 'CB-CG CG-SE SE-CE', 'CB CG SE CE'],
  PHE: ['F', RING_SIX, 'CB CG CD1'],
  PRO: ['P', 'CB-CG CG-CD CD-N', 'CB CG CD'],
  SER: ['S', 'CB-OG', 'CB OG'],
  THR: ['T', 'CB-OG1 CB-CG2', 'CB OG1'],
  TRP: ['W', 'CB-CG CG-CD1 CG-CD2 CD1-NE1 NE1-CE2 CE2-CD2 CD2-CE3 CE3-CZ3 CZ3-CH2 CH2-CZ2 CZ2-CE2', 'CB CG CD1'],
  TYR: ['Y', `${RING_SIX} CZ-OH`, 'CB CG CD1'],
  VAL: ['V', 'CB-CG1 CB-CG2', 'CB CG1'],
};

function parse([code, bonds, path]: readonly [string, string, string], hasBeta: boolean): AminoAcid {
  const all = [BACKBONE, hasBeta ? 'CA-CB' : '', bonds].join(' ').split(' ');
  const chain = ['N', 'CA', ...path.split(' ')].filter((name) => name !== '');
  return {
    code,
    bonds: all.filter((bond) => bond !== '').map((bond) => bond.split('-') as [string, string]),
    chi: chain.slice(3).map((_, i) => chain.slice(i, i + 4) as [string, string, string, string]),
  };
}

const aminoAcids = new Map(Object.entries(TABLE).map(([name, row]) => [name, parse(row, name !== 'GLY')]));

/** The twenty and selenomethionine; undefined for every other component. */
export function aminoAcidOf(component: string): AminoAcid | undefined {
  requireText('aminoAcidOf', 'component', component);
  return aminoAcids.get(component);
}

/** Component name of a one-letter code; undefined when it stands for none of the twenty. */
export function aminoAcidFromCode(code: string): string | undefined {
  requireText('aminoAcidFromCode', 'code', code);
  for (const [name, { code: own }] of aminoAcids) if (own === code && name !== 'MSE') return name;
  return undefined;
}

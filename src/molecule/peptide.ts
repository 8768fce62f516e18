/**
 * A peptide from its sequence and torsions, heavy atoms, with ideal bond lengths and angles.
 *
 * Source of the geometry: Engh, Huber 1991, "Accurate bond and angle parameters for X-ray protein structure refinement",
 * doi:10.1107/S0108767391001071; the turn of C beta about N-CA (-122.8 degrees in L-amino acids) and between branches of side
 * chains from tetrahedral geometry. Torsions: torsions.ts. Proline's ring is puckered by its given chi angles and its last
 * bond closes approximately.
 */
import { type Fields, numbers, requireFields, requireFinite, requireList, requireText } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { cos, sin } from '../math/scalar.js';
import { aminoAcidFromCode } from './amino-acids.js';
import { placeAtom } from './internal-coordinates.js';
import { AtomColumnsBuilder, type Structure } from './structure.js';

export interface PeptideTorsions {
  /** Radians; -120 degrees when left out (beta strand). Of no effect in the first residue. */
  readonly phi?: number;
  /** Radians; 130 degrees when left out. */
  readonly psi?: number;
  /** Of the bond to the residue before, radians; 180 degrees when left out. */
  readonly omega?: number;
  /** Radians; chi 1 is -60 degrees and the others 180 when left out, proline's 30 and -40. */
  readonly chi?: readonly number[];
}

const TORSIONS: Fields = { phi: requireFinite, psi: requireFinite, omega: requireFinite, chi: numbers };

const DEGREE = Math.PI / 180;

/** atom, bonded to, angle with, torsion from, length, angle in degrees, `k` chi index (0: none) and turn in degrees. */
type Row = readonly [string, string, string, string, number, number, number, number];

function row(text: string): Row {
  const [atom, bond, angle, torsion, length, degrees, chi, turn] = text.split(' ');
  return [atom, bond, angle, torsion, Number(length), Number(degrees), Number(chi), Number(turn)];
}

/** Side chains beyond C beta: each atom's torsion is chi k, or a fixed turn from the atom it refers to. */
const SIDE_CHAINS: Readonly<Record<string, string>> = {
  ALA: '',
  GLY: '',
  SER: 'OG CB CA N 1.417 111.1 1 0',
  CYS: 'SG CB CA N 1.808 114.4 1 0',
  THR: 'OG1 CB CA N 1.433 109.6 1 0;CG2 CB CA OG1 1.521 110.5 0 -120.5',
  VAL: 'CG1 CB CA N 1.521 110.5 1 0;CG2 CB CA CG1 1.521 110.5 0 122.9',
  ILE: 'CG1 CB CA N 1.53 110.4 1 0;CG2 CB CA CG1 1.521 110.5 0 -122.6;CD1 CG1 CB CA 1.513 113.8 2 0',
  LEU: 'CG CB CA N 1.53 116.3 1 0;CD1 CG CB CA 1.521 110.7 2 0;CD2 CG CB CD1 1.521 110.7 0 122.9',
  ASP: 'CG CB CA N 1.516 112.6 1 0;OD1 CG CB CA 1.249 118.4 2 0;OD2 CG CB OD1 1.249 118.4 0 180',
  ASN: 'CG CB CA N 1.516 112.6 1 0;OD1 CG CB CA 1.231 120.8 2 0;ND2 CG CB OD1 1.328 116.4 0 180',
  GLU: 'CG CB CA N 1.52 114.1 1 0;CD CG CB CA 1.516 112.6 2 0;OE1 CD CG CB 1.249 118.4 3 0;OE2 CD CG OE1 1.249 118.4 0 180',
  GLN: 'CG CB CA N 1.52 114.1 1 0;CD CG CB CA 1.516 112.6 2 0;OE1 CD CG CB 1.231 120.8 3 0;NE2 CD CG OE1 1.328 116.4 0 180',
  LYS: 'CG CB CA N 1.52 114.1 1 0;CD CG CB CA 1.52 111.3 2 0;CE CD CG CB 1.52 111.3 3 0;NZ CE CD CG 1.489 111.9 4 0',
  ARG: 'CG CB CA N 1.52 114.1 1 0;CD CG CB CA 1.52 111.3 2 0;NE CD CG CB 1.46 112 3 0;CZ NE CD CG 1.329 124.2 4 0;NH1 CZ NE CD 1.326 120 5 0;NH2 CZ NE NH1 1.326 120 0 180',
  MET: 'CG CB CA N 1.52 114.1 1 0;SD CG CB CA 1.803 112.7 2 0;CE SD CG CB 1.791 100.9 3 0',
  PHE: 'CG CB CA N 1.502 113.8 1 0;CD1 CG CB CA 1.384 120.7 2 0;CD2 CG CB CD1 1.384 120.7 0 180;CE1 CD1 CG CB 1.382 120.7 0 180;CE2 CD2 CG CB 1.382 120.7 0 180;CZ CE1 CD1 CG 1.382 120 0 0',
  TYR: 'CG CB CA N 1.512 113.9 1 0;CD1 CG CB CA 1.389 120.8 2 0;CD2 CG CB CD1 1.389 120.8 0 180;CE1 CD1 CG CB 1.382 121.2 0 180;CE2 CD2 CG CB 1.382 121.2 0 180;CZ CE1 CD1 CG 1.378 119.6 0 0;OH CZ CE1 CD1 1.376 119.9 0 180',
  HIS: 'CG CB CA N 1.497 113.8 1 0;ND1 CG CB CA 1.378 122.7 2 0;CD2 CG CB ND1 1.354 131.2 0 180;CE1 ND1 CG CB 1.321 109 0 180;NE2 CD2 CG CB 1.374 107.2 0 180',
  TRP: 'CG CB CA N 1.498 113.6 1 0;CD1 CG CB CA 1.365 126.9 2 0;CD2 CG CB CD1 1.433 126.8 0 180;NE1 CD1 CG CB 1.374 110.2 0 180;CE2 CD2 CG CB 1.409 107.2 0 180;CE3 CD2 CG CB 1.398 133.9 0 0;CZ3 CE3 CD2 CG 1.382 118.6 0 180;CZ2 CE2 CD2 CG 1.394 122.4 0 180;CH2 CZ3 CE3 CD2 1.4 121.1 0 0',
  PRO: 'CG CB CA N 1.492 104.5 1 0;CD CG CB CA 1.503 106.1 2 0',
}; // biome-ignore format: one side chain, one line

const sideChains = new Map(
  Object.entries(SIDE_CHAINS).map(([name, text]) => [name, text === '' ? [] : text.split(';').map(row)] as const),
);

const PSI = 130 * DEGREE;
const PHI = -120 * DEGREE;

/**
 * `sequence` in one-letter codes (spaces are passed over), one chain "A" numbered from 1, with the terminal OXT. Throws
 * RangeError for a letter that stands for none of the twenty.
 */
export function buildPeptide(sequence: string, torsions: readonly PeptideTorsions[] = []): Structure {
  requireText('buildPeptide', 'sequence', sequence);
  requireList('buildPeptide', 'torsions', torsions, 'a list of torsions, one entry per residue');
  torsions.forEach((each, i) => {
    if (each !== undefined) requireFields('buildPeptide', `torsions[${i}]`, each, TORSIONS);
  });
  const codes = [...sequence.replace(/\s+/g, '').toUpperCase()];
  const names = codes.map((code, i) => {
    const name = aminoAcidFromCode(code);
    if (!name)
      throw new MisuseError(`buildPeptide: sequence, got "${code}" at ${i + 1}, expected one of the twenty codes`);
    return name;
  });
  const atoms = new AtomColumnsBuilder();
  const placed = new Map<string, readonly [number, number, number]>();
  let previous: ReadonlyMap<string, readonly [number, number, number]> = new Map();
  names.forEach((name, i) => {
    placed.clear();
    const { phi = PHI, psi = PSI, omega = Math.PI, chi = [] } = torsions[i] ?? {};
    if (i === 0) {
      placed.set('N', [0, 0, 0]);
      placed.set('CA', [1.458, 0, 0]);
      const bend = 111.2 * DEGREE;
      placed.set('C', [1.458 - 1.525 * cos(bend), 1.525 * sin(bend), 0]);
    } else {
      const before = torsions[i - 1]?.psi ?? PSI;
      const [n, ca, c] = ['N', 'CA', 'C'].map((atom) => previous.get(atom)!);
      placed.set('N', place(n, ca, c, 1.329, 116.2 * DEGREE, before));
      placed.set('CA', place(ca, c, placed.get('N')!, 1.458, 121.7 * DEGREE, omega));
      placed.set('C', place(c, placed.get('N')!, placed.get('CA')!, 1.525, 111.2 * DEGREE, phi));
    }
    const [n, ca, c] = ['N', 'CA', 'C'].map((atom) => placed.get(atom)!);
    // O lies across the peptide plane from the next N.
    placed.set('O', place(n, ca, c, 1.231, 120.8 * DEGREE, psi + Math.PI));
    if (name !== 'GLY') placed.set('CB', place(c, n, ca, 1.53, 110.5 * DEGREE, -122.8 * DEGREE));
    for (const [atom, bond, angle, torsion, length, degrees, k, turn] of sideChains.get(name)!) {
      const fallback = name === 'PRO' ? (k === 1 ? 30 : -40) * DEGREE : k === 1 ? -60 * DEGREE : Math.PI;
      const about = k > 0 ? (chi[k - 1] ?? fallback) : turn * DEGREE;
      const [t, a, b] = [torsion, angle, bond].map((other) => placed.get(other)!);
      placed.set(atom, place(t, a, b, length, degrees * DEGREE, about));
    }
    if (i === names.length - 1) placed.set('OXT', place(n, ca, c, 1.249, 117 * DEGREE, psi));
    for (const [atom, position] of placed) {
      atoms.add({
        position,
        serial: atoms.count + 1,
        name: atom,
        element: atom[0],
        alternate: '',
        residue: { chain: 'A', sequence: i + 1, insertion: '', name },
        occupancy: 1,
        temperature: 0,
        hetero: false,
      });
    }
    previous = new Map(placed);
  });
  atoms.terminate();
  return {
    format: 'pdb',
    name: '',
    models: [{ number: 1, atoms: atoms.build() }],
    missing: [],
    unplaced: [],
    modified: new Map(),
    bonds: [],
  };
}

type Point = readonly [number, number, number];

const quartet = new Float64Array(12);

/** The point bonded to c at `length`, with angle b-c-point and torsion a-b-c-point. */
function place(a: Point, b: Point, c: Point, length: number, angle: number, torsion: number): [number, number, number] {
  quartet.set([...a, ...b, ...c]);
  placeAtom(quartet, 3, [2, 1, 0], length, angle, torsion);
  return [quartet[9], quartet[10], quartet[11]];
}

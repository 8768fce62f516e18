/**
 * Covalent bonds of a molecule.
 *
 * Within amino acids from the table of their structure; hydrogens, and everything in other components, by distance (sum of
 * covalent radii plus 0.4 angstrom, hydrogens to their nearest heavy atom only). Between residues of a polymer by the
 * distance from C to N or O3' to P: numbers say nothing about what is joined, as residues may be missing. Disulfides
 * by the distance of their sulfurs. Then what the file states, coordination of metals excepted.
 *
 * Cost: linear, residues are small.
 */
import { hypot } from '../math/scalar.js';
import { aminoAcidOf } from './amino-acids.js';
import { findContacts } from './cell-list.js';
import { isMetal } from './elements.js';
import { type ChainGap, findAtom, type Molecule } from './molecule.js';
import { covalentRadius } from './radii.js';
import { type AtomColumns, type AtomName, residueKey, type Structure } from './structure.js';

/** A peptide bond has 1.33, a phosphodiester bond 1.60; the rest allows for poor models. */
export const LONGEST_POLYMER_BOND = 2;
/** From CA to CA of neighbours 3.8, from P to P up to 7.5; the rest allows for poor models. */
const LONGEST_TRACE: Readonly<Record<'amino-acid' | 'nucleotide', number>> = { 'amino-acid': 4.5, nucleotide: 8 };
/** S-S has 2.05. */
const LONGEST_DISULFIDE = 2.5;
/** The longest stated bond that is believed; no covalent bond of a biological molecule is longer. */
const LONGEST_STATED_BOND = 3.2;
const BOND_SLACK = 0.4;

type Atoms = Pick<
  Molecule,
  'atomCount' | 'positions' | 'atomNames' | 'elements' | 'residueOf' | 'sourceRows' | 'residues'
>;
type Bonds = Pick<Molecule, 'bonds' | 'disulfides' | 'gaps' | 'warnings'>;

export function findBonds(atoms: Atoms, structure: Structure, columns: AtomColumns): Bonds {
  const bonds = new BondSet(atoms.atomCount);
  for (let residue = 0; residue < atoms.residues.length; residue++) bondResidue(atoms, residue, bonds);
  const gaps = bondPolymer(atoms, structure, bonds);
  const disulfides = bondSulfurs(atoms, bonds);
  const warnings = bondStated(atoms, structure, columns, bonds);
  return { bonds: bonds.sorted(), disulfides, gaps, warnings };
}

class BondSet {
  private readonly keys = new Set<number>();

  constructor(private readonly atomCount: number) {}

  add(a: number, b: number): void {
    if (a !== b) this.keys.add(Math.min(a, b) * this.atomCount + Math.max(a, b));
  }

  sorted(): Int32Array {
    const keys = Float64Array.from(this.keys).sort();
    const pairs = new Int32Array(2 * keys.length);
    keys.forEach((key, i) => {
      pairs[2 * i] = Math.floor(key / this.atomCount);
      pairs[2 * i + 1] = key % this.atomCount;
    });
    return pairs;
  }
}

export function atomDistance(positions: Float64Array, a: number, b: number): number {
  return hypot(
    positions[3 * a] - positions[3 * b],
    positions[3 * a + 1] - positions[3 * b + 1],
    positions[3 * a + 2] - positions[3 * b + 2],
  );
}

function bondResidue(atoms: Atoms, residue: number, bonds: BondSet): void {
  const { first, count, name } = atoms.residues[residue];
  const known = new Map<string, number>();
  for (let i = first; i < first + count; i++) known.set(atoms.atomNames[i], i);
  const template = aminoAcidOf(name);
  const placed = new Set<string>();
  for (const [a, b] of template?.bonds ?? []) {
    placed.add(a).add(b);
    const [i, j] = [known.get(a), known.get(b)];
    if (i !== undefined && j !== undefined) bonds.add(i, j);
  }
  for (let i = first; i < first + count; i++) {
    if (atoms.elements[i] === 'H') bondHydrogen(atoms, i, first, count, bonds);
    else if (!placed.has(atoms.atomNames[i])) bondByDistance(atoms, i, first, count, bonds);
  }
}

function bondHydrogen(atoms: Atoms, atom: number, first: number, count: number, bonds: BondSet): void {
  let nearest = -1;
  let least = covalentRadius('H') + 1.1 + BOND_SLACK;
  for (let j = first; j < first + count; j++) {
    if (atoms.elements[j] === 'H') continue;
    const distance = atomDistance(atoms.positions, atom, j);
    if (distance < least) {
      least = distance;
      nearest = j;
    }
  }
  if (nearest >= 0) bonds.add(atom, nearest);
}

function bondByDistance(atoms: Atoms, atom: number, first: number, count: number, bonds: BondSet): void {
  const radius = covalentRadius(atoms.elements[atom]) + BOND_SLACK;
  for (let j = first; j < first + count; j++) {
    if (j === atom || atoms.elements[j] === 'H') continue;
    if (atomDistance(atoms.positions, atom, j) < radius + covalentRadius(atoms.elements[j])) bonds.add(atom, j);
  }
}

/** Peptide and phosphodiester bonds between neighbours of a chain, and the gaps where there should be one. */
function bondPolymer(atoms: Atoms, structure: Structure, bonds: BondSet): ChainGap[] {
  const gaps: ChainGap[] = [];
  const last = new Map<string, number>();
  for (let residue = 0; residue < atoms.residues.length; residue++) {
    const { kind, chain } = atoms.residues[residue];
    if (kind !== 'amino-acid' && kind !== 'nucleotide') continue;
    const before = last.get(chain);
    last.set(chain, residue);
    if (before === undefined || atoms.residues[before].kind !== kind) continue;
    const from = findAtom(atoms, before, kind === 'amino-acid' ? 'C' : "O3'");
    const to = findAtom(atoms, residue, kind === 'amino-acid' ? 'N' : 'P');
    const distance = from >= 0 && to >= 0 ? atomDistance(atoms.positions, from, to) : null;
    if (distance !== null && distance <= LONGEST_POLYMER_BOND) bonds.add(from, to);
    else if (!atoms.residues[before].terminal && !(distance === null && isTraced(atoms, before, residue, kind))) {
      gaps.push({ before, after: residue, missing: countMissing(atoms, structure, before, residue), distance });
    }
  }
  return gaps;
}

/** Whether two residues of a file that holds one atom of each, CA or P, follow each other. */
function isTraced(atoms: Atoms, before: number, after: number, kind: 'amino-acid' | 'nucleotide'): boolean {
  const [a, b] = [before, after].map((residue) => findAtom(atoms, residue, kind === 'amino-acid' ? 'CA' : 'P'));
  return a >= 0 && b >= 0 && atomDistance(atoms.positions, a, b) <= LONGEST_TRACE[kind];
}

function countMissing(atoms: Atoms, structure: Structure, before: number, after: number): number {
  const [a, b] = [atoms.residues[before], atoms.residues[after]];
  return structure.missing.filter(
    ({ chain, sequence }) => chain === a.chain && sequence >= a.sequence && sequence <= b.sequence,
  ).length;
}

function bondSulfurs(atoms: Atoms, bonds: BondSet): [number, number][] {
  const sulfurs: number[] = [];
  atoms.residues.forEach(({ kind }, residue) => {
    const sulfur = kind === 'amino-acid' ? findAtom(atoms, residue, 'SG') : -1;
    if (sulfur >= 0) sulfurs.push(sulfur);
  });
  const positions = new Float64Array(3 * sulfurs.length);
  sulfurs.forEach((atom, i) => {
    positions.set(atoms.positions.subarray(3 * atom, 3 * atom + 3), 3 * i);
  });
  const pairs: [number, number][] = [];
  findContacts(positions, sulfurs.length, LONGEST_DISULFIDE, (i, j) => {
    const [a, b] = [sulfurs[i], sulfurs[j]];
    bonds.add(a, b);
    pairs.push([atoms.residueOf[Math.min(a, b)], atoms.residueOf[Math.max(a, b)]]);
  });
  return pairs.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
}

function bondStated(atoms: Atoms, structure: Structure, columns: AtomColumns, bonds: BondSet): string[] {
  const warnings: string[] = [];
  const atomOfRow = new Map<number, number>(Array.from(atoms.sourceRows, (row, atom) => [row, atom]));
  const rowsOfSerial = new Map<number, number[]>();
  for (let row = 0; row < columns.count; row++) {
    const rows = rowsOfSerial.get(columns.serials[row]);
    if (rows) rows.push(row);
    else rowsOfSerial.set(columns.serials[row], [row]);
  }
  const residueOfKey = new Map<string, number>();
  atoms.residues.forEach(({ chain, sequence, insertion }, i) => {
    const key = residueKey(chain, sequence, insertion);
    // Numbers that come again are those of waters: a bond means the residue that had them first.
    if (!residueOfKey.has(key)) residueOfKey.set(key, i);
  });
  const byName = (name: AtomName): number => {
    const residue = residueOfKey.get(residueKey(name.chain, name.sequence, name.insertion));
    const atom = residue === undefined ? -1 : findAtom(atoms, residue, name.atom);
    const other = atom >= 0 && name.alternate !== '' && columns.alternates[atoms.sourceRows[atom]] !== name.alternate;
    return other ? -1 : atom;
  };
  for (const bond of structure.bonds) {
    if (bond.kind === 'names') {
      const [a, b] = bond.atoms.map(byName);
      // Atoms of other conformations or chains are left out on purpose.
      if (a >= 0 && b >= 0) bondChecked(atoms, a, b, bonds, warnings);
      continue;
    }
    const rows = bond.serials.map((serial) => rowsOfSerial.get(serial) ?? []);
    const unknown = bond.serials.find((_, i) => rows[i].length === 0);
    if (unknown !== undefined) {
      warnings.push(`a bond names atom ${unknown}, which the file does not have; it is passed over`);
      continue;
    }
    const [a, b] = rows.map((list) => list.map((row) => atomOfRow.get(row) ?? -1).find((atom) => atom >= 0) ?? -1);
    if (a >= 0 && b >= 0) bondChecked(atoms, a, b, bonds, warnings);
  }
  return warnings;
}

function bondChecked(atoms: Atoms, a: number, b: number, bonds: BondSet, warnings: string[]): void {
  // CONECT lists coordination among the bonds; which contacts of a metal it lists differs from file to file.
  if (isMetal(atoms.elements[a]) || isMetal(atoms.elements[b])) return;
  const distance = atomDistance(atoms.positions, a, b);
  if (distance <= LONGEST_STATED_BOND) bonds.add(a, b);
  else {
    const names = [a, b].map((atom) => {
      const { chain, name, sequence, insertion } = atoms.residues[atoms.residueOf[atom]];
      return `${chain} ${name} ${sequence}${insertion} ${atoms.atomNames[atom]}`.trim();
    });
    warnings.push(`a bond joins ${names.join(' and ')}, ${distance.toFixed(2)} angstrom apart; it is passed over`);
  }
}

/**
 * A molecule with the parameters of CHARMM19: which atoms interact, how strongly, and which pairs are excepted.
 *
 * Energy: sum over pairs of atoms more than three bonds apart of S(r) (depth ((m/r)^12 - 2 (m/r)^6) + k q q' / (e r^2)),
 * with depth = sqrt of the product of both depths, m = sum of both half minima, and the dielectric growing with distance as
 * e r; pairs two bonds apart or less have none; pairs three bonds apart have their own depths and minima and 0.4 of the
 * electrostatics; plus height (1 + cos(n angle + phase)) for every torsion of the set.
 * Cutoff: S is 1 up to `switchOn`, 0 from `cutoff` on, and (c - s)^2 (c + 2 s - 3 a) / (c - a)^3 in between with s = r^2,
 * c = cutoff^2, a = switchOn^2: the energy and its derivative are continuous. Atoms closer than 0.1 angstrom count as 0.1.
 * Charges: the hydrogens that the molecule has bear their own; the charge of a polar hydrogen that is missing is added to
 * its heavy atom, so that groups keep their charge (`remarks` says so). Hydrogens on carbon are part of the carbon.
 * Termini are charged, ends at a gap and chains without the last oxygen are not. Histidine is neutral with its hydrogen at
 * ND1 unless hydrogens say otherwise.
 * Source: charmm19.ts; the switching function from Brooks et al. 1983, doi:10.1002/jcc.540040211; cutoff 9 and 7 angstrom
 * with the dielectric r as in Lazaridis, Karplus 1999, "Effective energy function for proteins in solution",
 * Proteins 35, 133-152.
 * Checked by force-field.test.ts.
 */

import { type Fields, requireNumber, requireOptions, throwMisuse } from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { aminoAcidOf } from '../amino-acids.js';
import { findBondedNeighbors, includesSorted } from '../clashes.js';
import { describeResidue, findAtom, type Molecule, requireMolecule } from '../molecule.js';
import { isColumn, isFloats } from '../molecule-door.js';
import {
  type AtomClass,
  type AtomTemplate,
  atomClasses,
  backboneTemplate,
  COULOMB,
  ELECTROSTATIC_14,
  residueTemplate,
  type TorsionTerm,
  torsionTerm,
} from './charmm19.js';

export interface ForceFieldOptions {
  /** Angstrom; 9 when left out. */
  readonly cutoff?: number;
  /** Where the switching function begins, angstrom; 7/9 of the cutoff when left out. */
  readonly switchOn?: number;
  /** The dielectric is this times the distance in angstrom; 1 when left out (4 is common as well). */
  readonly dielectric?: number;
}

/** @internal */
export const FIELD_OPTIONS: Fields = { cutoff: requireNumber, switchOn: requireNumber, dielectric: requireNumber };

/** A torsion of four bonded atoms with its term. */
export interface ForceFieldTorsion extends TorsionTerm {
  readonly atoms: readonly [number, number, number, number];
}

export interface ForceField {
  readonly molecule: Molecule;
  readonly cutoff: number;
  readonly switchOn: number;
  readonly dielectric: number;
  /** Atoms that interact, ascending: heavy atoms and polar hydrogens of amino acids. */
  readonly atoms: Int32Array;
  /** By atom of the molecule, 0 for atoms that take no part: elementary charges. */
  readonly charges: Float64Array;
  /** sqrt of the depth, sqrt(kcal/mol); and half the distance at the minimum, angstrom. */
  readonly depthRoots: Float64Array;
  readonly halfMinima: Float64Array;
  /** The same for pairs three bonds apart. */
  readonly depthRoots14: Float64Array;
  readonly halfMinima14: Float64Array;
  /** By atom: interacting atoms at most two bonds away, sorted; and those three bonds away by the shortest way. */
  readonly excluded: readonly Int32Array[];
  readonly pairs14: readonly Int32Array[];
  readonly torsions: readonly ForceFieldTorsion[];
  /** What is not as the parameter set has it, one sentence each. */
  readonly remarks: readonly string[];
}

/** What the pair functions need of a force field, computed once. */
export interface PairConstants {
  readonly cutoff2: number;
  readonly switch2: number;
  /** 1 / (c - a)^3. */
  readonly switchScale: number;
  /** k / e, and the same for pairs three bonds apart. */
  readonly coulomb: number;
  readonly coulomb14: number;
}

/** Squared distances below this count as this. */
export const LEAST_SQUARE = 0.01;

export function pairConstants({ cutoff, switchOn, dielectric }: ForceField): PairConstants {
  const cutoff2 = cutoff * cutoff;
  const switch2 = switchOn * switchOn;
  return {
    cutoff2,
    switch2,
    switchScale: 1 / ((cutoff2 - switch2) * (cutoff2 - switch2) * (cutoff2 - switch2)),
    coulomb: COULOMB / dielectric,
    coulomb14: (COULOMB * ELECTROSTATIC_14) / dielectric,
  };
}

/** Throws RangeError when an option is out of range or the molecule has no amino acid. */
export function createForceField(molecule: Molecule, options: ForceFieldOptions = {}): ForceField {
  requireMolecule('createForceField', 'molecule', molecule);
  requireOptions('createForceField', options, FIELD_OPTIONS);
  const { cutoff = 9, switchOn = (cutoff * 7) / 9, dielectric = 1 } = options;
  if (!(cutoff >= 1 && cutoff <= 100))
    throw new MisuseError(`createForceField: options.cutoff, got ${cutoff}, expected 1 to 100 angstrom`);
  if (!(switchOn >= 0 && switchOn < cutoff)) {
    throw new MisuseError(`createForceField: options.switchOn, got ${switchOn}, expected 0 to less than the cutoff`);
  }
  if (!(dielectric >= 0.1 && dielectric <= 1000)) {
    throw new MisuseError(`createForceField: options.dielectric, got ${dielectric}, expected 0.1 to 1000`);
  }
  if (!molecule.residues.some(({ kind }) => kind === 'amino-acid')) {
    throw new MisuseError('createForceField: molecule, got no amino acid, expected at least one');
  }
  const typing = new Typing(molecule);
  const { classes, charges } = typing;
  const numbers = (of: (kind: AtomClass) => number) =>
    Float64Array.from(classes, (kind) => (kind === null ? 0 : of(kind)));
  const isActive = (atom: number) => classes[atom] !== null;
  const near = findBondedNeighbors(molecule, 2);
  const within = findBondedNeighbors(molecule, 3);
  return Object.freeze({
    molecule,
    cutoff,
    switchOn,
    dielectric,
    atoms: Int32Array.from(classes.keys()).filter(isActive),
    charges,
    depthRoots: numbers(({ depth }) => Math.sqrt(depth)),
    halfMinima: numbers(({ halfMinimum }) => halfMinimum),
    depthRoots14: numbers(({ depth14 }) => Math.sqrt(depth14)),
    halfMinima14: numbers(({ halfMinimum14 }) => halfMinimum14),
    excluded: near.map((list) => list.filter(isActive)),
    pairs14: within.map((list, atom) => list.filter((other) => isActive(other) && !includesSorted(near[atom], other))),
    torsions: listTorsions(molecule, classes),
    remarks: typing.remarks,
  });
}

/** Class and charge of every atom. */
class Typing {
  readonly classes: (AtomClass | null)[];
  readonly charges: Float64Array;
  readonly remarks: string[] = [];
  /** Neighbours by bonds. */
  private readonly neighbors: readonly Int32Array[];
  private folded = 0;

  constructor(private readonly molecule: Molecule) {
    this.classes = new Array<AtomClass | null>(molecule.atomCount).fill(null);
    this.charges = new Float64Array(molecule.atomCount);
    this.neighbors = findBondedNeighbors(molecule, 1);
    const bonded = new Set(molecule.disulfides.flat());
    const afterGap = new Set(molecule.gaps.map(({ after }) => after));
    let left = 0;
    molecule.residues.forEach(({ kind, count }, residue) => {
      if (kind === 'amino-acid') this.typeResidue(residue, bonded.has(residue), afterGap.has(residue));
      else left += count;
    });
    if (left > 0) this.remarks.push(`${left} atoms of residues that are no amino acids take no part`);
    if (this.folded > 0) {
      this.remarks.push(`${this.folded} polar hydrogens are missing; their charges are added to their heavy atoms`);
    }
  }

  private typeResidue(residue: number, isBonded: boolean, isAfterGap: boolean): void {
    const { molecule } = this;
    const { first, count, name } = molecule.residues[residue];
    const nitrogen = findAtom(molecule, residue, 'N');
    const isJoined = nitrogen >= 0 && this.neighbors[nitrogen].some((atom) => molecule.residueOf[atom] !== residue);
    const ends = {
      isFirst: nitrogen >= 0 && !isJoined && !isAfterGap,
      isLast: findAtom(molecule, residue, 'OXT') >= 0,
    };
    const template = residueTemplate(this.kindOf(residue, name, isBonded), ends);
    if (!template) this.remarks.push(`${describeResidue(molecule.residues[residue])} is typed by its elements`);
    if (name === 'MSE') this.remarks.push(`${describeResidue(molecule.residues[residue])}: selenium counts as sulfur`);
    for (let atom = first; atom < first + count; atom++) {
      if (molecule.elements[atom] === 'H') continue;
      const known = (template ?? backboneTemplate).get(molecule.atomNames[atom]);
      this.typeAtom(atom, known ?? this.guess(atom, template !== null));
    }
  }

  private kindOf(residue: number, name: string, isBonded: boolean): string {
    if (name === 'CYS' && isBonded) return 'CYX';
    if (name !== 'HIS') return name;
    const [delta, epsilon] = ['ND1', 'NE2'].map((nitrogen) => {
      const atom = findAtom(this.molecule, residue, nitrogen);
      return atom >= 0 && this.hydrogensOf(atom).length > 0;
    });
    return delta && epsilon ? 'HSC' : epsilon ? 'HSE' : 'HSD';
  }

  private hydrogensOf(atom: number): number[] {
    return [...this.neighbors[atom]].filter((other) => this.molecule.elements[other] === 'H');
  }

  private typeAtom(atom: number, template: AtomTemplate | null): void {
    if (!template) return;
    this.classes[atom] = atomClasses.get(template.class)!;
    const hydrogens = this.hydrogensOf(atom).slice(0, template.hydrogens);
    for (const hydrogen of hydrogens) {
      this.classes[hydrogen] = atomClasses.get('H')!;
      this.charges[hydrogen] = template.hydrogenCharge;
    }
    const missing = template.hydrogens - hydrogens.length;
    this.charges[atom] = template.charge + missing * template.hydrogenCharge;
    this.folded += missing;
  }

  /** By element and number of neighbours, without charge; null leaves the atom out. */
  private guess(atom: number, isKnownResidue: boolean): AtomTemplate | null {
    const { molecule } = this;
    const name = molecule.atomNames[atom];
    const heavy = this.neighbors[atom].length - this.hydrogensOf(atom).length;
    const kinds: Readonly<Record<string, string>> = {
      C: ['CH3E', 'CH3E', 'CH2E', 'CH1E', 'C'][Math.min(heavy, 4)],
      N: 'NH1',
      O: 'O',
      S: 'S',
      Se: 'S',
    };
    const element = molecule.elements[atom];
    const kind = Object.hasOwn(kinds, element) ? kinds[element] : undefined;
    const residue = describeResidue(molecule.residues[molecule.residueOf[atom]]);
    if (!kind) this.remarks.push(`${residue}/${name} takes no part: the set has no ${element}`);
    else if (isKnownResidue) this.remarks.push(`${residue}/${name} is typed by its element`);
    return kind ? { name, class: kind, charge: 0, hydrogens: 0, hydrogenCharge: 0 } : null;
  }
}

/** One torsion per bond as the topology lists them: phi, psi, omega, chi, polar hydrogens, disulfides. */
function listTorsions(molecule: Molecule, classes: readonly (AtomClass | null)[]): ForceFieldTorsion[] {
  const torsions: ForceFieldTorsion[] = [];
  const add = (a: number, b: number, c: number, d: number): void => {
    const kinds = [a, b, c, d].map((atom) => (atom < 0 ? undefined : classes[atom]?.name));
    if (kinds.includes(undefined)) return;
    const term = torsionTerm(kinds[0]!, kinds[1]!, kinds[2]!, kinds[3]!);
    if (term && term.height > 0) torsions.push({ ...term, atoms: [a, b, c, d] });
  };
  const neighbors = findBondedNeighbors(molecule, 1);
  molecule.residues.forEach(({ kind, name, first, count }, residue) => {
    if (kind !== 'amino-acid') return;
    const at = (atom: string) => findAtom(molecule, residue, atom);
    const [n, ca, c] = [at('N'), at('CA'), at('C')];
    const before = n < 0 ? undefined : neighbors[n].find((atom) => molecule.residueOf[atom] !== residue);
    if (before !== undefined) {
      add(before, n, ca, c);
      add(findAtom(molecule, molecule.residueOf[before], 'CA'), before, n, ca);
    }
    for (const [p, q, r, s] of aminoAcidOf(name)?.chi ?? []) add(at(p), at(q), at(r), at(s));
    for (let hydrogen = first; hydrogen < first + count; hydrogen++) {
      if (classes[hydrogen]?.name === 'H') addHydrogenTorsion(hydrogen, molecule, neighbors, classes, add);
    }
  });
  for (const [a, b] of molecule.disulfides) {
    const [ends, tips] = [a, b].map((residue) => ['CA', 'CB', 'SG'].map((atom) => findAtom(molecule, residue, atom)));
    add(ends[0], ends[1], ends[2], tips[2]);
    add(ends[1], ends[2], tips[2], tips[1]);
    add(tips[0], tips[1], tips[2], ends[2]);
  }
  return torsions;
}

/** Of hydroxyl, amine and amide groups; peptide hydrogens and those in rings have none. */
function addHydrogenTorsion(
  hydrogen: number,
  molecule: Molecule,
  neighbors: readonly Int32Array[],
  classes: readonly (AtomClass | null)[],
  add: (a: number, b: number, c: number, d: number) => void,
): void {
  const isHeavy = (atom: number) => molecule.elements[atom] !== 'H';
  const [heavy] = neighbors[hydrogen];
  const others = [...neighbors[heavy]].filter(isHeavy);
  if (others.length !== 1) return;
  const [middle] = others;
  // The amide hydrogens of ASN and GLN share one term, carried by the first.
  const siblings = [...neighbors[heavy]].filter((atom) => !isHeavy(atom));
  if (classes[heavy]!.name === 'NH2' && siblings[0] !== hydrogen) return;
  const far = [...neighbors[middle]].find((atom) => atom !== heavy && isHeavy(atom));
  if (far !== undefined) add(hydrogen, heavy, middle, far);
}

export function requireField(call: string, field: unknown): void {
  const { molecule, atoms, charges, excluded, pairs14, torsions, cutoff } = (field ?? {}) as Partial<ForceField>;
  const count = molecule?.atomCount;
  if (
    typeof count !== 'number' ||
    typeof cutoff !== 'number' ||
    !(atoms instanceof Int32Array) ||
    !isFloats(charges, count) ||
    !isColumn(excluded, count) ||
    !isColumn(pairs14, count) ||
    !Array.isArray(torsions)
  )
    throwMisuse(call, 'field', field, 'the field that createForceField returned');
}

/**
 * From a structure to a molecule: which model, which conformation, which residues, and what is bonded.
 *
 * Choice of conformation: of each residue the alternate location with the largest sum of occupancies (ties: the first
 * letter), or the one asked for where the residue has it. All of a residue's atoms come from one conformation: an atom
 * that exists only in another one is left out, atoms without an indicator stay unless the chosen conformation has its own
 * copy.
 *
 * Residues are told apart by chain, number and insertion code, and where these come again (large files count waters
 * modulo 10,000) by what they hold: an atom that a residue has already, met after other residues or after a TER, begins a
 * new one, and so does another component without alternate locations. An atom that comes twice in a row of its residue's
 * atoms: of a water or an ion it begins another one of the same number, of a ligand both are kept (alternate locations are
 * marked by their own column), and of an amino acid or a nucleotide, whose names are unique, the first is kept, with a
 * warning.
 *
 * A component of no known name counts as an amino acid where it has N, CA and C and is part of a polymer: in an ATOM record,
 * listed as modified, or joined to a neighbour by a peptide bond. A cofactor with an amino acid in it is none.
 *
 * Checked by test/regression/proteins.test.ts and test/oracle/protein-files.test.ts.
 */
import { type Fields, requireFlag, requireOptions, requireText, requireTexts, wholeFrom } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Assumption } from '../model/issue.js';
import { aminoAcidOf } from './amino-acids.js';
import { findBonds, LONGEST_POLYMER_BOND } from './bonds.js';
import { describeResidue, type Molecule, type Residue, type ResidueKind } from './molecule.js';
import { requireColumns, requireStructure } from './molecule-door.js';
import { type AtomColumns, type ResidueName, residueKey, type Structure } from './structure.js';

export interface MoleculeOptions {
  /** Index into structure.models; 0 when left out. */
  readonly model?: number;
  /** 'highest' occupancy (default), or an alternate location indicator. */
  readonly alternate?: string;
  /** Chains to keep; all when left out. */
  readonly chains?: readonly string[];
  /** Left out when false: waters, ligands, ions (kinds 'water' and 'other'). Default true. */
  readonly hetero?: boolean;
}

const OPTIONS: Fields = { model: wholeFrom(0), alternate: requireText, chains: requireTexts, hetero: requireFlag };

interface RawResidue extends ResidueName {
  readonly rows: number[];
  readonly taken: Set<string>;
  readonly segment: number;
  /** Whether some of its atoms have alternate locations, of which each may be another component. */
  hasAlternates: boolean;
}

/** Atoms left out that are named one by one. */
const MOST_NAMED = 100;

/** Throws RangeError when the model does not exist. */
export function buildMolecule(structure: Structure, options: MoleculeOptions = {}): Molecule {
  requireStructure('buildMolecule', structure);
  requireOptions('buildMolecule', options, OPTIONS);
  const { model = 0, alternate = 'highest', chains, hetero = true } = options;
  if (structure.models.length === 0)
    throw new MisuseError('buildMolecule: structure, got one without models, expected atoms with coordinates');
  const columns = structure.models[model]?.atoms;
  if (!columns) {
    throw new MisuseError(`buildMolecule: model, got ${model}, expected 0 to ${structure.models.length - 1}`);
  }
  requireColumns('buildMolecule', `structure.models[${model}].atoms`, columns);
  const residues: Residue[] = [];
  const rows: number[] = [];
  const { groups, repeated } = groupResidues(columns, structure.modified);
  const chosenRows = groups.map(({ rows: all }) => chooseConformation(columns, all, alternate));
  // In a residue of several kinds the name goes with the conformation.
  const nameOf = (chosen: readonly number[]): string =>
    columns.residueNames[chosen.find((row) => columns.alternates[row] !== '') ?? chosen[0]];
  const isJoined = (i: number): boolean =>
    [[i - 1, i] as const, [i, i + 1] as const].some(
      ([a, b]) =>
        groups[a]?.chain === groups[b]?.chain && hasPeptideBond(columns, chosenRows[a] ?? [], chosenRows[b] ?? []),
    );
  let otherConformations = 0;
  for (const [i, raw] of groups.entries()) {
    if (chains && !chains.includes(raw.chain)) continue;
    const chosen = chosenRows[i];
    const names = new Set(chosen.map((row) => columns.names[row]));
    const name = nameOf(chosen);
    const inPolymer = () => chosen.some((row) => columns.hetero[row] === 0) || isJoined(i);
    const kind = kindOf(name, names, structure.modified, inPolymer);
    if (!hetero && (kind === 'water' || kind === 'other')) continue;
    otherConformations += raw.rows.length - chosen.length;
    residues.push({
      name,
      chain: raw.chain,
      sequence: raw.sequence,
      insertion: raw.insertion,
      kind,
      first: rows.length,
      count: chosen.length,
      terminal: raw.rows.some((row) => columns.terminal[row] === 1),
    });
    rows.push(...chosen);
  }
  const positions = new Float64Array(3 * rows.length);
  rows.forEach((row, i) => {
    for (let k = 0; k < 3; k++) positions[3 * i + k] = columns.positions[3 * row + k];
  });
  const residueOf = new Int32Array(rows.length);
  residues.forEach(({ first, count }, i) => {
    residueOf.fill(i, first, first + count);
  });
  const atoms = {
    atomCount: rows.length,
    positions,
    atomNames: rows.map((row) => columns.names[row]),
    elements: rows.map((row) => columns.elements[row]),
    residueOf,
    sourceRows: Int32Array.from(rows),
    residues,
  };
  const bonds = findBonds(atoms, structure, columns);
  const assumed = [
    ...(structure.assumed ?? []),
    ...assumeRepeated(columns, repeated),
    ...assumeConformation(otherConformations, alternate),
    ...assumeResidues(residues),
  ];
  return Object.freeze({
    ...atoms,
    ...bonds,
    warnings: [...warnOfRepeated(columns, repeated), ...bonds.warnings],
    ...(assumed.length > 0 && { assumed }),
  });
}

function hasPeptideBond(columns: AtomColumns, before: readonly number[], after: readonly number[]): boolean {
  const c = before.find((row) => columns.names[row] === 'C');
  const n = after.find((row) => columns.names[row] === 'N');
  if (c === undefined || n === undefined) return false;
  const { positions } = columns;
  const [x, y, z] = [0, 1, 2].map((k) => positions[3 * c + k] - positions[3 * n + k]);
  return Math.sqrt(x * x + y * y + z * z) <= LONGEST_POLYMER_BOND;
}

function assumeRepeated(columns: AtomColumns, repeated: readonly number[]): Assumption[] {
  const message = 'its residue has an atom of that name already, which is kept; give this one another name';
  const named = repeated.slice(0, MOST_NAMED).map((row): Assumption => {
    return { kind: 'dropped', element: `atom ${columns.serials[row]} ${describeRow(columns, row)}`, message };
  });
  const more = repeated.length - named.length;
  if (more > 0) named.push({ kind: 'dropped', element: `${more} more atoms`, message });
  return named;
}

function assumeConformation(count: number, alternate: string): Assumption[] {
  if (count === 0) return [];
  const rule = alternate === 'highest' ? 'that of the highest occupancy' : `"${alternate}" where there is one`;
  const message = `of each residue one conformation is taken, ${rule}; ${count} atoms of others are left out`;
  return [{ kind: 'guessed', element: 'alternate locations', message }];
}

/** Bonds, and with them hydrogens and what counts as a clash, come from distances where no table knows the component. */
function assumeResidues(residues: readonly Residue[]): Assumption[] {
  const unknown = residues.filter(
    ({ name, kind, count }) => count > 1 && kind !== 'water' && !aminoAcidOf(name) && !NUCLEOTIDES.has(name),
  );
  if (unknown.length === 0) return [];
  const names = [...new Set(unknown.map(({ name }) => name))].sort();
  const shown = names.length > 8 ? `${names.slice(0, 8).join(', ')} and ${names.length - 8} more` : names.join(', ');
  const message = `${unknown.length} residues of components that no table describes (${shown}): bonds are told from distances`;
  return [{ kind: 'guessed', element: 'components', message }];
}

function warnOfRepeated(columns: AtomColumns, repeated: readonly number[]): string[] {
  if (repeated.length === 0) return [];
  const atoms = repeated.length === 1 ? '1 atom comes' : `${repeated.length} atoms come`;
  return [`${atoms} twice in the same residue, as ${describeRow(columns, repeated[0])}; the first of each is kept`];
}

function describeRow(columns: AtomColumns, row: number): string {
  const residue = describeResidue({
    chain: columns.chains[row],
    sequence: columns.sequences[row],
    insertion: columns.insertions[row],
    name: columns.residueNames[row],
  });
  return `${residue}/${columns.names[row]}`;
}

/** Rows by residue, in order of first appearance; and those left out since their residue has the atom. */
function groupResidues(
  columns: AtomColumns,
  modified: ReadonlyMap<string, string>,
): { groups: RawResidue[]; repeated: number[] } {
  const groups: RawResidue[] = [];
  const repeated: number[] = [];
  const byKey = new Map<string, RawResidue>();
  let last: RawResidue | null = null;
  let segment = 0;
  for (let row = 0; row < columns.count; row++) {
    const [chain, sequence, insertion] = [columns.chains[row], columns.sequences[row], columns.insertions[row]];
    const key = residueKey(chain, sequence, insertion);
    const atom = `${columns.names[row]}\u0000${columns.alternates[row]}`;
    const isPlain = columns.alternates[row] === '';
    const name = columns.residueNames[row];
    let group = byKey.get(key);
    const isTaken = group?.taken.has(atom) ?? false;
    const isAgain = isTaken && (group !== last || group!.segment !== segment || isSingle(group!, atom, columns, row));
    if (!group || isAgain || (isPlain && !group.hasAlternates && group.name !== name)) {
      group = { name, chain, sequence, insertion, rows: [], taken: new Set(), segment, hasAlternates: false };
      byKey.set(key, group);
      groups.push(group);
    }
    if (!isPlain) group.hasAlternates = true;
    const isUnique =
      aminoAcidOf(modified.get(name) ?? name) !== undefined || NUCLEOTIDES.has(modified.get(name) ?? name);
    if (group.taken.has(atom) && isUnique) repeated.push(row);
    else {
      group.taken.add(atom);
      group.rows.push(row);
    }
    last = group;
    segment += columns.terminal[row];
  }
  return { groups, repeated };
}

/** Waters, and components of one atom, of which several stand under one number. */
function isSingle(group: RawResidue, atom: string, columns: AtomColumns, row: number): boolean {
  if (WATERS.has(group.name)) return true;
  const [name] = atom.split('\u0000');
  return (
    group.rows.length === 1 &&
    (name.toUpperCase() === group.name.toUpperCase() ||
      columns.elements[row].toUpperCase() === group.name.replace(/[0-9+-]/g, '').toUpperCase())
  );
}

function chooseConformation(columns: AtomColumns, rows: readonly number[], wanted: string): number[] {
  const { names, alternates, occupancies } = columns;
  const lettersOf = new Map<string, Set<string>>();
  const letters = new Set<string>();
  for (const row of rows) {
    const letter = alternates[row];
    if (letter === '') continue;
    letters.add(letter);
    const own = lettersOf.get(names[row]);
    if (own) own.add(letter);
    else lettersOf.set(names[row], new Set([letter]));
  }
  if (letters.size === 0) return [...rows];
  // An atom without a letter that has a lettered copy stands for the conformations without one.
  const belongs = (row: number, letter: string): boolean =>
    alternates[row] === '' ? !lettersOf.get(names[row])?.has(letter) : alternates[row] === letter;
  const weights = new Map<string, number>(Array.from(letters, (letter) => [letter, 0]));
  for (const row of rows) {
    if (!lettersOf.has(names[row])) continue;
    for (const letter of letters) {
      if (belongs(row, letter)) weights.set(letter, weights.get(letter)! + occupancies[row]);
    }
  }
  let best = '';
  if (weights.has(wanted)) best = wanted;
  else {
    for (const [letter, weight] of weights) {
      const leader = weights.get(best) ?? Number.NEGATIVE_INFINITY;
      // Sums of occupancies carry rounding; equal ones go to the first letter.
      if (weight > leader + 1e-9 || (weight > leader - 1e-9 && letter < best)) best = letter;
    }
  }
  return rows.filter((row) => belongs(row, best));
}

const NUCLEOTIDES = new Set('A C G U I DA DC DG DT DU DI N DN +A +C +G +U'.split(' '));
const WATERS = new Set('HOH WAT H2O DOD TIP TIP3 SOL'.split(' '));

function kindOf(
  name: string,
  atoms: ReadonlySet<string>,
  modified: ReadonlyMap<string, string>,
  isInPolymer: () => boolean,
): ResidueKind {
  const parent = modified.get(name) ?? name;
  if (aminoAcidOf(parent)) return 'amino-acid';
  const hasBackbone = atoms.has('N') && atoms.has('CA') && atoms.has('C');
  if (hasBackbone && (modified.has(name) || isInPolymer())) return 'amino-acid';
  if (NUCLEOTIDES.has(parent) || (atoms.has('P') && atoms.has("C1'") && atoms.has("O3'"))) return 'nucleotide';
  return WATERS.has(name) ? 'water' : 'other';
}

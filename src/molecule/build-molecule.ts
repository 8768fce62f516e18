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
 * atoms is left out, with a warning.
 *
 * Checked by test/regression/proteins.test.ts and test/oracle/protein-files.test.ts.
 */
import { MisuseError } from '../math/misuse.js';
import { aminoAcidOf } from './amino-acids.js';
import { findBonds } from './bonds.js';
import { describeResidue, type Molecule, type Residue, type ResidueKind } from './molecule.js';
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

interface RawResidue extends ResidueName {
  readonly rows: number[];
  readonly taken: Set<string>;
  readonly segment: number;
  /** Whether some of its atoms have alternate locations, of which each may be another component. */
  hasAlternates: boolean;
}

/** Throws RangeError when the model does not exist. */
export function buildMolecule(structure: Structure, options: MoleculeOptions = {}): Molecule {
  const { model = 0, alternate = 'highest', chains, hetero = true } = options;
  if (structure.models.length === 0)
    throw new MisuseError('buildMolecule: structure, got one without models, expected atoms with coordinates');
  const columns = structure.models[model]?.atoms;
  if (!columns) {
    throw new MisuseError(`buildMolecule: model, got ${model}, expected 0 to ${structure.models.length - 1}`);
  }
  const residues: Residue[] = [];
  const rows: number[] = [];
  const { groups, repeated } = groupResidues(columns);
  for (const raw of groups) {
    if (chains && !chains.includes(raw.chain)) continue;
    const chosen = chooseConformation(columns, raw.rows, alternate);
    const names = new Set(chosen.map((row) => columns.names[row]));
    // In a residue of several kinds the name goes with the conformation.
    const name = columns.residueNames[chosen.find((row) => columns.alternates[row] !== '') ?? chosen[0]];
    const kind = kindOf(name, names, structure.modified);
    if (!hetero && (kind === 'water' || kind === 'other')) continue;
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
  return Object.freeze({ ...atoms, ...bonds, warnings: [...warnOfRepeated(columns, repeated), ...bonds.warnings] });
}

function warnOfRepeated(columns: AtomColumns, repeated: readonly number[]): string[] {
  if (repeated.length === 0) return [];
  const [row] = repeated;
  const residue = describeResidue({
    chain: columns.chains[row],
    sequence: columns.sequences[row],
    insertion: columns.insertions[row],
    name: columns.residueNames[row],
  });
  const atoms = repeated.length === 1 ? '1 atom comes' : `${repeated.length} atoms come`;
  return [`${atoms} twice in the same residue, as ${residue}/${columns.names[row]}; the first of each is kept`];
}

/** Rows by residue, in order of first appearance; and those left out since their residue has the atom. */
function groupResidues(columns: AtomColumns): { groups: RawResidue[]; repeated: number[] } {
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
    const isAgain = group?.taken.has(atom) && (group !== last || group.segment !== segment);
    if (!group || isAgain || (isPlain && !group.hasAlternates && group.name !== name)) {
      group = { name, chain, sequence, insertion, rows: [], taken: new Set(), segment, hasAlternates: false };
      byKey.set(key, group);
      groups.push(group);
    }
    if (!isPlain) group.hasAlternates = true;
    if (group.taken.has(atom)) repeated.push(row);
    else {
      group.taken.add(atom);
      group.rows.push(row);
    }
    last = group;
    segment += columns.terminal[row];
  }
  return { groups, repeated };
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

function kindOf(name: string, atoms: ReadonlySet<string>, modified: ReadonlyMap<string, string>): ResidueKind {
  const parent = modified.get(name) ?? name;
  if (aminoAcidOf(parent) || (atoms.has('N') && atoms.has('CA') && atoms.has('C'))) return 'amino-acid';
  if (NUCLEOTIDES.has(parent) || (atoms.has('P') && atoms.has("C1'") && atoms.has("O3'"))) return 'nucleotide';
  return WATERS.has(name) ? 'water' : 'other';
}

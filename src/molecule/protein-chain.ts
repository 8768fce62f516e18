/**
 * A protein as a kinematic chain: rigid links of atoms, joined by the torsions of its backbone and side chains.
 *
 * Links: atoms that no torsion parts (rigid-groups.ts). Along the backbone these are, in turn, C alpha with C beta and what
 * is rigid beyond, and C, O and the next residue's N and hydrogen; with side chains that turn, the pieces between their
 * chi bonds follow right behind the C alpha link. A chain is a row of links, and a side chain is a branch: the link after
 * a side chain hangs on a link before it, so the joint between the two in the row, a fixed one, is given anew whenever a
 * chi angle changes (ProteinState does).
 * Fixed: omega unless asked for; a bond inside a ring (proline's N-CA), or of atoms in one place; with
 * `disulfides: 'keep'` everything between two bonded cysteines, as it would tear the bond. Residues beyond a gap keep their
 * pose against those before it, other chains theirs against the first link. Everything that is no amino acid is left out,
 * see `remarks`.
 *
 * Frames: all links have the axes of the file in the given conformation, with the origin at the atom that the link hangs
 * on by; `base` is the pose of link 0 in the file's frame. Joint values are torsions less their value in the given
 * conformation, so the chain starts as it was read, within 1e-11 angstrom for a thousand residues.
 * Cost: linear. Checked by protein-chain.test.ts against turning atoms one by one, and test/oracle/protein-chains.
 */

import { type Chain, type ChainJoint, createChainInSteps } from '../chain/chain.js';
import { type Fields, oneOf, requireFlag, requireNumber, requireOptions, throwMisuse } from '../math/arguments.js';
import { finishSteps } from '../math/finish-steps.js';
import { MisuseError } from '../math/misuse.js';
import { hypot } from '../math/scalar.js';
import { aminoAcidOf } from './amino-acids.js';
import { atomDistance } from './bonds.js';
import { BondSearch } from './clashes.js';
import { createContactModel } from './contacts.js';
import { describeAtom, describeResidue, findAtom, type Molecule, requireMolecule } from './molecule.js';
import { isFloats, isIntegers } from './molecule-door.js';
import { findRigidGroups, type RigidGroups } from './rigid-groups.js';
import { measureTorsion } from './torsions.js';

export type TorsionName = 'phi' | 'psi' | 'omega' | 'chi';

export interface ProteinTorsion {
  readonly name: TorsionName;
  readonly residue: number;
  /** 1, 2, ... for chi, 0 for the backbone. */
  readonly chi: number;
  /** The angle is between the planes of the first three and the last three; the middle bond turns. */
  readonly atoms: readonly [number, number, number, number];
  /**
   * The middle bond, the atom that turns along second: atoms 1 and 2, the other way round where a bridge leads into a chain
   * from behind.
   */
  readonly bond: readonly [number, number];
  /** It turns links link, ..., end - 1 against the others. */
  readonly link: number;
  readonly end: number;
  /** In the given conformation, radians. */
  readonly reference: number;
}

export interface ProteinChainOptions {
  /** `chi` (default): side chains turn about their chi bonds. `rigid`: they are part of the C alpha link. */
  readonly sideChains?: 'chi' | 'rigid';
  /** Peptide bonds turn too. Default false. */
  readonly omega?: boolean;
  /** `keep` (default): nothing between two bonded cysteines turns. `open`: torsions turn and the bond may tear. */
  readonly disulfides?: 'keep' | 'open';
  /** Two atoms of links may overlap by this much before the links touch, angstrom; 0.4 when left out. */
  readonly overlap?: number;
}

/** @internal */
export const PROTEIN_OPTIONS: Fields = {
  sideChains: oneOf('chi', 'rigid'),
  omega: requireFlag,
  disulfides: oneOf('keep', 'open'),
  overlap: requireNumber,
};

export interface ProteinChain {
  readonly molecule: Molecule;
  /** Links are clusters of balls of the van der Waals radii, each less half the allowed overlap. */
  readonly chain: Chain;
  /** Overlap of atoms at which links touch, angstrom. */
  readonly overlap: number;
  readonly linkCount: number;
  /** Atoms of link i: rows atomStarts[i] .. atomStarts[i + 1] - 1 of `atoms`, ascending. */
  readonly atomStarts: Int32Array;
  readonly atoms: Int32Array;
  /** Link of each atom of the molecule, -1 for those left out. */
  readonly linkOf: Int32Array;
  /** 3 per row of `atoms`: position in the link's frame. */
  readonly positions: Float64Array;
  readonly torsions: readonly ProteinTorsion[];
  /** Torsion that a link hangs on by, -1 for none. */
  readonly torsionOf: Int32Array;
  /** Link that a link hangs on, always an earlier one; -1 for link 0. Not the one before it behind a side chain. */
  readonly parents: Int32Array;
  /** 3 per link: origin in the frame of its parent, and the unit axis of its torsion (zero without). */
  readonly offsets: Float64Array;
  readonly axes: Float64Array;
  /** Origin of link 0 in the file's frame; its axes are the file's. */
  readonly base: readonly [number, number, number];
  /** What is left out or held fixed, one sentence each. */
  readonly remarks: readonly string[];
}

/**
 * Links farther apart than this in the row are always measured against each other, even when bonds join them: those pairs
 * are few, and a longer exclusion would hide contacts.
 */
const LONGEST_EXCLUSION = 16;
/** Angstrom: atoms nearer than this leave no direction to turn about. */
const SHORTEST_AXIS = 0.01;

/** Between two steps. */
const RESIDUES_AT_ONCE = 1500;
const LINKS_AT_ONCE = 10_000;
const ATOMS_AT_ONCE = 20_000;

interface Candidate {
  readonly name: TorsionName;
  readonly residue: number;
  readonly chi: number;
  readonly atoms: readonly [number, number, number, number];
}

/** Throws RangeError when the molecule has no amino acid, or an option is out of range. */
export function createProteinChain(molecule: Molecule, options: ProteinChainOptions = {}): ProteinChain {
  requireRequest('createProteinChain', molecule, options);
  return finishSteps(startChain('createProteinChain', molecule, options));
}

/**
 * As `createProteinChain`, a step at each call of `next`, so that a page draws and hears between them; the last one gives the chain. Of
 * sixty thousand atoms a step takes some ten milliseconds.
 */
export function createProteinChainInSteps(
  molecule: Molecule,
  options: ProteinChainOptions = {},
): Generator<void, ProteinChain> {
  requireRequest('createProteinChainInSteps', molecule, options);
  return startChain('createProteinChainInSteps', molecule, options);
}

function requireRequest(call: string, molecule: Molecule, options: ProteinChainOptions): void {
  requireMolecule(call, 'molecule', molecule);
  requireOptions(call, options, PROTEIN_OPTIONS);
  const { overlap = 0.4 } = options;
  if (!(overlap >= 0 && overlap <= 4))
    throw new MisuseError(`${call}: options.overlap, got ${overlap}, expected 0 to 4 angstrom`);
}

function* startChain(
  call: string,
  molecule: Molecule,
  { sideChains = 'chi', omega = false, disulfides = 'keep', overlap = 0.4 }: ProteinChainOptions,
): Generator<void, ProteinChain> {
  const residues = molecule.residues.flatMap(({ kind, count }, i) => (kind === 'amino-acid' && count > 0 ? [i] : []));
  if (residues.length === 0) {
    throw new MisuseError(`${call}: molecule, got no amino acid, expected at least one`);
  }
  const kept = new Kept(molecule, residues, disulfides === 'open');
  yield;
  const candidates = yield* listCandidates(molecule, kept, residues, sideChains === 'chi', omega);
  const groups = yield* findRigidGroups(
    kept.count,
    kept.bonds,
    candidates.map(({ atoms }) => [kept.rowOf[atoms[1]], kept.rowOf[atoms[2]]] as const),
    residues.map((residue) => kept.rowOf[lastBackboneAtom(molecule, residue)]),
  );
  const { parents, ends, remarks } = attachFragments(molecule, kept, groups);
  yield;
  return yield* assemble({ molecule, kept, candidates, groups: { ...groups, parents, ends }, overlap, remarks });
}

/** The atoms and bonds that take part. Rows count them without gaps. */
class Kept {
  readonly atoms: Int32Array;
  /** Row of each atom of the molecule, -1 for those left out. */
  readonly rowOf: Int32Array;
  /** Pairs of rows. */
  readonly bonds: Int32Array;
  readonly remarks: string[] = [];

  constructor(molecule: Molecule, residues: readonly number[], opensDisulfides: boolean) {
    const atoms: number[] = [];
    this.rowOf = new Int32Array(molecule.atomCount).fill(-1);
    for (const residue of residues) {
      const { first, count } = molecule.residues[residue];
      for (let atom = first; atom < first + count; atom++) {
        this.rowOf[atom] = atoms.length;
        atoms.push(atom);
      }
    }
    this.atoms = Int32Array.from(atoms);
    const open = new Set(
      opensDisulfides
        ? molecule.disulfides.map(([a, b]) => `${findAtom(molecule, a, 'SG')} ${findAtom(molecule, b, 'SG')}`)
        : [],
    );
    const bonds: number[] = [];
    for (let k = 0; k < molecule.bonds.length; k += 2) {
      const [a, b] = [molecule.bonds[k], molecule.bonds[k + 1]];
      if (this.rowOf[a] >= 0 && this.rowOf[b] >= 0 && !open.has(`${a} ${b}`)) bonds.push(this.rowOf[a], this.rowOf[b]);
    }
    this.bonds = Int32Array.from(bonds);
    const others = molecule.atomCount - atoms.length;
    if (others > 0) this.remarks.push(`${others} atoms of residues that are no amino acids are left out`);
    for (const [a, b] of molecule.disulfides) {
      const pair = `${describeResidue(molecule.residues[a])} and ${describeResidue(molecule.residues[b])}`;
      this.remarks.push(
        opensDisulfides
          ? `the disulfide of ${pair} is not held together`
          : `nothing between ${pair} turns, as a disulfide joins them`,
      );
    }
  }

  get count(): number {
    return this.atoms.length;
  }
}

function lastBackboneAtom(molecule: Molecule, residue: number): number {
  for (const name of ['C', 'CA', 'N']) {
    const atom = findAtom(molecule, residue, name);
    if (atom >= 0) return atom;
  }
  return molecule.residues[residue].first;
}

/** Bonds that are torsions by name, whether they can turn or not. */
function* listCandidates(
  molecule: Molecule,
  kept: Kept,
  residues: readonly number[],
  turnsSideChains: boolean,
  turnsPeptides: boolean,
): Generator<void, Candidate[]> {
  const neighbors: number[][] = Array.from({ length: molecule.atomCount }, () => []);
  for (let k = 0; k < kept.bonds.length; k++) neighbors[kept.atoms[kept.bonds[k]]].push(kept.atoms[kept.bonds[k ^ 1]]);
  const candidates: Candidate[] = [];
  /** The outer atoms by name where they are bonded, or whichever is. */
  const add = (
    name: TorsionName,
    residue: number,
    chi: number,
    b: number,
    c: number,
    outer: [string, string],
  ): void => {
    if (b < 0 || c < 0 || !neighbors[b].includes(c)) return;
    if (atomDistance(molecule.positions, b, c) < SHORTEST_AXIS) {
      kept.remarks.push(
        `${describeAtom(molecule, b)} and ${describeAtom(molecule, c)} are in one place: no bond turns`,
      );
      return;
    }
    const pick = (atom: number, other: number, wanted: string): number => {
      const around = neighbors[atom].filter((neighbor) => neighbor !== other);
      return around.find((neighbor) => molecule.atomNames[neighbor] === wanted) ?? around[0] ?? -1;
    };
    const [a, d] = [pick(b, c, outer[0]), pick(c, b, outer[1])];
    if (a >= 0 && d >= 0) candidates.push({ name, residue, chi, atoms: [a, b, c, d] });
  };
  for (const [i, residue] of residues.entries()) {
    if (i % RESIDUES_AT_ONCE === 0) yield;
    const [n, ca, c] = ['N', 'CA', 'C'].map((name) => findAtom(molecule, residue, name));
    if (turnsPeptides && n >= 0) {
      const before = neighbors[n].find(
        (atom) => molecule.residueOf[atom] !== residue && molecule.atomNames[atom] === 'C',
      );
      if (before !== undefined) add('omega', residue, 0, before, n, ['CA', 'CA']);
    }
    add('phi', residue, 0, n, ca, ['C', 'C']);
    if (turnsSideChains) {
      (aminoAcidOf(molecule.residues[residue].name)?.chi ?? []).forEach(([a, b, c, d], i) => {
        const complete = [a, b, c, d].every((atom) => findAtom(molecule, residue, atom) >= 0);
        if (complete)
          add('chi', residue, i + 1, findAtom(molecule, residue, b), findAtom(molecule, residue, c), [a, d]);
      });
    }
    add('psi', residue, 0, ca, c, ['N', 'N']);
  }
  return candidates;
}

/**
 * Hangs the roots of later fragments: behind a gap on what is before it, everything else on link 0. Branches stay
 * stretches of the row.
 */
function attachFragments(
  molecule: Molecule,
  kept: Kept,
  { groupOf, parents: roots, ends: branchEnds }: RigidGroups,
): { parents: Int32Array; ends: Int32Array; remarks: string[] } {
  const parents = roots.slice();
  const ends = branchEnds.slice();
  const remarks = [...kept.remarks];
  const firstRow = new Int32Array(roots.length).fill(-1);
  groupOf.forEach((group, row) => {
    if (firstRow[group] < 0) firstRow[group] = row;
  });
  const gapBefore = new Map(molecule.gaps.map(({ before, after }) => [after, before] as const));
  for (let group = 1; group < roots.length; group++) {
    if (roots[group] >= 0) continue;
    const residue = molecule.residueOf[kept.atoms[firstRow[group]]];
    const before = gapBefore.get(residue);
    const name = describeResidue(molecule.residues[residue]);
    const held = before === undefined ? -1 : groupOf[kept.rowOf[lastBackboneAtom(molecule, before)]];
    if (before !== undefined && held >= 0 && ends[held] === group) {
      parents[group] = held;
      remarks.push(`the gap from ${describeResidue(molecule.residues[before])} to ${name} is rigid`);
    } else {
      parents[group] = 0;
      remarks.push(`what begins with ${name} is bonded to nothing before it and keeps its pose against the first link`);
    }
    for (let up = parents[group]; up >= 0; up = parents[up]) ends[up] = ends[group];
  }
  return { parents, ends, remarks };
}

interface Assembly {
  readonly molecule: Molecule;
  readonly kept: Kept;
  readonly candidates: readonly Candidate[];
  readonly groups: RigidGroups;
  readonly overlap: number;
  readonly remarks: readonly string[];
}

function* assemble({ molecule, kept, candidates, groups, overlap, remarks }: Assembly): Generator<void, ProteinChain> {
  const { count, groupOf, parents } = groups;
  const linkOf = new Int32Array(molecule.atomCount).fill(-1);
  const atomStarts = new Int32Array(count + 1);
  for (let row = 0; row < kept.count; row++) {
    linkOf[kept.atoms[row]] = groupOf[row];
    atomStarts[groupOf[row] + 1]++;
  }
  for (let link = 0; link < count; link++) atomStarts[link + 1] += atomStarts[link];
  const atoms = new Int32Array(kept.count);
  const fill = atomStarts.slice(0, count);
  for (let row = 0; row < kept.count; row++) atoms[fill[groupOf[row]]++] = kept.atoms[row];

  const torsionOf = new Int32Array(count).fill(-1);
  const torsions: ProteinTorsion[] = [];
  const origins = new Float64Array(3 * count);
  const axes = new Float64Array(3 * count);
  const at = (atom: number, k: number) => molecule.positions[3 * atom + k];
  for (let link = 0; link < count; link++) {
    if (link % LINKS_AT_ONCE === 0) yield;
    let [near, far] = [-1, atoms[atomStarts[link]]];
    if (groups.bonds[link] >= 0) {
      const candidate = candidates[groups.bonds[link]];
      const [a, b, c, d] = candidate.atoms;
      [near, far] = linkOf[b] === link ? [c, b] : [b, c];
      torsionOf[link] = torsions.length;
      const reference = measureTorsion(molecule.positions, a, b, c, d);
      torsions.push({ ...candidate, bond: [near, far], link, end: groups.ends[link], reference });
      const length = hypot(at(far, 0) - at(near, 0), at(far, 1) - at(near, 1), at(far, 2) - at(near, 2));
      for (let k = 0; k < 3; k++) axes[3 * link + k] = (at(far, k) - at(near, k)) / length;
    }
    for (let k = 0; k < 3; k++) origins[3 * link + k] = at(far, k);
  }
  yield;
  const positions = new Float64Array(3 * kept.count);
  const offsets = new Float64Array(3 * count);
  for (let link = 0; link < count; link++) {
    for (let row = atomStarts[link]; row < atomStarts[link + 1]; row++) {
      for (let k = 0; k < 3; k++) positions[3 * row + k] = at(atoms[row], k) - origins[3 * link + k];
    }
    if (link === 0) continue;
    for (let k = 0; k < 3; k++) offsets[3 * link + k] = origins[3 * link + k] - origins[3 * parents[link] + k];
  }
  yield;
  const { radii: contactRadii } = createContactModel(molecule);
  yield;
  const links = Array.from({ length: count }, (_, link) => {
    const rows = atoms.subarray(atomStarts[link], atomStarts[link + 1]);
    const centers = positions.slice(3 * atomStarts[link], 3 * atomStarts[link + 1]);
    const radii = Float64Array.from(rows, (atom) => Math.max(0, contactRadii[atom] - overlap / 2));
    return { shape: { type: 'balls' as const, centers, radii } };
  });
  yield;
  const joints = Array.from({ length: count - 1 }, (_, i): ChainJoint => {
    const link = i + 1;
    const [x, y, z] = [0, 1, 2].map((k) => origins[3 * link + k] - origins[3 * i + k]);
    const turns = torsionOf[link] >= 0 && parents[link] === i;
    const [ax, ay, az] = axes.subarray(3 * link, 3 * link + 3);
    return {
      type: turns ? 'revolute' : 'fixed',
      origin: [x, y, z, 0, 0, 0, 1],
      axis: turns ? [ax, ay, az] : undefined,
    };
  });
  yield;
  const exclusion = yield* findExclusion(kept, groupOf);
  yield;
  return Object.freeze({
    molecule,
    chain: yield* createChainInSteps({ links, joints, exclusion }),
    overlap,
    linkCount: count,
    atomStarts,
    atoms,
    linkOf,
    positions,
    torsions,
    torsionOf,
    parents,
    offsets,
    axes,
    base: [origins[0], origins[1], origins[2]] as const,
    remarks,
  });
}

/** The farthest two links that up to three bonds join: beyond it a contact of links is a contact of atoms that are apart. */
function* findExclusion(kept: Kept, groupOf: Int32Array): Generator<void, number> {
  let exclusion = 1;
  const search = new BondSearch({ atomCount: kept.count, bonds: kept.bonds });
  for (let row = 0; row < kept.count; row++) {
    if (row % ATOMS_AT_ONCE === 0) yield;
    const count = search.find(row, 3);
    for (let k = 1; k < count; k++) {
      const apart = Math.abs(groupOf[row] - groupOf[search.found[k]]);
      if (apart <= LONGEST_EXCLUSION) exclusion = Math.max(exclusion, apart);
    }
  }
  return exclusion;
}

export function requireProtein(call: string, protein: unknown): void {
  const { molecule, chain, torsions, linkCount, atoms, atomStarts, positions, parents } = (protein ??
    {}) as Partial<ProteinChain>;
  if (
    typeof linkCount !== 'number' ||
    !isIntegers(atomStarts, linkCount + 1) ||
    !isIntegers(parents, linkCount) ||
    !(atoms instanceof Int32Array) ||
    !isFloats(positions, 3 * atoms.length) ||
    !Array.isArray(torsions) ||
    chain?.linkCount !== linkCount ||
    molecule === undefined
  )
    throwMisuse(call, 'protein', protein, 'the protein that createProteinChain returned');
}

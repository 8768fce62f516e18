/**
 * Hydrogens by geometry: adds those that a molecule lacks, as riding atoms on the heavy ones, whose places stay.
 *
 * Method: 1. which atoms bear how many: hydrogen-sites.ts. An atom that has all its hydrogens keeps them; one that has
 * some of them, or lacks a heavy neighbour, or oxygens, sulfurs and ring nitrogens within 2.8 angstrom of a metal, get
 * none. 2. Hydrogens that the heavy neighbours fix: opposite to the sum of the bonds' directions; methylene hydrogens
 * in the plane across their neighbours' at the tetrahedral angle; those of amides and guanidinium at 120 degrees, in
 * the plane of the group; methyl groups staggered. 3. Histidine bears its hydrogen at the ring nitrogen that has an
 * acceptor within 3.3 angstrom (an oxygen that is no hydroxyl and no water), at both when both have one, at NE2
 * when none has. 4. Hydroxyl, thiol and ammonium groups and methionine's methyl turn: torsions in steps of 10 degrees (tyrosine's
 * hydroxyl: in the ring's plane) are compared, group after group until none changes or four rounds are over. The score
 * of a torsion is four times the overlap of hydrogen bonds, less ten times every other overlap; of equal ones the first
 * in order from the trans torsion on counts. ASN, GLN and HIS are not flipped. Waters get none.
 * Source: Word, Lovell, Richardson, Richardson 1999, "Asparagine and glutamine: using hydrogen atom contacts in the choice
 * of side-chain amide orientation", doi:10.1006/jmbi.1998.2401 (which groups turn, the weights; here of overlaps, not of
 * volumes, and without the search over cliques of groups).
 *
 * Lengths in angstrom. Cost: linear in atoms for bounded density. Checked by hydrogens.test.ts, and by
 * test/oracle/hydrogens.test.ts against structures that have their hydrogens.
 */
import { cos, hypot, sin } from '../math/scalar.js';
import { assumeHydrogens } from './assumptions.js';
import { atomDistance } from './bonds.js';
import { findContacts } from './cell-list.js';
import { createClashRule } from './clashes.js';
import { type ContactModel, createContactModel, listBonded } from './contacts.js';
import { isMetal } from './elements.js';
import { aminoAcidSites, type HydrogenSite, hasSites, type NitrogenState, nucleotideSites } from './hydrogen-sites.js';
import { placeAtom } from './internal-coordinates.js';
import { findAtom, type Molecule, type Residue, requireMolecule } from './molecule.js';
import { measureAngle } from './torsions.js';

export interface AddedHydrogens {
  readonly molecule: Molecule;
  /** Hydrogens placed. */
  readonly added: number;
  /** What lacks its hydrogens still, one sentence each. */
  readonly remarks: readonly string[];
}

const DEGREE = Math.PI / 180;
const TETRAHEDRAL = 109.5 * DEGREE;
const METAL_REACH = 2.8;
const ACCEPTOR_REACH = 3.3;
const ROUNDS = 4;
/** Atoms nearer than this (angstrom), and angles with a lesser sine, give no direction to place by. */
const CLOSE = 0.01;
const STRAIGHT = 1e-3;
/** A turning hydrogen is at most 1.2 from its heavy atom, another as well, and radii add up to less than 3.2. */
const ROTOR_REACH = 5.6;
const BOND_WEIGHT = 4;
const OVERLAP_WEIGHT = 10;

/** Hydrogens to place on one atom. */
interface Plan {
  readonly site: HydrogenSite;
  readonly parent: number;
  /** Heavy atoms bonded to it. */
  readonly heavy: readonly number[];
  /** Names, as many as are placed. */
  readonly names: readonly string[];
  /** 3 per name. */
  readonly positions: Float64Array;
}

interface Rotor {
  readonly hydrogens: readonly number[];
  readonly references: readonly [number, number, number];
  readonly length: number;
  readonly turn: number;
  /** Atoms that its hydrogens may meet. */
  readonly around: number[];
  torsion: number;
}

/**
 * The molecule with its hydrogens: each behind the other atoms of its residue, with the source row of its heavy atom.
 * Everything that the molecule has stays, renumbered.
 */
export function addHydrogens(molecule: Molecule): AddedHydrogens {
  requireMolecule('addHydrogens', 'molecule', molecule);
  const plans = new Planner(molecule).plan();
  for (const plan of plans.list) placeFixed(plan, molecule);
  const { grown, rowOf, firstHydrogens } = grow(molecule, plans.list);
  turnRotors(grown, plans.list, rowOf, firstHydrogens);
  const added = plans.list.reduce((sum, { names }) => sum + names.length, 0);
  const placed = added > 0 ? [`${added} are placed by geometry`] : [];
  const noted = assumeHydrogens(grown, [...placed, ...plans.remarks]);
  return { molecule: Object.freeze(noted), added, remarks: plans.remarks };
}

/** The molecule without its hydrogens, renumbered. */
export function removeHydrogens(molecule: Molecule): Molecule {
  requireMolecule('removeHydrogens', 'molecule', molecule);
  const kept = Int32Array.from(molecule.elements.keys()).filter((atom) => molecule.elements[atom] !== 'H');
  const rowOf = new Int32Array(molecule.atomCount).fill(-1);
  kept.forEach((atom, row) => {
    rowOf[atom] = row;
  });
  return Object.freeze(assumeHydrogens(renumber(molecule, kept, rowOf), []));
}

class Planner {
  private readonly bonded: number[][];
  private readonly metals: number[];
  private incomplete = 0;
  private partial = 0;
  private unknown = 0;

  constructor(private readonly molecule: Molecule) {
    this.bonded = listBonded(molecule);
    this.metals = molecule.elements.flatMap((element, i) => (isMetal(element) ? [i] : []));
  }

  plan(): { readonly list: readonly Plan[]; readonly remarks: readonly string[] } {
    const { molecule } = this;
    const list: Plan[] = [];
    const opens = new Set(molecule.gaps.map(({ after }) => after));
    molecule.residues.forEach((residue, i) => {
      if (residue.kind === 'water') return;
      if (!hasSites(residue.name)) this.unknown += this.countBare(residue);
      for (const site of this.sitesOf(residue, i, opens.has(i))) {
        const plan = this.planSite(site, i);
        if (plan) list.push(plan);
      }
    });
    const remarks: string[] = [];
    if (this.unknown > 0) remarks.push(`${this.unknown} atoms of residues that the table lacks may lack hydrogens`);
    if (this.incomplete > 0) {
      remarks.push(`${this.incomplete} atoms lack a neighbor, or have those in one line, and got no hydrogens`);
    }
    if (this.partial > 0) remarks.push(`${this.partial} atoms have some of their hydrogens and got no others`);
    return { list, remarks };
  }

  private countBare({ first, count, kind }: Residue): number {
    const { elements, atomNames } = this.molecule;
    let bare = 0;
    for (let i = first; i < first + count; i++) {
      const isPlaced = kind === 'amino-acid' && (atomNames[i] === 'N' || atomNames[i] === 'CA');
      const isCarrier = elements[i] === 'C' || elements[i] === 'N' || elements[i] === 'O';
      if (isCarrier && !isPlaced && this.bonded[i].every((j) => elements[j] !== 'H')) bare++;
    }
    return bare;
  }

  private sitesOf({ name, kind }: Residue, residue: number, isOpen: boolean): readonly HydrogenSite[] {
    if (kind !== 'amino-acid') return nucleotideSites(name) ?? [];
    const { molecule } = this;
    const nitrogen = findAtom(molecule, residue, 'N');
    const isJoined = nitrogen >= 0 && this.bonded[nitrogen].some((atom) => molecule.residueOf[atom] !== residue);
    const state: NitrogenState = isJoined ? 'joined' : isOpen ? 'open' : 'first';
    const sites = aminoAcidSites(name, state);
    if (name !== 'HIS') return sites;
    const bare = this.bareHistidineNitrogen(residue);
    return sites.filter(({ parent }) => parent !== bare);
  }

  /** The ring nitrogen that bears no hydrogen, '' when both do. */
  private bareHistidineNitrogen(residue: number): string {
    const { molecule } = this;
    const [delta, epsilon] = ['ND1', 'NE2'].map((name) => findAtom(molecule, residue, name));
    if (delta < 0 || epsilon < 0) return '';
    const bears = [delta, epsilon].map((atom) => this.bonded[atom].some((j) => molecule.elements[j] === 'H'));
    if (bears[0] || bears[1]) return bears[0] ? (bears[1] ? '' : 'NE2') : 'ND1';
    if (this.isAtMetal(delta) || this.isAtMetal(epsilon)) return this.isAtMetal(delta) ? 'ND1' : 'NE2';
    const [atDelta, atEpsilon] = [delta, epsilon].map((atom) => this.hasAcceptor(atom));
    if (atDelta && atEpsilon) return '';
    return atDelta ? 'NE2' : 'ND1';
  }

  private hasAcceptor(nitrogen: number): boolean {
    const { molecule } = this;
    const { elements, positions, residues, residueOf } = molecule;
    for (let atom = 0; atom < molecule.atomCount; atom++) {
      if (elements[atom] !== 'O' || residueOf[atom] === residueOf[nitrogen]) continue;
      const { kind, name } = residues[residueOf[atom]];
      if (kind === 'water' || isHydroxyl(name, molecule.atomNames[atom])) continue;
      if (atomDistance(positions, atom, nitrogen) <= ACCEPTOR_REACH) return true;
    }
    return false;
  }

  private isAtMetal(atom: number): boolean {
    return this.metals.some((metal) => atomDistance(this.molecule.positions, metal, atom) <= METAL_REACH);
  }

  /** Whether an atom and the two that its hydrogens are placed by are there, apart, and not in one line. */
  private spanFrame(parent: number, [bonded, behind]: readonly number[]): boolean {
    if (bonded < 0 || behind < 0) return false;
    const { positions } = this.molecule;
    const areApart = atomDistance(positions, parent, bonded) > CLOSE && atomDistance(positions, bonded, behind) > CLOSE;
    return areApart && sin(measureAngle(positions, parent, bonded, behind)) > STRAIGHT;
  }

  private planSite(site: HydrogenSite, residue: number): Plan | null {
    const { molecule, bonded } = this;
    const { elements } = molecule;
    const parent = findAtom(molecule, residue, site.parent);
    if (parent < 0) return null;
    const heavy = bonded[parent].filter((atom) => elements[atom] !== 'H');
    const present = bonded[parent].length - heavy.length;
    const extra = heavy.length - site.degree;
    if (extra < 0) {
      this.incomplete++;
      return null;
    }
    // One bond more makes an amide or an imine of an ammonium group.
    const isAmmonium = elements[parent] === 'N' && site.hydrogens.length === 3;
    const count = site.hydrogens.length - extra - (isAmmonium && extra > 0 ? 1 : 0);
    if (count <= 0 || present >= count) return null;
    if (present > 0) {
      this.partial++;
      return null;
    }
    const bindsMetal = site.kind === 'planar' ? elements[parent] === 'N' : site.hydrogens.length === 1;
    if (elements[parent] !== 'C' && bindsMetal && this.isAtMetal(parent)) return null;
    const references = site.references.map((name) => findAtom(molecule, residue, name));
    const kind = extra === 0 ? site.kind : elements[parent] === 'N' ? 'planar' : 'tetrahedral';
    if ((kind === 'rotor' || kind === 'amine') && !this.spanFrame(parent, references)) {
      this.incomplete++;
      return null;
    }
    return {
      site: { ...site, kind },
      parent,
      heavy: kind === 'tetrahedral' && heavy.length === 2 && !references.includes(-1) ? references : heavy,
      names: site.hydrogens.slice(0, count),
      positions: new Float64Array(3 * count),
    };
  }
}

function isHydroxyl(residue: string, atom: string): boolean {
  return (
    (residue === 'SER' && atom === 'OG') ||
    (residue === 'THR' && atom === 'OG1') ||
    (residue === 'TYR' && atom === 'OH')
  );
}

/** Writes where the hydrogens of a plan are; those of a rotor in its first torsion. */
function placeFixed({ site, parent, heavy, names, positions }: Plan, molecule: Molecule): void {
  const { kind, length, references } = site;
  if (kind === 'rotor' || kind === 'amine') {
    const [bonded, behind] = references.map((name) => findAtom(molecule, molecule.residueOf[parent], name));
    const bend = kind === 'amine' ? 120 * DEGREE : TETRAHEDRAL;
    names.forEach((_, k) => {
      placeOn(positions, k, molecule.positions, [parent, bonded, behind], [length, bend, torsionOf(kind, k, Math.PI)]);
    });
    return;
  }
  // Away from the sum of the bonds' directions, and across it for a methylene.
  const away = [0, 0, 0];
  const directions = heavy.map((atom) => {
    const direction = [0, 1, 2].map((k) => molecule.positions[3 * atom + k] - molecule.positions[3 * parent + k]);
    normalize(direction);
    for (let k = 0; k < 3; k++) away[k] -= direction[k];
    return direction;
  });
  normalize(away);
  const [u, v] = directions;
  const across = [0, 0, 0];
  if (names.length === 2) {
    for (let k = 0; k < 3; k++) {
      across[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    }
    normalize(across);
  }
  const half = names.length === 2 ? TETRAHEDRAL / 2 : 0;
  names.forEach((_, h) => {
    const side = h === 0 ? -sin(half) : sin(half);
    for (let k = 0; k < 3; k++) {
      positions[3 * h + k] = molecule.positions[3 * parent + k] + length * (cos(half) * away[k] + side * across[k]);
    }
  });
}

/** Torsion of hydrogen k of a group whose first has `first`. */
function torsionOf(kind: 'rotor' | 'amine', k: number, first: number): number {
  return kind === 'amine' ? k * Math.PI : first + k * 120 * DEGREE;
}

function normalize(v: number[]): void {
  const length = hypot(v[0], v[1], v[2]);
  // Neighbours opposite one another leave no direction to prefer; any across them will do.
  if (length < 1e-9) v.splice(0, 3, 1, 0, 0);
  else for (let k = 0; k < 3; k++) v[k] /= length;
}

const quartet = new Float64Array(12);

/** Writes row k of `out`: bonded to references[0], with length, bend and torsion. */
function placeOn(
  out: Float64Array,
  k: number,
  positions: Float64Array,
  references: readonly [number, number, number],
  [length, bend, torsion]: readonly [number, number, number],
): void {
  references.forEach((atom, i) => {
    for (let axis = 0; axis < 3; axis++) quartet[3 * i + axis] = positions[3 * atom + axis];
  });
  placeAtom(quartet, 3, [0, 1, 2], length, bend, torsion);
  for (let axis = 0; axis < 3; axis++) out[3 * k + axis] = quartet[9 + axis];
}

interface Grown {
  readonly grown: Molecule;
  /** New number of each atom of the molecule. */
  readonly rowOf: Int32Array;
  /** New number of the first hydrogen of each plan. */
  readonly firstHydrogens: readonly number[];
}

/** The molecule with the hydrogens of all plans behind their residues' atoms. */
function grow(molecule: Molecule, plans: readonly Plan[]): Grown {
  const byResidue: number[][] = molecule.residues.map(() => []);
  plans.forEach(({ parent }, i) => {
    byResidue[molecule.residueOf[parent]].push(i);
  });
  const order: number[] = [];
  const rowOf = new Int32Array(molecule.atomCount);
  const placed: { readonly row: number; readonly plan: Plan; readonly k: number }[] = [];
  const firstHydrogens = new Array<number>(plans.length).fill(-1);
  molecule.residues.forEach(({ first, count }, residue) => {
    for (let atom = first; atom < first + count; atom++) {
      rowOf[atom] = order.length;
      order.push(atom);
    }
    for (const i of byResidue[residue]) {
      firstHydrogens[i] = order.length;
      plans[i].names.forEach((_, k) => {
        placed.push({ row: order.length, plan: plans[i], k });
        order.push(plans[i].parent);
      });
    }
  });
  const copy = renumber(molecule, Int32Array.from(order), rowOf);
  const names = [...copy.atomNames];
  const elements = [...copy.elements];
  const bonds: [number, number][] = [];
  for (let k = 0; k < copy.bonds.length; k += 2) bonds.push([copy.bonds[k], copy.bonds[k + 1]]);
  for (const { row, plan, k } of placed) {
    names[row] = plan.names[k];
    elements[row] = 'H';
    copy.positions.set(plan.positions.subarray(3 * k, 3 * k + 3), 3 * row);
    bonds.push([rowOf[plan.parent], row]);
  }
  bonds.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
  return {
    grown: { ...copy, atomNames: names, elements, bonds: Int32Array.from(bonds.flat()) },
    rowOf,
    firstHydrogens,
  };
}

/** Atoms in `order` (old numbers, by residue); bonds of those that `rowOf` gives a new number. */
function renumber(molecule: Molecule, order: Int32Array, rowOf: Int32Array): Molecule {
  const positions = new Float64Array(3 * order.length);
  order.forEach((atom, row) => {
    positions.set(molecule.positions.subarray(3 * atom, 3 * atom + 3), 3 * row);
  });
  const residueOf = Int32Array.from(order, (atom) => molecule.residueOf[atom]);
  const counts = new Int32Array(molecule.residues.length);
  for (const residue of residueOf) counts[residue]++;
  let first = 0;
  const residues = molecule.residues.map((residue, i) => {
    const moved = { ...residue, first, count: counts[i] };
    first += counts[i];
    return moved;
  });
  const bonds: number[] = [];
  for (let k = 0; k < molecule.bonds.length; k += 2) {
    const [a, b] = [rowOf[molecule.bonds[k]], rowOf[molecule.bonds[k + 1]]];
    if (a >= 0 && b >= 0) bonds.push(a, b);
  }
  return {
    ...molecule,
    atomCount: order.length,
    positions,
    atomNames: Array.from(order, (atom) => molecule.atomNames[atom]),
    elements: Array.from(order, (atom) => molecule.elements[atom]),
    residueOf,
    sourceRows: Int32Array.from(order, (atom) => molecule.sourceRows[atom]),
    residues,
    bonds: Int32Array.from(bonds),
  };
}

/** Turns the groups that can turn to where they overlap least and bond most. */
function turnRotors(
  molecule: Molecule,
  plans: readonly Plan[],
  rowOf: Int32Array,
  firstHydrogens: readonly number[],
): void {
  const rotors: Rotor[] = [];
  const rotorOf = new Map<number, Rotor>();
  plans.forEach(({ site, parent, names }, i) => {
    if (site.kind !== 'rotor' || site.turn === 0) return;
    const residue = molecule.residueOf[rowOf[parent]];
    const [bonded, behind] = site.references.map((name) => findAtom(molecule, residue, name));
    const rotor: Rotor = {
      hydrogens: names.map((_, k) => firstHydrogens[i] + k),
      references: [rowOf[parent], bonded, behind],
      length: site.length,
      turn: site.turn * DEGREE,
      around: [],
      torsion: Math.PI,
    };
    rotors.push(rotor);
    rotorOf.set(rowOf[parent], rotor);
  });
  if (rotors.length === 0) return;
  const model = createContactModel(molecule);
  const { isExcluded } = createClashRule('addHydrogens', molecule);
  const meet = (parent: number, atom: number): void => {
    const rotor = rotorOf.get(parent);
    if (rotor && !isExcluded(rotor.hydrogens[0], atom)) rotor.around.push(atom);
  };
  findContacts(molecule.positions, molecule.atomCount, ROTOR_REACH, (i, j) => {
    meet(i, j);
    meet(j, i);
  });
  for (let round = 0; round < ROUNDS; round++) {
    let changed = false;
    for (const rotor of rotors) changed = turnBest(rotor, molecule.positions, model) || changed;
    if (!changed) return;
  }
}

/** Whether another torsion was better than the one it had. */
function turnBest(rotor: Rotor, positions: Float64Array, model: ContactModel): boolean {
  const { hydrogens, turn } = rotor;
  const period = hydrogens.length === 3 ? 120 * DEGREE : 2 * Math.PI;
  const steps = Math.round(period / turn);
  let best = rotor.torsion;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let step = 0; step < steps; step++) {
    const torsion = Math.PI + step * turn;
    setTorsion(rotor, positions, torsion);
    const score = scoreRotor(rotor, positions, model);
    if (score > bestScore + 1e-6) {
      bestScore = score;
      best = torsion;
    }
  }
  setTorsion(rotor, positions, best);
  const changed = best !== rotor.torsion;
  rotor.torsion = best;
  return changed;
}

function setTorsion({ hydrogens, references, length }: Rotor, positions: Float64Array, torsion: number): void {
  hydrogens.forEach((hydrogen, k) => {
    placeOn(positions, hydrogen, positions, references, [length, TETRAHEDRAL, torsionOf('rotor', k, torsion)]);
  });
}

function scoreRotor({ hydrogens, around }: Rotor, positions: Float64Array, model: ContactModel): number {
  let score = 0;
  for (const hydrogen of hydrogens) {
    for (const atom of around) {
      const overlap = model.radii[hydrogen] + model.radii[atom] - atomDistance(positions, hydrogen, atom);
      if (overlap <= 0) continue;
      const allowance = model.allowanceOf(hydrogen, atom);
      score += BOND_WEIGHT * Math.min(overlap, allowance) - OVERLAP_WEIGHT * Math.max(overlap - allowance, 0);
    }
  }
  return score;
}

/**
 * Clashes of a moving protein, kept up to date: the same pairs of atoms as the clash report finds, without looking at all
 * atoms after every step.
 *
 * Method: the chain's links touch where their balls do, which misses no clash. Pairs of links that touch and that a changed
 * torsion moved against each other are measured atom by atom with the report's rule (bonds, hydrogen bonds); the others
 * keep their count. Links within the chain's exclusion range never count as touching and are measured too, when a changed
 * torsion lies between them; of these only pairs of atoms that bonds do not exclude are listed.
 * Cost per step: the chain's search for contacts, and the atoms of the links measured; after many changes also the number
 * of links. A start with clashes is fine.
 * Checked by steric-test.test.ts against findClashes.
 */

import { LinkPairs } from '../chain/link-pairs.js';
import { MisuseError } from '../math/misuse.js';
import { createTransform, type Transform } from '../math/transform.js';
import { type ClashOptions, type ClashRule, createClashRule } from './clashes.js';
import { ConformationFollower } from './conformation-follower.js';
import { type ProteinState, requireConformation } from './protein-state.js';

/** More changed torsions than this, and what moved each link is worked out once for all links. */
const FEW_CHANGES = 8;

/** Atoms of the molecule, the smaller number first; overlap in angstrom. */
export type ClashVisitor = (a: number, b: number, overlap: number) => void;

export class StericTest {
  /** Clashes of the conformation last looked at. */
  count = 0;
  private readonly rule: ClashRule;
  /** Touching links beyond the exclusion range, with their numbers of clashes; and the same before the last change. */
  private contacts = new LinkPairs();
  private counts = new Int32Array(64);
  private previousContacts = new LinkPairs();
  private previousCounts = new Int32Array(64);
  private previousCount = 0;
  /** Clashes of links i and i + 1 + k at i range + k, within the exclusion range. */
  private readonly nearCounts: Int32Array;
  private readonly logged: number[] = [];
  /** Clashes inside links, which nothing changes. */
  private insideCount = 0;
  private isKnown = false;
  private readonly follower: ConformationFollower;
  /** The innermost changed torsion that moves each link, -1 for none; only after many changes. */
  private readonly movers: Int32Array;
  private readonly isChanged: Uint8Array;
  private isMany = false;
  private readonly X: Transform = createTransform();

  /** Throws RangeError when the chain's links may overlap by more than a clash does. */
  constructor(
    readonly conformation: ProteinState,
    options: ClashOptions = {},
  ) {
    requireConformation('createStericTest', conformation);
    const { protein } = conformation;
    this.follower = new ConformationFollower('createStericTest', conformation);
    this.rule = createClashRule('createStericTest', protein.molecule, options);
    if (!(this.rule.overlap >= protein.overlap)) {
      throw new MisuseError(
        `createStericTest: options.overlap, got ${this.rule.overlap}, expected at least the ${protein.overlap} of the chain's links`,
      );
    }
    this.nearCounts = new Int32Array(protein.linkCount * protein.chain.exclusion);
    this.movers = new Int32Array(protein.linkCount);
    this.isChanged = new Uint8Array(protein.torsions.length);
    for (let link = 0; link < protein.linkCount; link++) this.insideCount += this.countInside(link);
  }

  /** Brings the count up to date with the conformation, after every application; returns it. */
  update(): number {
    const outdated = this.follower.follow();
    if (outdated === 'nothing' && this.isKnown) return this.count;
    if (outdated === 'all') this.isKnown = false;
    const { conformation, contacts, counts } = this;
    const { protein, state } = conformation;
    [this.contacts, this.previousContacts] = [this.previousContacts, contacts];
    [this.counts, this.previousCounts] = [this.previousCounts, counts];
    this.previousCount = this.count;
    this.logged.length = 0;
    this.isMany = conformation.changedCount > FEW_CHANGES;
    if (this.isMany) this.findMovers();
    const total = state.collectContacts(this.contacts);
    if (this.counts.length < total) this.counts = new Int32Array(2 * total);
    let sum = this.insideCount;
    let at = 0;
    for (let i = 0; i < total; i++) {
      const [a, b] = [this.contacts.linkA(i), this.contacts.linkB(i)];
      while (at < contacts.count && (contacts.linkA(at) < a || (contacts.linkA(at) === a && contacts.linkB(at) < b)))
        at++;
      const isOld = at < contacts.count && contacts.linkA(at) === a && contacts.linkB(at) === b;
      this.counts[i] = this.isKnown && isOld && !this.isMoved(a, b) ? counts[at] : this.countPair(a, b);
      sum += this.counts[i];
    }
    if (this.isKnown && !this.isMany) this.updateNear();
    else for (let a = 0; a < protein.linkCount; a++) this.countNear(a, a + 1, a + protein.chain.exclusion);
    for (let k = 0; k < this.nearCounts.length; k++) sum += this.nearCounts[k];
    this.isKnown = true;
    this.count = sum;
    return sum;
  }

  /** Takes back the last update, together with the conformation's undo. */
  undo(): void {
    const how = this.follower.takeBack();
    if (how === 'follow') {
      this.update();
      this.follower.forget();
    }
    if (how !== 'saved' || !this.isKnown) return;
    [this.contacts, this.previousContacts] = [this.previousContacts, this.contacts];
    [this.counts, this.previousCounts] = [this.previousCounts, this.counts];
    for (let k = this.logged.length - 2; k >= 0; k -= 2) this.nearCounts[this.logged[k]] = this.logged[k + 1];
    this.logged.length = 0;
    this.count = this.previousCount;
  }

  /** Every clash of the conformation last looked at, in no order of meaning. Measures only links that hold some. */
  forEachClash(visit: ClashVisitor): void {
    const { linkCount, chain } = this.conformation.protein;
    if (this.insideCount > 0) for (let link = 0; link < linkCount; link++) this.countInside(link, visit);
    for (let i = 0; i < this.contacts.count; i++) {
      if (this.counts[i] > 0) this.countPair(this.contacts.linkA(i), this.contacts.linkB(i), visit);
    }
    for (let k = 0; k < this.nearCounts.length; k++) {
      const a = Math.floor(k / chain.exclusion);
      if (this.nearCounts[k] > 0) this.countPair(a, a + 1 + (k % chain.exclusion), visit);
    }
  }

  private updateNear(): void {
    const { protein, changed, changedCount } = this.conformation;
    const range = protein.chain.exclusion;
    for (let i = 0; i < changedCount; i++) {
      const { link, end } = protein.torsions[changed[i]];
      for (const border of [link, end]) {
        if (border >= protein.linkCount) continue;
        for (let a = Math.max(0, border - range); a < border; a++) this.countNear(a, border, a + range);
      }
    }
  }

  /** Links from `first` to `last` against a link before them. */
  private countNear(a: number, first: number, last: number): void {
    const range = this.conformation.protein.chain.exclusion;
    for (let b = first; b <= last && b < this.conformation.protein.linkCount; b++) {
      if (this.isKnown && !this.isMoved(a, b)) continue;
      const at = a * range + (b - a - 1);
      this.logged.push(at, this.nearCounts[at]);
      this.nearCounts[at] = this.countPair(a, b);
    }
  }

  /** A torsion moves a link and all that hangs on it, so the innermost one that changed stands for all of them. */
  private findMovers(): void {
    const { conformation, movers, isChanged } = this;
    const { protein, changed, changedCount } = conformation;
    const { torsionOf, parents } = protein;
    for (let i = 0; i < changedCount; i++) isChanged[changed[i]] = 1;
    for (let link = 0; link < movers.length; link++) {
      const torsion = torsionOf[link];
      const isMover = torsion >= 0 && isChanged[torsion] === 1;
      movers[link] = isMover ? torsion : parents[link] < 0 ? -1 : movers[parents[link]];
    }
    for (let i = 0; i < changedCount; i++) isChanged[changed[i]] = 0;
  }

  /** Whether a changed torsion moved one of two links and not the other. */
  private isMoved(a: number, b: number): boolean {
    if (this.isMany) return this.movers[a] !== this.movers[b];
    const { protein, changed, changedCount } = this.conformation;
    for (let i = 0; i < changedCount; i++) {
      const { link, end } = protein.torsions[changed[i]];
      if ((a >= link && a < end) !== (b >= link && b < end)) return true;
    }
    return false;
  }

  private countInside(link: number, visit: ClashVisitor | null = null): number {
    const { atomStarts, atoms, positions } = this.conformation.protein;
    let count = 0;
    for (let j = atomStarts[link]; j < atomStarts[link + 1]; j++) {
      for (let i = atomStarts[link]; i < j; i++) {
        const dx = positions[3 * j] - positions[3 * i];
        const dy = positions[3 * j + 1] - positions[3 * i + 1];
        const dz = positions[3 * j + 2] - positions[3 * i + 2];
        const overlap = this.rule.overlapOf(atoms[i], atoms[j], dx * dx + dy * dy + dz * dz);
        if (overlap === null) continue;
        count++;
        if (visit) visitOrdered(visit, atoms[i], atoms[j], overlap);
      }
    }
    return count;
  }

  private countPair(a: number, b: number, visit: ClashVisitor | null = null): number {
    const { conformation, rule, X } = this;
    const { atomStarts, atoms, positions } = conformation.protein;
    conformation.state.relativePose(X, a, b);
    let count = 0;
    for (let j = atomStarts[b]; j < atomStarts[b + 1]; j++) {
      const [px, py, pz] = [positions[3 * j], positions[3 * j + 1], positions[3 * j + 2]];
      const x = X[0] * px + X[1] * py + X[2] * pz + X[9];
      const y = X[3] * px + X[4] * py + X[5] * pz + X[10];
      const z = X[6] * px + X[7] * py + X[8] * pz + X[11];
      for (let i = atomStarts[a]; i < atomStarts[a + 1]; i++) {
        const dx = x - positions[3 * i];
        const dy = y - positions[3 * i + 1];
        const dz = z - positions[3 * i + 2];
        const overlap = rule.overlapOf(atoms[i], atoms[j], dx * dx + dy * dy + dz * dz);
        if (overlap === null) continue;
        count++;
        if (visit) visitOrdered(visit, atoms[i], atoms[j], overlap);
      }
    }
    return count;
  }
}

function visitOrdered(visit: ClashVisitor, i: number, j: number, overlap: number): void {
  if (i < j) visit(i, j, overlap);
  else visit(j, i, overlap);
}

export function createStericTest(conformation: ProteinState, options: ClashOptions = {}): StericTest {
  return new StericTest(conformation, options);
}

/**
 * The energy of a moving protein by a grid of cells: what programs do that keep no partial sums.
 *
 * Method: positions of what moved are brought up to date. `pairs: 'all'` computes every pair anew.
 * `pairs: 'changed'` leaves pairs within rigid pieces alone: the sum over pairs that the change moved against each other is
 * computed before and after it, and the difference is added to the total. What rounding may have left of large sums, as
 * overlaps give them, is kept account of: when it is more than a share of the total, all pairs are computed. The larger piece is sorted into the grid, the smaller one asks; a piece that has not moved is sorted once.
 * Sorting, searching and the energies of pairs run in the kernel (assembly/energy/energy-grid.ts), the energies by the same code
 * as an energy tree's (assembly/energy/energy-pairs.ts).
 * Source: Allen, Tildesley 2017, Computer Simulation of Liquids, 2nd edition, section 5.3.
 * Cost: linear in atoms and pairs. Memory in the kernel: some 300 bytes per atom;
 * `dispose` gives it back, a finalizer is the safety net. Checked by energy-tree.test.ts against computeEnergy.
 */

import { getKernel } from '../../kernel/kernel.js';
import { type Fields, oneOf, requireOptions } from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';
import { ConformationFollower } from '../conformation-follower.js';
import type { ConformationEnergy } from '../monte-carlo/conformation-energy.js';
import type { ProteinState } from '../protein-state.js';
import { AtomPositions } from './atom-positions.js';
import type { EnergyTerms } from './compute-energy.js';
import type { EnergyStats } from './energy-tree.js';
import type { ForceField } from './force-field.js';
import { GridBlock } from './grid-block.js';
import { requireChainOf } from './require-chain.js';
import { TorsionEnergy } from './torsion-energy.js';

export interface GridEnergyOptions {
  /** Pairs computed per update: 'all' (default), or the 'changed' ones. */
  readonly pairs?: 'all' | 'changed';
}

const OPTIONS: Fields = { pairs: oneOf('all', 'changed') };

/** With more changes at once all pairs are computed: a piece's number is kept in 32 bits. */
const MOST_CHANGES = 30;

/**
 * Of the sums that an update adds and takes off, and of the pairs that move along: more than rounding changes of them, the
 * positions' rounding included. Of the total: when it is computed anew.
 */
const SUM_ROUNDING = 1e-13;
const MOST_ROUNDING = 1e-10;
/** Rounding counts against this much energy at least, kcal/mol. */
const LEAST_ENERGY = 10;

const forgotten = new FinalizationRegistry<GridBlock>((block) => block.release());

export class GridEnergy implements ConformationEnergy {
  /** Work since the counts were last set to zero. */
  readonly stats: Pick<EnergyStats, 'atomPairs' | 'computedPairs'> = { atomPairs: 0, computedPairs: 0 };
  private readonly positions: AtomPositions;
  private readonly torsions: TorsionEnergy;
  private readonly block: GridBlock;
  private readonly follower: ConformationFollower;
  private lennardJones = 0;
  private electrostatic = 0;
  private savedLennardJones = 0;
  private savedElectrostatic = 0;
  /** Bounds of what rounding has left in the two sums. */
  private lennardJonesError = 0;
  private electrostaticError = 0;
  private savedLennardJonesError = 0;
  private savedElectrostaticError = 0;
  private readonly onlyChanged: boolean;
  private readonly count: number;
  /** By row of the protein's atoms, and one more: how many of those before it interact. */
  private readonly countBefore: Int32Array;
  /** Pieces of the chain that the last change moved against each other, and the runs of atoms they consist of. */
  private readonly pieces: number[] = [];
  private readonly runs: { piece: number; first: number; last: number }[] = [];
  private isDisposed = false;

  constructor(
    private readonly conformation: ProteinState,
    readonly field: ForceField,
    options: GridEnergyOptions = {},
  ) {
    requireChainOf('createGridEnergy', conformation, field);
    requireOptions('createGridEnergy', options, OPTIONS);
    const { pairs = 'all' } = options;
    this.follower = new ConformationFollower('createGridEnergy', conformation);
    const { protein } = conformation;
    this.onlyChanged = pairs === 'changed';
    this.positions = new AtomPositions(conformation);
    this.torsions = new TorsionEnergy(conformation, field);
    const active = new Uint8Array(protein.molecule.atomCount);
    for (const atom of field.atoms) active[atom] = 1;
    const rows = Int32Array.from(protein.atoms.keys()).filter((row) => active[protein.atoms[row]]);
    this.count = rows.length;
    this.countBefore = new Int32Array(protein.atoms.length + 1);
    protein.atoms.forEach((atom, row) => {
      this.countBefore[row + 1] = this.countBefore[row] + active[atom];
    });
    this.block = new GridBlock(getKernel(), field, protein, rows);
    forgotten.register(this, this.block, this);
    this.block.writePositions(this.positions.values, 0, this.count);
    this.sumAll();
  }

  get total(): number {
    this.follower.requireCurrent('total');
    return this.lennardJones + this.electrostatic + this.torsions.total;
  }

  listTerms(): EnergyTerms & Readonly<Record<string, number>> {
    const { lennardJones, electrostatic, total } = this;
    return { lennardJones, electrostatic, torsion: this.torsions.total, total };
  }

  update(): number {
    this.requireLive();
    const outdated = this.follower.follow();
    if (outdated !== 'nothing') this.renew(outdated === 'all');
    return this.total;
  }

  private renew(isAll: boolean): void {
    const { conformation, torsions } = this;
    this.savedLennardJones = this.lennardJones;
    this.savedElectrostatic = this.electrostatic;
    this.savedLennardJonesError = this.lennardJonesError;
    this.savedElectrostaticError = this.electrostaticError;
    torsions.update(isAll);
    if (!isAll && this.onlyChanged && conformation.changedCount <= MOST_CHANGES) {
      this.markPieces();
      this.countRounding(this.lennardJones, this.electrostatic);
      this.sumChanged(-1, false);
      this.movePositions();
      // What has been sorted is where it was when it is the piece that no torsion turned.
      this.sumChanged(1, this.pieces.length === 2 && this.pieces[0] === 0);
      if (this.isRough()) this.sumAll();
    } else {
      this.movePositions(isAll);
      this.sumAll();
    }
  }

  /** Takes the last update back, together with the conformation's undo. */
  undo(): void {
    this.requireLive();
    const how = this.follower.takeBack();
    if (how === 'follow') {
      this.update();
      this.follower.forget();
    }
    if (how !== 'saved') return;
    this.positions.undo();
    this.writePositions();
    this.torsions.undo();
    this.lennardJones = this.savedLennardJones;
    this.electrostatic = this.savedElectrostatic;
    this.lennardJonesError = this.savedLennardJonesError;
    this.electrostaticError = this.savedElectrostaticError;
  }

  private countRounding(lennardJones: number, electrostatic: number): void {
    this.lennardJonesError += SUM_ROUNDING * Math.abs(lennardJones);
    this.electrostaticError += SUM_ROUNDING * Math.abs(electrostatic);
  }

  private isRough(): boolean {
    const { lennardJones, electrostatic, lennardJonesError, electrostaticError } = this;
    return (
      lennardJonesError > MOST_ROUNDING * Math.max(LEAST_ENERGY, Math.abs(lennardJones)) ||
      electrostaticError > MOST_ROUNDING * Math.max(LEAST_ENERGY, Math.abs(electrostatic))
    );
  }

  /** Gives the kernel memory back; the grid is of no use afterwards. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    forgotten.unregister(this);
    this.block.release();
  }

  private requireLive(): void {
    if (this.isDisposed)
      throw new MisuseError('createGridEnergy: grid, got one that was disposed, expected a live one');
  }

  private movePositions(isAll = false): void {
    this.positions.update(isAll);
    this.writePositions();
  }

  private writePositions(): void {
    const { countBefore } = this;
    const { values, firstRow, lastRow } = this.positions;
    this.block.writePositions(values, countBefore[firstRow], countBefore[lastRow]);
  }

  private sumAll(): void {
    const { block, count } = this;
    block.clear();
    block.add(0, count);
    block.sort();
    block.ask(0, count, true);
    this.lennardJones = block.takeSum(0);
    this.electrostatic = block.takeSum(1);
    this.lennardJonesError = 0;
    this.electrostaticError = 0;
    this.takeCounts();
  }

  /** Numbers the pieces (bit i tells whether changed torsion i turned it) and lists them, the largest first. */
  private markPieces(): void {
    const { protein, changed, changedCount } = this.conformation;
    const { atomStarts, torsions, linkCount } = protein;
    const { pieces, runs, countBefore } = this;
    const borders = [0, linkCount];
    for (let i = 0; i < changedCount; i++) borders.push(torsions[changed[i]].link, torsions[changed[i]].end);
    borders.sort((a, b) => a - b);
    const sizes = new Map<number, number>();
    runs.length = 0;
    for (let k = 1; k < borders.length; k++) {
      const [from, to] = [borders[k - 1], borders[k]];
      const [first, last] = [countBefore[atomStarts[from]], countBefore[atomStarts[to]]];
      if (first === last) continue;
      let piece = 0;
      for (let i = 0; i < changedCount; i++) {
        const { link, end } = torsions[changed[i]];
        if (from >= link && from < end) piece |= 1 << i;
      }
      runs.push({ piece, first, last });
      sizes.set(piece, (sizes.get(piece) ?? 0) + last - first);
    }
    pieces.length = 0;
    pieces.push(...sizes.keys());
    pieces.sort((a, b) => sizes.get(b)! - sizes.get(a)! || a - b);
  }

  /** Adds `sign` times the pairs of atoms of different pieces: each piece asks those sorted before it. */
  private sumChanged(sign: number, isSorted: boolean): void {
    const { block, pieces, runs } = this;
    if (!isSorted) block.clear();
    for (let i = 1; i < pieces.length; i++) {
      if (!isSorted) {
        for (const { piece, first, last } of runs) if (piece === pieces[i - 1]) block.add(first, last);
        block.sort();
      }
      for (const { piece, first, last } of runs) if (piece === pieces[i]) block.ask(first, last, false);
    }
    const lennardJones = block.takeSum(0);
    const electrostatic = block.takeSum(1);
    this.lennardJones += sign * lennardJones;
    this.electrostatic += sign * electrostatic;
    this.countRounding(lennardJones, electrostatic);
    this.takeCounts();
  }

  private takeCounts(): void {
    this.stats.atomPairs += this.block.takeCount(0);
    this.stats.computedPairs += this.block.takeCount(1);
  }
}

export function createGridEnergy(
  conformation: ProteinState,
  field: ForceField,
  options: GridEnergyOptions = {},
): GridEnergy {
  return new GridEnergy(conformation, field, options);
}

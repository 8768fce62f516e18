/**
 * The energy of a moving protein, kept up to date by partial sums over pairs of nodes of a tree along its chain.
 *
 * Method: atoms in leaves of some four residues (energy-leaves.ts), a balanced tree over them. After a change only pairs of
 * nodes are looked at that a changed torsion moved against each other and that are within the cutoff; all others keep
 * their sums. The walk runs in the kernel (assembly/energy/energy.ts), in f64, two pairs of atoms at a time.
 * Source: Lotan, Schwarzer, Halperin, Latombe 2004, "Algorithm and data structures for efficient energy maintenance during
 * Monte Carlo simulation of proteins", doi:10.1089/cmb.2004.11.902. There, boxes and sums are kept with the nodes of the
 * ChainTree whose leaves are single links; leaves of four residues give the same sums with far fewer records, and long lists
 * of pairs, which the kernel goes through fastest.
 *
 * The sums are functions of the torsions, bit by bit: no step leaves a trace, so a saved state goes on with the same bits.
 * Energies are finite for every conformation (force-field.ts). Undo puts everything back as it was.
 * Cost: what moved against the rest within the cutoff, and the nodes between; undo costs what the change replaced.
 * Memory in the kernel: some 2 kB per residue. `dispose` gives it back; a finalizer is the safety net.
 * Checked by energy-tree.test.ts against computeEnergy.
 */

import { getKernel, type Kernel } from '../../kernel/kernel.js';
import { ENERGY_COUNTS, ENERGY_RESULT } from '../../kernel/layout.js';
import { energies } from '../../kernel/parts/energy.js';
import { MisuseError } from '../../math/misuse.js';
import { createTransform, multiplyTransformAt, type Transform } from '../../math/transform.js';
import { ConformationFollower } from '../conformation-follower.js';
import type { ConformationEnergy } from '../monte-carlo/conformation-energy.js';
import type { ProteinState } from '../protein-state.js';
import type { EnergyTerms } from './compute-energy.js';
import { EnergyBlock } from './energy-block.js';
import { type EnergyLeaves, layOutLeaves, writePathPose } from './energy-leaves.js';
import type { ForceField } from './force-field.js';
import { requireChainOf } from './require-chain.js';
import { TorsionEnergy } from './torsion-energy.js';

/** Work since the counts were last set to zero. */
export interface EnergyStats {
  /** Pairs of leaves that are within the cutoff or a little beyond. */
  leafPairs: number;
  /** Pairs of atoms in them whose distance was computed. */
  atomPairs: number;
  /** Pairs of atoms whose energy was computed: those within the cutoff, and bonded ones. */
  computedPairs: number;
}

const forgotten = new FinalizationRegistry<EnergyBlock>((block) => block.release());

export class EnergyTree implements ConformationEnergy {
  readonly stats: EnergyStats = { leafPairs: 0, atomPairs: 0, computedPairs: 0 };
  private readonly kernel: Kernel = getKernel();
  private readonly torsions: TorsionEnergy;
  private readonly leaves: EnergyLeaves;
  private readonly block: EnergyBlock;
  private lennardJones = 0;
  private electrostatic = 0;
  /** Leaves and shortcuts the last update changed, ascending, with what was there before. */
  private readonly changedLeaves: Int32Array;
  private readonly changedShortcuts: Int32Array;
  private leafCount = 0;
  private shortcutCount = 0;
  private readonly marks: Uint8Array;
  private saved = new Float64Array(256);
  private savedCount = 0;
  /** First word and number of words of each stretch of what was there before. */
  private readonly savedRanges: Int32Array;
  private rangeCount = 0;
  private readonly follower: ConformationFollower;
  private isDisposed = false;
  /** Of the links of the leaf that is being placed. */
  private readonly poses: Float64Array;
  private readonly X: Transform = createTransform();

  constructor(
    private readonly conformation: ProteinState,
    readonly field: ForceField,
  ) {
    requireChainOf('createEnergyTree', conformation, field);
    this.follower = new ConformationFollower('createEnergyTree', conformation);
    const { protein } = conformation;
    const active = new Uint8Array(protein.molecule.atomCount);
    for (const atom of field.atoms) active[atom] = 1;
    this.leaves = layOutLeaves(
      protein,
      Uint8Array.from(protein.atoms, (atom) => active[atom]),
    );
    this.torsions = new TorsionEnergy(conformation, field);
    const { frames, lastLinks } = this.leaves;
    this.poses = new Float64Array(
      12 * frames.reduce((most, frame, leaf) => Math.max(most, lastLinks[leaf] - frame + 1), 1),
    );
    this.block = new EnergyBlock(this.kernel, field, this.leaves, protein);
    forgotten.register(this, this.block, this);
    const { count } = this.leaves;
    this.changedLeaves = new Int32Array(count);
    this.changedShortcuts = new Int32Array(count);
    this.marks = new Uint8Array(count);
    this.savedRanges = new Int32Array(4 * count);
    this.changeAll();
    this.renew();
  }

  /** kcal/mol. */
  get total(): number {
    this.follower.requireCurrent('total');
    return this.lennardJones + this.electrostatic + this.torsions.total;
  }

  listTerms(): EnergyTerms & Readonly<Record<string, number>> {
    const { lennardJones, electrostatic, total } = this;
    return { lennardJones, electrostatic, torsion: this.torsions.total, total };
  }

  /** Follows the conformation after its last application; returns the new total. */
  update(): number {
    this.requireLive();
    const outdated = this.follower.follow();
    if (outdated !== 'nothing') {
      const isAll = outdated === 'all';
      this.torsions.update(isAll);
      if (isAll) this.changeAll();
      else this.collectChanges();
      this.renew();
    }
    return this.total;
  }

  /** Takes the last update back, bit by bit, together with the conformation's undo. */
  undo(): void {
    this.requireLive();
    const how = this.follower.takeBack();
    if (how === 'follow') {
      this.update();
      this.follower.forget();
    }
    if (how !== 'saved') return;
    this.torsions.undo();
    const { f64 } = this.kernel;
    let at = 0;
    for (let i = 0; i < this.rangeCount; i++) {
      const word = this.savedRanges[2 * i];
      for (let k = 0; k < this.savedRanges[2 * i + 1]; k++) f64[word + k] = this.saved[at++];
    }
    this.kernel.part(energies).undoEnergy(this.block.address, this.leafCount);
    this.readSums();
  }

  /** Gives the kernel memory back; the tree is of no use afterwards. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    forgotten.unregister(this);
    this.block.release();
  }

  private requireLive(): void {
    if (this.isDisposed)
      throw new MisuseError('createEnergyTree: tree, got one that was disposed, expected a live one');
  }

  /** Words of a leaf's positions in its frame. */
  private ownRange(leaf: number): [number, number] {
    const { starts } = this.leaves;
    return [this.block.ownWord + 3 * this.block.slotStarts[leaf], 3 * (starts[leaf + 1] - starts[leaf])];
  }

  private changeAll(): void {
    const { count } = this.leaves;
    for (let leaf = 0; leaf < count; leaf++) this.changedLeaves[leaf] = this.changedShortcuts[leaf] = leaf;
    this.leafCount = count;
    this.shortcutCount = count - 1;
  }

  /** What the conformation's last change moves, ascending. */
  private collectChanges(): void {
    const { changed, changedCount } = this.conformation;
    const { leavesOf, shortcutsOf } = this.leaves;
    this.leafCount = this.collect(this.changedLeaves, leavesOf, changed, changedCount);
    this.shortcutCount = this.collect(this.changedShortcuts, shortcutsOf, changed, changedCount);
  }

  private collect(out: Int32Array, lists: readonly Int32Array[], changed: Int32Array, changedCount: number): number {
    const { marks } = this;
    let count = 0;
    for (let i = 0; i < changedCount; i++) {
      const list = lists[changed[i]];
      for (let k = 0; k < list.length; k++) {
        if (marks[list[k]]) continue;
        marks[list[k]] = 1;
        out[count++] = list[k];
      }
    }
    for (let i = 0; i < count; i++) marks[out[i]] = 0;
    if (count > 1) out.subarray(0, count).sort();
    return count;
  }

  /** Writes what changed and has the kernel follow. */
  private renew(): void {
    this.requireLive();
    const { kernel, block, leafCount, shortcutCount } = this;
    this.savedCount = 0;
    this.rangeCount = 0;
    const { changedLeaves, changedShortcuts } = this;
    for (let i = 0, k = 0; i < leafCount || k < shortcutCount; ) {
      const leaf = Math.min(
        i < leafCount ? changedLeaves[i] : Infinity,
        k < shortcutCount ? changedShortcuts[k] : Infinity,
      );
      this.placeLinks(leaf);
      if (i < leafCount && changedLeaves[i] === leaf) {
        this.placeLeaf(leaf);
        i++;
      }
      if (k < shortcutCount && changedShortcuts[k] === leaf) {
        this.placeShortcut(leaf);
        k++;
      }
    }
    for (let i = 0; i < leafCount; i++) kernel.u32[block.changedLeavesWord + i] = changedLeaves[i];
    for (let i = 0; i < shortcutCount; i++) kernel.u32[block.changedShortcutsWord + i] = changedShortcuts[i];
    while (kernel.part(energies).updateEnergy(block.address, leafCount, shortcutCount) !== 0) block.growPool();
    this.readSums();
    const { u32 } = kernel;
    this.stats.leafPairs += u32[(block.address + ENERGY_COUNTS) / 4];
    this.stats.atomPairs += u32[(block.address + ENERGY_COUNTS) / 4 + 1];
    this.stats.computedPairs += u32[(block.address + ENERGY_COUNTS) / 4 + 2];
  }

  private readSums(): void {
    const { f64 } = this.kernel;
    this.lennardJones = f64[(this.block.address + ENERGY_RESULT) / 8];
    this.electrostatic = f64[(this.block.address + ENERGY_RESULT) / 8 + 1];
  }

  private save(word: number, count: number): void {
    if (this.savedCount + count > this.saved.length) {
      const saved = new Float64Array(2 * (this.savedCount + count));
      saved.set(this.saved);
      this.saved = saved;
    }
    const { f64 } = this.kernel;
    for (let k = 0; k < count; k++) this.saved[this.savedCount++] = f64[word + k];
    this.savedRanges[2 * this.rangeCount] = word;
    this.savedRanges[2 * this.rangeCount++ + 1] = count;
  }

  /** Poses of a leaf's links in its frame, in `poses` from its first one on. */
  private placeLinks(leaf: number): void {
    const { frames, lastLinks } = this.leaves;
    for (let link = frames[leaf]; link <= lastLinks[leaf]; link++) {
      this.placeLink(this.poses, 12 * (link - frames[leaf]), link, leaf);
    }
  }

  /** Pose of a link in a leaf's frame, from its parent's where that is in the leaf. */
  private placeLink(out: Float64Array, at: number, link: number, leaf: number): void {
    const { conformation, poses, X } = this;
    const frame = this.leaves.frames[leaf];
    const parent = conformation.protein.parents[link];
    if (link > frame && parent >= frame) {
      multiplyTransformAt(out, at, poses, 12 * (parent - frame), conformation.poseInParent(X, link), 0);
    } else out.set(writePathPose(X, conformation, frame, link), at);
  }

  /** Positions of a leaf's atoms in its frame; its links are placed. */
  private placeLeaf(leaf: number): void {
    const { leaves, kernel, conformation, poses } = this;
    const { positions, linkOf, atoms } = conformation.protein;
    const [first, words] = this.ownRange(leaf);
    this.save(first, words);
    const { f64 } = kernel;
    const frame = leaves.frames[leaf];
    let word = first;
    for (let i = leaves.starts[leaf]; i < leaves.starts[leaf + 1]; i++) {
      const row = leaves.rows[i];
      const at = 12 * (linkOf[atoms[row]] - frame);
      const x = positions[3 * row];
      const y = positions[3 * row + 1];
      const z = positions[3 * row + 2];
      f64[word++] = poses[at] * x + poses[at + 1] * y + poses[at + 2] * z + poses[at + 9];
      f64[word++] = poses[at + 3] * x + poses[at + 4] * y + poses[at + 5] * z + poses[at + 10];
      f64[word++] = poses[at + 6] * x + poses[at + 7] * y + poses[at + 8] * z + poses[at + 11];
    }
  }

  private placeShortcut(leaf: number): void {
    const word = this.block.shortcutWord + 12 * leaf;
    this.save(word, 12);
    this.placeLink(this.kernel.f64, word, this.leaves.frames[leaf + 1], leaf);
  }
}

/** An energy that follows a conformation; see EnergyTree. */
export function createEnergyTree(conformation: ProteinState, field: ForceField): EnergyTree {
  requireChainOf('createEnergyTree', conformation, field);
  return new EnergyTree(conformation, field);
}

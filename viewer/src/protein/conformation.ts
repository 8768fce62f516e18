/**
 * A protein that moves: its torsions are turned through a ChainTree, and positions, clashes and boxes follow.
 *
 * One tree does all the work, the side chains' chi angles being torsions like the backbone's; a turn is undone by turning
 * back, as every joint is computed from the torsion's value. Frame of the file, angstrom, radians.
 */
import { type ChainTree, createChainTree, createLinkPairs, disposeChain } from 'clearance/chain';
import { createTransform, hypot, multiplyTransform } from 'clearance/math';
import {
  type Clash,
  createProteinChain,
  createProteinChainInSteps,
  createProteinState,
  createStericTest,
  type Molecule,
  type ProteinChain,
  type ProteinState,
  type StericTest,
} from 'clearance/molecule';

/** Where the half extents of a box begin, after its pose; 15 numbers a box. */
export const BOX_HALF_EXTENTS = 12;
export const BOX_NUMBERS = 15;

/** As ChainTreeData lays out its boxes. */
const TREE_BOX_STRIDE = 16;
const TREE_BOX_HALF_EXTENTS = 12;

export const PREPARATION_PARTS = 6;

/** Of work between two pauses. Milliseconds. */
const STEP = 8;

/** What the tree did for the last turn. */
export interface TurnWork {
  readonly boxes: number;
  readonly boxTests: number;
  readonly linkPairs: number;
}

export class Conformation {
  readonly protein: ProteinChain;
  /** 3 per atom of the molecule, as they stand; read only. */
  readonly positions: Float64Array;
  /** Atoms that the last change moved; null before the first. */
  moved: Int32Array | null = null;
  work: TurnWork | null = null;
  private readonly tree: ChainTree;
  private readonly state: ProteinState;
  private readonly steric: StericTest;
  private readonly poses: Float64Array;

  constructor(
    molecule: Molecule,
    protein = createProteinChain(molecule),
    tree = createChainTree(protein.chain),
    state = createProteinState(protein, tree),
    steric = createStericTest(state),
  ) {
    this.protein = protein;
    this.tree = tree;
    this.state = state;
    this.steric = steric;
    this.positions = molecule.positions.slice();
    this.poses = new Float64Array(12 * protein.linkCount);
    this.steric.update();
  }

  /** In PREPARATION_PARTS parts, so that a page stays alive meanwhile; null when `goOn`, asked before and within each, resolves to false. */
  static async prepare(molecule: Molecule, goOn: (part: number) => Promise<boolean>): Promise<Conformation | null> {
    const protein = await runSteps(createProteinChainInSteps(molecule), () => goOn(1));
    if (!protein) return null;
    let tree: ChainTree | null = null;
    if (await goOn(2)) {
      tree = createChainTree(protein.chain);
      if (await goOn(3)) {
        const state = createProteinState(protein, tree);
        if (await goOn(4)) {
          const steric = createStericTest(state);
          if (await goOn(5)) {
            // Finds what touches, which the count then asks for again.
            tree.collectContacts(createLinkPairs());
            if (await goOn(6)) return new Conformation(molecule, protein, tree, state, steric);
          }
        }
      }
    }
    tree?.dispose();
    disposeChain(protein.chain);
    return null;
  }

  get torsions(): Float64Array {
    return this.state.torsions;
  }

  /** Every torsion as the file has it. */
  get isAsRead(): boolean {
    return this.protein.torsions.every(({ reference }, i) => reference === this.state.torsions[i]);
  }

  turn(torsion: number, value: number): void {
    const { link, end } = this.protein.torsions[torsion];
    this.state.stage(torsion, value);
    this.apply(link, end);
  }

  /** All torsions at once, as an earlier reading of `torsions` or a simulation gives them. */
  turnAll(values: ArrayLike<number>): void {
    let [first, end] = [this.protein.linkCount, 0];
    this.protein.torsions.forEach((torsion, i) => {
      if (values[i] === this.torsions[i]) return;
      this.state.stage(i, values[i]);
      first = Math.min(first, torsion.link);
      end = Math.max(end, torsion.end);
    });
    if (first < end) this.apply(first, end);
  }

  reset(): void {
    this.turnAll(this.protein.torsions.map(({ reference }) => reference));
    // What was not turned and what was turned back lie where the file has them, to the last bit.
    this.positions.set(this.protein.molecule.positions);
  }

  /** Of the chain's atoms, all weighing alike. */
  get center(): [number, number, number] {
    const { atoms } = this.protein;
    const sum: [number, number, number] = [0, 0, 0];
    for (const atom of atoms) for (let k = 0; k < 3; k++) sum[k] += this.positions[3 * atom + k] / atoms.length;
    return sum;
  }

  get clashCount(): number {
    return this.steric.count;
  }

  /** Of the chain's atoms, sorted as the clash report sorts them. */
  listClashes(): Clash[] {
    const { positions } = this;
    const clashes: Clash[] = [];
    this.steric.forEachClash((a, b, overlap) => {
      const [i, j] = [3 * a, 3 * b];
      const distance = hypot(
        ...([0, 1, 2].map((k) => positions[j + k] - positions[i + k]) as [number, number, number]),
      );
      clashes.push({ a, b, distance, overlap });
    });
    return clashes.sort((x, y) => x.a - y.a || x.b - y.b);
  }

  /** Levels of the tree, from 0 for the box around the whole chain down to the links. */
  get levelCount(): number {
    return this.tree.data.layout.height + 1;
  }

  boxCount(level: number): number {
    const { layout } = this.tree.data;
    return layout.counts[layout.height - level];
  }

  /** BOX_NUMBERS per box. */
  writeBoxes(level: number): Float64Array {
    const { layout, frames, boxes } = this.tree.data;
    const { base } = this.protein;
    const height = layout.height - level;
    const out = new Float64Array(BOX_NUMBERS * layout.counts[height]);
    const pose = createTransform();
    this.tree.writeLinkPoses(this.poses);
    for (let j = 0; j < layout.counts[height]; j++) {
      const node = layout.starts[height] + j;
      multiplyTransform(pose, transformAt(this.poses, j << height), transformAt(frames, node));
      for (let k = 0; k < 3; k++) pose[9 + k] += base[k];
      const half = TREE_BOX_STRIDE * node + TREE_BOX_HALF_EXTENTS;
      out.set(pose, BOX_NUMBERS * j);
      out.set(boxes.subarray(half, half + 3), BOX_NUMBERS * j + BOX_HALF_EXTENTS);
    }
    return out;
  }

  /** The boxes of a level that a turn of the torsion computes anew: those whose links it moves against one another. */
  listRenewed(level: number, torsion: number): Set<number> {
    const height = this.tree.data.layout.height - level;
    const { link, end } = this.protein.torsions[torsion];
    const renewed = new Set<number>();
    for (const border of [link, end]) {
      if (border < this.protein.linkCount && border >> height === (border - 1) >> height) renewed.add(border >> height);
    }
    return renewed;
  }

  dispose(): void {
    this.tree.dispose();
    disposeChain(this.protein.chain);
  }

  /** Links first .. end - 1 hold everything that moves. */
  private apply(first: number, end: number): void {
    const { tree, state, steric, protein } = this;
    const before = { ...tree.stats };
    state.apply();
    steric.update();
    this.work = {
      boxes: tree.stats.volumeUpdates - before.volumeUpdates,
      boxTests: tree.stats.volumeTests - before.volumeTests,
      linkPairs: tree.stats.pairTests - before.pairTests,
    };
    state.writePositions(this.positions);
    this.moved = protein.atoms.subarray(protein.atomStarts[first], protein.atomStarts[end]);
  }
}

function transformAt(all: Float64Array, i: number): Float64Array {
  return all.subarray(12 * i, 12 * i + 12);
}

/** Null when `goOn`, asked before it begins and whenever steps have taken a while, resolves to false. */
async function runSteps<Result>(steps: Generator<void, Result>, goOn: () => Promise<boolean>): Promise<Result | null> {
  while (await goOn()) {
    for (const since = performance.now(); performance.now() - since < STEP; ) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  }
  steps.return(undefined as never);
  return null;
}

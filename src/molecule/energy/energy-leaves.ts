/**
 * The leaves of an energy tree: runs of a protein's interacting atoms, some four residues each, and what each torsion changes.
 *
 * A leaf begins at a link of the backbone wherever it can, and its frame is that of its first link. Poses between the
 * frames of successive leaves follow the links' parents, so a side chain's torsion changes its own leaf alone. Links with
 * many atoms, as disulfides make them, are cut into several leaves of one frame; long branches, as bridges between chains
 * leave them, begin a leaf before it has more atoms than the kernel takes.
 * Checked by energy-tree.test.ts.
 */
import { ENERGY_MOST_LEAF_ATOMS } from '../../kernel/layout.js';
import {
  createTransform,
  invertTransform,
  multiplyTransform,
  setIdentityTransform,
  type Transform,
} from '../../math/transform.js';
import type { ProteinChain } from '../protein-chain.js';
import type { ProteinState } from '../protein-state.js';

export interface EnergyLeaves {
  readonly count: number;
  /** Rows (of `protein.atoms`) of the interacting atoms, leaf by leaf. */
  readonly rows: Int32Array;
  /** Place in `rows` of each leaf's first, one entry more than leaves. */
  readonly starts: Int32Array;
  /** First link of each leaf: its frame; and the last one with atoms in it or on the way to the next leaf's frame. */
  readonly frames: Int32Array;
  readonly lastLinks: Int32Array;
  /** By torsion: leaves whose atoms it moves in their frame, and leaves from which it moves the next one's frame. */
  readonly leavesOf: readonly Int32Array[];
  readonly shortcutsOf: readonly Int32Array[];
}

/** A leaf ends at the next place once it has this many atoms; a link with more is cut. */
const LEAF_ATOMS = 32;

/** `isActive`: by row of the protein's atoms. */
export function layOutLeaves(protein: ProteinChain, isActive: Uint8Array): EnergyLeaves {
  const { atomStarts, linkCount, parents } = protein;
  const ends = Int32Array.from({ length: linkCount }, (_, link) => link + 1);
  for (let link = linkCount - 1; link > 0; link--) ends[parents[link]] = Math.max(ends[parents[link]], ends[link]);
  const rows: number[] = [];
  const starts: number[] = [];
  const frames: number[] = [];
  const open = (link: number): void => {
    starts.push(rows.length);
    frames.push(link);
  };
  for (let link = 0; link < linkCount; link++) {
    const size = () => rows.length - starts[starts.length - 1];
    const own: number[] = [];
    for (let row = atomStarts[link]; row < atomStarts[link + 1]; row++) if (isActive[row]) own.push(row);
    const isBig = own.length > LEAF_ATOMS;
    const isFull = size() + (isBig ? LEAF_ATOMS : own.length) > ENERGY_MOST_LEAF_ATOMS;
    if (
      starts.length === 0 ||
      isFull ||
      ((size() >= LEAF_ATOMS || (isBig && size() > 0)) && isPassed(protein, ends, link))
    )
      open(link);
    for (const row of own) {
      if (isBig && size() >= LEAF_ATOMS) open(link);
      rows.push(row);
    }
  }
  // A last leaf without atoms is of no use.
  if (starts.length > 1 && starts[starts.length - 1] === rows.length) {
    starts.pop();
    frames.pop();
  }
  const count = starts.length;
  starts.push(rows.length);
  const linkOfRow = (row: number) => protein.linkOf[protein.atoms[row]];
  const lastLinks = Int32Array.from(frames, (frame, leaf) => {
    const last = starts[leaf + 1] > starts[leaf] ? linkOfRow(rows[starts[leaf + 1] - 1]) : frame;
    return leaf + 1 < count ? Math.max(last, parents[frames[leaf + 1]]) : last;
  });
  const leavesOf: Set<number>[] = protein.torsions.map(() => new Set());
  const shortcutsOf: Set<number>[] = protein.torsions.map(() => new Set());
  const mark = (sets: readonly Set<number>[], leaf: number, to: number): void => {
    for (const link of listPath(protein, frames[leaf], to)) {
      if (protein.torsionOf[link] >= 0) sets[protein.torsionOf[link]].add(leaf);
    }
  };
  for (let leaf = 0; leaf < count; leaf++) {
    for (const link of new Set(rows.slice(starts[leaf], starts[leaf + 1]).map(linkOfRow))) mark(leavesOf, leaf, link);
    if (leaf + 1 < count) mark(shortcutsOf, leaf, frames[leaf + 1]);
  }
  const toSorted = (set: Set<number>) => Int32Array.from(set).sort();
  return {
    count,
    rows: Int32Array.from(rows),
    starts: Int32Array.from(starts),
    frames: Int32Array.from(frames),
    lastLinks,
    leavesOf: leavesOf.map(toSorted),
    shortcutsOf: shortcutsOf.map(toSorted),
  };
}

/** Whether the way along the chain passes this link: what comes behind it hangs on it, or is another fragment. */
function isPassed({ linkCount, torsionOf }: ProteinChain, ends: Int32Array, link: number): boolean {
  return ends[link] === linkCount || torsionOf[ends[link]] < 0;
}

/** Links whose placement in their parent the pose of one link in another depends on. */
function listPath({ parents }: ProteinChain, from: number, to: number): number[] {
  const path: number[] = [];
  let [a, b] = [from, to];
  while (a !== b) {
    if (a > b) {
      path.push(a);
      a = parents[a];
    } else {
      path.push(b);
      b = parents[b];
    }
  }
  return path;
}

const step = createTransform();
const back = createTransform();

/** X of link `to` in link `from`, along the links' parents: of the torsions between the two alone, bit by bit. */
export function writePathPose(out: Transform, conformation: ProteinState, from: number, to: number): Transform {
  const { parents } = conformation.protein;
  setIdentityTransform(out);
  setIdentityTransform(back);
  let [a, b] = [from, to];
  let isBack = false;
  while (a !== b) {
    if (a > b) {
      multiplyTransform(back, conformation.poseInParent(step, a), back);
      isBack = true;
      a = parents[a];
    } else {
      multiplyTransform(out, conformation.poseInParent(step, b), out);
      b = parents[b];
    }
  }
  return isBack ? multiplyTransform(out, invertTransform(back, back), out) : out;
}

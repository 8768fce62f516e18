/**
 * The conformation of a ProteinChain: torsion values, and the chain of links that follows them.
 *
 * Torsions are staged and applied together; the last application can be taken back exactly. Every joint is computed anew
 * from the torsion values, never from what it was, so nothing drifts and a conformation is its torsions, bit by bit.
 * The joint to the link behind a branch (a side chain) depends on every torsion on the way out of the branch: it is the
 * product of those turns, inverted.
 * Frames: see protein-chain.ts. Cost: of the underlying chain, plus a product per link of the branch for a chi angle.
 * Checked by protein-chain.test.ts.
 */

import { ChainState } from '../chain/chain-state.js';
import { requireFinite, requireFloats, requireIndex, requireInstance, throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { expSo3 } from '../math/so3.js';
import {
  createTransform,
  invertTransform,
  multiplyTransform,
  setIdentityTransform,
  type Transform,
} from '../math/transform.js';
import { wrapAngle } from '../model/joints/rotation.js';
import type { ProteinChain } from './protein-chain.js';
import { requireProtein } from './protein-chain.js';

const turn = new Float64Array(3);

export class ProteinState<T extends ChainState = ChainState> {
  /** Radians, of the last conformation applied; read only. */
  readonly torsions: Float64Array;
  /** Torsions that the last application changed: the first `changedCount` of `changed`. */
  readonly changed: Int32Array;
  changedCount = 0;
  private readonly previous: Float64Array;
  private readonly staged: Int32Array;
  private readonly values: Float64Array;
  private readonly isStaged: Uint8Array;
  private stagedCount = 0;
  /** @internal A number of its own for every conformation applied; taking back gives the former one again. */
  version = 0;
  /** @internal Of the conformation that the last application, or its taking back, came from; -1 before any. */
  previousVersion = -1;
  /** @internal Whether the last application can be taken back. */
  canUndo = false;
  private versions = 0;
  private readonly out: Transform = createTransform();
  private readonly step: Transform = createTransform();
  private readonly poses: Float64Array;

  /** `state`: any representation of `protein.chain`, untouched since it was made. */
  constructor(
    readonly protein: ProteinChain,
    readonly state: T,
  ) {
    requireProtein('createProteinState', protein);
    if (!(state instanceof ChainState))
      throwMisuse('createProteinState', 'state', state, 'what createChainTree returned');
    if (state.chain !== protein.chain) {
      throw new MisuseError("createProteinState: state, got one of another chain, expected the protein's own");
    }
    const count = protein.torsions.length;
    this.torsions = Float64Array.from(protein.torsions, ({ reference }) => reference);
    this.changed = new Int32Array(count);
    this.previous = new Float64Array(count);
    this.staged = new Int32Array(count);
    this.values = new Float64Array(count);
    this.isStaged = new Uint8Array(count);
    this.poses = new Float64Array(12 * protein.linkCount);
  }

  /** Stages a torsion's value in radians; it is kept within [-pi, pi]. */
  stage(torsion: number, value: number): void {
    requireIndex('stage', 'torsion', torsion, this.torsions.length);
    requireFinite('stage', 'value', value);
    if (!this.isStaged[torsion]) {
      this.isStaged[torsion] = 1;
      this.staged[this.stagedCount++] = torsion;
    }
    this.values[torsion] = wrapAngle(value);
  }

  /** Applies what is staged; without anything staged nothing happens, and the last application can be taken back. */
  apply(): void {
    if (this.stagedCount === 0) return;
    const { torsions, previous, changed, staged, values, isStaged, protein } = this;
    this.changedCount = this.stagedCount;
    for (let i = 0; i < this.stagedCount; i++) {
      const torsion = staged[i];
      changed[i] = torsion;
      previous[i] = torsions[torsion];
      torsions[torsion] = values[torsion];
      isStaged[torsion] = 0;
    }
    this.stagedCount = 0;
    for (let i = 0; i < this.changedCount; i++) {
      const { link, end } = protein.torsions[changed[i]];
      this.placeLink(link);
      if (end < protein.linkCount) this.placeLink(end);
    }
    this.state.apply();
    this.canUndo = true;
    this.previousVersion = this.version;
    this.version = ++this.versions;
  }

  /** Takes back the last application exactly, and forgets what is staged. False when there is none to take back. */
  undo(): boolean {
    for (let i = 0; i < this.stagedCount; i++) this.isStaged[this.staged[i]] = 0;
    this.stagedCount = 0;
    if (!this.canUndo) return false;
    // The chain may have forgotten it, as after trying moves.
    this.canUndo = false;
    if (!this.state.undo()) return false;
    for (let i = 0; i < this.changedCount; i++) this.torsions[this.changed[i]] = this.previous[i];
    [this.version, this.previousVersion] = [this.previousVersion, this.version];
    return true;
  }

  /** Positions of the chain's atoms into their places in `out` (3 per atom of the molecule), in the file's frame. O(N). */
  writePositions(out: Float64Array): Float64Array {
    requireFloats('writePositions', 'out', out, 3 * this.protein.molecule.atomCount);
    const { protein, poses } = this;
    const { atomStarts, atoms, positions, base } = protein;
    this.state.writeLinkPoses(poses);
    for (let link = 0; link < protein.linkCount; link++) {
      const X = 12 * link;
      for (let row = atomStarts[link]; row < atomStarts[link + 1]; row++) {
        const [x, y, z] = [positions[3 * row], positions[3 * row + 1], positions[3 * row + 2]];
        const at = 3 * atoms[row];
        for (let k = 0; k < 3; k++) {
          const r = X + 3 * k;
          out[at + k] = poses[r] * x + poses[r + 1] * y + poses[r + 2] * z + poses[X + 9 + k] + base[k];
        }
      }
    }
    return out;
  }

  /** Stages the joint before a link, from the torsions as they are. */
  private placeLink(link: number): void {
    const { protein, state, out, step } = this;
    const { parents, torsionOf } = protein;
    const before = link - 1;
    if (parents[link] === before) {
      // A link without a torsion behind its parent is joined by a joint that never changes.
      if (torsionOf[link] >= 0) state.stageValue(before, this.turnOf(link));
      return;
    }
    // X_{before,parent} is the inverse of the way from the parent out to `before`.
    setIdentityTransform(out);
    for (let i = before; i !== parents[link]; i = parents[i]) multiplyTransform(out, this.poseInParent(step, i), out);
    invertTransform(out, out);
    state.stageTransform(before, multiplyTransform(out, out, this.poseInParent(step, link)));
  }

  private turnOf(link: number): number {
    const torsion = this.protein.torsionOf[link];
    return torsion < 0 ? 0 : this.torsions[torsion] - this.protein.torsions[torsion].reference;
  }

  /** @internal X of a link in its parent, from the torsions as they are. */
  poseInParent(out: Transform, link: number): Transform {
    const { offsets, axes } = this.protein;
    const angle = this.turnOf(link);
    for (let k = 0; k < 3; k++) {
      turn[k] = axes[3 * link + k] * angle;
      out[9 + k] = offsets[3 * link + k];
    }
    expSo3(out, turn);
    return out;
  }
}

export function requireConformation(call: string, conformation: unknown): void {
  requireInstance(call, 'conformation', conformation, ProteinState, 'a ProteinState');
}

/** A conformation of a protein: its torsions, and the chain that follows them. `state` is what `createChainTree(protein.chain)` made. */
export function createProteinState<T extends ChainState>(protein: ProteinChain, state: T): ProteinState<T> {
  return new ProteinState(protein, state);
}

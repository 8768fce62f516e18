/**
 * What every representation of a moving chain shares: staging changes at any set of joints, applying them together,
 * undoing the last application exactly, and answering which links touch, from what changed and what was known.
 *
 * A representation (ChainTree, hash grid, brute force) adds how it keeps itself up to date and how it searches the pairs
 * of links that a changed joint separates.
 */

import { requireBytes, requireFloats, requireInstance, requireLength } from '../math/arguments.js';
import { describeValue } from '../math/known-keys.js';
import { determinantMat3, rotationError } from '../math/mat3.js';
import { MisuseError } from '../math/misuse.js';
import { normalizeQuat, quatToMat3 } from '../math/quat.js';
import { hypot } from '../math/scalar.js';
import { expSo3 } from '../math/so3.js';
import {
  copyTransformAt,
  createTransform,
  multiplyTransformAt,
  setIdentityTransform,
  TRANSFORM_STRIDE,
  type Transform,
} from '../math/transform.js';
import type { NumericArray } from '../math/vec3.js';
import { type Chain, PRISMATIC, REVOLUTE, requireChain, SPHERICAL } from './chain.js';
import { ContactMemory } from './contact-memory.js';
import { LinkPairs, requireLinkPairs } from './link-pairs.js';
import { orthonormalizeAt } from './orthonormalize.js';

/** Work done since the counts were last set to zero; benches and regressions compare these. */
export interface ChainStats {
  /** Pairs of bounding volumes tested. */
  volumeTests: number;
  /** Pairs of links tested. */
  pairTests: number;
  /** Cached transforms computed anew. */
  transformUpdates: number;
  /** Bounding volumes computed anew. */
  volumeUpdates: number;
}

/** Largest entry of R^T R - I that a rotation given from outside may have. */
const ROTATION_TOLERANCE = 1e-6;

const turn = new Float64Array(3);
const step = createTransform();
const quaternion = new Float64Array(4);

export abstract class ChainState {
  readonly chain: Chain;
  readonly stats: ChainStats = { volumeTests: 0, pairTests: 0, transformUpdates: 0, volumeUpdates: 0 };
  /** The pair that `hasContact` found; -1 when it found none. */
  contactA = -1;
  contactB = -1;

  /** @internal What is known of the contacts, and what changed since. */
  protected readonly memory: ContactMemory;
  /** Staged joints in the order staged; ascending inside `update`. */
  protected stagedJoints = new Int32Array(8);
  protected stagedCount = 0;
  /** New X_{i,i+1} of staged joint i at 12 * slotOf[i]. */
  protected stagedTransforms = new Float64Array(8 * TRANSFORM_STRIDE);
  protected readonly slotOf: Int32Array;
  private readonly motion: Transform = createTransform();
  private readonly found = new LinkPairs();
  private readonly followers: ContactMemory[] = [];
  private canUndo = false;

  protected constructor(chain: Chain) {
    requireChain(new.target.name, chain);
    this.chain = chain;
    this.memory = new ContactMemory(chain.linkCount - 1);
    this.slotOf = new Int32Array(chain.linkCount - 1).fill(-1);
  }

  /** X_{i,i+1}: pose of link i + 1 in link i. */
  abstract jointTransform(out: Transform, joint: number): Transform;
  /** X_ij: pose of link j in link i. */
  relativePose(out: Transform, i: number, j: number): Transform {
    requireFloats('relativePose', 'out', out, 12);
    this.requireLive();
    const last = this.chain.linkCount - 1;
    for (const link of [i, j]) {
      if (!(Number.isInteger(link) && link >= 0 && link <= last)) {
        throw new MisuseError(`relativePose: link, got ${describeValue(link)}, expected an integer from 0 to ${last}`);
      }
    }
    return this.writeRelativePose(out, i, j);
  }

  /** Poses of all links in the frame of link 0, 12 numbers each. O(N). */
  abstract writeLinkPoses(out: Float64Array): Float64Array;
  protected abstract writeRelativePose(out: Transform, i: number, j: number): Transform;
  /** Takes over the staged transforms of stagedJoints[0 .. stagedCount), ascending. */
  protected abstract update(): void;
  /** Exactly takes back the last `update`. */
  protected abstract revert(): void;
  /**
   * Pairs of links beyond the exclusion range that touch and that a changed joint separates: the first found into
   * contactA, contactB, or all added to `out`.
   */
  protected abstract search(out: LinkPairs | null): boolean;

  /** Takes a contact of links a < b that `search` met; whether the search is over. */
  protected keepContact(out: LinkPairs | null, a: number, b: number): boolean {
    if (out) {
      out.add(a, b);
      return false;
    }
    this.contactA = a;
    this.contactB = b;
    return true;
  }

  /** Stages the coordinate of a revolute (radians) or prismatic joint. */
  stageValue(joint: number, value: number): void {
    this.requireJoint('stageValue', joint);
    const { jointKinds, axes, origins } = this.chain;
    const kind = jointKinds[joint];
    if (kind !== REVOLUTE && kind !== PRISMATIC) {
      throw new MisuseError(
        `stageValue: joint ${joint}, got a spherical or fixed joint, expected revolute or prismatic`,
      );
    }
    if (!Number.isFinite(value))
      throw new MisuseError(`stageValue: value, got ${describeValue(value)}, expected a finite number`);
    const motion = setIdentityTransform(this.motion);
    for (let k = 0; k < 3; k++) turn[k] = axes[3 * joint + k] * value;
    if (kind === REVOLUTE) expSo3(motion, turn);
    else for (let k = 0; k < 3; k++) motion[9 + k] = turn[k];
    const at = this.stage(joint);
    multiplyTransformAt(this.stagedTransforms, at, origins, 12 * joint, motion, 0);
  }

  /** Stages the rotation [x, y, z, w] of a spherical joint. */
  stageRotation(joint: number, rotation: NumericArray): void {
    requireLength('stageRotation', 'rotation', rotation, 4);
    this.requireJoint('stageRotation', joint);
    if (this.chain.jointKinds[joint] !== SPHERICAL) {
      throw new MisuseError(`stageRotation: joint ${joint}, got another type, expected a spherical joint`);
    }
    for (let k = 0; k < 4; k++) quaternion[k] = rotation[k];
    const norm = hypot(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
    if (!(norm > 0 && norm < Infinity)) {
      throw new MisuseError(`stageRotation: rotation, got length ${norm}, expected a finite quaternion that is not 0`);
    }
    const motion = setIdentityTransform(this.motion);
    quatToMat3(motion, normalizeQuat(quaternion, quaternion));
    const at = this.stage(joint);
    multiplyTransformAt(this.stagedTransforms, at, this.chain.origins, 12 * joint, motion, 0);
  }

  /** Stages X_{i,i+1} itself, whatever the joint's type. */
  stageTransform(joint: number, X: NumericArray): void {
    this.requireJoint('stageTransform', joint);
    requireRigid('stageTransform', X);
    const at = this.stage(joint);
    copyTransformAt(this.stagedTransforms, at, X, 0);
    orthonormalizeAt(this.stagedTransforms, at);
  }

  /**
   * Stages a rigid motion after what the joint has now (or has staged): X_{i,i+1} becomes X_{i,i+1} C, the change of the
   * paper. Products pile up over many such steps, so the rotation is made orthonormal again each time.
   */
  stageMotion(joint: number, C: NumericArray): void {
    this.requireJoint('stageMotion', joint);
    requireRigid('stageMotion', C);
    this.multiplyStaged(joint, C);
  }

  private multiplyStaged(joint: number, C: NumericArray): void {
    const isStaged = this.slotOf[joint] >= 0;
    const at = this.stage(joint);
    if (!isStaged) {
      this.jointTransform(this.motion, joint);
      copyTransformAt(this.stagedTransforms, at, this.motion, 0);
    }
    multiplyTransformAt(this.stagedTransforms, at, this.stagedTransforms, at, C, 0);
    orthonormalizeAt(this.stagedTransforms, at);
  }

  /** Stages a turn by `angle` about the joint's axis, or a shift along it, from where the joint is now. */
  stageTurn(joint: number, angle: number): void {
    this.requireJoint('stageTurn', joint);
    const { jointKinds, axes } = this.chain;
    if (jointKinds[joint] !== REVOLUTE && jointKinds[joint] !== PRISMATIC) {
      throw new MisuseError(
        `stageTurn: joint ${joint}, got a spherical or fixed joint, expected revolute or prismatic`,
      );
    }
    if (!Number.isFinite(angle))
      throw new MisuseError(`stageTurn: angle, got ${describeValue(angle)}, expected a finite number`);
    const C = setIdentityTransform(step);
    for (let k = 0; k < 3; k++) turn[k] = axes[3 * joint + k] * angle;
    if (jointKinds[joint] === REVOLUTE) expSo3(C, turn);
    else for (let k = 0; k < 3; k++) C[9 + k] = turn[k];
    this.multiplyStaged(joint, C);
  }

  /** Throws once kernel memory that the representation needs was given back. */
  requireLive(): void {}

  /** Applies everything staged, together. Without anything staged nothing happens, and the last change can be undone. */
  apply(): void {
    this.requireLive();
    const count = this.stagedCount;
    if (count === 0) return;
    sortAscending(this.stagedJoints, count);
    this.update();
    this.memory.addChanges(this.stagedJoints, count);
    for (const follower of this.followers) follower.addChanges(this.stagedJoints, count);
    this.dropStaged();
    this.canUndo = true;
  }

  get hasStagedChanges(): boolean {
    return this.stagedCount > 0;
  }

  /** Forgets what was staged and not applied. */
  dropStaged(): void {
    for (let i = 0; i < this.stagedCount; i++) this.slotOf[this.stagedJoints[i]] = -1;
    this.stagedCount = 0;
  }

  /**
   * Takes back the last `apply`, bit by bit, with what was known about contacts before it; also forgets what is staged.
   * False when there is none to take back: only one step is kept.
   */
  undo(): boolean {
    this.requireLive();
    this.dropStaged();
    if (!this.canUndo) return false;
    this.revert();
    this.memory.undo();
    for (const follower of this.followers) follower.undo();
    this.canUndo = false;
    return true;
  }

  /**
   * @internal A memory of its own reference state that learns of every change and its undoing, for what is kept up to date
   * beside the contacts. Every joint counts as changed at first.
   */
  followChanges(): ContactMemory {
    this.requireLive();
    const memory = new ContactMemory(this.chain.linkCount - 1);
    this.followers.push(memory);
    return memory;
  }

  /** @internal */
  unfollowChanges(memory: ContactMemory): void {
    const at = this.followers.indexOf(memory);
    if (at >= 0) this.followers.splice(at, 1);
  }

  /**
   * Whether each of a number of moves would lead to a contact, without committing to any: entry i of `out` becomes 1 where
   * move i leads to one, 0 where it does not. Move i turns (or shifts) joints[starts[i]] .. joints[starts[i + 1] - 1] by
   * the angles at the same places, from the present state. Returns how many are free. What is staged is forgotten, and the
   * last change can no longer be taken back.
   */
  evaluateMoves(out: Uint8Array, starts: Int32Array, joints: Int32Array, angles: Float64Array): number {
    requireBytes('evaluateMoves', 'out', out);
    requireInstance('evaluateMoves', 'starts', starts, Int32Array, 'an Int32Array of first places');
    requireInstance('evaluateMoves', 'joints', joints, Int32Array, 'an Int32Array of joints');
    requireFloats('evaluateMoves', 'angles', angles);
    const count = starts.length - 1;
    if (out.length < count || joints.length < starts[count] || angles.length < starts[count]) {
      throw new MisuseError(
        `evaluateMoves: arrays, got ${out.length}, ${joints.length}, ${angles.length}, expected ${count} results and ${starts[count]} joints and angles`,
      );
    }
    this.dropStaged();
    // Every move then looks only at what it changes itself.
    this.collectContacts(this.found);
    let free = 0;
    for (let i = 0; i < count; i++) {
      for (let k = starts[i]; k < starts[i + 1]; k++) this.stageTurn(joints[k], angles[k]);
      const isChanged = this.hasStagedChanges;
      this.apply();
      const touches = this.hasContact();
      if (isChanged) this.undo();
      out[i] = touches ? 1 : 0;
      if (!touches) free++;
    }
    this.canUndo = false;
    this.contactA = -1;
    this.contactB = -1;
    return free;
  }

  /** Whether any two links beyond the exclusion range touch; the pair is in contactA, contactB. Stops at the first. */
  hasContact(): boolean {
    this.requireLive();
    const { memory } = this;
    this.contactA = -1;
    this.contactB = -1;
    const { known } = memory;
    for (let i = 0; i < known.count; i++) {
      if (memory.isCut(known.linkA(i), known.linkB(i))) continue;
      this.contactA = known.linkA(i);
      this.contactB = known.linkB(i);
      return true;
    }
    if (memory.changedCount === 0) return false;
    if (this.search(null)) return true;
    this.found.clear();
    memory.renew(this.found);
    return false;
  }

  /** All pairs of links beyond the exclusion range that touch, sorted, into `out`; returns how many. */
  collectContacts(out: LinkPairs): number {
    requireLinkPairs('collectContacts', out);
    this.requireLive();
    const { memory } = this;
    const { known } = memory;
    if (memory.changedCount === 0) {
      out.copyFrom(known);
      return out.count;
    }
    out.clear();
    for (let i = 0; i < known.count; i++) {
      if (!memory.isCut(known.linkA(i), known.linkB(i))) out.add(known.linkA(i), known.linkB(i));
    }
    this.search(out);
    out.sort();
    memory.renew(out);
    return out.count;
  }

  /** Gives kernel memory back where a representation holds any; it is of no use afterwards. */
  dispose(): void {}

  /** Slot offset of a joint's staged transform, made when it has none. */
  private stage(joint: number): number {
    if (this.slotOf[joint] < 0) {
      if (this.stagedCount === this.stagedJoints.length) this.growStaged();
      this.slotOf[joint] = this.stagedCount;
      this.stagedJoints[this.stagedCount++] = joint;
    }
    return TRANSFORM_STRIDE * this.slotOf[joint];
  }

  private growStaged(): void {
    const joints = new Int32Array(2 * this.stagedCount);
    joints.set(this.stagedJoints);
    this.stagedJoints = joints;
    const transforms = new Float64Array(2 * this.stagedTransforms.length);
    transforms.set(this.stagedTransforms);
    this.stagedTransforms = transforms;
  }

  protected requireJoint(name: string, joint: number): void {
    const last = this.chain.linkCount - 2;
    if (!(Number.isInteger(joint) && joint >= 0 && joint <= last)) {
      throw new MisuseError(`${name}: joint, got ${describeValue(joint)}, expected an integer from 0 to ${last}`);
    }
  }
}

function requireRigid(name: string, X: NumericArray): void {
  requireLength(name, 'transform', X, 12);
  const error = rotationError(X);
  if (!(Number.isFinite(X[9] + X[10] + X[11]) && error <= ROTATION_TOLERANCE))
    throw new MisuseError(
      `${name}: transform, got R R^T off by ${error}, determinant ${determinantMat3(X)}, expected a rotation`,
    );
}

/** Few entries as a rule: insertion, and the engine's sort for many. */
function sortAscending(values: Int32Array, count: number): void {
  if (count > 32) {
    values.subarray(0, count).sort();
    return;
  }
  for (let i = 1; i < count; i++) {
    const value = values[i];
    let j = i - 1;
    for (; j >= 0 && values[j] > value; j--) values[j + 1] = values[j];
    values[j + 1] = value;
  }
}

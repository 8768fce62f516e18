/**
 * The rows of one pose over a serial chain of turning and sliding joints, kinematics included: what most inverse kinematics
 * asks for, in one pass over the joints that move the frame.
 *
 * Method:
 * 1. every moving joint is turned so that it moves about or along its own z; what stands still between two of them (fixed
 *    placements, joints that may not move) is one constant rotation and shift;
 * 2. each constant rotation is split as Rz(a) Rx(b) Rz(c): the turns about z join those of the joints beside it, which leaves
 *    33 products per joint; the rotation after the last joint goes to the target;
 * 3. the z axes z_k and origins p_k are kept on the way along the chain;
 * 4. e = (Jl^-1(w) (p_T - p_F), w), w = log(R_WT R_WF^T): the logarithm of X_FT turned into world axes;
 * 5. columns (z_k x (p_F - p_k), z_k) of a turning joint, (z_k, 0) of a sliding one; a mimic joint adds to its driver's.
 * The rows are the frame's Jacobian J. The derivative of e is -Jl^-1(e) J, but Jl(e) e = e, so both give the same undamped
 * step; they differ in what the damping weighs, and J leaves out the 6x6 inverse (as many iterations on the reference
 * targets).
 * Source: Lynch, Park 2017, "Modern robotics", sections 6.2 and appendix C; Sola, Deray, Atchuthan 2018, arXiv:1812.01537,
 * section II.
 * Frames: W world, F the frame, T the target; rows in world axes at F's origin. Shapes: six numbers per entry of v. Metres, radians.
 * Cost: 45 products and a sine and cosine per joint and a logarithm per evaluation; nothing is allocated.
 * Tested by pose-chain.test.ts (against the general rows).
 */
import { atan2, sinCos, sinCosEach } from '../../math/scalar.js';
import { logSe3 } from '../../math/se3.js';
import {
  createTransform,
  invertTransform,
  multiplyTransform,
  multiplyTransformAt,
  setIdentityTransform,
} from '../../math/transform.js';
import type { Model } from '../../model/model.js';
import { writeAxesAround } from './axes-around.js';
import { readTransform, requireFrame } from './read-numbers.js';
import type { PoseTask, StepRows } from './task.js';

/**
 * Numbers per moving joint in `constants`: multiplier and offset of its coordinate, sine and cosine of a sliding joint's
 * constant turn, then the link to the next joint: shift (3), cosine, sine of the turn about x.
 */
const STRIDE = 9;
const trig = new Float64Array(2);
const axes = new Float64Array(9);
const value = new Float64Array(1);
const X = createTransform();
/** The joint frame turned so that its axis is z. */
const X_JZ = createTransform();
const X_JM = createTransform();

class PoseChain implements StepRows {
  readonly rows = 6;
  readonly error = new Float64Array(6);
  readonly columns: Float64Array;
  squaredError = 0;
  positionError = 0;
  rotationError = 0;
  /** Joints from the base to the frame, and 1 for those that move. */
  private readonly support: Int32Array;
  private readonly moves: Uint8Array;
  private readonly isRigid: boolean;
  /** Some joints share an entry of v: drivers and those that mimic them. */
  private readonly isShared: boolean;
  private isPlaced = false;
  /** Per moving joint: coordinate of q, entry of v, 1 for a turning one. */
  private readonly coordinates: Int32Array;
  private readonly entries: Int32Array;
  private readonly turns: Uint8Array;
  private readonly constants: Float64Array;
  /** Constant turn of each moving joint about its axis. */
  private readonly angles: Float64Array;
  /** Placement before the first moving joint, and of the frame behind the last one. */
  private readonly first = createTransform();
  private readonly last = createTransform();
  /** The target; its rotation is that of the last moving joint there. */
  private readonly target = createTransform();
  /** z_k and p_k of each moving joint at the last `evaluate`, and where the frame was, in world. */
  private readonly lines: Float64Array;
  private readonly origin = new Float64Array(3);
  /** R_WT R_WF^T and p_T - p_F. */
  private readonly offset = createTransform();
  /** Value of each moving joint, and its sine and cosine. */
  private readonly amounts: Float64Array;
  private readonly trigs: Float64Array;

  constructor(
    private readonly model: Model,
    private readonly task: PoseTask,
    moves: Uint8Array,
  ) {
    this.support = model.supports[model.frameJoints[task.frame]];
    this.moves = moves;
    this.isRigid = moves.every((one) => one === 1);
    const moving = this.support.filter((_, k) => moves[k] === 1);
    this.columns = new Float64Array(6 * model.nv);
    this.coordinates = moving.map((j) => model.idxQ[j]);
    this.entries = moving.map((j) => model.idxV[j]);
    this.isShared = new Set(this.entries).size < moving.length;
    this.turns = Uint8Array.from(moving, (j) => (model.jointKinds[j]!.motion === 'rotation' ? 1 : 0));
    this.constants = new Float64Array(STRIDE * moving.length);
    this.angles = new Float64Array(moving.length);
    this.lines = new Float64Array(6 * moving.length);
    this.amounts = new Float64Array(moving.length);
    this.trigs = new Float64Array(2 * moving.length);
  }

  place(start: Float64Array): void {
    const { target, last } = this;
    readTransform(target, this.task.target, 'pose: target');
    if (!this.isPlaced || !this.isRigid) this.placeConstants(start);
    this.isPlaced = true;
    // R_WT R_LF^T
    for (let r = 0; r < 9; r += 3) {
      const x = target[r];
      const y = target[r + 1];
      const z = target[r + 2];
      for (let c = 0; c < 3; c++) target[r + c] = x * last[3 * c] + y * last[3 * c + 1] + z * last[3 * c + 2];
    }
  }

  /** Multiplies out what stands still between the moving joints; X goes along the chain from one of them to the next. */
  private placeConstants(q: Float64Array): void {
    const { model, support, moves, first, last, constants, angles } = this;
    X.set(model.basePlacement);
    angles.fill(0);
    let k = 0;
    for (let i = 0; i < support.length; i++) {
      const j = support[i];
      multiplyTransformAt(X, 0, X, 0, model.placements, 12 * j);
      const isMimic = model.mimicDrivers[j] > 0;
      const multiplier = isMimic ? model.mimicMultipliers[j] : 1;
      const offset = isMimic ? model.mimicOffsets[j] : 0;
      if (moves[i] === 1) {
        writeAxesAround(axes, model.axes.subarray(3 * j, 3 * j + 3));
        for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) X_JZ[3 * r + c] = axes[3 * c + r];
        multiplyTransform(X, X, X_JZ);
        if (k === 0) first.set(X);
        else this.splitLink(k);
        invertTransform(X, X_JZ);
        constants[STRIDE * k] = multiplier;
        constants[STRIDE * k + 1] = offset;
        k++;
        continue;
      }
      value[0] = multiplier * q[model.idxQ[j]] + offset;
      setIdentityTransform(X_JM);
      model.jointKinds[j]!.place(X_JM, 0, model.axes, 3 * j, isMimic ? value : q, isMimic ? 0 : model.idxQ[j]);
      multiplyTransform(X, X, X_JM);
    }
    multiplyTransformAt(last, 0, X, 0, model.framePlacements, 12 * this.task.frame);
    if (k === 0) {
      first.set(last);
      setIdentityTransform(last);
    } else {
      const at = STRIDE * (k - 1) + 4;
      for (let i = 0; i < 3; i++) constants[at + i] = last[9 + i];
      constants[at + 3] = 1;
      constants[at + 4] = 0;
    }
    this.placeAngles();
  }

  /** X = Rz(a) [t, Rx(b)] Rz(c) before moving joint k: a turns the joint before, c joint k. */
  private splitLink(k: number): void {
    const { constants, angles } = this;
    // Its third column is (sin a sin b, -cos a sin b, cos b).
    const sine = Math.sqrt(X[2] * X[2] + X[5] * X[5]);
    const a = sine > 0 ? atan2(X[2], -X[5]) : 0;
    sinCos(trig, a);
    const [s, c] = trig;
    const at = STRIDE * (k - 1) + 4;
    constants[at] = c * X[9] + s * X[10];
    constants[at + 1] = c * X[10] - s * X[9];
    constants[at + 2] = X[11];
    constants[at + 3] = X[8];
    constants[at + 4] = sine;
    angles[k - 1] += a;
    // The first row of Rz(-a) X is (cos c, -sin c, 0).
    angles[k] = atan2(-(c * X[1] + s * X[4]), c * X[0] + s * X[3]);
  }

  private placeAngles(): void {
    const { constants, angles, turns } = this;
    for (let k = 0; k < angles.length; k++) {
      if (turns[k] === 1) constants[STRIDE * k + 1] += angles[k];
      sinCos(trig, angles[k]);
      constants[STRIDE * k + 2] = trig[0];
      constants[STRIDE * k + 3] = trig[1];
    }
  }

  evaluate(q: Float64Array): void {
    const { first, constants: C, coordinates, turns, lines, target: T, origin, offset: E, amounts, trigs } = this;
    const count = coordinates.length;
    for (let k = 0; k < count; k++) amounts[k] = C[STRIDE * k] * q[coordinates[k]] + C[STRIDE * k + 1];
    sinCosEach(trigs, amounts, count);
    let xx = first[0];
    let yx = first[1];
    let zx = first[2];
    let xy = first[3];
    let yy = first[4];
    let zy = first[5];
    let xz = first[6];
    let yz = first[7];
    let zz = first[8];
    let px = first[9];
    let py = first[10];
    let pz = first[11];
    for (let k = 0; k < count; k++) {
      const at = STRIDE * k;
      const l = 6 * k;
      lines[l] = zx;
      lines[l + 1] = zy;
      lines[l + 2] = zz;
      lines[l + 3] = px;
      lines[l + 4] = py;
      lines[l + 5] = pz;
      let s = trigs[2 * k];
      let c = trigs[2 * k + 1];
      if (turns[k] === 0) {
        const amount = amounts[k];
        s = C[at + 2];
        c = C[at + 3];
        px += amount * zx;
        py += amount * zy;
        pz += amount * zz;
      }
      const ux = c * xx + s * yx;
      const uy = c * xy + s * yy;
      const uz = c * xz + s * yz;
      const vx = c * yx - s * xx;
      const vy = c * yy - s * xy;
      const vz = c * yz - s * xz;
      const a = C[at + 4];
      const b = C[at + 5];
      const d = C[at + 6];
      px += a * ux + b * vx + d * zx;
      py += a * uy + b * vy + d * zy;
      pz += a * uz + b * vz + d * zz;
      xx = ux;
      xy = uy;
      xz = uz;
      c = C[at + 7];
      s = C[at + 8];
      yx = c * vx + s * zx;
      yy = c * vy + s * zy;
      yz = c * vz + s * zz;
      zx = c * zx - s * vx;
      zy = c * zy - s * vy;
      zz = c * zz - s * vz;
    }
    origin[0] = px;
    origin[1] = py;
    origin[2] = pz;
    for (let r = 0; r < 9; r += 3) {
      const u = T[r];
      const v = T[r + 1];
      const w = T[r + 2];
      E[r] = u * xx + v * yx + w * zx;
      E[r + 1] = u * xy + v * yy + w * zy;
      E[r + 2] = u * xz + v * yz + w * zz;
    }
    const dx = T[9] - px;
    const dy = T[10] - py;
    const dz = T[11] - pz;
    E[9] = dx;
    E[10] = dy;
    E[11] = dz;
    const e = logSe3(this.error, E);
    const angular = e[3] * e[3] + e[4] * e[4] + e[5] * e[5];
    this.positionError = Math.sqrt(dx * dx + dy * dy + dz * dz);
    this.rotationError = Math.sqrt(angular);
    this.squaredError = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + angular;
  }

  linearize(): void {
    const { columns, lines, entries, turns, constants, origin } = this;
    const count = entries.length;
    if (this.isShared) columns.fill(0);
    for (let k = 0; k < count; k++) {
      const l = 6 * k;
      const at = 6 * entries[k];
      const m = constants[STRIDE * k];
      const x = m * lines[l];
      const y = m * lines[l + 1];
      const z = m * lines[l + 2];
      const isTurn = turns[k] === 1;
      const dx = origin[0] - lines[l + 3];
      const dy = origin[1] - lines[l + 4];
      const dz = origin[2] - lines[l + 5];
      const vx = isTurn ? y * dz - z * dy : x;
      const vy = isTurn ? z * dx - x * dz : y;
      const vz = isTurn ? x * dy - y * dx : z;
      if (this.isShared) {
        columns[at] += vx;
        columns[at + 1] += vy;
        columns[at + 2] += vz;
        if (!isTurn) continue;
        columns[at + 3] += x;
        columns[at + 4] += y;
        columns[at + 5] += z;
        continue;
      }
      columns[at] = vx;
      columns[at + 1] = vy;
      columns[at + 2] = vz;
      columns[at + 3] = isTurn ? x : 0;
      columns[at + 4] = isTurn ? y : 0;
      columns[at + 5] = isTurn ? z : 0;
    }
  }
}

/** The chain of a pose task without weights; null when a joint that moves it neither turns nor slides, or not with one coordinate. */
export function createPoseChain(model: Model, task: PoseTask, free: Int32Array): PoseChain | null {
  requireFrame(model, task.frame, 'pose: frame');
  if (task.weight !== undefined || task.weights) return null;
  const support = model.supports[model.frameJoints[task.frame]];
  const moves = new Uint8Array(support.length);
  for (let k = 0; k < support.length; k++) {
    const j = support[k];
    const driver = model.mimicDrivers[j] || j;
    for (let v = model.idxV[driver]; v < model.idxV[driver] + model.nvs[driver]; v++) {
      if (free.includes(v)) moves[k] = 1;
    }
    if (moves[k] === 1 && model.jointKinds[j]!.motion === 'general') return null;
  }
  return new PoseChain(model, task, moves);
}

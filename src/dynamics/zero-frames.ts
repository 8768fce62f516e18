/**
 * Body frames in which most joints turn about a coordinate axis: those of `crba`, whose result does not depend on frames.
 *
 * Method: 1. the frame Z of a body that a turn or a shift carries has, at q = 0, the axes of its parent's; 2. the joint then turns Z
 * about its axis as the parent sees it, which for axes that stand at right angles to each other at q = 0, as most robots' do, is a
 * coordinate axis whatever turns the placements have; a shift does not turn Z at all; 3. bodies of all other joints keep the
 * joint frame, Z = M.
 * Frames: Z has M's origin. Components that differ from 0 or +-1 by rounding alone are set to them.
 * Cost: a sine and a cosine per turn. Tested by crba.test.ts and identities.test.ts.
 *
 *   array            stride  index   content
 *   turnAxes         1       joint   k: turns about axis k by the angle of `turns`, or shifts; -1: see `placements`
 *   turns            2       joint   cosine and sine
 *   placements       12      joint   Z in the parent's Z; where turnAxes is not -1 only the origin, 9..11, is kept
 *   inertias         10      joint   of the body, in Z (math/inertia.ts)
 *   subspaces        6       column  S in Z
 *   units            1       column  i where S is + or - the i-th unit vector, else -1
 *   signs            1       column  that sign
 */
import type { MotionData } from '../kinematics/motion-data.js';
import { writeSpatialInertia } from '../math/inertia.js';
import { sinCos } from '../math/scalar.js';
import { createTransform, multiplyTransformAt } from '../math/transform.js';
import { type Model, Shortcut } from '../model/model.js';

export interface ZeroFrames {
  readonly turnAxes: Int8Array;
  readonly turns: Float64Array;
  readonly placements: Float64Array;
  readonly inertias: Float64Array;
  readonly subspaces: Float64Array;
  readonly units: Int8Array;
  readonly signs: Float64Array;
  /** The joint frame at q = 0 in the parent's Z, 12 per joint. */
  readonly bases: Float64Array;
  /** Axis of a shift in the parent's Z, 3 per joint. */
  readonly shifts: Float64Array;
  /** Z's axes in M, 9 per joint. */
  readonly rotations: Float64Array;
  /** +1 or -1, of turns. */
  readonly turnSigns: Float64Array;
}

/** Rounding of a few products of rotations. */
const ROUNDING = 1e-15;

function snap(x: number): number {
  const whole = Math.round(x);
  return Math.abs(x - whole) <= ROUNDING ? whole + 0 : x;
}

/** out = A B of matrices 3 x 3 at places; transposed: A^T. */
function multiply(
  out: Float64Array,
  o: number,
  A: Float64Array,
  a: number,
  transposed: boolean,
  B: Float64Array,
  b: number,
): void {
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += A[transposed ? a + 3 * k + r : a + 3 * r + k] * B[b + 3 * k + c];
      out[o + 3 * r + c] = sum;
    }
}

/** out = T^T x. */
function turnBack(out: Float64Array, o: number, T: Float64Array, t: number, x: ArrayLike<number>, at: number): void {
  for (let c = 0; c < 3; c++) out[o + c] = T[t + c] * x[at] + T[t + 3 + c] * x[at + 1] + T[t + 6 + c] * x[at + 2];
}

export function createZeroFrames(model: Model, motion: MotionData): ZeroFrames {
  const { jointCount, parents, shortcuts, axes } = model;
  const columns = motion.columnVelocities.length;
  const Z = {
    turnAxes: new Int8Array(jointCount).fill(-1),
    turns: new Float64Array(2 * jointCount),
    placements: new Float64Array(12 * jointCount),
    inertias: new Float64Array(10 * jointCount),
    subspaces: new Float64Array(6 * columns),
    units: new Int8Array(columns).fill(-1),
    signs: new Float64Array(columns).fill(1),
    shifts: new Float64Array(3 * jointCount),
    bases: new Float64Array(12 * jointCount),
    rotations: new Float64Array(9 * jointCount),
    turnSigns: new Float64Array(jointCount).fill(1),
  };
  const T = Z.rotations;
  T.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const axis = new Float64Array(3);
  for (let j = 1; j < jointCount; j++) {
    const t = 9 * j;
    const p = 9 * parents[j];
    // At q = 0 Z has the parent's axes: T = R_PJ^T T_P.
    multiply(T, t, model.placements, 12 * j, true, T, p);
    for (let i = t; i < t + 9; i++) T[i] = snap(T[i]);
    turnBack(axis, 0, T, t, axes, 3 * j);
    for (let i = 0; i < 3; i++) axis[i] = snap(axis[i]);
    const isTurn = shortcuts[j] >= Shortcut.TurnX && shortcuts[j] <= Shortcut.Turn;
    const k = axis.findIndex((x, i) => Math.abs(x) === 1 && axis.every((y, n) => y === 0 || n === i));
    multiply(Z.bases, 12 * j, T, p, true, model.placements, 12 * j);
    turnBack(Z.bases, 12 * j + 9, T, p, model.placements, 12 * j + 9);
    Z.placements.set(Z.bases.subarray(12 * j, 12 * j + 12), 12 * j);
    if (shortcuts[j] === Shortcut.Shift) {
      Z.turnAxes[j] = 0;
      Z.turns[2 * j] = 1;
      Z.shifts.set(axis, 3 * j);
    } else if (isTurn && k >= 0) {
      Z.turnAxes[j] = k;
      Z.turnSigns[j] = axis[k];
    } else T.set([1, 0, 0, 0, 1, 0, 0, 0, 1], t);
    writeBody(Z, model, motion, j);
  }
  return Z;
}

function writeBody(Z: ZeroFrames, model: Model, motion: MotionData, j: number): void {
  const { inertias, rotations: T, subspaces: S, units, signs } = Z;
  const center = new Float64Array(3);
  const turned = new Float64Array(9);
  turnBack(center, 0, T, 9 * j, model.centersOfMass, 3 * j);
  multiply(turned, 0, T, 9 * j, true, model.inertias, 9 * j);
  const inertia = turned.slice();
  multiply(inertia, 0, turned, 0, false, T, 9 * j);
  inertias.set(writeSpatialInertia(new Float64Array(10), model.masses[j], center, inertia), 10 * j);
  for (let c = motion.columnStarts[j]; c < motion.columnStarts[j + 1]; c++) {
    for (let i = 0; i < 6; i += 3) turnBack(S, 6 * c + i, T, 9 * j, motion.columnSubspaces, 6 * c + i);
    const column = S.subarray(6 * c, 6 * c + 6);
    for (let i = 0; i < 6; i++) column[i] = snap(column[i]);
    const unit = column.findIndex((x) => Math.abs(x) === 1);
    if (unit < 0 || column.some((x, i) => x !== 0 && i !== unit)) continue;
    units[c] = unit;
    signs[c] = column[unit];
  }
}

const trig = new Float64Array(2);
const X_JM = createTransform();
const coordinate = new Float64Array(1);
const NEXT_AXIS = Uint8Array.of(1, 2, 0);
const LAST_AXIS = Uint8Array.of(2, 0, 1);
/** See kinematics/forward-kinematics.ts. */
const SMALL = 0x3fffffff;

/** Writes `turns` and `placements` for `motion.q`. */
export function placeZeroFrames(Z: ZeroFrames, model: Model, motion: MotionData): void {
  const { turnAxes, turns, placements: X, bases: B, shifts, turnSigns } = Z;
  const { jointCount, shortcuts, idxQ, mimicDrivers, mimicMultipliers, mimicOffsets } = model;
  const { q } = motion;
  for (let j = 1; j < jointCount; j++) {
    const at = (12 * j) & SMALL;
    const shortcut = shortcuts[j];
    if (shortcut === Shortcut.General || (shortcut === Shortcut.Turn && turnAxes[j] < 0)) {
      placeZeroJoint(Z, model, motion, j);
      continue;
    }
    let value = q[idxQ[j]];
    if (mimicDrivers[j] !== 0) value = mimicMultipliers[j] * value + mimicOffsets[j];
    if (shortcut === Shortcut.Shift) {
      const o = (3 * j) & SMALL;
      X[at + 9] = B[at + 9] + value * shifts[o];
      X[at + 10] = B[at + 10] + value * shifts[o + 1];
      X[at + 11] = B[at + 11] + value * shifts[o + 2];
      continue;
    }
    sinCos(trig, value);
    const s = turnSigns[j] * trig[0];
    const c = trig[1];
    if (turnAxes[j] >= 0) {
      turns[2 * j] = c;
      turns[2 * j + 1] = s;
      continue;
    }
    // About a coordinate axis of M that is none of the parent's Z: two columns mix.
    const a = at + NEXT_AXIS[shortcut - Shortcut.TurnX];
    const b = at + LAST_AXIS[shortcut - Shortcut.TurnX];
    const a0 = B[a];
    const a1 = B[a + 3];
    const a2 = B[a + 6];
    const b0 = B[b];
    const b1 = B[b + 3];
    const b2 = B[b + 6];
    X[a] = c * a0 + s * b0;
    X[a + 3] = c * a1 + s * b1;
    X[a + 6] = c * a2 + s * b2;
    X[b] = c * b0 - s * a0;
    X[b + 3] = c * b1 - s * a1;
    X[b + 6] = c * b2 - s * a2;
  }
}

/** One joint of any kind into `placements`. */
export function placeZeroJoint(Z: ZeroFrames, model: Model, motion: MotionData, j: number): void {
  const { jointKinds, axes, idxQ, mimicDrivers, mimicMultipliers, mimicOffsets } = model;
  if (mimicDrivers[j] === 0) jointKinds[j]!.place(X_JM, 0, axes, 3 * j, motion.q, idxQ[j]);
  else {
    coordinate[0] = mimicMultipliers[j] * motion.q[idxQ[j]] + mimicOffsets[j];
    jointKinds[j]!.place(X_JM, 0, axes, 3 * j, coordinate, 0);
  }
  multiplyTransformAt(Z.placements, 12 * j, Z.bases, 12 * j, X_JM, 0);
}

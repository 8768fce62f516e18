/**
 * Forward kinematics: the placement of every joint and frame in the world.
 *
 * Method: joints in order, parents first; X_WJ = X_WP X_PJ X_JM(q). Turns about a coordinate axis mix two columns of
 * X_WP X_PJ instead of a full product.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 4.5, doi:10.1007/978-1-4899-7560-7.
 * Frames: W world, P parent joint, J joint frame at q = 0, M moving frame. Writes `data.jointPlacements` (12 per joint)
 * and, by `updateFramePlacements`, `data.framePlacements` (12 per frame). Metres and radians.
 * Cost: linear in joints; nothing is allocated.
 * Fails: q of the wrong length or with a number that is not finite throws a RangeError.
 * Tested by forward-kinematics.test.ts and test/oracle/forward-kinematics.test.ts.
 */

import { sinCos } from '../math/scalar.js';
import { copyTransformAt, multiplyTransformAt } from '../math/transform.js';
import { type Data, type Model, Shortcut } from '../model/model.js';

const trig = new Float64Array(2);

/** Places every joint. Frames follow with `updateFramePlacements` or `computeFramePlacement`. */
export function forwardKinematics(model: Model, data: Data, q: ArrayLike<number>): void {
  checkConfiguration(model, q);
  const last = data.lastConfiguration;
  for (let i = 0; i < last.length; i++) last[i] = q[i];
  for (let j = 1; j < model.jointCount; j++) placeJoint(model, data, j);
  data.moved.fill(1);
}

/**
 * Places only the joints that q changes against the last call, and what hangs on them. `data.moved` tells which;
 * returns how many moved. The results have the bits `forwardKinematics` gives.
 */
export function updateKinematics(model: Model, data: Data, q: ArrayLike<number>): number {
  checkConfiguration(model, q);
  const { moved, lastConfiguration: last } = data;
  const { parents, idxQ, jointKinds } = model;
  // NaN in the first place marks a Data without results, or with a base that was moved since.
  moved[0] = last.length === 0 || Number.isNaN(last[0]) ? 1 : 0;
  let count = 0;
  for (let j = 1; j < model.jointCount; j++) {
    let changed = moved[parents[j]];
    if (changed === 0) {
      const end = idxQ[j] + (jointKinds[j]?.nq ?? 0);
      for (let i = idxQ[j]; i < end; i++) {
        if (q[i] !== last[i]) changed = 1;
      }
    }
    moved[j] = changed;
    count += changed;
  }
  for (let i = 0; i < last.length; i++) last[i] = q[i];
  for (let j = 1; j < model.jointCount; j++) {
    if (moved[j] === 1) placeJoint(model, data, j);
  }
  return count;
}

/** Places every frame from the joints' placements. */
export function updateFramePlacements(model: Model, data: Data): void {
  for (let f = 0; f < model.frameCount; f++) placeFrame(model, data, f);
}

/** Places the frames whose joint moved in the last `updateKinematics`. */
export function updateMovedFramePlacements(model: Model, data: Data): void {
  const { frameJoints, frameCount } = model;
  for (let f = 0; f < frameCount; f++) {
    if (data.moved[frameJoints[f]] === 1) placeFrame(model, data, f);
  }
}

function placeFrame(model: Model, data: Data, f: number): void {
  const from = 12 * model.frameJoints[f];
  if (model.framesAtJoint[f] === 1) {
    copyTransformAt(data.framePlacements, 12 * f, data.jointPlacements, from);
  } else {
    multiplyTransformAt(data.framePlacements, 12 * f, data.jointPlacements, from, model.framePlacements, 12 * f);
  }
}

/** X_WF of one frame, from the joints' placements. */
export function computeFramePlacement(out: Float64Array, model: Model, data: Data, frame: number): Float64Array {
  if (!(frame >= 0 && frame < model.frameCount)) {
    throw new RangeError(`computeFramePlacement: frame, got ${frame}, expected 0 to ${model.frameCount - 1}`);
  }
  const at = 12 * model.frameJoints[frame];
  multiplyTransformAt(out, 0, data.jointPlacements, at, model.framePlacements, 12 * frame);
  return out;
}

function checkConfiguration(model: Model, q: ArrayLike<number>): void {
  if (q.length !== model.nq) {
    throw new RangeError(
      `forwardKinematics: q of robot "${model.name}", got ${q.length} numbers, expected ${model.nq}`,
    );
  }
  let zero = 0;
  for (let i = 0; i < q.length; i++) zero += q[i] * 0;
  if (zero !== 0) {
    throw new RangeError(
      `forwardKinematics: q of robot "${model.name}", got [${Array.from(q)}], expected finite numbers`,
    );
  }
}

/** X_WJ of one joint from its parent's and the last configuration. */
function placeJoint(model: Model, data: Data, j: number): void {
  const out = data.jointPlacements;
  const at = 12 * j;
  const parentAt = 12 * model.parents[j];
  const placements = model.placements;
  const q = data.lastConfiguration;
  const iq = model.idxQ[j];
  const shortcut = model.shortcuts[j];
  if (shortcut === Shortcut.General) {
    const kind = model.jointKinds[j];
    if (kind === null) return;
    const X_JM = data.jointTransform;
    kind.place(X_JM, 0, model.axes, 3 * j, q, iq);
    multiplyTransformAt(out, at, out, parentAt, placements, at);
    multiplyTransformAt(out, at, out, at, X_JM, 0);
    return;
  }
  // Every other shortcut has one coordinate, and only such joints mimic.
  const value = model.mimicDrivers[j] === 0 ? q[iq] : model.mimicMultipliers[j] * q[iq] + model.mimicOffsets[j];
  if (shortcut <= Shortcut.TurnZ) {
    sinCos(trig, value);
    turnAboutCoordinate(out, at, parentAt, placements, shortcut - Shortcut.TurnX);
    return;
  }
  multiplyTransformAt(out, at, out, parentAt, placements, at);
  const x = model.axes[3 * j];
  const y = model.axes[3 * j + 1];
  const z = model.axes[3 * j + 2];
  if (shortcut === Shortcut.Shift) {
    out[at + 9] += value * (out[at] * x + out[at + 1] * y + out[at + 2] * z);
    out[at + 10] += value * (out[at + 3] * x + out[at + 4] * y + out[at + 5] * z);
    out[at + 11] += value * (out[at + 6] * x + out[at + 7] * y + out[at + 8] * z);
    return;
  }
  sinCos(trig, value);
  turnAboutAxis(out, at, x, y, z);
}

/**
 * X_WJ = X_WP (X_PJ Rot) for a turn about coordinate axis k: the turn mixes the two other columns a, b of X_PJ into
 * (c a + s b, c b - s a) before the one product with the parent.
 */
function turnAboutCoordinate(
  out: Float64Array,
  at: number,
  parentAt: number,
  placements: Float64Array,
  k: number,
): void {
  const s = trig[0];
  const c = trig[1];
  const a = k === 2 ? 0 : k + 1;
  const b = k === 0 ? 2 : k - 1;
  let u = placements[at + a];
  let v = placements[at + b];
  const a0 = c * u + s * v;
  const b0 = c * v - s * u;
  u = placements[at + 3 + a];
  v = placements[at + 3 + b];
  const a1 = c * u + s * v;
  const b1 = c * v - s * u;
  u = placements[at + 6 + a];
  v = placements[at + 6 + b];
  const a2 = c * u + s * v;
  const b2 = c * v - s * u;
  const k0 = placements[at + k];
  const k1 = placements[at + 3 + k];
  const k2 = placements[at + 6 + k];
  const x = placements[at + 9];
  const y = placements[at + 10];
  const z = placements[at + 11];
  // The three rows written out: a loop over them measured 3 to 10 % slower for the whole of forward kinematics.
  let p0 = out[parentAt];
  let p1 = out[parentAt + 1];
  let p2 = out[parentAt + 2];
  out[at + a] = p0 * a0 + p1 * a1 + p2 * a2;
  out[at + b] = p0 * b0 + p1 * b1 + p2 * b2;
  out[at + k] = p0 * k0 + p1 * k1 + p2 * k2;
  out[at + 9] = p0 * x + p1 * y + p2 * z + out[parentAt + 9];
  p0 = out[parentAt + 3];
  p1 = out[parentAt + 4];
  p2 = out[parentAt + 5];
  out[at + 3 + a] = p0 * a0 + p1 * a1 + p2 * a2;
  out[at + 3 + b] = p0 * b0 + p1 * b1 + p2 * b2;
  out[at + 3 + k] = p0 * k0 + p1 * k1 + p2 * k2;
  out[at + 10] = p0 * x + p1 * y + p2 * z + out[parentAt + 10];
  p0 = out[parentAt + 6];
  p1 = out[parentAt + 7];
  p2 = out[parentAt + 8];
  out[at + 6 + a] = p0 * a0 + p1 * a1 + p2 * a2;
  out[at + 6 + b] = p0 * b0 + p1 * b1 + p2 * b2;
  out[at + 6 + k] = p0 * k0 + p1 * k1 + p2 * k2;
  out[at + 11] = p0 * x + p1 * y + p2 * z + out[parentAt + 11];
}

/** out = out Rot(axis): Rodrigues, row by row: r' = c r + s (r x n) + (1 - c)(r . n) n. */
function turnAboutAxis(out: Float64Array, at: number, x: number, y: number, z: number): void {
  const s = trig[0];
  const c = trig[1];
  for (let i = at; i < at + 9; i += 3) {
    const r0 = out[i];
    const r1 = out[i + 1];
    const r2 = out[i + 2];
    const k = (1 - c) * (r0 * x + r1 * y + r2 * z);
    out[i] = c * r0 + s * (r1 * z - r2 * y) + k * x;
    out[i + 1] = c * r1 + s * (r2 * x - r0 * z) + k * y;
    out[i + 2] = c * r2 + s * (r0 * y - r1 * x) + k * z;
  }
}

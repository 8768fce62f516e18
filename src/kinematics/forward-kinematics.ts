/**
 * Forward kinematics: the placement of every joint and frame in the world.
 *
 * Method: joints in order, parents first; X_WJ = X_WP X_PJ X_JM(q). Turns about a coordinate axis and shifts change X_PJ in place
 * of a second product.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 4.5, doi:10.1007/978-1-4899-7560-7.
 * Frames: W world, P parent joint, J joint frame at q = 0, M moving frame. Writes `data.jointPlacements` (12 per joint)
 * and, by `updateFramePlacements`, `data.framePlacements` (12 per frame). Metres and radians.
 * Cost: linear in joints; nothing is allocated.
 * Fails: q of the wrong length or with a number that is not finite throws a RangeError.
 * Tested by forward-kinematics.test.ts and test/oracle/forward-kinematics.test.ts.
 */

import { requireIndex, requireLength } from '../math/arguments.js';
import { listValues } from '../math/known-keys.js';
import { MisuseError } from '../math/misuse.js';
import { sinCos } from '../math/scalar.js';
import { copyTransformAt, multiplyTransformAt } from '../math/transform.js';
import { type Data, type Model, Shortcut } from '../model/model.js';
import { requireCoordinates, requireModelData } from '../model/model-door.js';

const trig = new Float64Array(2);

/** Places every joint. Frames follow with `updateFramePlacements` or `computeFramePlacement`. */
export function forwardKinematics(model: Model, data: Data, q: ArrayLike<number>): void {
  requireModelData('forwardKinematics', model, data);
  checkConfiguration('forwardKinematics', model, q);
  const last = data.lastConfiguration;
  for (let i = 0; i < last.length; i++) last[i] = q[i];
  data.moved.fill(1);
  placeMovedJoints(model, data);
}

/**
 * Places only the joints that q changes against the last call, and what hangs on them. `data.moved` tells which;
 * returns how many moved. The results have the bits `forwardKinematics` gives.
 */
export function updateKinematics(model: Model, data: Data, q: ArrayLike<number>): number {
  requireModelData('updateKinematics', model, data);
  checkConfiguration('updateKinematics', model, q);
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
  placeMovedJoints(model, data);
  return count;
}

/** Places every frame from the joints' placements. */
export function updateFramePlacements(model: Model, data: Data): void {
  requireModelData('updateFramePlacements', model, data);
  for (let f = 0; f < model.frameCount; f++) placeFrame(model, data, f);
}

/** Places the frames whose joint moved in the last `updateKinematics`. */
export function updateMovedFramePlacements(model: Model, data: Data): void {
  requireModelData('updateMovedFramePlacements', model, data);
  const { frameJoints, frameCount } = model;
  const { moved } = data;
  for (let f = 0; f < frameCount; f++) {
    if (moved[frameJoints[f]] === 1) placeFrame(model, data, f);
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
  requireModelData('computeFramePlacement', model, data);
  requireLength('computeFramePlacement', 'out', out, 12);
  requireIndex('computeFramePlacement', 'frame', frame, model.frameCount);
  const at = 12 * model.frameJoints[frame];
  multiplyTransformAt(out, 0, data.jointPlacements, at, model.framePlacements, 12 * frame);
  return out;
}

function checkConfiguration(call: string, model: Model, q: ArrayLike<number>): void {
  requireCoordinates(call, 'q', model, q);
  let zero = 0;
  for (let i = 0; i < q.length; i++) zero += q[i] * 0;
  if (zero !== 0) {
    throw new MisuseError(`${call}: q of robot "${model.name}", got [${listValues(q)}], expected finite numbers`);
  }
}

/**
 * Masks an index to be known as small and not negative, so that sums with it need neither overflow checks nor sign extension
 * (measured 3 to 5 % of kinematics and dynamics). Written out in each file: only a constant of its own is folded.
 */
const SMALL = 0x3fffffff;

/**
 * X_WJ of the joints that `data.moved` names, from the last configuration. The common cases take one product, X_WP (X_PJ X_JM): a
 * turn about coordinate axis k mixes the two other columns a, b of X_PJ into (c a + s b, c b - s a), a shift moves its origin.
 */
function placeMovedJoints(model: Model, data: Data): void {
  const { jointCount, parents, placements, idxQ, shortcuts, mimicDrivers, mimicMultipliers, mimicOffsets, axes } =
    model;
  const { jointPlacements: out, lastConfiguration: q, moved } = data;
  for (let j = 1; j < jointCount; j++) {
    if (moved[j] === 0) continue;
    const shortcut = shortcuts[j];
    if (shortcut === Shortcut.General) {
      placeGeneral(model, data, j);
      continue;
    }
    // Every other shortcut has one coordinate, and only such joints mimic.
    let value = q[idxQ[j]];
    if (mimicDrivers[j] !== 0) value = mimicMultipliers[j] * value + mimicOffsets[j];
    if (shortcut === Shortcut.Turn) {
      placeTurn(model, data, j, value);
      continue;
    }
    const at = (12 * j) & SMALL;
    const from = (12 * parents[j]) & SMALL;
    const axis = shortcut === Shortcut.Shift ? 2 : (shortcut - Shortcut.TurnX) & 3;
    const k = at + axis;
    const a = at + NEXT_AXIS[axis];
    const b = at + LAST_AXIS[axis];
    let a0 = placements[a];
    let b0 = placements[b];
    let a1 = placements[a + 3];
    let b1 = placements[b + 3];
    let a2 = placements[a + 6];
    let b2 = placements[b + 6];
    const k0 = placements[k];
    const k1 = placements[k + 3];
    const k2 = placements[k + 6];
    let x = placements[at + 9];
    let y = placements[at + 10];
    let z = placements[at + 11];
    if (shortcut === Shortcut.Shift) {
      // Here a, b, k are the columns of x, y, z.
      const i = (3 * j) & SMALL;
      const dx = value * axes[i];
      const dy = value * axes[i + 1];
      const dz = value * axes[i + 2];
      x += a0 * dx + b0 * dy + k0 * dz;
      y += a1 * dx + b1 * dy + k1 * dz;
      z += a2 * dx + b2 * dy + k2 * dz;
    } else {
      sinCos(trig, value);
      const s = trig[0];
      const c = trig[1];
      let u = a0;
      a0 = c * u + s * b0;
      b0 = c * b0 - s * u;
      u = a1;
      a1 = c * u + s * b1;
      b1 = c * b1 - s * u;
      u = a2;
      a2 = c * u + s * b2;
      b2 = c * b2 - s * u;
    }
    // The three rows written out: a loop over them measured 3 to 10 % slower for the whole of forward kinematics.
    let p0 = out[from];
    let p1 = out[from + 1];
    let p2 = out[from + 2];
    out[a] = p0 * a0 + p1 * a1 + p2 * a2;
    out[b] = p0 * b0 + p1 * b1 + p2 * b2;
    out[k] = p0 * k0 + p1 * k1 + p2 * k2;
    out[at + 9] = p0 * x + p1 * y + p2 * z + out[from + 9];
    p0 = out[from + 3];
    p1 = out[from + 4];
    p2 = out[from + 5];
    out[a + 3] = p0 * a0 + p1 * a1 + p2 * a2;
    out[b + 3] = p0 * b0 + p1 * b1 + p2 * b2;
    out[k + 3] = p0 * k0 + p1 * k1 + p2 * k2;
    out[at + 10] = p0 * x + p1 * y + p2 * z + out[from + 10];
    p0 = out[from + 6];
    p1 = out[from + 7];
    p2 = out[from + 8];
    out[a + 6] = p0 * a0 + p1 * a1 + p2 * a2;
    out[b + 6] = p0 * b0 + p1 * b1 + p2 * b2;
    out[k + 6] = p0 * k0 + p1 * k1 + p2 * k2;
    out[at + 11] = p0 * x + p1 * y + p2 * z + out[from + 11];
  }
}

/** The axes that a turn about axis k mixes: (y, z), (z, x), (x, y). */
const NEXT_AXIS = Uint8Array.of(1, 2, 0);
const LAST_AXIS = Uint8Array.of(2, 0, 1);

function placeGeneral(model: Model, data: Data, j: number): void {
  const kind = model.jointKinds[j];
  if (kind === null) return;
  const { jointPlacements: out, jointTransform: X_JM } = data;
  const at = 12 * j;
  kind.place(X_JM, 0, model.axes, 3 * j, data.lastConfiguration, model.idxQ[j]);
  multiplyTransformAt(out, at, out, 12 * model.parents[j], model.placements, at);
  multiplyTransformAt(out, at, out, at, X_JM, 0);
}

/** A turn about an axis that is no coordinate axis. */
function placeTurn(model: Model, data: Data, j: number, value: number): void {
  const out = data.jointPlacements;
  const at = 12 * j;
  multiplyTransformAt(out, at, out, 12 * model.parents[j], model.placements, at);
  sinCos(trig, value);
  turnAboutAxis(out, at, model.axes[3 * j], model.axes[3 * j + 1], model.axes[3 * j + 2]);
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

/**
 * The Jacobian of all joints in one matrix: column k is the spatial velocity, in world axes at the world's origin, of everything
 * that velocity k moves, when v_k = 1 and all else rests.
 *
 * Method: each joint's motion subspace (v, w) turned and moved to the world's origin: (R v + p x R w, R w); a mimic joint adds to
 * its driver's column. The Jacobian of a frame (`computeFrameJacobian`, reference `world`) has those columns of this matrix
 * whose joints lie between the base and the frame, and zeros elsewhere; with mimic joints that split a driver's column
 * between branches only `computeFrameJacobian` answers for one frame.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 2.8 (Plucker transforms), doi:10.1007/978-1-4899-7560-7.
 *
 * Shapes: `out` is 6 x nv, row-major, rows linear x y z, angular x y z. Metres and radians.
 * Needs: `forwardKinematics` for the same q. Cost: linear in nv; nothing is allocated.
 * Tested by joint-jacobians.test.ts.
 */

import { requireFloats } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import { type Data, type Model, Shortcut } from '../model/model.js';
import { requireModelData } from '../model/model-door.js';

/** See forward-kinematics.ts. */
const SMALL = 0x3fffffff;

export function computeJointJacobians(out: Float64Array, model: Model, data: Data): Float64Array {
  requireModelData('computeJointJacobians', model, data);
  requireFloats('computeJointJacobians', 'out', out);
  const { nv, jointCount, idxV, nvs, mimicDrivers, motionSubspaces, mimicSubspaces, shortcuts } = model;
  if (out.length !== 6 * nv) {
    throw new MisuseError(`computeJointJacobians: out, got ${out.length} numbers, expected 6 x ${nv}`);
  }
  const X = data.jointPlacements;
  let hasMimic = false;
  for (let j = 1; j < jointCount; j++) {
    if (mimicDrivers[j] > 0) {
      hasMimic = true;
      continue;
    }
    const first = idxV[j];
    const shortcut = shortcuts[j];
    if (shortcut >= Shortcut.TurnX && shortcut <= Shortcut.TurnZ) {
      // A turn about a coordinate axis: a column of R, through the joint's origin.
      const at = (12 * j) & SMALL;
      const axis = at + ((shortcut - Shortcut.TurnX) & 3);
      const wx = X[axis];
      const wy = X[axis + 3];
      const wz = X[axis + 6];
      const px = X[at + 9];
      const py = X[at + 10];
      const pz = X[at + 11];
      let k = first & SMALL;
      out[k] = py * wz - pz * wy;
      k = (k + nv) & SMALL;
      out[k] = pz * wx - px * wz;
      k = (k + nv) & SMALL;
      out[k] = px * wy - py * wx;
      k = (k + nv) & SMALL;
      out[k] = wx;
      k = (k + nv) & SMALL;
      out[k] = wy;
      out[(k + nv) & SMALL] = wz;
      continue;
    }
    if (shortcut === Shortcut.Shift) {
      const at = (12 * j) & SMALL;
      const s = (6 * first) & SMALL;
      for (let r = 0; r < 3; r++) {
        const row = at + 3 * r;
        out[r * nv + first] =
          X[row] * motionSubspaces[s] + X[row + 1] * motionSubspaces[s + 1] + X[row + 2] * motionSubspaces[s + 2];
        out[(r + 3) * nv + first] = 0;
      }
      continue;
    }
    const end = first + nvs[j];
    for (let k = first; k < end; k++) {
      for (let r = 0; r < 6; r++) out[r * nv + k] = 0;
      addColumn(out, nv, k, X, 12 * j, motionSubspaces, 6 * k);
    }
  }
  if (hasMimic) {
    for (let j = 1; j < jointCount; j++) {
      if (mimicDrivers[j] > 0) addColumn(out, nv, idxV[j], X, 12 * j, mimicSubspaces, 6 * j);
    }
  }
  return out;
}

function addColumn(
  out: Float64Array,
  nv: number,
  column: number,
  X: Float64Array,
  at: number,
  S: Float64Array,
  s: number,
): void {
  const wx = X[at] * S[s + 3] + X[at + 1] * S[s + 4] + X[at + 2] * S[s + 5];
  const wy = X[at + 3] * S[s + 3] + X[at + 4] * S[s + 4] + X[at + 5] * S[s + 5];
  const wz = X[at + 6] * S[s + 3] + X[at + 7] * S[s + 4] + X[at + 8] * S[s + 5];
  const vx = X[at] * S[s] + X[at + 1] * S[s + 1] + X[at + 2] * S[s + 2];
  const vy = X[at + 3] * S[s] + X[at + 4] * S[s + 1] + X[at + 5] * S[s + 2];
  const vz = X[at + 6] * S[s] + X[at + 7] * S[s + 1] + X[at + 8] * S[s + 2];
  const px = X[at + 9];
  const py = X[at + 10];
  const pz = X[at + 11];
  out[column] += vx + py * wz - pz * wy;
  out[nv + column] += vy + pz * wx - px * wz;
  out[2 * nv + column] += vz + px * wy - py * wx;
  out[3 * nv + column] += wx;
  out[4 * nv + column] += wy;
  out[5 * nv + column] += wz;
}

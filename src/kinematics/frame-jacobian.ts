/**
 * The Jacobian of a frame: how its spatial velocity follows from joint velocities, V = J v.
 *
 * Method: each joint on the way from the base to the frame adds its motion subspace, turned into world axes and shifted to
 * the reference point; a mimic joint adds to its driver's column, scaled by its multiplier; all other columns are zero.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", section 2.8 (Plucker transforms), section 4.3,
 * doi:10.1007/978-1-4899-7560-7.
 *
 * Shapes: `out` is 6 x nv, row-major, rows linear x y z, angular x y z. Metres and radians.
 * Reference: `world` = world axes, velocity of the body point at the world origin; `local` = frame axes, at the frame's
 * origin; `local-world-aligned` = world axes, at the frame's origin (the one for "move the tool along world x").
 * Needs: `forwardKinematics` for the same q. Cost: linear in nv; nothing is allocated.
 * Tested by forward-kinematics.test.ts (finite differences) and test/oracle/forward-kinematics.test.ts.
 */

import { requireFloats, requireIndex, requireOneOf } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Data, Model } from '../model/model.js';
import { requireModelData } from '../model/model-door.js';

export type JacobianReference = 'world' | 'local' | 'local-world-aligned';

export const REFERENCES: readonly JacobianReference[] = ['world', 'local', 'local-world-aligned'];

export function computeFrameJacobian(
  out: Float64Array,
  model: Model,
  data: Data,
  frame: number,
  reference: JacobianReference,
): Float64Array {
  requireModelData('computeFrameJacobian', model, data);
  requireFloats('computeFrameJacobian', 'out', out);
  requireIndex('computeFrameJacobian', 'frame', frame, model.frameCount);
  requireOneOf('computeFrameJacobian', 'reference', reference, REFERENCES);
  const { nv, idxV, nvs, mimicDrivers } = model;
  if (out.length !== 6 * nv) {
    throw new MisuseError(`computeFrameJacobian: out, got ${out.length} numbers, expected 6 x ${nv}`);
  }
  out.fill(0);
  placeReference(model, data, frame, reference);
  const support = model.supports[model.frameJoints[frame]];
  for (let i = 0; i < support.length; i++) {
    const j = support[i];
    if (mimicDrivers[j] > 0) {
      turnSubspace(data.jointPlacements, 12 * j, model.mimicSubspaces, 6 * j);
      addColumn(out, nv, idxV[j]);
    } else {
      const end = idxV[j] + nvs[j];
      for (let k = idxV[j]; k < end; k++) {
        turnSubspace(data.jointPlacements, 12 * j, model.motionSubspaces, 6 * k);
        addColumn(out, nv, k);
      }
    }
  }
  return out;
}

/** R_AW of the axes A in which columns are written (row-major), and the reference point in world. */
const axes = new Float64Array(9);
const point = new Float64Array(3);

function placeReference(model: Model, data: Data, frame: number, reference: JacobianReference): void {
  axes.fill(0);
  point.fill(0);
  axes[0] = 1;
  axes[4] = 1;
  axes[8] = 1;
  if (reference === 'world') return;
  const X = data.jointPlacements;
  const at = 12 * model.frameJoints[frame];
  const F = model.framePlacements;
  const f = 12 * frame;
  for (let r = 0; r < 3; r++) {
    const a = X[at + 3 * r];
    const b = X[at + 3 * r + 1];
    const c = X[at + 3 * r + 2];
    point[r] = a * F[f + 9] + b * F[f + 10] + c * F[f + 11] + X[at + 9 + r];
    if (reference === 'local') {
      for (let col = 0; col < 3; col++) axes[3 * col + r] = a * F[f + col] + b * F[f + 3 + col] + c * F[f + 6 + col];
    }
  }
}

/** Spatial velocity of one subspace column, world axes, at the reference point. */
const motion = new Float64Array(6);

function turnSubspace(X: Float64Array, at: number, S: Float64Array, s: number): void {
  const x = X[at] * S[s + 3] + X[at + 1] * S[s + 4] + X[at + 2] * S[s + 5];
  const y = X[at + 3] * S[s + 3] + X[at + 4] * S[s + 4] + X[at + 5] * S[s + 5];
  const z = X[at + 6] * S[s + 3] + X[at + 7] * S[s + 4] + X[at + 8] * S[s + 5];
  const dx = point[0] - X[at + 9];
  const dy = point[1] - X[at + 10];
  const dz = point[2] - X[at + 11];
  motion[0] = X[at] * S[s] + X[at + 1] * S[s + 1] + X[at + 2] * S[s + 2] + y * dz - z * dy;
  motion[1] = X[at + 3] * S[s] + X[at + 4] * S[s + 1] + X[at + 5] * S[s + 2] + z * dx - x * dz;
  motion[2] = X[at + 6] * S[s] + X[at + 7] * S[s + 1] + X[at + 8] * S[s + 2] + x * dy - y * dx;
  motion[3] = x;
  motion[4] = y;
  motion[5] = z;
}

function addColumn(out: Float64Array, nv: number, column: number): void {
  for (let r = 0; r < 3; r++) {
    const a = axes[3 * r];
    const b = axes[3 * r + 1];
    const c = axes[3 * r + 2];
    out[r * nv + column] += a * motion[0] + b * motion[1] + c * motion[2];
    out[(r + 3) * nv + column] += a * motion[3] + b * motion[4] + c * motion[5];
  }
}

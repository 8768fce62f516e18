/**
 * How a frame's velocity, its acceleration and the torques of a force on it change with q and v, in closed form.
 *
 * Everything is in world axes at the frame's origin ("local-world-aligned"). With the column J of a joint, the motions V, A of
 * its parent (p), of the joint itself (j) and of the frame (f), and spatial cross products:
 *   along q    d V = V_p x J                                  as seen from the frame
 *              d A = A_p x J + (V_p x J) x V_f + V_p x (V_p x J)
 *   with v     d A = (V_p + V_j) x J + J x V_f
 * The classical acceleration adds w x v; world axes add (turn of the frame) x what turns with it. The torque J_d^T f of a force that
 * stays as it is in world axes changes along column c by f . (w_c x v_d), [f_angular . (w_c x w_d)] where c moves d, and by
 * f . (w_d x v_c) where d moves c.
 * Source: Carpentier, Mansard 2018, "Analytical derivatives of rigid body dynamics algorithms", section IV,
 * doi:10.15607/RSS.2018.XIV.038; Featherstone 2008, chapter 2, doi:10.1007/978-1-4899-7560-7.
 * Shapes: derivatives rows x nv, row-major, rows 6 [linear, angular] or the first 3. Needs: `forwardKinematics` and `computeMotion`
 * at (q, v, a). Cost: columns of the frame's joints (squared for forces). Allocates nothing after `createFrameDerivatives`.
 * Tested by constrained-derivatives.test.ts (differences).
 */

import type { DynamicsData } from '../../dynamics/dynamics-data.js';
import { computeFramePlacement } from '../../kinematics/forward-kinematics.js';
import type { Model } from '../../model/model.js';

export interface FrameDerivatives {
  /** 6 x nv each: of the velocity by q and v (its Jacobian), of the classical acceleration by q and v. */
  readonly velocityDq: Float64Array;
  readonly velocityDv: Float64Array;
  readonly accelerationDq: Float64Array;
  readonly accelerationDv: Float64Array;
  /** 6 each: of the frame. */
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  readonly columns: Float64Array;
}

export function createFrameDerivatives(model: Model, data: DynamicsData): FrameDerivatives {
  const rows = () => new Float64Array(6 * model.nv);
  return {
    velocityDq: rows(),
    velocityDv: rows(),
    accelerationDq: rows(),
    accelerationDv: rows(),
    velocity: new Float64Array(6),
    acceleration: new Float64Array(6),
    columns: new Float64Array(data.columnSubspaces.length),
  };
}

const X_WF = new Float64Array(12);
const column = new Float64Array(6);
const parentV = new Float64Array(6);
const parentA = new Float64Array(6);
const ownV = new Float64Array(6);
const dV = new Float64Array(6);
const dA = new Float64Array(6);
const term = new Float64Array(6);
const spatial = new Float64Array(6);

/** out = a x b of motions at one point. */
function cross(out: Float64Array, a: Float64Array, b: Float64Array): Float64Array {
  const [x, y, z, p, q, r] = a;
  const [u, v, w, f, g, h] = b;
  out[0] = q * w - r * v + y * h - z * g;
  out[1] = r * u - p * w + z * f - x * h;
  out[2] = p * v - q * u + x * g - y * f;
  out[3] = q * h - r * g;
  out[4] = r * f - p * h;
  out[5] = p * g - q * f;
  return out;
}

/** A motion of joint j's frame in world axes at the frame's origin. */
function place(out: Float64Array, X: Float64Array, j: number, motions: Float64Array, at: number): Float64Array {
  const x = 12 * j;
  for (let r = 0; r < 3; r++) {
    const k = x + 3 * r;
    out[r] = X[k] * motions[at] + X[k + 1] * motions[at + 1] + X[k + 2] * motions[at + 2];
    out[3 + r] = X[k] * motions[at + 3] + X[k + 1] * motions[at + 4] + X[k + 2] * motions[at + 5];
  }
  const [dx, dy, dz] = [X_WF[9] - X[x + 9], X_WF[10] - X[x + 10], X_WF[11] - X[x + 11]];
  out[0] += out[4] * dz - out[5] * dy;
  out[1] += out[5] * dx - out[3] * dz;
  out[2] += out[3] * dy - out[4] * dx;
  return out;
}

export function updateFrameDerivatives(
  out: FrameDerivatives,
  model: Model,
  data: DynamicsData,
  frame: number,
): FrameDerivatives {
  const { velocityDq, velocityDv, accelerationDq, accelerationDv, velocity, acceleration } = out;
  const { columnStarts, columnSubspaces, columnVelocities, velocities, accelerations } = data;
  const { nv, parents } = model;
  const X = data.kinematics.jointPlacements;
  for (const matrix of [velocityDq, velocityDv, accelerationDq, accelerationDv]) matrix.fill(0);
  computeFramePlacement(X_WF, model, data.kinematics, frame);
  const carrier = model.frameJoints[frame];
  place(velocity, X, carrier, velocities, 6 * carrier);
  place(spatial, X, carrier, accelerations, 6 * carrier);
  acceleration.set(spatial);
  addTurning(acceleration, velocity, velocity, 0.5);
  for (const j of model.supports[carrier]) {
    place(parentV, X, parents[j], velocities, 6 * parents[j]);
    place(parentA, X, parents[j], accelerations, 6 * parents[j]);
    place(ownV, X, j, velocities, 6 * j);
    for (let c = columnStarts[j]; c < columnStarts[j + 1]; c++) {
      const at = columnVelocities[c];
      place(column, X, j, columnSubspaces, 6 * c);
      out.columns.set(column, 6 * c);
      cross(dV, parentV, column);
      cross(dA, parentA, column);
      cross(term, dV, velocity);
      for (let i = 0; i < 6; i++) dA[i] += term[i];
      cross(term, parentV, dV);
      for (let i = 0; i < 6; i++) dA[i] += term[i];
      addTurning(dA, dV, velocity, 1);
      addWorldTurn(dV, column, velocity);
      addWorldTurn(dA, column, acceleration);
      for (let i = 0; i < 6; i++) {
        velocityDq[i * nv + at] += dV[i];
        velocityDv[i * nv + at] += column[i];
        accelerationDq[i * nv + at] += dA[i];
      }
      for (let i = 0; i < 6; i++) ownV[i] += parentV[i];
      cross(dA, ownV, column);
      for (let i = 0; i < 6; i++) ownV[i] -= parentV[i];
      cross(term, column, velocity);
      for (let i = 0; i < 6; i++) dA[i] += term[i];
      addTurning(dA, column, velocity, 1);
      for (let i = 0; i < 6; i++) accelerationDv[i * nv + at] += dA[i];
    }
  }
  return out;
}

/** Adds scale (dw x v + w x dv) to the linear part: what the classical acceleration has more than the spatial one. */
function addTurning(out: Float64Array, d: Float64Array, V: Float64Array, scale: number): void {
  out[0] += scale * (d[4] * V[2] - d[5] * V[1] + V[4] * d[2] - V[5] * d[1]);
  out[1] += scale * (d[5] * V[0] - d[3] * V[2] + V[5] * d[0] - V[3] * d[2]);
  out[2] += scale * (d[3] * V[1] - d[4] * V[0] + V[3] * d[1] - V[4] * d[0]);
}

/** Adds w x linear and w x angular, w the turn of a column. */
function addWorldTurn(out: Float64Array, J: Float64Array, value: Float64Array): void {
  for (const k of [0, 3]) {
    out[k] += J[4] * value[k + 2] - J[5] * value[k + 1];
    out[k + 1] += J[5] * value[k] - J[3] * value[k + 2];
    out[k + 2] += J[3] * value[k + 1] - J[4] * value[k];
  }
}

/**
 * Adds scale d (J^T f) / d q to `out`, nv x nv, for the force f [force, moment] in world axes at the frame's origin. Needs
 * `updateFrameDerivatives` of the frame.
 */
export function addForceDerivative(
  out: Float64Array,
  { columns: J }: FrameDerivatives,
  model: Model,
  data: DynamicsData,
  { frame, force: f, scale }: { readonly frame: number; readonly force: ArrayLike<number>; readonly scale: number },
): void {
  const { columnStarts, columnVelocities } = data;
  const { nv } = model;
  const support = model.supports[model.frameJoints[frame]];
  for (const [place, j] of support.entries()) {
    for (let c = columnStarts[j]; c < columnStarts[j + 1]; c++) {
      const p = 6 * c;
      for (const [other, k] of support.entries()) {
        // Along c: columns d of this joint and of those beyond turn with it; those before only see the frame move.
        for (let d = columnStarts[k]; d < columnStarts[k + 1]; d++) {
          const r = 6 * d;
          const [w, v] = other >= place ? [p, r] : [r, p];
          let sum =
            f[0] * (J[w + 4] * J[v + 2] - J[w + 5] * J[v + 1]) +
            f[1] * (J[w + 5] * J[v] - J[w + 3] * J[v + 2]) +
            f[2] * (J[w + 3] * J[v + 1] - J[w + 4] * J[v]);
          if (other >= place && f.length > 3) {
            sum +=
              f[3] * (J[p + 4] * J[r + 5] - J[p + 5] * J[r + 4]) +
              f[4] * (J[p + 5] * J[r + 3] - J[p + 3] * J[r + 5]) +
              f[5] * (J[p + 3] * J[r + 4] - J[p + 4] * J[r + 3]);
          }
          out[columnVelocities[d] * nv + columnVelocities[c]] += scale * sum;
        }
      }
    }
  }
}

/**
 * Inverse dynamics by the recursive Newton-Euler algorithm (RNEA): the torques that produce given accelerations,
 * tau = M(q) a + C(q, v) v + g(q) - sum J^T f, armature and joint friction added.
 *
 * Method: 1. outward, angular velocity w, angular acceleration and the classical acceleration a of each joint's origin, gravity
 * as an upward acceleration of the base; a point r of the body accelerates with a + Psi r, Psi = [alpha] + [w]^2, so linear
 * velocities are not needed:
 *   a_M = R^T (a_P + Psi_P p) + (R^T w_P + w) x v_J + dv_J,   v_J and dv_J the linear parts of S v and S a
 * 2. the force each body needs, f = m a + Psi h and n = h x a + (off-diagonal differences of Psi Sigma), with the first moment h
 * and the second moments Sigma about the origin; 3. inward, tau = S^T f and the parent takes f over.
 * Source: Luh, Walker, Paul 1980, "On-line computational scheme for mechanical manipulators", doi:10.1115/1.3149599;
 * Balafoutis, Patel, Misra 1988, "Efficient modeling and computation of manipulator dynamics using orthogonal Cartesian
 * tensors" (Psi and Sigma); joints with linear motion are worked out here.
 * Frames: everything in the moving joint frames. External forces: 6 per joint, [force, moment] that act on body j, in joint
 * frame j at its origin; the base's six are not read. N, N m.
 * Writes the torques, and `data.forces`, the force each joint transmits; velocities and accelerations as 6-D vectors come from
 * `computeMotion`.
 * Cost: linear in joints, no allocation. Tested by crba.test.ts, identities.test.ts, test/oracle/dynamics.test.ts.
 */

import { loadNumbers } from '../kinematics/motion-data.js';
import { updateRelativePlacements } from '../kinematics/relative-placements.js';
import { throwMisuse } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Model } from '../model/model.js';
import { type DynamicsData, requireDynamics, setBaseAcceleration } from './dynamics-data.js';
import { addJointFriction } from './joint-friction.js';
import { openRecursions, runRneaByKernel } from './recursions.js';

/** See kinematics/forward-kinematics.ts. */
const SMALL = 0x3fffffff;

/** Torques for accelerations a at (q, v), under gravity and external forces: `data.tau`. */
export function rnea(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  a: ArrayLike<number>,
  externalForces: ArrayLike<number> | null = null,
): Float64Array {
  requireDynamics('rnea', model, data);
  loadNumbers(data.q, q, 'rnea: q');
  loadNumbers(data.v, v, 'rnea: v');
  loadNumbers(data.a, a, 'rnea: a');
  computeTorques(model, data, data.tau, externalForces);
  return data.tau;
}

/** C(q, v) v + g(q) and joint friction, the torques at zero acceleration: `data.nonlinearEffects`. */
export function computeNonlinearEffects(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
): Float64Array {
  requireDynamics('computeNonlinearEffects', model, data);
  loadNumbers(data.q, q, 'computeNonlinearEffects: q');
  loadNumbers(data.v, v, 'computeNonlinearEffects: v');
  data.a.fill(0);
  computeTorques(model, data, data.nonlinearEffects, null);
  return data.nonlinearEffects;
}

/** Torques from `data.q`, `v`, `a` under gravity into `out`. */
export function computeTorques(
  model: Model,
  data: DynamicsData,
  out: Float64Array,
  externalForces: ArrayLike<number> | null,
): void {
  setBaseAcceleration(data, true);
  const block = externalForces === null ? openRecursions(model, data) : null;
  if (block !== null && runRneaByKernel(block, model, data, out)) return;
  updateRelativePlacements(model, data);
  runRnea(model, data, out, externalForces);
}

/** Torques from `data.q`, `v`, `a`, the relative placements and the base's acceleration into `out`. */
export function runRnea(
  model: Model,
  data: DynamicsData,
  out: Float64Array,
  externalForces: ArrayLike<number> | null,
): void {
  computeBodyForces(model, data);
  if (externalForces !== null) subtractExternalForces(model, data, externalForces);
  collectTorques(model, data, out);
}

/** Motion of every body and the force it needs; with vectors it reads as in readable-twins.test.ts, which checks it. */
function computeBodyForces(model: Model, data: DynamicsData): void {
  const { relativePlacements: X, bodyMotions: B, forces: F, accelerations, jointUnits, bodyMoments: N, v, a } = data;
  const { parents, jointCount, idxV } = model;
  B.fill(0, 0, 18);
  for (let i = 0; i < 3; i++) B[6 + i] = accelerations[i];
  for (let j = 1; j < jointCount; j++) {
    const x = (12 * j) & SMALL;
    const p = (18 * parents[j]) & SMALL;
    const r0 = X[x];
    const r1 = X[x + 1];
    const r2 = X[x + 2];
    const r3 = X[x + 3];
    const r4 = X[x + 4];
    const r5 = X[x + 5];
    const r6 = X[x + 6];
    const r7 = X[x + 7];
    const r8 = X[x + 8];
    const px = X[x + 9];
    const py = X[x + 10];
    const pz = X[x + 11];
    // The parent's motion at this origin, in this joint's axes: t and e its angular parts.
    let gx = B[p];
    let gy = B[p + 1];
    let gz = B[p + 2];
    const tx = r0 * gx + r3 * gy + r6 * gz;
    const ty = r1 * gx + r4 * gy + r7 * gz;
    const tz = r2 * gx + r5 * gy + r8 * gz;
    gx = B[p + 3];
    gy = B[p + 4];
    gz = B[p + 5];
    let ex = r0 * gx + r3 * gy + r6 * gz;
    let ey = r1 * gx + r4 * gy + r7 * gz;
    let ez = r2 * gx + r5 * gy + r8 * gz;
    gx = B[p + 6] + B[p + 9] * px + B[p + 10] * py + B[p + 11] * pz;
    gy = B[p + 7] + B[p + 12] * px + B[p + 13] * py + B[p + 14] * pz;
    gz = B[p + 8] + B[p + 15] * px + B[p + 16] * py + B[p + 17] * pz;
    let ax = r0 * gx + r3 * gy + r6 * gz;
    let ay = r1 * gx + r4 * gy + r7 * gz;
    let az = r2 * gx + r5 * gy + r8 * gz;
    let wx = tx;
    let wy = ty;
    let wz = tz;
    const unit = jointUnits[j];
    if (unit >= 0) {
      const rate = v[idxV[j]];
      const gain = a[idxV[j]];
      if (unit === 5) {
        wz += rate;
        ex += ty * rate;
        ey -= tx * rate;
        ez += gain;
      } else if (unit === 4) {
        wy += rate;
        ex -= tz * rate;
        ey += gain;
        ez += tx * rate;
      } else if (unit === 3) {
        wx += rate;
        ex += gain;
        ey += tz * rate;
        ez -= ty * rate;
      } else if (unit === 2) {
        ax += 2 * ty * rate;
        ay -= 2 * tx * rate;
        az += gain;
      } else if (unit === 1) {
        ax -= 2 * tz * rate;
        ay += gain;
        az += 2 * tx * rate;
      } else {
        ax += gain;
        ay += 2 * tz * rate;
        az -= 2 * ty * rate;
      }
    } else {
      sumColumns(data, j);
      const jx = summed[3];
      const jy = summed[4];
      const jz = summed[5];
      ex += ty * jz - tz * jy + summed[9];
      ey += tz * jx - tx * jz + summed[10];
      ez += tx * jy - ty * jx + summed[11];
      wx += jx;
      wy += jy;
      wz += jz;
      const lx = summed[0];
      const ly = summed[1];
      const lz = summed[2];
      const sx = tx + wx;
      const sy = ty + wy;
      const sz = tz + wz;
      ax += sy * lz - sz * ly + summed[6];
      ay += sz * lx - sx * lz + summed[7];
      az += sx * ly - sy * lx + summed[8];
    }
    const o = (18 * j) & SMALL;
    B[o] = wx;
    B[o + 1] = wy;
    B[o + 2] = wz;
    B[o + 3] = ex;
    B[o + 4] = ey;
    B[o + 5] = ez;
    B[o + 6] = ax;
    B[o + 7] = ay;
    B[o + 8] = az;
    const xx = wx * wx;
    const yy = wy * wy;
    const zz = wz * wz;
    const xy = wx * wy;
    const xz = wx * wz;
    const yz = wy * wz;
    const t0 = -yy - zz;
    const t1 = xy - ez;
    const t2 = xz + ey;
    const t3 = xy + ez;
    const t4 = -xx - zz;
    const t5 = yz - ex;
    const t6 = xz - ey;
    const t7 = yz + ex;
    const t8 = -xx - yy;
    B[o + 9] = t0;
    B[o + 10] = t1;
    B[o + 11] = t2;
    B[o + 12] = t3;
    B[o + 13] = t4;
    B[o + 14] = t5;
    B[o + 15] = t6;
    B[o + 16] = t7;
    B[o + 17] = t8;
    const i = (10 * j) & SMALL;
    const m = N[i];
    const hx = N[i + 1];
    const hy = N[i + 2];
    const hz = N[i + 3];
    const nxx = N[i + 4];
    const nxy = N[i + 5];
    const nxz = N[i + 6];
    const nyy = N[i + 7];
    const nyz = N[i + 8];
    const nzz = N[i + 9];
    const n = (6 * j) & SMALL;
    F[n] = m * ax + t0 * hx + t1 * hy + t2 * hz;
    F[n + 1] = m * ay + t3 * hx + t4 * hy + t5 * hz;
    F[n + 2] = m * az + t6 * hx + t7 * hy + t8 * hz;
    F[n + 3] = hy * az - hz * ay + t6 * nxy + t7 * nyy - t5 * nzz - t3 * nxz + (zz - yy) * nyz;
    F[n + 4] = hz * ax - hx * az + t1 * nyz + t2 * nzz - t6 * nxx - t7 * nxy + (xx - zz) * nxz;
    F[n + 5] = hx * ay - hy * ax + t3 * nxx + t5 * nxz - t1 * nyy - t2 * nyz + (yy - xx) * nxy;
  }
}

/** S v and S a of a joint, linear parts first. */
const summed = new Float64Array(12);

function sumColumns(data: DynamicsData, j: number): void {
  const { columnStarts, columnSubspaces: S, columnVelocities, v, a } = data;
  const first = columnStarts[j];
  let rate = v[columnVelocities[first]];
  let gain = a[columnVelocities[first]];
  for (let i = 0, s = 6 * first; i < 6; i++, s++) {
    summed[i] = S[s] * rate;
    summed[6 + i] = S[s] * gain;
  }
  const end = columnStarts[j + 1];
  for (let c = first + 1; c < end; c++) {
    rate = v[columnVelocities[c]];
    gain = a[columnVelocities[c]];
    for (let i = 0, s = 6 * c; i < 6; i++, s++) {
      summed[i] += S[s] * rate;
      summed[6 + i] += S[s] * gain;
    }
  }
}

/** Takes the forces that act from outside off those the joints must provide. */
function subtractExternalForces(model: Model, data: DynamicsData, externalForces: ArrayLike<number>): void {
  checkExternalForces(model, externalForces);
  for (let i = 6; i < 6 * model.jointCount; i++) data.forces[i] -= externalForces[i];
}

export function checkExternalForces(model: Model, externalForces: ArrayLike<number>): void {
  const n = 6 * model.jointCount;
  if (typeof externalForces !== 'object' || externalForces?.length !== n)
    throwMisuse('dynamics', 'externalForces', externalForces, `${n} numbers (6 per joint)`);
  let zero = 0;
  for (let i = 6; i < n; i++) zero += externalForces[i] * 0;
  if (zero !== 0)
    throw new MisuseError('dynamics: externalForces, got a number that is not finite, expected finite numbers');
}

/** tau = S^T f, inward; leaves in `data.forces` the force each joint transmits. */
function collectTorques(model: Model, data: DynamicsData, out: Float64Array): void {
  const { relativePlacements: X, forces: F, columnStarts, columnSubspaces: S, columnVelocities, jointUnits } = data;
  const { armature, a } = data;
  const { parents, idxV } = model;
  for (let k = 0; k < out.length; k++) out[k] = armature[k] * a[k];
  addJointFriction(out, data, 1);
  for (let j = model.jointCount - 1; j > 0; j--) {
    const k = (6 * j) & SMALL;
    const fx = F[k];
    const fy = F[k + 1];
    const fz = F[k + 2];
    const nx = F[k + 3];
    const ny = F[k + 4];
    const nz = F[k + 5];
    const unit = jointUnits[j];
    if (unit >= 0) {
      out[idxV[j]] += F[k + (unit & 7)];
    } else {
      const end = columnStarts[j + 1];
      for (let c = columnStarts[j]; c < end; c++) {
        const s = 6 * c;
        out[columnVelocities[c]] +=
          S[s] * fx + S[s + 1] * fy + S[s + 2] * fz + S[s + 3] * nx + S[s + 4] * ny + S[s + 5] * nz;
      }
    }
    const p = (6 * parents[j]) & SMALL;
    if (p === 0) continue;
    const x = (12 * j) & SMALL;
    const r0 = X[x];
    const r1 = X[x + 1];
    const r2 = X[x + 2];
    const r3 = X[x + 3];
    const r4 = X[x + 4];
    const r5 = X[x + 5];
    const r6 = X[x + 6];
    const r7 = X[x + 7];
    const r8 = X[x + 8];
    const px = X[x + 9];
    const py = X[x + 10];
    const pz = X[x + 11];
    const gx = r0 * fx + r1 * fy + r2 * fz;
    const gy = r3 * fx + r4 * fy + r5 * fz;
    const gz = r6 * fx + r7 * fy + r8 * fz;
    F[p] += gx;
    F[p + 1] += gy;
    F[p + 2] += gz;
    F[p + 3] += r0 * nx + r1 * ny + r2 * nz + py * gz - pz * gy;
    F[p + 4] += r3 * nx + r4 * ny + r5 * nz + pz * gx - px * gz;
    F[p + 5] += r6 * nx + r7 * ny + r8 * nz + px * gy - py * gx;
  }
}

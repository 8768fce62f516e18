/**
 * Inverse dynamics by the recursive Newton-Euler algorithm (RNEA): the torques that produce given accelerations,
 * tau = M(q) a + C(q, v) v + g(q) - sum J^T f.
 *
 * Method: 1. outward, velocities and accelerations of all bodies, gravity as an upward acceleration of the base
 * (`kinematics/motion.ts`); 2. the force each body needs, f = I A + V x* (I V) - f_external; 3. inward, tau = S^T f and the
 * parent takes f over.
 * Source: Luh, Walker, Paul 1980, "On-line computational scheme for mechanical manipulators", doi:10.1115/1.3149599;
 * Featherstone 2008, "Rigid body dynamics algorithms", table 5.1, doi:10.1007/978-1-4899-7560-7.
 * Frames: everything in the moving joint frames. External forces: 6 per joint, [force, moment] that act on body j, in joint
 * frame j at its origin; the base's six are not read. N, N m.
 * Cost: linear in joints, no allocation. Tested by crba.test.ts, identities.test.ts, test/oracle/dynamics.test.ts.
 */
import { propagateMotion } from '../kinematics/motion.js';
import { loadNumbers } from '../kinematics/motion-data.js';
import { updateRelativePlacements } from '../kinematics/relative-placements.js';
import type { Model } from '../model/model.js';
import { type DynamicsData, setBaseAcceleration } from './dynamics-data.js';

/** Torques for accelerations a at (q, v), under gravity and external forces: `data.tau`. */
export function rnea(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  a: ArrayLike<number>,
  externalForces: ArrayLike<number> | null = null,
): Float64Array {
  loadNumbers(data.q, q, 'rnea: q');
  loadNumbers(data.v, v, 'rnea: v');
  loadNumbers(data.a, a, 'rnea: a');
  updateRelativePlacements(model, data);
  setBaseAcceleration(data, true);
  runRnea(model, data, data.tau, externalForces);
  return data.tau;
}

/** C(q, v) v + g(q), the torques at zero acceleration: `data.nonlinearEffects`. */
export function computeNonlinearEffects(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
): Float64Array {
  loadNumbers(data.q, q, 'computeNonlinearEffects: q');
  loadNumbers(data.v, v, 'computeNonlinearEffects: v');
  data.a.fill(0);
  updateRelativePlacements(model, data);
  setBaseAcceleration(data, true);
  runRnea(model, data, data.nonlinearEffects, null);
  return data.nonlinearEffects;
}

/** Torques from `data.q`, `v`, `a`, the relative placements and the base's acceleration into `out`. */
export function runRnea(
  model: Model,
  data: DynamicsData,
  out: Float64Array,
  externalForces: ArrayLike<number> | null,
): void {
  propagateMotion(model, data);
  computeBodyForces(model, data);
  if (externalForces !== null) subtractExternalForces(model, data, externalForces);
  collectTorques(model, data, out);
}

/** f = I A + V x* (I V) of each body. */
function computeBodyForces(model: Model, data: DynamicsData): void {
  const { bodyInertias: I, velocities: V, accelerations: A, forces: F } = data;
  for (let j = 1; j < model.jointCount; j++) {
    const i = 10 * j;
    const k = 6 * j;
    const m = I[i];
    const hx = I[i + 1];
    const hy = I[i + 2];
    const hz = I[i + 3];
    const xx = I[i + 4];
    const xy = I[i + 5];
    const xz = I[i + 6];
    const yy = I[i + 7];
    const yz = I[i + 8];
    const zz = I[i + 9];
    const vx = V[k];
    const vy = V[k + 1];
    const vz = V[k + 2];
    const wx = V[k + 3];
    const wy = V[k + 4];
    const wz = V[k + 5];
    // Momentum (p, l).
    const p0 = m * vx + wy * hz - wz * hy;
    const p1 = m * vy + wz * hx - wx * hz;
    const p2 = m * vz + wx * hy - wy * hx;
    const l0 = xx * wx + xy * wy + xz * wz + hy * vz - hz * vy;
    const l1 = xy * wx + yy * wy + yz * wz + hz * vx - hx * vz;
    const l2 = xz * wx + yz * wy + zz * wz + hx * vy - hy * vx;
    const ax = A[k];
    const ay = A[k + 1];
    const az = A[k + 2];
    const bx = A[k + 3];
    const by = A[k + 4];
    const bz = A[k + 5];
    F[k] = m * ax + by * hz - bz * hy + wy * p2 - wz * p1;
    F[k + 1] = m * ay + bz * hx - bx * hz + wz * p0 - wx * p2;
    F[k + 2] = m * az + bx * hy - by * hx + wx * p1 - wy * p0;
    F[k + 3] = xx * bx + xy * by + xz * bz + hy * az - hz * ay + wy * l2 - wz * l1 + vy * p2 - vz * p1;
    F[k + 4] = xy * bx + yy * by + yz * bz + hz * ax - hx * az + wz * l0 - wx * l2 + vz * p0 - vx * p2;
    F[k + 5] = xz * bx + yz * by + zz * bz + hx * ay - hy * ax + wx * l1 - wy * l0 + vx * p1 - vy * p0;
  }
}

/** Takes the forces that act from outside off those the joints must provide. */
function subtractExternalForces(model: Model, data: DynamicsData, externalForces: ArrayLike<number>): void {
  checkExternalForces(model, externalForces);
  for (let i = 6; i < 6 * model.jointCount; i++) data.forces[i] -= externalForces[i];
}

export function checkExternalForces(model: Model, externalForces: ArrayLike<number>): void {
  const n = 6 * model.jointCount;
  if (externalForces.length !== n) {
    throw new RangeError(`externalForces, got ${externalForces.length} numbers, expected ${n} (6 per joint)`);
  }
  let zero = 0;
  for (let i = 6; i < n; i++) zero += externalForces[i] * 0;
  if (zero !== 0) throw new RangeError('externalForces, got a number that is not finite, expected finite numbers');
}

/** tau = S^T f, inward; leaves in `data.forces` the force each joint transmits. */
function collectTorques(model: Model, data: DynamicsData, out: Float64Array): void {
  const { relativePlacements: X, forces: F, columnStarts, columnSubspaces: S, columnVelocities } = data;
  const { armature, a } = data;
  const { parents } = model;
  for (let k = 0; k < out.length; k++) out[k] = armature[k] * a[k];
  for (let j = model.jointCount - 1; j > 0; j--) {
    const k = 6 * j;
    const fx = F[k];
    const fy = F[k + 1];
    const fz = F[k + 2];
    const nx = F[k + 3];
    const ny = F[k + 4];
    const nz = F[k + 5];
    const end = columnStarts[j + 1];
    for (let c = columnStarts[j]; c < end; c++) {
      const s = 6 * c;
      out[columnVelocities[c]] +=
        S[s] * fx + S[s + 1] * fy + S[s + 2] * fz + S[s + 3] * nx + S[s + 4] * ny + S[s + 5] * nz;
    }
    const p = 6 * parents[j];
    if (p === 0) continue;
    const x = 12 * j;
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

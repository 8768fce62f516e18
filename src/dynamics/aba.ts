/**
 * Forward dynamics by the articulated body algorithm (ABA): the accelerations that torques cause,
 * a = M^-1 (tau - C v - g + sum J^T f).
 *
 * Method: 1. outward, velocities; 2. inward, the inertia I_A and bias force p_A that each subtree shows at its joint, every
 * column S eliminated in turn: U = I_A S, D = S^T U, u = tau - S^T p_A, I_A -= U U^T / D, p_A += U u / D, and what is
 * left moves to the parent; a joint of several columns is so treated as a chain of massless one-column joints, and
 * needs no small matrix inverse; 3. outward, a = (u - U^T A) / D.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", table 7.1, doi:10.1007/978-1-4899-7560-7.
 * Frames: moving joint frames. External forces as in `rnea`. Writes `data.ddq`.
 * Cost: linear in joints, no allocation. Robots with mimic joints have no such recursion: there M is factorised instead.
 * Fails: 'singular' when a subtree has no inertia along its joint (D not above 1e-100); such a column gets
 * acceleration 0.
 * Tested by identities.test.ts (inverse of RNEA) and test/oracle/dynamics.test.ts.
 */
import { propagateVelocities } from '../kinematics/motion.js';
import { loadNumbers } from '../kinematics/motion-data.js';
import { updateRelativePlacements } from '../kinematics/relative-placements.js';
import type { Model } from '../model/model.js';
import { runCrba } from './crba.js';
import { type DynamicsData, setBaseAcceleration } from './dynamics-data.js';
import { factorizeInertia, solveInertia } from './factorize-inertia.js';
import { runRnea, subtractExternalForces } from './rnea.js';

export type ForwardDynamicsStatus = 'ok' | 'singular';

/** kg or kg m^2; far below any body, far above where 1 / D overflows. */
const SMALLEST_INERTIA = 1e-100;

/** Accelerations at (q, v) under torques, gravity and external forces: `data.ddq`. */
export function aba(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  tau: ArrayLike<number>,
  externalForces: ArrayLike<number> | null = null,
): ForwardDynamicsStatus {
  loadNumbers(data.q, q, 'aba: q');
  loadNumbers(data.v, v, 'aba: v');
  loadNumbers(data.tau, tau, 'aba: tau');
  updateRelativePlacements(model, data);
  setBaseAcceleration(data, true);
  if (data.hasMimic) return solveForward(model, data, externalForces);
  propagateVelocities(model, data);
  startArticulated(model, data);
  if (externalForces !== null) subtractExternalForces(model, data, externalForces);
  let regular = true;
  for (let j = model.jointCount - 1; j > 0; j--) {
    if (!eliminateJoint(data, j)) regular = false;
    if (model.parents[j] > 0) addArticulatedToParent(data, j, model.parents[j]);
  }
  spreadAccelerations(model, data);
  return regular ? 'ok' : 'singular';
}

/** a = M^-1 (tau - nonlinear effects + external). */
function solveForward(
  model: Model,
  data: DynamicsData,
  externalForces: ArrayLike<number> | null,
): ForwardDynamicsStatus {
  const { ddq, tau, factors, factorParents } = data;
  data.a.fill(0);
  runRnea(model, data, ddq, externalForces);
  for (let i = 0; i < model.nv; i++) ddq[i] = tau[i] - ddq[i];
  if (!factorizeInertia(factors, runCrba(model, data), model.nv, factorParents)) {
    ddq.fill(0);
    return 'singular';
  }
  solveInertia(ddq, factors, model.nv, factorParents, ddq);
  return 'ok';
}

/*
 * Articulated inertia of a joint, 21 numbers: force = [[m, h], [h^T, i]] motion
 *   0..5    m   symmetric xx xy xz yy yz zz
 *   6..14   h   row-major, force rows, angular columns
 *   15..20  i   symmetric
 */

/** Bodies alone: I_A = I, p_A = V x* (I V). */
function startArticulated(model: Model, data: DynamicsData): void {
  const { bodyInertias: I, articulatedInertias: A, forces: F, velocities: V } = data;
  for (let j = 1; j < model.jointCount; j++) {
    const i = 10 * j;
    const o = 21 * j;
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
    A[o] = m;
    A[o + 1] = 0;
    A[o + 2] = 0;
    A[o + 3] = m;
    A[o + 4] = 0;
    A[o + 5] = m;
    A[o + 6] = 0;
    A[o + 7] = hz;
    A[o + 8] = -hy;
    A[o + 9] = -hz;
    A[o + 10] = 0;
    A[o + 11] = hx;
    A[o + 12] = hy;
    A[o + 13] = -hx;
    A[o + 14] = 0;
    A[o + 15] = xx;
    A[o + 16] = xy;
    A[o + 17] = xz;
    A[o + 18] = yy;
    A[o + 19] = yz;
    A[o + 20] = zz;
    const vx = V[k];
    const vy = V[k + 1];
    const vz = V[k + 2];
    const wx = V[k + 3];
    const wy = V[k + 4];
    const wz = V[k + 5];
    const p0 = m * vx + wy * hz - wz * hy;
    const p1 = m * vy + wz * hx - wx * hz;
    const p2 = m * vz + wx * hy - wy * hx;
    const l0 = xx * wx + xy * wy + xz * wz + hy * vz - hz * vy;
    const l1 = xy * wx + yy * wy + yz * wz + hz * vx - hx * vz;
    const l2 = xz * wx + yz * wy + zz * wz + hx * vy - hy * vx;
    F[k] = wy * p2 - wz * p1;
    F[k + 1] = wz * p0 - wx * p2;
    F[k + 2] = wx * p1 - wy * p0;
    F[k + 3] = wy * l2 - wz * l1 + vy * p2 - vz * p1;
    F[k + 4] = wz * l0 - wx * l2 + vz * p0 - vx * p2;
    F[k + 5] = wx * l1 - wy * l0 + vx * p1 - vy * p0;
  }
}

/** Eliminates the columns of joint j, last first; leaves I_A and p_A of what is rigid to the parent. False when singular. */
function eliminateJoint(data: DynamicsData, j: number): boolean {
  const { articulatedInertias: A, forces: F, columnStarts, columnSubspaces: S, columnVelocities } = data;
  const { columnForces: U, columnInverses, columnTorques, tau, armature } = data;
  const o = 21 * j;
  const k = 6 * j;
  let regular = true;
  for (let c = columnStarts[j + 1] - 1; c >= columnStarts[j]; c--) {
    const s = 6 * c;
    const s0 = S[s];
    const s1 = S[s + 1];
    const s2 = S[s + 2];
    const s3 = S[s + 3];
    const s4 = S[s + 4];
    const s5 = S[s + 5];
    const u0 = A[o] * s0 + A[o + 1] * s1 + A[o + 2] * s2 + A[o + 6] * s3 + A[o + 7] * s4 + A[o + 8] * s5;
    const u1 = A[o + 1] * s0 + A[o + 3] * s1 + A[o + 4] * s2 + A[o + 9] * s3 + A[o + 10] * s4 + A[o + 11] * s5;
    const u2 = A[o + 2] * s0 + A[o + 4] * s1 + A[o + 5] * s2 + A[o + 12] * s3 + A[o + 13] * s4 + A[o + 14] * s5;
    const u3 = A[o + 6] * s0 + A[o + 9] * s1 + A[o + 12] * s2 + A[o + 15] * s3 + A[o + 16] * s4 + A[o + 17] * s5;
    const u4 = A[o + 7] * s0 + A[o + 10] * s1 + A[o + 13] * s2 + A[o + 16] * s3 + A[o + 18] * s4 + A[o + 19] * s5;
    const u5 = A[o + 8] * s0 + A[o + 11] * s1 + A[o + 14] * s2 + A[o + 17] * s3 + A[o + 19] * s4 + A[o + 20] * s5;
    const i = columnVelocities[c];
    const D = s0 * u0 + s1 * u1 + s2 * u2 + s3 * u3 + s4 * u4 + s5 * u5 + armature[i];
    const f = F[k] * s0 + F[k + 1] * s1 + F[k + 2] * s2 + F[k + 3] * s3 + F[k + 4] * s4 + F[k + 5] * s5;
    const u = tau[i] - f;
    const inverse = D > SMALLEST_INERTIA ? 1 / D : 0;
    if (inverse === 0) regular = false;
    U[s] = u0;
    U[s + 1] = u1;
    U[s + 2] = u2;
    U[s + 3] = u3;
    U[s + 4] = u4;
    U[s + 5] = u5;
    columnInverses[c] = inverse;
    columnTorques[c] = u;
    const t0 = u0 * inverse;
    const t1 = u1 * inverse;
    const t2 = u2 * inverse;
    const t3 = u3 * inverse;
    const t4 = u4 * inverse;
    const t5 = u5 * inverse;
    A[o] -= t0 * u0;
    A[o + 1] -= t0 * u1;
    A[o + 2] -= t0 * u2;
    A[o + 3] -= t1 * u1;
    A[o + 4] -= t1 * u2;
    A[o + 5] -= t2 * u2;
    A[o + 6] -= t0 * u3;
    A[o + 7] -= t0 * u4;
    A[o + 8] -= t0 * u5;
    A[o + 9] -= t1 * u3;
    A[o + 10] -= t1 * u4;
    A[o + 11] -= t1 * u5;
    A[o + 12] -= t2 * u3;
    A[o + 13] -= t2 * u4;
    A[o + 14] -= t2 * u5;
    A[o + 15] -= t3 * u3;
    A[o + 16] -= t3 * u4;
    A[o + 17] -= t3 * u5;
    A[o + 18] -= t4 * u4;
    A[o + 19] -= t4 * u5;
    A[o + 20] -= t5 * u5;
    F[k] += t0 * u;
    F[k + 1] += t1 * u;
    F[k + 2] += t2 * u;
    F[k + 3] += t3 * u;
    F[k + 4] += t4 * u;
    F[k + 5] += t5 * u;
  }
  return regular;
}

/** The bias acceleration V_M x (S v) of one joint. */
const bias = new Float64Array(6);

function computeBias(data: DynamicsData, j: number): void {
  const { velocities: V, columnStarts, columnSubspaces: S, columnVelocities, v } = data;
  let j0 = 0;
  let j1 = 0;
  let j2 = 0;
  let j3 = 0;
  let j4 = 0;
  let j5 = 0;
  const end = columnStarts[j + 1];
  for (let c = columnStarts[j]; c < end; c++) {
    const rate = v[columnVelocities[c]];
    const s = 6 * c;
    j0 += S[s] * rate;
    j1 += S[s + 1] * rate;
    j2 += S[s + 2] * rate;
    j3 += S[s + 3] * rate;
    j4 += S[s + 4] * rate;
    j5 += S[s + 5] * rate;
  }
  const k = 6 * j;
  const v0 = V[k];
  const v1 = V[k + 1];
  const v2 = V[k + 2];
  const v3 = V[k + 3];
  const v4 = V[k + 4];
  const v5 = V[k + 5];
  bias[0] = v4 * j2 - v5 * j1 + v1 * j5 - v2 * j4;
  bias[1] = v5 * j0 - v3 * j2 + v2 * j3 - v0 * j5;
  bias[2] = v3 * j1 - v4 * j0 + v0 * j4 - v1 * j3;
  bias[3] = v4 * j5 - v5 * j4;
  bias[4] = v5 * j3 - v3 * j5;
  bias[5] = v3 * j4 - v4 * j3;
}

/** p_A + I_A c and I_A of joint j, moved into the parent's frame and added there. */
function addArticulatedToParent(data: DynamicsData, j: number, parent: number): void {
  const { articulatedInertias: A, forces: F, relativePlacements: X } = data;
  computeBias(data, j);
  const i = 21 * j;
  const x = 12 * j;
  const k = 6 * j;
  const m0 = A[i];
  const m1 = A[i + 1];
  const m2 = A[i + 2];
  const m3 = A[i + 3];
  const m4 = A[i + 4];
  const m5 = A[i + 5];
  const h0 = A[i + 6];
  const h1 = A[i + 7];
  const h2 = A[i + 8];
  const h3 = A[i + 9];
  const h4 = A[i + 10];
  const h5 = A[i + 11];
  const h6 = A[i + 12];
  const h7 = A[i + 13];
  const h8 = A[i + 14];
  const i0 = A[i + 15];
  const i1 = A[i + 16];
  const i2 = A[i + 17];
  const i3 = A[i + 18];
  const i4 = A[i + 19];
  const i5 = A[i + 20];
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
  const c0 = bias[0];
  const c1 = bias[1];
  const c2 = bias[2];
  const c3 = bias[3];
  const c4 = bias[4];
  const c5 = bias[5];
  const fx = F[k] + m0 * c0 + m1 * c1 + m2 * c2 + h0 * c3 + h1 * c4 + h2 * c5;
  const fy = F[k + 1] + m1 * c0 + m3 * c1 + m4 * c2 + h3 * c3 + h4 * c4 + h5 * c5;
  const fz = F[k + 2] + m2 * c0 + m4 * c1 + m5 * c2 + h6 * c3 + h7 * c4 + h8 * c5;
  const nx = F[k + 3] + h0 * c0 + h3 * c1 + h6 * c2 + i0 * c3 + i1 * c4 + i2 * c5;
  const ny = F[k + 4] + h1 * c0 + h4 * c1 + h7 * c2 + i1 * c3 + i3 * c4 + i4 * c5;
  const nz = F[k + 5] + h2 * c0 + h5 * c1 + h8 * c2 + i2 * c3 + i4 * c4 + i5 * c5;
  const gx = r0 * fx + r1 * fy + r2 * fz;
  const gy = r3 * fx + r4 * fy + r5 * fz;
  const gz = r6 * fx + r7 * fy + r8 * fz;
  const p = 6 * parent;
  F[p] += gx;
  F[p + 1] += gy;
  F[p + 2] += gz;
  F[p + 3] += r0 * nx + r1 * ny + r2 * nz + py * gz - pz * gy;
  F[p + 4] += r3 * nx + r4 * ny + r5 * nz + pz * gx - px * gz;
  F[p + 5] += r6 * nx + r7 * ny + r8 * nz + px * gy - py * gx;

  // m' = R m R^T
  let t0 = r0 * m0 + r1 * m1 + r2 * m2;
  let t1 = r0 * m1 + r1 * m3 + r2 * m4;
  let t2 = r0 * m2 + r1 * m4 + r2 * m5;
  let t3 = r3 * m0 + r4 * m1 + r5 * m2;
  let t4 = r3 * m1 + r4 * m3 + r5 * m4;
  let t5 = r3 * m2 + r4 * m4 + r5 * m5;
  let t6 = r6 * m0 + r7 * m1 + r8 * m2;
  let t7 = r6 * m1 + r7 * m3 + r8 * m4;
  let t8 = r6 * m2 + r7 * m4 + r8 * m5;
  const a0 = t0 * r0 + t1 * r1 + t2 * r2;
  const a1 = t0 * r3 + t1 * r4 + t2 * r5;
  const a2 = t0 * r6 + t1 * r7 + t2 * r8;
  const a3 = t3 * r3 + t4 * r4 + t5 * r5;
  const a4 = t3 * r6 + t4 * r7 + t5 * r8;
  const a5 = t6 * r6 + t7 * r7 + t8 * r8;
  // g = R h R^T
  t0 = r0 * h0 + r1 * h3 + r2 * h6;
  t1 = r0 * h1 + r1 * h4 + r2 * h7;
  t2 = r0 * h2 + r1 * h5 + r2 * h8;
  t3 = r3 * h0 + r4 * h3 + r5 * h6;
  t4 = r3 * h1 + r4 * h4 + r5 * h7;
  t5 = r3 * h2 + r4 * h5 + r5 * h8;
  t6 = r6 * h0 + r7 * h3 + r8 * h6;
  t7 = r6 * h1 + r7 * h4 + r8 * h7;
  t8 = r6 * h2 + r7 * h5 + r8 * h8;
  const g0 = t0 * r0 + t1 * r1 + t2 * r2;
  const g1 = t0 * r3 + t1 * r4 + t2 * r5;
  const g2 = t0 * r6 + t1 * r7 + t2 * r8;
  const g3 = t3 * r0 + t4 * r1 + t5 * r2;
  const g4 = t3 * r3 + t4 * r4 + t5 * r5;
  const g5 = t3 * r6 + t4 * r7 + t5 * r8;
  const g6 = t6 * r0 + t7 * r1 + t8 * r2;
  const g7 = t6 * r3 + t7 * r4 + t8 * r5;
  const g8 = t6 * r6 + t7 * r7 + t8 * r8;
  // h' = g - m' hat(p)
  const q0 = g0 - a1 * pz + a2 * py;
  const q1 = g1 + a0 * pz - a2 * px;
  const q2 = g2 - a0 * py + a1 * px;
  const q3 = g3 - a3 * pz + a4 * py;
  const q4 = g4 + a1 * pz - a4 * px;
  const q5 = g5 - a1 * py + a3 * px;
  const q6 = g6 - a4 * pz + a5 * py;
  const q7 = g7 + a2 * pz - a5 * px;
  const q8 = g8 - a2 * py + a4 * px;
  // i' = R i R^T - g^T hat(p) + hat(p) h'
  t0 = r0 * i0 + r1 * i1 + r2 * i2;
  t1 = r0 * i1 + r1 * i3 + r2 * i4;
  t2 = r0 * i2 + r1 * i4 + r2 * i5;
  t3 = r3 * i0 + r4 * i1 + r5 * i2;
  t4 = r3 * i1 + r4 * i3 + r5 * i4;
  t5 = r3 * i2 + r4 * i4 + r5 * i5;
  t6 = r6 * i0 + r7 * i1 + r8 * i2;
  t7 = r6 * i1 + r7 * i3 + r8 * i4;
  t8 = r6 * i2 + r7 * i4 + r8 * i5;
  const o = 21 * parent;
  A[o] += a0;
  A[o + 1] += a1;
  A[o + 2] += a2;
  A[o + 3] += a3;
  A[o + 4] += a4;
  A[o + 5] += a5;
  A[o + 6] += q0;
  A[o + 7] += q1;
  A[o + 8] += q2;
  A[o + 9] += q3;
  A[o + 10] += q4;
  A[o + 11] += q5;
  A[o + 12] += q6;
  A[o + 13] += q7;
  A[o + 14] += q8;
  A[o + 15] += t0 * r0 + t1 * r1 + t2 * r2 - g3 * pz + g6 * py + py * q6 - pz * q3;
  A[o + 16] += t0 * r3 + t1 * r4 + t2 * r5 + g0 * pz - g6 * px + py * q7 - pz * q4;
  A[o + 17] += t0 * r6 + t1 * r7 + t2 * r8 - g0 * py + g3 * px + py * q8 - pz * q5;
  A[o + 18] += t3 * r3 + t4 * r4 + t5 * r5 + g1 * pz - g7 * px + pz * q1 - px * q7;
  A[o + 19] += t3 * r6 + t4 * r7 + t5 * r8 - g1 * py + g4 * px + pz * q2 - px * q8;
  A[o + 20] += t6 * r6 + t7 * r7 + t8 * r8 - g2 * py + g5 * px + px * q5 - py * q2;
}

/** Accelerations of joints and bodies, outward, from the base's. */
function spreadAccelerations(model: Model, data: DynamicsData): void {
  const { relativePlacements: X, accelerations: A, columnStarts, columnSubspaces: S, columnVelocities } = data;
  const { columnForces: U, columnInverses, columnTorques, ddq } = data;
  const { parents, jointCount } = model;
  for (let j = 1; j < jointCount; j++) {
    const x = 12 * j;
    const p = 6 * parents[j];
    const out = 6 * j;
    computeBias(data, j);
    const wx = A[p + 3];
    const wy = A[p + 4];
    const wz = A[p + 5];
    const px = X[x + 9];
    const py = X[x + 10];
    const pz = X[x + 11];
    const ux = A[p] + wy * pz - wz * py;
    const uy = A[p + 1] + wz * px - wx * pz;
    const uz = A[p + 2] + wx * py - wy * px;
    let a0 = X[x] * ux + X[x + 3] * uy + X[x + 6] * uz + bias[0];
    let a1 = X[x + 1] * ux + X[x + 4] * uy + X[x + 7] * uz + bias[1];
    let a2 = X[x + 2] * ux + X[x + 5] * uy + X[x + 8] * uz + bias[2];
    let a3 = X[x] * wx + X[x + 3] * wy + X[x + 6] * wz + bias[3];
    let a4 = X[x + 1] * wx + X[x + 4] * wy + X[x + 7] * wz + bias[4];
    let a5 = X[x + 2] * wx + X[x + 5] * wy + X[x + 8] * wz + bias[5];
    const end = columnStarts[j + 1];
    // First column first: it was eliminated last.
    for (let c = columnStarts[j]; c < end; c++) {
      const s = 6 * c;
      const felt = U[s] * a0 + U[s + 1] * a1 + U[s + 2] * a2 + U[s + 3] * a3 + U[s + 4] * a4 + U[s + 5] * a5;
      const gain = (columnTorques[c] - felt) * columnInverses[c];
      ddq[columnVelocities[c]] = gain;
      a0 += S[s] * gain;
      a1 += S[s + 1] * gain;
      a2 += S[s + 2] * gain;
      a3 += S[s + 3] * gain;
      a4 += S[s + 4] * gain;
      a5 += S[s + 5] * gain;
    }
    A[out] = a0;
    A[out + 1] = a1;
    A[out + 2] = a2;
    A[out + 3] = a3;
    A[out + 4] = a4;
    A[out + 5] = a5;
  }
}

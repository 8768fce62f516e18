/**
 * Forward dynamics by the articulated body algorithm (ABA): the accelerations that torques cause,
 * a = M^-1 (tau - C v - g + sum J^T f), joint friction taken off tau.
 *
 * Method: 1. outward, velocities; 2. inward, the inertia I_A and bias force p_A that each subtree shows at its joint, every
 * column S eliminated in turn: U = I_A S, D = S^T U, u = tau - S^T p_A, I_A -= U U^T / D, p_A += U u / D, and what is
 * left adds to the parent; a joint of several columns is so treated as a chain of massless one-column joints, and
 * needs no small matrix inverse; 3. outward, a = (u - U^T A) / D.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", table 7.1, doi:10.1007/978-1-4899-7560-7.
 * Frames: all bodies in the common frame of `aligned.ts`, so that nothing turns or shifts from joint to joint (measured 1.1 to
 * 1.2 times as fast as moving joint frames). External forces as in `rnea`. Writes `data.ddq`.
 * Cost: linear in joints, no allocation. Robots with mimic joints have no such recursion: there M is factorised instead.
 * Fails: 'singular' when a subtree has no inertia along its joint (D not above 1e-100); such a column gets
 * acceleration 0.
 * Tested by identities.test.ts (inverse of RNEA) and test/oracle/dynamics.test.ts.
 */
import { loadNumbers } from '../kinematics/motion-data.js';
import { updateRelativePlacements } from '../kinematics/relative-placements.js';
import { transformForce } from '../math/spatial.js';
import type { Model } from '../model/model.js';
import { alignJoints, alignVelocities, crossMotionAt, readAlignedPlacement } from './aligned.js';
import { runCrba } from './crba.js';
import { type DynamicsData, setBaseAcceleration } from './dynamics-data.js';
import { factorizeInertia, solveInertia } from './factorize-inertia.js';
import { addJointFriction } from './joint-friction.js';
import { checkExternalForces, runRnea } from './rnea.js';

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
  if (data.hasMimic) return solveForward(model, data, externalForces);
  addJointFriction(data.tau, data, -1);
  alignJoints(model, data);
  alignVelocities(model, data);
  startArticulated(model, data);
  if (externalForces !== null) subtractAlignedForces(model, data, externalForces);
  let regular = true;
  const { columnStarts } = data;
  const { parents } = model;
  for (let j = model.jointCount - 1; j > 0; j--) {
    const first = columnStarts[j];
    for (let c = columnStarts[j + 1] - 1; c >= first; c--) {
      if (!projectColumn(data, j, c)) regular = false;
      if (c > first) reduceOnto(data, j, c, j);
      else if (parents[j] > 0) reduceOnto(data, j, c, parents[j]);
    }
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
  updateRelativePlacements(model, data);
  setBaseAcceleration(data, true);
  data.a.fill(0);
  runRnea(model, data, ddq, externalForces);
  for (let i = 0; i < model.nv; i++) ddq[i] = tau[i] - ddq[i];
  if (!factorizeInertia(factors, runCrba(model, data), model.nv, factorParents)) {
    ddq.fill(0);
    return 'singular';
  }
  solveInertia(ddq, 1, factors, model.nv, factorParents);
  return 'ok';
}

/** p_A -= the external forces, carried from the joint frames to A. */
function subtractAlignedForces(model: Model, data: DynamicsData, externalForces: ArrayLike<number>): void {
  const { biasForces: F } = data;
  checkExternalForces(model, externalForces);
  for (let j = 1; j < model.jointCount; j++) {
    for (let i = 0; i < 6; i++) force[i] = externalForces[6 * j + i];
    readAlignedPlacement(placement, data, j);
    transformForce(force, placement, force);
    for (let i = 0; i < 6; i++) F[6 * j + i] -= force[i];
  }
}

const force = new Float64Array(6);
const placement = new Float64Array(12);

/*
 * Articulated inertia of a joint, 21 numbers: force = [[m, h], [h^T, i]] motion
 *   0..5    m   symmetric xx xy xz yy yz zz
 *   6..14   h   row-major, force rows, angular columns
 *   15..20  i   symmetric
 */

/** Bodies alone: I_A = I, p_A = V x* (I V), and the bias accelerations. */
function startArticulated(model: Model, data: DynamicsData): void {
  const { articulatedInertias: A, biasForces: F, biasAccelerations: B, alignedVelocities: V } = data;
  const I = data.alignedInertias;
  const { parents } = model;
  for (let j = 1; j < model.jointCount; j++) {
    const o = 21 * j;
    const k = 6 * j;
    crossMotionAt(B, k, V, 6 * parents[j], V, k);
    const i = 10 * j;
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

/** U, 1 / D and u of a column from the I_A and p_A its joint has now. False when singular. */
function projectColumn(data: DynamicsData, j: number, c: number): boolean {
  const { articulatedInertias: A, biasForces: F, alignedSubspaces: S, columnVelocities } = data;
  const { columnForces: U, columnInverses, columnTorques, tau, armature } = data;
  const o = 21 * j;
  const k = 6 * j;
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
  const inverse = D > SMALLEST_INERTIA ? 1 / D : 0;
  U[s] = u0;
  U[s + 1] = u1;
  U[s + 2] = u2;
  U[s + 3] = u3;
  U[s + 4] = u4;
  U[s + 5] = u5;
  columnInverses[c] = inverse;
  columnTorques[c] = tau[i] - f;
  return inverse !== 0;
}

/**
 * Takes column c of joint j out and adds what is rigid to it onto I_A and p_A of joint `to`: of j itself while columns
 * remain (then the sum replaces what was there), else of the parent. c is the bias acceleration V_parent x V, which acts between the
 * joint's last column and its parent.
 */
function reduceOnto(data: DynamicsData, j: number, c: number, to: number): void {
  const { articulatedInertias: A, biasForces: F, biasAccelerations: B } = data;
  const { columnForces: U, columnInverses, columnTorques } = data;
  const i = 21 * j;
  const o = 21 * to;
  const k = 6 * j;
  const p = 6 * to;
  const s = 6 * c;
  const u0 = U[s];
  const u1 = U[s + 1];
  const u2 = U[s + 2];
  const u3 = U[s + 3];
  const u4 = U[s + 4];
  const u5 = U[s + 5];
  const inverse = columnInverses[c];
  const t0 = u0 * inverse;
  const t1 = u1 * inverse;
  const t2 = u2 * inverse;
  const t3 = u3 * inverse;
  const t4 = u4 * inverse;
  const t5 = u5 * inverse;
  const m0 = A[i] - t0 * u0;
  const m1 = A[i + 1] - t0 * u1;
  const m2 = A[i + 2] - t0 * u2;
  const m3 = A[i + 3] - t1 * u1;
  const m4 = A[i + 4] - t1 * u2;
  const m5 = A[i + 5] - t2 * u2;
  const h0 = A[i + 6] - t0 * u3;
  const h1 = A[i + 7] - t0 * u4;
  const h2 = A[i + 8] - t0 * u5;
  const h3 = A[i + 9] - t1 * u3;
  const h4 = A[i + 10] - t1 * u4;
  const h5 = A[i + 11] - t1 * u5;
  const h6 = A[i + 12] - t2 * u3;
  const h7 = A[i + 13] - t2 * u4;
  const h8 = A[i + 14] - t2 * u5;
  const i0 = A[i + 15] - t3 * u3;
  const i1 = A[i + 16] - t3 * u4;
  const i2 = A[i + 17] - t3 * u5;
  const i3 = A[i + 18] - t4 * u4;
  const i4 = A[i + 19] - t4 * u5;
  const i5 = A[i + 20] - t5 * u5;
  const u = columnTorques[c];
  if (to === j) {
    A[o] = m0;
    A[o + 1] = m1;
    A[o + 2] = m2;
    A[o + 3] = m3;
    A[o + 4] = m4;
    A[o + 5] = m5;
    A[o + 6] = h0;
    A[o + 7] = h1;
    A[o + 8] = h2;
    A[o + 9] = h3;
    A[o + 10] = h4;
    A[o + 11] = h5;
    A[o + 12] = h6;
    A[o + 13] = h7;
    A[o + 14] = h8;
    A[o + 15] = i0;
    A[o + 16] = i1;
    A[o + 17] = i2;
    A[o + 18] = i3;
    A[o + 19] = i4;
    A[o + 20] = i5;
    F[k] += t0 * u;
    F[k + 1] += t1 * u;
    F[k + 2] += t2 * u;
    F[k + 3] += t3 * u;
    F[k + 4] += t4 * u;
    F[k + 5] += t5 * u;
    return;
  }
  const c0 = B[k];
  const c1 = B[k + 1];
  const c2 = B[k + 2];
  const c3 = B[k + 3];
  const c4 = B[k + 4];
  const c5 = B[k + 5];
  F[p] += F[k] + t0 * u + m0 * c0 + m1 * c1 + m2 * c2 + h0 * c3 + h1 * c4 + h2 * c5;
  F[p + 1] += F[k + 1] + t1 * u + m1 * c0 + m3 * c1 + m4 * c2 + h3 * c3 + h4 * c4 + h5 * c5;
  F[p + 2] += F[k + 2] + t2 * u + m2 * c0 + m4 * c1 + m5 * c2 + h6 * c3 + h7 * c4 + h8 * c5;
  F[p + 3] += F[k + 3] + t3 * u + h0 * c0 + h3 * c1 + h6 * c2 + i0 * c3 + i1 * c4 + i2 * c5;
  F[p + 4] += F[k + 4] + t4 * u + h1 * c0 + h4 * c1 + h7 * c2 + i1 * c3 + i3 * c4 + i4 * c5;
  F[p + 5] += F[k + 5] + t5 * u + h2 * c0 + h5 * c1 + h8 * c2 + i2 * c3 + i4 * c4 + i5 * c5;
  A[o] += m0;
  A[o + 1] += m1;
  A[o + 2] += m2;
  A[o + 3] += m3;
  A[o + 4] += m4;
  A[o + 5] += m5;
  A[o + 6] += h0;
  A[o + 7] += h1;
  A[o + 8] += h2;
  A[o + 9] += h3;
  A[o + 10] += h4;
  A[o + 11] += h5;
  A[o + 12] += h6;
  A[o + 13] += h7;
  A[o + 14] += h8;
  A[o + 15] += i0;
  A[o + 16] += i1;
  A[o + 17] += i2;
  A[o + 18] += i3;
  A[o + 19] += i4;
  A[o + 20] += i5;
}

/** Accelerations of joints and bodies, outward, from the base's. */
function spreadAccelerations(model: Model, data: DynamicsData): void {
  const { alignedAccelerations: A, biasAccelerations: B, alignedSubspaces: S, columnStarts, columnVelocities } = data;
  const { columnForces: U, columnInverses, columnTorques, ddq, gravity } = data;
  const { parents, jointCount } = model;
  for (let i = 0; i < 3; i++) {
    A[i] = -gravity[i];
    A[i + 3] = 0;
  }
  for (let j = 1; j < jointCount; j++) {
    const p = 6 * parents[j];
    const out = 6 * j;
    let a0 = A[p] + B[out];
    let a1 = A[p + 1] + B[out + 1];
    let a2 = A[p + 2] + B[out + 2];
    let a3 = A[p + 3] + B[out + 3];
    let a4 = A[p + 4] + B[out + 4];
    let a5 = A[p + 5] + B[out + 5];
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

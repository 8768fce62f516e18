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
 * acceleration 0. Where bodies between joints have no mass, also when D is a rest of rounding, far below the diagonal entry of M
 * that it is left of (several joints that together turn one body in more ways than there are); then all accelerations are 0.
 * Tested by identities.test.ts (inverse of RNEA) and test/oracle/dynamics.test.ts.
 */
import { loadNumbers } from '../kinematics/motion-data.js';
import { updateRelativePlacements } from '../kinematics/relative-placements.js';
import { transformForce } from '../math/spatial.js';
import type { Model } from '../model/model.js';
import { alignJoints, alignVelocities, readAlignedPlacement } from './aligned.js';
import { runCrba } from './crba.js';
import { type DynamicsData, requireDynamics, setBaseAcceleration } from './dynamics-data.js';
import { factorizeInertia, solveInertia } from './factorize-inertia.js';
import { addJointFriction } from './joint-friction.js';
import type { RecursionBlock } from './recursion-views.js';
import { openRecursions, runAbaByKernel } from './recursions.js';
import { checkExternalForces, runRnea } from './rnea.js';

export type ForwardDynamicsStatus = 'ok' | 'singular';

/** kg or kg m^2; far below any body, far above where 1 / D overflows. */
const SMALLEST_INERTIA = 1e-100;

/** See kinematics/forward-kinematics.ts. */
const SMALL = 0x3fffffff;

/** Accelerations at (q, v) under torques, gravity and external forces: `data.ddq`. */
export function aba(
  model: Model,
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  tau: ArrayLike<number>,
  externalForces: ArrayLike<number> | null = null,
): ForwardDynamicsStatus {
  requireDynamics('aba', model, data);
  loadTorques(data, q, v, tau);
  const block = openAba(model, data, externalForces);
  const result = block === null ? 0 : runAbaByKernel(block, model, data);
  if (result !== 0) return result === 1 ? 'ok' : 'singular';
  return runAba(model, data, externalForces);
}

export function loadTorques(
  data: DynamicsData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  tau: ArrayLike<number>,
): void {
  loadNumbers(data.q, q, 'aba: q');
  loadNumbers(data.v, v, 'aba: v');
  loadNumbers(data.tau, tau, 'aba: tau');
}

/** The block that may do it. */
export function openAba(
  model: Model,
  data: DynamicsData,
  externalForces: ArrayLike<number> | null,
): RecursionBlock | null {
  return externalForces === null && !data.hasLightBodies ? openRecursions(model, data) : null;
}

/** From `data.q`, `v` and `tau`, in JavaScript: what derivatives read of columns and inertias is in the data then. */
export function runAba(
  model: Model,
  data: DynamicsData,
  externalForces: ArrayLike<number> | null,
): ForwardDynamicsStatus {
  if (data.hasMimic) return solveForward(model, data, externalForces);
  addJointFriction(data.tau, data, -1);
  alignJoints(model, data);
  alignVelocities(model, data);
  const { columnStarts, biasForces, articulatedStates } = data;
  const { parents } = model;
  biasForces.fill(0);
  articulatedStates.fill(0);
  if (externalForces !== null) subtractAlignedForces(model, data, externalForces);
  let regular = true;
  for (let j = model.jointCount - 1; j > 0; j--) {
    const first = columnStarts[j];
    startJoint(data, j, parents[j]);
    for (let c = columnStarts[j + 1] - 1; c >= first; c--) {
      if (!eliminateColumn(data, j, c, c > first ? j : parents[j])) regular = false;
    }
  }
  if (regular && data.hasLightBodies && !hasUsablePivots(model, data)) {
    data.ddq.fill(0);
    return 'singular';
  }
  spreadAccelerations(model, data);
  return regular ? 'ok' : 'singular';
}

/** Share of its diagonal entry of M below which a pivot is a rest of rounding, in units of nv x 2^-52. */
const PIVOT_ROUNDING = 64;

/** Compares every D with S^T I S, the inertia of the whole subtree taken as one body: the entry of M that D is left of. */
function hasUsablePivots(model: Model, data: DynamicsData): boolean {
  const { alignedInertias: I, alignedSubspaces: S, subtreeInertias: C, columnStarts, columnInverses } = data;
  const { parents, jointCount, nv } = model;
  const share = PIVOT_ROUNDING * nv * Number.EPSILON;
  C.set(I);
  for (let j = jointCount - 1; j > 0; j--) {
    const o = 10 * j;
    for (let c = columnStarts[j]; c < columnStarts[j + 1]; c++) {
      const s = 6 * c;
      const [vx, vy, vz, wx, wy, wz] = [S[s], S[s + 1], S[s + 2], S[s + 3], S[s + 4], S[s + 5]];
      const linear = C[o] * (vx * vx + vy * vy + vz * vz);
      const mixed = C[o + 1] * (vy * wz - vz * wy) + C[o + 2] * (vz * wx - vx * wz) + C[o + 3] * (vx * wy - vy * wx);
      const angular =
        C[o + 4] * wx * wx +
        C[o + 7] * wy * wy +
        C[o + 9] * wz * wz +
        2 * (C[o + 5] * wx * wy + C[o + 6] * wx * wz + C[o + 8] * wy * wz);
      const whole = linear + Math.abs(2 * mixed) + angular;
      if (!(whole * share * columnInverses[c] < 1)) return false;
    }
    const p = 10 * parents[j];
    for (let i = 0; i < 10; i++) C[p + i] += C[o + i];
  }
  return true;
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

/** What `articulatedStates` says of a joint: bit 0, its I_A holds something; bit 1, the body's own inertia is yet to be added. */
const HELD = 1;
const OWN = 2;

/** p_A += V x* (I V) of the body, and the bias acceleration V_parent x V. */
function startJoint(data: DynamicsData, j: number, parent: number): void {
  const { biasForces: F, biasAccelerations: B, alignedVelocities: V, alignedInertias: I } = data;
  data.articulatedStates[j] |= OWN;
  const k = (6 * j) & SMALL;
  const p = (6 * parent) & SMALL;
  const i = (10 * j) & SMALL;
  const vx = V[k];
  const vy = V[k + 1];
  const vz = V[k + 2];
  const wx = V[k + 3];
  const wy = V[k + 4];
  const wz = V[k + 5];
  const ax = V[p];
  const ay = V[p + 1];
  const az = V[p + 2];
  const bx = V[p + 3];
  const by = V[p + 4];
  const bz = V[p + 5];
  B[k] = by * vz - bz * vy + ay * wz - az * wy;
  B[k + 1] = bz * vx - bx * vz + az * wx - ax * wz;
  B[k + 2] = bx * vy - by * vx + ax * wy - ay * wx;
  B[k + 3] = by * wz - bz * wy;
  B[k + 4] = bz * wx - bx * wz;
  B[k + 5] = bx * wy - by * wx;
  const m = I[i];
  const hx = I[i + 1];
  const hy = I[i + 2];
  const hz = I[i + 3];
  const xy = I[i + 5];
  const xz = I[i + 6];
  const yz = I[i + 8];
  const p0 = m * vx + wy * hz - wz * hy;
  const p1 = m * vy + wz * hx - wx * hz;
  const p2 = m * vz + wx * hy - wy * hx;
  const l0 = I[i + 4] * wx + xy * wy + xz * wz + hy * vz - hz * vy;
  const l1 = xy * wx + I[i + 7] * wy + yz * wz + hz * vx - hx * vz;
  const l2 = xz * wx + yz * wy + I[i + 9] * wz + hx * vy - hy * vx;
  F[k] += wy * p2 - wz * p1;
  F[k + 1] += wz * p0 - wx * p2;
  F[k + 2] += wx * p1 - wy * p0;
  F[k + 3] += wy * l2 - wz * l1 + vy * p2 - vz * p1;
  F[k + 4] += wz * l0 - wx * l2 + vz * p0 - vx * p2;
  F[k + 5] += wx * l1 - wy * l0 + vx * p1 - vy * p0;
}

/**
 * Takes column c of joint j out of I_A and p_A of j, and gives what is rigid to it to joint `to`: to j itself while columns
 * remain, else to the parent (0, the base: nobody asks). The bias acceleration acts between the joint's first column and its
 * parent. One function, so that the 21 numbers are read and written once; with vectors and matrices it reads as in
 * readable-twins.test.ts, which checks it. False when singular.
 */
function eliminateColumn(data: DynamicsData, j: number, c: number, to: number): boolean {
  const { articulatedInertias: A, biasForces: F, alignedSubspaces: S, columnForces: U, articulatedStates } = data;
  const k = (6 * j) & SMALL;
  const s = (6 * c) & SMALL;
  let m0 = 0;
  let m1 = 0;
  let m2 = 0;
  let m3 = 0;
  let m4 = 0;
  let m5 = 0;
  let h0 = 0;
  let h1 = 0;
  let h2 = 0;
  let h3 = 0;
  let h4 = 0;
  let h5 = 0;
  let h6 = 0;
  let h7 = 0;
  let h8 = 0;
  let i0 = 0;
  let i1 = 0;
  let i2 = 0;
  let i3 = 0;
  let i4 = 0;
  let i5 = 0;
  const state = articulatedStates[j];
  if ((state & HELD) !== 0) {
    const o = (21 * j) & SMALL;
    m0 = A[o];
    m1 = A[o + 1];
    m2 = A[o + 2];
    m3 = A[o + 3];
    m4 = A[o + 4];
    m5 = A[o + 5];
    h0 = A[o + 6];
    h1 = A[o + 7];
    h2 = A[o + 8];
    h3 = A[o + 9];
    h4 = A[o + 10];
    h5 = A[o + 11];
    h6 = A[o + 12];
    h7 = A[o + 13];
    h8 = A[o + 14];
    i0 = A[o + 15];
    i1 = A[o + 16];
    i2 = A[o + 17];
    i3 = A[o + 18];
    i4 = A[o + 19];
    i5 = A[o + 20];
  }
  if ((state & OWN) !== 0) {
    const { alignedInertias: I } = data;
    const i = (10 * j) & SMALL;
    const m = I[i];
    const hx = I[i + 1];
    const hy = I[i + 2];
    const hz = I[i + 3];
    m0 += m;
    m3 += m;
    m5 += m;
    h1 += hz;
    h2 -= hy;
    h3 -= hz;
    h5 += hx;
    h6 += hy;
    h7 -= hx;
    i0 += I[i + 4];
    i1 += I[i + 5];
    i2 += I[i + 6];
    i3 += I[i + 7];
    i4 += I[i + 8];
    i5 += I[i + 9];
  }
  const s0 = S[s];
  const s1 = S[s + 1];
  const s2 = S[s + 2];
  const s3 = S[s + 3];
  const s4 = S[s + 4];
  const s5 = S[s + 5];
  const u0 = m0 * s0 + m1 * s1 + m2 * s2 + h0 * s3 + h1 * s4 + h2 * s5;
  const u1 = m1 * s0 + m3 * s1 + m4 * s2 + h3 * s3 + h4 * s4 + h5 * s5;
  const u2 = m2 * s0 + m4 * s1 + m5 * s2 + h6 * s3 + h7 * s4 + h8 * s5;
  const u3 = h0 * s0 + h3 * s1 + h6 * s2 + i0 * s3 + i1 * s4 + i2 * s5;
  const u4 = h1 * s0 + h4 * s1 + h7 * s2 + i1 * s3 + i3 * s4 + i4 * s5;
  const u5 = h2 * s0 + h5 * s1 + h8 * s2 + i2 * s3 + i4 * s4 + i5 * s5;
  const f0 = F[k];
  const f1 = F[k + 1];
  const f2 = F[k + 2];
  const f3 = F[k + 3];
  const f4 = F[k + 4];
  const f5 = F[k + 5];
  const i = data.columnVelocities[c];
  const D = s0 * u0 + s1 * u1 + s2 * u2 + s3 * u3 + s4 * u4 + s5 * u5 + data.armature[i];
  const inverse = D > SMALLEST_INERTIA ? 1 / D : 0;
  const u = data.tau[i] - (f0 * s0 + f1 * s1 + f2 * s2 + f3 * s3 + f4 * s4 + f5 * s5);
  U[s] = u0;
  U[s + 1] = u1;
  U[s + 2] = u2;
  U[s + 3] = u3;
  U[s + 4] = u4;
  U[s + 5] = u5;
  data.columnInverses[c] = inverse;
  data.columnTorques[c] = u;
  if (to === 0) return inverse !== 0;
  const t0 = u0 * inverse;
  const t1 = u1 * inverse;
  const t2 = u2 * inverse;
  const t3 = u3 * inverse;
  const t4 = u4 * inverse;
  const t5 = u5 * inverse;
  m0 -= t0 * u0;
  m1 -= t0 * u1;
  m2 -= t0 * u2;
  m3 -= t1 * u1;
  m4 -= t1 * u2;
  m5 -= t2 * u2;
  h0 -= t0 * u3;
  h1 -= t0 * u4;
  h2 -= t0 * u5;
  h3 -= t1 * u3;
  h4 -= t1 * u4;
  h5 -= t1 * u5;
  h6 -= t2 * u3;
  h7 -= t2 * u4;
  h8 -= t2 * u5;
  i0 -= t3 * u3;
  i1 -= t3 * u4;
  i2 -= t3 * u5;
  i3 -= t4 * u4;
  i4 -= t4 * u5;
  i5 -= t5 * u5;
  const p = (6 * to) & SMALL;
  if (to === j) {
    articulatedStates[j] = 0;
    F[k] = f0 + t0 * u;
    F[k + 1] = f1 + t1 * u;
    F[k + 2] = f2 + t2 * u;
    F[k + 3] = f3 + t3 * u;
    F[k + 4] = f4 + t4 * u;
    F[k + 5] = f5 + t5 * u;
  } else {
    const { biasAccelerations: B } = data;
    const c0 = B[k];
    const c1 = B[k + 1];
    const c2 = B[k + 2];
    const c3 = B[k + 3];
    const c4 = B[k + 4];
    const c5 = B[k + 5];
    F[p] += f0 + t0 * u + m0 * c0 + m1 * c1 + m2 * c2 + h0 * c3 + h1 * c4 + h2 * c5;
    F[p + 1] += f1 + t1 * u + m1 * c0 + m3 * c1 + m4 * c2 + h3 * c3 + h4 * c4 + h5 * c5;
    F[p + 2] += f2 + t2 * u + m2 * c0 + m4 * c1 + m5 * c2 + h6 * c3 + h7 * c4 + h8 * c5;
    F[p + 3] += f3 + t3 * u + h0 * c0 + h3 * c1 + h6 * c2 + i0 * c3 + i1 * c4 + i2 * c5;
    F[p + 4] += f4 + t4 * u + h1 * c0 + h4 * c1 + h7 * c2 + i1 * c3 + i3 * c4 + i4 * c5;
    F[p + 5] += f5 + t5 * u + h2 * c0 + h5 * c1 + h8 * c2 + i2 * c3 + i4 * c4 + i5 * c5;
  }
  const o = (21 * to) & SMALL;
  if ((articulatedStates[to] & HELD) !== 0) {
    m0 += A[o];
    m1 += A[o + 1];
    m2 += A[o + 2];
    m3 += A[o + 3];
    m4 += A[o + 4];
    m5 += A[o + 5];
    h0 += A[o + 6];
    h1 += A[o + 7];
    h2 += A[o + 8];
    h3 += A[o + 9];
    h4 += A[o + 10];
    h5 += A[o + 11];
    h6 += A[o + 12];
    h7 += A[o + 13];
    h8 += A[o + 14];
    i0 += A[o + 15];
    i1 += A[o + 16];
    i2 += A[o + 17];
    i3 += A[o + 18];
    i4 += A[o + 19];
    i5 += A[o + 20];
  }
  articulatedStates[to] |= HELD;
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
  return inverse !== 0;
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
    const p = (6 * parents[j]) & SMALL;
    const out = (6 * j) & SMALL;
    let a0 = A[p] + B[out];
    let a1 = A[p + 1] + B[out + 1];
    let a2 = A[p + 2] + B[out + 2];
    let a3 = A[p + 3] + B[out + 3];
    let a4 = A[p + 4] + B[out + 4];
    let a5 = A[p + 5] + B[out + 5];
    const end = columnStarts[j + 1];
    // First column first: it was eliminated last.
    for (let c = columnStarts[j]; c < end; c++) {
      const s = (6 * c) & SMALL;
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

/**
 * What the derivatives of RNEA and ABA are made of: per column c its motions P, R, Q and the forces that they take, in the
 * common frame of `aligned.ts`.
 *
 * Method: 1. outward, V and A of every body and of every column
 *   P = V_p x S,   R = A_p x S + V_p x P,   Q = (V_p + V) x S,   p the parent's body (one column alone: Q = 2 P);
 * 2. each body's momentum, E (aligned.ts) and the force f = I A + V x* I V less external ones; 3. inward, their sums over
 * subtrees, and with those
 *   D_q = 2B P + I R + S x* f,   D_v = 2B S + I Q,   D_a = I S,   B_t = 2B^T S (whose linear part is zero).
 * Numbers of a body are read once, into locals; with vectors it reads as in readable-derivatives.test.ts, which checks it.
 * Source: Singh, Russell, Wensing 2022, "Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra",
 * doi:10.1109/LRA.2022.3141194, of which P, R, Q are the second, third and sum of rates; 2B in the form of `aligned.ts`.
 *
 *   array          stride  index    content
 *   parentRates, parentAccelerations, rateSums   6   column   P, R, Q
 *   alignedForces  6       joint    f of the body, then of the subtree
 *   forceRates     21      column   D_q (6), D_v (6), D_a (6), angular part of B_t (3)
 * Cost: linear in joints, no allocation.
 */
import { transformForce } from '../math/spatial.js';
import type { Model } from '../model/model.js';
import { readAlignedPlacement } from './aligned.js';
import type { DynamicsData } from './dynamics-data.js';
import { checkExternalForces } from './rnea.js';

/** See kinematics/forward-kinematics.ts. */
const SMALL = 0x3fffffff;

/** Numbers per column in `forceRates`. */
export const RATES = 21;

/** Everything above after `alignJoints`, from `data.v` and `data.a`; joints' own entries of the derivatives of RNEA are added. */
export function writeDerivativeTerms(model: Model, data: DynamicsData, externalForces: ArrayLike<number> | null): void {
  alignRates(model, data);
  writeBodies(data, model.jointCount);
  if (externalForces !== null) subtractForces(model, data, externalForces);
  sumSubtrees(model, data);
  writeForceRates(model, data);
  addForceTurns(model, data);
}

/** V, A, and P, R, Q of the columns. */
function alignRates(model: Model, data: DynamicsData): void {
  const { alignedVelocities: V, alignedAccelerations: A, alignedSubspaces: S, columnStarts, columnVelocities } = data;
  const { parentRates: P, parentAccelerations: R, rateSums: Q, gravity, v, a } = data;
  const { parents, jointCount } = model;
  for (let i = 0; i < 3; i++) {
    A[i] = -gravity[i];
    A[i + 3] = 0;
  }
  for (let j = 1; j < jointCount; j++) {
    const p = (6 * parents[j]) & SMALL;
    const vx = V[p];
    const vy = V[p + 1];
    const vz = V[p + 2];
    const wx = V[p + 3];
    const wy = V[p + 4];
    const wz = V[p + 5];
    const ax = A[p];
    const ay = A[p + 1];
    const az = A[p + 2];
    const ex = A[p + 3];
    const ey = A[p + 4];
    const ez = A[p + 5];
    const o = (6 * j) & SMALL;
    let v0 = vx;
    let v1 = vy;
    let v2 = vz;
    let v3 = wx;
    let v4 = wy;
    let v5 = wz;
    let a0 = ax;
    let a1 = ay;
    let a2 = az;
    let a3 = ex;
    let a4 = ey;
    let a5 = ez;
    const first = columnStarts[j];
    const end = columnStarts[j + 1];
    for (let c = first; c < end; c++) {
      const s = (6 * c) & SMALL;
      const k = columnVelocities[c];
      const rate = v[k];
      const gain = a[k];
      const s0 = S[s];
      const s1 = S[s + 1];
      const s2 = S[s + 2];
      const s3 = S[s + 3];
      const s4 = S[s + 4];
      const s5 = S[s + 5];
      const p0 = wy * s2 - wz * s1 + vy * s5 - vz * s4;
      const p1 = wz * s0 - wx * s2 + vz * s3 - vx * s5;
      const p2 = wx * s1 - wy * s0 + vx * s4 - vy * s3;
      const p3 = wy * s5 - wz * s4;
      const p4 = wz * s3 - wx * s5;
      const p5 = wx * s4 - wy * s3;
      P[s] = p0;
      P[s + 1] = p1;
      P[s + 2] = p2;
      P[s + 3] = p3;
      P[s + 4] = p4;
      P[s + 5] = p5;
      Q[s] = 2 * p0;
      Q[s + 1] = 2 * p1;
      Q[s + 2] = 2 * p2;
      Q[s + 3] = 2 * p3;
      Q[s + 4] = 2 * p4;
      Q[s + 5] = 2 * p5;
      R[s] = ey * s2 - ez * s1 + ay * s5 - az * s4 + wy * p2 - wz * p1 + vy * p5 - vz * p4;
      R[s + 1] = ez * s0 - ex * s2 + az * s3 - ax * s5 + wz * p0 - wx * p2 + vz * p3 - vx * p5;
      R[s + 2] = ex * s1 - ey * s0 + ax * s4 - ay * s3 + wx * p1 - wy * p0 + vx * p4 - vy * p3;
      R[s + 3] = ey * s5 - ez * s4 + wy * p5 - wz * p4;
      R[s + 4] = ez * s3 - ex * s5 + wz * p3 - wx * p5;
      R[s + 5] = ex * s4 - ey * s3 + wx * p4 - wy * p3;
      v0 += s0 * rate;
      v1 += s1 * rate;
      v2 += s2 * rate;
      v3 += s3 * rate;
      v4 += s4 * rate;
      v5 += s5 * rate;
      // V x S v = V_p x S v.
      a0 += s0 * gain + p0 * rate;
      a1 += s1 * gain + p1 * rate;
      a2 += s2 * gain + p2 * rate;
      a3 += s3 * gain + p3 * rate;
      a4 += s4 * gain + p4 * rate;
      a5 += s5 * gain + p5 * rate;
    }
    V[o] = v0;
    V[o + 1] = v1;
    V[o + 2] = v2;
    V[o + 3] = v3;
    V[o + 4] = v4;
    V[o + 5] = v5;
    A[o] = a0;
    A[o + 1] = a1;
    A[o + 2] = a2;
    A[o + 3] = a3;
    A[o + 4] = a4;
    A[o + 5] = a5;
    if (end > first + 1) addOwnTurn(data, first, end, p, o);
  }
}

/** Q += (V - V_p) x S: what a joint's other columns turn. */
function addOwnTurn(data: DynamicsData, first: number, end: number, p: number, o: number): void {
  const { alignedVelocities: V, alignedSubspaces: S, rateSums: Q } = data;
  const x = V[o] - V[p];
  const y = V[o + 1] - V[p + 1];
  const z = V[o + 2] - V[p + 2];
  const wx = V[o + 3] - V[p + 3];
  const wy = V[o + 4] - V[p + 4];
  const wz = V[o + 5] - V[p + 5];
  for (let s = 6 * first; s < 6 * end; s += 6) {
    Q[s] += wy * S[s + 2] - wz * S[s + 1] + y * S[s + 5] - z * S[s + 4];
    Q[s + 1] += wz * S[s] - wx * S[s + 2] + z * S[s + 3] - x * S[s + 5];
    Q[s + 2] += wx * S[s + 1] - wy * S[s] + x * S[s + 4] - y * S[s + 3];
    Q[s + 3] += wy * S[s + 5] - wz * S[s + 4];
    Q[s + 4] += wz * S[s + 3] - wx * S[s + 5];
    Q[s + 5] += wx * S[s + 4] - wy * S[s + 3];
  }
}

/** Momentum, E and f of each body alone. */
function writeBodies(data: DynamicsData, jointCount: number): void {
  const { alignedInertias: I, alignedMomenta: M, alignedCoriolis: E, alignedForces: F } = data;
  const { alignedVelocities: V, alignedAccelerations: A } = data;
  for (let j = 1; j < jointCount; j++) {
    const i = (10 * j) & SMALL;
    const k = (6 * j) & SMALL;
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
    const p0 = m * vx + wy * hz - wz * hy;
    const p1 = m * vy + wz * hx - wx * hz;
    const p2 = m * vz + wx * hy - wy * hx;
    const l0 = xx * wx + xy * wy + xz * wz + hy * vz - hz * vy;
    const l1 = xy * wx + yy * wy + yz * wz + hz * vx - hx * vz;
    const l2 = xz * wx + yz * wy + zz * wz + hx * vy - hy * vx;
    const t = (3 * j) & SMALL;
    M[t] = p0;
    M[t + 1] = p1;
    M[t + 2] = p2;
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
    const d0 = vx * hx;
    const d1 = vy * hy;
    const d2 = vz * hz;
    const sxy = wy * yz - wz * yy + wz * xx - wx * xz - hx * vy - hy * vx;
    const sxz = wy * zz - wz * yz + wx * xy - wy * xx - hx * vz - hz * vx;
    const syz = wz * xz - wx * zz + wx * yy - wy * xy - hy * vz - hz * vy;
    const e = (9 * j) & SMALL;
    E[e] = 2 * (d1 + d2 + wy * xz - wz * xy);
    E[e + 1] = sxy + l2;
    E[e + 2] = sxz - l1;
    E[e + 3] = sxy - l2;
    E[e + 4] = 2 * (d0 + d2 + wz * xy - wx * yz);
    E[e + 5] = syz + l0;
    E[e + 6] = sxz + l1;
    E[e + 7] = syz - l0;
    E[e + 8] = 2 * (d0 + d1 + wx * yz - wy * xz);
  }
}

const force = new Float64Array(6);
const placement = new Float64Array(12);

/** f -= the external forces, carried from the joint frames. */
function subtractForces(model: Model, data: DynamicsData, externalForces: ArrayLike<number>): void {
  const { alignedForces: F } = data;
  checkExternalForces(model, externalForces);
  for (let j = 1; j < model.jointCount; j++) {
    for (let i = 0; i < 6; i++) force[i] = externalForces[6 * j + i];
    readAlignedPlacement(placement, data, j);
    transformForce(force, placement, force);
    for (let i = 0; i < 6; i++) F[6 * j + i] -= force[i];
  }
}

/** Adds up inertia, momentum, E and f over subtrees. */
function sumSubtrees(model: Model, data: DynamicsData): void {
  const { alignedInertias: I, alignedMomenta: M, alignedCoriolis: E, alignedForces: F } = data;
  const { parents } = model;
  for (let j = model.jointCount - 1; j > 0; j--) {
    const parent = parents[j];
    if (parent === 0) continue;
    let to = (10 * parent) & SMALL;
    let from = (10 * j) & SMALL;
    I[to] += I[from];
    I[to + 1] += I[from + 1];
    I[to + 2] += I[from + 2];
    I[to + 3] += I[from + 3];
    I[to + 4] += I[from + 4];
    I[to + 5] += I[from + 5];
    I[to + 6] += I[from + 6];
    I[to + 7] += I[from + 7];
    I[to + 8] += I[from + 8];
    I[to + 9] += I[from + 9];
    to = (9 * parent) & SMALL;
    from = (9 * j) & SMALL;
    E[to] += E[from];
    E[to + 1] += E[from + 1];
    E[to + 2] += E[from + 2];
    E[to + 3] += E[from + 3];
    E[to + 4] += E[from + 4];
    E[to + 5] += E[from + 5];
    E[to + 6] += E[from + 6];
    E[to + 7] += E[from + 7];
    E[to + 8] += E[from + 8];
    to = (6 * parent) & SMALL;
    from = (6 * j) & SMALL;
    F[to] += F[from];
    F[to + 1] += F[from + 1];
    F[to + 2] += F[from + 2];
    F[to + 3] += F[from + 3];
    F[to + 4] += F[from + 4];
    F[to + 5] += F[from + 5];
    to = (3 * parent) & SMALL;
    from = (3 * j) & SMALL;
    M[to] += M[from];
    M[to + 1] += M[from + 1];
    M[to + 2] += M[from + 2];
  }
}

/** D_q yet without S x* f, D_v, D_a and B_t of every column. */
function writeForceRates(model: Model, data: DynamicsData): void {
  const { alignedInertias: I, alignedMomenta: M, alignedCoriolis: E, forceRates: D, columnStarts } = data;
  const { alignedSubspaces: S, parentRates: P, parentAccelerations: R, rateSums: Q } = data;
  const { jointCount } = model;
  for (let j = 1; j < jointCount; j++) {
    const i = (10 * j) & SMALL;
    const e = (9 * j) & SMALL;
    const t = (3 * j) & SMALL;
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
    const e0 = E[e];
    const e1 = E[e + 1];
    const e2 = E[e + 2];
    const e3 = E[e + 3];
    const e4 = E[e + 4];
    const e5 = E[e + 5];
    const e6 = E[e + 6];
    const e7 = E[e + 7];
    const e8 = E[e + 8];
    const mx = 2 * M[t];
    const my = 2 * M[t + 1];
    const mz = 2 * M[t + 2];
    const end = columnStarts[j + 1];
    for (let c = columnStarts[j]; c < end; c++) {
      const s = (6 * c) & SMALL;
      const o = (RATES * c) & SMALL;
      const s0 = S[s];
      const s1 = S[s + 1];
      const s2 = S[s + 2];
      const s3 = S[s + 3];
      const s4 = S[s + 4];
      const s5 = S[s + 5];
      D[o + 12] = m * s0 + s4 * hz - s5 * hy;
      D[o + 13] = m * s1 + s5 * hx - s3 * hz;
      D[o + 14] = m * s2 + s3 * hy - s4 * hx;
      D[o + 15] = xx * s3 + xy * s4 + xz * s5 + hy * s2 - hz * s1;
      D[o + 16] = xy * s3 + yy * s4 + yz * s5 + hz * s0 - hx * s2;
      D[o + 17] = xz * s3 + yz * s4 + zz * s5 + hx * s1 - hy * s0;
      D[o + 18] = my * s2 - mz * s1 + e0 * s3 + e3 * s4 + e6 * s5;
      D[o + 19] = mz * s0 - mx * s2 + e1 * s3 + e4 * s4 + e7 * s5;
      D[o + 20] = mx * s1 - my * s0 + e2 * s3 + e5 * s4 + e8 * s5;
      let r0 = Q[s];
      let r1 = Q[s + 1];
      let r2 = Q[s + 2];
      let r3 = Q[s + 3];
      let r4 = Q[s + 4];
      let r5 = Q[s + 5];
      D[o + 6] = m * r0 + r4 * hz - r5 * hy + mz * s4 - my * s5;
      D[o + 7] = m * r1 + r5 * hx - r3 * hz + mx * s5 - mz * s3;
      D[o + 8] = m * r2 + r3 * hy - r4 * hx + my * s3 - mx * s4;
      D[o + 9] = xx * r3 + xy * r4 + xz * r5 + hy * r2 - hz * r1 + e0 * s3 + e1 * s4 + e2 * s5;
      D[o + 10] = xy * r3 + yy * r4 + yz * r5 + hz * r0 - hx * r2 + e3 * s3 + e4 * s4 + e5 * s5;
      D[o + 11] = xz * r3 + yz * r4 + zz * r5 + hx * r1 - hy * r0 + e6 * s3 + e7 * s4 + e8 * s5;
      r0 = R[s];
      r1 = R[s + 1];
      r2 = R[s + 2];
      r3 = R[s + 3];
      r4 = R[s + 4];
      r5 = R[s + 5];
      const p3 = P[s + 3];
      const p4 = P[s + 4];
      const p5 = P[s + 5];
      D[o] = m * r0 + r4 * hz - r5 * hy + mz * p4 - my * p5;
      D[o + 1] = m * r1 + r5 * hx - r3 * hz + mx * p5 - mz * p3;
      D[o + 2] = m * r2 + r3 * hy - r4 * hx + my * p3 - mx * p4;
      D[o + 3] = xx * r3 + xy * r4 + xz * r5 + hy * r2 - hz * r1 + e0 * p3 + e1 * p4 + e2 * p5;
      D[o + 4] = xy * r3 + yy * r4 + yz * r5 + hz * r0 - hx * r2 + e3 * p3 + e4 * p4 + e5 * p5;
      D[o + 5] = xz * r3 + yz * r4 + zz * r5 + hx * r1 - hy * r0 + e6 * p3 + e7 * p4 + e8 * p5;
    }
  }
}

/** What each joint's columns feel of each other, D_q without the force's own turn, which belongs to what carries the joint; then D_q whole. */
function addForceTurns(model: Model, data: DynamicsData): void {
  const { alignedSubspaces: S, alignedForces: F, forceRates: D, dtauDq, dtauDv, columnStarts, columnVelocities } = data;
  const { nv, jointCount, parents } = model;
  for (let j = 1; j < jointCount; j++) {
    const k = (6 * j) & SMALL;
    const f0 = F[k];
    const f1 = F[k + 1];
    const f2 = F[k + 2];
    const n0 = F[k + 3];
    const n1 = F[k + 4];
    const n2 = F[k + 5];
    const first = columnStarts[j];
    const end = columnStarts[j + 1];
    for (let c = first; c < end; c++) {
      const column = columnVelocities[c];
      const o = (RATES * c) & SMALL;
      const q0 = D[o];
      const q1 = D[o + 1];
      const q2 = D[o + 2];
      const q3 = D[o + 3];
      const q4 = D[o + 4];
      const q5 = D[o + 5];
      for (let d = first; d < end; d++) {
        const s = (6 * d) & SMALL;
        const s0 = S[s];
        const s1 = S[s + 1];
        const s2 = S[s + 2];
        const s3 = S[s + 3];
        const s4 = S[s + 4];
        const s5 = S[s + 5];
        const at = (columnVelocities[d] * nv + column) & SMALL;
        dtauDq[at] += s0 * q0 + s1 * q1 + s2 * q2 + s3 * q3 + s4 * q4 + s5 * q5;
        dtauDv[at] += s0 * D[o + 6] + s1 * D[o + 7] + s2 * D[o + 8] + s3 * D[o + 9] + s4 * D[o + 10] + s5 * D[o + 11];
      }
      if (parents[j] === 0) continue;
      const s = (6 * c) & SMALL;
      const s0 = S[s];
      const s1 = S[s + 1];
      const s2 = S[s + 2];
      const s3 = S[s + 3];
      const s4 = S[s + 4];
      const s5 = S[s + 5];
      D[o] = q0 + s4 * f2 - s5 * f1;
      D[o + 1] = q1 + s5 * f0 - s3 * f2;
      D[o + 2] = q2 + s3 * f1 - s4 * f0;
      D[o + 3] = q3 + s4 * n2 - s5 * n1 + s1 * f2 - s2 * f1;
      D[o + 4] = q4 + s5 * n0 - s3 * n2 + s2 * f0 - s0 * f2;
      D[o + 5] = q5 + s3 * n1 - s4 * n0 + s0 * f1 - s1 * f0;
    }
  }
}

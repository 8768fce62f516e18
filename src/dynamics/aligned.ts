/**
 * Bodies in one common frame A: world axes, origin at the robot's first joint, so that what subtrees have in common
 * is a plain sum. Coriolis, derivatives and centroidal quantities are built on it. (The origin keeps a robot far from the
 * world's origin from losing digits.)
 *
 * With V, I, p (linear momentum) of a body in A, the operator of Christoffel type
 *   2B = (V x*) I - I (V x) + (I V) x-bar*,   B V = V x* (I V),   B + B^T = dI/dt
 * is [[0, -2 hat(p)], [0, E]]: the lower left block cancels. E = 2 (v . h) 1 - h v^T - v h^T + hat(w) I_o - I_o hat(w)
 * - hat(l), h the first moment, I_o the inertia about the origin of A, l the moment of momentum. Twelve numbers, which add up.
 * Source of B: Echeandia, Wensing 2021, "Numerical methods to compute the Coriolis matrix and Christoffel symbols for
 * rigid-body systems", doi:10.1115/1.4051169. The block form above is worked out from it.
 *
 *   array                  stride  index    content
 *   alignedVelocities      6       joint    V of the body, in A
 *   alignedSubspaces       6       column   S in A
 *   alignedRates           6       column   dS/dt = V x S
 *   alignedInertias        10      joint    of the body, then of the subtree
 *   alignedMomenta         3       joint    p of the subtree
 *   alignedCoriolis        9       joint    E of the subtree
 * Cost: linear in joints, no allocation. Tested by identities.test.ts and test/oracle/dynamics.test.ts.
 */
import { forwardKinematics } from '../kinematics/forward-kinematics.js';
import type { Model } from '../model/model.js';
import type { DynamicsData } from './dynamics-data.js';

/** See kinematics/forward-kinematics.ts. */
const SMALL = 0x3fffffff;

/** Columns and bodies' own inertias in A, from `data.q`. */
export function alignJoints(model: Model, data: DynamicsData): void {
  const { kinematics, alignedSubspaces: S, alignedInertias: I, bodyInertias, columnStarts, columnUnits, origin } = data;
  forwardKinematics(model, kinematics, data.q);
  const W = kinematics.jointPlacements;
  if (model.jointCount > 1) {
    origin[0] = W[21];
    origin[1] = W[22];
    origin[2] = W[23];
  }
  const x0 = origin[0];
  const y0 = origin[1];
  const z0 = origin[2];
  for (let j = 1; j < model.jointCount; j++) {
    const at = (12 * j) & SMALL;
    const r0 = W[at];
    const r1 = W[at + 1];
    const r2 = W[at + 2];
    const r3 = W[at + 3];
    const r4 = W[at + 4];
    const r5 = W[at + 5];
    const r6 = W[at + 6];
    const r7 = W[at + 7];
    const r8 = W[at + 8];
    const px = W[at + 9] - x0;
    const py = W[at + 10] - y0;
    const pz = W[at + 11] - z0;
    const end = columnStarts[j + 1];
    for (let c = columnStarts[j]; c < end; c++) {
      const unit = columnUnits[c];
      if (unit < 0) {
        alignColumn(data, j, c);
        continue;
      }
      // Along a coordinate axis: a column of R, of a turn through the joint's origin.
      const axis = unit % 3;
      const wx = axis === 0 ? r0 : axis === 1 ? r1 : r2;
      const wy = axis === 0 ? r3 : axis === 1 ? r4 : r5;
      const wz = axis === 0 ? r6 : axis === 1 ? r7 : r8;
      const s = (6 * c) & SMALL;
      const turns = unit >= 3;
      S[s] = turns ? py * wz - pz * wy : wx;
      S[s + 1] = turns ? pz * wx - px * wz : wy;
      S[s + 2] = turns ? px * wy - py * wx : wz;
      S[s + 3] = turns ? wx : 0;
      S[s + 4] = turns ? wy : 0;
      S[s + 5] = turns ? wz : 0;
    }
    // Parallel axes without the centre of mass, which a massless body lacks: with g = R (m c) and k = g + m p,
    // I' = R I R^T - hat(p) hat(g) - hat(k) hat(p).
    const i = (10 * j) & SMALL;
    const m = bodyInertias[i];
    const hx = bodyInertias[i + 1];
    const hy = bodyInertias[i + 2];
    const hz = bodyInertias[i + 3];
    const xx = bodyInertias[i + 4];
    const xy = bodyInertias[i + 5];
    const xz = bodyInertias[i + 6];
    const yy = bodyInertias[i + 7];
    const yz = bodyInertias[i + 8];
    const zz = bodyInertias[i + 9];
    const gx = r0 * hx + r1 * hy + r2 * hz;
    const gy = r3 * hx + r4 * hy + r5 * hz;
    const gz = r6 * hx + r7 * hy + r8 * hz;
    const kx = gx + m * px;
    const ky = gy + m * py;
    const kz = gz + m * pz;
    // T = R I, then T R^T.
    const t0 = r0 * xx + r1 * xy + r2 * xz;
    const t1 = r0 * xy + r1 * yy + r2 * yz;
    const t2 = r0 * xz + r1 * yz + r2 * zz;
    const t3 = r3 * xx + r4 * xy + r5 * xz;
    const t4 = r3 * xy + r4 * yy + r5 * yz;
    const t5 = r3 * xz + r4 * yz + r5 * zz;
    const t6 = r6 * xx + r7 * xy + r8 * xz;
    const t7 = r6 * xy + r7 * yy + r8 * yz;
    const t8 = r6 * xz + r7 * yz + r8 * zz;
    I[i] = m;
    I[i + 1] = kx;
    I[i + 2] = ky;
    I[i + 3] = kz;
    I[i + 4] = t0 * r0 + t1 * r1 + t2 * r2 + py * gy + pz * gz + ky * py + kz * pz;
    I[i + 5] = t0 * r3 + t1 * r4 + t2 * r5 - py * gx - px * ky;
    I[i + 6] = t0 * r6 + t1 * r7 + t2 * r8 - pz * gx - px * kz;
    I[i + 7] = t3 * r3 + t4 * r4 + t5 * r5 + px * gx + pz * gz + kx * px + kz * pz;
    I[i + 8] = t3 * r6 + t4 * r7 + t5 * r8 - pz * gy - py * kz;
    I[i + 9] = t6 * r6 + t7 * r7 + t8 * r8 + px * gx + py * gy + kx * px + ky * py;
  }
}

const placement = new Float64Array(12);

/** S of any column, in A. */
function alignColumn(data: DynamicsData, j: number, c: number): void {
  readAlignedPlacement(placement, data, j);
  transformMotionAt(data.alignedSubspaces, 6 * c, placement, 0, data.columnSubspaces, 6 * c);
}

/** X_AJ */
export function readAlignedPlacement(out: Float64Array, data: DynamicsData, j: number): void {
  const W = data.kinematics.jointPlacements;
  for (let i = 0; i < 9; i++) out[i] = W[12 * j + i];
  for (let i = 0; i < 3; i++) out[9 + i] = W[12 * j + 9 + i] - data.origin[i];
}

/** Velocities of all bodies in A, V = V_parent + S v, after `alignJoints`. */
export function alignVelocities(model: Model, data: DynamicsData): void {
  const { alignedSubspaces: S, alignedVelocities: V, columnStarts, columnVelocities, v } = data;
  const { parents } = model;
  for (let j = 1; j < model.jointCount; j++) {
    const p = (6 * parents[j]) & SMALL;
    let v0 = V[p];
    let v1 = V[p + 1];
    let v2 = V[p + 2];
    let v3 = V[p + 3];
    let v4 = V[p + 4];
    let v5 = V[p + 5];
    const end = columnStarts[j + 1];
    for (let c = columnStarts[j]; c < end; c++) {
      const rate = v[columnVelocities[c]];
      const s = (6 * c) & SMALL;
      v0 += S[s] * rate;
      v1 += S[s + 1] * rate;
      v2 += S[s + 2] * rate;
      v3 += S[s + 3] * rate;
      v4 += S[s + 4] * rate;
      v5 += S[s + 5] * rate;
    }
    const o = (6 * j) & SMALL;
    V[o] = v0;
    V[o + 1] = v1;
    V[o + 2] = v2;
    V[o + 3] = v3;
    V[o + 4] = v4;
    V[o + 5] = v5;
  }
}

/** Inertias, columns, velocities and the columns' rates in A, from `data.q` and `data.v`. */
export function alignBodies(model: Model, data: DynamicsData): void {
  const { alignedSubspaces: S, alignedVelocities: V, alignedRates: T, columnStarts } = data;
  alignJoints(model, data);
  alignVelocities(model, data);
  for (let j = 1; j < model.jointCount; j++) {
    for (let c = columnStarts[j]; c < columnStarts[j + 1]; c++) crossMotionAt(T, 6 * c, V, 6 * j, S, 6 * c);
  }
}

/** Inertia, momentum and E of every subtree, after `alignBodies`. */
export function sumAlignedInertias(model: Model, data: DynamicsData): void {
  const { alignedInertias: I, alignedMomenta: P, alignedCoriolis: E } = data;
  for (let j = 1; j < model.jointCount; j++) writeCoriolis(data, j);
  I.fill(0, 0, 10);
  P.fill(0, 0, 3);
  E.fill(0, 0, 9);
  for (let j = model.jointCount - 1; j > 0; j--) {
    const p = model.parents[j];
    for (let i = 0; i < 10; i++) I[10 * p + i] += I[10 * j + i];
    for (let i = 0; i < 3; i++) P[3 * p + i] += P[3 * j + i];
    for (let i = 0; i < 9; i++) E[9 * p + i] += E[9 * j + i];
  }
}

function writeCoriolis(data: DynamicsData, j: number): void {
  const { alignedInertias: I, alignedMomenta: P, alignedCoriolis: E, alignedVelocities: V } = data;
  const i = 10 * j;
  const e = 9 * j;
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
  const vx = V[6 * j];
  const vy = V[6 * j + 1];
  const vz = V[6 * j + 2];
  const wx = V[6 * j + 3];
  const wy = V[6 * j + 4];
  const wz = V[6 * j + 5];
  P[3 * j] = m * vx + wy * hz - wz * hy;
  P[3 * j + 1] = m * vy + wz * hx - wx * hz;
  P[3 * j + 2] = m * vz + wx * hy - wy * hx;
  const l0 = xx * wx + xy * wy + xz * wz + hy * vz - hz * vy;
  const l1 = xy * wx + yy * wy + yz * wz + hz * vx - hx * vz;
  const l2 = xz * wx + yz * wy + zz * wz + hx * vy - hy * vx;
  // hat(w) I_o - I_o hat(w) is symmetric: D + D^T with D = hat(w) I_o.
  const d = 2 * (vx * hx + vy * hy + vz * hz);
  const sxy = wy * yz - wz * yy + wz * xx - wx * xz - hx * vy - hy * vx;
  const sxz = wy * zz - wz * yz + wx * xy - wy * xx - hx * vz - hz * vx;
  const syz = wz * xz - wx * zz + wx * yy - wy * xy - hy * vz - hz * vy;
  E[e] = d + 2 * (wy * xz - wz * xy - hx * vx);
  E[e + 4] = d + 2 * (wz * xy - wx * yz - hy * vy);
  E[e + 8] = d + 2 * (wx * yz - wy * xz - hz * vz);
  E[e + 1] = sxy + l2;
  E[e + 3] = sxy - l2;
  E[e + 2] = sxz - l1;
  E[e + 6] = sxz + l1;
  E[e + 5] = syz + l0;
  E[e + 7] = syz - l0;
}

/** out = I_subtree m: the force in A of a motion m. */
export function multiplyAligned(
  out: Float64Array,
  o: number,
  data: DynamicsData,
  j: number,
  m: Float64Array,
  k: number,
): void {
  const I = data.alignedInertias;
  const i = 10 * j;
  const hx = I[i + 1];
  const hy = I[i + 2];
  const hz = I[i + 3];
  const vx = m[k];
  const vy = m[k + 1];
  const vz = m[k + 2];
  const wx = m[k + 3];
  const wy = m[k + 4];
  const wz = m[k + 5];
  out[o] = I[i] * vx + wy * hz - wz * hy;
  out[o + 1] = I[i] * vy + wz * hx - wx * hz;
  out[o + 2] = I[i] * vz + wx * hy - wy * hx;
  out[o + 3] = I[i + 4] * wx + I[i + 5] * wy + I[i + 6] * wz + hy * vz - hz * vy;
  out[o + 4] = I[i + 5] * wx + I[i + 7] * wy + I[i + 8] * wz + hz * vx - hx * vz;
  out[o + 5] = I[i + 6] * wx + I[i + 8] * wy + I[i + 9] * wz + hx * vy - hy * vx;
}

/** out += factor B m, the subtree's B = [[0, -hat(p)], [0, E / 2]]. */
export function addCoriolisTimes(
  out: Float64Array,
  data: DynamicsData,
  j: number,
  m: Float64Array,
  k: number,
  factor: number,
): void {
  const { alignedMomenta: P, alignedCoriolis: E } = data;
  const x = factor * m[k + 3];
  const y = factor * m[k + 4];
  const z = factor * m[k + 5];
  const p = 3 * j;
  const e = 9 * j;
  out[0] += P[p + 2] * y - P[p + 1] * z;
  out[1] += P[p] * z - P[p + 2] * x;
  out[2] += P[p + 1] * x - P[p] * y;
  out[3] += 0.5 * (E[e] * x + E[e + 1] * y + E[e + 2] * z);
  out[4] += 0.5 * (E[e + 3] * x + E[e + 4] * y + E[e + 5] * z);
  out[5] += 0.5 * (E[e + 6] * x + E[e + 7] * y + E[e + 8] * z);
}

/** out += factor B^T m: [0, p x m_linear + E^T m_angular / 2]. */
export function addCoriolisTransposeTimes(
  out: Float64Array,
  data: DynamicsData,
  j: number,
  m: Float64Array,
  k: number,
  factor: number,
): void {
  const { alignedMomenta: P, alignedCoriolis: E } = data;
  const vx = factor * m[k];
  const vy = factor * m[k + 1];
  const vz = factor * m[k + 2];
  const x = factor * m[k + 3];
  const y = factor * m[k + 4];
  const z = factor * m[k + 5];
  const p = 3 * j;
  const e = 9 * j;
  out[3] += P[p + 1] * vz - P[p + 2] * vy + 0.5 * (E[e] * x + E[e + 3] * y + E[e + 6] * z);
  out[4] += P[p + 2] * vx - P[p] * vz + 0.5 * (E[e + 1] * x + E[e + 4] * y + E[e + 7] * z);
  out[5] += P[p] * vy - P[p + 1] * vx + 0.5 * (E[e + 2] * x + E[e + 5] * y + E[e + 8] * z);
}

/** V_A = Ad(X_AB) V_B on flat arrays. */
export function transformMotionAt(
  out: Float64Array,
  o: number,
  X: Float64Array,
  x: number,
  m: Float64Array,
  k: number,
): void {
  const wx = X[x] * m[k + 3] + X[x + 1] * m[k + 4] + X[x + 2] * m[k + 5];
  const wy = X[x + 3] * m[k + 3] + X[x + 4] * m[k + 4] + X[x + 5] * m[k + 5];
  const wz = X[x + 6] * m[k + 3] + X[x + 7] * m[k + 4] + X[x + 8] * m[k + 5];
  const vx = X[x] * m[k] + X[x + 1] * m[k + 1] + X[x + 2] * m[k + 2];
  const vy = X[x + 3] * m[k] + X[x + 4] * m[k + 1] + X[x + 5] * m[k + 2];
  const vz = X[x + 6] * m[k] + X[x + 7] * m[k + 1] + X[x + 8] * m[k + 2];
  out[o] = vx + X[x + 10] * wz - X[x + 11] * wy;
  out[o + 1] = vy + X[x + 11] * wx - X[x + 9] * wz;
  out[o + 2] = vz + X[x + 9] * wy - X[x + 10] * wx;
  out[o + 3] = wx;
  out[o + 4] = wy;
  out[o + 5] = wz;
}

/** out = a x b, both motions, on flat arrays; `out` may be `b`. */
export function crossMotionAt(
  out: Float64Array,
  o: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  k: number,
): void {
  const vx = a[i];
  const vy = a[i + 1];
  const vz = a[i + 2];
  const wx = a[i + 3];
  const wy = a[i + 4];
  const wz = a[i + 5];
  const b0 = b[k];
  const b1 = b[k + 1];
  const b2 = b[k + 2];
  const b3 = b[k + 3];
  const b4 = b[k + 4];
  const b5 = b[k + 5];
  out[o] = wy * b2 - wz * b1 + vy * b5 - vz * b4;
  out[o + 1] = wz * b0 - wx * b2 + vz * b3 - vx * b5;
  out[o + 2] = wx * b1 - wy * b0 + vx * b4 - vy * b3;
  out[o + 3] = wy * b5 - wz * b4;
  out[o + 4] = wz * b3 - wx * b5;
  out[o + 5] = wx * b4 - wy * b3;
}

export function dotAt(a: Float64Array, i: number, b: Float64Array, k: number): number {
  return (
    a[i] * b[k] +
    a[i + 1] * b[k + 1] +
    a[i + 2] * b[k + 2] +
    a[i + 3] * b[k + 3] +
    a[i + 4] * b[k + 4] +
    a[i + 5] * b[k + 5]
  );
}

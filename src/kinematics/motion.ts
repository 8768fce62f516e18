/**
 * Spatial velocity and acceleration of every joint frame, each in its own axes at its own origin.
 *
 * Method, parents first, with X = X_PM and the columns S of the joint:
 *   V_M = Ad(X)^-1 V_P + S v
 *   A_M = Ad(X)^-1 A_P + S a + V_M x (S v)
 * (every joint kind has a motion subspace that is constant in its moving frame).
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", table 5.1, doi:10.1007/978-1-4899-7560-7.
 * Units: m/s, rad/s, m/s^2, rad/s^2. The acceleration is the spatial one, the derivative of the velocity field at a fixed
 * point; a body point's (classical) acceleration adds w x v.
 * Cost: linear in joints, no allocation. Tested by motion.test.ts and test/oracle/dynamics.test.ts.
 */

import type { Model } from '../model/model.js';
import { requireModel } from '../model/model.js';
import { loadNumbers, type MotionData, requireMotion } from './motion-data.js';
import { updateRelativePlacements } from './relative-placements.js';

/** Velocities of all joint frames: `motion.velocities`. */
export function computeVelocities(
  model: Model,
  motion: MotionData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
): Float64Array {
  requireModel('computeVelocities', model);
  requireMotion('computeVelocities', model, motion);
  loadNumbers(motion.q, q, 'computeVelocities: q');
  loadNumbers(motion.v, v, 'computeVelocities: v');
  updateRelativePlacements(model, motion);
  propagateVelocities(model, motion);
  return motion.velocities;
}

/** Velocities and accelerations of all joint frames; the base stands still (no gravity in it). */
export function computeMotion(
  model: Model,
  motion: MotionData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  a: ArrayLike<number>,
): MotionData {
  requireModel('computeMotion', model);
  requireMotion('computeMotion', model, motion);
  loadNumbers(motion.q, q, 'computeMotion: q');
  loadNumbers(motion.v, v, 'computeMotion: v');
  loadNumbers(motion.a, a, 'computeMotion: a');
  updateRelativePlacements(model, motion);
  motion.accelerations.fill(0, 0, 6);
  propagateMotion(model, motion);
  return motion;
}

/** Velocities from `motion.v` and the relative placements. */
function propagateVelocities(model: Model, motion: MotionData): void {
  const { relativePlacements: X, velocities: V, columnStarts, columnSubspaces: S, columnVelocities, v } = motion;
  const { parents, jointCount } = model;
  for (let j = 1; j < jointCount; j++) {
    const x = 12 * j;
    const p = 6 * parents[j];
    const out = 6 * j;
    const wx = V[p + 3];
    const wy = V[p + 4];
    const wz = V[p + 5];
    const px = X[x + 9];
    const py = X[x + 10];
    const pz = X[x + 11];
    const ux = V[p] + wy * pz - wz * py;
    const uy = V[p + 1] + wz * px - wx * pz;
    const uz = V[p + 2] + wx * py - wy * px;
    let v0 = X[x] * ux + X[x + 3] * uy + X[x + 6] * uz;
    let v1 = X[x + 1] * ux + X[x + 4] * uy + X[x + 7] * uz;
    let v2 = X[x + 2] * ux + X[x + 5] * uy + X[x + 8] * uz;
    let v3 = X[x] * wx + X[x + 3] * wy + X[x + 6] * wz;
    let v4 = X[x + 1] * wx + X[x + 4] * wy + X[x + 7] * wz;
    let v5 = X[x + 2] * wx + X[x + 5] * wy + X[x + 8] * wz;
    const end = columnStarts[j + 1];
    for (let c = columnStarts[j]; c < end; c++) {
      const rate = v[columnVelocities[c]];
      const s = 6 * c;
      v0 += S[s] * rate;
      v1 += S[s + 1] * rate;
      v2 += S[s + 2] * rate;
      v3 += S[s + 3] * rate;
      v4 += S[s + 4] * rate;
      v5 += S[s + 5] * rate;
    }
    V[out] = v0;
    V[out + 1] = v1;
    V[out + 2] = v2;
    V[out + 3] = v3;
    V[out + 4] = v4;
    V[out + 5] = v5;
  }
}

/**
 * Velocities and accelerations from `motion.v`, `motion.a`, the relative placements and the base's acceleration
 * `motion.accelerations[0..5]` (minus gravity there makes gravity act on every body).
 */
export function propagateMotion(model: Model, motion: MotionData): void {
  const { relativePlacements: X, velocities: V, accelerations: A, columnStarts, columnSubspaces: S } = motion;
  const { columnVelocities, v, a } = motion;
  const { parents, jointCount } = model;
  for (let j = 1; j < jointCount; j++) {
    const x = 12 * j;
    const p = 6 * parents[j];
    const out = 6 * j;
    let j0 = 0;
    let j1 = 0;
    let j2 = 0;
    let j3 = 0;
    let j4 = 0;
    let j5 = 0;
    let a0 = 0;
    let a1 = 0;
    let a2 = 0;
    let a3 = 0;
    let a4 = 0;
    let a5 = 0;
    const end = columnStarts[j + 1];
    for (let c = columnStarts[j]; c < end; c++) {
      const k = columnVelocities[c];
      const rate = v[k];
      const gain = a[k];
      const s = 6 * c;
      const s0 = S[s];
      const s1 = S[s + 1];
      const s2 = S[s + 2];
      const s3 = S[s + 3];
      const s4 = S[s + 4];
      const s5 = S[s + 5];
      j0 += s0 * rate;
      j1 += s1 * rate;
      j2 += s2 * rate;
      j3 += s3 * rate;
      j4 += s4 * rate;
      j5 += s5 * rate;
      a0 += s0 * gain;
      a1 += s1 * gain;
      a2 += s2 * gain;
      a3 += s3 * gain;
      a4 += s4 * gain;
      a5 += s5 * gain;
    }
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
    let wx = V[p + 3];
    let wy = V[p + 4];
    let wz = V[p + 5];
    let ux = V[p] + wy * pz - wz * py;
    let uy = V[p + 1] + wz * px - wx * pz;
    let uz = V[p + 2] + wx * py - wy * px;
    const v0 = r0 * ux + r3 * uy + r6 * uz + j0;
    const v1 = r1 * ux + r4 * uy + r7 * uz + j1;
    const v2 = r2 * ux + r5 * uy + r8 * uz + j2;
    const v3 = r0 * wx + r3 * wy + r6 * wz + j3;
    const v4 = r1 * wx + r4 * wy + r7 * wz + j4;
    const v5 = r2 * wx + r5 * wy + r8 * wz + j5;
    V[out] = v0;
    V[out + 1] = v1;
    V[out + 2] = v2;
    V[out + 3] = v3;
    V[out + 4] = v4;
    V[out + 5] = v5;
    wx = A[p + 3];
    wy = A[p + 4];
    wz = A[p + 5];
    ux = A[p] + wy * pz - wz * py;
    uy = A[p + 1] + wz * px - wx * pz;
    uz = A[p + 2] + wx * py - wy * px;
    A[out] = r0 * ux + r3 * uy + r6 * uz + a0 + v4 * j2 - v5 * j1 + v1 * j5 - v2 * j4;
    A[out + 1] = r1 * ux + r4 * uy + r7 * uz + a1 + v5 * j0 - v3 * j2 + v2 * j3 - v0 * j5;
    A[out + 2] = r2 * ux + r5 * uy + r8 * uz + a2 + v3 * j1 - v4 * j0 + v0 * j4 - v1 * j3;
    A[out + 3] = r0 * wx + r3 * wy + r6 * wz + a3 + v4 * j5 - v5 * j4;
    A[out + 4] = r1 * wx + r4 * wy + r7 * wz + a4 + v5 * j3 - v3 * j5;
    A[out + 5] = r2 * wx + r5 * wy + r8 * wz + a5 + v3 * j4 - v4 * j3;
  }
}

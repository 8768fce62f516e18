/**
 * The joint space inertia matrix M(q) by the composite rigid body algorithm (CRBA), in the frames of `zero-frames.ts`.
 *
 * Method, inward over the joints: 1. the inertia I_c of the joint's subtree in its frame is complete, since its
 * children have added theirs; 2. the force F = I_c S that a unit acceleration of each of its columns takes is a column of I_c where
 * S is a coordinate axis; 3. S^T F of all columns of the subtree, which depth-first order keeps together, are the entries of
 * M; 4. I_c and those F move on to the parent. With mimic joints the entries of all pairs of columns with the same drivers
 * add up. Where joints turn about coordinate axes, as of most robots in these frames, they are crossed by plane turns (6 operations
 * on a vector, 16 on an inertia) and not by full products (15 and 75), and the relative placements are not needed. Each crossing is one function that holds the joint's
 * numbers, and entries of M are read off the forces in passing.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", table 6.2, doi:10.1007/978-1-4899-7560-7. Carrying whole blocks
 * of forces instead of one at a time keeps the joint's numbers in registers.
 * Writes `data.M`, both triangles, armature on the diagonal.
 * Cost: joints x depth, no allocation. Tested by crba.test.ts, identities.test.ts (columns are differences of RNEA) and
 * test/oracle/dynamics.test.ts.
 */

import { loadNumbers } from '../kinematics/motion-data.js';
import type { Model } from '../model/model.js';
import type { DynamicsData } from './dynamics-data.js';
import { requireDynamics } from './dynamics-data.js';
import { openRecursions, runCrbaByKernel } from './recursions.js';
import { placeZeroFrames } from './zero-frames.js';

export function crba(model: Model, data: DynamicsData, q: ArrayLike<number>): Float64Array {
  requireDynamics('crba', model, data);
  loadNumbers(data.q, q, 'crba: q');
  return runCrba(model, data);
}

/** See kinematics/forward-kinematics.ts. */
const SMALL = 0x3fffffff;

/** M from `data.q`. */
export function runCrba(model: Model, data: DynamicsData): Float64Array {
  const block = openRecursions(model, data);
  if (block === null || !runCrbaByKernel(block, model, data)) runCrbaInScript(model, data);
  return data.M;
}

function runCrbaInScript(model: Model, data: DynamicsData): void {
  const { M, armature, columnStarts, hasMimic, compositeInertias: I, zeroFrames } = data;
  const { turnAxes } = zeroFrames;
  const { nv, parents, subtreeEnds } = model;
  placeZeroFrames(zeroFrames, model, data);
  // Without mimic joints every entry is written once, and those of other branches stay zero.
  if (hasMimic) M.fill(0);
  I.set(zeroFrames.inertias);
  for (let j = model.jointCount - 1; j > 0; j--) {
    const first = columnStarts[j];
    const own = columnStarts[j + 1];
    const end = columnStarts[subtreeEnds[j]];
    for (let c = first; c < own; c++) writeForce(data, j, c);
    for (let d = first; d < own; d++) {
      if (hasMimic) addEntries(data, nv, d, end);
      else writeEntries(data, nv, d, end);
    }
    if (parents[j] === 0) continue;
    if (turnAxes[j] < 0) {
      crossJoint(data, j, parents[j], first, end);
    } else {
      crossTurn(data, j, parents[j], first, end);
    }
  }
  for (let i = 0; i < nv; i++) M[i * nv + i] += armature[i];
}

/**
 * Turning about axis k mixes a and b, the axes after it; where entries of an inertia with those letters stand:
 * k a b, then kk aa bb ab ak bk (h is at 1 + axis).
 */
const TURN = Uint8Array.of(
  ...[0, 1, 2, 4, 7, 9, 8, 5, 6],
  ...[1, 2, 0, 7, 9, 4, 6, 8, 5],
  ...[2, 0, 1, 9, 4, 7, 5, 6, 8],
);

/**
 * Inertia of the subtree and forces of columns first..end - 1 across joint j, which turns about coordinate axis k and shifts. Inertia:
 * with e = s (aa - bb) + 2 c ab the turn gives aa - s e, bb + s e, c e - ab; then, with g the turned first moment and
 * k = g + m p, I' = I - hat(p) hat(g) - hat(k) hat(p) (parallel axes). Forces: a and b components mix, and n += p x f.
 */
function crossTurn(data: DynamicsData, j: number, parent: number, first: number, end: number): void {
  const { zeroFrames, compositeInertias: I, columnForces: F } = data;
  const { placements: X, turns } = zeroFrames;
  const t = (9 * zeroFrames.turnAxes[j]) & 31;
  const k = TURN[t];
  const a = TURN[t + 1];
  const b = TURN[t + 2];
  const x = (12 * j) & SMALL;
  // Column a of the rotation is (c, s) in rows a and b.
  const c = turns[2 * j];
  const s = turns[2 * j + 1];
  const pk = X[x + 9 + k];
  const pa = X[x + 9 + a];
  const pb = X[x + 9 + b];
  const kk = TURN[t + 3];
  const aa = TURN[t + 4];
  const bb = TURN[t + 5];
  const ab = TURN[t + 6];
  const ak = TURN[t + 7];
  const bk = TURN[t + 8];
  const i = (10 * j) & SMALL;
  const m = I[i];
  const ha = I[i + 1 + a];
  const hb = I[i + 1 + b];
  const gk = I[i + 1 + k];
  const iab = I[i + ab];
  const iak = I[i + ak];
  const ibk = I[i + bk];
  const iaa = I[i + aa];
  const ibb = I[i + bb];
  const e = s * (iaa - ibb) + 2 * c * iab;
  const ga = c * ha - s * hb;
  const gb = s * ha + c * hb;
  const ka = ga + m * pa;
  const kb = gb + m * pb;
  const kc = gk + m * pk;
  const ta = pa * (ga + ka);
  const tb = pb * (gb + kb);
  const tk = pk * (gk + kc);
  const o = (10 * parent) & SMALL;
  I[o] += m;
  I[o + 1 + a] += ka;
  I[o + 1 + b] += kb;
  I[o + 1 + k] += kc;
  I[o + aa] += iaa - s * e + tb + tk;
  I[o + bb] += ibb + s * e + ta + tk;
  I[o + kk] += I[i + kk] + ta + tb;
  I[o + ab] += c * e - iab - pb * ga - pa * kb;
  I[o + ak] += c * iak - s * ibk - pk * ga - pa * kc;
  I[o + bk] += s * iak + c * ibk - pk * gb - pb * kc;
  const from = (6 * first) & SMALL;
  const to = (6 * end) & SMALL;
  for (let f = from; f < to; f += 6) {
    let u = F[f + a];
    let v = F[f + b];
    const fa = c * u - s * v;
    const fb = s * u + c * v;
    const fk = F[f + k];
    u = F[f + 3 + a];
    v = F[f + 3 + b];
    F[f + a] = fa;
    F[f + b] = fb;
    F[f + 3 + a] = c * u - s * v + pb * fk - pk * fb;
    F[f + 3 + b] = s * u + c * v + pk * fa - pa * fk;
    F[f + 3 + k] += pa * fb - pb * fa;
  }
}

/** The same across any joint: R h and R I R^T, then parallel axes; R f and R n + p x R f. */
function crossJoint(data: DynamicsData, j: number, parent: number, first: number, end: number): void {
  const { zeroFrames, compositeInertias: I, columnForces: F } = data;
  const { placements: X } = zeroFrames;
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
  const i = (10 * j) & SMALL;
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
  const gx = r0 * hx + r1 * hy + r2 * hz;
  const gy = r3 * hx + r4 * hy + r5 * hz;
  const gz = r6 * hx + r7 * hy + r8 * hz;
  const kx = gx + m * px;
  const ky = gy + m * py;
  const kz = gz + m * pz;
  const tx = px * (gx + kx);
  const ty = py * (gy + ky);
  const tz = pz * (gz + kz);
  const o = (10 * parent) & SMALL;
  I[o] += m;
  I[o + 1] += kx;
  I[o + 2] += ky;
  I[o + 3] += kz;
  // T = R I row by row, then T R^T.
  let t0 = r0 * xx + r1 * xy + r2 * xz;
  let t1 = r0 * xy + r1 * yy + r2 * yz;
  let t2 = r0 * xz + r1 * yz + r2 * zz;
  I[o + 4] += t0 * r0 + t1 * r1 + t2 * r2 + ty + tz;
  I[o + 5] += t0 * r3 + t1 * r4 + t2 * r5 - py * gx - px * ky;
  I[o + 6] += t0 * r6 + t1 * r7 + t2 * r8 - pz * gx - px * kz;
  t0 = r3 * xx + r4 * xy + r5 * xz;
  t1 = r3 * xy + r4 * yy + r5 * yz;
  t2 = r3 * xz + r4 * yz + r5 * zz;
  I[o + 7] += t0 * r3 + t1 * r4 + t2 * r5 + tx + tz;
  I[o + 8] += t0 * r6 + t1 * r7 + t2 * r8 - pz * gy - py * kz;
  t0 = r6 * xx + r7 * xy + r8 * xz;
  t1 = r6 * xy + r7 * yy + r8 * yz;
  t2 = r6 * xz + r7 * yz + r8 * zz;
  I[o + 9] += t0 * r6 + t1 * r7 + t2 * r8 + tx + ty;
  const to = (6 * end) & SMALL;
  for (let f = (6 * first) & SMALL; f < to; f += 6) {
    let x = F[f];
    let y = F[f + 1];
    let z = F[f + 2];
    const f0 = r0 * x + r1 * y + r2 * z;
    const f1 = r3 * x + r4 * y + r5 * z;
    const f2 = r6 * x + r7 * y + r8 * z;
    x = F[f + 3];
    y = F[f + 4];
    z = F[f + 5];
    F[f] = f0;
    F[f + 1] = f1;
    F[f + 2] = f2;
    F[f + 3] = r0 * x + r1 * y + r2 * z + py * f2 - pz * f1;
    F[f + 4] = r3 * x + r4 * y + r5 * z + pz * f0 - px * f2;
    F[f + 5] = r6 * x + r7 * y + r8 * z + px * f1 - py * f0;
  }
}

/** F = I_c S of column c. */
function writeForce(data: DynamicsData, j: number, c: number): void {
  const { compositeInertias: I, columnForces: F, zeroFrames } = data;
  const { subspaces: S, units, signs } = zeroFrames;
  const i = (10 * j) & SMALL;
  const o = (6 * c) & SMALL;
  const m = I[i];
  const hx = I[i + 1];
  const hy = I[i + 2];
  const hz = I[i + 3];
  const unit = units[c];
  const sign = signs[c];
  if (unit >= 3) {
    const axis = unit - 3;
    F[o] = axis === 0 ? 0 : sign * (axis === 1 ? hz : -hy);
    F[o + 1] = axis === 1 ? 0 : sign * (axis === 0 ? -hz : hx);
    F[o + 2] = axis === 2 ? 0 : sign * (axis === 0 ? hy : -hx);
    F[o + 3] = sign * I[i + 4 + axis];
    F[o + 4] = sign * I[i + (axis === 0 ? 5 : 6 + axis)];
    F[o + 5] = sign * I[i + (axis === 0 ? 6 : 7 + axis)];
    return;
  }
  if (unit >= 0) {
    F[o] = unit === 0 ? sign * m : 0;
    F[o + 1] = unit === 1 ? sign * m : 0;
    F[o + 2] = unit === 2 ? sign * m : 0;
    F[o + 3] = unit === 0 ? 0 : sign * (unit === 1 ? -hz : hy);
    F[o + 4] = unit === 1 ? 0 : sign * (unit === 0 ? hz : -hx);
    F[o + 5] = unit === 2 ? 0 : sign * (unit === 0 ? -hy : hx);
    return;
  }
  const vx = S[o];
  const vy = S[o + 1];
  const vz = S[o + 2];
  const wx = S[o + 3];
  const wy = S[o + 4];
  const wz = S[o + 5];
  F[o] = m * vx + wy * hz - wz * hy;
  F[o + 1] = m * vy + wz * hx - wx * hz;
  F[o + 2] = m * vz + wx * hy - wy * hx;
  F[o + 3] = I[i + 4] * wx + I[i + 5] * wy + I[i + 6] * wz + hy * vz - hz * vy;
  F[o + 4] = I[i + 5] * wx + I[i + 7] * wy + I[i + 8] * wz + hz * vx - hx * vz;
  F[o + 5] = I[i + 6] * wx + I[i + 8] * wy + I[i + 9] * wz + hx * vy - hy * vx;
}

/** Row d of M from the diagonal on, and its mirror image. */
function writeEntries(data: DynamicsData, nv: number, d: number, end: number): void {
  const { M, columnForces: F, zeroFrames } = data;
  const { subspaces: S, units, signs } = zeroFrames;
  const unit = units[d];
  const row = (d * nv) & SMALL;
  if (unit >= 0) {
    let f = (6 * d + unit) & SMALL;
    let mirror = row + d;
    const sign = signs[d];
    for (let c = d; c < end; c++) {
      const value = sign * F[f];
      M[row + c] = value;
      M[mirror] = value;
      f = (f + 6) & SMALL;
      mirror = (mirror + nv) & SMALL;
    }
    return;
  }
  for (let c = d; c < end; c++) {
    const value = dotForce(S, 6 * d, F, 6 * c);
    M[row + c] = value;
    M[c * nv + d] = value;
  }
}

function dotForce(S: Float64Array, s: number, F: Float64Array, f: number): number {
  return (
    S[s] * F[f] +
    S[s + 1] * F[f + 1] +
    S[s + 2] * F[f + 2] +
    S[s + 3] * F[f + 3] +
    S[s + 4] * F[f + 4] +
    S[s + 5] * F[f + 5]
  );
}

/** The same where joints mimic: entries add up, and a mirror image is another one unless it is the column itself. */
function addEntries(data: DynamicsData, nv: number, d: number, end: number): void {
  const { M, columnForces: F, zeroFrames, columnVelocities } = data;
  const { subspaces: S } = zeroFrames;
  const row = columnVelocities[d];
  for (let c = d; c < end; c++) {
    const value = dotForce(S, 6 * d, F, 6 * c);
    const column = columnVelocities[c];
    M[row * nv + column] += value;
    if (c !== d) M[column * nv + row] += value;
  }
}

/**
 * The joint space inertia matrix M(q) by the composite rigid body algorithm (CRBA), in moving joint frames.
 *
 * Method, inward over the joints: 1. the inertia I_c of the joint's subtree in the joint's frame is complete, since its
 * children have added theirs; 2. the force F = I_c S that a unit acceleration of each of its columns takes is a column of I_c where
 * S is a coordinate axis; 3. S^T F of all columns of the subtree, which depth-first order keeps together, are the entries of
 * M; 4. I_c and those F move on to the parent. With mimic joints the entries of all pairs of columns with the same drivers
 * add up. Joints that turn about a coordinate axis and whose placement does not turn are crossed by plane turns (6 operations
 * on a vector, 16 on an inertia) and not by full products (15 and 75).
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", table 6.2, doi:10.1007/978-1-4899-7560-7. Carrying whole blocks
 * of forces instead of one at a time keeps the joint's numbers in registers.
 * Writes `data.M`, both triangles, armature on the diagonal.
 * Cost: joints x depth, no allocation. Tested by crba.test.ts, identities.test.ts (columns are differences of RNEA) and
 * test/oracle/dynamics.test.ts.
 */
import { loadNumbers } from '../kinematics/motion-data.js';
import { updateRelativePlacements } from '../kinematics/relative-placements.js';
import type { Model } from '../model/model.js';
import type { DynamicsData } from './dynamics-data.js';

export function crba(model: Model, data: DynamicsData, q: ArrayLike<number>): Float64Array {
  loadNumbers(data.q, q, 'crba: q');
  return runCrba(model, data);
}

/** M from `data.q`. */
export function runCrba(model: Model, data: DynamicsData): Float64Array {
  const { M, armature, columnStarts, hasMimic, compositeInertias: I, columnForces: F, planeTurns } = data;
  const { relativePlacements: X, bodyInertias } = data;
  const { nv, parents, subtreeEnds } = model;
  updateRelativePlacements(model, data);
  // Without mimic joints every entry is written once, and those of other branches stay zero.
  if (hasMimic) M.fill(0);
  for (let i = 10; i < I.length; i++) I[i] = bodyInertias[i];
  for (let j = model.jointCount - 1; j > 0; j--) {
    const first = columnStarts[j];
    const own = columnStarts[j + 1];
    const end = columnStarts[subtreeEnds[j]];
    for (let c = first; c < own; c++) writeForce(data, j, c);
    for (let d = first; d < own; d++) {
      if (hasMimic) addEntries(data, nv, d, end);
      else writeEntries(data, nv, d, end);
    }
    const parent = parents[j];
    if (parent === 0) continue;
    const at = 12 * j;
    const turn = planeTurns[j];
    loadCarried(I, 10 * j);
    if (turn < 0) {
      turnFully(X, at);
      carryForces(F, 6 * first, 6 * end, X, at);
    } else {
      const s = X[at + (turn === 0 ? 7 : turn === 1 ? 2 : 3)];
      const c = X[at + (turn === 0 ? 4 : 0)];
      turnInertia(turn, s, c);
      for (let k = 0; k < 3; k++) crossing[k] = X[at + 9 + k];
      crossing[3] = s;
      crossing[4] = c;
      turnForces(F, 6 * first, 6 * end, turn, crossing);
    }
    addCarried(I, 10 * parent, I[10 * j], X, at + 9);
  }
  for (let i = 0; i < nv; i++) M[i * nv + i] += armature[i];
  return M;
}

/** First moment and inertia being carried: h, then xx xy xz yy yz zz. */
const carried = new Float64Array(9);

function loadCarried(I: Float64Array, at: number): void {
  for (let k = 0; k < 9; k++) carried[k] = I[at + 1 + k];
}

/** Adds what is carried, in the parent's axes, to the parent: with g the first moment and k = g + m p,
 * I' = I - hat(p) hat(g) - hat(k) hat(p) (parallel axes). */
function addCarried(I: Float64Array, o: number, m: number, X: Float64Array, at: number): void {
  const px = X[at];
  const py = X[at + 1];
  const pz = X[at + 2];
  const gx = carried[0];
  const gy = carried[1];
  const gz = carried[2];
  const kx = gx + m * px;
  const ky = gy + m * py;
  const kz = gz + m * pz;
  const xx = px * (gx + kx);
  const yy = py * (gy + ky);
  const zz = pz * (gz + kz);
  I[o] += m;
  I[o + 1] += kx;
  I[o + 2] += ky;
  I[o + 3] += kz;
  I[o + 4] += carried[3] + yy + zz;
  I[o + 5] += carried[4] - py * gx - px * ky;
  I[o + 6] += carried[5] - pz * gx - px * kz;
  I[o + 7] += carried[6] + xx + zz;
  I[o + 8] += carried[7] - pz * gy - py * kz;
  I[o + 9] += carried[8] + xx + yy;
}

/** `carried` turned by (c, s) about a coordinate axis: with e = s (aa - bb) + 2 c ab, aa - s e, bb + s e, c e - ab. */
function turnInertia(axis: number, s: number, c: number): void {
  const h = carried;
  if (axis === 2) {
    const hx = h[0];
    const hy = h[1];
    const xy = h[4];
    const xz = h[5];
    const yz = h[7];
    const e = s * (h[3] - h[6]) + 2 * c * xy;
    h[0] = c * hx - s * hy;
    h[1] = s * hx + c * hy;
    h[3] -= s * e;
    h[4] = c * e - xy;
    h[6] += s * e;
    h[5] = c * xz - s * yz;
    h[7] = s * xz + c * yz;
  } else if (axis === 1) {
    const hz = h[2];
    const hx = h[0];
    const xz = h[5];
    const yz = h[7];
    const xy = h[4];
    const e = s * (h[8] - h[3]) + 2 * c * xz;
    h[2] = c * hz - s * hx;
    h[0] = s * hz + c * hx;
    h[8] -= s * e;
    h[5] = c * e - xz;
    h[3] += s * e;
    h[7] = c * yz - s * xy;
    h[4] = s * yz + c * xy;
  } else {
    const hy = h[1];
    const hz = h[2];
    const yz = h[7];
    const xy = h[4];
    const xz = h[5];
    const e = s * (h[6] - h[8]) + 2 * c * yz;
    h[1] = c * hy - s * hz;
    h[2] = s * hy + c * hz;
    h[6] -= s * e;
    h[7] = c * e - yz;
    h[8] += s * e;
    h[4] = c * xy - s * xz;
    h[5] = s * xy + c * xz;
  }
}

/** `carried` turned by a full rotation R: R h and R I R^T. */
function turnFully(R: Float64Array, at: number): void {
  const h = carried;
  const r0 = R[at];
  const r1 = R[at + 1];
  const r2 = R[at + 2];
  const r3 = R[at + 3];
  const r4 = R[at + 4];
  const r5 = R[at + 5];
  const r6 = R[at + 6];
  const r7 = R[at + 7];
  const r8 = R[at + 8];
  const hx = h[0];
  const hy = h[1];
  const hz = h[2];
  const xx = h[3];
  const xy = h[4];
  const xz = h[5];
  const yy = h[6];
  const yz = h[7];
  const zz = h[8];
  h[0] = r0 * hx + r1 * hy + r2 * hz;
  h[1] = r3 * hx + r4 * hy + r5 * hz;
  h[2] = r6 * hx + r7 * hy + r8 * hz;
  const t0 = r0 * xx + r1 * xy + r2 * xz;
  const t1 = r0 * xy + r1 * yy + r2 * yz;
  const t2 = r0 * xz + r1 * yz + r2 * zz;
  const t3 = r3 * xx + r4 * xy + r5 * xz;
  const t4 = r3 * xy + r4 * yy + r5 * yz;
  const t5 = r3 * xz + r4 * yz + r5 * zz;
  const t6 = r6 * xx + r7 * xy + r8 * xz;
  const t7 = r6 * xy + r7 * yy + r8 * yz;
  const t8 = r6 * xz + r7 * yz + r8 * zz;
  h[3] = t0 * r0 + t1 * r1 + t2 * r2;
  h[4] = t0 * r3 + t1 * r4 + t2 * r5;
  h[5] = t0 * r6 + t1 * r7 + t2 * r8;
  h[6] = t3 * r3 + t4 * r4 + t5 * r5;
  h[7] = t3 * r6 + t4 * r7 + t5 * r8;
  h[8] = t6 * r6 + t7 * r7 + t8 * r8;
}

/** F = I_c S of column c. */
function writeForce(data: DynamicsData, j: number, c: number): void {
  const { compositeInertias: I, columnForces: F, columnSubspaces: S, columnUnits } = data;
  const i = 10 * j;
  const o = 6 * c;
  const m = I[i];
  const hx = I[i + 1];
  const hy = I[i + 2];
  const hz = I[i + 3];
  const unit = columnUnits[c];
  if (unit >= 3) {
    const axis = unit - 3;
    F[o] = axis === 0 ? 0 : axis === 1 ? hz : -hy;
    F[o + 1] = axis === 0 ? -hz : axis === 1 ? 0 : hx;
    F[o + 2] = axis === 0 ? hy : axis === 1 ? -hx : 0;
    F[o + 3] = I[i + 4 + axis];
    F[o + 4] = I[i + (axis === 0 ? 5 : 6 + axis)];
    F[o + 5] = I[i + (axis === 0 ? 6 : 7 + axis)];
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
  const { M, columnForces: F, columnSubspaces: S, columnUnits } = data;
  const unit = columnUnits[d];
  const row = d * nv;
  if (unit >= 0) {
    for (let c = d, f = 6 * d + unit, mirror = row + d; c < end; c++, f += 6, mirror += nv) {
      const value = F[f];
      M[row + c] = value;
      M[mirror] = value;
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
  const { M, columnForces: F, columnSubspaces: S, columnVelocities } = data;
  const row = columnVelocities[d];
  for (let c = d; c < end; c++) {
    const value = dotForce(S, 6 * d, F, 6 * c);
    const column = columnVelocities[c];
    M[row * nv + column] += value;
    if (c !== d) M[column * nv + row] += value;
  }
}

/**
 * Forces from..to - 1 across a joint that turns about coordinate axis k and shifts; p holds its position, sine and cosine. With a
 * and b the axes after k, the a and b components mix, and n += p x f.
 */
function turnForces(F: Float64Array, from: number, to: number, k: number, p: Float64Array): void {
  const s = p[3];
  const c = p[4];
  const a = k === 2 ? 0 : k + 1;
  const pa = p[a];
  const pb = p[k === 0 ? 2 : k - 1];
  const pk = p[k];
  // One loop per axis, so that offsets are constants.
  if (k === 2) {
    for (let f = from; f < to; f += 6) {
      const a = F[f];
      const b = F[f + 1];
      const fa = c * a - s * b;
      const fb = s * a + c * b;
      const fk = F[f + 2];
      const na = F[f + 3];
      const nb = F[f + 4];
      F[f] = fa;
      F[f + 1] = fb;
      F[f + 3] = c * na - s * nb + pb * fk - pk * fb;
      F[f + 4] = s * na + c * nb + pk * fa - pa * fk;
      F[f + 5] += pa * fb - pb * fa;
    }
  } else if (k === 1) {
    for (let f = from; f < to; f += 6) {
      const a = F[f + 2];
      const b = F[f];
      const fa = c * a - s * b;
      const fb = s * a + c * b;
      const fk = F[f + 1];
      const na = F[f + 5];
      const nb = F[f + 3];
      F[f + 2] = fa;
      F[f] = fb;
      F[f + 5] = c * na - s * nb + pb * fk - pk * fb;
      F[f + 3] = s * na + c * nb + pk * fa - pa * fk;
      F[f + 4] += pa * fb - pb * fa;
    }
  } else {
    for (let f = from; f < to; f += 6) {
      const a = F[f + 1];
      const b = F[f + 2];
      const fa = c * a - s * b;
      const fb = s * a + c * b;
      const fk = F[f];
      const na = F[f + 4];
      const nb = F[f + 5];
      F[f + 1] = fa;
      F[f + 2] = fb;
      F[f + 4] = c * na - s * nb + pb * fk - pk * fb;
      F[f + 5] = s * na + c * nb + pk * fa - pa * fk;
      F[f + 3] += pa * fb - pb * fa;
    }
  }
}

/** Position, sine and cosine of the joint being crossed. */
const crossing = new Float64Array(5);

/** Forces from..to - 1 to the parent's axes and origin. */
function carryForces(F: Float64Array, from: number, to: number, X: Float64Array, at: number): void {
  const r0 = X[at];
  const r1 = X[at + 1];
  const r2 = X[at + 2];
  const r3 = X[at + 3];
  const r4 = X[at + 4];
  const r5 = X[at + 5];
  const r6 = X[at + 6];
  const r7 = X[at + 7];
  const r8 = X[at + 8];
  const px = X[at + 9];
  const py = X[at + 10];
  const pz = X[at + 11];
  for (let f = from; f < to; f += 6) {
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

/**
 * The joint space inertia matrix M(q) by the composite rigid body algorithm (CRBA).
 *
 * Method: 1. inward, the inertia I_c of every subtree; 2. for each column the force F = I_c S that a unit acceleration of it
 * takes; 3. M = S_ancestor^T F for itself and every column on its way to the base. With mimic joints the entries of all
 * pairs of columns with the same drivers add up.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", table 6.2, doi:10.1007/978-1-4899-7560-7.
 * Frames: all bodies in the common frame of `aligned.ts`, so that forces need no carrying from joint to joint (measured 1.1
 * to 1.2 times as fast as moving joint frames). Writes `data.M`, both triangles, armature on the diagonal.
 * Cost: joints x depth, no allocation. Tested by crba.test.ts, identities.test.ts (columns are differences of RNEA) and
 * test/oracle/dynamics.test.ts.
 */
import { loadNumbers } from '../kinematics/motion-data.js';
import type { Model } from '../model/model.js';
import { alignJoints } from './aligned.js';
import type { DynamicsData } from './dynamics-data.js';

export function crba(model: Model, data: DynamicsData, q: ArrayLike<number>): Float64Array {
  loadNumbers(data.q, q, 'crba: q');
  alignJoints(model, data);
  return runCrba(model, data);
}

/** M after `alignJoints`. */
export function runCrba(model: Model, data: DynamicsData): Float64Array {
  const { M, armature, columnStarts, hasMimic, alignedInertias: I } = data;
  const { nv, parents } = model;
  // Without mimic joints every entry is written once, and those of other branches stay zero.
  if (hasMimic) M.fill(0);
  for (let j = model.jointCount - 1; j > 0; j--) {
    const end = columnStarts[j + 1];
    for (let c = columnStarts[j]; c < end; c++) writeColumn(data, nv, j, c);
    const o = 10 * parents[j];
    if (o === 0) continue;
    const i = 10 * j;
    I[o] += I[i];
    I[o + 1] += I[i + 1];
    I[o + 2] += I[i + 2];
    I[o + 3] += I[i + 3];
    I[o + 4] += I[i + 4];
    I[o + 5] += I[i + 5];
    I[o + 6] += I[i + 6];
    I[o + 7] += I[i + 7];
    I[o + 8] += I[i + 8];
    I[o + 9] += I[i + 9];
  }
  for (let i = 0; i < nv; i++) M[i * nv + i] += armature[i];
  return M;
}

/** Column c of joint j against itself and the columns before it on its way to the base, and the mirror image. */
function writeColumn(data: DynamicsData, nv: number, j: number, c: number): void {
  const { M, alignedInertias: I, alignedSubspaces: S, columnParents, columnVelocities, hasMimic } = data;
  const i = 10 * j;
  const m = I[i];
  const hx = I[i + 1];
  const hy = I[i + 2];
  const hz = I[i + 3];
  const vx = S[6 * c];
  const vy = S[6 * c + 1];
  const vz = S[6 * c + 2];
  const wx = S[6 * c + 3];
  const wy = S[6 * c + 4];
  const wz = S[6 * c + 5];
  const f0 = m * vx + wy * hz - wz * hy;
  const f1 = m * vy + wz * hx - wx * hz;
  const f2 = m * vz + wx * hy - wy * hx;
  const f3 = I[i + 4] * wx + I[i + 5] * wy + I[i + 6] * wz + hy * vz - hz * vy;
  const f4 = I[i + 5] * wx + I[i + 7] * wy + I[i + 8] * wz + hz * vx - hx * vz;
  const f5 = I[i + 6] * wx + I[i + 8] * wy + I[i + 9] * wz + hx * vy - hy * vx;
  const row = columnVelocities[c];
  for (let d = c; d >= 0; d = columnParents[d]) {
    const s = 6 * d;
    const value = S[s] * f0 + S[s + 1] * f1 + S[s + 2] * f2 + S[s + 3] * f3 + S[s + 4] * f4 + S[s + 5] * f5;
    if (hasMimic) {
      addEntry(M, nv, row, columnVelocities[d], value, c !== d);
    } else {
      M[row * nv + d] = value;
      M[d * nv + row] = value;
    }
  }
}

/** One of the entries that add up when joints mimic; its mirror image is another one unless it is the column itself. */
function addEntry(M: Float64Array, nv: number, row: number, column: number, value: number, mirrored: boolean): void {
  M[row * nv + column] += value;
  if (mirrored) M[column * nv + row] += value;
}

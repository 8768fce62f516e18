/**
 * The joint space inertia matrix M(q) by the composite rigid body algorithm (CRBA).
 *
 * Method: 1. inward, the inertia of every subtree in its joint's frame; 2. for each column the force F = I_c S that a unit
 * acceleration of it takes, carried from joint to joint toward the base: M = S_ancestor^T F on the way. With mimic joints the
 * entries of all pairs of columns with the same drivers add up.
 * Source: Featherstone 2008, "Rigid body dynamics algorithms", table 6.2, doi:10.1007/978-1-4899-7560-7.
 * Frames: moving joint frames. Writes `data.M`, both triangles, armature on the diagonal.
 * Cost: joints x depth, no allocation. Tested by identities.test.ts (columns are differences of RNEA) and
 * test/oracle/dynamics.test.ts.
 */
import { loadNumbers } from '../kinematics/motion-data.js';
import { updateRelativePlacements } from '../kinematics/relative-placements.js';
import type { Model } from '../model/model.js';
import type { DynamicsData } from './dynamics-data.js';
import { addTransformedInertia } from './transform-inertia.js';

export function crba(model: Model, data: DynamicsData, q: ArrayLike<number>): Float64Array {
  loadNumbers(data.q, q, 'crba: q');
  updateRelativePlacements(model, data);
  return runCrba(model, data);
}

/** M from the relative placements. */
export function runCrba(model: Model, data: DynamicsData): Float64Array {
  const { M, armature, columnStarts, hasMimic, compositeInertias: I, relativePlacements: X } = data;
  const { nv, parents } = model;
  I.set(data.bodyInertias);
  // Without mimic joints every entry is written once, and those of other branches stay zero.
  if (hasMimic) M.fill(0);
  for (let j = model.jointCount - 1; j > 0; j--) {
    if (parents[j] > 0) addTransformedInertia(I, 10 * parents[j], X, 12 * j, I, 10 * j);
    const end = columnStarts[j + 1];
    for (let c = columnStarts[j]; c < end; c++) {
      if (hasMimic) addColumn(model, data, j, c);
      else writeColumn(model, data, j, c);
    }
  }
  for (let i = 0; i < nv; i++) M[i * nv + i] += armature[i];
  return M;
}

/** The force of a unit acceleration of the column being carried, in the frame of the joint reached. */
const force = new Float64Array(6);

/** force = I_c S of column c of joint j. */
function startForce(data: DynamicsData, j: number, c: number): void {
  const I = data.compositeInertias;
  const S = data.columnSubspaces;
  const i = 10 * j;
  const s = 6 * c;
  const m = I[i];
  const hx = I[i + 1];
  const hy = I[i + 2];
  const hz = I[i + 3];
  const vx = S[s];
  const vy = S[s + 1];
  const vz = S[s + 2];
  const wx = S[s + 3];
  const wy = S[s + 4];
  const wz = S[s + 5];
  force[0] = m * vx + wy * hz - wz * hy;
  force[1] = m * vy + wz * hx - wx * hz;
  force[2] = m * vz + wx * hy - wy * hx;
  force[3] = I[i + 4] * wx + I[i + 5] * wy + I[i + 6] * wz + hy * vz - hz * vy;
  force[4] = I[i + 5] * wx + I[i + 7] * wy + I[i + 8] * wz + hz * vx - hx * vz;
  force[5] = I[i + 6] * wx + I[i + 8] * wy + I[i + 9] * wz + hx * vy - hy * vx;
}

/** Column c of M up to the diagonal, and its mirror image. */
function writeColumn(model: Model, data: DynamicsData, j: number, c: number): void {
  const { M, columnStarts, columnSubspaces: S, relativePlacements: X } = data;
  const { nv, parents } = model;
  startForce(data, j, c);
  let f0 = force[0];
  let f1 = force[1];
  let f2 = force[2];
  let f3 = force[3];
  let f4 = force[4];
  let f5 = force[5];
  let end = c + 1;
  for (let k = j; k > 0; ) {
    for (let d = columnStarts[k]; d < end; d++) {
      const s = 6 * d;
      const value = S[s] * f0 + S[s + 1] * f1 + S[s + 2] * f2 + S[s + 3] * f3 + S[s + 4] * f4 + S[s + 5] * f5;
      M[c * nv + d] = value;
      M[d * nv + c] = value;
    }
    const x = 12 * k;
    k = parents[k];
    if (k === 0) return;
    end = columnStarts[k + 1];
    const g0 = X[x] * f0 + X[x + 1] * f1 + X[x + 2] * f2;
    const g1 = X[x + 3] * f0 + X[x + 4] * f1 + X[x + 5] * f2;
    const g2 = X[x + 6] * f0 + X[x + 7] * f1 + X[x + 8] * f2;
    const px = X[x + 9];
    const py = X[x + 10];
    const pz = X[x + 11];
    const n0 = X[x] * f3 + X[x + 1] * f4 + X[x + 2] * f5 + py * g2 - pz * g1;
    const n1 = X[x + 3] * f3 + X[x + 4] * f4 + X[x + 5] * f5 + pz * g0 - px * g2;
    f5 = X[x + 6] * f3 + X[x + 7] * f4 + X[x + 8] * f5 + px * g1 - py * g0;
    f0 = g0;
    f1 = g1;
    f2 = g2;
    f3 = n0;
    f4 = n1;
  }
}

/** Adds the entries of column c against itself and the columns before it on its way to the base. */
function addColumn(model: Model, data: DynamicsData, j: number, c: number): void {
  const { M, columnStarts, columnSubspaces: S, columnVelocities, relativePlacements: X } = data;
  const { nv, parents } = model;
  const row = columnVelocities[c];
  startForce(data, j, c);
  let end = c + 1;
  for (let k = j; k > 0; k = parents[k]) {
    if (k !== j) end = columnStarts[k + 1];
    for (let d = columnStarts[k]; d < end; d++) {
      let value = 0;
      for (let i = 0; i < 6; i++) value += S[6 * d + i] * force[i];
      const column = columnVelocities[d];
      M[row * nv + column] += value;
      if (c !== d) M[column * nv + row] += value;
    }
    carryForce(X, 12 * k);
  }
}

function carryForce(X: Float64Array, x: number): void {
  const f0 = force[0];
  const f1 = force[1];
  const f2 = force[2];
  const f3 = force[3];
  const f4 = force[4];
  const f5 = force[5];
  const g0 = X[x] * f0 + X[x + 1] * f1 + X[x + 2] * f2;
  const g1 = X[x + 3] * f0 + X[x + 4] * f1 + X[x + 5] * f2;
  const g2 = X[x + 6] * f0 + X[x + 7] * f1 + X[x + 8] * f2;
  force[0] = g0;
  force[1] = g1;
  force[2] = g2;
  force[3] = X[x] * f3 + X[x + 1] * f4 + X[x + 2] * f5 + X[x + 10] * g2 - X[x + 11] * g1;
  force[4] = X[x + 3] * f3 + X[x + 4] * f4 + X[x + 5] * f5 + X[x + 11] * g0 - X[x + 9] * g2;
  force[5] = X[x + 6] * f3 + X[x + 7] * f4 + X[x + 8] * f5 + X[x + 9] * g1 - X[x + 10] * g0;
}

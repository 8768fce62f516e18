/**
 * M^-1 = Y D^-1 Y^T with Y = L^-1 of M = L^T D L: the inverse of M, and of M times matrices with M's own zeros.
 *
 * Method: row i of Y has entries at i and what supports it, the chain of i, alone; rows are packed along chains, and what two
 * chains have in common is where both begin. After ABA no factorisation is needed: y_i = 1 and, up the chain,
 *   y_d = -S_d . g,   g = sum of y_k U_k / D_k over the columns k passed.
 * X = -Y D^-1 (Y^T B): Y^T B keeps B's zeros, entries of columns on different branches; of the product with Y an entry (i, c) needs
 * as many terms as the chains of i and c share, all of i's where one supports the other. That number is kept per four
 * columns, which are computed together, in place from the last row to the first.
 * Source: Featherstone 2005, "Efficient factorization of the joint-space inertia matrix for branched kinematic trees",
 * doi:10.1177/0278364905054928; Carpentier 2018, "Analytical inverse of the joint space inertia matrix", hal-01790934 (the
 * recursion by ABA). The order of the product is worked out here.
 * Shapes: matrices nv x nv, row-major; the rest in support-chains.ts.
 * Cost: nv^2 x depth at most, no allocation. Tested by crba.test.ts and derivatives.test.ts.
 */
import type { DynamicsData } from './dynamics-data.js';

/** See kinematics/forward-kinematics.ts. */
const SMALL = 0x3fffffff;

/** Y and D^-1 from what `aba` left of its columns; for robots without mimic joints. */
export function invertArticulated(data: DynamicsData): void {
  const { columnForces: U, columnInverses, alignedSubspaces: S, chainStarts, chains } = data;
  const { inverseFactors: Y, pivotInverses: D } = data;
  const n = D.length;
  for (let i = 0; i < n; i++) {
    const k = (6 * i) & SMALL;
    const inverse = columnInverses[i];
    D[i] = inverse;
    let g0 = U[k] * inverse;
    let g1 = U[k + 1] * inverse;
    let g2 = U[k + 2] * inverse;
    let g3 = U[k + 3] * inverse;
    let g4 = U[k + 4] * inverse;
    let g5 = U[k + 5] * inverse;
    const start = chainStarts[i];
    let at = chainStarts[i + 1] - 1;
    Y[at] = 1;
    for (at--; at >= start; at--) {
      const d = chains[at];
      const s = (6 * d) & SMALL;
      const y = -(S[s] * g0 + S[s + 1] * g1 + S[s + 2] * g2 + S[s + 3] * g3 + S[s + 4] * g4 + S[s + 5] * g5);
      Y[at] = y;
      const z = y * columnInverses[d];
      g0 += U[s] * z;
      g1 += U[s + 1] * z;
      g2 += U[s + 2] * z;
      g3 += U[s + 3] * z;
      g4 += U[s + 4] * z;
      g5 += U[s + 5] * z;
    }
  }
}

/** The same from the factors of `factorizeInertia`. */
export function invertFactors(data: DynamicsData): void {
  const { factors: L, chainStarts, chains, inverseFactors: Y, pivotInverses: D } = data;
  const n = D.length;
  for (let i = 0; i < n; i++) {
    const row = i * n;
    const start = chainStarts[i];
    const own = chainStarts[i + 1] - 1;
    D[i] = 1 / L[row + i];
    Y[own] = 1;
    // Y_id = -L_id - sum over k between of L_ik Y_kd; the chain of k begins as that of i.
    for (let at = start; at < own; at++) {
      const t = at - start;
      let sum = L[row + chains[at]];
      for (let k = at + 1; k < own; k++) sum += L[row + chains[k]] * Y[chainStarts[chains[k]] + t];
      Y[at] = -sum;
    }
  }
}

/** out = M^-1, both triangles the same. */
export function writeInverse(out: Float64Array, data: DynamicsData): Float64Array {
  const { chainStarts, chains, inverseFactors: Y, pivotInverses: D } = data;
  const n = D.length;
  out.fill(0);
  for (let i = 0; i < n; i++) {
    for (let at = chainStarts[i]; at < chainStarts[i + 1]; at++) out[chains[at] * n + i] = Y[at] * D[chains[at]];
  }
  for (let i = n - 1; i >= 0; i--) combineRows(out, data, i, i + 1);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) out[k * n + i] = out[i * n + k];
  }
  return out;
}

/**
 * `data.ddqDq` = -M^-1 `data.dtauDq`, and so for Dv; both at once, so that what they share is read once. Each step is a function of its
 * own: V8 optimises a function within its first long loop, and gives that up where it has not seen what comes after.
 */
export function writeNegatedProducts(data: DynamicsData): void {
  data.ddqDq.set(data.dtauDq);
  data.ddqDv.set(data.dtauDv);
  spreadRows(data);
  scaleRows(data);
  combineBoth(data);
}

/** Y^T B in place: rows of B go to the rows of what supports them, two at a time where one follows the other on a branch. */
function spreadRows(data: DynamicsData): void {
  const { dtauDq, dtauDv, ddqDq, ddqDv, chainStarts, chains, runStarts, runs, inverseFactors: Y } = data;
  const n = data.pivotInverses.length;
  for (let i = 0; i < n; i++) {
    const first = chainStarts[i];
    const own = chainStarts[i + 1] - 1;
    const from = (i * n) & SMALL;
    const last = runStarts[i + 1];
    const length = own - first;
    const next = chainStarts[i + 1];
    if (i + 1 < n && chainStarts[i + 2] - next === length + 2) {
      const follows = from + n;
      for (let t = 0; t < length; t++) {
        const to = (chains[first + t] * n) & SMALL;
        const y = Y[first + t];
        const z = Y[next + t];
        for (let r = runStarts[i]; r < last; r += 2) {
          const end = runs[r + 1];
          for (let c = runs[r]; c < end; c++) {
            ddqDq[to + c] += y * dtauDq[from + c] + z * dtauDq[follows + c];
            ddqDv[to + c] += y * dtauDv[from + c] + z * dtauDv[follows + c];
          }
        }
      }
      // The second row goes to the first one too.
      const z = Y[next + length];
      for (let r = runStarts[i]; r < last; r += 2) {
        const end = runs[r + 1];
        for (let c = runs[r]; c < end; c++) {
          ddqDq[from + c] += z * dtauDq[follows + c];
          ddqDv[from + c] += z * dtauDv[follows + c];
        }
      }
      i++;
      continue;
    }
    for (let t = 0; t < length; t++) {
      const to = (chains[first + t] * n) & SMALL;
      const y = Y[first + t];
      for (let r = runStarts[i]; r < last; r += 2) {
        const end = runs[r + 1];
        for (let c = runs[r]; c < end; c++) {
          ddqDq[to + c] += y * dtauDq[from + c];
          ddqDv[to + c] += y * dtauDv[from + c];
        }
      }
    }
  }
}

/** Rows of Y^T B times -D^-1. */
function scaleRows(data: DynamicsData): void {
  const { ddqDq, ddqDv, runStarts, runs, pivotInverses: D } = data;
  const n = D.length;
  for (let i = 0; i < n; i++) {
    const row = (i * n) & SMALL;
    const factor = -D[i];
    const last = runStarts[i + 1];
    for (let r = runStarts[i]; r < last; r += 2) {
      const end = row + runs[r + 1];
      for (let k = row + runs[r]; k < end; k++) {
        ddqDq[k] *= factor;
        ddqDv[k] *= factor;
      }
    }
  }
}

/** Z = `ddqDq` and `ddqDv` become Y Z, the last row first. */
function combineBoth(data: DynamicsData): void {
  const { ddqDq: A, ddqDv: B, chainStarts, chains, sharedCounts, inverseFactors: Y } = data;
  const n = data.pivotInverses.length;
  for (let i = n - 1; i >= 0; i--) {
    const start = chainStarts[i];
    const row = (i * n) & SMALL;
    const blocks = (i * ((n + 3) >> 2)) & SMALL;
    let c = 0;
    for (; c + 4 <= n; c += 4) {
      const stop = start + sharedCounts[blocks + (c >> 2)];
      let a0 = 0;
      let a1 = 0;
      let a2 = 0;
      let a3 = 0;
      let b0 = 0;
      let b1 = 0;
      let b2 = 0;
      let b3 = 0;
      for (let at = start; at < stop; at++) {
        const y = Y[at];
        const z = (chains[at] * n + c) & SMALL;
        a0 += y * A[z];
        a1 += y * A[z + 1];
        a2 += y * A[z + 2];
        a3 += y * A[z + 3];
        b0 += y * B[z];
        b1 += y * B[z + 1];
        b2 += y * B[z + 2];
        b3 += y * B[z + 3];
      }
      const to = row + c;
      A[to] = a0;
      A[to + 1] = a1;
      A[to + 2] = a2;
      A[to + 3] = a3;
      B[to] = b0;
      B[to + 1] = b1;
      B[to + 2] = b2;
      B[to + 3] = b3;
    }
    for (; c < n; c++) {
      const stop = start + sharedCounts[blocks + (c >> 2)];
      let a = 0;
      let b = 0;
      for (let at = start; at < stop; at++) {
        const z = (chains[at] * n + c) & SMALL;
        a += Y[at] * A[z];
        b += Y[at] * B[z];
      }
      A[row + c] = a;
      B[row + c] = b;
    }
  }
}

/** Row i of Z becomes row i of Y Z, columns 0 .. end - 1 and up to three more. */
function combineRows(Z: Float64Array, data: DynamicsData, i: number, end: number): void {
  const { chainStarts, chains, sharedCounts, inverseFactors: Y } = data;
  const n = data.pivotInverses.length;
  const start = chainStarts[i];
  const row = (i * n) & SMALL;
  const blocks = (i * ((n + 3) >> 2)) & SMALL;
  let c = 0;
  for (; c < end && c + 4 <= n; c += 4) {
    const stop = start + sharedCounts[blocks + (c >> 2)];
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let at = start; at < stop; at++) {
      const y = Y[at];
      const z = (chains[at] * n + c) & SMALL;
      s0 += y * Z[z];
      s1 += y * Z[z + 1];
      s2 += y * Z[z + 2];
      s3 += y * Z[z + 3];
    }
    Z[row + c] = s0;
    Z[row + c + 1] = s1;
    Z[row + c + 2] = s2;
    Z[row + c + 3] = s3;
  }
  for (; c < end; c++) {
    const stop = start + sharedCounts[blocks + (c >> 2)];
    let sum = 0;
    for (let at = start; at < stop; at++) sum += Y[at] * Z[chains[at] * n + c];
    Z[row + c] = sum;
  }
}

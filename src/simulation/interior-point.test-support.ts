/**
 * Convex contact problems by a barrier method: slow, and independent of the solvers that it checks.
 *
 * min f G f / 2 + b f - m sum log(mu^2 n^2 - t^2) with ever smaller m, each by Newton's method; elliptic cones only.
 */
import type { ContactProblem } from './contact-problem.js';

/** What f w may be at the end: 2 m per contact, or it has not got there. */
const GAP = 1e-10;

/**
 * w = G f + b at the solution: it is unique where f is not, and found to the root of m = 1e-13 times the diagonal of G. null where rounding ended
 * the steps before that.
 */
export function solveByBarrier({ G, b, n, rows, blockCount, frictions }: ContactProblem): Float64Array | null {
  const f = new Float64Array(n);
  for (let i = 0; i < blockCount; i++) f[rows[i]] = 1;
  const value = (at: Float64Array, m: number): number => {
    let sum = 0;
    for (let r = 0; r < n; r++) {
      let g = 0;
      for (let c = 0; c < n; c++) g += G[r * n + c] * at[c];
      sum += at[r] * (0.5 * g + b[r]);
    }
    for (let i = 0; i < blockCount; i++) {
      const r = rows[i];
      const mu = frictions[i];
      const inside = mu * mu * at[r] * at[r] - at[r + 1] * at[r + 1] - at[r + 2] * at[r + 2];
      if (!(inside > 0 && at[r] > 0)) return Infinity;
      sum -= m * Math.log(inside);
    }
    return sum;
  };
  const H = new Float64Array(n * n);
  const g = new Float64Array(n);
  const trial = new Float64Array(n);
  for (let m = 1; m > 1e-13; m *= 0.2) {
    for (let step = 0; step < 60; step++) {
      H.set(G);
      for (let r = 0; r < n; r++) {
        g[r] = b[r];
        H[r * n + r] += 1e-13;
        for (let c = 0; c < n; c++) g[r] += G[r * n + c] * f[c];
      }
      for (let i = 0; i < blockCount; i++) {
        const r = rows[i];
        const mu2 = frictions[i] ** 2;
        const d = [2 * mu2 * f[r], -2 * f[r + 1], -2 * f[r + 2]];
        const inside = mu2 * f[r] ** 2 - f[r + 1] ** 2 - f[r + 2] ** 2;
        for (let p = 0; p < 3; p++) {
          g[r + p] -= (m * d[p]) / inside;
          for (let q = 0; q < 3; q++) {
            const second = p === q ? (p === 0 ? 2 * mu2 : -2) : 0;
            H[(r + p) * n + r + q] += m * ((d[p] * d[q]) / (inside * inside) - second / inside);
          }
        }
      }
      const direction = solve(H, g, n);
      let slope = 0;
      for (let r = 0; r < n; r++) slope -= g[r] * direction[r];
      let length = 1;
      const now = value(f, m);
      for (; length > 1e-12; length *= 0.5) {
        for (let r = 0; r < n; r++) trial[r] = f[r] - length * direction[r];
        if (value(trial, m) <= now + 1e-4 * length * slope) break;
      }
      if (length <= 1e-12) break;
      f.set(trial);
      if (-slope < 1e-10 * m) break;
    }
  }
  const w = Float64Array.from(b);
  for (let r = 0; r < n; r++) for (let c = 0; c < n; c++) w[r] += G[r * n + c] * f[c];
  let gap = 0;
  for (let r = 0; r < n; r++) gap += f[r] * w[r];
  return Math.abs(gap) < GAP ? w : null;
}

function solve(A: Float64Array, v: Float64Array, n: number): Float64Array {
  const M = Array.from({ length: n }, (_, r) => [...A.subarray(r * n, r * n + n), v[r]]);
  for (let c = 0; c < n; c++) {
    let p = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(M[r][c]) > Math.abs(M[p][c])) p = r;
    [M[c], M[p]] = [M[p], M[c]];
    for (let r = c + 1; r < n; r++) {
      const ratio = M[r][c] / M[c][c];
      for (let k = c; k <= n; k++) M[r][k] -= ratio * M[c][k];
    }
  }
  const x = new Float64Array(n);
  for (let c = n - 1; c >= 0; c--) {
    x[c] = M[c][n];
    for (let k = c + 1; k < n; k++) x[c] -= M[c][k] * x[k];
    x[c] /= M[c][c];
  }
  return x;
}

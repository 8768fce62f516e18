/**
 * Scales a Riccati equation so that its matrices are of like size, without rounding.
 *
 * Method: x = D z with D diagonal, powers of two, makes A -> D^-1 A D, G -> D^-1 G D^-1, H -> D H D and P = D^-1 P_z D^-1;
 * D is found by sweeps that equate, state by state, the sizes of what stands in its row of (A, G) and in its column of
 * (A, H), as in balancing of the Hamiltonian matrix. Then one more power of two makes G and H alike: P = rho P_z.
 * Source: Benner 2001, "Symplectic balancing of Hamiltonian matrices", SIAM Journal on Scientific Computing 22(5),
 * doi:10.1137/S1064827500367993.
 * Shapes: all n x n, row-major; overwritten. Cost: some n^2 per sweep. Tested by riccati.test.ts.
 */

/** Scales of the states, and of P. */
export interface Balance {
  readonly scales: Float64Array;
  readonly rho: number;
}

export function balanceRiccati(A: Float64Array, G: Float64Array, H: Float64Array, n: number): Balance {
  const scales = new Float64Array(n).fill(1);
  for (let sweep = 0; sweep < 40; sweep++) {
    let changed = false;
    for (let i = 0; i < n; i++) {
      const [ownG, ownH] = [Math.abs(G[i * n + i]), Math.abs(H[i * n + i])];
      let row = 0;
      let column = 0;
      for (let j = 0; j < n; j++) {
        if (j === i) continue;
        row += Math.abs(A[i * n + j]) + Math.abs(G[i * n + j]);
        column += Math.abs(A[j * n + i]) + Math.abs(H[j * n + i]);
      }
      if (!(row + ownG > 0 && column + ownH > 0)) continue;
      let scale = 1;
      // Diagonal entries go with the square of the scale.
      const ratio = (d: number) => (row / d + ownG / (d * d)) / (column * d + ownH * d * d);
      while (ratio(scale) > 4 && scale < 2 ** 60) scale *= 2;
      while (ratio(scale) < 0.25 && scale > 2 ** -60) scale /= 2;
      if (scale === 1) continue;
      changed = true;
      scales[i] *= scale;
      for (let j = 0; j < n; j++) {
        A[i * n + j] /= scale;
        A[j * n + i] *= scale;
        G[i * n + j] /= scale;
        G[j * n + i] /= scale;
        H[i * n + j] *= scale;
        H[j * n + i] *= scale;
      }
    }
    if (!changed) break;
  }
  let [largestG, largestH] = [0, 0];
  for (let i = 0; i < n * n; i++) {
    largestG = Math.max(largestG, Math.abs(G[i]));
    largestH = Math.max(largestH, Math.abs(H[i]));
  }
  let rho = 1;
  if (largestG > 0 && largestH > 0) {
    while (largestH / rho > 2 * largestG * rho && rho < 2 ** 100) rho *= 2;
    while (2 * (largestH / rho) < largestG * rho && rho > 2 ** -100) rho /= 2;
    for (let i = 0; i < n * n; i++) {
      G[i] *= rho;
      H[i] /= rho;
    }
  }
  return { scales, rho };
}

/** A -> D^-1 A D and H -> D H D with scales that are known. */
export function applyBalance(A: Float64Array, H: Float64Array, { scales }: Balance, n: number): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      A[i * n + j] *= scales[j] / scales[i];
      H[i * n + j] *= scales[j] * scales[i];
    }
  }
}

/** P in the states that were given, from the balanced one. */
export function unbalance(P: Float64Array, { scales, rho }: Balance, n: number): Float64Array {
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) P[i * n + j] *= rho / (scales[i] * scales[j]);
  return P;
}

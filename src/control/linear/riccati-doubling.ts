/**
 * The limit of the Riccati recursion, by doubling its steps.
 *
 * Method: steps x1 = A x0 - G l1, l0 = H x0 + A^T l1 of a Hamiltonian system compose to a step of the same form. A step joined
 * with itself, k times, is 2^k steps:
 *   W = 1 + G H,  A' = A W^-1 A,  G' = G + A W^-1 G A^T,  H' = H + A^T H W^-1 A
 * H tends to the stabilising P, quadratically. G and H stay symmetric and semidefinite whatever is rounded.
 * Source: Anderson 1978, "Second-order convergent algorithms for the steady-state Riccati equation", International Journal of
 * Control 28(2), doi:10.1080/00207177808922455; Chu, Fan, Lin, Wang 2004, "Structure-preserving algorithms for periodic
 * discrete-time algebraic Riccati equations", International Journal of Control 77(8), doi:10.1080/00207170410001714988.
 * Shapes: n x n, row-major. Cost: some 6 n^3 products a doubling, usually 5 to 15 of them.
 * Ends: false when W is singular or the numbers overflow: there is no stabilising solution then, or none that can be reached.
 * Tested by riccati.test.ts.
 */

import { factorizeLu, solveLu } from '../../math/dense/lu.js';
import {
  frobeniusNorm,
  multiplyByTransposed,
  multiplyMatrices,
  multiplyTransposedMatrices,
  symmetrize,
} from '../../math/dense/products.js';

/** One step of a Hamiltonian system. */
export interface HamiltonianStep {
  readonly A: Float64Array;
  readonly G: Float64Array;
  readonly H: Float64Array;
}

/** Writes the double step over the step. False when it does not exist. */
export function doubleStep({ A, G, H }: HamiltonianStep, n: number): boolean {
  const size = [n, n, n] as const;
  const W = multiplyMatrices(new Float64Array(n * n), G, H, size);
  for (let i = 0; i < n; i++) W[i * n + i] += 1;
  const pivots = new Int32Array(n);
  if (!factorizeLu(W, n, pivots)) return false;
  const WA = solveLu(A.slice(), W, n, pivots, n);
  const WG = solveLu(G.slice(), W, n, pivots, n);
  const product = multiplyMatrices(new Float64Array(n * n), A, WG, size);
  const addedG = multiplyByTransposed(new Float64Array(n * n), product, A, size);
  multiplyMatrices(product, H, WA, size);
  multiplyTransposedMatrices(H, A, product, size, 1);
  for (let i = 0; i < n * n; i++) G[i] += addedG[i];
  multiplyMatrices(product, A, WA, size);
  A.set(product);
  symmetrize(G, n);
  symmetrize(H, n);
  return Number.isFinite(frobeniusNorm(G) + frobeniusNorm(H) + frobeniusNorm(A));
}

/** The limit of H, in `step.H`; the count of doublings, or -1. */
export function doubleToLimit(step: HamiltonianStep, n: number, most: number): number {
  const before = new Float64Array(n * n);
  for (let count = 1; count <= most; count++) {
    before.set(step.H);
    if (!doubleStep(step, n)) return -1;
    for (let i = 0; i < n * n; i++) before[i] -= step.H[i];
    if (frobeniusNorm(before) <= 1e-16 * frobeniusNorm(step.H)) return count;
  }
  return most;
}

/** X = A^T X A + C of a stable A: C is overwritten by X, A by a power of it. False when A is not stable. */
export function solveStein(C: Float64Array, A: Float64Array, n: number): boolean {
  const size = [n, n, n] as const;
  const product = new Float64Array(n * n);
  for (let count = 0; count < 60; count++) {
    multiplyMatrices(product, C, A, size);
    const before = frobeniusNorm(C);
    multiplyTransposedMatrices(C, A, product, size, 1);
    multiplyMatrices(product, A, A, size);
    A.set(product);
    const power = frobeniusNorm(A);
    if (!Number.isFinite(power + frobeniusNorm(C))) return false;
    if (power * power * before <= 1e-17 * frobeniusNorm(C) || power === 0) return true;
  }
  return false;
}

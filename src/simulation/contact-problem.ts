/**
 * Contact forces as a problem of their own: w = G f + b with f in cones and between bounds, w in the duals, at right angles.
 *
 *   Coulomb:  K in f  _|_  w + correction(w) in K*       (rigid contacts)
 *   convex:   K in f  _|_  w in K*                        (the minimum of f G f / 2 + b f over the cones; relaxed contacts)
 *   rows:     lower <= f <= upper;  w >= 0 at the lower bound, <= 0 at the upper one, 0 between
 *
 * The residual is in the units of w: per block |f - P(f - w' / g)| g with g the mean diagonal entry of the block, the largest of all.
 * It is 0 exactly at solutions. Tested by contact-solvers.test.ts.
 */
import { requireCount, requireFloats, requireObject, requireOneOf, throwMisuse } from '../math/arguments.js';
import { coulombCorrection, projectCone } from './friction-cone.js';

export interface ContactProblem {
  /** n x n, row-major, symmetric positive semidefinite; softness is part of its diagonal. */
  readonly G: Float64Array;
  readonly b: Float64Array;
  readonly n: number;
  /** First row of each block: three rows for a contact, one for a row. */
  readonly rows: Int32Array;
  /** 1 for contacts, 0 for rows with bounds. */
  readonly kinds: Uint8Array;
  readonly blockCount: number;
  /** Per block. */
  readonly frictions: Float64Array;
  /** Per row; contacts do not read them. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly law: 'coulomb' | 'convex';
  readonly pyramidal: boolean;
}

const projected = new Float64Array(3);

export function requireProblem(call: string, problem: unknown): void {
  requireObject(call, 'problem', problem, 'a contact problem');
  const { G, b, n, rows, kinds, frictions, law } = problem as Partial<ContactProblem>;
  requireCount(call, 'problem.n', n);
  requireFloats(call, 'problem.G', G);
  requireFloats(call, 'problem.b', b);
  requireFloats(call, 'problem.frictions', frictions);
  requireOneOf(call, 'problem.law', law, ['coulomb', 'convex']);
  if (!(rows instanceof Int32Array) || !(kinds instanceof Uint8Array))
    throwMisuse(call, 'problem.rows', rows, 'an Int32Array, and a Uint8Array of kinds');
}

/** The residual of block i with impulses f and velocities w (without the correction). */
export function blockResidual(
  problem: Pick<ContactProblem, 'kinds' | 'rows' | 'frictions' | 'lower' | 'upper' | 'law' | 'pyramidal'>,
  i: number,
  f: Float64Array,
  w: Float64Array,
  g: number,
): number {
  const r = problem.rows[i];
  if (problem.kinds[i] === 0) {
    const moved = f[r] - w[r] / g;
    const kept = Math.max(problem.lower[r], Math.min(problem.upper[r], moved));
    return Math.abs(f[r] - kept) * g;
  }
  const mu = problem.frictions[i];
  const extra = problem.law === 'coulomb' ? coulombCorrection(w[r + 1], w[r + 2], mu, problem.pyramidal) : 0;
  projectCone(
    projected,
    0,
    f[r] - (w[r] + extra) / g,
    f[r + 1] - w[r + 1] / g,
    f[r + 2] - w[r + 2] / g,
    mu,
    problem.pyramidal,
  );
  const x = f[r] - projected[0];
  const y = f[r + 1] - projected[1];
  const z = f[r + 2] - projected[2];
  return Math.sqrt(x * x + y * y + z * z) * g;
}

/** w = G f + b. */
export function contactVelocities(w: Float64Array, { G, b, n }: ContactProblem, f: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = b[i];
    const row = i * n;
    for (let k = 0; k < n; k++) sum += G[row + k] * f[k];
    w[i] = sum;
  }
}

export function meanDiagonal({ G, n, rows, kinds }: ContactProblem, i: number): number {
  const r = rows[i];
  if (kinds[i] === 0) return G[r * n + r];
  return (G[r * n + r] + G[(r + 1) * n + r + 1] + G[(r + 2) * n + r + 2]) / 3;
}

/** The largest residual of all blocks; `w` is scratch of n numbers. */
export function contactResidual(problem: ContactProblem, f: Float64Array, w: Float64Array): number {
  requireProblem('contactResidual', problem);
  requireFloats('contactResidual', 'f', f, problem.n);
  requireFloats('contactResidual', 'w', w, problem.n);
  return largestResidual(problem, f, w);
}

/** As `contactResidual`; f and w may have room for more. */
export function largestResidual(problem: ContactProblem, f: Float64Array, w: Float64Array): number {
  contactVelocities(w, problem, f);
  let largest = 0;
  for (let i = 0; i < problem.blockCount; i++) {
    const g = meanDiagonal(problem, i);
    if (g > 0) largest = Math.max(largest, blockResidual(problem, i, f, w, g));
  }
  return largest;
}

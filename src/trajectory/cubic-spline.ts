/**
 * The curve of cubic pieces through given configurations whose second derivative is continuous (C2).
 *
 * Method: unknown are the velocities at the knots; equal second derivatives on both sides of each make a tridiagonal
 * system, one per velocity coordinate with the same matrix. On rotations the equations are not quite linear: the system of
 * the flat case then gives corrections, repeated until the second derivatives agree.
 * Source: Farin 2002, "Curves and surfaces for CAGD", section 9.4; de Boor 1978, "A practical guide to splines", chapter IV.
 * Ends: a given velocity, or second derivative 0 (natural). Cost: linear in knots. Tested by joint-splines.test.ts.
 */
import type { Model } from '../model/model.js';
import { createCubicPiece, cubicAccelerations } from './hermite-pieces.js';
import type { CurvePiece } from './joint-curve.js';
import type { Waypoints } from './waypoints.js';

const MOST_CORRECTIONS = 60;

export interface CubicSpline {
  readonly pieces: readonly CurvePiece[];
  /** At the knots. */
  readonly velocities: readonly Float64Array[];
}

/** `spans`: extent of the parameter from each knot to the next. Null ends are natural. */
export function solveCubicSpline(
  model: Model,
  { points, steps }: Waypoints,
  spans: readonly number[],
  startVelocity: ArrayLike<number> | null,
  endVelocity: ArrayLike<number> | null,
): CubicSpline {
  const { nv } = model;
  const last = points.length - 1;
  const velocities = points.map(() => new Float64Array(nv));
  if (last === 0) return { pieces: [], velocities };
  if (startVelocity) velocities[0].set(startVelocity);
  if (endVelocity) velocities[last].set(endVelocity);
  const isFixed = (k: number): boolean => (k === 0 && startVelocity !== null) || (k === last && endVelocity !== null);
  const residuals = points.map(() => new Float64Array(nv));
  const build = (): CurvePiece[] =>
    steps.map((step, k) => {
      const ends = { q0: points[k], q1: points[k + 1], step, v0: velocities[k], v1: velocities[k + 1] };
      return createCubicPiece(model, ends, spans[k]);
    });
  let pieces = build();
  let before = Infinity;
  for (let pass = 0; pass < MOST_CORRECTIONS; pass++) {
    const size = fillResiduals(model, pieces, residuals, isFixed);
    // The flat case is done after one pass; rounding is reached when a pass no longer helps.
    if (pass > 0 && (size === 0 || size > 0.5 * before)) break;
    before = size;
    const corrections = solveTridiagonal(spans, residuals, isFixed);
    for (let k = 0; k <= last; k++) for (let i = 0; i < nv; i++) velocities[k][i] += corrections[k][i];
    pieces = build();
  }
  return { pieces, velocities };
}

/** Second derivative after each knot minus the one before, at natural ends the only one; returns the largest, scaled. */
function fillResiduals(
  model: Model,
  pieces: readonly CurvePiece[],
  out: readonly Float64Array[],
  isFixed: (k: number) => boolean,
): number {
  for (const residual of out) residual.fill(0);
  let size = 0;
  for (let k = 0; k < pieces.length; k++) {
    const [start, end] = cubicAccelerations(model, pieces[k]);
    for (let i = 0; i < start.length; i++) {
      out[k][i] += start[i];
      out[k + 1][i] -= end[i];
    }
  }
  for (let k = 0; k < out.length; k++) {
    if (isFixed(k)) out[k].fill(0);
    const span = Math.min(pieces[Math.min(k, pieces.length - 1)].length, pieces[Math.max(k - 1, 0)].length);
    for (const x of out[k]) size = Math.max(size, Math.abs(x) * span);
  }
  return size;
}

/**
 * Corrections of the velocities: by one unit at knot k the residual there changes by -4/h(k-1) - 4/h(k), by one at its
 * neighbours by -2/h(k-1) and -2/h(k).
 */
function solveTridiagonal(
  spans: readonly number[],
  residuals: readonly Float64Array[],
  isFixed: (k: number) => boolean,
): Float64Array[] {
  const n = residuals.length;
  const ratios = new Float64Array(n);
  const out: Float64Array[] = [];
  for (let k = 0; k < n; k++) {
    const left = k > 0 ? 1 / spans[k - 1] : 0;
    const right = k < n - 1 ? 1 / spans[k] : 0;
    const below = isFixed(k) ? 0 : 2 * left;
    const above = isFixed(k) ? 0 : 2 * right;
    const pivot = (isFixed(k) ? 1 : 4 * (left + right)) - (k > 0 ? below * ratios[k - 1] : 0);
    ratios[k] = above / pivot;
    out.push(residuals[k].map((x, i) => (x - (k > 0 ? below * out[k - 1][i] : 0)) / pivot));
  }
  for (let k = n - 2; k >= 0; k--) for (let i = 0; i < out[k].length; i++) out[k][i] -= ratios[k] * out[k + 1][i];
  return out;
}

/**
 * Cubic and quintic pieces from the states at their ends, in Bezier form.
 *
 * Control increments: cubic W1 = h v0/3, W3 = h v1/3; quintic W1 = h v0/5, W2 = W1 + h^2 a0/20, W5 = h v1/5,
 * W4 = W5 - h^2 a1/20 turned into the frame before W5; the middle one is what is left from one side to the other. At the
 * ends all other factors stand still, so the velocities (and, of quintics, accelerations) are met exactly on groups too.
 * Source: Kim, Kim, Shin 1995, "A general construction scheme for unit quaternion curves with simple high order derivatives",
 * section 3, doi:10.1145/218380.218486; Farin 2002, "Curves and surfaces for CAGD", section 5.3 (cumulative Bernstein form).
 * Tested by joint-splines.test.ts.
 */
import { integrateConfiguration } from '../model/configuration.js';
import type { Model } from '../model/model.js';
import type { CurvePiece } from './joint-curve.js';
import { findTangentGroup } from './tangent-groups.js';

/** What the ends of a piece are: `step` leads from q0 to q1, nv numbers. */
export interface PieceEnds {
  readonly q0: Float64Array;
  readonly q1: Float64Array;
  readonly step: Float64Array;
  readonly v0: Float64Array;
  readonly v1: Float64Array;
}

/** Sums of the last Bernstein polynomials of degree 3 and 5, by ascending powers. */
const cubicBasis: readonly (readonly number[])[] = [
  [0, 3, -3, 1],
  [0, 0, 3, -2],
  [0, 0, 0, 1],
];
const quinticBasis: readonly (readonly number[])[] = [
  [0, 5, -10, 10, -5, 1],
  [0, 0, 10, -20, 15, -4],
  [0, 0, 0, 10, -15, 6],
  [0, 0, 0, 0, 5, -4],
  [0, 0, 0, 0, 0, 1],
];

export function createCubicPiece(model: Model, ends: PieceEnds, length: number): CurvePiece {
  const first = ends.v0.map((x) => (x * length) / 3);
  const last = ends.v1.map((x) => (x * length) / 3);
  const middle = fillMiddle(model, ends, [first], [last]);
  return toPiece(ends.q0, length, [first, middle, last], cubicBasis);
}

export function createQuinticPiece(
  model: Model,
  ends: PieceEnds,
  a0: Float64Array,
  a1: Float64Array,
  length: number,
): CurvePiece {
  const square = length * length;
  const first = ends.v0.map((x) => (x * length) / 5);
  const second = first.map((x, k) => x + (a0[k] * square) / 20);
  const last = ends.v1.map((x) => (x * length) / 5);
  // a1 = 20 (W5 - Ad(exp(W5))^-1 W4)/h^2
  const beforeLast = pullForward(
    model,
    last,
    last.map((x, k) => x - (a1[k] * square) / 20),
  );
  const middle = fillMiddle(model, ends, [first, second], [beforeLast, last]);
  return toPiece(ends.q0, length, [first, second, middle, beforeLast, last], quinticBasis);
}

/** Second derivative of a cubic piece at its start and at its end. */
export function cubicAccelerations(model: Model, piece: CurvePiece): [Float64Array, Float64Array] {
  const [first, middle, last] = piece.terms.map(({ increment }) => increment);
  const scale = 6 / (piece.length * piece.length);
  const turned = pullBack(model, last, middle);
  return [middle.map((x, k) => scale * (x - first[k])), last.map((x, k) => scale * (x - turned[k]))];
}

function toPiece(
  base: Float64Array,
  length: number,
  increments: readonly Float64Array[],
  basis: readonly (readonly number[])[],
): CurvePiece {
  return { length, base, terms: increments.map((increment, i) => ({ increment, polynomial: basis[i] })) };
}

/** The increment that leads from q0 moved by `head` to q1 moved back by `tail`. */
function fillMiddle(
  model: Model,
  { q0, q1, step }: PieceEnds,
  head: readonly Float64Array[],
  tail: readonly Float64Array[],
): Float64Array {
  const out = Float64Array.from(step);
  for (const increment of [...head, ...tail]) for (let k = 0; k < out.length; k++) out[k] -= increment[k];
  let from: Float64Array | null = null;
  let to: Float64Array | null = null;
  for (let j = 1; j < model.jointCount; j++) {
    const kind = model.jointKinds[j]!;
    if (model.nqs[j] === 0 || !findTangentGroup(kind)) continue;
    from ??= move(model, q0, head, 1);
    to ??= move(model, q1, [...tail].reverse(), -1);
    kind.difference(out, from, to, model.idxQ[j], model.idxV[j]);
  }
  return out;
}

function move(model: Model, q: Float64Array, increments: readonly Float64Array[], sign: number): Float64Array {
  const out = Float64Array.from(q);
  for (const increment of increments)
    integrateConfiguration(
      out,
      model,
      out,
      increment.map((x) => sign * x),
    );
  return out;
}

/** Ad(exp(w))^-1 v, joint by joint. */
function pullBack(model: Model, w: Float64Array, v: Float64Array): Float64Array {
  const out = Float64Array.from(v);
  for (let j = 1; j < model.jointCount; j++) {
    if (model.nqs[j] > 0) findTangentGroup(model.jointKinds[j]!)?.pullBack(out, w, v, model.idxV[j]);
  }
  return out;
}

/** Ad(exp(w)) v */
function pullForward(model: Model, w: Float64Array, v: Float64Array): Float64Array {
  return pullBack(
    model,
    w.map((x) => -x),
    v,
  );
}

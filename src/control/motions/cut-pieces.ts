/**
 * Part of a curve as pieces of their own: the same curve, its polynomials written anew.
 *
 * With w = w0 + w' (w1 - w0), sum c_k w^k is expanded by Horner's rule. Parameters are the curve's. Cost: linear in pieces.
 * Tested by cut-pieces.test.ts.
 */
import type { CurvePiece, JointCurve } from '../../trajectory/joint-curve.js';

/** Pieces shorter than this share of the curve are left out. */
const SHORTEST = 1e-12;

export interface CutPiece {
  readonly piece: CurvePiece;
  /** Which piece of the curve it is part of, and where it begins there. */
  readonly source: number;
  readonly offset: number;
}

export function cutPieces(curve: JointCurve, from: number, to: number): CutPiece[] {
  const out: CutPiece[] = [];
  curve.pieces.forEach((piece, source) => {
    const start = curve.breaks[source];
    const first = Math.max(from - start, 0);
    const last = Math.min(to - start, piece.length);
    if (!(last - first > SHORTEST * curve.duration)) return;
    out.push({ piece: cutPiece(piece, first, last), source, offset: first });
  });
  return out;
}

/** Of a piece, from offset to offset. */
export function cutPiece(piece: CurvePiece, first: number, last: number): CurvePiece {
  const { length, base, terms } = piece;
  if (first === 0 && last === length) return piece;
  const at = first / length;
  const share = (last - first) / length;
  return {
    length: last - first,
    base,
    terms: terms.map(({ increment, polynomial }) => ({ increment, polynomial: shift(polynomial, at, share) })),
  };
}

/** Coefficients of p(at + share w). */
function shift(polynomial: ArrayLike<number>, at: number, share: number): number[] {
  const out: number[] = [];
  for (let k = polynomial.length - 1; k >= 0; k--) {
    out.push(0);
    for (let i = out.length - 1; i > 0; i--) out[i] = at * out[i] + share * out[i - 1];
    out[0] = at * out[0] + polynomial[k];
  }
  return out;
}

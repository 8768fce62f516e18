/**
 * Forbidden places of a translating body as convex pieces, and where points and segments lie with respect to one.
 *
 * A piece is the sum of a convex part of an obstacle and the mirror image of a convex part of the body. Whether its boundary is
 * forbidden too is the piece's own: `isOpen` pieces forbid their inside only (touching is free). Every test is exact.
 * Tested by shortest-path.test.ts.
 */
import type { ConvexPart } from './convex-parts.js';
import { sumConvexParts } from './convex-sum.js';
import { createExactPoint, type ExactPoint, orientPoints } from './exact-point.js';

export interface Piece {
  /** Counter-clockwise, no three on a line. */
  readonly corners: readonly ExactPoint[];
  readonly isOpen: boolean;
  /** Which obstacle; -1 - k is the strip outside of the bounds: left, right, below, above. */
  readonly obstacle: number;
  /** The parts whose sum this is; null for strips outside of the bounds. */
  readonly parts: readonly [ConvexPart | readonly ExactPoint[], ConvexPart] | null;
  readonly low: readonly [number, number];
  readonly high: readonly [number, number];
}

/** `[x0, y0, x1, y1]`. */
export type PlaneBounds = readonly [number, number, number, number];

export function createPiece(
  corners: readonly ExactPoint[],
  isOpen: boolean,
  obstacle: number,
  parts: Piece['parts'],
): Piece {
  let x0 = Infinity;
  let y0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  for (const { x, y, error } of corners) {
    x0 = Math.min(x0, x - 2 * error);
    y0 = Math.min(y0, y - 2 * error);
    x1 = Math.max(x1, x + 2 * error);
    y1 = Math.max(y1, y + 2 * error);
  }
  return { corners, isOpen, obstacle, parts, low: [x0, y0], high: [x1, y1] };
}

export function createSumPiece(a: ConvexPart, b: ConvexPart, isOpen: boolean, obstacle: number): Piece {
  return createPiece(sumConvexParts(a, b), isOpen, obstacle, [a, b]);
}

/** Four overlapping strips around the bounds, beyond all pieces. The bounds themselves are allowed: the strips are open. */
export function createOutside([x0, y0, x1, y1]: PlaneBounds, pieces: readonly Piece[]): Piece[] {
  let reach = 2 * Math.max(x1 - x0, y1 - y0);
  for (const { low, high } of pieces)
    reach = Math.max(reach, 2 * (x0 - low[0]), 2 * (y0 - low[1]), 2 * (high[0] - x1), 2 * (high[1] - y1));
  const strip = (a: number, b: number, c: number, d: number, k: number) =>
    createPiece(
      [
        [a, b],
        [c, b],
        [c, d],
        [a, d],
      ].map(([x, y]) => createExactPoint(x, y)),
      true,
      -1 - k,
      null,
    );
  const left = x0 - reach;
  const right = x1 + reach;
  const bottom = y0 - reach;
  const top = y1 + reach;
  return [
    strip(left, bottom, x0, top, 0),
    strip(x1, bottom, right, top, 1),
    strip(left, bottom, right, y0, 2),
    strip(left, y1, right, top, 3),
  ];
}

/** 1 in the inside of a piece, 0 on its boundary, -1 outside. */
export function sidePoint(piece: Piece, point: ExactPoint): number {
  const { x, y, error } = point;
  const slack = 2 * error;
  if (x < piece.low[0] - slack || x > piece.high[0] + slack) return -1;
  if (y < piece.low[1] - slack || y > piece.high[1] + slack) return -1;
  let side = 1;
  const { corners } = piece;
  for (let i = 0; i < corners.length; i++) {
    const turn = orientPoints(corners[i], corners[i + 1 === corners.length ? 0 : i + 1], point);
    if (turn < 0) return -1;
    if (turn === 0) side = 0;
  }
  return side;
}

export function forbidsPoint(piece: Piece, point: ExactPoint): boolean {
  const side = sidePoint(piece, point);
  return piece.isOpen ? side > 0 : side >= 0;
}

/** Whether a segment meets what the piece forbids. */
export function forbidsSegment(piece: Piece, p: ExactPoint, q: ExactPoint): boolean {
  const slack = 2 * Math.max(p.error, q.error);
  if (Math.max(p.x, q.x) < piece.low[0] - slack || Math.min(p.x, q.x) > piece.high[0] + slack) return false;
  if (Math.max(p.y, q.y) < piece.low[1] - slack || Math.min(p.y, q.y) > piece.high[1] + slack) return false;
  const { corners, isOpen } = piece;
  // Two convex sets are apart where one line along a side of either lies between them.
  const apart = isOpen ? 0 : -1;
  for (let i = 0; i < corners.length; i++) {
    const a = corners[i];
    const b = corners[i + 1 === corners.length ? 0 : i + 1];
    if (orientPoints(a, b, p) <= apart && orientPoints(a, b, q) <= apart) return false;
  }
  let lowest = 1;
  let highest = -1;
  for (const corner of corners) {
    const turn = orientPoints(p, q, corner);
    lowest = Math.min(lowest, turn);
    highest = Math.max(highest, turn);
  }
  if (lowest === 0 && highest === 0) return true;
  return isOpen ? lowest < 0 && highest > 0 : lowest <= 0 && highest >= 0;
}

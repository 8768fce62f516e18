/**
 * A leg of a program: a path of the joints without jumps, whose pieces know which move they belong to.
 * `ptp` moves and runs of tool moves are legs of their own until they are blended into each other (join-legs.ts).
 */
import type { CurvePiece, JointCurve } from '../../trajectory/joint-curve.js';

export interface LegPiece {
  readonly piece: CurvePiece;
  /** Index of the move; of a blend the one that ends in it. */
  readonly move: number;
  /** A blend into this move; -1 where it is none. */
  readonly into: number;
  /** Where on the tool's path of the run it begins; null for moves of joints. */
  readonly tool: { readonly curve: JointCurve; readonly at: number } | null;
}

export interface Leg {
  readonly pieces: readonly LegPiece[];
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** Moves it begins and ends with. */
  readonly first: number;
  readonly last: number;
}

/** A blend as it was made at the end of a move: metres. */
export interface MadeBlend {
  readonly move: number;
  readonly asked: number;
  /** 0 where the corner stayed. */
  readonly made: number;
  /** What it rounds, in W; null where the corner stayed. */
  readonly corner: Float64Array | null;
}

/** Why a program cannot run. */
export interface MoveFault {
  readonly status: 'unreachable' | 'singular' | 'joint-limit' | 'no-path';
  readonly reason: string;
  readonly move: number;
  /** Metres along the move. */
  readonly s: number;
  readonly q: Float64Array;
  readonly joint: string | null;
}

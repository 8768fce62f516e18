/** Proofs that spheres of two links never touch within a robot's limits, as data: what the search writes and the verifier reads. */

export interface LinkPairProof {
  readonly a: string;
  readonly b: string;
  /** Pairs of spheres that can never touch: index in the finest level of a, then of b, two numbers each. */
  readonly never: Int32Array;
  /** Number of pairs of spheres that touch somewhere, and of those left open. */
  readonly possible: number;
  readonly undecided: number;
  /** The coordinates that are halved, as places in `indices`. */
  readonly coordinates: readonly number[];
  /** The tree, parents before children, lower half first: which of `coordinates` a box is halved along, or -1 where it is not. */
  readonly splits: Int8Array;
  readonly boxes: number;
}

export interface ImpossiblePairs {
  readonly indices: readonly number[];
  readonly rest: Float64Array;
  readonly margin: number;
  readonly pairs: readonly LinkPairProof[];
}

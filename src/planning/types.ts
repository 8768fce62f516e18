/**
 * What a planner sees: a state space and a validity checker, never a scene.
 * States are Float64Array of length `dimension` (the space may embed, e.g. quaternions).
 */
import type { Random } from '../math/random.js';

export interface StateSpace {
  /** Numbers per state. */
  readonly dimension: number;
  sample(out: Float64Array, random: Random): Float64Array;
  distance(a: Float64Array, b: Float64Array): number;
  /** `out` may be `a` or `b`. */
  interpolate(out: Float64Array, a: Float64Array, b: Float64Array, t: number): Float64Array;
  /** Inside bounds, finite, normalised. */
  satisfiesBounds(q: Float64Array): boolean;
  /** Why q is out of bounds (which number, which limit), for messages. */
  explainBounds?(q: Float64Array): string;
  /** A state from outside that is off by a rounding, moved into the bounds, with what was altered, one sentence each. */
  admit?(q: Float64Array): { readonly state: Float64Array; readonly altered: readonly string[] };
  /** The space with a range to draw from where coordinates have no limits, made from the states to be joined, and what it is. */
  coverStates?(states: readonly Float64Array[]): { readonly space: StateSpace; readonly guessed: readonly string[] };
  /**
   * Present where not any two states are joined by a motion, and motions are no straight lines: whether these are, and what decides about
   * motions, made of what decides about short straight ones.
   */
  joins?(a: Float64Array, b: Float64Array): boolean;
  followMotion?(motion: MotionValidator): MotionValidator;
  /** Present when distance(a, b) = |scale * (a - b)|, number by number: searches may then skip the function calls. */
  readonly euclideanScale?: Float64Array;
  /** Present when states are independent numbers, which the planners' kernel can draw, measure and interpolate by itself. */
  readonly coordinates?: StateCoordinates;
}

/**
 * A space of independent numbers: state k is drawn as min(upper, lower + (upper - lower) u), u one draw, or is lower where it is
 * locked; distance is the root of the sum of (scale_k |b_k - a_k|)^2, differences going the shorter way round where they wrap.
 */
export interface StateCoordinates {
  /** Where states are drawn from: finite. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly scale: Float64Array;
  /** Of wrapping coordinates, 0 for others. */
  readonly period: Float64Array;
  /** 0: a line; 1: wraps, and is kept within the bounds; 2: an angle that wraps and is kept as it comes; 16 more: locked. */
  readonly kinds: Int32Array;
  /** How products of the metric are rounded where coordinates wrap: (scale d)^2 or scale^2 d^2. */
  readonly form: 'weighted' | 'squared';
}

/**
 * Checks in WebAssembly, of a compiled robot among obstacles: the planners' kernel is linked with them, so that no JavaScript runs in
 * its loops. States are float64 numbers at addresses of `memory`.
 */
export interface KernelChecks {
  readonly memory: WebAssembly.Memory;
  /** Everything above is the planners'; it may make the memory grow. */
  readonly heapBase: number;
  /** Address of a factor per coordinate for the distance that `step` is measured in; the planners write the space's. */
  readonly weights?: number;
  /** Address of room for two states, where those who ask from TypeScript write them. */
  readonly room?: number;
  /** 1: free at a (known to be free) and at steps of at most `step` on the way to b, and at b. Usually an exported function. */
  readonly motion: (a: number, b: number, step: number) => number;
  /**
   * 1: the motion is proven free at every time. Where nothing moves by more than `tolerance` metres it gives up. Where it is there, last
   * checks ask it first: a proof costs less than samples at their finer step.
   */
  readonly certify?: (a: number, b: number, tolerance: number) => number;
}

/** What verdicts rest on; a checker that does not say so is taken to be complete. */
export interface Assuming {
  /** False when something was left out of what is checked: then "free" is not known to be true. */
  readonly complete?: boolean;
  /** What was dropped, altered or guessed, one sentence each. */
  readonly assumed?: readonly string[];
}

export interface ValidityChecker extends Assuming {
  isValid(q: Float64Array): boolean;
  /** Why q is invalid (names of the touching links), for messages. */
  explain?(q: Float64Array): string;
  /** Decides whole motions better than states some distance apart can: planners take it unless they are given another one. */
  readonly motion?: MotionValidator;
  /** The same verdicts for states some distance apart, in WebAssembly: taken where nothing decides whole motions. */
  readonly kernel?: KernelChecks;
}

/** Decides about a whole motion, the straight line of the space from a (known to be valid) to b. */
export interface MotionValidator extends Assuming {
  /** Where it is slow it may ask `shouldStop` now and then; true ends it with false. */
  isMotionValid(a: Float64Array, b: Float64Array, shouldStop?: () => boolean): boolean;
  /**
   * Many together: writes to `out[i]` whether the motion from `starts[i]` to `ends[i]` is valid, 1 or 0, with the verdicts of
   * `isMotionValid`. Where it is missing `areMotionsValid` asks one by one.
   */
  areMotionsValid?(
    out: Uint8Array,
    starts: readonly Float64Array[],
    ends: readonly Float64Array[],
    shouldStop?: () => boolean,
  ): void;
  /** A motion that is valid is so at every state, so that its parts are valid, too. */
  readonly isExact?: boolean;
}

/**
 * The status words of the command line. `limit`: the iterations ran out; `timeout`: stopped from outside; both prove nothing.
 * `impossible`: there is no path, proven; no planner that draws samples says so.
 */
export type PlanStatus =
  | 'solved'
  | 'approximate'
  | 'limit'
  | 'timeout'
  | 'impossible'
  | 'invalid-start'
  | 'invalid-goal';

export interface PlanResult {
  readonly status: PlanStatus;
  readonly reason: string;
  /**
   * `solved`: from the start to a goal, both exact. `approximate`, and `timeout` when partial paths were asked for:
   * from the start to the state nearest a goal that was reached. Empty otherwise.
   */
  readonly path: readonly Float64Array[];
  readonly length: number;
  readonly iterations: number;
  /** Number of isValid calls, and of motions that a validator decided as a whole. */
  readonly checks: number;
  /** What the checkers say: see `Assuming`. */
  readonly complete: boolean;
  readonly assumed: readonly string[];
}

/** What all of them rest on together. */
export function joinAssumptions(...sources: readonly (Assuming | undefined | null)[]): Required<Assuming> {
  return {
    complete: sources.every((source) => source?.complete ?? true),
    assumed: [...new Set(sources.flatMap((source) => source?.assumed ?? []))],
  };
}

/** Limits from outside. They end a search early, within one check of a state or motion, and never change what it found before. */
export interface StopOptions {
  /** Needs `clock`, which is looked at before every check. */
  readonly timeoutMs?: number;
  /** Milliseconds from any origin, for example `() => performance.now()`. */
  readonly clock?: () => number;
  /** Asked between iterations and before the check of a motion; true ends the search with status `timeout`. */
  readonly shouldStop?: () => boolean;
}

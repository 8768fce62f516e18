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
  interpolate(out: Float64Array, a: Float64Array, b: Float64Array, t: number): Float64Array;
  /** Inside bounds, finite, normalised. */
  satisfiesBounds(q: Float64Array): boolean;
}

export interface ValidityChecker {
  isValid(q: Float64Array): boolean;
  /** Why q is invalid (names of the touching links), for messages. */
  explain?(q: Float64Array): string;
}

/** The status words of the command line. */
export type PlanStatus = 'solved' | 'approximate' | 'no-path' | 'timeout' | 'invalid-start' | 'invalid-goal';

export interface PlanResult {
  readonly status: PlanStatus;
  readonly reason: string;
  readonly path: readonly Float64Array[];
  readonly length: number;
  readonly iterations: number;
  /** Number of isValid calls. */
  readonly checks: number;
}

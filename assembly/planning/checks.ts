// What the planner asks: a robot's compiled checks, wasm to wasm, or functions of the host. States are f64 at an address.
import { S_MOTIONS } from '../../src/planning/kernel/layout';
import { search } from './search';

/** 1 when the motion from a (known to be free) to b is free at steps of at most `step`. */
@external('checks', 'motion')
declare function motion(a: usize, b: usize, step: f64): i32;

/** 1 when the motion is proven free at every time; intervals in which nothing moves by more than the tolerance are not cut further. */
@external('checks', 'certify')
declare function certify(a: usize, b: usize, tolerance: f64): i32;

/**
 * Proofs that need gaps narrower than what this much of motion takes are given up, metres: with half of it paths are half a percent
 * shorter, and simplification takes a tenth more time.
 */
const PROOF_TOLERANCE: f64 = 0.005;

@inline
function count(): void {
  store<i32>(search, load<i32>(search, S_MOTIONS) + 1, S_MOTIONS);
}

/** Counts the motions asked. */
export function isMotionFree(a: usize, b: usize, step: f64): bool {
  count();
  return motion(a, b, step) !== 0;
}

/** Whether it is free at every time: no says nothing. */
export function isMotionProven(a: usize, b: usize): bool {
  count();
  return certify(a, b, PROOF_TOLERANCE) !== 0;
}

// What the planner asks: a robot's compiled checks, wasm to wasm, or functions of the host. States are f64 at an address.
import { S_MOTIONS } from '../../src/planning/kernel/layout';
import { search } from './search';

/** 1 when the motion from a (known to be free) to b is free at steps of at most `step`. */
@external('checks', 'motion')
declare function motion(a: usize, b: usize, step: f64): i32;

/** Counts the motions asked. */
export function isMotionFree(a: usize, b: usize, step: f64): bool {
  store<i32>(search, load<i32>(search, S_MOTIONS) + 1, S_MOTIONS);
  return motion(a, b, step) !== 0;
}

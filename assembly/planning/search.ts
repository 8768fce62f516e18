// The search under way: what its block says, in variables, and how its space measures and moves.
//
// The same operations in the same order as the spaces of src/planning, so that both give the same bits.
import {
  A_LOWER,
  A_PERIOD,
  A_SCALE,
  A_UPPER,
  COORDINATE_ANGLE,
  COORDINATE_LINE,
  COORDINATE_LOCKED,
  FORM_SQUARED,
  LAST_ARRAYS,
  LEAF_POINTS,
  NUMBER_ARRAYS,
  S_DIMENSION,
  S_FORM,
  S_NUMBERS,
} from '../../src/planning/kernel/layout';

import { must } from './blocks';

/** Block of the search. */
export let search: usize = 0;
export let dimension: usize = 0;
/** Bytes of a state. */
export let stateBytes: usize = 0;
export let form: i32 = 0;
let numbers: usize = 0;
let lowers: usize = 0;
let uppers: usize = 0;
export let scales: usize = 0;
let periods: usize = 0;
/** The query, each coordinate four times; the query, padded; kinds of the coordinates. */
export let splats: usize = 0;
export let padded: usize = 0;
export let kinds: usize = 0;
/** Room for one squared distance per point of a leaf. */
export let sums: usize = 0;
let lastStates: usize = 0;

const ARRAYS: usize = NUMBER_ARRAYS;
const STATES: usize = LAST_ARRAYS;

@inline
function align(bytes: usize): usize {
  return (bytes + 15) & ~15;
}

export function numberBytes(d: usize): usize {
  return align(ARRAYS * d * 8) + 16 * d + align(4 * d) + align(4 * d) + 4 * LEAF_POINTS + STATES * 8 * d;
}

export function open(block: usize): void {
  must((block & 63) === 0);
  search = block;
  dimension = load<i32>(block, S_DIMENSION);
  form = load<i32>(block, S_FORM);
  stateBytes = dimension << 3;
  numbers = load<u32>(block, S_NUMBERS);
  lowers = array(A_LOWER);
  uppers = array(A_UPPER);
  scales = array(A_SCALE);
  periods = array(A_PERIOD);
  splats = numbers + align(ARRAYS * stateBytes);
  padded = splats + 16 * dimension;
  kinds = padded + align(4 * dimension);
  sums = kinds + align(4 * dimension);
  lastStates = sums + 4 * LEAF_POINTS;
}

/** Address of one of the arrays A_... */
@inline
export function array(which: i32): usize {
  return numbers + <usize>which * stateBytes;
}

@inline
export function lastState(which: i32): usize {
  return lastStates + <usize>which * stateBytes;
}

@inline
export function at(state: usize, k: usize): f64 {
  return load<f64>(state + (k << 3));
}

@inline
export function put(state: usize, k: usize, value: f64): void {
  store<f64>(state + (k << 3), value);
}

@inline
export function copyState(out: usize, state: usize): void {
  for (let k: usize = 0; k < stateBytes; k += 8) store<f64>(out + k, load<f64>(state + k));
}

@inline
export function lower(k: usize): f64 {
  return at(lowers, k);
}

@inline
export function upper(k: usize): f64 {
  return at(uppers, k);
}

@inline
export function period(k: usize): f64 {
  return at(periods, k);
}

@inline
export function kind(k: usize): i32 {
  return load<i32>(kinds + (k << 2));
}

/** As Math.round of the language: halves go up. */
@inline
function round(x: f64): f64 {
  const up = ceil(x);
  return up - 0.5 > x ? up - 1 : up;
}

/** b - a, the shorter way round where the coordinate wraps. */
@inline
export function difference(a: f64, b: f64, k: usize): f64 {
  const d = b - a;
  const which = kind(k) & ~COORDINATE_LOCKED;
  if (which === COORDINATE_LINE) return d;
  const turn = period(k);
  if (which !== COORDINATE_ANGLE) return d - turn * round(d / turn);
  const half = 0.5 * turn;
  if (d >= -half && d <= half) return d;
  return min(half, max(-half, d - round(d / turn) * turn));
}

/** Distance in the metric of the space; in the plain one of numbers times scale, as searches compute it. */
export function distance(a: usize, b: usize): f64 {
  let sum: f64 = 0;
  for (let k: usize = 0; k < dimension; k++) {
    const scale = at(scales, k);
    const d = difference(at(a, k), at(b, k), k);
    if (form === FORM_SQUARED) sum += scale * scale * (d * d);
    else sum += scale * d * (scale * d);
  }
  return sqrt(sum);
}

export function interpolate(out: usize, a: usize, b: usize, t: f64): void {
  for (let k: usize = 0; k < dimension; k++) {
    const from = at(a, k);
    if (t === 1) {
      put(out, k, at(b, k));
      continue;
    }
    const which = kind(k) & ~COORDINATE_LOCKED;
    const value = from + t * difference(from, at(b, k), k);
    put(out, k, which === COORDINATE_LINE || which === COORDINATE_ANGLE ? value : wrapBack(value, k));
  }
}

function wrapBack(value: f64, k: usize): f64 {
  const turn = period(k);
  const low = lower(k);
  const turned = value - turn * floor((value - low) / turn);
  return min(max(turned, low), upper(k));
}

// States drawn from the bounds: by xoshiro128**, or Halton's points, each as src/math/random.ts and src/planning/halton.ts have it.
//
// Halton's points are counted up digit by digit: with D a power of the base above the point's number and N / D the point, the next
// one has, where D - N is 1, numerator 1 over D times the base, else N' = (base + 1) y - (D - N) with y the largest D / base^j below D - N.
// The quotient is that of the digits reversed, so the bits are those of the definition. Source: Kolar, O'Shea 1993, "Fast,
// portable, and reliable algorithm for the calculation of Halton numbers", doi:10.1016/0898-1221(93)90307-H.
import {
  A_BASE,
  A_DENOMINATOR,
  A_NUMERATOR,
  A_SHIFT,
  A_STEP,
  COORDINATE_LOCKED,
  FLAG_HALTON,
  S_FLAGS,
  S_RANDOM,
} from '../../src/planning/kernel/layout';
import { array, at, dimension, kind, lower, put, search, upper } from './search';

function nextUint32(): u32 {
  const state = search + S_RANDOM;
  let s0 = load<u32>(state);
  let s1 = load<u32>(state, 4);
  let s2 = load<u32>(state, 8);
  let s3 = load<u32>(state, 12);
  const result = rotl<u32>(s1 * 5, 7) * 9;
  const t = s1 << 9;
  s2 ^= s0;
  s3 ^= s1;
  s1 ^= s2;
  s0 ^= s3;
  s2 ^= t;
  s3 = rotl<u32>(s3, 11);
  store<u32>(state, s0);
  store<u32>(state, s1, 4);
  store<u32>(state, s2, 8);
  store<u32>(state, s3, 12);
  return result;
}

/** Uniform in [0, 1) with 53 random bits. */
export function nextRandom(): f64 {
  const high = <f64>(nextUint32() >>> 5) * 1.1102230246251565e-16 * 67108864;
  return high + <f64>(nextUint32() >>> 6) * 1.1102230246251565e-16;
}

function nextHalton(k: usize): f64 {
  let denominator = at(array(A_DENOMINATOR), k);
  let numerator = at(array(A_NUMERATOR), k);
  const rest = denominator - numerator;
  const first = at(array(A_STEP), k);
  // Mostly the lowest digit goes up.
  if (rest > first) numerator += first;
  else if (rest === 1) {
    numerator = 1;
    put(array(A_STEP), k, denominator);
    denominator *= at(array(A_BASE), k);
    put(array(A_DENOMINATOR), k, denominator);
  } else {
    // All numbers are integers below 2^53 and the divisions come out even.
    const base = at(array(A_BASE), k);
    let y = first;
    while (rest <= y) y /= base;
    numerator = (base + 1) * y - rest;
  }
  put(array(A_NUMERATOR), k, numerator);
  const value = numerator / denominator + at(array(A_SHIFT), k);
  return value >= 1 ? value - 1 : value;
}

export function drawState(out: usize): void {
  const halton = (load<i32>(search, S_FLAGS) & FLAG_HALTON) !== 0;
  // One draw per coordinate that is not locked: the j-th of them takes the j-th base.
  let j: usize = 0;
  for (let k: usize = 0; k < dimension; k++) {
    const low = lower(k);
    if (kind(k) & COORDINATE_LOCKED) {
      put(out, k, low);
      continue;
    }
    const high = upper(k);
    const u = halton ? nextHalton(j++) : nextRandom();
    put(out, k, min(high, low + (high - low) * u));
  }
}

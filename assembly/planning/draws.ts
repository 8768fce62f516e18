// States drawn from the bounds: by xoshiro128**, or Halton's points, each as src/math/random.ts and src/planning/halton.ts have it.
//
// Halton's points are counted up digit by digit: with D a power of the base above the point's number and N / D the point, the next
// one has, where D - N is 1, numerator 1 over D times the base, else N' = (base + 1) y - (D - N) with y the largest D / base^j below D - N.
// The quotient is that of the digits reversed, so the bits are those of the definition. Source: Kolar, O'Shea 1993, "Fast,
// portable, and reliable algorithm for the calculation of Halton numbers", Computers and Mathematics with Applications 25 (7).
import {
  A_BASE,
  A_LOWER,
  A_STEP,
  COORDINATE_LOCKED,
  FLAG_GIVEN,
  FLAG_HALTON,
  S_FLAGS,
  S_GIVEN,
  S_GIVEN_NEXT,
  S_RANDOM,
} from '../../src/planning/kernel/layout';
import { array, copyState, kinds, search, stateBytes } from './search';

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

/** The next coordinate of the point under way: the address is that of its base, the arrays follow each other. */
@inline
function nextHalton(base: usize): f64 {
  const numerators = base + stateBytes;
  const denominators = numerators + stateBytes;
  const shifts = denominators + stateBytes;
  const steps = base + <usize>(A_STEP - A_BASE) * stateBytes;
  let denominator = load<f64>(denominators);
  let numerator = load<f64>(numerators);
  const rest = denominator - numerator;
  const first = load<f64>(steps);
  // Mostly the lowest digit goes up.
  if (rest > first) numerator += first;
  else if (rest === 1) {
    numerator = 1;
    store<f64>(steps, denominator);
    denominator *= load<f64>(base);
    store<f64>(denominators, denominator);
  } else {
    // All numbers are integers below 2^53 and the divisions come out even.
    let y = first;
    while (rest <= y) y /= load<f64>(base);
    numerator = (load<f64>(base) + 1) * y - rest;
  }
  store<f64>(numerators, numerator);
  const value = numerator / denominator + load<f64>(shifts);
  return value >= 1 ? value - 1 : value;
}

/** Writes a state; false where nothing came of the host's draw. */
export function drawState(out: usize): bool {
  if ((load<i32>(search, S_FLAGS) & FLAG_GIVEN) !== 0) {
    const next = load<i32>(search, S_GIVEN_NEXT);
    store<i32>(search, next + 1, S_GIVEN_NEXT);
    copyState(out, <usize>load<u32>(search, S_GIVEN) + <usize>next * stateBytes);
    return load<f64>(out) !== Infinity;
  }
  const halton = (load<i32>(search, S_FLAGS) & FLAG_HALTON) !== 0;
  // One draw per coordinate that is not locked: the j-th of them takes the j-th base.
  let base = array(A_BASE);
  const lowers = array(A_LOWER);
  for (let o: usize = 0, k: usize = 0; o < stateBytes; o += 8, k += 4) {
    const low = load<f64>(lowers + o);
    if (load<i32>(kinds + k) & COORDINATE_LOCKED) {
      store<f64>(out + o, low);
      continue;
    }
    const high = load<f64>(lowers + stateBytes + o);
    let u: f64;
    if (halton) {
      u = nextHalton(base);
      base += 8;
    } else u = nextRandom();
    store<f64>(out + o, min(high, low + (high - low) * u));
  }
  return true;
}

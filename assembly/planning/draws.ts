// States drawn from the bounds: by xoshiro128**, or Halton's points, each as src/math/random.ts and src/planning/halton.ts have it.
//
// Halton's points are counted up digit by digit: with D a power of the base above the point's number and N / D the point, the next
// one has, where D - N is 1, numerator 1 over D times the base, else N' = (base + 1) y - (D - N) with y the largest D / base^j below D - N.
// The quotient is that of the digits reversed, so the bits are those of the definition. Source: Kolar, O'Shea 1993, "Fast,
// portable, and reliable algorithm for the calculation of Halton numbers", Computers and Mathematics with Applications 25 (7).
import {
  A_BASE,
  A_LOWER,
  A_NUMERATOR,
  A_SHIFT,
  A_STEP,
  COORDINATE_LOCKED,
  FLAG_GIVEN,
  FLAG_HALTON,
  FLAG_LOCKED,
  S_DRAWN,
  S_FLAGS,
  S_GIVEN,
  S_GIVEN_NEXT,
  S_RANDOM,
} from '../../src/planning/kernel/layout';
import { allocate } from './blocks';
import { array, copyState, dimension, kinds, lastState, search, stateBytes } from './search';

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

// Points are kept: the next search of a robot begins with the same ones. Those of the first dimension that asks, before their shift, in
// blocks of POINTS_KEPT; behind the addresses of the blocks, numerators, denominators and steps for the point after the last.
const POINTS_KEPT: i32 = 512;
const BLOCKS_KEPT: i32 = 64;
const FIRST_STATE: usize = (<usize>BLOCKS_KEPT) << 2;
let kept: usize = 0;
let keptDimension: usize = 0;
let keptCount: i32 = 0;

/** All blocks were forgotten. */
export function forgetPoints(): void {
  kept = 0;
  keptCount = 0;
}

function openPoints(): void {
  kept = allocate(FIRST_STATE + 3 * stateBytes);
  keptDimension = dimension;
  const numerators = kept + FIRST_STATE;
  for (let o: usize = 0; o < stateBytes; o += 8) {
    store<f64>(numerators + o, 0);
    store<f64>(numerators + stateBytes + o, 1);
    store<f64>(numerators + 2 * stateBytes + o, 1);
  }
}

/** Writes the next point, without its shift, of what numerators, denominators behind them, and steps say. */
function countUp(out: usize, numerators: usize, steps: usize): void {
  const bases = array(A_BASE);
  const denominators = numerators + stateBytes;
  for (let o: usize = 0; o < stateBytes; o += 8) {
    const base = load<f64>(bases + o);
    // Locked coordinates leave bases over.
    if (base === 0) return;
    let denominator = load<f64>(denominators + o);
    let numerator = load<f64>(numerators + o);
    const rest = denominator - numerator;
    const first = load<f64>(steps + o);
    // Mostly the lowest digit goes up.
    if (rest > first) numerator += first;
    else if (rest === 1) {
      numerator = 1;
      store<f64>(steps + o, denominator);
      denominator *= base;
      store<f64>(denominators + o, denominator);
    } else {
      // All numbers are integers below 2^53 and the divisions come out even.
      let y = first;
      while (rest <= y) y /= base;
      numerator = (base + 1) * y - rest;
    }
    store<f64>(numerators + o, numerator);
    store<f64>(out + o, numerator / denominator);
  }
}

/** Address of the next point, without its shift. */
function nextPoint(): usize {
  const index = load<i32>(search, S_DRAWN);
  store<i32>(search, index + 1, S_DRAWN);
  if (kept === 0) openPoints();
  const numerators = array(A_NUMERATOR);
  const most = POINTS_KEPT * BLOCKS_KEPT;
  if (keptDimension === dimension && index < most) {
    const place = kept + ((<usize>(index / POINTS_KEPT)) << 2);
    if (index === keptCount && index % POINTS_KEPT === 0)
      store<u32>(place, <u32>allocate(<usize>POINTS_KEPT * stateBytes));
    const point = <usize>load<u32>(place) + <usize>(index % POINTS_KEPT) * stateBytes;
    if (index === keptCount) {
      keptCount++;
      countUp(point, kept + FIRST_STATE, kept + FIRST_STATE + 2 * stateBytes);
    }
    return point;
  }
  if (keptDimension === dimension && index === most) {
    memory.copy(numerators, kept + FIRST_STATE, 2 * stateBytes);
    memory.copy(array(A_STEP), kept + FIRST_STATE + 2 * stateBytes, stateBytes);
  }
  const point = lastState(0);
  countUp(point, numerators, array(A_STEP));
  return point;
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
  let drawn = halton ? nextPoint() : 0;
  let shift = array(A_SHIFT);
  const lowers = array(A_LOWER);
  let first: usize = 0;
  if (halton && (load<i32>(search, S_FLAGS) & FLAG_LOCKED) === 0) {
    // Two coordinates at a time.
    const one = f64x2.splat(1);
    for (; first + 16 <= stateBytes; first += 16) {
      let u = f64x2.add(v128.load(drawn + first), v128.load(shift + first));
      u = f64x2.sub(u, v128.and(f64x2.ge(u, one), one));
      const low = v128.load(lowers + first);
      const high = v128.load(lowers + stateBytes + first);
      v128.store(out + first, f64x2.min(high, f64x2.add(low, f64x2.mul(f64x2.sub(high, low), u))));
    }
    drawn += first;
    shift += first;
  }
  for (let o = first, k: usize = first >> 1; o < stateBytes; o += 8, k += 4) {
    const low = load<f64>(lowers + o);
    if (load<i32>(kinds + k) & COORDINATE_LOCKED) {
      store<f64>(out + o, low);
      continue;
    }
    const high = load<f64>(lowers + stateBytes + o);
    let u: f64;
    if (halton) {
      u = load<f64>(drawn) + load<f64>(shift);
      if (u >= 1) u -= 1;
      drawn += 8;
      shift += 8;
    } else u = nextRandom();
    store<f64>(out + o, min(high, low + (high - low) * u));
  }
  return true;
}

/**
 * Seeded random numbers with equal bits in every engine: xoshiro128**, its state filled by a counter with step 2^32/phi run
 * through the 32-bit finaliser of MurmurHash3 (the scheme of splitmix).
 * Source: Blackman, Vigna 2021, "Scrambled linear pseudorandom number generators", doi:10.1145/3460772; Steele, Lea, Flood
 * 2014, "Fast splittable pseudorandom number generators", doi:10.1145/2660193.2660195.
 * Not for secrets. Tested by random.test.ts.
 */
import { describeValue } from './known-keys.js';
import { MisuseError } from './misuse.js';
import { log } from './scalar.js';

export interface Random {
  /** Uniform integer in [0, 2^32). */
  nextUint32(): number;
  /** Uniform in [0, 1) with 53 random bits. */
  next(): number;
  /** Uniform in [lower, upper); upper itself only by rounding. */
  uniform(lower: number, upper: number): number;
  /** Uniform integer in [0, n), 1 <= n <= 2^53. */
  integer(n: number): number;
  /** Standard normal (polar method). */
  normal(): number;
}

/** Random numbers that can be stopped and gone on with elsewhere. */
export interface SeededRandom extends Random {
  /** Where the sequence stands: four integers in [0, 2^32), not all zero. */
  saveState(): [number, number, number, number];
  /** Goes on from a saved state. Throws RangeError for what is none. */
  restoreState(state: ArrayLike<number>): void;
}

/** `seed`: any safe integer; different seeds give different sequences. */
export function createRandom(seed: number): SeededRandom {
  if (!Number.isSafeInteger(seed))
    throw new MisuseError(`createRandom: seed, got ${describeValue(seed)}, expected a safe integer`);
  let h = seed >>> 0;
  const mix = (): number => {
    h = (h + 0x9e3779b9) >>> 0;
    let z = h;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  let s0 = mix();
  let s1 = mix();
  // The upper half of the seed goes into the other half of the state.
  h ^= Math.floor(seed / 4294967296);
  let s2 = mix();
  let s3 = mix() | 1;
  const nextUint32 = (): number => {
    const m = Math.imul(s1, 5);
    const result = Math.imul((m << 7) | (m >>> 25), 9) >>> 0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    return result;
  };
  const next = (): number =>
    (nextUint32() >>> 5) * 1.1102230246251565e-16 * 67108864 + (nextUint32() >>> 6) * 1.1102230246251565e-16;
  return {
    nextUint32,
    next,
    uniform: (lower, upper) => lower + (upper - lower) * next(),
    integer: (n) => Math.floor(next() * n),
    normal: () => {
      for (;;) {
        const u = 2 * next() - 1;
        const v = 2 * next() - 1;
        const s = u * u + v * v;
        if (s > 0 && s < 1) return u * Math.sqrt((-2 * log(s)) / s);
      }
    },
    saveState: () => [s0 >>> 0, s1 >>> 0, s2 >>> 0, s3 >>> 0],
    restoreState: (state) => {
      const words = Array.from(state);
      const fits = words.length === 4 && words.every((word) => Number.isInteger(word) && word >= 0 && word < 2 ** 32);
      if (!fits || words.every((word) => word === 0)) {
        throw new MisuseError(`restoreState: state, got [${words}], expected four integers below 2^32, not all zero`);
      }
      [s0, s1, s2, s3] = words;
    },
  };
}

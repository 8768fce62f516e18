/**
 * Halton points as a source of random numbers: consecutive `next()` calls give the coordinates of consecutive points,
 * so any space that draws the same number of times per sample is filled evenly.
 *
 * Method: coordinate k of point i is the radical inverse of i in the k-th odd prime (3, 5, 7, ...); a seed other than 0
 * shifts all points by a fixed random vector modulo 1, which keeps their evenness and makes runs differ.
 * Source: Halton 1960, "On the efficiency of certain quasi-random sequences of points", doi:10.1007/BF01386213; shift:
 * Cranley, Patterson 1976, "Randomization of number theoretic methods for multiple integration", doi:10.1137/0713071.
 * Points start at index 1 (index 0 is the corner), or where `skip` says. `normal()` draws a varying number of times and throws.
 * Tested by halton.test.ts.
 */
import { MisuseError } from '../math/misuse.js';
import { createRandom, type Random } from '../math/random.js';

/** `dimension`: draws per sample; `skip`: points left out at the beginning. */
export function createHalton(dimension: number, seed = 0, skip = 0): Random {
  const bases = haltonBases(dimension);
  const shift = haltonShift(dimension, seed);
  let index = 1 + skip;
  let k = 0;
  const next = (): number => {
    let value = radicalInverse(bases[k], index) + shift[k];
    if (value >= 1) value -= 1;
    k++;
    if (k === dimension) {
      k = 0;
      index++;
    }
    return value;
  };
  return {
    next,
    nextUint32: () => Math.floor(next() * 4294967296),
    uniform: (lower, upper) => lower + (upper - lower) * next(),
    integer: (n) => Math.floor(next() * n),
    normal: () => {
      throw new MisuseError(
        'createHalton: normal, got a call, expected a space that draws a fixed number of times per sample',
      );
    },
  };
}

function radicalInverse(base: number, index: number): number {
  const [reversed, scale] = haltonDigits(base, index);
  return reversed / scale;
}

/** What is added to each coordinate, modulo 1. */
export function haltonShift(dimension: number, seed: number): Float64Array {
  const shift = new Float64Array(dimension);
  if (seed === 0) return shift;
  const random = createRandom(seed);
  for (let k = 0; k < dimension; k++) shift[k] = random.next();
  return shift;
}

/** The index's digits reversed, and the power of the base above it: their quotient is the radical inverse. */
export function haltonDigits(base: number, index: number): [number, number] {
  let reversed = 0;
  let scale = 1;
  for (let rest = index; rest > 0; ) {
    const quotient = Math.floor(rest / base);
    reversed = reversed * base + (rest - quotient * base);
    scale *= base;
    rest = quotient;
  }
  return [reversed, scale];
}

/** The first odd primes. */
export function haltonBases(count: number): number[] {
  const primes: number[] = [];
  for (let n = 3; primes.length < count; n += 2) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return primes;
}

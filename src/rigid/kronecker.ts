/**
 * Kronecker sequences: evenly spread points of the unit cube, one after the other, from the powers of one irrational number.
 *
 * Point i is frac(offset + i alpha), alpha_k = phi^-k, phi the positive root of x^(d+1) = x + 1. Consecutive points fall into any
 * arithmetic subsequence alike, so that two trees may take turns, which the base-2 sequence of Halton does not allow.
 * Source: Roberts 2018, "The unreasonable effectiveness of quasirandom sequences" (the generalised golden ratio); Niederreiter 1992,
 * "Random number generation and quasi-Monte Carlo methods", section 3, doi:10.1137/1.9781611970081.
 * Bits are the same everywhere: products and sums only. Tested by kronecker.test.ts.
 */
import { createRandom } from '../math/random.js';

/** Roots of x^(d+1) = x + 1. */
const RATIOS: Readonly<Record<number, number>> = { 3: 1.2207440846057596, 6: 1.1127756842787055 };

export class Kronecker {
  private index = 0;
  private readonly alpha: Float64Array;
  private readonly offset: Float64Array;

  /** `dimension` 3 or 6; seeds other than 0 shift all points. */
  constructor(
    readonly dimension: 3 | 6,
    seed: number,
  ) {
    const random = createRandom(seed);
    this.alpha = new Float64Array(dimension);
    this.offset = new Float64Array(dimension);
    let power = 1;
    for (let k = 0; k < dimension; k++) {
      power /= RATIOS[dimension];
      this.alpha[k] = power;
      this.offset[k] = seed === 0 ? 0.5 : random.next();
    }
  }

  next(out: Float64Array): Float64Array {
    this.index++;
    for (let k = 0; k < this.dimension; k++) {
      const x = this.offset[k] + this.index * this.alpha[k];
      out[k] = x - Math.floor(x);
    }
    return out;
  }
}

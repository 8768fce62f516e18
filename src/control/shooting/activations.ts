/**
 * What a residual costs: a sum of functions of its entries.
 *
 * `quadratic` r^2 / 2; `weighted` w r^2 / 2; `barrier` (r - bound)^2 / 2 outside of bounds and 0 within;
 * `smooth-absolute` sqrt(r^2 + e^2) - e, which counts large residuals less.
 * Each has first and second derivatives by entry; those of the barrier jump at its bounds.
 */

import { requireBounds, requireNumbers, requirePositiveNumber, throwMisuse } from '../../math/arguments.js';
import { MisuseError } from '../../math/misuse.js';

export interface Activation {
  /** How many entries it is made for; 0: any. */
  readonly size: number;
  readonly value: (r: Float64Array) => number;
  /** Writes the first and second derivative of every entry. */
  readonly differentiate: (first: Float64Array, second: Float64Array, r: Float64Array) => void;
}

export function requireActivation(call: string, what: string, activation: unknown): void {
  const { size, value, differentiate } = (activation ?? {}) as Partial<Activation>;
  if (!(Number.isInteger(size) && typeof value === 'function' && typeof differentiate === 'function'))
    throwMisuse(call, what, activation, 'an activation with size, value and differentiate');
}

export const quadratic: Activation = {
  size: 0,
  value: (r) => {
    let sum = 0;
    for (let i = 0; i < r.length; i++) sum += r[i] * r[i];
    return 0.5 * sum;
  },
  differentiate: (first, second, r) => {
    for (let i = 0; i < r.length; i++) {
      first[i] = r[i];
      second[i] = 1;
    }
  },
};

/** One weight per entry, 0 or more. */
export function createWeightedQuadratic(weights: ArrayLike<number>): Activation {
  requireNumbers('createWeightedQuadratic', 'weights', weights);
  const w = Float64Array.from(weights);
  if (w.length === 0)
    throw new MisuseError('createWeightedQuadratic: weights, got none, expected one per entry of the residual');
  if (w.some((x) => x < 0))
    throw new MisuseError('createWeightedQuadratic: weights, got a negative one, expected 0 or more');
  return {
    size: w.length,
    value: (r) => {
      let sum = 0;
      for (let i = 0; i < w.length; i++) sum += w[i] * r[i] * r[i];
      return 0.5 * sum;
    },
    differentiate: (first, second, r) => {
      for (let i = 0; i < w.length; i++) {
        first[i] = w[i] * r[i];
        second[i] = w[i];
      }
    },
  };
}

/** Nothing within [lower, upper], the square of the excess outside; bounds may be infinite. */
export function createQuadraticBarrier(lower: ArrayLike<number>, upper: ArrayLike<number>): Activation {
  requireBounds('createQuadraticBarrier', 'lower', lower);
  requireBounds('createQuadraticBarrier', 'upper', upper, lower.length);
  const low = Float64Array.from(lower);
  const high = Float64Array.from(upper);
  const excess = (r: number, i: number) => (r < low[i] ? r - low[i] : r > high[i] ? r - high[i] : 0);
  return {
    size: low.length,
    value: (r) => {
      let sum = 0;
      for (let i = 0; i < low.length; i++) sum += excess(r[i], i) ** 2;
      return 0.5 * sum;
    },
    differentiate: (first, second, r) => {
      for (let i = 0; i < low.length; i++) {
        first[i] = excess(r[i], i);
        second[i] = first[i] === 0 ? 0 : 1;
      }
    },
  };
}

/** sqrt(r^2 + e^2) - e. */
export function createSmoothAbsolute(e: number): Activation {
  requirePositiveNumber('createSmoothAbsolute', 'e', e);
  return {
    size: 0,
    value: (r) => {
      let sum = 0;
      for (let i = 0; i < r.length; i++) sum += Math.sqrt(r[i] * r[i] + e * e) - e;
      return sum;
    },
    differentiate: (first, second, r) => {
      for (let i = 0; i < r.length; i++) {
        const root = Math.sqrt(r[i] * r[i] + e * e);
        first[i] = r[i] / root;
        second[i] = (e * e) / (root * root * root);
      }
    },
  };
}

/**
 * Box-bounded space of real vectors with a weighted Euclidean metric; single coordinates may wrap around (continuous
 * joints), in which case distances and interpolation take the shorter way round.
 *
 * distance(a, b) = sqrt(sum (weight_i (a_i - b_i))^2); for wrapping coordinates the difference is the one of smallest
 * magnitude modulo the period upper - lower. Units: those of the coordinates; with unit weights, radians for arms.
 * Tested by real-vector-space.test.ts and test/contract/state-spaces.test.ts.
 */
import { type Fields, numbers, requireArray, requireFields, requireNumbers, unchecked } from '../math/arguments.js';
import { MisuseError } from '../math/misuse.js';
import type { Random } from '../math/random.js';
import type { NumericArray } from '../math/vec3.js';
import { COORDINATE_LINE, COORDINATE_PERIODIC } from './kernel/layout.js';
import type { StateCoordinates, StateSpace } from './types.js';

export interface RealVectorSpaceOptions {
  readonly lower: NumericArray;
  readonly upper: NumericArray;
  /** Factor of each coordinate in the metric, default 1. */
  readonly weights?: NumericArray;
  /** True for coordinates that wrap from `upper` to `lower`. */
  readonly wrap?: ArrayLike<boolean>;
}

const CALL = 'createRealVectorSpace';
const OPTIONS: Fields = { lower: unchecked, upper: unchecked, weights: numbers, wrap: requireArray };

class RealVectorSpace implements StateSpace {
  readonly dimension: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly weights: Float64Array;
  readonly euclideanScale?: Float64Array;
  readonly coordinates: StateCoordinates;
  /** Period of each coordinate, 0 where it does not wrap. */
  private readonly period: Float64Array;
  private readonly wraps: boolean;

  constructor(options: RealVectorSpaceOptions) {
    requireFields(CALL, 'options', options, OPTIONS);
    requireNumbers(CALL, 'options.lower', options.lower);
    requireNumbers(CALL, 'options.upper', options.upper);
    const n = options.lower.length;
    this.dimension = n;
    this.lower = Float64Array.from(options.lower);
    this.upper = Float64Array.from(options.upper);
    this.weights = options.weights ? Float64Array.from(options.weights) : new Float64Array(n).fill(1);
    this.period = new Float64Array(n);
    requireLength('upper', this.upper.length, n);
    requireLength('weights', this.weights.length, n);
    if (options.wrap) requireLength('wrap', options.wrap.length, n);
    for (let i = 0; i < n; i++) {
      const { [i]: lower } = this.lower;
      const { [i]: upper } = this.upper;
      if (!(Number.isFinite(lower) && Number.isFinite(upper) && lower <= upper))
        throw new MisuseError(
          `createRealVectorSpace: bounds of coordinate ${i}, got [${lower}, ${upper}], expected finite numbers in order`,
        );
      if (!(this.weights[i] > 0 && this.weights[i] < Infinity))
        throw new MisuseError(
          `createRealVectorSpace: weights[${i}], got ${this.weights[i]}, expected a positive number`,
        );
      if (options.wrap?.[i]) {
        if (lower === upper)
          throw new MisuseError(
            `createRealVectorSpace: coordinate ${i} wraps, got an empty range, expected lower < upper`,
          );
        this.period[i] = upper - lower;
      }
    }
    this.wraps = this.period.some((period) => period > 0);
    if (!this.wraps) this.euclideanScale = this.weights;
    this.coordinates = {
      lower: this.lower,
      upper: this.upper,
      scale: this.weights,
      period: this.period,
      kinds: Int32Array.from(this.period, (period) => (period > 0 ? COORDINATE_PERIODIC : COORDINATE_LINE)),
      form: 'weighted',
    };
  }

  sample(out: Float64Array, random: Random): Float64Array {
    for (let i = 0; i < this.dimension; i++)
      out[i] = Math.min(this.upper[i], random.uniform(this.lower[i], this.upper[i]));
    return out;
  }

  distance(a: Float64Array, b: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < this.dimension; i++) {
      const d = this.weights[i] * this.difference(a[i], b[i], i);
      sum += d * d;
    }
    return Math.sqrt(sum);
  }

  interpolate(out: Float64Array, a: Float64Array, b: Float64Array, t: number): Float64Array {
    for (let i = 0; i < this.dimension; i++) {
      // Both ends exact, and no coordinate that agrees at both ends moves.
      if (t === 1) out[i] = b[i];
      else {
        const value = a[i] + t * this.difference(a[i], b[i], i);
        out[i] = this.period[i] > 0 ? this.wrapCoordinate(value, i) : value;
      }
    }
    return out;
  }

  satisfiesBounds(q: Float64Array): boolean {
    if (q.length !== this.dimension) return false;
    for (let i = 0; i < this.dimension; i++) if (!(q[i] >= this.lower[i] && q[i] <= this.upper[i])) return false;
    return true;
  }

  explainBounds(q: Float64Array): string {
    if (q.length !== this.dimension) return `has ${q.length} numbers, expected ${this.dimension}`;
    for (let i = 0; i < this.dimension; i++) {
      if (!(q[i] >= this.lower[i] && q[i] <= this.upper[i]))
        return `coordinate ${i} is ${q[i]}, limits are ${this.lower[i]} to ${this.upper[i]}`;
    }
    return '';
  }

  /** b - a, the shorter way round where the coordinate wraps. */
  private difference(a: number, b: number, i: number): number {
    const period = this.period[i];
    const d = b - a;
    return period > 0 ? d - period * Math.round(d / period) : d;
  }

  private wrapCoordinate(value: number, i: number): number {
    const turned = value - this.period[i] * Math.floor((value - this.lower[i]) / this.period[i]);
    return Math.min(Math.max(turned, this.lower[i]), this.upper[i]);
  }
}

function requireLength(what: string, got: number, expected: number): void {
  if (got !== expected)
    throw new MisuseError(`createRealVectorSpace: ${what}, got ${got} entries, expected ${expected} as in lower`);
}

export type { RealVectorSpace };

export function createRealVectorSpace(options: RealVectorSpaceOptions): RealVectorSpace {
  return new RealVectorSpace(options);
}

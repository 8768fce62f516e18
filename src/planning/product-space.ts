/**
 * Several spaces as one: a state is one state of each, one after the other, and all go straight at the same time.
 *
 * Distances are those of the parts, squared and added, so that no part hides another's. Shapes: `offsets` has where each part begins, and the
 * dimension last. Tested by product-space.test.ts.
 */
import { requireList } from '../math/arguments.js';
import type { Random } from '../math/random.js';
import { requireSpace } from './requests.js';
import type { StateSpace } from './types.js';

export interface ProductSpace extends StateSpace {
  readonly parts: readonly StateSpace[];
  readonly offsets: Int32Array;
  /** The state of one part; a view. */
  pick(q: Float64Array, part: number): Float64Array;
}

export function createProductSpace(parts: readonly StateSpace[]): ProductSpace {
  requireList('createProductSpace', 'parts', parts, 'a list of spaces');
  parts.forEach((part, i) => {
    requireSpace(`createProductSpace: parts[${i}]`, part);
  });
  const offsets = new Int32Array(parts.length + 1);
  parts.forEach((part, i) => {
    offsets[i + 1] = offsets[i] + part.dimension;
  });
  const pick = (q: Float64Array, i: number): Float64Array => q.subarray(offsets[i], offsets[i + 1]);
  const dimension = offsets[parts.length];
  return {
    ...{ parts, offsets, dimension, pick },
    sample(out: Float64Array, random: Random) {
      parts.forEach((part, i) => {
        part.sample(pick(out, i), random);
      });
      return out;
    },
    distance(a, b) {
      let sum = 0;
      for (let i = 0; i < parts.length; i++) {
        const d = parts[i].distance(pick(a, i), pick(b, i));
        sum += d * d;
      }
      return Math.sqrt(sum);
    },
    interpolate(out, a, b, t) {
      for (let i = 0; i < parts.length; i++) parts[i].interpolate(pick(out, i), pick(a, i), pick(b, i), t);
      return out;
    },
    satisfiesBounds: (q) => q.length === dimension && parts.every((part, i) => part.satisfiesBounds(pick(q, i))),
    explainBounds(q) {
      if (q.length !== dimension) return `has ${q.length} numbers, expected ${dimension}`;
      for (let i = 0; i < parts.length; i++) {
        const text = parts[i].explainBounds?.(pick(q, i)) ?? '';
        if (text !== '') return `part ${i}: ${text}`;
      }
      return '';
    },
  };
}

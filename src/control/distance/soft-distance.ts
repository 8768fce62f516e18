/**
 * A smooth lower bound of the smallest clearance: one differentiable number for all near pairs.
 *
 * Method: c_i = distance - margin of each row; s = -log(sum exp(-beta c_i)) / beta, so that min - log(rows) / beta <= s <= min; its gradient
 * is the mean of the rows' with weights exp(-beta c_i) / sum. The smallest is taken out of the exponentials, which then cannot overflow.
 * Source: Boyd, Vandenberghe 2004, "Convex optimization", section 3.1.5 (log-sum-exp), doi:10.1017/CBO9780511804441.
 * Units: metres; beta per metre. Infinity with a zero gradient where there is no row. Cost: rows x nv. Where pairs enter and leave the
 * reach the value jumps by at most exp(-beta (reach - s)) / beta. Tested by distance-gradients.test.ts.
 */
import { requireFloats, requirePositiveNumber, throwMisuse } from '../../math/arguments.js';
import { exp, log } from '../../math/scalar.js';
import type { DistanceGradients } from './distance-gradients.js';

/** Writes the gradient (nv numbers) and returns the value at the configuration of the last update. */
export function softDistance(gradient: Float64Array, from: DistanceGradients, beta: number): number {
  if (typeof from?.update !== 'function')
    throwMisuse('softDistance', 'from', from, 'what createDistanceGradients returned');
  requireFloats('softDistance', 'gradient', gradient, from.nv);
  requirePositiveNumber('softDistance', 'beta', beta);
  const { count, distances, margins, gradients, nv } = from;
  gradient.fill(0);
  let least = Infinity;
  for (let i = 0; i < count; i++) least = Math.min(least, distances[i] - margins[i]);
  if (count === 0) return least;
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const weight = exp(-beta * (distances[i] - margins[i] - least));
    sum += weight;
    for (let k = 0; k < nv; k++) gradient[k] += weight * gradients[nv * i + k];
  }
  for (let k = 0; k < nv; k++) gradient[k] /= sum;
  return least - log(sum) / beta;
}

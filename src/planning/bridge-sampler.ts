/**
 * A sampler for narrow passages: the bridge test draws short segments with both ends in obstacles and keeps their middles, where these are free.
 *
 * Method: 1. a state is drawn; where it is valid it is dropped; 2. a second one is drawn near it, in a random direction, at a distance that is
 * normally distributed with `scale`; 3. where that is not valid either and the middle between them is, the middle is the draw. With the
 * probability `1 - share`, and where MOST_TRIES bridges have failed, the draw is the space's own.
 * Source: Hsu, Jiang, Reif, Sun 2003, "The bridge test for sampling narrow passages with probabilistic roadmap planners", section III,
 * doi:10.1109/ROBOT.2003.1242285; the mixture: Sun, Hsu, Jiang, Kurniawati, Reif 2005, "Narrow passage sampling for probabilistic roadmap
 * planning", doi:10.1109/TRO.2005.853485.
 * Units: `scale` in the metric of the space. Cost: per draw at most 3 MOST_TRIES states asked.
 * Tested by bridge-sampler.test.ts.
 */
import { type Fields, requireNumberThat, requireOptions, requirePositiveNumber } from '../math/arguments.js';
import { requireChecker, requireSpace } from './requests.js';
import type { Sampler } from './sampler.js';
import type { StateSpace, ValidityChecker } from './types.js';

export interface BridgeSamplerOptions {
  /** Length of bridges, in the metric of the space: about twice as wide as passages are. Default 0.5. */
  readonly scale?: number;
  /** How many of the draws are to be bridges, 0 to 1; default 0.5. */
  readonly share?: number;
}

const OPTIONS: Fields = {
  scale: requirePositiveNumber,
  share: (call, what, value) => requireNumberThat(call, what, value, (x) => x >= 0 && x <= 1, 'a number from 0 to 1'),
};
const DEFAULT_SCALE = 0.5;
const DEFAULT_SHARE = 0.5;
const MOST_TRIES = 30;

export function createBridgeSampler(
  space: StateSpace,
  checker: Pick<ValidityChecker, 'isValid'>,
  options: BridgeSamplerOptions = {},
): Sampler {
  const call = 'createBridgeSampler';
  requireSpace(call, space);
  requireChecker(call, checker);
  requireOptions(call, options, OPTIONS);
  const { scale = DEFAULT_SCALE, share = DEFAULT_SHARE } = options;
  const first = new Float64Array(space.dimension);
  const second = new Float64Array(space.dimension);
  return {
    draw(out, random) {
      if (random.next() < share)
        for (let i = 0; i < MOST_TRIES; i++) {
          space.sample(first, random);
          const length = Math.abs(random.normal()) * scale;
          space.sample(second, random);
          const far = space.distance(first, second);
          if (checker.isValid(first) || far === 0) continue;
          // Towards a random state: a random direction.
          space.interpolate(second, first, second, Math.min(1, length / far));
          if (checker.isValid(second)) continue;
          space.interpolate(out, first, second, 0.5);
          if (checker.isValid(out)) return true;
        }
      space.sample(out, random);
      return true;
    },
  };
}

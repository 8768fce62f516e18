/**
 * Is a whole straight motion free? By spheres where these can tell, by exact shapes on the stretches where they cannot.
 *
 * Method: spheres prove the whole motion (certifyMotion), or else each stretch between SAMPLES states at which they are apart; what they do not
 * prove, neighbouring stretches together, is asked of the exact motion checker. Pairs that spheres are too coarse for are decided
 * exactly over the whole motion, by a checker that looks at no others (sphere-checker.ts).
 * Ends of stretches are rounded configurations: spheres are grown by far more than that moves a body (rounding.ts), and exact motions
 * keep their tolerance.
 * Cost: some microseconds where spheres decide; a stretch that is asked costs as createSceneMotionChecker says.
 * Tested by sphere-checker.test.ts.
 */
import type { SphereChecks } from '../../compile/sphere-checks/sphere-checks.js';
import { interpolateConfiguration } from '../../model/configuration.js';
import type { Model } from '../../model/model.js';
import type { SceneMotionChecker } from '../motion/motion-checker.js';

type MotionVerdict = Pick<SceneMotionChecker, 'isMotionValid'>;

export const QUICK = { locate: false };
/** Parts of a motion whose ends are looked at. */
const SAMPLES = 16;

export class SphereMotion {
  private readonly from: Float64Array;
  private readonly to: Float64Array;
  private readonly at: Float64Array;

  constructor(
    private readonly model: Model,
    private readonly indices: ArrayLike<number>,
    rest: Float64Array,
    private readonly exact: MotionVerdict,
  ) {
    this.from = Float64Array.from(rest);
    this.to = Float64Array.from(rest);
    this.at = Float64Array.from(rest);
  }

  /** `decided` counts the motions for which nothing was asked. */
  isValid(
    checks: SphereChecks,
    a: Float64Array,
    b: Float64Array,
    shouldStop: (() => boolean) | undefined,
    decided: () => void,
  ): boolean {
    if (checks.certifyMotion(a, b, QUICK).status === 'free') {
      decided();
      return true;
    }
    const { indices, from, to } = this;
    for (let k = 0; k < indices.length; k++) {
      from[indices[k]] = a[k];
      to[indices[k]] = b[k];
    }
    const isFree = (k: number): boolean => checks.isFree(this.stateAt(k / SAMPLES));
    /** Where a stretch that is not proven began, -1 for none. */
    let open = -1;
    for (let k = 0; k < SAMPLES; ) {
      let end = k;
      if (isFree(k)) while (end < SAMPLES && isFree(end + 1)) end++;
      const isProven =
        end > k &&
        checks.certifyMotion(this.stateAt(k / SAMPLES), this.stateAt(end / SAMPLES), QUICK).status === 'free';
      if (isProven && open >= 0) {
        if (!this.isStretchFree(open, k, shouldStop)) return false;
        open = -1;
      } else if (!isProven && open < 0) open = k;
      k = Math.max(end, k + 1);
    }
    return open < 0 || this.isStretchFree(open, SAMPLES, shouldStop);
  }

  private isStretchFree(from: number, to: number, shouldStop?: () => boolean): boolean {
    return this.exact.isMotionValid(this.stateAt(from / SAMPLES), this.stateAt(to / SAMPLES), shouldStop);
  }

  private stateAt(t: number): Float64Array {
    const { model, indices, from, to, at } = this;
    if (t === 1) at.set(to);
    else interpolateConfiguration(at, model, from, to, t);
    return Float64Array.from(indices, (i) => at[i]);
  }
}

/**
 * Is a whole straight motion free? By spheres where these can tell, by exact shapes on the stretches where they cannot.
 *
 * Method: spheres prove the motion from its begin on (certifyMotion); what stops them is left open, to a sixteenth of the motion, and they go
 * on behind it; where they see nothing at all the motion is halved. Open stretches, neighbours together, are asked of the exact
 * motion checker. Pairs that spheres are too coarse for are decided exactly over the whole motion, by a checker that looks at no others
 * (sphere-checker.ts).
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

/** Stretches in which nothing moves by more than the tolerance are soon left to exact shapes. */
export const QUICK = { locate: false, tolerance: 2e-3 };
/** Parts of a motion that are proven or left open. */
const PARTS = 16;

export class SphereMotion {
  private readonly from: Float64Array;
  private readonly to: Float64Array;
  private readonly at: Float64Array;
  private readonly open = new Uint8Array(PARTS);

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
    this.open.fill(0);
    this.findOpen(checks, 0, PARTS);
    for (let k = 0; k < PARTS; k++) {
      if (this.open[k] === 0) continue;
      const begin = k;
      while (k + 1 < PARTS && this.open[k + 1] === 1) k++;
      if (!this.exact.isMotionValid(this.stateAt(begin), this.stateAt(k + 1), shouldStop)) return false;
    }
    return true;
  }

  /** Marks the parts between two of their ends that spheres do not prove. */
  private findOpen(checks: SphereChecks, from: number, to: number): void {
    for (let begin = from; begin < to; ) {
      const { status, failed } = checks.certifyMotion(this.stateAt(begin), this.stateAt(to), QUICK);
      if (status === 'free') return;
      const count = to - begin;
      const [start, width] = failed ?? [0, 1];
      if (count > 1 && width === 1) {
        const middle = begin + (count >> 1);
        this.findOpen(checks, begin, middle);
        begin = middle;
        continue;
      }
      const end = begin + Math.ceil((start + width) * count);
      this.open.fill(1, begin + Math.floor(start * count), end);
      begin = end;
    }
  }

  private stateAt(k: number): Float64Array {
    const { model, indices, from, to, at } = this;
    if (k === PARTS) at.set(to);
    else interpolateConfiguration(at, model, from, to, k / PARTS);
    return Float64Array.from(indices, (i) => at[i]);
  }
}

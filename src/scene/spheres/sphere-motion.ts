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

/** Exact verdicts of motions: `quick` looks at the end and the middle first, `plain`, of a motion whose ends are free, does not. */
export interface ExactMotions {
  readonly quick: MotionVerdict;
  readonly plain: MotionVerdict;
}

/** Stretches in which nothing moves by more than the tolerance are soon left to exact shapes. */
export const QUICK = { locate: false, tolerance: 2e-3 };
/** Parts of a motion that are proven or left open. */
const PARTS = 16;

export class SphereMotion {
  private readonly from: Float64Array;
  private readonly to: Float64Array;
  private readonly at: Float64Array;
  /** Ends of what is looked at. */
  private readonly first: Float64Array;
  private readonly second: Float64Array;
  private readonly open = new Uint8Array(PARTS);

  constructor(
    private readonly model: Model,
    private readonly indices: ArrayLike<number>,
    rest: Float64Array,
    private readonly exact: ExactMotions,
  ) {
    this.from = Float64Array.from(rest);
    this.to = Float64Array.from(rest);
    this.at = Float64Array.from(rest);
    this.first = new Float64Array(indices.length);
    this.second = new Float64Array(indices.length);
  }

  /** `decided` counts the motions for which nothing was asked. */
  isValid(
    checks: SphereChecks,
    a: Float64Array,
    b: Float64Array,
    shouldStop: (() => boolean) | undefined,
    decided: () => void,
  ): boolean {
    const whole = checks.certifyMotion(a, b, QUICK);
    if (whole.status === 'free') {
      decided();
      return true;
    }
    const { indices, from, to, first, second, exact } = this;
    for (let k = 0; k < indices.length; k++) {
      from[indices[k]] = a[k];
      to[indices[k]] = b[k];
    }
    this.open.fill(0);
    this.splitAt(checks, 0, PARTS, whole.failed);
    for (let k = 0; k < PARTS; k++) {
      if (this.open[k] === 0) continue;
      const begin = k;
      while (k + 1 < PARTS && this.open[k + 1] === 1) k++;
      // Where spheres go on, they are apart at once.
      const motions = k + 1 < PARTS ? exact.plain : exact.quick;
      if (!motions.isMotionValid(this.stateAt(first, begin), this.stateAt(second, k + 1), shouldStop)) return false;
    }
    return true;
  }

  /** Marks the parts between two of their ends that spheres do not prove. */
  private findOpen(checks: SphereChecks, from: number, to: number): void {
    if (from === to) return;
    const { first, second } = this;
    const { status, failed } = checks.certifyMotion(this.stateAt(first, from), this.stateAt(second, to), QUICK);
    if (status !== 'free') this.splitAt(checks, from, to, failed);
  }

  /** The same where the first interval that is not proven is known: its start and width. */
  private splitAt(checks: SphereChecks, from: number, to: number, failed: readonly [number, number] | null): void {
    const count = to - from;
    const [start, width] = failed ?? [0, 1];
    if (count > 1 && width === 1) {
      const middle = from + (count >> 1);
      this.findOpen(checks, from, middle);
      this.findOpen(checks, middle, to);
      return;
    }
    const end = from + Math.ceil((start + width) * count);
    this.open.fill(1, from + Math.floor(start * count), end);
    this.findOpen(checks, end, to);
  }

  private stateAt(out: Float64Array, k: number): Float64Array {
    const { model, indices, from, to, at } = this;
    if (k === PARTS) at.set(to);
    else interpolateConfiguration(at, model, from, to, k / PARTS);
    for (let i = 0; i < out.length; i++) out[i] = at[indices[i]];
    return out;
  }
}
